//===- KeptTermGraph.cpp - Graphs that are kept for questions -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are extracted into clones: what is built for a choice is built in
// the block, cloned with all of it, and taken away again.
//
//===----------------------------------------------------------------------===//

#include "BlockSaturation.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<TermExtraction>
BlockSaturation::extract(Operation *root, const TermExtractionOptions &by,
                         std::string &problem) {
  extraction = &by;
  faults.clear();
  collectNodes();
  TermExtraction result;
  result.costBefore = getCostBefore();
  const bool isPlanned = plan(problem);
  result.faults = std::move(faults);
  faults.clear();
  extraction = &options.extraction;
  if (!isPlanned)
    return std::nullopt;
  result.cost = costAfter;
  result.lowerBound = std::min(lowerBound, costAfter);
  result.isOptimal = isOptimal;
  result.choice = choices.front()->choice;
  for (const std::shared_ptr<Extraction> &choice : choices)
    for (auto [mine, other] : llvm::zip_equal(result.choice, choice->choice))
      if (mine == ExtractionGraph::kNone)
        mine = other;
  llvm::DenseSet<Operation *> own;
  for (Operation &op : block)
    own.insert(&op);
  Operation *failed = nullptr;
  SmallVector<Replacement> replacements = build(failed, problem);
  if (!failed) {
    IRMapping clones;
    result.program = root->clone(clones);
    apply(replacements, &clones);
    // What was built for others is not used by a clone, either.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (!own.contains(&op)) {
        Operation *clone = clones.lookupOrNull(&op);
        if (clone && clone->use_empty())
          clone->erase();
      }
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (!own.contains(&op))
      op.erase();
  if (failed)
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Kept graphs
//===----------------------------------------------------------------------===//

struct KeptTermGraph::Impl {
  Impl(Block &block, const TermSaturationOptions &options)
      : options(options), saturation(block, this->options, report,
                                     options.saturation.limits.seconds) {}
  TermSaturationOptions options;
  TermSaturationReport report;
  BlockSaturation saturation;
};

KeptTermGraph::KeptTermGraph(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
KeptTermGraph::~KeptTermGraph() = default;

FailureOr<std::unique_ptr<KeptTermGraph>>
KeptTermGraph::make(Block &block, const TermSaturationOptions &options) {
  if (std::optional<std::string> problem = verify(options.saturation))
    return block.getParentOp()->emitError(*problem);
  auto impl = std::make_unique<Impl>(block, options);
  impl->report.statistics.rules.resize(options.rules.size());
  if (!impl->saturation.saturateBlock()) {
    if (impl->report.isFailed)
      return failure();
    return std::unique_ptr<KeptTermGraph>();
  }
  impl->saturation.collectGraph();
  return std::unique_ptr<KeptTermGraph>(new KeptTermGraph(std::move(impl)));
}

TermGraph &KeptTermGraph::getGraph() { return impl->saturation.graph; }
const SaturationStatistics &KeptTermGraph::getStatistics() const {
  return impl->report.statistics;
}
const ExtractionGraph &KeptTermGraph::getNodes() const {
  return impl->saturation.nodes;
}
std::vector<uint32_t> KeptTermGraph::getRoots() const {
  return impl->saturation.getRoots();
}
std::optional<uint32_t> KeptTermGraph::findClass(Value value) const {
  if (!impl->saturation.terms.classes.contains(value))
    return std::nullopt;
  const uint32_t cls = impl->saturation.classOf(value);
  return cls == ExtractionGraph::kNone ? std::nullopt : std::optional(cls);
}
SerializedEGraph KeptTermGraph::serialize() {
  std::vector<ClassId> roots;
  for (uint32_t root : getRoots())
    roots.push_back(getNodes().getTableClass(root));
  return mlir::tensoraccess::serialize(getGraph(), roots);
}
std::optional<TermExtraction>
KeptTermGraph::extract(Operation *root, const TermExtractionOptions &options,
                       std::string &problem) {
  if (std::optional<std::string> fault = verify(options)) {
    problem = *fault;
    return std::nullopt;
  }
  return impl->saturation.extract(root, options, problem);
}
