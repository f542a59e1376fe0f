//===- Distributed.cpp - From models to one function a rank ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Whatever the model is made of becomes linalg on tensors, calls inlined, in
//    ops that can be cut.
// 2. Where arguments have a distribution, ops are cut accordingly; a plan
//    decides how the others are.
// 3. One function a rank, with exchanges.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Pipelines/Distributed.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Transforms/ShardPasses.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

void mlir::tensoraccess::buildDistributedPipeline(
    OpPassManager &pm, const DistributedOptions &options) {
  pm.addPass(createGuardFolds());
  pm.addPass(createExpandStableHlo());
  pm.addPass(createStablehloToLinalg({/*strict=*/true}));
  pm.addPass(createLowerToLinalg());
  pm.addPass(createForeignToLinalg());
  pm.addPass(createCheckLowerable({/*inliner=*/true}));
  pm.addPass(createInlinerPass(
      {}, [](OpPassManager &pm) { pm.addPass(createCanonicalize()); }));
  pm.addPass(createOpenOps());
  if (options.spread || !options.arguments.empty())
    pm.addPass(
        createSpreadCuts({options.arguments, options.grid, options.function}));
  PlanShardsOptions plan;
  plan.grid = options.grid;
  plan.ranks = options.ranks;
  plan.model = options.model;
  plan.memoryLimit = options.memoryLimit;
  plan.method = options.method;
  plan.candidates = options.candidates;
  plan.maxSeconds = options.maxSeconds;
  plan.tableEntries = options.tableEntries;
  plan.only = options.function;
  pm.addPass(createPlanShards(plan));
  if (!options.planOnly)
    pm.addPass(
        createShard({options.rank, std::max<int64_t>(options.ranks, 0)}));
}
