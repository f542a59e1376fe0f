//===- TileProgram.cpp - Tile sizes by integer programs -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of a nest is a sum of products of up to four sizes. The program
// takes three: the cycles of the array. Of the bytes it leaves out two things,
// which the sizes that it finds are then charged for: that rows that are moved
// whole lie together, and that blocks within blocks may leave smaller ends.
//
//===----------------------------------------------------------------------===//

#include "TileProgram.h"
#include "TensorAccess/Cost/BinaryProgram.h"
#include "TensorAccess/EGraph/Extraction.h"

#include <chrono>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::bench;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static int64_t divide(int64_t a, int64_t b) { return (a - 1) / b + 1; }

namespace {

/// The program for one order.
class TileProgram {
public:
  TileProgram(const TileMachine &machine, const Product &product, int order);
  void solve(double seconds, Solved &result);

private:
  enum Size { V1, U2, V2, S3, U3, W1, NumSizes };
  int addColumn(double cost, bool isStart) {
    program.costs.push_back(cost);
    program.start.push_back(isStart);
    return int(program.costs.size()) - 1;
  }
  /// sum of the one - sum of the others = right
  void addEquation(const std::vector<int> &plus, const std::vector<int> &minus,
                   double right);
  void addPair(Size a, Size b);
  void addTriples();
  void addBytes(int i);
  void addLimits();
  int64_t getBlocks(Size size, size_t i) const {
    return divide(totals[size], sizes[size][i]);
  }

  const TileMachine &machine;
  const Product &product;
  int order;
  BinaryProgram program;
  std::vector<int64_t> sizes[NumSizes];
  int64_t totals[NumSizes];
  std::vector<int> single[NumSizes];
  /// By the two numbers of sizes; -1 where they don't fit.
  std::map<std::pair<int, int>, std::vector<std::vector<int>>> pairs;
  struct Triple {
    size_t v1, v2, s3;
    int column;
  };
  std::vector<Triple> triples;
};

} // namespace

TileProgram::TileProgram(const TileMachine &machine, const Product &product,
                         int order)
    : machine(machine), product(product), order(order) {
  const int *operands = kOrders[order];
  const int dims[] = {kLacks[operands[0]], kLacks[operands[1]],
                      kLacks[operands[1]], kLacks[operands[2]],
                      kLacks[operands[2]], kLacks[operands[0]]};
  for (int i = 0; i < NumSizes; ++i) {
    sizes[i] = getCandidates(machine, product, dims[i]);
    totals[i] = product.sizes[dims[i]];
    for (size_t j = 0; j != sizes[i].size(); ++j)
      single[i].push_back(addColumn(0, j == 0));
    addEquation(single[i], {}, 1);
  }
  addPair(U2, U3);
  addPair(W1, S3);
  addPair(V1, S3);
  addTriples();
  for (int i = 0; i < 3; ++i)
    addBytes(i);
  addLimits();
}

void TileProgram::addEquation(const std::vector<int> &plus,
                              const std::vector<int> &minus, double right) {
  BinaryProgram::Row row{plus, std::vector<double>(plus.size(), 1), 'G', right};
  for (int column : minus) {
    row.columns.push_back(column);
    row.coefficients.push_back(-1);
  }
  program.rows.push_back(row);
  row.sense = 'L';
  program.rows.push_back(std::move(row));
}

void TileProgram::addPair(Size a, Size b) {
  if (!pairs.try_emplace({a, b}).second)
    return;
  std::vector<std::vector<int>> &pair = pairs[{a, b}];
  for (size_t i = 0; i != sizes[a].size(); ++i) {
    pair.emplace_back();
    for (size_t j = 0; j != sizes[b].size(); ++j)
      pair[i].push_back((std::pair(a, b) != std::pair(U2, U3) &&
                         std::pair(a, b) != std::pair(W1, S3)) ||
                                4 * sizes[a][i] * sizes[b][j] <=
                                    machine.scratchpad
                            ? addColumn(0, i == 0 && j == 0)
                            : -1);
  }
  auto sum = [&](bool isFirst, size_t fixed) {
    std::vector<int> columns;
    for (size_t i = 0; i != sizes[isFirst ? b : a].size(); ++i)
      if (int column = isFirst ? pair[fixed][i] : pair[i][fixed]; column >= 0)
        columns.push_back(column);
    return columns;
  };
  for (size_t i = 0; i != sizes[a].size(); ++i)
    addEquation(sum(true, i), {single[a][i]}, 0);
  for (size_t j = 0; j != sizes[b].size(); ++j)
    addEquation(sum(false, j), {single[b][j]}, 0);
}

