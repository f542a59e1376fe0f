//===- Elimination.cpp - Images of maps as sets ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {r : exists v, r = f(v) and v in the domain}, with v gone. Everything is a
// linear row over columns, Σ k_i*c_i in [a, b]; columns are *known* (results,
// and floor divisions of known columns) or *free* (variables, and one q for
// each division, with B - m*q in [0, m - 1]). Free columns leave one by one, by
// the first rule that applies; each is an equivalence over the integers:
//
//   1. Unused: the column has a value and no row asks for it.
//   2. Defined: K + g*E in [a, b] with K known, b - a < g. Then E is the one
//      number -⌊(K - a)/g⌋, a new known column D, and (K - a) - g*D <= b - a.
//   3. Solved: an equality has coefficient ±1 in the column. Substitute; its
//      range becomes a row.
//   4. Merged: two columns occur only as x + c*y. That runs through all of an
//      interval if c is at most the number of values of x.
//   5. Squeezed between rows (Fourier and Motzkin): from l <= α*x and β*x <= u
//      follows α*u - β*l >= 0. Exact over the integers if α or β is 1, or where
//      α*u - β*l >= (α - 1)*(β - 1) always holds.
//   6. Rounded: K + g*E in [a, b] becomes ⌈(a - K)/g⌉ <= E <= ⌊(b - K)/g⌋.
//   7. An equality without unit coefficient is reduced as in Euclid's algorithm.
//
// When none applies the answer is "none". The sets that come out have
// constraints with divisions of results only.
//
//===----------------------------------------------------------------------===//

#include "Elimination.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::tensoraccess::detail::ImageSets;

static constexpr unsigned kMaxSteps = 256;
static constexpr unsigned kMaxRows = 96;
static constexpr unsigned kMaxColumns = 96;
/// Maxima whose sign is not known; each doubles the number of sets.
static constexpr unsigned kMaxChoices = 3;

namespace {

using Coefficients = SmallVector<int64_t, 12>;

struct Row {
  Coefficients k;
  Interval in;
};

struct Column {
  enum Kind : uint8_t { Result, Division, Free, Gone } kind;
  /// Contains every value. For a free column it is a condition, too.
  Interval range;
  /// Division: ⌊(Σ body_i*c_i + constant) / divisor⌋.
  Coefficients body = {};
  int64_t constant = 0, divisor = 0;

  bool isKnown() const { return kind == Result || kind == Division; }
};

class Eliminator {
public:
  /// Bit i of `signs` says that the i-th undecided maximum is not 0.
  Eliminator(const IndexingMap &map, unsigned signs) : map(map), signs(signs) {}

  enum class Outcome : uint8_t { Set, Empty, Failed };
  Outcome run();
  IndexingMap takeSet() { return std::move(set); }
  bool isDetermined() const { return determined; }

private:
  bool fail() {
    failed = true;
    return false;
  }
  bool done() const { return failed || empty; }

  // Arithmetic that fails.
  int64_t narrow(__int128 value) {
    if (value >= Interval::kNoUpper || value <= Interval::kNoLower) {
      failed = true;
      return 0;
    }
    return static_cast<int64_t>(value);
  }
  /// The interval moved by `by`, exactly.
  Interval shift(Interval in, __int128 by) {
    return {in.hasLower() ? narrow(in.lower + by) : Interval::kNoLower,
            in.hasUpper() ? narrow(in.upper + by) : Interval::kNoUpper};
  }
  static int64_t at(const Coefficients &k, unsigned column) {
    return column < k.size() ? k[column] : 0;
  }
  static void put(Coefficients &k, unsigned column, int64_t value) {
    if (k.size() <= column)
      k.resize(column + 1, 0);
    k[column] = value;
  }

  void flatten();
  Coefficients rowOf(FormRef form, ArrayRef<unsigned> columnOf);
  unsigned addColumn(Column column) {
    columns.push_back(std::move(column));
    if (columns.size() > kMaxColumns)
      failed = true;
    return columns.size() - 1;
  }
  void addRow(Coefficients k, Interval in);
  Interval rangeOf(const Coefficients &k) const;
  bool isFree(unsigned column) const {
    return columns[column].kind == Column::Free;
  }
  uint64_t freeGcd(const Row &row) const;
  unsigned countFree(const Row &row) const;
  /// The known column ⌊(known part of k + constant) / divisor⌋.
  unsigned divide(const Coefficients &k, int64_t constant, int64_t divisor);

