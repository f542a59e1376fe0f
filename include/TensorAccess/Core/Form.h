//===- Form.h - Linear forms over hash-consed atoms -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_FORM_H
#define TENSORACCESS_CORE_FORM_H

#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Inclusive integer intervals
//
// [lower, upper] with both ends included, as in XLA's indexing maps.
// The two extreme int64 values stand for "no bound": since every value is an
// int64, [-2^63, 2^63 - 1] excludes nothing, so the reading is exact.
//
// Arithmetic is over-approximating and cannot wrap: an end that does not fit
// becomes "no bound". The interval of a sum therefore always contains the sum.
//===----------------------------------------------------------------------===//

struct Interval {
  static constexpr int64_t kNoLower = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kNoUpper = std::numeric_limits<int64_t>::max();

  int64_t lower = kNoLower;
  int64_t upper = kNoUpper;

  Interval() = default;
  constexpr Interval(int64_t lower, int64_t upper)
      : lower(lower), upper(upper) {}

  static constexpr Interval point(int64_t value) { return {value, value}; }
  static constexpr Interval all() { return {kNoLower, kNoUpper}; }
  static constexpr Interval atLeast(int64_t lower) { return {lower, kNoUpper}; }
  static constexpr Interval atMost(int64_t upper) { return {kNoLower, upper}; }
  /// The indices of a dimension of `extent` elements: [0, extent - 1], which is
  /// empty for an extent of 0. MLIR's dynamic size, -2^63, is [0, inf].
  static constexpr Interval ofExtent(int64_t extent) {
    return {0, extent == kNoLower ? kNoUpper : extent - 1};
  }

  bool isEmpty() const { return lower > upper; }
  bool isPoint() const { return lower == upper && isFinite(); }
  bool hasLower() const { return lower != kNoLower; }
  bool hasUpper() const { return upper != kNoUpper; }
  bool isFinite() const { return hasLower() && hasUpper(); }
  bool contains(int64_t value) const {
    return lower <= value && value <= upper;
  }
  bool contains(const Interval &other) const {
    return other.isEmpty() || (lower <= other.lower && other.upper <= upper);
  }
  /// Number of integers inside; std::nullopt if it does not fit an int64.
  std::optional<int64_t> size() const {
    if (isEmpty())
      return 0;
    return checkedAdd(checkedSub(upper, lower), 1);
  }

  Interval intersect(const Interval &o) const {
    return {std::max(lower, o.lower), std::min(upper, o.upper)};
  }
  /// The smallest interval that contains both.
  Interval hull(const Interval &o) const {
    if (isEmpty())
      return o;
    if (o.isEmpty())
      return *this;
    return {std::min(lower, o.lower), std::max(upper, o.upper)};
  }

  Interval operator+(const Interval &o) const {
    return {hasLower() && o.hasLower()
                ? checkedAdd(lower, o.lower).value_or(kNoLower)
                : kNoLower,
            hasUpper() && o.hasUpper()
                ? checkedAdd(upper, o.upper).value_or(kNoUpper)
                : kNoUpper};
  }
  Interval operator+(int64_t c) const { return *this + point(c); }
  Interval operator-() const { return scaled(-1); }
  Interval operator-(const Interval &o) const { return *this + (-o); }

  /// The hull of {k * x : x in this}.
  Interval scaled(int64_t k) const {
    if (k == 0)
      return point(0);
    auto end = [&](bool has, int64_t x) {
      return has ? checkedMul(x, k).value_or(kNoLower) : kNoLower;
    };
    int64_t fromLower = end(hasLower(), lower);
    int64_t fromUpper = end(hasUpper(), upper);
    if (k < 0)
      std::swap(fromLower, fromUpper);
    // What does not fit is kNoLower; as an upper end it reads "no bound".
    return {fromLower, fromUpper == kNoLower ? kNoUpper : fromUpper};
  }

  /// {⌊x / m⌋ : x in this} for m > 0; exact, since floor is monotone.
  Interval floorDiv(int64_t m) const {
    return {hasLower() ? floorDivPositive(lower, m) : kNoLower,
            hasUpper() ? floorDivPositive(upper, m) : kNoUpper};
  }

  /// {x : ⌊x/m⌋ in this} = [m*lower, m*upper + m - 1]; an end that does not fit
  /// is not a bound.
  Interval preimageOfFloorDiv(int64_t m) const {
    Interval low = scaled(m), high = (*this + 1).scaled(m) + (-1);
    return {hasLower() ? low.lower : kNoLower,
            hasUpper() ? high.upper : kNoUpper};
  }

