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
      getElementTypeOf(getElementTypeOrSelf(typed.getType()));
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
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return fromResource(resource, *type);
  return llvm::createStringError(
      "only scalar, dense and dense_resource constants are read");
}

DenseElementsAttr mlir::tensoraccess::denseElementsFrom(const Tensor &tensor,
                                                        ShapedType type) {
  assert(type.hasStaticShape() && type.getShape() == tensor.getShape() &&
         getElementTypeOf(type.getElementType()) == tensor.getElementType() &&
         "the type must be the tensor's");
  Tensor dense = llvm::cantFail(tensor.toDense());
  int64_t count = dense.getNumElements();
  if (tensor.getElementType() == ElementType::I1) {
    SmallVector<bool> values;
    for (Bit bit : ArrayRef<Bit>(dense.getDataAs<Bit>(), count))
      values.push_back(bit.value);
    return DenseElementsAttr::get(type, ArrayRef<bool>(values));
  }
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(dense.getDataAs<char>(),
                           count * byteSize(tensor.getElementType())));
}
