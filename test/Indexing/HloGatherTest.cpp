//===- HloGatherTest.cpp - Gather, scatter and collectives ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random dimension numbers, and tensors of random indices, some of them out of
// bounds. The loops follow StableHLO's specification step by step.
//
//===----------------------------------------------------------------------===//

#include "HloOracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class HloGather : public HloOracle {
protected:
  /// What gather and scatter have in common.
  struct Sliced {
    Shape tensor, indices, slices, sliceSizes;
    Shape window, dropped, batching, indicesBatching, starts;
    int64_t vectorDim = 0;
  };

  Sliced pickSliced() {
    Sliced s;
    int64_t rank = pick(1, 3);
    Shape batchSizes;
    for (int64_t i = 0; i < rank; ++i) {
      s.tensor.push_back(pick(1, 4));
      int64_t size = pick(1, s.tensor[i]);
      switch (pick(0, 3)) {
      case 0: // batching
        s.batching.push_back(i);
        batchSizes.push_back(s.tensor[i]);
        size = 1;
        break;
      case 1: // a single element
        s.dropped.push_back(i);
        size = 1;
        break;
      default:
        break;
      }
      s.sliceSizes.push_back(size);
    }
    for (int64_t i = 0; i < rank; ++i)
      if (!llvm::is_contained(s.batching, i) && pick(0, 2))
        s.starts.push_back(i);
    std::shuffle(s.starts.begin(), s.starts.end(), random);

    // Indices: batching dimensions, free ones, and the vector, shuffled.
    int64_t free = pick(0, 1);
    bool hasVector = s.starts.size() != 1 || pick(0, 1);
    Shape kinds; // -1: free; -2: the vector; else number of a batching dim
    for (int64_t i = 0; i < int64_t(s.batching.size()); ++i)
      kinds.push_back(i);
    for (int64_t i = 0; i < free; ++i)
      kinds.push_back(-1);
    if (hasVector)
      kinds.push_back(-2);
    std::shuffle(kinds.begin(), kinds.end(), random);
    s.indicesBatching.resize(s.batching.size());
    s.vectorDim = kinds.size();
    for (int64_t i = 0; i < int64_t(kinds.size()); ++i) {
      if (kinds[i] == -2) {
        s.vectorDim = i;
        s.indices.push_back(s.starts.size());
      } else if (kinds[i] == -1) {
        s.indices.push_back(pick(1, 3));
      } else {
        s.indicesBatching[kinds[i]] = i;
        s.indices.push_back(batchSizes[kinds[i]]);
      }
    }
    // The slices: some of their dimensions, in order, are those of the window.
    Shape windowSizes, batch;
    for (int64_t i = 0; i < rank; ++i)
      if (!llvm::is_contained(s.dropped, i) &&
          !llvm::is_contained(s.batching, i))
        windowSizes.push_back(s.sliceSizes[i]);
    for (int64_t i = 0; i < int64_t(s.indices.size()); ++i)
      if (i != s.vectorDim)
        batch.push_back(s.indices[i]);
    size_t w = 0, b = 0;
    while (w < windowSizes.size() || b < batch.size()) {
      if (w < windowSizes.size() && (b == batch.size() || pick(0, 1))) {
        s.window.push_back(s.slices.size());
        s.slices.push_back(windowSizes[w++]);
      } else {
        s.slices.push_back(batch[b++]);
      }
    }
    return s;
  }

  /// The numbers in `shape` at positions that are not in `without`.
  static Point drop(const Point &index, const Shape &without) {
    Point rest;
    for (int64_t i = 0; i < int64_t(index.size()); ++i)
      if (!llvm::is_contained(without, i))
        rest.push_back(index[i]);
    return rest;
  }

  /// The index into `indices` of entry k of the vector for a slices' index.
  static Point indicesIndex(const Sliced &s, const Point &slice, int64_t k) {
    Point at = drop(slice, s.window);
    if (s.vectorDim < int64_t(s.indices.size()))
      at.insert(at.begin() + s.vectorDim, k);
    return at;
  }

  /// Tensor index, as the specification of both ops computes it.
  static Point tensorIndex(const Sliced &s, const Point &slice,
                           const Numbers &indices, bool clamp) {
    size_t rank = s.tensor.size();
    Point start(rank), batching(rank), offset(rank);
    for (size_t k = 0; k < s.starts.size(); ++k) {
      int64_t dim = s.starts[k];
      int64_t value = indices.at(indicesIndex(s, slice, k));
      start[dim] = clamp ? std::min(std::max<int64_t>(value, 0),
                                    s.tensor[dim] - s.sliceSizes[dim])
                         : value;
    }
    Point batch = drop(slice, s.window);
    for (size_t i = 0; i < s.batching.size(); ++i) {
      int64_t from = s.indicesBatching[i];
      batching[s.batching[i]] = batch[from - (from < s.vectorDim ? 0 : 1)];
    }
    size_t w = 0;
    for (int64_t i = 0; i < int64_t(rank); ++i)
      if (!llvm::is_contained(s.dropped, i) &&
          !llvm::is_contained(s.batching, i))
        offset[i] = slice[s.window[w++]];
    Point index(rank);
    for (size_t i = 0; i < rank; ++i)
      index[i] = start[i] + batching[i] + offset[i];
    return index;
  }
};

