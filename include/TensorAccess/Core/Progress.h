//===- Progress.h - Work that is watched and stopped ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_PROGRESS_H
#define TENSORACCESS_CORE_PROGRESS_H

#include <atomic>
#include <cstdint>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Work that is no longer wanted
//
// A caller that starts work may ask it to stop, by a flag per thread that long
// loops check. Work that stops fails, or returns what it has; nothing reads the
// result.
//===----------------------------------------------------------------------===//

/// Sets the flag of this thread's work while it lives; null: never stop.
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

/// Whether this thread's work is no longer wanted. Costs about as much as a
/// load.
inline bool isCancelled() { return CancellationScope::isCancelled(); }

//===----------------------------------------------------------------------===//
// How far work has progressed
//
// A caller that starts work may watch it from another thread: long loops count
// their steps where the thread has a Progress. Of nested loops, the outermost
// counts.
//===----------------------------------------------------------------------===//

/// What a watcher sees: `done` of at most `total` steps, counted in `unit`: a
/// literal, such as "passes", or null between two loops.
struct Progress {
  std::atomic<const char *> unit{nullptr};
  std::atomic<int64_t> done{0}, total{0};
};

/// Where this thread reports its progress while this lives; null if it is not
/// watched.
class ProgressScope {
public:
  explicit ProgressScope(Progress *progress) : outer(current()) {
    current() = progress;
  }
  ~ProgressScope() { current() = outer; }
  ProgressScope(const ProgressScope &) = delete;
  ProgressScope &operator=(const ProgressScope &) = delete;

  static Progress *&current() {
    static thread_local Progress *progress = nullptr;
    return progress;
  }

private:
  Progress *outer;
};

/// The steps of a loop.
class ProgressSteps {
public:
  ProgressSteps(const char *unit, int64_t total)
      : progress(ProgressScope::current()) {
    if (progress && progress->unit)
      progress = nullptr;
    if (!progress)
      return;
    progress->done = 0;
    progress->total = total;
    progress->unit = unit;
  }
  ~ProgressSteps() {
    if (progress)
      progress->unit = nullptr;
  }
  ProgressSteps(const ProgressSteps &) = delete;
  ProgressSteps &operator=(const ProgressSteps &) = delete;

  /// Whether the work is watched.
  bool isSeen() const { return progress != nullptr; }
  /// Reports how many steps are done.
  void set(int64_t done) {
    if (progress)
      progress->done.store(done, std::memory_order_relaxed);
  }

private:
  Progress *progress;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_PROGRESS_H
