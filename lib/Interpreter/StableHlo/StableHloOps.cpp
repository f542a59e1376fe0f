//===- StableHloOps.cpp - Movement ops of StableHLO -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of all evaluators, elementwise ops, and what makes or moves
// elements. Views are taken where a result is one.
//
//===----------------------------------------------------------------------===//

#include "StableHloOps.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// What StableHloOps.h declares
//===----------------------------------------------------------------------===//

LogicalResult mlir::tensoraccess::emitMalformed(Operation *op, StringRef why) {
  return op->emitError("the interpreter cannot run '")
         << getOriginalName(op) << "': " << why;
}

FailureOr<Tensor> mlir::tensoraccess::createHloResult(Operation *op,
                                                      unsigned i) {
  auto type = i < op->getNumResults()
                  ? dyn_cast<RankedTensorType>(op->getResult(i).getType())
                  : RankedTensorType();
  if (!type || !type.hasStaticShape())
    return emitMalformed(op, "its result must be a tensor of static shape");
  return createTensorAt(op, type.getElementType(), type.getShape());
}

void mlir::tensoraccess::spreadElements(const Tensor &from,
                                        ArrayRef<int64_t> low,
                                        ArrayRef<int64_t> step, Tensor &to) {
  HloIndex target(from.getRank());
  forEachIndex(from.getShape(), [&](const HloIndex &x) {
    for (size_t d = 0; d < x.size(); ++d) {
      target[d] = low[d] + step[d] * x[d];
      if (target[d] < 0 || target[d] >= to.getDim(d))
        return;
    }
    copyElement(from, x, to, target);
  });
}

FailureOr<HloBody> HloBody::compile(Operation *op, unsigned i,
                                    ArrayRef<Type> types, unsigned numResults,
                                    const Environment &env) {
  std::string why;
  Block *block = getHloBody(op, i, types, numResults, why);
  if (!block)
    return emitMalformed(op, why);
  FailureOr<ScalarProgram> program = ScalarProgram::compile(*block, 0, env);
  if (failed(program))
    return failure();
  HloBody body(std::move(*program));
  body.registers = body.program.createRegisters();
  return body;
}

FailureOr<ArrayRef<ScalarRegister>>
HloBody::run(ArrayRef<ScalarRegister> arguments) {
  llvm::copy(arguments, registers.begin());
  ScalarContext context{registers.data(), &program, {}};
  if (failed(program.run(context)))
    return failure();
  results.clear();
  for (uint32_t output : program.getOutputs())
    results.push_back(registers[output]);
  return ArrayRef<ScalarRegister>(results);
}

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

static FailureOr<RuntimeValues> runConstant(Operation *op,
                                            const Environment &) {
  if (!op->getAttr("value") || op->getNumResults() != 1)
    return emitMalformed(op, "it must have a value");
  return resultAt(op, tensorFromAttribute(op->getAttr("value")));
}

/// result[x] = x[iota_dimension]
static FailureOr<RuntimeValues> runIota(Operation *op, const Environment &) {
  std::string why;
  HloReader reader(op, why);
  auto dim = reader.integer("iota_dimension", -1);
  if (!reader.hasTensors(0, 1) || !dim || *dim < 0 ||
      *dim >= int64_t(reader.out().size()))
    return emitMalformed(op, "it must count along a dimension");
  FailureOr<Tensor> result = createHloResult(op);
  if (failed(result))
    return failure();
  bool isReal = isFloat(result->getElementType());
  forEachIndex(result->getShape(), [&](ArrayRef<int64_t> x) {
    if (isReal)
      result->setDouble(x, double(x[*dim]));
    else
      result->setInt(x, x[*dim]);
  });
  return RuntimeValues{std::move(*result)};
}

