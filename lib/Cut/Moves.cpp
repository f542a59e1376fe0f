//===- Moves.cpp - Blocks of ops that move elements -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes: a range of the merged dimension is a box of the dimensions that it
// is made of only if it is one index in the outermost of them, down to some
// dimension, a range there, and everything further in. So each side's block is
// first made as large as such a box, reshaped, and then cut down to what is
// wanted. Where the cut fits (the mixed-radix condition) there is nothing to
// cut down, and nothing more is read than is needed.
//
// Pads: the part of the source under the block, and what is left of the
// borders.
//
// Slices whose offset is known at run time only, in a dimension: all of it is
// read, or made.
//
//===----------------------------------------------------------------------===//

#include "Moves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The least box of such a form (see the top) that holds a box.
static Box coverBox(const Box &box, ArrayRef<int64_t> sizes) {
  Box cover = getWholeBox(sizes);
  for (size_t d = 0; d < sizes.size(); ++d) {
    cover.lo[d] = box.lo[d];
    cover.hi[d] = box.hi[d];
    if (cover.hi[d] - cover.lo[d] != 1)
      break;
  }
  return cover;
}

/// The place of a box of such a form in row-major order.
static std::pair<int64_t, int64_t> getRange(const Box &cover,
                                            ArrayRef<int64_t> sizes) {
  int64_t first = 0, count = 1;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    first = first * size + cover.lo[d];
    count *= cover.hi[d] - cover.lo[d];
  }
  return {first, first + count};
}

static Box takeDims(const Box &box, ArrayRef<int64_t> dims) {
  Box out;
  for (int64_t d : dims) {
    out.lo.push_back(box.lo[d]);
    out.hi.push_back(box.hi[d]);
  }
  return out;
}

static SmallVector<int64_t> takeSizes(Type type, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sizes;
  for (int64_t d : dims)
    sizes.push_back(cast<RankedTensorType>(type).getDimSize(d));
  return sizes;
}

static void appendBox(Box &to, const Box &box) {
  to.lo.append(box.lo);
  to.hi.append(box.hi);
}

/// The one place of a reshape from or to a scalar, which has no groups.
static Box getOnePlace(Type type) {
  const size_t rank = cast<RankedTensorType>(type).getRank();
  Box box;
  box.lo.assign(rank, 0);
  box.hi.assign(rank, 1);
  return box;
}

static Value emitCollapse(OpBuilder &builder, tensor::CollapseShapeOp op,
                          const Box &block, const Box &cover, Value source) {
  Box whole;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    auto [lo, hi] =
        getRange(takeDims(cover, group), takeSizes(op.getSrcType(), group));
    whole.lo.push_back(lo);
    whole.hi.push_back(hi);
  }
  Value merged = tensor::CollapseShapeOp::create(
      builder, op.getLoc(), getBlockType(op.getType(), whole), source,
      op.getReassociationIndices());
  return emitSlice(builder, op.getLoc(), merged, shiftBox(block, whole.lo));
}

/// The result's block of an expand, as large as it is made first.
static Box getExpandCover(tensor::ExpandShapeOp op, const Box &block) {
  if (op.getReassociationIndices().empty())
    return getOnePlace(op.getType());
  Box cover;
  for (const ReassociationIndices &group : op.getReassociationIndices())
    appendBox(cover,
              coverBox(takeDims(block, group), takeSizes(op.getType(), group)));
  return cover;
}

static Value emitExpand(OpBuilder &builder, tensor::ExpandShapeOp op,
                        const Box &block, Value source) {
  Box cover = getExpandCover(op, block);
  Value split = tensor::ExpandShapeOp::create(
      builder, op.getLoc(), getBlockType(op.getType(), cover), source,
      op.getReassociationIndices());
  return emitSlice(builder, op.getLoc(), split, shiftBox(block, cover.lo));
}

//===----------------------------------------------------------------------===//
// Pads, slices, concatenations
//===----------------------------------------------------------------------===//

static Value emitPad(OpBuilder &builder, tensor::PadOp op, const Box &block,
                     Value source, IRMapping &mapping) {
  SmallVector<int64_t> low, high;
  bool isWhole = true;
  for (auto [d, before] : llvm::enumerate(op.getStaticLow())) {
    int64_t size = block.hi[d] - block.lo[d];
    int64_t end = before + op.getSourceType().getDimSize(d);
    low.push_back(std::clamp<int64_t>(before - block.lo[d], 0, size));
    high.push_back(std::clamp<int64_t>(block.hi[d] - end, 0, size));
    isWhole &= low.back() == 0 && high.back() == 0;
  }
  if (isWhole)
    return source;
  Location loc = op.getLoc();
  // Of nothing, any block is read.
  if (cast<RankedTensorType>(source.getType()).getNumElements() == 0) {
    SmallVector<int64_t> sizes = getBoxSizes(block);
    for (auto [size, before, after] : llvm::zip_equal(sizes, low, high))
      size -= before + after;
    source = tensor::EmptyOp::create(builder, loc, sizes,
                                     op.getType().getElementType());
  }
  auto pad = tensor::PadOp::create(
      builder, loc, getBlockType(op.getType(), block), source, low, high,
      ValueRange(), ValueRange(), op.getNofold());
  op.getRegion().cloneInto(&pad.getRegion(), mapping);
  // The region counts from where the whole begins.
  OpBuilder::InsertionGuard guard(builder);
  Block &body = pad.getRegion().front();
  builder.setInsertionPointToStart(&body);
  for (auto [argument, lo] : llvm::zip_equal(body.getArguments(), block.lo)) {
    if (lo == 0 || argument.use_empty())
      continue;
    Value first = arith::ConstantIndexOp::create(builder, loc, lo);
    auto sum = arith::AddIOp::create(builder, loc, argument, first);
    argument.replaceAllUsesExcept(sum, sum);
  }
  return pad;
}

