//===- WriteOut.cpp - Layouts written out in steps ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a layout's recipe (Core/LayoutRecipe.h) as ops on tensors:
// tensor.pad, expand_shape, collapse_shape, extract_slice, linalg.transpose.
// Any layout has a recipe. A tail (`L`) is padding after the tensor as one
// dimension.
//
//===----------------------------------------------------------------------===//

#include "PhysicalForm.h"
#include "TensorAccess/Core/LayoutRecipe.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

OpFoldResult mlir::tensoraccess::buildSize(OpBuilder &builder, Location loc,
                                           const SizeExpr &size,
                                           ArrayRef<OpFoldResult> sizes) {
  if (size.isConstant())
    return builder.getIndexAttr(size.getConstant());
  auto getConstant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value product;
  auto multiply = [&](Value by) {
    product =
        product ? builder.createOrFold<arith::MulIOp>(loc, product, by) : by;
  };
  for (const SizeExpr::Factor &factor : size.getFactors()) {
    if (factor.divisor == 0) {
      multiply(
          getValueOrCreateConstantIndexOp(builder, loc, sizes[factor.dim]));
      continue;
    }
    Value body = getValueOrCreateConstantIndexOp(
        builder, loc, buildSize(builder, loc, factor.body.front(), sizes));
    Value above = builder.createOrFold<arith::AddIOp>(
        loc, body, getConstant(factor.divisor - 1));
    multiply(builder.createOrFold<arith::DivUIOp>(loc, above,
                                                  getConstant(factor.divisor)));
  }
  if (size.getCoefficient() != 1)
    multiply(getConstant(size.getCoefficient()));
  return product;
}

SmallVector<OpFoldResult>
mlir::tensoraccess::buildSizes(OpBuilder &builder, Location loc,
                               ArrayRef<SizeExpr> exprs,
                               ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(exprs, [&](const SizeExpr &size) {
    return buildSize(builder, loc, size, sizes);
  });
}

//===----------------------------------------------------------------------===//
// Recipes
//===----------------------------------------------------------------------===//

Value mlir::tensoraccess::buildPad(OpBuilder &builder, Location loc,
                                   Value tensor, RankedTensorType result,
                                   ArrayRef<SizeDifference> high,
                                   ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> low(high.size(), builder.getIndexAttr(0)), amounts;
  for (const SizeDifference &amount : high)
    amounts.push_back(
        amount.isConstant()
            ? OpFoldResult(builder.getIndexAttr(amount.getConstant()))
            : builder.createOrFold<arith::SubIOp>(
                  loc,
                  getValueOrCreateConstantIndexOp(
                      builder, loc,
                      buildSize(builder, loc, amount.getWhole(), sizes)),
                  getValueOrCreateConstantIndexOp(
                      builder, loc,
                      buildSize(builder, loc, amount.getPart(), sizes))));
  return tensor::PadOp::create(
      builder, loc, result, tensor, low, amounts,
      buildZero(builder, loc, result.getElementType()));
}

Value mlir::tensoraccess::buildSlice(OpBuilder &builder, Location loc,
                                     Value tensor,
                                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0)),
      ones(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, zeros, sizes,
                                        ones);
}

static Value buildStep(OpBuilder &builder, Location loc, Value tensor,
                       const RecipeStep &step, ArrayRef<OpFoldResult> sizes) {
  auto result =
      cast<RankedTensorType>(tensor.getType()).clone(toNumbers(step.sizes));
  SmallVector<ReassociationIndices> groups;
  for (ArrayRef<int64_t> group : step.groups)
    groups.emplace_back(group);
  switch (step.kind) {
  case RecipeStep::Kind::Pad:
    return buildPad(builder, loc, tensor, result, step.symbolicAmounts, sizes);
  case RecipeStep::Kind::Slice:
    return buildSlice(builder, loc, tensor,
                      buildSizes(builder, loc, step.sizes, sizes));
  case RecipeStep::Kind::Expand:
    return tensor::ExpandShapeOp::create(
        builder, loc, result, tensor, groups,
        buildSizes(builder, loc, step.sizes, sizes));
  case RecipeStep::Kind::Collapse:
    return tensor::CollapseShapeOp::create(builder, loc, result, tensor,
                                           groups);
  case RecipeStep::Kind::Transpose:
    return buildTranspose(builder, loc, tensor, step.permutation);
  }
  llvm_unreachable("covered switch");
}

