//===- CapturedTest.cpp - What regions read from outside, by brute force --===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class Captured : public OracleTest {
protected:
  /// The function's indexing; its reads of each argument are compared.
  void checkFunction(StringRef text, Reads reads) {
    const OpIndexing *indexing = compose(text);
    if (!indexing)
      return;
    for (unsigned a = 0; a < indexing->getNumOperands(); ++a) {
      EXPECT_EQ(walk(indexing->outputToInput(0, a), true), reads[a])
          << a << ":\n"
          << indexing->outputToInput(0, a).str();
      EXPECT_EQ(walk(indexing->inputToOutput(a, 0), false), reads[a])
          << a << ":\n"
          << indexing->inputToOutput(a, 0).str();
    }
  }
  /// The same of one argument, at indices that are data: those of all data.
  void checkData(StringRef text, unsigned argument,
                 const std::set<Pair> &reads) {
    const OpIndexing *indexing = compose(text);
    ASSERT_TRUE(indexing);
    for (bool isDown : {true, false}) {
      const IndexingSet &set = isDown ? indexing->outputToInput(0, argument)
                                      : indexing->inputToOutput(argument, 0);
      std::set<Pair> pairs;
      for (const IndexingMap &map : set.getMaps())
        EXPECT_EQ(enumerate(map,
                            [&](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
                              from = from.take_front(map.getNumDims());
                              Point a(from.begin(), from.end());
                              Point b(to.begin(), to.end());
                              pairs.insert(isDown ? Pair(a, b) : Pair(b, a));
                              return true;
                            }),
                  EnumerateStatus::Ok);
      EXPECT_EQ(pairs, reads) << set.str();
    }
  }
  const OpIndexing *compose(StringRef text) {
    Operation *op = parse(text);
    if (!op)
      return nullptr;
    cache = std::make_unique<IndexingCache>();
    return &cache->getFunction(op->getParentOfType<FunctionOpInterface>());
  }
  std::unique_ptr<IndexingCache> cache;
};

/// tensor.extract at indices computed from those of the loops.
TEST_F(Captured, GenericAtComputedIndices) {
  Reads reads;
  forEach({4, 6}, [&](const Point &i) {
    reads[0].insert({i, {5 - i[1], i[0] / 2 + i[1] % 3}});
  });
  checkFunction(R"((%t: tensor<6x4xf32>) -> tensor<4x6xf32> {
    %e = tensor.empty() : tensor<4x6xf32>
    %c5 = arith.constant 5 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>],
           iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x6xf32>)
           attrs = {check} {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %x = arith.subi %c5, %j : index
      %y = arith.divui %i, %c2 : index
      %z = arith.remui %j, %c3 : index
      %w = arith.addi %y, %z : index
      %v = tensor.extract %t[%x, %w] : tensor<6x4xf32>
      linalg.yield %v : f32
    } -> tensor<4x6xf32>
    return %r : tensor<4x6xf32>
  })",
                reads);
}

/// A sum over a captured tensor, and a captured scalar.
TEST_F(Captured, ReductionAndScalar) {
  Reads reads;
  forEach({3, 5}, [&](const Point &i) {
    reads[0].insert({{i[0]}, i});
    reads[1].insert({{i[0]}, {i[1], 0}});
    reads[2].insert({{i[0]}, {}});
    reads[3].insert({{i[0]}, {i[0]}});
  });
  checkFunction(R"((%x: tensor<3x5xf32>, %t: tensor<5x1xf32>, %s: f32,
                    %o: tensor<3xf32>) -> tensor<3xf32> {
    %c0 = arith.constant 0 : index
    %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>,
           affine_map<(a, b) -> (a)>],
           iterator_types = ["parallel", "reduction"]}
           ins(%x : tensor<3x5xf32>) outs(%o : tensor<3xf32>) attrs = {check} {
    ^bb0(%i: f32, %acc: f32):
      %j = linalg.index 1 : index
      %v = tensor.extract %t[%j, %c0] : tensor<5x1xf32>
      %m = arith.mulf %i, %v : f32
      %n = arith.mulf %m, %s : f32
      %a = arith.addf %n, %acc : f32
      linalg.yield %a : f32
    } -> tensor<3xf32>
    return %r : tensor<3xf32>
  })",
                reads);
}

TEST_F(Captured, Generate) {
  Reads reads;
  forEach({4, 3},
          [&](const Point &i) { reads[0].insert({i, {i[1] * 4 + i[0]}}); });
  checkFunction(R"((%t: tensor<12xf32>) -> tensor<4x3xf32> {
    %c4 = arith.constant 4 : index
    %r = tensor.generate {
    ^bb0(%i: index, %j: index):
      %m = arith.muli %j, %c4 : index
      %n = arith.addi %m, %i : index
      %v = tensor.extract %t[%n] : tensor<12xf32>
      tensor.yield %v : f32
    } {check} : tensor<4x3xf32>
    return %r : tensor<4x3xf32>
  })",
                reads);
}