  /// The one t with this ⊆ [t*m, t*m + m - 1], if there is one.
  std::optional<int64_t> blockOf(int64_t m) const {
    if (!isFinite() || floorDivPositive(lower, m) != floorDivPositive(upper, m))
      return std::nullopt;
    return floorDivPositive(lower, m);
  }

  /// {x : k * x in this} for k != 0: the integers between ⌈lower/k⌉ and
  /// ⌊upper/k⌋. Exact.
  Interval dividedBy(int64_t k) const {
    if (k < 0) {
      // k = -2^63 has no positive counterpart; give the trivial answer.
      if (k == kNoLower)
        return all();
      return (-*this).dividedBy(-k);
    }
    return {hasLower() ? ceilDivPositive(lower, k) : kNoLower,
            hasUpper() ? floorDivPositive(upper, k) : kNoUpper};
  }

  /// The hull of {x * y}. Any missing end makes the answer unbounded unless the
  /// other factor is zero.
  Interval operator*(const Interval &o) const {
    if (isPoint())
      return o.scaled(lower);
    if (o.isPoint())
      return scaled(o.lower);
    if (!isFinite() || !o.isFinite()) {
      if (lower >= 0 && o.lower >= 0)
        return {checkedMul(lower, o.lower).value_or(0), kNoUpper};
      return all();
    }
    return scaled(o.lower).hull(scaled(o.upper));
  }

  bool operator==(const Interval &o) const {
    return lower == o.lower && upper == o.upper;
  }
  bool operator!=(const Interval &o) const { return !(*this == o); }

  friend llvm::hash_code hash_value(const Interval &i) {
    return llvm::hash_combine(i.lower, i.upper);
  }
};

/// The ranges of the indices of a tensor of that shape.
inline llvm::SmallVector<Interval> getExtents(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<Interval> ranges;
  for (int64_t size : shape)
    ranges.push_back(Interval::ofExtent(size));
  return ranges;
}

//===----------------------------------------------------------------------===//
// Linear forms over hash-consed atoms
//
// The language that TensorAccess writes index arithmetic in. A *form* is
//
//     c + k1*a1 + ... + kn*an          (int64 constants, distinct atoms)
//
// and an *atom* is one of
//
//     a variable               v           with an inclusive range
//     a floor division         ⌊B / m⌋     B a form, m > 1
//     a positive part          max(B, 0)   B a form
//     a product of two atoms   a * b
//
// Atoms live in a `FormArena` and are hash-consed: the same division is the
// same atom, so forms that mean the same usually cancel by linear arithmetic.
// `mod` is sugar (x - m⌊x/m⌋), and so are ceildiv (-⌊-x/m⌋), min and max
// (b + max(a - b, 0)), digits, tiles and strides.
//
//   FormArena arena;
//   Form d0 = arena.addVariable({0, 9}), d1 = arena.addVariable({0, 19});
//   Form x = arena.add(arena.scale(d0, 20), d1);
//   arena.floorDiv(x, 20);   // d0
//   arena.mod(x, 20);        // d1
//
// Division normalises in eight steps; FormDivision.cpp proves each. All
// coefficients are checked: when one does not fit, or a divisor is zero, the
// arena remembers its first failure and hands out the form 0 from then on.
// Callers check `failure()` once, at the end.
//===----------------------------------------------------------------------===//

/// Index of an atom in its arena. Variables come first, and the body of an
/// atom mentions only atoms with smaller numbers.
using AtomId = uint32_t;

/// coefficient * atom; the coefficient is never zero inside a form.
struct Term {
  AtomId atom;
  int64_t coefficient;

  bool operator==(const Term &o) const {
    return atom == o.atom && coefficient == o.coefficient;
  }
};

/// A view of a form: constant + terms, sorted by atom.
struct FormRef {
  int64_t constant = 0;
  llvm::ArrayRef<Term> terms;

  bool isConstant() const { return terms.empty(); }
  /// 0 where the atom is in no term.
  int64_t coefficientOf(AtomId atom) const {
    for (const Term &t : terms)
      if (t.atom == atom)
        return t.coefficient;
    return 0;
  }
  bool operator==(const FormRef &o) const {
    return constant == o.constant && terms == o.terms;
  }
  bool operator!=(const FormRef &o) const { return !(*this == o); }
};

/// A form that owns its terms. Six terms fit without a heap allocation.
struct Form {
  int64_t constant = 0;
  llvm::SmallVector<Term, 6> terms;

  Form() = default;
  /*implicit*/ Form(int64_t constant) : constant(constant) {}
  explicit Form(FormRef ref)
      : constant(ref.constant), terms(ref.terms.begin(), ref.terms.end()) {}
  static Form ofAtom(AtomId atom, int64_t coefficient = 1) {
    Form f;
    f.terms.push_back({atom, coefficient});
    return f;
  }