/// All dimensions as one of this size.
static Value buildFlat(OpBuilder &builder, Location loc, Value tensor,
                       int64_t size) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto flat = RankedTensorType::get({size}, type.getElementType());
  if (type.getRank() == 0)
    return tensor::ExpandShapeOp::create(builder, loc, flat, tensor,
                                         ArrayRef<ReassociationIndices>());
  if (type.getRank() != 1)
    tensor = tensor::CollapseShapeOp::create(
        builder, loc, tensor,
        SmallVector<ReassociationIndices>{
            llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))});
  if (tensor.getType() == flat)
    return tensor;
  return tensor::CastOp::create(builder, loc, flat, tensor);
}

/// One dimension as these.
static Value buildUnflat(OpBuilder &builder, Location loc, Value tensor,
                         RankedTensorType result,
                         ArrayRef<OpFoldResult> sizes) {
  if (result.getRank() == 0)
    return tensor::CollapseShapeOp::create(builder, loc, result, tensor,
                                           ArrayRef<ReassociationIndices>());
  if (result.getRank() == 1)
    return tensor;
  return tensor::ExpandShapeOp::create(
      builder, loc, result, tensor,
      SmallVector<ReassociationIndices>{
          llvm::to_vector<2>(llvm::seq<int64_t>(0, result.getRank()))},
      sizes);
}

Value mlir::tensoraccess::buildPack(OpBuilder &builder, Location loc,
                                    Value tensor, const Layout &layout,
                                    ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<LayoutRecipe> recipe = getPackRecipe(layout);
  assert(recipe && "the layout has a physical type");
  const SizeDifference &tail = recipe->tail;
  bool hasTail = !(tail == SizeDifference());
  SmallVector<int64_t> shape = toNumbers(recipe->resultSizes);
  if (hasTail)
    shape = {tail.getWhole().toNumber()};
  // A tensor without elements has no order.
  if (llvm::is_contained(*layout.shape, 0)) {
    SmallVector<OpFoldResult> physical =
        hasTail ? buildSizes(builder, loc, {tail.getWhole()}, sizes)
                : buildSizes(builder, loc, recipe->resultSizes, sizes);
    return tensor::EmptyOp::create(builder, loc, physical,
                                   type.getElementType());
  }
  for (const RecipeStep &step : recipe->steps)
    tensor = buildStep(builder, loc, tensor, step, sizes);
  if (!hasTail)
    return tensor;
  tensor = buildFlat(builder, loc, tensor, tail.getPart().toNumber());
  return buildPad(builder, loc, tensor,
                  RankedTensorType::get(shape, type.getElementType()), tail,
                  sizes);
}

Value mlir::tensoraccess::buildUnpack(OpBuilder &builder, Location loc,
                                      Value tensor, const Layout &layout,
                                      ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<LayoutRecipe> recipe = getUnpackRecipe(layout);
  assert(recipe && "the layout has a physical type");
  if (llvm::is_contained(*layout.shape, 0))
    return tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  if (const SizeDifference &tail = recipe->tail; !(tail == SizeDifference())) {
    tensor = buildSlice(builder, loc, tensor,
                        buildSizes(builder, loc, {tail.getPart()}, sizes));
    tensor = buildUnflat(builder, loc, tensor,
                         RankedTensorType::get(toNumbers(recipe->sourceSizes),
                                               type.getElementType()),
                         buildSizes(builder, loc, recipe->sourceSizes, sizes));
  }
  for (const RecipeStep &step : recipe->steps)
    tensor = buildStep(builder, loc, tensor, step, sizes);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Reshapes whose sizes are known only at run time
//===----------------------------------------------------------------------===//

/// Asserts that two sizes are equal; false where they are known to differ.
/// The message names what is counted.
static bool checkEqual(OpBuilder &b, Location loc, OpFoldResult x,
                       OpFoldResult y, StringRef what) {
  std::optional<int64_t> knownX = getConstantIntValue(x);
  std::optional<int64_t> knownY = getConstantIntValue(y);
  if (x == y || (knownX && knownY))
    return x == y || *knownX == *knownY;
  SmallVector<Value> values;
  for (OpFoldResult size : {x, y})
    values.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
  Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                      values[0], values[1]);
  tensoraccess::AssertOp::create(
      b, loc, equal,
      ("tensoraccess.relayout: source and result must have " + what +
       ", got {0} and {1}")
          .str(),
      values);
  return true;
}

