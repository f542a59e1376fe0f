//===- DigitMapBuilder.cpp - Cutting and joining digits -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of pieces is a number in a mixed radix. To cut it at t:
//
//   1. Minor pieces whose radices multiply to L with L | t go whole into the
//      inner part; what is left is to cut the rest, H pieces and p above them,
//      at r = t / L, where the radix e of p does not divide r.
//   2. ⌊(h·e + p) / r⌋ = h·(e/r) + ⌊p/r⌋ if r | e. It is ⌊p/r⌋ if the pieces
//      above are always 0. So in both cases only p is cut.
//   3. p = ⌊x/d⌋ mod m is cut at r into ⌊x/(d·r)⌋ mod ⌈m/r⌉ and ⌊x/d⌋ mod r if
//      r | m, or if the modulus never matters, or if p < r anyway.
//   4. In any other case the digits are tied to one another: they become a node
//      of their own, whose only piece has nothing above and a modulus that
//      never matters, so that 2 and 3 apply.
//
// Radices multiply to at most the elements of an array, which fit.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/DigitMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

DigitMapBuilder::DigitMapBuilder(ArrayRef<int64_t> sources) {
  map.numSources = sources.size();
  map.bounds.assign(sources.begin(), sources.end());
}

int64_t DigitMapBuilder::multiply(int64_t a, int64_t b) {
  int64_t result;
  if (!__builtin_mul_overflow(a, b, &result))
    return result;
  failed = true;
  return 1;
}

DigitList DigitMapBuilder::whole(unsigned node) const {
  int64_t bound = map.bounds[node];
  DigitList list;
  if (bound > 1)
    list.push_back({node, 1, bound, bound, bound});
  return list;
}

int64_t DigitMapBuilder::getExtent(ArrayRef<DigitPiece> list) {
  int64_t extent = 1;
  for (const DigitPiece &piece : list)
    extent *= piece.extent;
  return extent;
}

int64_t DigitMapBuilder::getMaximum(ArrayRef<DigitPiece> list) const {
  int64_t maximum = 0;
  for (const DigitPiece &piece : list)
    maximum = maximum * piece.extent + piece.count - 1;
  return maximum;
}

void DigitMapBuilder::push(DigitPool &pool, size_t begin,
                           DigitPiece minor) const {
  if (minor.extent == 1)
    return;
  if (minor.count == 1)
    minor = DigitPiece::zero(minor.extent);
  if (pool.size() == begin) {
    pool.push_back(minor);
    return;
  }
  DigitPiece &major = pool.back();
  if (major.isZero()) {
    minor.extent *= major.extent;
    major = minor;
    return;
  }
  // ⌊x/(d·m)⌋ mod m' and ⌊x/d⌋ mod m together are ⌊x/d⌋ mod (m·m').
  int64_t both;
  if (major.node == minor.node && minor.count == minor.extent &&
      minor.count == minor.modulus &&
      !__builtin_mul_overflow(minor.divisor, minor.modulus, &both) &&
      major.divisor == both) {
    int64_t natural = (map.bounds[major.node] - 1) / minor.divisor + 1;
    int64_t most = natural / minor.modulus;
    major.modulus =
        major.modulus > most ? natural : major.modulus * minor.modulus;
    major.count = major.count > most ? natural : major.count * minor.count;
    major.divisor = minor.divisor;
    major.extent *= minor.extent;
    return;
  }
  pool.push_back(minor);
}

void DigitMapBuilder::join(DigitPool &pool, size_t begin,
                           ArrayRef<DigitPiece> minor) const {
  for (const DigitPiece &piece : minor)
    push(pool, begin, piece);
}

