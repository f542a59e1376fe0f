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
// exact; only what lies *around* such a slice (the old elements that survive an
// insert_slice) is unknown.
//
//===----------------------------------------------------------------------===//

#include "Read/Models.h"
#include "TensorAccess/Interfaces/OpSizes.h"

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
  /// The slice's own sizes.
  SizeList getKeptSizes() const;
  /// The first element that the slice has along each dimension, and the step
  /// between elements; dynamic ones are runtime variables of `loops`.
  std::pair<SmallVector<Form>, SmallVector<Form>> addOrigin(Loops &loops,
                                                            OpSizes &all) const;
  /// The indexing of extracting or inserting the slice.
  OpIndexing infer(SizedOp &op, bool inserts) const;

private:
  /// Connects the slice with the tensor, which is operand 0 or the result.
  void connect(SizedOp &op, bool sliceIsResult) const;
  /// Connects every index outside of the slice with itself, in disjoint maps.
  void connectComplement(SizedOp &op, unsigned operand) const;
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

SizeList Slice::getKeptSizes() const {
  SizeList list;
  for (unsigned i : kept)
    list.push_back(sizes[i]);
  return list;
}

std::pair<SmallVector<Form>, SmallVector<Form>>
Slice::addOrigin(Loops &loops, OpSizes &all) const {
  SmallVector<Form> first, step;
  FormArena &arena = loops.arena();
  unsigned nextOffset = firstOffset, nextStride = firstStride;
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
      first.push_back(loops.addRuntime(range, Loops::Source{nextOffset++, {}}));
    }
    step.push_back(
        !ShapedType::isDynamic(strides[i])
            ? Form(strides[i])
            : loops.addRuntime(whole ? Interval(-last, last) : Interval::all(),
                               Loops::Source{nextStride++, {}}));
    // Numbers were checked above, or by the verifier.
    bool isRuntime = !first[i].isConstant() || !step[i].isConstant();
    if (!isRuntime || (whole && span))
      continue;
    // With a stride of known sign only one end can leave the tensor; so said,
    // it holds for slices without elements, too.
    Form reach = arena.mul(getLast(loops, sizes[i]), step[i]);
    Form end = arena.add(first[i], reach);
    bool canFall = ShapedType::isDynamic(strides[i]) || strides[i] < 0;
    bool canRise = ShapedType::isDynamic(strides[i]) || strides[i] > 0;
    Form length = loops.size(tensor[i]);
    if (canFall) {
      loops.addConstraint(end, Interval::atLeast(0));
      loops.addConstraint(arena.sub(first[i], length), Interval::atMost(-1));
    }
    if (canRise)
      loops.addConstraint(arena.sub(end, length), Interval::atMost(-1));
  }
  return {first, step};
}

void Slice::connect(SizedOp &op, bool sliceIsResult) const {
  Loops loops(op.sizes, sizes);
  auto [first, step] = addOrigin(loops, op.sizes);
  SmallVector<Form> slice, big;
  for (unsigned i : kept)
    slice.push_back(loops[i]);
  for (size_t i = 0; i < tensor.size(); ++i)
    big.push_back(
        loops.arena().add(first[i], loops.arena().mul(loops[i], step[i])));
  if (sliceIsResult)
    loops.connect(op.indexing, 0, slice, getKeptSizes(), 0, big, tensor);
  else
    loops.connect(op.indexing, 0, big, tensor, 0, slice, getKeptSizes());
}

/// With y_i = x_i - (smallest index of the slice): the first dimension k in
/// which x leaves the slice is below it, above it, or between its strides.
void Slice::connectComplement(SizedOp &op, unsigned operand) const {
  enum Where { Below, Above, Between };
  if (llvm::any_of(sizes, [&](const Form &size) {
        return op.sizes.getStatic(size) == 0;
      }))
    return op.addSame(operand);
  if (ShapedType::isDynamicShape(strides))
    return op.indexing.setUnknown(0, operand, IndexingReason::NotAffine);
  bool any = false;
  OpIndexing empty = op.indexing;
  for (size_t k = 0; k < tensor.size(); ++k) {
    int64_t step = static_cast<int64_t>(magnitude(strides[k]));
    for (Where where : {Below, Above, Between}) {
      if (where == Between && step <= 1)
        continue;
      Loops loops(op.sizes, tensor);
      FormArena &arena = loops.arena();
      SmallVector<Form> first = addOrigin(loops, op.sizes).first;
      // (size - 1) * |stride|
      auto reach = [&](size_t i) {
        return arena.scale(getLast(loops, sizes[i]),
                           static_cast<int64_t>(magnitude(strides[i])));
      };
      auto y = [&](size_t i) {
        Form low = strides[i] < 0 ? arena.sub(first[i], reach(i)) : first[i];
        return arena.sub(loops[i], low);
      };
      auto keepUpToEnd = [&](size_t i) {
        loops.addConstraint(y(i), Interval::atLeast(0));
        loops.addConstraint(arena.sub(y(i), reach(i)), Interval::atMost(0));
      };
      for (size_t i = 0; i < k; ++i) {
        keepUpToEnd(i);
        int64_t m = static_cast<int64_t>(magnitude(strides[i]));
        if (m > 1)
          loops.addConstraint(arena.mod(y(i), m), Interval::point(0));
      }
      if (where == Below) {
        loops.addConstraint(y(k), Interval::atMost(-1));
      } else if (where == Above) {
        loops.addConstraint(arena.sub(y(k), reach(k)), Interval::atLeast(1));
      } else {
        keepUpToEnd(k);
        loops.addConstraint(arena.mod(y(k), step), Interval(1, step - 1));
      }
      OpIndexing one = empty;
      loops.connect(one, 0, loops.get(), tensor, operand, loops.get(), tensor);
      const IndexingSet &down = one.outputToInput(0, operand);
      const IndexingSet &up = one.inputToOutput(operand, 0);
      if (down.isUnknown())
        return op.indexing.setUnknown(0, operand, down.getReason());
      bool isEmpty = llvm::all_of(down.getMaps(), [](const IndexingMap &map) {
        return map.isKnownEmpty();
      });
      if (isEmpty && (any || k + 1 < tensor.size() || where == Below))
        continue;
      any |= !isEmpty;
      op.indexing.add(0, operand, down.getEntry(0), up.getEntry(0));
    }
  }
  if (op.indexing.outputToInput(0, operand).empty()) {
    Loops loops(op.sizes, tensor);
    loops.addConstraint(Form(0), Interval::point(1));
    op.connect(loops, loops.get(), operand, loops.get());
  }
}

OpIndexing Slice::infer(SizedOp &op, bool inserts) const {
  connect(op, /*sliceIsResult=*/!inserts);
  if (inserts)
    connectComplement(op, 1);
  op.addSingle(inserts ? 2 : 1, op.in.size());
  return op.finish();
}

OpIndexing tensoraccess::inferExtractSlice(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid)
    return op.unknown();
  auto slice = Slice::get(op, op.in[0], op.out[0], /*firstOffset=*/1);
  return slice ? slice->infer(op, /*inserts=*/false) : op.unknown();
}

OpIndexing tensoraccess::inferInsertSlice(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || !op.equateAll(op.in[1], op.out[0]))
    return op.unknown();
  auto slice = Slice::get(op, op.in[1], op.in[0], /*firstOffset=*/2);
  return slice ? slice->infer(op, /*inserts=*/true) : op.unknown();
}

OpIndexing tensoraccess::inferPart(SizedOp &op, bool inserts,
                                   ArrayRef<Form> part,
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
