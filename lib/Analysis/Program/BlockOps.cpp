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

#include "TensorAccess/Analysis/Blocks.h"
#include "TensorAccess/Core/Support.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using Span = std::pair<int64_t, int64_t>;

std::optional<SmallVector<unsigned, 4>> BlockAccess::getDims() const {
  SmallVector<unsigned, 4> dims;
  for (const AccessRow &row : rows) {
    if (row.kind != AccessRow::Kind::Affine || row.offset != 0 ||
        row.terms.size() != 1 || row.terms[0].second != 1 ||
        llvm::is_contained(dims, row.terms[0].first))
      return std::nullopt;
    dims.push_back(row.terms[0].first);
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Reading ops
//===----------------------------------------------------------------------===//

static AccessRow affineRow(unsigned dim, int64_t factor = 1,
                           int64_t offset = 0) {
  AccessRow row;
  row.kind = AccessRow::Kind::Affine;
  row.terms.emplace_back(dim, factor);
  row.offset = offset;
  return row;
}

/// A tensor, all of it; or a failure where its size isn't known.
static FailureOr<BlockAccess> getWholeAccess(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return op->emitError("shards need tensors of static shape, got ") << type;
  Type element = tensor.getElementType();
  if (!element.isIntOrIndexOrFloat())
    return op->emitError("shards need elements of a known size, got ") << type;
  BlockAccess access;
  llvm::append_range(access.shape, tensor.getShape());
  access.elementBytes =
      element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
  std::optional<int64_t> bytes = checkedProduct(access.shape);
  if (!bytes || !checkedMul(*bytes, access.elementBytes))
    return op->emitError("shards need tensors of less than 2^63 bytes, got ")
           << type;
  access.rows.resize(access.shape.size());
  return access;
}

/// A sum of multiples of loops and a constant; Whole where it is none.
static AccessRow readExpr(AffineExpr expr, unsigned numDims) {
  SmallVector<int64_t> flat;
  AccessRow row;
  if (!expr.isPureAffine() ||
      failed(getFlattenedAffineExpr(expr, numDims, 0, &flat)) ||
      flat.size() != numDims + 1)
    return row;
  row.kind = AccessRow::Kind::Affine;
  for (unsigned d = 0; d != numDims; ++d)
    if (flat[d] != 0)
      row.terms.emplace_back(d, flat[d]);
  row.offset = flat.back();
  return row;
}

/// Whether every result is reduced by one operation whose order is free.
static bool isSplittable(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics())
    return false;
  for (int64_t i = 0, n = op.getNumDpsInits(); i != n; ++i) {
    SmallVector<Operation *, 4> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), i, combiners) ||
        combiners.size() != 1 ||
        !isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
            combiners[0]))
      return false;
  }
  return true;
}

/// Whether a structured op only moves elements.
static bool isMovement(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         op.getBlock()->without_terminator().empty();
}

static LogicalResult readLinalg(linalg::LinalgOp op, BlockOp &out) {
  if (!op.hasPureTensorSemantics()) {
    out.reason = "it works on buffers";
    return success();
  }
  SmallVector<AffineMap> maps = getIndexingMaps(op);
  llvm::append_range(out.extents, op.getStaticLoopRanges());
  for (utils::IteratorType type : op.getIteratorTypesArray())
    out.isReduction.push_back(type != utils::IteratorType::parallel);
  out.canSplit = isSplittable(op);
  out.firstInit = op.getNumDpsInputs();
  out.kind = isa<linalg::FillOp>(op) ? BlockOpKind::Free
             : isMovement(op)        ? BlockOpKind::Movement
                                     : BlockOpKind::Compute;
  const unsigned loops = out.extents.size();
  auto readRows = [&](AffineMap map, BlockAccess &access) {
    for (auto [row, expr] : llvm::zip(access.rows, map.getResults()))
      row = readExpr(expr, loops);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<BlockAccess> &access =
        out.operands[operand.getOperandNumber()];
    if (!access)
      continue;
    if (op.isDpsInit(&operand) && (out.kind == BlockOpKind::Free ||
                                   !op.payloadUsesValueFromOperand(&operand)))
      access.reset();
    else
      readRows(op.getMatchingIndexingMap(&operand), *access);
  }
  for (auto [i, result] : llvm::enumerate(out.results))
    readRows(op.getIndexingMapMatchingResult(op->getResult(i)), *result);
  return success();
}

