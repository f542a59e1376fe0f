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

#include "AttributeRoom.h"
#include "TensorAccess/Analysis/Dependence.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/AccessPasses.h"
#include "TensorAccess/Transforms/Indexing.h"
#include "mlir/IR/Remarks.h"

#include <deque>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_ANNOTATEINDEXING
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kIndexingAttr = "tensoraccess.indexing";

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

static ArrayAttr getSetAttr(MLIRContext *context, const IndexingSet &set) {
  Builder builder(context);
  SmallVector<Attribute> maps;
  if (set.isUnknown())
    maps.push_back(IndexingMapAttr::get(context, IndexingMap()));
  for (auto [i, map] : llvm::enumerate(set.getMaps())) {
    Attribute attr = IndexingMapAttr::get(context, map);
    MapDetailsRef details = set.getDetails(i);
    if (details && details->replica)
      attr = builder.getDictionaryAttr(
          {builder.getNamedAttr("map", attr),
           builder.getNamedAttr(
               "replica", IndexingMapAttr::get(context, *details->replica))});
    maps.push_back(attr);
  }
  return ArrayAttr::get(context, maps);
}

/// [map][runtime variable]: where its value comes from; `{}` if unknown.
static ArrayAttr getSourcesAttr(MLIRContext *context, const IndexingSet &set) {
  Builder builder(context);
  SmallVector<Attribute> maps;
  for (auto [i, map] : llvm::enumerate(set.getMaps())) {
    MapDetailsRef details = set.getDetails(i);
    SmallVector<Attribute> sources;
    for (unsigned rt = 0; rt < map.getNumRuntime(); ++rt) {
      SmallVector<NamedAttribute> entries;
      if (details && rt < details->runtime.size() && details->runtime[rt]) {
        const RuntimeSource &source = *details->runtime[rt];
        entries.push_back(builder.getNamedAttr(
            "operand", builder.getI64IntegerAttr(source.operand)));
        entries.push_back(builder.getNamedAttr(
            "map", IndexingMapAttr::get(context, source.map)));
        if (source.clamp != Interval::all())
          entries.push_back(builder.getNamedAttr(
              "clamp", builder.getDenseI64ArrayAttr(
                           {source.clamp.lower, source.clamp.upper})));
      }
      sources.push_back(builder.getDictionaryAttr(entries));
    }
    maps.push_back(builder.getArrayAttr(sources));
  }
  return builder.getArrayAttr(maps);
}

/// Whether a runtime variable of some map in the set has a source.
static bool hasSources(const IndexingSet &set) {
  for (unsigned i = 0; i < set.size(); ++i)
    if (MapDetailsRef details = set.getDetails(i))
      if (llvm::any_of(details->runtime, [](const auto &s) { return bool(s); }))
        return true;
  return false;
}

DictionaryAttr tensoraccess::getIndexingAttr(MLIRContext *context,
                                             const OpIndexing &indexing,
                                             IndexingDirection direction) {
  unsigned results = indexing.getNumResults();
  unsigned operands = indexing.getNumOperands();
  const bool hasDetails = indexing.hasDetails();
  Builder builder(context);
  SmallVector<NamedAttribute> entries, sources;
  // [outer][inner][maps], and the same for sources if there are any.
  auto addNested = [&](StringRef name, unsigned numOuter, unsigned numInner,
                       auto getSet) {
    SmallVector<Attribute> outer, outerSources;
    bool any = false;
    for (unsigned i = 0; i < numOuter; ++i) {
      SmallVector<Attribute> inner, innerSources;
      for (unsigned j = 0; j < numInner; ++j) {
        const IndexingSet &set = getSet(i, j);
        inner.push_back(getSetAttr(context, set));
        any |= hasSources(set);
        if (hasDetails)
          innerSources.push_back(getSourcesAttr(context, set));
      }
      outer.push_back(builder.getArrayAttr(inner));
      if (hasDetails)
        outerSources.push_back(builder.getArrayAttr(innerSources));
    }
    entries.push_back(builder.getNamedAttr(name, builder.getArrayAttr(outer)));
    if (any)
      sources.push_back(
          builder.getNamedAttr(name, builder.getArrayAttr(outerSources)));
  };
  if (direction != IndexingDirection::OutputToInput)
    addNested("input_to_output", operands, results,
              [&](unsigned o, unsigned r) -> const IndexingSet & {
                return indexing.inputToOutput(o, r);
              });
  if (direction != IndexingDirection::InputToOutput)
    addNested("output_to_input", results, operands,
              [&](unsigned r, unsigned o) -> const IndexingSet & {
                return indexing.outputToInput(r, o);
              });
  if (!sources.empty())
    entries.push_back(builder.getNamedAttr("runtime_sources",
                                           builder.getDictionaryAttr(sources)));
  if (!indexing.getSizes().empty()) {
    SmallVector<std::string> sizes;
    for (const ValueSize &size : indexing.getSizes())
      sizes.push_back(size.str());
    entries.push_back(builder.getNamedAttr(
        "sizes",
        builder.getStrArrayAttr(SmallVector<StringRef>(llvm::map_range(
            sizes, [](const std::string &text) { return StringRef(text); })))));
  }
  return builder.getDictionaryAttr(entries);
}

