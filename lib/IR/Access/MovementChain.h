//===- MovementChain.h - A chain of movement ops, being written -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/IR: what AccessSynthesis.cpp and MovementPlans.cpp write with.
// Each function appends one op, if it changes something.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_IR_MOVEMENTCHAIN_H
#define TENSORACCESS_LIB_IR_MOVEMENTCHAIN_H

#include "TensorAccess/IR/AccessForm.h"

namespace mlir::tensoraccess::detail {

using Sizes = SmallVector<int64_t>;

/// An attribute to be: a list, a number, or one that exists.
struct DraftAttr {
  StringRef name;
  Sizes list;
  std::optional<int64_t> number;
  Attribute given;
};

/// An op to be, with the shape of its result. Most chains that are tried are not
/// taken, and attributes live as long as the context.
struct Draft {
  StringRef name;
  SmallVector<DraftAttr, 4> attrs;
  Sizes shape;
  int64_t split;
  bool isTensor;
};

/// A chain that is being written, and the shape at its end.
class Chain {
public:
  /// The number of ops, then of reshapes, which tell less than squeeze does.
  using Cost = std::pair<size_t, size_t>;

  explicit Chain(Value base) {
    shape = getFormShape(base.getType()).value_or(Sizes());
    if (auto access = dyn_cast<AccessType>(base.getType()))
      split = access.getAccessRank();
    else
      isTensor = true;
  }
  /// A chain that begins as this one, which must have no ops. It counts its ops
  /// and keeps none of them, since most chains that are tried are not taken, and
  /// is given up when it costs as much as `limit`.
  Chain makeTrial(Cost limit) const {
    Chain trial(*this);
    trial.isTrial = true;
    trial.limit = limit;
    return trial;
  }
  /// Whether it costs as much as a chain that is known.
  bool isTooLong() const { return cost >= limit; }

  /// Makes this a pattern of `axis` access dimensions.
  void splitAt(int64_t axis) {
    if (!isTensor && split == axis)
      return;
    if (!isTensor && axis < split) {
      const int64_t by = split - axis;
      split = axis;
      return push<ShiftRightOp>([&] { return Attrs{number("by", by)}; });
    }
    toTensor();
    isTensor = false;
    split = axis;
    push<AccessOp>([&] { return Attrs{number("axis", axis)}; });
  }
  void toTensor() {
    if (isTensor)
      return;
    isTensor = true;
    push<ToTensorOp>();
  }
  void pad(ArrayRef<int64_t> low, ArrayRef<int64_t> high,
           ArrayRef<int64_t> interior, TypedAttr value) {
    if (isZeros(low) && isZeros(high) && isZeros(interior))
      return;
    for (auto [i, size] : llvm::enumerate(shape))
      size +=
          low[i] + high[i] + (size - 1) * (interior.empty() ? 0 : interior[i]);
    push<PadOp>([&] {
      Attrs attrs{list("low", low),
                  list("high", high),
                  {"value", {}, std::nullopt, value}};
      if (!isZeros(interior))
        attrs.push_back(list("interior", interior));
      return attrs;
    });
  }
  void slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
             ArrayRef<int64_t> strides) {
    const bool isPlain = isOnes(strides);
    if (isPlain && isZeros(offsets) && sizes == ArrayRef<int64_t>(shape))
      return;
    shape.assign(sizes.begin(), sizes.end());
    push<SliceOp>([&] {
      Attrs attrs{list("offsets", offsets), list("sizes", sizes)};
      if (!isPlain)
        attrs.push_back(list("strides", strides));
      return attrs;
    });
  }
  /// False if a window would have to fit in a dimension of unknown size.
  bool windows(ArrayRef<int64_t> places, ArrayRef<int64_t> window,
               ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
    if (hasUnknownExtent(places) || hasUnknownExtent(window))
      return false;
    shape.truncate(split);
    llvm::append_range(shape, places);
    split = shape.size();
    llvm::append_range(shape, window);
    push<WindowsOp>([&] {
      Attrs attrs{list("shape", window), list("strides", strides)};
      if (!isOnes(dilations))
        attrs.push_back(list("dilations", dilations));
      return attrs;
    });
    return true;
  }
  void transpose(ArrayRef<int64_t> perm) {
    Sizes result;
    bool isIdentity = true;
    for (auto [i, dim] : llvm::enumerate(perm)) {
      result.push_back(shape[dim]);
      isIdentity &= dim == static_cast<int64_t>(i);
    }
    if (isIdentity)
      return;
    shape = std::move(result);
    push<TransposeOp>([&] { return Attrs{list("perm", perm)}; });
  }
  /// The same elements, side by side of the split. False if a side changes
  /// its number of elements.
  bool reshape(ArrayRef<int64_t> to, int64_t axis);
  /// False if a dimension would grow to an unknown size.
  bool broadcast(ArrayRef<int64_t> to) {
    if (to == ArrayRef<int64_t>(shape))
      return true;
    for (auto [size, wanted] : llvm::zip_equal(shape, to))
      if (size != wanted && isUnknownExtent(wanted))
        return false;
    shape.assign(to.begin(), to.end());
    push<BroadcastOp>();
    return true;
  }

  /// The chain as ops on a base; types and slices have `?` and the rest of a
  /// dimension for its unknown sizes.
  MovementPlan finish(Value base) const;
  Cost getCost() const { return cost; }

  SmallVector<Draft, 6> drafts;
  Sizes shape;
  int64_t split = 0;
  bool isTensor = false;

private:
  using Attrs = SmallVector<DraftAttr, 4>;

  static DraftAttr list(StringRef name, ArrayRef<int64_t> values) {
    return {name, Sizes(values), std::nullopt, {}};
  }
  static DraftAttr number(StringRef name, int64_t value) {
    return {name, {}, value, {}};
  }
  static bool isZeros(ArrayRef<int64_t> values) {
    return llvm::all_of(values, [](int64_t v) { return v == 0; });
  }
  static bool isOnes(ArrayRef<int64_t> values) {
    return llvm::all_of(values, [](int64_t v) { return v == 1; });
  }
  /// `makeAttrs` is asked only where the op is kept.
  template <typename OpT>
  void push(function_ref<Attrs()> makeAttrs = [] { return Attrs(); }) {
    ++cost.first;
    cost.second += std::is_same_v<OpT, ReshapeOp>;
    if (!isTrial)
      drafts.push_back(
          {OpT::getOperationName(), makeAttrs(), shape, split, isTensor});
  }

  Cost cost = {0, 0};
  /// Of a trial.
  Cost limit = {SIZE_MAX, SIZE_MAX};
  bool isTrial = false;
};

/// The plan of a form of one operand piece, perhaps with a background.
std::optional<MovementPlan> planPiece(const AccessForm &form, Type type);

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_IR_MOVEMENTCHAIN_H
