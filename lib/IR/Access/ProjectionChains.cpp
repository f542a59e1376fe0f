//===- ProjectionChains.cpp - Projections as chains of views --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row Σ m_c·i_c + s over extents n_c reaches L = Σ |m_c|·(n_c - 1) + S
// places.
//
// 1. Slice the places of all rows out of the operand, with its policies.
// 2. Windows of L - |m_c|·(n_c - 1), by |m_c|, are n_c of them: an axis of the
//    block, forwards, and what is left of the row is its item. Once for each
//    axis that moves the row.
// 3. Reverse the axes whose factor is negative: a slice by -1.
// 4. Axes that move nothing are inserted and repeated; a transpose puts all in
//    order.
//
// Over an empty block there is nothing to read; the item is made of padding,
// and repeated no times.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/AccessForm.h"
#include "Types/OpHelpers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// An axis of the block that moves a row.
struct Mover {
  unsigned axis;
  int64_t factor;
};

/// Builds the chain, op by op.
class Chain {
public:
  Chain(OpBuilder &b, ProjectOp op)
      : b(b), loc(op.getLoc()), value(op.getPattern()),
        access(op.getPattern().getType().getAccessRank()) {}

  AccessType getType() const { return cast<AccessType>(value.getType()); }
  /// A slice of all of the access dimensions, and of the items as given.
  void slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
             ArrayRef<OutOfBounds> policies);
  /// Windows over the items by the round's movers; windows of all of a
  /// dimension make an axis of size 1, which goes at once.
  void windows(ArrayRef<std::optional<Mover>> movers,
               ArrayRef<int64_t> extents);
  void reverse(const llvm::SmallBitVector &axes);
  /// Inserts the axes that are not there yet, and puts all in order.
  void complete(ArrayRef<int64_t> extents);

  OpBuilder &b;
  Location loc;
  Value value;
  /// The operand's access dimensions; after them come `axes`.
  const unsigned access;
  SmallVector<unsigned> axes;
};

} // namespace

void Chain::slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                  ArrayRef<OutOfBounds> policies) {
  AccessType type = getType();
  if (policies.empty() && type.getComputeShape() == sizes &&
      llvm::all_of(offsets, [](int64_t offset) { return offset == 0; }))
    return;
  SmallVector<int64_t> begin(access, 0), counts;
  for (int64_t size : type.getAccessShape())
    counts.push_back(size == kDynamicSize ? kToTheEnd : size);
  llvm::append_range(begin, offsets);
  llvm::append_range(counts, sizes);
  OutOfBoundsAttr oob;
  if (!policies.empty()) {
    OutOfBoundsList list;
    list.entries.resize(access);
    llvm::append_range(list.entries, policies);
    oob = OutOfBoundsAttr::get(b.getContext(), list);
  }
  value =
      SliceOp::create(b, loc, value, b.getDenseI64ArrayAttr(begin),
                      b.getDenseI64ArrayAttr(counts), DenseI64ArrayAttr(), oob);
}

void Chain::windows(ArrayRef<std::optional<Mover>> movers,
                    ArrayRef<int64_t> extents) {
  SmallVector<int64_t> shape(getType().getComputeShape());
  SmallVector<int64_t> strides(shape.size(), 1);
  for (auto [size, stride, mover] : llvm::zip_equal(shape, strides, movers))
    if (mover) {
      stride = static_cast<int64_t>(magnitude(mover->factor));
      size -= stride * (extents[mover->axis] - 1);
    }
  value =
      WindowsOp::create(b, loc, value, b.getDenseI64ArrayAttr(shape),
                        b.getDenseI64ArrayAttr(strides), DenseI64ArrayAttr());
  unsigned next = access + axes.size();
  for (const std::optional<Mover> &mover : movers) {
    if (mover) {
      axes.push_back(mover->axis);
      ++next;
      continue;
    }
    value = SqueezeOp::create(b, loc, value, next);
  }
}

void Chain::reverse(const llvm::SmallBitVector &reversed) {
  if (reversed.none())
    return;
  const SmallVector<int64_t> shape = getType().getShape();
  SmallVector<int64_t> offsets(shape.size(), 0), sizes(shape);
  SmallVector<int64_t> strides(shape.size(), 1);
  llvm::replace(sizes, kDynamicSize, kToTheEnd);
  for (auto [i, axis] : llvm::enumerate(axes))
    if (reversed[axis]) {
      offsets[access + i] = shape[access + i] - 1;
      strides[access + i] = -1;
    }
  value = SliceOp::create(b, loc, value, offsets, sizes, strides);
}

