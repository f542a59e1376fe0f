//===- FusionTest.cpp - Groups, budgets and counts of fusion --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worked examples of the first seed with their counts, groups chosen by
// roots and boundary, and what happens at the budget.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "TensorAccess/Analysis/Report.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class Fusion : public OracleTest {
protected:
  FunctionOpInterface parseFunction(StringRef source, StringRef name = "f") {
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source.str();
    if (!module)
      return {};
    return dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(*module, name));
  }

  GroupFusion analyzeFunction(StringRef source) {
    FunctionOpInterface f = parseFunction(source);
    return analysis.analyze(*FusionGroup::get(f));
  }

  static Operation *find(FunctionOpInterface f, StringRef name) {
    std::string error;
    Operation *op = findOp(f, name, error);
    EXPECT_TRUE(op) << error;
    return op;
  }

  FusionAnalysis analysis;
};

/// XLA: p0 + transpose(p0) reads each element twice.
TEST_F(Fusion, Twice) {
  GroupFusion fusion = analyzeFunction(R"(
    func.func @f(%p0: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
      %e = tensor.empty() : tensor<1000x1000xf32>
      %t = linalg.transpose ins(%p0 : tensor<1000x1000xf32>)
             outs(%e : tensor<1000x1000xf32>) permutation = [1, 0]
      %a = arith.addf %p0, %t : tensor<1000x1000xf32>
      return %a : tensor<1000x1000xf32>
    })");
  ASSERT_EQ(fusion.operands.size(), 1u);
  const ReadCounts &counts = fusion.operands[0].counts;
  EXPECT_EQ(counts.patterns, 2u);
  EXPECT_EQ(counts.reads, 2000000u);
  EXPECT_EQ(counts.unique, 1000000u);
  EXPECT_EQ(counts.rereads(), 1000000u);
  EXPECT_EQ(counts.elements, 1000000u);
  EXPECT_EQ(
      fusion.operands[0].paths,
      (SmallVector<std::string, 1>{"directly", "through linalg.transpose"}));
  // Each element of both ops is computed once.
  EXPECT_EQ(fusion.computed, 2000000u);
  EXPECT_EQ(fusion.needed, 2000000u);
}

constexpr const char *kSoftmax = R"(
  func.func @f(%x: tensor<2x65x125xf32>) -> tensor<2x65x125xf32> {
    %zero = arith.constant 0.0 : f32
    %least = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<2x65xf32>
    %w = tensor.empty() : tensor<2x65x125xf32>
    %m0 = linalg.fill ins(%least : f32) outs(%e : tensor<2x65xf32>)
            -> tensor<2x65xf32>
    %max = linalg.reduce {arith.maximumf} ins(%x : tensor<2x65x125xf32>)
             outs(%m0 : tensor<2x65xf32>) dimensions = [2]
    %maxb = linalg.broadcast ins(%max : tensor<2x65xf32>)
              outs(%w : tensor<2x65x125xf32>) dimensions = [2]
    %d = arith.subf %x, %maxb : tensor<2x65x125xf32>
    %exp = math.exp %d : tensor<2x65x125xf32>
    %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x65xf32>)
            -> tensor<2x65xf32>
    %sum = linalg.reduce {arith.addf} ins(%exp : tensor<2x65x125xf32>)
             outs(%s0 : tensor<2x65xf32>) dimensions = [2]
    %sumb = linalg.broadcast ins(%sum : tensor<2x65xf32>)
              outs(%w : tensor<2x65x125xf32>) dimensions = [2]
    %q = arith.divf %exp, %sumb : tensor<2x65x125xf32>
    return %q : tensor<2x65x125xf32>
  })";

/// XLA: softmax reads its input as it is, and line by line: through the
/// maximum and through the sum, which end in the same map.
TEST_F(Fusion, Softmax) {
  GroupFusion fusion = analyzeFunction(kSoftmax);
  ASSERT_EQ(fusion.operands.size(), 1u);
  const ValueFusion &x = fusion.operands[0];
  ASSERT_EQ(x.maps.size(), 2u);
  EXPECT_EQ(x.maps[0].str(), "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, "
                             "1], d1 in [0, 64], d2 in [0, 124]");
  EXPECT_EQ(x.maps[1].str(), "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in "
                             "[0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, "
                             "124]");
  EXPECT_EQ(x.paths[0], "directly");
  EXPECT_EQ(x.paths[1], "through linalg.reduce (addf over d2) or through "
                        "linalg.reduce (maximumf over d2)");
  EXPECT_EQ(x.counts.reads, 16250u * 126);
  EXPECT_EQ(x.counts.unique, 16250u);
  // The maximum of a line is needed for each of its elements.
  for (const ValueFusion &producer : fusion.producers)
    if (producer.value.getDefiningOp()->getName().getStringRef() ==
        "linalg.reduce") {
      EXPECT_EQ(producer.counts.reads, 16250u);
      EXPECT_EQ(producer.counts.unique, 130u);
      EXPECT_EQ(producer.counts.rereads(), 16120u);
    }
}

