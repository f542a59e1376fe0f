//===- RandomUnknownMovement.h - Random movement beside a `?` ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of movement ops on access patterns with dimensions of unknown size,
// drawn with a fixed seed: most of them leave those dimensions alone, some,
// where asked for, compute with their sizes. All run whatever the sizes are,
// also 0.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_ANALYSIS_RANDOMUNKNOWNMOVEMENT_H
#define TENSORACCESS_TEST_ANALYSIS_RANDOMUNKNOWNMOVEMENT_H

#include "RandomMovement.h"

namespace mlir::tensoraccess {

class RandomUnknownMovement : public RandomMovement {
public:
  RandomUnknownMovement(OpBuilder &b, unsigned seed, bool computes = false)
      : RandomMovement(b, seed), computes(computes) {}

  static bool isUnknown(int64_t size) { return size == kDynamicSize; }

  Value sliceKnown(Value p, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> strides) {
    SmallVector<int64_t> taken(sizes);
    for (int64_t &size : taken)
      if (isUnknown(size))
        size = kToTheEnd;
    return slice(p, offsets, taken, strides);
  }
  Value cutKnown(Value p, int64_t axis, int64_t offset, int64_t size,
                 int64_t stride = 1) {
    SmallVector<int64_t> sizes = shapeOf(p), offsets(sizes.size(), 0),
                         strides(sizes.size(), 1);
    offsets[axis] = offset;
    sizes[axis] = size;
    strides[axis] = stride;
    return sliceKnown(p, offsets, sizes, strides);
  }

  /// One random movement.
  Value stepUnknown(Value p) {
    auto type = cast<AccessType>(p.getType());
    const int64_t rank = type.getRank(), split = type.getAccessRank();
    SmallVector<int64_t> sizes = type.getShape();
    int64_t known = 1;
    for (int64_t size : sizes)
      known *= isUnknown(size) ? 1 : size;
    OpBuilder &b = getBuilder();
    Location loc = b.getUnknownLoc();
    if (computes && pick(0, 7) == 0)
      return compute(p);
    switch (pick(0, 13)) {
    case 0:
      return transpose(p, permutation(rank));
    case 1: {
      SmallVector<int64_t> offsets, taken, strides;
      for (int64_t n : sizes) {
        const bool isReversed = !isUnknown(n) && pick(0, 3) == 0;
        const int64_t size = isUnknown(n) ? n : pick(1, n);
        offsets.push_back(isUnknown(n) ? 0
                          : isReversed ? pick(size - 1, n - 1)
                                       : pick(0, n - size));
        taken.push_back(size);
        strides.push_back(isReversed ? -1 : 1);
      }
      return sliceKnown(p, offsets, taken, strides);
    }
    case 2: {
      int64_t first = split;
      for (int64_t i = split; i < rank; ++i)
        if (isUnknown(sizes[i]))
          first = i + 1;
      if (first != split)
        p = access(toTensor(p), first);
      SmallVector<int64_t> window, strides;
      for (int64_t n : ArrayRef(sizes).drop_front(first)) {
        window.push_back(pick(1, std::min<int64_t>(n, 3)));
        strides.push_back(pick(1, 2));
        known *= window.back();
      }
      if (known > 100 || rank > 5)
        return p;
      return WindowsOp::create(b, loc, p, b.getDenseI64ArrayAttr(window),
                               b.getDenseI64ArrayAttr(strides),
                               DenseI64ArrayAttr());
    }
    case 3:
      return rank > 5 ? p : InsertAxisOp::create(b, loc, p, pick(0, rank));
    case 4:
      for (int64_t i = 0; i < rank; ++i)
        if (sizes[i] == 1)
          return SqueezeOp::create(b, loc, p, i);
      return p;
    case 5: {
      for (int64_t &n : sizes)
        if (n == 1 && known < 60) {
          n = pick(1, 3);
          known *= n;
        }
      ArrayRef<int64_t> all(sizes);
      if (all == ArrayRef(type.getShape()))
        return p;
      return BroadcastOp::create(b, loc,
                                 AccessType::get(all.take_front(split),
                                                 all.drop_front(split),
                                                 type.getElementType()),
                                 p);
    }
    case 6: // known neighbours become one dimension
    case 7: {
      for (int64_t i = 0; i + 1 < rank; ++i) {
        const int64_t end = i < split ? split : rank;
        if (i + 1 >= end || isUnknown(sizes[i]) || isUnknown(sizes[i + 1]) ||
            pick(0, 1) == 0)
          continue;
        SmallVector<int64_t> joined(sizes);
        joined[i] *= joined[i + 1];
        joined.erase(joined.begin() + i + 1);
        return reshapeTo(p, joined, split - (i < split));
      }
      // or the reverse
      for (int64_t i = 0; i < rank && rank < 6; ++i)
        if (!isUnknown(sizes[i]) && sizes[i] > 2 && sizes[i] % 2 == 0) {
          SmallVector<int64_t> cut(sizes);
          cut[i] = 2;
          cut.insert(cut.begin() + i + 1, sizes[i] / 2);
          return reshapeTo(p, cut, split + (i < split));
        }
      return p;
    }
    case 8: {
      SmallVector<int64_t> low, high, interior;
      for (int64_t n : sizes) {
        low.push_back(!isUnknown(n) && pick(0, 2) == 0 ? 1 : 0);
        high.push_back(!isUnknown(n) && pick(0, 2) == 0 ? pick(1, 2) : 0);
        interior.push_back(!isUnknown(n) && pick(0, 7) == 0 ? 1 : 0);
      }
      return known > 60
                 ? p
                 : pad(p, low, high, interior, pick(0, 3) == 0 ? -7.0 : 0.0);
    }
    case 9:
      for (int64_t i = 0; i < rank; ++i)
        if (!isUnknown(sizes[i]) && known < 40 && pick(0, 1))
          return concat({p, p}, i);
      return p;
    case 10:
      return rank > 5 || known > 40 ? p : PairOp::create(b, loc, p, p);
    case 11:
    case 12:
      return rank > 3 ? p : repeat(p);
    default:
      return access(toTensor(p), pick(0, rank));
    }
  }

