//===- AccessSynthesis.cpp - Movement ops from a canonical form -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Padding goes: either the base is padded until every index lies inside, or
//    the view is a padded smaller view. What is left reads one base all over.
// 2. Dimensions are cut into *digits* until no index has a division.
// 3. Each base dimension's index is then offset + sum of coefficient·digit. The
//    digits of one base dimension are a mixed-radix number times a stride (a
//    slice, reshaped), or a place and a kernel index (windows). Digits that no
//    index mentions are repeated (broadcast).
// 4. The ops follow in a fixed order, each only where it changes something. The
//    free choices (where the base is split, which unit dimensions are kept) are
//    tried in order, and the shortest chain is taken.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/AccessSynthesis.h"

#include "OpHelpers.h"
#include "TensorAccess/Core/Shape.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Rounds of cutting dimensions into digits.
static constexpr unsigned kMaxCuts = 3;

bool MovementStep::matches(Operation *op) const {
  return op && op->getName() == name && op->getNumOperands() == 1 &&
         op->getNumResults() == 1 && op->getResult(0).getType() == type &&
         op->getAttrDictionary() == attributes;
}

Value mlir::tensoraccess::createMovement(OpBuilder &builder, Location loc,
                                         const MovementPlan &plan) {
  Value value = plan.base;
  for (const MovementStep &step : plan.steps) {
    OperationState state(loc, step.name);
    state.addOperands(value);
    state.addTypes(step.type);
    state.addAttributes(step.attributes.getValue());
    value = builder.create(state)->getResult(0);
  }
  return value;
}

namespace {

using Sizes = SmallVector<int64_t>;

/// An attribute to be: a list, a number, or one that exists.
struct DraftAttr {
  StringRef name;
  Sizes list;
  std::optional<int64_t> number;
  Attribute given;
};

/// An op to be, with the shape of its result. Most chains that are tried are not
/// taken, and attributes live as long as the context.
struct Draft {
  StringRef name;
  SmallVector<DraftAttr, 4> attrs;
  Sizes shape;
  int64_t split;
  bool isTensor;
};

/// A chain that is being written, and the shape at its end.
class Chain {
public:
  explicit Chain(Value base) {
    if (auto access = dyn_cast<AccessType>(base.getType())) {
      shape = access.getShape();
      split = access.getAccessRank();
    } else {
      auto tensor = cast<RankedTensorType>(base.getType());
      shape.assign(tensor.getShape().begin(), tensor.getShape().end());
      isTensor = true;
    }
  }

  /// Makes this a pattern of `axis` access dimensions.
  void splitAt(int64_t axis) {
    if (!isTensor && split == axis)
      return;
    if (!isTensor && axis < split) {
      const int64_t by = split - axis;
      split = axis;
      return push<ShiftRightOp>({number("by", by)});
    }
    toTensor();
    isTensor = false;
    split = axis;
    push<AccessOp>({number("axis", axis)});
  }
  void toTensor() {
    if (isTensor)
      return;
    isTensor = true;
    push<ToTensorOp>({});
  }
  void pad(ArrayRef<int64_t> low, ArrayRef<int64_t> high, TypedAttr value) {
    if (isZeros(low) && isZeros(high))
      return;
    for (auto [i, size] : llvm::enumerate(shape))
      size += low[i] + high[i];
    push<PadOp>({list("low", low), list("high", high),
                 {"value", {}, std::nullopt, value}});
  }
  void slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
             ArrayRef<int64_t> strides) {
    const bool isPlain = isOnes(strides);
    if (isPlain && isZeros(offsets) && sizes == ArrayRef<int64_t>(shape))
      return;
    shape.assign(sizes.begin(), sizes.end());
    SmallVector<DraftAttr, 4> attrs{list("offsets", offsets),
                                    list("sizes", sizes)};
    if (!isPlain)
      attrs.push_back(list("strides", strides));
    push<SliceOp>(std::move(attrs));
  }
  void windows(ArrayRef<int64_t> places, ArrayRef<int64_t> window,
               ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
    shape.truncate(split);
    llvm::append_range(shape, places);
    split = shape.size();
    llvm::append_range(shape, window);
    SmallVector<DraftAttr, 4> attrs{list("shape", window),
                                    list("strides", strides)};
    if (!isOnes(dilations))
      attrs.push_back(list("dilations", dilations));
    push<WindowsOp>(std::move(attrs));
  }
  void transpose(ArrayRef<int64_t> perm) {
    Sizes result;
    bool isIdentity = true;
    for (auto [i, dim] : llvm::enumerate(perm)) {
      result.push_back(shape[dim]);
      isIdentity &= dim == static_cast<int64_t>(i);
    }
    if (isIdentity)
      return;
    shape = std::move(result);
    push<TransposeOp>({list("perm", perm)});
  }
  /// The same elements, side by side of the split. False where a side changes
  /// its number of elements.
  bool reshape(ArrayRef<int64_t> to, int64_t axis);
  void broadcast(ArrayRef<int64_t> to) {
    if (to == ArrayRef<int64_t>(shape))
      return;
    shape.assign(to.begin(), to.end());
    push<BroadcastOp>({});
  }

