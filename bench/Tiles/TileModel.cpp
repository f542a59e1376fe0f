//===- TileModel.cpp - What loop nests round an array cost ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of a dimension are at most four sizes, each a number of times; a cost
// is a sum over their combinations.
//
//===----------------------------------------------------------------------===//

#include "TileModel.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <chrono>
#include <set>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::bench;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static int64_t divide(int64_t a, int64_t b) { return (a - 1) / b + 1; }

namespace {
struct Blocks {
  int64_t size;
  double count;
};
using BlockList = std::vector<Blocks>;
} // namespace

static BlockList cut(int64_t total, int64_t size, double times = 1) {
  BlockList blocks;
  if (total >= size)
    blocks.push_back({size, times * double(total / size)});
  if (total % size != 0)
    blocks.push_back({total % size, times});
  return blocks;
}

/// In blocks of `outer`, and each of these in blocks of `inner`.
static BlockList cutTwice(int64_t total, int64_t outer, int64_t inner) {
  BlockList blocks;
  for (Blocks block : cut(total, outer))
    for (Blocks part : cut(block.size, inner, block.count))
      blocks.push_back(part);
  return blocks;
}

static double count(const BlockList &blocks) {
  double sum = 0;
  for (Blocks block : blocks)
    sum += block.count;
  return sum;
}

int64_t TileNest::getPanel() const {
  const int *operands = kOrders[order];
  const int r1 = kLacks[operands[0]], r3 = kLacks[operands[2]];
  if (K == r3)
    return operands[0] == A ? u3 : s3;
  if (K == r1)
    return operands[1] == A ? w1 : v1;
  return operands[0] == A ? u2 : v2;
}

std::string TileNest::str() const {
  const int *operands = kOrders[order];
  std::string sizes[3];
  auto both = [](int64_t outer, int64_t inner) {
    return outer == inner ? std::to_string(outer)
                          : llvm::formatv("{0}/{1}", outer, inner).str();
  };
  sizes[kLacks[operands[0]]] = both(w1, v1);
  sizes[kLacks[operands[1]]] = both(u2, v2);
  sizes[kLacks[operands[2]]] = both(u3, s3);
  const char *names = "ABC";
  return llvm::formatv("{0}{1}{2} {3} x {4} x {5}{6}", names[operands[0]],
                       names[operands[1]], names[operands[2]], sizes[M],
                       sizes[K], sizes[N], isCopied ? ", copied" : "")
      .str();
}

double bench::countBytes(const TileMachine &machine, const Product &product,
                         int operand, int64_t rows, int64_t cols,
                         bool isCopied) {
  const int64_t width = product.sizes[kCols[operand]],
                run = operand == A ? product.run : width;
  double runs = 1;
  if (!(operand == A && isCopied) && !(cols == width && run >= width))
    runs = double(rows) * double(divide(cols, run));
  return 4.0 * double(rows) * double(cols) + double(machine.runBytes) * runs;
}

double bench::countCopyBytes(const TileMachine &machine, const Product &product,
                             int64_t panel) {
  const int64_t rows = product.sizes[M], cols = product.sizes[K];
  return countBytes(machine, product, A, rows, cols, false) +
         4.0 * double(rows) * double(cols) +
         double(machine.runBytes) * double(divide(cols, panel));
}

double bench::countCycles(const TileMachine &machine, int64_t m, int64_t k,
                          int64_t n) {
  return double(getSystolicCost(machine.array, m, k, n)->getCycles());
}

/// Bytes of all tiles of an operand, once.
static double sumBytes(const TileMachine &machine, const Product &product,
                       int operand, const BlockList &rows,
                       const BlockList &cols, bool isCopied) {
  double bytes = 0;
  for (Blocks row : rows)
    for (Blocks col : cols)
      bytes +=
          row.count * col.count *
          countBytes(machine, product, operand, row.size, col.size, isCopied);
  return bytes;
}

/// The same by the dimensions of the nest: `first` and `second` are sizes of
/// what the order says.
static double sumBytes(const TileMachine &machine, const Product &product,
                       int operand, int firstDim, const BlockList &first,
                       const BlockList &second, bool isCopied) {
  const bool isRow = kRows[operand] == firstDim;
  return sumBytes(machine, product, operand, isRow ? first : second,
                  isRow ? second : first, isCopied);
}

static double sumCycles(const TileMachine &machine, const int *dims,
                        const BlockList &of1, const BlockList &of2,
                        const BlockList &of3) {
  double cycles = 0;
  int64_t sizes[3];
  for (Blocks x : of1)
    for (Blocks y : of2)
      for (Blocks z : of3) {
        sizes[dims[0]] = x.size;
        sizes[dims[1]] = y.size;
        sizes[dims[2]] = z.size;
        cycles += x.count * y.count * z.count *
                  countCycles(machine, sizes[M], sizes[K], sizes[N]);
      }
  return cycles;
}

