// Relayouts and ops on indices, compiled and interpreted.
// RUN: tensoraccess-run %s --entry=chain --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=tail --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=dynamic --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-opt %s --inline -o %t.inlined.mlir
// RUN: tensoraccess-run %t.inlined.mlir --entry=all_numbers --inputs=random:1 --compare=interpret | FileCheck %s --check-prefixes=CHECK,NUMBERS
// RUN: tensoraccess-run %s --entry=combined --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=maps --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-lower-layouts=way=loops -o %t.loops.mlir
// RUN: tensoraccess-run %t.loops.mlir --entry=chain --inputs=random:1 --compare=%s | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-lower-layouts=way=steps -o %t.steps.mlir
// RUN: tensoraccess-run %t.steps.mlir --entry=chain --inputs=random:1 --compare=%s | FileCheck %s
// RUN: not tensoraccess-run %s --entry=too_many --inputs=random:1 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tensoraccess-run %s --entry=too_many --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tensoraccess-run %s --entry=outside --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tensoraccess-run %s --entry=outside_map --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=MAP
// CHECK: compare 0  equal, bit for bit

#tiled = #tensoraccess.layout<{1,0:T(8,128)(2,1)}>

// Rounded, packed in pairs of rows, transposed, read as integers, and back.
func.func @chain(%x: tensor<19x140xf32>) -> (tensor<140x19xf32>, tensor<2x2x4x128x2xi16>) {
  %0 = tensoraccess.relayout %x : tensor<19x140xf32> to tensor<19x140xbf16, #tiled>
  %1 = tensoraccess.relayout %0 permutation = [1, 0]
     : tensor<19x140xbf16, #tiled> to tensor<140x19xf32>
  %2 = tensor.extract_slice %x[0, 0] [16, 128] [1, 1] : tensor<19x140xf32> to tensor<16x128xf32>
  %3 = tensor.pad %2 low[0, 0] high[0, 128] {
  ^bb0(%i: index, %j: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<16x128xf32> to tensor<16x256xf32>
  %4 = tensoraccess.relayout %3 : tensor<16x256xf32> to tensor<16x256xbf16, #tiled>
  %5 = tensoraccess.bitcast %4 : tensor<16x256xbf16, #tiled> to tensor<2x2x4x128x2xi16>
  return %1, %5 : tensor<140x19xf32>, tensor<2x2x4x128x2xi16>
}

func.func @tail(%x: tensor<3x5xi8>) -> tensor<5x3xi32> {
  %0 = tensoraccess.relayout %x : tensor<3x5xi8> to tensor<3x5xi8, #tensoraccess.layout<{0,1:T(2,2)L(7)}>>
  %1 = tensoraccess.relayout %0 permutation = [1, 0]
     : tensor<3x5xi8, #tensoraccess.layout<{0,1:T(2,2)L(7)}>> to tensor<5x3xi32>
  return %1 : tensor<5x3xi32>
}

// Sizes that only the run knows, padded to tiles.
func.func @dynamic(%x: tensor<7x5xf32>) -> tensor<5x?xf32> {
  %y = tensor.cast %x : tensor<7x5xf32> to tensor<?x5xf32>
  %0 = tensoraccess.relayout %y : tensor<?x5xf32> to tensor<?x5xf32, #tensoraccess.layout<{1,0:T(4,2)(2,1)}>>
  %1 = tensoraccess.relayout %0 permutation = [1, 0]
     : tensor<?x5xf32, #tensoraccess.layout<{1,0:T(4,2)(2,1)}>> to tensor<5x?xf32, #tensoraccess.layout<{1,0:T(3)}>>
  %2 = tensoraccess.relayout %1 : tensor<5x?xf32, #tensoraccess.layout<{1,0:T(3)}>> to tensor<?xf32>
  %3 = tensoraccess.relayout %2 : tensor<?xf32> to tensor<5x7xf32>
  %4 = tensor.cast %3 : tensor<5x7xf32> to tensor<5x?xf32>
  return %4 : tensor<5x?xf32>
}

// Every number of 3x5 in tiles of 2x2 to its index, its bit and back; sizes
// known and unknown. Numbers 17 and 19 are (2, 3) and padding.
// NUMBERS: result 0  i64 26x5
func.func @all_numbers() -> (tensor<26x5xi64>, tensor<26x5xi64>) {
  %m = arith.constant 3 : index
  %0 = tensor.generate {
  ^bb0(%n: index, %k: index):
    %r = func.call @describe(%n, %k) : (index, index) -> i64
    tensor.yield %r : i64
  } : tensor<26x5xi64>
  %1 = tensor.generate {
  ^bb0(%n: index, %k: index):
    %r = func.call @describe_dynamic(%n, %k, %m) : (index, index, index) -> i64
    tensor.yield %r : i64
  } : tensor<26x5xi64>
  return %0, %1 : tensor<26x5xi64>, tensor<26x5xi64>
}
func.func private @describe(%n: index, %k: index) -> i64 {
  %i, %j, %valid = tensoraccess.delinearize %n in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
  %number = tensoraccess.linearize %i, %j in #tensoraccess.layout<{1,0:T(2,2)(3,1)}> of [3, 5]
  %r = func.call @choose(%k, %i, %j, %valid, %number) : (index, index, index, i1, index) -> i64
  return %r : i64
}
func.func private @describe_dynamic(%n: index, %k: index, %m: index) -> i64 {
  %i, %j, %valid = tensoraccess.delinearize %n in #tensoraccess.layout<{1,0:T(2,2)}> of [%m, 5]
  %number = tensoraccess.linearize %i, %j in #tensoraccess.layout<{1,0:T(2,2)(3,1)}> of [%m, 5]
  %r = func.call @choose(%k, %i, %j, %valid, %number) : (index, index, index, i1, index) -> i64
  return %r : i64
}
func.func private @choose(%k: index, %i: index, %j: index, %valid: i1, %number: index) -> i64 {
  %bit = arith.extui %valid : i1 to i64
  %i0 = arith.index_cast %i : index to i64
  %j0 = arith.index_cast %j : index to i64
  %n0 = arith.index_cast %number : index to i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %is0 = arith.cmpi eq, %k, %c0 : index
  %is1 = arith.cmpi eq, %k, %c1 : index
  %is2 = arith.cmpi eq, %k, %c2 : index
  %a = arith.select %is2, %bit, %n0 : i64
  %b = arith.select %is1, %j0, %a : i64
  %r = arith.select %is0, %i0, %b : i64
  return %r : i64
}

// `*`, more entries than dimensions, and a size of 0.
func.func @combined() -> tensor<64xi64> {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %0 = tensor.generate {
  ^bb0(%n: index):
    %i, %j, %k, %valid = tensoraccess.delinearize %n in #tensoraccess.layout<{2,0,1:T(*,4,3)(2,1)}> of [2, 3, %c7]
    %number = tensoraccess.linearize %i, %j, %k in #tensoraccess.layout<{2,1,0:T(*,*,1,4)}> of [2, 3, %c7]
    %x, %none = tensoraccess.delinearize %n in #tensoraccess.layout<{0:T(4)}> of [%c0]
    %bit = arith.extui %valid : i1 to i64
    %zero = arith.extui %none : i1 to i64
    %v = arith.index_cast %number : index to i64
    %s = arith.shli %v, %bit : i64
    %r = arith.addi %s, %zero : i64
    tensor.yield %r : i64
  } : tensor<64xi64>
  return %0 : tensor<64xi64>
}

// floordiv, mod, minimum, maximum, product.
func.func @maps() -> tensor<10x4xi64> {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %r:2 = tensoraccess.apply_indexing
      #tensoraccess.indexing_map<(d0)[s0]{rt0} -> (d0 floordiv 3 + s0 mod 2, min(d0 * s0, 7) + max(rt0, 5)), domain: d0 in [0, 9], s0 in [0, 3], rt0 in [0, 9]>(%i)[%j]{%i}
    %a = arith.index_cast %r#0 : index to i64
    %b = arith.index_cast %r#1 : index to i64
    %c = arith.muli %a, %b : i64
    tensor.yield %c : i64
  } : tensor<10x4xi64>
  return %0 : tensor<10x4xi64>
}

// 35 elements are no 4x9.
// FAULT: must have equally many elements
func.func @too_many(%x: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %y = tensor.cast %x : tensor<7x5xf32> to tensor<?x5xf32>
  %0 = tensoraccess.relayout %y : tensor<?x5xf32> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// OUTSIDE: index 1 must lie in [0, 5), got 5
func.func @outside(%x: tensor<3xf32>) -> index {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = tensoraccess.linearize %c1, %c5 in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
  return %0 : index
}

// MAP: has no value at (5)
func.func @outside_map(%x: tensor<3xf32>) -> index {
  %c5 = arith.constant 5 : index
  %0 = tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 4]>(%c5)
  return %0 : index
}
