//===- RankRunsTest.cpp - What goes wrong between ranks -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of ranks that do not fit together end with an error that says so.
//
//===----------------------------------------------------------------------===//

#include "../Interpreter/Run.h"
#include "TensorAccess/Interpreter/Interpreter.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class RankRunsTest : public RunTest {
protected:
  /// Two programs on blocks of tensor<4xi32> that exchange by these lists and
  /// return shards at these offsets; what the run says.
  std::string run(StringRef first, StringRef second, int secondOffset = 2) {
    messages.clear();
    auto program = [&](int rank, StringRef lists, int offset) {
      std::string n = std::to_string(rank);
      return "func.func @main_" + n +
             "(%x: tensor<2xi32> {tensoraccess.shard = {offsets = array<i64: " +
             std::to_string(2 * rank) +
             ">, shape = array<i64: 4>}}) -> (tensor<2xi32> "
             "{tensoraccess.shard = {offsets = array<i64: " +
             std::to_string(offset) +
             ">, shape = array<i64: 4>}}) attributes {tensoraccess.program = "
             "\"main\", tensoraccess.rank = " +
             n + " : i64} {\n%0 = tensoraccess.exchange %x into %x tag 3 " +
             lists.str() +
             " : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>\n"
             "return %0 : tensor<2xi32> }\n";
    };
    module = parseSourceString<ModuleOp>(
        "module attributes {tensoraccess.ranks = 2 : i64} {\n" +
            program(0, first, 0) + program(1, second, secondOffset) + "}",
        &context);
    EXPECT_TRUE(module) << messages;
    Tensor input = random({4}, ElementType::I32);
    auto results = interpretSharded(*module, "main", {input});
    return succeeded(results) ? "fine" : messages;
  }
  void expectPart(const std::string &text, StringRef part) {
    EXPECT_NE(text.find(part.str()), std::string::npos) << text;
  }
};

TEST_F(RankRunsTest, SaysWhatDoesNotFit) {
  StringRef toOther = "send [1: [0] x [2]] receive [1: [0] x [2]]";
  EXPECT_EQ(run(toOther, "send [0: [0] x [2]] receive [0: [0] x [2]]"), "fine");
  expectPart(run("send [2: [0] x [2]] receive []", "send [] receive []"),
             "names rank 2, but there are 2");
  expectPart(
      run("send [] receive [1: [0] x [2]]", "send [] receive []"),
      "rank 0 waits for a message of tag 3 from rank 1, which has ended");
  expectPart(
      run("send [] receive [1: [0] x [2]]", "send [] receive [0: [0] x [2]]"),
      "rank 0 waits for a message of tag 3 from rank 1, which sends none");
  expectPart(
      run("send [1: [0] x [1]] receive []", "send [] receive [0: [0] x [2]]"),
      "rank 0 sends 1 elements of i32, but rank 1 receives 2 of i32");
  expectPart(run("send [] receive []", "send [] receive []", 0),
             "result 0 differs between ranks 0 and 1 in [0, 2)");
  expectPart(run(toOther, "send [0: [0] x [2]] receive []", 0),
             "result 0 has no rank for [2, 4)");
}

TEST_F(RankRunsTest, ChecksWholeInputs) {
  StringRef toOther = "send [1: [0] x [2]] receive [1: [0] x [2]]";
  EXPECT_EQ(run(toOther, "send [0: [0] x [2]] receive [0: [0] x [2]]"), "fine");
  auto errorWith = [&](SmallVector<Tensor> inputs) {
    messages.clear();
    EXPECT_TRUE(failed(interpretSharded(*module, "main", inputs)));
    return messages;
  };
  expectPart(errorWith({}), "takes 1 inputs, got 0");
  expectPart(errorWith({random({5}, ElementType::I32)}),
             "input 0 must have the shape 4, got");
  expectPart(errorWith({random({4}, ElementType::I64)}),
             "input 0 must have elements of 'i32', got");
}

TEST_F(RankRunsTest, NeedsRanks) {
  expectPart(errorOf("func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
                     "%0 = tensoraccess.exchange %x into %x tag 0 "
                     "send [1: [0] x [2]] receive [] : tensor<2xi32>, "
                     "tensor<2xi32> -> tensor<2xi32>\n"
                     "return %0 : tensor<2xi32> }",
                     {random({2}, ElementType::I32)}),
             "has messages for other ranks, but one rank runs alone");
  messages.clear();
  EXPECT_TRUE(failed(
      interpretSharded(*module, "main", {random({2}, ElementType::I32)})));
  expectPart(messages, "is not cut for ranks: it has no tensoraccess.ranks");
}

} // namespace
