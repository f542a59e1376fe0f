//===- PdlTesting.h - Rules on terms from text ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_PDLTESTING_H
#define TENSORACCESS_TEST_EGRAPH_PDLTESTING_H

#include "TermTesting.h"

namespace mlir::tensoraccess {

struct PdlFixture : public TermFixture {
  /// Saturates the block of a function with rules and writes the smallest terms
  /// of what it returns into it: the names of its ops.
  std::vector<std::string> run(StringRef function, ArrayRef<PdlRule> rules) {
    Block &block = parse(function);
    TermGraph graph(&context);
    std::optional<TermBlock> terms = importBlock(graph, block);
    statistics = saturate(graph, rules, {});
    TermBuilder builder(graph, chooseSmallest(graph), &*terms);
    Operation *last = block.getTerminator();
    OpBuilder ops(last);
    std::string problem;
    for (OpOperand &operand : last->getOpOperands()) {
      auto values = builder.build(
          ops, last->getLoc(), terms->classes.lookup(operand.get()), problem);
      EXPECT_TRUE(values) << problem;
      operand.set(values->front());
    }
    for (Operation *op : llvm::reverse(terms->terms))
      if (op->use_empty())
        op->erase();
    EXPECT_TRUE(succeeded(modules.back()->verify()));
    std::vector<std::string> names;
    for (Operation &op : block.without_terminator())
      names.push_back(op.getName().getStringRef().str());
    return names;
  }

  SaturationStatistics statistics;
};

/// A pattern `@R` with this body.
inline std::string pattern(StringRef body) {
  return ("pdl.pattern @R : benefit(1) {\n%x = pdl.operand\n%t = pdl.type\n" +
          body + "\n}")
      .str();
}
inline const char kRoot[] =
    "%root = pdl.operation \"some.op\"(%x : !pdl.value) -> "
    "(%t : !pdl.type)\n";

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_EGRAPH_PDLTESTING_H
