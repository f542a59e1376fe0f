//===- Form.cpp - Linear forms over hash-consed atoms ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plumbing of forms: checked linear arithmetic, hash-consing, products,
// evaluation, substitution and the canonical numbering of atoms. Division, min
// and max are in FormDivision.cpp, ranges in FormRange.cpp.
//
// Canonical numbering, so that equal maps are equal arrays:
//   1. keep what the roots reach;
//   2. take atoms by increasing height, so that bodies are numbered before the
//      atoms that use them;
//   3. within one height sort by (kind, divisor, body) in the new numbers.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

llvm::StringRef mlir::tensoraccess::describe(FormFailure failure) {
  switch (failure) {
  case FormFailure::None:
    return "is fine";
  case FormFailure::Overflow:
    return "overflows 64-bit arithmetic";
  case FormFailure::DivisionByZero:
    return "divides by zero";
  case FormFailure::ModByNegative:
    return "takes a modulus that is not positive";
  case FormFailure::NonConstant:
    return "divides by something that is not a constant";
  case FormFailure::TooLarge:
    return "needs more divisions than the limit allows";
  }
  llvm_unreachable("unknown failure");
}

/// Three-way comparison of terms: by atom, then by coefficient, then by length.
static int compareTerms(ArrayRef<Term> a, ArrayRef<Term> b) {
  for (size_t i = 0, e = std::min(a.size(), b.size()); i != e; ++i) {
    if (a[i].atom != b[i].atom)
      return a[i].atom < b[i].atom ? -1 : 1;
    if (a[i].coefficient != b[i].coefficient)
      return a[i].coefficient < b[i].coefficient ? -1 : 1;
  }
  return a.size() == b.size() ? 0 : (a.size() < b.size() ? -1 : 1);
}

bool mlir::tensoraccess::formLess(FormRef a, FormRef b) {
  if (int order = compareTerms(a.terms, b.terms))
    return order < 0;
  return a.constant < b.constant;
}

/// One step of a multiplicative hash; its quality matters more than its kind.
static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdull;
}

uint64_t mlir::tensoraccess::hashForm(FormRef f) {
  uint64_t h = mix(0, f.constant);
  for (const Term &t : f.terms)
    h = mix(mix(h, t.atom), t.coefficient);
  return h;
}

//===----------------------------------------------------------------------===//
// Making forms
//===----------------------------------------------------------------------===//

Form FormArena::addVariable(Interval range) {
  assert(atoms.size() == numVariables && "variables come before other atoms");
  Atom atom;
  atom.range = range.isEmpty() ? Interval::all() : range;
  atoms.push_back(atom);
  return Form::ofAtom(numVariables++);
}

bool FormArena::tryAddScaled(FormRef x, FormRef y, int64_t k, Form &out) {
  int64_t c;
  if (__builtin_mul_overflow(y.constant, k, &c) ||
      __builtin_add_overflow(x.constant, c, &c))
    return false;
  out.constant = c;
  out.terms.clear();
  const Term *i = x.terms.begin(), *ie = x.terms.end();
  const Term *j = y.terms.begin(), *je = k ? y.terms.end() : j;
  out.terms.reserve((ie - i) + (je - j));
  while (i != ie || j != je) {
    if (j == je || (i != ie && i->atom < j->atom)) {
      out.terms.push_back(*i++);
      continue;
    }
    int64_t coefficient;
    if (__builtin_mul_overflow(j->coefficient, k, &coefficient))
      return false;
    AtomId atom = j->atom;
    ++j;
    if (i != ie && i->atom == atom) {
      if (__builtin_add_overflow(coefficient, i->coefficient, &coefficient))
        return false;
      ++i;
    }
    if (coefficient != 0)
      out.terms.push_back({atom, coefficient});
  }
  return true;
}

Form FormArena::addScaled(FormRef x, FormRef y, int64_t k) {
  Form out;
  if (!tryAddScaled(x, y, k, out))
    return fail(FormFailure::Overflow);
  return out;
}

