// RUN: tensoraccess-opt %s --tensoraccess-raise | FileCheck %s

// A convolution with strides that differ: windows, then dot products.
// CHECK-LABEL: @conv_nhwc_hwcf
// CHECK-SAME: %[[X:.*]]: tensor<1x9x8x5xf32>, %[[W:.*]]: tensor<3x3x5x7xf32>
// CHECK-NEXT: %[[AX:.*]] = tensoraccess.access %[[X]] at 1
// CHECK-NEXT: %[[WIN:.*]] = tensoraccess.windows %[[AX]] shape = [3, 3, 5] strides = [2, 1, 1] :
// CHECK-NEXT: %[[AW:.*]] = tensoraccess.access %[[W]] at 1
// CHECK-NEXT: %[[T:.*]] = tensoraccess.transpose %[[AW]] perm = [3, 0, 1, 2]
// CHECK-NEXT: %[[C:.*]] = tensoraccess.cart_prod %[[WIN]], %[[T]]
// CHECK-NEXT: %[[D:.*]] = tensoraccess.compute dot_prod %[[C]] : !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
// CHECK-NEXT: %[[S:.*]] = tensoraccess.squeeze %[[D]] axis 3
// CHECK-NEXT: %[[R:.*]] = tensoraccess.to_tensor %[[S]] : !tensoraccess.access<1x4x6x7 | f32> -> tensor<1x4x6x7xf32>
// CHECK-NEXT: return %[[R]]
func.func @conv_nhwc_hwcf(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>)
    -> tensor<1x4x6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x6x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x6x7xf32>)
      -> tensor<1x4x6x7xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
                                 strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x3x5x7xf32>)
      outs(%init : tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32>
  return %0 : tensor<1x4x6x7xf32>
}

// Dilations are kept; a producing pad becomes a pad of the access pattern.
// CHECK-LABEL: @padded_dilated
// CHECK: %[[A:.*]] = tensoraccess.access %{{.*}} at 1 : tensor<2x9x11x5xf32>
// CHECK: %[[P:.*]] = tensoraccess.pad %[[A]] low = [0, 1, 2, 0] high = [0, 3, 0, 0] value = 1.5{{.*}} : f32
// CHECK: tensoraccess.windows %[[P]] shape = [3, 2, 5] strides = [1, 1, 1] dilations = [2, 4, 1] : !tensoraccess.access<2 | 13x13x5xf32> -> !tensoraccess.access<2x9x9x1 | 3x2x5xf32>
// CHECK-NOT: tensor.pad
func.func @padded_dilated(%x: tensor<2x9x11x5xf32>, %w: tensor<3x2x5x7xf32>)
    -> tensor<2x9x9x7xf32> {
  %value = arith.constant 1.5 : f32
  %pad = tensor.pad %x low[0, 1, 2, 0] high[0, 3, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %value : f32
  } : tensor<2x9x11x5xf32> to tensor<2x13x13x5xf32>
  %init = arith.constant dense<0.0> : tensor<2x9x9x7xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 4]> : tensor<2xi64>,
                                 strides = dense<1> : tensor<2xi64>}
      ins(%pad, %w : tensor<2x13x13x5xf32>, tensor<3x2x5x7xf32>)
      outs(%init : tensor<2x9x9x7xf32>) -> tensor<2x9x9x7xf32>
  return %0 : tensor<2x9x9x7xf32>
}

// Channels first: the item is c, h, w and channels of the result come second.
// CHECK-LABEL: @conv_nchw_fchw
// CHECK: tensoraccess.windows %{{.*}} shape = [5, 3, 2] strides = [1, 1, 2]
// CHECK-SAME: -> !tensoraccess.access<1x1x7x4 | 5x3x2xf32>
// CHECK: tensoraccess.access %{{.*}} at 1 : tensor<7x5x3x2xf32>
// CHECK-NOT: tensoraccess.transpose
// CHECK: tensoraccess.cart_prod
// CHECK: %[[S:.*]] = tensoraccess.squeeze %{{.*}} axis 1
// CHECK: tensoraccess.transpose %[[S]] perm = [0, 3, 1, 2] : !tensoraccess.access<1x7x4x7 | f32>
func.func @conv_nchw_fchw(%x: tensor<1x5x9x8xf32>, %w: tensor<7x5x3x2xf32>)
    -> tensor<1x7x7x4xf32> {
  %init = arith.constant dense<0.0> : tensor<1x7x7x4xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>,
                                 strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%x, %w : tensor<1x5x9x8xf32>, tensor<7x5x3x2xf32>)
      outs(%init : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  return %0 : tensor<1x7x7x4xf32>
}

