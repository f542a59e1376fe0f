//===- TensorSlice.cpp - What slices of tensors read ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// extract_slice, insert_slice, extract, insert: element x of a slice is element
// offset + x * stride of the tensor. Offsets and strides that are values become
// runtime variables, bounded by what keeps the slice inside; sizes that are
// values are parameters. A dynamic stride makes the access a product, which is
// exact; only what is *around* such a slice (the old elements that survive an
// insert_slice) is unknown.
//
//===----------------------------------------------------------------------===//

#include "Function/Models.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A rectangular, strided part of a tensor (insert and extract of one element
/// have size 1 everywhere).
struct Slice {
  /// One entry per dimension of the tensor; a dynamic number is kDynamic.
  SizeList tensor;
  SmallVector<int64_t> offsets, strides;
  SizeList sizes;
  /// Dimensions of the tensor that the slice, of smaller rank, still has.
  SmallVector<unsigned> kept;
  /// The operands that are the first dynamic offset and stride; others follow.
  unsigned firstOffset = 0, firstStride = 0;

  /// From the attributes of op; `tensor` is the big one.
  static std::optional<Slice> get(SizedOp &op, const SizeList &tensor,
                                  const SizeList &slice, unsigned firstOffset);
  /// The nest of extracting or inserting the slice.
  Nest infer(SizedOp &op, bool inserts) const;

private:
  /// The first element that the slice has along each dimension, and the step
  /// between elements; dynamic ones are values.
  std::pair<SmallVector<Form>, SmallVector<Form>> addOrigin(Nest &nest) const;
  /// The conditions that index `x` of the tensor is in the slice; false where a
  /// stride is not known.
  bool addGuards(Nest &nest, ArrayRef<Form> x, ArrayRef<Form> first,
                 std::vector<NestGuard> &guards) const;
};

} // namespace

std::optional<Slice> Slice::get(SizedOp &op, const SizeList &tensor,
                                const SizeList &slice, unsigned firstOffset) {
  auto offsets = op.signature.get<DenseI64ArrayAttr>("static_offsets");
  auto sliceSizes = op.signature.get<DenseI64ArrayAttr>("static_sizes");
  auto strides = op.signature.get<DenseI64ArrayAttr>("static_strides");
  if (!offsets || !sliceSizes || !strides)
    return std::nullopt;
  SmallVector<int64_t> shape;
  for (const Form &size : slice)
    shape.push_back(op.sizes.getStatic(size).value_or(ShapedType::kDynamic));
  auto dropped = computeRankReductionMask(sliceSizes.asArrayRef(), shape);
  if (!dropped) {
    // A size that is a value, but static in the type.
    if (shape.size() != sliceSizes.asArrayRef().size())
      return std::nullopt;
    dropped.emplace();
  }
  Slice result{tensor,
               SmallVector<int64_t>(offsets.asArrayRef()),
               SmallVector<int64_t>(strides.asArrayRef()),
               {},
               {}};
  auto countDynamic = [](DenseI64ArrayAttr numbers) {
    return llvm::count(numbers.asArrayRef(), ShapedType::kDynamic);
  };
  result.firstOffset = firstOffset;
  result.firstStride =
      firstOffset + countDynamic(offsets) + countDynamic(sliceSizes);
  for (unsigned i = 0; i < tensor.size(); ++i) {
    Form size(sliceSizes[i]);
    if (!dropped->contains(i)) {
      size = slice[result.kept.size()];
      if (!ShapedType::isDynamic(sliceSizes[i]))
        op.sizes.equate(size, Form(sliceSizes[i]));
      result.kept.push_back(i);
    }
    result.sizes.push_back(size);
  }
  return result;
}

std::pair<SmallVector<Form>, SmallVector<Form>>
Slice::addOrigin(Nest &nest) const {
  SmallVector<Form> first, step;
  const OpSizes &all = nest.getSizes();
  unsigned nextOffset = firstOffset, nextStride = firstStride;
  // Values first; what bounds them may be a product.
  SmallVector<std::pair<size_t, size_t>> bounded;
  for (size_t i = 0; i < tensor.size(); ++i) {
    std::optional<int64_t> whole = all.getStatic(tensor[i]);
    std::optional<int64_t> size = all.getStatic(sizes[i]);
    int64_t last =
        whole ? std::max<int64_t>(*whole, 1) - 1 : Interval::kNoUpper;
    bool isKnown = size && !ShapedType::isDynamic(strides[i]);
    std::optional<int64_t> span =
        isKnown ? checkedMul(std::max<int64_t>(*size, 1) - 1, strides[i])
                : std::nullopt;
    if (!ShapedType::isDynamic(offsets[i])) {
      first.push_back(Form(offsets[i]));
    } else {
      Interval range(0, last);
      if (span)
        range = range.intersect(Interval(0, last) - Interval::point(*span));
      first.push_back(nest.addValue(range, NestSource{nextOffset++, {}}));
    }
    step.push_back(
        !ShapedType::isDynamic(strides[i])
            ? Form(strides[i])
            : nest.addValue(whole ? Interval(-last, last) : Interval::all(),
                            NestSource{nextStride++, {}}));
    // Numbers were checked above, or by the verifier.
    bool isRuntime = !first[i].isConstant() || !step[i].isConstant();
    if (isRuntime && !(whole && span))
      bounded.push_back({i, nest.values.size() - 1});
  }
  FormArena &arena = nest.arena();
  for (auto [i, value] : bounded) {
    // With a stride of known sign only one end can leave the tensor; in this form,
    // it holds for slices without elements, too.
    Form end = arena.add(first[i], arena.mul(nest.last(sizes[i]), step[i]));
    bool canFall = ShapedType::isDynamic(strides[i]) || strides[i] < 0;
    bool canRise = ShapedType::isDynamic(strides[i]) || strides[i] > 0;
    Form length = nest.size(tensor[i]);
    auto require = [&, value = value](Form form, Interval interval) {
      nest.values[value].guards.push_back(
          {std::move(form), interval, std::nullopt});
    };
    if (canFall) {
      require(end, Interval::atLeast(0));
      require(arena.sub(first[i], length), Interval::atMost(-1));
    }
    if (canRise)
      require(arena.sub(end, length), Interval::atMost(-1));
  }
  return {first, step};
}