  bool dropUnused();
  bool define();
  bool solve();
  bool merge();
  bool squeeze();
  bool round();
  bool reduce();
  void substitute(unsigned row, unsigned column);
  /// The column, and what was solved in terms of it, may have several values
  /// for the same results.
  void lose(unsigned column) {
    determined = false;
    columns[column].kind = Column::Gone;
  }
  IndexingMap makeSet();

  const IndexingMap &map;
  unsigned signs;
  SmallVector<Column, 16> columns;
  SmallVector<Row, 16> rows;
  IndexingMap set;
  bool failed = false, empty = false, determined = true;
};

} // namespace

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Interval Eliminator::rangeOf(const Coefficients &k) const {
  Interval sum = Interval::point(0);
  for (unsigned c = 0, e = k.size(); c != e; ++c)
    if (k[c])
      sum = sum + columns[c].range.scaled(k[c]);
  return sum;
}

void Eliminator::addRow(Coefficients k, Interval in) {
  uint64_t g = 0;
  for (int64_t c : k) {
    failed |= c == Interval::kNoLower;
    g = std::gcd(g, magnitude(c));
  }
  if (done())
    return;
  if (g == 0 || in.isEmpty()) {
    empty |= !in.contains(0) || in.isEmpty();
    return;
  }
  if (g > 1) {
    for (int64_t &c : k)
      c /= static_cast<int64_t>(g);
    in = in.dividedBy(static_cast<int64_t>(g));
  }
  while (k.back() == 0)
    k.pop_back();
  // The first coefficient is positive, so that equal rows look equal.
  if (*llvm::find_if(k, [](int64_t c) { return c != 0; }) < 0) {
    for (int64_t &c : k)
      c = narrow(-static_cast<__int128>(c));
    in = {in.hasUpper() ? -in.upper : Interval::kNoLower,
          in.hasLower() ? -in.lower : Interval::kNoUpper};
  }
  Interval range = rangeOf(k);
  if (range.intersect(in).isEmpty()) {
    empty = true;
    return;
  }
  if (in.contains(range))
    return;
  for (Row &row : rows)
    if (row.k == k) {
      row.in = row.in.intersect(in);
      empty |= row.in.isEmpty();
      return;
    }
  rows.push_back({std::move(k), in});
  if (rows.size() > kMaxRows)
    failed = true;
}

uint64_t Eliminator::freeGcd(const Row &row) const {
  uint64_t g = 0;
  for (unsigned c = 0, e = row.k.size(); c != e; ++c)
    if (isFree(c))
      g = std::gcd(g, magnitude(row.k[c]));
  return g;
}

unsigned Eliminator::countFree(const Row &row) const {
  unsigned count = 0;
  for (unsigned c = 0, e = row.k.size(); c != e; ++c)
    count += row.k[c] != 0 && isFree(c);
  return count;
}

unsigned Eliminator::divide(const Coefficients &k, int64_t constant,
                            int64_t divisor) {
  Column column{Column::Division, {}, k, constant, divisor};
  for (unsigned c = 0, e = k.size(); c != e; ++c)
    if (!columns[c].isKnown())
      column.body[c] = 0;
  while (!column.body.empty() && column.body.back() == 0)
    column.body.pop_back();
  for (unsigned c = 0, e = columns.size(); c != e; ++c)
    if (columns[c].kind == Column::Division && columns[c].body == column.body &&
        columns[c].constant == constant && columns[c].divisor == divisor)
      return c;
  column.range = shift(rangeOf(column.body), constant).floorDiv(divisor);
  return addColumn(std::move(column));
}

//===----------------------------------------------------------------------===//
// From forms to rows
//===----------------------------------------------------------------------===//

Coefficients Eliminator::rowOf(FormRef form, ArrayRef<unsigned> columnOf) {
  Coefficients k(columns.size(), 0);
  for (const Term &t : form.terms)
    k[columnOf[t.atom]] = t.coefficient;
  return k;
}

