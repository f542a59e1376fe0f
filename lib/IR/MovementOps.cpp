//===- MovementOps.cpp - Ops that move each element to a place ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op's constraints C1…Cn are stated in TensorAccessOps.td and checked here,
// in type inference where the op has one: MLIR then compares the inferred type
// with the one that is written down.
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"
#include "TensorAccess/Core/Shape.h"
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
  SmallVector<int64_t> shape = type.getShape(), result;
  for (int64_t dim : perm)
    result.push_back(shape[dim]);
  types.push_back(
      getSplit(result, type.getAccessRank(), type.getElementType()));
  return success();
}

/// transpose by the identity = nothing; transpose of transpose = one transpose.
OpFoldResult TransposeOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> perm = getPerm();
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size())))
    return getPattern();
  auto inner = getPattern().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t dim : perm)
    composed.push_back(inner.getPerm()[dim]);
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
    if (failed(verifyEntries(loc, name, values, type.getComputeRank(),
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

LogicalResult SliceOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  ArrayRef<int64_t> offsets = adaptor.getOffsets(), sizes = adaptor.getSizes();
  SmallVector<int64_t> ones(type.getRank(), 1);
  ArrayRef<int64_t> strides = adaptor.getStrides().value_or(ones);
  // C1
  if (failed(verifyEntries(loc, "offsets", offsets, type.getRank())) ||
      failed(verifyEntries(loc, "sizes", sizes, type.getRank())) ||
      failed(verifyEntries(loc, "strides", strides, type.getRank())))
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
      return emitOptionalError(
          loc, "size of dimension ", dim, " must be non-negative",
          toTheEnd ? " where the dimension is static" : "", ", got ",
          sizes[dim]);
    // C4
    if (std::string fault =
            checkSlice(size, offsets[dim], sizes[dim], strides[dim]);
        !fault.empty())
      return emitOptionalError(loc, "slice of dimension ", dim, " ", fault);
    result.push_back(toTheEnd ? kDynamicSize : sizes[dim]);
  }
  return inferSplit(loc, context, result, type.getAccessRank(),
                    type.getElementType(), types);
}

/// The whole of a static pattern = nothing.
OpFoldResult SliceOp::fold(FoldAdaptor) {
  AccessType type = getPattern().getType();
  auto isOne = [](int64_t stride) { return stride == 1; };
  auto isZero = [](int64_t offset) { return offset == 0; };
  if (type.hasStaticShape() && getType() == type &&
      llvm::all_of(getOffsets(), isZero) &&
      llvm::all_of(getStridesOrOnes(), isOne))
    return getPattern();
  return {};
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
    if (failed(verifyEntries(loc, name, values, type.getRank())))
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
                             type.getElementType(), ", got ",
                             value.getType());
  ArrayRef<int64_t> padded(shape);
  FailureOr<AccessType> result = getCheckedType(
      loc, context, padded.take_front(type.getAccessRank()),
      padded.drop_front(type.getAccessRank()), type.getElementType());
  if (failed(result))
    return failure();
  types.push_back(*result);
  return success();
}

/// pad by nothing = nothing.
OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t width) { return width == 0; };
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero) &&
      llvm::all_of(getInteriorOrZeros(), isZero))
    return getPattern();
  return {};
}

LogicalResult MaterializeOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getPattern().getType());
  return success();
}
