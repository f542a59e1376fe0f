//===- PackWeights.cpp - Weights in panels, made once ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a function whose arguments are marked as constant (kConstant):
// 1. what is computed of weights and constants alone is known;
// 2. the known operand of a reduction that its kernel would copy panel by panel
//    (KernelPlan) is packed in panels, columns outside, then sums, then the
//    columns of one panel, and the op reads it there;
// 3. those, and what else is computed of weights and is no larger than they are,
//    move to a function of their own, whose results become arguments.
//
//===----------------------------------------------------------------------===//

#include "Kernel/CutLoops.h"
#include "Kernel/KernelPlan.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "TensorAccess/Transforms/Fusion.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "TensorAccess/Transforms/FusePasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class WeightPacker {
public:
  WeightPacker(func::FuncOp function, const Target &target)
      : function(function), target(target), rewriter(function.getContext()) {}

  /// Step 1.
  void findKnown();
  /// Step 2.
  unsigned packAll();
  /// Step 3.
  LogicalResult split(bool outParams);

private:
  bool isKnown(Value value) const { return known.contains(value); }
  bool pack(linalg::LinalgOp op);
  void note(Operation *op);
  bool isWorthKeeping(Operation *op) const;

  func::FuncOp function;
  const Target &target;
  IRRewriter rewriter;
  /// Of weights and constants; of weights.
  llvm::DenseSet<Value> known, ofWeights;
  llvm::DenseSet<Operation *> packed;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. What is known
//===----------------------------------------------------------------------===//

bool mlir::tensoraccess::isConstantTensor(Operation *op) {
  auto read = dyn_cast<bufferization::ToTensorOp>(op);
  if (!read)
    return op->hasTrait<OpTrait::ConstantLike>();
  auto get = read.getBuffer().getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                          get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.getConstant() && read.getRestrict();
}

/// Notes what an op at the top of the function computes of what is known.
void WeightPacker::note(Operation *op) {
  // Unlike other constants, what a global holds is not folded.
  if (isa<bufferization::ToTensorOp>(op) && isConstantTensor(op)) {
    known.insert(op->getResult(0));
    ofWeights.insert(op->getResult(0));
    return;
  }
  // Where sizes or places are data, checks in the function come first.
  auto mayBeChecked = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return type.isIndex() || (shaped && !shaped.hasStaticShape());
  };
  if (!isPure(op) || op->getNumResults() == 0 ||
      llvm::any_of(op->getOperandTypes(), mayBeChecked) ||
      llvm::any_of(op->getResultTypes(), mayBeChecked))
    return;
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  if (!llvm::all_of(read, [&](Value value) { return isKnown(value); }))
    return;
  known.insert(op->result_begin(), op->result_end());
  if (llvm::any_of(read, [&](Value v) { return ofWeights.contains(v); }))
    ofWeights.insert(op->result_begin(), op->result_end());
}

void WeightPacker::findKnown() {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), kConstant) &&
        isa<RankedTensorType>(argument.getType())) {
      known.insert(argument);
      ofWeights.insert(argument);
    }
  for (Operation &op : function.front())
    note(&op);
}

//===----------------------------------------------------------------------===//
// 2. Panels
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::padAlong(OpBuilder &b, Location loc, Value value,
                                   AffineMap map, unsigned loop, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  unsigned dim = *map.getResultPosition(b.getAffineDimExpr(loop));
  if (type.getDimSize(dim) == size)
    return value;
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> low(type.getRank(), b.getIndexAttr(0)), high(low);
  high[dim] = b.getIndexAttr(size - shape[dim]);
  shape[dim] = size;
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), value, low,
      high, zero);
}

