//===- Derivatives.h - Where derivatives can be nonzero ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_DERIVATIVES_H
#define TENSORACCESS_ANALYSIS_DERIVATIVES_H

#include "TensorAccess/Analysis/Dependence.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Which derivatives can be nonzero
//
// The Jacobian of a result with respect to an argument has an entry for each
// pair of an element of the result and one of the argument, the Hessian one for
// each pair of elements of arguments. The entries that can be nonzero are a
// union of maps:
//
//   y[i] = (x[i + 1] - x[i])^2              i in [0, n - 2]
//     Jacobian      (d0)[s0] -> (d0 + s0),  s0 in [0, 1]
//     Hessian of the sum of y
//                   (d0)[s0] -> (d0 + s0),  s0 in [-1, 1]
//
//   Derivatives derivatives(function, cache);
//   SparsityMaps jacobian = derivatives.getJacobian(0, 0);
//
// The Jacobian's maps are the dependence (Dependence.h) through ops that have a
// derivative with respect to what they read: not floor, sign, compare,
// conversions to integers, the predicate of select, the keys of sort. Two
// elements meet in the Hessian if a function that is nonlinear in both, such as
// a product, reaches the result. One table lists which (DerivativeFacts.h).
//
// Entries outside the maps are zero wherever the function and its derivatives
// are finite. Those inside may be zero, too.
//===----------------------------------------------------------------------===//

/// The entries of a matrix of derivatives that can be nonzero.
struct SparsityMaps {
  /// From the indices of rows to those of columns.
  SmallVector<IndexingMap> maps;
  /// Whether they are exactly the pairs that ops connect.
  bool isExact = true;
  /// If not exact: why, and the op.
  std::string reason;
  Operation *op = nullptr;
};

/// The entries of a matrix whose rows and columns are the elements of several
/// arrays, in row-major order one after the other.
struct SparsityMatrix {
  struct Block {
    /// Which arrays.
    unsigned row, column;
    SparsityMaps maps;
  };
  std::vector<Block> blocks;
  /// The shapes of the arrays.
  SmallVector<SmallVector<int64_t>> rows, columns;

  /// How many entries can be nonzero, in closed form where there is one;
  /// std::nullopt where that is not known.
  std::optional<uint64_t> countEntries() const;
};

class Derivatives {
public:
  /// Null if the function has no body of one block.
  static std::unique_ptr<Derivatives> get(FunctionOpInterface function,
                                          IndexingCache &cache);

  /// From indices of the result to those of the argument.
  SparsityMaps getJacobian(unsigned result, unsigned argument);
  /// From indices of the first argument to those of the second one, for the sum
  /// of all elements of the result.
  SparsityMaps getHessian(unsigned result, unsigned first, unsigned second);
  /// The whole Jacobian, or the Hessian of a result: all arrays that have
  /// derivatives. std::nullopt if a size is not known.
  std::optional<SparsityMatrix> getMatrix(std::optional<unsigned> hessian);
  /// Whether it holds only if all computed values are finite.
  bool usesFinite() const { return dependence->usesFinite(); }

private:
  explicit Derivatives(std::unique_ptr<Dependence> dependence)
      : dependence(std::move(dependence)) {}
  Value getValue(unsigned number) const {
    return dependence->getProgram().values[number];
  }
  SparsityMaps makeDense(Value rows, Value columns, Operation *op) const;
  SparsityMaps finish(const DependenceList &list) const;
  /// From each value to each argument: [value][argument].
  void trace();
  void addPairs(unsigned step, unsigned result, unsigned p, unsigned q,
                bool atPoint, ArrayRef<IndexingMap> reached, unsigned first,
                unsigned second, DependenceList &pairs);

  std::unique_ptr<Dependence> dependence;
  std::vector<std::vector<DependenceList>> sources;
};

//===----------------------------------------------------------------------===//
// Entries and colors
//
// Columns of one color share no row, so that one product with the sum of their
// unit vectors gives all of their entries. If the maps are a stencil or a band,
// a color is a function of the index, however large the matrix is:
//
//   (d0, d1)[s0] -> ...  five points: colors (d0 + 2 * d1) mod 5
//===----------------------------------------------------------------------===//

/// (sum of weights[i] * index[i]) mod period.
struct PeriodicColoring {
  SmallVector<int64_t> weights;
  int64_t period = 1;
};

/// Colors of the indices that the maps lead to; std::nullopt if distances
/// within a row are unbounded, or there are too many.
std::optional<PeriodicColoring> getPeriodicColoring(ArrayRef<IndexingMap> maps);

/// Appends the row-major numbers of the pairs (row, column) of a map, ordered
/// by row, possibly with duplicates; pairs outside the shapes are omitted.
/// False if there are more than `maxPoints` points to visit, or unbounded
/// ranges.
bool enumerateEntries(const IndexingMap &map, ArrayRef<int64_t> rows,
                      ArrayRef<int64_t> columns, int64_t maxPoints,
                      std::vector<int64_t> &outRows,
                      std::vector<int64_t> &outColumns);

struct MatrixColoring {
  int64_t count = 0;
  /// The colors if they are a function of the index, else each one's.
  std::optional<PeriodicColoring> periodic;
  std::vector<int32_t> colors;
};

/// The entries of a matrix, (row, column), ordered, each once: enumerated when they
/// are first asked for.
class MatrixEntries {
public:
  explicit MatrixEntries(const SparsityMatrix &matrix) : matrix(matrix) {}
  /// Null if that takes more than `maxPoints` points.
  const std::vector<std::pair<int64_t, int64_t>> *get(int64_t maxPoints);

  const SparsityMatrix &matrix;

private:
  std::optional<std::vector<std::pair<int64_t, int64_t>>> entries;
};

/// Colors of columns, or of rows if `ofRows`: periodic, or greedy ones, starting
/// with those with most entries, if these are fewer. std::nullopt if
/// that takes more than `maxPoints` points.
std::optional<MatrixColoring> colorMatrix(MatrixEntries &entries, bool ofRows,
                                          int64_t maxPoints);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_DERIVATIVES_H
