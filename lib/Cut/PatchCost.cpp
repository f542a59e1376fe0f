//===- PatchCost.cpp - What patches take, and the best of them ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Narrower.h"
#include "Patcher.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Cut/Blocks.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {
/// Values that share memory.
struct Buffer {
  int64_t bytes = 0;
  unsigned first = 0, last = 0;
};

/// Goes through a block once, and gives each value a buffer.
class BufferCount {
public:
  BufferCount(Block &block, const PatchHead *head, ProgramCost patches)
      : block(block), head(head), patches(patches) {}
  /// `isPart`: what is returned is computed in a part of another tensor.
  ProgramCost count(bool isPart = false);

private:
  bool isGone(Operation *op) const {
    return head && !head->kept.contains(op) &&
           op != head->value.getDefiningOp();
  }
  void addUse(Value value, unsigned at) {
    unsigned &last = lastUses[value];
    last = std::max(last, at);
  }
  void findUses();
  void add(Value value, unsigned at);
  /// The value's buffer if `at` is the last to use it.
  std::optional<unsigned> getLast(Value value, unsigned at) const;
  void share(Value value, unsigned buffer) {
    buffers[buffer].last = std::max(buffers[buffer].last, lastUses[value]);
    bufferOf[value] = buffer;
  }
  void visitResults(Operation *op, unsigned at);
  void writeInPlace(Value source, unsigned whole, unsigned at);

  Block &block;
  const PatchHead *head;
  const ProgramCost patches;
  SmallVector<Buffer> buffers;
  DenseMap<Value, unsigned> bufferOf, lastUses;
};
} // namespace

void BufferCount::findUses() {
  for (auto [at, op] : llvm::enumerate(block)) {
    if (isGone(&op))
      continue;
    if (head && &op == head->value.getDefiningOp())
      for (Value read : head->reads)
        addUse(read, at);
    if (!head || head->kept.contains(&op))
      op.walk([&, number = unsigned(at)](Operation *inner) {
        for (Value operand : inner->getOperands())
          addUse(operand, number);
      });
  }
}

static int64_t countTypeBytes(RankedTensorType type) {
  return type.hasStaticShape()
             ? type.getNumElements() * getElementBytes(type).value_or(0)
             : 0;
}

void BufferCount::add(Value value, unsigned at) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  Buffer &buffer = buffers.emplace_back();
  buffer.first = at;
  buffer.last = std::max(at, lastUses.lookup(value));
  buffer.bytes = countTypeBytes(type);
  bufferOf[value] = buffers.size() - 1;
}

std::optional<unsigned> BufferCount::getLast(Value value, unsigned at) const {
  auto it = bufferOf.find(value);
  if (it == bufferOf.end() || buffers[it->second].last > at)
    return std::nullopt;
  return it->second;
}

/// Whether an op reads an operand only at the element that it writes.
static bool isElementwise(Operation *op, OpOperand &operand) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured &&
         structured.getNumLoops() == structured.getNumParallelLoops() &&
         structured.getMatchingIndexingMap(&operand).isIdentity();
}

/// Whether an op only says what others begin with, which happens in their place.
static bool isInit(Operation *op) {
  return isFree(op) && llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto dest = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
           return dest && dest.isDpsInit(&use);
         });
}

void BufferCount::visitResults(Operation *op, unsigned at) {
  if (isa<tensor::EmptyOp>(op) || matchPattern(op, m_Constant()) || isInit(op))
    return;
  if (isTensorView(op)) {
    auto it = bufferOf.find(op->getOperand(0));
    if (it != bufferOf.end())
      share(op->getResult(0), it->second);
    return;
  }
  auto dest = dyn_cast<DestinationStyleOpInterface>(op);
  auto loop = dyn_cast<scf::ForOp>(op);
  for (OpResult result : op->getResults()) {
    SmallVector<OpOperand *> candidates;
    if (dest)
      candidates.push_back(dest.getTiedOpOperand(result));
    if (loop)
      candidates.push_back(loop.getTiedLoopInit(result));
    for (OpOperand &operand : op->getOpOperands())
      if (isElementwise(op, operand) &&
          operand.get().getType() == result.getType())
        candidates.push_back(&operand);
    std::optional<unsigned> own;
    for (OpOperand *operand : candidates)
      if (!own)
        own = getLast(operand->get(), at);
    if (own)
      share(result, *own);
    else
      add(result, at);
    if (isa<tensor::PadOp, tensor::InsertSliceOp>(op))
      writeInPlace(op->getOperand(0), bufferOf.lookup(result), at);
  }
}

/// What only becomes a part of a tensor is computed there.
void BufferCount::writeInPlace(Value source, unsigned whole, unsigned at) {
  std::optional<unsigned> part = getLast(source, at);
  if (!part || *part == whole || source.getDefiningOp<tensor::ExtractSliceOp>())
    return;
  buffers[*part].bytes = 0;
  buffers[whole].first = std::min(buffers[whole].first, buffers[*part].first);
}

