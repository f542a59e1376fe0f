//===- FunctionSizes.h - One parameter for equal sizes ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op names its own size parameters. In a function, the size of a result is
// that of the operand of its users: this puts the ops' equations together, so
// that a size has the same name in the maps of all ops, and a chain of
// elementwise ops has one parameter per dynamic dimension.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_FUNCTIONSIZES_H
#define TENSORACCESS_LIB_MODELS_FUNCTIONSIZES_H

#include "TensorAccess/Interfaces/OpSizes.h"

namespace mlir::tensoraccess {

class FunctionSizes {
public:
  /// Puts the sizes of all ops under `root` together. `getIndexing` gives an
  /// op's own answer, or null if none exists.
  FunctionSizes(
      Operation *root,
      llvm::function_ref<const OpIndexing *(Operation *)> getIndexing);

  /// The op's own indexing with the function's size parameters.
  OpIndexing rename(Operation *op, const OpIndexing &indexing) const;
  /// The same for a set of the op's maps.
  IndexingSet rename(Operation *op, const IndexingSet &set) const;
  /// The sizes of a value; atom i is parameter `n<i>` of the function.
  SizeList getSizes(Value value) const;
  /// The identity of a value's indices.
  IndexingMap getIdentity(Value value) const;

private:
  SizeList &getOwnSizes(Value value);
  /// What is known of the result's sizes from all operands together, where one of
  /// size 1 is repeated.
  void equateRepeated(Operation *op);
  /// `size` in the function's names.
  Form name(FormRef size) const;
  DetailedMap rename(const DetailedMap &entry, ArrayRef<Form> images) const;

  SizeEquations equations;
  llvm::DenseMap<Value, SizeList> sizes;
  /// By op: the function's size for each of the op's parameters.
  llvm::DenseMap<Operation *, SizeList> parameters;
  llvm::DenseMap<AtomId, unsigned> names;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_FUNCTIONSIZES_H
