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

#include "ScalarProgram.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

/// The sizes of a result type, with the dynamic ones filled in.
static SmallVector<int64_t> getSizes(RankedTensorType type,
                                     ValueRange dynamicSizes,
                                     const Environment &env) {
  SmallVector<int64_t> shape(type.getShape());
  auto next = dynamicSizes.begin();
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size))
      size = env.getInt(*next++);
  return shape;
}

static FailureOr<RuntimeValues> runEmpty(tensor::EmptyOp op,
                                         const Environment &env) {
  FailureOr<Tensor> result =
      createTensorAt(op, op.getType().getElementType(),
                     getSizes(op.getType(), op.getDynamicSizes(), env));
  if (failed(result))
    return failure();
  if (UndefinedValues *values = getUndefinedValues();
      values && values->takesOthers) {
    values->seen.try_emplace(op, "holds no values");
    fillElements(*result, Tensor::scalarInt(result->getElementType(), 1));
  }
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

static FailureOr<RuntimeValues> runPad(tensor::PadOp op,
                                       const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  SmallVector<int64_t> low = env.getInts(op.getMixedLowPad());
  SmallVector<int64_t> high = env.getInts(op.getMixedHighPad());
  SmallVector<int64_t> shape(source.getShape()), ones(shape.size(), 1);
  for (size_t d = 0; d < shape.size(); ++d)
    if (low[d] < 0 || high[d] < 0 ||
        llvm::AddOverflow(shape[d], low[d], shape[d]) ||
        llvm::AddOverflow(shape[d], high[d], shape[d]))
      return op.emitOpError("padding of dimension ")
             << d << " must not be negative or overflow, got " << low[d]
             << " and " << high[d];
  FailureOr<Tensor> result =
      createTensorAt(op, op.getType().getElementType(), shape);
  if (failed(result) ||
      failed(fillByBlock(op.getRegion().front(), *result, env)))
    return failure();
  Tensor inside = result->slice(low, source.getShape(), ones);
  copyElements(source, inside);
  return RuntimeValues{std::move(*result)};
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static FailureOr<RuntimeValues> runCollapse(tensor::CollapseShapeOp op,
                                            const Environment &env) {
  const Tensor &source = env.getTensor(op.getSrc());
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1; // a divisor of the element count, unless that is 0
    for (int64_t d : group)
      if (llvm::MulOverflow(size, source.getDim(d), size))
        return op.emitOpError("overflows in dimension ") << shape.size();
    shape.push_back(size);
  }
  return resultAt(op, source.reshape(shape));
}

static FailureOr<RuntimeValues> runExpand(tensor::ExpandShapeOp op,
                                          const Environment &env) {
  const Tensor &source = env.getTensor(op.getSrc());
  SmallVector<int64_t> shape = env.getInts(op.getMixedOutputShape());
  FailureOr<Tensor> result = reportAt(op.getOperation(), source.reshape(shape));
  if (failed(result))
    return failure();
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<int64_t> parts;
    for (int64_t i : group)
      parts.push_back(shape[i]);
    if (elementCount(parts) != source.getDim(d))
      return op.emitOpError("dimension ")
             << d << " must expand to as many elements, got "
             << source.getDim(d) << " and " << shapeToString(parts);
  }
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runReshape(tensor::ReshapeOp op,
                                           const Environment &env) {
  const Tensor &wanted = env.getTensor(op.getShape());
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < wanted.getDim(0); ++i)
    shape.push_back(wanted.getInt({i}));
  return resultAt(op, env.getTensor(op.getSource()).reshape(shape));
}

static FailureOr<RuntimeValues> runDim(tensor::DimOp op,
                                       const Environment &env) {
  const Tensor &source = env.getTensor(op.getSource());
  int64_t d = env.getInt(op.getIndex());
  if (d < 0 || d >= source.getRank())
    return op.emitOpError("dimension must lie in [0, ")
           << source.getRank() << "), got " << d;
  return RuntimeValues{Tensor::scalarInt(ElementType::I64, source.getDim(d))};
}

//===----------------------------------------------------------------------===//
// Elements and slices
//===----------------------------------------------------------------------===//

/// The values of indices, each checked to lie inside.
static FailureOr<SmallVector<int64_t>> getIndex(Operation *op,
                                                ValueRange indices,
                                                const Tensor &tensor,
                                                const Environment &env) {
  SmallVector<int64_t> result;
  for (auto [d, value] : llvm::enumerate(indices)) {
    result.push_back(env.getInt(value));
    if (result.back() < 0 || result.back() >= tensor.getDim(d))
      return op->emitOpError("index ")
             << result.back() << " of dimension " << d << " must lie in [0, "
             << tensor.getDim(d) << ")";
  }
  return result;
}

