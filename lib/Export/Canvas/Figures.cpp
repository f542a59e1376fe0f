//===- Figures.cpp - Numbers and colours in pictures ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Figures.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

StringRef mlir::tensoraccess::getRankColor(size_t number) {
  constexpr StringRef colors[] = {"#9ad1f2", "#f5c36b", "#7fceb4", "#e6b3cf",
                                  "#f4ec8c", "#8fb4d9", "#eea57f", "#cbd0d6"};
  return colors[number % std::size(colors)];
}

StringRef mlir::tensoraccess::getHeatColor(unsigned step) {
  constexpr StringRef colors[kHeatSteps + 1] = {
      "#ffffff", "#dbeafe", "#a8cdfb", "#6aa5f0", "#2563eb", "#1e3a8a"};
  return colors[std::min(step, kHeatSteps)];
}

StringRef mlir::tensoraccess::getHeatInk(unsigned step) {
  return step + 2 > kHeatSteps ? StringRef("#ffffff") : StringRef(color::ink);
}

unsigned mlir::tensoraccess::getHeatStep(uint64_t value, uint64_t maximum) {
  if (value == 0 || maximum == 0)
    return 0;
  const auto share = static_cast<double>(value) / static_cast<double>(maximum);
  const auto step = static_cast<unsigned>(share * kHeatSteps);
  return std::clamp(step + (step < share * kHeatSteps ? 1u : 0u), 1u,
                    kHeatSteps);
}

std::string mlir::tensoraccess::printCount(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

/// Three digits of a number at least 1.
static std::string printScaled(double value, ArrayRef<StringRef> units) {
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  const char *format = value >= 99.95   ? "{0:f0}"
                       : value >= 9.995 ? "{0:f1}"
                                        : "{0:f2}";
  std::string digits = llvm::formatv(/*Validate=*/false, format, value).str();
  if (StringRef(digits).contains('.'))
    digits = StringRef(digits).rtrim('0').rtrim('.').str();
  return digits + " " + units[unit].str();
}

std::string mlir::tensoraccess::printBytes(uint64_t bytes) {
  return printScaled(static_cast<double>(bytes),
                     {"B", "kB", "MB", "GB", "TB", "PB", "EB"});
}

std::string mlir::tensoraccess::printDuration(double seconds) {
  if (!(seconds > 0))
    return "0 s";
  return printScaled(seconds * 1e9, {"ns", "µs", "ms", "s"});
}

std::string mlir::tensoraccess::printShape(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

std::string mlir::tensoraccess::printRank(const Grid &grid, int64_t rank) {
  std::string text = std::to_string(rank) + " (";
  for (auto [i, axis, at] :
       llvm::enumerate(grid.axes, grid.getCoordinates(rank)))
    text += (i ? ", " : "") + axis.name + " " + std::to_string(at);
  return text + ")";
}

std::string mlir::tensoraccess::printDims(const Box &box,
                                          ArrayRef<unsigned> dims) {
  if (box.isEmpty())
    return "nothing";
  std::string text;
  for (unsigned d : dims)
    text += (text.empty() ? "d" : ", d") + std::to_string(d) + " [" +
            std::to_string(box.lo[d]) + ", " + std::to_string(box.hi[d]) + ")";
  return text.empty() ? "everything" : text;
}

std::string mlir::tensoraccess::printRanks(ArrayRef<int64_t> ranks, int width,
                                           int size) {
  auto fits = [&](StringRef text) {
    return Sheet::textWidth(text, size) <= width;
  };
  std::string all;
  for (int64_t rank : ranks)
    all += (all.empty() ? "" : ", ") + std::to_string(rank);
  if (fits(all))
    return all;
  const std::string count = " … " + std::to_string(ranks.size()) + " ranks";
  std::string best, some;
  for (int64_t rank : ranks) {
    some += (some.empty() ? "" : ", ") + std::to_string(rank);
    if (ranks.size() > 1 && fits(some + count))
      best = some + count;
    else if (ranks.size() > 1 && best.empty() && fits(some + "…"))
      best = some + "…";
    else
      break;
  }
  return best;
}
