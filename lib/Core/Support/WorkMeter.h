//===- WorkMeter.h - How much work a question may be ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. One question about a set is handed from engine to engine;
// they all draw on one meter, so that the question ends in bounded time however
// many engines fail at it. Work is counted in steps of about a nanosecond each:
// an addition of an interval, a coefficient of a row. The same question always
// takes the same steps, on any machine.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_WORKMETER_H
#define TENSORACCESS_LIB_CORE_WORKMETER_H

#include <algorithm>
#include <cstdint>

namespace mlir::tensoraccess::detail {

class WorkMeter {
public:
  /// What closed forms may take whatever the budget, and what each point of a
  /// budget adds.
  static constexpr uint64_t kBase = uint64_t(1) << 23;
  static constexpr uint64_t kPerPoint = 48;

  /// For a budget of that many points.
  explicit WorkMeter(uint64_t budget)
      : left(kBase + std::min(budget, uint64_t(1) << 40) * kPerPoint) {}

  uint64_t getLeft() const { return left; }
  /// False if there is not as much left; then nothing is left.
  bool spend(uint64_t steps) {
    if (steps > left) {
      left = 0;
      return false;
    }
    left -= steps;
    return true;
  }

  /// While it lives, others may use at most `share` steps.
  class Share {
  public:
    Share(WorkMeter &meter, uint64_t share)
        : meter(meter), kept(meter.left - std::min(meter.left, share)) {
      meter.left -= kept;
    }
    ~Share() { meter.left += kept; }
    Share(const Share &) = delete;
    Share &operator=(const Share &) = delete;

  private:
    WorkMeter &meter;
    uint64_t kept;
  };

private:
  uint64_t left;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_WORKMETER_H
