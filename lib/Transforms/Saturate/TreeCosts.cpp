//===- TreeCosts.cpp - Costs of terms as trees ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block's terms cost where nothing is shared, each term once: the
// program's own in the order of the block, those that were chosen with a stack.
// The numbers may overflow; they are infinite then.
//
//===----------------------------------------------------------------------===//

#include "BlockSaturation.h"

using namespace mlir;
using namespace mlir::tensoraccess;

llvm::DenseMap<Value, double> BlockSaturation::getOwnTreeCosts() const {
  llvm::DenseMap<Value, double> costOf;
  for (Operation *op : terms.terms) {
    double cost = toCounted(getCost(terms.nodes.lookup(op)));
    for (Value input : TermGraph::getInputs(op))
      cost += costOf.lookup(input);
    for (Value result : op->getResults())
      costOf[result] = cost;
  }
  return costOf;
}

double BlockSaturation::getOwnTreeCost() const {
  const llvm::DenseMap<Value, double> costOf = getOwnTreeCosts();
  double sum = 0;
  for (const TermBlock::User &user : terms.users)
    for (Value value : user.values)
      sum += costOf.lookup(value);
  return sum;
}

double BlockSaturation::getChosenTreeCost() const {
  const Extraction *current = nullptr;
  llvm::DenseMap<uint32_t, double> costOf;
  SmallVector<uint32_t> stack;
  double sum = 0;
  for (auto [user, choice] : llvm::zip_equal(terms.users, choices)) {
    if (!choice) {
      const llvm::DenseMap<Value, double> own = getOwnTreeCosts();
      for (Value value : user.values)
        sum += own.lookup(value);
      continue;
    }
    if (choice.get() != current)
      costOf.clear();
    current = choice.get();
    for (Value value : user.values) {
      stack.push_back(classOf(value));
      while (!stack.empty()) {
        const uint32_t cls = stack.back(), node = current->choice[cls];
        const size_t size = stack.size();
        double cost = costs[node];
        for (uint32_t child : nodes.getChildren(node)) {
          auto known = costOf.find(child);
          if (known == costOf.end())
            stack.push_back(child);
          else
            cost += known->second;
        }
        if (stack.size() != size)
          continue;
        costOf[cls] = cost;
        stack.pop_back();
      }
      sum += costOf.lookup(classOf(value));
    }
  }
  return sum;
}
