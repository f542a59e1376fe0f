//===- HloBuilder.cpp - Writing ops of StableHLO --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloBuilder.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SmallVector<NamedAttribute> tensoraccess::getAllAttributes(Operation *op) {
  SmallVector<NamedAttribute> all(op->getAttrs());
  if (!op->isRegistered())
    if (auto inherent =
            dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
      all.append(inherent.begin(), inherent.end());
  return all;
}

/// Records, in a location, that the op there is written in place of another.
static constexpr StringLiteral kInPlaceOf = "tensoraccess.in_place_of ";

static StringRef readOriginalName(Location loc) {
  auto fused = dyn_cast<FusedLocWith<StringAttr>>(loc);
  StringRef name = fused ? fused.getMetadata().getValue() : StringRef();
  return name.consume_front(kInPlaceOf) ? name : StringRef();
}

Location tensoraccess::locateInPlaceOf(Operation *op) {
  if (!readOriginalName(op->getLoc()).empty())
    return op->getLoc();
  MLIRContext *context = op->getContext();
  return FusedLoc::get(
      context, op->getLoc(),
      StringAttr::get(context, kInPlaceOf + op->getName().getStringRef()));
}

StringRef tensoraccess::getOriginalName(Operation *op) {
  StringRef name = readOriginalName(op->getLoc());
  return name.empty() ? op->getName().getStringRef() : name;
}

void tensoraccess::replaceBehind(Value value, Value other) {
  Operation *last = other.getDefiningOp();
  value.replaceUsesWithIf(other, [&](OpOperand &use) {
    return use.getOwner()->getBlock() != last->getBlock() ||
           last->isBeforeInBlock(use.getOwner());
  });
}

Operation *HloBuilder::create(StringRef name, TypeRange types,
                              ValueRange operands,
                              ArrayRef<NamedAttribute> attributes) {
  OperationState state(b.getLoc(), name);
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(attributes);
  return b.create(state);
}

Value HloBuilder::compare(StringRef direction, Value x, Value y) {
  Type type = cast<RankedTensorType>(x.getType()).clone(b.getI1Type());
  return one("stablehlo.compare", type, {x, y},
             ownAttribute("comparison_direction",
                          "comparison_direction " + direction));
}

Value HloBuilder::constant(Type type, double value) {
  auto tensor = cast<RankedTensorType>(type);
  if (auto complex = dyn_cast<ComplexType>(tensor.getElementType())) {
    Type part = tensor.clone(complex.getElementType());
    return one("stablehlo.complex", type,
               {constant(part, value), constant(part, 0)});
  }
  Attribute number = b.getFloatAttr(tensor.getElementType(), value);
  return constant(DenseElementsAttr::get(tensor, number));
}

Value HloBuilder::copySign(Value x, Value y) {
  // The sign of a zero is that of what it divides.
  Value zero = like(x, 0), one = like(x, 1);
  Value isNegative =
      compare("LT", select(compare("EQ", y, zero), div(one, y), y), zero);
  Value size = abs(x);
  return select(isNegative, neg(size), size);
}

Value HloBuilder::convert(Value x, Type element) {
  auto type = cast<RankedTensorType>(x.getType());
  if (type.getElementType() == element)
    return x;
  return one("stablehlo.convert", type.clone(element), x);
}

Value HloBuilder::integer(Type type, uint64_t bits) {
  auto tensor = cast<RankedTensorType>(type);
  auto element = cast<IntegerType>(tensor.getElementType());
  return constant(DenseElementsAttr::get(
      tensor, APInt(element.getWidth(), bits, /*isSigned=*/false,
                    /*implicitTrunc=*/true)));
}

Value HloBuilder::bitcast(Value x, Type element) {
  RankedTensorType type = getTensorType(x);
  if (type.getElementType() == element)
    return x;
  return one("stablehlo.bitcast_convert", type.clone(element), x);
}

Value HloBuilder::iota(RankedTensorType type, int64_t dim) {
  return one("stablehlo.iota", type, {},
             attribute("iota_dimension", b.getI64IntegerAttr(dim)));
}

Value HloBuilder::broadcast(Value x, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> dims) {
  return one("stablehlo.broadcast_in_dim", getTensorType(x).clone(shape), x,
             integers("broadcast_dimensions", dims));
}

Value HloBuilder::transpose(Value x, ArrayRef<int64_t> permutation) {
  RankedTensorType type = getTensorType(x);
  return one("stablehlo.transpose",
             type.clone(applyPermutation(type.getShape(), permutation)), x,
             integers("permutation", permutation));
}

Value HloBuilder::slice(Value x, ArrayRef<int64_t> starts,
                        ArrayRef<int64_t> limits) {
  SmallVector<int64_t> shape, strides(starts.size(), 1);
  for (auto [start, limit] : llvm::zip(starts, limits))
    shape.push_back(limit - start);
  return one("stablehlo.slice",
             cast<RankedTensorType>(x.getType()).clone(shape), x,
             {integers("start_indices", starts),
              integers("limit_indices", limits), integers("strides", strides)});
}

Value HloBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  return one("stablehlo.reshape",
             cast<RankedTensorType>(x.getType()).clone(shape), x);
}

Value HloBuilder::concatenate(ValueRange values, int64_t dim) {
  auto type = cast<RankedTensorType>(values.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += cast<RankedTensorType>(value.getType()).getDimSize(dim);
  return one("stablehlo.concatenate", type.clone(shape), values,
             attribute("dimension", b.getI64IntegerAttr(dim)));
}