/// How often what is brought `times` moves: sums go both ways, but the first.
static double countMoves(int operand, double times) {
  return operand == C ? 2 * times - 1 : times;
}

double bench::evaluate(const TileMachine &machine, const Product &product,
                       const TileNest &nest) {
  const int *operands = kOrders[nest.order];
  const int dims[] = {kLacks[operands[0]], kLacks[operands[1]],
                      kLacks[operands[2]]};
  const int64_t totals[] = {product.sizes[dims[0]], product.sizes[dims[1]],
                            product.sizes[dims[2]]};
  const int64_t w1 = std::min(nest.w1, totals[0]), v1 = std::min(nest.v1, w1),
                u2 = std::min(nest.u2, totals[1]), v2 = std::min(nest.v2, u2),
                u3 = std::min(nest.u3, totals[2]), s3 = std::min(nest.s3, u3);
  if (4 * (u2 * u3 + w1 * s3 + v1 * v2) > machine.scratchpad)
    return kInfinity;
  const BlockList wide1 = cut(totals[0], w1),
                  all1 = cutTwice(totals[0], w1, v1),
                  wide2 = cut(totals[1], u2),
                  all2 = cutTwice(totals[1], u2, v2),
                  wide3 = cut(totals[2], u3),
                  all3 = cutTwice(totals[2], u3, s3);
  const double bytes = sumBytes(machine, product, operands[0], dims[1], wide2,
                                wide3, nest.isCopied) +
                       countMoves(operands[1], count(wide2)) *
                           sumBytes(machine, product, operands[1], dims[0],
                                    wide1, all3, nest.isCopied) +
                       countMoves(operands[2], count(all3)) *
                           sumBytes(machine, product, operands[2], dims[0],
                                    all1, all2, nest.isCopied);
  return sumCycles(machine, dims, all1, all2, all3) +
         bytes / double(machine.bytesPerCycle);
}

std::vector<int64_t> bench::getCandidates(const TileMachine &machine,
                                          const Product &product, int dim,
                                          bool isComplete) {
  const int64_t total = product.sizes[dim];
  const int64_t whole = dim == K   ? machine.array.rows
                        : dim == N ? machine.array.cols
                                   : machine.array.accumulators;
  std::set<int64_t> sizes;
  for (int64_t blocks = 1; blocks <= total; ++blocks) {
    const int64_t size = isComplete ? blocks : divide(total, blocks);
    if (whole == 0 || dim == M || total <= 64)
      sizes.insert(size);
    if (whole != 0)
      sizes.insert(std::min(total, divide(size, whole) * whole));
  }
  return {sizes.begin(), sizes.end()};
}

namespace {
/// The nests of one order; blocks within blocks end where the outer ones do.
class OrderSearch {
public:
  OrderSearch(const TileMachine &machine, const Product &product, int order,
              bool isCopied, bool isComplete)
      : machine(machine), product(product), order(order), isCopied(isCopied) {
    for (int i = 0; i < 3; ++i) {
      dims[i] = kLacks[kOrders[order][i]];
      sizes[i] = getCandidates(machine, product, dims[i], isComplete);
    }
  }
  /// False where the time was over first.
  bool run(std::map<int64_t, Found> &best, double until);

private:
  /// What the widths of the first two operands' tiles add, for the rest of the
  /// scratchpad.
  void chooseWidths(TileNest nest, double cost, std::map<int64_t, Found> &best);
  double getFirst(int64_t u2, int64_t u3);
  double getSecond(int64_t w1, int64_t u3, int64_t s3);

  const TileMachine &machine;
  const Product &product;
  int order;
  bool isCopied;
  int dims[3];
  std::vector<int64_t> sizes[3];
  std::map<std::array<int64_t, 3>, double> first, second;
};
} // namespace

double OrderSearch::getFirst(int64_t u2, int64_t u3) {
  auto [it, isNew] = first.try_emplace({u2, u3, 0});
  if (isNew)
    it->second = sumBytes(machine, product, kOrders[order][0], dims[1],
                          cut(product.sizes[dims[1]], u2),
                          cut(product.sizes[dims[2]], u3), isCopied) /
                 double(machine.bytesPerCycle);
  return it->second;
}

double OrderSearch::getSecond(int64_t w1, int64_t u3, int64_t s3) {
  auto [it, isNew] = second.try_emplace({w1, u3, s3});
  if (isNew)
    it->second = sumBytes(machine, product, kOrders[order][1], dims[0],
                          cut(product.sizes[dims[0]], w1),
                          cutTwice(product.sizes[dims[2]], u3, s3), isCopied) /
                 double(machine.bytesPerCycle);
  return it->second;
}

