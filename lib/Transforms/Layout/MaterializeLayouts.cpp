//===- MaterializeLayouts.cpp - Encodings become tensors in memory --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 0. Tensors with strided and linear layouts become their memory
//    (MaterializePlaces.cpp), ops on indices arithmetic (LowerIndexOps.cpp).
// 1. Every type must have a tensor in memory (getPhysicalType), or it is an
//    error.
// 2. Arguments and results of functions get the physical shape of their layout,
//    which is reshaped to the form, with merged digits, that is used inside
//    (PhysicalForm.h).
// 3. Ops in dominance order: each gets a twin on tensors in memory. Loop nests
//    are cut (MaterializeLinalg.cpp), movements are movements of digits, and
//    relayouts are written out (buildRelayout; buildPack where there is no
//    form).
// 4. An op without a twin is wrapped: it reads and makes row-major tensors.
//    Regions are wrapped too: what enters and leaves a block is row-major.
// 5. What was replaced, and what stood in for it, is erased, last first.
//
//===----------------------------------------------------------------------===//

#include "Access/MemorySpaces.h"
#include "LayoutMaterializer.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/RelayoutPlan.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

RankedTensorType mlir::tensoraccess::getBorderType(RankedTensorType type) {
  return *getPhysicalType(
      type, [&] { return emitError(UnknownLoc::get(type.getContext())); });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static void copyByPlan(const RelayoutPlan &plan, ArrayRef<char> source,
                       MutableArrayRef<char> result, size_t bytes) {
  plan.forEach([&](int64_t from, int64_t to) {
    std::memcpy(result.data() + to * bytes, source.data() + from * bytes,
                bytes);
  });
}

/// The constant `value`, which is laid out by `from`, as a constant of `shape`
/// that is laid out by `to`, with zeros in its padding. Null where it is not a
/// constant of whole bytes an element, written out as dense elements or a
/// resource that is present, or would have more than `maxBytes`.
static Value packConstant(OpBuilder &builder, Location loc, Value value,
                          const RelayoutSide &from, const RelayoutSide &to,
                          ArrayRef<int64_t> shape, int64_t maxBytes) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!constant || !type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat())
    return {};
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  std::optional<int64_t> elements = to.getPaddedElements(),
                         present = from.getPaddedElements();
  if (!elements || !present || bits % 8 != 0 ||
      llvm::is_contained(to.getShape(), 0))
    return {};
  std::optional<int64_t> bytes = checkedMul(*elements, int64_t(bits / 8));
  if (!bytes || *bytes > maxBytes)
    return {};
  ArrayRef<char> raw;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  if (dense && !dense.isSplat()) {
    raw = dense.getRawData();
  } else if (resource) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      raw = blob->getData();
  }
  if (static_cast<int64_t>(raw.size()) != *present * int64_t(bits / 8))
    return {};
  std::string error;
  std::optional<RelayoutPlan> plan = RelayoutPlan::get(from, to, {}, error);
  if (!plan)
    return {};
  auto result = RankedTensorType::get(shape, type.getElementType());
  TypedAttr packed;
  if (dense) {
    std::vector<char> data(*bytes, 0);
    copyByPlan(*plan, raw, data, bits / 8);
    packed = DenseElementsAttr::getFromRawBuffer(result, data);
  } else {
    AsmResourceBlob data = HeapAsmResourceBlob::allocate(*bytes, /*align=*/64);
    MutableArrayRef<char> room = data.getMutableData();
    std::memset(room.data(), 0, room.size());
    copyByPlan(*plan, raw, room, bits / 8);
    packed = DenseResourceElementsAttr::get(
        result, resource.getRawHandle().getKey(), std::move(data));
  }
  return arith::ConstantOp::create(builder, loc, packed);
}

Value LayoutMaterializer::move(Location loc, Value value,
                               const PhysicalForm &from, const PhysicalForm &to,
                               ArrayRef<int64_t> shape,
                               ArrayRef<OpFoldResult> sizes) {
  ++report.relayouts;
  report.views += from.getKey() == to.getKey();
  if (from.getKey() != to.getKey() && !ShapedType::isDynamicShape(shape))
    if (Value packed =
            packConstant(builder, loc, value,
                         RelayoutSide::ofNest(shape, from.getNest(shape)),
                         RelayoutSide::ofNest(shape, to.getNest(shape)),
                         to.getShape(), foldBytes)) {
      ++report.folded;
      return packed;
    }
  return buildRelayout(builder, loc, value, from, to, shape, sizes, way);
}

/// The layout of a type, with its shape.
static Layout getShapedLayout(RankedTensorType type) {
  return cast<LayoutAttr>(type.getEncoding())
      .getValue()
      .withShape(type.getShape());
}

Value LayoutMaterializer::moveTo(Location loc, Value value,
                                 const PhysicalForm &from, RankedTensorType to,
                                 ArrayRef<OpFoldResult> sizes) {
  ArrayRef<int64_t> shape = to.getShape();
  if (hasForm(to))
    return move(loc, value, from, getForm(to), shape, sizes);
  PhysicalForm plain = getPlainForm(shape);
  Layout layout = getShapedLayout(to);
  ++report.relayouts;
  if (to.hasStaticShape())
    if (Value packed =
            packConstant(builder, loc, value,
                         RelayoutSide::ofNest(shape, from.getNest(shape)),
                         RelayoutSide::get(layout),
                         getBorderType(to).getShape(), foldBytes)) {
      ++report.folded;
      return packed;
    }
  value = buildRelayout(builder, loc, value, from, plain, shape, sizes, way);
  return buildPack(builder, loc, value, layout, sizes);
}