void Chain::complete(ArrayRef<int64_t> extents) {
  bool repeats = false;
  for (unsigned axis = 0; axis < extents.size(); ++axis) {
    if (llvm::is_contained(axes, axis))
      continue;
    value = InsertAxisOp::create(b, loc, value, access + axes.size());
    axes.push_back(axis);
    repeats |= extents[axis] != 1;
  }
  AccessType type = getType();
  if (repeats) {
    SmallVector<int64_t> shape(type.getShape());
    for (auto [i, axis] : llvm::enumerate(axes))
      shape[access + i] = extents[axis];
    value = BroadcastOp::create(
        b, loc, getSplit(shape, type.getAccessRank(), type.getElementType()),
        value);
  }
  if (llvm::is_sorted(axes))
    return;
  SmallVector<int64_t> perm =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  for (auto [i, axis] : llvm::enumerate(axes))
    perm[access + axis] = access + i;
  value = TransposeOp::create(b, loc, value, b.getDenseI64ArrayAttr(perm));
}

/// What an item of an empty block is made of.
static OutOfBounds getZeroPadding(Type elementType) {
  return {OutOfBounds::Kind::Pad,
          isa<FloatType>(elementType) ? PadValue(0.0) : PadValue(int64_t(0))};
}

std::optional<Value> mlir::tensoraccess::expandProjection(OpBuilder &b,
                                                          ProjectOp op,
                                                          std::string &reason) {
  const Projection &projection = op.getProjection().getProjection();
  const IndexRegion block = op.getBlockRegion();
  const SmallVector<int64_t> extents = op.getExtents();
  const size_t rows = projection.getNumRows();
  Chain chain(b, op);
  if (block.isEmpty()) {
    SmallVector<int64_t> zeros(rows, 0);
    SmallVector<OutOfBounds> policies(
        rows, getZeroPadding(op.getType().getElementType()));
    chain.slice(zeros, projection.shape, policies);
    chain.complete(extents);
    return chain.value;
  }

  SmallVector<SmallVector<Mover>> movers(rows);
  SmallVector<std::optional<unsigned>> moved(extents.size());
  llvm::SmallBitVector reversed(extents.size());
  size_t rounds = 0;
  for (auto [r, row] : llvm::enumerate(projection.matrix)) {
    for (auto [c, factor] : llvm::enumerate(row)) {
      if (factor == 0 || extents[c] == 1)
        continue;
      if (moved[c]) {
        reason = "axis " + std::to_string(c) + " moves dimensions " +
                 std::to_string(*moved[c]) + " and " + std::to_string(r) +
                 ": windows move one";
        return std::nullopt;
      }
      moved[c] = r;
      reversed[c] = factor < 0;
      movers[r].push_back({static_cast<unsigned>(c), factor});
    }
    rounds = std::max(rounds, movers[r].size());
  }

  const IndexRegion hull = *projection.getHull(block);
  SmallVector<int64_t> sizes;
  for (size_t r = 0; r != rows; ++r)
    sizes.push_back(hull.hi[r] - hull.lo[r]);
  SmallVector<int64_t> largest(sizes),
      known(op.getPattern().getType().getShape());
  llvm::append_range(largest, extents);
  llvm::erase(known, kDynamicSize);
  llvm::append_range(largest, ArrayRef(known).drop_back(rows));
  if (!elementCount(largest)) {
    reason = "its windows would have more than 2^63 - 1 elements";
    return std::nullopt;
  }
  SmallVector<OutOfBounds> policies;
  if (!getProjectionSteps(op).policies.empty())
    policies.assign(projection.outOfBounds.begin(),
                    projection.outOfBounds.end());
  chain.slice(hull.lo, sizes, policies);
  for (size_t round = 0; round != rounds; ++round) {
    SmallVector<std::optional<Mover>> now(rows);
    for (size_t r = 0; r != rows; ++r)
      if (round < movers[r].size())
        now[r] = movers[r][round];
    chain.windows(now, extents);
  }
  chain.reverse(reversed);
  chain.complete(extents);
  return chain.value;
}
