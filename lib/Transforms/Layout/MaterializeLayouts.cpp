//===- MaterializeLayouts.cpp - Encodings become tensors in memory --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Every layout must have a tensor of its own (PhysicalForm.h), or it is an
//    error.
// 2. Arguments and results of functions get the physical shape of their layout,
//    which is reshaped to the form, with merged digits, that is used inside.
// 3. Ops in program order: each gets a twin on tensors in memory. Loop nests
//    are cut (MaterializeLinalg.cpp), movements are movements of digits, and
//    relayouts are written out (buildRelayout).
// 4. An op without a twin is wrapped: it reads and makes row-major tensors.
//    Regions are wrapped too: what enters and leaves a block is row-major.
// 5. What was replaced, and what stood in for it, is erased, last first.
//
//===----------------------------------------------------------------------===//

#include "Access/MemorySpaces.h"
#include "LayoutMaterializer.h"
#include "PackConstant.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The tensor at the border of a function: all dimensions of the tiled shape.
static RankedTensorType getBorderType(RankedTensorType type) {
  auto layout = cast<LayoutAttr>(type.getEncoding())
                    .getValue()
                    .withShape(type.getShape(), *XlaType::lookup("pred"));
  std::optional<LayoutSizes> sizes = getSizes(layout);
  SmallVector<int64_t> shape;
  for (const SizeExpr &size : sizes->physicalShape)
    shape.push_back(size.isConstant() ? size.getConstant()
                                      : ShapedType::kDynamic);
  return RankedTensorType::get(shape, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value LayoutMaterializer::move(Location loc, Value value,
                               const PhysicalForm &from, const PhysicalForm &to,
                               ArrayRef<int64_t> shape,
                               ArrayRef<OpFoldResult> sizes) {
  ++report.relayouts;
  report.views += from.getKey() == to.getKey();
  if (from.getKey() != to.getKey())
    if (Value packed =
            packConstant(builder, loc, value, from, to, shape, foldBytes)) {
      ++report.folded;
      return packed;
    }
  return buildRelayout(builder, loc, value, from, to, shape, sizes, way);
}

SmallVector<OpFoldResult> LayoutMaterializer::getLogicalSizes(Value value) {
  RankedTensorType type = getType(value);
  PhysicalForm form = getForm(type);
  auto kept = logical.find(value);
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(builder.getIndexAttr(size));
    } else if (form.granules[dim] != 1) {
      sizes.push_back(kept->second[dim]);
    } else {
      auto *digit = llvm::find_if(
          form.digits, [&, dim = static_cast<int64_t>(dim)](auto &digit) {
            return digit.dim == dim;
          });
      sizes.push_back(tensor::getMixedSize(builder, value.getLoc(),
                                           getPhysical(value),
                                           digit - form.digits.begin()));
    }
  }
  return sizes;
}

void LayoutMaterializer::keepSizes(Value result, ArrayRef<OpFoldResult> sizes) {
  RankedTensorType type = getEncoded(result.getType());
  if (type && getForm(type).hasUnknownSizes())
    logical[result] = llvm::to_vector(sizes);
}

Value LayoutMaterializer::getPlain(Value value) {
  if (!physical.contains(value))
    return value;
  Value &result = plain[value];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    Value tensor = getPhysical(value);
    builder.setInsertionPointAfterValue(tensor);
    RankedTensorType type = getType(value);
    result = move(tensor.getLoc(), tensor, getForm(type),
                  getPlainForm(type.getShape()), type.getShape(),
                  getLogicalSizes(value));
  }
  return result;
}

/// Gives a value another type. What used it uses the returned stand-in of the
/// type before, which goes in step 5: so no value with a layout is a tensor in
/// memory, too, not even where the layout moves nothing.
Value LayoutMaterializer::retype(Value value, Type type) {
  auto standIn = UnrealizedConversionCastOp::create(builder, value.getLoc(),
                                                    value.getType(), value);
  value.replaceAllUsesExcept(standIn.getResult(0), standIn);
  value.setType(type);
  dead.push_back(standIn);
  return standIn.getResult(0);
}

