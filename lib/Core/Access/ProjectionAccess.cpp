//===- ProjectionAccess.cpp - Access patterns of projections --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Check rows one by one: the hull of a row is reached at both of its ends,
//    by corners of the block, so its ends decide, and the corner is the witness
//    (checkProjection).
// 2. Cut a projection into a slice over the hull and a projection inside
//    (getProjectionSteps).
// 3. Canonical forms of both (sliceAccess, projectAccess), and the reference
//    kernel, which knows nothing of either.
//
//===----------------------------------------------------------------------===//

#include "Array/KernelHelpers.h"
#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "llvm/Support/InterleavedRange.h"

#include <cstring>
#include <deque>
#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Rules and steps
//===----------------------------------------------------------------------===//

/// The point of a block that is furthest below, or above, in a row.
static SmallVector<int64_t> getCorner(ArrayRef<int64_t> row,
                                      const IndexRegion &block, bool isAbove) {
  SmallVector<int64_t> corner;
  for (auto [factor, lo, hi] : llvm::zip_equal(row, block.lo, block.hi))
    corner.push_back(factor != 0 && (factor > 0) == isAbove ? hi - 1 : lo);
  return corner;
}

std::string mlir::tensoraccess::checkProjection(const Projection &projection,
                                                const IndexRegion &block,
                                                ArrayRef<int64_t> sizes) {
  using Kind = OutOfBounds::Kind;
  for (auto [axis, lo, hi] : llvm::enumerate(block.lo, block.hi)) {
    if (lo > hi)
      return "block axis " + std::to_string(axis) +
             " must begin at its end or before, got [" + std::to_string(lo) +
             ", " + std::to_string(hi) + ")";
    if (!checkedSub(hi, lo))
      return "extent of block axis " + std::to_string(axis) +
             " must fit in 64 bits, got [" + std::to_string(lo) + ", " +
             std::to_string(hi) + ")";
  }
  if (block.lo.size() != projection.getNumColumns())
    return "block must have one axis per matrix column, " +
           std::to_string(projection.getNumColumns()) + ", got " +
           std::to_string(block.lo.size());
  if (projection.getNumRows() != sizes.size())
    return "projection must have one row per compute dimension, " +
           std::to_string(sizes.size()) + ", got " +
           std::to_string(projection.getNumRows());
  if (block.isEmpty())
    return "";
  const std::optional<IndexRegion> hull = projection.getHull(block);
  if (!hull)
    return describeOverflow(projection, block);
  for (size_t r = 0; r != sizes.size(); ++r) {
    if (!checkedSub(hull->hi[r], hull->lo[r]))
      return describeOverflow(projection, block);
    const Kind policy = projection.getOutOfBounds(r).kind;
    for (bool isAbove : {false, true}) {
      const int64_t place = isAbove ? hull->hi[r] - 1 : hull->lo[r];
      int64_t element = place;
      if (resolvePlace(policy, sizes[r], element) != Resolved::Kind::Forbidden)
        continue;
      return describeForbidden(policy, place, "dimension " + std::to_string(r),
                               sizes[r]) +
             ", got it at point " +
             llvm::interleaved_array(
                 getCorner(projection.matrix[r], block, isAbove))
                 .str();
    }
  }
  return "";
}

SmallVector<int64_t>
mlir::tensoraccess::getProjectedShape(const Projection &projection,
                                      const IndexRegion &block) {
  SmallVector<int64_t> shape = getBoxSizes(block);
  llvm::append_range(shape, projection.shape);
  return shape;
}

/// What all places of a row are multiples of, counted from one of them: 1 for
/// regions longer than an element.
static int64_t getCommonStep(ArrayRef<int64_t> row, int64_t shape,
                             const IndexRegion &block) {
  uint64_t step = 0;
  for (auto [factor, lo, hi] : llvm::zip_equal(row, block.lo, block.hi))
    if (hi - lo > 1)
      step = std::gcd(step, magnitude(factor));
  return shape > 1 || step == 0 ? 1 : static_cast<int64_t>(step);
}

