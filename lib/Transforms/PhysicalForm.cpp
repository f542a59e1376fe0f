//===- PhysicalForm.cpp - The tensor that a layout makes ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a layout:
//   1. one digit for each dimension, in the order of the layout;
//   2. a tile entry t turns a digit (divisor q, size n) into the digits (q·t,
//      ⌈n/t⌉) and (q, t), the latter behind all others. Padding inside of a
//      tile, and `*` between two dimensions, have no digits;
//   3. merging, as the header says.
//
// A relayout between two forms:
//   1. cut the digits of both where the other is cut, as far as extents are
//      equal: nothing moves;
//   2. where extents differ, go through the padded logical tensor: transpose to
//      it, cut off the padding, pad anew, and transpose to the result;
//   3. where they don't, transpose once.
//
//===----------------------------------------------------------------------===//

#include "PhysicalForm.h"
#include "TensorAccess/Core/CheckedMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

SmallVector<int64_t> PhysicalForm::getShape() const {
  return llvm::map_to_vector(digits,
                             [](const PhysicalDigit &d) { return d.size; });
}

SmallVector<PhysicalDigit, 6> PhysicalForm::getKey() const {
  SmallVector<PhysicalDigit, 6> key;
  llvm::copy_if(digits, std::back_inserter(key),
                [](const PhysicalDigit &d) { return d.size != 1; });
  return key;
}

SmallVector<PhysicalDigit, 2> PhysicalForm::getDigitsOf(int64_t dim) const {
  SmallVector<PhysicalDigit, 2> result;
  llvm::copy_if(digits, std::back_inserter(result),
                [&](const PhysicalDigit &d) { return d.dim == dim; });
  llvm::sort(result, [](const PhysicalDigit &a, const PhysicalDigit &b) {
    return a.divisor < b.divisor;
  });
  return result;
}

std::optional<int64_t> PhysicalForm::getElements() const {
  SmallVector<int64_t> shape = getShape();
  if (ShapedType::isDynamicShape(shape))
    return std::nullopt;
  return checkedProduct(shape);
}

/// Step 3. `extents` are set.
static void mergeDigits(PhysicalForm &form, ArrayRef<int64_t> shape) {
  SmallVector<PhysicalDigit, 6> kept;
  SmallVector<bool> seen(shape.size(), false);
  for (const PhysicalDigit &digit : form.digits) {
    if (digit.size == 1) {
      // The one digit of a dimension whose extent is 1.
      if (form.extents[digit.dim] != 1 || seen[digit.dim])
        continue;
      seen[digit.dim] = true;
      kept.push_back({digit.dim, 1, 1});
      continue;
    }
    if (!kept.empty() && kept.back().dim == digit.dim &&
        !ShapedType::isDynamic(kept.back().size) &&
        !ShapedType::isDynamic(digit.size) &&
        kept.back().divisor == digit.divisor * digit.size) {
      kept.back() = {digit.dim, digit.divisor, kept.back().size * digit.size};
      continue;
    }
    kept.push_back(digit);
  }
  form.digits = std::move(kept);
}

PhysicalForm mlir::tensoraccess::makeForm(ArrayRef<PhysicalDigit> digits,
                                          ArrayRef<int64_t> shape) {
  PhysicalForm form;
  form.extents.assign(shape.size(), 1);
  SmallVector<int64_t> largest(shape.size(), 0);
  for (const PhysicalDigit &digit : digits) {
    if (digit.divisor <= largest[digit.dim])
      continue;
    largest[digit.dim] = digit.divisor;
    form.extents[digit.dim] = ShapedType::isDynamic(digit.size)
                                  ? digit.size
                                  : digit.size * digit.divisor;
  }
  form.digits.assign(digits.begin(), digits.end());
  mergeDigits(form, shape);
  return form;
}

PhysicalForm mlir::tensoraccess::getPlainForm(ArrayRef<int64_t> shape) {
  SmallVector<PhysicalDigit> digits;
  for (auto [dim, size] : llvm::enumerate(shape))
    digits.push_back({int64_t(dim), 1, size});
  return makeForm(digits, shape);
}

