//===- FunctionFacts.cpp - Facts through functions of nests ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops on access patterns have one operand. Their nests say by which function they
// combine its elements: those of a tuple along its axis, others along the rest.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Analysis/ValueFacts.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

void ValueFacts::addZeroProducts(FactList &list, ArrayRef<ValueFact> elements,
                                 const IndexingMap &read, Type type,
                                 unsigned value) {
  const bool isFloat = isFloating(type);
  // Nothing is zero among no elements.
  const bool mayBeEmpty = llvm::any_of(
      read.getSymbolRanges(), [](Interval range) { return !range.hasUpper(); });
  if (mayBeEmpty ||
      (isFloat && (!options.assumeFinite || hasInfinities(value))))
    return;
  for (const IndexingMap &region : getZeroRegions(elements))
    if (auto reached = regions::project(regions::keep(read, region));
        reached && !regions::hasValues(*reached)) {
      ValueFact fact = makeNumber(0, *reached);
      fact.hasAnySign = true;
      add(list, std::move(fact));
      finite |= isFloat;
    }
}

void ValueFacts::visitFunction(unsigned s, const Nest &nest) {
  const FlatStep &step = program.steps[s];
  auto shape = getSizes(program.values[step.reads[0]].getType());
  if (step.reads.size() != 1 || !shape || nest.writes.size() != 1 ||
      facts[step.reads[0]].empty())
    return;
  Type type = getElement(step.op->getResult(0).getType());
  ArrayRef<ValueFact> elements = get(step.reads[0]);
  FactList out;
  if (nest.body == NestBody::Map) {
    for (const ValueFact &fact : elements) {
      if (!fact.isFixed())
        continue;
      const bool isIndex = fact.kind == ValueFact::Kind::Index;
      ValueFact zero = makeNumber(0, fact.map);
      ScalarCall call;
      call.function = nest.function;
      call.arguments = {&fact};
      call.forms = {isIndex ? fact.map.getResult(0) : Form()};
      if (nest.function == "relu") {
        call.function = "maximum";
        call.arguments.push_back(&zero);
        call.forms.push_back(Form(0));
      }
      call.types.assign(call.arguments.size(), type);
      call.type = type;
      if (auto result = evaluate(call, fact.map))
        add(out, std::move(*result));
    }
    return set(step.results[0], std::move(out));
  }
  // Axes are dims of the operand; of those that are combined, the first is that
  // of a tuple.
  SmallVector<unsigned> kept, combined;
  for (auto [a, axis] : llvm::enumerate(nest.axes))
    (axis.isReduction ? combined : kept).push_back(a);
  if (nest.axes.size() != shape->size() || combined.empty())
    return;
  /// Combines `list` along axes; `dims` and those are the dims of `list`.
  auto combine = [&](StringRef function, ArrayRef<ValueFact> list,
                     ArrayRef<unsigned> dims, ArrayRef<unsigned> along) {
    IndexingMapBuilder builder;
    std::map<unsigned, Form> place;
    SmallVector<int64_t> sizes;
    for (unsigned axis : dims) {
      sizes.push_back((*shape)[axis]);
      place[axis] = builder.addDim(Interval::ofExtent(sizes.back()));
    }
    for (unsigned axis : along)
      place[axis] = builder.addSymbol(
          Interval::ofExtent(function == "divide" ? 1 : (*shape)[axis]));
    for (const Form &form : llvm::make_second_range(place))
      builder.addResult(form);
    IndexingMap read = builder.build();
    FactList result;
    if (function == "multiply" || (function == "divide" && !isFloating(type)))
      addZeroProducts(result, list, read, type, step.reads[0]);
    if (function != "divide")
      llvm::append_range(result, reduce(function == "mean" ? "add" : function,
                                        Part{list, read}, std::nullopt, type,
                                        regions::getAll(sizes)));
    return result;
  };
  if (nest.body == NestBody::Contract) {
    SmallVector<unsigned> rest(ArrayRef(combined).drop_front()), dims(kept);
    llvm::append_range(dims, rest);
    llvm::sort(dims);
    out = combine("multiply", elements, dims, combined[0]);
    elements = out;
    if (rest.empty())
      return set(step.results[0], std::move(out));
    return set(step.results[0], combine("add", elements, kept, rest));
  }
  if (nest.body == NestBody::Reduce)
    set(step.results[0], combine(nest.function, elements, kept, combined));
}
