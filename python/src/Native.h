//===- Native.h - What the files of the native module share -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python values are thin: each holds a value of Core, or an operation and the
// session it lives in. Nothing is computed here.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVE_H
#define TENSORACCESS_PYTHON_NATIVE_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace mlir::tensoraccess::python {
namespace nb = nanobind;

/// Arrives in Python as `tensoraccess.Error`, a ValueError.
struct Error : std::runtime_error {
  explicit Error(const llvm::Twine &message)
      : std::runtime_error(message.str()) {}
};

inline llvm::StringRef toRef(std::string_view s) {
  return {s.data(), s.size()};
}

/// Two lines that show where in a text, as compilers do.
std::string pointAt(llvm::StringRef text, size_t offset);

void bindCoalescing(nb::module_ &m);
void bindIndexingMap(nb::module_ &m);
void bindIndexing(nb::module_ &m);
void bindLayouts(nb::module_ &m);
void bindMemory(nb::module_ &m);
void bindModule(nb::module_ &m);
void bindExecutable(nb::module_ &m);
void bindTile(nb::module_ &m);

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_NATIVE_H
