//===- OpSizes.h - Sizes as numbers or parameters ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic sizes are parameters, not failures: runtime variables `n0`, `n1`, ...
// of an op's maps, which occur in bounds, `d0 in [0, n0 - 1]`. Sizes that the
// op forces to be equal are one parameter, and a size that follows from others
// is a form over theirs (the result of a concat: n0 + n1):
//
//   OpSizes sizes(signature);                  // each `?` is a parameter
//   auto in = sizes.operand(0, reason), out = sizes.result(0, reason);
//   equateAll(sizes, *in, *out);               // what the op forces
//   Nest nest(sizes, {*in}, {*out}, *out);     // its loops (Nest.h)
//
// Static shapes have no parameters, and pay nothing for any of this.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_OPSIZES_H
#define TENSORACCESS_INTERFACES_OPSIZES_H

#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tensoraccess {

/// One size per dimension; a form whose atoms are numbers of size parameters.
using SizeList = llvm::SmallVector<Form, 4>;

/// Equations between sizes.
class SizeEquations {
public:
  /// A new size, which may be any number.
  Form addParameter() { return Form::ofAtom(numParameters++); }
  unsigned getNumParameters() const { return numParameters; }
  /// a = b.
  void equate(FormRef a, FormRef b);
  /// `size` in terms of the parameters left after all equations.
  Form resolve(FormRef size) const;
  /// Whether others determine the parameter.
  bool isBound(AtomId parameter) const { return bound.contains(parameter); }
  /// For linear arithmetic.
  FormArena &getArena() { return arena; }

private:
  FormArena arena;
  unsigned numParameters = 0;
  /// Parameters that others determine.
  llvm::DenseMap<AtomId, Form> bound;
};

/// The sizes of an op's operands and results.
class OpSizes {
public:
  /// Sizes of types that MLIR does not see as shaped; std::nullopt if not
  /// known.
  using TypeSizes =
      llvm::function_ref<std::optional<llvm::SmallVector<int64_t>>(Type)>;

  explicit OpSizes(const OpSignature &signature, TypeSizes others = {});

  /// The sizes of operand `i`: std::nullopt if it is neither of known rank nor
  /// a scalar, and then `reason` is set.
  std::optional<SizeList> operand(unsigned i, IndexingReason &reason) const;
  std::optional<SizeList> result(unsigned i, IndexingReason &reason) const;

  /// A size that belongs to no operand or result.
  Form addParameter() { return equations.addParameter(); }
  /// The op requires a = b. Not allowed after `freeze`.
  void equate(FormRef a, FormRef b) {
    assert(!frozen && "equations come before loops");
    equations.equate(a, b);
  }
  /// Marks the end of the equations.
  void freeze();
  /// For forms of sizes: sums, multiples.
  FormArena &getArena() { return equations.getArena(); }
  /// `size` in terms of the parameters left after all equations.
  Form resolve(FormRef size) const { return equations.resolve(size); }
  /// The size if it is a number.
  std::optional<int64_t> getStatic(FormRef size) const;

  /// After `freeze`: parameters that are left, in order of their names n0, n1,
  /// ...
  llvm::ArrayRef<AtomId> getParameters() const { return parameters; }
  /// After `freeze`: `size` over atoms, of which the first parameter is
  /// `first`, and so on.
  Form name(FormRef size, AtomId first = 0) const;
  /// Records in `indexing` which sizes the parameters are.
  void record(OpIndexing &indexing) const;

private:
  struct Value {
    SizeList sizes;
    IndexingReason reason = IndexingReason::None;
  };
  Value getValue(Type type, TypeSizes others);

  SizeEquations equations;
  llvm::SmallVector<Value, 4> operands, results;
  llvm::SmallVector<AtomId, 4> parameters;
  bool frozen = false;
};

/// States that two values have the same sizes; true if their ranks agree.
bool equateAll(OpSizes &sizes, llvm::ArrayRef<Form> a, llvm::ArrayRef<Form> b);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERFACES_OPSIZES_H
