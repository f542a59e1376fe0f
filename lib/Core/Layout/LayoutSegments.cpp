//===- LayoutSegments.cpp - Where boxes and padding are in memory ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree of MemoryRuns.h. A level is an edge of the canonical digit map
// into the number, in the order of memory: a block below it consists of
// `extent` blocks of `stride` elements each. What is left of a dimension's
// range [lo, hi] when its digits of weight D and above are known is [lo, hi]
// again, with 0 ≤ lo ≤ hi < D: whole (lo = 0, hi = D − 1) between the first and
// the last value of a digit. So a level sees at most four different remainders
// of each dimension.
//
// A dimension's digits come in the order of memory from major to minor, since a
// tile puts the outer digit before the inner one and never exchanges two
// digits. A node that `*` made is a dimension, too, if the box leaves it a
// range of its own, which is one run of the tree below that node. Where the box
// leaves it more, elements are gone through and sorted.
//
// The complement takes the same walk: what is whole is empty, and the reverse.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/MemoryRuns.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// Inclusive; empty if lo > hi.
struct Span {
  int64_t lo = 0, hi = 0;
  bool operator<(const Span &o) const {
    return lo != o.lo ? lo < o.lo : hi < o.hi;
  }
};
/// One range per node.
using Remainder = std::vector<Span>;

/// What a block of memory holds.
struct Chunk {
  int64_t size = 0;
  int64_t elements = 0;
  /// Lengths of the runs at its ends; both `size` if it is full.
  int64_t prefix = 0, suffix = 0;
  /// The runs that touch neither end.
  int64_t runs = 0, minLength = 0, maxLength = 0;

  bool isFull() const { return elements == size; }
  void addRun(int64_t length) { addRuns(1, length, length); }
  void addRuns(int64_t count, int64_t least, int64_t greatest) {
    if (count == 0)
      return;
    minLength = runs == 0 ? least : std::min(minLength, least);
    maxLength = std::max(maxLength, greatest);
    runs += count;
  }
};

struct Level {
  unsigned node;
  int64_t divisor, stride, extent;
};
} // namespace

static Chunk solid(int64_t size, bool isFull) {
  Chunk block;
  block.size = size;
  if (isFull)
    block.elements = block.prefix = block.suffix = size;
  return block;
}

/// `a` and after it `b`.
static Chunk concat(const Chunk &a, const Chunk &b) {
  if (a.size == 0)
    return b;
  if (b.size == 0)
    return a;
  Chunk sum;
  sum.size = a.size + b.size;
  sum.elements = a.elements + b.elements;
  sum.prefix = a.isFull() ? a.size + b.prefix : a.prefix;
  sum.suffix = b.isFull() ? b.size + a.suffix : b.suffix;
  sum.addRuns(a.runs, a.minLength, a.maxLength);
  sum.addRuns(b.runs, b.minLength, b.maxLength);
  if (!a.isFull() && !b.isFull() && a.suffix + b.prefix > 0)
    sum.addRun(a.suffix + b.prefix);
  return sum;
}

