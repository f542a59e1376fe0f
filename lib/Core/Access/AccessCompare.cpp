//===- AccessCompare.cpp - Whether two views mean the same ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the first of these that can tell:
//   1. Equal structure: equal. Different shapes: different. Sizes that are
//      unknown and come from elsewhere: unknown, unless an element differs.
//   2. The sample points, and all points of a small box.
//   3. Proof. Each piece of one form meets the pieces of the other; where they
//      meet, they read the same source and their results are equal
//      (compareMaps); counting shows that all of the piece is met. Then the
//      pieces of both cover the same points, and the backgrounds are equal.
//
// The sample points depend on the shape alone: corners and points spread by a
// linear congruence.
//
//===----------------------------------------------------------------------===//

#include "AccessMerge.h"
#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Sample points, besides the two corners.
static constexpr unsigned kSamples = 14;

/// Calls `visit` for each sample point until it returns false.
static void forEachSample(ArrayRef<int64_t> shape,
                          llvm::function_ref<bool(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> point(shape.size(), 0);
  if (llvm::is_contained(shape, 0) || !visit(point))
    return;
  for (auto [i, size] : llvm::enumerate(shape))
    point[i] = size - 1;
  if (!visit(point))
    return;
  uint64_t state = 0x9e3779b97f4a7c15ull;
  for (unsigned n = 0; n < kSamples; ++n) {
    for (auto [i, size] : llvm::enumerate(shape)) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      point[i] =
          static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(size));
    }
    if (!visit(point))
      return;
  }
}

uint64_t CanonicalAccess::hash() const {
  llvm::hash_code code =
      llvm::hash_combine(llvm::hash_combine_range(shape.begin(), shape.end()),
                         background.value_or(~0u));
  for (const AccessPiece &piece : pieces)
    code = llvm::hash_combine(code, static_cast<unsigned>(piece.source.kind),
                              piece.source.index, piece.map.hash());
  for (const Extent &extent : extents)
    code =
        llvm::hash_combine(code, extent.dim, extent.source, extent.sourceDim);
  return code;
}

bool CanonicalAccess::operator==(const CanonicalAccess &o) const {
  return shape == o.shape && background == o.background &&
         sources == o.sources && pieces == o.pieces && extents == o.extents;
}

static bool sameElement(const std::optional<AccessResult> &a,
                        const std::optional<AccessResult> &b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->source == b->source && a->index == b->index));
}

/// The points of both domains, with the results of `a`.
static IndexingMap meet(const IndexingMap &a, const IndexingMap &b) {
  return a.intersectDomains(b).simplify();
}

/// Whether the pieces of `a` read what those of `b` do, at the same points;
/// std::nullopt if that is unknown. `witness` is a point where they don't, if
/// found.
static std::optional<bool> covers(const CanonicalAccess &a,
                                  const CanonicalAccess &b,
                                  const AccessBudget &budget, Point &witness) {
  for (const AccessPiece &piece : a.getPieces()) {
    std::optional<uint64_t> own = countDomain(piece.map, budget);
    uint64_t met = 0;
    for (const AccessPiece &other : b.getPieces()) {
      IndexingMap mine = meet(piece.map, other.map);
      if (mine.isUnknown())
        return std::nullopt;
      if (mine.isKnownEmpty())
        continue;
      std::optional<uint64_t> count = countDomain(mine, budget);
      if (count == 0u)
        continue;
      if (!count || !own)
        return std::nullopt;
      met += *count;
      if (!(piece.source == other.source)) {
        if (std::optional<Point> point = findPoint(mine, budget.maxPoints))
          witness = *point;
        return false;
      }
      Equivalence same =
          compareMaps(mine, meet(other.map, piece.map), budget.maxPoints);
      if (same.verdict == Equivalence::Verdict::Different)
        witness = same.witness;
      if (same.verdict != Equivalence::Verdict::Equal)
        return same.answer();
    }
    // A constant piece is also met by the other's background.
    if (met != own)
      return piece.source.kind == SourceKind::Operand && own
                 ? std::optional(false)
                 : std::nullopt;
  }
  return true;
}

Equivalence CanonicalAccess::compare(const CanonicalAccess &other,
                                     const AccessBudget &budget) const {
  using Verdict = Equivalence::Verdict;
  if (shape != other.shape)
    return {Verdict::Different,
            {},
            "the shapes are " + shapeToString(shape) + " and " +
                shapeToString(other.shape)};
  const Equivalence same =
      extents == other.extents
          ? Equivalence{Verdict::Equal, {}, ""}
          : Equivalence{Verdict::Unknown, {}, "unknown sizes may differ"};
  if (*this == other || isEmpty())
    return same;
  // 2. Points.
  Equivalence result;
  auto check = [&](ArrayRef<int64_t> point) {
    if (sameElement(evaluate(point), other.evaluate(point)))
      return true;
    result = {Verdict::Different, Point(point.begin(), point.end()),
              "the views differ at " +
                  llvm::interleaved(point, ", ", "(", ")").str()};
    return false;
  };
  forEachSample(shape, check);
  if (result.verdict == Verdict::Different)
    return result;
  std::optional<int64_t> count = elementCount(shape);
  if (count && static_cast<uint64_t>(*count) <= budget.maxPoints)
    return forEachIndex(shape, check) ? same : result;
  // 3. Proof.
  Point witness;
  std::optional<bool> isCovered = covers(*this, other, budget, witness);
  if (isCovered == true)
    isCovered = covers(other, *this, budget, witness);
  if (isCovered == true && background == other.background)
    return same;
  if (!witness.empty() && !check(witness))
    return result;
  return {Verdict::Unknown, {}, "neither a proof nor a difference was found"};
}
