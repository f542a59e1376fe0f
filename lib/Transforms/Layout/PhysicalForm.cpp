//===- PhysicalForm.cpp - The tensor that a layout makes ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a layout is its nest (Core/LayoutNest.h), merged as the header explains.
//
//===----------------------------------------------------------------------===//

#include "PhysicalForm.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/Evaluate.h"
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

SmallVector<int64_t> PhysicalForm::getOrder() const {
  SmallVector<int64_t> order;
  for (const PhysicalDigit &digit : digits)
    if (!llvm::is_contained(order, digit.dim))
      order.push_back(digit.dim);
  return order;
}

SmallVector<NestDigit> PhysicalForm::getNest(ArrayRef<int64_t> shape) const {
  SmallVector<NestDigit> nest;
  for (const PhysicalDigit &digit : getKey()) {
    NestDigit &next = nest.emplace_back();
    next.dim = digit.dim;
    next.divisor = digit.divisor;
    next.used = next.size = digit.size;
    next.isTop = getDigitsOf(digit.dim).back() == digit;
    next.isOpen = ShapedType::isDynamic(digit.size);
    if (next.isTop && !next.isOpen)
      next.used = llvm::divideCeilSigned(shape[digit.dim], digit.divisor);
  }
  return nest;
}

/// Merges digits; `extents` are set.
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
  form.granules.assign(shape.size(), 1);
  SmallVector<int64_t> largest(shape.size(), 0);
  for (const PhysicalDigit &digit : digits) {
    if (digit.divisor <= largest[digit.dim])
      continue;
    largest[digit.dim] = digit.divisor;
    bool isDynamic = ShapedType::isDynamic(digit.size);
    form.extents[digit.dim] =
        isDynamic ? digit.size : digit.size * digit.divisor;
    form.granules[digit.dim] = isDynamic ? digit.divisor : 1;
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

FailureOr<RankedTensorType> mlir::tensoraccess::getPhysicalType(
    RankedTensorType type, function_ref<InFlightDiagnostic()> emitError) {
  if (!type.getEncoding())
    return type;
  auto attr = dyn_cast<LayoutAttr>(type.getEncoding());
  if (!attr)
    return emitError() << "encoding " << type.getEncoding()
                       << " is not a layout";
  const Layout &layout = attr.getValue();
  Type element = type.getElementType();
  if (layout.elementBits && layout.elementBits != getValueBits(element))
    return emitError() << "element bits E must be those of " << element
                       << " in a physical tensor, got " << *layout.elementBits;
  std::optional<LayoutSizes> sizes =
      getSizes(layout.withShape(type.getShape()));
  if (!sizes)
    return emitError() << "the size of " << type
                       << " overflows 64-bit arithmetic";
  // No constant of such a type exists to pad with.
  if (isa<IntegerType>(element) && !element.isSignlessInteger() &&
      sizes->paddedElements != sizes->elements)
    return emitError() << "tensors of " << element
                       << " with padding are not made physical";
  SmallVector<int64_t> shape;
  std::optional<SizeExpr> places = SizeExpr(1);
  for (const SizeExpr &size : sizes->physicalShape) {
    shape.push_back(size.toNumber());
    places = places->times(size);
  }
  if (*places != sizes->paddedElements)
    shape = {sizes->paddedElements.toNumber()};
  return RankedTensorType::get(shape, element);
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
  if (attr.getValue().tailAlignment != 1) {
    reason = "its layout has a tail alignment L";
    return std::nullopt;
  }
  std::optional<SmallVector<NestDigit>> nest =
      getNest(attr.getValue().withShape(shape), reason);
  if (!nest)
    return std::nullopt;
  SmallVector<PhysicalDigit> digits;
  for (const NestDigit &digit : *nest) {
    digits.push_back({digit.dim, digit.divisor,
                      digit.isOpen ? ShapedType::kDynamic : digit.size});
    bool isPadded = !digit.isOpen && !digit.isTop && digit.used != digit.size;
    if (digit.dim >= 0 && !isPadded)
      continue;
    reason = "its layout has padding inside of a tile";
    return std::nullopt;
  }
  // The digits of a dimension go on where the ones before end.
  SmallVector<PhysicalDigit> byDivisor(digits);
  llvm::stable_sort(byDivisor,
                    [](const PhysicalDigit &a, const PhysicalDigit &b) {
                      return a.divisor < b.divisor;
                    });
  SmallVector<int64_t> reach(shape.size(), 1);
  for (const PhysicalDigit &digit : byDivisor) {
    if (digit.divisor != reach[digit.dim]) {
      reason = "its layout has padding inside of a tile";
      return std::nullopt;
    }
    if (!ShapedType::isDynamic(digit.size))
      reach[digit.dim] *= digit.size;
  }
  // A nest counts a size of 0 as 1, and leaves out digits of one value.
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size == 0 || llvm::none_of(digits, [&, dim = int64_t(dim)](auto &d) {
          return d.dim == dim;
        }))
      digits.insert(digits.begin(),
                    {int64_t(dim), reach[dim], size == 0 ? 0 : 1});
  return makeForm(digits, shape);
}

