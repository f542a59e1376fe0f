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
// (Core/Access.h). Two chains of movement ops that mean the same have
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
// the size `kUnknownExtent` (Core/Access.h). Ops that leave such a
// dimension alone compose; what computes with its size (windows over it,
// padding of it, its flattening with others, a concatenation along it) is a
// base. Two patterns of one form have one shape, whatever the sizes are: a
// value that only says how long a dimension is, since something is repeated
// along it, is a base, too.
//
// Bases are: tensors that are not made by `to_tensor`, results of compute,
// materialize, systolic_array and accelerator_call, patterns from elsewhere,
// the operands of a movement op whose form would exceed the budget, and the
// results of those that compute with an unknown size. Splat constants are not
// bases but constants. With static shapes and the default budget, a movement
// op's result is never its own base.
//===----------------------------------------------------------------------===//

/// True for ops that only move elements: views, tuples, and both casts between
/// tensors and access patterns. False for null, for `materialize`, and for a
/// slice or projection whose out-of-bounds policies few slices below cannot
/// express.
bool isMovement(Operation *op);

/// True for a movement op that may fail at run time, since a size that is asked
/// about is known only then: a slice of a `?` that must be long enough, tuples
/// whose elements must agree in a `?`. Dropping such an op drops the check.
bool mayFailAtRunTime(Operation *op);

/// The sizes of a tensor or access pattern as a form has them: unknown ones are
/// kUnknownExtent. std::nullopt for anything else, and for the sizes that
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
  /// Every index that a piece reads is in its base: what the verifiers of the
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

  /// The pattern without dimension `axis`, which is fixed to `value`.
  /// std::nullopt beyond the budget.
  std::optional<AccessForm> fix(unsigned axis, int64_t value,
                                const AccessBudget &budget = {}) const;
  /// Another view of the same bases: `access` has this form's numbers, and
  /// comes from a function of Core/Access.h.
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

  /// The form of a tensor or access pattern. Walks the movement ops that
  /// produce it, each once, without recursion. What has no form is its own
  /// base: `access` is then a shape of no dimensions and `bases` holds the
  /// value. Ask `hasForm` first.
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

namespace mlir {
class RewritePatternSet;
}

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Movement ops from a canonical form
//
// The way back from IR/AccessForm.h: a short chain of movement ops that has a
// given form. The chain is a function of the form and the result's type alone,
// so that chains that mean the same become the same ops:
//
//   access, pad, slice, windows, reshape (into digits), transpose,
//   to_tensor + access (where the split moves), reshape (unit dimensions),
//   broadcast, reshape (of digits), pad, to_tensor
//
// each only where it does something. It covers views of one base, perhaps
// padded, whose index is a sum of digits: slices with any stride, permutations,
// one level of windows, reshapes whose cuts divide each other, broadcasts. Views
// of several pieces are cut along the first dimension that separates some, and
// joined by concat; a tuple of two by cart_prod, or by pair where both factors
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

/// Ops one after the other; the last one's result, or the only base, is the
/// value.
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
///   - a chain that moves nothing is its base;
///   - a chain is replaced by its plan if that has fewer ops than become unused
///     (what the plan reads stays), or equally many but others.
/// Chains begin at what may fail at run time (mayFailAtRunTime), and end where
/// something other than one unary movement op uses their value. The number of
/// ops never grows, and no plan is replaced by an equally long one.
void populateMovementCanonicalization(RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Between projections and chains of views
//
// Slices, windows, transposes and paddings of a tensor are a projection of it
// over a block, and the reverse:
//
//   %1 = slice %0 offsets = [-1] sizes = [7] oob = [wrap]   // <| 5> -> <| 7>
//   %2 = windows %1 shape = [3] strides = [1]               // <5 | 3>
//
//   %2 = project %0 by [[1]] + [-1], shape = [3], oob = [wrap] over [5]
//
// Both ways are exact, or refused with the reason. A chain is refused
// whose index is not a sum (a flatten of two dimensions), whose places a policy
// has resolved before they move on (a window of a part that wraps), or that
// puts several patterns together. A projection is refused whose rows share an
// axis: windows of one dimension do not depend on those of another.
//===----------------------------------------------------------------------===//

/// What a value is of a base: its projection over a block.
struct ProjectedValue {
  /// A tensor, or a pattern that is made and not moved. Rows are all of its
  /// dimensions.
  Value base;
  AnchoredProjection projection;
  IndexRegion block;
  /// How many of the block's last axes are dimensions of the value's items.
  unsigned taps = 0;
};

/// The value, an access pattern of static shape, as a projection. Its items are
/// regions: each of their dimensions that is longer than 1 moves another row,
/// by 1, in the rows' order; with `itemsAsAxes` their dimensions are axes of
/// the block instead, after the others, and regions are single elements.
/// std::nullopt and `reason` if the value is not a projection. A `project` op
/// of a tensor as it is gives its own projection and block; else blocks begin
/// at 0, and there is no anchor.
std::optional<ProjectedValue> getProjection(Value value, bool itemsAsAxes,
                                            std::string &reason);

/// The value of type `type` that is the projection: `access`, `project`, and,
/// for taps and dimensions of size 1, `shift_right` and `reshape`.
Value createProjection(OpBuilder &builder, Location loc,
                       const ProjectedValue &projected, AccessType type);

/// The same value as `slice`, `windows`, `insert_axis`, `broadcast` and
/// `transpose`. std::nullopt, creating nothing, and `reason` where an axis
/// moves two dimensions.
std::optional<Value> expandProjection(OpBuilder &builder, ProjectOp op,
                                      std::string &reason);

/// What rewriting the projections or chains below an op did.
struct ProjectionSummary {
  int64_t rewritten = 0;
  /// The ops that stay, each with the reason.
  SmallVector<std::pair<Operation *, std::string>> left;
};

/// Replaces what ends a chain of views by a projection, where the chain is one
/// and has more than one op. Ends are views that something else than a view
/// uses.
ProjectionSummary formProjections(Operation *root, bool itemsAsAxes);
/// Replaces projections by chains of views.
ProjectionSummary expandProjections(Operation *root);

//===----------------------------------------------------------------------===//
// Out-of-bounds policies as other ops
//===----------------------------------------------------------------------===//

/// Slices without policies up to which one with policies is taken apart.
constexpr size_t kMaxSliceRuns = 16;

/// True for a slice without policies, and for one that expandOutOfBounds takes
/// apart: dimensions of unknown size have the policy `forbid`, and the numbers
/// of runs of the others multiply to at most kMaxSliceRuns.
bool canExpand(SliceOp op);

/// True for a projection that stays inside, and for one whose places are a slice
/// that can be taken apart and is at most kMaxHullWaste times as large as the
/// projection's result. Else its places are computed one by one.
bool canExpand(ProjectOp op);
constexpr int64_t kMaxHullWaste = 4;

/// The value of a policy `pad` as an attribute of the element type.
TypedAttr getPaddingAttr(Type elementType, const OutOfBounds &policy);

/// The same value made of slices without policies, broadcast, concat and pad,
/// at the builder's insertion point. The slice's own result where it has no
/// policies. Fails, creating nothing, where canExpand is false.
FailureOr<Value> expandOutOfBounds(OpBuilder &builder, SliceOp op);

/// The same value as a projection that stays inside of such a slice
/// (Core/Access.h). The op's own result where it stays inside.
FailureOr<Value> expandOutOfBounds(OpBuilder &builder, ProjectOp op);

/// The steps of a projection op (Core/Access.h).
ProjectionSteps getProjectionSteps(ProjectOp op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_ACCESSFORM_H
