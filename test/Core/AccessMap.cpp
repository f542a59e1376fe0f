//===- AccessMap.cpp - Whether pieces are disjoint ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That two pieces are disjoint is shown by the first of these that can:
//   1. their ranges of some dim don't meet;
//   2. both boxes are small: walk one, ask for the dims in the other;
//   3. the integer polyhedron of both domains, dims shared, divisions as local
//      variables, has no integer point (MLIR's Presburger library).
// What none of them can decide within the budget is Unknown.
//
//===----------------------------------------------------------------------===//

#include "AccessMap.h"

#include "PresburgerDomain.h"
#include "TensorAccess/Core/IndexingMap.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

enum class Overlap { No, Yes, Unknown };

} // namespace

static Overlap findOverlap(const IndexingMap &a, const IndexingMap &b,
                           uint64_t maxPoints, unsigned maxConstraints,
                           Point &witness) {
  if (a.isKnownEmpty() || b.isKnownEmpty())
    return Overlap::No;
  // 1. Ranges.
  for (unsigned i = 0, e = a.getNumDims(); i != e; ++i)
    if (a.getDimRanges()[i].intersect(b.getDimRanges()[i]).isEmpty())
      return Overlap::No;

  // Each map has its own unknown runtime variables: a common point for some of
  // their values is not a proof of an overlap.
  const bool isParametric = a.getNumRuntime() || b.getNumRuntime();

  // 2. Points.
  std::set<Point> dims;
  auto dimsOf = [](const IndexingMap &map, ArrayRef<int64_t> p) {
    return Point(p.begin(), p.begin() + map.getNumDims());
  };
  EnumerateStatus first = enumerate(
      a,
      [&](ArrayRef<int64_t> p, ArrayRef<int64_t>) {
        dims.insert(dimsOf(a, p));
        return true;
      },
      maxPoints);
  if (first == EnumerateStatus::Ok) {
    bool found = false;
    EnumerateStatus second = enumerate(
        b,
        [&](ArrayRef<int64_t> p, ArrayRef<int64_t>) {
          witness = dimsOf(b, p);
          found = dims.count(witness);
          return !found;
        },
        maxPoints);
    if (second == EnumerateStatus::Ok)
      return !found         ? Overlap::No
             : isParametric ? Overlap::Unknown
                            : Overlap::Yes;
  }

  // 3. Presburger.
  detail::DomainBuilder builder(a.getNumVariables() + b.getNumVariables() -
                                a.getNumDims());
  if (!builder.add(a, a.getNumDims()) || !builder.add(b, a.getNumVariables()) ||
      builder.polyhedron.getNumConstraints() > maxConstraints)
    return Overlap::Unknown;
  if (builder.polyhedron.isIntegerEmpty())
    return Overlap::No;
  if (isParametric)
    return Overlap::Unknown;
  auto sample = builder.polyhedron.findIntegerSample();
  if (!sample)
    return Overlap::Unknown;
  witness.clear();
  for (unsigned i = 0, e = a.getNumDims(); i != e; ++i)
    witness.push_back(static_cast<int64_t>((*sample)[i]));
  return Overlap::Yes;
}

AccessMap::Verification AccessMap::verify(uint64_t maxPoints,
                                          unsigned maxConstraints) const {
  auto name = [](unsigned i) { return "piece " + std::to_string(i); };
  Verification result{Verdict::Valid, ""};
  for (unsigned i = 0, e = pieces.size(); i != e; ++i) {
    const IndexingMap &map = pieces[i].map;
    if (map.isUnknown()) {
      result = {Verdict::Unknown, name(i) + " is unknown"};
      continue;
    }
    if (map.getNumDims() != pieces[0].map.getNumDims() &&
        !pieces[0].map.isUnknown())
      return {Verdict::Invalid, name(i) + " has " +
                                    std::to_string(map.getNumDims()) +
                                    " dims, piece 0 has " +
                                    std::to_string(pieces[0].map.getNumDims())};
    if (pieces[i].source.kind != SourceKind::Operand && map.getNumResults())
      return {Verdict::Invalid, name(i) + " reads no operand but has " +
                                    std::to_string(map.getNumResults()) +
                                    " results"};
  }
  if (result.verdict != Verdict::Valid)
    return result;
  for (unsigned i = 0, e = pieces.size(); i != e; ++i)
    for (unsigned j = i + 1; j != e; ++j) {
      Point witness;
      Overlap overlap = findOverlap(pieces[i].map, pieces[j].map, maxPoints,
                                    maxConstraints, witness);
      if (overlap == Overlap::No)
        continue;
      if (overlap == Overlap::Unknown) {
        result = {Verdict::Unknown, "cannot tell whether " + name(i) + " and " +
                                        name(j) + " overlap"};
        continue;
      }
      std::string at;
      for (int64_t v : witness)
        at += (at.empty() ? "" : ", ") + std::to_string(v);
      return {Verdict::Invalid,
              name(i) + " and " + name(j) + " overlap at (" + at + ")"};
    }
  return result;
}

std::optional<AccessResult>
AccessMap::evaluate(ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols,
                    ArrayRef<int64_t> runtime) const {
  for (unsigned i = 0, e = pieces.size(); i != e; ++i) {
    const IndexingMap &map = pieces[i].map;
    std::optional<SmallVector<int64_t>> index =
        map.evaluate(dims, map.getNumSymbols() ? symbols : ArrayRef<int64_t>(),
                     map.getNumRuntime() ? runtime : ArrayRef<int64_t>());
    if (index)
      return AccessResult{i, pieces[i].source, std::move(*index)};
  }
  return std::nullopt;
}
