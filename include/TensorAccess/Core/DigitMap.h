//===- DigitMap.h - Maps that move digits of indices ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_DIGITMAP_H
#define TENSORACCESS_CORE_DIGITMAP_H

#include "TensorAccess/Core/LayoutSizes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Maps that move digits of indices
//
// A tiled layout cuts an index into digits and puts them together in another
// order. So does its inverse, a reshape, a transposition, and each chain of
// these. A digit map describes just that. f32[3,5]{1,0:T(2,2)} is
//
//   n = ⌊d0/2⌋ mod 2 · 12 + ⌊d1/2⌋ mod 3 · 4 + d0 mod 2 · 2 + d1 mod 2 · 1
//
// It is a graph without cycles. *Nodes* are numbers in [0, bound): first the
// sources (an index), last the targets (what the map gives), between them
// numbers that must be put together before they can be cut again. An *edge*
// takes a digit out of a node and adds it to a later one:
//
//   y = ⌊from / divisor⌋ mod modulus,      to += y · stride
//
// The edge has room for `extent` values in `to`. A point is outside the map if
// some y is not below its extent, or some node not below its bound: this is how
// padding is distinguished from elements.
//
// The inverse is the graph read backwards: divisor and stride change places,
// and so do modulus and extent. Composition puts the graphs one after the
// other and then removes the nodes between them, digit by digit, where a cut of
// the second falls on a cut of the first or divides a digit. Where it does not,
// the node stays. So both are total, and exact.
//
// A node between is needed where a tile cuts through two dimensions that `*`
// has merged, T(*,3) on [11,10]: ⌊(10·d0 + d1) / 3⌋ is not a sum of digits of
// d0 and of d1.
//===----------------------------------------------------------------------===//

/// One digit; see the top of this file.
struct DigitEdge {
  unsigned from = 0, to = 0;
  int64_t divisor = 1;
  int64_t modulus = 1;
  int64_t extent = 1;
  int64_t stride = 1;

  /// How many values the digit takes, if those of `from` are below `bound`.
  int64_t getCount(int64_t bound) const {
    if (bound == 0)
      return 0;
    int64_t last = bound - 1;
    if (divisor != 1)
      last /= divisor;
    return last < modulus ? last + 1 : modulus;
  }

  bool operator==(const DigitEdge &o) const {
    return from == o.from && to == o.to && divisor == o.divisor &&
           modulus == o.modulus && extent == o.extent && stride == o.stride;
  }
};

class DigitMap {
public:
  /// The identity on a shape.
  static DigitMap identity(llvm::ArrayRef<int64_t> shape);
  /// index of shape -> row-major number. std::nullopt if the number of elements
  /// does not fit in 63 bits.
  static std::optional<DigitMap> rowMajor(llvm::ArrayRef<int64_t> shape);
  /// index -> Σ index[i] · strides[i] for non-negative strides; std::nullopt on
  /// overflow, for a negative stride or size, and unequal lengths.
  static std::optional<DigitMap> strided(llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<int64_t> strides);

  unsigned getNumSources() const { return numSources; }
  unsigned getNumTargets() const { return numTargets; }
  unsigned getNumNodes() const { return bounds.size(); }
  /// Nodes that are neither sources nor targets.
  unsigned getNumInnerNodes() const {
    return bounds.size() - numSources - numTargets;
  }
  unsigned getTarget(unsigned i) const {
    return bounds.size() - numTargets + i;
  }
  llvm::ArrayRef<int64_t> getBounds() const { return bounds; }
  /// In an order in which a node's value is complete before it is cut.
  llvm::ArrayRef<DigitEdge> getEdges() const { return edges; }
  /// Whether some source has no values, so that the map has no points.
  bool isEmpty() const;

  /// The targets' values at a point, one entry each; false outside the map.
  bool evaluate(llvm::ArrayRef<int64_t> point,
                llvm::MutableArrayRef<int64_t> results) const;

  /// First this map, then `next`; points whose results are outside `next` are
  /// outside. std::nullopt if the numbers of targets and sources differ, on
  /// overflow, and where more than `kMaxNodes` nodes would be needed.
  std::optional<DigitMap> then(const DigitMap &next) const;
  /// The map back. Each source must be taken whole, and the digits of a node
  /// must not overlap and must follow one another by whole factors;
  /// otherwise std::nullopt. A layout's map always has an inverse.
  std::optional<DigitMap> inverse() const;
  /// The map in which digits that stay neighbours are merged, no digit is
  /// always 0 and no inner node is unnecessary. Two maps without inner nodes
  /// and with each point in their domain are equal as functions if and only if
  /// their canonical forms are equal; for others, only "if" holds.
  std::optional<DigitMap> canonical() const;

