//===- Fourier.h - Fourier transforms ---------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_RUNTIME_FOURIER_H
#define TENSORACCESS_LIB_RUNTIME_FOURIER_H

#include "TensorAccess/Runtime/Runtime.h"

namespace tensoraccess_runtime {

/// Runs `cfft`, `zfft` (complex numbers to complex ones), `srfft`, `drfft` (from
/// real ones) or `sirfft`, `dirfft` (to real ones), with the same results on all
/// processors. False for other routines.
bool callsFourier(const std::string &routine, const std::string &options,
                  const LapackArray *arrays, int64_t threads);

} // namespace tensoraccess_runtime

#endif // TENSORACCESS_LIB_RUNTIME_FOURIER_H
