//===- AccessOperands.cpp - How operands of access patterns are read ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop can read an operand that is one piece of one base, or a constant. A
// form of several pieces, from padding or concatenation, is made so by
// 1. padding the base itself, where that is the same: windows over a padded
//    image read the padded image, and no window is written out. The candidate's
//    form is compared with the pattern's, so that nothing is assumed;
// 2. or by writing out paddings and concatenations on the way, those nearest to
//    the bases first, each kept only where the form gets fewer pieces by it;
// whichever needs fewer elements in memory. Where neither does, the pattern
// itself is written out.
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// True if a loop can read the form as it is.
bool mlir::tensoraccess::isSimple(const AccessForm &form) {
  if (form.access.isEmpty() || form.asConstant())
    return true;
  const AccessPiece *piece = form.access.asSinglePiece();
  return piece && piece->map.isOrdinary() && piece->map.getNumSymbols() == 0;
}

/// The forms of a tuple's elements, or the form of the one array. std::nullopt
/// beyond the budget.
static std::optional<AccessFormList>
getElements(AccessForms &forms, PatternValue pattern, bool isTuple) {
  AccessFormList elements{forms.get(pattern)};
  if (!isTuple)
    return elements;
  AccessForm whole = std::move(elements.front());
  elements.clear();
  AccessType type = pattern.getType();
  int64_t length = type.getComputeShape().front();
  for (int64_t i = 0; i < length; ++i) {
    std::optional<AccessForm> element = whole.fix(type.getAccessRank(), i);
    if (!element)
      return std::nullopt;
    elements.push_back(std::move(*element));
  }
  return elements;
}

OperandForm mlir::tensoraccess::getOperand(const AccessForm &form,
                                           Type elementType) {
  OperandForm operand;
  if (const AccessPiece *piece = form.access.asSinglePiece()) {
    operand.base = form.getBase(*piece);
    operand.map = piece->map;
    return operand;
  }
  // Nothing is read from an array without elements; any constant will do.
  operand.constant =
      form.access.isEmpty()
          ? cast<TypedAttr>(
                Builder(elementType.getContext()).getZeroAttr(elementType))
          : form.asConstant();
  return operand;
}

/// Step 1: reads a padded base, if that means the same.
static std::optional<OperandForm> padBase(const AccessForm &form) {
  TypedAttr background = form.getBackground();
  if (!background || form.access.getPieces().size() != 1)
    return std::nullopt;
  const AccessPiece &piece = form.access.getPieces().front();
  if (piece.source.kind != SourceKind::Operand || !piece.map.isOrdinary())
    return std::nullopt;
  MLIRContext *context = background.getContext();
  AffineMap map = piece.map.toAffineMap(context);
  if (!map)
    return std::nullopt;
  ArrayRef<int64_t> shape = form.access.getShape();
  SmallVector<Interval> box;
  for (int64_t size : shape)
    box.push_back({0, size - 1});
  IndexingMap whole = IndexingMap::fromAffineMap(map, box);
  if (!whole.isOrdinary())
    return std::nullopt;

  OperandForm operand;
  operand.base = form.getBase(piece);
  operand.padding = background;
  ArrayRef<int64_t> baseShape = form.access.getSourceShape(piece.source.index);
  SmallVector<AffineExpr> exprs;
  for (auto [i, size, expr] : llvm::enumerate(baseShape, map.getResults())) {
    Interval range = whole.getResultRange(i);
    if (!range.isFinite())
      return std::nullopt;
    operand.low.push_back(std::max<int64_t>(0, -range.lower));
    operand.high.push_back(std::max<int64_t>(0, range.upper - (size - 1)));
    exprs.push_back(expr + operand.low.back());
  }
  operand.map = IndexingMap::fromAffineMap(
                    AffineMap::get(map.getNumDims(), 0, exprs, context), box)
                    .simplify();
  SmallVector<int64_t> none(baseShape.size(), 0);
  std::optional<CanonicalAccess> padded =
      padAccess(CanonicalAccess::identity(baseShape, piece.source.index),
                operand.low, operand.high, none, *form.access.getBackground());
  if (!padded)
    return std::nullopt;
  std::optional<CanonicalAccess> same = padded->pullBack(shape, operand.map);
  if (!same || *same != form.access)
    return std::nullopt;
  return operand;
}

/// The elements of a padded base; the greatest number where they are too many.
static int64_t getPaddedSize(const OperandForm &operand) {
  if (!operand.padding)
    return 0;
  SmallVector<int64_t> shape = getBaseShape(operand.base);
  for (auto [size, low, high] :
       llvm::zip_equal(shape, operand.low, operand.high))
    size += low + high;
  return elementCount(shape).value_or(INT64_MAX);
}

SmallVector<int64_t> mlir::tensoraccess::getBaseShape(Value base) {
  if (std::optional<SmallVector<int64_t>> shape = getFormShape(base.getType()))
    return *shape;
  if (auto access = dyn_cast<AccessType>(base.getType()))
    return access.getShape();
  return llvm::to_vector(cast<RankedTensorType>(base.getType()).getShape());
}

/// Paddings and concatenations that a pattern is made of, operands first.
static SmallVector<Value> getJoints(PatternValue pattern) {
  SmallVector<Value> joints, stack{pattern};
  llvm::DenseSet<Value> opened, closed;
  while (!stack.empty()) {
    Value value = stack.back();
    Operation *op = value.getDefiningOp();
    if (!isMovement(op) || closed.contains(value)) {
      stack.pop_back();
      continue;
    }
    if (opened.insert(value).second) {
      llvm::append_range(stack, op->getOperands());
      continue;
    }
    stack.pop_back();
    closed.insert(value);
    if (isa<PadOp, ConcatOp>(op))
      joints.push_back(value);
  }
  return joints;
}

