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
// Each element is computed as before, whoever does it: results have the same
// bits.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PARALLELIZEKERNELS
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Ops that are cut together.
struct Group {
  linalg::FillOp fill;
  linalg::LinalgOp op;
  linalg::GenericOp epilogue;
  /// The buffer between op and epilogue, where nothing else has it.
  memref::AllocOp local;
};

/// Parts of a loop: all of `size` but the last one.
struct Cut {
  unsigned loop;
  int64_t count, size, last;
};

/// An op of a group, and which of its loops is the one that is cut.
struct CutOp {
  linalg::LinalgOp op;
  unsigned loop;
};

class Parallelizer {
public:
  Parallelizer(const Group &group, const Target &target)
      : group(group), target(target), op(group.op) {}

  std::optional<Cut> choose();
  void emit(RewriterBase &rewriter, const Cut &cut);

private:
  bool isCuttable();
  SmallVector<CutOp, 3> getOps(unsigned loop);
  bool isCuttableAlong(unsigned loop);
  int64_t getLanes(linalg::LinalgOp op);
  double getWork();
  double getShared(unsigned loop);
  void emitPart(RewriterBase &rewriter, Location loc, unsigned loop,
                Value offset, int64_t size);

  Group group;
  const Target &target;
  linalg::LinalgOp op;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. Where it can be cut
//===----------------------------------------------------------------------===//

/// Whether an op in a body does nothing but compute, read, and perhaps fail.
static bool isHarmless(Operation *op) {
  if (isa<AssertOp, cf::AssertOp>(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

bool Parallelizer::isCuttable() {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() == 0 ||
      ShapedType::isDynamicShape(op.getStaticLoopRanges()))
    return false;
  return !op.getBlock()
              ->walk([](Operation *inner) {
                return isHarmless(inner) ? WalkResult::advance()
                                         : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The ops of the group with their loops.
SmallVector<CutOp, 3> Parallelizer::getOps(unsigned loop) {
  SmallVector<CutOp, 3> ops;
  AffineMap out = op.getIndexingMapsArray().back();
  std::optional<unsigned> dim =
      out.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  if (group.fill)
    ops.push_back(
        {cast<linalg::LinalgOp>(group.fill.getOperation()), dim.value_or(0)});
  ops.push_back({op, loop});
  if (group.epilogue)
    for (OpOperand *input : group.epilogue.getDpsInputOperands())
      if (input->get() == op.getDpsInits()[0])
        ops.push_back(
            {cast<linalg::LinalgOp>(group.epilogue.getOperation()),
             group.epilogue.getMatchingIndexingMap(input).getDimPosition(
                 dim.value_or(0))});
  return ops;
}

/// Whether an operand is read at places that move along with the loop, as a sum
/// of loops of known sizes where it is not the loop alone.
static bool isSliceable(AffineMap map, unsigned loop) {
  for (AffineExpr expr : map.getResults()) {
    if (!expr.isFunctionOfDim(loop) || isa<AffineDimExpr>(expr))
      continue;
    std::optional<SmallVector<int64_t>> linear =
        getLinear(expr, map.getNumDims());
    if (!linear || llvm::any_of(*linear, [](int64_t c) { return c < 0; }))
      return false;
  }
  return true;
}

bool Parallelizer::isCuttableAlong(unsigned loop) {
  AffineExpr expr = getAffineDimExpr(loop, op.getContext());
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).getResultPosition(expr))
      return false;
  for (auto [part, dim] : getOps(loop))
    for (AffineMap map : part.getIndexingMapsArray())
      if (!isSliceable(map, dim))
        return false;
  // What fails first is what fails first in the order of loops.
  bool fails = op.getBlock()
                   ->walk([](Operation *inner) {
                     return isa<AssertOp, cf::AssertOp>(inner)
                                ? WalkResult::interrupt()
                                : WalkResult::advance();
                   })
                   .wasInterrupted();
  return !fails || loop == 0;
}

//===----------------------------------------------------------------------===//
// 2. The choice
//===----------------------------------------------------------------------===//

/// Cycles that are not worth the while that it takes to wake up another core.
static constexpr double kLeastWork = 40000;
/// Cycles of a part.
static constexpr double kPartCost = 1500;

static int64_t getBytes(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Elements of the result in a vector.
int64_t Parallelizer::getLanes(linalg::LinalgOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return target.getLanes(
      element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64);
}

/// Cycles of one core.
double Parallelizer::getWork() {
  double cycles = 0;
  for (auto [part, loop] : getOps(0)) {
    double turns = 1, ops = 0;
    for (int64_t size : part.getStaticLoopRanges())
      turns *= size;
    part.getBlock()->walk([&](Operation *inner) {
      // Polynomials, but for what is an instruction.
      bool isLong = isa_and_nonnull<math::MathDialect>(inner->getDialect()) &&
                    !isa<math::FmaOp, math::AbsFOp, math::SqrtOp>(inner);
      ops += isLong ? 20 : 1;
    });
    double compute = turns * ops / double(2 * getLanes(part));
    double bytes = 0;
    for (Value operand : part->getOperands())
      bytes += getBytes(operand);
    cycles += std::max(compute, bytes / target.getBytesPerCycle());
  }
  return cycles;
}

/// Cycles for what each part reads whole; what is read by vectors is copied.
double Parallelizer::getShared(unsigned loop) {
  AffineMap out = op.getIndexingMapsArray().back();
  double cycles = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isFunctionOfDim(loop))
      continue;
    bool isCopied = op.getNumReductionLoops() != 0 &&
                    out.getNumResults() != 0 &&
                    llvm::any_of(map.getResults(), [&](AffineExpr expr) {
                      return expr == out.getResults().back();
                    });
    cycles += double(getBytes(input->get())) / (isCopied ? 8 : 64);
  }
  return cycles;
}

std::optional<Cut> Parallelizer::choose() {
  if (!isCuttable())
    return std::nullopt;
  const double work = getWork();
  if (work < kLeastWork)
    return std::nullopt;
  AffineMap out = op.getIndexingMapsArray().back();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  std::optional<Cut> best;
  double least = 0.8 * work;
  for (auto [position, expr] : llvm::enumerate(out.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || !isCuttableAlong(dim.getPosition()))
      continue;
    const unsigned loop = dim.getPosition();
    const int64_t size = sizes[loop];
    int64_t unit = 1;
    if (position + 1 == out.getNumResults())
      unit = 2 * getLanes(op);
    const double shared = getShared(loop);
    for (int64_t perCore : {1, 2, 4}) {
      int64_t part = llvm::alignTo(
          llvm::divideCeilSigned(size, target.cores * perCore), unit);
      int64_t count = llvm::divideCeilSigned(size, part);
      if (count < 2)
        continue;
      int64_t turns = llvm::divideCeilSigned(count, target.cores);
      // Many parts even out what disturbs a core.
      double cost =
          double(turns) *
              (work * double(part) / double(size) + shared + kPartCost) *
              (1 + 0.02 / double(perCore)) +
          kLeastWork / 4;
      if (cost < least) {
        least = cost;
        best = Cut{loop, count, part, size - (count - 1) * part};
      }
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// 3. The loop
//===----------------------------------------------------------------------===//

namespace {
/// Parts of operands, each made once: what is written and what is read back are
/// one buffer.
class Slicer {
public:
  Slicer(OpBuilder &b, Location loc, Value offset, int64_t size)
      : b(b), loc(loc), offset(offset), size(size) {}

  /// The part that `size` turns of a loop from `offset` on reach.
  Value get(Value operand, AffineMap map, unsigned loop,
            ArrayRef<int64_t> sizes);

private:
  struct Slice {
    Value operand;
    /// By dimension: how far it moves with a turn, from where, and its size.
    SmallVector<std::array<int64_t, 3>> dims;
    Value result;
  };

  OpBuilder &b;
  Location loc;
  Value offset;
  int64_t size;
  SmallVector<Slice> slices;
};
} // namespace

Value Slicer::get(Value operand, AffineMap map, unsigned loop,
                  ArrayRef<int64_t> sizes) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type || !map.isFunctionOfDim(loop))
    return operand;
  Slice slice{operand, {}, {}};
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop)) {
      slice.dims.push_back({0, 0, type.getDimSize(i)});
      continue;
    }
    SmallVector<int64_t> linear = *getLinear(expr, map.getNumDims());
    int64_t extent = linear[loop] * (size - 1) + 1;
    for (auto [dim, factor] : llvm::enumerate(ArrayRef(linear).drop_back()))
      if (dim != loop)
        extent += factor * (sizes[dim] - 1);
    slice.dims.push_back({linear[loop], linear.back(), extent});
  }
  for (const Slice &other : slices)
    if (other.operand == operand && other.dims == slice.dims)
      return other.result;
  SmallVector<OpFoldResult> offsets, extents;
  for (auto [factor, start, extent] : slice.dims) {
    extents.push_back(b.getIndexAttr(extent));
    if (factor == 0) {
      offsets.push_back(b.getIndexAttr(0));
      continue;
    }
    AffineExpr place = getAffineDimExpr(0, b.getContext()) * factor + start;
    offsets.push_back(affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(1, 0, place), OpFoldResult(offset)));
  }
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  slice.result =
      memref::SubViewOp::create(b, loc, operand, offsets, extents, strides);
  return slices.emplace_back(std::move(slice)).result;
}

