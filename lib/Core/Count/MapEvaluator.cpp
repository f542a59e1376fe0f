//===- MapEvaluator.cpp - All values of an indexing map -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The map's atoms that results or constraints need are a program, in their
// order in the arena. For a box, each atom is of one of three *classes*:
//
//   Scalar   depends on no inner variable: a number per row of the table
//   Table    depends on inner variables only: a column per table
//   Mixed    a column per row
//
// and each form is split accordingly: constant and scalar atoms are a number,
// table atoms are summed up in a column once, mixed ones are added per row. The
// inner variables are a suffix of all with at most kBlock points; of the first
// of them, a stretch at a time is taken, which is the outermost loop.
//
// Sums are safe in any order if Σ |coefficient| · max |atom| fits, which is
// what the ranges are checked for.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/MapEvaluator.h"
#include "MapEvaluatorKernels.h"
#include "TensorAccess/Core/Checked.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Points of a table, at most: some columns of it stay in the nearest cache.
static constexpr int64_t kBlock = 2048;
/// A row of this many points is long enough.
static constexpr int64_t kRow = 256;

namespace {
enum class AtomClass : uint8_t { Scalar, Table, Mixed };

/// What a form adds up to in a table, and what is added to it per row.
struct SplitForm {
  int64_t constant = 0;
  SmallVector<Term, 4> scalars, table, mixed;
  /// The sum of `table`; empty if none exists.
  std::vector<int64_t> column;
  std::vector<int32_t> narrow;
};
} // namespace

struct MapEvaluator::Program {
  IndexingMap map;
  SmallVector<int64_t> runtime;
  unsigned numVariables = 0;
  /// Atoms that are not variables, in an order in which bodies come first.
  SmallVector<AtomId> atoms;
  /// Results, then constraints.
  SmallVector<Form> forms;

  unsigned getNumResults() const { return map.getNumResults(); }
  bool accepts(size_t columns) const {
    return !map.isUnknown() && columns == getNumResults() &&
           numVariables + runtime.size() == map.getNumVariables();
  }
  /// Ranges of all atoms over a box; std::nullopt if something may not fit.
  std::optional<SmallVector<Interval>> measure(const Box &box) const;

  template <typename T>
  EnumerateStatus evaluateBox(const Box &box, ArrayRef<T *> columns,
                              uint8_t *inside) const;
  template <typename T>
  EnumerateStatus evaluateOneByOne(const Box &box, int64_t count,
                                   ArrayRef<T *> columns,
                                   uint8_t *inside) const;
};

