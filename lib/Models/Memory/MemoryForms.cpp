//===- MemoryForms.cpp - Steps, loops and conditions as forms -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the variables that required values reach, the forms of all steps in the
// order in which they were finished, and constraints of what bounds loops and
// guards the op.
//
//===----------------------------------------------------------------------===//

#include "MemoryScope.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using DimKind = MemoryDim::Kind;

/// `map` with dims and symbols in the order of its operands.
IndexingMap tensoraccess::toIndexingMap(AffineMap map,
                                        ArrayRef<Interval> ranges) {
  return IndexingMap::fromAffineMap(map, ranges.take_front(map.getNumDims()),
                                    ranges.drop_front(map.getNumDims()));
}

Form IndexStep::choose(FormArena &arena, ArrayRef<Form> results) const {
  Form chosen = results.front();
  for (const Form &other : results.drop_front())
    chosen = takesMax ? arena.max(chosen, other) : arena.min(chosen, other);
  return chosen;
}

std::string MemoryScope::getName(const Dim &dim) const {
  static constexpr StringRef kNames[] = {"block_", "thread_", "global_",
                                         "subgroup", "lane"};
  if (dim.what.kind == DimKind::Loop) {
    unsigned number = 0;
    for (const Dim &other : dims) {
      if (&other == &dim)
        break;
      number += other.what.kind == DimKind::Loop;
    }
    return "i" + std::to_string(number);
  }
  std::string name = kNames[static_cast<unsigned>(dim.what.kind)].str();
  if (dim.what.kind <= DimKind::Global)
    name += "xyz"[dim.what.axis];
  return name;
}

void MemoryScope::begin(ArrayRef<int64_t> vector) {
  // Dims that are different names of the same thread.
  auto has = [&](DimKind kind) {
    return llvm::any_of(dims,
                        [&](const Dim &d) { return d.what.kind == kind; });
  };
  const bool inBlock = has(DimKind::Lane) || has(DimKind::Subgroup);
  if ((has(DimKind::Global) && (has(DimKind::Thread) || has(DimKind::Block))) ||
      (inBlock && (has(DimKind::Thread) || has(DimKind::Global))))
    fail(IndexingReason::UnsupportedForm);

  // Ids in the order x within block, thread, …; then loops, outermost first.
  for (unsigned i = 0; i < dims.size(); ++i)
    order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    auto rank = [&](unsigned i) {
      return std::tuple(dims[i].what.kind, dims[i].what.axis, i);
    };
    return rank(a) < rank(b);
  });
  dimForms.resize(dims.size());
  for (unsigned i : order)
    dimForms[i] = builder.addDim(dims[i].range, getName(dims[i]));
  for (auto [i, size] : llvm::enumerate(vector))
    symbols.push_back(
        builder.addSymbol(Interval::ofExtent(size), "v" + std::to_string(i)));
  // Users come after their operands.
  DenseSet<Value> needed(roots.begin(), roots.end());
  for (const auto &[value, node] : llvm::reverse(nodes))
    if (needed.contains(value) && node.kind == Node::Kind::Step)
      needed.insert(node.step.operands.begin(), node.step.operands.end());
  for (const auto &[value, node] : nodes)
    if (node.kind == Node::Kind::Runtime && needed.contains(value))
      runtime.insert(value);
  for (Value value : runtime)
    runtimeForms.push_back(builder.addRuntime(nodes.lookup(value).range));

  for (const auto &[value, node] : nodes) {
    if (!needed.contains(value))
      continue;
    switch (node.kind) {
    case Node::Kind::Constant:
      forms[value] = Form(node.range.lower);
      break;
    case Node::Kind::Dim:
      forms[value] = dimForms[node.dim];
      break;
    case Node::Kind::Runtime:
      forms[value] = runtimeForms[llvm::find(runtime, value) - runtime.begin()];
      break;
    case Node::Kind::Ids: {
      Form form;
      for (auto [dim, coefficient] : node.ids)
        form = arena().addScaled(form, dimForms[dim], coefficient);
      form = arena().floorDiv(form, node.divisor);
      forms[value] = node.modulus ? arena().mod(form, node.modulus) : form;
      break;
    }
    case Node::Kind::Step: {
      Form form =
          node.step.choose(arena(), get(node.forms, node.step.operands));
      forms[value] = std::move(form);
      break;
    }
    }
  }
  for (auto [dim, form] : llvm::zip_equal(dims, dimForms))
    constrain(dim, form);
  for (const Condition &condition : conditions)
    constrain(condition);
  for (const SetCondition &condition : setConditions) {
    AffineMap map = AffineMap::get(
        condition.set.getNumDims(), condition.set.getNumSymbols(),
        condition.set.getConstraints(), op->getContext());
    for (auto [i, form] : llvm::enumerate(get(map, condition.operands)))
      addConstraint(form, condition.isElse        ? Interval::atMost(-1)
                          : condition.set.isEq(i) ? Interval::point(0)
                                                  : Interval::atLeast(0));
  }
  if (neverRuns)
    builder.setKnownEmpty();
}