void Parallelizer::emitPart(RewriterBase &b, Location loc, unsigned loop,
                            Value offset, int64_t size) {
  Value local;
  if (group.local) {
    auto type = cast<MemRefType>(group.local.getType());
    SmallVector<int64_t> shape(type.getShape());
    AffineMap out = op.getIndexingMapsArray().back();
    shape[*out.getResultPosition(getAffineDimExpr(loop, b.getContext()))] =
        size;
    local = memref::AllocOp::create(
        b, loc, MemRefType::get(shape, type.getElementType()),
        group.local.getAlignmentAttr());
  }
  // All parts before the ops, which stay neighbours.
  Slicer slicer(b, loc, offset, size);
  SmallVector<CutOp, 3> ops = getOps(loop);
  SmallVector<SmallVector<Value>> operands(ops.size());
  for (auto [each, list] : llvm::zip_equal(ops, operands))
    for (OpOperand &operand : each.op->getOpOperands()) {
      bool isLocal = local && operand.get() == group.local.getResult();
      list.push_back(
          isLocal ? local
                  : slicer.get(operand.get(),
                               each.op.getMatchingIndexingMap(&operand),
                               each.loop, each.op.getStaticLoopRanges()));
    }
  for (auto [each, list] : llvm::zip_equal(ops, operands)) {
    auto cut = cast<linalg::LinalgOp>(
        mlir::clone(b, each.op, /*resultTypes=*/TypeRange(), list));
    if (!cut.hasIndexSemantics())
      continue;
    SmallVector<OpFoldResult> offsets(cut.getNumLoops(), OpFoldResult());
    offsets[each.loop] = offset;
    linalg::offsetIndices(b, cut, offsets);
  }
  if (local)
    memref::DeallocOp::create(b, loc, local);
}

