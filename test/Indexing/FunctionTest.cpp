//===- FunctionTest.cpp - Indexing maps through whole functions -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class Function : public OracleTest {
protected:
  FunctionOpInterface parseFunction(StringRef source, StringRef name = "f") {
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return {};
    return dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(*module, name));
  }
};

/// Point by point, through ops whose maps have domains of their own: what a
/// chain of ops reads is what each of them reads in turn.
TEST_F(Function, PointByPoint) {
  FunctionOpInterface f = parseFunction(R"(
    func.func @f(%x: tensor<5x7xf32>, %y: tensor<2x7xf32>, %w: tensor<3x2xf32>,
                 %o: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %c = arith.constant 0.0 : f32
      %a = tensor.concat dim(0) %x, %y
             : (tensor<5x7xf32>, tensor<2x7xf32>) -> tensor<7x7xf32>
      %b = tensor.extract_slice %a[0, 0] [6, 7] [1, 1]
             : tensor<7x7xf32> to tensor<6x7xf32>
      %d = tensor.extract_slice %a[1, 0] [6, 7] [1, 1]
             : tensor<7x7xf32> to tensor<6x7xf32>
      %e = arith.addf %b, %d : tensor<6x7xf32>
      %p = tensor.pad %e low[1, 0] high[0, 0] {
      ^bb0(%i: index, %j: index):
        tensor.yield %c : f32
      } : tensor<6x7xf32> to tensor<7x7xf32>
      %g = tensor.insert_slice %y into %p[0, 0] [2, 7] [3, 1]
             : tensor<2x7xf32> into tensor<7x7xf32>
      %u = tensor.empty() : tensor<5x6xf32>
      %k = linalg.conv_2d ins(%g, %w : tensor<7x7xf32>, tensor<3x2xf32>)
             outs(%u : tensor<5x6xf32>) -> tensor<5x6xf32>
      %r = tensor.extract_slice %k[0, 1] [3, 3] [2, 2]
             : tensor<5x6xf32> to tensor<3x3xf32>
      %s = arith.addf %r, %o : tensor<3x3xf32>
      return %s : tensor<3x3xf32>
    })");
  ASSERT_TRUE(f);
  IndexingCache cache;
  Block &body = f.getFunctionBody().front();
  llvm::DenseMap<Value, std::set<Pair>> reads;
  forEach({3, 3}, [&](const Point &i) {
    reads[body.back().getOperand(0)].insert({i, i});
  });
  for (Operation &op : llvm::drop_begin(llvm::reverse(body.getOperations()))) {
    if (op.getNumResults() == 0)
      continue;
    std::map<Point, std::set<Point>> outsOf; // by index of the op's result
    for (const Pair &pair : reads[op.getResult(0)])
      outsOf[pair.second].insert(pair.first);
    const OpIndexing &indexing = cache.get(&op);
    for (unsigned o = 0; o < op.getNumOperands(); ++o)
      for (const Pair &pair : walk(indexing.outputToInput(0, o), true))
        for (const Point &out : outsOf[pair.first])
          reads[op.getOperand(o)].insert({out, pair.second});
  }
  const OpIndexing &whole = cache.getFunction(f);
  for (unsigned a = 0; a < f.getNumArguments(); ++a) {
    EXPECT_FALSE(reads[f.getArgument(a)].empty());
    EXPECT_EQ(walk(whole.outputToInput(0, a), true), reads[f.getArgument(a)])
        << whole.outputToInput(0, a).str();
    EXPECT_EQ(walk(whole.inputToOutput(a, 0), false), reads[f.getArgument(a)])
        << whole.inputToOutput(a, 0).str();
  }
}

/// A diamond on every level: 2^60 paths, but one map.
TEST_F(Function, PathsMeet) {
  std::string text =
      "func.func @f(%x0: tensor<3x5xf32>) -> tensor<3x5xf32> {\n";
  for (int i = 0; i < 60; ++i) {
    std::string x = "%x" + std::to_string(i), y = "%y" + std::to_string(i);
    text += y + " = math.exp " + x + " : tensor<3x5xf32>\n";
    text += "%x" + std::to_string(i + 1) + " = arith.addf " + x + ", " + y +
            " : tensor<3x5xf32>\n";
  }
  text += "return %x60 : tensor<3x5xf32>\n}";
  FunctionOpInterface f = parseFunction(text);
  ASSERT_TRUE(f);
  IndexingCache cache;
  EXPECT_EQ(cache.getFunction(f).outputToInput(0, 0).str(),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, 4]");
}

/// Each level shifts by another distance: the sets double, and stop at the
/// budget instead of the machine's memory.
TEST_F(Function, Budget) {
  std::string text =
      "func.func @f(%x0: tensor<999999xf32>) -> tensor<3xf32> {\n";
  int64_t size = 999999;
  for (int i = 0; i < 12; ++i) {
    int64_t next = size - (1 << i);
    std::string t = "tensor<" + std::to_string(size) + "xf32>",
                n = "tensor<" + std::to_string(next) + "xf32>";
    std::string k = std::to_string(i), x = "%x" + k;
    for (auto [name, offset] : {std::pair("%a", 0), std::pair("%b", 1 << i)})
      text += name + k + " = tensor.extract_slice " + x + "[" +
              std::to_string(offset) + "] [" + std::to_string(next) +
              "] [1] : " + t + " to " + n + "\n";
    text += "%x" + std::to_string(i + 1) + " = arith.addf %a" + k + ", %b" + k +
            " : " + n + "\n";
    size = next;
  }
  text += "%r = tensor.extract_slice %x12[0] [3] [1] : tensor<" +
          std::to_string(size) + "xf32> to tensor<3xf32>\n" +
          "return %r : tensor<3xf32>\n}";
  FunctionOpInterface f = parseFunction(text);
  ASSERT_TRUE(f);
  IndexingCache small;
  EXPECT_EQ(small.getFunction(f).outputToInput(0, 0).getReason(),
            IndexingReason::Budget);
  IndexingBudget budget;
  budget.maxMaps = 1 << 12;
  IndexingCache large(budget);
  EXPECT_EQ(large.getFunction(f).outputToInput(0, 0).getMaps().size(),
            size_t(1) << 12);
}