void Eliminator::flatten() {
  const FormArena &arena = map.getArena();
  for (unsigned i = 0, e = map.getNumResults(); i != e; ++i)
    addColumn({Column::Result, map.getResultRange(i)});
  SmallVector<char, 32> used(arena.getNumAtoms(), 0);
  for (const Form &f : map.getResults())
    arena.markUsed(f, used);
  for (const Constraint &c : map.getConstraints())
    arena.markUsed(c.form, used);

  SmallVector<unsigned, 32> columnOf(arena.getNumAtoms(), 0);
  unsigned choice = 0;
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e && !done(); ++id) {
    const Atom &a = arena.getAtom(id);
    if (a.kind == AtomKind::Variable) {
      columnOf[id] = addColumn({Column::Free, map.getRanges()[id]});
      continue;
    }
    if (!used[id])
      continue;
    if (a.kind == AtomKind::Product)
      return void(fail());
    FormRef body = arena.body(id);
    Coefficients k = rowOf(body, columnOf);
    columnOf[id] = addColumn({Column::Free, a.range});
    if (a.kind == AtomKind::FloorDiv) {
      put(k, columnOf[id], narrow(-static_cast<__int128>(a.divisor)));
      addRow(std::move(k), shift({0, a.divisor - 1},
                                 -static_cast<__int128>(body.constant)));
      continue;
    }
    // max(B, 0), with B > 0 or not.
    if ((signs >> choice++) & 1) {
      addRow(k, shift(Interval::atLeast(1),
                      -static_cast<__int128>(body.constant)));
      put(k, columnOf[id], -1);
      addRow(std::move(k), shift(Interval::point(0),
                                 -static_cast<__int128>(body.constant)));
    } else {
      addRow(std::move(k), shift(Interval::atMost(0),
                                 -static_cast<__int128>(body.constant)));
      columns[columnOf[id]].range = Interval::point(0);
    }
  }
  if (done())
    return;
  for (unsigned i = 0, e = map.getNumResults(); i != e; ++i) {
    FormRef form = map.getResult(i);
    Coefficients k = rowOf(form, columnOf);
    k[i] = -1;
    addRow(std::move(k), shift(Interval::point(0),
                               -static_cast<__int128>(form.constant)));
  }
  for (const Constraint &c : map.getConstraints())
    addRow(rowOf(c.form, columnOf),
           shift(c.interval, -static_cast<__int128>(c.form.constant)));
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

/// 1.
bool Eliminator::dropUnused() {
  for (unsigned c = 0, e = columns.size(); c != e; ++c) {
    if (!isFree(c))
      continue;
    const Interval range = columns[c].range;
    if (range.isEmpty()) {
      empty = true;
      return true;
    }
    const bool isUsed =
        llvm::any_of(rows, [&](const Row &row) { return at(row.k, c) != 0; });
    if (range.isPoint()) {
      columns[c].kind = Column::Gone;
      if (!isUsed)
        return true;
      SmallVector<Row, 16> old = std::move(rows);
      rows.clear();
      for (Row &row : old) {
        const __int128 k = at(row.k, c);
        if (k) {
          row.k[c] = 0;
          row.in = shift(row.in, -k * range.lower);
        }
        addRow(std::move(row.k), row.in);
      }
      return true;
    }
    if (!isUsed) {
      lose(c);
      return true;
    }
  }
  return false;
}

/// 2.
bool Eliminator::define() {
  for (unsigned i = 0, e = rows.size(); i != e; ++i) {
    const uint64_t gcd = freeGcd(rows[i]);
    const Interval in = rows[i].in;
    if (gcd < 2 || !in.isFinite() ||
        static_cast<uint64_t>(in.upper) - static_cast<uint64_t>(in.lower) >=
            gcd)
      continue;
    const int64_t g = static_cast<int64_t>(gcd);
    Row row = std::move(rows[i]);
    rows.erase(rows.begin() + i);
    const unsigned d =
        divide(row.k, narrow(-static_cast<__int128>(in.lower)), g);
    if (done())
      return true;
    Coefficients known = columns[d].body, rest;
    put(known, d, narrow(-static_cast<__int128>(g)));
    for (unsigned c = 0, f = row.k.size(); c != f; ++c)
      if (isFree(c) && row.k[c])
        put(rest, c, row.k[c] / g);
    put(rest, d, 1);
    if (in.upper - in.lower != g - 1)
      addRow(std::move(known), in);
    addRow(std::move(rest), Interval::point(0));
    return true;
  }
  return false;
}

