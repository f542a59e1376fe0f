//===- BlockOps.cpp - Ops as iterations that touch boxes ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes of all ranks are kept as intervals per dimension by few coordinates of
// the grid (Cost.h). What an access makes of them has that form again:
// an interval depends on the coordinates that any of its iterations' does.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using Span = std::pair<int64_t, int64_t>;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

AccessRow::AccessRow(AffineExpr form, unsigned numDims) {
  if (!form)
    return;
  // Linalg accepts divisors below 1, which mean nothing.
  bool isKnown = form.isPureAffine();
  llvm::SmallBitVector dims(numDims);
  form.walk([&](AffineExpr part) {
    isKnown &= !isa<AffineSymbolExpr>(part);
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(part);
        binary && part.getKind() != AffineExprKind::Add &&
        part.getKind() != AffineExprKind::Mul) {
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      isKnown &= divisor && divisor.getValue() > 0;
    }
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      dims.set(dim.getPosition());
  });
  if (!isKnown)
    return;
  // A quotient and its remainder are a sum, whose interval is not a hull only.
  expr = simplifyAffineExpr(form, numDims, /*numSymbols=*/0);
  std::optional<SmallVector<int64_t>> factors = getLinear(expr, numDims);
  isSum = factors.has_value();
  for (unsigned dim : dims.set_bits())
    terms.emplace_back(dim, isSum ? (*factors)[dim] : 0);
  offset = isSum ? factors->back() : 0;
}

