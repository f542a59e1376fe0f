//===- CutLoops.cpp - Parts of linalg ops on buffers ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "KernelPlan.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

bool mlir::tensoraccess::isAllocation(Value root) {
  return root.getDefiningOp<memref::AllocOp>() != nullptr;
}

bool mlir::tensoraccess::isOlder(Value root) {
  if (root.getDefiningOp<memref::GetGlobalOp>())
    return true;
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

bool mlir::tensoraccess::isUnaliasedArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && argument.getOwner()->isEntryBlock() &&
         function.getArgAttr(argument.getArgNumber(),
                             LLVM::LLVMDialect::getNoAliasAttrName());
}

bool mlir::tensoraccess::isInHostFunction(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  auto module =
      function ? dyn_cast<ModuleOp>(function->getParentOp()) : ModuleOp();
  return module && !module->getParentOp();
}

void mlir::tensoraccess::setCold(func::FuncOp function) {
  Builder b(function.getContext());
  SmallVector<Attribute> attrs;
  if (auto old = function->getAttrOfType<ArrayAttr>("passthrough"))
    llvm::append_range(attrs, old);
  attrs.push_back(b.getStringAttr("cold"));
  function->setAttr("passthrough", b.getArrayAttr(attrs));
}

bool mlir::tensoraccess::isInColdFunction(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto attrs = function ? function->getAttrOfType<ArrayAttr>("passthrough")
                        : ArrayAttr();
  return attrs &&
         llvm::is_contained(attrs, StringAttr::get(op->getContext(), "cold"));
}

