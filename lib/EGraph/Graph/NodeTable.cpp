//===- NodeTable.cpp - Terms up to equality -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/NodeTable.h"

#include "TensorAccess/EGraph/TermGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Hashing
//===----------------------------------------------------------------------===//

uint64_t NodeTable::hash(NodeId node) const {
  uint64_t state = mix(0x243F6A8885A308D3u, getSymbol(node));
  for (unsigned i = 0, e = getNumOperands(node); i != e; ++i)
    state = mix(state, getOperand(node, i));
  return mix(state, 0);
}

void NodeTable::insert(uint64_t hash, NodeId node) {
  if (nodes.hasRoom()) {
    nodes.insert(hash, node);
    return;
  }
  // In the order of the records, of which it is one.
  nodes.clearAndGrow();
  for (NodeId n = getBegin(); n != getEnd(); n = getNext(n))
    if (!isDead(n))
      nodes.insert(this->hash(n), n);
}

void NodeTable::erase(NodeId node) { nodes.erase(hash(node), node); }

std::optional<NodeId> NodeTable::findHashed(uint64_t hash, SymbolId symbol,
                                            ArrayRef<ClassId> operands) const {
  return nodes.find(hash, [&](NodeId node) {
    const uint32_t *record = words.data() + node;
    if ((*record & kSymbolMask) != symbol)
      return false;
    record += kHeader;
    for (ClassId operand : operands) {
      if ((*record & kMask) != operand)
        return false;
      record += 2;
    }
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Nodes and classes
//===----------------------------------------------------------------------===//

SymbolId NodeTable::addSymbol(unsigned arity) {
  assert(arity <= UINT16_MAX && "so many operands make a symbol of their own");
  assert(arities.size() <= kSymbolMask && "29 bits are for symbols");
  arities.push_back(arity);
  return arities.size() - 1;
}

ClassId NodeTable::shorten(ClassId id) {
  ClassId next = words[id + kClass];
  while (next != id) {
    const ClassId after = words[next + kClass];
    if (after == next)
      return next;
    words[id + kClass] = after;
    words[id] |= kNewNode;
    id = after;
    next = words[id + kClass];
  }
  return id;
}

void NodeTable::addParent(ClassId id, uint32_t slot) {
  uint32_t &last = words[id + kLastParent];
  if (last == kNone) {
    words[slot] = slot;
  } else {
    words[slot] = words[last];
    words[last] = slot;
  }
  last = slot;
}

std::optional<ClassId> NodeTable::lookup(SymbolId symbol,
                                         ArrayRef<ClassId> operands) const {
  SmallVector<ClassId, 8> names;
  for (ClassId operand : operands)
    names.push_back(find(operand));
  if (auto node = findHashed(hashNode(symbol, names), symbol, names))
    return find(*node);
  return std::nullopt;
}

std::optional<ClassId> NodeTable::add(SymbolId symbol,
                                      ArrayRef<ClassId> operands) {
  assert(operands.size() == getArity(symbol) && "operands as declared");
  SmallVector<ClassId, 8> names;
  for (ClassId operand : operands)
    names.push_back(shorten(operand));
  const uint64_t hash = hashNode(symbol, names);
  if (auto known = findHashed(hash, symbol, names)) {
    const ClassId id = find(*known);
    for (ClassAnalysis *analysis : analyses)
      analysis->asked(*this, symbol, operands, id);
    return id;
  }
  const size_t size = kHeader + 2 * names.size();
  hasTooManyNodes |= numNodes >= mostNodes;
  hasTooManyWords |= words.size() + size > capacity;
  if (numNodes >= mostNodes || words.size() + size > capacity)
    return std::nullopt;
  const NodeId node = words.size();
  words.resize_for_overwrite(node + size);
  words[node] = symbol | kNewNode;
  words[node + kClass] = node;
  words[node + kLastParent] = kNone;
  words[node + kSnapshot] = kNone;
  for (auto [i, name] : llvm::enumerate(names)) {
    const uint32_t at = node + kHeader + 2 * i;
    words[at] = name | (i == 0 ? uint32_t(kMark) : 0);
    addParent(name, at + 1);
  }
  insert(hash, node);
  ++numNodes;
  ++numClasses;
  if (isLinkedToMembers) {
    words[node + kSnapshot] = node;
    wait(node);
  }
  for (ClassAnalysis *analysis : analyses)
    analysis->made(*this, node);
  for (ClassAnalysis *analysis : analyses)
    analysis->asked(*this, symbol, operands, node);
  return node;
}

NodeId NodeTable::getParent(uint32_t slot) const {
  // Back to the first operand; the record begins before it.
  uint32_t operand = slot - 1;
  while (!(words[operand] & kMark))
    operand -= 2;
  return operand - kHeader;
}

/// Walks both rings at once: it takes as many steps as the shorter one.
bool NodeTable::hasFewerParents(ClassId a, ClassId b) const {
  const uint32_t lastA = words[a + kLastParent], lastB = words[b + kLastParent];
  if (lastA == kNone || lastB == kNone)
    return lastA == kNone && lastB != kNone;
  uint32_t i = words[lastA], j = words[lastB];
  while (i != lastA && j != lastB) {
    i = words[i];
    j = words[j];
  }
  return i == lastA && j != lastB;
}

bool NodeTable::merge(ClassId saidA, ClassId saidB) {
  const ClassId a = shorten(saidA), b = shorten(saidB);
  if (a == b)
    return false;
  std::string why;
  for (ClassAnalysis *analysis : analyses) {
    if (analysis->mayMerge(*this, a, b, why))
      continue;
    ++numRefusals;
    if (!refusal)
      refusal = {a, b, std::move(why)};
    return false;
  }
  for (ClassAnalysis *analysis : analyses)
    analysis->said(*this, saidA, saidB);
  join(a, b);
  return true;
}

void NodeTable::join(ClassId a, ClassId b) {
  // Where neither has fewer, the older name is kept.
  if (hasFewerParents(a, b) || (b < a && !hasFewerParents(b, a)))
    std::swap(a, b);
  for (ClassAnalysis *analysis : analyses)
    analysis->merged(*this, a, b);
  words[b + kClass] = a;
  words[b] |= kNewNode;
  lost.push_back(b);
  --numClasses;
}

/// Gives a node's operands the names that are valid now.
void NodeTable::repair(NodeId node) {
  if (isDead(node))
    return;
  SmallVector<ClassId, 8> names;
  bool isChanged = false;
  for (unsigned i = 0, e = getNumOperands(node); i != e; ++i) {
    names.push_back(shorten(getOperand(node, i)));
    isChanged |= names.back() != getOperand(node, i);
  }
  // A node with the operand twice comes twice.
  if (!isChanged)
    return;
  erase(node);
  for (auto [i, name] : llvm::enumerate(names))
    words[node + kHeader + 2 * i] = name | (i == 0 ? uint32_t(kMark) : 0);
  const uint64_t newHash = hashNode(getSymbol(node), names);
  if (auto known = findHashed(newHash, getSymbol(node), names)) {
    words[node] |= kMark;
    --numNodes;
    const ClassId a = shorten(node), b = shorten(*known);
    if (a == b)
      return;
    std::string why;
    for (ClassAnalysis *analysis : analyses)
      if (!analysis->mayMerge(*this, a, b, why))
        contradict(a, b, why);
    join(a, b);
    return;
  }
  words[node] |= kNewNode;
  insert(newHash, node);
  if (isLinkedToMembers)
    wait(node);
}

void NodeTable::rebuildParents(ClassId id) {
  if (isLinkedToMembers) {
    waitForMembers(id);
    // Two rings become one by exchanging links, but not the marks.
    uint32_t &a = words[id + kSnapshot], &b = words[find(id) + kSnapshot];
    const uint32_t difference = (a ^ b) & kMask;
    a ^= difference;
    b ^= difference;
  }
  const uint32_t last = words[id + kLastParent];
  if (last == kNone)
    return;
  for (uint32_t slot = words[last];; slot = words[slot]) {
    repair(getParent(slot));
    if (slot == last)
      break;
  }
  // The parents are the other class's now: two rings become one by exchanging
  // the links of their last slots.
  const ClassId name = find(id);
  uint32_t &otherLast = words[name + kLastParent];
  if (otherLast != kNone)
    std::swap(words[last], words[otherLast]);
  otherLast = last;
  words[id + kLastParent] = kNone;
}

/// Tells the analyses that the fact of a class has changed.
void NodeTable::propagate(ClassId id) {
  for (ClassAnalysis *analysis : analyses)
    analysis->modify(*this, shorten(id));
  id = shorten(id);
  words[id] |= kNewFact;
  if (isLinkedToMembers)
    waitForMembers(id);
  const uint32_t last = words[id + kLastParent];
  if (last == kNone)
    return;
  // Parents that are made meanwhile know the fact, and come after the last one.
  for (uint32_t slot = words[last];; slot = words[slot]) {
    const NodeId parent = getParent(slot);
    if (!isDead(parent)) {
      words[parent] |= kNewNode;
      if (isLinkedToMembers)
        wait(parent);
      for (ClassAnalysis *analysis : analyses)
        analysis->updated(*this, parent, shorten(parent));
    }
    if (slot == last)
      break;
  }
}

void NodeTable::rebuild() {
  // What is found meanwhile is appended.
  for (size_t i = 0, j = 0;;) {
    if (i != lost.size())
      rebuildParents(lost[i++]);
    else if (j != changes.size())
      propagate(changes[j++]);
    else
      break;
  }
  lost.clear();
  changes.clear();
}

void NodeTable::contradict(ClassId a, ClassId b, std::string why) {
  ++numContradictions;
  if (!contradiction)
    contradiction = {a, b, std::move(why)};
}

size_t NodeTable::getMemory() const {
  return words.capacity_in_bytes() + nodes.getMemory() +
         snapshot.capacity_in_bytes() + newWords.getMemorySize() +
         lost.capacity_in_bytes() + changes.capacity_in_bytes() +
         waiting.capacity_in_bytes() + arities.capacity_in_bytes();
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

std::optional<NodeId> NodeTable::findNode(SymbolId symbol,
                                          ArrayRef<ClassId> operands) const {
  return findHashed(hashNode(symbol, operands), symbol, operands);
}

void NodeTable::linkMembers() {
  assert(isClean() && "classes have one name");
  forgetSnapshot();
  waiting.clear();
  newest = 0;
  isLinkedToMembers = true;
  for (NodeId node = getBegin(); node != getEnd(); node = getNext(node))
    words[node + kSnapshot] = node;
  for (NodeId node = getBegin(); node != getEnd(); node = getNext(node)) {
    const ClassId name = shorten(node);
    if (!isDead(node) && name != node) {
      words[node + kSnapshot] = words[name + kSnapshot];
      words[name + kSnapshot] = node;
    }
  }
  for (NodeId node = getBegin(); node != getEnd(); node = getNext(node))
    if (!isDead(node))
      wait(node);
}

void NodeTable::unlinkMembers() {
  isLinkedToMembers = false;
  waiting = {};
}

void NodeTable::wait(NodeId node) {
  if (isWaiting(node))
    return;
  words[node + kSnapshot] |= kMark;
  waiting.push_back(node);
}

void NodeTable::waitForMembers(ClassId id) {
  const ClassId name = find(id);
  NodeId node = id;
  do {
    if (!isDead(node))
      wait(node);
    if (words[node + kClass] != name) {
      words[node + kClass] = name;
      words[node] |= kNewNode;
    }
    node = getNextMember(node);
  } while (node != id);
}

std::optional<NodeId> NodeTable::takeWaiting() {
  std::reverse(waiting.begin() + newest, waiting.end());
  while (!waiting.empty()) {
    const NodeId node = waiting.pop_back_val();
    words[node + kSnapshot] &= kMask;
    if (isDead(node))
      continue;
    newest = waiting.size();
    return node;
  }
  newest = 0;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The snapshot
//===----------------------------------------------------------------------===//

void NodeTable::forgetSnapshot() {
  snapshot = {};
  newWords = {};
}

void NodeTable::takeSnapshot() {
  assert(isClean() && "matching needs a congruence");
  unlinkMembers();
  // The old contents are not worth copying.
  forgetSnapshot();
  auto forEach = [&](auto visit) {
    for (NodeId node = getBegin(); node != getEnd(); node = getNext(node))
      visit(node);
  };
  // Every node now names its class itself; a class counts its words.
  forEach([&](NodeId node) {
    words[node + kClass] = shorten(node);
    words[node + kSnapshot] =
        words[node + kClass] == node ? 0 : uint32_t(kNone);
  });
  forEach([&](NodeId node) {
    if (!isDead(node))
      words[words[node + kClass] + kSnapshot] += 1 + getNumOperands(node);
  });
  // Classes are in the order of their names.
  uint32_t size = 0;
  forEach([&](NodeId node) {
    if (uint32_t &count = words[node + kSnapshot]; count != kNone)
      size += 2 + std::exchange(count, size);
  });
  snapshot.resize_for_overwrite(size);
  newWords.resize(size);
  forEach([&](NodeId node) {
    if (const uint32_t at = words[node + kSnapshot]; at != kNone) {
      snapshot[at] = node;
      snapshot[at + 1] = 0;
    }
  });
  forEach([&](NodeId node) {
    if (isDead(node))
      return;
    const ClassId name = words[node + kClass];
    const uint32_t at = words[name + kSnapshot];
    uint32_t *begin = snapshot.data() + at;
    uint32_t *entry = begin + 2 + begin[1];
    if (words[node] & kNewNode || words[name] & kNewFact) {
      newWords.set(at);
      newWords.set(entry - snapshot.data());
    }
    words[node] &= ~kNewNode;
    *entry++ = getSymbol(node);
    for (unsigned i = 0, e = getNumOperands(node); i != e; ++i)
      *entry++ = getOperand(node, i);
    begin[1] = entry - begin - 2;
  });
  // By symbol; nodes of one symbol stay as they are.
  SmallVector<std::pair<SymbolId, uint32_t>, 16> order;
  SmallVector<uint32_t, 64> sorted;
  SmallVector<uint32_t, 16> sortedNew;
  for (uint32_t at = 0; at != size; at += 2 + snapshot[at + 1]) {
    words[snapshot[at]] &= ~kNewFact;
    const uint32_t end = at + 2 + snapshot[at + 1];
    order.clear();
    bool isSorted = true;
    for (uint32_t n = at + 2; n != end; n += 1 + arities[snapshot[n]]) {
      isSorted &= order.empty() || order.back().first <= snapshot[n];
      order.emplace_back(snapshot[n], n);
    }
    if (isSorted)
      continue;
    std::sort(order.begin(), order.end());
    sorted.clear();
    sortedNew.clear();
    for (auto [symbol, n] : order) {
      if (newWords.test(n))
        sortedNew.push_back(at + 2 + sorted.size());
      sorted.append(snapshot.begin() + n,
                    snapshot.begin() + n + 1 + arities[symbol]);
    }
    llvm::copy(sorted, snapshot.begin() + at + 2);
    if (isNew(at)) {
      newWords.reset(at + 2, end);
      for (uint32_t n : sortedNew)
        newWords.set(n);
    }
  }
}
