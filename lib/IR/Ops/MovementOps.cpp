//===- MovementOps.cpp - Ops that move each element to a place ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op's constraints C1…Cn are stated in TensorAccessOps.td and checked
// here, in type inference where the op has one: MLIR then compares the inferred
// type with the one that is written down.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "Types/OpHelpers.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  ArrayRef<int64_t> perm = adaptor.getPerm();
  // C1
  if (!isPermutation(perm, type.getRank()))
    return emitOptionalError(loc, "perm must be a permutation of ",
                             type.getRank(), " dimensions, got ",
                             listToString(perm));
  types.push_back(getSplit(applyPermutation(type.getShape(), perm),
                           type.getAccessRank(), type.getElementType()));
  return success();
}

/// transpose by the identity = nothing; transpose of transpose = one transpose.
OpFoldResult TransposeOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> perm = getPerm();
  if (isIdentityPermutation(perm))
    return getPattern();
  auto inner = getPattern().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> composed = applyPermutation(inner.getPerm(), perm);
  getPatternMutable().assign(inner.getPattern());
  setPerm(composed);
  return getResult();
}

//===----------------------------------------------------------------------===//
// windows
//===----------------------------------------------------------------------===//

SmallVector<int64_t> WindowsOp::getDilationsOrOnes() {
  if (std::optional<ArrayRef<int64_t>> dilations = getDilations())
    return SmallVector<int64_t>(*dilations);
  return SmallVector<int64_t>(getShape().size(), 1);
}

LogicalResult WindowsOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  ArrayRef<int64_t> window = adaptor.getShape();
  ArrayRef<int64_t> strides = adaptor.getStrides();
  SmallVector<int64_t> ones(window.size(), 1);
  ArrayRef<int64_t> dilations = adaptor.getDilations().value_or(ones);

  for (auto [name, values] :
       {std::pair("shape", window), std::pair("strides", strides),
        std::pair("dilations", dilations)}) {
    // C1
    if (failed(verifyEntries(loc, name, values.size(), type.getComputeRank(),
                             "compute dimension")))
      return failure();
    // C2
    for (auto [dim, value] : llvm::enumerate(values))
      if (value < 1)
        return emitOptionalError(loc, name, " entry ", dim,
                                 " must be positive, got ", value);
  }
  SmallVector<int64_t> access(type.getAccessShape());
  for (auto [dim, size] : llvm::enumerate(type.getComputeShape())) {
    // C3
    std::optional<int64_t> count =
        windowCount(size, window[dim], strides[dim], dilations[dim]);
    if (!count)
      return emitOptionalError(
          loc, "window of ", window[dim], " with dilation ", dilations[dim],
          " does not fit in compute dimension ", dim, " of size ", size);
    access.push_back(*count);
  }
  FailureOr<AccessType> result =
      getCheckedType(loc, context, access, window, type.getElementType());
  if (failed(result))
    return failure();
  types.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

SmallVector<int64_t> SliceOp::getStridesOrOnes() {
  if (std::optional<ArrayRef<int64_t>> strides = getStrides())
    return SmallVector<int64_t>(*strides);
  return SmallVector<int64_t>(getOffsets().size(), 1);
}

ArrayRef<OutOfBounds> SliceOp::getPolicies() {
  OutOfBoundsAttr policies = getOobAttr();
  return policies ? ArrayRef<OutOfBounds>(policies.getValue().entries)
                  : ArrayRef<OutOfBounds>();
}

OutOfBounds SliceOp::getPolicy(int64_t dim) {
  return getPolicies().empty() ? OutOfBounds() : getPolicies()[dim];
}

void SliceOp::build(OpBuilder &b, OperationState &state, Value pattern,
                    ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                    ArrayRef<int64_t> strides) {
  DenseI64ArrayAttr steps;
  if (llvm::any_of(strides, [](int64_t stride) { return stride != 1; }))
    steps = b.getDenseI64ArrayAttr(strides);
  build(b, state, pattern, b.getDenseI64ArrayAttr(offsets),
        b.getDenseI64ArrayAttr(sizes), steps, OutOfBoundsAttr());
}