  /// Whether the map provably has a result at every point of the sources' box.
  bool isTotal() const;

  /// The same as an indexing map: index -> targets, exact; constraints exclude
  /// what is outside.
  IndexingMap toIndexingMap() const;
  /// For people to read: `n3 += n0 / 2 % 2 * 12 < 2`, one edge per line.
  std::string str() const;

  bool operator==(const DigitMap &o) const {
    return numSources == o.numSources && numTargets == o.numTargets &&
           bounds == o.bounds && edges == o.edges;
  }
  bool operator!=(const DigitMap &o) const { return !(*this == o); }

  static constexpr unsigned kMaxNodes = 4096;

private:
  friend class DigitMapBuilder;

  void dropIdleNodes();
  /// Whether the values of all nodes fit in 64 bits, even where a bound rules
  /// them out later.
  bool fits() const;

  unsigned numSources = 0, numTargets = 0;
  llvm::SmallVector<int64_t, 8> bounds;
  llvm::SmallVector<DigitEdge, 8> edges;
};

/// A digit of a mixed-radix number whose digits come from nodes: its value is
/// the row-major number of its pieces.
struct DigitPiece {
  /// A node, or kZero for a piece that is always 0.
  unsigned node = 0;
  int64_t divisor = 1;
  int64_t modulus = 1;
  /// Its values are in [0, count); count is at most `modulus` and `extent`.
  int64_t count = 1;
  /// The radix.
  int64_t extent = 1;

  static constexpr unsigned kZero = ~0u;
  static DigitPiece zero(int64_t extent) { return {kZero, 1, 1, 1, extent}; }
  bool isZero() const { return node == kZero; }
  /// Whether it takes each value below its modulus and its extent.
  bool isFull() const { return count == extent && count == modulus; }
};
/// From major to minor.
using DigitList = llvm::SmallVector<DigitPiece, 6>;
/// Lists one after the other; the last may grow.
using DigitPool = llvm::SmallVectorImpl<DigitPiece>;

/// Builds a digit map: sources first; then lists are cut and joined, and
/// written to targets.
class DigitMapBuilder {
public:
  explicit DigitMapBuilder(llvm::ArrayRef<int64_t> sources);

  /// The number of a node as a list of one piece.
  DigitList whole(unsigned node) const;
  static int64_t getExtent(llvm::ArrayRef<DigitPiece> list);
  int64_t getMaximum(llvm::ArrayRef<DigitPiece> list) const;
  /// Appends the digits of `minor`, which is not in the pool, to the pool's
  /// last list, which begins at `begin`.
  void join(DigitPool &pool, size_t begin,
            llvm::ArrayRef<DigitPiece> minor) const;
  /// list -> ⌊list / size⌋, in place; list mod size, whose radix is `size`, is
  /// appended to `inner`.
  void cut(DigitList &list, int64_t size, DigitPool &inner);
  /// Gives the pool's last list, which begins at `begin`, the radix `extent`,
  /// and keeps only points at which its value is below that.
  void limit(DigitPool &pool, size_t begin, int64_t extent);
  /// Turns a list into a node.
  unsigned collapse(llvm::ArrayRef<DigitPiece> list);
  /// Keeps only points at which the list is below `limit`.
  void require(llvm::ArrayRef<DigitPiece> list, int64_t limit);

  /// Whether the modulus of a piece rules out no value.
  bool isNatural(const DigitPiece &piece) const {
    int64_t last = map.bounds[piece.node] - 1;
    if (piece.divisor != 1)
      last /= piece.divisor;
    return last < piece.modulus;
  }

  /// A new node in [0, bound), which is 0 so far, and node += list · stride.
  unsigned addNode(int64_t bound);
  void addToNode(unsigned node, llvm::ArrayRef<DigitPiece> list,
                 int64_t stride);

  /// The targets' bounds.
  void setTargets(llvm::ArrayRef<int64_t> bounds);
  /// target += list · stride.
  void addTo(unsigned target, llvm::ArrayRef<DigitPiece> list, int64_t stride);

  /// The map; std::nullopt if something did not fit.
  std::optional<DigitMap> build();

private:
  friend class DigitMap;

  void push(DigitPool &pool, size_t begin, DigitPiece piece) const;
  int64_t multiply(int64_t a, int64_t b);
  void addEdges(unsigned to, llvm::ArrayRef<DigitPiece> list, int64_t stride,
                llvm::SmallVectorImpl<DigitEdge> &out);
  unsigned getZero();
  void prune();

