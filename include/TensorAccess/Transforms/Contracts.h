//===- Contracts.h - Contracts proved or refuted ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contract (Analysis/Contracts.h) is proved by the analysis, or refuted by a
// *witness*: two lists of inputs that differ only where they must not matter,
// and an element of a result that differs. A witness is run in the interpreter
// before it is shown.
//
//   ContractOptions options;
//   ContractVerdict verdict = checkContract(prover, function, contract, options);
//   if (verdict.kind == ContractVerdict::Refuted)
//     llvm::errs() << verdict.witness->str();
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_CONTRACTS_H
#define TENSORACCESS_TRANSFORMS_CONTRACTS_H

#include "TensorAccess/Analysis/Contracts.h"
#include "TensorAccess/Core/Tensor.h"

namespace mlir::tensoraccess {

struct ContractOptions {
  /// Pairs of inputs to try for a witness; 0: only prove.
  int64_t trials = 48;
  uint64_t seed = 0;
  /// Operations that all runs together may take (InterpreterOptions).
  int64_t maxOperations = int64_t(1) << 32;
};

/// Two runs that show that a contract does not hold.
struct ContractWitness {
  SmallVector<Tensor> inputs, changed;
  /// The element that differs.
  unsigned result = 0;
  SmallVector<int64_t> index;
  std::string before, after;
  /// An input element that was changed, and how many were.
  unsigned argument = 0;
  SmallVector<int64_t> place;
  int64_t numChanged = 0;

  /// `result 0 at [0, 1] is 1.5, and 2.5 if arg 0 is changed at [0, 3]`.
  std::string str() const;
};

struct ContractVerdict {
  enum Kind : uint8_t { Proved, Refuted, Unknown };
  Kind kind = Unknown;
  /// If proved: `if finite`, or empty.
  std::string condition;
  /// If not proved: a sentence.
  std::string reason;
  /// If not proved: the op through which a forbidden element comes, or null.
  Operation *op = nullptr;
  std::optional<ContractWitness> witness;
};
StringRef toString(ContractVerdict::Kind kind);

ContractVerdict checkContract(ContractProver &prover,
                              FunctionOpInterface function,
                              const Contract &contract,
                              const ContractOptions &options = {});

/// Emits an error at the op through which the forbidden element of a refuted
/// contract comes, with the witness.
InFlightDiagnostic emitRefuted(FunctionOpInterface function,
                               const Contract &contract,
                               const ContractVerdict &verdict);

/// A witness for one of the violations; std::nullopt if none was found.
std::optional<ContractWitness> findWitness(FunctionOpInterface function,
                                           const Contract &contract,
                                           ArrayRef<Violation> violations,
                                           const ContractOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_CONTRACTS_H