static Chunk repeat(Chunk block, int64_t times) {
  Chunk sum;
  for (; times > 0; times >>= 1) {
    if (times & 1)
      sum = concat(sum, block);
    if (times > 1)
      block = concat(block, block);
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

class mlir::tensoraccess::detail::RunTree {
public:
  /// The runs of node `to` of `map`, of the points at which nodes are in
  /// `ranges`. Null if its digits don't nest.
  static std::shared_ptr<RunTree> make(const DigitMap &map, unsigned to,
                                       int64_t size, const Remainder &ranges,
                                       bool isComplement, int64_t tail,
                                       uint64_t budget);

  std::optional<RunSummary> summarize();
  bool forEach(llvm::function_ref<bool(MemoryRun)> visit) const;
  std::optional<RunDescriptors> describe(unsigned limit, int64_t runs) const;

  static std::optional<MemoryRuns> getRuns(const DigitMap &map, const Box &box,
                                           int64_t padded, bool isComplement,
                                           uint64_t budget);

private:
  int64_t findEnd(bool isLast) const;
  const Chunk *visitLevel(unsigned level, const Remainder &rest);
  int64_t getBlockSize(unsigned level) const {
    return level == 0 ? size : levels[level - 1].stride;
  }
  /// The remainder below one value of a level's digit.
  Remainder below(unsigned level, const Remainder &rest, int64_t digit) const;
  Span getDigits(unsigned level, const Remainder &rest) const {
    const Span &range = rest[levels[level].node];
    return {range.lo / levels[level].divisor, range.hi / levels[level].divisor};
  }

  SmallVector<Level, 8> levels;
  Remainder ranges;
  int64_t size = 1, tail = 0;
  bool isComplement = false;
  uint64_t budget = 0;
  std::vector<std::map<Remainder, Chunk>> blocks;
};

using mlir::tensoraccess::detail::RunTree;

std::shared_ptr<RunTree> RunTree::make(const DigitMap &map, unsigned to,
                                       int64_t size, const Remainder &ranges,
                                       bool isComplement, int64_t tail,
                                       uint64_t budget) {
  auto tree = std::make_shared<RunTree>();
  tree->size = size;
  tree->tail = tail;
  tree->isComplement = isComplement;
  tree->budget = budget;
  tree->ranges = ranges;
  SmallVector<DigitEdge, 8> edges;
  for (const DigitEdge &edge : map.getEdges())
    if (edge.to == to && edge.modulus > 1)
      edges.push_back(edge);
  llvm::sort(edges, [](const DigitEdge &a, const DigitEdge &b) {
    return a.stride > b.stride;
  });
  // The weight of the digits seen so far of each node.
  ArrayRef<int64_t> bounds = map.getBounds();
  SmallVector<int64_t, 8> weight(bounds);
  if (!edges.empty()) {
    int64_t top = edges.front().stride;
    std::optional<int64_t> whole = checkedMul(ceilDivPositive(size, top), top);
    // Elements are below the size, so a greater one does no harm except to
    // the complement.
    if (!whole || (isComplement && *whole != size))
      return nullptr;
    tree->size = *whole;
  }
  int64_t block = tree->size;
  for (const DigitEdge &edge : edges) {
    int64_t &above = weight[edge.from];
    bool isNext = above > edge.divisor &&
                  ceilDivPositive(above, edge.divisor) == edge.modulus &&
                  (above == bounds[edge.from] || above % edge.divisor == 0);
    if (!isNext || block % edge.stride != 0 ||
        edge.modulus > std::min(edge.extent, block / edge.stride))
      return nullptr;
    tree->levels.push_back(
        {edge.from, edge.divisor, edge.stride, block / edge.stride});
    above = edge.divisor;
    block = edge.stride;
  }
  // All of a node that a range mentions goes into this one.
  for (auto [node, range] : llvm::enumerate(ranges))
    if (weight[node] != 1 && range.hi > 0)
      return nullptr;
  tree->blocks.resize(tree->levels.size() + 1);
  return tree;
}

Remainder RunTree::below(unsigned level, const Remainder &rest,
                         int64_t digit) const {
  const Level &at = levels[level];
  Remainder next = rest;
  Span &range = next[at.node];
  int64_t first = range.lo / at.divisor, last = range.hi / at.divisor;
  int64_t lo = digit == first ? range.lo % at.divisor : 0;
  int64_t hi = digit == last ? range.hi % at.divisor : at.divisor - 1;
  range = {lo, hi};
  return next;
}

/// Sums a block up; null beyond the budget. Levels are as few as digits, so
/// the recursion is shallow.
const Chunk *RunTree::visitLevel(unsigned level, const Remainder &rest) {
  auto [it, isNew] = blocks[level].try_emplace(rest);
  if (!isNew)
    return &it->second;
  if (budget == 0)
    return nullptr;
  --budget;
  bool gap = isComplement;
  if (level == levels.size()) {
    it->second = concat(solid(1, !gap), solid(getBlockSize(level) - 1, gap));
    return &it->second;
  }
  const Level &at = levels[level];
  Span digits = getDigits(level, rest);
  Chunk sum = solid(digits.lo * at.stride, gap);
  for (int64_t digit = digits.lo; digit <= digits.hi;) {
    // The values between the first and the last are alike.
    int64_t times = digit == digits.lo || digit == digits.hi
                        ? 1
                        : digits.hi - digits.lo - 1;
    const Chunk *child = visitLevel(level + 1, below(level, rest, digit));
    if (!child)
      return nullptr;
    sum = concat(sum, repeat(*child, times));
    digit += times;
  }
  sum = concat(sum, solid((at.extent - 1 - digits.hi) * at.stride, gap));
  it->second = sum;
  return &it->second;
}

std::optional<RunSummary> RunTree::summarize() {
  const Chunk *root = visitLevel(0, ranges);
  if (!root)
    return std::nullopt;
  Chunk all = concat(*root, solid(tail, isComplement));
  if (all.isFull()) {
    all.addRuns(all.size > 0, all.size, all.size);
  } else {
    all.addRuns(all.prefix > 0, all.prefix, all.prefix);
    all.addRuns(all.suffix > 0, all.suffix, all.suffix);
  }
  RunSummary summary{all.elements,  all.runs, all.minLength,
                     all.maxLength, 0,        0};
  if (all.elements == 0)
    return summary;
  summary.begin = root->elements > 0 ? findEnd(/*isLast=*/false) : size;
  bool endsInTail = isComplement && tail > 0;
  summary.end = endsInTail ? size + tail : findEnd(/*isLast=*/true);
  return summary;
}

/// Where the first run begins, or the last one ends.
int64_t RunTree::findEnd(bool isLast) const {
  int64_t base = 0;
  Remainder rest = ranges;
  for (unsigned level = 0;; ++level) {
    const Chunk &block = blocks[level].at(rest);
    if (isLast ? block.suffix > 0 : block.prefix > 0)
      return isLast ? base + block.size : base;
    if (level == levels.size())
      return base + 1;
    // The children from this end on: the first, those between, the last.
    const Level &at = levels[level];
    Span digits = getDigits(level, rest);
    int64_t first = isLast ? digits.hi : digits.lo;
    int64_t last = isLast ? digits.lo : digits.hi;
    int64_t between = isLast ? first - 1 : first + 1;
    bool isFound = false;
    for (int64_t digit : {first, between, last}) {
      if (isFound || digit < digits.lo || digit > digits.hi)
        continue;
      Remainder next = below(level, rest, digit);
      if (blocks[level + 1].at(next).elements == 0)
        continue;
      isFound = true;
      base += digit * at.stride;
      std::swap(rest, next);
      break;
    }
    if (!isFound) // the gap at the other end of a complement
      return base + (isLast ? digits.lo : digits.hi + 1) * at.stride;
  }
}

bool RunTree::forEach(llvm::function_ref<bool(MemoryRun)> visit) const {
  MemoryRun pending;
  auto emit = [&](int64_t offset, int64_t length) {
    if (length == 0)
      return true;
    if (pending.length > 0 && pending.getEnd() == offset) {
      pending.length += length;
      return true;
    }
    bool goesOn = pending.length == 0 || visit(pending);
    pending = {offset, length};
    return goesOn;
  };

  // A block of the walk: children from `digit` on are still to come.
  struct Frame {
    Remainder rest;
    int64_t base;
    int64_t digit;
  };
  SmallVector<Frame, 8> stack;
  auto enter = [&](unsigned level, Remainder rest, int64_t base) {
    const Chunk &block = blocks[level].at(rest);
    if (block.elements == 0)
      return true;
    if (block.isFull())
      return emit(base, block.size);
    if (level == levels.size())
      return isComplement ? emit(base + 1, block.size - 1) : emit(base, 1);
    Span digits = getDigits(level, rest);
    stack.push_back({std::move(rest), base, digits.lo});
    return !isComplement || emit(base, digits.lo * levels[level].stride);
  };
  if (!enter(0, ranges, 0))
    return false;
  while (!stack.empty()) {
    unsigned level = stack.size() - 1;
    Frame &top = stack.back();
    const Level &at = levels[level];
    Span digits = getDigits(level, top.rest);
    if (top.digit > digits.hi) {
      int64_t behind = top.base + (digits.hi + 1) * at.stride;
      bool goesOn = !isComplement ||
                    emit(behind, (at.extent - 1 - digits.hi) * at.stride);
      stack.pop_back();
      if (!goesOn)
        return false;
      continue;
    }
    int64_t digit = top.digit++;
    if (!enter(level + 1, below(level, top.rest, digit),
               top.base + digit * at.stride))
      return false;
  }
  if (isComplement && !emit(size, tail))
    return false;
  return pending.length == 0 || visit(pending);
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

namespace {
/// A range of each of a node's digits, major first.
using DigitBox = SmallVector<Span, 4>;
} // namespace

/// The numbers of [lo, hi] as disjoint boxes of digits: the first value of the
/// major digit, those between, the last.
static SmallVector<DigitBox, 2> cutRange(Span range,
                                         ArrayRef<int64_t> divisors) {
  if (divisors.empty())
    return {DigitBox()};
  int64_t divisor = divisors.front();
  Span digits = {range.lo / divisor, range.hi / divisor};
  SmallVector<DigitBox, 2> boxes;
  auto add = [&](Span digit, Span below) {
    if (digit.lo > digit.hi)
      return;
    for (DigitBox &box : cutRange(below, divisors.drop_front())) {
      box.insert(box.begin(), digit);
      boxes.push_back(std::move(box));
    }
  };
  Span whole = {0, divisor - 1};
  Span first = {range.lo % divisor, divisor - 1};
  Span last = {0, range.hi % divisor};
  if (digits.lo == digits.hi) {
    add(digits, {range.lo % divisor, range.hi % divisor});
    return boxes;
  }
  Span between = digits;
  if (first.lo != 0) {
    add({digits.lo, digits.lo}, first);
    ++between.lo;
  }
  if (last.hi != divisor - 1)
    --between.hi;
  add(between, whole);
  if (last.hi != divisor - 1)
    add({digits.hi, digits.hi}, last);
  return boxes;
}

std::optional<RunDescriptors> RunTree::describe(unsigned limit,
                                                int64_t runs) const {
  if (isComplement)
    return std::nullopt;
  // Boxes of digits of each node, then of all.
  unsigned numNodes = ranges.size();
  SmallVector<SmallVector<unsigned, 4>, 4> levelsOf(numNodes);
  for (auto [i, level] : llvm::enumerate(levels))
    levelsOf[level.node].push_back(i);
  SmallVector<SmallVector<Span, 8>, 2> boxes(
      1, SmallVector<Span, 8>(levels.size()));
  for (unsigned node = 0; node < numNodes; ++node) {
    if (levelsOf[node].empty())
      continue;
    SmallVector<int64_t, 4> divisors;
    for (unsigned level : levelsOf[node])
      divisors.push_back(levels[level].divisor);
    SmallVector<DigitBox, 2> cuts = cutRange(ranges[node], divisors);
    if (cuts.size() * boxes.size() > limit)
      return std::nullopt;
    SmallVector<SmallVector<Span, 8>, 2> next;
    for (const auto &box : boxes)
      for (const DigitBox &cut : cuts) {
        next.push_back(box);
        for (auto [level, range] : llvm::zip_equal(levelsOf[node], cut))
          next.back()[level] = range;
      }
    boxes = std::move(next);
  }

  RunDescriptors all;
  int64_t found = 0;
  for (const auto &box : boxes) {
    RunDescriptor part;
    SmallVector<RunDescriptor::Loop, 4> loops; // innermost first
    for (size_t i = levels.size(); i-- > 0;) {
      int64_t count = box[i].hi - box[i].lo + 1, stride = levels[i].stride;
      part.offset += box[i].lo * stride;
      if (count == 1)
        continue;
      if (loops.empty() && stride == part.length)
        part.length *= count;
      else if (!loops.empty() &&
               stride == loops.back().count * loops.back().stride)
        loops.back().count *= count;
      else
        loops.push_back({count, stride});
    }
    part.loops.assign(loops.rbegin(), loops.rend());
    found += part.getRuns();
    all.parts.push_back(std::move(part));
  }
  llvm::sort(all.parts, [](const RunDescriptor &a, const RunDescriptor &b) {
    return a.offset < b.offset;
  });
  all.areMaximal = found == runs;
  return all;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// Goes through the elements of a box and sorts their numbers; std::nullopt
/// beyond the budget.
static std::optional<SmallVector<MemoryRun, 0>>
sortElements(const DigitMap &map, const Box &box, uint64_t budget) {
  uint64_t elements = 1;
  for (auto [lo, hi] : llvm::zip_equal(box.lo, box.hi)) {
    uint64_t extent = hi - lo;
    if (__builtin_mul_overflow(elements, extent, &elements) ||
        elements > budget)
      return std::nullopt;
  }
  std::vector<int64_t> numbers;
  numbers.reserve(elements);
  SmallVector<int64_t> index(box.lo);
  for (uint64_t i = 0; i < elements; ++i) {
    int64_t number;
    if (map.evaluate(index, number))
      numbers.push_back(number);
    nextIndex(index, box.hi, box.lo);
  }
  llvm::sort(numbers);
  SmallVector<MemoryRun, 0> runs;
  for (int64_t number : numbers)
    if (!runs.empty() && runs.back().getEnd() == number)
      ++runs.back().length;
    else
      runs.push_back({number, 1});
  return runs;
}

static RunSummary summarize(ArrayRef<MemoryRun> runs) {
  RunSummary summary;
  for (const MemoryRun &run : runs) {
    summary.elements += run.length;
    summary.minLength = summary.runs == 0
                            ? run.length
                            : std::min(summary.minLength, run.length);
    summary.maxLength = std::max(summary.maxLength, run.length);
    ++summary.runs;
  }
  if (!runs.empty()) {
    summary.begin = runs.front().offset;
    summary.end = runs.back().getEnd();
  }
  return summary;
}

/// The runs of [0, size) that are in none of `runs`.
static SmallVector<MemoryRun, 0> complement(ArrayRef<MemoryRun> runs,
                                            int64_t size) {
  SmallVector<MemoryRun, 0> gaps;
  int64_t end = 0;
  for (const MemoryRun &run : runs) {
    if (run.offset > end)
      gaps.push_back({end, run.offset - end});
    end = run.getEnd();
  }
  if (size > end)
    gaps.push_back({end, size - end});
  return gaps;
}

std::optional<MemoryRuns> RunTree::getRuns(const DigitMap &map, const Box &box,
                                           int64_t padded, bool isComplement,
                                           uint64_t budget) {
  MemoryRuns result;
  if (box.isEmpty() || map.isEmpty()) {
    if (isComplement && padded > 0)
      result.runs.push_back({0, padded});
    result.summary = ::summarize(result.runs);
    return result;
  }
  // Fewer levels; the complement needs the radices as they are.
  std::optional<DigitMap> canonical = isComplement ? map : map.canonical();
  if (!canonical)
    return std::nullopt;
  unsigned numNodes = canonical->getNumNodes();
  int64_t size = map.getBounds().back();
  // The ranges of nodes; a node between has one if its tree is one run.
  Remainder ranges(numNodes, Span{0, 0});
  bool hasRanges = true;
  for (unsigned i = 0; i < canonical->getNumSources(); ++i)
    ranges[i] = {box.lo[i], box.hi[i] - 1};
  for (unsigned node = canonical->getNumSources();
       hasRanges && node < numNodes - 1; ++node) {
    // What goes into this node goes nowhere else.
    Remainder parts(numNodes, Span{0, 0});
    llvm::SmallDenseSet<unsigned, 8> seen;
    for (const DigitEdge &edge : canonical->getEdges())
      if (edge.to == node && seen.insert(edge.from).second)
        std::swap(parts[edge.from], ranges[edge.from]);
    auto below = make(*canonical, node, canonical->getBounds()[node], parts,
                      /*isComplement=*/false, 0, budget);
    std::optional<RunSummary> summary =
        below ? below->summarize() : std::nullopt;
    hasRanges = summary && summary->runs == 1;
    if (hasRanges)
      ranges[node] = {summary->begin, summary->end - 1};
  }
  if (hasRanges) {
    auto tree = make(*canonical, canonical->getTarget(0), size, ranges,
                     isComplement, padded - size, budget);
    if (std::optional<RunSummary> summary =
            tree ? tree->summarize() : std::nullopt) {
      result.summary = *summary;
      result.tree = std::move(tree);
      return result;
    }
  }
  std::optional<SmallVector<MemoryRun, 0>> runs =
      sortElements(map, box, budget);
  if (!runs)
    return std::nullopt;
  result.runs = isComplement ? complement(*runs, padded) : std::move(*runs);
  result.summary = ::summarize(result.runs);
  return result;
}

bool MemoryRuns::forEach(llvm::function_ref<bool(MemoryRun)> visit) const {
  if (tree)
    return tree->forEach(visit);
  return llvm::all_of(runs, visit);
}

std::optional<SmallVector<MemoryRun>> MemoryRuns::list(uint64_t limit) const {
  if (static_cast<uint64_t>(summary.runs) > limit)
    return std::nullopt;
  SmallVector<MemoryRun> all;
  forEach([&](MemoryRun run) {
    all.push_back(run);
    return true;
  });
  return all;
}

std::optional<RunDescriptors> MemoryRuns::describe(unsigned limit) const {
  if (tree)
    if (std::optional<RunDescriptors> all = tree->describe(limit, summary.runs))
      return all;
  std::optional<SmallVector<MemoryRun>> all = list(limit);
  if (!all)
    return std::nullopt;
  RunDescriptors descriptors;
  for (const MemoryRun &run : *all)
    descriptors.parts.push_back({run.offset, {}, run.length});
  return descriptors;
}

std::optional<std::string>
mlir::tensoraccess::verifyBox(const Box &box, ArrayRef<int64_t> shape) {
  if (box.lo.size() != shape.size() || box.hi.size() != shape.size())
    return "the box must have rank " + std::to_string(shape.size()) + ", got " +
           std::to_string(box.lo.size());
  for (auto [dim, size] : llvm::enumerate(shape))
    if (box.lo[dim] < 0 || box.hi[dim] > size || box.lo[dim] > box.hi[dim])
      return "dimension " + std::to_string(dim) +
             " of the box must lie in [0, " + std::to_string(size) +
             "), got [" + std::to_string(box.lo[dim]) + ", " +
             std::to_string(box.hi[dim]) + ")";
  return std::nullopt;
}

std::optional<MemoryRuns> mlir::tensoraccess::getRuns(const Layout &layout,
                                                      const Box &box,
                                                      uint64_t budget) {
  std::optional<DigitMap> map = getDigits(layout);
  if (!map || verifyBox(box, *layout.shape))
    return std::nullopt;
  return RunTree::getRuns(*map, box, map->getBounds().back(),
                          /*isComplement=*/false, budget);
}

std::optional<MemoryRuns> mlir::tensoraccess::getPadding(const Layout &layout,
                                                         uint64_t budget) {
  std::optional<DigitMap> map = getDigits(layout);
  std::optional<int64_t> padded = layout.getPaddedElements();
  if (!map || !padded)
    return std::nullopt;
  return RunTree::getRuns(*map, getWholeBox(*layout.shape), *padded,
                          /*isComplement=*/true, budget);
}
