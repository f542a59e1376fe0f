//===- TileEngine.h - How tiles pass through a map --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine behind Tile.h, for numbers and for variables alike. It works with
// *items*: independent counters 0 <= k < n, where the size n is a form over the
// parameters (offsets, sizes and runtime variables; or nothing but numbers).
// A tile's dim is offset + stride*k; a range symbol is lower + k. Every value
// is linear over items, with a form over the parameters as its constant:
//
//   1. Congruences. `(x - 3) mod 7 in [0, 0]` keeps every 7th k: k = c + 7k'.
//   2. Atoms, bottom up. A floor division of y0 + g*k by m
//        - whose items nothing else reads is a range of its own;
//        - else, with g dividing m, splits k into two items, quotient and
//          remainder, if the tile stays inside of one block of m or consists of
//          whole blocks: that is a condition;
//        - else must stay inside of one block.
//      Several items are first joined to one if all forms use them in the same
//      proportion and they add up to a progression (a condition, too).
//   3. Constraints become bounds of the one result they mention, or ranges of
//      items, or conditions, or (for numbers) a mask.
//   4. Results. Each item moves one result, or has one value (a condition). A
//      result's items must add up to a progression (a condition).
//
// Conditions that are always true vanish; one that never holds is a failure.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_TILEENGINE_H
#define TENSORACCESS_LIB_CORE_TILEENGINE_H

#include "TensorAccess/Core/Tile.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <string>
#include <vector>

namespace mlir::tensoraccess::detail {

/// The r where `form in interval` means no more than that the body of `division`,
/// a term of the form, is r modulo its divisor: the form is
/// scale*(body - m*(body floordiv m)) + shift, with one residue.
std::optional<int64_t> getResidue(const FormArena &arena, FormRef form,
                                  Interval interval, const Term &division);

/// Coprime `of` and `by` > 0 with by*x = of*y for the coefficients of all terms,
/// which are of the same atoms or items.
template <typename TermT>
std::optional<std::pair<int64_t, int64_t>> getRatio(llvm::ArrayRef<TermT> xs,
                                                    llvm::ArrayRef<TermT> ys) {
  if (xs.size() != ys.size() || xs.empty())
    return std::nullopt;
  auto [first, of] = xs.front();
  auto [second, by] = ys.front();
  if (of == Interval::kNoLower || by == Interval::kNoLower)
    return std::nullopt;
  const int64_t common = by < 0 ? -std::gcd(of, by) : std::gcd(of, by);
  of /= common;
  by /= common;
  for (auto [s, t] : llvm::zip(xs, ys)) {
    auto [x, a] = s;
    auto [y, b] = t;
    std::optional<int64_t> left = checkedMul(a, by), right = checkedMul(b, of);
    if (x != y || !left || !right || *left != *right)
      return std::nullopt;
  }
  return std::pair(of, by);
}

/// base + Σ coefficient * item; sorted by item, no zero coefficients.
struct Linear {
  Form base;
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> terms;

  int64_t getCoefficient(unsigned item) const;
  bool hasItem(unsigned item) const { return getCoefficient(item) != 0; }
};

struct Item {
  Form size;
  /// The variable it came from, for messages.
  std::string source;
  /// Replaced by others (true) or still a counter of its own.
  bool isReplaced = false;
};

/// As TileExpr and TileCondition, with the forms themselves.
struct ExprForms {
  struct Case {
    Form guard, value;
  };
  llvm::SmallVector<Case, 1> cases;
  Form otherwise;
};
struct CompareForms {
  Form form;
  Interval interval;
};
using ClauseForms = llvm::SmallVector<CompareForms, 2>;
struct RunTerm {
  int64_t coefficient;
  Form size;
};
struct ConditionForms {
  llvm::SmallVector<ClauseForms, 2> clauses;
  llvm::SmallVector<RunTerm, 4> run;
  bool hasFixedStep = false;
};
struct ResultForms {
  Form offset;
  ExprForms size, stride;
  std::optional<Form> lower, upper;
};
/// A constraint over the results: Σ coefficient * result in the interval.
struct MaskForms {
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> terms;
  Interval interval;
};

/// A dim of the source tile: offset + stride*k, 0 <= k < size.
struct SourceDim {
  Form offset, size;
  int64_t stride = 1;
};

class TileEngine {
public:
  /// Forms are made in `arena`, which holds the parameters already; `runtime`
  /// has one form per runtime variable. For a symbolic source bounds are
  /// derived from the ranges of dims; otherwise it lies inside of them.
  TileEngine(const IndexingMap &map, FormArena &arena, bool isSymbolic)
      : map(map), from(map.getArena()), arena(arena), isSymbolic(isSymbolic) {}

  /// False with `failure` set.
  bool run(llvm::ArrayRef<SourceDim> dims, llvm::ArrayRef<Form> runtime);

  /// Variables whose range in the map is narrower than `run`'s input knows.
  llvm::SmallVector<std::pair<unsigned, Interval>, 2> narrowed;

