//===- StableHloLapack.cpp - Calls of LAPACK ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StableHloOps.h"
#include "TensorAccess/Runtime/Runtime.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static FailureOr<RuntimeValues> runCustomCall(Operation *op,
                                              const Environment &env) {
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  if (!target || target.getValue() != kLapackTarget)
    return emitMalformed(op, whyCallStays(op));
  std::string why;
  if (!checkLapackCall(op, why))
    return emitMalformed(op, why);
  SmallVector<Tensor> tensors;
  for (Value operand : op->getOperands()) {
    llvm::Expected<Tensor> dense = std::get<Tensor>(env.get(operand)).toDense();
    if (!dense)
      return emitMalformed(op, llvm::toString(dense.takeError()));
    tensors.push_back(std::move(*dense));
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    FailureOr<Tensor> result = createHloResult(op, i);
    if (failed(result))
      return failure();
    tensors.push_back(std::move(*result));
  }
  tensoraccess_runtime::LapackArray
      arrays[tensoraccess_runtime::kMaxLapackArrays];
  for (auto [tensor, array] : llvm::zip(tensors, arrays))
    array = {tensor.getData(), tensor.getRank(), tensor.getShape().data()};
  why = tensoraccess_runtime::callLapack(
      op->getAttrOfType<StringAttr>("routine").str(),
      op->getAttrOfType<StringAttr>("options").str(), arrays);
  if (!why.empty())
    return emitMalformed(op, why);
  RuntimeValues results;
  for (Tensor &tensor : llvm::drop_begin(tensors, op->getNumOperands()))
    results.push_back(std::move(tensor));
  return results;
}

void mlir::tensoraccess::addHloLapackEvaluators(OpEvaluators &evaluators) {
  evaluators["custom_call"] = runCustomCall;
}
