// Why what was replaced is equal, written down, replayed, and refused where it was
// tampered with.
// RUN: tensoraccess-opt %s -o %t.after.mlir \
// RUN:   --tensoraccess-saturate="rules=arith explain=%t.mlir"
// RUN: FileCheck %s < %t.mlir
// The program before and after, and that of others.
// RUN: tensoraccess-opt %s -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%t.mlir" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REPLAYED
// RUN: FileCheck %s --check-prefix=SAME < %t.same.mlir
// RUN: tensoraccess-opt %t.after.mlir -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%t.mlir" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REPLAYED
// RUN: sed "s/muli %%c, %%a/addi %%c, %%a/" %s > %t.other.mlir
// RUN: not tensoraccess-opt %t.other.mlir -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%t.mlir" 2>&1 | FileCheck %s --check-prefix=OTHER
// Another rule, an unknown one, a step less, other terms.
// RUN: sed "s/name = \"[A-Za-z]*\"/name = \"AddCommutes\"/" %t.mlir > %t.rule.mlir
// RUN: not tensoraccess-opt %s -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%t.rule.mlir" 2>&1 | FileCheck %s --check-prefix=RULE
// RUN: sed "s/name = \"[A-Za-z]*\"/name = \"Magic\"/" %t.mlir > %t.name.mlir
// RUN: not tensoraccess-opt %s -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%t.name.mlir" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: grep -v "explain.rule" %t.mlir > %t.steps.mlir
// RUN: not tensoraccess-opt %s -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%t.steps.mlir" 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not tensoraccess-opt %s -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%s" 2>&1 | FileCheck %s --check-prefix=NOTHING

// CHECK: // Why what tensoraccess-saturate replaced is equal.
// CHECK: func.func @factor(
// CHECK: "explain.rule"({{.*}}) {name = "{{[A-Za-z]+}}"}
// CHECK: "explain.equal"({{.*}}) {result = 0 : i64}
// REPLAYED: [Analysis] explanation {{.*}}Function=factor | Remark="every step of the explanation follows"
// SAME: func.func @factor
// OTHER: error: result 0 of @factor is neither of these terms
// RULE: .rule.mlir:{{[0-9]+}}:{{[0-9]+}}: error: rule "AddCommutes" does not match these terms
// NAME: .name.mlir:{{[0-9]+}}:{{[0-9]+}}: error: there is no rule "Magic"
// STEPS: .steps.mlir:{{[0-9]+}}:{{[0-9]+}}: error: nothing said so far makes these terms equal
// NOTHING: error: an explanation of nothing
func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %c, %a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
