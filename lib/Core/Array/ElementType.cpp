//===- ElementType.cpp - The element types that kernels compute with ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and sizes of element types, and the rounding of doubles to small
// floats:
//
//   1. NaN keeps its sign and the upper bits of its payload, and is made quiet;
//   2. below the least normal number, adding a power of two whose last place
//      is the small type's least subnormal lets the processor round; the
//      difference of the bits is the result;
//   3. else, add just under half a unit of the last place that is kept (a
//      whole half where that place is odd), drop the places below it, and move
//      the exponent's bias. A carry raises the exponent, as it should;
//   4. whatever lands at or beyond the exponent of infinity is infinity.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Tensor.h"

#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace mlir::tensoraccess;

int64_t mlir::tensoraccess::byteSize(ElementType type) {
  return dispatch(type, [](auto tag) -> int64_t {
    return sizeof(typename decltype(tag)::type);
  });
}

llvm::StringRef mlir::tensoraccess::toString(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "i1";
  case ElementType::I8:
    return "i8";
  case ElementType::I16:
    return "i16";
  case ElementType::I32:
    return "i32";
  case ElementType::I64:
    return "i64";
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  }
  llvm_unreachable("every element type has a name");
}

bool mlir::tensoraccess::isExtension(ElementType from, ElementType to) {
  bool result = false;
  dispatchExtension(from, to, [&](auto, auto) { result = true; });
  return result;
}

bool mlir::tensoraccess::isFloat(ElementType type) {
  return dispatch(type, [](auto tag) {
    return Arithmetic<typename decltype(tag)::type>::isFloat;
  });
}

unsigned mlir::tensoraccess::bitWidth(ElementType type) {
  return type == ElementType::I1 ? 1 : 8 * byteSize(type);
}

/// A double as the nearest 16-bit float with this many bits of exponent and
/// stored significand.
template <int exponentBits, int significandBits>
static uint16_t narrow(double value) {
  constexpr int bias = (1 << (exponentBits - 1)) - 1;
  constexpr int dropped = 52 - significandBits;
  constexpr uint64_t infinity = ((uint64_t(1) << exponentBits) - 1)
                                << significandBits;
  // Powers of two as the bits of a double.
  constexpr uint64_t leastNormal = uint64_t(1023 + 1 - bias) << 52;
  constexpr uint64_t roundsToSubnormal =
      uint64_t(1023 + 52 + 1 - bias - significandBits) << 52;
  constexpr uint64_t doubleInfinity = uint64_t(2047) << 52;

  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint16_t sign = (bits >> 63) << 15;
  uint64_t magnitude = bits & ~(uint64_t(1) << 63);
  if (magnitude > doubleInfinity) { // 1
    uint64_t payload =
        (magnitude >> dropped) & ((uint64_t(1) << significandBits) - 1);
    uint64_t quiet = uint64_t(1) << (significandBits - 1);
    return sign | infinity | payload | quiet;
  }
  if (magnitude < leastNormal) { // 2
    double sum = llvm::bit_cast<double>(magnitude) +
                 llvm::bit_cast<double>(roundsToSubnormal);
    return sign | (llvm::bit_cast<uint64_t>(sum) - roundsToSubnormal);
  }
  uint64_t odd = (magnitude >> dropped) & 1; // 3
  magnitude += (uint64_t(1) << (dropped - 1)) - 1 + odd;
  uint64_t code =
      (magnitude >> dropped) - (uint64_t(1023 - bias) << significandBits);
  return sign | std::min(code, infinity); // 4
}

uint16_t mlir::tensoraccess::toF16Bits(double value) {
  return narrow<5, 10>(value);
}

uint16_t mlir::tensoraccess::toBF16Bits(double value) {
  return narrow<8, 7>(value);
}

float mlir::tensoraccess::fromF16Bits(uint16_t bits) {
  uint32_t sign = uint32_t(bits >> 15) << 31;
  uint32_t exponent = (bits >> 10) & 0x1f, significand = bits & 0x3ff;
  if (exponent == 0) { // significand · 2^-24
    float magnitude = float(significand) * 0x1p-24f;
    return llvm::bit_cast<float>(sign | llvm::bit_cast<uint32_t>(magnitude));
  }
  uint32_t wide = exponent == 0x1f ? 0xff : exponent + (127 - 15);
  return llvm::bit_cast<float>(sign | wide << 23 | significand << 13);
}

float mlir::tensoraccess::fromBF16Bits(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}
