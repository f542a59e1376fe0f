//===- AccessForm.h - What an access pattern reads, canonically -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows movement ops from an access pattern back to the values that they
// move, its *bases*, and composes what they do into one canonical form
// (Core/CanonicalAccess.h). Two chains of movement ops that mean the same have
// the same form, whatever ops they are made of.
//
//   AccessForms forms;                       // remembers; one per function
//   AccessForm form = forms.get(pattern);
//   if (const AccessPiece *piece = form.access.asSinglePiece()) {
//     // pattern[x] = base[piece->map(x)], all over: no padding, one base.
//     Value base = form.getBase(*piece);
//     AffineMap map = piece->map.toAffineMap(context);
//   }
//
// In general the pattern is `form.getBase(piece)` read at `piece.map` where
// that map's domain is (its dims' ranges and constraints), for each operand
// piece; `form.getConstant(piece)` on a constant piece's domain; and
// `form.getBackground()` everywhere else: padding, usually. The map's results
// index the base's dimensions, which are those of the tensor, or the access and
// then the compute dimensions of a pattern.
//
// A tuple axis (pair, cart_prod, concat) is a dimension like others, and its
// elements differ in their pieces. To take them apart, fix it:
//
//   AccessForm left = *form.fix(pattern.getType().getAccessRank(), 0);
//
// A dimension whose size is known at run time only is in the form's shape with
// the size `kUnknownExtent` (Core/UnknownExtent.h). Ops that leave such a
// dimension alone compose; what computes with its size (windows over it,
// padding of it, its flattening with others, a concatenation along it) is a
// base. Two patterns of one form have one shape, whatever the sizes are: a
// value that only says how long a dimension is, since something is repeated
// along it, is a base, too.
//
// Bases are: tensors that are not made by `to_tensor`, results of compute,
// materialize, systolic_array and accelerator_call, patterns from elsewhere,
// the operands of a movement op whose form would exceed the budget, and the
// results of those that compute with an unknown size. Splat constants are no
// bases but constants. With static shapes and the default budget, a movement
// op's result is its own base never.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_ACCESSFORM_H
#define TENSORACCESS_IR_ACCESSFORM_H

#include "TensorAccess/Core/AccessMovement.h"
#include "TensorAccess/Core/UnknownExtent.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <deque>
#include <functional>

namespace mlir::tensoraccess {

/// True for ops that only move elements: views, tuples, and both casts between
/// tensors and access patterns. False for null, for `materialize`, and for a
/// slice or projection whose out-of-bounds policies no few slices say
/// (ExpandSlice.h).
bool isMovement(Operation *op);

/// True for a movement op that may fail at run time, since a size that is asked
/// about is known only then: a slice of a `?` that must be long enough, tuples
/// whose elements must agree in a `?`. Whoever drops such an op drops the
/// check.
bool mayFailAtRunTime(Operation *op);

/// The sizes of a tensor or access pattern as a form has them: unknown ones are
/// kUnknownExtent. None for anything else, and for the sizes that
/// `toFormShape` has no room for.
std::optional<SmallVector<int64_t>> getFormShape(Type type);

/// The canonical form of a value.
struct AccessForm {
  /// Over all dimensions, access before compute. Sources and constants are
  /// numbers of the tables below: bases in the order in which the pieces first
  /// read them, then those that only give a size; constants ordered by their
  /// text.
  CanonicalAccess access;
  SmallVector<Value, 2> bases;
  SmallVector<TypedAttr, 1> constants;
  /// The number of access dimensions; 0 for a tensor.
  int64_t split = 0;
  /// Every index that a piece reads lies in its base: what the verifiers of the
  /// movement ops ask for, and padding is a piece.
  OutOfBounds::Kind policy = OutOfBounds::Kind::Forbid;

