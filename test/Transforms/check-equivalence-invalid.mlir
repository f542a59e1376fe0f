// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=nothing" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=wide" 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=outside" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="first=doubled against=%t.no-such-file" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="first=doubled against=%S/materialize-layouts-invalid.mlir/.." 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=stepped trials=0" 2>&1 | FileCheck %s --check-prefix=TRIALS
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=stepped solver-seconds=0" 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=stepped max-terms=-1" 2>&1 | FileCheck %s --check-prefix=TERMS
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=stepped max-operations=0" 2>&1 | FileCheck %s --check-prefix=OPERATIONS
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=stepped sizes=1,-2" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=stepped tolerance=nan" 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=stepped tolerance=inf" 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=doubled other=unproved need=proved method=prove" 2>&1 | FileCheck %s --check-prefix=NEED
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=summed other=unproved need=tested method=smt solver=no-such-solver" 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=summed other=unproved need=tested method=smt solver=echo" 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: printf '#!/bin/sh\nexec sleep 9\n' > %t.sh
// RUN: chmod +x %t.sh
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=summed other=unproved need=tested method=smt solver=%t.sh solver-seconds=1" 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="first=stepped against=%S/Inputs/check-equivalence-other.mlir" 2>&1 | FileCheck %s --check-prefix=CALLEE
// RUN: tensoraccess-opt %s --tensoraccess-check-equivalence="first=doubled against=%S/Inputs/check-equivalence-other.mlir need=proved" -o /dev/null
// RUN: not tensoraccess-opt %s --tensoraccess-check-equivalence="function=divided other=undivided" 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: tensoraccess-opt %s --tensoraccess-check-equivalence="function=asks other=asks_too" --remarks-filter=tensoraccess -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NONE: error: option 'other' must name a function, or 'against' a file
// NAME: error: there is no function 'nothing' with a body
// FILE: error: cannot open input file '{{.*}}.no-such-file'
// FOLDER: error:
// TRIALS: error: trials must be at least 1, got 0
// SECONDS: error: solver-seconds must be at least 1, got 0
// TERMS: error: max-terms must not be negative, got -1
// OPERATIONS: error: max-operations must be at least 1, got 0
// SIZES: error: sizes must not be negative, got -2
// TOLERANCE: error: tolerance must be at least 0 and finite
func.func private @twice(%a: i8) -> i8 {
  %0 = arith.addi %a, %a : i8
  return %0 : i8
}
// Of the same name in the other file, and something else.
func.func private @step(%a: i8) -> i8 {
  %c = arith.constant 1 : i8
  %0 = arith.addi %a, %c : i8
  return %0 : i8
}
func.func @doubled(%a: i8) -> i8 {
  %0 = call @twice(%a) : (i8) -> i8
  return %0 : i8
}
// CALLEE: error: function @stepped does not agree with @stepped: result 0: expected 1, got 2
// CALLEE: note: input 0 (i8) is 0
func.func @stepped(%a: i8) -> i8 {
  %0 = call @step(%a) : (i8) -> i8
  return %0 : i8
}
// TYPE: :[[# @LINE + 1]]:1: error: function @wide has type '(i16) -> i16', expected that of @doubled, '(i8) -> i8'
func.func @wide(%a: i16) -> i16 {
  return %a : i16
}
// OUTSIDE: :[[# @LINE + 1]]:1: error: function @outside has no body to compare
func.func private @outside(i8) -> i8

// NEED: :[[# @LINE + 11]]:1: error: function @unproved is not known to agree with @doubled: the verdict is unknown
// NEED: note: elements have different expressions
// SOLVER: :[[# @LINE + 9]]:1: error: function @unproved is not known to agree with @summed: the verdict is unknown
// SOLVER: note: the solver 'no-such-solver' is not found; Debian has z3 in the package z3
// SAYS: note: the solver 'echo' says '{{.*}}'
// SLOW: note: the solver found no answer within 1 s
func.func @summed(%a: i8) -> i8 {
  %0 = arith.addi %a, %a : i8
  return %0 : i8
}
// A shift to the left is a sum, which takes a solver to see.
func.func @unproved(%a: i8) -> i8 {
  %c = arith.constant 1 : i8
  %0 = arith.shli %a, %c : i8
  return %0 : i8
}

// FAILS: error: function @undivided does not agree with @divided: only the first one fails: {{.*}}
// FAILS: note: input 0 (i8) is 0
func.func @divided(%a: i8) -> i8 {
  %c = arith.constant 0 : i8
  %0 = arith.divsi %c, %a : i8
  return %0 : i8
}
func.func @undivided(%a: i8) -> i8 {
  %c = arith.constant 0 : i8
  return %c : i8
}

// An unknown op cannot be run.
// UNKNOWN: remark: [Missed] equivalence {{.*}}Verdict=unknown
func.func @asks(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "my.op"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @asks_too(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "my.op"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
