//===- MapPicture.cpp - What an indexing map sends where, drawn -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Two dims are drawn, those with the most indices, and up to three points:
//      the first, the one in the middle and the last. Other dims are at their
//      first index.
//   2. The results of a point are those over all values of the symbols, walked
//      one by one. Runtime variables are at their smallest value.
//   3. Two results are drawn, those along which points differ or reach furthest.
//
//===----------------------------------------------------------------------===//

#include "Canvas/Figures.h"
#include "Canvas/Panel.h"
#include "TensorAccess/Export/Pictures.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kGap = 70;
constexpr int64_t kMaxSquares = 28;
/// Values of symbols that are walked for a point.
constexpr uint64_t kBudget = 1 << 14;
constexpr int64_t kFar = int64_t(1) << 60;

/// A point of the dims, and what it is mapped to.
struct Followed {
  SmallVector<int64_t> point;
  std::set<Point> results;
  StringRef color;
};

class Drawing {
public:
  explicit Drawing(const IndexingMap &map) : map(map) {}
  std::optional<std::string> prepare();
  Picture finish() const;

private:
  std::optional<std::string> checkBounds() const;
  /// Step 2; false where there are too many.
  bool walk(ArrayRef<int64_t> point, std::set<Point> &results) const;
  void follow(ArrayRef<int64_t> point);
  void chooseResults();
  Plane drawDims() const;
  Plane drawResults() const;

  const IndexingMap &map;
  View rows, columns, resultRows, resultColumns;
  std::vector<Followed> points;
  bool isCut = false;
};

} // namespace

std::optional<std::string> Drawing::checkBounds() const {
  if (map.isUnknown())
    return std::string("an unknown map has no picture");
  for (auto [v, range] : llvm::enumerate(map.getRanges())) {
    const bool isRuntime = map.getVariableKind(v) == VariableKind::Runtime;
    if (map.isKnownEmpty() || range.isEmpty())
      return std::string("the map has no points to draw");
    if (!range.hasLower() || (!isRuntime && !range.hasUpper()))
      return map.getVariableName(v) + " has no bounds, so there is no picture";
    if (range.lower < -kFar || (range.hasUpper() && range.upper > kFar))
      return std::string("numbers beyond 2^60 are not drawn");
  }
  return std::nullopt;
}

bool Drawing::walk(ArrayRef<int64_t> point, std::set<Point> &results) const {
  SmallVector<int64_t> values(point);
  uint64_t count = 1;
  for (const Interval &range : map.getSymbolRanges()) {
    values.push_back(range.lower);
    const uint64_t size = range.upper - range.lower + 1;
    if (size > kBudget || (count *= size) > kBudget)
      return false;
  }
  for (const Interval &range : map.getRuntimeRanges())
    values.push_back(range.lower);
  const ArrayRef<Interval> symbols = map.getSymbolRanges();
  for (uint64_t i = 0; i != count; ++i) {
    if (auto found = map.evaluateAt(values))
      if (llvm::all_of(*found, [](int64_t x) { return x > -kFar && x < kFar; }))
        results.emplace(found->begin(), found->end());
    // The next values of the symbols, the last one fastest.
    for (size_t s = symbols.size(); s-- > 0;) {
      int64_t &value = values[point.size() + s];
      if (++value <= symbols[s].upper)
        break;
      value = symbols[s].lower;
    }
  }
  return true;
}

void Drawing::follow(ArrayRef<int64_t> point) {
  if (llvm::any_of(points, [&](const Followed &other) {
        return ArrayRef(other.point) == point;
      }))
    return;
  std::set<Point> results;
  if (!walk(point, results))
    isCut = true;
  if (!results.empty())
    points.push_back({llvm::to_vector(point), std::move(results),
                      color::points[points.size()]});
}

std::optional<std::string> Drawing::prepare() {
  if (std::optional<std::string> problem = checkBounds())
    return problem;
  // Step 1.
  const ArrayRef<Interval> dims = map.getDimRanges();
  const SmallVector<int, 2> order = chooseTwo(dims.size(), [&](int d) {
    return std::pair(dims[d].isPoint(), dims[d].lower - dims[d].upper);
  });
  auto view = [&](int d) {
    return View::around(d, dims[d].lower, dims[d].upper + 1, std::nullopt,
                        kMaxSquares);
  };
  if (!order.empty())
    columns = view(order.back());
  if (order.size() == 2)
    rows = view(order.front());
  for (int part : {0, 1, 2}) {
    SmallVector<int64_t> point;
    for (const Interval &range : dims)
      point.push_back(range.lower);
    for (int d : order)
      point[d] += (dims[d].upper - dims[d].lower) / 2 * (part == 1) +
                  (dims[d].upper - dims[d].lower) * (part == 2);
    follow(point);
  }
  if (points.empty())
    return std::string(
        isCut ? "the map's symbols have too many values to draw"
              : "none of the first, the middle and the last point is in the "
                "map's domain, so there is no picture");
  chooseResults();
  return std::nullopt;
}