/// The padding value is read where the padding is, and nowhere else.
TEST_F(Captured, Pad) {
  Reads reads;
  forEach({6, 9}, [&](const Point &i) {
    int64_t y = i[0] - 1, x = i[1] - 3;
    if (y >= 0 && y < 3 && x >= 0 && x < 5)
      reads[0].insert({i, {y, x}});
    else
      reads[1].insert({i, {}});
  });
  checkFunction(R"((%x: tensor<3x5xf32>, %v: f32) -> tensor<6x9xf32> {
    %r = tensor.pad %x low[1, 3] high[2, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %v : f32
    } {check} : tensor<3x5xf32> to tensor<6x9xf32>
    return %r : tensor<6x9xf32>
  })",
                reads);
}

/// A gather: the row is data, which comes from an argument.
TEST_F(Captured, Gather) {
  const OpIndexing *indexing = compose(
      R"((%rows: tensor<3xi32>, %t: tensor<9x5xf32>) -> tensor<3x5xf32> {
    %e = tensor.empty() : tensor<3x5xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>,
           affine_map<(a, b) -> (a, b)>],
           iterator_types = ["parallel", "parallel"]}
           ins(%rows : tensor<3xi32>) outs(%e : tensor<3x5xf32>) attrs = {check} {
    ^bb0(%i: i32, %o: f32):
      %row = arith.index_cast %i : i32 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %t[%row, %j] : tensor<9x5xf32>
      linalg.yield %v : f32
    } -> tensor<3x5xf32>
    return %r : tensor<3x5xf32>
  })");
  ASSERT_TRUE(indexing);
  EXPECT_EQ(indexing->outputToInput(0, 1).str(/*withDetails=*/true),
            "(d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, 2], d1 in [0, 4], "
            "rt0 in [0, 8]; rt0 = operand 0 at (d0, d1){rt0} -> (d0), domain: "
            "d0 in [0, 2], d1 in [0, 4], rt0 in [0, 8]");
  EXPECT_EQ(indexing->outputToInput(0, 0).str(),
            "(d0, d1) -> (d0), domain: d0 in [0, 2], d1 in [0, 4]");
}

/// Rows that are data, where the maps of operands and results divide.
TEST_F(Captured, DataBesideDivisions) {
  std::set<Pair> reads;
  forEach({16, 10}, [&](const Point &i) { reads.insert({{i[0]}, {i[1]}}); });
  checkData(R"((%x: tensor<8xi32>, %t: tensor<10xf32>, %o: tensor<16xf32>)
                  -> tensor<16xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a floordiv 2)>,
           affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
           ins(%x : tensor<8xi32>) outs(%o : tensor<16xf32>) attrs = {check} {
    ^bb0(%i: i32, %old: f32):
      %row = arith.index_cast %i : i32 to index
      %v = tensor.extract %t[%row] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<16xf32>
    return %r : tensor<16xf32>
  })",
            1, reads);
  reads.clear();
  forEach({4, 10}, [&](const Point &i) { reads.insert({{i[0]}, {i[1]}}); });
  checkData(R"((%x: tensor<8xi32>, %t: tensor<10xf32>, %o: tensor<4xf32>)
                  -> tensor<4xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>,
           affine_map<(a) -> (a floordiv 2)>], iterator_types = ["reduction"]}
           ins(%x : tensor<8xi32>) outs(%o : tensor<4xf32>) attrs = {check} {
    ^bb0(%i: i32, %old: f32):
      %row = arith.index_cast %i : i32 to index
      %v = tensor.extract %t[%row] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  })",
            1, reads);
  // Element a of the result depends on the rows 2a and 2a + 1.
  const IndexingSet &set =
      cache->getFunction(module->lookupSymbol<FunctionOpInterface>("f"))
          .outputToInput(0, 1);
  ASSERT_EQ(set.size(), 1u);
  std::set<Pair> sources;
  const MapDetailsRef details = set.getDetails(0);
  ASSERT_TRUE(details && details->runtime.size() == 1 && details->runtime[0]);
  EXPECT_EQ(details->runtime[0]->operand, 0u);
  EXPECT_EQ(enumerate(details->runtime[0]->map,
                      [&](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
                        sources.insert({{from[0]}, {to[0]}});
                        return true;
                      }),
            EnumerateStatus::Ok);
  reads.clear();
  forEach({8}, [&](const Point &i) { reads.insert({{i[0] / 2}, i}); });
  EXPECT_EQ(sources, reads);
}