static FailureOr<RuntimeValues> runExtract(tensor::ExtractOp op,
                                           const Environment &env) {
  const Tensor &source = env.getTensor(op.getTensor());
  auto index = getIndex(op, op.getIndices(), source, env);
  if (failed(index))
    return failure();
  SmallVector<int64_t> ones(index->size(), 1);
  return RuntimeValues{source.slice(*index, ones, ones).restride({}, {})};
}

static FailureOr<RuntimeValues> runInsert(tensor::InsertOp op,
                                          const Environment &env) {
  auto index = getIndex(op, op.getIndices(), env.getTensor(op.getDest()), env);
  if (failed(index))
    return failure();
  FailureOr<Tensor> result = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(result))
    return failure();
  SmallVector<int64_t> ones(index->size(), 1);
  Tensor place = result->slice(*index, ones, ones).restride({}, {});
  copyElements(env.getTensor(op.getScalar()), place);
  return RuntimeValues{std::move(*result)};
}

/// The part of a tensor that a slice op names, without the dimensions that the
/// smaller type drops; each element checked to lie inside.
template <typename SliceOp>
static FailureOr<Tensor> getSlice(SliceOp op, const Tensor &tensor,
                                  const Environment &env) {
  SmallVector<int64_t> offsets = env.getInts(op.getMixedOffsets());
  SmallVector<int64_t> sizes = env.getInts(op.getMixedSizes());
  SmallVector<int64_t> strides = env.getInts(op.getMixedStrides());
  for (int64_t d = 0; d < tensor.getRank(); ++d) {
    if (sizes[d] < 0)
      return op.emitOpError("size of dimension ")
             << d << " must not be negative, got " << sizes[d];
    if (sizes[d] == 0)
      continue;
    __int128 first = offsets[d];
    __int128 last = first + __int128(sizes[d] - 1) * strides[d];
    for (__int128 end : {first, last})
      if (end < 0 || end >= tensor.getDim(d))
        return op.emitOpError("index ")
               << int64_t(end) << " of dimension " << d << " must lie in [0, "
               << tensor.getDim(d) << ")";
  }
  Tensor slice = tensor.slice(offsets, sizes, strides);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (int64_t d = tensor.getRank(); d-- > 0;)
    if (dropped[d]) {
      if (slice.getDim(d) != 1)
        return op.emitOpError("dropped dimension ")
               << d << " must have size 1, got " << slice.getDim(d);
      slice = slice.select(d, 0);
    }
  return slice;
}

static FailureOr<RuntimeValues> runExtractSlice(tensor::ExtractSliceOp op,
                                                const Environment &env) {
  FailureOr<Tensor> slice = getSlice(op, env.getTensor(op.getSource()), env);
  if (failed(slice))
    return failure();
  return RuntimeValues{std::move(*slice)};
}

static FailureOr<RuntimeValues> runInsertSlice(tensor::InsertSliceOp op,
                                               const Environment &env) {
  FailureOr<Tensor> result = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(result))
    return failure();
  FailureOr<Tensor> place = getSlice(op, *result, env);
  if (failed(place))
    return failure();
  const Tensor &source = env.getTensor(op.getSource());
  if (source.getShape() != place->getShape())
    return op.emitOpError("source must have the slice's shape ")
           << shapeToString(place->getShape()) << ", got "
           << shapeToString(source.getShape());
  copyElements(source, *place);
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

FailureOr<RuntimeValues>
mlir::tensoraccess::runTensorOp(Operation *op, const Environment &env) {
  using Result = FailureOr<RuntimeValues>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](tensor::EmptyOp op) { return runEmpty(op, env); })
      .Case([&](tensor::SplatOp op) { return runSplat(op, env); })
      .Case([&](tensor::FromElementsOp op) { return runFromElements(op, env); })
      .Case([&](tensor::GenerateOp op) { return runGenerate(op, env); })
      .Case([&](tensor::PadOp op) { return runPad(op, env); })
      .Case([&](tensor::CollapseShapeOp op) { return runCollapse(op, env); })
      .Case([&](tensor::ExpandShapeOp op) { return runExpand(op, env); })
      .Case([&](tensor::ReshapeOp op) { return runReshape(op, env); })
      .Case([&](tensor::CastOp op) -> Result {
        return RuntimeValues{env.getTensor(op.getSource())};
      })
      .Case([&](tensor::DimOp op) { return runDim(op, env); })
      .Case([&](tensor::RankOp op) -> Result {
        int64_t rank = env.getTensor(op.getTensor()).getRank();
        return RuntimeValues{Tensor::scalarInt(ElementType::I64, rank)};
      })
      .Case([&](tensor::ExtractOp op) { return runExtract(op, env); })
      .Case([&](tensor::InsertOp op) { return runInsert(op, env); })
      .Case([&](tensor::ExtractSliceOp op) { return runExtractSlice(op, env); })
      .Case([&](tensor::InsertSliceOp op) { return runInsertSlice(op, env); })
      .Case([&](tensor::ConcatOp op) { return runConcat(op, env); })
      .Default([](Operation *unknown) -> Result {
        return emitUnsupported(unknown);
      });
}
