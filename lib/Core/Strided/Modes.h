//===- Modes.h - What operations on modes share -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_STRIDED_MODES_H
#define TENSORACCESS_LIB_CORE_STRIDED_MODES_H

#include "TensorAccess/Core/StridedLayout.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::tensoraccess::strided {

inline StridedMode makeList(llvm::ArrayRef<StridedMode> modes) {
  StridedMode list;
  if (modes.size() == 1)
    return modes.front();
  list.isList = !modes.empty();
  list.modes.assign(modes.begin(), modes.end());
  return list;
}

inline StridedMode makeLeaf(int64_t size, int64_t stride) {
  return {size, stride, false, {}, 0};
}

/// The reason why there are no strides, in `error`; true if there are.
inline bool needStrides(const StridedLayout &layout, std::string &error) {
  if (layout.hasStrides())
    return true;
  error = "it has no strides: " + (layout.swizzle ? layout.swizzle->str()
                                                  : layout.whyNoStrides);
  return false;
}

StridedMode coalesceMode(const StridedMode &mode);

/// Modes of more than one number that move, by stride.
inline llvm::SmallVector<StridedMode> sortModes(const StridedLayout &layout) {
  llvm::SmallVector<StridedMode> modes;
  for (const StridedMode &leaf : layout.getLeaves())
    if (leaf.size > 1 && leaf.stride != 0)
      modes.push_back(leaf);
  llvm::sort(modes, [](const StridedMode &a, const StridedMode &b) {
    return std::pair(a.stride, a.size) < std::pair(b.stride, b.size);
  });
  return modes;
}

} // namespace mlir::tensoraccess::strided

#endif // TENSORACCESS_LIB_CORE_STRIDED_MODES_H
