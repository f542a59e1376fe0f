//===- StablehloIndexed.cpp - Indices known at run time, to linalg --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts of dynamic_slice, dynamic_update_slice and gather are clamped, so that
// the slice lies inside. gather is a linalg.generic that extracts its element;
// scatter is a loop over all updates, in row-major order, that skips those
// outside, by themselves or (kWholeWindows) with their window.
//
//===----------------------------------------------------------------------===//

#include "Lower/AccessChecks.h"
#include "StablehloToLinalg.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// An integer of any width as an index; unsigned ones beyond the greatest index
/// saturate.
static Value toIndex(ImplicitLocOpBuilder &b, Value value, bool isUnsigned) {
  if (isUnsigned && value.getType().isInteger(64))
    value = arith::MinUIOp::create(
        b, value, arith::ConstantOp::create(b, b.getI64IntegerAttr(INT64_MAX)));
  if (isUnsigned)
    return arith::IndexCastUIOp::create(b, b.getIndexType(), value);
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

static Value clampTo(ImplicitLocOpBuilder &b, Value index, Value last) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  index = arith::MaxSIOp::create(b, index, zero);
  return arith::MinSIOp::create(b, index, last);
}

static Value clampTo(ImplicitLocOpBuilder &b, Value index, int64_t last) {
  return clampTo(b, index, arith::ConstantIndexOp::create(b, last).getResult());
}

