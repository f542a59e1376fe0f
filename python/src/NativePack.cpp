//===- NativePack.cpp - Moving arrays between layouts, for Python ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Execution's relayouts by address; tensoraccess/_layout.py knows numpy, and
// what keeps the memory alive.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/LayoutRecipe.h"
#include "TensorAccess/Execution/Relayout.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static Relayout between(const Layout &source, const Layout &target,
                        const Integers &permutation) {
  std::string error;
  return need(Relayout::get(source, target, permutation, error), error);
}

static Relayout fromStrides(const Integers &shape, const Integers &strides,
                            const Layout &target) {
  need(target.shape, target);
  std::string error;
  return need(Relayout::getStrided(shape, strides, *target.elementType, target,
                                   {}, error),
              error);
}

/// The strides in elements of the logical array in a buffer, if it has such.
static std::optional<llvm::SmallVector<int64_t>>
getViewStrides(const Layout &layout) {
  std::string reason;
  std::optional<SymbolicStrides> form = toSymbolicStrides(layout, reason);
  if (!form || layout.getElements().value_or(0) == 0)
    return std::nullopt;
  return toNumbers(form->strides);
}

/// `owners` keeps the memory alive, also if nothing waits for the end.
static void run(const Relayout &self, uintptr_t source, int64_t sourceBytes,
                uintptr_t target, int64_t targetBytes, nb::handle owners) {
  ReleaseGil release;
  check(self.run(reinterpret_cast<const void *>(source), sourceBytes,
                 reinterpret_cast<void *>(target), targetBytes));
}

void python::bindPack(nb::module_ &m) {
  nb::class_<Relayout>(m, "Relayout", "A plan to move elements in memory.")
      .def_static("between", &between, nb::arg("source"), nb::arg("target"),
                  nb::arg("permutation"))
      .def_static("from_strides", &fromStrides, nb::arg("shape"),
                  nb::arg("strides"), nb::arg("target"))
      .def_prop_ro("source_bytes", &Relayout::getSourceBytes)
      .def_prop_ro("target_bytes", &Relayout::getTargetBytes)
      .def_prop_ro("is_identity", &Relayout::isIdentity)
      .def_prop_ro(
          "source_begin",
          [](const Relayout &self) {
            return self.getPlan().getSourceRange().first;
          },
          "The least element number that is read.")
      .def(
          "run", &run, nb::arg("source"), nb::arg("source_bytes"),
          nb::arg("target"), nb::arg("target_bytes"), nb::arg("owners"),
          "Moves the elements from address to address, in memory of `owners`.");
  m.def("view_strides", &getViewStrides, nb::arg("layout"));
}
