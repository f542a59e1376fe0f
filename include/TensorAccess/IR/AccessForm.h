//===- AccessForm.h - What an access pattern reads, canonically -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_ACCESSFORM_H
#define TENSORACCESS_IR_ACCESSFORM_H

#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <deque>
#include <functional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What an access pattern reads, canonically
//
// Follows movement ops from an access pattern back to the values that they
// move, its *bases*, and composes what they do into one canonical form
// (Core/Access.h). Two chains of movement ops that mean the same have the same
// form, whatever ops they consist of.
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
// A dimension whose size is known only at run time has the size
// `kUnknownExtent` (Core/Access.h) in the form's shape. Ops that leave such a
// dimension alone compose; an op that computes with its size (windows over it,
// padding of it, flattening it with others, a concatenation along it) is a
// base. Two patterns of one form have the same shape, whatever the sizes are: a
// value that only determines how long a dimension is, because something is
// repeated along it, is a base, too.
//
// Bases are: tensors that are not produced by `to_tensor`, results of compute,
// materialize, systolic_array and accelerator_call, patterns from elsewhere,
// the operands of a movement op whose form would exceed the budget, and the
// results of those that compute with an unknown size. Splat constants are not
// bases but constants. With static shapes and the default budget, a movement
// op's result is never its own base.
//===----------------------------------------------------------------------===//

/// True for ops that only move elements: views, tuples, and both casts between
/// tensors and access patterns. False for null, for `materialize`, and for a
/// slice or projection whose out-of-bounds policies would take too many slices
/// to express.
bool isMovement(Operation *op);

/// True for a movement op that may fail at run time, since it depends on a size
/// that is known only then: a slice of a `?` that must be long enough, tuples
/// whose elements must agree in a `?`. Dropping such an op drops the check.
bool mayFailAtRunTime(Operation *op);

/// The sizes of a tensor or access pattern as they are in a form: unknown ones
/// are kUnknownExtent. std::nullopt for anything else, and for sizes that
/// `toFormShape` cannot hold.
std::optional<SmallVector<int64_t>> getFormShape(Type type);

/// The canonical form of a value.
struct AccessForm {
  /// Over all dimensions, access before compute. Sources and constants are
  /// indices into the tables below: bases in the order in which the pieces
  /// first read them, then those that only determine a size; constants ordered
  /// by their text.
  CanonicalAccess access;
  SmallVector<Value, 2> bases;
  SmallVector<TypedAttr, 1> constants;
  /// The number of access dimensions; 0 for a tensor.
  int64_t split = 0;
  /// `Forbid`: every index that a piece reads is inside its base, as the
  /// verifiers of the movement ops require; padding is a piece.
  OutOfBounds::Kind policy = OutOfBounds::Kind::Forbid;

  Value getBase(const AccessPiece &piece) const {
    return bases[piece.source.index];
  }
  TypedAttr getConstant(const AccessPiece &piece) const {
    return constants[piece.source.index];
  }
  /// The constant outside all pieces; null if there is no such place.
  TypedAttr getBackground() const {
    std::optional<unsigned> constant = access.getBackground();
    return constant ? constants[*constant] : TypedAttr();
  }
  /// The base that this is a whole, unmoved copy of (its split may differ);
  /// else null.
  Value asIdentity() const;
  /// The constant that this is everywhere; else null.
  TypedAttr asConstant() const;

  /// The pattern without dimension `axis`, which is fixed to `value`.
  /// std::nullopt beyond the budget.
  std::optional<AccessForm> fix(unsigned axis, int64_t value,
                                const AccessBudget &budget = {}) const;
  /// Another view of the same bases: `access` uses this form's numbers, and
  /// comes from a function of Core/Access.h.
  AccessForm with(CanonicalAccess access, int64_t split) const;

  /// The same form of the same values.
  bool operator==(const AccessForm &o) const {
    return split == o.split && bases == o.bases && constants == o.constants &&
           access == o.access;
  }
  bool operator!=(const AccessForm &o) const { return !(*this == o); }
  llvm::hash_code hash() const;
  /// The same with its tables as `AccessForms::get` returns them: no unused
  /// entries, bases and constants in order.
  AccessForm renumbered() const;
  /// Proved, refuted at an index, or unknown. Forms of different splits or
  /// bases are known to differ, without an index, if both are canonical.
  Equivalence compare(const AccessForm &other,
                      const AccessBudget &budget = {}) const;
};

