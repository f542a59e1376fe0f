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

#include "TensorAccess/EGraph/Explain.h"
#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/EGraph/TermBlocks.h"
#include "TensorAccess/Transforms/TermCosts.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {

/// Whether an op can be a node: as `isTerm`, or it is of a dialect that is not
/// loaded, and known by its name to have no effects (Models/Purity.h).
bool isPureTerm(Operation *op);

/// The graph of a block, saturated.
struct SaturatedBlock {
  Block &block;
  TermGraph &graph;
  const TermBlock &terms;
  const SaturationStatistics &statistics;
  /// Saturates it again, with the same rules, after terms were added.
  std::function<void()> saturateAgain;
  /// Which ops are nodes.
  llvm::function_ref<bool(Operation *)> isNode = isTerm;
  /// What was said so far, where it is written down, or null; the rules' names,
  /// by the numbers that equations have; the block's number.
  Explainer *explainer = nullptr;
  std::vector<std::string> ruleNames;
  unsigned number = 0;
};

/// What a saturated block's values are replaced by, before they are.
struct ReplacedTerms {
  struct Replaced {
    /// What the program computes, and what was chosen.
    TermId from, to;
    /// The operand of the block's terminator that the value is, or -1.
    int64_t result = -1;
  };
  Block &block;
  /// Of the function's blocks.
  unsigned number;
  TermGraph &graph;
  const TermBlock &terms;
  const Explainer &explainer;
  /// By the numbers that equations have.
  std::vector<std::string> ruleNames;
  std::vector<Replaced> values;
};

/// How terms are chosen (EGraph/Extraction.h). The cost is that of a DAG with
/// all of them: what is used twice counts once.
enum class ExtractionMethod : uint8_t {
  /// The best trees: fast, and what is shared is not looked for.
  Tree,
  /// Local search.
  Dag,
  /// An integer program, which begins with what `Dag` finds.
  Exact,
};
/// `tree`, `dag`, `exact`; none for anything else.
std::optional<ExtractionMethod> parseExtractionMethod(StringRef name);

struct TermExtractionOptions {
  TermCost cost = countNode;
  ExtractionMethod method = ExtractionMethod::Dag;
  /// Of `Exact`, for each choice; at 0 it is that of `Dag`.
  double seconds = 10;
  /// Whether a lower bound is looked for.
  bool isBounded = true;
  /// Whether terms that a theory can't build cost nothing less than infinity.
  /// Not needed where the cost itself says so.
  bool checksTheories = true;
};

/// None, or what is wrong with the options: `Exact` needs a solver.
std::optional<std::string> verify(const TermExtractionOptions &options);

/// A cost that is none: not a number, negative, or too large to be added up.
struct TermCostFault {
  /// `arith.addi`
  std::string op;
  CostFault::Kind kind;
  double cost = 0;
  /// Nodes of that op and kind.
  uint64_t count = 1;

  /// `the cost of 'arith.addi' must not be negative, got -1`
  std::string str() const;
};

struct TermSaturationOptions {
  ArrayRef<PdlRule> rules;
  /// The seconds are those of a function: its last block has half of them, or
  /// what the others leave. Of its share, a block's choice has what saturation
  /// leaves, but a tenth at least; then it ends with what it has.
  SaturationOptions saturation;
  TermCost cost = countNode;
  ExtractionMethod extraction = ExtractionMethod::Dag;
  /// Of `Exact`.
  double extractionSeconds = 10;
  /// Whether the report's lower bound is looked for.
  bool isBounded = true;
  /// As in TermExtractionOptions.
  bool checksTheories = true;
  /// Which ops are nodes.
  std::function<bool(Operation *)> isNode = isPureTerm;
  /// Called for a new graph, to add theories and completions.
  std::function<void(TermGraph &)> prepare;
  /// Rules that are no PDL, made for a new graph after `prepare`. They come
  /// after `rules`, also in the statistics.
  std::function<std::vector<TableRule>(TermGraph &)> makeRules;
  /// Called for a saturated graph before anything is replaced.
  std::function<void(const SaturatedBlock &)> inspect;
  /// Called with what is replaced. Where it is set, what rules say is written
  /// down, so that it can be explained.
  std::function<void(const ReplacedTerms &)> explain;
  /// Only look: nothing is replaced.
  bool replaces = true;

  TermExtractionOptions getExtraction() const {
    return {cost, extraction, extractionSeconds, isBounded,
            checksTheories};
  }
};

/// Adds the set `access`: movement in normal form, after what `prepare` does so
/// far, and the rules on what computes read (Rewrites/ComputeRules.h). Products
/// may run on the arrays of `target`, if it is given.
void addAccessRules(TermSaturationOptions &options,
                    const Target *target = nullptr);

struct TermSaturationReport {
  /// Of all blocks: the first reason that is not `saturated`, sums of the rest.
  SaturationStatistics statistics;
  int64_t blocks = 0;
  /// Values that were replaced, and ops that were made.
  int64_t replaced = 0, made = 0;
  /// For each node that ops were made for, the last of them, as long as the
  /// program is as it was left.
  SmallVector<Operation *, 0> ops;
  /// Of the blocks' terms, ops that are used several times counted once.
  double costBefore = 0, costAfter = 0;
  /// Of the blocks' terms after, what is used several times counted each time.
  double treeCost = 0;
  /// No terms of the graphs cost less.
  double lowerBound = 0;
  /// It is proven of every block that nothing costs less.
  bool isOptimal = true;
  /// Of all blocks, each op and kind once.
  std::vector<TermCostFault> faults;

  /// How much is left to gain at most, of the cost after: 0 to 1.
  double getGap() const {
    return costAfter > lowerBound ? 1 - lowerBound / costAfter : 0;
  }
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

/// What was chosen of a kept graph.
struct TermExtraction {
  /// By class of the kept nodes, or ExtractionGraph::kNone.
  std::vector<uint32_t> choice;
  /// Of what the block computes, and of what was chosen instead.
  double costBefore = 0, cost = 0, lowerBound = 0;
  bool isOptimal = false;
  std::vector<TermCostFault> faults;
  /// A clone of the root that computes it.
  OwningOpRef<Operation *> program;

  double getGap() const {
    return cost > lowerBound ? 1 - lowerBound / cost : 0;
  }
};

/// The graph of a block, saturated once and kept, to be looked at and extracted
/// from by several costs. The block must stay as it is, and what the options
/// refer to must be there as long.
class KeptTermGraph {
public:
  /// Emits an error where options are wrong; null where the block computes no
  /// terms that are used.
  static FailureOr<std::unique_ptr<KeptTermGraph>>
  make(Block &block, const TermSaturationOptions &options);
  ~KeptTermGraph();

  TermGraph &getGraph();
  const TermBlock &getTerms() const;
  const SaturationStatistics &getStatistics() const;
  /// The table's nodes as extractions number them.
  const ExtractionGraph &getNodes() const;
  /// Classes of what the block's users need, sorted.
  std::vector<uint32_t> getRoots() const;

  /// Chooses, and builds what was chosen in a clone of `root`, which the block
  /// is in. None, and `problem`, where nothing can be chosen or built.
  std::optional<TermExtraction> extract(Operation *root,
                                        const TermExtractionOptions &options,
                                        std::string &problem);

private:
  struct Impl;
  explicit KeptTermGraph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SATURATETERMS_H
