//===- DigitMap.cpp - Maps that move digits of indices --------------------===//
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
//   2. An edge cuts its digit out of that list (DigitMapBuilder::split).
//   3. What an edge or a bound rules out is required of the list, unless its
//      values never get there.
//
// The canonical form is the composition with the identity, after neighbours
// have been merged, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/CheckedMath.h"
#include "TensorAccess/Core/Relation.h"
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

/// How many values the digit takes, if the node is below its bound.
static int64_t getCount(const DigitEdge &edge, ArrayRef<int64_t> bounds) {
  int64_t bound = bounds[edge.from];
  if (bound == 0)
    return 0;
  return std::min((bound - 1) / edge.divisor + 1, edge.modulus);
}

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
  SmallVector<int64_t, 12> maximum(bounds.size(), 0);
  for (unsigned i = 0; i < numSources; ++i)
    maximum[i] = std::max<int64_t>(bounds[i] - 1, 0);
  for (const DigitEdge &edge : edges) {
    int64_t digit =
        std::min(maximum[edge.from] / edge.divisor, edge.modulus - 1);
    std::optional<int64_t> value =
        checkedMul(std::min(digit, edge.extent - 1), edge.stride);
    if (value)
      value = checkedAdd(maximum[edge.to], *value);
    if (!value)
      return false;
    maximum[edge.to] = *value;
  }
  return true;
}

