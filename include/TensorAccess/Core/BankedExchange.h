//===- BankedExchange.h - Exchanges through a memory of banks ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_BANKEDEXCHANGE_H
#define TENSORACCESS_CORE_BANKEDEXCHANGE_H

#include "TensorAccess/Core/LinearLayout.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Exchanges through a memory of banks
//
// Two layouts say where an element is held and where it is needed: inputs
// `register`, `lane` and `warp`. What stays with its lane is moved in
// registers, what stays in its warp by shuffles, all else by a memory that all
// share, in which the lanes of an access meet in banks. The layout of that
// memory is computed, not searched:
//
//   1. *Units*, 16 bytes: what the registers of one side hold, of which the other has
//      a part; or rows of matrices, whose words go to four lanes.
//   2. One access serves a span of elements, A when storing and B when loading: a
//      unit, and the lanes at once. Two elements of one bank and not of one word
//      conflict: those whose sum is in the span R of the *rows* of memory. A and B
//      have a common complement: what is outside of both, and the sums a_i + b_i of
//      what is in one of them only. R is taken from there, and no linear memory with
//      these units has fewer conflicts; where R is larger than that, the least that
//      must conflict follows.
//   3. Of the few ways to choose units, that with the fewest cycles and then the
//      fewest instructions.
//===----------------------------------------------------------------------===//

struct BankedMemory {
  /// Banks, the bytes of a word of each, and the most bytes of an access of a lane;
  /// powers of two.
  int64_t banks = 32, bankBytes = 4, vectorBytes = 16;
  /// Whether a warp of 32 lanes loads and stores matrices of eight rows of 16 bytes
  /// (ldmatrix, stmatrix).
  bool loadsMatrices = true, storesMatrices = true;
};

/// How the lanes of a warp meet the memory.
struct BankedAccess {
  enum class Kind : uint8_t {
    Lanes, ///< each lane a vector of its own
    /// Matrices: word w of row r, which is lane bits 2 to 4, belongs to lane w of the
    /// four with these bits.
    Rows,
    /// Matrices of elements of two bytes, transposed: element e of row r is that of
    /// lane bits 2 to 4, register bit 0 and lane bits 0 and 1 are the row.
    Columns,
  };
  Kind kind = Kind::Lanes;
  /// Elements side by side, of a lane or of a row.
  int64_t vector = 1;
  /// Of the memory, for all elements and counted access by access; how many there
  /// would be without conflicts; and the warps' instructions, of up to four matrices.
  int64_t cycles = 0, leastCycles = 0, instructions = 0;

  int64_t getConflicts() const { return cycles - leastCycles; }
};

struct BankedExchange {
  enum class Way : uint8_t { Registers, Shuffles, Memory };
  Way way = Way::Memory;
  /// `offset`, in elements -> index.
  LinearLayout memory;
  BankedAccess store, load;
};

/// `registers`, …; `lanes`, `rows`, `columns`.
llvm::StringRef describe(BankedExchange::Way way);
llvm::StringRef describe(BankedAccess::Kind kind);

/// std::nullopt and `error` where indices differ in size, an input has another
/// name, some element is not held, or elements are larger than a vector.
std::optional<BankedExchange> planExchange(const LinearLayout &from,
                                           const LinearLayout &to,
                                           int64_t elementBytes,
                                           const BankedMemory &banks,
                                           std::string &error);

/// All accesses of a layout to a memory. std::nullopt and `error` where its
/// registers hold no such vectors, or its lanes no such matrices.
std::optional<BankedAccess>
countCycles(const LinearLayout &layout, const LinearLayout &memory,
            int64_t elementBytes, BankedAccess::Kind kind, int64_t vector,
            const BankedMemory &banks, std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_BANKEDEXCHANGE_H
