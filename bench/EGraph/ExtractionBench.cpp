//===- ExtractionBench.cpp - How cheap the chosen terms are ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ExtractionBench [--classes N] [--seconds S] [--exact S] [--write DIR]
//                   [--family NAME] [--peer PROGRAM] [FILE.json …]
//
// Prints a table for random e-graphs (RandomGraphs.h), of all families or of
// one, or for those in files:
// the DAG cost of what is chosen and the milliseconds it takes, by
//
//   tree   the least trees, as bottom-up extraction finds them;
//   sets   greedy extraction by cost sets, as it is known from the extraction
//          gym (`faster-greedy-dag`): each class keeps, of what was tried so
//          far, the best term as the set of classes in it, with their costs. A
//          node unites the sets of its children, unless its own class is in it;
//          a class that improves has its parents tried again, until none does.
//          This is written anew here, with sorted arrays as sets. It is left
//          out where the sets take more than 2 GiB or --seconds, which are 20;
//   own    extractDag, and the gap to its lower bound.
//
// --exact adds extractExact with that many seconds. --write writes the e-graphs
// as JSON into a directory. --peer is an extraction gym that was built; its
// algorithms then run on the same graphs.
//
//===----------------------------------------------------------------------===//

#include "../../test/EGraph/DagCost.h"
#include "../../test/EGraph/ReadEGraphJson.h"
#include "RandomGraphs.h"
#include "TensorAccess/EGraph/Extraction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <deque>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {

/// Greedy extraction by cost sets.
class CostSets {
public:
  CostSets(const ExtractionGraph &graph, ArrayRef<double> costs)
      : graph(graph), costs(costs), sets(graph.getNumClasses()),
        totals(graph.getNumClasses(), kInfinity), parents(sets.size()),
        isPending(graph.getNumNodes()) {
    choice.assign(graph.getNumClasses(), ExtractionGraph::kNone);
  }

  /// False where the sets get too large or it takes too long.
  bool run(double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    for (uint32_t node = 0; node != graph.getNumNodes(); ++node) {
      for (uint32_t child : graph.getChildren(node))
        parents[child].push_back(node);
      if (graph.getChildren(node).empty())
        push(node);
    }
    while (!pending.empty()) {
      const uint32_t node = pending.front();
      pending.pop_front();
      isPending[node] = false;
      if (tryNode(node))
        llvm::for_each(parents[graph.getClass(node)],
                       [&](uint32_t parent) { push(parent); });
      const std::chrono::duration<double> taken =
          std::chrono::steady_clock::now() - begin;
      if (entries > (size_t(2) << 30) / sizeof(Entry) ||
          taken.count() > seconds)
        return false;
    }
    return true;
  }

  std::vector<uint32_t> choice;

private:
  void push(uint32_t node) {
    if (isPending[node])
      return;
    isPending[node] = true;
    pending.push_back(node);
  }

  /// A class and what its node cost when the set was made.
  using Entry = std::pair<uint32_t, double>;

  bool tryNode(uint32_t node) {
    const uint32_t cls = graph.getClass(node);
    auto isBefore = [](const Entry &a, const Entry &b) {
      return a.first < b.first;
    };
    std::vector<Entry> set{{cls, costs[node]}}, next;
    for (uint32_t child : graph.getChildren(node)) {
      const std::vector<Entry> &other = sets[child];
      if (choice[child] == ExtractionGraph::kNone ||
          std::binary_search(other.begin(), other.end(), Entry(cls, 0),
                             isBefore))
        return false;
      next.clear();
      std::set_union(set.begin(), set.end(), other.begin(), other.end(),
                     std::back_inserter(next), isBefore);
      std::swap(set, next);
    }
    double total = 0;
    for (const Entry &member : set)
      total += member.second;
    if (total >= totals[cls])
      return false;
    totals[cls] = total;
    choice[cls] = node;
    entries += set.size();
    entries -= sets[cls].size();
    set.shrink_to_fit();
    sets[cls] = std::move(set);
    return true;
  }

