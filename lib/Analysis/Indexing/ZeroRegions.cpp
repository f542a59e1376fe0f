//===- ZeroRegions.cpp - Where values are known to be zero ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are visited in program order, so that operands are known. A view:
//   1. Which points might not be zero? Those of its pieces, less what reads a
//      zero slice of a base, and less the constants that are zero.
//   2. Project them to each axis. What no projection reaches is zero.
// A projection that cannot be computed exactly is taken too large.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/ZeroRegions.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"

#include "TensorAccess/Core/Counting.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Domains into which one piece is cut at most.
static constexpr size_t kMaxParts = 32;
/// Points visited to count a projection, and slices that are then asked one by
/// one.
static constexpr uint64_t kProjectionBudget = 1u << 12;
static constexpr int64_t kMaxSlices = 512;
/// Factors of a product that are looked at.
static constexpr int64_t kMaxFactors = 64;
/// Elements of a constant that are looked at.
static constexpr int64_t kMaxConstant = 1 << 16;

//===----------------------------------------------------------------------===//
// Sets of intervals
//===----------------------------------------------------------------------===//

std::string mlir::tensoraccess::toString(const IntervalSet &set) {
  std::string text;
  for (const Interval &interval : set)
    text += (text.empty() ? "[" : " [") + std::to_string(interval.lower) +
            ", " + std::to_string(interval.upper) + "]";
  return text;
}

/// Sorts, and joins what meets.
static void normalize(IntervalSet &set) {
  llvm::sort(set, [](const Interval &a, const Interval &b) {
    return std::pair(a.lower, a.upper) < std::pair(b.lower, b.upper);
  });
  IntervalSet joined;
  for (const Interval &interval : set) {
    if (interval.isEmpty())
      continue;
    if (!joined.empty() && interval.lower <= joined.back().upper + 1)
      joined.back().upper = std::max(joined.back().upper, interval.upper);
    else
      joined.push_back(interval);
  }
  set = std::move(joined);
}

/// [0, size - 1] without `set`, which is normal.
static IntervalSet complement(const IntervalSet &set, int64_t size) {
  IntervalSet rest;
  int64_t begin = 0;
  for (const Interval &interval : set) {
    if (begin < interval.lower)
      rest.push_back({begin, interval.lower - 1});
    begin = interval.upper + 1;
  }
  if (begin < size)
    rest.push_back({begin, size - 1});
  return rest;
}

static void addAll(IntervalSet &set, const IntervalSet &other) {
  set.append(other.begin(), other.end());
  normalize(set);
}

/// What two regions know together.
static void addAll(ZeroRegion &region, const ZeroRegion &other) {
  for (auto [mine, theirs] : llvm::zip_equal(region.axes, other.axes))
    addAll(mine, theirs);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static bool isZero(Attribute attr) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attr))
    return number.getValue().isZero();
  if (auto number = dyn_cast_or_null<IntegerAttr>(attr))
    return number.getValue().isZero();
  return false;
}

/// Values of dim `axis` in the domain; perhaps more.
static IntervalSet project(const IndexingMap &map, unsigned axis) {
  const Interval range = map.getRanges()[axis];
  if (!map.getUsed(/*results=*/false)[axis])
    return {range};
  IndexingMap projection = map.withResults(Form::ofAtom(axis)).simplify();
  std::optional<int64_t> size = range.size();
  std::optional<uint64_t> count = countImage(projection, kProjectionBudget);
  if (!size || count == static_cast<uint64_t>(*size) || *size > kMaxSlices)
    return {range};
  IntervalSet reached;
  for (int64_t i = range.lower; i <= range.upper; ++i) {
    SmallVector<Interval> ranges(map.getRanges());
    ranges[axis] = Interval::point(i);
    if (isEmpty(map.withRanges(ranges).simplify(), kProjectionBudget) != true)
      reached.push_back(Interval::point(i));
  }
  normalize(reached);
  return reached;
}

