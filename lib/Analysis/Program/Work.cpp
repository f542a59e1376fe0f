//===- Work.cpp - How much arithmetic a function does ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structured linalg op does (operations in its body) × (points of its loops);
// a compute op of this dialect likewise; arith and math on tensors do one
// operation per element.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// True for the ops that move, compare or convert: nothing is rounded twice.
static bool isFree(Operation *op) {
  if (isa<tensor::GenerateOp>(op))
    return false;
  if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
    return true;
  return isa<arith::ConstantOp, arith::CmpFOp, arith::CmpIOp, arith::SelectOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::NegFOp, arith::ExtFOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::IndexCastOp, arith::BitcastOp, math::AbsFOp,
             linalg::IndexOp, linalg::YieldOp, linalg::PackOp, linalg::UnPackOp,
             func::ReturnOp>(op);
}

static bool isArithmetic(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
      op->getDialect());
}

/// The functions of ops that have no row.
static HloTraits::Work getWork(StringRef name) {
  const HloTraits *traits = getHloTraits(name);
  return traits ? traits->work : HloTraits::Work::Own;
}

/// Operations of a body for each element; std::nullopt if it holds anything
/// else.
static std::optional<int64_t> countBody(Operation *op) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return std::nullopt;
  int64_t count = 0;
  for (Operation &inner : op->getRegion(0).front()) {
    if (!isHlo(&inner) || inner.getNumRegions() != 0)
      return std::nullopt;
    const HloTraits::Work work = getWork(getHloName(&inner));
    if (work == HloTraits::Work::Own)
      return std::nullopt;
    count += work == HloTraits::Work::Each;
  }
  return count;
}

/// How many roundings of a type a sum of `reduced` elements goes through. Sums
/// of floats below f32 are f32, whose roundings are finer, but for the last
/// one.
static int64_t getSumDepth(Type element, int64_t reduced) {
  auto type = dyn_cast<FloatType>(element);
  if (!type || getSumType(type) == type || reduced <= 1)
    return reduced;
  auto wide = cast<FloatType>(getSumType(type));
  const int64_t finer =
      int64_t(1) << (wide.getFPMantissaWidth() - type.getFPMantissaWidth());
  return llvm::divideCeilSigned(reduced, finer) + 1;
}

namespace {
/// Sums up work, remembering whether any of it overflowed.
struct Counter {
  Work total;
  bool known = true;

  /// `inner` operations at each of `points` points, of which `reduced` lead to
  /// the same element.
  void add(int64_t inner, std::optional<int64_t> points,
           std::optional<int64_t> reduced) {
    int64_t operations = 0, depth = 0;
    if (!points || !reduced || llvm::MulOverflow(inner, *points, operations) ||
        llvm::MulOverflow(inner, *reduced, depth) ||
        llvm::AddOverflow(total.operations, operations, total.operations) ||
        llvm::AddOverflow(total.depth, depth, total.depth))
      known = false;
  }

  void count(linalg::LinalgOp op);
  void count(ComputeOp op);
  void count(SystolicArrayOp op);
  void count(Operation *op);
  void countHlo(Operation *op);
};
} // namespace

