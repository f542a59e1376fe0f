//===- Eliminator.h - Rows and columns of an elimination --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Elimination.cpp, which makes rows of forms and forms of rows, and
// EliminationRules.cpp, which has a function for each rule.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_ELIMINATOR_H
#define TENSORACCESS_LIB_CORE_ELIMINATOR_H

#include "Elimination.h"

namespace mlir::tensoraccess::detail {

using Coefficients = llvm::SmallVector<int64_t, 12>;

struct Row {
  Coefficients k;
  Interval in;
};

struct Column {
  enum Kind : uint8_t { Result, Division, Free, Gone } kind;
  /// Contains every value. For a free column it is a condition, too.
  Interval range;
  /// Division: ⌊(Σ body_i*c_i + constant) / divisor⌋.
  Coefficients body = {};
  int64_t constant = 0, divisor = 0;

  bool isKnown() const { return kind == Result || kind == Division; }
};

/// column = sign * ⌊(Σ k_i*c_i + constant) / divisor⌋, over columns that were
/// there when it left.
struct Solution {
  unsigned column;
  Coefficients k;
  int64_t constant = 0, divisor = 1;
  bool isNegated = false;
};

class Eliminator {
public:
  /// Bit i of `signs` is set if the i-th undecided maximum is not 0.
  Eliminator(const IndexingMap &map, unsigned signs, WorkMeter &meter)
      : map(map), signs(signs), meter(meter) {}

  enum class Outcome : uint8_t { Set, Empty, Failed };
  Outcome run();
  /// The set; where all is determined its results are the variables.
  const IndexingMap &getSet() const { return set; }
  bool isDetermined() const { return determined; }

private:
  bool fail() {
    failed = true;
    return false;
  }
  bool done() const { return failed || empty; }
  bool spend(uint64_t steps) {
    failed |= !meter.spend(steps);
    return !failed;
  }

  // Arithmetic that may fail.
  int64_t narrow(__int128 value) {
    if (value >= Interval::kNoUpper || value <= Interval::kNoLower) {
      failed = true;
      return 0;
    }
    return static_cast<int64_t>(value);
  }
  int64_t negate(int64_t value) {
    return narrow(-static_cast<__int128>(value));
  }
  /// The interval moved by `by`, exactly.
  Interval shift(Interval in, __int128 by) {
    return {in.hasLower() ? narrow(in.lower + by) : Interval::kNoLower,
            in.hasUpper() ? narrow(in.upper + by) : Interval::kNoUpper};
  }
  static int64_t at(const Coefficients &k, unsigned column) {
    return column < k.size() ? k[column] : 0;
  }
  static void put(Coefficients &k, unsigned column, int64_t value) {
    if (k.size() <= column)
      k.resize(column + 1, 0);
    k[column] = value;
  }

  void flatten();
  Coefficients rowOf(FormRef form, llvm::ArrayRef<unsigned> columnOf);
  unsigned addColumn(Column column);
  void addRow(Coefficients k, Interval in);
  Interval rangeOf(const Coefficients &k) const;
  bool isFree(unsigned column) const {
    return columns[column].kind == Column::Free;
  }
  uint64_t freeGcd(const Row &row) const;
  unsigned countFree(const Row &row) const;
  /// The known column ⌊(known part of k + constant) / divisor⌋.
  unsigned divide(const Coefficients &k, int64_t constant, int64_t divisor);

  bool dropUnused();
  bool define();
  bool solve();
  bool merge();
  bool squeeze();
  bool round();
  bool reduce();
  void substitute(unsigned row, unsigned column);
  /// The column, and what was solved in terms of it, may have several values
  /// for the same results.
  void lose(unsigned column) {
    determined = false;
    columns[column].kind = Column::Gone;
  }
  IndexingMap makeSet();

  const IndexingMap &map;
  unsigned signs;
  WorkMeter &meter;
  llvm::SmallVector<Column, 16> columns;
  llvm::SmallVector<Row, 16> rows;
  llvm::SmallVector<Solution, 16> solutions;
  /// Where the map's variables begin.
  unsigned firstVariable = 0;
  IndexingMap set;
  bool failed = false, empty = false, determined = true;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_ELIMINATOR_H
