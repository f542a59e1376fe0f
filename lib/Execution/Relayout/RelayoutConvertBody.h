//===- RelayoutConvertBody.h - Floats of 16 and 32 bits ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included once per instruction set by RelayoutConvert.cpp, in a namespace of
// its own; TENSORACCESS_F16C is set if it has conversions of f16.
//
//===----------------------------------------------------------------------===//

// No include guard: see above.

/// Rounds to nearest, ties to even; a NaN stays one, and becomes
/// quiet.
void f32ToBf16(uint8_t *target, const uint8_t *source, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, source + 4 * i, 4);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    uint32_t quiet = bits >> 16 | 0x40;
    auto narrow = static_cast<uint16_t>(
        (bits & 0x7fffffff) > 0x7f800000 ? quiet : rounded);
    std::memcpy(target + 2 * i, &narrow, 2);
  }
}

void bf16ToF32(uint8_t *target, const uint8_t *source, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t narrow;
    std::memcpy(&narrow, source + 2 * i, 2);
    uint32_t bits = static_cast<uint32_t>(narrow) << 16;
    std::memcpy(target + 4 * i, &bits, 4);
  }
}

void f32ToF16(uint8_t *target, const uint8_t *source, int64_t count) {
  int64_t i = 0;
#if TENSORACCESS_F16C
  for (; i + 8 <= count; i += 8)
    _mm_storeu_si128(
        reinterpret_cast<__m128i *>(target + 2 * i),
        _mm256_cvtps_ph(
            _mm256_loadu_ps(reinterpret_cast<const float *>(source + 4 * i)),
            _MM_FROUND_TO_NEAREST_INT));
#endif
  for (; i < count; ++i) {
    float value;
    std::memcpy(&value, source + 4 * i, 4);
    uint16_t narrow = toF16Bits(value);
    std::memcpy(target + 2 * i, &narrow, 2);
  }
}

void f16ToF32(uint8_t *target, const uint8_t *source, int64_t count) {
  int64_t i = 0;
#if TENSORACCESS_F16C
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(reinterpret_cast<float *>(target + 4 * i),
                     _mm256_cvtph_ps(_mm_loadu_si128(
                         reinterpret_cast<const __m128i *>(source + 2 * i))));
#endif
  for (; i < count; ++i) {
    uint16_t narrow;
    std::memcpy(&narrow, source + 2 * i, 2);
    float value = fromF16Bits(narrow);
    std::memcpy(target + 4 * i, &value, 4);
  }
}

const FloatConversions conversions = {f32ToBf16, bf16ToF32, f32ToF16, f16ToF32};
