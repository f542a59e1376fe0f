//===- MaterializeTwins.cpp - Ops on tensors in memory --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 3 of materializeLayouts: the twin of each op, on tensors in memory. A
// twin also keeps the sizes without padding of what it makes (keepSizes), where
// dynamic dimensions are tiled; they come from its operands.
//
//===----------------------------------------------------------------------===//

#include "Access/MemorySpaces.h"
#include "LayoutMaterializer.h"
#include "LayoutModes.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<SmallVector<Value>>
LayoutMaterializer::build(Operation *op, std::string &reason) {
  if (auto relayout = dyn_cast<RelayoutOp>(op))
    return buildRelayoutOp(relayout);
  if (auto bitcast = dyn_cast<BitcastOp>(op))
    return buildBitcast(bitcast);
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return buildDim(dim);
  for (Value value : op->getOperands())
    if (isa<RankedTensorType>(value.getType()) &&
        !hasForm(getType(value), reason))
      return std::nullopt;
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && !hasForm(tensor, reason))
      return std::nullopt;
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
    Type wide =
        before < 32 ? Type(builder.getF32Type()) : Type(builder.getF64Type());
    tensor = arith::ExtFOp::create(
        builder, loc, RankedTensorType::get(type.getShape(), wide), tensor);
    before = wide.getIntOrFloatBitWidth();
  }
  if (before > after)
    return arith::TruncFOp::create(builder, loc, result, tensor);
  return arith::ExtFOp::create(builder, loc, result, tensor);
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildRelayoutOp(RelayoutOp op) {
  Location loc = op.getLoc();
  RankedTensorType from = getType(op.getSource());
  auto to = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> permutation = op.getPermutationOrIdentity();
  SmallVector<int64_t> shape = op.getTransposedShape();
  // Where it came from; moves may be views of it.
  Value source = getPhysical(op.getSource());
  // Elements are converted where there are fewer bytes to move.
  Type element = to.getElementType();
  bool shrinks = from.getElementType() != element &&
                 element.getIntOrFloatBitWidth() <=
                     from.getElementType().getIntOrFloatBitWidth();
  auto convertEarly = [&](Value value) {
    return shrinks ? convertElements(builder, loc, value, element) : value;
  };
  auto finish = [&](Value value) {
    value = convertElements(builder, loc, value, element);
    return SmallVector<Value>{placeIn(
        builder, loc, value, source, getMemorySpace(to), getMemorySpace(from))};
  };
  SmallVector<OpFoldResult> sizes = getLogicalSizes(op.getSource());
  bool isDynamic = ShapedType::isDynamicShape(shape) || !to.hasStaticShape();
  if (isDynamic && ArrayRef<int64_t>(shape) != to.getShape()) {
    // Sizes known only at run time: in row-major order.
    Value plain = convertEarly(getPlain(op.getSource()));
    plain = buildTranspose(builder, loc, plain, permutation);
    applyPermutationToVector(sizes, permutation);
    SmallVector<OpFoldResult> resultSizes;
    FailureOr<Value> reshaped = buildDynamicReshape(
        builder, loc, plain, sizes,
        RankedTensorType::get(to.getShape(), getElementTypeOrSelf(plain)),
        resultSizes);
    if (failed(reshaped)) {
      hasFailed = true;
      return std::nullopt;
    }
    keepSizes(op.getResult(), resultSizes);
    return finish(
        moveTo(loc, *reshaped, getPlainForm(to.getShape()), to, resultSizes));
  }
  bool isIdentity =
      llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
  if (isIdentity && from.getShape() == to.getShape() && !hasForm(from) &&
      from.getEncoding() == to.getEncoding()) {
    keepSizes(op.getResult(), sizes);
    return finish(source);
  }
  auto [value, form] = getFormed(op.getSource());
  value = convertEarly(value);
  // Dimensions of the transposed tensor.
  form = permuteForm(form, permutation);
  applyPermutationToVector(sizes, permutation);
  if (ArrayRef<int64_t>(shape) == to.getShape()) {
    keepSizes(op.getResult(), sizes);
    return finish(moveTo(loc, value, form, to, sizes));
  }
  value = move(loc, value, form, getPlainForm(shape), shape, sizes);
  value = reshapeTensor(builder, loc, value, to.getShape());
  return finish(
      moveTo(loc, value, getPlainForm(to.getShape()), to,
             getAsIndexOpFoldResult(builder.getContext(), to.getShape())));
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildBitcast(BitcastOp op) {
  Location loc = op.getLoc();
  RankedTensorType from = getType(op.getSource());
  auto to = cast<RankedTensorType>(op.getType());
  bool isStatic = from.hasStaticShape() && to.hasStaticShape();
  // Equal up to `?`, or row-major (C6): the shapes in memory are so, too.
  bool inPlace = isStatic || from.getShape() == to.getShape();
  Value value =
      inPlace ? getPhysical(op.getSource()) : getPlain(op.getSource());
  auto type = cast<RankedTensorType>(value.getType());
  if (from.getElementType() != to.getElementType()) {
    RankedTensorType other = type.clone(to.getElementType());
    // arith has no integers with a sign.
    auto isWithout = [](Type element) {
      return element.isSignlessInteger() || isa<FloatType>(element);
    };
    if (isWithout(type.getElementType()) && isWithout(other.getElementType()))
      value = arith::BitcastOp::create(builder, loc, other, value);
    else
      value = tensor::BitcastOp::create(builder, loc, other, value);
  }
  if (inPlace) {
    keepSizes(op.getResult(), getLogicalSizes(op.getSource()));
    ArrayRef<int64_t> shape = type.getShape();
    SmallVector<int64_t> wanted =
        hasForm(to) ? getForm(to).getShape()
                    : SmallVector<int64_t>(getBorderType(to).getShape());
    return SmallVector<Value>{shape == ArrayRef(wanted)
                                  ? value
                                  : reshapeTensor(builder, loc, value, wanted)};
  }
  SmallVector<OpFoldResult> sizes;
  FailureOr<Value> reshaped =
      buildDynamicReshape(builder, loc, value, getLogicalSizes(op.getSource()),
                          getPlainType(to), sizes);
  if (failed(reshaped)) {
    hasFailed = true;
    return std::nullopt;
  }
  keepSizes(op.getResult(), sizes);
  Value moved = moveTo(loc, *reshaped, getPlainForm(to.getShape()), to, sizes);
  return SmallVector<Value>{placeIn(builder, loc, moved,
                                    getPhysical(op.getSource()),
                                    getMemorySpace(to), getMemorySpace(from))};
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildLinalg(linalg::LinalgOp op, std::string &reason) {
  SmallVector<PhysicalOperand, 4> operands;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType())) {
      operands.push_back({operand, {}, {}, {}});
      continue;
    }
    RankedTensorType type = getType(operand);
    operands.push_back({getPhysical(operand), getForm(type),
                        SmallVector<int64_t>(type.getShape()),
                        getLogicalSizes(operand)});
  }
  std::optional<PhysicalNest> nest =
      materializeLinalg(builder, op, operands, way, reason);
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
  for (OpResult result : op->getResults())
    keepSizes(result,
              operands[op.getNumDpsInputs() + result.getResultNumber()].sizes);
  return nest->results;
}

