//===- RuntimeTest.cpp - Sources of runtime variables ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source is right if a map, evaluated with the numbers that the sources
// point at, gives the element that the program reads.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class Runtime : public OracleTest {
protected:
  /// The indexing of the function's first result.
  const OpIndexing &fused(StringRef text) {
    module =
        parseSourceString<ModuleOp>(("func.func @f" + text).str(), &context);
    EXPECT_TRUE(module);
    cache = std::make_unique<IndexingCache>();
    return cache->getFunction(
        cast<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*module, "f")));
  }
  std::unique_ptr<IndexingCache> cache;
};

/// Every dynamic offset has the operand that holds it as its source.
TEST_F(Runtime, SliceOffsets) {
  Operation *op = parse(R"((%x: tensor<10x20xf32>, %i: index, %j: index) {
    %r = tensor.extract_slice %x[%i, %j] [3, 5] [1, 2] {check}
           : tensor<10x20xf32> to tensor<3x5xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  for (const IndexingSet &set :
       {indexing.outputToInput(0, 0), indexing.inputToOutput(0, 0)}) {
    ASSERT_EQ(set.size(), 1u);
    MapDetailsRef details = set.getDetails(0);
    ASSERT_TRUE(details);
    ASSERT_EQ(details->runtime.size(), 2u);
    for (unsigned rt : {0u, 1u}) {
      ASSERT_TRUE(details->runtime[rt]);
      EXPECT_EQ(details->runtime[rt]->operand, rt + 1);
      EXPECT_EQ(details->runtime[rt]->map.getNumResults(), 0u);
      EXPECT_EQ(details->runtime[rt]->map.getNumDims(), 2u);
    }
  }
}

/// Constant offsets are substituted, through index arithmetic too.
TEST_F(Runtime, ConstantOffset) {
  const OpIndexing &indexing = fused(R"((%x: tensor<10xf32>)
      -> tensor<3xf32> {
    %a = arith.constant 2 : i32
    %b = arith.constant 3 : i32
    %c = arith.addi %a, %b : i32
    %i = arith.index_cast %c : i32 to index
    %r = tensor.extract_slice %x[%i] [3] [1]
           : tensor<10xf32> to tensor<3xf32>
    return %r : tensor<3xf32>
  })");
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0) -> (d0 + 5), domain: d0 in [0, 2]");
  EXPECT_EQ(indexing.inputToOutput(0, 0).str(),
            "(d0) -> (d0 - 5), domain: d0 in [5, 7]");
}

/// An element of a constant table, and of a table that counts.
TEST_F(Runtime, ConstantTable) {
  const OpIndexing &indexing = fused(R"((%x: tensor<10xf32>)
      -> tensor<3xf32> {
    %t = arith.constant dense<[7, 4, 1]> : tensor<3xindex>
    %one = arith.constant 1 : index
    %i = tensor.extract %t[%one] : tensor<3xindex>
    %r = tensor.extract_slice %x[%i] [3] [1]
           : tensor<10xf32> to tensor<3xf32>
    return %r : tensor<3xf32>
  })");
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0) -> (d0 + 4), domain: d0 in [0, 2]");
}

