//===- RandomMaps.h - Random maps that know their own meaning ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps drawn by rapidcheck as trees of expressions. A tree prints as text for
// the parser and evaluates itself by plain recursion over int64, without forms:
// the truth that forms are held against. Sizes are small enough to enumerate.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_RANDOMMAPS_H
#define TENSORACCESS_TEST_CORE_RANDOMMAPS_H

#include "TensorAccess/Core/IndexingMap.h"

#include "gtest/gtest.h"

#include <rapidcheck.h>

#include <cstdlib>
#include <memory>

namespace mlir::tensoraccess::test {

/// One seed for every property of the program, whichever runs first: rapidcheck
/// reads the variable once.
inline const int kRapidcheckConfigured =
    setenv("RC_PARAMS", "seed=20240521 max_success=600 max_size=60",
           /*overwrite=*/0);

/// Uniform in [lo, hi], whatever the size of the test is.
inline int pick(int lo, int hi) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(lo, hi + 1));
}

struct Expr {
  char op = 'c'; ///< c v + - * / % ^ (ceildiv) < (min) > (max) n (negate)
  int64_t value = 0;
  std::shared_ptr<Expr> lhs, rhs;

  int64_t evaluate(llvm::ArrayRef<int64_t> variables) const {
    switch (op) {
    case 'c':
      return value;
    case 'v':
      return variables[value];
    case 'n':
      return -lhs->evaluate(variables);
    default:
      break;
    }
    const int64_t a = lhs->evaluate(variables), b = rhs->evaluate(variables);
    auto floorDiv = [](int64_t x, int64_t y) {
      int64_t q = x / y;
      return q - (x % y != 0 && (x < 0) != (y < 0));
    };
    switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return floorDiv(a, b);
    case '%':
      return a - b * floorDiv(a, b);
    case '^':
      return -floorDiv(-a, b);
    case '<':
      return std::min(a, b);
    default:
      return std::max(a, b);
    }
  }

  std::string str(const std::vector<std::string> &names) const {
    switch (op) {
    case 'c':
      return std::to_string(value);
    case 'v':
      return names[value];
    case 'n':
      return "-(" + lhs->str(names) + ")";
    case '<':
      return "min(" + lhs->str(names) + ", " + rhs->str(names) + ")";
    case '>':
      return "max(" + lhs->str(names) + ", " + rhs->str(names) + ")";
    default:
      break;
    }
    std::string sign = op == '/'   ? "floordiv"
                       : op == '%' ? "mod"
                       : op == '^' ? "ceildiv"
                                   : std::string(1, op);
    return "(" + lhs->str(names) + ") " + sign + " (" + rhs->str(names) + ")";
  }
};

using ExprPtr = std::shared_ptr<Expr>;

inline ExprPtr leaf(char op, int64_t value) {
  auto e = std::make_shared<Expr>();
  e->op = op;
  e->value = value;
  return e;
}

inline ExprPtr node(char op, ExprPtr a, ExprPtr b = nullptr) {
  auto e = std::make_shared<Expr>();
  e->op = op;
  e->lhs = std::move(a);
  e->rhs = std::move(b);
  return e;
}

/// `extremes` and `products` say whether min, max and x*y may occur.
inline ExprPtr drawExpr(unsigned numVariables, int depth,
                        bool extremes = true) {
  int kind = depth == 0 ? pick(0, 2) : pick(0, 11);
  if (kind == 0)
    return leaf('c', pick(-7, 12));
  if (kind <= 2)
    return numVariables ? leaf('v', pick(0, numVariables - 1))
                        : leaf('c', pick(-7, 12));
  ExprPtr a = drawExpr(numVariables, depth - 1, extremes);
  switch (kind) {
  case 3:
  case 4:
    return node('+', a, drawExpr(numVariables, depth - 1, extremes));
  case 5:
    return node('-', a, drawExpr(numVariables, depth - 1, extremes));
  case 6:
    return node('*', a, leaf('c', pick(-6, 12)));
  case 7: {
    int m = pick(-5, 12);
    return node('/', a, leaf('c', m == 0 ? 13 : m));
  }
  case 8:
  case 9:
    return node('%', a, leaf('c', pick(1, 12)));
  case 10:
    return node('^', a, leaf('c', pick(1, 9)));
  default:
    if (extremes)
      return node(pick(0, 1) ? '<' : '>', a,
                  drawExpr(numVariables, depth - 1, extremes));
    return node('n', a);
  }
}

struct RandomConstraint {
  ExprPtr expr;
  Interval interval;
};

