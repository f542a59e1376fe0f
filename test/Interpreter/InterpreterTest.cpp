//===- InterpreterTest.cpp - Programs and what they compute ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

//===----------------------------------------------------------------------===//
// Access programs
//===----------------------------------------------------------------------===//

// The same convolution as access patterns and as linalg: both sum in row-major
// order of the window, so that they agree bit by bit.
TEST_F(RunTest, convolution_equals_linalg) {
  Tensor image = random({1, 9, 8, 3}), weights = random({3, 2, 3, 5});
  Tensor access = runOne(R"mlir(
func.func @main(%image: tensor<1x9x8x3xf32>, %weights: tensor<3x2x3x5xf32>)
    -> tensor<1x4x7x5xf32> {
  %a = tensoraccess.access %image at 1
    : tensor<1x9x8x3xf32> -> !tensoraccess.access<1 | 9x8x3xf32>
  %w = tensoraccess.windows %a shape = [3, 2, 3] strides = [2, 1, 1]
    : !tensoraccess.access<1 | 9x8x3xf32>
    -> !tensoraccess.access<1x4x7x1 | 3x2x3xf32>
  %s = tensoraccess.squeeze %w axis 3
    : !tensoraccess.access<1x4x7x1 | 3x2x3xf32>
    -> !tensoraccess.access<1x4x7 | 3x2x3xf32>
  %b = tensoraccess.access %weights at 1
    : tensor<3x2x3x5xf32> -> !tensoraccess.access<3 | 2x3x5xf32>
  %t = tensoraccess.transpose %b perm = [3, 0, 1, 2]
    : !tensoraccess.access<3 | 2x3x5xf32> -> !tensoraccess.access<5 | 3x2x3xf32>
  %p = tensoraccess.cart_prod %s, %t
    : !tensoraccess.access<1x4x7 | 3x2x3xf32>,
      !tensoraccess.access<5 | 3x2x3xf32>
    -> !tensoraccess.access<1x4x7x5 | 2x3x2x3xf32>
  %d = tensoraccess.compute dot_prod %p
    : !tensoraccess.access<1x4x7x5 | 2x3x2x3xf32>
    -> !tensoraccess.access<1x4x7x5 | f32>
  %r = tensoraccess.to_tensor %d
    : !tensoraccess.access<1x4x7x5 | f32> -> tensor<1x4x7x5xf32>
  return %r : tensor<1x4x7x5xf32>
})mlir",
                         {image, weights});
  Tensor linalg = runOne(R"mlir(
func.func @main(%image: tensor<1x9x8x3xf32>, %weights: tensor<3x2x3x5xf32>)
    -> tensor<1x4x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x7x5xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x7x5xf32>)
    -> tensor<1x4x7x5xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%image, %weights : tensor<1x9x8x3xf32>, tensor<3x2x3x5xf32>)
    outs(%fill : tensor<1x4x7x5xf32>) -> tensor<1x4x7x5xf32>
  return %r : tensor<1x4x7x5xf32>
})mlir",
                         {image, weights});
  expectBitEqual(access, linalg);
  EXPECT_NE(access.getDouble({0, 3, 6, 4}), 0);
}

