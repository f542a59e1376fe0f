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
// result begins with is cut along. Products of more unknown sizes, or strides, are
// cut into blocks that are copied to buffers of known sizes.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "KernelPlan.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CUTSIZES
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

/// Whether parts of a loop are of known sizes and strides: in each operand it is a
/// dimension, whose place no stride depends on.
static bool canCut(const NestOp &nested, unsigned loop) {
  const Nest &nest = *nested.nest;
  for (OpOperand &operand : nested.op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type)
      continue;
    // Tensors will be row-major buffers.
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref && type.hasRank())
      memref = MemRefType::get(type.getShape(), type.getElementType());
    SmallVector<int64_t> strides;
    int64_t offset;
    const NestRead &read = nested.get(operand);
    if (!memref || read.reason != IndexingReason::None ||
        failed(memref.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamicShape(strides))
      return false;
    for (auto [dim, form] : llvm::enumerate(read.index))
      if (nest.moves(form, loop) ? !nest.getPlainAxis(form)
                                 : type.isDynamicDim(dim))
        return false;
  }
  return true;
}

/// The loop of unknown size, if there is one and parts of it would be of known sizes
/// and strides.
static std::optional<unsigned> findLoop(const NestOp &nested) {
  constexpr double kLeastWork = 1024;
  linalg::LinalgOp op = nested.op;
  const Nest &nest = *nested.nest;
  if (op.getNumDpsInits() != 1 || op.hasIndexSemantics() || !nest.hasLoops() ||
      nest.writes.empty() || !isArithmetic(op))
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
  if (!canCut(nested, loop))
    return std::nullopt;
  // What is read is not where it is written, which moves along.
  for (OpOperand &operand : op->getOpOperands())
    if (op.isDpsInit(&operand)
            ? !nest.moves(nested.get(operand), loop)
            : getRoot(operand.get()) == getRoot(op.getDpsInits()[0]))
      return std::nullopt;
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

int64_t mlir::tensoraccess::getPartOfUnknown(linalg::LinalgOp op) {
  const NestOp nested(op);
  return findLoop(nested) ? getPartSizes(nested).front() : 0;
}

static bool cutLoop(RewriterBase &b, const NestOp &nested) {
  linalg::LinalgOp op = nested.op;
  if (!op.hasPureBufferSemantics() || nested.nest->getDestinations().empty())
    return false;
  const std::optional<unsigned> loop = findLoop(nested);
  if (!loop)
    return false;
  KernelGroup group = findGroup(op);
  if (!group.fill)
    group.fill = findFillBefore(op);
  // The dimension of the result that the loop is, and the epilogue's loop.
  const NestAccess &written = nested.nest->writes[0];
  unsigned dim = 0;
  while (nested.nest->getPlainAxis(written.index[dim]) != loop)
    ++dim;
  std::optional<NestOp> epilogue;
  unsigned after = 0;
  if (group.epilogue) {
    epilogue.emplace(group.epilogue);
    for (OpOperand *input : group.epilogue.getDpsInputOperands())
      if (input->get() == op.getDpsInits()[0])
        after = *epilogue->nest->getPlainAxis(epilogue->get(*input).index[dim]);
    if (!canCut(*epilogue, after)) {
      epilogue.reset();
      group.local = {};
    }
  }
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  // The size of a dimension that is the loop; of a buffer that will be gone, what it
  // is allocated with.
  Value end;
  for (OpOperand &operand : op->getOpOperands())
    for (auto [i, form] : llvm::enumerate(nested.get(operand).index))
      if (!end && nested.nest->getPlainAxis(form) == loop)
        end = operand.get().getDefiningOp() == group.local && group.local
                  ? Value(group.local.getDynamicSizes().front())
                  : memref::DimOp::create(b, loc, operand.get(), index(i));
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
    Value local;
    if (group.local) {
      local = allocatePart(b, loc, group.local, dim, size);
      slicer.set(group.local, local);
    }
    SmallVector<Value> operands = slicer.get(nested, *loop), results;
    if (epilogue)
      results = slicer.get(*epilogue, after);
    if (group.fill)
      linalg::FillOp::create(b, group.fill.getLoc(), group.fill.getInputs(),
                             operands.back());
    slicer.clone(op, *loop, operands);
    if (epilogue)
      slicer.clone(epilogue->op, after, results);
    if (local)
      memref::DeallocOp::create(b, loc, local);
    begin = stop;
  }
  if (group.fill)
    b.eraseOp(group.fill);
  if (epilogue)
    b.eraseOp(epilogue->op);
  b.eraseOp(op);
  if (group.local)
    eraseLocal(b, group.local);
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// A product of unknown sizes or strides, in blocks that are copied to buffers of
/// known ones. Last blocks are filled up: beside the result, and along sums with
/// 0 * -0, which no sum changes for.
class BlockedProduct {
public:
  static std::optional<BlockedProduct> match(const NestOp &nested);
  /// Blocks of the result one after the other, or `inParallel`.
  void emit(RewriterBase &b, bool inParallel);

private:
  static constexpr int64_t kBlock = 256, kLastBlock = 64, kWhole = 512,
                           kMostWork = 3;
  static constexpr unsigned kResult = 2;
  struct Loop {
    /// Perhaps unknown.
    int64_t size;
    /// The sizes of its blocks; of what is left of the first, the second is
    /// filled up.
    SmallVector<int64_t, 2> blocks;
    /// The blocks that are emitted: their size, the first and the end, where this
    /// one begins (null: the only one), and how much of it there is.
    int64_t block = 0;
    Value begin, end, offset;
    OpFoldResult valid;
  };

  explicit BlockedProduct(linalg::LinalgOp op)
      : op(op), fill(findFillBefore(op)) {}
  /// Parallel loops of each size of blocks, from this number of `parallel` on.
  void emitParallel(OpBuilder &b, unsigned number);
  void emitSums(OpBuilder &b, unsigned number);
  void emitBlocks(OpBuilder &b, Loop &loop, function_ref<void()> body);
  /// These operands' blocks are there, or copied to buffers, in what follows.
  void emitParts(OpBuilder &b, ArrayRef<unsigned> operands,
                 function_ref<void()> body);
  /// What there is of an operand's block, there or in a buffer of its own.
  Value getView(OpBuilder &b, unsigned operand, Value of);
  /// A buffer for that block, filled up.
  Value emitBuffer(OpBuilder &b, unsigned operand);
  Value getSize(OpBuilder &b, unsigned loop);
  void setOffset(OpBuilder &b, Loop &loop, Value offset);
  /// A loop over those blocks, into which `b` moves.
  void emitFor(OpBuilder &b, Loop &loop);
  bool isFilledUp(unsigned operand) const {
    return llvm::any_of(axes[operand], [&](unsigned axis) {
      return isa<Value>(loops[axis].valid);
    });
  }

  linalg::LinalgOp op;
  linalg::FillOp fill;
  bool isParallel = false;
  SmallVector<Loop> loops;
  SmallVector<unsigned> parallel, sums;
  /// By operand, the loop that walks each dimension.
  SmallVector<SmallVector<unsigned>, 3> axes;
  /// What stands for operands in this block.
  std::array<Value, 3> parts;
};

} // namespace