//===----------------------------------------------------------------------===//
// Annotation
//===----------------------------------------------------------------------===//

/// The reason, and for a call the op of the callee that causes it.
static std::string getReasonText(Operation *op, IndexingReason reason,
                                 IndexingCache &cache) {
  std::string text = describe(reason).str();
  FunctionOpInterface callee = cache.getCallee(op);
  if (!callee || callee.isExternal() ||
      reason == IndexingReason::UnknownCallee ||
      reason == IndexingReason::Recursion)
    return text;
  std::string where = "in @" + callee.getName().str();
  for (Operation &inner : callee.getFunctionBody().front())
    if (inner.getNumResults() != 0 &&
        cache.get(&inner).firstReason() == reason) {
      where = inner.getName().getStringRef().str() + " " + where;
      break;
    }
  return where + ": " + text;
}

/// What a function's results depend on; std::nullopt if that is not known.
static std::optional<OpIndexing> getMasked(FunctionOpInterface function,
                                           IndexingCache &cache) {
  FactOptions options;
  options.assumeFinite = true;
  auto dependence = Dependence::get(function, cache, std::move(options));
  if (!dependence)
    return std::nullopt;
  return dependence->getIndexing();
}

AnnotateIndexingReport
tensoraccess::annotateIndexing(ModuleOp module, IndexingCache &cache,
                               IndexingDirection direction, bool fused,
                               bool masked) {
  MLIRContext *context = module.getContext();
  AnnotateIndexingReport report;
  struct Known {
    DictionaryAttr attr;
    unsigned maps, unknown;
  };
  DenseMap<const OpIndexing *, Known> attributes;
  AttributeRoom room;
  auto annotate = [&](Operation *op, const OpIndexing &indexing) {
    auto [it, inserted] = attributes.try_emplace(&indexing);
    if (inserted)
      it->second = {getIndexingAttr(context, indexing, direction),
                    indexing.countMaps(), indexing.countUnknown()};
    if (!room.set(op, kIndexingAttr, it->second.attr))
      return;
    ++report.ops;
    report.maps += it->second.maps;
    report.unknown += it->second.unknown;
    if (it->second.unknown != 0)
      remark::missed(op->getLoc(), remarkOptions("indexing", op))
          << remark::add("{0} of {1} sets of maps of {2} are unknown",
                         it->second.unknown,
                         2 * indexing.getNumResults() *
                             indexing.getNumOperands(),
                         op->getName().getStringRef().str())
          << remark::reason("{0}",
                            getReasonText(op, indexing.firstReason(), cache));
  };
  // Their addresses are keys.
  std::deque<OpIndexing> own;
  if (fused)
    module->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      if (auto indexing = masked ? getMasked(function, cache) : std::nullopt)
        annotate(function, own.emplace_back(std::move(*indexing)));
      else
        annotate(function, cache.getFunction(function));
    });
  else
    forEachIndexedOp(module,
                     [&](Operation *op) { annotate(op, cache.get(op)); });
  remark::analysis(module.getLoc(), remarkOptions("indexing", module))
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
    if (failed(checkRanks(getOperation())))
      return signalPassFailure();
    for (auto [name, value] :
         {std::pair("max-maps", unsigned(maxMaps)),
          std::pair("max-variables", unsigned(maxVariables))})
      if (value == 0) {
        mlir::emitError(getOperation().getLoc(), "option '")
            << name << "' must be positive, got 0";
        return signalPassFailure();
      }
    if (masked && !fused) {
      mlir::emitError(getOperation().getLoc(),
                      "option 'masked' is for 'fused'");
      return signalPassFailure();
    }
    IndexingBudget budget;
    budget.maxMaps = maxMaps;
    budget.maxVariables = maxVariables;
    budget.maxConstraints = maxVariables;
    IndexingCache fusedCache(budget);
    IndexingCache &cache =
        fused ? fusedCache : getAnalysis<IndexingAnalysis>().getCache();
    AnnotateIndexingReport report =
        annotateIndexing(getOperation(), cache, direction, fused, masked);
    markAnalysesPreserved<IndexingAnalysis>();
    ops += report.ops;
    maps += report.maps;
    unknown += report.unknown;
  }
};
} // namespace
