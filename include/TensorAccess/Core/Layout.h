//===- Layout.h - Tiled layouts ---------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUT_H
#define TENSORACCESS_CORE_LAYOUT_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Tiled layouts
//
// A tiled layout (seed 001) says where in memory the elements of an array lie:
//
//   f32[3,5]{1,0:T(2,2)}      element (2,3) is number 17 of 24
//
//   1. `{1,0` orders the dimensions from minor to major: the physical shape
//      begins as the shape in major-to-minor order, here (3,5).
//   2. Each tile rewrites the physical shape. A tile of k entries speaks of the
//      last k dimensions; where there are fewer, dimensions of size 1 are put
//      in front. An entry `*` first merges its dimension into the next one.
//      Then (d_k, …, d_1) becomes (⌈d_k/t_k⌉, …, ⌈d_1/t_1⌉, t_k, …, t_1), here
//      (2,3,2,2); coordinates e become (⌊e/t⌋, …, e mod t, …).
//   3. What is left is laid out in row-major order.
//
// After the tiles, `L(n)` rounds the number of elements up to a multiple of n,
// `E(n)` stores an element in n bits, `S(n)` is the memory space. A tile that
// does not divide its dimension leaves *padding*: numbers of no element. The
// map from elements to numbers is injective, since the order is a permutation,
// tiles are at least 1 and `*` never comes last.
//
// Physical shape and size are exact: every tile counts, not only the first.
//===----------------------------------------------------------------------===//

/// One entry of a tile: a size, or the mark `*` that merges its dimension into
/// the next minor one. The mark is not a number.
class TileEntry {
public:
  /*implicit*/ TileEntry(int64_t size) : size(size) {}
  static TileEntry combine() { return TileEntry(); }

  bool isCombine() const { return !size.has_value(); }
  /// Requires !isCombine().
  int64_t getSize() const { return *size; }

  bool operator==(const TileEntry &o) const { return size == o.size; }
  friend llvm::hash_code hash_value(const TileEntry &entry) {
    return llvm::hash_combine(entry.isCombine(), entry.size.value_or(0));
  }

private:
  TileEntry() = default;
  std::optional<int64_t> size;
};

/// Entries from major to minor.
using Tile = llvm::SmallVector<TileEntry, 4>;

/// How a dimension is stored, in XLA's letters: D(ense), C(ompressed),
/// S(ingleton), H (loose compressed); `+` not unique, `~` not ordered.
struct DimLevel {
  char kind = 'D';
  bool isUnique = true;
  bool isOrdered = true;

  bool operator==(const DimLevel &o) const {
    return kind == o.kind && isUnique == o.isUnique && isOrdered == o.isOrdered;
  }
  friend llvm::hash_code hash_value(const DimLevel &level) {
    return llvm::hash_combine(level.kind, level.isUnique, level.isOrdered);
  }
};

/// An element type by XLA's name: `f32`, `bf16`, `pred`, `s4`, …
class XlaType {
public:
  /// The type of that name, in lower or upper case; none if there is none.
  static std::optional<XlaType> lookup(llvm::StringRef name);

  llvm::StringRef getName() const;
  /// Bits of an element in memory where the layout does not say: 8 for `pred`,
  /// 4 for `s4`.
  unsigned getBits() const;
  /// Bits that hold all its values: 1 for `pred`, else getBits().
  unsigned getValueBits() const;
  /// True for the unsigned integers, which can be indices and pointers.
  bool isUnsignedInteger() const;

  bool operator==(const XlaType &o) const { return index == o.index; }
  friend llvm::hash_code hash_value(const XlaType &type) {
    return llvm::hash_value(type.index);
  }

private:
  explicit XlaType(unsigned index) : index(index) {}
  unsigned index;
};

/// Which spellings a reader takes.
enum class LayoutForm : uint8_t {
  /// `{1,0:T(2,2)}`, as in `#tensoraccess.layout<…>`: no shape, and none of
  /// the properties that MLIR's lexer can't read.
  Attribute,
  /// The above, also after a shape `f32[3,5]`, and with `D(…)`, `#(…)`, `*(…)`.
  String,
};