std::optional<unsigned> AccessRow::getDim() const {
  auto dim = dyn_cast_if_present<AffineDimExpr>(expr);
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

std::optional<SmallVector<unsigned, 4>> BlockAccess::getDims() const {
  SmallVector<unsigned, 4> dims;
  for (const AccessRow &row : rows) {
    std::optional<unsigned> dim = row.getDim();
    if (!dim || llvm::is_contained(dims, *dim))
      return std::nullopt;
    dims.push_back(*dim);
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Reading ops
//===----------------------------------------------------------------------===//

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

/// A tensor, all of it.
static BlockAccess getWholeAccess(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  BlockAccess access;
  llvm::append_range(access.shape, tensor.getShape());
  if (element.isIntOrIndexOrFloat())
    access.elementBytes =
        element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
  access.rows.resize(access.shape.size());
  return access;
}

/// Whether tensors have known sizes that 64 bits hold.
static LogicalResult checkSize(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return op->emitError("shards need tensors of static shape, got ") << type;
  if (!tensor.getElementType().isIntOrIndexOrFloat())
    return op->emitError("shards need elements of a known size, got ") << type;
  std::optional<int64_t> bytes = checkedProduct(tensor.getShape());
  if (!bytes || !checkedMul(*bytes, getWholeAccess(type).elementBytes))
    return op->emitError("shards need tensors of less than 2^63 bytes, got ")
           << type;
  return success();
}

Operation *mlir::tensoraccess::findCombiner(OpResult result,
                                            std::string &reason) {
  auto op = dyn_cast<linalg::LinalgOp>(result.getOwner());
  SmallVector<Operation *, 4> combiners;
  if (!op ||
      !matchReduction(op.getRegionOutputArgs(), result.getResultNumber(),
                      combiners) ||
      combiners.size() != 1) {
    reason = "is no reduction by one op";
    return nullptr;
  }
  Operation *combiner = combiners.front();
  if (combiner->getNumOperands() != 2 ||
      combiner->getOperand(0) == combiner->getOperand(1) ||
      !arith::getNeutralElement(combiner)) {
    reason = "reduces by " + combiner->getName().getStringRef().str() +
             ", which has no neutral element";
    return nullptr;
  }
  return combiner;
}

/// Whether a structured op only moves elements.
static bool isMovement(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         op.getBlock()->without_terminator().empty();
}

/// A structured op iterates over its loops.
static void readLoops(linalg::LinalgOp op, BlockOp &out) {
  llvm::append_range(out.extents, op.getStaticLoopRanges());
  for (utils::IteratorType type : op.getIteratorTypesArray())
    out.isReduction.push_back(type != utils::IteratorType::parallel);
  std::string reason;
  out.canSplit = op.getNumReductionLoops() != 0 &&
                 llvm::all_of(op->getResults(), [&](OpResult result) {
                   return findCombiner(result, reason);
                 });
  out.firstInit = op.getNumDpsInputs();
  out.kind = isa<linalg::FillOp>(op) ? BlockOpKind::Free
             : isMovement(op)        ? BlockOpKind::Movement
                                     : BlockOpKind::Compute;
  auto readRows = [&](AffineMap map, BlockAccess &access) {
    for (auto [row, expr] : llvm::zip(access.rows, map.getResults()))
      row = AccessRow(expr, out.extents.size());
  };
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<BlockAccess> &access =
        out.operands[operand.getOperandNumber()];
    if (!access)
      continue;
    if (op.isDpsInit(&operand) &&
        (out.kind == BlockOpKind::Free || !isReadByBody(operand)))
      access.reset();
    else
      readRows(op.getMatchingIndexingMap(&operand), *access);
  }
  for (auto [i, result] : llvm::enumerate(out.results))
    readRows(op.getIndexingMapMatchingResult(op->getResult(i)), *result);
}

/// A form as an expression: ⌊y/m⌋ - r⌊y/(mr)⌋ is the digit ⌊y/m⌋ mod r.
static AffineExpr getExpr(const IndexingMap &map, FormRef form,
                          MLIRContext *context) {
  const FormArena &arena = map.getArena();
  if (form.terms.size() == 2 && form.constant == 0)
    for (unsigned low : {0, 1}) {
      auto [of, factor] = form.terms[low];
      auto [above, negated] = form.terms[1 - low];
      if (factor != 1 || negated >= 0 || arena.isVariable(above) ||
          arena.getAtom(above).kind != AtomKind::FloorDiv)
        continue;
      const FormRef digit{0, form.terms.slice(low, 1)};
      const FormRef y = arena.isVariable(of) ? digit : arena.body(of);
      const int64_t m = arena.isVariable(of) ? 1 : arena.getAtom(of).divisor;
      if (arena.body(above) == y &&
          checkedMul(m, -negated) == arena.getAtom(above).divisor)
        return map.toAffineExpr(digit, context) % -negated;
    }
  return map.toAffineExpr(form, context);
}

/// What an operand is read at, by the maps from the indices of the result. A
/// dimension of which these say different things is read whole.
static void readMaps(const IndexingSet &set, const BlockOp &op,
                     MLIRContext *context, BlockAccess &access) {
  const unsigned numDims = op.extents.size();
  for (auto [m, map] : llvm::enumerate(set.getMaps()))
    for (auto [r, row] : llvm::enumerate(access.rows)) {
      AccessRow own(getExpr(map, map.getResult(r), context), numDims);
      row = m == 0 || row == own ? own : AccessRow();
    }
  llvm::SmallBitVector isUsed(numDims);
  // An index that can only be 0 is 0 in a map: here it follows the iteration in
  // its place, if that has one step in the map.
  unsigned next = 0;
  for (auto [row, size] : llvm::zip(access.rows, access.shape)) {
    if (row.isSum && row.terms.empty() && row.offset == 0 && size == 1 &&
        next < numDims && set.size() == 1)
      if (const Interval &step = set.getMaps()[0].getDimRanges()[next];
          step.isPoint())
        row = AccessRow(getAffineDimExpr(next, context) - step.lower, numDims);
    for (auto [dim, factor] : row.terms) {
      next = std::max(next, dim + 1);
      isUsed.set(dim);
    }
    // In row-major order, since nothing else moves elements by such a sum.
    row.isMerged = row.isSum && row.terms.size() > 1;
  }
  if (set.size() != 1)
    return;
  const IndexingMap &map = set.getMaps()[0];
  auto addGuard = [&](AffineExpr expr, const Interval &interval) {
    AccessRow guard(expr, numDims);
    if (guard.expr && llvm::none_of(guard.terms, [&](const auto &term) {
          return isUsed.test(term.first);
        }))
      access.guards.emplace_back(guard, interval);
  };
  for (auto [d, range] : llvm::enumerate(map.getDimRanges()))
    if (!range.contains(Interval::ofExtent(op.extents[d])))
      addGuard(getAffineDimExpr(d, context), range);
  for (const Constraint &constraint : map.getConstraints())
    addGuard(getExpr(map, constraint.form, context), constraint.interval);
}

/// Whether an op on tensors moves elements, so that each block of the result can
/// be made by itself; else perhaps `reason` why not.
static bool isTensorMovement(Operation *op, std::string &reason) {
  auto areKnown = [&](ArrayRef<int64_t> numbers, int64_t least,
                      StringRef what) {
    if (ShapedType::isDynamicShape(numbers))
      reason = ("its " + what + " are known at run time only").str();
    return llvm::all_of(numbers,
                        [&](int64_t number) { return number >= least; });
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return areKnown(pad.getStaticLow(), 0, "borders") &&
           areKnown(pad.getStaticHigh(), 0, "borders");
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op)) {
    auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
    return areKnown(slice.getStaticOffsets(), 0, "offsets") &&
           areKnown(slice.getStaticSizes(), 0, "sizes") &&
           areKnown(slice.getStaticStrides(), 1, "offsets");
  }
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ConcatOp,
             tensor::CastOp>(op);
}

/// Other ops iterate over their result. Returns what they do, Opaque for those
/// that have no blocks.
static BlockOpKind readResult(Operation *op, BlockOp &out) {
  BlockOpKind kind;
  if (isa<tensor::EmptyOp, tensor::SplatOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    kind = BlockOpKind::Free;
  else if (isTensorMovement(op, out.reason))
    kind = BlockOpKind::Movement;
  else if (OpTrait::hasElementwiseMappableTraits(op) &&
           op->getNumRegions() == 0)
    kind = BlockOpKind::Compute;
  else
    return BlockOpKind::Opaque;
  BlockAccess &result = *out.results[0];
  llvm::append_range(out.extents, result.shape);
  out.isReduction.assign(out.extents.size(), false);
  MLIRContext *context = op->getContext();
  for (auto [d, row] : llvm::enumerate(result.rows))
    row = AccessRow(getAffineDimExpr(d, context), out.extents.size());
  if (kind == BlockOpKind::Free)
    return kind;
  if (kind == BlockOpKind::Compute) {
    for (std::optional<BlockAccess> &access : out.operands) {
      if (access && access->shape != result.shape)
        return BlockOpKind::Opaque;
      if (access)
        access->rows = result.rows;
    }
    return kind;
  }
  const OpIndexing indexing = getIndexing(op);
  for (auto [o, access] : llvm::enumerate(out.operands)) {
    if (!access)
      continue;
    // What is overwritten in part is held as the result is.
    if (isa<tensor::InsertSliceOp>(op) && o == 1)
      access->rows = result.rows;
    else
      readMaps(indexing.outputToInput(0, o), out, context, *access);
    // A block is made of the blocks that it touches only if these are known.
    if (!llvm::all_of(access->rows,
                      [](const AccessRow &row) { return bool(row.expr); }))
      return BlockOpKind::Opaque;
  }
  return kind;
}

/// An op without blocks.
static void forget(BlockOp &op) {
  op.extents.clear();
  op.isReduction.clear();
  op.canSplit = false;
  op.firstInit.reset();
  auto forgetRows = [](std::optional<BlockAccess> &access) {
    if (access)
      access->rows.assign(access->shape.size(), AccessRow());
  };
  llvm::for_each(op.operands, forgetRows);
  llvm::for_each(op.results, forgetRows);
}

BlockOp mlir::tensoraccess::readBlockOp(Operation *op) {
  BlockOp out;
  out.op = op;
  out.reason = "it is not known which parts it needs";
  bool areStatic = op->getNumResults() != 0;
  auto add = [&](Type type, auto &accesses) {
    std::optional<BlockAccess> &access = accesses.emplace_back();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      access = getWholeAccess(type);
    areStatic &= isStatic(type) || !isa<ShapedType>(type);
  };
  for (Type type : op->getOperandTypes())
    add(type, out.operands);
  for (Type type : op->getResultTypes()) {
    add(type, out.results);
    areStatic &= isa<ShapedType>(type);
  }
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (isStatic(value.getType()))
      out.captured.emplace_back(value, getWholeAccess(value.getType()));
  if (!areStatic)
    return out;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    out.reason = "it works on buffers";
    if (structured.hasPureTensorSemantics())
      readLoops(structured, out);
  } else if (out.results.size() == 1) {
    out.kind = readResult(op, out);
    if (out.kind == BlockOpKind::Opaque)
      forget(out);
  }
  return out;
}

FailureOr<BlockOp> mlir::tensoraccess::getBlockOp(Operation *op) {
  if (isa<CallOpInterface>(op))
    return op->emitError("a call is not cut over ranks: inline it first");
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  for (Type type : llvm::concat<const Type>(
           llvm::to_vector(op->getOperandTypes()),
           llvm::to_vector(op->getResultTypes()),
           llvm::to_vector(llvm::make_filter_range(
               ValueRange(captured.getArrayRef()).getTypes(), isTensor))))
    if (isa<ShapedType>(type) && failed(checkSize(op, type)))
      return failure();
  BlockOp out = readBlockOp(op);
  // What a result's dimensions are not cannot be cut.
  if (out.kind == BlockOpKind::Opaque ||
      llvm::all_of(out.results, [](const std::optional<BlockAccess> &result) {
        return !result || result->getDims();
      }))
    return out;
  out.kind = BlockOpKind::Opaque;
  out.reason = "a dimension of a result is not one loop";
  forget(out);
  return out;
}

//===----------------------------------------------------------------------===//
// Boxes of all ranks
//===----------------------------------------------------------------------===//

/// a + b and a·b that stay at the ends of what 64 bits hold.
static int64_t addClamped(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(a < 0 ? INT64_MIN : INT64_MAX);
}
static int64_t mulClamped(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX);
}

