//===- Saturate.cpp - Rules until nothing is new --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Saturation.h"
#include "TensorAccess/Core/Progress.h"

#include "TensorAccess/EGraph/Saturate.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

ApplyFunction mlir::tensoraccess::makeReplacement(TermTemplate term,
                                                  unsigned element,
                                                  unsigned numElements) {
  auto said = std::make_shared<const Replacement>(
      Replacement{std::move(term), element, numElements});
  ApplyFunction apply = [said](const Match &match, NodeTable &table) {
    const auto &[term, element, numElements] = *said;
    SmallVector<ClassId, 8> made;
    auto classOf = [&, numElements = numElements](unsigned i) {
      return i < numElements ? match.classes[i] : made[i - numElements];
    };
    SmallVector<ClassId, 4> operands;
    for (const TermTemplate::Node &node : term.nodes) {
      operands.clear();
      for (unsigned operand : node.operands)
        operands.push_back(classOf(operand));
      std::optional<ClassId> id = table.add(node.symbol, operands);
      if (!id)
        return false;
      made.push_back(*id);
    }
    table.merge(match.classes[element], classOf(term.root));
    return true;
  };
  apply.replacement = std::move(said);
  return apply;
}

std::optional<std::string>
mlir::tensoraccess::verify(const SaturationOptions &options) {
  const SaturationLimits &limits = options.limits;
  for (auto [what, value] : {std::pair("iterations", limits.iterations),
                             {"nodes", limits.nodes},
                             {"matches", limits.matches},
                             {"bytes", limits.bytes},
                             {"matches of a rule", options.matchLimit},
                             {"iterations of a ban", options.banLength}})
    if (value == 0)
      return std::string("the limit of ") + what + " must be positive, got 0";
  if (options.scheduler == SchedulerKind::Phases && options.phases.empty())
    return "scheduling by phases needs a phase";
  for (const RulePhase &phase : options.phases)
    if (phase.iterations == 0)
      return "the limit of iterations of a phase must be positive, got 0";
  // A NaN is not a limit, either.
  if (!(limits.seconds > 0)) {
    std::string problem = "the limit of seconds must be positive, got ";
    llvm::raw_string_ostream(problem) << llvm::format("%g", limits.seconds);
    return problem;
  }
  return std::nullopt;
}

llvm::StringRef mlir::tensoraccess::describe(StopReason reason) {
  switch (reason) {
  case StopReason::Saturated:
    return "saturated";
  case StopReason::Iterations:
    return "the limit of iterations is reached";
  case StopReason::Nodes:
    return "the limit of nodes is reached";
  case StopReason::Matches:
    return "the limit of matches is reached";
  case StopReason::Bytes:
    return "the limit of bytes is reached";
  case StopReason::Time:
    return "the limit of time is reached";
  case StopReason::Contradiction:
    return "equal classes contradict each other";
  }
  llvm_unreachable("unknown reason");
}

/// Merges whose consequences wait. Many would let terms be made that turn out
/// to be there; few would go through the parents of a class again and again.
static constexpr size_t kMergesBeforeRebuild = 64;

bool Saturation::checkLimits(bool isLate) {
  const SaturationLimits &limits = options.limits;
  if (hasContradiction())
    return stop(StopReason::Contradiction);
  if (table.getNumNodes() >= limits.nodes || table.isFullOfNodes())
    return stop(StopReason::Nodes);
  if (numMatches >= limits.matches)
    return stop(StopReason::Matches);
  if (!isLate)
    return true;
  progress.set(static_cast<int64_t>(table.getNumNodes()));
  if (table.getMemory() > limits.bytes)
    return stop(StopReason::Bytes);
  if (!(secondsSince(begin) <= limits.seconds) || isCancelled())
    return stop(StopReason::Time);
  return true;
}

void Saturation::noteRefusal(RuleStatistics &statistic) {
  if (statistic.refused++ == 0)
    statistic.refusal = table.getRefusal()->why;
  table.forgetRefusal();
}

