//===- ProfileKernels.cpp - When each loop nest begins and ends -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Around every call of a kernel (OutlineKernels.cpp), and every parallel loop
// over such calls, go calls of a function that takes its number and whether it
// is over; an attribute of the module has what the numbers stand for.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PROFILEKERNELS
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// `convolution 1x56x56x64 by 3x3x64`: parallel loops, and those of sums.
static std::string describeLoops(linalg::LinalgOp op) {
  bool isProduct = false, isMove = true;
  op.getBlock()->walk([&](Operation *inner) {
    isProduct |= isa<math::FmaOp, arith::MulFOp, arith::MulIOp>(inner);
    isMove &= isa<linalg::YieldOp, linalg::IndexOp>(inner);
  });
  // Not the loop of a dot product, which was part of another one.
  const bool isDot = matchDot(op).has_value();
  const unsigned numLoops = op.getNumLoops() - isDot;
  bool hasWindows = llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
      return expr.getKind() == AffineExprKind::Add &&
             !(isDot && expr.isFunctionOfDim(numLoops));
    });
  });
  const bool isSum = op.getNumReductionLoops() != 0;
  StringRef kind = isSum && isProduct && hasWindows ? "convolution"
                   : isSum && isProduct             ? "product"
                   : isSum && hasWindows            ? "window"
                   : isSum                          ? "reduction"
                   : isa<linalg::FillOp>(op)        ? "fill"
                   : isMove                         ? "move"
                                                    : "elementwise";
  std::string loops[2];
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (AffineMap map : op.getIndexingMapsArray())
    for (unsigned loop = 0;
         isDot && map.getNumResults() != 0 && loop < numLoops; ++loop)
      if (AffineExpr last = map.getResults().back();
          last.isFunctionOfDim(loop) && last.isFunctionOfDim(numLoops))
        sizes[loop] *= sizes.back();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.resize(numLoops);
  sizes.resize(numLoops);
  for (auto [size, iterator] : llvm::zip_equal(sizes, iterators)) {
    std::string &list = loops[iterator == utils::IteratorType::reduction];
    list += (list.empty() ? "" : "x") +
            (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  }
  std::string text = kind.str() + " " + (loops[0].empty() ? "1" : loops[0]);
  if (isSum)
    text += " by " + loops[1];
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  llvm::raw_string_ostream(text) << ' ' << element;
  return text;
}

/// Operations on numbers, a multiply-add as two, conversions as none; 0 where
/// sizes are unknown.
static int64_t countOperations(linalg::LinalgOp op) {
  int64_t count = 0;
  for (Operation &inner : op.getBlock()->without_terminator())
    if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            inner.getDialect()) &&
        !inner.hasTrait<OpTrait::ConstantLike>() &&
        !isa<CastOpInterface>(inner))
      count += isa<math::FmaOp>(inner) ? 2 : 1;
  if (matchDot(op))
    count = 2;
  for (int64_t size : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(size))
      return 0;
    count = llvm::SaturatingMultiply<uint64_t>(count, size);
  }
  return count;
}

/// Of the arguments, each once.
static int64_t countBytes(func::FuncOp kernel) {
  int64_t bytes = 0;
  for (Type type : kernel.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(type);
        memref && memref.hasStaticShape() &&
        memref.getElementType().isIntOrFloat())
      bytes += memref.getNumElements() *
               llvm::divideCeil(memref.getElementTypeBitWidth(), 8);
  return bytes;
}

void mlir::tensoraccess::profileKernels(ModuleOp module) {
  SymbolTable table(module);
  Builder attrs(module.getContext());
  Type word = attrs.getI64Type();
  // What is timed: a call of a kernel, or a parallel loop with such calls, whose
  // iterations run at the same time.
  struct Timed {
    linalg::LinalgOp most;
    int64_t calls = 0, operations = 0, bytes = 0;
  };
  llvm::MapVector<Operation *, Timed> all;
  module.walk([&](func::CallOp call) {
    auto kernel = table.lookup<func::FuncOp>(call.getCallee());
    if (!kernel || kernel.isExternal() || !kernel.isPrivate())
      return;
    // The op that does most; a kernel is ops on buffers, and nothing else.
    linalg::LinalgOp most;
    int64_t operations = 0;
    for (auto op : kernel.getBody().getOps<linalg::LinalgOp>()) {
      operations += countOperations(op);
      if (!most || op.getNumLoops() > most.getNumLoops())
        most = op;
    }
    if (!most)
      return;
    Operation *timed = call;
    int64_t iterations = 1;
    for (Operation *parent = call->getParentOp(); parent;
         parent = parent->getParentOp())
      if (auto loop = dyn_cast<scf::ForallOp>(parent)) {
        timed = parent;
        for (int64_t bound : loop.getStaticUpperBound())
          iterations *= ShapedType::isDynamic(bound) ? 0 : bound;
      }
    // Of a loop with a last part of another size, the other parts.
    auto branch = call->getParentOfType<scf::IfOp>();
    if (timed != call && branch && branch.elseBlock() == call->getBlock())
      return;
    Timed &sum = all[timed];
    if (!sum.most || most.getNumLoops() > sum.most.getNumLoops())
      sum.most = most;
    ++sum.calls;
    sum.operations += operations * iterations;
    sum.bytes += countBytes(kernel) * iterations;
  });

  SmallVector<Attribute> kernels;
  func::FuncOp clock;
  for (auto &[op, timed] : all) {
    if (!clock) {
      clock = func::FuncOp::create(module.getLoc(), kProfileFunction,
                                   attrs.getFunctionType({word, word}, {}));
      clock.setPrivate();
      table.insert(clock);
    }
    std::string text = describeLocation(op->getLoc());
    StringRef location = text;
    location.consume_back(": ");
    std::string name = describeLoops(timed.most);
    if (isa<scf::ForallOp>(op))
      name += " and " + std::to_string(timed.calls - 1) + " more, in parts";
    kernels.push_back(attrs.getDictionaryAttr({
        attrs.getNamedAttr("name", attrs.getStringAttr(name)),
        attrs.getNamedAttr("location", attrs.getStringAttr(location)),
        attrs.getNamedAttr("operations",
                           attrs.getI64IntegerAttr(timed.operations)),
        attrs.getNamedAttr("bytes", attrs.getI64IntegerAttr(timed.bytes)),
    }));
    OpBuilder b(op);
    Location loc = op->getLoc();
    Value number = arith::ConstantIntOp::create(b, loc, kernels.size() - 1, 64);
    func::CallOp::create(
        b, loc, clock,
        ValueRange{number, arith::ConstantIntOp::create(b, loc, 0, 64)});
    b.setInsertionPointAfter(op);
    func::CallOp::create(
        b, loc, clock,
        ValueRange{number, arith::ConstantIntOp::create(b, loc, 1, 64)});
  }
  module->setAttr(kProfiledKernels, attrs.getArrayAttr(kernels));
}

namespace {
struct ProfileKernelsPass
    : public tensoraccess::impl::ProfileKernelsBase<ProfileKernelsPass> {
  void runOnOperation() override { profileKernels(getOperation()); }
};
} // namespace
