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

// No sum of 1024 products of i8 is more than 2^24: f32 has it exactly; of more, f64.
// CHECK-LABEL: @integers
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<256x1024xf32>
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.sitofp
// CHECK: linalg.fill
// CHECK: math.fma %{{.*}} : f32
// CHECK: %[[SUM:.*]] = arith.fptosi %{{.*}} : f32 to i32
// CHECK: arith.addi %{{.*}}, %[[SUM]] : i32
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<256x2048xf64>
// CHECK: arith.uitofp %{{.*}} : i8 to f64
// CHECK: math.fma %{{.*}} : f64
func.func @integers(%x: memref<256x1024xi8>, %w: memref<1024x256xi8>,
                    %u: memref<256x2048xi8>, %v: memref<2048x256xi8>,
                    %y: memref<256x256xi32>) {
  linalg.matmul ins(%x, %w : memref<256x1024xi8>, memref<1024x256xi8>)
                outs(%y : memref<256x256xi32>)
  linalg.generic {indexing_maps = [#x, #w, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %v : memref<256x2048xi8>, memref<2048x256xi8>)
      outs(%y : memref<256x256xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %1, %0 : i32
    %3 = arith.addi %2, %out : i32
    linalg.yield %3 : i32
  }
  return
}

// Sums that wrap around, zero points, other types.
// CHECK-LABEL: @wrap
// CHECK-NOT: tofp
// CHECK: return
func.func @wrap(%x: memref<16x140000xi8>, %w: memref<140000x16xi8>, %y: memref<16x16xi32>,
                %p: memref<256x256xi8>, %z: i32, %q: memref<256x256xi32>,
                %r: memref<256x256xi16>) {
  linalg.matmul ins(%x, %w : memref<16x140000xi8>, memref<140000x16xi8>)
                outs(%y : memref<16x16xi32>)
  linalg.quantized_matmul ins(%p, %p, %z, %z : memref<256x256xi8>, memref<256x256xi8>, i32, i32)
                          outs(%q : memref<256x256xi32>)
  linalg.matmul ins(%r, %r : memref<256x256xi16>, memref<256x256xi16>)
                outs(%q : memref<256x256xi32>)
  return
}

// A type that leaves out a size has no buffer like it, though others tell the size.
// CHECK-LABEL: @unknown
// CHECK-NOT: tofp
// CHECK: return
func.func @unknown(%x: memref<?x64xi8>, %w: memref<64x512xi8>,
                   %y: memref<512x512xi32>) {
  linalg.matmul ins(%x, %w : memref<?x64xi8>, memref<64x512xi8>)
                outs(%y : memref<512x512xi32>)
  return
}
