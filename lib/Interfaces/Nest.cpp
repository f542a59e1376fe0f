//===- Nest.cpp - Indexing maps of an op from its loops -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The projection onto a result and an operand: the axes, values and guards that
// either access mentions are copied into `Loops`, which solves for both sides.
//
// What is read where the guards g0, g1, ... of another read do not all hold is a
// union of disjoint parts: g0 .. gk-1 hold, and gk is below (or above) what it
// allows. Parts without a point are left out.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/Nest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Form NestAccess::spread(FormArena &arena, unsigned dim, Form place,
                        int64_t step) {
  if (step == 1)
    return place;
  require(arena.mod(place, step), Interval::point(0));
  Form form = arena.floorDiv(place, step);
  spreads.push_back({dim, std::move(place), step});
  return form;
}

Nest::Nest(const OpSizes &sizes, ArrayRef<SizeList> operands,
           ArrayRef<SizeList> results, ArrayRef<Form> extents)
    : sizes(sizes), operands(operands), results(results) {
  for (const Form &extent : extents) {
    const Form &resolved =
        axes.emplace_back(NestAxis{sizes.resolve(extent)}).extent;
    axisForms.push_back(forms.addVariable(
        resolved.isConstant() ? Interval::ofExtent(resolved.constant)
                              : Interval::atLeast(0)));
  }
  for (unsigned i = 0, e = this->sizes->getParameters().size(); i != e; ++i)
    forms.addVariable(Interval::atLeast(0));
}

Form Nest::size(FormRef size) {
  Form resolved = sizes->resolve(size), form(resolved.constant);
  ArrayRef<AtomId> names = sizes->getParameters();
  for (const Term &term : resolved.terms) {
    const auto position =
        static_cast<AtomId>(llvm::find(names, term.atom) - names.begin());
    form = forms.addScaled(form, Form::ofAtom(axes.size() + position),
                           term.coefficient);
  }
  return form;
}

Form Nest::last(FormRef extent) {
  Form form = size(extent);
  form.constant -= 1;
  return form;
}

Form Nest::addValue(Interval range, std::optional<Loops::Source> source) {
  values.push_back({range, std::move(source), {}});
  return forms.addVariable(range);
}

Form Nest::addIndex(FormRef extent, std::optional<Loops::Source> source) {
  std::optional<int64_t> number = sizes->getStatic(extent);
  Form index =
      addValue(number ? Interval::ofExtent(*number) : Interval::atLeast(0),
               std::move(source));
  if (!number)
    values.back().guards.push_back(
        {index, Interval::all(), sizes->resolve(extent)});
  return index;
}

Form Nest::addStart(FormRef whole, FormRef part, Loops::Source source) {
  std::optional<int64_t> wholeSize = sizes->getStatic(whole);
  std::optional<int64_t> partSize = sizes->getStatic(part);
  std::optional<int64_t> last =
      wholeSize && partSize ? checkedSub(*wholeSize, *partSize) : std::nullopt;
  Form start = addValue(last ? Interval(0, *last) : Interval::atLeast(0),
                        std::move(source));
  if (!last) {
    // start + part - whole <= 0
    Form end = forms.add(start, size(part));
    values.back().guards.push_back(
        {forms.sub(end, size(whole)), Interval::atMost(0), std::nullopt});
  }
  return start;
}

NestAccess &Nest::write(unsigned result, ArrayRef<Form> index) {
  NestAccess &access = writes.emplace_back();
  access.value = result;
  access.index.assign(index.begin(), index.end());
  return access;
}

NestRead &Nest::read(unsigned operand, ArrayRef<Form> index) {
  NestRead &access = reads.emplace_back();
  access.value = operand;
  access.index.assign(index.begin(), index.end());
  return access;
}

void Nest::readOutside(unsigned operand, ArrayRef<Form> index,
                       ArrayRef<NestGuard> guards) {
  if (!guards.empty())
    read(operand, index).outside.assign(guards.begin(), guards.end());
}

