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
// Named costs of terms
//
// A *cost* assigns a number to each node of a graph of terms. Extraction adds
// up the numbers of what it chooses. Passes look costs up by name; all they
// know about the machine is a target (Core/Target.h).
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
// 0 is reported with its op, and nothing is lost (Extraction.h).
//===----------------------------------------------------------------------===//

/// The cost of a node that is an operation or a theory's; costs are added up,
/// and an infinite one is never chosen. Results and leaves cost nothing.
using TermCost = std::function<double(const TermGraph &, NodeId)>;

/// Makes a cost for a machine. It copies what it needs from the target.
using TermCostFactory = std::function<TermCost(const Target &)>;

/// A cost's name and description.
struct TermCostInfo {
  std::string name;
  /// A phrase.
  std::string summary;
};

/// Registers a cost by name, for the whole process. Returns false and does
/// nothing if the name is taken or empty, or there is no factory. Thread-safe.
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

/// The work of a node, by static shapes. Unknown sizes count as 1.
struct TermWork {
  /// Arithmetic steps, where a product and the sum that takes it are one.
  double steps = 0;
  /// Bytes read and written; a tensor with a layout counts as it is stored.
  double bytes = 0;
  /// Those of `bytes` that are read from access patterns.
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

/// A block's graph after saturation.
struct SaturatedBlock {
  Block &block;
  TermGraph &graph;
  const TermBlock &terms;
  /// Rule statistics are indexed by the rules' numbers in equations.
  const SaturationStatistics &statistics;
  /// Saturates it again, with the same rules, after terms were added.
  std::function<void()> saturateAgain;
  /// Which ops are nodes.
  llvm::function_ref<bool(Operation *)> isNode = isTerm;
  /// What has been explained so far, if that is recorded; else null.
  Explainer *explainer = nullptr;
  /// The block's number within the function.
  unsigned number = 0;
};

/// The replacements for a saturated block's values, before they are made.
struct ReplacedTerms {
  struct Replaced {
    /// What the program computes, and what was chosen instead.
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
  /// The best trees: fast, but does not look for sharing.
  Tree,
  /// Local search.
  Dag,
  /// An integer program, which starts from the result of `Dag`.
  Exact,
};
/// `tree`, `dag`, `exact`; std::nullopt for anything else.
std::optional<ExtractionMethod> parseExtractionMethod(StringRef name);

struct TermExtractionOptions {
  TermCost cost = countNode;
  ExtractionMethod method = ExtractionMethod::Dag;
  /// For `Exact`, per choice; 0 gives the choice of `Dag`.
  double seconds = 10;
  /// Whether to look for a lower bound.
  bool isBounded = true;
  /// Whether terms that a theory can't build get an infinite cost. Not needed
  /// if the cost itself already does this.
  bool checksTheories = true;
};

/// std::nullopt, or what is wrong with the options: `Exact` needs a solver.
std::optional<std::string> verify(const TermExtractionOptions &options);

/// A cost that is not valid: not a number, negative, or too large to add up.
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
  /// The seconds are for a function: its last block has half of them, or what
  /// the others leave. A block's extraction has what saturation leaves of the
  /// block's share, but at least a tenth; it then ends with what it has found.
  SaturationOptions saturation;
  TermExtractionOptions extraction;
  /// Which ops are nodes.
  std::function<bool(Operation *)> isNode = isPureTerm;
  /// Called for a new graph, to add theories and completions.
  std::function<void(TermGraph &)> prepare;
  /// Makes rules that are not PDL for a new graph, after `prepare`. They come
  /// after `rules`, also in the statistics.
  std::function<std::vector<TableRule>(TermGraph &)> makeRules;
  /// Called for a saturated graph before anything is replaced.
  std::function<void(const SaturatedBlock &)> inspect;
  /// Called with what is replaced. If it is set, the justifications of rules
  /// are recorded, so that replacements can be explained.
  std::function<void(const ReplacedTerms &)> explain;
};

/// Adds movement in normal form, after what `prepare` already does, and rules
/// on what computes read (Rewrites/RuleSets.h).
void addComputeRules(TermSaturationOptions &options,
                     const ComputeRuleOptions &rules);
/// Adds the set `access`: all of these. Products may run on the arrays of
/// `target`, if given.
void addAccessRules(TermSaturationOptions &options,
                    const Target *target = nullptr);

/// Sets and files of rules, as users name them: PDL, and the set `access`,
/// which is not PDL.
struct NamedRules {
  std::vector<PdlRule> rules;
  bool isOnAccess = false;

