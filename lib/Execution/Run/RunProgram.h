//===- RunProgram.h - Pieces of the program tensoraccess-run --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What running on one machine and running on several ranks share: programs,
// inputs, calls, comparisons and files. Functions print what goes wrong.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_RUNPROGRAM_H
#define TENSORACCESS_LIB_EXECUTION_RUNPROGRAM_H

#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Execution/Run.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>

namespace mlir::tensoraccess {

using Tensors = SmallVector<Tensor>;
using Clock = std::chrono::steady_clock;

/// Prints `error: ` and the message, the latter after the speaker.
LogicalResult fail(const Twine &message);
LogicalResult fail(llvm::Error error, const Twine &prefix = "");
/// From now on `who` is the speaker, `rank 1: `, among others that may print at the
/// same time: diagnostics of programs are kept and come in one piece, with the next
/// message. With `holds` messages are kept too, until `flushDiagnostics`, which
/// prints all that is left.
void setSpeaker(const Twine &who, bool holds);
void flushDiagnostics();

double millisecondsSince(Clock::time_point start);

/// A file and its module, with its diagnostics printed while this lives.
struct Program {
  std::shared_ptr<llvm::SourceMgr> sources =
      std::make_shared<llvm::SourceMgr>();
  std::unique_ptr<SourceMgrDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
};

/// Reads a program; and finds the function to run.
LogicalResult loadModule(MLIRContext &context, StringRef path,
                         Program &program);
LogicalResult load(MLIRContext &context, StringRef path, StringRef entry,
                   Program &program);

/// Reads a list of .npy files.
FailureOr<Tensors> readAll(StringRef list);

/// The inputs that --inputs asks for; prints it where they are random, unless
/// another does.
FailureOr<Tensors> makeInputs(StringRef spec, ArrayRef<std::string> sizes,
                              FunctionOpInterface entry, bool isSaid = true);

/// If no engine runs the program's sizes as they are, replaces them by those of the
/// inputs.
LogicalResult refineFor(Program &program, ArrayRef<Tensor> inputs);

/// How the best of several runs went.
void reportTime(double compile, double best, unsigned runs, func::FuncOp entry,
                bool isFromCache = false);

/// Runs `once` as often as asked and keeps the last results.
FailureOr<Tensors> repeat(unsigned runs, double &best,
                          llvm::function_ref<FailureOr<Tensors>()> once);

/// Compiles a function and runs it; `runs` > 0 times it. Where it is profiled,
/// the best run is printed, and written to `trace` if that is a name.
FailureOr<Tensors> runJit(Program &program, ArrayRef<Tensor> inputs,
                          unsigned runs, const JitOptions &options = {},
                          StringRef trace = {});
FailureOr<Tensors> runInterpreter(Program &program, ArrayRef<Tensor> inputs,
                                  unsigned runs);

/// What results are compared with.
struct ComparisonSpec {
  /// `interpret`, a list of .npy files, or another program.
  std::string with;
  /// The function in that program.
  std::string entry;
  /// Whether that program's scatters mean what XLA computes.
  bool dropsPartialWindows = false;
  /// Where it is given; else the roundings on the way decide.
  std::optional<double> tolerance;
  /// What `interpret` runs.
  std::function<FailureOr<Tensors>()> interpret;
};

/// Compares every result; fails where one differs.
LogicalResult compareAll(const ComparisonSpec &spec, Program &program,
                         ArrayRef<Tensor> inputs, ArrayRef<Tensor> results);

/// Checks, before the work begins, that each output has a folder to go to.
LogicalResult checkOutputs(ArrayRef<std::string> paths);

/// Writes the first results, one to each file.
LogicalResult writeAll(ArrayRef<std::string> paths, ArrayRef<Tensor> results,
                       ArrayRef<ValueType> types = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_RUNPROGRAM_H
