//===- FusionAnalysis.cpp - What fusing would recompute -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models composes, Core counts; here the counts are put together and
// remembered by the numbers of maps. Paths are described in words by following the
// steps of a pattern from the value to the result. Ops that read a whole range
// for one element (reductions, windows) are named; where there are none, those
// that move elements; where there are none either, the value is read directly.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Core/Counting.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Range symbols of maps that are made only to be counted. Composing maps of
/// windows takes time that is about quadratic in them.
static constexpr unsigned kWideSymbols = 12;
/// Why there are no reads although the patterns are known.
static constexpr llvm::StringLiteral
    kMerged("patterns were merged to stay within the budget");

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Nothing is known about a sum with an unknown part.
static void addTo(std::optional<uint64_t> &sum, std::optional<uint64_t> more) {
  uint64_t total;
  if (!sum || !more || __builtin_add_overflow(*sum, *more, &total))
    sum.reset();
  else
    sum = total;
}

/// Why a map has no count.
static StringRef whyUncounted(ArrayRef<IndexingMap> maps) {
  for (const IndexingMap &map : maps)
    if (map.getNumRuntime() != 0)
      return "it depends on runtime variables";
  for (const IndexingMap &map : maps)
    if (llvm::any_of(map.getRanges(), [](const Interval &range) {
          return !range.isEmpty() && !range.isFinite();
        }))
      return "a range has no end";
  return "too many points to count";
}

/// Different results of several maps into a space of `elements` points. Images
/// that are boxes, or everything, are counted without looking at points.
static std::optional<uint64_t> countUnique(ArrayRef<IndexingMap> maps,
                                           std::optional<uint64_t> elements,
                                           uint64_t budget) {
  if (maps.size() == 1)
    return countImage(maps.front(), budget);
  SmallVector<Box> boxes;
  for (const IndexingMap &map : maps) {
    Footprint image = getImage(map, nullptr, budget);
    if (elements && image.count == elements)
      return elements;
    if (image.kind == Exactness::Exact)
      boxes.push_back(*image.hull);
  }
  if (boxes.size() == maps.size())
    if (std::optional<uint64_t> count = countUnionOfBoxes(boxes))
      return count;
  return countUnion(maps, budget);
}

ReadCounts FusionAnalysis::count(ArrayRef<IndexingMap> maps, Type type,
                                 bool countsReads) {
  ReadCounts counts;
  counts.elements = countElements(type);
  MapPool &pool = cache.getPool();
  std::vector<MapPool::Id> ids;
  for (const IndexingMap &map : maps) {
    if (map.isUnknown()) {
      counts.reason =
          tensoraccess::describe(fromUnknownReason(map.getUnknownReason()))
              .str();
      return counts;
    }
    ids.push_back(pool.intern(map));
  }
  llvm::sort(ids);
  ids.erase(llvm::unique(ids), ids.end());
  counts.patterns = ids.size();

  counts.reads = 0;
  for (MapPool::Id id : ids) {
    auto [it, inserted] = points.try_emplace(id);
    if (inserted)
      it->second = countPoints(pool[id], countBudget);
    addTo(counts.reads, it->second);
  }
  SmallVector<IndexingMap> distinct;
  for (MapPool::Id id : ids)
    distinct.push_back(pool[id]);
  auto [it, inserted] = unions.try_emplace(std::move(ids));
  if (inserted)
    it->second = countUnique(distinct, counts.elements, countBudget);
  counts.unique = it->second;
  if (!counts.reads || !counts.unique)
    counts.reason = whyUncounted(distinct).str();
  if (!countsReads) {
    counts.reads.reset();
    if (counts.reason.empty())
      counts.reason = kMerged.str();
  }
  return counts;
}

IndexingBudget FusionAnalysis::widen(IndexingBudget budget) {
  budget.mergeSymbols = std::max(budget.mergeSymbols, kWideSymbols);
  return budget;
}

std::optional<uint64_t>
FusionAnalysis::countWideReads(const FusionIndexing &indexing,
                               unsigned numResults, Value value) {
  MapPool &pool = wide.getPool();
  llvm::SmallDenseSet<MapPool::Id> seen;
  uint64_t sum = 0;
  for (unsigned r = 0; r < numResults; ++r) {
    const ValueReads *reads = indexing.getReads(value, r);
    if (!reads)
      continue;
    if (reads->isUnknown())
      return std::nullopt;
    for (const ReadPattern &pattern : reads->patterns) {
      if (!pattern.countsReads)
        return std::nullopt;
      MapPool::Id id = pool.intern(pattern.map);
      if (!seen.insert(id).second)
        continue;
      auto [it, inserted] = widePoints.try_emplace(id);
      if (inserted)
        it->second = countPoints(pool[id], countBudget);
      if (!it->second || __builtin_add_overflow(sum, *it->second, &sum))
        return std::nullopt;
    }
  }
  return sum;
}

