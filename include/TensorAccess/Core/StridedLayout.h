//===- StridedLayout.h - Shapes and strides, nested -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_STRIDEDLAYOUT_H
#define TENSORACCESS_CORE_STRIDEDLAYOUT_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Shapes and strides, nested
//
// CuTe's layouts: a *mode* is a size and a stride, or a list of modes. It maps
// a coordinate, a number or a list for each list of modes, to a number:
//
//   (4,(2,2)):(1,(16,4))       (1,(0,1)) -> 1*1 + 0*16 + 1*4 = 5
//
// A number in the place of a list of modes stands for the coordinate of that
// place in colexicographic order, the first mode fastest; beyond the size, the
// last mode continues. So layouts are functions on numbers, and compose:
//
//   compose(a, b)(x) = a(b(x)),    in the shape of b
//
// This is an access map: the number b(x), cut by the sizes of a, is a sum of
// digits, which the forms engine simplifies. Where each digit is one of a
// single mode of b, the composition has a shape and strides again, and is
// returned that way; where it is not (CuTe refuses, or is wrong), the map is
// the answer, and the layout holds the reason. Nothing is approximated.
//
// A *swizzle* after the strides exchanges bits of the number, which spreads
// columns over the banks of a memory:
//
//   Sw<B,M,S>(n) = n xor ((n >> S) and (2^B - 1)·2^M)
//   Sw<B,M,-S>(n) = n xor ((n and (2^B - 1)·2^M) << S)
//===----------------------------------------------------------------------===//

/// B bits from bit M on, and those |S| higher: the lower ones are xored with
/// the higher ones, and the other way round for S < 0. B and M are not
/// negative, |S| ≥ B.
struct Swizzle {
  int64_t bits = 0, base = 0, shift = 0;

  /// std::nullopt, or what is wrong.
  std::optional<std::string> verify() const;
  /// The swizzled number; `number` must not be negative.
  int64_t apply(int64_t number) const;
  /// `Sw<3,4,3>`.
  std::string str() const;
  bool operator==(const Swizzle &o) const {
    return bits == o.bits && base == o.base && shift == o.shift;
  }
};

/// The swizzled form: exclusive or of bits is their sum, modulo 2.
Form addSwizzle(FormArena &arena, const Form &n, const Swizzle &swizzle);

/// A size and a stride, or a list of modes.
struct StridedMode {
  int64_t size = 1, stride = 0;
  bool isList = false;
  std::vector<StridedMode> modes;
  /// The dim of the layout's map, where it has one instead of strides.
  unsigned dim = 0;

  /// The product of all sizes; they must fit (StridedLayout::verify).
  int64_t getSize() const;
  /// The size and stride of a list don't count.
  bool operator==(const StridedMode &o) const;
};

/// A value type. `verify` checks that the members fit together, and every other
/// function except `str` requires it.
class StridedLayout {
public:
  StridedMode root;
  std::optional<Swizzle> swizzle;
  /// Instead of strides, a map from the coordinates of all modes to a number;
  /// and why there are no strides.
  std::optional<IndexingMap> map;
  std::string whyNoStrides;

  StridedLayout() = default;
  StridedLayout(int64_t size, int64_t stride)
      : root{size, stride, false, {}, 0} {}
  /// The modes one after the other; their numbers are added.
  static std::optional<StridedLayout>
  list(llvm::ArrayRef<StridedLayout> layouts, std::string &error);
  /// Reads `(4,(2,2)):(1,(16,4))`, `8:1`, `Sw<3,3,3> o (8,64):(64,1)`.
  static std::optional<StridedLayout> parse(llvm::StringRef text,
                                            ParseError &error);
  /// Each dimension of a tiled layout is a mode, a list where tiles cut it.
  /// std::nullopt and `error` without a static shape and if padding or `*`
  /// rules out such a layout.
  static std::optional<StridedLayout> fromLayout(const Layout &layout,
                                                 std::string &error);

  std::optional<std::string> verify() const;
  bool hasStrides() const { return !map && !swizzle; }
  std::string str() const;

  /// The modes of the root's list; 1 if it is not a list.
  unsigned getRank() const { return root.isList ? root.modes.size() : 1; }
  StridedLayout getMode(unsigned i) const;
  /// The modes that are not lists, in order.
  llvm::SmallVector<StridedMode> getLeaves() const;
  int64_t getSize() const { return root.getSize(); }
  /// The range of all numbers: the smallest interval for strides.
  Interval getRange() const;
  /// How many numbers that range has; std::nullopt if a map does not bound it.
  std::optional<int64_t> getCosize() const;
  /// The number at a colexicographic coordinate; std::nullopt if it is negative
  /// and on overflow.
  std::optional<int64_t> evaluate(int64_t number) const;
  /// The coordinates of all leaves at a colexicographic one, of which the last
  /// leaf has what others leave.
  llvm::SmallVector<int64_t> getPoint(int64_t number) const;
  /// The number at the coordinates of all leaves.
  std::optional<int64_t> evaluateLeaves(llvm::ArrayRef<int64_t> point) const;
  /// Coordinates of all leaves -> number. Exact.
  IndexingMap getMap() const;

  bool operator==(const StridedLayout &o) const;
};

llvm::hash_code hash_value(const StridedLayout &layout);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_STRIDEDLAYOUT_H
