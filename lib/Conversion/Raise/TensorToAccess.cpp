//===- TensorToAccess.cpp - Ops of tensor become access patterns ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement of whole tensors, mostly by the op's nest: pad, slices out of and into
// tensors, concatenation, reshapes, linalg's pack and unpack; then softmax, and
// ops of arith and math on tensors, element by element. Offsets, sizes and
// paddings must be known at compile time, since attributes hold them.
//
// insert_slice has no access op: along each dimension that the slice does not
// fill, the result is what the destination holds before it, the slice, and what
// it holds after it, one after the other.
//
//===----------------------------------------------------------------------===//

#include "LinalgBody.h"
#include "RaiseNest.h"
#include "RaiseReaders.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The constant that a scalar is, null if none exists.
static TypedAttr constantOf(Value scalar) {
  Attribute constant;
  if (!scalar || !matchPattern(scalar, m_Constant(&constant)))
    return {};
  return dyn_cast<TypedAttr>(constant);
}

static bool anyDynamic(ArrayRef<int64_t> values) {
  return llvm::any_of(values, ShapedType::isDynamic);
}

static SmallVector<int64_t> shapeOf(Value tensor) {
  return SmallVector<int64_t>(cast<ShapedType>(tensor.getType()).getShape());
}

//===----------------------------------------------------------------------===//
// pad, slices, concatenation
//===----------------------------------------------------------------------===//

static Value raisePad(RaiseBuilder &builder, tensor::PadOp op) {
  if (anyDynamic(op.getStaticLow()) || anyDynamic(op.getStaticHigh()))
    return builder.fail("its padding is known only at run time");
  TypedAttr value = constantOf(op.getConstantPaddingValue());
  if (!value)
    return builder.fail("it does not pad by one constant");
  return raiseMove(builder, op, value);
}

static bool isStaticSlice(OffsetSizeAndStrideOpInterface op) {
  return !anyDynamic(op.getStaticOffsets()) &&
         !anyDynamic(op.getStaticSizes()) && !anyDynamic(op.getStaticStrides());
}

static Value raiseExtractSlice(RaiseBuilder &builder,
                               tensor::ExtractSliceOp op) {
  if (!isStaticSlice(op))
    return builder.fail("its slice is known only at run time");
  return raiseMove(builder, op);
}

static Value raiseInsertSlice(RaiseBuilder &builder, tensor::InsertSliceOp op) {
  if (!isStaticSlice(op) || !op.getDestType().hasStaticShape())
    return builder.fail("its slice is known only at run time");
  for (auto [dim, stride] : llvm::enumerate(op.getStaticStrides()))
    if (stride != 1 && op.getStaticSizes()[dim] != 1)
      return builder.fail("it writes dimension " + Twine(dim) +
                          " with stride " + Twine(stride));
  Value destination = builder.accessAll(op.getDest());
  Value result =
      builder.reshape(builder.accessAll(op.getSource()), op.getStaticSizes());
  SmallVector<int64_t> shape = shapeOf(op.getDest());
  // What the result covers so far, from the last dimension on.
  SmallVector<int64_t> offsets(op.getStaticOffsets());
  SmallVector<int64_t> sizes(op.getStaticSizes());
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    int64_t begin = offsets[dim], size = sizes[dim];
    SmallVector<Value> parts;
    auto addPart = [&](int64_t from, int64_t to) {
      offsets[dim] = from;
      sizes[dim] = to - from;
      if (to > from)
        parts.push_back(builder.slice(destination, offsets, sizes));
    };
    addPart(0, begin);
    parts.push_back(result);
    addPart(begin + size, shape[dim]);
    result = builder.concat(parts, dim);
    offsets[dim] = 0;
    sizes[dim] = shape[dim];
  }
  return result;
}