/// The digits of reshapes: `wide` has the dimensions that `narrow`'s groups.
static void readReshape(ArrayRef<ReassociationIndices> groups,
                        ArrayRef<int64_t> wide, bool isExpand,
                        SmallVectorImpl<AccessRow> &rows) {
  for (auto [narrow, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t, 2> sizes;
    for (int64_t d : group)
      sizes.push_back(wide[d]);
    if (isExpand) {
      AccessRow &row = rows[narrow];
      row.kind = AccessRow::Kind::Expand;
      row.sizes = sizes;
      for (int64_t d : group)
        row.terms.emplace_back(d, 1);
      continue;
    }
    for (auto [position, d] : llvm::enumerate(group)) {
      AccessRow &row = rows[d];
      row.kind = AccessRow::Kind::Collapse;
      row.sizes = sizes;
      row.position = position;
      row.terms.emplace_back(narrow, 1);
    }
  }
}

/// Ops of tensor iterate over their result. False where this one is opaque.
static bool readTensorOp(Operation *op, BlockOp &out) {
  auto iterateOverResult = [&](BlockOpKind kind) {
    out.kind = kind;
    BlockAccess &result = *out.results[0];
    out.extents.assign(result.shape.begin(), result.shape.end());
    out.isReduction.assign(out.extents.size(), false);
    for (auto [d, row] : llvm::enumerate(result.rows))
      row = affineRow(d);
  };
  if (isa<tensor::EmptyOp, tensor::SplatOp>(op) ||
      (op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1)) {
    iterateOverResult(BlockOpKind::Free);
    return true;
  }
  // Element by element, all operands being alike.
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumRegions() == 0 &&
      llvm::all_of(out.operands,
                   [&](const std::optional<BlockAccess> &operand) {
                     return operand && operand->shape == out.results[0]->shape;
                   })) {
    iterateOverResult(BlockOpKind::Compute);
    for (std::optional<BlockAccess> &operand : out.operands)
      operand->rows = out.results[0]->rows;
    return true;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    if (ShapedType::isDynamicShape(pad.getStaticLow()) ||
        ShapedType::isDynamicShape(pad.getStaticHigh())) {
      out.reason = "its borders are known at run time only";
      return false;
    }
    iterateOverResult(BlockOpKind::Movement);
    for (auto [d, low] : llvm::enumerate(pad.getStaticLow()))
      out.operands[0]->rows[d] = affineRow(d, 1, -low);
    return true;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
        ShapedType::isDynamicShape(slice.getStaticStrides())) {
      out.reason = "its offsets are known at run time only";
      return false;
    }
    iterateOverResult(BlockOpKind::Movement);
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (unsigned d = 0, next = 0; d != dropped.size(); ++d) {
      AccessRow &row = out.operands[0]->rows[d];
      if (!dropped.test(d)) {
        row = affineRow(next++, slice.getStaticStrides()[d],
                        slice.getStaticOffsets()[d]);
        continue;
      }
      row.kind = AccessRow::Kind::Affine;
      row.offset = slice.getStaticOffsets()[d];
    }
    return true;
  }
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (ShapedType::isDynamicShape(slice.getStaticOffsets())) {
      out.reason = "its offsets are known at run time only";
      return false;
    }
    if (!slice.hasUnitStride() ||
        slice.getSourceType().getRank() != slice.getDestType().getRank()) {
      out.reason = "it leaves gaps, or adds dimensions";
      return false;
    }
    iterateOverResult(BlockOpKind::Movement);
    for (unsigned d = 0; d != out.extents.size(); ++d) {
      out.operands[0]->rows[d] = affineRow(d, 1, -slice.getStaticOffsets()[d]);
      out.operands[1]->rows[d] = affineRow(d);
    }
    return true;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    iterateOverResult(BlockOpKind::Movement);
    int64_t offset = 0;
    for (std::optional<BlockAccess> &access : out.operands) {
      for (unsigned d = 0; d != out.extents.size(); ++d)
        access->rows[d] = affineRow(d, 1, d == concat.getDim() ? -offset : 0);
      offset += access->shape[concat.getDim()];
    }
    return true;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    iterateOverResult(BlockOpKind::Movement);
    readReshape(expand.getReassociationIndices(), out.extents,
                /*isExpand=*/true, out.operands[0]->rows);
    return true;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    iterateOverResult(BlockOpKind::Movement);
    readReshape(collapse.getReassociationIndices(), out.operands[0]->shape,
                /*isExpand=*/false, out.operands[0]->rows);
    return true;
  }
  return false;
}

