//===- FloatEnvironment.h - What floats are computed under ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_FLOATENVIRONMENT_H
#define TENSORACCESS_CORE_FLOATENVIRONMENT_H

#include <cfenv>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What floats are computed under
//===----------------------------------------------------------------------===//

/// While it lives, floats of this thread are IEEE's: rounded to nearest even,
/// subnormal numbers kept, no traps. What was there before comes back.
class FloatEnvironment {
public:
  FloatEnvironment() : isChanged(!isDefault()) {
    if (!isChanged)
      return;
    std::fegetenv(&outer);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironment() {
    if (isChanged)
      std::fesetenv(&outer);
  }
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
  /// Whether nothing is to be done, where asking is much faster than doing.
  static bool isDefault() {
#ifdef __SSE__
    constexpr unsigned kFlags = 0x3f, kDefault = 0x1f80;
    return (_mm_getcsr() & ~kFlags) == kDefault;
#else
    return false;
#endif
  }

  std::fenv_t outer;
  bool isChanged;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_FLOATENVIRONMENT_H
