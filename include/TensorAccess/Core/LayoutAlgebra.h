//===- LayoutAlgebra.h - Layouts as maps of digits --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTALGEBRA_H
#define TENSORACCESS_CORE_LAYOUTALGEBRA_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Tiles at work
//===----------------------------------------------------------------------===//

/// One tile at work on a physical shape whose sizes may be dynamic.
struct LayoutStage {
  /// Before the tile, with `added` dimensions of size 1 in front.
  llvm::SmallVector<SizeExpr> sizes;
  size_t added = 0;
  /// The dimensions that `*` merges, and the others alone.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> groups;
  /// Sizes after the merges; the last ones are divided by `tile`.
  llvm::SmallVector<SizeExpr> merged;
  llvm::SmallVector<int64_t> tile;

  size_t getPrefix() const { return merged.size() - tile.size(); }
};

/// The stages of a layout, first tile first; `physical` gets the sizes after
/// the last one. std::nullopt without a shape and on overflow.
std::optional<llvm::SmallVector<LayoutStage, 2>>
getStages(const Layout &layout, llvm::SmallVectorImpl<SizeExpr> &physical);

//===----------------------------------------------------------------------===//
// Maps that move digits of indices
//
// A tiled layout cuts an index into digits and puts them together in another
// order. So does its inverse, a reshape, a transposition, and each chain of
// these. A digit map says just that. f32[3,5]{1,0:T(2,2)} is
//
//   n = ⌊d0/2⌋ mod 2 · 12 + ⌊d1/2⌋ mod 3 · 4 + d0 mod 2 · 2 + d1 mod 2 · 1
//
// It is a graph without cycles. *Nodes* are numbers in [0, bound): first the
// sources (an index), last the targets (what the map gives), between them
// numbers that had to be put together before they could be cut again. An *edge*
// takes a digit out of a node and adds it to a later one:
//
//   y = ⌊from / divisor⌋ mod modulus,      to += y · stride
//
// The edge has room for `extent` values in `to`. A point is outside of the map
// if some y is not below its extent, or some node not below its bound: both are
// how padding is told from elements.
//
// The inverse is the graph read backwards: divisor and stride change places,
// and so do modulus and extent. Composition puts the graphs one behind the
// other and then takes the nodes between them out, digit by digit, where a cut
// of the second falls on a cut of the first or divides a digit. Where it does
// not the node stays. So both are total, and exact.
//
// One node between is needed where a tile cuts through two dimensions that `*`
// has merged, T(*,3) on [11,10]: ⌊(10·d0 + d1) / 3⌋ is no sum of digits of d0
// and of d1.
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
  /// index of shape -> row-major number. None if the number of elements does
  /// not fit 63 bits.
  static std::optional<DigitMap> rowMajor(llvm::ArrayRef<int64_t> shape);
  /// index -> Σ index[i] · strides[i] for strides of at least 0; none on
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

  /// The targets' values of a point, one entry each; false outside of the map.
  bool evaluate(llvm::ArrayRef<int64_t> point,
                llvm::MutableArrayRef<int64_t> results) const;

  /// First this map, then `next`; points whose results `next` has not are
  /// outside. None if the numbers of targets and sources differ, on overflow,
  /// and where more than `kMaxNodes` nodes would be needed.
  std::optional<DigitMap> then(const DigitMap &next) const;
  /// The map back. Each source must be taken whole, and the digits of a node
  /// must not overlap and must follow one another by whole factors; none where
  /// that is not so. A layout's map always has an inverse.
  std::optional<DigitMap> inverse() const;
  /// The map in which digits that stay neighbours are one, no digit is always
  /// 0 and no node is between where none is needed. Two maps without inner
  /// nodes and each point in their domain are equal as functions if and only if
  /// their canonical forms are equal; for others, "if" is certain.
  std::optional<DigitMap> canonical() const;

  /// Whether the map is shown to have a result at every point of the sources'
  /// box.
  bool isTotal() const;

  /// The same as an indexing map: index -> targets, exact; what is outside is
  /// left out by constraints.
  IndexingMap toIndexingMap() const;
  /// For reading: `n3 += n0 / 2 % 2 * 12 < 2`, an edge a line.
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
  /// Whether the values of all nodes fit 64 bits, also where a bound rules them
  /// out later.
  bool fits() const;

  unsigned numSources = 0, numTargets = 0;
  llvm::SmallVector<int64_t, 8> bounds;
  llvm::SmallVector<DigitEdge, 8> edges;
};

/// A number in a mixed radix whose digits are taken out of nodes: the value is
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
/// Lists one behind the other; the last may grow.
using DigitPool = llvm::SmallVectorImpl<DigitPiece>;