/// A value that comes as at the border of a function.
void LayoutMaterializer::enterBorder(Value value, RankedTensorType encoded) {
  Value standIn = retype(value, getBorderType(encoded));
  setPhysical(standIn, encoded,
              reshapeTensor(builder, value.getLoc(), value,
                            getForm(encoded).getShape()));
}

/// A value that comes in row-major order.
void LayoutMaterializer::enterPlain(Value value, RankedTensorType encoded) {
  Value standIn = retype(value, getPlainType(encoded));
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, value.getLoc(), value);
  keepSizes(standIn, sizes);
  Value moved = move(value.getLoc(), value, getPlainForm(encoded.getShape()),
                     getForm(encoded), encoded.getShape(), sizes);
  moved = placeIn(builder, value.getLoc(), moved, value,
                  getMemorySpace(encoded), 0);
  setPhysical(standIn, encoded, moved);
}

//===----------------------------------------------------------------------===//
// Step 1
//===----------------------------------------------------------------------===//

LogicalResult LayoutMaterializer::check() {
  auto checkType = [&](Operation *op, Type type,
                       bool isEntered = false) -> LogicalResult {
    RankedTensorType tensor = getEncoded(type);
    std::string reason;
    std::optional<PhysicalForm> form;
    if (tensor)
      form = getPhysicalForm(tensor, reason);
    if (form && isEntered && form->hasUnknownSizes()) {
      // Several sizes make the same tensor.
      int64_t dim =
          llvm::find_if(form->granules,
                        [](int64_t granule) { return granule != 1; }) -
          form->granules.begin();
      reason = "the size of dimension " + std::to_string(dim) +
               " is lost where it comes from another function, rounded up to a "
               "multiple of " +
               std::to_string(form->granules[dim]);
      form.reset();
    }
    if (!tensor || form)
      return success();
    return op->emitError() << "no tensor can stand for " << tensor << ": "
                           << reason;
  };
  std::optional<Target> target = getAttachedTarget(module);
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(checkMemorySpaces(op, target)))
      return WalkResult::interrupt();
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      for (Type type : function.getArgumentTypes())
        if (failed(checkType(op, type, /*isEntered=*/true)))
          return WalkResult::interrupt();
      for (Type type : function.getResultTypes())
        if (failed(checkType(op, type)))
          return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type, /*isEntered=*/isa<func::CallOp>(op))))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(checkType(op, type)))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Step 2
//===----------------------------------------------------------------------===//

/// The types at the border, or none if no layout is among them.
static std::optional<SmallVector<Type>> getBorderTypes(TypeRange types) {
  SmallVector<Type> result;
  bool changed = false;
  for (Type type : types) {
    RankedTensorType encoded = getEncoded(type);
    changed |= encoded != nullptr;
    result.push_back(encoded ? Type(getBorderType(encoded)) : type);
  }
  return changed ? std::optional(result) : std::nullopt;
}

void LayoutMaterializer::enterFunction(FunctionOpInterface function) {
  auto type = dyn_cast<FunctionType>(function.getFunctionType());
  if (!type)
    return;
  auto inputs = getBorderTypes(type.getInputs());
  auto results = getBorderTypes(type.getResults());
  if (inputs || results)
    function.setFunctionTypeAttr(TypeAttr::get(FunctionType::get(
        type.getContext(), inputs ? TypeRange(*inputs) : type.getInputs(),
        results ? TypeRange(*results) : type.getResults())));
  if (function.isExternal() || !inputs)
    return;
  Block &entry = function.getFunctionBody().front();
  Operation *first = &entry.front();
  builder.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments())
    if (RankedTensorType encoded = getEncoded(argument.getType()))
      enterBorder(argument, encoded);
  for (Operation *op = &entry.front(); op != first; op = op->getNextNode())
    own.insert(op);
}

