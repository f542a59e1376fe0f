//===- Counting.h - Boxes, footprints, equality, exact counts ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_COUNTING_H
#define TENSORACCESS_CORE_COUNTING_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Projection.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What a map reaches, and how much
//
// Questions about the sets that an indexing map relates: which elements does a
// block of an operation touch, how many are they, which part of the operation
// needs a given block of the tensor, does an element come back twice?
//
//   (d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 111], s0 in [0, 6]
//     getImage      hull [0, 229), count 229, exact
//     countPoints   784: each element is read 3.4 times
//     isInjective   false
//
// Every answer is exact or marked as inexact: nothing here is an estimate. A
// *budget* bounds the steps of a search where no closed form is known; past it
// the answer is "unknown" (std::nullopt).
//
// Runtime variables are unknown numbers that may differ from point to point;
// size parameters don't. A set that depends on them has a hull over all their
// values, and no count.
//===----------------------------------------------------------------------===//

/// A half-open box of integers.
using Box = IndexRegion;

/// How a hull relates to the set it was computed for.
enum class Exactness : uint8_t {
  Exact,   ///< the box is the set
  Hull,    ///< the box contains the set; it may contain more
  Unknown, ///< nothing is known; there is no box
};

/// `exact`, `hull`, `unknown`.
llvm::StringRef describe(Exactness kind);

/// A set of index tuples, summarised.
struct Footprint {
  /// How the hull relates to the set.
  Exactness kind = Exactness::Unknown;
  /// A box that contains the set; std::nullopt if `kind` is Unknown. The hull
  /// of the empty set is [0, 0) in each dimension.
  std::optional<Box> hull;
  /// How many tuples there are, exactly; std::nullopt if that is not known or
  /// does not fit.
  std::optional<uint64_t> count;

  bool operator==(const Footprint &o) const {
    return kind == o.kind && hull == o.hull && count == o.count;
  }
};

/// The results of `map` over its domain, or over the part of it whose dims are
/// in `dims`. Unknown for an unknown map, a box whose rank is not the number of
/// dims, and where a result has no bound.
Footprint getImage(const IndexingMap &map, const Box *dims = nullptr,
                   uint64_t budget = kDefaultEnumerationBudget);

/// The dims that some values of the symbols map into `results`. Unknown as
/// above.
Footprint getPreimage(const IndexingMap &map, const Box &results,
                      uint64_t budget = kDefaultEnumerationBudget);

/// How many points (dims and symbols) the domain has. std::nullopt if that
/// number is infinite, unknown, not countable within the budget, too large for
/// 64 bits, or depends on runtime variables.
std::optional<uint64_t>
countPoints(const IndexingMap &map,
            uint64_t budget = kDefaultEnumerationBudget);

/// How many different results the map has. std::nullopt as above.
std::optional<uint64_t> countImage(const IndexingMap &map,
                                   uint64_t budget = kDefaultEnumerationBudget);

/// How many different results several maps into one space have together: what
/// a kernel reads once through any of them. std::nullopt as above, and if the
/// maps have different numbers of results. Without maps, 0.
std::optional<uint64_t> countUnion(llvm::ArrayRef<IndexingMap> maps,
                                   uint64_t budget = kDefaultEnumerationBudget);

/// Whether different points (dims and symbols) have different results, i.e.
/// countImage = countPoints. For a map with runtime variables, true if it holds
/// whatever values these take at each point; else std::nullopt.
std::optional<bool> isInjective(const IndexingMap &map,
                                uint64_t budget = kDefaultEnumerationBudget);

/// The map from results back to dims: r -> {d : r is among the results of d}.
/// It is exact. Symbols stand for what a result leaves open (if the map is not
/// injective), constraints describe which results are reached; runtime
/// variables are kept. For an injective map, first `map` and then the inverse
/// is the identity on the domain's dims. std::nullopt for an unknown map and on
/// overflow.
std::optional<IndexingMap> inverse(const IndexingMap &map);

//===----------------------------------------------------------------------===//
// Boxes: cut, joined, and whether they cover
//
// Half-open boxes as values: intersection, product, pieces, the smallest box
// around several, and whether several cover one exactly: no place twice, none
// missing, none outside. Equal sizes do not prove that; here every answer
// has a witness.
//===----------------------------------------------------------------------===//

/// The most pieces that `splitBox` makes.
inline constexpr uint64_t kMaxBoxPieces = 1u << 20;