/// The part of softmax below the maximum, chosen by its root and a boundary.
TEST_F(Fusion, GroupByRootAndBoundary) {
  FunctionOpInterface f = parseFunction(kSoftmax);
  ASSERT_TRUE(f);
  Operation *root = find(f, "arith.divf");
  Operation *max = find(f, "linalg.reduce#0");
  auto group = FusionGroup::get(SmallVector<Value>(root->getResults()),
                                [&](Operation *op) { return op != max; });
  ASSERT_TRUE(group);
  ASSERT_EQ(group->getOperands().size(), 2u);
  EXPECT_EQ(group->getOperands()[0], max->getResult(0));
  EXPECT_EQ(group->getOperands()[1], f.getArgument(0));
  EXPECT_FALSE(llvm::is_contained(group->getOps(), max));
  FusionIndexing fusion = getFusionIndexing(analysis.getCache(), *group);
  EXPECT_EQ(fusion.indexing.outputToInput(0, 0).str(),
            "(d0, d1, d2) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 64], d2 "
            "in [0, 124]");
  EXPECT_EQ(fusion.indexing.inputToOutput(0, 0).str(),
            "(d0, d1)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, "
            "64], s0 in [0, 124]");
  EXPECT_EQ(fusion.indexing.outputToInput(0, 1).getMaps().size(), 2u);
  EXPECT_TRUE(fusion.countsReads);

  // Nothing inside but the root: its own operands.
  auto alone = FusionGroup::get(SmallVector<Value>(root->getResults()),
                                [](Operation *) { return false; });
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->getOps(), ArrayRef<Operation *>(root));
  EXPECT_EQ(SmallVector<Value>(alone->getOperands()),
            SmallVector<Value>(root->getOperands()));
}

/// Several roots, of which one reads another: each has its own sets.
TEST_F(Fusion, SeveralRoots) {
  FunctionOpInterface f = parseFunction(R"(
    func.func @f(%x: tensor<3x5xf32>, %i: tensor<3xf32>)
        -> (tensor<5x3xf32>, tensor<3xf32>, tensor<3x5xf32>) {
      %e = math.exp %x : tensor<3x5xf32>
      %w = tensor.empty() : tensor<5x3xf32>
      %t = linalg.transpose ins(%e : tensor<3x5xf32>)
             outs(%w : tensor<5x3xf32>) permutation = [1, 0]
      %s = linalg.reduce {arith.addf} ins(%e : tensor<3x5xf32>)
             outs(%i : tensor<3xf32>) dimensions = [1]
      return %t, %s, %e : tensor<5x3xf32>, tensor<3xf32>, tensor<3x5xf32>
    })");
  ASSERT_TRUE(f);
  auto group = FusionGroup::get(f);
  ASSERT_TRUE(group);
  GroupFusion fusion = analysis.analyze(*group);
  const OpIndexing &indexing = fusion.indexing.indexing;
  ASSERT_EQ(indexing.getNumResults(), 3u);
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 2]");
  EXPECT_EQ(indexing.outputToInput(1, 0).str(),
            "(d0)[s0] -> (d0, s0), domain: d0 in [0, 2], s0 in [0, 4]");
  EXPECT_EQ(indexing.outputToInput(2, 0).str(),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, 4]");
  EXPECT_TRUE(indexing.outputToInput(0, 1).empty());
  EXPECT_EQ(fusion.operands[0].counts.reads, 45u);
  EXPECT_EQ(fusion.operands[0].counts.unique, 15u);
}