/// Returns of functions, and calls of functions of this module.
bool LayoutMaterializer::passBorder(Operation *op) {
  bool isReturn = op->hasTrait<OpTrait::ReturnLike>() &&
                  isa<FunctionOpInterface>(op->getParentOp());
  if (!isReturn && !isa<func::CallOp>(op))
    return false;
  builder.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands())
    if (physical.contains(operand.get()))
      operand.set(
          reshapeTensor(builder, op->getLoc(), getPhysical(operand.get()),
                        getBorderType(getType(operand.get())).getShape()));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults())
    if (RankedTensorType encoded = getEncoded(result.getType()))
      enterBorder(result, encoded);
  return true;
}

//===----------------------------------------------------------------------===//
// Steps 3 and 4
//===----------------------------------------------------------------------===//

void LayoutMaterializer::wrap(Operation *op, StringRef reason) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(getPlain(operand.get()));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults())
    if (RankedTensorType encoded = getEncoded(result.getType()))
      enterPlain(result, encoded);
  ++report.wrapped;
  remark::missed(op->getLoc(), remark::RemarkOpts::name("wrapped").category(
                                   "tensoraccess:materialize-layouts"))
      << remark::add("{0} works on row-major tensors", op->getName())
      << remark::reason("{0}", reason);
}

void LayoutMaterializer::visit(Operation *op) {
  bool isOurs = isa<RelayoutOp, BitcastOp>(op);
  bool touched =
      isOurs ||
      llvm::any_of(op->getOperands(),
                   [&](Value value) { return physical.contains(value); }) ||
      llvm::any_of(op->getResultTypes(),
                   [](Type type) { return getEncoded(type) != nullptr; });
  if (touched && !passBorder(op)) {
    std::string reason = "it has no form on tiles";
    builder.setInsertionPoint(op);
    if (std::optional<SmallVector<Value>> twins = build(op, reason)) {
      for (auto [result, twin] : llvm::zip_equal(op->getResults(), *twins)) {
        if (RankedTensorType encoded = getEncoded(result.getType()))
          setPhysical(result, encoded, twin);
        else
          result.replaceAllUsesWith(twin);
      }
      report.physical += !isOurs;
      dead.push_back(op);
      return;
    }
    wrap(op, reason);
  }
  for (Region &region : op->getRegions())
    runOn(region);
}

void LayoutMaterializer::runOn(Region &region) {
  for (Block &block : region) {
    bool isEntry =
        isa<FunctionOpInterface>(region.getParentOp()) && block.isEntryBlock();
    SmallVector<Operation *> ops;
    for (Operation &op : block)
      if (!own.contains(&op))
        ops.push_back(&op);
    builder.setInsertionPointToStart(&block);
    for (BlockArgument argument : block.getArguments())
      if (RankedTensorType encoded = getEncoded(argument.getType());
          encoded && !isEntry)
        enterPlain(argument, encoded);
    for (Operation *op : ops)
      if (!isa<FunctionOpInterface>(op))
        visit(op);
  }
}

FailureOr<LayoutMaterializationReport> LayoutMaterializer::run() {
  if (failed(check()))
    return failure();
  SmallVector<FunctionOpInterface> functions;
  module.walk(
      [&](FunctionOpInterface function) { functions.push_back(function); });
  for (FunctionOpInterface function : functions)
    enterFunction(function);
  for (FunctionOpInterface function : functions)
    runOn(function.getFunctionBody());
  if (hasFailed)
    return failure();
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return report;
}

FailureOr<LayoutMaterializationReport>
mlir::tensoraccess::materializeLayouts(ModuleOp module, RelayoutWay way,
                                       int64_t foldBytes) {
  assert(way != RelayoutWay::Loops && "layouts become packs or steps");
  FailureOr<LayoutMaterializationReport> report =
      LayoutMaterializer(module, way, foldBytes).run();
  if (succeeded(report))
    remark::analysis(module.getLoc(),
                     remark::RemarkOpts::name("layouts").category(
                         "tensoraccess:materialize-layouts"))
        << remark::metric("Physical", report->physical)
        << remark::metric("Wrapped", report->wrapped)
        << remark::metric("Relayouts", report->relayouts)
        << remark::metric("Views", report->views)
        << remark::metric("Masked", report->masked)
        << remark::metric("Folded", report->folded);
  return report;
}
