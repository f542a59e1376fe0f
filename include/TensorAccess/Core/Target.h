//===- Target.h - What a machine looks like to layouts ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_TARGET_H
#define TENSORACCESS_CORE_TARGET_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

struct SystolicArray;

//===----------------------------------------------------------------------===//
// What a machine looks like to layouts
//===----------------------------------------------------------------------===//

/// A unit that multiplies `rows` x `rows` by `rows` x `cols`.
struct MatrixUnit {
  int64_t rows = 0, cols = 0;
  /// Cycles of one such product.
  int64_t cycles = 0;
  /// Items whose sums a column keeps; 0 for no limit.
  int64_t accumulators = 0;
  /// Whether the next weights are loaded while the current ones are used.
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
  SystolicArray getArray() const;
  /// How many times as long a cycle of the array takes: `cycles` divided by
  /// those of an array that an item enters each cycle, 2·rows + cols - 2.
  double getSlowness() const;
  /// Cycles of a product of m x k by k x n, whole tiles; std::nullopt past 2^63
  /// - 1.
  std::optional<int64_t> getCycles(int64_t m, int64_t n, int64_t k) const;
};

/// A data cache of a core, or a core's share of one.
struct Cache {
  int64_t bytes = 0;
  /// Lines at the same offset of a page that fit in; 0 if unknown.
  int64_t ways = 0;

  bool operator==(const Cache &o) const {
    return bytes == o.bytes && ways == o.ways;
  }
  friend llvm::hash_code hash_value(const Cache &cache) {
    return llvm::hash_combine(cache.bytes, cache.ways);
  }
};

/// A memory besides main memory: its bytes, and how many of them move in the
/// time that one of main memory takes.
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

/// A value type, with the machine's text form (docs/AssignLayouts.md).
struct Target {
  std::string name;
  /// Bytes of a vector register, and of a cache line.
  int64_t vectorBytes = 32;
  int64_t cacheLine = 64;
  /// The tile of its result that a kernel keeps in registers.
  int64_t tileRows = 6, tileVectors = 2;
  /// Vector registers.
  int64_t registers = 16;
  /// Bytes moved to the first cache in the time of one to memory.
  int64_t memoryCost = 8;
  /// Bytes of the last cache; 0 without one.
  int64_t lastCache = int64_t(32) << 20;
  /// 0 if not given.
  int64_t bytesPerCycle = 0;
  /// The nearest first; empty if unknown.
  llvm::SmallVector<Cache, 3> caches;
  int64_t cores = 1;
  /// Instructions, by LLVM's names, sorted: `avx512vnni`, `fma`.
  std::vector<std::string> features;
  llvm::SmallVector<MatrixUnit, 1> matrixUnits;
  /// By ascending number.
  std::vector<MemorySpace> memorySpaces;

  /// Parses and verifies a text; std::nullopt and `error` if it is wrong.
  /// Members that a text leaves out have their defaults.
  static std::optional<Target> parse(llvm::StringRef text, ParseError &error);
  /// The built-in target of that name; std::nullopt if none exists. `host` is
  /// the machine that this process runs on, by the features of its processor.
  static std::optional<Target> lookup(llvm::StringRef name);
  /// The names `lookup` knows, sorted; `systolic-RxC` stands for a family.
  static std::vector<std::string> getBuiltInNames();

  /// std::nullopt if the members fit together, else what is wrong.
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
  bool hasFeature(llvm::StringRef feature) const {
    return std::binary_search(features.begin(), features.end(), feature);
  }
  /// The unit of that size, or null.
  const MatrixUnit *findUnit(int64_t rows, int64_t cols) const;
  /// Width of a panel, in elements: `tileVectors` vectors, and whole lines.
  int64_t getPanelWidth(int64_t elementBits) const;
  /// The unit with the fewest cycles for a product; null without units. The
  /// first if there is a tie.
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