void DigitMapBuilder::cut(DigitList &list, int64_t size, DigitPool &inner) {
  if (size == 1)
    return;
  const size_t begin = inner.size();
  // The common case: one piece that takes all values.
  if (list.size() == 1 && list[0].isFull() && !list[0].isZero() &&
      (isNatural(list[0]) || list[0].modulus % size == 0)) {
    DigitPiece &piece = list[0];
    inner.push_back(piece);
    DigitPiece &low = inner.back();
    low.extent = size;
    if (piece.count <= size) {
      list.clear();
      return;
    }
    low.modulus = low.count = size;
    piece.divisor *= size; // less than the node's bound
    piece.modulus = piece.count = piece.extent =
        ceilDivPositive(piece.count, size);
    return;
  }
  while (true) {
    // 1. What is wholly inside.
    int64_t rest = size;
    size_t end = list.size();
    while (end > 0 && list[end - 1].extent <= rest &&
           rest % list[end - 1].extent == 0)
      rest /= list[--end].extent;
    if (end == 0 || rest == 1) {
      push(inner, begin, DigitPiece::zero(rest));
      join(inner, begin, ArrayRef(list).drop_front(end));
      list.truncate(end);
      return;
    }

    // 2. Only the next piece is cut.
    const DigitPiece piece = list[end - 1];
    bool isTop = true;
    for (size_t i = 0; i + 1 < end; ++i)
      isTop &= list[i].isZero();
    bool divides = piece.extent >= rest && piece.extent % rest == 0;
    bool isCut = piece.isZero() || piece.count <= rest || isNatural(piece) ||
                 piece.modulus % rest == 0;
    if ((isTop || divides) && isCut) {
      DigitPiece high = piece, low = piece;
      low.extent = rest;
      // 3.
      high.count = 1;
      if (piece.count > rest) {
        high.count = ceilDivPositive(piece.count, rest);
        high.divisor = multiply(piece.divisor, rest);
        high.modulus = piece.modulus == piece.count
                           ? high.count
                           : ceilDivPositive(piece.modulus, rest);
        low.modulus = rest;
        low.count = rest;
      }
      push(inner, begin, low);
      join(inner, begin, ArrayRef(list).drop_front(end));
      if (divides) {
        high.extent = piece.extent / rest;
        list.truncate(end - 1);
      } else {
        int64_t extent = piece.extent;
        for (size_t i = 0; i + 1 < end; ++i)
          extent = multiply(extent, list[i].extent);
        high.extent = ceilDivPositive(extent, rest);
        list.clear();
      }
      push(list, 0, high);
      return;
    }

    // 4.
    if (map.bounds.size() >= DigitMap::kMaxNodes)
      failed = true;
    if (failed)
      return;
    ArrayRef<DigitPiece> above = ArrayRef(list).take_front(end);
    DigitPiece node = {0, 1, 1, 1, getExtent(above)};
    node.node = collapse(above);
    node.modulus = node.count = map.bounds[node.node];
    list.erase(list.begin(), list.begin() + (end - 1));
    list.front() = node;
  }
}

void DigitMapBuilder::limit(DigitPool &pool, size_t begin, int64_t extent) {
  ArrayRef<DigitPiece> list = ArrayRef(pool).drop_front(begin);
  if (getExtent(list) == extent)
    return;
  if (list.empty()) {
    push(pool, begin, DigitPiece::zero(extent));
    return;
  }
  require(list, extent);
  DigitList changed;
  int64_t below = getExtent(list.drop_front());
  DigitPiece top = list.front();
  if (extent % below != 0) {
    unsigned node = collapse(list);
    int64_t bound = map.bounds[node];
    top = {node, 1, bound, bound, extent};
    below = 1;
  } else {
    changed.assign(list.begin() + 1, list.end());
  }
  top.extent = extent / below;
  top.count = std::min(top.count, top.extent);
  pool.truncate(begin);
  push(pool, begin, top);
  join(pool, begin, changed);
}

unsigned DigitMapBuilder::getZero() {
  if (zeroNode == DigitPiece::kZero) {
    zeroNode = map.bounds.size();
    map.bounds.push_back(1);
  }
  return zeroNode;
}

void DigitMapBuilder::addEdges(unsigned to, ArrayRef<DigitPiece> list,
                               int64_t stride,
                               SmallVectorImpl<DigitEdge> &out) {
  size_t begin = out.size();
  out.resize(begin + list.size());
  for (size_t i = list.size(); i-- > 0;) {
    const DigitPiece &piece = list[i];
    out[begin + i] = {piece.isZero() ? getZero() : piece.node,
                      to,
                      piece.divisor,
                      piece.modulus,
                      piece.extent,
                      stride};
    stride = multiply(stride, piece.extent);
  }
}

