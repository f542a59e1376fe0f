//===- Native.cpp - The native module of the Python package ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

std::string python::pointAt(llvm::StringRef text, size_t offset) {
  if (text.empty())
    return "";
  offset = std::min(offset, text.size());
  size_t begin = text.take_front(offset).rfind('\n') + 1;
  llvm::StringRef line = text.drop_front(begin).split('\n').first;
  return ("\n  " + line + "\n  " + std::string(offset - begin, ' ') + "^")
      .str();
}

NB_MODULE(_native, m) {
  // What others keep, such as a cache of JAX, is still alive at the end.
  nb::set_leak_warnings(false);
  m.doc() = "The native half of tensoraccess; import tensoraccess instead.";
  nb::exception<Error>(m, "Error", PyExc_ValueError).attr("__doc__") =
      "What went wrong, with the diagnostic's text.";
  nb::register_exception_translator([](const std::exception_ptr &p, void *) {
    try {
      std::rethrow_exception(p);
    } catch (const std::bad_cast &) {
      PyErr_SetString(
          nb::module_::import_("tensoraccess._native").attr("Error").ptr(),
          "an argument is of another type than expected, or an "
          "integer does not fit in 64 bits");
    }
  });
  bindIndexingMap(m);
  bindIndexing(m);
  bindBoxes(m);
  bindProjectionValues(m);
  bindLayouts(m);
  bindStridedLayouts(m);
  bindLayoutAnswers(m);
  bindPack(m);
  bindFootprints(m);
  bindProjections(m);
  bindBlockCost(m);
  bindOpCost(m);
  bindCoalescing(m);
  bindLayoutConvert(m);
  bindModule(m);
  bindMemory(m);
  bindExecutable(m);
  bindTargets(m);
  bindTile(m);
  bindTools(m);
  bindFusion(m);
  bindBlockFootprints(m);
  bindAccess(m);
  bindExport(m);
  bindInterpreter(m);
  bindProgram(m);
  bindShards(m);
  bindPlan(m);
  bindContracts(m);
  bindDerivatives(m);
  bindEquivalence(m);
  bindEGraph(m);
  bindInterrupt(m);
}