static bool isIndexType(Type type) {
  return type.isInteger() && type.getIntOrFloatBitWidth() <= 64;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The clamped starts of a slice of these sizes; the scalars are operands
/// `first`, first + 1, ...
static std::optional<SmallVector<OpFoldResult>>
getStarts(HloConversion &c, unsigned first, ArrayRef<int64_t> shape,
          ArrayRef<int64_t> sizes) {
  HloReader reader(c.op, c.why);
  SmallVector<OpFoldResult> starts;
  if (c.op->getNumOperands() != first + shape.size()) {
    c.fail("it must have a start for each dimension");
    return std::nullopt;
  }
  for (auto [i, size] : llvm::enumerate(sizes)) {
    RankedTensorType type = reader.operandType(first + i);
    if (!type.getShape().empty() || !isIndexType(type.getElementType())) {
      c.fail("start " + Twine(i) + " must be an integer");
      return std::nullopt;
    }
    if (size > shape[i]) {
      c.fail("the slice is larger than the tensor");
      return std::nullopt;
    }
    Value start = toIndex(c.b, c.scalar(c.operand(first + i)),
                          type.getElementType().isUnsignedInteger());
    starts.push_back(clampTo(c.b, start, shape[i] - size));
  }
  return starts;
}

static SmallVector<Value> convertDynamicSlice(HloConversion &c) {
  HloReader reader(c.op, c.why);
  if (!reader.hasTensors(-1, 1) || c.op->getNumOperands() == 0)
    return c.fail("it must slice a tensor");
  RankedTensorType type = c.resultType();
  if (!type.hasStaticShape() || !reader.operandType(0).hasStaticShape() ||
      type.getRank() != reader.operandType(0).getRank())
    return c.fail("its shapes must be static and of one rank");
  auto starts = getStarts(c, 1, reader.in(0), type.getShape());
  if (!starts)
    return {};
  SmallVector<OpFoldResult> ones(type.getRank(), c.b.getIndexAttr(1));
  return {tensor::ExtractSliceOp::create(
      c.b, c.operand(0), *starts,
      getAsIndexOpFoldResult(c.b.getContext(), type.getShape()), ones)};
}

static SmallVector<Value> convertDynamicUpdateSlice(HloConversion &c) {
  HloReader reader(c.op, c.why);
  if (!reader.hasTensors(-1, 1) || c.op->getNumOperands() < 2)
    return c.fail("it must update a tensor");
  if (!reader.operandType(0).hasStaticShape() ||
      !reader.operandType(1).hasStaticShape() ||
      reader.in(0).size() != reader.in(1).size())
    return c.fail("its shapes must be static and of one rank");
  auto starts = getStarts(c, 2, reader.in(0), reader.in(1));
  if (!starts)
    return {};
  SmallVector<OpFoldResult> ones(reader.in(0).size(), c.b.getIndexAttr(1));
  return {tensor::InsertSliceOp::create(
      c.b, c.operand(1), c.operand(0), *starts,
      getAsIndexOpFoldResult(c.b.getContext(), reader.in(1)), ones)};
}

/// The first elements of a dimension, their number at run time; an error at run
/// time if it has fewer.
static SmallVector<Value> convertSetDimensionSize(HloConversion &c) {
  auto dim = readHloSetDimensionSize({c.op, c.why});
  if (!dim)
    return {};
  Value source = c.operand(0);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(c.b, c.b.getLoc(), source);
  Type type = getElementTypeOrSelf(c.op->getOperand(1).getType());
  OpFoldResult all = sizes[*dim];
  Value size = toIndex(c.b, c.scalar(c.operand(1)), type.isUnsignedInteger());
  CheckMessage message("size ");
  message << size << " of dimension " + Twine(*dim) + " must be in [0, " << all
          << "]";
  if (failed(createCheck(c.b, c.op, arith::CmpIPredicate::ule, size, all,
                         message)))
    return c.fail("its size is outside of its operand's");
  // Without checks what follows stays inside.
  sizes[*dim] = clampTo(
      c.b, size, getValueOrCreateConstantIndexOp(c.b, c.b.getLoc(), all));
  SmallVector<OpFoldResult> zeros(sizes.size(), c.b.getIndexAttr(0)),
      ones(sizes.size(), c.b.getIndexAttr(1));
  return {tensor::ExtractSliceOp::create(c.b, source, zeros, sizes, ones)};
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// The element of the tensor that an element of the slices meets, before
/// clamping: start(b), and batch + offset apart.
static void getTensorIndex(ImplicitLocOpBuilder &b, const HloSlices &numbers,
                           Value indices, bool isUnsigned, ValueRange slice,
                           SmallVectorImpl<Value> &starts,
                           SmallVectorImpl<Value> &rest) {
  auto type = cast<RankedTensorType>(indices.getType());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  starts.assign(numbers.sizes.size(), Value());
  rest.assign(numbers.sizes.size(), zero);
  for (auto [dim, target] :
       llvm::zip_equal(numbers.window, numbers.windowTargets))
    rest[target] = slice[dim];
  for (auto [dim, from] :
       llvm::zip_equal(numbers.batching, numbers.indicesBatching))
    rest[dim] = slice[numbers.sliceDimOfIndices(from)];
  for (auto [k, target] : llvm::enumerate(numbers.starts)) {
    SmallVector<Value> at;
    for (int64_t i = 0; i < type.getRank(); ++i)
      at.push_back(i == numbers.vectorDim
                       ? arith::ConstantIndexOp::create(b, k).getResult()
                       : slice[numbers.sliceDimOfIndices(i)]);
    Value start = tensor::ExtractOp::create(b, indices, at);
    starts[target] = toIndex(b, start, isUnsigned);
  }
}

static SmallVector<Value> convertGather(HloConversion &c) {
  auto numbers = HloSlices::readGather({c.op, c.why});
  if (!numbers)
    return {};
  HloReader reader(c.op, c.why);
  Type indexType = reader.operandType(1).getElementType();
  if (!isIndexType(indexType))
    return c.fail("its indices must be integers");
  RankedTensorType type = c.resultType();
  if (type.getNumElements() == 0)
    return {c.empty(type)};
  Value tensor = c.operand(0), indices = c.operand(1);
  return {mapPlaces(c.b, c.b.getLoc(), c.empty(type),
                    [&](ImplicitLocOpBuilder &b, ValueRange slice) {
                      SmallVector<Value> starts, at;
                      getTensorIndex(b, *numbers, indices,
                                     indexType.isUnsignedInteger(), slice,
                                     starts, at);
                      for (auto [i, start] : llvm::enumerate(starts)) {
                        if (!start)
                          continue;
                        int64_t last = reader.in(0)[i] - numbers->sizes[i];
                        start = clampTo(b, start, last);
                        at[i] = arith::AddIOp::create(b, start, at[i]);
                      }
                      return tensor::ExtractOp::create(b, tensor, at);
                    })};
}

static SmallVector<Value> convertScatter(HloConversion &c) {
  auto numbers = HloSlices::readScatter({c.op, c.why});
  if (!numbers)
    return {};
  HloReader reader(c.op, c.why);
  unsigned count = numbers->numInputs;
  Type indexType = reader.operandType(count).getElementType();
  if (!isIndexType(indexType))
    return c.fail("its indices must be integers");
  SmallVector<Type> types;
  for (unsigned half : {0u, count + 1})
    for (unsigned i = 0; i < count; ++i) {
      types.push_back(reader.operandType(half + i).getElementType());
      if (types.back() != reader.resultType(i).getElementType())
        return c.fail("it updates in a type other than its operands'");
    }
  Block *body = getHloBody(c.op, 0, types, count, c.why);
  if (!body)
    return {};
  SmallVector<Value> tensors, updates;
  for (unsigned i = 0; i < count; ++i) {
    tensors.push_back(c.operand(i));
    updates.push_back(c.operand(count + 1 + i));
  }
  Value indices = c.operand(count);
  ArrayRef<int64_t> shape = reader.in(count + 1);
  bool ok = true;
  auto update = [&](ImplicitLocOpBuilder &b, ValueRange slice,
                    ValueRange current) {
    SmallVector<Value> starts, at;
    getTensorIndex(b, *numbers, indices, indexType.isUnsignedInteger(), slice,
                   starts, at);
    Value inside;
    for (auto [i, start] : llvm::enumerate(starts)) {
      if (!start)
        continue;
      at[i] = arith::AddIOp::create(b, start, at[i]);
      const int64_t size = reader.in(0)[i];
      // As unsigned numbers, negative indices are too large.
      Value fits = arith::CmpIOp::create(
          b, arith::CmpIPredicate::ult, numbers->areWhole ? start : at[i],
          arith::ConstantIndexOp::create(
              b,
              numbers->areWhole ? numbers->countWholeStarts(i, size) : size));
      inside =
          inside ? arith::AndIOp::create(b, inside, fits).getResult() : fits;
    }
    auto combine = [&](ImplicitLocOpBuilder &b) {
      SmallVector<Value> operands, results, next;
      for (unsigned i = 0; i < count; ++i)
        operands.push_back(tensor::ExtractOp::create(b, current[i], at));
      for (unsigned i = 0; i < count; ++i)
        operands.push_back(tensor::ExtractOp::create(b, updates[i], slice));
      ok = ok && inlineHloBody(b, *body, operands, results, c.why);
      for (unsigned i = 0; i < count; ++i)
        next.push_back(
            ok ? tensor::InsertOp::create(b, results[i], current[i], at)
                     .getResult()
               : current[i]);
      return next;
    };
    return inside ? makeHloIf(b, inside, current, combine) : combine(b);
  };
  SmallVector<Value> results = makeHloLoops(c.b, shape, tensors, update);
  // Where a window goes is known before the loops along it.
  if (auto loops = results.front().getDefiningOp<scf::ForOp>())
    loops->walk([](scf::ForOp loop) { moveLoopInvariantCode(loop); });
  return ok ? results : SmallVector<Value>();
}

void tensoraccess::addHloIndexed(HloConverters &converters) {
  converters["dynamic_slice"] = convertDynamicSlice;
  converters["dynamic_update_slice"] = convertDynamicUpdateSlice;
  converters["gather"] = convertGather;
  converters["set_dimension_size"] = convertSetDimensionSize;
  converters["scatter"] = convertScatter;
}