  /*implicit*/ operator FormRef() const { return {constant, terms}; }

  bool isConstant() const { return terms.empty(); }
  /// The atom if the form is exactly 1 * atom + 0.
  std::optional<AtomId> asAtom() const {
    if (constant == 0 && terms.size() == 1 && terms[0].coefficient == 1)
      return terms[0].atom;
    return std::nullopt;
  }
  bool operator==(const Form &o) const { return FormRef(*this) == FormRef(o); }
  bool operator!=(const Form &o) const { return !(*this == o); }
};

/// A strict order on forms of one arena: by terms, then by constant.
bool formLess(FormRef a, FormRef b);
/// A hash that depends only on the atoms' numbers and the coefficients.
uint64_t hashForm(FormRef f);

enum class AtomKind : uint8_t { Variable, FloorDiv, PositivePart, Product };

/// One atom. Its body is a slice of the arena's pool of terms (see
/// `FormArena::body`); for a product the slice names the two factors.
struct Atom {
  AtomKind kind = AtomKind::Variable;
  /// 0 for variables, else 1 + the height of the highest atom in the body.
  uint16_t height = 0;
  uint32_t bodyBegin = 0;
  uint32_t bodySize = 0;
  int64_t bodyConstant = 0;
  /// FloorDiv: the divisor, at least 2. Otherwise 0.
  int64_t divisor = 0;
  /// Every value the atom takes, given the variables' ranges.
  Interval range;
};

/// Why an arena gave up.
enum class FormFailure : uint8_t {
  None,
  Overflow,       ///< a coefficient or constant does not fit in 64 bits
  DivisionByZero, ///< floordiv, ceildiv or mod by 0
  ModByNegative,  ///< mod by a negative constant has no agreed meaning
  NonConstant,    ///< a divisor that is not a constant
  TooLarge,       ///< more atoms, or a higher tower of them, than allowed
};

/// A phrase for messages: `overflows 64-bit arithmetic`, ...
llvm::StringRef describe(FormFailure failure);

/// Owns atoms; makes and measures forms over them. A value type: copying
/// copies three arrays, and forms of the original are forms of the copy.
class FormArena {
public:
  /// Limits that keep hostile input from running away.
  static constexpr unsigned kMaxAtoms = 1u << 12;
  static constexpr unsigned kMaxHeight = 1u << 9;

  //===--- variables ------------------------------------------------------===//

  /// Adds the next variable; all variables must be added before other atoms.
  /// An empty range is treated as "no bound" (an empty domain proves nothing).
  Form addVariable(Interval range);
  unsigned getNumVariables() const { return numVariables; }
  unsigned getNumAtoms() const { return atoms.size(); }
  const Atom &getAtom(AtomId id) const { return atoms[id]; }
  bool isVariable(AtomId id) const { return id < numVariables; }
  /// The body of a FloorDiv or PositivePart; for a Product, the sum of its
  /// factors (a square names its factor twice). Invalid once an atom is added.
  FormRef body(AtomId id) const {
    const Atom &a = atoms[id];
    return {a.bodyConstant,
            llvm::ArrayRef<Term>(pool).slice(a.bodyBegin, a.bodySize)};
  }

  /// Takes over all atoms of `from`, whose variable i becomes this arena's
  /// variable variables[i]: increasing numbers, equal ranges. Only variables
  /// may have been added before. A form of `from` is then translated by
  /// `relocated`, which keeps the order of terms; nothing is normalised again.
  void relocate(const FormArena &from, llvm::ArrayRef<AtomId> variables);
  static Form relocated(FormRef x, const FormArena &from,
                        llvm::ArrayRef<AtomId> variables, const FormArena &to) {
    Form out(x);
    const AtomId shift = to.numVariables - from.numVariables;
    for (Term &t : out.terms)
      t.atom = t.atom < from.numVariables ? variables[t.atom] : t.atom + shift;
    return out;
  }

  //===--- making forms ---------------------------------------------------===//

  /// x + k*y into `out`, which is not an operand; false if it does not fit.
  static bool tryAddScaled(FormRef x, FormRef y, int64_t k, Form &out);
  /// x + k*y.
  Form addScaled(FormRef x, FormRef y, int64_t k);
  /// x += k*y; `y` must not be a view of `x`.
  void accumulate(Form &x, FormRef y, int64_t k = 1);
  Form add(FormRef x, FormRef y) { return addScaled(x, y, 1); }
  Form sub(FormRef x, FormRef y) { return addScaled(x, y, -1); }
  Form scale(FormRef x, int64_t k) { return addScaled(Form(), x, k); }
  Form negate(FormRef x) { return scale(x, -1); }
  /// x * y; a product of two non-constant forms is not affine but still exact.
  Form mul(FormRef x, FormRef y);
  /// ⌊x / m⌋. A negative m is read with floor semantics: ⌊-x / -m⌋.
  Form floorDiv(FormRef x, int64_t m);
  /// ⌈x / m⌉ = -⌊-x / m⌋.
  Form ceilDiv(FormRef x, int64_t m);
  /// x - m⌊x / m⌋ for m > 0.
  Form mod(FormRef x, int64_t m);
  Form max(FormRef x, FormRef y);
  Form min(FormRef x, FormRef y);
  /// x, or the end of the interval nearest to it.
  Form clamp(FormRef x, Interval interval);

