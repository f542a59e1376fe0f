//===- PointSolver.h - Counting and finding points of a domain --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. The points of {v in ranges : every constraint holds}, where
// variables of all kinds are alike. See PointSolver.cpp for how.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_POINTSOLVER_H
#define TENSORACCESS_LIB_CORE_POINTSOLVER_H

#include "Form/Periods.h"
#include "Support/WorkMeter.h"

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess::detail {

class PointSolver {
public:
  /// `budget` bounds the number of evaluations over the solver's whole life,
  /// the meter, if there is one, all that the solver does.
  PointSolver(const IndexingMap &map, uint64_t budget,
              WorkMeter *meter = nullptr);

  /// How many points there are; std::nullopt if infinitely many, more than 64
  /// bits hold, or the budget does not suffice.
  std::optional<uint64_t> count();
  /// Whether there is a point; fills it in. std::nullopt if that is unknown.
  std::optional<bool> find(llvm::SmallVectorImpl<int64_t> &point);
  /// The smallest interval that contains the values of `variable` at all
  /// points; empty if there are none.
  std::optional<Interval> getBounds(unsigned variable);

private:
  using Mask = uint64_t;
  using Ranges = llvm::SmallVector<Interval, 8>;
  using Indices = llvm::SmallVector<unsigned, 8>;

  /// Solutions in one variable.
  struct Tally {
    uint64_t count = 0;
    int64_t first = 0, last = 0;
  };
  struct Problem {
    Mask open = 0;
    Ranges ranges;
    Indices constraints;
  };

  void reset();
  uint64_t fail() {
    hasFailed = true;
    return 0;
  }
  bool spend(uint64_t steps) {
    hasFailed |= steps > budget;
    budget -= std::min(steps, budget);
    return !hasFailed;
  }
  bool work(uint64_t steps) {
    hasFailed |= meter && !meter->spend(steps);
    return !hasFailed;
  }
  uint64_t solveAll();
  uint64_t solve(Problem &problem);
  bool narrow(Problem &problem);
  uint64_t solveComponent(const Problem &problem, Mask component,
                          llvm::ArrayRef<unsigned> constraints);
  uint64_t solveBox(const Problem &problem, Mask component);
  Tally solveOne(unsigned variable, Interval range,
                 llvm::ArrayRef<unsigned> constraints);
  std::optional<uint64_t> countPair(const Problem &problem, unsigned x,
                                    unsigned y, unsigned constraint);
  Periodic getPeriodic(FormRef form, unsigned variable);
  Interval clip(Interval range);

  IndexingMap map;
  const FormArena &arena;
  uint64_t budget;
  WorkMeter *meter;
  /// Steps of one evaluation of all atoms.
  uint64_t evaluationCost = 8;
  bool hasFailed = false;
  /// Some infinite range was searched only in part.
  bool isClipped = false;
  /// One point is enough.
  bool findOnly = false;
  /// Variables of each constraint, and those in it outside of its linear terms.
  llvm::SmallVector<Mask, 8> masks, nonlinear;
  llvm::SmallVector<int64_t, 16> values;
  /// What atoms do in each variable; empty until asked for.
  llvm::SmallVector<llvm::SmallVector<Periodic, 8>, 8> periods;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_POINTSOLVER_H
