//===- FormFacts.h - What constraints imply for forms -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. Assume some constraints, propagate, and ask what the values
// of other forms can be: an interval and a residue class for every atom.
//
//   FormFacts facts(arena, ranges);
//   facts.assume(d0 mod 4, {1, 1});
//   facts.assume(d0 mod 6, {3, 3});
//   facts.propagate();              // true: not contradictory
//   facts.residue(d0);              // 9 mod 12
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_FORMFACTS_H
#define TENSORACCESS_LIB_CORE_FORMFACTS_H

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess::detail {

/// All numbers equal to `value` modulo `modulus`; of modulus 0 the number
/// itself, of modulus 1 anything. Otherwise 0 <= value < modulus < 2^31.
struct Residue {
  int64_t modulus = 1, value = 0;

  bool isAnything() const { return modulus == 1; }
  bool isExact() const { return modulus == 0; }
  /// The value modulo m, if all members agree on it; m > 0.
  std::optional<int64_t> modulo(int64_t m) const {
    if (modulus % m != 0)
      return std::nullopt;
    return floorModPositive(value, m);
  }
  bool operator==(const Residue &o) const {
    return modulus == o.modulus && value == o.value;
  }
};

class FormFacts {
public:
  /// `ranges`: one per variable; the arena and the forms must outlive the
  /// facts, and no atoms may be added in between.
  FormFacts(const FormArena &arena, llvm::ArrayRef<Interval> ranges);

  /// Assumes that `form` is in `interval`; take effect with `propagate`.
  void assume(FormRef form, Interval interval) {
    facts.push_back({form, interval});
  }
  /// Draws conclusions until nothing new turns up, or for a bounded number of
  /// sweeps. False if the assumptions contradict each other.
  bool propagate();

  /// An interval that contains all values of `form` under the assumptions.
  Interval range(FormRef form) const { return rangeWithout(form, ~0u); }
  /// A residue class that contains all values of `form`.
  Residue residue(FormRef form) const;
  unsigned getNumAtoms() const { return atomRanges.size(); }
  Interval rangeOfAtom(AtomId id) const { return atomRanges[id]; }
  Residue residueOfAtom(AtomId id) const { return residues[id]; }
  /// True if something is in a residue class that is not a single number.
  bool hasResidues() const { return anyResidue || !formResidues.empty(); }
  /// A sum of several atoms, of first coefficient positive and constant 0, and
  /// its class.
  struct FormResidue {
    Form form;
    Residue residue;
  };
  llvm::ArrayRef<FormResidue> getFormResidues() const { return formResidues; }

private:
  struct Fact {
    FormRef form;
    Interval interval;
  };

  bool narrow(AtomId id, Interval interval);
  bool meet(AtomId id, Residue residue);
  bool learn(FormRef form, Interval interval, unsigned descent);
  bool learnResidue(FormRef form, Residue residue, unsigned descent);
  bool collectFormResidues();
  Residue sumOfResidues(FormRef form) const;
  bool sweep();
  bool filterValues();
  bool sweepRanges();
  bool sweepResidues();
  Interval directRange(FormRef form) const;
  /// As `range`, but without the fact of that number.
  Interval rangeWithout(FormRef form, unsigned fact) const;

  const FormArena &arena;
  llvm::SmallVector<Interval, 16> atomRanges;
  llvm::SmallVector<Residue, 16> residues;
  llvm::SmallVector<Fact, 8> facts;
  llvm::SmallVector<FormResidue, 2> formResidues;
  bool changed = false, anyEquality = false, anyResidue = false;
};

/// The part of `interval` between its first and its last member of a class.
Interval tighten(Interval interval, Residue residue);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_FORMFACTS_H
