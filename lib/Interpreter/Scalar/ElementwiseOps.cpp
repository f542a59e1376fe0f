//===- ElementwiseOps.cpp - arith and math on scalars and tensors ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, and every scalar op of ScalarOps.cpp applied element by element:
// all operands have the shape of the result, except that a select's condition
// may be a scalar.
//
//===----------------------------------------------------------------------===//

#include "Strips.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// All elements, many at a time; false where that can't be done, or an element
/// fails.
static bool runInStrips(const ScalarProgram &program, ArrayRef<Tensor> operands,
                        const Tensor &result) {
  SmallVector<StripOperand> strips;
  auto add = [&](const Tensor &tensor) -> StripOperand & {
    StripOperand &strip = strips.emplace_back();
    strip.address = tensor.getDataAs<char>();
    strip.type = tensor.getElementType();
    for (int64_t stride : tensor.getStrides())
      strip.steps.push_back(stride * byteSize(strip.type));
    return strip;
  };
  if (result.getNumElements() == 0)
    return false;
  for (auto [i, operand] : llvm::enumerate(operands))
    add(operand).read = i;
  add(result).write = program.getOutputs()[0];
  return runStrips(program, strips, result.getShape());
}

FailureOr<RuntimeValues>
mlir::tensoraccess::runElementwiseOp(Operation *op, const Environment &env) {
  if (op->hasTrait<OpTrait::ConstantLike>()) {
    Attribute value;
    if (!matchPattern(op, m_Constant(&value)))
      return emitUnsupported(op);
    return resultAt(op, tensorFromAttribute(value));
  }
  FailureOr<ScalarProgram> program = ScalarProgram::compileOp(op);
  if (failed(program))
    return failure();
  ArrayRef<int64_t> shape;
  for (Value operand : op->getOperands())
    if (ArrayRef<int64_t> found = env.getTensor(operand).getShape();
        !found.empty())
      shape = found;

  SmallVector<Tensor> operands;
  SmallVector<LoadFn> loads;
  for (Value value : op->getOperands()) {
    Tensor operand = env.getTensor(value);
    if (operand.getRank() == 0)
      operand = operand.restride(shape, SmallVector<int64_t>(shape.size(), 0));
    if (operand.getShape() != shape)
      return op->emitOpError("operands must have one shape, got ")
             << shapeToString(shape) << " and "
             << shapeToString(operand.getShape());
    loads.push_back(getLoad(operand.getElementType()));
    operands.push_back(std::move(operand));
  }
  FailureOr<Tensor> result = createTensorAt(
      op, getElementTypeOrSelf(op->getResult(0).getType()), shape);
  if (failed(result))
    return failure();

  if (runInStrips(*program, operands, *result))
    return RuntimeValues{std::move(*result)};
  SmallVector<ScalarRegister> registers = program->createRegisters();
  ScalarContext context{registers.data(), &*program, {}};
  StoreFn store = getStore(result->getElementType());
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t n = 0, e = result->getNumElements(); n < e; ++n) {
    for (auto [i, operand] : llvm::enumerate(operands))
      registers[i] = loads[i](operand.getElement(index));
    if (failed(program->run(context)))
      return failure();
    store(result->getElement(index), registers[program->getOutputs()[0]]);
    nextIndex(index, shape);
  }
  return RuntimeValues{std::move(*result)};
}

void mlir::tensoraccess::addElementwiseEvaluators(OpEvaluators &all) {
  for (StringRef name : listScalarOps())
    all[name] = runElementwiseOp;
  for (StringRef name : listIndexOps())
    all[name] = runElementwiseOp;
  for (StringRef name :
       {"arith.constant", "index.bool.constant", "index.constant"})
    all[name] = runElementwiseOp;
}
