//===- TosaMove.cpp - What tosa's data movement reads ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// concat, pad, reshape, reverse, slice, tile, transpose, gather, scatter and
// resize. Their shapes come from tosa.const_shape; where one comes from
// elsewhere (or has -1, which means "not known") starts and paddings are runtime
// variables.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"
#include "Tosa.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static Nest inferConcat(const OpSignature &signature) {
  SizedOp op(signature);
  auto axis = signature.get<IntegerAttr>("axis");
  std::optional<Nest> nest;
  if (op.isValid && axis)
    nest = op.makeConcat(axis.getInt());
  return nest ? std::move(*nest) : op.unknown();
}

/// Operands: input, padding, padding value.
static Nest inferPad(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 3 || op.in[0].size() != op.out[0].size())
    return op.unknown();
  const SizeList &in = op.in[0];
  SmallVector<std::optional<int64_t>> low(in.size());
  auto padding = op.getShape(1);
  for (unsigned i = 0; padding && i < in.size(); ++i) {
    if (padding->size() != 2 * in.size())
      return op.unknown();
    int64_t before = (*padding)[2 * i], after = (*padding)[2 * i + 1];
    if (before >= 0)
      low[i] = before;
    std::optional<int64_t> sum = checkedAdd(before, after);
    if (before >= 0 && after >= 0 && sum)
      op.sizes.equate(op.out[0][i], op.sizes.getArena().add(in[i], Form(*sum)));
  }
  Padding pad{in, op.out[0], low, {}, /*lowMayBeNegative=*/false};
  for (unsigned i = 0; i < in.size(); ++i)
    pad.lowSources.push_back({1, {Form(2 * i)}});
  return pad.makeNest(op, /*outside=*/2);
}

static Nest inferReverse(const OpSignature &signature) {
  TosaOp op(signature);
  std::optional<int64_t> axis = op.getAxis();
  if (!op.isValid || !axis || !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  Nest nest = op.makeResultNest(NestBody::Move);
  SmallVector<Form> index(nest.getAxes());
  index[*axis] = nest.arena().sub(nest.last(op.in[0][*axis]), index[*axis]);
  nest.read(0, index);
  return nest;
}

/// Operands: input, start, size.
static Nest inferSlice(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 3 || op.in[0].size() != op.out[0].size())
    return op.unknown();
  auto start = op.getShape(1), size = op.getShape(2);
  if ((start && start->size() != op.out[0].size()) ||
      (size && size->size() != op.out[0].size()))
    return op.unknown();
  for (unsigned i = 0; size && i < op.out[0].size(); ++i)
    if ((*size)[i] >= 0)
      op.sizes.equate(op.out[0][i], Form((*size)[i]));
  Nest nest = op.makeResultNest(NestBody::Move);
  SmallVector<Form> index;
  for (unsigned i = 0; i < op.out[0].size(); ++i) {
    Form first = start && (*start)[i] >= 0
                     ? Form((*start)[i])
                     : nest.addStart(op.in[0][i], op.out[0][i], {1, {Form(i)}});
    index.push_back(nest.arena().add(nest[i], first));
  }
  nest.read(0, index);
  return nest;
}

/// Operands: input, multiples. Copy t of element x is at t * size + x.
static Nest inferTile(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 2 || op.in[0].size() != op.out[0].size())
    return op.unknown();
  auto multiples = op.getShape(1);
  const SizeList &in = op.in[0];
  unsigned rank = in.size();
  SizeList extents = in;
  for (unsigned i = 0; i < rank; ++i) {
    Form copies = multiples && i < multiples->size() && (*multiples)[i] >= 0
                      ? Form((*multiples)[i])
                      : op.sizes.addParameter();
    FormArena &arena = op.sizes.getArena();
    if (copies.isConstant())
      op.sizes.equate(op.out[0][i], arena.scale(in[i], copies.constant));
    else if (auto size = op.sizes.getStatic(in[i]))
      op.sizes.equate(op.out[0][i], arena.scale(copies, *size));
    extents.push_back(copies);
  }
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Move;
  SmallVector<Form> out;
  for (unsigned i = 0; i < rank; ++i)
    out.push_back(nest.arena().add(
        nest.arena().mul(nest[rank + i], nest.size(in[i])), nest[i]));
  nest.write(0, out);
  nest.read(0, nest.getAxes().take_front(rank));
  return nest;
}

