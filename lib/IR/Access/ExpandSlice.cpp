//===- ExpandSlice.cpp - Out-of-bounds policies in other words ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Cut the places of each dimension into runs; give up before
//    anything is made where there are too many. A dimension of unknown size is
//    one run under `forbid`; other policies ask for its size.
// 2. From the last dimension to the first, so that the first one that pads has
//    the last word: a slice a run, their concatenation, and the padding round
//    it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/AccessForm.h"

using namespace mlir;
using namespace mlir::tensoraccess;

TypedAttr mlir::tensoraccess::getPaddingAttr(Type type,
                                             const OutOfBounds &policy) {
  const PadValue &value = *policy.value;
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(floatType, value.getFloat());
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, llvm::APInt(width, value.getInteger(),
                                            /*isSigned=*/true,
                                            /*implicitTrunc=*/true));
}

/// The slice of all of `pattern` but for one dimension, of which it takes a
/// run.
static Value takeRun(OpBuilder &b, Location loc, Value pattern, unsigned dim,
                     const SliceRun &run) {
  auto type = cast<AccessType>(pattern.getType());
  SmallVector<int64_t> grown = type.getShape(), sizes(grown);
  SmallVector<int64_t> offsets(sizes.size(), 0), strides(sizes.size(), 1);
  for (int64_t &size : sizes)
    if (size == kDynamicSize)
      size = kToTheEnd;
  offsets[dim] = run.first;
  sizes[dim] = run.stride == 0 ? 1 : run.count;
  strides[dim] = run.stride == 0 ? 1 : run.stride;
  Value slice = SliceOp::create(b, loc, pattern, offsets, sizes, strides);
  if (run.stride != 0 || run.count == 1)
    return slice;
  grown[dim] = run.count;
  ArrayRef<int64_t> all(grown);
  int64_t split = type.getAccessRank();
  return BroadcastOp::create(b, loc,
                             AccessType::get(all.take_front(split),
                                             all.drop_front(split),
                                             type.getElementType()),
                             slice);
}

/// True if the runs take all of a dimension, which may be of unknown size.
static bool isWhole(ArrayRef<SliceRun> runs, int64_t size) {
  return runs.size() == 1 && !runs[0].isPadding && runs[0].first == 0 &&
         runs[0].stride == 1 &&
         runs[0].count == (size == kDynamicSize ? kToTheEnd : size);
}

/// How many slices the runs of a dimension are.
static size_t countSlices(ArrayRef<SliceRun> runs) {
  return std::max<size_t>(
      1, llvm::count_if(runs, [](SliceRun run) { return !run.isPadding; }));
}

/// Adds the runs of a dimension of `size`; false if there are too many, in
/// it or with those of the dimensions before, which make `slices` slices.
static bool addRuns(int64_t size, int64_t offset, int64_t count, int64_t stride,
                    OutOfBounds::Kind policy, size_t &slices,
                    SmallVector<SmallVector<SliceRun>> &runs) {
  // Two runs of padding may be beside the others.
  auto cut =
      getSliceRuns(size, offset, count, stride, policy, kMaxSliceRuns + 2);
  if (!cut)
    return false;
  slices *= countSlices(*cut);
  if (slices > kMaxSliceRuns)
    return false;
  runs.push_back(std::move(*cut));
  return true;
}

/// The runs of each dimension; std::nullopt if there are too many or too little
/// is known.
static std::optional<SmallVector<SmallVector<SliceRun>>>
cutIntoRuns(SliceOp op) {
  AccessType type = op.getPattern().getType();
  SmallVector<int64_t> strides = op.getStridesOrOnes();
  SmallVector<SmallVector<SliceRun>> runs;
  size_t slices = 1;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (size == kDynamicSize) {
      if (op.getPolicy(dim).kind != OutOfBounds::Kind::Forbid)
        return std::nullopt;
      SliceRun run;
      run.count = op.getSizes()[dim];
      run.first = op.getOffsets()[dim];
      run.stride = strides[dim];
      runs.push_back({run});
      continue;
    }
    if (!addRuns(size, op.getOffsets()[dim], op.getSizes()[dim], strides[dim],
                 op.getPolicy(dim).kind, slices, runs))
      return std::nullopt;
  }
  return runs;
}

bool mlir::tensoraccess::canExpand(SliceOp op) {
  return !op.getOobAttr() || cutIntoRuns(op);
}

