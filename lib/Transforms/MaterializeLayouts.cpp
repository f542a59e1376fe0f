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

#include "LayoutModes.h"
#include "MaterializeLinalg.h"
#include "MemorySpaces.h"
#include "PackConstant.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The type if it is a tensor with a layout.
static RankedTensorType getEncoded(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<LayoutAttr>(tensor.getEncoding())
             ? tensor
             : RankedTensorType();
}

/// The form of a type that step 1 has let pass.
static PhysicalForm getForm(RankedTensorType type) {
  std::string reason;
  return *getPhysicalForm(type, reason);
}

/// The tensor at the border of a function: all dimensions of the tiled shape.
static RankedTensorType getBorderType(RankedTensorType type) {
  if (!type.hasStaticShape())
    return getPhysicalType(type, getForm(type));
  auto layout = cast<LayoutAttr>(type.getEncoding())
                    .getValue()
                    .withShape(type.getShape(), *XlaType::lookup("pred"));
  return RankedTensorType::get(*layout.getPhysicalShape(),
                               type.getElementType());
}

namespace {

class LayoutMaterializer {
public:
  LayoutMaterializer(ModuleOp module, LayoutStyle style, int64_t foldBytes)
      : module(module), style(style), foldBytes(foldBytes),
        builder(module.getContext()) {}

  FailureOr<LayoutMaterializationReport> run();

private:
  LogicalResult check();
  void enterFunction(FunctionOpInterface function);
  void runOn(Region &region);
  void visit(Operation *op);
  void wrap(Operation *op, StringRef reason);
  bool passBorder(Operation *op);
  Value retype(Value value, Type type);
  void enterBorder(Value value, RankedTensorType encoded);
  void enterPlain(Value value, RankedTensorType encoded);
  /// The twin of an op; none with the reason.
  std::optional<SmallVector<Value>> build(Operation *op, std::string &reason);
  std::optional<SmallVector<Value>> buildRelayoutOp(RelayoutOp op,
                                                    std::string &reason);
  std::optional<SmallVector<Value>> buildBitcast(BitcastOp op);
  std::optional<SmallVector<Value>> buildLinalg(linalg::LinalgOp op,
                                                std::string &reason);
  std::optional<SmallVector<Value>> buildElementwise(Operation *op,
                                                     std::string &reason);
  std::optional<SmallVector<Value>> buildPad(tensor::PadOp op,
                                             std::string &reason);
  std::optional<SmallVector<Value>> buildSlice(tensor::ExtractSliceOp op,
                                               std::string &reason);
  std::optional<SmallVector<Value>> buildReshape(Operation *op,
                                                 std::string &reason);
  std::optional<SmallVector<Value>> buildConstant(arith::ConstantOp op);
  Value buildEmpty(tensor::EmptyOp op);
  Value move(Location loc, Value value, const PhysicalForm &from,
             const PhysicalForm &to, ArrayRef<int64_t> shape);

  /// A value as it lies in memory, and its type with the layout.
  Value getPhysical(Value value) const {
    auto it = physical.find(value);
    return it == physical.end() ? value : it->second;
  }
  RankedTensorType getType(Value value) const {
    auto it = types.find(value);
    return it == types.end() ? cast<RankedTensorType>(value.getType())
                             : it->second;
  }
  /// The value in row-major order.
  Value getPlain(Value value);
  void setPhysical(Value value, RankedTensorType type, Value tensor) {
    types[value] = type;
    physical[value] = tensor;
  }

  ModuleOp module;
  LayoutStyle style;
  int64_t foldBytes;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> physical, plain;
  llvm::DenseMap<Value, RankedTensorType> types;
  SmallVector<Operation *> dead;
  /// Reshapes of arguments, which read them as they are.
  llvm::DenseSet<Operation *> own;
  LayoutMaterializationReport report;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value LayoutMaterializer::move(Location loc, Value value,
                               const PhysicalForm &from,
                               const PhysicalForm &to,
                               ArrayRef<int64_t> shape) {
  ++report.relayouts;
  report.views += from.getKey() == to.getKey();
  if (from.getKey() != to.getKey())
    if (Value packed =
            packConstant(builder, loc, value, from, to, shape, foldBytes)) {
      ++report.folded;
      return packed;
    }
  return buildRelayout(builder, loc, value, from, to, shape, style);
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
                  getPlainForm(type.getShape()), type.getShape());
  }
  return result;
}