/// The values of a form over intervals of its dimensions, which are not empty;
/// none on overflow. Divisors are positive constants.
static std::optional<Span> getValues(AffineExpr expr, ArrayRef<Span> at) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Span(constant.getValue(), constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return Span(at[dim.getPosition()].first, at[dim.getPosition()].second - 1);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Span> a = getValues(binary.getLHS(), at);
  std::optional<Span> b = getValues(binary.getRHS(), at);
  if (!a || !b)
    return std::nullopt;
  auto make = [](std::optional<int64_t> lo, std::optional<int64_t> hi) {
    return lo && hi
               ? std::optional(Span(std::min(*lo, *hi), std::max(*lo, *hi)))
               : std::nullopt;
  };
  const int64_t value = b->first;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return make(checkedAdd(a->first, value), checkedAdd(a->second, b->second));
  case AffineExprKind::Mul:
    return make(checkedMul(a->first, value), checkedMul(a->second, value));
  case AffineExprKind::FloorDiv:
    return make(llvm::divideFloorSigned(a->first, value),
                llvm::divideFloorSigned(a->second, value));
  case AffineExprKind::CeilDiv:
    return make(llvm::divideCeilSigned(a->first, value),
                llvm::divideCeilSigned(a->second, value));
  default: {
    // mod: all of it, unless the quotient stays the same.
    const int64_t first = llvm::divideFloorSigned(a->first, value);
    if (first != llvm::divideFloorSigned(a->second, value))
      return Span(0, value - 1);
    return Span(a->first - first * value, a->second - first * value);
  }
  }
}

