//===- NativeLayoutConvert.cpp - Layouts in other notations, for Python ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's conversions and recipes (LayoutNotations.h, LayoutRecipe.h) as methods
// of Layout. A refusal is an error with its reason. What depends on dynamic
// sizes is a SizeExpr or a SizeDifference, everything else a number.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/LayoutRecipe.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
/// Parameters of a pack, with the sizes of what they make.
struct PackOfShape : PackParameters {
  llvm::SmallVector<SizeExpr> packedSizes;
};
} // namespace

static std::string printSizes(llvm::ArrayRef<SizeExpr> sizes) {
  std::string text;
  for (const SizeExpr &size : sizes)
    text += (text.empty() ? "" : ", ") + size.str();
  return "[" + text + "]";
}

static LayoutRecipe getRecipe(const Layout &self, bool backward) {
  return need(backward ? getUnpackRecipe(self) : getPackRecipe(self), self);
}

static void bindForms(nb::module_ &m) {
  nb::class_<PackOfShape>(
      m, "PackParameters",
      "The parameters of a linalg.pack that puts elements where a layout does.")
      .def_ro("inner_dims_pos", &PackOfShape::innerDimsPos)
      .def_ro("inner_tiles", &PackOfShape::innerTiles)
      .def_ro("outer_dims_perm", &PackOfShape::outerDimsPerm)
      .def_prop_ro(
          "packed_shape",
          [](const PackOfShape &self) { return asObjects(self.packedSizes); },
          nb::sig("def packed_shape(self) -> list[int | SizeExpr]"),
          "Outer sizes, then tiles.")
      .def("__repr__", [](const PackOfShape &self) {
        return "PackParameters(inner_dims_pos=" + print(self.innerDimsPos) +
               ", inner_tiles=" + print(self.innerTiles) +
               ", outer_dims_perm=" + print(self.outerDimsPerm) + ")";
      });

  nb::class_<SymbolicStrides>(
      m, "StridedForm",
      "A strided memory as a memref describes it; strides, offset and size "
      "count elements, and may depend on dynamic sizes.")
      .def_prop_ro(
          "strides",
          [](const SymbolicStrides &self) { return asObjects(self.strides); },
          nb::sig("def strides(self) -> list[int | SizeExpr]"))
      .def_prop_ro(
          "offset", [](const SymbolicStrides &) { return 0; },
          "The number of the element at index 0.")
      .def_prop_ro(
          "elements",
          [](const SymbolicStrides &self) { return asObject(self.elements); },
          nb::sig("def elements(self) -> int | SizeExpr"),
          "How many elements the memory has, padding included.")
      .def_ro("memory_space", &SymbolicStrides::memorySpace)
      .def("__repr__", [](const SymbolicStrides &self) {
        return "StridedForm(strides=" + printSizes(self.strides) +
               ", offset=0, elements=" + self.elements.str() +
               ", memory_space=" + std::to_string(self.memorySpace) + ")";
      });

  nb::class_<SizeDifference> difference(
      m, "SizeDifference",
      "What a size has beyond another, with dynamic sizes n0, n1, …: "
      "`ceildiv(n0, 8) * 8 - n0`.");
  bindStrings(difference, "SizeDifference");
  difference.def(
      "evaluate",
      [](const SizeDifference &self, const Integers &sizes) {
        if (std::optional<int64_t> value = self.evaluate(sizes))
          return *value;
        throw Error("'" + self.str() + "' has no value for sizes " +
                    print(sizes));
      },
      nb::arg("sizes"), "The value for a size per dimension.");
}

static void bindRecipe(nb::module_ &m) {
  nb::class_<RecipeStep> step(m, "RecipeStep", "One step of a recipe.");
  bindStrings(step, "RecipeStep");
  step.def_prop_ro(
          "kind",
          [](const RecipeStep &self) {
            // The first word of the text.
            return llvm::StringRef(self.str()).split(' ').first.str();
          },
          "'pad', 'slice', 'expand', 'collapse' or 'transpose'.")
      .def_prop_ro(
          "amounts",
          [](const RecipeStep &self) {
            return asObjects(self.symbolicAmounts);
          },
          nb::sig("def amounts(self) -> list[int | SizeDifference]"),
          "Of a pad: how much after the end of each dimension.")
      .def_ro("permutation", &RecipeStep::permutation,
              "Of a transpose: dimension i of the result is dimension "
              "permutation[i] of the source, as in numpy.transpose.")
      .def_ro("groups", &RecipeStep::groups,
              "Of an expand and a collapse: the reassociation.")
      .def_prop_ro(
          "shape", [](const RecipeStep &self) { return asObjects(self.sizes); },
          nb::sig("def shape(self) -> list[int | SizeExpr]"),
          "The shape after the step.");

  nb::class_<LayoutRecipe>(
      m, "LayoutRecipe",
      "A layout as pad, expand, transpose (and collapse, for `*`).")
      .def_prop_ro(
          "source",
          [](const LayoutRecipe &self) { return asObjects(self.sourceSizes); },
          nb::sig("def source(self) -> list[int | SizeExpr]"))
      .def_prop_ro(
          "result",
          [](const LayoutRecipe &self) { return asObjects(self.resultSizes); },
          nb::sig("def result(self) -> list[int | SizeExpr]"))
      .def_ro("steps", &LayoutRecipe::steps)
      .def_prop_ro(
          "tail", [](const LayoutRecipe &self) { return asObject(self.tail); },
          nb::sig("def tail(self) -> int | SizeDifference"),
          "Elements of padding after the result.")
      .def_ro("element_bits", &LayoutRecipe::elementBits)
      .def_ro("memory_space", &LayoutRecipe::memorySpace)
      .def("__str__", &LayoutRecipe::str)
      .def("__repr__", [](const LayoutRecipe &self) {
        return "<LayoutRecipe " + printSizes(self.sourceSizes) + " -> " +
               printSizes(self.resultSizes) + ">";
      });
}

