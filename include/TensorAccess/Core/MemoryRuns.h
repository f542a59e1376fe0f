//===- MemoryRuns.h - Where boxes and padding are in memory -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_MEMORYRUNS_H
#define TENSORACCESS_CORE_MEMORYRUNS_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Where boxes and padding are in memory
//
// A box of an array under a tiled layout is a set of stretches of memory: its
// *runs*, maximal, in the order of memory. They are what a DMA engine is given
// and what a cache sees:
//
//   f32[3,5]{1,0:T(2,2)}, rows [0, 2), columns [1, 5):
//     elements 1, 3 … 8 and 10: runs (1, 1) (3, 6) (10, 1), (offset, length)
//
// Their number and lengths are found without enumerating them:
//
//   1. The digits of a number, from major to minor, are levels of a tree; below
//      a digit is a block of memory. What a block holds depends only on what
//      is left of the range of each dimension, and most are whole.
//   2. A block is summed up by the lengths of the runs that touch its ends and
//      the number, least and greatest length of the others. Two consecutive
//      blocks are summed up from their summaries, and n equal ones in log n
//      steps.
//   3. Each different block is summed up once.
//
// A *descriptor* is the same in closed form: runs of one length that begin at
// offset + Σ iᵢ · strideᵢ. A box whose edges fall on tiles has one; any other
// box of a separable layout is a disjoint union of some.
//
// Padding is the complement, and is summed up by the same tree.
//
// Offsets and lengths count elements; elements of less than a byte are packed,
// so a run of n elements is n · elementBits neighbouring bits.
//===----------------------------------------------------------------------===//

/// Neighbouring elements of memory.
struct MemoryRun {
  int64_t offset = 0, length = 0;

  int64_t getEnd() const { return offset + length; }
  bool operator==(const MemoryRun &o) const {
    return offset == o.offset && length == o.length;
  }
};

/// A summary of all runs of a set; zeros if there are none.
struct RunSummary {
  int64_t elements = 0;
  int64_t runs = 0;
  int64_t minLength = 0, maxLength = 0;
  /// The first element's number, and one more than the last one's.
  int64_t begin = 0, end = 0;

  bool operator==(const RunSummary &o) const {
    return elements == o.elements && runs == o.runs &&
           minLength == o.minLength && maxLength == o.maxLength &&
           begin == o.begin && end == o.end;
  }
};

/// Runs of `length` at offset + Σ i · stride for i in [0, count), outermost
/// loop first. Strides are positive and decreasing.
struct RunDescriptor {
  struct Loop {
    int64_t count, stride;
    bool operator==(const Loop &o) const {
      return count == o.count && stride == o.stride;
    }
  };
  int64_t offset = 0;
  llvm::SmallVector<Loop, 4> loops;
  int64_t length = 1;

  int64_t getRuns() const {
    int64_t runs = 1;
    for (const Loop &loop : loops)
      runs *= loop.count;
    return runs;
  }
  bool operator==(const RunDescriptor &o) const {
    return offset == o.offset && loops == o.loops && length == o.length;
  }
};

/// A set of runs as descriptors.
struct RunDescriptors {
  /// Disjoint, sorted by offset.
  llvm::SmallVector<RunDescriptor, 2> parts;
  /// Whether their runs are the maximal ones: no run of one part begins where
  /// one of another ends.
  bool areMaximal = true;
};

namespace detail {
class RunTree;
} // namespace detail

/// The runs of a set of elements of memory.
class MemoryRuns {
public:
  const RunSummary &getSummary() const { return summary; }
  /// Calls `visit` for each run in the order of memory, until it returns false;
  /// false in that case.
  bool forEach(llvm::function_ref<bool(MemoryRun)> visit) const;
  /// The runs if there are at most `limit`.
  std::optional<llvm::SmallVector<MemoryRun>> list(uint64_t limit) const;
  /// In closed form: one descriptor for each box of digits; where there is no
  /// such form (padding, and where tiles cut through dimensions that `*` has
  /// merged) one for each run. std::nullopt if there are more than `limit`.
  std::optional<RunDescriptors> describe(unsigned limit = 64) const;

private:
  friend class detail::RunTree;

  RunSummary summary;
  /// One of the two: a tree, or the runs themselves.
  std::shared_ptr<const detail::RunTree> tree;
  llvm::SmallVector<MemoryRun, 0> runs;
};

/// The runs of the elements of a half-open box of indices. std::nullopt if the
/// layout has no shape or overflows, if the box is not inside the shape (see
/// `verifyBox`), and if the tree has more than `budget` different blocks and
/// the box more than `budget` elements.
std::optional<MemoryRuns> getRuns(const Layout &layout, const Box &box,
                                  uint64_t budget = kDefaultEnumerationBudget);
/// The runs of numbers below getPaddedElements() that belong to no element.
std::optional<MemoryRuns>
getPadding(const Layout &layout, uint64_t budget = kDefaultEnumerationBudget);

/// std::nullopt if the box has the shape's rank and is in it, else what is
/// wrong.
std::optional<std::string> verifyBox(const Box &box,
                                     llvm::ArrayRef<int64_t> shape);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_MEMORYRUNS_H
