//===- SimplifyTest.cpp - What simplification knows -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Residues, emptiness and propagation: worked examples, and random maps of many
// moduli against enumeration.
//
//===----------------------------------------------------------------------===//

#include "ParseMap.h"
#include "RandomMaps.h"

#include "gtest/gtest.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

bool isEmptyByEnumeration(const RandomMap &tree) {
  for (const Point &p : pointsOf(tree.ranges))
    if (tree.evaluate(p))
      return false;
  return true;
}

/// A sum of one or two variables with small coefficients.
ExprPtr drawLinear(unsigned n) {
  ExprPtr sum = leaf('c', pick(0, 2) ? 0 : pick(-5, 5));
  for (int i = pick(0, 3) ? 1 : 2; i > 0; --i) {
    const int k = pick(0, 2) ? 1 : pick(-4, 6);
    sum = node('+', sum,
               node('*', leaf('v', pick(0, n - 1)), leaf('c', k ? k : 2)));
  }
  return sum;
}

/// Maps whose constraints and results are full of moduli.
RandomMap drawResidueMap() {
  RandomMap map;
  map.numDims = 1;
  map.numSymbols = pick(0, 1);
  map.numRuntime = pick(0, 5) == 0;
  const unsigned n = map.numDims + map.numSymbols + map.numRuntime;
  for (unsigned i = 0; i != n; ++i) {
    const int lo = pick(0, 2) ? 0 : pick(-20, 20);
    map.ranges.push_back({lo, lo + pick(0, n > 2 ? 9 : n > 1 ? 20 : 90)});
  }
  auto drawDigit = [&](int depth) {
    ExprPtr e = drawLinear(n);
    for (int i = pick(1, depth); i > 0; --i)
      e = node(pick(0, 2) ? '%' : '/', e, leaf('c', pick(2, 12)));
    return e;
  };
  for (int i = pick(1, 2); i > 0; --i) {
    ExprPtr e = drawDigit(2);
    if (pick(0, 3) == 0)
      e = node('+', e, drawLinear(n));
    if (pick(0, 5) == 0)
      e = node(pick(0, 1) ? '<' : '>', e, drawDigit(1));
    map.results.push_back(e);
  }
  for (int i = pick(1, 4); i > 0; --i) {
    const int lo = pick(0, 5);
    map.constraints.push_back(
        {pick(0, 5) ? drawDigit(2) : drawLinear(n),
         {lo, lo + (pick(0, 3) ? 0 : pick(1, 8))}});
  }
  return map;
}

void expectLaws(const RandomMap &tree) {
  IndexingMap map = tree.parse(), simple = map.simplify();
  for (const Point &p : pointsOf(tree.ranges))
    if (simple.evaluateAt(p) != tree.evaluate(p))
      RC_FAIL("at a point of " + tree.str() + "\ngot " + simple.str());
  if (simple.simplify() != simple)
    RC_FAIL(map.str() + "\nsimplifies to " + simple.str() + "\nand that to " +
            simple.simplify().str());
  MapSize before = map.getSize(), after = simple.getSize();
  if (after.divisions > before.divisions ||
      after.constraints > before.constraints)
    RC_FAIL(map.str() + "\ngrew to\n" + simple.str());
  ParseError error;
  std::optional<IndexingMap> again = IndexingMap::parse(simple.str(), error);
  if (!again || *again != simple || again->simplify() != simple)
    RC_FAIL(simple.str() + "\nis read as\n" +
            (again ? again->str() + "\nand simplifies to\n" +
                         again->simplify().str()
                   : error.message));
  if (std::optional<std::string> what = simple.verify())
    RC_FAIL(simple.str() + ": " + *what);
}

TEST(Residues, LawsHoldWithManyModuli) {
  setenv("RC_PARAMS", "seed=20240521 max_success=600 max_size=60", 0);
  EXPECT_TRUE(rc::check("residues", [&] { expectLaws(drawResidueMap()); }));
}

TEST(Residues, MissedEmptiness) {
  setenv("RC_PARAMS", "seed=20240521 max_success=600 max_size=60", 0);
  unsigned empty = 0, missed = 0;
  EXPECT_TRUE(rc::check("empty", [&] {
    RandomMap tree = pick(0, 1) ? drawResidueMap() : drawMap(pick(1, 2), 1, 3);
    if (tree.constraints.empty() || !isEmptyByEnumeration(tree))
      return;
    ++empty;
    IndexingMap s = tree.parse().simplify();
    if (!s.isKnownEmpty()) {
      ++missed;
      llvm::errs() << tree.str() << "\n   " << s.str() << "\n";
    }
  }));
  llvm::errs() << empty << " empty, missed " << missed << "\n";
}

} // namespace
