//===- AccessMap.h - Disjoint pieces of indexing maps -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access map says for every index of a result where its element comes from.
// It is a list of *pieces*; each has a source (an operand, a constant, or
// nothing) and an indexing map whose domain says where the piece holds and
// whose results index the source. Pieces have the same dims and disjoint
// domains, so that at most one answers: that is how pad, concat and clamp are
// written.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ACCESSMAP_H
#define TENSORACCESS_CORE_ACCESSMAP_H

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess {

enum class SourceKind : uint8_t { Operand, Constant, None };

/// Where the elements of a piece come from.
struct AccessSource {
  SourceKind kind = SourceKind::None;
  /// Operand: its number. Constant: a number of the client's table of
  /// constants. None: 0.
  unsigned index = 0;

  bool operator==(const AccessSource &o) const {
    return kind == o.kind && index == o.index;
  }
};

struct AccessPiece {
  AccessSource source;
  /// For a constant or no source the map has no results.
  IndexingMap map;

  bool operator==(const AccessPiece &o) const {
    return source == o.source && map == o.map;
  }
};

/// The answer of a piece at a point.
struct AccessResult {
  unsigned piece;
  AccessSource source;
  llvm::SmallVector<int64_t> index;
};

class AccessMap {
public:
  AccessMap() = default;
  explicit AccessMap(llvm::ArrayRef<AccessPiece> pieces)
      : pieces(pieces.begin(), pieces.end()) {}

  llvm::ArrayRef<AccessPiece> getPieces() const { return pieces; }

  enum class Verdict : uint8_t {
    Valid,   ///< proved: same dims everywhere and disjoint domains
    Invalid, ///< `message` says what is wrong, with a witness
    Unknown, ///< too large to enumerate and no proof within the budget
  };
  struct Verification {
    Verdict verdict;
    std::string message;
  };
  /// Checks the promise above: by ranges, then by Presburger sets (bounded by
  /// `maxConstraints` rows), then by enumerating at most `maxPoints` points.
  Verification verify(uint64_t maxPoints = 1u << 16,
                      unsigned maxConstraints = 64) const;

  /// Which piece answers at `dims` for given symbols and runtime variables (of
  /// the pieces that have them), and with which index. None if no piece does.
  std::optional<AccessResult>
  evaluate(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> symbols = {},
           llvm::ArrayRef<int64_t> runtime = {}) const;

  bool operator==(const AccessMap &o) const { return pieces == o.pieces; }
  bool operator!=(const AccessMap &o) const { return !(*this == o); }

private:
  llvm::SmallVector<AccessPiece, 2> pieces;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ACCESSMAP_H
