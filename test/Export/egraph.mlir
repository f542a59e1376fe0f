// The e-graph of a function, as a picture and as JSON.
// RUN: tensoraccess-translate %s --egraph-to-dot --egraph-rules=arith | FileCheck %s --check-prefix=DOT
// RUN: tensoraccess-translate %s --egraph-to-json --egraph-rules=arith | FileCheck %s --check-prefix=JSON
// RUN: tensoraccess-translate %s --egraph-to-dot --egraph-function=access --egraph-rules=access | FileCheck %s --check-prefix=ACCESS
// RUN: not tensoraccess-translate %s --egraph-to-dot --egraph-function=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-translate %s --egraph-to-dot --egraph-function=empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tensoraccess-translate %s --egraph-to-dot --egraph-rules=nothing 2>&1 | FileCheck %s --check-prefix=RULES
// RUN: not tensoraccess-translate %s --egraph-to-json --egraph-max-seconds=0 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: not tensoraccess-translate %s --egraph-to-json --egraph-max-nodes=0 2>&1 | FileCheck %s --check-prefix=NODES

// Both products of a and b are in one class.
// DOT: digraph
// DOT: label="arith.muli"
// DOT: label="a box: equal terms, {{.*}}blue: the terms of least cost
// JSON: "nodes"
// JSON-COUNT-2: "op": "arith.muli"
// JSON: "root_eclasses"
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  return %0 : i32
}

// ACCESS: tensoraccess.transpose
func.func @access(%a: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 3xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<5 | 3xf32> -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}

// NONE: error: there is no function 'none' with a body
// EMPTY: error: its first block computes no terms
// SECONDS: error: the limit of seconds must be positive, got 0
// NODES: error: the limit of nodes must be positive, got 0
// RULES: error: unknown rules 'nothing'
func.func @empty(%a: i32) -> i32 {
  return %a : i32
}

// Constants and attributes are in the labels, arguments cost nothing, and so do
// results of an op with several; what a view is, is written out.
// RUN: tensoraccess-translate %s --egraph-to-json --egraph-function=labels | FileCheck %s --check-prefix=LABELS
// LABELS-DAG:  "op": "argument 0", {{.*}}"cost": 0
// LABELS-DAG:  "op": "arith.constant 2", {{.*}}"cost": 1
// LABELS-DAG:  "op": "arith.constant dense<[1, 2]>"
// LABELS-DAG:  "op": "arith.cmpi {predicate = 2}"
// LABELS-DAG:  "op": "arith.muli {overflowFlags = nsw}"
// LABELS-DAG:  "op": "result 1", {{.*}}"cost": 0
func.func @labels(%a: i32, %t: tensor<2xi32>) -> (tensor<2xi32>, i1, i32, i32) {
  %c = arith.constant 2 : i32
  %d = arith.constant dense<[1, 2]> : tensor<2xi32>
  %0 = arith.addi %t, %d : tensor<2xi32>
  %1 = arith.cmpi slt, %a, %c : i32
  %2 = arith.muli %a, %c overflow<nsw> : i32
  %3:2 = arith.mului_extended %a, %c : i32
  return %0, %1, %2, %3#1 : tensor<2xi32>, i1, i32, i32
}

// RUN: tensoraccess-translate %s --egraph-to-json --egraph-function=access --egraph-rules=access | FileCheck %s --check-prefix=VIEW
// VIEW: "op": "view 5x3: source 0 (d0, d1) -> (d1, d0)
// RUN: tensoraccess-translate %s --egraph-to-dot --egraph-function=access --egraph-rules=access | FileCheck %s --check-prefix=SHORT
// SHORT: label="view 5x3: source 0 (d0, d1) -> (d1, d0), domain: d0 in [0, 4..."
