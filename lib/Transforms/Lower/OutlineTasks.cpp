//===- OutlineTasks.cpp - Parallel loops as functions of their iterations -===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a `scf.forall` without results becomes a function of the
// iteration's number and of what the body reads from outside; scalar constants
// move in. The loop becomes a call whose first argument is the number of
// iterations: the function is marked as a task, of which LaunchTasks makes a
// call for each iteration.
//
//===----------------------------------------------------------------------===//

#include "Kernel/CutLoops.h"
#include "TensorAccess/Transforms/LowerPasses.h"
#include "TensorAccess/Transforms/Lowering.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_OUTLINETASKS
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// What has a form in memory that a task can be given.
static bool canBePassed(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return type.isIntOrIndexOrFloat() || isa<LLVM::LLVMPointerType>(type) ||
         (memref && memref.getLayout().isIdentity()) ||
         (memref && memref.isStrided());
}

LogicalResult mlir::tensoraccess::outlineTask(RewriterBase &rewriter,
                                              scf::ForallOp loop) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  auto module = loop->getParentOfType<ModuleOp>();
  if (loop.getNumResults() != 0 || !isInHostFunction(loop))
    return rewriter.notifyMatchFailure(
        loop, "it has results, or is in no function of the module");
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(loop->getRegions(), read);
  read.insert(loop.getDynamicLowerBound().begin(),
              loop.getDynamicLowerBound().end());
  read.insert(loop.getDynamicUpperBound().begin(),
              loop.getDynamicUpperBound().end());
  read.insert(loop.getDynamicStep().begin(), loop.getDynamicStep().end());
  SmallVector<Value> arguments;
  SmallVector<Operation *> constants;
  for (Value value : read) {
    Operation *producer = value.getDefiningOp();
    if (producer && producer->hasTrait<OpTrait::ConstantLike>()) {
      constants.push_back(producer);
      continue;
    }
    if (!canBePassed(value.getType()))
      return rewriter.notifyMatchFailure(loop,
                                         "it reads what no task is given");
    arguments.push_back(value);
  }

  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  SmallVector<Type> types = {b.getIndexType()};
  llvm::append_range(types, ValueRange(arguments).getTypes());
  OpBuilder::InsertionGuard guard(rewriter);
  auto task = func::FuncOp::create(loop.getLoc(), "tensoraccess_task",
                                   b.getFunctionType(types, {}));
  task.setPrivate();
  task->setAttr(kTaskName, b.getUnitAttr());
  task->setAttr("passthrough", b.getArrayAttr({b.getStringAttr("noinline")}));
  task->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(b.getContext(), LLVM::linkage::Linkage::Internal));
  if (llvm::all_of(types, [](Type type) {
        auto memref = dyn_cast<BaseMemRefType>(type);
        return !memref || LLVMTypeConverter::canConvertToBarePtr(memref);
      }))
    task->setAttr("llvm.bareptr", b.getUnitAttr());
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (isUnaliasedArgument(argument) && task->hasAttr("llvm.bareptr"))
      task.setArgAttr(i + 1, LLVM::LLVMDialect::getNoAliasAttrName(),
                      b.getUnitAttr());
  SymbolTable(module).insert(task, parent->getIterator());

  Block *body = task.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(arguments, body->getArguments().drop_front());
  for (Operation *constant : constants)
    b.clone(*constant, mapping);
  // Trip counts, the last loop first.
  auto getBound = [&](OpFoldResult bound) {
    if (auto value = dyn_cast<Value>(bound))
      return mapping.lookup(value);
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), bound);
  };
  auto getTripCount = [&](function_ref<Value(OpFoldResult)> get, unsigned i) {
    Value lower = get(loop.getMixedLowerBound()[i]);
    Value size =
        arith::SubIOp::create(b, get(loop.getMixedUpperBound()[i]), lower);
    return Value(
        arith::MaxSIOp::create(b, arith::ConstantIndexOp::create(b, 0),
                               Value(arith::CeilDivSIOp::create(
                                   b, size, get(loop.getMixedStep()[i])))));
  };
  Value number = body->getArgument(0);
  for (unsigned i = loop.getRank(); i-- > 0;) {
    Value iteration = number;
    if (i != 0) {
      Value trips = getTripCount(getBound, i);
      iteration = arith::RemSIOp::create(b, number, trips);
      number = arith::DivSIOp::create(b, number, trips);
    }
    Value step = getBound(loop.getMixedStep()[i]);
    mapping.map(loop.getInductionVar(i),
                Value(arith::AddIOp::create(
                    b, getBound(loop.getMixedLowerBound()[i]),
                    Value(arith::MulIOp::create(b, iteration, step)))));
  }
  for (Operation &inner : loop.getBody()->without_terminator())
    b.clone(inner, mapping);
  func::ReturnOp::create(b);

  b.setInsertionPoint(loop);
  auto getOutside = [&](OpFoldResult bound) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), bound);
  };
  Value count = arith::ConstantIndexOp::create(b, 1);
  for (unsigned i = 0; i < loop.getRank(); ++i)
    count = arith::MulIOp::create(b, count, getTripCount(getOutside, i));
  SmallVector<Value> operands = {count};
  llvm::append_range(operands, arguments);
  func::CallOp::create(b, task, operands);
  rewriter.eraseOp(loop);
  return success();
}

namespace {
struct OutlineTasksPass
    : public tensoraccess::impl::OutlineTasksBase<OutlineTasksPass> {
  void runOnOperation() override {
    // Those inside of others first.
    SmallVector<scf::ForallOp> loops;
    getOperation().walk([&](scf::ForallOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : loops)
      outlined += succeeded(outlineTask(rewriter, loop));
  }
};
} // namespace
