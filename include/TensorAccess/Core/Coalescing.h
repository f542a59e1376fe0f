//===- Coalescing.h - Bytes moved, and banks --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_COALESCING_H
#define TENSORACCESS_CORE_COALESCING_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Bytes moved for the bytes used
//
// Memory is moved in *transactions* of a fixed size. When the lanes of a warp
// read neighbouring elements, one transaction serves many of them.
//
//   (d0, d1)[s0] -> (d1 * 256 + d0 * 4 + s0)      lane d0, vector s0
//
// is a map from a lane, and other variables, to the number of an element. An
// *access* is what one group of `lanes` consecutive values of the lane reads at
// once, with all values of the vector variables, for one value of each other
// variable; lanes outside the domain are masked. Groups begin at multiples of
// `lanes`. Element 0 begins a transaction.
//
//   bytesUsed    sum over accesses of the distinct bytes touched
//   bytesMoved   sum over accesses of the distinct transactions touched, times
//                their size
//
// Both are exact over all accesses: every warp, every iteration. They are
// counted without visiting each of them:
//
//   1. The lane is written as lanes·g + l, so that g is one more variable.
//   2. A variable under a division by m is periodic: adding a multiple P of its
//      period moves the offset by a constant. It is written as P·q + r.
//   3. A variable that is in no division only moves an access. Where it is in a
//      constraint (a mask), its range is cut: inside, the constraint holds for
//      all lanes; at the few values on the border it is fixed.
//   4. Now an access depends on the few remaining variables, which are
//      enumerated, and is shifted by a sum of multiples, of which only the
//      residue modulo a transaction matters: how often each residue occurs is
//      counted in closed form.
//
// A budget bounds 3 and 4; beyond it the answer is unknown, never a sample.
//===----------------------------------------------------------------------===//

struct CoalescingOptions {
  /// The variable that numbers the lanes, a dim or symbol; std::nullopt if each
  /// point (with its vector) is a separate access.
  std::optional<unsigned> lane;
  /// Lanes of one access, at least 1.
  int64_t lanes = 32;
  /// Dims or symbols all of whose values belong to one access.
  llvm::SmallVector<unsigned, 2> vector;
  /// Runtime variables that are the same for all lanes of an access. Others
  /// may differ from lane to lane: a map that depends on one is unknown.
  llvm::SmallVector<unsigned, 2> uniform;
  /// Bits of an element, at least 1; elements of less than a byte are packed.
  int64_t elementBits = 32;
  /// Bytes of a transaction, at least 1.
  int64_t transactionBytes = 64;
  /// The most points evaluated, and the most boxes that the domain is cut into.
  uint64_t maxPoints = 1u << 22;
  uint64_t maxBoxes = 1u << 14;
};

/// Sums over all accesses.
struct Coalescing {
  int64_t accesses = 0;
  int64_t transactions = 0;
  int64_t bytesUsed = 0;
  int64_t bytesMoved = 0;
  /// What would be moved if each access's bytes were contiguous, starting at
  /// the beginning of a transaction.
  int64_t minimumBytes = 0;
  /// Maximal stretches of neighbouring bytes, and what would be moved if each
  /// began a transaction and shared none with another: a measure that doesn't
  /// depend on where arrays begin.
  int64_t runs = 0;
  int64_t runBytes = 0;
  /// Bytes of the access that uses the smallest part of what it moves.
  int64_t worstUsed = 0, worstMoved = 0;

  /// bytesUsed / bytesMoved; 1 where nothing is moved.
  double getUtilization() const;
  /// Whether minimumBytes > threshold · runBytes. True if nothing is accessed:
  /// there is no uncoalesced access.
  bool isCoalesced(double threshold = 0.9) const;

  bool operator==(const Coalescing &o) const;
};

/// Why there is no count.
enum class CoalescingReason : uint8_t {
  None,
  UnknownMap, ///< the map is unknown
  Runtime,    ///< it depends on a runtime variable
  Unbounded,  ///< a variable has no end
  Budget,     ///< a limit was reached
  Overflow,   ///< a number does not fit in 64 bits
};

/// `the map is unknown`, ...
llvm::StringRef describe(CoalescingReason reason);

struct CoalescingResult {
  /// std::nullopt if and only if there is a reason.
  std::optional<Coalescing> value;
  CoalescingReason reason = CoalescingReason::None;
};

