//===- MathBench.cpp - Rules of algebra and analysis ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The terms and rules of math.rules, which the peer reads, too: after as many
// iterations there are as many nodes and classes as in egg.
//
//===----------------------------------------------------------------------===//

#include "ProcessStatus.h"
#include "TensorAccess/EGraph/Saturate.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include "benchmark/benchmark.h"

#include <cstdlib>

using namespace mlir::tensoraccess;
using llvm::StringRef;
using mlir::tensoraccess::bench::readStatus;

namespace {

/// Reads rules and terms, `(name term...)`, `name` or `?variable`.
class Reader {
public:
  explicit Reader(NodeTable &table) : table(table) {}

  void readFile(StringRef text) {
    while (!text.empty()) {
      auto [line, rest] = text.split('\n');
      text = rest;
      if (line.consume_front("term ")) {
        addTerm(line);
      } else if (line.consume_front("rule ")) {
        auto [name, equation] = line.split(' ');
        auto [from, to] = equation.split("=>");
        addRule(name, from, to);
      }
    }
  }

  std::vector<TableRule> rules;

private:
  /// Calls `leaf` for a name and `node` for a symbol over what they returned.
  template <typename Leaf, typename Node>
  static unsigned read(StringRef &text, Leaf leaf, Node node) {
    text = text.ltrim();
    if (!text.consume_front("(")) {
      StringRef name =
          text.take_until([](char c) { return c == ' ' || c == ')'; });
      text = text.drop_front(name.size());
      return leaf(name);
    }
    StringRef name = text.take_until([](char c) { return c == ' '; });
    text = text.drop_front(name.size());
    std::vector<unsigned> operands;
    while (!text.ltrim().starts_with(")"))
      operands.push_back(read(text, leaf, node));
    text = text.ltrim().drop_front();
    return node(name, operands);
  }

  SymbolId getSymbol(StringRef name, unsigned arity) {
    auto [it, isNew] = symbols.try_emplace(name, table.getNumSymbols());
    if (isNew)
      table.addSymbol(arity);
    return it->second;
  }

  void addTerm(StringRef text) {
    read(
        text,
        [&](StringRef name) { return *table.add(getSymbol(name, 0), {}); },
        [&](StringRef name, llvm::ArrayRef<unsigned> operands) {
          return *table.add(getSymbol(name, operands.size()), operands);
        });
  }

  void addRule(StringRef name, StringRef from, StringRef to) {
    Pattern pattern;
    llvm::StringMap<unsigned> variables;
    const unsigned root = read(
        from,
        [&](StringRef name) {
          if (!name.starts_with("?"))
            return pattern.addNode(getSymbol(name, 0), {});
          auto [it, isNew] = variables.try_emplace(name, 0);
          if (isNew)
            it->second = pattern.addVariable();
          return it->second;
        },
        [&](StringRef name, llvm::ArrayRef<unsigned> operands) {
          return pattern.addNode(getSymbol(name, operands.size()), operands);
        });
    pattern.addRoot(root);
    const unsigned count = pattern.getElements().size();
    TermTemplate term;
    auto add = [&](StringRef name, llvm::ArrayRef<unsigned> operands) {
      term.nodes.push_back({getSymbol(name, operands.size()),
                            {operands.begin(), operands.end()}});
      return static_cast<unsigned>(count + term.nodes.size() - 1);
    };
    term.root = read(
        to,
        [&](StringRef name) {
          return name.starts_with("?") ? variables.lookup(name) : add(name, {});
        },
        add);
    std::string problem;
    std::optional<MatchProgram> program =
        MatchProgram::compile(pattern, problem);
    if (!program)
      std::abort();
    rules.push_back({name.str(), *program, makeReplacement(term, root, count)});
  }

  NodeTable &table;
  llvm::StringMap<SymbolId> symbols;
};

void math(benchmark::State &state) {
  auto buffer = llvm::MemoryBuffer::getFile(TENSORACCESS_MATH_RULES);
  if (!buffer) {
    state.SkipWithError("the rules can't be read");
    return;
  }
  const double idle = readStatus("VmRSS");
  SaturationStatistics got;
  double memory = 0, resident = 0;
  for (auto _ : state) {
    NodeTable table;
    Reader reader(table);
    reader.readFile((*buffer)->getBuffer());
    SaturationOptions options;
    options.limits.iterations = state.range(0);
    options.limits.nodes = uint64_t(1) << 30;
    options.limits.seconds = 1000;
    got = saturate(table, reader.rules, options);
    memory = table.getMemory();
    resident = readStatus("VmRSS") - idle;
  }
  uint64_t matches = 0;
  for (const RuleStatistics &rule : got.rules)
    matches += rule.matches;
  state.counters["nodes"] = got.nodes;
  state.counters["classes"] = got.classes;
  state.counters["matches"] = matches;
  state.counters["rebuild"] = got.rebuildSeconds;
  state.counters["bytes/node"] = memory / got.nodes;
  state.counters["resident/node"] = resident * 1024 / got.nodes;
  state.counters["peak/node"] = (readStatus("VmHWM") - idle) * 1024 / got.nodes;
}

} // namespace

BENCHMARK(math)->Arg(6)->Arg(9)->Arg(10)->Arg(11)->Iterations(1)->Unit(
    benchmark::kMillisecond);
