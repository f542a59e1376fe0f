//===- AccessOps.cpp - The ops on access patterns -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op by its reference kernel (IR/Evaluate.h).
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"

using namespace mlir;
using namespace mlir::tensoraccess;

FailureOr<RuntimeValues>
mlir::tensoraccess::runAccessOp(Operation *op, const Environment &env,
                                const InterpreterOptions &options) {
  if (auto access = dyn_cast<AccessOp>(op))
    return resultAt(op, kernels::access(env.getTensor(access.getTensor()),
                                        access.getAxis()));
  if (auto toTensor = dyn_cast<ToTensorOp>(op))
    return resultAt(op,
                    kernels::toTensor(env.getPattern(toTensor.getPattern())));
  if (!isPatternOp(op))
    return runLayoutOp(op, env);
  SmallVector<AccessPattern> operands;
  for (Value operand : op->getOperands())
    operands.push_back(env.getPattern(operand));
  if (options.systolicArray && isa<SystolicArrayOp>(op))
    return resultAt(op, options.systolicArray(op, operands));
  return resultAt(op, evaluateAccessOp(op, operands));
}
