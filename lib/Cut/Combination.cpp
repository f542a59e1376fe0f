//===- Combination.cpp - How tuples of columns are combined ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combination.h"
#include "TensorAccess/Core/Counting.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr size_t kMaxMonomials = 256;
static constexpr unsigned kMaxBooleans = 12;

void Combination::addSides(unsigned pattern, int64_t side,
                           SetVector<unsigned> &found) const {
  SetVector<unsigned> parts;
  parts.insert(pattern);
  for (unsigned i = 0; i < parts.size(); ++i) {
    const ColumnTerm &term = terms[parts[i]];
    if (term.kind == ColumnTerm::Side && term.index == side)
      found.insert(term.leaf);
    parts.insert(term.args.begin(), term.args.end());
  }
}

static NormalForm getVariable(unsigned atom) {
  NormalForm form;
  form.polynomial[{atom}] = 1;
  return form;
}

static NormalForm getNumber(int64_t value) {
  NormalForm form;
  if (value != 0)
    form.polynomial[{}] = value;
  return form;
}

/// Adds `factor` times the product of two; false if that is too large.
static bool addProduct(Polynomial &to, const Polynomial &a, const Polynomial &b,
                       int64_t factor) {
  for (const auto &[x, m] : a)
    for (const auto &[y, n] : b) {
      std::vector<unsigned> monomial(x);
      monomial.insert(monomial.end(), y.begin(), y.end());
      llvm::sort(monomial);
      int64_t &sum = to[monomial];
      std::optional<int64_t> own = checkedMul(m, n);
      if (own)
        own = checkedMul(*own, factor);
      if (own)
        own = checkedAdd(*own, sum);
      if (!own || to.size() > kMaxMonomials)
        return false;
      sum = *own;
      if (sum == 0)
        to.erase(monomial);
    }
  return true;
}

static bool isUnordered(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp>(op);
}

/// What is no polynomial: a function of polynomials. Maxima and their like are sets.
/// Without an op: the logarithm of a sum of exponentials.
std::optional<NormalForm> Combination::getAtom(Operation *op,
                                               ArrayRef<NormalForm> args) {
  static const char kLogAddExp = 0;
  const void *name = op ? op->getName().getAsOpaquePointer() : &kLogAddExp;
  std::vector<Polynomial> polynomials;
  for (const NormalForm &arg : args) {
    Polynomial own =
        arg.boolean ? getNumber(*arg.boolean).polynomial : arg.polynomial;
    const bool isAtom = own.size() == 1 && own.begin()->first.size() == 1 &&
                        own.begin()->second == 1;
    auto it =
        isAtom ? unordered.find(own.begin()->first.front()) : unordered.end();
    if (it != unordered.end() && it->second.first == name)
      llvm::append_range(polynomials, it->second.second);
    else
      polynomials.push_back(std::move(own));
  }
  const bool isSet = !op || isUnordered(op);
  if (isSet)
    llvm::sort(polynomials);
  if (op && isSet)
    polynomials.erase(llvm::unique(polynomials), polynomials.end());
  if (op && isSet && polynomials.size() == 1) {
    NormalForm form;
    form.polynomial = polynomials.front();
    return form;
  }
  // Attributes, such as predicates, are part of the function, and what is cut off.
  const void *attrs = nullptr, *result = nullptr;
  if (!isSet) {
    attrs = op->getAttrDictionary().getAsOpaquePointer();
    result = op->getResult(0).getType().getAsOpaquePointer();
  }
  auto [it, isNew] =
      atoms.try_emplace({name, attrs, result, polynomials}, numAtoms);
  if (isNew)
    ++numAtoms;
  if (isSet)
    unordered[it->second] = {name, polynomials};
  return getVariable(it->second);
}

/// select(d != d, x + y, max(x, y) + log1p(exp(-|d|))) with d = x - y: x and y.
std::optional<std::pair<unsigned, unsigned>>
Combination::readLogAddExp(unsigned number) const {
  auto get = [&](unsigned term, auto kind) -> const ColumnTerm * {
    const ColumnTerm &own = terms[term];
    return own.kind == ColumnTerm::Apply && isa<decltype(kind)>(own.op)
               ? &own
               : nullptr;
  };
  const ColumnTerm *choice = get(number, arith::SelectOp());
  if (!choice)
    return std::nullopt;
  const ColumnTerm *isNan = get(choice->args[0], arith::CmpFOp()),
                   *sum = get(choice->args[1], arith::AddFOp()),
                   *result = get(choice->args[2], arith::AddFOp());
  if (!isNan || !sum || !result || isNan->args[0] != isNan->args[1] ||
      cast<arith::CmpFOp>(isNan->op).getPredicate() !=
          arith::CmpFPredicate::UNE)
    return std::nullopt;
  const ColumnTerm *difference = get(isNan->args[0], arith::SubFOp()),
                   *most = get(result->args[0], arith::MaximumFOp()),
                   *log = get(result->args[1], math::Log1pOp()), *at = log;
  if (!difference || !most || !log || difference->args != sum->args ||
      most->args != sum->args)
    return std::nullopt;
  if (!(at = get(at->args[0], math::ExpOp())) ||
      !(at = get(at->args[0], arith::NegFOp())) ||
      !(at = get(at->args[0], math::AbsFOp())) || at->args[0] != isNan->args[0])
    return std::nullopt;
  return std::make_pair(sum->args[0], sum->args[1]);
}

