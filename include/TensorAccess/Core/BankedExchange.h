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
// Two layouts, with inputs `register`, `lane` and `warp`, map out where an
// element is held and where it is needed. What stays in its lane moves in
// registers, what stays in its warp by shuffles, all else through shared
// memory, where the lanes of an access meet in banks. The layout of that memory
// is computed, not searched for:
//
//   1. *Units* of 16 bytes: what the registers of one side hold, and the other
//      side holds in part; or rows of matrices, whose words go to four lanes.
//   2. One access serves a span of elements, A when storing and B when loading:
//      a unit, and the lanes at once. Two elements in one bank but not in one
//      word conflict: those whose sum is in the span R of the *rows* of memory.
//      A and B have a common complement: what is outside both, and the sums a_i
//      + b_i of what is in only one of them. R is taken from there, and no
//      linear memory with these units has fewer conflicts; where R is larger
//      than that, only what must conflict is added.
//   3. Of the few ways to choose units, the one with the fewest cycles is
//      taken, then the one with the fewest instructions.
//===----------------------------------------------------------------------===//

struct BankedMemory {
  /// Banks, bytes per word of a bank, and most bytes per lane of an access;
  /// powers of two.
  int64_t banks = 32, bankBytes = 4, vectorBytes = 16;
  /// Whether a warp of 32 lanes loads and stores matrices of eight rows of 16
  /// bytes (ldmatrix, stmatrix).
  bool loadsMatrices = true, storesMatrices = true;
};

/// How the lanes of a warp access the memory.
struct BankedAccess {
  enum class Kind : uint8_t {
    Lanes, ///< a vector per lane
    /// Matrices: word w of row r, which is lane bits 2 to 4, belongs to lane w
    /// of the four with these bits.
    Rows,
    /// Matrices of elements of two bytes, transposed: element e of row r is
    /// that of lane bits 2 to 4, register bit 0 and lane bits 0 and 1 are the
    /// row.
    Columns,
  };
  Kind kind = Kind::Lanes;
  /// Elements side by side, of a lane or of a row.
  int64_t vector = 1;
  /// Cycles of the memory for all elements, counted access by access; how many
  /// there would be without conflicts; and the warps' instructions, of up to
  /// four matrices each.
  int64_t cycles = 0, leastCycles = 0, instructions = 0;

  int64_t getConflicts() const { return cycles - leastCycles; }
};

struct BankedExchange {
  enum class Way : uint8_t { Registers, Shuffles, Memory };
  Way way = Way::Memory;
  /// From `offset`, in elements, to the index.
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
