//===- PhysicalRelayout.cpp - Tensors in memory, laid out anew ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relayout between two forms (PhysicalForm.h):
//   1. cut the digits of both where the other is cut, as far as extents are
//      equal: nothing moves;
//   2. where extents differ, go through the padded logical tensor: transpose to
//      it, cut off the padding, pad anew, and transpose to the result;
//   3. where they don't, transpose once.
// A dynamic dimension has the same extent in both where it has the same
// granule: its logical size is only needed in step 2.
//
//===----------------------------------------------------------------------===//

#include "PhysicalForm.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/LayoutRecipe.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::expandDigits(OpBuilder &builder, Location loc,
                                       Value tensor,
                                       const DigitGroups &groups) {
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> reassociation;
  for (const auto &group : groups) {
    ReassociationIndices &numbers = reassociation.emplace_back();
    for (const PhysicalDigit &digit : group) {
      numbers.push_back(shape.size());
      shape.push_back(digit.size);
    }
  }
  if (shape.size() == groups.size())
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor,
                                       reassociation);
}

Value mlir::tensoraccess::collapseDigits(OpBuilder &builder, Location loc,
                                         Value tensor,
                                         const DigitGroups &groups) {
  SmallVector<ReassociationIndices> reassociation;
  size_t next = 0;
  for (const auto &group : groups) {
    llvm::append_range(reassociation.emplace_back(),
                       llvm::seq(next, next + group.size()));
    next += group.size();
  }
  if (next == groups.size())
    return tensor;
  return tensor::CollapseShapeOp::create(builder, loc, tensor, reassociation);
}

//===----------------------------------------------------------------------===//
// Relayouts
//===----------------------------------------------------------------------===//

/// Digits of `form` cut wherever those of `other` are, where both have the same
/// extent and their cuts divide each other.
static DigitGroups refine(const PhysicalForm &form, const PhysicalForm &other) {
  DigitGroups result;
  for (const PhysicalDigit &digit : form.digits) {
    auto &parts = result.emplace_back();
    if (!form.hasExtentOf(other, digit.dim)) {
      parts.push_back(digit);
      continue;
    }
    // From major to minor. A granule is a multiple of all cuts.
    int64_t size = digit.size;
    const SmallVector<PhysicalDigit, 2> cuts = other.getDigitsOf(digit.dim);
    for (const PhysicalDigit &cut : llvm::reverse(cuts)) {
      if (cut.divisor <= digit.divisor || cut.divisor % digit.divisor != 0)
        continue;
      int64_t inner = cut.divisor / digit.divisor;
      bool isDynamic = ShapedType::isDynamic(size);
      if (!isDynamic && (inner >= size || size % inner != 0))
        continue;
      parts.push_back(
          {digit.dim, cut.divisor, isDynamic ? size : size / inner});
      size = inner;
    }
    parts.push_back({digit.dim, digit.divisor, size});
  }
  return result;
}

static SmallVector<PhysicalDigit> flatten(const DigitGroups &groups) {
  SmallVector<PhysicalDigit> digits;
  for (const auto &group : groups)
    llvm::append_range(digits, group);
  return digits;
}

/// The permutation that brings `from` into the order of `to`: a list of
/// positions in `from`. std::nullopt if they are not the same digits.
static std::optional<SmallVector<int64_t>>
findPermutation(ArrayRef<PhysicalDigit> from, ArrayRef<PhysicalDigit> to) {
  if (from.size() != to.size())
    return std::nullopt;
  SmallVector<int64_t> permutation;
  for (const PhysicalDigit &digit : to) {
    const PhysicalDigit *it = llvm::find(from, digit);
    if (it == from.end() || llvm::is_contained(permutation, it - from.begin()))
      return std::nullopt;
    permutation.push_back(it - from.begin());
  }
  return permutation;
}

