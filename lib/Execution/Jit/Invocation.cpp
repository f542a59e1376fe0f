//===- Invocation.cpp - Compiled code while it runs -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call in progress is a record on the stack that a pointer of the thread
// names: the buffers it holds, the most bytes it held, and where to go when an
// assertion fails or there is no memory for another buffer. Compiled frames
// have no destructors, so longjmp passes them. Each iteration of a parallel
// loop has a record of its own, on the thread that takes it; what fails first
// is what the call fails with.
//
//===----------------------------------------------------------------------===//

#include "Invocation.h"
#include "TensorAccess/Core/FloatEnvironment.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Runtime/Runtime.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <utility>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static constexpr size_t kLine = 64, kHugePage = 1 << 21;

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
  if (size < 2 * kHugePage)
    return std::aligned_alloc(kLine, size);
  // Neighbours in few pages do not compete for the same sets of a cache.
  void *buffer = std::aligned_alloc(kHugePage, size);
#ifdef MADV_HUGEPAGE
  if (buffer)
    (void)madvise(buffer, size, MADV_HUGEPAGE);
#endif
  return buffer;
}

void BufferPool::give(void *buffer, size_t size) {
  size = llvm::alignTo(std::max<size_t>(size, 1), kLine);
  std::lock_guard lock(mutex);
  kept += size;
  free[size].push_back(buffer);
  // Sizes that calls no longer ask for go first.
  for (auto it = free.begin(); kept > limit && it != free.end(); ++it)
    while (it->first != size && kept > limit && !it->second.empty()) {
      std::free(it->second.pop_back_val());
      kept -= it->first;
    }
  while (kept > limit && !free[size].empty()) {
    std::free(free[size].pop_back_val());
    kept -= size;
  }
}

void BufferPool::setLimit(size_t bytes) {
  std::lock_guard lock(mutex);
  // Not all sizes are asked for at the same time.
  limit = std::max(limit, 2 * bytes);
}

namespace {
/// What a call has held, those of its iterations that run elsewhere included.
struct Account {
  std::atomic<int64_t> bytes{0}, peak{0}, allocations{0};

  void add(size_t size) {
    ++allocations;
    const int64_t now = bytes += size;
    for (int64_t most = peak;
         most < now && !peak.compare_exchange_weak(most, now);)
      ;
  }
};

struct Invocation {
  Invocation(BufferPool &pool, Account &account, int64_t threads)
      : pool(pool), account(account), threads(threads) {}

  BufferPool &pool;
  Account &account;
  int64_t threads;
  llvm::DenseMap<void *, size_t> live;
  std::string message;
  std::jmp_buf failed;
  std::vector<KernelSpan> spans;

  void *take(size_t size) {
    return add(size < kMostBytes ? pool.take(size) : nullptr, size);
  }

  void *add(void *pointer, size_t size) {
    if (!pointer) {
      message = "no memory for a buffer of " + std::to_string(size) + " bytes";
      std::longjmp(failed, 1);
    }
    live[pointer] = size;
    account.add(size);
    return pointer;
  }

