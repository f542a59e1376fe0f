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

#include "TensorAccess/EGraph/Saturate.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <map>

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
  program.numNodes = llvm::count_if(
      elements, [](const Pattern::Element &e) { return e.symbols != nullptr; });
  SmallVector<unsigned> roots(pattern.getRoots());
  std::map<std::vector<bool>, unsigned> known;
  program.addState(roots, std::vector<bool>(roots.size()),
                   llvm::BitVector(elements.size()),
                   llvm::BitVector(elements.size()), known);
  // All that belongs to a root is found before a match is complete.
  llvm::BitVector isPart(elements.size());
  for (unsigned root : roots)
    isPart.set(root);
  for (unsigned e = elements.size(); e-- != 0;)
    if (isPart.test(e))
      for (unsigned o : elements[e].operands)
        isPart.set(o);
  for (unsigned e = 0; e < elements.size(); ++e)
    if (!isPart.test(e))
      return refuse("element " + std::to_string(e) + " belongs to no root");
  return program;
}

/// The root, which is scanned or joined, and all below it; those with most that
/// is known first, since they are the fewest.
MatchProgram::Block MatchProgram::makeBlock(unsigned root,
                                            llvm::BitVector &hasClass,
                                            llvm::BitVector &hasNode) {
  Block block{root, {}};
  auto emit = [&](Opcode opcode, unsigned element) {
    Instruction instruction{opcode, element, {}};
    hasClass.set(element);
    hasNode.set(element);
    for (unsigned o : elements[element].operands) {
      instruction.steps.push_back({o, hasClass.test(o)});
      hasClass.set(o);
    }
    block.instructions.push_back(std::move(instruction));
  };
  IndexKey key{root, {}};
  for (auto [i, o] : llvm::enumerate(elements[root].operands))
    if (hasClass.test(o))
      key.operands.push_back(i);
  if (!key.operands.empty()) {
    auto isSame = [&](const IndexKey &other) {
      return other.element == root && other.operands == key.operands;
    };
    block.index = llvm::find_if(indices, isSame) - indices.begin();
    if (block.index == indices.size())
      indices.push_back(key);
  }
  emit(key.operands.empty() ? Opcode::Scan : Opcode::Join, root);
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
      return block;
    emit(Opcode::Bind, *next);
  }
}

/// The state in which those roots were found: which come next, and the states
/// after that. Of many roots only the first that shares something does.
unsigned MatchProgram::addState(ArrayRef<unsigned> roots,
                                const std::vector<bool> &isFound,
                                const llvm::BitVector &hasClass,
                                const llvm::BitVector &hasNode,
                                std::map<std::vector<bool>, unsigned> &known) {
  constexpr size_t kMaxOrders = 5;
  auto [it, isNew] = known.try_emplace(isFound, states.size());
  if (!isNew)
    return it->second;
  const unsigned state = states.size();
  states.emplace_back();
  auto isJoined = [&](unsigned root) {
    return llvm::any_of(elements[root].operands,
                        [&](unsigned o) { return hasClass.test(o); });
  };
  SmallVector<unsigned> candidates;
  for (unsigned r = 0; r != roots.size(); ++r)
    if (!isFound[r])
      candidates.push_back(r);
  const bool anyJoined =
      llvm::any_of(candidates, [&](unsigned r) { return isJoined(roots[r]); });
  if (anyJoined)
    llvm::erase_if(candidates, [&](unsigned r) { return !isJoined(roots[r]); });
  if (roots.size() > kMaxOrders && candidates.size() > 1)
    candidates.resize(1);
  for (unsigned r : candidates) {
    llvm::BitVector nextClass = hasClass, nextNode = hasNode;
    std::vector<bool> nextFound = isFound;
    nextFound[r] = true;
    Block block = makeBlock(roots[r], nextClass, nextNode);
    block.next = addState(roots, nextFound, nextClass, nextNode, known);
    states[state].blocks.push_back(std::move(block));
  }
  return state;
}

namespace {

/// The nodes for an element by some of their operands; by none, it only counts
/// them.
class JoinIndex {
public:
  struct Entry {
    /// Of the operands; where the node is in the snapshot, and its class.
    uint64_t key;
    uint32_t at;
    ClassId id;
  };

  static uint64_t addToKey(uint64_t key, ClassId operand) {
    return (key ^ operand) * 0x9E3779B97F4A7C15u;
  }

