//===- ExplorerPage.h - The explorer's page ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_EXPLORERPAGE_H
#define TENSORACCESS_LIB_EXPORT_EXPLORERPAGE_H

#include "TensorAccess/Export/Pictures.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::tensoraccess {

/// A document of one file: the page (explorer.html) with its style and script, and
/// the data, JSON, in it.
void writeExplorerPage(llvm::raw_ostream &os, llvm::StringRef title,
                       llvm::StringRef data);

/// Writes the page of a module that was read from `input`, and prints the path: to
/// `output`, or to the input's name with .html if that is empty. The title is the
/// input's name.
LogicalResult writePage(ModuleOp module, ExplorerOptions options,
                        llvm::StringRef input, llvm::StringRef output);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_EXPLORERPAGE_H