/// Uses the equality `row`, which has ±1 at `column`.
void Eliminator::substitute(unsigned index, unsigned column) {
  Row equality = std::move(rows[index]);
  rows.erase(rows.begin() + index);
  const int64_t unit = equality.k[column];
  const int64_t value = equality.in.lower;
  SmallVector<Row, 16> old = std::move(rows);
  rows.clear();
  auto combine = [&](const Coefficients &k, __int128 factor) {
    Coefficients sum(std::max(k.size(), equality.k.size()), 0);
    for (unsigned c = 0, e = sum.size(); c != e; ++c)
      sum[c] = narrow(at(k, c) - factor * at(equality.k, c));
    return sum;
  };
  const Interval range = columns[column].range;
  columns[column].kind = Column::Gone;
  for (Row &row : old) {
    const __int128 factor = static_cast<__int128>(at(row.k, column)) * unit;
    if (factor == 0) {
      addRow(std::move(row.k), row.in);
      continue;
    }
    addRow(combine(row.k, factor), shift(row.in, -factor * value));
  }
  // column = unit*(value - rest)
  Coefficients rest(column + 1, 0);
  rest[column] = 1;
  addRow(combine(rest, unit),
         shift(range, -static_cast<__int128>(unit) * value));
}

/// 3.
bool Eliminator::solve() {
  unsigned bestRow = 0, bestColumn = 0, bestFree = ~0u;
  uint64_t bestSize = 0;
  for (unsigned i = 0, e = rows.size(); i != e; ++i) {
    if (!rows[i].in.isPoint())
      continue;
    const unsigned free = countFree(rows[i]);
    if (free == 0 || free > bestFree)
      continue;
    for (unsigned c = 0, f = rows[i].k.size(); c != f; ++c) {
      if (!isFree(c) || magnitude(rows[i].k[c]) != 1)
        continue;
      const Interval r = columns[c].range;
      const uint64_t size =
          static_cast<uint64_t>(r.upper) - static_cast<uint64_t>(r.lower);
      if (free < bestFree || size > bestSize)
        bestRow = i, bestColumn = c, bestFree = free, bestSize = size;
    }
  }
  if (bestFree == ~0u)
    return false;
  substitute(bestRow, bestColumn);
  return true;
}

/// 4.
bool Eliminator::merge() {
  for (unsigned x = 0, e = columns.size(); x != e; ++x) {
    if (!isFree(x))
      continue;
    std::optional<int64_t> size = columns[x].range.size();
    if (!columns[x].range.isFinite() || !size)
      continue;
    for (unsigned y = 0; y != e; ++y) {
      if (y == x || !isFree(y) || !columns[y].range.isFinite())
        continue;
      int64_t factor = 0;
      const bool matches = llvm::all_of(rows, [&](const Row &row) {
        const int64_t kx = at(row.k, x), ky = at(row.k, y);
        if (kx == 0 || ky == 0)
          return kx == ky;
        if (ky % kx != 0 || (factor != 0 && ky / kx != factor))
          return false;
        factor = ky / kx;
        return true;
      });
      if (!matches || factor == 0 ||
          magnitude(factor) > static_cast<uint64_t>(*size))
        continue;
      Interval range = columns[x].range + columns[y].range.scaled(factor);
      if (!range.isFinite())
        continue;
      // x + c*y has one reading only if c is the number of x.
      determined &= magnitude(factor) == static_cast<uint64_t>(*size);
      columns[x].range = range;
      columns[y].kind = Column::Gone;
      for (Row &row : rows)
        if (y < row.k.size())
          row.k[y] = 0;
      return true;
    }
  }
  return false;
}

