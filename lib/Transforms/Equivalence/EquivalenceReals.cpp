//===- EquivalenceReals.cpp - Equal as sums of products -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What two expressions over floats are equal to if nothing is rounded:
//
//   1. An expression is a sum of products of *atoms* with whole factors, each
//      sum and each product in one order: additions, subtractions, negations,
//      multiplications and their combination are written out, extensions are
//      what they extend. Atoms are inputs, constants, and all other operations
//      on operands that are sums of products again.
//   2. What a sum adds up and nothing else uses is not a separate sum, so
//      that a sum of n is written out once and not n times.
//   3. Products of sums are multiplied out up to a number of products; where
//      there are more, the product is an atom over the two.
//
// Expressions are taken in the order of their numbers: operands come first.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceTerms.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most products that a product of sums becomes.
static constexpr size_t kMaxProducts = 256;

namespace {

/// Atoms in ascending order, each as often as it occurs.
using Monomial = std::vector<unsigned>;
/// Factors, never 0.
using Polynomial = std::map<Monomial, int64_t>;

class RealForms {
public:
  RealForms(const ScalarTerms &graph, int64_t limit)
      : graph(graph), left(limit) {}

  /// The numbers of the polynomials that the expressions are; false if they
  /// are too large.
  bool build(ArrayRef<unsigned> roots);
  unsigned get(unsigned id) const { return forms.find(id)->second; }

private:
  bool isSum(const ScalarTerm &term) const;
  bool isWritten(unsigned id) const { return needed[id]; }
  void collectNeeded(ArrayRef<unsigned> roots);
  bool writeForm(unsigned id);
  bool addTo(Polynomial &sum, const Polynomial &part, int64_t factor);
  std::optional<Polynomial> multiply(unsigned a, unsigned b);
  Polynomial makeAtom(const ScalarTerm &term, unsigned id);
  unsigned intern(const Polynomial &polynomial);

  const ScalarTerms &graph;
  int64_t left;
  std::vector<bool> needed;
  std::vector<unsigned> uses;
  DenseMap<unsigned, unsigned> forms;
  std::vector<const Polynomial *> polynomials;
  std::map<Polynomial, unsigned> numbers;
  std::map<
      std::tuple<std::string, const void *, int64_t, std::vector<unsigned>>,
      unsigned>
      atoms;
};

} // namespace

/// An operation that adds and subtracts.
bool RealForms::isSum(const ScalarTerm &term) const {
  return term.kind == ScalarTerm::Kind::Apply && isa<FloatType>(term.type) &&
         (term.name == "arith.addf" || term.name == "arith.subf" ||
          term.name == "arith.negf" || term.name == "arith.extf");
}

void RealForms::collectNeeded(ArrayRef<unsigned> roots) {
  needed.assign(graph.size(), false);
  uses.assign(graph.size(), 0);
  std::vector<bool> isSeen(graph.size());
  SmallVector<unsigned> stack(roots);
  for (unsigned root : roots)
    needed[root] = true;
  while (!stack.empty()) {
    const unsigned id = stack.pop_back_val();
    if (isSeen[id])
      continue;
    isSeen[id] = true;
    const ScalarTerm &term = graph.getTerm(id);
    for (unsigned operand : term.operands) {
      ++uses[operand];
      if (!isSum(term) || !isSum(graph.getTerm(operand)))
        needed[operand] = true;
      stack.push_back(operand);
    }
  }
  // What several sums add is written out once.
  for (unsigned id = 0; id < graph.size(); ++id)
    if (uses[id] > 1)
      needed[id] = true;
}

bool RealForms::addTo(Polynomial &sum, const Polynomial &part, int64_t factor) {
  left -= static_cast<int64_t>(part.size());
  for (const auto &[monomial, times] : part) {
    std::optional<int64_t> scaled = checkedMul(times, factor);
    auto [it, isNew] = sum.try_emplace(monomial, 0);
    std::optional<int64_t> total =
        scaled ? checkedAdd(it->second, *scaled) : std::nullopt;
    if (!total)
      return false;
    if ((it->second = *total) == 0)
      sum.erase(it);
  }
  return left > 0;
}

