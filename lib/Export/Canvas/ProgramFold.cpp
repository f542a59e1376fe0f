//===- ProgramFold.cpp - What of a long program is shown as one -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFold.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <string>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Parts that repeat as one are at most so many.
static constexpr size_t kLongestPeriod = 600;
/// A layer that repeats has so many ops at least.
static constexpr size_t kShortestLayer = 24;

uint64_t mlir::tensoraccess::getLook(StringRef text) {
  std::string kept;
  kept.reserve(text.size());
  auto isName = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '#' || c == ':';
  };
  for (size_t i = 0; i < text.size(); ++i) {
    kept += text[i];
    if (text[i] == '"') {
      // A string is what it is.
      while (i + 1 < text.size()) {
        kept += text[++i];
        if (text[i] == '\\' && i + 1 < text.size())
          kept += text[++i];
        else if (text[i] == '"')
          break;
      }
    } else if (text[i] == '%') {
      while (i + 1 < text.size() && isName(text[i + 1]))
        ++i;
    } else if (text[i] == '@') {
      StringRef name = text.substr(i + 1).take_while(
          [](char c) { return llvm::isAlnum(c) || c == '_'; });
      i += name.size();
      StringRef stem = name.rtrim("0123456789");
      kept += stem.size() < name.size() && stem.ends_with("_") ? stem : name;
    }
  }
  return llvm::xxh3_64bits(kept);
}

/// [first, last) of `nodes` as one; a single one stays what it is.
static FoldedPart join(ArrayRef<FoldedPart> nodes) {
  if (nodes.size() == 1)
    return nodes.front();
  FoldedPart part;
  part.first = nodes.front().first;
  part.last = nodes.back().last;
  part.head = nodes.front().head;
  part.parts = nodes.vec();
  return part;
}

/// Neighbours that repeat, where they are more than `least` nodes, as one part of
/// copies. Of several periods from `shortest` on the one that leaves fewest, of equal
/// ones the shortest.
static std::vector<FoldedPart> foldRepeats(ArrayRef<FoldedPart> nodes,
                                           ArrayRef<uint64_t> looks,
                                           size_t least, size_t shortest = 1) {
  const size_t n = nodes.size();
  if (n < 2 * shortest)
    return nodes.vec();
  // Polynomial hashes of all prefixes, modulo 2^64.
  constexpr uint64_t base = 0x9E3779B97F4A7C15;
  std::vector<uint64_t> prefix(n + 1), power(n + 1, 1);
  for (size_t i = 0; i < n; ++i) {
    prefix[i + 1] = prefix[i] * base + looks[i];
    power[i + 1] = power[i] * base;
  }
  auto hash = [&](size_t first, size_t size) {
    return prefix[first + size] - prefix[first] * power[size];
  };
  std::vector<FoldedPart> folded;
  for (size_t i = 0; i < n;) {
    size_t period = 1, times = 1;
    for (size_t p = shortest, e = std::min(kLongestPeriod, (n - i) / 2); p <= e;
         ++p) {
      size_t t = 1;
      while (i + (t + 1) * p <= n && hash(i, p) == hash(i + t * p, p))
        ++t;
      if (t > 1 && t * p > least && (t - 1) * p > (times - 1) * period) {
        period = p;
        times = t;
      }
    }
    if (times == 1) {
      folded.push_back(nodes[i++]);
      continue;
    }
    std::vector<FoldedPart> copies;
    for (size_t t = 0; t < times; ++t, i += period)
      copies.push_back(join(nodes.slice(i, period)));
    FoldedPart part = join(copies);
    part.times = times;
    // `layer` for layer_0 and layer_1.
    StringRef name = copies.front().name;
    if (copies.back().name != name)
      name = name.rtrim("0123456789").rtrim("_.");
    part.name = name.str();
    folded.push_back(std::move(part));
  }
  return folded;
}

