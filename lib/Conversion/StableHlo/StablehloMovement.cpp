//===- StablehloMovement.cpp - Elementwise ops and movement to linalg -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops are one linalg.generic each, whose body is that of
// StablehloScalars.cpp. Movement is a slice, an insertion, a reshape, or a
// linalg.generic that reads through an affine map.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Transforms/Loops.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static SmallVector<OpFoldResult> getIndices(HloConversion &c,
                                            ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(c.b.getContext(), values);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// The op's nest with a body on the operands' elements.
static SmallVector<Value> emitMap(HloConversion &c, HloLoopBody body) {
  if (c.op->getNumOperands() == 0)
    return c.fail("it has no operands");
  return emitHloNest(c, SmallVector<Value>(c.op->getNumOperands()),
                     c.resultType().getElementType(), {},
                     [&](ImplicitLocOpBuilder &b, ValueRange args,
                         SmallVectorImpl<Value> &results) {
                       return body(b, args.drop_back(), results);
                     });
}

/// Operands of one shape; scalars where StableHLO allows them (the condition of
/// a select, the bounds of a clamp).
static SmallVector<Value> convertElementwise(HloConversion &c) {
  HloReader reader(c.op, c.why);
  if (!reader.hasTensors(-1, 1))
    return {};
  StringRef name = getHloName(c.op);
  for (unsigned i = 0; i < c.op->getNumOperands(); ++i) {
    const bool mayBeScalar =
        (name == "select" && i == 0) || (name == "clamp" && i != 1);
    if (!(mayBeScalar && reader.in(i).empty()) &&
        !agree(reader.in(i), reader.out()))
      return c.fail("operand " + Twine(i) + " has another shape");
  }
  return emitMap(c, [&](ImplicitLocOpBuilder &b, ValueRange args,
                        SmallVectorImpl<Value> &results) {
    Value value = emitHloScalar(b, c.op, args, c.why);
    if (value)
      results.push_back(value);
    return bool(value);
  });
}

/// map: a body of the user's, on operands of one shape.
static SmallVector<Value> convertMap(HloConversion &c) {
  HloReader reader(c.op, c.why);
  if (!reader.hasTensors(-1, 1))
    return {};
  SmallVector<Type> types;
  for (unsigned i = 0; i < c.op->getNumOperands(); ++i) {
    if (!agree(reader.in(i), reader.out()))
      return c.fail("operand " + Twine(i) + " has another shape");
    types.push_back(reader.operandType(i).getElementType());
  }
  Block *body = types.empty() ? nullptr : getHloBody(c.op, 0, types, 1, c.why);
  if (!body)
    return c.fail("it has no operands");
  return emitMap(c, [&](ImplicitLocOpBuilder &b, ValueRange args,
                        SmallVectorImpl<Value> &results) {
    return inlineHloBody(b, *body, args, results, c.why);
  });
}

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

static SmallVector<Value> convertConstant(HloConversion &c) {
  auto value = c.op->getAttrOfType<ElementsAttr>("value");
  if (!value || c.op->getNumOperands() != 0 || c.op->getNumResults() != 1)
    return c.fail("it must have a value");
  Type type = value.getType();
  if (type != getSignless(type)) {
    auto dense = dyn_cast<DenseElementsAttr>(value);
    if (!dense)
      return c.fail("its value must be dense");
    value = dense.bitcast(cast<ShapedType>(getSignless(type)).getElementType());
  }
  return {arith::ConstantOp::create(c.b, cast<TypedAttr>(value))};
}

static SmallVector<Value> convertIota(HloConversion &c) {
  HloReader reader(c.op, c.why);
  auto dim = reader.integer("iota_dimension", -1);
  if (!reader.hasTensors(0, 1) || !dim || *dim < 0 ||
      *dim >= int64_t(reader.out().size()) ||
      !reader.resultType().hasStaticShape())
    return c.fail("it must count along a dimension of a static shape");
  Type from = c.b.getI64Type(), to = reader.resultType().getElementType();
  if (!isa<FloatType, IntegerType>(to))
    return c.fail("its element type is neither a float nor an integer");
  return {mapInto(c.b, c.b.getLoc(), {}, c.empty(c.resultType()),
                  [&](ImplicitLocOpBuilder &b, ValueRange) {
                    Value at = linalg::IndexOp::create(b, *dim);
                    at = arith::IndexCastOp::create(b, from, at);
                    return emitHloConvert(b, at, from, to);
                  })};
}

