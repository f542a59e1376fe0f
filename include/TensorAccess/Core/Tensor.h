//===- Tensor.h - Arrays of typed elements ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_TENSOR_H
#define TENSORACCESS_CORE_TENSOR_H

#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// The element types that kernels compute with
//===----------------------------------------------------------------------===//

/// The type of a tensor's elements. `index` is I64.
enum class ElementType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// Bytes an element takes in memory (and in a .npy file); 1 for i1.
int64_t byteSize(ElementType type);

/// The name MLIR gives it: `i1`, `bf16`, `f32`, ….
llvm::StringRef toString(ElementType type);

/// True for f16, bf16, f32 and f64.
bool isFloat(ElementType type);

/// True if every value of `from` is one of `to`: an integer type of at least
/// as many bits (by sign extension), a float type that holds every float, or
/// the type itself.
bool isExtension(ElementType from, ElementType to);

/// Bits of an integer type, 1 … 64; of a float type, its storage.
unsigned bitWidth(ElementType type);

/// Significand bits of a float type, the hidden one included.
int getPrecision(ElementType type);

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
  /// The step of a sum of products: with one rounding in f32 and f64.
  static T addProduct(T sum, T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fma(a, b, sum);
    else
      return add(sum, mul(a, b));
  }
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
  static Bit addProduct(Bit sum, Bit a, Bit b) { return add(sum, mul(a, b)); }
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

//===----------------------------------------------------------------------===//
// Strided views of numbers in memory
//===----------------------------------------------------------------------===//

/// A strided view of a shared buffer.
class Tensor {
public:
  /// A scalar 0 : f32.
  Tensor();

  /// A new dense tensor of zeros, aligned to 64 bytes. Fails if a size is
  /// negative, the byte count does not fit in 63 bits, or memory is exhausted.
  static llvm::Expected<Tensor> create(ElementType type,
                                       llvm::ArrayRef<int64_t> shape);

  /// A view of memory that is owned elsewhere; `owner` keeps it alive (it may
  /// be null). `data` points at element (0, …, 0); strides are in elements.
  static Tensor wrap(ElementType type, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> strides, void *data,
                     std::shared_ptr<void> owner);

  /// A new dense tensor of pseudo-random elements, as defined in Tensor.cpp.
  /// Inputs of a program use their position as the stream.
  static llvm::Expected<Tensor> random(ElementType type,
                                       llvm::ArrayRef<int64_t> shape,
                                       uint64_t seed, uint64_t stream = 0);

  /// A scalar (rank 0), rounded or wrapped to the type.
  static Tensor scalar(ElementType type, double value);
  static Tensor scalarInt(ElementType type, int64_t value);

  ElementType getElementType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDim(int64_t i) const { return shape[i]; }
  /// The product of the shape; every Tensor's fits in 63 bits.
  int64_t getNumElements() const { return *elementCount(shape); }

  /// Element (0, …, 0). The caller must stay inside the view.
  void *getData() { return data; }
  const void *getData() const { return data; }
  /// The same, as the storage type of getElementType().
  template <typename T>
  T *getDataAs() const {
    return reinterpret_cast<T *>(data);
  }
  /// What keeps the memory alive.
  const std::shared_ptr<void> &getOwner() const { return owner; }

  /// The address of an element, unchecked.
  void *getElement(llvm::ArrayRef<int64_t> index) const;

  /// An element as a double (i64 beyond 2^53 is rounded) or as an integer
  /// (floats are truncated toward zero and saturated; NaN gives 0). The index
  /// is not checked.
  double getDouble(llvm::ArrayRef<int64_t> index) const;
  int64_t getInt(llvm::ArrayRef<int64_t> index) const;
  /// Writes an element, rounded or wrapped to the type.
  void setDouble(llvm::ArrayRef<int64_t> index, double value);
  void setInt(llvm::ArrayRef<int64_t> index, int64_t value);

  /// True if the elements are laid out in row-major order without gaps.
  bool isDense() const;
  /// A copy that owns its memory, dense and row-major.
  llvm::Expected<Tensor> clone() const;
  /// This tensor where it is dense, else a clone.
  llvm::Expected<Tensor> toDense() const;

