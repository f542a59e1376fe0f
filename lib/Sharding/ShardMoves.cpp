//===- ShardMoves.cpp - Blocks of ops that move elements ------------------===//
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
//===----------------------------------------------------------------------===//

#include "ShardMoves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static SmallVector<OpFoldResult> getFolded(OpBuilder &builder,
                                           ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

static bool areKnown(ArrayRef<int64_t> numbers) {
  return llvm::none_of(numbers, ShapedType::isDynamic);
}

template <typename SliceOp>
static bool isKnownSlice(SliceOp op) {
  return areKnown(op.getStaticOffsets()) && areKnown(op.getStaticSizes()) &&
         areKnown(op.getStaticStrides()) &&
         llvm::all_of(op.getStaticStrides(),
                      [](int64_t stride) { return stride > 0; });
}

bool mlir::tensoraccess::isMove(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ConcatOp,
            tensor::CastOp>([](auto) { return true; })
      .Case<tensor::PadOp>([](tensor::PadOp pad) {
        auto isBorder = [](int64_t size) { return size >= 0; };
        return areKnown(pad.getStaticLow()) && areKnown(pad.getStaticHigh()) &&
               llvm::all_of(pad.getStaticLow(), isBorder) &&
               llvm::all_of(pad.getStaticHigh(), isBorder);
      })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp>(
          [](auto slice) { return isKnownSlice(slice); })
      .Default([](Operation *) { return false; });
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The least box of such a form (see the top) of dimensions of these sizes that
/// holds the elements [lo, hi) of their row-major order; lo < hi.
static Box coverRange(int64_t lo, int64_t hi, ArrayRef<int64_t> sizes) {
  int64_t inner = 1;
  for (int64_t size : sizes)
    inner *= size;
  Box box = getWholeBox(sizes);
  for (auto [d, size] : llvm::enumerate(sizes)) {
    inner /= size;
    box.lo[d] = lo / inner;
    box.hi[d] = (hi - 1) / inner + 1;
    if (box.hi[d] - box.lo[d] != 1)
      break;
    lo -= box.lo[d] * inner;
    hi -= box.lo[d] * inner;
  }
  return box;
}

/// The least box of such a form that holds a box.
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

/// Where a box of such a form lies in row-major order.
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

/// The source's block of a collapse; in order of its dimensions, as the groups.
static Box getCollapseBlock(tensor::CollapseShapeOp op, const Box &block) {
  if (op.getReassociationIndices().empty())
    return getOnePlace(op.getSrcType());
  Box source;
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices()))
    appendBox(source, coverRange(block.lo[d], block.hi[d],
                                 takeSizes(op.getSrcType(), group)));
  return source;
}

