//===- ExpandArrays.cpp - Blocked arrays as loops over blocks -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For activations <B, A | K>, weights <B | K x N> and an array of R x C:
//
//   for b in B, for n in 0, C, ... N:
//     sum = 0
//     for k in 0, R, ... K:
//       sum = sum + systolic_array activations[b, A | k .. k + R],
//                                  weights[b | k .. k + R, n .. n + C]
//     result[b, A, n .. n + C] = sum
//
// K and N are filled up with zeros to whole blocks first, and the columns that
// are too many are cut off. The partial sums are added in the order of the op,
// in the type of sums: for floats below f32 the arrays accumulate in f32, and
// the finished sums of a block of columns are rounded.
//
// Where the accumulators hold fewer items than A has, A is flattened, and there
// is a loop over pieces of it between those over n and k, with what is left
// over after it: no item enters the array that is not there.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "TensorAccess/Transforms/SaturationPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXPANDARRAYS
#include "TensorAccess/Transforms/SaturationPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Writes one op out.
class ArrayExpander {
public:
  ArrayExpander(RewriterBase &b, SystolicArrayOp op, int64_t accumulators)
      : b(b), op(op), loc(op.getLoc()),
        element(op.getActivations().getType().getElementType()),
        sumElement(getSumType(op.getType().getElementType())),
        resultElement(op.getType().getElementType()),
        points(op.getActivations().getType().getAccessShape()),
        batch(op.getWeights().getType().getAccessRank()), rows(op.getRows()),
        cols(op.getCols()), accumulators(accumulators) {}

  Value run();

private:
  /// A pattern as a tensor, its last dimensions filled up with zeros to
  /// multiples of `blocks`.
  Value realise(TypedValue<AccessType> pattern, ArrayRef<int64_t> blocks);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  /// A loop from 0 to `size` that carries one tensor.
  Value loop(int64_t size, int64_t step, Value initial,
             llvm::function_ref<Value(Value, Value)> body);
  Value zeros(ArrayRef<int64_t> shape);
  Value access(Value tensor, int64_t axis) {
    return AccessOp::create(b, loc, tensor, axis);
  }
  /// The dimensions of an item that are not the batch's.
  ArrayRef<int64_t> getFree() const {
    return ArrayRef(points).drop_front(batch);
  }
  /// The items as one dimension, if the accumulators don't hold all of them.
  /// Returns how the dimensions are grouped then.
  SmallVector<ReassociationIndices> flattenItems();
  /// The sums of one block of columns, of items of shape `free` from `item` on
  /// in the first dimension.
  Value sumBlock(ArrayRef<Value> place, Value column, OpFoldResult item,
                 ArrayRef<int64_t> free);
  /// All items, a piece after the other.
  Value sumPieces(ArrayRef<Value> place, Value column, Value result);
  Value loopOverBatch(SmallVector<Value> &place, Value result);

  RewriterBase &b;
  SystolicArrayOp op;
  Location loc;
  /// Of what is multiplied, of sums, and of the result.
  Type element, sumElement, resultElement;
  SmallVector<int64_t> points;
  int64_t batch, rows, cols, accumulators;
  Value activations, weights;
};

} // namespace

Value ArrayExpander::realise(TypedValue<AccessType> pattern,
                             ArrayRef<int64_t> blocks) {
  AccessType type = pattern.getType();
  SmallVector<int64_t> shape(type.getShape()), low(shape.size(), 0),
      high(shape.size(), 0);
  bool isPadded = false;
  for (auto [i, block] : llvm::enumerate(blocks)) {
    const size_t dim = shape.size() - blocks.size() + i;
    high[dim] = (block - shape[dim] % block) % block;
    isPadded |= high[dim] != 0;
  }
  Value value = pattern;
  if (isPadded)
    value = PadOp::create(b, loc, value, low, high,
                          cast<TypedAttr>(b.getZeroAttr(element)));
  return ToTensorOp::create(b, loc, value);
}

Value ArrayExpander::loop(int64_t size, int64_t step, Value initial,
                          llvm::function_ref<Value(Value, Value)> body) {
  if (size == step)
    return body(index(0), initial);
  auto loop = scf::ForOp::create(b, loc, index(0), index(size), index(step),
                                 ValueRange{initial});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value next = body(loop.getInductionVar(), loop.getRegionIterArgs().front());
  scf::YieldOp::create(b, loc, next);
  return loop.getResult(0);
}

Value ArrayExpander::zeros(ArrayRef<int64_t> shape) {
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(sumElement)));
  Value empty = tensor::EmptyOp::create(b, loc, shape, sumElement);
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

