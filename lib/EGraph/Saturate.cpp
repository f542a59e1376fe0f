//===- Saturate.cpp - Rules until nothing is new --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Saturate.h"

#include <chrono>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

ApplyFunction mlir::tensoraccess::makeReplacement(TermTemplate term,
                                                  unsigned element,
                                                  unsigned numElements) {
  return [term = std::move(term), element, numElements](const Match &match,
                                                        NodeTable &table) {
    SmallVector<ClassId, 8> made;
    auto classOf = [&](unsigned i) {
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
  // A NaN is no limit, either.
  if (!(limits.seconds > 0))
    return "the limit of seconds must be positive, got " +
           std::to_string(limits.seconds);
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

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Saturation {
public:
  Saturation(NodeTable &table, ArrayRef<TableRule> rules,
             const SaturationOptions &options)
      : table(table), rules(rules), options(options), bans(rules.size()),
        contradictions(table.getNumContradictions()) {
    table.forgetRefusal();
    statistics.rules.resize(rules.size());
  }

  SaturationStatistics run();

private:
  struct Ban {
    /// The first iteration that looks at the rule again.
    uint64_t until = 0;
    uint64_t count = 0;
  };

  /// Applies the matches of a rule; false if it is left out.
  bool applyRule(size_t index, uint64_t iteration);
  /// Applies a match; false when a limit is reached.
  bool apply(size_t index, const Match &match);
  bool checkLimits();
  void noteRefusal(RuleStatistics &statistic);
  bool stop(StopReason reason) {
    statistics.reason = reason;
    isStopped = true;
    return false;
  }

  NodeTable &table;
  ArrayRef<TableRule> rules;
  const SaturationOptions &options;
  SmallVector<Ban> bans;
  SaturationStatistics statistics;
  const Clock::time_point begin = Clock::now();
  uint64_t numMatches = 0;
  const size_t contradictions;
  bool isStopped = false, isChanged = false;
  /// Matches of a rule that backoff may still leave out.
  std::vector<uint32_t> waiting;
};

} // namespace

bool Saturation::checkLimits() {
  const SaturationLimits &limits = options.limits;
  if (table.getNumContradictions() != contradictions)
    return stop(StopReason::Contradiction);
  if (table.getNumNodes() >= limits.nodes)
    return stop(StopReason::Nodes);
  if (numMatches >= limits.matches)
    return stop(StopReason::Matches);
  // These two take longer to ask.
  if (numMatches % 256 != 0)
    return true;
  if (table.getMemory() > limits.bytes)
    return stop(StopReason::Bytes);
  if (secondsSince(begin) > limits.seconds)
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
  if (!rules[index].apply(match, table))
    return stop(StopReason::Bytes);
  if (table.getNumRefusals() != refusals)
    noteRefusal(statistics.rules[index]);
  if (table.getNumNodes() != nodes || table.getNumClasses() != classes) {
    ++statistics.rules[index].applied;
    isChanged = true;
  }
  if (table.getNumLost() >= kMergesBeforeRebuild)
    table.rebuild();
  return checkLimits();
}

bool Saturation::applyRule(size_t index, uint64_t iteration) {
  const TableRule &rule = rules[index];
  RuleStatistics &statistic = statistics.rules[index];
  const Clock::time_point started = Clock::now();
  if (options.scheduler == SchedulerKind::Simple) {
    rule.program.run(table,
                     [&](const Match &match) { return apply(index, match); });
    statistic.seconds += secondsSince(started);
    return true;
  }

  Ban &ban = bans[index];
  if (iteration < ban.until) {
    ++statistic.bans;
    return false;
  }
  const unsigned shift = std::min<uint64_t>(ban.count, 40);
  const uint64_t limit = options.matchLimit << shift;
  waiting.clear();
  uint64_t count = 0;
  size_t width = 0, numClasses = 0;
  rule.program.run(table, [&](const Match &match) {
    numClasses = match.classes.size();
    width = numClasses + match.symbols.size();
    waiting.insert(waiting.end(), match.classes.begin(), match.classes.end());
    waiting.insert(waiting.end(), match.symbols.begin(), match.symbols.end());
    return ++count <= limit;
  });
  if (count > limit) {
    ban.until = iteration + 1 + (options.banLength << shift);
    ++ban.count;
    ++statistic.bans;
    statistic.seconds += secondsSince(started);
    return false;
  }
  for (uint64_t i = 0; i < count && !isStopped; ++i) {
    ArrayRef<uint32_t> match(waiting.data() + i * width, width);
    apply(index, {match.take_front(numClasses), match.drop_front(numClasses)});
  }
  statistic.seconds += secondsSince(started);
  return true;
}

SaturationStatistics Saturation::run() {
  auto rebuild = [&] {
    const Clock::time_point started = Clock::now();
    table.rebuild();
    table.takeSnapshot();
    statistics.rebuildSeconds += secondsSince(started);
  };
  rebuild();
  while (!isStopped) {
    if (statistics.iterations == options.limits.iterations) {
      statistics.reason = StopReason::Iterations;
      break;
    }
    isChanged = false;
    bool isComplete = true;
    for (size_t i = 0; i < rules.size() && !isStopped; ++i)
      isComplete &= applyRule(i, statistics.iterations);
    ++statistics.iterations;
    rebuild();
    if (!isStopped && table.getNumContradictions() != contradictions)
      stop(StopReason::Contradiction);
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
