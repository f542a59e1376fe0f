// RUN: split-file %s %t
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="sizes=4,5" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="sizes=4,5,6" 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="sizes=2,2 offsets=1" 2>&1 | FileCheck %s --check-prefix=OFFSETS
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="offsets=1,1" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="of=loops" 2>&1 | FileCheck %s --check-prefix=OF
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="extent=-3" 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="op=math.log" 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="function=g" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="model=%t/none.costs" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="model=%t/wrong.costs" 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="model=%t/nobody.costs" 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not tensoraccess-opt %t/exp.mlir --tensoraccess-report="sections=blocks block-extent=-1" 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: tensoraccess-opt %t/exp.mlir --tensoraccess-annotate-blocks="model=%t/other.costs" --remarks-filter=tensoraccess --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=RATES
// RUN: tensoraccess-opt %t/exp.mlir --tensoraccess-report="sections=blocks model=%t/energy.costs" --remarks-filter=tensoraccess --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=ENERGY

// OUTSIDE: exp.mlir:2:8: error: block: axis 0 has [0, 3), got a block of [0, 4)
// RANK: error: block: the op has 2 axes, got 3 sizes
// OFFSETS: error: block: there are 2 sizes, got 1 offsets
// SIZES: error: option 'offsets' needs sizes
// OF: error: option 'of': unknown value 'loops'; known are iterations, result
// EXTENT: error: option 'extent' must not be negative, got -3
// OP: error: no op 'math.log' in function 'f'
// FUNCTION: error: there is no function 'g' with a body
// FILE: error: cannot read the costs '{{.*}}none.costs': No such file or directory
// MODEL: error: the costs '{{.*}}wrong.costs' are wrong at byte 10: {{.*}}
// NAMES: error: the costs of 'm' have rates for 'math.nobody', which is not an op
// REPORT: error: option 'block-extent' must not be negative, got '-1'
// RATES: [Missed] block {{.*}} Reason="math.exp: the costs of 'm' have no rates for 'math.exp', and none for all ops"
// Seconds 1e-6 + 15 · 1e-9, twice 60 bytes past the cliff at 100: 3 · 1e-9 each.
// ENERGY: [Analysis] block {{.*}}Cliff=3, Joules=9e-07, {{.*}}ScratchBytes=30, Seconds=1.375e-06, WorkingSet=150

//--- exp.mlir
func.func @f(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = math.exp %x : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
//--- wrong.costs
machine m
oops
//--- nobody.costs
machine m
op math.nobody: start = 1.0
//--- other.costs
machine m
op math.log: start = 1.0
//--- energy.costs
machine m
cliffs [100: 3.0]
op math.exp: start = 1.0e-06, point = 1.0e-09, byte = 1.0e-09, scratch = 15.0, scratch_point = 1.0, energy_byte = 2.5e-09