  const ExtractionGraph &graph;
  ArrayRef<double> costs;
  /// Sorted.
  std::vector<std::vector<Entry>> sets;
  std::vector<double> totals;
  std::vector<std::vector<uint32_t>> parents;
  std::vector<bool> isPending;
  std::deque<uint32_t> pending;
  size_t entries = 0;
};

/// One row of the table.
class Row {
public:
  Row(StringRef name, const ExtractionGraph &graph, ArrayRef<double> costs,
      ArrayRef<uint32_t> roots)
      : graph(graph), costs(costs), roots(roots) {
    llvm::outs() << llvm::left_justify(name, 24)
                 << llvm::format(" %8u %8u", graph.getNumClasses(),
                                 graph.getNumNodes());
  }

  /// Runs an algorithm and prints what it costs relative to the first one.
  template <typename Function>
  void measure(Function function) {
    const auto begin = std::chrono::steady_clock::now();
    std::optional<std::vector<uint32_t>> choice = function();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - begin;
    std::optional<double> cost;
    if (choice)
      cost = computeDagCost(graph, costs, *choice, roots);
    print(cost, taken.count());
  }

  void print(std::optional<double> cost, double milliseconds) {
    if (!cost)
      llvm::outs() << "          –        –";
    else
      llvm::outs() << llvm::format(" %10.1f %8.1f", *cost, milliseconds);
    llvm::outs().flush();
  }

private:
  const ExtractionGraph &graph;
  ArrayRef<double> costs;
  ArrayRef<uint32_t> roots;
};

struct Options {
  uint32_t classes = 100000;
  double seconds = 20, exact = 0;
  std::string write, family, peer;
  std::vector<std::string> files;
};

} // namespace

/// The cost and the milliseconds that an algorithm of the gym reports.
static std::pair<std::optional<double>, double>
runPeer(StringRef program, StringRef algorithm, StringRef file) {
  llvm::SmallString<128> out;
  if (llvm::sys::fs::createTemporaryFile("extraction", "json", out))
    return {};
  const std::string nameArg = ("--extractor=" + algorithm).str(),
                    outArg = ("--out=" + out).str();
  const int code = llvm::sys::ExecuteAndWait(
      program, {program, file, nameArg, outArg}, std::nullopt, {}, 120);
  std::pair<std::optional<double>, double> result;
  if (auto text = llvm::MemoryBuffer::getFile(out); code == 0 && text) {
    if (auto value = llvm::json::parse((*text)->getBuffer())) {
      const llvm::json::Object *report = value->getAsObject();
      result = {report->getNumber("dag"),
                report->getNumber("micros").value_or(0) / 1000};
    } else {
      llvm::consumeError(value.takeError());
    }
  }
  llvm::sys::fs::remove(out);
  return result;
}

static constexpr const char *kPeers[] = {"faster-bottom-up",
                                         "faster-greedy-dag"};

static void measure(StringRef name, const ExtractionGraph &graph,
                    ArrayRef<double> costs, ArrayRef<uint32_t> roots,
                    StringRef file, const Options &options) {
  std::string problem;
  Row row(name, graph, costs, roots);
  row.measure([&]() -> std::optional<std::vector<uint32_t>> {
    if (auto got = extractTree(graph, costs, roots, problem))
      return std::move(got->choice);
    return std::nullopt;
  });
  row.measure([&]() -> std::optional<std::vector<uint32_t>> {
    CostSets sets(graph, costs);
    if (!sets.run(options.seconds))
      return std::nullopt;
    return std::move(sets.choice);
  });
  double gap = 1;
  row.measure([&]() -> std::optional<std::vector<uint32_t>> {
    auto got = extractDag(graph, costs, roots, {}, problem);
    if (!got)
      return std::nullopt;
    gap = got->getGap();
    return std::move(got->choice);
  });
  llvm::outs() << llvm::format(" %6.2f %%", 100 * gap);
  if (options.exact > 0) {
    row.measure([&]() -> std::optional<std::vector<uint32_t>> {
      ExactOptions exact;
      exact.seconds = options.exact;
      auto got = extractExact(graph, costs, roots, exact, problem);
      if (!got)
        return std::nullopt;
      gap = got->getGap();
      return std::move(got->choice);
    });
    llvm::outs() << llvm::format(" %6.2f %%", 100 * gap);
  }
  if (!options.peer.empty())
    for (const char *peer : kPeers) {
      auto [cost, milliseconds] = runPeer(options.peer, peer, file);
      row.print(cost, milliseconds);
    }
  llvm::outs() << "\n";
}

