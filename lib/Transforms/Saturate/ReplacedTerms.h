//===- ReplacedTerms.h - What is replaced, as terms -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's values and what was chosen for them, in the terms of an
// explainer.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_REPLACEDTERMS_H
#define TENSORACCESS_LIB_TRANSFORMS_REPLACEDTERMS_H

#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/EGraph/Saturate.h"
#include "TensorAccess/EGraph/TermGraph.h"

namespace mlir::tensoraccess {

/// The terms that a block's ops are, as they are written, operands first. Values
/// in `known` have a term; others that no op returns are leaves.
llvm::DenseMap<Value, TermId> makeOwnTerms(
    TermGraph &graph, Explainer &explainer, ArrayRef<Operation *> ops,
    llvm::DenseMap<Value, TermId> known = llvm::DenseMap<Value, TermId>());

/// The term that was chosen for a class of `nodes`.
TermId makeChosenTerm(const TermGraph &graph, Explainer &explainer,
                      const ExtractionGraph &nodes, const Extraction &choice,
                      uint32_t cls);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_REPLACEDTERMS_H
