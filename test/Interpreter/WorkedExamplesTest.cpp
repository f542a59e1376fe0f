//===- WorkedExamplesTest.cpp - Glenside's examples, with numbers ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix multiplication, 2-D convolution and max pooling as the seed writes
// them, with small integers that can be checked by hand, and the same matrix
// product in the other ways that the dialect has.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "TensorAccess/Core/Accelerators.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

// [[1 2 3] [4 5 6]] · [[1 0] [2 -1] [0 3]]: ((M), (N)) and ((O), (N)) give
// ((M, O), (2, N)), and dot products ((M, O), ()).
const std::string rowsAndColumns = R"mlir(
func.func @main(%p: tensor<2x3xf32>, %q: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %rows = tensoraccess.access %p at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %q1 = tensoraccess.access %q at 1
     : tensor<3x2xf32> -> !tensoraccess.access<3 | 2xf32>
  %columns = tensoraccess.transpose %q1 perm = [1, 0]
     : !tensoraccess.access<3 | 2xf32> -> !tensoraccess.access<2 | 3xf32>
)mlir";
const std::string products = rowsAndColumns + R"mlir(
  %3 = tensoraccess.cart_prod %rows, %columns
     : !tensoraccess.access<2 | 3xf32>, !tensoraccess.access<2 | 3xf32>
    -> !tensoraccess.access<2x2 | 2x3xf32>
)mlir";
const std::string matmul = products + R"mlir(
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<2x2 | 2x3xf32> -> !tensoraccess.access<2x2 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<2x2 | f32> -> tensor<2x2xf32>
  return %5 : tensor<2x2xf32>
})mlir";

// (systolicArray 3 2 p (access q 0)), as the seed maps the product.
const std::string systolic = R"mlir(
func.func @main(%p: tensor<2x3xf32>, %q: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = tensoraccess.access %p at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %1 = tensoraccess.access %q at 0
     : tensor<3x2xf32> -> !tensoraccess.access<| 3x2xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 3 cols = 2
     : !tensoraccess.access<2 | 3xf32>, !tensoraccess.access<| 3x2xf32>
    -> !tensoraccess.access<2x2 | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<2x2 | f32> -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
})mlir";

// Both sides broadcast to the same access points, then paired.
const std::string paired = rowsAndColumns + R"mlir(
  %1 = tensoraccess.insert_axis %rows axis 1
     : !tensoraccess.access<2 | 3xf32> -> !tensoraccess.access<2x1 | 3xf32>
  %2 = tensoraccess.broadcast %1
     : !tensoraccess.access<2x1 | 3xf32> -> !tensoraccess.access<2x2 | 3xf32>
  %5 = tensoraccess.insert_axis %columns axis 0
     : !tensoraccess.access<2 | 3xf32> -> !tensoraccess.access<1x2 | 3xf32>
  %6 = tensoraccess.broadcast %5
     : !tensoraccess.access<1x2 | 3xf32> -> !tensoraccess.access<2x2 | 3xf32>
  %7 = tensoraccess.pair %2, %6
     : !tensoraccess.access<2x2 | 3xf32>, !tensoraccess.access<2x2 | 3xf32>
    -> !tensoraccess.access<2x2 | 2x3xf32>
  %8 = tensoraccess.compute dot_prod %7
     : !tensoraccess.access<2x2 | 2x3xf32> -> !tensoraccess.access<2x2 | f32>
  %9 = tensoraccess.to_tensor %8
     : !tensoraccess.access<2x2 | f32> -> tensor<2x2xf32>
  return %9 : tensor<2x2xf32>
})mlir";

