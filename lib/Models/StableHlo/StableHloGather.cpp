//===- StableHloGather.cpp - Gather and scatter ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both move slices between a tensor and places that a tensor of indices names.
// With b the index of a slice, and o the index inside of it:
//
//   tensor index = start(b) + batching(b) + offset(o)
//
// start: for each k, dimension start_map[k] of the tensor has the runtime value
// indices[b, k at index_vector_dim]. Gather clamps it, so that the slice is
// inside; scatter skips elements that are not inside, so that a start may be
// negative, or with kWholeWindows slices that are not.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// The dimension numbers that gather and scatter have in common.
struct SliceNumbers {
  /// Dimensions of the slices' tensor (result of gather, updates of scatter)
  /// that index inside of a slice; of the tensor, that a slice lacks; batching
  /// dimensions of the tensor and of the indices; where starts go.
  SmallVector<int64_t> window, dropped, batching, indicesBatching, starts;
  int64_t vectorDim = 0;

  // Derived: the other dimensions of the slices' tensor, and the dimensions of
  // the tensor that `window` indexes.
  SmallVector<int64_t> scatterDims, windowTargets;
  /// For each dimension of the tensor: 1 + its largest offset in a slice.
  SmallVector<int64_t> sliceSizes;

  static std::optional<SliceNumbers> get(Attribute attr, StringRef name,
                                         ArrayRef<StringRef> keys);
  /// Checks everything against sizes, states a gather's result sizes, and
  /// derives; false where some are not known.
  bool complete(HloOp &op, const SizeList &tensor, const SizeList &indices,
                const SizeList &slices);
  int64_t vectorSize(ArrayRef<int64_t> indices) const {
    return vectorDim < int64_t(indices.size()) ? indices[vectorDim] : 1;
  }
  /// The index into `indices` for a slice, at position `k` of its vector.
  SmallVector<Form> getIndicesIndex(ArrayRef<Form> slice, Form k,
                                    size_t rank) const;
  /// The tensor's index for the slices' index.
  SmallVector<Form> getTensorIndex(FormArena &arena, ArrayRef<Form> slice,
                                   ArrayRef<Form> starts, size_t rank) const;
};

} // namespace

/// Keys: window, dropped, batching, indices' batching, starts.
std::optional<SliceNumbers> SliceNumbers::get(Attribute attr, StringRef name,
                                              ArrayRef<StringRef> keys) {
  std::string error;
  auto fields = parseHloFields(getHloText(attr), name, error);
  if (!fields)
    return std::nullopt;
  SliceNumbers numbers;
  SmallVector<int64_t> *lists[] = {&numbers.window, &numbers.dropped,
                                   &numbers.batching, &numbers.indicesBatching,
                                   &numbers.starts};
  for (auto [list, key] : llvm::zip_equal(lists, keys))
    list->assign(fields->list(key).begin(), fields->list(key).end());
  numbers.vectorDim = fields->number("index_vector_dim");
  return numbers;
}

bool SliceNumbers::complete(HloOp &op, const SizeList &tensor,
                            const SizeList &indices, const SizeList &slices) {
  int64_t rank = tensor.size(), indicesRank = indices.size();
  SmallVector<int64_t> gone(dropped);
  llvm::append_range(gone, batching);
  if (!areDims(gone, rank) || !areDims(window, slices.size()) ||
      !areDims(starts, rank) || !areDims(indicesBatching, indicesRank) ||
      batching.size() != indicesBatching.size() ||
      window.size() + gone.size() != size_t(rank) || vectorDim < 0 ||
      vectorDim > indicesRank ||
      vectorSize(op.shape(indices)) != int64_t(starts.size()) ||
      llvm::is_contained(indicesBatching, vectorDim))
    return false;
  for (int64_t dim : batching)
    if (llvm::is_contained(starts, dim))
      return false;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(gone, i))
      windowTargets.push_back(i);
  for (int64_t i = 0; i < int64_t(slices.size()); ++i)
    if (!llvm::is_contained(window, i))
      scatterDims.push_back(i);
  // The other dimensions of the slices are those of the indices, in order.
  SizeList expected;
  for (int64_t i = 0; i < indicesRank; ++i)
    if (i != vectorDim)
      expected.push_back(indices[i]);
  if (expected.size() != scatterDims.size())
    return false;
  for (auto [dim, size] : llvm::zip_equal(scatterDims, expected))
    if (!op.equate(slices[dim], size))
      return false;
  for (auto [dim, from] : llvm::zip_equal(batching, indicesBatching))
    if (!op.equate(tensor[dim], indices[from]))
      return false;
  if (auto given = op.integers("slice_sizes");
      given && given->size() == size_t(rank))
    for (auto [dim, target] : llvm::zip_equal(window, windowTargets))
      if (!op.equate(slices[dim], Form((*given)[target])))
        return false;
  if (!op.isStatic())
    return false;
  sliceSizes.assign(rank, 1);
  for (auto [dim, target] : llvm::zip_equal(window, windowTargets)) {
    sliceSizes[target] = *op.number(slices[dim]);
    if (sliceSizes[target] > *op.number(tensor[target]))
      return false;
  }
  return true;
}

