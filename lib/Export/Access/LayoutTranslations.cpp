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

<<<<<<< HEAD:lib/Export/Access/LayoutTable.cpp
/// How many columns of `width` characters and one between them fit after a
/// label; at least one.
static size_t countColumns(int64_t maxWidth, size_t label, size_t width) {
  if (maxWidth == 0)
    return std::numeric_limits<size_t>::max();
  return std::max<int64_t>((maxWidth - int64_t(label)) / int64_t(width + 1), 1);
}

static void writeMemory(const LayoutPlanes &planes, int64_t maxWidth,
                        raw_ostream &os) {
  auto print = [](const TableCell &cell) {
    return cell.isPadding ? "·" : "(" + cell.label + ")";
  };
  size_t width = 1;
  const CellTable &memory = planes.memory;
  for (const auto &row : memory.cells)
    for (const TableCell &cell : row)
      if (!cell.isPadding)
        width = std::max(width, print(cell).size());
  // A line that goes on below begins with the number of its first place, too.
  size_t label = std::to_string(memory.rows.back()).size();
  auto isFolded = [&](const auto &row) {
    return row.size() > countColumns(maxWidth, label, width);
  };
  if (llvm::any_of(memory.cells, isFolded))
    label =
        std::to_string(memory.rows.back() + int64_t(memory.cells.back().size()))
            .size();
  const size_t step = countColumns(maxWidth, label, width);
  os << "memory\n";
  for (auto [begin, row] : llvm::zip_equal(memory.rows, memory.cells)) {
    for (auto [i, cell] : llvm::enumerate(row)) {
      if (i % step == 0) {
        const std::string number = std::to_string(begin + int64_t(i));
        os << (i == 0 ? "" : "\n");
        os.indent(label - number.size()) << number;
      }
      const std::string text = print(cell);
      os.indent(1 + width - (cell.isPadding ? 1 : text.size())) << text;
    }
    os << '\n';
  }
  if (planes.hiddenPlaces != 0)
    os << "… and " << planes.hiddenPlaces << " more\n";
}

/// What is known of a layout with dynamic sizes: no places, but sizes.
static std::optional<std::string> writeSizes(const Layout &layout,
                                             raw_ostream &os) {
  std::optional<LayoutSizes> sizes = getSizes(layout);
  if (!sizes)
    return "the size of '" + layout.str() + "' overflows 64-bit arithmetic";
  os << layout.str() << "\nphysical shape ";
  llvm::interleave(
      sizes->physicalShape, os, [&](const SizeExpr &size) { os << size.str(); },
      " x ");
  os << ", " << sizes->sizeBytes.str() << " bytes\n"
     << sizes->elements.str() << " elements, ";
  SizeDifference padding(sizes->paddedElements, sizes->elements);
  if (padding == SizeDifference())
    os << "no padding\n";
  else
    os << padding.str() << " of padding\n";
  return std::nullopt;
}

std::optional<std::string>
tensoraccess::writeLayoutText(const Layout &layout, raw_ostream &os,
                              const LayoutPictureOptions &options) {
  if (layout.shape && !layout.hasStaticShape())
    return writeSizes(layout, os);
  std::string problem;
  std::optional<LayoutPlanes> planes =
      LayoutPlanes::make(layout, options, problem);
  if (!planes)
    return problem;
  os << layout.str() << '\n';
  for (const std::string &line : planes->summary)
    os << line << '\n';
  for (const CellTable &plane : planes->planes) {
    os << '\n';
    plane.print(os, options.maxWidth);
  }
  if (planes->hiddenPlanes != 0)
    os << "\n… and " << planes->hiddenPlanes << " more planes\n";
  if (!planes->memory.cells.empty()) {
    os << '\n';
    writeMemory(*planes, options.maxWidth, os);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// tensoraccess-translate
//===----------------------------------------------------------------------===//

=======
>>>>>>> e65b6be25cadbe7d9310847e3637591601bc83b0:lib/Export/Access/LayoutTranslations.cpp
using AnyLayout = std::variant<Layout, StridedLayout, LinearLayout>;

/// Which notation it is shows at the beginning: `{register`, `(` or `Sw<`, or else
/// a type.
static std::optional<AnyLayout> parseAny(StringRef text, ParseError &error) {
  auto wrap = [](auto layout) {
    return layout ? std::optional<AnyLayout>(std::move(*layout)) : std::nullopt;
  };
  if (text.starts_with("{") && llvm::isAlpha(text.drop_front().ltrim().front()))
    return wrap(LinearLayout::parse(text, error));
  if (text.starts_with("(") || text.starts_with("Sw<") ||
      llvm::isDigit(text.front()))
    return wrap(StridedLayout::parse(text, error));
  return wrap(Layout::parse(text, error));
}

/// Reads the layouts of a file, one a line; empty lines and those that begin
/// with `//` say nothing. Fails with an error at the offending character.
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
/// table needs: narrower ones wrap lines by themselves. 0 if there is none.
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
