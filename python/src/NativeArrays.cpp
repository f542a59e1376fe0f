//===- NativeArrays.cpp - Arrays of Python as tensors, and back -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static llvm::StringRef name(ValueType::Kind kind) {
  switch (kind) {
  case ValueType::Kind::Scalar:
    return "scalar";
  case ValueType::Kind::Tensor:
    return "tensor";
  case ValueType::Kind::MemRef:
    return "memref";
  }
  llvm_unreachable("all kinds are named");
}

std::vector<Parameter> python::describe(ArrayRef<ValueType> types) {
  std::vector<Parameter> result;
  for (const ValueType &type : types) {
    std::string element = type.outerType.empty()
                              ? toString(type.elementType).str()
                              : type.outerType;
    result.emplace_back(
        name(type.kind).str(), element,
        toSizes(ArrayRef(type.shape).drop_back(type.isComplex() ? 1 : 0)));
  }
  return result;
}

ElementType python::parseElementType(llvm::StringRef text) {
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64, ElementType::F16, ElementType::BF16, ElementType::F32,
        ElementType::F64})
    if (toString(type) == text)
      return type;
  throw Error("unknown element type " + text);
}

namespace {
/// What `__array_struct__` holds, as numpy's reference gives it.
struct ArrayInterface {
  int two, rank;
  char kind;
  int itemSize, flags;
  Py_intptr_t *shape, *strides;
  void *data;
};
} // namespace

static const ArrayInterface &readStruct(const nb::object &capsule) {
  auto *info = static_cast<ArrayInterface *>(
      PyCapsule_GetPointer(capsule.ptr(), /*name=*/nullptr));
  if (!info)
    throw nb::python_error();
  return *info;
}

static Tensor viewOf(const ArrayInterface &info, ElementType type) {
  SmallVector<int64_t> strides(info.strides, info.strides + info.rank);
  for (int64_t &stride : strides)
    stride /= info.itemSize;
  return Tensor::wrap(type, {info.shape, size_t(info.rank)}, strides, info.data,
                      /*owner=*/nullptr);
}

Tensor python::viewOf(const Argument &argument) {
  return ::viewOf(readStruct(argument.second.attr("__array_struct__")),
                  parseElementType(argument.first));
}

std::optional<Tensor> python::viewOfStruct(const nb::object &capsule,
                                           ElementType type, bool isWritten) {
  const ArrayInterface &info = readStruct(capsule);
  constexpr int kAligned = 0x100, kNativeOrder = 0x200, kWriteable = 0x400;
  const char kind = type == ElementType::I1 ? 'b' : isFloat(type) ? 'f' : 'i';
  if (info.kind != kind || size_t(info.itemSize) != byteSize(type) ||
      !(info.flags & kAligned) || !(info.flags & kNativeOrder) ||
      (isWritten && !(info.flags & kWriteable)) ||
      llvm::any_of(ArrayRef(info.strides, info.rank),
                   [&](int64_t stride) { return stride % info.itemSize != 0; }))
    return std::nullopt;
  return ::viewOf(info, type);
}

static nb::dlpack::dtype toDtype(ElementType type) {
  auto bits = static_cast<uint8_t>(8 * byteSize(type));
  nb::dlpack::dtype_code code = nb::dlpack::dtype_code::Int;
  if (type == ElementType::I1)
    code = nb::dlpack::dtype_code::Bool;
  else if (type == ElementType::BF16)
    code = nb::dlpack::dtype_code::UInt;
  else if (isFloat(type))
    code = nb::dlpack::dtype_code::Float;
  return {static_cast<uint8_t>(code), bits, 1};
}

/// The capsule holds a view of the tensor.
Result python::toArray(Tensor tensor) {
  ElementType type = tensor.getElementType();
  auto *owned = new Tensor(std::move(tensor));
  nb::capsule owner(owned,
                    [](void *t) noexcept { delete static_cast<Tensor *>(t); });
  SmallVector<size_t> shape(owned->getShape().begin(), owned->getShape().end());
  AnyArray array(owned->getData(), shape.size(), shape.data(), owner,
                 owned->getStrides().data(), toDtype(type));
  return {toString(type).str(), std::move(array)};
}

SmallVector<Tensor> python::viewAll(const std::vector<Argument> &arguments) {
  return llvm::map_to_vector(arguments, viewOf);
}

std::vector<Result> python::toArrays(SmallVector<Tensor> tensors) {
  std::vector<Result> arrays;
  for (Tensor &tensor : tensors)
    arrays.push_back(toArray(std::move(tensor)));
  return arrays;
}

std::vector<Result> python::toArraysOf(
    Session &session, llvm::StringRef fallback,
    llvm::function_ref<FailureOr<SmallVector<Tensor>>()> interpret) {
  SmallVector<Tensor> outputs;
  session.attempt(fallback, [&] {
    FailureOr<SmallVector<Tensor>> results = interpret();
    if (failed(results))
      return false;
    // A result may be a view of an input, which is the caller's.
    for (const Tensor &result : *results)
      outputs.push_back(need(result.clone()));
    return true;
  });
  return toArrays(std::move(outputs));
}