PackedOperand mlir::tensoraccess::packOperand(OpBuilder &b, linalg::LinalgOp op,
                                              unsigned operand, unsigned column,
                                              int64_t width, Type element,
                                              unsigned sum, int64_t iterations,
                                              int64_t group) {
  Location loc = op.getLoc();
  MLIRContext *context = b.getContext();
  AffineMap map = op.getIndexingMapsArray()[operand];
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  const int64_t panels = llvm::divideCeilSigned(sizes[column], width);
  Value value = op->getOperand(operand);
  if (group > 1)
    value = padAlong(b, loc, value, map, sum, iterations);
  value = padAlong(b, loc, value, map, column, panels * width);
  // By loop, where it is in the copy; by dimension of that, how it is read.
  SmallVector<AffineExpr> places(sizes.size()), read;
  SmallVector<int64_t> shape;
  auto add = [&](unsigned loop, int64_t size, AffineExpr expr) {
    places[loop] = b.getAffineDimExpr(shape.size());
    shape.push_back(size);
    read.push_back(expr);
  };
  AffineExpr columns = b.getAffineDimExpr(column);
  for (bool isSum : {false, true}) {
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (loop != column && map.isFunctionOfDim(loop) &&
          (iterators[loop] == utils::IteratorType::reduction) == isSum)
        add(loop, group > 1 && loop == sum ? iterations / group : sizes[loop],
            b.getAffineDimExpr(loop));
    if (!isSum)
      add(column, panels, columns.floorDiv(width));
  }
  places[column] = places[column] * width + b.getAffineDimExpr(shape.size());
  shape.push_back(width);
  read.push_back(columns % width);
  if (group > 1) {
    places[sum] = places[sum] * group + b.getAffineDimExpr(shape.size());
    shape.push_back(group);
    read.push_back(b.getAffineDimExpr(sizes.size()));
  }
  SmallVector<AffineExpr> from;
  for (AffineExpr expr : map.getResults())
    from.push_back(places[cast<AffineDimExpr>(expr).getPosition()]);
  auto empty = tensor::EmptyOp::create(b, loc, shape, element);
  linalg::GenericOp copy =
      createGeneric(b, loc, value, empty->getResults(),
                    {AffineMap::get(shape.size(), 0, from, context),
                     b.getMultiDimIdentityMap(shape.size())},
                    [&](OpBuilder &b, Location loc, ValueRange arguments) {
                      Value x = arguments.front();
                      if (x.getType() != element)
                        x = arith::ExtFOp::create(b, loc, element, x);
                      linalg::YieldOp::create(b, loc, x);
                    });
  return {copy.getResult(0),
          AffineMap::get(sizes.size() + (group > 1), 0, read, context)};
}

std::optional<PanelUse> mlir::tensoraccess::findPanelUse(linalg::LinalgOp op,
                                                         const Target &target) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics() ||
      !isArithmetic(op))
    return std::nullopt;
  std::string reason;
  // Parts of a loop of unknown size have kernels of their own.
  std::optional<StridedNest> nest =
      StridedNest::get(op, {}, reason, getPartOfUnknown(op));
  std::optional<KernelPlan> plan;
  if (nest && nest->elementBytes[nest->result] >= 2)
    plan = planKernel(*nest, target, reason, /*arePanelsKept=*/true);
  if (!plan || !plan->packed)
    return std::nullopt;
  OpOperand &operand = op->getOpOperand(*plan->packed);
  const unsigned number = operand.getOperandNumber();
  const StridedNest::Loop &column = nest->loops[plan->column];
  PanelUse use{number, column.number, plan->getWidth(),
               nest->packed.has_value()};
  if (use.isThere)
    return use;
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  // Neighbours that are one loop there are two here; bytes are multiplied
  // otherwise.
  if (!type || !op.getMatchingIndexingMap(&operand).isProjectedPermutation() ||
      column.size != op.getStaticLoopRanges()[column.number] ||
      (type.getElementType().isInteger() && nest->elementBytes[number] < 4))
    return std::nullopt;
  return use;
}

