//===- EliminateEmptyTensors.h - Results written where they end up --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_PIPELINES_ELIMINATEEMPTYTENSORS_H
#define TENSORACCESS_LIB_PIPELINES_ELIMINATEEMPTYTENSORS_H

#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

/// A pass on modules, `tensoraccess-eliminate-empty-tensors`: where the result
/// of an op that writes into an empty tensor is inserted into another tensor,
/// the op writes into the slice of that tensor at once, unless something with
/// an effect, as an assertion, lies between the empty tensor and the insertion.
std::unique_ptr<Pass> createEliminateEmptyTensors();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_PIPELINES_ELIMINATEEMPTYTENSORS_H
