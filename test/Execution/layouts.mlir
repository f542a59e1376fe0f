// Relayouts and ops on indices, compiled and interpreted.
// RUN: tensoraccess-run %s --entry=chain --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=tail --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=dynamic --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=all_numbers --inputs=random:1 --compare=interpret | FileCheck %s --check-prefixes=CHECK,NUMBERS
// RUN: tensoraccess-run %s --entry=combined --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=maps --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-opt %s --symbol-privatize=exclude=chain --symbol-dce --tensoraccess-materialize-layouts=way=steps -o %t.steps.mlir
// RUN: tensoraccess-run %t.steps.mlir --entry=chain --inputs=random:1 --compare=%s | FileCheck %s
// RUN: sed -e '/func.constant @double/d' -e 's/func.call_indirect %%f/func.call @double/' %s > %t.direct.mlir
// RUN: tensoraccess-run %s --entry=indirect --inputs=random:1 --compare=%t.direct.mlir | FileCheck %s
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
// NUMBERS: compare 1  equal, bit for bit: 130 of 130
func.func @all_numbers() -> (tensor<26x5xi64>, tensor<26x5xi64>) {
  %m = arith.constant 3 : index
  %empty0 = tensor.empty() : tensor<26x5xi64>
  %zero0 = arith.constant 0 : index
  %one0 = arith.constant 1 : index
  %end0_0 = arith.constant 26 : index
  %end0_1 = arith.constant 5 : index
  %0 = scf.for %n = %zero0 to %end0_0 step %one0 iter_args(%t0_0 = %empty0) -> (tensor<26x5xi64>) {
    %row0_1 = scf.for %k = %zero0 to %end0_1 step %one0 iter_args(%t0_1 = %t0_0) -> (tensor<26x5xi64>) {
      %r = func.call @describe(%n, %k) : (index, index) -> i64
      %set0 = tensor.insert %r into %t0_1[%n, %k] : tensor<26x5xi64>
      scf.yield %set0 : tensor<26x5xi64>
    }
    scf.yield %row0_1 : tensor<26x5xi64>
  }
  %empty1 = tensor.empty() : tensor<26x5xi64>
  %zero1 = arith.constant 0 : index
  %one1 = arith.constant 1 : index
  %end1_0 = arith.constant 26 : index
  %end1_1 = arith.constant 5 : index
  %1 = scf.for %n = %zero1 to %end1_0 step %one1 iter_args(%t1_0 = %empty1) -> (tensor<26x5xi64>) {
    %row1_1 = scf.for %k = %zero1 to %end1_1 step %one1 iter_args(%t1_1 = %t1_0) -> (tensor<26x5xi64>) {
      %r = func.call @describe_dynamic(%n, %k, %m) : (index, index, index) -> i64
      %set1 = tensor.insert %r into %t1_1[%n, %k] : tensor<26x5xi64>
      scf.yield %set1 : tensor<26x5xi64>
    }
    scf.yield %row1_1 : tensor<26x5xi64>
  }
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
  %empty0 = tensor.empty() : tensor<64xi64>
  %zero0 = arith.constant 0 : index
  %one0 = arith.constant 1 : index
  %end0_0 = arith.constant 64 : index
  %0 = scf.for %n = %zero0 to %end0_0 step %one0 iter_args(%t0_0 = %empty0) -> (tensor<64xi64>) {
    %i, %j, %k, %valid = tensoraccess.delinearize %n in #tensoraccess.layout<{2,0,1:T(*,4,3)(2,1)}> of [2, 3, %c7]
    %number = tensoraccess.linearize %i, %j, %k in #tensoraccess.layout<{2,1,0:T(*,*,1,4)}> of [2, 3, %c7]
    %x, %none = tensoraccess.delinearize %n in #tensoraccess.layout<{0:T(4)}> of [%c0]
    %bit = arith.extui %valid : i1 to i64
    %zero = arith.extui %none : i1 to i64
    %v = arith.index_cast %number : index to i64
    %s = arith.shli %v, %bit : i64
    %r = arith.addi %s, %zero : i64
    %set0 = tensor.insert %r into %t0_0[%n] : tensor<64xi64>
    scf.yield %set0 : tensor<64xi64>
  }
  return %0 : tensor<64xi64>
}

// floordiv, mod, minimum, maximum, product.
func.func @maps() -> tensor<10x4xi64> {
  %empty0 = tensor.empty() : tensor<10x4xi64>
  %zero0 = arith.constant 0 : index
  %one0 = arith.constant 1 : index
  %end0_0 = arith.constant 10 : index
  %end0_1 = arith.constant 4 : index
  %0 = scf.for %i = %zero0 to %end0_0 step %one0 iter_args(%t0_0 = %empty0) -> (tensor<10x4xi64>) {
    %row0_1 = scf.for %j = %zero0 to %end0_1 step %one0 iter_args(%t0_1 = %t0_0) -> (tensor<10x4xi64>) {
      %r:2 = tensoraccess.apply_indexing
        #tensoraccess.indexing_map<(d0)[s0]{rt0} -> (d0 floordiv 3 + s0 mod 2, min(d0 * s0, 7) + max(rt0, 5)), domain: d0 in [0, 9], s0 in [0, 3], rt0 in [0, 9]>(%i)[%j]{%i}
      %a = arith.index_cast %r#0 : index to i64
      %b = arith.index_cast %r#1 : index to i64
      %c = arith.muli %a, %b : i64
      %set0 = tensor.insert %c into %t0_1[%i, %j] : tensor<10x4xi64>
      scf.yield %set0 : tensor<10x4xi64>
    }
    scf.yield %row0_1 : tensor<10x4xi64>
  }
  return %0 : tensor<10x4xi64>
}

// 35 elements are not 4x9.
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

// A function that is a value is called as it is by name.
func.func private @double(%x: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)
    -> tensor<3x5xf32, #tensoraccess.layout<{0,1}>> {
  %0 = arith.addf %x, %x : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %1 = tensoraccess.relayout %0
     : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
    to tensor<3x5xf32, #tensoraccess.layout<{0,1}>>
  return %1 : tensor<3x5xf32, #tensoraccess.layout<{0,1}>>
}
func.func @indirect(%x: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)
    -> tensor<3x5xf32, #tensoraccess.layout<{0,1}>> {
  %f = func.constant @double : (tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>) -> tensor<3x5xf32, #tensoraccess.layout<{0,1}>>
  %0 = func.call_indirect %f(%x)
     : (tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)
    -> tensor<3x5xf32, #tensoraccess.layout<{0,1}>>
  return %0 : tensor<3x5xf32, #tensoraccess.layout<{0,1}>>
}
