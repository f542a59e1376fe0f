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
// is a form over theirs (the result of a concat: n0 + n1). A model works in
// three steps:
//
//   OpSizes sizes(signature);                  // each `?` is a parameter
//   auto in = sizes.operand(0, reason), out = sizes.result(0, reason);
//   for (auto [a, b] : llvm::zip_equal(*in, *out))
//     sizes.equate(a, b);                      // 1. what the op forces
//   OpIndexing indexing = signature.nothingRead();
//   Loops loops(sizes, *out);                  // 2. the loops of the op
//   loops.connect(indexing, 0, loops.get(), *out,   // 3. who meets in them
//                 0, loops.get(), *in);
//   sizes.record(indexing);
//
// Static shapes have no parameters, and nothing here costs them anything.
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
  /// A new size, which is any number.
  Form addParameter() { return Form::ofAtom(numParameters++); }
  unsigned getNumParameters() const { return numParameters; }
  /// a = b.
  void equate(FormRef a, FormRef b);
  /// `size` in the parameters that are left after all equations.
  Form resolve(FormRef size) const;
  /// Whether the parameter is known by others.
  bool isBound(AtomId parameter) const { return bound.contains(parameter); }
  /// For linear arithmetic.
  FormArena &getArena() { return arena; }

private:
  FormArena arena;
  unsigned numParameters = 0;
  /// Parameters that are known by others.
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

  /// The sizes of operand `i`: std::nullopt for what is neither of known rank
  /// nor a scalar, and then `reason` says why.
  std::optional<SizeList> operand(unsigned i, IndexingReason &reason) const;
  std::optional<SizeList> result(unsigned i, IndexingReason &reason) const;

  /// A size that belongs to no operand or result.
  Form addParameter() { return equations.addParameter(); }
  /// The op requires a = b. Not after the first `Loops`.
  void equate(FormRef a, FormRef b) {
    assert(!frozen && "equations come before the first loops");
    equations.equate(a, b);
  }
  /// For forms of sizes: sums, multiples.
  FormArena &getArena() { return equations.getArena(); }
  /// `size` in the parameters that are left after all equations.
  Form resolve(FormRef size) const { return equations.resolve(size); }
  /// The size if it is a number.
  std::optional<int64_t> getStatic(FormRef size) const;

  /// Parameters that are left, in order of their names n0, n1, ...
  llvm::ArrayRef<AtomId> getParameters();
  /// Tells the maps' readers which sizes the parameters are.
  void record(OpIndexing &indexing);

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

/// The loops in which a result and an operand meet, over parametric sizes.
class Loops {
public:
  /// A loop over [0, extent - 1] for each extent.
  Loops(OpSizes &sizes, llvm::ArrayRef<Form> extents);

  llvm::ArrayRef<Form> get() const { return loops; }
  const Form &operator[](unsigned i) const { return loops[i]; }
  FormArena &arena() { return builder.arena(); }
  /// A size as a form over the loops' parameters.
  Form size(FormRef size);
  /// Where a runtime variable that is not a size comes from: an operand, and an
  /// index of it over the loops.
  struct Source {
    unsigned operand = 0;
    llvm::SmallVector<Form, 2> index;
    /// The number is brought into it.
    Interval clamp = Interval::all();
  };
  /// A runtime variable that is not a size.
  Form addRuntime(Interval range, std::optional<Source> source = std::nullopt);
  /// Where runtime variable `number`, sizes not counted, comes from.
  void setSource(unsigned number, Source source) {
    sources[number] = std::move(source);
  }
  /// In a collective: the position of the replica that is read.
  void setReplica(Form position, Attribute ofGroups) {
    replica = std::move(position);
    groups = ofGroups;
  }
  void addConstraint(Form form, Interval interval) {
    builder.addConstraint(std::move(form), interval);
  }
  /// Keeps the points where `index` lies in [0, size - 1].
  void keepInside(const Form &index, FormRef size);
  /// Keeps the points if `size` is not 0.
  void keepIfNotEmpty(FormRef size);

  /// Adds to `indexing` both maps between a result and an operand, whose
  /// indices are given over the loops. The loops are used up.
  void connect(OpIndexing &indexing, unsigned result,
               llvm::ArrayRef<Form> resultIndex,
               llvm::ArrayRef<Form> resultSizes, unsigned operand,
               llvm::ArrayRef<Form> operandIndex,
               llvm::ArrayRef<Form> operandSizes);
  /// The two maps that `connect` adds: from the first index to the second, and
  /// back.
  std::pair<DetailedMap, DetailedMap> relate(llvm::ArrayRef<Form> first,
                                             llvm::ArrayRef<Form> firstSizes,
                                             llvm::ArrayRef<Form> second,
                                             llvm::ArrayRef<Form> secondSizes);

private:
  OpSizes &sizes;
  IndexingMapBuilder builder;
  llvm::SmallVector<Form, 4> loops;
  /// By parameter, in the order of `sizes.getParameters()`.
  llvm::SmallVector<Form, 4> parameters;
  /// Of the runtime variables after the parameters.
  std::vector<std::optional<Source>> sources;
  std::optional<Form> replica;
  Attribute groups;
};

/// Says that two values have the same sizes; true if their ranks agree.
bool equateAll(OpSizes &sizes, llvm::ArrayRef<Form> a, llvm::ArrayRef<Form> b);

/// The map without the size parameters that neither results nor constraints
/// need.
IndexingMap dropUnusedSizes(const IndexingMap &map);

/// The identity of a space; dynamic sizes are bounds.
IndexingMap getIdentity(OpSizes &sizes, llvm::ArrayRef<Form> shape);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERFACES_OPSIZES_H