// Every op of the dialect that the convolution leaves out.
TEST_F(RunTest, all_access_ops_run) {
  Tensor input = random({3, 5});
  Tensor result = runOne(R"mlir(
func.func @main(%x: tensor<3x5xf32>) -> tensor<4x1xf32> {
  %0 = tensoraccess.access %x at 1
    : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.pad %0 low = [1, 0] high = [0, 1] value = -7.0 : f32
    : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<4 | 6xf32>
  %2 = tensoraccess.insert_axis %1 axis 1
    : !tensoraccess.access<4 | 6xf32> -> !tensoraccess.access<4x1 | 6xf32>
  %3 = tensoraccess.reshape %2
    : !tensoraccess.access<4x1 | 6xf32> -> !tensoraccess.access<2x2 | 2x3xf32>
  %4 = tensoraccess.flatten %3
    : !tensoraccess.access<2x2 | 2x3xf32> -> !tensoraccess.access<4 | 6xf32>
  %5 = tensoraccess.materialize %4
    : !tensoraccess.access<4 | 6xf32> -> !tensoraccess.access<4 | 6xf32>
  %6 = tensoraccess.cart_prod %5, %5
    : !tensoraccess.access<4 | 6xf32>, !tensoraccess.access<4 | 6xf32>
    -> !tensoraccess.access<4x4 | 2x6xf32>
  %7 = tensoraccess.compute elementwise_add %6
    : !tensoraccess.access<4x4 | 2x6xf32> -> !tensoraccess.access<4x4 | 6xf32>
  %8 = tensoraccess.compute elementwise_mul %6
    : !tensoraccess.access<4x4 | 2x6xf32> -> !tensoraccess.access<4x4 | 6xf32>
  %9 = tensoraccess.compute relu %7
    : !tensoraccess.access<4x4 | 6xf32> -> !tensoraccess.access<4x4 | 6xf32>
  %a = tensoraccess.compute reduce_sum %9
    : !tensoraccess.access<4x4 | 6xf32> -> !tensoraccess.access<4x4 | f32>
  %b = tensoraccess.compute reduce_max %8
    : !tensoraccess.access<4x4 | 6xf32> -> !tensoraccess.access<4x4 | f32>
  %c = tensoraccess.to_tensor %a
    : !tensoraccess.access<4x4 | f32> -> tensor<4x4xf32>
  %d = tensoraccess.to_tensor %b
    : !tensoraccess.access<4x4 | f32> -> tensor<4x4xf32>
  %e = arith.subf %c, %d : tensor<4x4xf32>
  %f = tensor.extract_slice %e[0, 3] [4, 1] [1, 1]
    : tensor<4x4xf32> to tensor<4x1xf32>
  return %f : tensor<4x1xf32>
})mlir",
                         {input});
  auto at = [&](int64_t i, int64_t j) -> float {
    return i == 0 || j == 5 ? -7 : input.getDouble({i - 1, j});
  };
  for (int64_t i = 0; i < 4; ++i) {
    float sum = 0, most = -1e9;
    for (int64_t j = 0; j < 6; ++j) {
      sum += std::max(at(i, j) + at(3, j), 0.0f);
      most = std::max(most, at(i, j) * at(3, j));
    }
    EXPECT_EQ(result.getDouble({i, 0}), sum - most);
  }
}

// Shapes come from the inputs: windows and reshape of `?`.
TEST_F(RunTest, dynamic_shapes) {
  Tensor result = runOne(R"mlir(
func.func @main(%x: tensor<?xf32>) -> tensor<?x6xf32> {
  %0 = tensoraccess.access %x at 0
    : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.windows %0 shape = [6] strides = [2]
    : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 6xf32>
  %2 = tensoraccess.reshape %1
    : !tensoraccess.access<? | 6xf32> -> !tensoraccess.access<?x1 | 2x3xf32>
  %3 = tensoraccess.flatten %2
    : !tensoraccess.access<?x1 | 2x3xf32> -> !tensoraccess.access<? | 6xf32>
  %4 = tensoraccess.to_tensor %3
    : !tensoraccess.access<? | 6xf32> -> tensor<?x6xf32>
  return %4 : tensor<?x6xf32>
})mlir",
                         {random({11})});
  EXPECT_EQ(result.getShape(), ArrayRef<int64_t>({3, 6}));
  EXPECT_NE(errorOf(R"mlir(
func.func @main(%x: tensor<?xf32>) -> tensor<?x6xf32> {
  %0 = tensoraccess.access %x at 0
    : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.windows %0 shape = [6] strides = [2]
    : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 6xf32>
  %2 = tensoraccess.to_tensor %1
    : !tensoraccess.access<? | 6xf32> -> tensor<?x6xf32>
  return %2 : tensor<?x6xf32>
})mlir",
                    {random({5})})
                .find("5: 'tensoraccess.windows' op window of 6 with stride 2 "
                      "and dilation 1 does not fit in compute dimension 0 of "
                      "size 5"),
            std::string::npos)
      << messages;
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

TEST_F(RunTest, generic_with_index_and_capture) {
  // result[i][j] = x[j] + 10·i + factor·j, with a captured factor.
  Tensor result = runOne(R"mlir(
#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<5xi64>, %factor: i64) -> tensor<3x5xi64> {
  %empty = tensor.empty() : tensor<3x5xi64>
  %ten = arith.constant 10 : i64
  %r = linalg.generic {indexing_maps = [#row, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5xi64>) outs(%empty : tensor<3x5xi64>) {
  ^bb0(%in: i64, %out: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %a = arith.muli %i64, %ten : i64
    %b = arith.muli %j64, %factor : i64
    %c = arith.addi %a, %b : i64
    %d = arith.addi %in, %c : i64
    linalg.yield %d : i64
  } -> tensor<3x5xi64>
  return %r : tensor<3x5xi64>
})mlir",
                         {floats({5}, {1, 2, 3, 4, 5}, ElementType::I64),
                          Tensor::scalarInt(ElementType::I64, 100)});
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(result.getInt({i, j}), j + 1 + 10 * i + 100 * j);
}