/// A value; what each member means is said at the top of this file. Members are
/// free to set; `verify` tells whether they fit together, and every other
/// function but `str` requires that they do.
struct Layout {
  /// Dimension numbers from minor to major.
  llvm::SmallVector<int64_t, 4> minorToMajor;
  llvm::SmallVector<Tile, 2> tiles;
  /// `L`: the number of elements is rounded up to a multiple of this.
  int64_t tailAlignment = 1;
  /// `E`: bits of an element; none means that the element type decides.
  std::optional<int64_t> elementBits;
  /// `S`.
  int64_t memorySpace = 0;
  /// `D`: empty, or one entry per dimension.
  llvm::SmallVector<DimLevel, 0> dimLevels;
  /// `#` and `*`: the types of stored indices and pointers.
  std::optional<XlaType> indexType, pointerType;
  /// The shape the layout is for, outermost dimension first, and its elements;
  /// both or neither. A size may be dynamic, `?`; what then depends on sizes is
  /// below.
  std::optional<llvm::SmallVector<int64_t, 4>> shape;
  std::optional<XlaType> elementType;

  /// A size that is not known, MLIR's ShapedType::kDynamic.
  static constexpr int64_t kDynamic = std::numeric_limits<int64_t>::min();
  static bool isDynamic(int64_t size) { return size == kDynamic; }
  /// Whether there is a shape and all its sizes are known.
  bool hasStaticShape() const;

  /// Reads a text and verifies it; none and `error` if it is wrong.
  static std::optional<Layout> parse(llvm::StringRef text, ParseError &error,
                                     LayoutForm form = LayoutForm::String);
  /// The layout of a rank without tiles, last dimension minor.
  static Layout rowMajor(int64_t rank);

  /// None if the members fit together, else what does not.
  std::optional<std::string> verify() const;
  /// Whether MLIR's lexer can read the `{…}` part; else says what it can't.
  std::optional<std::string> verifyAttributeForm() const;
  /// The canonical text; with the shape in front if there is one.
  std::string str() const;
  /// The `{…}` part only.
  std::string layoutStr() const;

  int64_t getRank() const { return minorToMajor.size(); }
  /// The same layout for a shape. The type may be any where only numbers of
  /// elements count.
  Layout withShape(llvm::ArrayRef<int64_t> newShape,
                   XlaType type = *XlaType::lookup("pred")) const;
  Layout withoutShape() const;

  /// The shape after all tiles, major to minor, without the tail. None without
  /// a static shape and if its number of elements does not fit 63 bits; the
  /// same holds for the functions below.
  std::optional<llvm::SmallVector<int64_t>> getPhysicalShape() const;
  /// Elements of the shape.
  std::optional<int64_t> getElements() const;
  /// Elements of the physical shape, rounded up to the tail alignment.
  std::optional<int64_t> getPaddedElements() const;
  /// Bytes of getPaddedElements(), the last one rounded up.
  std::optional<int64_t> getSizeBytes() const;
  /// The number in memory of the element at `index`; none outside of the shape.
  std::optional<int64_t> linearize(llvm::ArrayRef<int64_t> index) const;
  /// The index of the element of that number; none for padding and beyond.
  std::optional<llvm::SmallVector<int64_t>> delinearize(int64_t number) const;

  /// `linearize` as an indexing map: index -> (number). Exact, known empty for
  /// a shape without elements; none as for the functions above, but that
  /// dynamic sizes n0, n1, … may be runtime variables of this map and the next:
  /// none then where it is not affine (see getDynamicMap).
  std::optional<IndexingMap> getIndexingMap() const;
  /// index -> index into the physical shape.
  std::optional<IndexingMap> getPhysicalMap() const;
  /// The inverse of getPhysicalMap: padding is outside of its domain.
  std::optional<IndexingMap> getLogicalMap() const;

  bool operator==(const Layout &o) const;
  bool operator!=(const Layout &o) const { return !(*this == o); }
};

llvm::hash_code hash_value(const Layout &layout);

//===----------------------------------------------------------------------===//
// Sizes of layouts with dynamic dimensions
//
// A dimension of a layout's shape may be dynamic, `f32[?,128]{1,0:T(8,128)}`.
// Its size is then called n0, after the number of the dimension, as the size
// parameters of indexing maps are. What depends on it is a *size*:
//
//   physical shape    (ceildiv(n0, 8), 1, 8, 128)
//   padded elements   ceildiv(n0, 8) * 1024
//   bytes             ceildiv(n0, 8) * 4096
//
// A size is a product of one number, of sizes of dimensions, and of ceildiv of
// a size by a number: tiles, `*`, L and the packing of bits make nothing else.
// It is canonical: ceildiv(c·x, m) is reduced by gcd(c, m), ceildiv(ceildiv(x,
// a), b) is ceildiv(x, a·b), and factors are sorted. So equal texts are equal
// sizes, whatever the sizes of dimensions.
//===----------------------------------------------------------------------===//

