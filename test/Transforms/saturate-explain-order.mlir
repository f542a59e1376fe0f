// Terms of an explanation are those of the program, operands in their order, also
// where operands commute.
// RUN: tensoraccess-opt %s -o /dev/null \
// RUN:   --tensoraccess-saturate="rules=arith explain=%t.mlir"
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.mlir
// RUN: tensoraccess-opt %s -o /dev/null \
// RUN:   --tensoraccess-saturate="rules=arith check-explanation=%t.mlir" \
// RUN:   --remarks-filter=tensoraccess --remark-policy=all 2>&1 | FileCheck %s

// WHY-DAG: %[[A:.*]] = arith.muli %arg0, %[[Z:.*]] : i2
// WHY-DAG: %[[B:.*]] = arith.muli %[[Z]], %arg0 : i2
// WHY:     name = "MulCommutes"
// CHECK:   every step of the explanation follows
func.func @f(%a: i2) -> (i2, i2) {
  %c = arith.constant -2 : i2
  %0 = arith.xori %c, %c : i2
  %1 = arith.muli %0, %a : i2
  %2 = arith.muli %a, %0 : i2
  %3 = arith.divui %1, %2 : i2
  return %3, %1 : i2, i2
}
