//===- Shape.h - Checked arithmetic on shapes -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element counts, row-major strides and shape inference of the movement ops,
// as total functions on plain integers. The verifiers of room IR, its folders
// and the reference kernels all use these, so that there is one definition.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_SHAPE_H
#define TENSORACCESS_CORE_SHAPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// The size of a dimension that is unknown at compile time; the value MLIR's
/// shaped types use.
constexpr int64_t kDynamicSize = INT64_MIN;

/// True where any dimension is dynamic.
bool hasDynamicSize(llvm::ArrayRef<int64_t> shape);

/// The number of elements of a shape; 1 for the empty shape. std::nullopt
/// where a dimension is dynamic or the product does not fit in 63 bits (a zero
/// dimension makes the product 0 whatever the others are).
std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> shape);

/// Row-major strides in elements of a static shape whose element count fits.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// How many places a window has in a dimension: the number of w ≥ 0 with
/// w·stride + (window - 1)·dilation < size. std::nullopt where the dilated
/// window is longer than the dimension or its length overflows. A dynamic size
/// gives a dynamic count. Requires window, stride, dilation ≥ 1.
std::optional<int64_t> windowCount(int64_t size, int64_t window,
                                   int64_t stride, int64_t dilation);

/// The size of a slice that goes on to the end of its dimension.
constexpr int64_t kToTheEnd = -1;

/// low + size + (size - 1)·interior + high, without the middle part for size 0.
/// A dynamic size gives a dynamic one. std::nullopt on overflow. Requires
/// non-negative paddings.
std::optional<int64_t> paddedSize(int64_t size, int64_t low, int64_t high,
                                  int64_t interior);

/// True where `perm` holds each of 0 … rank-1 exactly once.
bool isPermutation(llvm::ArrayRef<int64_t> perm, int64_t rank);

/// Appends dimension sizes as MLIR writes them, `3x?x5`, to a string.
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_SHAPE_H
