//===- NativeTargets.cpp - Machines as layouts see them, for Python -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's Target (Target.h) as a value that is read from its text or built in.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/Target.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

/// A built-in target, or one that the text describes.
static Target readTarget(std::string_view text) {
  std::optional<Target> target = Target::lookup(toRef(text).trim());
  return target ? *target : parseAs<Target>(text);
}

void python::bindTargets(nb::module_ &m) {
  nb::class_<MatrixUnit>(m, "MatrixUnit",
                         "A unit that multiplies rows x rows by rows x cols.")
      .def_ro("rows", &MatrixUnit::rows)
      .def_ro("cols", &MatrixUnit::cols)
      .def_ro("cycles", &MatrixUnit::cycles, "Of one such product.")
      .def_ro("accumulators", &MatrixUnit::accumulators,
              "Items whose sums a column keeps, 0 for no limit.")
      .def_ro("double_buffered", &MatrixUnit::isDoubleBuffered,
              "Whether weights are loaded while others are used.");
  nb::class_<MemorySpace>(m, "MemorySpace", "A memory besides main memory.")
      .def_ro("name", &MemorySpace::name)
      .def_ro("number", &MemorySpace::number, "n of S(n) in layouts.")
      .def_ro("bytes", &MemorySpace::bytes)
      .def_ro("speed", &MemorySpace::speed,
              "Bytes that move in the time of one byte of main memory.")
      .def_ro("banks", &MemorySpace::banks, "0 where there are none.")
      .def_ro("bank_bytes", &MemorySpace::bankBytes);
  nb::class_<Target> type(
      m, "Target",
      "A machine as layouts see it: the name of a built-in one "
      "('host', 'avx512', 'systolic-16x16'), or a name and what "
      "differs from 'generic', as 'tpu, vector_bytes = 64'.");
  bindText(type, "", &readTarget);
  bindValue(type, "Target");
  type.def_ro("name", &Target::name)
      .def_ro("vector_bytes", &Target::vectorBytes)
      .def_ro("cache_line", &Target::cacheLine)
      .def_prop_ro(
          "register_tile",
          [](const Target &self) {
            return std::pair(self.tileRows, self.tileVectors);
          },
          "Rows, and vectors of each.")
      .def_ro("registers", &Target::registers, "Vector registers.")
      .def_prop_ro(
          "caches",
          [](const Target &self) {
            std::vector<std::pair<int64_t, int64_t>> caches;
            for (const Cache &cache : self.caches)
              caches.push_back({cache.bytes, cache.ways});
            return caches;
          },
          "Bytes and ways of a core's data caches, the nearest first.")
      .def_ro("cores", &Target::cores)
      .def_ro("features", &Target::features,
              "Instructions by LLVM's names, sorted.")
      .def_ro("memory_cost", &Target::memoryCost)
      .def_ro("last_cache", &Target::lastCache,
              "Bytes of the last cache, 0 without one.")
      .def_prop_ro("bytes_per_cycle", &Target::getBytesPerCycle,
                   "Bytes of main memory that move in a cycle.")
      .def_ro("matrix_units", &Target::matrixUnits)
      .def_ro("memory_spaces", &Target::memorySpaces, "By ascending number.")
      .def("panel_width", &Target::getPanelWidth, nb::arg("element_bits"),
           "Elements of a panel: whole vectors, whole lines.");
}