  /// Like `loadRules` (Rewrites/RuleSets.h), which reports errors.
  static FailureOr<NamedRules> load(MLIRContext *context,
                                    std::vector<std::string> names,
                                    const PdllOptions &pdll = {});
  /// Adds these rules to the options, which they must outlive; on the arrays of
  /// `target`, if given.
  void addTo(TermSaturationOptions &options,
             const Target *target = nullptr) const;
};

/// Tests the rules that are not in this project's sets
/// (Transforms/Equivalence.h). A refuted rule is an error at its location with
/// the counterexample; one that can't be tested is a warning.
LogicalResult verifyRules(ArrayRef<PdlRule> rules, ModuleOp program);

struct TermSaturationReport {
  /// Over all blocks: the first reason that is not `saturated`, sums of the
  /// rest.
  SaturationStatistics statistics;
  int64_t blocks = 0;
  /// Values that were replaced, and ops that were created.
  int64_t replaced = 0, made = 0;
  /// For each node that ops were created for, the last of them; valid until the
  /// program changes.
  SmallVector<Operation *, 0> ops;
  /// Of the blocks' terms; ops that are used several times count once.
  double costBefore = 0, costAfter = 0;
  /// Of the blocks' new terms; what is used several times counts each time.
  double treeCost = 0;
  /// No terms of the graphs cost less than this.
  double lowerBound = 0;
  /// It is proven for every block that nothing costs less.
  bool isOptimal = true;
  /// Over all blocks, each op and kind once.
  std::vector<TermCostFault> faults;

  /// The largest fraction of `costAfter` that could still be saved: 0 to 1.
  double getGap() const {
    return costAfter > lowerBound ? 1 - lowerBound / costAfter : 0;
  }
  /// Rules contradict each other: the function is unchanged. An error was
  /// emitted and `isFailed` is set, or only a warning emitted if rounding may
  /// be the cause.
  bool isContradicted = false, isFailed = false;
};

/// Saturates every block of a function, innermost first, and replaces the terms
/// that it computes by the cheapest equal ones, if these are cheaper. Ops with
/// side effects stay as and where they are. Blocks of ops that hide the effects
/// of their regions are left alone. Emits an error if options are invalid, or
/// rules contradict each other; the function is then unchanged.
FailureOr<TermSaturationReport>
saturateTerms(FunctionOpInterface function,
              const TermSaturationOptions &options);

/// An extraction from a kept graph.
struct TermExtraction {
  /// By class of the kept nodes, or ExtractionGraph::kNone.
  std::vector<uint32_t> choice;
  /// For what the block computes, and for what was chosen instead.
  double costBefore = 0, cost = 0, lowerBound = 0;
  bool isOptimal = false;
  std::vector<TermCostFault> faults;
  /// A clone of the root that computes it.
  OwningOpRef<Operation *> program;

  double getGap() const {
    return cost > lowerBound ? 1 - lowerBound / cost : 0;
  }
};

/// The graph of a block, saturated once and kept for inspection and for
/// extraction by several costs. The block must not change, and what the options
/// refer to must live as long.
class KeptTermGraph {
public:
  /// Emits an error if options are invalid; null if the block computes no terms
  /// that are used.
  static FailureOr<std::unique_ptr<KeptTermGraph>>
  make(Block &block, const TermSaturationOptions &options);
  ~KeptTermGraph();

