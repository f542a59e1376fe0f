//===- Periods.h - How forms repeat in a variable ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. A form made of variables, sums and divisions has a period p
// and a step s in each variable v: f(v + p) = f(v) + s. A variable has p = 1; a
// sum has the lcm of its terms; if B has p and s, then ⌊B/m⌋ has p·m/gcd(m, s)
// and s/gcd(m, s). Maxima and products have a period where no factor has a step.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_PERIODS_H
#define TENSORACCESS_LIB_CORE_PERIODS_H

#include "TensorAccess/Core/Form.h"

namespace mlir::tensoraccess::detail {

/// f(v + period) = f(v) + step. Period 0: nothing as regular as that.
struct Periodic {
  int64_t period = 1, step = 0;
};

/// The lcm of two periods; 0 if one of them is 0 or it does not fit.
int64_t getCommonPeriod(int64_t a, int64_t b);

/// A form, given what its atoms do.
Periodic addPeriods(FormRef form, llvm::ArrayRef<Periodic> atoms);

/// What each atom of the arena does in `variable`, as far as it is one of
/// `atoms`, which are ascending and contain those in their bodies that are not
/// variables.
llvm::SmallVector<Periodic, 8> getPeriods(const FormArena &arena,
                                          AtomId variable,
                                          llvm::ArrayRef<AtomId> atoms);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_PERIODS_H
