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

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// All elements, many at a time; false if that can't be done, or an element
/// fails.
static bool runInStrips(const ScalarProgram &program, ArrayRef<Tensor> operands,
                        ArrayRef<Tensor> results) {
  SmallVector<StripOperand> strips;
  auto add = [&](const Tensor &tensor) -> StripOperand & {
    StripOperand &strip = strips.emplace_back();
    strip.address = tensor.getDataAs<char>();
    strip.type = tensor.getElementType();
    for (int64_t stride : tensor.getStrides())
      strip.steps.push_back(stride * byteSize(strip.type));
    return strip;
  };
  if (results.front().getNumElements() == 0)
    return false;
  for (auto [i, operand] : llvm::enumerate(operands))
    add(operand).read = i;
  for (auto [result, output] : llvm::zip_equal(results, program.getOutputs()))
    add(result).write = output;
  return runStrips(program, strips, results.front().getShape());
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

  SmallVector<Tensor> operands, results;
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
  for (Type type : op->getResultTypes()) {
    FailureOr<Tensor> result =
        createTensorAt(op, getElementTypeOrSelf(type), shape);
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }

  if (runInStrips(*program, operands, results))
    return RuntimeValues(results.begin(), results.end());
  SmallVector<ScalarRegister> registers = program->createRegisters();
  ScalarContext context{registers.data(), &*program, {}};
  bool isRun = forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    for (auto [i, operand] : llvm::enumerate(operands))
      registers[i] = loads[i](operand.getElement(index));
    if (failed(program->run(context)))
      return false;
    for (auto [result, output] :
         llvm::zip_equal(results, program->getOutputs()))
      getStore(result.getElementType())(result.getElement(index),
                                        registers[output]);
    return true;
  });
  if (!isRun)
    return failure();
  return RuntimeValues(results.begin(), results.end());
}

/// A value that MLIR leaves open, in all elements.
static FailureOr<RuntimeValues> runPoison(ub::PoisonOp op,
                                          const Environment &) {
  auto shaped = dyn_cast<ShapedType>(op.getType());
  if (shaped && !shaped.hasStaticShape())
    return emitUnsupported(op);
  FailureOr<Tensor> result =
      createTensorAt(op, getElementTypeOrSelf(op.getType()),
                     shaped ? shaped.getShape() : ArrayRef<int64_t>());
  if (failed(result))
    return failure();
  fillElements(*result, Tensor::scalarInt(result->getElementType(),
                                          chooseUndefined(op, 0, "is poison")));
  return RuntimeValues{std::move(*result)};
}

void mlir::tensoraccess::addElementwiseEvaluators(OpEvaluators &all) {
  addEvaluator<ub::PoisonOp, runPoison>(all);
  for (StringRef name : listScalarOps())
    all[name] = runElementwiseOp;
  for (StringRef name : listIndexOps())
    all[name] = runElementwiseOp;
  for (StringRef name :
       {"arith.addui_extended", "arith.constant", "arith.mulsi_extended",
        "arith.mului_extended", "index.bool.constant", "index.constant"})
    all[name] = runElementwiseOp;
}
