//===- AnnotateDerivatives.cpp - Write sparsity of derivatives into the IR ===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Derivatives.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/ContractPasses.h"
#include "mlir/IR/Remarks.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ANNOTATEDERIVATIVES
#include "TensorAccess/Transforms/ContractPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Points of maps that are visited to color a matrix.
static constexpr int64_t kMaxPoints = 1 << 22;

namespace {
struct AnnotateDerivativesPass
    : public tensoraccess::impl::AnnotateDerivativesBase<
          AnnotateDerivativesPass> {
  using AnnotateDerivativesBase::AnnotateDerivativesBase;

  ArrayAttr getMaps(FunctionOpInterface function, const SparsityMaps &sparsity,
                    StringRef what) {
    if (!sparsity.isExact)
      remark::missed(sparsity.op ? sparsity.op->getLoc() : function.getLoc(),
                     remarkOptions("derivatives", function))
          << remark::add("the {0} may have fewer entries", what)
          << remark::reason("{0}", sparsity.reason);
    SmallVector<Attribute> maps;
    for (const IndexingMap &map : sparsity.maps)
      maps.push_back(IndexingMapAttr::get(&getContext(), map));
    return ArrayAttr::get(&getContext(), maps);
  }

  /// The results of `get` for each number.
  ArrayAttr getList(unsigned count, function_ref<Attribute(unsigned)> get) {
    SmallVector<Attribute> list;
    for (unsigned i = 0; i < count; ++i)
      list.push_back(get(i));
    return ArrayAttr::get(&getContext(), list);
  }

  /// What the matrix takes: entries, and colors of its columns or rows.
  DictionaryAttr getFigures(const SparsityMatrix &matrix) {
    Builder builder(&getContext());
    NamedAttrList figures;
    if (std::optional<uint64_t> entries = matrix.countEntries())
      figures.set("entries", builder.getI64IntegerAttr(*entries));
    std::optional<MatrixColoring> best;
    MatrixEntries entries(matrix);
    for (bool ofRows : {false, true}) {
      std::optional<MatrixColoring> coloring =
          colorMatrix(entries, ofRows, kMaxPoints);
      if (!coloring || (best && best->count <= coloring->count))
        continue;
      best = std::move(coloring);
      figures.set("colored",
                  builder.getStringAttr(ofRows ? "rows" : "columns"));
    }
    if (!best)
      return figures.getDictionary(&getContext());
    figures.set("colors", builder.getI64IntegerAttr(best->count));
    if (best->periodic) {
      figures.set("period", builder.getI64IntegerAttr(best->periodic->period));
      figures.set("weights",
                  builder.getDenseI64ArrayAttr(best->periodic->weights));
    }
    return figures.getDictionary(&getContext());
  }

  void runOnOperation() override {
    IndexingCache &cache = getAnalysis<IndexingAnalysis>().getCache();
    markAllAnalysesPreserved();
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      std::unique_ptr<Derivatives> derivatives =
          Derivatives::get(function, cache);
      if (!derivatives)
        continue;
      ++functions;
      const unsigned arguments = function.getNumArguments();
      function->setAttr("tensoraccess.jacobian",
                        getList(function.getNumResults(), [&](unsigned r) {
                          return getList(arguments, [&](unsigned a) {
                            return getMaps(function,
                                           derivatives->getJacobian(r, a),
                                           "Jacobian");
                          });
                        }));
      if (auto matrix = derivatives->getMatrix(std::nullopt))
        function->setAttr("tensoraccess.jacobian_coloring",
                          getFigures(*matrix));
      if (!hessian)
        continue;
      function->setAttr("tensoraccess.hessian",
                        getList(function.getNumResults(), [&](unsigned r) {
                          return getList(arguments, [&](unsigned a) {
                            return getList(arguments, [&](unsigned b) {
                              return getMaps(function,
                                             derivatives->getHessian(r, a, b),
                                             "Hessian");
                            });
                          });
                        }));
      function->setAttr("tensoraccess.hessian_coloring",
                        getList(function.getNumResults(), [&](unsigned r) {
                          auto matrix = derivatives->getMatrix(r);
                          return matrix ? getFigures(*matrix)
                                        : DictionaryAttr::get(&getContext());
                        }));
    }
  }
};
} // namespace
