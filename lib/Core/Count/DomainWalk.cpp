//===- DomainWalk.cpp - Walking domains by the thousand -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The atoms that constraints and results use are a straight-line program.
//      Ranges prove that no value or sum passes 2^62; where they can't, the
//      map is enumerated instead, and nothing needs to be checked on the way.
//   2. The box is walked in blocks of points. Each instruction runs over all
//      points of a block: constraints first, then results if a point is left.
//   3. Division by m of x + c*m in [0, 2^32) is the upper half of a product
//      with ⌈2^64 / m⌉, exact for 32-bit operands (D. Lemire, O. Kaser and
//      N. Kurz, "Faster remainder by direct computation", 2019).
//   4. A tuple of results is one number, its position in a box that contains
//      all of them. These are bits of a field if the box is not much larger
//      than the walk, else entries of a hash table with open addresses.
//
//===----------------------------------------------------------------------===//

#include "DomainWalk.h"

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Points of a block.
static constexpr unsigned kBlock = 512;
/// Points that are walked at most, whatever the budget.
static constexpr uint64_t kMaxPoints = uint64_t(1) << 32;
/// Values, and all partial sums, are smaller.
static constexpr double kMaxValue = 0x1p62;
/// Steps of a walk that needs no second thought.
static constexpr uint64_t kShortWalk = uint64_t(1) << 19;
/// Steps of a point where arithmetic is checked.
static constexpr uint64_t kSlowPoint = 1500;
/// Bits of a field of results.
static constexpr uint64_t kMaxBits = uint64_t(1) << 27;

namespace {

/// ⌊x / m⌋ of every x in [-bound, bound].
class Divider {
public:
  Divider(int64_t m, double bound) : m(m) {
    if (bound >= 0x1p30 || m >= (int64_t(1) << 30))
      return;
    quotient = static_cast<int64_t>(bound) / m + 1;
    inverse = ~uint64_t(0) / static_cast<uint64_t>(m) + 1;
  }
  void operator()(int64_t *x, unsigned n) const {
    if (!inverse) {
      for (unsigned i = 0; i != n; ++i)
        x[i] = x[i] / m - (x[i] % m < 0);
      return;
    }
    const uint64_t shift = static_cast<uint64_t>(quotient * m);
    for (unsigned i = 0; i != n; ++i)
      x[i] = static_cast<int64_t>(static_cast<unsigned __int128>(
                                      static_cast<uint64_t>(x[i]) + shift) *
                                      inverse >>
                                  64) -
             quotient;
  }

private:
  int64_t m, quotient = 0;
  /// 0: not that small.
  uint64_t inverse = 0;
};

/// One map as a program over blocks of points.
class Walk {
public:
  explicit Walk(const IndexingMap &map);

  /// False: steps 1 of the file's comment does not go through.
  bool isPossible() const { return possible; }
  uint64_t getSize() const { return size; }
  uint64_t getCost() const;

  void start() { values.assign(program.size() * kBlock, 0); }
  /// Evaluates the points from number `begin` on and says how many they are;
  /// `isIn` tells which are in the domain, `numIn` how many of them.
  unsigned run(uint64_t begin, bool wantResults, char *isIn, unsigned &numIn);
  /// Values of result i at the points of the block.
  void getResult(unsigned i, int64_t *out, unsigned n) const {
    sum(map.getResult(i), out, n);
  }

private:
  struct Instruction {
    AtomId atom;
    /// Only results use it.
    bool isLate;
    Divider divider;
  };

  int64_t *at(AtomId atom) { return &values[size_t(slots[atom]) * kBlock]; }
  const int64_t *at(AtomId atom) const {
    return &values[size_t(slots[atom]) * kBlock];
  }
  double boundOf(FormRef form);
  void fill(uint64_t begin, unsigned n);
  void sum(FormRef form, int64_t *out, unsigned n) const;
  void execute(const Instruction &instruction, unsigned n);

  const IndexingMap &map;
  const FormArena &arena;
  bool possible = true;
  uint64_t size = 0;
  SmallVector<Instruction, 16> program;
  /// Of each atom: where its values are, and how large they are.
  SmallVector<unsigned, 32> slots;
  SmallVector<double, 32> bounds;
  std::vector<int64_t> values;
};

} // namespace