bool mlir::tensoraccess::areDynamicSizesKept(
    ArrayRef<int64_t> fineShape, ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups, [&](ArrayRef<int64_t> dims) {
    auto isLong = [&](int64_t dim) { return fineShape[dim] != 1; };
    auto isDynamic = [&](int64_t dim) {
      return ShapedType::isDynamic(fineShape[dim]);
    };
    return llvm::none_of(dims, isDynamic) || llvm::count_if(dims, isLong) == 1;
  });
}

std::optional<PhysicalForm> mlir::tensoraccess::collapseForm(
    const PhysicalForm &fine, ArrayRef<int64_t> fineShape,
    ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> coarseShape) {
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
      // Beside a dynamic size there are only ones.
      if (!ShapedType::isDynamic(fineShape[dim]))
        step *= fineShape[dim];
    }
  }
  SmallVector<PhysicalDigit> digits;
  for (const PhysicalDigit &digit : fine.digits)
    digits.push_back(
        {group[digit.dim], digit.divisor * stride[digit.dim], digit.size});
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

RankedTensorType mlir::tensoraccess::getFormType(RankedTensorType type,
                                                 const PhysicalForm &form) {
  return RankedTensorType::get(form.getShape(), type.getElementType());
}

RankedTensorType mlir::tensoraccess::getPlainType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// Of an element; 0 where that is not known.
static int64_t getElementBits(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBits(complex.getElementType());
  int64_t bits =
      isa<IndexType>(element) ? 64 : getValueBits(element).value_or(0);
  // A truth value takes a byte.
  return bits == 1 ? 8 : bits;
}

std::optional<int64_t> mlir::tensoraccess::getPhysicalBytes(
    RankedTensorType type, const PhysicalForm &form, int64_t dynamicSize) {
  SmallVector<int64_t> shape;
  for (const PhysicalDigit &digit : form.digits)
    shape.push_back(ShapedType::isDynamic(digit.size)
                        ? llvm::divideCeilSigned(dynamicSize, digit.divisor)
                        : digit.size);
  std::optional<int64_t> elements = checkedProduct(shape);
  int64_t bits = getElementBits(type.getElementType());
  std::optional<int64_t> total =
      bits ? checkedMul(elements, bits) : std::nullopt;
  return total ? std::optional<int64_t>(llvm::divideCeilSigned(*total, 8))
               : std::nullopt;
}

std::optional<SizeExpr>
mlir::tensoraccess::getSymbolicBytes(RankedTensorType type) {
  auto attr = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
  Layout layout = attr ? attr.getValue() : Layout::rowMajor(type.getRank());
  std::optional<LayoutSizes> sizes =
      getSizes(layout.withShape(type.getShape()));
  int64_t bits = getElementBits(type.getElementType());
  std::optional<SizeExpr> total =
      sizes && bits ? sizes->paddedElements.times(bits) : std::nullopt;
  return total ? total->ceilDiv(8) : std::nullopt;
}