TEST_F(HloGather, Gather) {
  for (unsigned round = 0; round < 300; ++round) {
    Sliced s = pickSliced();
    Numbers indices = pickNumbers(s.indices, -2, 5);
    Reads reads;
    forEach(s.slices, [&](const Point &i) {
      reads[0].insert({i, tensorIndex(s, i, indices, true)});
      for (int64_t k = 0; k < int64_t(s.starts.size()); ++k)
        reads[1].insert({i, indicesIndex(s, i, k)});
    });
    std::string numbers =
        "dimension_numbers = #stablehlo.gather<offset_dims = [" +
        list(s.window) + "], collapsed_slice_dims = [" + list(s.dropped) +
        "], operand_batching_dims = [" + list(s.batching) +
        "], start_indices_batching_dims = [" + list(s.indicesBatching) +
        "], start_index_map = [" + list(s.starts) +
        "], index_vector_dim = " + std::to_string(s.vectorDim) + ">";
    if (round % 2)
      checkResult(opText("stablehlo.gather",
                         numbers + ", slice_sizes = " + array(s.sliceSizes) +
                             ", indices_are_sorted = false",
                         {type(s.tensor), type(s.indices, "i32")},
                         {type(s.slices)}),
                  0, reads, {{1, indices}});
    else
      checkResult(opText("stablehlo.dynamic_gather", numbers,
                         {type(s.tensor), type(s.indices, "i32"),
                          type({int64_t(s.tensor.size())}, "i32")},
                         {type(s.slices)}),
                  0, reads, {{1, indices}});
  }
}

TEST_F(HloGather, IndexSelect) {
  Numbers index = pickNumbers({2, 5}, 0, 3);
  Reads reads;
  forEach({2, 3, 5, 6}, [&](const Point &i) {
    reads[0].insert({i, {i[0], i[1], index[{i[0], i[2]}], i[3]}});
    reads[1].insert({i, {i[0], i[2]}});
  });
  checkResult(
      opText("mhlo.torch_index_select", "dim = 2 : i64, batch_dims = 1 : i64",
             {type({2, 3, 4, 6}), type({2, 5}, "i32")}, {type({2, 3, 5, 6})}),
      0, reads, {{1, index}});
}