  MovementPlan finish(Value base) const;

  SmallVector<Draft, 6> drafts;
  Sizes shape;
  int64_t split = 0;
  bool isTensor = false;

private:
  static DraftAttr list(StringRef name, ArrayRef<int64_t> values) {
    return {name, Sizes(values), std::nullopt, {}};
  }
  static DraftAttr number(StringRef name, int64_t value) {
    return {name, {}, value, {}};
  }
  static bool isZeros(ArrayRef<int64_t> values) {
    return llvm::all_of(values, [](int64_t v) { return v == 0; });
  }
  static bool isOnes(ArrayRef<int64_t> values) {
    return llvm::all_of(values, [](int64_t v) { return v == 1; });
  }
  template <typename OpT>
  void push(SmallVector<DraftAttr, 4> attrs) {
    drafts.push_back(
        {OpT::getOperationName(), std::move(attrs), shape, split, isTensor});
  }
};

MovementPlan Chain::finish(Value base) const {
  MLIRContext *context = base.getContext();
  Builder b(context);
  Type elementType = getElementTypeOrSelf(base.getType());
  if (auto access = dyn_cast<AccessType>(base.getType()))
    elementType = access.getElementType();
  MovementPlan plan;
  plan.base = base;
  for (const Draft &draft : drafts) {
    SmallVector<NamedAttribute> attrs;
    for (const DraftAttr &attr : draft.attrs)
      attrs.emplace_back(b.getStringAttr(attr.name),
                         attr.given    ? attr.given
                         : attr.number ? Attribute(b.getI64IntegerAttr(*attr.number))
                                       : b.getDenseI64ArrayAttr(attr.list));
    Type type = getSplit(draft.shape, draft.split, elementType);
    if (draft.isTensor)
      type = RankedTensorType::get(draft.shape, elementType);
    plan.steps.push_back({OperationName(draft.name, context),
                          DictionaryAttr::get(context, attrs), type});
  }
  return plan;
}

Sizes erased(ArrayRef<int64_t> shape, size_t axis) {
  Sizes result(shape);
  result.erase(result.begin() + axis);
  return result;
}

bool Chain::reshape(ArrayRef<int64_t> to, int64_t axis) {
  if (to == ArrayRef<int64_t>(shape) && axis == split)
    return true;
  if (isTensor ||
      elementCount(to.take_front(axis)) !=
          elementCount(ArrayRef<int64_t>(shape).take_front(split)) ||
      elementCount(to) != elementCount(shape))
    return false;
  const Sizes from(shape);
  const int64_t fromSplit = split;
  shape = Sizes(to);
  split = axis;
  to = shape;
  // One unit dimension less, or one more.
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] == 1 && to == ArrayRef<int64_t>(erased(from, i)) &&
        axis == fromSplit - (static_cast<int64_t>(i) < fromSplit)) {
      push<SqueezeOp>({number("axis", i)});
      return true;
    }
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] == 1 && ArrayRef<int64_t>(from) == ArrayRef<int64_t>(erased(to, i)) &&
        axis == fromSplit + (static_cast<int64_t>(i) <= fromSplit)) {
      push<InsertAxisOp>({number("axis", i)});
      return true;
    }
  const int64_t rank = from.size(), toRank = to.size();
  if (axis == std::min<int64_t>(fromSplit, 1) &&
      toRank - axis == std::min<int64_t>(rank - fromSplit, 1))
    push<FlattenOp>({});
  else
    push<ReshapeOp>({});
  return true;
}

