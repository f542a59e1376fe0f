//===- tensoraccess-translate.cpp - Into and out of other formats ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Pipelines/Tool.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  mlir::tensoraccess::registerTranslations();
  llvm::SmallVector<char *> arguments =
      mlir::tensoraccess::allowUnregisteredDialects(argc, argv);
  return mlir::failed(mlir::mlirTranslateMain(
      arguments.size(), arguments.data(), "TensorAccess translation driver"));
}
