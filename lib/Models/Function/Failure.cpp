//===- Failure.cpp - Ops that can fail ------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op can fail unless it is known never to.
//
// 1. All ops in an op's regions are asked, too.
// 2. Constants don't fail. A dialect may answer for its own ops
//    (FailureDialectInterface). What upstream does not call speculatable can
//    fail.
// 3. Upstream is wrong about some: each has a condition of its own here. A
//    remainder needs a divisor that is a constant; an element, an index inside
//    a static shape; a slice must be static, or whole; a new tensor, sizes that
//    are not negative; a cast must lose static sizes, not claim them.
// 4. Elementwise and structured ops need operands whose sizes fit: an unknown
//    size must be that of the same value everywhere.
// 5. Other dialects' ops can fail.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Models/Indexing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Steps from a value to that which has its sizes, at most.
static constexpr int kMaxSteps = 64;

namespace {
/// A size: a number, or that of a dimension of a value, or an SSA value.
struct Size {
  int64_t number = ShapedType::kDynamic;
  Value value;
  int64_t dim = -1;
  bool operator==(const Size &other) const {
    return number == other.number && value == other.value && dim == other.dim;
  }
  bool isStatic() const { return !ShapedType::isDynamic(number); }
};
} // namespace

static Size getSize(Value tensor, int64_t dim);

/// The value of a folded size.
static Size getSize(OpFoldResult folded) {
  if (std::optional<int64_t> number = getConstantIntValue(folded))
    return {*number, {}, -1};
  auto value = cast<Value>(folded);
  if (auto size = value.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> dim = size.getConstantIndex())
      if (auto type = dyn_cast<RankedTensorType>(size.getSource().getType());
          type && *dim >= 0 && *dim < type.getRank()) {
        if (!type.isDynamicDim(*dim))
          return {type.getDimSize(*dim), {}, -1};
        return {ShapedType::kDynamic, size.getSource(), *dim};
      }
  return {ShapedType::kDynamic, value, -1};
}

/// The size of a dimension of a ranked tensor: of the value that it comes from.
static Size getSize(Value tensor, int64_t dim) {
  for (int step = 0; step < kMaxSteps; ++step) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return {type.getDimSize(dim), {}, -1};
    auto result = dyn_cast<OpResult>(tensor);
    Operation *op = result ? result.getOwner() : nullptr;
    if (!op)
      break;
    Value next;
    if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      Size size = getSize(empty.getMixedSizes()[dim]);
      if (size.isStatic() || size.dim < 0)
        return size;
      next = size.value;
      dim = size.dim;
    } else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
      next = destination.getTiedOpOperand(result)->get();
    } else if (isa<tensor::InsertOp, tensor::InsertSliceOp, tensor::CastOp>(
                   op)) {
      next = isa<tensor::InsertOp>(op) ? cast<tensor::InsertOp>(op).getDest()
             : isa<tensor::InsertSliceOp>(op)
                 ? cast<tensor::InsertSliceOp>(op).getDest()
                 : op->getOperand(0);
    } else if (op->hasTrait<OpTrait::Elementwise>()) {
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType())) {
          next = operand;
          break;
        }
    }
    auto ranked =
        next ? dyn_cast<RankedTensorType>(next.getType()) : RankedTensorType();
    if (!ranked || dim >= ranked.getRank())
      break;
    tensor = next;
  }
  return {ShapedType::kDynamic, tensor, dim};
}

/// Whether all tensors among the values are ranked and of the same sizes.
static bool haveSameSizes(ValueRange values) {
  Value first;
  for (Value value : values) {
    if (isa<UnrankedTensorType>(value.getType()))
      return false;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    if (!first) {
      first = value;
      continue;
    }
    auto other = cast<RankedTensorType>(first.getType());
    if (type.getRank() != other.getRank())
      return false;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!(getSize(value, d) == getSize(first, d)))
        return false;
  }
  return true;
}

/// Whether all loops of a structured op get one size from all operands.
static bool doLoopsFit(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return false;
  // The verifier has checked static sizes.
  if (!op.hasDynamicShape())
    return true;
  SmallVector<std::optional<Size>> sizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      Size size = getSize(operand.get(), dim);
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        return false;
      std::optional<Size> &known = sizes[loop.getPosition()];
      if (known && !(*known == size))
        return false;
      known = size;
    }
  }
  return true;
}

/// Whether a size of a new tensor is known not to be negative.
static bool isNatural(Value value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return *number >= 0;
  return value.getDefiningOp<tensor::DimOp>() != nullptr;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Whether a divisor is a constant, or all elements of one, other than 0 and,
/// for signed numbers, than -1, by which the least number overflows.
static bool isSafeDivisor(Value divisor, bool isSigned) {
  DenseIntElementsAttr many;
  APInt one;
  if (matchPattern(divisor, m_ConstantInt(&one)))
    return !one.isZero() && !(isSigned && one.isAllOnes());
  if (!matchPattern(divisor, m_Constant(&many)))
    return false;
  return llvm::all_of(many.getValues<APInt>(), [&](const APInt &value) {
    return !value.isZero() && !(isSigned && value.isAllOnes());
  });
}

/// Whether indices are constants inside a shape.
static bool areInside(ValueRange indices, Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped || static_cast<int64_t>(indices.size()) != shaped.getRank())
    return false;
  for (auto [index, size] : llvm::zip_equal(indices, shaped.getShape())) {
    std::optional<int64_t> number = getConstantIntValue(index);
    if (!number || *number < 0 || ShapedType::isDynamic(size) ||
        *number >= size)
      return false;
  }
  return true;
}

