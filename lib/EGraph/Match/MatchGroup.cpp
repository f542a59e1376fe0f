//===- MatchGroup.cpp - Matches that are looked at together ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchGroup.h"

using namespace mlir::tensoraccess;

void MatchGroup::look(const NodeTable &table) {
  std::fill_n(known, size, true);
  uint64_t hashes[kSize];
  llvm::SmallVector<ClassId, 32> names;
  // The names of a match are valid while nothing was merged.
  auto nameOf = [&, isClean = table.isClean()](ClassId id) {
    return isClean ? id : table.find(id);
  };
  unsigned made = replacement.numElements;
  for (const TermTemplate::Node &node : replacement.term.nodes) {
    const size_t arity = node.operands.size();
    names.resize_for_overwrite(kSize * arity);
    auto namesOf = [&](unsigned i) {
      return llvm::MutableArrayRef<ClassId>(names.data() + i * arity, arity);
    };
    for (unsigned i = 0; i < size; ++i) {
      if (!known[i])
        continue;
      for (auto [name, operand] : llvm::zip_equal(namesOf(i), node.operands))
        name = nameOf(getRow(i)[operand]);
      hashes[i] = table.startLookup(node.symbol, namesOf(i));
    }
    for (unsigned i = 0; i < size; ++i)
      if (known[i])
        table.continueLookup(hashes[i]);
    for (unsigned i = 0; i < size; ++i) {
      if (!known[i])
        continue;
      std::optional<ClassId> id =
          table.finishLookup(hashes[i], node.symbol, namesOf(i));
      known[i] = id.has_value();
      getRow(i)[made] = id.value_or(0);
    }
    for (unsigned i = 0; i < size; ++i)
      if (known[i])
        getRow(i)[made] = table.find(getRow(i)[made]);
    ++made;
  }
  for (unsigned i = 0; i < size; ++i)
    known[i] = known[i] && nameOf(getRow(i)[replacement.term.root]) ==
                               nameOf(getRow(i)[replacement.element]);
}
