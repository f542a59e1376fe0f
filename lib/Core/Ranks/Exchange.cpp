//===- Exchange.cpp - Messages between ranks ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owners of arbitrary boxes are asked one after the other, and what each gives
// is cut out of what is left. Parts of a distribution need no search: in each
// dimension those that a box meets are consecutive, their ranks follow from
// their numbers, and the nearest sender differs from the receiver on
// the cutting axes only.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

static bool isBefore(const ExchangeMessage &a, const ExchangeMessage &b) {
  return std::tie(a.to, a.from, a.box.lo, a.box.hi) <
         std::tie(b.to, b.from, b.box.lo, b.box.hi);
}

/// std::nullopt if the boxes of a rank have one rank of dimensions and are
/// disjoint.
static std::optional<std::string> checkBoxes(const RankBoxes &boxes,
                                             const Grid &grid, const char *what,
                                             std::optional<size_t> &dims) {
  if (static_cast<int64_t>(boxes.size()) != grid.getNumRanks())
    return std::string(what) + " boxes are those of " +
           std::to_string(boxes.size()) + " ranks, but the grid has " +
           std::to_string(grid.getNumRanks());
  for (auto [rank, own] : llvm::enumerate(boxes))
    for (auto [i, box] : llvm::enumerate(own)) {
      std::string name = std::string(what) + " box " + std::to_string(i) +
                         " of rank " + std::to_string(rank);
      if (std::optional<std::string> problem = verifyBox(box))
        return name + ": " + *problem;
      if (!dims)
        dims = box.lo.size();
      if (box.lo.size() != *dims)
        return name + " has " + std::to_string(box.lo.size()) +
               " dimensions, but others have " + std::to_string(*dims);
      for (size_t j = 0; j != i; ++j) {
        Box common = intersectBoxes(own[j], box);
        if (!common.isEmpty())
          return std::string(what) + " boxes " + std::to_string(j) + " and " +
                 std::to_string(i) + " of rank " + std::to_string(rank) +
                 " overlap at " + llvm::interleaved_array(common.lo).str();
      }
    }
  return std::nullopt;
}

/// Takes what `owner` has out of `rest`; what it gives.
static SmallVector<Box, 2> takeFrom(llvm::SmallVectorImpl<Box> &rest,
                                    ArrayRef<Box> owner) {
  SmallVector<Box, 2> taken;
  for (const Box &own : owner) {
    if (own.isEmpty())
      continue;
    SmallVector<Box, 4> left;
    for (const Box &piece : rest) {
      Box common = intersectBoxes(piece, own);
      if (common.isEmpty()) {
        left.push_back(piece);
        continue;
      }
      taken.push_back(common);
      llvm::append_range(left, subtractBox(piece, own));
    }
    rest.assign(left.begin(), left.end());
  }
  // Pieces that fill a box are that box: one message instead of several.
  if (taken.size() > 1) {
    Box hull = *getBoundingBox(taken);
    std::optional<uint64_t> total = 0, whole = getVolume(hull);
    for (const Box &piece : taken) {
      std::optional<uint64_t> own = getVolume(piece);
      if (total && (!own || __builtin_add_overflow(*total, *own, &*total)))
        total.reset();
    }
    if (total && total == whole)
      taken.assign(1, hull);
  }
  return taken;
}

