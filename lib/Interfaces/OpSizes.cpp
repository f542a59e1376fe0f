//===- OpSizes.cpp - Sizes as numbers or parameters -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every dynamic dimension starts as a parameter of its own. An equation between
// two sizes is solved at once for the youngest parameter with coefficient ±1
// (results come after operands, so that maps refer to operands); 6m = 4n gives
// both in terms of a new parameter. Bounds by parameters are constraints of the
// loops, `loop - size in [-inf, -1]`, which Core prints as bounds.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/OpSizes.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "mlir/IR/BuiltinTypes.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// SizeEquations
//===----------------------------------------------------------------------===//

Form SizeEquations::resolve(FormRef size) const {
  Form resolved(size);
  if (bound.empty())
    return resolved;
  // What a parameter is bound to mentions none that was bound before it: this
  // ends.
  FormArena scratch;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Term &term : resolved.terms) {
      auto it = bound.find(term.atom);
      if (it == bound.end())
        continue;
      const int64_t k = term.coefficient;
      Form without = scratch.addScaled(resolved, Form::ofAtom(term.atom), -k);
      resolved = scratch.addScaled(without, it->second, k);
      changed = true;
      break;
    }
  }
  return scratch.failed() ? Form(size) : resolved;
}

void SizeEquations::equate(FormRef a, FormRef b) {
  // 0 = difference.
  Form difference = arena.sub(resolve(a), resolve(b));
  if (arena.failed())
    return arena.clearFailure();
  for (const Term &term : llvm::reverse(difference.terms)) {
    if (term.coefficient != 1 && term.coefficient != -1)
      continue;
    Form rest =
        arena.addScaled(difference, Form::ofAtom(term.atom), -term.coefficient);
    Form solution = arena.scale(rest, -term.coefficient);
    if (arena.failed())
      return arena.clearFailure();
    bound[term.atom] = std::move(solution);
    return;
  }
  // k*a - l*b = 0: a and b are multiples of something.
  if (difference.terms.size() != 2 || difference.constant != 0)
    return;
  Term x = difference.terms[0], y = difference.terms[1];
  if ((x.coefficient < 0) == (y.coefficient < 0))
    return;
  auto k = static_cast<int64_t>(magnitude(x.coefficient));
  auto l = static_cast<int64_t>(magnitude(y.coefficient));
  int64_t g = std::gcd(k, l);
  Form common = addParameter();
  bound[x.atom] = arena.scale(common, l / g);
  bound[y.atom] = arena.scale(common, k / g);
}

//===----------------------------------------------------------------------===//
// OpSizes
//===----------------------------------------------------------------------===//

OpSizes::OpSizes(const OpSignature &signature, TypeSizes others) {
  for (Type type : signature.operandTypes)
    operands.push_back(getValue(type, others));
  for (Type type : signature.resultTypes)
    results.push_back(getValue(type, others));
}

OpSizes::Value OpSizes::getValue(Type type, TypeSizes others) {
  Value value;
  ArrayRef<int64_t> shape;
  std::optional<SmallVector<int64_t>> other;
  auto shaped = dyn_cast<ShapedType>(type);
  if (shaped && shaped.hasRank()) {
    shape = shaped.getShape();
  } else if (shaped) {
    value.reason = IndexingReason::UnrankedShape;
  } else if (others && (other = others(type))) {
    shape = *other;
  } else if (!type.isIntOrIndexOrFloat() && !isa<ComplexType>(type)) {
    value.reason = IndexingReason::NotShaped;
  }
  auto vector = dyn_cast<VectorType>(type);
  for (auto [i, size] : llvm::enumerate(shape)) {
    bool isDynamic =
        ShapedType::isDynamic(size) || (vector && vector.getScalableDims()[i]);
    value.sizes.push_back(isDynamic ? addParameter() : Form(size));
  }
  return value;
}

std::optional<SizeList> OpSizes::operand(unsigned i,
                                         IndexingReason &reason) const {
  if (operands[i].reason == IndexingReason::None)
    return operands[i].sizes;
  reason = operands[i].reason;
  return std::nullopt;
}

std::optional<SizeList> OpSizes::result(unsigned i,
                                        IndexingReason &reason) const {
  if (results[i].reason == IndexingReason::None)
    return results[i].sizes;
  reason = results[i].reason;
  return std::nullopt;
}

