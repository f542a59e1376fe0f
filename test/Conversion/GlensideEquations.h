//===- GlensideEquations.h - Glenside's rewrites as equations ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rewrite as a function that writes both sides, for random terms, sizes
// and axes that its side condition allows. Beyond Glenside's, there are those
// for computes that it has no rules for.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CONVERSION_GLENSIDEEQUATIONS_H
#define TENSORACCESS_TEST_CONVERSION_GLENSIDEEQUATIONS_H

#include "GlensideTerms.h"

#include <functional>

namespace glenside {

using Equation = std::pair<Term, Term>;

struct Rewrite {
  const char *name;
  std::function<Equation(Writer &)> write;
  /// Rows and columns of the arrays that are to be found.
  std::vector<std::pair<int64_t, int64_t>> arrays = {};
};

const std::vector<Rewrite> &getRewrites();

/// Equations between terms of one type that are false.
const std::vector<Rewrite> &getWrongRewrites();

} // namespace glenside

#endif // TENSORACCESS_TEST_CONVERSION_GLENSIDEEQUATIONS_H