bool mlir::tensoraccess::isContraction(Operation *op,
                                       const OpIndexing &indexing) {
  if (isa<SystolicArrayOp>(op))
    return true;
  if (auto compute = dyn_cast<ComputeOp>(op))
    return compute.getKind() == ComputeKind::DotProd;
  if (indexing.getNumResults() != 1)
    return false;
  unsigned ranges = 0;
  for (unsigned o = 0; o < indexing.getNumOperands(); ++o) {
    const IndexingSet &set = indexing.outputToInput(0, o);
    ranges += !set.isUnknown() &&
              llvm::any_of(set.getMaps(), [](const IndexingMap &map) {
                return map.getNumSymbols() != 0;
              });
  }
  return ranges > 1;
}

/// Whether an op only moves or makes elements.
static bool isMove(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && structured.getNumReductionLoops() == 0 &&
      structured.getBlock()->without_terminator().empty())
    return true;
  const StringRef name = op->getName().getStringRef();
  return llvm::any_of(
      ArrayRef<StringRef>{"pad", "fill", "shape", "transpose", "broadcast",
                          "convert", "slice", "layout", ".access", "windows",
                          "cart_prod", "pair", "squeeze", "insert_axis"},
      [&](StringRef part) { return name.contains(part); });
}

/// For each op the number of the last one that uses it, or contains a user; SIZE_MAX
/// for what is returned.
static std::vector<size_t> getLastUses(ArrayRef<Operation *> ops) {
  llvm::DenseMap<Operation *, size_t> places;
  for (auto [i, op] : llvm::enumerate(ops))
    places[op] = i;
  std::vector<size_t> uses;
  for (Operation *op : ops) {
    size_t last = 0;
    for (Operation *user : op->getUsers()) {
      while (user && !places.contains(user))
        user = user->getParentOp();
      last = std::max(last, user ? places[user] : SIZE_MAX);
    }
    uses.push_back(last);
  }
  return uses;
}

/// Where groups begin: each contraction with what is moved for it alone before it.
static std::vector<size_t> findGroups(ArrayRef<Operation *> ops,
                                      const std::vector<bool> &isHead) {
  const std::vector<size_t> lastUses = getLastUses(ops);
  std::vector<size_t> begins = {0};
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!isHead[i])
      continue;
    size_t begin = i;
    while (begin > begins.back() && isMove(ops[begin - 1]) &&
           lastUses[begin - 1] <= i)
      --begin;
    if (begin > 0)
      begins.push_back(begin);
  }
  return begins;
}

SmallVector<StringRef> mlir::tensoraccess::getScopes(Operation *op) {
  SmallVector<StringRef> scopes;
  op->getLoc()->walk([&](Location location) {
    auto name = dyn_cast<NameLoc>(location);
    if (!name || !name.getName().getValue().contains('/'))
      return WalkResult::advance();
    name.getName().getValue().split(scopes, '/');
    return WalkResult::interrupt();
  });
  if (!scopes.empty())
    scopes.pop_back();
  llvm::erase_if(scopes, [](StringRef scope) {
    return scope.empty() || scope.contains('(');
  });
  return scopes;
}

namespace {
/// Step 1.
class ScopeFold {
public:
  ScopeFold(ArrayRef<FoldedPart> leaves, ArrayRef<Operation *> ops,
            ArrayRef<uint64_t> looks)
      : leaves(leaves), looks(looks) {
    // What has none, as constants that were moved, belongs to what is around it.
    for (Operation *op : ops) {
      SmallVector<StringRef> found = getScopes(op);
      named += !found.empty();
      if (found.empty() && !scopes.empty())
        found = scopes.back();
      scopes.push_back(std::move(found));
    }
  }

  /// Whether most ops have a scope, and they stand together.
  bool isOfUse(ArrayRef<FoldedPart> folded) const {
    return 2 * named > scopes.size() && 3 * folded.size() < scopes.size();
  }

