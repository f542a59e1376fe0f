// RUN: tensoraccess-opt %s --tensoraccess-saturate=rules=arith \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// The same bytes on a second run, and without threads.
// RUN: tensoraccess-opt %s --tensoraccess-saturate=rules=arith -o %t.1
// RUN: tensoraccess-opt %s --tensoraccess-saturate=rules=arith \
// RUN:   --mlir-disable-threading -o %t.2
// RUN: diff %t.1 %t.2
// What comes out computes the same.
// RUN: tensoraccess-run %t.1 --entry=factor --inputs=random:1 \
// RUN:   --engine=interpret --compare=%s
// RUN: tensoraccess-run %t.1 --entry=several --inputs=random:2 \
// RUN:   --engine=interpret --compare=%s

// a*b + c*a = a*(b + c): three operations become two.
// REMARK: [Analysis] saturate {{.*}}Function=factor | Blocks=1, Classes=7, CostAfter=2, CostBefore=3, Iterations=4, Made=2, Matches=17, Nodes=13, Refused=0, Remark=saturated, Replaced=1
// CHECK-LABEL: @factor
// CHECK-NEXT: %[[S:.*]] = arith.addi
// CHECK-NEXT: %[[P:.*]] = arith.muli
// CHECK-NEXT: return %[[P]]
func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %c, %a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

// Nothing is cheaper, so nothing changes, not even the order of operands.
// CHECK-LABEL: @same
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[B]], %[[A]]
// CHECK-NEXT: return %[[S]]
func.func @same(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %b, %a : i32
  return %0 : i32
}

// The call stays before the ops that use what it returns, and after those that
// it uses; terms on both sides are shared.
// CHECK-LABEL: @several
// CHECK-NEXT: %[[S:.*]] = arith.addi
// CHECK-NEXT: %[[P:.*]] = arith.muli %{{.*}}, %[[S]]
// CHECK-NEXT: %[[C:.*]] = call @other(%[[P]])
// CHECK-NEXT: %[[R:.*]] = arith.muli
// CHECK-NEXT: return %[[R]], %[[P]]
func.func @several(%a: i32, %b: i32, %c: i32) -> (i32, i32) {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %c, %a : i32
  %2 = arith.addi %0, %1 : i32
  %3 = call @other(%2) : (i32) -> i32
  %4 = arith.muli %3, %a : i32
  %5 = arith.addi %1, %0 : i32
  return %4, %5 : i32, i32
}
func.func @other(%a: i32) -> i32 {
  return %a : i32
}

// Blocks inside of loops, and values from outside of them.
// CHECK-LABEL: @inside
// CHECK: scf.for
// CHECK-NEXT: arith.addi
// CHECK-NEXT: arith.muli
// CHECK-NEXT: scf.yield
func.func @inside(%a: i32, %b: i32, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> i32 {
    %0 = arith.muli %a, %x : i32
    %1 = arith.muli %b, %a : i32
    %2 = arith.addi %0, %1 : i32
    scf.yield %2 : i32
  }
  return %r : i32
}

// Several blocks: the terms of one are used by another.
// CHECK-LABEL: @blocks
// CHECK-NEXT: %[[S:.*]] = arith.addi
// CHECK-NEXT: %[[P:.*]] = arith.muli
// CHECK-NEXT: cf.cond_br
// CHECK: return %[[P]]
func.func @blocks(%c: i1, %a: i32, %b: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %a, %a : i32
  %2 = arith.addi %0, %1 : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %2 : i32
^bb2:
  return %a : i32
}

// The laws ignore promises.
// CHECK-LABEL: @promise
// CHECK-COUNT-2: arith.muli {{.*}} overflow<nsw>
// CHECK: arith.addi
func.func @promise(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.muli %a, %b overflow<nsw> : i32
  %1 = arith.muli %c, %a overflow<nsw> : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

// Constants from outside of the loop are known inside of it.
// CHECK-LABEL: @constant
// CHECK: scf.for
// CHECK-NEXT: %[[C:.*]] = arith.constant 7
// CHECK-NEXT: %[[P:.*]] = arith.muli %{{.*}}, %[[C]]
// CHECK-NEXT: scf.yield %[[P]]
func.func @constant(%a: i32, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> i32 {
    %0 = arith.muli %x, %three : i32
    %1 = arith.muli %x, %four : i32
    %2 = arith.addi %0, %1 : i32
    scf.yield %2 : i32
  }
  return %r : i32
}
