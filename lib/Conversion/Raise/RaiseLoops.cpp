//===- RaiseLoops.cpp - Operands over loops become access patterns --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an operand's indices become views (Glenside, section 5.1):
//
// 1. negative coefficients in sums are reversed: the loop runs backwards
//    over the finished pattern; one `slice` cuts out what is read, with the
//    strides, also negative ones, of dimensions that one loop moves;
// 2. a dimension whose index numbers several loops of one side, row-major,
//    is reshaped to them;
// 3. dimensions of one parallel loop become access dimensions in loop order,
//    all others compute dimensions in the order of their reduction loops;
// 4. `windows` takes place·stride + within·dilation apart: each `within` is the
//    window, each `place` a new access dimension. A compute dimension that does
//    not slide has a window as long as it is, hence one place, without a loop.
//    Three and more terms take one more round for each;
// 5. whatever order of loops is asked for: squeeze, transpose, insert_axis and
//    broadcast, and a new split. No broadcast has a size that is unknown at
//    compile time: cart_prod with a tensor of that size has, and its right
//    elements are the pattern, repeated.
//
// A contraction of two operands that share no parallel loop takes step 5 only
// after its cart_prod and dot_prod, on the finished result, as Glenside does.
//
//===----------------------------------------------------------------------===//

#include "RaiseBuilder.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isDynamic(int64_t size) { return ShapedType::isDynamic(size); }

static bool isReduction(const LoopNest &nest, int64_t loop) {
  return llvm::is_contained(nest.reductions, loop);
}

/// The position of a loop in parallel ++ reductions.
static int64_t positionOf(const LoopNest &nest, int64_t loop) {
  const int64_t *it = llvm::find(nest.parallel, loop);
  if (it != nest.parallel.end())
    return it - nest.parallel.begin();
  return nest.parallel.size() +
         (llvm::find(nest.reductions, loop) - nest.reductions.begin());
}

/// The term that becomes the window: of a reduction where there is one, else
/// the one with the smallest step.
static const LoopTerm &windowTerm(const LoopNest &nest,
                                  const LoopIndex &index) {
  return *std::min_element(
      index.terms.begin(), index.terms.end(),
      [&](const LoopTerm &a, const LoopTerm &b) {
        return std::tuple(!isReduction(nest, a.loop), a.coefficient) <
               std::tuple(!isReduction(nest, b.loop), b.coefficient);
      });
}

/// How many elements the terms (with positive coefficients) span.
static std::optional<int64_t> spanOf(ArrayRef<LoopTerm> terms,
                                     ArrayRef<int64_t> ranges) {
  std::optional<int64_t> span = 1;
  for (const LoopTerm &term : terms) {
    span =
        checkedAdd(span, checkedMul(term.coefficient, ranges[term.loop] - 1));
  }
  return span;
}

std::optional<int64_t> mlir::tensoraccess::countDigits(ArrayRef<LoopTerm> terms,
                                                       ArrayRef<int64_t> ranges,
                                                       bool anyUnits) {
  std::optional<int64_t> step = 1;
  for (const LoopTerm &term : llvm::reverse(terms)) {
    const int64_t range = ranges[term.loop];
    if (step != term.coefficient && !(anyUnits && range == 1))
      return std::nullopt;
    step = isDynamic(range) ? std::nullopt : checkedMul(step, range);
  }
  return step.value_or(ShapedType::kDynamic);
}

//===----------------------------------------------------------------------===//
// Steps 1 to 4: from indices to a draft
//===----------------------------------------------------------------------===//

namespace {
/// What step 1 cuts the indices into.
struct Cut {
  SmallVector<LoopIndex> indices;
  SmallVector<int64_t> offsets, sizes, strides;
  /// Loops that run backwards over the finished pattern.
  SmallVector<int64_t> backwards;
  std::string why;
};
} // namespace

