//===- Contracts.h - What a function may depend on --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_CONTRACTS_H
#define TENSORACCESS_ANALYSIS_CONTRACTS_H

#include "TensorAccess/Analysis/Dependence.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What a function may depend on
//
// A *contract* names pairs (output element, input element) that must not
// matter:
//
//   causal(result 0 dim 1, arg 0 dim 1)        the future: input > output
//   independent(result 0 dim 0, arg 0 dim 0)   other members of a batch
//   within(result 0 dim 1, arg 0 dim 1, 4)     farther away than 4
//   within(result 0 dim 1, arg 0 dim 1, 4, 0)  the past by 4, the future by 0
//   ignores(arg 2)                             all of it
//   ignores(arg 0 dim 1 in [0, 3])             a part
//   ignores(arg 0 where arg 1 == 0)            padding
//   ignores(result 0 where arg 1 != 0, arg 0 where arg 1 == 0)
//   segments(arg 1)                            other members of a packed row
//   (d0, d1)[s0] -> (d0, s0), domain: ...      all but what the map reads, of
//                                              result 0 and argument 0
//   result 0, arg 1: (d0) -> (d0), ...         the same of others
//
// `where` and `segments` refer to the values of an argument: to any element of
// it that is 0, to any two that differ. These are parameters of the proof.
//
//   ContractProver prover(function, cache);
//   auto contract = Contract::parse(text, function, error);
//   ContractAnswer answer = prover.prove(*contract);
//
// Proved means: a run in which only elements that must not matter change gives
// the same numbers, if the condition holds. The analysis itself never refutes:
// a violation is what it could not exclude, and shows where a run may find a
// witness.
//===----------------------------------------------------------------------===//

struct Contract {
  enum class Kind : uint8_t {
    Causal,
    Independent,
    Within,
    Ignores,
    Segments,
    Reads
  };
  Kind kind = Kind::Causal;
  std::string text;
  /// All results if absent.
  std::optional<unsigned> result;
  unsigned resultDim = 0, argument = 0, argumentDim = 0;
  /// Within: how far back and ahead.
  int64_t past = 0, future = 0;
  /// Ignores: indices of `argumentDim`.
  std::optional<Interval> interval;
  /// Ignores: places where this argument is `number`; with outputs only where
  /// it is not.
  std::optional<unsigned> where;
  int64_t number = 0;
  bool isOutputWhere = false;
  /// Reads.
  IndexingMap map;

  /// std::nullopt and `error` if the text is not a contract, or names something
  /// the function does not have: `arg 3: there are 2 arguments`.
  static std::optional<Contract>
  parse(StringRef text, FunctionOpInterface function, std::string &error);
};

/// Bounds of the elements of an argument: `|arg 0| <= 1e4`, `arg 1 in [0, 1]`.
/// Several are separated by commas.
struct Assumption {
  unsigned argument = 0;
  double low = 0, high = 0;
  std::string text;

  static std::optional<std::vector<Assumption>>
  parse(StringRef text, FunctionOpInterface function, std::string &error);
};

/// Pairs that must not matter.
struct Obligation {
  unsigned result = 0, argument = 0;
  /// Regions of the result's indices, then the argument's.
  SmallVector<IndexingMap, 2> forbidden;
  /// Used instead: what may be read.
  std::optional<IndexingMap> allowed;
};

/// What a contract requires of a function.
std::vector<Obligation> getObligations(const Contract &contract,
                                       FunctionOpInterface function);

/// Pairs that must not matter and that could not be excluded.
struct Violation {
  unsigned result = 0, argument = 0;
  /// From the result's indices to themselves and the argument's; may be empty.
  IndexingMap pairs;
  /// The op through which they come; null if unknown.
  Operation *op = nullptr;
  /// It contains more than what is read, because of this op's reads.
  bool isHull = false;
};

struct ContractAnswer {
  bool isProved = false;
  /// If proved: `if finite`, `if finite and |arg 0| <= 1e4`, or empty.
  std::string condition;
  /// If not proved: a sentence.
  std::string reason;
  std::vector<Violation> violations;
};

class ContractProver {
public:
  ContractProver(FunctionOpInterface function, IndexingCache &cache,
                 std::vector<Assumption> assumptions = {})
      : function(function), cache(cache), assumptions(std::move(assumptions)) {}

  ContractAnswer prove(const Contract &contract);

private:
  /// What is assumed in addition to what the contract promises.
  enum Level : unsigned { Always, Finite, Bounded };

  /// With loops as they are, or unrolled.
  ContractAnswer prove(const Contract &contract, bool unrolls);
  Dependence *getDependence(const Contract &contract, Level level, bool unrolls,
                            std::unique_ptr<Dependence> &own);
  /// If `isQuick`, one is enough, and parts of a proof that don't hold are one.
  std::vector<Violation> findViolations(const Contract &contract,
                                        Dependence &dependence, bool isQuick);
  bool holdsByParts(const Contract &contract, Dependence &dependence,
                    unsigned result);
  Operation *findOp(const Contract &contract, Dependence &dependence,
                    const Violation &violation, unsigned pattern);

  FunctionOpInterface function;
  IndexingCache &cache;
  std::vector<Assumption> assumptions;
  /// Without promises; the first with loops as they are.
  std::unique_ptr<Dependence> plain[2][3];
  /// Whether unrolling might say more.
  bool keepsLoops = false;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_CONTRACTS_H
