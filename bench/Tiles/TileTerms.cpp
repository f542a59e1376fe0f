//===- TileTerms.cpp - Tile sizes by rewriting ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A symbol is a record of numbers, interned. A rule is a pattern of one node, a
// task, and a function that makes other nodes of its record.
//
//===----------------------------------------------------------------------===//

#include "TileTerms.h"

#include "../../test/EGraph/DagCost.h"

#include "TensorAccess/EGraph/Extraction.h"
#include "llvm/Support/ErrorHandling.h"

#include <chrono>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::bench;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static int64_t roundUp(int64_t a, int64_t b) { return ((a - 1) / b + 1) * b; }

namespace {

/// What a symbol stands for.
struct Record {
  enum Kind { Task, Loop, Bring, Copy, Run, Slice, Join, RunSlice };
  int64_t kind = Task, product = 0;
  /// Sizes of a task, and of a tile that is brought. Of a slice: where it
  /// begins and ends.
  std::array<int64_t, 6> sizes = {};
  /// Which operands are there, and bytes that they take.
  int64_t there = 0, bytes = 0, isPadded = 0, operand = -1, panel = 0;
  auto tie() const {
    return std::tie(kind, product, sizes, there, bytes, isPadded, operand,
                    panel);
  }
  bool operator<(const Record &o) const { return tie() < o.tie(); }
};

/// Symbols with meanings and costs, and rules on them.
class TileGraph {
public:
  TileGraph(const TileMachine &machine, const std::vector<Product> &products,
            const RewritingOptions &options)
      : machine(machine), products(products), options(options) {}

  std::optional<ClassId> add(const Record &record,
                             llvm::ArrayRef<ClassId> operands = {}) {
    auto [it, isNew] = symbols.try_emplace(record, records.size());
    if (isNew) {
      records.push_back(record);
      table.addSymbol(operands.size());
    }
    return table.add(it->second, operands);
  }
  void addRule(const char *name,
               std::function<bool(const Record &, ClassId)> apply);
  void makeTaskRules();
  void makeSliceRules();
  double getCost(const Record &record) const;
  /// The sizes that all tasks of a product come from.
  std::array<int64_t, 3> getTotal(const Record &task) const;
  Rewritten saturate();
  void extract(Rewritten &result, Extractor extractor);
  void readNests(Rewritten &result, const ExtractionGraph &graph,
                 const Extraction &best) const;

  const TileMachine &machine;
  const std::vector<Product> &products;
  const RewritingOptions &options;
  NodeTable table;
  std::vector<ClassId> roots;

private:
  bool merge(ClassId root, std::optional<ClassId> other) {
    if (other)
      table.merge(root, *other);
    return bool(other);
  }
  bool split(const Record &task, ClassId root, int dim);
  bool bring(const Record &task, ClassId root, int operand, bool isCopied);

  std::map<Record, SymbolId> symbols;
  std::vector<Record> records;
  std::vector<TableRule> rules;
};

} // namespace