std::optional<NormalForm>
Combination::getForm(unsigned number, const Tuple &left, const Tuple &right,
                     DenseMap<unsigned, NormalForm> &known) {
  if (auto it = known.find(number); it != known.end())
    return it->second;
  const ColumnTerm term = terms[number];
  std::optional<NormalForm> made;
  if (term.kind == ColumnTerm::Side) {
    const Tuple &side = term.index == 0 ? left : right;
    auto it = side.find(term.leaf);
    if (it != side.end())
      made = it->second;
  } else if (term.kind == ColumnTerm::Constant) {
    made = getNumber(0);
    if (auto integer = dyn_cast<IntegerAttr>(term.constant)) {
      if (integer.getType().isInteger(1))
        made->boolean = !integer.getValue().isZero();
      else if (integer.getValue().getSignificantBits() <= 32)
        made = getNumber(integer.getValue().getSExtValue());
      else
        return std::nullopt;
    } else {
      APFloat value = cast<FloatAttr>(term.constant).getValue();
      llvm::APSInt whole(/*BitWidth=*/32, /*isUnsigned=*/false);
      bool isExact = false;
      if (!value.isFinite())
        return std::nullopt;
      (void)value.convertToInteger(whole, APFloat::rmTowardZero, &isExact);
      if (isExact) {
        made = getNumber(whole.getSExtValue());
      } else {
        auto [it, isNew] = atoms.try_emplace(
            {term.constant.getAsOpaquePointer(), nullptr, nullptr, {}},
            numAtoms);
        numAtoms += isNew;
        made = getVariable(it->second);
      }
    }
  } else if (auto logs = readLogAddExp(number)) {
    auto x = getForm(logs->first, left, right, known),
         y = getForm(logs->second, left, right, known);
    if (x && y)
      made = getAtom(nullptr, {*x, *y});
  } else {
    SmallVector<NormalForm> args;
    bool areBooleans = true;
    for (unsigned arg : term.args) {
      std::optional<NormalForm> own = getForm(arg, left, right, known);
      if (!own)
        return std::nullopt;
      areBooleans &= own->boolean.has_value();
      args.push_back(std::move(*own));
    }
    auto sum = [&](int64_t sign) {
      NormalForm form = args[0];
      const Polynomial one = getNumber(1).polynomial;
      if (addProduct(form.polynomial, args[1].polynomial, one, sign))
        made = std::move(form);
    };
    auto setBoolean = [&](bool value) {
      made = NormalForm();
      made->boolean = value;
    };
    if (areBooleans && isa<arith::AndIOp>(term.op))
      setBoolean(*args[0].boolean && *args[1].boolean);
    else if (areBooleans && isa<arith::OrIOp>(term.op))
      setBoolean(*args[0].boolean || *args[1].boolean);
    else if (areBooleans && isa<arith::XOrIOp>(term.op))
      setBoolean(*args[0].boolean != *args[1].boolean);
    else if (isa<arith::ExtFOp, arith::TruncFOp>(term.op))
      made = args[0];
    else if (isa<arith::SelectOp>(term.op) && args[0].boolean)
      made = *args[0].boolean ? args[1] : args[2];
    else if (llvm::any_of(args,
                          [](const NormalForm &own) { return own.boolean; }))
      made = getAtom(term.op, args);
    else if (isa<arith::AddFOp, arith::AddIOp>(term.op))
      sum(1);
    else if (isa<arith::SubFOp, arith::SubIOp>(term.op))
      sum(-1);
    else if (isa<arith::NegFOp>(term.op)) {
      args.insert(args.begin(), getNumber(0));
      sum(-1);
    } else if (isa<arith::MulFOp, arith::MulIOp>(term.op)) {
      NormalForm form;
      if (addProduct(form.polynomial, args[0].polynomial, args[1].polynomial,
                     1))
        made = std::move(form);
    } else {
      made = getAtom(term.op, args);
    }
  }
  if (made)
    known[number] = *made;
  return made;
}

