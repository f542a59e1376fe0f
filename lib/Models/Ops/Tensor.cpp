//===- Tensor.cpp - What tensor's ops read --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that are values are parameters (OpSizes.h). Indices that are values
// become runtime variables, bounded by what keeps the access inside. Slices are
// in TensorSlice.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "Function/Models.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

Interval Padding::getLowRange(const OpSizes &sizes, unsigned i) const {
  // -(in - 1) <= low <= out - 1, or no element stays.
  std::optional<int64_t> inSize = sizes.getStatic(in[i]);
  std::optional<int64_t> outSize = sizes.getStatic(out[i]);
  int64_t lower =
      inSize ? 1 - std::max<int64_t>(*inSize, 1) : Interval::kNoLower;
  return {lowMayBeNegative ? lower : 0,
          outSize ? std::max<int64_t>(*outSize, 1) - 1 : Interval::kNoUpper};
}

Nest Padding::makeNest(const SizedOp &op,
                       std::optional<unsigned> outside) const {
  Nest nest = op.makeResultNest(NestBody::Move);
  const OpSizes &sizes = nest.getSizes();
  SmallVector<Form> index;
  for (auto [i, number] : llvm::enumerate(low)) {
    Form first = number ? Form(*number)
                        : nest.addValue(getLowRange(sizes, i), lowSources[i]);
    index.push_back(nest.arena().sub(nest[i], first));
  }
  NestRead &inside = nest.read(0, index);
  for (auto [form, size] : llvm::zip_equal(index, in))
    inside.keepInside(form, size);
  if (outside)
    nest.readOutside(*outside, SmallVector<Form>(op.in[*outside].size()),
                     std::vector<NestGuard>(inside.guards));
  return nest;
}

/// What is outside comes from the region.
static Nest inferPad(const OpSignature &signature) {
  SizedOp op(signature);
  auto low = signature.get<DenseI64ArrayAttr>("static_low");
  auto high = signature.get<DenseI64ArrayAttr>("static_high");
  if (!low || !high || !op.isValid)
    return op.unknown();
  Padding padding{op.in[0], op.out[0], {}, {}};
  unsigned next = 1;
  for (auto [i, size] : llvm::enumerate(padding.in)) {
    bool isKnown = !ShapedType::isDynamic(low[i]);
    padding.low.push_back(isKnown ? std::optional(low[i]) : std::nullopt);
    padding.lowSources.push_back({isKnown ? 0 : next++, {}});
    if (!isKnown || ShapedType::isDynamic(high[i]))
      continue;
    if (std::optional<int64_t> sum = checkedAdd(low[i], high[i]))
      op.sizes.equate(padding.out[i],
                      op.sizes.getArena().add(size, Form(*sum)));
  }
  Nest nest = padding.makeNest(op);
  nest.readSingle(1, op.in.size());
  return nest;
}

/// Elements stay where they are. A side whose rank is known tells what the other
/// one is.
static Nest inferCast(const OpSignature &signature) {
  SizedOp op(signature);
  // A bitcast makes others of the same bits.
  const bool isMove = getElementTypeOrSelf(signature.operandTypes[0]) ==
                      getElementTypeOrSelf(signature.resultTypes[0]);
  const NestBody body = isMove ? NestBody::Move : NestBody::Map;
  if (op.isValid) {
    Nest nest = inferElementwise(op);
    nest.body = body;
    return nest;
  }
  IndexingReason reason;
  if (auto shape = op.sizes.operand(0, reason))
    op.out[0] = *shape;
  else if (auto shape = op.sizes.result(0, reason))
    op.in[0] = *shape;
  else
    return op.unknown();
  Nest nest = op.makeResultNest(body);
  nest.read(0, nest.getAxes());
  return nest;
}

static Nest inferConcat(const OpSignature &signature) {
  SizedOp op(signature);
  auto dim = signature.get<IntegerAttr>("dim");
  std::optional<Nest> nest;
  if (op.isValid && dim)
    nest = op.makeConcat(dim.getInt());
  return nest ? std::move(*nest) : op.unknown();
}

/// Operand 0 everywhere, even if it is a vector; the others are sizes.
static Nest inferSplat(const OpSignature &signature) {
  SizedOp op(signature);
  op.in[0].clear();
  Nest nest = op.makeResultNest(NestBody::Move);
  nest.read(0, {});
  return nest;
}

/// Only the shape is asked for; operands from 1 on are scalars.
static Nest inferShapeOnly(const OpSignature &signature) {
  SizedOp op(signature);
  Nest nest = op.makeResultNest(NestBody::Opaque);
  nest.readSingle(1, op.in.size());
  return nest;
}

/// The single element, which may be a vector, at indices that are operands.
template <bool inserts>
static Nest inferElement(const OpSignature &signature) {
  SizedOp op(signature);
  SmallVector<int64_t> offsets(op.in[inserts].size(), ShapedType::kDynamic);
  return inferPart(op, inserts, {}, offsets);
}

static Nest inferNothing(const OpSignature &signature) {
  return signature.nothingRead();
}

//===----------------------------------------------------------------------===//
// gather, scatter
//===----------------------------------------------------------------------===//

namespace {

/// How a gather (or, the other way round, a scatter) numbers what it moves:
/// parts[batch..., within...] is at whole[index...], where the coordinates
/// of `dims` come from indices[batch..., k] and the others from within.
struct Gathering {
  SizeList whole, indices, parts;
  SmallVector<int64_t> dims;

