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

#include "Models.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SmallVector<Form> tensoraccess::addLoops(IndexingMapBuilder &loops,
                                         ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector(sizes, [&](int64_t size) {
    return loops.addDim(Interval::ofExtent(size));
  });
}

void tensoraccess::addResults(IndexingMapBuilder &loops,
                              ArrayRef<Form> forms) {
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

/// The operand whose map says where the result's elements lie, or none.
static std::optional<unsigned> getTiedOperand(Operation *op, unsigned result) {
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

OpIndexing tensoraccess::inferFromIndexingMaps(IndexingMapOpInterface op) {
  OpSignature signature(op);
  if (op->getNumResults() == 0)
    return signature.nothingRead();
  IndexingReason reason = IndexingReason::UnsupportedForm;
  SmallVector<SmallVector<int64_t>> shapes;
  for (Type type : signature.operandTypes) {
    auto shape = getIndexSpace(type, reason);
    if (!shape)
      return signature.unknown(reason);
    shapes.push_back(*shape);
  }
  // The accessor leaves a memo on named ops; an analysis leaves no traces.
  constexpr StringLiteral memo = "linalg.memoized_indexing_maps";
  bool hadMemo = op->hasAttr(memo);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (!hadMemo)
    op->removeAttr(memo);
  if (maps.size() != shapes.size())
    return signature.unknown(reason);
  for (auto [map, shape] : llvm::zip_equal(maps, shapes))
    if (!map || map.getNumResults() != shape.size() || map.getNumSymbols() != 0)
      return signature.unknown(reason);
  SmallVector<Interval> ranges;
  for (int64_t size : sizes) {
    if (ShapedType::isDynamic(size))
      return signature.unknown(IndexingReason::DynamicShape);
    ranges.push_back(Interval::ofExtent(size));
  }

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
      addRelation(indexing, r, o, shapes[*tied], shapes[o],
                  IndexingMap::fromAffineMap(both, ranges));
    }
  }
  return indexing;
}

//===----------------------------------------------------------------------===//
// pack, unpack, softmax
//===----------------------------------------------------------------------===//

namespace {

/// The shapes and permutations of a pack (or, the other way round, an unpack).
struct Packing {
  SmallVector<int64_t> plain, packed;
  /// For each plain dimension: where its outer index lies in the packed
  /// tensor, where the inner one (-1 if it isn't tiled), and its tile.
  SmallVector<int64_t> outer, inner, tile;

  static std::optional<Packing> get(const OpSignature &signature, Type plain,
                                    Type packed, IndexingReason &reason);
  /// x_k = outer_k * tile_k + inner_k over the packed indices as loops.
  SmallVector<Form> unpackedIndex(IndexingMapBuilder &loops,
                                  ArrayRef<Form> packedIndex) const;
};

} // namespace

std::optional<Packing> Packing::get(const OpSignature &signature, Type plain,
                                    Type packed, IndexingReason &reason) {
  reason = IndexingReason::UnsupportedForm;
  auto positions = signature.get<DenseI64ArrayAttr>("inner_dims_pos");
  auto tiles = signature.get<DenseI64ArrayAttr>("static_inner_tiles");
  auto perm = signature.get<DenseI64ArrayAttr>("outer_dims_perm");
  auto plainShape = getIndexSpace(plain, reason);
  auto packedShape = getIndexSpace(packed, reason);
  if (!positions || !tiles || !plainShape || !packedShape)
    return std::nullopt;
  if (ShapedType::isDynamicShape(tiles.asArrayRef())) {
    reason = IndexingReason::DynamicShape;
    return std::nullopt;
  }
  Packing packing{*plainShape, *packedShape, {}, {}, {}};
  int64_t rank = plainShape->size();
  packing.outer.assign(rank, 0);
  packing.inner.assign(rank, -1);
  packing.tile.assign(rank, 1);
  for (int64_t i = 0; i < rank; ++i)
    packing.outer[perm && !perm.empty() ? perm[i] : i] = i;
  for (auto [i, dim] : llvm::enumerate(positions.asArrayRef())) {
    packing.inner[dim] = rank + i;
    packing.tile[dim] = tiles[i];
  }
  return packing;
}

