//===- NativeExecutable.cpp - Compiled functions for Python ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a compiled function on arrays where they lie:
//
//   1. the wrapper describes each argument as (element type, address, shape,
//      strides in elements) and keeps it alive during the call;
//   2. the function runs without the GIL;
//   3. each result becomes an array over the function's own buffer, which a
//      capsule keeps alive.
//
// bf16 has no type in the array interchange: it leaves as 16-bit integers,
// which the wrapper views as what they are.
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "TensorAccess/Execution/Jit.h"

#include <nanobind/ndarray.h>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
/// (element type, address, shape, strides in elements) of an array.
using Argument = std::tuple<std::string, uintptr_t, std::vector<int64_t>,
                            std::vector<int64_t>>;
/// (kind, element type, shape with None for dynamic sizes) of a parameter.
using Parameter =
    std::tuple<std::string, std::string, std::vector<std::optional<int64_t>>>;
/// A result: (element type, its array).
using Result = std::pair<std::string, nb::ndarray<nb::numpy>>;

class NativeExecutable {
public:
  explicit NativeExecutable(CompiledFunction function)
      : function(std::move(function)) {}

  std::vector<Parameter> getInputs() const {
    return describe(function.getInputTypes());
  }
  std::vector<Parameter> getResults() const {
    return describe(function.getResultTypes());
  }
  std::vector<Result> call(const std::vector<Argument> &arguments) const;

private:
  static std::vector<Parameter> describe(ArrayRef<ValueType> types);

  CompiledFunction function;
};
} // namespace

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

std::vector<Parameter> NativeExecutable::describe(ArrayRef<ValueType> types) {
  std::vector<Parameter> result;
  for (const ValueType &type : types) {
    std::vector<std::optional<int64_t>> shape;
    for (int64_t size : type.shape)
      shape.push_back(size == kDynamicSize ? std::nullopt
                                           : std::optional<int64_t>(size));
    result.emplace_back(name(type.kind).str(), toString(type.elementType).str(),
                        std::move(shape));
  }
  return result;
}

static ElementType parseElementType(llvm::StringRef text) {
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64, ElementType::F16, ElementType::BF16, ElementType::F32,
        ElementType::F64})
    if (toString(type) == text)
      return type;
  throw Error("unknown element type " + text);
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

/// An array over the tensor's memory; the capsule holds a view of it.
static Result toArray(Tensor tensor) {
  ElementType type = tensor.getElementType();
  auto *owned = new Tensor(std::move(tensor));
  nb::capsule owner(owned,
                    [](void *t) noexcept { delete static_cast<Tensor *>(t); });
  SmallVector<size_t> shape(owned->getShape().begin(), owned->getShape().end());
  nb::ndarray<nb::numpy> array(owned->getData(), shape.size(), shape.data(),
                               owner, owned->getStrides().data(),
                               toDtype(type));
  return {toString(type).str(), std::move(array)};
}

std::vector<Result>
NativeExecutable::call(const std::vector<Argument> &arguments) const {
  SmallVector<Tensor> inputs;
  for (const auto &[type, address, shape, strides] : arguments)
    inputs.push_back(Tensor::wrap(parseElementType(type), shape, strides,
                                  reinterpret_cast<void *>(address),
                                  /*owner=*/nullptr));
  SmallVector<Tensor> outputs;
  {
    nb::gil_scoped_release release;
    llvm::Expected<SmallVector<Tensor>> result = function.call(inputs);
    if (!result)
      throw Error(llvm::toString(result.takeError()));
    outputs = std::move(*result);
  }
  std::vector<Result> arrays;
  for (Tensor &tensor : outputs)
    arrays.push_back(toArray(std::move(tensor)));
  return arrays;
}

static std::shared_ptr<NativeExecutable>
compile(NativeModule &self, std::string_view entry, unsigned optLevel) {
  nb::gil_scoped_release release;
  std::vector<Message> messages;
  std::shared_ptr<NativeExecutable> result;
  self.getSession().run(messages, [&] {
    JitOptions options;
    options.optLevel = optLevel;
    FailureOr<CompiledFunction> function =
        CompiledFunction::compile(self.getOp(), toRef(entry), options);
    if (succeeded(function))
      result = std::make_shared<NativeExecutable>(std::move(*function));
  });
  if (!result)
    throw Error(joinErrors(messages, "the function cannot be compiled"));
  return result;
}

void python::bindExecutable(nb::module_ &m) {
  nb::class_<NativeExecutable>(m, "NativeExecutable",
                               "Machine code; see tensoraccess.Executable.")
      .def_prop_ro("inputs", &NativeExecutable::getInputs)
      .def_prop_ro("results", &NativeExecutable::getResults)
      .def("call", &NativeExecutable::call, nb::arg("arguments"));
  m.def("compile", &compile, nb::arg("module"), nb::arg("entry"),
        nb::arg("opt_level"));
}
