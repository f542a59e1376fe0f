//===- LayoutOps.cpp - Ops on layouts and indices -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers, inferred types and folders of relayout, bitcast, linearize,
// delinearize and apply_indexing. The constraints C1…Cn are stated in
// LayoutOps.td. Constants are computed by Core: layouts, maps, kernels.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "TensorAccess/IR/Evaluate.h"
#include "Types/OpHelpers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// What relayout and bitcast share
//===----------------------------------------------------------------------===//

/// Encodings are layouts (their own rules are checked with the type), or perhaps
/// strided or linear.
static LogicalResult verifyEncodings(Operation *op, bool areAny) {
  for (auto [name, value] : {std::pair("source", op->getOperand(0)),
                             std::pair("result", Value(op->getResult(0)))}) {
    Attribute encoding = cast<RankedTensorType>(value.getType()).getEncoding();
    if (encoding && !isa<LayoutAttr>(encoding) &&
        !(areAny && isa<StridedAttr, LinearAttr>(encoding)))
      return op->emitOpError()
             << name << " must have a layout as its encoding, got " << encoding;
  }
  return success();
}

/// The product of the sizes that are known; std::nullopt if it does not fit.
static std::optional<int64_t> countStatic(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> sizes;
  for (int64_t size : shape)
    if (size != kDynamicSize)
      sizes.push_back(size);
  return elementCount(sizes);
}

/// Equally many elements (C2), and a result whose sizes follow (C3).
static LogicalResult verifyReshape(Operation *op, ArrayRef<int64_t> from,
                                   ArrayRef<int64_t> to) {
  if (mergeShapes(from, to))
    return success();
  auto emitCount = [&] {
    return op->emitOpError()
           << "source and result must have equally many elements, got "
           << listToString(from) << " and " << listToString(to);
  };
  std::optional<int64_t> fromStatic = countStatic(from);
  std::optional<int64_t> toStatic = countStatic(to);
  if (!fromStatic || !toStatic)
    return emitCount();
  int64_t unknown = llvm::count(to, kDynamicSize);
  if (unknown > 1 || (unknown == 1 && *toStatic == 0))
    return op->emitOpError()
           << "the result's shape must follow from the source's, got "
           << listToString(to) << " from " << listToString(from);
  bool fromKnown = !hasDynamicSize(from);
  if (fromKnown && unknown == 0)
    return *fromStatic == *toStatic ? success() : emitCount();
  // One count is a multiple of the other, as far as it is known.
  if (fromKnown)
    return *fromStatic % *toStatic == 0 ? success() : emitCount();
  if (unknown == 0 &&
      (*fromStatic == 0 ? *toStatic != 0 : *toStatic % *fromStatic != 0))
    return emitCount();
  return success();
}

