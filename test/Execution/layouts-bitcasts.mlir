// Bitcasts whose result has another logical shape than their source, between
// relayouts: interpreted, and compiled in both ways.
// RUN: tensoraccess-run %s --entry=main --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-opt %s --symbol-privatize=exclude=main --symbol-dce --tensoraccess-materialize-layouts=way=pack -o %t.pack.mlir
// RUN: tensoraccess-run %t.pack.mlir --entry=main --inputs=random:1 --compare=%s | FileCheck %s
// RUN: tensoraccess-opt %s --symbol-privatize=exclude=main --symbol-dce --tensoraccess-materialize-layouts=way=steps -o %t.steps.mlir
// RUN: tensoraccess-run %t.steps.mlir --entry=main --inputs=random:1 --compare=%s | FileCheck %s
// RUN: not tensoraccess-run %s --entry=other_rows --inputs=random:1 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tensoraccess-run %s --entry=other_rows --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=FAULT
// CHECK-COUNT-7: equal, bit for bit

func.func @main(%a: tensor<6xf32>, %b: tensor<4xf32>, %c: tensor<2x3xf32>, %d: tensor<8xf32>, %e: tensor<7x5xf32>)
    -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<7x5xi32>) {
  %0 = func.call @rank(%a) : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = func.call @fewer(%b) : (tensor<4xf32>) -> tensor<3xf32>
  %2 = func.call @order(%c) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = func.call @tiles(%c) : (tensor<2x3xf32>) -> tensor<3x2xi32>
  %4 = func.call @tile_of_one_row(%d) : (tensor<8xf32>) -> tensor<1x3xf32>
  %5 = func.call @padded_row(%b) : (tensor<4xf32>) -> tensor<1x3xf32>
  %6 = func.call @dynamic(%e) : (tensor<7x5xf32>) -> tensor<7x5xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<7x5xi32>
}

func.func private @rank(%x: tensor<6xf32>) -> tensor<2x3xf32> {
  %0 = tensoraccess.relayout %x : tensor<6xf32> to tensor<6xf32, #tensoraccess.layout<{0}>>
  %1 = tensoraccess.bitcast %0 : tensor<6xf32, #tensoraccess.layout<{0}>> to tensor<2x3xf32, #tensoraccess.layout<{0,1}>>
  %2 = tensoraccess.relayout %1 : tensor<2x3xf32, #tensoraccess.layout<{0,1}>> to tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// The last element is read as padding.
func.func private @fewer(%x: tensor<4xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.relayout %x : tensor<4xf32> to tensor<4xf32, #tensoraccess.layout<{0}>>
  %1 = tensoraccess.bitcast %0 : tensor<4xf32, #tensoraccess.layout<{0}>> to tensor<3xf32, #tensoraccess.layout<{0:T(2)}>>
  %2 = tensoraccess.relayout %1 : tensor<3xf32, #tensoraccess.layout<{0:T(2)}>> to tensor<3xf32>
  return %2 : tensor<3xf32>
}

func.func private @order(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensoraccess.relayout %x : tensor<2x3xf32> to tensor<2x3xf32, #tensoraccess.layout<{1,0}>>
  %1 = tensoraccess.bitcast %0 : tensor<2x3xf32, #tensoraccess.layout<{1,0}>> to tensor<3x2xf32, #tensoraccess.layout<{0,1}>>
  %2 = tensoraccess.relayout %1 : tensor<3x2xf32, #tensoraccess.layout<{0,1}>> to tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}

func.func private @tiles(%x: tensor<2x3xf32>) -> tensor<3x2xi32> {
  %0 = tensoraccess.relayout %x : tensor<2x3xf32> to tensor<2x3xf32, #tensoraccess.layout<{0,1:T(2,2)}>>
  %1 = tensoraccess.bitcast %0 : tensor<2x3xf32, #tensoraccess.layout<{0,1:T(2,2)}>> to tensor<3x2xi32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %2 = tensoraccess.relayout %1 : tensor<3x2xi32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<3x2xi32>
  return %2 : tensor<3x2xi32>
}

func.func private @tile_of_one_row(%x: tensor<8xf32>) -> tensor<1x3xf32> {
  %0 = tensoraccess.relayout %x : tensor<8xf32> to tensor<8xf32, #tensoraccess.layout<{0}>>
  %1 = tensoraccess.bitcast %0 : tensor<8xf32, #tensoraccess.layout<{0}>> to tensor<1x3xf32, #tensoraccess.layout<{0,1:T(2,2)}>>
  %2 = tensoraccess.relayout %1 : tensor<1x3xf32, #tensoraccess.layout<{0,1:T(2,2)}>> to tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}

func.func private @padded_row(%x: tensor<4xf32>) -> tensor<1x3xf32> {
  %0 = tensoraccess.relayout %x : tensor<4xf32> to tensor<4xf32, #tensoraccess.layout<{0}>>
  %1 = tensoraccess.bitcast %0 : tensor<4xf32, #tensoraccess.layout<{0}>> to tensor<1x3xf32, #tensoraccess.layout<{1,0:T(4)}>>
  %2 = tensoraccess.relayout %1 : tensor<1x3xf32, #tensoraccess.layout<{1,0:T(4)}>> to tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}

// Sizes that only the run knows: of another rank, of another type, and known
// again.
func.func private @dynamic(%x: tensor<7x5xf32>) -> tensor<7x5xi32> {
  %y = tensor.cast %x : tensor<7x5xf32> to tensor<?x5xf32>
  %0 = tensoraccess.bitcast %y : tensor<?x5xf32> to tensor<?xf32, #tensoraccess.layout<{0}>>
  %1 = tensoraccess.relayout %0 : tensor<?xf32, #tensoraccess.layout<{0}>> to tensor<?xf32, #tensoraccess.layout<{0:T(4)}>>
  %2 = tensoraccess.bitcast %1 : tensor<?xf32, #tensoraccess.layout<{0:T(4)}>> to tensor<?xi32, #tensoraccess.layout<{0:T(4)}>>
  %3 = tensoraccess.bitcast %2 : tensor<?xi32, #tensoraccess.layout<{0:T(4)}>> to tensor<35xi32, #tensoraccess.layout<{0:T(4)}>>
  %4 = tensoraccess.relayout %3 : tensor<35xi32, #tensoraccess.layout<{0:T(4)}>> to tensor<7x5xi32>
  return %4 : tensor<7x5xi32>
}

// Refused: 8 rows and 7 rows take as much memory in tiles of 4, but are not equal.
// FAULT: must have equally many elements
func.func @other_rows(%x: tensor<8x5xf32>) -> tensor<7x5xf32> {
  %y = tensor.cast %x : tensor<8x5xf32> to tensor<?x5xf32>
  %0 = tensoraccess.relayout %y : tensor<?x5xf32> to tensor<?x5xf32, #tensoraccess.layout<{1,0:T(4,2)}>>
  %1 = tensoraccess.bitcast %0 : tensor<?x5xf32, #tensoraccess.layout<{1,0:T(4,2)}>> to tensor<7x5xf32, #tensoraccess.layout<{1,0:T(4,2)}>>
  %2 = tensoraccess.relayout %1 : tensor<7x5xf32, #tensoraccess.layout<{1,0:T(4,2)}>> to tensor<7x5xf32>
  return %2 : tensor<7x5xf32>
}
