// RUN: tensoraccess-opt %s --verify-roundtrip | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode -o %t && tensoraccess-opt %t | FileCheck %s
// RUN: tensoraccess-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @types
// CHECK-SAME: tensor<4x3xf32, #tensoraccess.strided<((2,2),3):((1,6),2)>>
// CHECK-SAME: tensor<8x64xf16, #tensoraccess.strided<Sw<3,3,3> o (8,64):(64,1)>>
// CHECK-SAME: tensor<5xi8, #tensoraccess.strided<5:2>>
// CHECK-SAME: tensor<4x16xf32, #tensoraccess.linear<{lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = {{\[\[}}2, 0]]} -> [4, 16]>>
// CHECK-SAME: tensor<2x4xf32, #tensoraccess.linear<{register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [1, 0]], warp = [], block = []} -> [2, 4]>>
func.func private @types(
  tensor<4x3xf32, #tensoraccess.strided<((2, 2), 3) : ((1, 6), 2)>>,
  tensor<8x64xf16, #tensoraccess.strided<Sw<3,3,3> o (8,64):(64,1)>>,
  tensor<5xi8, #tensoraccess.strided<5:2>>,
  tensor<4x16xf32, #tensoraccess.linear<{lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[2, 0]]} -> [4, 16]>>,
  // Triton's text.
  tensor<2x4xf32, #tensoraccess.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [], block = []}>>)

// CHECK: #tensoraccess.linear<{a = {{\[\[}}1, 0]]} -> {row = 2, column = 4}>
func.func private @attribute() attributes {
  x = #tensoraccess.linear<{a = [[1, 0]]} -> {row = 2, column = 4}>, y = #tensoraccess.strided<(4,2):(-1,0)>}

// CHECK-LABEL: @indices
// CHECK: tensoraccess.linearize %{{.*}}, %{{.*}} in #tensoraccess.strided<Sw<3,3,3> o (8,64):(64,1)> of [8, 64]
// CHECK: tensoraccess.delinearize %{{.*}} in #tensoraccess.linear<{{.*}}> of [4]
func.func @indices(%i: index, %j: index) -> (index, index, i1) {
  %n = tensoraccess.linearize %i, %j in #tensoraccess.strided<Sw<3,3,3> o (8,64):(64,1)> of [8, 64]
  %k, %valid = tensoraccess.delinearize %n in #tensoraccess.linear<{a = [[1], [2], [1]]} -> [4]> of [4]
  return %n, %k, %valid : index, index, i1
}

// (3, 9): 3 * 64 + 9 xor 3 * 8 = 201 xor 24. Number 4 of the linear layout holds
// element 1, which number 1 holds, too: it is the least that counts. 7 is a gap.
// FOLD-LABEL: @constants
// FOLD-DAG: %[[N:.*]] = arith.constant 209 : index
// FOLD-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// FOLD-DAG: %[[FALSE:.*]] = arith.constant false
// FOLD-DAG: %[[TWO:.*]] = arith.constant 2 : index
// FOLD-DAG: %[[TRUE:.*]] = arith.constant true
// FOLD: return %[[N]], %[[ZERO]], %[[FALSE]], %[[ZERO]], %[[FALSE]], %[[TWO]], %[[TRUE]]
func.func @constants() -> (index, index, i1, index, i1, index, i1) {
  %three = arith.constant 3 : index
  %nine = arith.constant 9 : index
  %four = arith.constant 4 : index
  %seven = arith.constant 7 : index
  %n = tensoraccess.linearize %three, %nine in #tensoraccess.strided<Sw<3,3,3> o (8,64):(64,1)> of [8, 64]
  %k, %valid = tensoraccess.delinearize %four in #tensoraccess.linear<{a = [[1], [2], [1]]} -> [4]> of [4]
  %gap, %no = tensoraccess.delinearize %seven in #tensoraccess.strided<5:2> of [5]
  %two, %yes = tensoraccess.delinearize %four in #tensoraccess.strided<5:2> of [5]
  return %n, %k, %valid, %gap, %no, %two, %yes : index, index, i1, index, i1, index, i1
}