void TileGraph::addRule(const char *name,
                        std::function<bool(const Record &, ClassId)> apply) {
  Pattern pattern;
  pattern.addRoot(
      pattern.addNode(std::make_shared<SymbolSet>([this](SymbolId symbol) {
                        return records[symbol].kind == Record::Task ||
                               records[symbol].kind == Record::Slice;
                      }),
                      {}));
  std::string problem;
  std::optional<MatchProgram> program = MatchProgram::compile(pattern, problem);
  if (!program)
    llvm::report_fatal_error(llvm::StringRef(problem));
  rules.push_back(
      {name, *program,
       [this, apply = std::move(apply)](const Match &match, NodeTable &) {
         const Record task = records[match.symbols[0]];
         return apply(task, match.classes[0]);
       }});
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

bool TileGraph::split(const Record &task, ClassId root, int dim) {
  if (task.there == 7)
    return true;
  // Nothing is gained by blocks smaller than the array.
  const int64_t least = dim == K   ? machine.array.rows
                        : dim == N ? machine.array.cols
                                   : 1;
  int64_t rest = task.sizes[dim];
  for (int64_t prime = 2; prime * prime <= rest || rest > 1; ++prime) {
    if (prime > 2 && options.splits == Splits::Halves)
      break;
    if (prime * prime > rest)
      prime = rest;
    if (rest % prime != 0)
      continue;
    while (rest % prime == 0)
      rest /= prime;
    if (task.sizes[dim] / prime < std::min(least, task.sizes[dim]))
      continue;
    Record part = task;
    part.sizes[dim] /= prime;
    Record loop;
    loop.kind = Record::Loop;
    loop.sizes[0] = dim;
    loop.sizes[1] = prime;
    std::optional<ClassId> inner = add(part);
    if (!inner || !merge(root, add(loop, {*inner})))
      return false;
  }
  return true;
}

bool TileGraph::bring(const Record &task, ClassId root, int operand,
                      bool isCopied) {
  if (task.there >> operand & 1)
    return true;
  const int64_t rows = task.sizes[kRows[operand]],
                cols = task.sizes[kCols[operand]], bytes = 4 * rows * cols;
  Record there = task;
  there.there |= int64_t(1) << operand;
  if (options.capacity == Capacity::Thirds) {
    if (3 * bytes > machine.scratchpad)
      return true;
  } else {
    there.bytes += bytes;
    if (there.bytes > machine.scratchpad)
      return true;
  }
  std::optional<ClassId> inner = add(there);
  if (!inner)
    return false;
  Record node = task;
  node.kind = Record::Bring;
  node.operand = operand;
  node.bytes = 0;
  node.panel = isCopied ? cols : 0;
  if (!isCopied)
    return merge(root, add(node, {*inner}));
  // Products of one source share a copy.
  Record copy;
  copy.kind = Record::Copy;
  copy.product = products[task.product].source;
  copy.sizes[M] = products[task.product].sizes[M];
  copy.panel = cols;
  std::optional<ClassId> made = add(copy);
  return made && merge(root, add(node, {*inner, *made}));
}

void TileGraph::makeTaskRules() {
  const char *splits[] = {"split-rows", "split-depth", "split-columns"};
  for (int dim : {M, K, N})
    addRule(splits[dim], [this, dim](const Record &task, ClassId root) {
      return split(task, root, dim);
    });
  addRule("pad", [this](const Record &task, ClassId root) {
    Record padded = task;
    padded.isPadded = 1;
    padded.sizes[K] = roundUp(task.sizes[K], machine.array.rows);
    padded.sizes[N] = roundUp(task.sizes[N], machine.array.cols);
    // Of the whole product, where that changes anything.
    const std::array<int64_t, 3> &sizes = products[task.product].sizes;
    if (task.there != 0 || task.isPadded ||
        !std::equal(sizes.begin(), sizes.end(), task.sizes.begin()) ||
        padded.sizes == task.sizes)
      return true;
    return merge(root, add(padded));
  });
  const char *brings[] = {"bring-a", "bring-b", "bring-c"};
  for (int operand : {A, B, C})
    addRule(brings[operand], [this, operand](const Record &task, ClassId root) {
      return bring(task, root, operand, false);
    });
  if (options.copies)
    addRule("copy-a", [this](const Record &task, ClassId root) {
      return bring(task, root, A, true);
    });
  addRule("run", [this](const Record &task, ClassId root) {
    if (task.there != 7)
      return true;
    Record run = task;
    run.kind = Record::Run;
    return merge(root, add(run));
  });
}

std::array<int64_t, 3> TileGraph::getTotal(const Record &task) const {
  std::array<int64_t, 3> sizes = products[task.product].sizes;
  if (task.isPadded) {
    sizes[K] = roundUp(sizes[K], machine.array.rows);
    sizes[N] = roundUp(sizes[N], machine.array.cols);
  }
  return sizes;
}

double TileGraph::getCost(const Record &record) const {
  auto [m, k, n, x, y, z] = record.sizes;
  auto byBytes = [&](double bytes) {
    return bytes / double(machine.bytesPerCycle);
  };
  double times = 1;
  const std::array<int64_t, 3> total = getTotal(record);
  if (record.kind == Record::Bring || record.kind == Record::Run)
    for (int dim : {M, K, N})
      times *= double(total[dim]) / double(record.sizes[dim]);
  switch (record.kind) {
  case Record::Task:
    return kInfinity;
  case Record::Bring: {
    // Sums come back, but for the first block of the depth.
    if (record.operand == C)
      times *= 2 - double(k) / double(total[K]);
    Product product = products[record.product];
    product.run = product.run >= product.sizes[K] ? total[K] : product.run;
    product.sizes = total;
    return byBytes(times * countBytes(machine, product, record.operand,
                                      record.sizes[kRows[record.operand]],
                                      record.sizes[kCols[record.operand]],
                                      record.panel != 0));
  }
  case Record::Copy:
    for (const Product &product : products)
      if (product.source == record.product && product.sizes[M] == m)
        return byBytes(countCopyBytes(machine, product, record.panel));
    llvm_unreachable("a copy has a source");
  case Record::Run:
    return times * countCycles(machine, m, k, n);
  case Record::Join:
    // Partial sums are read again.
    return record.operand == K ? byBytes(4.0 * double(m) * double(n)) : 0;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

void TileGraph::makeSliceRules() {
  const char *names[] = {"halve-rows", "halve-depth", "halve-columns"};
  for (int dim : {M, K, N})
    addRule(names[dim], [this, dim](const Record &slice, ClassId root) {
      const int64_t low = slice.sizes[2 * dim], high = slice.sizes[2 * dim + 1];
      if ((high - low) % 2 != 0 || high - low <= machine.array.rows)
        return true;
      Record first = slice, second = slice, join;
      first.sizes[2 * dim + 1] = second.sizes[2 * dim] = (low + high) / 2;
      join.kind = Record::Join;
      join.operand = dim;
      for (int d : {M, K, N})
        join.sizes[d] = slice.sizes[2 * d + 1] - slice.sizes[2 * d];
      std::optional<ClassId> a = add(first), b = add(second);
      return a && b && merge(root, add(join, {*a, *b}));
    });
  addRule("run-slice", [this](const Record &slice, ClassId root) {
    int64_t sizes[3];
    for (int d : {M, K, N})
      sizes[d] = slice.sizes[2 * d + 1] - slice.sizes[2 * d];
    const auto [m, k, n] = sizes;
    if (4 * (m * k + k * n + m * n) > machine.scratchpad)
      return true;
    Record run = slice;
    run.kind = Record::RunSlice;
    return merge(root, add(run));
  });
}

/// Of a slice that runs: the array, and its operands, each brought once.
static double getSliceCost(const TileMachine &machine, const Product &product,
                           const Record &run) {
  int64_t sizes[3];
  for (int d : {M, K, N})
    sizes[d] = run.sizes[2 * d + 1] - run.sizes[2 * d];
  double bytes = 0;
  for (int operand : {A, B, C})
    bytes += countBytes(machine, product, operand, sizes[kRows[operand]],
                        sizes[kCols[operand]], false);
  return countCycles(machine, sizes[M], sizes[K], sizes[N]) +
         bytes / double(machine.bytesPerCycle);
}

//===----------------------------------------------------------------------===//
// Saturation and extraction
//===----------------------------------------------------------------------===//

Rewritten TileGraph::saturate() {
  SaturationOptions saturation;
  saturation.mode = SaturationMode::Eager;
  saturation.limits.nodes = options.nodes;
  saturation.limits.seconds = options.seconds;
  Rewritten result;
  const double begin = now();
  SaturationStatistics statistics =
      mlir::tensoraccess::saturate(table, rules, saturation);
  result.saturateSeconds = now() - begin;
  result.nodes = statistics.nodes;
  result.classes = statistics.classes;
  result.reason = statistics.reason;
  return result;
}

void TileGraph::extract(Rewritten &result, Extractor extractor) {
  const double begin = now();
  ExtractionGraph graph(table);
  std::vector<double> costs;
  for (uint32_t node = 0; node != graph.getNumNodes(); ++node) {
    const Record &record = records[table.getSymbol(graph.getTableNode(node))];
    if (record.kind == Record::Slice)
      costs.push_back(kInfinity);
    else if (record.kind == Record::RunSlice)
      costs.push_back(getSliceCost(machine, products[record.product], record));
    else
      costs.push_back(getCost(record));
  }
  std::vector<uint32_t> targets;
  for (ClassId root : roots)
    targets.push_back(graph.findClass(table.find(root)));
  std::optional<Extraction> best;
  ExactOptions exact;
  exact.seconds = options.exactSeconds;
  if (extractor == Extractor::Tree)
    best = extractTree(graph, costs, targets, result.problem);
  else if (extractor == Extractor::Dag)
    best = extractDag(graph, costs, targets, {}, result.problem);
  else
    best = extractExact(graph, costs, targets, exact, result.problem);
  result.extractSeconds = now() - begin;
  if (!best)
    return;
  result.cost = extractor == Extractor::Tree
                    ? *computeDagCost(graph, costs, best->choice, targets)
                    : best->cost;
  result.lowerBound = extractor == Extractor::Tree ? 0 : best->lowerBound;
  if (records[table.getSymbol(roots[0])].kind == Record::Task)
    readNests(result, graph, *best);
}

void TileGraph::readNests(Rewritten &result, const ExtractionGraph &graph,
                          const Extraction &best) const {
  for (ClassId root : roots) {
    std::vector<Record> brought;
    for (uint32_t cls = graph.findClass(table.find(root));;) {
      const uint32_t node = best.choice[cls];
      const Record &record = records[table.getSymbol(graph.getTableNode(node))];
      if (record.kind == Record::Bring)
        brought.push_back(record);
      if (graph.getChildren(node).empty())
        break;
      cls = graph.getChildren(node)[0];
    }
    TileNest nest;
    for (int order = 0; order < 6; ++order)
      if (kOrders[order][0] == brought[0].operand &&
          kOrders[order][1] == brought[1].operand)
        nest.order = order;
    const int *operands = kOrders[nest.order];
    const int r1 = kLacks[operands[0]], r2 = kLacks[operands[1]],
              r3 = kLacks[operands[2]];
    nest.u2 = brought[0].sizes[r2];
    nest.u3 = brought[0].sizes[r3];
    nest.w1 = brought[1].sizes[r1];
    nest.s3 = brought[1].sizes[r3];
    nest.v1 = brought[2].sizes[r1];
    nest.v2 = brought[2].sizes[r2];
    for (const Record &record : brought)
      nest.isCopied |= record.panel != 0;
    result.nests.push_back(nest);
  }
}

std::vector<Rewritten>
bench::rewrite(const TileMachine &machine, const std::vector<Product> &products,
               const RewritingOptions &options,
               const std::vector<Extractor> &extractors) {
  TileGraph graph(machine, products, options);
  for (size_t i = 0; i != products.size(); ++i) {
    Record task;
    task.product = int64_t(i);
    std::copy(products[i].sizes.begin(), products[i].sizes.end(),
              task.sizes.begin());
    graph.roots.push_back(*graph.add(task));
  }
  graph.makeTaskRules();
  const Rewritten saturated = graph.saturate();
  std::vector<Rewritten> results;
  for (Extractor extractor : extractors) {
    results.push_back(saturated);
    graph.extract(results.back(), extractor);
  }
  return results;
}

Rewritten bench::rewriteSlices(const TileMachine &machine,
                               const Product &product,
                               const RewritingOptions &options) {
  const std::vector<Product> products{product};
  TileGraph graph(machine, products, options);
  Record slice;
  slice.kind = Record::Slice;
  for (int d : {M, K, N})
    slice.sizes[2 * d + 1] = product.sizes[d];
  graph.roots.push_back(*graph.add(slice));
  graph.makeSliceRules();
  Rewritten result = graph.saturate();
  graph.extract(result, Extractor::Tree);
  return result;
}
