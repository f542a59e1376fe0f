//===- EliminationRules.cpp - How variables leave a system of rows --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seven rules of Elimination.cpp, by their numbers. Each returns whether it
// applied, and leaves an equivalent system, or marks it as empty or failed.
//
//===----------------------------------------------------------------------===//

#include "Eliminator.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::SmallVector;

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
      solutions.push_back({c, {}, range.lower});
      if (!isUsed)
        return true;
      SmallVector<Row, 16> old = std::exchange(rows, {});
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
    Interval in = rows[i].in;
    if (gcd < 2 || !in.isFinite() ||
        static_cast<uint64_t>(in.upper) - static_cast<uint64_t>(in.lower) >=
            gcd)
      continue;
    const int64_t g = static_cast<int64_t>(gcd);
    Row row = std::move(rows[i]);
    rows.erase(rows.begin() + i);
    // K begins with a positive coefficient: ⌊r/8⌋ rather than -⌊(7 - r)/8⌋.
    for (unsigned c = 0, f = row.k.size(); c != f; ++c) {
      if (!row.k[c] || !columns[c].isKnown())
        continue;
      if (row.k[c] < 0) {
        for (int64_t &k : row.k)
          k = -k;
        in = -in;
      }
      break;
    }
    const unsigned d = divide(row.k, negate(in.lower), g);
    if (done())
      return true;
    Coefficients known = columns[d].body, rest;
    put(known, d, negate(g));
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
  SmallVector<Row, 16> old = std::exchange(rows, {});
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
  rest = combine(rest, unit);
  const __int128 constant = static_cast<__int128>(unit) * value;
  solutions.push_back({column, rest, narrow(constant)});
  addRow(std::move(rest), shift(range, -constant));
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
    if (!spend(2 * e * (rows.size() + 1)))
      return true;
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
      const unsigned z = addColumn({Column::Free, range});
      for (Row &row : rows)
        if (int64_t k = at(row.k, x)) {
          put(row.k, z, k);
          row.k[x] = row.k[y] = 0;
        }
      // x = z - c*y, and c*y = z - x with 0 <= x - lower < |c|.
      const int64_t lower = columns[x].range.lower;
      Coefficients whole, rest;
      put(whole, z, 1);
      put(rest, z, 1);
      put(rest, y, negate(factor));
      solutions.push_back({x, std::move(rest)});
      solutions.push_back({y, std::move(whole), negate(lower),
                           factor < 0 ? -factor : factor, factor < 0});
      columns[x].kind = columns[y].kind = Column::Gone;
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
    const long cost = static_cast<long>(lowers.size() * uppers.size()) - used;
    if (!fits || (best.column != ~0u && cost >= best.cost) || cost > 32)
      continue;

    if (!spend(4 * e * (lowers.size() * uppers.size() + 1)))
      return true;
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
  SmallVector<Row, 16> old = std::exchange(rows, {});
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
        k = negate(k);
      const unsigned d = divide(negated, row.in.upper, g);
      Coefficients k = whole;
      put(k, d, -1);
      addRow(std::move(k), Interval::atMost(0));
    }
    if (row.in.hasLower() && !done()) {
      const unsigned d = divide(row.k, negate(row.in.lower), g);
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
    // x = x' - Σ q_j*y_j; x' is a new column, x's range a row.
    Coefficients quotients;
    for (unsigned c = 0, e = row.k.size(); c != e; ++c)
      if (c != x && isFree(c) && row.k[c]) {
        int64_t q = row.k[c] / k;
        if (q)
          put(quotients, c, q);
      }
    const Interval range = columns[x].range;
    const unsigned z = addColumn({Column::Free, Interval::all()});
    columns[x].kind = Column::Gone;
    SmallVector<Row, 16> old = std::exchange(rows, {});
    for (Row &r : old) {
      if (const int64_t factor = at(r.k, x)) {
        for (unsigned c = 0, e = quotients.size(); c != e; ++c)
          if (quotients[c])
            put(r.k, c,
                narrow(at(r.k, c) -
                       static_cast<__int128>(factor) * quotients[c]));
        r.k[x] = 0;
        put(r.k, z, factor);
      }
      addRow(std::move(r.k), r.in);
    }
    for (int64_t &q : quotients)
      q = negate(q);
    put(quotients, z, 1);
    solutions.push_back({x, quotients});
    addRow(std::move(quotients), range);
    return true;
  }
  return false;
}