IndexingMap MemoryScope::getForms(AffineMap map, ValueRange operands) const {
  SmallVector<Interval> ranges;
  for (Value operand : operands)
    ranges.push_back(nodes.find(operand)->second.range);
  return toIndexingMap(map, ranges);
}

SmallVector<Form> MemoryScope::get(const IndexingMap &forms,
                                   ValueRange operands) {
  SmallVector<Form> images;
  for (Value operand : operands)
    images.push_back(get(operand));
  SmallVector<Form> results(forms.getNumResults());
  if (forms.isUnknown()) {
    fail(fromUnknownReason(forms.getUnknownReason()));
    return results;
  }
  Substitution substitute(arena(), forms.getArena(), images);
  for (unsigned i = 0; i < results.size(); ++i)
    results[i] = substitute(forms.getResult(i));
  return results;
}

Form MemoryScope::get(Value value) {
  auto it = forms.find(value);
  assert(it != forms.end() && "a value that was not required");
  return it->second;
}

Form MemoryScope::get(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return Form(cast<IntegerAttr>(attribute).getInt());
  return get(cast<Value>(value));
}

void MemoryScope::constrain(const Dim &dim, Form iv) {
  FormArena &a = arena();
  // Also the ids of a launch whose size is not a constant.
  if (dim.upper)
    for (const Form &bound : get(dim.upper, dim.upperOperands))
      addConstraint(a.sub(iv, bound), Interval::atMost(-1));
  if (!dim.lower)
    return;
  SmallVector<Form> lower = get(dim.lower, dim.lowerOperands);
  Form base = lower.front();
  for (const Form &bound : lower) {
    addConstraint(a.sub(iv, bound), Interval::atLeast(0));
    base = a.max(base, bound);
  }
  if (dim.step > 1)
    addConstraint(a.mod(a.sub(iv, base), dim.step), Interval::point(0));
}

void MemoryScope::constrain(const Condition &condition) {
  using Predicate = arith::CmpIPredicate;
  FormArena &a = arena();
  Form x = get(condition.lhs), y = get(condition.rhs);
  Form difference = a.sub(x, y);
  Predicate predicate = condition.predicate;
  // Unsigned comparisons of what is not negative are signed ones.
  bool isUnsigned = predicate == Predicate::ult ||
                    predicate == Predicate::ule ||
                    predicate == Predicate::ugt || predicate == Predicate::uge;
  if (isUnsigned && (a.range(x).lower < 0 || a.range(y).lower < 0))
    return fail(IndexingReason::ControlFlow);
  switch (predicate) {
  case Predicate::eq:
    return addConstraint(difference, Interval::point(0));
  case Predicate::ne: {
    // Only at an end of its range does leaving a point out leave an interval.
    Interval range = a.range(difference);
    if (range.lower >= 0)
      return addConstraint(difference, Interval::atLeast(1));
    if (range.upper <= 0)
      return addConstraint(difference, Interval::atMost(-1));
    return fail(IndexingReason::ControlFlow);
  }
  case Predicate::slt:
  case Predicate::ult:
    return addConstraint(difference, Interval::atMost(-1));
  case Predicate::sle:
  case Predicate::ule:
    return addConstraint(difference, Interval::atMost(0));
  case Predicate::sgt:
  case Predicate::ugt:
    return addConstraint(difference, Interval::atLeast(1));
  case Predicate::sge:
  case Predicate::uge:
    return addConstraint(difference, Interval::atLeast(0));
  }
}

SmallVector<MemoryDim, 4> MemoryScope::getDims() const {
  SmallVector<MemoryDim, 4> result;
  for (unsigned i : order)
    result.push_back(dims[i].what);
  return result;
}

IndexingMap MemoryScope::finish(ArrayRef<Form> results) {
  if (reason != IndexingReason::None)
    return IndexingMap::unknown(toUnknownReason(reason));
  for (const Form &result : results)
    builder.addResult(result);
  return builder.build().simplify();
}