/// Makes a digit map: sources first; then lists are cut and joined, and written
/// to targets.
class DigitMapBuilder {
public:
  explicit DigitMapBuilder(llvm::ArrayRef<int64_t> sources);

  /// The number of a node as a list of one piece.
  DigitList whole(unsigned node) const;
  static int64_t getExtent(llvm::ArrayRef<DigitPiece> list);
  int64_t getMaximum(llvm::ArrayRef<DigitPiece> list) const;
  /// Appends the digits of `minor`, which is not in the pool, to the list that
  /// begins at `begin` and is the pool's last.
  void join(DigitPool &pool, size_t begin,
            llvm::ArrayRef<DigitPiece> minor) const;
  /// list -> ⌊list / size⌋, in place; list mod size, whose radix is `size`, is
  /// put behind the lists in `inner`.
  void cut(DigitList &list, int64_t size, DigitPool &inner);
  /// Gives the list that begins at `begin` and is the pool's last the radix
  /// `extent`, and keeps only points at which it is below.
  void limit(DigitPool &pool, size_t begin, int64_t extent);
  /// Makes a node of a list.
  unsigned collapse(llvm::ArrayRef<DigitPiece> list);
  /// Keeps only points at which the list is below `limit`.
  void require(llvm::ArrayRef<DigitPiece> list, int64_t limit);

  /// Whether the modulus of a piece rules no value out.
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

  /// The map; none if something did not fit.
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
// digit map, made tile by tile without forms:
//
//   1. A physical dimension begins as one digit, a whole logical dimension.
//   2. `*` joins the digits of neighbours; a tile cuts a dimension in two.
//   3. At the end, the digits from major to minor are the number.
//
// On it, equality, inverse and composition are a few steps over a few digits:
//
//   isSameMap(bf16[8,128]{1,0:T(8,128)}, bf16[8,128]{1,0})          yes
//   getDigits(a)->inverse()->then(*getDigits(b))        what a relayout moves
//
// Only order and tiles are part of the map; E, L and S are not.
//===----------------------------------------------------------------------===//

/// index -> number, one source per logical dimension and one target, whose
/// edges are in the order of memory, major to minor. The extents of the
/// target's edges multiply to the target's bound, the elements of the physical
/// shape. Digits that are always 0 (padding only) come out of an inner node of
/// bound 1. None without a shape and if the number of elements does not fit 63
/// bits.
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

/// The digits of each logical dimension, minor first: divisors begin at 1, each
/// is the one before times its count. Neighbours that are also neighbours in
/// memory are one, digits that are always 0 are left out. So two layouts of a
/// shape are the same map if and only if these are equal. None as above, and
/// where the number of an element is no sum over dimensions (a tile cuts
/// through dimensions that `*` has merged).
std::optional<llvm::SmallVector<llvm::SmallVector<DimDigit, 3>, 4>>
getDimDigits(const Layout &layout);

/// Whether both put every element at the same place; false for different
/// shapes. Exact if an answer is given: by digits; where those are not unique
/// by going through the elements within the budget, then by the forms engine.
/// None if all fail, and without a shape.
std::optional<bool> isSameMap(const Layout &a, const Layout &b,
                              uint64_t budget = kDefaultEnumerationBudget);

/// Whether `to` has every element where `from`, whose dimensions are permuted
/// (dimension i of the outcome is `permutation[i]` of the source) and reshaped
/// in row-major order, has it, in equally many places. As above.
std::optional<bool> movesNothing(const Layout &from, const Layout &to,
                                 llvm::ArrayRef<int64_t> permutation,
                                 uint64_t budget = kDefaultEnumerationBudget);

/// Whether every number below getPaddedElements() belongs to an element: there
/// is no padding. With dynamic sizes, true if so for all of them, and false if
/// for none but 0. None where that depends on them, without a shape, and if the
/// number of elements does not fit 63 bits.
std::optional<bool> isBijective(const Layout &layout);

/// What a layout costs.
struct LayoutWaste {
  /// Of the shape, and in memory with the tail.
  int64_t elements = 0, paddedElements = 0;
  /// Of an element in memory.
  int64_t elementBits = 0;
  int64_t usedBytes = 0, sizeBytes = 0;

