// The whole model reaches the LLVM dialect, through both ways.
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --tensoraccess-discover-im2col --tensoraccess-to-llvm | FileCheck %s
// CHECK-NOT: unrealized_conversion_cast
// CHECK-NOT: memref.
// CHECK-NOT: linalg.
