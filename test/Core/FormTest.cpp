//===- FormTest.cpp - Linear forms over floordiv atoms --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The five steps of the division one by one, ranges, and arithmetic at the edge
// of 64 bits.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Form.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

struct FormTest : ::testing::Test {
  FormArena arena;
  Form variable(int64_t lo, int64_t hi) { return arena.addVariable({lo, hi}); }
  Form scaled(const Form &x, int64_t k) { return arena.scale(x, k); }
  Form sum(const Form &x, const Form &y) { return arena.add(x, y); }
  std::optional<int64_t> evaluateAt(FormRef x,
                                    llvm::ArrayRef<int64_t> variables) {
    llvm::SmallVector<int64_t> values;
    if (!arena.evaluateAtoms(variables, values))
      return std::nullopt;
    return FormArena::evaluate(x, values);
  }
};

TEST_F(FormTest, Step1MultiplesLeaveTheDivision) {
  Form x = variable(0, 99), y = variable(0, 99);
  // (12x + y + 25) / 6 = 2x + 4 + (y + 1) / 6
  Form q = arena.floorDiv(sum(sum(scaled(x, 12), y), Form(25)), 6);
  Form rest = arena.floorDiv(sum(y, Form(1)), 6);
  EXPECT_EQ(q, sum(sum(scaled(x, 2), Form(4)), rest));
  EXPECT_EQ(arena.getNumAtoms(), 3u);
}

TEST_F(FormTest, Step2OneBlockIsAConstant) {
  Form x = variable(16, 23);
  EXPECT_EQ(arena.floorDiv(x, 8), Form(2));
  EXPECT_EQ(arena.mod(x, 8), sum(x, Form(-16)));
  EXPECT_EQ(arena.floorDiv(arena.negate(x), 24), Form(-1));
}

TEST_F(FormTest, Step3SmallTermsVanish) {
  Form x = variable(0, 99), y = variable(0, 3);
  // (4x + y) / 12 = x / 3
  EXPECT_EQ(arena.floorDiv(sum(scaled(x, 4), y), 12), arena.floorDiv(x, 3));
  // (4x - y) / 12 = (x - 1) / 3 for y in [1, 4]
  FormArena other;
  Form u = other.addVariable({0, 99}), v = other.addVariable({1, 4});
  EXPECT_EQ(other.floorDiv(other.sub(other.scale(u, 4), v), 12),
            other.floorDiv(other.add(u, Form(-1)), 3));
}

/// A digit of one bit leaves with what rounds it up: b in [0, 1] is ⌊(b + 2)/3⌋
/// and -b is ⌊-b/3⌋.
TEST_F(FormTest, BitsLeaveRoundedUp) {
  Form third = arena.floorDiv(variable(0, 9), 3);
  Form bit = arena.mod(third, 2);
  EXPECT_EQ(arena.floorDiv(sum(bit, Form(2)), 3), bit);
  EXPECT_EQ(arena.ceilDiv(bit, 3), bit);
  EXPECT_EQ(arena.ceilDiv(sum(Form(1), scaled(bit, -1)), 3),
            sum(Form(1), scaled(bit, -1)));
  // Not for three values.
  Form digit = arena.mod(third, 3);
  EXPECT_NE(arena.floorDiv(sum(digit, Form(2)), 3), digit);
}

TEST_F(FormTest, Step4NestedDivisionsMerge) {
  Form x = variable(0, 9999), y = variable(0, 9);
  Form inner = arena.floorDiv(x, 7);
  // (x/7 + y) / 5 = (x + 7y) / 35
  EXPECT_EQ(arena.floorDiv(sum(inner, y), 5),
            arena.floorDiv(sum(x, scaled(y, 7)), 35));
  // (-(x/7) + y) / 5 = (-x + 6 + 7y) / 35
  EXPECT_EQ(arena.floorDiv(arena.sub(y, inner), 5),
            arena.floorDiv(sum(arena.sub(scaled(y, 7), x), Form(6)), 35));
}

TEST_F(FormTest, Step5AtomsAreShared) {
  Form x = variable(0, 99);
  Form a = arena.floorDiv(x, 7), b = arena.floorDiv(x, 7);
  EXPECT_EQ(a, b);
  EXPECT_EQ(arena.getNumAtoms(), 2u);
  EXPECT_EQ(arena.sub(x, scaled(a, 7)), arena.mod(x, 7));
}