Value mlir::tensoraccess::buildTranspose(OpBuilder &builder, Location loc,
                                         Value tensor,
                                         ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t i : permutation)
    sizes.push_back(tensor::getMixedSize(builder, loc, tensor, i));
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, tensor, empty, permutation)
      ->getResult(0);
}

/// One digit for each dimension, padding included.
static PhysicalForm getPaddedForm(const PhysicalForm &form) {
  PhysicalForm padded = getPlainForm(form.extents);
  padded.granules = form.granules;
  return padded;
}

/// Between forms of the same extents: digits are cut, moved and joined. Digits
/// whose cuts don't divide each other go through the logical order.
static Value moveDigits(OpBuilder &builder, Location loc, Value tensor,
                        const PhysicalForm &from, const PhysicalForm &to) {
  DigitGroups source = refine(from, to), target = refine(to, from);
  if (auto permutation = findPermutation(flatten(source), flatten(target))) {
    Value value = expandDigits(builder, loc, tensor, source);
    value = buildTranspose(builder, loc, value, *permutation);
    return collapseDigits(builder, loc, value, target);
  }
  PhysicalForm plain = getPaddedForm(from);
  Value value = moveDigits(builder, loc, tensor, from, plain);
  return moveDigits(builder, loc, value, plain, to);
}

SmallVector<OpFoldResult>
mlir::tensoraccess::buildSizes(OpBuilder &builder, Location loc,
                               const PhysicalForm &form,
                               ArrayRef<OpFoldResult> sizes) {
  return buildSizes(builder, loc,
                    llvm::map_to_vector(form.digits,
                                        [](const PhysicalDigit &digit) {
                                          return digit.getSize();
                                        }),
                    sizes);
}

/// The first elements along each dimension that is another in `to`; the sizes
/// of the others stay.
static Value cutOff(OpBuilder &builder, Location loc, Value tensor,
                    const PhysicalForm &from, const PhysicalForm &to,
                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> mixed(sizes);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (from.hasExtentOf(to, dim))
      mixed[dim] = tensor::getMixedSize(builder, loc, tensor, dim);
  return buildSlice(builder, loc, tensor, mixed);
}

