//===- Combination.h - How tuples of columns are combined -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an associative scan (StreamTrees.cpp): terms for columns, and whether their
// combination is associative, and what is neutral to it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_COMBINATION_H
#define TENSORACCESS_LIB_CUT_COMBINATION_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace mlir::tensoraccess {

/// A column, or an element of it, as it is computed. Terms are equal if their numbers
/// are.
struct ColumnTerm {
  enum Kind { Leaf, Constant, Apply, Side } kind;
  /// A leaf, and the index of its column; or whether it is of the right tuple.
  unsigned leaf = 0;
  int64_t index = 0;
  Attribute constant;
  /// One that computes it.
  Operation *op = nullptr;
  SmallVector<unsigned, 3> args;
  /// The columns of leaves that it is made of.
  int64_t lo = std::numeric_limits<int64_t>::max(), hi = -1;
};

/// By numbers of atoms, in order, their factors.
using Polynomial = std::map<std::vector<unsigned>, int64_t>;

/// What a term is for some values of the booleans.
struct NormalForm {
  std::optional<bool> boolean;
  Polynomial polynomial;
  bool operator==(const NormalForm &other) const {
    return boolean == other.boolean && polynomial == other.polynomial;
  }
};
/// By component.
using Tuple = std::map<unsigned, NormalForm>;

class Combination {
public:
  Combination(const std::vector<ColumnTerm> &terms,
              const SmallVector<Value> &leaves)
      : terms(terms), leaves(leaves) {}

  /// The term of each component of two tuples, combined.
  DenseMap<unsigned, unsigned> forms;

  /// The components of one side that a term reads.
  void addSides(unsigned pattern, int64_t side,
                SetVector<unsigned> &found) const;
  /// Whether three tuples are the same, however they are combined.
  bool isAssociative(const SetVector<unsigned> &components);
  /// The constants that may stand for components on the left; none where they are
  /// not known.
  SmallVector<TypedAttr> findNeutral(const SetVector<unsigned> &components);

private:
  std::optional<NormalForm> getForm(unsigned term, const Tuple &left,
                                    const Tuple &right,
                                    DenseMap<unsigned, NormalForm> &known);
  std::optional<NormalForm> getAtom(Operation *op, ArrayRef<NormalForm> args);
  std::optional<std::pair<unsigned, unsigned>>
  readLogAddExp(unsigned term) const;
  std::optional<Tuple> combine(ArrayRef<unsigned> all, const Tuple &left,
                               const Tuple &right);
  bool holds(ArrayRef<unsigned> all, function_ref<bool(ArrayRef<Tuple>)> check);

  const std::vector<ColumnTerm> &terms;
  const SmallVector<Value> &leaves;
  /// By op, attributes, type and arguments.
  std::map<std::tuple<const void *, const void *, const void *,
                      std::vector<Polynomial>>,
           unsigned>
      atoms;
  /// Atoms of ops that are associative and commutative, and their arguments.
  DenseMap<unsigned, std::pair<const void *, std::vector<Polynomial>>>
      unordered;
  unsigned numAtoms = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_COMBINATION_H
