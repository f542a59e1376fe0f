//===- AccessToLinalg.cpp - Access patterns become loops on tensors
//--------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Refuse what cannot be lowered, before anything is changed: dynamic shapes,
//    encodings, access patterns that cross into other dialects' ops.
// 2. Decide which patterns have to exist in memory: results of compute and
//    materialize, what to_tensor asks for, and, until nothing is added, what
//    getAccessParts names as sources of those.
// 3. In dominance order, emit each such pattern as a tensor: one linalg op that
//    reads the sources through composed maps (AccessLoops.h), or a reshape
//    where the view is its base read row-major.
// 4. Replace to_tensor by these tensors and erase the access ops.
//
//===----------------------------------------------------------------------===//

#include "AccessLoops.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Core/Shape.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LOWERTOLINALG
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using PatternValue = TypedValue<AccessType>;

/// Lowers all access ops below a root.
class AccessLowering {
public:
  explicit AccessLowering(Operation *root)
      : root(root), rewriter(root->getContext()) {}
  LogicalResult run();

private:
  LogicalResult check();
  void collectRealised();

  /// The views, with sources replaced by tensors.
  SmallVector<Value> getBases(Location loc, ArrayRef<AccessView> views);
  /// The pattern as a tensor of its full shape.
  Value realise(PatternValue pattern);
  Value emitCompute(ComputeOp op);
  /// A tuple written out: its elements one after another.
  Value emitTuple(Location loc, AccessType type, const AccessParts &parts);
  /// One view, copied unless it is its base read row-major.
  Value emitCopy(Location loc, const AccessView &view);
  /// The parts as one view; a tuple is written out first.
  AccessView getSingleView(PatternValue pattern);

  Operation *root;
  IRRewriter rewriter;
  SmallVector<Operation *> accessOps;
  llvm::SetVector<Value> realised;
  llvm::DenseMap<Value, Value> tensors;
};

} // namespace

static bool isAccess(Type type) { return isa<AccessType>(type); }

