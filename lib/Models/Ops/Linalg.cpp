//===- Linalg.cpp - What linalg's ops read --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured ops come with loops and an affine map per operand. An operand whose
// block argument does not reach the yielded value is not read.
//
// pack, unpack and softmax are not structured in this sense and have models of
// their own; and so has memref.copy.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "Captured.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// The operands that an op on buffers writes.
static SmallVector<unsigned, 1> getDestinations(Operation *op) {
  SmallVector<unsigned, 1> list;
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op);
      dps && dps.hasPureBufferSemantics())
    for (OpOperand &init : dps.getDpsInitsMutable())
      list.push_back(init.getOperandNumber());
  return list;
}

llvm::BitVector tensoraccess::getPayloadReads(Operation *op) {
  unsigned numOperands = op->getNumOperands(),
           numResults = op->getNumResults() + getDestinations(op).size();
  llvm::BitVector reads(numResults * numOperands, true);
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return reads;
  Block &block = op->getRegion(0).front();
  if (block.getNumArguments() != numOperands || block.empty() ||
      block.back().getNumOperands() != numResults)
    return reads;
  // Forwards through the block: the arguments that each value depends on.
  DenseMap<Value, llvm::BitVector> depends;
  for (BlockArgument argument : block.getArguments()) {
    llvm::BitVector bits(numOperands);
    bits.set(argument.getArgNumber());
    depends.try_emplace(argument, std::move(bits));
  }
  for (Operation &inner : block.without_terminator()) {
    llvm::BitVector bits(numOperands);
    inner.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto it = depends.find(operand); it != depends.end())
          bits |= it->second;
    });
    for (Value result : inner.getResults())
      depends.try_emplace(result, bits);
  }
  reads.reset();
  for (auto [r, yielded] : llvm::enumerate(block.back().getOperands()))
    if (auto it = depends.find(yielded); it != depends.end())
      for (unsigned o : it->second.set_bits())
        reads.set(r * numOperands + o);
  return reads;
}

/// The operand whose map gives the places of the result's elements, or none.
static std::optional<unsigned> getTiedOperand(Operation *op, unsigned result) {
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    if (op->getNumResults() != dps.getNumDpsInits() &&
        !dps.hasPureBufferSemantics())
      return std::nullopt;
    return dps.getDpsInitOperand(result)->getOperandNumber();
  }
  // vector.contract: the accumulator is the last of three maps.
  if (op->getNumResults() == 1 && op->getNumOperands() == 3)
    return 2;
  return std::nullopt;
}

SmallVector<AffineMap>
mlir::tensoraccess::getIndexingMaps(IndexingMapOpInterface op) {
  constexpr StringLiteral memo = "linalg.memoized_indexing_maps";
  const bool hadMemo = op->hasAttr(memo);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!hadMemo)
    op->removeAttr(memo);
  return maps;
}

/// The extents of a structured op's loops; none, with a reason, where some
/// loop indexes no dimension alone. States what the op forces on sizes.
static std::optional<SizeList> getLoopExtents(SizedOp &op,
                                              ArrayRef<AffineMap> maps) {
  if (maps.size() != op.in.size())
    return std::nullopt;
  for (auto [map, shape] : llvm::zip_equal(maps, op.in))
    if (!map || map.getNumResults() != shape.size() || map.getNumSymbols() != 0)
      return std::nullopt;
  // A loop runs over every dimension that it indexes alone.
  SmallVector<std::optional<Form>> found(maps.empty() ? 0
                                                      : maps[0].getNumDims());
  for (auto [map, shape] : llvm::zip_equal(maps, op.in)) {
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim && !found[dim.getPosition()])
        found[dim.getPosition()] = size;
      else if (dim)
        op.sizes.equate(*found[dim.getPosition()], size);
    }
  }
  for (unsigned r = 0; r < op.out.size(); ++r)
    if (auto tied = getTiedOperand(op.signature.operation, r)) {
      equateAll(op.sizes, op.in[*tied], op.out[r]);
      op.out[r] = op.in[*tied];
    }
  SizeList extents;
  for (const std::optional<Form> &extent : found) {
    if (!extent) {
      op.reason = IndexingReason::DynamicShape;
      return std::nullopt;
    }
    extents.push_back(*extent);
  }
  return extents;
}

