//===- CapturedErrors.h - Diagnostics kept back -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_CAPTUREDERRORS_H
#define TENSORACCESS_IR_CAPTUREDERRORS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"
#include <string>

namespace mlir::tensoraccess {

/// Keeps back what this thread reports while it lives; what other threads
/// report in the same context goes on to their handlers. MLIR replays what the
/// threads of a pass manager report on the thread that runs it.
class CapturedErrors {
public:
  explicit CapturedErrors(MLIRContext *context)
      : thread(llvm::get_threadid()),
        handler(context, [this](Diagnostic &diagnostic) {
          if (llvm::get_threadid() != thread)
            return failure();
          if (first.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error)
            first = diagnostic.str();
          return success();
        }) {}

  /// The text of the first error, empty if there was none.
  const std::string &getFirst() const { return first; }

private:
  std::string first;
  const uint64_t thread;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_CAPTUREDERRORS_H
