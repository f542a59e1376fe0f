//===- WriteFile.h - Files that tools write ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_WRITEFILE_H
#define TENSORACCESS_CORE_WRITEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Files that tools write
//===----------------------------------------------------------------------===//

/// Makes a file of these bytes; `-` is standard output. A file is there whole or
/// not at all. What is there and is not a file, such as a device or a pipe, and
/// what a link leads to, is written into, where llvm::writeToOutput would put a
/// file in its place. Messages say that `path` cannot be written, and why.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_WRITEFILE_H
