//===- ElementType.h - The element types that kernels compute with --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar types of reference tensors, their storage and their arithmetic:
//
//   * integers are signless, as in MLIR: storage is two's complement and sums
//     and products wrap. `index` is held as i64. i1 takes a byte, 0 or 1, and
//     orders as 0 < 1;
//   * f16 and bf16 are stored in two bytes. Each operation is done in float and
//     rounded back at once, to nearest even. For +, -, *, / and sqrt that is
//     the correctly rounded result: float carries 24 ≥ 2p + 2 bits of
//     significand for p = 11 (f16) and p = 8 (bf16);
//   * f32 and f64 are the machine's; the library is built without contraction,
//     so that a product is rounded before it is added.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ELEMENTTYPE_H
#define TENSORACCESS_CORE_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace mlir::tensoraccess {

/// The type of a tensor's elements. `index` is I64.
enum class ElementType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// Bytes an element takes in memory (and in a .npy file); 1 for i1.
int64_t byteSize(ElementType type);

/// The name MLIR gives it: `i1`, `bf16`, `f32`, ….
llvm::StringRef toString(ElementType type);

/// True for f16, bf16, f32 and f64.
bool isFloat(ElementType type);

/// True where every value of `from` is one of `to`: an integer type of at least
/// as many bits (by sign extension), a float type that holds every float, or
/// the type itself.
bool isExtension(ElementType from, ElementType to);

/// Bits of an integer type, 1 … 64; of a float type, its storage.
unsigned bitWidth(ElementType type);

//===----------------------------------------------------------------------===//
// Small floats
//===----------------------------------------------------------------------===//

/// Rounds a double to IEEE binary16, nearest even; overflow gives infinity, a
/// NaN stays a quiet NaN.
uint16_t toF16Bits(double value);
/// The value of a binary16; exact.
float fromF16Bits(uint16_t bits);
/// Rounds a double to bfloat16 (the upper half of a binary32), nearest even.
uint16_t toBF16Bits(double value);
/// The value of a bfloat16; exact.
float fromBF16Bits(uint16_t bits);

/// Storage of one f16 element.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(double value) : bits(toF16Bits(value)) {}
  explicit operator float() const { return fromF16Bits(bits); }
};

/// Storage of one bf16 element.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(double value) : bits(toBF16Bits(value)) {}
  explicit operator float() const { return fromBF16Bits(bits); }
};

/// Storage of one i1 element.
struct Bit {
  uint8_t value = 0;
  Bit() = default;
  explicit Bit(bool value) : value(value) {}
};

//===----------------------------------------------------------------------===//
// Arithmetic on storage types
//===----------------------------------------------------------------------===//

/// The operations that reference kernels need, on a storage type, each rounded
/// to the type. `max` gives NaN if either is NaN and +0 for (+0, -0).
template <typename T>
struct Arithmetic {
  static constexpr bool isFloat = !std::is_integral_v<T>;
  using Wide = std::conditional_t<
      std::is_integral_v<T>, uint64_t,
      std::conditional_t<std::is_same_v<T, double>, double, float>>;

  static T add(T a, T b) { return T(Wide(a) + Wide(b)); }
  static T mul(T a, T b) { return T(Wide(a) * Wide(b)); }
  static T max(T a, T b) {
    if constexpr (isFloat) {
      Wide x(a), y(b);
      if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) ? a : b;
      return x > y || (x == y && !std::signbit(x)) ? a : b;
    } else {
      return a > b ? a : b;
    }
  }
  static T sub(T a, T b) { return T(Wide(a) - Wide(b)); }
  static T neg(T a) { return T(-Wide(a)); }
  /// Integers: b ≠ 0; toward zero, and least / -1 wraps.
  static T div(T a, T b) {
    if constexpr (isFloat)
      return T(Wide(a) / Wide(b));
    else
      return b == T(-1) ? neg(a) : T(a / b);
  }
  /// Floats only. The exponential is computed in double and rounded once.
  static T sqrt(T a) { return T(std::sqrt(Wide(a))); }
  static T exp(T a) { return T(std::exp(double(Wide(a)))); }
  static bool isZero(T a) { return Wide(a) == 0; }
  static T zero() { return T(0); }
  static T one() { return T(1); }
  /// The same number in a type that holds it.
  template <typename To>
  static To extend(T a) {
    if constexpr (isFloat)
      return To(Wide(a));
    else
      return To(a);
  }
};

/// i1: addition is exclusive or, multiplication is and; as a signed number, 1
/// is -1.
template <>
struct Arithmetic<Bit> {
  static constexpr bool isFloat = false;
  static Bit add(Bit a, Bit b) { return Bit((a.value ^ b.value) & 1); }
  static Bit mul(Bit a, Bit b) { return Bit(a.value & b.value & 1); }
  static Bit max(Bit a, Bit b) { return Bit((a.value | b.value) & 1); }
  static Bit neg(Bit a) { return a; }
  static Bit div(Bit a, Bit) { return a; }
  static bool isZero(Bit a) { return a.value == 0; }
  static Bit zero() { return Bit(false); }
  static Bit one() { return Bit(true); }
  template <typename To>
  static To extend(Bit a) {
    if constexpr (std::is_same_v<To, Bit>)
      return a;
    else
      return To(-int(a.value));
  }
};

/// A storage type as a value, for `dispatch`.
template <typename T>
struct TypeTag {
  using type = T;
};

/// Calls `fn(TypeTag<T>())` with the storage type of `type`.
template <typename Fn>
decltype(auto) dispatch(ElementType type, Fn &&fn) {
  switch (type) {
  case ElementType::I1:
    return fn(TypeTag<Bit>());
  case ElementType::I8:
    return fn(TypeTag<int8_t>());
  case ElementType::I16:
    return fn(TypeTag<int16_t>());
  case ElementType::I32:
    return fn(TypeTag<int32_t>());
  case ElementType::I64:
    return fn(TypeTag<int64_t>());
  case ElementType::F16:
    return fn(TypeTag<Half>());
  case ElementType::BF16:
    return fn(TypeTag<BFloat16>());
  case ElementType::F32:
    return fn(TypeTag<float>());
  case ElementType::F64:
    return fn(TypeTag<double>());
  }
  llvm_unreachable("every element type has a storage type");
}

/// isExtension on storage types.
template <typename From, typename To>
constexpr bool isExtensionOf() {
  if constexpr (std::is_same_v<From, To>)
    return true;
  else if constexpr (std::is_same_v<From, Bit>)
    return std::is_integral_v<To>;
  else if constexpr (std::is_integral_v<From>)
    return std::is_integral_v<To> && sizeof(From) < sizeof(To);
  else
    return std::is_floating_point_v<To> && sizeof(From) < sizeof(To);
}

/// Calls `fn(TypeTag<From>(), TypeTag<To>())` where `to` extends `from`.
template <typename Fn>
void dispatchExtension(ElementType from, ElementType to, Fn &&fn) {
  dispatch(from, [&](auto fromTag) {
    using From = typename decltype(fromTag)::type;
    dispatch(to, [&](auto toTag) {
      using To = typename decltype(toTag)::type;
      if constexpr (isExtensionOf<From, To>())
        fn(fromTag, toTag);
    });
  });
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ELEMENTTYPE_H
