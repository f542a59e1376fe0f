// At a limit the best that was found until then comes out: here nothing.
// RUN: tensoraccess-opt %s --tensoraccess-discover-im2col=max-nodes=1 \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIMIT
// RUN: FileCheck %s --check-prefix=SAME < %t
// LIMIT: [Analysis] im2col {{.*}}Copies=0, Matmuls=0, {{.*}}Remark="the limit of nodes is reached"
// SAME-NOT: materialize
// SAME: compute dot_prod %{{.*}} : !tensoraccess.access<4x6x7 | 2x3x3xf32>

// Copies that cost more than they save are not made.
// RUN: tensoraccess-opt %s --tensoraccess-discover-im2col=copied-byte=10 \
// RUN:   | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-opt %s --tensoraccess-discover-im2col \
// RUN:   | FileCheck %s --check-prefix=COPY
// COPY: materialize %{{.*}} : !tensoraccess.access<24 | 9xf32>

// RUN: not tensoraccess-opt %s --tensoraccess-discover-im2col=max-nodes=0 \
// RUN:   2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: the limit of nodes must be positive, got 0
// RUN: not tensoraccess-opt %s --tensoraccess-discover-im2col=max-seconds=-1 \
// RUN:   2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: the limit of seconds must be positive, got -1
// RUN: not tensoraccess-opt %s --tensoraccess-discover-im2col=matmul-step=-1 \
// RUN:   2>&1 | FileCheck %s --check-prefix=STEP
// STEP: error: matmul-step must be a number, 0 or more, got -1
// RUN: not tensoraccess-opt %s --tensoraccess-discover-im2col=copied-byte=nan \
// RUN:   2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: copied-byte must be a number, 0 or more, got {{.*}}nan
func.func @windows(%x: tensor<6x8xf32>, %w: tensor<7x3x3xf32>)
    -> tensor<4x6x7xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<6x8xf32> -> !tensoraccess.access<| 6x8xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3] strides = [1, 1]
     : !tensoraccess.access<| 6x8xf32> -> !tensoraccess.access<4x6 | 3x3xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<7x3x3xf32> -> !tensoraccess.access<7 | 3x3xf32>
  %3 = tensoraccess.cart_prod %1, %2
     : !tensoraccess.access<4x6 | 3x3xf32>, !tensoraccess.access<7 | 3x3xf32>
    -> !tensoraccess.access<4x6x7 | 2x3x3xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<4x6x7 | 2x3x3xf32>
    -> !tensoraccess.access<4x6x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<4x6x7 | f32> -> tensor<4x6x7xf32>
  return %5 : tensor<4x6x7xf32>
}
