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
#include "TensorAccess/Core/Checked.h"
#include "llvm/ADT/SmallSet.h"

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
    return guard.size ? guard.form == form
                      : result.step != 1 && guard.form == result.place;
  });
  if (!isGuarded && result.step != 1)
    return std::nullopt;
  // A loop that walks the dimension alone is as long as it: what it does not
  // reach is cut off.
  auto isMoving = [&](const Term &term) {
    return term.atom >= nest.axes.size() || !nest.axes[term.atom].isReduction ||
           nest.getExtent(term.atom) != 1;
  };
  const auto moving = llvm::make_filter_range(result.place.terms, isMoving);
  const bool isAlone = llvm::hasSingleElement(moving) &&
                       (*moving.begin()).coefficient == 1 && result.step == 1;
  const Interval reach = forms.range(result.place);
  if (!reach.isFinite() || ShapedType::isDynamic(size)) {
    if (!isGuarded)
      return result;
    // How much longer the loop is may be known where its length is not.
    Form beyond;
    if (!isAlone || result.place.terms.size() != 1 ||
        result.place.terms[0].atom >= nest.axes.size() ||
        !FormArena::tryAddScaled(
            nest.axes[result.place.terms[0].atom].extent,
            nest.getSizes().resolve(nest.getOperands()[read.value][dim]), -1,
            beyond) ||
        !beyond.isConstant())
      return std::nullopt;
    result.low = -result.place.constant;
    result.high = beyond.constant + result.place.constant;
    return result;
  }
  if (isAlone || isGuarded) {
    result.low = -reach.lower;
    result.high = reach.upper - (size == 0 ? -1 : (size - 1) * result.step);
  }
  if (!isAlone) {
    result.low = std::max<int64_t>(0, result.low);
    result.high = std::max<int64_t>(0, result.high);
  }
  return result;
}

bool NestPlace::areSaid(const NestRead &read, ArrayRef<Form> result) {
  return llvm::all_of(read.guards, [&](const NestGuard &guard) {
    if (guard.size)
      return llvm::is_contained(read.index, guard.form) ||
             llvm::is_contained(result, guard.form);
    return llvm::any_of(read.spreads, [&](const NestSpread &spread) {
      return guard.interval == Interval::point(0) || guard.form == spread.place;
    });
  });
}

std::optional<NestLoops> NestLoops::get(Refusal &why, const Nest &nest,
                                        bool dropsUnits, unsigned result) {
  auto isOf = [&](const NestAccess &write) { return write.value == result; };
  if (!nest.hasLoops() || llvm::count_if(nest.writes, isOf) != 1)
    return why.refuse("its loops are not known");
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
  const NestAccess &write = *llvm::find_if(nest.writes, isOf);
  if (write.reason != IndexingReason::None)
    return why.refuse("its result is not numbered by loops");
  llvm::SmallSet<int64_t, 8> seen;
  for (const Form &form : write.index) {
    std::optional<LoopIndex> index = loops.getIndex(form);
    if (!index || !loops.orderDigits(*index, /*anyUnits=*/true))
      return why.refuse("its result is not numbered by loops");
    SmallVector<int64_t, 1> &dim = loops.nest.result.emplace_back();
    for (const LoopTerm &term : index->terms) {
      if (!seen.insert(term.loop).second)
        return why.refuse("its result is not numbered by loops");
      dim.push_back(term.loop);
    }
  }
  return loops;
}

std::optional<int64_t> NestLoops::orderDigits(LoopIndex &index,
                                              bool anyUnits) const {
  llvm::sort(index.terms, [](const LoopTerm &x, const LoopTerm &y) {
    const uint64_t a = magnitude(x.coefficient), b = magnitude(y.coefficient);
    return a != b ? a > b : x.loop < y.loop;
  });
  return index.offset == 0 ? countDigits(index.terms, nest.ranges, anyUnits)
                           : std::nullopt;
}

