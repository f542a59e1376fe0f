//===- OutlineKernels.cpp - Each loop nest in a function of its own -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's passes take more than linear time in the blocks of one function, and a
// deep network repeats the same layers. So, for each linalg op on buffers, and, of a
// sum, the fill that it begins with and the elementwise op that takes its result:
// 1. collect what it reads from outside: operands and captured values; scalar
//    constants move in, everything else becomes an argument;
// 2. a written buffer that is an allocation of its own is marked `noalias`
//    where no other argument can be a view of it;
// 3. build the function; if an equal one exists (hash, then comparison of
//    bodies), take that;
// 4. replace the op by a call.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "KernelPlan.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class KernelOutliner {
public:
  explicit KernelOutliner(ModuleOp module) : module(module), table(module) {}

  /// True if the ops were moved, to where `at` is. `local` is a buffer of
  /// theirs, or null.
  bool outline(ArrayRef<linalg::LinalgOp> ops, linalg::LinalgOp at,
               memref::AllocOp local);
  unsigned getNumKernels() const { return numKernels; }

private:
  /// Steps 1 to 3.
  func::FuncOp getKernel(ArrayRef<linalg::LinalgOp> ops,
                         ArrayRef<Value> arguments,
                         ArrayRef<Operation *> constants,
                         memref::AllocOp local);
  static bool equal(func::FuncOp lhs, func::FuncOp rhs);

  ModuleOp module;
  SymbolTable table;
  llvm::DenseMap<size_t, SmallVector<func::FuncOp, 1>> kernels;
  unsigned numKernels = 0;
};

} // namespace

/// The most ops between those of a group.
static constexpr int kNear = 16;

/// Whether an op, or one in its regions, may touch one of the buffers.
static bool mayTouch(Operation *op, ArrayRef<Value> roots) {
  return op
      ->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (isa<BaseMemRefType>(operand.getType())) {
            Value root = getRoot(operand);
            if (llvm::is_contained(roots, root) ||
                (!isAllocation(root) && !isOlder(root)))
              return WalkResult::interrupt();
          }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// The fill whose values a sum begins with: nothing between the two touches the
/// buffer.
static linalg::FillOp findFill(linalg::LinalgOp op) {
  Value out = op.getDpsInits()[0], root = getRoot(out);
  Operation *before = op->getPrevNode();
  for (int i = 0; before && i < kNear; ++i, before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getOutputs()[0] == out)
      return fill;
    if (mayTouch(before, root))
      return {};
  }
  return {};
}

/// The elementwise op that takes the result of a sum, if it may run before what
/// lies between the two: nothing there touches its buffers, and what it writes
/// is not an input of the sum.
static linalg::GenericOp findEpilogue(linalg::LinalgOp op) {
  Value out = op.getDpsInits()[0];
  SmallVector<Operation *> between;
  Operation *after = op->getNextNode();
  while (after && between.size() < kNear && !isEpilogueOf(after, op)) {
    if (!isPure(after) && mayTouch(after, getRoot(out)))
      return {};
    between.push_back(after);
    after = after->getNextNode();
  }
  if (!after || between.size() == kNear)
    return {};
  auto epilogue = cast<linalg::GenericOp>(after);
  SmallVector<Value> roots;
  llvm::SetVector<Value> needed(epilogue->operand_begin(),
                                epilogue->operand_end());
  getUsedValuesDefinedAbove(epilogue->getRegions(), needed);
  for (Value value : needed)
    if (isa<BaseMemRefType>(value.getType())) {
      roots.push_back(getRoot(value));
      if (!isAllocation(roots.back()) && !isOlder(roots.back()))
        return {};
    }
  Value target = getRoot(epilogue.getDpsInits()[0]);
  if (!isAllocation(target))
    return {};
  for (Value input : op->getOperands())
    if (isa<BaseMemRefType>(input.getType()) && input != out) {
      Value root = getRoot(input);
      if (root == target || (!isAllocation(root) && !isOlder(root)))
        return {};
    }
  // What is needed and neither reads nor writes may come before the sum.
  llvm::SetVector<Operation *> early;
  for (Operation *other : llvm::reverse(between)) {
    bool isNeeded = llvm::any_of(other->getResults(), [&](Value result) {
      return needed.contains(result);
    });
    if (isNeeded && !isPure(other) && !isa<memref::AllocOp>(other))
      return {};
    if (isNeeded) {
      early.insert(other);
      needed.insert(other->operand_begin(), other->operand_end());
    } else if (!isPure(other) && !isa<memref::AllocOp>(other) &&
               mayTouch(other, roots)) {
      return {};
    }
  }
  for (Operation *other : llvm::reverse(early))
    other->moveBefore(op);
  return epilogue;
}

