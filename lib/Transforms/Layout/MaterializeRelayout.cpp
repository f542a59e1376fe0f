//===- MaterializeRelayout.cpp - Relayouts of physical tensors ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relayout of physical tensors goes through the logical tensor:
//
//   1. undo the source's layout: the tail, its tiles from last to first, its
//      order of dimensions;
//   2. transpose, reshape, convert;
//   3. apply the result's layout: order, tiles from first to last, the tail.
//
// Orders and transposes that meet become one transpose (RelayoutSteps.h); where
// both layouts have the same places for all elements, nothing but 2's
// conversion is left. Elements are converted where there are fewer bytes to
// move: at once if they become smaller, last if they grow.
//
//===----------------------------------------------------------------------===//

#include "RelayoutSteps.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/Support.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> mlir::tensoraccess::getPhysicalType(
    RankedTensorType type, function_ref<InFlightDiagnostic()> emitError) {
  if (!type.getEncoding())
    return type;
  std::optional<Layout> layout = getLayoutOf(type);
  if (!layout)
    return emitError() << "encoding " << type.getEncoding() << " is no layout";
  Type element = type.getElementType();
  if (isa<ComplexType>(element))
    return emitError() << "tensors of " << element
                       << " with a layout are not made physical";
  if (std::optional<int64_t> bits = getValueBits(element);
      layout->elementBits && layout->elementBits != bits)
    return emitError() << "element bits E must be those of " << element
                       << " in a physical tensor, got " << *layout->elementBits;
  if (layout->shape) {
    SmallVector<int64_t> shape = *layout->getPhysicalShape();
    int64_t padded = *layout->getPaddedElements();
    if (elementCount(shape) != padded)
      shape = {padded};
    return RankedTensorType::get(shape, element);
  }
  if (!getSizes(layout->withShape(type.getShape(), *XlaType::lookup("pred"))))
    return emitError() << "the size of " << type
                       << " overflows 64-bit arithmetic";
  if (layout->tailAlignment != 1)
    return RankedTensorType::get({kDynamicSize}, element);
  // Known sizes that no dynamic one is merged with stay known.
  SmallVector<int64_t> shape;
  for (int64_t dim : llvm::reverse(layout->minorToMajor))
    shape.push_back(type.getDimSize(dim));
  for (const Tile &tile : layout->tiles) {
    if (tile.size() > shape.size())
      shape.insert(shape.begin(), tile.size() - shape.size(), 1);
    size_t prefix = shape.size() - tile.size();
    SmallVector<int64_t> next(shape.begin(), shape.begin() + prefix), inner;
    int64_t product = 1;
    for (auto [i, entry] : llvm::enumerate(tile)) {
      int64_t size = shape[prefix + i];
      std::optional<int64_t> merged;
      if (product != kDynamicSize && size != kDynamicSize)
        merged = elementCount({product, size});
      product = merged.value_or(kDynamicSize);
      if (entry.isCombine())
        continue;
      next.push_back(product == kDynamicSize
                         ? product
                         : ceilDivPositive(product, entry.getSize()));
      inner.push_back(entry.getSize());
      product = 1;
    }
    llvm::append_range(next, inner);
    shape = std::move(next);
  }
  return RankedTensorType::get(shape, element);
}

//===----------------------------------------------------------------------===//
// Layouts, on and off
//===----------------------------------------------------------------------===//

/// Dimensions from major to minor.
static SmallVector<int64_t> getOrder(const Layout &layout) {
  return llvm::to_vector(llvm::reverse(layout.minorToMajor));
}

static SmallVector<int64_t> invert(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    inverse[dim] = i;
  return inverse;
}

/// Whether the layout has a tail, and the elements with and without it.
static bool getTail(OpBuilder &b, Location loc, const Layout &layout,
                    ArrayRef<OpFoldResult> physical, OpFoldResult &count,
                    OpFoldResult &padded) {
  count = countSizes(b, loc, physical);
  padded = mulSizes(b, loc, ceilDivSizes(b, loc, count, layout.tailAlignment),
                    b.getIndexAttr(layout.tailAlignment));
  return layout.tailAlignment != 1 && count != padded;
}