/// Step 1, and all checks of the indices. False, with the reason, where a view
/// can't express it.
static bool readIndices(const LoopNest &nest, ArrayRef<LoopIndex> indices,
                        ArrayRef<int64_t> shape, Cut &cut) {
  auto refuse = [&](const Twine &why) {
    cut.why = why.str();
    return false;
  };
  SmallVector<bool> seen(nest.ranges.size(), false);
  // Ranges that are unknown are negative.
  const bool mayBeEmpty =
      llvm::any_of(nest.ranges, [](int64_t range) { return range <= 0; });
  for (auto [dim, source] : llvm::enumerate(indices)) {
    LoopIndex index;
    index.offset = source.offset;
    // Only a dimension that one loop walks alone, as it is written, is as long
    // as the loop. One iteration of any other index reads the same element,
    // but the dimension may be longer.
    int64_t walks = llvm::count_if(source.terms, [](const LoopTerm &term) {
      return term.coefficient != 0;
    });
    bool whole = walks == 1 && source.offset == 0 &&
                 llvm::any_of(source.terms, [](const LoopTerm &term) {
                   return term.coefficient == 1;
                 });
    for (const LoopTerm &term : source.terms) {
      int64_t range = nest.ranges[term.loop];
      // A loop of one iteration may be anywhere: its index is 0.
      if (term.coefficient == 0 || (seen[term.loop] && range == 1))
        continue;
      if (seen[term.loop])
        return refuse("an operand is indexed by loop " + Twine(term.loop) +
                      " twice");
      seen[term.loop] = true;
      index.terms.push_back(term);
    }
    // The largest step first; INT64_MIN has no absolute value.
    llvm::sort(index.terms, [](const LoopTerm &a, const LoopTerm &b) {
      auto key = [](const LoopTerm &term) {
        return std::pair(-std::abs(std::max(term.coefficient, -INT64_MAX)),
                         term.loop);
      };
      return key(a) < key(b);
    });
    int64_t size = shape[dim];
    // A slice reads its places whether there is a loop for them or not.
    const bool isPinned = isDynamic(size) && !whole && mayBeEmpty;
    auto refusePinned = [&, dim = dim] {
      return refuse("dimension " + Twine(dim) +
                    " is read at places that it need not have where a loop is "
                    "empty, and its size is unknown at compile time");
    };
    if (index.terms.size() == 1) {
      LoopTerm &term = index.terms[0];
      int64_t range = nest.ranges[term.loop];
      if (range == 0 || range == 1)
        term.coefficient = 1;
      if (range == 0)
        index.offset = 0;
      if (isDynamic(range) && !whole)
        return refuse("dimension " + Twine(dim) + " is read with stride " +
                      Twine(term.coefficient) + " from " + Twine(index.offset) +
                      ", and how often is unknown at compile time");
      if (isPinned)
        return refusePinned();
      cut.offsets.push_back(index.offset);
      cut.strides.push_back(term.coefficient);
      if (whole && (isDynamic(range) || isDynamic(size)))
        cut.sizes.push_back(isDynamic(size) ? -1 : size);
      else
        cut.sizes.push_back(range);
      cut.indices.push_back(index);
      continue;
    }
    if (isPinned && index.terms.empty())
      return refusePinned();
    cut.strides.push_back(1);
    if (index.terms.empty()) {
      cut.offsets.push_back(index.offset);
      cut.sizes.push_back(1);
      cut.indices.push_back(LoopIndex::constant(0));
      continue;
    }
    if (isDynamic(size))
      return refuse("a window slides over dimension " + Twine(dim) +
                    ", whose size is unknown at compile time");
    for (LoopTerm &term : index.terms) {
      int64_t range = nest.ranges[term.loop];
      if (isDynamic(range))
        return refuse("loop " + Twine(term.loop) + " slides over dimension " +
                      Twine(dim) +
                      " a number of times that is unknown at "
                      "compile time");
      if (term.coefficient > 0)
        continue;
      std::optional<int64_t> reach = checkedMul(term.coefficient, range - 1);
      std::optional<int64_t> offset =
          reach ? checkedAdd(index.offset, *reach) : std::nullopt;
      if (!offset || term.coefficient == INT64_MIN)
        return refuse("the index of dimension " + Twine(dim) + " overflows");
      index.offset = *offset;
      term.coefficient = -term.coefficient;
      cut.backwards.push_back(term.loop);
    }
    if (llvm::any_of(index.terms, [&](const LoopTerm &term) {
          return nest.ranges[term.loop] == 0;
        }))
      return refuse("a window over dimension " + Twine(dim) + " is empty");
    std::optional<int64_t> span = spanOf(index.terms, nest.ranges);
    if (!span)
      return refuse("the index of dimension " + Twine(dim) + " overflows");
    // Places beyond those of the result, at the end of the dimension: whole
    // dimensions are kept where `windows` finds exactly as many places.
    const LoopTerm &window = windowTerm(nest, index);
    bool exact = false;
    if (index.terms.size() == 2 && index.offset == 0) {
      const LoopTerm &place = index.terms[&index.terms[0] == &window ? 1 : 0];
      exact = windowCount(size, nest.ranges[window.loop], place.coefficient,
                          window.coefficient) == nest.ranges[place.loop];
    }
    cut.offsets.push_back(index.offset);
    cut.sizes.push_back(exact ? size : *span);
    index.offset = 0;
    cut.indices.push_back(index);
  }
  return true;
}

