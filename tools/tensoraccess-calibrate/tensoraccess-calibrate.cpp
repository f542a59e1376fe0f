//===- tensoraccess-calibrate.cpp - Measures this machine -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Calibrate.h"

int main(int argc, char **argv) {
  return mlir::tensoraccess::calibrateMain(argc, argv);
}
