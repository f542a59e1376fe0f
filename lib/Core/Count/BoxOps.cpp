//===- BoxOps.cpp - Boxes: cut, joined, and whether they cover ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gaps of a cover are found as BoxUnion.cpp counts: the first dimension is cut
// where a part begins or ends; between two cuts the parts are the same, and a
// gap in the other dimensions is a gap. The first one found is the least place
// that no part has. Overlaps: parts by where they begin in the first dimension,
// each against those that have not ended there.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InterleavedRange.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

std::optional<std::string> mlir::tensoraccess::verifyBox(const Box &box) {
  if (box.lo.size() != box.hi.size())
    return "lo has " + std::to_string(box.lo.size()) + " entries, but hi has " +
           std::to_string(box.hi.size());
  for (size_t d = 0; d != box.lo.size(); ++d)
    if (box.lo[d] > box.hi[d])
      return "lo " + std::to_string(d) + " must be at most hi, got " +
             std::to_string(box.lo[d]) + " > " + std::to_string(box.hi[d]);
  return std::nullopt;
}

Box mlir::tensoraccess::getWholeBox(ArrayRef<int64_t> extents) {
  Box box;
  box.lo.assign(extents.size(), 0);
  box.hi.assign(extents.begin(), extents.end());
  return box;
}

llvm::SmallVector<int64_t> mlir::tensoraccess::getBoxSizes(const Box &box) {
  llvm::SmallVector<int64_t> sizes;
  for (auto [lo, hi] : llvm::zip_equal(box.lo, box.hi))
    sizes.push_back(hi - lo);
  return sizes;
}

Box mlir::tensoraccess::shiftBox(Box box, llvm::ArrayRef<int64_t> origin) {
  for (auto [lo, hi, begin] : llvm::zip(box.lo, box.hi, origin)) {
    lo -= begin;
    hi -= begin;
  }
  return box;
}

std::string mlir::tensoraccess::printBox(const Box &box) {
  if (box.lo.empty())
    return "()";
  std::string text;
  for (size_t d = 0; d != box.lo.size(); ++d)
    text += (d ? " x [" : "[") + std::to_string(box.lo[d]) + ", " +
            std::to_string(box.hi[d]) + ")";
  return text;
}

std::optional<uint64_t> mlir::tensoraccess::getVolume(const Box &box) {
  if (box.isEmpty())
    return 0;
  uint64_t volume = 1;
  for (size_t d = 0; d != box.lo.size(); ++d)
    if (__builtin_mul_overflow(volume,
                               static_cast<uint64_t>(box.hi[d]) -
                                   static_cast<uint64_t>(box.lo[d]),
                               &volume))
      return std::nullopt;
  return volume;
}

Box mlir::tensoraccess::intersectBoxes(const Box &a, const Box &b) {
  Box out;
  for (size_t d = 0; d != a.lo.size(); ++d) {
    out.lo.push_back(std::max(a.lo[d], b.lo[d]));
    out.hi.push_back(std::max(out.lo[d], std::min(a.hi[d], b.hi[d])));
  }
  return out;
}

Box mlir::tensoraccess::productOfBoxes(const Box &a, const Box &b) {
  Box out = a;
  out.lo.append(b.lo);
  out.hi.append(b.hi);
  return out;
}

std::optional<SmallVector<Box, 4>>
mlir::tensoraccess::splitBox(const Box &box, size_t axis, int64_t chunk,
                             std::string &error) {
  if (axis >= box.lo.size()) {
    error = "axis " + std::to_string(axis) + " must be in [0, " +
            std::to_string(box.lo.size()) + ")";
    return std::nullopt;
  }
  if (chunk < 1) {
    error = "chunk must be positive, got " + std::to_string(chunk);
    return std::nullopt;
  }
  SmallVector<Box, 4> pieces;
  if (box.isEmpty())
    return pieces;
  const uint64_t extent =
      static_cast<uint64_t>(box.hi[axis]) - static_cast<uint64_t>(box.lo[axis]);
  const uint64_t count =
      extent / chunk + (extent % static_cast<uint64_t>(chunk) != 0);
  if (count > kMaxBoxPieces) {
    error = "chunks of " + std::to_string(chunk) + " would be " +
            std::to_string(count) + " pieces, more than " +
            std::to_string(kMaxBoxPieces);
    return std::nullopt;
  }
  int64_t begin = box.lo[axis];
  for (uint64_t i = 0; i != count; ++i) {
    Box &piece = pieces.emplace_back(box);
    piece.lo[axis] = begin;
    const uint64_t left =
        static_cast<uint64_t>(box.hi[axis]) - static_cast<uint64_t>(begin);
    begin = static_cast<int64_t>(
        static_cast<uint64_t>(begin) +
        std::min<uint64_t>(left, static_cast<uint64_t>(chunk)));
    piece.hi[axis] = begin;
  }
  return pieces;
}

std::optional<Box> mlir::tensoraccess::getBoundingBox(ArrayRef<Box> boxes) {
  std::optional<Box> out;
  for (const Box &box : boxes) {
    if (box.lo.size() != boxes.front().lo.size())
      return std::nullopt;
    if (box.isEmpty())
      continue;
    if (!out) {
      out = box;
      continue;
    }
    for (size_t d = 0; d != box.lo.size(); ++d) {
      out->lo[d] = std::min(out->lo[d], box.lo[d]);
      out->hi[d] = std::max(out->hi[d], box.hi[d]);
    }
  }
  if (!out && !boxes.empty())
    out = boxes.front();
  return out;
}