/// Places of a result that are not known, beside one whose are; data at places
/// that are not known have no source.
TEST_F(Captured, UnknownMaps) {
  for (StringRef place :
       {"a * 4611686018427387904 + a * 4611686018427387904", "a floordiv 0"}) {
    const std::string text =
        (R"((%x: tensor<8xf32>, %t: tensor<10xf32>, %u: tensor<?xf32>)
              -> (tensor<8xf32>, tensor<?xf32>) {
    %r, %s = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>,
           affine_map<(a) -> ()" +
         place + R"()>], iterator_types = ["parallel"]}
           outs(%x, %u : tensor<8xf32>, tensor<?xf32>) attrs = {check} {
    ^bb0(%o: f32, %p: f32):
      %i = linalg.index 0 : index
      %v = tensor.extract %t[%i] : tensor<10xf32>
      linalg.yield %v, %v : f32, f32
    } -> (tensor<8xf32>, tensor<?xf32>)
    return %r, %s : tensor<8xf32>, tensor<?xf32>
  })")
            .str();
    const OpIndexing *indexing = compose(text);
    ASSERT_TRUE(indexing);
    EXPECT_EQ(indexing->outputToInput(0, 1).str(),
              "(d0) -> (d0), domain: d0 in [0, 7]");
    EXPECT_TRUE(indexing->outputToInput(1, 1).isUnknown());
    EXPECT_TRUE(indexing->inputToOutput(1, 1).isUnknown());
  }
  const OpIndexing *indexing =
      compose(R"((%x: tensor<?xi32>, %t: tensor<10xf32>, %o: tensor<8xf32>)
                  -> tensor<8xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a floordiv 0)>,
           affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
           ins(%x : tensor<?xi32>) outs(%o : tensor<8xf32>) attrs = {check} {
    ^bb0(%i: i32, %old: f32):
      %row = arith.index_cast %i : i32 to index
      %v = tensor.extract %t[%row] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<8xf32>
    return %r : tensor<8xf32>
  })");
  ASSERT_TRUE(indexing);
  EXPECT_EQ(indexing->outputToInput(0, 1).str(/*withDetails=*/true),
            "(d0){rt0} -> (rt0), domain: d0 in [0, 7], rt0 in [0, 9]");
}

/// A tensor that the region uses as a whole.
TEST_F(Captured, Whole) {
  const OpIndexing *indexing =
      compose(R"((%x: tensor<3xf32>, %t: tensor<5xf32>) -> tensor<3xf32> {
    %c0 = arith.constant 0 : index
    %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>],
           iterator_types = ["parallel"]} outs(%x : tensor<3xf32>)
           attrs = {check} {
    ^bb0(%o: f32):
      %s = tensor.extract_slice %t[1] [2] [1] : tensor<5xf32> to tensor<2xf32>
      %v = tensor.extract %s[%c0] : tensor<2xf32>
      linalg.yield %v : f32
    } -> tensor<3xf32>
    return %r : tensor<3xf32>
  })");
  ASSERT_TRUE(indexing);
  EXPECT_EQ(indexing->outputToInput(0, 1).getReason(),
            IndexingReason::Captured);
}

/// What branches capture, either may read.
TEST_F(Captured, Branches) {
  const OpIndexing *indexing =
      compose(R"((%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
    %r = scf.if %c -> tensor<4xf32> {
      scf.yield %x : tensor<4xf32>
    } else {
      %y = arith.negf %x : tensor<4xf32>
      scf.yield %y : tensor<4xf32>
    } {check}
    return %r : tensor<4xf32>
  })");
  ASSERT_TRUE(indexing);
  EXPECT_EQ(indexing->outputToInput(0, 1).str(),
            "(d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(indexing->outputToInput(0, 0).str(),
            "(d0) -> (), domain: d0 in [0, 3]");
}

/// Dynamic sizes have the function's names there, too.
TEST_F(Captured, Dynamic) {
  const OpIndexing *indexing =
      compose(R"((%x: tensor<?xf32>, %t: tensor<?xf32>) -> tensor<?xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>],
           iterator_types = ["parallel"]} outs(%x : tensor<?xf32>)
           attrs = {check} {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %v = tensor.extract %t[%i] : tensor<?xf32>
      %s = arith.addf %v, %o : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    return %r : tensor<?xf32>
  })");
  ASSERT_TRUE(indexing);
  for (unsigned argument : {0, 1})
    EXPECT_EQ(indexing->outputToInput(0, argument).str(),
              "(d0){n0} -> (d0), domain: d0 in [0, n0 - 1], n0 in [1, inf]");
}

} // namespace
