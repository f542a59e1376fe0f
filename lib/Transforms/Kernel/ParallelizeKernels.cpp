//===- ParallelizeKernels.cpp - Loop nests cut for several cores ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a linalg op on buffers, with the fill that it begins with and the
// elementwise op that takes its result:
// 1. find the parallel loops along which each buffer can be cut, written ones
//    into parts that don't meet;
// 2. take the loop and the number of parts of least cost: the time of the parts
//    that one core gets, in each of which what does not move along the loop is
//    read, or copied into panels, again. Little work stays whole;
// 3. write a `scf.forall` over parts of one size, the last one perhaps smaller.
//
// Each element is computed as before, by whichever thread: results have the
// same bits.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "KernelPlan.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PARALLELIZEKERNELS
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct Cut {
  unsigned loop;
  Parts parts;
};

/// An op of a group, and which of its loops is the one that is cut.
struct CutOp : NestOp {
  unsigned loop;
};

class Parallelizer {
public:
  Parallelizer(const KernelGroup &group, const Target &target);

  std::optional<Cut> choose();
  void emit(RewriterBase &rewriter, const Cut &cut);

private:
  /// Each with its loop along the dimension of the result that `loop`, a loop of
  /// the result, runs along. A result of rank 0 has none.
  SmallVector<CutOp, 3> getCutOps(unsigned loop);
  /// Iterations that parts are multiples of; 0: it cannot be cut.
  int64_t getUnit(unsigned loop);
  double getWork();
  double getShared(unsigned loop);
  void emitPart(OpBuilder &b, Location loc, unsigned loop, Value offset,
                int64_t size);

  /// The dimension of the result whose index a loop is.
  unsigned getDim(unsigned loop) const {
    return llvm::find(nest->writes.back().index, (*nest)[loop]) -
           nest->writes.back().index.begin();
  }

  /// What is cut together.
  KernelGroup group;
  const Target &target;
  linalg::LinalgOp op;
  NestRef nest;
  /// The group, in the order of the program.
  SmallVector<NestOp, 3> ops;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. Where it can be cut
//===----------------------------------------------------------------------===//

Parallelizer::Parallelizer(const KernelGroup &of, const Target &target)
    : group(of), target(target), op(of.op) {
  if (group.fill)
    ops.emplace_back(cast<linalg::LinalgOp>(group.fill.getOperation()));
  nest = ops.emplace_back(op).nest;
  if (group.epilogue)
    ops.emplace_back(cast<linalg::LinalgOp>(group.epilogue.getOperation()));
}

SmallVector<CutOp, 3> Parallelizer::getCutOps(unsigned loop) {
  const unsigned dim = getDim(loop);
  SmallVector<CutOp, 3> cut;
  for (const NestOp &each : ops) {
    cut.push_back({each, each.op == op ? loop : dim});
    if (each.op == group.epilogue)
      for (OpOperand *input : group.epilogue.getDpsInputOperands())
        if (input->get() == op.getDpsInits()[0])
          cut.back().loop =
              *each.nest->getPlainAxis(each.get(*input).index[dim]);
  }
  return cut;
}

/// Whether nothing but the buffer itself can be where it is: otherwise parts
/// could read what others write.
static bool isAlone(Value buffer) {
  return isAllocation(buffer) || isUnaliasedArgument(buffer);
}

int64_t Parallelizer::getUnit(unsigned loop) {
  for (const NestAccess &write : nest->writes)
    if (!llvm::is_contained(write.index, (*nest)[loop]))
      return 0;
  // The first failure is the first in the order of loops.
  if (mayFail(op) && loop != 0)
    return 0;
  int64_t unit = 1;
  for (const CutOp &part : getCutOps(loop))
    for (OpOperand &operand : part.op->getOpOperands())
      if (auto iterations = getSliceUnit(part, operand, part.loop))
        unit = std::lcm(unit, *iterations);
      else
        return 0;
  return unit;
}

//===----------------------------------------------------------------------===//
// 2. The choice
//===----------------------------------------------------------------------===//

/// Cycles of a part.
static constexpr double kPartCost = 1500;

/// Cycles of one core.
double Parallelizer::getWork() {
  double cycles = 0;
  for (const NestOp &each : ops)
    cycles += getCycles(each, target);
  return cycles;
}

/// Cycles for what each part reads whole; what is read by vectors is copied.
double Parallelizer::getShared(unsigned loop) {
  ArrayRef<Form> out = nest->writes.back().index;
  double cycles = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const NestRead &read = *nest->findRead(input->getOperandNumber());
    if (nest->moves(read, loop))
      continue;
    bool isCopied = nest->hasReductions() && !out.empty() &&
                    llvm::is_contained(read.index, out.back());
    cycles += double(getBytes(input->get())) / (isCopied ? 8 : 64);
  }
  return cycles;
}