  //===--- measuring ------------------------------------------------------===//

  /// An interval that contains every value of `x` for variables in range. Not
  /// always the smallest, always sound; recognises digits B - m⌊B/m⌋.
  Interval range(FormRef x) const { return rangeImpl(x, 0); }
  /// The same from the atoms' ranges alone: faster, but rarely as tight.
  Interval directRange(FormRef x) const;

  /// The values of all atoms for the given values of the variables; false on
  /// overflow. `values` is resized to the number of atoms.
  bool evaluateAtoms(llvm::ArrayRef<int64_t> variables,
                     llvm::SmallVectorImpl<int64_t> &values) const;
  /// The value of `x` given all atoms' values; std::nullopt on overflow.
  static std::optional<int64_t> evaluate(FormRef x,
                                         llvm::ArrayRef<int64_t> values);

  /// Marks in `used` (sized getNumAtoms()) every atom reachable from `x`.
  void markUsed(FormRef x, llvm::SmallVectorImpl<char> &used) const;

  /// coefficient * form, with the form's values in `range`.
  struct Digit {
    Form form;
    int64_t coefficient = 0;
    Interval range;
  };
  /// x as constant + Σ coefficient * digit (FormDigits.cpp); false if it has
  /// fewer than two divisions, or something does not fit.
  bool toDigits(FormRef x, llvm::SmallVectorImpl<Digit> &digits,
                int64_t &constant) const;

  //===--- state ----------------------------------------------------------===//

  bool failed() const { return failureKind != FormFailure::None; }
  FormFailure failure() const { return failureKind; }
  void setFailure(FormFailure f) {
    if (!failed())
      failureKind = f;
  }
  void clearFailure() { failureKind = FormFailure::None; }

  /// Drops the atoms that `roots` don't reach and renumbers the others by
  /// structure (height, kind, divisor, body), so that two arenas that hold the
  /// same forms become equal arrays. Updates the roots in place.
  void canonicalize(llvm::ArrayRef<Form *> roots);

  /// Whether both have the same variables' ranges, and the same atoms in order.
  bool operator==(const FormArena &o) const;
  uint64_t hash() const;

private:
  friend class Substitution;

  Form fail(FormFailure f) {
    setFailure(f);
    return Form();
  }
  bool isCanonical(llvm::ArrayRef<Form *> roots) const;
  Form floorDivPositiveBy(Form x, int64_t m);
  Form positivePart(FormRef x);
  Form intern(AtomKind kind, FormRef body, int64_t divisor, Interval range);
  std::optional<Interval> digitRange(FormRef x) const;
  Interval rangeImpl(FormRef x, unsigned depth) const;
  bool isReversed(FormRef x) const;
  bool roundDivision(const Form &x, int64_t m, Form &out);
  bool narrowDivision(Form &x, int64_t &m) const;
  bool divideDigits(Form &x, int64_t &m, Form &out, bool &decided);
  Interval digitSumRange(FormRef x) const;
  Interval blockRange(FormRef x, const Term &t, unsigned depth,
                      unsigned inner) const;
  Interval relaxedRange(FormRef x) const;

  template <typename IsSame>
  size_t findSlot(uint64_t hash, IsSame isSame);

  /// With at least this many atoms, `index` is used to find them.
  static constexpr unsigned kIndexedAtoms = 48;

  llvm::SmallVector<Atom, 8> atoms;
  llvm::SmallVector<Term, 16> pool;
  /// A hash table of atoms with open addressing, 0 where a slot is free; empty
  /// while it is not needed.
  llvm::SmallVector<AtomId, 0> index;
  unsigned numVariables = 0;
  FormFailure failureKind = FormFailure::None;
};

/// Rewrites forms of one arena into another, with variables replaced by forms
/// of the target. Each atom of the source is translated once.
class Substitution {
public:
  /// `images[i]` is the form (of `to`) for variable i of `from`.
  Substitution(FormArena &to, const FormArena &from,
               llvm::ArrayRef<Form> images);
  Form operator()(FormRef x);

private:
  FormArena &to;
  llvm::SmallVector<Form, 8> atomImages;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_FORM_H
