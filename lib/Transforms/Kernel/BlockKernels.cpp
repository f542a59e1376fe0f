//===- BlockKernels.cpp - Loop nests one after the other, by rows ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax is a maximum, a power, a sum and a quotient of each row: one op
// after the other walks the whole tensor four times, past every cache. So:
// 1. linalg ops on buffers that follow one another, with nothing between them
//    but allocations and what computes no memory, form a group as long as each
//    has a loop of rows, of the same number, along which it writes its results,
//    and reads what the group has written at its own row only;
// 2. rows are cut so that what a part touches stays in the second cache, and so
//    that every core gets some;
// 3. the ops become one loop over parts, in which all of them are; a buffer
//    that only they use belongs to a part.
//
// Each element is computed as before: results have the same bits.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_BLOCKKERNELS
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Of an input that every part reads whole: it stays in a cache beside the rows.
static constexpr int64_t kMostShared = 64 << 10;
/// Bytes that are touched again that are worth a loop.
static constexpr int64_t kLeastKept = 64 << 10;

namespace {

class RowGroup {
public:
  /// Whether the op is one of the group now.
  bool join(linalg::LinalgOp op);
  /// False if what follows must come after the group.
  bool pass(Operation *op);
  bool isEmpty() const { return members.empty(); }

  /// The rows of a part; std::nullopt if the group is better left alone.
  std::optional<Parts> choose(const Target &target);
  bool isParallel(const Target &target);
  void dropFills();
  /// What is left over of local buffers goes to `dead`.
  unsigned emit(RewriterBase &b, const Parts &parts, bool isParallel,
                llvm::SetVector<Operation *> &dead);

private:
  struct Member : NestOp {
    unsigned loop;
  };
  static std::optional<unsigned> findRows(const Nest &nest);
  bool isLocal(Value buffer, unsigned rowDim) const;

  int64_t rows = 0;
  SmallVector<Member> members;
  /// Buffers that are written, with their dimension of rows.
  llvm::MapVector<Value, unsigned> written;
  /// Roots of what is read besides.
  llvm::SmallSetVector<Value, 8> read;
  SmallVector<Operation *> frees;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. Groups
//===----------------------------------------------------------------------===//

/// The loop of the first dimension of the result that has several elements.
std::optional<unsigned> RowGroup::findRows(const Nest &nest) {
  for (const Form &form : nest.writes.back().index) {
    std::optional<unsigned> axis = nest.getPlainAxis(form);
    if (!axis)
      return std::nullopt;
    if (nest.getExtent(*axis) > 1)
      return axis;
  }
  return std::nullopt;
}

/// The dimension whose index is the loop, if no other one moves along it.
static std::optional<unsigned>
getRowDim(const Nest &nest, const NestAccess &access, unsigned loop) {
  std::optional<unsigned> found;
  for (auto [i, form] : llvm::enumerate(access.index)) {
    if (!nest.moves(form, loop))
      continue;
    if (found || nest.getPlainAxis(form) != loop)
      return std::nullopt;
    found = i;
  }
  return found;
}

bool RowGroup::join(linalg::LinalgOp op) {
  // Products are not bound by memory, and copy panels for more rows than a part has.
  const NestOp nested(op);
  const Nest &nest = *nested.nest;
  const auto numSummed =
      llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *input) {
        return llvm::any_of(llvm::seq(nest.axes.size()), [&](unsigned axis) {
          return nest.axes[axis].isReduction &&
                 nest.moves(nested.get(*input), axis);
        });
      });
  const bool isProduct = numSummed > 1;
  if (isProduct || !isCuttable(nested) || mayFail(op))
    return false;
  std::optional<unsigned> loop = findRows(nest);
  if (!loop)
    return false;
  const int64_t size = *nest.getExtent(*loop);
  if (!members.empty() && size != rows)
    return false;
  // What the body reads by itself is read anywhere.
  bool readsMemory = op.getBlock()
                         ->walk([](Operation *inner) {
                           return isMemoryEffectFree(inner)
                                      ? WalkResult::advance()
                                      : WalkResult::interrupt();
                         })
                         .wasInterrupted();
  if (readsMemory)
    return false;
  SmallVector<Value> others;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<BaseMemRefType>(input->get().getType()))
      continue;
    const NestRead &access = nested.get(*input);
    Value root = getRoot(input->get());
    if (auto found = written.find(root); found != written.end()) {
      if (input->get() != root ||
          getRowDim(nest, access, *loop) != found->second)
        return false;
      continue;
    }
    if (getSliceUnit(nested, *input, *loop) != 1 ||
        (!isAllocation(root) && !isOlder(root)))
      return false;
    // Read again by every part.
    if (!nest.moves(access, *loop) && getBytes(input->get()) > kMostShared)
      return false;
    others.push_back(root);
  }
  SmallVector<std::pair<Value, unsigned>> results;
  for (const NestAccess &access : nest.writes) {
    Value buffer = op->getOperand(nest.getDestinations()[access.value]);
    std::optional<unsigned> dim = getRowDim(nest, access, *loop);
    if (!dim || getRoot(buffer) != buffer || !isAllocation(buffer) ||
        read.contains(buffer) || llvm::is_contained(others, buffer))
      return false;
    auto found = written.find(buffer);
    if (found != written.end() && found->second != *dim)
      return false;
    results.push_back({buffer, *dim});
  }
  rows = size;
  members.push_back({nested, *loop});
  read.insert(others.begin(), others.end());
  for (auto [buffer, dim] : results)
    written[buffer] = dim;
  return true;
}

