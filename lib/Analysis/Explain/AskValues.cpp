//===- AskValues.cpp - One question about a layout or a map ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AskElements.h"
#include "TensorAccess/Analysis/Ask.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/LayoutRecipe.h"
#include "TensorAccess/Core/LinearQueries.h"
#include "TensorAccess/Core/Tile.h"
#include "llvm/ADT/DenseSet.h"
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

/// Whether a question is one about layouts; otherwise `error` lists those that are.
static bool isOfLayouts(StringRef question, std::string &error,
                        bool isLinear = false) {
  static constexpr StringRef kAbout[] = {"padding", "layouts", "all",
                                         "reached"};
  ArrayRef<StringRef> about = ArrayRef(kAbout).drop_back(!isLinear);
  if (llvm::is_contained(about, question))
    return true;
  error =
      refuseQuestion(question, about, isLinear ? "linear layout" : "layout");
  return false;
}

/// What else to ask about a layout: last, where its last element is.
static std::string getNext(StringRef question, ArrayRef<int64_t> sizes) {
  if (question == "padding")
    return "layouts";
  if (sizes.empty() || llvm::is_contained(sizes, 0))
    return "";
  return "layouts --element=" +
         llvm::join(
             llvm::map_range(
                 sizes, [](int64_t size) { return std::to_string(size - 1); }),
             ",");
}

/// Where one element is, an answer of its own.
template <typename T>
static std::optional<Explanation>
askElement(StringRef question, const T &layout, ArrayRef<int64_t> element,
           std::string &error) {
  if (question != "layouts") {
    error = "an element is for 'layouts', not for '" + question.str() + "'";
    return std::nullopt;
  }
  std::optional<ExplainSection> section = locateElement(layout, element, error);
  if (!section)
    return std::nullopt;
  Explanation result;
  result.program = layout.str();
  result.sections.push_back(std::move(*section));
  return result;
}

/// How the array becomes its physical shape, whose rows follow one another in
/// memory.
static void addSteps(Explanation &answer, const Layout &layout) {
  std::optional<LayoutRecipe> recipe = getPackRecipe(layout);
  if (!recipe || recipe->steps.empty())
    return;
  ExplainSection &section = answer.sections.emplace_back(ExplainSection{
      "steps", "from the array to memory, then row-major", {}, {}});
  for (const RecipeStep &step : recipe->steps) {
    const std::string text = step.str();
    auto [what, shape] = StringRef(text).split(" -> ");
    ExplainRow &row = section.rows.emplace_back();
    row.name = what.split(' ').first.str();
    row.add("by", what.split(' ').second).add("shape", shape);
  }
}

std::optional<Explanation>
tensoraccess::ask(StringRef question, const Layout &layout, std::string &error,
                  std::optional<ArrayRef<int64_t>> element) {
  if (!isOfLayouts(question, error))
    return std::nullopt;
  if (!layout.hasStaticShape() || !layout.elementType) {
    error = "a layout is asked about with its shape and element type, as "
            "f32[3,5]{1,0:T(2,2)}";
    return std::nullopt;
  }
  if (element)
    return askElement(question, layout, *element, error);
  Explanation result;
  result.program = layout.str();
  if (question != "layouts") {
    ExplainSection &section = result.sections.emplace_back(
        ExplainSection{"padding", "padding, in bytes", {}, {}});
    ExplainRow &row = section.rows.emplace_back();
    row.kind = "layout";
    addPadding(row, layout);
    row.name = layout.layoutStr();
  }
  if (question != "padding") {
    ExplainSection &section = result.sections.emplace_back(
        ExplainSection{"layouts", "layout", {}, {}});
    addLayout(section.rows.emplace_back(), layout);
    addSteps(result, layout);
  }
  result.next = getNext(question, *layout.shape);
  return result;
}

