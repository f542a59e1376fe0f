//===- RelayoutConvert.cpp - Elements on their way ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between the types that relayouts know, and between elements
// packed into bits and elements in bytes of their own.
//
//===----------------------------------------------------------------------===//

#include "RelayoutConvert.h"
#include "TensorAccess/Core/Tensor.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 12)
#define TENSORACCESS_HAS_AVX2
#include <immintrin.h>
#endif

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::relayout;
using llvm::StringRef;

/// `count` elements, one after the other.
using ConvertFn = void (*)(uint8_t *target, const uint8_t *source,
                           int64_t count);

int64_t relayout::getHolder(int64_t bits) {
  for (int64_t bytes : {1, 2, 4, 8, 16})
    if (bits <= 8 * bytes)
      return bytes;
  return 0;
}

static bool isConvertibleFloat(StringRef name) {
  return name == "f16" || name == "bf16" || name == "f32" || name == "f64";
}

static bool isSignedInteger(StringRef name) {
  return name.consume_front("s") && !name.empty();
}

bool relayout::canConvert(XlaType from, XlaType to) {
  if (from == to)
    return true;
  StringRef a = from.getName(), b = to.getName();
  return (isConvertibleFloat(a) && isConvertibleFloat(b)) ||
         (from.isUnsignedInteger() && to.isUnsignedInteger()) ||
         (isSignedInteger(a) && isSignedInteger(b));
}

template <typename From, typename To>
static void convertElements(uint8_t *target, const uint8_t *source,
                            int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    From from;
    std::memcpy(&from, source + i * sizeof(From), sizeof(From));
    To to;
    if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>)
      to = To(static_cast<float>(from));
    else
      to = To(from);
    std::memcpy(target + i * sizeof(To), &to, sizeof(To));
  }
}

template <typename From>
static ConvertFn fromFloat(StringRef to) {
  if (to == "f16")
    return convertElements<From, Half>;
  if (to == "bf16")
    return convertElements<From, BFloat16>;
  if (to == "f32")
    return convertElements<From, float>;
  return convertElements<From, double>;
}

template <typename From>
static ConvertFn fromInteger(int64_t bytes) {
  constexpr bool isSigned = std::is_signed_v<From>;
  switch (bytes) {
  case 1:
    return convertElements<From, std::conditional_t<isSigned, int8_t, uint8_t>>;
  case 2:
    return convertElements<From,
                           std::conditional_t<isSigned, int16_t, uint16_t>>;
  case 4:
    return convertElements<From,
                           std::conditional_t<isSigned, int32_t, uint32_t>>;
  default:
    return convertElements<From,
                           std::conditional_t<isSigned, int64_t, uint64_t>>;
  }
}

/// From holders of `bytes` bytes, of which at most the low 8 count.
static void loadValues(uint64_t *values, const uint8_t *source, int64_t bytes,
                       int64_t count) {
  auto load = [&](auto value) {
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(&value, source + i * bytes, sizeof(value));
      values[i] = value;
    }
  };
  switch (bytes) {
  case 1:
    return load(uint8_t());
  case 2:
    return load(uint16_t());
  case 4:
    return load(uint32_t());
  default:
    return load(uint64_t());
  }
}

/// The converse; holders of 16 bytes are extended.
static void storeValues(uint8_t *target, const uint64_t *values, int64_t bytes,
                        bool isSigned, int64_t count) {
  auto store = [&](auto value) {
    for (int64_t i = 0; i < count; ++i) {
      value = static_cast<decltype(value)>(values[i]);
      std::memcpy(target + i * bytes, &value, sizeof(value));
    }
  };
  switch (bytes) {
  case 1:
    return store(uint8_t());
  case 2:
    return store(uint16_t());
  case 4:
    return store(uint32_t());
  case 8:
    return store(uint64_t());
  default:
    store(uint64_t());
    for (int64_t i = 0; i < count; ++i) {
      uint64_t high = isSigned && values[i] >> 63 ? ~uint64_t(0) : 0;
      std::memcpy(target + i * bytes + 8, &high, 8);
    }
  }
}