/// A map as a tree.
struct RandomMap {
  unsigned numDims = 0, numSymbols = 0, numRuntime = 0;
  std::vector<Interval> ranges;
  std::vector<ExprPtr> results;
  std::vector<RandomConstraint> constraints;

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (unsigned i = 0; i != numDims; ++i)
      out.push_back("d" + std::to_string(i));
    for (unsigned i = 0; i != numSymbols; ++i)
      out.push_back("s" + std::to_string(i));
    for (unsigned i = 0; i != numRuntime; ++i)
      out.push_back("rt" + std::to_string(i));
    return out;
  }

  std::string str() const {
    std::vector<std::string> n = names();
    auto list = [&](unsigned begin, unsigned count) {
      std::string s;
      for (unsigned i = begin; i != begin + count; ++i)
        s += (i == begin ? "" : ", ") + n[i];
      return s;
    };
    std::string s = "(" + list(0, numDims) + ")";
    if (numSymbols)
      s += "[" + list(numDims, numSymbols) + "]";
    if (numRuntime)
      s += "{" + list(numDims + numSymbols, numRuntime) + "}";
    s += " -> (";
    for (size_t i = 0; i != results.size(); ++i)
      s += (i ? ", " : "") + results[i]->str(n);
    s += ")";
    std::string domain;
    auto entry = [&](const std::string &what, Interval i) {
      domain += (domain.empty() ? ", domain: " : ", ") + what + " in [" +
                std::to_string(i.lower) + ", " + std::to_string(i.upper) + "]";
    };
    for (size_t i = 0; i != ranges.size(); ++i)
      entry(n[i], ranges[i]);
    for (const RandomConstraint &c : constraints)
      entry(c.expr->str(n), c.interval);
    return s + domain;
  }

  /// The results at a point, by plain recursion.
  std::optional<llvm::SmallVector<int64_t>>
  evaluate(llvm::ArrayRef<int64_t> p) const {
    for (size_t i = 0; i != ranges.size(); ++i)
      if (!ranges[i].contains(p[i]))
        return std::nullopt;
    for (const RandomConstraint &c : constraints)
      if (!c.interval.contains(c.expr->evaluate(p)))
        return std::nullopt;
    llvm::SmallVector<int64_t> out;
    for (const ExprPtr &e : results)
      out.push_back(e->evaluate(p));
    return out;
  }

  IndexingMap parse() const {
    ParseError error;
    std::optional<IndexingMap> map = IndexingMap::parse(str(), error);
    if (!map)
      RC_FAIL("cannot parse " + str() + ": " + error.message);
    return *map;
  }
};

inline RandomMap drawMap(unsigned numDims, unsigned numResults, int depth = 3,
                         bool others = true) {
  RandomMap map;
  map.numDims = numDims;
  map.numSymbols = others ? pick(0, 1) : 0;
  map.numRuntime = others ? pick(0, 1) : 0;
  const unsigned n = map.numDims + map.numSymbols + map.numRuntime;
  for (unsigned i = 0; i != n; ++i) {
    int lo = pick(0, 3) ? 0 : pick(-6, 6);
    map.ranges.push_back({lo, lo + pick(0, n > 2 ? 5 : 14)});
  }
  for (unsigned i = 0; i != numResults; ++i)
    map.results.push_back(drawExpr(n, depth));
  for (int i = pick(-1, 2); i > 0; --i) {
    int lo = pick(-8, 12);
    map.constraints.push_back({drawExpr(n, depth - 1), {lo, lo + pick(0, 14)}});
  }
  return map;
}

/// All points of the box of `ranges`.
inline std::vector<Point> pointsOf(llvm::ArrayRef<Interval> ranges) {
  std::vector<Point> points = {{}};
  for (const Interval &range : ranges) {
    std::vector<Point> longer;
    for (const Point &p : points)
      for (int64_t v = range.lower; v <= range.upper; ++v) {
        longer.push_back(p);
        longer.back().push_back(v);
      }
    points = std::move(longer);
  }
  return points;
}

/// Runs a property and reports to gtest.
template <typename Property>
void check(const char *what, Property &&property) {
  EXPECT_TRUE(rc::check(what, std::forward<Property>(property)));
}

/// `map` has the points of `tree`, with the same results.
inline void expectMeans(const RandomMap &tree, const IndexingMap &map) {
  for (const Point &p : pointsOf(tree.ranges))
    if (map.evaluateAt(p) != tree.evaluate(p))
      RC_FAIL("at a point of " + tree.str() + "\ngot " + map.str());
}

/// simplify keeps the meaning, is idempotent, never grows, gives a valid map, and
/// the same one for its text.
inline void expectSimplifyLaws(const RandomMap &tree) {
  IndexingMap map = tree.parse(), simple = map.simplify();
  expectMeans(tree, simple);
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

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_RANDOMMAPS_H
