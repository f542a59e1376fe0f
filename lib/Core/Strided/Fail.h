//===- Fail.h - No answer, and why ------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_STRIDED_FAIL_H
#define TENSORACCESS_LIB_CORE_STRIDED_FAIL_H

#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace mlir::tensoraccess {

inline std::nullopt_t fail(std::string &error, const llvm::Twine &text) {
  error = text.str();
  return std::nullopt;
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_STRIDED_FAIL_H
