//===- AskElements.cpp - Where one element is, what one tile reads --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AskElements.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/LinearQueries.h"
#include "TensorAccess/Core/Tile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static std::string printIndex(ArrayRef<int64_t> index) {
  return llvm::interleaved(index, ", ", "(", ")").str();
}

/// Whether an element has a number for each size, below it; otherwise reports what is
/// wrong.
static bool isInside(ArrayRef<int64_t> element, ArrayRef<int64_t> sizes,
                     StringRef what, std::string &error) {
  if (element.size() != sizes.size()) {
    error = "element " + printIndex(element) + " must have " +
            std::to_string(sizes.size()) + " numbers, one for each " +
            what.str() + ", got " + std::to_string(element.size());
    return false;
  }
  for (auto [i, x, size] : llvm::enumerate(element, sizes))
    if (x < 0 || x >= size) {
      error = "number " + std::to_string(i) + " of element " +
              printIndex(element) + " must be in [0, " + std::to_string(size) +
              "), got " + std::to_string(x);
      return false;
    }
  return true;
}

static ExplainSection makeSection() {
  return ExplainSection{"element", "where the element is", {}, {}};
}

std::optional<ExplainSection>
tensoraccess::locateElement(const Layout &layout, ArrayRef<int64_t> element,
                            std::string &error) {
  if (!isInside(element, *layout.shape, "dimension", error))
    return std::nullopt;
  std::optional<int64_t> number = layout.linearize(element);
  std::optional<SmallVector<int64_t>> shape = layout.getPhysicalShape();
  if (!number || !shape) {
    error = "the place of element " + printIndex(element) + " is unknown";
    return std::nullopt;
  }
  ExplainSection section = makeSection();
  ExplainRow &row = section.rows.emplace_back();
  row.name = printIndex(element);
  row.add("offset", Bounds::exactly(*number));
  const int64_t bits =
      layout.elementBits.value_or(layout.elementType->getBits());
  if (std::optional<int64_t> bit = checkedMul(*number, bits)) {
    row.add("byte", Bounds::exactly(*bit / 8));
    if (bits % 8 != 0)
      row.add("bit", Bounds::exactly(*bit % 8));
  }
  row.add("physical", printIndex(unravel(*number, *shape)));
  return section;
}

std::optional<ExplainSection>
tensoraccess::locateElement(const StridedLayout &layout,
                            ArrayRef<int64_t> element, std::string &error) {
  SmallVector<int64_t> sizes, point;
  SmallVector<StridedMode> leaves = layout.getLeaves();
  if (element.size() == layout.getRank()) {
    for (unsigned i = 0; i < layout.getRank(); ++i)
      sizes.push_back(layout.getMode(i).getSize());
    if (!isInside(element, sizes, "mode", error))
      return std::nullopt;
    // A number of a list counts its first mode fastest.
    for (auto [i, x] : llvm::enumerate(element))
      llvm::append_range(point, layout.getMode(i).getPoint(x));
  } else {
    for (const StridedMode &leaf : leaves)
      sizes.push_back(leaf.size);
    if (!isInside(element, sizes, "mode", error))
      return std::nullopt;
    point.assign(element.begin(), element.end());
  }
  std::optional<int64_t> number = layout.evaluateLeaves(point);
  if (!number) {
    error = "the place of element " + printIndex(element) + " is unknown";
    return std::nullopt;
  }
  ExplainSection section = makeSection();
  ExplainRow &row = section.rows.emplace_back();
  row.name = printIndex(element);
  // Strides may be negative.
  if (*number < 0)
    row.add("offset", std::to_string(*number));
  else
    row.add("offset", Bounds::exactly(*number));
  return section;
}

std::optional<ExplainSection>
tensoraccess::locateElement(const LinearLayout &layout,
                            ArrayRef<int64_t> element, std::string &error) {
  SmallVector<int64_t> sizes;
  for (unsigned i = 0; i < layout.outputs.size(); ++i)
    sizes.push_back(layout.getOutputSize(i));
  if (!isInside(element, sizes, "dimension", error))
    return std::nullopt;
  auto holders = findHolders(layout, element, error);
  if (!holders)
    return std::nullopt;
  ExplainSection section = makeSection();
  for (ArrayRef<int64_t> holder : *holders) {
    ExplainRow &row = section.rows.emplace_back();
    row.name = printIndex(element);
    for (auto [input, x] : llvm::zip_equal(layout.inputs, holder))
      row.add(input.name, Bounds::exactly(x));
  }
  section.summary = holders->empty()
                        ? "no place holds it"
                        : "held by " + plural(holders->size(), "place");
  return section;
}

std::optional<ConcreteTile> tensoraccess::readTile(const IndexingMap &map,
                                                   ArrayRef<int64_t> sizes,
                                                   std::string &error) {
  const std::string text = llvm::interleaved(sizes, ",").str();
  if (sizes.size() != map.getNumDims()) {
    error = "tile " + text + " must have " + std::to_string(map.getNumDims()) +
            " sizes, one for each dimension of the result, got " +
            std::to_string(sizes.size());
    return std::nullopt;
  }
  SmallVector<TileDim> dims;
  Box box;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    const int64_t last = map.getDimRanges()[i].upper;
    if (size < 1 || size - 1 > last) {
      error = "size " + std::to_string(i) + " of tile " + text + " must be " +
              (size < 1 ? "positive" : "at most " + std::to_string(last + 1)) +
              ", got " + std::to_string(size);
      return std::nullopt;
    }
    dims.push_back({0, size, 1});
    box.lo.push_back(0);
    box.hi.push_back(size);
  }
  ConcreteTile read;
  const Footprint image = getImage(map, &box);
  if (image.count)
    read.elements = Bounds::exactly(image.count);
  TileFailure failure;
  std::optional<StridedTile> tile;
  if (map.getNumRuntime() == 0)
    tile = getCoveringTile(map, dims, {}, failure);
  if (tile) {
    if (!image.count)
      read.elements = Bounds::atMost(tile->getNumElements());
    read.text = (tile->isExact ? "" : "within ") + tile->str();
  } else if (image.hull) {
    if (!image.count)
      read.elements = {0, std::nullopt};
    SmallVector<std::string> ranges;
    for (auto [lo, hi] : llvm::zip_equal(image.hull->lo, image.hull->hi))
      ranges.push_back(std::to_string(lo) + ":" + std::to_string(hi));
    read.text = "within [" + llvm::join(ranges, ", ") + "]";
  } else {
    read.text =
        "unknown: " + (failure.message.empty() ? std::string("it has no bound")
                                               : failure.message);
  }
  return read;
}
