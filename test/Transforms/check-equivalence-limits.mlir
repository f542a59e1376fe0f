// Where operations can't be counted beforehand, runs count them and end.
// RUN: tensoraccess-opt %s --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=endless other=endless_too method=test max-operations=10000000" 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: tensoraccess-opt %s --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=turns other=turns_too method=test max-operations=1000000" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: tensoraccess-opt %s --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=turns other=turns_too method=test" 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not tensoraccess-opt %s --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=turns other=other method=test max-operations=1000000" 2>&1 | FileCheck %s --check-prefix=OTHER

// ENDLESS: equivalence {{.*}}the limit of 10000000 operations does not suffice for a run of both{{.*}}Verdict=unknown
func.func @endless(%a: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    %true = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    "stablehlo.return"(%true) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @endless_too(%a: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<i32>):
    %true = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    "stablehlo.return"(%true) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<i32>):
    %0 = "stablehlo.add"(%x, %x) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%0) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// 20 iterations of two ops, 512 operations each, and 512 for the iteration:
// about 31000, twice.
// FEW: equivalence {{.*}}the limit of operations allows for 15 of 32 trials{{.*}}Verdict=tested
// ALL: equivalence {{.*}}Reason="compared bit for bit", Verdict=tested
func.func @turns(%a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %0 = scf.for %i = %c0 to %c20 step %c1 iter_args(%x = %a) -> i32 {
    %1 = arith.addi %x, %a : i32
    %2 = arith.muli %1, %x : i32
    scf.yield %2 : i32
  }
  return %0 : i32
}
func.func @turns_too(%a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %0 = scf.for %i = %c0 to %c20 step %c1 iter_args(%x = %a) -> i32 {
    %1 = arith.addi %a, %x : i32
    %2 = arith.muli %x, %1 : i32
    scf.yield %2 : i32
  }
  return %0 : i32
}
// OTHER: error: function @other does not agree with @turns
func.func @other(%a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %0 = scf.for %i = %c0 to %c20 step %c1 iter_args(%x = %a) -> i32 {
    %1 = arith.addi %a, %x : i32
    %2 = arith.muli %a, %1 : i32
    scf.yield %2 : i32
  }
  return %0 : i32
}
