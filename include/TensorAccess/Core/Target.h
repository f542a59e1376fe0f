//===- Target.h - What a machine looks like to layouts ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target is a named description of a machine: what layouts and costs read,
// and nothing else. Its text:
//
//   host, vector_bytes = 32, cache_line = 64, register_tile = 6x2,
//   memory_cost = 8, last_cache = 33554432, matrix_units = [16x16 in 46],
//   memory_spaces = [shared 3 of 49152 at 16 banks 32x4]
//
//   vector_bytes   bytes of a vector register; vectors run along a panel.
//   cache_line     bytes that memory moves at once; a panel fills whole lines.
//   register_tile  rows x vectors of a result that registers hold while a sum
//                  runs: the panel of the second operand is `vectors` vectors
//                  wide.
//   memory_cost    how many bytes between registers and the first cache take
//                  as long as one byte from memory.
//   last_cache     bytes of the last cache: what is larger goes past it; 0
//                  where there is none.
//   matrix_units   RxC in N: a unit that holds R x C elements of the second
//                  operand and takes N cycles for R rows of the first. Of a
//                  weight-stationary array (Systolic.h), `accumulators A`: a
//                  column keeps the sums of A items, else of any number; and
//                  `double_buffered`: the next weights are loaded meanwhile.
//   bytes_per_cycle  bytes that main memory moves in a cycle; left out, those
//                  of a vector over memory_cost.
//   memory_spaces  NAME N of B at S: the space that layouts call S(N) holds B
//                  bytes and moves S bytes in the time of one of main memory;
//                  `banks KxW`, if it has some: K banks of W bytes. Space 0 is
//                  main memory and not listed.
//
// Sources: built in (`host`, `avx512`, `systolic-RxC` for any R and C, whose
// memory moves an item of R 32-bit elements in a cycle), or
// `#tensoraccess.target<…>` as the attribute `tensoraccess.target` of a module.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_TARGET_H
#define TENSORACCESS_CORE_TARGET_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Systolic.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// A unit that multiplies `rows` x `rows` by `rows` x `cols`.
struct MatrixUnit {
  int64_t rows = 0, cols = 0;
  /// Of one such product.
  int64_t cycles = 0;
  /// Items whose sums a column keeps; 0 if that is no limit.
  int64_t accumulators = 0;
  /// Whether the next weights are loaded while the present ones are used.
  bool isDoubleBuffered = false;

  bool operator==(const MatrixUnit &o) const {
    return rows == o.rows && cols == o.cols && cycles == o.cycles &&
           accumulators == o.accumulators &&
           isDoubleBuffered == o.isDoubleBuffered;
  }
  friend llvm::hash_code hash_value(const MatrixUnit &unit) {
    return llvm::hash_combine(unit.rows, unit.cols, unit.cycles,
                              unit.accumulators, unit.isDoubleBuffered);
  }
  /// The unit as an array.
  SystolicArray getArray() const {
    return {rows, cols, accumulators, isDoubleBuffered};
  }
  /// How many times as long a cycle of the array takes: `cycles` over those of
  /// an array that an item enters each cycle, 2·rows + cols - 2.
  double getSlowness() const;
  /// Cycles of a product of m x k by k x n, whole tiles; none past 2^63 - 1.
  std::optional<int64_t> getCycles(int64_t m, int64_t n, int64_t k) const;
};

/// A memory besides main memory. `bytes` and `speed` are as above.
struct MemorySpace {
  std::string name;
  int64_t number = 0, bytes = 0, speed = 1;
  /// Banks, and the bytes of a word of each; 0 where it is not cut into banks.
  int64_t banks = 0, bankBytes = 0;

  bool operator==(const MemorySpace &o) const {
    return name == o.name && number == o.number && bytes == o.bytes &&
           speed == o.speed && banks == o.banks && bankBytes == o.bankBytes;
  }
  friend llvm::hash_code hash_value(const MemorySpace &space) {
    return llvm::hash_combine(space.name, space.number, space.bytes,
                              space.speed, space.banks, space.bankBytes);
  }
};

/// A value; what each member means is said at the top of this file.
struct Target {
  std::string name;
  int64_t vectorBytes = 32;
  int64_t cacheLine = 64;
  int64_t tileRows = 6, tileVectors = 2;
  int64_t memoryCost = 8;
  int64_t lastCache = int64_t(32) << 20;
  /// 0 where it is left out.
  int64_t bytesPerCycle = 0;
  llvm::SmallVector<MatrixUnit, 1> matrixUnits;
  /// By ascending number.
  std::vector<MemorySpace> memorySpaces;

  /// Reads a text and verifies it; none and `error` if it is wrong. What a text
  /// leaves out is as above.
  static std::optional<Target> parse(llvm::StringRef text, ParseError &error);
  /// The built-in target of that name; none if there is none.
  static std::optional<Target> lookup(llvm::StringRef name);
  /// The names `lookup` knows, sorted; `systolic-RxC` stands for a family.
  static std::vector<std::string> getBuiltInNames();

  /// None if the members fit together, else what does not.
  std::optional<std::string> verify() const;
  /// The canonical text: every member, in the order above.
  std::string str() const;

  /// Elements of that many bits in a vector, at least 1.
  int64_t getLanes(int64_t elementBits) const;
  /// Bytes between main memory and registers in a cycle.
  double getBytesPerCycle() const {
    return bytesPerCycle != 0 ? double(bytesPerCycle)
                              : double(vectorBytes) / double(memoryCost);
  }
  /// The unit of that size, or null.
  const MatrixUnit *findUnit(int64_t rows, int64_t cols) const;
  /// Width of a panel, in elements: `tileVectors` vectors, and whole lines.
  int64_t getPanelWidth(int64_t elementBits) const;
  /// The unit with the fewest cycles for a product; null without units. Of
  /// equals, the first.
  const MatrixUnit *chooseUnit(int64_t m, int64_t n, int64_t k) const;
  /// The space of that number or name; null if it is not listed.
  const MemorySpace *findSpace(int64_t number) const;
  const MemorySpace *findSpace(llvm::StringRef name) const;

  bool operator==(const Target &o) const;
  bool operator!=(const Target &o) const { return !(*this == o); }
};

llvm::hash_code hash_value(const Target &target);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_TARGET_H
