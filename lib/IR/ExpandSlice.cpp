//===- ExpandSlice.cpp - Out-of-bounds policies in other words ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Cut the places of each dimension into runs (Core/Slice.h); give up before
//    anything is made where there are too many. A dimension of unknown size is
//    one run under `forbid`; other policies ask for its size.
// 2. From the last dimension to the first, so that the first one that pads has
//    the last word: a slice a run, their concatenation, and the padding round
//    it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/ExpandSlice.h"

using namespace mlir;
using namespace mlir::tensoraccess;

TypedAttr mlir::tensoraccess::getPaddingAttr(SliceOp op,
                                             const OutOfBounds &policy) {
  Type type = op.getType().getElementType();
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

/// True where the runs take all of a dimension, which may be of unknown size.
static bool isWhole(ArrayRef<SliceRun> runs, int64_t size) {
  return runs.size() == 1 && !runs[0].isPadding && runs[0].first == 0 &&
         runs[0].stride == 1 &&
         runs[0].count == (size == kDynamicSize ? kToTheEnd : size);
}

/// The runs of each dimension; none where there are too many or too little is
/// known.
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
    // Two runs of padding may be beside the others.
    auto cut =
        getSliceRuns(size, op.getOffsets()[dim], op.getSizes()[dim],
                     strides[dim], op.getPolicy(dim).kind, kMaxSliceRuns + 2);
    if (!cut)
      return std::nullopt;
    slices *= std::max<size_t>(
        1, llvm::count_if(*cut, [](SliceRun run) { return !run.isPadding; }));
    if (slices > kMaxSliceRuns)
      return std::nullopt;
    runs.push_back(std::move(*cut));
  }
  return runs;
}

bool mlir::tensoraccess::canExpand(SliceOp op) {
  return !op.getOobAttr() || cutIntoRuns(op);
}

FailureOr<Value> mlir::tensoraccess::expandOutOfBounds(OpBuilder &b,
                                                       SliceOp op) {
  if (!op.getOobAttr())
    return Value(op.getResult());
  auto cut = cutIntoRuns(op);
  if (!cut)
    return failure();
  ArrayRef<SmallVector<SliceRun>> runs(*cut);
  Location loc = op.getLoc();
  Value result = op.getPattern();
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
                             getPaddingAttr(op, op.getPolicy(dim)));
  }
  return result;
}
