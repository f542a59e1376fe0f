//===- Expectation.h - What is asked of a saturated graph -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The option `expect` of tensoraccess-saturate: functions whose results must
// equal those of the function that was saturated, or patterns.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_EXPECTATION_H
#define TENSORACCESS_LIB_TRANSFORMS_EXPECTATION_H

#include "TensorAccess/Transforms/SaturateTerms.h"

namespace mlir::tensoraccess {

class ExplanationWriter;

class Expectation {
public:
  /// Where a pattern must be found.
  enum class Place { Anywhere, Results };

  /// `hasTheories`: the graph has terms in normal form.
  Expectation(Place place, bool hasTheories)
      : place(place), hasTheories(hasTheories) {}

  /// Reports an error if the file is not a program or holds no such thing.
  LogicalResult read(MLIRContext *context, StringRef file,
                     const PdllOptions &pdll);
  /// Looks in a graph. For functions, reports an error where it is not so, and
  /// `writer`, if given, explains why it is so.
  LogicalResult check(FunctionOpInterface function,
                      const SaturatedBlock &saturated,
                      ExplanationWriter *writer = nullptr);
  /// What is expected of a function, or null.
  FunctionOpInterface find(FunctionOpInterface function) const;
  /// Reports patterns that were not found in any graph.
  LogicalResult finish(ModuleOp module) const;

private:
  enum class Answer { No, Unknown, Yes };

  LogicalResult checkFunction(FunctionOpInterface function,
                              const SaturatedBlock &saturated,
                              ExplanationWriter *writer);
  void explain(FunctionOpInterface function, FunctionOpInterface expected,
               const SaturatedBlock &saturated, ExplanationWriter &writer);
  class PatternSearch;

  Place place;
  bool hasTheories;
  std::string path;
  OwningOpRef<ModuleOp> module;
  std::vector<PdlRule> patterns;
  std::vector<Answer> answers;
  /// Some function was compared.
  bool isChecked = false;
  /// Why the graphs were not explored further.
  StopReason reason = StopReason::Saturated;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_EXPECTATION_H
