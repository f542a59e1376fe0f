//===- TupleProduct.cpp - A dot product of two, taken apart ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A piece of the pattern that is on one side of the tuple tells what that
//    side moves with. If a piece is on both, the sides are made first.
// 2. A side is one movement of the pattern: from the numbers of groups and of
//    the item's elements to the pattern's index, all at once.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Rewrites/RuleSets.h"

#include "ComputeRulesImpl.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Adds the access dimensions that pieces with that place on the tuple's axis
/// move with; without an axis, all pieces.
static void addUsedDims(const CanonicalAccess &access,
                        std::optional<std::pair<unsigned, int64_t>> place,
                        llvm::BitVector &used) {
  for (const AccessPiece &piece : access.getPieces()) {
    ArrayRef<Interval> ranges = piece.map.getDimRanges();
    if (place && !ranges[place->first].contains(place->second))
      continue;
    SmallVector<char, 32> atoms = piece.map.getUsed();
    for (unsigned i = 0; i < used.size(); ++i)
      if (atoms[i] || ranges[i] != Interval::ofExtent(access.getShape()[i]))
        used.set(i);
  }
}

std::optional<TupleProduct> TupleProduct::get(AccessForm pattern) {
  const CanonicalAccess &access = pattern.access;
  const unsigned split = pattern.split;
  if (!hasElements(access) || access.getRank() <= split ||
      access.getShape()[split] != 2 || !elementCount(access.getShape()))
    return std::nullopt;
  const bool isApart =
      llvm::all_of(access.getPieces(), [&](const AccessPiece &piece) {
        return piece.map.getDimRanges()[split].isPoint();
      });
  llvm::BitVector used[] = {llvm::BitVector(split), llvm::BitVector(split)};
  for (unsigned side : {0u, 1u}) {
    if (isApart) {
      addUsedDims(access, std::pair(split, int64_t(side)), used[side]);
      continue;
    }
    std::optional<CanonicalAccess> factor = fixAccess(access, split, side);
    if (!factor)
      return std::nullopt;
    addUsedDims(*factor, std::nullopt, used[side]);
  }
  TupleProduct result;
  for (unsigned dim = 0; dim < split; ++dim)
    (used[0][dim] ? (used[1][dim] ? result.batch : result.rows)
                  : (used[1][dim] ? result.columns : result.unused))
        .push_back(dim);
  result.pattern = std::move(pattern);
  return result;
}

int64_t TupleProduct::count(ArrayRef<unsigned> dims) const {
  int64_t product = 1;
  for (unsigned dim : dims)
    product *= pattern.access.getShape()[dim];
  return product;
}

int64_t TupleProduct::getDepth() const {
  return *elementCount(pattern.access.getShape().drop_front(pattern.split + 1));
}

bool TupleProduct::isFlat() const {
  const bool hasBatch = pattern.split == 3;
  if ((pattern.split != 2 && !hasBatch) ||
      pattern.access.getRank() != pattern.split + 2)
    return false;
  auto is = [](ArrayRef<unsigned> dims, unsigned place) {
    return dims.empty() || (dims.size() == 1 && dims.front() == place);
  };
  return batch.size() == hasBatch && is(batch, 0) && is(rows, hasBatch) &&
         is(columns, hasBatch + 1) && count(unused) == 1;
}

std::optional<AccessForm>
TupleProduct::getSide(unsigned side,
                      ArrayRef<ArrayRef<unsigned>> groups) const {
  ArrayRef<int64_t> sizes = pattern.access.getShape();
  const unsigned split = pattern.split;
  const SmallVector<unsigned> item =
      llvm::to_vector(llvm::seq<unsigned>(split + 1, sizes.size()));
  SmallVector<ArrayRef<unsigned>> all(groups);
  all.push_back(item);
  IndexingMapBuilder builder;
  SmallVector<int64_t> shape;
  SmallVector<Form> numbers;
  for (ArrayRef<unsigned> dims : all) {
    shape.push_back(count(dims));
    numbers.push_back(builder.addDim(Interval::ofExtent(shape.back())));
  }
  FormArena &arena = builder.arena();
  SmallVector<Form> index(sizes.size(), Form(0));
  index[split] = Form(side);
  for (auto [dims, rest] : llvm::zip_equal(all, numbers)) {
    SmallVector<unsigned> longer;
    for (unsigned dim : dims)
      if (sizes[dim] != 1)
        longer.push_back(dim);
    while (longer.size() > 1) {
      const unsigned dim = longer.pop_back_val();
      index[dim] = arena.mod(rest, sizes[dim]);
      rest = arena.floorDiv(rest, sizes[dim]);
    }
    if (!longer.empty())
      index[longer.front()] = rest;
  }
  for (const Form &form : index)
    builder.addResult(form);
  std::optional<CanonicalAccess> access =
      pattern.access.pullBack(shape, builder.build());
  if (!access)
    return std::nullopt;
  return pattern.with(std::move(*access), groups.size());
}

std::optional<AccessForm> mlir::tensoraccess::multiply(AccessForm left,
                                                       AccessForm right) {
  AccessForm joined = joinTables({&left, &right});
  // <B, M, N | 2, K>: side 0 does not move along N, side 1 not along M.
  const unsigned row = left.split - 1, column = left.split,
                 tuple = left.split + 1;
  SmallVector<int64_t> shape(left.access.getShape());
  shape.insert(shape.begin() + column, right.access.getShape()[row]);
  shape.insert(shape.begin() + tuple, 2);
  SmallVector<CanonicalAccess::Case> cases;
  for (unsigned side : {0u, 1u}) {
    IndexingMapBuilder builder;
    SmallVector<Form> dims;
    for (auto [dim, size] : llvm::enumerate(shape))
      dims.push_back(builder.addDim(dim == tuple ? Interval::point(side)
                                                 : Interval::ofExtent(size)));
    for (auto [dim, form] : llvm::enumerate(dims))
      if (dim != tuple && dim != (side == 0 ? column : row))
        builder.addResult(form);
    cases.push_back(
        {side == 0 ? &left.access : &right.access, builder.build()});
  }
  std::optional<CanonicalAccess> access =
      CanonicalAccess::select(shape, cases, std::nullopt);
  if (!access)
    return std::nullopt;
  return joined.with(std::move(*access), tuple);
}
