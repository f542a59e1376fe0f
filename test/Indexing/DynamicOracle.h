//===- DynamicOracle.h - Dynamic sizes against numbers ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A template with sizes `$0`, `$1`, ... is read with `?` for each and then with
// numbers. The maps of the first, with their size parameters set to what the
// numbers make them, must have the same pairs of indices as those of the second
// (which other tests compare with naive loops).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_INDEXING_DYNAMICORACLE_H
#define TENSORACCESS_TEST_INDEXING_DYNAMICORACLE_H

#include "Oracle.h"

namespace mlir::tensoraccess::test {

class DynamicOracle : public OracleTest {
protected:
  static std::string replace(StringRef text, ArrayRef<int64_t> sizes,
                             bool isDynamic) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '$') {
        result += text[i];
        continue;
      }
      ++i;
      // `${dynamic|static}` is text that differs beyond sizes.
      if (text[i] == '{') {
        auto [dynamic, rest] = text.substr(i + 1).split('|');
        StringRef fixed = rest.split('}').first;
        result += isDynamic ? dynamic.str()
                            : replace(fixed, sizes, /*isDynamic=*/false);
        i += dynamic.size() + fixed.size() + 2;
        continue;
      }
      int64_t size = sizes[text[i] - '0'];
      result += isDynamic ? "?" : std::to_string(size);
    }
    return result;
  }

  /// The size parameters, from the sizes that the static op has.
  static std::map<std::string, int64_t> solve(const OpIndexing &indexing,
                                              Operation *op) {
    std::map<std::string, int64_t> values;
    auto getSize = [&](const ValueSize &size) {
      Type type = size.isResult ? op->getResult(size.value).getType()
                                : op->getOperand(size.value).getType();
      return cast<ShapedType>(type).getDimSize(size.dim);
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const ValueSize &size : indexing.getSizes()) {
        int64_t rest = getSize(size) - size.size.constant, coefficient = 0;
        std::string unknown;
        unsigned count = 0;
        for (const Term &term : size.size.terms) {
          std::string name = getSizeName(term.atom);
          if (values.count(name)) {
            rest -= term.coefficient * values[name];
          } else {
            unknown = name;
            coefficient = term.coefficient;
            ++count;
          }
        }
        if (count == 0)
          EXPECT_EQ(rest, 0) << "sizes contradict each other";
        if (count != 1)
          continue;
        EXPECT_EQ(rest % coefficient, 0);
        values[unknown] = rest / coefficient;
        changed = true;
      }
    }
    return values;
  }

  static std::set<Pair> walkAt(const IndexingSet &set,
                               std::map<std::string, int64_t> sizes) {
    std::set<Pair> pairs;
    EXPECT_FALSE(set.isUnknown()) << set.str();
    for (IndexingMap map : set.getMaps()) {
      SmallVector<Interval> ranges(map.getRanges());
      bool isEmpty = map.isKnownEmpty();
      for (unsigned v = 0; v < ranges.size(); ++v) {
        std::string name = map.getVariableName(v);
        if (!isSizeName(name))
          continue;
        EXPECT_TRUE(sizes.count(name)) << name << " in " << map.str();
        ranges[v] = ranges[v].intersect(Interval::point(sizes[name]));
        isEmpty |= ranges[v].isEmpty();
      }
      if (isEmpty)
        continue;
      map = map.withRanges(ranges).simplify();
      if (map.isKnownEmpty())
        continue;
      EnumerateStatus status = enumerate(
          map, [&](ArrayRef<int64_t> variables, ArrayRef<int64_t> results) {
            pairs.insert(
                {Point(variables.begin(), variables.begin() + map.getNumDims()),
                 Point(results.begin(), results.end())});
            return true;
          });
      EXPECT_EQ(status, EnumerateStatus::Ok) << map.str();
    }
    return pairs;
  }

  void checkAll(StringRef text, ArrayRef<std::vector<int64_t>> instances) {
    Operation *op = parse(replace(text, instances.front(), true));
    if (!op)
      return;
    OpIndexing indexing = getIndexing(op);
    if (Operation *onBuffers = cloneOnBuffers(op))
      expectSameLoops(*getNest(OpSignature(op)),
                      *getNest(OpSignature(onBuffers)));
    unsigned numOperands = op->getNumOperands();
    for (const std::vector<int64_t> &sizes : instances) {
      std::string fixedText = replace(text, sizes, false);
      Operation *fixed = parse(fixedText);
      if (!fixed)
        return;
      OpIndexing expected = getIndexing(fixed);
      auto values = solve(indexing, fixed);
      for (unsigned r = 0; r < fixed->getNumResults(); ++r) {
        for (unsigned o = 0; o < std::min(numOperands, fixed->getNumOperands());
             ++o) {
          EXPECT_EQ(walkAt(indexing.outputToInput(r, o), values),
                    walkAt(expected.outputToInput(r, o), {}))
              << fixedText << "\noutput to input " << o << ":\n"
              << indexing.outputToInput(r, o).str() << "\n"
              << expected.outputToInput(r, o).str();
          EXPECT_EQ(walkAt(indexing.inputToOutput(o, r), values),
                    walkAt(expected.inputToOutput(o, r), {}))
              << fixedText << "\ninput " << o << " to output:\n"
              << indexing.inputToOutput(o, r).str() << "\n"
              << expected.inputToOutput(o, r).str();
        }
      }
    }
  }

  std::string down(StringRef text, unsigned operand = 0) {
    Operation *op = parse(text);
    return op ? getIndexing(op).outputToInput(0, operand).str() : "";
  }
};

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_INDEXING_DYNAMICORACLE_H