  llvm::SmallVector<ResultForms, 4> results;
  std::vector<ConditionForms> conditions;
  std::vector<MaskForms> masks;
  TileFailure failure;
  /// Nothing is read, whatever else the answer has.
  bool isEmpty = false;
  /// Within the bounds the answer is also right for tiles that begin inside of
  /// the dims' ranges and reach over the end.
  bool reachesOverEdges = true;

private:
  using TermList = llvm::SmallVector<std::pair<unsigned, int64_t>, 4>;
  struct Pending {
    Linear linear;
    Interval interval;
    std::string text;
    bool isDone = false;
  };

  //===--- linear values --------------------------------------------------===//
  /// Adds an item of that size; a size of 1 adds none.
  std::optional<unsigned> addItem(Form size, llvm::StringRef source);
  void addTerm(Linear &x, unsigned item, int64_t coefficient);
  void accumulate(Linear &x, const Linear &y, int64_t factor);
  /// The value of a form, atoms that are not resolved left out.
  Linear translate(FormRef form);
  /// item = base + Σ terms, everywhere.
  void replace(unsigned item, Form base, llvm::ArrayRef<Linear *> more,
               TermList terms);
  /// item = size - 1 - item, everywhere.
  void flip(unsigned item);
  Form sizeMinusOne(unsigned item) {
    return arena.sub(items[item].size, Form(1));
  }
  /// Least and greatest value over all items.
  Form getMin(const Linear &x);
  Form getMax(const Linear &x);
  int64_t times(int64_t a, int64_t b);

  //===--- atoms (TileAtoms.cpp) ------------------------------------------===//
  bool resolveAtoms();
  bool resolveCongruence(const Constraint &constraint);
  bool resolveDivision(AtomId id);
  bool resolvePositivePart(AtomId id);
  bool resolveProduct(AtomId id);
  /// Whether nothing but atom `id` reads the items.
  bool isSoleUse(AtomId id, const TermList &terms);
  /// Makes one item of several with positive, ascending coefficients; its
  /// coefficient is the first one. False if some form uses them differently.
  bool join(AtomId id, TermList &terms, Linear &value);
  /// The same where it is known that all forms use them in proportion.
  bool merge(TermList &terms, llvm::ArrayRef<Linear *> more);
  bool isProportional(const Linear &x, const TermList &terms);
  /// Calls `visit` with what every form, but the body of `except`, reads.
  bool forEachUse(AtomId except,
                  llvm::function_ref<bool(const Linear &)> visit);

  //===--- constraints (TileConstraints.cpp) ------------------------------===//
  bool resolveConstraints();
  bool isImplied(const Pending &p);
  bool boundResult(const Pending &p);
  bool boundItem(unsigned item, int64_t coefficient, const Form &atLeast,
                 const Form &atMost, Interval ends);
  /// 1: done, 0: not applicable, -1: failed.
  int project(Pending &p);
  /// Makes one item of all that p mentions, where other forms allow it.
  bool joinConstraint(Pending &p);
  bool maskOrRequire(const Pending &p);
  bool appearsElsewhere(unsigned item, const Pending *except);

  //===--- conditions and results (TileResults.cpp) -----------------------===//
  bool addCondition(ConditionForms condition, const llvm::Twine &reason);
  bool requireRun(llvm::SmallVector<RunTerm, 4> terms, bool fixedStep,
                  const llvm::Twine &reason);
  bool requireCompare(Form form, Interval interval, const llvm::Twine &reason);
  bool resolveResults();
  bool resolveResult(unsigned result);
  /// False if dims that end elsewhere would change more than the bounds.
  bool boundByDims(unsigned result);
  /// Sizes that may be 0 have to be positive if they are not alone.
  bool requireNonEmpty(unsigned item);
  /// Whether the terms are surely a progression, surely none, or it depends.
  std::optional<bool> getRunStatus(llvm::SmallVector<RunTerm, 4> terms,
                                   bool fixedStep);
  /// Π size if sums are unique, else 1 + Σ (coefficient/first)(size - 1).
  Form countSums(llvm::ArrayRef<RunTerm> terms);

  bool fail(const llvm::Twine &reason);

  const IndexingMap &map;
  const FormArena &from;
  FormArena &arena;
  bool isSymbolic;
  std::vector<Item> items;
  /// Per atom of the map, where it is resolved.
  std::vector<std::optional<Linear>> atoms;
  llvm::SmallVector<char, 32> used;
  /// Constraints of the map that congruences took care of.
  llvm::SmallVector<char, 4> isResolved;
  llvm::SmallVector<int64_t, 4> sourceStrides;
  std::vector<Linear> values;
  std::vector<Pending> pending;
  std::vector<std::pair<std::optional<Form>, std::optional<Form>>> bounds;
  /// What conditions are about just now, for messages.
  std::optional<unsigned> currentResult;
  std::string currentText;
  bool hasOverflow = false;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_TILEENGINE_H