/// Step 2 for one tile; false and the reason where there are no such digits.
/// Dimensions that a tile has and the tensor has not are -1.
static bool applyTile(SmallVectorImpl<PhysicalDigit> &digits, const Tile &tile,
                      std::string &reason) {
  if (tile.size() > digits.size())
    digits.insert(digits.begin(), tile.size() - digits.size(), {-1, 1, 1});
  size_t prefix = digits.size() - tile.size();
  SmallVector<PhysicalDigit> outer(digits.begin(), digits.begin() + prefix),
      inner;
  for (auto [i, entry] : llvm::enumerate(tile)) {
    PhysicalDigit digit = digits[prefix + i];
    if (entry.isCombine()) {
      if (digit.size == 1)
        continue;
      reason = "its layout combines dimensions by '*'";
      return false;
    }
    int64_t t = entry.getSize();
    if (t == 1) {
      outer.push_back(digit);
      inner.push_back({digit.dim, digit.divisor, 1});
      continue;
    }
    if (digit.dim < 0) {
      reason = "its layout has a tile of more dimensions than the tensor";
      return false;
    }
    if (ShapedType::isDynamic(digit.size)) {
      reason = "its layout tiles a dynamic dimension";
      return false;
    }
    // The major digit of a dimension may be padded, no other.
    bool isMajor = llvm::none_of(digits, [&](const PhysicalDigit &other) {
      return other.dim == digit.dim && other.divisor > digit.divisor;
    });
    std::optional<int64_t> divisor = checkedMul(digit.divisor, t);
    if (!divisor || (!isMajor && digit.size % t != 0)) {
      reason = "a tile of its layout does not divide the tile before";
      return false;
    }
    outer.push_back({digit.dim, *divisor,
                     (digit.size + t - 1) / t});
    inner.push_back({digit.dim, digit.divisor, t});
  }
  digits = std::move(outer);
  llvm::append_range(digits, inner);
  return true;
}

std::optional<PhysicalForm>
mlir::tensoraccess::getPhysicalForm(RankedTensorType type,
                                    std::string &reason) {
  ArrayRef<int64_t> shape = type.getShape();
  if (!type.getEncoding())
    return getPlainForm(shape);
  auto attr = dyn_cast<LayoutAttr>(type.getEncoding());
  if (!attr) {
    reason = "its encoding is not a layout";
    return std::nullopt;
  }
  const Layout &layout = attr.getValue();
  if (layout.elementBits || layout.tailAlignment != 1) {
    reason = layout.elementBits ? "its layout has element bits E"
                                : "its layout has a tail alignment L";
    return std::nullopt;
  }
  SmallVector<PhysicalDigit> digits;
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    digits.push_back({dim, 1, shape[dim]});
  for (const Tile &tile : layout.tiles)
    if (!applyTile(digits, tile, reason))
      return std::nullopt;
  llvm::erase_if(digits, [](const PhysicalDigit &d) { return d.dim < 0; });
  // `*` drops dimensions of size 1.
  for (auto [dim, size] : llvm::enumerate(shape))
    if (llvm::none_of(digits, [&, dim = int64_t(dim)](const PhysicalDigit &d) {
          return d.dim == dim;
        }))
      digits.insert(digits.begin(), {int64_t(dim), 1, 1});
  return makeForm(digits, shape);
}

