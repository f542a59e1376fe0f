//===- PlainVectors.cpp - Vectors as upstream lowers them rightly ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. vector.mask around a transfer is a mask of the transfer.
// 2. Transfers are loops over their elements that have a mask and a map that
//    does more than take the last dimensions in order, as upstream takes
//    dimension 0 of the mask for that of the vector; and those of integers that
//    LLVM packs in vectors, but tensors and memrefs hold in bytes.
// 3. vector.load and vector.store of several dimensions, which upstream does not
//    lower, are transfers.
// 4. What other masked reads of tensors leave out is chosen after the read.
// 5. Elements of a vector of several dimensions at places known at run time are
//    those of a vector of one: LLVM has no others.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Whether LLVM packs a vector of such elements, which take whole bytes each in
/// tensors and memrefs.
static bool isPacked(Type element) {
  return isa<IntegerType>(element) &&
         (element.getIntOrFloatBitWidth() < 8 ||
          !llvm::isPowerOf2_32(element.getIntOrFloatBitWidth()));
}

static bool isPlain(VectorTransferOpInterface op) {
  Type element = op.getShapedType().getElementType();
  return isa<VectorType>(element) ||
         (!isPacked(element) &&
          (!op.getMask() || op.getPermutationMap().isMinorIdentity()));
}

/// A vector as a vector of one dimension.
static Value flatten(ImplicitLocOpBuilder &b, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  return vector::ShapeCastOp::create(
      b, VectorType::get(type.getNumElements(), type.getElementType()), vector);
}

namespace {
/// Where an element of a transferred vector is in the tensor or memref, and
/// whether it is moved (null: always).
struct MovedElement {
  SmallVector<Value> place;
  Value isMoved;
};
} // namespace

static MovedElement getMovedElement(ImplicitLocOpBuilder &b,
                                    VectorTransferOpInterface op, Value number,
                                    Value flatMask) {
  MovedElement element;
  element.place = llvm::to_vector_of<Value>(op.getIndices());
  auto require = [&](Value holds) {
    element.isMoved =
        element.isMoved ? b.createOrFold<arith::AndIOp>(element.isMoved, holds)
                        : holds;
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  // The entry of the mask for each dimension of the tensor.
  SmallVector<std::pair<Value, int64_t>> digits(element.place.size());
  const VectorType type = op.getVectorType();
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    Value size = constant(type.getDimSize(i));
    Value digit = arith::RemUIOp::create(b, number, size);
    number = arith::DivUIOp::create(b, number, size);
    auto dim = dyn_cast<AffineDimExpr>(op.getPermutationMap().getResult(i));
    if (!dim)
      continue;
    Value &place = element.place[dim.getPosition()];
    place = arith::AddIOp::create(b, place, digit);
    digits[dim.getPosition()] = {digit, type.getDimSize(i)};
    if (op.isDimInBounds(i))
      continue;
    Value end =
        isa<TensorType>(op.getShapedType())
            ? b.createOrFold<tensor::DimOp>(op.getBase(), dim.getPosition())
            : b.createOrFold<memref::DimOp>(op.getBase(), dim.getPosition());
    // A negative place is a large one without a sign.
    require(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, end));
  }
  if (!flatMask)
    return element;
  Value bit = constant(0);
  for (auto [digit, size] : digits)
    if (digit)
      bit = arith::AddIOp::create(
          b, arith::MulIOp::create(b, bit, constant(size)), digit);
  require(vector::ExtractOp::create(b, flatMask, bit));
  return element;
}

/// `then` where the element is moved, `otherwise` elsewhere.
static Value choose(ImplicitLocOpBuilder &b, const MovedElement &element,
                    function_ref<Value(ImplicitLocOpBuilder &)> then,
                    Value otherwise) {
  if (!element.isMoved)
    return then(b);
  auto choice = scf::IfOp::create(
      b, otherwise ? TypeRange(otherwise.getType()) : TypeRange(),
      element.isMoved, /*withElseRegion=*/bool(otherwise));
  auto fill = [&](Block *block,
                  function_ref<Value(ImplicitLocOpBuilder &)> make) {
    OpBuilder builder = OpBuilder::atBlockBegin(block);
    ImplicitLocOpBuilder inside(b.getLoc(), builder);
    Value value = make(inside);
    if (otherwise)
      scf::YieldOp::create(inside, value);
  };
  fill(choice.thenBlock(), then);
  if (!otherwise)
    return {};
  fill(choice.elseBlock(), [&](ImplicitLocOpBuilder &) { return otherwise; });
  return choice.getResult(0);
}