Operation *mlir::tensoraccess::readInPanels(RewriterBase &rewriter,
                                            linalg::LinalgOp op,
                                            const PanelUse &use) {
  OpOperand &operand = op->getOpOperand(use.operand);
  BlockArgument argument = op.getMatchingBlockArgument(&operand);
  Type element =
      cast<RankedTensorType>(operand.get().getType()).getElementType();
  Type wide = getExtended(argument);
  PackedOperand panels = packOperand(rewriter, op, use.operand, use.column,
                                     use.width, wide ? wide : element);
  if (!isa<linalg::GenericOp>(op)) {
    rewriter.setInsertionPoint(op);
    // A named reduction always becomes one.
    op = cast<linalg::LinalgOp>(
        linalg::generalizeNamedOp(rewriter, op)->getOperation());
    argument = op.getBlock()->getArgument(use.operand);
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[use.operand] = panels.map;
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(use.operand, panels.value);
    cast<linalg::GenericOp>(op.getOperation())
        .setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    if (wide)
      argument.setType(wide);
  });
  if (wide)
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      rewriter.replaceOp(user, argument);
  return panels.value.getDefiningOp();
}

bool WeightPacker::pack(linalg::LinalgOp op) {
  std::optional<PanelUse> use = findPanelUse(op, target);
  if (!use || !isKnown(op->getOperand(use->operand)))
    return false;
  Operation *producer = op->getOperand(use->operand).getDefiningOp();
  if (use->isThere) {
    if (producer)
      packed.insert(producer);
    return false;
  }
  // Where the weight is, at the top of the function.
  if (producer)
    rewriter.setInsertionPointAfter(producer);
  else
    rewriter.setInsertionPointToStart(&function.front());
  Operation *last = readInPanels(rewriter, op, *use);
  for (Operation *made = producer ? producer->getNextNode()
                                  : &function.front().front();
       ; made = made->getNextNode()) {
    note(made);
    if (made == last)
      break;
  }
  packed.insert(last);
  return true;
}

unsigned WeightPacker::packAll() {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) {
    if (op->getParentOfType<linalg::LinalgOp>() == nullptr)
      ops.push_back(op);
  });
  return llvm::count_if(ops, [&](linalg::LinalgOp op) { return pack(op); });
}

//===----------------------------------------------------------------------===//
// 3. A function of its own
//===----------------------------------------------------------------------===//

/// Bytes of a tensor of known sizes and numbers, else 0. What fills no power of two
/// of bits takes more in memory.
static int64_t getTensorBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat() ||
      !llvm::isPowerOf2_64(type.getElementTypeBitWidth()))
    return 0;
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Whether the result of a known op is better kept than computed in each call:
/// panels, and what is no larger than its operands, except views of them.
bool WeightPacker::isWorthKeeping(Operation *op) const {
  if (packed.contains(op))
    return true;
  int64_t read = 0, written = 0;
  for (Value operand : op->getOperands())
    read += getTensorBytes(operand);
  for (Value result : op->getResults()) {
    if (!ofWeights.contains(result) || getTensorBytes(result) == 0)
      return false;
    written += getTensorBytes(result);
  }
  return isa<linalg::LinalgOp>(op) && written <= read;
}

