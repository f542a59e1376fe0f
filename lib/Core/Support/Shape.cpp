//===- Shape.cpp - Checked arithmetic on shapes ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;

bool mlir::tensoraccess::hasDynamicSize(llvm::ArrayRef<int64_t> shape) {
  return llvm::is_contained(shape, kDynamicSize);
}

std::optional<int64_t>
mlir::tensoraccess::elementCount(llvm::ArrayRef<int64_t> shape) {
  return checkedProduct(shape);
}

llvm::SmallVector<int64_t>
mlir::tensoraccess::rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

llvm::SmallVector<int64_t>
mlir::tensoraccess::unravel(int64_t number, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  for (size_t i = shape.size(); i-- > 0;) {
    if (i == 0 || shape[i] == kDynamicSize || shape[i] == 0) {
      index[i] = number;
      break;
    }
    index[i] = number % shape[i];
    number /= shape[i];
  }
  return index;
}

std::optional<int64_t> mlir::tensoraccess::windowCount(int64_t size,
                                                       int64_t window,
                                                       int64_t stride,
                                                       int64_t dilation) {
  int64_t reach; // the dilated window is `reach + 1` elements long
  if (llvm::MulOverflow(window - 1, dilation, reach))
    return std::nullopt;
  if (size == kDynamicSize)
    return kDynamicSize;
  if (reach >= size)
    return std::nullopt;
  return (size - reach - 1) / stride + 1;
}

std::optional<int64_t> mlir::tensoraccess::paddedSize(int64_t size, int64_t low,
                                                      int64_t high,
                                                      int64_t interior) {
  int64_t frame;
  if (llvm::AddOverflow(low, high, frame))
    return std::nullopt;
  if (size == kDynamicSize)
    return kDynamicSize;
  int64_t inner = 0;
  if (size > 0 && (llvm::MulOverflow(size - 1, interior, inner) ||
                   llvm::AddOverflow(inner, size, inner)))
    return std::nullopt;
  if (llvm::AddOverflow(frame, inner, frame))
    return std::nullopt;
  return frame;
}

bool mlir::tensoraccess::isPermutation(llvm::ArrayRef<int64_t> perm,
                                       int64_t rank) {
  if (static_cast<int64_t>(perm.size()) != rank)
    return false;
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : perm) {
    if (dim < 0 || dim >= rank || seen[dim])
      return false;
    seen.set(dim);
  }
  return true;
}

std::string mlir::tensoraccess::shapeToString(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (i)
      text += 'x';
    text += size == kDynamicSize ? "?" : std::to_string(size);
  }
  return text;
}