  void freeAll() {
    for (auto [pointer, size] : live)
      std::free(pointer);
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
      current->account.bytes -= found->second;
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

//===----------------------------------------------------------------------===//
// Iterations on several threads
//===----------------------------------------------------------------------===//

namespace {
/// A parallel loop of a call.
struct ParallelLoop {
  void (*body)(void *, int64_t);
  void *record;
  Invocation &caller;
  std::mutex mutex;
  /// The first iteration, in the order of the loop, that failed, and why.
  std::atomic<int64_t> firstFailed;
  std::string message;
};
} // namespace

/// False if the iteration failed. Has no objects that longjmp would skip.
static bool runIteration(ParallelLoop &loop, int64_t i,
                         Invocation &invocation) {
  if (setjmp(invocation.failed) != 0)
    return false;
  loop.body(loop.record, i);
  return true;
}

static void takeIteration(void *record, int64_t i) {
  auto &loop = *static_cast<ParallelLoop *>(record);
  // Not those after one that fails, which is what the loop would do.
  if (i > loop.firstFailed)
    return;
  const Invocation &caller = loop.caller;
  Invocation invocation(caller.pool, caller.account, caller.threads);
  Invocation *outer = std::exchange(current, &invocation);
  FloatEnvironment floats;
  bool finished = runIteration(loop, i, invocation);
  current = outer;
  // What an iteration leaves has no other owner.
  invocation.freeAll();
  if (finished)
    return;
  std::lock_guard lock(loop.mutex);
  if (i < loop.firstFailed) {
    loop.firstFailed = i;
    loop.message = invocation.message;
  }
}

/// False, with the caller's message, if an iteration failed.
static bool runIterations(void (*body)(void *, int64_t), void *record,
                          int64_t count) {
  ParallelLoop loop{body, record, *current, {}, {}, {}};
  loop.firstFailed = std::numeric_limits<int64_t>::max();
  tensoraccess_parallel_on(takeIteration, &loop, count, current->threads);
  current->message = loop.message;
  return loop.firstFailed == std::numeric_limits<int64_t>::max();
}

static void runParallel(void (*body)(void *, int64_t), void *record,
                        int64_t count) {
  if (!current)
    tensoraccess_parallel(body, record, count);
  else if (!runIterations(body, record, count))
    std::longjmp(current->failed, 1);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// False, with the reason in the invocation's message, where that fails.
static bool callsLapack(int64_t routine, int64_t options, const int64_t *ranks,
                        void *const *memrefs) {
  std::string why = tensoraccess_runtime::callLapack(
      routine, options, ranks, memrefs, current ? current->threads : 0);
  if (why.empty())
    return true;
  if (current)
    current->message = why;
  return false;
}

static void runLapack(int64_t routine, int64_t options, int64_t r0, void *a0,
                      int64_t r1, void *a1, int64_t r2, void *a2, int64_t r3,
                      void *a3, int64_t r4, void *a4, int64_t r5, void *a5,
                      int64_t r6, void *a6, int64_t r7, void *a7, int64_t r8,
                      void *a8, int64_t r9, void *a9) {
  const int64_t ranks[] = {r0, r1, r2, r3, r4, r5, r6, r7, r8, r9};
  void *const memrefs[] = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9};
  if (callsLapack(routine, options, ranks, memrefs))
    return;
  if (!current)
    std::abort();
  std::longjmp(current->failed, 1);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A loop nest begins or ends.
static void noteTime(int64_t kernel, int64_t isOver) {
  if (!current)
    return;
  const int64_t now = std::chrono::steady_clock::now().time_since_epoch() /
                      std::chrono::nanoseconds(1);
  if (!isOver) {
    current->spans.push_back({kernel, now, now});
    return;
  }
  auto span = llvm::find_if(llvm::reverse(current->spans),
                            [&](const auto &s) { return s.kernel == kernel; });
  span->end = now;
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
  add("tensoraccess_parallel", &runParallel);
  add(kProfileFunction, &noteTime);
  for (const char *routine : tensoraccess_runtime::getLapackRoutines())
    add((llvm::Twine("tensoraccess_lapack_") + routine).str(), &runLapack);
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
                           BufferPool &pool, int64_t threads,
                           CallReport *report) {
  Account account;
  Invocation invocation(pool, account, threads);
  Invocation *outer = current;
  current = &invocation;
  FloatEnvironment floats;
  bool finished = run(function, arguments, invocation);
  current = outer;
  if (report) {
    report->peakBytes = account.peak;
    report->allocations = account.allocations;
    report->spans = std::move(invocation.spans);
  }
  pool.setLimit(account.peak);
  if (finished)
    return std::move(invocation.live);
  invocation.freeAll();
  return llvm::createStringError(invocation.message);
}
