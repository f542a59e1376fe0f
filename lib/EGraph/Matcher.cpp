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
    emit(joined == roots.end() ? Opcode::Scan : Opcode::Parent, root, operand);
    roots.erase(joined == roots.end() ? roots.begin() : joined);
    descend();
  }
  for (unsigned e = 0; e < elements.size(); ++e)
    if (!hasClass.test(e))
      return refuse("element " + std::to_string(e) + " belongs to no root");
  return program;
}

/// What is found so far, and how far each instruction has come.
struct MatchProgram::State {
  struct Cursor {
    /// Of Scan and Bind the place in the snapshot, and where the class ends; of
    /// Parent the next slot, and the last one.
    uint32_t at = 0, end = 0;
    bool isDone = false;
  };

  const NodeTable &table;
  SmallVector<ClassId, 16> classes;
  SmallVector<NodeId, 16> nodes;
  SmallVector<Cursor, 8> cursors;
};

/// Takes the node for the element if its operands agree with what is known.
bool MatchProgram::bind(const Instruction &instruction, NodeId node,
                        State &state) const {
  if (state.table.getNumOperands(node) != instruction.steps.size())
    return false;
  for (auto [i, step] : llvm::enumerate(instruction.steps)) {
    const ClassId operand = state.table.getOperand(node, i);
    if (!step.isCompare)
      state.classes[step.element] = operand;
    else if (state.classes[step.element] != operand)
      return false;
  }
  state.nodes[instruction.element] = node;
  return true;
}

bool MatchProgram::run(const NodeTable &table,
                       llvm::function_ref<bool(const Match &)> found) const {
  State state{table, {}, {}, {}};
  state.classes.resize(elements.size());
  state.nodes.resize(elements.size());
  state.cursors.resize(instructions.size());
  const ArrayRef<uint32_t> snapshot = table.getSnapshot();

  auto begin = [&](size_t depth) {
    const Instruction &instruction = instructions[depth];
    State::Cursor &cursor = state.cursors[depth];
    cursor = {};
    switch (instruction.opcode) {
    case Opcode::Scan:
      return;
    case Opcode::Bind: {
      ArrayRef<NodeId> nodes =
          table.getNodes(state.classes[instruction.element]);
      cursor.at = nodes.begin() - snapshot.begin();
      cursor.end = cursor.at + nodes.size();
      // Nodes are sorted by symbol.
      if (auto single = elements[instruction.element].symbols->getSingle();
          single && nodes.size() > 8)
        cursor.at +=
            llvm::partition_point(
                nodes,
                [&](NodeId node) { return table.getSymbol(node) < *single; }) -
            nodes.begin();
      return;
    }
    case Opcode::Parent: {
      const ClassId id = state.classes[elements[instruction.element]
                                           .operands[instruction.operand]];
      std::optional<uint32_t> first = table.getFirstParent(id);
      cursor.isDone = !first;
      if (first) {
        cursor.at = *first;
        cursor.end = table.getLastParent(id);
      }
      return;
    }
    }
  };
  // Finds the instruction's next node; false where there is none.
  auto advance = [&](size_t depth) {
    const Instruction &instruction = instructions[depth];
    SymbolSet &symbols = *elements[instruction.element].symbols;
    State::Cursor &cursor = state.cursors[depth];
    switch (instruction.opcode) {
    case Opcode::Scan:
      while (true) {
        if (cursor.at == cursor.end) {
          if (cursor.at == snapshot.size())
            return false;
          cursor.end = cursor.at + 1 + snapshot[cursor.at];
          ++cursor.at;
          continue;
        }
        const NodeId node = snapshot[cursor.at++];
        if (!symbols.contains(table.getSymbol(node)) ||
            !bind(instruction, node, state))
          continue;
        state.classes[instruction.element] = table.find(node);
        return true;
      }
    case Opcode::Bind:
      while (cursor.at != cursor.end) {
        const NodeId node = snapshot[cursor.at++];
        const SymbolId symbol = table.getSymbol(node);
        if (symbols.contains(symbol)) {
          if (bind(instruction, node, state))
            return true;
        } else if (auto single = symbols.getSingle();
                   single && symbol > *single) {
          return false;
        }
      }
      return false;
    case Opcode::Parent:
      while (!cursor.isDone) {
        const NodeTable::Parent parent = table.getParent(cursor.at);
        cursor.isDone = cursor.at == cursor.end;
        cursor.at = table.getNextParent(cursor.at);
        if (parent.operand != instruction.operand ||
            parent.node >= table.getSnapshotEnd() ||
            table.isDead(parent.node) ||
            !symbols.contains(table.getSymbol(parent.node)) ||
            !bind(instruction, parent.node, state))
          continue;
        state.classes[instruction.element] = table.find(parent.node);
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
    if (!found(Match{state.classes, state.nodes}))
      return false;
  }
}