double Walk::boundOf(FormRef form) {
  double bound = std::abs(static_cast<double>(form.constant));
  for (const Term &t : form.terms)
    bound += std::abs(static_cast<double>(t.coefficient)) * bounds[t.atom];
  possible &= bound < kMaxValue;
  return bound;
}

Walk::Walk(const IndexingMap &map) : map(map), arena(map.getArena()) {
  std::optional<uint64_t> points = getBoxSize(map);
  possible = points && *points <= kMaxPoints && map.isOrdinary();
  if (!possible)
    return;
  size = *points;
  SmallVector<char, 32> early, used;
  early.resize(arena.getNumAtoms());
  for (const Constraint &c : map.getConstraints())
    arena.markUsed(c.form, early);
  used = early;
  for (const Form &f : map.getResults())
    arena.markUsed(f, used);
  slots.resize(arena.getNumAtoms());
  bounds.resize(arena.getNumAtoms());
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e && possible; ++id) {
    if (!used[id])
      continue;
    const Atom &a = arena.getAtom(id);
    double inside = 0;
    if (a.kind == AtomKind::Variable) {
      const Interval range = map.getRanges()[id];
      bounds[id] = std::max(std::abs(static_cast<double>(range.lower)),
                            std::abs(static_cast<double>(range.upper)));
    } else if (a.kind == AtomKind::Product) {
      ArrayRef<Term> factors = arena.body(id).terms;
      bounds[id] =
          bounds[factors[0].atom] * bounds[factors[factors.size() - 1].atom];
    } else {
      bounds[id] = inside = boundOf(arena.body(id));
    }
    possible &= bounds[id] < kMaxValue;
    slots[id] = program.size();
    program.push_back(
        {id, !early[id], Divider(std::max<int64_t>(a.divisor, 1), inside)});
  }
  for (const Constraint &c : map.getConstraints())
    boundOf(c.form);
  for (const Form &f : map.getResults())
    boundOf(f);
}

uint64_t Walk::getCost() const {
  // About what a point takes, in nanoseconds; a new result is a cache miss.
  uint64_t own = 2 + 6 * map.getNumResults();
  for (const Instruction &i : program)
    own += 2 + 2 * arena.body(i.atom).terms.size();
  for (const Constraint &c : map.getConstraints())
    own += 2 + c.form.terms.size();
  for (const Form &f : map.getResults())
    own += f.terms.size();
  return 1000 + size * own;
}

/// The variables at the points of a block; the last one runs fastest.
void Walk::fill(uint64_t begin, unsigned n) {
  uint64_t stride = 1;
  for (unsigned v = map.getNumVariables(); v-- != 0;) {
    const Interval range = map.getRanges()[v];
    const uint64_t extent = static_cast<uint64_t>(*range.size());
    const bool isUsed =
        slots[v] < program.size() && program[slots[v]].atom == v;
    if (isUsed) {
      int64_t *out = at(v);
      uint64_t rest = begin % stride, digit = begin / stride % extent;
      for (unsigned i = 0; i != n;) {
        const unsigned end =
            static_cast<unsigned>(std::min<uint64_t>(n, i + stride - rest));
        const int64_t value = range.lower + static_cast<int64_t>(digit);
        for (; i != end; ++i)
          out[i] = value;
        rest = 0;
        digit = digit + 1 == extent ? 0 : digit + 1;
      }
    }
    stride *= extent;
  }
}

void Walk::sum(FormRef form, int64_t *out, unsigned n) const {
  for (unsigned i = 0; i != n; ++i)
    out[i] = form.constant;
  for (const Term &t : form.terms) {
    const int64_t *x = at(t.atom), k = t.coefficient;
    if (k == 1)
      for (unsigned i = 0; i != n; ++i)
        out[i] += x[i];
    else
      for (unsigned i = 0; i != n; ++i)
        out[i] += k * x[i];
  }
}