  Value getBase(const AccessPiece &piece) const {
    return bases[piece.source.index];
  }
  TypedAttr getConstant(const AccessPiece &piece) const {
    return constants[piece.source.index];
  }
  /// What is where no piece is; null if there is no such place.
  TypedAttr getBackground() const {
    std::optional<unsigned> constant = access.getBackground();
    return constant ? constants[*constant] : TypedAttr();
  }
  /// The base that this is all of, unmoved (its split may differ); else null.
  Value asIdentity() const;
  /// The constant that is everywhere; else null.
  TypedAttr asConstant() const;

  /// The pattern without dimension `axis`, which is fixed to `value`. None
  /// beyond the budget.
  std::optional<AccessForm> fix(unsigned axis, int64_t value,
                                const AccessBudget &budget = {}) const;
  /// Another view of the same bases: `access` has this form's numbers, and
  /// comes from a function of Core/AccessMovement.h.
  AccessForm with(CanonicalAccess access, int64_t split) const;

  /// The same form of the same values.
  bool operator==(const AccessForm &o) const {
    return split == o.split && bases == o.bases && constants == o.constants &&
           access == o.access;
  }
  bool operator!=(const AccessForm &o) const { return !(*this == o); }
  llvm::hash_code hash() const;
  /// The same with the tables that `AccessForms::get` gives: no entry that
  /// nothing reads, bases and constants in their order.
  AccessForm renumbered() const;
  /// Proved, refuted at an index, or unknown. Forms of different splits or
  /// bases are told apart without an index where both are canonical.
  Equivalence compare(const AccessForm &other,
                      const AccessBudget &budget = {}) const;
};

/// Forms of many values, each made once. Values must not change in between;
/// `forget` after a rewrite. Not thread-safe.
class AccessForms {
public:
  explicit AccessForms(AccessBudget budget = {}) : budget(budget) {}
  /// For MLIR's analysis manager: forms are made when they are asked for.
  explicit AccessForms(Operation *) {}

  /// The form of a tensor or access pattern. Walks the movement ops behind it,
  /// each once, without recursion. What has no form is its own base: `access`
  /// is then a shape of no dimensions and `bases` holds the value. Ask
  /// `hasForm` first.
  AccessForm get(Value value);
  /// True if `value` is a tensor or access pattern with a getFormShape.
  static bool hasForm(Value value);
  /// True if `value` is a tensor or access pattern of static shape.
  static bool isStatic(Value value);
  /// The same with the numbers of this object's tables, which are the same for
  /// all its values: two values of equal `getAccess` and split are the same
  /// pattern. `getBase` and `getConstant` say what a number is.
  const CanonicalAccess &getAccess(Value value);
  Value getBase(unsigned number) const { return bases[number]; }
  TypedAttr getConstant(unsigned number) const { return constants[number]; }
  /// Makes `value` a base although a movement op defines it.
  void setBase(Value value);
  /// Says what `value` is a view of, whatever defines it. `form` is of its type.
  void set(Value value, const AccessForm &form);
  void forget();

private:
  CanonicalAccess getIdentity(Value value);
  std::optional<CanonicalAccess>
  transfer(Operation *op, ArrayRef<const CanonicalAccess *> operands);
  std::optional<CanonicalAccess>
  transferExact(Operation *op, ArrayRef<const CanonicalAccess *> operands);
  std::optional<CanonicalAccess> transferSlice(SliceOp op,
                                               const CanonicalAccess &operand);
  std::optional<CanonicalAccess>
  transferProject(ProjectOp op, const CanonicalAccess &operand);
  /// What numbers the padding values of an op's policies.
  std::function<unsigned(const OutOfBounds &)> getPadNumber(Operation *op);
  unsigned getNumber(TypedAttr constant);

  AccessBudget budget;
  llvm::DenseMap<Value, unsigned> indexOf;
  /// References to elements stay valid.
  std::deque<CanonicalAccess> forms;
  SmallVector<Value> bases;
  llvm::DenseMap<Value, unsigned> baseNumbers;
  SmallVector<TypedAttr> constants;
  llvm::DenseMap<Attribute, unsigned> constantNumbers;
};

/// The form of one value. For many values of a function use AccessForms.
AccessForm getAccessForm(Value value, const AccessBudget &budget = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_ACCESSFORM_H