TEST_F(FormTest, RangesKnowDigits) {
  Form x = variable(0, 198449);
  Form digit = arena.mod(arena.floorDiv(x, 42), 1575);
  EXPECT_EQ(arena.range(digit), Interval(0, 1574));
  Form shifted = sum(scaled(digit, 3), Form(-2));
  EXPECT_EQ(arena.range(shifted), Interval(-2, 3 * 1574 - 2));
  // Linearising what was delinearised gives x back.
  Form back =
      sum(sum(scaled(arena.floorDiv(x, 66150), 66150), scaled(digit, 42)),
          arena.mod(x, 42));
  EXPECT_EQ(back, x);
}

TEST_F(FormTest, RangesKnowClamps) {
  Form x = variable(-5, 20), y = variable(0, 9);
  Form clamped = arena.min(arena.max(x, Form(0)), Form(9));
  EXPECT_EQ(arena.range(clamped), Interval(0, 9));
  EXPECT_EQ(arena.range(arena.max(x, y)), Interval(0, 20));
  EXPECT_EQ(arena.range(arena.min(x, y)), Interval(-5, 9));
}

TEST_F(FormTest, ExtremesAreOneAtom) {
  Form x = variable(-5, 20), y = variable(0, 9);
  EXPECT_EQ(arena.max(x, y), arena.max(y, x));
  EXPECT_EQ(arena.min(x, y), arena.min(y, x));
  EXPECT_EQ(sum(arena.max(x, y), arena.min(x, y)), sum(x, y));
  EXPECT_EQ(arena.max(x, sum(x, Form(1))), sum(x, Form(1)));
  EXPECT_EQ(arena.max(scaled(x, 6), scaled(y, 6)), scaled(arena.max(x, y), 6));
  EXPECT_EQ(arena.getNumAtoms(), 3u);
}

TEST_F(FormTest, ProductsAreExact) {
  Form x = variable(-3, 4), y = variable(0, 5);
  Form p = arena.mul(sum(scaled(x, 2), Form(1)), sum(y, Form(-3)));
  for (int64_t a = -3; a <= 4; ++a)
    for (int64_t b = 0; b <= 5; ++b)
      EXPECT_EQ(evaluateAt(p, {a, b}), (2 * a + 1) * (b - 3));
  EXPECT_EQ(arena.range(arena.mul(x, x)), Interval(0, 16));
  EXPECT_TRUE(llvm::any_of(p.terms, [&](const Term &t) {
    return arena.getAtom(t.atom).kind == AtomKind::Product;
  }));
}

TEST_F(FormTest, NegativeDivisorsRoundDown) {
  Form x = variable(-20, 20);
  Form q = arena.floorDiv(x, -3);
  for (int64_t v = -20; v <= 20; ++v) {
    int64_t expected = -v / 3 - ((-v) % 3 < 0);
    EXPECT_EQ(evaluateAt(q, {v}), expected) << v;
  }
}

TEST_F(FormTest, FailuresStick) {
  Form x = variable(0, kMax - 1);
  EXPECT_FALSE(arena.failed());
  arena.scale(sum(scaled(x, kMax), x), 2);
  EXPECT_EQ(arena.failure(), FormFailure::Overflow);
  EXPECT_EQ(arena.floorDiv(x, 3), Form());
  arena.clearFailure();
  arena.floorDiv(x, 0);
  EXPECT_EQ(arena.failure(), FormFailure::DivisionByZero);
  arena.clearFailure();
  arena.mod(x, -2);
  EXPECT_EQ(arena.failure(), FormFailure::ModByNegative);
  arena.clearFailure();
  arena.floorDiv(scaled(x, 2), kMin);
  EXPECT_EQ(arena.failure(), FormFailure::Overflow);
  arena.clearFailure();
  arena.negate(Form(kMin));
  EXPECT_EQ(arena.failure(), FormFailure::Overflow);
}