  /// The pattern once for each index of the unknown dimensions of some tensor,
  /// of which nothing is read: half of a product with one row of it.
  Value repeat(Value p) {
    OpBuilder &b = getBuilder();
    Location loc = b.getUnknownLoc();
    SmallVector<Value> tensors;
    for (Value argument : b.getBlock()->getArguments())
      if (!cast<RankedTensorType>(argument.getType()).hasStaticShape())
        tensors.push_back(argument);
    if (tensors.empty())
      return p;
    Value like = tensors[pick(0, tensors.size() - 1)];
    const int64_t rank = cast<RankedTensorType>(like.getType()).getRank();
    Value rows = access(like, rank);
    for (int64_t axis = rank; axis-- > 0;)
      if (!isUnknown(shapeOf(rows)[axis]))
        rows = SqueezeOp::create(b, loc, cutKnown(rows, axis, 0, 1), axis);
    p = access(toTensor(p), shapeOf(p).size());
    const bool isLeft = pick(0, 1) == 1;
    Value both = isLeft ? CartProdOp::create(b, loc, p, rows)
                        : CartProdOp::create(b, loc, rows, p);
    const int64_t tuple = shapeOf(both).size() - 1;
    return SqueezeOp::create(b, loc, cutKnown(both, tuple, !isLeft, 1), tuple);
  }

  /// The same pattern, in a roundabout way.
  Value roundTripUnknown(Value p) {
    auto type = cast<AccessType>(p.getType());
    const int64_t rank = type.getRank();
    SmallVector<int64_t> sizes = type.getShape(), zeros(rank, 0);
    OpBuilder &b = getBuilder();
    Location loc = b.getUnknownLoc();
    const int64_t axis = pick(0, std::max<int64_t>(rank, 1) - 1);
    const bool isKnown = rank > 0 && !isUnknown(sizes[axis]);
    switch (pick(0, 4)) {
    case 0: {
      SmallVector<int64_t> perm = permutation(rank), inverse(rank);
      for (int64_t i = 0; i < rank; ++i)
        inverse[perm[i]] = i;
      return transpose(transpose(p, perm), inverse);
    }
    case 1:
      if (!isKnown || sizes[axis] < 2)
        return p;
      return concat(
          {cutKnown(p, axis, 0, 1), cutKnown(p, axis, 1, sizes[axis] - 1)},
          axis);
    case 2: {
      SmallVector<int64_t> low, ones(rank, 1);
      for (int64_t n : sizes)
        low.push_back(isUnknown(n) ? 0 : pick(0, 1));
      return sliceKnown(pad(p, low, low, zeros, 0.0), low, sizes, ones);
    }
    case 3:
      if (!isKnown)
        return p;
      return cutKnown(cutKnown(p, axis, sizes[axis] - 1, sizes[axis], -1), axis,
                      sizes[axis] - 1, sizes[axis], -1);
    default:
      return SqueezeOp::create(b, loc, InsertAxisOp::create(b, loc, p, axis),
                               axis);
    }
  }

private:
  static SmallVector<int64_t> shapeOf(Value p) {
    return cast<AccessType>(p.getType()).getShape();
  }
  Value reshapeTo(Value p, ArrayRef<int64_t> shape, int64_t split) {
    auto type = cast<AccessType>(p.getType());
    auto isClear = [](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
      return from == to || llvm::count(from, kDynamicSize) <= 1;
    };
    return isClear(type.getAccessShape(), shape.take_front(split)) &&
                   isClear(type.getComputeShape(), shape.drop_front(split))
               ? reshape(p, shape.take_front(split), shape.drop_front(split))
               : p;
  }
  /// A movement that computes with an unknown size.
  Value compute(Value p) {
    SmallVector<int64_t> sizes = shapeOf(p), zeros(sizes.size(), 0),
                         ones(sizes.size(), 1);
    OpBuilder &b = getBuilder();
    for (auto [i, size] : llvm::enumerate(sizes)) {
      if (!isUnknown(size))
        continue;
      switch (pick(0, 3)) {
      case 0:
        return concat({p, p}, i);
      case 1:
        zeros[i] = 1;
        return pad(p, zeros, zeros, SmallVector<int64_t>(sizes.size(), 0),
                   -3.0);
      case 2:
        ones[i] = 2;
        return sliceKnown(p, zeros, sizes, ones);
      default:
        return FlattenOp::create(b, b.getUnknownLoc(), p);
      }
    }
    return p;
  }

  bool computes;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_ANALYSIS_RANDOMUNKNOWNMOVEMENT_H
