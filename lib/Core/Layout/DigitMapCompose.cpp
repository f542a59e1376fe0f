//===- DigitMapCompose.cpp - One digit map after another ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composition walks the edges of the second map, whose sources stand for the
// targets of the first:
//
//   1. A node's value is assembled from what edges add to it: a list of pieces,
//      if their strides are products of radices; else it becomes a node.
//   2. An edge cuts its digit out of that list (DigitMapBuilder::cut).
//   3. What an edge or a bound rules out is required of the list, unless its
//      values never get there.
//
// The canonical form is the composition with the identity, after neighbours
// have been merged, until nothing changes.
//
// All lists are in one pool, which seldom outgrows the stack.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/DigitMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

namespace {
/// A list in the composer's pool.
struct List {
  unsigned begin = 0, size = 0;
};

/// node `to` += list · stride
struct Part {
  unsigned to;
  List list;
  int64_t stride;
};
using Parts = SmallVector<Part, 16>;
using Nodes = SmallVector<List, 8>;

/// Writes the edges of maps one after the other.
class Composer {
public:
  explicit Composer(DigitMapBuilder &builder) : builder(builder) {}

  ArrayRef<DigitPiece> get(List list) const {
    return ArrayRef(pool).slice(list.begin, list.size);
  }
  /// The number of a node.
  List whole(unsigned node);
  /// What `map` adds to its targets, which are numbered from 0. `nodes` are its
  /// sources. False on overflow.
  bool append(const DigitMap &map, ArrayRef<List> nodes, Parts &targets);
  /// The value of node `to`, the sum of its parts; std::nullopt on overflow.
  std::optional<List> assemble(ArrayRef<Part> parts, unsigned to);

private:
  bool cutNode(const DigitMap &map, unsigned node, List whole,
               llvm::MutableArrayRef<List> digits);
  bool cutPiece(ArrayRef<DigitEdge> edges, ArrayRef<unsigned> out, List whole,
                llvm::MutableArrayRef<List> digits);
  List since(size_t begin) const {
    return {static_cast<unsigned>(begin),
            static_cast<unsigned>(pool.size() - begin)};
  }

  DigitMapBuilder &builder;
  SmallVector<DigitPiece, 48> pool;
  /// The part of the current node that is not cut yet.
  DigitList rest;
};
} // namespace

List Composer::whole(unsigned node) {
  size_t begin = pool.size();
  for (const DigitPiece &piece : builder.whole(node))
    pool.push_back(piece);
  return since(begin);
}

std::optional<List> Composer::assemble(ArrayRef<Part> parts, unsigned to) {
  SmallVector<Part, 8> into; // minor first
  for (const Part &part : llvm::reverse(parts))
    if (part.to == to && part.list.size > 0)
      into.push_back(part);
  if (into.empty())
    return List();
  if (into.size() == 1 && into[0].stride == 1)
    return into[0].list;
  auto isMinor = [](const Part &a, const Part &b) {
    return a.stride != b.stride ? a.stride < b.stride
                                : a.list.begin < b.list.begin;
  };
  if (!llvm::is_sorted(into, isMinor))
    llvm::sort(into, isMinor);
  // Is the stride the product of the radices below, or a multiple of it?
  int64_t below = 1;
  bool isNested = true;
  SmallVector<int64_t, 8> gaps; // below each part
  for (const Part &part : into) {
    int64_t gap = 1;
    if (part.stride != below) {
      if (part.stride <= 0 || part.stride % below != 0) {
        isNested = false;
        break;
      }
      gap = part.stride / below;
    }
    gaps.push_back(gap);
    if (__builtin_mul_overflow(
            part.stride, DigitMapBuilder::getExtent(get(part.list)), &below))
      return std::nullopt;
  }
  if (isNested) {
    DigitList value;
    for (size_t i = into.size(); i-- > 0;) {
      builder.join(value, 0, get(into[i].list));
      if (gaps[i] != 1)
        builder.join(value, 0, {DigitPiece::zero(gaps[i])});
    }
    size_t begin = pool.size();
    pool.append(value.begin(), value.end());
    return since(begin);
  }
  int64_t bound = 1;
  for (const Part &part : into) {
    std::optional<int64_t> span =
        checkedMul(builder.getMaximum(get(part.list)), part.stride);
    if (span)
      span = checkedAdd(bound, *span);
    if (!span)
      return std::nullopt;
    bound = *span;
  }
  unsigned node = builder.addNode(bound);
  for (const Part &part : into)
    builder.addToNode(node, get(part.list), part.stride);
  return whole(node);
}