void TileProgram::addTriples() {
  const int *operands = kOrders[order];
  const std::vector<std::vector<int>> &pair = pairs[{V1, S3}];
  std::map<int, std::vector<int>> ofPair;
  std::vector<std::vector<int>> ofV2(sizes[V2].size());
  for (size_t i = 0; i != sizes[V1].size(); ++i)
    for (size_t j = 0; j != sizes[V2].size(); ++j)
      for (size_t k = 0; k != sizes[S3].size(); ++k) {
        const int64_t v1 = sizes[V1][i], v2 = sizes[V2][j], s3 = sizes[S3][k];
        if (4 * ((v1 + v2) * s3 + v1 * v2) > machine.scratchpad)
          continue;
        // Blocks of each size, and those at the end.
        double cycles = 0;
        for (int ends = 0; ends < 8; ++ends) {
          double times = 1;
          int64_t tile[3] = {};
          const std::pair<int64_t, int64_t> block[] = {
              {totals[V1], v1}, {totals[V2], v2}, {totals[S3], s3}};
          for (int d = 0; d < 3; ++d) {
            auto [total, size] = block[d];
            const bool isEnd = ends >> d & 1;
            tile[kLacks[operands[d]]] = isEnd ? total % size : size;
            times *= isEnd ? double(total % size != 0) : double(total / size);
          }
          if (times != 0)
            cycles += times * countCycles(machine, tile[M], tile[K], tile[N]);
        }
        const int column = addColumn(cycles, i + j + k == 0);
        triples.push_back({i, j, k, column});
        ofPair[pair[i][k]].push_back(column);
        ofV2[j].push_back(column);
      }
  for (const std::vector<int> &row : pair)
    for (int column : row)
      addEquation(ofPair[column], {column}, 0);
  for (size_t j = 0; j != ofV2.size(); ++j)
    addEquation(ofV2[j], {single[V2][j]}, 0);
}

/// What operand i of the order moves: by its columns, for the rows are all
/// moved once each time, and by how often that is.
void TileProgram::addBytes(int i) {
  const int *operands = kOrders[order];
  const int operand = operands[i], dim = kCols[operand];
  const Size times = i == 1 ? U2 : S3;
  const Size cols = dim == kLacks[operands[0]]   ? (i == 1 ? W1 : V1)
                    : dim == kLacks[operands[2]] ? (i == 0 ? U3 : S3)
                    : i == 2                     ? V2
                                                 : U2;
  const double rows = double(product.sizes[kRows[operand]]),
               width = double(product.sizes[dim]);
  for (size_t c = 0; c != sizes[cols].size(); ++c) {
    const int64_t size = sizes[cols][c], total = totals[cols],
                  run = operand == A ? product.run : total;
    double runs = rows * (double(total / size) * double(divide(size, run)) +
                          (total % size ? divide(total % size, run) : 0));
    if (size == total && run >= total)
      runs = 1;
    const double once = (4 * rows * width + double(machine.runBytes) * runs) /
                        double(machine.bytesPerCycle);
    if (i == 0) {
      program.costs[single[cols][c]] += once;
      continue;
    }
    const Size low = std::min(cols, times), high = std::max(cols, times);
    addPair(low, high);
    for (size_t t = 0; t != sizes[times].size(); ++t) {
      const double blocks = double(getBlocks(times, t));
      const int column =
          low == cols ? pairs[{low, high}][c][t] : pairs[{low, high}][t][c];
      if (column >= 0)
        program.costs[column] +=
            once * (operand == C ? 2 * blocks - 1 : blocks);
    }
  }
}

