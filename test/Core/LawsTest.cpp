//===- LawsTest.cpp - The laws of indexing maps, at random ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESIGN section 6, as far as it speaks of maps: parsing means what the text
// says, parse(print(a)) = a, simplify keeps the meaning, is idempotent and
// never grows, composition is composition of functions, associative and with
// identity neutral. The seed is fixed; RC_PARAMS overrides it.
//
//===----------------------------------------------------------------------===//

#include "MapTesting.h"
#include "RandomMaps.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

TEST(Laws, ParsingMeansWhatTheTextSays) {
  check("parse", [] {
    RandomMap tree = drawMap(pick(0, 2), pick(1, 2), 4);
    expectMeans(tree, tree.parse());
  });
}

TEST(Laws, RangesContainEveryValue) {
  check("range", [] {
    RandomMap tree = drawMap(pick(1, 2), 2, 4);
    IndexingMap map = tree.parse();
    for (const Point &p : pointsOf(tree.ranges))
      if (auto results = map.evaluateAt(p))
        for (unsigned i = 0; i != results->size(); ++i)
          RC_ASSERT(map.getResultRange(i).contains((*results)[i]));
  });
}

TEST(Laws, PrintedMapsParseToThemselves) {
  check("print", [] {
    IndexingMap map = drawMap(pick(0, 3), pick(0, 2), 4).parse();
    ParseError error;
    std::optional<IndexingMap> again = IndexingMap::parse(map.str(), error);
    if (!again || *again != map)
      RC_FAIL(map.str() + "\nbecame\n" +
              (again ? again->str() : error.message));
    RC_ASSERT(again->hash() == map.hash());
    RC_ASSERT(map.verify() == std::nullopt);
  });
}

TEST(Laws, SimplifyKeepsMeaningIsIdempotentAndNeverGrows) {
  check("simplify",
        [] { expectSimplifyLaws(drawMap(pick(1, 2), pick(1, 2), 4)); });
}

/// Divisions as text has them: `floordiv`, `ceildiv` and `mod`.
unsigned countDivisions(llvm::StringRef text) {
  return text.count(" floordiv ") + text.count(" ceildiv ") +
         text.count(" mod ");
}

/// Nothing that the text of a tree says is said at greater length afterwards,
/// neither by the printer nor by the simplifier.
void expectNotLargerThanText(const RandomMap &tree) {
  const unsigned written = countDivisions(tree.str());
  IndexingMap map = tree.parse(), simplified = map.simplify();
  if (countDivisions(simplified.str()) > written ||
      simplified.getConstraints().size() > tree.constraints.size())
    RC_FAIL(tree.str() + "\nis read as\n" + map.str() + "\nbecame\n" +
            simplified.str());
}

TEST(Laws, SimplifiedMapsAreNotLargerThanTheirText) {
  check("size",
        [] { expectNotLargerThanText(drawMap(pick(1, 3), pick(1, 3), 3)); });
}

/// The same for maps of more divisions than are compared by printing them.
TEST(Laws, LargeSimplifiedMapsAreNotLargerThanTheirText) {
  check("size of large maps", [] {
    RandomMap tree = drawMap(3, pick(12, 20), 2);
    for (ExprPtr &result : tree.results) {
      ExprPtr more = node('+', leaf('v', pick(0, 2)),
                          node('*', leaf('v', pick(0, 2)), leaf('c', 3)));
      result = node('+', node('%', result, leaf('c', pick(2, 9))),
                    node('/', node('%', more, leaf('c', pick(3, 7))),
                         leaf('c', pick(2, 5))));
    }
    // An equality, by which forms are reduced.
    const int64_t at = pick(0, 4);
    tree.constraints.push_back(
        {node('-', leaf('v', 0), leaf('v', 1)), Interval::point(at)});
    expectNotLargerThanText(tree);
  });
}