/// A size that may depend on sizes of dimensions. Operations that can overflow
/// give none then.
class SizeExpr {
public:
  /*implicit*/ SizeExpr(int64_t value = 0) : coefficient(value) {}
  /// The size of dimension `dim`.
  static SizeExpr ofDim(unsigned dim);
  /// `size`, or that of dimension `dim` where it is dynamic.
  static SizeExpr of(int64_t size, unsigned dim) {
    return Layout::isDynamic(size) ? ofDim(dim) : SizeExpr(size);
  }

  bool isConstant() const { return factors.empty(); }
  /// Requires isConstant().
  int64_t getConstant() const { return coefficient; }
  /// The number, or Layout::kDynamic.
  int64_t toNumber() const {
    return isConstant() ? coefficient : Layout::kDynamic;
  }

  std::optional<SizeExpr> times(const SizeExpr &other) const;
  /// ⌈this / divisor⌉ for divisor ≥ 1.
  std::optional<SizeExpr> ceilDiv(int64_t divisor) const;

  /// The value where dimension i has size sizes[i]; none on overflow, for a
  /// size below 0 and where one is missing.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> sizes) const;
  /// `ceildiv(n0, 8) * 1024`.
  std::string str() const;

  /// Whether this is more than `other` whatever the sizes are, if none is 0;
  /// false says nothing. Every rounding counts as none.
  bool isKnownAbove(const SizeExpr &other) const;

  bool operator==(const SizeExpr &o) const;
  bool operator!=(const SizeExpr &o) const { return !(*this == o); }

  /// A dimension's size, or a ceildiv.
  struct Factor {
    unsigned dim = 0;
    /// 0 for a dimension.
    int64_t divisor = 0;
    /// What is divided: one entry, or none for a dimension.
    std::vector<SizeExpr> body;

    bool operator==(const Factor &o) const {
      return dim == o.dim && divisor == o.divisor && body == o.body;
    }
    std::string str() const;
  };
  /// The number and the other factors of the product.
  int64_t getCoefficient() const { return coefficient; }
  llvm::ArrayRef<Factor> getFactors() const { return factors; }

private:
  int64_t coefficient;
  std::vector<Factor> factors;
};

/// What a size has beyond another: padding.
class SizeDifference {
public:
  SizeDifference() = default;
  SizeDifference(SizeExpr whole, SizeExpr part);

  const SizeExpr &getWhole() const { return whole; }
  const SizeExpr &getPart() const { return part; }
  bool isConstant() const { return whole.isConstant() && part.isConstant(); }
  /// Requires isConstant().
  int64_t getConstant() const {
    return whole.getConstant() - part.getConstant();
  }
  /// As for SizeExpr.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> sizes) const;
  /// `ceildiv(n0, 8) * 8 - n0`.
  std::string str() const;

  bool operator==(const SizeDifference &o) const {
    return whole == o.whole && part == o.part;
  }

private:
  SizeExpr whole, part;
};

/// The sizes of a layout. Constants if its shape is static.
struct LayoutSizes {
  llvm::SmallVector<SizeExpr> physicalShape;
  SizeExpr elements, paddedElements, sizeBytes;
};

/// None without a shape, and where a number in them does not fit 63 bits.
std::optional<LayoutSizes> getSizes(const Layout &layout);

/// None if the elements in memory number less than 2^63, or their number is not
/// known; else which tiled shape is too large. A part of Layout::verify.
std::optional<std::string> verifySize(const Layout &layout);

/// `layout` with these sizes of all dimensions. None and `error` without a
/// shape, for a wrong number of sizes, where one contradicts a static size or
/// is negative, and as for verifySize.
std::optional<Layout> withSizes(const Layout &layout,
                                llvm::ArrayRef<int64_t> sizes,
                                std::string &error);

/// index -> index into the physical shape, or, if `linear`, -> (number), where
/// sizes may be dynamic: they are the map's runtime variables n0, n1, … and
/// bounds of its dims. None and `error` (a reason) where the map is not affine:
/// a dynamic size is merged by `*` below another dimension, or multiplied into
/// a stride; also without a shape and on overflow.
std::optional<IndexingMap> getDynamicMap(const Layout &layout, bool linear,
                                         std::string &error);

