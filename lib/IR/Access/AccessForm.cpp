//===- AccessForm.cpp - What an access pattern reads, canonically ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. From the value asked for, walk back over movement ops to what is known or
//    is not a movement, with an explicit stack.
// 2. On the way back, one function of Core/Access.h an op makes the
//    form of its result from those of its operands. Sizes known at run time
//    are kUnknownExtent; where an operand's is known from another operand,
//    it is cut to that. Forms that would not hold for every size are not made.
// 3. A form beyond the budget is made again with the operands as bases, which
//    is always small; bases are numbered as they are met.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/Core/Checked.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::isMovement(Operation *op) {
  if (auto slice = dyn_cast_if_present<SliceOp>(op))
    return canExpand(slice);
  if (auto project = dyn_cast_if_present<ProjectOp>(op))
    return canExpand(project);
  return isa_and_nonnull<AccessOp, ToTensorOp, TransposeOp, SqueezeOp,
                         InsertAxisOp, WindowsOp, FlattenOp, ReshapeOp, PadOp,
                         SliceOp, ConcatOp, BroadcastOp, ShiftRightOp, PairOp,
                         CartProdOp>(op);
}

std::optional<SmallVector<int64_t>>
mlir::tensoraccess::getFormShape(Type type) {
  if (auto access = dyn_cast<AccessType>(type))
    return toFormShape(access.getShape());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return toFormShape(tensor.getShape());
  return std::nullopt;
}

bool mlir::tensoraccess::mayFailAtRunTime(Operation *op) {
  auto shapeOf = [](Value value) {
    return cast<AccessType>(value.getType()).getShape();
  };
  auto hasUnknown = [&](ArrayRef<int64_t> shape) {
    return llvm::is_contained(shape, kDynamicSize);
  };
  if (auto slice = dyn_cast<SliceOp>(op)) {
    SmallVector<int64_t> strides = slice.getStridesOrOnes();
    for (auto [dim, size] : llvm::enumerate(shapeOf(slice.getPattern())))
      if (size == kDynamicSize &&
          (slice.getOffsets()[dim] != 0 || strides[dim] != 1 ||
           slice.getSizes()[dim] != kToTheEnd))
        return true;
    return false;
  }
  if (auto windows = dyn_cast<WindowsOp>(op))
    return hasUnknown(windows.getPattern().getType().getComputeShape());
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    std::optional<SmallVector<int64_t>> from =
        getFormShape(reshape.getPattern().getType());
    std::optional<SmallVector<int64_t>> to = getFormShape(reshape.getType());
    return !from || !to || !reshapeKeepsUnknown(*from, *to);
  }
  if (isa<PairOp, CartProdOp>(op)) {
    auto itemOf = [&](Value value) {
      auto type = cast<AccessType>(value.getType());
      return isa<PairOp>(op) ? type.getShape()
                             : SmallVector<int64_t>(type.getComputeShape());
    };
    return op->getOperand(0) != op->getOperand(1) &&
           (hasUnknown(itemOf(op->getOperand(0))) ||
            hasUnknown(itemOf(op->getOperand(1))));
  }
  if (auto concat = dyn_cast<ConcatOp>(op);
      concat && concat.getPatterns().size() > 1)
    for (Value operand : concat.getPatterns())
      for (auto [dim, size] : llvm::enumerate(shapeOf(operand)))
        if (size == kDynamicSize && dim != concat.getAxis())
          return true;
  return false;
}

namespace {
struct AccessFailures : FailureDialectInterface {
  using FailureDialectInterface::FailureDialectInterface;
  bool canFail(Operation *op) const override {
    return isMovement(op) ? mayFailAtRunTime(op) : !isSpeculatable(op);
  }
};
} // namespace

void TensorAccessDialect::registerFailures() {
  addInterfaces<AccessFailures>();
}

static int64_t getSplit(Type type) {
  auto access = dyn_cast<AccessType>(type);
  return access ? access.getAccessRank() : 0;
}

bool AccessForms::hasForm(Value value) {
  return getFormShape(value.getType()).has_value();
}

