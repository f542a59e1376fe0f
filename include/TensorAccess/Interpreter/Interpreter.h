//===- Interpreter.h - Runs programs by the reference kernels ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERPRETER_INTERPRETER_H
#define TENSORACCESS_INTERPRETER_INTERPRETER_H

#include "TensorAccess/Core/Kernels.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/MapVector.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Runs programs by the reference kernels
//===----------------------------------------------------------------------===//

/// Undefined behaviour that a run encountered: a shift by the width or more, an
/// overflow that flags exclude, a float out of the integer's range. The result
/// elements that depend on it are those that differ between two runs, one with
/// the fixed values and one with others.
struct UndefinedValues {
  /// Whether to take other values than the fixed ones; tensor.empty holds ones.
  bool takesOthers = false;
  /// The ops, each with what it did first.
  llvm::MapVector<Operation *, std::string> seen;
};

struct InterpreterOptions {
  /// Called for `systolic_array` instead of the reference kernel, for example a
  /// hardware simulator. Operands are the activations and the weights; an error
  /// is reported at the op.
  std::function<llvm::Expected<AccessPattern>(Operation *op,
                                              ArrayRef<AccessPattern> operands)>
      systolicArray;
  /// Called for `exchange`: returns the destination, whose memory belongs to
  /// the call, with what this rank receives. Without it there are no other
  /// ranks, and a message is an error.
  std::function<llvm::Expected<Tensor>(Operation *op, const Tensor &source,
                                       Tensor dest)>
      exchange;
  /// The most calls that may be open at once; deeper recursion is an error.
  int64_t maxCallDepth = 256;
  /// Branches from block to block, after which an error ends the run.
  int64_t maxBranches = int64_t(1) << 26;
  /// Operations, after which an error ends the run: one per element of a
  /// result, or per point of a product's loops, and 512 per op and per
  /// iteration of a loop, which take about as long as that many elements.
  int64_t maxOperations = std::numeric_limits<int64_t>::max();
  /// Where to add up the operations; may be null.
  int64_t *operations = nullptr;
  /// Where to record undefined values; may be null.
  UndefinedValues *undefined = nullptr;
};

/// Runs a function. Inputs are one tensor per argument: of the argument's
/// element type (`index` is i64) and of a shape that its type allows; a scalar
/// argument is a tensor of rank 0, a vector one of its shape. Integers of other
/// widths below 64 are in the next wider type, of which only their bits count.
/// Results likewise, each dense, narrow integers sign-extended. Errors are
/// reported at the op (or the function, for wrong inputs) through the context's
/// diagnostics.
FailureOr<SmallVector<Tensor>>
interpret(FunctionOpInterface entry, ArrayRef<Tensor> inputs,
          const InterpreterOptions &options = {});

/// Runs the function `entry` of a module; emits an error at the module if there
/// is none.
FailureOr<SmallVector<Tensor>>
interpret(ModuleOp module, StringRef entry, ArrayRef<Tensor> inputs,
          const InterpreterOptions &options = {});

/// The names of the ops that the interpreter runs, sorted; calls, returns and
/// terminators of regions are part of the ops they belong to.
std::vector<std::string> listInterpretedOps();

/// The range of random numbers.
enum class RandomRange {
  /// Floats in [-1, 1), integers in [-8, 7], as Core/Tensor.h defines them.
  Symmetric,
  /// Floats of p significand bits `(bits >> (65 - p))·2^(1-p) + 0.5`, uniform
  /// in [0.5, 1.5) and exact; integers `(bits >> 61) + 1`, in [1, 8]; i1 as in
  /// Symmetric.
  Positive,
  /// Like a model's arguments: float tensors of rank 0 or 1 (variances, scales)
  /// are Positive, others Symmetric times 2^-⌊log4 f⌋, f being the number of
  /// elements over the longest dimension (for a weight, how many are summed),
  /// so that sums stay near 1; all else is Symmetric.
  Model
};

/// Random inputs for a function: argument n is stream n of the seed
/// (Core/Tensor.h). The dynamic sizes are for all `?` in the arguments' types,
/// in order of appearance. Emits an error at the function if there are more or
/// fewer of them, or if tensors cannot hold a type.
FailureOr<SmallVector<Tensor>>
randomInputs(FunctionOpInterface entry, uint64_t seed,
             RandomRange range = RandomRange::Symmetric,
             ArrayRef<int64_t> dynamicSizes = {});

//===----------------------------------------------------------------------===//
// Runs the programs of several ranks
//
// The oracle for programs that are cut over ranks, without MPI: all ranks run
// in the interpreter, one at a time, each until it has to wait for a message
// that has not been sent. Scheduling does not depend on the machine, and a
// program whose ranks would deadlock ends with an error that shows which rank
// waits for which.
//===----------------------------------------------------------------------===//

/// What was sent between ranks in a run; a rank's messages to itself do not
/// count.
struct RankRunReport {
  SmallVector<int64_t> bytesSent;    ///< by rank
  SmallVector<int64_t> messagesSent; ///< by rank
};

/// Runs programs[r] as rank r, with inputs[r]; the results by rank. Errors are
/// reported at the op of the rank: everything that `interpret` reports; a
/// message to a rank that does not exist; one of another size or element type
/// than is received (`rank 0 sends 8 elements, but rank 1 receives 6`); ranks
/// that wait for one another, or for one that has ended.
FailureOr<SmallVector<SmallVector<Tensor>>>
interpretRanks(ArrayRef<FunctionOpInterface> programs,
               ArrayRef<SmallVector<Tensor>> inputs,
               const InterpreterOptions &options = {},
               RankRunReport *report = nullptr);

/// Runs a sharded program (IR/Exchange.h) on whole inputs: cuts each as the
/// ranks' arguments specify, runs all ranks, and assembles the results. Emits
/// an error at the module if it is not cut for ranks, if the parts of a result
/// leave a gap, or if ranks disagree about a place that they share.
FailureOr<SmallVector<Tensor>>
interpretSharded(ModuleOp module, StringRef program, ArrayRef<Tensor> inputs,
                 const InterpreterOptions &options = {},
                 RankRunReport *report = nullptr);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERPRETER_INTERPRETER_H