KernelGroup mlir::tensoraccess::findGroup(linalg::LinalgOp op) {
  KernelGroup group{{}, op, {}, {}};
  if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1 || !isAllocation(getRoot(op.getDpsInits()[0])))
    return group;
  group.fill = findFill(op);
  group.epilogue = findEpilogue(op);
  Value out = op.getDpsInits()[0];
  auto alloc = out.getDefiningOp<memref::AllocOp>();
  if (group.epilogue && group.fill && alloc &&
      group.epilogue.getDpsInits()[0] != out &&
      llvm::all_of(out.getUsers(), [&](Operation *user) {
        return user == op || user == group.fill || user == group.epilogue ||
               isa<memref::DeallocOp>(user);
      }))
    group.local = alloc;
  return group;
}

/// Marks the buffers that only this op writes and no other argument overlaps.
static void markUnaliased(func::FuncOp kernel, linalg::LinalgOp op,
                          ArrayRef<Value> arguments) {
  SmallVector<Value> roots;
  for (Value argument : arguments)
    roots.push_back(isa<BaseMemRefType>(argument.getType()) ? getRoot(argument)
                                                            : Value());
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value root = roots[i];
    if (!root || !isAllocation(root) ||
        !llvm::is_contained(op.getDpsInits(), argument))
      continue;
    bool alone = true;
    for (auto [j, other] : llvm::enumerate(roots))
      if (other && i != j)
        alone &= other != root && (isAllocation(other) || isOlder(other));
    if (alone)
      kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        UnitAttr::get(op.getContext()));
  }
}

bool KernelOutliner::equal(func::FuncOp lhs, func::FuncOp rhs) {
  return lhs.getFunctionType() == rhs.getFunctionType() &&
         lhs.getArgAttrsAttr() == rhs.getArgAttrsAttr() &&
         lhs->getAttr("passthrough") == rhs->getAttr("passthrough") &&
         OperationEquivalence::isRegionEquivalentTo(
             &lhs.getBody(), &rhs.getBody(),
             OperationEquivalence::IgnoreLocations);
}

func::FuncOp KernelOutliner::getKernel(ArrayRef<linalg::LinalgOp> ops,
                                       ArrayRef<Value> arguments,
                                       ArrayRef<Operation *> constants,
                                       memref::AllocOp local) {
  linalg::LinalgOp op = ops.back();
  MLIRContext *context = op.getContext();
  OpBuilder builder(context);
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.push_back(argument.getType());
  auto type = builder.getFunctionType(types, {});
  auto kernel = func::FuncOp::create(op.getLoc(), "tensoraccess_kernel", type);
  kernel.setPrivate();
  // Static buffers are passed as pointers.
  if (llvm::all_of(types, [](Type type) {
        auto memref = dyn_cast<BaseMemRefType>(type);
        return !memref || LLVMTypeConverter::canConvertToBarePtr(memref);
      }))
    kernel->setAttr("llvm.bareptr", builder.getUnitAttr());
  markUnaliased(kernel, op, arguments);
  // Inlining would bring all loops together in one function again.
  kernel->setAttr("passthrough",
                  builder.getArrayAttr({builder.getStringAttr("noinline")}));
  if (isInColdFunction(op))
    setCold(kernel);
  kernel->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(context, LLVM::linkage::Linkage::Internal));
  Block *body = kernel.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(arguments, body->getArguments());
  for (Operation *constant : constants)
    builder.clone(*constant, mapping);
  if (local)
    builder.clone(*local, mapping);
  size_t hash = llvm::hash_combine(type, kernel.getArgAttrsAttr());
  for (linalg::LinalgOp inner : ops) {
    builder.clone(*inner, mapping);
    hash = llvm::hash_combine(hash,
                              OperationEquivalence::computeHash(
                                  inner, OperationEquivalence::ignoreHashValue,
                                  OperationEquivalence::ignoreHashValue,
                                  OperationEquivalence::IgnoreLocations));
  }
  if (local)
    memref::DeallocOp::create(builder, op.getLoc(),
                              mapping.lookup(local.getResult()));
  func::ReturnOp::create(builder, op.getLoc());

  SmallVector<func::FuncOp, 1> &candidates = kernels[hash];
  for (func::FuncOp candidate : candidates)
    if (equal(candidate, kernel)) {
      kernel.erase();
      return candidate;
    }
  table.insert(kernel);
  candidates.push_back(kernel);
  ++numKernels;
  return kernel;
}