bool RowGroup::pass(Operation *op) {
  if (auto free = dyn_cast<memref::DeallocOp>(op)) {
    frees.push_back(op);
    return true;
  }
  if (isa<memref::AllocOp>(op))
    return op->getNumOperands() == 0;
  // A view of what is written would have to be one of a part.
  return isPure(op) && llvm::none_of(op->getOperands(), [&](Value operand) {
           return isa<BaseMemRefType>(operand.getType()) &&
                  written.contains(getRoot(operand));
         });
}

//===----------------------------------------------------------------------===//
// 2. Parts
//===----------------------------------------------------------------------===//

/// Whether only members, and the op that frees it, use the buffer, of which parts
/// have a known shape.
bool RowGroup::isLocal(Value buffer, unsigned rowDim) const {
  SmallVector<int64_t> shape(cast<MemRefType>(buffer.getType()).getShape());
  shape[rowDim] = 1;
  return isAllocation(buffer) && !ShapedType::isDynamicShape(shape) &&
         llvm::all_of(buffer.getUsers(), [&](Operation *user) {
           return isa<memref::DeallocOp>(user) ||
                  llvm::any_of(members, [&](const Member &member) {
                    return member.op == user;
                  });
         });
}

/// Leaves out fills that something after the group begins with.
void RowGroup::dropFills() {
  llvm::erase_if(members, [&](const Member &fill) {
    if (!isa<linalg::FillOp>(fill.op))
      return false;
    Value buffer = fill.op->getOperands().back();
    bool isUsed = llvm::any_of(members, [&](const Member &other) {
      return other.op != fill.op &&
             llvm::is_contained(other.op->getOperands(), buffer);
    });
    if (!isUsed)
      written.erase(buffer);
    return !isUsed;
  });
}

std::optional<Parts> RowGroup::choose(const Target &target) {
  unsigned computing = 0;
  int64_t kept = 0, perRow = 0, unit = 1;
  llvm::SmallSetVector<Value, 8> touched;
  for (Member member : members) {
    computing += !isa<linalg::FillOp>(member.op);
    for (OpOperand &operand : member.op->getOpOperands()) {
      if (!member.nest->moves(member.get(operand), member.loop))
        continue;
      if (touched.insert(operand.get()))
        perRow += llvm::divideCeilSigned(getBytes(operand.get()), rows);
      else
        kept += getBytes(operand.get());
    }
    // Rows along which vectors run.
    if (member.nest->hasReductions() &&
        member.nest->moves(member.nest->writes.back().index.back(),
                           member.loop))
      unit = std::max(unit, getLanes(member.op, target));
  }
  if (computing < 2 || kept < kLeastKept || perRow == 0)
    return std::nullopt;
  const int64_t budget =
      target.caches.size() > 1 ? target.caches[1].bytes / 2 : 256 << 10;
  int64_t size = std::max<int64_t>(budget / perRow / unit, 1) * unit;
  if (size * perRow > 2 * budget)
    return std::nullopt;
  if (isParallel(target))
    size = std::min<int64_t>(
        size,
        llvm::alignTo(llvm::divideCeilSigned(rows, 2 * target.cores), unit));
  size = std::min(size, rows);
  if (size == rows)
    return std::nullopt;
  // A last part of another size is more code.
  for (int64_t even = size; even >= size / 2 && even >= unit; even -= unit)
    if (rows % even == 0)
      return Parts{rows / even, even, even};
  const int64_t count = llvm::divideCeilSigned(rows, size);
  return Parts{count, size, rows - (count - 1) * size};
}

