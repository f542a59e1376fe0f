//===- GlensideSyntax.h - S-expressions with positions --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a Glenside program: one s-expression, and comment lines
// `; name: 3x32x32xf64` that list the tensors it reads. Private to
// lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_GLENSIDESYNTAX_H
#define TENSORACCESS_LIB_CONVERSION_GLENSIDESYNTAX_H

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::tensoraccess::glenside {

/// An atom or a list. Nodes with the same text are the same node, so that a
/// program is a graph however often its text repeats a term.
struct Node {
  /// The atom; for a list the word at its head, without which no list is read.
  StringRef word;
  bool isList = false;
  /// A list's elements after the head: numbers of nodes, all smaller than the
  /// list's own.
  SmallVector<unsigned, 4> operands;
  /// Where the text has it first.
  Location loc;
  /// The places of the operands there.
  SmallVector<Location, 4> places;
};

/// A tensor that the program reads.
struct Argument {
  StringRef name;
  RankedTensorType type;
  Location loc;
};

struct Program {
  /// In the order of their comment lines.
  SmallVector<Argument> arguments;
  /// Operands before users; the last node is the program.
  std::vector<Node> nodes;
};

/// Reads the main buffer of `sources`, which must outlive the program. On
/// failure an error has been emitted at the offending place.
FailureOr<Program> parse(const llvm::SourceMgr &sources, MLIRContext *context);

/// The word of a kind of `compute`, `reduce-sum` of `reduce_sum`; the kind of a
/// word, none where it is not a word of one.
std::string getWord(ComputeKind kind);
std::optional<ComputeKind> getComputeKind(StringRef word);

} // namespace mlir::tensoraccess::glenside

#endif // TENSORACCESS_LIB_CONVERSION_GLENSIDESYNTAX_H
