//===- SaturateTerms.h - What terms cost, by name ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SATURATETERMS_H
#define TENSORACCESS_TRANSFORMS_SATURATETERMS_H

#include "TensorAccess/Core/Systolic.h"
#include "TensorAccess/Core/Target.h"
#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/EGraph/Saturate.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

struct ComputeRuleOptions;

//===----------------------------------------------------------------------===//
// What terms cost, by name
//
// A *cost* gives each node of a graph of terms a number. Extraction adds up the
// numbers of what it chooses. Costs have names, under which passes find them,
// and what they know of the machine is a target (Core/Target.h), nothing else.
//
//   node-count  1
//   flops       steps of arithmetic
//   bytes       bytes that are read and written
//   cycles      cycles of the target, its arrays, and its memory
//
// Your own cost takes ten lines:
//
//   static double countProducts(const TermGraph &graph, NodeId node) {
//     SymbolId symbol = graph.getTable().getSymbol(node);
//     return graph.isOperation(symbol) &&
//            graph.getName(symbol).getStringRef() == "arith.muli";
//   }
//   registerTermCost("products", "products of integers",
//                    [](const Target &) { return TermCost(countProducts); });
//
// An infinite cost is never chosen. Any other that is not a number of at least
// 0 is reported with the op that it is of, and nothing is lost (Extraction.h).
//===----------------------------------------------------------------------===//

/// The cost of a node that is an operation or a theory's, which is added up;
/// infinite is never. Results and leaves cost nothing.
using TermCost = std::function<double(const TermGraph &, NodeId)>;

/// Makes a cost for a machine. What it needs of the target it copies.
using TermCostFactory = std::function<TermCost(const Target &)>;

/// What a user may want to know.
struct TermCostInfo {
  std::string name;
  /// A phrase.
  std::string summary;
};

/// Gives a cost a name, for the process. False, and nothing is done, where the
/// name is taken or empty, or there is no factory. Thread-safe.
bool registerTermCost(StringRef name, StringRef summary,
                      TermCostFactory factory);
/// All costs, by name.
std::vector<TermCostInfo> getTermCosts();
/// The cost of that name for a machine, or null.
TermCost findTermCost(StringRef name, const Target &target);
/// `unknown cost 'x'; known are bytes, cycles, …`
std::string describeUnknownCost(StringRef name);

/// 1.
double countNode(const TermGraph &graph, NodeId node);

/// What a node does, by static shapes. Sizes that are not known count as 1.
struct TermWork {
  /// Steps of arithmetic, a sum that takes a product being one with it.
  double steps = 0;
  /// What is read and written, of a tensor with a layout as it stores it.
  double bytes = 0;
  /// Of `bytes`, those that are read of access patterns.
  double patternBytes = 0;
  /// Bits of an element of the largest result, 0 without one.
  unsigned elementBits = 0;
};
TermWork getTermWork(const TermGraph &graph, NodeId node);

/// Steps, and 2^-20 for each byte.
double countFlops(const TermGraph &graph, NodeId node);

/// Bytes, and 2^-24 for each step.
double countMovedBytes(const TermGraph &graph, NodeId node);

/// Cycles of a target:
///
///   array   `systolic_array` of a size that the target has: the cycles of
///           Systolic.h, with its fill, drain, loads and accumulators, times
///           the unit's slowness; or, if that is more, its operands and results
///           once through memory. And what realising an operand takes that is
///           not a matrix in memory (im2col): the bytes of the view beyond
///           those of what it views;
///   host    anything else: its steps, a vector in a cycle; or, if that is
///           more, its tensors through memory, and patterns out of a cache that
///           is `memory_cost` times as fast. `materialize` is such a copy;
///   moving  an op or a view that only says where elements are: 2^-10 an op.
TermCost makeCycleCost(const Target &target);

//===----------------------------------------------------------------------===//
// Programs by equality saturation
//
// What the pass `tensoraccess-saturate` does, for callers that hold the IR and
// the rules already.
//===----------------------------------------------------------------------===//

/// Whether an op can be a node: as `isTerm`, or it is of a dialect that is not
/// loaded, and known by its name to have no effects (Models/Indexing.h).
bool isPureTerm(Operation *op);

