//===- DigitMap.cpp - Maps that move digits of indices --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse reads the graph backwards:
//
//   1. The edges into a node, from minor to major, must follow one another
//      without overlap: digits of a number. A gap gives the digit below it more
//      room, a gap at the bottom comes from a node that is always 0.
//   2. The edges out of a node must take all of it.
//   3. Then divisor and stride change places, modulus and extent too.
//
// A node's edges are found by scanning all edges: layouts have
// few, and these are sorted.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

//===----------------------------------------------------------------------===//
// Simple maps
//===----------------------------------------------------------------------===//

DigitMap DigitMap::identity(ArrayRef<int64_t> shape) {
  DigitMapBuilder builder(shape);
  builder.setTargets(shape);
  for (unsigned i = 0; i < shape.size(); ++i)
    builder.addTo(i, builder.whole(i), 1);
  return *builder.build();
}

std::optional<DigitMap> DigitMap::rowMajor(ArrayRef<int64_t> shape) {
  std::optional<int64_t> elements = checkedProduct(shape);
  if (!elements)
    return std::nullopt;
  DigitMapBuilder builder(shape);
  builder.setTargets(*elements);
  int64_t stride = 1;
  if (*elements > 0)
    for (unsigned i = shape.size(); i-- > 0;) {
      builder.addTo(0, builder.whole(i), stride);
      stride *= shape[i];
    }
  std::optional<DigitMap> map = builder.build();
  if (map)
    std::reverse(map->edges.begin(), map->edges.end());
  return map;
}

std::optional<DigitMap> DigitMap::strided(ArrayRef<int64_t> shape,
                                          ArrayRef<int64_t> strides) {
  if (shape.size() != strides.size() || !checkedProduct(shape))
    return std::nullopt;
  DigitMapBuilder builder(shape);
  int64_t bound = 1;
  for (unsigned i = 0; i < shape.size(); ++i) {
    if (strides[i] < 0)
      return std::nullopt;
    if (shape[i] == 0) {
      bound = 0;
      break;
    }
    std::optional<int64_t> span = checkedMul(shape[i] - 1, strides[i]);
    if (span)
      span = checkedAdd(bound, *span);
    if (!span)
      return std::nullopt;
    bound = *span;
  }
  builder.setTargets(bound);
  if (bound > 0)
    for (unsigned i = 0; i < shape.size(); ++i)
      builder.addTo(0, builder.whole(i), strides[i]);
  return builder.build();
}

bool DigitMap::isEmpty() const { return llvm::is_contained(bounds, 0); }

bool DigitMap::evaluate(ArrayRef<int64_t> point,
                        llvm::MutableArrayRef<int64_t> results) const {
  if (point.size() != numSources || results.size() != numTargets)
    return false;
  SmallVector<int64_t, 12> values(bounds.size(), 0);
  for (unsigned i = 0; i < numSources; ++i) {
    if (point[i] < 0 || point[i] >= bounds[i])
      return false;
    values[i] = point[i];
  }
  for (const DigitEdge &edge : edges) {
    int64_t digit = values[edge.from] / edge.divisor % edge.modulus;
    if (digit >= edge.extent)
      return false;
    values[edge.to] += digit * edge.stride;
  }
  for (unsigned i = numSources; i < bounds.size(); ++i)
    if (values[i] >= bounds[i])
      return false;
  llvm::copy(ArrayRef(values).take_back(numTargets), results.begin());
  return true;
}

bool DigitMap::fits() const {
  SmallVector<int64_t, 12> maximum;
  for (unsigned i = 0; i < bounds.size(); ++i)
    maximum.push_back(i < numSources ? std::max<int64_t>(bounds[i] - 1, 0) : 0);
  for (const DigitEdge &edge : edges) {
    int64_t digit = std::min(edge.modulus, edge.extent) - 1, value;
    if (edge.divisor == 1 || maximum[edge.from] < digit)
      digit = std::min(digit, maximum[edge.from] / edge.divisor);
    if (__builtin_mul_overflow(digit, edge.stride, &value)) {
      digit = std::min(digit, maximum[edge.from] / edge.divisor);
      if (__builtin_mul_overflow(digit, edge.stride, &value))
        return false;
    }
    if (__builtin_add_overflow(maximum[edge.to], value, &maximum[edge.to]))
      return false;
  }
  return true;
}