void Parallelizer::emit(RewriterBase &b, const Cut &cut) {
  SmallVector<CutOp, 3> ops = getOps(cut.loop);
  Location loc = op.getLoc();
  b.setInsertionPoint(ops.back().op);
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto forall = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(cut.count)}, ValueRange(),
      std::nullopt);
  b.setInsertionPointToStart(forall.getBody());
  Value part = forall.getInductionVar(0);
  Value offset = arith::MulIOp::create(b, loc, part, index(cut.size));
  if (cut.last == cut.size) {
    emitPart(b, loc, cut.loop, offset, cut.size);
  } else {
    Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                          part, index(cut.count - 1));
    auto branch = scf::IfOp::create(b, loc, isWhole, /*withElse=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    emitPart(b, loc, cut.loop, offset, cut.size);
    b.setInsertionPointToStart(branch.elseBlock());
    emitPart(b, loc, cut.loop, offset, cut.last);
  }
  for (const CutOp &each : llvm::reverse(ops))
    b.eraseOp(each.op);
  if (!group.local)
    return;
  for (Operation *user : llvm::make_early_inc_range(group.local->getUsers()))
    b.eraseOp(user);
  b.eraseOp(group.local);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

bool mlir::tensoraccess::parallelizeKernel(RewriterBase &rewriter,
                                           linalg::LinalgOp op,
                                           const Target &target) {
  Group group{{}, op, {}, {}};
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
    // Sums first: they take their neighbours along.
    IRRewriter rewriter(&getContext());
    auto run = [&](bool isSum) {
      SmallVector<linalg::LinalgOp> left;
      getOperation().walk([&](linalg::LinalgOp op) {
        if ((op.getNumReductionLoops() != 0) == isSum &&
            !op->getParentOfType<scf::ForallOp>())
          left.push_back(op);
      });
      for (linalg::LinalgOp op : left)
        parallelized += parallelizeKernel(rewriter, op, *found);
    };
    run(/*isSum=*/true);
    run(/*isSum=*/false);
  }
};
} // namespace