/// Of whole bytes, and with a negative zero if it is a float.
static bool isOfBytes(Type type) {
  return (type.isInteger() && type.getIntOrFloatBitWidth() % 8 == 0) ||
         isa<BFloat16Type, Float16Type, Float32Type, Float64Type>(type);
}

std::optional<BlockedProduct> BlockedProduct::match(const NestOp &nested) {
  linalg::LinalgOp op = nested.op;
  const Nest &nest = *nested.nest;
  if (!op.hasPureBufferSemantics() || op.hasIndexSemantics() ||
      !nest.hasLoops() || nest.getDestinations().empty())
    return std::nullopt;
  unsigned factors = 0;
  for (Value factor : matchFactors(op)) {
    Operation *extend = factor ? factor.getDefiningOp() : nullptr;
    if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(extend))
      factor = extend->getOperand(0);
    auto argument = dyn_cast_or_null<BlockArgument>(factor);
    if (!argument || argument.getOwner() != op.getBlock())
      return std::nullopt;
    factors |= 1u << argument.getArgNumber();
  }
  if (factors != 3)
    return std::nullopt;
  BlockedProduct product(op);
  SmallVector<unsigned> users(nest.axes.size(), 0);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    auto axes = nest.getPlainAxes(nested.get(operand));
    if (!type || !type.isStrided() || !axes ||
        !isOfBytes(type.getElementType()) ||
        (!op.isDpsInit(&operand) &&
         getRoot(operand.get()) == getRoot(op.getDpsInits()[0])))
      return std::nullopt;
    for (unsigned axis : *axes) {
      if (users[axis] & 1u << operand.getOperandNumber())
        return std::nullopt;
      users[axis] |= 1u << operand.getOperandNumber();
    }
    product.axes.push_back(llvm::to_vector(*axes));
  }
  // Rows, columns, sums and batches: by the operands that they walk.
  constexpr unsigned kWalks[] = {0b101, 0b110, 0b011, 0b111};
  std::array<SmallVector<unsigned>, 4> kinds;
  for (auto [i, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    product.loops.push_back({size, {1}});
    const unsigned *kind = llvm::find(kWalks, users[i]);
    if (kind == std::end(kWalks))
      return std::nullopt;
    kinds[kind - kWalks].push_back(i);
  }
  for (ArrayRef<unsigned> kind : ArrayRef(kinds).take_front(3)) {
    if (kind.empty())
      return std::nullopt;
    Loop &last = product.loops[kind.back()];
    if (ShapedType::isDynamic(last.size) || last.size > kWhole)
      last.blocks = {kBlock, kLastBlock};
    else if (last.size < 16)
      return std::nullopt;
    else
      last.blocks = {last.size};
  }
  for (unsigned kind : {3, 0, 1})
    llvm::append_range(product.parallel, kinds[kind]);
  product.sums = kinds[2];
  if (llvm::none_of(product.loops, [](const Loop &loop) {
        return ShapedType::isDynamic(loop.size);
      }))
    return std::nullopt;
  return product;
}

