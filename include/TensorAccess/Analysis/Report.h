//===- Report.h - What analyses found, as remarks ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_REPORT_H
#define TENSORACCESS_ANALYSIS_REPORT_H

#include "TensorAccess/Analysis/BlockSpace.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Cost/Cost.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"

#include <deque>
#include <variant>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What analyses found, as remarks
//
// `tensoraccess-report` asks one *section* after the other about each function.
// A section adds *items*: a name, a place, metrics with stable names, and a
// sentence. Items become MLIR remarks (category `tensoraccess:<section>`, name
// of the item), and dictionaries in Python.
//
// Your own section is a function in a file of its own, and a line in
// Report.cpp:
//
//   // Report.h
//   void reportPadding(ReportContext &report);
//   // PaddingReport.cpp
//   void tensoraccess::reportPadding(ReportContext &report) {
//     report.forEachOp([&](Operation *op) {
//       report.add("op", op->getLoc()).metric("PaddedBytes", getBytes(op));
//     });
//   }
//   // Report.cpp
//   {"padding", "bytes that only pad tiles", reportPadding},
//
// Metric names are CamelCase nouns and never change their meaning;
// docs/Fusion.md lists them. What cannot be told is an item of kind Missed with
// a reason.
//===----------------------------------------------------------------------===//

/// A number, a ratio or a text. Ratios are for people; machines divide the
/// numbers they come from.
struct ReportMetric {
  std::string name;
  std::variant<uint64_t, double, std::string> value;

  /// The value as a remark shows it; a ratio has at most 6 significant digits.
  std::string str() const;
};

/// One thing that a section found.
struct ReportItem {
  enum class Kind : uint8_t { Analysis, Missed };

  Kind kind = Kind::Analysis;
  /// The section, and the item's name in it: `fusion`, `edge`.
  std::string section, name;
  /// The function that it is about, without `@`.
  std::string function;
  Location location;
  llvm::SmallVector<ReportMetric, 6> metrics;
  /// A sentence without a full stop; empty if the metrics say it all.
  std::string text;
  /// Missed: why.
  std::string reason;

  explicit ReportItem(Location location) : location(location) {}

  ReportItem &metric(StringRef name, uint64_t value) {
    metrics.push_back({name.str(), value});
    return *this;
  }
  /// Nothing is added where the number is not known.
  ReportItem &optional(StringRef name, std::optional<uint64_t> value) {
    return value ? metric(name, *value) : *this;
  }
  ReportItem &ratio(StringRef name, double value) {
    metrics.push_back({name.str(), value});
    return *this;
  }
  /// over / under, where both are known and `under` is not 0.
  ReportItem &ratio(StringRef name, std::optional<uint64_t> over,
                    std::optional<uint64_t> under);
  ReportItem &label(StringRef name, const Twine &value) {
    metrics.push_back({name.str(), value.str()});
    return *this;
  }
  ReportItem &say(const Twine &sentence) {
    text = sentence.str();
    return *this;
  }
};

struct ReportOptions {
  /// Names of sections, in any order; empty means all.
  std::vector<std::string> sections;
  /// The function to report on; empty means all that have a body.
  std::string function;
  /// Limits on composed maps.
  IndexingBudget budget;
  /// Further options of sections, `name=value`; a section looks up its own.
  llvm::StringMap<std::string> values;

  /// The value of such an option; empty if it was not given.
  StringRef get(StringRef name) const {
    auto it = values.find(name);
    return it == values.end() ? StringRef() : StringRef(it->second);
  }
};

/// What a section is given.
class ReportContext {
public:
  ReportContext(FunctionOpInterface function, FusionAnalysis &fusion,
                const ReportOptions &options, std::deque<ReportItem> &items)
      : function(function), fusion(fusion), options(options), items(items) {}

  FunctionOpInterface getFunction() const { return function; }
  /// Fusions, counts and the indexing of ops; shared by all sections.
  FusionAnalysis &getFusion() { return fusion; }
  IndexingCache &getCache() { return fusion.getCache(); }
  const ReportOptions &getOptions() const { return options; }

  /// Adds an item at a place; the reference lives as long as the report.
  ReportItem &add(StringRef name, Location location);
  /// The same for what cannot be told.
  ReportItem &addMissed(StringRef name, Location location, const Twine &reason);

  /// `%arg0`, `%3`: as the function prints.
  std::string nameOf(Value value);
  /// All ops that are indexed, in order (see forEachIndexedOp).
  void forEachOp(function_ref<void(Operation *)> visit);