/// std::nullopt if lo and hi have equal ranks and lo ≤ hi everywhere, else what
/// is wrong: `lo 0 must be at most hi, got 3 > 2`.
std::optional<std::string> verifyBox(const Box &box);

/// Everything in [0, extents).
Box getWholeBox(llvm::ArrayRef<int64_t> extents);

/// hi - lo in each dimension.
llvm::SmallVector<int64_t> getBoxSizes(const Box &box);

/// A box in the coordinates of one that begins at `origin`.
Box shiftBox(Box box, llvm::ArrayRef<int64_t> origin);

/// `[0, 3) x [1, 5)`; `()` for a box of rank 0.
std::string printBox(const Box &box);

/// How many places a box has; std::nullopt if it does not fit in 64 bits.
std::optional<uint64_t> getVolume(const Box &box);

/// The common part; in a dimension where there is none, it is empty and begins
/// where the later box does. Requires equal ranks.
Box intersectBoxes(const Box &a, const Box &b);

/// The dimensions of `a`, then those of `b`.
Box productOfBoxes(const Box &a, const Box &b);

/// Pieces of `chunk` indices along an axis, the last one perhaps smaller; none
/// for an empty box. std::nullopt and `error` for a wrong axis or chunk, and
/// past kMaxBoxPieces.
std::optional<llvm::SmallVector<Box, 4>>
splitBox(const Box &box, size_t axis, int64_t chunk, std::string &error);

/// The smallest box around the boxes that are not empty; the first one if all
/// are empty. std::nullopt without boxes, and for boxes of different ranks.
std::optional<Box> getBoundingBox(llvm::ArrayRef<Box> boxes);

/// `a` without `b`: disjoint boxes, at most two per dimension.
llvm::SmallVector<Box, 4> subtractBox(const Box &a, const Box &b);

/// How parts cover a domain.
struct ExactCover {
  bool isInside = true;   ///< no part leaves the domain
  bool isDisjoint = true; ///< no place is in two parts
  /// Whether every place of the domain is in a part; std::nullopt past the
  /// budget.
  std::optional<bool> covers;
  /// The first thing wrong: a part outside, an overlap, a gap; `parts 0 and 1
  /// overlap at [2]`. Empty if nothing is.
  std::string reason;
  /// A place that shows it.
  std::optional<llvm::SmallVector<int64_t>> witness;

  bool isExact() const {
    return isInside && isDisjoint && covers.value_or(false);
  }
};

/// Whether `parts` cover `domain` exactly. Empty parts are ignored, wherever
/// they are. std::nullopt and `error` for parts of another rank.
std::optional<ExactCover> getExactCover(const Box &domain,
                                        llvm::ArrayRef<Box> parts,
                                        std::string &error,
                                        uint64_t budget = 1u << 20);

//===----------------------------------------------------------------------===//
// How many points several boxes have
//===----------------------------------------------------------------------===//

/// How many points are in at least one of the boxes, all of one rank. The first
/// dimension is cut where a box begins or ends; between two cuts the boxes are
/// the same, and their union in the other dimensions is counted once.
/// std::nullopt if the ranks differ, the count does not fit, or more than
/// `budget` cuts are needed.
std::optional<uint64_t> countUnionOfBoxes(llvm::ArrayRef<Box> boxes,
                                          uint64_t budget = 1u << 14);

//===----------------------------------------------------------------------===//
// Whether one map reads what another does
//
// An indexing map is a relation: pairs of a point (its dims) and a result, for
// any values of its range symbols. A map whose pairs are all pairs of another
// map adds nothing to their union.
//===----------------------------------------------------------------------===//

/// Whether it is proved that every pair (point, result) of `a` is one of `b`.
/// False means *not proved*: they may differ (even in their numbers of dims and
/// results), be unknown, or be too hard. Maps with runtime variables are
/// contained only in themselves. Containment.cpp has the proof.
bool isContainedIn(const IndexingMap &a, const IndexingMap &b);

//===----------------------------------------------------------------------===//
// Emptiness and equality, decided
//
// Does a map have a point at all? Are two maps the same relation? Each is
// proved, or refuted by a point, or left open:
//
//   a: (d0) -> (d0 mod 4), domain: d0 in [0, 9]
//   b: (d0) -> (d0 - (d0 floordiv 4) * 4), domain: d0 in [0, 9]     equal
//   c: (d0) -> (d0 mod 4), domain: d0 in [0, 8]                different at 9
//===----------------------------------------------------------------------===//

