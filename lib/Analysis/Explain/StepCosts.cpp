//===- StepCosts.cpp - Bytes and operations of a step ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

Bounds &Bounds::operator+=(const Bounds &more) {
  // A lower bound may be too low, an upper one may not.
  lower = llvm::SaturatingAdd(lower, more.lower);
  uint64_t sum;
  if (upper && more.upper && !__builtin_add_overflow(*upper, *more.upper, &sum))
    upper = sum;
  else
    upper.reset();
  return *this;
}

Bounds Bounds::times(const Bounds &factor) const {
  Bounds product;
  product.lower = llvm::SaturatingMultiply(lower, factor.lower);
  if (isZero() || factor.isZero())
    return Bounds();
  product.upper = multiplyCounts(upper, factor.upper);
  return product;
}

Bounds Bounds::scaled(uint64_t part, uint64_t whole) const {
  if (whole == 0)
    return Bounds();
  Bounds product = times(exactly(part));
  product.lower /= whole;
  if (product.upper)
    product.upper = *product.upper / whole;
  return product;
}

Bounds Bounds::without(uint64_t count) const {
  Bounds rest = *this;
  rest.lower -= std::min(rest.lower, count);
  if (rest.upper)
    rest.upper = *rest.upper - std::min(*rest.upper, count);
  return rest;
}

Difference Difference::get(const Bounds &count, const Bounds &less) {
  auto subtract = [](std::optional<uint64_t> a,
                     std::optional<uint64_t> b) -> std::optional<int64_t> {
    int64_t difference;
    if (!a || !b || *a > INT64_MAX || *b > INT64_MAX ||
        __builtin_sub_overflow(int64_t(*a), int64_t(*b), &difference))
      return std::nullopt;
    return difference;
  };
  return {subtract(count.lower, less.upper), subtract(count.upper, less.lower)};
}

/// Tokens have none.
static bool isArray(Type type) {
  return isa<ShapedType>(type) || type.isIntOrIndexOrFloat();
}

Bounds tensoraccess::getElements(Value value) {
  std::optional<uint64_t> count = countElements(value.getType());
  return count ? Bounds::exactly(count) : Bounds{0, std::nullopt};
}

Bounds tensoraccess::getArrayBytes(Value value) {
  Type type = value.getType();
  if (!isArray(type))
    return Bounds();
  return Bounds::exactly(
      multiplyCounts(countElements(type), getElementBytes(type)));
}

