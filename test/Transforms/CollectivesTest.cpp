//===- CollectivesTest.cpp - Collectives, run for all ranks ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test builds the programs of all ranks, runs them by the interpreter's
// oracle, and checks every rank's result element by element against what the
// collective means, and the bytes that were sent against the least.
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
using Shape = SmallVector<int64_t>;

class CollectivesTest : public ::testing::Test {
protected:
  CollectivesTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return success();
        }) {
    context.loadDialect<TensorAccessDialect, arith::ArithDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        tensor::TensorDialect>();
  }

  Location loc() { return UnknownLoc::get(&context); }

  /// The group of p ranks: the last one comes first, so that numbers of members
  /// and of ranks differ.
  static RankGroup makeGroup(size_t p, size_t self) {
    RankGroup group;
    for (size_t k = 0; k < p; ++k)
      group.ranks.push_back((k + p - 1) % p);
    group.self = self;
    return group;
  }

  /// A cut that may have empty parts.
  Shape randomCut(int64_t extent, size_t parts) {
    Shape cut = {0, extent};
    while (cut.size() < parts + 1)
      cut.push_back(std::uniform_int_distribution<int64_t>(0, extent)(random));
    llvm::sort(cut);
    return cut;
  }

  using Build =
      std::function<FailureOr<Value>(OpBuilder &, Value, const RankGroup &)>;

  /// Runs one function a rank: member k gets inputs[k]. Results by member.
  SmallVector<Tensor> run(ArrayRef<Tensor> inputs, const Build &build) {
    size_t p = inputs.size();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc());
    auto b = OpBuilder::atBlockEnd(module->getBody());
    SmallVector<FunctionOpInterface> programs(p);
    SmallVector<SmallVector<Tensor>> parts(p);
    for (size_t k = 0; k < p; ++k) {
      RankGroup group = makeGroup(p, k);
      int64_t rank = group.ranks[k];
      b.setInsertionPointToEnd(module->getBody());
      auto type = RankedTensorType::get(inputs[k].getShape(), b.getF32Type());
      auto function =
          func::FuncOp::create(b, loc(), "rank_" + std::to_string(rank),
                               b.getFunctionType({type}, {}));
      b.setInsertionPointToStart(function.addEntryBlock());
      FailureOr<Value> result = build(b, function.getArgument(0), group);
      if (failed(result)) {
        ADD_FAILURE() << messages;
        return {};
      }
      func::ReturnOp::create(b, loc(), *result);
      function.setType(b.getFunctionType({type}, {result->getType()}));
      programs[rank] = cast<FunctionOpInterface>(function.getOperation());
      parts[rank].push_back(inputs[k]);
    }
    report = {};
    if (failed(verify(*module))) {
      ADD_FAILURE() << messages;
      return {};
    }
    auto results = interpretRanks(programs, parts, {}, &report);
    if (failed(results)) {
      ADD_FAILURE() << messages;
      return {};
    }
    SmallVector<Tensor> byMember;
    for (size_t k = 0; k < p; ++k)
      byMember.push_back((*results)[makeGroup(p, k).ranks[k]].front());
    return byMember;
  }

  int64_t sent(size_t p, size_t member) {
    return report.bytesSent[makeGroup(p, member).ranks[member]];
  }

  Tensor randomTensor(ArrayRef<int64_t> shape) {
    return *Tensor::random(ElementType::F32, shape, random());
  }

  static Tensor part(const Tensor &whole, int64_t axis, int64_t lo,
                     int64_t hi) {
    Shape offsets(whole.getRank(), 0), sizes(whole.getShape()),
        steps(whole.getRank(), 1);
    offsets[axis] = lo;
    sizes[axis] = hi - lo;
    return *whole.slice(offsets, sizes, steps).clone();
  }

  static void expectEqual(const Tensor &got, const Tensor &expected) {
    auto result = compare(got, expected);
    ASSERT_TRUE(static_cast<bool>(result))
        << llvm::toString(result.takeError());
    EXPECT_TRUE(result->allBitEqual());
  }

  static int64_t bytes(const Tensor &tensor) {
    return 4 * tensor.getNumElements();
  }

  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler;
  std::mt19937_64 random{7};
  RankRunReport report;
};
} // namespace

TEST_F(CollectivesTest, EvenCut) {
  EXPECT_EQ(getEvenCut(13, 4), (Shape{0, 3, 6, 9, 13}));
  EXPECT_EQ(getEvenCut(2, 3), (Shape{0, 0, 1, 2}));
  EXPECT_EQ(getEvenCut(0, 2), (Shape{0, 0, 0}));
  int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(getEvenCut(most, 2), (Shape{0, most / 2, most}));
}

