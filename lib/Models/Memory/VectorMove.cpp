//===- VectorMove.cpp - What vector's ops on values read ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that move or reduce elements of vectors (loads and stores are in
// Memory.cpp, contractions have indexing maps). Scalable sizes are parameters.
//
//===----------------------------------------------------------------------===//

#include "Function/Models.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Trailing dimensions are aligned, and units stretched.
static Nest inferBroadcast(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || op.in[0].size() > op.out[0].size())
    return op.unknown();
  size_t missing = op.out[0].size() - op.in[0].size();
  auto isUnit = [&](unsigned d) {
    return op.sizes.getStatic(op.in[0][d]) == 1;
  };
  for (unsigned d = 0; d < op.in[0].size(); ++d)
    if (!isUnit(d))
      op.sizes.equate(op.in[0][d], op.out[0][missing + d]);
  Nest nest = op.makeResultNest(NestBody::Move);
  SmallVector<Form> index;
  for (unsigned d = 0; d < op.in[0].size(); ++d)
    index.push_back(isUnit(d) ? Form(0) : nest[missing + d]);
  nest.read(0, index);
  return nest;
}

static Nest inferTranspose(const OpSignature &signature) {
  SizedOp op(signature);
  auto permutation = signature.get<DenseI64ArrayAttr>("permutation");
  std::optional<Nest> nest;
  if (op.isValid && permutation)
    nest = op.makeTranspose(permutation);
  return nest ? std::move(*nest) : op.unknown();
}

/// The last dimension counts the same bits in other units.
static Nest inferBitcast(const OpSignature &signature) {
  SizedOp op(signature);
  auto in = cast<VectorType>(signature.operandTypes[0]).getElementType();
  auto out = cast<VectorType>(signature.resultTypes[0]).getElementType();
  if (!op.isValid || !in.isIntOrFloat() || !out.isIntOrFloat())
    return op.unknown();
  int64_t inBits = in.getIntOrFloatBitWidth();
  int64_t outBits = out.getIntOrFloatBitWidth();
  bool isFiner = outBits <= inBits;
  int64_t ratio = isFiner ? inBits / outBits : outBits / inBits;
  if (op.out[0].empty() ||
      ratio * std::min(inBits, outBits) != std::max(inBits, outBits))
    return ratio == 1 ? inferElementwise(signature) : Nest(op.unknown());
  const SizeList &fine = isFiner ? op.out[0] : op.in[0];
  const SizeList &coarse = isFiner ? op.in[0] : op.out[0];
  for (unsigned d = 0; d + 1 < fine.size(); ++d)
    op.sizes.equate(fine[d], coarse[d]);
  op.sizes.equate(fine.back(), op.sizes.getArena().scale(coarse.back(), ratio));
  SizeList extents = coarse;
  extents.push_back(Form(ratio));
  Nest nest = op.makeNest(extents);
  SmallVector<Form> coarseIndex(nest.getAxes().drop_back()),
      fineIndex = coarseIndex;
  fineIndex.back() =
      nest.arena().addScaled(nest.getAxes().back(), fineIndex.back(), ratio);
  nest.write(0, isFiner ? fineIndex : coarseIndex);
  nest.read(0, isFiner ? coarseIndex : fineIndex);
  return nest;
}

static Nest inferVectorPart(SizedOp &op, bool inserts,
                            ArrayRef<int64_t> offsets) {
  if (!inserts || !op.isValid || op.in[0] != op.in[1])
    return inferPart(op, inserts, inserts ? op.in[0] : op.out[0], offsets);
  // Nothing of the old vector is left.
  Nest nest = op.makeResultNest(NestBody::Move);
  nest.read(0, nest.getAxes());
  return nest;
}

/// A part of a vector, at constants or operands.
template <bool inserts>
static Nest inferAtPosition(const OpSignature &signature) {
  SizedOp op(signature);
  auto position = signature.get<DenseI64ArrayAttr>("static_position");
  if (!position || llvm::is_contained(position.asArrayRef(), -1))
    return op.unknown();
  return inferVectorPart(op, inserts, position);
}

/// Strides are 1.
template <bool inserts>
static Nest inferStridedSlice(const OpSignature &signature) {
  SizedOp op(signature);
  SmallVector<int64_t> offsets;
  if (auto array = signature.get<ArrayAttr>("offsets"))
    for (auto number : array.getAsRange<IntegerAttr>())
      offsets.push_back(number.getInt());
  return inferVectorPart(op, inserts, offsets);
}