/// The common case: one piece that takes all values and is cut into
/// whole digits. False, with nothing done, for other nodes.
bool Composer::cutPiece(ArrayRef<DigitEdge> edges, ArrayRef<unsigned> out,
                        List whole, llvm::MutableArrayRef<List> digits) {
  if (whole.size != 1)
    return false;
  const DigitPiece piece = pool[whole.begin];
  if (piece.isZero() || !piece.isFull())
    return false;
  const size_t begin = pool.size();
  const bool isNatural = builder.isNatural(piece);
  for (unsigned i : out) {
    const DigitEdge &edge = edges[i];
    DigitPiece digit = piece;
    if (edge.divisor != 1) {
      digit.count = (piece.count - 1) / edge.divisor + 1;
      digit.divisor = piece.divisor;
      if (digit.count > 1)
        digit.divisor *= edge.divisor;
    }
    bool isExact =
        isNatural || digit.count == 1 || piece.count % edge.divisor == 0;
    if (digit.count > edge.modulus) {
      isExact &= isNatural || digit.count % edge.modulus == 0;
      digit.count = edge.modulus;
    }
    // An extent that rules values out is left to the general case, with lists.
    if (!isExact || digit.count > edge.extent) {
      pool.truncate(begin);
      return false;
    }
    digit.modulus = digit.count;
    digit.extent = edge.extent;
    digits[i] = {static_cast<unsigned>(pool.size()), edge.extent != 1};
    if (edge.extent != 1)
      pool.push_back(digit.count == 1 ? DigitPiece::zero(edge.extent) : digit);
  }
  return true;
}

/// Cuts a node's digits off, minor first, so that what is tied is tied once.
/// `digits` has one entry per edge.
bool Composer::cutNode(const DigitMap &map, unsigned node, List whole,
                       llvm::MutableArrayRef<List> digits) {
  builder.require(get(whole), map.getBounds()[node]);
  ArrayRef<DigitEdge> edges = map.getEdges();
  SmallVector<unsigned, 12> out; // minor first
  for (unsigned i = edges.size(); i-- > 0;)
    if (edges[i].from == node)
      out.push_back(i);
  auto isMinor = [&](unsigned a, unsigned b) {
    return edges[a].divisor != edges[b].divisor
               ? edges[a].divisor < edges[b].divisor
               : a < b;
  };
  if (!llvm::is_sorted(out, isMinor))
    llvm::sort(out, isMinor);
  if (cutPiece(edges, out, whole, digits))
    return true;
  auto restart = [&] {
    rest.clear();
    for (unsigned i = 0; i < whole.size; ++i)
      rest.push_back(pool[whole.begin + i]);
  };
  restart();
  int64_t divisor = 1; // rest is ⌊node / divisor⌋
  for (unsigned i : out) {
    const DigitEdge &edge = edges[i];
    size_t begin = pool.size();
    if (edge.divisor != divisor) {
      if (edge.divisor % divisor != 0) {
        restart();
        divisor = 1;
      }
      builder.cut(rest, edge.divisor / divisor, pool);
      pool.truncate(begin);
      divisor = edge.divisor;
    }
    if (builder.getMaximum(rest) < edge.modulus) {
      for (const DigitPiece &piece : rest)
        pool.push_back(piece);
    } else {
      builder.cut(rest, edge.modulus, pool);
      if (__builtin_mul_overflow(divisor, edge.modulus, &divisor))
        return false;
    }
    builder.limit(pool, begin, edge.extent);
    digits[i] = since(begin);
  }
  return true;
}

bool Composer::append(const DigitMap &map, ArrayRef<List> nodes,
                      Parts &targets) {
  unsigned numNodes = map.getNumNodes(), numSources = map.getNumSources();
  unsigned firstTarget = numNodes - map.getNumTargets();
  ArrayRef<DigitEdge> edges = map.getEdges();
  SmallVector<List, 16> digits(edges.size());
  SmallVector<char, 16> isDone(firstTarget, 0);
  Parts parts;
  auto finish = [&](unsigned node) {
    std::optional<List> list;
    if (node < numSources)
      list = nodes[node];
    else
      list = assemble(parts, node);
    isDone[node] = 1;
    return list && cutNode(map, node, *list, digits);
  };
  for (auto [i, edge] : llvm::enumerate(edges)) {
    if (!isDone[edge.from] && !finish(edge.from))
      return false;
    if (edge.to < firstTarget)
      parts.push_back({edge.to, digits[i], edge.stride});
    else
      targets.push_back({edge.to - firstTarget, digits[i], edge.stride});
  }
  for (unsigned node = 0; node < firstTarget; ++node)
    if (!isDone[node] && !finish(node))
      return false;
  return true;
}