/// True for the kinds that emitCompute knows.
static bool canLower(ComputeOp op) {
  switch (op.getKind()) {
  case ComputeKind::DotProd:
  case ComputeKind::ReduceSum:
  case ComputeKind::ReduceMax:
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul:
  case ComputeKind::Relu:
    return !op.getAccumulator();
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Steps 1 and 2
//===----------------------------------------------------------------------===//

LogicalResult AccessLowering::check() {
  WalkResult result =
      root->walk<WalkOrder::PreOrder, ForwardDominanceIterator<>>(
          [&](Operation *op) -> WalkResult {
            if (auto function = dyn_cast<FunctionOpInterface>(op))
              if (llvm::any_of(function.getArgumentTypes(), isAccess) ||
                  llvm::any_of(function.getResultTypes(), isAccess))
                return op->emitError()
                       << "cannot lower an access pattern in a function's type";
            for (Region &region : op->getRegions())
              for (Block &block : region)
                for (BlockArgument argument : block.getArguments())
                  if (isAccess(argument.getType()))
                    return op->emitError()
                           << "cannot lower access pattern "
                           << argument.getType() << ": it is a block argument";
            bool touches = llvm::any_of(op->getOperandTypes(), isAccess) ||
                           llvm::any_of(op->getResultTypes(), isAccess);
            if (!touches)
              return WalkResult::advance();
            if (!isa<AccessOp, ToTensorOp, TransposeOp, CartProdOp, WindowsOp,
                     SqueezeOp, InsertAxisOp, FlattenOp, ReshapeOp, PadOp,
                     MaterializeOp, ComputeOp>(op))
              return op->emitError() << "cannot lower access patterns of op '"
                                     << op->getName() << "'";
            if (auto pad = dyn_cast<PadOp>(op); pad && pad.getInterior())
              return op->emitError() << "cannot lower interior padding";
            if (auto compute = dyn_cast<ComputeOp>(op))
              if (!canLower(compute))
                return op->emitError()
                       << "cannot lower compute kind "
                       << stringifyComputeKind(compute.getKind())
                       << (compute.getAccumulator() ? " with an accumulator"
                                                    : "");
            for (Type type : llvm::concat<const Type>(
                     llvm::to_vector<4>(op->getOperandTypes()),
                     llvm::to_vector<4>(op->getResultTypes()))) {
              if (auto access = dyn_cast<AccessType>(type);
                  access && !access.hasStaticShape())
                return op->emitError() << "cannot lower access pattern " << type
                                       << " of dynamic shape";
              if (auto tensor = dyn_cast<RankedTensorType>(type);
                  tensor && tensor.getEncoding())
                return op->emitError()
                       << "cannot lower access to a tensor with "
                          "encoding "
                       << tensor.getEncoding();
            }
            accessOps.push_back(op);
            return WalkResult::advance();
          });
  return failure(result.wasInterrupted());
}

void AccessLowering::collectRealised() {
  for (Operation *op : accessOps) {
    if (isa<ComputeOp, MaterializeOp>(op))
      realised.insert(op->getResult(0));
    else if (auto toTensor = dyn_cast<ToTensorOp>(op))
      realised.insert(toTensor.getPattern());
  }
  for (size_t i = 0; i < realised.size(); ++i) {
    Operation *op = realised[i].getDefiningOp();
    auto pattern = cast<PatternValue>(
        isa<ComputeOp, MaterializeOp>(op) ? op->getOperand(0) : realised[i]);
    for (const AccessView &view : getAccessParts(pattern).views)
      if (isAccess(view.source.getType()))
        realised.insert(view.source);
  }
}

//===----------------------------------------------------------------------===//
// Step 3
//===----------------------------------------------------------------------===//

SmallVector<Value> AccessLowering::getBases(Location loc,
                                            ArrayRef<AccessView> views) {
  SmallVector<Value> bases;
  for (const AccessView &view : views) {
    Value source = isAccess(view.source.getType()) ? tensors.lookup(view.source)
                                                   : view.source;
    bases.push_back(createBase(rewriter, loc, view, source));
  }
  return bases;
}

static Type getElementType(const AccessView &view) {
  Type type = view.source.getType();
  if (auto access = dyn_cast<AccessType>(type))
    return access.getElementType();
  return cast<RankedTensorType>(type).getElementType();
}

Value AccessLowering::emitCopy(Location loc, const AccessView &view) {
  SmallVector<Value> bases = getBases(loc, view);
  if (view.digits && view.digits->isRowMajor())
    return reshapeTensor(rewriter, loc, bases[0], view.shape);
  LoopPlan plan =
      planLoops(rewriter, loc, view, bases, /*accessRank=*/view.shape.size());
  linalg::GenericOp copy = emitLoops(
      rewriter, loc, plan, getElementType(view), /*init=*/nullptr,
      [](OpBuilder &, Location, ValueRange in, Value) { return in[0]; });
  return reshapeTensor(rewriter, loc, copy.getResult(0), view.shape);
}

Value AccessLowering::emitTuple(Location loc, AccessType type,
                                const AccessParts &parts) {
  SmallVector<int64_t> shape = type.getShape();
  Value result =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), shape);
  sizes[parts.accessRank] = rewriter.getIndexAttr(1);
  for (auto [i, view] : llvm::enumerate(parts.views)) {
    Value element = emitCopy(loc, view);
    offsets[parts.accessRank] = rewriter.getIndexAttr(i);
    result = tensor::InsertSliceOp::create(rewriter, loc, element, result,
                                           offsets, sizes, strides);
  }
  return result;
}

AccessView AccessLowering::getSingleView(PatternValue pattern) {
  AccessParts parts = getAccessParts(pattern);
  if (!parts.isTuple)
    return parts.views[0];
  AccessType type = pattern.getType();
  Value tuple = emitTuple(pattern.getLoc(), type, parts);
  return AccessView::identity(tuple, type.getShape());
}

