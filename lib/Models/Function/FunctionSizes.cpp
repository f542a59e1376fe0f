//===- FunctionSizes.cpp - One parameter for equal sizes ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Every dynamic dimension of every value is a parameter, and so is every
//      size parameter of every op. What an op implies about its values' sizes is an
//      equation between these, in program order. Where an op repeats operands of
//      size 1, unknown sizes that are known to be one are the result's.
//   2. The parameters that are left get names in the order of the values.
//   3. Maps are rewritten: a size parameter of an op becomes a form over the
//      function's.
//
//===----------------------------------------------------------------------===//

#include "FunctionSizes.h"
#include "mlir/Dialect/Traits.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SizeList &FunctionSizes::getOwnSizes(Value value) {
  auto [it, inserted] = sizes.try_emplace(value);
  auto shaped = dyn_cast<ShapedType>(value.getType());
  if (!inserted || !shaped || !shaped.hasRank())
    return it->second;
  auto vector = dyn_cast<VectorType>(shaped);
  for (auto [d, size] : llvm::enumerate(shaped.getShape())) {
    bool isDynamic =
        ShapedType::isDynamic(size) || (vector && vector.getScalableDims()[d]);
    it->second.push_back(isDynamic ? equations.addParameter() : Form(size));
  }
  return it->second;
}

/// The number of size parameters that an op's maps or sizes mention.
static unsigned countParameters(const OpIndexing &indexing) {
  unsigned count = 0;
  for (const ValueSize &size : indexing.getSizes())
    for (const Term &term : size.size.terms)
      count = std::max<unsigned>(count, term.atom + 1);
  auto take = [&](const IndexingSet &set) {
    for (const IndexingMap &map : set.getMaps())
      for (unsigned v = map.getNumDims() + map.getNumSymbols();
           v < map.getNumVariables(); ++v) {
        std::string name = map.getVariableName(v);
        unsigned number;
        if (isSizeName(name) &&
            !StringRef(name).drop_front().getAsInteger(10, number))
          count = std::max(count, number + 1);
      }
  };
  for (unsigned r = 0; r < indexing.getNumResults(); ++r)
    for (unsigned o = 0; o < indexing.getNumOperands(); ++o) {
      take(indexing.outputToInput(r, o));
      take(indexing.inputToOutput(o, r));
    }
  return count;
}

/// A form over an op's parameters in those of the function.
static Form substitute(FormRef form, ArrayRef<Form> images) {
  FormArena scratch;
  Form result(form.constant);
  for (const Term &term : form.terms)
    result = scratch.addScaled(result, images[term.atom], term.coefficient);
  return result;
}

void FunctionSizes::equateRepeated(Operation *op) {
  // The product has a shift besides, and no trait.
  if (op->getNumResults() != 1 ||
      !(op->hasTrait<OpTrait::ResultsBroadcastableShape>() ||
        op->getName().getStringRef() == "tosa.mul"))
    return;
  const SizeList result = getOwnSizes(op->getResult(0));
  for (unsigned d = 0; d < result.size(); ++d) {
    // The sizes of operands here, but for those of 1.
    std::optional<Form> size;
    bool isOne = true;
    for (Value operand : op->getOperands()) {
      const SizeList &list = getOwnSizes(operand);
      const size_t missing =
          result.size() - std::min(result.size(), list.size());
      if (d < missing || list[d - missing] == Form(1))
        continue;
      Form own = equations.resolve(list[d - missing]);
      isOne &= !size || *size == own;
      size = own;
    }
    if (size && isOne)
      equations.equate(result[d], *size);
  }
}

FunctionSizes::FunctionSizes(
    Operation *root,
    llvm::function_ref<const OpIndexing *(Operation *)> getIndexing) {
  SmallVector<Value> values;
  SmallVector<Operation *> ops;
  auto addValue = [&](Value value) {
    if (!getOwnSizes(value).empty())
      values.push_back(value);
  };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value value : op->getResults())
      addValue(value);
    for (mlir::Region &region : op->getRegions())
      for (Block &block : region)
        for (Value value : block.getArguments())
          addValue(value);
    const OpIndexing *indexing = op == root ? nullptr : getIndexing(op);
    if (!indexing || indexing->getSizes().empty())
      return;
    SizeList own;
    for (unsigned i = 0, e = countParameters(*indexing); i < e; ++i)
      own.push_back(equations.addParameter());
    for (const ValueSize &size : indexing->getSizes()) {
      Value value = size.isResult ? Value(op->getResult(size.value))
                                  : op->getOperand(size.value);
      const SizeList &list = getOwnSizes(value);
      if (size.dim < list.size())
        equations.equate(list[size.dim], substitute(size.size, own));
    }
    equateRepeated(op);
    ops.push_back(op);
    parameters.try_emplace(op, std::move(own));
  });
  auto addNames = [&](ArrayRef<Form> list) {
    for (const Form &size : list)
      for (const Term &term : equations.resolve(size).terms)
        names.try_emplace(term.atom, names.size());
  };
  for (Value value : values)
    addNames(sizes[value]);
  for (Operation *op : ops)
    addNames(parameters[op]);
}

Form FunctionSizes::name(FormRef size) const {
  FormArena scratch;
  Form resolved = equations.resolve(size), named(resolved.constant);
  for (const Term &term : resolved.terms)
    named = scratch.addScaled(named, Form::ofAtom(names.lookup(term.atom)),
                              term.coefficient);
  return named;
}