Value LayoutMaterializer::buildEmpty(tensor::EmptyOp op) {
  keepSizes(op.getResult(), op.getMixedSizes());
  PhysicalForm form = getForm(op.getType());
  SmallVector<OpFoldResult> sizes =
      buildSizes(builder, op.getLoc(), form, op.getMixedSizes());
  if (int64_t space = getMemorySpace(op.getType()))
    return createEmptyIn(builder, op.getLoc(), getFormType(op.getType(), form),
                         sizes, space);
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
        SplatElementsAttr::get(getFormType(type, form),
                               splat.getSplatValue<Attribute>()));
    return SmallVector<Value>{value};
  }
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  ElementsAttr plain =
      elements ? withType(elements, getPlainType(type)) : ElementsAttr();
  if (!plain)
    return std::nullopt;
  Value value =
      arith::ConstantOp::create(builder, op.getLoc(), cast<TypedAttr>(plain));
  return SmallVector<Value>{move(op.getLoc(), value,
                                 getPlainForm(type.getShape()), form,
                                 type.getShape(), getLogicalSizes(op))};
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
  reason = "its operands are laid out differently";
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
      result.setType(getFormType(type, getForm(type)));
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType())) {
      for (Value result : op->getResults())
        keepSizes(result, getLogicalSizes(operand));
      break;
    }
  return SmallVector<Value>(twin->getResults());
}

