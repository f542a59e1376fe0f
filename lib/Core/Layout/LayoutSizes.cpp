//===- LayoutSizes.cpp - Sizes of layouts with dynamic dimensions ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three steps of Layout.h with sizes in place of numbers. The maps take the
// same steps with forms: a coordinate is multiplied only by sizes that are
// constants, else there is no affine map and the step has the reason.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/LayoutStages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

SizeExpr SizeExpr::ofDim(unsigned dim) {
  SizeExpr size(1);
  size.factors.push_back({dim, 0, {}});
  return size;
}

std::optional<SizeExpr> SizeExpr::times(const SizeExpr &other) const {
  std::optional<int64_t> product = checkedMul(coefficient, other.coefficient);
  if (!product)
    return std::nullopt;
  SizeExpr result(*product);
  if (*product == 0)
    return result;
  result.factors = factors;
  llvm::append_range(result.factors, other.factors);
  // Dimensions first, then the others by text.
  llvm::sort(result.factors, [](const Factor &a, const Factor &b) {
    bool isDimA = a.divisor == 0, isDimB = b.divisor == 0;
    if (isDimA != isDimB)
      return isDimA;
    return isDimA ? a.dim < b.dim : a.str() < b.str();
  });
  return result;
}

std::optional<SizeExpr> SizeExpr::ceilDiv(int64_t divisor) const {
  int64_t common = std::gcd(coefficient, divisor);
  SizeExpr body = *this;
  body.coefficient /= common;
  divisor /= common;
  if (divisor == 1 || coefficient == 0)
    return body;
  if (isConstant())
    return SizeExpr(ceilDivPositive(body.coefficient, divisor));
  // ⌈⌈x/a⌉/b⌉ = ⌈x/(a·b)⌉
  if (body.coefficient == 1 && body.factors.size() == 1 &&
      body.factors[0].divisor != 0) {
    std::optional<int64_t> both = checkedMul(body.factors[0].divisor, divisor);
    if (!both)
      return std::nullopt;
    return SizeExpr(body.factors[0].body[0]).ceilDiv(*both);
  }
  SizeExpr result(1);
  result.factors.push_back({0, divisor, {std::move(body)}});
  return result;
}

std::optional<int64_t> SizeExpr::evaluate(ArrayRef<int64_t> sizes) const {
  // A zero decides even where the other factors would not fit.
  std::optional<int64_t> value = coefficient;
  bool isZero = coefficient == 0;
  for (const Factor &factor : factors) {
    std::optional<int64_t> size;
    if (factor.divisor != 0) {
      size = factor.body[0].evaluate(sizes);
      if (size)
        size = ceilDivPositive(*size, factor.divisor);
    } else if (factor.dim < sizes.size() && sizes[factor.dim] >= 0) {
      size = sizes[factor.dim];
    } else {
      return std::nullopt;
    }
    if (size && *size == 0)
      isZero = true;
    value = value && size ? checkedMul(*value, *size) : std::nullopt;
  }
  if (isZero)
    return 0;
  return value;
}

std::string SizeExpr::Factor::str() const {
  if (divisor == 0)
    return getSizeName(dim);
  return "ceildiv(" + body[0].str() + ", " + std::to_string(divisor) + ")";
}

std::string SizeExpr::str() const {
  std::string text;
  for (const Factor &factor : factors)
    text += (text.empty() ? "" : " * ") + factor.str();
  if (text.empty() || coefficient != 1)
    text += (text.empty() ? "" : " * ") + std::to_string(coefficient);
  return text;
}

bool SizeExpr::operator==(const SizeExpr &o) const {
  return coefficient == o.coefficient && factors == o.factors;
}

namespace {
/// A product of sizes of dimensions over a number, times a number.
struct Ratio {
  std::optional<int64_t> numerator = 1, denominator = 1;
  SmallVector<unsigned> dims;

  void multiply(int64_t by) {
    numerator = numerator ? checkedMul(*numerator, by) : std::nullopt;
  }
  void divide(int64_t by) {
    denominator = denominator ? checkedMul(*denominator, by) : std::nullopt;
  }
};
} // namespace

bool SizeExpr::isKnownAbove(const SizeExpr &other) const {
  // ⌈x/m⌉ is at least x/m; `other` must have no rounding.
  Ratio bound;
  SmallVector<const SizeExpr *> work = {this};
  while (!work.empty()) {
    const SizeExpr *size = work.pop_back_val();
    bound.multiply(size->coefficient);
    for (const Factor &factor : size->factors) {
      if (factor.divisor == 0) {
        bound.dims.push_back(factor.dim);
        continue;
      }
      bound.divide(factor.divisor);
      work.push_back(&factor.body[0]);
    }
  }
  SmallVector<unsigned> dims;
  for (const Factor &factor : other.factors) {
    if (factor.divisor != 0)
      return false;
    dims.push_back(factor.dim);
  }
  llvm::sort(bound.dims);
  llvm::sort(dims);
  if (bound.dims != dims || !bound.numerator || !bound.denominator)
    return false;
  std::optional<int64_t> right =
      checkedMul(other.coefficient, *bound.denominator);
  return right && *bound.numerator > *right;
}