  StringRef getOption(StringRef name) const { return options.get(name); }
  /// The section that reports now.
  void setSection(StringRef name) { section = name; }

private:
  FunctionOpInterface function;
  FusionAnalysis &fusion;
  const ReportOptions &options;
  std::deque<ReportItem> &items;
  StringRef section;
  std::unique_ptr<AsmState> names;
};

/// A part of the report.
struct ReportSection {
  StringRef name;
  /// For the list of sections: a phrase.
  StringRef summary;
  void (*run)(ReportContext &report);
};

/// All sections, in the order in which they report.
ArrayRef<ReportSection> getReportSections();

/// The report on a module. std::nullopt if a section or function does not
/// exist; then `error` says which.
std::optional<std::deque<ReportItem>>
makeReport(ModuleOp module, const ReportOptions &options, std::string &error);

/// Emits every item as a remark.
void emitReport(const std::deque<ReportItem> &items);

//===--- the sections -----------------------------------------------------===//

/// What fusing would recompute: each edge between two ops, and the function as
/// one fusion.
void reportFusion(ReportContext &report);
/// How much of each operand an op reads, and how often.
void reportUtilization(ReportContext &report);
/// The box and the bytes that an op touches of each operand.
void reportFootprint(ReportContext &report);
/// What loads and stores move, and what a kernel's reads would.
void reportCoalescing(ReportContext &report);
/// Slices of values that are known to be zero.
void reportZeroRegions(ReportContext &report);
/// One block of each op: what it touches, what it costs, what more would add.
void reportLayouts(ReportContext &report);
void reportBlocks(ReportContext &report);

//===----------------------------------------------------------------------===//
// Blocks of ops, what they cost, as remarks
//
// Which block of an op is asked about, what a model says it costs, and what
// there is to say of it: section `blocks` of the report, and the pass
// `tensoraccess-annotate-blocks`. docs/Blocks.md lists items and metrics.
//
// An op may say its block itself, and rates of its own:
//
//   tensoraccess.block = {offsets = array<i64: 0, 8>, sizes = array<i64: 4, 8>}
//   tensoraccess.block = {sizes = array<i64: 4, 0>, of = "result"}
//   tensoraccess.cost = "point = 1.0e-10, scratch = 4096.0"      (OpCosts.h)
//===----------------------------------------------------------------------===//

/// An op's own block, a dictionary.
inline constexpr StringLiteral kBlockName = "tensoraccess.block";

/// Which block of each op is meant, unless the op says it itself.
struct BlockQuestion {
  /// One per axis, or per dimension of result 0 with `ofResult`. A size of 0
  /// is all from the offset on. No offsets are zeros.
  SmallVector<int64_t> offsets, sizes;
  bool ofResult = false;
  /// Without sizes: at most so many indices along each axis that is not summed
  /// over, from the middle; 0 for the whole space.
  int64_t extent = 0;
};

/// The block of `space` that is meant; std::nullopt and `error` if there is
/// none.
std::optional<Box> chooseBlock(const BlockSpace &space,
                               const BlockQuestion &question,
                               std::string &error);

/// What a block does, for a model. An op that only moves elements has no points
/// to pay for. std::nullopt and `error` where bytes are not known.
std::optional<BlockWork> getBlockWork(const BlockSpace &space, const Box &block,
                                      const BlockFootprints &footprints,
                                      const CostModel &model,
                                      std::string &error);

/// What the block costs (getOpCost); nothing for an empty one. std::nullopt and
/// `error` as above, and where there are no rates.
std::optional<BlockCost> getBlockCost(const BlockSpace &space, const Box &block,
                                      const BlockFootprints &footprints,
                                      const CostModel &model,
                                      std::string &error);

/// Reads a model from a file, or the one of no machine in particular for an
/// empty name. std::nullopt and `error` for what cannot be read.
std::optional<CostModel> readCostModel(StringRef file, std::string &error);

/// Adds the items of one block; `model` may be null.
void addBlockItems(ReportContext &report, const BlockSpace &space,
                   const Box &block, const CostModel *model);

/// Whether blocks of an op are worth reporting: it has tensor results and
/// operands.
bool hasBlocks(Operation *op);

/// What is wrong with the options of section `blocks`.
std::optional<std::string> checkBlockOptions(const ReportOptions &options);

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

/// A type of XLA's with as many bits as an element takes in memory;
/// std::nullopt if there is none.
std::optional<XlaType> getStoredType(Type element);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_REPORT_H
