//===- FactRewriter.h - Shorter forms where facts hold ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. Under facts a form may equal a shorter one: that one has the
// same values at all points where the facts hold.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_FACTREWRITER_H
#define TENSORACCESS_LIB_CORE_FACTREWRITER_H

#include "FormFacts.h"

namespace mlir::tensoraccess::detail {

/// Divisions, counted as often as they are written, then atoms and constants.
/// An upper bound of what the printer needs, which is enough to compare forms.
unsigned costOfForm(const FormArena &arena, FormRef x);

class FactRewriter {
public:
  /// `facts` are propagated facts about forms of `arena`, which may grow.
  FactRewriter(FormArena &arena, const FormFacts &facts);

  /// False if no atom of the arena changes under the facts: then forms only
  /// become constants.
  bool changesAtoms() const { return anyAtom; }
  /// Replaces `x`, a form of the atoms that the facts know, by a cheaper one;
  /// true if there is one.
  bool rewrite(Form &x);

private:
  /// What an atom becomes.
  struct Image {
    Form form;
    /// Divisions m: m*atom = whole, if the facts know the remainder.
    std::optional<Form> whole;
    bool isSame = true;
  };
  Image imageOf(AtomId id);
  Form apply(FormRef x);

  FormArena &arena;
  const FormFacts &facts;
  llvm::SmallVector<Image, 8> images;
  unsigned numVariables;
  bool anyAtom = false;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_FACTREWRITER_H
