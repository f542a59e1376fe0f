//===- ZeroReport.cpp - The section on zero regions -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Section `zero-regions`: `value` for each axis of each value that has zero
// slices, first those that hold whatever the inputs are, then those that need
// finite values.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Analysis/ZeroRegions.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The size of dimension `axis` of a value of static shape.
static int64_t getSize(Value value, unsigned axis) {
  if (auto access = dyn_cast<AccessType>(value.getType()))
    return access.getShape()[axis];
  return cast<RankedTensorType>(value.getType()).getDimSize(axis);
}

void tensoraccess::reportZeroRegions(ReportContext &report) {
  ZeroRegions always(report.getFunction());
  ZeroRegions finite(report.getFunction(), {/*assumeFinite=*/true});
  report.getFunction()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults()) {
      const ZeroRegion *known = always.get(result);
      const ZeroRegion *most = finite.get(result);
      if (!most)
        continue;
      for (auto [axis, zeros] : llvm::enumerate(most->axes)) {
        if (zeros.empty())
          continue;
        const bool isCertain = known && known->axes[axis] == zeros;
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
            .label("Holds", isCertain ? "always" : "if all values are finite")
            .say(name + " is zero at " + toString(zeros) + " of axis " +
                 Twine(axis));
      }
    }
  });
}
