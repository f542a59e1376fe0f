//===- LinalgRelayout.cpp - pack, unpack and softmax of linalg ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of linalg that have no loops of their own.
//
// A packed tensor has an outer dimension for each dimension of the plain one,
// in the order of outer_dims_perm, then the tiles' places. With o(d) the outer
// index of plain dimension d,
//   plain place(d) = o(d)·tile + place within the tile, where d is tiled,
//                    o(d) else.
//
//===----------------------------------------------------------------------===//

#include "StableHlo/StableHloOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// How the places of a packed tensor and a plain one belong together.
struct Tiling {
  SmallVector<int64_t> perm, positions, tiles;
  int64_t plainRank = 0;

  template <typename OpTy>
  static FailureOr<Tiling> read(OpTy op, int64_t plainRank,
                                const Environment &env);
  /// Fails, reported, where the packed tensor's shape is not that of the plain
  /// one's tiles; it may have more of them where the plain one leaves some out.
  LogicalResult check(Operation *op, const Tensor &plain, const Tensor &packed,
                      bool mayLeaveOut) const;
  /// The plain place of a packed one.
  void toPlain(ArrayRef<int64_t> packed, HloIndex &plain) const {
    plain.resize(plainRank);
    for (int64_t i = 0; i < plainRank; ++i)
      plain[perm[i]] = packed[i];
    for (auto [k, dim] : llvm::enumerate(positions))
      plain[dim] = plain[dim] * tiles[k] + packed[plainRank + k];
  }
  /// The packed place of a plain one.
  void toPacked(ArrayRef<int64_t> plain, HloIndex &packed) const {
    HloIndex outer(plain);
    packed.resize(plainRank + tiles.size());
    for (auto [k, dim] : llvm::enumerate(positions)) {
      packed[plainRank + k] = plain[dim] % tiles[k];
      outer[dim] = plain[dim] / tiles[k];
    }
    for (int64_t i = 0; i < plainRank; ++i)
      packed[i] = outer[perm[i]];
  }
};
} // namespace

template <typename OpTy>
FailureOr<Tiling> Tiling::read(OpTy op, int64_t plainRank,
                               const Environment &env) {
  Tiling tiling;
  tiling.plainRank = plainRank;
  tiling.perm.assign(op.getOuterDimsPerm().begin(),
                     op.getOuterDimsPerm().end());
  if (tiling.perm.empty())
    tiling.perm = llvm::to_vector(llvm::seq<int64_t>(plainRank));
  tiling.positions.assign(op.getInnerDimsPos().begin(),
                          op.getInnerDimsPos().end());
  tiling.tiles = env.getInts(op.getMixedTiles());
  for (auto [k, tile] : llvm::enumerate(tiling.tiles))
    if (tile < 1)
      return op.emitOpError("tile ") << k << " must be positive, got " << tile;
  return tiling;
}

LogicalResult Tiling::check(Operation *op, const Tensor &plain,
                            const Tensor &packed, bool mayLeaveOut) const {
  SmallVector<int64_t> counts(plain.getShape()), wanted;
  for (auto [k, dim] : llvm::enumerate(positions))
    counts[dim] = llvm::divideCeil(counts[dim], tiles[k]);
  for (int64_t dim : perm)
    wanted.push_back(counts[dim]);
  llvm::append_range(wanted, tiles);
  bool fits = wanted.size() == packed.getShape().size();
  for (auto [i, want, size] : llvm::enumerate(wanted, packed.getShape())) {
    bool isTiled =
        int64_t(i) < plainRank && llvm::is_contained(positions, perm[i]);
    fits &= want == size || (mayLeaveOut && isTiled && want < size);
  }
  if (!fits)
    return op->emitOpError("packed shape must be ")
           << shapeToString(wanted) << ", got "
           << shapeToString(packed.getShape());
  return success();
}

static FailureOr<RuntimeValues> runPack(linalg::PackOp op,
                                        const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  FailureOr<Tensor> result =
      reportAt(op.getOperation(), env.getTensor(op.getDest()).clone());
  FailureOr<Tiling> tiling = Tiling::read(op, source.getRank(), env);
  if (failed(result) || failed(tiling) ||
      failed(tiling->check(op, source, *result, /*mayLeaveOut=*/false)))
    return failure();
  if (!op.getPaddingValue())
    for (auto [k, dim] : llvm::enumerate(tiling->positions))
      if (source.getDim(dim) % tiling->tiles[k] != 0)
        return op.emitOpError("needs a padding value: dimension ")
               << dim << " of size " << source.getDim(dim)
               << " is not a multiple of tile " << tiling->tiles[k];
  Tensor padding =
      op.getPaddingValue() ? env.getTensor(op.getPaddingValue()) : Tensor();
  HloIndex place;
  forEachIndex(result->getShape(), [&](ArrayRef<int64_t> index) {
    tiling->toPlain(index, place);
    bool isInside =
        llvm::all_of(llvm::zip_equal(place, source.getShape()), [](auto pair) {
          return std::get<0>(pair) < std::get<1>(pair);
        });
    if (isInside)
      copyElement(source, place, *result, index);
    else
      copyElement(padding, {}, *result, index);
  });
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runUnpack(linalg::UnPackOp op,
                                          const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  FailureOr<Tensor> result =
      reportAt(op.getOperation(), env.getTensor(op.getDest()).clone());
  if (failed(result))
    return failure();
  FailureOr<Tiling> tiling = Tiling::read(op, result->getRank(), env);
  if (failed(tiling) ||
      failed(tiling->check(op, *result, source, /*mayLeaveOut=*/true)))
    return failure();
  HloIndex place;
  forEachIndex(result->getShape(), [&](ArrayRef<int64_t> index) {
    tiling->toPacked(index, place);
    copyElement(source, place, *result, index);
  });
  return RuntimeValues{std::move(*result)};
}

/// The compute kind `softmax` with one dimension as the item.
static FailureOr<RuntimeValues> runSoftmax(linalg::SoftmaxOp op,
                                           const Environment &env) {
  const Tensor &input = env.getTensor(op.getInput());
  int64_t rank = input.getRank(), dim = op.getDimension();
  if (input.getShape() != env.getTensor(op.getOutput()).getShape())
    return op.emitOpError("input and output must have one shape, got ")
           << describe(input) << " and "
           << describe(env.getTensor(op.getOutput()));
  // The dimension moves to the end, and back.
  SmallVector<int64_t> there, back(rank);
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      there.push_back(i);
  there.push_back(dim);
  for (auto [i, from] : llvm::enumerate(there))
    back[from] = i;
  FailureOr<AccessPattern> result = reportAt(
      op.getOperation(),
      kernels::softmax(AccessPattern(input.transpose(there), rank - 1)));
  if (failed(result))
    return failure();
  FailureOr<Tensor> tensor = reportAt(op.getOperation(), result->join());
  if (failed(tensor))
    return failure();
  return RuntimeValues{tensor->transpose(back)};
}

void mlir::tensoraccess::addLinalgEvaluators(OpEvaluators &all) {
  addEvaluator<linalg::PackOp, runPack>(all);
  addEvaluator<linalg::SoftmaxOp, runSoftmax>(all);
  addEvaluator<linalg::UnPackOp, runUnpack>(all);
  addWinogradEvaluators(all);
}
