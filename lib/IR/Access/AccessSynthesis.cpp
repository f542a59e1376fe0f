//===- AccessSynthesis.cpp - Movement ops from a canonical form -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Padding is removed: either the base is padded until every index lies
//    inside, or the view is a padded smaller view, or both: first the margins
//    of the view that are padding all along, then the base. What is left reads
//    one base all over. Padding that is not seen in dimensions that stand for
//    several is seen once they are cut; a reshape joins them again.
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

#include "MovementChain.h"

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;

/// Points visited to count a padded piece.
static constexpr uint64_t kCountBudget = 1u << 14;
/// Rounds of cutting dimensions into digits.
static constexpr unsigned kMaxCuts = 3;

namespace {

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
  /// The slice that reads no more than the view does.
  Sizes offsets, steps, strides;
  /// The first base dimension that is read in windows, or the rank.
  size_t firstWindow = 0;
  /// Digits that no base dimension mentions: of each whether it is one, and the
  /// list.
  SmallVector<bool> isFree;
  SmallVector<unsigned> free;

  bool hasWindows() const { return firstWindow != base.size(); }
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

/// Step 2: the view with its dimensions cut into digits. std::nullopt if
/// divisions remain.
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
    digits.offsets.push_back(dim->offset);
    digits.steps.push_back(dim->size);
    digits.strides.push_back(dim->stride);
    digits.base.push_back(std::move(*dim));
  }
  while (digits.hasWindows() && !digits.base[digits.firstWindow].isWindow)
    ++digits.firstWindow;
  for (unsigned i = 0; i < digits.sizes.size(); ++i)
    if (digits.isFree[i])
      digits.free.push_back(i);
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