/// Step 2: a loop over the elements, which carries `carried`.
static Value
moveElements(ImplicitLocOpBuilder &b, VectorTransferOpInterface op,
             Value carried,
             function_ref<Value(ImplicitLocOpBuilder &, const MovedElement &,
                                Value number, Value carried)>
                 move) {
  Value mask = op.getMask() ? flatten(b, op.getMask()) : Value();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value count =
      arith::ConstantIndexOp::create(b, op.getVectorType().getNumElements());
  auto loop = scf::ForOp::create(
      b, zero, count, one, carried ? ValueRange(carried) : ValueRange(),
      [&](OpBuilder &builder, Location loc, Value number, ValueRange values) {
        ImplicitLocOpBuilder inside(loc, builder);
        MovedElement element = getMovedElement(inside, op, number, mask);
        Value next = move(inside, element, number,
                          values.empty() ? Value() : values.front());
        scf::YieldOp::create(inside, next ? ValueRange(next) : ValueRange());
      });
  return carried ? loop.getResult(0) : Value();
}

static void separate(ImplicitLocOpBuilder &b, vector::TransferReadOp op) {
  const VectorType type = op.getVectorType();
  Value init = vector::BroadcastOp::create(
      b, VectorType::get(type.getNumElements(), type.getElementType()),
      op.getPadding());
  Value flat = moveElements(
      b, op, init,
      [&](ImplicitLocOpBuilder &b, const MovedElement &element, Value number,
          Value carried) -> Value {
        auto read = [&](ImplicitLocOpBuilder &b) -> Value {
          if (isa<TensorType>(op.getShapedType()))
            return tensor::ExtractOp::create(b, op.getBase(), element.place);
          return memref::LoadOp::create(b, op.getBase(), element.place);
        };
        Value value = choose(b, element, read, op.getPadding());
        return vector::InsertOp::create(b, value, carried, number);
      });
  op.replaceAllUsesWith(vector::ShapeCastOp::create(b, type, flat).getResult());
  op.erase();
}

static void separate(ImplicitLocOpBuilder &b, vector::TransferWriteOp op) {
  Value flat = flatten(b, op.getValueToStore());
  const bool isTensor = isa<TensorType>(op.getShapedType());
  Value result = moveElements(
      b, op, isTensor ? op.getBase() : Value(),
      [&](ImplicitLocOpBuilder &b, const MovedElement &element, Value number,
          Value carried) -> Value {
        auto write = [&](ImplicitLocOpBuilder &b) -> Value {
          Value value = vector::ExtractOp::create(b, flat, number);
          if (isTensor)
            return tensor::InsertOp::create(b, value, carried, element.place);
          memref::StoreOp::create(b, value, op.getBase(), element.place);
          return {};
        };
        return choose(b, element, write, carried);
      });
  if (isTensor)
    op.getResult().replaceAllUsesWith(result);
  op.erase();
}

/// Upstream folds a write of what is read of a whole tensor into that tensor,
/// whatever the mask of the read.
static void choose(ImplicitLocOpBuilder &b, vector::TransferReadOp op) {
  const VectorType type = op.getVectorType();
  // What the mask leaves out may lie outside.
  Value all = vector::TransferReadOp::create(
      b, type, op.getBase(), op.getIndices(), op.getPadding(),
      SmallVector<bool>(type.getRank(), false));
  Value none = vector::BroadcastOp::create(b, type, op.getPadding());
  op.replaceAllUsesWith(
      arith::SelectOp::create(b, op.getMask(), all, none).getResult());
  op.erase();
}

//===----------------------------------------------------------------------===//
// Places known at run time
//===----------------------------------------------------------------------===//

/// Whether upstream has no form in LLVM for the place.
template <typename OpTy>
static bool isDeepPlace(OpTy op, VectorType type) {
  return op.hasDynamicPosition() && type.getRank() > 1 && !type.isScalable() &&
         !llvm::is_contained(op.getStaticPosition(),
                             vector::ExtractOp::kPoisonIndex);
}