/// The values of a row; all there are for one that is not known. `at` has the
/// intervals of its dimensions, which are not empty.
static Span getValues(const AccessRow &row, ArrayRef<int64_t> extents,
                      ArrayRef<Span> at) {
  if (!row.expr)
    return {INT64_MIN, INT64_MAX};
  if (!row.isSum) {
    std::optional<Span> values = getValues(row.expr, at);
    return values ? Span(values->first, addClamped(values->second, 1))
                  : Span(INT64_MIN, INT64_MAX);
  }
  int64_t lo = row.offset, hi = row.offset;
  // Below the first digit that is not a single one, merged ones are whole.
  bool isOpen = false;
  for (auto [dim, factor] : row.terms) {
    const Span span = isOpen ? Span(0, extents[dim]) : at[dim];
    const int64_t a = mulClamped(factor, span.first);
    const int64_t b = mulClamped(factor, span.second - 1);
    lo = addClamped(lo, std::min(a, b));
    hi = addClamped(hi, std::max(a, b));
    isOpen |= row.isMerged && span.second - span.first != 1;
  }
  return {lo, addClamped(hi, 1)};
}

/// The part of a dimension that a row touches.
static Span getInterval(const AccessRow &row, int64_t extent,
                        ArrayRef<int64_t> extents, ArrayRef<Span> at) {
  auto [lo, hi] = getValues(row, extents, at);
  lo = std::max<int64_t>(lo, 0);
  hi = std::min(hi, extent);
  return lo < hi ? Span(lo, hi) : Span(0, 0);
}