void FormArena::accumulate(Form &x, FormRef y, int64_t k) {
  if (k == 0)
    return;
  // Often the terms of y come after those of x: append them.
  if (x.terms.empty() || y.terms.empty() ||
      y.terms.front().atom > x.terms.back().atom) {
    int64_t c;
    bool overflows = __builtin_mul_overflow(y.constant, k, &c) ||
                     __builtin_add_overflow(x.constant, c, &x.constant);
    for (const Term &t : y.terms) {
      int64_t coefficient;
      overflows |= __builtin_mul_overflow(t.coefficient, k, &coefficient);
      x.terms.push_back({t.atom, coefficient});
    }
    if (overflows)
      x = fail(FormFailure::Overflow);
    return;
  }
  Form sum;
  if (!tryAddScaled(x, y, k, sum))
    sum = fail(FormFailure::Overflow);
  x = std::move(sum);
}

static uint64_t hashAtom(AtomKind kind, int64_t divisor, FormRef body) {
  return mix(mix(hashForm(body), divisor), static_cast<uint64_t>(kind));
}

/// The slot of `index` that names the atom, or the free one where it belongs.
template <typename IsSame>
size_t FormArena::findSlot(uint64_t hash, IsSame isSame) {
  auto probe = [&](uint64_t h, auto isFound) {
    size_t slot = h & (index.size() - 1);
    while (index[slot] != 0 && !isFound(index[slot]))
      slot = (slot + 1) & (index.size() - 1);
    return slot;
  };
  // At most half of the slots are taken. Atom 0 is never looked up: it may be
  // a variable's, and a division without variables is a constant.
  if (index.size() < 2 * (atoms.size() + 1)) {
    index.assign(llvm::PowerOf2Ceil(4 * (atoms.size() + 1)), 0);
    for (AtomId id = numVariables, e = atoms.size(); id != e; ++id) {
      const Atom &a = atoms[id];
      index[probe(hashAtom(a.kind, a.divisor, body(id)),
                  [](AtomId) { return false; })] = id;
    }
  }
  return probe(hash, isSame);
}

Form FormArena::intern(AtomKind kind, FormRef body, int64_t divisor,
                       Interval range) {
  auto isSame = [&](AtomId id) {
    const Atom &a = atoms[id];
    return a.kind == kind && a.divisor == divisor &&
           a.bodyConstant == body.constant && a.bodySize == body.terms.size() &&
           this->body(id).terms == body.terms;
  };
  // Recent atoms are looked up most often: search backwards. Maps have few atoms;
  // comparing (kind, divisor, constant, size) rejects almost all of them.
  const bool isIndexed = atoms.size() >= kIndexedAtoms;
  size_t slot = 0;
  if (isIndexed) {
    slot = findSlot(hashAtom(kind, divisor, body), isSame);
    if (index[slot] != 0)
      return Form::ofAtom(index[slot]);
  } else {
    for (unsigned id = atoms.size(); id-- > numVariables;)
      if (isSame(id))
        return Form::ofAtom(id);
  }
  Atom atom;
  atom.kind = kind;
  atom.divisor = divisor;
  atom.range = range;
  atom.bodyBegin = pool.size();
  atom.bodySize = body.terms.size();
  atom.bodyConstant = body.constant;
  for (const Term &t : body.terms)
    atom.height = std::max<unsigned>(atom.height, atoms[t.atom].height + 1u);
  if (atoms.size() >= kMaxAtoms || atom.height > kMaxHeight)
    return fail(FormFailure::TooLarge);
  pool.append(body.terms.begin(), body.terms.end());
  atoms.push_back(atom);
  if (isIndexed)
    index[slot] = atoms.size() - 1;
  return Form::ofAtom(atoms.size() - 1);
}