/// With y_i = x_i - (smallest index of the slice): y_i is no more than the
/// slice's reach, and a multiple of its stride.
bool Slice::addGuards(Nest &nest, ArrayRef<Form> x, ArrayRef<Form> first,
                      std::vector<NestGuard> &guards) const {
  if (ShapedType::isDynamicShape(strides))
    return false;
  FormArena &arena = nest.arena();
  for (size_t i = 0; i < tensor.size(); ++i) {
    // (size - 1) * |stride|
    const auto step = static_cast<int64_t>(magnitude(strides[i]));
    Form reach = arena.scale(nest.last(sizes[i]), step);
    Form low = strides[i] < 0 ? arena.sub(first[i], reach) : first[i];
    Form y = arena.sub(x[i], low);
    if (reach.isConstant()) {
      guards.push_back({y, Interval(0, reach.constant), std::nullopt});
    } else {
      guards.push_back({y, Interval::atLeast(0), std::nullopt});
      guards.push_back(
          {arena.sub(y, reach), Interval::atMost(0), std::nullopt});
    }
    if (step > 1)
      guards.push_back({arena.mod(y, step), Interval::point(0), std::nullopt});
  }
  return true;
}

Nest Slice::infer(SizedOp &op, bool inserts) const {
  // Loops over the slice and, if it is inserted, over the tensor.
  SizeList extents = sizes;
  if (inserts)
    llvm::append_range(extents, tensor);
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Move;
  ArrayRef<Form> axes = nest.getAxes().take_front(sizes.size());
  auto [first, step] = addOrigin(nest);
  SmallVector<Form> slice, big;
  for (unsigned i : kept)
    slice.push_back(axes[i]);
  for (size_t i = 0; i < tensor.size(); ++i)
    big.push_back(
        nest.arena().add(first[i], nest.arena().mul(axes[i], step[i])));
  nest.write(0, inserts ? big : slice);
  nest.read(0, inserts ? slice : big).write = 0;
  if (!inserts) {
    nest.readSingle(1, op.in.size());
    return nest;
  }
  ArrayRef<Form> x = nest.getAxes().drop_front(sizes.size());
  nest.write(0, x);
  NestRead old;
  old.value = 1;
  old.index.assign(x.begin(), x.end());
  old.write = 1;
  const bool isEmpty = llvm::any_of(
      sizes, [&](const Form &size) { return op.sizes.getStatic(size) == 0; });
  if (!isEmpty && !addGuards(nest, x, first, old.outside))
    old.reason = IndexingReason::NotAffine;
  // A slice of a tensor without dimensions is all of it.
  if (isEmpty || !tensor.empty())
    nest.reads.push_back(std::move(old));
  nest.readSingle(2, op.in.size());
  for (NestRead &read : llvm::drop_begin(nest.reads))
    read.write = 1;
  return nest;
}

Nest tensoraccess::inferExtractSlice(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid)
    return op.unknown();
  auto slice = Slice::get(op, op.in[0], op.out[0], /*firstOffset=*/1);
  return slice ? slice->infer(op, /*inserts=*/false) : op.unknown();
}

Nest tensoraccess::inferInsertSlice(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || !op.equateAll(op.in[1], op.out[0]))
    return op.unknown();
  auto slice = Slice::get(op, op.in[1], op.in[0], /*firstOffset=*/2);
  return slice ? slice->infer(op, /*inserts=*/true) : op.unknown();
}

Nest tensoraccess::inferPart(SizedOp &op, bool inserts, ArrayRef<Form> part,
                             ArrayRef<int64_t> offsets) {
  if (!op.isValid || (inserts && !op.equateAll(op.in[1], op.out[0])))
    return op.unknown();
  const SizeList &tensor = op.in[inserts];
  size_t rank = tensor.size(), missing = rank - part.size();
  if (part.size() > rank || offsets.size() > rank || offsets.size() < missing)
    return op.unknown();
  Slice slice{tensor, SmallVector<int64_t>(offsets),
              SmallVector<int64_t>(rank, 1), SizeList(missing, Form(1))};
  slice.offsets.resize(rank);
  slice.firstOffset = inserts ? 2 : 1;
  for (auto [i, size] : llvm::enumerate(part)) {
    slice.kept.push_back(missing + i);
    slice.sizes.push_back(size);
    if (missing + i >= offsets.size())
      op.sizes.equate(size, tensor[missing + i]);
  }
  return slice.infer(op, inserts);
}
