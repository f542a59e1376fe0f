// What the solver is asked is written where it is wanted, also where there is
// no solver; the environment names another one.
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=f other=g method=smt solver=no-such-solver solver-dump=%t.smt2" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --input-file=%t.smt2
// RUN: env TENSORACCESS_SOLVER=none-such tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=f other=g method=smt" 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=f other=g method=smt solver-dump=%t.no-folder/x.smt2" 2>&1 | FileCheck %s --check-prefix=FOLDER

// NONE: the solver 'no-such-solver' is not found{{.*}}Verdict=unknown
// NAMED: the solver 'none-such' is not found
// FOLDER: cannot write '{{.*}}.no-folder/x.smt2'
// CHECK: (declare-const input0_0
// CHECK: (assert
// CHECK: (check-sat)
func.func @f(%a: i8) -> i8 {
  %0 = arith.addi %a, %a : i8
  return %0 : i8
}
func.func @g(%a: i8) -> i8 {
  %c = arith.constant 1 : i8
  %0 = arith.shli %a, %c : i8
  return %0 : i8
}
