//===- StableHloSlicing.cpp - Padding, dynamic slices ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of tensors. The starts of dynamic slices are clamped so that the slice
// is inside: that is their range, and the clamp of their source.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// result[low + (interior + 1) * x] = operand[x]; the padding value elsewhere.
static bool buildPad(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 2 || op.numOut() != 1 || !op.in[1].empty() ||
      op.in[0].size() != op.out[0].size())
    return false;
  size_t rank = op.in[0].size();
  auto lows = op.integers("edge_padding_low", rank, 0);
  auto highs = op.integers("edge_padding_high", rank, 0);
  auto interiors = op.integers("interior_padding", rank, 0);
  if (!lows || !highs || !interiors)
    return false;
  SmallVector<int64_t> strides;
  for (size_t i = 0; i < rank; ++i) {
    int64_t interior = (*interiors)[i], size = op.in[0][i];
    auto stride = checkedAdd(interior, 1);
    auto between = checkedMul(interior, std::max<int64_t>(size - 1, 0));
    auto total = between ? checkedAdd(*between, size) : between;
    total = total ? checkedAdd(*total, (*lows)[i]) : total;
    total = total ? checkedAdd(*total, (*highs)[i]) : total;
    if (interior < 0 || !stride || total != op.out[0][i])
      return false;
    strides.push_back(*stride);
  }
  HloNest nest;
  nest.operand = nest.loops(op.in[0]);
  for (size_t i = 0; i < rank; ++i) {
    nest.result.push_back(
        nest.add(nest.scale(nest.operand[i], strides[i]), Form((*lows)[i])));
    // Negative padding cuts off.
    nest.require(nest.result[i], Interval::ofExtent(op.out[0][i]));
  }
  nest.emit(op, indexing, 0, 0);
  addOutside(op, indexing, 0, 1, op.in[0], strides, [&](HloNest &) {
    return llvm::map_to_vector(*lows, [](int64_t low) { return Form(low); });
  });
  return true;
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

/// Starts: one scalar operand per dimension, or (an older form) one operand of
/// rank 1. They are read for every element of the result.
static bool addStarts(const HloOp &op, OpIndexing &indexing, unsigned first,
                      size_t rank) {
  bool isVector = op.numIn() == first + 1 && op.in[first].size() == 1 &&
                  op.in[first][0] == int64_t(rank);
  if (!isVector && op.numIn() != first + rank)
    return false;
  for (unsigned o = first; o < op.numIn(); ++o) {
    if (!isVector && !op.in[o].empty())
      return false;
    addAll(op, indexing, 0, o);
  }
  return true;
}

/// A runtime variable per dimension.
static SmallVector<Form> makeStarts(const HloOp &op, HloNest &nest,
                                    unsigned first, ArrayRef<int64_t> whole,
                                    ArrayRef<int64_t> part) {
  bool isVector = op.in[first].size() == 1;
  SmallVector<Form> starts;
  for (size_t i = 0; i < whole.size(); ++i) {
    Interval range(0, whole[i] - part[i]);
    starts.push_back(nest.runtime(range, isVector ? first : first + i, range));
    if (isVector)
      nest.setSource(i, {Form(int64_t(i))});
  }
  return starts;
}

static bool fitsInto(ArrayRef<int64_t> part, ArrayRef<int64_t> whole) {
  return part.size() == whole.size() &&
         llvm::all_of(llvm::zip(part, whole), [](auto sizes) {
           return std::get<0>(sizes) <= std::get<1>(sizes);
         });
}

static bool buildDynamicSlice(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() < 1 || op.numOut() != 1 || !fitsInto(op.out[0], op.in[0]))
    return false;
  size_t rank = op.in[0].size();
  if (auto sizes = op.integers("slice_sizes"); sizes && *sizes != op.out[0])
    return false;
  if (!addStarts(op, indexing, 1, rank))
    return false;
  HloNest nest;
  nest.result = nest.loops(op.out[0]);
  if (rank > 0) {
    SmallVector<Form> starts = makeStarts(op, nest, 1, op.in[0], op.out[0]);
    for (auto [x, start] : llvm::zip_equal(nest.result, starts))
      nest.operand.push_back(nest.add(x, start));
  }
  nest.emit(op, indexing, 0, 0);
  return true;
}

/// (operand, update, starts): the update inside, the operand outside.
static bool buildDynamicUpdateSlice(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() < 2 || op.numOut() != 1 || op.in[0] != op.out[0] ||
      !fitsInto(op.in[1], op.in[0]))
    return false;
  size_t rank = op.in[0].size();
  if (!addStarts(op, indexing, 2, rank))
    return false;
  HloNest nest;
  nest.operand = nest.loops(op.in[1]);
  if (rank > 0) {
    SmallVector<Form> starts = makeStarts(op, nest, 2, op.in[0], op.in[1]);
    for (auto [x, start] : llvm::zip_equal(nest.operand, starts))
      nest.result.push_back(nest.add(x, start));
  }
  nest.emit(op, indexing, 0, 1);
  SmallVector<int64_t> ones(rank, 1);
  addOutside(op, indexing, 0, 0, op.in[1], ones, [&](HloNest &outside) {
    return makeStarts(op, outside, 2, op.in[0], op.in[1]);
  });
  return true;
}

void tensoraccess::registerHloSlicing(HloRegister add) {
  add("pad", buildPad);
  add("dynamic_slice", buildDynamicSlice);
  add("dynamic_update_slice", buildDynamicUpdateSlice);
}
