//===- GlensideBuilder.cpp - Values of Glenside programs as MLIR ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op is inferred, created and verified, so that errors are at the place of
// the cause; then it gets the place of the term.
//
//===----------------------------------------------------------------------===//

#include "GlensideBuilder.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

StringRef glenside::describe(TermValue::Kind kind) {
  switch (kind) {
  case TermValue::None:
    return "nothing";
  case TermValue::Word:
    return "a word";
  case TermValue::Number:
    return "a number";
  case TermValue::Decimal:
    return "a decimal number";
  case TermValue::Literal:
    return "a literal";
  case TermValue::Tensor:
    return "a tensor";
  case TermValue::Pattern:
    return "an access pattern";
  case TermValue::Shape:
    return "a shape";
  case TermValue::List:
    return "a list";
  case TermValue::AccessShape:
    return "an access shape";
  case TermValue::Tuple:
    return "a tuple";
  }
  llvm_unreachable("unknown kind of term");
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value TermBuilder::op(StringRef name, ValueRange operands,
                      ArrayRef<NamedAttribute> attributes, Type type) {
  if (!llvm::all_of(operands, [](Value v) { return static_cast<bool>(v); }))
    return {};
  Value result = createChecked(b, blamed, name, operands, attributes, type);
  if (result)
    result.getDefiningOp()->setLoc(loc);
  return result;
}

NamedAttribute TermBuilder::numbers(StringRef name, ArrayRef<int64_t> values) {
  return b.getNamedAttr(name, b.getDenseI64ArrayAttr(values));
}

NamedAttribute TermBuilder::number(StringRef name, int64_t value) {
  return b.getNamedAttr(name, b.getI64IntegerAttr(value));
}

Value TermBuilder::access(Value tensor, int64_t axis) {
  return op("access", tensor, number("axis", axis));
}

Value TermBuilder::toTensor(Value pattern) { return op("to_tensor", pattern); }

Value TermBuilder::split(Value pattern, int64_t axis) {
  if (!pattern || splitOf(pattern) == axis)
    return pattern;
  return access(toTensor(pattern), axis);
}

Value TermBuilder::transpose(Value pattern, ArrayRef<int64_t> perm) {
  if (!pattern || llvm::equal(perm, llvm::seq<int64_t>(0, rankOf(pattern))))
    return pattern;
  return op("transpose", pattern, numbers("perm", perm));
}

Value TermBuilder::slice(Value pattern, int64_t axis, int64_t low,
                         int64_t high) {
  if (!pattern)
    return {};
  SmallVector<int64_t> sizes = shapeOf(pattern), offsets(sizes.size(), 0);
  if (axis < 0 || axis >= static_cast<int64_t>(sizes.size())) {
    error() << "axis must be in [0, " << sizes.size() << "), got " << axis;
    return {};
  }
  if (low < 0 || low > high || high > sizes[axis]) {
    error() << "a slice of axis " << axis << " of size " << sizes[axis]
            << " must have 0 <= low <= high <= size, got [" << low << ", "
            << high << ")";
    return {};
  }
  offsets[axis] = low;
  sizes[axis] = high - low;
  return op("slice", pattern,
            {numbers("offsets", offsets), numbers("sizes", sizes)});
}

Value TermBuilder::concat(ValueRange patterns, int64_t axis) {
  return op("concat", patterns, number("axis", axis));
}

Value TermBuilder::insertAxis(Value pattern, int64_t axis) {
  return op("insert_axis", pattern, number("axis", axis));
}

Value TermBuilder::squeeze(Value pattern, int64_t axis) {
  return op("squeeze", pattern, number("axis", axis));
}

Value TermBuilder::pad(Value pattern, ArrayRef<int64_t> low,
                       ArrayRef<int64_t> high, TypedAttr value) {
  return op("pad", pattern,
            {numbers("low", low), numbers("high", high),
             b.getNamedAttr("value", value)});
}

Value TermBuilder::windows(Value pattern, ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> strides) {
  return op("windows", pattern,
            {numbers("shape", shape), numbers("strides", strides)});
}

Value TermBuilder::broadcast(Value pattern, ArrayRef<int64_t> shape) {
  if (!pattern || shapeOf(pattern) == shape)
    return pattern;
  AccessType type = typeOf(pattern);
  if (static_cast<int64_t>(shape.size()) != type.getRank()) {
    error() << "broadcasting keeps the number of dimensions, " << type.getRank()
            << ", got a shape of " << shape.size();
    return {};
  }
  Type result = AccessType::getChecked([&] { return error(); }, b.getContext(),
                                       shape.take_front(type.getAccessRank()),
                                       shape.drop_front(type.getAccessRank()),
                                       type.getElementType());
  return result ? op("broadcast", pattern, {}, result) : Value();
}

Value TermBuilder::reshape(Value pattern, ArrayRef<int64_t> accessShape,
                           ArrayRef<int64_t> computeShape) {
  if (!pattern)
    return {};
  Type result = AccessType::getChecked([&] { return error(); }, b.getContext(),
                                       accessShape, computeShape,
                                       typeOf(pattern).getElementType());
  return result ? op("reshape", pattern, {}, result) : Value();
}

Value TermBuilder::compute(ComputeKind kind, Value pattern) {
  return op("compute", pattern,
            b.getNamedAttr("kind", ComputeKindAttr::get(b.getContext(), kind)));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TypedAttr TermBuilder::constant(Type element, int64_t value) {
  if (isa<FloatType>(element))
    return b.getFloatAttr(element, static_cast<double>(value));
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  if (llvm::isIntN(width, value) || (width == 1 && value == 1))
    return b.getIntegerAttr(element, value);
  error() << "elements of type " << element << " cannot hold " << value;
  return {};
}

TypedAttr TermBuilder::constant(Type element, double value) {
  if (isa<FloatType>(element))
    return b.getFloatAttr(element, value);
  // 2^63 and what is not a number are not integers.
  if (value == std::floor(value) && std::abs(value) < 0x1p63)
    return constant(element, static_cast<int64_t>(value));
  error() << "elements of type " << element << " cannot hold " << value;
  return {};
}

TypedAttr TermBuilder::constant(Type element, const TermValue &number) {
  return number.isInteger ? constant(element, number.number)
                          : constant(element, number.decimal);
}

TypedAttr TermBuilder::least(Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    return b.getFloatAttr(type, APFloat::getLargest(type.getFloatSemantics(),
                                                    /*Negative=*/true));
  return b.getIntegerAttr(
      element, APInt::getSignedMinValue(
                   element.isIndex() ? 64 : element.getIntOrFloatBitWidth()));
}

Value TermBuilder::splat(ArrayRef<int64_t> shape, TypedAttr value) {
  if (!value)
    return {};
  auto type = RankedTensorType::get(shape, value.getType());
  auto constantOp = arith::ConstantOp::create(
      b, loc,
      cast<TypedAttr>(cast<Attribute>(
          DenseElementsAttr::get(type, ArrayRef<Attribute>(value)))));
  return access(constantOp, shape.size());
}
