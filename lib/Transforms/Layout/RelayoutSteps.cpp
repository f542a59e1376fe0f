//===- RelayoutSteps.cpp - A tensor on its way to another layout ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile written out (seed 001, pad-reshape-transpose). Forwards:
//
//   1. put dimensions of size 1 in front, merge what `*` merges;
//   2. pad with zeros up to multiples of the tile;
//   3. divide each dimension in (⌈d/t⌉, t);
//   4. move all the t behind, in order.
//
// linalg.pack is steps 2 to 4 in one op. Backwards the same in reverse, padding
// cut off.
//
//===----------------------------------------------------------------------===//

#include "RelayoutSteps.h"
#include "TensorAccess/Core/Support.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

template <typename OpTy, typename Fn>
static OpFoldResult combine(OpBuilder &b, Location loc, OpFoldResult x,
                            OpFoldResult y, Fn compute) {
  std::optional<int64_t> a = getConstantIntValue(x), c = getConstantIntValue(y);
  if (a && c)
    return b.getIndexAttr(compute(*a, *c));
  return b.createOrFold<OpTy>(loc, getValueOrCreateConstantIndexOp(b, loc, x),
                              getValueOrCreateConstantIndexOp(b, loc, y));
}

OpFoldResult mlir::tensoraccess::mulSizes(OpBuilder &b, Location loc,
                                          OpFoldResult x, OpFoldResult y) {
  if (isOneInteger(x))
    return y;
  if (isOneInteger(y))
    return x;
  return combine<arith::MulIOp>(b, loc, x, y,
                                [](int64_t m, int64_t n) { return m * n; });
}

OpFoldResult mlir::tensoraccess::subSizes(OpBuilder &b, Location loc,
                                          OpFoldResult x, OpFoldResult y) {
  return combine<arith::SubIOp>(b, loc, x, y,
                                [](int64_t m, int64_t n) { return m - n; });
}

OpFoldResult mlir::tensoraccess::ceilDivSizes(OpBuilder &b, Location loc,
                                              OpFoldResult x, int64_t divisor) {
  if (divisor == 1)
    return x;
  if (std::optional<int64_t> size = getConstantIntValue(x))
    return b.getIndexAttr(ceilDivPositive(*size, divisor));
  OpFoldResult above =
      combine<arith::AddIOp>(b, loc, x, b.getIndexAttr(divisor - 1),
                             [](int64_t m, int64_t n) { return m + n; });
  return combine<arith::DivUIOp>(b, loc, above, b.getIndexAttr(divisor),
                                 [](int64_t m, int64_t n) { return m / n; });
}

OpFoldResult mlir::tensoraccess::countSizes(OpBuilder &b, Location loc,
                                            ArrayRef<OpFoldResult> x) {
  OpFoldResult count = b.getIndexAttr(1);
  for (OpFoldResult size : x)
    count = mulSizes(b, loc, count, size);
  return count;
}

static SmallVector<int64_t> getStaticShape(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).value_or(ShapedType::kDynamic);
  });
}

//===----------------------------------------------------------------------===//
// RelayoutSteps
//===----------------------------------------------------------------------===//

RelayoutSteps::RelayoutSteps(OpBuilder &b, Location loc, Value value,
                             ArrayRef<OpFoldResult> sizes)
    : b(b), loc(loc) {
  set(value, Sizes(sizes));
}

void RelayoutSteps::set(Value newValue, Sizes newSizes) {
  value = newValue;
  sizes = std::move(newSizes);
  pending = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
}

RankedTensorType RelayoutSteps::getType(ArrayRef<OpFoldResult> shape) const {
  return RankedTensorType::get(
      getStaticShape(shape),
      cast<RankedTensorType>(value.getType()).getElementType());
}

Value RelayoutSteps::getRaw() {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() != getRank())
    return value;
  // Sizes may be numbers where the tensor's type has `?`.
  SmallVector<int64_t> shape(getRank()), known = getStaticShape(sizes);
  for (auto [dim, size] : llvm::zip_equal(pending, known))
    shape[dim] = size;
  if (type.getShape() != ArrayRef(shape))
    value = tensor::CastOp::create(b, loc, type.clone(shape), value);
  return value;
}