Bounds tensoraccess::boundReads(const IndexingMap &map,
                                std::optional<uint64_t> exact) {
  if (exact)
    return Bounds::exactly(exact);
  // Each point of dims and symbols reads one element, wherever it is.
  std::optional<uint64_t> points = 1;
  const unsigned numRanged = map.getNumDims() + map.getNumSymbols();
  for (unsigned i = 0; i < numRanged; ++i) {
    const Interval &range = map.getRanges()[i];
    points = range.isFinite()
                 ? multiplyCounts(points, range.upper - range.lower + 1)
                 : std::nullopt;
  }
  return map.getConstraints().empty() && map.getNumRuntime() != 0
             ? Bounds::exactly(points)
             : Bounds::atMost(points);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// The operand that an op changes in place, and the one whose elements it writes;
/// std::nullopt for other ops.
static std::optional<std::pair<unsigned, unsigned>> getUpdate(Operation *op) {
  if (isHlo(op, "dynamic_update_slice"))
    return std::pair(0u, 1u);
  if (isHlo(op, "scatter") && op->getNumOperands() == 3)
    return std::pair(0u, 2u);
  if (op->getName().getStringRef() == "tensor.insert_slice")
    return std::pair(1u, 0u);
  return std::nullopt;
}

/// The op that gives a result of a step, looked for in the function it calls.
static Operation *getRoot(ProgramStep &step, unsigned result) {
  Value value = step.results[result];
  if (step.callee) {
    Operation *end = &step.callee.getFunctionBody().front().back();
    value = end->getOperand(cast<OpResult>(value).getResultNumber());
  }
  Operation *op = value.getDefiningOp();
  while (op && isView(op))
    op = op->getOperand(0).getDefiningOp();
  return op;
}

/// Adds the maps of a set; `reason` is set if it has none.
static void addMaps(const IndexingSet &set, SmallVectorImpl<IndexingMap> &maps,
                    StringRef &reason) {
  if (set.isUnknown())
    reason = describe(set.getReason());
  else
    llvm::append_range(maps, set.getMaps());
}

void ProgramSteps::addCosts(ProgramStep &step) {
  if (step.callee && !step.callee.getFunctionBody().hasOneBlock())
    step.callee = FunctionOpInterface();
  // Views are read through.
  bool readsViews = step.ops.size() > 1;
  for (Value operand : step.op()->getOperands())
    readsViews |= getArray(operand) != operand;
  auto addRead = [&](Value value, ArrayRef<IndexingMap> maps,
                     const ReadCounts &counts, StringRef reason) {
    ProgramStep::Read read;
    read.value = value;
    read.maps.assign(maps.begin(), maps.end());
    read.reason = reason.str();
    std::optional<uint64_t> elements = countElements(value.getType());
    Bounds points;
    for (const IndexingMap &map : maps)
      points +=
          map.isUnknown()
              ? Bounds{0, std::nullopt}
              : boundReads(map, maps.size() == 1 ? counts.reads : std::nullopt);
    if (counts.reads)
      points = Bounds::exactly(counts.reads);
    if (!reason.empty())
      points = {0, std::nullopt};
    read.reads = points;
    read.unique = Bounds::exactly(counts.unique);
    if (!counts.unique || !reason.empty()) {
      read.unique = Bounds::atMost(elements);
      if (points.upper && (!elements || *points.upper < *elements))
        read.unique.upper = points.upper;
    }
    read.bytes =
        read.unique.times(Bounds::exactly(getElementBytes(value.getType())));
    if (!isArray(value.getType()))
      read.bytes = read.unique = Bounds();
    // Two views of one array may show the same elements.
    auto *same = llvm::find_if(step.reads, [&](const ProgramStep::Read &other) {
      return other.value == value;
    });
    if (same == step.reads.end()) {
      step.reads.push_back(std::move(read));
      return;
    }
    same->reads += read.reads;
    for (auto [sum, more] : {std::pair(&same->unique, read.unique),
                             std::pair(&same->bytes, read.bytes)}) {
      const uint64_t least = std::max(sum->lower, more.lower);
      *sum += more;
      sum->lower = least;
    }
    same->bytes.upper =
        std::min(same->bytes.getMost(), getArrayBytes(value).getMost());
    if (elements)
      same->unique.upper = std::min(same->unique.getMost(), *elements);
    llvm::append_range(same->maps, read.maps);
    if (same->reason.empty())
      same->reason = read.reason;
  };
  if (readsViews && !step.results.empty()) {
    std::optional<FusionGroup> group =
        FusionGroup::get(step.results, [&](Operation *op) {
          return llvm::is_contained(step.ops, op) ||
                 (!isStep(op) && isView(op));
        });
    if (group) {
      FusionOptions options;
      options.inputToOutput = false;
      FusionIndexing indexing =
          getFusionIndexing(fusion.getCache(), *group, options);
      for (auto [o, operand] : llvm::enumerate(group->getOperands())) {
        SmallVector<IndexingMap, 1> maps;
        StringRef reason;
        for (unsigned r = 0; r < step.results.size(); ++r)
          addMaps(indexing.indexing.outputToInput(r, o), maps, reason);
        ReadCounts counts =
            reason.empty()
                ? fusion.count(maps, operand.getType(), indexing.countsReads)
                : ReadCounts();
        addRead(getArray(operand), maps, counts, reason);
      }
    }
  } else {
    llvm::SetVector<Value> values(step.op()->operand_begin(),
                                  step.op()->operand_end());
    const OpIndexing &indexing = fusion.getCache().get(step.op());
    for (Value value : values) {
      SmallVector<IndexingMap, 1> maps;
      StringRef reason;
      if (step.results.empty())
        reason = "the op has no result";
      for (OpOperand &operand : step.op()->getOpOperands()) {
        if (operand.get() != value)
          continue;
        for (unsigned r = 0; r < step.results.size(); ++r)
          addMaps(indexing.outputToInput(r, operand.getOperandNumber()), maps,
                  reason);
      }
      ReadCounts counts =
          reason.empty()
              ? fusion.count(maps, value.getType(),
                             fusion.getCache().countsReads(step.op()))
              : ReadCounts();
      addRead(value, maps, counts, reason);
    }
  }
  // What regions read of values around the op.
  for (Operation *op : step.ops) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    if (captured.empty())
      continue;
    const std::vector<CapturedRead> &known = fusion.getCache().getCaptured(op);
    for (Value value : captured) {
      if (!isArray(value.getType()))
        continue;
      SmallVector<IndexingMap, 1> maps;
      bool isKnown = false;
      StringRef reason;
      for (const CapturedRead &read : known)
        if (read.value == value) {
          isKnown = true;
          addMaps(read.outputToInput, maps, reason);
        }
      if (!isKnown)
        reason = "it is read in a region";
      addRead(getArray(value), maps,
              reason.empty() ? fusion.count(maps, value.getType(),
                                            /*countsReads=*/false)
                             : ReadCounts(),
              reason);
    }
  }
  for (auto [r, result] : llvm::enumerate(step.results)) {
    step.written.push_back(getArrayBytes(result));
    Operation *root = getRoot(step, r);
    std::optional<std::pair<unsigned, unsigned>> update =
        root ? getUpdate(root) : std::nullopt;
    if (!update)
      continue;
    // The array that is changed, seen from outside.
    Value array = root->getOperand(update->first);
    while (array.getDefiningOp() && array.getDefiningOp() != step.op() &&
           isView(array.getDefiningOp()))
      array = array.getDefiningOp()->getOperand(0);
    if (step.callee) {
      auto argument = dyn_cast<BlockArgument>(array);
      if (!argument || !argument.hasOneUse())
        continue;
      array = step.op()->getOperand(argument.getArgNumber());
    }
    array = getArray(array);
    for (ProgramStep::Read &read : step.reads)
      if (read.value == array) {
        read.isInPlace = true;
        read.bytes = read.unique = read.reads = Bounds();
        step.written.back() = getArrayBytes(root->getOperand(update->second));
        // What is combined with the update is read.
        if (isHlo(root, "scatter"))
          read.bytes = Bounds::atMost(step.written.back().upper);
      }
  }
  addOperations(step);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool tensoraccess::isMove(Operation *op) {
  static constexpr StringLiteral kMoves[] = {
      "bitcast",  "bitcast_convert", "concatenate", "constant", "copy",
      "pad",      "reshape",         "return",      "reverse",  "slice",
      "transpose"};
  const bool isKnown =
      isHlo(op) || op->getName().getDialectNamespace() == "mhlo";
  return op->hasTrait<OpTrait::IsTerminator>() ||
         (isKnown && llvm::is_contained(kMoves, op->getName().stripDialect()));
}

namespace {
/// What is done for so many elements of an op's first result.
struct Rate {
  uint64_t operations = 0;
  /// std::nullopt if that is unknown.
  std::optional<uint64_t> computed = 0;
  uint64_t elements = 1;
};
} // namespace

/// What an op computes for all of its elements, if it does more than move them:
/// once for each of them, or its body for each that it reads.
static std::optional<uint64_t> countComputed(Operation *op, uint64_t elements,
                                             bool isElementwise,
                                             FusionAnalysis &fusion) {
  if (isElementwise || op->hasTrait<OpTrait::Elementwise>())
    return elements;
  auto isFree = [](Region &region) {
    return llvm::all_of(region.getOps(),
                        [](Operation &inner) { return isMove(&inner); });
  };
  if (llvm::all_of(op->getRegions(), isFree))
    return 0;
  std::optional<uint64_t> most = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    ReadCounts counts = fusion.analyzeOperand(operand);
    if (!counts.reads)
      return std::nullopt;
    most = std::max(*most, *counts.reads);
  }
  return most;
}