std::optional<PhysicalForm>
mlir::tensoraccess::collapseForm(const PhysicalForm &fine, ArrayRef<int64_t> fineShape,
             ArrayRef<ReassociationIndices> groups,
             ArrayRef<int64_t> coarseShape) {
  SmallVector<int64_t> group(fineShape.size()), stride(fineShape.size());
  for (auto [g, dims] : llvm::enumerate(groups)) {
    int64_t step = 1;
    for (int64_t dim : llvm::reverse(dims)) {
      group[dim] = g;
      stride[dim] = step;
      bool isFirst = llvm::all_of(dims, [&, dim = dim](int64_t other) {
        return other >= dim || fineShape[other] == 1;
      });
      bool isUnit = fineShape[dim] == 1 && dims.size() > 1;
      if (fine.isPadded(dim, fineShape) && (!isFirst || isUnit))
        return std::nullopt;
      step *= fineShape[dim];
    }
  }
  SmallVector<PhysicalDigit> digits;
  for (const PhysicalDigit &digit : fine.digits)
    digits.push_back({group[digit.dim], digit.divisor * stride[digit.dim],
                      digit.size});
  for (auto [g, dims] : llvm::enumerate(groups))
    if (llvm::none_of(digits, [g = g](const PhysicalDigit &d) {
          return d.dim == static_cast<int64_t>(g) && d.size != 1;
        }))
      digits.insert(digits.begin(), {static_cast<int64_t>(g), 1, 1});
  return makeForm(digits, coarseShape);
}

bool mlir::tensoraccess::movesAlike(const PhysicalForm &a,
                                    ArrayRef<int64_t> shapeA,
                                    const PhysicalForm &b,
                                    ArrayRef<int64_t> shapeB,
                                    ArrayRef<bool> moved) {
  if (a.digits.size() != b.digits.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.digits, b.digits)) {
    if (x.dim != y.dim || x.divisor != y.divisor)
      return false;
    if (!moved[x.dim] ? x.size != y.size
                      : a.isDivided(x.dim) || a.isPadded(x.dim, shapeA) ||
                            b.isDivided(x.dim) || b.isPadded(x.dim, shapeB))
      return false;
  }
  return true;
}

RankedTensorType
mlir::tensoraccess::getPhysicalType(RankedTensorType type,
                                    const PhysicalForm &form) {
  return RankedTensorType::get(form.getShape(), type.getElementType());
}

RankedTensorType mlir::tensoraccess::getPlainType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

std::optional<int64_t>
mlir::tensoraccess::getPhysicalBytes(RankedTensorType type,
                                     const PhysicalForm &form) {
  std::optional<int64_t> elements = form.getElements();
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    parts = 2;
  }
  int64_t bits = isa<IndexType>(element) ? 64
                 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                          : 0;
  // A truth value takes a byte.
  bits = (bits == 1 ? 8 : bits) * parts;
  std::optional<int64_t> total =
      elements && bits ? checkedMul(*elements, bits) : std::nullopt;
  return total ? std::optional<int64_t>(llvm::divideCeilSigned(*total, 8))
               : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::reshapeTo(OpBuilder &builder, Location loc,
                                    Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  auto target = RankedTensorType::get(shape, type.getElementType());
  if (auto groups = getReassociationIndicesForReshape(type, target)) {
    if (type.getRank() > target.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, target, tensor,
                                             *groups);
    return tensor::ExpandShapeOp::create(builder, loc, target, tensor, *groups);
  }
  // Through the coarsest shape that both refine.
  SmallVector<ReassociationIndices> from, to;
  SmallVector<int64_t> common;
  ArrayRef<int64_t> source = type.getShape();
  size_t i = 0, j = 0;
  while (i < source.size() || j < shape.size()) {
    int64_t left = 1, right = 1;
    ReassociationIndices &first = from.emplace_back(), &second = to.emplace_back();
    do {
      bool takeLeft = j == shape.size() || (left <= right && i < source.size() &&
                                            (first.empty() || left < right));
      if (takeLeft) {
        left *= source[i];
        first.push_back(i++);
      } else {
        right *= shape[j];
        second.push_back(j++);
      }
    } while (left != right || first.empty() || second.empty());
    common.push_back(left);
    // What follows of size 1 belongs here where nothing else is left.
    if (llvm::all_of(source.drop_front(i), [](int64_t n) { return n == 1; }) &&
        llvm::all_of(shape.drop_front(j), [](int64_t n) { return n == 1; })) {
      while (i < source.size())
        first.push_back(i++);
      while (j < shape.size())
        second.push_back(j++);
    }
  }
  auto middle = RankedTensorType::get(common, type.getElementType());
  Value value = tensor;
  if (middle != type)
    value = tensor::CollapseShapeOp::create(builder, loc, middle, value, from);
  if (middle != target)
    value = tensor::ExpandShapeOp::create(builder, loc, target, value, to);
  return value;
}

