//===- AccessMap.h - Whether pieces are disjoint ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of an access whose promise, disjoint domains, is checked.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_ACCESSMAP_H
#define TENSORACCESS_TEST_CORE_ACCESSMAP_H

#include "TensorAccess/Core/Access.h"

namespace mlir::tensoraccess {

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

#endif // TENSORACCESS_TEST_CORE_ACCESSMAP_H