bool AccessForms::isStatic(Value value) {
  std::optional<SmallVector<int64_t>> shape = getFormShape(value.getType());
  return shape && !hasUnknownExtent(*shape);
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

unsigned AccessForms::getNumber(TypedAttr constant) {
  auto [it, isNew] = constantNumbers.try_emplace(constant, constants.size());
  if (isNew)
    constants.push_back(constant);
  return it->second;
}

CanonicalAccess AccessForms::getIdentity(Value value) {
  SmallVector<int64_t> shape = *getFormShape(value.getType());
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    if (auto constant =
            dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>()))
      return CanonicalAccess::constant(shape, getNumber(constant));
  auto [it, isNew] = baseNumbers.try_emplace(value, bases.size());
  if (isNew)
    bases.push_back(value);
  return CanonicalAccess::identity(shape, it->second);
}

std::function<unsigned(const OutOfBounds &)>
AccessForms::getPadNumber(Operation *op) {
  Type type = cast<AccessType>(op->getResult(0).getType()).getElementType();
  return [this, type](const OutOfBounds &policy) {
    return getNumber(getPaddingAttr(type, policy));
  };
}

/// A slice over the hull of all regions, then a projection inside of it.
std::optional<CanonicalAccess>
AccessForms::transferProject(ProjectOp op, const CanonicalAccess &operand) {
  const ProjectionSteps steps = getProjectionSteps(op);
  std::optional<CanonicalAccess> places = operand;
  if (!steps.policies.empty()) {
    const size_t access = operand.getRank() - steps.sizes.size();
    SmallVector<int64_t> offsets(access, 0), strides(access, 1);
    SmallVector<int64_t> counts(operand.getShape().take_front(access));
    SmallVector<OutOfBounds> policies(access);
    llvm::append_range(offsets, steps.offsets);
    llvm::append_range(counts, steps.sizes);
    llvm::append_range(strides, steps.strides);
    llvm::append_range(policies, steps.policies);
    places = sliceAccess(operand, offsets, counts, strides, policies,
                         getPadNumber(op), kMaxSliceRuns + 2, budget);
  }
  return places ? projectAccess(*places, steps.inside, op.getExtents(), budget)
                : std::nullopt;
}

std::optional<CanonicalAccess>
AccessForms::transferSlice(SliceOp op, const CanonicalAccess &operand) {
  const std::optional<SmallVector<int64_t>> wanted = getFormShape(op.getType());
  if (!wanted)
    return std::nullopt;
  const SmallVector<int64_t> &counts = *wanted;
  const SmallVector<int64_t> strides = op.getStridesOrOnes();
  for (auto [dim, size] : llvm::enumerate(operand.getShape())) {
    if (!isUnknownExtent(size))
      continue;
    // All of it, or so little that the stand-in has it.
    const int64_t offset = op.getOffsets()[dim];
    const bool isWhole = counts[dim] == size;
    if (isWhole
            ? offset != 0 || strides[dim] != 1
            : op.getPolicy(dim).kind != OutOfBounds::Kind::Forbid ||
                  !checkSlice(size, offset, counts[dim], strides[dim]).empty())
      return std::nullopt;
  }
  return sliceAccess(operand, op.getOffsets(), counts, strides,
                     op.getPolicies(), getPadNumber(op), kMaxSliceRuns + 2,
                     budget);
}

/// The form cut to sizes that are known from elsewhere: where a dimension of
/// unknown size has to be of a known one.
static std::optional<CanonicalAccess> cutTo(const CanonicalAccess &access,
                                            ArrayRef<int64_t> shape,
                                            const AccessBudget &budget) {
  if (access.getShape() == shape)
    return access;
  for (auto [size, wanted] : llvm::zip_equal(access.getShape(), shape))
    if (size != wanted && (!isUnknownExtent(size) || wanted > size))
      return std::nullopt;
  const SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  return sliceAccess(access, zeros, shape, ones, budget);
}

