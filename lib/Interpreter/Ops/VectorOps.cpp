//===- VectorOps.cpp - What moves elements of vectors ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector is a tensor of its shape. Movement is by views where it can be, as
// values are never written again; elementwise ops, of arith and math as well as
// vector.fma, are those of scalars. Scalable vectors have no shape to run with.
//
//===----------------------------------------------------------------------===//

#include "VectorOps.h"
#include "Scalar/ScalarProgram.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace mlir::tensoraccess;

FailureOr<Tensor> mlir::tensoraccess::createVector(Operation *op, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (vector && vector.isScalable())
    return op->emitOpError("makes a vector of scalable size, which the "
                           "interpreter does not hold");
  return createTensorAt(op, getElementTypeOrSelf(type),
                        vector ? vector.getShape() : ArrayRef<int64_t>());
}

/// A vector whose elements are set one by one: `at` names an element of a
/// source for each index.
static FailureOr<RuntimeValues>
makeVector(Operation *op,
           function_ref<const void *(ArrayRef<int64_t> index)> at) {
  FailureOr<Tensor> result = createVector(op, op->getResult(0).getType());
  if (failed(result))
    return failure();
  const int64_t bytes = byteSize(result->getElementType());
  forEachIndex(result->getShape(), [&](ArrayRef<int64_t> index) {
    if (const void *element = at(index))
      std::memcpy(result->getElement(index), element, bytes);
  });
  return RuntimeValues{std::move(*result)};
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The last dimensions of the result are those of the source, or stretch 1.
static FailureOr<RuntimeValues> runBroadcast(vector::BroadcastOp op,
                                             const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  VectorType type = op.getResultVectorType();
  if (type.isScalable())
    return emitUnsupported(op);
  const int64_t added = type.getRank() - source.getRank();
  SmallVector<int64_t> strides(type.getRank(), 0);
  for (int64_t d = 0; d < source.getRank(); ++d)
    if (source.getDim(d) == type.getDimSize(added + d))
      strides[added + d] = source.getStrides()[d];
  return RuntimeValues{source.restride(type.getShape(), strides)};
}

static FailureOr<RuntimeValues> runShapeCast(vector::ShapeCastOp op,
                                             const Environment &env) {
  return resultAt(op, env.getTensor(op.getSource())
                          .reshape(op.getResultVectorType().getShape()));
}

static FailureOr<RuntimeValues> runTranspose(vector::TransposeOp op,
                                             const Environment &env) {
  return RuntimeValues{
      env.getTensor(op.getVector()).transpose(op.getPermutation())};
}

/// The bits of each row, the first element's lowest first, cut anew.
static FailureOr<RuntimeValues> runBitCast(vector::BitCastOp op,
                                           const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  FailureOr<Tensor> result = createVector(op, op.getType());
  if (failed(result))
    return failure();
  const unsigned from = op.getSourceVectorType().getElementTypeBitWidth(),
                 to = op.getResultVectorType().getElementTypeBitWidth();
  auto holdsSigned = [](const Tensor &tensor) {
    return !isFloat(tensor.getElementType()) &&
           tensor.getElementType() != ElementType::I1;
  };
  SmallVector<int64_t> rows(source.getShape());
  const int64_t inner = rows.empty() ? 1 : rows.back();
  if (!rows.empty())
    rows.back() = 1;
  forEachIndex(rows, [&](ArrayRef<int64_t> row) {
    APInt bits(std::max<int64_t>(inner * from, 1), 0);
    SmallVector<int64_t> at(row);
    auto moveTo = [&](int64_t i) {
      if (!at.empty())
        at.back() = i;
    };
    for (int64_t i = 0; i < inner; ++i) {
      moveTo(i);
      uint64_t element = 0;
      std::memcpy(&element, source.getElement(at),
                  byteSize(source.getElementType()));
      bits.insertBits(element, i * from, from);
    }
    for (int64_t i = 0; i < inner * from / to; ++i) {
      moveTo(i);
      uint64_t element = bits.extractBitsAsZExtValue(to, i * to);
      if (holdsSigned(*result))
        element = llvm::SignExtend64(element, to);
      std::memcpy(result->getElement(at), &element,
                  byteSize(result->getElementType()));
    }
  });
  return RuntimeValues{std::move(*result)};
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The part of a vector at a position of its first dimensions, each inside;
/// std::nullopt, with what to take instead, for one that is poison.
static FailureOr<std::optional<Tensor>>
selectPart(Operation *op, Tensor part, ArrayRef<OpFoldResult> position,
           const Environment &env) {
  for (auto [d, at] : llvm::enumerate(env.getInts(position))) {
    if (isa<Attribute>(position[d]) && at == -1)
      return std::optional<Tensor>();
    if (at < 0 || at >= part.getDim(0))
      return op->emitOpError("index ")
             << at << " of dimension " << d << " must lie in [0, "
             << part.getDim(0) << ")";
    part = part.select(0, at);
  }
  return std::optional(part);
}

static FailureOr<RuntimeValues> runExtract(vector::ExtractOp op,
                                           const Environment &env) {
  auto part =
      selectPart(op, env.getTensor(op.getSource()), op.getMixedPosition(), env);
  if (failed(part))
    return failure();
  if (*part)
    return RuntimeValues{std::move(**part)};
  FailureOr<Tensor> any = createVector(op, op.getType());
  if (failed(any))
    return failure();
  const ElementType type = any->getElementType();
  fillElements(
      *any, Tensor::scalarInt(type, chooseUndefined(op, 0, "has no position")));
  return RuntimeValues{std::move(*any)};
}

static FailureOr<RuntimeValues> runInsert(vector::InsertOp op,
                                          const Environment &env) {
  FailureOr<Tensor> result = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(result))
    return failure();
  auto part = selectPart(op, *result, op.getMixedPosition(), env);
  if (failed(part))
    return failure();
  if (*part)
    copyElements(env.getTensor(op.getValueToStore()), **part);
  return RuntimeValues{std::move(*result)};
}

/// A list of integers with as many zeros, or ones, before or after it as make
/// up a rank.
static SmallVector<int64_t> getNumbers(ArrayAttr attr, ArrayRef<int64_t> rest) {
  SmallVector<int64_t> numbers;
  for (auto number : attr.getAsRange<IntegerAttr>())
    numbers.push_back(number.getInt());
  llvm::append_range(numbers, rest.drop_front(numbers.size()));
  return numbers;
}

static FailureOr<RuntimeValues>
runExtractSlice(vector::ExtractStridedSliceOp op, const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  SmallVector<int64_t> zeros(source.getRank(), 0), ones(source.getRank(), 1);
  return RuntimeValues{
      source.slice(getNumbers(op.getOffsets(), zeros),
                   getNumbers(op.getSizes(), source.getShape()),
                   getNumbers(op.getStrides(), ones))};
}

static FailureOr<RuntimeValues> runInsertSlice(vector::InsertStridedSliceOp op,
                                               const Environment &env) {
  FailureOr<Tensor> result = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(result))
    return failure();
  const Tensor &source = env.getTensor(op.getValueToStore());
  const int64_t rank = result->getRank(), added = rank - source.getRank();
  SmallVector<int64_t> sizes(added, 1), steps(added, 1);
  llvm::append_range(sizes, source.getShape());
  llvm::append_range(steps, getNumbers(op.getStrides(),
                                       SmallVector<int64_t>(rank - added, 1)));
  Tensor place = result->slice(
      getNumbers(op.getOffsets(), SmallVector<int64_t>(rank, 0)), sizes, steps);
  for (int64_t d = 0; d < added; ++d)
    place = place.select(0, 0);
  copyElements(source, place);
  return RuntimeValues{std::move(*result)};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static FailureOr<RuntimeValues> runFromElements(vector::FromElementsOp op,
                                                const Environment &env) {
  size_t next = 0;
  return makeVector(op, [&](ArrayRef<int64_t>) {
    return env.getTensor(op.getElements()[next++]).getData();
  });
}

static FailureOr<RuntimeValues> runToElements(vector::ToElementsOp op,
                                              const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  RuntimeValues elements;
  forEachIndex(source.getShape(), [&](ArrayRef<int64_t> index) {
    Tensor element = source;
    for (int64_t i : index)
      element = element.select(0, i);
    elements.push_back(std::move(element));
  });
  return elements;
}

/// Rows of both sources, one after the other, picked by number; -1 is poison.
static FailureOr<RuntimeValues> runShuffle(vector::ShuffleOp op,
                                           const Environment &env) {
  const Tensor &first = env.getTensor(op.getV1()),
               &second = env.getTensor(op.getV2());
  const int64_t count = first.getRank() == 0 ? 1 : first.getDim(0);
  return makeVector(op, [&](ArrayRef<int64_t> index) -> const void * {
    int64_t row = op.getMask()[index[0]];
    if (row < 0)
      row = chooseUndefined(op, 0, "picks no row") == 0 ? 0 : count;
    const Tensor &source = row < count ? first : second;
    SmallVector<int64_t> at(index);
    at[0] = row < count ? row : row - count;
    at.truncate(source.getRank());
    return source.getElement(at);
  });
}

static FailureOr<RuntimeValues> runInterleave(vector::InterleaveOp op,
                                              const Environment &env) {
  const Tensor &even = env.getTensor(op.getLhs()),
               &odd = env.getTensor(op.getRhs());
  return makeVector(op, [&](ArrayRef<int64_t> index) -> const void * {
    SmallVector<int64_t> at(index);
    at.back() /= 2;
    at.truncate(even.getRank());
    return (index.back() % 2 == 0 ? even : odd).getElement(at);
  });
}

static FailureOr<RuntimeValues> runDeinterleave(vector::DeinterleaveOp op,
                                                const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  const int64_t last = source.getRank() - 1;
  SmallVector<int64_t> offsets(source.getRank(), 0), sizes(source.getShape()),
      steps(source.getRank(), 1);
  sizes[last] /= 2;
  steps[last] = 2;
  RuntimeValues results{source.slice(offsets, sizes, steps)};
  offsets[last] = 1;
  results.push_back(source.slice(offsets, sizes, steps));
  return results;
}

/// True below a limit in each dimension.
static FailureOr<RuntimeValues> makeMask(Operation *op,
                                         ArrayRef<int64_t> limits) {
  const Bit yes(true), no(false);
  return makeVector(op, [&](ArrayRef<int64_t> index) {
    // A mask without dimensions has one limit nevertheless.
    bool isInside = index.empty() ? limits[0] > 0 : true;
    for (auto [at, limit] : llvm::zip(index, limits))
      isInside &= at < limit;
    return isInside ? &yes : &no;
  });
}

static FailureOr<RuntimeValues> runCreateMask(vector::CreateMaskOp op,
                                              const Environment &env) {
  return makeMask(op, env.getInts(getAsOpFoldResult(op.getOperands())));
}

static FailureOr<RuntimeValues> runConstantMask(vector::ConstantMaskOp op,
                                                const Environment &) {
  return makeMask(op, op.getMaskDimSizes());
}

static FailureOr<RuntimeValues> runStep(vector::StepOp op,
                                        const Environment &) {
  FailureOr<Tensor> result = createVector(op, op.getType());
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < result->getDim(0); ++i)
    result->setInt({i}, i);
  return RuntimeValues{std::move(*result)};
}