void Counter::count(linalg::LinalgOp op) {
  int64_t inner = 0;
  for (Operation &nested : *op.getBlock()) {
    if (isFree(&nested))
      continue;
    if (!isArithmetic(&nested) || nested.getNumRegions() != 0) {
      known = false;
      return;
    }
    ++inner;
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> reduced;
  for (auto [range, kind] : llvm::zip(ranges, op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      reduced.push_back(range);
  add(inner, elementCount(ranges), elementCount(reduced));
}

void Counter::count(ComputeOp op) {
  AccessType pattern = op.getPattern().getType();
  ArrayRef<int64_t> item = pattern.getComputeShape();
  std::optional<int64_t> points = elementCount(pattern.getAccessShape());
  std::optional<int64_t> reduced = elementCount(item);
  std::optional<int64_t> all = elementCount(pattern.getShape());
  std::optional<int64_t> summed = reduced;
  if (summed)
    summed = getSumDepth(op.getType().getElementType(), *summed);
  switch (op.getKind()) {
  case ComputeKind::DotProd:
  case ComputeKind::ReduceSum:
    return add(1, all, summed);
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul:
  case ComputeKind::ElementwiseDiv:
    // A tuple of t items of n elements: (t - 1)·n products and n sums.
    return add(1, all, reduced);
  case ComputeKind::ReduceMax:
  case ComputeKind::Relu:
  case ComputeKind::Negative:
    return add(0, points, reduced);
  case ComputeKind::Sqrt:
    return add(1, all, 1);
  case ComputeKind::ReduceMean:
    add(1, all, summed);
    return add(1, points, 1);
  case ComputeKind::Softmax:
    // A sum per element; a difference, an exponential and a quotient.
    add(1, all, summed);
    return add(3, all, 1);
  }
  known = false;
}

/// A product and a sum for each row and element of the result.
void Counter::count(SystolicArrayOp op) {
  SmallVector<int64_t> points = op.getType().getShape();
  int64_t depth = op.getActivations().getType().getComputeShape()[0];
  points.push_back(depth);
  depth = getSumDepth(op.getType().getElementType(), depth);
  add(2, elementCount(points), depth);
}

/// An op of StableHLO in generic form.
void Counter::countHlo(Operation *op) {
  StringRef name = getHloName(op);
  const HloTraits::Work work = getWork(name);
  if (work == HloTraits::Work::Free)
    return;
  std::optional<int64_t> points, reduced, inner = 2;
  if (op->getNumResults() != 0 && op->getNumOperands() != 0)
    points = countElements(op->getResult(0).getType());
  if (!points) {
    known = false;
    return;
  }
  if (work == HloTraits::Work::Each)
    return add(1, points, 1);
  // What is combined at each point of the reductions.
  NestRef nest = getNest(OpSignature(op));
  if (nest->body == NestBody::Contract || nest->body == NestBody::Reduce)
    reduced = nest->countReductions();
  if (nest->body == NestBody::Reduce)
    inner = countBody(op);
  if (!reduced || !inner) {
    known = false;
    return;
  }
  std::optional<int64_t> all = checkedMul(*points, *reduced);
  // Bodies that do more than add round each of their steps.
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  auto isSum = [](Region &region) {
    return !region.empty() && isHloSum(region.front(), 0);
  };
  if (llvm::all_of(op->getRegions(), isSum))
    reduced = getSumDepth(element, *reduced);
  add(*inner, all, reduced);
}

void Counter::count(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return count(structured);
  if (auto compute = dyn_cast<ComputeOp>(op))
    return count(compute);
  if (auto array = dyn_cast<SystolicArrayOp>(op))
    return count(array);
  if (isa<AcceleratorCallOp>(op)) {
    known = false;
    return;
  }
  if (isHlo(op))
    return countHlo(op);
  if (isFree(op) || isa_and_nonnull<TensorAccessDialect>(op->getDialect()))
    return;
  if (!isArithmetic(op) || op->getNumResults() != 1) {
    known = false;
    return;
  }
  auto shaped = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!shaped)
    return add(1, 1, 1);
  add(1, shaped.hasRank() ? elementCount(shaped.getShape()) : std::nullopt, 1);
}

std::optional<Work> mlir::tensoraccess::countWork(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  Counter counter;
  for (Operation &op : function.getBody().front())
    counter.count(&op);
  return counter.known ? std::optional(counter.total) : std::nullopt;
}

std::optional<Work> mlir::tensoraccess::countOpWork(Operation *op) {
  Counter counter;
  counter.count(op);
  return counter.known ? std::optional(counter.total) : std::nullopt;
}

/// Half the distance between 1 and the next number; 0 for integers.
static double unitRoundoff(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return std::ldexp(1.0, -11);
  case ElementType::BF16:
    return std::ldexp(1.0, -8);
  case ElementType::F32:
    return std::ldexp(1.0, -24);
  case ElementType::F64:
    return std::ldexp(1.0, -53);
  default:
    return 0;
  }
}

Tolerance mlir::tensoraccess::defaultTolerance(ElementType type,
                                               std::optional<int64_t> depth) {
  constexpr int64_t unknownDepth = 1024;
  if (!isFloat(type))
    return {0, "integers are exact"};
  if (depth && *depth == 0)
    return {0, "nothing is rounded"};
  double bound = 2.0 * depth.value_or(unknownDepth) * unitRoundoff(type);
  return {bound,
          (llvm::Twine(depth.value_or(unknownDepth)) + " roundings of " +
           toString(type) + (depth ? "" : ", assumed") + ", in any order")
              .str()};
}
