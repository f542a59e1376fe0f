//===- Tensor.cpp - What tensor's ops read --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model writes down the loops in which result and operand meet, and lets
// Core's `relate` solve them in both directions. Sizes that are values are
// parameters (OpSizes.h). Indices that are values become runtime variables,
// bounded by what keeps the access inside. Slices are in TensorSlice.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "Read/Models.h"
#include "TensorAccess/Interfaces/OpSizes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

Form tensoraccess::addRuntimeStart(Loops &loops, OpSizes &sizes,
                                   const Form &whole, const Form &part,
                                   Loops::Source source) {
  std::optional<int64_t> wholeSize = sizes.getStatic(whole);
  std::optional<int64_t> partSize = sizes.getStatic(part);
  std::optional<int64_t> last =
      wholeSize && partSize ? checkedSub(*wholeSize, *partSize) : std::nullopt;
  Form start = loops.addRuntime(
      last ? Interval(0, *last) : Interval::atLeast(0), std::move(source));
  if (!last) {
    // start + part - whole <= 0
    Form end = loops.arena().add(start, loops.size(part));
    loops.addConstraint(loops.arena().sub(end, loops.size(whole)),
                        Interval::atMost(0));
  }
  return start;
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

SmallVector<Form> Padding::addLow(Loops &loops, OpSizes &sizes) const {
  SmallVector<Form> forms;
  for (auto [i, number] : llvm::enumerate(low)) {
    if (number) {
      forms.push_back(Form(*number));
      continue;
    }
    // -(in - 1) <= low <= out - 1, or no element stays.
    std::optional<int64_t> inSize = sizes.getStatic(in[i]);
    std::optional<int64_t> outSize = sizes.getStatic(out[i]);
    int64_t lower =
        inSize ? 1 - std::max<int64_t>(*inSize, 1) : Interval::kNoLower;
    forms.push_back(loops.addRuntime(
        {lowMayBeNegative ? lower : 0,
         outSize ? std::max<int64_t>(*outSize, 1) - 1 : Interval::kNoUpper},
        lowSources[i]));
  }
  return forms;
}

void Padding::connectInside(OpSizes &sizes, OpIndexing &indexing) const {
  Loops loops(sizes, in);
  SmallVector<Form> first = addLow(loops, sizes), index;
  for (auto [i, x] : llvm::enumerate(loops.get())) {
    index.push_back(loops.arena().add(x, first[i]));
    // Negative padding cuts off.
    loops.keepInside(index.back(), out[i]);
  }
  loops.connect(indexing, 0, index, out, 0, loops.get(), in);
}

bool Padding::hasBorder(OpSizes &sizes, unsigned part) const {
  unsigned k = part / 2;
  if (!low[k])
    return true;
  if (part % 2 == 0)
    return *low[k] > 0;
  Form added =
      sizes.getArena().sub(sizes.resolve(out[k]), sizes.resolve(in[k]));
  return !added.isConstant() || added.constant > *low[k];
}

void Padding::restrictToBorder(Loops &loops, OpSizes &sizes,
                               unsigned part) const {
  SmallVector<Form> first = addLow(loops, sizes);
  FormArena &arena = loops.arena();
  unsigned k = part / 2;
  for (unsigned i = 0; i < k; ++i)
    loops.keepInside(arena.sub(loops[i], first[i]), in[i]);
  Form x = arena.sub(loops[k], first[k]);
  if (part % 2 == 0)
    return loops.addConstraint(x, Interval::atMost(-1));
  loops.addConstraint(arena.sub(x, loops.size(in[k])), Interval::atLeast(0));
}

void Padding::forEachBorder(OpSizes &sizes,
                            llvm::function_ref<void(Loops &)> visit) const {
  for (unsigned part = 0; part < 2 * in.size(); ++part) {
    if (!hasBorder(sizes, part))
      continue;
    Loops loops(sizes, out);
    restrictToBorder(loops, sizes, part);
    visit(loops);
  }
}

/// What lies outside comes from the region.
static OpIndexing inferPad(const OpSignature &signature) {
  SizedOp op(signature);
  std::optional<Padding> padding = getTensorPadding(op);
  if (!padding)
    return op.unknown();
  padding->connectInside(op.sizes, op.indexing);
  op.addSingle(1, op.in.size());
  return op.finish();
}

std::optional<Padding> tensoraccess::getTensorPadding(SizedOp &op) {
  auto low = op.signature.get<DenseI64ArrayAttr>("static_low");
  auto high = op.signature.get<DenseI64ArrayAttr>("static_high");
  if (!low || !high || !op.isValid)
    return std::nullopt;
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
  return padding;
}

/// Elements stay where they are. A side whose rank is known says what the other
/// one is.
static OpIndexing inferCast(const OpSignature &signature) {
  SizedOp op(signature);
  if (op.isValid)
    return inferElementwise(signature);
  IndexingReason reason;
  if (auto shape = op.sizes.operand(0, reason))
    op.out[0] = *shape;
  else if (auto shape = op.sizes.result(0, reason))
    op.in[0] = *shape;
  else
    return op.unknown();
  op.addSame(0);
  return op.finish();
}

static OpIndexing inferConcat(const OpSignature &signature) {
  SizedOp op(signature);
  auto dim = signature.get<IntegerAttr>("dim");
  if (!op.isValid || !dim || !op.addConcat(dim.getInt()))
    return op.unknown();
  return op.finish();
}

/// Operand 0 everywhere, even if it is a vector; the others are sizes.
static OpIndexing inferSplat(const OpSignature &signature) {
  SizedOp op(signature);
  op.in[0].clear();
  op.addSingle(0, 1);
  return op.finish();
}

/// Only the shape is asked for; operands from 1 on are scalars.
static OpIndexing inferShapeOnly(const OpSignature &signature) {
  SizedOp op(signature);
  op.addSingle(1, op.in.size());
  return std::move(op.indexing);
}

/// The single element, which may be a vector, at indices that are operands.
template <bool inserts>
static OpIndexing inferElement(const OpSignature &signature) {
  SizedOp op(signature);
  SmallVector<int64_t> offsets(op.in[inserts].size(), ShapedType::kDynamic);
  return inferPart(op, inserts, {}, offsets);
}

static OpIndexing inferNothing(const OpSignature &signature) {
  return signature.nothingRead();
}

//===----------------------------------------------------------------------===//
// gather, scatter
//===----------------------------------------------------------------------===//

namespace {

/// How a gather (or, the other way round, a scatter) numbers what it moves:
/// parts[batch..., within...] lies at whole[index...], where the coordinates
/// of `dims` come from indices[batch..., k] and the others from within.
struct Gathering {
  SizeList whole, indices, parts;
  SmallVector<int64_t> dims;

  static std::optional<Gathering> get(OpSizes &sizes, const SizeList &whole,
                                      const SizeList &indices,
                                      const SizeList &parts,
                                      ArrayRef<int64_t> dims);
  unsigned getNumBatch() const { return indices.size() - 1; }
  /// The index of the whole tensor; adds a runtime variable for each of `dims`
  /// to loops over the parts.
  SmallVector<Form> getWholeIndex(Loops &loops, unsigned indicesOperand) const;
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

SmallVector<Form> Gathering::getWholeIndex(Loops &loops,
                                           unsigned indicesOperand) const {
  bool kept = parts.size() == getNumBatch() + whole.size();
  unsigned next = getNumBatch();
  SmallVector<Form> index;
  for (unsigned d = 0; d < whole.size(); ++d) {
    if (!llvm::is_contained(dims, d)) {
      index.push_back(loops[next++]);
      continue;
    }
    Loops::Source source{indicesOperand, {}};
    source.index.assign(loops.get().begin(),
                        loops.get().begin() + getNumBatch());
    source.index.push_back(Form(llvm::find(dims, d) - dims.begin()));
    index.push_back(loops.addRuntimeIndex(whole[d], std::move(source)));
    next += kept;
  }
  return index;
}

/// Operands: source, indices.
static OpIndexing inferGather(const OpSignature &signature) {
  SizedOp op(signature);
  auto dims = signature.get<DenseI64ArrayAttr>("gather_dims");
  auto gathering = op.isValid && dims
                       ? Gathering::get(op.sizes, op.in[0], op.in[1], op.out[0],
                                        dims.asArrayRef())
                       : std::nullopt;
  if (!gathering)
    return op.unknown();
  {
    Loops loops(op.sizes, gathering->parts);
    SmallVector<Form> whole = gathering->getWholeIndex(loops, 1);
    op.connect(loops, loops.get(), 0, whole);
  }
  // All coordinates of an index are read.
  SizeList extents = gathering->parts;
  extents.push_back(gathering->indices.back());
  Loops loops(op.sizes, extents);
  SmallVector<Form> index(loops.get().take_front(gathering->getNumBatch()));
  index.push_back(loops.get().back());
  op.connect(loops, loops.get().drop_back(), 1, index);
  return op.finish();
}

/// Operands: source, dest, indices. Which element of the source lands where
/// only the indices tell, so every element of the result may be the old one,
/// and depends on all indices.
static OpIndexing inferScatter(const OpSignature &signature) {
  SizedOp op(signature);
  auto dims = signature.get<DenseI64ArrayAttr>("scatter_dims");
  if (!dims || !op.isValid || !equateAll(op.sizes, op.in[1], op.out[0]))
    return op.unknown();
  auto gathering =
      Gathering::get(op.sizes, op.in[1], op.in[2], op.in[0], dims.asArrayRef());
  if (!gathering)
    return op.unknown();
  Loops loops(op.sizes, gathering->parts);
  SmallVector<Form> whole = gathering->getWholeIndex(loops, 2);
  op.connect(loops, whole, 0, loops.get());
  op.addSame(1);
  SizeList extents = op.in[1];
  llvm::append_range(extents, gathering->indices);
  Loops all(op.sizes, extents);
  op.connect(all, all.get().take_front(op.in[1].size()), 2,
             all.get().drop_front(op.in[1].size()));
  return op.finish();
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
