//===- Fuzzers.h - One input for the readers of text ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_FUZZ_FUZZERS_H
#define TENSORACCESS_TEST_FUZZ_FUZZERS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tensoraccess::test {

/// Gives the text to the readers of indexing maps, layouts and projections,
/// in Core and through mlir::parseAttribute. Aborts, having printed the input,
/// if one of these does not hold:
///   1. What is refused has a message and a position inside of the text.
///   2. What is read verifies, and prints as a text that reads as an equal
///      value and prints as itself.
///   3. Questions about the value (points, regions, numbers) have an answer or
///      none, and a layout's delinearize inverts its linearize.
///   4. MLIR accepts what Core accepts, and finds the same attribute again in
///      what it prints.
void checkAttributeText(llvm::StringRef text);

/// Gives the text to every other reader: targets, grids, distributions, cost
/// models, calibrations, .npy files, e-graphs, attributes of StableHLO, Glenside
/// programs, rules. Aborts if what is refused has no reason, or what is read
/// does not verify or does not read back from its text.
void checkReaders(llvm::StringRef text);

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_FUZZ_FUZZERS_H