// Constants in a map, a map that is not linear, two results, and a gather by
// tensor.extract.
TEST_F(RunTest, generic_with_any_map) {
  FailureOr<SmallVector<Tensor>> results =
      run(R"mlir(
func.func @main(%x: tensor<3x4xi32>, %table: tensor<7xi32>)
    -> (tensor<12xi32>, tensor<12xi32>) {
  %empty = tensor.empty() : tensor<12xi32>
  %a, %b = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i floordiv 4, i mod 4)>,
                       affine_map<(i) -> (2, 3)>,
                       affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x, %x : tensor<3x4xi32>, tensor<3x4xi32>)
      outs(%empty, %empty : tensor<12xi32>, tensor<12xi32>) {
  ^bb0(%in: i32, %last: i32, %o0: i32, %o1: i32):
    %sum = arith.addi %in, %last : i32
    %i = linalg.index 0 : index
    %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    %entry = tensor.extract %table[%half] : tensor<7xi32>
    linalg.yield %sum, %entry : i32, i32
  } -> (tensor<12xi32>, tensor<12xi32>)
  return %a, %b : tensor<12xi32>, tensor<12xi32>
})mlir",
          {random({3, 4}, ElementType::I32), random({7}, ElementType::I32)});
  ASSERT_TRUE(succeeded(results)) << messages;
  Tensor x = random({3, 4}, ElementType::I32);
  Tensor table = random({7}, ElementType::I32);
  for (int64_t i = 0; i < 12; ++i) {
    EXPECT_EQ((*results)[0].getInt({i}),
              x.getInt({i / 4, i % 4}) + x.getInt({2, 3}));
    EXPECT_EQ((*results)[1].getInt({i}), table.getInt({i / 2}));
  }
}

// Named ops by their regions; a reduction reads what it wrote before.
TEST_F(RunTest, named_ops) {
  Tensor a = random({3, 5}), b = random({5, 7}), c = random({3, 7});
  Tensor result = runOne(R"mlir(
func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<3x7xf32>)
    -> tensor<7x3xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
    outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  %e = tensor.empty() : tensor<7x3xf32>
  %t = linalg.transpose ins(%m : tensor<3x7xf32>) outs(%e : tensor<7x3xf32>)
    permutation = [1, 0]
  return %t : tensor<7x3xf32>
})mlir",
                         {a, b, c});
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 7; ++j) {
      float sum = c.getDouble({i, j});
      for (int64_t k = 0; k < 5; ++k)
        sum = std::fma(float(a.getDouble({i, k})), float(b.getDouble({k, j})),
                       sum);
      EXPECT_EQ(result.getDouble({j, i}), sum);
    }
}

TEST_F(RunTest, linalg_faults) {
  const char *matmul = R"mlir(
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %m : tensor<?x?xf32>
})mlir";
  EXPECT_EQ(errorOf(matmul, {random({3, 5}), random({4, 7}), random({3, 7})}),
            "4: 'linalg.matmul' op dimension 0 of operand 1 must be 5, the "
            "size of loop 2, got 4\n");
  EXPECT_EQ(errorOf(R"mlir(
func.func @main(%x: tensor<?xf32>, %k: tensor<?xf32>, %o: tensor<?xf32>)
    -> tensor<?xf32> {
  %m = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<?xf32>)
    outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
})mlir",
                    {random({9}), random({3}), random({8})}),
            "4: 'linalg.conv_1d' op operand 0 is accessed at index 9 of "
            "dimension 0, which must lie in [0, 9)\n");
  EXPECT_EQ(errorOf(R"mlir(
func.func @main(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 7)>,
                                        affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %m : tensor<?xf32>
})mlir",
                    {random({5}), random({8})}),
            "3: 'linalg.generic' op operand 0 is accessed at index 5 of "
            "dimension 0, which must lie in [0, 5)\n");
  EXPECT_EQ(errorOf(R"mlir(
func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> {
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      outs(%x : tensor<3xi32>) {
  ^bb0(%out: i32):
    %zero = arith.constant 0 : i32
    %q = arith.divsi %out, %zero : i32
    linalg.yield %q : i32
  } -> tensor<3xi32>
  return %m : tensor<3xi32>
})mlir",
                    {floats({3}, {7, 8, 9}, ElementType::I32)}),
            "8: 'arith.divsi' op divides 7 by zero\n");
  EXPECT_EQ(errorOf(R"mlir(
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      outs(%x : tensor<3xf32>) {
  ^bb0(%out: f32):
    %q = "other.op"(%out) : (f32) -> f32
    linalg.yield %q : f32
  } -> tensor<3xf32>
  return %m : tensor<3xf32>
})mlir",
                    {random({3})}),
            "7: the interpreter cannot run 'other.op'\n");
  EXPECT_EQ(errorOf(R"mlir(
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %m = "other.op"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %m : tensor<3xf32>
})mlir",
                    {random({3})}),
            "3: the interpreter cannot run 'other.op'\n");
}

