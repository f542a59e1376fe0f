//===- MaterializePlaces.cpp - Strided and linear layouts in memory -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor whose encoding is strided or linear becomes one dimension, its memory,
// where it is made and where it enters or leaves a function; reads from there
// are by index. Both ways are loops over ops on indices, `delinearize` and
// `linearize`, which become arithmetic afterwards.
//
//===----------------------------------------------------------------------===//

#include "LayoutMaterializer.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  return placed
             ? RankedTensorType::get(placed.getShape(), placed.getElementType())
             : type;
}

/// How elements are laid out; the type is verified.
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

static Type mapBorder(Type type, function_ref<Type(Type)> map) {
  auto function = dyn_cast<FunctionType>(type);
  if (!function)
    return map(type);
  auto mapAll = [&](TypeRange types) {
    return llvm::map_to_vector(types,
                               [&](Type type) { return mapBorder(type, map); });
  };
  return FunctionType::get(type.getContext(), mapAll(function.getInputs()),
                           mapAll(function.getResults()));
}

void mlir::tensoraccess::mapBorders(ModuleOp module,
                                    function_ref<Type(Type)> map) {
  auto retype = [&](Value value) {
    if (isa<FunctionType>(value.getType()))
      value.setType(mapBorder(value.getType(), map));
  };
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (auto type = dyn_cast<FunctionType>(function.getFunctionType()))
        function.setFunctionTypeAttr(TypeAttr::get(mapBorder(type, map)));
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
  });
}

/// A loop over all elements of a tensor of that type, which computes each of its index.
/// Runs along `dim` are a loop of their own, the innermost: what the index of their
/// first element takes is computed once.
static Value
fill(OpBuilder &b, Location loc, RankedTensorType type, unsigned dim,
     int64_t run,
     function_ref<Value(OpBuilder &, MutableArrayRef<Value> first, Value inRun)>
         body) {
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<ReassociationIndices> pieces;
  const bool isCut = run > 1 && shape[dim] % run == 0;
  for (unsigned i = 0; i < shape.size(); ++i)
    if (isCut && i > dim)
      pieces.push_back({i + 1});
    else if (isCut && i == dim)
      pieces.push_back({i, i + 1});
    else
      pieces.push_back({i});
  if (isCut) {
    shape[dim] /= run;
    shape.insert(shape.begin() + dim + 1, run);
  }
  const unsigned rank = shape.size();
  // The loop of each dimension.
  SmallVector<unsigned> loops = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  if (isCut) {
    for (unsigned i = dim + 2; i < rank; ++i)
      --loops[i];
    loops[dim + 1] = rank - 1;
  }
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  Value filled =
      createGeneric(
          b, loc, {}, empty,
          AffineMap::getPermutationMap(loops, b.getContext()),
          [&](OpBuilder &inner, Location loc, ValueRange) {
            SmallVector<Value> index;
            for (unsigned i = 0; i < rank; ++i)
              if (!isCut || i != dim + 1)
                index.push_back(linalg::IndexOp::create(inner, loc, loops[i]));
            Value inRun;
            if (isCut) {
              index[dim] = arith::MulIOp::create(
                  inner, loc, index[dim],
                  arith::ConstantIndexOp::create(inner, loc, run));
              inRun = linalg::IndexOp::create(inner, loc, rank - 1);
            }
            linalg::YieldOp::create(inner, loc, body(inner, index, inRun));
          })
          .getResult(0);
  return isCut ? tensor::CollapseShapeOp::create(b, loc, type, filled, pieces)
               : filled;
}

static Value add(OpBuilder &b, Location loc, Value number, Value inRun) {
  return inRun ? arith::AddIOp::create(b, loc, number, inRun) : number;
}

static Value pack(OpBuilder &b, Value plain, RankedTensorType placed) {
  Location loc = plain.getLoc();
  const MemoryPlaces places = getPlacesOf(placed);
  return fill(
      b, loc, cast<RankedTensorType>(getMemory(placed)), 0, places.run,
      [&](OpBuilder &b, MutableArrayRef<Value> number, Value inRun) -> Value {
        auto place =
            DelinearizeOp::create(b, loc, number[0], ValueRange(),
                                  placed.getEncoding(), placed.getShape());
        SmallVector<Value> index(place.getIndices());
        index[places.runDim] = add(b, loc, index[places.runDim], inRun);
        Value element = tensor::ExtractOp::create(b, loc, plain, index);
        if (!places.hasPadding)
          return element;
        Value zero = arith::ConstantOp::create(
            b, loc, b.getZeroAttr(placed.getElementType()));
        return arith::SelectOp::create(b, loc, place.getValid(), element, zero);
      });
}

static Value unpack(OpBuilder &b, Value memory, RankedTensorType placed) {
  Location loc = memory.getLoc();
  const MemoryPlaces places = getPlacesOf(placed);
  return fill(
      b, loc, cast<RankedTensorType>(getPlain(placed)), places.runDim,
      places.run,
      [&](OpBuilder &b, MutableArrayRef<Value> index, Value inRun) -> Value {
        Value number =
            LinearizeOp::create(b, loc, b.getIndexType(), index, ValueRange(),
                                placed.getEncoding(), placed.getShape());
        return tensor::ExtractOp::create(b, loc, memory,
                                         add(b, loc, number, inRun));
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
    // What functions that are values take and return, too.
    for (size_t i = 0; i < types.size(); ++i)
      if (auto value = dyn_cast<FunctionType>(types[i])) {
        llvm::append_range(types, value.getInputs());
        llvm::append_range(types, value.getResults());
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

  mapBorders(module, getMemory);
  OpBuilder b(module.getContext());
  // What leaves a function, and how it is laid out there.
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
    value.replaceUsesWithIf(
        plain, [&](OpOperand &use) { return !own.contains(use.getOwner()); });
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
    if (isa<FunctionOpInterface>(op))
      continue;
    // What branches pass on is what blocks take.
    const bool isWhole =
        op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>();
    b.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (RankedTensorType placed = getPlaced(result.getType())) {
        if (isWhole) {
          result.setType(getPlain(placed));
          continue;
        }
        if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
          auto plain = cast<RankedTensorType>(getPlain(placed));
          ElementsAttr value =
              withType(cast<ElementsAttr>(constant.getValue()), plain);
          if (!value)
            return op->emitError() << "the value of a constant of " << placed
                                   << " is of a kind that is not read";
          constant.setValueAttr(cast<TypedAttr>(value));
        }
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
