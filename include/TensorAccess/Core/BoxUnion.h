//===- BoxUnion.h - How many points several boxes have ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_BOXUNION_H
#define TENSORACCESS_CORE_BOXUNION_H

#include "TensorAccess/Core/Footprint.h"

namespace mlir::tensoraccess {

/// How many points lie in at least one of the boxes, which have one rank. The
/// first dimension is cut where a box begins or ends; between two cuts the
/// boxes are the same, and their union in the other dimensions is counted once.
/// None if the ranks differ, the count does not fit, or after `budget` cuts.
std::optional<uint64_t> countUnionOfBoxes(llvm::ArrayRef<Box> boxes,
                                          uint64_t budget = 1u << 14);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_BOXUNION_H
