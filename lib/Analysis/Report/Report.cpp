//===- Report.cpp - What analyses found, as remarks -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of sections, and the loop over functions and sections.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/Masks.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::tensoraccess;

ArrayRef<ReportSection> tensoraccess::getIndexingSections() {
  static constexpr ReportSection sections[] = {
      {"fusion", "what fusing computes again, and what it reads", reportFusion,
       nullptr, "root,through"},
      {"utilization", "how much of its operands each op reads, how often",
       reportUtilization},
      {"footprint", "boxes and bytes that each op touches", reportFootprint},
      {"coalescing", "what loads, stores and kernels move for what they use",
       reportCoalescing, nullptr, "lanes,transaction_bytes,vector,plan"},
      {"zero-regions", "slices of values that are known to be zero",
       reportZeroRegions},
  };
  return sections;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

std::string ReportMetric::str() const {
  if (const auto *number = std::get_if<uint64_t>(&value))
    return std::to_string(*number);
  if (const auto *text = std::get_if<std::string>(&value))
    return *text;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.6g", std::get<double>(value));
  return text;
}

ReportItem &ReportItem::ratio(StringRef name, std::optional<uint64_t> over,
                              std::optional<uint64_t> under) {
  if (over && under && *under != 0)
    ratio(name, static_cast<double>(*over) / static_cast<double>(*under));
  return *this;
}

ReportContext::ReportContext(FunctionOpInterface function,
                             FusionAnalysis &fusion,
                             const ReportOptions &options,
                             std::deque<ReportItem> &items)
    : function(function), fusion(fusion), options(options), items(items) {}
ReportContext::~ReportContext() = default;

Dependence *ReportContext::getDependence() {
  if (std::exchange(hasDependence, true))
    return dependence.get();
  FactOptions facts;
  facts.assumeFinite = true;
  dependence = Dependence::get(function, getCache(), std::move(facts));
  if (!dependence)
    return nullptr;
  masks = std::make_unique<MaskAnalysis>(*dependence);
  for (auto [s, step] : llvm::enumerate(dependence->getProgram().steps))
    if (auto [it, isNew] = stepOf.try_emplace(step.op, s); !isNew)
      it->second.reset();
  return dependence.get();
}

std::optional<unsigned> ReportContext::getStep(Operation *op) {
  return getDependence() ? stepOf.lookup(op) : std::nullopt;
}

ReportItem &ReportContext::add(StringRef name, Location location) {
  ReportItem &item = items.emplace_back(location);
  item.section = section.str();
  item.name = name.str();
  item.function = function.getName().str();
  return item;
}

ReportItem &ReportContext::addMissed(StringRef name, Location location,
                                     const Twine &reason) {
  ReportItem &item = add(name, location);
  item.kind = ReportItem::Kind::Missed;
  item.reason = reason.str();
  return item;
}

std::string ReportContext::nameOf(Value value) {
  if (!names)
    names = std::make_unique<AsmState>(function);
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, *names);
  return text;
}

void ReportContext::forEachOp(function_ref<void(Operation *)> visit) {
  forEachIndexedOp(function, visit);
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// What is wrong with the options `root` and `through`: an op that no function
/// has. One function is enough.
static std::optional<std::string>
checkOps(ArrayRef<FunctionOpInterface> functions,
         const ReportOptions &options) {
  StringRef root = options.get("root");
  std::string error;
  if (!root.empty() && llvm::none_of(functions, [&](FunctionOpInterface f) {
        return findOp(f, root, error) != nullptr;
      })) {
    if (functions.size() == 1)
      return "option 'root': " + error;
    return ("option 'root': no function has an op '" + root + "'").str();
  }
  SmallVector<StringRef> through;
  options.get("through").split(through, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : through) {
    bool isFound = llvm::any_of(functions, [&](FunctionOpInterface f) {
      return f
          ->walk([&](Operation *op) {
            return op->getName().getStringRef() == name
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
    });
    if (!isFound)
      return ("option 'through': no function has an op '" + name + "'").str();
  }
  return std::nullopt;
}

/// `there are none`, `there are 'a', 'b'`.
static std::string list(ArrayRef<StringRef> names) {
  std::string text = names.empty() ? "there are none" : "there are ";
  for (auto [i, name] : llvm::enumerate(names))
    text += (i ? ", '" : "'") + name.str() + "'";
  return text;
}

std::optional<std::string>
tensoraccess::findUnknownOption(const ReportOptions &options,
                                ArrayRef<ReportSection> sections) {
  SmallVector<StringRef> known;
  for (const ReportSection &section : sections)
    section.options.split(known, ',', -1, /*KeepEmpty=*/false);
  llvm::sort(known);
  known.erase(llvm::unique(known), known.end());
  SmallVector<StringRef> given(options.values.keys());
  llvm::sort(given);
  for (StringRef name : given) {
    if (llvm::is_contained(known, name))
      continue;
    return ("no option '" + name + "'" + suggest(name, known) + " " +
            list(known))
        .str();
  }
  return std::nullopt;
}

std::optional<std::deque<ReportItem>>
tensoraccess::makeReport(ModuleOp module, const ReportOptions &options,
                         ArrayRef<ReportSection> sections, std::string &error) {
  SmallVector<StringRef> names;
  for (const ReportSection &section : sections)
    names.push_back(section.name);
  for (const std::string &name : options.sections)
    if (!llvm::is_contained(names, StringRef(name))) {
      error = "no section '" + name + "'" + suggest(name, names) + " " +
              list(names);
      return std::nullopt;
    }
  SmallVector<FunctionOpInterface> functions;
  module->walk([&](FunctionOpInterface function) {
    if (!function.isExternal() &&
        (options.function.empty() || function.getName() == options.function))
      functions.push_back(function);
  });
  if (functions.empty() && !options.function.empty()) {
    error = describeUnknownFunction(module, options.function);
    return std::nullopt;
  }
  std::optional<std::string> problem = checkOps(functions, options);
  for (const ReportSection &section : sections)
    if (!problem && section.check)
      problem = section.check(options);
  if (problem) {
    error = *problem;
    return std::nullopt;
  }
  std::deque<ReportItem> items;
  FusionAnalysis fusion(options.budget);
  for (FunctionOpInterface function : functions) {
    ReportContext context(function, fusion, options, items);
    for (const ReportSection &section : sections) {
      if (!options.sections.empty() &&
          !llvm::is_contained(options.sections, section.name))
        continue;
      context.setSection(section.name);
      section.run(context);
    }
  }
  return items;
}

bool tensoraccess::emitReport(const std::deque<ReportItem> &items) {
  bool isHeard = false;
  for (const ReportItem &item : items) {
    remark::RemarkOpts options = remark::RemarkOpts::name(item.name)
                                     .category("tensoraccess")
                                     .subCategory(item.section)
                                     .function(item.function);
    auto remark = item.kind == ReportItem::Kind::Missed
                      ? remark::missed(item.location, options)
                      : remark::analysis(item.location, options);
    if (!remark)
      continue;
    isHeard = true;
    for (const ReportMetric &metric : item.metrics)
      remark << remark::metric(metric.name, metric.str());
    if (!item.text.empty())
      remark << remark::add("{0}", item.text);
    if (!item.reason.empty())
      remark << remark::reason("{0}", item.reason);
  }
  return isHeard;
}
