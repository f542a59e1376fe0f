//===- NativeDerivatives.cpp - Sparsity of derivatives for Python ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analysis/Derivatives.h in the module's session; entries and colors as arrays.
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"
#include "NativeModule.h"
#include "TensorAccess/Analysis/Derivatives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

/// The rows' array, the columns', maps, whether they are exact, and if not, why.
using NativeBlock =
    std::tuple<unsigned, unsigned, std::vector<IndexingMap>, bool, std::string>;
using Shapes = std::vector<std::vector<int64_t>>;
/// Blocks, shapes of rows and of columns; whether it holds only if all is finite.
using NativeSparsity =
    std::tuple<std::vector<NativeBlock>, Shapes, Shapes, bool>;

/// The Jacobian, or the Hessian of a result.
static NativeSparsity getSparsity(std::shared_ptr<NativeModule> self,
                                  std::string_view entry,
                                  std::optional<int64_t> hessian) {
  std::vector<NativeBlock> blocks;
  Shapes rows, columns;
  bool usesFinite = false;
  self->getSession().attempt("the derivatives are not known", [&] {
    FailureOr<func::FuncOp> function = findEntry(self->getOp(), toRef(entry));
    if (failed(function))
      return false;
    IndexingCache cache;
    std::unique_ptr<Derivatives> derivatives =
        Derivatives::get(*function, cache);
    if (!derivatives) {
      mlir::emitError(function->getLoc())
          << "function @" << function->getName() << " has no body of one block";
      return false;
    }
    if (hessian && (*hessian < 0 || *hessian >= function->getNumResults())) {
      mlir::emitError(function->getLoc())
          << "result " << *hessian << ": there are "
          << function->getNumResults() << " results";
      return false;
    }
    auto matrix = derivatives->getMatrix(hessian);
    if (!matrix)
      throw Error("sizes must be known: give types without '?'");
    for (SparsityMatrix::Block &block : matrix->blocks)
      blocks.emplace_back(block.row, block.column,
                          std::vector<IndexingMap>(block.maps.maps.begin(),
                                                   block.maps.maps.end()),
                          block.maps.isExact, block.maps.reason);
    auto toShapes = [](ArrayRef<SmallVector<int64_t>> shapes) {
      Shapes list;
      for (const SmallVector<int64_t> &shape : shapes)
        list.emplace_back(shape.begin(), shape.end());
      return list;
    };
    rows = toShapes(matrix->rows);
    columns = toShapes(matrix->columns);
    usesFinite = derivatives->usesFinite();
    return true;
  });
  return {std::move(blocks), std::move(rows), std::move(columns), usesFinite};
}

template <typename T>
static nb::ndarray<nb::numpy, T, nb::ndim<1>> toNumpy(std::vector<T> values) {
  auto *own = new std::vector<T>(std::move(values));
  nb::capsule owner(
      own, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(own->data(), {own->size()},
                                                owner);
}
using Numbers = nb::ndarray<nb::numpy, int64_t, nb::ndim<1>>;

/// Row-major numbers of rows and columns.
static std::pair<Numbers, Numbers>
getEntries(const std::vector<IndexingMap> &maps,
           const std::vector<int64_t> &rows,
           const std::vector<int64_t> &columns, int64_t maxPoints) {
  std::vector<int64_t> outRows, outColumns;
  for (const IndexingMap &map : maps)
    if (!enumerateEntries(map, rows, columns, maxPoints, outRows, outColumns))
      throw Error("the entries of " + map.str() + " are more than " +
                  llvm::Twine(maxPoints) + ", or their number is not known");
  return {toNumpy(std::move(outRows)), toNumpy(std::move(outColumns))};
}

/// How many colors; weights if they follow from the index, else each one's.
using Colors = std::tuple<int64_t, std::optional<std::vector<int64_t>>,
                          nb::ndarray<nb::numpy, int32_t, nb::ndim<1>>>;

/// Of columns, and of rows, as asked for.
static std::vector<Colors> getColorings(
    const std::vector<std::tuple<unsigned, unsigned, std::vector<IndexingMap>>>
        &blocks,
    const Shapes &rows, const Shapes &columns, const std::vector<bool> &ofRows,
    int64_t maxPoints) {
  SparsityMatrix matrix;
  for (const auto &[row, column, maps] : blocks)
    matrix.blocks.push_back(
        {row, column, {SmallVector<IndexingMap>(maps.begin(), maps.end())}});
  for (const auto &shape : rows)
    matrix.rows.emplace_back(shape.begin(), shape.end());
  for (const auto &shape : columns)
    matrix.columns.emplace_back(shape.begin(), shape.end());
  MatrixEntries entries(matrix);
  std::vector<Colors> colorings;
  for (bool transposed : ofRows) {
    std::optional<MatrixColoring> coloring =
        colorMatrix(entries, transposed, maxPoints);
    if (!coloring)
      throw Error("the entries are more than " + llvm::Twine(maxPoints) +
                  ", or their number is not known");
    std::optional<std::vector<int64_t>> weights;
    if (coloring->periodic)
      weights.emplace(coloring->periodic->weights.begin(),
                      coloring->periodic->weights.end());
    colorings.push_back({coloring->count, std::move(weights),
                         toNumpy(std::move(coloring->colors))});
  }
  return colorings;
}

void python::bindDerivatives(nb::module_ &m) {
  m.def("sparsity", &getSparsity, nb::arg("module"), nb::arg("entry"),
        nb::arg("hessian").none());
  m.def("sparsity_entries", &getEntries, nb::arg("maps"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("max_points"));
  m.def("color_matrix", &getColorings, nb::arg("blocks"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("of_rows"), nb::arg("max_points"));
}
