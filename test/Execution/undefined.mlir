// Elements that MLIR leaves open are not compared; others are. Half of the
// random numbers are negative, and no shift.
// RUN: tensoraccess-run %s --entry=masked --engine=interpret --inputs=random:1 --outputs=%t.masked.npy
// RUN: tensoraccess-run %s --entry=shift --inputs=random:1 --compare=%t.masked.npy | FileCheck %s
// RUN: tensoraccess-run %s --entry=other --engine=interpret --inputs=random:1 --outputs=%t.npy
// RUN: not tensoraccess-run %s --entry=shift --inputs=random:1 --compare=%t.npy | FileCheck %s --check-prefix=WRONG
// RUN: tensoraccess-run %s --entry=cancels --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=CANCELS

// CHECK: compare 0  equal, bit for bit: 64 of 64 elements
// CHECK: undefined 0  {{[1-9][0-9]*}} of 64 elements are not compared, since MLIR leaves them open: 'arith.shli' shifts by {{[0-9]+}}, the width being 32 (line {{[0-9]+}})
// WRONG: compare 0  DIFFERENT:
// WRONG: undefined 0  {{[1-9][0-9]*}} of 64 elements
func.func @shift(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  %0 = arith.shli %a, %b : tensor<64xi32>
  return %0 : tensor<64xi32>
}
// What another machine may compute.
func.func @masked(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  %c = arith.constant dense<31> : tensor<64xi32>
  %0 = arith.andi %b, %c : tensor<64xi32>
  %1 = arith.shli %a, %0 : tensor<64xi32>
  return %1 : tensor<64xi32>
}
func.func @other(%a: tensor<64xi32>, %b: tensor<64xi32>) -> tensor<64xi32> {
  %0 = arith.shli %a, %b : tensor<64xi32>
  %c = arith.constant dense<1> : tensor<64xi32>
  %1 = arith.xori %0, %c : tensor<64xi32>
  return %1 : tensor<64xi32>
}

// CANCELS: compare 0  equal
func.func @cancels(%a: tensor<64xf32>) -> tensor<64xf32> {
  %0 = arith.addf %a, %a : tensor<64xf32>
  %1 = arith.subf %0, %a : tensor<64xf32>
  %2 = arith.subf %1, %a : tensor<64xf32>
  return %2 : tensor<64xf32>
}
