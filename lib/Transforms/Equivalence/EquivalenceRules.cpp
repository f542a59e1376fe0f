//===- EquivalenceRules.cpp - Equal by equality saturation ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both functions' ops become terms of one graph, which is saturated with the
// rules on items: a dot product of any shape, a product of matrices and a
// systolic array are then one class where they are equal. The functions agree
// if their results are. Without the rules that reorder sums, each is equal to
// the last bit; with them, over the real numbers.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Rewrites/RuleSets.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Nodes of the graph, as many as whole models have several times over, and
/// matches: limits that don't depend on the machine.
static constexpr uint64_t kMaxNodes = 200'000, kMaxMatches = 1'000'000;

bool mlir::tensoraccess::proveByRules(JoinedFunctions &joined,
                                      bool reordersSums) {
  Block &block = joined.function->getBody().front();
  if (!joined.failAlike || llvm::none_of(block, [](Operation &op) {
        return isa<ComputeOp, SystolicArrayOp>(op);
      }))
    return false;
  // All results are wanted at the end.
  SmallVector<Value> results(joined.firstResults);
  llvm::append_range(results, joined.secondResults);
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  auto end =
      func::ReturnOp::create(builder, joined.function->getLoc(), results);
  TermGraph graph(joined.function->getContext());
  MovementTheory theory(graph);
  std::optional<TermBlock> terms = importBlock(graph, block);
  end.erase();
  if (!terms)
    return false;
  ComputeRuleOptions rules;
  rules.reordersSums = reordersSums;
  SaturationOptions options;
  // Equality passes through a chain of layers one by one.
  options.limits.iterations = kMaxMatches;
  options.limits.nodes = kMaxNodes;
  options.limits.matches = kMaxMatches;
  saturate(graph, {}, options, makeComputeRules(graph, theory, rules));
  auto find = [&](Value value) -> std::optional<ClassId> {
    auto found = terms->classes.find(value);
    if (found == terms->classes.end())
      return std::nullopt;
    return graph.getTable().find(found->second);
  };
  return llvm::all_of_zip(joined.firstResults, joined.secondResults,
                          [&](Value a, Value b) {
                            std::optional<ClassId> x = find(a), y = find(b);
                            return a == b || (x && y && *x == *y);
                          });
}
