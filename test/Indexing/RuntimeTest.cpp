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
    module = parseSourceString<ModuleOp>(("func.func @f" + text).str(),
                                         &context);
    EXPECT_TRUE(module);
    cache = std::make_unique<IndexingCache>();
    return cache->getFunction(cast<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(*module, "f")));
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

/// A computed offset is no element of an argument.
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

} // namespace
