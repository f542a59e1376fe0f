//===- AttributeText.cpp - How attributes explain themselves --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An editor waits for these texts, so counting has a budget and tables have few
// rows.
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Points and boxes that are looked at while counting, points that are tried for
/// a table, and rows of a table.
static constexpr uint64_t kBudget = 1 << 14;
static constexpr int64_t kMostTried = 4096;
static constexpr size_t kMostRows = 6;

static std::string join(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  return text;
}

static void printBlock(StringRef language, StringRef text, raw_ostream &os) {
  os << "\n```" << language << '\n' << text.rtrim() << "\n```\n";
}

static void printHeader(StringRef left, StringRef right, raw_ostream &os) {
  os << "\n| " << left << " | " << right << " |\n|---|---|\n";
}

static void printRow(const Twine &left, const Twine &right, raw_ostream &os) {
  os << "| " << left << " | " << right << " |\n";
}

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

static std::string print(const Interval &interval) {
  auto bound = [](bool has, int64_t value) {
    return has ? std::to_string(value) : std::string("?");
  };
  if (interval.isPoint())
    return std::to_string(interval.lower);
  return bound(interval.hasLower(), interval.lower) + " … " +
         bound(interval.hasUpper(), interval.upper);
}

/// A value for each variable as the text form groups them.
static std::string printPoint(const IndexingMap &map,
                              ArrayRef<int64_t> values) {
  ArrayRef<int64_t> dims = values.take_front(map.getNumDims());
  ArrayRef<int64_t> symbols =
      values.slice(map.getNumDims(), map.getNumSymbols());
  ArrayRef<int64_t> runtime = values.take_back(map.getNumRuntime());
  std::string text = "(" + join(dims) + ")";
  if (!symbols.empty())
    text += "[" + join(symbols) + "]";
  if (!runtime.empty())
    text += "{" + join(runtime) + "}";
  return text;
}

/// The first points, the last variable fastest, and what they are mapped to.
static void printPoints(const IndexingMap &map, raw_ostream &os) {
  ArrayRef<Interval> ranges = map.getRanges();
  SmallVector<int64_t> point;
  for (const Interval &range : ranges) {
    if (!range.hasLower() || range.isEmpty())
      return;
    point.push_back(range.lower);
  }
  size_t rows = 0;
  for (int64_t tried = 0; tried != kMostTried && rows != kMostRows; ++tried) {
    if (auto results = map.evaluateAt(point)) {
      if (rows++ == 0)
        printHeader("point", "result", os);
      printRow(printPoint(map, point), "(" + join(*results) + ")", os);
    }
    size_t i = ranges.size();
    while (i != 0 && point[i - 1] == ranges[i - 1].upper) {
      --i;
      point[i] = ranges[i].lower;
    }
    if (i == 0)
      return;
    ++point[i - 1];
  }
}

/// The values of the only result: all between two, or some of these.
static std::string printValues(const IndexingMap &map) {
  Footprint image = getImage(map, nullptr, kBudget);
  if (!image.hull)
    return "?";
  Interval range{image.hull->lo.front(), image.hull->hi.front() - 1};
  return (image.kind == Exactness::Exact ? "" : "within ") + print(range);
}

static void printAbout(const IndexingMap &map, raw_ostream &os) {
  os << "**Indexing map**";
  if (map.isUnknown()) {
    os << ": unknown, anything may be read\n";
    return;
  }
  IndexingMap simple = map.simplify();
  if (simple.isKnownEmpty()) {
    os << ": empty, nothing is read\n";
    return;
  }
  os << " in its simplest form\n";
  printBlock("text", simple.str(), os);

  std::optional<uint64_t> points = countPoints(simple, kBudget);
  std::optional<uint64_t> results = countImage(simple, kBudget);
  auto count = [&](std::optional<uint64_t> number, StringRef what) {
    if (number)
      os << *number << ' ' << what << (number == 1u ? "" : "s");
    else
      os << "an unknown number of " << what << 's';
  };
  os << '\n';
  count(points, "point");
  os << ", ";
  count(results, "different result");
  os << '\n';

  if (simple.getNumVariables() + simple.getNumResults() != 0)
    printHeader("", "values", os);
  for (unsigned i = 0, e = simple.getNumVariables(); i != e; ++i)
    printRow("`" + simple.getVariableName(i) + "`",
             print(simple.getRanges()[i]), os);
  for (unsigned i = 0, e = simple.getNumResults(); i != e; ++i)
    printRow("result " + Twine(i) + ": `" +
                 simple.formText(simple.getResult(i)) + "`",
             printValues(simple.selectResults({i})), os);
  printPoints(simple, os);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static std::string print(ShapedType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : type.getShape())
    if (ShapedType::isDynamic(size))
      os << "?x";
    else
      os << size << 'x';
  os << type.getElementType();
  return text;
}

/// The table of a terminal, without the line that names the layout, and
/// without memory.
template <typename T>
static void printTable(const T &layout, raw_ostream &os) {
  LayoutPictureOptions options;
  options.maxRows = options.maxColumns = 8;
  options.maxPlanes = 1;
  options.maxWidth = 72;
  std::string text;
  llvm::raw_string_ostream table(text);
  if (writeLayoutText(layout, table, options))
    return;
  StringRef shown = StringRef(text).split('\n').second;
  printBlock("text", shown.split("\nmemory\n").first, os);
}

