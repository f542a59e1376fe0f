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

/// Writes these bytes to a file; `-` is standard output. A file appears whole
/// or not at all. An existing path that is not a file, such as a device or a
/// pipe, and the target of a link are written into, where llvm::writeToOutput
/// would put a file in their place. Messages state that `path` cannot be
/// written, and why.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_WRITEFILE_H
