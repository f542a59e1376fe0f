//===- AskMasks.cpp - What masks make idle --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op of the entry, as if calls were inlined (Analysis/Dependence.h):
//   1. Which elements of its result can matter to what the program returns? Those
//      that are known to be numbers do not, nor those that only such ones read.
//   2. Which pairs of an element and one that it reads can matter? Of a product,
//      those without a factor of zero.
// What is less than all, the larger saving of both, is masked: operations that
// need not be done, if what is computed is finite.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Analysis/Dependence.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// How many of how many.
struct Share {
  uint64_t part = 0, whole = 0;

  bool isLess() const { return part < whole; }
};
} // namespace

/// Elements of a value that can matter to some result.
static std::optional<uint64_t> countNeeded(const Dependence &dependence,
                                           unsigned value) {
  SmallVector<IndexingMap> maps;
  for (unsigned r = 0; r < dependence.getProgram().results.size(); ++r) {
    if (dependence.getLost(r))
      return std::nullopt;
    llvm::append_range(maps, dependence.getMaps(r, value));
  }
  return countUnion(maps);
}

/// Pairs of an element and one that it reads: those that can matter, of all.
static std::optional<Share> countPairs(Dependence &dependence, unsigned s,
                                       unsigned read) {
  const FlatStep &step = dependence.getProgram().steps[s];
  const IndexingSet &set =
      dependence.getCache().get(step.op).outputToInput(0, read);
  if (set.isUnknown() || set.size() != 1)
    return std::nullopt;
  std::optional<uint64_t> all = countPoints(set.getMaps()[0]);
  Share share;
  for (const IndexingMap &map : dependence.getStep(s, 0, read)) {
    std::optional<uint64_t> part = countPoints(map);
    if (!part)
      return std::nullopt;
    share.part += *part;
  }
  if (!all)
    return std::nullopt;
  share.whole = *all;
  return share;
}

/// Whether a step is a select by a mask that no fact decides, which chooses between
/// a constant and something else.
static bool hasOpenMask(const Dependence &dependence, const FlatStep &step) {
  const ValueFacts &facts = dependence.getFacts();
  return (isHlo(step.op, "select") || isa<arith::SelectOp>(step.op)) &&
         !facts.isClosed(step.reads[0]) &&
         facts.isClosed(step.reads[1]) != facts.isClosed(step.reads[2]) &&
         getElements(step.op->getOperand(0)).getMost() > 1;
}

/// The arguments that the mask of step `s` depends on, joined.
static std::string getMaskSources(const ProgramSteps &program,
                                  const FlatProgram &flat, unsigned s) {
  llvm::SmallSetVector<unsigned, 8> found;
  found.insert(flat.steps[s].reads[0]);
  for (unsigned i = s; i-- > 0;)
    if (llvm::any_of(flat.steps[i].results,
                     [&](unsigned v) { return found.contains(v); }))
      found.insert(flat.steps[i].reads.begin(), flat.steps[i].reads.end());
  SmallVector<std::string> names;
  for (unsigned v = 0; v < flat.numArguments; ++v)
    if (found.contains(v))
      names.push_back(program.getName(flat.values[v]));
  return names.empty() ? "what is known only at run time"
                       : llvm::join(names, ", ");
}

ExplainSection
tensoraccess::explainMasks(ProgramSteps &program,
                           function_ref<bool(Operation *)> isAsked) {
  ExplainSection section{"masked", "what masks make idle", {}, {}};
  FactOptions options;
  options.assumeFinite = true;
  std::unique_ptr<Dependence> dependence = Dependence::get(
      program.getEntry(), program.getFusion().getCache(), options);
  if (!dependence) {
    section.summary = "unknown: the function has no body of one block";
    return section;
  }
  Bounds all, masked;
  // Masks that the run decides, and what the first of them depends on.
  uint64_t numOpen = 0;
  std::string open;
  const FlatProgram &flat = dependence->getProgram();
  for (unsigned s = 0; s < flat.steps.size(); ++s) {
    const FlatStep &step = flat.steps[s];
    if (step.results.size() != 1)
      continue;
    ProgramStep costs = program.makeStep(step.op);
    all += costs.operations;
    if (hasOpenMask(*dependence, step) && numOpen++ == 0)
      open = "that of " + costs.name + " depends on " +
             getMaskSources(program, flat, s);
    if (dependence->getFacts().isClosed(step.results[0]))
      continue;
    const Bounds elements = getElements(step.op->getResult(0));
    std::optional<uint64_t> needed = countNeeded(*dependence, step.results[0]);
    if (!elements.isExact() || !needed)
      continue;
    Share share{*needed, elements.lower};
    // The operand of which the least can matter.
    std::optional<Share> pairs;
    for (unsigned o = 0; o < step.numOperands; ++o)
      if (!dependence->getFacts().isClosed(step.reads[o]))
        if (std::optional<Share> own = countPairs(*dependence, s, o);
            own && own->isLess() && (!pairs || own->part < pairs->part))
          pairs = own;
    if (!share.isLess() && !pairs)
      continue;
    // What both save may be the same.
    Bounds idle =
        costs.operations.scaled(share.whole - share.part, share.whole);
    if (pairs) {
      Bounds other =
          costs.operations.scaled(pairs->whole - pairs->part, pairs->whole);
      if (other.lower > idle.lower)
        idle = other;
    }
    masked += idle;
    if (!isAsked(step.op))
      continue;
    ExplainRow &row = section.rows.emplace_back(makeRow(program, costs));
    row.add("operations masked", idle)
        .add("operations", costs.operations)
        .add("elements that matter", Bounds::exactly(share.part))
        .add("elements", Bounds::exactly(share.whole));
    if (pairs)
      row.add("reads that matter", Bounds::exactly(pairs->part))
          .add("reads", Bounds::exactly(pairs->whole));
  }
  sortRows(section, "operations masked");
  section.summary = masked.str() + " of " + all.str() + " operations" +
                    (dependence->usesFinite() ? ", if all is finite" : "");
  if (section.rows.empty())
    section.summary =
        numOpen ? "unknown" : "nothing: no mask makes operations idle";
  if (numOpen)
    section.summary +=
        (section.rows.empty() ? ": " : "; ") + plural(numOpen, "mask") +
        (numOpen == 1 ? " is" : " are") + " known only at run time: " + open;
  return section;
}