namespace {
/// A conversion of elements whose holders on a side are wider than their type:
/// `bits` of each value are kept and extended to the target's holder. Floats
/// that change their type (from `fromValue` to `toValue` bytes) do so by
/// `function` on the way, null for others.
struct ValueConversion {
  int64_t fromBytes, toBytes, bits;
  bool isSigned;
  ConvertFn function = nullptr;
  int64_t fromValue = 0, toValue = 0;

  void operator()(uint8_t *target, const uint8_t *source, int64_t count) const;
};
} // namespace

void ValueConversion::operator()(uint8_t *target, const uint8_t *source,
                                 int64_t count) const {
  constexpr int64_t block = 256;
  uint64_t values[block];
  uint8_t before[8 * block], after[8 * block];
  // Above `bits`, which are 1 to 64.
  const uint64_t mask = ~uint64_t(0) >> (64 - bits);
  const uint64_t sign = isSigned ? uint64_t(1) << (bits - 1) : 0;
  for (int64_t begin = 0; begin < count; begin += block) {
    int64_t n = std::min(block, count - begin);
    loadValues(values, source + begin * fromBytes, fromBytes, n);
    if (function) {
      storeValues(before, values, fromValue, /*isSigned=*/false, n);
      function(after, before, n);
      loadValues(values, after, toValue, n);
    }
    for (int64_t i = 0; i < n; ++i)
      values[i] = ((values[i] & mask) ^ sign) - sign;
    storeValues(target + begin * toBytes, values, toBytes, isSigned, n);
  }
}

namespace {
struct FloatConversions {
  ConvertFn f32ToBf16, bf16ToF32, f32ToF16, f16ToF32;
};

namespace portable {
#define TENSORACCESS_F16C 0
#include "RelayoutConvertBody.h"
#undef TENSORACCESS_F16C
} // namespace portable
} // namespace

#ifdef TENSORACCESS_HAS_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,f16c"))),             \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif
namespace {
namespace avx2 {
#define TENSORACCESS_F16C 1
#include "RelayoutConvertBody.h"
#undef TENSORACCESS_F16C
} // namespace avx2
} // namespace
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif // TENSORACCESS_HAS_AVX2

static const FloatConversions &getConversions(bool isPortable) {
#ifdef TENSORACCESS_HAS_AVX2
  static const bool hasVectors =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  if (!isPortable && hasVectors)
    return avx2::conversions;
#endif
  return portable::conversions;
}

/// Between different types of floats, each in holders of its size.
static ConvertFn getFloatConversion(StringRef a, StringRef b,
                                    const FloatConversions &kernels) {
  if (a == "f32" && b == "bf16")
    return kernels.f32ToBf16;
  if (a == "bf16" && b == "f32")
    return kernels.bf16ToF32;
  if (a == "f32" && b == "f16")
    return kernels.f32ToF16;
  if (a == "f16" && b == "f32")
    return kernels.f16ToF32;
  return a == "f16"    ? fromFloat<Half>(b)
         : a == "bf16" ? fromFloat<BFloat16>(b)
         : a == "f32"  ? fromFloat<float>(b)
                       : fromFloat<double>(b);
}