PatternDraft RaiseBuilder::draft(const LoopNest &nest,
                                 const LoopOperand &operand) {
  auto failed = [&](const Twine &why) {
    fail(why);
    return PatternDraft();
  };
  if (!operand.source)
    return failed("an operand is missing");
  SmallVector<int64_t> shape;
  if (auto type = dyn_cast<AccessType>(operand.source.getType()))
    shape = type.getShape();
  else if (auto type = dyn_cast<RankedTensorType>(operand.source.getType()))
    llvm::append_range(shape, type.getShape());
  else
    return failed("it works on something that is not a tensor with a rank");
  if (shape.size() != operand.indices.size())
    return failed("an operand has " + Twine(shape.size()) + " dimensions and " +
                  Twine(operand.indices.size()) + " indices");
  Cut cut;
  if (!readIndices(nest, operand.indices, shape, cut))
    return failed(cut.why);

  // Step 3 decides the split that `access` takes, if step 2 does nothing.
  auto isAccess = [&](const LoopIndex &index) {
    if (index.terms.empty())
      return true;
    return index.terms.size() == 1 && !isReduction(nest, index.terms[0].loop);
  };
  auto oneSide = [&](const LoopIndex &index) {
    int64_t reductions = llvm::count_if(index.terms, [&](const LoopTerm &term) {
      return isReduction(nest, term.loop);
    });
    return reductions == 0 ||
           reductions == static_cast<int64_t>(index.terms.size());
  };
  SmallVector<bool> reshaped;
  for (auto [index, size] : llvm::zip(cut.indices, cut.sizes))
    reshaped.push_back(index.terms.size() > 1 && oneSide(index) &&
                       !isDynamic(size) &&
                       countDigits(index.terms, nest.ranges) == size);
  bool reshapes = llvm::is_contained(reshaped, true);
  PatternDraft result;
  result.value =
      access(operand.source, reshapes ? static_cast<int64_t>(shape.size())
                                      : llvm::count_if(cut.indices, isAccess));
  result.value = slice(result.value, cut.offsets, cut.sizes, cut.strides);
  if (!result.value)
    return {};

  // Step 2.
  SmallVector<LoopIndex> indices;
  if (reshapes) {
    SmallVector<int64_t> sizes = typeOf(result.value).getShape(), split;
    for (auto [dim, index] : llvm::enumerate(cut.indices)) {
      if (!reshaped[dim]) {
        split.push_back(sizes[dim]);
        indices.push_back(index);
        continue;
      }
      for (const LoopTerm &term : index.terms) {
        split.push_back(nest.ranges[term.loop]);
        indices.push_back(LoopIndex(term.loop));
      }
    }
    result.value =
        access(reshape(result.value, split), llvm::count_if(indices, isAccess));
    if (!result.value)
      return {};
  } else {
    indices = cut.indices;
  }

  // Step 3.
  auto keyOf = [&](int64_t dim) {
    const LoopIndex &index = indices[dim];
    if (index.terms.empty())
      return std::tuple(0, int64_t(-1), dim);
    int64_t loop = index.terms.size() == 1 ? index.terms[0].loop
                                           : windowTerm(nest, index).loop;
    return std::tuple(isAccess(index) ? 0 : 1, positionOf(nest, loop), dim);
  };
  SmallVector<int64_t> perm = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(indices.size())));
  llvm::sort(perm, [&](int64_t a, int64_t b) { return keyOf(a) < keyOf(b); });
  result.value = transpose(result.value, perm);
  SmallVector<LoopIndex> sorted;
  for (int64_t dim : perm)
    sorted.push_back(indices[dim]);

  // Step 4.
  while (result.value && llvm::any_of(sorted, [](const LoopIndex &index) {
           return index.terms.size() > 1;
         })) {
    result = slideWindows(std::move(result), sorted, nest);
    slides = true;
  }
  if (!result.value)
    return {};
  for (const LoopIndex &index : sorted)
    result.loops.push_back(index.terms.empty() ? -1 : index.terms[0].loop);
  if (cut.backwards.empty())
    return result;
  SmallVector<int64_t> reversed;
  for (auto [dim, loop] : llvm::enumerate(result.loops))
    if (llvm::is_contained(cut.backwards, loop))
      reversed.push_back(dim);
  result.value = reverse(result.value, reversed);
  return result;
}