/// How a base dimension is read.
struct BaseDim {
  int64_t offset = 0, size = 1, stride = 1;
  /// Digits, the most significant first; for windows the place and the kernel.
  SmallVector<unsigned, 2> digits;
  bool isWindow = false;
  int64_t windowStride = 1, dilation = 1;
};

/// A view of one base, all over, taken apart.
struct Digits {
  /// Sizes of the digits, the digits of dimension 0 first.
  Sizes sizes;
  /// The dimension of the view that a digit belongs to.
  SmallVector<unsigned> dimOf;
  SmallVector<BaseDim> base;
  /// Digits that no base dimension mentions.
  SmallVector<bool> isFree;
};

} // namespace

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// The cuts of each dimension that divisions of single dims ask for. False if a
/// cut would not divide.
static bool addCuts(const IndexingMap &map, ArrayRef<int64_t> shape,
                    std::vector<std::set<int64_t>> &cuts) {
  const FormArena &arena = map.getArena();
  for (AtomId id = arena.getNumVariables(); id < arena.getNumAtoms(); ++id) {
    const Atom &atom = arena.getAtom(id);
    if (atom.kind != AtomKind::FloorDiv)
      return false;
    std::optional<AtomId> variable = Form(arena.body(id)).asAtom();
    if (!variable || !arena.isVariable(*variable))
      continue;
    if (shape[*variable] % atom.divisor != 0)
      return false;
    cuts[*variable].insert(atom.divisor);
  }
  return true;
}

/// Step 2: the view with its dimensions cut into digits. None where divisions
/// remain.
static std::optional<CanonicalAccess> cutIntoDigits(const CanonicalAccess &view,
                                                    Digits &digits) {
  digits.sizes.assign(view.getShape().begin(), view.getShape().end());
  digits.dimOf.resize(view.getRank());
  std::iota(digits.dimOf.begin(), digits.dimOf.end(), 0);
  CanonicalAccess fine = view;
  for (unsigned round = 0; round <= kMaxCuts; ++round) {
    const AccessPiece *piece = fine.asSinglePiece();
    if (!piece || !piece->map.getConstraints().empty())
      return std::nullopt;
    const FormArena &arena = piece->map.getArena();
    if (arena.getNumAtoms() == arena.getNumVariables())
      return fine;
    std::vector<std::set<int64_t>> cuts(digits.sizes.size());
    if (!addCuts(piece->map, digits.sizes, cuts))
      return std::nullopt;
    Sizes sizes;
    SmallVector<unsigned> dimOf;
    for (auto [i, size] : llvm::enumerate(digits.sizes)) {
      int64_t rest = size;
      for (int64_t divisor : llvm::reverse(cuts[i])) {
        if (rest % divisor != 0)
          return std::nullopt;
        if (rest / divisor != 1) {
          sizes.push_back(rest / divisor);
          dimOf.push_back(digits.dimOf[i]);
        }
        rest = divisor;
      }
      sizes.push_back(rest);
      dimOf.push_back(digits.dimOf[i]);
    }
    if (sizes == digits.sizes)
      return std::nullopt;
    std::optional<CanonicalAccess> next = reshapeAccess(fine, sizes);
    if (!next)
      return std::nullopt;
    fine = std::move(*next);
    digits.sizes = std::move(sizes);
    digits.dimOf = std::move(dimOf);
  }
  return std::nullopt;
}