SmallVector<Form> Packing::unpackedIndex(IndexingMapBuilder &loops,
                                         ArrayRef<Form> packedIndex) const {
  SmallVector<Form> index;
  for (size_t k = 0; k < plain.size(); ++k) {
    Form x = loops.arena().scale(packedIndex[outer[k]], tile[k]);
    if (inner[k] >= 0)
      x = loops.arena().add(x, packedIndex[inner[k]]);
    index.push_back(x);
  }
  return index;
}

/// The loops in which the packed index meets the plain one.
static IndexingMap getPackingLoops(const Packing &packing, bool packedFirst) {
  IndexingMapBuilder loops;
  SmallVector<Form> packed = addLoops(loops, packing.packed);
  SmallVector<Form> plain = packing.unpackedIndex(loops, packed);
  addResults(loops, packedFirst ? packed : plain);
  addResults(loops, packedFirst ? plain : packed);
  for (auto [x, size] : llvm::zip_equal(plain, packing.plain))
    loops.addConstraint(x, Interval::ofExtent(size));
  return loops.build();
}

/// dest[outer…, inner…] = source[outer * tile + inner] where that is inside,
/// else the padding value. Operands: source, dest, padding value, tiles.
static OpIndexing inferPack(const OpSignature &signature) {
  IndexingReason reason;
  auto packing = Packing::get(signature, signature.operandTypes[0],
                              signature.operandTypes[1], reason);
  if (!packing || signature.resultTypes.size() != 1)
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  addRelation(indexing, 0, 0, packing->packed, packing->plain,
              getPackingLoops(*packing, /*packedFirst=*/true));
  if (signature.operandTypes.size() < 3)
    return indexing;
  // Padding starts at dimension k: inside before it, beyond the end in it.
  for (size_t k = 0; k < packing->plain.size(); ++k) {
    IndexingMapBuilder loops;
    SmallVector<Form> packed = addLoops(loops, packing->packed);
    SmallVector<Form> x = packing->unpackedIndex(loops, packed);
    addResults(loops, packed);
    for (size_t j = 0; j < k; ++j)
      loops.addConstraint(x[j], Interval::ofExtent(packing->plain[j]));
    Interval beyond = loops.arena().range(x[k]).intersect(
        Interval::atLeast(packing->plain[k]));
    if (beyond.isEmpty())
      continue;
    loops.addConstraint(x[k], beyond);
    addRelation(indexing, 0, 2, packing->packed, {}, loops.build());
  }
  return indexing;
}

/// dest[x] = source[x floordiv tile, x mod tile]. Operands: source, dest, tiles.
static OpIndexing inferUnpack(const OpSignature &signature) {
  IndexingReason reason;
  auto packing = Packing::get(signature, signature.operandTypes[1],
                              signature.operandTypes[0], reason);
  if (!packing || signature.resultTypes.size() != 1)
    return signature.unknown(reason);
  OpIndexing indexing = signature.nothingRead();
  addRelation(indexing, 0, 0, packing->plain, packing->packed,
              getPackingLoops(*packing, /*packedFirst=*/false));
  return indexing;
}

/// Each element reads the whole line of its input along `dimension`.
static OpIndexing inferSoftmax(const OpSignature &signature) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto dimension = signature.get<IntegerAttr>("dimension");
  if (!dimension || signature.resultTypes.size() != 1)
    return signature.unknown(reason);
  auto shape = getIndexSpace(signature.resultTypes[0], reason);
  if (!shape)
    return signature.unknown(reason);
  IndexingMapBuilder loops;
  SmallVector<Form> out = addLoops(loops, *shape), in = out;
  in[dimension.getInt()] =
      loops.addDim(Interval::ofExtent((*shape)[dimension.getInt()]));
  addResults(loops, out);
  addResults(loops, in);
  OpIndexing indexing = signature.nothingRead();
  addRelation(indexing, 0, 0, *shape, *shape, loops.build());
  return indexing;
}

void tensoraccess::registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachModel<linalg::PackOp, inferPack>(context);
    attachModel<linalg::UnPackOp, inferUnpack>(context);
    attachModel<linalg::SoftmaxOp, inferSoftmax>(context);
  });
}