Value RelayoutSteps::get() {
  getRaw();
  if (isIdentity(pending))
    return value;
  Type type = getType({}).getElementType();
  Value init = tensor::EmptyOp::create(b, loc, sizes, type);
  value =
      linalg::TransposeOp::create(b, loc, value, init, pending)->getResult(0);
  set(value, sizes);
  return value;
}

void RelayoutSteps::transpose(ArrayRef<int64_t> permutation) {
  Sizes permuted;
  SmallVector<int64_t> composed;
  for (int64_t dim : permutation) {
    permuted.push_back(sizes[dim]);
    composed.push_back(pending[dim]);
  }
  sizes = std::move(permuted);
  pending = std::move(composed);
}

void RelayoutSteps::expand(ArrayRef<Sizes> parts) {
  Sizes all;
  SmallVector<ReassociationIndices> groups;
  for (const Sizes &part : parts) {
    groups.emplace_back();
    for (OpFoldResult size : part) {
      groups.back().push_back(all.size());
      all.push_back(size);
    }
  }
  if (all.size() == sizes.size())
    return;
  if (sizes.empty())
    groups.clear();
  Value source = get();
  // What is expanded into known sizes is of a known size itself.
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, group] : llvm::enumerate(groups)) {
    int64_t product = 1;
    for (int64_t i : group) {
      std::optional<int64_t> size = getConstantIntValue(all[i]);
      product = size && product != ShapedType::kDynamic ? product * *size
                                                        : ShapedType::kDynamic;
    }
    if (ShapedType::isDynamic(shape[dim]))
      shape[dim] = product;
  }
  if (shape != type.getShape())
    source = tensor::CastOp::create(b, loc, type.clone(shape), source);
  set(tensor::ExpandShapeOp::create(b, loc, getType(all), source, groups, all),
      all);
}

void RelayoutSteps::collapse(ArrayRef<ReassociationIndices> groups) {
  if (groups.size() == sizes.size())
    return;
  Sizes all;
  for (const ReassociationIndices &group : groups)
    all.push_back(
        countSizes(b, loc, ArrayRef(sizes).slice(group.front(), group.size())));
  Value source = get();
  set(tensor::CollapseShapeOp::create(b, loc, getType(all), source, groups),
      all);
}

/// Zero of an element type (getPhysicalType refuses complex ones).
static Value createZero(OpBuilder &b, Location loc, Type type) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

void RelayoutSteps::pad(ArrayRef<OpFoldResult> to) {
  if (ArrayRef(sizes) == to)
    return;
  Value source = get();
  Sizes low(sizes.size(), b.getIndexAttr(0)), high;
  for (auto [size, wanted] : llvm::zip_equal(sizes, to))
    high.push_back(subSizes(b, loc, wanted, size));
  RankedTensorType type = getType(to);
  set(tensor::PadOp::create(b, loc, type, source, low, high,
                            createZero(b, loc, type.getElementType())),
      Sizes(to));
}

void RelayoutSteps::slice(ArrayRef<OpFoldResult> to) {
  if (ArrayRef(sizes) == to)
    return;
  Value source = get();
  Sizes zeros(sizes.size(), b.getIndexAttr(0));
  Sizes ones(sizes.size(), b.getIndexAttr(1));
  set(tensor::ExtractSliceOp::create(b, loc, getType(to), source, zeros,
                                     Sizes(to), ones),
      Sizes(to));
}

void RelayoutSteps::reshape(ArrayRef<OpFoldResult> to) {
  if (ArrayRef(sizes) == to)
    return;
  // In small groups where sizes say so, else through one dimension.
  RankedTensorType from = getType(sizes), type = getType(to);
  SmallVector<ReassociationIndices> fromRuns, toRuns;
  if (from.hasStaticShape() && type.hasStaticShape() &&
      matchRuns(from.getShape(), type.getShape(), fromRuns, toRuns)) {
    collapse(fromRuns);
    SmallVector<Sizes> parts;
    for (const ReassociationIndices &run : toRuns)
      parts.emplace_back(to.slice(run.front(), run.size()));
    return expand(parts);
  }
  if (getRank() > 1)
    collapse({llvm::to_vector<2>(llvm::seq<int64_t>(0, getRank()))});
  if (to.empty())
    return collapse({});
  // A count that is only known from the result.
  auto type1 = cast<RankedTensorType>(get().getType());
  if (type.hasStaticShape() && !type1.hasStaticShape())
    value = tensor::CastOp::create(b, loc,
                                   type1.clone(SmallVector<int64_t>(
                                       type1.getRank(), type.getNumElements())),
                                   value);
  expand({Sizes(to)});
  // A size that follows may be another value than the one asked for.
  sizes.assign(to.begin(), to.end());
}