void python::bindLayoutConvert(nb::module_ &m) {
  bindForms(m);
  bindRecipe(m);
  auto layout = nb::borrow<nb::class_<Layout>>(nb::type<Layout>());
  layout
      .def_static(
          "from_pack",
          [](const Integers &shape, const Integers &innerDimsPos,
             const Integers &innerTiles,
             const std::optional<Integers> &outerDimsPerm,
             std::string_view elementType) {
            PackParameters pack;
            pack.innerDimsPos.assign(innerDimsPos.begin(), innerDimsPos.end());
            pack.innerTiles.assign(innerTiles.begin(), innerTiles.end());
            if (outerDimsPerm)
              pack.outerDimsPerm.assign(outerDimsPerm->begin(),
                                        outerDimsPerm->end());
            std::string reason;
            return need(
                layoutFromPack(shape, pack, lookupType(elementType), reason),
                reason);
          },
          nb::arg("shape"), nb::arg("inner_dims_pos"), nb::arg("inner_tiles"),
          nb::arg("outer_dims_perm") = nb::none(),
          nb::arg("element_type") = "f32",
          "The layout of a tensor that linalg.pack packs. Without "
          "outer_dims_perm, or if it is empty, the outer dimensions keep their "
          "order.")
      .def_static(
          "from_blocked_tag",
          [](const Integers &shape, std::string_view tag,
             std::string_view elementType) {
            ParseError error;
            return need(layoutFromBlockedTag(shape, toRef(tag),
                                             lookupType(elementType), error),
                        tag, error);
          },
          nb::arg("shape"), nb::arg("tag"), nb::arg("element_type") = "f32",
          "The layout of a blocked tag such as `ABcd8b16a2b`: dimensions in "
          "their outer order, upper case where blocked, then the blocks from "
          "outer to inner.")
      .def_static(
          "from_iree_encoding",
          [](const Integers &shape, std::string_view text,
             std::string_view elementType) {
            ParseError error;
            llvm::SmallVector<NestDigit> nest =
                need(readIreeEncoding(shape, toRef(text), error), text, error);
            std::string reason;
            return need(
                layoutFromNest(shape, nest, lookupType(elementType), reason),
                reason);
          },
          nb::arg("shape"), nb::arg("text"), nb::arg("element_type") = "f32",
          "The layout of a resolved encoding of IREE's, from its text: "
          "`encoding_info = {innerDimsPos = [0, 1], innerTileSizes = [16, 4], "
          "outerDimsPerm = [0, 1]}`, and `swizzle` in it.")
      .def_static(
          "from_strides",
          [](const Integers &shape, const Integers &strides, int64_t offset,
             std::optional<int64_t> elements, int64_t memorySpace,
             std::string_view elementType) {
            StridedForm strided;
            strided.strides.assign(strides.begin(), strides.end());
            strided.offset = offset;
            strided.elements = elements;
            strided.memorySpace = memorySpace;
            std::string reason;
            return need(layoutFromStrides(shape, strided,
                                          lookupType(elementType), reason),
                        reason);
          },
          nb::arg("shape"), nb::arg("strides"), nb::arg("offset") = 0,
          nb::arg("elements") = nb::none(), nb::arg("memory_space") = 0,
          nb::arg("element_type") = "f32",
          "The layout of a strided memory, in elements; gaps are padding. "
          "`elements` is how many the memory has, if that matters.")
      .def(
          "to_pack",
          [](const Layout &self) {
            std::string reason;
            PackOfShape result;
            std::optional<PackParameters> pack = toPack(self, reason);
            if (!pack && getPackRecipe(self))
              reason += "; recipe() has the steps to its physical shape";
            static_cast<PackParameters &>(result) = need(pack, reason);
            result.packedSizes =
                need(getPackedSizes(*self.shape, result), "the packed shape "
                                                          "overflows");
            return result;
          },
          "The parameters of an equivalent linalg.pack; an error with "
          "the reason where there are none.")
      .def(
          "to_blocked_tag",
          [](const Layout &self) {
            std::string reason;
            return need(toBlockedTag(self, reason), reason);
          },
          "The equivalent blocked tag; an error with the reason where "
          "there is none.")
      .def(
          "to_strides",
          [](const Layout &self) {
            std::string reason;
            return need(toSymbolicStrides(self, reason), reason);
          },
          "The strides that say the same; an error with the reason where there "
          "are none.")
      .def("recipe", &getRecipe, nb::kw_only(), nb::arg("backward") = false,
           "The steps from the array to its physical shape, or back.");
}