/// The view at one value of a dimension.
static AccessView fixDim(AccessView view, unsigned dim, int64_t value) {
  if (view.digits)
    view.digits->fix(dim, value);
  SmallVector<AffineExpr> exprs;
  MLIRContext *context = view.map.getContext();
  for (unsigned i = 0; i < view.shape.size(); ++i)
    exprs.push_back(i == dim ? getAffineConstantExpr(value, context)
                             : getAffineDimExpr(i - (i > dim), context));
  view.map = view.map.compose(
      AffineMap::get(view.shape.size() - 1, 0, exprs, context));
  view.shape.erase(view.shape.begin() + dim);
  return view;
}

/// a + b or a·b in the values' type.
static Value createAdd(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType())
             ? arith::AddFOp::create(b, loc, x, y).getResult()
             : arith::AddIOp::create(b, loc, x, y).getResult();
}
static Value createMul(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType())
             ? arith::MulFOp::create(b, loc, x, y).getResult()
             : arith::MulIOp::create(b, loc, x, y).getResult();
}
static Value createMax(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType())
             ? arith::MaximumFOp::create(b, loc, x, y).getResult()
             : arith::MaxSIOp::create(b, loc, x, y).getResult();
}

/// The least value of a type, the neutral element of max.
static TypedAttr getLeast(OpBuilder &b, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    return b.getFloatAttr(
        type, llvm::APFloat::semanticsHasInf(semantics)
                  ? llvm::APFloat::getInf(semantics, /*Negative=*/true)
                  : llvm::APFloat::getLargest(semantics, /*Negative=*/true));
  }
  unsigned bits = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                 : type.getIntOrFloatBitWidth();
  return b.getIntegerAttr(type, llvm::APInt::getSignedMinValue(bits));
}

/// The element that a compute op makes of the elements of a tuple.
static Value combineTuple(OpBuilder &b, Location loc, ComputeKind kind,
                          ValueRange elements, Type type) {
  bool multiplies = kind != ComputeKind::ElementwiseAdd;
  if (elements.empty()) {
    TypedAttr one = isa<FloatType>(type) ? TypedAttr(b.getFloatAttr(type, 1.0))
                                         : TypedAttr(b.getIntegerAttr(type, 1));
    return arith::ConstantOp::create(b, loc,
                                     multiplies ? one : b.getZeroAttr(type));
  }
  Value result = elements.front();
  for (Value element : elements.drop_front())
    result = multiplies ? createMul(b, loc, result, element)
                        : createAdd(b, loc, result, element);
  return result;
}

/// linalg.matmul, linalg.conv_2d_nhwc_hwcf and the like where upstream's
/// matchers know the op; else it stays generic. A name whose maps are not the
/// op's own is not taken: a transposed operand would be read untransposed.
static Value specialize(RewriterBase &rewriter, linalg::GenericOp generic) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  auto spare = cast<linalg::GenericOp>(rewriter.clone(*generic));
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::LinalgOp> named =
      linalg::specializeGenericOp(rewriter, generic);
  if (failed(named)) {
    rewriter.eraseOp(spare);
    return generic.getResult(0);
  }
  if (named->getIndexingMapsArray() != spare.getIndexingMapsArray()) {
    rewriter.replaceOp(*named, spare);
    return spare.getResult(0);
  }
  rewriter.eraseOp(spare);
  return (*named)->getResult(0);
}