/// Updates that would land outside of the input are skipped, each by itself.
TEST_F(HloGather, Scatter) {
  for (unsigned round = 0; round < 300; ++round) {
    Sliced s = pickSliced();
    Numbers indices = pickNumbers(s.indices, -3, 5);
    unsigned count = pick(1, 2);
    Reads reads;
    forEach(s.slices, [&](const Point &u) {
      Point at = tensorIndex(s, u, indices, false);
      for (size_t i = 0; i < at.size(); ++i)
        if (at[i] < 0 || at[i] >= s.tensor[i])
          return;
      for (unsigned i = 0; i < count; ++i)
        reads[count + 1 + i].insert({at, u});
    });
    // Any of the indices of its batch may hit an element, or not.
    forEach(s.tensor, [&](const Point &x) {
      for (unsigned i = 0; i < count; ++i)
        reads[i].insert({x, x});
      forEach(s.indices, [&](const Point &i) {
        for (size_t b = 0; b < s.batching.size(); ++b)
          if (i[s.indicesBatching[b]] != x[s.batching[b]])
            return;
        reads[count].insert({x, i});
      });
    });
    std::vector<std::string> operands(count, type(s.tensor));
    operands.push_back(type(s.indices, "i64"));
    operands.resize(2 * count + 1, type(s.slices));
    checkResult(
        opText("stablehlo.scatter",
               "scatter_dimension_numbers = #stablehlo.scatter<"
               "update_window_dims = [" +
                   list(s.window) + "], inserted_window_dims = [" +
                   list(s.dropped) + "], input_batching_dims = [" +
                   list(s.batching) + "], scatter_indices_batching_dims = [" +
                   list(s.indicesBatching) +
                   "], scatter_dims_to_operand_dims = [" + list(s.starts) +
                   "], index_vector_dim = " + std::to_string(s.vectorDim) +
                   ">, unique_indices = false",
               operands, std::vector<std::string>(count, type(s.tensor)), true),
        pick(0, count - 1), reads, {{count, indices}});
  }
}

//===----------------------------------------------------------------------===//
// Collectives: pairs also name the replica, and the one that asks.
//===----------------------------------------------------------------------===//

class HloCollective : public HloOracle {
protected:
  /// (result index, operand index, replica)
  using Triple = std::tuple<Point, Point, int64_t>;

  /// What replica `own` reads, or sends, by the maps of result 0 and operand 0.
  static std::set<Triple> walk(const IndexingSet &set, bool fromResult,
                               int64_t own) {
    std::set<Triple> triples;
    EXPECT_FALSE(set.isUnknown()) << set.str();
    for (unsigned i = 0; i < set.size(); ++i) {
      const IndexingMap &map = set.getMaps()[i];
      MapDetailsRef details = set.getDetails(i);
      EXPECT_TRUE(details && details->replica) << map.str();
      if (!details || !details->replica)
        continue;
      EXPECT_LE(map.getNumRuntime(), 1u);
      EnumerateStatus status =
          enumerate(map, [&](ArrayRef<int64_t> v, ArrayRef<int64_t> results) {
            if (map.getNumRuntime() == 1 && v.back() != own)
              return true;
            Point from(v.begin(), v.begin() + map.getNumDims());
            Point to(results.begin(), results.end());
            auto replica = details->replica->evaluateAt(v);
            EXPECT_TRUE(replica);
            if (replica)
              triples.insert(fromResult ? Triple(from, to, replica->front())
                                        : Triple(to, from, replica->front()));
            return true;
          });
      EXPECT_EQ(status, EnumerateStatus::Ok) << map.str();
    }
    return triples;
  }

  /// `reads(own)`: what the definition says.
  void check(const std::string &text, int64_t replicas,
             llvm::function_ref<std::set<Triple>(int64_t)> reads) {
    Operation *op = parse(text);
    ASSERT_TRUE(op);
    OpIndexing indexing = getIndexing(op);
    for (int64_t own = 0; own < replicas; ++own) {
      EXPECT_EQ(walk(indexing.outputToInput(0, 0), true, own), reads(own))
          << text << indexing.outputToInput(0, 0).str(true);
      EXPECT_EQ(walk(indexing.inputToOutput(0, 0), false, own), reads(own))
          << text << indexing.inputToOutput(0, 0).str(true);
    }
  }
  std::string groups = "replica_groups = dense<[[0, 1, 2], [3, 4, 5]]> : "
                       "tensor<2x3xi64>";
};