void Walk::execute(const Instruction &instruction, unsigned n) {
  const Atom &a = arena.getAtom(instruction.atom);
  int64_t *out = at(instruction.atom);
  FormRef body = arena.body(instruction.atom);
  switch (a.kind) {
  case AtomKind::Variable:
    return;
  case AtomKind::Product: {
    const int64_t *x = at(body.terms.front().atom),
                  *y = at(body.terms.back().atom);
    for (unsigned i = 0; i != n; ++i)
      out[i] = x[i] * y[i];
    return;
  }
  case AtomKind::FloorDiv:
    sum(body, out, n);
    instruction.divider(out, n);
    return;
  case AtomKind::PositivePart:
    sum(body, out, n);
    for (unsigned i = 0; i != n; ++i)
      out[i] = std::max<int64_t>(out[i], 0);
    return;
  }
}

unsigned Walk::run(uint64_t begin, bool wantResults, char *isIn,
                   unsigned &numIn) {
  const unsigned n =
      static_cast<unsigned>(std::min<uint64_t>(kBlock, size - begin));
  fill(begin, n);
  for (const Instruction &i : program)
    if (!i.isLate)
      execute(i, n);
  std::fill(isIn, isIn + n, 1);
  int64_t form[kBlock];
  for (const Constraint &c : map.getConstraints()) {
    sum(c.form, form, n);
    const Interval in = c.interval;
    for (unsigned i = 0; i != n; ++i)
      isIn[i] &= (form[i] >= in.lower) & (form[i] <= in.upper);
  }
  numIn = 0;
  for (unsigned i = 0; i != n; ++i)
    numIn += isIn[i];
  if (wantResults && numIn)
    for (const Instruction &i : program)
      if (i.isLate)
        execute(i, n);
  return n;
}

//===----------------------------------------------------------------------===//
// Sets of results
//===----------------------------------------------------------------------===//

namespace {
/// Different numbers below a limit.
class NumberSet {
public:
  NumberSet(uint64_t limit, uint64_t expected) {
    if (limit <= kMaxBits && limit <= (1 << 16) + 32 * expected)
      bits.resize(limit / 64 + 1);
    else
      table.assign(1024, kNone);
  }
  void insert(uint64_t x) {
    if (!bits.empty()) {
      uint64_t &word = bits[x / 64];
      const uint64_t bit = uint64_t(1) << (x % 64);
      count += !(word & bit);
      word |= bit;
      return;
    }
    if (!put(x) || 2 * ++count < table.size())
      return;
    std::vector<uint64_t> old(4 * table.size(), kNone);
    old.swap(table);
    for (uint64_t y : old)
      if (y != kNone)
        put(y);
  }
  uint64_t getCount() const { return count; }

private:
  static constexpr uint64_t kNone = ~uint64_t(0);
  bool put(uint64_t x) {
    const uint64_t mask = table.size() - 1;
    uint64_t i = (x * 0x9e3779b97f4a7c15) >> 20;
    for (;; ++i) {
      uint64_t &entry = table[i & mask];
      if (entry == x)
        return false;
      if (entry == kNone) {
        entry = x;
        return true;
      }
    }
  }

  uint64_t count = 0;
  std::vector<uint64_t> bits, table;
};
} // namespace

std::optional<uint64_t>
mlir::tensoraccess::detail::getWalkCost(const IndexingMap &map) {
  if (map.isKnownEmpty())
    return 0;
  Walk walk(map);
  return walk.isPossible() ? std::optional(walk.getCost()) : std::nullopt;
}

/// With checked arithmetic, for numbers near the ends of 64 bits.
static std::optional<WalkedImage>
walkSlowly(ArrayRef<IndexingMap> maps, uint64_t budget, WorkMeter &meter) {
  WalkedImage seen;
  std::set<Point> results;
  for (const IndexingMap &map : maps) {
    std::optional<uint64_t> size = getBoxSize(map);
    if (map.isKnownEmpty())
      continue;
    if (!size || *size > std::min(budget, meter.getLeft() / kSlowPoint) ||
        !meter.spend(*size * kSlowPoint))
      return std::nullopt;
    budget -= *size;
    if (enumerate(
            map,
            [&](ArrayRef<int64_t>, ArrayRef<int64_t> r) {
              ++seen.points;
              results.emplace(r.begin(), r.end());
              return true;
            },
            *size) != EnumerateStatus::Ok)
      return std::nullopt;
  }
  seen.count = results.size();
  for (const Point &p : results) {
    seen.hull.resize(p.size(), Interval(INT64_MAX, INT64_MIN));
    for (auto [own, value] : llvm::zip_equal(seen.hull, p))
      own = {std::min(own.lower, value), std::max(own.upper, value)};
  }
  return seen;
}

