// RUN: tensoraccess-opt %s --tensoraccess-extend-operands | FileCheck %s

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: @product
// CHECK: %[[X:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<256x64xbf16>) outs(%[[X]]
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[W:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] :
// CHECK-NOT: arith.extf
// CHECK: math.fma
// CHECK-DAG: memref.dealloc %[[X]] :
// CHECK-DAG: memref.dealloc %[[W]] :
func.func @product(%x: memref<256x64xbf16>, %w: memref<64x256xbf16>,
                   %y: memref<256x256xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<256x64xbf16>, memref<64x256xbf16>)
      outs(%y : memref<256x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = math.fma %0, %1, %out : f32
    linalg.yield %2 : f32
  }
  return
}

// Weights that few rows read; what the body has in its own type, too.
// CHECK-LABEL: @few
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @few(%x: memref<4x64xf32>, %w: memref<64x256xf16>, %y: memref<4x256xf32>,
               %u: memref<256x64xf16>, %v: memref<64x256xf32>, %z: memref<256x256xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x64xf32>, memref<64x256xf16>)
      outs(%y : memref<4x256xf32>) {
  ^bb0(%a: f32, %b: f16, %out: f32):
    %1 = arith.extf %b : f16 to f32
    %2 = math.fma %a, %1, %out : f32
    linalg.yield %2 : f32
  }
  linalg.generic {indexing_maps = [#x, #w, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %v : memref<256x64xf16>, memref<64x256xf32>)
      outs(%z : memref<256x256xf32>) {
  ^bb0(%a: f16, %b: f32, %out: f32):
    %0 = arith.addf %a, %a : f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.extf %a : f16 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = math.fma %3, %b, %out : f32
    linalg.yield %4 : f32
  }
  return
}