TEST_F(CollectivesTest, AllGather) {
  for (size_t p = 1; p <= 5; ++p)
    for (int64_t axis = 0; axis < 3; ++axis) {
      Tensor whole = randomTensor({3, 5, 4});
      Shape cut = randomCut(whole.getDim(axis), p);
      SmallVector<Tensor> parts;
      for (size_t k = 0; k < p; ++k)
        parts.push_back(part(whole, axis, cut[k], cut[k + 1]));
      SmallVector<Tensor> results =
          run(parts, [&](OpBuilder &b, Value own, const RankGroup &group) {
            return buildAllGather(b, loc(), own, group, axis, cut, 3);
          });
      ASSERT_EQ(results.size(), p);
      for (size_t k = 0; k < p; ++k) {
        expectEqual(results[k], whole);
        EXPECT_EQ(sent(p, k), static_cast<int64_t>(p - 1) * bytes(parts[k]));
      }
    }
}

TEST_F(CollectivesTest, ReduceScatter) {
  for (size_t p = 1; p <= 5; ++p)
    for (int64_t axis = 0; axis < 2; ++axis)
      for (arith::AtomicRMWKind kind :
           {arith::AtomicRMWKind::addf, arith::AtomicRMWKind::maximumf}) {
        Shape cut = randomCut(axis == 0 ? 5 : 4, p);
        SmallVector<Tensor> summands;
        for (size_t k = 0; k < p; ++k)
          summands.push_back(randomTensor({5, 4}));
        // In the order of members, rounded after each.
        Tensor sum = *summands.front().clone();
        for (size_t k = 1; k < p; ++k)
          for (int64_t i = 0; i < 5; ++i)
            for (int64_t j = 0; j < 4; ++j) {
              double a = sum.getDouble({i, j});
              double c = summands[k].getDouble({i, j});
              sum.setDouble({i, j}, kind == arith::AtomicRMWKind::addf
                                        ? a + c
                                        : std::max(a, c));
            }
        SmallVector<Tensor> results =
            run(summands, [&](OpBuilder &b, Value own, const RankGroup &group) {
              return buildReduceScatter(b, loc(), own, group, kind, axis, cut,
                                        3);
            });
        ASSERT_EQ(results.size(), p);
        for (size_t k = 0; k < p; ++k) {
          Tensor expected = part(sum, axis, cut[k], cut[k + 1]);
          expectEqual(results[k], expected);
          EXPECT_EQ(sent(p, k), bytes(sum) - bytes(expected));
        }
      }
}

TEST_F(CollectivesTest, AllReduce) {
  for (size_t p = 1; p <= 5; ++p)
    for (Shape shape : {Shape{6, 7}, Shape{2, 1}, Shape{}, Shape{0, 3}}) {
      SmallVector<Tensor> summands;
      for (size_t k = 0; k < p; ++k)
        summands.push_back(randomTensor(shape));
      SmallVector<Tensor> results =
          run(summands, [&](OpBuilder &b, Value own, const RankGroup &group) {
            return buildAllReduce(b, loc(), own, group,
                                  arith::AtomicRMWKind::addf, 3);
          });
      ASSERT_EQ(results.size(), p);
      // The same bits everywhere, near the sum.
      int64_t total = 0;
      for (size_t k = 0; k < p; ++k) {
        EXPECT_EQ(results[k].getShape(), ArrayRef(shape));
        expectEqual(results[k], results[0]);
        total += sent(p, k);
      }
      EXPECT_EQ(total, 2 * static_cast<int64_t>(p - 1) * bytes(summands[0]));
      if (shape != Shape{6, 7})
        continue;
      for (int64_t i = 0; i < 6; ++i)
        for (int64_t j = 0; j < 7; ++j) {
          double sum = 0;
          for (const Tensor &summand : summands)
            sum += summand.getDouble({i, j});
          EXPECT_NEAR(results[0].getDouble({i, j}), sum, 1e-5);
        }
    }
}

TEST_F(CollectivesTest, AllToAll) {
  for (size_t p = 1; p <= 5; ++p) {
    Tensor whole = randomTensor({7, 2, 6});
    Shape from = randomCut(7, p), to = randomCut(6, p);
    SmallVector<Tensor> parts;
    for (size_t k = 0; k < p; ++k)
      parts.push_back(part(whole, 0, from[k], from[k + 1]));
    SmallVector<Tensor> results =
        run(parts, [&](OpBuilder &b, Value own, const RankGroup &group) {
          return buildAllToAll(b, loc(), own, group, 0, from, 2, to, 3);
        });
    ASSERT_EQ(results.size(), p);
    for (size_t k = 0; k < p; ++k) {
      expectEqual(results[k], part(whole, 2, to[k], to[k + 1]));
      EXPECT_EQ(sent(p, k),
                bytes(parts[k]) - bytes(part(parts[k], 2, to[k], to[k + 1])));
    }
  }
}

