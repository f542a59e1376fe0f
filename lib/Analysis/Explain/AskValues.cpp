//===- AskValues.cpp - One question about a layout or a map ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Analysis/Ask.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/Tile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

void tensoraccess::addLayout(ExplainRow &row, const Layout &layout) {
  if (std::optional<LayoutWaste> waste = getWaste(layout))
    row.add("size", Bounds::exactly(waste->sizeBytes))
        .add("used", Bounds::exactly(waste->usedBytes))
        .add("padding", waste->getRatio());
  row.add("layout", layout.layoutStr());
  SmallVector<std::string> notations;
  std::string reason;
  auto join = [](ArrayRef<int64_t> numbers) {
    return llvm::interleaved_array(numbers).str();
  };
  if (layout.tiles.empty()) {
    if (std::optional<SymbolicStrides> strided =
            toSymbolicStrides(layout, reason))
      notations.push_back("strides " + strided->str());
  } else {
    if (std::optional<PackParameters> pack = toPack(layout, reason))
      notations.push_back(
          "linalg.pack outer_dims_perm = " + join(pack->outerDimsPerm) +
          " inner_dims_pos = " + join(pack->innerDimsPos) +
          " inner_tiles = " + join(pack->innerTiles));
    if (std::optional<std::string> tag = toBlockedTag(layout, reason))
      notations.push_back("tag " + *tag);
  }
  row.text = llvm::join(notations, "; ");
}

std::optional<Explanation> tensoraccess::ask(StringRef question,
                                             const Layout &layout,
                                             std::string &error) {
  static constexpr StringRef kAbout[] = {"padding", "layouts", "all"};
  if (!llvm::is_contained(kAbout, question)) {
    error = refuseQuestion(question, kAbout, "layout");
    return std::nullopt;
  }
  if (!layout.hasStaticShape() || !layout.elementType) {
    error = "a layout is asked about with its shape and element type, as "
            "f32[3,5]{1,0:T(2,2)}";
    return std::nullopt;
  }
  Explanation result;
  result.program = layout.str();
  if (question != "layouts") {
    ExplainSection &section = result.sections.emplace_back(
        ExplainSection{"padding", "padding", {}, {}});
    ExplainRow &row = section.rows.emplace_back();
    row.kind = "layout";
    addPadding(row, layout);
    row.name = layout.layoutStr();
  }
  if (question != "padding") {
    ExplainSection &section = result.sections.emplace_back(
        ExplainSection{"layouts", "layout", {}, {}});
    addLayout(section.rows.emplace_back(), layout);
  }
  result.next = question == "padding" ? "layouts" : "padding";
  return result;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

std::string tensoraccess::printTile(const IndexingMap &map, bool &isKnown) {
  TileFailure failure;
  std::optional<SymbolicTile> tile = getSymbolicTile(map, {}, failure);
  isKnown = tile.has_value();
  if (!tile)
    return "none: " + failure.message;
  SmallVector<StringRef> lines;
  const std::string text = tile->str();
  StringRef(text).trim().split(lines, '\n');
  std::string joined;
  for (StringRef line : lines) {
    if (!joined.empty())
      joined += "; ";
    if (line.consume_front("result "))
      joined += "dimension ";
    joined += line;
  }
  return joined;
}

static StringRef toWord(std::optional<bool> answer) {
  return !answer ? "unknown" : *answer ? "yes" : "no";
}

std::optional<Explanation> tensoraccess::ask(StringRef question,
                                             const IndexingMap &map,
                                             std::string &error) {
  static constexpr StringRef kAbout[] = {"reads", "reached", "tiles", "all"};
  if (!llvm::is_contained(kAbout, question)) {
    error = refuseQuestion(question, kAbout, "map");
    return std::nullopt;
  }
  Explanation result;
  result.program = map.str();
  auto add = [&](StringRef key, StringRef title) -> ExplainRow & {
    ExplainRow &row =
        result.sections.emplace_back(ExplainSection{key, title, {}, {}})
            .rows.emplace_back();
    row.name = "map";
    return row;
  };
  if (question == "reads" || question == "all") {
    ExplainRow &row = add("reads", "what it reads");
    const Footprint image = getImage(map);
    std::optional<uint64_t> points = countPoints(map);
    row.add("elements", image.count ? Bounds::exactly(image.count)
                                    : Bounds{0, std::nullopt})
        .add("points",
             points ? Bounds::exactly(points) : Bounds{0, std::nullopt})
        .add("injective", toWord(isInjective(map)));
    if (image.hull) {
      SmallVector<std::string> ranges;
      for (size_t d = 0; d < image.hull->lo.size(); ++d)
        ranges.push_back("[" + std::to_string(image.hull->lo[d]) + ", " +
                         std::to_string(image.hull->hi[d] - 1) + "]");
      row.add(image.kind == Exactness::Exact ? "box" : "within",
              llvm::join(ranges, " x "));
    }
    row.text = map.simplify().str();
  }
  if (question == "reached" || question == "all") {
    ExplainRow &row = add("reached", "what an element is read by");
    std::optional<IndexingMap> back = inverse(map);
    row.text = back ? back->simplify().str() : "unknown";
  }
  if (question == "tiles" || question == "all") {
    ExplainRow &row =
        add("tiles", "what a tile at offsets o, of sizes t, reads");
    bool isKnown;
    row.text = printTile(map, isKnown);
  }
  result.next = question == "reads" ? "tiles" : "reads";
  return result;
}
