//===- LayoutPicture.h - What pictures of layouts share ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_LAYOUTPICTURE_H
#define TENSORACCESS_LIB_EXPORT_LAYOUTPICTURE_H

#include "Canvas/Panel.h"
#include "TensorAccess/Export/Pictures.h"

namespace mlir::tensoraccess {

/// What is wrong with options that make no sense.
std::optional<std::string> checkOptions(const LayoutPictureOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_LAYOUTPICTURE_H