Value mlir::tensoraccess::buildZero(OpBuilder &builder, Location loc,
                                    Type type) {
  if (auto pair = dyn_cast<ComplexType>(type)) {
    Attribute zero = builder.getZeroAttr(pair.getElementType());
    return complex::ConstantOp::create(builder, loc, pair,
                                       builder.getArrayAttr({zero, zero}));
  }
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// Zeros after the last element along each dimension that was another in
/// `from`.
static Value padTo(OpBuilder &builder, Location loc, Value tensor,
                   const PhysicalForm &from, const PhysicalForm &to,
                   ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<SizeDifference> high(sizes.size());
  for (auto [dim, extent, granule] : llvm::enumerate(to.extents, to.granules)) {
    if (from.hasExtentOf(to, dim))
      continue;
    SizeExpr size = SizeExpr::ofDim(dim);
    high[dim] =
        ShapedType::isDynamic(extent)
            ? SizeDifference(*size.ceilDiv(granule)->times(granule), size)
            : SizeDifference(extent, type.getDimSize(dim));
  }
  return buildPad(builder, loc, tensor, type.clone(to.extents), high, sizes);
}

/// linalg.pack of a logical tensor, or back; null if the form is not such a
/// packing, and where it only pads.
static Value tryPack(OpBuilder &builder, Location loc, Value tensor,
                     const PhysicalForm &form, ArrayRef<int64_t> shape,
                     ArrayRef<OpFoldResult> sizes, bool isUnpack) {
  std::string reason;
  std::optional<PackParameters> pack =
      toPack(shape, form.getNest(shape), reason);
  if (!pack || llvm::none_of(pack->innerDimsPos,
                             [&](int64_t dim) { return form.isDivided(dim); }))
    return {};
  std::optional<SmallVector<SizeExpr>> packed = getPackedSizes(shape, *pack);
  if (!packed)
    return {};
  SmallVector<OpFoldResult> tiles =
      getAsIndexOpFoldResult(builder.getContext(), pack->innerTiles);
  ArrayRef<int64_t> order = pack->outerDimsPerm;
  if (llvm::is_sorted(order))
    order = {};
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (isUnpack) {
    tensor = reshapeTensor(builder, loc, tensor, toNumbers(*packed));
    Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
    return linalg::UnPackOp::create(builder, loc, tensor, empty,
                                    pack->innerDimsPos, tiles, order)
        ->getResult(0);
  }
  Value empty = tensor::EmptyOp::create(
      builder, loc, buildSizes(builder, loc, *packed, sizes), element);
  bool padded =
      llvm::any_of(llvm::seq<int64_t>(0, shape.size()),
                   [&](int64_t dim) { return form.isPadded(dim, shape); });
  std::optional<Value> zero;
  if (padded)
    zero = buildZero(builder, loc, element);
  Value result = linalg::PackOp::create(builder, loc, tensor, empty,
                                        pack->innerDimsPos, tiles, zero, order)
                     ->getResult(0);
  return reshapeTensor(builder, loc, result, form.getShape());
}

PhysicalForm mlir::tensoraccess::permuteForm(PhysicalForm form,
                                             ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse = invertPermutationVector(order);
  for (PhysicalDigit &digit : form.digits)
    digit.dim = inverse[digit.dim];
  form.extents = applyPermutation(form.extents, order);
  form.granules = applyPermutation(form.granules, order);
  return form;
}

Value mlir::tensoraccess::buildRelayout(OpBuilder &builder, Location loc,
                                        Value source, const PhysicalForm &from,
                                        const PhysicalForm &to,
                                        ArrayRef<int64_t> shape,
                                        ArrayRef<OpFoldResult> sizes,
                                        RelayoutWay way) {
  // Digits of no size have no order.
  if (llvm::is_contained(shape, 0))
    return tensor::EmptyOp::create(
        builder, loc, buildSizes(builder, loc, to, sizes),
        cast<RankedTensorType>(source.getType()).getElementType());
  if (from.getKey() == to.getKey())
    return reshapeTensor(builder, loc, source, to.getShape());
  // The order of the logical tensor is what the less divided side has.
  SmallVector<int64_t> order =
      (from.digits.size() <= to.digits.size() ? from : to).getOrder();
  if (order.size() == shape.size() && !llvm::is_sorted(order))
    return buildRelayout(builder, loc, source, permuteForm(from, order),
                         permuteForm(to, order),
                         applyPermutation(ArrayRef(shape), order),
                         applyPermutation(sizes, order), way);
  PhysicalForm plain = getPlainForm(shape);
  if (way == RelayoutWay::Pack) {
    if (from.getKey() == plain.getKey())
      if (Value packed =
              tryPack(builder, loc, reshapeTensor(builder, loc, source, shape),
                      to, shape, sizes, /*isUnpack=*/false))
        return packed;
    if (to.getKey() == plain.getKey())
      if (Value unpacked = tryPack(builder, loc, source, from, shape, sizes,
                                   /*isUnpack=*/true))
        return reshapeTensor(builder, loc, unpacked, to.getShape());
  }
  // Through the logical tensor: what is cut off is not an element, and what is
  // added is zero.
  bool cuts = false, pads = false;
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
    if (!from.hasExtentOf(to, dim)) {
      cuts |= from.isPadded(dim, shape);
      pads |= to.isPadded(dim, shape);
    }
  if (!cuts && !pads)
    return moveDigits(builder, loc, source, from, to);
  Value value = moveDigits(builder, loc, source, from, getPaddedForm(from));
  if (cuts)
    value = cutOff(builder, loc, value, from, to, sizes);
  if (pads)
    value = padTo(builder, loc, value, from, to, sizes);
  return moveDigits(builder, loc, value, getPaddedForm(to), to);
}
