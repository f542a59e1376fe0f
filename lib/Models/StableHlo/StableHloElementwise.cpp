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

static bool buildElementwise(const HloOp &op, OpIndexing &indexing) {
  for (unsigned r = 0; r < op.numOut(); ++r) {
    for (unsigned o = 0; o < op.numIn(); ++o) {
      if (op.in[o].empty())
        addAll(op, indexing, r, o);
      else if (!addIdentity(op, indexing, r, o))
        return false;
    }
  }
  return true;
}

bool tensoraccess::isElementwise(HloBuilder builder) {
  return builder == buildElementwise;
}

/// Result i is operand i.
static bool buildBarrier(const HloOp &op, OpIndexing &indexing) {
  if (op.numOut() != op.numIn())
    return false;
  for (unsigned i = 0; i < op.numOut(); ++i)
    if (!addIdentity(op, indexing, i, i))
      return false;
  return true;
}

static bool buildNothing(const HloOp &, OpIndexing &) { return true; }

/// Operand 0 gives a shape only, the others are scalars.
static bool buildShapeOnly(const HloOp &op, OpIndexing &indexing) {
  for (unsigned r = 0; r < op.numOut(); ++r)
    for (unsigned o = 1; o < op.numIn(); ++o)
      addAll(op, indexing, r, o);
  return true;
}

/// rng(a, b, shape): every element depends on both scalars.
static bool buildRng(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() < 2 || op.numOut() != 1)
    return false;
  addAll(op, indexing, 0, 0);
  addAll(op, indexing, 0, 1);
  return true;
}

/// Calls that only say where values are.
static bool buildCustomCall(const HloOp &op, OpIndexing &indexing) {
  auto target = op.signature.get<StringAttr>("call_target_name");
  if (!target || !isHloPlacementCall(target.getValue()) || op.numIn() == 0 ||
      op.numIn() != op.numOut())
    return false;
  for (unsigned i = 0; i < op.numIn(); ++i)
    if (!addIdentity(op, indexing, i, i))
      return false;
  return true;
}

/// Dimension i of operand o is dimension places[i] of the result, or has one
/// element.
static bool addBroadcast(const HloOp &op, OpIndexing &indexing, unsigned o,
                         ArrayRef<int64_t> places) {
  ArrayRef<int64_t> in = op.in[o], out = op.out[0];
  if (places.size() != in.size() || !areDims(places, out.size()))
    return false;
  HloNest nest;
  nest.result = nest.loops(out);
  for (auto [place, size] : llvm::zip_equal(places, in)) {
    if (size != 1 && size != out[place])
      return false;
    nest.operand.push_back(size == 1 ? Form(0) : nest.result[place]);
  }
  nest.emit(op, indexing, 0, o);
  return true;
}

/// chlo.broadcast_add and its like: the smaller operand's dimensions are the
/// last ones, unless `broadcast_dimensions` says where they go.
static bool buildBroadcasting(const HloOp &op, OpIndexing &indexing) {
  if (op.numOut() != 1)
    return false;
  auto places = op.integers("broadcast_dimensions");
  for (unsigned o = 0; o < op.numIn(); ++o) {
    size_t rank = op.in[o].size(), outRank = op.out[0].size();
    if (rank > outRank)
      return false;
    SmallVector<int64_t> own;
    if (places && places->size() == rank && rank < outRank)
      own = *places;
    else
      for (size_t i = outRank - rank; i < outRank; ++i)
        own.push_back(i);
    if (!addBroadcast(op, indexing, o, own))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

/// Operand o has one element per feature, and result r the operand's shape.
static bool addPerFeature(const HloOp &op, OpIndexing &indexing, unsigned r,
                          unsigned o, size_t feature) {
  if (op.in[o].size() != 1 || op.in[o][0] != op.out[r][feature])
    return false;
  HloNest nest;
  nest.result = nest.loops(op.out[r]);
  nest.operand = {nest.result[feature]};
  nest.emit(op, indexing, r, o);
  return true;
}

/// Result r reads all elements of operand o that have its feature. Either has
/// the full shape or one element per feature.
static bool addSameFeature(const HloOp &op, OpIndexing &indexing, unsigned r,
                           unsigned o, size_t feature) {
  HloNest nest;
  nest.result = nest.loops(op.out[r]);
  nest.operand = nest.loops(op.in[o]);
  size_t mine = op.out[r].size() == 1 ? 0 : feature;
  size_t theirs = op.in[o].size() == 1 ? 0 : feature;
  if (mine >= op.out[r].size() || theirs >= op.in[o].size() ||
      op.out[r][mine] != op.in[o][theirs])
    return false;
  nest.operand[theirs] = nest.result[mine];
  nest.emit(op, indexing, r, o);
  return true;
}

static std::optional<size_t> getFeature(const HloOp &op, unsigned numIn,
                                        unsigned numOut) {
  auto feature = op.index("feature_index");
  if (op.numIn() != numIn || op.numOut() != numOut || !feature ||
      op.in[0] != op.out[0] || *feature >= int64_t(op.in[0].size()))
    return std::nullopt;
  return *feature;
}

/// (operand, scale, offset, mean, variance)
static bool buildBatchNormInference(const HloOp &op, OpIndexing &indexing) {
  auto feature = getFeature(op, 5, 1);
  if (!feature || !addIdentity(op, indexing, 0, 0))
    return false;
  for (unsigned o = 1; o < 5; ++o)
    if (!addPerFeature(op, indexing, 0, o, *feature))
      return false;
  return true;
}

/// (operand, scale, offset) to (normalised, mean, variance).
static bool buildBatchNormTraining(const HloOp &op, OpIndexing &indexing) {
  auto feature = getFeature(op, 3, 3);
  if (!feature)
    return false;
  for (unsigned r = 0; r < 3; ++r)
    if (!addSameFeature(op, indexing, r, 0, *feature))
      return false;
  return addPerFeature(op, indexing, 0, 1, *feature) &&
         addPerFeature(op, indexing, 0, 2, *feature);
}

/// (operand, scale, mean, variance, gradient) to the gradients of operand, scale
/// and offset; with x = (operand - mean) / sqrt(variance + epsilon):
/// offset = sum gradient, scale = sum gradient * x, and the operand's needs both
/// sums of its feature.
static bool buildBatchNormGrad(const HloOp &op, OpIndexing &indexing) {
  auto feature = getFeature(op, 5, 3);
  if (!feature)
    return false;
  for (unsigned o : {0u, 1u, 2u, 3u, 4u})
    if (!addSameFeature(op, indexing, 0, o, *feature))
      return false;
  for (unsigned o : {0u, 2u, 3u, 4u})
    if (!addSameFeature(op, indexing, 1, o, *feature))
      return false;
  return addSameFeature(op, indexing, 2, 4, *feature);
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
  add("rng", buildRng);
  add("batch_norm_inference", buildBatchNormInference);
  add("batch_norm_training", buildBatchNormTraining);
  add("batch_norm_grad", buildBatchNormGrad);
}