static Nest inferTranspose(const OpSignature &signature) {
  TosaOp op(signature);
  auto perms = op.getArray("perms");
  std::optional<Nest> nest;
  if (op.isValid && op.in.size() == 1 && perms)
    nest = op.makeTranspose(*perms);
  return nest ? std::move(*nest) : op.unknown();
}

/// out(n, w, c) = values(n, indices(n, w), c).
static Nest inferGather(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 2 || op.out[0].size() != 3 ||
      op.in[0].size() != 3 || op.in[1].size() != 2)
    return op.unknown();
  const SizeList &values = op.in[0], &indices = op.in[1];
  op.sizes.equate(values[0], op.out[0][0]);
  op.sizes.equate(indices[0], op.out[0][0]);
  op.sizes.equate(indices[1], op.out[0][1]);
  op.sizes.equate(values[2], op.out[0][2]);
  Nest nest = op.makeResultNest(NestBody::Opaque);
  Form k = nest.addIndex(values[1], NestSource{1, {nest[0], nest[1]}});
  nest.read(0, {nest[0], k, nest[2]});
  nest.read(1, {nest[0], nest[1]});
  return nest;
}

/// out(n, indices(n, w), c) = input(n, w, c), and elsewhere the old values.
/// Operands: old values, indices, input.
static Nest inferScatter(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 3 || op.out[0].size() != 3 ||
      op.in[1].size() != 2 || op.in[2].size() != 3 ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  const SizeList &indices = op.in[1], &input = op.in[2];
  op.sizes.equate(indices[0], op.in[0][0]);
  op.sizes.equate(input[0], op.in[0][0]);
  op.sizes.equate(input[1], indices[1]);
  op.sizes.equate(input[2], op.in[0][2]);
  // n, the result's place, c, the input's place
  Nest nest = op.makeNest({op.out[0][0], op.out[0][1], op.out[0][2], input[1]});
  Form k = nest.addIndex(op.out[0][1], NestSource{1, {nest[0], nest[3]}});
  nest.write(0, nest.getAxes().take_front(3));
  nest.write(0, {nest[0], k, nest[2]});
  nest.read(0, nest.getAxes().take_front(3)).write = 0;
  nest.read(1, {nest[0], nest[3]}).write = 0;
  nest.read(2, {nest[0], nest[3], nest[2]}).write = 1;
  return nest;
}

/// The set without maps that lie in others of it.
static IndexingSet withoutContained(const IndexingSet &set) {
  if (set.isUnknown() || set.hasDetails())
    return set;
  SmallVector<IndexingMap> kept(set.getMaps());
  for (size_t i = 0; i < kept.size();) {
    const bool isCovered = llvm::any_of(kept, [&](const IndexingMap &other) {
      return &other != &kept[i] && isContainedIn(kept[i], other);
    });
    if (isCovered)
      kept.erase(kept.begin() + i);
    else
      ++i;
  }
  return IndexingSet::of(kept);
}