// In two blocks of the reduced dimension, as blocking cuts it: 2 and 1 columns.
const std::string blocked = products + R"mlir(
  %4 = tensoraccess.slice %3 offsets = [0, 0, 0, 0] sizes = [2, 2, 2, 2]
     : !tensoraccess.access<2x2 | 2x3xf32>
    -> !tensoraccess.access<2x2 | 2x2xf32>
  %5 = tensoraccess.slice %3 offsets = [0, 0, 0, 2] sizes = [2, 2, 2, 1]
     : !tensoraccess.access<2x2 | 2x3xf32>
    -> !tensoraccess.access<2x2 | 2x1xf32>
  %6 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<2x2 | 2x2xf32> -> !tensoraccess.access<2x2 | f32>
  %7 = tensoraccess.compute dot_prod %5
     : !tensoraccess.access<2x2 | 2x1xf32> -> !tensoraccess.access<2x2 | f32>
  %8 = tensoraccess.pair %6, %7
     : !tensoraccess.access<2x2 | f32>, !tensoraccess.access<2x2 | f32>
    -> !tensoraccess.access<2x2 | 2xf32>
  %9 = tensoraccess.compute elementwise_add %8
     : !tensoraccess.access<2x2 | 2xf32> -> !tensoraccess.access<2x2 | f32>
  %10 = tensoraccess.to_tensor %9
     : !tensoraccess.access<2x2 | f32> -> tensor<2x2xf32>
  return %10 : tensor<2x2xf32>
})mlir";

TEST_F(RunTest, matrix_product_in_four_ways) {
  Tensor p = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor q = floats({3, 2}, {1, 0, 2, -1, 0, 3});
  Tensor expected = floats({2, 2}, {5, 7, 14, 13});
  for (const std::string &program : {matmul, systolic, paired, blocked})
    expectBitEqual(runOne(program, {p, q}), expected);
}

// The seed's convolution, N = 1, C = 2, H = W = 3, O = 2, Kh = Kw = 2, S = 1:
// ((N), (C, H, W)) → ((N, 1, H', W'), (C, Kh, Kw)) → ((N, 1, H', W', O), (2,
// …)) → ((N, 1, H', W', O), ()) → squeeze 1, transpose (0 3 1 2).
TEST_F(RunTest, convolution_of_the_seed) {
  Tensor activations = floats({1, 2, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, //
                                             9, 8, 7, 6, 5, 4, 3, 2, 1});
  // Filter 0 sums the first channel; filter 1 is its corner minus the second's.
  Tensor weights = floats({2, 2, 2, 2}, {1, 1, 1, 1, 0, 0, 0, 0, //
                                         1, 0, 0, 0, -1, 0, 0, 0});
  Tensor result = runOne(R"mlir(
func.func @main(%x: tensor<1x2x3x3xf32>, %w: tensor<2x2x2x2xf32>)
    -> tensor<1x2x2x2xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x2x3x3xf32> -> !tensoraccess.access<1 | 2x3x3xf32>
  %1 = tensoraccess.windows %0 shape = [2, 2, 2] strides = [1, 1, 1]
     : !tensoraccess.access<1 | 2x3x3xf32>
    -> !tensoraccess.access<1x1x2x2 | 2x2x2xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<2x2x2x2xf32> -> !tensoraccess.access<2 | 2x2x2xf32>
  %3 = tensoraccess.cart_prod %1, %2
     : !tensoraccess.access<1x1x2x2 | 2x2x2xf32>,
       !tensoraccess.access<2 | 2x2x2xf32>
    -> !tensoraccess.access<1x1x2x2x2 | 2x2x2x2xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<1x1x2x2x2 | 2x2x2x2xf32>
    -> !tensoraccess.access<1x1x2x2x2 | f32>
  %5 = tensoraccess.squeeze %4 axis 1
     : !tensoraccess.access<1x1x2x2x2 | f32>
    -> !tensoraccess.access<1x2x2x2 | f32>
  %6 = tensoraccess.transpose %5 perm = [0, 3, 1, 2]
     : !tensoraccess.access<1x2x2x2 | f32> -> !tensoraccess.access<1x2x2x2 | f32>
  %7 = tensoraccess.to_tensor %6
     : !tensoraccess.access<1x2x2x2 | f32> -> tensor<1x2x2x2xf32>
  return %7 : tensor<1x2x2x2xf32>
})mlir",
                         {activations, weights});
  expectBitEqual(result, floats({1, 2, 2, 2}, {12, 16, 24, 28, //
                                               -8, -6, -2, 0}));
}