//===----------------------------------------------------------------------===//
// The digits of a layout in memory order
//
// Most layouts number their elements by a *nest*: a mixed-radix number whose
// digits are digits of single indices. {1,0:T(2,2)} on [3,5] is
//
//   (d0 / 2 of 2) (d1 / 2 of 3) (d0 mod 2 of 2) (d1 mod 2 of 2)
//
// Whoever asks how a layout lies in memory looks at this list, not at the
// tiles: the shapes of tensors in memory, relayout plans, and conversions to
// other notations. So layouts that mean the same are treated alike.
//===----------------------------------------------------------------------===//

/// (index[dim] floordiv divisor) mod used, in a place of `size` numbers.
struct NestDigit {
  /// -1 for padding that comes from no dimension.
  int64_t dim = -1;
  int64_t divisor = 1;
  /// How many values there are; a digit of one value is padding only.
  int64_t used = 1;
  int64_t size = 1;
  /// There is no digit of more weight: the `mod` does nothing.
  bool isTop = true;
  /// The physical dimension that it is in.
  size_t physical = 0;
  /// The topmost digit of a dynamic dimension: `used` and `size` are both
  /// ⌈n / divisor⌉ for its size n, and hold Layout::kDynamic.
  bool isOpen = false;

  bool isPadding() const { return !isOpen && used <= 1; }
  /// Null on overflow.
  std::optional<SizeExpr> getSize() const {
    return isOpen ? SizeExpr::ofDim(dim).ceilDiv(divisor) : SizeExpr(size);
  }
};

/// The digits from major to minor, without those of size 1. Sizes of 0 count as
/// 1. With dynamic sizes the list holds for all of them. std::nullopt and a
/// reason where the layout has no such list: without a shape, if a number
/// overflows, if a tile cuts a block, or several dimensions that `*` merged, at
/// a place that is not one of theirs.
std::optional<llvm::SmallVector<NestDigit>> getNest(const Layout &layout,
                                                    std::string &reason);

//===----------------------------------------------------------------------===//
// Views whose dimensions are mixed-radix numbers
//===----------------------------------------------------------------------===//

/// One digit: it runs over [0, size) and moves the base index by `steps`, one
/// entry per base dimension.
struct Digit {
  int64_t size = 1;
  llvm::SmallVector<int64_t, 6> steps;
};

/// A view of a dense row-major base of static shape. Every index in the view
/// lies inside the base. A dimension holds at least one digit; size 1 is a
/// digit of size 1.
class DigitView {
public:
  /// A dimension, outermost digit first.
  using Dim = llvm::SmallVector<Digit, 2>;

  /// Every index is itself.
  static DigitView identity(llvm::ArrayRef<int64_t> shape);
  /// The view with the given digits, one list per dimension, whose steps and
  /// `offsets` have one entry per base dimension. Every index lies inside the
  /// base.
  static DigitView make(llvm::ArrayRef<int64_t> baseShape,
                        llvm::ArrayRef<int64_t> offsets,
                        llvm::ArrayRef<Dim> dims);

  unsigned getNumDims() const { return dims.size(); }
  const Dim &getDim(unsigned dim) const { return dims[dim]; }
  int64_t getDimSize(unsigned dim) const;
  llvm::SmallVector<int64_t> getShape() const;

  llvm::ArrayRef<int64_t> getOffsets() const { return offsets; }
  /// Sizes of the base's dimensions after all collapses.
  llvm::ArrayRef<int64_t> getBaseShape() const { return baseShape; }

  /// Renames a size: digits and base dimensions of size `from`, over all of
  /// which one digit runs or none, are of size `to`. For sizes that stand for
  /// unknown ones (Access.h), before anything is merged. `to` is greater
  /// than any step.
  void replaceSize(int64_t from, int64_t to);

  //===--------------------------------------------------------------------===//
  // Movement
  //===--------------------------------------------------------------------===//

  /// Dimension i becomes what dimension perm[i] was.
  void transpose(llvm::ArrayRef<int64_t> perm);
  /// Inserts a dimension in which the base index does not move; size 1 is
  /// `insert_axis`, others repeat the view.
  void insert(unsigned dim, int64_t size);
  /// Makes one dimension of the dimensions [begin, end), whose digits follow
  /// each other; a dimension of size 1 where there are none.
  void join(unsigned begin, unsigned end);

  //===--------------------------------------------------------------------===//
  // Simplification
  //===--------------------------------------------------------------------===//