Conversion relayout::getConversion(XlaType from, int64_t fromBytes, XlaType to,
                                   int64_t toBytes, bool portable) {
  if (from == to && fromBytes == toBytes)
    return nullptr;
  StringRef a = from.getName(), b = to.getName();
  const int64_t fromBits = from.getBits(), toBits = to.getBits();
  if (isConvertibleFloat(a) && isConvertibleFloat(b) && a != b) {
    ConvertFn function = getFloatConversion(a, b, getConversions(portable));
    if (8 * fromBytes == fromBits && 8 * toBytes == toBits)
      return function;
    return ValueConversion{fromBytes,          toBytes,  toBits,
                           /*isSigned=*/false, function, fromBits / 8,
                           toBits / 8};
  }
  bool isSigned = isSignedInteger(a);
  // Whether holders can be extended or cut off as if they were the values.
  bool isWhole = from == to || (8 * fromBytes == fromBits &&
                                (8 * toBytes == toBits || toBits >= fromBits));
  if (!isWhole || fromBytes > 8 || toBytes > 8)
    return ValueConversion{fromBytes, toBytes, std::min(fromBits, toBits),
                           isSigned};
  if (fromBytes == toBytes)
    return nullptr;
  switch (fromBytes) {
  case 1:
    return isSigned ? fromInteger<int8_t>(toBytes)
                    : fromInteger<uint8_t>(toBytes);
  case 2:
    return isSigned ? fromInteger<int16_t>(toBytes)
                    : fromInteger<uint16_t>(toBytes);
  case 4:
    return isSigned ? fromInteger<int32_t>(toBytes)
                    : fromInteger<uint32_t>(toBytes);
  default:
    return isSigned ? fromInteger<int64_t>(toBytes)
                    : fromInteger<uint64_t>(toBytes);
  }
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// `bits` divides 8, so a byte holds 8 / bits elements.
template <int Bits>
static void unpackBytes(uint8_t *holders, const uint8_t *packed, int64_t count,
                        bool isSigned) {
  constexpr int n = 8 / Bits;
  constexpr unsigned mask = (1u << Bits) - 1, sign = 1u << (Bits - 1);
  const unsigned flip = isSigned ? sign : 0;
  auto get = [&](unsigned byte, int k) {
    return static_cast<uint8_t>(((byte >> (k * Bits) & mask) ^ flip) - flip);
  };
  int64_t whole = count / n;
  for (int64_t i = 0; i < whole; ++i)
    for (int k = 0; k < n; ++k)
      holders[i * n + k] = get(packed[i], k);
  for (int64_t i = whole * n; i < count; ++i)
    holders[i] = get(packed[i / n], i % n);
}

template <int Bits>
static void packBytes(uint8_t *packed, const uint8_t *holders, int64_t count) {
  constexpr int n = 8 / Bits;
  constexpr unsigned mask = (1u << Bits) - 1;
  int64_t whole = count / n;
  for (int64_t i = 0; i < whole; ++i) {
    unsigned byte = 0;
    for (int k = 0; k < n; ++k)
      byte |= (holders[i * n + k] & mask) << (k * Bits);
    packed[i] = static_cast<uint8_t>(byte);
  }
  if (whole * n == count)
    return;
  unsigned byte = 0;
  for (int64_t i = whole * n; i < count; ++i)
    byte |= (holders[i] & mask) << (i % n * Bits);
  packed[whole] = static_cast<uint8_t>(byte);
}

void relayout::unpackBits(uint8_t *holders, int64_t holder,
                          const uint8_t *packed, int64_t count, int64_t bits,
                          bool isSigned) {
  if (bits == 1)
    return unpackBytes<1>(holders, packed, count, isSigned);
  if (bits == 2)
    return unpackBytes<2>(holders, packed, count, isSigned);
  if (bits == 4)
    return unpackBytes<4>(holders, packed, count, isSigned);
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    for (int64_t b = 0; b < bits; ++b, ++at)
      value |= static_cast<uint64_t>(packed[at / 8] >> (at % 8) & 1) << b;
    if (isSigned && bits < 64 && (value >> (bits - 1) & 1))
      value |= ~uint64_t(0) << bits;
    std::memcpy(holders + i * holder, &value, holder);
  }
}

void relayout::packBits(uint8_t *packed, const uint8_t *holders, int64_t holder,
                        int64_t count, int64_t bits) {
  if (bits == 1)
    return packBytes<1>(packed, holders, count);
  if (bits == 2)
    return packBytes<2>(packed, holders, count);
  if (bits == 4)
    return packBytes<4>(packed, holders, count);
  std::memset(packed, 0, (count * bits + 7) / 8);
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, holders + i * holder, holder);
    for (int64_t b = 0; b < bits; ++b, ++at)
      packed[at / 8] |= static_cast<uint8_t>((value >> b & 1) << (at % 8));
  }
}
