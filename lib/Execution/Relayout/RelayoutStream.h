//===- RelayoutStream.h - Relayouts in the target's order -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_RELAYOUTSTREAM_H
#define TENSORACCESS_LIB_EXECUTION_RELAYOUTSTREAM_H

#include "RelayoutBox.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir::tensoraccess::relayout {

/// Does all of `boxes` at once, writing from the first byte of the target to
/// the last; false, and nothing done, where their elements in that order don't
/// come in runs, or where other ways are better.
bool streamBoxes(llvm::ArrayRef<RelayoutBox> boxes, const Context &context);

} // namespace mlir::tensoraccess::relayout

#endif // TENSORACCESS_LIB_EXECUTION_RELAYOUTSTREAM_H
