//===- TileBoxStep.h - A tile box through one map ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The map's variables are *counters*: each runs over a range of its own, dims
// over the box, symbols over their ranges. Bounds of everything else follow by
// interval arithmetic on bounds, which is monotone, so that it always covers:
//
//   1. Constraints on one variable bound it, or make it a progression.
//   2. A constraint F in [a, b] on several of them, the first that applies:
//        - it holds anyway;
//        - F is, up to a factor, what a result or a division reads: it bounds F
//          there;
//        - all its variables but k are read nowhere else: k lies between what
//          the others leave. With steps of at most b - a + 1 they leave no gap;
//        - else it bounds each variable by the others, which covers.
//   3. Divisions, maxima and sums, bottom up; a sum of progressions is one if
//      each step is bridged by what the smaller ones surely reach. Digits
//      y - m*(y floordiv m) are recognised.
//   4. Results that read a common variable are a hull, unless at most one of
//      them moves, or they are different digits of one aligned range.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_TILEBOXSTEP_H
#define TENSORACCESS_LIB_CORE_TILEBOXSTEP_H

#include "TileEngine.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mlir::tensoraccess::detail {

// Lists of bounds: a lower bound is the maximum of its list, an upper bound the
// minimum. Odd variables are the last indices e of the source, the even ones
// before them its offsets o.

using BoundList = llvm::SmallVector<Form, 2>;

/// Bounds in one list, and atoms below one bound. What exceeds that is
/// replaced by something simpler, and the box is a hull.
inline constexpr unsigned kMaxBounds = 4, kMaxBoundAtoms = 12;

/// Drops bounds that others imply. False if some had to be dropped that none
/// implies, or to be replaced by a number.
bool prune(FormArena &arena, BoundList &list, bool isLower);

/// Moves the bounds to elements: x = anchor modulo stride.
void align(FormArena &arena, TileBox::Dim &dim);

/// The least upper - lower over all sources, negative if the dimension may be
/// empty; none known: -2^63. It grows with the source, so its least value is
/// that of a source of one element, e = o.
int64_t getMinSpan(const FormArena &arena, const TileBox::Dim &dim);
/// The greatest, 2^63 - 1 if there is no bound.
int64_t getMaxSpan(const FormArena &arena, const TileBox::Dim &dim);

} // namespace mlir::tensoraccess::detail

namespace mlir::tensoraccess {

class TileBoxStep {
public:
  TileBoxStep(const TileBox &source, const IndexingMap &map, TileBox &out)
      : source(source), map(map), from(map.getArena()), out(out),
        arena(out.arena) {}

  bool run(TileFailure &failure);

private:
  /// A digit of a sum: (body floordiv weight) mod modulus; 0: no modulus.
  struct Digit {
    Form body;
    int64_t weight = 1, modulus = 0;
  };
  struct Range : TileBox::Dim {
    /// Not empty: why it only covers.
    std::string reason;
    /// The variables that it reads and that move.
    llvm::SmallBitVector items;
    std::optional<Digit> digit;

    void cover(llvm::StringRef why) {
      if (reason.empty())
        reason = why.str();
    }
  };
  /// A constraint on several variables.
  struct Clip {
    /// Without a constant.
    Form form;
    Interval interval = Interval::all();
    /// If positive: form = residue modulo it.
    int64_t modulus = 0, residue = 0;
    bool isDone = false;
    /// Bounds what a result or a division reads.
    bool isApplied = false;
    std::string text;
  };

  void setVariables();
  void addConstraint(const Constraint &constraint);
  void resolveClips();
  bool isRead(unsigned variable, const Clip *except) const;
  /// Bounds variable k by what the constraint's other variables leave; true if
  /// that is exact.
  bool tighten(const Clip &clip, unsigned k, int64_t coefficient);
  llvm::SmallVector<unsigned, 4> getMoving(FormRef form) const;

  Range evaluate(FormRef form);
  const Range &evaluateAtom(AtomId id);
  Range divide(const Range &x, int64_t m);
  Range remainder(const Range &x, int64_t m);
  Range positivePart(Range x);
  Range multiply(const Range &x, const Range &y);
  /// Takes digits out of `form`, with their coefficients.
  void splitDigits(Form &form,
                   llvm::SmallVectorImpl<std::pair<int64_t, Range>> &parts);
  Range sum(int64_t constant, llvm::ArrayRef<std::pair<int64_t, Range>> parts);
  void applyClips(FormRef form, Range &range);
  void applyCongruence(Range &range, int64_t modulus, int64_t residue);

  Range getConstant(int64_t lower, int64_t upper) const;
  void normalize(Range &range);
  bool isPoint(const Range &range) const {
    return range.lower.size() == 1 && range.upper.size() == 1 &&
           range.lower.front() == range.upper.front();
  }
  bool isNonEmpty(const TileBox::Dim &dim) const {
    return detail::getMinSpan(arena, dim) >= 0;
  }
  Interval getNumbers(const Range &range) const;
  bool isIndependent(const Range &a, const Range &b);

  const TileBox &source;
  const IndexingMap &map;
  const FormArena &from;
  TileBox &out;
  FormArena &arena;
  std::vector<Range> variables;
  llvm::SmallBitVector moves;
  std::vector<std::optional<Range>> atoms;
  std::vector<Clip> clips;
  /// Variables of the results.
  llvm::SmallVector<char, 32> readByResults;
  /// Whether constraints bound the forms that are read as a whole.
  bool isFinal = false;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_TILEBOXSTEP_H
