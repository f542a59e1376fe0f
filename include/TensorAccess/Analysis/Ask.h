//===- Ask.h - One question about a program, a layout or a map --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions that tensoraccess-ask answers, each as a table, costliest
// first:
//
//   reads      which elements each step reads, and how often
//   reached    which results an element of an array reaches
//   fuse       what fusing two steps would save and repeat
//   inside     which ops a step consists of
//   padding    the memory that arrays waste
//   coalesced  how much of what lanes move is used
//   tiles      what a tile of a result reads
//   layouts    where elements are in memory
//   work       operations, and those that are repeated
//   masked     operations that masks make useless
//   shards     what ranks of a planned function send
//   all        all of them in brief
//
// The terms and numbers are those of Explain.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_ASK_H
#define TENSORACCESS_ANALYSIS_ASK_H

#include "TensorAccess/Analysis/Explain.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LinearLayout.h"

namespace mlir::tensoraccess {

struct Question {
  StringRef name, summary;
  /// A question to ask next.
  StringRef next;
};
ArrayRef<Question> getQuestions();

/// The answer for a program; `op` selects the steps or ops that it is about, by
/// instruction or value (`fusion.33`, `%3`) or by kind (`dot_general`); all if
/// empty. `@main` is a function: 'reads' then gives what its results read of its
/// arguments, through all steps. `tile` has sizes: 'tiles' is then answered in numbers, for the tile of
/// results at offset 0. std::nullopt, with a reason, if there is no such question,
/// op or entry.
std::optional<Explanation>
ask(StringRef question, ModuleOp module, StringRef op, std::string &error,
    std::optional<ArrayRef<int64_t>> tile = std::nullopt);
/// The same for a layout with its shape, a strided and a linear one; 'layouts'
/// also gives the place of `element`.
std::optional<Explanation>
ask(StringRef question, const Layout &layout, std::string &error,
    std::optional<ArrayRef<int64_t>> element = std::nullopt);
std::optional<Explanation>
ask(StringRef question, const StridedLayout &layout, std::string &error,
    std::optional<ArrayRef<int64_t>> element = std::nullopt);
std::optional<Explanation>
ask(StringRef question, const LinearLayout &layout, std::string &error,
    std::optional<ArrayRef<int64_t>> element = std::nullopt);
/// The same for a map.
std::optional<Explanation>
ask(StringRef question, const IndexingMap &map, std::string &error,
    std::optional<ArrayRef<int64_t>> tile = std::nullopt);

/// Prints an answer as a table.
void printAnswer(raw_ostream &os, const Explanation &answer, size_t maxRows);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_ASK_H