bool mlir::tensoraccess::fitsElementType(const OutOfBounds &policy,
                                         Type elementType) {
  if (!policy.value)
    return true;
  if (policy.value->isFloat() != isa<FloatType>(elementType))
    return false;
  // A finite number that would be rounded to an infinity, or to no number.
  if (auto type = dyn_cast<FloatType>(elementType)) {
    llvm::APFloat value(policy.value->getFloat());
    const bool isFinite = value.isFinite();
    bool losesInfo;
    value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (isFinite && !value.isFinite())
      return false;
  }
  return policy.value->isFloat() || elementType.isIndex() ||
         llvm::isIntN(elementType.getIntOrFloatBitWidth(),
                      policy.value->getInteger()) ||
         llvm::isUIntN(elementType.getIntOrFloatBitWidth(),
                       policy.value->getInteger());
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  ArrayRef<int64_t> offsets = adaptor.getOffsets(), sizes = adaptor.getSizes();
  SmallVector<int64_t> ones(type.getRank(), 1);
  ArrayRef<int64_t> strides = adaptor.getStrides().value_or(ones);
  SmallVector<OutOfBounds, 4> policies(type.getRank());
  if (std::optional<OutOfBoundsAttr> oob = adaptor.getOob())
    policies = oob->getValue().entries;
  // C1
  if (failed(verifyEntries(loc, "offsets", offsets.size(), type.getRank())) ||
      failed(verifyEntries(loc, "sizes", sizes.size(), type.getRank())) ||
      failed(verifyEntries(loc, "strides", strides.size(), type.getRank())) ||
      failed(verifyEntries(loc, "oob", policies.size(), type.getRank())))
    return failure();
  SmallVector<int64_t> result;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    // C2
    if (strides[dim] == 0)
      return emitOptionalError(loc, "stride of dimension ", dim,
                               " must not be 0");
    bool toTheEnd = sizes[dim] == kToTheEnd;
    // C3
    if (sizes[dim] < 0 && !(toTheEnd && size == kDynamicSize))
      return emitOptionalError(loc, "size of dimension ", dim,
                               " must be non-negative",
                               toTheEnd ? " where the dimension is static" : "",
                               ", got ", sizes[dim]);
    // C4, C5
    if (std::string fault = checkSlice(size, offsets[dim], sizes[dim],
                                       strides[dim], policies[dim].kind);
        !fault.empty())
      return emitOptionalError(loc, "slice of dimension ", dim, " ", fault);
    // C6
    if (!fitsElementType(policies[dim], type.getElementType()))
      return emitOptionalError(
          loc, "oob entry ", dim, " must have a value of type ",
          type.getElementType(), ", got ", policies[dim].str());
    result.push_back(toTheEnd ? kDynamicSize : sizes[dim]);
  }
  return inferSplit(loc, context, result, type.getAccessRank(),
                    type.getElementType(), types);
}

/// True if no place lies outside, whatever the policies.
static bool staysInside(SliceOp op) {
  SmallVector<int64_t> strides = op.getStridesOrOnes();
  for (auto [dim, size] : llvm::enumerate(op.getPattern().getType().getShape()))
    if (size == kDynamicSize || !checkSlice(size, op.getOffsets()[dim],
                                            op.getSizes()[dim], strides[dim])
                                     .empty())
      return false;
  return true;
}

/// slice(slice(p)) as one slice of p, in place; false if it stays. The outer
/// slice stays inside, so the inner one's policies see the same places.
static bool foldSliceOfSlice(SliceOp outer) {
  auto inner = outer.getPattern().getDefiningOp<SliceOp>();
  if (!inner || !staysInside(outer) ||
      !inner.getPattern().getType().hasStaticShape())
    return false;
  SmallVector<int64_t> offsets, strides;
  SmallVector<int64_t> outerSteps = outer.getStridesOrOnes();
  SmallVector<int64_t> innerSteps = inner.getStridesOrOnes();
  for (auto [dim, step] : llvm::enumerate(innerSteps)) {
    std::optional<int64_t> shift = checkedMul(outer.getOffsets()[dim], step);
    std::optional<int64_t> offset =
        shift ? checkedAdd(inner.getOffsets()[dim], *shift) : std::nullopt;
    std::optional<int64_t> stride = checkedMul(outerSteps[dim], step);
    // Of one place any stride will do.
    if (outer.getSizes()[dim] <= 1)
      stride = 1;
    if (!offset || !stride ||
        !checkSlice(inner.getPattern().getType().getShape()[dim], *offset,
                    outer.getSizes()[dim], *stride, inner.getPolicy(dim).kind)
             .empty())
      return false;
    offsets.push_back(*offset);
    strides.push_back(*stride);
  }
  outer.getPatternMutable().assign(inner.getPattern());
  outer.setOffsets(offsets);
  outer.removeStridesAttr();
  if (llvm::any_of(strides, [](int64_t stride) { return stride != 1; }))
    outer.setStrides(strides);
  outer.removeOobAttr();
  if (inner.getOobAttr())
    outer.setOobAttr(inner.getOobAttr());
  return true;
}