bool DigitMap::isTotal() const {
  if (llvm::is_contained(ArrayRef(bounds).take_front(numSources), 0))
    return true;
  SmallVector<int64_t, 12> maximum(bounds.size(), 0);
  for (const DigitEdge &edge : edges) {
    int64_t count = edge.getCount(bounds[edge.from]);
    if (count > edge.extent)
      return false;
    maximum[edge.to] += (count - 1) * edge.stride;
  }
  for (unsigned i = numSources; i < bounds.size(); ++i)
    if (maximum[i] >= bounds[i])
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Inverse
//===----------------------------------------------------------------------===//

namespace {
using Edges = SmallVector<DigitEdge, 12>;
} // namespace

/// Sorts what is mostly in order.
template <typename Less>
static void sortEdges(Edges &edges, Less less) {
  if (!llvm::is_sorted(edges, less))
    llvm::sort(edges, less);
}

/// Makes the edges into a node follow one another without gaps, so that the
/// digits can be read back; false if they overlap or strides don't divide.
static bool closeGaps(Edges &into, int64_t bound, bool &needsZero) {
  sortEdges(into, [](const DigitEdge &a, const DigitEdge &b) {
    return a.stride != b.stride ? a.stride < b.stride : a.extent < b.extent;
  });
  int64_t below = 1;
  needsZero = false;
  for (size_t i = 0; i < into.size(); ++i) {
    int64_t stride = into[i].stride;
    if (stride != below) {
      if (i == 0) {
        if (stride <= 0)
          return false;
        needsZero = stride > 1;
      } else {
        DigitEdge &previous = into[i - 1];
        if (stride % previous.stride != 0 ||
            stride / previous.stride < previous.extent)
          return false;
        previous.extent = stride / previous.stride;
      }
    }
    if (__builtin_mul_overflow(stride, into[i].extent, &below))
      return false;
  }
  if (into.empty())
    return bound == 1;
  if (below < bound)
    into.back().extent = ceilDivPositive(bound, into.back().stride);
  return true;
}

/// Whether the digits that are taken from a node are all of it.
static bool isTakenWhole(Edges &from, int64_t bound) {
  sortEdges(from, [](const DigitEdge &a, const DigitEdge &b) {
    return a.divisor < b.divisor;
  });
  int64_t taken = 1;
  for (const DigitEdge &edge : from) {
    if (edge.modulus == 1)
      continue;
    if (edge.divisor != taken)
      return false;
    if (__builtin_mul_overflow(taken, edge.modulus, &taken))
      taken = std::numeric_limits<int64_t>::max();
  }
  return taken >= bound;
}

std::optional<DigitMap> DigitMap::inverse() const {
  unsigned numNodes = bounds.size(), numInner = getNumInnerNodes();
  DigitMap map;
  map.numSources = numTargets;
  map.numTargets = numSources;
  map.bounds.append(bounds.end() - numTargets, bounds.end());
  if (isEmpty()) {
    if (!llvm::is_contained(map.bounds, 0))
      map.bounds.push_back(0);
    map.bounds.append(bounds.begin(), bounds.begin() + numSources);
    return map;
  }
  Edges all, some; // with counts as moduli, minor first
  for (const DigitEdge &edge : llvm::reverse(edges)) {
    int64_t count = edge.getCount(bounds[edge.from]);
    if (count > edge.extent)
      return std::nullopt;
    if (count == 1 && edge.extent == 1)
      continue;
    all.push_back(edge);
    all.back().modulus = count;
  }
  for (unsigned node = 0; node < numNodes - numTargets; ++node) {
    some.clear();
    for (const DigitEdge &edge : all)
      if (edge.from == node)
        some.push_back(edge);
    if (!isTakenWhole(some, bounds[node]))
      return std::nullopt;
  }

  // Inner nodes in reverse order; one more for gaps at the bottom of a node.
  unsigned zero = numTargets + numInner;
  bool anyZero = false;
  auto renamed = [&](unsigned node) {
    if (node < numSources)
      return zero + node;
    if (node >= numSources + numInner)
      return node - numSources - numInner;
    return numTargets + (numSources + numInner - 1 - node);
  };
  for (unsigned node = numSources + numInner; node-- > numSources;)
    map.bounds.push_back(bounds[node]);
  for (unsigned node = numNodes; node-- > numSources;) {
    some.clear();
    for (const DigitEdge &edge : all)
      if (edge.to == node)
        some.push_back(edge);
    bool needsZero;
    if (!closeGaps(some, bounds[node], needsZero))
      return std::nullopt;
    if (needsZero)
      map.edges.push_back(
          {renamed(node), DigitPiece::kZero, 1, some.front().stride, 1, 1});
    anyZero |= needsZero;
    for (const DigitEdge &edge : llvm::reverse(some))
      map.edges.push_back({renamed(edge.to), renamed(edge.from), edge.stride,
                           edge.extent, edge.modulus, edge.divisor});
  }
  if (anyZero) {
    map.bounds.push_back(1);
    for (DigitEdge &edge : map.edges)
      if (edge.to == DigitPiece::kZero)
        edge.to = zero;
      else if (edge.to >= zero)
        ++edge.to;
  }
  map.bounds.append(bounds.begin(), bounds.begin() + numSources);
  if (!map.fits())
    return std::nullopt;
  return map;
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

IndexingMap DigitMap::toIndexingMap() const {
  ArrayRef<int64_t> sources = ArrayRef(bounds).take_front(numSources);
  if (isEmpty())
    return emptyMap(sources, numTargets);
  IndexingMapBuilder map;
  SmallVector<Form, 8> values(bounds.size(), Form(0));
  SmallVector<int64_t, 8> maximum(bounds.size(), 0);
  for (unsigned i = 0; i < numSources; ++i)
    values[i] = map.addDim(Interval::ofExtent(bounds[i]));
  FormArena &arena = map.arena();
  for (const DigitEdge &edge : edges) {
    int64_t count = edge.getCount(bounds[edge.from]);
    Form digit = arena.floorDiv(values[edge.from], edge.divisor);
    // A bound may rule out what the modulus is for.
    if ((bounds[edge.from] - 1) / edge.divisor >= edge.modulus ||
        maximum[edge.from] >= bounds[edge.from])
      digit = arena.mod(digit, edge.modulus);
    if (count > edge.extent)
      map.addConstraint(digit, Interval::ofExtent(edge.extent));
    arena.accumulate(values[edge.to], digit, edge.stride);
    maximum[edge.to] += (edge.modulus - 1) * edge.stride;
  }
  for (unsigned i = numSources; i < bounds.size(); ++i)
    if (maximum[i] >= bounds[i])
      map.addConstraint(values[i], Interval::ofExtent(bounds[i]));
  for (unsigned i = 0; i < numTargets; ++i)
    map.addResult(values[getTarget(i)]);
  return map.build().simplify();
}

std::string DigitMap::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [node, bound] : llvm::enumerate(bounds))
    os << (node ? ", " : "") << 'n' << node << " < " << bound;
  os << '\n';
  for (const DigitEdge &edge : edges) {
    os << 'n' << edge.to << " += n" << edge.from;
    if (edge.divisor != 1)
      os << " / " << edge.divisor;
    os << " % " << edge.modulus << " * " << edge.stride << " < " << edge.extent
       << '\n';
  }
  return text;
}