// What pack and unpack of dynamic shapes leave undefined is an error.
TEST_F(RunTest, pack_and_unpack_check_their_shapes) {
  StringRef pack = R"mlir(
func.func @main(%x: tensor<?xf32>, %d: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = linalg.pack %x inner_dims_pos = [0] inner_tiles = [4] into %d
    : tensor<?xf32> -> tensor<?x4xf32>
  return %m : tensor<?x4xf32>
})mlir";
  EXPECT_EQ(errorOf(pack, {random({7}), random({2, 4})}),
            "3: 'linalg.pack' op needs a padding value: dimension 0 of size 7 "
            "is not a multiple of tile 4\n");
  EXPECT_EQ(errorOf(pack, {random({8}), random({3, 4})}),
            "3: 'linalg.pack' op packed shape must be 2x4, got 3x4\n");
  StringRef unpack = R"mlir(
func.func @main(%x: tensor<?x?xf32>, %d: tensor<?xf32>, %t: index)
    -> tensor<?xf32> {
  %m = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [%t] into %d
    : tensor<?x?xf32> -> tensor<?xf32>
  return %m : tensor<?xf32>
})mlir";
  auto index = [](int64_t i) { return Tensor::scalarInt(ElementType::I64, i); };
  EXPECT_EQ(errorOf(unpack, {random({2, 4}), random({9}), index(4)}),
            "4: 'linalg.unpack' op packed shape must be 3x4, got 2x4\n");
  EXPECT_EQ(errorOf(unpack, {random({2, 4}), random({7}), index(0)}),
            "4: 'linalg.unpack' op tile 0 must be positive, got 0\n");
  // Whole tiles may be left out.
  EXPECT_TRUE(succeeded(run(unpack, {random({5, 4}), random({7}), index(4)})))
      << messages;
  EXPECT_EQ(errorOf(R"mlir(
func.func @main(%x: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %m = linalg.softmax dimension(0) ins(%x : tensor<?xf32>)
    outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %m : tensor<?xf32>
})mlir",
                    {random({3}), random({4})}),
            "3: 'linalg.softmax' op input and output must have one shape, got "
            "f32 3 and f32 4\n");
}

//===----------------------------------------------------------------------===//
// tensor
//===----------------------------------------------------------------------===//

TEST_F(RunTest, pad_by_constant_and_by_region) {
  FailureOr<SmallVector<Tensor>> results =
      run(R"mlir(
func.func @main(%x: tensor<3x5xi64>, %n: index)
    -> (tensor<4x7xi64>, tensor<?x6xi64>) {
  %c = arith.constant 9 : i64
  %0 = tensor.pad %x low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i64
  } : tensor<3x5xi64> to tensor<4x7xi64>
  %1 = tensor.pad %x low[0, 1] high[%n, 0] {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    %t = arith.index_cast %s : index to i64
    tensor.yield %t : i64
  } : tensor<3x5xi64> to tensor<?x6xi64>
  return %0, %1 : tensor<4x7xi64>, tensor<?x6xi64>
})mlir",
          {random({3, 5}, ElementType::I64),
           Tensor::scalarInt(ElementType::I64, 2)});
  ASSERT_TRUE(succeeded(results)) << messages;
  Tensor x = random({3, 5}, ElementType::I64);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 7; ++j)
      EXPECT_EQ((*results)[0].getInt({i, j}),
                i == 0 || j > 4 ? 9 : x.getInt({i - 1, j}));
  EXPECT_EQ((*results)[1].getShape(), ArrayRef<int64_t>({5, 6}));
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 6; ++j)
      EXPECT_EQ((*results)[1].getInt({i, j}),
                i > 2 || j == 0 ? i + j : x.getInt({i, j - 1}));
}

