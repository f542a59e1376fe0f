//===- Periods.cpp - How forms repeat in a variable -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Periods.h"

#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

int64_t mlir::tensoraccess::detail::getCommonPeriod(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  return checkedMul(a / std::gcd(a, b), b).value_or(0);
}

Periodic mlir::tensoraccess::detail::addPeriods(FormRef form,
                                                ArrayRef<Periodic> atoms) {
  Periodic sum;
  for (const Term &t : form.terms)
    sum.period = getCommonPeriod(sum.period, atoms[t.atom].period);
  if (!sum.period)
    return {0, 0};
  __int128 step = 0;
  for (const Term &t : form.terms) {
    const Periodic &a = atoms[t.atom];
    __int128 own = static_cast<__int128>(a.step) * (sum.period / a.period);
    if (own > Interval::kNoUpper || own < -Interval::kNoUpper)
      return {0, 0};
    step += own * t.coefficient;
    if (step > Interval::kNoUpper || step < -Interval::kNoUpper)
      return {0, 0};
  }
  sum.step = static_cast<int64_t>(step);
  return sum;
}

SmallVector<Periodic, 8>
mlir::tensoraccess::detail::getPeriods(const FormArena &arena, AtomId variable,
                                       ArrayRef<AtomId> atoms) {
  SmallVector<Periodic, 8> out(arena.getNumAtoms());
  out[variable].step = 1;
  for (AtomId id : atoms) {
    const Atom &a = arena.getAtom(id);
    if (a.kind == AtomKind::Variable)
      continue;
    const Periodic body = addPeriods(arena.body(id), out);
    out[id] = {0, 0};
    if (a.kind != AtomKind::FloorDiv) {
      if (llvm::none_of(arena.body(id).terms,
                        [&](const Term &t) { return out[t.atom].step != 0; }))
        out[id] = body;
      continue;
    }
    const int64_t g = static_cast<int64_t>(
        std::gcd(magnitude(body.step), static_cast<uint64_t>(a.divisor)));
    if (std::optional<int64_t> period = checkedMul(body.period, a.divisor / g);
        period && *period)
      out[id] = {*period, body.step / g};
  }
  return out;
}