  int64_t getPaddingElements() const { return paddedElements - elements; }
  /// Padding per element in memory, in [0, 1]; 0 for an array without memory.
  double getRatio() const {
    return paddedElements == 0 ? 0.0
                               : static_cast<double>(getPaddingElements()) /
                                     static_cast<double>(paddedElements);
  }
};

/// None as for Layout::getSizeBytes.
std::optional<LayoutWaste> getWaste(const Layout &layout);

/// From numbers under `from` to numbers under `to` of the same index: what a
/// relayout does. Padding is outside. The shapes must be equal; none otherwise,
/// and as for getDigits.
std::optional<DigitMap> getRelayout(const Layout &from, const Layout &to);

//===----------------------------------------------------------------------===//
// Tiled layouts in other notations
//
// Three other ways to say where the elements of an array lie:
//
//   linalg.pack      inner_dims_pos, inner_tiles and outer_dims_perm;
//   blocked tags     oneDNN's `ABcd8b16a2b`: the letters are the dimensions in
//                    their outer order, upper case where blocked; then the
//                    blocks from outer to inner, each a size and a letter. A
//                    dimension may have several blocks;
//   memref strides   one stride per dimension, and an offset.
//
// Each conversion keeps the number of every element and the number of all of
// them, padding included, or it is refused and the reason is said. What it
// gives is canonical: the same for everything that means the same blocks, and
// with as few tiles, then as few tile entries, as the notation needs.
//
// Blocks become tiles like this. A tile of a layout takes blocks out of a
// suffix of the physical dimensions and moves them, in their order, behind the
// others; blocks that stay keep their order, too. That is one pass of a radix
// sort by binary digits: k tiles can bring blocks into any order that has at
// most 2^k ascending runs.
//===----------------------------------------------------------------------===//

/// The parameters of a `linalg.pack`, without its padding value.
struct PackParameters {
  /// The dimensions that have a tile, each at most once, and its size.
  llvm::SmallVector<int64_t> innerDimsPos, innerTiles;
  /// Outer dimension i of the packed tensor is dimension outerDimsPerm[i] of
  /// the source. Read, an empty list stands for the identity; `toPack` always
  /// gives the whole list.
  llvm::SmallVector<int64_t> outerDimsPerm;

  bool operator==(const PackParameters &o) const {
    return innerDimsPos == o.innerDimsPos && innerTiles == o.innerTiles &&
           outerDimsPerm == o.outerDimsPerm;
  }
};

/// The shape of the packed tensor: outer sizes, then tiles. None if the
/// parameters are wrong or a size overflows.
std::optional<llvm::SmallVector<int64_t>>
getPackedShape(llvm::ArrayRef<int64_t> shape, const PackParameters &pack);

/// The same for `outerDimsPerm` and sizes that may be dynamic, n0, n1, ….
std::optional<llvm::SmallVector<SizeExpr>>
getPackedSizes(llvm::ArrayRef<int64_t> shape, const PackParameters &pack);

/// A strided memory as a memref describes it, all in elements.
struct StridedForm {
  llvm::SmallVector<int64_t> strides;
  /// The number of the element at index 0.
  int64_t offset = 0;
  /// How many elements the memory has; none if that is not said.
  std::optional<int64_t> elements;
  int64_t memorySpace = 0;

