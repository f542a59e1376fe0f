//===- Exchange.cpp - Messages between ranks ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The op `exchange`: its text, its rules, and what it sends.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `[3, 0]`.
static ParseResult parseInts(OpAsmParser &parser,
                             SmallVectorImpl<int64_t> &ints) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(ints.emplace_back());
  });
}

/// `[0: [0, 0] x [1, 5], 2: [2, 0] x [1, 5]]`.
static ParseResult parseMessages(OpAsmParser &parser, DenseI64ArrayAttr &ranks,
                                 DenseI64ArrayAttr &offsets,
                                 DenseI64ArrayAttr &sizes) {
  SmallVector<int64_t> rankList, offsetList, sizeList;
  std::optional<size_t> dims;
  auto one = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    size_t before = offsetList.size(), sizesBefore = sizeList.size();
    if (parser.parseInteger(rankList.emplace_back()) || parser.parseColon() ||
        parseInts(parser, offsetList) || parser.parseKeyword("x") ||
        parseInts(parser, sizeList))
      return failure();
    size_t found = offsetList.size() - before;
    if (found != sizeList.size() - sizesBefore || found != dims.value_or(found))
      return parser.emitError(loc) << "messages must have one offset and one "
                                      "size per dimension";
    dims = found;
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, one))
    return failure();
  Builder &b = parser.getBuilder();
  ranks = b.getDenseI64ArrayAttr(rankList);
  offsets = b.getDenseI64ArrayAttr(offsetList);
  sizes = b.getDenseI64ArrayAttr(sizeList);
  return success();
}

static void printMessages(OpAsmPrinter &printer, Operation *,
                          DenseI64ArrayAttr ranks, DenseI64ArrayAttr offsets,
                          DenseI64ArrayAttr sizes) {
  size_t dims = ranks.empty() ? 0 : offsets.size() / ranks.size();
  printer << '[';
  for (int64_t i = 0; i < ranks.size(); ++i) {
    if (i != 0)
      printer << ", ";
    printer << ranks[i] << ": [";
    llvm::interleaveComma(offsets.asArrayRef().slice(i * dims, dims), printer);
    printer << "] x [";
    llvm::interleaveComma(sizes.asArrayRef().slice(i * dims, dims), printer);
    printer << ']';
  }
  printer << ']';
}

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessExchange.cpp.inc"

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// The lists of attributes as messages about tensors of `dims` dimensions.
static SmallVector<Message> toMessages(ArrayRef<int64_t> ranks,
                                       ArrayRef<int64_t> offsets,
                                       ArrayRef<int64_t> sizes) {
  SmallVector<Message> messages;
  size_t dims = ranks.empty() ? 0 : offsets.size() / ranks.size();
  for (auto [i, rank] : llvm::enumerate(ranks)) {
    Message &message = messages.emplace_back();
    message.rank = rank;
    for (size_t d = 0; d < dims; ++d) {
      int64_t lo = offsets[i * dims + d];
      message.box.lo.push_back(lo);
      message.box.hi.push_back(lo + sizes[i * dims + d]);
    }
  }
  return messages;
}

SmallVector<Message> ExchangeOp::getSends() {
  return toMessages(getSendRanks(), getSendOffsets(), getSendSizes());
}

SmallVector<Message> ExchangeOp::getReceives() {
  return toMessages(getReceiveRanks(), getReceiveOffsets(), getReceiveSizes());
}