std::optional<DigitMap> DigitMap::then(const DigitMap &next) const {
  if (numTargets != next.numSources)
    return std::nullopt;
  ArrayRef<int64_t> sources = ArrayRef(bounds).take_front(numSources);
  ArrayRef<int64_t> targets = ArrayRef(next.bounds).take_back(next.numTargets);
  DigitMapBuilder builder(sources);
  builder.setTargets(targets);
  if (isEmpty() || next.isEmpty()) {
    if (!llvm::is_contained(sources, 0) && !llvm::is_contained(targets, 0))
      builder.addNode(0);
    return builder.build();
  }

  Composer composer(builder);
  Nodes nodes;
  for (unsigned i = 0; i < numSources; ++i)
    nodes.push_back(composer.whole(i));
  Parts parts;
  if (!composer.append(*this, nodes, parts))
    return std::nullopt;
  nodes.clear();
  for (unsigned i = 0; i < numTargets; ++i) {
    std::optional<List> list = composer.assemble(parts, i);
    if (!list)
      return std::nullopt;
    builder.require(composer.get(*list), bounds[getTarget(i)]);
    nodes.push_back(*list);
  }
  parts.clear();
  if (!composer.append(next, nodes, parts))
    return std::nullopt;
  for (const Part &part : parts)
    builder.addTo(part.to, composer.get(part.list), part.stride);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Canonical form
//===----------------------------------------------------------------------===//

/// Merges neighbours and drops digits that are always 0.
static void mergeEdges(SmallVectorImpl<DigitEdge> &edges,
                       ArrayRef<int64_t> bounds) {
  for (DigitEdge &edge : edges) {
    edge.modulus = edge.getCount(bounds[edge.from]);
    edge.extent = std::min(edge.extent, edge.modulus);
  }
  llvm::erase_if(edges,
                 [](const DigitEdge &edge) { return edge.modulus == 1; });
  llvm::sort(edges, [](const DigitEdge &a, const DigitEdge &b) {
    return std::tie(a.to, a.from, a.divisor, a.stride) <
           std::tie(b.to, b.from, b.divisor, b.stride);
  });
  size_t kept = 0;
  for (const DigitEdge &edge : edges) {
    if (kept > 0) {
      DigitEdge &last = edges[kept - 1];
      if (last.to == edge.to && last.from == edge.from &&
          last.extent == last.modulus && edge.divisor % last.divisor == 0 &&
          edge.divisor / last.divisor == last.modulus &&
          edge.stride % last.modulus == 0 &&
          edge.stride / last.modulus == last.stride) {
        int64_t natural = (bounds[edge.from] - 1) / last.divisor + 1;
        bool isFree = edge.extent == edge.modulus;
        int64_t minor = last.modulus;
        last.modulus = std::min(
            natural, checkedMul(minor, edge.modulus).value_or(natural));
        last.extent =
            isFree ? last.modulus
                   : std::min(
                         last.modulus,
                         checkedMul(minor, edge.extent).value_or(last.modulus));
        continue;
      }
    }
    edges[kept++] = edge;
  }
  edges.truncate(kept);
}

/// Drops inner nodes if no edge mentions any.
void DigitMap::dropIdleNodes() {
  unsigned firstTarget = bounds.size() - numTargets;
  if (firstTarget == numSources ||
      llvm::any_of(edges,
                   [&](const DigitEdge &edge) {
                     return edge.from >= numSources || edge.to < firstTarget;
                   }) ||
      llvm::is_contained(bounds, 0))
    return;
  for (DigitEdge &edge : edges)
    edge.to -= firstTarget - numSources;
  bounds.erase(bounds.begin() + numSources, bounds.begin() + firstTarget);
}

std::optional<DigitMap> DigitMap::canonical() const {
  DigitMap map = *this;
  if (isEmpty()) {
    map.edges.clear();
    return map;
  }
  mergeEdges(map.edges, map.bounds);
  map.dropIdleNodes();
  // Each round takes out a node or is the last.
  for (unsigned round = 0; map.getNumInnerNodes() > 0 && round < 16; ++round) {
    ArrayRef<int64_t> all = map.bounds;
    DigitMapBuilder builder(all.take_front(numSources));
    builder.setTargets(all.take_back(numTargets));
    Composer composer(builder);
    Nodes nodes;
    for (unsigned i = 0; i < numSources; ++i)
      nodes.push_back(composer.whole(i));
    Parts parts;
    if (!composer.append(map, nodes, parts))
      return std::nullopt;
    for (const Part &part : parts)
      builder.addTo(part.to, composer.get(part.list), part.stride);
    std::optional<DigitMap> next = builder.build();
    if (!next)
      return std::nullopt;
    mergeEdges(next->edges, next->bounds);
    next->dropIdleNodes();
    if (*next == map)
      break;
    map = std::move(*next);
  }
  return map;
}
