//===- Strips.h - Many points of a loop nest at a time ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program on scalars that runs at each point of loops, on operands that every
// loop moves by a fixed step. Points that write to different places do not
// depend on each other, so a *strip* of them is run instruction by instruction.
// The points that write to one place keep their order, and so every bit of the
// results is what the loops in row-major order give.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_STRIPS_H
#define TENSORACCESS_LIB_INTERPRETER_STRIPS_H

#include "ScalarProgram.h"

namespace mlir::tensoraccess {

/// An operand of loops.
struct StripOperand {
  /// Where it is at the first point.
  char *address = nullptr;
  /// Bytes from one iteration of each loop to the next.
  SmallVector<int64_t> steps;
  ElementType type = ElementType::F32;
  /// The register that is loaded before the program runs, if any.
  std::optional<uint32_t> read;
  /// The register that is stored afterwards, if any. What is written overlaps
  /// with no other operand.
  std::optional<uint32_t> write;
};

/// True if different iterations of the loops that step at all have different
/// addresses: enough loops step over all that those within them reach.
bool haveOwnPlaces(ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps,
                   int64_t elementSize);

/// Runs a program at each point; all sizes are at least 1. False if it can't
/// be done, or an instruction fails: operands may have been written to, and
/// a caller that runs the points one by one begins with what was there before.
bool runStrips(const ScalarProgram &program, ArrayRef<StripOperand> operands,
               ArrayRef<int64_t> sizes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_STRIPS_H
