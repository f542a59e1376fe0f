//===- CodeCache.h - Compiled programs on disk ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_CODECACHE_H
#define TENSORACCESS_LIB_EXECUTION_CODECACHE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// Object files, and the paths of the libraries that they need.
struct CachedCode {
  SmallVector<std::unique_ptr<llvm::MemoryBuffer>> objects;
  SmallVector<std::string> libraries;
  /// The buffers that the function which packs weights fills, if there is one:
  /// sizes, and bytes of an element.
  SmallVector<SmallVector<int64_t>> panels;
  /// The constants that nothing but that function reads.
  SmallVector<std::string> packedConstants;
  bool isFound = false;
};

/// Object files of programs, by everything that they follow from: the program,
/// `how` it is compiled, and this build of this library and of LLVM. In the
/// folder that TENSORACCESS_CACHE names, none if that is empty; by default
/// `tensoraccess` in the user's folder of caches. Several processes may share it.
/// What has not been asked for in a week is erased. Whatever goes wrong with
/// files is not an error: then there is no cache.
class CodeCache {
public:
  static CodeCache get();

  /// The name of a program; empty where there is no cache.
  std::string getKey(ModuleOp module, StringRef how) const;
  std::optional<CachedCode> find(StringRef key) const;
  void add(StringRef key, const CachedCode &code) const;

private:
  std::string getPath(StringRef key) const;

  std::string folder;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_CODECACHE_H