/// What a kernel computes of a constant of the source; null if it fails.
static OpFoldResult foldConstant(
    Attribute constant, RankedTensorType to,
    function_ref<llvm::Expected<Tensor>(const Tensor &, ElementType)> run) {
  std::optional<ElementType> type = getElementTypeOf(to.getElementType());
  if (!constant || !type || !to.hasStaticShape() ||
      elementCount(to.getShape()).value_or(INT64_MAX) > kMaxFoldedElements)
    return {};
  auto source = llvm::expectedToOptional(tensorFromAttribute(constant));
  if (!source)
    return {};
  auto result = llvm::expectedToOptional(run(*source, *type));
  return result ? denseElementsFrom(*result, to) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// relayout
//===----------------------------------------------------------------------===//

SmallVector<int64_t> RelayoutOp::getPermutationOrIdentity() {
  if (std::optional<ArrayRef<int64_t>> permutation = getPermutation())
    return SmallVector<int64_t>(*permutation);
  return llvm::to_vector(
      llvm::seq<int64_t>(0, getSource().getType().getRank()));
}

SmallVector<int64_t> RelayoutOp::getTransposedShape() {
  SmallVector<int64_t> shape;
  for (int64_t dim : getPermutationOrIdentity())
    shape.push_back(getSource().getType().getDimSize(dim));
  return shape;
}

LogicalResult RelayoutOp::verify() {
  RankedTensorType from = getSource().getType(), to = getResult().getType();
  // C1
  if (!isPermutation(getPermutationOrIdentity(), from.getRank()))
    return emitOpError() << "permutation must be one of " << from.getRank()
                         << " dimensions, got "
                         << listToString(*getPermutation());
  // C2, C3
  if (failed(verifyReshape(*this, getTransposedShape(), to.getShape())))
    return failure();
  // C4
  Type fromType = from.getElementType(), toType = to.getElementType();
  bool converts = fromType == toType ||
                  (isa<FloatType>(fromType) && isa<FloatType>(toType)) ||
                  (isa<IntegerType>(fromType) && isa<IntegerType>(toType));
  if (!converts)
    return emitOpError() << "elements must stay as they are, or stay floats or "
                            "integers, got "
                         << fromType << " to " << toType;
  // C5
  return verifyEncodings(*this, /*areAny=*/true);
}

/// relayout to the same type by no permutation = nothing; of a constant, a
/// constant.
OpFoldResult RelayoutOp::fold(FoldAdaptor adaptor) {
  SmallVector<int64_t> permutation = getPermutationOrIdentity();
  RankedTensorType from = getSource().getType(), to = getResult().getType();
  if (from == to &&
      llvm::equal(permutation, llvm::seq<int64_t>(0, from.getRank())))
    return getSource();
  // A constant is in main memory.
  auto layout = dyn_cast_or_null<LayoutAttr>(to.getEncoding());
  if (layout && layout.getValue().memorySpace != 0)
    return {};
  return foldConstant(
      adaptor.getSource(), to, [&](const Tensor &source, ElementType type) {
        return kernels::relayout(source, permutation, to.getShape(), type);
      });
}

//===----------------------------------------------------------------------===//
// bitcast
//===----------------------------------------------------------------------===//

/// Whether bits of one type may be read as another.
static bool haveSameBits(Type a, Type b) {
  return a == b || (a.isIntOrFloat() && b.isIntOrFloat() &&
                    getValueBits(a) == getValueBits(b));
}

/// Row-major order without tiles and tail.
static bool isPlain(const Layout &layout) {
  return layout.tiles.empty() && layout.tailAlignment == 1 &&
         layout.minorToMajor == Layout::rowMajor(layout.getRank()).minorToMajor;
}

/// The constraints of bitcast for two types; `op` reports.
static LogicalResult verifyBitcast(Operation *op, RankedTensorType fromType,
                                   RankedTensorType toType) {
  Layout from = *getLayoutOf(fromType), to = *getLayoutOf(toType);
  // C2
  Type fromElement = fromType.getElementType();
  Type toElement = toType.getElementType();
  if (!haveSameBits(fromElement, toElement))
    return op->emitOpError() << "elements must have equally many bits, got "
                             << fromElement << " and " << toElement;
  int64_t valueBits = getValueBits(fromElement).value_or(64);
  int64_t fromBits = from.elementBits.value_or(valueBits);
  int64_t toBits = to.elementBits.value_or(valueBits);
  if (fromBits != toBits)
    return op->emitOpError()
           << "elements must take equally many bits of memory, got " << fromBits
           << " and " << toBits;
  // C3
  if (from.memorySpace != to.memorySpace)
    return op->emitOpError() << "memory space must stay " << from.memorySpace
                             << ", got " << to.memorySpace;
  // C6
  if (!from.shape || !to.shape) {
    bool same = from.withoutShape() == to.withoutShape() &&
                mergeShapes(fromType.getShape(), toType.getShape());
    if (same)
      return success();
    if (!isPlain(from) || !isPlain(to))
      return op->emitOpError() << "sizes must be known to compare the layouts "
                               << from.layoutStr() << " and " << to.layoutStr();
    return verifyReshape(op, fromType.getShape(), toType.getShape());
  }
  // C4
  std::optional<int64_t> fromPlaces = from.getPaddedElements();
  std::optional<int64_t> toPlaces = to.getPaddedElements();
  if (!fromPlaces || !toPlaces || *fromPlaces != *toPlaces)
    return op->emitOpError()
           << "both types must take equally many elements of memory, got "
           << fromPlaces.value_or(-1) << " and " << toPlaces.value_or(-1);
  // C5
  SmallVector<int64_t> witness;
  std::optional<bool> answer = liesOnElements(to, from, &witness);
  if (!answer)
    return op->emitOpError() << "cannot tell whether every element of "
                             << toType << " is at one of " << fromType;
  if (!*answer)
    return op->emitOpError() << "element " << listToString(witness)
                             << " of the result is on padding of the source";
  return success();
}

LogicalResult BitcastOp::verify() {
  // C1
  if (failed(verifyEncodings(*this, /*areAny=*/false)))
    return failure();
  return verifyBitcast(*this, getSource().getType(), getResult().getType());
}

/// bitcast to the same type = nothing; bitcast of bitcast = one bitcast; of a
/// constant, a constant.
OpFoldResult BitcastOp::fold(FoldAdaptor adaptor) {
  RankedTensorType from = getSource().getType(), to = getResult().getType();
  if (from == to)
    return getSource();
  // The places of the outer result's elements are among those of the inner
  // one's. A `?` in between may have been checked to be a number.
  if (auto inner = getSource().getDefiningOp<BitcastOp>();
      inner && from.hasStaticShape() && to.hasStaticShape() &&
      inner.getSource().getType().hasStaticShape()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  if (!from.hasStaticShape())
    return {};
  return foldConstant(adaptor.getSource(), to,
                      [&](const Tensor &source, ElementType type) {
                        return kernels::bitcast(source, *getLayoutOf(from),
                                                *getLayoutOf(to), type);
                      });
}

//===----------------------------------------------------------------------===//
// linearize and delinearize
//===----------------------------------------------------------------------===//

static int64_t getLayoutRank(Attribute attr) {
  if (auto strided = dyn_cast<StridedAttr>(attr))
    return strided.getValue().getRank();
  if (auto linear = dyn_cast<LinearAttr>(attr))
    return linear.getValue().outputs.size();
  return cast<LayoutAttr>(attr).getValue().getRank();
}

/// One size per dimension, each ≥ 0 or an operand; a tiled shape that fits.
static LogicalResult verifySizes(Operation *op, Attribute attr,
                                 ArrayRef<int64_t> sizes, size_t numOperands) {
  const int64_t rank = getLayoutRank(attr);
  if (static_cast<int64_t>(sizes.size()) != rank)
    return op->emitOpError() << "sizes must have one entry per dimension of "
                                "the layout, "
                             << rank << ", got " << sizes.size();
  if (static_cast<size_t>(llvm::count(sizes, kDynamicSize)) != numOperands)
    return op->emitOpError()
           << "sizes must have one operand per `?`, "
           << llvm::count(sizes, kDynamicSize) << ", got " << numOperands;
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size < 0 && size != kDynamicSize)
      return op->emitOpError()
             << "size " << i << " must not be negative, got " << size;
  auto layout = dyn_cast<LayoutAttr>(attr);
  if (!layout) {
    std::string error;
    if (!getPlaces(attr, sizes, error))
      return op->emitOpError() << error;
    return success();
  }
  if (std::optional<std::string> problem =
          verifySize(layout.getValue().withShape(sizes)))
    return op->emitOpError() << *problem;
  return success();
}

/// What an index op gives for constants; std::nullopt if an operand is not
/// constant.
static std::optional<SmallVector<int64_t>>
evaluateConstants(Operation *op, ArrayRef<Attribute> operands) {
  SmallVector<int64_t> values;
  for (Attribute operand : operands) {
    auto constant = dyn_cast_or_null<IntegerAttr>(operand);
    if (!constant)
      return std::nullopt;
    values.push_back(constant.getInt());
  }
  std::string message;
  return evaluateIndexOp(op, values, message);
}

LogicalResult LinearizeOp::verify() {
  // C1
  const int64_t rank = getLayoutRank(getLayout());
  if (static_cast<int64_t>(getIndices().size()) != rank)
    return emitOpError() << "must have one index per dimension of the layout, "
                         << rank << ", got " << getIndices().size();
  // C2, C3, C4, C5
  return verifySizes(*this, getLayout(), getStaticSizes(), getSizes().size());
}

OpFoldResult LinearizeOp::fold(FoldAdaptor adaptor) {
  auto number = evaluateConstants(*this, adaptor.getOperands());
  return number ? Builder(getContext()).getIndexAttr(number->front())
                : OpFoldResult();
}

LogicalResult DelinearizeOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location>,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  if (!isa_and_nonnull<LayoutAttr, StridedAttr, LinearAttr>(
          adaptor.getLayout()))
    return failure();
  types.assign(getLayoutRank(adaptor.getLayout()), IndexType::get(context));
  types.push_back(IntegerType::get(context, 1));
  return success();
}

