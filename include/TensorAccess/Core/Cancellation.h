//===- Cancellation.h - Work that is no longer wanted -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever starts work may tell it to stop: the flag is the thread's, and long
// loops ask for it. Work that stops fails, or gives what it has; nobody reads
// the result.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_CANCELLATION_H
#define TENSORACCESS_CORE_CANCELLATION_H

#include <atomic>

namespace mlir::tensoraccess {

/// Names the flag of this thread's work while it lives; null: never.
class CancellationScope {
public:
  explicit CancellationScope(const std::atomic<bool> *flag) : outer(current()) {
    current() = flag;
  }
  ~CancellationScope() { current() = outer; }
  CancellationScope(const CancellationScope &) = delete;
  CancellationScope &operator=(const CancellationScope &) = delete;

  static bool isCancelled() {
    const std::atomic<bool> *flag = current();
    return flag && flag->load(std::memory_order_relaxed);
  }

private:
  static const std::atomic<bool> *&current() {
    static thread_local const std::atomic<bool> *flag = nullptr;
    return flag;
  }
  const std::atomic<bool> *outer;
};

/// Whether this thread's work is no longer wanted. Costs about a load.
inline bool isCancelled() { return CancellationScope::isCancelled(); }

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_CANCELLATION_H
