//===- SeedTest.cpp - Worked examples and golden cases --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps are compared by meaning: two texts of the same relation are equal.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class Seed : public OracleTest {
protected:
  /// Whether a set is exactly one map that means the same as `text`.
  static ::testing::AssertionResult means(const IndexingSet &set,
                                          StringRef text) {
    ParseError error;
    std::optional<IndexingMap> expected = IndexingMap::parse(text, error);
    if (!expected)
      return ::testing::AssertionFailure()
             << error.message << ": " << text.str();
    if (set.isUnknown() || set.getMaps().size() != 1)
      return ::testing::AssertionFailure()
             << set.str() << "\nis not one map, as " << text.str();
    const IndexingMap &map = set.getMaps().front();
    if (map == expected->simplify())
      return ::testing::AssertionSuccess();
    MapComparison comparison = equalAsRelations(map, *expected);
    if (comparison)
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << map.str() << "\nis not\n"
                                         << text.str() << "\n"
                                         << comparison.message;
  }
};

/// Slice, with the errata: up, (d1 - 3) / 7 where that divides.
TEST_F(Seed, Slice) {
  Operation *op = parse(R"((%x: tensor<10x20x50xf32>) {
    %r = tensor.extract_slice %x[5, 3, 0] [5, 3, 25] [1, 7, 2] {check}
           : tensor<10x20x50xf32> to tensor<5x3x25xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  EXPECT_TRUE(means(indexing.outputToInput(0, 0),
                    "(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: "
                    "d0 in [0, 4], d1 in [0, 2], d2 in [0, 24]"));
  EXPECT_TRUE(means(indexing.inputToOutput(0, 0),
                    "(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv "
                    "2), domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 49], "
                    "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]"));
}

/// Generic reshape, example 1.
TEST_F(Seed, Reshape) {
  Operation *op = parse(R"((%x: tensor<4x8xf32>, %s: tensor<3xindex>) {
    %r = tensor.reshape %x(%s) {check}
           : (tensor<4x8xf32>, tensor<3xindex>) -> tensor<2x4x4xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  EXPECT_TRUE(means(indexing.outputToInput(0, 0),
                    "(d0, d1, d2) -> (d0 * 2 + (d1 * 4 + d2) floordiv 8, (d1 * "
                    "4 + d2) mod 8), domain: d0 in [0, 1], d1 in [0, 3], d2 in "
                    "[0, 3]"));
  EXPECT_TRUE(
      means(indexing.inputToOutput(0, 0),
            "(d0, d1) -> ((d0 * 8 + d1) floordiv 16, ((d0 * 8 + d1) mod "
            "16) floordiv 4, d1 mod 4), domain: d0 in [0, 3], d1 in "
            "[0, 7]"));
}

/// Reverse, as a generic op: upper bound minus index, both ways.
TEST_F(Seed, Reverse) {
  Operation *op = parse(R"((%x: tensor<1x17x9x9xf32>) {
    %r = linalg.generic {
        indexing_maps = [affine_map<(a, b, c, d) -> (a, 16 - b, 8 - c, d)>,
                         affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%x : tensor<1x17x9x9xf32>) outs(%x : tensor<1x17x9x9xf32>)
        attrs = {check} {
    ^bb0(%i: f32, %o: f32):
      linalg.yield %i : f32
    } -> tensor<1x17x9x9xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  for (const IndexingSet &set :
       {indexing.outputToInput(0, 0), indexing.inputToOutput(0, 0)})
    EXPECT_TRUE(
        means(set, "(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: "
                   "d0 in [0, 0], d1 in [0, 16], d2 in [0, 8], d3 in "
                   "[0, 8]"));
}

/// The golden cases that have a form in upstream's dialects.
TEST_F(Seed, GoldenCases) {
  std::string path = TENSORACCESS_TEST_DIR "/Cases/indexing_ops.jsonl";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(buffer)) << path;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  unsigned cases = 0;
  for (StringRef line : lines) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    ASSERT_TRUE(bool(value));
    const llvm::json::Object &object = *value->getAsObject();
    std::optional<StringRef> source = object.getString("mlir_upstream");
    if (!source)
      continue;
    SCOPED_TRACE(object.getString("id")->str());
    module = parseSourceString<ModuleOp>(*source, &context);
    ASSERT_TRUE(module);
    auto function =
        cast<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*module, "main"));
    IndexingCache cache;
    const OpIndexing &indexing = cache.getFunction(function);
    for (const llvm::json::Value &entry : *object.getArray("expected")) {
      const llvm::json::Object &expected = *entry.getAsObject();
      const llvm::json::Array &maps = *expected.getArray("maps");
      ASSERT_EQ(maps.size(), 1u);
      bool down = object.getString("direction") == "output_to_input";
      unsigned operand = down ? *expected.getInteger("operand")
                              : *object.getInteger("input_id");
      EXPECT_TRUE(means(down ? indexing.outputToInput(0, operand)
                             : indexing.inputToOutput(operand, 0),
                        *maps.front().getAsString()));
      ++cases;
    }
  }
  EXPECT_GE(cases, 8u);
}

} // namespace