/// The graph of a block, saturated.
struct SaturatedBlock {
  Block &block;
  TermGraph &graph;
  const TermBlock &terms;
  /// Those of the rules are by the numbers that equations have.
  const SaturationStatistics &statistics;
  /// Saturates it again, with the same rules, after terms were added.
  std::function<void()> saturateAgain;
  /// Which ops are nodes.
  llvm::function_ref<bool(Operation *)> isNode = isTerm;
  /// What was said so far, where it is written down, or null.
  Explainer *explainer = nullptr;
  /// Of the function's blocks.
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
  /// It has an explainer.
  const SaturatedBlock &of;
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
/// `tree`, `dag`, `exact`; std::nullopt for anything else.
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

/// std::nullopt, or what is wrong with the options: `Exact` needs a solver.
std::optional<std::string> verify(const TermExtractionOptions &options);

/// A cost that is not valid: not a number, negative, or too large to be added
/// up.
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
  TermExtractionOptions extraction;
  /// Which ops are nodes.
  std::function<bool(Operation *)> isNode = isPureTerm;
  /// Called for a new graph, to add theories and completions.
  std::function<void(TermGraph &)> prepare;
  /// Rules that are not PDL, made for a new graph after `prepare`. They come
  /// after `rules`, also in the statistics.
  std::function<std::vector<TableRule>(TermGraph &)> makeRules;
  /// Called for a saturated graph before anything is replaced.
  std::function<void(const SaturatedBlock &)> inspect;
  /// Called with what is replaced. Where it is set, what rules say is written
  /// down, so that it can be explained.
  std::function<void(const ReplacedTerms &)> explain;
};

/// Adds movement in normal form, after what `prepare` does so far, and rules on
/// what computes read (Rewrites/RuleSets.h).
void addComputeRules(TermSaturationOptions &options,
                     const ComputeRuleOptions &rules);
/// Adds the set `access`: all of these. Products may run on the arrays of
/// `target`, if it is given.
void addAccessRules(TermSaturationOptions &options,
                    const Target *target = nullptr);

/// Sets and files of rules as users name them: PDL, and the set `access`, which
/// is not PDL.
struct NamedRules {
  std::vector<PdlRule> rules;
  bool isOnAccess = false;

  /// As `loadRules` (Rewrites/RuleSets.h), which reports errors.
  static FailureOr<NamedRules> load(MLIRContext *context,
                                    std::vector<std::string> names,
                                    const PdllOptions &pdll = {});
  /// Options with these rules, which must be there as long; on the arrays of
  /// `target`, if it is given.
  void addTo(TermSaturationOptions &options,
             const Target *target = nullptr) const;
};

/// Tests the rules that are not of this project's sets (Transforms/Equivalence.h).
/// One that is refuted is an error at its place with the counterexample, and one
/// that can't be tested a warning.
LogicalResult verifyRules(ArrayRef<PdlRule> rules, ModuleOp program);

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

  /// The fraction of the cost after that is left to gain at most: 0 to 1.
  double getGap() const {
    return costAfter > lowerBound ? 1 - lowerBound / costAfter : 0;
  }
  /// Rules contradict each other: the function is as it was. An error was
  /// emitted, and it failed, unless rounding may be to blame.
  bool isContradicted = false, isFailed = false;
};

/// Saturates every block of a function, innermost first, and replaces the terms
/// that it computes by the cheapest that are equal, where these are cheaper.
/// Ops with side effects stay as and where they are. Blocks of ops
/// that hide the effects of their regions are left alone.
/// Emits an error if options are wrong, or rules contradict each other; the
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
  /// Emits an error if options are wrong; null if the block computes no
  /// terms that are used.
  static FailureOr<std::unique_ptr<KeptTermGraph>>
  make(Block &block, const TermSaturationOptions &options);
  ~KeptTermGraph();

  TermGraph &getGraph();
  const SaturationStatistics &getStatistics() const;
  /// The table's nodes as extractions number them.
  const ExtractionGraph &getNodes() const;
  /// Classes of what the block's users need, sorted.
  std::vector<uint32_t> getRoots() const;
  /// The class of a value of the block's terms, or of a leaf that they use.
  std::optional<uint32_t> findClass(Value value) const;
  /// With its roots, for pictures and files.
  SerializedEGraph serialize();

  /// Chooses, and builds what was chosen in a clone of `root`, which the block
  /// is in. std::nullopt, and `problem`, where nothing can be chosen or built.
  std::optional<TermExtraction> extract(Operation *root,
                                        const TermExtractionOptions &options,
                                        std::string &problem);

