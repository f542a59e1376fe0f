//===- Nest.cpp - Indexing maps of an op from its loops -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The projection onto a result and an operand: of the axes, values and guards that
// either access mentions a map is made, from points to both indices, and solved
// for each. Bounds by size parameters are constraints, `axis - size in [-inf, -1]`,
// which Core prints as bounds.
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

/// What is known of an axis by its extent alone.
static Interval getRange(const Form &extent) {
  return extent.isConstant() ? Interval::ofExtent(extent.constant)
                             : Interval::atLeast(0);
}

Nest::Nest(std::shared_ptr<NestSizes> ofOp, ArrayRef<Form> extents) {
  ofOp->all.freeze();
  sizes = std::move(ofOp);
  axes.reserve(extents.size());
  axisForms.reserve(extents.size());
  reads.reserve(getOperands().size());
  writes.reserve(getResults().size());
  for (const Form &extent : extents) {
    axes.push_back({sizes->all.resolve(extent)});
    axisForms.push_back(forms.addVariable(getRange(axes.back().extent)));
  }
  for (unsigned i = 0, e = sizes->all.getParameters().size(); i != e; ++i)
    forms.addVariable(Interval::atLeast(0));
}

Form Nest::last(FormRef extent) const {
  Form form = size(extent);
  form.constant -= 1;
  return form;
}

Form Nest::addValue(Interval range, std::optional<NestSource> source) {
  values.push_back({range, std::move(source), {}});
  return forms.addVariable(range);
}

Form Nest::addIndex(FormRef extent, std::optional<NestSource> source) {
  Form resolved = sizes->all.resolve(extent);
  Form index = addValue(getRange(resolved), std::move(source));
  if (!resolved.isConstant())
    values.back().guards.push_back(
        {index, Interval::all(), std::move(resolved)});
  return index;
}

Form Nest::addStart(FormRef whole, FormRef part, NestSource source) {
  std::optional<int64_t> wholeSize = sizes->all.getStatic(whole);
  std::optional<int64_t> partSize = sizes->all.getStatic(part);
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
    read(o, SmallVector<Form>(getOperands()[o].size()));
}

void Nest::readUnknown(unsigned operand, IndexingReason reason) {
  read(operand, {}).reason = reason;
}

void Nest::setMaps(unsigned result, unsigned operand,
                   const DetailedMap &toInput, const DetailedMap &toOutput) {
  given.push_back({result, operand, toInput, toOutput});
}

