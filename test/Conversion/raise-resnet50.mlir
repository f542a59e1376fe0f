// The whole of ResNet-50: 53 convolutions and one matmul, nothing left behind
// but its max pooling.
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=linalg.conv \
// RUN:       --implicit-check-not=linalg.matmul
// CHECK: [Missed] raise {{.*}}its body is not a sum of products
// CHECK: [Analysis] raise {{.*}}Contractions=1, Convolutions=53, Missed=1
// CHECK-COUNT-54: tensoraccess.compute dot_prod
// CHECK-NOT: tensoraccess.compute