static void printHead(StringRef what, StringRef text, ShapedType holder,
                      raw_ostream &os) {
  os << "**" << what << "** `" << text << "`";
  if (holder)
    os << " of `" << print(holder) << "`";
  os << '\n';
}

static void printAbout(const Layout &layout, ShapedType holder,
                       raw_ostream &os) {
  printHead("Tiled layout", layout.str(), holder, os);
  std::optional<XlaType> type =
      holder ? getStoredType(holder.getElementType()) : std::nullopt;
  if (type && layout.getRank() == holder.getRank()) {
    printTable(layout.withShape(holder.getShape(), *type), os);
    return;
  }
  if (layout.getRank() != 0)
    os << "\nDimensions from minor to major: " << join(layout.minorToMajor)
       << '\n';
  os << "\nHow large it is depends on the tensor that it is the encoding of.\n";
}

std::string tensoraccess::describeLayout(const Layout &layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printHead("Tiled layout", layout.str(), {}, os);
  printTable(layout, os);
  return text;
}

/// What the numbers of a strided or a linear layout take.
static void printBytes(Attribute attr, ShapedType holder, raw_ostream &os) {
  std::string error;
  if (!holder || !holder.hasStaticShape())
    return;
  auto places = getPlaces(attr, holder.getShape(), error);
  std::optional<uint64_t> bytes = getElementBytes(holder.getElementType());
  if (!places || !bytes)
    return;
  os << '\n'
     << places->numbers * *bytes << " bytes, "
     << places->numbers - holder.getNumElements() << " elements of padding\n";
}

static void printAbout(StridedAttr attr, ShapedType holder, raw_ostream &os) {
  printHead("Strided layout", attr.getValue().str(), holder, os);
  printBytes(attr, holder, os);
  printTable(attr.getValue(), os);
}

static void printAbout(LinearAttr attr, ShapedType holder, raw_ostream &os) {
  const LinearLayout &layout = attr.getValue();
  printHead("Linear layout", layout.str(), holder, os);
  printBytes(attr, holder, os);
  os << '\n'
     << (layout.isSurjective() ? "every" : "not every") << " element is held, "
     << (layout.isInjective() ? "each once\n" : "some more than once\n");
  printTable(layout, os);
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

/// `2 * i0 - i1 - 1`.
static std::string printSum(ArrayRef<int64_t> factors, int64_t constant) {
  std::string text;
  auto add = [&](int64_t value, const std::string &name) {
    if (value == 0)
      return;
    uint64_t size = value < 0 ? -static_cast<uint64_t>(value) : value;
    if (!text.empty())
      text += value < 0 ? " - " : " + ";
    else if (value < 0)
      text += '-';
    if (name.empty() || size != 1)
      text += std::to_string(size) + (name.empty() ? "" : " * ");
    text += name;
  };
  for (auto [i, factor] : llvm::enumerate(factors))
    add(factor, "i" + std::to_string(i));
  add(constant, "");
  return text.empty() ? "0" : text;
}

static std::string print(const IndexRegion &region) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      llvm::zip(region.lo, region.hi), os,
      [&](auto side) {
        os << '[' << std::get<0>(side) << ", " << std::get<1>(side) << ')';
      },
      " x ");
  return text.empty() ? "()" : text;
}

static void printAbout(const AnchoredProjection &anchored, raw_ostream &os) {
  const Projection &projection = anchored.projection;
  os << "**Index projection**: point i touches a box of shape ("
     << join(projection.shape) << ")\n";
  printBlock("text", anchored.str(), os);
  if (projection.getNumRows() == 0)
    return;
  os << "\n| dimension | begins at | length | outside |\n|---|---|---|---|\n";
  for (auto [row, factors] : llvm::enumerate(projection.matrix)) {
    std::optional<int64_t> begin =
        checkedAdd(projection.offset[row],
                   projection.anchor ? (*projection.anchor)[row] : int64_t(0));
    os << "| " << row << " | `" << (begin ? printSum(factors, *begin) : "?")
       << "` | " << projection.shape[row] << " | "
       << projection.getOutOfBounds(row).str() << " |\n";
  }
  // The origin, and a step along each axis.
  printHeader("point", "touches", os);
  SmallVector<int64_t> point(projection.getNumColumns(), 0);
  for (size_t i = 0; i <= std::min(point.size(), kMostRows); ++i) {
    llvm::fill(point, 0);
    if (i != 0)
      point[i - 1] = 1;
    if (std::optional<IndexRegion> region = projection.evaluate(point))
      printRow("(" + join(point) + ")", print(*region), os);
  }
}

std::string tensoraccess::describeAttribute(Attribute attr, ShapedType holder) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto map = dyn_cast<IndexingMapAttr>(attr))
    printAbout(map.getValue(), os);
  else if (auto layout = dyn_cast<LayoutAttr>(attr))
    printAbout(layout.getValue(), holder, os);
  else if (auto strided = dyn_cast<StridedAttr>(attr))
    printAbout(strided, holder, os);
  else if (auto linear = dyn_cast<LinearAttr>(attr))
    printAbout(linear, holder, os);
  else if (auto projection = dyn_cast<ProjectionAttr>(attr))
    printAbout(projection.getValue(), os);
  return text;
}