bool Saturation::apply(size_t index, const Match &match) {
  const size_t nodes = table.getNumNodes(), classes = table.getNumClasses();
  const size_t refusals = table.getNumRefusals();
  ++numMatches;
  ++statistics.rules[index].matches;
  if (options.explainer)
    options.explainer->begin(index, rules[index].program, match);
  const bool isApplied = rules[index].apply(match, table);
  if (options.explainer)
    options.explainer->end();
  if (!isApplied)
    return stop(table.isFullOfNodes() ? StopReason::Nodes : StopReason::Bytes);
  if (table.getNumRefusals() != refusals)
    noteRefusal(statistics.rules[index]);
  if (table.getNumNodes() != nodes || table.getNumClasses() != classes) {
    ++statistics.rules[index].applied;
    isChanged = true;
  }
  if (options.mode == SaturationMode::Snapshots &&
      table.getNumLost() >= kMergesBeforeRebuild)
    table.rebuild();
  return checkLimits(
      /*isLate=*/rules[index].isCostly || numMatches % 256 == 0);
}

bool Saturation::applyGroup(size_t index, MatchGroup &group,
                            llvm::function_ref<bool(const Match &)> applyOne) {
  group.look(table);
  for (unsigned i = 0; i < group.getSize(); ++i) {
    if (!group.isKnown(i)) {
      if (!applyOne({group.get(i), {}}))
        return false;
      continue;
    }
    ++numMatches;
    ++statistics.rules[index].matches;
    if (!checkLimits(/*isLate=*/numMatches % 256 == 0))
      return false;
  }
  group.clear();
  return true;
}

bool Saturation::runProgram(size_t index, bool onlyNew) {
  const TableRule &rule = rules[index];
  auto mayGoOn = [&] { return checkLimits(/*isLate=*/true); };
  auto applyOne = [&](const Match &match) { return apply(index, match); };
  if (!isGrouped(rule))
    return rule.program.run(table, applyOne, onlyNew, mayGoOn);
  MatchGroup group(*rule.apply.replacement);
  auto keep = [&](const Match &match) {
    group.push(match.classes);
    return !group.isFull() || applyGroup(index, group, applyOne);
  };
  return rule.program.run(table, keep, onlyNew, mayGoOn) &&
         applyGroup(index, group, applyOne);
}

/// value · 2^count, or the largest number.
static uint64_t shift(uint64_t value, uint64_t count) {
  constexpr uint64_t most = ~uint64_t(0);
  return count > 63 || value > most >> count ? most : value << count;
}

bool Saturation::applyRule(size_t index, uint64_t iteration) {
  const TableRule &rule = rules[index];
  RuleStatistics &statistic = statistics.rules[index];
  const Clock::time_point started = Clock::now();
  const bool onlyNew =
      options.isIncremental && iteration != 0 && seen[index] == iteration;
  if (options.scheduler != SchedulerKind::Backoff) {
    runProgram(index, onlyNew);
    seen[index] = iteration + 1;
    statistic.seconds += secondsSince(started);
    return true;
  }

  Ban &ban = bans[index];
  if (iteration < ban.until) {
    ++statistic.bans;
    return false;
  }
  const uint64_t limit = shift(options.matchLimit, ban.count);
  waiting.clear();
  // All matches count, those that are new are applied.
  uint64_t count = 0, numWaiting = 0;
  size_t width = 0, numClasses = 0;
  auto keep = [&](const Match &match) {
    if (++count > limit)
      return false;
    if (onlyNew && !match.isNew)
      return true;
    ++numWaiting;
    numClasses = match.classes.size();
    width = numClasses + match.symbols.size();
    waiting.insert(waiting.end(), match.classes.begin(), match.classes.end());
    waiting.insert(waiting.end(), match.symbols.begin(), match.symbols.end());
    return true;
  };
  if (!rule.program.run(table, keep, /*onlyNew=*/false,
                        [&] { return checkLimits(/*isLate=*/true); }) &&
      isStopped)
    return false;
  if (count > limit) {
    ban.until =
        llvm::SaturatingAdd(iteration + 1, shift(options.banLength, ban.count));
    ++ban.count;
    ++statistic.bans;
    statistic.seconds += secondsSince(started);
    return false;
  }
  seen[index] = iteration + 1;
  for (uint64_t i = 0; i < numWaiting && !isStopped; ++i) {
    ArrayRef<uint32_t> match(waiting.data() + i * width, width);
    apply(index, {match.take_front(numClasses), match.drop_front(numClasses)});
  }
  statistic.seconds += secondsSince(started);
  return true;
}

