//===- NativeBoxes.cpp - Boxes and covers for Python ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's IndexRegion with the operations of Counting.h, and exact covers.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static Box makeBox(const Integers &lo, const Integers &hi) {
  Box box;
  box.lo.assign(lo.begin(), lo.end());
  box.hi.assign(hi.begin(), hi.end());
  check(verifyBox(box));
  return box;
}

static std::string reprBox(const Box &box) {
  return "Box(" + print(box.lo) + ", " + print(box.hi) + ")";
}

static void checkSameRank(const Box &a, const Box &b) {
  if (a.lo.size() != b.lo.size())
    throw Error("the box has rank " + llvm::Twine(a.lo.size()) +
                ", but the other has rank " + llvm::Twine(b.lo.size()));
}

static Box boundBoxes(const std::vector<Box> &boxes) {
  if (boxes.empty())
    throw Error("bounding needs at least one box");
  for (const Box &box : boxes)
    checkSameRank(boxes.front(), box);
  return *getBoundingBox(boxes);
}

static auto split(const Box &box, int64_t axis, int64_t chunk) {
  checkIndex("axis", axis, box.lo.size());
  std::string error;
  return need(splitBox(box, axis, chunk, error), error);
}

void python::bindBoxes(nb::module_ &m) {
  nb::class_<Box> type(m, "Box", "A half-open box of integers: lo <= x < hi.");
  bindEquality(type);
  type.def(
          "__init__",
          [](Box *self, nb::object lo, nb::object hi) {
            new (self)
                Box(makeBox(readIntegers(lo, "lo"), readIntegers(hi, "hi")));
          },
          nb::arg("lo"), nb::arg("hi"),
          nb::sig("def __init__(self, lo: collections.abc.Sequence[int], hi: "
                  "collections.abc.Sequence[int]) "
                  "-> None"))
      .def_ro("lo", &Box::lo)
      .def_ro("hi", &Box::hi)
      .def_prop_ro("is_empty", &Box::isEmpty)
      .def_prop_ro("count", &getVolume,
                   "How many places it has; None if 64 bits don't hold it.")
      .def(
          "intersect",
          [](const Box &self, const Box &other) {
            checkSameRank(self, other);
            return intersectBoxes(self, other);
          },
          nb::arg("other"), "The common part, which may be empty.")
      .def(
          "subtract",
          [](const Box &self, const Box &other) {
            checkSameRank(self, other);
            return subtractBox(self, other);
          },
          nb::arg("other"), "What is left, as disjoint boxes.")
      .def("product", &productOfBoxes, nb::arg("other"),
           "The dimensions of this box, then those of the other.")
      .def("split", &split, nb::arg("axis"), nb::arg("chunk"),
           "Pieces of `chunk` indices along an axis; the last may be smaller.")
      .def_static("bounding", &boundBoxes, nb::arg("boxes"),
                  "The smallest box around the boxes that are not empty.")
      .def(
          "__contains__",
          [](const Box &self, const Integers &index) {
            if (index.size() != self.lo.size())
              return false;
            for (size_t d = 0; d != index.size(); ++d)
              if (index[d] < self.lo[d] || index[d] >= self.hi[d])
                return false;
            return true;
          },
          nb::arg("index"))
      .def("__repr__", &reprBox)
      .def("__str__", &printBox)
      .def("__hash__",
           [](const Box &self) {
             return static_cast<Py_hash_t>(
                 static_cast<size_t>(llvm::hash_combine(
                     llvm::hash_combine_range(self.lo.begin(), self.lo.end()),
                     llvm::hash_combine_range(self.hi.begin(),
                                              self.hi.end()))) >>
                 1);
           })
      .def(
          "__reduce__",
          [](const Box &self) {
            return nb::make_tuple(nb::type<Box>(),
                                  nb::make_tuple(self.lo, self.hi));
          },
          nb::sig("def __reduce__(self) -> tuple[type[object], "
                  "tuple[list[int], list[int]]]"));

  nb::class_<ExactCover>(
      m, "ExactCover",
      "How parts cover a domain; true if they cover it exactly.")
      .def_prop_ro("exact", &ExactCover::isExact,
                   "Inside, disjoint and covering.")
      .def_ro("inside", &ExactCover::isInside, "No part leaves the domain.")
      .def_ro("disjoint", &ExactCover::isDisjoint, "No place is in two parts.")
      .def_ro("covers", &ExactCover::covers,
              "Every place is in a part; None where that is unknown.")
      .def_ro("reason", &ExactCover::reason,
              "What is wrong first; empty if nothing is.")
      .def_ro("witness", &ExactCover::witness, "A place where that is so.")
      .def("__bool__", &ExactCover::isExact)
      .def("__repr__", [](const ExactCover &self) {
        return "<ExactCover " +
               (self.isExact() ? std::string("exact") : self.reason) + ">";
      });
  m.def(
      "exact_cover",
      [](const Box &domain, const std::vector<Box> &parts) {
        std::string error;
        return need(getExactCover(domain, parts, error), error);
      },
      nb::call_guard<ReleaseGil>(), nb::arg("domain"), nb::arg("parts"),
      "Whether boxes cover a box exactly: disjoint, complete, none outside.");
}
