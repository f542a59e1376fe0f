//===- Systolic.h - What a weight-stationary array takes --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_SYSTOLIC_H
#define TENSORACCESS_CORE_SYSTOLIC_H

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What a weight-stationary array takes
//
// A systolic array of R rows and C columns holds R x C weights, one per cell,
// and multiplies a stream of items of R activations by them. A product of M x K
// by K x N takes *passes*, one for each block of K, of N, and of M where the
// accumulators don't hold all of it:
//
//   load     R cycles: the weights move in from above, one row per cycle;
//   stream   M cycles: an item enters each cycle, element r of it r cycles
//            later than element 0, as the sums move down one row per cycle;
//   fill     R - 1 cycles until the first sum is complete;
//   drain    C - 1 cycles in which the last item crosses the columns.
//
// Thus a pass takes R + (M + R + C - 2) cycles. With two sets of weights in
// each cell the next load happens meanwhile, and only the first one counts.
// Sums leave below and are added up in accumulators, one for each item and
// column.
//
// The simulator (Execution/Run.h) moves the registers and counts
// the same. Source: Kung, "Why Systolic Architectures?", 1982; the array is the
// one of Glenside, "Mapping matMul to Accelerators".
//===----------------------------------------------------------------------===//

/// A weight-stationary array.
struct SystolicArray {
  /// Cells; both positive.
  int64_t rows = 1, cols = 1;
  /// Items whose sums a column keeps below the array; 0 for no limit.
  int64_t accumulators = 0;
  /// Whether the next weights are loaded while the current ones are used.
  bool isDoubleBuffered = false;

  /// std::nullopt, or what is wrong: `rows must be positive, got 0`.
  std::optional<std::string> verify() const;
};

/// What a product of M x K by K x N takes. Elements are counted when they cross
/// the border of the array (and its accumulators).
struct SystolicCost {
  /// Passes: loads of weights.
  int64_t invocations = 0;
  /// Cycles. `load` is what is not hidden behind a stream.
  int64_t load = 0, stream = 0, fill = 0, drain = 0;
  /// Multiplications of two elements that are not padding: M·N·K.
  int64_t products = 0;
  /// Weights and activations in, results out; the padding of blocks is added in
  /// the array.
  int64_t weights = 0, activations = 0, results = 0;

  int64_t getCycles() const { return load + stream + fill + drain; }
  /// Products over what the cells could have computed; 0 if there are no
  /// cycles.
  double getUtilization(const SystolicArray &array) const;
  /// Adds all of `other`, run afterwards. False, and no change, past 2^63 - 1.
  [[nodiscard]] bool add(const SystolicCost &other);
  /// `9 loads, 512 cycles (…), 1000 products, 24.5 % of the cells in use`
  std::string str(const SystolicArray &array) const;

  bool operator==(const SystolicCost &o) const {
    return invocations == o.invocations && load == o.load &&
           stream == o.stream && fill == o.fill && drain == o.drain &&
           products == o.products && weights == o.weights &&
           activations == o.activations && results == o.results;
  }
};

/// In closed form; the array must be verified, sizes not negative. A product
/// without results or without depth costs nothing. std::nullopt past 2^63 - 1.
std::optional<SystolicCost> getSystolicCost(const SystolicArray &array,
                                            int64_t m, int64_t k, int64_t n);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_SYSTOLIC_H