bool DigitMap::isTotal() const {
  if (llvm::is_contained(ArrayRef(bounds).take_front(numSources), 0))
    return true;
  SmallVector<int64_t, 12> maximum(bounds.size(), 0);
  for (const DigitEdge &edge : edges) {
    int64_t count = getCount(edge, bounds);
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
// Composition
//===----------------------------------------------------------------------===//

namespace {
/// node `to` += list · stride
struct Part {
  unsigned to;
  int64_t stride;
  DigitList list;
};
using Parts = SmallVector<Part, 8>;
using Nodes = SmallVector<DigitList, 8>;

/// Writes the edges of maps one behind the other.
class Composer {
public:
  explicit Composer(DigitMapBuilder &builder) : builder(builder) {}

  /// What `map` adds to its targets, which are numbered from 0. `nodes` are its
  /// sources. False on overflow.
  bool append(const DigitMap &map, Nodes nodes, Parts &targets);
  /// The value of node `to`, the sum of its parts; none on overflow.
  std::optional<DigitList> assemble(const Parts &parts, unsigned to);

private:
  void cut(const DigitMap &map, unsigned node, DigitList rest,
           llvm::MutableArrayRef<DigitList> digits);

  DigitMapBuilder &builder;
};
} // namespace

std::optional<DigitList> Composer::assemble(const Parts &parts, unsigned to) {
  SmallVector<const Part *, 8> into; // minor first
  for (const Part &part : parts)
    if (part.to == to && !part.list.empty())
      into.push_back(&part);
  llvm::sort(
      into, [](const Part *a, const Part *b) { return a->stride < b->stride; });
  // Is the stride the product of the radices below, or a multiple of it?
  int64_t below = 1;
  bool isNested = true;
  SmallVector<int64_t, 8> gaps; // below each part
  for (const Part *part : into) {
    if (part->stride <= 0 || part->stride % below != 0) {
      isNested = false;
      break;
    }
    gaps.push_back(part->stride / below);
    std::optional<int64_t> next =
        checkedMul(part->stride, DigitMapBuilder::getExtent(part->list));
    if (!next)
      return std::nullopt;
    below = *next;
  }
  DigitList value;
  if (isNested) {
    for (size_t i = into.size(); i-- > 0;) {
      builder.join(value, into[i]->list);
      if (gaps[i] != 1)
        builder.join(value, {DigitPiece::zero(gaps[i])});
    }
    return value;
  }
  int64_t bound = 1;
  for (const Part *part : into) {
    std::optional<int64_t> span =
        checkedMul(builder.getMaximum(part->list), part->stride);
    if (span)
      span = checkedAdd(bound, *span);
    if (!span)
      return std::nullopt;
    bound = *span;
  }
  unsigned node = builder.addNode(bound);
  for (const Part *part : into)
    builder.addToNode(node, part->list, part->stride);
  return builder.whole(node);
}

/// Cuts a node's digits off, minor first, so that what is tied is tied once.
/// `digits` has one entry per edge.
void Composer::cut(const DigitMap &map, unsigned node, DigitList rest,
                   llvm::MutableArrayRef<DigitList> digits) {
  ArrayRef<DigitEdge> edges = map.getEdges();
  SmallVector<unsigned, 8> out;
  for (unsigned i = 0; i < edges.size(); ++i)
    if (edges[i].from == node)
      out.push_back(i);
  llvm::sort(out, [&](unsigned a, unsigned b) {
    return edges[a].divisor < edges[b].divisor;
  });
  DigitList whole = rest, outer, inner;
  int64_t divisor = 1; // rest is ⌊node / divisor⌋
  for (unsigned i : out) {
    const DigitEdge &edge = edges[i];
    if (edge.divisor % divisor != 0) {
      rest = whole;
      divisor = 1;
    }
    if (edge.divisor != divisor) {
      builder.split(rest, edge.divisor / divisor, outer, inner);
      std::swap(rest, outer);
      divisor = edge.divisor;
    }
    if (builder.getMaximum(rest) < edge.modulus) {
      digits[i] = rest;
    } else {
      builder.split(rest, edge.modulus, outer, digits[i]);
      std::swap(rest, outer);
      divisor *= edge.modulus;
    }
    builder.require(digits[i], edge.extent);
    builder.setExtent(digits[i], edge.extent);
  }
}

bool Composer::append(const DigitMap &map, Nodes nodes, Parts &targets) {
  unsigned numNodes = map.getNumNodes(), numSources = map.getNumSources();
  unsigned firstTarget = numNodes - map.getNumTargets();
  ArrayRef<DigitEdge> edges = map.getEdges();
  SmallVector<DigitList, 8> digits(edges.size());
  SmallVector<char, 16> isDone(firstTarget, 0);
  Parts parts;
  auto finish = [&](unsigned node) {
    std::optional<DigitList> list;
    if (node < numSources)
      list = std::move(nodes[node]);
    else
      list = assemble(parts, node);
    if (!list)
      return false;
    builder.require(*list, map.getBounds()[node]);
    cut(map, node, std::move(*list), digits);
    isDone[node] = 1;
    return true;
  };
  for (auto [i, edge] : llvm::enumerate(edges)) {
    if (!isDone[edge.from] && !finish(edge.from))
      return false;
    if (edge.to < firstTarget)
      parts.push_back({edge.to, edge.stride, std::move(digits[i])});
    else
      targets.push_back(
          {edge.to - firstTarget, edge.stride, std::move(digits[i])});
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
    nodes.push_back(builder.whole(i));
  Parts parts;
  if (!composer.append(*this, std::move(nodes), parts))
    return std::nullopt;
  nodes.clear();
  for (unsigned i = 0; i < numTargets; ++i) {
    std::optional<DigitList> list = composer.assemble(parts, i);
    if (!list)
      return std::nullopt;
    builder.require(*list, bounds[getTarget(i)]);
    nodes.push_back(std::move(*list));
  }
  parts.clear();
  if (!composer.append(next, std::move(nodes), parts))
    return std::nullopt;
  for (const Part &part : parts)
    builder.addTo(part.to, part.list, part.stride);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Inverse
//===----------------------------------------------------------------------===//

/// Makes the edges into each node follow one another without gaps, so that the
/// digits can be read back; false where they overlap or strides don't divide.
static bool closeGaps(SmallVectorImpl<DigitEdge> &into, int64_t bound,
                      bool &needsZero) {
  llvm::sort(into, [](const DigitEdge &a, const DigitEdge &b) {
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
    std::optional<int64_t> next = checkedMul(stride, into[i].extent);
    if (!next)
      return false;
    below = *next;
  }
  if (into.empty())
    return bound == 1;
  if (below < bound)
    into.back().extent = ceilDivPositive(bound, into.back().stride);
  return true;
}

/// Whether the digits that are taken from a node are all of it.
static bool isTakenWhole(SmallVectorImpl<DigitEdge> &from, int64_t bound) {
  llvm::sort(from, [](const DigitEdge &a, const DigitEdge &b) {
    return a.divisor < b.divisor;
  });
  int64_t taken = 1;
  for (const DigitEdge &edge : from) {
    if (edge.modulus == 1)
      continue;
    if (edge.divisor != taken)
      return false;
    std::optional<int64_t> next = checkedMul(taken, edge.modulus);
    taken = next.value_or(std::numeric_limits<int64_t>::max());
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
  SmallVector<SmallVector<DigitEdge, 4>, 8> into(numNodes), from(numNodes);
  for (DigitEdge edge : edges) {
    int64_t count = getCount(edge, bounds);
    if (count > edge.extent)
      return std::nullopt;
    edge.modulus = count;
    if (edge.modulus == 1 && edge.extent == 1)
      continue;
    into[edge.to].push_back(edge);
    from[edge.from].push_back(edge);
  }
  SmallVector<char, 8> needsZero(numNodes, 0);
  bool anyZero = false;
  for (unsigned node = 0; node < numNodes; ++node) {
    if (node >= numSources) {
      bool zero;
      if (!closeGaps(into[node], bounds[node], zero))
        return std::nullopt;
      needsZero[node] = zero;
      anyZero |= zero;
    }
    if (node < numNodes - numTargets && !isTakenWhole(from[node], bounds[node]))
      return std::nullopt;
  }

  // Inner nodes in reverse order; one more for gaps at the bottom of a node.
  auto renamed = [&](unsigned node) {
    if (node < numSources)
      return numTargets + numInner + anyZero + node;
    if (node >= numSources + numInner)
      return node - numSources - numInner;
    return numTargets + (numSources + numInner - 1 - node);
  };
  for (unsigned node = numSources + numInner; node-- > numSources;)
    map.bounds.push_back(bounds[node]);
  unsigned zero = map.bounds.size();
  if (anyZero)
    map.bounds.push_back(1);
  map.bounds.append(bounds.begin(), bounds.begin() + numSources);
  for (unsigned node = numNodes; node-- > numSources;) {
    if (needsZero[node])
      map.edges.push_back(
          {renamed(node), zero, 1, into[node].front().stride, 1, 1});
    for (const DigitEdge &edge : llvm::reverse(into[node]))
      map.edges.push_back({renamed(edge.to), renamed(edge.from), edge.stride,
                           edge.extent, edge.modulus, edge.divisor});
  }
  if (!map.fits())
    return std::nullopt;
  return map;
}

//===----------------------------------------------------------------------===//
// Canonical form
//===----------------------------------------------------------------------===//

/// Merges neighbours and drops digits that are always 0.
static void mergeEdges(SmallVectorImpl<DigitEdge> &edges,
                       ArrayRef<int64_t> bounds) {
  for (DigitEdge &edge : edges) {
    edge.modulus = getCount(edge, bounds);
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

/// Drops inner nodes if no edge speaks of any.
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
      nodes.push_back(builder.whole(i));
    Parts parts;
    if (!composer.append(map, std::move(nodes), parts))
      return std::nullopt;
    for (const Part &part : parts)
      builder.addTo(part.to, part.list, part.stride);
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
    int64_t count = getCount(edge, bounds);
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