/// One op with two results, and an op that nothing leads from to a result.
TEST_F(Fusion, SeveralResultsOfOneOp) {
  GroupFusion fusion = analyzeFunction(R"(
    func.func @f(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>, %i: tensor<5xf32>)
        -> (tensor<5xf32>, tensor<5xf32>) {
      %dead = math.exp %x : tensor<3x5xf32>
      %r:2 = linalg.reduce ins(%x, %y : tensor<3x5xf32>, tensor<3x5xf32>)
               outs(%i, %i : tensor<5xf32>, tensor<5xf32>) dimensions = [0]
               (%a: f32, %b: f32, %c: f32, %d: f32) {
          %p = arith.addf %a, %c : f32
          %q = arith.mulf %b, %p : f32
          linalg.yield %p, %q : f32, f32
        }
      return %r#0, %r#1 : tensor<5xf32>, tensor<5xf32>
    })");
  EXPECT_EQ(fusion.group.getOps().size(), 1u);
  const OpIndexing &indexing = fusion.indexing.indexing;
  EXPECT_FALSE(indexing.outputToInput(0, 0).empty());
  EXPECT_TRUE(indexing.outputToInput(0, 1).empty());
  EXPECT_FALSE(indexing.outputToInput(1, 1).empty());
  // Both results read %x alike, in the same loops: once.
  EXPECT_EQ(fusion.operands[0].counts.reads, 15u);
  EXPECT_EQ(fusion.operands[0].counts.rereads(), 0u);
}

TEST_F(Fusion, NoGroup) {
  FunctionOpInterface f = parseFunction(R"(
    func.func private @f(tensor<3xf32>) -> tensor<3xf32>)");
  ASSERT_TRUE(f);
  EXPECT_FALSE(FusionGroup::get(f));
  f = parseFunction(R"(
    func.func @f(%x: tensor<3xf32>, %c: i1) -> tensor<3xf32> {
      %e = math.exp %x : tensor<3xf32>
      cf.br ^bb1(%e : tensor<3xf32>)
    ^bb1(%y: tensor<3xf32>):
      %z = math.exp %y : tensor<3xf32>
      return %z : tensor<3xf32>
    })");
  ASSERT_TRUE(f);
  EXPECT_FALSE(FusionGroup::get(f));
  // Values of two blocks are not a group; those of one are.
  auto &blocks = f.getFunctionBody().getBlocks();
  Value first = blocks.front().front().getResult(0);
  Value second = blocks.back().front().getResult(0);
  EXPECT_FALSE(FusionGroup::get({first, second}));
  auto group = FusionGroup::get({second});
  ASSERT_TRUE(group);
  EXPECT_EQ(group->getOperands()[0], blocks.back().getArgument(0));
}

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

/// A chain of `depth` 1-d convolutions with padding that keeps the size.
std::string convolutions(int depth, int kernel, int size) {
  std::string t = "tensor<" + std::to_string(size) + "xf32>";
  std::string k = "tensor<" + std::to_string(kernel) + "xf32>";
  std::string p = "tensor<" + std::to_string(size + kernel - 1) + "xf32>";
  std::string low = std::to_string((kernel - 1) / 2);
  std::string high = std::to_string(kernel - 1 - (kernel - 1) / 2);
  std::string text = "func.func @f(%v0: " + t + ", %k: " + k + ") -> " + t +
                     " {\n%c = arith.constant 0.0 : f32\n%e = tensor.empty() "
                     ": " +
                     t + "\n";
  for (int i = 0; i < depth; ++i) {
    std::string n = std::to_string(i), m = std::to_string(i + 1);
    text += "%p" + n + " = tensor.pad %v" + n + " low[" + low + "] high[" +
            high + "] {\n^bb0(%i: index):\n tensor.yield %c : f32\n} : " + t +
            " to " + p + "\n%v" + m + " = linalg.conv_1d ins(%p" + n +
            ", %k : " + p + ", " + k + ") outs(%e : " + t + ") -> " + t + "\n";
  }
  return text + "return %v" + std::to_string(depth) + " : " + t + "\n}";
}

/// Reads as a plain program counts them: every element of a value is computed
/// again for each read, back to the argument.
uint64_t countReadsNaively(int depth, int kernel, int size) {
  std::vector<uint64_t> times(size, 1);
  for (int i = 0; i < depth; ++i) {
    std::vector<uint64_t> next(size, 0);
    for (int out = 0; out < size; ++out)
      for (int k = 0; k < kernel; ++k)
        if (int in = out + k - (kernel - 1) / 2; in >= 0 && in < size)
          next[in] += times[out];
    times = next;
  }
  uint64_t sum = 0;
  for (uint64_t t : times)
    sum += t;
  return sum;
}