static Value emitCollapse(OpBuilder &builder, tensor::CollapseShapeOp op,
                          const Box &block, Value source) {
  Box cover = getCollapseBlock(op, block);
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

static Box getExpandBlock(tensor::ExpandShapeOp op, const Box &block) {
  Box cover = getExpandCover(op, block), source;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    auto [lo, hi] =
        getRange(takeDims(cover, group), takeSizes(op.getType(), group));
    source.lo.push_back(lo);
    source.hi.push_back(hi);
  }
  return source;
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

static Box getPadBlock(tensor::PadOp op, const Box &block) {
  Box source;
  for (auto [d, low] : llvm::enumerate(op.getStaticLow())) {
    int64_t size = op.getSourceType().getDimSize(d);
    source.lo.push_back(std::clamp<int64_t>(block.lo[d] - low, 0, size));
    source.hi.push_back(std::clamp<int64_t>(block.hi[d] - low, 0, size));
  }
  return source;
}

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

/// For each dimension of an op's larger side that of its smaller one, or none.
template <typename SliceOp>
static SmallVector<std::optional<size_t>> getKept(SliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<std::optional<size_t>> kept;
  size_t next = 0;
  for (size_t d = 0; d < op.getStaticSizes().size(); ++d)
    kept.push_back(dropped[d] ? std::nullopt : std::optional(next++));
  return kept;
}

static Box getExtractBlock(tensor::ExtractSliceOp op, const Box &block) {
  Box source;
  for (auto [d, kept] : llvm::enumerate(getKept(op))) {
    int64_t offset = op.getStaticOffset(d), stride = op.getStaticStride(d);
    int64_t lo = kept ? block.lo[*kept] : 0, hi = kept ? block.hi[*kept] : 1;
    source.lo.push_back(offset + lo * stride);
    source.hi.push_back(offset + (hi - 1) * stride + 1);
  }
  return source;
}

static Value emitExtract(OpBuilder &builder, tensor::ExtractSliceOp op,
                         const Box &block, Value source) {
  SmallVector<int64_t> sizes, zeros(op.getStaticSizes().size(), 0);
  for (std::optional<size_t> kept : getKept(op))
    sizes.push_back(kept ? block.hi[*kept] - block.lo[*kept] : 1);
  return tensor::ExtractSliceOp::create(
      builder, op.getLoc(), getBlockType(op.getType(), block), source,
      getFolded(builder, zeros), getFolded(builder, sizes),
      getFolded(builder, op.getStaticStrides()));
}

/// The steps of the slice, [first, last) in each dimension, that lie in a block
/// of the result.
static Box getInsertSteps(tensor::InsertSliceOp op, const Box &block) {
  Box steps;
  for (size_t d = 0; d < block.lo.size(); ++d) {
    int64_t offset = op.getStaticOffset(d), stride = op.getStaticStride(d);
    int64_t size = op.getStaticSize(d);
    auto getStep = [&](int64_t place) {
      return std::clamp<int64_t>(llvm::divideCeilSigned(place - offset, stride),
                                 0, size);
    };
    steps.lo.push_back(getStep(block.lo[d]));
    steps.hi.push_back(getStep(block.hi[d]));
  }
  return steps;
}

static Box getInsertBlock(tensor::InsertSliceOp op, unsigned operand,
                          const Box &block) {
  if (operand == 1)
    return block;
  Box steps = getInsertSteps(op, block), source;
  bool isEmpty = steps.isEmpty();
  for (auto [d, kept] : llvm::enumerate(getKept(op)))
    if (kept) {
      source.lo.push_back(isEmpty ? 0 : steps.lo[d]);
      source.hi.push_back(isEmpty ? 0 : steps.hi[d]);
    }
  // A slice of rank 0 has no empty box; it is read, and not written.
  return source;
}

static Value emitInsert(OpBuilder &builder, tensor::InsertSliceOp op,
                        const Box &block, Value source, Value dest) {
  Box steps = getInsertSteps(op, block);
  if (steps.isEmpty())
    return dest;
  SmallVector<int64_t> offsets;
  for (size_t d = 0; d < block.lo.size(); ++d)
    offsets.push_back(op.getStaticOffset(d) +
                      steps.lo[d] * op.getStaticStride(d) - block.lo[d]);
  return tensor::InsertSliceOp::create(
      builder, op.getLoc(), source, dest, getFolded(builder, offsets),
      getFolded(builder, getSizes(steps)),
      getFolded(builder, op.getStaticStrides()));
}

/// Where the block of an operand of a concatenation lies in it.
static Box getConcatBlock(tensor::ConcatOp op, unsigned operand,
                          const Box &block) {
  auto getSize = [&](unsigned i) {
    return cast<RankedTensorType>(op.getInputs()[i].getType())
        .getDimSize(op.getDim());
  };
  int64_t first = 0;
  for (unsigned i = 0; i < operand; ++i)
    first += getSize(i);
  Box source = block;
  int64_t &lo = source.lo[op.getDim()], &hi = source.hi[op.getDim()];
  lo = std::clamp<int64_t>(lo - first, 0, getSize(operand));
  hi = std::clamp<int64_t>(hi - first, 0, getSize(operand));
  return source;
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

Box mlir::tensoraccess::getMoveBlock(OpOperand &operand, const Box &block) {
  unsigned number = operand.getOperandNumber();
  return llvm::TypeSwitch<Operation *, Box>(operand.getOwner())
      .Case([&](tensor::CollapseShapeOp op) {
        return getCollapseBlock(op, block);
      })
      .Case([&](tensor::ExpandShapeOp op) { return getExpandBlock(op, block); })
      .Case([&](tensor::PadOp op) { return getPadBlock(op, block); })
      .Case(
          [&](tensor::ExtractSliceOp op) { return getExtractBlock(op, block); })
      .Case([&](tensor::InsertSliceOp op) {
        return getInsertBlock(op, number, block);
      })
      .Case([&](tensor::ConcatOp op) {
        return getConcatBlock(op, number, block);
      })
      .Default([&](Operation *) { return block; });
}

Value mlir::tensoraccess::emitMove(OpBuilder &builder, Operation *op,
                                   const Box &block, ValueRange operands,
                                   IRMapping &mapping) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tensor::CollapseShapeOp op) {
        return emitCollapse(builder, op, block, operands[0]);
      })
      .Case([&](tensor::ExpandShapeOp op) {
        return emitExpand(builder, op, block, operands[0]);
      })
      .Case([&](tensor::PadOp op) {
        return emitPad(builder, op, block, operands[0], mapping);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return emitExtract(builder, op, block, operands[0]);
      })
      .Case([&](tensor::InsertSliceOp op) {
        return emitInsert(builder, op, block, operands[0], operands[1]);
      })
      .Case([&](tensor::ConcatOp op) {
        return emitConcat(builder, op, operands);
      })
      .Default([&](Operation *) { return operands[0]; });
}
