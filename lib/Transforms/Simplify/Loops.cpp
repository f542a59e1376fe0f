//===- Loops.cpp - Loops over tensors as linalg.generic -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

linalg::GenericOp tensoraccess::createGeneric(
    OpBuilder &b, Location loc, ValueRange inputs, ValueRange outputs,
    ArrayRef<AffineMap> maps,
    function_ref<void(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<utils::IteratorType> iterators(maps.back().getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : maps.back().getResults())
    iterators[cast<AffineDimExpr>(expr).getPosition()] =
        utils::IteratorType::parallel;
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return linalg::GenericOp::create(
      b, loc, llvm::filter_to_vector(outputs.getTypes(), isTensor), inputs,
      outputs, maps, iterators, body);
}

bool tensoraccess::addUnsizedLoops(
    OpBuilder &b, Location loc, SmallVectorImpl<Value> &inputs,
    SmallVectorImpl<AffineMap> &maps, Type elementType,
    function_ref<OpFoldResult(unsigned)> getRange) {
  const unsigned numLoops = maps.back().getNumDims();
  llvm::SmallBitVector unsized(numLoops, true);
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        unsized.reset(loop.getPosition());
  SmallVector<OpFoldResult> shape;
  SmallVector<AffineExpr> loops;
  for (unsigned loop : unsized.set_bits()) {
    shape.push_back(getRange(loop));
    if (!shape.back())
      return false;
    loops.push_back(b.getAffineDimExpr(loop));
  }
  if (shape.empty())
    return true;
  maps.insert(maps.begin() + inputs.size(),
              AffineMap::get(numLoops, 0, loops, b.getContext()));
  inputs.push_back(tensor::EmptyOp::create(b, loc, shape, elementType));
  return true;
}

Value tensoraccess::mapInto(
    OpBuilder &b, Location loc, ValueRange inputs, Value output,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  const SmallVector<AffineMap> maps(
      inputs.size() + 1,
      b.getMultiDimIdentityMap(cast<ShapedType>(output.getType()).getRank()));
  linalg::GenericOp loops =
      createGeneric(b, loc, inputs, output, maps,
                    [&](OpBuilder &inner, Location loc, ValueRange args) {
                      ImplicitLocOpBuilder b(loc, inner);
                      linalg::YieldOp::create(b, body(b, args));
                    });
  return loops.getNumResults() ? loops.getResult(0) : Value();
}

Value tensoraccess::mapElements(
    OpBuilder &b, Location loc, ValueRange inputs, RankedTensorType type,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, inputs[0]), type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(b, loc, type, empty);
  return mapInto(b, loc, inputs, empty, body);
}

Value tensoraccess::mapPlaces(
    OpBuilder &b, Location loc, Value output,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  const int64_t rank = cast<ShapedType>(output.getType()).getRank();
  return mapInto(b, loc, {}, output, [&](ImplicitLocOpBuilder &b, ValueRange) {
    SmallVector<Value> place;
    for (int64_t dim = 0; dim < rank; ++dim)
      place.push_back(linalg::IndexOp::create(b, dim));
    return body(b, place);
  });
}