void ExchangeOp::build(OpBuilder &b, OperationState &state, Value source,
                       Value dest, int64_t tag, ArrayRef<Message> sends,
                       ArrayRef<Message> receives) {
  SmallVector<int64_t> lists[6];
  for (auto [first, messages] : {std::pair(0, sends), std::pair(3, receives)})
    for (const Message &message : messages) {
      lists[first].push_back(message.rank);
      llvm::append_range(lists[first + 1], message.box.lo);
      for (auto [lo, hi] : llvm::zip(message.box.lo, message.box.hi))
        lists[first + 2].push_back(hi - lo);
    }
  SmallVector<Type> results;
  if (isa<RankedTensorType>(dest.getType()))
    results.push_back(dest.getType());
  build(b, state, results, source, dest, b.getI64IntegerAttr(tag),
        b.getDenseI64ArrayAttr(lists[0]), b.getDenseI64ArrayAttr(lists[1]),
        b.getDenseI64ArrayAttr(lists[2]), b.getDenseI64ArrayAttr(lists[3]),
        b.getDenseI64ArrayAttr(lists[4]), b.getDenseI64ArrayAttr(lists[5]));
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// C3, C4, C5 and C8 of one list.
static LogicalResult verifyMessages(ExchangeOp op, StringRef verb,
                                    StringRef what, ArrayRef<int64_t> ranks,
                                    ArrayRef<int64_t> offsets,
                                    ArrayRef<int64_t> sizes,
                                    ArrayRef<int64_t> shape) {
  size_t dims = shape.size();
  // C4
  if (offsets.size() != ranks.size() * dims ||
      sizes.size() != ranks.size() * dims)
    return op.emitOpError()
           << ranks.size() << " messages to " << verb << " must have " << dims
           << " offsets and sizes each, got " << offsets.size()
           << " offsets and " << sizes.size() << " sizes in all";
  for (auto [i, rank] : llvm::enumerate(ranks)) {
    // C3
    if (rank < 0)
      return op.emitOpError()
             << "message " << i << " to " << verb
             << " must name a rank of at least 0, got " << rank;
    int64_t count = 1;
    bool fits = true;
    for (size_t d = 0; d < dims; ++d) {
      int64_t lo = offsets[i * dims + d], size = sizes[i * dims + d];
      // C5
      if (size < 1)
        return op.emitOpError() << "size " << d << " of message " << i << " to "
                                << verb << " must be positive, got " << size;
      if (lo < 0 || lo > shape[d] || size > shape[d] - lo)
        return op.emitOpError()
               << "message " << i << " to " << verb << " must lie in the "
               << what << ", got offset " << lo << " and size " << size
               << " in dimension " << d << " of size " << shape[d];
      fits &= !llvm::MulOverflow(count, size, count);
    }
    // C8
    if (!fits)
      return op.emitOpError() << "message " << i << " to " << verb
                              << " must have at most 2^63 - 1 elements";
  }
  return success();
}

LogicalResult ExchangeOp::verify() {
  auto source = cast<ShapedType>(getSource().getType());
  auto dest = cast<ShapedType>(getDest().getType());
  // C9
  if (isa<RankedTensorType>(source) != isa<RankedTensorType>(dest))
    return emitOpError() << "source and destination must both be tensors or "
                            "both be memrefs, got "
                         << source << " and " << dest;
  if (isa<RankedTensorType>(dest) != static_cast<bool>(getResult()))
    return emitOpError() << "must have a result if it is on tensors";
  // C1
  if (source.getElementType() != dest.getElementType())
    return emitOpError() << "source and destination must have one element "
                            "type, got "
                         << source.getElementType() << " and "
                         << dest.getElementType();
  // C2
  for (ShapedType type : {source, dest})
    if (!type.hasStaticShape())
      return emitOpError() << "shapes must be static, got " << type;
  // C7
  if (getTag() > static_cast<uint64_t>(kMaxTag))
    return emitOpError() << "tag must lie in [0, " << kMaxTag << "], got "
                         << static_cast<int64_t>(getTag());
  if (failed(verifyMessages(*this, "send", "source", getSendRanks(),
                            getSendOffsets(), getSendSizes(),
                            source.getShape())) ||
      failed(verifyMessages(*this, "receive", "destination", getReceiveRanks(),
                            getReceiveOffsets(), getReceiveSizes(),
                            dest.getShape())))
    return failure();
  // C6
  SmallVector<Message> receives = getReceives();
  for (size_t i = 0; i < receives.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (Box common = intersectBoxes(receives[i].box, receives[j].box);
          llvm::all_of_zip(common.lo, common.hi,
                           [](int64_t lo, int64_t hi) { return lo < hi; }))
        return emitOpError()
               << "received boxes must be disjoint, messages " << j << " and "
               << i << " share " << printBox(common);
  return success();
}

//===----------------------------------------------------------------------===//
// What is sent
//===----------------------------------------------------------------------===//

std::optional<int64_t>
mlir::tensoraccess::countSentBytes(FunctionOpInterface function, int64_t rank) {
  int64_t bytes = 0;
  WalkResult result = function.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() == "mpi" ||
        isa<CallOpInterface>(op))
      return WalkResult::interrupt();
    auto exchange = dyn_cast<ExchangeOp>(op);
    if (!exchange)
      return WalkResult::advance();
    auto type = cast<ShapedType>(exchange.getSource().getType());
    std::optional<ElementType> element =
        getElementTypeOf(type.getElementType());
    if (!element || op->getParentOp() != function.getOperation() ||
        !op->getBlock()->isEntryBlock() ||
        !llvm::hasSingleElement(op->getParentRegion()->getBlocks()))
      return WalkResult::interrupt();
    for (const Message &message : exchange.getSends()) {
      int64_t count = byteSize(*element);
      for (auto [lo, hi] : llvm::zip(message.box.lo, message.box.hi))
        if (llvm::MulOverflow(count, hi - lo, count))
          return WalkResult::interrupt();
      if (message.rank != rank && llvm::AddOverflow(bytes, count, bytes))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return bytes;
}
