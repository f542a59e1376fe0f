//===- LayoutTable.cpp - A tiled layout on the terminal -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planes of the array with the numbers of the elements, then memory with their
// indices. `│` and `─` are borders of the first level of tiles, `┊` and `┄` of
// later ones; `·` is padding. A table that is too wide is folded: its columns
// are dealt out to panels, one below the other, each with the labels of rows.
// Also reads layouts for tensoraccess-translate.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlanes.h"
#include "TensorAccess/Core/Layout.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

#if __has_include(<sys/ioctl.h>)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

using namespace mlir;
using namespace mlir::tensoraccess;

/// The first level at which any two neighbours of the pairs given belong to
/// different tiles.
template <typename Pairs>
static std::optional<size_t> getFirstBorder(const Pairs &pairs) {
  std::optional<size_t> first;
  for (const auto &[a, b] : pairs)
    for (size_t level = 0; level < std::min(a->tiles.size(), b->tiles.size());
         ++level)
      if (a->tiles[level] != b->tiles[level]) {
        first = std::min(level, first.value_or(level));
        break;
      }
  return first;
}

/// How many columns of `width` characters and one between them fit behind a
/// label; at least one.
static size_t countColumns(int64_t maxWidth, size_t label, size_t width) {
  if (maxWidth == 0)
    return std::numeric_limits<size_t>::max();
  return std::max<int64_t>((maxWidth - int64_t(label)) / int64_t(width + 1), 1);
}

static void writePlane(const LayoutPlanes &planes, const LayoutPlane &plane,
                       int64_t maxWidth, raw_ostream &os) {
  const size_t rows = planes.rows.size(), columns = planes.columns.size();
  size_t width = 1, label = 1;
  for (const auto &row : plane.cells)
    for (const LayoutCell &cell : row)
      width = std::max(width, std::to_string(cell.number).size());
  for (int64_t c : planes.columns)
    width = std::max(width, std::to_string(c).size());
  for (int64_t r : planes.rows)
    label = std::max(label, std::to_string(r).size());

  // Borders between columns, over all rows, and the other way round.
  using Pair = std::pair<const LayoutCell *, const LayoutCell *>;
  std::vector<std::optional<size_t>> columnBorders(columns), rowBorders(rows);
  for (size_t c = 0; c + 1 < columns; ++c) {
    SmallVector<Pair> pairs;
    for (size_t r = 0; r < rows; ++r)
      pairs.emplace_back(&plane.cells[r][c], &plane.cells[r][c + 1]);
    columnBorders[c] = getFirstBorder(pairs);
  }
  for (size_t r = 0; r + 1 < rows; ++r) {
    SmallVector<Pair> pairs;
    for (size_t c = 0; c < columns; ++c)
      pairs.emplace_back(&plane.cells[r][c], &plane.cells[r + 1][c]);
    rowBorders[r] = getFirstBorder(pairs);
  }

  if (!plane.title.empty())
    os << plane.title << '\n';
  auto put = [&](StringRef text, size_t characters) {
    os.indent(width - std::min(width, characters) + 1) << text;
  };
  auto separate = [&](size_t c, bool isHead) {
    os << (!columnBorders[c] || isHead ? " "
           : *columnBorders[c] == 0    ? "│"
                                       : "┊");
  };
  auto writePanel = [&](size_t first, size_t end) {
    os.indent(label + 1);
    for (size_t c = first; c < end; ++c) {
      const std::string text =
          planes.columns[c] < 0 ? "…" : std::to_string(planes.columns[c]);
      put(text, planes.columns[c] < 0 ? 1 : text.size());
      if (c + 1 < end)
        separate(c, /*isHead=*/true);
    }
    os << '\n';
    for (size_t r = 0; r < rows; ++r) {
      const std::string name = planes.rows[r] < 0 ? "…"
                               : planes.rowDim < 0
                                   ? ""
                                   : std::to_string(planes.rows[r]);
      os.indent(label - (planes.rows[r] < 0 ? 1 : name.size())) << name << ' ';
      for (size_t c = first; planes.rows[r] >= 0 && c < end; ++c) {
        const LayoutCell &cell = plane.cells[r][c];
        if (planes.columns[c] < 0)
          put("…", 1);
        else if (cell.isPadding)
          put("·", 1);
        else
          put(std::to_string(cell.number), std::to_string(cell.number).size());
        if (c + 1 < end)
          separate(c, /*isHead=*/false);
      }
      os << '\n';
      if (!rowBorders[r])
        continue;
      os.indent(label + 1);
      const StringRef dash = *rowBorders[r] == 0 ? "─" : "┄";
      for (size_t c = first; c < end; ++c) {
        for (size_t i = 0; i < width + 1; ++i)
          os << dash;
        if (c + 1 < end)
          os << (columnBorders[c] && *columnBorders[c] == 0 &&
                         *rowBorders[r] == 0
                     ? "┼"
                     : dash);
      }
      os << '\n';
    }
  };
  // A column is a space, its number and the border behind it, but for the last.
  const size_t step = countColumns(maxWidth, label, width + 1);
  size_t end = std::min(step, columns);
  writePanel(0, end);
  while (end < columns) {
    const size_t first = end;
    end += std::min(step, columns - first);
    os << '\n';
    writePanel(first, end);
  }
}

