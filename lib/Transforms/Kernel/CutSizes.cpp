//===- CutSizes.cpp - Unknown sizes as parts of known ones ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are planned for known sizes. A sum with a parallel loop that is as long as
// the program finds out becomes loops over parts of it: as many of the largest size
// as there are, then of smaller ones, at last one by one. Where an iteration has rows
// of its own, as an image of a batch has, it is a part by itself. The fill that the
// result begins with is cut along.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "KernelPlan.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CUTSIZES
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The loop of unknown size, if there is one and parts of it would be of known sizes
/// and strides. Of two, the rows of the result would be unknown distances apart.
static std::optional<unsigned> findLoop(const NestOp &nested) {
  constexpr double kLeastWork = 1024;
  linalg::LinalgOp op = nested.op;
  const Nest &nest = *nested.nest;
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      !op.hasPureBufferSemantics() || op.hasIndexSemantics() ||
      !nest.hasLoops() || nest.getDestinations().empty() || !isArithmetic(op))
    return std::nullopt;
  const SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  const auto *found = llvm::find(sizes, ShapedType::kDynamic);
  if (nest.axes.size() != sizes.size() ||
      llvm::count(sizes, ShapedType::kDynamic) != 1)
    return std::nullopt;
  const unsigned loop = found - sizes.begin();
  // Multiply-adds, or the like, of an iteration.
  double work = 1;
  for (int64_t size : sizes)
    if (!ShapedType::isDynamic(size))
      work *= size;
  if (nest.axes[loop].isReduction || work < kLeastWork)
    return std::nullopt;
  // In each operand it is a dimension, whose place no stride depends on.
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    SmallVector<int64_t> strides;
    int64_t offset;
    const NestRead &read = nested.get(operand);
    if (read.reason != IndexingReason::None ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamicShape(strides))
      return std::nullopt;
    for (auto [dim, form] : llvm::enumerate(read.index))
      if (nest.moves(form, loop) ? !nest.getPlainAxis(form)
                                 : type.isDynamicDim(dim))
        return std::nullopt;
    if (op.isDpsInit(&operand)
            ? !nest.moves(read, loop)
            : getRoot(operand.get()) == getRoot(op.getDpsInits()[0]))
      return std::nullopt;
  }
  return loop;
}

/// Sizes of parts, the largest first.
static ArrayRef<int64_t> getPartSizes(const NestOp &nested) {
  static constexpr int64_t kOne[] = {1}, kRows[] = {256, 32, 8, 1};
  int known = 0;
  for (auto [size, axis] :
       llvm::zip_equal(linalg::LinalgOp(nested.op).getStaticLoopRanges(),
                       nested.nest->axes))
    known += size > 1 && !axis.isReduction;
  return known > 1 ? ArrayRef(kOne) : ArrayRef(kRows);
}

static bool cutSize(RewriterBase &b, linalg::LinalgOp op) {
  const NestOp nested(op);
  const std::optional<unsigned> loop = findLoop(nested);
  if (!loop)
    return false;
  linalg::FillOp fill = findFillBefore(op);
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  // The size of a dimension that is the loop.
  Value end;
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, form] : llvm::enumerate(nested.get(operand).index))
      if (!end && nested.nest->getPlainAxis(form) == loop)
        end = memref::DimOp::create(b, loc, operand.get(), index(dim));
  Value begin = index(0);
  for (int64_t size : getPartSizes(nested)) {
    Value stop = end;
    if (size != 1) {
      // The last place before which whole parts end.
      Value rest = arith::RemUIOp::create(
          b, loc, arith::SubIOp::create(b, loc, end, begin), index(size));
      stop = arith::SubIOp::create(b, loc, end, rest);
    }
    auto parts = scf::ForOp::create(b, loc, begin, stop, index(size));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(parts.getBody());
    Slicer slicer(b, loc, parts.getInductionVar(), size);
    SmallVector<Value> operands = slicer.get(nested, *loop);
    if (fill)
      linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(),
                             operands.back());
    slicer.clone(op, *loop, operands);
    begin = stop;
  }
  if (fill)
    b.eraseOp(fill);
  b.eraseOp(op);
  return true;
}

namespace {
struct CutSizesPass : public tensoraccess::impl::CutSizesBase<CutSizesPass> {
  using CutSizesBase::CutSizesBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isInHostFunction(op) && !isInColdFunction(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      cut += cutSize(rewriter, op);
  }
};
} // namespace
