//===- StableHloFast.h - Reductions of StableHLO, many at a time ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same bits as the loops of StableHloReductions.cpp, which say what the ops
// mean and run whatever these refuse: each returns false then, and what it has
// written to results is of no use.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_STABLEHLOFAST_H
#define TENSORACCESS_LIB_INTERPRETER_STABLEHLOFAST_H

#include "StableHloOps.h"

namespace mlir::tensoraccess {

/// `result` holds zeros.
bool runDotFast(Operation *op, const HloDot &dot, const Tensor &lhs,
                const Tensor &rhs, Tensor &result);
bool runConvolutionFast(Operation *op, const HloConvolution &convolution,
                        const Tensor &input, const Tensor &kernel,
                        Tensor &result);

/// The body takes the values so far, then the elements.
bool runReduceFast(const HloReduce &reduce, const ScalarProgram &body,
                   ArrayRef<Tensor> inputs, ArrayRef<Tensor> inits,
                   MutableArrayRef<Tensor> results);
bool runReduceWindowFast(const HloWindows &windows, const ScalarProgram &body,
                         ArrayRef<Tensor> inputs, ArrayRef<Tensor> inits,
                         MutableArrayRef<Tensor> results);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_STABLEHLOFAST_H
