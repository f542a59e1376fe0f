//===- SaturateTerms.h - Programs by equality saturation --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass `tensoraccess-saturate` does, for callers that hold the IR and
// the rules already.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SATURATETERMS_H
#define TENSORACCESS_TRANSFORMS_SATURATETERMS_H

#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/EGraph/TermBlocks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {

/// The cost of a node that is an operation or a theory's, which is added up;
/// infinite is never. Results and leaves cost nothing.
using TermCost = std::function<double(const TermGraph &, NodeId)>;

/// 1.
double countNode(const TermGraph &graph, NodeId node);

/// Steps of arithmetic, a sum that takes a product being one with it, and 2^-20
/// for each byte that is read or written. Sizes that are not known count as 1.
double countFlops(const TermGraph &graph, NodeId node);

/// Bytes that are read and written, of a tensor with a layout as it stores them,
/// and 2^-24 for each step of arithmetic.
double countMovedBytes(const TermGraph &graph, NodeId node);

/// A cost by its name, or null: `node-count`, `flops`, `bytes`.
TermCost findTermCost(StringRef name);

/// The graph of a block, saturated.
struct SaturatedBlock {
  Block &block;
  TermGraph &graph;
  const TermBlock &terms;
  const SaturationStatistics &statistics;
  /// Saturates it again, with the same rules, after terms were added.
  std::function<void()> saturateAgain;
};

struct TermSaturationOptions {
  ArrayRef<PdlRule> rules;
  SaturationOptions saturation;
  TermCost cost = countNode;
  /// Which ops are nodes.
  std::function<bool(Operation *)> isNode = isTerm;
  /// Called for a new graph, to add theories and completions.
  std::function<void(TermGraph &)> prepare;
  /// Rules that are no PDL, made for a new graph after `prepare`. They come after
  /// `rules`, also in the statistics.
  std::function<std::vector<TableRule>(TermGraph &)> makeRules;
  /// Called for a saturated graph before anything is replaced.
  std::function<void(const SaturatedBlock &)> inspect;
  /// Only look: nothing is replaced.
  bool replaces = true;
};

/// Adds the set `access`: movement in normal form, after what `prepare` does so
/// far, and the rules on what computes read (Rewrites/ComputeRules.h).
void addAccessRules(TermSaturationOptions &options);

struct TermSaturationReport {
  /// Of all blocks: the first reason that is not `saturated`, sums of the rest.
  SaturationStatistics statistics;
  int64_t blocks = 0;
  /// Values that were replaced, and ops that were made.
  int64_t replaced = 0, made = 0;
  /// Of the blocks' terms, ops that are used several times counted once.
  double costBefore = 0, costAfter = 0;
  /// Rules contradict each other: the function is as it was. An error was
  /// emitted, and it failed, unless rounding may be to blame.
  bool isContradicted = false, isFailed = false;
};

/// Saturates every block of a function, innermost first, and replaces the terms
/// that it computes by the cheapest that are equal, where these are cheaper.
/// Ops with side effects stay where they are and what they are. Blocks of ops
/// that hide the effects of their regions are left alone.
/// Emits an error where options are wrong, or rules contradict each other; the
/// function is as it was then.
FailureOr<TermSaturationReport>
saturateTerms(FunctionOpInterface function,
              const TermSaturationOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SATURATETERMS_H