//===----------------------------------------------------------------------===//
// Relayouts
//===----------------------------------------------------------------------===//

/// Digits of `form` cut wherever those of `other` are, where both have the same
/// extent and their cuts divide each other.
static SmallVector<PhysicalDigit, 6> refine(const PhysicalForm &form,
                                            const PhysicalForm &other) {
  SmallVector<PhysicalDigit, 6> result;
  for (const PhysicalDigit &digit : form.digits) {
    if (form.extents[digit.dim] != other.extents[digit.dim] ||
        ShapedType::isDynamic(digit.size)) {
      result.push_back(digit);
      continue;
    }
    // From major to minor.
    int64_t size = digit.size;
    for (const PhysicalDigit &cut :
         llvm::reverse(other.getDigitsOf(digit.dim))) {
      if (cut.divisor <= digit.divisor || cut.divisor % digit.divisor != 0)
        continue;
      int64_t inner = cut.divisor / digit.divisor;
      if (inner >= size || size % inner != 0)
        continue;
      result.push_back({digit.dim, cut.divisor, size / inner});
      size = inner;
    }
    result.push_back({digit.dim, digit.divisor, size});
  }
  return result;
}

static SmallVector<int64_t> getSizes(ArrayRef<PhysicalDigit> digits) {
  return llvm::map_to_vector(digits,
                             [](const PhysicalDigit &d) { return d.size; });
}

/// The permutation that brings `from` into the order of `to`: a list of
/// positions in `from`. None where they are not the same digits.
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

static Value buildTranspose(OpBuilder &builder, Location loc, Value tensor,
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

/// Between forms of the same extents: digits are cut, moved and joined. Digits
/// whose cuts don't divide each other go through the logical order.
static Value moveDigits(OpBuilder &builder, Location loc, Value tensor,
                        const PhysicalForm &from, const PhysicalForm &to) {
  SmallVector<PhysicalDigit, 6> source = refine(from, to),
                                target = refine(to, from);
  if (auto permutation = findPermutation(source, target)) {
    Value value = reshapeTo(builder, loc, tensor, getSizes(source));
    value = buildTranspose(builder, loc, value, *permutation);
    return reshapeTo(builder, loc, value, to.getShape());
  }
  PhysicalForm plain = getPlainForm(from.extents);
  Value value = moveDigits(builder, loc, tensor, from, plain);
  return moveDigits(builder, loc, value, plain, to);
}

/// The first elements along each dimension.
static Value cutOff(OpBuilder &builder, Location loc, Value tensor,
                    ArrayRef<int64_t> sizes) {
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1)), mixed;
  for (auto [dim, size] : llvm::enumerate(sizes))
    mixed.push_back(ShapedType::isDynamic(size)
                        ? tensor::getMixedSize(builder, loc, tensor, dim)
                        : OpFoldResult(builder.getIndexAttr(size)));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, mixed,
                                        strides);
}

