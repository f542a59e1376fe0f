//===- ExtendOperands.cpp - Small floats extended once --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of f16 or bf16 extends each factor in every step: with a row of ten
// factors, that takes longer than the multiply-adds. An input of a sum that is
// only ever extended, and read often, is extended to a buffer before it.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXTENDOPERANDS
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// How often each element is read on average, from which on a pass over memory
/// is the smaller part.
static constexpr double kLeastReads = 128;

/// What the argument becomes in all of its uses; null where that is not a larger
/// float.
static Type getExtended(BlockArgument argument) {
  Type wide;
  for (Operation *user : argument.getUsers()) {
    auto extend = dyn_cast<arith::ExtFOp>(user);
    if (!extend || (wide && extend.getType() != wide))
      return {};
    wide = extend.getType();
  }
  return wide;
}

unsigned mlir::tensoraccess::extendOperands(RewriterBase &rewriter,
                                            linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || !isCuttable(op) ||
      op.getNumReductionLoops() == 0)
    return 0;
  double turns = 1;
  for (int64_t size : op.getStaticLoopRanges())
    turns *= double(size);
  unsigned extended = 0;
  Location loc = op.getLoc();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<MemRefType>(input->get().getType());
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!type || !type.hasStaticShape() ||
        !(type.getElementType().isF16() || type.getElementType().isBF16()) ||
        turns < kLeastReads * double(type.getNumElements()))
      continue;
    Type wide = getExtended(argument);
    if (!wide)
      continue;
    rewriter.setInsertionPoint(op);
    Value buffer = memref::AllocOp::create(
        rewriter, loc, MemRefType::get(type.getShape(), wide),
        rewriter.getI64IntegerAttr(64));
    AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
    linalg::GenericOp::create(
        rewriter, loc, input->get(), buffer, ArrayRef<AffineMap>{map, map},
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel),
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          Value value = arith::ExtFOp::create(b, loc, wide, arguments.front());
          linalg::YieldOp::create(b, loc, value);
        });
    rewriter.setInsertionPointAfter(op);
    memref::DeallocOp::create(rewriter, loc, buffer);
    rewriter.modifyOpInPlace(op, [&] {
      input->set(buffer);
      argument.setType(wide);
    });
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      rewriter.replaceOp(user, argument);
    ++extended;
  }
  return extended;
}

namespace {
struct ExtendOperandsPass
    : public tensoraccess::impl::ExtendOperandsBase<ExtendOperandsPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      extended += extendOperands(rewriter, op);
  }
};
} // namespace
