// What a user asks of the graph, and a user's rules in PDLL.
// RUN: tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=arith expect=%S/Inputs/saturate-expected.mlir" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOUND
// FOUND: [Analysis] expect {{.*}}Function=factor | Remark="the results equal what is expected"
// RUN: not tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=arith expect=%S/Inputs/saturate-other.mlir" \
// RUN:   2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: saturate-expect.mlir:[[@LINE+41]]:1: error: result 0 does not equal what '{{.*}}saturate-other.mlir' expects, which is not in the graph (saturated)
// RUN: not tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=arith expect=%S/Inputs/saturate-types.mlir" \
// RUN:   2>&1 | FileCheck %s --check-prefix=TYPES
// TYPES: error: '{{.*}}saturate-types.mlir' expects a function of another type: '({{.*}}) -> {{.*}}', not '(i32, i32, i32) -> i32'
// RUN: not tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=arith expect=%S/Inputs/saturate-linalg-expected.mlir" \
// RUN:   2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: '{{.*}}saturate-linalg-expected.mlir' expects none of the functions
// RUN: tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=arith expect=%S/Inputs/saturate-pattern.pdll" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PATTERN
// PATTERN: [Analysis] expect {{.*}}Function=factor | Matches={{[0-9]+}}, Pattern=ProductOfSum, Remark="the pattern is in the graph", Result=0
// RUN: not tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=arith expect=%S/Inputs/saturate-missing.pdll" \
// RUN:   2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: pattern 'Division' of '{{.*}}saturate-missing.pdll' is in no graph
// RUN: tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=%S/Inputs/saturate-wrong.pdll" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG-DAG: [Missed] rule {{.*}}Function=wide | Reason="a term of type i64 can't equal one of type i32", Refused=1, Rule=Types
// WRONG-DAG: [Missed] rule {{.*}}Function=wide | Reason="'arith.addi' op requires the same type for all operands and results", Refused=1, Rule=Invalid
// RUN: not tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=%S/Inputs/saturate-erase.pdll" \
// RUN:   2>&1 | FileCheck %s --check-prefix=ERASE
// ERASE: saturate-erase.pdll{{.*}}:4:3{{.*}}: error: rule 'Erase': nothing can be erased: a rule says what is equal
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith cost=no" \
// RUN:   2>&1 | FileCheck %s --check-prefix=COST
// COST: error: unknown cost 'no'; known are bytes, cycles, flops, node-count
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith scheduler=no" \
// RUN:   2>&1 | FileCheck %s --check-prefix=SCHEDULER
// SCHEDULER: error: unknown scheduler 'no'; known are simple, backoff, eager
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith max-nodes=0" \
// RUN:   2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: the limit of nodes must be positive, got 0
// At a limit the best program so far comes out.
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=arith max-matches=3" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: [Analysis] saturate {{.*}}Function=factor {{.*}}Remark="the limit of matches is reached"
func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %c, %a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

func.func @wide(%a: i32) -> i64 {
  %0 = arith.extsi %a : i32 to i64
  return %0 : i64
}
