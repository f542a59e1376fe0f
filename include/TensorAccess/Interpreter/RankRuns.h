//===- RankRuns.h - Runs the programs of several ranks ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle for programs that are cut over ranks, without MPI: all ranks run
// in the interpreter, one at a time, each until it has to wait for a message
// that has not been sent. Which one runs when does not depend on the machine,
// and a program in which ranks would wait for one another for ever ends with an
// error that says who waits for whom.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERPRETER_RANKRUNS_H
#define TENSORACCESS_INTERPRETER_RANKRUNS_H

#include "TensorAccess/Interpreter/Interpreter.h"

namespace mlir::tensoraccess {

/// What went between ranks in a run; messages of a rank to itself are none.
struct RankRunReport {
  SmallVector<int64_t> bytesSent;    ///< by rank
  SmallVector<int64_t> messagesSent; ///< by rank
};

/// Runs programs[r] as rank r, with inputs[r]; the results by rank. Errors are
/// reported at the op of the rank: whatever `interpret` reports; a message to a
/// rank that there is not; one of another size or element type than is received
/// (`rank 0 sends 8 elements, but rank 1 receives 6`); ranks that wait for one
/// another, or for one that has ended.
FailureOr<SmallVector<SmallVector<Tensor>>>
interpretRanks(ArrayRef<FunctionOpInterface> programs,
               ArrayRef<SmallVector<Tensor>> inputs,
               const InterpreterOptions &options = {},
               RankRunReport *report = nullptr);

/// Runs a sharded program (IR/Exchange.h) on whole inputs: cuts each as the
/// ranks' arguments say, runs all ranks, and puts the results together. An
/// error at the module where it is not cut for ranks, where the parts of a
/// result leave a gap, and where ranks disagree about a place that they share.
FailureOr<SmallVector<Tensor>>
interpretSharded(ModuleOp module, StringRef program, ArrayRef<Tensor> inputs,
                 const InterpreterOptions &options = {},
                 RankRunReport *report = nullptr);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERPRETER_RANKRUNS_H
