//===- MaterializePlaces.cpp - Strided and linear layouts in memory -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor whose encoding is strided or linear becomes one dimension, its memory,
// where it is made and where it enters or leaves a function; whoever reads it reads
// by index from there. Both ways are loops over ops on indices, `delinearize` and
// `linearize`, which become arithmetic afterwards.
//
//===----------------------------------------------------------------------===//

#include "LayoutMaterializer.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The type if its encoding is strided or linear.
static RankedTensorType getPlaced(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
                 isa_and_nonnull<StridedAttr, LinearAttr>(tensor.getEncoding())
             ? tensor
             : RankedTensorType();
}

static Type getPlain(Type type) {
  RankedTensorType placed = getPlaced(type);
  return placed ? RankedTensorType::get(placed.getShape(),
                                        placed.getElementType())
                : type;
}

/// Where elements lie; the type is verified.
static MemoryPlaces getPlacesOf(RankedTensorType placed) {
  std::string error;
  return *getPlaces(placed.getEncoding(), placed.getShape(), error);
}

static Type getMemory(Type type) {
  RankedTensorType placed = getPlaced(type);
  return placed ? RankedTensorType::get({getPlacesOf(placed).numbers},
                                        placed.getElementType())
                : type;
}

static SmallVector<Type> mapTypes(TypeRange types, Type (*map)(Type)) {
  return llvm::map_to_vector(types, map);
}

/// A loop over all elements of a tensor of that type, which computes each.
static Value fill(OpBuilder &b, Location loc, RankedTensorType type,
                  function_ref<Value(OpBuilder &, ValueRange)> body) {
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(),
                                        type.getElementType());
  const int64_t rank = type.getRank();
  return linalg::GenericOp::create(
             b, loc, type, ValueRange(), empty,
             b.getMultiDimIdentityMap(rank),
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [&](OpBuilder &inner, Location loc, ValueRange) {
               SmallVector<Value> index;
               for (int64_t dim = 0; dim < rank; ++dim)
                 index.push_back(linalg::IndexOp::create(inner, loc, dim));
               linalg::YieldOp::create(inner, loc, body(inner, index));
             })
      .getResult(0);
}

static Value pack(OpBuilder &b, Value plain, RankedTensorType placed) {
  Location loc = plain.getLoc();
  const bool hasPadding = getPlacesOf(placed).hasPadding;
  return fill(
      b, loc, cast<RankedTensorType>(getMemory(placed)),
      [&](OpBuilder &b, ValueRange number) -> Value {
        auto index = DelinearizeOp::create(b, loc, number[0], ValueRange(),
                                           placed.getEncoding(),
                                           placed.getShape());
        Value element =
            tensor::ExtractOp::create(b, loc, plain, index.getIndices());
        if (!hasPadding)
          return element;
        Value zero = arith::ConstantOp::create(
            b, loc, b.getZeroAttr(placed.getElementType()));
        return arith::SelectOp::create(b, loc, index.getValid(), element, zero);
      });
}

static Value unpack(OpBuilder &b, Value memory, RankedTensorType placed) {
  Location loc = memory.getLoc();
  return fill(b, loc, cast<RankedTensorType>(getPlain(placed)),
              [&](OpBuilder &b, ValueRange index) -> Value {
                Value number = LinearizeOp::create(
                    b, loc, b.getIndexType(), index, ValueRange(),
                    placed.getEncoding(), placed.getShape());
                return tensor::ExtractOp::create(b, loc, memory, number);
              });
}

/// What no memory holds, and what has no zero to pad with.
static LogicalResult checkPlaced(Operation *op, Type type) {
  constexpr int64_t kMostNumbers = int64_t(1) << 40;
  RankedTensorType placed = getPlaced(type);
  if (!placed)
    return success();
  const MemoryPlaces places = getPlacesOf(placed);
  if (places.numbers > kMostNumbers)
    return op->emitError() << "no tensor can stand for " << placed
                           << ": it has " << places.numbers
                           << " numbers in memory";
  if (!places.hasPadding)
    return success();
  Type element = placed.getElementType();
  if (isa<FloatType, IndexType>(element) || element.isSignlessInteger())
    return success();
  return op->emitError() << "tensors of " << element
                         << " with padding are not made physical";
}

