//===- NodeTable.cpp - Terms up to equality -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/NodeTable.h"

#include "TensorAccess/EGraph/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Hashing
//===----------------------------------------------------------------------===//

/// One step: a multiplication to 128 bits, both halves of it.
static uint64_t mix(uint64_t state, uint32_t word) {
  const auto product =
      static_cast<unsigned __int128>(state ^ word) * 0x9E3779B97F4A7C15u;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

static uint64_t hashNode(SymbolId symbol, ArrayRef<ClassId> operands) {
  uint64_t state = mix(0x243F6A8885A308D3u, symbol);
  for (ClassId operand : operands)
    state = mix(state, operand);
  return mix(state, 0);
}

/// At least 2: 0 and 1 mean that there is no node.
static uint8_t getTag(uint64_t hash) {
  return std::max<uint8_t>(hash >> 56, 2);
}

uint64_t NodeTable::hash(NodeId node) const {
  SmallVector<ClassId, 8> operands;
  for (unsigned i = 0, e = getNumOperands(node); i != e; ++i)
    operands.push_back(getOperand(node, i));
  return hashNode(getSymbol(node), operands);
}

bool NodeTable::equals(NodeId node, SymbolId symbol,
                       ArrayRef<ClassId> operands) const {
  if (getSymbol(node) != symbol)
    return false;
  for (auto [i, operand] : llvm::enumerate(operands))
    if (getOperand(node, i) != operand)
      return false;
  return true;
}

std::optional<size_t> NodeTable::findSlot(uint64_t hash, SymbolId symbol,
                                          ArrayRef<ClassId> operands) const {
  if (tags.empty())
    return std::nullopt;
  const size_t mask = tags.size() - 1;
  const uint8_t tag = getTag(hash);
  for (size_t i = hash & mask; tags[i] != 0; i = (i + 1) & mask)
    if (tags[i] == tag && equals(slots[i], symbol, operands))
      return i;
  return std::nullopt;
}

void NodeTable::insert(uint64_t hash, NodeId node) {
  if ((numTags + 1) * 10 > tags.size() * 7)
    grow();
  const size_t mask = tags.size() - 1;
  size_t i = hash & mask;
  while (tags[i] > 1)
    i = (i + 1) & mask;
  numTags += tags[i] == 0;
  ++numHashed;
  tags[i] = getTag(hash);
  slots[i] = node;
}

/// Takes the node itself out, not one that is equal to it.
void NodeTable::erase(NodeId node) {
  const size_t mask = tags.size() - 1;
  size_t i = hash(node) & mask;
  while (tags[i] < 2 || slots[i] != node) {
    assert(tags[i] != 0 && "a node that is alive is in the table");
    i = (i + 1) & mask;
  }
  tags[i] = 1;
  --numHashed;
}

void NodeTable::grow() {
  // Only what is there counts; slots that were left are free again.
  size_t size = 64;
  while (size * 5 < numHashed * 10)
    size *= 2;
  SmallVector<uint8_t, 0> newTags;
  SmallVector<NodeId, 0> newSlots;
  newTags.resize(size, 0);
  newSlots.resize_for_overwrite(size);
  for (auto [tag, node] : llvm::zip_equal(tags, slots)) {
    if (tag < 2)
      continue;
    size_t i = hash(node) & (size - 1);
    while (newTags[i] != 0)
      i = (i + 1) & (size - 1);
    newTags[i] = tag;
    newSlots[i] = node;
  }
  tags = std::move(newTags);
  slots = std::move(newSlots);
  numTags = numHashed;
}

//===----------------------------------------------------------------------===//
// Nodes and classes
//===----------------------------------------------------------------------===//

SymbolId NodeTable::addSymbol(unsigned arity) {
  assert(arity <= UINT16_MAX && "so many operands make a symbol of their own");
  arities.push_back(arity);
  return arities.size() - 1;
}

ClassId NodeTable::find(ClassId id) const {
  while (words[id + kClass] != id)
    id = words[id + kClass];
  return id;
}

ClassId NodeTable::shorten(ClassId id) {
  while (words[id + kClass] != id) {
    uint32_t &next = words[id + kClass];
    next = words[next + kClass];
    id = next;
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
  if (auto slot = findSlot(hashNode(symbol, names), symbol, names))
    return find(slots[*slot]);
  return std::nullopt;
}

std::optional<ClassId> NodeTable::add(SymbolId symbol,
                                      ArrayRef<ClassId> operands) {
  assert(operands.size() == getArity(symbol) && "operands as declared");
  SmallVector<ClassId, 8> names;
  for (ClassId operand : operands)
    names.push_back(shorten(operand));
  const uint64_t hash = hashNode(symbol, names);
  if (auto slot = findSlot(hash, symbol, names))
    return find(slots[*slot]);
  const size_t size = kHeader + 2 * names.size();
  if (words.size() + size > kMask)
    return std::nullopt;
  const NodeId node = words.size();
  words.resize_for_overwrite(node + size);
  words[node] = symbol;
  words[node + kClass] = node;
  words[node + kLastParent] = kNone;
  words[node + kSnapshot] = kNone;
  for (auto [i, name] : llvm::enumerate(names)) {
    const uint32_t at = node + kHeader + 2 * i;
    words[at] = name | (i == 0 ? kMark : 0);
    addParent(name, at + 1);
  }
  insert(hash, node);
  ++numNodes;
  ++numClasses;
  for (ClassAnalysis *analysis : analyses)
    analysis->made(*this, node);
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

bool NodeTable::merge(ClassId a, ClassId b) {
  a = shorten(a);
  b = shorten(b);
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
    words[node + kHeader + 2 * i] = name | (i == 0 ? kMark : 0);
  const uint64_t newHash = hashNode(getSymbol(node), names);
  if (auto slot = findSlot(newHash, getSymbol(node), names)) {
    words[node] |= kMark;
    --numNodes;
    const ClassId a = shorten(node), b = shorten(slots[*slot]);
    if (a == b)
      return;
    std::string why;
    for (ClassAnalysis *analysis : analyses)
      if (!analysis->mayMerge(*this, a, b, why))
        contradict(a, b, why);
    join(a, b);
    return;
  }
  insert(newHash, node);
}

void NodeTable::rebuildParents(ClassId id) {
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
  const uint32_t last = words[id + kLastParent];
  if (last == kNone)
    return;
  // Parents that are made meanwhile know the fact, and come after the last one.
  for (uint32_t slot = words[last];; slot = words[slot]) {
    const NodeId parent = getParent(slot);
    if (!isDead(parent))
      for (ClassAnalysis *analysis : analyses)
        analysis->updated(*this, parent, shorten(parent));
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
  return words.capacity_in_bytes() + tags.capacity_in_bytes() +
         slots.capacity_in_bytes() + snapshot.capacity_in_bytes() +
         lost.capacity_in_bytes() + arities.capacity_in_bytes();
}

//===----------------------------------------------------------------------===//
// The snapshot
//===----------------------------------------------------------------------===//

void NodeTable::takeSnapshot() {
  assert(isClean() && "matching needs a congruence");
  auto forEach = [&](auto visit) {
    for (NodeId node = getBegin(); node != getEnd(); node = getNext(node))
      visit(node);
  };
  // Every node now names its class itself; a class counts its words.
  forEach([&](NodeId node) {
    words[node + kClass] = shorten(node);
    words[node + kSnapshot] = words[node + kClass] == node ? 0 : kNone;
  });
  forEach([&](NodeId node) {
    if (!isDead(node))
      words[words[node + kClass] + kSnapshot] += 1 + getNumOperands(node);
  });
  // Classes lie in the order of their names.
  uint32_t size = 0;
  forEach([&](NodeId node) {
    if (uint32_t &count = words[node + kSnapshot]; count != kNone)
      size += 2 + std::exchange(count, size);
  });
  snapshot.resize_for_overwrite(size);
  forEach([&](NodeId node) {
    if (const uint32_t at = words[node + kSnapshot]; at != kNone) {
      snapshot[at] = node;
      snapshot[at + 1] = 0;
    }
  });
  forEach([&](NodeId node) {
    if (isDead(node))
      return;
    uint32_t *begin = snapshot.data() + words[words[node + kClass] + kSnapshot];
    uint32_t *entry = begin + 2 + begin[1];
    *entry++ = getSymbol(node);
    for (unsigned i = 0, e = getNumOperands(node); i != e; ++i)
      *entry++ = getOperand(node, i);
    begin[1] = entry - begin - 2;
  });
  // By symbol; nodes of one symbol stay as they are.
  SmallVector<std::pair<SymbolId, uint32_t>, 16> order;
  SmallVector<uint32_t, 64> sorted;
  for (uint32_t at = 0; at != size; at += 2 + snapshot[at + 1]) {
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
    for (auto [symbol, n] : order)
      sorted.append(snapshot.begin() + n,
                    snapshot.begin() + n + 1 + arities[symbol]);
    llvm::copy(sorted, snapshot.begin() + at + 2);
  }
}
