//===- TermGraphText.h - Terms for other tools ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the nodes of a graph of terms are called in JSON and in pictures.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_TERMGRAPHTEXT_H
#define TENSORACCESS_EGRAPH_TERMGRAPHTEXT_H

#include "TensorAccess/EGraph/EGraphJson.h"
#include "TensorAccess/EGraph/TermGraph.h"

namespace mlir::tensoraccess {

/// An operation's name and what tells it from others of that name: the value of
/// a constant, or its attributes but flags of which none is set:
/// `arith.constant 2`, `tensoraccess.compute {kind = dot_prod}`. Elements of
/// large constants are left out. Other symbols as they describe themselves.
std::string labelSymbol(const TermGraph &graph, SymbolId symbol);

/// The nodes of a graph, whose table is clean, with their labels, and the types
/// of classes. Operations and views cost 1, arguments and results of several
/// nothing; what there are no operations for is subsumed.
SerializedEGraph serialize(const TermGraph &graph,
                           llvm::ArrayRef<ClassId> roots);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_TERMGRAPHTEXT_H