  std::vector<FoldedPart> fold(size_t first, size_t last,
                               size_t depth = 0) const {
    std::vector<FoldedPart> nodes;
    std::vector<uint64_t> nodeLooks;
    for (size_t i = first; i < last;) {
      size_t end = i + 1;
      while (depth < scopes[i].size() && end < last &&
             depth < scopes[end].size() &&
             scopes[end][depth] == scopes[i][depth])
        ++end;
      FoldedPart node = leaves[i];
      if (end - i > 1) {
        node.last = end;
        node.parts = fold(i, end, depth + 1);
        node.name = scopes[i][depth].str();
        // A scope that only holds one is that one.
        if (node.parts.size() == 1 && node.parts.front().times == 1)
          node.parts = std::vector<FoldedPart>(node.parts.front().parts);
      }
      ArrayRef<uint64_t> inside = looks.slice(i, end - i);
      nodeLooks.push_back(
          llvm::hash_combine_range(inside.begin(), inside.end()));
      nodes.push_back(std::move(node));
      i = end;
    }
    return foldRepeats(nodes, nodeLooks, /*least=*/1);
  }

private:
  ArrayRef<FoldedPart> leaves;
  ArrayRef<uint64_t> looks;
  std::vector<SmallVector<StringRef>> scopes;
  size_t named = 0;
};
} // namespace

/// Contractions with what belongs to them, and repeats of these.
static std::vector<FoldedPart> foldGroups(ArrayRef<Operation *> ops,
                                          ArrayRef<FoldedPart> leaves,
                                          ArrayRef<uint64_t> looks,
                                          const std::vector<bool> &isHead) {
  const std::vector<size_t> begins = findGroups(ops, isHead);
  std::vector<FoldedPart> groups;
  std::vector<uint64_t> groupLooks;
  for (size_t g = 0; g < begins.size(); ++g) {
    const size_t first = begins[g],
                 size = (g + 1 < begins.size() ? begins[g + 1] : ops.size()) -
                        first;
    ArrayRef<uint64_t> inside = looks.slice(first, size);
    FoldedPart group = join(foldRepeats(leaves.slice(first, size), inside, 3));
    auto begin = isHead.begin() + first, end = begin + size;
    auto head = std::find(begin, end, true);
    group.head = leaves[head == end ? first : head - isHead.begin()].first;
    group.isGroup = size > 1;
    groups.push_back(std::move(group));
    groupLooks.push_back(
        llvm::hash_combine_range(inside.begin(), inside.end()));
  }
  return foldRepeats(groups, groupLooks, /*least=*/1);
}

std::vector<FoldedPart>
mlir::tensoraccess::foldProgram(ArrayRef<Operation *> ops,
                                ArrayRef<uint64_t> looks, IndexingCache &cache,
                                bool byScope, size_t least) {
  std::vector<FoldedPart> leaves;
  std::vector<bool> isHead;
  for (auto [i, op] : llvm::enumerate(ops)) {
    FoldedPart leaf;
    leaf.first = leaf.head = i;
    leaf.last = i + 1;
    leaves.push_back(std::move(leaf));
    isHead.push_back(isContraction(op, cache.get(op)));
  }
  if (ops.size() < least)
    return foldRepeats(leaves, looks, /*least=*/3);
  if (byScope) {
    ScopeFold scopes(leaves, ops, looks);
    std::vector<FoldedPart> folded = scopes.fold(0, ops.size());
    if (scopes.isOfUse(folded))
      return folded;
  }
  if (llvm::count(isHead, true) < 2)
    return foldRepeats(leaves, looks, /*least=*/3);
  auto foldRange = [&](size_t first, size_t last) {
    return foldGroups(
        ops.slice(first, last - first),
        ArrayRef(leaves).slice(first, last - first),
        looks.slice(first, last - first),
        std::vector<bool>(isHead.begin() + first, isHead.begin() + last));
  };
  std::vector<FoldedPart> groups = foldRange(0, ops.size()), layers;
  const std::vector<FoldedPart> repeats =
      foldRepeats(leaves, looks, /*least=*/0, kShortestLayer);
  for (size_t i = 0; i < repeats.size();) {
    size_t end = i;
    while (end < repeats.size() && repeats[end].times == 1)
      ++end;
    if (end > i) {
      llvm::append_range(layers,
                         foldRange(repeats[i].first, repeats[end - 1].last));
      i = end;
      continue;
    }
    FoldedPart copies = repeats[i++];
    for (FoldedPart &copy : copies.parts)
      copy.parts = foldRange(copy.first, copy.last);
    layers.push_back(std::move(copies));
  }
  return layers.size() < groups.size() ? layers : groups;
}
