//===- FuseRelayouts.cpp - Relayouts take in their neighbours -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A neighbour is expressed as a relayout of its own (permutation, shape, type); two
// relayouts in a row are one under the conditions of
// IR/LayoutCanonicalization.cpp. So each pattern writes the neighbour as a
// relayout, where both can be one:
//
//   transpose(x; p)      = relayout(x; permutation = p)
//   collapse(x), expand  = relayout(x), the shape being the result's
//   ext(x), trunc(x)     = relayout(x), the type being the result's
//   pack(x)              = bitcast(relayout(x)), the layout being the pack's
//   unpack(x)            = relayout(bitcast(x))
//
// The last two only next to another move, and without padding, which a bitcast
// must not read.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/LayoutPasses.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FUSERELAYOUTS
#include "TensorAccess/Transforms/LayoutPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// A relayout, or an op that is one.
struct Move {
  Value source;
  RankedTensorType result;
  SmallVector<int64_t> permutation;

  SmallVector<int64_t> getTransposed() const {
    SmallVector<int64_t> shape;
    for (int64_t dim : permutation)
      shape.push_back(getType().getDimSize(dim));
    return shape;
  }
  RankedTensorType getType() const {
    return cast<RankedTensorType>(source.getType());
  }
  bool isTransposed() const {
    return !llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
  }
};
} // namespace

/// What the op moves and how, if it is one of those that move tensors of static
/// shape.
static std::optional<Move> getMove(Operation *op) {
  if (!op || op->getNumResults() != 1)
    return std::nullopt;
  Move move;
  move.result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!move.result || !move.result.hasStaticShape())
    return std::nullopt;
  std::optional<SmallVector<int64_t>> permutation;
  if (auto relayout = dyn_cast<RelayoutOp>(op)) {
    move.source = relayout.getSource();
    permutation = relayout.getPermutationOrIdentity();
  } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    move.source = transpose.getInput();
    permutation = SmallVector<int64_t>(transpose.getPermutation());
  } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::ExtFOp,
                 arith::ExtSIOp, arith::TruncIOp>(op)) {
    move.source = op->getOperand(0);
  } else if (auto trunc = dyn_cast<arith::TruncFOp>(op);
             trunc && trunc.getRoundingmode().value_or(
                          arith::RoundingMode::to_nearest_even) ==
                          arith::RoundingMode::to_nearest_even) {
    move.source = trunc.getIn();
  } else {
    return std::nullopt;
  }
  auto source = dyn_cast<RankedTensorType>(move.source.getType());
  if (!source || !source.hasStaticShape())
    return std::nullopt;
  if (!isa<RelayoutOp>(op) &&
      (source.getEncoding() || move.result.getEncoding()))
    return std::nullopt;
  move.permutation = permutation.value_or(
      llvm::to_vector(llvm::seq<int64_t>(0, source.getRank())));
  return move;
}

/// first, then second, as one; std::nullopt if that is not a relayout.
static std::optional<Move> join(const Move &first, const Move &second) {
  if (!convertsStraight(first.getType().getElementType(),
                        first.result.getElementType(),
                        second.result.getElementType()))
    return std::nullopt;
  Move joined{first.source, second.result, first.permutation};
  if (!second.isTransposed())
    return joined;
  if (ArrayRef(first.getTransposed()) != first.result.getShape())
    return std::nullopt;
  for (auto [dim, from] :
       llvm::zip_equal(joined.permutation, second.permutation))
    dim = first.permutation[from];
  return joined;
}

namespace {
/// move2(move1(x)) = relayout(x), where one of both is a relayout.
struct JoinMoves : RewritePattern {
  explicit JoinMoves(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    std::optional<Move> second = getMove(op);
    if (!second || !second->source.hasOneUse())
      return failure();
    Operation *producer = second->source.getDefiningOp();
    if (!isa<RelayoutOp>(op) && !isa_and_nonnull<RelayoutOp>(producer))
      return failure();
    std::optional<Move> first = getMove(producer);
    if (!first)
      return failure();
    std::optional<Move> joined = join(*first, *second);
    if (!joined)
      return rewriter.notifyMatchFailure(op,
                                         "both together are not a relayout");
    rewriter.replaceOpWithNewOp<RelayoutOp>(
        op, joined->result, joined->source,
        joined->isTransposed()
            ? rewriter.getDenseI64ArrayAttr(joined->permutation)
            : DenseI64ArrayAttr());
    return success();
  }
};
} // namespace

/// The type `plain` laid out as a pack of it is; null if that is not a
/// tensor without padding.
template <typename OpTy>
static RankedTensorType getPackedLayout(OpTy pack, RankedTensorType plain,
                                        RankedTensorType packed) {
  if (!plain || !packed || !plain.hasStaticShape() || plain.getEncoding() ||
      !packed.hasStaticShape() || packed.getEncoding() ||
      plain.getNumElements() != packed.getNumElements())
    return {};
  PackParameters parameters;
  parameters.innerDimsPos = llvm::to_vector(pack.getInnerDimsPos());
  parameters.innerTiles = llvm::to_vector(pack.getStaticInnerTiles());
  parameters.outerDimsPerm = llvm::to_vector(pack.getOuterDimsPerm());
  std::string reason;
  std::optional<Layout> layout = layoutFromPack(
      plain.getShape(), parameters, *XlaType::lookup("pred"), reason);
  if (!layout)
    return {};
  return RankedTensorType::get(
      plain.getShape(), plain.getElementType(),
      LayoutAttr::get(plain.getContext(), layout->withoutShape()));
}

namespace {
struct PackToRelayout : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const override {
    Value source = op.getSource();
    if (!source.hasOneUse() || !getMove(source.getDefiningOp()))
      return failure();
    auto packed = dyn_cast<RankedTensorType>(op.getDest().getType());
    RankedTensorType type = getPackedLayout(
        op, dyn_cast<RankedTensorType>(source.getType()), packed);
    if (!type)
      return rewriter.notifyMatchFailure(op, "no layout without padding");
    Value moved = RelayoutOp::create(rewriter, op.getLoc(), type, source,
                                     DenseI64ArrayAttr());
    rewriter.replaceOpWithNewOp<BitcastOp>(op, packed, moved);
    return success();
  }
};

struct UnpackToRelayout : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasOneUse() || !getMove(*op->user_begin()))
      return failure();
    auto plain = dyn_cast<RankedTensorType>(op.getDest().getType());
    RankedTensorType type = getPackedLayout(
        op, plain, dyn_cast<RankedTensorType>(op.getSource().getType()));
    if (!type)
      return rewriter.notifyMatchFailure(op, "no layout without padding");
    Value moved =
        BitcastOp::create(rewriter, op.getLoc(), type, op.getSource());
    rewriter.replaceOpWithNewOp<RelayoutOp>(op, plain, moved,
                                            DenseI64ArrayAttr());
    return success();
  }
};
} // namespace

void mlir::tensoraccess::populateRelayoutFusion(RewritePatternSet &patterns) {
  patterns.add<JoinMoves, PackToRelayout, UnpackToRelayout>(
      patterns.getContext());
}

namespace {
struct FuseRelayoutsPass
    : public tensoraccess::impl::FuseRelayoutsBase<FuseRelayoutsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateRelayoutFusion(patterns);
    // Where it stops early, what has been joined so far is right, too.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