void Nest::setMapsFrom(const Nest &other) {
  const OpIndexing indexing = other.getIndexing();
  if (!indexing.outputToInput(0, 0).isUnknown())
    setMaps(0, 0, indexing.outputToInput(0, 0).getEntry(0),
            indexing.inputToOutput(0, 0).getEntry(0));
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

std::optional<SmallVector<int64_t>> Nest::getExtents() const {
  SmallVector<int64_t> extents;
  for (unsigned a = 0; a < axes.size(); ++a) {
    std::optional<int64_t> extent = getExtent(a);
    if (!extent)
      return std::nullopt;
    extents.push_back(*extent);
  }
  return extents;
}

bool Nest::moves(FormRef index, unsigned axis) const {
  SmallVector<char, 32> used(forms.getNumAtoms());
  forms.markUsed(index, used);
  return used[axis];
}

std::optional<SmallVector<int64_t>> Nest::getSteps(FormRef index) const {
  SmallVector<int64_t> steps(axes.size() + 1);
  for (const Term &term : index.terms) {
    if (term.atom >= axes.size())
      return std::nullopt;
    steps[term.atom] = term.coefficient;
  }
  steps.back() = index.constant;
  return steps;
}

std::optional<SmallVector<unsigned, 4>>
Nest::getPlainAxes(const NestAccess &access) const {
  SmallVector<unsigned, 4> list;
  if (access.reason != IndexingReason::None)
    return std::nullopt;
  for (const Form &form : access.index) {
    std::optional<unsigned> axis = getPlainAxis(form);
    if (!axis || llvm::is_contained(list, *axis))
      return std::nullopt;
    list.push_back(*axis);
  }
  return list;
}

Nest Nest::withCaptured(SizeList value, ArrayRef<NestValue> more,
                        ArrayRef<NestGuard> outside) const {
  Nest nest = *this;
  nest.sizes = std::make_shared<NestSizes>(
      NestSizes{sizes->all, {std::move(value)}, sizes->results, {}});
  nest.given.clear();
  nest.maps.reset();
  nest.reads.clear();
  NestRead &read = nest.read(0, {});
  read.outside.assign(outside.begin(), outside.end());
  if (more.empty())
    return nest;

  // New variables come before other atoms, whose numbers change.
  const auto same =
      llvm::to_vector(llvm::seq<AtomId>(0, forms.getNumVariables()));
  nest.forms = FormArena();
  nest.forms.setFailure(forms.failure());
  for (AtomId variable : same)
    nest.forms.addVariable(forms.getAtom(variable).range);
  for (const NestValue &added : more)
    nest.forms.addVariable(added.range);
  nest.forms.relocate(forms, same);
  auto renumber = [&](Form &form) {
    form = FormArena::relocated(form, forms, same, nest.forms);
  };
  auto renumberGuards = [&](std::vector<NestGuard> &guards) {
    for (NestGuard &guard : guards)
      renumber(guard.form);
  };
  for (NestAccess &write : nest.writes) {
    llvm::for_each(write.index, renumber);
    renumberGuards(write.guards);
    for (NestSpread &spread : write.spreads)
      renumber(spread.place);
  }
  for (NestValue &held : nest.values) {
    renumberGuards(held.guards);
    if (held.source)
      llvm::for_each(held.source->index, renumber);
  }
  renumberGuards(read.outside);
  llvm::append_range(nest.values, more);
  return nest;
}

//===----------------------------------------------------------------------===//
// The projection
//===----------------------------------------------------------------------===//

namespace {

/// Points of a nest: some of its axes as dims, the size parameters and some of
/// its values as runtime variables.
class Points {
public:
  /// The axes and values that `used` marks, by variable, within their bounds.
  Points(const Nest &nest, ArrayRef<char> used)
      : nest(nest), images(addVariables(nest, used, builder)),
        substitute(builder.arena(), nest.getForms(), images) {
    for (auto [a, axis] : llvm::enumerate(nest.axes))
      if (used[a] && !axis.extent.isConstant())
        keepBelow(images[a], axis.extent);
    const unsigned firstValue = images.size() - nest.values.size();
    for (auto [v, value] : llvm::enumerate(nest.values))
      if (used[firstValue + v])
        llvm::for_each(value.guards,
                       [&](const NestGuard &guard) { keep(guard); });
  }

  Form operator()(FormRef form) { return substitute(form); }
  /// A size of the op.
  Form size(FormRef size) {
    return size.terms.empty() ? Form(size) : substitute(nest.size(size));
  }
  FormArena &arena() { return builder.arena(); }
  void addResults(ArrayRef<Form> index) {
    for (const Form &form : index)
      builder.addResult(substitute(form));
  }
  void keepBelow(FormRef form, FormRef extent) {
    builder.addConstraint(arena().sub(form, size(extent)),
                          Interval::atMost(-1));
  }
  void keep(const NestGuard &guard) {
    Form form = substitute(guard.form);
    if (!guard.size)
      return builder.addConstraint(std::move(form), guard.interval);
    if (auto number = nest.getSizes().getStatic(*guard.size))
      return builder.addConstraint(std::move(form),
                                   Interval::ofExtent(*number));
    if (arena().range(form).lower < 0)
      builder.addConstraint(form, Interval::atLeast(0));
    keepBelow(form, *guard.size);
  }
  /// Keeps the points if an axis has some.
  void keepIfNotEmpty(const NestAxis &axis) {
    if (!axis.extent.isConstant())
      builder.addConstraint(size(axis.extent), Interval::atLeast(1));
    else if (axis.extent.constant == 0)
      builder.setKnownEmpty();
  }

  IndexingMapBuilder builder;

private:
  static SmallVector<Form> addVariables(const Nest &nest, ArrayRef<char> used,
                                        IndexingMapBuilder &builder) {
    SmallVector<Form> images(used.size());
    unsigned v = 0;
    for (const NestAxis &axis : nest.axes) {
      if (used[v])
        images[v] = builder.addDim(getRange(axis.extent));
      ++v;
    }
    for (unsigned i = 0; i < nest.getSizes().getParameters().size(); ++i)
      images[v++] = builder.addRuntime(Interval::atLeast(0), getSizeName(i));
    for (const NestValue &value : nest.values) {
      if (used[v])
        images[v] = builder.addRuntime(value.range);
      ++v;
    }
    return images;
  }

  const Nest &nest;
  SmallVector<Form> images;
  Substitution substitute;
};

} // namespace

IndexingMap Nest::getMap(const NestAccess &access) const {
  Points points(*this, SmallVector<char>(forms.getNumVariables(), true));
  for (const NestGuard &guard : access.guards)
    points.keep(guard);
  points.addResults(access.index);
  return points.builder.build();
}

/// Whether an axis, perhaps shifted, surely ends within the guard's size.
static bool endsInside(const NestGuard &guard, ArrayRef<NestAxis> axes,
                       const OpSizes &sizes) {
  if (!guard.size || guard.form.terms.size() != 1)
    return false;
  const Term &term = guard.form.terms[0];
  if (term.atom >= axes.size() || term.coefficient != 1)
    return false;
  Form beyond;
  if (!FormArena::tryAddScaled(axes[term.atom].extent,
                               sizes.resolve(*guard.size), -1, beyond))
    return false;
  std::optional<int64_t> most =
      checkedAdd(beyond.constant, guard.form.constant);
  return beyond.isConstant() && most && *most <= 0;
}

/// The map without the size parameters that neither results nor constraints
/// need.
static IndexingMap dropUnusedSizes(const IndexingMap &map) {
  if (map.isUnknown() || map.getNumRuntime() == 0)
    return map;
  SmallVector<char, 32> used = map.getUsed();
  unsigned numVariables = map.getNumVariables();
  // A range that was narrowed tells when the map has points at all.
  auto isNeeded = [&](unsigned v) {
    return used[v] || map.getVariableKind(v) != VariableKind::Runtime ||
           !isSizeName(map.getVariableName(v)) ||
           (map.isOrdinary() && map.getRanges()[v] != Interval::atLeast(0));
  };
  if (llvm::all_of(llvm::seq(numVariables), isNeeded))
    return map;
  IndexingMapBuilder builder;
  SmallVector<Form> images(numVariables);
  for (unsigned v = 0; v < numVariables; ++v) {
    if (!isNeeded(v))
      continue;
    // Default names are by position.
    std::string name = map.getVariableName(v);
    images[v] =
        builder.addVariable(map.getVariableKind(v), map.getRanges()[v],
                            isSizeName(name) ? StringRef(name) : StringRef());
  }
  builder.addMap(map, images);
  return builder.build().simplify();
}

/// The map from the first results of `points`, an index of a space of these
/// sizes, to the others, of which `numResults` are the map's.
static DetailedMap solve(const IndexingMap &points, ArrayRef<Form> sizes,
                         size_t numResults, const MapDetails &details) {
  SmallVector<Interval> ranges;
  IndexingMap map = points;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    ranges.push_back(getRange(size));
    if (size.isConstant())
      continue;
    FormArena arena = points.getArena();
    map = map.withConstraint(arena.sub(points.getResult(i), size),
                             Interval::atMost(-1));
  }
  map = dropUnusedSizes(relate(map, sizes.size(), ranges));
  if (details.isTrivial())
    return {map, nullptr};
  // Without points a runtime value has no effect.
  if (!map.isOrdinary())
    return splitDetails(map, numResults, MapDetails());
  MapDetails shape = details;
  const size_t numSizes = map.getNumRuntime() - shape.runtime.size();
  shape.runtime.insert(shape.runtime.begin(), numSizes, std::nullopt);
  return splitDetails(map, numResults, shape);
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
  if (border && above && endsInside(*guards.back(), axes, sizes->all))
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
  const unsigned firstValue = forms.getNumVariables() - values.size();
  for (unsigned v = values.size(); v-- > 0;)
    if (used[firstValue + v]) {
      if (values[v].source)
        mark(values[v].source->index);
      for (const NestGuard &guard : values[v].guards)
        mark(guard.form);
    }

  Points points(*this, ArrayRef(used).take_front(forms.getNumVariables()));
  if (read.needsAllAxes)
    for (auto [a, axis] : llvm::enumerate(axes))
      if (!used[a])
        points.keepIfNotEmpty(axis);
  for (const NestGuard *guard : ArrayRef(guards).drop_back(border ? 1 : 0))
    points.keep(*guard);
  if (border) {
    const NestGuard &guard = *guards.back();
    Form beyond = points(guard.form);
    Interval part = Interval::atMost(-1);
    if (guard.size && above) {
      beyond = points.arena().sub(beyond, points.size(*guard.size));
      part = Interval::atLeast(0);
    } else if (!guard.size) {
      if (above ? !guard.interval.hasUpper() : !guard.interval.hasLower())
        return;
      part = above ? Interval::atLeast(guard.interval.upper + 1)
                   : Interval::atMost(guard.interval.lower - 1);
    }
    Interval reach = points.arena().range(beyond).intersect(part);
    if (reach.isEmpty())
      return;
    // Of variables alone, the end that is left open is their own.
    const bool isLinear = llvm::all_of(beyond.terms, [&](const Term &term) {
      return points.arena().isVariable(term.atom);
    });
    points.builder.addConstraint(beyond, isLinear ? part : reach);
  }
  points.addResults(write.index);
  points.addResults(read.index);
  // Indices of sources are results as well, so that they are solved for alike.
  MapDetails details;
  for (auto [v, value] : llvm::enumerate(values)) {
    if (!used[firstValue + v])
      continue;
    details.runtime.emplace_back();
    if (!value.source)
      continue;
    SmallVector<int64_t> units(value.source->index.size(), 1);
    details.runtime.back() =
        RuntimeSource{value.source->operand, IndexingMap::identity(units),
                      value.source->clamp};
    points.addResults(value.source->index);
  }
  if (read.replica) {
    points.addResults(*read.replica);
    details.replica = IndexingMap::identity({1});
    details.groups = read.groups;
  }
  auto translate = [&](const SizeList &list) {
    return llvm::map_to_vector<4>(
        list, [&](const Form &size) { return points.size(size); });
  };
  const auto from = translate(getResults()[write.value]),
             to = translate(getOperands()[read.value]);
  IndexingMap map = points.builder.build();
  DetailedMap down{map, nullptr}, up{map, nullptr};
  if (!map.isUnknown()) {
    SmallVector<Form> rotated(map.getResults());
    std::rotate(rotated.begin(), rotated.begin() + from.size(),
                rotated.begin() + from.size() + to.size());
    down = solve(map, from, to.size(), details);
    up = solve(map.withResults(rotated), to, from.size(), details);
  }
  for (const IndexingMap &way : {down.map, up.map})
    if (way.isUnknown())
      return indexing.setUnknown(write.value, read.value,
                                 fromUnknownReason(way.getUnknownReason()));
  if (!border || (!down.map.isKnownEmpty() && !up.map.isKnownEmpty()))
    indexing.add(write.value, read.value, down, up);
}

void Nest::relate(const NestAccess &write, const NestRead &read,
                  OpIndexing &indexing) const {
  for (IndexingReason reason : {read.reason, write.reason})
    if (reason != IndexingReason::None)
      return indexing.setUnknown(write.value, read.value, reason);
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
  return llvm::any_of(getResults(), isDynamic) ||
         llvm::any_of(reads, [&](const NestRead &read) {
           return isDynamic(getOperands()[read.value]);
         });
}

OpIndexing Nest::project(ArrayRef<GivenMaps> instead) const {
  OpIndexing indexing(getResults().size(), getOperands().size());
  for (auto [w, write] : llvm::enumerate(writes))
    for (const NestRead &read : reads) {
      const bool isGiven =
          llvm::any_of(instead, [&, w = &write](const GivenMaps &pair) {
            return pair.result == w->value && pair.operand == read.value;
          });
      if (!isGiven && read.isRead && read.write.value_or(w) == w)
        relate(write, read, indexing);
    }
  for (const GivenMaps &pair : instead)
    indexing.add(pair.result, pair.operand, pair.toInput, pair.toOutput);
  if (mentionsSizes())
    sizes->all.record(indexing);
  return indexing;
}
