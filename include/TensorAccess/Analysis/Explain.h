//===- Explain.h - What a compiler made of a program ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled program runs step by step: each fusion, and each op outside of
// one, reads arrays from memory and writes its results there. The maps
// determine the bytes and operations of each step, what fusing two of them
// would save and repeat, what only moves, what is padding, and what is computed
// but never read.
//
//   std::string error;
//   std::optional<Explanation> explanation = explain(module, error);
//   printExplanation(llvm::outs(), *explanation);
//
// A step is an op of the entry function (`main`, or the only public one), of a
// function that it calls, or of the body of a loop or branch. Fusions are
// marked by the attribute `tensoraccess.hlo` (HloModule.h); bitcasts, reshapes
// of row-major arrays and constants are not steps.
//
// Bytes are those of distinct elements, without padding, as if caches held what
// one step reads twice. An op that reads at runtime indices, or an unknown one,
// has bounds.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_EXPLAIN_H
#define TENSORACCESS_ANALYSIS_EXPLAIN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::tensoraccess {

class FusionAnalysis;

/// A count with lower and upper bounds.
struct Bounds {
  uint64_t lower = 0;
  /// std::nullopt if no upper bound is known, or it exceeds 64 bits.
  std::optional<uint64_t> upper = 0;

  static Bounds exactly(std::optional<uint64_t> count) {
    return {count.value_or(0), count};
  }
  static Bounds atMost(std::optional<uint64_t> count) { return {0, count}; }
  bool isExact() const { return upper && lower == *upper; }
  /// Whether the count is known to be 0.
  bool isZero() const { return upper && *upper == 0; }
  /// The sort key of rows.
  uint64_t getMost() const { return upper.value_or(lower); }

  Bounds &operator+=(const Bounds &more);
  Bounds times(const Bounds &factor) const;
  /// count · part / whole, rounded down; 0 if `whole` is.
  Bounds scaled(uint64_t part, uint64_t whole) const;
  /// Less `count`, which is known to be included.
  Bounds without(uint64_t count) const;
  /// `12,345`, `at most 12,345`, `at least 12,345`, `unknown`.
  std::string str() const;
};
inline Bounds operator+(Bounds a, const Bounds &b) { return a += b; }

/// A difference of counts, negative if the second is larger; std::nullopt if there
/// is no bound.
struct Difference {
  std::optional<int64_t> lower, upper;

  static Difference get(const Bounds &count, const Bounds &less);
  /// `-516 to 32,768`, `at least 12`, `unknown`.
  std::string str() const;
};

/// A column of a row: a count, a difference of two, a ratio (which may exceed 1), or
/// a word.
struct ExplainCell {
  std::string key;
  std::variant<Bounds, Difference, double, std::string> value;
};

struct ExplainRow {
  /// The step's op, or null for an argument.
  Operation *op = nullptr;
  /// The instruction, or the value: `fusion.33`.
  std::string name;
  /// `fusion kLoop`, `transpose`.
  std::string kind;
  /// `model.py:19`, and the name of the op there: `jit(f)/exp`.
  std::string source, opName;
  std::vector<ExplainCell> cells;
  /// A sentence without a full stop.
  std::string text;

  ExplainRow &add(StringRef key, Bounds count) {
    cells.push_back({key.str(), count});
    return *this;
  }
  ExplainRow &add(StringRef key, const Difference &difference) {
    cells.push_back({key.str(), difference});
    return *this;
  }
  ExplainRow &add(StringRef key, double ratio) {
    cells.push_back({key.str(), ratio});
    return *this;
  }
  ExplainRow &add(StringRef key, const Twine &word) {
    cells.push_back({key.str(), word.str()});
    return *this;
  }
  /// Null if there is no such count.
  const Bounds *find(StringRef key) const;
};

struct ExplainSection {
  /// `edges`, and `edges that are not fused`.
  StringRef key, title;
  /// The text if there are no rows; what the rows add up to otherwise.
  std::string summary;
  /// Costliest first.
  std::vector<ExplainRow> rows;
};

struct Explanation {
  /// The function, if the explanation is of one program.
  Operation *entry = nullptr;
  std::string program;
  /// For the whole program: bytes, leastBytes, operations, leastOperations,
  /// steps. roundBytes and roundOperations are for one round of loops whose
  /// trip counts are unknown, which the others leave out.
  std::vector<ExplainCell> totals;
  std::vector<ExplainSection> sections;
  /// What to ask next (Ask.h), or empty: `reads --op=fusion.33`.
  std::string next;

  const ExplainSection *find(StringRef key) const;
};

/// Adds to the locations of a module that was parsed from `sources` the names that
/// its values have in that text, which explanations then use. Does nothing where
/// locations point elsewhere.
void nameBySource(ModuleOp module, llvm::SourceMgr &sources);

/// The costs of the steps of a module's entry; std::nullopt, with a reason, for
/// a module without an entry. `fusion`, if given, belongs to this module.
std::optional<Explanation> explain(ModuleOp module, std::string &error,
                                   FusionAnalysis *fusion = nullptr);

/// Compares two dumps of one program: steps that are in only one of them,
/// matched by instruction, `op_name` and maps, and the bytes gained and lost.
std::optional<Explanation> explainDifference(ModuleOp before, ModuleOp after,
                                             std::string &error);

/// Tables of at most `maxRows` rows each.
void printExplanation(raw_ostream &os, const Explanation &explanation,
                      size_t maxRows = 10);
/// Everything as a JSON object; `addTo` adds attributes to a row's object.
void writeExplanation(
    llvm::json::OStream &out, const Explanation &explanation,
    size_t maxRows = SIZE_MAX,
    llvm::function_ref<void(const ExplainRow &)> addTo = nullptr);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_EXPLAIN_H