/// Constants of plain types.
static void dropEncoding(arith::ConstantOp op, RankedTensorType plain) {
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue()))
    op.setValueAttr(dense.reshape(plain));
  else if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue()))
    op.setValueAttr(
        DenseResourceElementsAttr::get(plain, resource.getRawHandle()));
}

LogicalResult mlir::tensoraccess::materializePlaces(ModuleOp module) {
  SmallVector<Operation *> ops;
  SmallVector<std::pair<BlockArgument, RankedTensorType>> arguments;
  WalkResult walk = module.walk([&](Operation *op) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    SmallVector<Type> types(op->getResultTypes());
    if (function)
      llvm::append_range(types, function.getResultTypes());
    llvm::append_range(types, op->getOperandTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments()) {
          types.push_back(argument.getType());
          if (RankedTensorType placed = getPlaced(argument.getType()))
            arguments.push_back({argument, placed});
        }
    if (llvm::none_of(types, [](Type type) { return bool(getPlaced(type)); }))
      return WalkResult::advance();
    for (Type type : types)
      if (failed(checkPlaced(op, type)))
        return WalkResult::interrupt();
    ops.push_back(op);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();

  OpBuilder b(module.getContext());
  // What leaves a function, and how it lies there.
  SmallVector<std::pair<OpOperand *, RankedTensorType>> left;
  for (Operation *op : ops) {
    const bool isReturn = op->hasTrait<OpTrait::ReturnLike>() &&
                          isa<FunctionOpInterface>(op->getParentOp());
    if (isReturn || isa<CallOpInterface>(op))
      for (OpOperand &operand : op->getOpOperands())
        if (RankedTensorType placed = getPlaced(operand.get().getType()))
          left.push_back({&operand, placed});
  }
  // By what is read of it.
  llvm::DenseMap<Value, Value> memories;
  auto enter = [&](Value value, RankedTensorType placed, bool isMemory) {
    value.setType(isMemory ? getMemory(placed) : getPlain(placed));
    SmallPtrSet<Operation *, 2> own;
    Operation *before = b.getInsertionPoint() == b.getInsertionBlock()->begin()
                            ? nullptr
                            : &*std::prev(b.getInsertionPoint());
    Value memory = isMemory ? value : pack(b, value, placed);
    Value plain = unpack(b, memory, placed);
    for (Operation *made = before ? before->getNextNode()
                                  : &b.getInsertionBlock()->front();
         made != plain.getDefiningOp()->getNextNode();
         made = made->getNextNode())
      made->walk([&](Operation *inner) { own.insert(inner); });
    memories[plain] = memory;
    value.replaceUsesWithIf(plain, [&](OpOperand &use) {
      return !own.contains(use.getOwner());
    });
  };
  for (auto [argument, placed] : arguments) {
    const bool isBorder =
        argument.getOwner()->isEntryBlock() &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
    b.setInsertionPointToStart(argument.getOwner());
    if (isBorder)
      enter(argument, placed, /*isMemory=*/true);
    else
      argument.setType(getPlain(placed));
  }
  for (Operation *op : ops) {
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      if (auto type = dyn_cast<FunctionType>(function.getFunctionType()))
        function.setFunctionTypeAttr(TypeAttr::get(
            FunctionType::get(op->getContext(),
                              mapTypes(type.getInputs(), getMemory),
                              mapTypes(type.getResults(), getMemory))));
      continue;
    }
    // What branches pass on is what blocks take.
    const bool isWhole = op->getNumRegions() != 0 ||
                         op->hasTrait<OpTrait::IsTerminator>();
    b.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (RankedTensorType placed = getPlaced(result.getType())) {
        if (isWhole) {
          result.setType(getPlain(placed));
          continue;
        }
        if (auto constant = dyn_cast<arith::ConstantOp>(op))
          dropEncoding(constant, cast<RankedTensorType>(getPlain(placed)));
        enter(result, placed, isa<CallOpInterface>(op));
        b.setInsertionPointAfter(op);
      }
  }
  for (auto [operand, placed] : left) {
    b.setInsertionPoint(operand->getOwner());
    Value memory = memories.lookup(operand->get());
    operand->set(memory ? memory : pack(b, operand->get(), placed));
  }
  return success();
}
