//===- PlanArena.cpp - One buffer for those of a function -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. A buffer of known size that the function's block allocates and frees is live
//    from its first use to where it is freed.
// 2. In the order of their sizes, each takes the smallest gap between those that
//    are live at some time with it and have a place, or the end; again in the order
//    in which they become live; the smaller arena of the two.
// 3. Allocations become views of one buffer.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Transforms/LowerPasses.h"
#include "TensorAccess/Transforms/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PLANARENA
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// A buffer, and the ops of its block, by number, between which it is live.
struct LiveBuffer {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  int64_t bytes, begin, end;
  int64_t offset = 0;

  bool meets(const LiveBuffer &other) const {
    return begin < other.end && other.begin < end;
  }
};
} // namespace

/// Buffers begin at lines of any cache.
static constexpr int64_t kLine = 64;

/// Bytes of a buffer that can be a view of bytes, whole lines; std::nullopt for
/// others.
static std::optional<int64_t> getBytes(MemRefType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace() || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() < 8 ||
      !llvm::isPowerOf2_64(element.getIntOrFloatBitWidth()))
    return std::nullopt;
  std::optional<int64_t> count = elementCount(type.getShape());
  std::optional<int64_t> bytes =
      count ? checkedMul(*count, element.getIntOrFloatBitWidth() / 8)
            : std::nullopt;
  if (!bytes || *bytes == 0 || *bytes > std::numeric_limits<int64_t>::max() / 2)
    return std::nullopt;
  return llvm::alignTo(*bytes, kLine);
}

/// Step 1.
static SmallVector<LiveBuffer> findBuffers(Block &block) {
  llvm::DenseMap<Operation *, int64_t> numbers;
  for (Operation &op : block)
    numbers[&op] = numbers.size();
  SmallVector<LiveBuffer> buffers;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    std::optional<int64_t> bytes = getBytes(alloc.getType());
    LiveBuffer buffer{
        alloc, {}, bytes.value_or(0), std::numeric_limits<int64_t>::max(), 0};
    bool isFreedOnce =
        bytes.has_value() && alloc.getAlignment().value_or(0) <= kLine;
    for (Operation *user : alloc->getUsers()) {
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
        isFreedOnce &= !buffer.dealloc && dealloc->getBlock() == &block;
        buffer.dealloc = dealloc;
        continue;
      }
      Operation *top = block.findAncestorOpInBlock(*user);
      buffer.begin = std::min(buffer.begin, top ? numbers[top] : 0);
    }
    if (!isFreedOnce || !buffer.dealloc)
      continue;
    buffer.end = numbers[buffer.dealloc];
    buffer.begin = std::min(buffer.begin, buffer.end);
    buffers.push_back(buffer);
  }
  return buffers;
}

/// Step 2, in the given order. Returns the bytes of the arena; std::nullopt
/// past 2^63.
static std::optional<int64_t> place(MutableArrayRef<LiveBuffer> buffers,
                                    ArrayRef<unsigned> order) {
  int64_t total = 0;
  SmallVector<unsigned> placed;
  for (unsigned number : order) {
    LiveBuffer &buffer = buffers[number];
    SmallVector<const LiveBuffer *> others;
    for (unsigned other : placed)
      if (buffers[other].meets(buffer))
        others.push_back(&buffers[other]);
    llvm::sort(others, [](const LiveBuffer *a, const LiveBuffer *b) {
      return a->offset < b->offset;
    });
    int64_t top = 0, best = -1, smallest = std::numeric_limits<int64_t>::max();
    for (const LiveBuffer *other : others) {
      int64_t gap = other->offset - top;
      if (gap >= buffer.bytes && gap < smallest) {
        smallest = gap;
        best = top;
      }
      top = std::max(top, other->offset + other->bytes);
    }
    buffer.offset = best >= 0 ? best : top;
    std::optional<int64_t> end = checkedAdd(buffer.offset, buffer.bytes);
    if (!end)
      return std::nullopt;
    total = std::max(total, *end);
    placed.push_back(number);
  }
  return total;
}

int64_t mlir::tensoraccess::planArena(Block &block) {
  SmallVector<LiveBuffer> buffers = findBuffers(block);
  // For tens of thousands, looking for gaps would take longer than it is worth.
  constexpr size_t kMost = 4096;
  if (buffers.size() < 2 || buffers.size() > kMost)
    return 0;
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, buffers.size()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return buffers[a].begin < buffers[b].begin;
  });
  std::optional<int64_t> bytes = place(buffers, order);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return buffers[a].bytes > buffers[b].bytes;
  });
  SmallVector<LiveBuffer> bySize(buffers);
  std::optional<int64_t> other = place(bySize, order);
  if (!other || !bytes)
    return 0;
  if (*other < *bytes) {
    buffers = std::move(bySize);
    bytes = other;
  }

  // Step 3.
  LiveBuffer *last =
      llvm::max_element(buffers, [](const LiveBuffer &a, const LiveBuffer &b) {
        return a.end < b.end;
      });
  memref::AllocOp first = buffers.front().alloc;
  OpBuilder b(first);
  Location loc = first.getLoc();
  Value arena =
      memref::AllocOp::create(b, loc, MemRefType::get({*bytes}, b.getI8Type()),
                              b.getI64IntegerAttr(kLine));
  b.setInsertionPoint(last->dealloc);
  memref::DeallocOp::create(b, last->dealloc.getLoc(), arena);
  for (const LiveBuffer &buffer : buffers) {
    memref::AllocOp alloc = buffer.alloc;
    b.setInsertionPoint(alloc);
    Value offset =
        arith::ConstantIndexOp::create(b, alloc.getLoc(), buffer.offset);
    Value view = memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(),
                                        arena, offset, ValueRange());
    buffer.dealloc->erase();
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }
  return buffers.size();
}

namespace {
struct PlanArenaPass : public tensoraccess::impl::PlanArenaBase<PlanArenaPass> {
  void runOnOperation() override {
    if (getOperation().isExternal() ||
        !llvm::hasSingleElement(getOperation().getBody()))
      return;
    planned += planArena(getOperation().front());
  }
};
} // namespace
