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
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 function=other" 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 model=%t.none" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo "machine m op" > %t.wrong
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 model=%t.wrong" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: echo "machine m op *: start = 1.0" > %t.alone
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 model=%t.alone" 2>&1 | FileCheck %s --check-prefix=NETWORK

// Methods: elimination within its tables, the integer program, and what is left.
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 table-entries=0" 2>&1 | FileCheck %s --check-prefix=ENTRIES
// RUN: not tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 method=dp table-entries=1" 2>&1 | FileCheck %s --check-prefix=TABLES
// RUN: not env TENSORACCESS_CBC=%t.none tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 method=ilp" 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: env TENSORACCESS_CBC=%t.none tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 table-entries=1" --remarks-filter=tensoraccess 2>&1 | FileCheck %s --check-prefix=DESCENT

// NONE: error: give a grid, ranks, or 'tensoraccess.grid' on the function
// GRID: error: grid: axis rows must have at least one rank, got 0
// BOTH: error: give a grid or ranks, not both
// RANKS: error: a grid has from 1 to 1048576 ranks, got 0
// ROW: error: a grid has from 1 to 1048576 ranks, got -4
// METHOD: error: unknown method 'best'; known are auto, dp, ilp
// CANDIDATES: error: candidates must be positive, got 0
// SECONDS: error: max-seconds must be positive, got 0
// NEGATIVE: error: memory-limit must not be negative, got -1
// MEMORY: error: no plan was found that needs at most 1 bytes per rank: the least needs {{[1-9][0-9]*}}
// ENTRY: error: there is no function 'other' with a body
// FILE: error: cannot read the costs '{{.*}}none': {{[Nn]}}o such file or directory
// TEXT: error: the costs '{{.*}}wrong' are wrong at byte {{[0-9]+}}:
// NETWORK: error: the costs of 'm' have no network
// ENTRIES: error: table-entries must be positive, got 0
// TABLES: error: tables of the elimination would have more than 1 entries; method=ilp has none
// SOLVER: error: method=ilp needs a solver: integer programs {{need CBC|are not built in}}
// DESCENT: Remark="exp on x=2 by descent, perhaps not the best"
func.func @exp(%a: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %0 = linalg.exp ins(%a : tensor<30x50xf32>) outs(%a : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %0 : tensor<30x50xf32>
}