  TermGraph &getGraph();
  const SaturationStatistics &getStatistics() const;
  /// The table's nodes, as extraction numbers them.
  const ExtractionGraph &getNodes() const;
  /// Classes of the values that the block's users need, sorted.
  std::vector<uint32_t> getRoots() const;
  /// The class of a value of the block's terms, or of a leaf that they use.
  std::optional<uint32_t> findClass(Value value) const;
  /// With its roots, for pictures and files.
  SerializedEGraph serialize();

  /// Chooses, and builds what was chosen in a clone of `root`, which contains
  /// the block. std::nullopt, and `problem`, if nothing can be chosen or built.
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
// Implements the pass `tensoraccess-discover-im2col`, for callers that already
// hold the IR.
//===----------------------------------------------------------------------===//

struct Im2ColOptions {
  SaturationLimits limits;
  /// The cost of an arithmetic step in a matrix product, and of a copied byte,
  /// in units of an arithmetic step elsewhere.
  double matmulStep = 1.0 / 32, copiedByte = 1.0 / 16;
};

/// The outcome for one dot product.
struct Im2ColReport {
  /// The flat product that replaced it.
  ComputeOp op;
  /// <M | K> by <N | K>, as often as the batch has elements.
  int64_t batch = 1, m = 0, n = 0, k = 0;
  /// Sides that were materialised for it, the bytes of these copies, and the
  /// bytes of the tensors that they were copied from. INT64_MAX stands for that
  /// many or more.
  int64_t copies = 0, copiedBytes = 0, sourceBytes = 0;
};

struct Im2ColResult {
  SmallVector<Im2ColReport> matmuls;
  TermSaturationReport saturation;
};

/// Rewrites the dot products of a function into matrix products by equality
/// saturation, each only if that costs less. Preserves results bit for bit.
/// Emits an error if limits are invalid.
FailureOr<Im2ColResult> discoverIm2Col(FunctionOpInterface function,
                                       const Im2ColOptions &options = {});

//===----------------------------------------------------------------------===//
// Products on systolic arrays
//
// Implements the passes `tensoraccess-map-to-systolic`,
// `tensoraccess-block-matmul` and `tensoraccess-expand-arrays`, for callers
// that already hold the IR.
//===----------------------------------------------------------------------===//

struct SystolicMappingOptions {
  /// The arrays to choose from for each product. At least one, verified.
  SmallVector<SystolicArray, 1> arrays;
  SaturationLimits limits;
};

struct SystolicMappingReport {
  TermSaturationReport saturation;
  /// The function's array ops afterwards, and their costs.
  struct Use {
    SystolicArrayOp op;
    SystolicArray array;
    SystolicCost cost;
  };
  SmallVector<Use> uses;
};

/// The cost of a `systolic_array` on such operands, <B, A | K> and <B | K x N>:
/// one product per element of B, one after the other; if the array is
/// double-buffered, all loads but the first are hidden. std::nullopt for
/// unknown sizes, and past 2^63 - 1.
std::optional<SystolicCost> getArrayCost(const SystolicArray &array,
                                         AccessType activations,
                                         AccessType weights);

/// Rewrites the products of a function, whatever convolution or contraction
/// they come from, into `systolic_array` ops, by equality saturation,
/// minimising cycles. Emits an error if options are invalid.
FailureOr<SystolicMappingReport>
mapToSystolic(FunctionOpInterface function,
              const SystolicMappingOptions &options);

/// Why a `blocked` array of static shape can't be written out as loops: its
/// operands, padded to whole blocks, have more than 2^63 - 1 elements.
/// std::nullopt if it can.
std::optional<std::string> findBlockFault(SystolicArrayOp op);

/// Writes a `blocked` array out as loops over its blocks, each a
/// `systolic_array` of exactly rows x cols. If the array's accumulators hold
/// fewer items (0: all), items are cut into pieces, each with its own loop over
/// the depth. Fails, without a change, for shapes that are not static and those
/// that findBlockFault rejects, with the reason through `notifyMatchFailure`.
FailureOr<Value> expandBlockedArray(RewriterBase &rewriter, SystolicArrayOp op,
                                    int64_t accumulators = 0);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SATURATETERMS_H