/// In a flattened vector, the first place of the elements at `position`; `count`
/// is how many there are.
static Value getFirst(ImplicitLocOpBuilder &b, VectorType type,
                      ArrayRef<OpFoldResult> position, int64_t &count) {
  count = type.getNumElements();
  Value first = arith::ConstantIndexOp::create(b, 0);
  for (auto [size, place] : llvm::zip(type.getShape(), position)) {
    count /= size;
    Value step = arith::ConstantIndexOp::create(b, count);
    Value index = getValueOrCreateConstantIndexOp(b, b.getLoc(), place);
    first =
        arith::AddIOp::create(b, first, arith::MulIOp::create(b, index, step));
  }
  return first;
}

static Value getPlace(ImplicitLocOpBuilder &b, Value first, int64_t i) {
  return arith::AddIOp::create(b, first, arith::ConstantIndexOp::create(b, i));
}

static void flattenPlace(ImplicitLocOpBuilder &b, vector::ExtractOp op) {
  int64_t count;
  Value flat = flatten(b, op.getSource());
  Value first =
      getFirst(b, op.getSourceVectorType(), op.getMixedPosition(), count);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(
        vector::ExtractOp::create(b, flat, getPlace(b, first, i)));
  auto type = dyn_cast<VectorType>(op.getType());
  op.replaceAllUsesWith(
      type ? vector::FromElementsOp::create(b, type, elements).getResult()
           : elements.front());
  op.erase();
}

static void flattenPlace(ImplicitLocOpBuilder &b, vector::InsertOp op) {
  int64_t count;
  Value flat = flatten(b, op.getDest());
  Value first =
      getFirst(b, op.getDestVectorType(), op.getMixedPosition(), count);
  SmallVector<Value> elements{op.getValueToStore()};
  if (isa<VectorType>(op.getValueToStore().getType()))
    elements = llvm::to_vector_of<Value>(
        vector::ToElementsOp::create(b, op.getValueToStore()).getResults());
  for (auto [i, element] : llvm::enumerate(elements))
    flat = vector::InsertOp::create(b, element, flat, getPlace(b, first, i));
  op.replaceAllUsesWith(
      vector::ShapeCastOp::create(b, op.getType(), flat).getResult());
  op.erase();
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

void mlir::tensoraccess::makePlainVectors(Operation *root) {
  bool hasMasks = false;
  root->walk([&](Operation *op) { hasMasks |= isa<vector::MaskOp>(op); });
  if (hasMasks) {
    RewritePatternSet patterns(root->getContext());
    vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
    walkAndApplyPatterns(root, std::move(patterns));
  }
  auto allInside = [](VectorType type) {
    return SmallVector<bool>(type.getRank(), true);
  };
  root->walk([&](Operation *op) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](vector::TransferReadOp op) {
          if (!isPlain(op))
            separate(b, op);
          else if (op.getMask() && isa<TensorType>(op.getShapedType()) &&
                   !isa<VectorType>(op.getShapedType().getElementType()))
            choose(b, op);
        })
        .Case([&](vector::TransferWriteOp op) {
          if (!isPlain(op))
            separate(b, op);
        })
        .Case([&](vector::LoadOp op) {
          Type element = op.getMemRefType().getElementType();
          if (isa<VectorType>(element) ||
              (!isPacked(element) && op.getVectorType().getRank() <= 1))
            return;
          Value none = arith::ConstantOp::create(b, b.getZeroAttr(element));
          auto read = vector::TransferReadOp::create(
              b, op.getVectorType(), op.getBase(), op.getIndices(), none,
              allInside(op.getVectorType()));
          op.replaceAllUsesWith(read.getResult());
          op.erase();
          b.setInsertionPoint(read);
          if (isPacked(element))
            separate(b, read);
        })
        .Case([&](vector::StoreOp op) {
          Type element = op.getMemRefType().getElementType();
          if (isa<VectorType>(element) ||
              (!isPacked(element) && op.getVectorType().getRank() <= 1))
            return;
          auto write = vector::TransferWriteOp::create(
              b, op.getValueToStore(), op.getBase(), op.getIndices(),
              allInside(op.getVectorType()));
          op.erase();
          b.setInsertionPoint(write);
          if (isPacked(element))
            separate(b, write);
        })
        .Case([&](vector::ExtractOp op) {
          if (isDeepPlace(op, op.getSourceVectorType()))
            flattenPlace(b, op);
        })
        .Case([&](vector::InsertOp op) {
          if (isDeepPlace(op, op.getDestVectorType()))
            flattenPlace(b, op);
        });
  });
}