/// What an op's block does at a point.
static NestBody getBody(IndexingMapOpInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  if (!structured)
    return NestBody::Contract;
  if (structured.getNumReductionLoops() != 0)
    return linalg::isaContractionOpInterface(structured) ? NestBody::Contract
                                                         : NestBody::Reduce;
  return structured.getBlock()->without_terminator().empty() ? NestBody::Move
                                                             : NestBody::Map;
}

Nest tensoraccess::inferFromIndexingMaps(IndexingMapOpInterface op) {
  OpSignature signature(op);
  const SmallVector<unsigned, 1> destinations = getDestinations(op);
  const unsigned numResults = op->getNumResults() + destinations.size();
  if (numResults == 0)
    return signature.nothingRead();
  SizedOp sized(signature, {}, destinations);
  const SmallVector<AffineMap> maps = getIndexingMaps(op);
  std::optional<SizeList> extents;
  if (sized.isValid)
    extents = getLoopExtents(sized, maps);
  if (!extents)
    return sized.unknown();

  llvm::BitVector reads = getPayloadReads(op);
  for (unsigned r = 0; r < numResults; ++r)
    if (!getTiedOperand(op, r))
      return sized.unknown();
  Nest nest = sized.makeNest(*extents);
  nest.body = getBody(op);
  SmallVector<Interval> ranges;
  for (const Form &axis : nest.getAxes())
    ranges.push_back(nest.getForms().range(axis));
  // The index of each operand, or why it is not known.
  SmallVector<SmallVector<Form>> indices;
  SmallVector<IndexingReason> reasons;
  for (AffineMap map : maps) {
    SmallVector<Form> &forms = indices.emplace_back();
    // Mostly an index is a loop, or 0.
    auto getPlain = [&](AffineExpr expr) -> std::optional<Form> {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        return nest[dim.getPosition()];
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      return constant ? std::optional(Form(constant.getValue())) : std::nullopt;
    };
    for (AffineExpr expr : map.getResults())
      if (std::optional<Form> form = getPlain(expr))
        forms.push_back(std::move(*form));
    if (forms.size() == map.getNumResults()) {
      reasons.push_back(IndexingReason::None);
      continue;
    }
    forms.clear();
    IndexingMap index = IndexingMap::fromAffineMap(map, ranges);
    reasons.push_back(index.isUnknown()
                          ? fromUnknownReason(index.getUnknownReason())
                          : IndexingReason::None);
    if (index.isUnknown())
      continue;
    Substitution substitute(nest.arena(), index.getArena(), nest.getAxes());
    for (const Form &form : index.getResults())
      forms.push_back(substitute(form));
  }
  const unsigned numOperands = op->getNumOperands();
  for (unsigned r = 0; r < numResults; ++r) {
    const unsigned tied = *getTiedOperand(op, r);
    nest.write(r, indices[tied]).reason = reasons[tied];
    for (unsigned o = 0; o < numOperands; ++o) {
      if (!reads[r * numOperands + o])
        continue;
      NestRead &read = nest.read(o, indices[o]);
      read.write = r;
      read.reason =
          reasons[o] == IndexingReason::None ? reasons[tied] : reasons[o];
      // Axes of which neither index speaks ask only whether there is a point.
      // The old value of a result is read even if none exists.
      read.needsAllAxes = o != tied;
    }
  }
  for (unsigned o = 0; o < numOperands; ++o)
    if (!nest.findRead(o)) {
      NestRead &held = nest.read(o, indices[o]);
      held.isRead = false;
      held.reason = reasons[o];
    }
  return nest;
}

/// memref.copy: operand 1 is written where operand 0 is read.
static Nest inferCopy(const OpSignature &signature) {
  SizedOp op(signature, {}, {1});
  if (!op.isValid || !op.equateAll(op.in[0], op.in[1]))
    return op.unknown();
  Nest nest = op.makeResultNest(NestBody::Move);
  nest.read(0, nest.getAxes());
  return nest;
}

//===----------------------------------------------------------------------===//
// pack, unpack, softmax
//===----------------------------------------------------------------------===//

namespace {

/// The shapes and permutations of a pack (or, the other way round, an unpack).
struct Packing {
  SizeList plain, packed;
  /// For each plain dimension: where its outer index lies in the packed
  /// tensor, where the inner one (-1 if it isn't tiled), and its tile.
  SmallVector<int64_t> outer, inner;
  SizeList tile;

  /// From the sizes of two values; states what they have in common.
  static std::optional<Packing> get(SizedOp &op, const SizeList &plain,
                                    const SizeList &packed);
  /// x_k = outer_k * tile_k + inner_k over the packed indices as axes.
  SmallVector<Form> unpackedIndex(Nest &nest) const;
};

} // namespace