static Value buildZero(OpBuilder &builder, Location loc, Type type) {
  if (auto pair = dyn_cast<ComplexType>(type)) {
    Attribute zero = builder.getZeroAttr(pair.getElementType());
    return complex::ConstantOp::create(builder, loc, pair,
                                       builder.getArrayAttr({zero, zero}));
  }
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// Zeros after the last element along each dimension.
static Value padTo(OpBuilder &builder, Location loc, Value tensor,
                   ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> low(sizes.size(), builder.getIndexAttr(0)), high;
  for (auto [dim, size] : llvm::enumerate(sizes))
    high.push_back(builder.getIndexAttr(
        ShapedType::isDynamic(size) ? 0 : size - type.getDimSize(dim)));
  auto result = RankedTensorType::get(sizes, type.getElementType());
  return tensor::PadOp::create(
      builder, loc, result, tensor, low, high,
      buildZero(builder, loc, type.getElementType()));
}

/// linalg.pack of a logical tensor, or none where the form is no such packing:
/// outer digits of all dimensions in any order, then one tile of some.
static Value tryPack(OpBuilder &builder, Location loc, Value tensor,
                     const PhysicalForm &to, ArrayRef<int64_t> shape,
                     bool isUnpack) {
  size_t rank = shape.size();
  if (to.digits.size() <= rank || ShapedType::isDynamicShape(shape))
    return {};
  SmallVector<int64_t> order, positions, outerShape;
  SmallVector<OpFoldResult> tiles;
  for (auto [i, digit] : llvm::enumerate(to.digits)) {
    if (i < rank) {
      if (llvm::is_contained(order, digit.dim))
        return {};
      order.push_back(digit.dim);
    } else {
      if (digit.divisor != 1 || llvm::is_contained(positions, digit.dim))
        return {};
      positions.push_back(digit.dim);
      tiles.push_back(builder.getIndexAttr(digit.size));
    }
  }
  // The outer digit of a dimension counts its tiles, as many as hold elements:
  // a tile of tiles may have more, which linalg.pack has not.
  for (const PhysicalDigit &digit : ArrayRef(to.digits).take_front(rank)) {
    const int64_t *tiled = llvm::find(positions, digit.dim);
    int64_t divisor = tiled == positions.end()
                          ? 1
                          : to.digits[rank + (tiled - positions.begin())].size;
    if (digit.divisor != divisor ||
        digit.size != llvm::divideCeilSigned(shape[digit.dim], divisor))
      return {};
  }
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (isUnpack) {
    Value empty = tensor::EmptyOp::create(builder, loc, shape, element);
    return linalg::UnPackOp::create(builder, loc, tensor, empty, positions,
                                    tiles, order)
        ->getResult(0);
  }
  Value empty = tensor::EmptyOp::create(builder, loc, to.getShape(), element);
  bool padded = llvm::any_of(llvm::enumerate(to.extents), [&](auto it) {
    return it.value() != shape[it.index()];
  });
  std::optional<Value> zero;
  if (padded)
    zero = buildZero(builder, loc, element);
  return linalg::PackOp::create(builder, loc, tensor, empty, positions, tiles,
                                zero, order)
      ->getResult(0);
}

Value mlir::tensoraccess::buildRelayout(OpBuilder &builder, Location loc,
                                        Value source, const PhysicalForm &from,
                                        const PhysicalForm &to,
                                        ArrayRef<int64_t> shape,
                                        LayoutStyle style) {
  if (from.getKey() == to.getKey())
    return reshapeTo(builder, loc, source, to.getShape());
  PhysicalForm plain = getPlainForm(shape);
  if (style == LayoutStyle::Physical) {
    if (from.getKey() == plain.getKey())
      if (Value packed = tryPack(builder, loc,
                                 reshapeTo(builder, loc, source, shape), to,
                                 shape, /*isUnpack=*/false))
        return packed;
    if (to.getKey() == plain.getKey())
      if (Value unpacked =
              tryPack(builder, loc, source, from, shape, /*isUnpack=*/true))
        return reshapeTo(builder, loc, unpacked, to.getShape());
  }
  if (from.extents == to.extents)
    return moveDigits(builder, loc, source, from, to);
  // Through the logical tensor: what is cut off is no element, and what is
  // added is zero.
  Value value = moveDigits(builder, loc, source, from,
                           getPlainForm(from.extents));
  SmallVector<int64_t> common;
  for (auto [size, a, b] : llvm::zip_equal(shape, from.extents, to.extents))
    common.push_back(a == b ? a : size);
  if (common != from.extents)
    value = cutOff(builder, loc, value, common);
  if (common != to.extents)
    value = padTo(builder, loc, value, to.extents);
  return moveDigits(builder, loc, value, getPlainForm(to.extents), to);
}
