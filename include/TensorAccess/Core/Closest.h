//===- Closest.h - What a misspelt name was meant to be ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_CLOSEST_H
#define TENSORACCESS_CORE_CLOSEST_H

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace mlir::tensoraccess {

/// The one of `names` that is the fewest edits away from `name`, the first if
/// there is a tie; empty if all are too far away to have been meant, or have no
/// letter of it. A missing ending is one edit. `prefix`, which many names begin
/// with, may also be missing and does not count.
template <typename Names>
std::string findClosest(llvm::StringRef name, const Names &names,
                        llvm::StringRef prefix = {}) {
  std::string closest;
  name.consume_front(prefix);
  unsigned least = std::min<size_t>(name.size(), 1 + (name.size() + 2) / 3);
  for (llvm::StringRef known : names) {
    llvm::StringRef rest = known;
    rest.consume_front(prefix);
    unsigned edits = name.edit_distance(rest, true, least);
    if (name.size() > 2 && rest.starts_with(name))
      edits = std::min(edits, 1u);
    if (edits < least) {
      least = edits;
      closest = known.str();
    }
  }
  return closest;
}

/// What comes between an unknown name and those that are known: "; did you mean
/// 'flops'?", or ";" if none of `names` is close.
template <typename Names>
std::string suggest(llvm::StringRef name, const Names &names) {
  std::string closest = findClosest(name, names);
  return closest.empty() ? ";" : "; did you mean '" + closest + "'?";
}

/// "unknown cost 'flop'; did you mean 'flops'? known are bytes, flops".
template <typename Names = std::initializer_list<llvm::StringRef>>
std::string describeUnknown(llvm::StringRef what, llvm::StringRef name,
                            const Names &known) {
  return ("unknown " + what + " '" + name + "'" + suggest(name, known) +
          " known are " + llvm::join(known, ", "))
      .str();
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_CLOSEST_H