TEST_F(RunTest, shapes_slices_and_elements) {
  Tensor x = random({4, 6}, ElementType::I64);
  Tensor result = runOne(R"mlir(
func.func @main(%x: tensor<4x6xi64>, %one: index) -> tensor<2x3x?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // x without its first row, every other column: rows 1..3, columns 1, 3, 5.
  %s = tensor.extract_slice %x[%one, 1] [3, 3] [1, 2]
    : tensor<4x6xi64> to tensor<3x3xi64>
  %row = tensor.extract_slice %x[0, 0] [1, 3] [1, 1]
    : tensor<4x6xi64> to tensor<3xi64>
  %i = tensor.insert_slice %row into %s[1, 0] [1, 3] [1, 1]
    : tensor<3xi64> into tensor<3x3xi64>
  %e = tensor.extract %x[%c0, %one] : tensor<4x6xi64>
  %j = tensor.insert %e into %i[%c0, %c0] : tensor<3x3xi64>
  %n = tensor.dim %x, %c1 : tensor<4x6xi64>
  %n64 = arith.index_cast %n : index to i64
  %f = tensor.from_elements %n64, %e, %n64 : tensor<3xi64>
  %g = tensor.expand_shape %f [[0, 1]] output_shape [1, 3]
    : tensor<3xi64> into tensor<1x3xi64>
  %h = tensor.concat dim(0) %j, %g
    : (tensor<3x3xi64>, tensor<1x3xi64>) -> tensor<4x3xi64>
  %k = tensor.collapse_shape %h [[0, 1]] : tensor<4x3xi64> into tensor<12xi64>
  %l = tensor.cast %k : tensor<12xi64> to tensor<?xi64>
  %shape = arith.constant dense<[2, 3, 2]> : tensor<3xindex>
  %m = tensor.reshape %l(%shape)
    : (tensor<?xi64>, tensor<3xindex>) -> tensor<2x3x?xi64>
  return %m : tensor<2x3x?xi64>
})mlir",
                         {x, Tensor::scalarInt(ElementType::I64, 1)});
  auto at = [&](int64_t i, int64_t j) { return x.getInt({i, j}); };
  int64_t expected[] = {at(0, 1), at(1, 3), at(1, 5), at(0, 0),
                        at(0, 1), at(0, 2), at(3, 1), at(3, 3),
                        at(3, 5), 6,        at(0, 1), 6};
  ASSERT_EQ(result.getShape(), ArrayRef<int64_t>({2, 3, 2}));
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ(result.getInt({i / 6, i / 2 % 3, i % 2}), expected[i]) << i;
}

TEST_F(RunTest, generate_splat_and_rank) {
  Tensor result = runOne(R"mlir(
func.func @main(%n: index, %v: index) -> tensor<?x3xindex> {
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.muli %i, %j : index
    tensor.yield %s : index
  } : tensor<?x3xindex>
  %r = tensor.rank %g : tensor<?x3xindex>
  %m = arith.muli %r, %v : index
  %p = tensor.splat %m[%n] : tensor<?x3xindex>
  %sum = arith.addi %g, %p : tensor<?x3xindex>
  return %sum : tensor<?x3xindex>
})mlir",
                         {Tensor::scalarInt(ElementType::I64, 5),
                          Tensor::scalarInt(ElementType::I64, 50)});
  EXPECT_EQ(result.getShape(), ArrayRef<int64_t>({5, 3}));
  EXPECT_EQ(result.getInt({4, 2}), 108);
}