bool RowGroup::isParallel(const Target &target) {
  double cycles = 0;
  for (const Member &member : members)
    cycles += getCycles(member, target);
  return target.cores > 1 && cycles >= kLeastWork;
}

//===----------------------------------------------------------------------===//
// 3. The loop
//===----------------------------------------------------------------------===//

unsigned RowGroup::emit(RewriterBase &b, const Parts &parts, bool isParallel,
                        llvm::SetVector<Operation *> &dead) {
  Operation *last = members.back().op;
  Location loc = last->getLoc();
  b.setInsertionPoint(last);
  SmallVector<Value> locals;
  for (auto [buffer, dim] : written)
    if (isLocal(buffer, dim))
      locals.push_back(buffer);
  emitParts(b, loc, parts, isParallel,
            [&](OpBuilder &inner, Value offset, int64_t size) {
              Slicer slicer(inner, loc, offset, size);
              SmallVector<Value> own;
              for (Value buffer : locals) {
                auto alloc = buffer.getDefiningOp<memref::AllocOp>();
                SmallVector<int64_t> shape(alloc.getType().getShape());
                shape[written[buffer]] = size;
                own.push_back(memref::AllocOp::create(
                    inner, loc,
                    MemRefType::get(shape, alloc.getType().getElementType()),
                    alloc.getAlignmentAttr()));
                slicer.set(buffer, own.back());
              }
              SmallVector<SmallVector<Value>> operands;
              for (const Member &member : members)
                operands.push_back(slicer.get(member, member.loop));
              for (auto [member, list] : llvm::zip_equal(members, operands))
                slicer.clone(member.op, member.loop, list);
              for (Value buffer : own)
                memref::DeallocOp::create(inner, loc, buffer);
            });
  // What was freed between the ops is read by parts until they end.
  for (Operation *free : frees)
    if (free->isBeforeInBlock(last))
      free->moveAfter(last);
  const unsigned count = members.size();
  for (const Member &member : llvm::reverse(members))
    b.eraseOp(member.op);
  for (Value buffer : locals) {
    dead.insert(buffer.user_begin(), buffer.user_end());
    dead.insert(buffer.getDefiningOp());
  }
  return count;
}

unsigned mlir::tensoraccess::blockKernels(RewriterBase &rewriter, Block &block,
                                          const Target &target) {
  unsigned blocked = 0;
  // Until the walk is over: it may be before one of them.
  llvm::SetVector<Operation *> dead;
  RowGroup group;
  auto close = [&] {
    group.dropFills();
    if (std::optional<Parts> parts = group.choose(target))
      blocked += group.emit(rewriter, *parts, group.isParallel(target), dead);
    group = RowGroup();
  };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp ? group.join(linalgOp) : group.pass(&op))
      continue;
    close();
    if (linalgOp)
      (void)group.join(linalgOp);
  }
  close();
  for (Operation *op : dead)
    rewriter.eraseOp(op);
  return blocked;
}

namespace {
struct BlockKernelsPass
    : public tensoraccess::impl::BlockKernelsBase<BlockKernelsPass> {
  using BlockKernelsBase::BlockKernelsBase;

  void runOnOperation() override {
    FailureOr<Target> found =
        findTarget(getOperation(), target, /*otherwise=*/"host");
    if (failed(found))
      return signalPassFailure();
    if (cores > 0)
      found->cores = cores;
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      Operation *parent = block->getParentOp();
      if (!isa<linalg::LinalgOp>(parent) && isInHostFunction(parent))
        blocks.push_back(block);
    });
    IRRewriter rewriter(&getContext());
    for (Block *block : blocks)
      blocked += blockKernels(rewriter, *block, *found);
  }
};
} // namespace
