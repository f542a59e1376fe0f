//===- LayoutSizes.h - Sizes of layouts with dynamic dimensions -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTSIZES_H
#define TENSORACCESS_CORE_LAYOUTSIZES_H

#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Sizes of layouts with dynamic dimensions
//
// A dimension of a layout's shape may be dynamic, `f32[?,128]{1,0:T(8,128)}`.
// Its size is then called n0, after the number of the dimension, as the size
// parameters of indexing maps are. What depends on it is a *size*:
//
//   physical shape    (ceildiv(n0, 8), 1, 8, 128)
//   padded elements   ceildiv(n0, 8) * 1024
//   bytes             ceildiv(n0, 8) * 4096
//
// A size is a product of one number, of sizes of dimensions, and of ceildiv of
// a size by a number: tiles, `*`, L and the packing of bits yield nothing else.
// It is canonical: ceildiv(c·x, m) is reduced by gcd(c, m), ceildiv(ceildiv(x,
// a), b) is ceildiv(x, a·b), and factors are sorted. So equal texts are equal
// sizes, whatever the sizes of dimensions.
//===----------------------------------------------------------------------===//

/// A size that may depend on sizes of dimensions. Operations that can overflow
/// return std::nullopt if they do.
class SizeExpr {
public:
  /*implicit*/ SizeExpr(int64_t value = 0) : coefficient(value) {}
  /// The size of dimension `dim`.
  static SizeExpr ofDim(unsigned dim);
  /// `size`, or that of dimension `dim` where it is dynamic.
  static SizeExpr of(int64_t size, unsigned dim) {
    return Layout::isDynamic(size) ? ofDim(dim) : SizeExpr(size);
  }

  bool isConstant() const { return factors.empty(); }
  /// Requires isConstant().
  int64_t getConstant() const { return coefficient; }
  /// The number, or Layout::kDynamic.
  int64_t toNumber() const {
    return isConstant() ? coefficient : Layout::kDynamic;
  }

  std::optional<SizeExpr> times(const SizeExpr &other) const;
  /// ⌈this / divisor⌉ for divisor ≥ 1.
  std::optional<SizeExpr> ceilDiv(int64_t divisor) const;

  /// The value where dimension i has size sizes[i]; std::nullopt on overflow,
  /// for a negative size and where one is missing.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> sizes) const;
  /// `ceildiv(n0, 8) * 1024`.
  std::string str() const;

  /// Whether this is more than `other` whatever the sizes are, if none is 0;
  /// false proves nothing. Rounding is ignored.
  bool isKnownAbove(const SizeExpr &other) const;

  bool operator==(const SizeExpr &o) const;
  bool operator!=(const SizeExpr &o) const { return !(*this == o); }

  /// A dimension's size, or a ceildiv.
  struct Factor {
    unsigned dim = 0;
    /// 0 for a dimension.
    int64_t divisor = 0;
    /// What is divided: one entry, or none for a dimension.
    std::vector<SizeExpr> body;

    bool operator==(const Factor &o) const {
      return dim == o.dim && divisor == o.divisor && body == o.body;
    }
    std::string str() const;
  };
  /// The number and the other factors of the product.
  int64_t getCoefficient() const { return coefficient; }
  llvm::ArrayRef<Factor> getFactors() const { return factors; }

private:
  int64_t coefficient;
  std::vector<Factor> factors;
};

/// The excess of one size over another: padding.
class SizeDifference {
public:
  SizeDifference() = default;
  SizeDifference(SizeExpr whole, SizeExpr part);

  const SizeExpr &getWhole() const { return whole; }
  const SizeExpr &getPart() const { return part; }
  bool isConstant() const { return whole.isConstant() && part.isConstant(); }
  /// Requires isConstant().
  int64_t getConstant() const {
    return whole.getConstant() - part.getConstant();
  }
  /// As for SizeExpr.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> sizes) const;
  /// `ceildiv(n0, 8) * 8 - n0`.
  std::string str() const;

  bool operator==(const SizeDifference &o) const {
    return whole == o.whole && part == o.part;
  }

private:
  SizeExpr whole, part;
};

/// The sizes of a layout. Constants if its shape is static.
struct LayoutSizes {
  llvm::SmallVector<SizeExpr> physicalShape;
  SizeExpr elements, paddedElements, sizeBytes;
};

/// std::nullopt without a shape, and where a number in them does not fit in 63
/// bits.
std::optional<LayoutSizes> getSizes(const Layout &layout);

/// std::nullopt if there are fewer than 2^63 elements in memory, or their
/// number is unknown; else which tiled shape is too large. A part of
/// Layout::verify.
std::optional<std::string> verifySize(const Layout &layout);

/// `layout` with these sizes of all dimensions. std::nullopt and `error`
/// without a shape, for a wrong number of sizes, where one contradicts a static
/// size or is negative, and as for verifySize.
std::optional<Layout> withSizes(const Layout &layout,
                                llvm::ArrayRef<int64_t> sizes,
                                std::string &error);

/// index -> index into the physical shape, or, if `linear`, -> (number), where
/// sizes may be dynamic: they are the map's runtime variables n0, n1, … and
/// bounds of its dims. std::nullopt and `error` (a reason) where the map is not
/// affine: a dynamic size is merged by `*` below another dimension, or
/// multiplied into a stride; also without a shape and on overflow.
std::optional<IndexingMap> getDynamicMap(const Layout &layout, bool linear,
                                         std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUTSIZES_H
