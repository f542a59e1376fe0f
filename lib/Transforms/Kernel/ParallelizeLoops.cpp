//===- ParallelizeLoops.cpp - Loops over lines, for several cores ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Running sums and what else is written as loops: a `scf.for` whose iterations
// each write a part of their own, at an index that is the iteration's number, and
// read no other part of what is written.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static std::optional<int64_t> getTripCount(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  return count ? count->trySExtValue() : std::nullopt;
}

/// The least number of cycles of a loop, by operations one after the other;
/// std::nullopt where its length is unknown or it does more than compute, read
/// and write elements.
static std::optional<double> getLoopWork(scf::ForOp loop) {
  std::optional<int64_t> count = getTripCount(loop);
  if (!count)
    return std::nullopt;
  double cycles = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      std::optional<double> work = getLoopWork(inner);
      if (!work)
        return std::nullopt;
      cycles += *work;
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      // What may be left out counts nothing.
      WalkResult others = branch.walk([&](Operation *inner) {
        return isa<scf::ForOp, scf::IfOp, scf::YieldOp, memref::LoadOp,
                   memref::StoreOp>(inner) ||
                       (inner->getNumRegions() == 0 &&
                        isMemoryEffectFree(inner))
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      });
      if (others.wasInterrupted())
        return std::nullopt;
    } else if (isa<memref::LoadOp, memref::StoreOp>(op) ||
               (op.getNumRegions() == 0 && isMemoryEffectFree(&op))) {
      cycles += isa<math::MathDialect>(op.getDialect()) ? 20 : 1;
    } else {
      return std::nullopt;
    }
  }
  return cycles * double(*count);
}

/// Whether all iterations could run at once.
static bool isOfLines(scf::ForOp loop) {
  if (loop.getNumResults() != 0)
    return false;
  // The dimensions at which each access of a buffer is the iteration's own.
  llvm::MapVector<Value, llvm::SmallBitVector> written;
  SmallVector<std::pair<Value, ValueRange>> accesses;
  loop.walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      written.try_emplace(store.getMemRef(), store.getIndices().size(), true);
      accesses.push_back({store.getMemRef(), store.getIndices()});
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      accesses.push_back({load.getMemRef(), load.getIndices()});
    }
  });
  for (auto [buffer, indices] : accesses) {
    auto *found = written.find(buffer);
    if (found == written.end()) {
      if (written.contains(getRoot(buffer)))
        return false;
      continue;
    }
    for (auto [dim, index] : llvm::enumerate(indices))
      if (index != loop.getInductionVar())
        found->second.reset(dim);
  }
  return llvm::all_of(written, [&](const auto &each) {
    return each.second.any() && loop.isDefinedOutsideOfLoop(each.first) &&
           (isAllocation(each.first) || isUnaliasedArgument(each.first));
  });
}

/// A `scf.forall` over parts of the loop.
static void cutLoop(RewriterBase &rewriter, scf::ForOp loop, int64_t count) {
  rewriter.setInsertionPoint(loop);
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  const int64_t size = llvm::divideCeilSigned(*getTripCount(loop), count);
  auto forall = scf::ForallOp::create(
      b,
      ArrayRef<OpFoldResult>{
          b.getIndexAttr(llvm::divideCeilSigned(*getTripCount(loop), size))},
      ValueRange(), std::nullopt);
  b.setInsertionPointToStart(forall.getBody());
  Value step = arith::MulIOp::create(b, loop.getStep(), index(size));
  Value low = arith::AddIOp::create(
      b, loop.getLowerBound(),
      arith::MulIOp::create(b, forall.getInductionVar(0), step));
  Value high = arith::MinSIOp::create(b, arith::AddIOp::create(b, low, step),
                                      loop.getUpperBound());
  auto part = cast<scf::ForOp>(b.clone(*loop));
  part.setLowerBound(low);
  part.setUpperBound(high);
  rewriter.eraseOp(loop);
}

int64_t
mlir::tensoraccess::parallelizeLoops(RewriterBase &rewriter, ModuleOp module,
                                     const Target &target,
                                     function_ref<bool(Operation *)> mayBeCut) {
  SmallVector<std::pair<scf::ForOp, int64_t>> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !mayBeCut(loop))
      return WalkResult::advance();
    std::optional<double> work = getLoopWork(loop);
    if (!work || *work < 2 * kLeastWork || *getTripCount(loop) < 2 ||
        !isOfLines(loop))
      return WalkResult::advance();
    found.push_back(
        {loop, std::min<int64_t>({*getTripCount(loop), 4 * target.cores,
                                  int64_t(*work / kLeastWork)})});
    return WalkResult::skip();
  });
  for (auto [loop, count] : found)
    cutLoop(rewriter, loop, count);
  return found.size();
}
