//===- Systolic.cpp - What a weight-stationary array takes ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums over all passes in closed form. Each item streams once for each
// block of K and of N, however M is cut; fill and drain are paid once a pass.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Systolic.h"
#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace mlir::tensoraccess;

std::optional<std::string> SystolicArray::verify() const {
  for (auto [name, value] : {std::pair("rows", rows), std::pair("cols", cols)})
    if (value < 1)
      return (llvm::Twine(name) + " must be positive, got " +
              llvm::Twine(value))
          .str();
  if (!checkedMul(rows, cols))
    return ("an array of " + llvm::Twine(rows) + "x" + llvm::Twine(cols) +
            " has more than 2^63 - 1 cells")
        .str();
  if (accumulators < 0)
    return ("accumulators must not be negative, got " +
            llvm::Twine(accumulators))
        .str();
  return std::nullopt;
}

double SystolicCost::getUtilization(const SystolicArray &array) const {
  double possible =
      double(getCycles()) * double(array.rows) * double(array.cols);
  return possible == 0 ? 0 : double(products) / possible;
}

bool SystolicCost::add(const SystolicCost &other) {
  SystolicCost sum = *this;
  for (int64_t SystolicCost::*member :
       {&SystolicCost::invocations, &SystolicCost::load, &SystolicCost::stream,
        &SystolicCost::fill, &SystolicCost::drain, &SystolicCost::products,
        &SystolicCost::weights, &SystolicCost::activations,
        &SystolicCost::results}) {
    std::optional<int64_t> total = checkedAdd(sum.*member, other.*member);
    if (!total)
      return false;
    sum.*member = *total;
  }
  // The sum of the four is asked for, too.
  std::optional<int64_t> cycles = checkedAdd(sum.load, sum.stream);
  if (!checkedAdd(checkedAdd(cycles, sum.fill), sum.drain))
    return false;
  *this = sum;
  return true;
}

std::string SystolicCost::str(const SystolicArray &array) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << invocations << (invocations == 1 ? " load, " : " loads, ")
     << getCycles() << " cycles (" << load << " to load, " << stream
     << " to stream, " << fill << " to fill, " << drain << " to drain), "
     << products << " products, "
     << llvm::format("%.1f", 100 * getUtilization(array))
     << " % of the cells in use";
  return text;
}

std::optional<SystolicCost>
mlir::tensoraccess::getSystolicCost(const SystolicArray &array, int64_t m,
                                    int64_t k, int64_t n) {
  assert(!array.verify() && m >= 0 && k >= 0 && n >= 0);
  SystolicCost cost;
  if (m == 0 || k == 0 || n == 0)
    return cost;
  auto multiply = [](std::initializer_list<int64_t> factors) {
    return checkedProduct(factors);
  };
  auto divide = [](int64_t a, int64_t b) { return (a - 1) / b + 1; };
  int64_t depths = divide(k, array.rows), widths = divide(n, array.cols);
  int64_t heights = array.accumulators == 0 ? 1 : divide(m, array.accumulators);
  std::optional<int64_t> blocks = multiply({depths, widths}),
                         passes = multiply({depths, widths, heights});
  if (!blocks || !passes)
    return std::nullopt;
  std::optional<int64_t> load =
      array.isDoubleBuffered ? array.rows : multiply({*passes, array.rows});
  std::optional<int64_t> stream = multiply({*blocks, m}),
                         fill = multiply({*passes, array.rows - 1}),
                         drain = multiply({*passes, array.cols - 1}),
                         products = multiply({m, k, n}),
                         weights = multiply({k, n, heights}),
                         activations = multiply({m, k, widths}),
                         results = multiply({m, n});
  if (!load || !stream || !fill || !drain || !products || !weights ||
      !activations || !results)
    return std::nullopt;
  SystolicCost each{*passes,   *load,    *stream,      *fill,   *drain,
                    *products, *weights, *activations, *results};
  // The total fits, too.
  if (!cost.add(each))
    return std::nullopt;
  return cost;
}
