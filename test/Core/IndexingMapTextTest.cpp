//===- IndexingMapTextTest.cpp - Reading and writing maps -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form, and one test for every message of the parser, with the place
// it points to.
//
//===----------------------------------------------------------------------===//

#include "ParseMap.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using llvm::StringRef;
using mlir::tensoraccess::test::parse;

namespace {

/// Expects `text` to print as `printed`, and that to be a fixed point.
void expectPrints(StringRef text, StringRef printed) {
  IndexingMap map = parse(text);
  EXPECT_EQ(map.str(), printed.str());
  EXPECT_EQ(parse(map.str()), map) << map.str();
}

/// A text with one `^` in front of the token that `message` is about.
void expectError(StringRef marked, StringRef message) {
  std::string text = marked.str();
  size_t caret = text.find('^');
  ASSERT_NE(caret, std::string::npos) << text;
  text.erase(caret, 1);
  ParseError error;
  EXPECT_FALSE(IndexingMap::parse(text, error)) << text;
  EXPECT_EQ(error.message, message.str()) << text;
  EXPECT_EQ(error.offset, caret) << text;
}

TEST(IndexingMapText, PrintsWhatItReads) {
  for (StringRef text :
       {"unknown",
        "() -> ()",
        "() -> (7)",
        "(d0) -> (d0)",
        "empty (d0) -> (d0), domain: d0 in [0, 9]",
        "empty (d0) -> (d0), domain: d0 in [10, 0]",
        "(d0, d1)[s0]{rt0} -> (d0 + s0, d1 floordiv 4), domain: d0 in [0, 9], "
        "d1 in [0, 4], s0 in [0, 2], rt0 in [0, 3], d0 + s0 in [0, 10]",
        "(i, j)[k]{off} -> (i + off, j * 2 + k), domain: i in [0, 9], "
        "j in [0, 4], k in [0, 1], off in [-3, 3]",
        "(d0) -> (max(d0, 3)), domain: d0 in [0, 9]",
        "(d0, d1) -> (min(d0, d1)), domain: d0 in [0, 9], d1 in [0, 9]",
        "(d0) -> (d0 mod 7), domain: d0 in [0, 99]",
        "(d0) -> ((d0 floordiv 42) mod 1575), domain: d0 in [0, 198449]",
        "(d0)[s0] -> (-d0 + 5, s0 * -3), domain: d0 in [0, 5], s0 in [0, 2]",
        "(d0, d1) -> (d0 * d1), domain: d0 in [0, 5], d1 in [0, 2]",
        "(d0) -> (d0 * 3), domain: d0 in [0, inf]",
        "(d0) -> (d0), domain: d0 in [-9223372036854775807, 0]",
        "empty (d0) -> (d0), domain: d0 in [9223372036854775807, 3]",
        "(d0, d1){N} -> (d0, d1), domain: d0 in [0, 9], d1 in [0, N - 1], "
        "N in [1, 50]",
        "(d0){N, M} -> (d0), domain: d0 in [M, N + M], N in [1, 50], "
        "M in [-4, 4]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 6], s0 in [0, 90], "
        "s0 mod 3 in [1, 2]"})
    expectPrints(text, text);
}

TEST(IndexingMapText, ReadsMoreThanItPrints) {
  // XLA's word for an unknown map.
  expectPrints("undefined", "unknown");
  expectPrints("  ( d0 )->( d0 / 4 ) , domain : d0 in [ 0 , 99 ] ",
               "(d0) -> (d0 floordiv 4), domain: d0 in [0, 99]");
  expectPrints("(d0) -> (d0 ceildiv 4), domain: d0 in [0, 99]",
               "(d0) -> ((d0 + 3) floordiv 4), domain: d0 in [0, 99]");
  expectPrints("(d0) -> (2 * (d0 + 3) - -d0), domain: d0 in [0, 9]",
               "(d0) -> (d0 * 3 + 6), domain: d0 in [0, 9]");
  // floordiv by a negative constant rounds down, too.
  expectPrints("(d0) -> ((d0 * 6) floordiv -3), domain: d0 in [0, 9]",
               "(d0) -> (d0 * -2), domain: d0 in [0, 9]");
  EXPECT_EQ(
      parse("(d0) -> (d0 floordiv -4), domain: d0 in [-9, 9]").evaluate({7}),
      (llvm::SmallVector<int64_t>{-2}));
  expectPrints("(d0) -> (min(d0, 4, 7)), domain: d0 in [0, 9]",
               "(d0) -> (min(d0, 4)), domain: d0 in [0, 9]");
  // Operands that begin with a division are not written twice.
  expectPrints("(d0) -> (min(d0 floordiv 2, 2)), domain: d0 in [0, 9]",
               "(d0) -> (min(d0 floordiv 2, 2)), domain: d0 in [0, 9]");
  expectPrints("(d0) -> (max(d0 floordiv 2, 2) * 3), domain: d0 in [0, 9]",
               "(d0) -> (max(d0 floordiv 2, 2) * 3), domain: d0 in [0, 9]");
  // A constraint with a constant in its form; the interval takes it.
  expectPrints("(d0) -> (d0), domain: d0 in [0, 9], d0 * 2 + 3 in [5, 10]",
               "(d0) -> (d0), domain: d0 in [0, 9], d0 in [1, 3]");
  expectPrints("(d0) -> (d0), domain: d0 in [0, 49], 0 in [10, 15]",
               "empty (d0) -> (d0), domain: d0 in [0, 49]");
  expectPrints("(d0) -> (d0), domain: d0 in [0, 49], d0 * 2 in [3, 3]",
               "empty (d0) -> (d0), domain: d0 in [0, 49]");
}

TEST(IndexingMapText, BoundsOverParameters) {
  IndexingMap map = parse("(d0){N} -> (d0), domain: d0 in [0, N - 1], "
                          "N in [0, 50]");
  EXPECT_EQ(map.getDimRanges()[0], Interval(0, 49));
  EXPECT_EQ(map.getConstraints().size(), 1u);
  EXPECT_EQ(map.getSize().constraints, 0u);
  EXPECT_TRUE(map.getUsed(/*results=*/false)[1]);
  EXPECT_TRUE(map.containsPoint({6}, {}, {7}));
  EXPECT_FALSE(map.containsPoint({7}, {}, {7}));
}

TEST(IndexingMapText, DefaultNamesFollowTheirPosition) {
  IndexingMap swapped =
      parse("(d1, d0) -> (d1), domain: d1 in [0, 3], d0 in [0, 5]");
  EXPECT_EQ(swapped.getVariableName(0), "d1");
  EXPECT_EQ(swapped.str(), "(d1, d0) -> (d1), domain: d1 in [0, 3], "
                           "d0 in [0, 5]");
  EXPECT_NE(swapped,
            parse("(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 5]"));
}

TEST(IndexingMapText, Malformed) {
  expectError("^", "expected an indexing map, got end of text");
  expectError("^d0 -> d0", "expected an indexing map, got 'd0'");
  expectError("unknown ^(d0)", "unexpected '(' after 'unknown'");
  expectError("undefined ^(d0)", "unexpected '(' after 'undefined'");
  expectError("(d0, ^) -> (d0)", "expected a variable name, got ')'");
  expectError("(^3) -> ()", "expected a variable name, got '3'");
  expectError("(^mod) -> ()", "keyword 'mod' cannot name a variable");
  expectError("(d0)[^d0] -> ()", "variable 'd0' is declared twice");
  expectError("(d0 ^d1) -> ()", "expected ')' after the variables, got 'd1'");
  expectError("(d0) ^(d0)", "expected '->' before the results, got '('");
  expectError("(d0) -> ^d0", "expected '(' before the results, got 'd0'");
  expectError("(d0) -> (d0 ^", "expected ')' after the results, got end of "
                               "text");
  expectError("(d0) -> (^d1)", "variable 'd1' is not declared");
  expectError("(d0) -> (d0 + ^)", "expected an expression, got ')'");
  expectError("(d0) -> (d0 * ^in)", "expected an expression, got 'in'");
  expectError("(d0) -> ((d0 ^", "expected ')' to close '(', got end of text");
  expectError("(d0) -> (d0 ^% 3)",
              "'%' is not an operator of indexing maps, write 'mod'");
  expectError("(d0) -> (d0 ^// 3)",
              "'//' is not an operator of indexing maps, write 'floordiv'");
  expectError("(d0) -> (d0 + ^0x1F)",
              "hexadecimal literal '0x1F' is not allowed");
  expectError("(d0) -> (d0 + ^12abc)", "malformed integer '12abc'");
  expectError("(d0) -> (d0 ^! 3)", "unexpected character '!'");
  expectError("(d0) -> (d0 ^\x01)", "unexpected byte 1");
  expectError("(d0) -> (^99999999999999999999)",
              "integer '99999999999999999999' does not fit in 64 bits");
  expectError("(d0) -> (max ^d0)", "expected '(' after 'max', got 'd0'");
  expectError("(d0) -> (max(d0^))", "expected ',' in 'max', which takes two or "
                                    "more operands, got ')'");
  expectError("(d0) -> (min(d0, 3^", "expected ')' to close 'min(', got end of "
                                     "text");
  expectError("(d0) -> (max(d0, 3 ^4))",
              "expected ')' to close 'max(', got '4'");
  expectError("(d0) -> (d0) ^x", "unexpected 'x' after the map");
  expectError("(d0) -> (d0), ^d0 in [0, 9]",
              "expected 'domain' after the results, got 'd0'");
  expectError("(d0) -> (d0), domain ^d0 in [0, 9]",
              "expected ':' after 'domain', got 'd0'");
  expectError("(d0) -> (d0), domain: d0 ^[0, 9]",
              "expected 'in' after the expression, got '['");
  expectError("(d0) -> (d0), domain: d0 in ^0, 9]",
              "expected '[' after 'in', got '0'");
  expectError("(d0) -> (d0), domain: d0 in [0 ^9]",
              "expected ',' between the bounds, got '9'");
  expectError("(d0) -> (d0), domain: d0 in [0, 9^",
              "expected ']' after the bounds, got end of text");
  expectError("(d0) -> (d0), domain: d0 in [^inf, 9]",
              "lower bound cannot be 'inf'");
  expectError("(d0) -> (d0), domain: d0 in [0, ^-inf]",
              "upper bound cannot be '-inf'");
  // The ends of 64 bits are how infinity is held; one inside is a number.
  expectError(
      "(d0) -> (d0), domain: d0 in [0, ^9223372036854775807]",
      "bound 9223372036854775807 of 'd0' is out of range, 'inf' is not a "
      "bound");
  expectError("(d0) -> (d0), domain: d0 in [^-9223372036854775807 - 1, 0]",
              "bound -9223372036854775808 of 'd0' is out of range, '-inf' is "
              "not a bound");
  expectError(
      "(d0) -> (d0), domain: d0 in [0, 9], "
      "d0 + 1 in [0, ^9223372036854775806 + 1]",
      "bound 9223372036854775807 of a constraint is out of range, 'inf' is "
      "not a bound");
  EXPECT_TRUE(parse("(d0) -> (d0), domain: d0 in [-9223372036854775807, "
                    "9223372036854775806]")
                  .getRanges()[0]
                  .isFinite());
}

TEST(IndexingMapText, WrongMeaning) {
  expectError("(d0, ^d1) -> (d0), domain: d0 in [0, 9]",
              "missing range of variable 'd1'");
  expectError("(d0, d1) -> (d0), domain: ^d1 in [0, 9], d0 in [0, 9]",
              "expected the range of variable 'd0'");
  expectError("(d0) -> (d0), domain: ^d0 + 1 in [0, 9]",
              "expected the range of variable 'd0'");
  expectError("(d0) -> (d0 ^floordiv 0), domain: d0 in [0, 9]",
              "right operand of 'floordiv' must not be 0");
  expectError("(d0) -> (d0 ^mod 0), domain: d0 in [0, 9]",
              "right operand of 'mod' must not be 0");
  expectError("(d0) -> (d0 ^mod -3), domain: d0 in [0, 9]",
              "right operand of 'mod' must be positive, got -3");
  expectError("(d0) -> (3 ^ceildiv d0), domain: d0 in [0, 9]",
              "right operand of 'ceildiv' must be a constant");
  expectError("(d0, d1) -> (), domain: d0 in [0, ^d1], d1 in [0, 9]",
              "bound of 'd0' may mention only runtime variables, got 'd1'");
  expectError("(d0)[N] -> (), domain: d0 in [0, ^N], N in [0, 9]",
              "bound of 'd0' may mention only runtime variables, got 'N', "
              "write {N} instead of [N]");
  expectError("(d0){N} -> (), domain: d0 in [0, 9], N in [0, ^d0]",
              "bound of 'N' must be a constant, got 'd0'");
  expectError("(d0) -> (), domain: d0 in [0, 9], d0 in [0, ^d0]",
              "bound of a constraint must be a constant, got 'd0'");
}

TEST(IndexingMapText, Overflow) {
  expectError("(d0) -> (4611686018427387904 ^* 4), domain: d0 in [0, 9]",
              "expression overflows 64-bit arithmetic");
  expectError("(d0, d1) -> (d0, ^d1 * 4), domain: d0 in [0, 9], "
              "d1 in [0, 4611686018427387904]",
              "result 1 overflows 64-bit arithmetic");
  expectError("(d0) -> (d0), domain: d0 in [0, 4611686018427387904], "
              "^d0 * 4 + (d0 floordiv 3) in [0, 3]",
              "constraint 0 overflows 64-bit arithmetic");
  // What overflows inside of a constraint is not the results' fault.
  expectError("(d0) -> (d0), domain: d0 in [0, 4611686018427387904], "
              "d0 in [1, 9], ^(d0 * 5) floordiv 3 in [0, 3]",
              "constraint 1 overflows 64-bit arithmetic");
  expectError("(d0){N} -> (d0), domain: d0 in [0, N], "
              "N in [0, 4611686018427387904], ^d0 * 4 + N in [0, 3]",
              "constraint 0 overflows 64-bit arithmetic");
  // In the integers, without an intermediate that overflows, this is d0.
  expectPrints("(d0) -> ((d0 * 4) floordiv 4), "
               "domain: d0 in [0, 4611686018427387904]",
               "(d0) -> (d0), domain: d0 in [0, 4611686018427387904]");
}

// Constraints whose forms leave 64 bits are refused, not wrapped or dropped.
TEST(IndexingMapText, ConstraintsBeyondTheEdgeAreRefused) {
  for (StringRef constraint :
       {"9223372036854775807 - d0 in [-5, -1]",
        "d0 * 4611686018427387904 - 9223372036854775800 in [0, 9]",
        "d0 * 4611686018427387904 - 9223372036854775807 in "
        "[-9223372036854775807, 9]",
        "d0 * 4611686018427387903 in [0, 9223372036854775806]",
        "max(-9223372036854775806, d0) in [7, 20]"}) {
    ParseError error;
    EXPECT_FALSE(IndexingMap::parse(
        ("(d0) -> (d0), domain: d0 in [5, 20], " + constraint).str(), error))
        << constraint.str();
    EXPECT_NE(error.message.find("overflows 64-bit arithmetic"),
              std::string::npos)
        << error.message;
  }
}

TEST(IndexingMapText, NestingIsBounded) {
  std::string deep(300, '(');
  deep = "() -> (" + deep + "1" + std::string(300, ')') + ")";
  ParseError error;
  EXPECT_FALSE(IndexingMap::parse(deep, error));
  EXPECT_EQ(error.message, "expression is nested deeper than 256");
  // Long sums are not deep.
  std::string sum = "(d0) -> (d0";
  for (int i = 0; i != 20000; ++i)
    sum += " + d0";
  EXPECT_EQ(parse(sum + ")").str(), "(d0) -> (d0 * 20001)");
  // Neither are towers of divisions, which merge.
  std::string tower = "(d0) -> (d0";
  for (int i = 0; i != 40; ++i)
    tower += " floordiv 2";
  EXPECT_EQ(parse(tower + ")").str(), "(d0) -> (d0 floordiv 1099511627776)");
  // Digits of digits that don't cancel double the text each time.
  std::string digits = "d0";
  for (int i = 0; i != 30; ++i)
    digits =
        "((" + digits + ") * 3 mod " + std::to_string(7 + 2 * (i % 5)) + ")";
  std::string text = "(d0) -> (" + digits + "), domain: d0 in [0, 999]";
  EXPECT_FALSE(IndexingMap::parse(text, error));
  EXPECT_EQ(error.message, "the map is larger than the limit allows");
}

} // namespace