LogicalResult DelinearizeOp::verify() {
  // C1, C2, C3, C4
  return verifySizes(*this, getLayout(), getStaticSizes(), getSizes().size());
}

LogicalResult DelinearizeOp::fold(FoldAdaptor adaptor,
                                  SmallVectorImpl<OpFoldResult> &results) {
  auto values = evaluateConstants(*this, adaptor.getOperands());
  if (!values)
    return failure();
  Builder b(getContext());
  for (int64_t index : ArrayRef(*values).drop_back())
    results.push_back(b.getIndexAttr(index));
  results.push_back(b.getBoolAttr(values->back()));
  return success();
}

//===----------------------------------------------------------------------===//
// apply_indexing
//===----------------------------------------------------------------------===//

LogicalResult ApplyIndexingOp::inferReturnTypes(MLIRContext *context,
                                                std::optional<Location>,
                                                Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  types.assign(adaptor.getMap().getValue().getNumResults(),
               IndexType::get(context));
  return success();
}

LogicalResult ApplyIndexingOp::verify() {
  const IndexingMap &map = getMap().getValue();
  // C1
  if (map.isUnknown())
    return emitOpError() << "the map must not be unknown";
  // C2
  for (auto [name, wanted, got] :
       {std::tuple("dims", map.getNumDims(), getDims().size()),
        std::tuple("symbols", map.getNumSymbols(), getSymbols().size()),
        std::tuple("runtime variables", map.getNumRuntime(),
                   getRuntime().size())})
    if (wanted != got)
      return emitOpError() << "must have one operand per variable of the map, "
                           << wanted << ' ' << name << ", got " << got;
  return success();
}

LogicalResult ApplyIndexingOp::fold(FoldAdaptor adaptor,
                                    SmallVectorImpl<OpFoldResult> &results) {
  auto values = evaluateConstants(*this, adaptor.getOperands());
  if (!values)
    return failure();
  for (int64_t value : *values)
    results.push_back(Builder(getContext()).getIndexAttr(value));
  return success(!values->empty());
}