/// std::nullopt if the options make sense for `map`, else what is wrong. The
/// map must have one result.
std::optional<std::string> verify(const CoalescingOptions &options,
                                  const IndexingMap &map);

/// What the accesses of `map`, whose one result is the number of an element,
/// use and move. `options` must be verified.
CoalescingResult getCoalescing(const IndexingMap &map,
                               const CoalescingOptions &options);

/// `map`, followed by the layout: the number in memory of the element at each
/// index. Points outside the layout's shape access nothing. Unknown
/// (RankMismatch) if the ranks differ, and (DynamicShape) if dynamic sizes are
/// part of a stride; `layout` must have a shape.
IndexingMap toElementNumbers(const IndexingMap &map, const Layout &layout);
/// The same for a row-major array. Without `shape`, its shape is the smallest
/// that holds every result; unknown (DynamicShape) if none does.
IndexingMap
toElementNumbers(const IndexingMap &map,
                 std::optional<llvm::ArrayRef<int64_t>> shape = std::nullopt);

/// How much of what is moved a tile uses, when each stretch of neighbouring
/// bytes is fetched by separate transactions. The tile is at the origin; what
/// is outside the shape is not read.
struct TileBandwidth {
  int64_t bytesUsed = 0, bytesMoved = 0;
  /// 1 where nothing is moved.
  double getUtilization() const;
};

/// std::nullopt and `error` for a layout without a shape, a wrong number of
/// sizes or strides, a size below 0, and a tiled layout with a tile of more
/// than `maxElements` elements. A stride may be zero or negative: then the tile
/// repeats or runs backwards, which reads the same elements.
std::optional<TileBandwidth>
getTileBandwidth(const Layout &layout, llvm::ArrayRef<int64_t> tileSizes,
                 llvm::ArrayRef<int64_t> tileStrides, int64_t transactionBytes,
                 std::string &error, uint64_t maxElements = 1u << 22);

//===----------------------------------------------------------------------===//
// Accesses that meet in a memory bank
//
// The shared memory of a GPU, and the scratch memory of many accelerators, is
// cut into *banks*: byte b is in word ⌊b / width⌋, and word w in bank
// w mod banks. In a cycle, each bank gives one of its words to all lanes that
// ask for it. An access therefore takes
//
//   cycles           max over banks of the distinct words asked of that bank
//   minimum cycles   ⌈distinct words / banks⌉
//
// and the difference is what conflicts cost. Accesses are those of
// `lanes` consecutive values of the lane at once, with all values
// of the vector variables. For hardware that serves wide elements in parts (8
// lanes of 16 bytes at a time, say), `lanes` is that number.
//
// The sums over all accesses are exact, and found without visiting each access,
// as described above.
//===----------------------------------------------------------------------===//

struct BankOptions {
  /// What an access is; the size of transactions is ignored.
  CoalescingOptions access;
  /// At least 1.
  int64_t banks = 32;
  /// Bytes of a word, at least 1.
  int64_t bankBytes = 4;
};

/// Sums over all accesses.
struct BankConflicts {
  int64_t accesses = 0;
  /// Distinct words that are touched.
  int64_t words = 0;
  int64_t cycles = 0;
  int64_t minimumCycles = 0;
  /// Cycles of the access that takes the most.
  int64_t worst = 0;

  /// Cycles beyond the minimum.
  int64_t getConflicts() const { return cycles - minimumCycles; }
  bool operator==(const BankConflicts &o) const {
    return accesses == o.accesses && words == o.words && cycles == o.cycles &&
           minimumCycles == o.minimumCycles && worst == o.worst;
  }
};

struct BankConflictsResult {
  /// std::nullopt if and only if there is a reason.
  std::optional<BankConflicts> value;
  CoalescingReason reason = CoalescingReason::None;
};

/// std::nullopt if the options make sense for `map`, else what is wrong. The
/// map must have one result, the number of an element.
std::optional<std::string> verify(const BankOptions &options,
                                  const IndexingMap &map);

/// The cycles of the accesses of `map`; element 0 begins bank 0. `options` must
/// be verified.
BankConflictsResult getBankConflicts(const IndexingMap &map,
                                     const BankOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_COALESCING_H