SmallVector<Value> tensoraccess::convertHloMove(HloConversion &c) {
  Value background;
  NestRef nest = getNest(OpSignature(c.op));
  for (const NestRead &read : nest->reads)
    if (!read.outside.empty())
      background = c.scalar(c.operand(read.value));
  // Elements may all stay.
  if (nest->hasLoops() && nest->reads.size() == 1 &&
      ArrayRef(nest->reads[0].index) == nest->getAxes() &&
      ArrayRef(nest->writes[0].index) == nest->getAxes() &&
      c.operand(0).getType() == c.resultType())
    return {c.operand(0)};
  return emitHloNest(c, background, c.resultType().getElementType(), {},
                     [](ImplicitLocOpBuilder &, ValueRange args,
                        SmallVectorImpl<Value> &results) {
                       results.push_back(args[0]);
                       return true;
                     });
}

/// The same, if `read` finds the op well-formed.
template <auto read>
static SmallVector<Value> convertMove(HloConversion &c) {
  return read({c.op, c.why}) ? convertHloMove(c) : SmallVector<Value>();
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

static SmallVector<Value> convertReshape(HloConversion &c) {
  HloReader reader(c.op, c.why);
  if (!reader.hasTensors(1, 1))
    return {};
  if (!reader.operandType(0).hasStaticShape() ||
      !reader.resultType().hasStaticShape())
    return c.fail("its shapes are not static");
  if (reader.operandType(0).getNumElements() !=
      reader.resultType().getNumElements())
    return c.fail("it must keep the number of elements");
  return {reshapeTensor(c.b, c.b.getLoc(), c.operand(0), reader.out())};
}

static SmallVector<Value> convertSlice(HloConversion &c) {
  auto slice = HloSlice::read({c.op, c.why});
  if (!slice)
    return {};
  HloReader reader(c.op, c.why);
  SmallVector<int64_t> sizes;
  for (auto [start, limit, stride] :
       llvm::zip_equal(slice->starts, slice->limits, slice->strides))
    sizes.push_back((limit - start + stride - 1) / stride);
  // Upstream refuses an empty slice that starts at the end.
  if (llvm::is_contained(sizes, 0))
    return {
        c.empty(cast<RankedTensorType>(c.operand(0).getType()).clone(sizes))};
  return {tensor::ExtractSliceOp::create(
      c.b, c.operand(0), getIndices(c, slice->starts), getIndices(c, sizes),
      getIndices(c, slice->strides))};
}

Value tensoraccess::padHlo(HloConversion &c, Value tensor, Value element,
                           ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                           ArrayRef<int64_t> interior) {
  auto isZero = [](int64_t n) { return n == 0; };
  auto isNegative = [](int64_t n) { return n < 0; };
  auto from = cast<RankedTensorType>(tensor.getType());
  bool isPlain = llvm::all_of(interior, isZero) &&
                 llvm::none_of(low, isNegative) &&
                 llvm::none_of(high, isNegative);
  if (isPlain && llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return tensor;
  SmallVector<int64_t> shape, firsts, counts, offsets, strides;
  bool isEmpty = false;
  for (int64_t i = 0; i < from.getRank(); ++i) {
    int64_t size = from.getDimSize(i), step = interior[i] + 1;
    shape.push_back(
        HloWindowDim{size, 0, 1, 1, 1, step, low[i], high[i]}.paddedSize());
    // Element x lands at low + x * step, inside for first <= x <= last.
    int64_t first = std::max<int64_t>(0, llvm::divideCeilSigned(-low[i], step));
    int64_t last = std::min<int64_t>(
        size - 1, llvm::divideFloorSigned(shape[i] - 1 - low[i], step));
    firsts.push_back(first);
    counts.push_back(last - first + 1);
    offsets.push_back(low[i] + first * step);
    strides.push_back(step);
    isEmpty |= counts.back() <= 0;
  }
  RankedTensorType type = from.clone(shape);
  if (isPlain)
    return tensor::PadOp::create(c.b, type, tensor, getIndices(c, low),
                                 getIndices(c, high), element);
  Value result = c.filled(type, element);
  if (isEmpty)
    return result;
  SmallVector<int64_t> ones(shape.size(), 1);
  if (counts != from.getShape())
    tensor = tensor::ExtractSliceOp::create(c.b, tensor, getIndices(c, firsts),
                                            getIndices(c, counts),
                                            getIndices(c, ones));
  return tensor::InsertSliceOp::create(
      c.b, tensor, result, getIndices(c, offsets), getIndices(c, counts),
      getIndices(c, strides));
}

static SmallVector<Value> convertPad(HloConversion &c) {
  auto pad = HloPad::read({c.op, c.why});
  if (!pad)
    return {};
  Value source = c.operand(0), element = c.scalar(c.operand(1));
  if (cast<ShapedType>(source.getType()).hasStaticShape())
    return {padHlo(c, source, element, pad->low, pad->high, pad->interior)};
  auto isNegative = [](int64_t n) { return n < 0; };
  if (llvm::any_of(pad->interior, [](int64_t n) { return n != 0; }) ||
      llvm::any_of(pad->low, isNegative) || llvm::any_of(pad->high, isNegative))
    return c.fail("its shapes are not static");
  return {tensor::PadOp::create(c.b, c.resultType(), source,
                                getIndices(c, pad->low),
                                getIndices(c, pad->high), element)};
}

static SmallVector<Value> convertConcatenate(HloConversion &c) {
  auto axis = readHloConcatenate({c.op, c.why});
  if (!axis)
    return {};
  RankedTensorType type = c.resultType();
  SmallVector<int64_t> offsets(type.getRank(), 0), ones(type.getRank(), 1);
  if (!type.hasStaticShape())
    return c.fail("its shapes are not static");
  Value result = c.empty(type);
  for (Value part : c.operands()) {
    auto partType = cast<RankedTensorType>(part.getType());
    if (!partType.hasStaticShape())
      return c.fail("its shapes are not static");
    // Upstream refuses what is empty and starts at the end.
    if (partType.getNumElements() == 0)
      continue;
    result = tensor::InsertSliceOp::create(
        c.b, part, result, getIndices(c, offsets),
        getIndices(c, partType.getShape()), getIndices(c, ones));
    offsets[*axis] += partType.getDimSize(*axis);
  }
  return {result};
}

/// The size of a dimension, as a number.
static SmallVector<Value> convertGetDimensionSize(HloConversion &c) {
  HloReader reader(c.op, c.why);
  auto dim = reader.integer("dimension", -1);
  if (!reader.hasTensors(1, 1) || !dim || *dim < 0 ||
      *dim >= int64_t(reader.in(0).size()) || !reader.out().empty() ||
      !isa<IntegerType>(c.resultType().getElementType()))
    return c.fail("it must ask for the size of a dimension");
  Value size = tensor::DimOp::create(c.b, c.operand(0), *dim);
  size = arith::IndexCastOp::create(c.b, c.resultType().getElementType(), size);
  return {tensor::FromElementsOp::create(c.b, c.resultType(), size)};
}

static SmallVector<Value> convertBarrier(HloConversion &c) {
  return c.operands();
}

void tensoraccess::addHloElementwise(HloConverters &converters) {
  for (const HloTraits &op : getAllHloTraits())
    if (op.arity > 0)
      converters[op.name] = convertElementwise;
  converters["map"] = convertMap;
}

void tensoraccess::addHloMovement(HloConverters &converters) {
  converters["constant"] = convertConstant;
  converters["iota"] = convertIota;
  converters["broadcast_in_dim"] = convertMove<readHloBroadcast>;
  converters["reshape"] = convertReshape;
  converters["transpose"] = convertMove<readHloTranspose>;
  converters["reverse"] = convertMove<readHloReverse>;
  converters["slice"] = convertSlice;
  converters["pad"] = convertPad;
  converters["concatenate"] = convertConcatenate;
  converters["get_dimension_size"] = convertGetDimensionSize;
  converters["optimization_barrier"] = convertBarrier;
}
