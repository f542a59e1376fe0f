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

/// Captures what this thread reports during its lifetime; what other threads
/// report in the same context still reaches their handlers. MLIR replays what
/// the threads of a pass manager report on the thread that runs it.
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

/// The options of a remark of this project: its name, category `tensoraccess`,
/// and the function that is, or contains, `at`; none if null.
remark::RemarkOpts remarkOptions(StringRef name, Operation *at);

/// Infers the result types of an op to be created from everything else; its
/// name must have InferTypeOpInterface. Errors are reported.
LogicalResult inferTypes(OperationState &state);

//===----------------------------------------------------------------------===//
// Ops of this dialect, made one by one
//===----------------------------------------------------------------------===//

/// Creates the op `tensoraccess.name`, which must be an op of this dialect with
/// one result: infers the result's type if `type` is null, creates the op, and
/// verifies it. Returns null after an error, which is reported at `loc`; no op
/// is left behind then. An op whose type can't be inferred needs `type`.
Value createChecked(OpBuilder &b, Location loc, StringRef name,
                    ValueRange operands,
                    ArrayRef<NamedAttribute> attributes = {}, Type type = {});

/// Whether `createChecked` can infer that op's result type. False for names
/// that are not an op of this dialect.
bool infersType(MLIRContext *context, StringRef name);

} // namespace mlir::tensoraccess

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessChecks.h.inc"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What is checked at run time
//===----------------------------------------------------------------------===//

/// A message with `{i}` replaced by value i, and `{{` by a brace. Placeholders
/// without a value are left as they are.
std::string formatMessage(StringRef message, ArrayRef<int64_t> values);

/// Escapes a text for a message, so that it is printed verbatim.
std::string escapeMessage(StringRef text);

/// `file:line:column: ` if known; else empty.
std::string describeLocation(Location loc);

/// The most dimensions of a tensor, as in numpy. Maps have a variable for each
/// and a description that names all of them for each, so that time and memory
/// would grow quadratically.
constexpr int64_t kMaxRank = 64;

/// Emits an error at the first op or function with a type of higher rank.
LogicalResult checkRanks(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_CHECKS_H