/// Step 1: the steps' tensor is physical; afterwards it is logical.
static void undoLayout(RelayoutSteps &steps, const Layout &layout,
                       ArrayRef<OpFoldResult> logical,
                       const MaterializeOptions &options) {
  Sizes physical;
  SmallVector<MixedStage> stages =
      getStages(steps.b, steps.loc, layout, logical, physical);
  OpFoldResult count, padded;
  bool hasTail = getTail(steps.b, steps.loc, layout, physical, count, padded);
  steps.set(steps.getRaw(), hasTail ? Sizes{padded} : physical);
  if (hasTail) {
    steps.slice({count});
    steps.reshape(physical);
  }
  // Nests of loops, each over some consecutive tiles.
  SmallVector<size_t> ends;
  bool byLoops = options.way == RelayoutWay::Loops;
  for (size_t i = 0; i < stages.size();) {
    size_t fused = byLoops ? countFused(ArrayRef(stages).drop_front(i)) : 0;
    ends.push_back(i += std::max<size_t>(fused, 1));
  }
  while (!ends.empty()) {
    size_t end = ends.pop_back_val(), begin = ends.empty() ? 0 : ends.back();
    ArrayRef<MixedStage> part = ArrayRef(stages).slice(begin, end - begin);
    if (byLoops && countFused(part) != 0) {
      transposeByLoops(steps, options);
      unpackByLoops(steps, part, options);
      splitAfter(steps, part.front());
    } else {
      undoTile(steps, part.front(), byLoops ? RelayoutWay::Pack : options.way);
    }
  }
  steps.transpose(invert(getOrder(layout)));
}

/// Step 3.
static void applyLayout(RelayoutSteps &steps, const Layout &layout,
                        const MaterializeOptions &options) {
  Sizes logical = steps.getSizes(), physical;
  steps.transpose(getOrder(layout));
  SmallVector<MixedStage> stages =
      getStages(steps.b, steps.loc, layout, logical, physical);
  bool byLoops = options.way == RelayoutWay::Loops;
  for (ArrayRef<MixedStage> rest = stages; !rest.empty();) {
    size_t fused = byLoops ? countFused(rest) : 0;
    if (fused == 0) {
      applyTile(steps, rest.front(), byLoops ? RelayoutWay::Pack : options.way);
      rest = rest.drop_front();
      continue;
    }
    mergeBefore(steps, rest.front());
    packByLoops(steps, rest.take_front(fused), options);
    rest = rest.drop_front(fused);
  }
  OpFoldResult count, padded;
  if (!getTail(steps.b, steps.loc, layout, physical, count, padded))
    return;
  steps.reshape({count});
  steps.pad({padded});
}

//===----------------------------------------------------------------------===//
// relayout
//===----------------------------------------------------------------------===//

/// Asserts that two sizes are equal; false where they are known to differ.
/// The message says what is counted.
static bool checkEqual(OpBuilder &b, Location loc, OpFoldResult x,
                       OpFoldResult y, StringRef what) {
  std::optional<int64_t> knownX = getConstantIntValue(x);
  std::optional<int64_t> knownY = getConstantIntValue(y);
  if (x == y || (knownX && knownY))
    return x == y || *knownX == *knownY;
  Value equal =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                            getValueOrCreateConstantIndexOp(b, loc, x),
                            getValueOrCreateConstantIndexOp(b, loc, y));
  SmallVector<Value> values;
  for (OpFoldResult size : {x, y})
    values.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
  tensoraccess::AssertOp::create(
      b, loc, equal,
      ("tensoraccess.relayout: source and result must have " + what +
       ", got {0} and {1}")
          .str(),
      values);
  return true;
}

/// The sizes of the result: its type's, where `?` is the transposed source's
/// size there, or what is left of the count of elements. Fails where the source
/// is known to have another number of elements.
static FailureOr<Sizes> getResultSizes(OpBuilder &b, Location loc,
                                       ArrayRef<OpFoldResult> transposed,
                                       RankedTensorType result) {
  Sizes sizes;
  bool isSame = static_cast<int64_t>(transposed.size()) == result.getRank();
  for (auto [i, size] : llvm::enumerate(result.getShape())) {
    std::optional<int64_t> other;
    if (isSame)
      other = getConstantIntValue(transposed[i]);
    isSame &= size == kDynamicSize || !other || *other == size;
  }
  OpFoldResult known = b.getIndexAttr(1);
  for (auto [i, size] : llvm::enumerate(result.getShape())) {
    if (size != kDynamicSize) {
      sizes.push_back(b.getIndexAttr(size));
      known = mulSizes(b, loc, known, sizes.back());
    } else {
      sizes.push_back(isSame ? transposed[i] : OpFoldResult());
    }
    if (isSame &&
        !checkEqual(b, loc, transposed[i], sizes.back(), "equal sizes"))
      return failure();
  }
  if (isSame)
    return sizes;
  OpFoldResult count = countSizes(b, loc, transposed);
  for (OpFoldResult &size : sizes) {
    if (size)
      continue;
    // The verifier has excluded a known count of 0 beside it.
    std::optional<int64_t> all = getConstantIntValue(count);
    int64_t divisor = *getConstantIntValue(known);
    if (all)
      size = b.getIndexAttr(*all / divisor);
    else
      size = b.createOrFold<arith::DivUIOp>(
          loc, getValueOrCreateConstantIndexOp(b, loc, count),
          getValueOrCreateConstantIndexOp(b, loc, known));
  }
  if (!checkEqual(b, loc, count, countSizes(b, loc, sizes),
                  "equally many elements"))
    return failure();
  return sizes;
}

