//===- Purity.cpp - Ops by name that have no effects ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names. Of StableHLO's ops (its specification, "Ops") those are left out
// that have a token, talk to other processes or to the host, draw random
// numbers, know which process they run in, call functions, run regions
// conditionally, hold back optimisation, or get sizes at run time, which may
// not fit.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::isKnownPure(Operation *op) {
  bool isPure = true;
  op->walk([&](Operation *inner) {
    const bool isKnown =
        inner->isRegistered()
            ? inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(inner)
            : isPureHlo(inner, inner == op);
    isPure &= isKnown;
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  });
  return isPure;
}