  void build(const NodeTable &table, SymbolSet &symbols,
             ArrayRef<unsigned> operands, size_t arity) {
    isBuilt = true;
    ArrayRef<uint32_t> snapshot = table.getSnapshot();
    for (uint32_t at = 0; at != snapshot.size(); at += 2 + snapshot[at + 1])
      for (uint32_t n = at + 2, end = n + snapshot[at + 1]; n != end;
           n += 1 + table.getArity(snapshot[n])) {
        if (!symbols.contains(snapshot[n]) ||
            table.getArity(snapshot[n]) != arity)
          continue;
        ++size;
        if (operands.empty())
          continue;
        uint64_t key = 0;
        for (unsigned operand : operands)
          key = addToKey(key, snapshot[n + 1 + operand]);
        entries.push_back({key, n, snapshot[at]});
      }
    llvm::sort(entries, [](const Entry &a, const Entry &b) {
      return std::pair(a.key, a.at) < std::pair(b.key, b.at);
    });
  }

  const Entry &operator[](uint32_t i) const { return entries[i]; }
  std::pair<uint32_t, uint32_t> find(uint64_t key) const {
    auto range = std::equal_range(
        entries.begin(), entries.end(), Entry{key, 0, 0},
        [](const Entry &a, const Entry &b) { return a.key < b.key; });
    return {range.first - entries.begin(), range.second - entries.begin()};
  }

  bool isBuilt = false;
  size_t size = 0;

private:
  SmallVector<Entry, 0> entries;
};

/// How far an instruction has come: of Scan and Bind the place in the snapshot
/// and where the class ends, of Join places in the index.
struct Cursor {
  uint32_t at = 0, end = 0;
  /// Of Scan the class.
  ClassId id = 0;
  /// Only new nodes are wanted.
  bool onlyNew = false;
  /// What was found, or something before, is new.
  bool isNew = false;
};

} // namespace

/// A search in a snapshot, as deep as the pattern has nodes.
class MatchProgram::Search {
public:
  Search(const MatchProgram &program, const NodeTable &table, bool onlyNew)
      : program(program), table(table), snapshot(table.getSnapshot().data()),
        size(table.getSnapshot().size()), onlyNew(onlyNew),
        classes(program.elements.size()), symbolsFound(classes.size()),
        levels(program.numNodes), indices(program.indices.size()) {}

  bool run(llvm::function_ref<bool(const Match &)> found,
           llvm::function_ref<bool()> goOn);

private:
  /// A node that is looked for: the instruction, its block, and how far it is.
  struct Level {
    const Block *block = nullptr;
    const Instruction *instruction = nullptr;
    Cursor cursor;
  };

  void begin(size_t depth);
  const Block *chooseFirst();
  const Block *chooseNext(const State &state, Cursor &cursor);
  bool advance(size_t depth);
  bool take(size_t depth, uint32_t at);

  const MatchProgram &program;
  const NodeTable &table;
  const uint32_t *snapshot;
  const uint32_t size;
  const bool onlyNew;
  SmallVector<ClassId, 16> classes;
  SmallVector<SymbolId, 16> symbolsFound;
  SmallVector<Level, 8> levels;
  SmallVector<JoinIndex, 1> indices;
};

/// The root with the fewest nodes.
const MatchProgram::Block *MatchProgram::Search::chooseFirst() {
  const State &state = program.states.front();
  const Block *best = &state.blocks.front();
  if (state.blocks.size() == 1)
    return best;
  size_t fewest = ~size_t(0);
  for (const Block &block : state.blocks) {
    const Pattern::Element &element = program.elements[block.root];
    JoinIndex nodes;
    nodes.build(table, *element.symbols, {}, element.operands.size());
    if (nodes.size < fewest) {
      fewest = nodes.size;
      best = &block;
    }
  }
  return best;
}

/// The block with the fewest nodes to be looked at, and these.
const MatchProgram::Block *MatchProgram::Search::chooseNext(const State &state,
                                                            Cursor &cursor) {
  const Block *best = nullptr;
  for (const Block &block : state.blocks) {
    // Where one shares nothing, none does.
    if (block.instructions.front().opcode == Opcode::Scan)
      return &block;
    const Pattern::Element &element = program.elements[block.root];
    JoinIndex &index = indices[block.index];
    ArrayRef<unsigned> operands = program.indices[block.index].operands;
    if (!index.isBuilt)
      index.build(table, *element.symbols, operands, element.operands.size());
    uint64_t key = 0;
    for (unsigned operand : operands)
      key = JoinIndex::addToKey(key, classes[element.operands[operand]]);
    auto [at, end] = index.find(key);
    if (best && end - at >= cursor.end - cursor.at)
      continue;
    best = &block;
    cursor.at = at;
    cursor.end = end;
  }
  return best;
}

