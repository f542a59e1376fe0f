// ResNet-50 with every convolution as a matmul, and without the rewrite, where
// 1x1 convolutions of stride 1 are matmuls over the collapsed image and the
// others are loops over images: nothing is written out but paddings, and nothing
// is read at computed indices.
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --tensoraccess-discover-im2col --tensoraccess-lower-to-linalg \
// RUN:   | FileCheck %s --implicit-check-not=tensoraccess. \
// RUN:       --implicit-check-not=linalg.conv \
// RUN:       --implicit-check-not="tensor.extract %"
// CHECK-COUNT-51: linalg.matmul

// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --tensoraccess-lower-to-linalg \
// RUN:   | FileCheck %s --check-prefix=DIRECT --implicit-check-not=tensoraccess. \
// RUN:       --implicit-check-not="tensor.extract %"
// DIRECT-COUNT-30: linalg.matmul