/// Whether the domain has no point, whatever the runtime variables are.
/// std::nullopt for an unknown map, and if the budget does not suffice.
std::optional<bool> isEmpty(const IndexingMap &map,
                            uint64_t budget = kDefaultEnumerationBudget);

/// The values of all variables at some point of the domain. std::nullopt if
/// there is none, or none was found (see `isEmpty`).
std::optional<Point> findPoint(const IndexingMap &map,
                               uint64_t budget = kDefaultEnumerationBudget);

/// The outcome of comparing two maps as relations.
struct Equivalence {
  enum class Verdict : uint8_t {
    Equal,     ///< proved: the same set of results for all dims
    Different, ///< refuted, at `witness` if that has values
    Unknown,   ///< neither, within the budget
  };
  Verdict verdict = Verdict::Unknown;
  /// Different: values of the dims, then of the runtime variables, for which
  /// the maps have different sets of results. Empty if the maps differ in their
  /// number of dims, runtime variables or results.
  Point witness;
  /// Different or Unknown: the reason, as a sentence.
  std::string message;

  /// True, false or std::nullopt.
  std::optional<bool> answer() const {
    if (verdict == Verdict::Unknown)
      return std::nullopt;
    return verdict == Verdict::Equal;
  }
};

/// Compares two maps as relations: for all dims and runtime variables (which
/// must agree in number) the sets of results over all symbols must be equal;
/// outside its domain a map has the empty set. An unknown map is neither equal
/// to nor different from any other.
Equivalence compareMaps(const IndexingMap &a, const IndexingMap &b,
                        uint64_t budget = kDefaultEnumerationBudget);

//===----------------------------------------------------------------------===//
// Hash-consed indexing maps
//
// Composing the maps of a model yields few different maps, many times each. A
// pool gives each map a number, so that equality is equality of numbers, and
// the results of composing, merging, inverting and comparing can be looked up.
//
// Maps that differ only in the order or the offset of their range symbols share
// a number: (d0)[s0, s1] -> (s0, s1) and (d0)[s0, s1] -> (s1, s0) are the same
// set of reads where the ranges agree. The map that came first is kept.
//
//   MapPool pool;
//   bool merged = false;
//   MapPool::Id c = pool.compose(pool.intern(f), pool.intern(g), merged);
//   pool[c];   // f.then(g), simplified
//===----------------------------------------------------------------------===//

/// Not thread-safe. Grows with the number of different maps it has seen.
class MapPool {
public:
  using Id = unsigned;

  static constexpr unsigned kMergeSymbols = 6;

  /// `mergeSymbols` is how many range symbols a composed map may have before
  /// its window symbols are merged.
  explicit MapPool(unsigned mergeSymbols = kMergeSymbols)
      : mergeSymbols(mergeSymbols) {}

  /// The number of a map.
  Id intern(const IndexingMap &map);
  /// The first map that got this number. The reference stays valid.
  const IndexingMap &operator[](Id id) const { return maps[id]; }
  unsigned size() const { return maps.size(); }

  /// First a, then b, simplified; unneeded symbols are dropped. If more range
  /// symbols are left than the pool allows, window symbols are merged: `merged`
  /// is set then, and otherwise left unchanged.
  Id compose(Id a, Id b, bool &merged);
  /// The same relation with window symbols merged (IndexingMap::mergeSymbols);
  /// the same number if there is nothing to merge.
  Id merge(Id id);
  /// The relation read backwards: its dims are the map's results, its results
  /// are the map's dims.
  Id invert(Id id);
  /// True if some range symbol is mentioned only by constraints.
  bool hasIdleSymbols(Id id) const;
  /// isContainedIn, cached.
  bool isContained(Id a, Id b);

private:
  struct Composed {
    Id id = 0;
    bool merged = false;
  };

  unsigned mergeSymbols;
  std::deque<IndexingMap> maps;
  std::unordered_multimap<uint64_t, Id> byHash;
  /// The canonical forms of maps, where they differ from the maps.
  std::unordered_map<Id, IndexingMap> canonical;
  llvm::DenseMap<std::pair<Id, Id>, Composed> composed;
  llvm::DenseMap<Id, Id> mergedMaps, inverted;
  llvm::DenseMap<std::pair<Id, Id>, bool> contained;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_COUNTING_H
