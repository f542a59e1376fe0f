//===- KeptWeights.cpp - What is computed of weights, once ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptWeights.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::tensoraccess;

KeptWeights::Panels::~Panels() {
  for (auto [buffer, size] : buffers)
    pool->give(buffer, size);
}

size_t KeptWeights::countFields(Type result) {
  size_t fields = 1;
  if (auto list = dyn_cast<LLVM::LLVMStructType>(result)) {
    fields = 0;
    for (Type member : list.getBody())
      fields += countFields(member);
  } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(result)) {
    fields = array.getNumElements() * countFields(array.getElementType());
  }
  return fields;
}

llvm::Expected<std::shared_ptr<KeptWeights::Panels>>
KeptWeights::get(ArrayRef<Tensor> inputs,
                 function_ref<ArrayRef<void *>(unsigned)> getArguments,
                 const std::shared_ptr<BufferPool> &pool, int64_t threads) {
  {
    std::lock_guard lock(mutex);
    bool isSame = last != nullptr;
    for (auto [i, number] : llvm::enumerate(numbers))
      isSame &= last &&
                last->weights[i].getData() == inputs[number].getData() &&
                last->weights[i].getShape() == inputs[number].getShape() &&
                last->weights[i].getStrides() == inputs[number].getStrides();
    if (isSame)
      return last;
    // Before there are others.
    last = nullptr;
  }
  auto panels = std::make_shared<Panels>();
  panels->pool = pool;
  SmallVector<void *> arguments;
  for (unsigned number : numbers) {
    panels->weights.push_back(inputs[number]);
    llvm::append_range(arguments, getArguments(number));
  }
  panels->fields.resize(numFields);
  arguments.push_back(panels->fields.data());
  auto buffers = invoke(pack, arguments.data(), *pool, threads, nullptr);
  if (!buffers)
    return buffers.takeError();
  panels->buffers = std::move(*buffers);
  std::lock_guard lock(mutex);
  last = panels;
  return panels;
}