void RelayoutSteps::convert(Type to) {
  auto type = cast<RankedTensorType>(value.getType());
  Type from = type.getElementType();
  if (from == to)
    return;
  unsigned before = from.getIntOrFloatBitWidth();
  unsigned after = to.getIntOrFloatBitWidth();
  auto step = [&](Type element, bool isWider) {
    RankedTensorType next =
        cast<RankedTensorType>(value.getType()).clone(element);
    if (isa<IntegerType>(element))
      value = isWider
                  ? arith::ExtSIOp::create(b, loc, next, value).getResult()
                  : arith::TruncIOp::create(b, loc, next, value).getResult();
    else
      value = isWider
                  ? arith::ExtFOp::create(b, loc, next, value).getResult()
                  : arith::TruncFOp::create(b, loc, next, value).getResult();
  };
  // Between floats of one width through one that holds both: rounded once.
  if (before == after)
    step(after < 32 ? b.getF32Type() : b.getF64Type(), true);
  step(to, after > before);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Sizes MixedStage::getOuter(OpBuilder &b, Location loc) const {
  Sizes outer;
  for (auto [size, divisor] :
       llvm::zip_equal(ArrayRef(merged).drop_front(getPrefix()), tile))
    outer.push_back(ceilDivSizes(b, loc, size, divisor));
  return outer;
}

bool MixedStage::divides() const {
  return llvm::all_of(
      llvm::zip_equal(ArrayRef(merged).drop_front(getPrefix()), tile),
      [](auto pair) {
        auto [size, divisor] = pair;
        std::optional<int64_t> known = getConstantIntValue(size);
        return divisor == 1 || (known && *known % divisor == 0);
      });
}

SmallVector<MixedStage>
mlir::tensoraccess::getStages(OpBuilder &b, Location loc, const Layout &layout,
                              ArrayRef<OpFoldResult> logical, Sizes &physical) {
  physical.clear();
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    physical.push_back(logical[dim]);
  SmallVector<MixedStage> stages;
  for (const Tile &entries : layout.tiles) {
    MixedStage stage;
    if (entries.size() > physical.size())
      stage.added = entries.size() - physical.size();
    stage.sizes.assign(stage.added, b.getIndexAttr(1));
    llvm::append_range(stage.sizes, physical);
    size_t prefix = stage.sizes.size() - entries.size();
    bool open = false;
    for (size_t i = 0; i < stage.sizes.size(); ++i) {
      if (!open)
        stage.groups.emplace_back();
      stage.groups.back().push_back(i);
      open = i >= prefix && entries[i - prefix].isCombine();
      if (i >= prefix && !open)
        stage.tile.push_back(entries[i - prefix].getSize());
    }
    for (const ReassociationIndices &group : stage.groups)
      stage.merged.push_back(countSizes(
          b, loc, ArrayRef(stage.sizes).slice(group.front(), group.size())));
    physical.assign(stage.merged.begin(),
                    stage.merged.begin() + stage.getPrefix());
    llvm::append_range(physical, stage.getOuter(b, loc));
    for (int64_t size : stage.tile)
      physical.push_back(b.getIndexAttr(size));
    stages.push_back(std::move(stage));
  }
  return stages;
}

/// One entry a dimension.
static SmallVector<Sizes> getSingles(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes,
                             [](OpFoldResult size) { return Sizes{size}; });
}

void mlir::tensoraccess::mergeBefore(RelayoutSteps &steps,
                                     const MixedStage &stage) {
  if (stage.added > 0) {
    SmallVector<Sizes> parts = getSingles(steps.getSizes());
    if (parts.empty())
      parts.emplace_back();
    parts[0].insert(parts[0].begin(), stage.added,
                    OpFoldResult(steps.b.getIndexAttr(1)));
    steps.expand(parts);
  }
  steps.collapse(stage.groups);
}