/// Whether a slice of a tensor lies inside it.
static bool isInside(Value tensor, ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes,
                     ArrayRef<OpFoldResult> strides) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    std::optional<int64_t> offset = getConstantIntValue(offsets[d]),
                           stride = getConstantIntValue(strides[d]);
    if (!offset || !stride || *offset < 0 || *stride < 1)
      return false;
    Size whole = getSize(tensor, d), size = getSize(sizes[d]);
    if (!size.isStatic() && size.dim >= 0)
      size = getSize(size.value, size.dim);
    if (size == whole && *offset == 0 && *stride == 1)
      continue;
    if (!whole.isStatic() || !size.isStatic() || size.number < 0)
      return false;
    int64_t last;
    if (llvm::MulOverflow(std::max<int64_t>(size.number - 1, 0), *stride,
                          last) ||
        llvm::AddOverflow(last, *offset, last))
      return false;
    if (size.number == 0 ? *offset > whole.number : last >= whole.number)
      return false;
  }
  return true;
}

/// Whether a source has the sizes that a slice of another tensor has.
static bool hasSizes(Value source, ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(source.getType());
  if (type.hasStaticShape())
    return llvm::all_of(sizes, [](OpFoldResult size) {
      return getConstantIntValue(size).has_value();
    });
  if (type.getRank() != static_cast<int64_t>(sizes.size()))
    return false;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Size size = getSize(sizes[d]);
    if (!size.isStatic() && size.dim >= 0)
      size = getSize(size.value, size.dim);
    if (!(getSize(source, d) == size))
      return false;
  }
  return true;
}

/// Whether all shapes of an op are static.
static bool isStatic(Operation *op) {
  auto isKnown = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), isKnown) &&
         llvm::all_of(op->getResultTypes(), isKnown);
}

static bool canTensorOpFail(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return !areInside(extract.getIndices(), extract.getTensor().getType());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return !areInside(insert.getIndices(), insert.getDest().getType());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return !isInside(slice.getSource(), slice.getMixedOffsets(),
                     slice.getMixedSizes(), slice.getMixedStrides());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return !isInside(slice.getDest(), slice.getMixedOffsets(),
                     slice.getMixedSizes(), slice.getMixedStrides()) ||
           !hasSizes(slice.getSource(), slice.getMixedSizes());
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    auto from = dyn_cast<RankedTensorType>(cast.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(cast.getType());
    if (!to)
      return false;
    if (!from)
      return true;
    for (int64_t d = 0; d < to.getRank(); ++d)
      if (from.isDynamicDim(d) && !to.isDynamicDim(d) &&
          getSize(cast.getSource(), d).number != to.getDimSize(d))
        return true;
    return false;
  }
  // An access out of bounds is what a dimension that is not there is.
  if (isa<tensor::DimOp>(op))
    return !isSpeculatable(op);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return !llvm::all_of(empty.getDynamicSizes(), isNatural);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return !llvm::all_of(splat.getDynamicSizes(), isNatural);
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    return !llvm::all_of(generate.getDynamicExtents(), isNatural);
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    for (OpFoldResult width : llvm::concat<OpFoldResult>(
             pad.getMixedLowPad(), pad.getMixedHighPad())) {
      std::optional<int64_t> number = getConstantIntValue(width);
      if (!number || *number < 0)
        return true;
    }
    // A static result of what is not is a check.
    return !pad.getSourceType().hasStaticShape() &&
           pad.getResultType().hasStaticShape();
  }
  if (isa<tensor::RankOp, tensor::FromElementsOp, tensor::YieldOp,
          tensor::BitcastOp>(op))
    return false;
  if (isa<tensor::CollapseShapeOp>(op))
    return false;
  if (isa<tensor::ExpandShapeOp, tensor::ConcatOp>(op))
    return !isStatic(op);
  return true;
}

/// Without the ops in its regions.
static bool canFailItself(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return false;
  if (Dialect *dialect = op->getDialect())
    if (auto *own = dialect->getRegisteredInterface<FailureDialectInterface>())
      return own->canFail(op);
  if (!op->isRegistered() || op->getNumSuccessors() != 0)
    return true;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return !isMemoryEffectFree(op);
  if (auto speculatable = dyn_cast<ConditionallySpeculatable>(op)) {
    if (speculatable.getSpeculatability() ==
        Speculation::Speculatability::NotSpeculatable)
      return true;
  } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
             !isa<scf::IfOp>(op)) {
    return true;
  }
  if (isa<tensor::TensorDialect>(op->getDialect()))
    return canTensorOpFail(op);
  if (isa<linalg::LinalgDialect>(op->getDialect())) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      return !doLoopsFit(structured);
    return !isa<linalg::IndexOp>(op) && !isStatic(op);
  }
  if (isa<ub::UBDialect, scf::SCFDialect>(op->getDialect()))
    return false;
  if (isa<arith::RemSIOp>(op) && !isSafeDivisor(op->getOperand(1), true))
    return true;
  if (isa<arith::RemUIOp>(op) && !isSafeDivisor(op->getOperand(1), false))
    return true;
  if (isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(
          op->getDialect()))
    return !haveSameSizes(op->getOperands());
  // Others: in TOSA and elsewhere, tables, indices and sizes are checked when
  // running.
  return true;
}

bool mlir::tensoraccess::canFail(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return canFailItself(nested) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}