TEST_F(RunTest, tensor_faults) {
  auto program = [](StringRef type, StringRef op) {
    return (Twine("func.func @main(%x: tensor<3x?xf32>, %i: index) -> ") +
            type + " {\n  " + op + "\n  return %r : " + type + "\n}")
        .str();
  };
  auto index = [](int64_t value) {
    return Tensor::scalarInt(ElementType::I64, value);
  };
  std::string extract =
      program("f32", "%r = tensor.extract %x[%i, %i] : tensor<3x?xf32>");
  EXPECT_EQ(errorOf(extract, {random({3, 2}), index(2)}),
            "2: 'tensor.extract' op index 2 of dimension 1 must lie in "
            "[0, 2)\n");
  EXPECT_EQ(errorOf(extract, {random({3, 2}), index(-1)}),
            "2: 'tensor.extract' op index -1 of dimension 0 must lie in "
            "[0, 3)\n");
  std::string slice = program(
      "tensor<2x?xf32>", "%r = tensor.extract_slice %x[%i, 0] [2, %i] [1, 1] : "
                         "tensor<3x?xf32> to tensor<2x?xf32>");
  EXPECT_EQ(errorOf(slice, {random({3, 7}), index(2)}),
            "2: 'tensor.extract_slice' op index 3 of dimension 0 must lie in "
            "[0, 3)\n");
  EXPECT_EQ(errorOf(slice, {random({3, 7}), index(-2)}),
            "2: 'tensor.extract_slice' op index -2 of dimension 0 must lie in "
            "[0, 3)\n");
  std::string negative = program(
      "tensor<2x?xf32>", "%r = tensor.extract_slice %x[0, 0] [2, %i] [1, 1] : "
                         "tensor<3x?xf32> to tensor<2x?xf32>");
  EXPECT_EQ(errorOf(negative, {random({3, 7}), index(-2)}),
            "2: 'tensor.extract_slice' op size of dimension 1 must not be "
            "negative, got -2\n");
  EXPECT_EQ(
      errorOf(program("tensor<?xf32>", "%r = tensor.empty(%i) : tensor<?xf32>"),
              {random({3, 7}), index(-4)}),
      "2: 'tensor.empty' op size 0 of a tensor must not be negative, got "
      "-4\n");
  EXPECT_EQ(errorOf(program("tensor<3x5xf32>",
                            "%r = tensor.cast %x : tensor<3x?xf32> to "
                            "tensor<3x5xf32>"),
                    {random({3, 7}), index(0)}),
            "2: 'tensor.cast' op result 0 must be 'tensor<3x5xf32>', got f32 "
            "3x7\n");
  EXPECT_EQ(
      errorOf(program("index", "%r = tensor.dim %x, %i : tensor<3x?xf32>"),
              {random({3, 7}), index(2)}),
      "2: 'tensor.dim' op dimension must lie in [0, 2), got 2\n");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST_F(RunTest, calls_nest_and_values_outlive_them) {
  Tensor result = runOne(R"mlir(
func.func private @twice(%x: tensor<3xf32>) -> (tensor<3xf32>, f32) {
  %half = arith.constant 0.5 : f32
  %y = arith.addf %x, %x : tensor<3xf32>
  return %y, %half : tensor<3xf32>, f32
}
func.func private @four(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y, %h = call @twice(%x) : (tensor<3xf32>) -> (tensor<3xf32>, f32)
  %z, %i = call @twice(%y) : (tensor<3xf32>) -> (tensor<3xf32>, f32)
  return %z : tensor<3xf32>
}
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = call @four(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %z = arith.subf %y, %x : tensor<3xf32>
  return %z : tensor<3xf32>
})mlir",
                         {floats({3}, {1, 2, -5})});
  expectBitEqual(result, floats({3}, {3, 6, -15}));
}