/// Whether an op in a body does nothing but compute, read, and perhaps fail.
static bool isHarmless(Operation *op) {
  if (isa<AssertOp, cf::AssertOp>(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

bool mlir::tensoraccess::isCuttable(const NestOp &op) {
  const Nest &nest = *op.nest;
  auto isKnown = [&](const NestRead &read) {
    return read.reason == IndexingReason::None &&
           llvm::all_of(nest.getOperands()[read.value], [&](const Form &size) {
             return nest.getSizes().getStatic(size).has_value();
           });
  };
  if (!nest.hasLoops() || nest.getDestinations().empty() ||
      !llvm::all_of(nest.reads, isKnown))
    return false;
  linalg::LinalgOp structured = op.op;
  return !structured.getBlock()
              ->walk([](Operation *inner) {
                return isHarmless(inner) ? WalkResult::advance()
                                         : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool mlir::tensoraccess::mayFail(linalg::LinalgOp op) {
  return op.getBlock()
      ->walk([](Operation *inner) {
        return isa<AssertOp, cf::AssertOp>(inner) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The panels of an operand that a loop cuts.
static std::optional<Panels> getPanels(const NestOp &op, OpOperand &operand,
                                       unsigned loop) {
  linalg::LinalgOp structured = op.op;
  auto panels = matchPanels(structured.getMatchingIndexingMap(&operand));
  return panels && panels->loop == loop ? panels : std::nullopt;
}

std::optional<int64_t> mlir::tensoraccess::getSliceUnit(const NestOp &op,
                                                        OpOperand &operand,
                                                        unsigned loop) {
  if (std::optional<Panels> panels = getPanels(op, operand, loop))
    return panels->width;
  for (const Form &form : op.get(operand).index) {
    if (!op.nest->moves(form, loop) || op.nest->getPlainAxis(form))
      continue;
    auto steps = op.nest->getSteps(form);
    if (!steps || llvm::any_of(*steps, [](int64_t c) { return c < 0; }))
      return std::nullopt;
  }
  return 1;
}

int64_t mlir::tensoraccess::getBytes(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

int64_t mlir::tensoraccess::getLanes(linalg::LinalgOp op,
                                     const Target &target) {
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return target.getLanes(
      element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64);
}

double mlir::tensoraccess::getCycles(const NestOp &nested,
                                     const Target &target) {
  linalg::LinalgOp op = nested.op;
  double iterations = 1, ops = 0, bytes = 0;
  const SmallVector<int64_t> extents = *nested.nest->getExtents();
  for (int64_t size : extents)
    iterations *= size;
  op.getBlock()->walk([&](Operation *inner) {
    // Polynomials, except those that are one instruction.
    bool isLong = isa_and_nonnull<math::MathDialect>(inner->getDialect()) &&
                  !isa<math::FmaOp, math::AbsFOp, math::SqrtOp>(inner);
    ops += isLong ? 20 : 1;
  });
  for (Value operand : op->getOperands())
    bytes += getBytes(operand);
  return std::max(iterations * ops / double(2 * getLanes(op, target)),
                  bytes / target.getBytesPerCycle());
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::allocatePart(OpBuilder &b, Location loc,
                                       memref::AllocOp local, unsigned dim,
                                       int64_t size) {
  MemRefType type = local.getType();
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return memref::AllocOp::create(b, loc,
                                 MemRefType::get(shape, type.getElementType()),
                                 local.getAlignmentAttr());
}

void mlir::tensoraccess::eraseLocal(RewriterBase &b, memref::AllocOp local) {
  for (Operation *user : llvm::make_early_inc_range(local->getUsers()))
    b.eraseOp(user);
  b.eraseOp(local);
}

Value Slicer::get(const NestOp &op, OpOperand &use, unsigned loop) {
  const Nest &nest = *op.nest;
  const NestRead &read = op.get(use);
  Value operand = use.get();
  if (Value part = given.lookup(operand))
    return part;
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type || !nest.moves(read, loop))
    return operand;
  Slice slice{operand, {}, {}};
  std::optional<Panels> panels = getPanels(op, use, loop);
  for (auto [i, form, all] :
       llvm::enumerate(read.index, nest.getOperands()[read.value])) {
    if (!nest.moves(form, loop)) {
      slice.dims.push_back({0, 1, *nest.getSizes().getStatic(all)});
      continue;
    }
    if (panels) {
      // Columns of a panel, and the panels.
      bool isInner = i == panels->inner;
      slice.dims.push_back({isInner ? 0 : 1, panels->width,
                            isInner
                                ? panels->width
                                : llvm::divideCeilSigned(size, panels->width)});
      continue;
    }
    SmallVector<int64_t> steps = *nest.getSteps(form);
    // What is added is left to the op, whose map stays.
    int64_t extent = steps[loop] * (size - 1) + 1 + steps.back();
    for (auto [axis, step] : llvm::enumerate(ArrayRef(steps).drop_back()))
      if (axis != loop)
        extent += step * (*nest.getExtent(axis) - 1);
    slice.dims.push_back({steps[loop], 1, extent});
  }
  for (const Slice &other : slices)
    if (other.operand == operand && other.dims == slice.dims)
      return other.result;
  SmallVector<OpFoldResult> offsets, extents;
  for (auto [factor, iterations, extent] : slice.dims) {
    extents.push_back(b.getIndexAttr(extent));
    if (factor == 0) {
      offsets.push_back(b.getIndexAttr(0));
      continue;
    }
    AffineExpr place =
        (getAffineDimExpr(0, b.getContext()) * factor).floorDiv(iterations);
    offsets.push_back(affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(1, 0, place), OpFoldResult(offset)));
  }
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  slice.result =
      memref::SubViewOp::create(b, loc, operand, offsets, extents, strides);
  return slices.emplace_back(std::move(slice)).result;
}

SmallVector<Value> Slicer::get(const NestOp &op, unsigned loop) {
  return llvm::map_to_vector(op.op->getOpOperands(), [&](OpOperand &operand) {
    return get(op, operand, loop);
  });
}

void Slicer::clone(linalg::LinalgOp op, unsigned loop,
                   ArrayRef<Value> operands) {
  auto cut = cast<linalg::LinalgOp>(
      mlir::clone(b, op, /*resultTypes=*/TypeRange(), operands));
  if (!cut.hasIndexSemantics())
    return;
  SmallVector<OpFoldResult> offsets(cut.getNumLoops(), OpFoldResult());
  offsets[loop] = offset;
  linalg::offsetIndices(b, cut, offsets);
}

void mlir::tensoraccess::emitParts(
    OpBuilder &b, Location loc, const Parts &parts, bool isParallel,
    function_ref<void(OpBuilder &, Value, int64_t)> body) {
  OpBuilder::InsertionGuard guard(b);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value part;
  if (isParallel) {
    auto forall = scf::ForallOp::create(
        b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(parts.count)},
        ValueRange(), std::nullopt);
    b.setInsertionPointToStart(forall.getBody());
    part = forall.getInductionVar(0);
  } else {
    auto loop =
        scf::ForOp::create(b, loc, index(0), index(parts.count), index(1));
    b.setInsertionPointToStart(loop.getBody());
    part = loop.getInductionVar();
  }
  Value offset = arith::MulIOp::create(b, loc, part, index(parts.size));
  if (parts.last == parts.size)
    return body(b, offset, parts.size);
  Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, part,
                                        index(parts.count - 1));
  auto branch = scf::IfOp::create(b, loc, isWhole, /*withElse=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  body(b, offset, parts.size);
  b.setInsertionPointToStart(branch.elseBlock());
  body(b, offset, parts.last);
}