SizeDifference::SizeDifference(SizeExpr whole, SizeExpr part)
    : whole(std::move(whole)), part(std::move(part)) {
  if (this->whole == this->part)
    this->whole = this->part = 0;
}

std::optional<int64_t> SizeDifference::evaluate(ArrayRef<int64_t> sizes) const {
  std::optional<int64_t> a = whole.evaluate(sizes), b = part.evaluate(sizes);
  return a && b ? checkedSub(*a, *b) : std::nullopt;
}

std::string SizeDifference::str() const {
  if (isConstant())
    return std::to_string(getConstant());
  return part == SizeExpr(0) ? whole.str() : whole.str() + " - " + part.str();
}

//===----------------------------------------------------------------------===//
// Of layouts
//===----------------------------------------------------------------------===//

static std::optional<SizeExpr> multiply(ArrayRef<SizeExpr> sizes) {
  std::optional<SizeExpr> product = SizeExpr(1);
  // A zero first: then nothing overflows.
  for (const SizeExpr &size : sizes)
    if (size == SizeExpr(0))
      return SizeExpr(0);
  for (const SizeExpr &size : sizes)
    if (product)
      product = product->times(size);
  return product;
}

std::optional<SmallVector<LayoutStage, 2>>
mlir::tensoraccess::getStages(const Layout &layout,
                              llvm::SmallVectorImpl<SizeExpr> &physical) {
  if (!layout.shape)
    return std::nullopt;
  physical.clear();
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    physical.push_back(SizeExpr::of((*layout.shape)[dim], dim));
  SmallVector<LayoutStage, 2> stages;
  for (const Tile &tile : layout.tiles) {
    LayoutStage &stage = stages.emplace_back();
    if (tile.size() > physical.size())
      stage.added = tile.size() - physical.size();
    stage.sizes.assign(stage.added, SizeExpr(1));
    llvm::append_range(stage.sizes, physical);
    const size_t prefix = stage.sizes.size() - tile.size();
    for (size_t i = 0; i < prefix; ++i)
      stage.groups.push_back({static_cast<int64_t>(i)});
    stage.merged.assign(stage.sizes.begin(), stage.sizes.begin() + prefix);
    int64_t first = prefix, last = prefix;
    const bool isApplied = applyTile(
        physical, tile, SizeExpr(1),
        [&](SizeExpr &, const SizeExpr &) {
          ++last;
          return true;
        },
        [&](SizeExpr &size, int64_t divisor, SizeExpr &inner) {
          stage.groups.push_back(
              llvm::to_vector<2>(llvm::seq_inclusive(first, last)));
          std::optional<SizeExpr> all =
              multiply(ArrayRef(stage.sizes).slice(first, last - first + 1));
          std::optional<SizeExpr> outer = all ? all->ceilDiv(divisor) : all;
          if (!outer)
            return false;
          stage.merged.push_back(*all);
          stage.tile.push_back(divisor);
          size = *outer;
          inner = SizeExpr(divisor);
          first = ++last;
          return true;
        });
    if (!isApplied)
      return std::nullopt;
  }
  return stages;
}

std::optional<LayoutSizes> mlir::tensoraccess::getSizes(const Layout &layout) {
  if (!layout.shape)
    return std::nullopt;
  SmallVector<SizeExpr> physical, sizes;
  for (auto [dim, size] : llvm::enumerate(*layout.shape))
    sizes.push_back(SizeExpr::of(size, dim));
  std::optional<SizeExpr> elements = multiply(sizes);
  if (!elements || !getStages(layout, physical))
    return std::nullopt;
  std::optional<SizeExpr> padded = multiply(physical);
  if (padded)
    padded = padded->ceilDiv(layout.tailAlignment);
  if (padded)
    padded = padded->times(layout.tailAlignment);
  std::optional<SizeExpr> bytes;
  if (padded)
    bytes = padded->times(
        layout.elementBits.value_or(layout.elementType->getBits()));
  if (bytes)
    bytes = bytes->ceilDiv(8);
  if (!bytes)
    return std::nullopt;
  return LayoutSizes{std::move(physical), *elements, *padded, *bytes};
}