std::optional<Cut> Parallelizer::choose() {
  if (!llvm::all_of(ops, [](NestOp each) {
        return isCuttable(each) && llvm::all_of(each.op.getDpsInits(), isAlone);
      }))
    return std::nullopt;
  const double work = getWork();
  if (work < kLeastWork)
    return std::nullopt;
  // Nor may parts read elements of other parts in the same buffer.
  for (OpOperand *input : op.getDpsInputOperands())
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isa<MemRefType>(input->get().getType()) &&
          getRoot(input->get()) == getRoot(init.get()) &&
          (input->get() != init.get() ||
           nest->findRead(input->getOperandNumber())->index !=
               nest->findRead(init.getOperandNumber())->index))
        return std::nullopt;
  ArrayRef<Form> out = nest->writes.back().index;
  std::optional<Cut> best;
  double least = 0.8 * work;
  for (auto [position, form] : llvm::enumerate(out)) {
    std::optional<unsigned> axis = nest->getPlainAxis(form);
    int64_t unit = axis ? getUnit(*axis) : 0;
    if (unit == 0)
      continue;
    const unsigned loop = *axis;
    const int64_t size = *nest->getExtent(loop);
    // Whole vectors.
    if (position + 1 == out.size())
      unit = std::lcm(unit, 2 * getLanes(op, target));
    const double shared = getShared(loop);
    for (int64_t perCore : {1, 2, 4}) {
      int64_t part = llvm::alignTo(
          llvm::divideCeilSigned(size, target.cores * perCore), unit);
      int64_t count = llvm::divideCeilSigned(size, part);
      if (count < 2)
        continue;
      int64_t iterations = llvm::divideCeilSigned(count, target.cores);
      // Many parts even out disturbances of a core.
      double cost =
          double(iterations) *
              (work * double(part) / double(size) + shared + kPartCost) *
              (1 + 0.02 / double(perCore)) +
          kLeastWork / 4;
      if (cost < least) {
        least = cost;
        best = Cut{loop, {count, part, size - (count - 1) * part}};
      }
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// 3. The loop
//===----------------------------------------------------------------------===//

void Parallelizer::emitPart(OpBuilder &b, Location loc, unsigned loop,
                            Value offset, int64_t size) {
  Slicer slicer(b, loc, offset, size);
  Value local;
  if (group.local) {
    local = allocatePart(b, loc, group.local, getDim(loop), size);
    slicer.set(group.local, local);
  }
  // All parts before the ops, which stay neighbours.
  SmallVector<CutOp, 3> cut = getCutOps(loop);
  SmallVector<SmallVector<Value>> operands;
  for (const CutOp &each : cut)
    operands.push_back(slicer.get(each, each.loop));
  for (auto [each, list] : llvm::zip_equal(cut, operands))
    slicer.clone(each.op, each.loop, list);
  if (local)
    memref::DeallocOp::create(b, loc, local);
}

void Parallelizer::emit(RewriterBase &b, const Cut &cut) {
  b.setInsertionPoint(ops.back().op);
  Location loc = op.getLoc();
  emitParts(b, loc, cut.parts, /*isParallel=*/true,
            [&](OpBuilder &inner, Value offset, int64_t size) {
              emitPart(inner, loc, cut.loop, offset, size);
            });
  for (const NestOp &each : llvm::reverse(ops))
    b.eraseOp(each.op);
  if (group.local)
    eraseLocal(b, group.local);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

bool mlir::tensoraccess::parallelizeKernel(RewriterBase &rewriter,
                                           linalg::LinalgOp op,
                                           const Target &target) {
  KernelGroup group{{}, op, {}, {}};
  if (op.hasPureBufferSemantics() && op.getNumDpsInits() == 1 &&
      op.getNumReductionLoops() != 0) {
    group.fill = findFillBefore(op);
    group.epilogue = findEpilogueAfter(op);
    Value result = op.getDpsInits()[0];
    if (group.fill && group.epilogue &&
        group.epilogue.getDpsInits()[0] != result)
      group.local = result.getDefiningOp<memref::AllocOp>();
  }
  Parallelizer parallelizer(group, target);
  std::optional<Cut> cut = parallelizer.choose();
  if (!cut)
    return false;
  parallelizer.emit(rewriter, *cut);
  return true;
}

namespace {
struct ParallelizeKernelsPass
    : public tensoraccess::impl::ParallelizeKernelsBase<
          ParallelizeKernelsPass> {
  using ParallelizeKernelsBase::ParallelizeKernelsBase;

  void runOnOperation() override {
    FailureOr<Target> found =
        findTarget(getOperation(), target, /*otherwise=*/"host");
    if (failed(found))
      return signalPassFailure();
    if (cores > 0)
      found->cores = cores;
    if (found->cores < 2)
      return;
    IRRewriter rewriter(&getContext());
    // What parallel loops call are parts already.
    llvm::DenseSet<StringRef> inside;
    getOperation().walk([&](func::CallOp call) {
      if (call->getParentOfType<scf::ForallOp>())
        inside.insert(call.getCallee());
    });
    auto mayBeCut = [&](Operation *op) {
      return isInHostFunction(op) && !isInColdFunction(op) &&
             !op->getParentOfType<scf::ForallOp>() &&
             !inside.contains(op->getParentOfType<func::FuncOp>().getName());
    };
    auto run = [&](bool isSum) {
      SmallVector<linalg::LinalgOp> left;
      getOperation().walk([&](linalg::LinalgOp op) {
        if ((op.getNumReductionLoops() != 0) == isSum && mayBeCut(op))
          left.push_back(op);
      });
      for (linalg::LinalgOp op : left)
        parallelized += parallelizeKernel(rewriter, op, *found);
    };
    // Sums first: they take their neighbours along.
    run(/*isSum=*/true);
    run(/*isSum=*/false);
    parallelized +=
        parallelizeLoops(rewriter, getOperation(), *found, mayBeCut);
  }
};
} // namespace
