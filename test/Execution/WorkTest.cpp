//===- WorkTest.cpp - Tests of counting arithmetic ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Counts the only function of a program; {-1, -1} where it is unknown.
static std::pair<int64_t, int64_t> count(StringRef text) {
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  EXPECT_TRUE(module);
  std::optional<Work> work = countWork(*module->getOps<func::FuncOp>().begin());
  return work ? std::pair(work->operations, work->depth)
              : std::pair<int64_t, int64_t>(-1, -1);
}

using Pair = std::pair<int64_t, int64_t>;

// 3x7 elements, each five products and five sums.
TEST(Work, Matmul) {
  EXPECT_EQ(count(R"(
    func.func @f(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>,
                 %c: tensor<3x7xf32>) -> tensor<3x7xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                         outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
      return %0 : tensor<3x7xf32>
    })"),
            Pair(210, 10));
}

// The same as an access program: the tuple's product and the sum.
TEST(Work, DotProd) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: !tensoraccess.access<3x7 | 2x5xf32>)
        -> !tensoraccess.access<3x7 | f32> {
      %0 = tensoraccess.compute dot_prod %x
         : !tensoraccess.access<3x7 | 2x5xf32>
        -> !tensoraccess.access<3x7 | f32>
      return %0 : !tensoraccess.access<3x7 | f32>
    })"),
            Pair(210, 10));
}

// Fifteen elements in three items: a sum and a quotient each; a difference, an
// exponential, a sum and a quotient an element; an array's products and sums.
TEST(Work, OtherKinds) {
  auto countKind = [](std::string kind, std::string result) {
    return count("func.func @f(%x: !tensoraccess.access<3 | 5xf32>) {\n"
                 "  %0 = tensoraccess.compute " +
                 kind +
                 " %x : !tensoraccess.access<3 | 5xf32> -> "
                 "!tensoraccess.access<3 | " +
                 result + ">\n  return\n}");
  };
  EXPECT_EQ(countKind("reduce_mean", "f32"), Pair(18, 6));
  EXPECT_EQ(countKind("softmax", "5xf32"), Pair(60, 8));
  EXPECT_EQ(countKind("sqrt", "5xf32"), Pair(15, 1));
  EXPECT_EQ(countKind("negative", "5xf32"), Pair(0, 0));
  EXPECT_EQ(count(R"(
    func.func @f(%x: !tensoraccess.access<3 | 5xf32>,
                 %w: !tensoraccess.access<| 5x7xf32>) {
      %0 = tensoraccess.systolic_array %x, %w rows = 5 cols = 7
         : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
        -> !tensoraccess.access<3x7 | f32>
      return
    })"),
            Pair(210, 10));
  EXPECT_EQ(count(R"(
    func.func @f(%x: !tensoraccess.access<3 | 5xf32>,
                 %w: !tensoraccess.access<| 5x7xf32>) {
      %0 = tensoraccess.systolic_array %x, %w rows = 2 cols = 4 blocked
         : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
        -> !tensoraccess.access<3x7 | f32>
      return
    })"),
            Pair(210, 10));
  EXPECT_EQ(count(R"(
    func.func @f(%x: !tensoraccess.access<3 | 5xf32>) {
      %0 = tensoraccess.accelerator_call "f"(%x)
         : (!tensoraccess.access<3 | 5xf32>) -> !tensoraccess.access<3 | 5xf32>
      return
    })"),
            Pair(-1, -1));
}

// Movement is free; elementwise ops are one operation an element.
TEST(Work, MovementAndElementwise) {
  EXPECT_EQ(count(R"(
    func.func @f(%x: tensor<3x5xf32>) -> tensor<2x3xf32> {
      %0 = tensor.extract_slice %x[1, 2] [2, 3] [1, 1]
         : tensor<3x5xf32> to tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    })"),
            Pair(0, 0));
  EXPECT_EQ(count(R"(
    func.func @f(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %0 = arith.mulf %x, %x : tensor<3x5xf32>
      %1 = math.exp %0 : tensor<3x5xf32>
      return %1 : tensor<3x5xf32>
    })"),
            Pair(30, 2));
}

// Dynamic sizes, calls, and unknown ops have no count.
TEST(Work, Unknown) {
  EXPECT_EQ(count("func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {"
                  "  %0 = arith.mulf %x, %x : tensor<?xf32>"
                  "  return %0 : tensor<?xf32> }"),
            Pair(-1, -1));
  EXPECT_EQ(count("func.func @f() { call @f() : () -> () return }"),
            Pair(-1, -1));
}
