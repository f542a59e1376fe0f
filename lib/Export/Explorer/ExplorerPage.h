//===- ExplorerPage.h - The explorer's page ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_EXPLORERPAGE_H
#define TENSORACCESS_LIB_EXPORT_EXPLORERPAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::tensoraccess {

/// A document of one file: the page (explorer.html) with its style and script, and
/// the data, JSON, in it.
void writeExplorerPage(llvm::raw_ostream &os, llvm::StringRef title,
                       llvm::StringRef data);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_EXPLORERPAGE_H
