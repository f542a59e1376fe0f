//===- StableHloElementwise.cpp - Equal indices, and nearly so ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops (operands of rank 0, the bounds of clamp or the condition of
// select, are read for every element), CHLO's broadcasting ones, batch
// normalisation, and ops that read nothing or nothing but a shape.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static std::optional<Nest> buildElementwise(HloOp &op) {
  for (unsigned o = 0; o < op.in.size(); ++o)
    if (op.isStatic() && !op.isScalar(o) &&
        llvm::any_of(op.out,
                     [&](const SizeList &list) { return list != op.in[o]; }))
      return std::nullopt;
  return inferElementwise(op);
}

/// Result i is operand i.
static std::optional<Nest> buildBarrier(HloOp &op) {
  std::optional<Nest> nest = op.makePairs();
  return op.isStatic() ? nest : std::nullopt;
}

/// Made of nothing, of any sizes.
static std::optional<Nest> buildNothing(HloOp &op) {
  return op.out.size() == 1 ? op.makeResultNest(NestBody::Map)
                            : Nest(op.signature.nothingRead());
}

/// Only the sizes of operand 0 are asked for.
static std::optional<Nest> buildShapeOnly(HloOp &op) {
  if (!op.isStatic() && op.in.size() != 1)
    return std::nullopt;
  Nest nest =
      op.makeWholeReads(llvm::to_vector(llvm::seq<unsigned>(1, op.in.size())));
  nest.read(0, SmallVector<Form>(op.in[0].size())).isRead = false;
  return nest;
}

/// The same; the result has them.
static std::optional<Nest> buildConstantLike(HloOp &op) {
  if (op.in.size() != 1 || !op.areAlike(1))
    return std::nullopt;
  return buildShapeOnly(op);
}

/// A random number of a distribution with two parameters.
static std::optional<Nest> buildRng(HloOp &op) {
  if (op.in.size() < 2 || op.out.size() != 1 || !op.isStatic())
    return std::nullopt;
  return op.makeWholeReads({0, 1});
}

/// Calls that describe how values are laid out, and leave them as they are.
static std::optional<Nest> buildCustomCall(HloOp &op) {
  auto target = op.signature.get<StringAttr>("call_target_name");
  if (!target || !isHloPlacementCall(target.getValue()) || op.in.empty() ||
      !op.equatePairs() || !op.isStatic())
    return std::nullopt;
  return op.makePairs();
}

