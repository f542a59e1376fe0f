//===- LayoutTypes.cpp - Layouts of tensor types --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two layouts of one memory meet in the number of an element:
//
//   index of `to` -> number -> coordinates of `from` -> index of `from`,
//
// a composition of indexing maps. What its constraints leave out lies on
// padding; where simplification leaves no constraint there is none, elsewhere
// the points of a small shape are counted.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Support.h"
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
  return hasDynamicSize(shape)
             ? layout
             : layout.withShape(shape, *XlaType::lookup("pred"));
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

std::optional<IndexingMap>
mlir::tensoraccess::getSamePlaceMap(const Layout &to, const Layout &from) {
  std::optional<IndexingMap> toNumber = to.getIndexingMap();
  std::optional<IndexingMap> toLogical = from.getLogicalMap();
  std::optional<SmallVector<int64_t>> physical = from.getPhysicalShape();
  if (!toNumber || !toLogical || !physical)
    return std::nullopt;
  int64_t count = *elementCount(*physical);
  if (toNumber->isKnownEmpty() || count == 0)
    return emptyMap(*to.shape, from.getRank());
  IndexingMap toCoordinates = reshapeMap({count}, *physical);
  IndexingMap map = toNumber->then(toCoordinates).then(*toLogical).simplify();
  if (map.isUnknown())
    return std::nullopt;
  return map;
}

/// True where the map has all points of the shape: nothing is left of its
/// constraints.
static bool isTotal(const IndexingMap &map, ArrayRef<int64_t> shape) {
  return map.isOrdinary() && map.getNumSymbols() == 0 &&
         map.getConstraints().empty() &&
         llvm::all_of(llvm::zip_equal(map.getDimRanges(), shape),
                      [](auto pair) {
                        auto [range, size] = pair;
                        return range == Interval::ofExtent(size);
                      });
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
  if (std::optional<IndexingMap> map = getSamePlaceMap(to, from))
    if (isTotal(*map, *to.shape))
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
    for (int64_t d = to.getRank(); d-- > 0;) {
      if (++index[d] < (*to.shape)[d])
        break;
      index[d] = 0;
    }
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
  std::optional<int64_t> places = from->getPaddedElements();
  if (!places || places != to->getPaddedElements())
    return false;
  // The index of the result -> that of the source -> its number.
  SmallVector<int64_t> transposed;
  for (int64_t dim : permutation)
    transposed.push_back((*from->shape)[dim]);
  std::optional<IndexingMap> here = to->getIndexingMap();
  std::optional<IndexingMap> there = from->getIndexingMap();
  if (!here || !there)
    return std::nullopt;
  if (here->isKnownEmpty())
    return true;
  IndexingMapBuilder back;
  SmallVector<Form> index(permutation.size());
  for (auto [dim, size] : llvm::zip_equal(permutation, transposed))
    index[dim] = back.addDim(Interval::ofExtent(size));
  for (const Form &form : index)
    back.addResult(form);
  IndexingMap map = reshapeMap(*to->shape, transposed)
                        .then(back.build())
                        .then(*there)
                        .simplify();
  if (map == *here)
    return true;
  return compareMaps(map, *here).answer();
}