/// Reports that two shapes have different numbers of elements.
static LogicalResult emitCounts(llvm::function_ref<InFlightDiagnostic()> emit,
                                ArrayRef<OpFoldResult> source,
                                RankedTensorType result) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : source)
    shape.push_back(getConstantIntValue(size).value_or(kDynamicSize));
  return emit() << "source and result must have equally many elements, got "
                << shapeToString(shape) << " and "
                << shapeToString(result.getShape());
}

/// The tensor as one of this type: sizes may be known on one side only.
static Value castTo(OpBuilder &b, Location loc, Value value,
                    RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(b, loc, type, value);
}

/// Reshapes to sizes of getResultSizes: where none is known to differ from the
/// tensor's, all are equal, and the result only knows more of them.
static void reshapeTo(RelayoutSteps &steps, const Sizes &to) {
  if (steps.getSizes() == to)
    return;
  bool isSame = steps.getRank() == static_cast<int64_t>(to.size()) &&
                llvm::all_of(llvm::zip(steps.getSizes(), to), [](auto pair) {
                  auto [x, y] = pair;
                  auto a = getConstantIntValue(x), b = getConstantIntValue(y);
                  return x == y || !a || !b || *a == *b;
                });
  if (!isSame)
    return steps.reshape(to);
  Value value = steps.get();
  SmallVector<int64_t> shape;
  for (OpFoldResult size : to)
    shape.push_back(getConstantIntValue(size).value_or(kDynamicSize));
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  steps.set(castTo(steps.b, steps.loc, value, type), to);
}

/// The type with other elements; `E`, which is the element's here, left out.
static RankedTensorType withElement(RankedTensorType type, Type element) {
  Attribute encoding = type.getEncoding();
  if (auto attr = dyn_cast_or_null<LayoutAttr>(encoding)) {
    Layout layout = attr.getValue();
    layout.elementBits.reset();
    encoding = LayoutAttr::get(type.getContext(), layout);
  }
  return RankedTensorType::get(type.getShape(), element, encoding);
}

/// The logical sizes of a source: its type's where these are static; else those
/// that are given, or that a tensor without encoding has.
static FailureOr<Sizes> getLogicalSizes(OpBuilder &b, Location loc,
                                        Value physical, RankedTensorType source,
                                        ArrayRef<OpFoldResult> given) {
  if (source.hasStaticShape())
    return Sizes(getAsIndexOpFoldResult(b.getContext(), source.getShape()));
  if (!given.empty())
    return Sizes(given);
  if (!source.getEncoding())
    return tensor::getMixedSizes(b, loc, physical);
  return emitError(loc) << "the sizes of " << source
                        << " must be known to move its elements";
}

/// Whether elements lie in a vector as they lie in memory: in whole bytes.
static bool fitVectors(Type element) {
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
}

