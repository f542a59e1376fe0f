// A diagnostic points at the very character, also beyond the first line and in
// the form without a dot.
// RUN: not tensoraccess-opt %s --split-input-file 2>&1 | FileCheck %s

// CHECK: :[[@LINE+1]]:73: error: tile 1 entry 0 must be positive, got 0
func.func private @f() attributes {a = #tensoraccess.layout<{1,0:T(2,2)(0,1)}>}

// -----

// CHECK: :[[@LINE+3]]:13: error: variable 'd7' is not declared
func.func private @f() attributes {
  a = #tensoraccess.indexing_map<(d0)
    -> (d0, d7), domain: d0 in [0, 3]>}

// -----

// CHECK: :[[@LINE+3]]:15: error: shape entry 1 must be positive, got -5
func.func private @f() attributes {
  a = #tensoraccess<  projection<[[1], [1]] + [0, 0], shape = [
           7, -5]> >}

// -----

// The end of the text is the closing bracket.
// CHECK: :[[@LINE+1]]:76: error: a projection must have a shape
func.func private @f() attributes {a = #tensoraccess.projection<[[1]] + [0]>}
