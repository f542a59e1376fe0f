//===- KernelHelpers.h - What movement kernels share ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Working on patterns component by component, or on the joined pattern where
// the tuple dimensions take part. Positions in a pattern count S ++ t ++ R
// (access, tuple, remaining compute dimensions); those in a component S ++ R.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_KERNELHELPERS_H
#define TENSORACCESS_LIB_CORE_KERNELHELPERS_H

#include "TensorAccess/Core/Kernels.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::tensoraccess {

/// The same pattern without tuple dimensions.
inline llvm::Expected<AccessPattern> joined(const AccessPattern &pattern) {
  llvm::Expected<Tensor> tensor = pattern.join();
  if (!tensor)
    return tensor.takeError();
  return AccessPattern(*tensor, pattern.getAccessRank());
}

/// Applies a function from tensor to llvm::Expected<Tensor> to each component.
template <typename Fn>
llvm::Expected<AccessPattern> mapComponents(const AccessPattern &pattern,
                                            int64_t accessRank, Fn &&fn) {
  llvm::SmallVector<Tensor> results;
  for (const Tensor &component : pattern.getComponents()) {
    llvm::Expected<Tensor> result = fn(component);
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  return AccessPattern(std::move(results),
                       llvm::SmallVector<int64_t>(pattern.getTupleShape()),
                       accessRank);
}

/// Drops the tuple dimensions' entries from a list over a pattern's dimensions.
inline llvm::SmallVector<int64_t>
withoutTuple(const AccessPattern &pattern, llvm::ArrayRef<int64_t> entries) {
  llvm::SmallVector<int64_t> result(
      entries.take_front(pattern.getAccessRank()));
  llvm::append_range(result, entries.drop_front(pattern.getAccessRank() +
                                                pattern.getTupleRank()));
  return result;
}

/// The entries of the tuple dimensions in a list over a pattern's dimensions.
inline llvm::ArrayRef<int64_t> tupleEntries(const AccessPattern &pattern,
                                            llvm::ArrayRef<int64_t> entries) {
  return entries.slice(pattern.getAccessRank(), pattern.getTupleRank());
}

inline std::string bracketed(llvm::ArrayRef<int64_t> shape) {
  return "[" + shapeToString(shape) + "]";
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_KERNELHELPERS_H