/// None of what moves.
static std::optional<Rate> getRate(Operation *op, FusionAnalysis &fusion) {
  if (isMove(op))
    return Rate();
  std::optional<uint64_t> elements =
      op->getNumResults() ? countElements(op->getResult(0).getType())
                          : std::nullopt;
  if (!elements)
    return std::nullopt;
  // Of a convolution only products with elements, not with padding.
  if (isHlo(op, "convolution")) {
    ReadCounts counts = fusion.analyzeOperand(op->getOpOperand(0));
    if (std::optional<uint64_t> all = multiplyCounts(counts.reads, uint64_t(2)))
      return Rate{*all, *all, *elements};
  }
  // Of what is done element by element, one for each.
  const HloTraits *traits = getHloTraits(op);
  const bool isElementwise =
      traits && (traits->kind == HloTraits::Kind::Elementwise ||
                 traits->kind == HloTraits::Kind::Broadcasting);
  if (std::optional<Work> work = countOpWork(op);
      work && work->operations >= 0) {
    const uint64_t count = work->operations;
    std::optional<uint64_t> computed =
        countComputed(op, *elements, isElementwise, fusion);
    if (computed)
      computed = std::max(count, *computed);
    return Rate{count, computed, *elements};
  }
  return isElementwise ? std::optional(Rate{*elements, *elements, *elements})
                       : std::nullopt;
}