std::optional<Packing> Packing::get(SizedOp &op, const SizeList &plain,
                                    const SizeList &packed) {
  auto positions = op.signature.get<DenseI64ArrayAttr>("inner_dims_pos");
  auto tiles = op.signature.get<DenseI64ArrayAttr>("static_inner_tiles");
  auto perm = op.signature.get<DenseI64ArrayAttr>("outer_dims_perm");
  if (!positions || !tiles)
    return std::nullopt;
  Packing packing{plain, packed, {}, {}, {}};
  int64_t rank = plain.size();
  packing.outer.assign(rank, 0);
  packing.inner.assign(rank, -1);
  packing.tile.assign(rank, Form(1));
  for (int64_t i = 0; i < rank; ++i)
    packing.outer[perm && !perm.empty() ? perm[i] : i] = i;
  for (auto [i, dim] : llvm::enumerate(positions.asArrayRef())) {
    packing.inner[dim] = rank + i;
    packing.tile[dim] = packed[rank + i];
    if (!ShapedType::isDynamic(tiles[i]))
      op.sizes.equate(packing.tile[dim], Form(tiles[i]));
  }
  for (int64_t i = 0; i < rank; ++i)
    if (packing.inner[i] < 0 || op.sizes.getStatic(packing.tile[i]) == 1)
      op.sizes.equate(packing.plain[i], packing.packed[packing.outer[i]]);
  return packing;
}

SmallVector<Form> Packing::unpackedIndex(Nest &nest) const {
  SmallVector<Form> index;
  for (size_t k = 0; k < plain.size(); ++k) {
    Form x = nest.arena().mul(nest[outer[k]], nest.size(tile[k]));
    if (inner[k] >= 0)
      x = nest.arena().add(x, nest[inner[k]]);
    index.push_back(x);
  }
  return index;
}

/// Whether operand 2 of a pack is the padding value, and no tile.
static bool hasPadding(const OpSignature &signature) {
  auto segments = signature.get<DenseI32ArrayAttr>("operandSegmentSizes");
  if (segments && segments.size() == 4)
    return segments[2] == 1;
  auto tiles = signature.get<DenseI64ArrayAttr>("static_inner_tiles");
  size_t numTiles = llvm::count(tiles.asArrayRef(), ShapedType::kDynamic);
  return signature.operandTypes.size() == 3 + numTiles;
}

/// Pack: dest[outer…, inner…] = source[outer * tile + inner] where that is
/// inside, else the padding value. Operands: source, dest, padding value,
/// tiles. Unpack: dest[x] = source[x floordiv tile, x mod tile]. Operands:
/// source, dest, tiles.
template <bool isPack>
static Nest inferPacking(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || op.out.size() != 1)
    return op.unknown();
  equateAll(op.sizes, op.in[1], op.out[0]);
  auto packing = Packing::get(op, op.in[isPack ? 0 : 1], op.in[isPack ? 1 : 0]);
  if (!packing)
    return op.unknown();
  Nest nest = op.makeNest(packing->packed);
  nest.body = NestBody::Move;
  SmallVector<Form> index = packing->unpackedIndex(nest);
  ArrayRef<Form> packed = nest.getAxes();
  nest.write(0, isPack ? packed : ArrayRef<Form>(index));
  NestRead &read = nest.read(0, isPack ? ArrayRef<Form>(index) : packed);
  for (auto [x, size] : llvm::zip_equal(index, packing->plain))
    read.keepInside(x, size);
  if (isPack && hasPadding(signature))
    nest.readOutside(2, {}, std::vector<NestGuard>(read.guards));
  return nest;
}

