//===- Linalg.cpp - What linalg's ops read --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured ops come with a loop nest and an indexing map per operand, so that
// result and operand are two results of one map over the loops, which is what
// Core's `relate` wants. An operand whose block argument does not reach the
// yielded value is not read.
//
// pack, unpack and softmax are not structured in this sense and have models of
// their own.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "Captured.h"
#include "TensorAccess/Interfaces/OpSizes.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SmallVector<Form> tensoraccess::addLoops(IndexingMapBuilder &loops,
                                         ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector(sizes, [&](int64_t size) {
    return loops.addDim(Interval::ofExtent(size));
  });
}

void tensoraccess::addResults(IndexingMapBuilder &loops, ArrayRef<Form> forms) {
  for (const Form &form : forms)
    loops.addResult(form);
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

llvm::BitVector tensoraccess::getPayloadReads(Operation *op) {
  unsigned numResults = op->getNumResults(), numOperands = op->getNumOperands();
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

std::optional<unsigned> tensoraccess::getTiedOperand(Operation *op,
                                                     unsigned result) {
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    if (op->getNumResults() != dps.getNumDpsInits())
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

std::optional<StructuredLoops> StructuredLoops::get(IndexingMapOpInterface op,
                                                    OpSizes &sizes,
                                                    IndexingReason &reason) {
  StructuredLoops nest;
  for (unsigned o = 0; o < op->getNumOperands(); ++o) {
    std::optional<SizeList> shape = sizes.operand(o, reason);
    if (!shape)
      return std::nullopt;
    nest.shapes.push_back(*shape);
  }
  nest.maps = getIndexingMaps(op);
  if (nest.maps.size() != nest.shapes.size())
    return std::nullopt;
  for (auto [map, shape] : llvm::zip_equal(nest.maps, nest.shapes))
    if (!map || map.getNumResults() != shape.size() || map.getNumSymbols() != 0)
      return std::nullopt;

  // A loop runs over every dimension that it indexes alone.
  SmallVector<std::optional<Form>> found(
      nest.maps.empty() ? 0 : nest.maps[0].getNumDims());
  for (auto [map, shape] : llvm::zip_equal(nest.maps, nest.shapes)) {
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim && !found[dim.getPosition()])
        found[dim.getPosition()] = size;
      else if (dim)
        sizes.equate(*found[dim.getPosition()], size);
    }
  }
  for (unsigned r = 0; r < op->getNumResults(); ++r)
    if (std::optional<unsigned> tied = getTiedOperand(op, r))
      if (std::optional<SizeList> shape = sizes.result(r, reason))
        equateAll(sizes, nest.shapes[*tied], *shape);
  for (const std::optional<Form> &extent : found) {
    if (!extent) {
      reason = IndexingReason::DynamicShape;
      return std::nullopt;
    }
    nest.extents.push_back(*extent);
    nest.ranges.push_back(Interval::ofExtent(
        sizes.getStatic(*extent).value_or(ShapedType::kDynamic)));
  }
  return nest;
}

OpIndexing tensoraccess::inferFromIndexingMaps(IndexingMapOpInterface op) {
  OpSignature signature(op);
  if (op->getNumResults() == 0)
    return signature.nothingRead();
  IndexingReason reason = IndexingReason::UnsupportedForm;
  OpSizes sizes(signature);
  std::optional<StructuredLoops> nest = StructuredLoops::get(op, sizes, reason);
  if (!nest)
    return signature.unknown(reason);
  const auto &[extents, ranges, maps, shapes] = *nest;

  llvm::BitVector reads = getPayloadReads(op);
  OpIndexing indexing = signature.nothingRead();
  for (unsigned r = 0; r < op->getNumResults(); ++r) {
    std::optional<unsigned> tied = getTiedOperand(op, r);
    for (unsigned o = 0; o < op->getNumOperands(); ++o) {
      if (!reads[r * op->getNumOperands() + o])
        continue;
      if (!tied) {
        indexing.setUnknown(r, o, reason);
        continue;
      }
      AffineMap both =
          concatAffineMaps({maps[*tied], maps[o]}, op->getContext());
      IndexingMap index = IndexingMap::fromAffineMap(both, ranges);
      if (index.isUnknown()) {
        indexing.setUnknown(r, o, fromUnknownReason(index.getUnknownReason()));
        continue;
      }
      // Loops of which neither index speaks ask only whether there is a point.
      // The old value of a result is read even if there is none.
      SizeList used;
      for (unsigned d = 0; d < extents.size(); ++d)
        if (both.isFunctionOfDim(d))
          used.push_back(extents[d]);
      Loops loops(sizes, used);
      SmallVector<Form> images(extents.size());
      unsigned next = 0;
      for (unsigned d = 0; d < extents.size(); ++d) {
        if (both.isFunctionOfDim(d))
          images[d] = loops[next++];
        else if (o != *tied)
          loops.keepIfNotEmpty(extents[d]);
      }
      Substitution substitute(loops.arena(), index.getArena(), images);
      SmallVector<Form> forms;
      for (const Form &form : index.getResults())
        forms.push_back(substitute(form));
      auto split = ArrayRef(forms).begin() + shapes[*tied].size();
      loops.connect(indexing, r, ArrayRef(forms.begin(), split), shapes[*tied],
                    o, ArrayRef(split, forms.end()), shapes[o]);
    }
  }
  sizes.record(indexing);
  return indexing;
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
  /// x_k = outer_k * tile_k + inner_k over the packed indices as loops.
  SmallVector<Form> unpackedIndex(Loops &loops) const;
  /// The loops in which the packed index meets the plain one.
  void connect(SizedOp &op, bool packedFirst) const;
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

SmallVector<Form> Packing::unpackedIndex(Loops &loops) const {
  SmallVector<Form> index;
  for (size_t k = 0; k < plain.size(); ++k) {
    Form x = loops.arena().mul(loops[outer[k]], loops.size(tile[k]));
    if (inner[k] >= 0)
      x = loops.arena().add(x, loops[inner[k]]);
    index.push_back(x);
  }
  return index;
}

void Packing::connect(SizedOp &op, bool packedFirst) const {
  Loops loops(op.sizes, packed);
  SmallVector<Form> index = unpackedIndex(loops);
  for (auto [x, size] : llvm::zip_equal(index, plain))
    loops.keepInside(x, size);
  if (packedFirst)
    op.connect(loops, loops.get(), 0, index);
  else
    op.connect(loops, index, 0, loops.get());
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
static OpIndexing inferPacking(const OpSignature &signature) {
  SizedOp op(signature);
  if (!op.isValid || op.out.size() != 1)
    return op.unknown();
  equateAll(op.sizes, op.in[1], op.out[0]);
  auto packing = Packing::get(op, op.in[isPack ? 0 : 1], op.in[isPack ? 1 : 0]);
  if (!packing)
    return op.unknown();
  packing->connect(op, /*packedFirst=*/isPack);
  if (!isPack || !hasPadding(signature))
    return op.finish();
  // Padding starts at dimension k: inside before it, beyond the end in it.
  for (size_t k = 0; k < packing->plain.size(); ++k) {
    Loops loops(op.sizes, packing->packed);
    SmallVector<Form> x = packing->unpackedIndex(loops);
    for (size_t j = 0; j < k; ++j)
      loops.keepInside(x[j], packing->plain[j]);
    Form beyond = loops.arena().sub(x[k], loops.size(packing->plain[k]));
    Interval range =
        loops.arena().range(beyond).intersect(Interval::atLeast(0));
    if (range.isEmpty() || packing->inner[k] < 0)
      continue;
    loops.addConstraint(beyond, range);
    op.connect(loops, loops.get(), 2, {});
  }
  return op.finish();
}

/// Each element reads the whole line of its input along `dimension`.
static OpIndexing inferSoftmax(const OpSignature &signature) {
  SizedOp op(signature);
  auto dimension = signature.get<IntegerAttr>("dimension");
  if (!dimension || !op.isValid || op.out.size() != 1 ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  for (const SizeList &dest : ArrayRef(op.in).drop_front())
    equateAll(op.sizes, op.in[0], dest);
  SizeList extents = op.in[0];
  extents.push_back(op.in[0][dimension.getInt()]);
  Loops loops(op.sizes, extents);
  SmallVector<Form> index(loops.get().drop_back()), line = index;
  line[dimension.getInt()] = loops.get().back();
  op.connect(loops, index, 0, line);
  return op.finish();
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
static OpIndexing inferWinogradFilter(const OpSignature &signature) {
  Winograd op(signature);
  if (!op.isValid)
    return op.unknown();
  const SizeList &in = op.in[0], &out = op.out[0];
  op.sizes.equate(in[3], out[2]);
  op.sizes.equate(in[0], out[3]);
  Loops loops(op.sizes, {in[0], in[1], in[2], in[3], out[0], out[1]});
  op.connect(loops, {loops[4], loops[5], loops[3], loops[0]}, 0,
             loops.get().take_front(4));
  return op.finish();
}

/// (n, h, w, c) -> (ah, aw, th, tw, n, c).
static OpIndexing inferWinogradInput(const OpSignature &signature) {
  Winograd op(signature);
  if (!op.isValid)
    return op.unknown();
  const SizeList &in = op.in[0], &out = op.out[0];
  op.sizes.equate(in[0], out[4]);
  op.sizes.equate(in[3], out[5]);
  SizeList extents = out;
  extents.append({out[0], out[1]});
  Loops loops(op.sizes, extents);
  // An axis that is not transformed has tiles of one element.
  auto at = [&](unsigned axis) {
    bool whole = op.sizes.getStatic(out[axis]) != 1;
    return loops.arena().addScaled(loops[6 + axis], loops[2 + axis],
                                   whole ? op.m : 1);
  };
  Form h = at(0), w = at(1);
  loops.keepInside(h, in[1]);
  loops.keepInside(w, in[2]);
  op.connect(loops, loops.get().take_front(6), 0, {loops[4], h, w, loops[5]});
  return op.finish();
}

/// (ah, aw, th, tw, n, f) -> (n, h, w, f).
static OpIndexing inferWinogradOutput(const OpSignature &signature) {
  Winograd op(signature);
  if (!op.isValid)
    return op.unknown();
  const SizeList &in = op.in[0], &out = op.out[0];
  op.sizes.equate(in[4], out[0]);
  op.sizes.equate(in[5], out[3]);
  SizeList extents = in;
  for (unsigned axis : {0, 1})
    extents.push_back(Form(op.sizes.getStatic(in[axis]) != 1 ? op.m : 1));
  Loops loops(op.sizes, extents);
  auto at = [&](unsigned axis) {
    return loops.arena().addScaled(loops[6 + axis], loops[2 + axis],
                                   extents[6 + axis].constant);
  };
  Form h = at(0), w = at(1);
  loops.keepInside(h, out[1]);
  loops.keepInside(w, out[2]);
  op.connect(loops, {loops[4], h, w, loops[5]}, 0, loops.get().take_front(6));
  // As a convolution does, it adds to what was there.
  op.addSame(1);
  return op.finish();
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
}
