//===- NativeStrided.h - What strided and linear layouts share --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVESTRIDED_H
#define TENSORACCESS_PYTHON_NATIVESTRIDED_H

#include "NativeValues.h"
#include "TensorAccess/Core/StridedLayout.h"

namespace mlir::tensoraccess::python {

inline bool isInteger(nb::handle value) {
  return PyIndex_Check(value.ptr()) && !PySequence_Check(value.ptr());
}

inline int64_t readInteger(nb::handle value, const std::string &what) {
  nb::list one;
  one.append(value);
  return readIntegers(one, what).front();
}

/// What `call`, which takes the place of an error, gives.
template <typename Call>
auto orThrow(Call call) {
  std::string error;
  auto result = call(error);
  if (!result)
    throw Error(error);
  return std::move(*result);
}

/// A layout, its text, or a number n for n:1.
StridedLayout readLayout(nb::handle value);

/// Linear layouts, and exchanges through banks.
void bindLinearLayouts(nb::module_ &m);

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_NATIVESTRIDED_H