SmallVector<ReassociationIndices> ArrayExpander::flattenItems() {
  const int64_t items = *elementCount(getFree());
  SmallVector<ReassociationIndices> groups;
  if (accumulators == 0 || items <= accumulators) {
    accumulators = 0;
    return groups;
  }
  if (getFree().size() == 1)
    return groups;
  const auto rank = static_cast<int64_t>(points.size()) + 1;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim <= batch || dim + 1 == rank)
      groups.push_back({dim});
    else
      groups.back().push_back(dim);
  activations = tensor::CollapseShapeOp::create(b, loc, activations, groups);
  points.truncate(batch);
  points.push_back(items);
  return groups;
}

Value ArrayExpander::sumBlock(ArrayRef<Value> place, Value column,
                              OpFoldResult item, ArrayRef<int64_t> free) {
  auto all = cast<RankedTensorType>(activations.getType());
  const int64_t depth = all.getShape().back();
  SmallVector<int64_t> sums(free);
  sums.push_back(cols);
  auto one = b.getIndexAttr(1);
  return loop(depth, rows, zeros(sums), [&](Value row, Value sum) -> Value {
    // activations[b, .., row .. row + rows]
    SmallVector<OpFoldResult> offsets(place.begin(), place.end()),
        sizes(batch, one);
    for (auto [i, size] : llvm::enumerate(free)) {
      offsets.push_back(i == 0 ? item : b.getIndexAttr(0));
      sizes.push_back(b.getIndexAttr(size));
    }
    offsets.push_back(row);
    sizes.push_back(b.getIndexAttr(rows));
    SmallVector<OpFoldResult> ones(offsets.size(), one);
    SmallVector<int64_t> shape(free);
    shape.push_back(rows);
    Value items = tensor::ExtractSliceOp::create(
        b, loc, RankedTensorType::get(shape, element), activations, offsets,
        sizes, ones);
    // weights[b, row .. row + rows, column .. column + cols]
    offsets.assign(place.begin(), place.end());
    sizes.assign(batch, one);
    llvm::append_values(offsets, OpFoldResult(row), OpFoldResult(column));
    llvm::append_values(sizes, OpFoldResult(b.getIndexAttr(rows)),
                        OpFoldResult(b.getIndexAttr(cols)));
    ones.assign(offsets.size(), one);
    Value held = tensor::ExtractSliceOp::create(
        b, loc, RankedTensorType::get({rows, cols}, element), weights, offsets,
        sizes, ones);
    Value partial = SystolicArrayOp::create(
        b, loc, access(items, free.size()), access(held, 0),
        b.getI64IntegerAttr(rows), b.getI64IntegerAttr(cols), UnitAttr(),
        sumElement == element ? TypeAttr() : TypeAttr::get(sumElement));
    Value both = PairOp::create(b, loc, access(sum, sums.size()), partial);
    Value added = ComputeOp::create(b, loc, ComputeKind::ElementwiseAdd, both);
    return ToTensorOp::create(b, loc, added);
  });
}

Value ArrayExpander::loopOverBatch(SmallVector<Value> &place, Value result) {
  if (static_cast<int64_t>(place.size()) < batch)
    return loop(points[place.size()], 1, result, [&](Value i, Value carried) {
      place.push_back(i);
      Value next = loopOverBatch(place, carried);
      place.pop_back();
      return next;
    });
  const int64_t width =
      cast<RankedTensorType>(weights.getType()).getShape().back();
  return loop(width, cols, result, [&](Value column, Value carried) {
    return sumPieces(place, column, carried);
  });
}

Value ArrayExpander::sumPieces(ArrayRef<Value> place, Value column,
                               Value result) {
  auto write = [&](Value carried, OpFoldResult item, ArrayRef<int64_t> free) {
    Value sums = sumBlock(place, column, item, free);
    if (resultElement != sumElement)
      sums = arith::TruncFOp::create(
          b, loc, cast<RankedTensorType>(sums.getType()).clone(resultElement),
          sums);
    auto one = b.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets(place.begin(), place.end()),
        sizes(batch, one);
    for (auto [i, size] : llvm::enumerate(free)) {
      offsets.push_back(i == 0 ? item : b.getIndexAttr(0));
      sizes.push_back(b.getIndexAttr(size));
    }
    offsets.push_back(column);
    sizes.push_back(b.getIndexAttr(cols));
    SmallVector<OpFoldResult> ones(offsets.size(), one);
    Value inserted = tensor::InsertSliceOp::create(b, loc, sums, carried,
                                                   offsets, sizes, ones);
    return inserted;
  };
  if (accumulators == 0)
    return write(result, b.getIndexAttr(0), getFree());
  const int64_t items = getFree().front(), rest = items % accumulators;
  result =
      loop(items - rest, accumulators, result, [&](Value item, Value carried) {
        return write(carried, item, accumulators);
      });
  return rest == 0 ? result : write(result, b.getIndexAttr(items - rest), rest);
}

