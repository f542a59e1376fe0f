//===- VectorClones.h - Functions for several processors --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TENSORACCESS_VECTOR_CLONES before a function compiles it for processors with
// AVX-512, with AVX2 and with neither; the first call chooses. Empty if the
// compiler can't, and under the address sanitizer.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_VECTORCLONES_H
#define TENSORACCESS_LIB_CORE_VECTORCLONES_H

#if defined(__x86_64__) && defined(__ELF__) && defined(__has_attribute)
#if __has_attribute(target_clones) && !defined(__SANITIZE_ADDRESS__)
#define TENSORACCESS_VECTOR_CLONES                                             \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef TENSORACCESS_VECTOR_CLONES
#define TENSORACCESS_VECTOR_CLONES
#endif

#endif // TENSORACCESS_LIB_CORE_VECTORCLONES_H
