//===- Stream.h - A function of a sequence, step by step --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives from a function on whole sequences the program for their next
// elements:
//
//   @main(%x: tensor<64x8xf32>, %w: …) -> tensor<64x8xf32>
//   @init(%w) -> state
//   @step(state, %x: tensor<1x8xf32>, %w) -> (state, tensor<1x8xf32>)
//
// For every value, the step computes the *columns* that belong to its elements,
// along one dimension. What an op reads from older columns is kept in the
// state:
//
//   history   the last few, if the op reads a window: a causal convolution
//   cache     all, if it reads all: keys and values of attention
//   carry     what a loop along the sequence carries; of a running sum, the last
//
// A cache holds zeros for columns that have not arrived yet. That these cannot
// matter is proved (Analysis/Contracts.h): results depend causally on the
// value. An op that reads a later column, or mixes columns, prevents streaming.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CUT_STREAM_H
#define TENSORACCESS_CUT_STREAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {

/// Adds @init and @step after a function on tensors of one block whose
/// arguments are sequences along `axes` (argument, dimension), and which
/// returns sequences of the same length; a step computes `step` elements. The
/// first state is the number of elements computed so far, if that is read. With
/// `inPlace`, a step takes caches as memrefs, writes to them, and does not return
/// them. Emits an error at the op that prevents streaming.
LogicalResult streamFunction(func::FuncOp function,
                             ArrayRef<std::pair<unsigned, unsigned>> axes,
                             int64_t step, bool inPlace = false);

/// Replaces gathers and scatters of StableHLO whose indices are known to be those
/// of all elements, in order, by what they gather, or by a combination without
/// places.
void foldPlaces(func::FuncOp function);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CUT_STREAM_H