SizeList FunctionSizes::getSizes(Value value) const {
  SizeList list;
  if (auto it = sizes.find(value); it != sizes.end())
    for (const Form &size : it->second)
      list.push_back(name(size));
  return list;
}

IndexingMap FunctionSizes::getIdentity(Value value) const {
  IndexingMapBuilder builder;
  SmallVector<Form> dims;
  llvm::SmallSetVector<AtomId, 4> used;
  SizeList list = getSizes(value);
  for (const Form &size : list) {
    dims.push_back(builder.addDim(size.isConstant()
                                      ? Interval::ofExtent(size.constant)
                                      : Interval::atLeast(0)));
    for (const Term &term : size.terms)
      used.insert(term.atom);
  }
  llvm::DenseMap<AtomId, Form> images;
  for (AtomId atom : used)
    images[atom] = builder.addRuntime(Interval::atLeast(0), getSizeName(atom));
  for (auto [dim, size] : llvm::zip_equal(dims, list)) {
    builder.addResult(dim);
    if (size.isConstant())
      continue;
    Form bound = builder.arena().sub(dim, Form(size.constant));
    for (const Term &term : size.terms)
      bound = builder.arena().addScaled(bound, images[term.atom],
                                        -term.coefficient);
    builder.addConstraint(bound, Interval::atMost(-1));
  }
  return builder.build().simplify();
}

//===----------------------------------------------------------------------===//
// Renaming
//===----------------------------------------------------------------------===//

DetailedMap FunctionSizes::rename(const DetailedMap &entry,
                                  ArrayRef<Form> images) const {
  if (entry.map.isUnknown())
    return entry;
  IndexingMap joined = joinDetails(entry);
  MapDetails shape;
  if (entry.details)
    shape = *entry.details;
  shape.runtime.resize(joined.getNumRuntime());

  // The op's parameters, and what they are in the function's.
  unsigned begin = joined.getNumDims() + joined.getNumSymbols();
  SmallVector<std::optional<Form>> sizeOf(joined.getNumVariables());
  llvm::SmallSetVector<AtomId, 4> used;
  for (unsigned v = begin; v < joined.getNumVariables(); ++v) {
    std::string text = joined.getVariableName(v);
    unsigned number;
    if (!isSizeName(text) ||
        StringRef(text).drop_front().getAsInteger(10, number))
      continue;
    sizeOf[v] = name(images[number]);
    for (const Term &term : sizeOf[v]->terms)
      used.insert(term.atom);
  }
  if (used.empty() && llvm::none_of(sizeOf, [](auto &s) { return bool(s); }))
    return entry;

  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  SmallVector<Form> variables(joined.getNumVariables());
  llvm::DenseMap<AtomId, Form> sizeForms;
  MapDetails renamed;
  renamed.replica = shape.replica;
  renamed.groups = shape.groups;
  for (unsigned v = 0; v < begin; ++v) {
    Interval range = joined.getRanges()[v];
    variables[v] = v < joined.getNumDims() ? builder.addDim(range)
                                           : builder.addSymbol(range);
  }
  for (AtomId atom : used) {
    sizeForms[atom] =
        builder.addRuntime(Interval::atLeast(0), getSizeName(atom));
    renamed.runtime.emplace_back();
  }
  for (unsigned v = begin; v < joined.getNumVariables(); ++v) {
    if (sizeOf[v])
      continue;
    variables[v] = builder.addRuntime(joined.getRanges()[v]);
    renamed.runtime.push_back(shape.runtime[v - begin]);
  }
  for (unsigned v = begin; v < joined.getNumVariables(); ++v) {
    if (!sizeOf[v])
      continue;
    Form form(sizeOf[v]->constant);
    for (const Term &term : sizeOf[v]->terms)
      form = arena.addScaled(form, sizeForms[term.atom], term.coefficient);
    builder.addConstraint(form, joined.getRanges()[v]);
    variables[v] = form;
  }
  builder.addMap(joined, variables);
  IndexingMap map = builder.build().simplify();
  if (renamed.isTrivial())
    return {map, nullptr};
  return splitDetails(map, entry.map.getNumResults(), renamed);
}

IndexingSet FunctionSizes::rename(Operation *op, const IndexingSet &set) const {
  auto it = parameters.find(op);
  if (it == parameters.end() || set.isUnknown())
    return set;
  SmallVector<DetailedMap> entries;
  for (unsigned i = 0; i < set.size(); ++i)
    entries.push_back(rename(set.getEntry(i), it->second));
  return IndexingSet::of(entries);
}

OpIndexing FunctionSizes::rename(Operation *op,
                                 const OpIndexing &indexing) const {
  auto it = parameters.find(op);
  if (it == parameters.end())
    return indexing;
  OpIndexing renamed(indexing.getNumResults(), indexing.getNumOperands());
  for (unsigned r = 0; r < indexing.getNumResults(); ++r) {
    for (unsigned o = 0; o < indexing.getNumOperands(); ++o) {
      renamed.setOutputToInput(r, o, rename(op, indexing.outputToInput(r, o)));
      renamed.setInputToOutput(o, r, rename(op, indexing.inputToOutput(o, r)));
    }
  }
  for (ValueSize size : indexing.getSizes()) {
    size.size = name(substitute(size.size, it->second));
    renamed.addSize(std::move(size));
  }
  return renamed;
}
