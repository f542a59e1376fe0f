//===- BlockSaturation.h - A block's terms, saturated -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `saturateTerms` does to one block, and a kept graph keeps of it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_BLOCKSATURATION_H
#define TENSORACCESS_LIB_TRANSFORMS_BLOCKSATURATION_H

#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "mlir/IR/IRMapping.h"

#include <chrono>
#include <cmath>
#include <map>

namespace mlir::tensoraccess {

/// An invalid cost counts as infinite if it is NaN, and as 0 if negative.
inline double toCounted(double cost) {
  return std::isnan(cost) ? std::numeric_limits<double>::infinity()
                          : std::max(cost, 0.0);
}

class BlockSaturation {
public:
  using Clock = std::chrono::steady_clock;

  /// `seconds` are those of the block's saturation.
  BlockSaturation(Block &block, const TermSaturationOptions &options,
                  TermSaturationReport &report, double seconds,
                  unsigned number = 0)
      : block(block), number(number), options(options), report(report),
        seconds(seconds), graph(block.getParentOp()->getContext()),
        extraction(&options.extraction) {}

  void run();
  /// Reads the block and saturates; false if there is nothing to choose.
  bool saturateBlock();
  std::optional<TermExtraction> extract(Operation *root,
                                        const TermExtractionOptions &options,
                                        std::string &problem);
  std::vector<uint32_t> getRoots() const;

  /// Values of users and what they become.
  struct Replacement {
    Operation *user;
    Value value, made;
  };

private:
  friend class KeptTermGraph;
  /// What a node is, and the classes it reads.
  using NodeKey = std::pair<SymbolId, std::vector<ClassId>>;

  void collectGraph();
  void collectNodes();
  void addFault(NodeId node, CostFault::Kind kind, double cost);
  double getCost(NodeId node) const;
  std::string describeInfinite(StringRef otherwise);
  double getCostBefore() const;
  unsigned findPlace(NodeId node);
  bool isSpeculatable(NodeId node);
  NodeKey makeKey(NodeId node) const;
  void explain(ArrayRef<Replacement> replacements);
  std::shared_ptr<Extraction> choose(ArrayRef<uint32_t> roots,
                                     ArrayRef<double> nodeCosts,
                                     std::string &problem);
  bool isAvailable(const Extraction &choice, const TermBlock::User &user);
  double boundByPaths();
  /// What is left until the deadline, at least 0; infinite without one.
  double getSecondsLeft() const;
  /// Of the program's own terms, or of what was chosen, where what is used twice
  /// counts twice (TreeCosts.cpp).
  llvm::DenseMap<Value, double> getOwnTreeCosts() const;
  double getOwnTreeCost() const;
  double getChosenTreeCost() const;
  bool plan(std::string &problem);
  void addOwnCost(const TermBlock::User &user, llvm::DenseSet<uint32_t> &made);
  SmallVector<Replacement> build(Operation *&failed, std::string &problem);
  void apply(ArrayRef<Replacement> replacements, const IRMapping *clones);
  /// Sorted, each once.
  std::vector<uint32_t> classesOf(ArrayRef<Value> values) const;
  uint32_t classOf(Value value) const {
    return nodes.findClass(
        graph.getTable().find(terms.classes.find(value)->second));
  }

  Block &block;
  /// Of the function's.
  unsigned number;
  const TermSaturationOptions &options;
  TermSaturationReport &report;
  double seconds;
  /// Of the choice.
  std::optional<Clock::time_point> deadline;
  /// Null if there is nothing to explain.
  std::unique_ptr<Explainer> explainer;
  TermGraph graph;
  TermBlock terms;
  SaturationStatistics statistics;
  /// Once it is.
  std::optional<SaturatedBlock> saturated;
  NodeId importEnd = 0;
  llvm::DenseMap<Operation *, unsigned> places;
  /// The first op of the program that is a node.
  std::map<NodeKey, Operation *> ownPlaces;
  /// By symbol and the types of its operands.
  std::map<std::vector<const void *>, bool> speculatable;
  ExtractionGraph nodes;
  /// Of each node what it costs, the same with a little more for what rules
  /// made, and after which op of the block it is there.
  std::vector<double> costs, biased;
  std::vector<unsigned> after;
  /// What was chosen for each user, null if its values stay, and what all of
  /// it costs.
  SmallVector<std::shared_ptr<Extraction>> choices;
  double costAfter = 0, lowerBound = 0, bias = 0;
  bool isOptimal = false;
  /// Some nodes that rules made have no cost, since there was no time.
  bool isCurtailed = false;
  const TermExtractionOptions *extraction;
  std::vector<TermCostFault> faults;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_BLOCKSATURATION_H