TEST_F(Fusion, ReadsAreThoseOfAPlainProgram) {
  for (int depth = 1; depth <= 7; ++depth) {
    GroupFusion fusion = analyzeFunction(convolutions(depth, 3, 11));
    const ReadCounts &counts = fusion.operands[0].counts;
    EXPECT_EQ(counts.reads, countReadsNaively(depth, 3, 11)) << depth;
    EXPECT_EQ(counts.unique, 11u);
  }
}

/// A hundred windows in a row are one window, and no longer count reads.
TEST_F(Fusion, DeepChainsStayKnown) {
  FunctionOpInterface f = parseFunction(convolutions(100, 3, 1000));
  ASSERT_TRUE(f);
  auto group = FusionGroup::get(f);
  FusionIndexing fusion = getFusionIndexing(analysis.getCache(), *group);
  const IndexingSet &set = fusion.indexing.outputToInput(0, 0);
  ASSERT_EQ(set.getMaps().size(), 1u);
  EXPECT_LE(set.getMaps()[0].getNumSymbols(), MapPool::kMergeSymbols);
  EXPECT_EQ(set.getMaps()[0].mergeSymbols().str(),
            "(d0)[s0] -> (d0 + s0 - 100), domain: d0 in [0, 999], s0 in [0, "
            "200], d0 + s0 in [100, 1099]");
  EXPECT_FALSE(fusion.countsReads);
  GroupFusion counted = analysis.analyze(*group);
  EXPECT_EQ(counted.operands[0].counts.reads, std::nullopt);
  EXPECT_EQ(counted.operands[0].counts.unique, 1000u);
  EXPECT_EQ(counted.operands[0].counts.reason,
            "patterns were merged to stay within the budget");
}

/// Equal layers make no new maps: what is composed is bounded, however many.
TEST_F(Fusion, EqualLayersCostOnce) {
  auto countMaps = [&](int layers) {
    std::string t = "tensor<3x5xf32>";
    std::string text = "func.func @f(%x0: " + t + ") -> " + t + " {\n";
    for (int i = 0; i < layers; ++i) {
      std::string n = std::to_string(i), m = std::to_string(i + 1);
      text += "%e" + n + " = math.exp %x" + n + " : " + t + "\n%w" + n +
              " = tensor.empty() : " + t + "\n%s" + n +
              " = linalg.softmax dimension(1) ins(%e" + n + " : " + t +
              ") outs(%w" + n + " : " + t + ") -> " + t + "\n%x" + m +
              " = arith.addf %x" + n + ", %s" + n + " : " + t + "\n";
    }
    text += "return %x" + std::to_string(layers) + " : " + t + "\n}";
    FunctionOpInterface f = parseFunction(text);
    IndexingCache cache;
    EXPECT_EQ(cache.getFunction(f).outputToInput(0, 0).getMaps().size(), 2u);
    return cache.getPool().size();
  };
  EXPECT_EQ(countMaps(10), countMaps(100));
}

/// Slices inside of one another: beyond the budget the largest stands for all.
TEST_F(Fusion, FullSetsAbsorb) {
  std::string text = "func.func @f(%x: tensor<90x7xf32>) -> tensor<7xf32> {\n"
                     "%z = arith.constant dense<0.0> : tensor<7xf32>\n"
                     "%v0 = arith.constant dense<0.0> : tensor<7xf32>\n";
  for (int i = 0; i < 40; ++i) {
    // Forty rows each, every other one, then every row: the last holds all.
    std::string n = std::to_string(i), m = std::to_string(i + 1);
    std::string rows = std::to_string(i == 39 ? 90 : i + 2);
    std::string t = "tensor<" + rows + "x7xf32>";
    text += "%s" + n + " = tensor.extract_slice %x[0, 0] [" + rows +
            ", 7] [1, 1] : tensor<90x7xf32> to " + t + "\n%r" + n +
            " = linalg.reduce {arith.addf} ins(%s" + n + " : " + t +
            ") outs(%z : tensor<7xf32>) dimensions = [0]\n%v" + m +
            " = arith.addf %v" + n + ", %r" + n + " : tensor<7xf32>\n";
  }
  text += "return %v40 : tensor<7xf32>\n}";
  FunctionOpInterface f = parseFunction(text);
  ASSERT_TRUE(f);
  IndexingBudget large;
  large.maxMaps = 64;
  IndexingCache all(large), few;
  EXPECT_EQ(all.getFunction(f).outputToInput(0, 0).getMaps().size(), 40u);
  EXPECT_EQ(few.getFunction(f).outputToInput(0, 0).str(),
            "(d0)[s0] -> (s0, d0), domain: d0 in [0, 6], s0 in [0, 89]");
  EXPECT_EQ(few.getFunction(f).inputToOutput(0, 0).str(),
            "(d0, d1) -> (d1), domain: d0 in [0, 89], d1 in [0, 6]");
}

