//===- Matcher.cpp - Patterns on a table of nodes -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which elements an instruction binds is known when it is compiled, so that
// going back to an earlier one has nothing to undo.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/Matcher.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

void SymbolSet::extend(SymbolId symbol) {
  for (SymbolId s = known.size(); s <= symbol; ++s)
    known.push_back(predicate(s));
}

unsigned Pattern::addVariable() {
  elements.emplace_back();
  return elements.size() - 1;
}

unsigned Pattern::addNode(std::shared_ptr<SymbolSet> symbols,
                          ArrayRef<unsigned> operands) {
  assert(
      llvm::all_of(operands, [&](unsigned o) { return o < elements.size(); }));
  elements.push_back({std::move(symbols), {operands.begin(), operands.end()}});
  return elements.size() - 1;
}

std::optional<MatchProgram> MatchProgram::compile(const Pattern &pattern,
                                                  std::string &problem) {
  auto refuse = [&](std::string why) {
    problem = std::move(why);
    return std::nullopt;
  };
  ArrayRef<Pattern::Element> elements = pattern.getElements();
  if (pattern.getRoots().empty())
    return refuse("a pattern needs a root");
  llvm::BitVector isOperand(elements.size());
  for (const Pattern::Element &element : elements)
    for (unsigned o : element.operands)
      isOperand.set(o);
  for (unsigned root : pattern.getRoots()) {
    if (!elements[root].symbols)
      return refuse("root " + std::to_string(root) + " is a variable");
    if (isOperand.test(root))
      return refuse("root " + std::to_string(root) +
                    " is an operand of another node");
  }

  MatchProgram program;
  program.elements.assign(elements.begin(), elements.end());
  // Elements whose class, and whose node, is known after the instructions.
  llvm::BitVector hasClass(elements.size()), hasNode(elements.size());
  auto emit = [&](Opcode opcode, unsigned element, unsigned operand) {
    Instruction instruction{opcode, element, operand, {}};
    hasClass.set(element);
    hasNode.set(element);
    for (unsigned o : elements[element].operands) {
      instruction.steps.push_back({o, hasClass.test(o)});
      hasClass.set(o);
    }
    program.instructions.push_back(std::move(instruction));
  };
  // The nodes below that are not found yet; those with most that is known
  // first, since they are the fewest.
  auto descend = [&] {
    while (true) {
      std::optional<unsigned> next;
      unsigned most = 0;
      for (unsigned e = 0; e < elements.size(); ++e) {
        if (!elements[e].symbols || !hasClass.test(e) || hasNode.test(e))
          continue;
        const unsigned known = llvm::count_if(
            elements[e].operands, [&](unsigned o) { return hasClass.test(o); });
        // Constants decide at once.
        const unsigned score = elements[e].operands.empty() ? ~0u : known + 1;
        if (!next || score > most) {
          next = e;
          most = score;
        }
      }
      if (!next)
        return;
      emit(Opcode::Bind, *next, 0);
    }
  };
  SmallVector<unsigned> roots(pattern.getRoots());
  emit(Opcode::Scan, roots.front(), 0);
  roots.erase(roots.begin());
  descend();
  while (!roots.empty()) {
    // A root with an operand that is known; else one with such an element
    // further down has to be scanned all the same.
    auto joined = llvm::find_if(roots, [&](unsigned root) {
      return llvm::any_of(elements[root].operands,
                          [&](unsigned o) { return hasClass.test(o); });
    });
    const unsigned root = joined == roots.end() ? roots.front() : *joined;
    unsigned operand = 0;
    if (joined != roots.end())
      while (!hasClass.test(elements[root].operands[operand]))
        ++operand;
    emit(joined == roots.end() ? Opcode::Scan : Opcode::Join, root, operand);
    roots.erase(joined == roots.end() ? roots.begin() : joined);
    descend();
  }
  for (unsigned e = 0; e < elements.size(); ++e)
    if (!hasClass.test(e))
      return refuse("element " + std::to_string(e) + " belongs to no root");
  return program;
}

namespace {

/// The nodes of a relation by one of their operands.
class JoinIndex {
public:
  struct Entry {
    /// The operand, where the node lies in the snapshot, and its class.
    ClassId operand;
    uint32_t at;
    ClassId id;
  };

  void build(const NodeTable &table, SymbolSet &symbols, unsigned operand) {
    ArrayRef<uint32_t> snapshot = table.getSnapshot();
    for (uint32_t at = 0; at != snapshot.size(); at += 2 + snapshot[at + 1])
      for (uint32_t n = at + 2, end = n + snapshot[at + 1]; n != end;
           n += 1 + table.getArity(snapshot[n]))
        if (symbols.contains(snapshot[n]) &&
            operand < table.getArity(snapshot[n]))
          entries.push_back({snapshot[n + 1 + operand], n, snapshot[at]});
    std::sort(entries.begin(), entries.end(),
              [](const Entry &a, const Entry &b) {
                return std::pair(a.operand, a.at) < std::pair(b.operand, b.at);
              });
  }

