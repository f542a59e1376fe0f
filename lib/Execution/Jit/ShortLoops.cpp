//===- ShortLoops.cpp - Vectors for loops of less than one ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShortLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace mlir::tensoraccess;

/// Calls that processors have instructions of vectors for.
static bool isInstruction(const llvm::Instruction &call) {
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  return intrinsic && llvm::is_contained<llvm::Intrinsic::ID>(
                          {llvm::Intrinsic::fma, llvm::Intrinsic::fabs,
                           llvm::Intrinsic::sqrt, llvm::Intrinsic::copysign,
                           llvm::Intrinsic::minimum, llvm::Intrinsic::maximum,
                           llvm::Intrinsic::minnum, llvm::Intrinsic::maxnum,
                           llvm::Intrinsic::smin, llvm::Intrinsic::smax,
                           llvm::Intrinsic::umin, llvm::Intrinsic::umax,
                           llvm::Intrinsic::abs},
                          intrinsic->getIntrinsicID());
}

/// Not where a float is carried, either: a loop that is asked to take vectors may
/// add in any order.
static bool areNeighbours(const llvm::Loop &loop, llvm::ScalarEvolution &scev) {
  const llvm::DataLayout &layout =
      loop.getHeader()->getModule()->getDataLayout();
  auto isNeighbour = [&](llvm::Instruction &access) {
    llvm::Type *type = llvm::getLoadStoreType(&access);
    const llvm::SCEV *place =
        scev.getSCEV(llvm::getLoadStorePointerOperand(&access));
    if (llvm::isa<llvm::LoadInst>(access) && scev.isLoopInvariant(place, &loop))
      return true;
    auto *moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (!moving || moving->getLoop() != &loop ||
        !layout.typeSizeEqualsStoreSize(type))
      return false;
    auto *step =
        llvm::dyn_cast<llvm::SCEVConstant>(moving->getStepRecurrence(scev));
    return step &&
           step->getAPInt() == layout.getTypeAllocSize(type).getFixedValue();
  };
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &each : *block) {
      llvm::Type *type = each.getType();
      if (type->isVectorTy() ||
          (llvm::isa<llvm::PHINode>(each) && type->isFloatingPointTy()) ||
          (llvm::isa<llvm::CallBase>(each) && !isInstruction(each)))
        return false;
      if (llvm::getLoadStorePointerOperand(&each) ? !isNeighbour(each)
                                                  : each.mayReadOrWriteMemory())
        return false;
    }
  return true;
}

llvm::PreservedAnalyses
ShortLoops::run(llvm::Function &function,
                llvm::FunctionAnalysisManager &analyses) {
  constexpr unsigned kMost = 15;
  const bool isMasked =
      function.getFnAttribute("prefer-vector-width").isStringAttribute();
  const unsigned least = isMasked ? 4 : 8;
  auto &scev = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *loop :
       analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    const unsigned count =
        loop->isInnermost() ? scev.getSmallConstantTripCount(loop) : 0;
    if (count < least || count > kMost || !areNeighbours(*loop, scev))
      continue;
    llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 1);
    if (isMasked)
      llvm::addStringMetadataToLoop(loop,
                                    "llvm.loop.vectorize.predicate.enable", 1);
  }
  return llvm::PreservedAnalyses::all();
}
