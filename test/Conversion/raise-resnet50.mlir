// The whole of ResNet-50: 53 convolutions, a matmul, a max pooling, a mean and
// all movement are raised. What is left is the reciprocal square root of each
// normalisation.
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir --tensoraccess-raise \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>%t.remarks \
// RUN:   -o %t.mlir
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks \
// RUN:   --implicit-check-not=Kind=softmax
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.conv \
// RUN:   --implicit-check-not=linalg.matmul --implicit-check-not=tensor.pad \
// RUN:   --implicit-check-not=expand_shape --implicit-check-not=arith.maximumf
// REMARKS: [Missed] raise {{.*}}Reason="it computes math.rsqrt, which is not a compute kind"
// REMARKS: [Analysis] raise {{.*}}Function=main {{.*}}Contractions=1, Convolutions=53, Elementwise=283, Missed=53, Movements=391, Poolings=1, Reductions=1, Softmaxes=0
// CHECK: tensoraccess.compute dot_prod
// CHECK: tensoraccess.compute reduce_max
// CHECK-COUNT-52: tensoraccess.compute dot_prod
// CHECK: tensoraccess.compute reduce_mean
// CHECK: tensoraccess.compute dot_prod