/// The runs of each dimension, put together: from the last dimension to the
/// first, so that the first one that pads has the last word.
static Value putTogether(OpBuilder &b, Location loc, Value result,
                         ArrayRef<SmallVector<SliceRun>> runs,
                         ArrayRef<OutOfBounds> policies) {
  Type elementType = cast<AccessType>(result.getType()).getElementType();
  for (unsigned dim = runs.size(); dim-- > 0;) {
    if (isWhole(runs[dim], cast<AccessType>(result.getType()).getShape()[dim]))
      continue;
    SmallVector<int64_t> low(runs.size(), 0), high(runs.size(), 0);
    SmallVector<Value> parts;
    for (const SliceRun &run : runs[dim])
      if (run.isPadding)
        (parts.empty() ? low : high)[dim] += run.count;
      else
        parts.push_back(takeRun(b, loc, result, dim, run));
    if (parts.empty()) // nothing but padding, or nothing at all
      parts.push_back(takeRun(b, loc, result, dim, SliceRun()));
    result = parts.size() == 1
                 ? parts[0]
                 : ConcatOp::create(b, loc, parts, dim).getResult();
    if (low[dim] || high[dim])
      result = PadOp::create(b, loc, result, low, high,
                             getPaddingAttr(elementType, policies[dim]));
  }
  return result;
}

FailureOr<Value> mlir::tensoraccess::expandOutOfBounds(OpBuilder &b,
                                                       SliceOp op) {
  if (!op.getOobAttr())
    return Value(op.getResult());
  auto runs = cutIntoRuns(op);
  if (!runs)
    return failure();
  return putTogether(b, op.getLoc(), op.getPattern(), *runs, op.getPolicies());
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

ProjectionSteps mlir::tensoraccess::getProjectionSteps(ProjectOp op) {
  return getProjectionSteps(op.getProjection().getProjection(),
                            op.getBlockRegion(),
                            op.getPattern().getType().getComputeShape());
}

/// The runs of each row's places; std::nullopt if there are too many.
static std::optional<SmallVector<SmallVector<SliceRun>>>
cutIntoRuns(ProjectOp op, const ProjectionSteps &steps) {
  SmallVector<SmallVector<SliceRun>> runs;
  size_t slices = 1;
  for (auto [r, size] :
       llvm::enumerate(op.getPattern().getType().getComputeShape()))
    if (!addRuns(size, steps.offsets[r], steps.sizes[r], steps.strides[r],
                 steps.policies[r].kind, slices, runs))
      return std::nullopt;
  return runs;
}

/// True if the slice is not much larger than its expansion.
static bool isWorthASlice(ProjectOp op, const ProjectionSteps &steps) {
  SmallVector<int64_t> made = op.getExtents();
  llvm::append_range(made, op.getType().getComputeShape());
  const std::optional<int64_t> taken = elementCount(steps.sizes);
  return taken && *taken / kMaxHullWaste <= *elementCount(made);
}

bool mlir::tensoraccess::canExpand(ProjectOp op) {
  if (op.getProjection().getProjection().outOfBounds.empty())
    return true;
  const ProjectionSteps steps = getProjectionSteps(op);
  return steps.policies.empty() ||
         (isWorthASlice(op, steps) && cutIntoRuns(op, steps));
}

FailureOr<Value> mlir::tensoraccess::expandOutOfBounds(OpBuilder &b,
                                                       ProjectOp op) {
  const ProjectionSteps steps = getProjectionSteps(op);
  if (steps.policies.empty())
    return Value(op.getResult());
  auto rows = isWorthASlice(op, steps) ? cutIntoRuns(op, steps) : std::nullopt;
  if (!rows)
    return failure();
  // Access dimensions stay whole.
  AccessType type = op.getPattern().getType();
  SmallVector<SmallVector<SliceRun>> runs;
  for (int64_t size : type.getAccessShape()) {
    SliceRun whole;
    whole.count = size == kDynamicSize ? kToTheEnd : size;
    runs.push_back({whole});
  }
  SmallVector<OutOfBounds> policies(runs.size());
  llvm::append_range(runs, std::move(*rows));
  llvm::append_range(policies, steps.policies);
  Value places = putTogether(b, op.getLoc(), op.getPattern(), runs, policies);
  IndexRegion block;
  for (int64_t extent : op.getExtents()) {
    block.lo.push_back(0);
    block.hi.push_back(extent);
  }
  return Value(ProjectOp::create(b, op.getLoc(), places, steps.inside, block)
                   .getResult());
}
