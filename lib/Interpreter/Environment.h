//===- Environment.h - Values of a running function -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the values of one function hold while it runs, and the functions that
// run one op each, by dialect. Scalars are tensors of rank 0. A value is never
// written again once it is set, so views may share its memory. A memref is a
// tensor, too, and the exception: its views see what is written to it, and no
// value of another type shares its memory.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_ENVIRONMENT_H
#define TENSORACCESS_LIB_INTERPRETER_ENVIRONMENT_H

#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <variant>

namespace mlir::tensor {
class ParallelInsertSliceOp;
} // namespace mlir::tensor

namespace mlir::tensoraccess {

using RuntimeValue = std::variant<Tensor, AccessPattern>;
using RuntimeValues = SmallVector<RuntimeValue, 1>;

/// The values of a function's frame.
class Environment {
public:
  void set(Value value, RuntimeValue runtimeValue) {
    values.insert_or_assign(value, std::move(runtimeValue));
  }
  void erase(Value value) { values.erase(value); }

  bool contains(Value value) const { return values.contains(value); }
  /// Every operand of an op that runs has a value.
  const RuntimeValue &get(Value value) const {
    assert(contains(value) && "the value was not computed");
    return values.find(value)->second;
  }
  const Tensor &getTensor(Value value) const {
    return std::get<Tensor>(get(value));
  }
  const AccessPattern &getPattern(Value value) const {
    return std::get<AccessPattern>(get(value));
  }
  /// A scalar integer or index.
  int64_t getInt(Value value) const { return getTensor(value).getInt({}); }
  /// Integers that are attributes or values of type index.
  SmallVector<int64_t> getInts(ArrayRef<OpFoldResult> mixed) const;

private:
  DenseMap<Value, RuntimeValue> values;
};

//===----------------------------------------------------------------------===//
// Ops by name
//===----------------------------------------------------------------------===//

/// Runs an op for the values of its operands.
using OpEvaluator = FailureOr<RuntimeValues> (*)(Operation *op,
                                                 const Environment &env);
using OpEvaluators = llvm::StringMap<OpEvaluator>;

/// Adds the function that runs ops of a type.
template <typename OpTy,
          FailureOr<RuntimeValues> (*run)(OpTy op, const Environment &env)>
void addEvaluator(OpEvaluators &evaluators) {
  evaluators[OpTy::getOperationName()] = [](Operation *op,
                                            const Environment &env) {
    return run(cast<OpTy>(op), env);
  };
}

// Those of a dialect, or of a part of one: elementwise ops (arith, math, index
// and vector.fma), ops on layouts and indices, those of linalg that are not
// structured ops, and of affine that have no region.
void addAffineEvaluators(OpEvaluators &evaluators);
void addElementwiseEvaluators(OpEvaluators &evaluators);
void addLayoutEvaluators(OpEvaluators &evaluators);
void addLinalgEvaluators(OpEvaluators &evaluators);
void addTensorEvaluators(OpEvaluators &evaluators);
/// Those of bufferization on tensors.
void addBufferizationEvaluators(OpEvaluators &evaluators);
/// Those of ops that take or make a memref, of any dialect.
void addMemoryEvaluators(OpEvaluators &evaluators);
void addVectorEvaluators(OpEvaluators &evaluators);
void addWinogradEvaluators(OpEvaluators &evaluators);

/// The names, without the dialect, of StableHLO's ops that are run.
SmallVector<StringRef> listHloOps();

/// Runs one op. Errors are reported at the op.
FailureOr<RuntimeValues> runAccessOp(Operation *op, const Environment &env,
                                     const InterpreterOptions &options);
FailureOr<RuntimeValues> runElementwiseOp(Operation *op,
                                          const Environment &env);
FailureOr<RuntimeValues> runHloOp(Operation *op, const Environment &env);
/// Any structured op of linalg.
FailureOr<RuntimeValues> runLinalgOp(Operation *op, const Environment &env);

/// Copies the source of a slice that is inserted to its place in `dest`, which
/// is written to; an error at the op if it is outside.
LogicalResult insertSliceInto(tensor::ParallelInsertSliceOp op, Tensor &dest,
                              const Environment &env);

/// Reports an op that the interpreter has no semantics for.
InFlightDiagnostic emitUnsupported(Operation *op);

/// The value, or its error reported at the op.
template <typename T>
FailureOr<T> reportAt(Operation *op, llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  return op->emitOpError(llvm::toString(value.takeError()));
}

/// reportAt for ops with one result.
template <typename T>
FailureOr<RuntimeValues> resultAt(Operation *op, llvm::Expected<T> value) {
  FailureOr<T> result = reportAt(op, std::move(value));
  if (failed(result))
    return failure();
  return RuntimeValues{std::move(*result)};
}

/// A tensor of zeros for a result of this MLIR type, whose element type must be
/// one that tensors hold.
FailureOr<Tensor> createTensorAt(Operation *op, Type elementType,
                                 ArrayRef<int64_t> shape);
/// The same for an op whose result has no values until they are written.
FailureOr<Tensor> createUnsetAt(Operation *op, Type elementType,
                                ArrayRef<int64_t> shape);

//===----------------------------------------------------------------------===//
// Values that MLIR leaves open
//
// Where a scalar op has no value, the interpreter takes a fixed one, or another
// one, as a run is asked to, and remembers the op (InterpreterOptions).
//===----------------------------------------------------------------------===//

/// What the running interpreter of this thread was asked to remember; null in
/// most runs.
UndefinedValues *&getUndefinedValues();

/// The value to take for one that op leaves open, for the reason `what`; ops of
/// StableHLO leave nothing open.
int64_t chooseUndefined(Operation *op, int64_t fixed, StringRef what);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_ENVIRONMENT_H