bool mlir::tensoraccess::detail::isShortWalk(const IndexingMap &map) {
  std::optional<uint64_t> size = getBoxSize(map);
  if (!size || *size > kShortWalk)
    return false;
  std::optional<uint64_t> cost = getWalkCost(map);
  return cost && *cost <= kShortWalk;
}

std::optional<WalkedImage>
mlir::tensoraccess::detail::walkImages(ArrayRef<IndexingMap> maps,
                                       uint64_t budget, WorkMeter &meter) {
  WalkedImage seen;
  uint64_t size = 0, cost = 0;
  SmallVector<Walk, 2> walks;
  walks.reserve(maps.size());
  unsigned rank = 0;
  for (const IndexingMap &map : maps) {
    if (map.isKnownEmpty())
      continue;
    Walk &walk = walks.emplace_back(map);
    if (!walk.isPossible())
      return walkSlowly(maps, budget, meter);
    size += walk.getSize();
    cost += walk.getCost();
    rank = map.getNumResults();
    if (size > budget || cost > meter.getLeft())
      return std::nullopt;
  }
  if (walks.empty())
    return seen;

  // 4. A box around all results.
  SmallVector<Interval, 4> around(rank, Interval(0, -1));
  for (const IndexingMap &map : maps)
    for (unsigned r = 0; map.isOrdinary() && r != rank; ++r)
      around[r] = around[r].hull(map.getResultRange(r));
  uint64_t volume = 1;
  SmallVector<uint64_t, 4> strides(rank);
  for (unsigned r = rank; r-- != 0;) {
    std::optional<int64_t> extent = around[r].size();
    strides[r] = volume;
    if (!around[r].isFinite() || !extent ||
        __builtin_mul_overflow(volume, static_cast<uint64_t>(*extent),
                               &volume) ||
        volume >> 63)
      return walkSlowly(maps, budget, meter);
  }
  meter.spend(cost);
  NumberSet results(volume, size);
  SmallVector<Interval, 4> hull(rank, Interval(INT64_MAX, INT64_MIN));
  char isIn[kBlock];
  int64_t result[kBlock];
  uint64_t position[kBlock];
  for (Walk &walk : walks) {
    walk.start();
    for (uint64_t begin = 0; begin < walk.getSize(); begin += kBlock) {
      unsigned numIn = 0;
      const unsigned n = walk.run(begin, /*wantResults=*/true, isIn, numIn);
      seen.points += numIn;
      if (!numIn)
        continue;
      std::fill(position, position + n, 0);
      for (unsigned r = 0; r != rank; ++r) {
        walk.getResult(r, result, n);
        Interval &own = hull[r];
        const uint64_t low = static_cast<uint64_t>(around[r].lower);
        for (unsigned i = 0; i != n; ++i) {
          position[i] += (static_cast<uint64_t>(result[i]) - low) * strides[r];
          if (isIn[i]) {
            own.lower = std::min(own.lower, result[i]);
            own.upper = std::max(own.upper, result[i]);
          }
        }
      }
      if (rank == 0)
        continue;
      for (unsigned i = 0; i != n; ++i)
        if (isIn[i])
          results.insert(position[i]);
    }
  }
  if (seen.points) {
    seen.count = rank == 0 ? 1 : results.getCount();
    seen.hull = hull;
  }
  return seen;
}

std::optional<bool>
mlir::tensoraccess::detail::walkToPoint(const IndexingMap &map, uint64_t budget,
                                        WorkMeter &meter) {
  if (map.isKnownEmpty())
    return false;
  Walk walk(map);
  if (!walk.isPossible() || walk.getSize() > budget ||
      walk.getCost() > meter.getLeft())
    return std::nullopt;
  walk.start();
  char isIn[kBlock];
  for (uint64_t begin = 0; begin < walk.getSize(); begin += kBlock) {
    unsigned numIn = 0;
    walk.run(begin, /*wantResults=*/false, isIn, numIn);
    meter.spend(walk.getCost() / (walk.getSize() / kBlock + 1));
    if (numIn)
      return true;
  }
  return false;
}
