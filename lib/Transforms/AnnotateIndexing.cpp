//===- AnnotateIndexing.cpp - Write indexing maps into the IR -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of the same signature share one OpIndexing in the cache; its
// attribute is made once and looked up by its address.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ANNOTATEINDEXING
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kIndexingAttr = "tensoraccess.indexing";

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

static ArrayAttr getSetAttr(MLIRContext *context, const IndexingSet &set) {
  SmallVector<Attribute> maps;
  if (set.isUnknown())
    maps.push_back(IndexingMapAttr::get(context, IndexingMap()));
  for (const IndexingMap &map : set.getMaps())
    maps.push_back(IndexingMapAttr::get(context, map));
  return ArrayAttr::get(context, maps);
}

DictionaryAttr tensoraccess::getIndexingAttr(MLIRContext *context,
                                             const OpIndexing &indexing,
                                             IndexingDirection direction) {
  // [outer][inner][maps]
  auto getNested = [&](unsigned numOuter, unsigned numInner, auto getSet) {
    SmallVector<Attribute> outer;
    for (unsigned i = 0; i < numOuter; ++i) {
      SmallVector<Attribute> inner;
      for (unsigned j = 0; j < numInner; ++j)
        inner.push_back(getSetAttr(context, getSet(i, j)));
      outer.push_back(ArrayAttr::get(context, inner));
    }
    return ArrayAttr::get(context, outer);
  };
  unsigned results = indexing.getNumResults();
  unsigned operands = indexing.getNumOperands();
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  if (direction != IndexingDirection::OutputToInput)
    entries.push_back(builder.getNamedAttr(
        "input_to_output",
        getNested(operands, results, [&](unsigned o, unsigned r) {
          return indexing.inputToOutput(o, r);
        })));
  if (direction != IndexingDirection::InputToOutput)
    entries.push_back(builder.getNamedAttr(
        "output_to_input",
        getNested(results, operands, [&](unsigned r, unsigned o) {
          return indexing.outputToInput(r, o);
        })));
  return builder.getDictionaryAttr(entries);
}

//===----------------------------------------------------------------------===//
// Annotation
//===----------------------------------------------------------------------===//

static remark::RemarkOpts getRemarkOptions(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name("indexing")
      .category("tensoraccess")
      .function(function ? function.getName() : "");
}

AnnotateIndexingReport
tensoraccess::annotateIndexing(ModuleOp module, IndexingCache &cache,
                               IndexingDirection direction, bool fused) {
  MLIRContext *context = module.getContext();
  AnnotateIndexingReport report;
  struct Known {
    DictionaryAttr attr;
    unsigned maps, unknown;
  };
  DenseMap<const OpIndexing *, Known> attributes;
  auto annotate = [&](Operation *op, const OpIndexing &indexing) {
    auto [it, inserted] = attributes.try_emplace(&indexing);
    if (inserted)
      it->second = {getIndexingAttr(context, indexing, direction),
                    indexing.countMaps(), indexing.countUnknown()};
    op->setDiscardableAttr(kIndexingAttr, it->second.attr);
    ++report.ops;
    report.maps += it->second.maps;
    report.unknown += it->second.unknown;
    if (it->second.unknown != 0)
      remark::missed(op->getLoc(), getRemarkOptions(op))
          << remark::add("{0} of {1} sets of maps of {2} are unknown",
                         it->second.unknown,
                         2 * indexing.getNumResults() *
                             indexing.getNumOperands(),
                         op->getName().getStringRef().str())
          << remark::reason("{0}", describe(indexing.firstReason()).str());
  };
  if (fused)
    module->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        annotate(function, cache.getFunction(function));
    });
  else
    forEachIndexedOp(module, [&](Operation *op) {
      annotate(op, cache.get(op));
    });
  remark::analysis(module.getLoc(), getRemarkOptions(module))
      << remark::metric("Ops", report.ops)
      << remark::metric("Maps", report.maps)
      << remark::metric("Unknown", report.unknown);
  return report;
}

namespace {
struct AnnotateIndexingPass
    : public tensoraccess::impl::AnnotateIndexingBase<AnnotateIndexingPass> {
  using AnnotateIndexingBase::AnnotateIndexingBase;

  void runOnOperation() override {
    IndexingBudget budget;
    budget.maxMaps = maxMaps;
    budget.maxVariables = maxVariables;
    budget.maxConstraints = maxVariables;
    IndexingCache fusedCache(budget);
    IndexingCache &cache =
        fused ? fusedCache : getAnalysis<IndexingAnalysis>().getCache();
    AnnotateIndexingReport report =
        annotateIndexing(getOperation(), cache, direction, fused);
    markAnalysesPreserved<IndexingAnalysis>();
    ops += report.ops;
    maps += report.maps;
    unknown += report.unknown;
  }
};
} // namespace