/// 5.
bool Eliminator::squeeze() {
  struct Bound {
    const Coefficients *k; ///< null: the column's own range
    int64_t sign;          ///< of the row as it is used
    int64_t factor, constant;
  };
  struct Plan {
    unsigned column = ~0u;
    long cost = 0;
    SmallVector<Row, 8> made;
  } best;
  for (unsigned c = 0, e = columns.size(); c != e; ++c) {
    if (!isFree(c))
      continue;
    // factor*column + rest >= constant (lower), <= constant (upper).
    SmallVector<Bound, 8> lowers, uppers;
    long used = 0;
    bool fits = true;
    for (const Row &row : rows) {
      const int64_t k = at(row.k, c);
      if (!k)
        continue;
      ++used;
      if (k > 0) {
        if (row.in.hasLower())
          lowers.push_back({&row.k, 1, k, row.in.lower});
        if (row.in.hasUpper())
          uppers.push_back({&row.k, 1, k, row.in.upper});
      } else {
        if (row.in.hasUpper())
          lowers.push_back({&row.k, -1, -k, -row.in.upper});
        if (row.in.hasLower())
          uppers.push_back({&row.k, -1, -k, -row.in.lower});
      }
    }
    if (columns[c].range.hasLower())
      lowers.push_back({nullptr, 1, 1, columns[c].range.lower});
    if (columns[c].range.hasUpper())
      uppers.push_back({nullptr, 1, 1, columns[c].range.upper});
    const long cost =
        static_cast<long>(lowers.size() * uppers.size()) - used;
    if (!fits || (best.column != ~0u && cost >= best.cost) || cost > 32)
      continue;

    SmallVector<Row, 8> made;
    for (const Bound &low : lowers) {
      for (const Bound &high : uppers) {
        // α*x >= l - r, β*x <= u - r', so β*(l - r) <= α*(u - r').
        const int64_t alpha = low.factor, beta = high.factor;
        const __int128 limit = static_cast<__int128>(alpha) * high.constant -
                               static_cast<__int128>(beta) * low.constant;
        Coefficients k;
        __int128 scaleHigh = static_cast<__int128>(alpha) * high.sign;
        __int128 scaleLow = static_cast<__int128>(beta) * low.sign;
        for (unsigned i = 0; i != e; ++i) {
          if (i == c)
            continue;
          __int128 value = (high.k ? scaleHigh * at(*high.k, i) : 0) -
                           (low.k ? scaleLow * at(*low.k, i) : 0);
          if (value)
            put(k, i, narrow(value));
        }
        const Interval range = rangeOf(k);
        if (alpha > 1 && beta > 1) {
          const __int128 dark = static_cast<__int128>(alpha - 1) * (beta - 1);
          fits &= range.hasUpper() && range.upper <= limit - dark;
          if (!fits)
            break;
          continue;
        }
        if (failed)
          return true;
        if (!range.hasUpper() || range.upper > limit)
          made.push_back({std::move(k), Interval::atMost(narrow(limit))});
        if (failed)
          return true;
      }
      if (!fits)
        break;
    }
    if (!fits)
      continue;
    best.column = c;
    best.cost = cost;
    best.made = std::move(made);
  }
  if (best.column == ~0u)
    return false;
  lose(best.column);
  SmallVector<Row, 16> old = std::move(rows);
  rows.clear();
  for (Row &row : old)
    if (!at(row.k, best.column))
      addRow(std::move(row.k), row.in);
  for (Row &row : best.made)
    addRow(std::move(row.k), row.in);
  return true;
}

/// 6.
bool Eliminator::round() {
  for (unsigned i = 0, e = rows.size(); i != e; ++i) {
    const uint64_t gcd = freeGcd(rows[i]);
    if (gcd < 2)
      continue;
    const int64_t g = static_cast<int64_t>(gcd);
    Row row = std::move(rows[i]);
    rows.erase(rows.begin() + i);
    Coefficients whole;
    for (unsigned c = 0, f = row.k.size(); c != f; ++c)
      if (isFree(c) && row.k[c])
        put(whole, c, row.k[c] / g);
    // E <= ⌊(b - K)/g⌋ and E >= -⌊(K - a)/g⌋.
    if (row.in.hasUpper()) {
      Coefficients negated = row.k;
      for (int64_t &k : negated)
        k = narrow(-static_cast<__int128>(k));
      const unsigned d = divide(negated, row.in.upper, g);
      Coefficients k = whole;
      put(k, d, -1);
      addRow(std::move(k), Interval::atMost(0));
    }
    if (row.in.hasLower() && !done()) {
      const unsigned d =
          divide(row.k, narrow(-static_cast<__int128>(row.in.lower)), g);
      Coefficients k = whole;
      put(k, d, 1);
      addRow(std::move(k), Interval::atLeast(0));
    }
    return true;
  }
  return false;
}