Value AccessLowering::emitCompute(ComputeOp op) {
  Location loc = op.getLoc();
  ComputeKind kind = op.getKind();
  PatternValue pattern = op.getPattern();
  AccessType type = pattern.getType();
  Type elementType = type.getElementType();
  int64_t accessRank = type.getAccessRank();
  SmallVector<int64_t> resultShape = op.getType().getShape();

  SmallVector<AccessView, 2> views;
  TypedAttr init;
  bool reduces = false;
  switch (kind) {
  case ComputeKind::DotProd:
    reduces = true;
    init = rewriter.getZeroAttr(elementType);
    [[fallthrough]];
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul: {
    AccessParts parts = getAccessParts(pattern);
    if (parts.isTuple) {
      views.assign(parts.views.begin(), parts.views.end());
      break;
    }
    for (int64_t i = 0; i < type.getComputeShape().front(); ++i)
      views.push_back(fixDim(parts.views[0], accessRank, i));
    break;
  }
  case ComputeKind::ReduceSum:
  case ComputeKind::ReduceMax:
    reduces = true;
    init = kind == ComputeKind::ReduceSum ? rewriter.getZeroAttr(elementType)
                                          : getLeast(rewriter, elementType);
    [[fallthrough]];
  case ComputeKind::Relu:
    views.push_back(getSingleView(pattern));
    break;
  default:
    llvm_unreachable("refused by canLower");
  }

  int64_t parallelRank = reduces ? accessRank : resultShape.size();
  LoopPlan plan;
  if (views.empty()) {
    // A tuple of length 0.
    plan.ranges.assign(type.getAccessShape().begin(),
                       type.getAccessShape().end());
    llvm::append_range(plan.ranges, type.getComputeShape().drop_front());
    plan.numParallel = parallelRank;
  } else {
    plan = planLoops(rewriter, loc, views, getBases(loc, views), parallelRank);
  }
  linalg::GenericOp generic = emitLoops(
      rewriter, loc, plan, elementType, init,
      [&](OpBuilder &b, Location loc, ValueRange in, Value acc) -> Value {
        switch (kind) {
        case ComputeKind::DotProd:
          return createAdd(b, loc, acc,
                           combineTuple(b, loc, kind, in, elementType));
        case ComputeKind::ReduceSum:
          return createAdd(b, loc, acc, in[0]);
        case ComputeKind::ReduceMax:
          return createMax(b, loc, acc, in[0]);
        case ComputeKind::Relu: {
          Value zero =
              arith::ConstantOp::create(b, loc, b.getZeroAttr(elementType));
          return createMax(b, loc, in[0], zero);
        }
        case ComputeKind::ElementwiseAdd:
        case ComputeKind::ElementwiseMul:
          return combineTuple(b, loc, kind, in, elementType);
        default:
          llvm_unreachable("refused by canLower");
        }
      });
  Value result = generic.getResult(0);
  if (kind == ComputeKind::DotProd && plan.ranges.size() > plan.numParallel)
    result = specialize(rewriter, generic);
  return reshapeTensor(rewriter, loc, result, resultShape);
}

Value AccessLowering::realise(PatternValue pattern) {
  Operation *op = pattern.getDefiningOp();
  if (auto compute = dyn_cast<ComputeOp>(op))
    return emitCompute(compute);
  auto viewed = cast<PatternValue>(isa<MaterializeOp>(op) ? op->getOperand(0)
                                                          : Value(pattern));
  return emitCopy(op->getLoc(), getSingleView(viewed));
}

LogicalResult AccessLowering::run() {
  if (failed(check()))
    return failure();
  collectRealised();
  for (Operation *op : accessOps) {
    rewriter.setInsertionPoint(op);
    if (auto toTensor = dyn_cast<ToTensorOp>(op)) {
      toTensor.getResult().replaceAllUsesWith(
          tensors.lookup(toTensor.getPattern()));
      continue;
    }
    auto pattern = cast<PatternValue>(op->getResult(0));
    if (realised.contains(pattern))
      tensors[pattern] = realise(pattern);
  }
  for (Operation *op : llvm::reverse(accessOps))
    rewriter.eraseOp(op);
  return success();
}

LogicalResult mlir::tensoraccess::lowerToLinalg(Operation *root) {
  return AccessLowering(root).run();
}

namespace {
struct LowerToLinalgPass
    : public tensoraccess::impl::LowerToLinalgBase<LowerToLinalgPass> {
  void runOnOperation() override {
    if (failed(lowerToLinalg(getOperation())))
      signalPassFailure();
  }
};
} // namespace
