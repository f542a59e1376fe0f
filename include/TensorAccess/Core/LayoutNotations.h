//===- LayoutNotations.h - Tiled layouts in other notations -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTNOTATIONS_H
#define TENSORACCESS_CORE_LAYOUTNOTATIONS_H

#include "TensorAccess/Core/LayoutNest.h"
#include "TensorAccess/Core/LayoutSizes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Tiled layouts in other notations
//
// Three other notations for how the elements of an array are laid out:
//
//   linalg.pack      inner_dims_pos, inner_tiles and outer_dims_perm;
//   blocked tags     oneDNN's `ABcd8b16a2b`: the letters are the dimensions in
//                    their outer order, upper case where blocked; then the
//                    blocks from outer to inner, each a size and a letter. A
//                    dimension may have several blocks;
//   memref strides   one stride per dimension, and an offset.
//
// Each conversion keeps the number of every element and the number of all of
// them, padding included, or is refused with a reason. Its result is canonical:
// the same for everything that means the same blocks, and with as few tiles,
// then as few tile entries, as the notation needs.
//
// Blocks become tiles as follows. A tile of a layout takes blocks out of a
// suffix of the physical dimensions and moves them, in their order, after the
// others; blocks that stay also keep their order. That is one pass of a radix
// sort by binary digits: k tiles can bring blocks into any order that has at
// most 2^k ascending runs.
//===----------------------------------------------------------------------===//

/// The parameters of a `linalg.pack`, without its padding value.
struct PackParameters {
  /// The dimensions that have a tile, each at most once, and its size.
  llvm::SmallVector<int64_t> innerDimsPos, innerTiles;
  /// Outer dimension i of the packed tensor is dimension outerDimsPerm[i] of
  /// the source. As input, an empty list stands for the identity; `toPack`
  /// always returns the whole list.
  llvm::SmallVector<int64_t> outerDimsPerm;

  bool operator==(const PackParameters &o) const {
    return innerDimsPos == o.innerDimsPos && innerTiles == o.innerTiles &&
           outerDimsPerm == o.outerDimsPerm;
  }
};
/// The shape of the packed tensor, where `outerDimsPerm` is given: outer sizes,
/// then tiles, of sizes that may be dynamic, n0, n1, …. std::nullopt if one does
/// not fit.
std::optional<llvm::SmallVector<SizeExpr>>
getPackedSizes(llvm::ArrayRef<int64_t> shape, const PackParameters &pack);

/// Strided memory as a memref describes it, all in elements.
struct StridedForm {
  llvm::SmallVector<int64_t> strides;
  /// The number of the element at index 0.
  int64_t offset = 0;
  /// How many elements the memory has; std::nullopt if that is not given.
  std::optional<int64_t> elements;
  int64_t memorySpace = 0;

  bool operator==(const StridedForm &o) const {
    return strides == o.strides && offset == o.offset &&
           elements == o.elements && memorySpace == o.memorySpace;
  }
};

/// The strided memory of an array whose sizes may be dynamic.
struct SymbolicStrides {
  llvm::SmallVector<SizeExpr> strides;
  SizeExpr elements;
  int64_t memorySpace = 0;

  /// `[4096, 1]`
  std::string str() const;
};

/// The layout of a packed tensor. Dimensions that a tile does not divide are
/// padded. Refused: shapes that are wrong or overflow when padded, tiles below
/// 1, dimensions out of range or given twice.
std::optional<Layout> layoutFromPack(llvm::ArrayRef<int64_t> shape,
                                     const PackParameters &pack, XlaType type,
                                     std::string &reason);

/// The layout that has these digits, major to minor; refused unless they are
/// outer dimensions and blocks.
std::optional<Layout> layoutFromNest(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<NestDigit> nest,
                                     XlaType type, std::string &reason);

/// The digits, major to minor, of a resolved IREE encoding, which has
///   encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [16, 4],
///                    outerDimsPerm = [0, 1],
///                    swizzle = {expandShape = [[["CrossThread", 4],
///                                               ["Internal", 4]],
///                                              [["Internal", 4]]],
///                               permutation = [0, 2, 1]}}
/// once in its text: a pack whose tiles are cut into factors, which are
/// permuted. The error's offset is into the text.
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
/// space; strides have memory space and tail. Dynamic sizes are allowed where
/// the answer holds for all of them: a pack and a tag are then the same for
/// all, strides may depend on them. What only some sizes allow is refused.
std::optional<PackParameters> toPack(const Layout &layout, std::string &reason);
/// The same for memory with one place for each value of these digits.
std::optional<PackParameters> toPack(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<NestDigit> nest,
                                     std::string &reason);
std::optional<std::string> toBlockedTag(const Layout &layout,
                                        std::string &reason);
std::optional<SymbolicStrides> toSymbolicStrides(const Layout &layout,
                                                 std::string &reason);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUTNOTATIONS_H