/// Step 3.
void Drawing::chooseResults() {
  const unsigned rank = map.getNumResults();
  SmallVector<Interval> reach(rank, Interval(kFar, -kFar));
  for (const Followed &followed : points)
    for (const Point &result : followed.results)
      for (auto [range, x] : llvm::zip_equal(reach, result))
        range = {std::min(range.lower, x), std::max(range.upper, x)};
  const SmallVector<int, 2> order =
      chooseTwo(rank, [&](int r) { return reach[r].lower - reach[r].upper; });
  auto view = [&](int r) {
    return View::around(r, reach[r].lower, reach[r].upper + 1, std::nullopt,
                        kMaxSquares);
  };
  if (!order.empty())
    resultColumns = view(order.back());
  if (order.size() == 2)
    resultRows = view(order.front());
}

/// Squares, each in the colours of the points that `has` finds in it.
static Plane
drawSquares(const View &rows, const View &columns, ArrayRef<Followed> points,
            llvm::function_ref<bool(const Followed &, Stretch, Stretch)> has) {
  Plane plane;
  plane.rows = {rows.makeAxis(/*hasTicks=*/true)};
  plane.columns = {columns.makeAxis(/*hasTicks=*/true)};
  for (int64_t r = 0; r != rows.count(); ++r)
    for (int64_t c = 0; c != columns.count(); ++c) {
      const auto [top, bottom] = rows.square(r);
      const auto [left, right] = columns.square(c);
      const Stretch row{top, bottom}, column{left, right};
      StringRef fill = color::faint;
      unsigned count = 0;
      for (const Followed &followed : points)
        if (has(followed, row, column)) {
          fill = count++ ? fill : followed.color;
        }
      plane.areas.push_back(
          {row, column, Look::framed(fill, color::rule, count > 1)});
    }
  return plane;
}

static bool isIn(int64_t x, const Stretch &stretch) {
  return x >= stretch.lo && x < stretch.hi;
}

Plane Drawing::drawDims() const {
  return drawSquares(
      rows, columns, points,
      [&](const Followed &followed, Stretch row, Stretch column) {
        return (rows.dim < 0 || isIn(followed.point[rows.dim], row)) &&
               (columns.dim < 0 || isIn(followed.point[columns.dim], column));
      });
}

Plane Drawing::drawResults() const {
  return drawSquares(
      resultRows, resultColumns, points,
      [&](const Followed &followed, Stretch row, Stretch column) {
        return llvm::any_of(followed.results, [&](const Point &x) {
          return (resultRows.dim < 0 || isIn(x[resultRows.dim], row)) &&
                 (resultColumns.dim < 0 || isIn(x[resultColumns.dim], column));
        });
      });
}

Picture Drawing::finish() const {
  auto describe = [](const View &view, StringRef way, StringRef name) {
    std::string text = (way + ": " + name + ", ").str() +
                       std::to_string(view.begin) + " to " +
                       std::to_string(view.end - 1);
    if (view.scale > 1)
      text += ", " + std::to_string(view.scale) + " a square";
    return text;
  };
  auto panel = [&](StringRef heading, Plane plane, const View &down,
                   const View &across, auto getName,
                   std::vector<std::string> lines) -> Panel {
    if (down.dim >= 0)
      lines.push_back(describe(down, "down", getName(down.dim)));
    if (across.dim >= 0)
      lines.push_back(describe(across, "across", getName(across.dim)));
    for (std::string &line : lines)
      line = Sheet::elide(line, 90);
    return {{TextLine::heading(heading)}, std::move(plane), makeNotes(lines)};
  };
  Picture picture;
  std::vector<std::string> counts;
  for (const Followed &followed : points) {
    const std::string at = pointToString(followed.point);
    picture.legend.push_back(Key::swatch(followed.color, at));
    counts.push_back(at + " is mapped to " +
                     (followed.results.size() == 1
                          ? pointToString(*followed.results.begin())
                          : printCount(followed.results.size()) + " indices"));
  }
  Plane results = drawResults();
  if (llvm::any_of(results.areas,
                   [](const Area &area) { return area.look.isHatched; }))
    picture.legend.push_back(
        Key::swatch("", "of several points", /*isHatched=*/true));
  std::vector<std::string> fixed;
  if (map.getNumDims() > 2)
    fixed.push_back("other dims are at their first index");
  if (map.getNumRuntime() > 0)
    counts.push_back("runtime variables are at their smallest value");
  if (isCut)
    counts.push_back("points with too many results are left out");
  Stack panels;
  panels.isAcross = true;
  panels.gap = kGap;
  panels.parts = {panel(
                      "points", drawDims(), rows, columns,
                      [&](int d) { return map.getVariableName(d); }, fixed),
                  panel(
                      "what they are mapped to", std::move(results), resultRows,
                      resultColumns,
                      [&](int r) {
                        return "result " + std::to_string(r) + ", " +
                               map.formText(map.getResult(r));
                      },
                      counts)};
  picture.title = Sheet::elide(map.str(), 110);
  picture.description = llvm::join(counts, "; ");
  picture.body.content = std::move(panels);
  return picture;
}

std::optional<std::string>
mlir::tensoraccess::writeMapSvg(const IndexingMap &map, llvm::raw_ostream &os) {
  Drawing drawing(map);
  if (std::optional<std::string> problem = drawing.prepare())
    return problem;
  writeSvg(drawing.finish(), os);
  return std::nullopt;
}