ZeroRegion ZeroRegions::get(const CanonicalAccess &access) const {
  ZeroRegion region;
  region.axes.resize(access.getRank());
  if (access.isEmpty())
    return region;
  // 1. Points that might not be zero.
  SmallVector<IndexingMap> others;
  for (const AccessPiece &piece : access.getPieces()) {
    if (piece.source.kind == SourceKind::Constant) {
      if (!isZero(forms.getConstant(piece.source.index)))
        others.push_back(piece.map);
      continue;
    }
    SmallVector<IndexingMap> parts{piece.map};
    if (const ZeroRegion *base = get(forms.getBase(piece.source.index))) {
      ArrayRef<int64_t> shape = access.getSourceShape(piece.source.index);
      for (auto [axis, zeros] : llvm::enumerate(base->axes)) {
        IntervalSet rest = complement(zeros, shape[axis]);
        if (zeros.empty() || parts.size() * rest.size() > kMaxParts)
          continue;
        SmallVector<IndexingMap> cut;
        for (const IndexingMap &part : parts)
          for (const Interval &interval : rest)
            cut.push_back(
                part.withConstraint(part.getResult(axis), interval).simplify());
        llvm::erase_if(cut, [](const IndexingMap &map) {
          return map.isKnownEmpty() || isEmpty(map, kProjectionBudget) == true;
        });
        parts = std::move(cut);
      }
    }
    llvm::append_range(others, parts);
  }
  if (std::optional<unsigned> background = access.getBackground();
      background && !isZero(forms.getConstant(*background))) {
    std::optional<SmallVector<IndexingMap>> rest = subtractDomains(
        IndexingMap::identity(access.getShape()), access.getPieces());
    if (!rest)
      return region;
    llvm::append_range(others, *rest);
  }
  if (llvm::any_of(others, [](const IndexingMap &m) { return m.isUnknown(); }))
    return region;
  // 2. Slices without any.
  for (auto [axis, size] : llvm::enumerate(access.getShape())) {
    // Along an unknown size either all is zero, which other axes show, or
    // nothing is known.
    if (isUnknownExtent(size))
      continue;
    IntervalSet reached;
    for (const IndexingMap &map : others)
      addAll(reached, project(map, axis));
    region.axes[axis] = complement(reached, size);
  }
  return region;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

ZeroRegion ZeroRegions::visitCompute(ComputeOp op) {
  ZeroRegion result;
  const unsigned resultRank = op.getType().getRank();
  result.axes.resize(resultRank);
  const unsigned accessRank = op.getPattern().getType().getAccessRank();
  const CanonicalAccess &access = forms.getAccess(op.getPattern());
  const bool isInteger =
      isa<IntegerType>(op.getPattern().getType().getElementType());
  // Without a point to look at, nothing below holds.
  if (access.isEmpty())
    return result;
  ZeroRegion all = get(access);
  /// Takes over the region of a pattern without the tuple axis: its first axes
  /// are those of the result.
  auto take = [&](const ZeroRegion &region, unsigned skipped) {
    for (unsigned k = 0; k < resultRank; ++k)
      addAll(result.axes[k], region.axes[k < accessRank ? k : k + skipped]);
  };
  auto takeFactor = [&](int64_t i) {
    if (std::optional<CanonicalAccess> factor =
            fixAccess(access, accessRank, i))
      take(get(*factor), 0);
  };
  switch (op.getKind()) {
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul:
  case ComputeKind::DotProd:
    take(all, 1);
    if (op.getKind() != ComputeKind::ElementwiseAdd &&
        (isInteger || options.assumeFinite))
      for (int64_t i = 0,
                   e = std::min(access.getShape()[accessRank], kMaxFactors);
           i < e; ++i)
        takeFactor(i);
    break;
  case ComputeKind::ElementwiseDiv:
    // 0 / 0 is an error for integers, and NaN for floats.
    if (isInteger)
      takeFactor(0);
    break;
  case ComputeKind::ReduceSum:
  case ComputeKind::ReduceMax:
  case ComputeKind::ReduceMean:
  case ComputeKind::Relu:
  case ComputeKind::Sqrt:
  case ComputeKind::Negative:
    take(all, 0);
    break;
  case ComputeKind::Softmax:
    break;
  }
  return result;
}

ZeroRegion ZeroRegions::visitTensorOp(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  ZeroRegion result;
  result.axes.resize(type.getRank());
  auto everywhere = [&] {
    for (auto [axis, size] : llvm::zip_equal(result.axes, type.getShape()))
      axis = complement({}, size);
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value value = pad.getConstantPaddingValue();
    Attribute constant;
    if (!value || !matchPattern(value, m_Constant(&constant)) ||
        !isZero(constant))
      return result;
    const ZeroRegion *source = get(pad.getSource());
    for (auto [k, low] : llvm::enumerate(pad.getMixedLowPad())) {
      std::optional<int64_t> before = getConstantIntValue(low);
      if (!before || pad.getSourceType().isDynamicDim(k) ||
          type.isDynamicDim(k))
        continue;
      const int64_t size = pad.getSourceType().getDimSize(k);
      IntervalSet &axis = result.axes[k];
      // Negative amounts cut elements off.
      axis = {{0, *before - 1}, {*before + size, type.getDimSize(k) - 1}};
      if (source)
        for (const Interval &zeros : source->axes[k])
          axis.push_back(zeros + *before);
      for (Interval &interval : axis)
        interval = interval.intersect({0, type.getDimSize(k) - 1});
      normalize(axis);
    }
    return result;
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    Attribute constant;
    if (matchPattern(fill.getInputs()[0], m_Constant(&constant)) &&
        isZero(constant))
      everywhere();
    return result;
  }
  DenseElementsAttr elements;
  if (!matchPattern(op, m_Constant(&elements)) || elements.isSplat() ||
      elements.getNumElements() > kMaxConstant ||
      elements.getNumElements() == 0 || !type.getElementType().isIntOrFloat())
    return result;
  SmallVector<SmallVector<bool>> reached;
  for (int64_t size : type.getShape())
    reached.emplace_back(size, false);
  SmallVector<int64_t> index(type.getRank(), 0);
  for (Attribute element : elements.getValues<Attribute>()) {
    if (!isZero(element))
      for (auto [axis, i] : llvm::zip_equal(reached, index))
        axis[i] = true;
    nextIndex(index, type.getShape());
  }
  for (auto [axis, marks] : llvm::zip_equal(result.axes, reached)) {
    for (auto [i, mark] : llvm::enumerate(marks))
      if (!mark)
        axis.push_back(Interval::point(i));
    normalize(axis);
  }
  return result;
}

ZeroRegion ZeroRegions::visit(Operation *op, Value value) {
  if (isMovement(op))
    return get(forms.getAccess(value));
  if (auto compute = dyn_cast<ComputeOp>(op)) {
    if (AccessForms::hasForm(compute.getPattern()))
      return visitCompute(compute);
    return {};
  }
  if (auto copy = dyn_cast<MaterializeOp>(op)) {
    const ZeroRegion *region = get(copy.getPattern());
    return region ? *region : ZeroRegion();
  }
  if (auto array = dyn_cast<SystolicArrayOp>(op)) {
    // out[a, j] = Σ over r of activations[a | r] · weights[| r, j]
    ZeroRegion result;
    result.axes.resize(array.getType().getRank());
    if (!options.assumeFinite &&
        !isa<IntegerType>(array.getType().getElementType()))
      return result;
    if (const ZeroRegion *region = get(array.getActivations()))
      for (unsigned k = 0; k + 1 < result.axes.size(); ++k)
        result.axes[k] = region->axes[k];
    if (const ZeroRegion *region = get(array.getWeights()))
      result.axes.back() = region->axes.back();
    return result;
  }
  if (isa<RankedTensorType>(value.getType()) && op->getNumResults() == 1) {
    const CanonicalAccess &access = forms.getAccess(value);
    ZeroRegion region = visitTensorOp(op);
    // A splat constant is its own form.
    if (access.asConstant())
      addAll(region, get(access));
    return region;
  }
  return {};
}

ZeroRegions::ZeroRegions(Operation *root, ZeroOptions options)
    : options(options) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (!AccessForms::hasForm(result))
        continue;
      ZeroRegion region = visit(op, result);
      if (!region.isNone())
        regions[result] = std::move(region);
    }
  });
}

const ZeroRegion *ZeroRegions::get(Value value) const {
  auto it = regions.find(value);
  return it == regions.end() ? nullptr : &it->second;
}