/// What the operands' shapes are where all sizes agree that have to, in terms
/// of that of the result.
static SmallVector<SmallVector<int64_t>>
getAgreedShapes(Operation *op, ArrayRef<int64_t> result,
                ArrayRef<const CanonicalAccess *> operands) {
  SmallVector<SmallVector<int64_t>> shapes;
  for (const CanonicalAccess *operand : operands)
    shapes.emplace_back(operand->getShape());
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    for (SmallVector<int64_t> &shape : shapes)
      for (auto [dim, size] : llvm::enumerate(result))
        if (dim != concat.getAxis())
          shape[dim] = size;
  } else if (auto pair = dyn_cast<PairOp>(op)) {
    SmallVector<int64_t> element(result);
    element.erase(element.begin() + pair.getLhs().getType().getAccessRank());
    shapes.assign(2, element);
  } else if (auto product = dyn_cast<CartProdOp>(op)) {
    const int64_t left = product.getLhs().getType().getAccessRank();
    const int64_t right = product.getRhs().getType().getAccessRank();
    ArrayRef<int64_t> item = result.drop_front(left + right + 1);
    shapes[0].truncate(left);
    shapes[1].truncate(right);
    for (SmallVector<int64_t> &shape : shapes)
      llvm::append_range(shape, item);
  }
  return shapes;
}

/// True for an op that computes with an unknown size, beyond what its formula
/// on shapes of stand-ins says.
static bool computesWithUnknown(Operation *op, const CanonicalAccess &operand) {
  ArrayRef<int64_t> shape = operand.getShape();
  if (auto windows = dyn_cast<WindowsOp>(op)) {
    ArrayRef<int64_t> item = shape.take_back(windows.getShape().size());
    for (auto [i, size] : llvm::enumerate(item))
      if (isUnknownExtent(size) &&
          (windows.getShape()[i] != 1 || windows.getStrides()[i] != 1))
        return true;
  } else if (auto pad = dyn_cast<PadOp>(op)) {
    SmallVector<int64_t> interior = pad.getInteriorOrZeros();
    for (auto [i, size] : llvm::enumerate(shape))
      if (isUnknownExtent(size) &&
          (pad.getLow()[i] != 0 || pad.getHigh()[i] != 0 || interior[i] != 0))
        return true;
  } else if (isa<FlattenOp, ReshapeOp>(op)) {
    auto from = cast<AccessType>(op->getOperand(0).getType());
    auto to = cast<AccessType>(op->getResult(0).getType());
    std::optional<SmallVector<int64_t>> target = getFormShape(to);
    if (!target)
      return true;
    ArrayRef<int64_t> sizes(*target);
    return !reshapeKeepsUnknown(shape.take_front(from.getAccessRank()),
                                sizes.take_front(to.getAccessRank())) ||
           !reshapeKeepsUnknown(shape.drop_front(from.getAccessRank()),
                                sizes.drop_front(to.getAccessRank()));
  } else if (auto concat = dyn_cast<ConcatOp>(op)) {
    return concat.getType().getShape()[concat.getAxis()] == kDynamicSize;
  }
  return false;
}

std::optional<CanonicalAccess>
AccessForms::transfer(Operation *op,
                      ArrayRef<const CanonicalAccess *> operands) {
  std::optional<SmallVector<int64_t>> shape =
      getFormShape(op->getResult(0).getType());
  if (!shape || computesWithUnknown(op, *operands[0]))
    return std::nullopt;
  std::deque<CanonicalAccess> agreed;
  SmallVector<const CanonicalAccess *> pointers(operands);
  if (operands.size() > 1)
    for (auto [i, wanted] :
         llvm::enumerate(getAgreedShapes(op, *shape, operands))) {
      if (operands[i]->getShape() == ArrayRef<int64_t>(wanted))
        continue;
      std::optional<CanonicalAccess> cut = cutTo(*operands[i], wanted, budget);
      if (!cut)
        return std::nullopt;
      agreed.push_back(std::move(*cut));
      pointers[i] = &agreed.back();
    }
  std::optional<CanonicalAccess> form = transferExact(op, pointers);
  if (!form || form->getShape() != ArrayRef<int64_t>(*shape) ||
      !carriesUnknown(*form))
    return std::nullopt;
  return form;
}

