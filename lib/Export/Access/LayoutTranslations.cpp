//===- LayoutTranslations.cpp - --layout-to-svg and --layout-to-text ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Export/Pictures.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

#include <variant>

#if __has_include(<sys/ioctl.h>)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

using namespace mlir;
using namespace mlir::tensoraccess;

using AnyLayout = std::variant<Layout, StridedLayout, LinearLayout>;

/// Which notation it is shows at the beginning: `{register` or `#`, `(` or `Sw<`, or
/// else a type.
static std::optional<AnyLayout> parseAny(StringRef text, ParseError &error) {
  auto wrap = [](auto layout) {
    return layout ? std::optional<AnyLayout>(std::move(*layout)) : std::nullopt;
  };
  if (text.starts_with("#") ||
      (text.starts_with("{") &&
       llvm::isAlpha(text.drop_front().ltrim().front())))
    return wrap(LinearLayout::parse(text, error));
  if (text.starts_with("(") || text.starts_with("Sw<") ||
      llvm::isDigit(text.front()))
    return wrap(StridedLayout::parse(text, error));
  return wrap(Layout::parse(text, error));
}

/// Reads the layouts of a file, one a line; empty lines and those that begin
/// with `//` are skipped. Fails with an error at the offending character.
static LogicalResult
readLayouts(llvm::SourceMgr &sources, MLIRContext *context,
            std::vector<std::pair<AnyLayout, Location>> &layouts) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  const StringRef name = buffer->getBufferIdentifier();
  auto at = [&](unsigned line, size_t column) {
    return FileLineColLoc::get(context, name, line, column + 1);
  };
  SmallVector<StringRef> lines;
  buffer->getBuffer().split(lines, '\n');
  for (auto [i, line] : llvm::enumerate(lines)) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == StringRef::npos || line.substr(begin).starts_with("//"))
      continue;
    const StringRef text = line.substr(begin).rtrim();
    ParseError error;
    std::optional<AnyLayout> layout = parseAny(text, error);
    if (!layout)
      return emitError(at(i + 1, begin + error.offset)) << error.message;
    layouts.emplace_back(std::move(*layout), at(i + 1, begin));
  }
  if (layouts.empty())
    return emitError(at(1, 0)) << "no layout here; one a line is read, as in "
                                  "`f32[3,5]{1,0:T(2,2)}`";
  return success();
}

/// The columns of the terminal that is written to, and at least as many as a
/// table needs: narrower ones wrap lines by themselves. 0 if none exists.
static int64_t getTerminalWidth(const raw_ostream &os) {
#ifdef TIOCGWINSZ
  winsize size = {};
  if (os.is_displayed() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col > 0)
    return std::max<int64_t>(size.ws_col, 20);
#endif
  return 0;
}

void tensoraccess::registerLayoutTranslations() {
  static llvm::cl::OptionCategory category(
      "Options of --layout-to-svg and --layout-to-text");
  static llvm::cl::opt<int64_t> rows(
      "layout-rows", llvm::cl::init(24), llvm::cl::cat(category),
      llvm::cl::desc("rows that are drawn at most (default: 24)"));
  static llvm::cl::opt<int64_t> columns(
      "layout-columns", llvm::cl::init(24), llvm::cl::cat(category),
      llvm::cl::desc("columns that are drawn at most (default: 24)"));
  static llvm::cl::opt<int64_t> numPlanes(
      "layout-planes", llvm::cl::init(4), llvm::cl::cat(category),
      llvm::cl::desc("planes that are drawn at most (default: 4)"));
  static llvm::cl::opt<int64_t> width(
      "layout-text-width", llvm::cl::init(-1), llvm::cl::cat(category),
      llvm::cl::desc("characters of a line of --layout-to-text, where wider "
                     "tables are folded; 0 for no limit (default: the "
                     "terminal's columns, no limit elsewhere)"));
  auto getOptions = [] {
    return LayoutPictureOptions{rows, columns, numPlanes};
  };
  static TranslateRegistration svg(
      "layout-to-svg",
      "draw a layout: `f32[3,5]{1,0:T(2,2)}`, `Sw<1,0,1> o (4,2):(2,1)`, or "
      "`{lane = [[0, 1]], warp = [[1, 0]]}`",
      [getOptions](const std::shared_ptr<llvm::SourceMgr> &sources,
                   raw_ostream &os, MLIRContext *context) -> LogicalResult {
        std::vector<std::pair<AnyLayout, Location>> layouts;
        if (failed(readLayouts(*sources, context, layouts)))
          return failure();
        if (layouts.size() != 1)
          return emitError(layouts[1].second)
                 << "a picture shows one layout, got " << layouts.size();
        if (auto problem = std::visit(
                [&](const auto &layout) {
                  return writeLayoutSvg(layout, os, getOptions());
                },
                layouts.front().first))
          return emitError(layouts.front().second) << *problem;
        return success();
      });
  static TranslateRegistration text(
      "layout-to-text",
      "print layouts, one a line, as tables: `f32[3,5]{1,0:T(2,2)}`, "
      "`Sw<1,0,1> o (4,2):(2,1)`, or `{lane = [[0, 1]], warp = [[1, 0]]}`",
      [getOptions](const std::shared_ptr<llvm::SourceMgr> &sources,
                   raw_ostream &os, MLIRContext *context) -> LogicalResult {
        std::vector<std::pair<AnyLayout, Location>> layouts;
        if (failed(readLayouts(*sources, context, layouts)))
          return failure();
        LayoutPictureOptions options = getOptions();
        options.maxWidth = width;
        options.maxWidth = width == -1 ? getTerminalWidth(os) : int64_t(width);
        std::string tables;
        llvm::raw_string_ostream out(tables);
        for (auto [i, entry] : llvm::enumerate(layouts)) {
          if (i)
            out << '\n';
          if (auto problem = std::visit(
                  [&](const auto &layout) {
                    return writeLayoutText(layout, out, options);
                  },
                  entry.first))
            return emitError(entry.second) << *problem;
        }
        os << tables;
        return success();
      });
}