void mlir::tensoraccess::splitAfter(RelayoutSteps &steps,
                                    const MixedStage &stage) {
  SmallVector<Sizes> parts;
  for (const ReassociationIndices &group : stage.groups)
    parts.emplace_back(
        ArrayRef(stage.sizes).slice(group.front(), group.size()));
  steps.expand(parts);
  if (stage.added == 0)
    return;
  SmallVector<ReassociationIndices> groups;
  for (size_t i = stage.added; i < stage.sizes.size(); ++i) {
    groups.emplace_back();
    if (i == stage.added)
      for (size_t front = 0; front < i; ++front)
        groups.back().push_back(front);
    groups.back().push_back(i);
  }
  steps.collapse(groups);
}

void mlir::tensoraccess::applyTile(RelayoutSteps &steps,
                                   const MixedStage &stage, RelayoutWay way) {
  OpBuilder &b = steps.b;
  Location loc = steps.loc;
  // 1
  mergeBefore(steps, stage);
  size_t prefix = stage.getPrefix(), count = stage.tile.size();
  Sizes outer = stage.getOuter(b, loc), tile;
  for (int64_t size : stage.tile)
    tile.push_back(b.getIndexAttr(size));
  if (way == RelayoutWay::Pack) {
    SmallVector<int64_t> positions;
    for (size_t i = 0; i < count; ++i)
      positions.push_back(steps.getPending()[prefix + i]);
    Value source = steps.getRaw();
    Type element = cast<RankedTensorType>(source.getType()).getElementType();
    SmallVector<int64_t> order(steps.getPending());
    Sizes packed(stage.merged.begin(), stage.merged.begin() + prefix);
    llvm::append_range(packed, outer);
    llvm::append_range(packed, tile);
    Value init = tensor::EmptyOp::create(b, loc, packed, element);
    std::optional<Value> zero;
    if (!stage.divides())
      zero = createZero(b, loc, element);
    auto pack = linalg::PackOp::create(
        b, loc, source, init, positions, tile, zero,
        isIdentity(order) ? ArrayRef<int64_t>() : ArrayRef<int64_t>(order));
    return steps.set(pack->getResult(0), packed);
  }
  // 2
  Sizes padded(stage.merged.begin(), stage.merged.begin() + prefix);
  for (auto [size, divisor] : llvm::zip_equal(outer, tile))
    padded.push_back(mulSizes(b, loc, size, divisor));
  // Multiples of a dynamic size are other values, equal or not.
  if (!stage.divides())
    steps.pad(padded);
  // 3
  SmallVector<Sizes> parts = getSingles(steps.getSizes());
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, prefix));
  for (size_t i = 0; i < count; ++i) {
    parts[prefix + i] = {outer[i], tile[i]};
    order.push_back(prefix + 2 * i);
  }
  steps.expand(parts);
  // 4
  for (size_t i = 0; i < count; ++i)
    order.push_back(prefix + 2 * i + 1);
  steps.transpose(order);
}

void mlir::tensoraccess::undoTile(RelayoutSteps &steps, const MixedStage &stage,
                                  RelayoutWay way) {
  OpBuilder &b = steps.b;
  Location loc = steps.loc;
  size_t prefix = stage.getPrefix(), count = stage.tile.size();
  if (way == RelayoutWay::Pack) {
    SmallVector<int64_t> positions;
    Sizes tile;
    for (size_t i = 0; i < count; ++i) {
      positions.push_back(prefix + i);
      tile.push_back(b.getIndexAttr(stage.tile[i]));
    }
    Value source = steps.get();
    Value init = tensor::EmptyOp::create(
        b, loc, stage.merged,
        cast<RankedTensorType>(source.getType()).getElementType());
    auto unpack =
        linalg::UnPackOp::create(b, loc, source, init, positions, tile);
    steps.set(unpack->getResult(0), stage.merged);
  } else {
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, prefix));
    SmallVector<ReassociationIndices> groups;
    for (size_t i = 0; i < prefix; ++i)
      groups.push_back({static_cast<int64_t>(i)});
    for (size_t i = 0; i < count; ++i) {
      order.push_back(prefix + i);
      order.push_back(prefix + count + i);
      groups.push_back({static_cast<int64_t>(prefix + 2 * i),
                        static_cast<int64_t>(prefix + 2 * i + 1)});
    }
    steps.transpose(order);
    steps.collapse(groups);
    if (!stage.divides())
      steps.slice(stage.merged);
  }
  // What `*` merged, and the dimensions in front.
  splitAfter(steps, stage);
}
