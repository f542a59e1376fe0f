//===- BitMatrix.h - Elimination over GF(2) ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_STRIDED_BITMATRIX_H
#define TENSORACCESS_LIB_CORE_STRIDED_BITMATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <cstdint>
#include <optional>

namespace mlir::tensoraccess {

/// Columns in reduced form: each has a highest bit that no other has, and is the
/// sum of the given columns whose bits are in `from`.
struct Echelon {
  struct Row {
    uint64_t value, from;
  };
  llvm::SmallVector<Row, 16> rows;
  /// Sums of columns that are 0, each with one column, the highest, that no other
  /// sum has.
  llvm::SmallVector<uint64_t, 8> kernel;

  explicit Echelon(llvm::ArrayRef<uint64_t> columns) {
    for (auto [i, column] : llvm::enumerate(columns)) {
      Row row{column, uint64_t(1) << i};
      reduce(row);
      if (row.value == 0) {
        kernel.push_back(row.from);
        continue;
      }
      const uint64_t lead = llvm::bit_floor(row.value);
      for (Row &other : rows)
        if (other.value & lead)
          other = {other.value ^ row.value, other.from ^ row.from};
      rows.push_back(row);
    }
  }

  /// Takes rows away where the value has their leading bits.
  void reduce(Row &row) const {
    for (const Row &other : rows)
      if (row.value & llvm::bit_floor(other.value))
        row = {row.value ^ other.value, row.from ^ other.from};
  }

  /// The least sum that is `value`: a sum of the kernel would add a column, its
  /// highest, that was superfluous when it came, and is in no row.
  std::optional<uint64_t> solve(uint64_t value) const {
    Row row{value, 0};
    reduce(row);
    return row.value == 0 ? std::optional(row.from) : std::nullopt;
  }
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_STRIDED_BITMATRIX_H
