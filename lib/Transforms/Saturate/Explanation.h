//===- Explanation.h - Why what was replaced is equal -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explanations as programs (docs/EGraph.md): a function for each block, whose
// ops are the terms and whose steps are ops of the unregistered dialect
// `explain`.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_EXPLANATION_H
#define TENSORACCESS_LIB_TRANSFORMS_EXPLANATION_H

#include "TensorAccess/EGraph/Saturate.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tensoraccess {

/// Makes explanations of what saturation replaced.
class ExplanationWriter {
public:
  ExplanationWriter(MLIRContext *context, const TermSaturationOptions &options);

  /// Adds a function that is the explanation; a warning on the function where there is no
  /// explanation that can be checked. `kind` is the end of its name: what was
  /// replaced has none, what is expected is `.expected`.
  void add(FunctionOpInterface function, const ReplacedTerms &replaced,
           StringRef kind = "");
  /// Writes all of them; reports an error if the file can't be written.
  LogicalResult write(StringRef path);

private:
  OwningOpRef<ModuleOp> module;
  const TermSaturationOptions &options;
};

/// Replays an explanation with the rules of the options. Without a function, it
/// is checked by itself; with one, its results must be the explanation's first
/// or last terms, and so must those of `other`, if it is given. Reports an error
/// where a step does not follow, at the step.
LogicalResult checkExplanation(func::FuncOp explanation,
                               FunctionOpInterface function,
                               const TermSaturationOptions &options,
                               FunctionOpInterface other = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_EXPLANATION_H