std::optional<Exchange> mlir::tensoraccess::getExchange(const Grid &grid,
                                                        const RankBoxes &owned,
                                                        const RankBoxes &needed,
                                                        std::string &error) {
  std::optional<size_t> dims;
  for (auto [boxes, what] : {std::pair(&owned, "owned"), {&needed, "needed"}})
    if (std::optional<std::string> problem =
            checkBoxes(*boxes, grid, what, dims)) {
      error = *problem;
      return std::nullopt;
    }
  Exchange out;
  const int64_t ranks = grid.getNumRanks();
  std::vector<uint64_t> load(ranks, 0);
  for (int64_t to = 0; to != ranks; ++to) {
    SmallVector<Box, 4> rest;
    for (const Box &box : needed[to])
      if (!box.isEmpty())
        rest.push_back(box);
    for (Box &box : takeFrom(rest, owned[to]))
      out.kept.push_back({to, to, std::move(box)});
    if (rest.empty())
      continue;
    SmallVector<std::tuple<int64_t, uint64_t, int64_t>, 8> owners;
    for (int64_t from = 0; from != ranks; ++from)
      if (from != to && llvm::any_of(owned[from], [&](const Box &own) {
            return llvm::any_of(rest, [&](const Box &piece) {
              return !intersectBoxes(own, piece).isEmpty();
            });
          }))
        owners.emplace_back(grid.getHops(from, to), load[from], from);
    llvm::sort(owners);
    for (auto [hops, sent, from] : owners) {
      for (Box &box : takeFrom(rest, owned[from])) {
        load[from] = llvm::SaturatingAdd(load[from],
                                         getVolume(box).value_or(UINT64_MAX));
        out.messages.push_back({from, to, std::move(box)});
      }
      if (rest.empty())
        break;
    }
    if (!rest.empty()) {
      llvm::sort(rest, [](const Box &a, const Box &b) { return a.lo < b.lo; });
      error = "rank " + std::to_string(to) + " needs " +
              llvm::interleaved_array(rest.front().lo).str() +
              ", which no rank owns";
      return std::nullopt;
    }
  }
  llvm::sort(out.messages, isBefore);
  llvm::sort(out.kept, isBefore);
  return out;
}

//===----------------------------------------------------------------------===//
// Distributed tensors
//===----------------------------------------------------------------------===//

namespace {
/// The ranks that hold parts of a distributed tensor, as one receiver sees
/// them.
class PartWalk {
public:
  PartWalk(const Grid &grid, const Distribution &owned,
           ArrayRef<int64_t> extents, int64_t to)
      : grid(grid), owned(owned), extents(extents), to(to),
        sender(grid.getCoordinates(to)) {}

  /// Adds the ranks that send parts of a box, and what they send.
  void add(const Box &box, Exchange &out) {
    piece = box;
    addDim(box, 0, out);
  }

private:
  void addDim(const Box &box, size_t dim, Exchange &out) {
    if (dim == extents.size()) {
      const int64_t summands = grid.getNumParts(owned.partial);
      SmallVector<int64_t, 6> before = sender;
      for (int64_t i = 0; i != summands; ++i) {
        grid.setCoordinates(owned.partial, i, sender);
        const int64_t from = grid.getRank(sender);
        (from == to ? out.kept : out.messages).push_back({from, to, piece});
      }
      sender = before;
      return;
    }
    const int64_t extent = extents[dim];
    const int64_t parts = grid.getNumParts(owned.dims[dim]);
    // The part that has place x: the greatest k with ⌊k·n/p⌋ ≤ x.
    int64_t part = static_cast<int64_t>(
        ((static_cast<__int128>(box.lo[dim]) + 1) * parts - 1) / extent);
    for (; part < parts && getCutBegin(extent, parts, part) < box.hi[dim];
         ++part) {
      piece.lo[dim] = std::max(box.lo[dim], getCutBegin(extent, parts, part));
      piece.hi[dim] =
          std::min(box.hi[dim], getCutBegin(extent, parts, part + 1));
      if (piece.lo[dim] >= piece.hi[dim])
        continue;
      grid.setCoordinates(owned.dims[dim], part, sender);
      addDim(box, dim + 1, out);
    }
  }

  const Grid &grid;
  const Distribution &owned;
  ArrayRef<int64_t> extents;
  int64_t to;
  SmallVector<int64_t, 6> sender;
  Box piece;
};
} // namespace

