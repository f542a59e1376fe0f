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
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Tiled layouts
//
// A tiled layout describes how the elements of an array are laid out in memory:
//
//   f32[3,5]{1,0:T(2,2)}      element (2,3) is number 17 of 24
//
//   1. `{1,0` orders the dimensions from minor to major: the physical shape
//      begins as the shape in major-to-minor order, here (3,5).
//   2. Each tile rewrites the physical shape. A tile of k entries applies to
//      the last k dimensions; where there are fewer, dimensions of size 1 are
//      added in front. An entry `*` first merges its dimension into the next
//      one. Then (d_k, …, d_1) becomes (⌈d_k/t_k⌉, …, ⌈d_1/t_1⌉, t_k, …, t_1),
//      here (2,3,2,2); coordinates e become (⌊e/t⌋, …, e mod t, …).
//   3. What is left is laid out in row-major order.
//
// After the tiles, `L(n)` rounds the number of elements up to a multiple of n,
// `E(n)` stores an element in n bits, `S(n)` is the memory space. A tile that
// does not divide its dimension leaves *padding*: numbers that belong to no
// element. The map from elements to numbers is injective, since the order is a
// permutation, tiles are at least 1 and `*` never comes last.
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

/// One tile of a layout, entries from major to minor; the tiles of Tile.h are
/// boxes of indices.
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
  /// The type of that name, in lower or upper case; std::nullopt if there is
  /// none.
  static std::optional<XlaType> lookup(llvm::StringRef name);

  llvm::StringRef getName() const;
  /// Bits of an element in memory unless the layout sets them: 8 for `pred`, 4
  /// for `s4`.
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

/// Which spellings a parser accepts.
enum class LayoutForm : uint8_t {
  /// `{1,0:T(2,2)}`, as in `#tensoraccess.layout<…>`: no shape, and none of
  /// the properties that MLIR's lexer can't read.
  Attribute,
  /// The above, also after a shape `f32[3,5]`, and with `D(…)`, `#(…)`, `*(…)`.
  String,
};

/// A value type; the top of this file explains the members. They may be set
/// freely; `verify` checks that they fit together, and every other function
/// except `str` requires it.
struct Layout {
  /// Dimension numbers from minor to major.
  llvm::SmallVector<int64_t, 4> minorToMajor;
  llvm::SmallVector<Tile, 2> tiles;
  /// `L`: the number of elements is rounded up to a multiple of this.
  int64_t tailAlignment = 1;
  /// `E`: bits of an element; std::nullopt leaves them to the element type.
  std::optional<int64_t> elementBits;
  /// `S`.
  int64_t memorySpace = 0;
  /// `D`: empty, or one entry per dimension.
  llvm::SmallVector<DimLevel, 0> dimLevels;
  /// `#` and `*`: the types of stored indices and pointers.
  std::optional<XlaType> indexType, pointerType;
  /// The shape the layout is for, outermost dimension first, and its elements;
  /// both or neither. A size may be dynamic, `?`; LayoutSizes.h has what then
  /// depends on it.
  std::optional<llvm::SmallVector<int64_t, 4>> shape;
  std::optional<XlaType> elementType;

  /// A size that is not known, MLIR's ShapedType::kDynamic.
  static constexpr int64_t kDynamic = std::numeric_limits<int64_t>::min();
  static bool isDynamic(int64_t size) { return size == kDynamic; }
  /// Whether there is a shape and all its sizes are known.
  bool hasStaticShape() const;

  /// Parses and verifies a text; std::nullopt and `error` if it is wrong.
  static std::optional<Layout> parse(llvm::StringRef text, ParseError &error,
                                     LayoutForm form = LayoutForm::String);
  /// The layout of that rank without tiles, last dimension minor.
  static Layout rowMajor(int64_t rank);

  /// std::nullopt if the members fit together, else what is wrong.
  std::optional<std::string> verify() const;
  /// std::nullopt if MLIR's lexer can read the `{…}` part, else what it can't.
  std::optional<std::string> verifyAttributeForm() const;
  /// The canonical text; with the shape in front if there is one.
  std::string str() const;
  /// The `{…}` part only.
  std::string layoutStr() const;

  int64_t getRank() const { return minorToMajor.size(); }
  /// The same layout for a shape. Any type will do where only numbers of
  /// elements matter.
  Layout withShape(llvm::ArrayRef<int64_t> newShape,
                   XlaType type = *XlaType::lookup("pred")) const;
  Layout withoutShape() const;

  /// The shape after all tiles, major to minor, without the tail. std::nullopt
  /// without a static shape and if its number of elements does not fit in 63
  /// bits; the same holds for the functions below.
  std::optional<llvm::SmallVector<int64_t>> getPhysicalShape() const;
  /// Elements of the shape.
  std::optional<int64_t> getElements() const;
  /// Elements of the physical shape, rounded up to the tail alignment.
  std::optional<int64_t> getPaddedElements() const;
  /// Bytes of getPaddedElements(), the last one rounded up.
  std::optional<int64_t> getSizeBytes() const;
  /// The number in memory of the element at `index`; std::nullopt outside the
  /// shape.
  std::optional<int64_t> linearize(llvm::ArrayRef<int64_t> index) const;
  /// The index of the element of that number; std::nullopt for padding and
  /// beyond.
  std::optional<llvm::SmallVector<int64_t>> delinearize(int64_t number) const;

  /// `linearize` as an indexing map: index -> (number). Exact, known empty for
  /// a shape without elements; std::nullopt as for the functions above, except
  /// that dynamic sizes n0, n1, … may be runtime variables of this map and the
  /// next: std::nullopt then if it is not affine (see getDynamicMap).
  std::optional<IndexingMap> getIndexingMap() const;
  /// index -> index into the physical shape.
  std::optional<IndexingMap> getPhysicalMap() const;
  /// The inverse of getPhysicalMap: padding is outside its domain.
  std::optional<IndexingMap> getLogicalMap() const;

  bool operator==(const Layout &o) const;
  bool operator!=(const Layout &o) const { return !(*this == o); }
};

llvm::hash_code hash_value(const Layout &layout);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUT_H
