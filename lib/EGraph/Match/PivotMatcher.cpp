//===- PivotMatcher.cpp - The matches that a node takes part in -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the search is chosen when the matcher is made; the search is as
// deep as the pattern has nodes.
//
//===----------------------------------------------------------------------===//

#include "PivotMatcher.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

PivotMatcher::PivotMatcher(ArrayRef<Pattern::Element> elements, unsigned pivot)
    : elements(elements), pivot(pivot), classes(elements.size()),
      symbolsFound(elements.size()) {
  plan();
}

void PivotMatcher::plan() {
  llvm::BitVector hasClass(elements.size()), hasNode(elements.size());
  auto isKnown = [&](unsigned o) { return hasClass.test(o); };
  auto make = [&](Opcode opcode, unsigned e) {
    Instruction instruction{opcode, e, 0, false, {}};
    ArrayRef<unsigned> operands = elements[e].operands;
    instruction.isLookup =
        elements[e].symbols->getSingle() && llvm::all_of(operands, isKnown);
    if (opcode == Opcode::Join)
      while (!isKnown(operands[instruction.operand]))
        ++instruction.operand;
    hasClass.set(e);
    hasNode.set(e);
    for (unsigned o : operands) {
      instruction.steps.push_back({o, hasClass.test(o)});
      hasClass.set(o);
    }
    return instruction;
  };
  first = make(Opcode::Scan, pivot);
  while (true) {
    std::optional<unsigned> next;
    unsigned best = 0;
    Opcode opcode = Opcode::Scan;
    for (unsigned e = 0; e < elements.size(); ++e) {
      if (!elements[e].symbols || hasNode.test(e))
        continue;
      ArrayRef<unsigned> operands = elements[e].operands;
      const unsigned known = llvm::count_if(operands, isKnown);
      const bool isWhole = known == operands.size();
      // A parent by way of a node has fewer siblings than one by way of a
      // variable.
      const bool isNear =
          llvm::any_of(operands, [&](unsigned o) { return hasNode.test(o); });
      unsigned score = 1;
      Opcode how = Opcode::Scan;
      if (hasClass.test(e)) {
        how = Opcode::Bind;
        score = isWhole ? 5000 : known ? 3000 + known : 1500;
      } else if (known) {
        how = Opcode::Join;
        score = isWhole ? 4000 : (isNear ? 2000 : 1000) + known;
      }
      if (score > best) {
        best = score;
        next = e;
        opcode = how;
      }
    }
    if (!next)
      return;
    instructions.push_back(make(opcode, *next));
  }
}

bool PivotMatcher::bind(const Instruction &instruction, NodeId node) {
  const SymbolId symbol = table->getSymbol(node);
  if (table->getArity(symbol) != instruction.steps.size())
    return false;
  unsigned i = 0;
  for (const Step &step : instruction.steps) {
    const ClassId operand = table->getOperand(node, i++);
    ClassId &known = classes[step.element];
    if (!step.isCompare)
      known = operand;
    else if (known != operand)
      return false;
  }
  symbolsFound[instruction.element] = symbol;
  return true;
}

bool PivotMatcher::take(const Instruction &instruction, NodeId node) {
  const unsigned element = instruction.element;
  return elements[element].symbols->contains(table->getSymbol(node)) &&
         !table->isDead(node) && !table->isWaiting(node) &&
         (node != pivotNode || element > pivot) && bind(instruction, node);
}

bool PivotMatcher::run(NodeTable &table, NodeId node,
                       llvm::function_ref<bool(const Match &)> found) {
  this->table = &table;
  this->found = found;
  pivotNode = node;
  classes[pivot] = table.find(node);
  return !bind(first, node) || search(0);
}

bool PivotMatcher::search(size_t at) {
  if (at == instructions.size())
    return found(Match{classes, symbolsFound});
  const Instruction &instruction = instructions[at];
  if (instruction.isLookup)
    return searchHash(instruction, at);
  switch (instruction.opcode) {
  case Opcode::Bind:
    return searchMembers(instruction, at);
  case Opcode::Join:
    return searchParents(instruction, at);
  case Opcode::Scan:
    return searchAll(instruction, at);
  }
  llvm_unreachable("unknown opcode");
}

bool PivotMatcher::searchMembers(const Instruction &instruction, size_t at) {
  const ClassId id = classes[instruction.element];
  for (NodeId node = id;;) {
    if (take(instruction, node) && !search(at + 1))
      return false;
    // Dead nodes are met once.
    NodeId next = table->getNextMember(node);
    while (next != id && table->isDead(next)) {
      table->skipNextMember(node);
      next = table->getNextMember(node);
    }
    if (next == id)
      return true;
    node = next;
  }
}

bool PivotMatcher::searchParents(const Instruction &instruction, size_t at) {
  const unsigned known =
      elements[instruction.element].operands[instruction.operand];
  const std::optional<uint32_t> last = table->getLastSlot(classes[known]);
  if (!last)
    return true;
  for (uint32_t before = *last;;) {
    const uint32_t slot = table->getNextSlot(before);
    const NodeId node = table->getParent(slot);
    if (table->isDead(node) && slot != *last) {
      table->skipNextSlot(before);
      continue;
    }
    if (NodeTable::getOperandNumber(slot, node) == instruction.operand &&
        take(instruction, node)) {
      classes[instruction.element] = table->find(node);
      if (!search(at + 1))
        return false;
    }
    if (slot == *last)
      return true;
    before = slot;
  }
}

bool PivotMatcher::searchHash(const Instruction &instruction, size_t at) {
  SmallVector<ClassId, 4> operands;
  for (const Step &step : instruction.steps)
    operands.push_back(classes[step.element]);
  std::optional<NodeId> node = table->findNode(
      *elements[instruction.element].symbols->getSingle(), operands);
  if (!node || !take(instruction, *node))
    return true;
  const ClassId id = table->find(*node);
  ClassId &known = classes[instruction.element];
  if (instruction.opcode != Opcode::Bind)
    known = id;
  else if (id != table->find(known))
    return true;
  return search(at + 1);
}

bool PivotMatcher::searchAll(const Instruction &instruction, size_t at) {
  for (NodeId node = table->getBegin(), end = table->getEnd(); node != end;
       node = table->getNext(node)) {
    if (!take(instruction, node))
      continue;
    classes[instruction.element] = table->find(node);
    if (!search(at + 1))
      return false;
  }
  return true;
}