static size_t countPieces(ArrayRef<AccessForm> forms) {
  size_t count = 0;
  for (const AccessForm &form : forms)
    count += form.access.getPieces().size() +
             form.access.getBackground().has_value();
  return count;
}

std::optional<AccessFormList>
AccessLowering::writeJoints(PatternValue pattern, bool isTuple, bool without,
                            function_ref<bool(const AccessForm &)> goal,
                            int64_t &cost) {
  auto done = [&](const std::optional<AccessFormList> &elements) {
    return elements && llvm::all_of(*elements, goal);
  };
  std::optional<AccessFormList> elements = getElements(forms, pattern, isTuple);
  SmallVector<Value> bases;
  cost = 0;
  for (Value joint : getJoints(pattern)) {
    if (done(elements))
      break;
    if (without && joint == pattern)
      continue;
    AccessForms trial;
    for (Value base : bases)
      trial.setBase(base);
    trial.setBase(joint);
    std::optional<AccessFormList> next = getElements(trial, pattern, isTuple);
    if (!next || (elements && countPieces(*next) >= countPieces(*elements)))
      continue;
    elements = std::move(next);
    bases.push_back(joint);
    if (llvm::AddOverflow(
            cost, elementCount(getBaseShape(joint)).value_or(INT64_MAX), cost))
      cost = INT64_MAX;
  }
  return done(elements) ? std::move(elements) : std::nullopt;
}

OperandForms AccessLowering::getOperands(PatternValue pattern, bool isTuple) {
  AccessType type = pattern.getType();
  auto toOperands = [&](ArrayRef<AccessForm> elements) {
    OperandForms operands;
    for (const AccessForm &form : elements)
      operands.push_back(getOperand(form, type.getElementType()));
    return operands;
  };
  std::optional<AccessFormList> elements = getElements(forms, pattern, isTuple);
  if (elements && llvm::all_of(*elements, isSimple))
    return toOperands(*elements);

  int64_t written = 0, paddedCost = 0;
  std::optional<AccessFormList> joined =
      writeJoints(pattern, isTuple, /*without=*/false, isSimple, written);
  std::optional<OperandForms> padded;
  if (elements) {
    padded.emplace();
    for (const AccessForm &form : *elements) {
      std::optional<OperandForm> operand =
          isSimple(form) ? getOperand(form, type.getElementType())
                         : padBase(form);
      if (!operand) {
        padded.reset();
        break;
      }
      if (llvm::AddOverflow(paddedCost, getPaddedSize(*operand), paddedCost))
        paddedCost = INT64_MAX;
      padded->push_back(std::move(*operand));
    }
  }
  if (padded && (!joined || paddedCost <= written))
    return *padded;
  if (joined)
    return toOperands(*joined);
  AccessForms whole;
  whole.setBase(pattern);
  return toOperands(*getElements(whole, pattern, isTuple));
}

const OperandForms &AccessLowering::plan(PatternValue pattern, bool isTuple) {
  auto found = plans.find({pattern, isTuple});
  if (found == plans.end())
    found = plans.try_emplace({pattern, isTuple}, getOperands(pattern, isTuple))
                .first;
  return found->second;
}

OperandView AccessLowering::getView(Location loc, const OperandForm &operand,
                                    ArrayRef<int64_t> shape) {
  if (!operand.base && !operand.strip)
    return OperandView::getConstant(operand.constant);
  OperandView view;
  if (operand.strip) {
    Type elementType =
        operand.strip->bases.empty()
            ? operand.strip->constants.front().getType()
            : cast<RankedTensorType>(
                  getTensor(operand.strip->bases.front()).getType())
                  .getElementType();
    view.base =
        emitBoxes(loc, elementType,
                  getAsIndexOpFoldResult(rewriter.getContext(),
                                         operand.strip->access.getShape()),
                  *operand.strip);
  } else {
    view.base = getTensor(operand.base);
  }
  if (operand.padding) {
    Value constant = arith::ConstantOp::create(rewriter, loc, operand.padding);
    view.base = tensor::PadOp::create(
        rewriter, loc, Type(), view.base,
        getAsIndexOpFoldResult(rewriter.getContext(), operand.low),
        getAsIndexOpFoldResult(rewriter.getContext(), operand.high), constant);
  }
  view.map = operand.map.toAffineMap(rewriter.getContext());
  view.isWhole = true;
  if (auto sizes =
          toFormShape(cast<RankedTensorType>(view.base.getType()).getShape()))
    view.digits = getDigits(operand.map, shape, *sizes);
  return view;
}

OperandViews AccessLowering::getViews(Location loc, PatternValue pattern,
                                      bool isTuple) {
  AccessType type = pattern.getType();
  OperandViews views;
  if (isDynamic(pattern)) {
    for (auto [base, map] : getDynamicOperands(pattern, isTuple))
      views.push_back({getTensor(base), TypedAttr(), map, std::nullopt, false});
    return views;
  }
  SmallVector<int64_t> shape = *getFormShape(type);
  if (isTuple)
    shape.erase(shape.begin() + type.getAccessRank());
  for (const OperandForm &operand : plan(pattern, isTuple))
    views.push_back(getView(loc, operand, shape));
  return views;
}

SmallVector<Value> AccessLowering::getBases(PatternValue pattern,
                                            bool isTuple) {
  SmallVector<Value> bases;
  if (isDynamic(pattern)) {
    for (auto [base, map] : getDynamicOperands(pattern, isTuple))
      bases.push_back(base);
    return bases;
  }
  for (const OperandForm &form : plan(pattern, isTuple))
    if (form.base)
      bases.push_back(form.base);
  return bases;
}
