//===- NativeArrays.h - Arrays of Python as tensors, and back ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wrapper describes an array as (element type, address, shape, strides in
// elements) and keeps it alive. bf16 has no type in the array interchange: it
// leaves as 16-bit integers, which the wrapper views as what they are.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVEARRAYS_H
#define TENSORACCESS_PYTHON_NATIVEARRAYS_H

#include "Native.h"
#include "Session.h"
#include "TensorAccess/Execution/Jit.h"

#include <nanobind/ndarray.h>

namespace mlir::tensoraccess::python {

/// numpy's array of any element type, whose signatures say so.
struct AnyArray : nb::ndarray<nb::numpy> {
  using ndarray::ndarray;
};

/// An element type and an array of numpy's with elements of it.
using Argument = std::pair<std::string, nb::object>;
/// (kind, element type, shape with None for dynamic sizes) of a parameter.
using Parameter =
    std::tuple<std::string, std::string, std::vector<std::optional<int64_t>>>;
/// A result: (element type, its array).
using Result = std::pair<std::string, AnyArray>;

/// The element type by MLIR's name. Throws Error.
ElementType parseElementType(llvm::StringRef text);

/// A view of an array's memory, which the caller keeps alive. With the GIL.
Tensor viewOf(const Argument &argument);

/// The same of what `__array_struct__` gives, where elements are of this type and can
/// be read in place, or also written; its capsule must stay alive.
std::optional<Tensor> viewOfStruct(const nb::object &capsule, ElementType type,
                                   bool isWritten);

/// An array over the tensor's memory; the array keeps a view of it.
Result toArray(Tensor tensor);

/// The same for all.
SmallVector<Tensor> viewAll(const std::vector<Argument> &arguments);
std::vector<Result> toArrays(SmallVector<Tensor> tensors);

/// Copies of the results of `interpret`, which works in the session. Throws its
/// errors, or `fallback`.
std::vector<Result>
toArraysOf(Session &session, llvm::StringRef fallback,
           llvm::function_ref<FailureOr<SmallVector<Tensor>>()> interpret);

/// What a function takes or gives, place by place.
std::vector<Parameter> describe(ArrayRef<ValueType> types);

} // namespace mlir::tensoraccess::python

namespace nanobind::detail {

template <>
struct type_caster<mlir::tensoraccess::python::AnyArray> {
  using Value = mlir::tensoraccess::python::AnyArray;
  static constexpr auto Name = const_name("numpy.typing.NDArray[typing.Any]");
  template <typename T>
  using Cast = movable_cast_t<T>;
  static handle from_cpp(const Value &array, rv_policy policy,
                         cleanup_list *cleanup) noexcept {
    return make_caster<ndarray<numpy>>::from_cpp(array, policy, cleanup);
  }
};

} // namespace nanobind::detail

#endif // TENSORACCESS_PYTHON_NATIVEARRAYS_H