void MatchProgram::Search::begin(size_t depth) {
  Level &level = levels[depth];
  Cursor &cursor = level.cursor;
  cursor = {};
  if (depth == 0) {
    level.block = chooseFirst();
    level.instruction = level.block->instructions.begin();
  } else if (const Level &before = levels[depth - 1];
             before.instruction + 1 == before.block->instructions.end()) {
    level.block = chooseNext(program.states[before.block->next], cursor);
    level.instruction = level.block->instructions.begin();
  } else {
    level.block = before.block;
    level.instruction = before.instruction + 1;
  }
  cursor.onlyNew = onlyNew && depth + 1 == levels.size() &&
                   (depth == 0 || !levels[depth - 1].cursor.isNew);
  if (level.instruction->opcode != Opcode::Bind)
    return;
  const ClassId id = classes[level.instruction->element];
  if (cursor.onlyNew && !table.hasNewNodes(id))
    return;
  ArrayRef<uint32_t> nodes = table.getNodes(id);
  cursor.at = nodes.data() - snapshot;
  cursor.end = cursor.at + nodes.size();
}

/// Takes a node for the element if its operands agree with what is known.
bool MatchProgram::Search::take(size_t depth, uint32_t at) {
  const Instruction &instruction = *levels[depth].instruction;
  Cursor &cursor = levels[depth].cursor;
  const SymbolId symbol = snapshot[at];
  if (table.getArity(symbol) != instruction.steps.size() ||
      (cursor.onlyNew && !table.isNew(at)))
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
  cursor.isNew =
      (depth != 0 && levels[depth - 1].cursor.isNew) || table.isNew(at);
  return true;
}

/// Finds the instruction's next node; false if none exists.
bool MatchProgram::Search::advance(size_t depth) {
  const Instruction &instruction = *levels[depth].instruction;
  SymbolSet &symbols = *program.elements[instruction.element].symbols;
  Cursor &cursor = levels[depth].cursor;
  switch (instruction.opcode) {
  case Opcode::Scan:
    while (true) {
      if (cursor.at == cursor.end) {
        if (cursor.at == size)
          return false;
        const uint32_t begin = cursor.at;
        cursor.id = snapshot[begin];
        cursor.end = begin + 2 + snapshot[begin + 1];
        cursor.at =
            cursor.onlyNew && !table.isNew(begin) ? cursor.end : begin + 2;
        continue;
      }
      const uint32_t node = cursor.at;
      cursor.at += 1 + table.getArity(snapshot[node]);
      if (!symbols.contains(snapshot[node]) || !take(depth, node))
        continue;
      classes[instruction.element] = cursor.id;
      return true;
    }
  case Opcode::Bind:
    while (cursor.at != cursor.end) {
      const uint32_t node = cursor.at;
      cursor.at += 1 + table.getArity(snapshot[node]);
      if (symbols.contains(snapshot[node]) && take(depth, node))
        return true;
    }
    return false;
  case Opcode::Join:
    while (cursor.at != cursor.end) {
      const JoinIndex::Entry &entry =
          indices[levels[depth].block->index][cursor.at++];
      if (!take(depth, entry.at))
        continue;
      classes[instruction.element] = entry.id;
      return true;
    }
    return false;
  }
  llvm_unreachable("unknown opcode");
}

bool MatchProgram::Search::run(llvm::function_ref<bool(const Match &)> found,
                               llvm::function_ref<bool()> goOn) {
  constexpr uint64_t kSteps = 1 << 14;
  uint64_t steps = 0;
  size_t depth = 0;
  begin(0);
  while (true) {
    if (++steps % kSteps == 0 && goOn && !goOn())
      return false;
    if (!advance(depth)) {
      if (depth == 0)
        return true;
      --depth;
      continue;
    }
    if (depth + 1 != levels.size()) {
      begin(++depth);
      continue;
    }
    if (!found(Match{classes, symbolsFound, levels[depth].cursor.isNew}))
      return false;
  }
}

bool MatchProgram::run(const NodeTable &table,
                       llvm::function_ref<bool(const Match &)> found,
                       bool onlyNew, llvm::function_ref<bool()> goOn) const {
  return Search(*this, table, onlyNew).run(found, goOn);
}