void mlir::tensoraccess::addVectorEvaluators(OpEvaluators &all) {
  addEvaluator<vector::BitCastOp, runBitCast>(all);
  addEvaluator<vector::BroadcastOp, runBroadcast>(all);
  addEvaluator<vector::ConstantMaskOp, runConstantMask>(all);
  addEvaluator<vector::CreateMaskOp, runCreateMask>(all);
  addEvaluator<vector::DeinterleaveOp, runDeinterleave>(all);
  addEvaluator<vector::ExtractOp, runExtract>(all);
  addEvaluator<vector::ExtractStridedSliceOp, runExtractSlice>(all);
  addEvaluator<vector::FromElementsOp, runFromElements>(all);
  addEvaluator<vector::InsertOp, runInsert>(all);
  addEvaluator<vector::InsertStridedSliceOp, runInsertSlice>(all);
  addEvaluator<vector::InterleaveOp, runInterleave>(all);
  addEvaluator<vector::ShapeCastOp, runShapeCast>(all);
  addEvaluator<vector::ShuffleOp, runShuffle>(all);
  addEvaluator<vector::StepOp, runStep>(all);
  addEvaluator<vector::ToElementsOp, runToElements>(all);
  addEvaluator<vector::TransposeOp, runTranspose>(all);
  addVectorSumEvaluators(all);
  addVectorTransferEvaluators(all);
}