/// Sources are composed: a slice of a slice, each with its own argument.
TEST_F(Runtime, Composition) {
  const OpIndexing &indexing = fused(R"((%x: tensor<10xf32>, %i: index,
      %j: index) -> tensor<2xf32> {
    %a = tensor.extract_slice %x[%i] [5] [1]
           : tensor<10xf32> to tensor<5xf32>
    %r = tensor.extract_slice %a[%j] [2] [1]
           : tensor<5xf32> to tensor<2xf32>
    return %r : tensor<2xf32>
  })");
  const IndexingSet &set = indexing.outputToInput(0, 0);
  EXPECT_EQ(set.str(/*withDetails=*/true),
            "(d0){rt0, rt1} -> (d0 + rt0 + rt1), domain: d0 in [0, 1], rt0 in "
            "[0, 5], rt1 in [0, 3]; rt0 = operand 1 at (d0){rt0, rt1} -> (), "
            "domain: d0 in [0, 1], rt0 in [0, 5], rt1 in [0, 3]; rt1 = operand "
            "2 at (d0){rt0, rt1} -> (), domain: d0 in [0, 1], rt0 in [0, 5], "
            "rt1 in [0, 3]");
  // The other direction, in the other order of composition.
  MapDetailsRef up = indexing.inputToOutput(0, 0).getDetails(0);
  ASSERT_TRUE(up);
  ASSERT_EQ(up->runtime.size(), 2u);
  EXPECT_EQ(up->runtime[0]->operand, 2u);
  EXPECT_EQ(up->runtime[1]->operand, 1u);
}

/// Two paths that differ only in where they look are two members of the set.
TEST_F(Runtime, SameMapOtherSource) {
  const OpIndexing &indexing = fused(R"((%x: tensor<10xf32>, %i: index,
      %j: index) -> tensor<2xf32> {
    %a = tensor.extract_slice %x[%i] [2] [1]
           : tensor<10xf32> to tensor<2xf32>
    %b = tensor.extract_slice %x[%j] [2] [1]
           : tensor<10xf32> to tensor<2xf32>
    %r = arith.addf %a, %b : tensor<2xf32>
    return %r : tensor<2xf32>
  })");
  EXPECT_EQ(indexing.outputToInput(0, 0).size(), 2u);
  IndexingSet again = indexing.outputToInput(0, 0);
  again.insert(indexing.outputToInput(0, 0));
  EXPECT_EQ(again, indexing.outputToInput(0, 0));
}

/// A computed offset is not an element of an argument.
TEST_F(Runtime, ComputedOffset) {
  const OpIndexing &indexing = fused(R"((%x: tensor<10xf32>, %i: index)
      -> tensor<3xf32> {
    %j = arith.addi %i, %i : index
    %r = tensor.extract_slice %x[%j] [3] [1]
           : tensor<10xf32> to tensor<3xf32>
    return %r : tensor<3xf32>
  })");
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 7]");
  EXPECT_FALSE(indexing.outputToInput(0, 0).hasDetails());
}

/// A number outside of the type wraps, so it is not used.
TEST_F(Runtime, Wraps) {
  const OpIndexing &indexing = fused(R"((%x: tensor<300xf32>)
      -> tensor<3xf32> {
    %a = arith.constant 100 : i8
    %b = arith.addi %a, %a : i8
    %i = arith.index_cast %b : i8 to index
    %r = tensor.extract_slice %x[%i] [3] [1]
           : tensor<300xf32> to tensor<3xf32>
    return %r : tensor<3xf32>
  })");
  EXPECT_EQ(indexing.outputToInput(0, 0).getMaps().front().getNumRuntime(), 1u);
}

/// A gather at indices that count is a strided slice: XLA's tests know the
/// runtime variable only.
TEST_F(Runtime, GatherOfIota) {
  const OpIndexing &indexing = fused(R"((%x: tensor<9x4xf32>)
      -> tensor<5x4xf32> {
    %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5xi32>
    %two = "stablehlo.constant"() <{value = dense<2> : tensor<5xi32>}>
             : () -> tensor<5xi32>
    %j = "stablehlo.multiply"(%i, %two)
           : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %k = "stablehlo.broadcast_in_dim"(%j)
           <{broadcast_dimensions = array<i64: 0>}>
           : (tensor<5xi32>) -> tensor<5x1xi32>
    %r = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<
           offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
           index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
           : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
    return %r : tensor<5x4xf32>
  })");
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0, d1) -> (d0 * 2, d1), domain: d0 in [0, 4], d1 in [0, 3]");
  EXPECT_EQ(indexing.inputToOutput(0, 0).getMaps().front().getNumRuntime(), 0u);
}

