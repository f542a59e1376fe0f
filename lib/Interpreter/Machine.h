//===- Machine.h - Functions, loops and branches on a stack -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine of Interpreter.cpp, whose loops and branches are in Control.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_MACHINE_H
#define TENSORACCESS_LIB_INTERPRETER_MACHINE_H

#include "Environment.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include <deque>

namespace mlir::tensoraccess {

/// What running an op takes beside its elements.
constexpr int64_t kOperationsPerOp = 512;

/// A function that is being run.
struct Frame {
  FunctionOpInterface function;
  Block::iterator next;
  /// The call in the frame below; null for the entry.
  Operation *call;
  Environment env;
};

class StackMachine {
public:
  StackMachine(const InterpreterOptions &options) : options(options) {}

  FailureOr<RuntimeValues> run(FunctionOpInterface entry, RuntimeValues inputs);

  /// The names of the loops and branches that it runs, StableHLO's without
  /// their dialect.
  static SmallVector<StringRef> listControl() {
    return llvm::to_vector(getControl().keys());
  }

private:
  /// Runs the last frame until it and those above it have returned, so that
  /// `depth` frames are left; what it returned.
  FailureOr<RuntimeValues> runDownTo(size_t depth);
  LogicalResult push(FunctionOpInterface function, Operation *call,
                     RuntimeValues arguments);
  /// Pushes the function that a call, or a composite, names.
  LogicalResult pushCallee(Operation *call, FlatSymbolRefAttr callee);
  FailureOr<RuntimeValues> evaluate(Operation *op, const Environment &env);
  /// Loops and branches. Their values live in the function's frame, which is
  /// as deep as the text nests them.
  FailureOr<RuntimeValues> runBlock(Block &block, Environment &env);
  /// Runs a block; does nothing for null.
  FailureOr<RuntimeValues> runChosen(Block *block, Environment &env);
  FailureOr<RuntimeValues> runAffineFor(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runAffineIf(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runFor(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runForall(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runHloControl(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runIf(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runParallel(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runRegion(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runSwitch(Operation *op, Environment &env);
  FailureOr<RuntimeValues> runWhile(Operation *op, Environment &env);
  using Control = FailureOr<RuntimeValues> (StackMachine::*)(Operation *,
                                                             Environment &);
  /// By the name of the op, StableHLO's without its dialect.
  static const llvm::StringMap<Control> &getControl();
  FailureOr<RuntimeValues> runNested(Operation *op, Environment &env);
  /// Goes to the block that a branch takes; failure if there is no such block.
  LogicalResult runBranch(Operation *op, Frame &frame);
  LogicalResult setResults(Operation *op, RuntimeValues results,
                           Environment &env);
  /// Counts operations; failure where they are too many.
  LogicalResult spend(Operation *op, int64_t count);
  void forgetAfter(Operation *op, Frame &frame);

  /// The values that no op after this one reads.
  using LastReads = DenseMap<Operation *, SmallVector<Value>>;
  const LastReads &getLastReads(FunctionOpInterface function);

  InterpreterOptions options;
  /// Frames stay where they are while others come and go.
  std::deque<Frame> frames;
  int64_t branches = 0, operations = 0;
  SymbolTableCollection symbols;
  DenseMap<Operation *, LastReads> lastReads;
};

/// The results of a map for index operands; an error at the op where they have
/// none.
FailureOr<SmallVector<int64_t>> evaluateMap(Operation *op, AffineMap map,
                                            ValueRange operands,
                                            const Environment &env);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_MACHINE_H