static Value raiseConcat(RaiseBuilder &builder, tensor::ConcatOp op) {
  SmallVector<Value> patterns;
  for (Value input : op.getInputs())
    patterns.push_back(builder.accessAll(input));
  return builder.concat(patterns, op.getDim());
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static Value raiseReshape(RaiseBuilder &builder, Value source, Type result) {
  auto type = dyn_cast<RankedTensorType>(result);
  if (!type)
    return builder.fail("its result has no rank");
  return builder.reshape(builder.accessAll(source), type.getShape());
}

static Value raiseSplat(RaiseBuilder &builder, tensor::SplatOp op) {
  LoopNest nest = LoopNest::parallelOver(op.getType().getShape());
  Value scalar;
  if (TypedAttr constant = constantOf(op.getInput()))
    scalar = builder.constant(constant);
  else
    scalar = builder.scalar(op.getInput());
  return builder.movement(nest, LoopOperand{scalar, {}});
}

template <typename PackOp>
static Value raisePack(RaiseBuilder &builder, PackOp op) {
  if (!op.hasPureTensorSemantics())
    return builder.fail("it works on buffers");
  if (anyDynamic(shapeOf(op.getSource())) || anyDynamic(shapeOf(op.getDest())))
    return builder.fail("its tiles are known only at run time");
  TypedAttr padding;
  if constexpr (std::is_same_v<PackOp, linalg::PackOp>)
    padding = constantOf(op.getPaddingValue());
  return raiseMove(builder, op, padding);
}

//===----------------------------------------------------------------------===//
// softmax, ops on whole tensors
//===----------------------------------------------------------------------===//

static Value raiseSoftmax(RaiseBuilder &builder, linalg::SoftmaxOp op) {
  if (!op.hasPureTensorSemantics())
    return builder.fail("it works on buffers");
  return builder.softmax(op.getInput(),
                         {static_cast<int64_t>(op.getDimension())});
}

std::optional<RaisedKind>
mlir::tensoraccess::raiseTensorOp(RaiseBuilder &builder, Operation *op,
                                  SmallVectorImpl<Value> &results) {
  RaisedKind kind = RaisedKind::Movement;
  Value pattern =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](tensor::PadOp op) { return raisePad(builder, op); })
          .Case([&](tensor::ExtractSliceOp op) {
            return raiseExtractSlice(builder, op);
          })
          .Case([&](tensor::InsertSliceOp op) {
            return raiseInsertSlice(builder, op);
          })
          .Case([&](tensor::ConcatOp op) { return raiseConcat(builder, op); })
          .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([&](auto op) {
            return raiseReshape(builder, op.getSrc(), op.getType());
          })
          .Case([&](tensor::ReshapeOp op) {
            return raiseReshape(builder, op.getSource(), op.getType());
          })
          .Case([&](tensor::SplatOp op) { return raiseSplat(builder, op); })
          .Case<linalg::PackOp, linalg::UnPackOp>(
              [&](auto op) { return raisePack(builder, op); })
          .Case([&](linalg::SoftmaxOp op) {
            kind = RaisedKind::Softmax;
            return raiseSoftmax(builder, op);
          })
          .Default([&](Operation *) {
            return builder.fail("no access pattern says what it does");
          });
  if (!pattern)
    return std::nullopt;
  results.push_back(builder.toTensor(pattern, op->getResult(0).getType()));
  return kind;
}

std::optional<RaisedKind>
mlir::tensoraccess::raiseMappedOp(RaiseBuilder &builder, Operation *op,
                                  SmallVectorImpl<Value> &results) {
  SmallVector<Value> patterns;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      return builder.refuse("an operand is not a tensor");
    patterns.push_back(builder.accessAll(operand));
  }
  Value pattern = op->getNumResults() == 1
                      ? raiseScalarOp(builder, op, patterns)
                      : builder.fail("it has more than one result");
  if (!pattern)
    return std::nullopt;
  results.push_back(builder.toTensor(pattern, op->getResult(0).getType()));
  return RaisedKind::Elementwise;
}