/// 7. With k the least coefficient of x, x + Σ q_j*y_j is a new column.
bool Eliminator::reduce() {
  for (Row &row : rows) {
    if (!row.in.isPoint() || countFree(row) < 2)
      continue;
    unsigned x = ~0u;
    for (unsigned c = 0, e = row.k.size(); c != e; ++c)
      if (isFree(c) && row.k[c] &&
          (x == ~0u || magnitude(row.k[c]) < magnitude(row.k[x])))
        x = c;
    const int64_t k = row.k[x];
    // x = x' - Σ q_j*y_j; x' takes over the column, x's range is a row.
    Coefficients quotients;
    for (unsigned c = 0, e = row.k.size(); c != e; ++c)
      if (c != x && isFree(c) && row.k[c]) {
        int64_t q = row.k[c] / k;
        if (q)
          put(quotients, c, q);
      }
    const Interval range = columns[x].range;
    columns[x].range = Interval::all();
    SmallVector<Row, 16> old = std::move(rows);
    rows.clear();
    for (Row &r : old) {
      const int64_t factor = at(r.k, x);
      if (factor)
        for (unsigned c = 0, e = quotients.size(); c != e; ++c)
          if (quotients[c])
            put(r.k, c, narrow(at(r.k, c) - static_cast<__int128>(factor) *
                                                 quotients[c]));
      addRow(std::move(r.k), r.in);
    }
    for (int64_t &q : quotients)
      q = narrow(-static_cast<__int128>(q));
    put(quotients, x, 1);
    addRow(std::move(quotients), range);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

IndexingMap Eliminator::makeSet() {
  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  SmallVector<Form, 16> forms(columns.size());
  auto sum = [&](const Coefficients &k) {
    Form form;
    for (unsigned c = 0, e = k.size(); c != e; ++c)
      if (k[c])
        arena.accumulate(form, forms[c], k[c]);
    return form;
  };
  for (unsigned c = 0, e = columns.size(); c != e; ++c)
    if (columns[c].kind == Column::Result)
      forms[c] = builder.addDim(columns[c].range);
  for (unsigned c = 0, e = columns.size(); c != e; ++c)
    if (columns[c].kind == Column::Division)
      forms[c] = arena.floorDiv(
          arena.add(sum(columns[c].body), Form(columns[c].constant)),
          columns[c].divisor);
  for (const Row &row : rows)
    builder.addConstraint(sum(row.k), row.in);
  return builder.build().simplify();
}

Eliminator::Outcome Eliminator::run() {
  flatten();
  for (unsigned step = 0; !done(); ++step) {
    if (step == kMaxSteps) {
      failed = true;
      break;
    }
    // The order of rules is the order of their numbers, but for the last two.
    if (dropUnused() || define() || solve() || merge() || squeeze() ||
        round() || reduce())
      continue;
    break;
  }
  if (failed)
    return Outcome::Failed;
  if (empty)
    return Outcome::Empty;
  if (llvm::any_of(columns,
                   [](const Column &c) { return c.kind == Column::Free; }))
    return Outcome::Failed;
  set = makeSet();
  if (set.isUnknown())
    return Outcome::Failed;
  return set.isKnownEmpty() ? Outcome::Empty : Outcome::Set;
}

std::optional<ImageSets>
mlir::tensoraccess::detail::eliminateVariables(const IndexingMap &map) {
  ImageSets images;
  if (map.isUnknown())
    return std::nullopt;
  images.isDetermined = true;
  if (map.isKnownEmpty())
    return images;
  unsigned choices = 0;
  const FormArena &arena = map.getArena();
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id)
    choices += arena.getAtom(id).kind == AtomKind::PositivePart;
  if (choices > kMaxChoices)
    return std::nullopt;
  for (unsigned signs = 0; signs != (1u << choices); ++signs) {
    Eliminator eliminator(map, signs);
    switch (eliminator.run()) {
    case Eliminator::Outcome::Failed:
      return std::nullopt;
    case Eliminator::Outcome::Empty:
      break;
    case Eliminator::Outcome::Set:
      images.sets.push_back(eliminator.takeSet());
      // Two pieces might still share results.
      images.isDetermined &= eliminator.isDetermined() && choices == 0;
      break;
    }
  }
  return images;
}