void TileProgram::addLimits() {
  BinaryProgram::Row fits{{}, {}, 'L', double(machine.scratchpad)};
  auto add = [&](int column, int64_t values) {
    if (column < 0)
      return;
    fits.columns.push_back(column);
    fits.coefficients.push_back(4.0 * double(values));
  };
  for (auto [a, b] : {std::pair(U2, U3), std::pair(W1, S3)})
    for (size_t i = 0; i != sizes[a].size(); ++i)
      for (size_t k = 0; k != sizes[b].size(); ++k)
        add(pairs[{a, b}][i][k], sizes[a][i] * sizes[b][k]);
  for (const Triple &t : triples)
    add(t.column, sizes[V1][t.v1] * sizes[V2][t.v2]);
  program.rows.push_back(std::move(fits));
  for (auto [inner, outer] :
       {std::pair(V2, U2), std::pair(S3, U3), std::pair(V1, W1)})
    for (size_t least = 1; least != sizes[inner].size(); ++least) {
      BinaryProgram::Row row{{}, {}, 'G', 0};
      for (size_t j = least; j != sizes[inner].size(); ++j) {
        row.columns.push_back(single[outer][j]);
        row.coefficients.push_back(1);
        row.columns.push_back(single[inner][j]);
        row.coefficients.push_back(-1);
      }
      program.rows.push_back(std::move(row));
    }
}

void TileProgram::solve(double seconds, Solved &result) {
  result.columns = std::max(result.columns, program.costs.size());
  const BinarySolution solution = mlir::tensoraccess::solve(program, seconds);
  result.isOptimal &= solution.isOptimal;
  if (solution.values.empty())
    return;
  auto get = [&](Size size) {
    for (size_t i = 0; i != sizes[size].size(); ++i)
      if (solution.values[single[size][i]])
        return sizes[size][i];
    return sizes[size][0];
  };
  const TileNest nest{order,   get(W1), get(V1), get(U2),
                      get(V2), get(U3), get(S3), false};
  const double cost = evaluate(machine, product, nest);
  if (cost < result.cost) {
    result.cost = cost;
    result.nest = nest;
  }
}

Solved bench::solveTiles(const TileMachine &machine, const Product &product,
                         double seconds) {
  Solved result;
  if (!loadCbc(result.problem))
    return result;
  const double begin = now();
  for (int order = 0; order < 6; ++order)
    TileProgram(machine, product, order).solve(seconds / 6, result);
  result.seconds = now() - begin;
  return result;
}

Solved bench::solveShared(const TileMachine &machine,
                          const std::vector<Product> &all,
                          const std::vector<std::map<int64_t, Found>> &tables,
                          double seconds) {
  Solved result;
  if (!loadCbc(result.problem))
    return result;
  const double begin = now();
  BinaryProgram program;
  auto addColumn = [&](double cost, bool isStart) {
    program.costs.push_back(cost);
    program.start.push_back(isStart);
    return int(program.costs.size()) - 1;
  };
  std::map<std::pair<int, int64_t>, int> copies;
  for (size_t i = 0; i != all.size(); ++i) {
    BinaryProgram::Row one{{}, {}, 'G', 1};
    for (const auto &[width, found] : tables[i]) {
      one.columns.push_back(addColumn(found.cost, width == 0));
      one.coefficients.push_back(1);
      if (width == 0)
        continue;
      auto [copy, isNew] = copies.try_emplace({all[i].source, width}, -1);
      if (isNew)
        copy->second = addColumn(countCopyBytes(machine, all[i], width) /
                                     double(machine.bytesPerCycle),
                                 false);
      program.rows.push_back(
          {{copy->second, one.columns.back()}, {1, -1}, 'G', 0});
    }
    program.rows.push_back(std::move(one));
  }
  result.columns = program.costs.size();
  const BinarySolution solution = mlir::tensoraccess::solve(program, seconds);
  result.isOptimal = solution.isOptimal;
  result.cost = 0;
  for (size_t i = 0; i != solution.values.size(); ++i)
    if (solution.values[i])
      result.cost += program.costs[i];
  result.seconds = now() - begin;
  return result;
}
