//===- RelayoutBox.h - One nest of a relayout -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_RELAYOUTBOX_H
#define TENSORACCESS_LIB_EXECUTION_RELAYOUTBOX_H

#include "RelayoutConvert.h"
#include "TensorAccess/Core/Layout.h"

namespace mlir::tensoraccess::relayout {

/// Bytes that a nest works in, aligned to a cache line.
constexpr int64_t kScratchBytes = 192 << 10;

struct Context {
  const Kernels *kernels;
  /// The address of element number 0 on either side.
  const uint8_t *source;
  uint8_t *target;
  /// The bytes of the source that may be read.
  const uint8_t *sourceBegin, *sourceEnd;
  /// Of an element: 1, 2, 4, 8 or 16.
  int64_t sourceBytes, targetBytes;
  /// Null where elements are copied as they are.
  Conversion convert;
  /// Whether the target is too large to stay in the caches.
  bool streams;
  uint8_t *scratch;
};

/// Moves the elements of a nest and writes zeros where it pads.
void runBox(const RelayoutBox &box, const Context &context);

} // namespace mlir::tensoraccess::relayout

#endif // TENSORACCESS_LIB_EXECUTION_RELAYOUTBOX_H