SmallVector<Form> SliceNumbers::getIndicesIndex(ArrayRef<Form> slice, Form k,
                                                size_t rank) const {
  SmallVector<Form> index;
  size_t next = 0;
  for (int64_t i = 0; i < int64_t(rank); ++i)
    index.push_back(i == vectorDim ? k : slice[scatterDims[next++]]);
  return index;
}

SmallVector<Form> SliceNumbers::getTensorIndex(FormArena &arena,
                                               ArrayRef<Form> slice,
                                               ArrayRef<Form> startForms,
                                               size_t rank) const {
  SmallVector<Form> index(rank);
  for (auto [dim, target] : llvm::zip_equal(window, windowTargets))
    index[target] = slice[dim];
  for (auto [dim, from] : llvm::zip_equal(batching, indicesBatching)) {
    // The vector's dimension is not one of the slices'.
    int64_t place = from < vectorDim ? from : from - 1;
    index[dim] = slice[scatterDims[place]];
  }
  for (auto [target, start] : llvm::zip_equal(starts, startForms))
    index[target] = arena.add(index[target], start);
  return index;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// (operand, indices): result[b, o] = operand[clamp(start(b)) + o]. A third
/// operand, the sizes of a dynamic gather, is implied by the result's shape.
static std::optional<Nest> buildGather(HloOp &op) {
  auto numbers = SliceNumbers::get(
      op.attribute("dimension_numbers"), "gather",
      {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
       "start_indices_batching_dims", "start_index_map"});
  if (!numbers || op.in.size() < 2 || op.out.size() != 1 ||
      !numbers->complete(op, op.in[0], op.in[1], op.out[0]))
    return std::nullopt;
  SmallVector<int64_t> tensor = op.inShape(0), indices = op.inShape(1);
  if (auto sizes = op.integers("slice_sizes")) {
    // Without elements along it, a dimension may be dropped with size 0.
    if (sizes->size() != tensor.size())
      return std::nullopt;
    for (auto [mine, theirs] : llvm::zip_equal(numbers->sliceSizes, *sizes))
      if (mine != theirs && !(theirs == 0 && mine == 1))
        return std::nullopt;
  }
  for (auto [size, part] : llvm::zip_equal(tensor, numbers->sliceSizes))
    if (part > size && !llvm::is_contained(op.outShape(0), 0))
      return std::nullopt;
  // The result's axes, and a position in the vector of an index.
  SizeList extents = op.out[0];
  extents.push_back(Form(numbers->vectorSize(indices)));
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> out = nest.getAxes().drop_back();
  nest.write(0, out);
  SmallVector<Form> starts;
  for (auto [k, target] : llvm::enumerate(numbers->starts)) {
    Interval range(
        0, std::max<int64_t>(tensor[target] - numbers->sliceSizes[target], 0));
    starts.push_back(nest.addValue(
        range, NestSource{1,
                          SmallVector<Form, 2>(numbers->getIndicesIndex(
                              out, Form(int64_t(k)), indices.size())),
                          range}));
  }
  nest.read(0,
            numbers->getTensorIndex(nest.arena(), out, starts, tensor.size()));
  nest.read(
      1, numbers->getIndicesIndex(out, nest.getAxes().back(), indices.size()));
  return nest;
}

/// mhlo.torch_index_select(operand, index): result[batch, x, i, y] =
/// operand[batch, x, index[batch, i], y] with x before `dim` and y after it.
static std::optional<Nest> buildIndexSelect(HloOp &op) {
  auto dimAttr = op.index("dim"), batchAttr = op.index("batch_dims");
  if (op.in.size() != 2 || op.out.size() != 1 || !dimAttr || !batchAttr)
    return std::nullopt;
  size_t dim = *dimAttr, batch = *batchAttr, rank = op.in[0].size();
  size_t indexRank = op.in[1].size();
  if (dim >= rank || batch > dim || batch > indexRank)
    return std::nullopt;
  SizeList expected(ArrayRef(op.in[0]).take_front(dim));
  llvm::append_range(expected, ArrayRef(op.in[1]).drop_front(batch));
  llvm::append_range(expected, ArrayRef(op.in[0]).drop_front(dim + 1));
  if (!op.equateAll(expected, op.out[0]) ||
      !op.equateAll(ArrayRef(op.in[0]).take_front(batch),
                    ArrayRef(op.in[1]).take_front(batch)) ||
      !op.isStatic())
    return std::nullopt;
  Nest nest = op.makeResultNest(NestBody::Opaque);
  ArrayRef<Form> out = nest.getAxes();
  SmallVector<Form, 2> index(out.take_front(batch));
  llvm::append_range(index, out.slice(dim, indexRank - batch));
  Form at = nest.addIndex(op.in[0][dim], NestSource{1, index});
  SmallVector<Form> place(out.take_front(dim));
  place.push_back(at);
  llvm::append_range(place, out.take_back(rank - dim - 1));
  nest.read(0, place);
  nest.read(1, index);
  return nest;
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// (inputs, indices, updates): each result is its input with updates combined
/// into it at start(b) + o, where that is inside. Whether an element is hit
/// depends on all indices (of its batch).
static std::optional<Nest> buildScatter(HloOp &op) {
  const unsigned count = op.out.size();
  if (op.in.size() != 2 * count + 1 || !op.areAlike(count))
    return std::nullopt;
  auto numbers = SliceNumbers::get(
      op.attribute("scatter_dimension_numbers"), "scatter",
      {"update_window_dims", "inserted_window_dims", "input_batching_dims",
       "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"});
  SmallVector<int64_t> tensor = op.inShape(0), indices = op.inShape(count);
  if (!numbers ||
      !numbers->complete(op, op.in[0], op.in[count], op.in[count + 1]))
    return std::nullopt;
  for (unsigned i = 1; i < count; ++i)
    if (!op.equateAll(op.in[count + 1 + i], op.in[count + 1]))
      return std::nullopt;
  // The updates' axes, the tensor's, those of the indices.
  const size_t numUpdate = op.in[count + 1].size(), rank = tensor.size();
  SizeList extents = op.in[count + 1];
  llvm::append_range(extents, op.in[0]);
  llvm::append_range(extents, op.in[count]);
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> update = nest.getAxes().take_front(numUpdate);
  ArrayRef<Form> x = nest.getAxes().slice(numUpdate, rank);
  SmallVector<Form> all(nest.getAxes().drop_front(numUpdate + rank));
  for (auto [dim, from] :
       llvm::zip_equal(numbers->batching, numbers->indicesBatching))
    all[from] = x[dim];
  const bool isWhole = bool(op.attribute(kWholeWindows));
  SmallVector<Form> starts;
  for (auto [k, target] : llvm::enumerate(numbers->starts)) {
    const int64_t size = std::max<int64_t>(numbers->sliceSizes[target], 1);
    const int64_t first = isWhole ? 0 : 1 - size;
    const int64_t last = tensor[target] - (isWhole ? size : 1);
    starts.push_back(nest.addValue(
        Interval(first, std::max<int64_t>(last, 0)),
        NestSource{count, SmallVector<Form, 2>(numbers->getIndicesIndex(
                              update, Form(int64_t(k)), indices.size()))}));
  }
  SmallVector<Form> place =
      numbers->getTensorIndex(nest.arena(), update, starts, rank);
  for (unsigned r = 0; r < count; ++r) {
    const unsigned hit = nest.writes.size(), kept = hit + 1;
    NestAccess &added = nest.write(r, place);
    for (int64_t target : numbers->starts)
      added.require(place[target], Interval::ofExtent(tensor[target]));
    nest.write(r, x);
    for (unsigned i = 0; i < count; ++i) {
      nest.read(i, x).write = kept;
      nest.read(count + 1 + i, update).write = hit;
    }
    nest.read(count, all).write = kept;
  }
  return nest;
}

void tensoraccess::registerHloGathers(HloRegister add) {
  for (StringRef name : {"gather", "dynamic_gather"})
    add(name, buildGather);
  add("torch_index_select", buildIndexSelect);
  add("scatter", buildScatter);
}