bool KernelOutliner::outline(ArrayRef<linalg::LinalgOp> ops,
                             linalg::LinalgOp at, memref::AllocOp local) {
  linalg::LinalgOp op = ops.back();
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0)
    return false;
  llvm::SetVector<Value> read;
  for (linalg::LinalgOp inner : ops) {
    read.insert(inner->operand_begin(), inner->operand_end());
    getUsedValuesDefinedAbove(inner->getRegions(), read);
  }
  SmallVector<Value> arguments;
  SmallVector<Operation *> constants;
  for (Value value : read) {
    if (local && value == local.getResult())
      continue;
    Operation *producer = value.getDefiningOp();
    if (producer && producer->hasTrait<OpTrait::ConstantLike>() &&
        producer->getNumOperands() == 0)
      constants.push_back(producer);
    else
      arguments.push_back(value);
  }
  func::FuncOp kernel = getKernel(ops, arguments, constants, local);
  OpBuilder builder(at);
  func::CallOp::create(builder, op.getLoc(), kernel, arguments);
  for (linalg::LinalgOp inner : llvm::reverse(ops))
    inner->erase();
  if (local) {
    IRRewriter rewriter(local.getContext());
    eraseLocal(rewriter, local);
  }
  return true;
}

unsigned mlir::tensoraccess::outlineKernels(ModuleOp module,
                                            unsigned *numKernels) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  llvm::DenseMap<Operation *, KernelGroup> groups;
  llvm::DenseSet<Operation *> taken;
  for (linalg::LinalgOp op : ops) {
    if (taken.contains(op))
      continue;
    KernelGroup group = findGroup(op);
    if (group.fill && !taken.insert(group.fill).second)
      group.fill = {};
    if (group.epilogue && !taken.insert(group.epilogue).second)
      group.epilogue = {};
    if (!group.fill || !group.epilogue ||
        (group.local && group.local->getNumOperands() != 0))
      group.local = {};
    groups[op] = group;
  }
  KernelOutliner outliner(module);
  unsigned outlined = 0;
  for (linalg::LinalgOp op : ops) {
    if (taken.contains(op))
      continue;
    KernelGroup group = groups[op];
    SmallVector<linalg::LinalgOp, 3> list;
    if (group.fill)
      list.push_back(cast<linalg::LinalgOp>(group.fill.getOperation()));
    list.push_back(op);
    if (group.epilogue)
      list.push_back(cast<linalg::LinalgOp>(group.epilogue.getOperation()));
    outlined += outliner.outline(list, op, group.local) ? list.size() : 0;
  }
  if (numKernels)
    *numKernels = outliner.getNumKernels();
  return outlined;
}

namespace {
struct OutlineKernelsPass
    : public tensoraccess::impl::OutlineKernelsBase<OutlineKernelsPass> {
  void runOnOperation() override {
    unsigned numKernels = 0;
    outlined += outlineKernels(getOperation(), &numKernels);
    kernels += numKernels;
  }
};
} // namespace
