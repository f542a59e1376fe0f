//===- UnknownExtent.cpp - Dimensions of unknown size in a form -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See the header for what is checked and why.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Access.h"

#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

bool mlir::tensoraccess::hasUnknownExtent(ArrayRef<int64_t> shape) {
  return llvm::any_of(shape, isUnknownExtent);
}

std::optional<SmallVector<int64_t>>
mlir::tensoraccess::toFormShape(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> sizes(shape);
  for (int64_t &size : sizes) {
    if (size == kDynamicSize)
      size = kUnknownExtent;
    else if (size != 0 && size % kUnknownExtent == 0)
      return std::nullopt;
  }
  return sizes;
}

SmallVector<int64_t>
mlir::tensoraccess::fromFormShape(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> sizes(shape);
  for (int64_t &size : sizes)
    if (isUnknownExtent(size))
      size = kDynamicSize;
  return sizes;
}

/// The conditions on one piece, over the dimensions that are marked.
static bool carriesUnknown(const IndexingMap &map,
                           const SmallVector<bool> &isUnknown,
                           ArrayRef<int64_t> sourceShape) {
  auto mentions = [&](FormRef form) {
    SmallVector<char> used;
    map.getArena().markUsed(form, used);
    for (auto [dim, unknown] : llvm::enumerate(isUnknown))
      if (unknown && dim < used.size() && used[dim])
        return true;
    return false;
  };
  for (auto [dim, unknown] : llvm::enumerate(isUnknown))
    if (unknown && map.getRanges()[dim] != Interval::ofExtent(kUnknownExtent))
      return false;
  for (const Constraint &c : map.getConstraints())
    if (mentions(c.form))
      return false;
  for (auto [i, form] : llvm::enumerate(map.getResults())) {
    if (!mentions(form))
      continue;
    std::optional<AtomId> alone = form.asAtom();
    if (!alone || !map.getArena().isVariable(*alone) ||
        !isUnknownExtent(sourceShape[i]))
      return false;
  }
  return true;
}

bool mlir::tensoraccess::carriesUnknown(const CanonicalAccess &access) {
  SmallVector<bool> isUnknown;
  for (int64_t size : access.getShape())
    isUnknown.push_back(isUnknownExtent(size));
  if (!llvm::is_contained(isUnknown, true))
    return true;
  for (auto [dim, unknown] : llvm::enumerate(isUnknown))
    if (unknown && !access.findExtent(dim))
      return false;
  return llvm::all_of(access.getPieces(), [&](const AccessPiece &piece) {
    if (!piece.map.isOrdinary())
      return false;
    ArrayRef<int64_t> sourceShape;
    if (piece.source.kind == SourceKind::Operand)
      sourceShape = access.getSourceShape(piece.source.index);
    return ::carriesUnknown(piece.map, isUnknown, sourceShape);
  });
}

/// The numbers of elements before, between and after the unknown sizes;
/// std::nullopt on overflow.
static std::optional<SmallVector<int64_t>>
countBetween(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> counts{1};
  for (int64_t size : shape) {
    if (isUnknownExtent(size)) {
      counts.push_back(1);
      continue;
    }
    std::optional<int64_t> next = checkedMul(counts.back(), size);
    if (!next)
      return std::nullopt;
    counts.back() = *next;
  }
  return counts;
}

bool mlir::tensoraccess::reshapeKeepsUnknown(ArrayRef<int64_t> from,
                                             ArrayRef<int64_t> to) {
  if (!hasUnknownExtent(from) && !hasUnknownExtent(to))
    return true;
  auto before = countBetween(from), after = countBetween(to);
  return before && after && *before == *after &&
         !llvm::is_contained(*before, 0);
}
