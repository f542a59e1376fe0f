//===- Accelerator.cpp - From models to systolic arrays -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Everything that can be becomes access patterns.
// 2. Products of whatever form, convolutions too, become products of matrices on
//    the array that takes the fewest cycles.
// 3. Where asked, those larger than the array are loops over its blocks.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Pipelines/Accelerator.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Transforms/SaturationPasses.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tensoraccess;

void mlir::tensoraccess::buildAcceleratorPipeline(
    OpPassManager &pm, const AcceleratorOptions &options) {
  pm.addPass(createRaiseToAccess());
  pm.addPass(createCanonicalize());
  MapToSystolicOptions map;
  map.rows = options.rows;
  map.cols = options.cols;
  llvm::append_range(map.arrays, options.arrays);
  map.target = options.target;
  map.accumulators = options.accumulators;
  map.doubleBuffered = options.doubleBuffered;
  pm.addPass(createMapToSystolic(map));
  if (options.loops)
    pm.addPass(createExpandArrays({options.accumulators}));
}