/// Gives a value another type. What used it uses the returned stand-in of the
/// type before, which goes in step 5: so no value with a layout is a tensor in
/// memory, too, not even where the layout moves nothing.
Value LayoutMaterializer::retype(Value value, Type type) {
  auto standIn = UnrealizedConversionCastOp::create(
      builder, value.getLoc(), value.getType(), value);
  value.replaceAllUsesExcept(standIn.getResult(0), standIn);
  value.setType(type);
  dead.push_back(standIn);
  return standIn.getResult(0);
}

/// A value that comes as at the border of a function.
void LayoutMaterializer::enterBorder(Value value, RankedTensorType encoded) {
  Value standIn = retype(value, getBorderType(encoded));
  setPhysical(standIn, encoded,
              reshapeTo(builder, value.getLoc(), value,
                        getForm(encoded).getShape()));
}

/// A value that comes in row-major order.
void LayoutMaterializer::enterPlain(Value value, RankedTensorType encoded) {
  Value standIn = retype(value, getPlainType(encoded));
  Value moved = move(value.getLoc(), value, getPlainForm(encoded.getShape()),
                     getForm(encoded), encoded.getShape());
  moved = placeIn(builder, value.getLoc(), moved, value,
                  getMemorySpace(encoded), 0);
  setPhysical(standIn, encoded, moved);
}

//===----------------------------------------------------------------------===//
// Step 1
//===----------------------------------------------------------------------===//

LogicalResult LayoutMaterializer::check() {
  auto checkType = [&](Operation *op, Type type) -> LogicalResult {
    RankedTensorType tensor = getEncoded(type);
    std::string reason;
    if (!tensor || getPhysicalForm(tensor, reason))
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
        if (failed(checkType(op, type)))
          return WalkResult::interrupt();
      for (Type type : function.getResultTypes())
        if (failed(checkType(op, type)))
          return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(checkType(op, type)))
            return WalkResult::interrupt();
    // Sizes that come out of nothing but run time.
    auto relayout = dyn_cast<RelayoutOp>(op);
    if (relayout &&
        !relayout.getSource().getType().getShape().empty() &&
        ShapedType::isDynamicShape(relayout.getTransposedShape()) &&
        ArrayRef<int64_t>(relayout.getTransposedShape()) !=
            cast<RankedTensorType>(relayout.getType()).getShape()) {
      op->emitError() << "a relayout that reshapes dynamic sizes cannot be "
                         "written out";
      return WalkResult::interrupt();
    }
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
      operand.set(reshapeTo(builder, op->getLoc(), getPhysical(operand.get()),
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
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("wrapped")
                     .category("tensoraccess:materialize-layouts"))
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
    bool isEntry = isa<FunctionOpInterface>(region.getParentOp()) &&
                   block.isEntryBlock();
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
  module.walk([&](FunctionOpInterface function) {
    functions.push_back(function);
  });
  for (FunctionOpInterface function : functions)
    enterFunction(function);
  for (FunctionOpInterface function : functions)
    runOn(function.getFunctionBody());
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return report;
}

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Value>>
LayoutMaterializer::build(Operation *op, std::string &reason) {
  if (auto relayout = dyn_cast<RelayoutOp>(op))
    return buildRelayoutOp(relayout, reason);
  if (auto bitcast = dyn_cast<BitcastOp>(op))
    return buildBitcast(bitcast);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return buildLinalg(linalgOp, reason);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return SmallVector<Value>{buildEmpty(empty)};
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return buildConstant(constant);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return buildPad(pad, reason);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return buildSlice(slice, reason);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return buildReshape(op, reason);
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumRegions() == 0)
    return buildElementwise(op, reason);
  return std::nullopt;
}