std::optional<std::string>
mlir::tensoraccess::verifySize(const Layout &layout) {
  if (!layout.hasStaticShape() || layout.getPaddedElements())
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "tiled shape has more than 2^63 - 1 elements: " << layout.layoutStr()
     << " of [";
  llvm::interleaveComma(*layout.shape, os);
  os << ']';
  return text;
}

std::optional<Layout> mlir::tensoraccess::withSizes(const Layout &layout,
                                                    ArrayRef<int64_t> sizes,
                                                    std::string &error) {
  if (!layout.shape) {
    error = "the layout has no shape";
    return std::nullopt;
  }
  if (sizes.size() != layout.shape->size()) {
    error = "the layout has rank " + std::to_string(layout.shape->size()) +
            ", got " + std::to_string(sizes.size()) + " sizes";
    return std::nullopt;
  }
  for (auto [dim, size] : llvm::enumerate(*layout.shape)) {
    if (sizes[dim] >= 0 && (Layout::isDynamic(size) || sizes[dim] == size))
      continue;
    error = "size of dimension " + std::to_string(dim) + " must be " +
            (Layout::isDynamic(size) ? "non-negative" : std::to_string(size)) +
            ", got " + std::to_string(sizes[dim]);
    return std::nullopt;
  }
  Layout fixed = layout.withShape(sizes, *layout.elementType);
  if (std::optional<std::string> problem = verifySize(fixed)) {
    error = std::move(*problem);
    return std::nullopt;
  }
  return fixed;
}

//===----------------------------------------------------------------------===//
// As indexing maps
//===----------------------------------------------------------------------===//

static std::string notAffine(const std::string &what) {
  return what + " is dynamic, so the map is not affine";
}

std::optional<IndexingMap>
mlir::tensoraccess::getDynamicMap(const Layout &layout, bool linear,
                                  std::string &error) {
  error = "the size overflows 64-bit arithmetic";
  if (!layout.shape) {
    error = "the layout has no shape";
    return std::nullopt;
  }
  SmallVector<SizeExpr> sizes;
  std::optional<SmallVector<LayoutStage, 2>> stages = getStages(layout, sizes);
  if (!stages || !multiply(sizes))
    return std::nullopt;
  if (llvm::is_contained(*layout.shape, 0))
    if (layout.hasStaticShape())
      return emptyMap(*layout.shape, linear ? 1 : sizes.size());
  IndexingMapBuilder map;
  SmallVector<Form> index, parameters(layout.getRank(), Form(0));
  for (int64_t size : *layout.shape)
    index.push_back(map.addDim(Layout::isDynamic(size)
                                   ? Interval::atLeast(0)
                                   : Interval::ofExtent(size)));
  for (auto [dim, size] : llvm::enumerate(*layout.shape))
    if (Layout::isDynamic(size))
      parameters[dim] = map.addRuntime(Interval::atLeast(0), getSizeName(dim));
  FormArena &arena = map.arena();
  for (auto [dim, size] : llvm::enumerate(*layout.shape))
    if (Layout::isDynamic(size))
      map.addConstraint(arena.sub(index[dim], parameters[dim]),
                        Interval::atMost(-1));

  SmallVector<Form> coordinates;
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    coordinates.push_back(index[dim]);
  for (const LayoutStage &stage : *stages) {
    coordinates.insert(coordinates.begin(), stage.added, Form(0));
    SmallVector<Form> outer, inner;
    for (auto [i, group] : llvm::enumerate(stage.groups)) {
      Form merged = coordinates[group.front()];
      for (int64_t dim : ArrayRef(group).drop_front()) {
        const SizeExpr &size = stage.sizes[dim];
        if (size.isConstant()) {
          merged =
              arena.addScaled(coordinates[dim], merged, size.getConstant());
        } else if (merged != Form(0)) {
          error =
              notAffine("size " + size.str() + ", which '*' multiplies by,");
          return std::nullopt;
        } else {
          merged = coordinates[dim];
        }
      }
      if (i >= stage.getPrefix()) {
        int64_t tile = stage.tile[i - stage.getPrefix()];
        inner.push_back(arena.mod(merged, tile));
        merged = arena.floorDiv(merged, tile);
      }
      outer.push_back(merged);
    }
    llvm::append_range(outer, inner);
    coordinates = std::move(outer);
  }
  Form number(0);
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, sizes)) {
    if (!linear) {
      map.addResult(coordinate);
      continue;
    }
    if (!size.isConstant() && number != Form(0)) {
      error = notAffine("physical size " + size.str() + ", part of a stride,");
      return std::nullopt;
    }
    number = size.isConstant()
                 ? arena.addScaled(coordinate, number, size.getConstant())
                 : coordinate;
  }
  if (linear)
    map.addResult(number);
  IndexingMap result = map.build();
  if (result.isUnknown())
    return std::nullopt;
  return result.simplify();
}