void Nest::readSingle(unsigned first, unsigned last) {
  for (unsigned o = first; o < last; ++o)
    read(o, SmallVector<Form>(operands[o].size()));
}

void Nest::readUnknown(unsigned operand, IndexingReason reason) {
  read(operand, {}).reason = reason;
}

void Nest::setMaps(unsigned result, unsigned operand,
                   const DetailedMap &toInput, const DetailedMap &toOutput) {
  given.push_back({result, operand, toInput, toOutput});
}

void Nest::readMaps(unsigned operand, const IndexingMap &toInput,
                    const IndexingMap &toOutput) {
  for (const IndexingMap *map : {&toInput, &toOutput})
    if (map->isUnknown())
      return readUnknown(operand, fromUnknownReason(map->getUnknownReason()));
  NestRead &access = read(operand, SmallVector<Form>(toInput.getNumResults()));
  if (toInput.isOrdinary()) {
    Substitution substitute(forms, toInput.getArena(), axisForms);
    for (auto [to, from] : llvm::zip_equal(access.index, toInput.getResults()))
      to = substitute(from);
    for (const Constraint &constraint : toInput.getConstraints())
      access.require(substitute(constraint.form), constraint.interval);
    for (auto [axis, range] : llvm::zip(axisForms, toInput.getDimRanges()))
      if (!range.contains(forms.range(axis)))
        access.require(axis, range);
  }
  setMaps(0, operand, {toInput, nullptr}, {toOutput, nullptr});
}