/// Operands: vector, old value (which a reduction to a scalar may lack).
static Nest inferReduction(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid)
    return op.unknown();
  auto dims = signature.get<DenseI64ArrayAttr>("reduction_dims");
  SmallVector<int64_t> kept;
  for (unsigned d = 0; d < op.in[0].size(); ++d)
    if (dims && !llvm::is_contained(dims.asArrayRef(), d))
      kept.push_back(d);
  std::optional<Nest> nest = op.makeProjection(kept);
  if (!nest)
    return op.unknown();
  if (op.in.size() > 1)
    nest->read(1, SmallVector<Form>(ArrayRef(nest->writes[0].index)));
  return std::move(*nest);
}

/// Operands: a vector, a vector or scalar, and perhaps what they add to.
static Nest inferOuterProduct(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || op.in[0].size() != 1 || op.in[1].size() > 1)
    return op.unknown();
  op.sizes.equate(op.in[0][0], op.out[0][0]);
  if (!op.in[1].empty())
    op.sizes.equate(op.in[1][0], op.out[0][1]);
  Nest nest = op.makeResultNest(NestBody::Map);
  for (unsigned o : {0, 1})
    nest.read(o, op.in[o].empty() ? ArrayRef<Form>() : nest[o]);
  if (op.in.size() > 2)
    nest.read(2, nest.getAxes());
  return nest;
}

/// Elements 2i and 2i + 1 of the last dimension are those of the two halves; of
/// two vectors of rank 0 elements 0 and 1.
template <bool splits>
static Nest inferInterleave(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid)
    return op.unknown();
  const std::vector<SizeList> &halves = splits ? op.out : op.in;
  const SizeList &whole = splits ? op.in[0] : op.out[0];
  equateAll(op.sizes, halves[0], halves[1]);
  for (unsigned d = 0; d + 1 < whole.size(); ++d)
    op.sizes.equate(whole[d], halves[0][d]);
  const Form pairs = halves[0].empty() ? Form(1) : halves[0].back();
  op.sizes.equate(whole.back(), op.sizes.getArena().scale(pairs, 2));
  Nest nest = op.makeNest(halves[0]);
  nest.body = NestBody::Move;
  for (unsigned half : {0, 1}) {
    SmallVector<Form> index(nest.getAxes());
    const Form pair = index.empty() ? Form(0) : index.pop_back_val();
    index.push_back(nest.arena().addScaled(Form(half), pair, 2));
    ArrayRef<Form> own = nest.getAxes();
    nest.write(splits ? half : 0, splits ? own : ArrayRef<Form>(index));
    nest.read(splits ? 0 : half, splits ? ArrayRef<Form>(index) : own).write =
        half;
  }
  return nest;
}

/// Operands: vector, initial value. Results: the scan, and the last sum.
static Nest inferScan(const OpSignature &signature) {
  SizedOp op(signature);
  auto dim = signature.get<IntegerAttr>("reduction_dim");
  auto inclusive = signature.get<BoolAttr>("inclusive");
  if (!op.isValid || !dim || !inclusive || op.out.size() != 2 ||
      !equateAll(op.sizes, op.in[0], op.out[0]) ||
      !equateAll(op.sizes, op.in[1], op.out[1]))
    return op.unknown();
  unsigned d = dim.getInt();
  for (unsigned i = 0; i < op.in[1].size(); ++i)
    op.sizes.equate(op.in[1][i], op.in[0][i + (i >= d)]);
  auto drop = [&](ArrayRef<Form> index) {
    SmallVector<Form> rest(index);
    rest.erase(rest.begin() + d);
    return rest;
  };
  SizeList extents = op.in[0];
  extents.push_back(op.in[0][d]);
  Nest nest = op.makeNest(extents);
  SmallVector<Form> at(nest.getAxes().drop_back()), before = at;
  before[d] = nest.getAxes().back();
  nest.write(0, at);
  nest.write(1, drop(at));
  NestRead &sum = nest.read(0, before);
  sum.write = 0;
  sum.require(nest.arena().sub(at[d], before[d]),
              Interval::atLeast(inclusive.getValue() ? 0 : 1));
  nest.read(0, at).write = 1;
  nest.read(1, drop(at));
  return nest;
}

