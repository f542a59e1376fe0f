//===- statistics.h - What LLVM's library has of statistics -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without NDEBUG, LLVM's header gives statistics members that a library built
// with it does not make: those of passes would never be initialised. Included
// before all else in builds that keep their assertions.
//
//===----------------------------------------------------------------------===//

#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
