//===- IndexingMapSize.cpp - Whether a map is written larger --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printer knows how many divisions a map is written with, at a price. Two
// counts that need no printing often decide before it is asked:
//
//   at least  every token of the text of a form makes at most one division when
//             it is read, so the text has as many as the form reaches;
//   at most   written term by term, but digits k*(B - m*⌊B/m⌋) as k*(B mod m).
//
// Where they don't, a large map is judged by the second count, before and
// after, or by its atoms; only maps of ordinary size are printed.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapStorage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::tensoraccess;
using llvm::SmallVector;
using mlir::tensoraccess::detail::MapStorage;

/// Maps that may have more divisions are not printed for comparing them.
static constexpr unsigned kLarge = 40;

namespace {

class DivisionCounter {
public:
  explicit DivisionCounter(const MapStorage &map) : map(map) {
    const FormArena &arena = map.arena;
    isUsable = arena.getNumAtoms() - arena.getNumVariables() <= 64;
    if (!isUsable)
      return;
    for (AtomId id = arena.getNumVariables(), e = arena.getNumAtoms(); id != e;
         ++id) {
      const bool isDivision = arena.getAtom(id).kind == AtomKind::FloorDiv;
      FormRef body = arena.body(id);
      uint64_t mask = 0;
      for (const Term &t : body.terms)
        mask |= reached(t.atom);
      if (isDivision)
        mask |= uint64_t(1) << (id - arena.getNumVariables());
      reachedBy.push_back(mask);
      written.push_back(std::min(isDivision + atMost(body), kMany));
    }
  }

  /// Divisions in the text of the map: no fewer; 0 if not known.
  unsigned atLeast() const {
    unsigned sum = 0;
    forEachForm([&](FormRef f) {
      uint64_t mask = 0;
      for (const Term &t : f.terms)
        mask |= reached(t.atom);
      sum += llvm::popcount(mask);
    });
    return sum;
  }
  /// No more than that.
  unsigned atMost() const {
    unsigned sum = 0;
    forEachForm([&](FormRef f) { sum = std::min(sum + atMost(f), kMany); });
    return sum;
  }

  bool isUsable;

private:
  static constexpr unsigned kMany = 1u << 24;

  template <typename Visit>
  void forEachForm(Visit visit) const {
    for (const Form &f : map.results)
      visit(f);
    for (const Constraint &c : map.constraints)
      visit(c.form);
  }
  uint64_t reached(AtomId id) const {
    return map.arena.isVariable(id)
               ? 0
               : reachedBy[id - map.arena.getNumVariables()];
  }
  unsigned writtenFor(AtomId id) const {
    return map.arena.isVariable(id) ? 0
                                    : written[id - map.arena.getNumVariables()];
  }
  /// Term by term, but a last term that makes a digit of its own body spares
  /// what it shares with it.
  unsigned atMost(FormRef f) const {
    unsigned sum = 0;
    for (const Term &t : f.terms)
      sum = std::min(sum + writtenFor(t.atom), kMany);
    if (f.terms.size() < 2)
      return sum;
    const Term &q = f.terms.back();
    const Atom &a = map.arena.getAtom(q.atom);
    if (a.kind != AtomKind::FloorDiv || q.coefficient % a.divisor != 0 ||
        q.coefficient == Interval::kNoLower)
      return sum;
    const int64_t k = -(q.coefficient / a.divisor);
    unsigned spared = 0;
    const Term *at = f.terms.begin();
    for (const Term &t : map.arena.body(q.atom).terms) {
      while (at != f.terms.end() && at->atom < t.atom)
        ++at;
      if (at == f.terms.end() || at->atom != t.atom ||
          checkedMul(t.coefficient, k) != at->coefficient)
        return sum;
      spared += writtenFor(t.atom);
    }
    return sum - std::min(sum, spared);
  }

  const MapStorage &map;
  SmallVector<uint64_t, 16> reachedBy;
  SmallVector<unsigned, 16> written;
};

} // namespace

bool MapStorage::isLarger(const MapStorage &after, const MapStorage &before) {
  const bool hasDivisions =
      after.arena.getNumAtoms() != after.arena.getNumVariables();
  // Constraints that are written as bounds are few, and only over runtime
  // variables.
  const bool hasBounds = before.numRuntime != 0 && !before.constraints.empty();
  if (!hasBounds && after.constraints.size() > before.constraints.size())
    return true;
  if (!hasBounds && !hasDivisions)
    return false;
  if (!hasBounds) {
    DivisionCounter counter(after), bound(before);
    if (!counter.isUsable || !bound.isUsable)
      return after.countWrittenAtoms() > before.countWrittenAtoms();
    const unsigned most = counter.atMost(), mostBefore = bound.atMost();
    if (most <= bound.atLeast())
      return false;
    if (std::max(most, mostBefore) > kLarge)
      return most > mostBefore;
  }
  MapSize a = measure(after), b = measure(before);
  return a.divisions > b.divisions || a.constraints > b.constraints;
}