  /// Splits digits until all views, which have equal shapes, have digits of the
  /// same sizes in every dimension. Fails where sizes such as 3·5 and 5·3 have
  /// no common refinement, and on different sizes of 0.
  static bool align(llvm::MutableArrayRef<DigitView> views);
  /// Merges neighbouring digits of aligned views wherever that is possible in
  /// all of them, collapsing bases; drops digits of size 1 beside others.
  static void merge(llvm::MutableArrayRef<DigitView> views);
  /// Collapses base dimensions of size 1 that no digit steps through into a
  /// neighbour.
  void collapseUnitBase();

  /// True where the view, read row-major, is the base read row-major.
  bool isRowMajor() const;

private:
  /// True where digits i, i+1 of a dimension are one after base dimensions
  /// [first, last] are collapsed (nothing to collapse where first ≥ last).
  bool canMerge(unsigned dim, unsigned digit, unsigned &first,
                unsigned &last) const;
  void mergeDigits(unsigned dim, unsigned digit);
  /// Makes one of base dimensions [first, last]. Fails on overflow.
  bool collapse(unsigned first, unsigned last);

  llvm::SmallVector<Dim> dims;
  llvm::SmallVector<int64_t> offsets, baseShape;
  /// The size that stands for unknown ones; 0 if none does.
  int64_t unknown = 0;
};

//===----------------------------------------------------------------------===//
// A reshape as independent steps
//
// A reshape is a row of steps side by side, each of which maps a few
// neighbouring dimensions to a few others, as small as possible. Tiles pass
// through each step by itself.
//
//   [3, 5, 1, 7] -> [15, 7]   collapse (3, 5) to (15), then drop a rank,
//                             (1, 7) to (7)
//===----------------------------------------------------------------------===//

/// By the dimensions that are not 1, since those of size 1 hold no information.
enum class ReshapeKind : uint8_t {
  Identity,      ///< the same dimensions in the same places
  IncreaseRank,  ///< the same, and more of size 1 in the output
  DecreaseRank,  ///< the same, and more of size 1 in the input
  ExpandShape,   ///< one becomes several
  CollapseShape, ///< several become one
  Reshape,       ///< anything else: several become several others
};

/// `Identity`, `IncreaseRank`, ...
llvm::StringRef describe(ReshapeKind kind);

struct ReshapeStep {
  unsigned inputStart, inputCount, outputStart, outputCount;
  ReshapeKind kind;
};