  const Entry &operator[](uint32_t i) const { return entries[i]; }
  std::pair<uint32_t, uint32_t> find(ClassId operand) const {
    auto range = std::equal_range(
        entries.begin(), entries.end(), Entry{operand, 0, 0},
        [](const Entry &a, const Entry &b) { return a.operand < b.operand; });
    return {range.first - entries.begin(), range.second - entries.begin()};
  }

private:
  SmallVector<Entry, 0> entries;
};

/// How far an instruction has come: of Scan and Bind the place in the snapshot
/// and where the class ends, of Join places in the index.
struct Cursor {
  uint32_t at = 0, end = 0;
  /// Of Scan the class.
  ClassId id = 0;
};

} // namespace

bool MatchProgram::run(const NodeTable &table,
                       llvm::function_ref<bool(const Match &)> found) const {
  SmallVector<ClassId, 16> classes(elements.size());
  SmallVector<SymbolId, 16> symbolsFound(elements.size());
  SmallVector<Cursor, 8> cursors(instructions.size());
  SmallVector<JoinIndex, 1> indices(instructions.size());
  const uint32_t *snapshot = table.getSnapshot().data();
  const uint32_t size = table.getSnapshot().size();
  for (auto [i, instruction] : llvm::enumerate(instructions))
    if (instruction.opcode == Opcode::Join)
      indices[i].build(table, *elements[instruction.element].symbols,
                       instruction.operand);

  // Takes a node for the element if its operands agree with what is known.
  auto bind = [&](const Instruction &instruction, uint32_t at) {
    const SymbolId symbol = snapshot[at];
    if (table.getArity(symbol) != instruction.steps.size())
      return false;
    const uint32_t *operand = snapshot + at + 1;
    for (const Step &step : instruction.steps) {
      ClassId &known = classes[step.element];
      if (!step.isCompare)
        known = *operand;
      else if (known != *operand)
        return false;
      ++operand;
    }
    symbolsFound[instruction.element] = symbol;
    return true;
  };
  auto begin = [&](size_t depth) {
    const Instruction &instruction = instructions[depth];
    Cursor &cursor = cursors[depth];
    cursor = {};
    if (instruction.opcode == Opcode::Bind) {
      ArrayRef<uint32_t> nodes = table.getNodes(classes[instruction.element]);
      cursor.at = nodes.data() - snapshot;
      cursor.end = cursor.at + nodes.size();
    } else if (instruction.opcode == Opcode::Join) {
      const unsigned known =
          elements[instruction.element].operands[instruction.operand];
      std::tie(cursor.at, cursor.end) = indices[depth].find(classes[known]);
    }
  };
  // Finds the instruction's next node; false where there is none.
  auto advance = [&](size_t depth) {
    const Instruction &instruction = instructions[depth];
    SymbolSet &symbols = *elements[instruction.element].symbols;
    Cursor &cursor = cursors[depth];
    switch (instruction.opcode) {
    case Opcode::Scan:
      while (true) {
        if (cursor.at == cursor.end) {
          if (cursor.at == size)
            return false;
          cursor.id = snapshot[cursor.at];
          cursor.end = cursor.at + 2 + snapshot[cursor.at + 1];
          cursor.at += 2;
          continue;
        }
        const uint32_t node = cursor.at;
        cursor.at += 1 + table.getArity(snapshot[node]);
        if (!symbols.contains(snapshot[node]) || !bind(instruction, node))
          continue;
        classes[instruction.element] = cursor.id;
        return true;
      }
    case Opcode::Bind:
      while (cursor.at != cursor.end) {
        const uint32_t node = cursor.at;
        cursor.at += 1 + table.getArity(snapshot[node]);
        if (symbols.contains(snapshot[node]) && bind(instruction, node))
          return true;
      }
      return false;
    case Opcode::Join:
      while (cursor.at != cursor.end) {
        const JoinIndex::Entry &entry = indices[depth][cursor.at++];
        if (!bind(instruction, entry.at))
          continue;
        classes[instruction.element] = entry.id;
        return true;
      }
      return false;
    }
    return false;
  };

  size_t depth = 0;
  begin(0);
  while (true) {
    if (!advance(depth)) {
      if (depth == 0)
        return true;
      --depth;
      continue;
    }
    if (depth + 1 != instructions.size()) {
      begin(++depth);
      continue;
    }
    if (!found(Match{classes, symbolsFound}))
      return false;
  }
}
