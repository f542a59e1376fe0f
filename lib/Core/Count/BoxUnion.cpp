//===- BoxUnion.cpp - How many points several boxes have ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The union of non-empty boxes in the dimensions from `dim` on.
static std::optional<uint64_t> countFrom(ArrayRef<const Box *> boxes,
                                         size_t dim, uint64_t &budget) {
  if (boxes.empty())
    return 0;
  const size_t rank = boxes.front()->lo.size();
  if (dim == rank)
    return 1;
  SmallVector<int64_t, 8> cuts;
  for (const Box *box : boxes) {
    cuts.push_back(box->lo[dim]);
    cuts.push_back(box->hi[dim]);
  }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  uint64_t total = 0;
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (budget-- == 0) {
      budget = 0;
      return std::nullopt;
    }
    SmallVector<const Box *, 8> inside;
    for (const Box *box : boxes)
      if (box->lo[dim] <= cuts[i] && cuts[i + 1] <= box->hi[dim])
        inside.push_back(box);
    std::optional<uint64_t> rest = countFrom(inside, dim + 1, budget);
    uint64_t length =
        static_cast<uint64_t>(cuts[i + 1]) - static_cast<uint64_t>(cuts[i]);
    uint64_t product;
    if (!rest || __builtin_mul_overflow(length, *rest, &product) ||
        __builtin_add_overflow(total, product, &total))
      return std::nullopt;
  }
  return total;
}

std::optional<uint64_t>
mlir::tensoraccess::countUnionOfBoxes(ArrayRef<Box> boxes, uint64_t budget) {
  SmallVector<const Box *, 8> solid;
  for (const Box &box : boxes) {
    if (box.lo.size() != boxes.front().lo.size() ||
        box.lo.size() != box.hi.size())
      return std::nullopt;
    if (!box.isEmpty())
      solid.push_back(&box);
  }
  return countFrom(solid, 0, budget);
}