/// The whole of a static pattern = nothing; slice of slice = one slice;
/// policies without effect are dropped.
OpFoldResult SliceOp::fold(FoldAdaptor) {
  AccessType type = getPattern().getType();
  auto isOne = [](int64_t stride) { return stride == 1; };
  auto isZero = [](int64_t offset) { return offset == 0; };
  if (type.hasStaticShape() && getType() == type &&
      llvm::all_of(getOffsets(), isZero) &&
      llvm::all_of(getStridesOrOnes(), isOne))
    return getPattern();
  if (foldSliceOfSlice(*this))
    return getResult();
  bool allForbid = llvm::all_of(getPolicies(), [](const OutOfBounds &policy) {
    return policy.kind == OutOfBounds::Kind::Forbid;
  });
  if (!getOobAttr() || !(allForbid || staysInside(*this)))
    return {};
  removeOobAttr();
  return getResult();
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  AccessType from = getPattern().getType(), to = getType();
  // C1
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "element types must be equal, got "
                         << from.getElementType() << " and "
                         << to.getElementType();
  // C2
  if (from.getAccessRank() != to.getAccessRank() ||
      from.getComputeRank() != to.getComputeRank())
    return emitOpError() << "must keep the numbers of access and compute "
                            "dimensions, got "
                         << from << " and " << to;
  SmallVector<int64_t> sizes = from.getShape();
  for (auto [dim, size] : llvm::enumerate(to.getShape())) {
    // C3
    if (sizes[dim] == size || (sizes[dim] == 1 && size != kDynamicSize))
      continue;
    return emitOpError() << "dimension " << dim
                         << " must keep its size or grow from 1 to a static "
                            "size, got "
                         << shapeToString(sizes[dim]) << " and "
                         << shapeToString(size);
  }
  return success();
}

/// broadcast to the same type = nothing; broadcast of broadcast = one.
OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getType() == getPattern().getType())
    return getPattern();
  auto inner = getPattern().getDefiningOp<BroadcastOp>();
  if (!inner)
    return {};
  getPatternMutable().assign(inner.getPattern());
  return getResult();
}

//===----------------------------------------------------------------------===//
// pad, materialize
//===----------------------------------------------------------------------===//

SmallVector<int64_t> PadOp::getInteriorOrZeros() {
  if (std::optional<ArrayRef<int64_t>> interior = getInterior())
    return SmallVector<int64_t>(*interior);
  return SmallVector<int64_t>(getLow().size(), 0);
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  SmallVector<int64_t> shape = type.getShape(), zeros(type.getRank(), 0);
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh(),
                    interior = adaptor.getInterior().value_or(zeros);
  for (auto [name, values] : {std::pair("low", low), std::pair("high", high),
                              std::pair("interior", interior)}) {
    // C1
    if (failed(verifyEntries(loc, name, values.size(), type.getRank())))
      return failure();
    // C2
    for (auto [dim, value] : llvm::enumerate(values))
      if (value < 0)
        return emitOptionalError(loc, name, " entry ", dim,
                                 " must be non-negative, got ", value);
  }
  for (auto [dim, size] : llvm::enumerate(shape)) {
    // C4
    std::optional<int64_t> padded =
        paddedSize(size, low[dim], high[dim], interior[dim]);
    if (!padded)
      return emitOptionalError(loc, "padded size of dimension ", dim,
                               " overflows, low is ", low[dim], ", high ",
                               high[dim], ", interior ", interior[dim]);
    size = *padded;
  }
  // C3
  auto value = cast<TypedAttr>(adaptor.getValue());
  if (value.getType() != type.getElementType())
    return emitOptionalError(loc, "value must have the element type ",
                             type.getElementType(), ", got ", value.getType());
  ArrayRef<int64_t> padded(shape);
  FailureOr<AccessType> result = getCheckedType(
      loc, context, padded.take_front(type.getAccessRank()),
      padded.drop_front(type.getAccessRank()), type.getElementType());
  if (failed(result))
    return failure();
  types.push_back(*result);
  return success();
}

/// a + b, entry by entry; std::nullopt on overflow.
static std::optional<SmallVector<int64_t>> addEntries(ArrayRef<int64_t> a,
                                                      ArrayRef<int64_t> b) {
  SmallVector<int64_t> sums;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    std::optional<int64_t> sum = checkedAdd(x, y);
    if (!sum)
      return std::nullopt;
    sums.push_back(*sum);
  }
  return sums;
}

/// pad by nothing = nothing; pad of pad by the same value, the outer without
/// interior = one pad.
OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t width) { return width == 0; };
  if (!llvm::all_of(getInteriorOrZeros(), isZero))
    return {};
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero))
    return getPattern();
  if (getInteriorAttr()) {
    removeInteriorAttr();
    return getResult();
  }
  auto inner = getPattern().getDefiningOp<PadOp>();
  if (!inner || inner.getValue() != getValue())
    return {};
  auto low = addEntries(getLow(), inner.getLow());
  auto high = addEntries(getHigh(), inner.getHigh());
  if (!low || !high)
    return {};
  setLow(*low);
  setHigh(*high);
  if (inner.getInteriorAttr())
    setInteriorAttr(inner.getInteriorAttr());
  getPatternMutable().assign(inner.getPattern());
  return getResult();
}

LogicalResult MaterializeOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getPattern().getType());
  return success();
}

/// A copy of a copy = one copy.
OpFoldResult MaterializeOp::fold(FoldAdaptor) {
  if (getPattern().getDefiningOp<MaterializeOp>())
    return getPattern();
  return {};
}