LogicalResult WeightPacker::split(bool outParams) {
  // From the end: what stays, and of what that reads, what is kept.
  Block &block = function.front();
  llvm::SetVector<Value> kept;
  llvm::DenseSet<Value> needed;
  for (Operation &op : llvm::reverse(block)) {
    bool isOfKnown =
        llvm::all_of(op.getResults(), [&](Value v) { return isKnown(v); }) &&
        op.getNumResults() != 0;
    bool isNeeded = llvm::any_of(op.getResults(),
                                 [&](Value v) { return needed.contains(v); });
    if (isOfKnown && !isNeeded)
      continue;
    if (isOfKnown && isWorthKeeping(&op)) {
      for (Value result : op.getResults())
        if (needed.contains(result))
          kept.insert(result);
      continue;
    }
    needed.insert(op.operand_begin(), op.operand_end());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    needed.insert(captured.begin(), captured.end());
  }
  if (kept.empty())
    return success();
  SmallVector<Value> results = llvm::to_vector(llvm::reverse(kept));

  std::string name = ("pack_" + function.getName()).str();
  if (SymbolTable::lookupNearestSymbolFrom(
          function, StringAttr::get(function.getContext(), name)))
    return function.emitError()
           << "weights of '" << function.getName() << "' cannot be packed in '"
           << name << "': there is such a symbol";
  SmallVector<Type> from, to(ValueRange(results).getTypes());
  SmallVector<unsigned> weights;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, kConstant)) {
      weights.push_back(i);
      from.push_back(function.getArgument(i).getType());
    }
  if (outParams)
    for (Type &type : to) {
      auto tensor = cast<RankedTensorType>(type);
      from.push_back(
          MemRefType::get(tensor.getShape(), tensor.getElementType()));
    }
  if (outParams)
    to.clear();
  OpBuilder b(function);
  b.setInsertionPointAfter(function);
  auto pack = func::FuncOp::create(b, function.getLoc(), name,
                                   b.getFunctionType(from, to));
  setCold(pack);
  Block *body = pack.addEntryBlock();
  IRMapping mapping;
  for (auto [i, number] : llvm::enumerate(weights)) {
    mapping.map(function.getArgument(number), body->getArgument(i));
    pack.setArgAttr(i, "tensoraccess.argument", b.getI64IntegerAttr(number));
  }
  // What the results need, in the order of the function.
  llvm::DenseSet<Value> read(results.begin(), results.end());
  SmallVector<Operation *> moved;
  for (Operation &op : llvm::reverse(block)) {
    if (llvm::none_of(op.getResults(),
                      [&](Value v) { return read.contains(v); }))
      continue;
    moved.push_back(&op);
    llvm::SetVector<Value> values(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), values);
    read.insert(values.begin(), values.end());
  }
  b.setInsertionPointToStart(body);
  for (Operation *op : llvm::reverse(moved))
    b.clone(*op, mapping);
  SmallVector<Value> returned;
  for (auto [i, result] : llvm::enumerate(results)) {
    unsigned number = function.getNumArguments() + i;
    auto attr = b.getI64IntegerAttr(number);
    Value value = mapping.lookup(result);
    if (!outParams) {
      returned.push_back(value);
      pack.setResultAttr(i, "tensoraccess.argument", attr);
      continue;
    }
    bufferization::MaterializeInDestinationOp::create(
        b, result.getLoc(), /*result=*/Type(), value,
        body->getArgument(weights.size() + i), /*restrict=*/true,
        /*writable=*/true);
    pack.setArgAttr(weights.size() + i, "tensoraccess.argument", attr);
  }
  func::ReturnOp::create(b, function.getLoc(), returned);
  for (Value result : results) {
    unsigned number = function.getNumArguments();
    if (failed(function.insertArgument(number, result.getType(), {},
                                       result.getLoc())))
      return function.emitError("takes no further argument");
    Value argument = function.getArgument(number);
    result.replaceAllUsesWith(argument);
  }
  for (Operation *op : moved)
    if (op->use_empty())
      op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

FailureOr<unsigned> mlir::tensoraccess::packWeights(func::FuncOp function,
                                                    const Target &target,
                                                    bool outParams) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return 0u;
  WeightPacker packer(function, target);
  packer.findKnown();
  unsigned packed = packer.packAll();
  if (failed(packer.split(outParams)))
    return failure();
  return packed;
}

namespace {
struct PackWeightsPass
    : public tensoraccess::impl::PackWeightsBase<PackWeightsPass> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    FailureOr<Target> found =
        findTarget(getOperation(), target, /*otherwise=*/"host");
    if (failed(found))
      return signalPassFailure();
    for (func::FuncOp function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      // Other callers do not know its new arguments.
      if (!function.isPublic() ||
          !SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        continue;
      FailureOr<unsigned> count = packWeights(function, *found, outParams);
      if (failed(count))
        return signalPassFailure();
      packed += *count;
    }
  }
};
} // namespace