/// result[x] = operand[x at dims, 0 where the operand has size 1]
static FailureOr<RuntimeValues> runBroadcast(Operation *op,
                                             const Environment &env) {
  auto dims = readHlo(op, readHloBroadcast);
  if (failed(dims))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape())
    return emitMalformed(op, "its result must be static");
  const Tensor &operand = env.getTensor(op->getOperand(0));
  SmallVector<int64_t> strides(type.getRank(), 0);
  for (auto [i, place] : llvm::enumerate(*dims))
    if (operand.getDim(i) != 1)
      strides[place] = operand.getStrides()[i];
  return RuntimeValues{operand.restride(type.getShape(), strides)};
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

static FailureOr<RuntimeValues> runReshape(Operation *op,
                                           const Environment &env) {
  std::string why;
  HloReader reader(op, why);
  if (!reader.hasTensors(1, 1))
    return emitMalformed(op, why);
  if (!reader.resultType().hasStaticShape())
    return emitMalformed(op, "its result must be static");
  return resultAt(op, env.getTensor(op->getOperand(0)).reshape(reader.out()));
}

/// result[x] = operand[y] with x(i) = y(permutation[i])
static FailureOr<RuntimeValues> runTranspose(Operation *op,
                                             const Environment &env) {
  auto perm = readHlo(op, readHloTranspose);
  if (failed(perm))
    return failure();
  return RuntimeValues{env.getTensor(op->getOperand(0)).transpose(*perm)};
}

/// result[x] = operand[n - 1 - x] in the reversed dimensions.
static FailureOr<RuntimeValues> runReverse(Operation *op,
                                           const Environment &env) {
  auto dims = readHlo(op, readHloReverse);
  if (failed(dims))
    return failure();
  const Tensor &operand = env.getTensor(op->getOperand(0));
  if (operand.getNumElements() == 0)
    return RuntimeValues{operand};
  SmallVector<int64_t> offsets(operand.getRank(), 0),
      steps(operand.getRank(), 1);
  for (int64_t dim : *dims) {
    offsets[dim] = operand.getDim(dim) - 1;
    steps[dim] = -1;
  }
  return RuntimeValues{operand.slice(offsets, operand.getShape(), steps)};
}

/// result[x] = operand[start + stride * x]
static FailureOr<RuntimeValues> runSlice(Operation *op,
                                         const Environment &env) {
  auto slice = readHlo(op, HloSlice::read);
  if (failed(slice))
    return failure();
  const Tensor &operand = env.getTensor(op->getOperand(0));
  SmallVector<int64_t> sizes;
  for (auto [i, start] : llvm::enumerate(slice->starts)) {
    if (slice->limits[i] > operand.getDim(i))
      return emitMalformed(op, "it slices outside of its operand");
    sizes.push_back((slice->limits[i] - start + slice->strides[i] - 1) /
                    slice->strides[i]);
  }
  if (llvm::is_contained(sizes, 0)) {
    FailureOr<Tensor> nothing = createTensorAt(
        op, getElementTypeOrSelf(op->getResult(0).getType()), sizes);
    if (failed(nothing))
      return failure();
    return RuntimeValues{std::move(*nothing)};
  }
  return RuntimeValues{operand.slice(slice->starts, sizes, slice->strides)};
}

