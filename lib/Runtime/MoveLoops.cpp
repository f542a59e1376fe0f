//===- MoveLoops.cpp - Inner loops of moves -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One body for all processors (MoveLoopsBody.h), compiled for each
// instruction set in a namespace of its own; the best that the processor has is
// chosen when the program runs.
//
//===----------------------------------------------------------------------===//

#include "MoveLoops.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 12)
#define TENSORACCESS_HAS_AVX2
#endif

using namespace tensoraccess_runtime;

namespace {
namespace portable {
#define TENSORACCESS_LANES 1
#define TENSORACCESS_NAME "portable"
#include "MoveLoopsBody.h"
#undef TENSORACCESS_LANES
#undef TENSORACCESS_NAME
} // namespace portable
} // namespace

#ifdef TENSORACCESS_HAS_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))),                  \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace {
namespace avx2 {
#define TENSORACCESS_LANES 2
#define TENSORACCESS_NAME "avx2"
#include "MoveLoopsBody.h"
#undef TENSORACCESS_LANES
#undef TENSORACCESS_NAME
} // namespace avx2
} // namespace
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif // TENSORACCESS_HAS_AVX2

const MoveLoops &tensoraccess_runtime::getPortableLoops() {
  return portable::moveLoops;
}

static const MoveLoops &choose() {
  const char *wanted = std::getenv("TENSORACCESS_RELAYOUT_KERNELS");
  if (wanted && std::strcmp(wanted, "portable") == 0)
    return portable::moveLoops;
#ifdef TENSORACCESS_HAS_AVX2
  if (__builtin_cpu_supports("avx2"))
    return avx2::moveLoops;
#endif
  return portable::moveLoops;
}

const MoveLoops &tensoraccess_runtime::getBestLoops() {
  static const MoveLoops &best = choose();
  return best;
}
