//===- FactRewriter.cpp - Shorter forms where facts hold ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line is an equation at the points where the facts hold:
//
//   1. x = t               if the interval and the class of x have one number
//                          in common;
//   2. ⌊B/m⌋ = t           likewise;
//   3. max(B, 0) = B or 0  by the interval of B;
//   4. m*⌊B/m⌋ = B - r     if B is r modulo m: where the coefficient of a
//                          division is a multiple of m, the division goes;
//   5. ⌊(L + c)/m⌋ = ⌊L/m⌋ + ⌊(r + c)/m⌋  if the sum L of terms is r modulo m:
//                          no constant is left inside.
//
// Atoms are rewritten bottom-up; a form is replaced only if that is cheaper.
//
//===----------------------------------------------------------------------===//

#include "FactRewriter.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::SmallVector;

unsigned mlir::tensoraccess::detail::costOfForm(const FormArena &arena,
                                                FormRef x) {
  constexpr unsigned kDivisionCost = 256, kMany = 1u << 24;
  if (x.terms.empty())
    return 0;
  SmallVector<unsigned, 32> costs;
  auto sum = [&](FormRef f) {
    unsigned cost = f.constant != 0;
    for (const Term &t : f.terms)
      cost = std::min(cost + costs[t.atom], kMany);
    return cost;
  };
  for (AtomId id = 0, e = x.terms.back().atom; id <= e; ++id)
    costs.push_back(arena.isVariable(id) ? 1
                                         : kDivisionCost + sum(arena.body(id)));
  return sum(x);
}

FactRewriter::FactRewriter(FormArena &arena, const FormFacts &facts)
    : arena(arena), facts(facts), numVariables(arena.getNumVariables()) {
  for (AtomId id = numVariables, e = facts.getNumAtoms(); id != e; ++id) {
    images.push_back(imageOf(id));
    anyAtom |= !images.back().isSame || images.back().whole;
  }
}

FactRewriter::Image FactRewriter::imageOf(AtomId id) {
  Image image;
  image.form = Form::ofAtom(id);
  const Atom a = arena.getAtom(id);
  // By 2.
  if (facts.rangeOfAtom(id).isPoint()) {
    image.form = Form(facts.rangeOfAtom(id).lower);
    image.isSame = false;
    return image;
  }
  Form body(arena.body(id));
  const bool bodyIsSame = llvm::all_of(body.terms, [&](const Term &t) {
    return t.atom < numVariables || (images[t.atom - numVariables].isSame &&
                                     !images[t.atom - numVariables].whole);
  });
  if (a.kind == AtomKind::Product) {
    if (bodyIsSame)
      return image;
    const Term &x = body.terms.front(), &y = body.terms.back();
    image.form =
        arena.mul(apply(Form::ofAtom(x.atom)), apply(Form::ofAtom(y.atom)));
    image.isSame = false;
    return image;
  }
  Form rewritten = bodyIsSame ? body : apply(body);
  if (a.kind == AtomKind::PositivePart) {
    // By 3; what is not positive has been found by 2.
    if (facts.range(body).lower >= 0) {
      image.form = std::move(rewritten);
      image.isSame = false;
    } else if (!bodyIsSame) {
      image.form = arena.max(rewritten, Form());
      image.isSame = false;
    }
    return image;
  }
  const int64_t m = a.divisor;
  std::optional<int64_t> r = facts.residue(body).modulo(m);
  if (r) {
    // By 4.
    image.whole = arena.sub(rewritten, Form(*r));
    // By 5.
    const int64_t c = rewritten.constant;
    Form sum = rewritten;
    sum.constant = 0;
    const int64_t sumResidue = floorModPositive(*r - floorModPositive(c, m), m);
    std::optional<int64_t> inside = checkedAdd(sumResidue, c);
    if (inside && (c != 0 || !bodyIsSame)) {
      image.form =
          arena.add(arena.floorDiv(sum, m), Form(floorDivPositive(*inside, m)));
      image.isSame = false;
    }
  } else if (!bodyIsSame) {
    image.form = arena.floorDiv(rewritten, m);
    image.isSame = false;
  }
  return image;
}

Form FactRewriter::apply(FormRef x) {
  Form out(x.constant);
  const SmallVector<Term, 8> terms(x.terms.begin(), x.terms.end());
  for (const Term &t : terms) {
    if (t.atom < numVariables) {
      arena.accumulate(out, Form::ofAtom(t.atom), t.coefficient);
      continue;
    }
    const Image &image = images[t.atom - numVariables];
    const int64_t m = arena.getAtom(t.atom).divisor;
    if (image.whole && t.coefficient % m == 0)
      arena.accumulate(out, *image.whole, t.coefficient / m);
    else
      arena.accumulate(out, image.form, t.coefficient);
  }
  return out;
}

bool FactRewriter::rewrite(Form &x) {
  if (x.isConstant())
    return false;
  // By 1.
  const Interval values =
      tighten(facts.range(x).intersect(arena.range(x)), facts.residue(x));
  if (values.isPoint()) {
    x = Form(values.lower);
    return true;
  }
  if (!anyAtom)
    return false;
  Form rewritten = apply(x);
  if (arena.failed() || costOfForm(arena, rewritten) >= costOfForm(arena, x)) {
    arena.clearFailure();
    return false;
  }
  x = std::move(rewritten);
  return true;
}