unsigned DigitMapBuilder::collapse(ArrayRef<DigitPiece> list) {
  // The zero comes before what it is added to.
  if (llvm::any_of(list, [](const DigitPiece &p) { return p.isZero(); }))
    getZero();
  unsigned node = map.bounds.size();
  map.bounds.push_back(0);
  addEdges(node, list, 1, map.edges);
  int64_t maximum = 0;
  for (const DigitPiece &piece : list)
    maximum = maximum * piece.extent + piece.count - 1;
  map.bounds[node] = maximum + 1;
  return node;
}

void DigitMapBuilder::require(ArrayRef<DigitPiece> list, int64_t limit) {
  if (getMaximum(list) >= limit)
    map.bounds[collapse(list)] = limit;
}

unsigned DigitMapBuilder::addNode(int64_t bound) {
  map.bounds.push_back(bound);
  return map.bounds.size() - 1;
}

void DigitMapBuilder::addToNode(unsigned node, ArrayRef<DigitPiece> list,
                                int64_t stride) {
  for (const DigitPiece &piece : llvm::reverse(list)) {
    if (!piece.isZero())
      addEdges(node, piece, stride, map.edges);
    stride = multiply(stride, piece.extent);
  }
}

void DigitMapBuilder::setTargets(ArrayRef<int64_t> bounds) {
  targets.assign(bounds.begin(), bounds.end());
}

void DigitMapBuilder::addTo(unsigned target, ArrayRef<DigitPiece> list,
                            int64_t stride) {
  addEdges(target, list, stride, targetEdges);
}

/// Takes out inner nodes that nothing is taken from and that rule nothing out.
void DigitMapBuilder::prune() {
  unsigned numSources = map.numSources, numNodes = map.bounds.size();
  SmallVector<char, 8> isUsed(numNodes, 0);
  for (const DigitEdge &edge : targetEdges)
    isUsed[edge.from] = 1;
  // Edges come in an order in which uses come after.
  SmallVector<int64_t, 8> maximum(numNodes, 0);
  for (const DigitEdge &edge : map.edges) {
    int64_t count = (map.bounds[edge.from] - 1) / edge.divisor + 1;
    count = std::min(count, edge.modulus);
    if (count > edge.extent)
      isUsed[edge.to] = 1;
    maximum[edge.to] += (std::min(count, edge.extent) - 1) * edge.stride;
  }
  for (unsigned node = numSources; node < numNodes; ++node)
    if (maximum[node] >= map.bounds[node])
      isUsed[node] = 1;
  for (const DigitEdge &edge : llvm::reverse(map.edges))
    if (isUsed[edge.to])
      isUsed[edge.from] = 1;

  SmallVector<unsigned, 8> renamed(numNodes);
  unsigned next = 0;
  for (unsigned node = 0; node < numNodes; ++node) {
    renamed[node] = next;
    if (node >= numSources && !isUsed[node])
      continue;
    map.bounds[next++] = map.bounds[node];
  }
  map.bounds.truncate(next);
  llvm::erase_if(map.edges,
                 [&](const DigitEdge &edge) { return !isUsed[edge.to]; });
  for (DigitEdge &edge : map.edges) {
    edge.from = renamed[edge.from];
    edge.to = renamed[edge.to];
  }
  for (DigitEdge &edge : targetEdges)
    edge.from = renamed[edge.from];
}

std::optional<DigitMap> DigitMapBuilder::build() {
  if (failed)
    return std::nullopt;
  if (map.bounds.size() > map.numSources)
    prune();
  unsigned first = map.bounds.size();
  map.numTargets = targets.size();
  map.bounds.append(targets.begin(), targets.end());
  map.edges.reserve(map.edges.size() + targetEdges.size());
  for (const DigitEdge &edge : targetEdges) {
    map.edges.push_back(edge);
    map.edges.back().to += first;
  }
  if (!map.fits())
    return std::nullopt;
  return std::move(map);
}
