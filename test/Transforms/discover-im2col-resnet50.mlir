// All 53 convolutions of ResNet-50 become matmuls, its classifier is one
// already; 33 of them need no copy.
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --tensoraccess-discover-im2col --remarks-filter="tensoraccess.*" \
// RUN:   --remark-policy=all -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// REMARK: [Analysis] im2col {{.*}}CopiedBytes=58455040, Copies=20, Matmuls=53
// CHECK-COUNT-20: tensoraccess.materialize
// CHECK-NOT: tensoraccess.materialize