/// The steps from shape `from` to shape `to`, in order, covering all dimensions
/// of both. A dimension of size 1 without a partner belongs to the step that
/// follows, or to the last one; [2, 1] -> [1, 2] is [2] -> [1, 2] and then
/// [1] -> []. None if the element counts differ, overflow or
/// a size is negative; without elements one step, unless the shapes are equal.
std::optional<llvm::SmallVector<ReshapeStep>>
getReshapeSteps(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

//===----------------------------------------------------------------------===//
// Moving elements between layouts
//
// A relayout copies every element of an array from where one layout has it to
// where another one wants it, after a transposition and a row-major reshape of
// the logical array. A plan is that copy as loop nests, a value without
// pointers or element types:
//
//   f32[5,130]{1,0}  ->  f32[5,130]{1,0:T(8,128)}
//     for d1/128 < 1:  for d0 < 5 of 8:  for d1%128 < 128:  1 element
//     from 128:        for d0 < 5 of 8:  for d1%128 < 2 of 128
//
//   1. Tiles act on each dimension on its own, so both numbers are sums over
//      dimensions, and of digits of a dimension: digit times stride.
//   2. The divisors of both sides' digits, sorted, cut a dimension into loops;
//      where each divides the next, both sides have one stride in each loop.
//   3. A dimension that its divisors do not divide ends in a *boundary*: one
//      more nest per level. The product over dimensions makes the boxes.
//   4. A loop of the target may be longer than it has elements, `valid` of
//      `extent`: what is beyond is padding and becomes zero. So the boxes cover
//      the target exactly once, but for the tail.
//   5. What has no such loops (tiles of 4 and 6 on one dimension) is done by
//      tables: per dimension where each index lies on either side; and what is
//      no sum of digits (`*` before a tile that cuts through the merged ones,
//      or a tile of 3 in a tile of 4) by asking both layouts for each element.
//===----------------------------------------------------------------------===//

/// One loop of a nest; strides in elements.
struct RelayoutLoop {
  /// Steps in the target. Those from `valid` on are padding: zeros.
  int64_t extent = 1;
  /// Steps that move elements, in [1, extent].
  int64_t valid = 1;
  int64_t sourceStride = 0;
  int64_t targetStride = 0;

  bool operator==(const RelayoutLoop &o) const {
    return extent == o.extent && valid == o.valid &&
           sourceStride == o.sourceStride && targetStride == o.targetStride;
  }
};

/// A nest: the element number `source + Σ i·sourceStride` goes to number
/// `target + Σ i·targetStride`. No loop is a single valid step of one.
struct RelayoutBox {
  int64_t source = 0, target = 0;
  /// By falling target stride.
  llvm::SmallVector<RelayoutLoop, 8> loops;

  /// Sorts the loops, drops single steps and joins neighbours that are one loop
  /// on both sides.
  void normalize();
};

/// Where the indices of one dimension, or of all of them as one in row-major
/// order, lie.
struct RelayoutTable {
  std::vector<int64_t> source, target;
};

/// Where one side's elements lie: a layout with a shape, strides, or digits.
class RelayoutSide {
public:
  /// Requires a layout with a static shape that verifies.
  static RelayoutSide get(Layout layout);
  /// Element `Σ index·stride`, which may be negative or overlap: sources only.
  static RelayoutSide strided(llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<int64_t> strides);
  /// Memory that is one place for each value of these digits, major to minor.
  static RelayoutSide ofNest(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<NestDigit> nest);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  bool isStrided() const { return !layout && !nest; }
  /// Its elements in memory without and with the tail; null where they don't
  /// fit 63 bits. Of strides the elements of the shape.
  std::optional<int64_t> getPlaces() const;
  std::optional<int64_t> getPaddedElements() const;
  /// The number of the element at an index inside of the shape.
  int64_t linearize(llvm::ArrayRef<int64_t> index) const;

private:
  friend class RelayoutPlan;

  llvm::SmallVector<int64_t, 4> shape, strides;
  std::optional<Layout> layout;
  std::optional<llvm::SmallVector<NestDigit>> nest;
};

class RelayoutPlan {
public:
  enum class Kind : uint8_t { Boxes, Tables, Elements };

  /// The plan from `source` to `target`, whose logical array is the source's
  /// with dimensions permuted (dimension i of the outcome is `permutation[i]`
  /// of the source; empty is the identity) and reshaped in row-major order.
  /// None and the reason if the permutation is none, the numbers of elements
  /// differ, the target is strided, or a size does not fit 63 bits.
  static std::optional<RelayoutPlan> get(const RelayoutSide &source,
                                         const RelayoutSide &target,
                                         llvm::ArrayRef<int64_t> permutation,
                                         std::string &error);

  Kind getKind() const { return kind; }
  /// Elements moved.
  int64_t getElements() const { return elements; }
  /// The half-open range of element numbers that is read; both 0 if none is.
  std::pair<int64_t, int64_t> getSourceRange() const { return sourceRange; }
  /// Elements of the target in memory, with padding and tail.
  int64_t getTargetElements() const { return targetElements; }

  /// Whether all of the target is to be set to zero first: the boxes, or what
  /// stands in for them, leave some of the padding out.
  bool needsZeros() const { return zerosFirst; }
  /// Target numbers from here on are the tail, zeros, that no box covers.
  int64_t getTailBegin() const { return tailBegin; }
  /// Kind::Boxes; of positive target strides.
  llvm::ArrayRef<RelayoutBox> getBoxes() const { return boxes; }

  /// Whether the target is the very same memory as the source: one run from 0
  /// without padding.
  bool isIdentity() const;

  /// Calls `move(source, target)` for each element, in a fixed order: what the
  /// plan means.
  void forEach(llvm::function_ref<void(int64_t, int64_t)> move) const;

private:
  Kind kind = Kind::Boxes;
  bool zerosFirst = false;
  int64_t elements = 0, targetElements = 0, tailBegin = 0;
  std::pair<int64_t, int64_t> sourceRange = {0, 0};
  llvm::SmallVector<RelayoutBox, 2> boxes;
  /// Kind::Tables: an element has an index in each table, and lies at the sum.
  llvm::SmallVector<RelayoutTable, 0> tables;
  /// Kind::Elements.
  std::vector<RelayoutSide> sides;
  llvm::SmallVector<int64_t, 4> permutation;

  void build(const RelayoutSide &source, const RelayoutSide &target);
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUT_H