void Nest::markReductions() {
  SmallVector<char, 32> used(forms.getNumAtoms());
  for (const NestAccess &write : writes)
    for (const Form &form : write.index)
      forms.markUsed(form, used);
  for (auto [a, axis] : llvm::enumerate(axes))
    axis.isReduction = !used[a];
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

IndexingMap Nest::getMap(const NestAccess &access) const {
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (unsigned a = 0; a < axes.size(); ++a)
    images.push_back(
        builder.addDim(axes[a].extent.isConstant()
                           ? Interval::ofExtent(axes[a].extent.constant)
                           : Interval::atLeast(0)));
  ArrayRef<AtomId> names = sizes->getParameters();
  for (unsigned i = 0; i < names.size(); ++i)
    images.push_back(builder.addRuntime(Interval::atLeast(0), getSizeName(i)));
  for (const NestValue &value : values)
    images.push_back(builder.addRuntime(value.range));
  FormArena &arena = builder.arena();
  auto getSize = [&](FormRef size) {
    Form form(size.constant);
    for (const Term &term : size.terms)
      form = arena.addScaled(
          form,
          images[axes.size() + (llvm::find(names, term.atom) - names.begin())],
          term.coefficient);
    return form;
  };
  auto keepBelow = [&](const Form &form, FormRef size) {
    builder.addConstraint(arena.sub(form, getSize(size)), Interval::atMost(-1));
  };
  Substitution substitute(arena, forms, images);
  auto keep = [&](const NestGuard &guard) {
    Form form = substitute(guard.form);
    if (!guard.size)
      return builder.addConstraint(form, guard.interval);
    Form size = sizes->resolve(*guard.size);
    if (size.isConstant())
      return builder.addConstraint(form, Interval::ofExtent(size.constant));
    builder.addConstraint(form, Interval::atLeast(0));
    keepBelow(form, size);
  };
  for (auto [a, axis] : llvm::enumerate(axes))
    if (!axis.extent.isConstant())
      keepBelow(images[a], axis.extent);
  for (const NestValue &value : values)
    llvm::for_each(value.guards, keep);
  llvm::for_each(access.guards, keep);
  for (const Form &form : access.index)
    builder.addResult(substitute(form));
  return builder.build();
}

const NestRead *Nest::findRead(unsigned operand) const {
  auto read = llvm::find_if(
      reads, [&](const NestRead &read) { return read.value == operand; });
  return read == reads.end() ? nullptr : &*read;
}

std::optional<int64_t> Nest::countReductions() const {
  std::optional<int64_t> count = 1;
  for (const NestAxis &axis : axes)
    if (axis.isReduction)
      count = count && axis.extent.isConstant()
                  ? checkedMul(*count, axis.extent.constant)
                  : std::nullopt;
  return count;
}

std::optional<SmallVector<unsigned, 4>>
Nest::getPlainAxes(const NestAccess &access) const {
  SmallVector<unsigned, 4> list;
  for (const Form &form : access.index) {
    std::optional<AtomId> atom = form.asAtom();
    if (!atom || *atom >= axes.size() || llvm::is_contained(list, *atom))
      return std::nullopt;
    list.push_back(*atom);
  }
  return list;
}

//===----------------------------------------------------------------------===//
// The projection
//===----------------------------------------------------------------------===//

/// Whether an axis, perhaps shifted, surely ends within the guard's size.
static bool endsInside(const NestGuard &guard, ArrayRef<NestAxis> axes,
                       OpSizes &sizes) {
  if (!guard.size || guard.form.terms.size() != 1)
    return false;
  const Term &term = guard.form.terms[0];
  if (term.atom >= axes.size() || term.coefficient != 1)
    return false;
  Form beyond = sizes.getArena().sub(sizes.resolve(axes[term.atom].extent),
                                     sizes.resolve(*guard.size));
  std::optional<int64_t> most =
      checkedAdd(beyond.constant, guard.form.constant);
  return beyond.isConstant() && most && *most <= 0;
}

void Nest::relateAt(const NestAccess &write, const NestRead &read,
                    std::optional<unsigned> border, bool above,
                    OpIndexing &indexing) const {
  SmallVector<const NestGuard *> guards;
  auto take = [&](ArrayRef<NestGuard> list) {
    for (const NestGuard &guard : list)
      guards.push_back(&guard);
  };
  take(write.guards);
  take(read.guards);
  if (border)
    take(ArrayRef(read.outside).take_front(*border + 1));
  if (border && above && endsInside(*guards.back(), axes, *sizes))
    return;
  // What is mentioned: variables, and those of the values' sources.
  SmallVector<char, 32> used(forms.getNumAtoms());
  auto mark = [&](ArrayRef<Form> list) {
    for (const Form &form : list)
      forms.markUsed(form, used);
  };
  mark(write.index);
  mark(read.index);
  for (const NestGuard *guard : guards)
    mark(guard->form);
  // All parts of what is outside refer to the same values.
  for (const NestGuard &guard : read.outside)
    mark(guard.form);
  if (read.replica)
    mark(*read.replica);
  const unsigned numVariables = forms.getNumVariables();
  const unsigned firstValue = numVariables - values.size();
  for (unsigned v = values.size(); v-- > 0;)
    if (used[firstValue + v]) {
      if (values[v].source)
        mark(values[v].source->index);
      for (const NestGuard &guard : values[v].guards)
        mark(guard.form);
    }

  SizeList extents;
  for (auto [a, axis] : llvm::enumerate(axes))
    if (used[a])
      extents.push_back(axis.extent);
  Loops loops(*sizes, extents);
  SmallVector<Form> images(numVariables);
  unsigned next = 0;
  for (auto [a, axis] : llvm::enumerate(axes)) {
    if (used[a])
      images[a] = loops[next++];
    else if (read.needsAllAxes)
      loops.keepIfNotEmpty(axis.extent);
  }
  for (auto [i, atom] : llvm::enumerate(sizes->getParameters()))
    images[axes.size() + i] = loops.size(Form::ofAtom(atom));
  for (auto [v, value] : llvm::enumerate(values))
    if (used[firstValue + v])
      images[firstValue + v] = loops.addRuntime(value.range);
  Substitution substitute(loops.arena(), forms, images);
  auto translate = [&](ArrayRef<Form> list) {
    return llvm::map_to_vector<4>(
        list, [&](const Form &form) { return substitute(form); });
  };
  auto keep = [&](const NestGuard &guard) {
    if (guard.size)
      loops.keepInside(substitute(guard.form), *guard.size);
    else
      loops.addConstraint(substitute(guard.form), guard.interval);
  };
  next = 0;
  for (auto [v, value] : llvm::enumerate(values)) {
    if (!used[firstValue + v])
      continue;
    for (const NestGuard &guard : value.guards)
      keep(guard);
    if (value.source) {
      Loops::Source source = *value.source;
      source.index = translate(source.index);
      loops.setSource(next, std::move(source));
    }
    ++next;
  }
  for (const NestGuard *guard : ArrayRef(guards).drop_back(border ? 1 : 0))
    keep(*guard);
  if (border) {
    const NestGuard &guard = *guards.back();
    Form beyond = substitute(guard.form);
    Interval part = Interval::atMost(-1);
    if (guard.size && above) {
      beyond = loops.arena().sub(beyond, loops.size(*guard.size));
      part = Interval::atLeast(0);
    } else if (!guard.size) {
      if (above ? !guard.interval.hasUpper() : !guard.interval.hasLower())
        return;
      part = above ? Interval::atLeast(guard.interval.upper + 1)
                   : Interval::atMost(guard.interval.lower - 1);
    }
    Interval reach = loops.arena().range(beyond).intersect(part);
    if (reach.isEmpty())
      return;
    // Of variables alone, the end that is left open is their own.
    const bool isLinear = llvm::all_of(beyond.terms, [&](const Term &term) {
      return loops.arena().isVariable(term.atom);
    });
    loops.addConstraint(beyond, isLinear ? part : reach);
  }
  if (read.replica)
    loops.setReplica(substitute(*read.replica), read.groups);
  auto [down, up] = loops.relate(translate(write.index), results[write.value],
                                 translate(read.index), operands[read.value]);
  for (const IndexingMap &map : {down.map, up.map})
    if (map.isUnknown())
      return indexing.setUnknown(write.value, read.value,
                                 fromUnknownReason(map.getUnknownReason()));
  if (!border || (!down.map.isKnownEmpty() && !up.map.isKnownEmpty()))
    indexing.add(write.value, read.value, down, up);
}

void Nest::relate(const NestAccess &write, const NestRead &read,
                  OpIndexing &indexing) const {
  if (read.reason != IndexingReason::None)
    return indexing.setUnknown(write.value, read.value, read.reason);
  if (read.outside.empty())
    return relateAt(write, read, std::nullopt, false, indexing);
  for (unsigned border = 0; border != read.outside.size(); ++border)
    for (bool above : {false, true})
      relateAt(write, read, border, above, indexing);
}

bool Nest::mentionsSizes() const {
  auto isDynamic = [&](const SizeList &list) {
    return llvm::any_of(list,
                        [](const Form &size) { return !size.isConstant(); });
  };
  return llvm::any_of(results, isDynamic) ||
         llvm::any_of(reads, [&](const NestRead &read) {
           return isDynamic(operands[read.value]);
         });
}

OpIndexing Nest::project() const {
  Nest loops = *this;
  loops.maps.reset();
  loops.given.clear();
  return loops.getIndexing();
}

OpIndexing Nest::getIndexing() const {
  if (maps)
    return *maps;
  OpIndexing indexing(results.size(), operands.size());
  for (auto [w, write] : llvm::enumerate(writes))
    for (const NestRead &read : reads) {
      const bool isGiven =
          llvm::any_of(given, [&, w = &write](const GivenMaps &pair) {
            return pair.result == w->value && pair.operand == read.value;
          });
      if (!isGiven && read.isRead && read.write.value_or(w) == w)
        relate(write, read, indexing);
    }
  for (const GivenMaps &pair : given)
    indexing.add(pair.result, pair.operand, pair.toInput, pair.toOutput);
  if (mentionsSizes())
    sizes->record(indexing);
  return indexing;
}