FailureOr<BlockOp> mlir::tensoraccess::getBlockOp(Operation *op) {
  BlockOp out;
  out.op = op;
  if (isa<CallOpInterface>(op))
    return op->emitError("a call is not cut over ranks: inline it first");
  for (Value operand : op->getOperands()) {
    std::optional<BlockAccess> &access = out.operands.emplace_back();
    if (!isa<ShapedType>(operand.getType()))
      continue;
    FailureOr<BlockAccess> whole = getWholeAccess(op, operand.getType());
    if (failed(whole))
      return failure();
    access = std::move(*whole);
  }
  for (Type type : op->getResultTypes()) {
    std::optional<BlockAccess> &access = out.results.emplace_back();
    if (!isa<ShapedType>(type))
      continue;
    FailureOr<BlockAccess> whole = getWholeAccess(op, type);
    if (failed(whole))
      return failure();
    access = std::move(*whole);
  }
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) {
    if (!isa<TensorType>(value.getType()))
      continue;
    FailureOr<BlockAccess> whole = getWholeAccess(op, value.getType());
    if (failed(whole))
      return failure();
    out.captured.emplace_back(value, std::move(*whole));
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (failed(readLinalg(structured, out)))
      return failure();
    // What a result's dimensions are not cannot be cut: opaque.
    if (llvm::any_of(out.results, [](const std::optional<BlockAccess> &r) {
          return r && !r->getDims();
        })) {
      out.kind = BlockOpKind::Opaque;
      out.reason = "a dimension of a result is not one loop";
    }
  } else if (out.results.size() == 1 && out.results[0]) {
    readTensorOp(op, out);
  }
  if (out.kind == BlockOpKind::Opaque) {
    if (out.reason.empty())
      out.reason = "it is not known which parts it needs";
    out.extents.clear();
    out.isReduction.clear();
    out.canSplit = false;
    out.firstInit.reset();
    auto forget = [](std::optional<BlockAccess> &access) {
      if (access)
        access->rows.assign(access->shape.size(), AccessRow());
    };
    llvm::for_each(out.operands, forget);
    llvm::for_each(out.results, forget);
  }
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