TEST_F(RunTest, function_faults) {
  const char *program = R"mlir(
func.func private @outside(tensor<3xf32>) -> tensor<3xf32>
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = call @outside(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
})mlir";
  EXPECT_EQ(errorOf(program, {random({3})}),
            "4: 'func.call' op calls @outside, which has no body\n");
  EXPECT_EQ(errorOf(program, {}), "3: 'func.func' op takes 1 inputs, got 0\n");
  EXPECT_EQ(errorOf(program, {random({4})}),
            "3: 'func.func' op input 0 must be 'tensor<3xf32>', got f32 4\n");
  EXPECT_EQ(errorOf(program, {random({3}, ElementType::F64)}),
            "3: 'func.func' op input 0 must be 'tensor<3xf32>', got f64 3\n");
  EXPECT_EQ(errorOf("func.func private @main()"),
            "1: 'func.func' op has no body to run\n");
  EXPECT_EQ(errorOf("func.func @other() { return }"),
            "0: there is no function 'main' with a body; known are other\n");
  EXPECT_EQ(errorOf("func.func @main(%x: f32) -> f32 {\n"
                    "  %y = call @main(%x) : (f32) -> f32\n"
                    "  return %y : f32\n}",
                    {Tensor()}),
            "2: 'func.call' op is nested more than 256 calls deep\n");
  EXPECT_EQ(errorOf("func.func @main() -> f32 {\n"
                    "  %x = \"some.op\"() : () -> f32\n  return %x : f32\n}"),
            "2: the interpreter cannot run 'some.op'\n");
  EXPECT_EQ(errorOf("func.func @main(%c: i1) {\n"
                    "  cf.assert %c, \"c holds\"\n  return\n}",
                    {Tensor::scalarInt(ElementType::I1, 0)}),
            "2: 'cf.assert' op failed: c holds\n");
  EXPECT_EQ(errorOf("func.func @main() -> i128 {\n"
                    "  %c = arith.constant 3 : i128\n  return %c : i128\n}"),
            "2: 'arith.constant' op tensors don't hold elements of type "
            "i128\n");
  EXPECT_EQ(
      errorOf("func.func @main(%x: tensor<3xf32>)\n"
              "    -> !tensoraccess.access<3 | f32> {\n"
              "  %0 = tensoraccess.access %x at 1 : tensor<3xf32> -> "
              "!tensoraccess.access<3 | f32>\n"
              "  return %0 : !tensoraccess.access<3 | f32>\n}",
              {random({3})}),
      "1: 'func.func' op result 0 must be a tensor or a scalar, got f32 <3 | "
      ">\n");
}

TEST_F(RunTest, constants_of_every_kind) {
  FailureOr<SmallVector<Tensor>> results = run(R"mlir(
func.func @main() -> (tensor<2x3xf16>, tensor<3xi1>, tensor<2xi8>, bf16,
                      tensor<2xindex>, tensor<2xi1>, tensor<2xf32>) {
  %0 = arith.constant dense<1.5> : tensor<2x3xf16>
  %1 = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = arith.constant dense<[-128, 7]> : tensor<2xi8>
  %3 = arith.constant 0.1 : bf16
  %4 = arith.constant dense<[-1, 5]> : tensor<2xindex>
  %5 = arith.constant dense<true> : tensor<2xi1>
  %6 = arith.constant dense_resource<weights> : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x3xf16>, tensor<3xi1>,
    tensor<2xi8>, bf16, tensor<2xindex>, tensor<2xi1>, tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: { weights: "0x040000000000803F000000C0" }
  }
#-})mlir");
  ASSERT_TRUE(succeeded(results)) << messages;
  expectBitEqual((*results)[0], floats({2, 3}, {1.5, 1.5, 1.5, 1.5, 1.5, 1.5},
                                       ElementType::F16));
  expectBitEqual((*results)[1], floats({3}, {1, 0, 1}, ElementType::I1));
  expectBitEqual((*results)[2], floats({2}, {-128, 7}, ElementType::I8));
  EXPECT_EQ((*results)[3].getDouble({}), 0.10009765625);
  expectBitEqual((*results)[4], floats({2}, {-1, 5}, ElementType::I64));
  expectBitEqual((*results)[5], floats({2}, {1, 1}, ElementType::I1));
  expectBitEqual((*results)[6], floats({2}, {1, -2}));
}

TEST_F(RunTest, random_inputs_are_streams_of_the_seed) {
  module = parseSourceString<ModuleOp>(
      "func.func @main(%a: tensor<3xf32>, %b: i32, %c: tensor<2x5xi1>) {\n"
      "  return\n}\n"
      "func.func @bad(%a: tensor<?xf32>) {\n  return\n}",
      &context);
  FailureOr<SmallVector<Tensor>> inputs =
      randomInputs(module->lookupSymbol<FunctionOpInterface>("main"), 5);
  ASSERT_TRUE(succeeded(inputs));
  expectBitEqual((*inputs)[0], random({3}));
  expectBitEqual((*inputs)[1], random({}, ElementType::I32, 1));
  expectBitEqual((*inputs)[2], random({2, 5}, ElementType::I1, 2));
  EXPECT_TRUE(failed(
      randomInputs(module->lookupSymbol<FunctionOpInterface>("bad"), 5)));
  EXPECT_EQ(messages,
            "4: 'func.func' op input 0, of type 'tensor<?xf32>', needs "
            "a dynamic size for dimension 0 to be random; sizes given: "
            "0\n");
}

} // namespace