  static std::optional<Gathering> get(OpSizes &sizes, const SizeList &whole,
                                      const SizeList &indices,
                                      const SizeList &parts,
                                      ArrayRef<int64_t> dims);
  unsigned getNumBatch() const { return indices.size() - 1; }
  /// The index of the whole tensor where the parts have this one; adds a value
  /// for each of `dims`.
  SmallVector<Form> getWholeIndex(Nest &nest, ArrayRef<Form> part,
                                  unsigned indicesOperand) const;
};

} // namespace

std::optional<Gathering> Gathering::get(OpSizes &sizes, const SizeList &whole,
                                        const SizeList &indices,
                                        const SizeList &parts,
                                        ArrayRef<int64_t> dims) {
  if (indices.empty())
    return std::nullopt;
  Gathering gathering{whole, indices, parts, SmallVector<int64_t>(dims)};
  unsigned batch = gathering.getNumBatch();
  // Gathered dimensions are kept as units, or dropped.
  bool kept = parts.size() == batch + whole.size();
  if (!kept && parts.size() + dims.size() != batch + whole.size())
    return std::nullopt;
  for (unsigned i = 0; i < batch; ++i)
    sizes.equate(indices[i], parts[i]);
  unsigned next = batch;
  for (unsigned d = 0; d < whole.size(); ++d) {
    bool isGathered = llvm::is_contained(dims, d);
    if (isGathered && kept)
      sizes.equate(parts[next++], Form(1));
    else if (!isGathered)
      sizes.equate(parts[next++], whole[d]);
  }
  return gathering;
}

SmallVector<Form> Gathering::getWholeIndex(Nest &nest, ArrayRef<Form> part,
                                           unsigned indicesOperand) const {
  bool kept = parts.size() == getNumBatch() + whole.size();
  unsigned next = getNumBatch();
  SmallVector<Form> index;
  for (unsigned d = 0; d < whole.size(); ++d) {
    if (!llvm::is_contained(dims, d)) {
      index.push_back(part[next++]);
      continue;
    }
    NestSource source{indicesOperand, {}};
    source.index.assign(part.begin(), part.begin() + getNumBatch());
    source.index.push_back(Form(llvm::find(dims, d) - dims.begin()));
    index.push_back(nest.addIndex(whole[d], std::move(source)));
    next += kept;
  }
  return index;
}

/// Operands: source, indices. All coordinates of an index are read.
static Nest inferGather(const OpSignature &signature) {
  SizedOp op(signature);
  auto dims = signature.get<DenseI64ArrayAttr>("gather_dims");
  auto gathering = op.isValid && dims
                       ? Gathering::get(op.sizes, op.in[0], op.in[1], op.out[0],
                                        dims.asArrayRef())
                       : std::nullopt;
  if (!gathering)
    return op.unknown();
  SizeList extents = gathering->parts;
  extents.push_back(gathering->indices.back());
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> part = nest.getAxes().drop_back();
  nest.write(0, part);
  nest.read(0, gathering->getWholeIndex(nest, part, 1));
  SmallVector<Form> index(part.take_front(gathering->getNumBatch()));
  index.push_back(nest.getAxes().back());
  nest.read(1, index);
  return nest;
}

/// Operands: source, dest, indices. Which element of the source lands where
/// only the indices tell, so every element of the result may be the old one,
/// and depends on all indices.
static Nest inferScatter(const OpSignature &signature) {
  SizedOp op(signature);
  auto dims = signature.get<DenseI64ArrayAttr>("scatter_dims");
  if (!dims || !op.isValid || !equateAll(op.sizes, op.in[1], op.out[0]))
    return op.unknown();
  auto gathering =
      Gathering::get(op.sizes, op.in[1], op.in[2], op.in[0], dims.asArrayRef());
  if (!gathering)
    return op.unknown();
  // Of the parts, of the result, of the indices.
  const size_t numParts = gathering->parts.size(), rank = op.in[1].size();
  SizeList extents = gathering->parts;
  llvm::append_range(extents, op.in[1]);
  llvm::append_range(extents, gathering->indices);
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> part = nest.getAxes().take_front(numParts);
  ArrayRef<Form> old = nest.getAxes().slice(numParts, rank);
  nest.write(0, gathering->getWholeIndex(nest, part, 2));
  nest.write(0, old);
  nest.read(0, part).write = 0;
  nest.read(1, old).write = 1;
  nest.read(2, nest.getAxes().drop_front(numParts + rank)).write = 1;
  return nest;
}

void tensoraccess::registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachModel<tensor::BitcastOp, inferCast>(context);
    attachModel<tensor::CastOp, inferCast>(context);
    attachModel<tensor::CollapseShapeOp, inferReshape>(context);
    attachModel<tensor::ConcatOp, inferConcat>(context);
    attachModel<tensor::DimOp, inferShapeOnly>(context);
    attachModel<tensor::EmptyOp, inferNothing>(context);
    attachModel<tensor::ExpandShapeOp, inferReshape>(context);
    attachModel<tensor::ExtractOp, inferElement<false>>(context);
    attachModel<tensor::ExtractSliceOp, inferExtractSlice>(context);
    attachModel<tensor::FromElementsOp, inferFromElements>(context);
    attachModel<tensor::GatherOp, inferGather>(context);
    attachModel<tensor::GenerateOp, inferNothing>(context);
    attachModel<tensor::InsertOp, inferElement<true>>(context);
    attachModel<tensor::InsertSliceOp, inferInsertSlice>(context);
    attachModel<tensor::PadOp, inferPad>(context);
    attachModel<tensor::RankOp, inferShapeOnly>(context);
    attachModel<tensor::ReshapeOp, inferReshape>(context);
    attachModel<tensor::ScatterOp, inferScatter>(context);
    attachModel<tensor::SplatOp, inferSplat>(context);
  });
}