/// The answer about a layout in elements: `addPadding` fills a row, `addLayout`
/// adds rows.
static Explanation
askInElements(StringRef question, std::string text, ArrayRef<int64_t> sizes,
              llvm::function_ref<void(ExplainRow &)> addPadding,
              llvm::function_ref<void(ExplainSection &)> addLayout) {
  Explanation result;
  result.program = std::move(text);
  if (question != "layouts") {
    ExplainRow &row = result.sections
                          .emplace_back(ExplainSection{
                              "padding", "places and elements", {}, {}})
                          .rows.emplace_back();
    row.name = "layout";
    addPadding(row);
  }
  if (question != "padding")
    addLayout(result.sections.emplace_back(
        ExplainSection{"layouts", "layout", {}, {}}));
  result.next = getNext(question, sizes);
  return result;
}

std::optional<Explanation>
tensoraccess::ask(StringRef question, const StridedLayout &layout,
                  std::string &error,
                  std::optional<ArrayRef<int64_t>> element) {
  if (!isOfLayouts(question, error))
    return std::nullopt;
  if (element)
    return askElement(question, layout, *element, error);
  SmallVector<int64_t> sizes;
  for (unsigned i = 0; i < layout.getRank(); ++i)
    sizes.push_back(layout.getMode(i).getSize());
  return askInElements(
      question, layout.str(), sizes,
      [&](ExplainRow &row) {
        constexpr int64_t kMostCounted = int64_t(1) << 20;
        const int64_t size = layout.getSize();
        const std::optional<int64_t> places = layout.getCosize();
        row.add("elements", Bounds::exactly(size));
        if (places)
          row.add("places", Bounds::exactly(*places));
        llvm::DenseSet<int64_t> used;
        bool isCounted = size <= kMostCounted;
        for (int64_t i = 0; isCounted && i < size; ++i) {
          std::optional<int64_t> place = layout.evaluate(i);
          isCounted = place.has_value();
          if (place)
            used.insert(*place);
        }
        if (!isCounted) {
          row.text = "too many elements to count the places that they use";
          return;
        }
        const int64_t distinct = used.size();
        if (places)
          row.add("unused", Bounds::exactly(*places - distinct));
        row.add("shared", Bounds::exactly(size - distinct));
        if (size != distinct)
          row.text = std::to_string(size - distinct) +
                     " elements are at the place of another one";
      },
      [&](ExplainSection &section) {
        for (auto [i, mode] : llvm::enumerate(layout.getLeaves())) {
          ExplainRow &row = section.rows.emplace_back();
          row.name = "mode " + std::to_string(i);
          row.add("size", Bounds::exactly(mode.size));
          if (!layout.map)
            row.add("stride", std::to_string(mode.stride));
        }
        if (layout.map)
          section.summary = layout.map->str();
        else if (layout.swizzle)
          section.summary = "the swizzle then exchanges bits of the place";
      });
}

/// Where each element is held, as the inverse of the layout, and the bits of the
/// places that hold it once more.
static void addPlaces(ExplainSection &section, const LinearLayout &layout) {
  ExplainRow &row = section.rows.emplace_back();
  row.name = "layout";
  std::string reason;
  std::optional<LinearLayout> inverse = layout.invert(reason);
  row.text = inverse ? inverse->str() : "unknown: " + reason;
  std::string others;
  for (auto [input, bits] :
       llvm::zip_equal(layout.inputs, layout.getFreeVariables()))
    for (unsigned bit = 0; bit < input.bases.size(); ++bit)
      if (bits >> bit & 1)
        others += (others.empty() ? "" : ", ") + input.name + " + " +
                  std::to_string(int64_t(1) << bit);
  if (!others.empty())
    row.add("again at", others);
}

