//===- FuzzMain.cpp - The entry point for libFuzzer -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TENSORACCESS_FUZZED names the function of Fuzzers.h that gets the inputs.
//
//===----------------------------------------------------------------------===//

#include "Fuzzers.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::tensoraccess::test::TENSORACCESS_FUZZED(
      llvm::StringRef(reinterpret_cast<const char *>(data), size));
  return 0;
}
