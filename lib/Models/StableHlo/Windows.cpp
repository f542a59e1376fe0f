//===- Windows.cpp - One dimension of a window op -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tensoraccess;

int64_t WindowDim::getSize(Variable variable) const {
  return variable == Input ? input : variable == Output ? output : window;
}

int64_t WindowDim::getCoefficient(Variable variable) const {
  return variable == Input ? base : variable == Output ? -stride : -dilation;
}

/// 1 + (size - 1) * dilation for size > 0, else 0.
static std::optional<int64_t> getReach(int64_t size, int64_t dilation) {
  if (size == 0)
    return 0;
  auto span = checkedMul(size - 1, dilation);
  return span ? checkedAdd(*span, 1) : span;
}

bool WindowDim::isConsistent() const {
  // Padding is not the place for 64 bits; its sign is changed below.
  constexpr int64_t most = int64_t(1) << 62;
  if (stride <= 0 || dilation <= 0 || base <= 0 || input < 0 || window < 0 ||
      low < -most || low > most || high < -most || high > most)
    return false;
  auto padded = getReach(input, base), reach = getReach(window, dilation);
  padded = padded ? checkedAdd(*padded, low) : padded;
  padded = padded ? checkedAdd(*padded, high) : padded;
  if (!padded || !reach)
    return false;
  // Differences of numbers that fit, one of which is not negative.
  if (*padded <= 0 || *padded < *reach)
    return output == 0;
  return output == (*padded - *reach) / stride + 1;
}

WindowSolution::WindowSolution(const WindowDim &dim, WindowDim::Variable known,
                               WindowDim::Variable wanted) {
  // The three sum up to 0 + 1 + 2.
  auto hidden = WindowDim::Variable(3 - known - wanted);
  int64_t sign = dim.getCoefficient(wanted) < 0 ? 1 : -1;
  scale = magnitude(dim.getCoefficient(wanted));
  constant = sign * dim.low;
  factor = sign * dim.getCoefficient(known);
  step = sign * dim.getCoefficient(hidden);
  numWanted = dim.getSize(wanted);
  numHidden = dim.getSize(hidden);
  if (numHidden == 1)
    return; // Divide
  divisor = std::gcd(scale, step);
  scale /= divisor;
  step /= divisor;
  bool linear = scale == 1, unit = step == 1 || step == -1;
  if (linear && unit) {
    // Both ways are open: prefer one whose constraint says nothing, then the
    // smaller symbol.
    Interval reach =
        Interval::ofExtent(dim.getSize(known)).scaled(factor) + constant;
    if (divisor > 1)
      reach = reach.floorDiv(divisor);
    Interval wantedRange = Interval::ofExtent(numWanted);
    Interval hiddenRange = Interval::ofExtent(numHidden);
    bool freeWanted = wantedRange.contains(reach + hiddenRange.scaled(step));
    bool freeHidden = hiddenRange.contains((wantedRange - reach).scaled(step));
    kind = freeWanted || (!freeHidden && numHidden <= numWanted) ? HiddenSymbol
                                                                 : WantedSymbol;
  } else if (unit && scale >= numHidden) {
    kind = Blocks;
  } else {
    kind = linear ? HiddenSymbol : unit ? WantedSymbol : Both;
  }
}

void WindowSolution::addSymbol(IndexingMapBuilder &builder) {
  if (kind == HiddenSymbol || kind == Both)
    symbol = builder.addSymbol(Interval::ofExtent(numHidden));
  else if (kind == WantedSymbol)
    symbol = builder.addSymbol(Interval::ofExtent(numWanted));
}

Form WindowSolution::solve(IndexingMapBuilder &builder,
                           const Form &known) const {
  FormArena &arena = builder.arena();
  Form number = arena.addScaled(Form(constant), known, factor);
  if (divisor > 1) {
    builder.addConstraint(arena.mod(number, divisor), Interval::point(0));
    number = arena.floorDiv(number, divisor);
  }
  Form wanted;
  switch (kind) {
  case Both:
  case HiddenSymbol:
    number = arena.addScaled(number, symbol, step);
    [[fallthrough]];
  case Divide:
    if (scale > 1)
      builder.addConstraint(arena.mod(number, scale), Interval::point(0));
    wanted = scale > 1 ? arena.floorDiv(number, scale) : number;
    break;
  case WantedSymbol: {
    Form hidden =
        arena.scale(arena.sub(arena.scale(symbol, scale), number), step);
    builder.addConstraint(hidden, Interval::ofExtent(numHidden));
    return symbol;
  }
  case Blocks:
    // step * hidden = scale * wanted - number, in [0, numHidden) or its
    // negative: the rest of a division by scale, which is not smaller.
    if (step > 0)
      number = arena.add(number, Form(numHidden - 1));
    if (numHidden < scale)
      builder.addConstraint(arena.mod(number, scale),
                            Interval::ofExtent(numHidden));
    wanted = arena.floorDiv(number, scale);
    break;
  }
  builder.addConstraint(wanted, Interval::ofExtent(numWanted));
  return wanted;
}
