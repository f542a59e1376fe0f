//===- Report.h - What analyses found, as remarks ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_REPORT_H
#define TENSORACCESS_ANALYSIS_REPORT_H

#include "TensorAccess/Analysis/IndexingAnalysis.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"

#include <deque>
#include <variant>

namespace mlir::tensoraccess {

class Dependence;
class MaskAnalysis;

//===----------------------------------------------------------------------===//
// Results of analyses, as remarks
//
// `tensoraccess-report` runs one *section* after the other on each function. A
// section adds *items*: a name, a location, metrics with stable names, and a
// sentence. Items become MLIR remarks (category `tensoraccess:<section>`, name
// of the item), and dictionaries in Python.
//
// To add a section, write a function in a separate file, and a line in
// Report.cpp, or, if it uses costs, in BlockReport.h and BlockReport.cpp:
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
// docs/Figures.md lists them. Anything that cannot be determined is an item of
// kind Missed with a reason.
//===----------------------------------------------------------------------===//

/// A number, a ratio or a text. Ratios are for people; programs divide the
/// numbers they come from.
struct ReportMetric {
  std::string name;
  std::variant<uint64_t, double, std::string> value;

  /// The value as a remark shows it; a ratio has at most 6 significant digits.
  std::string str() const;
};

/// One result of a section.
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
  /// If Missed: why.
  std::string reason;

  explicit ReportItem(Location location) : location(location) {}

  ReportItem &metric(StringRef name, uint64_t value) {
    metrics.push_back({name.str(), value});
    return *this;
  }
  /// Adds nothing if the number is not known.
  ReportItem &optional(StringRef name, std::optional<uint64_t> value) {
    return value ? metric(name, *value) : *this;
  }
  ReportItem &ratio(StringRef name, double value) {
    metrics.push_back({name.str(), value});
    return *this;
  }
  /// over / under, if both are known and `under` is not 0.
  ReportItem &ratio(StringRef name, std::optional<uint64_t> over,
                    std::optional<uint64_t> under);
  ReportItem &label(StringRef name, const Twine &value) {
    metrics.push_back({name.str(), value.str()});
    return *this;
  }
  /// Under which condition the metrics hold.
  ReportItem &holds(bool ifFinite) {
    return label("Holds", ifFinite ? "if all values are finite" : "always");
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

/// The arguments of a section.
class ReportContext {
public:
  ReportContext(FunctionOpInterface function, FusionAnalysis &fusion,
                const ReportOptions &options, std::deque<ReportItem> &items);
  ~ReportContext();

  FunctionOpInterface getFunction() const { return function; }
  /// Fusions, counts and the indexing of ops; shared by all sections.
  FusionAnalysis &getFusion() { return fusion; }
  IndexingCache &getCache() { return fusion.getCache(); }
  const ReportOptions &getOptions() const { return options; }
  /// What the results depend on if all values are finite, or null.
  Dependence *getDependence();
  /// What masks leave of that; only if there is such a dependence.
  MaskAnalysis &getMasks() { return *masks; }
  /// The step of the dependence that is this op; std::nullopt if there are none
  /// or several, as for the body of an unrolled loop.
  std::optional<unsigned> getStep(Operation *op);

  /// Adds an item at a place; the reference lives as long as the report.
  ReportItem &add(StringRef name, Location location);
  /// The same for something that cannot be determined.
  ReportItem &addMissed(StringRef name, Location location, const Twine &reason);

  /// `%arg0`, `%3`: as the function is printed.
  std::string nameOf(Value value);
  /// Visits all indexed ops, in order (see forEachIndexedOp).
  void forEachOp(function_ref<void(Operation *)> visit);

  StringRef getOption(StringRef name) const { return options.get(name); }
  /// Sets the section that is reporting.
  void setSection(StringRef name) { section = name; }

private:
  FunctionOpInterface function;
  FusionAnalysis &fusion;
  const ReportOptions &options;
  std::deque<ReportItem> &items;
  StringRef section;
  std::unique_ptr<AsmState> names;
  std::unique_ptr<Dependence> dependence;
  std::unique_ptr<MaskAnalysis> masks;
  bool hasDependence = false;
  llvm::DenseMap<Operation *, std::optional<unsigned>> stepOf;
};

/// A part of the report.
struct ReportSection {
  StringRef name;
  /// For the list of sections: a phrase.
  StringRef summary;
  void (*run)(ReportContext &report);
  /// What is wrong with the options that the section looks up.
  std::optional<std::string> (*check)(const ReportOptions &options) = nullptr;
  /// Names of the options that it looks up, separated by commas.
  StringRef options = {};
};

/// The sections that need only indexing, in the order in which they report.
/// (BlockReport.h has all sections.)
ArrayRef<ReportSection> getIndexingSections();

/// The report on a module, of those of `sections` that the options name.
/// std::nullopt if a section or function does not exist; `error` then names it.
std::optional<std::deque<ReportItem>>
makeReport(ModuleOp module, const ReportOptions &options,
           ArrayRef<ReportSection> sections, std::string &error);

/// Checks option names that users give: an error for one that none of the
/// sections looks up, with a list of those that they do.
std::optional<std::string> findUnknownOption(const ReportOptions &options,
                                             ArrayRef<ReportSection> sections);

/// Emits every item as a remark. False if there was no listener for any of
/// them.
bool emitReport(const std::deque<ReportItem> &items);

//===--- the sections -----------------------------------------------------===//

/// What fusing would recompute: each edge between two ops, and the function as
/// one fusion.
void reportFusion(ReportContext &report);
/// How much of each operand an op reads, and how often.
void reportUtilization(ReportContext &report);
/// The box and the bytes of each operand that an op touches.
void reportFootprint(ReportContext &report);
/// What loads and stores move, and what a kernel's reads would.
void reportCoalescing(ReportContext &report);
/// Slices of values that are known to be zero.
void reportZeroRegions(ReportContext &report);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_REPORT_H