Form FormArena::mul(FormRef x, FormRef y) {
  if (x.isConstant())
    return scale(y, x.constant);
  if (y.isConstant())
    return scale(x, y.constant);
  // (c + Σ a_i x_i)(d + Σ b_j y_j), multiplied out.
  Form left(x), right(y), out;
  out = scale(left, right.constant);
  for (const Term &t : right.terms) {
    std::optional<int64_t> c = checkedMul(left.constant, t.coefficient);
    if (!c)
      return fail(FormFailure::Overflow);
    out = addScaled(out, Form::ofAtom(t.atom), *c);
    for (const Term &s : left.terms) {
      std::optional<int64_t> k = checkedMul(s.coefficient, t.coefficient);
      if (!k)
        return fail(FormFailure::Overflow);
      AtomId lo = std::min(s.atom, t.atom), hi = std::max(s.atom, t.atom);
      Interval range = atoms[lo].range * atoms[hi].range;
      if (lo == hi)
        range = range.intersect(Interval::atLeast(0));
      Term factors[2] = {{lo, 1}, {hi, 1}};
      Form product = intern(AtomKind::Product, FormRef{0, factors}, 0, range);
      out = addScaled(out, product, *k);
    }
  }
  return failed() ? Form() : out;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// constant + Σ coefficient * value in 128 bits: every product fits, only an
/// astronomical number of terms could overflow the sum, and that is checked.
static bool evaluateWide(FormRef x, ArrayRef<int64_t> values, __int128 &out) {
  out = x.constant;
  for (const Term &t : x.terms)
    if (__builtin_add_overflow(
            out, static_cast<__int128>(t.coefficient) * values[t.atom], &out))
      return false;
  return true;
}

static bool narrow(__int128 wide, int64_t &out) {
  out = static_cast<int64_t>(wide);
  return out == wide;
}

std::optional<int64_t> FormArena::evaluate(FormRef x,
                                           ArrayRef<int64_t> values) {
  __int128 wide;
  int64_t result;
  if (!evaluateWide(x, values, wide) || !narrow(wide, result))
    return std::nullopt;
  return result;
}

bool FormArena::evaluateAtoms(ArrayRef<int64_t> variables,
                              SmallVectorImpl<int64_t> &values) const {
  assert(variables.size() == numVariables && "one value per variable");
  values.assign(variables.begin(), variables.end());
  values.resize(atoms.size());
  for (unsigned id = numVariables, e = atoms.size(); id != e; ++id) {
    const Atom &a = atoms[id];
    __int128 wide;
    if (a.kind == AtomKind::Product) {
      const Term *factors = pool.begin() + a.bodyBegin;
      wide = static_cast<__int128>(values[factors[0].atom]) *
             values[factors[1].atom];
    } else {
      if (!evaluateWide(body(id), values, wide))
        return false;
      if (a.kind == AtomKind::FloorDiv) {
        __int128 q = wide / a.divisor;
        wide = q - (wide % a.divisor < 0);
      } else if (wide < 0) {
        wide = 0;
      }
    }
    if (!narrow(wide, values[id]))
      return false;
  }
  return true;
}

void FormArena::markUsed(FormRef x, SmallVectorImpl<char> &used) const {
  used.resize(atoms.size());
  if (x.isConstant())
    return;
  for (const Term &t : x.terms)
    used[t.atom] = 1;
  for (unsigned id = x.terms.back().atom + 1; id-- > numVariables;)
    if (used[id])
      for (const Term &t : body(id).terms)
        used[t.atom] = 1;
}

//===----------------------------------------------------------------------===//
// Canonical numbering
//===----------------------------------------------------------------------===//

void FormArena::relocate(const FormArena &from, ArrayRef<AtomId> variables) {
  assert(atoms.size() == numVariables && "variables come before other atoms");
  const AtomId shift = numVariables - from.numVariables;
  index.clear();
  atoms.append(from.atoms.begin() + from.numVariables, from.atoms.end());
  pool.assign(from.pool.begin(), from.pool.end());
  if (shift == 0)
    return;
  for (Term &t : pool)
    t.atom = t.atom < from.numVariables ? variables[t.atom] : t.atom + shift;
}

/// True if all atoms are in use and in the order that `canonicalize` gives.
bool FormArena::isCanonical(ArrayRef<Form *> roots) const {
  const unsigned n = atoms.size();
  if (n > 64)
    return false;
  uint64_t used = 0;
  for (Form *root : roots)
    for (const Term &t : root->terms)
      used |= uint64_t(1) << t.atom;
  for (const Term &t : pool)
    used |= uint64_t(1) << t.atom;
  // Dead atoms may use each other, but nothing uses the last of them.
  for (unsigned id = numVariables; id != n; ++id)
    if (!(used >> id & 1))
      return false;
  for (unsigned id = numVariables + 1; id < n; ++id) {
    const Atom &a = atoms[id - 1], &b = atoms[id];
    if (a.height != b.height) {
      if (a.height > b.height)
        return false;
      continue;
    }
    if (a.kind != b.kind         ? a.kind > b.kind
        : a.divisor != b.divisor ? a.divisor > b.divisor
                                 : !formLess(body(id - 1), body(id)))
      return false;
  }
  return true;
}

void FormArena::canonicalize(ArrayRef<Form *> roots) {
  const unsigned n = atoms.size();
  if (n == numVariables || isCanonical(roots))
    return;

  // 1. Keep what the roots reach. Bodies point downwards, so one sweep does.
  SmallVector<char, 64> used(n, 0);
  for (Form *root : roots)
    for (const Term &t : root->terms)
      used[t.atom] = 1;
  struct Live {
    AtomId old;
    Form body;
  };
  SmallVector<Live, 8> live;
  for (unsigned id = n; id-- > numVariables;) {
    if (!used[id])
      continue;
    live.push_back({id, Form(body(id))});
    for (const Term &t : live.back().body.terms)
      used[t.atom] = 1;
  }

  // 2. By height.
  llvm::sort(live, [&](const Live &a, const Live &b) {
    uint16_t x = atoms[a.old].height, y = atoms[b.old].height;
    return x != y ? x < y : a.old < b.old;
  });

  // 3. Renumber height by height.
  SmallVector<AtomId, 64> renumbered(n);
  for (unsigned id = 0; id != numVariables; ++id)
    renumbered[id] = id;
  auto renumber = [&](Form &f) {
    for (Term &t : f.terms)
      t.atom = renumbered[t.atom];
    llvm::sort(f.terms,
               [](const Term &a, const Term &b) { return a.atom < b.atom; });
  };
  SmallVector<Atom, 8> newAtoms(atoms.begin(), atoms.begin() + numVariables);
  SmallVector<Term, 16> newPool;
  for (auto *begin = live.begin(); begin != live.end();) {
    auto *end = begin;
    while (end != live.end() &&
           atoms[end->old].height == atoms[begin->old].height)
      renumber((end++)->body);
    if (end - begin > 1)
      llvm::sort(begin, end, [&](const Live &a, const Live &b) {
        const Atom &x = atoms[a.old], &y = atoms[b.old];
        if (x.kind != y.kind)
          return x.kind < y.kind;
        if (x.divisor != y.divisor)
          return x.divisor < y.divisor;
        return formLess(a.body, b.body);
      });
    for (; begin != end; ++begin) {
      Atom atom = atoms[begin->old];
      atom.bodyBegin = newPool.size();
      newPool.append(begin->body.terms.begin(), begin->body.terms.end());
      renumbered[begin->old] = newAtoms.size();
      newAtoms.push_back(atom);
    }
  }
  atoms = std::move(newAtoms);
  pool = std::move(newPool);
  index.clear();
  for (Form *root : roots)
    renumber(*root);
}

bool FormArena::operator==(const FormArena &o) const {
  if (numVariables != o.numVariables || atoms.size() != o.atoms.size())
    return false;
  for (unsigned id = 0, e = atoms.size(); id != e; ++id) {
    const Atom &a = atoms[id], &b = o.atoms[id];
    if (a.kind != b.kind || a.divisor != b.divisor || a.range != b.range ||
        body(id) != o.body(id))
      return false;
  }
  return true;
}

uint64_t FormArena::hash() const {
  uint64_t h = mix(numVariables, atoms.size());
  for (unsigned id = 0, e = atoms.size(); id != e; ++id) {
    const Atom &a = atoms[id];
    h = mix(mix(h, a.range.lower), a.range.upper);
    h = mix(mix(h, static_cast<uint64_t>(a.kind)), a.divisor);
    h = mix(h, hashForm(body(id)));
  }
  return h;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

Substitution::Substitution(FormArena &to, const FormArena &from,
                           ArrayRef<Form> images)
    : to(to) {
  assert(images.size() == from.getNumVariables() && "one image per variable");
  atomImages.append(images.begin(), images.end());
  atomImages.reserve(from.getNumAtoms());
  for (AtomId id = images.size(), e = from.getNumAtoms(); id != e; ++id) {
    const Atom &a = from.getAtom(id);
    FormRef body = from.body(id);
    switch (a.kind) {
    case AtomKind::FloorDiv:
      atomImages.push_back(to.floorDiv((*this)(body), a.divisor));
      break;
    case AtomKind::PositivePart:
      atomImages.push_back(to.max((*this)(body), Form()));
      break;
    case AtomKind::Product:
      atomImages.push_back(to.mul(atomImages[body.terms[0].atom],
                                  atomImages[body.terms[1].atom]));
      break;
    case AtomKind::Variable:
      llvm_unreachable("variables come first");
    }
  }
}

Form Substitution::operator()(FormRef x) {
  Form out(x.constant);
  for (const Term &t : x.terms)
    to.accumulate(out, atomImages[t.atom], t.coefficient);
  return out;
}
