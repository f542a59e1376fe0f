//===- PresburgerDomain.h - Domains as polyhedra ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The border to MLIR's Presburger library, which is exact but knows no limits.
// Callers bound what they hand to it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_PRESBURGERDOMAIN_H
#define TENSORACCESS_TEST_CORE_PRESBURGERDOMAIN_H

#include "TensorAccess/Core/IndexingMap.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

namespace mlir::tensoraccess::detail {

/// Adds the domains of several maps to one polyhedron over shared dims, the
/// divisions as local variables.
class DomainBuilder {
public:
  explicit DomainBuilder(unsigned numVariables)
      : polyhedron(presburger::PresburgerSpace::getSetSpace(numVariables)) {}

  /// Adds the domain of `map`, whose symbols and runtime variables begin at
  /// column `firstOther`. False if it has atoms that are not affine.
  bool add(const IndexingMap &map, unsigned firstOther) {
    const FormArena &arena = map.getArena();
    llvm::SmallVector<unsigned, 32> columns;
    for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id) {
      if (arena.isVariable(id)) {
        columns.push_back(
            id < map.getNumDims() ? id : firstOther + id - map.getNumDims());
        continue;
      }
      if (arena.getAtom(id).kind != AtomKind::FloorDiv)
        return false;
      llvm::SmallVector<llvm::DynamicAPInt, 16> body =
          row(arena.body(id), columns);
      columns.push_back(polyhedron.getNumVars());
      polyhedron.addLocalFloorDiv(
          body, llvm::DynamicAPInt(arena.getAtom(id).divisor));
    }
    for (unsigned i = 0, e = map.getNumVariables(); i != e; ++i)
      between(Form::ofAtom(i), map.getRanges()[i], columns);
    for (const Constraint &c : map.getConstraints())
      between(c.form, c.interval, columns);
    return true;
  }

  presburger::IntegerPolyhedron polyhedron;

private:
  llvm::SmallVector<llvm::DynamicAPInt, 16>
  row(FormRef f, llvm::ArrayRef<unsigned> columns) {
    llvm::SmallVector<llvm::DynamicAPInt, 16> out(polyhedron.getNumCols(),
                                                  llvm::DynamicAPInt(0));
    for (const Term &t : f.terms)
      out[columns[t.atom]] += llvm::DynamicAPInt(t.coefficient);
    out.back() = llvm::DynamicAPInt(f.constant);
    return out;
  }

  void between(FormRef f, Interval interval, llvm::ArrayRef<unsigned> columns) {
    llvm::SmallVector<llvm::DynamicAPInt, 16> atLeast = row(f, columns),
                                              atMost = atLeast;
    if (interval.hasLower()) {
      atLeast.back() -= llvm::DynamicAPInt(interval.lower);
      polyhedron.addInequality(atLeast);
    }
    if (interval.hasUpper()) {
      for (llvm::DynamicAPInt &v : atMost)
        v = -v;
      atMost.back() += llvm::DynamicAPInt(interval.upper);
      polyhedron.addInequality(atMost);
    }
  }
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_TEST_CORE_PRESBURGERDOMAIN_H