ProgramCost BufferCount::count(bool isPart) {
  findUses();
  // What a loop carries is there already.
  if (!isa<func::FuncOp>(block.getParentOp()))
    for (BlockArgument argument : block.getArguments()) {
      add(argument, 0);
      if (bufferOf.contains(argument))
        buffers.back().bytes = 0;
    }
  ProgramCost cost;
  SmallVector<int64_t> extra(block.getOperations().size(), 0);
  for (auto [at, op] : llvm::enumerate(block)) {
    if (isGone(&op))
      continue;
    if (head && &op == head->value.getDefiningOp()) {
      extra[at] = patches.peakBytes;
      cost.operations += patches.operations;
      add(head->value, at);
      if (!head->kept.contains(&op))
        continue;
    }
    visitResults(&op, at);
    if (std::optional<Work> work = countOpWork(&op))
      cost.operations += work->operations;
    int64_t trips = 1;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      if (std::optional<APInt> known = loop.getStaticTripCount())
        trips = known->getSExtValue();
    if (!isa<linalg::LinalgOp, tensor::PadOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region) {
          ProgramCost own = countCost(inner);
          extra[at] = std::max(extra[at], own.peakBytes);
          cost.operations += trips * own.operations;
        }
  }
  if (isPart)
    for (Value result : block.getTerminator()->getOperands())
      if (auto it = bufferOf.find(result); it != bufferOf.end())
        buffers[it->second].bytes = 0;
  for (auto [at, more] : llvm::enumerate(extra)) {
    int64_t live = more;
    for (const Buffer &buffer : buffers)
      if (buffer.first <= at && at <= buffer.last)
        live += buffer.bytes;
    cost.peakBytes = std::max(cost.peakBytes, live);
  }
  return cost;
}

ProgramCost mlir::tensoraccess::countCost(Block &block, const PatchHead *head,
                                          ProgramCost patches) {
  return BufferCount(block, head, patches).count();
}

ProgramCost ProgramCost::of(func::FuncOp function) {
  return countCost(function.front());
}

//===----------------------------------------------------------------------===//
// The best patches
//===----------------------------------------------------------------------===//

/// The cost of a function with patches, from the last patch in each dimension,
/// and one in the middle, which stands for all others.
static ProgramCost estimateCost(Block &block, Value value,
                                ArrayRef<int64_t> sizes) {
  SmallVector<SmallVector<std::pair<int64_t, int64_t>>> samples;
  SmallVector<int64_t> counts;
  for (int64_t count : countPatches(value, sizes)) {
    auto &list = samples.emplace_back();
    if (count > 1)
      list.emplace_back((count - 1) / 2, count - 1);
    list.emplace_back(count - 1, 1);
    counts.push_back(list.size());
  }
  SmallVector<Box> boxes;
  SmallVector<int64_t> weights, index(counts.size(), 0);
  do {
    SmallVector<int64_t> at;
    int64_t &weight = weights.emplace_back(1);
    for (auto [i, list] : llvm::zip_equal(index, samples)) {
      at.push_back(list[i].first);
      weight *= list[i].second;
    }
    boxes.push_back(getPatchBox(value, sizes, at));
  } while (nextIndex(index, counts));
  const PatchHead head(value, boxes);
  ProgramCost patches;
  for (auto [box, weight] : llvm::zip_equal(boxes, weights)) {
    OwningOpRef<func::FuncOp> patch = head.getPatch(box);
    ProgramCost own =
        BufferCount(patch->front(), nullptr, {}).count(/*isPart=*/true);
    patches.peakBytes = std::max(patches.peakBytes, own.peakBytes);
    patches.operations += weight * own.operations;
  }
  return countCost(block, &head, patches);
}

PatchChoice mlir::tensoraccess::choosePatches(func::FuncOp function, Value only,
                                              int64_t maxOperations,
                                              std::optional<int64_t> maxBytes) {
  Block &block = function.front();
  PatchChoice best;
  best.cost = ProgramCost::of(function);
  auto isBetter = [&](const ProgramCost &cost) {
    auto getKey = [&](const ProgramCost &cost) {
      return !maxBytes ? std::tuple(int64_t(0), cost.peakBytes, cost.operations)
             : cost.peakBytes > *maxBytes
                 ? std::tuple(cost.peakBytes, int64_t(0), int64_t(0))
                 : std::tuple(int64_t(0), cost.operations, cost.peakBytes);
    };
    return (maxBytes || cost.operations <= maxOperations) &&
           getKey(cost) < getKey(best.cost);
  };
  // No more operations than these, whatever the memory.
  auto isHopeless = [&](const ProgramCost &cost) {
    return maxBytes ? best.cost.peakBytes <= *maxBytes &&
                          cost.operations > best.cost.operations
                    : cost.operations > maxOperations;
  };
  auto consider = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape() || type.getEncoding() ||
        type.getNumElements() == 0 || isFree(value.getDefiningOp()) ||
        !isMemoryEffectFree(value.getDefiningOp()) ||
        isa<tensor::PadOp>(value.getDefiningOp()) ||
        isTensorView(value.getDefiningOp()))
      return;
    ArrayRef<int64_t> shape = type.getShape();
    // What stays, whatever the patches.
    const PatchHead head(value, {});
    if (countCost(block, &head).peakBytes >
        std::max(best.cost.peakBytes, maxBytes.value_or(0)))
      return;
    // One dimension or two.
    for (int64_t a = 0; a < type.getRank(); ++a)
      for (int64_t b = a; b < type.getRank(); ++b)
        for (int64_t parts : {2, 4, 8, 16, 32}) {
          if (shape[a] < parts || shape[b] < parts)
            continue;
          SmallVector<int64_t> sizes(shape);
          sizes[a] = llvm::divideCeil(shape[a], parts);
          sizes[b] = llvm::divideCeil(shape[b], parts);
          ProgramCost cost = estimateCost(block, value, sizes);
          if (isBetter(cost))
            best = {value, sizes, cost};
          // Smaller patches repeat more.
          if (isHopeless(cost))
            break;
        }
  };
  if (only) {
    consider(only);
    return best;
  }
  for (Operation &op : block)
    for (Value result : op.getResults())
      consider(result);
  return best;
}
