// Costs, targets and how terms are chosen.
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=arith extraction=exact" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXACT
// EXACT: [Analysis] extraction {{.*}}Function=factor | Cost=2, Gap=0, IsOptimal=yes, LowerBound=2, Method=exact
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=arith extraction=tree" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TREE
// TREE: [Analysis] extraction {{.*}}Function=factor | Cost=2, Gap=0, IsOptimal=yes, LowerBound=2, Method=tree
// No time for the solver: what the search finds.
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=arith extraction=exact extraction-seconds=0" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTIME
// NOTIME: [Analysis] extraction {{.*}}Function=factor | Cost=2, Gap=0, IsOptimal=yes, LowerBound=2, Method=exact

// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="extraction=greedy" \
// RUN:   2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown extraction 'greedy'; known are tree, dag, exact
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="extraction-seconds=-1" \
// RUN:   2>&1 | FileCheck %s --check-prefix=SECONDS
// SECONDS: error: the seconds of an extraction must not be negative, got -1
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=access cost=cycles target=systolic-0x4" \
// RUN:   2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown target 'systolic-0x4'; did you mean 'systolic-RxC'? known are aarch64-neon, aarch64-sve, avx512, generic, host, sapphirerapids, systolic-RxC, x86-64-v3, x86-64-v4, znver3, znver4

// A limit of zero is not a limit; the program is not touched.
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith max-iterations=0" 2>&1 | FileCheck %s --check-prefix=ITERATIONS
// ITERATIONS: error: the limit of iterations must be positive, got 0
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith max-nodes=0" 2>&1 | FileCheck %s --check-prefix=NODES
// NODES: error: the limit of nodes must be positive, got 0
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith max-matches=0" 2>&1 | FileCheck %s --check-prefix=MATCHES
// MATCHES: error: the limit of matches must be positive, got 0
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith max-bytes=0" 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: the limit of bytes must be positive, got 0
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith max-seconds=0" 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: the limit of seconds must be positive, got 0
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=arith max-seconds=-1" 2>&1 | FileCheck %s --check-prefix=TIME1
// TIME1: error: the limit of seconds must be positive, got -1
// A limit of one leaves the program as it is, or better, and says why it stopped.
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=arith max-nodes=1" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: [Analysis] saturate {{.*}}Function=factor {{.*}}Remark="the limit of nodes is reached"
// ONE: func.func @factor
// ONE-COUNT-2: arith.muli
// ONE: arith.addi

func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %c, %a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
