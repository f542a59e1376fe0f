//===- NativeExport.cpp - Pictures and Glenside programs for Python -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Export/Pictures.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static std::shared_ptr<NativeModule> readGlenside(nb::bytes source,
                                                  std::string_view name) {
  std::string text(source.c_str(), source.size());
  auto session = std::make_shared<Session>();
  OwningOpRef<ModuleOp> op;
  auto messages = session->attempt("the text is no Glenside program", [&] {
    llvm::SourceMgr sourceMgr;
    sourceMgr.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, toRef(name)), llvm::SMLoc());
    op = importGlenside(sourceMgr, &session->getContext());
    return bool(op);
  });
  return std::make_shared<NativeModule>(std::move(session), std::move(op),
                                        std::move(messages));
}

/// What `write` makes of the module.
static std::string exportText(NativeModule &self,
                              LogicalResult (*write)(Operation *,
                                                     raw_ostream &)) {
  std::string text;
  llvm::raw_string_ostream os(text);
  self.getSession().attempt("the module cannot be exported",
                            [&] { return succeeded(write(self.getOp(), os)); });
  return text;
}

/// What `write` makes of a layout.
template <typename Write>
static std::string drawLayout(const Layout &layout,
                              const LayoutPictureOptions &options,
                              Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  check(write(layout, os, options));
  return text;
}

static void bindLayoutPictures() {
  auto layout = nb::borrow<nb::class_<Layout>>(nb::type<Layout>());
  layout
      .def(
          "to_svg",
          [](const Layout &self, int64_t rows, int64_t columns,
             int64_t planes) {
            return drawLayout(self, {rows, columns, planes}, writeLayoutSvg);
          },
          nb::kw_only(), nb::arg("rows") = 24, nb::arg("columns") = 24,
          nb::arg("planes") = 4,
          "A picture: the array, each element with its number in memory, and "
          "memory, each place with the index of its element. At most so many "
          "rows, columns and planes are drawn.")
      .def(
          "to_text",
          [](const Layout &self, int64_t rows, int64_t columns, int64_t planes,
             int64_t width) {
            return drawLayout(self, {rows, columns, planes, width},
                              writeLayoutText);
          },
          nb::kw_only(), nb::arg("rows") = 24, nb::arg("columns") = 24,
          nb::arg("planes") = 4, nb::arg("width") = 0,
          "The same as a table for a terminal. A table of more characters a "
          "line than `width` is folded, columns going on below; 0 for no "
          "limit.");
}

void python::bindExport(nb::module_ &m) {
  bindLayoutPictures();
  m.def("read_glenside", &readGlenside, nb::arg("source"), nb::arg("name"));
  m.def(
      "to_glenside",
      [](NativeModule &self) { return exportText(self, exportGlenside); },
      nb::arg("module"));
  m.def(
      "to_svg",
      [](NativeModule &self) { return exportText(self, exportAccessToSvg); },
      nb::arg("module"));
}