/// Whether a guard keeps a block from touching anything.
static bool isOutside(const BlockAccess &access, ArrayRef<int64_t> extents,
                      ArrayRef<Span> at) {
  return llvm::any_of(access.guards, [&](const auto &guard) {
    auto [lo, hi] = getValues(guard.first, extents, at);
    return guard.second.intersect({lo, hi == INT64_MAX ? hi : hi - 1})
        .isEmpty();
  });
}

Box mlir::tensoraccess::getTouched(const BlockAccess &access,
                                   ArrayRef<int64_t> extents,
                                   const Box &iterations) {
  SmallVector<Span, 6> at;
  for (auto [lo, hi] : llvm::zip_equal(iterations.lo, iterations.hi))
    at.emplace_back(lo, hi);
  Box out;
  const bool isEmpty = iterations.isEmpty() || isOutside(access, extents, at);
  for (auto [row, extent] : llvm::zip_equal(access.rows, access.shape)) {
    auto [lo, hi] =
        isEmpty ? Span(0, 0) : getInterval(row, extent, extents, at);
    out.lo.push_back(lo);
    out.hi.push_back(hi);
  }
  return out;
}

/// The axes that cut some dimensions of boxes.
static Distribution::Axes getAxes(const FactoredBoxes &boxes,
                                  ArrayRef<unsigned> dims) {
  Distribution::Axes axes;
  for (unsigned d : dims)
    for (unsigned axis : boxes.dims[d].axes)
      if (!llvm::is_contained(axes, axis))
        axes.push_back(axis);
  return axes;
}

/// The intervals of some dimensions at coordinates; false if one is empty.
static bool setSpans(const Grid &grid, const FactoredBoxes &boxes,
                     ArrayRef<unsigned> dims, ArrayRef<int64_t> at,
                     MutableArrayRef<Span> spans) {
  bool isPlace = true;
  for (unsigned d : dims) {
    const FactoredDim &dim = boxes.dims[d];
    spans[d] = dim.intervals[grid.getPart(dim.axes, at)];
    isPlace &= spans[d].first < spans[d].second;
  }
  return isPlace;
}

FactoredBoxes mlir::tensoraccess::getTouched(const Grid &grid,
                                             const BlockAccess &access,
                                             ArrayRef<int64_t> extents,
                                             const FactoredBoxes &iterations) {
  FactoredBoxes out;
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  // Dimensions in which some ranks have no iterations make everything empty.
  SmallVector<unsigned, 6> gaps;
  for (auto [d, dim] : llvm::enumerate(iterations.dims))
    if (llvm::any_of(dim.intervals, [](Span i) { return i.first >= i.second; }))
      gaps.push_back(d);
  SmallVector<Span, 6> spans(extents.size());
  for (auto [d, row] : llvm::enumerate(access.rows)) {
    FactoredDim &dim = out.dims.emplace_back();
    SmallVector<unsigned, 4> used;
    auto use = [&](const AccessRow &row) {
      for (auto [term, factor] : row.terms)
        used.push_back(term);
    };
    use(row);
    if (d == 0) {
      used.append(gaps.begin(), gaps.end());
      for (const auto &guard : access.guards)
        use(guard.first);
    }
    const Distribution::Axes axes = getAxes(iterations, used);
    dim.axes.append(axes.begin(), axes.end());
    const int64_t parts = grid.getNumParts(dim.axes);
    dim.intervals.reserve(parts);
    for (int64_t part = 0; part != parts; ++part) {
      grid.setCoordinates(dim.axes, part, at);
      const bool isEmpty = !setSpans(grid, iterations, used, at, spans) ||
                           (d == 0 && isOutside(access, extents, spans));
      dim.intervals.push_back(
          isEmpty ? Span(0, 0)
                  : getInterval(row, access.shape[d], extents, spans));
    }
  }
  return out;
}

