//===- RaiseNest.cpp - The nest of an op as loops over operands -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes become loops in their order. An operand that is read under a guard at
// places outside of it is padded there; one that is read at every k-th place
// (p floordiv k where p mod k is 0) has k - 1 elements put between.
//
//===----------------------------------------------------------------------===//

#include "RaiseNest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<NestPlace> NestPlace::get(const Nest &nest, const NestRead &read,
                                        unsigned dim, int64_t size) {
  const FormArena &forms = nest.getForms();
  const Form &form = read.index[dim];
  NestPlace result{form};
  for (const NestSpread &spread : read.spreads)
    if (spread.dim == dim) {
      result.place = spread.place;
      result.step = spread.step;
    }
  const bool isGuarded = llvm::any_of(read.guards, [&](const NestGuard &guard) {
    return guard.size && guard.form == form;
  });
  if (!isGuarded && result.step != 1)
    return std::nullopt;
  const Interval reach = forms.range(result.place);
  const bool isKnown = reach.isFinite() && !ShapedType::isDynamic(size);
  if (!isKnown)
    return isGuarded ? std::nullopt : std::optional(std::move(result));
  const int64_t last = size == 0 ? -1 : (size - 1) * result.step;
  // A loop that walks the dimension alone is as long as it: what it does not
  // reach is cut off.
  auto isMoving = [&](const Term &term) {
    return term.atom >= nest.axes.size() || !nest.axes[term.atom].isReduction ||
           nest.getExtent(term.atom) != 1;
  };
  const auto moving = llvm::make_filter_range(result.place.terms, isMoving);
  const bool isAlone = llvm::hasSingleElement(moving) &&
                       (*moving.begin()).coefficient == 1 && result.step == 1;
  if (isAlone || isGuarded) {
    result.low = -reach.lower;
    result.high = reach.upper - last;
  }
  if (!isAlone) {
    result.low = std::max<int64_t>(0, result.low);
    result.high = std::max<int64_t>(0, result.high);
  }
  return result;
}

bool NestPlace::areSaid(const NestRead &read) {
  return llvm::all_of(read.guards, [&](const NestGuard &guard) {
    return guard.size
               ? llvm::is_contained(read.index, guard.form)
               : !read.spreads.empty() && guard.interval == Interval::point(0);
  });
}

std::optional<NestLoops> NestLoops::get(RaiseBuilder &b, const Nest &nest,
                                        bool dropsUnits) {
  if (!nest.hasLoops() || nest.writes.size() != 1)
    return b.refuse("its loops are not known");
  NestLoops loops{nest, {}, {}};
  for (auto [a, axis] : llvm::enumerate(nest.axes)) {
    std::optional<int64_t> extent = nest.getExtent(a);
    const bool isDropped = dropsUnits && axis.isReduction && extent == 1;
    loops.numbers.push_back(isDropped ? -1 : loops.nest.ranges.size());
    if (isDropped)
      continue;
    (axis.isReduction ? loops.nest.reductions : loops.nest.parallel)
        .push_back(loops.nest.ranges.size());
    loops.nest.ranges.push_back(extent.value_or(ShapedType::kDynamic));
  }
  for (const Form &form : nest.writes[0].index) {
    std::optional<LoopIndex> index = loops.getIndex(form);
    if (!index || index->offset != 0)
      return b.refuse("its result is not numbered by loops");
    // Outermost first.
    llvm::stable_sort(index->terms, [](const LoopTerm &x, const LoopTerm &y) {
      return x.coefficient > y.coefficient;
    });
    SmallVector<int64_t, 1> &dim = loops.nest.result.emplace_back();
    for (const LoopTerm &term : index->terms)
      dim.push_back(term.loop);
  }
  return loops;
}

std::optional<LoopIndex> NestLoops::getIndex(FormRef form) const {
  LoopIndex index;
  index.offset = form.constant;
  for (const Term &term : form.terms) {
    if (term.atom >= numbers.size())
      return std::nullopt;
    if (numbers[term.atom] >= 0)
      index.terms.push_back({numbers[term.atom], term.coefficient});
  }
  return index;
}

std::optional<LoopOperand> NestLoops::getOperand(RaiseBuilder &b,
                                                 unsigned operand, Value source,
                                                 TypedAttr background) const {
  const NestRead *read = of.findRead(operand);
  if (!read || !NestPlace::areSaid(*read))
    return b.refuse("operand " + Twine(operand) + " is not read along loops");
  ArrayRef<int64_t> shape = cast<ShapedType>(source.getType()).getShape();
  SmallVector<int64_t> low, high, interior;
  LoopOperand result{source, {}};
  bool isPadded = false;
  for (unsigned d = 0; d < read->index.size(); ++d) {
    std::optional<NestPlace> place = NestPlace::get(of, *read, d, shape[d]);
    std::optional<LoopIndex> index =
        place ? getIndex(place->place) : std::nullopt;
    if (!index)
      return b.refuse("operand " + Twine(operand) +
                      " is not read along loops in dimension " + Twine(d));
    index->offset += place->low;
    result.indices.push_back(std::move(*index));
    low.push_back(place->low);
    high.push_back(place->high);
    interior.push_back(place->step - 1);
    isPadded |= place->isPadded();
  }
  if (!isPadded)
    return result;
  if (!background)
    return b.refuse("operand 1, what it pads by, is not a constant");
  result.source = b.pad(b.accessAll(source), low, high, background, interior);
  return result.source ? std::optional(std::move(result)) : std::nullopt;
}