Bounds tensoraccess::getOperations(Operation *op, FusionAnalysis &fusion) {
  auto rate = getRate(op, fusion);
  return rate ? Bounds::exactly(rate->operations) : Bounds{0, std::nullopt};
}

void ProgramSteps::addOperations(ProgramStep &step) {
  step.isMove = true;
  const Bounds unknown{0, std::nullopt};
  if (!step.isFusion() || (!step.callee && step.ops.size() == 1)) {
    step.isMove = tensoraccess::isMove(step.op());
    auto rate = getRate(step.op(), fusion);
    step.operations = step.distinct =
        rate ? Bounds::exactly(rate->operations) : unknown;
    step.computed =
        rate && rate->computed ? Bounds::exactly(rate->computed) : unknown;
    return;
  }
  if (step.callee) {
    for (Operation &op : step.callee.getFunctionBody().front())
      step.isMove &= tensoraccess::isMove(&op);
    if (auto it = operations.find(step.callee); it != operations.end()) {
      std::tie(step.operations, step.distinct, step.computed) = it->second;
      return;
    }
  } else {
    for (Operation *op : step.ops)
      step.isMove &= tensoraccess::isMove(op);
  }
  std::optional<FusionGroup> group =
      step.callee ? FusionGroup::get(step.callee)
                  : FusionGroup::get(step.results, [&](Operation *op) {
                      return llvm::is_contained(step.ops, op);
                    });
  if (!group) {
    step.operations = step.distinct = step.computed = unknown;
    return;
  }
  FusionOptions options;
  options.inputToOutput = false;
  options.keepReads = true;
  FusionIndexing indexing =
      getFusionIndexing(fusion.getCache(), *group, options);
  for (Operation *op : group->getOps()) {
    if (op->getNumOperands() == 0)
      continue;
    auto rate = getRate(op, fusion);
    if (!rate) {
      step.operations += unknown;
      step.distinct += unknown;
      step.computed += unknown;
      continue;
    }
    if (rate->computed == uint64_t(0))
      continue;
    // The result that is computed most often.
    Bounds reads, unique;
    for (Value value : op->getResults()) {
      SmallVector<IndexingMap> maps;
      Bounds points;
      bool isUnknown = false, countsReads = true;
      llvm::SmallSetVector<MapPool::Id, 4> seen;
      for (unsigned r = 0; r < group->getResults().size(); ++r) {
        const ValueReads *all = indexing.getReads(value, r);
        if (!all)
          continue;
        isUnknown |= all->isUnknown();
        for (const ReadPattern &pattern : all->patterns) {
          countsReads &= pattern.countsReads;
          if (!isUnknown &&
              seen.insert(fusion.getCache().getPool().intern(pattern.map)))
            maps.push_back(pattern.map);
        }
      }
      ReadCounts counts =
          isUnknown ? ReadCounts()
                    : fusion.count(maps, value.getType(), countsReads);
      std::optional<uint64_t> elements = countElements(value.getType());
      for (const IndexingMap &map : maps)
        points += boundReads(map, std::nullopt);
      if (counts.reads)
        points = Bounds::exactly(counts.reads);
      if (isUnknown)
        points = unknown;
      Bounds differ = counts.unique ? Bounds::exactly(counts.unique)
                                    : Bounds::atMost(elements);
      if (points.getMost() >= reads.getMost() || !points.upper) {
        reads = points;
        unique = differ;
      }
    }
    // What is the same for all elements is computed before them.
    if (rate->elements == 1 && unique.getMost() <= 1)
      reads = unique;
    const Bounds &done = step.isTiled() ? unique : reads;
    step.distinct += unique.scaled(rate->operations, rate->elements);
    step.operations += done.scaled(rate->operations, rate->elements);
    step.computed +=
        rate->computed ? done.scaled(*rate->computed, rate->elements) : unknown;
  }
  if (step.callee)
    operations[step.callee] = {step.operations, step.distinct, step.computed};
}