/// One round of step 4: `indices` belong to the draft's dimensions before and,
/// in the end, after it.
PatternDraft RaiseBuilder::slideWindows(PatternDraft draft,
                                        SmallVectorImpl<LoopIndex> &indices,
                                        const LoopNest &nest) {
  AccessType type = typeOf(draft.value);
  int64_t split = type.getAccessRank();
  SmallVector<int64_t> shape, strides, dilations;
  SmallVector<LoopIndex> places, windows;
  for (auto [index, size] :
       llvm::zip(ArrayRef<LoopIndex>(indices).drop_front(split),
                 type.getComputeShape())) {
    strides.push_back(1);
    dilations.push_back(1);
    if (index.terms.size() < 2) {
      if (isDynamic(size)) {
        fail("a window slides beside a dimension of unknown size");
        return {};
      }
      shape.push_back(size);
      places.push_back(LoopIndex::constant(0));
      windows.push_back(index);
      continue;
    }
    LoopTerm window = windowTerm(nest, index);
    // The place is the term with the largest step that is not the window.
    LoopIndex rest;
    LoopTerm place{-1, 0};
    for (const LoopTerm &term : index.terms)
      if (place.loop < 0 && term.loop != window.loop)
        place = term;
      else
        rest.terms.push_back(term);
    places.push_back(LoopIndex(place.loop));
    strides.back() = place.coefficient;
    if (rest.terms.size() == 1) {
      shape.push_back(nest.ranges[window.loop]);
      dilations.back() = window.coefficient;
      rest.terms[0].coefficient = 1;
    } else {
      shape.push_back(*spanOf(rest.terms, nest.ranges));
    }
    windows.push_back(rest);
  }
  draft.value = this->windows(draft.value, shape, strides, dilations);
  indices.truncate(split);
  llvm::append_range(indices, places);
  llvm::append_range(indices, windows);
  return draft;
}

//===----------------------------------------------------------------------===//
// Step 5: from a draft to an order of loops
//===----------------------------------------------------------------------===//

Value RaiseBuilder::arrange(PatternDraft draft, const LoopNest &nest,
                            ArrayRef<int64_t> accessLoops,
                            ArrayRef<int64_t> computeLoops) {
  if (!draft.value)
    return {};
  ArrayRef<int64_t> ranges = nest.ranges;
  SmallVector<int64_t> wanted(accessLoops);
  llvm::append_range(wanted, computeLoops);
  for (int64_t dim = draft.loops.size() - 1; dim >= 0; --dim) {
    int64_t loop = draft.loops[dim];
    if (loop >= 0 && llvm::is_contained(wanted, loop))
      continue;
    if (loop >= 0 && ranges[loop] != 1)
      return fail("loop " + Twine(loop) + " of " + shapeToString(ranges[loop]) +
                  " indexes an operand but not the result");
    draft.value = squeeze(draft.value, dim);
    draft.loops.erase(draft.loops.begin() + dim);
  }
  SmallVector<int64_t> perm;
  SmallVector<int64_t> missing;
  for (auto [at, loop] : llvm::enumerate(wanted)) {
    const int64_t *it = llvm::find(draft.loops, loop);
    if (it == draft.loops.end())
      missing.push_back(at);
    else
      perm.push_back(it - draft.loops.begin());
  }
  draft.value = transpose(draft.value, perm);
  // Ascending, so that each position is one of the finished pattern.
  for (int64_t at : missing) {
    const int64_t loop = wanted[at];
    if (isDynamic(ranges[loop]) && !nest.sizes.empty() &&
        nest.sizes[loop].first)
      draft.value = repeat(draft.value, at, nest.sizes[loop].first,
                           nest.sizes[loop].second);
    else
      draft.value = insertAxis(draft.value, at);
  }
  if (!draft.value)
    return {};
  SmallVector<int64_t> shape = typeOf(draft.value).getShape();
  for (int64_t at : missing)
    shape[at] = ranges[wanted[at]];
  draft.value = broadcast(draft.value, shape);
  return access(draft.value, accessLoops.size());
}

Value RaiseBuilder::pattern(const LoopNest &nest, const LoopOperand &operand) {
  return arrange(draft(nest, operand), nest, nest.parallel, nest.reductions);
}

