//===- AccessPattern.cpp - Access patterns as components ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splitting tuple dimensions (always into views) and joining them again (a
// dense copy). Component number k stands for the k-th tuple in row-major order
// of the tuple shape.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Kernels.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;

AccessPattern::AccessPattern(Tensor tensor, int64_t axis)
    : components{std::move(tensor)}, accessRank(axis) {
  assert(axis >= 0 && axis <= components.front().getRank() &&
         "the axis must lie in the tensor");
}

AccessPattern::AccessPattern(SmallVector<Tensor> components,
                             SmallVector<int64_t> tupleShape,
                             int64_t accessRank)
    : components(std::move(components)), tupleShape(std::move(tupleShape)),
      accessRank(accessRank) {
  assert(elementCount(this->tupleShape) ==
             static_cast<int64_t>(this->components.size()) &&
         "one component for each tuple");
}

SmallVector<int64_t> AccessPattern::getComputeShape() const {
  SmallVector<int64_t> shape(tupleShape);
  llvm::append_range(shape,
                     components.front().getShape().drop_front(accessRank));
  return shape;
}

SmallVector<int64_t> AccessPattern::getShape() const {
  SmallVector<int64_t> shape(getAccessShape());
  llvm::append_range(shape, getComputeShape());
  return shape;
}

Expected<Tensor> AccessPattern::join() const {
  if (tupleShape.empty())
    return components.front();
  Expected<Tensor> result = Tensor::create(getElementType(), getShape());
  if (!result)
    return result;
  for (auto [number, component] : llvm::enumerate(components)) {
    // The digits of the number, last first, so that axes keep their places.
    Tensor place = *result;
    SmallVector<int64_t> digits = unravel(number, tupleShape);
    for (size_t d = digits.size(); d-- > 0;)
      place = place.select(accessRank + d, digits[d]);
    copyElements(component, place);
  }
  return result;
}

Expected<AccessPattern> AccessPattern::split(int64_t tupleRank) const {
  AccessPattern result = *this;
  while (result.getTupleRank() < tupleRank) {
    int64_t size = result.components.front().getDim(accessRank);
    if (size == 0)
      return llvm::createStringError(
          "the tuple must not be empty, got compute shape [" +
          shapeToString(getComputeShape()) + "]");
    SmallVector<Tensor> parts;
    for (const Tensor &component : result.components)
      for (int64_t i = 0; i < size; ++i)
        parts.push_back(component.select(accessRank, i));
    result.components = std::move(parts);
    result.tupleShape.push_back(size);
  }
  return result;
}
