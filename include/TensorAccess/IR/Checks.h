//===- Checks.h - Errors and preconditions ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_CHECKS_H
#define TENSORACCESS_IR_CHECKS_H

#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Threading.h"

#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Diagnostics kept back
//===----------------------------------------------------------------------===//

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

/// The options of a remark of this project: its name, category
/// `tensoraccess`, and the function that is, or holds, `at`; none for null.
remark::RemarkOpts remarkOptions(StringRef name, Operation *at);

/// Infers the types of the results of an op that is to be made, from all else;
/// its name must have InferTypeOpInterface. An error is reported.
LogicalResult inferTypes(OperationState &state);

//===----------------------------------------------------------------------===//
// Ops of this dialect, made one by one
//===----------------------------------------------------------------------===//

/// Makes the op `tensoraccess.name`, which must be one of this dialect with one
/// result: infers the result's type where `type` is null, creates the op,
/// verifies it. Null after an error, which is reported at `loc`; no op is left
/// behind then. An op whose type can't be inferred needs one.
Value createChecked(OpBuilder &b, Location loc, StringRef name,
                    ValueRange operands,
                    ArrayRef<NamedAttribute> attributes = {}, Type type = {});

/// Whether `createChecked` finds the result's type of that op by itself. False
/// for names that are not an op of this dialect.
bool infersType(MLIRContext *context, StringRef name);

} // namespace mlir::tensoraccess

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessChecks.h.inc"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What is checked at run time
//===----------------------------------------------------------------------===//

/// A message with `{i}` replaced by value i, and `{{` by a brace. What names no
/// value stays as it is.
std::string formatMessage(StringRef message, ArrayRef<int64_t> values);

/// A text escaped for a message, to be read as itself.
std::string escapeMessage(StringRef text);

/// `file:line:column: `, where that is known; else nothing.
std::string describeLocation(Location loc);

/// The most dimensions of a tensor, as in numpy. Maps have a variable for each
/// and a description that names all of them for each, so that time and memory
/// would grow with the square.
constexpr int64_t kMaxRank = 64;

/// An error at the first op, or function, with a type of higher rank.
LogicalResult checkRanks(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_CHECKS_H
