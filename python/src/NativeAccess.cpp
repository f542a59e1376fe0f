//===- NativeAccess.cpp - Access forms and zero regions for Python --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forms outlive the context that they come from: bases are names as printed,
// constants are text.
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/ZeroSlices.h"
#include "TensorAccess/IR/AccessForm.h"

#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {

/// A piece: where its map's domain is, the elements of a base or a constant.
struct Piece {
  std::optional<std::string> base, constant;
  IndexingMap map;
};

/// The form of one value.
struct ViewForm {
  std::string value, op, location;
  std::vector<int64_t> shape;
  int64_t split = 0;
  std::vector<std::string> bases;
  std::vector<Piece> pieces;
  std::optional<std::string> background;
  std::string policy, text;
};

/// The zero slices of one value, by axis.
struct Zeros {
  std::string value, op, location;
  std::vector<std::vector<std::pair<int64_t, int64_t>>> axes;
};

} // namespace

/// Calls `visit` for each result of a function that has a form.
template <typename Visit>
static void forEachValue(FunctionOpInterface function, Visit visit) {
  AsmState names(function);
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value value : op->getResults())
      if (AccessForms::hasForm(value))
        visit(value, names);
  });
}

static ByFunction<ViewForm> getForms(NativeModule &self) {
  ByFunction<ViewForm> result;
  self.getSession().look([&] {
    AccessForms forms;
    for (auto function : self.getOp().getOps<FunctionOpInterface>()) {
      auto &list =
          result.emplace_back(function.getName().str(), std::vector<ViewForm>())
              .second;
      forEachValue(function, [&](Value value, AsmState &names) {
        Operation *op = value.getDefiningOp();
        if (!isMovement(op))
          return;
        AccessForm form = forms.get(value);
        ViewForm &item = list.emplace_back();
        item.value = printName(value, names);
        item.op = op->getName().getStringRef().str();
        item.location = printLocation(op->getLoc());
        for (int64_t size : form.access.getShape())
          item.shape.push_back(isUnknownExtent(size) ? -1 : size);
        item.split = form.split;
        for (Value base : form.bases)
          item.bases.push_back(printName(base, names));
        for (const AccessPiece &piece : form.access.getPieces()) {
          Piece &one = item.pieces.emplace_back();
          one.map = piece.map;
          if (piece.source.kind == SourceKind::Operand)
            one.base = printName(form.getBase(piece), names);
          else
            one.constant = llvm::to_string(form.getConstant(piece));
        }
        if (TypedAttr background = form.getBackground())
          item.background = llvm::to_string(background);
        item.policy = OutOfBounds{form.policy, std::nullopt}.str();
        item.text = form.access.str();
      });
    }
  });
  return result;
}

static ByFunction<Zeros> getZeros(NativeModule &self, bool assumeFinite) {
  ByFunction<Zeros> result;
  self.getSession().look([&] {
    IndexingCache cache;
    ZeroSlices zeros(self.getOp(), cache, assumeFinite);
    for (auto function : self.getOp().getOps<FunctionOpInterface>()) {
      auto &list =
          result.emplace_back(function.getName().str(), std::vector<Zeros>())
              .second;
      forEachValue(function, [&](Value value, AsmState &names) {
        ArrayRef<IntervalSet> axes = zeros.get(value);
        if (axes.empty())
          return;
        Zeros &item = list.emplace_back();
        item.value = printName(value, names);
        item.op = value.getDefiningOp()->getName().getStringRef().str();
        item.location = printLocation(value.getLoc());
        for (const IntervalSet &axis : axes) {
          item.axes.emplace_back();
          for (const Interval &interval : axis)
            item.axes.back().push_back({interval.lower, interval.upper});
        }
      });
    }
  });
  return result;
}

void python::bindAccess(nb::module_ &m) {
  nb::class_<Piece>(m, "AccessPiece",
                    "Where its map's domain is, a view reads a base or holds a "
                    "constant.")
      .def_ro("base", &Piece::base,
              "The value that is read, as printed; None for a constant.")
      .def_ro("constant", &Piece::constant, "The constant's text, or None.")
      .def_ro(
          "map", &Piece::map,
          "From the view's index to the base's; no results for a constant.");
  nb::class_<ViewForm>(m, "AccessForm",
                       "What a tensor or access pattern reads, canonically.")
      .def_ro("value", &ViewForm::value, "The value, as printed: '%3'.")
      .def_ro("op", &ViewForm::op)
      .def_ro("location", &ViewForm::location)
      .def_ro("shape", &ViewForm::shape, "Access before compute dimensions.")
      .def_ro("split", &ViewForm::split, "The number of access dimensions.")
      .def_ro("bases", &ViewForm::bases,
              "The values that are read, in the order of the pieces.")
      .def_ro("pieces", &ViewForm::pieces, "Disjoint.")
      .def_ro("background", &ViewForm::background,
              "The constant where no piece is, as text; None if there is no "
              "such place.")
      .def_ro("out_of_bounds", &ViewForm::policy,
              "'forbid': every index that is read lies in its base.")
      .def("__str__", [](const ViewForm &self) { return self.text; })
      .def("__repr__", [](const ViewForm &self) {
        return "<AccessForm of " + self.value + ": " + self.text + ">";
      });
  nb::class_<Zeros>(m, "ZeroRegion", "Slices of a value that are zero.")
      .def_ro("value", &Zeros::value, "The value, as printed: '%3'.")
      .def_ro("op", &Zeros::op)
      .def_ro("location", &Zeros::location)
      .def_ro("axes", &Zeros::axes,
              "For each dimension the intervals (first, last), both inclusive.")
      .def("__repr__", [](const Zeros &self) {
        return "<ZeroRegion of " + self.value + ">";
      });
  m.def("access_forms", &getForms, nb::arg("module"));
  m.def("zero_regions", &getZeros, nb::arg("module"), nb::arg("assume_finite"));
}