/// Forms of many values, each computed once. Values must not change in between;
/// call `forget` after a rewrite. Not thread-safe.
class AccessForms {
public:
  explicit AccessForms(AccessBudget budget = {}) : budget(budget) {}
  /// For MLIR's analysis manager: forms are computed on demand.
  explicit AccessForms(Operation *) {}

  /// The form of a tensor or access pattern. Walks the movement ops that
  /// produce it, each once, without recursion. A value without a form is its
  /// own base: `access` is then a shape of no dimensions and `bases` holds the
  /// value. Call `hasForm` first.
  AccessForm get(Value value);
  /// True if `value` is a tensor or access pattern with a getFormShape.
  static bool hasForm(Value value);
  /// True if `value` is a tensor or access pattern of static shape.
  static bool isStatic(Value value);
  /// The same with the numbers of this object's tables, which are shared by all
  /// its values: two values with equal `getAccess` and split are the same
  /// pattern. `getBase` and `getConstant` look numbers up.
  const CanonicalAccess &getAccess(Value value);
  Value getBase(unsigned number) const { return bases[number]; }
  TypedAttr getConstant(unsigned number) const { return constants[number]; }
  /// Makes `value` a base although a movement op defines it.
  void setBase(Value value);
  /// Declares what `value` is a view of, whatever defines it. `form` is of its
  /// type.
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
  /// Returns the function that numbers the padding values of an op's policies.
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

namespace mlir {
class RewritePatternSet;
}

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Movement ops from a canonical form
//
// The inverse of IR/AccessForm.h: a short chain of movement ops that has a
// given form. The chain depends only on the form and the result's type, so that
// chains that mean the same become the same ops:
//
//   access, pad, slice, windows, reshape (into digits), transpose,
//   to_tensor + access (where the split moves), reshape (unit dimensions),
//   broadcast, reshape (of digits), pad, to_tensor
//
// each only if it has an effect. This covers views of one base, perhaps padded,
// whose index is a sum of digits: slices with any stride, permutations, one
// level of windows, reshapes whose cuts divide each other, broadcasts. Views of
// several pieces are cut along the first dimension that separates some, and
// joined by concat; a tuple of two by cart_prod, or by pair if both factors
// have all access dimensions. For other forms there is no plan.
//===----------------------------------------------------------------------===//

/// One op of a plan.
struct MovementStep {
  OperationName name;
  DictionaryAttr attributes;
  Type type;
  /// Numbers of values: bases first, then the results of steps.
  SmallVector<unsigned, 2> operands;