// The example of Glenside.
// CHECK-LABEL: @matmul
// CHECK: %[[P:.*]] = tensoraccess.access %{{.*}} at 1 : tensor<3x5xi32> -> !tensoraccess.access<3 | 5xi32>
// CHECK: %[[Q:.*]] = tensoraccess.access %{{.*}} at 1 : tensor<5x7xi32>
// CHECK: %[[T:.*]] = tensoraccess.transpose %[[Q]] perm = [1, 0]
// CHECK: %[[C:.*]] = tensoraccess.cart_prod %[[P]], %[[T]] : {{.*}} -> !tensoraccess.access<3x7 | 2x5xi32>
// CHECK: tensoraccess.compute dot_prod %[[C]]
func.func @matmul(%p: tensor<3x5xi32>, %q: tensor<5x7xi32>) -> tensor<3x7xi32> {
  %init = arith.constant dense<0> : tensor<3x7xi32>
  %0 = linalg.matmul ins(%p, %q : tensor<3x5xi32>, tensor<5x7xi32>)
      outs(%init : tensor<3x7xi32>) -> tensor<3x7xi32>
  return %0 : tensor<3x7xi32>
}

// An empty side: a vector has no access dimension left.
// CHECK-LABEL: @matvec
// CHECK: tensoraccess.cart_prod %{{.*}}, %{{.*}} : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5xf32> -> !tensoraccess.access<3 | 2x5xf32>
// CHECK-LABEL: @vecmat
// CHECK: tensoraccess.cart_prod %{{.*}}, %{{.*}} : !tensoraccess.access<| 5xf32>, !tensoraccess.access<7 | 5xf32>
func.func @matvec(%p: tensor<3x5xf32>, %v: tensor<5xf32>) -> tensor<3xf32> {
  %init = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.matvec ins(%p, %v : tensor<3x5xf32>, tensor<5xf32>)
      outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @vecmat(%v: tensor<5xf32>, %q: tensor<5x7xf32>) -> tensor<7xf32> {
  %init = arith.constant dense<0.0> : tensor<7xf32>
  %0 = linalg.vecmat ins(%v, %q : tensor<5xf32>, tensor<5x7xf32>)
      outs(%init : tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// A batch of one needs no pairing: the right side's dimension is squeezed.
// CHECK-LABEL: @batch_of_one
// CHECK: %[[R:.*]] = tensoraccess.squeeze %{{.*}} axis 0 : !tensoraccess.access<1x7 | 5xf32>
// CHECK: tensoraccess.cart_prod %{{.*}}, %[[R]] : !tensoraccess.access<1x3 | 5xf32>, !tensoraccess.access<7 | 5xf32>
func.func @batch_of_one(%p: tensor<1x3x5xf32>, %q: tensor<1x5x7xf32>)
    -> tensor<1x3x7xf32> {
  %init = arith.constant dense<0.0> : tensor<1x3x7xf32>
  %0 = linalg.batch_matmul ins(%p, %q : tensor<1x3x5xf32>, tensor<1x5x7xf32>)
      outs(%init : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
  return %0 : tensor<1x3x7xf32>
}

// Another initial value is added to the finished sum; so is -0, whose sum with
// products of +0 and -0 differs from that of +0.
// CHECK-LABEL: @initial_value
// CHECK-SAME: %{{.*}}, %{{.*}}, %[[I:.*]]: tensor<3x7xf32>
// CHECK: %[[D:.*]] = tensoraccess.compute dot_prod
// CHECK: %[[A:.*]] = tensoraccess.access %[[I]] at 2
// CHECK: %[[P:.*]] = tensoraccess.pair %[[D]], %[[A]]
// CHECK: tensoraccess.compute elementwise_add %[[P]]
// CHECK-LABEL: @negative_zero
// CHECK: tensoraccess.compute elementwise_add
func.func @initial_value(%p: tensor<3x5xf32>, %q: tensor<5x7xf32>,
                         %i: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = linalg.matmul ins(%p, %q : tensor<3x5xf32>, tensor<5x7xf32>)
      outs(%i : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
func.func @negative_zero(%p: tensor<3x5xf32>, %q: tensor<5x7xf32>)
    -> tensor<3x7xf32> {
  %i = arith.constant dense<-0.0> : tensor<3x7xf32>
  %0 = linalg.matmul ins(%p, %q : tensor<3x5xf32>, tensor<5x7xf32>)
      outs(%i : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// A generic op with the filter first: windows slide over its second operand,
// which becomes the left one.
// CHECK-LABEL: @generic_filter_first
// CHECK-SAME: %[[W:.*]]: tensor<7x3xf32>, %[[X:.*]]: tensor<11xf32>
// CHECK: %[[AX:.*]] = tensoraccess.access %[[X]] at 0
// CHECK: %[[WIN:.*]] = tensoraccess.windows %[[AX]] shape = [3] strides = [2]
// CHECK: %[[AW:.*]] = tensoraccess.access %[[W]] at 1
// CHECK: tensoraccess.cart_prod %[[WIN]], %[[AW]] : !tensoraccess.access<5 | 3xf32>, !tensoraccess.access<7 | 3xf32>
func.func @generic_filter_first(%w: tensor<7x3xf32>, %x: tensor<11xf32>)
    -> tensor<5x7xf32> {
  %init = arith.constant dense<0.0> : tensor<5x7xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, f, k) -> (f, k)>,
                       affine_map<(i, f, k) -> (2 * i + k)>,
                       affine_map<(i, f, k) -> (i, f)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<7x3xf32>, tensor<11xf32>)
      outs(%init : tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %b, %a : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// Batches index both operands: both are repeated to the common points, where
// they are paired.
// CHECK-LABEL: @batch_matmul
// CHECK: %[[P:.*]] = tensoraccess.broadcast %{{.*}} : !tensoraccess.access<3x5x1 | 7xf32> -> !tensoraccess.access<3x5x2 | 7xf32>
// CHECK: %[[Q:.*]] = tensoraccess.broadcast %{{.*}} : !tensoraccess.access<3x1x2 | 7xf32> -> !tensoraccess.access<3x5x2 | 7xf32>
// CHECK: %[[PAIR:.*]] = tensoraccess.pair %[[P]], %[[Q]]
// CHECK: tensoraccess.compute dot_prod %[[PAIR]] : !tensoraccess.access<3x5x2 | 2x7xf32> -> !tensoraccess.access<3x5x2 | f32>
func.func @batch_matmul(%p: tensor<3x5x7xf32>, %q: tensor<3x7x2xf32>)
    -> tensor<3x5x2xf32> {
  %i = arith.constant dense<0.0> : tensor<3x5x2xf32>
  %0 = linalg.batch_matmul ins(%p, %q : tensor<3x5x7xf32>, tensor<3x7x2xf32>)
      outs(%i : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
  return %0 : tensor<3x5x2xf32>
}

// Channels index both operands, windows slide over one.
// CHECK-LABEL: @depthwise
// CHECK: tensoraccess.windows %{{.*}} shape = [3, 2] strides = [2, 1] : !tensoraccess.access<1x5 | 9x8xf32> -> !tensoraccess.access<1x5x4x7 | 3x2xf32>
// CHECK: tensoraccess.broadcast %{{.*}} -> !tensoraccess.access<1x4x7x5 | 3x2xf32>
// CHECK: tensoraccess.pair
// CHECK: tensoraccess.compute dot_prod %{{.*}} : !tensoraccess.access<1x4x7x5 | 2x3x2xf32>
func.func @depthwise(%x: tensor<1x9x8x5xf32>, %w: tensor<3x2x5xf32>)
    -> tensor<1x4x7x5xf32> {
  %i = arith.constant dense<0.0> : tensor<1x4x7x5xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<[2, 1]> : tensor<2xi64>,
                                          dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x2x5xf32>)
      outs(%i : tensor<1x4x7x5xf32>) -> tensor<1x4x7x5xf32>
  return %0 : tensor<1x4x7x5xf32>
}

// The least number begins no maximum of its own; another one does, last.
// CHECK-LABEL: @max_pool
// CHECK: tensoraccess.windows %{{.*}} shape = [3, 2] strides = [1, 1] : !tensoraccess.access<1x5 | 9x8xf32>
// CHECK: %[[M:.*]] = tensoraccess.compute reduce_max
// CHECK: tensoraccess.transpose %[[M]] perm = [0, 2, 3, 1]
// CHECK-NOT: linalg.
// CHECK-LABEL: @max_pool_from_one
// CHECK: tensoraccess.compute reduce_max
// CHECK: linalg.max
func.func @max_pool(%x: tensor<1x9x8x5xf32>, %w: tensor<3x2xf32>)
    -> tensor<1x7x7x5xf32> {
  %i = arith.constant dense<0xFF800000> : tensor<1x7x7x5xf32>
  %0 = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x2xf32>)
      outs(%i : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  return %0 : tensor<1x7x7x5xf32>
}
func.func @max_pool_from_one(%x: tensor<1x9x8x5xf32>, %w: tensor<3x2xf32>)
    -> tensor<1x7x7x5xf32> {
  %i = arith.constant dense<1.0> : tensor<1x7x7x5xf32>
  %0 = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x2xf32>)
      outs(%i : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  return %0 : tensor<1x7x7x5xf32>
}

// Elements are extended before they are multiplied.
// CHECK-LABEL: @widening
// CHECK: tensoraccess.compute dot_prod %{{.*}} accumulator = i32 : !tensoraccess.access<3x7 | 2x5xi8> -> !tensoraccess.access<3x7 | i32>
func.func @widening(%p: tensor<3x5xi8>, %q: tensor<5x7xi8>)
    -> tensor<3x7xi32> {
  %i = arith.constant dense<0> : tensor<3x7xi32>
  %0 = linalg.matmul ins(%p, %q : tensor<3x5xi8>, tensor<5x7xi8>)
      outs(%i : tensor<3x7xi32>) -> tensor<3x7xi32>
  return %0 : tensor<3x7xi32>
}

// A difference is a sum with the negative, which is taken before the vector is
// repeated.
// CHECK-LABEL: @relu_of_difference
// CHECK-SAME: %[[X:.*]]: tensor<3x5xf32>, %[[B:.*]]: tensor<5xf32>
// CHECK: %[[N:.*]] = tensoraccess.compute negative %{{.*}} : !tensoraccess.access<1x5 | f32>
// CHECK: tensoraccess.broadcast %[[N]]
// CHECK: %[[S:.*]] = tensoraccess.compute elementwise_add
// CHECK: tensoraccess.compute relu %[[S]]
func.func @relu_of_difference(%x: tensor<3x5xf32>, %b: tensor<5xf32>)
    -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<3x5xf32>, tensor<5xf32>)
      outs(%e : tensor<3x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Every second row, from the last one up.
// CHECK-LABEL: @strided_backwards
// CHECK: tensoraccess.slice %{{.*}} offsets = [8, 0] sizes = [5, 5] strides = [-2, 1]
// CHECK: tensoraccess.cart_prod
func.func @strided_backwards(%x: tensor<9x5xf32>, %w: tensor<5x7xf32>)
    -> tensor<5x7xf32> {
  %init = arith.constant dense<0.0> : tensor<5x7xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, f, k) -> (-2 * i + 8, k)>,
                       affine_map<(i, f, k) -> (k, f)>,
                       affine_map<(i, f, k) -> (i, f)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x5xf32>, tensor<5x7xf32>)
      outs(%init : tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// What the destination holds before the slice, the slice, and what is after it.
// CHECK-LABEL: @insert
// CHECK: %[[A:.*]] = tensoraccess.slice %{{.*}} offsets = [0, 0] sizes = [1, 3]
// CHECK: %[[B:.*]] = tensoraccess.slice %{{.*}} offsets = [3, 0] sizes = [2, 3]
// CHECK: tensoraccess.concat %[[A]], %{{.*}}, %[[B]] axis 0
func.func @insert(%x: tensor<2x3xf32>, %d: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = tensor.insert_slice %x into %d[1, 0] [2, 3] [1, 1]
      : tensor<2x3xf32> into tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// A loop of one iteration reads one element of a dimension of unknown size,
// whatever its step; only a dimension that a loop walks alone is as long as it.
// CHECK-LABEL: @one_of_unknown
// CHECK: tensoraccess.slice %{{.*}} offsets = [0, 0, 0] sizes = [1, 1, 1]
// CHECK-SAME: -> !tensoraccess.access<1x1x1 | f32>
// CHECK-NOT: tensor.cast
func.func @one_of_unknown(%x: tensor<?x?x?xf32>) -> tensor<1x1x1xf32> {
  %init = tensor.empty() : tensor<1x1x1xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (3 * i, -j, 2 * k)>,
                       affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?xf32>) outs(%init : tensor<1x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// Of a sum of which one loop takes no step, the other one reads its own number
// of elements: not the whole dimension, as the loop of the first one does.
// CHECK-LABEL: @two_of_unknown
// CHECK: tensoraccess.slice %{{.*}} offsets = [0, 0] sizes = [-1, 2]
func.func @two_of_unknown(%x: tensor<?x?xf32>) -> tensor<1x2xf32> {
  %init = tensor.empty() : tensor<1x2xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, i + j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%init : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// Where the other loop's number of iterations is unknown, nothing says how
// much of the dimension is read: the op stays.
// CHECK-LABEL: @unknown_of_unknown
// CHECK: linalg.generic
func.func @unknown_of_unknown(%x: tensor<1x?xf32>, %init: tensor<1x?xf32>)
    -> tensor<1x?xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, i + j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x?xf32>) outs(%init : tensor<1x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// The greatest of indices and of what was there: linalg.max knows no indices.
// CHECK-LABEL: @indices
// CHECK: %[[MAX:.*]] = tensoraccess.compute reduce_max
// CHECK: arith.maxsi %{{.*}}, %{{.*}} : tensor<2xindex>
func.func @indices(%a: tensor<2x3xindex>, %b: tensor<2xindex>) -> tensor<2xindex> {
  %0 = linalg.reduce { arith.maxsi } ins(%a : tensor<2x3xindex>) outs(%b : tensor<2xindex>) dimensions = [1]
  return %0 : tensor<2xindex>
}

// Unknown sizes that are known to be one: nothing is repeated but the bias, as
// often as the other operand has rows.
// CHECK-LABEL: @residual
// CHECK-NOT: tosa.add
// CHECK-NOT: tosa.mul
// CHECK: tensoraccess.compute elementwise_mul
// CHECK: tensoraccess.cart_prod
// CHECK: tensoraccess.compute elementwise_add
// CHECK: tensoraccess.compute elementwise_add
func.func @residual(%x: tensor<?x5xf32>, %bias: tensor<1x5xf32>)
    -> tensor<?x5xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %x, %shift
      : (tensor<?x5xf32>, tensor<?x5xf32>, tensor<1xi8>) -> tensor<?x5xf32>
  %1 = tosa.add %0, %bias
      : (tensor<?x5xf32>, tensor<1x5xf32>) -> tensor<?x5xf32>
  %2 = tosa.add %x, %1
      : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  return %2 : tensor<?x5xf32>
}