TEST_F(HloCollective, AllGather) {
  check(opText("stablehlo.all_gather", "all_gather_dim = 1 : i64, " + groups,
               {type({2, 4})}, {type({2, 12})}),
        3, [](int64_t) {
          std::set<Triple> reads;
          forEach({2, 12}, [&](const Point &i) {
            reads.insert({i, {i[0], i[1] % 4}, i[1] / 4});
          });
          return reads;
        });
}

TEST_F(HloCollective, AllReduce) {
  check(opText("stablehlo.all_reduce", groups, {type({2, 4})}, {type({2, 4})},
               true),
        3, [](int64_t) {
          std::set<Triple> reads;
          forEach({2, 4, 3}, [&](const Point &i) {
            Point x{i[0], i[1]};
            reads.insert({x, x, i[2]});
          });
          return reads;
        });
}

TEST_F(HloCollective, ReduceScatter) {
  check(opText("stablehlo.reduce_scatter",
               "scatter_dimension = 1 : i64, " + groups, {type({2, 6})},
               {type({2, 2})}, true),
        3, [](int64_t own) {
          std::set<Triple> reads;
          forEach({2, 2, 3}, [&](const Point &i) {
            reads.insert({{i[0], i[1]}, {i[0], own * 2 + i[1]}, i[2]});
          });
          return reads;
        });
}

TEST_F(HloCollective, AllToAll) {
  for (int64_t concat : {0, 1})
    check(opText("stablehlo.all_to_all",
                 "split_dimension = 1 : i64, concat_dimension = " +
                     std::to_string(concat) +
                     " : i64, split_count = 3 : i64, " + groups,
                 {type({2, 6})}, {concat ? type({2, 6}) : type({6, 2})}),
          3, [&](int64_t own) {
            std::set<Triple> reads;
            for (int64_t j = 0; j < 3; ++j)
              forEach({2, 2}, [&](const Point &x) {
                Point to = x;
                to[concat] += j * 2;
                reads.insert({to, {x[0], own * 2 + x[1]}, j});
              });
            return reads;
          });
}

/// The first replica gives to all; a pair names its source.
TEST_F(HloCollective, BroadcastAndPermute) {
  check(opText("stablehlo.collective_broadcast", groups, {type({2})},
               {type({2})}),
        3,
        [](int64_t) { return std::set<Triple>{{{0}, {0}, 0}, {{1}, {1}, 0}}; });
  // For the one that asks, `own` is the number of the source.
  check(opText("stablehlo.collective_permute",
               "source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : "
               "tensor<3x2xi64>",
               {type({1})}, {type({1})}),
        3, [](int64_t own) { return std::set<Triple>{{{0}, {0}, own}}; });
}

/// Composition keeps index and replica together (XLA's fused form).
TEST_F(HloCollective, Fused) {
  module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<4x3xf32>) -> tensor<24xf32> {
      %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
             replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
             : (tensor<4x3xf32>) -> tensor<8x3xf32>
      %r = "stablehlo.reshape"(%g) : (tensor<8x3xf32>) -> tensor<24xf32>
      return %r : tensor<24xf32>
    })",
                                       &context);
  ASSERT_TRUE(module);
  IndexingCache cache;
  const OpIndexing &indexing = cache.getFunction(
      cast<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*module, "f")));
  std::set<Triple> expected;
  forEach({24}, [&](const Point &i) {
    int64_t row = i[0] / 3;
    expected.insert({i, {row % 4, i[0] % 3}, row / 4});
  });
  EXPECT_EQ(walk(indexing.outputToInput(0, 0), true, 0), expected);
  EXPECT_EQ(walk(indexing.inputToOutput(0, 0), false, 0), expected);
}

} // namespace
