//===- KeptWeights.cpp - What is computed of weights, once ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptWeights.h"
#include "TensorAccess/Core/Checked.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Of each buffer: a line of the caches.
static constexpr uint64_t kAlignment = 64;

KeptWeights::Panels::~Panels() {
  if (memory)
    pool->give(memory, bytes);
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
  auto getBytes = [](ArrayRef<int64_t> buffer) {
    return llvm::alignTo<kAlignment>(*elementCount(buffer.drop_back()) *
                                     buffer.back());
  };
  for (ArrayRef<int64_t> buffer : buffers)
    panels->bytes += getBytes(buffer);
  panels->memory = pool->take(panels->bytes);
  if (!panels->memory)
    return llvm::createStringError("no memory for a buffer of " +
                                   Twine(panels->bytes) + " bytes");
  char *next = static_cast<char *>(panels->memory);
  for (ArrayRef<int64_t> buffer : buffers) {
    ArrayRef<int64_t> shape = buffer.drop_back();
    panels->buffers.push_back(next);
    panels->fields.append(2, reinterpret_cast<uintptr_t>(next));
    panels->fields.push_back(0);
    panels->fields.append(shape.begin(), shape.end());
    llvm::append_range(panels->fields, rowMajorStrides(shape));
    next += getBytes(buffer);
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
  return last ? last->bytes : 0;
}

void KeptWeights::forget() {
  std::shared_ptr<Panels> old;
  std::lock_guard lock(mutex);
  std::swap(last, old);
}
