//===- ExplorerFacts.h - What analyses know of an op ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the explorer's data (ExplorerData.cpp), left out if they are
// empty.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_EXPLORERFACTS_H
#define TENSORACCESS_LIB_EXPORT_EXPLORERFACTS_H

#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace mlir::tensoraccess {

class FusionAnalysis;
class IndexingCache;

/// Collects diagnostics while it lives, and passes them on to the outer handler.
class DiagnosticNotes {
public:
  explicit DiagnosticNotes(MLIRContext *context, bool isSilent = false);
  /// The first error, or nothing.
  StringRef getError() const { return error; }

private:
  std::string error;
  ScopedDiagnosticHandler handler;
};

/// Strings, each once.
class StringTable {
public:
  int64_t get(StringRef text) {
    auto [it, isNew] = numbers.try_emplace(text, strings.size());
    if (isNew)
      strings.push_back(it->first());
    return it->second;
  }
  void write(llvm::json::OStream &out, size_t most = SIZE_MAX) const {
    out.array([&] {
      for (StringRef text : ArrayRef(strings).take_front(most))
        out.value(llvm::json::fixUTF8(text));
    });
  }

private:
  llvm::StringMap<int64_t> numbers;
  std::vector<StringRef> strings;
};

/// The numbers that values and ops of a function have on the page.
struct PageNumbers {
  llvm::DenseMap<Value, int64_t> values;
  llvm::DenseMap<Operation *, int64_t> ops;
};

/// What happens to elements: the ops of a structured op's body; the callee.
std::string getHint(Operation *op);

/// How lanes would read the op's tensors, or move its memory, as a list; nothing if
/// it does neither. Many ops share one.
std::string getCoalescing(Operation *op, IndexingCache &cache);

/// `explanation`: what the program costs (Explain.h), if it is one, and `entry`, the
/// number of its function; `ops` are numbers on the page.
void writeExplanation(llvm::json::OStream &out, ModuleOp module,
                      FusionAnalysis &fusion,
                      ArrayRef<FunctionOpInterface> functions,
                      const llvm::DenseMap<Operation *, int64_t> &ops);

/// `shards`: what a plan of shards means for each rank. `problem` is the reason why a
/// plan that is there can't be shown.
void writeShards(llvm::json::OStream &out, FunctionOpInterface function,
                 const PageNumbers &numbers, std::string &problem);

/// Terms that rules have proved equal to the values of a function's first block.
class Alternatives {
public:
  /// Does nothing without rules. Fails, with an error, where rules can't be read;
  /// `problem` is the reason why there is no graph.
  LogicalResult make(FunctionOpInterface function,
                     const ExplorerOptions &options, std::string &problem);
  /// `alternatives` of an op's first result: what each costs, and its text. `nameOf`
  /// prints a value of the program.
  void write(llvm::json::OStream &out, Operation *op,
             llvm::function_ref<std::string(Value)> nameOf);

private:
  std::string print(uint32_t node, unsigned depth,
                    llvm::function_ref<std::string(Value)> nameOf) const;

  NamedRules rules;
  std::unique_ptr<KeptTermGraph> kept;
  std::vector<double> costs;
  Extraction trees;
  /// A value of the program in each class, the first.
  llvm::DenseMap<uint32_t, Value> values;
  std::vector<std::vector<uint32_t>> nodes;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_EXPLORERFACTS_H
