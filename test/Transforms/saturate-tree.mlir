// What trees were chosen by is told beside what comes out, where a term that is
// used twice is there once.
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=arith extraction=tree" \
// RUN:   --remarks-filter=tensoraccess --remark-policy=all -o %t 2>&1 | FileCheck %s
// CHECK: [Analysis] extraction {{.*}}Function=stays | Cost=2, {{.*}}Method=tree, TreeCost=3
func.func @stays(%a: i32, %b: i32) -> i32 {
  %0 = arith.xori %a, %b : i32
  %1 = arith.andi %0, %0 : i32
  %2 = arith.shli %0, %0 : i32
  return %2 : i32
}
// Two results, and one that was replaced: a xor b is there for three.
// CHECK: [Analysis] extraction {{.*}}Function=replaced | Cost=2, {{.*}}Method=tree, TreeCost=4
func.func @replaced(%a: i32, %b: i32, %c: i32) -> (i32, i32) {
  %0 = arith.xori %a, %b : i32
  %1 = arith.addi %0, %c : i32
  %2 = arith.subi %1, %c : i32
  %3 = arith.shli %0, %0 : i32
  return %2, %3 : i32, i32
}
