//===- ProjectOp.cpp - Projections as access patterns ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules are Core's (Access.h), and so is the witness of a place
// that is forbidden. What the op reads is written straight from its formula,
// with `mod` for wrap and negative, `min` and `max` for clamp, and the places
// that are inside for pad.
//
//===----------------------------------------------------------------------===//

#include "Ops/StaticOp.h"
#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "Types/OpHelpers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The ends of a block; where there is no lower one it is all 0.
static IndexRegion getRegion(std::optional<ArrayRef<int64_t>> lower,
                             ArrayRef<int64_t> upper) {
  IndexRegion block;
  block.hi.assign(upper.begin(), upper.end());
  if (lower)
    block.lo.assign(lower->begin(), lower->end());
  else
    block.lo.assign(upper.size(), 0);
  return block;
}

IndexRegion ProjectOp::getBlockRegion() {
  return getRegion(getLower(), getUpper());
}

SmallVector<int64_t> ProjectOp::getExtents() {
  ArrayRef<int64_t> access = getType().getAccessShape();
  return SmallVector<int64_t>(access.take_back(getUpper().size()));
}

void ProjectOp::build(OpBuilder &b, OperationState &state, Value pattern,
                      const AnchoredProjection &projection,
                      const IndexRegion &block) {
  DenseI64ArrayAttr lower;
  if (llvm::any_of(block.lo, [](int64_t end) { return end != 0; }))
    lower = b.getDenseI64ArrayAttr(block.lo);
  build(b, state, pattern, ProjectionAttr::get(b.getContext(), projection),
        lower, b.getDenseI64ArrayAttr(block.hi));
}

LogicalResult ProjectOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  const Projection &projection = adaptor.getProjection().getProjection();
  std::optional<ArrayRef<int64_t>> lower = adaptor.getLower();
  ArrayRef<int64_t> upper = adaptor.getUpper();
  // C1
  if (lower && lower->size() != upper.size())
    return emitOptionalError(loc,
                             "block must have as many lower as upper ends, "
                             "got ",
                             lower->size(), " and ", upper.size());
  // C3
  for (auto [dim, size] : llvm::enumerate(type.getComputeShape()))
    if (size == kDynamicSize)
      return emitOptionalError(loc, "compute dimension ", dim,
                               " must be static, got ?");
  // C1, C2, C4, C5
  const IndexRegion block = getRegion(lower, upper);
  if (std::string fault =
          checkProjection(projection, block, type.getComputeShape());
      !fault.empty())
    return emitOptionalError(loc, fault);
  // C6
  for (auto [dim, policy] : llvm::enumerate(projection.outOfBounds))
    if (!fitsElementType(policy, type.getElementType()))
      return emitOptionalError(loc, "oob entry ", dim,
                               " must have a value of type ",
                               type.getElementType(), ", got ", policy.str());
  SmallVector<int64_t> shape(type.getAccessShape());
  llvm::append_range(shape, getProjectedShape(projection, block));
  return inferSplit(loc, context, shape, type.getAccessRank() + upper.size(),
                    type.getElementType(), types);
}

/// A projection of a scalar = nothing; policies that never act are dropped, and
/// so is a lower end of zeros.
OpFoldResult ProjectOp::fold(FoldAdaptor) {
  if (getType() == getPattern().getType())
    return getPattern();
  if (getLower() &&
      llvm::all_of(*getLower(), [](int64_t end) { return end == 0; })) {
    removeLowerAttr();
    return getResult();
  }
  AnchoredProjection projection = getProjection().getValue();
  if (projection.projection.outOfBounds.empty() ||
      !getProjectionSteps(projection.projection, getBlockRegion(),
                          getPattern().getType().getComputeShape())
           .policies.empty())
    return {};
  projection.projection.outOfBounds.clear();
  setProjectionAttr(ProjectionAttr::get(getContext(), projection));
  return getResult();
}

/// result[a ++ i | s] = pattern[a | M·(lower + i) + offset + anchor + s]
NestRef ProjectOp::inferNest(const OpSignature &s) {
  auto projection = s.get<ProjectionAttr>("projection");
  auto upper = s.get<DenseI64ArrayAttr>("upper");
  auto lower = s.get<DenseI64ArrayAttr>("lower");
  IndexingReason reason = IndexingReason::UnsupportedForm;
  if (!projection || !upper)
    return share(s.unknown(reason));
  std::optional<StaticOp> op = StaticOp::get(s, reason);
  if (!op)
    return share(s.unknown(reason));
  const Projection &p = projection.getProjection();
  const size_t access = cast<AccessType>(s.operandTypes[0]).getAccessRank();
  const size_t columns = upper.size();
  const bool isEmpty = llvm::is_contained(op->out[0], 0);
  Nest nest = op->makeResultNest(NestBody::Move);
  ArrayRef<Form> x = nest.getAxes();
  FormArena &arena = nest.arena();
  NestRead read;
  read.index.assign(x.begin(), x.begin() + access);
  for (size_t r = 0; r != p.getNumRows(); ++r) {
    // Of an empty block nothing is read; its numbers may be too large.
    if (isEmpty) {
      read.index.push_back(Form(0));
      continue;
    }
    Form place = arena.add(x[access + columns + r], Form(p.offset[r]));
    if (p.anchor)
      place = arena.add(place, Form((*p.anchor)[r]));
    for (size_t c = 0; c != columns; ++c) {
      Form index = arena.add(x[access + c], Form(lower ? lower[c] : 0));
      place = arena.add(place, arena.scale(index, p.matrix[r][c]));
    }
    read.index.push_back(resolveForm(nest, read, std::move(place),
                                     op->in[0][access + r],
                                     p.getOutOfBounds(r).kind));
  }
  nest.reads.push_back(std::move(read));
  return share(std::move(nest));
}