  bool operator==(const StridedForm &o) const {
    return strides == o.strides && offset == o.offset &&
           elements == o.elements && memorySpace == o.memorySpace;
  }
};

/// A strided memory of an array whose sizes may be dynamic.
struct SymbolicStrides {
  llvm::SmallVector<SizeExpr> strides;
  SizeExpr elements;
  int64_t memorySpace = 0;
};

/// The layout of a packed tensor. Dimensions that a tile does not divide are
/// padded. Refused: shapes that are wrong or overflow when padded, tiles below
/// 1, dimensions out of range or given twice.
std::optional<Layout> layoutFromPack(llvm::ArrayRef<int64_t> shape,
                                     const PackParameters &pack, XlaType type,
                                     std::string &reason);

/// The layout whose digits, major to minor, these are; refused where they are no
/// outer dimensions and blocks.
std::optional<Layout> layoutFromNest(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<NestDigit> nest,
                                     XlaType type, std::string &reason);

/// The digits, major to minor, of a resolved encoding of IREE's, which has
///   encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [16, 4],
///                    outerDimsPerm = [0, 1],
///                    swizzle = {expandShape = [[["CrossThread", 4], ["Internal", 4]],
///                                              [["Internal", 4]]],
///                               permutation = [0, 2, 1]}}
/// once in its text: a pack whose tiles are cut into factors, and these permuted. The
/// error's offset is into the text.
std::optional<llvm::SmallVector<NestDigit>>
readIreeEncoding(llvm::ArrayRef<int64_t> shape, llvm::StringRef text,
                 ParseError &error);

/// The layout of a blocked tag; the error's offset is into the tag.
std::optional<Layout> layoutFromBlockedTag(llvm::ArrayRef<int64_t> shape,
                                           llvm::StringRef tag, XlaType type,
                                           ParseError &error);

/// The layout of a strided memory. Gaps between elements become padding. A
/// dimension of size 1 may have any stride. Refused, since no layout has such
/// elements: offsets, elements that share a number, strides below 1, a stride
/// that the next smaller one does not divide, and a memory that ends before
/// the padding of the last row does.
std::optional<Layout> layoutFromStrides(llvm::ArrayRef<int64_t> shape,
                                        const StridedForm &strided,
                                        XlaType type, std::string &reason);

/// The reverse. A pack and a tag have no tail, no element bits and no memory
/// space; strides say memory space and tail. Dynamic sizes are no obstacle
/// where the answer is the same for all of them: a pack and a tag then say so,
/// strides may depend on them. Refused is what only some sizes allow.
std::optional<PackParameters> toPack(const Layout &layout, std::string &reason);
/// The same for memory that is one place for each value of these digits.
std::optional<PackParameters> toPack(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<NestDigit> nest,
                                     std::string &reason);
std::optional<std::string> toBlockedTag(const Layout &layout,
                                        std::string &reason);
std::optional<SymbolicStrides> toSymbolicStrides(const Layout &layout,
                                                 std::string &reason);

//===----------------------------------------------------------------------===//
// A layout as pad, reshape and transpose
//
// A tiled layout written out in steps that every tensor dialect has (seed 001):
//
//   f32[3,5]{1,0:T(2,2)}
//     pad high [1, 1]             -> [4, 6]
//     expand [[0, 1], [2, 3]]     -> [2, 2, 3, 2]
//     transpose [0, 2, 1, 3]      -> [2, 3, 2, 2]
//
// The result has the layout's physical shape and lies in row-major order: its
// i-th element is number i of the layout, padding where that has none. The
// backward recipe takes it apart again: transpose, collapse, slice (and expand
// for `*`).
//
// A dynamic size n0 is padded by ceildiv(n0, 8) * 8 - n0 elements, and so on.
// What tensors can't say is kept beside the steps: the tail, element bits and
// memory space.
//===----------------------------------------------------------------------===//

/// Each size as a number, or Layout::kDynamic.
llvm::SmallVector<int64_t> toNumbers(llvm::ArrayRef<SizeExpr> sizes);

struct RecipeStep {
  enum class Kind : uint8_t {
    /// `symbolicAmounts[i]` elements after the end of dimension i.
    Pad,
    /// Only the first sizes[i] entries of each dimension.
    Slice,
    /// Dimension i becomes the dimensions groups[i], whose product it is. No
    /// groups: the source is a scalar, and all sizes are 1.
    Expand,
    /// Dimensions groups[i], which follow each other, become dimension i. No
    /// groups: the result is a scalar.
    Collapse,
    /// Dimension i of the result is dimension permutation[i] of the source.
    Transpose,
  };

  Kind kind;
  llvm::SmallVector<SizeDifference> symbolicAmounts;
  llvm::SmallVector<int64_t> permutation;
  /// Numbers of dimensions: of the result for Expand, of the source for
  /// Collapse, as the reassociation of tensor.expand_shape has them.
  llvm::SmallVector<llvm::SmallVector<int64_t>> groups;
  /// The shape after the step.
  llvm::SmallVector<SizeExpr> sizes;

  /// `pad high [1, 1] -> [4, 6]`.
  std::string str() const;
};

struct LayoutRecipe {
  llvm::SmallVector<SizeExpr> sourceSizes, resultSizes;
  llvm::SmallVector<RecipeStep, 0> steps;
  /// Elements of padding after the last one of the result (from `L`).
  SizeDifference tail;
  /// Bits of a stored element, if not those of the element type (`E`).
  std::optional<int64_t> elementBits;
  int64_t memorySpace = 0;

