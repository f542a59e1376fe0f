//===- LayoutTypes.cpp - Layouts of tensor types --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two layouts of one memory meet in the number of an element:
//
//   index of `to` -> number -> index of `from`,
//
// a composition of digit maps. What it leaves out is on padding; where its
// digits show that it leaves out nothing there is none, elsewhere the points of
// a small shape are counted.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<Layout> mlir::tensoraccess::getLayoutOf(RankedTensorType type,
                                                      ArrayRef<int64_t> shape) {
  auto attr = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
  if (type.getEncoding() && !attr)
    return std::nullopt;
  Layout layout = attr ? attr.getValue() : Layout::rowMajor(type.getRank());
  return hasDynamicSize(shape) ? layout : layout.withShape(shape);
}

std::optional<Layout> mlir::tensoraccess::getLayoutOf(RankedTensorType type) {
  return getLayoutOf(type, type.getShape());
}

std::optional<int64_t> mlir::tensoraccess::getValueBits(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<int64_t> part = getValueBits(complex.getElementType());
    return part ? std::optional(2 * *part) : std::nullopt;
  }
  if (!type.isIntOrFloat())
    return std::nullopt;
  return type.getIntOrFloatBitWidth();
}

/// Index of `to` -> index of `from` at the same place; padding is outside.
static std::optional<DigitMap> getSamePlaces(const Layout &to,
                                             const Layout &from) {
  std::optional<DigitMap> there = getDigits(to), here = getDigits(from);
  std::optional<DigitMap> back = here ? here->inverse() : std::nullopt;
  return there && back ? there->then(*back) : std::nullopt;
}

std::optional<IndexingMap>
mlir::tensoraccess::getSamePlaceMap(const Layout &to, const Layout &from) {
  if (to.getElements() == 0 || from.getElements() == 0)
    return emptyMap(*to.shape, from.getRank());
  std::optional<DigitMap> places = getSamePlaces(to, from);
  if (!places)
    return std::nullopt;
  IndexingMap map = places->toIndexingMap().simplify();
  if (map.isUnknown())
    return std::nullopt;
  return map;
}

std::optional<bool>
mlir::tensoraccess::liesOnElements(const Layout &to, const Layout &from,
                                   SmallVectorImpl<int64_t> *witness) {
  std::optional<int64_t> elements = to.getElements();
  std::optional<int64_t> source = from.getElements();
  if (!elements || !source)
    return std::nullopt;
  if (*elements == 0)
    return true;
  // Without padding every place up to the end is an element's.
  std::optional<int64_t> places = from.getPaddedElements();
  std::optional<int64_t> used = to.getPaddedElements();
  if (places && used && *places == *source && *used <= *places)
    return true;
  if (std::optional<DigitMap> map = getSamePlaces(to, from))
    if (map->isTotal())
      return true;
  if (*elements > static_cast<int64_t>(kDefaultEnumerationBudget))
    return std::nullopt;
  SmallVector<int64_t> index(to.getRank(), 0);
  for (int64_t i = 0; i < *elements; ++i) {
    std::optional<int64_t> number = to.linearize(index);
    if (!number)
      return std::nullopt;
    if (!from.delinearize(*number)) {
      if (witness)
        witness->assign(index);
      return false;
    }
    nextIndex(index, *to.shape);
  }
  return true;
}

std::optional<bool>
mlir::tensoraccess::movesNothing(RankedTensorType source,
                                 RankedTensorType result,
                                 ArrayRef<int64_t> permutation) {
  if (source.getElementType() != result.getElementType())
    return false;
  std::optional<Layout> from = getLayoutOf(source), to = getLayoutOf(result);
  if (!from || !to)
    return std::nullopt;
  if (from->memorySpace != to->memorySpace)
    return false;
  std::optional<int64_t> bits = getValueBits(source.getElementType());
  if (from->elementBits.value_or(bits.value_or(0)) !=
      to->elementBits.value_or(bits.value_or(0)))
    return false;
  if (!from->shape || !to->shape) {
    // Sizes are unknown, but equal, and so are the layouts.
    bool identity =
        llvm::equal(permutation, llvm::seq<int64_t>(0, source.getRank()));
    if (identity && from->withoutShape() == to->withoutShape() &&
        source.getShape() == result.getShape())
      return true;
    return std::nullopt;
  }
  return movesNothing(*from, *to, permutation);
}
