//===- CoverageTest.cpp - Every op of upstream's dialects has an answer ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the registered ops of each dialect: an op has a model, loops with
// indexing maps, or the trait Elementwise, or it is listed here with a reason.
// The table in docs/Operations.md is this list.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// Ops without a model, and why they need none.
const std::map<std::string, std::string> &getOthers() {
  static const std::map<std::string, std::string> others = {
      {"arith.constant", "has no operands"},
      {"linalg.index", "has no operands"},
      {"linalg.yield", "has no results"},
      {"tensor.parallel_insert_slice", "has no results"},
      {"tensor.yield", "has no results"},
      {"tosa.custom", "unknown: only its implementation says what it reads"},
      {"tosa.variable", "has no results"},
      {"tosa.yield", "has no results"},
  };
  return others;
}

class Coverage : public OracleTest {
protected:
  static std::string getWay(RegisteredOperationName name) {
    if (name.hasInterface<IndexingOpInterface>())
      return "model";
    if (name.hasInterface<IndexingMapOpInterface>())
      return "indexing maps";
    if (name.hasTrait<OpTrait::Elementwise>())
      return "elementwise";
    auto it = getOthers().find(name.getStringRef().str());
    return it == getOthers().end() ? "" : it->second;
  }

  /// Rows `| dialect | way | ops |`.
  std::string getTable() {
    std::string table;
    for (StringRef dialect : {"arith", "linalg", "math", "tensor", "tosa"}) {
      context.getOrLoadDialect(dialect);
      std::map<std::string, std::vector<std::string>> ways;
      for (RegisteredOperationName name : context.getRegisteredOperations()) {
        if (name.getDialectNamespace() != dialect)
          continue;
        std::string way = getWay(name);
        EXPECT_NE(way, "") << name.getStringRef().str()
                           << " has neither a model nor a reason";
        ways[way].push_back(
            name.getStringRef().drop_front(dialect.size() + 1).str());
      }
      for (auto &[way, ops] : ways) {
        llvm::sort(ops);
        table += "| `" + dialect.str() + "` | " + way + " | " +
                 llvm::join(ops, ", ") + " |\n";
      }
    }
    return table;
  }
};

TEST_F(Coverage, EveryOpIsAccountedFor) {
  getTable();
  // The list has no entry that is not needed.
  for (const auto &[name, reason] : getOthers()) {
    auto info = RegisteredOperationName::lookup(name, &context);
    ASSERT_TRUE(info.has_value()) << name;
    EXPECT_EQ(getWay(*info), reason) << name;
  }
}

TEST_F(Coverage, DocumentIsUpToDate) {
  std::string path = TENSORACCESS_TEST_DIR "/../docs/Operations.md";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(buffer)) << path;
  std::string table = getTable();
  EXPECT_TRUE((*buffer)->getBuffer().contains(table))
      << "docs/Operations.md should have these rows:\n"
      << table;
}

} // namespace
