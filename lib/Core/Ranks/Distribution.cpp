//===- Distribution.cpp - Who owns which part of a tensor -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/TextScanner.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

int64_t mlir::tensoraccess::getCutBegin(int64_t extent, int64_t parts,
                                        int64_t part) {
  return static_cast<int64_t>(static_cast<__int128>(extent) * part / parts);
}

Distribution Distribution::replicated(size_t rank) {
  Distribution out;
  out.dims.resize(rank);
  return out;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The dimension that `d3` names; std::nullopt and an error if it is not one of
/// `rank`.
static std::optional<size_t> readDim(TextScanner &scan, size_t rank) {
  const size_t where = scan.position();
  StringRef word = scan.peekWord();
  uint64_t dim;
  if (!word.starts_with("d") || word.drop_front().getAsInteger(10, dim)) {
    scan.failExpecting("a dimension as d0, or partial");
    return std::nullopt;
  }
  if (dim >= rank) {
    scan.fail(where,
              word + " is not one of " + llvm::Twine(rank) + " dimensions");
    return std::nullopt;
  }
  scan.skip(word.size());
  return dim;
}

static bool readAxes(TextScanner &scan, const Grid &grid,
                     Distribution::Axes &axes) {
  do {
    const size_t where = scan.position();
    StringRef name = scan.peekWord();
    if (name.empty())
      return scan.failExpecting("the name of an axis");
    std::optional<unsigned> axis = grid.find(name);
    if (!axis)
      return scan.fail(where,
                       name + " is not an axis of the grid " + grid.str());
    axes.push_back(*axis);
    scan.skip(name.size());
  } while (scan.consumeIf('*'));
  return true;
}

std::optional<Distribution> Distribution::parse(StringRef text,
                                                const Grid &grid, size_t rank,
                                                ParseError &error) {
  TextScanner scan(text, error);
  Distribution out = replicated(rank);
  const size_t begin = scan.position();
  bool isRead = scan.parseList('{', '}', "a distribution", [&] {
    const size_t where = scan.position();
    StringRef word = scan.peekWord();
    Axes *axes = &out.partial;
    if (word == "partial") {
      scan.skip(word.size());
    } else {
      std::optional<size_t> dim = readDim(scan, rank);
      if (!dim)
        return false;
      axes = &out.dims[*dim];
    }
    if (!axes->empty())
      return scan.fail(where, word + " is given twice");
    return scan.expect(':', ("':' after " + word).str()) &&
           readAxes(scan, grid, *axes);
  });
  if (isRead && !scan.atEnd())
    isRead = scan.failExpecting("end of text");
  if (!isRead)
    return std::nullopt;
  if (std::optional<std::string> problem = out.verify(grid)) {
    scan.fail(begin, *problem);
    return std::nullopt;
  }
  return out;
}

std::string Distribution::str(const Grid &grid) const {
  std::string text;
  auto print = [&](const std::string &key, ArrayRef<unsigned> axes) {
    if (axes.empty())
      return;
    text += (text.empty() ? "" : ", ") + key + ": ";
    for (auto [i, axis] : llvm::enumerate(axes))
      text += (i ? "*" : "") + grid.axes[axis].name;
  };
  for (auto [d, axes] : llvm::enumerate(dims))
    print("d" + std::to_string(d), axes);
  print("partial", partial);
  return "{" + text + "}";
}

std::optional<std::string> Distribution::verify(const Grid &grid) const {
  SmallVector<std::string, 6> uses(grid.axes.size());
  auto use = [&](const std::string &key,
                 ArrayRef<unsigned> axes) -> std::optional<std::string> {
    for (unsigned axis : axes) {
      if (axis >= grid.axes.size())
        return "axis " + std::to_string(axis) + " of " + key +
               " is not one of the grid's " + std::to_string(grid.axes.size());
      std::string &before = uses[axis];
      const std::string &name = grid.axes[axis].name;
      if (before == key)
        return "axis " + name + " appears twice in " + key;
      if (!before.empty())
        return "axis " + name + " is in " + before + " and in " + key;
      before = key;
    }
    return std::nullopt;
  };
  for (auto [d, axes] : llvm::enumerate(dims))
    if (std::optional<std::string> problem = use("d" + std::to_string(d), axes))
      return problem;
  return use("partial", partial);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

bool Distribution::isReplicated() const {
  return partial.empty() &&
         llvm::all_of(dims, [](const Axes &axes) { return axes.empty(); });
}

/// The box of the ranks with these coordinates.
static Box getBoxAt(const Distribution &distribution, const Grid &grid,
                    ArrayRef<int64_t> extents, ArrayRef<int64_t> coordinates) {
  Box box;
  for (auto [axes, extent] : llvm::zip(distribution.dims, extents)) {
    const int64_t parts = grid.getNumParts(axes);
    const int64_t part = grid.getPart(axes, coordinates);
    box.lo.push_back(getCutBegin(extent, parts, part));
    box.hi.push_back(getCutBegin(extent, parts, part + 1));
  }
  return box;
}

Box Distribution::getBox(const Grid &grid, ArrayRef<int64_t> extents,
                         int64_t rank) const {
  return getBoxAt(*this, grid, extents, grid.getCoordinates(rank));
}

std::vector<Box> Distribution::getBoxes(const Grid &grid,
                                        ArrayRef<int64_t> extents) const {
  std::vector<Box> boxes;
  const int64_t ranks = grid.getNumRanks();
  boxes.reserve(ranks);
  for (int64_t rank = 0; rank != ranks; ++rank)
    boxes.push_back(getBox(grid, extents, rank));
  return boxes;
}

std::vector<Box> Distribution::getParts(const Grid &grid,
                                        ArrayRef<int64_t> extents) const {
  SmallVector<bool, 6> cuts(grid.axes.size(), false);
  for (const Axes &axes : dims)
    for (unsigned axis : axes)
      cuts[axis] = true;
  std::vector<Box> parts;
  for (int64_t rank = 0, ranks = grid.getNumRanks(); rank != ranks; ++rank) {
    SmallVector<int64_t, 6> at = grid.getCoordinates(rank);
    bool isFirst = true;
    for (auto [axis, coordinate] : llvm::enumerate(at))
      isFirst &= cuts[axis] || coordinate == 0;
    if (isFirst)
      parts.push_back(getBoxAt(*this, grid, extents, at));
  }
  return parts;
}

Distribution::Axes Distribution::getReplicatingAxes(const Grid &grid) const {
  Axes out;
  for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
    if (!llvm::is_contained(partial, axis) &&
        llvm::none_of(dims, [&](const Axes &axes) {
          return llvm::is_contained(axes, axis);
        }))
      out.push_back(axis);
  return out;
}
