// ResNet-50 with every convolution as a matmul, and without the rewrite, where
// convolutions with windows get their name back.
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --tensoraccess-discover-im2col --tensoraccess-lower-to-linalg \
// RUN:   | FileCheck %s --implicit-check-not=tensoraccess. \
// RUN:       --implicit-check-not=linalg.conv --implicit-check-not=tensor.extract
// CHECK-COUNT-54: linalg.matmul
// CHECK-NOT: linalg.matmul

// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --tensoraccess-lower-to-linalg \
// RUN:   | FileCheck %s --check-prefix=DIRECT --implicit-check-not=tensoraccess. \
// RUN:       --implicit-check-not=tensor.extract
// DIRECT-COUNT-17: linalg.conv_2d_nhwc_hwcf
// DIRECT-NOT: linalg.conv_2d_nhwc_hwcf