std::pair<Value, PhysicalForm> LayoutMaterializer::getFormed(Value source) {
  RankedTensorType type = getType(source);
  if (hasForm(type))
    return {getPhysical(source), getForm(type)};
  return {getPlain(source), getPlainForm(type.getShape())};
}

SmallVector<OpFoldResult> LayoutMaterializer::getLogicalSizes(Value value) {
  RankedTensorType type = getType(value);
  auto kept = logical.find(value);
  SmallVector<OpFoldResult> sizes;
  if (!hasForm(type)) {
    if (type.hasStaticShape())
      return getAsIndexOpFoldResult(builder.getContext(), type.getShape());
    return kept->second;
  }
  PhysicalForm form = getForm(type);
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
  if (type && (hasForm(type) ? getForm(type).hasUnknownSizes()
                             : !type.hasStaticShape()))
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
    SmallVector<OpFoldResult> sizes = getLogicalSizes(value);
    if (hasForm(type)) {
      result = move(tensor.getLoc(), tensor, getForm(type),
                    getPlainForm(type.getShape()), type.getShape(), sizes);
    } else {
      ++report.relayouts;
      result = buildUnpack(builder, tensor.getLoc(), tensor,
                           getShapedLayout(type), sizes);
    }
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

/// A value that comes in the form of a function's border.
void LayoutMaterializer::enterBorder(Value value, RankedTensorType encoded) {
  Value standIn = retype(value, getBorderType(encoded));
  setPhysical(standIn, encoded,
              hasForm(encoded) ? reshapeTensor(builder, value.getLoc(), value,
                                               getForm(encoded).getShape())
                               : value);
}

/// A value that comes in row-major order.
void LayoutMaterializer::enterPlain(Value value, RankedTensorType encoded) {
  Value standIn = retype(value, getPlainType(encoded));
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, value.getLoc(), value);
  keepSizes(standIn, sizes);
  Value moved = moveTo(value.getLoc(), value, getPlainForm(encoded.getShape()),
                       encoded, sizes);
  moved = placeIn(builder, value.getLoc(), moved, value,
                  getMemorySpace(encoded), 0);
  setPhysical(standIn, encoded, moved);
  plain[standIn] = value;
}

//===----------------------------------------------------------------------===//
// Step 1
//===----------------------------------------------------------------------===//

LogicalResult LayoutMaterializer::check() {
  auto checkTensor = [&](Operation *op, Type type,
                         bool isEntered) -> LogicalResult {
    RankedTensorType tensor = getEncoded(type);
    if (!tensor)
      return success();
    if (failed(getPhysicalType(tensor, [&] { return op->emitError(); })))
      return failure();
    if (!isEntered || tensor.hasStaticShape())
      return success();
    // Several sizes make the same tensor.
    std::string reason;
    if (std::optional<PhysicalForm> form = getPhysicalForm(tensor, reason)) {
      int64_t dim =
          llvm::find_if(form->granules,
                        [](int64_t granule) { return granule != 1; }) -
          form->granules.begin();
      if (dim == tensor.getRank())
        return success();
      return op->emitError() << "no tensor can stand for " << tensor
                             << ": the size of dimension " << dim
                             << " is lost where it comes from another "
                                "function, rounded up to a "
                                "multiple of "
                             << form->granules[dim];
    }
    return op->emitError()
           << "no tensor can stand for " << tensor
           << ": its sizes are lost where it comes from another "
              "function, since "
           << reason;
  };
  // What functions that are values take and return, too.
  auto checkType = [&](Operation *op, Type type, bool isEntered = false) {
    SmallVector<Type> types{type};
    for (size_t i = 0; i < types.size(); ++i)
      if (auto value = dyn_cast<FunctionType>(types[i])) {
        llvm::append_range(types, value.getInputs());
        llvm::append_range(types, value.getResults());
      }
    return success(llvm::all_of(types, [&](Type inner) {
      return succeeded(checkTensor(op, inner, isEntered));
    }));
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
    const bool isCall = isa<func::CallOp, func::CallIndirectOp>(op);
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type, /*isEntered=*/isCall)))
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

void LayoutMaterializer::enterFunction(FunctionOpInterface function) {
  if (function.isExternal())
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

/// Returns of functions, and calls.
bool LayoutMaterializer::passBorder(Operation *op) {
  bool isReturn = op->hasTrait<OpTrait::ReturnLike>() &&
                  isa<FunctionOpInterface>(op->getParentOp());
  if (!isReturn && !isa<func::CallOp, func::CallIndirectOp>(op))
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
  for (Block &block : ForwardDominanceIterator<>::makeIterable(region)) {
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
    for (Operation *op : ops) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        runOn(function.getFunctionBody());
      else
        visit(op);
    }
  }
}

FailureOr<LayoutMaterializationReport> LayoutMaterializer::run() {
  if (failed(convertEncodings(module)) || failed(materializePlaces(module)) ||
      failed(lowerIndexOps(module)) || failed(check()))
    return failure();
  // Unreachable blocks have no order.
  IRRewriter rewriter(module.getContext());
  (void)eraseUnreachableBlocks(rewriter, module->getRegions());
  mapBorders(module, [](Type type) -> Type {
    RankedTensorType encoded = getEncoded(type);
    return encoded ? getBorderType(encoded) : type;
  });
  module.walk([&](FunctionOpInterface function) { enterFunction(function); });
  runOn(module.getRegion());
  if (hasFailed)
    return failure();
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return report;
}

FailureOr<LayoutMaterializationReport>
mlir::tensoraccess::materializeLayouts(ModuleOp module, RelayoutWay way,
                                       int64_t foldBytes) {
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