/// An interval with all values of a form; std::nullopt if a partial sum may not
/// fit.
static std::optional<Interval> measureForm(FormRef form,
                                           ArrayRef<Interval> ranges) {
  int64_t greatest = form.constant;
  if (greatest == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  greatest = std::abs(greatest);
  Interval range = Interval::point(form.constant);
  for (const Term &term : form.terms) {
    const Interval &atom = ranges[term.atom];
    std::optional<int64_t> a = checkedMul(term.coefficient, atom.lower),
                           b = checkedMul(term.coefficient, atom.upper);
    if (!a || !b || *a == std::numeric_limits<int64_t>::min() ||
        *b == std::numeric_limits<int64_t>::min() ||
        __builtin_add_overflow(greatest, std::max(std::abs(*a), std::abs(*b)),
                               &greatest))
      return std::nullopt;
    range.lower += std::min(*a, *b);
    range.upper += std::max(*a, *b);
  }
  return range;
}

std::optional<SmallVector<Interval>>
MapEvaluator::Program::measure(const Box &box) const {
  const FormArena &arena = map.getArena();
  SmallVector<Interval> ranges;
  for (auto [lo, hi] : llvm::zip_equal(box.lo, box.hi))
    ranges.push_back({lo, hi - 1});
  for (int64_t value : runtime)
    ranges.push_back(Interval::point(value));
  ranges.resize(arena.getNumAtoms(), Interval::point(0));
  for (AtomId id : atoms) {
    const Atom &atom = arena.getAtom(id);
    FormRef body = arena.body(id);
    if (atom.kind == AtomKind::Product) {
      // The body names the factors; a square names its factor twice.
      const Interval &x = ranges[body.terms.front().atom];
      const Interval &y = ranges[body.terms.back().atom];
      Interval product = Interval::point(0);
      bool isFirst = true;
      for (int64_t a : {x.lower, x.upper})
        for (int64_t b : {y.lower, y.upper}) {
          std::optional<int64_t> value = checkedMul(a, b);
          if (!value)
            return std::nullopt;
          product = isFirst ? Interval::point(*value)
                            : product.hull(Interval::point(*value));
          isFirst = false;
        }
      ranges[id] = product;
      continue;
    }
    std::optional<Interval> range = measureForm(body, ranges);
    if (!range)
      return std::nullopt;
    if (atom.kind == AtomKind::FloorDiv)
      ranges[id] = {floorDivPositive(range->lower, atom.divisor),
                    floorDivPositive(range->upper, atom.divisor)};
    else
      ranges[id] = {std::max<int64_t>(range->lower, 0),
                    std::max<int64_t>(range->upper, 0)};
  }
  for (const Form &form : forms)
    if (!measureForm(form, ranges))
      return std::nullopt;
  return ranges;
}

MapEvaluator::MapEvaluator(const IndexingMap &map, ArrayRef<int64_t> runtime)
    : program(std::make_unique<Program>()) {
  program->map = map;
  program->runtime.assign(runtime.begin(), runtime.end());
  if (map.isUnknown())
    return;
  program->numVariables = map.getNumDims() + map.getNumSymbols();
  for (const Form &form : map.getResults())
    program->forms.push_back(form);
  for (const Constraint &constraint : map.getConstraints())
    program->forms.push_back(constraint.form);
  const FormArena &arena = map.getArena();
  SmallVector<char, 32> used = map.getUsed();
  for (AtomId id = arena.getNumVariables(); id < arena.getNumAtoms(); ++id)
    if (used[id])
      program->atoms.push_back(id);
}

MapEvaluator MapEvaluator::overAllVariables(const IndexingMap &map) {
  MapEvaluator evaluator(map);
  if (!map.isUnknown())
    evaluator.program->numVariables = map.getNumVariables();
  return evaluator;
}

MapEvaluator::~MapEvaluator() = default;
MapEvaluator::MapEvaluator(MapEvaluator &&) noexcept = default;

unsigned MapEvaluator::getNumVariables() const { return program->numVariables; }
unsigned MapEvaluator::getNumResults() const {
  return program->getNumResults();
}

std::optional<Box> MapEvaluator::getBox() const {
  Box box;
  for (const Interval &range :
       program->map.getRanges().take_front(program->numVariables)) {
    if (!range.isFinite())
      return std::nullopt;
    box.lo.push_back(range.lower);
    box.hi.push_back(std::max(range.lower, range.upper + 1));
  }
  return box;
}

bool MapEvaluator::fits(const Box &box) const {
  return program->measure(box).has_value();
}

//===----------------------------------------------------------------------===//
// Points one by one
//===----------------------------------------------------------------------===//

template <typename T>
EnumerateStatus MapEvaluator::Program::evaluateOneByOne(const Box &box,
                                                        int64_t count,
                                                        ArrayRef<T *> columns,
                                                        uint8_t *inside) const {
  SmallVector<int64_t> point(box.lo);
  llvm::append_range(point, runtime);
  const ArrayRef<int64_t> all = point;
  unsigned numDims = map.getNumDims(), numSymbols = map.getNumSymbols();
  for (int64_t i = 0; i < count; ++i) {
    bool isInside = map.containsPoint(all.take_front(numDims),
                                      all.slice(numDims, numSymbols),
                                      all.drop_front(numDims + numSymbols));
    if (inside)
      inside[i] = isInside;
    std::optional<SmallVector<int64_t>> values;
    if (isInside) {
      values = map.evaluateAt(point);
      if (!values)
        return EnumerateStatus::Overflow;
    }
    for (auto [r, column] : llvm::enumerate(columns)) {
      int64_t value = isInside ? (*values)[r] : -1;
      if (value != static_cast<T>(value))
        return EnumerateStatus::Overflow;
      column[i] = static_cast<T>(value);
    }
    nextIndex(llvm::MutableArrayRef<int64_t>(point).take_front(numVariables),
              box.hi, box.lo);
  }
  return EnumerateStatus::Ok;
}

//===----------------------------------------------------------------------===//
// A block of points
//===----------------------------------------------------------------------===//

namespace {
/// Columns of a block's atoms, and the numbers of those that have none.
class BlockRun {
public:
  BlockRun(const FormArena &arena, ArrayRef<AtomId> atoms,
           ArrayRef<Interval> ranges)
      : arena(arena), atoms(atoms), ranges(ranges),
        classes(arena.getNumAtoms(), AtomClass::Scalar),
        scalars(arena.getNumAtoms(), 0), columns(arena.getNumAtoms()),
        bodies(arena.getNumAtoms()) {}

  /// Gives every atom its class; variables in `inner` have tables.
  void classify(const llvm::BitVector &inner);
  SplitForm split(FormRef form) const;

  std::vector<int64_t> &getColumn(AtomId id) { return columns[id]; }
  void setScalar(AtomId id, int64_t value) { scalars[id] = value; }
  /// Makes the columns of the table's atoms, for tables of n points.
  void beginTable(int64_t n);
  /// Adds the table's part of a form up.
  void sumTable(SplitForm &form);
  /// Makes the numbers and the mixed columns of a row.
  void beginRow();
  int64_t getNumber(const SplitForm &form) const {
    int64_t number = form.constant;
    for (const Term &term : form.scalars)
      number += term.coefficient * scalars[term.atom];
    return number;
  }
  /// The values of a form in this row, into `out`.
  void write(const SplitForm &form, int64_t *out) const;

private:
  /// The column of an atom, from the columns and numbers of its body.
  void makeColumn(AtomId id);
  int64_t makeNumber(AtomId id) const;

  const FormArena &arena;
  ArrayRef<AtomId> atoms;
  ArrayRef<Interval> ranges;
  SmallVector<AtomClass> classes;
  SmallVector<int64_t> scalars;
  std::vector<std::vector<int64_t>> columns;
  std::vector<SplitForm> bodies;
  std::vector<int64_t> scratch;
  int64_t n = 0;
};
} // namespace

void BlockRun::classify(const llvm::BitVector &inner) {
  // 1: depends on an outer variable, 2: on an inner one.
  SmallVector<uint8_t> marks(arena.getNumAtoms(), 0);
  for (AtomId id = 0; id < arena.getNumVariables(); ++id)
    marks[id] = id < inner.size() && inner[id] ? 2 : 1;
  for (AtomId id : atoms)
    for (const Term &term : arena.body(id).terms)
      marks[id] |= marks[term.atom];
  for (auto [mark, atomClass] : llvm::zip_equal(marks, classes))
    atomClass = mark < 2    ? AtomClass::Scalar
                : mark == 2 ? AtomClass::Table
                            : AtomClass::Mixed;
  for (AtomId id : atoms)
    bodies[id] = split(arena.body(id));
}

SplitForm BlockRun::split(FormRef form) const {
  SplitForm parts;
  parts.constant = form.constant;
  for (const Term &term : form.terms)
    (classes[term.atom] == AtomClass::Scalar  ? parts.scalars
     : classes[term.atom] == AtomClass::Table ? parts.table
                                              : parts.mixed)
        .push_back(term);
  return parts;
}

void BlockRun::sumTable(SplitForm &form) {
  form.column.clear();
  if (form.table.empty())
    return;
  form.column.resize(n, 0);
  for (const Term &term : form.table)
    kernels::accumulate(form.column.data(), columns[term.atom].data(),
                        term.coefficient, n);
}

void BlockRun::write(const SplitForm &form, int64_t *out) const {
  int64_t number = getNumber(form);
  if (form.column.empty())
    kernels::fill(out, number, n);
  else
    kernels::addConstant(out, form.column.data(), number, n);
  for (const Term &term : form.mixed)
    kernels::accumulate(out, columns[term.atom].data(), term.coefficient, n);
}

void BlockRun::makeColumn(AtomId id) {
  const Atom &atom = arena.getAtom(id);
  std::vector<int64_t> &out = columns[id];
  if (atom.kind == AtomKind::Product) {
    ArrayRef<Term> factors = arena.body(id).terms;
    AtomId a = factors.front().atom, b = factors.back().atom;
    out.assign(n, 0);
    // One factor may be a number.
    if (classes[a] == AtomClass::Scalar)
      kernels::accumulate(out.data(), columns[b].data(), scalars[a], n);
    else if (classes[b] == AtomClass::Scalar)
      kernels::accumulate(out.data(), columns[a].data(), scalars[b], n);
    else
      kernels::multiply(out.data(), columns[a].data(), columns[b].data(), n);
    return;
  }
  write(bodies[id], scratch.data());
  out.resize(n);
  if (atom.kind == AtomKind::PositivePart) {
    kernels::positivePart(out.data(), scratch.data(), n);
    return;
  }
  // The range of the quotient bounds the body.
  const Interval &range = ranges[id];
  int64_t limit = ((int64_t(1) << 51) - atom.divisor) / atom.divisor;
  kernels::floorDivide(out.data(), scratch.data(), atom.divisor,
                       range.lower > -limit && range.upper < limit, n);
}

int64_t BlockRun::makeNumber(AtomId id) const {
  const Atom &atom = arena.getAtom(id);
  if (atom.kind == AtomKind::Product) {
    ArrayRef<Term> factors = arena.body(id).terms;
    return scalars[factors.front().atom] * scalars[factors.back().atom];
  }
  int64_t body = getNumber(bodies[id]);
  return atom.kind == AtomKind::FloorDiv ? floorDivPositive(body, atom.divisor)
                                         : std::max<int64_t>(body, 0);
}

void BlockRun::beginTable(int64_t size) {
  n = size;
  scratch.resize(n);
  for (AtomId id : atoms) {
    if (classes[id] == AtomClass::Scalar)
      continue;
    sumTable(bodies[id]);
    if (classes[id] == AtomClass::Table)
      makeColumn(id);
  }
}

void BlockRun::beginRow() {
  for (AtomId id : atoms) {
    if (classes[id] == AtomClass::Scalar)
      scalars[id] = makeNumber(id);
    else if (classes[id] == AtomClass::Mixed)
      makeColumn(id);
  }
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Writes one row of a result.
static void writeRow(const BlockRun &run, const SplitForm &form, int64_t *out,
                     std::vector<int64_t> &, int64_t) {
  run.write(form, out);
}
static void writeRow(const BlockRun &run, const SplitForm &form, int32_t *out,
                     std::vector<int64_t> &scratch, int64_t n) {
  if (form.mixed.empty() && !form.narrow.empty()) {
    kernels::addConstant(out, form.narrow.data(),
                         static_cast<int32_t>(run.getNumber(form)), n);
    return;
  }
  run.write(form, scratch.data());
  kernels::addConstant(out, scratch.data(), 0, n);
}

template <typename T>
EnumerateStatus MapEvaluator::Program::evaluateBox(const Box &box,
                                                   ArrayRef<T *> columns,
                                                   uint8_t *inside) const {
  if (!accepts(columns.size()) || box.lo.size() != numVariables ||
      box.hi.size() != numVariables)
    return EnumerateStatus::Unknown;
  if (box.isEmpty())
    return EnumerateStatus::Ok;
  int64_t total = 1;
  SmallVector<int64_t> sizes;
  for (auto [lo, hi] : llvm::zip_equal(box.lo, box.hi)) {
    std::optional<int64_t> size = checkedSub(hi, lo);
    if (!size || __builtin_mul_overflow(total, *size, &total))
      return EnumerateStatus::Overflow;
    sizes.push_back(*size);
  }
  if (map.isKnownEmpty()) {
    for (T *column : columns)
      std::fill(column, column + total, T(-1));
    if (inside)
      std::fill(inside, inside + total, 0);
    return EnumerateStatus::Ok;
  }

  std::optional<SmallVector<Interval>> ranges = measure(box);
  bool fits = ranges.has_value();
  for (unsigned r = 0; fits && r < getNumResults(); ++r) {
    Interval range = *measureForm(forms[r], *ranges);
    fits = range.lower == static_cast<T>(range.lower) &&
           range.upper == static_cast<T>(range.upper);
  }
  if (!fits)
    return evaluateOneByOne<T>(box, total, columns, inside);

  // The inner variables: whole ones, and a stretch of the first.
  unsigned first = numVariables;
  int64_t below = 1, stretch = 1; // points of those after it, of the first
  while (first > 0) {
    if (first < numVariables) {
      int64_t whole = below * sizes[first];
      // Rows that are long enough share one table among all of them.
      if (stretch < sizes[first] || whole >= kRow)
        break;
      below = whole;
    }
    --first;
    stretch = std::min(sizes[first], std::max<int64_t>(1, kBlock / below));
  }
  const FormArena &arena = map.getArena();
  BlockRun run(arena, atoms, *ranges);
  llvm::BitVector inner(numVariables, false);
  inner.set(first, numVariables);
  run.classify(inner);
  for (auto [i, value] : llvm::enumerate(runtime))
    run.setScalar(numVariables + i, value);
  std::vector<SplitForm> parts;
  for (const Form &form : forms)
    parts.push_back(run.split(form));

  // Outside of a variable's range is outside of the domain.
  SmallVector<std::pair<AtomId, Interval>> limits;
  for (unsigned i = 0; i < numVariables; ++i)
    if (!map.getRanges()[i].contains(Interval(box.lo[i], box.hi[i] - 1)))
      limits.push_back({i, map.getRanges()[i]});

  int64_t firstSize = first < numVariables ? sizes[first] : 1;
  int64_t rowSize = first < numVariables ? below * firstSize : 1;
  std::vector<int64_t> scratch(static_cast<size_t>(stretch) * below);
  for (int64_t begin = 0; begin < firstSize; begin += stretch) {
    int64_t n = std::min(stretch, firstSize - begin) * below;
    int64_t repeat = n;
    for (unsigned i = first; i < numVariables; ++i) {
      // Variable i stays for `repeat` points and then goes on.
      repeat /= i == first ? n / below : sizes[i];
      std::vector<int64_t> &column = run.getColumn(i);
      column.resize(n);
      int64_t start = box.lo[i] + (i == first ? begin : 0), value = start;
      for (int64_t j = 0; j < n;) {
        std::fill_n(column.begin() + j, repeat, value);
        j += repeat;
        ++value;
        if (i != first && value == box.hi[i])
          value = start;
      }
    }
    run.beginTable(n);
    for (auto [i, form] : llvm::enumerate(parts)) {
      run.sumTable(form);
      form.narrow.clear();
      bool isNarrow = std::is_same_v<T, int32_t> && i < getNumResults() &&
                      form.mixed.empty() && !form.column.empty();
      // Both the number and the table must fit on their own.
      if (isNarrow) {
        auto [least, greatest] =
            std::minmax_element(form.column.begin(), form.column.end());
        Interval range = *measureForm(forms[i], *ranges);
        const int64_t limit = int64_t(1) << 30;
        if (*least >= -limit && *greatest < limit && range.lower >= -limit &&
            range.upper < limit)
          form.narrow.assign(form.column.begin(), form.column.end());
      }
    }

    SmallVector<int64_t> point(box.lo.begin(), box.lo.begin() + first);
    for (int64_t offset = begin * below; offset < total; offset += rowSize) {
      for (unsigned i = 0; i < first; ++i)
        run.setScalar(i, point[i]);
      run.beginRow();
      for (unsigned r = 0; r < columns.size(); ++r)
        writeRow(run, parts[r], columns[r] + offset, scratch, n);
      if (inside) {
        uint8_t *marks = inside + offset;
        std::fill_n(marks, n, 1);
        for (auto [variable, range] : limits) {
          if (variable < first) {
            if (!range.contains(point[variable]))
              std::fill_n(marks, n, 0);
            continue;
          }
          kernels::keepWithin(marks, run.getColumn(variable).data(),
                              range.lower, range.upper, n);
        }
        for (auto [i, constraint] : llvm::enumerate(map.getConstraints())) {
          run.write(parts[columns.size() + i], scratch.data());
          kernels::keepWithin(marks, scratch.data(), constraint.interval.lower,
                              constraint.interval.upper, n);
        }
        if (!limits.empty() || !map.getConstraints().empty())
          for (T *column : columns)
            kernels::maskOut(column + offset, marks, T(-1), n);
      }
      nextIndex(llvm::MutableArrayRef<int64_t>(point).take_front(first), box.hi,
                box.lo);
    }
  }
  return EnumerateStatus::Ok;
}

EnumerateStatus MapEvaluator::evaluate(const Box &box,
                                       ArrayRef<int64_t *> columns,
                                       uint8_t *inside) const {
  return program->evaluateBox<int64_t>(box, columns, inside);
}

EnumerateStatus MapEvaluator::evaluate(const Box &box,
                                       ArrayRef<int32_t *> columns,
                                       uint8_t *inside) const {
  return program->evaluateBox<int32_t>(box, columns, inside);
}
