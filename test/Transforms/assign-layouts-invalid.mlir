// RUN: not tensoraccess-opt %s --tensoraccess-assign-layouts="target=moon" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tensoraccess-opt %s --tensoraccess-assign-layouts="target='h, lanes = 3'" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not tensoraccess-opt %s --tensoraccess-assign-layouts 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE

// RUN: not tensoraccess-opt %S/assign-layouts.mlir --split-input-file --tensoraccess-assign-layouts="dynamic-size=0" 2>&1 | FileCheck %s --check-prefix=SIZE

// NAME: error: unknown target 'moon'; known are aarch64-neon, aarch64-sve, avx512, generic, host, sapphirerapids, systolic-RxC, x86-64-v3, x86-64-v4, znver3, znver4
// SIZE: error: dynamic-size must be in [1, 1048576], got 0
// TEXT: error: target 'h, lanes = 3': expected vector_bytes, cache_line, register_tile, memory_cost, last_cache, bytes_per_cycle, registers, caches, cores, features, matrix_units or memory_spaces, got 'lanes' at 3
// ATTRIBUTE: error: attribute tensoraccess.target must be a #tensoraccess.target, got "host"
module attributes {tensoraccess.target = "host"} {}