/// Elements of a tensor in another type of the same kind.
static Value convertElements(OpBuilder &builder, Location loc, Value tensor,
                             Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type from = type.getElementType();
  if (from == element)
    return tensor;
  auto result = RankedTensorType::get(type.getShape(), element);
  unsigned before = from.getIntOrFloatBitWidth(),
           after = element.getIntOrFloatBitWidth();
  if (!isa<FloatType>(from)) {
    if (before > after)
      return arith::TruncIOp::create(builder, loc, result, tensor);
    return arith::ExtSIOp::create(builder, loc, result, tensor);
  }
  // Floats of one width have different exponents: through a wider one.
  if (before == after) {
    Type wide = before < 32 ? Type(builder.getF32Type())
                            : Type(builder.getF64Type());
    tensor = arith::ExtFOp::create(
        builder, loc, RankedTensorType::get(type.getShape(), wide), tensor);
    before = wide.getIntOrFloatBitWidth();
  }
  if (before > after)
    return arith::TruncFOp::create(builder, loc, result, tensor);
  return arith::ExtFOp::create(builder, loc, result, tensor);
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildRelayoutOp(RelayoutOp op, std::string &reason) {
  Location loc = op.getLoc();
  RankedTensorType from = getType(op.getSource());
  auto to = cast<RankedTensorType>(op.getType());
  Value value = convertElements(builder, loc, getPhysical(op.getSource()),
                                to.getElementType());
  // Dimensions of the transposed tensor.
  PhysicalForm form = getForm(from);
  SmallVector<int64_t> permutation = op.getPermutationOrIdentity();
  SmallVector<int64_t> extents;
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation)) {
    inverse[dim] = i;
    extents.push_back(form.extents[dim]);
  }
  for (PhysicalDigit &digit : form.digits)
    digit.dim = inverse[digit.dim];
  form.extents = extents;
  SmallVector<int64_t> shape = op.getTransposedShape();
  PhysicalForm target = getForm(to);
  int64_t space = getMemorySpace(to);
  Value source = getPhysical(op.getSource());
  auto place = [&](Value moved) {
    return SmallVector<Value>{placeIn(builder, loc, moved, source, space,
                                      getMemorySpace(from))};
  };
  if (ArrayRef<int64_t>(shape) == to.getShape() ||
      ShapedType::isDynamicShape(shape))
    return place(move(loc, value, form, target, to.getShape()));
  value = move(loc, value, form, getPlainForm(shape), shape);
  value = reshapeTo(builder, loc, value, to.getShape());
  return place(
      move(loc, value, getPlainForm(to.getShape()), target, to.getShape()));
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildBitcast(BitcastOp op) {
  RankedTensorType from = getType(op.getSource());
  auto to = cast<RankedTensorType>(op.getType());
  Value value = getPhysical(op.getSource());
  auto type = cast<RankedTensorType>(value.getType());
  if (from.getElementType() != to.getElementType())
    value = tensor::BitcastOp::create(
        builder, op.getLoc(),
        RankedTensorType::get(type.getShape(), to.getElementType()), value);
  if (!type.hasStaticShape())
    return SmallVector<Value>{value};
  return SmallVector<Value>{
      reshapeTo(builder, op.getLoc(), value, getForm(to).getShape())};
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildLinalg(linalg::LinalgOp op, std::string &reason) {
  SmallVector<PhysicalOperand, 4> operands;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType())) {
      operands.push_back({operand, {}, {}});
      continue;
    }
    RankedTensorType type = getType(operand);
    operands.push_back({getPhysical(operand), getForm(type),
                        SmallVector<int64_t>(type.getShape())});
  }
  std::optional<PhysicalNest> nest =
      materializeLinalg(builder, op, operands, style, reason);
  if (!nest)
    return std::nullopt;
  report.relayouts += nest->relayouts;
  report.masked += nest->masked;
  // A destination that was laid out anew is one in main memory.
  if (nest->relayouts != 0)
    for (auto [value, result] :
         llvm::zip_equal(nest->results, op->getResults()))
      value = placeIn(builder, op.getLoc(), value, Value(),
                      getMemorySpace(result.getType()), 0);
  return nest->results;
}

