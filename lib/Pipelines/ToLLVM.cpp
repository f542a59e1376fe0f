//===- ToLLVM.cpp - From access patterns to the LLVM dialect --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. What upstream would crash on is refused, what ops take for granted is
//    asserted. StableHLO, relayouts, access patterns and foreign ops to linalg;
//    scalar ops on tensors to linalg.
// 2. What loops read in each trip in panels before them, weights in panels where
//    that is wanted. Functions made ready (encodings refused, arguments
//    protected), what rearranges arguments right before its first use, then
//    one-shot bufferization across functions; local buffers are freed after their
//    last use, the others by ownership.
// 3. Exchanges become calls of MPI, now that deallocations are in place.
//    Large products of vectors become loops; loops in an order that vectorises,
//    each nest in a function of its own, cut for several cores where that is
//    wanted; sums and moves in vectors; one arena for the buffers of a function;
//    then scf, then blocks.
// 4. Functions that upstream computes less exactly than libm; bf16 computed in
//    f32. Reshapes that upstream cannot expand made views; everything to LLVM,
//    where bf16 that is left is i16.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Pipelines/Pipelines.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/LayoutPasses.h"
#include "TensorAccess/Transforms/ParallelPasses.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
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

/// Step 2.
static void addBufferization(OpPassManager &pm, const ToLLVMOptions &options) {
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
}

/// Step 4.
static void addLLVM(OpPassManager &pm, const ToLLVMOptions &options) {
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
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (options.parallelize)
    pm.addPass(createLaunchTasks());
  pm.addPass(createBF16ToI16());
  pm.addPass(createBoolsToBytes());
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
}

void mlir::tensoraccess::addToKernelsPasses(OpPassManager &pm,
                                            const ToLLVMOptions &options) {
  // Before anything folds.
  pm.addPass(createGuardFolds());
  pm.addPass(createExpandStableHlo());
  pm.addPass(createCheckLowerable());
  pm.addPass(createLimitCalls());
  if (options.checks)
    pm.addPass(createInsertChecks());
  pm.addPass(createStablehloToLinalg({/*strict=*/true}));
  pm.addPass(createMaterializeLayouts());
  pm.addPass(createLowerToLinalg());
  pm.addPass(createForeignToLinalg());
  // What was tosa or StableHLO.
  if (options.checks)
    pm.addPass(createInsertChecks({/*onlyShapes=*/true}));
  pm.addPass(createConvertElementwiseToLinalgPass());
  // Who frees what a call returns is only known at run time.
  // Canonicalization comes once, below, not again for each caller of callers.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
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
    // Of a model it would return thousands of numbers.
    pack.outParams = true;
    pm.addPass(createPackWeights(pack));
  }
  addBufferization(pm, options);
  pm.addPass(createExchangeToMPI());
  LowerMpiOptions mpi;
  mpi.implementation = options.mpi;
  pm.addPass(createLowerMpi(mpi));
  pm.addPass(createContractLoops());
  pm.addPass(createExpandCopies());
  pm.addPass(createFuseMultiplyAdd());
  if (options.registerTile)
    pm.addPass(createExtendOperands());
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
  LowerAssertsOptions asserts;
  asserts.handler = options.assertHandler;
  pm.addPass(createLowerAsserts(asserts));
}

void mlir::tensoraccess::addKernelsToLLVMPasses(OpPassManager &pm,
                                                const ToLLVMOptions &options) {
  if (options.registerTile)
    pm.addPass(createRegisterTile());
  VectorizeMovesOptions moves;
  if (options.runtime)
    moves.callBytes = kCallBytes;
  if (options.vectorizeMoves)
    pm.addPass(createVectorizeMoves(moves));
  pm.addPass(createConvertLinalgToLoopsPass());
  if (options.parallelize)
    pm.addPass(createOutlineTasks());
  if (options.planArena)
    pm.addNestedPass<func::FuncOp>(createPlanArena());
  addLLVM(pm, options);
}

void mlir::tensoraccess::buildToLLVMPipeline(OpPassManager &pm,
                                             const ToLLVMOptions &options) {
  addToKernelsPasses(pm, options);
  addKernelsToLLVMPasses(pm, options);
}

void mlir::tensoraccess::buildCpuPipeline(OpPassManager &pm,
                                          const CpuOptions &options) {
  ToLLVMOptions lowering;
  lowering.checks = options.checks;
  lowering.outParams = options.outParams;
  lowering.runtime = options.runtime;
  lowering.reassociate = options.reassociate;
  lowering.mpi = options.mpi;
  lowering.assertHandler = options.assertHandler;
  lowering.parallelize = true;
  lowering.planArena = true;
  buildToLLVMPipeline(pm, lowering);
}