void OrderSearch::chooseWidths(TileNest nest, double cost,
                               std::map<int64_t, Found> &best) {
  // Only what has its columns, or is whole panels, gains by width.
  const int *operands = kOrders[order];
  const bool isWide3 = kCols[operands[0]] == dims[2] ||
                       (isCopied && operands[0] == A),
             isWide1 = kCols[operands[1]] == dims[0] ||
                       (isCopied && operands[1] == A);
  const double moves =
      countMoves(operands[1], double(divide(product.sizes[dims[1]], nest.u2)));
  const int64_t room = machine.scratchpad / 4 - nest.v1 * nest.v2;
  for (int64_t u3 : sizes[2]) {
    if (u3 < nest.s3 || (!isWide3 && u3 != nest.s3))
      continue;
    if (nest.u2 * u3 > room)
      break;
    for (int64_t w1 : sizes[0]) {
      if (w1 < nest.v1 || (!isWide1 && w1 != nest.v1))
        continue;
      if (nest.u2 * u3 + w1 * nest.s3 > room)
        break;
      nest.u3 = u3;
      nest.w1 = w1;
      const double sum =
          cost + getFirst(nest.u2, u3) + moves * getSecond(w1, u3, nest.s3);
      Found &found = best[isCopied ? nest.getPanel() : 0];
      // The inner blocks may be more than was counted.
      if (sum < found.cost) {
        const double exact = evaluate(machine, product, nest);
        if (exact < found.cost)
          found = {nest, exact};
      }
    }
  }
}

bool OrderSearch::run(std::map<int64_t, Found> &best, double until) {
  const int *operands = kOrders[order];
  const int64_t limit = machine.scratchpad / 4;
  for (int64_t v1 : sizes[0])
    for (int64_t v2 : sizes[1]) {
      if (v1 * v2 > limit)
        break;
      if (now() > until)
        return false;
      const BlockList of1 = cut(product.sizes[dims[0]], v1),
                      of2 = cut(product.sizes[dims[1]], v2);
      const double third =
          sumBytes(machine, product, operands[2], dims[0], of1, of2, isCopied) /
          double(machine.bytesPerCycle);
      for (int64_t s3 : sizes[2]) {
        if (v1 * v2 + v1 * s3 + v2 * s3 > limit)
          break;
        const BlockList of3 = cut(product.sizes[dims[2]], s3);
        const double cost = sumCycles(machine, dims, of1, of2, of3) +
                            countMoves(operands[2], count(of3)) * third;
        for (int64_t u2 : sizes[1]) {
          if (u2 < v2)
            continue;
          if (v1 * v2 + v1 * s3 + u2 * s3 > limit)
            break;
          chooseWidths({order, 0, v1, u2, v2, 0, s3, isCopied}, cost, best);
        }
      }
    }
  return true;
}

std::map<int64_t, Found> bench::searchAll(const TileMachine &machine,
                                          const Product &product, bool copies,
                                          bool isComplete, double seconds,
                                          bool *isOver) {
  std::map<int64_t, Found> best;
  // Every search gets its share of the time, and what the others left.
  const double begin = now(), share = seconds / (copies ? 12 : 6);
  double until = begin;
  for (int order = 0; order < 6; ++order)
    for (bool isCopied : {false, true})
      if (!isCopied || copies) {
        until += share;
        if (!OrderSearch(machine, product, order, isCopied, isComplete)
                 .run(best, until) &&
            isOver)
          *isOver = true;
      }
  return best;
}

double
bench::searchShared(const TileMachine &machine, const std::vector<Product> &all,
                    const std::vector<std::map<int64_t, Found>> &tables) {
  double sum = 0;
  std::map<int, std::vector<size_t>> groups;
  for (size_t i = 0; i != all.size(); ++i)
    groups[all[i].source].push_back(i);
  for (const auto &group : groups) {
    const std::vector<size_t> &members = group.second;
    std::set<int64_t> widths{0};
    for (size_t i : members)
      for (const auto &[width, found] : tables[i])
        widths.insert(width);
    auto get = [&](size_t i, int64_t width) {
      auto found = tables[i].find(width);
      return found == tables[i].end() ? kInfinity : found->second.cost;
    };
    auto copy = [&](int64_t width) {
      return width == 0 ? 0
                        : countCopyBytes(machine, all[members[0]], width) /
                              double(machine.bytesPerCycle);
    };
    // Width 0 is not a copy, and there anyway.
    double least = kInfinity;
    for (int64_t x : widths)
      for (int64_t y : widths) {
        if (y < x)
          continue;
        for (int64_t z : widths) {
          if (z < y)
            continue;
          double cost =
              copy(x) + (y != x ? copy(y) : 0) + (z != y ? copy(z) : 0);
          for (size_t i : members)
            cost += std::min({get(i, 0), get(i, x), get(i, y), get(i, z)});
          least = std::min(least, cost);
        }
      }
    sum += least;
  }
  return sum;
}