Value RaiseBuilder::finishResult(const LoopNest &nest, PatternDraft result) {
  SmallVector<int64_t> order;
  for (ArrayRef<int64_t> loops : nest.result)
    llvm::append_range(order, loops);
  Value pattern = arrange(std::move(result), nest, order, {});
  if (llvm::all_of(nest.result,
                   [](ArrayRef<int64_t> loops) { return loops.size() == 1; }))
    return pattern;
  SmallVector<int64_t> shape;
  for (ArrayRef<int64_t> loops : nest.result) {
    std::optional<int64_t> size = 1;
    for (int64_t loop : loops) {
      int64_t range = nest.ranges[loop];
      if (loops.size() == 1)
        size = range;
      else if (isDynamic(range))
        return fail("a dimension of the result groups loop " + Twine(loop) +
                    " of unknown size");
      else
        size = checkedMul(size, range);
    }
    if (!size)
      return fail("a dimension of the result overflows");
    shape.push_back(*size);
  }
  return reshape(pattern, shape);
}

Value RaiseBuilder::arrangeResult(const LoopNest &nest, Value pattern) {
  if (!pattern)
    return fail("an operand is missing");
  return finishResult(nest, PatternDraft{pattern, nest.parallel});
}

//===----------------------------------------------------------------------===//
// Whole ops
//===----------------------------------------------------------------------===//

/// True if the draft's access dimensions are parallel loops and its compute
/// dimensions all reductions, in their order.
bool RaiseBuilder::isClean(const LoopNest &nest,
                           const PatternDraft &draft) const {
  ArrayRef<int64_t> loops = draft.loops;
  int64_t split = typeOf(draft.value).getAccessRank();
  return loops.drop_front(split) == ArrayRef<int64_t>(nest.reductions) &&
         llvm::none_of(loops.take_front(split),
                       [&](int64_t loop) { return isReduction(nest, loop); });
}

Value RaiseBuilder::contraction(const LoopNest &nest,
                                ArrayRef<LoopOperand> factors,
                                Type accumulator) {
  slides = false;
  if (factors.size() == 1)
    return reduction(nest, ComputeKind::ReduceSum, factors[0], accumulator);
  SmallVector<PatternDraft> drafts;
  for (const LoopOperand &factor : factors) {
    drafts.push_back(draft(nest, factor));
    if (!drafts.back())
      return {};
  }
  bool product = drafts.size() == 2 && isClean(nest, drafts[0]) &&
                 isClean(nest, drafts[1]) &&
                 llvm::none_of(drafts[1].loops, [&](int64_t loop) {
                   return loop >= 0 && nest.ranges[loop] != 1 &&
                          !isReduction(nest, loop) &&
                          llvm::is_contained(drafts[0].loops, loop);
                 });
  if (!product) {
    SmallVector<Value> patterns;
    for (PatternDraft &draft : drafts)
      patterns.push_back(
          arrange(std::move(draft), nest, nest.parallel, nest.reductions));
    return arrangeResult(
        nest, compute(ComputeKind::DotProd, tuple(patterns), accumulator));
  }
  // A loop of one iteration may index both operands; the left one keeps it.
  PatternDraft &lhs = drafts[0], &rhs = drafts[1];
  int64_t split = typeOf(rhs.value).getAccessRank();
  for (int64_t dim = split - 1; dim >= 0; --dim)
    if (rhs.loops[dim] >= 0 && llvm::is_contained(lhs.loops, rhs.loops[dim])) {
      rhs.value = squeeze(rhs.value, dim);
      rhs.loops.erase(rhs.loops.begin() + dim);
      --split;
    }
  PatternDraft result;
  result.value = compute(ComputeKind::DotProd, cartProd(lhs.value, rhs.value),
                         accumulator);
  ArrayRef<int64_t> left = lhs.loops, right = rhs.loops;
  llvm::append_range(result.loops,
                     left.take_front(typeOf(lhs.value).getAccessRank()));
  llvm::append_range(result.loops, right.take_front(split));
  return finishResult(nest, std::move(result));
}

Value RaiseBuilder::reduction(const LoopNest &nest, ComputeKind kind,
                              const LoopOperand &operand, Type accumulator) {
  slides = false;
  PatternDraft source = draft(nest, operand);
  if (!source)
    return {};
  if (!isClean(nest, source)) {
    Value items =
        arrange(std::move(source), nest, nest.parallel, nest.reductions);
    return arrangeResult(nest, compute(kind, items, accumulator));
  }
  PatternDraft result;
  ArrayRef<int64_t> loops = source.loops;
  llvm::append_range(result.loops,
                     loops.take_front(typeOf(source.value).getAccessRank()));
  result.value = compute(kind, source.value, accumulator);
  return finishResult(nest, std::move(result));
}

Value RaiseBuilder::movement(const LoopNest &nest, const LoopOperand &operand) {
  slides = false;
  return arrangeResult(nest, pattern(nest, operand));
}