/// Indices that leave the operand are clamped, as the op does.
TEST_F(Runtime, GatherIsClamped) {
  const OpIndexing &indexing = fused(R"((%x: tensor<3xf32>) -> tensor<5xf32> {
    %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x1xi32>
    %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
           collapsed_slice_dims = [0], start_index_map = [0],
           index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
           : (tensor<3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
    return %r : tensor<5xf32>
  })");
  const IndexingSet &set = indexing.outputToInput(0, 0);
  ASSERT_EQ(set.size(), 1u);
  for (int64_t i = 0; i < 5; ++i) {
    auto at = set.getMaps()[0].evaluate({i});
    ASSERT_TRUE(at);
    EXPECT_EQ(at->front(), std::min<int64_t>(i, 2));
  }
}

/// How JAX writes x[where] for a negative constant: select and compare.
TEST_F(Runtime, NormalisedNegativeIndex) {
  const OpIndexing &indexing = fused(R"((%x: tensor<10xf32>)
      -> tensor<2xf32> {
    %c = "stablehlo.constant"() <{value = dense<-4> : tensor<i32>}>
           : () -> tensor<i32>
    %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}>
              : () -> tensor<i32>
    %n = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}>
           : () -> tensor<i32>
    %lt = "stablehlo.compare"(%c, %zero)
            <{comparison_direction = #stablehlo<comparison_direction LT>}>
            : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %sum = "stablehlo.add"(%c, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %i = "stablehlo.select"(%lt, %sum, %c)
           : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}>
           : (tensor<10xf32>, tensor<i32>) -> tensor<2xf32>
    return %r : tensor<2xf32>
  })");
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0) -> (d0 + 6), domain: d0 in [0, 1]");
}

/// A sum over gathered rows: the source depends on the symbol of the sum, which
/// therefore stays.
TEST_F(Runtime, SourceUnderReduction) {
  const OpIndexing &indexing = fused(R"((%x: tensor<9x4xf32>,
      %i: tensor<5x1xi32>) -> tensor<4xf32> {
    %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
           offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
           index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
           : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
    %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}>
           : () -> tensor<f32>
    %r = "stablehlo.reduce"(%g, %z) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b)
             : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<5x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  })");
  const IndexingSet &set = indexing.outputToInput(0, 0);
  ASSERT_EQ(set.str(), "(d0)[s0]{rt0} -> (rt0, d0), domain: d0 in [0, 3], s0 "
                       "in [0, 4], rt0 in [0, 8]");
  MapDetailsRef details = set.getDetails(0);
  ASSERT_TRUE(details && details->runtime[0]);
  EXPECT_EQ(details->runtime[0]->operand, 1u);
  auto at = details->runtime[0]->map.evaluate({2}, {3}, {0});
  ASSERT_TRUE(at);
  EXPECT_EQ(Point(at->begin(), at->end()), Point({3, 0}));
}

/// A call's sources are looked up where it is called.
TEST_F(Runtime, ThroughCall) {
  module = parseSourceString<ModuleOp>(R"(
    func.func private @g(%x: tensor<10xf32>, %i: index) -> tensor<3xf32> {
      %r = tensor.extract_slice %x[%i] [3] [1]
             : tensor<10xf32> to tensor<3xf32>
      return %r : tensor<3xf32>
    }
    func.func @f(%x: tensor<10xf32>) -> tensor<3xf32> {
      %i = arith.constant 4 : index
      %r = call @g(%x, %i) : (tensor<10xf32>, index) -> tensor<3xf32>
      return %r : tensor<3xf32>
    })",
                                       &context);
  ASSERT_TRUE(module);
  IndexingCache functions;
  EXPECT_EQ(functions
                .getFunction(cast<FunctionOpInterface>(
                    SymbolTable::lookupSymbolIn(*module, "f")))
                .outputToInput(0, 0)
                .str(),
            "(d0) -> (d0 + 4), domain: d0 in [0, 2]");
}

} // namespace
