//===- NativeExport.cpp - Pictures and Glenside programs for Python -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "TensorAccess/Analysis/Ask.h"
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
  auto messages = session->attempt("the text is not a Glenside program", [&] {
    llvm::SourceMgr sourceMgr;
    sourceMgr.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, toRef(name)), llvm::SMLoc());
    op = importGlenside(sourceMgr, &session->getContext());
    return bool(op);
  });
  return std::make_shared<NativeModule>(std::move(session), std::move(op),
                                        std::move(messages));
}

/// What `write` prints of the module.
static std::string exportText(
    NativeModule &self,
    llvm::function_ref<LogicalResult(Operation *, raw_ostream &)> write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  self.getSession().attempt("the module cannot be exported",
                            [&] { return succeeded(write(self.getOp(), os)); });
  return text;
}

/// `svg`, `to_text` and what notebooks ask for, of a kind of layouts.
template <typename LayoutT, int64_t most>
static void bindPictures(const char *svg, const char *text) {
  auto layout = nb::borrow<nb::class_<LayoutT>>(nb::type<LayoutT>());
  auto draw = [](const LayoutT &self, const LayoutPictureOptions &options,
                 bool isText) {
    ReleaseGil release;
    std::string drawn;
    llvm::raw_string_ostream os(drawn);
    check(isText ? writeLayoutText(self, os, options)
                 : writeLayoutSvg(self, os, options));
    return drawn;
  };
  layout
      .def(
          "svg",
          [draw](const LayoutT &self, int64_t rows, int64_t columns,
                 int64_t planes) {
            return draw(self, {rows, columns, planes}, false);
          },
          nb::kw_only(), nb::arg("rows") = most, nb::arg("columns") = most,
          nb::arg("planes") = 4, svg)
      .def(
          "to_text",
          [draw](const LayoutT &self, int64_t rows, int64_t columns,
                 int64_t planes, int64_t width) {
            return draw(self, {rows, columns, planes, width}, true);
          },
          nb::kw_only(), nb::arg("rows") = most, nb::arg("columns") = most,
          nb::arg("planes") = 4, nb::arg("width") = 0, text)
      .def(
          "_repr_svg_",
          [draw](const LayoutT &self) -> std::optional<std::string> {
            if constexpr (std::is_same_v<LayoutT, Layout>)
              if (!self.shape || !self.hasStaticShape())
                return std::nullopt;
            return draw(self, {most, most}, false);
          },
          "For notebooks; None of a layout without sizes.");
  bindShow(layout);
  // Tiled layouts have had this name.
  if constexpr (std::is_same_v<LayoutT, Layout>)
    layout.attr("to_svg") = layout.attr("svg");
}

/// Questions about a layout or a map; `numbers` is the name of an element or tile.
template <typename T>
static void bindAsk(nb::module_ &m, const char *about, const char *numbers) {
  m.def(
      "ask",
      [](const T &value, std::string_view question,
         const std::optional<Integers> &of) {
        std::string error;
        return need(ask(toRef(question), value, error, of), error);
      },
      nb::arg(about), nb::arg("question"), nb::arg(numbers) = nb::none());
}

void python::bindExport(nb::module_ &m) {
  bindPictures<Layout, 24>(
      "A picture: the array, each element with its number in memory, and "
      "memory, "
      "each place with the index of its element. At most this many rows, "
      "columns and planes are drawn.",
      "The same as a table for a terminal. A table of more characters a line "
      "than "
      "`width` is folded, columns going on below; 0 for no limit.");
  bindPictures<StridedLayout, 32>(
      "A picture: the number of each coordinate, in the colour of its bank; "
      "the "
      "last two modes are rows and columns. At most this many rows, columns "
      "and planes are drawn.",
      "The same as a table for a terminal, folded as a tiled layout's.");
  bindPictures<LinearLayout, 32>(
      "A picture: who holds each element, `T5:3` for register 3 of thread 5, "
      "lanes "
      "by colour; or the numbers of a memory, in the colours of their banks, "
      "and "
      "the memory with indices. At most this many rows, columns and planes are "
      "drawn.",
      "The same as a table for a terminal, folded as a tiled layout's.");
  auto map = nb::borrow<nb::class_<IndexingMap>>(nb::type<IndexingMap>());
  map.def(
      "svg",
      [](const IndexingMap &self) {
        std::string text;
        llvm::raw_string_ostream os(text);
        check(writeMapSvg(self, os));
        return text;
      },
      nb::call_guard<ReleaseGil>(),
      "A picture: of three points, in colour, to which indices they are "
      "mapped; for the map of an op's operand, which of its elements these "
      "elements of the result read.");
  bindShow(map);
  m.def(
      "picture_style",
      [](const std::string &svg) { return getPictureStyle(svg); },
      nb::arg("svg"));
  m.def(
      "explore",
      [](NativeModule &self, const std::string &title,
         const std::string &passes, const std::vector<std::string> &rules) {
        return exportText(self, [&](Operation *op, raw_ostream &os) {
          return exportExplorer(cast<ModuleOp>(op), os,
                                {title, passes, {}, rules});
        });
      },
      nb::arg("module"), nb::arg("title"), nb::arg("passes"), nb::arg("rules"));
  nb::class_<Explanation>(m, "NativeExplanation",
                          "See tensoraccess.Explanation.")
      .def("json",
           [](const Explanation &self) {
             std::string text;
             llvm::raw_string_ostream os(text);
             llvm::json::OStream out(os);
             writeExplanation(out, self);
             return text;
           })
      .def(
          "text",
          [](const Explanation &self, size_t rows) {
            std::string text;
            llvm::raw_string_ostream os(text);
            printExplanation(os, self, rows);
            return text;
          },
          nb::arg("rows"));
  m.def(
      "explain",
      [](NativeModule &self, NativeModule *other) {
        std::string error;
        std::optional<Explanation> explanation;
        auto work = [&] {
          explanation =
              other ? explainDifference(self.getOp(), other->getOp(), error)
                    : explain(self.getOp(), error);
        };
        // Locks are taken in one order.
        NativeModule *first = &self, *second = other;
        if (second &&
            std::less<>()(&second->getSession(), &first->getSession()))
          std::swap(first, second);
        {
          ReleaseGil release;
          if (!second || second == first)
            first->withSourceNames(work);
          else
            first->withSourceNames([&] { second->withSourceNames(work); });
        }
        return need(explanation, error);
      },
      nb::arg("module"), nb::arg("other").none());
  m.def(
      "ask",
      [](NativeModule &self, std::string_view question, std::string_view op,
         const std::optional<Integers> &tile) {
        std::string error;
        std::optional<Explanation> answer;
        {
          ReleaseGil release;
          self.withSourceNames([&] {
            answer = ask(toRef(question), self.getOp(), toRef(op), error, tile);
          });
        }
        return need(answer, error);
      },
      nb::arg("module"), nb::arg("question"), nb::arg("op"),
      nb::arg("tile") = nb::none());
  bindAsk<Layout>(m, "layout", "element");
  bindAsk<StridedLayout>(m, "layout", "element");
  bindAsk<LinearLayout>(m, "layout", "element");
  bindAsk<IndexingMap>(m, "map", "tile");
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
