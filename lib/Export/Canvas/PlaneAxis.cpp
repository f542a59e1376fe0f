//===- PlaneAxis.cpp - Elements along a side of a picture -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaneAxis.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Squares after the dots, and squares that may show what is needed.
static constexpr int kTailSquares = 2, kMaxScaledSquares = 24;

PlaneAxis PlaneAxis::squares(int64_t size, int64_t needed, int maxSquares) {
  int64_t scale = 1;
  while (needed > kMaxScaledSquares * scale)
    scale *= 2;
  const int64_t tail = kTailSquares * scale,
                head = std::max((needed + scale - 1) / scale * scale,
                                (maxSquares - kTailSquares - 1) * scale);
  const bool isDynamic = size == kDynamicSize;
  if (!isDynamic && (size <= maxSquares * scale || head + tail >= size))
    return range(0, size, scale);
  PlaneAxis axis = range(0, head, scale);
  // Of an unknown size the end is anywhere.
  const int64_t end = isDynamic ? INT64_MAX : size;
  axis.append(end - tail, end, kTailSquares * kSquare, kSquare);
  return axis;
}

PlaneAxis PlaneAxis::range(int64_t lo, int64_t hi, int64_t scale, int cell) {
  PlaneAxis axis;
  axis.pieces.clear();
  axis.scale = scale;
  const int64_t squares = (hi - lo + scale - 1) / scale;
  axis.append(lo, lo + squares * scale, squares * cell, cell);
  return axis;
}

PlaneAxis PlaneAxis::scaled(int64_t extent, int length) {
  PlaneAxis axis;
  axis.pieces.clear();
  axis.append(0, extent, length);
  return axis;
}

void PlaneAxis::append(int64_t lo, int64_t hi, int length, int cell) {
  int at = pieces.empty() ? 0 : getLength();
  if (!pieces.empty() && pieces.back().hi != lo) {
    at += kDots;
    isCut = true;
  }
  pieces.push_back({lo, hi, at, length, cell});
}

int PlaneAxis::getPosition(int64_t element) const {
  int end = 0;
  for (const Piece &piece : pieces) {
    if (element < piece.lo)
      return (end + piece.at) / 2;
    if (element == piece.lo)
      return piece.at;
    if (element <= piece.hi)
      return piece.at +
             static_cast<int>(static_cast<__int128>(element - piece.lo) *
                              piece.length / (piece.hi - piece.lo));
    end = piece.at + piece.length;
  }
  return end;
}

std::string PlaneAxis::describe() const {
  std::string text;
  for (const Piece &piece : pieces)
    text += (text.empty() ? "" : ", ") +
            (piece.hi == INT64_MAX ? "…"
                                   : std::to_string(piece.lo) + "-" +
                                         std::to_string(piece.hi - 1));
  return text;
}

View View::around(int dim, int64_t lo, int64_t hi, std::optional<int64_t> size,
                  int64_t maxSquares, bool isScaled) {
  assert(maxSquares > 1 && "a view needs room to scale");
  hi = std::max(hi, lo + 1);
  const int64_t low = size ? std::min<int64_t>(lo, 0) : lo,
                high = size ? std::max(hi, *size) : hi;
  if (high - low <= maxSquares)
    return {dim, low, high};
  if (hi - lo <= maxSquares || !isScaled) {
    // What is asked for, with as much around as there is room.
    const int64_t room = std::clamp<int64_t>(maxSquares - (hi - lo), 0, 2),
                  end = std::min(high, std::max(low, lo - room) + maxSquares);
    return {dim, std::max(low, end - maxSquares), end};
  }
  int64_t k = 1;
  while ((hi - lo + k - 1) / k >= maxSquares)
    k *= 2;
  const int64_t begin = (lo >= 0 ? lo / k : -((-lo + k - 1) / k)) * k;
  return {dim, begin, begin + (hi - begin + k - 1) / k * k, k};
}

PlaneAxis View::makeAxis(bool hasTicks) const {
  PlaneAxis axis = PlaneAxis::range(begin, end, scale);
  for (int64_t i = 0; hasTicks && dim >= 0 && i < count(); ++i) {
    auto [lo, hi] = square(i);
    axis.ticks.push_back({lo, hi, std::to_string(lo)});
  }
  return axis;
}

std::string tensoraccess::pointToString(ArrayRef<int64_t> point) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '(';
  llvm::interleaveComma(point, os);
  os << ')';
  return text;
}

std::string tensoraccess::sizeToString(int64_t size) {
  return size == kDynamicSize ? "?" : std::to_string(size);
}

int64_t tensoraccess::countOrDynamic(ArrayRef<int64_t> shape) {
  return elementCount(shape).value_or(kDynamicSize);
}