ProjectionSteps
mlir::tensoraccess::getProjectionSteps(const Projection &projection,
                                       const IndexRegion &block,
                                       ArrayRef<int64_t> sizes) {
  ProjectionSteps steps;
  const size_t rows = sizes.size();
  const IndexRegion hull = *projection.getHull(block);
  steps.inside.matrix = projection.matrix;
  steps.inside.shape = projection.shape;
  bool leaves = false;
  for (size_t r = 0; r != rows && !block.isEmpty(); ++r)
    leaves |= hull.lo[r] < 0 || hull.hi[r] > sizes[r];
  for (size_t r = 0; r != rows; ++r) {
    const int64_t extent = hull.hi[r] - hull.lo[r];
    const int64_t step =
        leaves ? getCommonStep(projection.matrix[r], projection.shape[r], block)
               : 1;
    steps.offsets.push_back(leaves ? hull.lo[r] : 0);
    steps.strides.push_back(step);
    steps.sizes.push_back(leaves ? (extent - 1) / step + 1 : sizes[r]);
    if (leaves)
      steps.policies.push_back(projection.getOutOfBounds(r));
    // The least place is that of the corner whose negative factors are at their
    // ends; from there the first point is this far.
    int64_t first = block.isEmpty() || leaves ? 0 : hull.lo[r];
    for (auto [c, factor] : llvm::enumerate(steps.inside.matrix[r])) {
      const int64_t last = block.hi[c] - block.lo[c] - 1;
      // An axis of one index does not move, whatever its factor.
      factor = last > 0 ? factor / step : 0;
      if (!block.isEmpty() && factor < 0)
        first -= factor * last;
    }
    steps.inside.offset.push_back(first);
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Canonical forms
//===----------------------------------------------------------------------===//

std::optional<CanonicalAccess> mlir::tensoraccess::projectAccess(
    const CanonicalAccess &access, const Projection &inside,
    ArrayRef<int64_t> extents, const AccessBudget &budget) {
  const size_t rows = inside.getNumRows(), first = access.getRank() - rows;
  SmallVector<int64_t> shape(access.getShape().take_front(first));
  llvm::append_range(shape, extents);
  llvm::append_range(shape, inside.shape);
  IndexingMapBuilder builder;
  SmallVector<Form> dims = builder.addDims(shape);
  FormArena &arena = builder.arena();
  for (size_t a = 0; a != first; ++a)
    builder.addResult(dims[a]);
  for (size_t r = 0; r != rows; ++r) {
    Form place =
        arena.add(dims[first + extents.size() + r], Form(inside.offset[r]));
    for (auto [c, factor] : llvm::enumerate(inside.matrix[r]))
      arena.accumulate(place, dims[first + c], factor);
    builder.addResult(std::move(place));
  }
  return access.pullBack(shape, builder.build(), budget);
}

std::optional<CanonicalAccess> mlir::tensoraccess::sliceAccess(
    const CanonicalAccess &given, ArrayRef<int64_t> offsets,
    ArrayRef<int64_t> counts, ArrayRef<int64_t> strides,
    ArrayRef<OutOfBounds> policies, PadNumber getNumber, size_t maxRuns,
    const AccessBudget &budget) {
  if (policies.empty())
    return sliceAccess(given, offsets, counts, strides, budget);
  SmallVector<int64_t> sizes(given.getShape());
  const SmallVector<int64_t> zeros(sizes.size(), 0), ones(sizes.size(), 1);
  std::optional<CanonicalAccess> access = given;
  for (unsigned dim = sizes.size(); dim-- > 0;) {
    if (offsets[dim] == 0 && strides[dim] == 1 && counts[dim] == sizes[dim])
      continue;
    auto runs = getSliceRuns(sizes[dim], offsets[dim], counts[dim],
                             strides[dim], policies[dim].kind, maxRuns);
    if (!runs)
      return std::nullopt;
    int64_t low = 0, high = 0;
    std::deque<CanonicalAccess> parts;
    auto take = [&](const SliceRun &run) {
      SmallVector<int64_t> begin(zeros), extents(sizes), steps(ones);
      begin[dim] = run.first;
      extents[dim] = run.stride == 0 ? 1 : run.count;
      steps[dim] = run.stride == 0 ? 1 : run.stride;
      auto part = sliceAccess(*access, begin, extents, steps, budget);
      extents[dim] = run.count;
      if (part && run.stride == 0)
        part = broadcastAccess(*part, extents, budget);
      if (part)
        parts.push_back(std::move(*part));
      return part.has_value();
    };
    for (const SliceRun &run : *runs)
      if (run.isPadding)
        (parts.empty() ? low : high) += run.count;
      else if (!take(run))
        return std::nullopt;
    // Nothing but padding, or nothing at all.
    if (parts.empty() && !take(SliceRun()))
      return std::nullopt;
    SmallVector<const CanonicalAccess *> pointers;
    for (const CanonicalAccess &part : parts)
      pointers.push_back(&part);
    access = concatAccess(pointers, dim, budget);
    if (access && (low || high)) {
      SmallVector<int64_t> before(zeros), after(zeros);
      before[dim] = low;
      after[dim] = high;
      access = padAccess(*access, before, after, zeros,
                         getNumber(policies[dim]), budget);
    }
    if (!access)
      return std::nullopt;
    sizes[dim] = counts[dim];
  }
  return access;
}

//===----------------------------------------------------------------------===//
// The reference kernel
//===----------------------------------------------------------------------===//

static void writePadding(Tensor &tensor, ArrayRef<int64_t> index,
                         const PadValue &value) {
  if (value.isFloat())
    tensor.setDouble(index, value.getFloat());
  else if (isFloat(tensor.getElementType()))
    tensor.setDouble(index, value.getInteger());
  else
    tensor.setInt(index, value.getInteger());
}

Expected<AccessPattern> kernels::project(const AccessPattern &pattern,
                                         const Projection &projection,
                                         const IndexRegion &block) {
  if (std::optional<std::string> fault = projection.verify())
    return createStringError(*fault);
  const SmallVector<int64_t> sizes = pattern.getComputeShape();
  if (std::string fault = checkProjection(projection, block, sizes);
      !fault.empty())
    return createStringError(fault);
  Expected<Tensor> tensor = pattern.join();
  if (!tensor)
    return tensor.takeError();
  const size_t access = pattern.getAccessRank(), rows = sizes.size();
  const size_t columns = block.lo.size();
  SmallVector<int64_t> shape(pattern.getAccessShape());
  llvm::append_range(shape, getProjectedShape(projection, block));
  if (!elementCount(shape))
    return createStringError("the projected element count must fit in 63 bits, "
                             "got shape " +
                             bracketed(shape));
  Expected<Tensor> result = Tensor::create(pattern.getElementType(), shape);
  if (!result)
    return result.takeError();
  const int64_t split = access + columns;
  if (result->getNumElements() == 0)
    return AccessPattern(*result, split);
  SmallVector<int64_t> index(shape.size(), 0), from(access + rows);
  do {
    SmallVector<int64_t> point, place;
    for (size_t c = 0; c != columns; ++c)
      point.push_back(block.lo[c] + index[access + c]);
    const IndexRegion region = *projection.evaluate(point);
    for (size_t r = 0; r != rows; ++r)
      place.push_back(region.lo[r] + index[split + r]);
    const Resolved resolved = projection.resolve(place, sizes);
    if (resolved.kind == Resolved::Kind::Forbidden)
      return createStringError("place " + llvm::interleaved_array(place).str() +
                               " is forbidden");
    if (resolved.kind == Resolved::Kind::Pad) {
      writePadding(*result, index,
                   *projection.getOutOfBounds(resolved.dimension).value);
      continue;
    }
    std::copy_n(index.begin(), access, from.begin());
    llvm::copy(resolved.index, from.begin() + access);
    std::memcpy(result->getElement(index), tensor->getElement(from),
                byteSize(tensor->getElementType()));
  } while (nextIndex(index, shape));
  return AccessPattern(*result, split);
}