// ((N, C), (H, W)) → ((N, C, H', W'), (Kh, Kw)) → ((N, C, H', W'), ()).
TEST_F(RunTest, max_pooling_of_the_seed) {
  Tensor activations =
      floats({1, 2, 4, 3}, {1,  5,  2,  0,  -1, 3,  7, 2, 2, 4, 8, 6, //
                            -1, -2, -3, -4, -5, -6, 0, 1, 0, 1, 0, 9});
  Tensor result = runOne(R"mlir(
func.func @main(%x: tensor<1x2x4x3xf32>) -> tensor<1x2x2x2xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<1x2x4x3xf32> -> !tensoraccess.access<1x2 | 4x3xf32>
  %1 = tensoraccess.windows %0 shape = [2, 2] strides = [2, 1]
     : !tensoraccess.access<1x2 | 4x3xf32>
    -> !tensoraccess.access<1x2x2x2 | 2x2xf32>
  %2 = tensoraccess.compute reduce_max %1
     : !tensoraccess.access<1x2x2x2 | 2x2xf32>
    -> !tensoraccess.access<1x2x2x2 | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<1x2x2x2 | f32> -> tensor<1x2x2x2xf32>
  return %3 : tensor<1x2x2x2xf32>
})mlir",
                         {activations});
  expectBitEqual(result, floats({1, 2, 2, 2}, {5, 5, 8, 8, -1, -2, 1, 9}));
}

// A stencil that goes round: windows of a slice under `wrap`.
TEST_F(RunTest, windows_of_a_circle) {
  Tensor result = runOne(R"mlir(
func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<5xf32> -> !tensoraccess.access<| 5xf32>
  %1 = tensoraccess.slice %0 offsets = [-1] sizes = [7]
       oob = [wrap]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 7xf32>
  %2 = tensoraccess.windows %1 shape = [3] strides = [1]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<5 | 3xf32>
  %3 = tensoraccess.compute reduce_sum %2
     : !tensoraccess.access<5 | 3xf32> -> !tensoraccess.access<5 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<5 | f32> -> tensor<5xf32>
  return %4 : tensor<5xf32>
})mlir",
                         {floats({5}, {1, 10, 100, 1000, 10000})});
  expectBitEqual(result, floats({5}, {10011, 111, 1110, 11100, 11001}));
}

//===----------------------------------------------------------------------===//
// Accelerators
//===----------------------------------------------------------------------===//

const char *call = R"mlir(
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<3xf32> -> !tensoraccess.access<| 3xf32>
  %1 = tensoraccess.accelerator_call "square"(%0, %0)
     : (!tensoraccess.access<| 3xf32>, !tensoraccess.access<| 3xf32>)
    -> !tensoraccess.access<| 3xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<| 3xf32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
})mlir";

TEST_F(RunTest, accelerator_runs_its_model) {
  Tensor x = floats({3}, {1, -2, 3});
  EXPECT_EQ(errorOf(call, {x}),
            "5: 'tensoraccess.accelerator_call' op there is no functional "
            "model of accelerator 'square'\n");
  registerAccelerator("square", [](ArrayRef<AccessPattern> operands,
                                   const AcceleratorResult &) {
    return kernels::elementwiseMul(
        llvm::cantFail(kernels::pair(operands[0], operands[1])));
  });
  expectBitEqual(runOne(call, {x}), floats({3}, {1, 4, 9}));
  // A model whose result is not of the written type.
  registerAccelerator("square", [](ArrayRef<AccessPattern> operands,
                                   const AcceleratorResult &) {
    return kernels::reduceSum(operands[0]);
  });
  EXPECT_NE(errorOf(call, {x}).find("5: "), std::string::npos);
  registerAccelerator("square", nullptr);
}

} // namespace
