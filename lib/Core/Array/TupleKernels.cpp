//===- TupleKernels.cpp - Reference kernels that join patterns ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cart_prod, pair and concat along the tuple axis hold their operands side by
// side as components, as views; concat along any other dimension copies.
//
//===----------------------------------------------------------------------===//

#include "KernelHelpers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// Fails if the element types differ.
static llvm::Error checkElementTypes(const AccessPattern &a,
                                     const AccessPattern &b) {
  if (a.getElementType() == b.getElementType())
    return llvm::Error::success();
  return createStringError("element types must be equal, got " +
                           toString(a.getElementType()).str() + " and " +
                           toString(b.getElementType()).str());
}

/// Fails if the shapes differ; `what` names them.
static llvm::Error checkShapes(const char *what, ArrayRef<int64_t> a,
                               ArrayRef<int64_t> b) {
  if (a == b)
    return llvm::Error::success();
  return createStringError(Twine(what) + " shapes must be equal, got " +
                           bracketed(a) + " and " + bracketed(b));
}

//===----------------------------------------------------------------------===//
// cart_prod
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::cartProd(const AccessPattern &lhs,
                                          const AccessPattern &rhs) {
  if (llvm::Error error = checkElementTypes(lhs, rhs))
    return std::move(error);
  if (llvm::Error error =
          checkShapes("compute", lhs.getComputeShape(), rhs.getComputeShape()))
    return std::move(error);
  ArrayRef<int64_t> a = lhs.getAccessShape(), b = rhs.getAccessShape();
  SmallVector<int64_t> shape(a);
  llvm::append_range(shape, b);
  shape.push_back(2);
  llvm::append_range(shape, lhs.getComputeShape());
  if (!elementCount(shape))
    return createStringError("the product's element count must fit in 63 "
                             "bits, got shape " +
                             bracketed(shape));

  // A ++ c and B ++ c become A ++ B ++ c.
  auto broadcast = [&](const AccessPattern &pattern, size_t begin,
                       ArrayRef<int64_t> sizes) {
    SmallVector<Tensor> components;
    for (Tensor part : pattern.getComponents()) {
      for (auto [i, size] : llvm::enumerate(sizes))
        part = part.broadcastAt(begin + i, size);
      components.push_back(part);
    }
    return AccessPattern(std::move(components),
                         SmallVector<int64_t>(pattern.getTupleShape()),
                         a.size() + b.size());
  };
  return pair(broadcast(lhs, a.size(), b), broadcast(rhs, 0, a));
}

//===----------------------------------------------------------------------===//
// pair
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::pair(const AccessPattern &lhs,
                                      const AccessPattern &rhs) {
  if (llvm::Error error = checkElementTypes(lhs, rhs))
    return std::move(error);
  if (llvm::Error error =
          checkShapes("access", lhs.getAccessShape(), rhs.getAccessShape()))
    return std::move(error);
  if (llvm::Error error =
          checkShapes("compute", lhs.getComputeShape(), rhs.getComputeShape()))
    return std::move(error);
  SmallVector<int64_t> shape = lhs.getShape();
  shape.push_back(2);
  if (!elementCount(shape))
    return createStringError("the pair's element count must fit in 63 bits, "
                             "got twice shape " +
                             bracketed(lhs.getShape()));
  int64_t tupleRank = std::max(lhs.getTupleRank(), rhs.getTupleRank());
  Expected<AccessPattern> left = lhs.split(tupleRank);
  if (!left)
    return left;
  Expected<AccessPattern> right = rhs.split(tupleRank);
  if (!right)
    return right;
  SmallVector<Tensor> components(left->getComponents());
  llvm::append_range(components, right->getComponents());
  SmallVector<int64_t> tupleShape{2};
  llvm::append_range(tupleShape, left->getTupleShape());
  return AccessPattern(std::move(components), std::move(tupleShape),
                       lhs.getAccessRank());
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

/// The shape of all patterns one after another, or what is wrong with it.
static Expected<SmallVector<int64_t>>
concatenatedShape(ArrayRef<AccessPattern> patterns, int64_t axis) {
  if (patterns.empty())
    return createStringError("concat needs at least one operand, got 0");
  const AccessPattern &first = patterns.front();
  if (axis < 0 || axis >= first.getRank())
    return createStringError("concat axis must lie in [0, " +
                             Twine(first.getRank() - 1) + "], got " +
                             Twine(axis));
  SmallVector<int64_t> shape = first.getShape();
  for (auto [number, pattern] : llvm::enumerate(patterns.drop_front())) {
    if (llvm::Error error = checkElementTypes(first, pattern))
      return std::move(error);
    SmallVector<int64_t> sizes = pattern.getShape();
    if (pattern.getAccessRank() != first.getAccessRank() ||
        sizes.size() != shape.size())
      return createStringError(
          "concat operand " + Twine(number + 1) + " must have " +
          Twine(first.getAccessRank()) + " access and " +
          Twine(first.getRank() - first.getAccessRank()) +
          " compute dimensions, got " + Twine(pattern.getAccessRank()) +
          " and " + Twine(pattern.getRank() - pattern.getAccessRank()));
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (static_cast<int64_t>(dim) == axis) {
        if (llvm::AddOverflow(shape[dim], size, shape[dim]))
          return createStringError("concatenated size of dimension " +
                                   Twine(dim) + " overflows at operand " +
                                   Twine(number + 1));
      } else if (size != shape[dim]) {
        return createStringError("dimension " + Twine(dim) +
                                 " of all concat operands must be equal, got " +
                                 Twine(shape[dim]) + " and " + Twine(size));
      }
  }
  if (!elementCount(shape))
    return createStringError("the concatenated element count must fit in 63 "
                             "bits, got shape " +
                             bracketed(shape));
  return shape;
}

Expected<AccessPattern> kernels::concat(ArrayRef<AccessPattern> patterns,
                                        int64_t axis) {
  Expected<SmallVector<int64_t>> shape = concatenatedShape(patterns, axis);
  if (!shape)
    return shape.takeError();
  const AccessPattern &first = patterns.front();
  int64_t accessRank = first.getAccessRank(), tupleRank = 0;
  for (const AccessPattern &pattern : patterns)
    tupleRank = std::max(tupleRank, pattern.getTupleRank());

  // Along the first tuple dimension: all components side by side.
  bool isEmpty = llvm::is_contained(*shape, 0);
  if (axis == accessRank && tupleRank > 0 &&
      llvm::none_of(patterns, [&](const AccessPattern &pattern) {
        return llvm::is_contained(pattern.getComputeShape(), 0);
      })) {
    SmallVector<Tensor> components;
    SmallVector<int64_t> tupleShape(
        ArrayRef<int64_t>(*shape).slice(accessRank, tupleRank));
    for (const AccessPattern &pattern : patterns) {
      Expected<AccessPattern> parts = pattern.split(tupleRank);
      if (!parts)
        return parts;
      llvm::append_range(components, parts->getComponents());
    }
    return AccessPattern(std::move(components), std::move(tupleShape),
                         accessRank);
  }

  Expected<Tensor> result = Tensor::create(first.getElementType(), *shape);
  if (!result)
    return result.takeError();
  SmallVector<int64_t> offsets(shape->size(), 0), ones(shape->size(), 1);
  for (const AccessPattern &pattern : patterns) {
    if (isEmpty)
      break;
    Expected<Tensor> part = pattern.join();
    if (!part)
      return part.takeError();
    Tensor place = result->slice(offsets, part->getShape(), ones);
    copyElements(*part, place);
    offsets[axis] += part->getDim(axis);
  }
  return AccessPattern(*result, accessRank);
}
