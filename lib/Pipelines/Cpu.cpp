//===- Cpu.cpp - From models to the LLVM dialect --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes in their order, by stage:
// 1. What upstream would crash on is refused, what ops assume is asserted.
// 2. StableHLO, tensors with layouts, access patterns, foreign ops and scalar ops
//    on tensors become linalg on tensors.
// 3. Of each tensor what is read is made. Chains of elementwise ops become one op;
//    what loops read in each iteration is put in panels before them, weights in
//    panels of their own.
// 4. Functions are made ready (encodings refused, arguments protected), what
//    rearranges arguments is moved to its first use, then one-shot bufferization
//    across functions. Local buffers are freed after their last use, the others by
//    ownership; then exchanges become calls of MPI.
// 5. Loops are ordered so that they vectorise, each nest becomes a function of its
//    own, and is cut for several cores.
// 6. Reductions and moves in vectors, then loops.
// 7. Assertions become calls, parallel loops functions; one arena for the buffers of
//    a function. Functions that upstream computes less exactly than libm; bf16
//    computed in f32. Reshapes that upstream cannot expand become views; everything
//    to LLVM, where the remaining bf16 is i16.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Pipelines/Cpu.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/LayoutPasses.h"
#include "TensorAccess/Transforms/LowerPasses.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// From so many bytes on some of the runtime's moves are faster than ours.
static constexpr int64_t kCallBytes = int64_t(4) << 20;

/// Stage 1.
static void addPreparation(OpPassManager &pm, const CpuOptions &options) {
  // Before anything folds.
  pm.addPass(createGuardFolds());
  pm.addPass(createExpandStableHlo({/*callTransforms=*/true}));
  pm.addPass(createCheckLowerable());
  pm.addPass(createLimitCalls());
  if (options.checks)
    pm.addPass(createInsertChecks());
}

/// Stage 2.
static void addToLinalg(OpPassManager &pm, const CpuOptions &options) {
  pm.addPass(createStablehloToLinalg({/*strict=*/true}));
  pm.addPass(createMaterializeLayouts());
  pm.addPass(createLowerToLinalg());
  pm.addPass(createForeignToLinalg());
  // What was tosa or StableHLO.
  if (options.checks)
    pm.addPass(createInsertChecks({/*onlyShapes=*/true}));
  pm.addPass(createConvertElementwiseToLinalgPass());
  // The owner of what a call returns is only known at run time.
  // Canonicalization comes once, below, not again for each caller of callers.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
}

/// Stage 3.
static void addFusion(OpPassManager &pm, const CpuOptions &options) {
  pm.addPass(createPushSlices());
  if (options.registerTile) {
    DotProductsOptions dots;
    dots.reassociate = options.reassociate;
    pm.addPass(createDotProducts(dots));
  }
  if (options.fuseElementwise)
    pm.addPass(createFuseElementwise());
  if (options.registerTile)
    pm.addPass(createHoistPanels());
  if (options.packWeights) {
    PackWeightsOptions pack;
    // For a model it would return thousands of numbers.
    pack.outParams = true;
    pm.addPass(createPackWeights(pack));
  }
}

/// Stage 4.
static void addBufferization(OpPassManager &pm, const CpuOptions &options) {
  pm.addPass(createPrepareFunctions());
  pm.addPass(createExpandPads());
  pm.addPass(createSeparateInits());
  pm.addPass(createSinkMoves());
  pm.addPass(createEliminateEmptyTensors());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  // A while loop may yield a tensor of its own instead of its argument's.
  bufferize.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
  if (options.outParams) {
    bufferization::BufferResultsToOutParamsPassOptions out;
    out.hoistStaticAllocs = true;
    out.modifyPublicFunctions = true;
    pm.addPass(bufferization::createBufferResultsToOutParamsPass(out));
  }
  pm.addPass(createKeepLoopState());
  // Sizes that are known by now are in types: an allocation that gets its own later
  // would lose the mark of the next pass.
  pm.addPass(createCanonicalize());
  pm.addPass(createFreeLocals());
  addBufferDeallocation(pm);
  pm.addPass(createFreeEarly());
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createExchangeToMPI());
  LowerMpiOptions mpi;
  mpi.implementation = options.mpi;
  pm.addPass(createLowerMpi(mpi));
  pm.addPass(createContractLoops());
  pm.addPass(createExpandCopies());
}

/// Stage 5.
static void addKernels(OpPassManager &pm, const CpuOptions &options) {
  pm.addPass(createFuseMultiplyAdd());
  if (options.registerTile) {
    pm.addPass(createExtendOperands());
    CutSizesOptions sizes;
    sizes.parallel = options.parallelize;
    pm.addPass(createCutSizes(sizes));
  }
  if (options.orderLoops)
    pm.addPass(createOrderLoops());
  if (options.blockKernels) {
    BlockKernelsOptions rows;
    rows.cores = options.parallelize ? 0 : 1;
    pm.addPass(createBlockKernels(rows));
  }
  if (options.outlineKernels)
    pm.addPass(createOutlineKernels());
  if (options.profile)
    pm.addPass(createProfileKernels());
  if (options.parallelize)
    pm.addPass(createParallelizeKernels());
}

/// Stage 6.
static void addLoops(OpPassManager &pm, const CpuOptions &options) {
  if (options.registerTile)
    pm.addPass(createRegisterTile());
  VectorizeMovesOptions moves;
  if (options.runtime)
    moves.callBytes = kCallBytes;
  if (options.vectorizeMoves)
    pm.addPass(createVectorizeMoves(moves));
  pm.addPass(createConvertLinalgToLoopsPass());
}

/// Stage 7.
static void addLLVM(OpPassManager &pm, const CpuOptions &options) {
  LowerAssertsOptions asserts;
  asserts.handler = options.assertHandler;
  pm.addPass(createLowerAsserts(asserts));
  if (options.parallelize)
    pm.addPass(createOutlineTasks());
  if (options.planArena)
    pm.addNestedPass<func::FuncOp>(createPlanArena());
  pm.addPass(createExpandMath());
  pm.addPass(createExpandBF16());
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll();
  pm.addPass(createConvertVectorToSCFPass(transfers));
  // Expanding metadata takes one unknown size of each source dimension at most.
  pm.addPass(createExpandDynamicShapes());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.vectorTransposeLowering = vector::VectorTransposeLowering::Shuffle1D;
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createConvertToLLVM());
  if (options.parallelize)
    pm.addPass(createLaunchTasks());
  // Casts of what is bf16 would count as computing with it.
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createBF16ToI16());
  pm.addPass(createBoolsToBytes());
}

void mlir::tensoraccess::addToKernelsPasses(OpPassManager &pm,
                                            const CpuOptions &options) {
  addPreparation(pm, options);
  addToLinalg(pm, options);
  addFusion(pm, options);
  addBufferization(pm, options);
  addKernels(pm, options);
}

void mlir::tensoraccess::addKernelsToLLVMPasses(OpPassManager &pm,
                                                const CpuOptions &options) {
  addLoops(pm, options);
  addLLVM(pm, options);
}

void mlir::tensoraccess::buildCpuPipeline(OpPassManager &pm,
                                          const CpuOptions &options) {
  addToKernelsPasses(pm, options);
  addKernelsToLLVMPasses(pm, options);
}