/// Step 3 for one base dimension of size `size` and index `form`.
static std::optional<BaseDim> readBaseDim(const Form &form, int64_t size,
                                          ArrayRef<int64_t> digitSizes) {
  BaseDim dim;
  dim.offset = form.constant;
  SmallVector<Term> terms(form.terms.begin(), form.terms.end());
  llvm::sort(terms, [](const Term &a, const Term &b) {
    return std::pair(magnitude(b.coefficient), a.atom) <
           std::pair(magnitude(a.coefficient), b.atom);
  });
  if (terms.empty())
    return dim;
  // A mixed-radix number times a stride?
  bool isNumber = true;
  int64_t step = terms.back().coefficient;
  dim.stride = step;
  for (const Term &term : llvm::reverse(terms)) {
    std::optional<int64_t> next = checkedMul(step, digitSizes[term.atom]);
    isNumber &= term.coefficient == step && next;
    step = next.value_or(0);
  }
  if (isNumber) {
    for (const Term &term : terms) {
      dim.digits.push_back(term.atom);
      dim.size *= digitSizes[term.atom];
    }
    return dim;
  }
  // A place and a kernel index? The place comes first in the view.
  if (terms.size() != 2 || form.terms[0].coefficient < 1 ||
      form.terms[1].coefficient < 1)
    return std::nullopt;
  const Term place = form.terms[0], kernel = form.terms[1];
  dim.stride = 1;
  dim.isWindow = true;
  dim.windowStride = place.coefficient;
  dim.dilation = kernel.coefficient;
  dim.digits = {place.atom, kernel.atom};
  const int64_t places = digitSizes[place.atom],
                window = digitSizes[kernel.atom];
  dim.size = (places - 1) * dim.windowStride + (window - 1) * dim.dilation + 1;
  // All of the dimension, if that gives as many places.
  if (dim.offset == 0 &&
      windowCount(size, window, dim.windowStride, dim.dilation) == places)
    dim.size = size;
  return dim;
}