std::optional<int64_t> OpSizes::getStatic(FormRef size) const {
  Form resolved = resolve(size);
  if (resolved.isConstant())
    return resolved.constant;
  return std::nullopt;
}

ArrayRef<AtomId> OpSizes::getParameters() {
  if (frozen)
    return parameters;
  frozen = true;
  for (const auto *values : {&operands, &results})
    for (const Value &value : *values)
      for (const Form &size : value.sizes)
        for (const Term &term : resolve(size).terms)
          if (!llvm::is_contained(parameters, term.atom))
            parameters.push_back(term.atom);
  // Those that are not a dimension of any value.
  for (AtomId atom = 0; atom < equations.getNumParameters(); ++atom)
    if (!equations.isBound(atom) && !llvm::is_contained(parameters, atom))
      parameters.push_back(atom);
  return parameters;
}

void OpSizes::record(OpIndexing &indexing) {
  SmallVector<Form, 4> names;
  for (auto [i, atom] : llvm::enumerate(getParameters())) {
    if (names.size() <= atom)
      names.resize(atom + 1);
    names[atom] = Form::ofAtom(i);
  }
  auto list = [&](ArrayRef<Value> values, bool areResults) {
    for (auto [v, value] : llvm::enumerate(values))
      for (auto [d, size] : llvm::enumerate(value.sizes)) {
        if (size.isConstant())
          continue;
        Form named(resolve(size).constant);
        for (const Term &term : resolve(size).terms)
          named =
              getArena().addScaled(named, names[term.atom], term.coefficient);
        indexing.addSize({areResults, static_cast<unsigned>(v),
                          static_cast<unsigned>(d), std::move(named)});
      }
  };
  list(operands, false);
  list(results, true);
}

std::string ValueSize::str() const {
  std::string text = (isResult ? "result " : "operand ") +
                     std::to_string(value) + " dim " + std::to_string(dim) +
                     " = ";
  bool isFirst = true;
  auto add = [&](int64_t number, std::string factor) {
    uint64_t size = magnitude(number);
    if (isFirst)
      text += number < 0 ? "-" : "";
    else
      text += number < 0 ? " - " : " + ";
    isFirst = false;
    if (factor.empty())
      text += std::to_string(size);
    else
      text += factor + (size == 1 ? "" : " * " + std::to_string(size));
  };
  for (const Term &term : this->size.terms)
    add(term.coefficient, getSizeName(term.atom));
  if (this->size.constant != 0 || isFirst)
    add(this->size.constant, "");
  return text;
}

bool tensoraccess::equateAll(OpSizes &sizes, ArrayRef<Form> a,
                             ArrayRef<Form> b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a, b))
    sizes.equate(x, y);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Loops::Loops(OpSizes &sizes, ArrayRef<Form> extents) : sizes(sizes) {
  ArrayRef<AtomId> names = sizes.getParameters();
  SmallVector<Form, 4> resolved;
  for (const Form &extent : extents) {
    Form size = resolved.emplace_back(sizes.resolve(extent));
    loops.push_back(builder.addDim(size.isConstant()
                                       ? Interval::ofExtent(size.constant)
                                       : Interval::atLeast(0)));
  }
  for (unsigned i = 0; i < names.size(); ++i)
    parameters.push_back(
        builder.addRuntime(Interval::atLeast(0), getSizeName(i)));
  for (auto [loop, extent] : llvm::zip_equal(loops, resolved))
    if (!extent.isConstant())
      keepInside(loop, extent);
}

Form Loops::size(FormRef size) {
  Form resolved = sizes.resolve(size), form(resolved.constant);
  ArrayRef<AtomId> names = sizes.getParameters();
  for (const Term &term : resolved.terms) {
    const AtomId *name = llvm::find(names, term.atom);
    form = arena().addScaled(form, parameters[name - names.begin()],
                             term.coefficient);
  }
  return form;
}

Form Loops::addRuntime(Interval range, std::optional<Source> source) {
  sources.push_back(std::move(source));
  return builder.addRuntime(range);
}

void Loops::keepInside(const Form &index, FormRef extent) {
  if (std::optional<int64_t> number = sizes.getStatic(extent))
    return builder.addConstraint(index, Interval::ofExtent(*number));
  if (arena().range(index).lower < 0)
    builder.addConstraint(index, Interval::atLeast(0));
  builder.addConstraint(arena().sub(index, size(extent)), Interval::atMost(-1));
}