std::optional<Tuple> Combination::combine(ArrayRef<unsigned> all,
                                          const Tuple &left,
                                          const Tuple &right) {
  Tuple result;
  DenseMap<unsigned, NormalForm> known;
  for (unsigned leaf : all) {
    std::optional<NormalForm> own = getForm(forms[leaf], left, right, known);
    if (!own)
      return std::nullopt;
    result[leaf] = std::move(*own);
  }
  return result;
}

/// Whether something is true of any three tuples.
bool Combination::holds(ArrayRef<unsigned> all,
                        function_ref<bool(ArrayRef<Tuple>)> check) {
  SmallVector<Tuple> tuples(3);
  SmallVector<NormalForm *> booleans;
  for (Tuple &tuple : tuples)
    for (unsigned leaf : all) {
      tuple[leaf] = getVariable(numAtoms++);
      if (getElementTypeOrSelf(leaves[leaf].getType()).isInteger(1))
        booleans.push_back(&tuple[leaf]);
    }
  if (booleans.size() > kMaxBooleans)
    return false;
  for (unsigned bits = 0; bits < 1u << booleans.size(); ++bits) {
    for (auto [i, own] : llvm::enumerate(booleans))
      *own = NormalForm{bool(bits >> i & 1), {}};
    if (!check(tuples))
      return false;
  }
  return true;
}

bool Combination::isAssociative(const SetVector<unsigned> &components) {
  // The components that the result is made of.
  SetVector<unsigned> all(components.begin(), components.end());
  for (unsigned i = 0; i < all.size(); ++i) {
    auto it = forms.find(all[i]);
    if (it == forms.end())
      return false;
    addSides(it->second, 0, all);
    addSides(it->second, 1, all);
  }
  ArrayRef<unsigned> parts = all.getArrayRef();
  return holds(parts, [&](ArrayRef<Tuple> tuples) {
    std::optional<Tuple> first = combine(parts, tuples[0], tuples[1]),
                         last = combine(parts, tuples[1], tuples[2]);
    if (!first || !last)
      return false;
    std::optional<Tuple> fromLeft = combine(parts, *first, tuples[2]),
                         fromRight = combine(parts, tuples[0], *last);
    return fromLeft && fromRight && *fromLeft == *fromRight;
  });
}

/// The constants that may stand for a component left of the first column: the least
/// one for maxima, the greatest for minima, zeros and ones for what is a polynomial.
SmallVector<TypedAttr>
Combination::findNeutral(const SetVector<unsigned> &components) {
  SetVector<unsigned> all(components.begin(), components.end());
  for (unsigned leaf : components)
    addSides(forms[leaf], 1, all);
  Tuple left;
  SmallVector<unsigned> open;
  SmallVector<TypedAttr> found(components.size());
  auto set = [&](unsigned i, int64_t value) {
    Type element = getElementTypeOrSelf(leaves[components[i]].getType());
    found[i] = isa<FloatType>(element)
                   ? TypedAttr(FloatAttr::get(element, double(value)))
                   : TypedAttr(IntegerAttr::get(element, value));
    left[components[i]] =
        element.isInteger(1) ? NormalForm{value != 0, {}} : getNumber(value);
  };
  for (auto [i, leaf] : llvm::enumerate(components)) {
    const ColumnTerm &term = terms[forms[leaf]];
    auto element =
        dyn_cast<FloatType>(getElementTypeOrSelf(leaves[leaf].getType()));
    std::optional<std::pair<unsigned, unsigned>> args =
        readLogAddExp(forms[leaf]);
    const bool isLeast =
        args || (term.op && isa<arith::MaximumFOp, arith::MaxNumFOp>(term.op));
    if (!args && term.op && term.args.size() == 2 &&
        (isLeast || isa<arith::MinimumFOp, arith::MinNumFOp>(term.op)))
      args = std::make_pair(term.args[0], term.args[1]);
    auto isSide = [&, leaf = leaf](unsigned own) {
      return terms[own].kind == ColumnTerm::Side && terms[own].leaf == leaf;
    };
    if (!args || !element || !isSide(args->first) || !isSide(args->second) ||
        args->first == args->second) {
      open.push_back(i);
      continue;
    }
    found[i] = FloatAttr::get(
        element, APFloat::getInf(element.getFloatSemantics(), isLeast));
  }
  if (open.size() > kMaxBooleans)
    return {};
  ArrayRef<unsigned> parts = all.getArrayRef();
  for (unsigned bits = 0; bits < 1u << open.size(); ++bits) {
    for (auto [b, i] : llvm::enumerate(open))
      set(i, bits >> b & 1);
    if (holds(parts, [&](ArrayRef<Tuple> tuples) {
          DenseMap<unsigned, NormalForm> known;
          return llvm::all_of(open, [&](unsigned i) {
            return getForm(forms[components[i]], left, tuples[0], known) ==
                   tuples[0].at(components[i]);
          });
        }))
      return found;
  }
  return {};
}
