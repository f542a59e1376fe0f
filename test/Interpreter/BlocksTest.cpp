//===- BlocksTest.cpp - Branches from block to block ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class BlocksTest : public RunTest {
protected:
  int64_t number(StringRef program, ArrayRef<int64_t> inputs) {
    SmallVector<Tensor> tensors;
    for (int64_t input : inputs)
      tensors.push_back(Tensor::scalarInt(ElementType::I64, input));
    return runOne(program, tensors).getInt({});
  }
};

// A loop by blocks: the greatest common divisor, whose arguments trade places.
TEST_F(BlocksTest, branches_bind_all_arguments_at_once) {
  const char *program = R"(
func.func @main(%a: i64, %b: i64) -> i64 {
  %zero = arith.constant 0 : i64
  cf.br ^head(%a, %b : i64, i64)
^head(%x: i64, %y: i64):
  %ends = arith.cmpi eq, %y, %zero : i64
  cf.cond_br %ends, ^end, ^body
^body:
  %rest = arith.remsi %x, %y : i64
  cf.br ^head(%y, %rest : i64, i64)
^end:
  return %x : i64
})";
  for (int64_t a = 1; a < 20; ++a)
    for (int64_t b = 1; b < 20; ++b)
      EXPECT_EQ(number(program, {a, b}), std::gcd(a, b));
}

TEST_F(BlocksTest, switches_take_the_case_or_the_default) {
  const char *program = R"(
func.func @main(%a: i64) -> i64 {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  cf.switch %a : i64, [default: ^last(%a : i64), 5: ^last(%one : i64), -3: ^last(%two : i64)]
^last(%x: i64):
  return %x : i64
})";
  EXPECT_EQ(number(program, {5}), 1);
  EXPECT_EQ(number(program, {-3}), 2);
  EXPECT_EQ(number(program, {7}), 7);
}

TEST_F(BlocksTest, endless_loops_end) {
  module = parseSourceString<ModuleOp>(
      "func.func @main() {\n  cf.br ^a\n^a:\n  cf.br ^a\n}", &context);
  InterpreterOptions options;
  options.maxBranches = 10;
  EXPECT_TRUE(failed(interpret(*module, "main", {}, options)));
  EXPECT_EQ(messages, "4: 'cf.br' op is one of more than 10 branches\n");
}

TEST_F(BlocksTest, operations_are_counted_and_limited) {
  context.loadDialect<scf::SCFDialect>();
  module = parseSourceString<ModuleOp>(R"(
func.func @main(%a: tensor<6x7xf32>, %b: tensor<7x5xf32>) -> tensor<6x5xf32> {
  %0 = tensor.empty() : tensor<6x5xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<6x7xf32>, tensor<7x5xf32>)
                     outs(%0 : tensor<6x5xf32>) -> tensor<6x5xf32>
  %2 = "stablehlo.dot"(%a, %b) : (tensor<6x7xf32>, tensor<7x5xf32>) -> tensor<6x5xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
  }
  return %1 : tensor<6x5xf32>
})",
                                       &context);
  ASSERT_TRUE(module) << messages;
  const std::vector<Tensor> inputs = {floats({6, 7}, std::vector<double>(42)),
                                      floats({7, 5}, std::vector<double>(35))};
  int64_t operations = 0;
  InterpreterOptions options;
  options.operations = &operations;
  EXPECT_TRUE(succeeded(interpret(*module, "main", inputs, options)))
      << messages;
  // Seven ops with results or a loop, and four iterations.
  const int64_t all = 30 + 2 * 6 * 7 * 5 + 3 + (7 + 4) * 512;
  EXPECT_EQ(operations, all);
  options.maxOperations = all;
  EXPECT_TRUE(succeeded(interpret(*module, "main", inputs, options)));
  options.maxOperations = all - 1;
  EXPECT_TRUE(failed(interpret(*module, "main", inputs, options)));
  EXPECT_TRUE(llvm::StringRef(messages).contains(
      "'scf.for' op is one of more than " + std::to_string(all - 1) +
      " operations"))
      << messages;
}

// What MLIR leaves open is remembered, and another run tells what depends on
// it.
TEST_F(BlocksTest, undefined_values_are_remembered) {
  const char *text = R"(
func.func @main(%a: tensor<4xi8>, %b: tensor<4xi8>, %x: f32) -> (tensor<4xi8>, i8, i8) {
  %0 = arith.shli %a, %b : tensor<4xi8>
  %1 = arith.fptosi %x : f32 to i8
  %c = arith.constant 100 : i8
  %2 = arith.addi %c, %c overflow<nsw> : i8
  return %0, %1, %2 : tensor<4xi8>, i8, i8
})";
  module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module) << messages;
  Tensor a = floats({4}, {1, 2, 3, 4}, ElementType::I8),
         b = floats({4}, {1, 8, 3, -1}, ElementType::I8), x = floats({}, {200});
  for (int64_t i = 0; i < 4; ++i) {
    a.setInt({i}, i + 1);
    b.setInt({i}, i == 1 ? 8 : i == 3 ? -1 : i);
  }
  UndefinedValues fixed, others;
  others.takesOthers = true;
  InterpreterOptions options;
  options.undefined = &fixed;
  auto first = interpret(*module, "main", {a, b, x}, options);
  options.undefined = &others;
  auto second = interpret(*module, "main", {a, b, x}, options);
  ASSERT_TRUE(succeeded(first) && succeeded(second)) << messages;
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ((*first)[0].getInt({i}) == (*second)[0].getInt({i}), i % 2 == 0)
        << i;
  EXPECT_EQ((*first)[1].getInt({}), 127);
  EXPECT_NE((*second)[1].getInt({}), 127);
  EXPECT_EQ((*first)[2].getInt({}), -56);
  EXPECT_NE((*second)[2].getInt({}), -56);
  SmallVector<std::string> said;
  for (auto &[op, what] : others.seen)
    said.push_back(what);
  EXPECT_EQ(said, (SmallVector<std::string>{
                      "shifts by 8, the width being 8",
                      "converts 200.000000, which is not a number of its type",
                      "overflows on 100 and 100, in spite of its flags"}));
}

} // namespace
