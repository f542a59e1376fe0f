//===- StableHloOps.h - What the evaluators of StableHLO share --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op is one function from its operands' tensors to its results', by the
// definition: a loop over the indices of the result (or of the updates of a
// scatter). Attributes are read and checked by Interfaces' StableHloReader.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_INTERPRETER_STABLEHLOOPS_H
#define TENSORACCESS_LIB_INTERPRETER_STABLEHLOOPS_H

#include "Scalar/ScalarProgram.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include <cstring>

namespace mlir::tensoraccess {

using HloIndex = SmallVector<int64_t, 6>;

inline void copyElement(const Tensor &from, ArrayRef<int64_t> source,
                        Tensor &to, ArrayRef<int64_t> target) {
  std::memcpy(to.getElement(target), from.getElement(source),
              byteSize(to.getElementType()));
}

/// to[low + step * x] = from[x], where `to` has that element.
void spreadElements(const Tensor &from, ArrayRef<int64_t> low,
                    ArrayRef<int64_t> step, Tensor &to);

/// A tensor for result i, whose type must be static.
FailureOr<Tensor> createHloResult(Operation *op, unsigned i = 0);

/// Reports that the op is malformed: `why`.
LogicalResult emitMalformed(Operation *op, StringRef why);

/// What `read` returns for an op; an error with its reason if that is nothing.
template <typename T>
FailureOr<T> readHlo(Operation *op,
                     std::optional<T> (*read)(const HloReader &)) {
  std::string why;
  std::optional<T> result = read({op, why});
  if (!result)
    return emitMalformed(op, why);
  return std::move(*result);
}

/// A body on scalars, ready to run.
class HloBody {
public:
  /// Region `i`, which takes a scalar for each type.
  static FailureOr<HloBody> compile(Operation *op, unsigned i,
                                    ArrayRef<Type> types, unsigned numResults,
                                    const Environment &env);
  /// The results for these arguments; they live until the next call.
  FailureOr<ArrayRef<ScalarRegister>> run(ArrayRef<ScalarRegister> arguments);
  /// Rounds what an op of the body computes to another type.
  void setType(Operation *op, ElementType type) { program.setType(op, type); }
  /// Its arguments are the registers from 0 on.
  const ScalarProgram &getProgram() const { return program; }

private:
  explicit HloBody(ScalarProgram program) : program(std::move(program)) {}

  ScalarProgram program;
  SmallVector<ScalarRegister> registers, results;
};

// The evaluators, by family; each adds its names.
void addHloReductionEvaluators(OpEvaluators &evaluators);
void addHloIndexedEvaluators(OpEvaluators &evaluators);
void addHloLapackEvaluators(OpEvaluators &evaluators);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_INTERPRETER_STABLEHLOOPS_H
