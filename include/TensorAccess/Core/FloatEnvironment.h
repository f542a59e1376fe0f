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
// The environment that floats are computed in
//===----------------------------------------------------------------------===//

/// While it lives, this thread's floats follow IEEE 754: rounded to nearest
/// even, subnormal numbers kept, no traps. Then the previous state is restored.
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
  /// Whether there is nothing to do, where checking is much faster than
  /// setting.
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
