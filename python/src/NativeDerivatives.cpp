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

/// The numbers of the types whose elements have derivatives; their shapes.
static std::vector<unsigned> getDifferentiable(TypeRange types,
                                               Shapes &shapes) {
  std::vector<unsigned> numbers;
  for (auto [i, type] : llvm::enumerate(types))
    if (isa<FloatType, ComplexType>(getElementTypeOrSelf(type))) {
      numbers.push_back(i);
      auto shaped = dyn_cast<ShapedType>(type);
      if (shaped && !shaped.hasStaticShape())
        throw Error("sizes must be known: give types without '?'");
      shapes.push_back(shaped ? std::vector<int64_t>(shaped.getShape().begin(),
                                                     shaped.getShape().end())
                              : std::vector<int64_t>());
    }
  return numbers;
}

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
    auto ofColumns = getDifferentiable(function->getArgumentTypes(), columns);
    auto ofRows = getDifferentiable(hessian ? function->getArgumentTypes()
                                            : function->getResultTypes(),
                                    rows);
    for (auto [r, row] : llvm::enumerate(ofRows))
      for (auto [c, column] : llvm::enumerate(ofColumns)) {
        SparsityMaps found =
            hessian ? derivatives->getHessian(*hessian, row, column)
                    : derivatives->getJacobian(row, column);
        blocks.emplace_back(
            r, c,
            std::vector<IndexingMap>(found.maps.begin(), found.maps.end()),
            found.isExact, found.reason);
      }
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

using ConstNumbers = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig>;

static nb::ndarray<nb::numpy, int32_t, nb::ndim<1>>
colorColumns(ConstNumbers starts, ConstNumbers columns, int64_t numColumns) {
  llvm::ArrayRef<int64_t> first(starts.data(), starts.size()),
      all(columns.data(), columns.size());
  if (first.empty() || first.front() != 0 ||
      first.back() != int64_t(all.size()) || !llvm::is_sorted(first) ||
      llvm::any_of(all, [&](int64_t c) { return c < 0 || c >= numColumns; }))
    throw Error("starts must begin at 0, end at the number of entries, and "
                "columns be in [0, " +
                llvm::Twine(numColumns) + ")");
  return toNumpy(colorGreedily(first, all, numColumns));
}

void python::bindDerivatives(nb::module_ &m) {
  m.def("sparsity", &getSparsity, nb::arg("module"), nb::arg("entry"),
        nb::arg("hessian").none());
  m.def("sparsity_entries", &getEntries, nb::arg("maps"), nb::arg("rows"),
        nb::arg("columns"), nb::arg("max_points"));
  m.def(
      "periodic_coloring",
      [](const std::vector<IndexingMap> &maps)
          -> std::optional<std::pair<std::vector<int64_t>, int64_t>> {
        auto coloring = getPeriodicColoring(maps);
        if (!coloring)
          return std::nullopt;
        return std::pair(std::vector<int64_t>(coloring->weights.begin(),
                                              coloring->weights.end()),
                         coloring->period);
      },
      nb::arg("maps"));
  m.def("color_columns", &colorColumns, nb::arg("starts"), nb::arg("columns"),
        nb::arg("count"));
}
