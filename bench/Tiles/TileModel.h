//===- TileModel.h - What loop nests round an array cost --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of M x K by K x N runs on a systolic array (Core/Systolic.h) that
// reads and writes a scratchpad. Operands A (M x K), B (K x N) and C (M x N)
// are moved there in tiles, one after the other, and loops run round and
// between:
//
//   for r2 by u2, for r3 by u3:            X1 is brought: u2 x u3
//     for r1 by w1, for r3 in u3 by s3:    X2 is brought: w1 x s3
//       for r1 in w1 by v1, for r2 in u2 by v2:
//                                          X3 is brought: v1 x v2
//         the array multiplies v1 x v2 x s3
//
// X1, X2, X3 are A, B, C in any of six orders, and r1, r2, r3 the dimension
// that each lacks. So X1 is moved once, X2 once for each block of r2, X3 once
// for each block of r3. C, where it comes back to go on with a sum, is moved
// twice. Another split does not help: a dimension that an operand lacks, cut
// outside of it, only moves it more often.
//
// The cost, in cycles of the array, which does not run while bytes move:
//
//   cycles of the products + bytes / bytesPerCycle
//   bytes = 4 a value + runBytes for each run of values that lie together
//
// subject to 4 (u2 u3 + w1 s3 + v1 v2) <= scratchpad. What the accumulators
// can't hold of an array's items is in its cycles.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_BENCH_TILES_TILEMODEL_H
#define TENSORACCESS_BENCH_TILES_TILEMODEL_H

#include "TensorAccess/Core/Systolic.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess::bench {

enum Operand { A, B, C };
enum Dim { M, K, N };

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rows, columns and the third dimension of each operand.
constexpr int kRows[] = {M, K, M}, kCols[] = {K, N, N}, kLacks[] = {N, M, K};
/// The six orders in which operands are brought, from outside.
constexpr int kOrders[6][3] = {{A, B, C}, {A, C, B}, {B, A, C},
                               {B, C, A}, {C, A, B}, {C, B, A}};

struct TileMachine {
  SystolicArray array{16, 16, 0, false};
  int64_t scratchpad = int64_t(64) << 10, runBytes = 64, bytesPerCycle = 8;
};

struct Product {
  std::string name;
  std::array<int64_t, 3> sizes;
  /// Values of A that lie together: K in a matrix, fewer in a view of windows.
  int64_t run = 0;
  /// Products with the same source read the same A.
  int source = 0;
};

/// The loops above.
struct TileNest {
  int order = 0;
  int64_t w1 = 1, v1 = 1, u2 = 1, v2 = 1, u3 = 1, s3 = 1;
  /// A is copied first, into panels as wide as its tiles.
  bool isCopied = false;

  /// Columns of a tile of A.
  int64_t getPanel() const;
  std::string str() const;
};

/// Bytes of a tile, moved one way.
double countBytes(const TileMachine &machine, const Product &product,
                  int operand, int64_t rows, int64_t cols, bool isCopied);
/// Bytes that a copy of A into panels moves.
double countCopyBytes(const TileMachine &machine, const Product &product,
                      int64_t panel);
/// Cycles of the array for one tile.
double countCycles(const TileMachine &machine, int64_t m, int64_t k, int64_t n);

/// The cost of a nest, blocks at the end being smaller; infinite where the
/// tiles don't fit. Without what a copy costs.
double evaluate(const TileMachine &machine, const Product &product,
                const TileNest &nest);

/// Sizes of tiles worth trying: for each number of blocks the smallest size,
/// rounded up to whole arrays and to what accumulators hold, and of rows, and
/// of dimensions up to 64, also as it is. All sizes, where `isComplete`.
std::vector<int64_t> getCandidates(const TileMachine &machine,
                                   const Product &product, int dim,
                                   bool isComplete = false);

struct Found {
  TileNest nest;
  double cost = kInfinity;
};

/// The best nest without a copy (0) and, where asked for, for each width of the
/// panels of a copy of A, by trying all nests over the candidates; or those that
/// `seconds` suffice for, which `*isOver` says then.
std::map<int64_t, Found> searchAll(const TileMachine &machine,
                                   const Product &product, bool copies = false,
                                   bool isComplete = false,
                                   double seconds = kInfinity,
                                   bool *isOver = nullptr);

/// The best costs of several products, with copies that they share: all sets of
/// at most three copies of each source are tried.
double searchShared(const TileMachine &machine, const std::vector<Product> &all,
                    const std::vector<std::map<int64_t, Found>> &tables);

} // namespace mlir::tensoraccess::bench

#endif // TENSORACCESS_BENCH_TILES_TILEMODEL_H
