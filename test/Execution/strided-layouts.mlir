// Relayouts to and from strided and linear layouts, compiled and interpreted; the
// memory itself, as one dimension, is a result where a function returns it.
// RUN: tensoraccess-run %s --entry=there_and_back --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=swizzled --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=mixed --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts | FileCheck %s --check-prefix=MEMORY

#blocks = #tensoraccess.strided<((2,2),3):((1,6),2)>
#gaps = #tensoraccess.strided<(4,3):(8,2)>
#banks = #tensoraccess.strided<Sw<2,1,3> o (8,16):(16,1)>
#warp = #tensoraccess.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 1]], warp = [[4, 0]]} -> [8, 16]>

// MEMORY-LABEL: @there_and_back
func.func @there_and_back(%x: tensor<4x3xf32>) -> tensor<3x4xf32> {
  %0 = tensoraccess.relayout %x : tensor<4x3xf32> to tensor<4x3xf32, #blocks>
  %1 = tensoraccess.relayout %0 : tensor<4x3xf32, #blocks> to tensor<4x3xf32, #gaps>
  %2 = tensoraccess.relayout %1 permutation = [1, 0] : tensor<4x3xf32, #gaps> to tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

func.func @swizzled(%x: tensor<8x16xf16>) -> tensor<8x16xf32> {
  %0 = tensoraccess.relayout %x : tensor<8x16xf16> to tensor<8x16xf16, #banks>
  %1 = tensoraccess.relayout %0 : tensor<8x16xf16, #banks> to tensor<8x16xf32, #warp>
  %2 = tensoraccess.relayout %1 : tensor<8x16xf32, #warp> to tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Between a tiled layout and a linear one, through a loop and a call.
func.func private @pass(%x: tensor<8x16xf32, #warp>) -> tensor<8x16xf32, #warp> {
  return %x : tensor<8x16xf32, #warp>
}
func.func @mixed(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = tensoraccess.relayout %x : tensor<8x16xf32> to tensor<8x16xf32, #tensoraccess.layout<{0,1:T(4,2)}>>
  %1 = tensoraccess.relayout %0 : tensor<8x16xf32, #tensoraccess.layout<{0,1:T(4,2)}>> to tensor<8x16xf32, #warp>
  %2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %1) -> tensor<8x16xf32, #warp> {
    %z = func.call @pass(%y) : (tensor<8x16xf32, #warp>) -> tensor<8x16xf32, #warp>
    scf.yield %z : tensor<8x16xf32, #warp>
  }
  %3 = tensoraccess.relayout %2 : tensor<8x16xf32, #warp> to tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// MEMORY-LABEL: @memory
// MEMORY-SAME: (%{{.*}}: tensor<2x4xi32>) -> tensor<15xi32>
func.func @memory(%x: tensor<2x4xi32>) -> tensor<2x4xi32, #tensoraccess.strided<(2,4):(8,2)>> {
  %0 = tensoraccess.relayout %x : tensor<2x4xi32> to tensor<2x4xi32, #tensoraccess.strided<(2,4):(8,2)>>
  return %0 : tensor<2x4xi32, #tensoraccess.strided<(2,4):(8,2)>>
}
