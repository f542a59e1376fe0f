//===- HloOracle.h - StableHLO by its definition ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test executes an op by the loops of its definition and notes which elements
// each result element is made of. The maps, walked point by point, must give the
// same pairs in both directions. Where a map has runtime variables, the test
// says what the index operands hold: only those points count at which every
// runtime variable has the value that its source points at.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_INDEXING_HLOORACLE_H
#define TENSORACCESS_TEST_INDEXING_HLOORACLE_H

#include "Oracle.h"
#include "llvm/ADT/StringExtras.h"

#include <random>

namespace mlir::tensoraccess::test {

/// Numbers by index.
using Numbers = std::map<Point, int64_t>;

class HloOracle : public OracleTest {
protected:
  using Shape = std::vector<int64_t>;

  /// `tensor<2x3xf32>`.
  static std::string type(const Shape &shape, StringRef element = "f32") {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + element.str() + ">";
  }
  /// `array<i64: 1, 2>`.
  static std::string array(const Shape &numbers) {
    return numbers.empty() ? "array<i64>" : "array<i64: " + list(numbers) + ">";
  }
  static std::string list(const Shape &numbers) {
    return llvm::join(
        llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }),
        ", ");
  }
  /// `dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>`.
  static std::string dense(const std::vector<Shape> &rows) {
    std::string text = "dense<[";
    for (const Shape &row : rows)
      text += (&row == rows.data() ? "[" : ", [") + list(row) + "]";
    return rows.empty() ? "dense<> : tensor<0x2xi64>"
                        : text + "]> : tensor<" + std::to_string(rows.size()) +
                              "x" + std::to_string(rows[0].size()) + "xi64>";
  }

  /// The op `name` with attributes in properties, and with a region if asked.
  static std::string opText(StringRef name, StringRef attributes,
                            const std::vector<std::string> &operands,
                            const std::vector<std::string> &results,
                            bool region = false) {
    std::string text = "(", values, types = llvm::join(operands, ", ");
    for (size_t i = 0; i < operands.size(); ++i) {
      std::string value = "%a" + std::to_string(i);
      text += (i ? ", " : "") + value + ": " + operands[i];
      values += (i ? ", " : "") + value;
    }
    text += ") {\n  %r:" + std::to_string(results.size()) + " = \"" +
            name.str() + "\"(" + values + ")";
    if (!attributes.empty())
      text += " <{" + attributes.str() + "}>";
    if (region)
      text += " ({\n  ^bb0(%x: tensor<f32>):\n    \"stablehlo.return\"(%x) : "
              "(tensor<f32>) -> ()\n  })";
    return text + " {check} : (" + types + ") -> (" +
           llvm::join(results, ", ") + ")\n  return\n}";
  }

  /// The pairs of a set, given what the operands hold.
  static std::set<Pair> walkWith(const IndexingSet &set, bool fromFirst,
                                 const std::map<unsigned, Numbers> &data) {
    std::set<Pair> pairs;
    EXPECT_FALSE(set.isUnknown()) << set.str();
    for (unsigned i = 0; i < set.size(); ++i) {
      const IndexingMap &map = set.getMaps()[i];
      MapDetailsRef details = set.getDetails(i);
      if (map.isKnownEmpty())
        continue;
      EnumerateStatus status = enumerate(map, [&](ArrayRef<int64_t> variables,
                                                  ArrayRef<int64_t> results) {
        ArrayRef<int64_t> runtime = variables.take_back(map.getNumRuntime());
        for (auto [k, value] : llvm::enumerate(runtime)) {
          EXPECT_TRUE(details && details->runtime[k]) << map.str();
          if (!details || !details->runtime[k])
            return false;
          const RuntimeSource &source = *details->runtime[k];
          auto at = source.map.evaluateAt(variables);
          EXPECT_TRUE(at) << source.map.str();
          if (!at)
            return false;
          const Numbers &numbers = data.at(source.operand);
          auto it = numbers.find(Point(at->begin(), at->end()));
          EXPECT_NE(it, numbers.end()) << source.map.str();
          if (it == numbers.end())
            return false;
          int64_t number = std::min(std::max(it->second, source.clamp.lower),
                                    source.clamp.upper);
          if (number != value)
            return true;
        }
        Point from(variables.begin(), variables.begin() + map.getNumDims());
        Point to(results.begin(), results.end());
        pairs.insert(fromFirst ? Pair(from, to) : Pair(to, from));
        return true;
      });
      EXPECT_EQ(status, EnumerateStatus::Ok) << map.str();
    }
    return pairs;
  }

  /// Checks result r of the op against what it reads, both ways.
  void checkResult(const std::string &text, unsigned r, Reads reads,
                   const std::map<unsigned, Numbers> &data = {}) {
    Operation *op = parse(text);
    if (!op)
      return;
    OpIndexing indexing = getIndexing(op);
    ASSERT_EQ(indexing.getNumOperands(), op->getNumOperands());
    for (unsigned o = 0; o < op->getNumOperands(); ++o) {
      const IndexingSet &down = indexing.outputToInput(r, o);
      const IndexingSet &up = indexing.inputToOutput(o, r);
      EXPECT_TRUE(walkWith(down, true, data) == reads[o])
          << text << "\noutput " << r << " to input " << o << ":\n"
          << down.str(true) << "\nwalked " << walkWith(down, true, data).size()
          << " pairs, expected " << reads[o].size();
      EXPECT_TRUE(walkWith(up, false, data) == reads[o])
          << text << "\ninput " << o << " to output " << r << ":\n"
          << up.str(true) << "\nwalked " << walkWith(up, false, data).size()
          << " pairs, expected " << reads[o].size();
      // What is simplified stays as it is.
      for (const IndexingSet *set : {&down, &up})
        for (const IndexingMap &map : set->getMaps())
          EXPECT_EQ(map.simplify(), map) << map.str();
    }
    checkNest(op, r, reads, [&](const IndexingSet &set) {
      return walkWith(set, true, data);
    });
  }

  /// A number in [low, high], of a fixed sequence.
  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  /// Random numbers in [low, high] for every index of a shape.
  Numbers pickNumbers(const Shape &shape, int64_t low, int64_t high) {
    Numbers numbers;
    forEach(shape, [&](const Point &i) { numbers[i] = pick(low, high); });
    return numbers;
  }
  std::mt19937_64 random{20261121};
};

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_INDEXING_HLOORACLE_H