static void writeMemory(const LayoutPlanes &planes, int64_t maxWidth,
                        raw_ostream &os) {
  auto print = [](const LayoutCell &cell) {
    if (cell.isPadding)
      return std::string("·");
    std::string text = "(";
    for (auto [i, value] : llvm::enumerate(cell.index))
      text += (i ? "," : "") + std::to_string(value);
    return text + ")";
  };
  size_t width = 1;
  for (const auto &row : planes.memory)
    for (const LayoutCell &cell : row)
      if (!cell.isPadding)
        width = std::max(width, print(cell).size());
  // A line that goes on below begins with the number of its first place, too.
  size_t label = std::to_string(planes.memoryBegins.back()).size();
  auto isFolded = [&](const auto &row) {
    return row.size() > countColumns(maxWidth, label, width);
  };
  if (llvm::any_of(planes.memory, isFolded))
    label = std::to_string(planes.memoryBegins.back() +
                           int64_t(planes.memory.back().size()))
                .size();
  const size_t step = countColumns(maxWidth, label, width);
  os << "memory\n";
  for (auto [begin, row] :
       llvm::zip_equal(planes.memoryBegins, planes.memory)) {
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
  for (const LayoutPlane &plane : planes->planes) {
    os << '\n';
    writePlane(*planes, plane, options.maxWidth, os);
  }
  if (planes->hiddenPlanes != 0)
    os << "\n… and " << planes->hiddenPlanes << " more planes\n";
  if (!planes->memory.empty()) {
    os << '\n';
    writeMemory(*planes, options.maxWidth, os);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// tensoraccess-translate
//===----------------------------------------------------------------------===//

/// Reads the layouts of a file, one a line; empty lines and those that begin
/// with `//` say nothing. Fails with an error at the offending character.
static LogicalResult
readLayouts(llvm::SourceMgr &sources, MLIRContext *context,
            std::vector<std::pair<Layout, Location>> &layouts) {
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
    std::optional<Layout> layout = Layout::parse(text, error);
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
      "draw a layout with its shape, as in `f32[3,5]{1,0:T(2,2)}`",
      [getOptions](const std::shared_ptr<llvm::SourceMgr> &sources,
                   raw_ostream &os, MLIRContext *context) -> LogicalResult {
        std::vector<std::pair<Layout, Location>> layouts;
        if (failed(readLayouts(*sources, context, layouts)))
          return failure();
        if (layouts.size() != 1)
          return emitError(layouts[1].second)
                 << "a picture shows one layout, got " << layouts.size();
        if (auto problem =
                writeLayoutSvg(layouts.front().first, os, getOptions()))
          return emitError(layouts.front().second) << *problem;
        return success();
      });
  static TranslateRegistration text(
      "layout-to-text",
      "print layouts with their shapes as tables, as in "
      "`f32[3,5]{1,0:T(2,2)}`",
      [getOptions](const std::shared_ptr<llvm::SourceMgr> &sources,
                   raw_ostream &os, MLIRContext *context) -> LogicalResult {
        std::vector<std::pair<Layout, Location>> layouts;
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
          if (auto problem = writeLayoutText(entry.first, out, options))
            return emitError(entry.second) << *problem;
        }
        os << tables;
        return success();
      });
}
