//===- Invocation.cpp - Compiled code while it runs -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call in progress is a record on the stack that a pointer of the thread
// names: the buffers it holds, the most bytes it held, and where to go when an
// assertion fails or there is no memory for another buffer. Compiled frames
// have no destructors, so longjmp passes them.
//
//===----------------------------------------------------------------------===//

#include "Invocation.h"
#include "TensorAccess/Core/Support.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Runtime/Runtime.h"
#include "llvm/Support/MathExtras.h"
#include <csetjmp>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static constexpr size_t kLine = 64;

BufferPool::~BufferPool() {
  for (auto &[size, buffers] : free)
    for (void *buffer : buffers)
      std::free(buffer);
}

void *BufferPool::take(size_t size) {
  size = llvm::alignTo(std::max<size_t>(size, 1), kLine);
  {
    std::lock_guard lock(mutex);
    if (auto found = free.find(size);
        found != free.end() && !found->second.empty()) {
      kept -= size;
      return found->second.pop_back_val();
    }
  }
  return std::aligned_alloc(kLine, size);
}

void BufferPool::give(void *buffer, size_t size) {
  size = llvm::alignTo(std::max<size_t>(size, 1), kLine);
  {
    std::lock_guard lock(mutex);
    if (kept + size <= limit) {
      kept += size;
      free[size].push_back(buffer);
      return;
    }
  }
  std::free(buffer);
}

void BufferPool::setLimit(size_t bytes) {
  std::lock_guard lock(mutex);
  limit = std::max(limit, bytes);
}

namespace {
struct Invocation {
  explicit Invocation(BufferPool &pool) : pool(pool) {}

  BufferPool &pool;
  llvm::DenseMap<void *, size_t> live;
  int64_t bytes = 0, peak = 0, allocations = 0;
  std::string message;
  std::jmp_buf failed;

  void *take(size_t size) {
    return add(size < kMostBytes ? pool.take(size) : nullptr, size);
  }

  void *add(void *pointer, size_t size) {
    if (!pointer) {
      message = "no memory for a buffer of " + std::to_string(size) + " bytes";
      std::longjmp(failed, 1);
    }
    live[pointer] = size;
    ++allocations;
    bytes += size;
    peak = std::max(peak, bytes);
    return pointer;
  }

  /// Beyond what any machine has.
  static constexpr size_t kMostBytes = size_t(1) << 62;
};
} // namespace

static thread_local Invocation *current = nullptr;

static void *allocate(size_t size) {
  return current ? current->take(size) : std::malloc(size);
}

static void *allocateZeros(size_t count, size_t size) {
  if (!current)
    return std::calloc(count, size);
  // A product past 64 bits is more than there is.
  const size_t bytes = llvm::SaturatingMultiply(count, size);
  return std::memset(current->take(bytes), 0, bytes);
}

static void *allocateAligned(size_t alignment, size_t size) {
  if (current && alignment <= kLine)
    return current->take(size);
  void *pointer = std::aligned_alloc(alignment, size);
  return current ? current->add(pointer, size) : pointer;
}

static void release(void *pointer) {
  if (current)
    if (auto found = current->live.find(pointer);
        found != current->live.end()) {
      current->bytes -= found->second;
      current->pool.give(pointer, found->second);
      current->live.erase(found);
      return;
    }
  std::free(pointer);
}

static void fail(const char *message, int64_t count, const int64_t *values) {
  if (!current)
    std::abort();
  current->message = count == 0
                         ? std::string(message)
                         : formatMessage(message, {values, size_t(count)});
  std::longjmp(current->failed, 1);
}

SmallVector<std::pair<std::string, void *>>
mlir::tensoraccess::getRuntimeSymbols() {
  SmallVector<std::pair<std::string, void *>> symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols.push_back({name.str(), reinterpret_cast<void *>(function)});
  };
  add("malloc", &allocate);
  add("calloc", &allocateZeros);
  add("aligned_alloc", &allocateAligned);
  add("free", &release);
  add(kAssertHandler, &fail);
  add("tensoraccess_move", &tensoraccess_move);
  return symbols;
}

/// False where an assertion failed. Has no objects that longjmp would skip.
static bool run(void (*function)(void **), void **arguments,
                Invocation &invocation) {
  if (setjmp(invocation.failed) != 0)
    return false;
  function(arguments);
  return true;
}

llvm::Expected<llvm::DenseMap<void *, size_t>>
mlir::tensoraccess::invoke(void (*function)(void **), void **arguments,
                           BufferPool &pool, CallReport *report) {
  Invocation invocation(pool);
  Invocation *outer = current;
  current = &invocation;
  FloatEnvironment floats;
  bool finished = run(function, arguments, invocation);
  current = outer;
  if (report) {
    report->peakBytes = invocation.peak;
    report->allocations = invocation.allocations;
  }
  pool.setLimit(invocation.peak);
  if (finished)
    return std::move(invocation.live);
  for (auto [pointer, size] : invocation.live)
    std::free(pointer);
  return llvm::createStringError(invocation.message);
}
