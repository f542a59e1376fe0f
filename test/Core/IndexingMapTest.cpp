//===- IndexingMapTest.cpp - Indexing maps as values ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States, composition, XLA's worked simplifications (in the reading
// of DESIGN section 7), the border to affine maps, enumeration and pieces.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/IndexingMap.h"
#include "AccessMap.h"
#include "MapTesting.h"
#include "ParseMap.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::tensoraccess::test::equalOverDomain;
using mlir::tensoraccess::test::parse;
using mlir::tensoraccess::test::toIntegerSet;

namespace {

void expectSimplifies(StringRef text, StringRef expected) {
  IndexingMap map = parse(text), simple = map.simplify();
  EXPECT_EQ(simple.str(), expected.str());
  EXPECT_EQ(simple.simplify(), simple);
  if (getBoxSize(map).value_or(1u << 30) < (1u << 16))
    EXPECT_TRUE(equalOverDomain(map, simple))
        << equalOverDomain(map, simple).message;
}

//===--- states -----------------------------------------------------------===//

TEST(IndexingMap, ThreeStatesAreThreeValues) {
  IndexingMap unknown = IndexingMap::unknown(UnknownReason::UnknownOp);
  IndexingMap empty = parse("empty (d0) -> (d0), domain: d0 in [0, 9]");
  IndexingMap ordinary = parse("(d0) -> (d0), domain: d0 in [0, 9]");
  EXPECT_TRUE(unknown.isUnknown());
  EXPECT_TRUE(empty.isKnownEmpty());
  EXPECT_TRUE(ordinary.isOrdinary());
  EXPECT_NE(unknown, empty);
  EXPECT_NE(empty, ordinary);
  EXPECT_NE(unknown, IndexingMap());
  EXPECT_EQ(unknown.getUnknownReason(), UnknownReason::UnknownOp);
  EXPECT_EQ(empty.getNumResults(), 1u);
  EXPECT_EQ(empty.evaluate({3}), std::nullopt);
  EXPECT_EQ(unknown.evaluate({}), std::nullopt);
  EXPECT_EQ(unknown.getNumDims(), 0u);
  EXPECT_EQ(unknown.str(), "unknown");
  EXPECT_EQ(unknown.simplify(), unknown);
  EXPECT_EQ(unknown.then(ordinary), unknown);
  EXPECT_EQ(ordinary.then(unknown), unknown);
  EXPECT_TRUE(empty.then(ordinary).isKnownEmpty());
  EXPECT_TRUE(ordinary.then(empty).isKnownEmpty());
}

TEST(IndexingMap, IdentityOfAShape) {
  IndexingMap map = IndexingMap::identity({3, 5, 7});
  EXPECT_EQ(map.str(), "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 2], "
                       "d1 in [0, 4], d2 in [0, 6]");
  EXPECT_TRUE(map.isIdentity());
  EXPECT_TRUE(IndexingMap::identity({3, 0}).isKnownEmpty());
  EXPECT_TRUE(IndexingMap::identity({}).isIdentity());
  EXPECT_FALSE(parse("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]")
                   .isIdentity());
}

TEST(IndexingMap, CopiesAreCheapAndIndependent) {
  IndexingMap a = IndexingMap::identity({3, 5}), b = a;
  b = b.withConstraint(b.getResult(0), {0, 1});
  EXPECT_TRUE(a.isIdentity());
  EXPECT_EQ(b.getConstraints().size(), 1u);
  IndexingMap moved = std::move(a);
  EXPECT_TRUE(moved.isIdentity());
  EXPECT_EQ(sizeof(IndexingMap), sizeof(void *));
}

TEST(IndexingMap, OverflowIsUnknown) {
  IndexingMap big =
      parse("(d0) -> (d0 * 4), domain: d0 in [0, 2305843009213693951]");
  IndexingMap twice = parse("(d0) -> (d0 * 2)");
  IndexingMap composed = big.then(twice);
  EXPECT_TRUE(composed.isUnknown());
  EXPECT_EQ(composed.getUnknownReason(), UnknownReason::Overflow);
  EXPECT_EQ(IndexingMap::identity({3})
                .then(IndexingMap::identity({3, 5}))
                .getUnknownReason(),
            UnknownReason::RankMismatch);
  // Without ranges nothing is known to overflow; evaluating at a point is.
  IndexingMap open = twice.then(parse("(d0) -> (d0 * 4611686018427387904)"));
  EXPECT_EQ(open.getUnknownReason(), UnknownReason::Overflow);
  EXPECT_EQ(twice.evaluate({int64_t(1) << 62}), std::nullopt);
  EXPECT_EQ(twice.evaluate({int64_t(1) << 61}),
            (SmallVector<int64_t>{int64_t(1) << 62}));
}

//===--- simplification: XLA's --------------------------------------------===//

TEST(Simplify, WorkedExamplesOfTheSeed) {
  expectSimplifies("(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), "
                   "domain: d0 in [0, 6], d1 in [0, 14]",
                   "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]");
  expectSimplifies(
      "(d0, d1, d2) -> ((100 * d0 + 10 * d1 + d2) floordiv 100, "
      "((100 * d0 + 10 * d1 + d2) mod 100) floordiv 10, d2 mod 10), "
      "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
      "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], "
      "d2 in [0, 9]");
  expectSimplifies(
      "(d0, d1, d2) -> ((16 * d0 + 4 * d1 + d2) floordiv 8, "
      "(16 * d0 + 4 * d1 + d2) mod 8), "
      "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
      "(d0, d1, d2) -> (d0 * 2 + (d1 * 4 + d2) floordiv 8, (d1 * 4 + d2) mod "
      "8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]");
  expectSimplifies("(d0, d1) -> (-((-11 * d0 - d1 + 109) floordiv 11) + 9), "
                   "domain: d0 in [0, 9], d1 in [0, 10]",
                   "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]");
}

TEST(Simplify, RoundTripThroughAnotherShapeIsTheIdentity) {
  IndexingMap there =
      parse("(d0, d1, d2) -> ((d0 * 100 + d1 * 10 + d2) floordiv 20, "
            "(d0 * 100 + d1 * 10 + d2) mod 20), domain: d0 in [0, 9], "
            "d1 in [0, 9], d2 in [0, 9]");
  IndexingMap back =
      parse("(d0, d1) -> ((d0 * 20 + d1) floordiv 100, "
            "((d0 * 20 + d1) mod 100) floordiv 10, (d0 * 20 + d1) mod 10), "
            "domain: d0 in [0, 49], d1 in [0, 19]");
  EXPECT_EQ(there.then(back), IndexingMap::identity({10, 10, 10}));
}

TEST(Simplify, ConstraintsBecomeRanges) {
  expectSimplifies("(d0) -> (d0), domain: d0 in [0, 99], d0 floordiv 8 in "
                   "[5, 11]",
                   "(d0) -> (d0), domain: d0 in [40, 95]");
  expectSimplifies("(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 7], "
                   "d0 * 8 + d1 in [0, 1]",
                   "(d0, d1) -> (0, d1), domain: d0 in [0, 0], d1 in [0, 1]");
  expectSimplifies("(d0) -> (d0), domain: d0 in [0, 99], d0 mod 8 in [45, 49]",
                   "empty (d0) -> (d0), domain: d0 in [0, 99]");
  expectSimplifies("(d0) -> (d0), domain: d0 in [1, 98], d0 mod 8 in [0, 0]",
                   "(d0) -> (d0), domain: d0 in [8, 96], d0 mod 8 in [0, 0]");
  expectSimplifies("(d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [-4, 20], "
                   "max(d1, 0) in [3, 5], d0 + d1 in [0, 100]",
                   "(d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [3, 5]");
}

TEST(Simplify, EqualitiesShortenForms) {
  // A strided slice read backwards.
  expectSimplifies("(d0) -> (d0 - (d0 floordiv 3) * 2), domain: "
                   "d0 in [0, 29], d0 mod 3 in [0, 0]",
                   "(d0) -> (d0 floordiv 3), domain: d0 in [0, 27], "
                   "d0 mod 3 in [0, 0]");
}

TEST(Simplify, SlowPropagationIsGivenUp) {
  // Each round moves the bounds by one: 2^40 rounds to find the empty set.
  IndexingMap map =
      parse("(d0, d1) -> (d0), domain: d0 in [0, 1099511627776], "
            "d1 in [0, 1099511627776], d0 - d1 in [1, 1099511627776], "
            "d0 * 2 - d1 * 2 in [-7, 1], d0 + d1 * 3 in [5, 1099511627776]");
  IndexingMap simple = map.simplify();
  EXPECT_EQ(simple.simplify(), simple);
}

//===--- composition and changes of variables -----------------------------===//

TEST(Compose, VariablesAreOrderedAsXlaDoes) {
  IndexingMap f = parse("(d0){cs} -> (d0 + cs * 2), domain: d0 in [0, 24], "
                        "cs in [0, 25]");
  IndexingMap g = parse("(d0)[s0]{ps} -> (d0 + ps, s0), domain: d0 in [0, 24], "
                        "s0 in [0, 3], ps in [0, 2]");
  EXPECT_EQ(f.then(g).str(),
            "(d0)[s0]{ps, cs} -> (d0 + ps + cs * 2, s0), domain: "
            "d0 in [0, 24], s0 in [0, 3], ps in [0, 2], cs in [0, 25], "
            "d0 + cs * 2 in [0, 24]");
  // Names that meet are made distinct.
  EXPECT_EQ(f.then(parse("(i){cs} -> (i + cs), domain: i in [0, 99], "
                         "cs in [0, 1]"))
                .str(),
            "(d0){cs, cs_1} -> (d0 + cs + cs_1 * 2), domain: d0 in [0, 24], "
            "cs in [0, 1], cs_1 in [0, 25]");
}

TEST(Compose, UnusedSymbolsGo) {
  llvm::BitVector removed;
  IndexingMap map = parse("(d0)[s0, s1, s2] -> (d0 + s1), domain: "
                          "d0 in [0, 4], s0 in [0, 9], s1 in [0, 2], "
                          "s2 in [0, 6], s2 mod 3 in [1, 1]");
  EXPECT_EQ(map.removeUnusedSymbols(&removed).str(),
            "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 4], s0 in [0, 2]");
  EXPECT_EQ(removed.count(), 2u);
  // Nothing satisfies the constraint on what goes: the map is empty.
  EXPECT_TRUE(parse("(d0)[s0, s1] -> (d0), domain: d0 in [0, 4], "
                    "s0 in [0, 6], s1 in [0, 6], s0 * 2 + s1 * 4 + "
                    "(s1 floordiv 5) * 2 in [1, 1]")
                  .removeUnusedSymbols()
                  .isKnownEmpty());
  // Tied to a dim: stays.
  IndexingMap tied = parse("(d0)[s0] -> (d0), domain: d0 in [0, 4], "
                           "s0 in [0, 6], d0 + s0 in [0, 5]");
  EXPECT_EQ(tied.removeUnusedSymbols(), tied);
  EXPECT_EQ(parse("(d0, d1){rt0} -> (d1), domain: d0 in [0, 4], d1 in [0, 6], "
                  "rt0 in [0, 1]")
                .removeUnusedVars()
                .str(),
            "(d0) -> (d0), domain: d0 in [0, 6]");
}

TEST(Compose, SymbolsRescaleAndBecomeDims) {
  IndexingMap map = parse("(d0)[s0, s1] -> (s0 + d0, s1), domain: "
                          "d0 in [0, 4], s0 in [3, 14], s1 in [2, 5], "
                          "s0 mod 3 in [1, 1]");
  EXPECT_EQ(map.rescaleSymbols().str(),
            "(d0)[s0, s1] -> (d0 + s0 * 3 + 4, s1 + 2), domain: d0 in [0, 4], "
            "s0 in [0, 3], s1 in [0, 3]");
  EXPECT_EQ(map.symbolsToDims({1}).str(),
            "(d0, d1)[s0] -> (d0 + s0, d1), domain: d0 in [0, 4], "
            "d1 in [2, 5], s0 in [3, 14], s0 mod 3 in [1, 1]");
}

//===--- affine maps ------------------------------------------------------===//

TEST(Affine, RoundTrip) {
  mlir::MLIRContext context;
  mlir::AffineExpr d0 = getAffineDimExpr(0, &context),
                   d1 = getAffineDimExpr(1, &context),
                   s0 = getAffineSymbolExpr(0, &context);
  mlir::AffineMap affine = mlir::AffineMap::get(
      2, 1, {(d0 * 7 + d1).floorDiv(3) + s0, (d0 + s0) % 4, d1.ceilDiv(2)},
      &context);
  IndexingMap map =
      IndexingMap::fromAffineMap(affine, {{0, 4}, {0, 6}}, {{0, 2}});
  IndexingMap again = IndexingMap::fromAffineMap(map.toAffineMap(&context),
                                                 {{0, 4}, {0, 6}}, {{0, 2}});
  EXPECT_EQ(map, again);
  EXPECT_EQ(map.evaluate({4, 6}, {2}), (SmallVector<int64_t>{13, 2, 3}));

  mlir::IntegerSet set =
      mlir::IntegerSet::get(2, 1, {d0 - s0, d1 % 2}, {false, true});
  IndexingMap bounded =
      IndexingMap::fromAffineMap(affine, set, {{0, 4}, {0, 6}}, {{0, 2}});
  EXPECT_TRUE(bounded.containsPoint({2, 4}, {2}));
  EXPECT_FALSE(bounded.containsPoint({1, 4}, {2}));
  EXPECT_FALSE(bounded.containsPoint({2, 3}, {2}));
  IndexingMap reread = IndexingMap::fromAffineMap(
      bounded.toAffineMap(&context), toIntegerSet(bounded, &context),
      {Interval::all(), Interval::all()}, {Interval::all()});
  EXPECT_EQ(reread.simplify(), bounded.simplify());
}

TEST(Affine, Refusals) {
  mlir::MLIRContext context;
  EXPECT_FALSE(IndexingMap().toAffineMap(&context));
  EXPECT_FALSE(parse("(d0) -> (max(d0, 3)), domain: d0 in [0, 9]")
                   .toAffineMap(&context));
  EXPECT_EQ(IndexingMap::fromAffineMap(
                mlir::AffineMap::getMultiDimIdentityMap(2, &context), {{0, 4}})
                .getUnknownReason(),
            UnknownReason::RankMismatch);
  EXPECT_TRUE(
      toIntegerSet(parse("empty (d0) -> (d0), domain: d0 in [0, 9]"), &context)
          .isEmptyIntegerSet());
}

//===--- enumeration ------------------------------------------------------===//

TEST(Enumerate, VisitsEveryPointOnceInOrder) {
  IndexingMap map = parse("(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 2], "
                          "s0 in [0, 2], d0 + s0 in [1, 3]");
  std::vector<Point> points;
  EXPECT_EQ(enumerate(map,
                      [&](ArrayRef<int64_t> p, ArrayRef<int64_t> r) {
                        EXPECT_EQ(r[0], p[0] * 2 + p[1]);
                        points.emplace_back(p.begin(), p.end());
                        return true;
                      }),
            EnumerateStatus::Ok);
  EXPECT_EQ(points,
            (std::vector<Point>{
                {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}));
  EXPECT_EQ(*enumerateImage(map), (std::set<Point>{{1}, {2}, {3}, {4}, {5}}));
}

TEST(Enumerate, RefusesWithAReason) {
  EnumerateStatus status;
  EXPECT_FALSE(enumerateImage(IndexingMap::identity({1000, 1000, 1000}),
                              kDefaultEnumerationBudget, &status));
  EXPECT_EQ(status, EnumerateStatus::TooLarge);
  EXPECT_FALSE(enumerateImage(parse("(d0) -> (d0)"), kDefaultEnumerationBudget,
                              &status));
  EXPECT_EQ(status, EnumerateStatus::Unbounded);
  EXPECT_FALSE(enumerateImage(IndexingMap(), 10, &status));
  EXPECT_EQ(status, EnumerateStatus::Unknown);
  EXPECT_EQ(enumerateImage(IndexingMap::identity({3, 0}))->size(), 0u);
  EXPECT_EQ(describe(EnumerateStatus::TooLarge).str(),
            "the domain has more points than the budget allows");
}

TEST(Enumerate, FindsAWitness) {
  IndexingMap a = parse("(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]");
  IndexingMap b = parse("(d0) -> (d0 ceildiv 2), domain: d0 in [0, 9]");
  MapComparison c = equalOverDomain(a, b);
  EXPECT_EQ(c.verdict, MapComparison::Verdict::Different);
  EXPECT_EQ(c.witness, (Point{1}));
  EXPECT_EQ(c.message, "at (1) the first map gives (0) and the second (1)");
  // Domains count, too.
  c = equalOverDomain(a, parse("(d0) -> (d0 floordiv 2), domain: "
                               "d0 in [0, 10]"));
  EXPECT_EQ(c.witness, (Point{10}));
  EXPECT_EQ(equalOverDomain(a, IndexingMap()).verdict,
            MapComparison::Verdict::Refused);
  EXPECT_TRUE(equalAsRelations(
      parse("(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 5]"),
      parse("(d0)[s0, s1] -> (s0 * 2 + s1), domain: d0 in [0, 3], "
            "s0 in [0, 2], s1 in [0, 1]")));
}

//===--- pieces -----------------------------------------------------------===//

AccessPiece piece(unsigned operand, StringRef map) {
  return {{SourceKind::Operand, operand}, parse(map)};
}

TEST(AccessMap, ConcatAnswersFromOnePiece) {
  AccessMap concat({piece(0, "(d0, d1) -> (d0, d1), domain: d0 in [0, 2], "
                             "d1 in [0, 49]"),
                    piece(1, "(d0, d1) -> (d0, d1 - 50), domain: d0 in [0, 2], "
                             "d1 in [50, 79]")});
  EXPECT_EQ(concat.verify().verdict, AccessMap::Verdict::Valid);
  auto answer = concat.evaluate({1, 53});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->source.index, 1u);
  EXPECT_EQ(answer->index, (SmallVector<int64_t>{1, 3}));
  EXPECT_FALSE(concat.evaluate({1, 80}));
}

TEST(AccessMap, PadIsThreePieces) {
  AccessPiece border{{SourceKind::Constant, 0},
                     parse("(d0) -> (), domain: d0 in [0, 1]")};
  AccessPiece after{{SourceKind::Constant, 0},
                    parse("(d0) -> (), domain: d0 in [7, 9]")};
  AccessMap pad(
      {border, piece(0, "(d0) -> (d0 - 2), domain: d0 in [2, 6]"), after});
  EXPECT_EQ(pad.verify().verdict, AccessMap::Verdict::Valid);
  EXPECT_EQ(pad.evaluate({0})->source.kind, SourceKind::Constant);
  EXPECT_EQ(pad.evaluate({4})->index, (SmallVector<int64_t>{2}));
}

TEST(AccessMap, OverlapsAreFoundWithAWitness) {
  AccessMap small({piece(0, "(d0) -> (d0), domain: d0 in [0, 5]"),
                   piece(0, "(d0) -> (d0), domain: d0 in [3, 9], "
                            "d0 mod 4 in [0, 0]")});
  AccessMap::Verification v = small.verify();
  EXPECT_EQ(v.verdict, AccessMap::Verdict::Invalid);
  EXPECT_EQ(v.message, "piece 0 and piece 1 overlap at (4)");
  // Too large to enumerate: Presburger proves it, or finds the point.
  StringRef even = "(d0, d1) -> (d0), domain: d0 in [0, 9999999], "
                   "d1 in [0, 99999], (d0 + d1) mod 2 in [0, 0]";
  StringRef odd = "(d0, d1) -> (d0), domain: d0 in [0, 9999999], "
                  "d1 in [0, 99999], (d0 + d1) mod 2 in [1, 1]";
  EXPECT_EQ(AccessMap({piece(0, even), piece(0, odd)}).verify().verdict,
            AccessMap::Verdict::Valid);
  EXPECT_EQ(AccessMap({piece(0, even), piece(0, even)}).verify().verdict,
            AccessMap::Verdict::Invalid);
  EXPECT_EQ(AccessMap({piece(0, even), piece(0, odd)}).verify(10, 2).verdict,
            AccessMap::Verdict::Unknown);
}

TEST(AccessMap, ShapesMustAgree) {
  using Pieces = llvm::SmallVector<AccessPiece>;
  EXPECT_EQ(AccessMap(Pieces{piece(0, "(d0) -> (d0), domain: d0 in [0, 5]"),
                             piece(0, "() -> (3)")})
                .verify()
                .message,
            "piece 1 has 0 dims, piece 0 has 1");
  AccessPiece constant{{SourceKind::Constant, 0},
                       parse("(d0) -> (d0), domain: d0 in [0, 1]")};
  EXPECT_EQ(AccessMap(Pieces{constant}).verify().message,
            "piece 0 reads no operand but has 1 results");
  AccessPiece unknown{{SourceKind::Operand, 0}, IndexingMap()};
  EXPECT_EQ(AccessMap(Pieces{unknown}).verify().message, "piece 0 is unknown");
}

} // namespace