  //===--------------------------------------------------------------------===//
  // Views. Arguments must be valid, as each comment says.
  //===--------------------------------------------------------------------===//

  /// Dimension i of the result is dimension perm[i]; perm is a permutation.
  Tensor transpose(llvm::ArrayRef<int64_t> perm) const;
  /// A new dimension of the given size, along which all elements are equal.
  Tensor broadcastAt(int64_t axis, int64_t size) const;
  /// Removes a dimension by fixing its index, 0 ≤ index < size.
  Tensor select(int64_t axis, int64_t index) const;
  /// `result[x] = this[offsets + x·steps]`; every element must be inside.
  Tensor slice(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
               llvm::ArrayRef<int64_t> steps = {}) const;
  /// The same memory with another shape and strides, `shift` elements further.
  Tensor restride(llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<int64_t> strides, int64_t shift = 0) const;
  /// Another shape with the same elements in row-major order: a view where
  /// strides allow, else a copy. Fails if the element counts differ.
  llvm::Expected<Tensor> reshape(llvm::ArrayRef<int64_t> newShape) const;

private:
  Tensor(ElementType type, llvm::ArrayRef<int64_t> shape,
         llvm::ArrayRef<int64_t> strides, void *data,
         std::shared_ptr<void> owner);

  ElementType type;
  llvm::SmallVector<int64_t, 4> shape, strides;
  char *data;
  std::shared_ptr<void> owner;
};

/// Copies the elements of `from` to those of `to`: same type, same shape,
/// memory that does not overlap.
void copyElements(const Tensor &from, Tensor &to);

/// Sets every element, rounded or wrapped to the type, to a scalar tensor of
/// the same type.
void fillElements(Tensor &tensor, const Tensor &scalar);

/// `f32 3x5x7`, as messages name a tensor.
std::string describe(const Tensor &tensor);

/// How two tensors differ. Differences are of the values as doubles (integers:
/// exact up to 2^64); `NaN` against `NaN` counts as no difference, `NaN`
/// against a number and infinity against anything else as infinite ones.
struct Comparison {
  int64_t elements = 0;
  /// Elements with the same bits.
  int64_t bitEqual = 0;
  /// Elements where one is NaN and the other is not.
  int64_t nanMismatches = 0;
  /// max |a - b|, and max |a - b| / max(|a|, |b|) (0 where both are 0), each
  /// with the first index that has it; the indices are empty if every
  /// difference is 0.
  double maxAbs = 0, maxRel = 0;
  llvm::SmallVector<int64_t> maxAbsIndex, maxRelIndex;

  bool allBitEqual() const { return bitEqual == elements; }
};

/// Compares element by element. Fails if types or shapes differ.
llvm::Expected<Comparison> compare(const Tensor &a, const Tensor &b);
/// Whether types, shapes and all bits are the same.
bool isIdentical(const Tensor &a, const Tensor &b);

//===----------------------------------------------------------------------===//
// Tensors in numpy's file format
//===----------------------------------------------------------------------===//

/// Reads a tensor from the bytes of a .npy file; messages begin with `name`.
/// Complex numbers become floats with a last dimension of 2.
llvm::Expected<Tensor> parseNpy(llvm::StringRef bytes, llvm::StringRef name);

/// Reads a .npy file. Messages name the path and the offending type, shape or
/// length.
llvm::Expected<Tensor> readNpy(llvm::StringRef path);

/// The bytes of a .npy file with this tensor in C order. `outerType` is MLIR's
/// name for the elements if they are neither floats nor signed integers: `ui8`,
/// or `complex<f32>`, whose parts are the last dimension's two.
llvm::Expected<std::string> formatNpy(const Tensor &tensor,
                                      llvm::StringRef outerType = "");

/// Writes a .npy file.
llvm::Error writeNpy(llvm::StringRef path, const Tensor &tensor,
                     llvm::StringRef outerType = "");

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_TENSOR_H