/// Each element reads the whole line of its input along `dimension`.
static Nest inferSoftmax(const OpSignature &signature) {
  SizedOp op(signature);
  auto dimension = signature.get<IntegerAttr>("dimension");
  if (!dimension || !op.isValid || op.out.size() != 1 ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  for (const SizeList &dest : ArrayRef(op.in).drop_front())
    equateAll(op.sizes, op.in[0], dest);
  SizeList extents = op.in[0];
  extents.push_back(op.in[0][dimension.getInt()]);
  Nest nest = op.makeNest(extents);
  SmallVector<Form> index(nest.getAxes().drop_back()), line = index;
  line[dimension.getInt()] = nest.getAxes().back();
  nest.write(0, index);
  nest.read(0, line);
  return nest;
}

//===----------------------------------------------------------------------===//
// Winograd
//===----------------------------------------------------------------------===//

namespace {

/// Winograd's transforms multiply small tiles by constant matrices from both
/// sides: every element of a tile of the result reads a whole tile of the
/// input, of m + r - 1 (input), m (output) or r (filter) elements a side. The
/// loops run over the larger side: a tile index (height, width) becomes
/// positions along two dimensions of an image, with a step of m.
struct Winograd : SizedOp {
  explicit Winograd(const OpSignature &signature) : SizedOp(signature) {
    auto fmr = signature.get<linalg::WinogradConv2DFmrAttr>("fmr");
    isValid = isValid && out.size() == 1 && fmr && equateAll(in[1], out[0]);
    if (isValid)
      m = fmr.getValue() == linalg::WinogradConv2DFmr::F_4_3 ? 4 : 2;
  }
  int64_t m = 0;
};

} // namespace

/// (f, kh, kw, c) -> (ah, aw, c, f).
static Nest inferWinogradFilter(const OpSignature &signature) {
  Winograd op(signature);
  if (!op.isValid)
    return op.unknown();
  const SizeList &in = op.in[0], &out = op.out[0];
  op.sizes.equate(in[3], out[2]);
  op.sizes.equate(in[0], out[3]);
  Nest nest = op.makeNest({in[0], in[1], in[2], in[3], out[0], out[1]});
  nest.write(0, {nest[4], nest[5], nest[3], nest[0]});
  nest.read(0, nest.getAxes().take_front(4));
  return nest;
}

/// (n, h, w, c) -> (ah, aw, th, tw, n, c).
static Nest inferWinogradInput(const OpSignature &signature) {
  Winograd op(signature);
  if (!op.isValid)
    return op.unknown();
  const SizeList &in = op.in[0], &out = op.out[0];
  op.sizes.equate(in[0], out[4]);
  op.sizes.equate(in[3], out[5]);
  SizeList extents = out;
  extents.append({out[0], out[1]});
  Nest nest = op.makeNest(extents);
  // An axis that is not transformed has tiles of one element.
  auto at = [&](unsigned axis) {
    bool whole = op.sizes.getStatic(out[axis]) != 1;
    return nest.arena().addScaled(nest[6 + axis], nest[2 + axis],
                                  whole ? op.m : 1);
  };
  Form h = at(0), w = at(1);
  nest.write(0, nest.getAxes().take_front(6));
  NestRead &read = nest.read(0, {nest[4], h, w, nest[5]});
  read.keepInside(h, in[1]);
  read.keepInside(w, in[2]);
  return nest;
}

/// (ah, aw, th, tw, n, f) -> (n, h, w, f).
static Nest inferWinogradOutput(const OpSignature &signature) {
  Winograd op(signature);
  if (!op.isValid)
    return op.unknown();
  const SizeList &in = op.in[0], &out = op.out[0];
  op.sizes.equate(in[4], out[0]);
  op.sizes.equate(in[5], out[3]);
  SizeList extents = in;
  for (unsigned axis : {0, 1})
    extents.push_back(Form(op.sizes.getStatic(in[axis]) != 1 ? op.m : 1));
  // As a convolution does, it adds to what was there.
  llvm::append_range(extents, out);
  Nest nest = op.makeNest(extents);
  auto at = [&](unsigned axis) {
    return nest.arena().addScaled(nest[6 + axis], nest[2 + axis],
                                  extents[6 + axis].constant);
  };
  Form h = at(0), w = at(1);
  NestAccess &write = nest.write(0, {nest[4], h, w, nest[5]});
  write.keepInside(h, out[1]);
  write.keepInside(w, out[2]);
  nest.read(0, nest.getAxes().take_front(6)).write = 0;
  ArrayRef<Form> old = nest.getAxes().take_back(4);
  nest.write(0, old);
  nest.read(1, old).write = 1;
  return nest;
}

void tensoraccess::registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachModel<linalg::PackOp, inferPacking<true>>(context);
    attachModel<linalg::UnPackOp, inferPacking<false>>(context);
    attachModel<linalg::SoftmaxOp, inferSoftmax>(context);
    attachModel<linalg::WinogradFilterTransformOp, inferWinogradFilter>(
        context);
    attachModel<linalg::WinogradInputTransformOp, inferWinogradInput>(context);
    attachModel<linalg::WinogradOutputTransformOp, inferWinogradOutput>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    attachModel<memref::CopyOp, inferCopy>(context);
  });
}
