//===- ZeroReport.cpp - The section on zero regions -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Section `zero-regions`: `value` for each axis of each value that has zero
// slices, first those that hold for all inputs, then those that need
// finite values.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Analysis/ZeroSlices.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The size of dimension `axis` of a value.
static int64_t getSize(Value value, unsigned axis) {
  if (auto space = dyn_cast<IndexSpaceTypeInterface>(value.getType()))
    return space.getShape()[axis];
  return cast<RankedTensorType>(value.getType()).getDimSize(axis);
}

void tensoraccess::reportZeroRegions(ReportContext &report) {
  ZeroSlices always(report.getFunction(), report.getCache(), false);
  ZeroSlices finite(report.getFunction(), report.getCache(), true);
  report.getFunction()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults()) {
      ArrayRef<IntervalSet> known = always.get(result);
      for (auto [axis, zeros] : llvm::enumerate(finite.get(result))) {
        if (zeros.empty())
          continue;
        const bool isCertain = !known.empty() && known[axis] == zeros;
        uint64_t slices = 0;
        for (const Interval &interval : zeros)
          slices += interval.upper - interval.lower + 1;
        std::string name = report.nameOf(result);
        report.add("value", op->getLoc())
            .label("Value", name)
            .metric("Axis", uint64_t(axis))
            .metric("Size", uint64_t(getSize(result, axis)))
            .metric("ZeroSlices", slices)
            .label("Zeros", toString(zeros))
            .holds(!isCertain)
            .say(name + " is zero at " + toString(zeros) + " of axis " +
                 Twine(axis));
      }
    }
  });
}
