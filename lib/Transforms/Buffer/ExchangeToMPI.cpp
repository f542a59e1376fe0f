//===- ExchangeToMPI.cpp - Exchanges become sends and receives ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exchange on memrefs, in this order:
//
//   1. each box is a subview; one that is not contiguous gets a buffer, and
//      what is to be sent is copied into it. A box of more elements than a
//      message may have goes in pieces, cut along its outermost dimension by
//      sender and receiver alike: messages between two ranks keep their order;
//   2. all receives begin, then all sends;
//   3. receives are waited for, then sends;
//   4. what came in a buffer is copied into its box; buffers are freed.
//
// This comes after bufferization has placed its deallocations: what a message
// under way reads or writes lives until the exchange has ended.
//
//===----------------------------------------------------------------------===//

#include "MpiLowering.h"
#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXCHANGETOMPI
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

namespace {
struct ExchangeBufferization
    : public bufferization::DstBufferizableOpInterfaceExternalModel<
          ExchangeBufferization, ExchangeOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto exchange = cast<ExchangeOp>(op);
    FailureOr<Value> source = bufferization::getBuffer(
        rewriter, exchange.getSource(), options, state);
    if (failed(source))
      return failure();
    FailureOr<Value> dest =
        bufferization::getBuffer(rewriter, exchange.getDest(), options, state);
    if (failed(dest))
      return failure();
    ExchangeOp::create(rewriter, op->getLoc(), *source, *dest,
                       exchange.getTag(), exchange.getSends(),
                       exchange.getReceives());
    bufferization::replaceOpWithBufferizedValues(rewriter, op, *dest);
    return success();
  }
};
} // namespace

namespace {
/// Messages read and write memory that their operands do not show: requests
/// stand for buffers.
template <typename Op>
struct MpiEffects
    : public MemoryEffectOpInterface::ExternalModel<MpiEffects<Op>, Op> {
  void
  getEffects(Operation *,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
};
} // namespace

template <typename... Ops>
static void attachEffects(MLIRContext *context) {
  (Ops::template attachInterface<MpiEffects<Ops>>(*context), ...);
}

void mlir::tensoraccess::registerDistributedModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TensorAccessDialect *) {
    ExchangeOp::attachInterface<ExchangeBufferization>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, mpi::MPIDialect *) {
    attachEffects<mpi::InitOp, mpi::FinalizeOp, mpi::SendOp, mpi::ISendOp,
                  mpi::RecvOp, mpi::IRecvOp, mpi::AllReduceOp, mpi::Barrier,
                  mpi::Wait, mpi::RetvalCheckOp, mpi::ErrorClassOp>(context);
  });
}

//===----------------------------------------------------------------------===//
// Sends and receives
//===----------------------------------------------------------------------===//

namespace {
/// One message: its box, and where its elements are contiguous.
struct Part {
  Value view, buffer, request;
  int64_t rank;
  bool isCopied() const { return view != buffer; }
};
} // namespace

/// More of them for one box are an error: nothing that has so many elements is
/// ever allocated.
static constexpr size_t kMaxPieces = 1 << 16;

/// The pieces in which a box goes, in order, each of at most `limit` elements.
/// False if there are more than kMaxPieces.
static bool addPieces(const Message &message, int64_t limit,
                      SmallVectorImpl<Message> &pieces) {
  const Box &box = message.box;
  int64_t first = 0, rank = box.lo.size();
  while (first < rank && box.hi[first] - box.lo[first] == 1)
    ++first;
  // Elements for one index of the first dimension that is longer than 1.
  int64_t inner = 1, all = 1;
  for (int64_t d = rank; d-- > first;) {
    inner = all;
    if (llvm::MulOverflow(all, box.hi[d] - box.lo[d], all))
      all = std::numeric_limits<int64_t>::max();
  }
  if (all <= limit || first == rank) {
    pieces.push_back(message);
    return pieces.size() <= kMaxPieces;
  }
  const int64_t step = std::max<int64_t>(limit / inner, 1);
  for (int64_t lo = box.lo[first]; lo < box.hi[first];) {
    Message piece = message;
    piece.box.lo[first] = lo;
    lo += std::min(step, box.hi[first] - lo);
    piece.box.hi[first] = lo;
    if (!addPieces(piece, limit, pieces))
      return false;
  }
  return true;
}