bool mlir::tensoraccess::isBoxOnBothSides(const BlockOp &op, const Grid &grid,
                                          const FactoredBoxes &iterations) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op.op) ||
      op.kind == BlockOpKind::Opaque)
    return true;
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  SmallVector<Span, 6> spans(op.extents.size());
  // Each merged dimension, on one side, and those that it is merged of.
  llvm::IntEqClasses groups(op.extents.size());
  const ArrayRef<AccessRow> rows = op.operands[0]->rows;
  for (const AccessRow &row : rows)
    for (auto [dim, factor] : row.terms)
      groups.join(dim, row.terms[0].first);
  groups.compress();
  for (unsigned group = 0; group != groups.getNumClasses(); ++group) {
    auto isOfGroup = [&](unsigned d) { return groups[d] == group; };
    SmallVector<unsigned, 4> dims = llvm::filter_to_vector(
        llvm::seq<unsigned>(0, op.extents.size()), isOfGroup);
    const Distribution::Axes axes = getAxes(iterations, dims);
    for (int64_t p = 0, n = grid.getNumParts(axes); p != n; ++p) {
      grid.setCoordinates(axes, p, at);
      if (!setSpans(grid, iterations, dims, at, spans))
        continue;
      // A dimension of one step that the operand lacks is a group by itself.
      int64_t count = 1, hull = 1;
      bool isTouched = false;
      for (unsigned d : dims)
        count *= spans[d].second - spans[d].first;
      for (const AccessRow &row : rows)
        if (!row.terms.empty() && isOfGroup(row.terms[0].first)) {
          auto [lo, hi] = getValues(row, op.extents, spans);
          hull *= hi - lo;
          isTouched = true;
        }
      if (isTouched && hull != count)
        return false;
    }
  }
  return true;
}

FactoredBoxes mlir::tensoraccess::getHull(const Grid &grid,
                                          const FactoredBoxes &a,
                                          const FactoredBoxes &b) {
  FactoredBoxes out;
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  for (auto [x, y] : llvm::zip(a.dims, b.dims)) {
    FactoredDim &dim = out.dims.emplace_back();
    dim.axes = x.axes;
    for (unsigned axis : y.axes)
      if (!llvm::is_contained(dim.axes, axis))
        dim.axes.push_back(axis);
    for (int64_t p = 0, n = grid.getNumParts(dim.axes); p != n; ++p) {
      grid.setCoordinates(dim.axes, p, at);
      Span i = x.intervals[grid.getPart(x.axes, at)];
      Span j = y.intervals[grid.getPart(y.axes, at)];
      if (i.first >= i.second)
        i = j;
      else if (j.first < j.second)
        i = {std::min(i.first, j.first), std::max(i.second, j.second)};
      dim.intervals.push_back(i);
    }
  }
  return out;
}

/// One dimension on the fewest axes, ascending.
static FactoredDim getCanonical(const Grid &grid, const FactoredDim &dim) {
  Distribution::Axes axes = dim.axes;
  llvm::sort(axes);
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  FactoredDim out = dim;
  if (axes != dim.axes) {
    out.axes = axes;
    for (int64_t p = 0, n = grid.getNumParts(axes); p != n; ++p) {
      grid.setCoordinates(axes, p, at);
      out.intervals[p] = dim.intervals[grid.getPart(dim.axes, at)];
    }
  }
  for (size_t a = out.axes.size(); a-- != 0;) {
    const int64_t size = grid.axes[out.axes[a]].size;
    const int64_t below =
        grid.getNumParts(ArrayRef(out.axes).drop_front(a + 1));
    const int64_t n = out.intervals.size();
    bool isUsed = false;
    for (int64_t p = 0; p != n && !isUsed; ++p)
      isUsed = out.intervals[p] != out.intervals[p - p / below % size * below];
    if (isUsed)
      continue;
    std::vector<Span> kept;
    for (int64_t p = 0; p != n; ++p)
      if (p / below % size == 0)
        kept.push_back(out.intervals[p]);
    out.intervals = std::move(kept);
    out.axes.erase(out.axes.begin() + a);
  }
  return out;
}

FactoredBoxes mlir::tensoraccess::getCanonical(const Grid &grid,
                                               const FactoredBoxes &boxes) {
  FactoredBoxes out;
  for (FactoredDim dim : boxes.dims) {
    for (Span &interval : dim.intervals)
      if (interval.first >= interval.second)
        interval = {0, 0};
    out.dims.push_back(::getCanonical(grid, dim));
  }
  return out;
}

SmallVector<int64_t, 6>
mlir::tensoraccess::getLongest(const FactoredBoxes &boxes) {
  SmallVector<int64_t, 6> longest;
  for (const FactoredDim &dim : boxes.dims) {
    int64_t most = 0;
    for (auto [lo, hi] : dim.intervals)
      most = std::max(most, hi - lo);
    longest.push_back(most);
  }
  return longest;
}