std::optional<CanonicalAccess>
AccessForms::transferExact(Operation *op,
                           ArrayRef<const CanonicalAccess *> operands) {
  using Result = std::optional<CanonicalAccess>;
  const CanonicalAccess &first = *operands[0];
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<AccessOp, ToTensorOp, ShiftRightOp>(
          [&](Operation *) -> Result { return first; })
      .Case<TransposeOp>([&](TransposeOp op) {
        return transposeAccess(first, op.getPerm(), budget);
      })
      .Case<SqueezeOp>([&](SqueezeOp op) {
        return fixAccess(first, op.getAxis(), 0, budget);
      })
      .Case<InsertAxisOp>([&](InsertAxisOp op) {
        return insertAxisAccess(first, op.getAxis(), 1, budget);
      })
      .Case<WindowsOp>([&](WindowsOp op) {
        return windowsAccess(first, op.getShape(), op.getStrides(),
                             op.getDilationsOrOnes(), budget);
      })
      .Case<FlattenOp, ReshapeOp, BroadcastOp>([&](Operation *op) {
        SmallVector<int64_t> shape = *getFormShape(op->getResult(0).getType());
        return isa<BroadcastOp>(op) ? broadcastAccess(first, shape, budget)
                                    : reshapeAccess(first, shape, budget);
      })
      .Case<PadOp>([&](PadOp op) {
        return padAccess(first, op.getLow(), op.getHigh(),
                         op.getInteriorOrZeros(),
                         getNumber(cast<TypedAttr>(op.getValue())), budget);
      })
      .Case<SliceOp>([&](SliceOp op) { return transferSlice(op, first); })
      .Case<ProjectOp>([&](ProjectOp op) { return transferProject(op, first); })
      .Case<ConcatOp>([&](ConcatOp op) {
        return concatAccess(operands, op.getAxis(), budget);
      })
      .Case<PairOp>([&](PairOp op) {
        return stackAccess(operands, op.getLhs().getType().getAccessRank(),
                           budget);
      })
      .Case<CartProdOp>([&](CartProdOp op) {
        return cartProdAccess(first, op.getLhs().getType().getAccessRank(),
                              *operands[1],
                              op.getRhs().getType().getAccessRank(), budget);
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Many ops
//===----------------------------------------------------------------------===//

void AccessForms::setBase(Value value) {
  if (!hasForm(value))
    return;
  forms.push_back(getIdentity(value));
  indexOf[value] = forms.size() - 1;
}

void AccessForms::set(Value value, const AccessForm &form) {
  SmallVector<unsigned> sources, numbers;
  for (Value base : form.bases) {
    auto [it, isNew] = baseNumbers.try_emplace(base, bases.size());
    if (isNew)
      bases.push_back(base);
    sources.push_back(it->second);
  }
  for (TypedAttr constant : form.constants)
    numbers.push_back(getNumber(constant));
  forms.push_back(form.access.renumber([&](unsigned i) { return sources[i]; },
                                       [&](unsigned i) { return numbers[i]; }));
  indexOf[value] = forms.size() - 1;
}

void AccessForms::forget() {
  indexOf.clear();
  forms.clear();
  bases.clear();
  baseNumbers.clear();
  constants.clear();
  constantNumbers.clear();
}

const CanonicalAccess &AccessForms::getAccess(Value value) {
  assert(hasForm(value) && "a value of known rank");
  auto isReady = [&](Value v) { return indexOf.contains(v); };
  auto keep = [&](Value v, CanonicalAccess form) {
    forms.push_back(std::move(form));
    indexOf[v] = forms.size() - 1;
  };
  SmallVector<Value> stack{value};
  // Values whose operands are above them on the stack.
  llvm::DenseSet<Value> opened;
  while (!stack.empty()) {
    Value v = stack.back();
    if (isReady(v)) {
      stack.pop_back();
      continue;
    }
    Operation *op = v.getDefiningOp();
    if (!isMovement(op) || !llvm::all_of(op->getOperands(), hasForm)) {
      keep(v, getIdentity(v));
      stack.pop_back();
      continue;
    }
    if (opened.insert(v).second) {
      for (Value operand : op->getOperands())
        if (!isReady(operand)) {
          // In a cycle (a graph region, or code that is never reached) an op
          // waits for its own result: cut there.
          if (opened.contains(operand))
            keep(operand, getIdentity(operand));
          else
            stack.push_back(operand);
        }
      continue;
    }
    SmallVector<const CanonicalAccess *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(&forms[indexOf.lookup(operand)]);
    std::optional<CanonicalAccess> form = transfer(op, operands);
    if (!form) {
      std::deque<CanonicalAccess> own;
      operands.clear();
      for (Value operand : op->getOperands()) {
        own.push_back(getIdentity(operand));
        operands.push_back(&own.back());
      }
      form = transfer(op, operands);
    }
    keep(v, form ? std::move(*form) : getIdentity(v));
    stack.pop_back();
  }
  return forms[indexOf.lookup(value)];
}

/// The text by which constants are ordered.
static std::string getText(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attr.print(os);
  return text;
}

/// Gives `form` what `access` reads, with numbers of its own: constants by text,
/// bases by first use.
static void number(AccessForm &form, const CanonicalAccess &access,
                   ArrayRef<Value> bases, ArrayRef<TypedAttr> constants) {
  llvm::SmallMapVector<unsigned, unsigned, 4> sources;
  SmallVector<unsigned, 2> used;
  auto use = [&](unsigned constant) {
    if (!llvm::is_contained(used, constant))
      used.push_back(constant);
  };
  for (const AccessPiece &piece : access.getPieces())
    if (piece.source.kind == SourceKind::Operand)
      sources.try_emplace(piece.source.index, sources.size());
    else
      use(piece.source.index);
  if (access.getBackground())
    use(*access.getBackground());
  for (const CanonicalAccess::Extent &extent : access.getExtents())
    sources.try_emplace(extent.source, sources.size());
  if (used.size() > 1)
    llvm::sort(used, [&](unsigned a, unsigned b) {
      return getText(constants[a]) < getText(constants[b]);
    });
  for (auto [source, own] : sources)
    form.bases.push_back(bases[source]);
  for (unsigned constant : used)
    form.constants.push_back(constants[constant]);
  form.access = access.renumber(
      [&](unsigned source) { return sources.lookup(source); },
      [&](unsigned constant) {
        return static_cast<unsigned>(llvm::find(used, constant) - used.begin());
      });
}

AccessForm AccessForms::get(Value value) {
  AccessForm form;
  form.split = getSplit(value.getType());
  if (!hasForm(value)) {
    form.bases.push_back(value);
    return form;
  }
  // Before the tables, which it adds to.
  const CanonicalAccess &access = getAccess(value);
  number(form, access, bases, constants);
  return form;
}

AccessForm AccessForm::renumbered() const {
  AccessForm form;
  form.split = split;
  form.policy = policy;
  number(form, access, bases, constants);
  return form;
}

AccessForm mlir::tensoraccess::getAccessForm(Value value,
                                             const AccessBudget &budget) {
  return AccessForms(budget).get(value);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Value AccessForm::asIdentity() const {
  std::optional<unsigned> source = access.asIdentity();
  return source ? bases[*source] : Value();
}

TypedAttr AccessForm::asConstant() const {
  std::optional<unsigned> constant = access.asConstant();
  return constant && !constants.empty() ? constants[*constant] : TypedAttr();
}

AccessForm AccessForm::with(CanonicalAccess other, int64_t newSplit) const {
  AccessForm form = *this;
  form.access = std::move(other);
  form.split = newSplit;
  return form;
}

std::optional<AccessForm> AccessForm::fix(unsigned axis, int64_t value,
                                          const AccessBudget &budget) const {
  std::optional<CanonicalAccess> fixed = fixAccess(access, axis, value, budget);
  if (!fixed)
    return std::nullopt;
  return with(std::move(*fixed), split - (axis < split));
}

llvm::hash_code AccessForm::hash() const {
  llvm::hash_code code = llvm::hash_combine(split, access.hash());
  for (Value base : bases)
    code = llvm::hash_combine(code, base);
  for (TypedAttr constant : constants)
    code = llvm::hash_combine(code, constant);
  return code;
}

Equivalence AccessForm::compare(const AccessForm &other,
                                const AccessBudget &budget) const {
  using Verdict = Equivalence::Verdict;
  if (*this == other)
    return {Verdict::Equal, {}, ""};
  if (split != other.split)
    return {Verdict::Different,
            {},
            "the splits are " + std::to_string(split) + " and " +
                std::to_string(other.split)};
  // Numbers for the bases and constants of both.
  SmallVector<Value> allBases(bases.begin(), bases.end());
  SmallVector<TypedAttr> allConstants(constants.begin(), constants.end());
  auto number = [](auto &all, auto item) {
    auto it = llvm::find(all, item);
    const unsigned index = it - all.begin();
    if (it == all.end())
      all.push_back(item);
    return index;
  };
  CanonicalAccess theirs = other.access.renumber(
      [&](unsigned i) { return number(allBases, other.bases[i]); },
      [&](unsigned i) { return number(allConstants, other.constants[i]); });
  return access.compare(theirs, budget);
}
