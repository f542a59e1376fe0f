//===- RelayoutPlan.h - Moving elements between layouts ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_RELAYOUTPLAN_H
#define TENSORACCESS_CORE_RELAYOUTPLAN_H

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutNest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Moving elements between layouts
//
// A relayout copies every element of an array from its place in one layout to
// its place in another, after a transposition and a row-major reshape of the
// logical array. A plan is that copy as loop nests, a value without pointers or
// element types:
//
//   f32[5,130]{1,0}  ->  f32[5,130]{1,0:T(8,128)}
//     for d1/128 < 1:  for d0 < 5 of 8:  for d1%128 < 128:  1 element
//     from 128:        for d0 < 5 of 8:  for d1%128 < 2 of 128
//
//   1. Tiles act on each dimension on its own, so both numbers are sums over
//      dimensions, and of digits of a dimension: digit times stride.
//   2. The divisors of both sides' digits, sorted, cut a dimension into loops;
//      where each divides the next, both sides have one stride in each loop.
//   3. A dimension that its divisors do not divide ends in a *boundary*: one
//      more nest per level. The product over dimensions makes the boxes.
//   4. A loop of the target may be longer than it has elements, `valid` of
//      `extent`: what is beyond is padding and becomes zero. So the boxes cover
//      the target exactly once, except for the tail.
//   5. What has no such loops (tiles of 4 and 6 on one dimension) is done with
//      tables: per dimension, where each index is in memory on either side; and
//      what is not a sum of digits (`*` before a tile that cuts through the
//      merged ones, or a tile of 3 in a tile of 4) by asking both layouts for
//      each element.
//===----------------------------------------------------------------------===//

/// One loop of a nest; strides in elements.
struct RelayoutLoop {
  /// Steps in the target. Those from `valid` on are padding: zeros.
  int64_t extent = 1;
  /// Steps that move elements, in [1, extent].
  int64_t valid = 1;
  int64_t sourceStride = 0;
  int64_t targetStride = 0;

  bool operator==(const RelayoutLoop &o) const {
    return extent == o.extent && valid == o.valid &&
           sourceStride == o.sourceStride && targetStride == o.targetStride;
  }
};

/// A nest: the element number `source + Σ i·sourceStride` goes to number
/// `target + Σ i·targetStride`. No loop has an extent of 1.
struct RelayoutBox {
  int64_t source = 0, target = 0;
  /// Sorted by decreasing target stride.
  llvm::SmallVector<RelayoutLoop, 8> loops;

  /// Sorts the loops, drops single steps and joins neighbours that are one loop
  /// on both sides.
  void normalize();
};

/// Where the indices of one dimension, or of all of them as one in row-major
/// order, are in memory.
struct RelayoutTable {
  std::vector<int64_t> source, target;
};

/// How one side's elements are laid out: a layout with a shape, strides, or
/// digits.
class RelayoutSide {
public:
  /// Requires a layout that verifies, with a static shape.
  static RelayoutSide get(Layout layout);
  /// Element `Σ index·stride`, which may be negative or overlap: sources only.
  static RelayoutSide strided(llvm::ArrayRef<int64_t> shape,
                              llvm::ArrayRef<int64_t> strides);
  /// Memory with one place for each value of these digits, major to minor.
  static RelayoutSide ofNest(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<NestDigit> nest);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  bool isStrided() const { return !layout && !nest; }
  /// Its elements in memory without and with the tail; std::nullopt if they
  /// don't fit in 63 bits. For strides, the elements of the shape.
  std::optional<int64_t> getPlaces() const;
  std::optional<int64_t> getPaddedElements() const;
  /// The number of the element at an index inside the shape.
  int64_t linearize(llvm::ArrayRef<int64_t> index) const;

private:
  friend class RelayoutPlan;

  llvm::SmallVector<int64_t, 4> shape, strides;
  std::optional<Layout> layout;
  std::optional<llvm::SmallVector<NestDigit>> nest;
};

class RelayoutPlan {
public:
  enum class Kind : uint8_t { Boxes, Tables, Elements };

  /// The plan from `source` to `target`, whose logical array is the source's
  /// with dimensions permuted (dimension i of the outcome is `permutation[i]`
  /// of the source; empty is the identity) and reshaped in row-major order.
  /// std::nullopt and the reason if the permutation is invalid, the numbers of
  /// elements differ, the target is strided, or a size does not fit in 63 bits.
  static std::optional<RelayoutPlan> get(const RelayoutSide &source,
                                         const RelayoutSide &target,
                                         llvm::ArrayRef<int64_t> permutation,
                                         std::string &error);

  Kind getKind() const { return kind; }
  /// Elements moved.
  int64_t getElements() const { return elements; }
  /// The half-open range of element numbers that is read; both 0 if none is.
  std::pair<int64_t, int64_t> getSourceRange() const { return sourceRange; }
  /// Elements of the target in memory, with padding and tail.
  int64_t getTargetElements() const { return targetElements; }

  /// Whether all of the target is to be set to zero first: the boxes, or what
  /// stands in for them, leave some of the padding out.
  bool needsZeros() const { return zerosFirst; }
  /// Target numbers from here on are the tail, zeros, that no box covers.
  int64_t getTailBegin() const { return tailBegin; }
  /// Kind::Boxes; target strides are positive.
  llvm::ArrayRef<RelayoutBox> getBoxes() const { return boxes; }

  /// Whether the target is the same memory as the source: one run from 0
  /// without padding.
  bool isIdentity() const;

  /// Calls `move(source, target)` for each element, in a fixed order: the
  /// meaning of the plan.
  void forEach(llvm::function_ref<void(int64_t, int64_t)> move) const;

private:
  Kind kind = Kind::Boxes;
  bool zerosFirst = false;
  int64_t elements = 0, targetElements = 0, tailBegin = 0;
  std::pair<int64_t, int64_t> sourceRange = {0, 0};
  llvm::SmallVector<RelayoutBox, 2> boxes;
  /// Kind::Tables: an element has an index in each table, and is at the sum.
  llvm::SmallVector<RelayoutTable, 0> tables;
  /// Kind::Elements.
  std::vector<RelayoutSide> sides;
  llvm::SmallVector<int64_t, 4> permutation;

  void build(const RelayoutSide &source, const RelayoutSide &target);
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_RELAYOUTPLAN_H
