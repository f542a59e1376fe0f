//===- CutSizes.cpp - Unknown sizes as parts of known ones ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are planned for known sizes. A sum whose parallel loops are as long as
// the program finds out becomes loops over parts of it: as many of the largest size
// as there are, then of smaller ones, at last one by one. Where an iteration is
// much work it is a part by itself. The fill that the result begins with is cut
// along.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "KernelPlan.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CUTSIZES
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class SizeCutter {
public:
  SizeCutter(RewriterBase &b, linalg::LinalgOp op)
      : b(b), op(op), nested(op), fill(findFillBefore(op)) {}
  bool run();

private:
  /// Finds the loops of unknown size; false if parts would not be of known sizes
  /// and strides.
  bool findLoops();
  ArrayRef<int64_t> getSizes(unsigned loop) const;
  void emit(ArrayRef<unsigned> rest);
  void emitPart();
  Value slice(OpOperand &operand);

  struct Place {
    Value offset;
    int64_t size;
  };

  RewriterBase &b;
  linalg::LinalgOp op;
  NestOp nested;
  linalg::FillOp fill;
  SmallVector<unsigned> loops;
  /// Of those, where the part is.
  llvm::SmallDenseMap<unsigned, Place> at;
  /// Multiply-adds, or the like, of an iteration of all of them, and its parallel
  /// loops.
  double work = 1;
  int known = 0;
};

} // namespace

bool SizeCutter::findLoops() {
  const Nest &nest = *nested.nest;
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      !op.hasPureBufferSemantics() || op.hasIndexSemantics() ||
      !nest.hasLoops() || nest.getDestinations().empty() || !isArithmetic(op))
    return false;
  const SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (nest.axes.size() != sizes.size())
    return false;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    if (!ShapedType::isDynamic(size)) {
      work *= size;
      known += !nest.axes[loop].isReduction && size > 1;
    } else if (nest.axes[loop].isReduction) {
      return false;
    } else {
      loops.push_back(loop);
    }
  }
  if (loops.empty())
    return false;
  auto moves = [&](FormRef form) {
    for (unsigned loop : loops)
      if (nest.moves(form, loop))
        return true;
    return false;
  };
  // In each operand one of them is a dimension, whose place no stride depends on.
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
      return false;
    for (auto [dim, form] : llvm::enumerate(read.index))
      if (moves(form) ? !nest.getPlainAxis(form) : type.isDynamicDim(dim))
        return false;
    if (op.isDpsInit(&operand))
      continue;
    if (getRoot(operand.get()) == getRoot(op.getDpsInits()[0]))
      return false;
  }
  return true;
}

/// Sizes of parts, the largest first.
ArrayRef<int64_t> SizeCutter::getSizes(unsigned loop) const {
  static constexpr int64_t kOne[] = {1}, kRows[] = {256, 32, 8, 1};
  return loop != loops.back() || known > 1 ? ArrayRef(kOne) : ArrayRef(kRows);
}

Value SizeCutter::slice(OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  const NestRead &read = nested.get(operand);
  SmallVector<OpFoldResult> offsets, sizes, steps;
  bool isCut = false;
  if (type)
    for (auto [form, size] : llvm::zip_equal(read.index, type.getShape())) {
      std::optional<unsigned> axis = nested.nest->getPlainAxis(form);
      auto place = axis ? at.find(*axis) : at.end();
      const bool isPart = place != at.end();
      isCut |= isPart;
      offsets.push_back(isPart ? OpFoldResult(place->second.offset)
                               : b.getIndexAttr(0));
      sizes.push_back(b.getIndexAttr(isPart ? place->second.size : size));
      steps.push_back(b.getIndexAttr(1));
    }
  if (!isCut)
    return operand.get();
  return memref::SubViewOp::create(b, op.getLoc(), operand.get(), offsets,
                                   sizes, steps);
}

void SizeCutter::emitPart() {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(slice(operand));
  if (fill)
    linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), operands.back());
  mlir::clone(b, op, /*resultTypes=*/TypeRange(), operands);
}

void SizeCutter::emit(ArrayRef<unsigned> rest) {
  if (rest.empty())
    return emitPart();
  Location loc = op.getLoc();
  const unsigned loop = rest.front();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  // The size of a dimension that is the loop.
  Value end;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      for (auto [dim, form] : llvm::enumerate(nested.get(operand).index))
        if (!end && nested.nest->getPlainAxis(form) == loop)
          end = memref::DimOp::create(b, loc, operand.get(), index(dim));
  Value begin = index(0);
  for (int64_t size : getSizes(loop)) {
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
    at[loop] = {parts.getInductionVar(), size};
    emit(rest.drop_front());
    begin = stop;
  }
  at.erase(loop);
}

bool SizeCutter::run() {
  constexpr double kLeastWork = 1024;
  if (!findLoops() || work < kLeastWork)
    return false;
  b.setInsertionPoint(op);
  emit(loops);
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
      cut += SizeCutter(rewriter, op).run();
  }
};
} // namespace