ReadCounts FusionAnalysis::countOperands(Operation *op,
                                         ArrayRef<unsigned> operands) {
  const OpIndexing &indexing = cache.get(op);
  SmallVector<IndexingMap> maps;
  Type type = op->getOperand(operands.front()).getType();
  for (unsigned o : operands)
    for (unsigned r = 0; r < op->getNumResults(); ++r) {
      const IndexingSet &set = indexing.outputToInput(r, o);
      if (set.isUnknown()) {
        ReadCounts counts;
        counts.elements = countElements(type);
        counts.reason = tensoraccess::describe(set.getReason()).str();
        counts.culprit = cache.getCulprit(op, r, o);
        return counts;
      }
      llvm::append_range(maps, set.getMaps());
    }
  return count(maps, type, cache.countsReads(op));
}

ReadCounts FusionAnalysis::analyzeEdge(Value value, Operation *consumer) {
  SmallVector<unsigned> operands;
  for (OpOperand &operand : consumer->getOpOperands())
    if (operand.get() == value)
      operands.push_back(operand.getOperandNumber());
  return operands.empty() ? ReadCounts() : countOperands(consumer, operands);
}

ReadCounts FusionAnalysis::analyzeOperand(OpOperand &operand) {
  return countOperands(operand.getOwner(), operand.getOperandNumber());
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The op that combines elements in the body of a reduction: `maximumf`.
static StringRef getCombiner(Operation *op, unsigned result) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return {};
  Block &block = op->getRegion(0).front();
  if (block.empty() || result >= block.back().getNumOperands())
    return {};
  Operation *last = block.back().getOperand(result).getDefiningOp();
  return last && last->getBlock() == &block ? last->getName().stripDialect()
                                            : StringRef();
}

std::string FusionAnalysis::describeReader(const ReadStep &step,
                                           bool &isNotable, bool &hasSymbols) {
  const IndexingSet &set =
      cache.get(step.op).outputToInput(step.result, step.operand);
  isNotable = hasSymbols = false;
  llvm::SmallBitVector ranged;
  for (const IndexingMap &map : set.getMaps()) {
    isNotable |= !map.isIdentity();
    ranged.resize(std::max<size_t>(ranged.size(), map.getNumResults()));
    for (auto [j, result] : llvm::enumerate(map.getResults())) {
      SmallVector<char> used;
      map.getArena().markUsed(result, used);
      for (unsigned s = 0; s < map.getNumSymbols(); ++s) {
        unsigned variable = map.getNumDims() + s;
        if (variable < used.size() && used[variable] &&
            !map.getRanges()[variable].isPoint())
          ranged.set(j);
      }
    }
  }
  std::string text = step.op->getName().getStringRef().str();
  hasSymbols = ranged.any();
  if (!hasSymbols)
    return text;
  text += " (";
  if (StringRef combiner = getCombiner(step.op, step.result); !combiner.empty())
    text += (combiner + " ").str();
  text += "over ";
  text += llvm::join(
      llvm::map_range(ranged.set_bits(),
                      [](unsigned j) { return "d" + std::to_string(j); }),
      ", ");
  return text + ")";
}

/// Where a step leads on its way to the result.
static const ReadPattern *getNext(const FusionIndexing &indexing,
                                  unsigned result, const ReadStep &step) {
  const ValueReads *above =
      indexing.getReads(step.op->getResult(step.result), result);
  return above && step.pattern < above->patterns.size()
             ? &above->patterns[step.pattern]
             : nullptr;
}

FusionAnalysis::Way FusionAnalysis::getWay(const FusionIndexing &indexing,
                                           unsigned result,
                                           const ReadPattern &pattern) {
  // Down to where the rest is known, and back.
  SmallVector<const ReadPattern *> unknown;
  const ReadPattern *next = &pattern;
  while (next && !next->steps.empty() && !ways.contains(next)) {
    unknown.push_back(next);
    next = getNext(indexing, result, next->steps.front());
  }
  Way way = ways.lookup(next);
  for (const ReadPattern *known : llvm::reverse(unknown)) {
    prepend(known->steps.front(), way);
    ways[known] = way;
  }
  return way;
}

void FusionAnalysis::prepend(const ReadStep &step, Way &way) {
  bool isNotable = false, hasSymbols = false;
  std::string name = describeReader(step, isNotable, hasSymbols);
  if (!hasSymbols && !isNotable)
    return;
  auto &names = hasSymbols ? way.ranging : way.moving;
  names.insert(names.begin(), std::move(name));
  if (names.size() > kMaxNamed)
    names.pop_back();
}

