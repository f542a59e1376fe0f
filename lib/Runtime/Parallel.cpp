//===- Parallel.cpp - Iterations of loops on several threads --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One team of threads a process, made when it is first needed and never ended.
// A job is open while its caller runs iterations itself. A thread that sees a
// new job comes in, runs iterations while there are any, and leaves; the caller
// closes the job when all iterations are taken and waits for the threads
// inside. A thread that wakes up late finds the job closed, so that nothing
// waits for a thread that has no processor.
//
// Threads wait by looking for a while, then asleep: between two loops of a
// program there are a few microseconds, less than waking up takes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Runtime/Runtime.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <thread>

namespace {

/// How often a thread looks for a job before it sleeps: some 20 microseconds.
constexpr int kLooks = 600;

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

struct Team {
  /// Taken by the caller of a job.
  std::atomic<bool> isBusy{false};
  /// Counts jobs; odd while one is open.
  std::atomic<uint32_t> epoch{0};
  std::atomic<int64_t> inside{0}, places{0}, next{0};
  std::atomic<int64_t> asleep{0};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
  void (*body)(void *, int64_t) = nullptr;
  void *record = nullptr;
  int64_t count = 0;
  /// Threads made, and whether one could not be.
  int64_t threads = 0;
  bool isComplete = false;

  void work() {
    for (int64_t i; (i = next.fetch_add(1)) < count;)
      body(record, i);
  }
  void grow(int64_t wanted);
  void run(void (*body)(void *, int64_t), void *record, int64_t count,
           int64_t threads);
  void serve();
};

/// Whether this thread is running iterations.
thread_local bool isInside = false;

/// Never destroyed: threads look at it until the process ends.
Team *team = new Team;

void *serveTeam(void *) {
  team->serve();
  return nullptr;
}

/// A child process has none of the threads.
void forget() { team = new Team; }

void Team::grow(int64_t wanted) {
  while (threads < wanted && !isComplete) {
    if (threads == 0) {
      static pthread_once_t once = PTHREAD_ONCE_INIT;
      pthread_once(&once, [] { pthread_atfork(nullptr, nullptr, forget); });
    }
    pthread_t thread;
    if (pthread_create(&thread, nullptr, serveTeam, nullptr) != 0) {
      isComplete = true;
      return;
    }
    pthread_detach(thread);
    ++threads;
  }
}

void Team::serve() {
  isInside = true;
  for (uint32_t seen = 0;;) {
    uint32_t now = epoch.load();
    for (int i = 0; now == seen && i < kLooks; ++i) {
      pause();
      now = epoch.load();
    }
    if (now == seen) {
      pthread_mutex_lock(&mutex);
      asleep.fetch_add(1);
      while (epoch.load() == seen)
        pthread_cond_wait(&woken, &mutex);
      asleep.fetch_sub(1);
      pthread_mutex_unlock(&mutex);
      continue;
    }
    seen = now;
    if (now % 2 == 0)
      continue;
    inside.fetch_add(1);
    // The job may have ended before this thread was inside.
    if (epoch.load() == now && places.fetch_sub(1) > 0)
      work();
    inside.fetch_sub(1);
  }
}

void Team::run(void (*newBody)(void *, int64_t), void *newRecord,
               int64_t newCount, int64_t limit) {
  grow(limit - 1);
  body = newBody;
  record = newRecord;
  count = newCount;
  next.store(0);
  places.store(limit - 1);
  epoch.fetch_add(1);
  if (asleep.load() != 0) {
    // A thread that has looked at the epoch before is waiting by now.
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&woken);
  }
  isInside = true;
  work();
  isInside = false;
  epoch.fetch_add(1);
  while (inside.load() != 0)
    pause();
}

} // namespace

extern "C" int64_t tensoraccess_threads(void) {
  static const int64_t number = [] {
    if (const char *text = std::getenv("TENSORACCESS_THREADS"))
      if (long long given = std::atoll(text); given > 0)
        return int64_t(given);
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
      return std::max<int64_t>(1, CPU_COUNT(&usable));
    return std::max<int64_t>(1, std::thread::hardware_concurrency());
  }();
  return number;
}

extern "C" void tensoraccess_parallel_on(void (*body)(void *, int64_t),
                                         void *record, int64_t count,
                                         int64_t threads) {
  if (threads <= 0)
    threads = tensoraccess_threads();
  threads = std::min(threads, count);
  bool isFree = false;
  if (threads > 1 && !isInside &&
      team->isBusy.compare_exchange_strong(isFree, true)) {
    Team *own = team;
    own->run(body, record, count, threads);
    own->isBusy.store(false);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    body(record, i);
}

extern "C" void tensoraccess_parallel(void (*body)(void *, int64_t),
                                      void *record, int64_t count) {
  tensoraccess_parallel_on(body, record, count, 0);
}