std::optional<Exchange>
mlir::tensoraccess::getExchange(const Grid &grid, const Distribution &owned,
                                ArrayRef<int64_t> extents,
                                const RankBoxes &needed, std::string &error) {
  if (std::optional<std::string> problem = owned.verify(grid)) {
    error = *problem;
    return std::nullopt;
  }
  if (owned.dims.size() != extents.size()) {
    error = "the distribution has " + std::to_string(owned.dims.size()) +
            " dimensions, but the tensor has " + std::to_string(extents.size());
    return std::nullopt;
  }
  for (auto [d, extent] : llvm::enumerate(extents))
    if (extent < 0) {
      error = "extent " + std::to_string(d) + " must not be negative, got " +
              std::to_string(extent);
      return std::nullopt;
    }
  std::optional<size_t> dims = extents.size();
  if (std::optional<std::string> problem =
          checkBoxes(needed, grid, "needed", dims)) {
    error = *problem;
    return std::nullopt;
  }
  Exchange out;
  const Box whole = getWholeBox(extents);
  for (auto [to, boxes] : llvm::enumerate(needed)) {
    PartWalk walk(grid, owned, extents, static_cast<int64_t>(to));
    for (const Box &box : boxes) {
      if (box.isEmpty())
        continue;
      if (SmallVector<Box, 4> outside = subtractBox(box, whole);
          !outside.empty()) {
        error = "rank " + std::to_string(to) + " needs " +
                llvm::interleaved_array(outside.front().lo).str() +
                ", which no rank owns";
        return std::nullopt;
      }
      walk.add(box, out);
    }
  }
  llvm::sort(out.messages, isBefore);
  llvm::sort(out.kept, isBefore);
  return out;
}

RankBoxes mlir::tensoraccess::getRankBoxes(const Grid &grid,
                                           const Distribution &distribution,
                                           ArrayRef<int64_t> extents) {
  RankBoxes out;
  for (Box &box : distribution.getBoxes(grid, extents))
    out.push_back({std::move(box)});
  return out;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

std::optional<ExchangeTraffic>
mlir::tensoraccess::getTraffic(const Exchange &exchange, int64_t ranks,
                               int64_t elementBytes) {
  ExchangeTraffic out;
  out.sent.assign(ranks, 0);
  out.received.assign(ranks, 0);
  out.messages = exchange.messages.size();
  for (const ExchangeMessage &message : exchange.messages) {
    std::optional<uint64_t> bytes = getVolume(message.box);
    if (!bytes || __builtin_mul_overflow(*bytes, elementBytes, &*bytes) ||
        __builtin_add_overflow(out.total, *bytes, &out.total))
      return std::nullopt;
    out.sent[message.from] += *bytes;
    out.received[message.to] += *bytes;
  }
  return out;
}

Distribution mlir::tensoraccess::getScattered(const Distribution &partial,
                                              size_t dim) {
  Distribution out = partial;
  llvm::append_range(out.dims[dim], partial.partial);
  out.partial.clear();
  return out;
}

Distribution mlir::tensoraccess::getSummed(const Distribution &partial,
                                           const Grid &grid,
                                           ArrayRef<int64_t> extents) {
  if (partial.partial.empty() || extents.empty()) {
    Distribution out = partial;
    out.partial.clear();
    return out;
  }
  auto getLength = [&](size_t d) {
    return extents[d] / grid.getNumParts(partial.dims[d]);
  };
  size_t longest = 0;
  for (size_t d = 1; d < extents.size(); ++d)
    if (getLength(d) > getLength(longest))
      longest = d;
  return getScattered(partial, longest);
}

Distribution mlir::tensoraccess::getSummingStep(const Grid &grid,
                                                const Distribution &partial,
                                                const Distribution &home,
                                                ArrayRef<int64_t> extents) {
  Distribution::Axes alike;
  for (unsigned axis : partial.partial)
    if (llvm::none_of(home.dims, [&](const Distribution::Axes &axes) {
          return llvm::is_contained(axes, axis);
        }))
      alike.push_back(axis);
  if (grid.getNumParts(alike) <= 2 || extents.empty())
    return home;
  auto getLength = [&](size_t d) {
    return extents[d] / grid.getNumParts(home.dims[d]);
  };
  size_t longest = 0;
  for (size_t d = 1; d != extents.size(); ++d)
    if (getLength(d) > getLength(longest))
      longest = d;
  Distribution step = home;
  llvm::append_range(step.dims[longest], alike);
  return step;
}