Value BlockedProduct::getView(OpBuilder &b, unsigned operand, Value of) {
  SmallVector<OpFoldResult> offsets, sizes,
      strides(axes[operand].size(), b.getIndexAttr(1));
  for (unsigned axis : axes[operand]) {
    const Loop &loop = loops[axis];
    offsets.push_back(loop.offset && of == op->getOperand(operand)
                          ? OpFoldResult(loop.offset)
                          : b.getIndexAttr(0));
    sizes.push_back(loop.valid);
  }
  return memref::SubViewOp::create(b, op.getLoc(), of, offsets, sizes, strides);
}

Value BlockedProduct::emitBuffer(OpBuilder &b, unsigned operand) {
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op->getOperand(operand).getType());
  auto sizes = llvm::map_to_vector(
      axes[operand], [&](unsigned axis) { return loops[axis].block; });
  Value buffer = memref::AllocOp::create(
      b, loc, MemRefType::get(sizes, element), b.getI64IntegerAttr(64));
  if (!isFilledUp(operand) || (operand == kResult && fill))
    return buffer;
  TypedAttr zero = b.getZeroAttr(element);
  if (auto type = dyn_cast<FloatType>(element); type && operand == 1)
    zero = b.getFloatAttr(
        type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
  linalg::FillOp::create(b, loc, Value(arith::ConstantOp::create(b, loc, zero)),
                         buffer);
  return buffer;
}

void BlockedProduct::emitParts(OpBuilder &b, ArrayRef<unsigned> operands,
                               function_ref<void()> body) {
  Location loc = op.getLoc();
  auto copy = [&](Value from, Value to) {
    mapInto(b, loc, from, to,
            [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
  };
  struct Copy {
    unsigned operand;
    Value buffer, valid, part;
  };
  SmallVector<Copy, 2> copies;
  for (unsigned operand : operands) {
    Value part = getView(b, operand, op->getOperand(operand));
    parts[operand] = part;
    auto [strides, offset] =
        cast<MemRefType>(part.getType()).getStridesAndOffset();
    if (!isFilledUp(operand) && !ShapedType::isDynamicShape(strides))
      continue;
    Value buffer = emitBuffer(b, operand);
    Value valid = isFilledUp(operand) ? getView(b, operand, buffer) : buffer;
    if (operand != kResult || !fill)
      copy(part, valid);
    parts[operand] = buffer;
    copies.push_back({operand, buffer, valid, part});
  }
  if (llvm::is_contained(operands, kResult) && fill)
    linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), parts[kResult]);
  body();
  for (const Copy &made : copies) {
    if (made.operand == kResult)
      copy(made.valid, made.part);
    memref::DeallocOp::create(b, loc, made.buffer);
  }
}

Value BlockedProduct::getSize(OpBuilder &b, unsigned loop) {
  for (auto [operand, own] : llvm::zip(op->getOperands(), axes))
    for (auto [dim, axis] : llvm::enumerate(own))
      if (axis == loop)
        return b.createOrFold<memref::DimOp>(op.getLoc(), operand, dim);
  llvm_unreachable("every loop walks an operand");
}

void BlockedProduct::setOffset(OpBuilder &b, Loop &loop, Value offset) {
  Location loc = op.getLoc();
  loop.offset = offset;
  loop.valid = b.getIndexAttr(loop.block);
  if (loop.block == kLastBlock)
    loop.valid = Value(arith::MinUIOp::create(
        b, loc, arith::ConstantIndexOp::create(b, loc, loop.block),
        arith::SubIOp::create(b, loc, loop.end, offset)));
}