/// What a row touches, for intervals of its terms that are not empty.
static Span getInterval(const AccessRow &row, int64_t extent,
                        ArrayRef<Span> terms) {
  Span out(0, extent);
  switch (row.kind) {
  case AccessRow::Kind::Whole:
    return out;
  case AccessRow::Kind::Affine: {
    int64_t lo = row.offset, hi = row.offset;
    for (auto [term, at] : llvm::zip(row.terms, terms)) {
      const int64_t a = mulClamped(term.second, at.first);
      const int64_t b = mulClamped(term.second, at.second - 1);
      lo = addClamped(lo, std::min(a, b));
      hi = addClamped(hi, std::max(a, b));
    }
    out = {lo, addClamped(hi, 1)};
    break;
  }
  case AccessRow::Kind::Expand: {
    int64_t lo = 0, hi = 0;
    // Below the first digit that is not a single one, rows are whole.
    bool isOpen = false;
    for (auto [size, at] : llvm::zip(row.sizes, terms)) {
      lo = lo * size + (isOpen ? 0 : at.first);
      hi = hi * size + (isOpen ? size : at.second) - 1;
      isOpen |= at.second - at.first != 1;
    }
    out = {lo, hi + 1};
    break;
  }
  case AccessRow::Kind::Collapse: {
    int64_t below = 1;
    for (size_t i = row.position + 1; i != row.sizes.size(); ++i)
      below *= row.sizes[i];
    const int64_t size = row.sizes[row.position];
    const int64_t first = terms[0].first / below;
    const int64_t last = (terms[0].second - 1) / below;
    // Digits run through all values where a higher one changes.
    if (first / size == last / size)
      out = {first % size, last % size + 1};
    break;
  }
  }
  out.first = std::max<int64_t>(out.first, 0);
  out.second = std::min(out.second, extent);
  if (out.first >= out.second)
    return {0, 0};
  return out;
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
  for (auto [d, row] : llvm::enumerate(access.rows)) {
    FactoredDim &dim = out.dims.emplace_back();
    SmallVector<unsigned, 4> used;
    for (auto [term, factor] : row.terms)
      used.push_back(term);
    if (d == 0)
      used.append(gaps.begin(), gaps.end());
    for (unsigned term : used)
      for (unsigned axis : iterations.dims[term].axes)
        if (!llvm::is_contained(dim.axes, axis))
          dim.axes.push_back(axis);
    const int64_t parts = grid.getNumParts(dim.axes);
    dim.intervals.reserve(parts);
    for (int64_t part = 0; part != parts; ++part) {
      grid.setCoordinates(dim.axes, part, at);
      SmallVector<Span, 4> terms;
      bool isEmpty = false;
      for (unsigned term : used) {
        const FactoredDim &iteration = iterations.dims[term];
        terms.push_back(iteration.intervals[grid.getPart(iteration.axes, at)]);
        isEmpty |= terms.back().first >= terms.back().second;
      }
      dim.intervals.push_back(
          isEmpty ? Span(0, 0)
                  : getInterval(row, access.shape[d],
                                ArrayRef(terms).take_front(row.terms.size())));
    }
  }
  return out;
}

bool mlir::tensoraccess::isBoxOnBothSides(const BlockOp &op, const Grid &grid,
                                          const FactoredBoxes &iterations) {
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  for (const std::optional<BlockAccess> &access : op.operands) {
    if (!access)
      continue;
    for (const AccessRow &row : access->rows) {
      if (row.kind != AccessRow::Kind::Expand &&
          row.kind != AccessRow::Kind::Collapse)
        continue;
      Distribution::Axes axes;
      for (auto [term, factor] : row.terms)
        for (unsigned axis : iterations.dims[term].axes)
          if (!llvm::is_contained(axes, axis))
            axes.push_back(axis);
      for (int64_t p = 0, n = grid.getNumParts(axes); p != n; ++p) {
        grid.setCoordinates(axes, p, at);
        SmallVector<Span, 4> terms;
        bool isEmpty = false;
        int64_t count = 1;
        for (auto [term, factor] : row.terms) {
          const FactoredDim &dim = iterations.dims[term];
          terms.push_back(dim.intervals[grid.getPart(dim.axes, at)]);
          isEmpty |= terms.back().first >= terms.back().second;
          count *= terms.back().second - terms.back().first;
        }
        if (isEmpty)
          continue;
        int64_t other = 1;
        if (row.kind == AccessRow::Kind::Expand) {
          Span hull = getInterval(row, INT64_MAX, terms);
          other = hull.second - hull.first;
        } else if (row.position == 0) {
          for (unsigned i = 0; i != row.sizes.size(); ++i) {
            AccessRow digit = row;
            digit.position = i;
            Span hull = getInterval(digit, row.sizes[i], terms);
            other *= hull.second - hull.first;
          }
        } else {
          continue;
        }
        if (other != count)
          return false;
      }
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
