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
#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/IR/TensorAccess.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static FailureOr<RuntimeValues> runExchange(ExchangeOp op,
                                            const Environment &env,
                                            const InterpreterOptions &options) {
  if (!op.getResult())
    return emitUnsupported(op);
  FailureOr<Tensor> dest = reportAt(op, env.getTensor(op.getDest()).clone());
  if (failed(dest))
    return failure();
  if (options.exchange)
    return resultAt(op, options.exchange(op, env.getTensor(op.getSource()),
                                         std::move(*dest)));
  if (!op.getSends().empty() || !op.getReceives().empty())
    return op.emitOpError("has messages for other ranks, but one rank runs "
                          "alone");
  return RuntimeValues{std::move(*dest)};
}

FailureOr<RuntimeValues>
mlir::tensoraccess::runAccessOp(Operation *op, const Environment &env,
                                const InterpreterOptions &options) {
  if (auto access = dyn_cast<AccessOp>(op))
    return resultAt(op, kernels::access(env.getTensor(access.getTensor()),
                                        access.getAxis()));
  if (auto toTensor = dyn_cast<ToTensorOp>(op))
    return resultAt(op,
                    kernels::toTensor(env.getPattern(toTensor.getPattern())));
  if (auto exchange = dyn_cast<ExchangeOp>(op))
    return runExchange(exchange, env, options);
  if (!isPatternOp(op))
    return emitUnsupported(op);
  SmallVector<AccessPattern> operands;
  for (Value operand : op->getOperands())
    operands.push_back(env.getPattern(operand));
  if (options.systolicArray && isa<SystolicArrayOp>(op))
    return resultAt(op, options.systolicArray(op, operands));
  return resultAt(op, evaluateAccessOp(op, operands));
}