/// For each dimension of an op's larger side that of its smaller one, or
/// std::nullopt.
template <typename SliceOp>
static SmallVector<std::optional<size_t>> getKept(SliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<std::optional<size_t>> kept;
  size_t next = 0;
  for (size_t d = 0; d < op.getStaticSizes().size(); ++d)
    kept.push_back(dropped[d] ? std::nullopt : std::optional(next++));
  return kept;
}

/// The offsets of a slice, where those that are known are `known`, and the others
/// `steps` strides further.
static SmallVector<OpFoldResult> getOffsets(OpBuilder &builder,
                                            OffsetSizeAndStrideOpInterface op,
                                            ValueRange operands,
                                            ArrayRef<int64_t> known,
                                            ArrayRef<int64_t> steps) {
  SmallVector<OpFoldResult> offsets = getFolded(builder, known);
  unsigned next = op.getOffsetSizeAndStrideStartOperandIndex();
  for (auto [d, offset] : llvm::enumerate(offsets)) {
    if (!op.isDynamicOffset(d))
      continue;
    Value start = operands[next++];
    if (int64_t further = steps[d] * op.getStaticStride(d))
      start = arith::AddIOp::create(
          builder, op.getLoc(), start,
          arith::ConstantIndexOp::create(builder, op.getLoc(), further));
    offset = start;
  }
  return offsets;
}

static Value emitExtract(OpBuilder &builder, tensor::ExtractSliceOp op,
                         const Box &block, ValueRange operands) {
  SmallVector<int64_t> sizes, steps, zeros(op.getStaticSizes().size(), 0);
  for (std::optional<size_t> kept : getKept(op)) {
    sizes.push_back(kept ? block.hi[*kept] - block.lo[*kept] : 1);
    steps.push_back(kept ? block.lo[*kept] : 0);
  }
  return tensor::ExtractSliceOp::create(
      builder, op.getLoc(), getBlockType(op.getType(), block), operands[0],
      getOffsets(builder, op, operands, zeros, steps),
      getFolded(builder, sizes), getFolded(builder, op.getStaticStrides()));
}

/// The steps of the slice, [first, last) in each dimension, that lie in a block
/// of the result.
static Box getInsertSteps(tensor::InsertSliceOp op, const Box &block) {
  Box steps;
  for (size_t d = 0; d < block.lo.size(); ++d) {
    int64_t size = op.getStaticSize(d);
    if (op.isDynamicOffset(d)) {
      steps.lo.push_back(0);
      steps.hi.push_back(size);
      continue;
    }
    int64_t offset = op.getStaticOffset(d), stride = op.getStaticStride(d);
    auto getStep = [&](int64_t place) {
      return std::clamp<int64_t>(llvm::divideCeilSigned(place - offset, stride),
                                 0, size);
    };
    steps.lo.push_back(getStep(block.lo[d]));
    steps.hi.push_back(getStep(block.hi[d]));
  }
  return steps;
}

static Value emitInsert(OpBuilder &builder, tensor::InsertSliceOp op,
                        const Box &block, const Box &read,
                        ValueRange operands) {
  Value source = operands[0], dest = operands[1];
  Box steps = getInsertSteps(op, block);
  if (steps.isEmpty())
    return dest;
  Box kept;
  for (auto [d, dim] : llvm::enumerate(getKept(op)))
    if (dim) {
      kept.lo.push_back(steps.lo[d]);
      kept.hi.push_back(steps.hi[d]);
    }
  source = emitSlice(builder, op.getLoc(), source, shiftBox(kept, read.lo));
  SmallVector<int64_t> offsets;
  for (size_t d = 0; d < block.lo.size(); ++d)
    offsets.push_back(op.isDynamicOffset(d)
                          ? 0
                          : op.getStaticOffset(d) +
                                steps.lo[d] * op.getStaticStride(d) -
                                block.lo[d]);
  return tensor::InsertSliceOp::create(
      builder, op.getLoc(), source, dest,
      getOffsets(builder, op, operands, offsets, steps.lo),
      getFolded(builder, getBoxSizes(steps)),
      getFolded(builder, op.getStaticStrides()));
}

static Value emitConcat(OpBuilder &builder, tensor::ConcatOp op,
                        ValueRange operands) {
  SmallVector<Value> parts;
  for (Value operand : operands)
    if (cast<RankedTensorType>(operand.getType()).getNumElements() != 0)
      parts.push_back(operand);
  if (parts.size() == 1)
    return parts.front();
  return tensor::ConcatOp::create(builder, op.getLoc(), op.getDim(), parts);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::emitMove(OpBuilder &builder, const BlockOp &block,
                                   const Box &box, ValueRange operands,
                                   IRMapping &mapping) {
  const Box read = getTouched(*block.operands[0], block.extents, box);
  return llvm::TypeSwitch<Operation *, Value>(block.op)
      .Case([&](tensor::CollapseShapeOp op) {
        return emitCollapse(builder, op, box, read, operands[0]);
      })
      .Case([&](tensor::ExpandShapeOp op) {
        return emitExpand(builder, op, box, operands[0]);
      })
      .Case([&](tensor::PadOp op) {
        return emitPad(builder, op, box, operands[0], mapping);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return emitExtract(builder, op, box, operands);
      })
      .Case([&](tensor::InsertSliceOp op) {
        return emitInsert(builder, op, box, read, operands);
      })
      .Case([&](tensor::ConcatOp op) {
        return emitConcat(builder, op, operands);
      })
      .Default([&](Operation *) { return operands[0]; });
}
