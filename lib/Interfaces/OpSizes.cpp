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
  if (a == b)
    return;
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
  // k*a + c = 0.
  if (difference.terms.size() == 1 &&
      difference.constant % difference.terms[0].coefficient == 0) {
    const Term &term = difference.terms[0];
    bound[term.atom] = Form(-(difference.constant / term.coefficient));
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
  } else if (auto space = dyn_cast<IndexSpaceTypeInterface>(type)) {
    other = space.getShape();
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
  if (size.terms.empty())
    return size.constant;
  Form resolved = resolve(size);
  if (resolved.isConstant())
    return resolved.constant;
  return std::nullopt;
}

void OpSizes::freeze() {
  if (std::exchange(frozen, true))
    return;
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
}

Form OpSizes::name(FormRef size, AtomId first) const {
  Form named = resolve(size);
  for (Term &term : named.terms)
    term.atom =
        first + (llvm::find(parameters, term.atom) - parameters.begin());
  llvm::sort(named.terms,
             [](const Term &a, const Term &b) { return a.atom < b.atom; });
  return named;
}

void OpSizes::record(OpIndexing &indexing) const {
  auto list = [&](ArrayRef<Value> values, bool areResults) {
    for (auto [v, value] : llvm::enumerate(values))
      for (auto [d, size] : llvm::enumerate(value.sizes))
        if (!size.isConstant())
          indexing.addSize({areResults, static_cast<unsigned>(v),
                            static_cast<unsigned>(d), name(size)});
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