  /// One step a line.
  std::string str() const;
};

/// From the array to its physical shape: as few steps as possible, at most one
/// pad, one expand_shape and one transpose unless the layout has a `*` or a
/// tile that does not divide a block of a tile before it. Sizes may be dynamic:
/// the steps are the same for all of them. None for a layout without a shape
/// and where a size overflows.
std::optional<LayoutRecipe> getPackRecipe(const Layout &layout);

/// From the physical shape back to the array.
std::optional<LayoutRecipe> getUnpackRecipe(const Layout &layout);

//===----------------------------------------------------------------------===//
// Where boxes and padding lie
//
// A box of an array under a tiled layout is a set of stretches of memory: its
// *runs*, maximal, in the order of memory. They are what a DMA engine is told
// and what a cache sees:
//
//   f32[3,5]{1,0:T(2,2)}, rows [0, 2), columns [1, 5):
//     elements 1, 3 … 8 and 10: runs (1, 1) (3, 6) (10, 1), (offset, length)
//
// How many there are, and how long, is found without walking through them:
//
//   1. The digits of a number, from major to minor, are levels of a tree; below
//      a digit lies a block of memory. What a block holds depends only on what
//      is left of the range of each dimension, and most of them are whole.
//   2. A block is summed up by the lengths of the runs that touch its ends and
//      the number, least and greatest length of the others. Two blocks behind
//      one another are summed up from their sums, and n equal ones in log n
//      steps.
//   3. Each different block is summed up once.
//
// A *descriptor* says the same in closed form: runs of one length that begin at
// offset + Σ iᵢ · strideᵢ. A box whose edges fall on tiles has one; any other
// box of a separable layout is a disjoint union of some.
//
// Padding is the complement, and is summed up by the same tree.
//
// Offsets and lengths count elements; elements of less than a byte are packed,
// so a run of n elements is n · elementBits neighbouring bits.
//===----------------------------------------------------------------------===//

/// Neighbouring elements of memory.
struct MemoryRun {
  int64_t offset = 0, length = 0;

  int64_t getEnd() const { return offset + length; }
  bool operator==(const MemoryRun &o) const {
    return offset == o.offset && length == o.length;
  }
};

/// All runs of a set, summed up; zeros for no runs.
struct RunSummary {
  int64_t elements = 0;
  int64_t runs = 0;
  int64_t minLength = 0, maxLength = 0;
  /// The first element's number, and one more than the last one's.
  int64_t begin = 0, end = 0;

  bool operator==(const RunSummary &o) const {
    return elements == o.elements && runs == o.runs &&
           minLength == o.minLength && maxLength == o.maxLength &&
           begin == o.begin && end == o.end;
  }
};

/// Runs of `length` at offset + Σ i · stride for i in [0, count), outermost
/// loop first. Strides are positive and fall.
struct RunDescriptor {
  struct Loop {
    int64_t count, stride;
    bool operator==(const Loop &o) const {
      return count == o.count && stride == o.stride;
    }
  };
  int64_t offset = 0;
  llvm::SmallVector<Loop, 4> loops;
  int64_t length = 1;

  int64_t getRuns() const {
    int64_t runs = 1;
    for (const Loop &loop : loops)
      runs *= loop.count;
    return runs;
  }
  bool operator==(const RunDescriptor &o) const {
    return offset == o.offset && loops == o.loops && length == o.length;
  }
};

/// What descriptors say together.
struct RunDescriptors {
  /// Disjoint, by offset.
  llvm::SmallVector<RunDescriptor, 2> parts;
  /// Whether their runs are the maximal ones: no run of one part begins where
  /// one of another ends.
  bool areMaximal = true;
};

namespace detail {
class RunTree;
} // namespace detail

/// The runs of a set of elements of memory.
class MemoryRuns {
public:
  const RunSummary &getSummary() const { return summary; }
  /// Calls `visit` for each run in the order of memory, until it returns false;
  /// false in that case.
  bool forEach(llvm::function_ref<bool(MemoryRun)> visit) const;
  /// The runs if there are at most `limit`.
  std::optional<llvm::SmallVector<MemoryRun>> list(uint64_t limit) const;
  /// In closed form: one descriptor for each box of digits; where there is no
  /// such form (padding, and where tiles cut through dimensions that `*` has
  /// merged) one for each run. None if there are more than `limit`.
  std::optional<RunDescriptors> describe(unsigned limit = 64) const;

private:
  friend class detail::RunTree;

  RunSummary summary;
  /// One of the two: a tree, or the runs themselves.
  std::shared_ptr<const detail::RunTree> tree;
  llvm::SmallVector<MemoryRun, 0> runs;
};

/// The runs of the elements of a half-open box of indices. None if the layout
/// has no shape or overflows, if the box is not inside the shape (see
/// `verifyBox`), and where neither the tree has at most `budget` different
/// blocks nor the box at most as many elements.
std::optional<MemoryRuns> getRuns(const Layout &layout, const Box &box,
                                  uint64_t budget = kDefaultEnumerationBudget);
/// The runs of numbers below getPaddedElements() that belong to no element.
std::optional<MemoryRuns>
getPadding(const Layout &layout, uint64_t budget = kDefaultEnumerationBudget);

/// None if the box has the shape's rank and lies in it, else what is wrong.
std::optional<std::string> verifyBox(const Box &box,
                                     llvm::ArrayRef<int64_t> shape);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUTALGEBRA_H
