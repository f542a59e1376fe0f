//===- TensorAccessOps.cpp - Type inference, verifiers, folders --------------===//
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

#include "TensorAccess/Core/Shape.h"
#include "TensorAccess/IR/TensorAccess.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Text: a compute op's kind stands bare, `compute dot_prod %x`
//===----------------------------------------------------------------------===//

static ParseResult parseComputeKind(OpAsmParser &parser,
                                    ComputeKindAttr &kind) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<ComputeKind> value = symbolizeComputeKind(keyword);
  if (!value)
    return parser.emitError(loc) << "unknown compute kind `" << keyword << "`";
  kind = ComputeKindAttr::get(parser.getContext(), *value);
  return success();
}

static void printComputeKind(OpAsmPrinter &printer, Operation *,
                             ComputeKindAttr kind) {
  printer << stringifyComputeKind(kind.getValue());
}

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// The access type with the given full shape, split at `axis`.
static AccessType getSplit(ArrayRef<int64_t> shape, int64_t axis,
                           Type elementType) {
  return AccessType::get(shape.take_front(axis), shape.drop_front(axis),
                         elementType);
}

/// Like get, but reports what the type's own verifier says about a shape that
/// inference made (its element count may overflow).
static FailureOr<AccessType>
getCheckedType(std::optional<Location> loc, MLIRContext *context,
               ArrayRef<int64_t> accessShape, ArrayRef<int64_t> computeShape,
               Type elementType) {
  Location where = loc.value_or(UnknownLoc::get(context));
  AccessType type = AccessType::getChecked(
      [&] { return emitError(where); }, context, accessShape, computeShape,
      elementType);
  if (!type)
    return failure();
  return type;
}

/// Writes a list as `[3, 1, 5]`, a dynamic size as `?`.
static std::string listToString(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(values, os, [&](int64_t value) {
    os << (value == kDynamicSize ? "?" : std::to_string(value));
  });
  os << ']';
  return text;
}

//===----------------------------------------------------------------------===//
// access, to_tensor
//===----------------------------------------------------------------------===//

LogicalResult AccessOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto tensor = cast<RankedTensorType>(adaptor.getTensor().getType());
  int64_t axis = adaptor.getAxis();
  // C1
  if (axis < 0 || axis > tensor.getRank())
    return emitOptionalError(loc, "access axis must lie in [0, ",
                             tensor.getRank(), "], got ", axis);
  ArrayRef<int64_t> shape = tensor.getShape();
  FailureOr<AccessType> type =
      getCheckedType(loc, context, shape.take_front(axis),
                     shape.drop_front(axis), tensor.getElementType());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

LogicalResult ToTensorOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(
      cast<AccessType>(adaptor.getPattern().getType()).getTensorType());
  return success();
}

/// to_tensor(access(t)) = t.
OpFoldResult ToTensorOp::fold(FoldAdaptor) {
  auto access = getPattern().getDefiningOp<AccessOp>();
  if (access && access.getTensor().getType() == getType())
    return access.getTensor();
  return {};
}

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
// cart_prod
//===----------------------------------------------------------------------===//

LogicalResult CartProdOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  auto lhs = cast<AccessType>(adaptor.getLhs().getType());
  auto rhs = cast<AccessType>(adaptor.getRhs().getType());
  // C1
  if (lhs.getElementType() != rhs.getElementType())
    return emitOptionalError(loc, "element types must be equal, got ",
                             lhs.getElementType(), " and ",
                             rhs.getElementType());
  // C2
  if (lhs.getComputeShape() != rhs.getComputeShape())
    return emitOptionalError(loc, "compute shapes must be equal, got ",
                             listToString(lhs.getComputeShape()), " and ",
                             listToString(rhs.getComputeShape()));
  SmallVector<int64_t> access(lhs.getAccessShape());
  llvm::append_range(access, rhs.getAccessShape());
  SmallVector<int64_t> compute{2};
  llvm::append_range(compute, lhs.getComputeShape());
  FailureOr<AccessType> type =
      getCheckedType(loc, context, access, compute, lhs.getElementType());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
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
    if (static_cast<int64_t>(values.size()) != type.getComputeRank())
      return emitOptionalError(loc, name,
                               " must have one entry per compute dimension, ",
                               type.getComputeRank(), ", got ", values.size());
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
// squeeze, insert_axis
//===----------------------------------------------------------------------===//

LogicalResult SqueezeOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  int64_t axis = adaptor.getAxis();
  // C1
  if (axis < 0 || axis >= type.getRank())
    return emitOptionalError(loc, "squeeze axis must lie in [0, ",
                             type.getRank() - 1, "], got ", axis);
  SmallVector<int64_t> shape = type.getShape();
  // C2
  if (shape[axis] != 1)
    return emitOptionalError(loc, "squeezed dimension ", axis,
                             " must have size 1, got ",
                             shapeToString(shape[axis]));
  shape.erase(shape.begin() + axis);
  int64_t split = type.getAccessRank() - (axis < type.getAccessRank());
  types.push_back(getSplit(shape, split, type.getElementType()));
  return success();
}

