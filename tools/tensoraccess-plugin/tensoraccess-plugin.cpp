//===- tensoraccess-plugin.cpp - The dialect for a stock mlir-opt ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mlir-opt --load-dialect-plugin=TensorAccessPlugin.so` is enough: loading the
// dialect registers the passes too.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/StableHlo/StableHloText.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

static void registerDialect(mlir::DialectRegistry *registry) {
  mlir::tensoraccess::registerTensorAccess(*registry);
  mlir::tensoraccess::registerStableHloText(*registry);
  mlir::tensoraccess::registerTensorAccessPasses();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TensorAccess", LLVM_VERSION_STRING,
          registerDialect};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TensorAccess", LLVM_VERSION_STRING,
          mlir::tensoraccess::registerTensorAccessPasses};
}