void NestLoops::setSizes(ValueRange operands) {
  nest.sizes.assign(nest.ranges.size(), {Value(), 0});
  for (auto [a, loop] : llvm::enumerate(numbers)) {
    if (loop < 0 || !ShapedType::isDynamic(nest.ranges[loop]))
      continue;
    for (auto [operand, sizes] : llvm::zip(operands, of.getOperands()))
      for (auto [d, size] : llvm::enumerate(sizes))
        if (!nest.sizes[loop].first &&
            of.getSizes().resolve(size) == of.axes[a].extent)
          nest.sizes[loop] = {operand, d};
  }
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

std::optional<NestPlaces> NestLoops::getPlaces(Refusal &why, unsigned operand,
                                               ArrayRef<int64_t> shape,
                                               ArrayRef<Form> cut) const {
  const NestRead *read = of.findRead(operand);
  if (!read || !NestPlace::areSaid(*read, cut))
    return why.refuse("operand " + Twine(operand) + " is not read along loops");
  if (read->reason != IndexingReason::None)
    return why.refuse("operand " + Twine(operand) +
                      " is not indexed by sums of loops");
  NestPlaces places;
  for (unsigned d = 0; d < read->index.size(); ++d) {
    std::optional<NestPlace> place = NestPlace::get(of, *read, d, shape[d]);
    std::optional<LoopIndex> index =
        place ? getIndex(place->place) : std::nullopt;
    if (!place)
      return why.refuse("a window slides over dimension " + Twine(d) +
                        ", whose size is unknown at compile time");
    if (!index)
      return why.refuse("dimension " + Twine(d) + " of operand " +
                        Twine(operand) + " is not indexed by a sum of loops");
    places.indices.push_back(std::move(*index));
    places.low.push_back(place->low);
    places.high.push_back(place->high);
    places.interior.push_back(place->step - 1);
  }
  return places;
}

std::optional<LoopOperand> NestLoops::getOperand(RaiseBuilder &b,
                                                 unsigned operand, Value source,
                                                 TypedAttr background,
                                                 ArrayRef<Form> cut) const {
  std::optional<NestPlaces> places =
      getPlaces(b, operand, cast<ShapedType>(source.getType()).getShape(), cut);
  if (!places)
    return std::nullopt;
  LoopOperand result{source, std::move(places->indices)};
  // What is only cut off is cut off by the index.
  auto isAdded = [](int64_t count) { return count > 0; };
  if (llvm::none_of(places->low, isAdded) &&
      llvm::none_of(places->high, isAdded) &&
      llvm::none_of(places->interior, isAdded))
    return result;
  for (auto [index, before] : llvm::zip_equal(result.indices, places->low))
    index.offset += before;
  result.source = b.pad(b.accessAll(source), places->low, places->high,
                        background, places->interior);
  return result.source ? std::optional(std::move(result)) : std::nullopt;
}

bool mlir::tensoraccess::isPlainMove(const Nest &nest) {
  return nest.hasLoops() && nest.body == NestBody::Move &&
         nest.writes.size() == 1 && nest.reads.size() == 1 &&
         nest.reads[0].value == 0 && nest.reads[0].guards.empty() &&
         llvm::all_of(nest.reads[0].index, [&](const Form &form) {
           return llvm::all_of(form.terms, [&](const Term &term) {
             return term.atom < nest.axes.size();
           });
         });
}

Value mlir::tensoraccess::raiseMove(RaiseBuilder &b, Operation *op,
                                    TypedAttr background) {
  NestRef nest = getNest(OpSignature(op));
  auto loops = NestLoops::get(b, *nest, /*dropsUnits=*/true);
  if (!loops)
    return {};
  if (nest->body != NestBody::Move || !loops->nest.reductions.empty())
    return b.fail("it does more than move elements");
  // The loops of a dimension one after the other.
  loops->nest.parallel.clear();
  for (ArrayRef<int64_t> dim : loops->nest.result)
    llvm::append_range(loops->nest.parallel, dim);
  ArrayRef<Form> index = nest->writes[0].index;
  auto operand = loops->getOperand(b, 0, op->getOperand(0), background, index);
  Value result = operand ? b.movement(loops->nest, *operand) : Value();
  // What loops number beyond the result is cut off.
  if (!result || NestPlace::areSaid(*nest->findRead(0)))
    return result;
  auto type = cast<ShapedType>(op->getResult(0).getType());
  return b.slice(result, SmallVector<int64_t>(type.getRank(), 0),
                 type.getShape());
}
