//===- LayoutRecipe.h - A layout as pad, reshape and transpose --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTRECIPE_H
#define TENSORACCESS_CORE_LAYOUTRECIPE_H

#include "TensorAccess/Core/LayoutSizes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// A layout as pad, reshape and transpose
//
// A tiled layout written out in steps that every tensor dialect has:
//
//   f32[3,5]{1,0:T(2,2)}
//     pad high [1, 1]             -> [4, 6]
//     expand [[0, 1], [2, 3]]     -> [2, 2, 3, 2]
//     transpose [0, 2, 1, 3]      -> [2, 3, 2, 2]
//
// The result has the layout's physical shape and is laid out in row-major
// order: its i-th element is number i of the layout, padding where that has
// none. The backward recipe undoes it: transpose, collapse, slice (and expand
// for `*`).
//
// A dynamic size n0 is padded by ceildiv(n0, 8) * 8 - n0 elements, and so on.
// What tensors can't express is kept alongside the steps: the tail, element
// bits and memory space.
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

  /// One step per line.
  std::string str() const;
};

/// From the array to its physical shape: as few steps as possible, at most one
/// pad, one expand_shape and one transpose unless the layout has a `*` or a
/// tile that does not divide a block of a tile before it. Sizes may be dynamic:
/// the steps are the same for all of them. std::nullopt for a layout without a
/// shape and where a size overflows.
std::optional<LayoutRecipe> getPackRecipe(const Layout &layout);

/// From the physical shape back to the array.
std::optional<LayoutRecipe> getUnpackRecipe(const Layout &layout);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUTRECIPE_H