std::string FusionAnalysis::describePath(const FusionIndexing &indexing,
                                         unsigned result,
                                         const ReadPattern &pattern) {
  // By last step: the names on the way from there to the result.
  SmallVector<std::string> texts;
  for (const ReadStep &first : pattern.steps) {
    Way way;
    if (const ReadPattern *next = getNext(indexing, result, first))
      way = getWay(indexing, result, *next);
    prepend(first, way);
    ArrayRef<std::string> names =
        way.ranging.empty() ? way.moving : way.ranging;
    std::string text =
        names.empty() ? "directly" : "through " + llvm::join(names, ", then ");
    if (!llvm::is_contained(texts, text))
      texts.push_back(std::move(text));
  }
  if (texts.empty())
    return "as a result";
  std::string text = llvm::join(texts, " or ");
  if (pattern.hasMoreSteps)
    text += " or others";
  return text;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

ValueFusion FusionAnalysis::describe(const GroupFusion &fusion, Value value,
                                     bool &isMerged) {
  ValueFusion result;
  result.value = value;
  MapPool &pool = cache.getPool();
  SmallVector<MapPool::Id> seen;
  bool countsReads = true;
  for (unsigned r = 0; r < fusion.group.getResults().size(); ++r) {
    const ValueReads *reads = fusion.indexing.getReads(value, r);
    if (!reads)
      continue;
    if (reads->isUnknown()) {
      result.maps.clear();
      result.paths.clear();
      result.counts = ReadCounts();
      result.counts.elements = countElements(value.getType());
      result.counts.reason = tensoraccess::describe(reads->reason).str();
      result.counts.culprit = reads->culprit;
      return result;
    }
    for (const ReadPattern &pattern : reads->patterns) {
      countsReads &= pattern.countsReads;
      MapPool::Id id = pool.intern(pattern.map);
      if (llvm::is_contained(seen, id))
        continue;
      seen.push_back(id);
      result.maps.push_back(pattern.map);
      result.paths.push_back(describePath(fusion.indexing, r, pattern));
    }
  }
  result.counts = count(result.maps, value.getType(), countsReads);
  isMerged |= !countsReads;
  return result;
}

GroupFusion FusionAnalysis::analyze(FusionGroup group) {
  FusionOptions options;
  options.inputToOutput = false;
  options.keepReads = true;
  FusionIndexing indexing = getFusionIndexing(cache, group, options);
  GroupFusion fusion{std::move(group), std::move(indexing), {}, {}, 0, 0};
  bool isMerged = false;
  ways.clear();
  for (Value operand : fusion.group.getOperands())
    fusion.operands.push_back(describe(fusion, operand, isMerged));
  for (Operation *op : fusion.group.getOps()) {
    if (op->getNumOperands() == 0)
      continue;
    for (Value value : op->getResults()) {
      ValueFusion producer = describe(fusion, value, isMerged);
      if (!producer.maps.empty() || !producer.counts.reason.empty())
        fusion.producers.push_back(std::move(producer));
    }
  }
  if (isMerged) {
    FusionIndexing wider = getFusionIndexing(wide, fusion.group, options);
    auto complete = [&](ValueFusion &use) {
      if (use.counts.reason != kMerged)
        return;
      use.counts.reads =
          countWideReads(wider, fusion.group.getResults().size(), use.value);
      if (use.counts.reads)
        use.counts.reason.clear();
    };
    llvm::for_each(fusion.operands, complete);
    llvm::for_each(fusion.producers, complete);
  }
  for (const ValueFusion &producer : fusion.producers) {
    addTo(fusion.computed, producer.counts.reads);
    addTo(fusion.needed, producer.counts.unique);
  }
  return fusion;
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

std::optional<uint64_t> tensoraccess::countElements(Type type) {
  IndexingReason reason;
  std::optional<SmallVector<int64_t>> shape = getIndexSpace(type, reason);
  return shape ? elementCount(*shape) : std::nullopt;
}

std::optional<uint64_t> tensoraccess::getElementBytes(Type type) {
  if (auto indexed = dyn_cast<IndexSpaceTypeInterface>(type))
    type = indexed.getElementType();
  type = getElementTypeOrSelf(type);
  if (isa<IndexType>(type))
    return 8;
  uint64_t factor = 1;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    type = complex.getElementType();
    factor = 2;
  }
  if (!type.isIntOrFloat())
    return std::nullopt;
  return factor * llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

Operation *tensoraccess::findOp(FunctionOpInterface function, StringRef name,
                                std::string &error) {
  auto [kind, number] = name.split('#');
  unsigned index = 0;
  if (name.contains('#') && number.getAsInteger(10, index)) {
    error = ("op '" + name + "' must end in a number after '#', got '" +
             number + "'")
                .str();
    return nullptr;
  }
  unsigned count = 0;
  SmallVector<StringRef> others;
  if (!function.isExternal())
    for (Operation &op : function.getFunctionBody().front()) {
      if (op.getName().getStringRef() != kind)
        others.push_back(op.getName().getStringRef());
      else if (count++ == index)
        return &op;
    }
  const std::string closest =
      findClosest(kind, others, kind.take_front(kind.find('.') + 1));
  error =
      count == 0
          ? ("no op '" + kind + "' in function '" + function.getName() + "'" +
             (closest.empty() ? "" : "; did you mean '" + closest + "'?"))
                .str()
          : ("op '" + kind + "' number " + Twine(index) +
             " does not exist, function '" + function.getName() + "' has " +
             Twine(count))
                .str();
  return nullptr;
}