constexpr const char *kCalls = R"(
  func.func @f(%x: tensor<3x5xf32>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> {
    %t = call @turn(%x, %y) : (tensor<3x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %u = call @turn(%x, %t) : (tensor<3x5xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    return %u : tensor<5x3xf32>
  }
  func.func private @turn(%x: tensor<3x5xf32>, %o: tensor<5x3xf32>) -> tensor<5x3xf32> {
    %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%o : tensor<5x3xf32>)
           permutation = [1, 0]
    return %t : tensor<5x3xf32>
  }
  func.func @even(%x: tensor<3xf32>) -> tensor<3xf32> {
    %r = call @odd(%x) : (tensor<3xf32>) -> tensor<3xf32>
    return %r : tensor<3xf32>
  }
  func.func @odd(%x: tensor<3xf32>) -> tensor<3xf32> {
    %r = call @even(%x) : (tensor<3xf32>) -> tensor<3xf32>
    return %r : tensor<3xf32>
  }
  func.func private @elsewhere(tensor<3xf32>) -> tensor<3xf32>
  func.func @out(%x: tensor<3xf32>) -> tensor<3xf32> {
    %r = call @elsewhere(%x) : (tensor<3xf32>) -> tensor<3xf32>
    return %r : tensor<3xf32>
  })";

/// The callee does not read its second argument, so the caller does not, either.
TEST_F(Function, Calls) {
  FunctionOpInterface f = parseFunction(kCalls);
  ASSERT_TRUE(f);
  IndexingCache cache;
  const OpIndexing &indexing = cache.getFunction(f);
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 2]");
  EXPECT_TRUE(indexing.outputToInput(0, 1).empty());
  Operation *call = &f.getFunctionBody().front().front();
  EXPECT_EQ(cache.get(call).inputToOutput(0, 0).str(),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 4]");
}

TEST_F(Function, RecursionAndUnknownCallees) {
  FunctionOpInterface even = parseFunction(kCalls, "even");
  ASSERT_TRUE(even);
  IndexingCache cache;
  EXPECT_EQ(cache.getFunction(even).firstReason(), IndexingReason::Recursion);
  auto out =
      cast<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*module, "out"));
  EXPECT_EQ(cache.getFunction(out).firstReason(),
            IndexingReason::UnknownCallee);
}

TEST_F(Function, WhatARegionCaptures) {
  FunctionOpInterface f = parseFunction(R"(
    func.func @f(%x: tensor<3xf32>, %v: f32) -> tensor<5xf32> {
      %c = arith.constant 0.0 : f32
      %a = tensor.pad %x low[1] high[0] {
      ^bb0(%i: index):
        tensor.yield %c : f32
      } : tensor<3xf32> to tensor<4xf32>
      %b = tensor.pad %a low[0] high[1] {
      ^bb0(%i: index):
        tensor.yield %v : f32
      } : tensor<4xf32> to tensor<5xf32>
      return %b : tensor<5xf32>
    })");
  ASSERT_TRUE(f);
  IndexingCache cache;
  EXPECT_EQ(cache.getFunction(f).outputToInput(0, 0).str(),
            "(d0) -> (d0 - 1), domain: d0 in [1, 3]");
  EXPECT_EQ(cache.getFunction(f).outputToInput(0, 1).str(),
            "(d0) -> (), domain: d0 in [4, 4]");
}

TEST_F(Function, ControlFlow) {
  FunctionOpInterface f = parseFunction(R"(
    func.func @f(%x: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
      cf.cond_br %c, ^bb1, ^bb1
    ^bb1:
      return %x : tensor<3xf32>
    })");
  ASSERT_TRUE(f);
  IndexingCache cache;
  EXPECT_EQ(cache.getFunction(f).firstReason(), IndexingReason::ControlFlow);
}

TEST_F(Function, Counts) {
  FunctionOpInterface f = parseFunction(R"(
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %a = math.exp %x : tensor<3xf32>
      %b = "no.such"(%a) : (tensor<3xf32>) -> tensor<3xf32>
      %c = math.exp %b : tensor<3xf32>
      return %c : tensor<3xf32>
    })");
  ASSERT_TRUE(f);
  IndexingAnalysis analysis(*module);
  std::string table;
  llvm::raw_string_ostream os(table);
  forEachIndexedOp(*module, [&](Operation *op) {
    const OpIndexing &indexing = analysis.getCache().get(op);
    os << op->getName() << ": " << indexing.countMaps();
    if (indexing.firstReason() != IndexingReason::None)
      os << ", " << describe(indexing.firstReason());
    os << '\n';
  });
  EXPECT_EQ(table, "math.exp: 2\n"
                   "no.such: 0, unregistered operation\n"
                   "math.exp: 2\n"
                   "func.return: 0\n");
}

} // namespace