/// The mask numbers the leading slices of both operands, one after the other;
/// -1 is anything. Stretches of the mask with a constant step are one map.
static Nest inferShuffle(const OpSignature &signature) {
  SizedOp op(signature);
  auto attr = signature.get<DenseI64ArrayAttr>("mask");
  if (!op.isValid || !attr || op.in.size() != 2 || op.out[0].empty())
    return op.unknown();
  std::optional<int64_t> counts[2];
  for (unsigned o : {0, 1}) {
    // A vector of rank 0 is one slice.
    counts[o] = op.in[o].empty() ? 1 : op.sizes.getStatic(op.in[o][0]);
    if (!counts[o])
      return op.unknown();
    for (unsigned d = 1; d < op.in[o].size(); ++d)
      op.sizes.equate(op.in[o][d], op.out[0][d]);
  }
  Nest nest = op.makeResultNest(NestBody::Move);
  ArrayRef<int64_t> mask = attr.asArrayRef();
  auto operandOf = [&](int64_t number) { return number < *counts[0] ? 0 : 1; };
  for (size_t begin = 0; begin < mask.size();) {
    size_t end = begin + 1;
    const int64_t first = mask[begin];
    const unsigned o = operandOf(first);
    auto continues = [&](int64_t number) {
      return number >= 0 && operandOf(number) == int(o);
    };
    int64_t step = 0;
    if (first >= 0 && end < mask.size() && continues(mask[end])) {
      step = mask[end] - first;
      while (end < mask.size() && continues(mask[end]) &&
             mask[end] - mask[end - 1] == step)
        ++end;
    }
    if (first >= 0) {
      SmallVector<Form> index(nest.getAxes());
      index.truncate(op.in[o].size());
      if (!index.empty())
        index[0] = nest.arena().addScaled(
            Form(first - (o ? *counts[0] : 0) - int64_t(begin) * step), nest[0],
            step);
      nest.read(o, index).require(nest[0],
                                  Interval(int64_t(begin), int64_t(end) - 1));
    }
    begin = end;
  }
  return nest;
}

/// Single elements, and those of a vector (or tensor) in row-major order.
template <bool splits>
static Nest inferElements(const OpSignature &signature) {
  SizedOp op(signature);
  const unsigned count = splits ? op.out.size() : op.in.size();
  if (!op.isValid || (splits ? op.in.size() : op.out.size()) != 1)
    return op.unknown();
  const SizeList &shape = splits ? op.in[0] : op.out[0];
  SmallVector<int64_t> sizes;
  for (const Form &size : shape) {
    std::optional<int64_t> number = op.sizes.getStatic(size);
    if (!number)
      return signature.unknown(IndexingReason::DynamicShape);
    sizes.push_back(*number);
  }
  Nest nest = op.makeNest({});
  nest.body = NestBody::Move;
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Form> index = llvm::map_to_vector(
        unravel(i, sizes), [](int64_t at) { return Form(at); });
    nest.write(splits ? i : 0, splits ? ArrayRef<Form>() : index);
    nest.read(splits ? 0 : i, splits ? ArrayRef<Form>(index) : ArrayRef<Form>())
        .write = i;
  }
  return nest;
}

Nest tensoraccess::inferFromElements(const OpSignature &signature) {
  return inferElements</*splits=*/false>(signature);
}

/// Each element is a comparison of its index with all operands.
static Nest inferCreateMask(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || op.out.size() != 1)
    return op.unknown();
  Nest nest = op.makeResultNest(NestBody::Opaque);
  nest.readSingle(0, op.in.size());
  return nest;
}

void tensoraccess::registerVectorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    attachModel<vector::BitCastOp, inferBitcast>(context);
    attachModel<vector::BroadcastOp, inferBroadcast>(context);
    attachModel<vector::CreateMaskOp, inferCreateMask>(context);
    attachModel<vector::DeinterleaveOp, inferInterleave<true>>(context);
    attachModel<vector::ExtractOp, inferAtPosition<false>>(context);
    attachModel<vector::ExtractStridedSliceOp, inferStridedSlice<false>>(
        context);
    attachModel<vector::FromElementsOp, inferFromElements>(context);
    attachModel<vector::InsertOp, inferAtPosition<true>>(context);
    attachModel<vector::InsertStridedSliceOp, inferStridedSlice<true>>(context);
    attachModel<vector::InterleaveOp, inferInterleave<false>>(context);
    attachModel<vector::MultiDimReductionOp, inferReduction>(context);
    attachModel<vector::OuterProductOp, inferOuterProduct>(context);
    attachModel<vector::ReductionOp, inferReduction>(context);
    attachModel<vector::ScanOp, inferScan>(context);
    attachModel<vector::ShapeCastOp, inferReshape>(context);
    attachModel<vector::ShuffleOp, inferShuffle>(context);
    attachModel<vector::ToElementsOp, inferElements<true>>(context);
    attachModel<vector::TransposeOp, inferTranspose>(context);
  });
}
