//===- Constants.cpp - MLIR's types and constants as reference tensors ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Evaluate.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<ElementType> mlir::tensoraccess::getElementTypeOf(Type type) {
  if (type.isIndex())
    return ElementType::I64;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (!type.isInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementType::I1;
  case 8:
    return ElementType::I8;
  case 16:
    return ElementType::I16;
  case 32:
    return ElementType::I32;
  case 64:
    return ElementType::I64;
  default:
    return std::nullopt;
  }
}

std::optional<ElementType> mlir::tensoraccess::getHeldTypeOf(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  const unsigned width = integer ? integer.getWidth() : 0;
  if (width <= 1 || width > 64)
    return getElementTypeOf(type);
  return width <= 8    ? ElementType::I8
         : width <= 16 ? ElementType::I16
         : width <= 32 ? ElementType::I32
                       : ElementType::I64;
}

/// Whether tensors hold more bits than values of the type have.
static bool isHeldWider(Type type) {
  return !getElementTypeOf(type) && getHeldTypeOf(type);
}

llvm::Expected<Tensor> mlir::tensoraccess::wrapElements(const Tensor &tensor,
                                                        Type type,
                                                        bool isUnsigned) {
  assert(getHeldTypeOf(type) == tensor.getElementType() &&
         "the tensor must hold the type");
  if (!isHeldWider(type))
    return tensor;
  llvm::Expected<Tensor> result = tensor.clone();
  if (!result)
    return result;
  const unsigned width = type.getIntOrFloatBitWidth();
  forEachIndex(result->getShape(), [&](ArrayRef<int64_t> index) {
    const APInt bits = APInt(64, result->getInt(index)).trunc(width);
    result->setInt(index,
                   isUnsigned ? bits.getZExtValue() : bits.getSExtValue());
  });
  return result;
}

/// Dense elements, or one element that stands for all.
static llvm::Expected<Tensor> fromDense(DenseElementsAttr dense,
                                        ElementType type) {
  ArrayRef<int64_t> shape = dense.getType().getShape();
  bool splat = dense.isSplat();
  llvm::Expected<Tensor> tensor =
      Tensor::create(type, splat ? ArrayRef<int64_t>() : shape);
  if (!tensor)
    return tensor;
  if (type == ElementType::I1) {
    if (splat)
      *tensor->getDataAs<Bit>() = Bit(dense.getSplatValue<bool>());
    else
      for (auto [i, value] : llvm::enumerate(dense.getValues<bool>()))
        tensor->getDataAs<Bit>()[i] = Bit(value);
  } else if (isHeldWider(dense.getElementType())) {
    Tensor flat = tensor->restride({tensor->getNumElements()}, {1});
    if (splat)
      flat.setInt({0}, dense.getSplatValue<APInt>().getSExtValue());
    else
      for (auto [i, value] : llvm::enumerate(dense.getValues<APInt>()))
        flat.setInt({static_cast<int64_t>(i)}, value.getSExtValue());
  } else if (ArrayRef<char> raw = dense.getRawData(); !raw.empty()) {
    std::memcpy(tensor->getData(), raw.data(),
                tensor->getNumElements() * byteSize(type));
  }
  if (!splat)
    return tensor;
  return tensor->restride(shape, SmallVector<int64_t>(shape.size(), 0));
}

/// The bytes of a resource, which must be as many as the type needs.
static llvm::Expected<Tensor> fromResource(DenseResourceElementsAttr resource,
                                           ElementType type) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return llvm::createStringError(
        "resource '" + resource.getRawHandle().getKey() + "' holds no data");
  llvm::Expected<Tensor> tensor =
      Tensor::create(type, resource.getType().getShape());
  if (!tensor)
    return tensor;
  size_t needed = tensor->getNumElements() * byteSize(type);
  if (blob->getData().size() != needed)
    return llvm::createStringError(
        "resource '" + resource.getRawHandle().getKey() + "' must hold " +
        Twine(needed) + " bytes, got " + Twine(blob->getData().size()));
  if (needed)
    std::memcpy(tensor->getData(), blob->getData().data(), needed);
  return tensor;
}

llvm::Expected<Tensor>
mlir::tensoraccess::tensorFromAttribute(Attribute attribute) {
  auto typed = dyn_cast_or_null<TypedAttr>(attribute);
  if (!typed)
    return llvm::createStringError("the constant has no type");
  std::optional<ElementType> type =
      getHeldTypeOf(getElementTypeOrSelf(typed.getType()));
  if (!type) {
    std::string text;
    llvm::raw_string_ostream(text) << getElementTypeOrSelf(typed.getType());
    return llvm::createStringError("tensors don't hold elements of type " +
                                   text);
  }
  if (auto value = dyn_cast<FloatAttr>(attribute))
    return Tensor::scalar(*type, value.getValueAsDouble());
  if (auto value = dyn_cast<IntegerAttr>(attribute))
    return Tensor::scalarInt(*type, value.getValue().getSExtValue());
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return fromDense(dense, *type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    if (isHeldWider(resource.getType().getElementType()))
      return llvm::createStringError(
          "resources of integers that are not bytes have no fixed form; write "
          "them as dense elements");
    return fromResource(resource, *type);
  }
  return llvm::createStringError(
      "only scalar, dense and dense_resource constants are read");
}

DenseElementsAttr mlir::tensoraccess::denseElementsFrom(const Tensor &tensor,
                                                        ShapedType type) {
  assert(type.hasStaticShape() && type.getShape() == tensor.getShape() &&
         getHeldTypeOf(type.getElementType()) == tensor.getElementType() &&
         "the type must be the tensor's");
  Tensor dense = llvm::cantFail(tensor.toDense());
  int64_t count = dense.getNumElements();
  if (tensor.getElementType() == ElementType::I1) {
    SmallVector<bool> values;
    for (Bit bit : ArrayRef<Bit>(dense.getDataAs<Bit>(), count))
      values.push_back(bit.value);
    return DenseElementsAttr::get(type, ArrayRef<bool>(values));
  }
  if (isHeldWider(type.getElementType())) {
    const unsigned width = type.getElementTypeBitWidth();
    SmallVector<APInt> values;
    forEachIndex(dense.getShape(), [&](ArrayRef<int64_t> index) {
      values.push_back(APInt(64, dense.getInt(index)).trunc(width));
    });
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(dense.getDataAs<char>(),
                           count * byteSize(tensor.getElementType())));
}