/// A value for each dimension, as one for each digit; `rest` for the digits of
/// dimensions that are not `moved`. std::nullopt if a moved dimension is
/// divided.
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
  if (!value ||
      !movesAlike(source, from.getShape(), target, to.getShape(), moved)) {
    reason = value ? "it pads a dimension that is tiled or moved"
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
  // Dimensions that are padded are read from memory.
  keepSizes(op.getResult(), getLogicalSizes(op.getSource()));
  Value padded =
      tensor::PadOp::create(builder, op.getLoc(), getFormType(to, target),
                            getPhysical(op.getSource()), *low, *high, value);
  return SmallVector<Value>{padded};
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildSlice(tensor::ExtractSliceOp op, std::string &reason) {
  RankedTensorType from = getType(op.getSource()), to = op.getType();
  reason = "it drops dimensions";
  if (from.getRank() != to.getRank())
    return std::nullopt;
  PhysicalForm source = getForm(from), target = getForm(to);
  SmallVector<bool> moved;
  for (auto [before, after] : llvm::zip_equal(from.getShape(), to.getShape()))
    moved.push_back(before != after || ShapedType::isDynamic(before));
  reason = "it cuts a dimension that is tiled or moved";
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
  keepSizes(op.getResult(), getLogicalSizes(op.getSource()));
  Value slice = tensor::ExtractSliceOp::create(
      builder, op.getLoc(), getFormType(to, target),
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
  RankedTensorType fine = expand ? to : from, coarse = expand ? from : to;
  reason = "it reshapes a dynamic size";
  if (!areDynamicSizesKept(fine.getShape(), groups))
    return std::nullopt;
  std::optional<PhysicalForm> collapsed =
      collapseForm(getForm(fine), fine.getShape(), groups, coarse.getShape());
  reason = "it would move elements";
  if (!collapsed || collapsed->getKey() != getForm(coarse).getKey())
    return std::nullopt;
  SmallVector<OpFoldResult> before = getLogicalSizes(op->getOperand(0)),
                            after(to.getRank(), builder.getIndexAttr(1));
  for (auto [g, dims] : llvm::enumerate(groups))
    for (int64_t dim : dims)
      if (ShapedType::isDynamic(fine.getDimSize(dim)))
        after[expand ? dim : g] = before[expand ? g : dim];
  keepSizes(op->getResult(0), after);
  return SmallVector<Value>{reshapeTensor(builder, op->getLoc(),
                                          getPhysical(op->getOperand(0)),
                                          getForm(to).getShape())};
}

std::optional<SmallVector<Value>>
LayoutMaterializer::buildDim(tensor::DimOp op) {
  std::optional<int64_t> dim = op.getConstantIndex();
  RankedTensorType type = getType(op.getSource());
  if (!dim || *dim < 0 || *dim >= type.getRank())
    return std::nullopt;
  return SmallVector<Value>{getValueOrCreateConstantIndexOp(
      builder, op.getLoc(), getLogicalSizes(op.getSource())[*dim])};
}
