//===- NativeOpCost.cpp - Costs of ops that are functions of Python -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of Python says what a block of an op takes (Analysis/OpCosts.h).
// The functions are in a dictionary of the package, so that they go when it
// does; what they raise becomes the error at the op.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
/// What a function is asked about.
struct NamedWork : BlockWork {
  std::string op;
  /// std::nullopt if the model has no rates for the op.
  std::optional<BlockCost> modelled;
};
} // namespace

/// Asks a function. std::nullopt and no error for std::nullopt.
static std::optional<BlockCost> askForCost(Operation *op, const BlockWork &work,
                                           const CostModel &model,
                                           std::string &error) {
  AcquireGil gil;
  try {
    const std::string name = op->getName().getStringRef().str();
    nb::dict functions =
        nb::module_::import_("tensoraccess._cost").attr("_functions");
    NamedWork asked{work, name, std::nullopt};
    std::string ignored;
    asked.modelled = model.getCost(name, work, ignored);
    nb::object answer = functions[nb::str(name.c_str())](std::move(asked));
    if (answer.is_none())
      return std::nullopt;
    if (nb::isinstance<BlockCost>(answer))
      return nb::cast<BlockCost>(answer);
    BlockCost cost;
    cost.seconds = PyFloat_AsDouble(answer.ptr());
    if (!PyErr_Occurred())
      return cost;
    PyErr_Clear();
    error = "seconds, a BlockCost or None were expected, got " +
            nb::cast<std::string>(nb::repr(answer));
  } catch (nb::python_error &raised) {
    // The last line: the type and what it says.
    llvm::StringRef text = llvm::StringRef(raised.what()).rtrim();
    error = text.substr(text.rfind('\n') + 1);
  }
  return std::nullopt;
}

void python::bindOpCost(nb::module_ &m) {
  nb::class_<NamedWork>(m, "BlockWork", "What a block of an op does.")
      .def_ro("op", &NamedWork::op, "The name of the operation.")
      .def_ro("extents", &NamedWork::extents,
              "Of its loops; empty for ops that only move elements.")
      .def_ro("bytes_in", &NamedWork::bytesIn)
      .def_ro("bytes_out", &NamedWork::bytesOut)
      .def_ro("innermost", &NamedWork::innermost,
              "The loop along which elements are contiguous, or None.")
      .def_ro("column_bytes", &NamedWork::columnBytes,
              "An element for each step of a reduction.")
      .def_ro("pitch", &NamedWork::pitch,
              "Elements from one step of such a column to the next, or 0.")
      .def_ro(
          "family", &NamedWork::family,
          "map, move, sum or chain; empty for an op that is not understood.")
      .def_ro("modelled", &NamedWork::modelled,
              "What the model gives for it, or None.")
      .def("__repr__", [](const NamedWork &self) {
        return "<BlockWork of " + self.op + ">";
      });
  m.def(
      "register_op_cost",
      [](const std::string &op, const std::string &summary) {
        if (!registerOpCost(op, summary, askForCost))
          throw Error(op.empty() ? "a cost needs the name of an op"
                                 : "'" + llvm::Twine(op) +
                                       "' has a cost of its own already");
      },
      nb::arg("op"), nb::arg("summary"));
  m.def(
      "unregister_op_cost",
      [](const std::string &op) {
        if (!unregisterOpCost(op))
          throw Error("'" + llvm::Twine(op) + "' has no cost of its own");
      },
      nb::arg("op"));
  m.def("op_costs", [] { return toSummaries(getOpCosts()); });
}
