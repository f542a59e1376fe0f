//===- Grid.cpp - Ranks on a grid with named axes -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/TextScanner.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

static bool isAxisName(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name[0])) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

Grid Grid::ofRanks(int64_t ranks) {
  SmallVector<int64_t, 20> primes;
  for (int64_t prime = 2; prime * prime <= ranks; ++prime)
    for (; ranks % prime == 0; ranks /= prime)
      primes.push_back(prime);
  if (ranks > 1)
    primes.push_back(ranks);
  int64_t sizes[3] = {1, 1, 1};
  for (int64_t prime : llvm::reverse(primes))
    *std::min_element(std::begin(sizes), std::end(sizes)) *= prime;
  Grid grid;
  const char *const names[] = {"x", "y", "z"};
  for (auto [name, size] : llvm::zip(names, sizes))
    if (size > 1 || grid.axes.empty())
      grid.axes.push_back({name, size});
  return grid;
}

std::optional<Grid> Grid::parse(StringRef text, ParseError &error) {
  TextScanner scan(text, error);
  Grid grid;
  const size_t begin = scan.position();
  if (llvm::isDigit(scan.peek()) || scan.peek() == '-') {
    int64_t ranks;
    if (!scan.parseInteger(ranks, "a number of ranks"))
      return std::nullopt;
    if (!scan.atEnd()) {
      scan.failExpecting("end of text");
      return std::nullopt;
    }
    if (ranks < 1 || ranks > kMaxGridRanks) {
      scan.fail(begin, "a grid has from 1 to " + std::to_string(kMaxGridRanks) +
                           " ranks, got " + std::to_string(ranks));
      return std::nullopt;
    }
    return ofRanks(ranks);
  }
  do {
    GridAxis &axis = grid.axes.emplace_back();
    StringRef name = scan.peekWord();
    if (name.empty()) {
      scan.failExpecting("the name of an axis or a number of ranks");
      return std::nullopt;
    }
    axis.name = name.str();
    scan.skip(name.size());
    if (!scan.expect('=', "'=' after axis " + axis.name) ||
        !scan.parseInteger(axis.size, "a number of ranks"))
      return std::nullopt;
  } while (scan.consumeIf(','));
  if (!scan.atEnd()) {
    scan.failExpecting("',' or end of text");
    return std::nullopt;
  }
  if (std::optional<std::string> problem = grid.verify()) {
    scan.fail(begin, *problem);
    return std::nullopt;
  }
  return grid;
}

std::optional<std::string> Grid::verify() const {
  if (axes.empty())
    return "a grid must have at least one axis";
  if (axes.size() > kMaxGridAxes)
    return "a grid has at most " + std::to_string(kMaxGridAxes) +
           " axes, got " + std::to_string(axes.size());
  std::optional<int64_t> ranks = 1;
  for (size_t i = 0; i != axes.size(); ++i) {
    const GridAxis &axis = axes[i];
    if (!isAxisName(axis.name))
      return "axis " + std::to_string(i) +
             " must be named by letters, digits and '_', got '" + axis.name +
             "'";
    if (axis.name == "partial")
      return "axis " + std::to_string(i) + " must not be named partial";
    for (size_t j = 0; j != i; ++j)
      if (axes[j].name == axis.name)
        return "axis " + axis.name + " is given twice";
    if (axis.size < 1)
      return "axis " + axis.name + " must have at least one rank, got " +
             std::to_string(axis.size);
    ranks = checkedMul(ranks, axis.size);
  }
  if (!ranks || *ranks > kMaxGridRanks)
    return "a grid has from 1 to " + std::to_string(kMaxGridRanks) +
           " ranks, got " +
           (ranks ? std::to_string(*ranks) : std::string("more than 2^63"));
  return std::nullopt;
}

std::string Grid::str() const {
  std::string text;
  for (const GridAxis &axis : axes)
    text +=
        (text.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.size);
  return text;
}

int64_t Grid::getNumRanks() const {
  int64_t ranks = 1;
  for (const GridAxis &axis : axes)
    ranks *= axis.size;
  return ranks;
}

SmallVector<int64_t, 6> Grid::getCoordinates(int64_t rank) const {
  SmallVector<int64_t, 6> coordinates(axes.size());
  for (size_t i = axes.size(); i-- != 0; rank /= axes[i].size)
    coordinates[i] = rank % axes[i].size;
  return coordinates;
}

int64_t Grid::getRank(ArrayRef<int64_t> coordinates) const {
  int64_t rank = 0;
  for (auto [axis, coordinate] : llvm::zip(axes, coordinates))
    rank = rank * axis.size + coordinate;
  return rank;
}

std::optional<unsigned> Grid::find(StringRef name) const {
  for (unsigned i = 0; i != axes.size(); ++i)
    if (axes[i].name == name)
      return i;
  return std::nullopt;
}

int64_t Grid::getHops(int64_t from, int64_t to, bool isTorus) const {
  int64_t hops = 0;
  for (const GridAxis &axis : llvm::reverse(axes)) {
    const int64_t a = from % axis.size, b = to % axis.size;
    const int64_t apart = a < b ? b - a : a - b;
    hops += isTorus ? std::min(apart, axis.size - apart) : apart;
    from /= axis.size;
    to /= axis.size;
  }
  return hops;
}

int64_t Grid::getPart(ArrayRef<unsigned> some,
                      ArrayRef<int64_t> coordinates) const {
  int64_t part = 0;
  for (unsigned axis : some)
    part = part * axes[axis].size + coordinates[axis];
  return part;
}

int64_t Grid::getNumParts(ArrayRef<unsigned> some) const {
  int64_t parts = 1;
  for (unsigned axis : some)
    parts *= axes[axis].size;
  return parts;
}

void Grid::setCoordinates(ArrayRef<unsigned> some, int64_t part,
                          llvm::MutableArrayRef<int64_t> coordinates) const {
  for (unsigned axis : llvm::reverse(some)) {
    coordinates[axis] = part % axes[axis].size;
    part /= axes[axis].size;
  }
}
