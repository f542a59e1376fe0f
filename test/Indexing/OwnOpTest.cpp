//===- OwnOpTest.cpp - Your own op, as docs/Indexing.md has it ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

// my.flip reverses a vector: result[i] = x[n - 1 - i].
static Nest inferFlip(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || op.in[0].size() != 1 || !op.equateAll(op.in[0], op.out[0]))
    return op.unknown();
  Nest nest = op.makeResultNest(NestBody::Move);
  nest.read(0, nest.arena().sub(nest.last(op.in[0][0]), nest[0]));
  return nest;
}

// For `registry.addExtension(addFlip)`, before the context is made.
static void addFlip(MLIRContext *, BuiltinDialect *dialect) {
  addIndexingModel(dialect, "my.flip", inferFlip);
}

namespace {

class OwnOp : public OracleTest {
protected:
  OwnOp() {
    DialectRegistry registry;
    registry.addExtension(addFlip);
    context.appendDialectRegistry(registry);
  }
};

TEST_F(OwnOp, Flip) {
  Reads reads;
  forEach({7}, [&](const Point &i) { reads[0].insert({i, {6 - i[0]}}); });
  check(R"((%x: tensor<7xf32>) {
    %r = "my.flip"(%x) {check} : (tensor<7xf32>) -> tensor<7xf32>
    return
  })",
        reads);
  EXPECT_EQ(getReason(R"((%x: tensor<*xf32>) {
    %r = "my.flip"(%x) {check} : (tensor<*xf32>) -> tensor<*xf32>
    return
  })"),
            IndexingReason::UnrankedShape);
}

/// The document shows this file's code.
TEST_F(OwnOp, DocumentIsUpToDate) {
  auto read = [](StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    EXPECT_TRUE(bool(buffer)) << path.str();
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  std::string root = TENSORACCESS_TEST_DIR "/..";
  std::string document = read(root + "/docs/Indexing.md");
  std::string source = read(root + "/test/Indexing/OwnOpTest.cpp");
  unsigned blocks = 0;
  StringRef rest = document;
  while (rest.contains("```cpp\n")) {
    auto [block, after] = rest.split("```cpp\n").second.split("```");
    EXPECT_NE(source.find(block.str()), std::string::npos)
        << "docs/Indexing.md shows code that is not run:\n"
        << block.str();
    rest = after;
    ++blocks;
  }
  EXPECT_EQ(blocks, 1u);
}

} // namespace