static std::optional<Digits> takeApart(const CanonicalAccess &view) {
  Digits digits;
  std::optional<CanonicalAccess> fine = cutIntoDigits(view, digits);
  if (!fine)
    return std::nullopt;
  const AccessPiece &piece = *fine->asSinglePiece();
  digits.isFree.assign(digits.sizes.size(), true);
  ArrayRef<int64_t> baseShape = fine->getSourceShape(piece.source.index);
  for (auto [form, size] : llvm::zip_equal(piece.map.getResults(), baseShape)) {
    std::optional<BaseDim> dim = readBaseDim(form, size, digits.sizes);
    if (!dim)
      return std::nullopt;
    for (unsigned digit : dim->digits) {
      if (!digits.isFree[digit])
        return std::nullopt;
      digits.isFree[digit] = false;
    }
    digits.base.push_back(std::move(*dim));
  }
  return digits;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {

/// The free choices of step 4.
struct Choice {
  int64_t baseSplit;
  /// Unit dimensions of the base stand for free digits.
  bool keepUnits;
};

} // namespace

/// Writes the ops of a view that reads all over, from the split base on, so that
/// the chain ends in shape `shape` split at `split`. False if the choice does
/// not allow it.
static bool writeView(Chain &chain, const Digits &digits,
                      const Choice &choice, ArrayRef<int64_t> shape,
                      int64_t split) {
  Sizes offsets, sizes, strides;
  bool hasWindows = false;
  for (auto [j, dim] : llvm::enumerate(digits.base)) {
    offsets.push_back(dim.offset);
    sizes.push_back(dim.size);
    strides.push_back(dim.stride);
    if (dim.isWindow) {
      hasWindows = true;
      if (static_cast<int64_t>(j) < chain.split)
        return false;
    }
  }
  chain.slice(offsets, sizes, strides);
  // The digits in the order in which the chain has them.
  SmallVector<SmallVector<unsigned, 2>> slots;
  for (const BaseDim &dim : digits.base)
    slots.push_back(dim.digits);
  if (hasWindows) {
    Sizes places, window, steps, dilations;
    SmallVector<SmallVector<unsigned, 2>> placeSlots, kernelSlots;
    for (size_t j = chain.split; j < digits.base.size(); ++j) {
      const BaseDim &dim = digits.base[j];
      const bool isAccess =
          !dim.digits.empty() &&
          static_cast<int64_t>(digits.dimOf[dim.digits.front()]) < split;
      placeSlots.emplace_back();
      kernelSlots.emplace_back();
      steps.push_back(dim.windowStride);
      dilations.push_back(dim.dilation);
      if (dim.isWindow) {
        places.push_back(digits.sizes[dim.digits[0]]);
        window.push_back(digits.sizes[dim.digits[1]]);
        placeSlots.back().push_back(dim.digits[0]);
        kernelSlots.back().push_back(dim.digits[1]);
      } else {
        places.push_back(isAccess ? dim.size : 1);
        window.push_back(isAccess ? 1 : dim.size);
        (isAccess ? placeSlots : kernelSlots).back() = dim.digits;
      }
    }
    slots.truncate(chain.split);
    llvm::append_range(slots, placeSlots);
    llvm::append_range(slots, kernelSlots);
    chain.windows(places, window, steps, dilations);
  }
  // Free digits, in order; the base's units may stand for them.
  SmallVector<unsigned> free;
  for (unsigned i = 0; i < digits.sizes.size(); ++i)
    if (digits.isFree[i])
      free.push_back(i);
  SmallVector<bool> isKept(digits.sizes.size(), false);
  SmallVector<unsigned> order;
  int64_t orderSplit = 0;
  size_t nextFree = 0;
  Sizes cutShape;
  for (auto [slot, list] : llvm::enumerate(slots)) {
    if (list.empty() && choice.keepUnits && nextFree < free.size()) {
      isKept[free[nextFree]] = true;
      list.push_back(free[nextFree++]);
    }
    for (unsigned digit : list) {
      order.push_back(digit);
      cutShape.push_back(digits.isFree[digit] ? 1 : digits.sizes[digit]);
    }
    if (static_cast<int64_t>(slot) < chain.split)
      orderSplit = order.size();
  }
  // Where they have to go.
  SmallVector<unsigned> target;
  int64_t targetSplit = 0;
  for (unsigned i = 0; i < digits.sizes.size(); ++i)
    if (!digits.isFree[i] || isKept[i]) {
      target.push_back(i);
      targetSplit += static_cast<int64_t>(digits.dimOf[i]) < split;
    }
  const bool staysInPlace = order == target && orderSplit == targetSplit;
  if (!staysInPlace) {
    if (!chain.reshape(cutShape, orderSplit))
      return false;
    Sizes perm;
    for (unsigned digit : target)
      perm.push_back(llvm::find(order, digit) - order.begin());
    chain.transpose(perm);
    chain.splitAt(targetSplit);
  }
  // Dimensions that hold a repeated digit beside others are joined last.
  Sizes unitShape, fullShape;
  int64_t unitSplit = 0;
  bool repeats = false;
  for (unsigned d = 0, i = 0; d < shape.size(); ++d) {
    const unsigned begin = i;
    bool repeatsHere = false;
    for (; i < digits.sizes.size() && digits.dimOf[i] == d; ++i)
      repeatsHere |= digits.isFree[i] && digits.sizes[i] != 1;
    repeats |= repeatsHere;
    if (!repeatsHere) {
      unitShape.push_back(shape[d]);
      fullShape.push_back(shape[d]);
    } else {
      for (unsigned k = begin; k < i; ++k) {
        unitShape.push_back(digits.isFree[k] ? 1 : digits.sizes[k]);
        fullShape.push_back(digits.sizes[k]);
      }
    }
    if (static_cast<int64_t>(d) < split)
      unitSplit = unitShape.size();
  }
  if (repeats) {
    if (!chain.reshape(unitShape, unitSplit))
      return false;
    chain.broadcast(fullShape);
  }
  return chain.reshape(shape, split);
}

namespace {

/// A view with its padding taken off.
struct Unpadded {
  CanonicalAccess view;
  /// Padding of the base, and of the view; one of them is empty.
  Sizes baseLow, baseHigh, low, high;
};

} // namespace

/// Padding of the base: the same index over the whole box, where "outside of the
/// base" is where the background is.
static std::optional<Unpadded> padBase(const CanonicalAccess &access) {
  const AccessPiece &piece = access.getPieces()[0];
  ArrayRef<int64_t> baseShape = access.getSourceShape(piece.source.index);
  auto write = [&](ArrayRef<int64_t> shift, bool restrict) {
    IndexingMapBuilder builder;
    SmallVector<Form> dims;
    for (int64_t size : access.getShape())
      dims.push_back(builder.addDim(Interval::ofExtent(size)));
    Substitution substitute(builder.arena(), piece.map.getArena(), dims);
    for (auto [i, form] : llvm::enumerate(piece.map.getResults())) {
      Form moved = substitute(form);
      if (restrict)
        builder.addConstraint(moved, Interval::ofExtent(baseShape[i]));
      builder.addResult(builder.arena().add(
          moved, Form(shift.empty() ? 0 : shift[i])));
    }
    return builder.build();
  };
  if (write({}, true).simplify() != piece.map)
    return std::nullopt;
  IndexingMap whole = write({}, false);
  Unpadded result;
  Sizes padded;
  for (auto [i, size] : llvm::enumerate(baseShape)) {
    Interval range = whole.getResultRange(i);
    if (!range.isFinite())
      return std::nullopt;
    result.baseLow.push_back(std::max<int64_t>(0, -range.lower));
    result.baseHigh.push_back(std::max<int64_t>(0, range.upper - (size - 1)));
    padded.push_back(size + result.baseLow.back() + result.baseHigh.back());
  }
  std::optional<CanonicalAccess> view =
      CanonicalAccess::identity(padded, piece.source.index)
          .pullBack(access.getShape(), write(result.baseLow, false));
  if (!view)
    return std::nullopt;
  result.view = std::move(*view);
  return result;
}

/// Padding of the view, whose piece is a box.
static std::optional<Unpadded> padView(const CanonicalAccess &access) {
  const IndexingMap &map = access.getPieces()[0].map;
  if (!map.getConstraints().empty())
    return std::nullopt;
  Unpadded result;
  Sizes sizes;
  for (auto [range, size] :
       llvm::zip_equal(map.getDimRanges(), access.getShape())) {
    result.low.push_back(range.lower);
    result.high.push_back(size - 1 - range.upper);
    sizes.push_back(range.upper - range.lower + 1);
  }
  std::optional<CanonicalAccess> view =
      sliceAccess(access, result.low, sizes, Sizes(sizes.size(), 1));
  if (!view)
    return std::nullopt;
  result.view = std::move(*view);
  return result;
}

std::optional<MovementPlan>
mlir::tensoraccess::planMovement(const AccessForm &form, Type type) {
  const CanonicalAccess &access = form.access;
  if (access.isEmpty() || access.getPieces().size() != 1 ||
      access.getPieces()[0].source.kind != SourceKind::Operand)
    return std::nullopt;
  Value base = form.getBase(access.getPieces()[0]);
  if (base.getType() == type && form.asIdentity())
    return MovementPlan{base, {}};
  auto tensorType = dyn_cast<RankedTensorType>(type);
  auto baseTensor = dyn_cast<RankedTensorType>(base.getType());
  if ((tensorType && tensorType.getEncoding()) ||
      (baseTensor && baseTensor.getEncoding() && !form.asIdentity()))
    return std::nullopt;

  SmallVector<Unpadded, 2> views;
  if (!access.getBackground()) {
    views.push_back({access, {}, {}, {}, {}});
  } else {
    for (auto make : {padBase, padView})
      if (std::optional<Unpadded> view = make(access))
        if (view->view.asSinglePiece())
          views.push_back(std::move(*view));
  }
  const bool isTensor = tensorType != nullptr;
  std::optional<Chain> best;
  for (const Unpadded &unpadded : views) {
    std::optional<Digits> digits = takeApart(unpadded.view);
    if (!digits)
      continue;
    const int64_t rank = digits->base.size(), viewRank = access.getRank();
    for (int64_t baseSplit = 0; baseSplit <= rank; ++baseSplit)
      for (bool keepUnits : {true, false}) {
        // A tensor may be split anywhere on the way.
        const int64_t first = isTensor ? 0 : form.split;
        const int64_t last = isTensor ? viewRank : form.split;
        for (int64_t split = first; split <= last; ++split) {
          Chain chain(base);
          chain.splitAt(baseSplit);
          if (!unpadded.baseLow.empty())
            chain.pad(unpadded.baseLow, unpadded.baseHigh,
                      form.getBackground());
          if (!writeView(chain, *digits, {baseSplit, keepUnits},
                         unpadded.view.getShape(), split))
            continue;
          if (!unpadded.low.empty())
            chain.pad(unpadded.low, unpadded.high, form.getBackground());
          if (isTensor)
            chain.toTensor();
          if (!best || chain.drafts.size() < best->drafts.size())
            best = std::move(chain);
        }
      }
  }
  if (!best || best->drafts.empty())
    return std::nullopt;
  MovementPlan plan = best->finish(base);
  return plan.steps.back().type == type ? std::optional(plan) : std::nullopt;
}
