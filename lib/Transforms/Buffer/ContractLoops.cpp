//===- ContractLoops.cpp - Large products of vectors as loops -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream writes a contraction out in full: code, and the time that LLVM takes
// for it, grow with the number of products. A large one becomes what a
// `linalg.generic` with the same maps does on buffers:
//
// 1. A factor is read in place if it was read whole, in bounds, and
//    nothing has been written since; else it is put in a buffer.
// 2. The sum is a buffer, which begins as the accumulator.
// 3. Where the result is written whole, the buffer is copied there; other users
//    read it as a vector again. The buffers end with the block.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/BufferPasses.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CONTRACTLOOPS
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The products that are left to upstream.
static constexpr int64_t kMaxProducts = 4096;

static bool isLarge(vector::ContractionOp op) {
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  int64_t products = 1;
  for (int64_t bound : bounds)
    if (llvm::MulOverflow(products, bound, products))
      return true;
  return products > kMaxProducts;
}

/// Whether elements may be multiplied and added as in the body below.
static bool isPlain(vector::ContractionOp op) {
  auto isFixed = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return !vector || !vector.isScalable();
  };
  return !isa<vector::MaskOp>(op->getParentOp()) &&
         getElementTypeOrSelf(op.getResultType()).isIntOrIndexOrFloat() &&
         llvm::all_of(op->getOperandTypes(), isFixed);
}

/// Whether a transfer moves a box of the buffer, unpermuted.
template <typename OpTy>
static bool isWhole(OpTy op) {
  return isa<MemRefType>(op.getBase().getType()) && !op.getMask() &&
         !op.hasOutOfBoundsDim() && op.getPermutationMap().isMinorIdentity() &&
         isa<VectorType>(op.getVectorType()) &&
         !isa<VectorType>(
             cast<MemRefType>(op.getBase().getType()).getElementType());
}

/// The box of the buffer that the transfer moves, of the vector's shape.
template <typename OpTy>
static Value getBox(OpBuilder &builder, OpTy op) {
  auto type = cast<MemRefType>(op.getBase().getType());
  ArrayRef<int64_t> shape = op.getVectorType().getShape();
  SmallVector<OpFoldResult> offsets(op.getIndices().begin(),
                                    op.getIndices().end());
  SmallVector<OpFoldResult> sizes(type.getRank() - shape.size(),
                                  builder.getIndexAttr(1));
  for (int64_t size : shape)
    sizes.push_back(builder.getIndexAttr(size));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  auto box = memref::SubViewOp::inferRankReducedResultType(shape, type, offsets,
                                                           sizes, strides);
  return memref::SubViewOp::create(builder, op.getLoc(), box, op.getBase(),
                                   offsets, sizes, strides);
}

/// Whether nothing is written from `from` to `to`, in one block.
static bool isUnwritten(Operation *from, Operation *to) {
  if (from->getBlock() != to->getBlock())
    return false;
  for (Operation *op = from; op != to; op = op->getNextNode()) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!isMemoryEffectFree(op) &&
        !(effects && (effects.onlyHasEffect<MemoryEffects::Read>() ||
                      effects.onlyHasEffect<MemoryEffects::Allocate>())))
      return false;
  }
  return true;
}

namespace {

class ContractWriter {
public:
  explicit ContractWriter(vector::ContractionOp op)
      : op(op), builder(op), loc(op.getLoc()) {}
  void write();

private:
  Value makeBuffer(Type type);
  void put(Value value, Value buffer);
  Value readFactor(Value value, bool isInPlace);
  Value get(Value buffer, Type type);
  SmallVector<Value> zeros(Type type);

  vector::ContractionOp op;
  OpBuilder builder;
  Location loc;
};

} // namespace

Value ContractWriter::makeBuffer(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  auto buffer =
      MemRefType::get(vector ? vector.getShape() : ArrayRef<int64_t>(),
                      getElementTypeOrSelf(type));
  Value made = memref::AllocOp::create(builder, loc, buffer);
  OpBuilder atEnd(op->getBlock()->getTerminator());
  memref::DeallocOp::create(atEnd, loc, made);
  return made;
}

SmallVector<Value> ContractWriter::zeros(Type type) {
  return SmallVector<Value>(
      cast<VectorType>(type).getRank(),
      arith::ConstantIndexOp::create(builder, loc, 0).getResult());
}

