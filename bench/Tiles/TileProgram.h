//===- TileProgram.h - Tile sizes by integer programs -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each order of the operands, a program over the sizes of the nest
// (TileModel.h): x[v1 = s], x[u2 = s], …, one of each. What depends on two or
// three sizes has a variable for each combination, and sums over one size are
// the variables of the others.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_BENCH_TILES_TILEPROGRAM_H
#define TENSORACCESS_BENCH_TILES_TILEPROGRAM_H

#include "TileModel.h"

namespace mlir::tensoraccess::bench {

struct Solved {
  /// Of the nest that was found, evaluated.
  double cost = kInfinity;
  TileNest nest;
  double seconds = 0;
  /// Variables of the largest program.
  size_t columns = 0;
  /// Whether each program was solved to the end.
  bool isOptimal = true;
  std::string problem;
};

/// The best nest without a copy.
Solved solveTiles(const TileMachine &machine, const Product &product,
                  double seconds);

/// The best choice of copies by an integer program over the best nests for each
/// width of panels.
Solved solveShared(const TileMachine &machine, const std::vector<Product> &all,
                   const std::vector<std::map<int64_t, Found>> &tables,
                   double seconds);

} // namespace mlir::tensoraccess::bench

#endif // TENSORACCESS_BENCH_TILES_TILEPROGRAM_H
