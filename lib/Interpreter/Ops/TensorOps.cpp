//===- TensorOps.cpp - The ops of the tensor dialect ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement is by views where it can be, as values are never written again.
// Every index is checked against the actual shapes. The sizes of a result with
// a dynamic type come from the op's operands.
//
//===----------------------------------------------------------------------===//

#include "TensorOps.h"
#include "Scalar/ScalarProgram.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

static FailureOr<RuntimeValues> runEmpty(tensor::EmptyOp op,
                                         const Environment &env) {
  FailureOr<Tensor> result =
      createUnsetAt(op, op.getType().getElementType(),
                    getSizes(op.getType(), op.getDynamicSizes(), env));
  if (failed(result))
    return failure();
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runSplat(tensor::SplatOp op,
                                         const Environment &env) {
  SmallVector<int64_t> shape =
      getSizes(op.getType(), op.getDynamicSizes(), env);
  if (!elementCount(shape) ||
      llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return op.emitOpError("makes no tensor of shape ") << shapeToString(shape);
  return RuntimeValues{
      env.getTensor(op.getInput())
          .restride(shape, SmallVector<int64_t>(shape.size(), 0))};
}

static FailureOr<RuntimeValues> runFromElements(tensor::FromElementsOp op,
                                                const Environment &env) {
  FailureOr<Tensor> result = createTensorAt(op, op.getType().getElementType(),
                                            op.getType().getShape());
  if (failed(result))
    return failure();
  Tensor flat =
      result->restride({static_cast<int64_t>(op.getElements().size())}, {1});
  for (auto [i, element] : llvm::enumerate(op.getElements())) {
    Tensor place = flat.select(0, i);
    copyElements(env.getTensor(element), place);
  }
  return RuntimeValues{std::move(*result)};
}

/// Sets each element to what the block yields for its index.
static LogicalResult fillByBlock(Block &block, Tensor &result,
                                 const Environment &env) {
  FailureOr<ScalarProgram> program = ScalarProgram::compile(block, 0, env);
  if (failed(program))
    return failure();
  int64_t count = result.getNumElements();
  if (count == 0)
    return success();
  SmallVector<ScalarRegister> registers = program->createRegisters();
  ScalarContext context{registers.data(), &*program, {}};
  StoreFn store = getStore(result.getElementType());
  uint32_t output = program->getOutputs()[0];
  if (!program->usesArguments()) {
    if (failed(program->run(context)))
      return failure();
    Tensor scalar = Tensor::scalar(result.getElementType(), 0);
    store(scalar.getData(), registers[output]);
    fillElements(result, scalar);
    return success();
  }
  SmallVector<int64_t> index(result.getRank(), 0);
  for (int64_t n = 0; n < count; ++n) {
    for (auto [d, i] : llvm::enumerate(index))
      registers[d].i = i;
    if (failed(program->run(context)))
      return failure();
    store(result.getElement(index), registers[output]);
    nextIndex(index, result.getShape());
  }
  return success();
}

static FailureOr<RuntimeValues> runGenerate(tensor::GenerateOp op,
                                            const Environment &env) {
  FailureOr<Tensor> result =
      createTensorAt(op, op.getType().getElementType(),
                     getSizes(op.getType(), op.getDynamicExtents(), env));
  if (failed(result) || failed(fillByBlock(op.getBody().front(), *result, env)))
    return failure();
  return RuntimeValues{std::move(*result)};
}

/// Element i of the source is element i + low of the result, if there is one:
/// a negative border leaves elements out.
static FailureOr<RuntimeValues> runPad(tensor::PadOp op,
                                       const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  SmallVector<int64_t> low = env.getInts(op.getMixedLowPad());
  SmallVector<int64_t> high = env.getInts(op.getMixedHighPad());
  SmallVector<int64_t> shape, from, to, kept;
  for (auto [d, size] : llvm::enumerate(source.getShape())) {
    const __int128 padded = __int128(size) + low[d] + high[d];
    if (padded < 0 || padded > INT64_MAX)
      return op.emitOpError("padding of dimension ")
             << d << " must leave a size of 0 to 2^63 - 1, got " << size
             << " with " << low[d] << " and " << high[d];
    shape.push_back(int64_t(padded));
    const __int128 first = std::max<__int128>(low[d], 0),
                   end = std::min<__int128>(padded, __int128(size) + low[d]);
    to.push_back(int64_t(std::min(first, padded)));
    from.push_back(int64_t(std::min<__int128>(first - low[d], size)));
    kept.push_back(int64_t(std::max<__int128>(end - first, 0)));
  }
  FailureOr<Tensor> result =
      createTensorAt(op, op.getType().getElementType(), shape);
  if (failed(result) ||
      failed(fillByBlock(op.getRegion().front(), *result, env)))
    return failure();
  SmallVector<int64_t> ones(shape.size(), 1);
  Tensor inside = result->slice(to, kept, ones);
  copyElements(source.slice(from, kept, ones), inside);
  return RuntimeValues{std::move(*result)};
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The same memory with elements of another type of as many bits.
static FailureOr<RuntimeValues> runBitcast(tensor::BitcastOp op,
                                           const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  auto type = getHeldTypeOf(getElementTypeOrSelf(op.getType()));
  if (!type)
    return emitUnsupported(op);
  return RuntimeValues{
      Tensor::wrap(*type, source.getShape(), source.getStrides(),
                   const_cast<void *>(source.getData()), source.getOwner())};
}

static FailureOr<RuntimeValues> runReshape(tensor::ReshapeOp op,
                                           const Environment &env) {
  const Tensor &wanted = env.getTensor(op.getShape());
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < wanted.getDim(0); ++i)
    shape.push_back(wanted.getInt({i}));
  return resultAt(op, env.getTensor(op.getSource()).reshape(shape));
}

static FailureOr<RuntimeValues> runCast(tensor::CastOp op,
                                        const Environment &env) {
  return RuntimeValues{env.getTensor(op.getSource())};
}

//===----------------------------------------------------------------------===//
// Elements and slices
//===----------------------------------------------------------------------===//

LogicalResult mlir::tensoraccess::checkIndex(Operation *op,
                                             ArrayRef<int64_t> index,
                                             const Tensor &tensor) {
  for (auto [d, i] : llvm::enumerate(index))
    if (i < 0 || i >= tensor.getDim(d))
      return op->emitOpError("index ")
             << i << " of dimension " << d << " must lie in [0, "
             << tensor.getDim(d) << ")";
  return success();
}

FailureOr<SmallVector<int64_t>>
mlir::tensoraccess::getIndex(Operation *op, ValueRange indices,
                             const Tensor &tensor, const Environment &env) {
  SmallVector<int64_t> result;
  for (Value value : indices)
    result.push_back(env.getInt(value));
  if (failed(checkIndex(op, result, tensor)))
    return failure();
  return result;
}

Tensor mlir::tensoraccess::getPlace(const Tensor &tensor,
                                    ArrayRef<int64_t> index) {
  SmallVector<int64_t> ones(index.size(), 1);
  return tensor.slice(index, ones, ones).restride({}, {});
}

static FailureOr<RuntimeValues> runExtract(tensor::ExtractOp op,
                                           const Environment &env) {
  const Tensor &source = env.getTensor(op.getTensor());
  auto index = getIndex(op, op.getIndices(), source, env);
  if (failed(index))
    return failure();
  return RuntimeValues{getPlace(source, *index)};
}

static FailureOr<RuntimeValues> runInsert(tensor::InsertOp op,
                                          const Environment &env) {
  auto index = getIndex(op, op.getIndices(), env.getTensor(op.getDest()), env);
  if (failed(index))
    return failure();
  FailureOr<Tensor> result = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(result))
    return failure();
  Tensor place = getPlace(*result, *index);
  copyElements(env.getTensor(op.getScalar()), place);
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runExtractSlice(tensor::ExtractSliceOp op,
                                                const Environment &env) {
  FailureOr<Tensor> slice =
      getSlice(op, op.getType(), env.getTensor(op.getSource()), env);
  if (failed(slice))
    return failure();
  return RuntimeValues{std::move(*slice)};
}

/// Copies the source of an insertion to its slice of a tensor.
template <typename SliceOp>
static LogicalResult insertInto(SliceOp op, Tensor &dest,
                                const Environment &env) {
  FailureOr<Tensor> place = getSlice(op, op.getSourceType(), dest, env);
  if (failed(place))
    return failure();
  const Tensor &source = env.getTensor(op.getSource());
  if (source.getShape() != place->getShape())
    return op.emitOpError("source must have the slice's shape ")
           << shapeToString(place->getShape()) << ", got "
           << shapeToString(source.getShape());
  copyElements(source, *place);
  return success();
}

LogicalResult
mlir::tensoraccess::insertSliceInto(tensor::ParallelInsertSliceOp op,
                                    Tensor &dest, const Environment &env) {
  return insertInto(op, dest, env);
}

static FailureOr<RuntimeValues> runInsertSlice(tensor::InsertSliceOp op,
                                               const Environment &env) {
  FailureOr<Tensor> result = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(result) || failed(insertInto(op, *result, env)))
    return failure();
  return RuntimeValues{std::move(*result)};
}

namespace {
/// The places that tensor.gather and tensor.scatter name: a slice of `sizes`
/// (ones in the named dimensions) for each row of the indices.
struct IndexedSlices {
  const Tensor &indices;
  ArrayRef<int64_t> dims;
  SmallVector<int64_t> sizes;
  /// The rows' dimensions.
  SmallVector<int64_t> batch;

  IndexedSlices(const Tensor &indices, ArrayRef<int64_t> dims,
                const Tensor &tensor)
      : indices(indices), dims(dims), sizes(tensor.getShape()),
        batch(indices.getShape().drop_back()) {
    for (int64_t d : dims)
      sizes[d] = 1;
  }

  /// The slice of a row, checked to lie inside.
  FailureOr<Tensor> get(Operation *op, const Tensor &tensor,
                        ArrayRef<int64_t> row) const {
    SmallVector<int64_t> offsets(sizes.size(), 0), at(row);
    at.push_back(0);
    for (auto [k, d] : llvm::enumerate(dims)) {
      at.back() = k;
      offsets[d] = indices.getInt(at);
      if (offsets[d] < 0 || offsets[d] >= tensor.getDim(d))
        return op->emitOpError("index ")
               << offsets[d] << " of dimension " << d << " must lie in [0, "
               << tensor.getDim(d) << ")";
    }
    return tensor.slice(offsets, sizes, SmallVector<int64_t>(sizes.size(), 1));
  }
  /// The same row of what was gathered, or is scattered: the slice, perhaps
  /// without the named dimensions.
  Tensor getRow(const Tensor &rows, ArrayRef<int64_t> row) const {
    Tensor result = rows;
    for (int64_t i : row)
      result = result.select(0, i);
    SmallVector<int64_t> strides;
    const bool isReduced = result.getRank() != int64_t(sizes.size());
    size_t next = 0;
    for (size_t d = 0; d < sizes.size(); ++d)
      strides.push_back(isReduced && llvm::is_contained(dims, int64_t(d))
                            ? 0
                            : result.getStrides()[next++]);
    return result.restride(sizes, strides);
  }
};
} // namespace

static FailureOr<RuntimeValues> runGather(tensor::GatherOp op,
                                          const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  IndexedSlices slices(env.getTensor(op.getIndices()), op.getGatherDims(),
                       source);
  SmallVector<int64_t> shape(slices.batch);
  const bool isReduced = op.getResultType().getRank() !=
                         int64_t(shape.size() + slices.sizes.size());
  for (auto [d, size] : llvm::enumerate(slices.sizes))
    if (!isReduced || !llvm::is_contained(slices.dims, int64_t(d)))
      shape.push_back(size);
  FailureOr<Tensor> result =
      createTensorAt(op, op.getResultType().getElementType(), shape);
  if (failed(result))
    return failure();
  bool isRun = forEachIndex(slices.batch, [&](ArrayRef<int64_t> row) {
    FailureOr<Tensor> slice = slices.get(op, source, row);
    if (failed(slice))
      return false;
    Tensor place = slices.getRow(*result, row);
    copyElements(*slice, place);
    return true;
  });
  if (!isRun)
    return failure();
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runScatter(tensor::ScatterOp op,
                                           const Environment &env) {
  FailureOr<Tensor> result = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(result))
    return failure();
  IndexedSlices slices(env.getTensor(op.getIndices()), op.getScatterDims(),
                       *result);
  bool isRun = forEachIndex(slices.batch, [&](ArrayRef<int64_t> row) {
    FailureOr<Tensor> slice = slices.get(op, *result, row);
    if (failed(slice))
      return false;
    copyElements(slices.getRow(env.getTensor(op.getSource()), row), *slice);
    return true;
  });
  if (!isRun)
    return failure();
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runConcat(tensor::ConcatOp op,
                                          const Environment &env) {
  int64_t axis = op.getDim();
  SmallVector<int64_t> shape(env.getTensor(op.getInputs()[0]).getShape());
  shape[axis] = 0;
  for (Value input : op.getInputs()) {
    const Tensor &tensor = env.getTensor(input);
    if (llvm::AddOverflow(shape[axis], tensor.getDim(axis), shape[axis]))
      return op.emitOpError("overflows in dimension ") << axis;
    for (int64_t d = 0; d < tensor.getRank(); ++d)
      if (d != axis && tensor.getDim(d) != shape[d])
        return op.emitOpError("dimension ")
               << d << " of all inputs must be equal, got " << shape[d]
               << " and " << tensor.getDim(d);
  }
  FailureOr<Tensor> result = createTensorAt(
      op, cast<ShapedType>(op.getType()).getElementType(), shape);
  if (failed(result))
    return failure();
  SmallVector<int64_t> offsets(shape.size(), 0), ones(shape.size(), 1);
  for (Value input : op.getInputs()) {
    const Tensor &tensor = env.getTensor(input);
    Tensor place = result->slice(offsets, tensor.getShape(), ones);
    copyElements(tensor, place);
    offsets[axis] += tensor.getDim(axis);
  }
  return RuntimeValues{std::move(*result)};
}

void mlir::tensoraccess::addTensorEvaluators(OpEvaluators &all) {
  addEvaluator<tensor::BitcastOp, runBitcast>(all);
  addEvaluator<tensor::CastOp, runCast>(all);
  addEvaluator<tensor::CollapseShapeOp, runCollapse<tensor::CollapseShapeOp>>(
      all);
  addEvaluator<tensor::ConcatOp, runConcat>(all);
  addEvaluator<tensor::DimOp, runDim>(all);
  addEvaluator<tensor::EmptyOp, runEmpty>(all);
  addEvaluator<tensor::ExpandShapeOp, runExpand<tensor::ExpandShapeOp>>(all);
  addEvaluator<tensor::ExtractOp, runExtract>(all);
  addEvaluator<tensor::ExtractSliceOp, runExtractSlice>(all);
  addEvaluator<tensor::FromElementsOp, runFromElements>(all);
  addEvaluator<tensor::GatherOp, runGather>(all);
  addEvaluator<tensor::GenerateOp, runGenerate>(all);
  addEvaluator<tensor::InsertOp, runInsert>(all);
  addEvaluator<tensor::InsertSliceOp, runInsertSlice>(all);
  addEvaluator<tensor::PadOp, runPad>(all);
  addEvaluator<tensor::RankOp, runRank>(all);
  addEvaluator<tensor::ReshapeOp, runReshape>(all);
  addEvaluator<tensor::ScatterOp, runScatter>(all);
  addEvaluator<tensor::SplatOp, runSplat>(all);
}