//===----------------------------------------------------------------------===//
// What is not known
//===----------------------------------------------------------------------===//

/// The op that hides the reads is named.
TEST_F(Fusion, Culprits) {
  FunctionOpInterface f = parseFunction(R"(
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %a = math.exp %x : tensor<3xf32>
      %b = "no.such"(%a) : (tensor<3xf32>) -> tensor<3xf32>
      %c = arith.addf %b, %y : tensor<3xf32>
      return %c : tensor<3xf32>
    })");
  ASSERT_TRUE(f);
  auto group = FusionGroup::get(f);
  GroupFusion fusion = analysis.analyze(*group);
  EXPECT_EQ(fusion.operands[0].counts.culprit, find(f, "no.such"));
  EXPECT_EQ(fusion.operands[0].counts.reason, "unregistered operation");
  EXPECT_EQ(fusion.indexing.culprits[0], find(f, "no.such"));
  EXPECT_EQ(fusion.operands[1].counts.reads, 3u);
  EXPECT_EQ(fusion.indexing.culprits[1], nullptr);
  EXPECT_EQ(fusion.computed, std::nullopt);
}

/// No count for what depends on a value that only the program knows.
TEST_F(Fusion, RuntimeOffsets) {
  GroupFusion fusion = analyzeFunction(R"(
    func.func @f(%x: tensor<9xf32>, %i: index) -> tensor<3xf32> {
      %a = tensor.extract_slice %x[%i] [3] [1]
             : tensor<9xf32> to tensor<3xf32>
      return %a : tensor<3xf32>
    })");
  EXPECT_EQ(fusion.operands[0].counts.unique, std::nullopt);
  EXPECT_EQ(fusion.operands[0].counts.reason,
            "it depends on runtime variables");
}

TEST_F(Fusion, FindOp) {
  FunctionOpInterface f = parseFunction(kSoftmax);
  ASSERT_TRUE(f);
  EXPECT_NE(find(f, "linalg.reduce"), find(f, "linalg.reduce#1"));
  std::string error;
  EXPECT_FALSE(findOp(f, "linalg.matmul", error));
  EXPECT_EQ(error, "no op 'linalg.matmul' in function 'f'");
  EXPECT_FALSE(findOp(f, "linalg.reduce#2", error));
  EXPECT_EQ(error, "op 'linalg.reduce' number 2 does not exist, function 'f' "
                   "has 2");
  EXPECT_FALSE(findOp(f, "linalg.reduce#x", error));
  EXPECT_EQ(error, "op 'linalg.reduce#x' must end in a number after '#', got "
                   "'x'");
}

/// An edge counts all operands of the consumer that are the value.
TEST_F(Fusion, Edges) {
  FunctionOpInterface f = parseFunction(R"(
    func.func @f(%x: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %e = math.exp %x : tensor<4x4xf32>
      %m = linalg.matmul ins(%e, %e : tensor<4x4xf32>, tensor<4x4xf32>)
             outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %m : tensor<4x4xf32>
    })");
  ASSERT_TRUE(f);
  Operation *matmul = find(f, "linalg.matmul");
  ReadCounts counts = analysis.analyzeEdge(matmul->getOperand(0), matmul);
  EXPECT_EQ(counts.patterns, 2u);
  EXPECT_EQ(counts.reads, 128u);
  EXPECT_EQ(counts.unique, 16u);
  EXPECT_EQ(analysis.analyzeOperand(matmul->getOpOperand(1)).reads, 64u);
}

TEST_F(Fusion, ElementBytes) {
  Builder b(&context);
  EXPECT_EQ(getElementBytes(b.getF32Type()), 4u);
  EXPECT_EQ(getElementBytes(RankedTensorType::get({3}, b.getI1Type())), 1u);
  EXPECT_EQ(getElementBytes(b.getIntegerType(17)), 3u);
  EXPECT_EQ(getElementBytes(b.getIndexType()), 8u);
  EXPECT_EQ(getElementBytes(ComplexType::get(b.getF64Type())), 16u);
  EXPECT_EQ(getElementBytes(b.getNoneType()), std::nullopt);
}

} // namespace