/// Writes the ops of a view that reads all over, from the split base on, so
/// that the chain ends in shape `shape` split at `split`. False if the choice
/// does not allow it, or the chain gets too long.
static bool writeView(Chain &chain, const Digits &digits, const Choice &choice,
                      ArrayRef<int64_t> shape, int64_t split) {
  if (digits.hasWindows() &&
      static_cast<int64_t>(digits.firstWindow) < chain.split)
    return false;
  chain.slice(digits.offsets, digits.steps, digits.strides);
  // The digits in the order in which the chain has them.
  SmallVector<ArrayRef<unsigned>, 8> slots;
  if (!digits.hasWindows()) {
    for (const BaseDim &dim : digits.base)
      slots.push_back(dim.digits);
  } else {
    Sizes places, window, steps, dilations;
    SmallVector<ArrayRef<unsigned>, 8> kernelSlots;
    for (const BaseDim &dim : ArrayRef(digits.base).take_front(chain.split))
      slots.push_back(dim.digits);
    for (const BaseDim &dim : ArrayRef(digits.base).drop_front(chain.split)) {
      ArrayRef<unsigned> ofPlace, ofKernel;
      const bool isAccess =
          !dim.digits.empty() &&
          static_cast<int64_t>(digits.dimOf[dim.digits.front()]) < split;
      steps.push_back(dim.windowStride);
      dilations.push_back(dim.dilation);
      if (dim.isWindow) {
        places.push_back(digits.sizes[dim.digits[0]]);
        window.push_back(digits.sizes[dim.digits[1]]);
        ofPlace = ArrayRef(dim.digits).take_front();
        ofKernel = ArrayRef(dim.digits).drop_front();
      } else {
        places.push_back(isAccess ? dim.size : 1);
        window.push_back(isAccess ? 1 : dim.size);
        (isAccess ? ofPlace : ofKernel) = dim.digits;
      }
      slots.push_back(ofPlace);
      kernelSlots.push_back(ofKernel);
    }
    llvm::append_range(slots, kernelSlots);
    if (!chain.windows(places, window, steps, dilations))
      return false;
  }
  if (chain.isTooLong())
    return false;
  // Free digits, in order; the base's units may stand for them.
  SmallVector<bool> isKept(digits.sizes.size(), false);
  SmallVector<unsigned> order;
  int64_t orderSplit = 0;
  ArrayRef<unsigned> nextFree = digits.free;
  Sizes cutShape;
  for (auto [slot, list] : llvm::enumerate(slots)) {
    if (list.empty() && choice.keepUnits && !nextFree.empty()) {
      list = nextFree.take_front();
      isKept[list.front()] = true;
      nextFree = nextFree.drop_front();
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
    if (chain.isTooLong())
      return false;
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
    if (!chain.broadcast(fullShape))
      return false;
  }
  return chain.reshape(shape, split);
}

namespace {

/// A view with its padding taken off.
struct Unpadded {
  CanonicalAccess view;
  /// Padding of the base, and of the view.
  Sizes baseLow, baseHigh, low, high, interior;
};

} // namespace

/// Padding of the base: the same index over the whole box, where "outside of
/// the base" is where the background is.
static std::optional<Unpadded> padBase(const CanonicalAccess &access) {
  const AccessPiece &piece = access.getPieces()[0];
  ArrayRef<int64_t> baseShape = access.getSourceShape(piece.source.index);
  auto write = [&](ArrayRef<int64_t> shift, bool restrict) {
    IndexingMapBuilder builder;
    SmallVector<Form> dims = builder.addDims(access.getShape());
    Substitution substitute(builder.arena(), piece.map.getArena(), dims);
    for (auto [i, form] : llvm::enumerate(piece.map.getResults())) {
      Form moved = substitute(form);
      if (restrict)
        builder.addConstraint(moved, Interval::ofExtent(baseShape[i]));
      builder.addResult(
          builder.arena().add(moved, Form(shift.empty() ? 0 : shift[i])));
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
    // As long as from the least index, or 0, to the greatest, or the last one.
    const int64_t first = std::min<int64_t>(0, range.lower);
    std::optional<int64_t> length =
        checkedAdd(checkedSub(std::max(size - 1, range.upper), first), 1);
    if (!length)
      return std::nullopt;
    result.baseLow.push_back(-first);
    result.baseHigh.push_back(std::max<int64_t>(0, range.upper - (size - 1)));
    padded.push_back(*length);
  }
  std::optional<CanonicalAccess> view =
      CanonicalAccess::identity(padded, piece.source.index)
          .pullBack(access.getShape(), write(result.baseLow, false));
  if (!view)
    return std::nullopt;
  result.view = std::move(*view);
  return result;
}

/// Padding of the view, whose piece holds at regular steps of a box.
static std::optional<Unpadded> padView(const CanonicalAccess &access) {
  const IndexingMap &map = access.getPieces()[0].map;
  const FormArena &arena = map.getArena();
  // Steps that divisions of single dims suggest; counting tells if they hold.
  Sizes strides(access.getRank(), 1);
  for (AtomId id = arena.getNumVariables(); id < arena.getNumAtoms(); ++id) {
    FormRef body = arena.body(id);
    if (!map.getConstraints().empty() && body.terms.size() == 1 &&
        arena.isVariable(body.terms[0].atom))
      strides[body.terms[0].atom] =
          std::max<int64_t>(1, arena.getAtom(id).divisor);
  }
  Unpadded result;
  Sizes sizes;
  for (auto [i, size] : llvm::enumerate(access.getShape())) {
    const Interval range = map.getDimRanges()[i];
    const int64_t taken = (range.upper - range.lower) / strides[i] + 1;
    // Where there is one element, there is nothing between.
    if (taken == 1)
      strides[i] = 1;
    sizes.push_back(taken);
    result.low.push_back(range.lower);
    result.interior.push_back(strides[i] - 1);
    result.high.push_back(size - 1 - range.lower - (taken - 1) * strides[i]);
  }
  if (!map.getConstraints().empty()) {
    // A corner that is missing refutes it at once.
    SmallVector<int64_t> corner(sizes.size());
    for (unsigned mask = 0; mask < 16; ++mask) {
      for (unsigned i = 0; i < sizes.size(); ++i)
        corner[i] = map.getDimRanges()[i].lower +
                    (mask >> (i % 4) & 1 ? (sizes[i] - 1) * strides[i] : 0);
      if (!map.containsPoint(corner))
        return std::nullopt;
    }
    std::optional<int64_t> count = elementCount(sizes);
    std::optional<uint64_t> points =
        countPoints(map.withResults({}), kCountBudget);
    if (!count || !points || static_cast<uint64_t>(*count) != *points)
      return std::nullopt;
  }
  std::optional<CanonicalAccess> view =
      sliceAccess(access, result.low, sizes, strides);
  if (!view)
    return std::nullopt;
  result.view = std::move(*view);
  return result;
}

/// Padding of the view at its margins, and of the base for what is left:
/// windows some of which lie in the padding altogether.
static std::optional<Unpadded> padViewAndBase(const CanonicalAccess &access) {
  const IndexingMap &map = access.getPieces()[0].map;
  Sizes low, high, sizes;
  bool isCut = false;
  for (auto [range, size] :
       llvm::zip_equal(map.getDimRanges(), access.getShape())) {
    if (!range.isFinite())
      return std::nullopt;
    low.push_back(range.lower);
    high.push_back(size - 1 - range.upper);
    sizes.push_back(range.upper - range.lower + 1);
    isCut |= sizes.back() != size;
  }
  if (!isCut)
    return std::nullopt;
  std::optional<CanonicalAccess> middle =
      sliceAccess(access, low, sizes, Sizes(sizes.size(), 1));
  if (!middle || !middle->getBackground() || middle->getPieces().size() != 1)
    return std::nullopt;
  std::optional<Unpadded> result = padBase(*middle);
  if (!result)
    return std::nullopt;
  result->low = std::move(low);
  result->high = std::move(high);
  return result;
}

/// A view with a background, its dimensions cut as the divisions in it ask for,
/// and the dimension of `access` that each is of.
static std::optional<std::pair<CanonicalAccess, SmallVector<unsigned>>>
cutPadded(const CanonicalAccess &access) {
  CanonicalAccess fine = access;
  SmallVector<unsigned> dimOf(access.getRank());
  std::iota(dimOf.begin(), dimOf.end(), 0);
  for (unsigned round = 0; round < kMaxCuts; ++round) {
    if (fine.getPieces().size() != 1)
      return std::nullopt;
    const IndexingMap &map = fine.getPieces()[0].map;
    std::vector<std::set<int64_t>> cuts(fine.getRank());
    if (!addCuts(map, fine.getShape(), cuts))
      return std::nullopt;
    Sizes sizes;
    SmallVector<unsigned> next;
    for (auto [i, size] : llvm::enumerate(fine.getShape())) {
      int64_t rest = size;
      for (int64_t divisor : llvm::reverse(cuts[i])) {
        if (rest % divisor != 0)
          return std::nullopt;
        sizes.push_back(rest / divisor);
        next.push_back(dimOf[i]);
        rest = divisor;
      }
      sizes.push_back(rest);
      next.push_back(dimOf[i]);
    }
    if (sizes.size() == fine.getShape().size())
      break;
    std::optional<CanonicalAccess> finer = reshapeAccess(fine, sizes);
    if (!finer)
      return std::nullopt;
    fine = std::move(*finer);
    dimOf = std::move(next);
  }
  if (fine.getRank() == access.getRank() || fine.getPieces().size() != 1)
    return std::nullopt;
  return std::pair(std::move(fine), std::move(dimOf));
}

/// The plan of a view of one base.
std::optional<MovementPlan>
mlir::tensoraccess::detail::planPiece(const AccessForm &form, Type type) {
  const CanonicalAccess &access = form.access;
  Value base = form.getBase(access.getPieces()[0]);
  if (base.getType() == type && form.asIdentity())
    return MovementPlan{{base}, {}};
  auto tensorType = dyn_cast<RankedTensorType>(type);
  auto baseTensor = dyn_cast<RankedTensorType>(base.getType());
  if ((tensorType && tensorType.getEncoding()) ||
      (baseTensor && baseTensor.getEncoding() && !form.asIdentity()))
    return std::nullopt;

  const bool isTensor = tensorType != nullptr;
  // The ops of a view of the base, by one choice.
  auto write = [&](Chain &chain, const Unpadded &unpadded, const Digits &digits,
                   const Choice &choice, int64_t split) {
    chain.splitAt(choice.baseSplit);
    if (!unpadded.baseLow.empty())
      chain.pad(unpadded.baseLow, unpadded.baseHigh, {}, form.getBackground());
    if (!writeView(chain, digits, choice, unpadded.view.getShape(), split))
      return false;
    if (!unpadded.low.empty())
      chain.pad(unpadded.low, unpadded.high, unpadded.interior,
                form.getBackground());
    if (!isTensor && !chain.reshape(access.getShape(), form.split))
      return false;
    if (isTensor)
      chain.toTensor();
    return !chain.isTooLong();
  };
  const Chain start(base);
  std::optional<Chain> best;
  // Tries a view of the base, split at one of [first, last].
  auto tryView = [&](const Unpadded &unpadded, int64_t first, int64_t last) {
    std::optional<Digits> digits = takeApart(unpadded.view);
    if (!digits)
      return;
    std::optional<std::pair<Choice, int64_t>> found;
    Chain::Cost limit =
        best ? best->getCost() : Chain::Cost(SIZE_MAX, SIZE_MAX);
    // With windows, as few dimensions as possible have trivial ones.
    const int64_t rank = digits->base.size();
    for (int64_t baseSplit = rank; baseSplit >= 0; --baseSplit)
      for (bool keepUnits : {true, false}) {
        // Where no digit is free, units stand for nothing anyway.
        if (!keepUnits && digits->free.empty())
          continue;
        for (int64_t split = first; split <= last; ++split) {
          const Choice choice{baseSplit, keepUnits};
          Chain trial = start.makeTrial(limit);
          if (!write(trial, unpadded, *digits, choice, split))
            continue;
          limit = trial.getCost();
          found = {choice, split};
        }
      }
    if (!found)
      return;
    best = start;
    write(*best, unpadded, *digits, found->first, found->second);
  };
  auto tryAll = [&](const CanonicalAccess &view, int64_t first, int64_t last) {
    for (auto make : {padBase, padView, padViewAndBase})
      if (std::optional<Unpadded> unpadded = make(view))
        if (unpadded->view.asSinglePiece())
          tryView(*unpadded, first, last);
  };
  // A tensor may be split anywhere on the way.
  const int64_t first = isTensor ? 0 : form.split,
                last = isTensor ? access.getRank() : form.split;
  if (!access.getBackground())
    tryView({access, {}, {}, {}, {}, {}}, first, last);
  else
    tryAll(access, first, last);
  if (!best && access.getBackground() && !isTensor)
    if (auto cut = cutPadded(access)) {
      const int64_t split = llvm::count_if(cut->second, [&](unsigned dim) {
        return static_cast<int64_t>(dim) < form.split;
      });
      tryAll(cut->first, split, split);
    }
  if (!best || best->drafts.empty())
    return std::nullopt;
  MovementPlan plan = best->finish(base);
  return plan.steps.back().type == type ? std::optional(plan) : std::nullopt;
}
