// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-annotate-indexing -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: not grep "indexing_map<unknown>" %t
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-annotate-indexing --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o %t.again 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: diff %t %t.again

// Every op of the model has an answer, its calls of private functions too.
// REMARK-NOT: Missed
// REMARK: Maps=2476, Ops=1599, Unknown=0
// CHECK: call @relu{{.*}} {tensoraccess.indexing = {input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2, d3) -> (0, d1, d2, d3), domain: d0 in [0, 0], d1 in [0, 111], d2 in [0, 111], d3 in [0, 63]>]]]