void Saturation::runSnapshots() {
  auto rebuild = [&] {
    const Clock::time_point started = Clock::now();
    table.rebuild();
    statistics.rebuildSeconds += secondsSince(started);
  };
  auto takeSnapshot = [&] {
    const Clock::time_point started = Clock::now();
    table.takeSnapshot();
    statistics.rebuildSeconds += secondsSince(started);
  };
  const bool isPhased = options.scheduler == SchedulerKind::Phases;
  size_t phase = 0, numQuiet = 0;
  uint64_t phaseIterations = 0;
  while (!isStopped) {
    if (statistics.iterations == options.limits.iterations) {
      statistics.reason = StopReason::Iterations;
      break;
    }
    takeSnapshot();
    isChanged = false;
    bool isComplete = true;
    if (isPhased) {
      for (size_t i : options.phases[phase].rules)
        if (!isStopped && i < rules.size())
          applyRule(i, statistics.iterations);
    } else {
      for (size_t i = 0; i < rules.size() && !isStopped; ++i)
        isComplete &= applyRule(i, statistics.iterations);
    }
    ++statistics.iterations;
    rebuild();
    if (!isStopped && (hasContradiction() || table.isFullOfNodes()))
      checkLimits(/*isLate=*/false);
    if (isPhased) {
      numQuiet = isChanged ? 0 : numQuiet + 1;
      if (!isStopped && numQuiet == options.phases.size()) {
        statistics.reason = StopReason::Saturated;
        break;
      }
      if (!isChanged || ++phaseIterations == options.phases[phase].iterations) {
        phase = (phase + 1) % options.phases.size();
        phaseIterations = 0;
      }
      continue;
    }
    if (!isStopped && !isChanged) {
      if (isComplete) {
        statistics.reason = StopReason::Saturated;
        break;
      }
      // Nothing happens until the first ban ends.
      uint64_t next = ~uint64_t(0);
      for (const Ban &ban : bans)
        if (ban.until > statistics.iterations)
          next = std::min(next, ban.until);
      for (Ban &ban : bans)
        if (ban.until == next)
          ban.until = 0;
    }
  }
}

SaturationStatistics Saturation::run() {
  table.rebuild();
  // What a match makes ends there, too: terms that equal nothing do no harm.
  const size_t mostNodes = table.setMostNodes(options.limits.nodes);
  // A limit may be reached at once.
  if (checkLimits(/*isLate=*/true)) {
    if (options.mode == SaturationMode::Eager)
      runEager();
    else
      runSnapshots();
  }
  table.forgetSnapshot();
  table.setMostNodes(mostNodes);
  for (auto [statistic, rule] : llvm::zip_equal(statistics.rules, rules))
    statistic.name = rule.name;
  statistics.nodes = table.getNumNodes();
  statistics.classes = table.getNumClasses();
  statistics.seconds = secondsSince(begin);
  return statistics;
}

SaturationStatistics
mlir::tensoraccess::saturate(NodeTable &table, ArrayRef<TableRule> rules,
                             const SaturationOptions &options) {
  return Saturation(table, rules, options).run();
}

void mlir::tensoraccess::addRules(std::vector<RuleStatistics> &sum,
                                  llvm::ArrayRef<RuleStatistics> more) {
  sum.resize(more.size());
  for (auto [rule, other] : llvm::zip_equal(sum, more)) {
    rule.name = other.name;
    rule.matches += other.matches;
    rule.applied += other.applied;
    rule.completed += other.completed;
    rule.bans += other.bans;
    rule.refused += other.refused;
    if (rule.refusal.empty())
      rule.refusal = other.refusal;
    rule.seconds += other.seconds;
  }
}

void mlir::tensoraccess::add(SaturationStatistics &sum,
                             const SaturationStatistics &more) {
  if (sum.reason == StopReason::Saturated)
    sum.reason = more.reason;
  sum.iterations += more.iterations;
  sum.nodes += more.nodes;
  sum.classes += more.classes;
  sum.seconds += more.seconds;
  sum.rebuildSeconds += more.rebuildSeconds;
  addRules(sum.rules, more.rules);
}
