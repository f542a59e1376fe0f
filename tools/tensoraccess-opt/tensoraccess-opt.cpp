//===- tensoraccess-opt.cpp - The optimizer driver ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Registration/Tool.h"

int main(int argc, char **argv) {
  return mlir::tensoraccess::optMain(argc, argv);
}
