//===- OutlineKernels.cpp - Each loop nest in a function of its own -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's passes take more than linear time in the blocks of one function, and a
// deep network repeats the same layers. So, for each linalg op on buffers:
// 1. collect what it reads from outside: operands and captured values; scalar
//    constants move in, everything else becomes an argument;
// 2. a written buffer that is an allocation of its own is marked `noalias`
//    where no other argument can be a view of it;
// 3. build the function; if an equal one exists (hash, then comparison of
//    bodies), take that;
// 4. replace the op by a call.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The buffer that a memref is a view of.
static Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// True for a buffer that nothing but its views can overlap.
static bool isAllocation(Value root) {
  return root.getDefiningOp<memref::AllocOp>() != nullptr;
}

/// True for a buffer that existed before every allocation of its function.
static bool isOlder(Value root) {
  if (root.getDefiningOp<memref::GetGlobalOp>())
    return true;
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

namespace {

class KernelOutliner {
public:
  explicit KernelOutliner(ModuleOp module) : module(module), table(module) {}

  /// True where the op was moved.
  bool outline(linalg::LinalgOp op);
  unsigned getNumKernels() const { return numKernels; }

private:
  /// Steps 1 to 3.
  func::FuncOp getKernel(linalg::LinalgOp op, ArrayRef<Value> arguments,
                         ArrayRef<Operation *> constants);
  static bool equal(func::FuncOp lhs, func::FuncOp rhs);

  ModuleOp module;
  SymbolTable table;
  llvm::DenseMap<size_t, SmallVector<func::FuncOp, 1>> kernels;
  unsigned numKernels = 0;
};

} // namespace

/// Marks the buffers that the op alone writes and no other argument overlaps.
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
         OperationEquivalence::isRegionEquivalentTo(
             &lhs.getBody(), &rhs.getBody(),
             OperationEquivalence::IgnoreLocations);
}

func::FuncOp KernelOutliner::getKernel(linalg::LinalgOp op,
                                       ArrayRef<Value> arguments,
                                       ArrayRef<Operation *> constants) {
  MLIRContext *context = op.getContext();
  OpBuilder builder(context);
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.push_back(argument.getType());
  auto type = builder.getFunctionType(types, {});
  auto kernel = func::FuncOp::create(op.getLoc(), "tensoraccess_kernel", type);
  kernel.setPrivate();
  // Static buffers are passed as pointers, to which `noalias` can be said.
  if (llvm::all_of(types, [](Type type) {
        auto memref = dyn_cast<BaseMemRefType>(type);
        return !memref || LLVMTypeConverter::canConvertToBarePtr(memref);
      })) {
    kernel->setAttr("llvm.bareptr", builder.getUnitAttr());
    markUnaliased(kernel, op, arguments);
  }
  // Inlining would bring all loops together in one function again.
  kernel->setAttr("passthrough",
                  builder.getArrayAttr({builder.getStringAttr("noinline")}));
  kernel->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(context, LLVM::linkage::Linkage::Internal));
  Block *body = kernel.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(arguments, body->getArguments());
  for (Operation *constant : constants)
    builder.clone(*constant, mapping);
  builder.clone(*op, mapping);
  func::ReturnOp::create(builder, op.getLoc());

  size_t hash =
      llvm::hash_combine(type, kernel.getArgAttrsAttr(),
                         OperationEquivalence::computeHash(
                             op, OperationEquivalence::ignoreHashValue,
                             OperationEquivalence::ignoreHashValue,
                             OperationEquivalence::IgnoreLocations));
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

bool KernelOutliner::outline(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0)
    return false;
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  SmallVector<Value> arguments;
  SmallVector<Operation *> constants;
  for (Value value : read) {
    Operation *producer = value.getDefiningOp();
    if (producer && producer->hasTrait<OpTrait::ConstantLike>() &&
        producer->getNumOperands() == 0)
      constants.push_back(producer);
    else
      arguments.push_back(value);
  }
  func::FuncOp kernel = getKernel(op, arguments, constants);
  OpBuilder builder(op);
  func::CallOp::create(builder, op.getLoc(), kernel, arguments);
  op->erase();
  return true;
}

unsigned mlir::tensoraccess::outlineKernels(ModuleOp module,
                                            unsigned *numKernels) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  KernelOutliner outliner(module);
  unsigned outlined = 0;
  for (linalg::LinalgOp op : ops)
    outlined += outliner.outline(op);
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