SmallVector<Box, 4> mlir::tensoraccess::subtractBox(const Box &a,
                                                    const Box &b) {
  if (a.isEmpty())
    return {};
  Box common = intersectBoxes(a, b);
  if (common.isEmpty())
    return {a};
  SmallVector<Box, 4> pieces;
  Box rest = a;
  for (size_t d = 0; d != a.lo.size(); ++d) {
    if (rest.lo[d] < common.lo[d]) {
      pieces.push_back(rest);
      pieces.back().hi[d] = common.lo[d];
    }
    if (common.hi[d] < rest.hi[d]) {
      pieces.push_back(rest);
      pieces.back().lo[d] = common.hi[d];
    }
    rest.lo[d] = common.lo[d];
    rest.hi[d] = common.hi[d];
  }
  return pieces;
}

//===----------------------------------------------------------------------===//
// Exact covers
//===----------------------------------------------------------------------===//

namespace {
enum class Search { Found, None, OutOfBudget };
} // namespace

static Search findGap(const Box &domain, ArrayRef<const Box *> parts,
                      size_t dim, uint64_t &budget,
                      llvm::SmallVectorImpl<int64_t> &gap) {
  if (dim == domain.lo.size())
    return parts.empty() ? Search::Found : Search::None;
  SmallVector<int64_t, 8> cuts = {domain.lo[dim], domain.hi[dim]};
  for (const Box *part : parts)
    for (int64_t cut : {part->lo[dim], part->hi[dim]})
      if (domain.lo[dim] < cut && cut < domain.hi[dim])
        cuts.push_back(cut);
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (budget < parts.size() + 1)
      return Search::OutOfBudget;
    budget -= parts.size() + 1;
    SmallVector<const Box *, 8> inside;
    for (const Box *part : parts)
      if (part->lo[dim] <= cuts[i] && cuts[i + 1] <= part->hi[dim])
        inside.push_back(part);
    gap.push_back(cuts[i]);
    Search found = findGap(domain, inside, dim + 1, budget, gap);
    if (found != Search::None)
      return found;
    gap.pop_back();
  }
  return Search::None;
}

std::optional<ExactCover> mlir::tensoraccess::getExactCover(const Box &domain,
                                                            ArrayRef<Box> parts,
                                                            std::string &error,
                                                            uint64_t budget) {
  ExactCover result;
  auto blame = [&](std::string reason, ArrayRef<int64_t> place) {
    if (!result.reason.empty())
      return;
    result.reason = std::move(reason);
    result.witness.emplace(place.begin(), place.end());
  };
  SmallVector<const Box *, 8> solid;
  SmallVector<size_t, 8> order;
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (part.lo.size() != domain.lo.size()) {
      error = "part " + std::to_string(i) + " has rank " +
              std::to_string(part.lo.size()) + ", but the domain has " +
              std::to_string(domain.lo.size());
      return std::nullopt;
    }
    if (part.isEmpty())
      continue;
    SmallVector<Box, 4> outside = subtractBox(part, domain);
    if (!outside.empty()) {
      result.isInside = false;
      blame("part " + std::to_string(i) + " leaves the domain at " +
                llvm::interleaved_array(outside.front().lo).str(),
            outside.front().lo);
    }
    solid.push_back(&part);
    order.push_back(i);
  }

  // Overlaps. A box of rank 0 has one place.
  auto beginOf = [&](size_t i) {
    return parts[i].lo.empty() ? 0 : parts[i].lo[0];
  };
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(beginOf(a), a) < std::pair(beginOf(b), b);
  });
  SmallVector<size_t, 8> open;
  for (size_t i : order) {
    llvm::erase_if(open, [&](size_t j) {
      return !parts[j].lo.empty() && parts[j].hi[0] <= parts[i].lo[0];
    });
    for (size_t j : open) {
      Box common = intersectBoxes(parts[i], parts[j]);
      if (common.isEmpty())
        continue;
      result.isDisjoint = false;
      blame("parts " + std::to_string(std::min(i, j)) + " and " +
                std::to_string(std::max(i, j)) + " overlap at " +
                llvm::interleaved_array(common.lo).str(),
            common.lo);
      break;
    }
    if (!result.isDisjoint)
      break;
    open.push_back(i);
  }

  // Gaps. Disjoint parts that stay inside cover if their sizes add up.
  std::optional<uint64_t> total = 0, volume = getVolume(domain);
  for (const Box *part : solid) {
    std::optional<uint64_t> own = getVolume(*part);
    if (total && (!own || __builtin_add_overflow(*total, *own, &*total)))
      total.reset();
  }
  if (domain.isEmpty() ||
      (result.isInside && result.isDisjoint && total && total == volume)) {
    result.covers = true;
    return result;
  }
  SmallVector<int64_t> gap;
  switch (findGap(domain, solid, 0, budget, gap)) {
  case Search::Found:
    result.covers = false;
    blame("no part has " + llvm::interleaved_array(gap).str(), gap);
    break;
  case Search::None:
    result.covers = true;
    break;
  case Search::OutOfBudget:
    blame("whether every place is in a part is not known: too many parts", {});
    result.witness.reset();
    break;
  }
  return result;
}