LogicalResult InsertAxisOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  int64_t axis = adaptor.getAxis();
  // C1
  if (axis < 0 || axis > type.getRank())
    return emitOptionalError(loc, "inserted axis must lie in [0, ",
                             type.getRank(), "], got ", axis);
  SmallVector<int64_t> shape = type.getShape();
  shape.insert(shape.begin() + axis, 1);
  int64_t split = type.getAccessRank() + (axis <= type.getAccessRank());
  types.push_back(getSplit(shape, split, type.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// flatten, reshape
//===----------------------------------------------------------------------===//

/// One dimension for a side of several; an empty side stays empty.
static SmallVector<int64_t> flattenSide(ArrayRef<int64_t> side) {
  if (side.empty())
    return {};
  return {elementCount(side).value_or(ShapedType::kDynamic)};
}

LogicalResult FlattenOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  types.push_back(AccessType::get(flattenSide(type.getAccessShape()),
                                  flattenSide(type.getComputeShape()),
                                  type.getElementType()));
  return success();
}

/// flatten of a pattern with at most one dimension a side = nothing.
OpFoldResult FlattenOp::fold(FoldAdaptor) {
  if (getType() == getPattern().getType())
    return getPattern();
  return {};
}

/// C2, C3: the same number of elements on one side of the split.
static LogicalResult verifySameCount(Operation *op, StringRef side,
                                     ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  if (from == to)
    return success();
  bool dynamicFrom = hasDynamicSize(from), dynamicTo = hasDynamicSize(to);
  if (dynamicFrom || dynamicTo) {
    // With more than one unknown a side, not even the program could say which
    // elements move where.
    if (llvm::count(from, ShapedType::kDynamic) == 1 &&
        llvm::count(to, ShapedType::kDynamic) == 1)
      return success();
    return op->emitOpError() << side << " shapes with `?` must be equal or "
                             << "have one `?` each, got "
                             << shapeToString(from) << " and "
                             << shapeToString(to);
  }
  if (elementCount(from) == elementCount(to))
    return success();
  return op->emitOpError() << side
                           << " shapes must have equally many elements, got "
                           << *elementCount(from) << " ("
                           << shapeToString(from) << ") and "
                           << *elementCount(to) << " (" << shapeToString(to)
                           << ")";
}

LogicalResult ReshapeOp::verify() {
  AccessType from = getPattern().getType(), to = getType();
  // C1
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "element types must be equal, got "
                         << from.getElementType() << " and "
                         << to.getElementType();
  // C2
  if (failed(verifySameCount(*this, "access", from.getAccessShape(),
                             to.getAccessShape())))
    return failure();
  // C3
  return verifySameCount(*this, "compute", from.getComputeShape(),
                         to.getComputeShape());
}

/// reshape to the same static type = nothing; reshape of reshape or flatten =
/// one reshape.
OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (!getType().hasStaticShape() ||
      !getPattern().getType().hasStaticShape())
    return {};
  if (getType() == getPattern().getType())
    return getPattern();
  Operation *inner = getPattern().getDefiningOp();
  if (!isa_and_nonnull<ReshapeOp, FlattenOp>(inner) ||
      !cast<AccessType>(inner->getOperand(0).getType()).hasStaticShape())
    return {};
  getPatternMutable().assign(
      cast<TypedValue<AccessType>>(inner->getOperand(0)));
  return getResult();
}

//===----------------------------------------------------------------------===//
// pad, materialize
//===----------------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  SmallVector<int64_t> shape = type.getShape();
  for (auto [name, values] : {std::pair("low", adaptor.getLow()),
                              std::pair("high", adaptor.getHigh())}) {
    // C1
    if (static_cast<int64_t>(values.size()) != type.getRank())
      return emitOptionalError(loc, name, " must have one entry per dimension,",
                               " ", type.getRank(), ", got ", values.size());
    for (auto [dim, value] : llvm::enumerate(values)) {
      // C2
      if (value < 0)
        return emitOptionalError(loc, name, " entry ", dim,
                                 " must be non-negative, got ", value);
      if (shape[dim] != ShapedType::kDynamic &&
          llvm::AddOverflow(shape[dim], value, shape[dim]))
        return emitOptionalError(loc, "padded size of dimension ", dim,
                                 " overflows, ", name, " entry is ", value);
    }
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

LogicalResult MaterializeOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getPattern().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// compute
//===----------------------------------------------------------------------===//

LogicalResult ComputeOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto type = cast<AccessType>(adaptor.getPattern().getType());
  ComputeKind kind = adaptor.getKind();
  ArrayRef<int64_t> item = type.getComputeShape(), result;
  switch (kind) {
  case ComputeKind::DotProd:
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul:
    // C1
    if (item.empty())
      return emitOptionalError(loc, stringifyComputeKind(kind),
                               " needs a tuple axis, got an empty compute "
                               "shape");
    if (kind != ComputeKind::DotProd)
      result = item.drop_front();
    break;
  case ComputeKind::ReduceMax:
    // C2
    if (llvm::is_contained(item, 0))
      return emitOptionalError(loc, "reduce_max needs a non-empty item, got ",
                               shapeToString(item));
    break;
  case ComputeKind::ReduceSum:
    break;
  case ComputeKind::Relu:
    result = item;
    break;
  }
  types.push_back(AccessType::get(type.getAccessShape(), result,
                                  type.getElementType()));
  return success();
}
