//===- BoxKernels.cpp - Reference kernels of slice, pad and broadcast -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The movement ops that take a box of a pattern or put it into a larger one.
// broadcast is a view, and so is a slice that stays inside; pad copies.
//
//===----------------------------------------------------------------------===//

#include "KernelHelpers.h"

#include <cstring>
#include <vector>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

/// The places of a dimension, each resolved to an element; std::nullopt for
/// padding.
static Expected<std::vector<std::optional<int64_t>>>
resolvePlaces(int64_t size, int64_t offset, int64_t count, int64_t stride,
              const OutOfBounds &policy) {
  std::vector<std::optional<int64_t>> places;
  places.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = offset + i * stride;
    switch (resolvePlace(policy.kind, size, place)) {
    case Resolved::Kind::Element:
      places.push_back(place);
      break;
    case Resolved::Kind::Pad:
      places.push_back(std::nullopt);
      break;
    case Resolved::Kind::Forbidden:
      return createStringError("place " + Twine(place) + " lies outside [0, " +
                               Twine(size) + ")");
    }
  }
  return places;
}

/// A slice that leaves the tensor, element by element. The first dimension that
/// pads decides by which value.
static Expected<Tensor> gatherSlice(const Tensor &tensor,
                                    ArrayRef<int64_t> offsets,
                                    ArrayRef<int64_t> counts,
                                    ArrayRef<int64_t> strides,
                                    ArrayRef<OutOfBounds> policies) {
  Expected<Tensor> result = Tensor::create(tensor.getElementType(), counts);
  if (!result || result->getNumElements() == 0)
    return result;
  size_t rank = counts.size();
  SmallVector<std::vector<std::optional<int64_t>>> places;
  for (size_t d = 0; d < rank; ++d) {
    auto resolved = resolvePlaces(tensor.getDim(d), offsets[d], counts[d],
                                  strides[d], policies[d]);
    if (!resolved)
      return resolved.takeError();
    places.push_back(std::move(*resolved));
  }
  SmallVector<int64_t> index(rank, 0), from(rank);
  do {
    const OutOfBounds *padding = nullptr;
    for (size_t d = rank; d-- > 0;)
      if (std::optional<int64_t> place = places[d][index[d]])
        from[d] = *place;
      else
        padding = &policies[d];
    if (!padding)
      std::memcpy(result->getElement(index), tensor.getElement(from),
                  byteSize(tensor.getElementType()));
    else if (padding->value->isFloat())
      result->setDouble(index, padding->value->getFloat());
    else if (isFloat(tensor.getElementType()))
      result->setDouble(index, padding->value->getInteger());
    else
      result->setInt(index, padding->value->getInteger());
  } while (nextIndex(index, counts));
  return result;
}