/// result[low + (interior + 1) * x] = operand[x], else the scalar.
static FailureOr<RuntimeValues> runPad(Operation *op, const Environment &env) {
  auto pad = readHlo(op, HloPad::read);
  if (failed(pad))
    return failure();
  FailureOr<Tensor> result = createHloResult(op);
  if (failed(result))
    return failure();
  const Tensor &operand = env.getTensor(op->getOperand(0));
  fillElements(*result, env.getTensor(op->getOperand(1)));
  HloIndex step;
  for (int64_t interior : pad->interior)
    step.push_back(interior + 1);
  spreadElements(operand, pad->low, step, *result);
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runConcatenate(Operation *op,
                                               const Environment &env) {
  auto axis = readHlo(op, readHloConcatenate);
  if (failed(axis))
    return failure();
  FailureOr<Tensor> result = createHloResult(op);
  if (failed(result))
    return failure();
  int64_t offset = 0;
  for (Value value : op->getOperands()) {
    const Tensor &operand = env.getTensor(value);
    forEachIndex(operand.getShape(), [&](ArrayRef<int64_t> x) {
      HloIndex target(x);
      target[*axis] += offset;
      copyElement(operand, x, *result, target);
    });
    offset += operand.getDim(*axis);
  }
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runGetDimensionSize(Operation *op,
                                                    const Environment &env) {
  std::string why;
  HloReader reader(op, why);
  auto dim = reader.integer("dimension", -1);
  if (!reader.hasTensors(1, 1) || !dim || *dim < 0 ||
      *dim >= int64_t(reader.in(0).size()))
    return emitMalformed(op, "it must ask for the size of a dimension");
  FailureOr<Tensor> result = createHloResult(op);
  if (failed(result))
    return failure();
  if (result->getRank() != 0)
    return emitMalformed(op, "its result must be a scalar");
  result->setInt({}, env.getTensor(op->getOperand(0)).getDim(*dim));
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runBarrier(Operation *op,
                                           const Environment &env) {
  RuntimeValues values;
  for (Value operand : op->getOperands())
    values.push_back(env.get(operand));
  if (values.size() != op->getNumResults())
    return emitMalformed(op, "it must have a result for each operand");
  return values;
}

/// map: the body on each element.
static FailureOr<RuntimeValues> runMap(Operation *op, const Environment &env) {
  SmallVector<Type> types;
  for (Type type : op->getOperandTypes())
    types.push_back(getElementTypeOrSelf(type));
  FailureOr<HloBody> body = HloBody::compile(op, 0, types, 1, env);
  FailureOr<Tensor> result = createHloResult(op);
  if (failed(body) || failed(result))
    return failure();
  for (Value operand : op->getOperands())
    if (env.getTensor(operand).getShape() != result->getShape())
      return emitMalformed(op, "its operands must have the result's shape");
  StoreFn store = getStore(result->getElementType());
  bool ok = forEachIndex(result->getShape(), [&](ArrayRef<int64_t> x) {
    SmallVector<ScalarRegister> arguments;
    for (Value operand : op->getOperands()) {
      const Tensor &tensor = env.getTensor(operand);
      arguments.push_back(
          getLoad(tensor.getElementType())(tensor.getElement(x)));
    }
    auto values = body->run(arguments);
    if (succeeded(values))
      store(result->getElement(x), values->front());
    return succeeded(values);
  });
  if (!ok)
    return failure();
  return RuntimeValues{std::move(*result)};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const OpEvaluators &getEvaluators() {
  static const OpEvaluators evaluators = [] {
    OpEvaluators all;
    all["constant"] = runConstant;
    all["iota"] = runIota;
    all["broadcast_in_dim"] = runBroadcast;
    all["reshape"] = runReshape;
    all["transpose"] = runTranspose;
    all["reverse"] = runReverse;
    all["slice"] = runSlice;
    all["pad"] = runPad;
    all["concatenate"] = runConcatenate;
    all["get_dimension_size"] = runGetDimensionSize;
    all["optimization_barrier"] = runBarrier;
    all["map"] = runMap;
    addHloReductionEvaluators(all);
    addHloIndexedEvaluators(all);
    addHloLapackEvaluators(all);
    return all;
  }();
  return evaluators;
}

SmallVector<StringRef> mlir::tensoraccess::listHloOps() {
  SmallVector<StringRef> names = listHloScalarOps();
  llvm::append_range(names, getEvaluators().keys());
  return names;
}

FailureOr<RuntimeValues> mlir::tensoraccess::runHloOp(Operation *op,
                                                      const Environment &env) {
  if (OpEvaluator evaluator = getEvaluators().lookup(getHloName(op))) {
    for (Value operand : op->getOperands())
      if (!std::holds_alternative<Tensor>(env.get(operand)))
        return emitMalformed(op, "its operands must be tensors");
    return evaluator(op, env);
  }
  // Elementwise ops, or an unknown op.
  std::string why;
  if (op->getNumResults() != 1)
    return emitUnsupported(op);
  if (!HloReader(op, why).hasTensors(-1, 1))
    return emitMalformed(op, why);
  return runElementwiseOp(op, env);
}