void Loops::keepIfNotEmpty(FormRef extent) {
  std::optional<int64_t> number = sizes.getStatic(extent);
  if (!number)
    builder.addConstraint(size(extent), Interval::atLeast(1));
  else if (*number == 0)
    builder.setKnownEmpty();
}

/// The map from the first results of `loops`, an index of a space of these
/// sizes, to the others.
static IndexingMap relateWithin(const IndexingMap &loops,
                                ArrayRef<Form> sizes) {
  SmallVector<Interval> ranges;
  IndexingMap map = loops;
  FormArena arena = loops.getArena();
  for (auto [i, size] : llvm::enumerate(sizes)) {
    ranges.push_back(size.isConstant() ? Interval::ofExtent(size.constant)
                                       : Interval::atLeast(0));
    if (!size.isConstant())
      map = map.withConstraint(arena.sub(loops.getResult(i), size),
                               Interval::atMost(-1));
  }
  return dropUnusedSizes(relate(map, sizes.size(), ranges));
}

std::pair<DetailedMap, DetailedMap> Loops::relate(ArrayRef<Form> first,
                                                  ArrayRef<Form> firstSizes,
                                                  ArrayRef<Form> second,
                                                  ArrayRef<Form> secondSizes) {
  auto name = [&](const Form &extent) { return size(extent); };
  SmallVector<Form, 4> from = llvm::map_to_vector<4>(firstSizes, name);
  SmallVector<Form, 4> to = llvm::map_to_vector<4>(secondSizes, name);
  for (ArrayRef<Form> forms : {first, second})
    for (const Form &form : forms)
      builder.addResult(form);
  // Indices of sources are results as well, so that they are solved for alike.
  MapDetails details;
  for (const std::optional<Source> &source : sources) {
    details.runtime.emplace_back();
    if (!source)
      continue;
    SmallVector<int64_t> units(source->index.size(), 1);
    details.runtime.back() = RuntimeSource{
        source->operand, IndexingMap::identity(units), source->clamp};
    for (const Form &form : source->index)
      builder.addResult(form);
  }
  if (replica) {
    builder.addResult(*replica);
    details.replica = IndexingMap::identity({1});
    details.groups = groups;
  }
  IndexingMap map = builder.build();
  if (map.isUnknown())
    return {{map, nullptr}, {map, nullptr}};
  SmallVector<Form> rotated(map.getResults());
  std::rotate(rotated.begin(), rotated.begin() + first.size(),
              rotated.begin() + first.size() + second.size());
  auto solve = [&](const IndexingMap &loops, ArrayRef<Form> fromSizes,
                   size_t numResults) -> DetailedMap {
    IndexingMap joined = relateWithin(loops, fromSizes);
    if (details.isTrivial())
      return {joined, nullptr};
    // Without points there is nothing that a runtime value would say.
    if (!joined.isOrdinary())
      return splitDetails(joined, numResults, MapDetails());
    MapDetails shape = details;
    size_t numSizes = joined.getNumRuntime() - shape.runtime.size();
    shape.runtime.insert(shape.runtime.begin(), numSizes, std::nullopt);
    return splitDetails(joined, numResults, shape);
  };
  return {solve(map, from, second.size()),
          solve(map.withResults(rotated), to, first.size())};
}

void Loops::connect(OpIndexing &indexing, unsigned result,
                    ArrayRef<Form> resultIndex, ArrayRef<Form> resultSizes,
                    unsigned operand, ArrayRef<Form> operandIndex,
                    ArrayRef<Form> operandSizes) {
  auto [down, up] =
      relate(resultIndex, resultSizes, operandIndex, operandSizes);
  for (const IndexingMap &map : {down.map, up.map})
    if (map.isUnknown())
      return indexing.setUnknown(result, operand,
                                 fromUnknownReason(map.getUnknownReason()));
  indexing.add(result, operand, down, up);
}

IndexingMap tensoraccess::dropUnusedSizes(const IndexingMap &map) {
  if (map.isUnknown() || map.getNumRuntime() == 0)
    return map;
  SmallVector<char, 32> used = map.getUsed();
  unsigned numVariables = map.getNumVariables();
  // A range that was narrowed says when the map has points at all.
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

IndexingMap tensoraccess::getIdentity(OpSizes &sizes, ArrayRef<Form> shape) {
  Loops loops(sizes, shape);
  return loops.relate(loops.get(), shape, loops.get(), shape).first.map;
}
