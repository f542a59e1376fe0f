//===- Invocation.h - Compiled code while it runs -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled code takes memory, and gives up where an assertion fails, through
// functions of this file: so the bytes it holds are counted, and a failure ends
// the call instead of the process.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_INVOCATION_H
#define TENSORACCESS_LIB_EXECUTION_INVOCATION_H

#include "TensorAccess/Execution/Jit.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>

namespace mlir {
namespace tensoraccess {

/// What failed assertions call in compiled code.
inline constexpr llvm::StringLiteral kAssertHandler = "tensoraccess_fail";

/// What compiled code finds under names: how it takes and frees memory through
/// this file, and fails through kAssertHandler.
SmallVector<std::pair<std::string, void *>> getRuntimeSymbols();

/// Buffers of a program that are not in use, for its next call, which asks for
/// the same sizes: their pages are there already. Holds at most twice what calls
/// have held at a time. Safe from several threads.
class BufferPool {
public:
  ~BufferPool();
  /// A buffer of that many bytes that begins at a cache line; null where there
  /// is no memory.
  void *take(size_t size);
  void give(void *buffer, size_t size);
  /// Calls have held so many bytes at a time.
  void setLimit(size_t bytes);

private:
  std::mutex mutex;
  llvm::DenseMap<size_t, SmallVector<void *, 2>> free;
  size_t kept = 0, limit = 0;
};

/// Calls compiled code, with buffers from the pool; those that are left, which
/// results are in, come back with their sizes. Parallel loops use at most
/// `threads` threads, 0: one a processor. Where an assertion fails,
/// everything that the call has allocated is freed and the assertion's message
/// is the error.
llvm::Expected<llvm::DenseMap<void *, size_t>>
invoke(void (*function)(void **), void **arguments, BufferPool &pool,
       int64_t threads, CallReport *report);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_LIB_EXECUTION_INVOCATION_H
