//===- tensoraccess-ask.cpp - One question about a program ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Export/Pictures.h"

int main(int argc, char **argv) {
  return mlir::tensoraccess::askMain(argc, argv);
}