void BlockedProduct::emitBlocks(OpBuilder &b, Loop &loop,
                                function_ref<void()> body) {
  Location loc = op.getLoc();
  loop.offset = {};
  loop.valid = b.getIndexAttr(loop.size);
  loop.block = loop.size;
  if (loop.blocks.front() == loop.size)
    return body();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  const Value end = getSize(b, &loop - loops.begin());
  loop.begin = index(0);
  for (auto [i, block] : llvm::enumerate(loop.blocks)) {
    loop.block = block;
    loop.end = end;
    if (i + 1 != loop.blocks.size())
      loop.end = arith::SubIOp::create(
          b, loc, end, arith::RemUIOp::create(b, loc, end, index(block)));
    body();
    loop.begin = loop.end;
  }
}

void BlockedProduct::emitFor(OpBuilder &b, Loop &loop) {
  Location loc = op.getLoc();
  auto blocks =
      scf::ForOp::create(b, loc, loop.begin, loop.end,
                         arith::ConstantIndexOp::create(b, loc, loop.block));
  b.setInsertionPointToStart(blocks.getBody());
  setOffset(b, loop, blocks.getInductionVar());
}

void BlockedProduct::emitParallel(OpBuilder &b, unsigned number) {
  if (number < parallel.size())
    return emitBlocks(b, loops[parallel[number]],
                      [&] { emitParallel(b, number + 1); });
  SmallVector<Loop *> cut;
  SmallVector<OpFoldResult> begins, ends, steps;
  for (unsigned i : parallel) {
    Loop &loop = loops[i];
    if (loop.block == loop.size)
      continue;
    cut.push_back(&loop);
    begins.push_back(loop.begin);
    ends.push_back(loop.end);
    steps.push_back(b.getIndexAttr(loop.block));
  }
  OpBuilder::InsertionGuard guard(b);
  if (isParallel && !cut.empty()) {
    auto forall = scf::ForallOp::create(b, op.getLoc(), begins, ends, steps,
                                        ValueRange(), std::nullopt);
    b.setInsertionPointToStart(forall.getBody());
    for (auto [loop, offset] : llvm::zip_equal(cut, forall.getInductionVars()))
      setOffset(b, *loop, offset);
  } else {
    for (Loop *loop : cut)
      emitFor(b, *loop);
  }
  emitParts(b, kResult, [&] { emitSums(b, 0); });
}

void BlockedProduct::emitSums(OpBuilder &b, unsigned number) {
  if (number == sums.size())
    return emitParts(b, {0, 1}, [&] {
      mlir::clone(b, op, /*resultTypes=*/TypeRange(), parts);
    });
  Loop &loop = loops[sums[number]];
  emitBlocks(b, loop, [&] {
    OpBuilder::InsertionGuard guard(b);
    if (loop.block != loop.size)
      emitFor(b, loop);
    emitSums(b, number + 1);
  });
}

void BlockedProduct::emit(RewriterBase &b, bool inParallel) {
  isParallel = inParallel;
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  // Of less, most would be filled up.
  Value work = index(kMostWork), filled = index(1);
  for (auto [i, loop] : llvm::enumerate(loops)) {
    if (!ShapedType::isDynamic(loop.size) || loop.blocks.size() == 1)
      continue;
    Value size = getSize(b, i);
    Value blocks = arith::CeilDivUIOp::create(b, loc, size, index(kLastBlock));
    work = arith::MulIOp::create(b, loc, work, size);
    filled = arith::MulIOp::create(
        b, loc, filled,
        arith::MulIOp::create(b, loc, blocks, index(kLastBlock)));
  }
  auto branch = scf::IfOp::create(
      b, loc,
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, filled, work),
      /*withElse=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  if (fill)
    b.clone(*fill);
  b.clone(*op);
  b.setInsertionPointToStart(branch.thenBlock());
  emitParallel(b, 0);
  b.eraseOp(op);
  if (fill)
    b.eraseOp(fill);
}

static bool cutSize(RewriterBase &b, linalg::LinalgOp op, bool inParallel) {
  const NestOp nested(op);
  if (cutLoop(b, nested))
    return true;
  auto product = BlockedProduct::match(nested);
  if (product)
    product->emit(b, inParallel);
  return product.has_value();
}

namespace {
struct CutSizesPass : public tensoraccess::impl::CutSizesBase<CutSizesPass> {
  using CutSizesBase::CutSizesBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() != 0 && isInHostFunction(op) &&
          !isInColdFunction(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      cut += cutSize(rewriter, op, parallel);
  }
};
} // namespace