/// An error if a message would go in too many pieces.
static LogicalResult checkPieces(ExchangeOp op, int64_t limit) {
  SmallVector<Message> messages = op.getReceives();
  llvm::append_range(messages, op.getSends());
  for (const Message &message : messages) {
    SmallVector<Message> pieces;
    if (!addPieces(message, limit, pieces))
      return op.emitError() << "the message of rank " << message.rank
                            << " would go in more than " << kMaxPieces
                            << " pieces of at most " << limit << " elements";
  }
  return success();
}

/// Step 1, without the copy.
static Part makePart(OpBuilder &b, Location loc, Value memref,
                     const Message &message) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  for (auto [lo, hi] : llvm::zip(message.box.lo, message.box.hi)) {
    offsets.push_back(b.getIndexAttr(lo));
    sizes.push_back(b.getIndexAttr(hi - lo));
    strides.push_back(b.getIndexAttr(1));
    shape.push_back(hi - lo);
  }
  Part part;
  part.rank = message.rank;
  part.view = memref;
  if (ArrayRef(shape) != type.getShape())
    part.view =
        memref::SubViewOp::create(b, loc, memref, offsets, sizes, strides);
  part.buffer = part.view;
  if (!isContiguous(cast<MemRefType>(part.view.getType())))
    part.buffer = memref::AllocOp::create(
        b, loc, MemRefType::get(shape, type.getElementType()));
  return part;
}

static void lowerExchange(ExchangeOp op, int64_t limit) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  };
  // 1.
  SmallVector<Part> receives, sends;
  SmallVector<Message> in, out;
  for (const Message &message : op.getReceives())
    addPieces(message, limit, in);
  for (const Message &message : op.getSends())
    addPieces(message, limit, out);
  for (const Message &message : in)
    receives.push_back(makePart(b, loc, op.getDest(), message));
  for (const Message &message : out)
    sends.push_back(makePart(b, loc, op.getSource(), message));
  if (receives.empty() && sends.empty())
    return op.erase();
  for (Part &part : sends)
    if (part.isCopied())
      memref::CopyOp::create(b, loc, part.view, part.buffer);
  // 2.
  Value world =
      mpi::CommWorldOp::create(b, loc, mpi::CommType::get(b.getContext()));
  Value tag = constant(op.getTag());
  auto request = mpi::RequestType::get(b.getContext());
  for (Part &part : receives)
    part.request = mpi::IRecvOp::create(b, loc, Type(), request, part.buffer,
                                        tag, constant(part.rank), world)
                       .getReq();
  for (Part &part : sends)
    part.request = mpi::ISendOp::create(b, loc, Type(), request, part.buffer,
                                        tag, constant(part.rank), world)
                       .getReq();
  // 3.
  for (Part &part : llvm::concat<Part>(receives, sends))
    mpi::Wait::create(b, loc, Type(), part.request);
  // 4.
  for (Part &part : receives)
    if (part.isCopied())
      memref::CopyOp::create(b, loc, part.buffer, part.view);
  for (Part &part : llvm::concat<Part>(receives, sends))
    if (part.isCopied())
      memref::DeallocOp::create(b, loc, part.buffer);
  op.erase();
}

LogicalResult mlir::tensoraccess::lowerExchanges(Operation *root,
                                                 int64_t maxElements) {
  SmallVector<ExchangeOp> exchanges;
  root->walk([&](ExchangeOp op) { exchanges.push_back(op); });
  for (ExchangeOp op : exchanges) {
    if (op.getResult())
      return op.emitError()
             << "an exchange on tensors has no buffers to send from";
    for (Value operand : op->getOperands())
      if (!isMessageType(getElementTypeOrSelf(operand.getType())))
        return op.emitError()
               << "element type " << getElementTypeOrSelf(operand.getType())
               << " has no MPI type";
    if (failed(checkPieces(op, maxElements)))
      return failure();
  }
  for (ExchangeOp op : exchanges)
    lowerExchange(op, maxElements);
  return success();
}

namespace {
struct ExchangeToMPIPass
    : public tensoraccess::impl::ExchangeToMPIBase<ExchangeToMPIPass> {
  using ExchangeToMPIBase::ExchangeToMPIBase;

  void runOnOperation() override {
    if (maxElements < 1 || maxElements > kMaxMessageElements) {
      getOperation().emitError()
          << "max-elements must lie in [1, " << kMaxMessageElements << "], got "
          << int64_t(maxElements);
      return signalPassFailure();
    }
    if (failed(lowerExchanges(getOperation(), maxElements)))
      signalPassFailure();
  }
};
} // namespace