FailureOr<Value> mlir::tensoraccess::materializeRelayout(
    OpBuilder &b, Location loc, Value physical, RankedTensorType source,
    RankedTensorType result, ArrayRef<int64_t> permutation,
    const MaterializeOptions &wanted, ArrayRef<OpFoldResult> sourceSizes,
    SmallVectorImpl<OpFoldResult> *finalSizes) {
  auto emit = [&] { return emitError(loc); };
  FailureOr<RankedTensorType> from = getPhysicalType(source, emit);
  FailureOr<RankedTensorType> to = getPhysicalType(result, emit);
  if (failed(from) || failed(to))
    return failure();
  SmallVector<int64_t> order(permutation);
  if (order.empty())
    order = llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
  Type before = source.getElementType(), after = result.getElementType();
  std::optional<Layout> fromLayout = getLayoutOf(source);
  std::optional<Layout> toLayout = getLayoutOf(result);

  MaterializeOptions options = wanted;
  if (options.way == RelayoutWay::Loops &&
      !(fitVectors(before) && fitVectors(after)))
    options.way = RelayoutWay::Pack;
  FailureOr<Sizes> sizes =
      getLogicalSizes(b, loc, physical, source, sourceSizes);
  if (failed(sizes))
    return failure();
  RelayoutSteps steps(b, loc, physical, Sizes());
  bool shrinks = before != after && after.getIntOrFloatBitWidth() <=
                                        before.getIntOrFloatBitWidth();
  if (shrinks)
    steps.convert(after);
  if (finalSizes && result.hasStaticShape())
    *finalSizes = getAsIndexOpFoldResult(b.getContext(), result.getShape());
  // Nothing moves: the physical tensors are one tensor.
  if (source.hasStaticShape() && result.hasStaticShape() &&
      movesNothing(withElement(source, after), withElement(result, after),
                   order)
          .value_or(false)) {
    steps.set(steps.getRaw(),
              getAsIndexOpFoldResult(b.getContext(), from->getShape()));
    steps.convert(after);
    steps.reshape(getAsIndexOpFoldResult(b.getContext(), to->getShape()));
    return castTo(b, loc, steps.get(), *to);
  }
  undoLayout(steps, *fromLayout, *sizes, options);
  steps.transpose(order);
  FailureOr<Sizes> known = getResultSizes(b, loc, steps.getSizes(), result);
  if (failed(known))
    return emitCounts(emit, steps.getSizes(), result);
  if (finalSizes)
    *finalSizes = *known;
  reshapeTo(steps, *known);
  applyLayout(steps, *toLayout, options);
  if (options.way == RelayoutWay::Loops)
    transposeByLoops(steps, options);
  steps.get();
  steps.convert(after);
  return castTo(b, loc, steps.get(), *to);
}

/// The logical sizes of a bitcast's result. Static ones are the type's: layouts
/// with padding may have other numbers of elements on the same memory. Where a
/// size is dynamic, the logical shapes are equal, or reshape one another. Fails
/// where they are known to differ.
static FailureOr<Sizes> getBitcastSizes(OpBuilder &b, Location loc,
                                        ArrayRef<OpFoldResult> source,
                                        RankedTensorType from,
                                        RankedTensorType to) {
  if (from.hasStaticShape() && to.hasStaticShape())
    return Sizes(getAsIndexOpFoldResult(b.getContext(), to.getShape()));
  return getResultSizes(b, loc, source, to);
}

FailureOr<Value> mlir::tensoraccess::materializeBitcast(
    OpBuilder &b, Location loc, Value physical, RankedTensorType source,
    RankedTensorType result, ArrayRef<OpFoldResult> sourceSizes,
    SmallVectorImpl<OpFoldResult> *finalSizes) {
  auto emit = [&] { return emitError(loc); };
  FailureOr<RankedTensorType> from = getPhysicalType(source, emit);
  FailureOr<RankedTensorType> to = getPhysicalType(result, emit);
  if (failed(from) || failed(to))
    return failure();
  FailureOr<Sizes> logical =
      getLogicalSizes(b, loc, physical, source, sourceSizes);
  if (failed(logical))
    return failure();
  FailureOr<Sizes> known = getBitcastSizes(b, loc, *logical, source, result);
  if (failed(known))
    return emitCounts(emit, *logical, result);
  if (finalSizes)
    *finalSizes = *known;
  Type after = to->getElementType();
  if (after != from->getElementType())
    physical = arith::BitcastOp::create(
        b, loc, cast<RankedTensorType>(physical.getType()).clone(after),
        physical);
  RelayoutSteps steps(b, loc, physical,
                      tensor::getMixedSizes(b, loc, physical));
  // Where there is a `?`, equal shapes up to it, or row-major ones.
  FailureOr<Sizes> sizes = getResultSizes(b, loc, steps.getSizes(), *to);
  if (failed(sizes))
    return emitCounts(emit, steps.getSizes(), *to);
  reshapeTo(steps, *sizes);
  return castTo(b, loc, steps.get(), *to);
}