TEST_F(CollectivesTest, Broadcast) {
  for (size_t p = 1; p <= 4; ++p)
    for (size_t root = 0; root < p; ++root) {
      SmallVector<Tensor> values;
      for (size_t k = 0; k < p; ++k)
        values.push_back(randomTensor({3, 2}));
      SmallVector<Tensor> results =
          run(values, [&](OpBuilder &b, Value own, const RankGroup &group) {
            return buildBroadcast(b, loc(), own, group, root, 3);
          });
      ASSERT_EQ(results.size(), p);
      for (size_t k = 0; k < p; ++k) {
        expectEqual(results[k], values[root]);
        EXPECT_EQ(sent(p, k), k == root ? static_cast<int64_t>(p - 1) * 24 : 0);
      }
    }
}

// Halos, also such as are wider than a part.
TEST_F(CollectivesTest, Halo) {
  for (size_t p = 1; p <= 5; ++p)
    for (auto [before, after] : {std::pair(0, 0), {1, 2}, {4, 0}, {9, 9}}) {
      int64_t low = before, high = after;
      Tensor whole = randomTensor({2, 9});
      Shape cut = randomCut(9, p);
      SmallVector<Tensor> parts;
      for (size_t k = 0; k < p; ++k)
        parts.push_back(part(whole, 1, cut[k], cut[k + 1]));
      SmallVector<Tensor> results = run(parts, [&](OpBuilder &b, Value own,
                                                   const RankGroup &group) {
        return buildHaloExchange(b, loc(), own, group, 1, cut, low, high, 3);
      });
      ASSERT_EQ(results.size(), p);
      int64_t total = 0, least = 0;
      for (size_t k = 0; k < p; ++k) {
        bool isEmpty = cut[k] == cut[k + 1];
        int64_t lo = isEmpty ? cut[k] : std::max<int64_t>(0, cut[k] - low);
        int64_t hi = isEmpty ? cut[k] : std::min<int64_t>(9, cut[k + 1] + high);
        Tensor expected = part(whole, 1, lo, hi);
        expectEqual(results[k], expected);
        total += sent(p, k);
        least += bytes(expected) - bytes(parts[k]);
      }
      EXPECT_EQ(total, least);
    }
}

TEST_F(CollectivesTest, Misuse) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc());
  auto b = OpBuilder::atBlockEnd(module->getBody());
  Value value = tensor::EmptyOp::create(b, loc(), {3, 5}, b.getF32Type());
  RankGroup group = makeGroup(2, 0);
  auto expect = [&](FailureOr<Value> result, StringRef text) {
    EXPECT_TRUE(failed(result));
    EXPECT_EQ(messages, (text + "\n").str());
    messages.clear();
  };
  expect(buildAllGather(b, loc(), value, group, 2, {0, 3, 7}, 0),
         "axis must lie in [0, 2), got 2");
  expect(buildAllGather(b, loc(), value, group, 0, {0, 7}, 0),
         "a cut in 2 parts must begin with 0 and rise 2 times, got [0, 7]");
  expect(buildAllGather(b, loc(), value, group, 0, {1, 3, 7}, 0),
         "a cut in 2 parts must begin with 0 and rise 2 times, got [1, 3, 7]");
  expect(buildAllGather(b, loc(), value, group, 0, {0, 4, 7}, 0),
         "dimension 0 must have 4 elements by the cut, got 3");
  expect(buildAllGather(b, loc(), value, group, 0, {0, 3, 7}, 32768),
         "tag must lie in [0, 32767], got 32768");
  expect(
      buildAllReduce(b, loc(), value, group, arith::AtomicRMWKind::addf, 32767),
      "tag must lie in [0, 32766], got 32767");
  expect(buildAllToAll(b, loc(), value, group, 0, {0, 3, 7}, 0, {0, 3, 7}, 0),
         "an all-to-all must be from one axis to another, got 0 for both");
  expect(buildBroadcast(b, loc(), value, group, 2, 0),
         "root 2 must be one of the group's 2");
  expect(buildHaloExchange(b, loc(), value, group, 0, {0, 3, 7}, 1, -1, 0),
         "a halo must be at least 0, got 1 before and -1 after");
  group.ranks = {1, 1};
  expect(buildBroadcast(b, loc(), value, group, 0, 0),
         "ranks of a group must be different and at least 0, got 1");
  group.self = 2;
  expect(buildBroadcast(b, loc(), value, group, 0, 0),
         "member 2 must be one of the group's 2");
}
