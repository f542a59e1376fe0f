//===- InsertedChecks.cpp - What each op assumes --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By op, in the interpreter's order and with its messages: structured ops of
// linalg, elementwise ops, the ops of tensor, packs, steps of loops. Ops of
// StableHLO are known by name. Places and divisions: InsertedIndexChecks.cpp.
//
//===----------------------------------------------------------------------===//

#include "InsertChecks.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using Pred = arith::CmpIPredicate;
using Sizes = SmallVector<OpFoldResult>;

/// `3x5`, as shapeToString.
static CheckMessage &appendShape(CheckMessage &message,
                                 ArrayRef<OpFoldResult> shape) {
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (i > 0)
      message << "x";
    message << size;
  }
  return message;
}

/// `f32 3x5`, as describe.
static CheckMessage &appendTensor(CheckMessage &message, Type elementType,
                                  ArrayRef<OpFoldResult> shape) {
  std::string name;
  llvm::raw_string_ostream(name) << elementType;
  message << (elementType.isIndex() ? "i64" : name) +
                 (shape.empty() ? "" : " ");
  return appendShape(message, shape);
}

static bool hasDynamicShape(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() && !type.hasStaticShape();
}

static bool isKnown(ArrayRef<OpFoldResult> sizes) {
  return llvm::all_of(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).has_value();
  });
}

//===----------------------------------------------------------------------===//
// Shapes that belong together
//===----------------------------------------------------------------------===//

/// Each pair of sizes must be equal; one message for all.
static void requireSame(Operation *op, CheckBuilder &checks,
                        ArrayRef<OpFoldResult> shape,
                        ArrayRef<OpFoldResult> other,
                        const CheckMessage &message) {
  for (auto [size, same] : llvm::zip_equal(shape, other))
    checks.require(op, Pred::eq, size, same, message);
}

/// The result must have the sizes of its type.
static void requireResult(Operation *op, CheckBuilder &checks,
                          ArrayRef<OpFoldResult> shape) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || type.getRank() != static_cast<int64_t>(shape.size()))
    return;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  CheckMessage message("result 0 must be '" + name + "', got ");
  appendTensor(message, type.getElementType(), shape);
  Builder b(op->getContext());
  for (auto [wanted, size] : llvm::zip_equal(type.getShape(), shape))
    if (!ShapedType::isDynamic(wanted))
      checks.require(op, Pred::eq, size, b.getIndexAttr(wanted), message);
}