  /// True if `op` is this op, whatever its operands are.
  bool matches(Operation *op) const;
};

/// A sequence of ops; the value is the last one's result, or the only base.
struct MovementPlan {
  SmallVector<Value, 2> bases;
  SmallVector<MovementStep> steps;
};

/// The canonical chain for a form and a result type (a tensor or a pattern of
/// the form's shape). std::nullopt for forms that are not covered.
std::optional<MovementPlan> planMovement(const AccessForm &form, Type type);

/// Creates the ops of a plan at the builder's insertion point.
Value createMovement(OpBuilder &builder, Location loc,
                     const MovementPlan &plan);

/// What canonicalisation does to movement:
///   - a chain that moves nothing is replaced by its base;
///   - a chain is replaced by its plan if that has fewer ops than become unused
///     (what the plan reads stays), or equally many but different ones.
/// Chains begin at ops that may fail at run time (mayFailAtRunTime), and end
/// where their value is used by anything other than one unary movement op. The
/// number of ops never grows, and no plan is replaced by an equally long one.
void populateMovementCanonicalization(RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Between projections and chains of views
//
// Slices, windows, transposes and paddings of a tensor are a projection of it
// over a block, and vice versa:
//
//   %1 = slice %0 offsets = [-1] sizes = [7] oob = [wrap]   // <| 5> -> <| 7>
//   %2 = windows %1 shape = [3] strides = [1]               // <5 | 3>
//
//   %2 = project %0 by [[1]] + [-1], shape = [3], oob = [wrap] over [5]
//
// Both directions are exact, or refused with the reason. A chain is refused if
// its index is not a sum (a flatten of two dimensions), if its places move on
// after a policy has resolved them (a window of a part that wraps), or if it
// combines several patterns. A projection is refused if its rows share an axis:
// windows of one dimension do not depend on those of another.
//===----------------------------------------------------------------------===//

/// A value as a projection of a base over a block.
struct ProjectedValue {
  /// A tensor, or a pattern that is computed rather than moved. Rows are all of
  /// its dimensions.
  Value base;
  AnchoredProjection projection;
  IndexRegion block;
  /// How many of the block's last axes are dimensions of the value's items.
  unsigned taps = 0;
};

/// The value, an access pattern of static shape, as a projection. Its items are
/// regions: each of their dimensions that is longer than 1 moves another row,
/// by 1, in the order of rows; with `itemsAsAxes` their dimensions are axes of
/// the block instead, after the others, and regions are single elements.
/// std::nullopt and `reason` if the value is not a projection. A `project` op
/// directly on a tensor gives its own projection and block; otherwise blocks
/// begin at 0, and there is no anchor.
std::optional<ProjectedValue> getProjection(Value value, bool itemsAsAxes,
                                            std::string &reason);

/// The value of type `type` that is the projection: `access`, `project`, and,
/// for taps and dimensions of size 1, `shift_right` and `reshape`.
Value createProjection(OpBuilder &builder, Location loc,
                       const ProjectedValue &projected, AccessType type);

/// The same value as `slice`, `windows`, `insert_axis`, `broadcast` and
/// `transpose`. std::nullopt and `reason`, without creating ops, if an axis
/// moves two dimensions.
std::optional<Value> expandProjection(OpBuilder &builder, ProjectOp op,
                                      std::string &reason);

/// The outcome of rewriting the projections or chains below an op.
struct ProjectionSummary {
  int64_t rewritten = 0;
  /// The ops that stay, each with the reason.
  SmallVector<std::pair<Operation *, std::string>> left;
};

/// Replaces the ends of chains of views by projections, for chains of more than
/// one op that are a projection. An end is a view that anything other than a
/// view uses.
ProjectionSummary formProjections(Operation *root, bool itemsAsAxes);
/// Replaces projections by chains of views.
ProjectionSummary expandProjections(Operation *root);

//===----------------------------------------------------------------------===//
// Out-of-bounds policies as other ops
//===----------------------------------------------------------------------===//

/// The most slices without policies into which one with policies is split.
constexpr size_t kMaxSliceRuns = 16;

/// True for a slice without policies, and for one that expandOutOfBounds can
/// split: dimensions of unknown size have the policy `forbid`, and the numbers
/// of runs of the others multiply to at most kMaxSliceRuns.
bool canExpand(SliceOp op);

/// True for a projection that stays inside, and for one whose places are a
/// slice that can be split and is at most kMaxHullWaste times as large as the
/// projection's result. Otherwise its places are computed one by one.
bool canExpand(ProjectOp op);
constexpr int64_t kMaxHullWaste = 4;

/// The value of a `pad` policy as an attribute of the element type.
TypedAttr getPaddingAttr(Type elementType, const OutOfBounds &policy);

/// The same value as slices without policies, broadcast, concat and pad, at the
/// builder's insertion point. The slice's own result if it has no policies.
/// Fails, without creating ops, if canExpand is false.
FailureOr<Value> expandOutOfBounds(OpBuilder &builder, SliceOp op);

/// The same value as a projection that stays inside such a slice
/// (Core/Access.h). The op's own result if it stays inside.
FailureOr<Value> expandOutOfBounds(OpBuilder &builder, ProjectOp op);

/// The steps of a projection op (Core/Access.h).
ProjectionSteps getProjectionSteps(ProjectOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_ACCESSFORM_H