TEST(Laws, CompositionIsCompositionOfFunctions) {
  check("then", [] {
    RandomMap f = drawMap(pick(0, 2), 2, 2), g = drawMap(2, pick(1, 2), 3);
    IndexingMap composed = f.parse().then(g.parse());
    for (const IndexingMap &h : {composed, composed.simplify()}) {
      std::vector<Interval> box(h.getRanges());
      if (h.isKnownEmpty())
        box = std::vector<Interval>(composed.getRanges());
      for (const Point &p : pointsOf(composed.getRanges())) {
        // (dims; symbols of g, of f; runtime of g, of f)
        auto at = p.begin();
        auto take = [&](unsigned count) {
          Point part(at, at + count);
          at += count;
          return part;
        };
        Point dims = take(f.numDims), gs = take(g.numSymbols),
              fs = take(f.numSymbols), gr = take(g.numRuntime),
              fr = take(f.numRuntime);
        Point fPoint = dims;
        fPoint.insert(fPoint.end(), fs.begin(), fs.end());
        fPoint.insert(fPoint.end(), fr.begin(), fr.end());
        std::optional<SmallVector<int64_t>> expected = f.evaluate(fPoint);
        if (expected) {
          Point gPoint(expected->begin(), expected->end());
          gPoint.insert(gPoint.end(), gs.begin(), gs.end());
          gPoint.insert(gPoint.end(), gr.begin(), gr.end());
          expected = g.evaluate(gPoint);
        }
        if (h.evaluateAt(p) != expected)
          RC_FAIL(f.str() + "\nthen " + g.str() + "\nis " + h.str());
      }
    }
  });
}

TEST(Laws, CompositionIsAssociative) {
  check("associative", [] {
    IndexingMap f = drawMap(pick(0, 2), 2, 2, false).parse();
    IndexingMap g = drawMap(2, 2, 2, false).parse();
    IndexingMap h = drawMap(2, 1, 2, false).parse();
    IndexingMap left = f.then(g).then(h), right = f.then(g.then(h));
    MapComparison same = equalOverDomain(left, right);
    if (!same)
      RC_FAIL(left.str() + "\n" + right.str() + "\n" + same.message);
  });
}

TEST(Laws, IdentityIsNeutral) {
  check("identity", [] {
    IndexingMap f = drawMap(2, 2, 3).parse();
    IndexingMapBuilder builder;
    SmallVector<Form, 2> dims;
    for (Interval range : f.getDimRanges())
      dims.push_back(builder.addDim(range));
    for (const Form &d : dims)
      builder.addResult(d);
    IndexingMap before = builder.build();
    RC_ASSERT(before.isIdentity());
    if (before.then(f) != f)
      RC_FAIL(f.str() + "\nbecame\n" + before.then(f).str());
    IndexingMapBuilder wide;
    for (unsigned i = 0; i != 2; ++i)
      dims[i] = wide.addDim(Interval::all());
    for (const Form &d : dims)
      wide.addResult(d);
    IndexingMap after = f.then(wide.build());
    if (after != f)
      RC_FAIL(f.str() + "\nbecame\n" + after.str());
  });
}

TEST(Laws, UnusedVariablesDontMatter) {
  check("removeUnusedSymbols", [] {
    IndexingMap f = drawMap(2, 1, 2).parse();
    llvm::BitVector removed;
    IndexingMap g = f.removeUnusedSymbols(&removed);
    RC_ASSERT(g.getNumVariables() + removed.count() == f.getNumVariables());
    MapComparison same = equalAsRelations(f, g);
    if (!same)
      RC_FAIL(f.str() + "\n" + g.str() + "\n" + same.message);
  });
}

TEST(Laws, RescaledSymbolsGiveTheSameSets) {
  check("rescaleSymbols", [] {
    IndexingMap f = drawMap(1, 1, 2).parse();
    if (f.getNumSymbols() && pick(0, 1)) {
      FormArena arena = f.getArena();
      Form s = Form::ofAtom(f.getNumDims());
      int m = pick(2, 5);
      ParseError error;
      std::string text = f.str();
      if (f.isOrdinary())
        f = *IndexingMap::parse(text + ", s0 mod " + std::to_string(m) +
                                    " in [" + std::to_string(pick(0, m - 1)) +
                                    ", " + std::to_string(m - 1) + "]",
                                error);
    }
    IndexingMap g = f.rescaleSymbols();
    MapComparison same = equalAsRelations(f, g);
    if (!same)
      RC_FAIL(f.str() + "\n" + g.str() + "\n" + same.message);
  });
}

} // namespace
