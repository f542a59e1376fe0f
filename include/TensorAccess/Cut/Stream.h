//===- Stream.h - A function of a sequence, step by step --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a function of whole sequences the program of their next elements:
//
//   @main(%x: tensor<64x8xf32>, %w: …) -> tensor<64x8xf32>
//   @init(%w) -> state
//   @step(state, %x: tensor<1x8xf32>, %w) -> (state, tensor<1x8xf32>)
//
// Of every value the step makes the *columns* that belong to its elements, along
// one dimension. What an op reads of older columns is kept in the state:
//
//   history   the last few, where it reads a window: a causal convolution
//   cache     all, where it reads all: keys and values of attention
//
// A cache has zeros for what has not come yet. That this cannot matter is proved
// (Analysis/Contracts.h): results depend causally on the value. An op that reads
// a later column, or mixes columns, forbids streaming.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CUT_STREAM_H
#define TENSORACCESS_CUT_STREAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {

/// Adds @init and @step behind a function on tensors of one block whose arguments
/// are sequences along `axes` (argument, dimension), and which makes sequences
/// of the same length; a step makes `step` elements. The first state is the number of
/// elements that were made. An error at the op that forbids it.
LogicalResult streamFunction(func::FuncOp function,
                             ArrayRef<std::pair<unsigned, unsigned>> axes,
                             int64_t step);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CUT_STREAM_H