Value ArrayExpander::run() {
  activations = realise(op.getActivations(), {rows});
  weights = realise(op.getWeights(), {rows, cols});
  const SmallVector<int64_t> itemShape(points);
  SmallVector<ReassociationIndices> groups = flattenItems();
  SmallVector<int64_t> shape(points);
  const int64_t width =
                    cast<RankedTensorType>(weights.getType()).getShape().back(),
                wanted = op.getType().getShape().back();
  shape.push_back(width);
  SmallVector<Value> place;
  Value result = loopOverBatch(
      place, tensor::EmptyOp::create(b, loc, shape, resultElement));
  if (!groups.empty()) {
    shape = itemShape;
    shape.push_back(width);
    result = tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get(shape, resultElement), result, groups);
  }
  Value pattern = access(result, shape.size());
  if (width != wanted) {
    SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape);
    sizes.back() = wanted;
    pattern = SliceOp::create(b, loc, pattern, b.getDenseI64ArrayAttr(offsets),
                              b.getDenseI64ArrayAttr(sizes),
                              DenseI64ArrayAttr(), OutOfBoundsAttr());
  }
  return pattern;
}

std::optional<std::string>
mlir::tensoraccess::findBlockFault(SystolicArrayOp op) {
  AccessType activations = op.getActivations().getType(),
             weights = op.getWeights().getType();
  if (!activations.hasStaticShape() || !weights.hasStaticShape())
    return std::nullopt;
  auto fill = [](int64_t size, int64_t block) -> std::optional<int64_t> {
    return size == 0 ? size : checkedMul((size - 1) / block + 1, block);
  };
  const int64_t k = weights.getComputeShape()[0],
                n = weights.getComputeShape()[1];
  std::optional<int64_t> depth = fill(k, op.getRows()),
                         width = fill(n, op.getCols());
  auto fits = [](ArrayRef<int64_t> around,
                 ArrayRef<std::optional<int64_t>> sizes) {
    std::optional<int64_t> product = elementCount(around);
    for (std::optional<int64_t> size : sizes)
      product = checkedMul(product, size);
    return product.has_value();
  };
  if (fits(weights.getAccessShape(), {depth, width}) &&
      fits(activations.getAccessShape(), {depth}) &&
      fits(activations.getAccessShape(), {width}))
    return std::nullopt;
  return ("a product of depth " + Twine(k) + " and width " + Twine(n) +
          ", filled up to blocks of " + Twine(op.getRows()) + "x" +
          Twine(op.getCols()) + ", has more than 2^63 - 1 elements")
      .str();
}

FailureOr<Value> mlir::tensoraccess::expandBlockedArray(RewriterBase &rewriter,
                                                        SystolicArrayOp op,
                                                        int64_t accumulators) {
  if (!op.getBlocked())
    return rewriter.notifyMatchFailure(op, "it is one block");
  AccessType activations = op.getActivations().getType();
  if (!activations.hasStaticShape() ||
      !op.getWeights().getType().hasStaticShape())
    return rewriter.notifyMatchFailure(op, "its shape is dynamic");
  if (op.getActivations().getType().getNumElements().value_or(0) == 0 ||
      op.getWeights().getType().getNumElements().value_or(0) == 0)
    return rewriter.notifyMatchFailure(op, "it has no products");
  if (std::optional<std::string> fault = findBlockFault(op))
    return rewriter.notifyMatchFailure(op, *fault);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Value result = ArrayExpander(rewriter, op, accumulators).run();
  rewriter.replaceOp(op, result);
  return result;
}

namespace {
struct ExpandArraysPass
    : public tensoraccess::impl::ExpandArraysBase<ExpandArraysPass> {
  using ExpandArraysBase::ExpandArraysBase;

  void runOnOperation() override {
    SystolicArray form;
    form.accumulators = accumulators;
    if (std::optional<std::string> problem = form.verify()) {
      getOperation()->emitError(*problem);
      return signalPassFailure();
    }
    SmallVector<SystolicArrayOp> ops;
    getOperation()->walk([&](SystolicArrayOp op) {
      if (op.getBlocked())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (SystolicArrayOp op : ops)
      if (std::optional<std::string> fault = findBlockFault(op)) {
        op.emitError(*fault);
        return signalPassFailure();
      }
    for (SystolicArrayOp op : ops)
      numExpanded += succeeded(expandBlockedArray(rewriter, op, accumulators));
  }
};
} // namespace