Expected<AccessPattern> kernels::slice(const AccessPattern &pattern,
                                       ArrayRef<int64_t> offsets,
                                       ArrayRef<int64_t> sizes,
                                       ArrayRef<int64_t> strides,
                                       ArrayRef<OutOfBounds> policies) {
  SmallVector<int64_t> shape = pattern.getShape(), counts(sizes);
  SmallVector<OutOfBounds> forbid(shape.size());
  if (policies.empty())
    policies = forbid;
  if (offsets.size() != shape.size() || sizes.size() != shape.size() ||
      strides.size() != shape.size() || policies.size() != shape.size())
    return createStringError(
        "offsets, sizes, strides and policies must have one entry per "
        "dimension, " +
        Twine(shape.size()) + ", got " + Twine(offsets.size()) + ", " +
        Twine(sizes.size()) + ", " + Twine(strides.size()) + " and " +
        Twine(policies.size()));
  bool isInside = true;
  for (auto [d, count] : llvm::enumerate(counts)) {
    if (strides[d] == 0)
      return createStringError("stride of dimension " + Twine(d) +
                               " must not be 0");
    if (count < 0 && count != kToTheEnd)
      return createStringError("size of dimension " + Twine(d) +
                               " must be non-negative, got " + Twine(count));
    if (std::string fault = checkSlice(shape[d], offsets[d], count, strides[d],
                                       policies[d].kind);
        !fault.empty())
      return createStringError("slice of dimension " + Twine(d) + " " + fault);
    if (count == kToTheEnd)
      count = countToTheEnd(shape[d], offsets[d], strides[d]);
    isInside &= checkSlice(shape[d], offsets[d], count, strides[d]).empty();
  }
  if (!elementCount(counts))
    return createStringError("the slice's element count must fit in 63 bits, "
                             "got shape " +
                             bracketed(counts));
  SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  bool keepsTuple =
      tupleEntries(pattern, counts) == pattern.getTupleShape() &&
      tupleEntries(pattern, offsets) == tupleEntries(pattern, zeros) &&
      tupleEntries(pattern, strides) == tupleEntries(pattern, ones);
  if (!keepsTuple) {
    Expected<AccessPattern> dense = joined(pattern);
    return dense ? slice(*dense, offsets, counts, strides, policies)
                 : std::move(dense);
  }
  SmallVector<OutOfBounds> innerPolicies(
      policies.take_front(pattern.getAccessRank()));
  llvm::append_range(
      innerPolicies,
      policies.drop_front(pattern.getAccessRank() + pattern.getTupleRank()));
  return mapComponents(
      pattern, pattern.getAccessRank(), [&](const Tensor &component) {
        SmallVector<int64_t> first = withoutTuple(pattern, offsets);
        SmallVector<int64_t> extent = withoutTuple(pattern, counts);
        SmallVector<int64_t> steps = withoutTuple(pattern, strides);
        if (isInside)
          return Expected<Tensor>(component.slice(first, extent, steps));
        return gatherSlice(component, first, extent, steps, innerPolicies);
      });
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::broadcast(const AccessPattern &pattern,
                                           ArrayRef<int64_t> accessShape,
                                           ArrayRef<int64_t> computeShape) {
  SmallVector<int64_t> from = pattern.getShape(), to(accessShape);
  llvm::append_range(to, computeShape);
  if (static_cast<int64_t>(accessShape.size()) != pattern.getAccessRank() ||
      to.size() != from.size())
    return createStringError(
        "a broadcast must keep the numbers of access and compute dimensions, "
        "got " +
        bracketed(from) + " and " + bracketed(to));
  for (auto [d, size] : llvm::enumerate(to)) {
    if (size == kDynamicSize)
      size = from[d];
    if (size < 0 || (from[d] != 1 && size != from[d]))
      return createStringError("dimension " + Twine(d) +
                               " must keep its size or grow from 1, got " +
                               Twine(from[d]) + " and " + Twine(size));
  }
  if (!elementCount(to))
    return createStringError("the broadcast element count must fit in 63 bits, "
                             "got shape " +
                             bracketed(to));
  if (tupleEntries(pattern, to) != pattern.getTupleShape()) {
    Expected<AccessPattern> dense = joined(pattern);
    if (!dense)
      return dense;
    ArrayRef<int64_t> sizes(to);
    return broadcast(*dense, sizes.take_front(accessShape.size()),
                     sizes.drop_front(accessShape.size()));
  }
  SmallVector<int64_t> inner = withoutTuple(pattern, to);
  return mapComponents(
      pattern, pattern.getAccessRank(), [&](const Tensor &component) {
        SmallVector<int64_t> strides(component.getStrides());
        for (auto [d, stride] : llvm::enumerate(strides))
          if (component.getDim(d) != inner[d])
            stride = 0;
        return Expected<Tensor>(component.restride(inner, strides));
      });
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

/// A tensor spread out inside a frame of `value`. Dimensions along which all
/// elements are equal (stride 0) and that get no padding stay so, without a
/// copy.
static Expected<Tensor> padTensor(const Tensor &tensor, ArrayRef<int64_t> low,
                                  ArrayRef<int64_t> full,
                                  ArrayRef<int64_t> steps,
                                  const Tensor &value) {
  int64_t rank = tensor.getRank();
  SmallVector<int64_t> inner(tensor.getShape()), framed(full);
  for (int64_t d = 0; d < rank; ++d)
    if (tensor.getStrides()[d] == 0 && inner[d] > 1 && full[d] == inner[d])
      inner[d] = framed[d] = 1;
  Expected<Tensor> result = Tensor::create(tensor.getElementType(), framed);
  if (!result)
    return result;
  fillElements(*result, value);
  Tensor place = result->slice(low, inner, steps);
  copyElements(tensor.restride(inner, tensor.getStrides()), place);
  SmallVector<int64_t> strides(result->getStrides());
  for (int64_t d = 0; d < rank; ++d)
    if (framed[d] != full[d])
      strides[d] = 0;
  return result->restride(full, strides);
}

Expected<AccessPattern> kernels::pad(const AccessPattern &pattern,
                                     ArrayRef<int64_t> low,
                                     ArrayRef<int64_t> high,
                                     const Tensor &value,
                                     ArrayRef<int64_t> interior) {
  SmallVector<int64_t> shape = pattern.getShape(), full, steps;
  SmallVector<int64_t> zeros(shape.size(), 0);
  if (interior.empty())
    interior = zeros;
  if (low.size() != shape.size() || high.size() != shape.size() ||
      interior.size() != shape.size())
    return createStringError(
        "low, high and interior must have one entry per dimension, " +
        Twine(shape.size()) + ", got " + Twine(low.size()) + ", " +
        Twine(high.size()) + " and " + Twine(interior.size()));
  if (value.getElementType() != pattern.getElementType() || value.getRank())
    return createStringError("the padding value must be a scalar of type " +
                             toString(pattern.getElementType()).str() +
                             ", got " + describe(value));
  for (auto [d, size] : llvm::enumerate(shape)) {
    std::optional<int64_t> padded;
    if (low[d] >= 0 && high[d] >= 0 && interior[d] >= 0)
      padded = paddedSize(size, low[d], high[d], interior[d]);
    if (!padded)
      return createStringError("padding of dimension " + Twine(d) +
                               " must not be negative or overflow, got low " +
                               Twine(low[d]) + ", high " + Twine(high[d]) +
                               " and interior " + Twine(interior[d]));
    full.push_back(*padded);
    // With at most one element, any step will do.
    steps.push_back(size > 1 ? interior[d] + 1 : 1);
  }
  if (!elementCount(full))
    return createStringError("the padded element count must fit in 63 bits, "
                             "got shape " +
                             bracketed(full));
  if (tupleEntries(pattern, full) != pattern.getTupleShape()) {
    Expected<AccessPattern> dense = joined(pattern);
    return dense ? pad(*dense, low, high, value, interior) : std::move(dense);
  }
  return mapComponents(pattern, pattern.getAccessRank(),
                       [&](const Tensor &component) {
                         return padTensor(component, withoutTuple(pattern, low),
                                          withoutTuple(pattern, full),
                                          withoutTuple(pattern, steps), value);
                       });
}
