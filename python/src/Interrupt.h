//===- Interrupt.h - Calls that Ctrl-C ends ---------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python handles a signal between two steps of its main thread, so a native
// call would hold Ctrl-C up until it ends. Calls that may take long therefore
// run on a thread of ours, while the main thread waits without the GIL and
// looks for signals:
//
//   1. The wrapper (`make_interruptible`) keeps the function and its arguments
//      alive, hands them to a worker, and waits.
//   2. The worker takes the GIL and calls the function, which releases the GIL
//      for its work (`ReleaseGil`), as it would anywhere.
//   3. On a signal whose handler raises, the call is told to stop (Core's
//      Progress.h) and left to itself: it owns all that it uses, and what
//      it gives is dropped. The main thread raises at once.
//   4. When Python ends, calls that are left are told to stop, and may never
//      take the GIL again. Where one still runs, the process ends without
//      destroying what that one uses.
//
// Calls from other threads, and calls within calls, run where they are.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_INTERRUPT_H
#define TENSORACCESS_PYTHON_INTERRUPT_H

#include <nanobind/nanobind.h>

namespace mlir::tensoraccess::python {
namespace nb = nanobind;

/// Takes the GIL back after PyEval_SaveThread; never returns once Python ends
/// where a worker asks.
void restoreThread(PyThreadState *state);

/// As nb::gil_scoped_release.
class ReleaseGil {
public:
  ReleaseGil() : state(PyEval_SaveThread()) {}
  ~ReleaseGil() { restoreThread(state); }
  ReleaseGil(const ReleaseGil &) = delete;
  ReleaseGil &operator=(const ReleaseGil &) = delete;

private:
  PyThreadState *state;
};

/// As nb::gil_scoped_acquire.
class AcquireGil {
public:
  AcquireGil();
  ~AcquireGil() { PyGILState_Release(state); }
  AcquireGil(const AcquireGil &) = delete;
  AcquireGil &operator=(const AcquireGil &) = delete;

private:
  PyGILState_STATE state;
};

void bindInterrupt(nb::module_ &m);

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_INTERRUPT_H
