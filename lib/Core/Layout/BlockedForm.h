//===- BlockedForm.h - All dimensions once, then blocks ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_LAYOUT_BLOCKEDFORM_H
#define TENSORACCESS_LIB_CORE_LAYOUT_BLOCKEDFORM_H

#include "TensorAccess/Core/LayoutNotations.h"

namespace mlir::tensoraccess {

struct DimBlock {
  int64_t dim, size;
  /// Of what is inside of it.
  int64_t divisor = 1;
};

/// What packs and tags have in common: the outer dimensions, then blocks, major
/// to minor.
struct BlockedForm {
  llvm::SmallVector<int64_t> order;
  llvm::SmallVector<DimBlock> blocks;
};

/// The first of the forms of these digits, those with most outer dimensions first,
/// that is accepted; false and `reason` if none is.
bool findBlockedForm(llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<NestDigit> nest,
                     llvm::function_ref<bool(const BlockedForm &)> accept,
                     std::string &reason);

/// That of a pack; its tiles in their order.
std::optional<BlockedForm>
getBlockedForm(int64_t rank, const PackParameters &pack, std::string &reason);

/// Its layout; verified.
std::optional<Layout> buildLayout(llvm::ArrayRef<int64_t> shape,
                                  const BlockedForm &form, XlaType type,
                                  std::string &reason);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_LAYOUT_BLOCKEDFORM_H
