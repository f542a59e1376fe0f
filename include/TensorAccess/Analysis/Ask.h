//===- Ask.h - One question about a program, a layout or a map --*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tensoraccess-ask answers, each as one table, costliest first:
//
//   reads      which elements each step reads, and how often
//   reached    which results an element of an array reaches
//   fuse       what fusing two steps would save and repeat
//   inside     which ops a step is made of
//   padding    what arrays waste in memory
//   coalesced  how much is used of what lanes move
//   tiles      what a tile of a result reads
//   layouts    where elements are in memory
//   work       operations, and those that are repeated
//   masked     operations that masks make idle
//   shards     what ranks send, of a planned function
//   all        each of them in brief
//
// The words and numbers are those of Explain.h.
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
  /// What else one may want to know, a question.
  StringRef next;
};
ArrayRef<Question> getQuestions();

/// The answer for a program; `op` names the steps or ops that it is about, by
/// instruction or value (`fusion.33`, `%3`) or by kind (`dot_general`), all if
/// empty. std::nullopt, with a reason, for a question, op or entry that there is
/// not.
std::optional<Explanation> ask(StringRef question, ModuleOp module,
                               StringRef op, std::string &error);
/// The same for a layout with its shape, a linear one, and a map.
std::optional<Explanation> ask(StringRef question, const Layout &layout,
                               std::string &error);
std::optional<Explanation> ask(StringRef question, const StridedLayout &layout,
                               std::string &error);
std::optional<Explanation> ask(StringRef question, const LinearLayout &layout,
                               std::string &error);
std::optional<Explanation> ask(StringRef question, const IndexingMap &map,
                               std::string &error);

/// The table of an answer.
void printAnswer(raw_ostream &os, const Explanation &answer, size_t maxRows);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_ASK_H
