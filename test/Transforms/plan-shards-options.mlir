// Options that are wrong, each by itself.
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="grid=rows=0" 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="grid=2 ranks=2" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=0" 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="table=4,-4" 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 method=best" 2>&1 | FileCheck %s --check-prefix=METHOD
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 candidates=0" 2>&1 | FileCheck %s --check-prefix=CANDIDATES
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 max-seconds=0" 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 memory-limit=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 memory-limit=1" 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 entry=other" 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 model=%t.none" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo "machine m op" > %t.wrong
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 model=%t.wrong" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: echo "machine m op *: start = 1.0" > %t.alone
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 model=%t.alone" 2>&1 | FileCheck %s --check-prefix=NETWORK

// NONE: error: give a grid, ranks, or 'tensoraccess.grid' on the function
// GRID: error: grid: axis rows must have at least one rank, got 0
// BOTH: error: give a grid or ranks, not both
// RANKS: error: a grid has from 1 to 1048576 ranks, got 0
// ROW: error: a grid has from 1 to 1048576 ranks, got -4
// METHOD: error: method must be dp, ilp or auto, got 'best'
// CANDIDATES: error: candidates must be positive, got 0
// SECONDS: error: max-seconds must be positive, got 0
// NEGATIVE: error: memory-limit must not be negative, got -1
// MEMORY: error: no plan was found that needs at most 1 bytes per rank: the least needs {{[1-9][0-9]*}}
// ENTRY: error: there is no function 'other' with a body
// FILE: error: cannot read the costs '{{.*}}none': {{[Nn]}}o such file or directory
// TEXT: error: the costs '{{.*}}wrong' are wrong at byte {{[0-9]+}}:
// NETWORK: error: the costs of 'm' have no network
func.func @exp(%a: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %0 = linalg.exp ins(%a : tensor<30x50xf32>) outs(%a : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %0 : tensor<30x50xf32>
}