/// chlo: operands are broadcast to the result; dimension i of an operand is at
/// its place, and of size 1 or the result's there.
static std::optional<Nest> buildBroadcasting(HloOp &op) {
  if (op.out.size() != 1)
    return std::nullopt;
  auto attribute = op.integers("broadcast_dimensions");
  const size_t outRank = op.out[0].size();
  SmallVector<SmallVector<int64_t>> placesOf;
  // Along each dimension of the result, the first size that is not 1.
  SmallVector<std::optional<Form>> widest(outRank);
  for (unsigned o = 0; o < op.in.size(); ++o) {
    const size_t rank = op.in[o].size();
    if (rank > outRank)
      return std::nullopt;
    SmallVector<int64_t> &places = placesOf.emplace_back();
    if (attribute && attribute->size() == rank && rank < outRank)
      places = *attribute;
    else
      for (size_t i = outRank - rank; i < outRank; ++i)
        places.push_back(i);
    if (!areDims(places, outRank))
      return std::nullopt;
    for (auto [place, size] : llvm::zip_equal(places, op.in[o]))
      if (!widest[place] || *widest[place] == Form(1))
        widest[place] = size;
  }
  for (auto [size, out] : llvm::zip_equal(widest, op.out[0]))
    if (size && !op.number(out))
      op.equate(out, *size);
  if (!op.isStatic())
    return std::nullopt;
  Nest nest = op.makeResultNest(NestBody::Map);
  for (auto [o, places] : llvm::enumerate(placesOf)) {
    SmallVector<Form> index;
    for (auto [place, size] : llvm::zip_equal(places, op.inShape(o))) {
      if (size != 1 && size != op.number(op.out[0][place]))
        return std::nullopt;
      index.push_back(size == 1 ? Form(0) : nest[place]);
    }
    nest.read(o, index);
  }
  return nest;
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

namespace {

/// Axes are the indices of result 0, then those of operand 0 in whose feature
/// dimension they agree.
struct BatchNorm {
  int64_t feature = 0;
  SmallVector<Form> own, all;

  /// The feature dimension; none for other numbers of operands and results, and
  /// for sizes that do not fit.
  static std::optional<int64_t> getFeature(HloOp &op, unsigned numIn,
                                           unsigned numOut);
  /// Writes the results at `own`; `all` adds axes for a sum over the others.
  Nest makeNest(const HloOp &op);
  /// Results and operands of rank 1 have one element for each feature.
  ArrayRef<Form> atFeature() const { return own[feature]; }
};

} // namespace

std::optional<int64_t> BatchNorm::getFeature(HloOp &op, unsigned numIn,
                                             unsigned numOut) {
  auto feature = op.index("feature_index");
  if (op.in.size() != numIn || op.out.size() != numOut || !feature ||
      *feature >= int64_t(op.in[0].size()))
    return std::nullopt;
  auto fits = [&](ArrayRef<SizeList> lists) {
    return llvm::all_of(lists, [&](const SizeList &list) {
      return list.size() == 1 ? op.equate(list[0], op.in[0][*feature])
                              : op.equateAll(list, op.in[0]);
    });
  };
  return fits(op.in) && fits(op.out) && op.out[0].size() == op.in[0].size() &&
                 op.isStatic()
             ? feature
             : std::nullopt;
}

Nest BatchNorm::makeNest(const HloOp &op) {
  SizeList extents = op.in[0];
  llvm::append_range(extents, op.in[0]);
  Nest nest = op.makeNest(extents);
  const size_t rank = op.in[0].size();
  own.assign(nest.getAxes().begin(), nest.getAxes().begin() + rank);
  all.assign(nest.getAxes().begin() + rank, nest.getAxes().end());
  all[feature] = own[feature];
  nest.write(0, own);
  for (unsigned r : {1, 2})
    nest.write(r, atFeature());
  return nest;
}

/// (operand, scale, offset, mean, variance)
static std::optional<Nest> buildBatchNormInference(HloOp &op) {
  auto feature = BatchNorm::getFeature(op, 5, 1);
  if (!feature)
    return std::nullopt;
  Nest nest = op.makeResultNest(NestBody::Map);
  nest.read(0, nest.getAxes());
  for (unsigned o = 1; o < 5; ++o)
    nest.read(o, nest[*feature]);
  return nest;
}

/// (operand, scale, offset) to (output, mean, variance).
static std::optional<Nest> buildBatchNormTraining(HloOp &op) {
  auto feature = BatchNorm::getFeature(op, 3, 3);
  if (!feature)
    return std::nullopt;
  BatchNorm norm{*feature};
  Nest nest = norm.makeNest(op);
  nest.read(0, norm.all);
  for (unsigned o : {1, 2})
    nest.read(o, norm.atFeature()).write = 0;
  return nest;
}

/// (operand, scale, mean, variance, grad_output) to (grad_operand, grad_scale,
/// grad_offset); the gradient of the offset is a sum of grad_output.
static std::optional<Nest> buildBatchNormGrad(HloOp &op) {
  auto feature = BatchNorm::getFeature(op, 5, 3);
  if (!feature)
    return std::nullopt;
  BatchNorm norm{*feature};
  Nest nest = norm.makeNest(op);
  auto read = [&](unsigned r, std::initializer_list<unsigned> operands) {
    for (unsigned o : operands)
      nest.read(o, op.in[o].size() == 1 ? norm.atFeature() : ArrayRef(norm.all))
          .write = r;
  };
  read(0, {0, 1, 2, 3, 4});
  read(1, {0, 2, 3, 4});
  read(2, {4});
  return nest;
}

void tensoraccess::registerHloElementwise(HloRegister add) {
  for (const HloTraits &traits : getAllHloTraits())
    switch (traits.kind) {
    case HloTraits::Kind::Elementwise:
      add(traits.name, buildElementwise);
      break;
    case HloTraits::Kind::Broadcasting:
      add(traits.name, buildBroadcasting);
      break;
    case HloTraits::Kind::Source:
      add(traits.name, buildNothing);
      break;
    case HloTraits::Kind::Shape:
      add(traits.name, buildShapeOnly);
      break;
    default:
      break;
    }
  add("optimization_barrier", buildBarrier);
  add("custom_call", buildCustomCall);
  add("constant_like", buildConstantLike);
  add("rng", buildRng);
  add("batch_norm_inference", buildBatchNormInference);
  add("batch_norm_training", buildBatchNormTraining);
  add("batch_norm_grad", buildBatchNormGrad);
}