static OpFoldResult multiplySizes(OpBuilder &b, Location loc,
                                  ArrayRef<OpFoldResult> sizes) {
  int64_t known = 1;
  Value product;
  for (OpFoldResult size : sizes) {
    if (std::optional<int64_t> number = getConstantIntValue(size))
      known *= *number;
    else
      product = product ? b.createOrFold<arith::MulIOp>(loc, product,
                                                        cast<Value>(size))
                        : cast<Value>(size);
  }
  if (!product)
    return b.getIndexAttr(known);
  if (known == 1)
    return product;
  return b.createOrFold<arith::MulIOp>(
      loc, product, arith::ConstantIndexOp::create(b, loc, known));
}

/// The sizes of the result: its type's, where `?` is the source's size there,
/// or what is left of the count of elements. Fails if the source is known to
/// have another number of elements. `isSame`: size by size.
static FailureOr<SmallVector<OpFoldResult>>
getResultSizes(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> source,
               RankedTensorType result, bool &isSame) {
  SmallVector<OpFoldResult> sizes;
  isSame = static_cast<int64_t>(source.size()) == result.getRank();
  for (auto [i, size] : llvm::enumerate(result.getShape())) {
    std::optional<int64_t> other;
    if (isSame)
      other = getConstantIntValue(source[i]);
    isSame &= ShapedType::isDynamic(size) || !other || *other == size;
  }
  int64_t known = 1;
  for (auto [i, size] : llvm::enumerate(result.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(b.getIndexAttr(size));
      known *= size;
    } else {
      sizes.push_back(isSame ? source[i] : OpFoldResult());
    }
    if (isSame && !checkEqual(b, loc, source[i], sizes.back(), "equal sizes"))
      return failure();
  }
  if (isSame)
    return sizes;
  OpFoldResult count = multiplySizes(b, loc, source);
  for (OpFoldResult &size : sizes) {
    if (size)
      continue;
    // The verifier has excluded a known count of 0 beside it.
    if (std::optional<int64_t> all = getConstantIntValue(count))
      size = b.getIndexAttr(*all / known);
    else
      size = b.createOrFold<arith::DivUIOp>(
          loc, getValueOrCreateConstantIndexOp(b, loc, count),
          arith::ConstantIndexOp::create(b, loc, known));
  }
  if (!checkEqual(b, loc, count, multiplySizes(b, loc, sizes),
                  "equally many elements"))
    return failure();
  return sizes;
}

FailureOr<Value> mlir::tensoraccess::buildDynamicReshape(
    OpBuilder &builder, Location loc, Value tensor,
    ArrayRef<OpFoldResult> source, RankedTensorType result,
    SmallVectorImpl<OpFoldResult> &sizes) {
  bool isSame = false;
  FailureOr<SmallVector<OpFoldResult>> known =
      getResultSizes(builder, loc, source, result, isSame);
  if (failed(known))
    return emitError(loc)
           << "source and result must have equally many elements, got "
           << shapeToString(cast<RankedTensorType>(tensor.getType()).getShape())
           << " and " << shapeToString(result.getShape());
  sizes.assign(known->begin(), known->end());
  auto toShape = RankedTensorType::get(
      llvm::map_to_vector(sizes,
                          [](OpFoldResult size) {
                            return getConstantIntValue(size).value_or(
                                ShapedType::kDynamic);
                          }),
      result.getElementType());
  if (!isSame) {
    tensor = buildFlat(builder, loc, tensor,
                       toShape.hasStaticShape() ? toShape.getNumElements()
                                                : ShapedType::kDynamic);
    tensor = buildUnflat(builder, loc, tensor, toShape, sizes);
  }
  if (tensor.getType() != result)
    tensor = tensor::CastOp::create(builder, loc, result, tensor);
  return tensor;
}