/// The last tensor with dimensions decides what all others must be.
static void checkElementwise(Operation *op, CheckBuilder &checks) {
  if (!llvm::any_of(op->getOperands(), hasDynamicShape))
    return;
  Sizes shape;
  for (Value operand : llvm::reverse(op->getOperands()))
    if (shape.empty())
      shape = checks.sizes.getAllOrNone(operand);
  for (Value operand : op->getOperands()) {
    Sizes sizes = checks.sizes.getAllOrNone(operand);
    if (sizes.empty() || sizes.size() != shape.size())
      continue;
    CheckMessage message("operands must have one shape, got ");
    appendShape(message, shape) << " and ";
    requireSame(op, checks, sizes, shape, appendShape(message, sizes));
  }
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// The least and the greatest value of a linear expression over loops, as
/// expressions over their sizes; std::nullopt if it is not linear.
static std::optional<std::pair<AffineExpr, AffineExpr>>
getExtremes(AffineExpr expr, unsigned numLoops) {
  std::optional<SmallVector<int64_t>> linear = getLinear(expr, numLoops);
  if (!linear)
    return std::nullopt;
  ArrayRef<int64_t> flat = *linear;
  AffineExpr least = getAffineConstantExpr(flat.back(), expr.getContext());
  AffineExpr greatest = least;
  for (unsigned i = 0; i < numLoops; ++i) {
    AffineExpr reach =
        (getAffineSymbolExpr(i, expr.getContext()) - 1) * flat[i];
    (flat[i] < 0 ? least : greatest) = (flat[i] < 0 ? least : greatest) + reach;
  }
  return std::pair(least, greatest);
}

static void checkStructured(linalg::LinalgOp op, CheckBuilder &checks) {
  if (!llvm::any_of(op->getOperands(), hasDynamicShape))
    return;
  AffineMap map = op.getShapesToLoopsMap();
  Sizes all, loops;
  for (Value operand : op->getOperands())
    llvm::append_range(all, checks.sizes.getAllOrNone(operand));
  if (!map || map.getNumDims() != all.size())
    return;
  OpBuilder before(op);
  for (AffineExpr expr : map.getResults())
    loops.push_back(affine::makeComposedFoldedAffineApply(
        before, op.getLoc(), AffineMap::get(all.size(), 0, expr), all));
  for (OpOperand &operand : op->getOpOperands()) {
    Sizes shape = checks.sizes.getAllOrNone(operand.get());
    AffineMap indexing = op.getMatchingIndexingMap(&operand);
    for (auto [d, expr] : llvm::enumerate(indexing.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        CheckMessage message("dimension " + Twine(d) + " of operand " +
                             Twine(operand.getOperandNumber()) + " must be ");
        message << loops[dim.getPosition()]
                << ", the size of loop " + Twine(dim.getPosition()) + ", got "
                << shape[d];
        checks.require(op, Pred::eq, shape[d], loops[dim.getPosition()],
                       message);
      }
  }
  Builder attrs(op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    Sizes shape = checks.sizes.getAllOrNone(operand.get());
    AffineMap indexing = op.getMatchingIndexingMap(&operand);
    for (auto [d, expr] : llvm::enumerate(indexing.getResults())) {
      auto extremes = isa<AffineDimExpr>(expr)
                          ? std::nullopt
                          : getExtremes(expr, loops.size());
      if (!extremes)
        continue;
      for (bool isLeast : {true, false}) {
        AffineExpr extreme = isLeast ? extremes->first : extremes->second;
        OpFoldResult index = affine::makeComposedFoldedAffineApply(
            before, op.getLoc(), AffineMap::get(0, loops.size(), extreme),
            loops);
        OpFoldResult bound = isLeast ? attrs.getIndexAttr(0) : shape[d];
        Pred predicate = isLeast ? Pred::sge : Pred::slt;
        if (foldComparison(predicate, index, bound).value_or(false))
          continue;
        Sizes leaves(loops);
        leaves.append({index, bound, shape[d]});
        checks.add(op, leaves,
                   [&, d = d](OpBuilder &b, Location loc, CheckMessage &text) {
                     Value holds =
                         CheckBuilder::compare(b, loc, predicate, index, bound);
                     for (OpFoldResult size : loops) {
                       if (getConstantIntValue(size).value_or(0) > 0)
                         continue;
                       Value isEmpty = CheckBuilder::compare(
                           b, loc, Pred::eq, size, attrs.getIndexAttr(0));
                       holds = arith::OrIOp::create(b, loc, isEmpty, holds);
                     }
                     text << "operand " + Twine(operand.getOperandNumber()) +
                                 " is accessed at index "
                          << index
                          << " of dimension " + Twine(d) +
                                 ", which must lie in [0, "
                          << shape[d] << ")";
                     return holds;
                   });
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Making and shaping tensors
//===----------------------------------------------------------------------===//

static void checkNotNegative(Operation *op, ArrayRef<OpFoldResult> sizes,
                             CheckBuilder &checks) {
  OpFoldResult zero = Builder(op->getContext()).getIndexAttr(0);
  for (auto [i, size] : llvm::enumerate(sizes)) {
    auto value = dyn_cast<Value>(size);
    if (value && value.getDefiningOp<tensor::DimOp>())
      continue;
    CheckMessage message("size " + Twine(i) +
                         " of a tensor must not be negative, got ");
    checks.require(op, Pred::sge, size, zero, message << size);
  }
}

static void checkInsertSlice(tensor::InsertSliceOp op, CheckBuilder &checks) {
  checkSlice(op, op.getDest(), checks);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Sizes shape;
  for (auto [d, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped[d])
      shape.push_back(size);
  Sizes source = checks.sizes.getAll(op.getSource());
  CheckMessage message("source must have the slice's shape ");
  appendShape(message, shape) << ", got ";
  requireSame(op, checks, source, shape, appendShape(message, source));
}

static void checkPad(tensor::PadOp op, CheckBuilder &checks) {
  OpFoldResult zero = Builder(op.getContext()).getIndexAttr(0);
  Sizes shape = checks.sizes.getAll(op.getSource());
  OpBuilder before(op);
  AffineExpr a, b;
  bindSymbols(op.getContext(), a, b);
  auto add = [&](OpFoldResult x, OpFoldResult y) {
    return affine::makeComposedFoldedAffineApply(
        before, op.getLoc(), AffineMap::get(0, 2, a + b), {x, y});
  };
  for (auto [d, low, high] :
       llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad())) {
    CheckMessage message("padding of dimension " + Twine(d) +
                         " must leave a size of 0 to 2^63 - 1, got ");
    message << shape[d] << " with " << low << " and " << high;
    OpFoldResult behind = add(shape[d], low);
    // It may have wrapped around to a small one.
    if (!getConstantIntValue(low))
      checks.require(op, Pred::sle, low, behind, message);
    shape[d] = add(behind, high);
    checks.require(op, Pred::sge, shape[d], zero, message);
  }
  requireResult(op, checks, shape);
}

static Value multiply(OpBuilder &b, Location loc,
                      ArrayRef<OpFoldResult> sizes) {
  Value product = getValueOrCreateConstantIndexOp(b, loc, b.getIndexAttr(1));
  for (OpFoldResult size : sizes)
    product = arith::MulIOp::create(
        b, loc, product, getValueOrCreateConstantIndexOp(b, loc, size));
  return product;
}

/// As many elements before as after, and no size below 0; `place` is what the
/// message has before the shapes.
static void checkCount(Operation *op, CheckBuilder &checks,
                       ArrayRef<OpFoldResult> source,
                       ArrayRef<OpFoldResult> shape, const Twine &place) {
  if (source == shape || (isKnown(source) && isKnown(shape)))
    return;
  Sizes leaves(source);
  llvm::append_range(leaves, shape);
  std::string text = place.str();
  checks.add(op, leaves,
             [&](OpBuilder &b, Location loc, CheckMessage &message) {
               Value count = multiply(b, loc, source);
               Value holds = CheckBuilder::compare(b, loc, Pred::eq, count,
                                                   multiply(b, loc, shape));
               for (OpFoldResult size : shape)
                 if (!getConstantIntValue(size)) {
                   Value fits = CheckBuilder::compare(b, loc, Pred::sge, size,
                                                      b.getIndexAttr(0));
                   holds = arith::AndIOp::create(b, loc, holds, fits);
                 }
               message << text;
               appendShape(message, source) << " and ";
               appendShape(message, shape);
               return holds;
             });
}

static void checkExpand(tensor::ExpandShapeOp op, CheckBuilder &checks) {
  Sizes source = checks.sizes.getAll(op.getSrc());
  Sizes shape = op.getMixedOutputShape();
  if (isKnown(source) && isKnown(shape))
    return;
  checkCount(op, checks, source, shape,
             "reshape must keep the element count, got ");
  if (source.size() < 2)
    return;
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    Sizes parts;
    for (int64_t i : group)
      parts.push_back(shape[i]);
    checkCount(op, checks, {source[d]}, parts,
               "dimension " + Twine(d) +
                   " must expand to as many elements, got ");
  }
}

static void checkReshape(tensor::ReshapeOp op, CheckBuilder &checks) {
  auto wanted = dyn_cast<RankedTensorType>(op.getShape().getType());
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!wanted || !source || wanted.isDynamicDim(0))
    return;
  OpBuilder b(op);
  Sizes shape;
  for (int64_t i = 0; i < wanted.getDimSize(0); ++i) {
    Value place = arith::ConstantIndexOp::create(b, op.getLoc(), i);
    Value size =
        tensor::ExtractOp::create(b, op.getLoc(), op.getShape(), place);
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(b, op.getLoc(), b.getIndexType(), size);
    shape.push_back(size);
  }
  checkCount(op, checks, checks.sizes.getAll(op.getSource()), shape,
             "reshape must keep the element count, got ");
  requireResult(op, checks, shape);
}

static void checkConcat(tensor::ConcatOp op, CheckBuilder &checks) {
  int64_t axis = op.getDim();
  Sizes shape;
  AffineExpr a, b;
  bindSymbols(op.getContext(), a, b);
  OpBuilder before(op);
  for (Value input : op.getInputs()) {
    Sizes sizes = checks.sizes.getAll(input);
    if (shape.empty()) {
      shape = sizes;
      continue;
    }
    for (int64_t d = 0, e = sizes.size(); d < e; ++d) {
      if (d == axis)
        continue;
      CheckMessage message("dimension " + Twine(d) +
                           " of all inputs must be equal, got ");
      message << shape[d] << " and " << sizes[d];
      checks.require(op, Pred::eq, sizes[d], shape[d], message);
    }
    shape[axis] = affine::makeComposedFoldedAffineApply(
        before, op.getLoc(), AffineMap::get(0, 2, a + b),
        {shape[axis], sizes[axis]});
  }
  requireResult(op, checks, shape);
}

//===----------------------------------------------------------------------===//
// Packs and softmax
//===----------------------------------------------------------------------===//

/// Of a plain tensor and its tiles; unpacking may leave tiles out.
template <typename OpTy>
static void checkPacked(OpTy op, Value plain, Value packed, bool mayLeaveOut,
                        CheckBuilder &checks) {
  if (!hasDynamicShape(plain) && !hasDynamicShape(packed))
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Sizes tiles = op.getMixedTiles(), counts = checks.sizes.getAll(plain),
        shape = checks.sizes.getAll(packed), wanted;
  OpFoldResult one = b.getIndexAttr(1);
  for (auto [k, tile] : llvm::enumerate(tiles)) {
    CheckMessage message("tile " + Twine(k) + " must be positive, got ");
    checks.require(op, Pred::sge, tile, one, message << tile);
  }
  Sizes rests;
  for (auto [dim, tile] : llvm::zip_equal(op.getInnerDimsPos(), tiles)) {
    std::optional<int64_t> size = getConstantIntValue(counts[dim]),
                           step = getConstantIntValue(tile);
    if (size && step) {
      rests.push_back(b.getIndexAttr(*size % *step));
      counts[dim] = b.getIndexAttr(llvm::divideCeil(*size, *step));
      continue;
    }
    Value whole = getValueOrCreateConstantIndexOp(b, loc, counts[dim]);
    Value part = getValueOrCreateConstantIndexOp(b, loc, tile);
    Value less = arith::SubIOp::create(
        b, loc, part, getValueOrCreateConstantIndexOp(b, loc, one));
    Value most = arith::AddIOp::create(b, loc, whole, less);
    rests.push_back(arith::RemUIOp::create(b, loc, whole, part).getResult());
    counts[dim] = arith::DivUIOp::create(b, loc, most, part).getResult();
  }
  SmallVector<int64_t> perm(op.getOuterDimsPerm());
  if (perm.empty())
    perm = llvm::to_vector(llvm::seq<int64_t>(counts.size()));
  for (int64_t dim : perm)
    wanted.push_back(counts[dim]);
  llvm::append_range(wanted, tiles);
  CheckMessage message("packed shape must be ");
  appendShape(message, wanted) << ", got ";
  appendShape(message, shape);
  for (size_t i = 0; i < wanted.size(); ++i) {
    bool isTiled =
        i < perm.size() && llvm::is_contained(op.getInnerDimsPos(), perm[i]);
    checks.require(op, mayLeaveOut && isTiled ? Pred::sle : Pred::eq, wanted[i],
                   shape[i], message);
  }
  if constexpr (std::is_same_v<OpTy, linalg::PackOp>) {
    if (op.getPaddingValue())
      return;
    Sizes sizes = checks.sizes.getAll(plain);
    for (auto [k, dim] : llvm::enumerate(op.getInnerDimsPos())) {
      CheckMessage message("needs a padding value: dimension " + Twine(dim) +
                           " of size ");
      message << sizes[dim] << " is not a multiple of tile " << tiles[k];
      checks.require(op, Pred::eq, rests[k], b.getIndexAttr(0), message);
    }
  }
}

static void checkSoftmax(linalg::SoftmaxOp op, CheckBuilder &checks) {
  Sizes input = checks.sizes.getAll(op.getInput());
  Sizes output = checks.sizes.getAll(op.getOutput());
  CheckMessage message("input and output must have one shape, got ");
  appendTensor(message, getElementTypeOrSelf(op.getInput()), input) << " and ";
  appendTensor(message, getElementTypeOrSelf(op.getOutput()), output);
  requireSame(op, checks, input, output, message);
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

static bool isHloElementwise(Operation *op) {
  const HloTraits *traits = getHloTraits(op);
  return traits && traits->arity > 0;
}

static void checkHloSlice(Operation *op, CheckBuilder &checks) {
  auto limits = op->getAttrOfType<DenseI64ArrayAttr>("limit_indices");
  auto type = op->getNumOperands() == 1
                  ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                  : RankedTensorType();
  if (!limits || !type || limits.size() != type.getRank())
    return;
  Builder b(op->getContext());
  for (auto [d, limit] : llvm::enumerate(limits.asArrayRef()))
    if (type.isDynamicDim(d))
      checks.require(op, Pred::sle, b.getIndexAttr(limit),
                     checks.sizes.get(op->getOperand(0), d),
                     CheckMessage("it slices outside of its operand"));
}

/// The dimension that is asked for; upstream folds one that does not exist by
/// reading past the type.
static void checkDim(Operation *op, Value source,
                     std::optional<int64_t> constant, CheckBuilder &checks) {
  auto type = cast<ShapedType>(source.getType());
  if (!type.hasRank() ||
      (constant && *constant >= 0 && *constant < type.getRank()))
    return;
  Builder b(op->getContext());
  OpFoldResult index = getAsOpFoldResult(op->getOperand(1));
  CheckMessage message("dimension must lie in [0, " + Twine(type.getRank()) +
                       "), got ");
  checks.require(op, Pred::ult, index, b.getIndexAttr(type.getRank()),
                 message << index);
  if (!constant)
    return;
  OpBuilder before(op);
  op->getResult(0).replaceAllUsesWith(
      arith::ConstantIndexOp::create(before, op->getLoc(), 0));
}

Operation *mlir::tensoraccess::insertChecksOf(Operation *op,
                                              CheckBuilder &checks,
                                              bool onlyShapes) {
  if (OpTrait::hasElementwiseMappableTraits(op) || isHloElementwise(op))
    checkElementwise(op, checks);
  if (!onlyShapes)
    op = openDivisions(op, checks.sizes);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    checkStructured(structured, checks);
  if (auto cast = dyn_cast<tensor::CastOp>(op);
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    requireResult(op, checks, checks.sizes.getAll(cast.getSource()));
  if (onlyShapes)
    return op;
  checkDivision(op, checks);
  if (isHlo(op, "slice"))
    checkHloSlice(op, checks);
  OpFoldResult zero = Builder(op->getContext()).getIndexAttr(0);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::ExtractOp op) {
        checkIndices(op, op.getTensor(), op.getIndices(), checks);
      })
      .Case([&](tensor::InsertOp op) {
        checkIndices(op, op.getDest(), op.getIndices(), checks);
      })
      .Case([&](memref::LoadOp op) {
        checkIndices(op, op.getMemRef(), op.getIndices(), checks);
      })
      .Case([&](memref::StoreOp op) {
        checkIndices(op, op.getMemRef(), op.getIndices(), checks);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        checkSlice(op, op.getSource(), checks);
      })
      .Case(
          [&](memref::SubViewOp op) { checkSlice(op, op.getSource(), checks); })
      .Case([&](tensor::InsertSliceOp op) { checkInsertSlice(op, checks); })
      .Case([&](tensor::EmptyOp op) {
        checkNotNegative(op, op.getMixedSizes(), checks);
      })
      .Case([&](tensor::GenerateOp op) {
        checkNotNegative(
            op, getResultSizes(op.getType(), op.getDynamicExtents()), checks);
      })
      .Case([&](bufferization::AllocTensorOp op) {
        // A copy has the sizes of what it copies.
        if (!op.getCopy())
          checkNotNegative(
              op, getResultSizes(op.getType(), op.getDynamicSizes()), checks);
      })
      .Case<memref::AllocOp, memref::AllocaOp>(
          [&](auto op) { checkNotNegative(op, op.getMixedSizes(), checks); })
      .Case([&](tensor::SplatOp op) {
        Sizes shape = getResultSizes(op.getType(), op.getDynamicSizes());
        CheckMessage message("makes no tensor of shape ");
        appendShape(message, shape);
        for (OpFoldResult size : shape)
          checks.require(op, Pred::sge, size, zero, message);
      })
      .Case([&](VectorTransferOpInterface op) { checkTransfer(op, checks); })
      .Case([&](tensor::PadOp op) { checkPad(op, checks); })
      .Case([&](tensor::ExpandShapeOp op) { checkExpand(op, checks); })
      .Case([&](tensor::ReshapeOp op) { checkReshape(op, checks); })
      .Case([&](tensor::ConcatOp op) { checkConcat(op, checks); })
      .Case([&](linalg::PackOp op) {
        checkPacked(op, op.getSource(), op.getDest(), false, checks);
      })
      .Case([&](linalg::UnPackOp op) {
        checkPacked(op, op.getDest(), op.getSource(), true, checks);
      })
      .Case([&](linalg::SoftmaxOp op) { checkSoftmax(op, checks); })
      .Case<tensor::DimOp, memref::DimOp>([&](auto op) {
        checkDim(op, op.getSource(), op.getConstantIndex(), checks);
      })
      .Case([&](scf::ForOp op) {
        if (!op.getStep().getType().isIndex())
          return;
        OpFoldResult step = getAsOpFoldResult(op.getStep());
        CheckMessage message("step must be positive, got ");
        checks.require(op, Pred::sgt, step, zero, message << step);
      });
  return op;
}
