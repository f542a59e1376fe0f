// What an option that takes one of a few words was meant to say.
// RUN: not tensoraccess-opt %s --tensoraccess-saturate="rules=lnalg" 2>&1 | FileCheck %s --check-prefix=RULES
// RULES: unknown rules 'lnalg'; did you mean 'linalg'? known are access, arith,
// RUN: not tensoraccess-opt %s --tensoraccess-saturate="rules=linalg cost=flop" 2>&1 | FileCheck %s --check-prefix=COST
// COST: unknown cost 'flop'; did you mean 'flops'? known are bytes,
// RUN: not tensoraccess-opt %s --tensoraccess-saturate="rules=linalg verify-rules=test" 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: unknown check of rules 'test'; did you mean 'tests'? known are none, tests
// RUN: not tensoraccess-opt %s --tensoraccess-assign-layouts="target=znver5" 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: unknown target 'znver5'; did you mean 'znver3'? known are
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="grid=rows=2 method=atuo" 2>&1 | FileCheck %s --check-prefix=METHOD
// METHOD: unknown method 'atuo'; did you mean 'auto'? known are auto, dp, ilp
// RUN: not tensoraccess-opt %s --tensoraccess-report="sections=fusin" 2>&1 | FileCheck %s --check-prefix=SECTION
// SECTION: no section 'fusin'; did you mean 'fusion'? there are 'fusion',
// RUN: not tensoraccess-opt %s --tensoraccess-report="function=mian" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: there is no function 'mian' with a body; did you mean 'main'? known are main
// RUN: not tensoraccess-opt %s --tensoraccess-tile="sizes=2 function=mian" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles="sizes=2 function=mian" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-annotate-blocks=function=mian 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-extract-op="op=math.exp function=mian" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="grid=rows=2 function=mian" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-spread-cuts=function=mian 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-saturate="rules=linalg function=mian" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=main other=mian" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-check-contracts="function=mian contract='causal(result 0 dim 0, arg 0 dim 0)'" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-restrict-function="function=mian box=[0,2)" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-refine-shapes="entry=mian sizes=4" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-run %s --entry=mian 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-run %s --entry=mian --engine=interpret 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-ask reads %s --op=@mian 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-translate %s --tile-to-svg --tile-function=mian --tile-sizes=2 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-translate %s --egraph-to-dot --egraph-function=mian 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-annotate-blocks=op=math.expp 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not tensoraccess-opt %s --tensoraccess-report="root=math.expp" 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not tensoraccess-opt %s --tensoraccess-patch-function="op=math.expp" 2>&1 | FileCheck %s --check-prefix=OP
// OP: no op 'math.expp' in function 'main'; did you mean 'math.exp'?
// RUN: not tensoraccess-opt %s --tensoraccess-annotate-blocks="of=resutl" 2>&1 | FileCheck %s --check-prefix=OF
// OF: option 'of': unknown value 'resutl'; did you mean 'result'?
// RUN: not tensoraccess-opt %s --tensoraccess-raise="kinds=contracton" 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: unknown kind 'contracton'; did you mean 'contraction'?

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
