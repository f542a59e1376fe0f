// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-dot-products=reassociate=true | FileCheck %s --check-prefix=PACK
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-to-llvm=reassociate=true | FileCheck %s

module attributes {tensoraccess.target = #tensoraccess.target<sapphirerapids>} {
// Signs are those of the instruction: nothing is turned or taken away. 255 is filled
// up to 256, 100 columns to four panels of two tiles.
// PACK-LABEL: @signed
// PACK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x64x32x4xi8>)
// PACK-NOT: arith.xori
// PACK: ins(%{{.*}}, %{{.*}} : tensor<60x256xi8>, tensor<4x64x32x4xi8>)
// CHECK-LABEL: @signed
// CHECK: call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: call_intrinsic "llvm.x86.tilezero"
// CHECK-COUNT-3: call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-2: call_intrinsic "llvm.x86.tdpbssd"
// CHECK: call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-2: call_intrinsic "llvm.x86.tdpbssd"
// CHECK-COUNT-4: call_intrinsic "llvm.x86.tilestored64"
// CHECK: call_intrinsic "llvm.x86.tilerelease"
func.func @signed(%x: tensor<60x255xi8>, %w: tensor<255x100xi8>,
                  %y: tensor<60x100xi32>) -> tensor<60x100xi32> {
  %z = linalg.matmul ins(%x, %w : tensor<60x255xi8>, tensor<255x100xi8>)
       outs(%y : tensor<60x100xi32>) -> tensor<60x100xi32>
  return %z : tensor<60x100xi32>
}
}

// -----

module attributes {tensoraccess.target = #tensoraccess.target<sapphirerapids>} {
// Few rows leave registers for four columns; 17 groups are 18, in two equal steps.
// PACK-LABEL: @few
// PACK: outs(%{{.*}} : tensor<2x18x64x4xi8>)
// CHECK-LABEL: @few
// CHECK-COUNT-4: call_intrinsic "llvm.x86.tilezero"
// CHECK: call_intrinsic "llvm.x86.tdpbssd"
func.func @few(%x: tensor<5x68xi8>, %w: tensor<68x100xi8> {tensoraccess.constant},
               %y: tensor<5x100xi32>) -> tensor<5x100xi32> {
  %z = linalg.matmul ins(%x, %w : tensor<5x68xi8>, tensor<68x100xi8>)
       outs(%y : tensor<5x100xi32>) -> tensor<5x100xi32>
  return %z : tensor<5x100xi32>
}
}

// -----

module attributes {tensoraccess.target = #tensoraccess.target<sapphirerapids>} {
// A single row is one of vectors.
// CHECK-LABEL: @row
// CHECK-NOT: ldtilecfg
// CHECK: vpdpbusd
func.func @row(%x: tensor<1x256xi8>, %w: tensor<256x128xi8> {tensoraccess.constant},
               %y: tensor<1x128xi32>) -> tensor<1x128xi32> {
  %z = linalg.matmul ins(%x, %w : tensor<1x256xi8>, tensor<256x128xi8>)
       outs(%y : tensor<1x128xi32>) -> tensor<1x128xi32>
  return %z : tensor<1x128xi32>
}
}

// -----

module attributes {tensoraccess.target = #tensoraccess.target<sapphirerapids>} {
// CHECK-LABEL: @small_floats
// CHECK: call_intrinsic "llvm.x86.tdpbf16ps"
func.func @small_floats(%x: tensor<32x64xbf16>, %w: tensor<64x32xbf16>,
                        %y: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %z = linalg.matmul ins(%x, %w : tensor<32x64xbf16>, tensor<64x32xbf16>)
       outs(%y : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %z : tensor<32x32xf32>
}
}
