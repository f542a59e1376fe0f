//===- AskMasks.cpp - What masks make idle --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each op, as if calls were inlined, the operations for elements and reads that
// do not matter (Analysis/Masks.h), the larger number of both: they need not be done,
// if what is computed is finite.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Analysis/Masks.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

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

MaskedWork tensoraccess::getMaskedWork(Dependence &dependence,
                                       FusionAnalysis &fusion) {
  MaskedWork work;
  MaskAnalysis masks(dependence);
  const FlatProgram &flat = dependence.getProgram();
  // Of an op in a loop or a function, all trips and calls together.
  llvm::MapVector<Operation *, MaskedWork::Step> ops;
  llvm::SmallPtrSet<Operation *, 8> opened;
  for (unsigned s = 0; s < flat.steps.size(); ++s) {
    const FlatStep &step = flat.steps[s];
    if (step.results.size() != 1)
      continue;
    const Bounds operations = getOperations(step.op, fusion);
    work.operations += operations;
    if (hasOpenMask(dependence, step) && opened.insert(step.op).second)
      work.open.push_back(s);
    MaskedStep share = masks.getStep(s);
    MaskedWork::Step &own = ops.try_emplace(step.op).first->second;
    if (own.times++ == 0)
      own.step = s;
    own.operations += operations;
    if (!share.elements) {
      own.share.reads = std::nullopt;
      continue;
    }
    auto add = [&](std::optional<Share> &sum,
                   const std::optional<Share> &part) {
      if (own.times == 1)
        sum = part;
      else if (sum && part)
        sum = Share{sum->part + part->part, sum->whole + part->whole};
      else
        sum = std::nullopt;
    };
    add(own.share.reads, share.reads);
    Share &elements =
        own.share.elements ? *own.share.elements : own.share.elements.emplace();
    elements.part += share.elements->part;
    elements.whole += share.elements->whole;
    if (!share.isLess())
      continue;
    auto getIdle = [&](const Share &share) {
      return operations.scaled(share.whole - share.part, share.whole);
    };
    // What both save may be the same.
    Bounds idle = getIdle(*share.elements);
    if (share.reads)
      if (Bounds other = getIdle(*share.reads); other.lower > idle.lower)
        idle = other;
    work.masked += idle;
    own.idle += idle;
    own.isMasked = true;
  }
  for (const MaskedWork::Step &step : llvm::make_second_range(ops))
    if (step.isMasked)
      work.steps.push_back(step);
  work.condition = dependence.usesFinite() ? "if all is finite" : "";
  return work;
}

std::string MaskedWork::str() const {
  return masked.str() + " of " + operations.str() + " operations" +
         (condition.empty() ? "" : ", ") + condition.str();
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
  const FlatProgram &flat = dependence->getProgram();
  const MaskedWork work = getMaskedWork(*dependence, program.getFusion());
  for (const MaskedWork::Step &masked : work.steps) {
    Operation *op = flat.steps[masked.step].op;
    if (!isAsked(op))
      continue;
    ExplainRow &row =
        section.rows.emplace_back(makeRow(program, program.makeStep(op)));
    row.add("operations masked", masked.idle)
        .add("operations", masked.operations)
        .add("elements that matter",
             Bounds::exactly(masked.share.elements->part))
        .add("elements", Bounds::exactly(masked.share.elements->whole));
    if (masked.share.reads)
      row.add("reads that matter", Bounds::exactly(masked.share.reads->part))
          .add("reads", Bounds::exactly(masked.share.reads->whole));
  }
  sortRows(section, "operations masked");
  section.summary = work.str();
  if (section.rows.empty())
    section.summary = work.open.empty()
                          ? "nothing: no mask makes operations idle"
                          : "unknown";
  // Masks that the run decides, and what the first of them depends on.
  if (!work.open.empty())
    section.summary += (section.rows.empty() ? ": " : "; ") +
                       plural(work.open.size(), "mask") +
                       (work.open.size() == 1 ? " is" : " are") +
                       " known only at run time: that of " +
                       program.getName(flat.steps[work.open[0]].op) +
                       " depends on " +
                       getMaskSources(program, flat, work.open[0]);
  return section;
}