static void measureRandom(bench::Family family, const Options &options) {
  bench::RandomGraph random(family, options.classes, 1);
  llvm::SmallString<128> file(options.write);
  if (!options.write.empty()) {
    SerializedEGraph named;
    named.graph = random.graph;
    named.roots = random.roots;
    for (uint32_t cls = 0; cls != random.graph.getNumClasses(); ++cls)
      named.classes.push_back({"c" + std::to_string(cls), {}});
    for (auto [node, cost] : llvm::enumerate(random.costs))
      named.nodes.push_back({"n" + std::to_string(node), "op", cost, false});
    llvm::sys::path::append(file, std::string(getName(family)) + ".json");
    std::error_code error;
    llvm::raw_fd_ostream os(file, error);
    std::string problem;
    if (error || !writeEGraphJson(named, os, problem)) {
      llvm::errs() << file << ": " << error.message() << problem << "\n";
      std::exit(1);
    }
  }
  measure(getName(family), random.graph, random.costs, random.roots, file,
          options);
}

static void measureFile(const std::string &file, const Options &options) {
  auto text = llvm::MemoryBuffer::getFile(file);
  std::string problem;
  std::optional<SerializedEGraph> egraph;
  if (text)
    egraph = readEGraphJson((*text)->getBuffer(), problem);
  if (!egraph) {
    llvm::errs() << file << ": " << problem << "\n";
    std::exit(1);
  }
  const StringRef path = file;
  StringRef folder =
      llvm::sys::path::filename(llvm::sys::path::parent_path(path));
  const std::string name = (folder + "/" + llvm::sys::path::stem(path)).str();
  measure(StringRef(name).take_front(24), egraph->graph, egraph->getCosts(),
          egraph->roots, file, options);
}

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const StringRef argument = argv[i];
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (argument == "--classes" &&
        !StringRef(value).getAsInteger(10, options.classes))
      ++i;
    else if (argument == "--seconds" &&
             !StringRef(value).getAsDouble(options.seconds))
      ++i;
    else if (argument == "--exact" &&
             !StringRef(value).getAsDouble(options.exact))
      ++i;
    else if (argument == "--write")
      options.write = value, ++i;
    else if (argument == "--family")
      options.family = value, ++i;
    else if (argument == "--peer")
      options.peer = value, ++i;
    else
      options.files.push_back(argument.str());
  }
  llvm::outs() << "e-graph                   classes    nodes       tree       "
                  "ms       sets       ms        own       ms      gap";
  if (options.exact > 0)
    llvm::outs() << "      exact       ms      gap";
  if (!options.peer.empty())
    for (const char *peer : kPeers)
      llvm::outs() << " " << llvm::right_justify(peer, 17) << "ms";
  llvm::outs() << "\n";
  for (const std::string &file : options.files)
    measureFile(file, options);
  if (options.files.empty())
    for (bench::Family family : {bench::Family::Local, bench::Family::Uniform,
                                 bench::Family::Cyclic, bench::Family::Cover})
      if (options.family.empty() || options.family == getName(family))
        measureRandom(family, options);
  return 0;
}
