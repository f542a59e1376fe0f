//===- StableHlo.h - What the models of StableHLO share ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StableHLO, MHLO and CHLO are not loaded: their ops come in generic form, known
// by name only, and nobody has verified them. A *builder* writes down what an op
// of one name reads; it checks every number that it uses, and answers false if
// the op is malformed or of a form that it doesn't know (UnsupportedForm).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_STABLEHLO_H
#define TENSORACCESS_LIB_MODELS_STABLEHLO_H

#include "Read/Models.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

namespace mlir::tensoraccess {

/// An op by name, with its shapes and attributes.
class HloOp {
public:
  explicit HloOp(const OpSignature &signature) : signature(signature) {}

  /// Reads all shapes; false and a reason if some type has none.
  bool loadShapes(IndexingReason &reason);

  unsigned numIn() const { return in.size(); }
  unsigned numOut() const { return out.size(); }

  /// The numbers of an attribute: `array<i64: ...>`, `dense<...>` (row-major,
  /// booleans as 0 and 1), or a list of integers. None if it is absent or
  /// something else.
  std::optional<SmallVector<int64_t>> integers(StringRef name) const;
  /// The same with exactly `count` numbers; `count` times `otherwise` if the
  /// attribute is absent.
  std::optional<SmallVector<int64_t>> integers(StringRef name, size_t count,
                                               int64_t otherwise) const;
  /// One number, at least 0.
  std::optional<int64_t> index(StringRef name) const;
  /// A boolean; `otherwise` if the attribute is absent.
  bool flag(StringRef name, bool otherwise) const;
  Attribute attribute(StringRef name) const {
    return signature.attributes ? signature.attributes.get(name) : Attribute();
  }

  const OpSignature &signature;
  SmallVector<SmallVector<int64_t>> in, out;
  /// Whether all shapes were read.
  bool isStatic = false;
};

/// Writes the indexing, whose sets are all empty before; false: UnsupportedForm.
using HloBuilder = bool (*)(const HloOp &op, OpIndexing &indexing);

/// The loops in which a result and an operand meet. First all variables, then
/// forms.
class HloNest {
public:
  Form loop(int64_t size) { return builder.addDim(Interval::ofExtent(size)); }
  SmallVector<Form> loops(ArrayRef<int64_t> sizes) {
    return addLoops(builder, sizes);
  }
  /// A runtime variable, the element of `operand` that `setSource` tells. The
  /// value is clamped into `clamp` before it is used.
  Form runtime(Interval range, unsigned operand,
               Interval clamp = Interval::all());
  /// A runtime variable that no operand holds.
  Form unknown(Interval range);
  void setSource(unsigned runtime, SmallVector<Form> index) {
    sources[runtime] = std::move(index);
  }
  FormArena &arena() { return builder.arena(); }
  Form add(FormRef a, FormRef b) { return arena().add(a, b); }
  Form sub(FormRef a, FormRef b) { return arena().sub(a, b); }
  Form scale(FormRef a, int64_t k) { return arena().scale(a, k); }
  void require(Form form, Interval interval) {
    builder.addConstraint(std::move(form), interval);
  }

  /// Indices of the result and of the operand.
  SmallVector<Form> result, operand;
  /// Position of the replica that the operand is of, within `groups`.
  std::optional<Form> replica;
  Attribute groups;

  /// Adds both directions between result r and operand o. Uses up the nest.
  void emit(const HloOp &op, OpIndexing &indexing, unsigned r, unsigned o);

private:
  IndexingMapBuilder builder;
  MapDetails shape;
  SmallVector<SmallVector<Form>> sources;
};

/// Each element of result r reads the equal index of operand o (same shape).
bool addIdentity(const HloOp &op, OpIndexing &indexing, unsigned r, unsigned o);
/// Each element of result r reads all of operand o.
void addAll(const HloOp &op, OpIndexing &indexing, unsigned r, unsigned o);
/// Result r reads operand o where, in some dimension k, its index is outside of
/// lows[k] + {0, strides[k], ..., (counts[k] - 1) * strides[k]}; the operand has
/// one element, or the result's shape and is then read at the same index. The
/// maps are disjoint. `makeLows` adds its runtime variables to the nest.
void addOutside(const HloOp &op, OpIndexing &indexing, unsigned r, unsigned o,
                ArrayRef<int64_t> counts, ArrayRef<int64_t> strides,
                function_ref<SmallVector<Form>(HloNest &)> makeLows);

/// Whether a builder is that of elementwise ops.
bool isElementwise(HloBuilder builder);
/// The indexing of an op by sizes that may be parameters; `name` lacks the
/// dialect.
OpIndexing inferSizedHlo(const HloOp &op, StringRef name, bool isElementwise);

// The builders, by family; each adds its names. There is none for ops whose
// static sizes are no special case.
using HloRegister = function_ref<void(StringRef name, HloBuilder builder)>;
void registerHloElementwise(HloRegister add);
void registerHloMovement(HloRegister add);
void registerHloSlicing(HloRegister add);
void registerHloReductions(HloRegister add);
void registerHloContractions(HloRegister add);
void registerHloGathers(HloRegister add);
void registerHloCollectives(HloRegister add);
void registerHloLinearAlgebra(HloRegister add);
void registerHloSized(HloRegister add);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_STABLEHLO_H