/// Position y = o * d + offset, in units of 1/n of an element. Nearest reads
/// element ⌊y/n + 1/2⌋, bilinear ⌊y/n⌋ and the next one; all clamped to the
/// image. Operands: input, scale (n, d for y, then x), offset, border.
static Nest inferResize(const OpSignature &signature) {
  TosaOp op(signature);
  auto mode = signature.get<tosa::ResizeModeAttr>("mode");
  if (!op.isValid || op.in.size() != 4 || op.out[0].size() != 4 ||
      op.in[0].size() != 4 || !mode)
    return op.unknown();
  auto scale = op.getShape(1), offset = op.getShape(2);
  if (!scale || !offset)
    return signature.unknown(IndexingReason::NotAffine);
  if (scale->size() != 4 || offset->size() != 2 ||
      llvm::any_of(*scale,
                   [](int64_t x) { return x <= 0 || x > (int64_t(1) << 32); }))
    return op.unknown();
  bool isNearest = mode.getValue() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  const SizeList &in = op.in[0];
  op.sizes.equate(in[0], op.out[0][0]);
  op.sizes.equate(in[3], op.out[0][3]);
  SizeList extents = op.out[0];
  extents.append(2, Form(isNearest ? 1 : 2));
  Nest nest = op.makeNest(extents);
  FormArena &arena = nest.arena();
  nest.write(0, nest.getAxes().take_front(4));
  // Clamping cuts each dimension into three parts.
  enum Part { Inside, Before, After };
  for (unsigned parts = 0; parts < 9; ++parts) {
    NestRead read;
    bool isEmpty = false;
    auto at = [&](unsigned axis, unsigned part) {
      int64_t n = (*scale)[2 * axis], d = (*scale)[2 * axis + 1];
      Form y = arena.add(arena.scale(nest[1 + axis], d), Form((*offset)[axis]));
      Form x = isNearest ? arena.floorDiv(arena.add(arena.scale(y, 2), Form(n)),
                                          2 * n)
                         : arena.add(arena.floorDiv(y, n), nest[4 + axis]);
      Form last = nest.last(in[1 + axis]);
      if (part == Inside) {
        read.keepInside(x, in[1 + axis]);
        return x;
      }
      Form beyond = part == Before ? arena.negate(x) : arena.sub(x, last);
      isEmpty |= arena.range(beyond).upper <= 0;
      read.require(beyond, Interval::atLeast(1));
      return part == Before ? Form(0) : last;
    };
    Form h = at(0, parts / 3), w = at(1, parts % 3);
    // The last one stands for all if none exists.
    if (isEmpty && (!nest.reads.empty() || parts != 8))
      continue;
    read.index = {nest[0], h, w, nest[3]};
    nest.reads.push_back(std::move(read));
  }
  // Where the position is beyond the last element, both it and its neighbour
  // are that element.
  OpIndexing indexing = nest.getIndexing();
  indexing.setOutputToInput(0, 0,
                            withoutContained(indexing.outputToInput(0, 0)));
  indexing.setInputToOutput(0, 0,
                            withoutContained(indexing.inputToOutput(0, 0)));
  nest.setIndexing(std::move(indexing));
  return nest;
}

static Nest inferConcatShape(const OpSignature &signature) {
  TosaOp op(signature);
  std::optional<Nest> nest;
  if (op.isValid)
    nest = op.makeConcat(0);
  return nest ? std::move(*nest) : op.unknown();
}

/// Operands: input, start, size (one element each).
static Nest inferSliceShape(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 3 || op.out[0].size() != 1)
    return op.unknown();
  Nest nest = op.makeResultNest(NestBody::Move);
  Form first = nest.addStart(op.in[0][0], op.out[0][0],
                             {1, SmallVector<Form, 2>(op.in[1].size())});
  nest.read(0, nest.arena().add(nest[0], first));
  nest.readSingle(1, 2);
  return nest;
}

void tensoraccess::registerTosaMoveModels(MLIRContext *context) {
  attachModel<tosa::ConcatOp, inferConcat>(context);
  attachModel<tosa::ConcatShapeOp, inferConcatShape>(context);
  attachModel<tosa::GatherOp, inferGather>(context);
  attachModel<tosa::PadOp, inferPad>(context);
  attachModel<tosa::ReshapeOp, inferReshape>(context);
  attachModel<tosa::ResizeOp, inferResize>(context);
  attachModel<tosa::ReverseOp, inferReverse>(context);
  attachModel<tosa::ScatterOp, inferScatter>(context);
  attachModel<tosa::SliceOp, inferSlice>(context);
  attachModel<tosa::SliceShapeOp, inferSliceShape>(context);
  attachModel<tosa::TileOp, inferTile>(context);
  attachModel<tosa::TransposeOp, inferTranspose>(context);
}
