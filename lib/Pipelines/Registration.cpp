//===- Registration.cpp - What every tool registers --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Pipelines/Registration.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Pipelines/Pipelines.h"
#include "TensorAccess/Transforms/EquivalencePasses.h"
#include "TensorAccess/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

using namespace mlir;

void tensoraccess::registerTensorAccess(DialectRegistry &registry) {
  registry.insert<TensorAccessDialect>();
  registerIndexingModels(registry);
  registerDistributedModels(registry);
  registerReduction(registry);
}

void tensoraccess::registerEverything(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerTensorAccess(registry);
}

void tensoraccess::registerTensorAccessPasses() {
  registerTransformsPasses();
  registerEquivalencePasses();
  registerConversionPasses();
  registerPipelines();
}

void tensoraccess::registerAllPassesAndPipelines() {
  registerAllPasses();
  registerTensorAccessPasses();
}
