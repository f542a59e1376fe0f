//===- BlockSpace.h - Maps from an index space, as projections --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_BLOCKSPACE_H
#define TENSORACCESS_LIB_ANALYSIS_BLOCKSPACE_H

#include "TensorAccess/Analysis/BlockSpace.h"

namespace mlir::tensoraccess {

/// Adds one way in which a value is touched: nothing for a map without points,
/// and for one that is there already. An unknown one makes the value unknown.
void addBlockMap(BlockValue &value, const IndexingMap &map);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_ANALYSIS_BLOCKSPACE_H
