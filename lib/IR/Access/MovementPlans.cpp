//===- MovementPlans.cpp - Movement ops of views of several pieces --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find the first dimension along which some pieces are apart, and cut the
//    view where the pieces after the cut begin.
// 2. Plan the parts, and join them: concat; for a tuple of two cart_prod, if each
//    factor depends on access dimensions of its own, or pair.
//
//===----------------------------------------------------------------------===//

#include "MovementChain.h"
#include "Types/OpHelpers.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;

/// Pieces of a plan, and how deep concatenations are nested.
static constexpr size_t kMaxPlanPieces = 8;
static constexpr unsigned kMaxPlanDepth = 3;

/// Where each part along a dimension begins: pieces are on one side of a cut.
static Sizes findCuts(const CanonicalAccess &access, unsigned axis) {
  SmallVector<Interval> ranges;
  for (const AccessPiece &piece : access.getPieces())
    ranges.push_back(piece.map.getDimRanges()[axis]);
  llvm::sort(ranges, [](const Interval &a, const Interval &b) {
    return std::pair(a.lower, a.upper) < std::pair(b.lower, b.upper);
  });
  Sizes begins{0};
  int64_t end = ranges.front().upper;
  for (const Interval &range : llvm::drop_begin(ranges)) {
    if (range.lower > end)
      begins.push_back(range.lower);
    end = std::max(end, range.upper);
  }
  return begins;
}

/// True if the one operand piece of `access` does not depend on a dimension.
static bool isRepeated(const CanonicalAccess &access, unsigned axis) {
  if (access.getShape()[axis] == 1)
    return true;
  for (const AccessPiece &piece : access.getPieces()) {
    if (piece.map.getUsed()[axis] ||
        piece.map.getDimRanges()[axis] !=
            Interval::ofExtent(access.getShape()[axis]))
      return false;
  }
  return true;
}

/// Joins plans by an op of the given name. Steps that several parts have are
/// there once.
static MovementPlan joinPlans(ArrayRef<MovementPlan> parts, StringRef name,
                              ArrayRef<NamedAttribute> attrs, Type type) {
  MovementPlan plan;
  MLIRContext *context = type.getContext();
  for (const MovementPlan &part : parts)
    for (Value base : part.bases)
      if (!llvm::is_contained(plan.bases, base))
        plan.bases.push_back(base);
  auto addStep = [&](MovementStep step) -> unsigned {
    auto known = llvm::find_if(plan.steps, [&](const MovementStep &other) {
      return other.name == step.name && other.attributes == step.attributes &&
             other.type == step.type && other.operands == step.operands;
    });
    const unsigned number = known - plan.steps.begin();
    if (known == plan.steps.end())
      plan.steps.push_back(std::move(step));
    return plan.bases.size() + number;
  };
  SmallVector<unsigned, 2> operands;
  for (const MovementPlan &part : parts) {
    SmallVector<unsigned> numbers;
    for (Value base : part.bases)
      numbers.push_back(llvm::find(plan.bases, base) - plan.bases.begin());
    for (MovementStep step : part.steps) {
      for (unsigned &operand : step.operands)
        operand = numbers[operand];
      numbers.push_back(addStep(std::move(step)));
    }
    operands.push_back(numbers.back());
  }
  addStep({OperationName(name, context), DictionaryAttr::get(context, attrs),
           type, std::move(operands)});
  return plan;
}

static std::optional<MovementPlan> planPieces(const AccessForm &form, Type type,
                                              unsigned depth);

/// The plan of two factors, each without the tuple axis, of a pattern.
static std::optional<MovementPlan> planPair(const AccessForm &form,
                                            AccessType type, unsigned depth) {
  std::optional<AccessForm> lhs = form.fix(form.split, 0);
  std::optional<AccessForm> rhs = form.fix(form.split, 1);
  if (!lhs || !rhs)
    return std::nullopt;
  // a ++ b: the right factor does not depend on a, the left one not on b.
  int64_t a = 0;
  while (a < form.split && isRepeated(rhs->access, a))
    ++a;
  bool isProduct = form.split > 0;
  for (int64_t i = a; i < form.split; ++i)
    isProduct &= isRepeated(lhs->access, i);
  if (isProduct) {
    for (int64_t i = form.split; i-- > a && lhs;)
      lhs = lhs->fix(i, 0);
    for (int64_t i = a; i-- > 0 && rhs;)
      rhs = rhs->fix(i, 0);
    if (!lhs || !rhs)
      return std::nullopt;
  }
  SmallVector<MovementPlan, 2> parts;
  for (const AccessForm *factor : {&*lhs, &*rhs}) {
    Type factorType = getSplit(fromFormShape(factor->access.getShape()),
                               factor->split, type.getElementType());
    std::optional<MovementPlan> part =
        planPieces(*factor, factorType, depth + 1);
    if (!part)
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return joinPlans(parts,
                   isProduct ? CartProdOp::getOperationName()
                             : PairOp::getOperationName(),
                   {}, type);
}

static std::optional<MovementPlan> planPieces(const AccessForm &form, Type type,
                                              unsigned depth) {
  const CanonicalAccess &access = form.access;
  if (access.isEmpty() || access.getPieces().empty() ||
      access.getPieces().size() > kMaxPlanPieces ||
      llvm::any_of(access.getPieces(), [](const AccessPiece &piece) {
        return piece.source.kind != SourceKind::Operand;
      }))
    return std::nullopt;
  if (access.getPieces().size() == 1)
    return planPiece(form, type);
  auto pattern = dyn_cast<AccessType>(type);
  if (!pattern) {
    // A tensor: plan a pattern of it.
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getEncoding())
      return std::nullopt;
    Type whole = getSplit(tensor.getShape(), 0, tensor.getElementType());
    std::optional<MovementPlan> plan =
        planPieces(form.with(access, 0), whole, depth);
    if (!plan)
      return std::nullopt;
    return joinPlans(*plan, ToTensorOp::getOperationName(), {}, type);
  }
  if (depth == kMaxPlanDepth)
    return std::nullopt;
  Builder b(type.getContext());
  for (unsigned axis = 0; axis < access.getRank(); ++axis) {
    Sizes begins = findCuts(access, axis);
    if (begins.size() < 2)
      continue;
    if (axis == form.split && access.getShape()[axis] == 2)
      if (std::optional<MovementPlan> plan = planPair(form, pattern, depth))
        return plan;
    SmallVector<MovementPlan> parts;
    for (size_t i = 0; i < begins.size(); ++i) {
      Sizes offsets(access.getRank(), 0), sizes(access.getShape()),
          ones(access.getRank(), 1);
      offsets[axis] = begins[i];
      sizes[axis] =
          (i + 1 < begins.size() ? begins[i + 1] : access.getShape()[axis]) -
          begins[i];
      std::optional<CanonicalAccess> part =
          sliceAccess(access, offsets, sizes, ones);
      std::optional<MovementPlan> plan;
      if (part)
        plan = planPieces(form.with(std::move(*part), form.split),
                          getSplit(fromFormShape(sizes), form.split,
                                   pattern.getElementType()),
                          depth + 1);
      if (!plan)
        return std::nullopt;
      parts.push_back(std::move(*plan));
    }
    return joinPlans(parts, ConcatOp::getOperationName(),
                     b.getNamedAttr("axis", b.getI64IntegerAttr(axis)), type);
  }
  return std::nullopt;
}

std::optional<MovementPlan>
mlir::tensoraccess::planMovement(const AccessForm &form, Type type) {
  return planPieces(form, type, 0);
}