/// std::nullopt if it overflows; an atom where it would be too long.
std::optional<Polynomial> RealForms::multiply(unsigned a, unsigned b) {
  const Polynomial &x = *polynomials[a], &y = *polynomials[b];
  Polynomial product;
  if (x.size() * y.size() > kMaxProducts) {
    std::vector<unsigned> operands{std::min(a, b), std::max(a, b)};
    auto [it, isNew] =
        atoms.try_emplace({"product", nullptr, 0, operands}, atoms.size());
    product[{it->second}] = 1;
    return product;
  }
  for (const auto &[first, times] : x)
    for (const auto &[second, more] : y) {
      Monomial both(first);
      both.insert(both.end(), second.begin(), second.end());
      llvm::sort(both);
      std::optional<int64_t> factor = checkedMul(times, more);
      if (!factor || !addTo(product, {{both, *factor}}, 1))
        return std::nullopt;
    }
  return product;
}

/// An input, a constant, or another operation.
Polynomial RealForms::makeAtom(const ScalarTerm &term, unsigned id) {
  if (term.kind == ScalarTerm::Kind::Constant)
    if (auto type = dyn_cast<FloatType>(term.type)) {
      llvm::APFloat value(type.getFloatSemantics(), term.bits);
      bool isExact = false;
      llvm::APSInt whole(64, /*isUnsigned=*/false);
      if (value.isFinite() &&
          value.convertToInteger(whole, llvm::APFloat::rmTowardZero,
                                 &isExact) == llvm::APFloat::opOK)
        return whole == 0 ? Polynomial()
                          : Polynomial{{{}, whole.getSExtValue()}};
    }
  // Bits are not a function of a number: 0 has two.
  const bool isFunction = term.kind == ScalarTerm::Kind::Apply &&
                          term.name != "arith.bitcast" &&
                          term.name != "math.copysign";
  std::vector<unsigned> operands;
  if (isFunction)
    for (unsigned operand : term.operands)
      operands.push_back(get(operand));
  else
    operands.push_back(id);
  if (term.name == "arith.maximumf" || term.name == "arith.minimumf")
    llvm::sort(operands);
  auto [it, isNew] = atoms.try_emplace(
      {isFunction ? term.name.str() : std::string("term"),
       term.type.getAsOpaquePointer(), term.predicate, operands},
      atoms.size());
  return {{{it->second}, 1}};
}

unsigned RealForms::intern(const Polynomial &polynomial) {
  auto [it, isNew] = numbers.try_emplace(polynomial, numbers.size());
  if (isNew)
    polynomials.push_back(&it->first);
  return it->second;
}

bool RealForms::writeForm(unsigned id) {
  const ScalarTerm &term = graph.getTerm(id);
  Polynomial form;
  if (isSum(term)) {
    // All that it adds up, with signs.
    SmallVector<std::pair<unsigned, int64_t>> stack{{id, 1}};
    while (!stack.empty()) {
      auto [part, sign] = stack.pop_back_val();
      if (part != id && isWritten(part)) {
        if (!addTo(form, *polynomials[get(part)], sign))
          return false;
        continue;
      }
      const ScalarTerm &sum = graph.getTerm(part);
      for (auto [i, operand] : llvm::enumerate(sum.operands))
        stack.push_back({operand, sum.name == "arith.negf" ||
                                          (sum.name == "arith.subf" && i == 1)
                                      ? -sign
                                      : sign});
    }
  } else if (term.kind == ScalarTerm::Kind::Apply &&
             isa<FloatType>(term.type) &&
             (term.name == "arith.mulf" || term.name == "math.fma")) {
    std::optional<Polynomial> product =
        multiply(get(term.operands[0]), get(term.operands[1]));
    if (!product)
      return false;
    form = std::move(*product);
    if (term.name == "math.fma" &&
        !addTo(form, *polynomials[get(term.operands[2])], 1))
      return false;
  } else {
    form = makeAtom(term, id);
  }
  forms[id] = intern(form);
  return true;
}

bool RealForms::build(ArrayRef<unsigned> roots) {
  collectNeeded(roots);
  for (unsigned id = 0; id < graph.size(); ++id)
    if (isWritten(id) && !writeForm(id))
      return false;
  return true;
}

bool mlir::tensoraccess::areEqualReals(const ScalarTerms &graph,
                                       ArrayRef<unsigned> expected,
                                       ArrayRef<unsigned> got, int64_t limit) {
  SmallVector<unsigned> roots(expected);
  llvm::append_range(roots, got);
  RealForms forms(graph, limit);
  return forms.build(roots) &&
         llvm::all_of_zip(expected, got, [&](unsigned a, unsigned b) {
           return forms.get(a) == forms.get(b);
         });
}