Value LayoutMaterializer::buildEmpty(tensor::EmptyOp op) {
  PhysicalForm form = getForm(op.getType());
  SmallVector<OpFoldResult> logical = op.getMixedSizes(), sizes;
  for (const PhysicalDigit &digit : form.digits)
    sizes.push_back(ShapedType::isDynamic(digit.size)
                        ? logical[digit.dim]
                        : OpFoldResult(builder.getIndexAttr(digit.size)));
  if (int64_t space = getMemorySpace(op.getType()))
    return createEmptyIn(builder, op.getLoc(),
                         getPhysicalType(op.getType(), form), sizes, space);
  return tensor::EmptyOp::create(builder, op.getLoc(), sizes,
                                 op.getType().getElementType());
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildConstant(arith::ConstantOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  PhysicalForm form = getForm(type);
  if (auto splat = dyn_cast<SplatElementsAttr>(op.getValue())) {
    Value value = arith::ConstantOp::create(
        builder, op.getLoc(),
        SplatElementsAttr::get(getPhysicalType(type, form),
                               splat.getSplatValue<Attribute>()));
    return SmallVector<Value>{value};
  }
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return std::nullopt;
  Value value = arith::ConstantOp::create(
      builder, op.getLoc(), elements.reshape(getPlainType(type)));
  return SmallVector<Value>{move(op.getLoc(), value,
                                 getPlainForm(type.getShape()), form,
                                 type.getShape())};
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildElementwise(Operation *op, std::string &reason) {
  std::optional<PhysicalForm> form;
  bool padded = false;
  auto agrees = [&](RankedTensorType type) {
    PhysicalForm other = getForm(type);
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      padded |= other.isPadded(dim, type.getShape());
    if (form)
      return form->digits == other.digits;
    form = other;
    return true;
  };
  reason = "its operands lie differently";
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector(op->getResults())))
    if (isa<RankedTensorType>(value.getType()) && !agrees(getType(value)))
      return std::nullopt;
  if (padded && !isHarmlessOnPadding(op)) {
    reason = "it could fail on padding";
    return std::nullopt;
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, getPhysical(operand));
  Operation *twin = builder.clone(*op, mapping);
  for (Value result : twin->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      result.setType(getPhysicalType(type, getForm(type)));
  return SmallVector<Value>(twin->getResults());
}

/// What is said of each dimension, said of each digit; `rest` for the digits of
/// dimensions that are not `moved`. None where a moved dimension is divided.
static std::optional<SmallVector<OpFoldResult>>
toDigits(const PhysicalForm &form, ArrayRef<OpFoldResult> ofDims,
         ArrayRef<bool> moved,
         function_ref<OpFoldResult(const PhysicalDigit &)> rest) {
  SmallVector<OpFoldResult> result;
  for (const PhysicalDigit &digit : form.digits) {
    if (moved[digit.dim] && form.isDivided(digit.dim))
      return std::nullopt;
    result.push_back(moved[digit.dim] ? ofDims[digit.dim] : rest(digit));
  }
  return result;
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildPad(tensor::PadOp op, std::string &reason) {
  RankedTensorType from = getType(op.getSource());
  RankedTensorType to = op.getResultType();
  PhysicalForm source = getForm(from), target = getForm(to);
  SmallVector<bool> moved;
  for (auto [low, high] :
       llvm::zip_equal(op.getMixedLowPad(), op.getMixedHighPad()))
    moved.push_back(!isZeroInteger(low) || !isZeroInteger(high));
  Value value = op.getConstantPaddingValue();
  if (!value || !movesAlike(source, from.getShape(), target, to.getShape(),
                            moved)) {
    reason = value ? "it pads a dimension that is tiled or lies elsewhere"
                   : "its padding depends on the place";
    return std::nullopt;
  }
  // A constant inside of the region.
  if (Operation *constant = value.getDefiningOp();
      constant && op.getRegion().isAncestor(constant->getParentRegion()))
    value = builder.clone(*constant)->getResult(0);
  auto zero = [&](const PhysicalDigit &) -> OpFoldResult {
    return builder.getIndexAttr(0);
  };
  auto low = toDigits(source, op.getMixedLowPad(), moved, zero),
       high = toDigits(source, op.getMixedHighPad(), moved, zero);
  Value padded = tensor::PadOp::create(
      builder, op.getLoc(), getPhysicalType(to, target),
      getPhysical(op.getSource()), *low, *high, value);
  return SmallVector<Value>{padded};
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildSlice(tensor::ExtractSliceOp op,
                               std::string &reason) {
  RankedTensorType from = getType(op.getSource()), to = op.getType();
  reason = "it drops dimensions";
  if (from.getRank() != to.getRank())
    return std::nullopt;
  PhysicalForm source = getForm(from), target = getForm(to);
  SmallVector<bool> moved;
  for (auto [before, after] : llvm::zip_equal(from.getShape(), to.getShape()))
    moved.push_back(before != after || ShapedType::isDynamic(before));
  reason = "it cuts a dimension that is tiled or lies elsewhere";
  if (!movesAlike(source, from.getShape(), target, to.getShape(), moved))
    return std::nullopt;
  auto constant = [&](int64_t n) {
    return [this, n](const PhysicalDigit &) -> OpFoldResult {
      return builder.getIndexAttr(n);
    };
  };
  auto offsets = toDigits(source, op.getMixedOffsets(), moved, constant(0));
  auto strides = toDigits(source, op.getMixedStrides(), moved, constant(1));
  auto sizes = toDigits(source, op.getMixedSizes(), moved,
                        [&](const PhysicalDigit &digit) -> OpFoldResult {
                          return builder.getIndexAttr(digit.size);
                        });
  Value slice = tensor::ExtractSliceOp::create(
      builder, op.getLoc(), getPhysicalType(to, target),
      getPhysical(op.getSource()), *offsets, *sizes, *strides);
  return SmallVector<Value>{slice};
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildReshape(Operation *op, std::string &reason) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      expand ? expand.getReassociationIndices()
             : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
  RankedTensorType from = getType(op->getOperand(0)),
                   to = cast<RankedTensorType>(op->getResult(0).getType());
  reason = "its sizes are dynamic";
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return std::nullopt;
  RankedTensorType fine = expand ? to : from, coarse = expand ? from : to;
  std::optional<PhysicalForm> collapsed = collapseForm(
      getForm(fine), fine.getShape(), groups, coarse.getShape());
  reason = "it would move elements";
  if (!collapsed || collapsed->getKey() != getForm(coarse).getKey())
    return std::nullopt;
  return SmallVector<Value>{reshapeTo(builder, op->getLoc(),
                                      getPhysical(op->getOperand(0)),
                                      getForm(to).getShape())};
}

FailureOr<LayoutMaterializationReport>
mlir::tensoraccess::materializeLayouts(ModuleOp module, LayoutStyle style,
                                       int64_t foldBytes) {
  FailureOr<LayoutMaterializationReport> report =
      LayoutMaterializer(module, style, foldBytes).run();
  if (succeeded(report))
    remark::analysis(module.getLoc(),
                     remark::RemarkOpts::name("layouts")
                         .category("tensoraccess:materialize-layouts"))
        << remark::metric("Physical", report->physical)
        << remark::metric("Wrapped", report->wrapped)
        << remark::metric("Relayouts", report->relayouts)
        << remark::metric("Views", report->views)
        << remark::metric("Masked", report->masked)
        << remark::metric("Folded", report->folded);
  return report;
}