TEST_F(FormTest, NothingWrapsAtTheEdge) {
  Form x = variable(kMin + 1, kMax - 1);
  EXPECT_EQ(arena.range(scaled(x, 2)), Interval::all());
  Form half = arena.floorDiv(x, 2);
  EXPECT_EQ(arena.range(half), Interval(kMin / 2, (kMax - 1) / 2));
  EXPECT_EQ(evaluateAt(half, {kMin + 1}), kMin / 2);
  EXPECT_EQ(evaluateAt(scaled(x, 2), {kMax - 1}), std::nullopt);
  // 3*x - 2*x stays exact although 3*x does not fit.
  Form y = sum(scaled(x, 3), scaled(x, -2));
  EXPECT_EQ(evaluateAt(y, {kMax - 1}), kMax - 1);
  // Merging divisors whose product does not fit leaves them nested.
  Form nested = arena.floorDiv(arena.floorDiv(x, kMax / 2), kMax / 2);
  EXPECT_FALSE(arena.failed());
  EXPECT_EQ(evaluateAt(nested, {kMax - 1}), 0);
  EXPECT_EQ(evaluateAt(nested, {kMin + 1}), -1);
}

TEST_F(FormTest, AtomsAreNumberedByStructure) {
  auto build = [](bool backwards) {
    FormArena arena;
    Form x = arena.addVariable({0, 99}), y = arena.addVariable({0, 99});
    Form a, b;
    if (backwards) {
      b = arena.floorDiv(arena.add(x, y), 5);
      arena.floorDiv(y, 11);
      a = arena.floorDiv(x, 7);
    } else {
      a = arena.floorDiv(x, 7);
      b = arena.floorDiv(arena.add(x, y), 5);
    }
    Form root = arena.add(a, arena.scale(b, 3));
    arena.canonicalize({&root});
    return std::make_pair(arena, root);
  };
  auto first = build(false), second = build(true);
  EXPECT_TRUE(first.first == second.first);
  EXPECT_EQ(first.first.hash(), second.first.hash());
  EXPECT_EQ(first.second, second.second);
  EXPECT_EQ(first.first.getNumAtoms(), 4u);
}

TEST_F(FormTest, SubstitutionTranslatesEachAtomOnce) {
  Form x = variable(0, 999);
  Form f = arena.mod(arena.floorDiv(x, 10), 10);
  FormArena target;
  Form y = target.addVariable({0, 99});
  // x = 10y + 3: the digit is y mod 10.
  Substitution substitute(target, arena,
                          {target.add(target.scale(y, 10), Form(3))});
  EXPECT_EQ(substitute(f), target.mod(y, 10));
}

TEST(Interval, ArithmeticNeverWraps) {
  Interval big(kMin + 1, kMax - 1), one(1, 1);
  EXPECT_EQ(big + big, Interval::all());
  EXPECT_EQ(Interval(0, kMax - 1) + one, Interval(1, kMax));
  EXPECT_EQ(Interval::atLeast(3).scaled(-2), Interval::atMost(-6));
  EXPECT_EQ(Interval(-7, 7).floorDiv(2), Interval(-4, 3));
  EXPECT_EQ(Interval(-7, 7).dividedBy(2), Interval(-3, 3));
  EXPECT_EQ(Interval(-7, 9).dividedBy(-2), Interval(-4, 3));
  EXPECT_EQ(Interval(-2, 3) * Interval(-5, 4), Interval(-15, 12));
  EXPECT_EQ(Interval(5, 3).size(), 0);
  EXPECT_EQ(Interval::all().size(), std::nullopt);
  EXPECT_TRUE(Interval(0, 3).contains(Interval(9, 8)));
}

TEST(CheckedMath, Edges) {
  EXPECT_EQ(checkedAdd(kMax, 1), std::nullopt);
  EXPECT_EQ(checkedSub(kMin, 1), std::nullopt);
  EXPECT_EQ(checkedMul(kMin, -1), std::nullopt);
  EXPECT_EQ(checkedAdd(checkedMul(6, 7), -2), 40);
  EXPECT_EQ(checkedAdd(checkedMul(kMin, -1), 1), std::nullopt);
  EXPECT_EQ(floorDivPositive(kMin, kMax), -2);
  EXPECT_EQ(floorModPositive(kMin, kMax), kMax - 1);
  EXPECT_EQ(ceilDivPositive(-7, 2), -3);
  EXPECT_EQ(checkedProduct(llvm::ArrayRef<int64_t>{kMax, 0, kMax}), 0);
  EXPECT_EQ(checkedProduct(llvm::ArrayRef<int64_t>{kMax, 2}), std::nullopt);
  EXPECT_EQ(checkedProduct(llvm::ArrayRef<int64_t>{-1, 2}), std::nullopt);
}

} // namespace