private:
  struct Impl;
  explicit KeptTermGraph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

//===----------------------------------------------------------------------===//
// Dot products become products of matrices
//
// What the pass `tensoraccess-discover-im2col` does, for callers that hold the
// IR already.
//===----------------------------------------------------------------------===//

struct Im2ColOptions {
  SaturationLimits limits;
  /// What a step of arithmetic in a product of matrices costs, and what a byte
  /// that is copied does, in steps of arithmetic elsewhere.
  double matmulStep = 1.0 / 32, copiedByte = 1.0 / 16;
};

/// What became of one dot product.
struct Im2ColReport {
  /// The flat product that it is now.
  ComputeOp op;
  /// <M | K> by <N | K>, as often as the batch has elements.
  int64_t batch = 1, m = 0, n = 0, k = 0;
  /// Sides that were materialised for it, the bytes of these copies, and the
  /// bytes of the tensors that they were copied from. INT64_MAX is that many,
  /// or more.
  int64_t copies = 0, copiedBytes = 0, sourceBytes = 0;
};

struct Im2ColResult {
  SmallVector<Im2ColReport> matmuls;
  TermSaturationReport saturation;
};

/// Rewrites the dot products of a function into products of matrices by
/// equality saturation, each where that costs less. Preserves results to the
/// last bit. Emits an error if limits are wrong.
FailureOr<Im2ColResult> discoverIm2Col(FunctionOpInterface function,
                                       const Im2ColOptions &options = {});

//===----------------------------------------------------------------------===//
// Products on systolic arrays
//
// What the passes `tensoraccess-map-to-systolic`, `tensoraccess-block-matmul`
// and `tensoraccess-expand-arrays` do, for callers that hold the IR already.
//===----------------------------------------------------------------------===//

struct SystolicMappingOptions {
  /// The arrays to choose from, each for each product. At least one, verified.
  SmallVector<SystolicArray, 1> arrays;
  SaturationLimits limits;
};

struct SystolicMappingReport {
  TermSaturationReport saturation;
  /// The array ops of the function afterwards, and what they take.
  struct Use {
    SystolicArrayOp op;
    SystolicArray array;
    SystolicCost cost;
  };
  SmallVector<Use> uses;
};

/// What a `systolic_array` on such operands takes, <B, A | K> and <B | K x N>: a
/// product for each of B, one after the other, whose loads are hidden but for
/// the first where the array is double-buffered. std::nullopt for sizes that
/// are not known, and past 2^63 - 1.
std::optional<SystolicCost> getArrayCost(const SystolicArray &array,
                                         AccessType activations,
                                         AccessType weights);

/// Rewrites the products of a function, whatever convolution or contraction
/// they are, into `systolic_array` ops, by equality saturation and for the
/// fewest cycles. Emits an error if options are wrong.
FailureOr<SystolicMappingReport>
mapToSystolic(FunctionOpInterface function,
              const SystolicMappingOptions &options);

/// Why a `blocked` array of static shape can't be written out as loops: its
/// operands, filled up to whole blocks, have more than 2^63 - 1 elements.
/// std::nullopt where it can.
std::optional<std::string> findBlockFault(SystolicArrayOp op);

/// Writes a `blocked` array out as loops over its blocks, each a
/// `systolic_array` of exactly rows x cols. Where the array's accumulators hold
/// fewer items (0: all), items are cut into pieces, each with a loop over the
/// depth of its own. Fails, without a change, for shapes that are not static and
/// those that findBlockFault names; `notifyMatchFailure` says so.
FailureOr<Value> expandBlockedArray(RewriterBase &rewriter, SystolicArrayOp op,
                                    int64_t accumulators = 0);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SATURATETERMS_H