/// Step 2, and the second half of step 1.
void ContractWriter::put(Value value, Value buffer) {
  SplatElementsAttr splat;
  if (!isa<VectorType>(value.getType())) {
    memref::StoreOp::create(builder, loc, value, buffer);
  } else if (matchPattern(value, m_Constant(&splat))) {
    Value scalar = arith::ConstantOp::create(builder, loc,
                                             splat.getSplatValue<TypedAttr>());
    linalg::FillOp::create(builder, loc, scalar, buffer);
  } else {
    auto type = cast<VectorType>(value.getType());
    vector::TransferWriteOp::create(builder, loc, value, buffer, zeros(type),
                                    SmallVector<bool>(type.getRank(), true));
  }
}

Value ContractWriter::readFactor(Value value, bool isInPlace) {
  if (isInPlace)
    return getBox(builder, value.getDefiningOp<vector::TransferReadOp>());
  Value buffer = makeBuffer(value.getType());
  put(value, buffer);
  return buffer;
}

Value ContractWriter::get(Value buffer, Type type) {
  if (!isa<VectorType>(type))
    return memref::LoadOp::create(builder, loc, buffer, ValueRange());
  auto vector = cast<VectorType>(type);
  Value padding = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(vector.getElementType()));
  return vector::TransferReadOp::create(
      builder, loc, vector, buffer, zeros(type), padding,
      SmallVector<bool>(vector.getRank(), true));
}

/// The factor in the type of the sum.
static Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

void ContractWriter::write() {
  // Asked before anything is written here.
  auto isInPlace = [&](Value value) {
    auto read = value.getDefiningOp<vector::TransferReadOp>();
    return read && isWhole(read) && isUnwritten(read, op);
  };
  bool lhsInPlace = isInPlace(op.getLhs()), rhsInPlace = isInPlace(op.getRhs()),
       accInPlace = isInPlace(op.getAcc());
  Type type = op.getResultType();
  Value sum = makeBuffer(type);
  if (accInPlace)
    memref::CopyOp::create(
        builder, loc,
        getBox(builder, op.getAcc().getDefiningOp<vector::TransferReadOp>()),
        sum);
  else
    put(op.getAcc(), sum);
  Value lhs = readFactor(op.getLhs(), lhsInPlace);
  Value rhs = readFactor(op.getRhs(), rhsInPlace);

  createGeneric(builder, loc, {lhs, rhs}, sum, op.getIndexingMapsArray(),
                [&](OpBuilder &b, Location loc, ValueRange arguments) {
                  Type element = arguments[2].getType();
                  Value x = extend(b, loc, arguments[0], element);
                  Value y = extend(b, loc, arguments[1], element);
                  Value product =
                      isa<FloatType>(element)
                          ? arith::MulFOp::create(b, loc, x, y).getResult()
                          : arith::MulIOp::create(b, loc, x, y).getResult();
                  linalg::YieldOp::create(
                      b, loc,
                      vector::makeArithReduction(b, loc, op.getKind(), product,
                                                 arguments[2]));
                });

  // Step 3.
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto transfer = dyn_cast<vector::TransferWriteOp>(user);
    if (!transfer || !isWhole(transfer) ||
        transfer->getBlock() != op->getBlock())
      continue;
    OpBuilder there(transfer);
    memref::CopyOp::create(there, loc, sum, getBox(there, transfer));
    transfer.erase();
  }
  if (!op->use_empty())
    op.getResult().replaceAllUsesWith(get(sum, type));
  SmallVector<Value, 3> operands(op->getOperands());
  op.erase();
  for (Value operand : operands)
    if (Operation *producer = operand.getDefiningOp();
        producer && isOpTriviallyDead(producer))
      producer->erase();
}

namespace {
struct ContractLoopsPass
    : public tensoraccess::impl::ContractLoopsBase<ContractLoopsPass> {
  void runOnOperation() override {
    SmallVector<vector::ContractionOp> large;
    getOperation()->walk([&](vector::ContractionOp op) {
      if (isPlain(op) && isLarge(op))
        large.push_back(op);
    });
    for (vector::ContractionOp op : large)
      ContractWriter(op).write();
  }
};
} // namespace