  /// Sources and inner nodes, and the edges between them.
  DigitMap map;
  llvm::SmallVector<int64_t, 4> targets;
  llvm::SmallVector<DigitEdge, 8> targetEdges;
  unsigned zeroNode = DigitPiece::kZero;
  bool failed = false;
};

//===----------------------------------------------------------------------===//
// Layouts by their digits
//
// The algebra of tiled layouts. A layout's map from an index to a number is a
// digit map, built tile by tile without forms:
//
//   1. A physical dimension begins as one digit, a whole logical dimension.
//   2. `*` joins the digits of neighbours; a tile cuts a dimension in two.
//   3. At the end, the digits from major to minor are the number.
//
// Equality, inverse and composition then take a few steps over a few digits:
//
//   isSameMap(bf16[8,128]{1,0:T(8,128)}, bf16[8,128]{1,0})          yes
//   getDigits(a)->inverse()->then(*getDigits(b))        what a relayout moves
//
// Only order and tiles are part of the map; E, L and S are not.
//===----------------------------------------------------------------------===//

/// index -> number, one source per logical dimension and one target, whose
/// edges are in the order of memory, major to minor. The extents of the
/// target's edges multiply to the target's bound, the elements of the physical
/// shape. Digits that are always 0 (padding only) come from an inner node of
/// bound 1. std::nullopt without a shape and if the number of elements does not
/// fit in 63 bits.
std::optional<DigitMap> getDigits(const Layout &layout);

/// One digit of a dimension of a separable layout.
struct DimDigit {
  /// The digit is ⌊index / divisor⌋ mod count.
  int64_t divisor;
  int64_t count;
  /// Elements of memory from one value to the next.
  int64_t stride;

  bool operator==(const DimDigit &o) const {
    return divisor == o.divisor && count == o.count && stride == o.stride;
  }
};

/// The digits of each logical dimension, minor first: divisors begin at 1, and
/// each is the one before times its count. Neighbours that are also neighbours
/// in memory are merged, digits that are always 0 are left out. So two layouts
/// of a shape are the same map if and only if these are equal. std::nullopt as
/// above, and where the number of an element is not a sum over dimensions (a
/// tile cuts through dimensions that `*` has merged).
std::optional<llvm::SmallVector<llvm::SmallVector<DimDigit, 3>, 4>>
getDimDigits(const Layout &layout);

/// Whether both put every element at the same place; false for different
/// shapes. Any answer is exact, found by digits; where those are not unique, by
/// visiting the elements within the budget, then by the forms engine.
/// std::nullopt if all fail, and without a shape.
std::optional<bool> isSameMap(const Layout &a, const Layout &b,
                              uint64_t budget = kDefaultEnumerationBudget);

/// Whether `to` has every element in the same place as `from`, after its
/// dimensions are permuted (dimension i of the outcome is `permutation[i]` of
/// the source) and reshaped in row-major order, and equally many places. As
/// above.
std::optional<bool> movesNothing(const Layout &from, const Layout &to,
                                 llvm::ArrayRef<int64_t> permutation,
                                 uint64_t budget = kDefaultEnumerationBudget);

/// Whether every number below getPaddedElements() belongs to an element: there
/// is no padding. With dynamic sizes, true if that holds for all of them, and
/// false if it holds for no size but 0. std::nullopt if that depends on them,
/// without a shape, and if the number of elements does not fit in 63 bits.
std::optional<bool> isBijective(const Layout &layout);

/// What a layout costs in memory.
struct LayoutWaste {
  /// Elements of the shape, and in memory including the tail.
  int64_t elements = 0, paddedElements = 0;
  /// Bits of an element in memory.
  int64_t elementBits = 0;
  int64_t usedBytes = 0, sizeBytes = 0;

  int64_t getPaddingElements() const { return paddedElements - elements; }
  /// Padding per element in memory, in [0, 1]; 0 for an array that takes no
  /// memory.
  double getRatio() const {
    return paddedElements == 0 ? 0.0
                               : static_cast<double>(getPaddingElements()) /
                                     static_cast<double>(paddedElements);
  }
};

/// std::nullopt as for Layout::getSizeBytes.
std::optional<LayoutWaste> getWaste(const Layout &layout);

/// From an element's number under `from` to its number under `to`: what a
/// relayout does. Padding is outside. The shapes must be equal; std::nullopt
/// otherwise, and as for getDigits.
std::optional<DigitMap> getRelayout(const Layout &from, const Layout &to);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_DIGITMAP_H
