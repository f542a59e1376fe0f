//===- Session.h - A context, its lock and its diagnostics ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each module that Python parses gets a context of its own; modules that passes
// made from it share that context. A context is not thread safe, so a caller
// that works in it holds the session's lock. The order is always: release the
// GIL, take the lock, work, release the lock, take the GIL. Work under the lock
// never touches Python, but for models of accelerators, which take the GIL as
// long as they run. They may use the module that called them: the lock is
// recursive.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_SESSION_H
#define TENSORACCESS_PYTHON_SESSION_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <mutex>
#include <string>
#include <vector>

namespace mlir::tensoraccess::python {

/// A diagnostic that has outlived its context.
struct Message {
  /// `error`, `warning`, `remark` or `note`.
  std::string severity;
  std::string text;
  /// `file:line:column` where known, else MLIR's text of the location.
  std::string location;
  std::vector<Message> notes;

  /// `location: severity: text`, and the notes on lines of their own.
  std::string str() const;
};

/// What Python can have as a string: names and texts of files may be any bytes.
std::string toUTF8(std::string text);

/// As `Message::location`.
std::string printLocation(Location loc);

/// The messages, one a line; `fallback` where there are none.
std::string joinErrors(const std::vector<Message> &messages,
                       llvm::StringRef fallback);

class Session {
public:
  /// A context with every dialect known to the tools, single-threaded, that
  /// accepts unregistered dialects and reports remarks as diagnostics.
  Session();

  MLIRContext &getContext() { return context; }

  /// Runs `work` under the lock, appending the diagnostics to `messages`. Call
  /// without the GIL.
  void run(std::vector<Message> &messages, llvm::function_ref<void()> work);

  /// The same without what it says; called with the GIL.
  void look(llvm::function_ref<void()> work);

  /// Runs `work`, which says whether it succeeded, called with the GIL: if not,
  /// its errors are thrown, or `fallback` where there are none. Gives the
  /// diagnostics.
  std::vector<Message> attempt(llvm::StringRef fallback,
                               llvm::function_ref<bool()> work);

  /// Within `run`: work that needs nothing of the context, during which others
  /// may have it.
  void withoutContext(llvm::function_ref<void()> work);

  /// Within `run`: whether a pass was not run since upstream's would crash; the
  /// error is among the messages.
  bool hasRefusedPass() const { return hasRefused; }

private:
  MLIRContext context;
  std::recursive_mutex mutex;
  bool hasRefused = false;
};

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_SESSION_H
