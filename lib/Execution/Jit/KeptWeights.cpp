//===- KeptWeights.cpp - What is computed of weights, once ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptWeights.h"
#include "TensorAccess/Core/Checked.h"

using namespace mlir;
using namespace mlir::tensoraccess;

KeptWeights::Panels::~Panels() {
  for (auto [buffer, size] : buffers)
    pool->give(buffer, size);
}

llvm::Expected<std::shared_ptr<KeptWeights::Panels>>
KeptWeights::get(ArrayRef<Tensor> inputs,
                 function_ref<ArrayRef<void *>(unsigned)> getArguments,
                 const std::shared_ptr<BufferPool> &pool, int64_t threads) {
  // The owner of weights is told without the lock.
  std::shared_ptr<Panels> old;
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
    old = std::move(last);
  }
  old = nullptr;
  auto panels = std::make_shared<Panels>();
  panels->pool = pool;
  SmallVector<void *> arguments;
  for (unsigned number : numbers) {
    panels->weights.push_back(inputs[number]);
    llvm::append_range(arguments, getArguments(number));
  }
  for (ArrayRef<int64_t> buffer : buffers) {
    ArrayRef<int64_t> shape = buffer.drop_back();
    size_t bytes = *elementCount(shape) * buffer.back();
    void *memory = pool->take(bytes);
    if (!memory)
      return llvm::createStringError("no memory for a buffer of " +
                                     Twine(bytes) + " bytes");
    panels->buffers.push_back({memory, bytes});
    panels->fields.append(2, reinterpret_cast<uintptr_t>(memory));
    panels->fields.push_back(0);
    panels->fields.append(shape.begin(), shape.end());
    llvm::append_range(panels->fields, rowMajorStrides(shape));
  }
  for (uint64_t &field : panels->fields)
    arguments.push_back(&field);
  auto left = invoke(pack, arguments.data(), *pool, threads, nullptr);
  if (!left)
    return left.takeError();
  old = panels;
  {
    std::lock_guard lock(mutex);
    std::swap(last, old);
  }
  return panels;
}

size_t KeptWeights::getBytes() const {
  std::lock_guard lock(mutex);
  size_t bytes = 0;
  if (last)
    for (auto [buffer, size] : last->buffers)
      bytes += size;
  return bytes;
}

void KeptWeights::forget() {
  std::shared_ptr<Panels> old;
  std::lock_guard lock(mutex);
  std::swap(last, old);
}
