//===- TermTesting.h - Terms from text --------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_TERMTESTING_H
#define TENSORACCESS_TEST_EGRAPH_TERMTESTING_H

#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::tensoraccess {

struct TermFixture : public ::testing::Test {
  TermFixture() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, pdl::PDLDialect,
                        scf::SCFDialect, tensor::TensorDialect>();
    context.allowUnregisteredDialects();
  }

  /// The first block of the first function of a module that stays.
  Block &parse(StringRef text) {
    modules.push_back(parseSourceString<ModuleOp>(text, &context));
    EXPECT_TRUE(modules.back());
    return (*modules.back()->getOps<func::FuncOp>().begin()).front();
  }

  std::vector<PdlRule> compile(StringRef text,
                               const NativeFunctions &functions = {}) {
    OwningOpRef<ModuleOp> module = parseRules(&context, text, "rules");
    EXPECT_TRUE(module);
    FailureOr<std::vector<PdlRule>> rules = compileRules(*module, functions);
    EXPECT_TRUE(succeeded(rules));
    return succeeded(rules) ? std::move(*rules) : std::vector<PdlRule>();
  }

  /// What is said of rules that can't be compiled.
  std::string complain(StringRef text, const NativeFunctions &functions = {}) {
    std::string said;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (!said.empty())
        said += "; ";
      said += diagnostic.str();
    });
    OwningOpRef<ModuleOp> module = parseRules(&context, text, "rules");
    if (!module)
      return "(no PDL) " + said;
    EXPECT_TRUE(failed(compileRules(*module, functions)));
    return said;
  }

  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> modules;
};

/// A node of least size for each class, by going over all until nothing drops.
inline TermChoice chooseSmallest(const TermGraph &graph) {
  const NodeTable &table = graph.getTable();
  auto best =
      std::make_shared<std::map<ClassId, std::pair<uint64_t, NodeId>>>();
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (NodeId node = table.getBegin(); node != table.getEnd();
         node = table.getNext(node)) {
      if (table.isDead(node))
        continue;
      uint64_t cost = 1;
      bool isKnown = true;
      for (unsigned i = 0; i < table.getNumOperands(node); ++i) {
        auto it = best->find(table.find(table.getOperand(node, i)));
        isKnown &= it != best->end();
        if (it != best->end())
          cost += it->second.first;
      }
      auto [it, isNew] =
          best->try_emplace(table.find(node), std::pair(~uint64_t(0), 0u));
      if (isKnown && cost < it->second.first) {
        it->second = {cost, node};
        isChanged = true;
      } else if (isNew && !isKnown) {
        best->erase(it);
      }
    }
  }
  return [best](ClassId id) -> std::optional<NodeId> {
    auto it = best->find(id);
    if (it == best->end())
      return std::nullopt;
    return it->second.second;
  };
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_EGRAPH_TERMTESTING_H