std::optional<Explanation>
tensoraccess::ask(StringRef question, const LinearLayout &layout,
                  std::string &error,
                  std::optional<ArrayRef<int64_t>> element) {
  if (!isOfLayouts(question, error, /*isLinear=*/true))
    return std::nullopt;
  if (element)
    return askElement(question, layout, *element, error);
  const unsigned rank = layout.getRank(), inputBits = layout.getNumInputBits(),
                 outputBits = layout.getNumOutputBits();
  auto power = [](unsigned bits) {
    return Bounds::exactly(int64_t(1) << bits);
  };
  SmallVector<int64_t> sizes;
  for (unsigned i = 0; i < layout.outputs.size(); ++i)
    sizes.push_back(layout.getOutputSize(i));
  Explanation result;
  result.program = layout.str();
  result.next = getNext(question, sizes);
  if (question != "reached")
    result = askInElements(
        question, layout.str(), sizes,
        [&](ExplainRow &row) {
          row.add("elements", power(outputBits))
              .add("places", power(inputBits))
              .add("held", power(rank))
              .add("copies", power(inputBits - rank));
          SmallVector<std::string> lines;
          for (auto [input, free] :
               llvm::zip_equal(layout.inputs, layout.getFreeVariables())) {
            SmallVector<std::string> bits;
            for (unsigned bit = 0; bit < input.bases.size(); ++bit)
              if (free >> bit & 1)
                bits.push_back(std::to_string(bit));
            if (!bits.empty())
              lines.push_back(std::string(bits.size() == 1 ? "bit " : "bits ") +
                              llvm::join(bits, ", ") + " of " + input.name +
                              (bits.size() == 1 ? " makes" : " make") +
                              " copies");
          }
          if (rank < outputBits)
            lines.push_back("elements beyond those held are in no place");
          row.text = llvm::join(lines, "; ");
        },
        [&](ExplainSection &section) {
          for (auto [i, input] : llvm::enumerate(layout.inputs)) {
            ExplainRow &row = section.rows.emplace_back();
            row.name = input.name;
            row.add("size", Bounds::exactly(layout.getInputSize(i)));
            if (i == 0)
              row.add("consecutive", Bounds::exactly(countConsecutive(layout)));
            SmallVector<std::string> steps;
            for (uint64_t basis : input.bases)
              steps.push_back(
                  "(" +
                  llvm::join(llvm::map_range(layout.unpack(basis, true),
                                             [](int64_t index) {
                                               return std::to_string(index);
                                             }),
                             ", ") +
                  ")");
            row.text = "its bits move by " + llvm::join(steps, ", ");
            if (steps.empty())
              row.text = "it has no bits";
          }
          section.summary =
              "a tensor of " + llvm::interleaved(sizes, "x").str();
        });
  if (question == "reached" || question == "all")
    addPlaces(result.sections.emplace_back(ExplainSection{
                  "reached", "where an element is held", {}, {}}),
              layout);
  if (question == "layouts")
    result.next = "reached";
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

std::optional<Explanation>
tensoraccess::ask(StringRef question, const IndexingMap &map,
                  std::string &error, std::optional<ArrayRef<int64_t>> tile) {
  static constexpr StringRef kAbout[] = {"reads", "reached", "tiles", "all"};
  if (!llvm::is_contained(kAbout, question)) {
    error = refuseQuestion(question, kAbout, "map");
    return std::nullopt;
  }
  if (tile && question != "tiles") {
    error = "a tile is for 'tiles', not for '" + question.str() + "'";
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
  if (tile) {
    std::optional<ConcreteTile> read = readTile(map, *tile, error);
    if (!read)
      return std::nullopt;
    ExplainRow &row = add("tiles", "what the tile at offset 0 reads");
    row.add("elements", read->elements);
    row.text = read->text;
  } else if (question == "tiles" || question == "all") {
    ExplainRow &row =
        add("tiles", "what a tile at offsets o, of sizes t, reads");
    bool isKnown;
    row.text = printTile(map, isKnown);
  }
  result.next = question == "reads"     ? "reached"
                : question == "reached" ? "tiles"
                                        : "";
  return result;
}
