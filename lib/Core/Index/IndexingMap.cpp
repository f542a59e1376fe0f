//===- IndexingMap.cpp - Building, looking at and evaluating maps ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value type itself: builder, canonical form, queries, evaluation. Text is
// in IndexingMapParser.cpp and IndexingMapPrinter.cpp, composition and changes
// of variables in IndexingMapCompose.cpp, simplification in
// IndexingMapSimplify.cpp, MLIR's affine maps in IndexingMapAffine.cpp.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapStorage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::IntrusiveRefCntPtr;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::tensoraccess::detail::MapStorage;

StringRef mlir::tensoraccess::describe(UnknownReason reason) {
  switch (reason) {
  case UnknownReason::None:
    return "is known";
  case UnknownReason::Unspecified:
    return "no reason given";
  case UnknownReason::UnknownOp:
    return "unknown operation";
  case UnknownReason::UnsupportedOp:
    return "unsupported form of the operation";
  case UnknownReason::DynamicShape:
    return "dynamic shape";
  case UnknownReason::Overflow:
    return "overflows 64-bit arithmetic";
  case UnknownReason::RankMismatch:
    return "ranks do not match";
  case UnknownReason::TooLarge:
    return "is larger than the limit allows";
  case UnknownReason::NotAffine:
    return "not an affine expression";
  }
  llvm_unreachable("unknown reason");
}

//===----------------------------------------------------------------------===//
// MapStorage
//===----------------------------------------------------------------------===//

namespace {

/// Blocks of the size of a storage. The array has no destructor, so that maps
/// may still be dropped when the thread's objects are gone.
struct FreeBlocks {
  static constexpr unsigned kMax = 16;
  void *blocks[kMax];
  unsigned count;
  bool isClosed;
};
thread_local FreeBlocks freeBlocks;

/// Gives the blocks back when the thread ends.
struct FreeBlocksCloser {
  ~FreeBlocksCloser() {
    freeBlocks.isClosed = true;
    while (freeBlocks.count != 0)
      ::operator delete(freeBlocks.blocks[--freeBlocks.count]);
  }
};

} // namespace

void *MapStorage::operator new(size_t size) {
  if (freeBlocks.count != 0)
    return freeBlocks.blocks[--freeBlocks.count];
  return ::operator new(size);
}

void MapStorage::operator delete(void *block) {
  if (freeBlocks.isClosed || freeBlocks.count == FreeBlocks::kMax)
    return ::operator delete(block);
  static thread_local FreeBlocksCloser closer;
  (void)closer;
  freeBlocks.blocks[freeBlocks.count++] = block;
}

std::string MapStorage::getDefaultName(unsigned variable) const {
  switch (getKind(variable)) {
  case VariableKind::Dim:
    return "d" + std::to_string(variable);
  case VariableKind::Symbol:
    return "s" + std::to_string(variable - numDims);
  case VariableKind::Runtime:
    return "rt" + std::to_string(variable - numDims - numSymbols);
  }
  llvm_unreachable("unknown kind");
}

std::string MapStorage::getName(unsigned variable) const {
  if (names.empty() || names[variable].empty())
    return getDefaultName(variable);
  return names[variable];
}

Form MapStorage::addVariable(VariableKind kind, Interval range,
                             StringRef name) {
  switch (kind) {
  case VariableKind::Dim:
    assert(numSymbols + numRuntime == 0 && "dims come first");
    ++numDims;
    break;
  case VariableKind::Symbol:
    assert(numRuntime == 0 && "symbols come before runtime variables");
    ++numSymbols;
    break;
  case VariableKind::Runtime:
    ++numRuntime;
    break;
  }
  ranges.push_back(range);
  if (!name.empty() || !names.empty()) {
    names.resize(ranges.size());
    names.back() = name.str();
  }
  return arena.addVariable(range);
}

void MapStorage::addForms(const MapStorage &from, ArrayRef<Form> images,
                          bool withResults) {
  Substitution substitute(arena, from.arena, images);
  if (withResults)
    for (const Form &f : from.results)
      results.push_back(substitute(f));
  for (const Constraint &c : from.constraints)
    constraints.push_back({substitute(c.form), c.interval});
  if (from.state == MapState::KnownEmpty)
    state = MapState::KnownEmpty;
}

bool MapStorage::normalize(Constraint &c) {
  // f + c in I  <=>  f in I - c. Every value of f lies strictly between the two
  // ends that mean "no bound" (see constraintsOverflow), so an end on or beyond
  // them excludes nothing or everything; `excluded` tells which.
  bool excluded = false;
  auto shift = [&](int64_t end, int64_t none, bool isLower) {
    if (end == none)
      return none;
    const __int128 shifted = static_cast<__int128>(end) - c.form.constant;
    if (shifted > Interval::kNoLower && shifted < Interval::kNoUpper)
      return static_cast<int64_t>(shifted);
    const bool above = shifted > 0;
    excluded |= above == isLower;
    return none;
  };
  c.interval = {shift(c.interval.lower, Interval::kNoLower, true),
                shift(c.interval.upper, Interval::kNoUpper, false)};
  c.form.constant = 0;
  if (excluded || c.interval.isEmpty())
    return false;
  if (c.form.terms.empty())
    return c.interval.contains(0);

  // g*f in I  <=>  f in I/g.
  uint64_t g = 0;
  for (const Term &t : c.form.terms)
    g = std::gcd(g, magnitude(t.coefficient));
  if (g > 1 && g <= static_cast<uint64_t>(Interval::kNoUpper)) {
    for (Term &t : c.form.terms)
      t.coefficient /= static_cast<int64_t>(g);
    c.interval = c.interval.dividedBy(static_cast<int64_t>(g));
  }
  return !c.interval.isEmpty();
}

namespace {

/// Per atom of a map: does it depend on a variable without an end, and does it
/// leave 64 bits, or depend on an atom that does, although its variables are
/// bounded?
struct AtomFlags {
  explicit AtomFlags(const MapStorage &map)
      : open(map.arena.getNumAtoms(), 0),
        overflows(map.arena.getNumAtoms(), 0) {
    for (AtomId id = 0, e = map.arena.getNumAtoms(); id != e; ++id) {
      if (map.arena.isVariable(id)) {
        open[id] = !map.ranges[id].isFinite();
        continue;
      }
      FormRef body = map.arena.body(id);
      open[id] = isOpen(body);
      overflows[id] = hasOverflow(body) ||
                      (!open[id] && !map.arena.getAtom(id).range.isFinite());
    }
  }

  bool isOpen(FormRef f) const { return any(f, open); }
  bool hasOverflow(FormRef f) const { return any(f, overflows); }

  SmallVector<char, 32> open, overflows;

private:
  static bool any(FormRef f, ArrayRef<char> flags) {
    return llvm::any_of(f.terms, [&](const Term &t) { return flags[t.atom]; });
  }
};

} // namespace

bool MapStorage::isBounded() const {
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id)
    if (!arena.getAtom(id).range.isFinite())
      return false;
  return true;
}

bool MapStorage::constraintsOverflow() const {
  // Most often nothing comes near the limits.
  if (isBounded() && llvm::all_of(constraints, [&](const Constraint &c) {
        Interval range = arena.directRange(FormRef{0, c.form.terms});
        return range.isFinite() && (range + c.form.constant).isFinite();
      }))
    return false;
  AtomFlags flags(*this);
  return llvm::any_of(constraints, [&](const Constraint &c) {
    if (flags.hasOverflow(c.form))
      return true;
    // With its constant and without: normalizing takes the constant out.
    return !flags.isOpen(c.form) &&
           (!arena.range(c.form).isFinite() ||
            !arena.range(FormRef{0, c.form.terms}).isFinite());
  });
}

void MapStorage::makeNamesDistinct() {
  if (names.empty())
    return;
  bool allDefault = true;
  llvm::StringSet<> taken;
  for (unsigned i = 0, e = names.size(); i != e; ++i) {
    if (names[i] == getDefaultName(i))
      names[i].clear();
    if (names[i].empty())
      taken.insert(getDefaultName(i));
    else
      allDefault = false;
  }
  if (allDefault)
    return names.clear();
  for (std::string &name : names) {
    if (name.empty() || taken.insert(name).second)
      continue;
    unsigned suffix = 1;
    std::string candidate;
    do
      candidate = name + "_" + std::to_string(suffix++);
    while (!taken.insert(candidate).second);
    name = candidate;
  }
}

std::optional<std::string> MapStorage::findOverflow() const {
  AtomFlags flags(*this);
  for (unsigned i = 0, e = results.size(); i != e; ++i)
    if (flags.hasOverflow(results[i]) ||
        (!resultRanges[i].isFinite() && !flags.isOpen(results[i])))
      return "result " + std::to_string(i);
  for (unsigned i = 0, e = constraints.size(); i != e; ++i) {
    const Form &f = constraints[i].form;
    if (flags.hasOverflow(f) ||
        (!flags.isOpen(f) && (!arena.range(f).isFinite() ||
                              !arena.range(FormRef{0, f.terms}).isFinite())))
      return "constraint " + std::to_string(i);
  }
  return std::nullopt;
}

uint64_t MapStorage::countWrittenAtoms() const {
  SmallVector<uint64_t, 32> sizes;
  auto sum = [&](FormRef f) {
    uint64_t size = 0;
    for (const Term &t : f.terms)
      size = std::min(size + sizes[t.atom], 2 * kMaxWrittenAtoms);
    return size;
  };
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id)
    sizes.push_back(arena.isVariable(id) ? 1 : 1 + sum(arena.body(id)));
  uint64_t size = 0;
  for (const Form &f : results)
    size += sum(f);
  for (const Constraint &c : constraints)
    size += sum(c.form);
  return size;
}

IndexingMap MapStorage::finish(IntrusiveRefCntPtr<MapStorage> s) {
  if (s->arena.failed())
    return IndexingMap::unknown(s->arena.failure() == FormFailure::Overflow
                                    ? UnknownReason::Overflow
                                : s->arena.failure() == FormFailure::TooLarge
                                    ? UnknownReason::TooLarge
                                    : UnknownReason::NotAffine);
  for (const Interval &range : s->ranges)
    if (range.isEmpty())
      s->state = MapState::KnownEmpty;

  // Constraints, part one; constants disappear.
  SmallVectorImpl<Constraint> &constraints = s->constraints;
  if (s->state == MapState::Ordinary && !constraints.empty()) {
    if (s->constraintsOverflow()) {
      // So that `findOverflow` finds the place.
      s->resultRanges.clear();
      for (const Form &f : s->results)
        s->resultRanges.push_back(s->arena.range(f));
      return IndexingMap::unknown(UnknownReason::Overflow);
    }
    for (Constraint &c : constraints)
      if (!normalize(c))
        s->state = MapState::KnownEmpty;
    llvm::erase_if(constraints,
                   [](const Constraint &c) { return c.form.isConstant(); });
  }
  if (s->state == MapState::KnownEmpty)
    constraints.clear();

  SmallVector<Form *, 8> roots;
  for (Form &f : s->results)
    roots.push_back(&f);
  for (Constraint &c : constraints)
    roots.push_back(&c.form);
  s->arena.canonicalize(roots);

  // Constraints, part two: sign, order, one per form.
  if (!constraints.empty()) {
    for (Constraint &c : constraints) {
      if (c.form.terms[0].coefficient > 0)
        continue;
      Form negated = s->arena.negate(c.form);
      if (s->arena.failed()) {
        s->arena.clearFailure();
        continue;
      }
      c.form = std::move(negated);
      c.interval = -c.interval;
    }
    if (constraints.size() > 1) {
      llvm::sort(constraints, [](const Constraint &a, const Constraint &b) {
        if (a.form != b.form)
          return formLess(a.form, b.form);
        return std::make_pair(a.interval.lower, a.interval.upper) <
               std::make_pair(b.interval.lower, b.interval.upper);
      });
      unsigned kept = 0;
      for (unsigned i = 1, e = constraints.size(); i != e; ++i) {
        if (constraints[i].form == constraints[kept].form) {
          constraints[kept].interval =
              constraints[kept].interval.intersect(constraints[i].interval);
          continue;
        }
        if (++kept != i)
          constraints[kept] = std::move(constraints[i]);
      }
      constraints.truncate(kept + 1);
      for (const Constraint &c : constraints)
        if (c.interval.isEmpty())
          s->state = MapState::KnownEmpty;
      if (s->state == MapState::KnownEmpty) {
        constraints.clear();
        roots.clear();
        for (Form &f : s->results)
          roots.push_back(&f);
        s->arena.canonicalize(roots);
      }
    }
  }

  // Without three atoms in a tower nothing is written twice.
  if (s->arena.getNumAtoms() > s->arena.getNumVariables() + 2 &&
      s->countWrittenAtoms() > kMaxWrittenAtoms)
    return IndexingMap::unknown(UnknownReason::TooLarge);
  s->makeNamesDistinct();
  s->resultRanges.clear();
  for (const Form &f : s->results)
    s->resultRanges.push_back(s->arena.range(f));
  // Constraints that do not overflow before part one don't after it.
  const bool fits =
      s->state != MapState::Ordinary ||
      (s->isBounded() &&
       llvm::all_of(s->resultRanges, [](Interval r) { return r.isFinite(); }));
  if (!fits && s->findOverflow())
    return IndexingMap::unknown(UnknownReason::Overflow);
  return wrap(std::move(s));
}

std::string tensoraccess::getSizeName(unsigned parameter) {
  return "n" + std::to_string(parameter);
}

bool tensoraccess::isSizeName(StringRef name) {
  unsigned number;
  return name.consume_front("n") && !name.getAsInteger(10, number);
}

//===----------------------------------------------------------------------===//
// IndexingMap: construction and queries
//===----------------------------------------------------------------------===//

/// One shared storage per reason; unknown maps cost nothing.
static IntrusiveRefCntPtr<MapStorage> getUnknownStorage(UnknownReason reason) {
  static constexpr unsigned kNumReasons =
      static_cast<unsigned>(UnknownReason::NotAffine) + 1;
  struct Table {
    IntrusiveRefCntPtr<MapStorage> entries[kNumReasons];
    Table() {
      for (unsigned i = 0; i != kNumReasons; ++i) {
        entries[i] = new MapStorage;
        entries[i]->state = MapState::Unknown;
        entries[i]->isSimplified = true;
        entries[i]->reason = static_cast<UnknownReason>(i);
      }
    }
  };
  static const Table table;
  if (reason == UnknownReason::None)
    reason = UnknownReason::Unspecified;
  return table.entries[static_cast<unsigned>(reason)];
}

IndexingMap::IndexingMap()
    : storage(getUnknownStorage(UnknownReason::Unspecified)) {}
IndexingMap::IndexingMap(IntrusiveRefCntPtr<MapStorage> s)
    : storage(std::move(s)) {}
IndexingMap::IndexingMap(const IndexingMap &) = default;
IndexingMap &IndexingMap::operator=(const IndexingMap &) = default;
// A map that was moved from stays a map: it keeps sharing the storage.
IndexingMap::IndexingMap(IndexingMap &&o) noexcept : storage(o.storage) {}
IndexingMap &IndexingMap::operator=(IndexingMap &&o) noexcept {
  std::swap(storage, o.storage);
  return *this;
}
IndexingMap::~IndexingMap() = default;

IndexingMap IndexingMap::unknown(UnknownReason reason) {
  return IndexingMap(getUnknownStorage(reason));
}

IndexingMap IndexingMap::identity(ArrayRef<int64_t> shape) {
  IndexingMapBuilder builder;
  for (Form &d : builder.addDims(shape))
    builder.addResult(std::move(d));
  return builder.build();
}

MapState IndexingMap::getState() const { return storage->state; }
UnknownReason IndexingMap::getUnknownReason() const { return storage->reason; }
unsigned IndexingMap::getNumDims() const { return storage->numDims; }
unsigned IndexingMap::getNumSymbols() const { return storage->numSymbols; }
unsigned IndexingMap::getNumRuntime() const { return storage->numRuntime; }
unsigned IndexingMap::getNumVariables() const { return storage->ranges.size(); }
unsigned IndexingMap::getNumResults() const { return storage->results.size(); }
ArrayRef<Form> IndexingMap::getResults() const { return storage->results; }
ArrayRef<Constraint> IndexingMap::getConstraints() const {
  return storage->constraints;
}
ArrayRef<Interval> IndexingMap::getRanges() const { return storage->ranges; }
ArrayRef<Interval> IndexingMap::getDimRanges() const {
  return getRanges().take_front(getNumDims());
}
ArrayRef<Interval> IndexingMap::getSymbolRanges() const {
  return getRanges().slice(getNumDims(), getNumSymbols());
}
ArrayRef<Interval> IndexingMap::getRuntimeRanges() const {
  return getRanges().take_back(getNumRuntime());
}
std::string IndexingMap::getVariableName(unsigned variable) const {
  return storage->getName(variable);
}
VariableKind IndexingMap::getVariableKind(unsigned variable) const {
  return storage->getKind(variable);
}
const FormArena &IndexingMap::getArena() const { return storage->arena; }
Interval IndexingMap::getResultRange(unsigned i) const {
  return storage->resultRanges[i];
}

bool IndexingMap::isIdentity() const {
  if (!isOrdinary() || getNumDims() != getNumVariables() ||
      getNumResults() != getNumDims() || !getConstraints().empty())
    return false;
  for (unsigned i = 0, e = getNumDims(); i != e; ++i) {
    const Form &f = getResult(i);
    // In a dimension of one element the constant and the dim are the same.
    if (f.asAtom() != AtomId(i) &&
        !(f.isConstant() && getRanges()[i] == Interval::point(f.constant)))
      return false;
  }
  return true;
}

SmallVector<char, 32> IndexingMap::getUsed(bool results,
                                           bool constraints) const {
  SmallVector<char, 32> used(getArena().getNumAtoms(), 0);
  if (results)
    for (const Form &f : getResults())
      getArena().markUsed(f, used);
  if (constraints)
    for (const Constraint &c : getConstraints())
      getArena().markUsed(c.form, used);
  return used;
}

std::optional<std::string> IndexingMap::verify() const {
  if (isUnknown())
    return std::nullopt;
  const FormArena &arena = getArena();
  if (arena.getNumVariables() != getNumVariables() ||
      getNumDims() + getNumSymbols() + getNumRuntime() != getNumVariables())
    return std::string("the arena has another number of variables");
  llvm::StringSet<> names;
  for (unsigned i = 0, e = getNumVariables(); i != e; ++i) {
    if (!names.insert(getVariableName(i)).second)
      return "variable '" + getVariableName(i) + "' is declared twice";
    if (isOrdinary() && getRanges()[i].isEmpty())
      return "range of '" + getVariableName(i) + "' is empty";
  }
  auto isWellFormed = [&](FormRef f) {
    AtomId last = 0;
    for (const Term &t : f.terms) {
      if (t.coefficient == 0 || t.atom >= arena.getNumAtoms() ||
          (&t != f.terms.begin() && t.atom <= last))
        return false;
      last = t.atom;
    }
    return true;
  };
  for (unsigned i = 0, e = getNumResults(); i != e; ++i)
    if (!isWellFormed(getResult(i)))
      return "result " + std::to_string(i) + " is not a form of the arena";
  for (unsigned i = 0, e = getConstraints().size(); i != e; ++i)
    if (!isWellFormed(getConstraints()[i].form))
      return "constraint " + std::to_string(i) + " is not a form of the arena";
  if (isOrdinary())
    if (std::optional<std::string> what = storage->findOverflow())
      return *what + " overflows 64-bit arithmetic";
  return std::nullopt;
}

bool IndexingMap::operator==(const IndexingMap &o) const {
  const MapStorage &a = *storage, &b = *o.storage;
  if (&a == &b)
    return true;
  return a.state == b.state && a.reason == b.reason && a.numDims == b.numDims &&
         a.numSymbols == b.numSymbols && a.numRuntime == b.numRuntime &&
         a.ranges == b.ranges && a.results == b.results &&
         a.constraints == b.constraints && a.names == b.names &&
         a.arena == b.arena;
}

uint64_t IndexingMap::hash() const {
  const MapStorage &s = *storage;
  auto combine = [](uint64_t h, uint64_t v) {
    return (h ^ (v + 0x9e3779b97f4a7c15ull)) * 0xff51afd7ed558ccdull;
  };
  uint64_t h =
      combine(static_cast<uint64_t>(s.state), static_cast<uint64_t>(s.reason));
  h = combine(combine(combine(h, s.numDims), s.numSymbols), s.numRuntime);
  for (const Interval &range : s.ranges)
    h = combine(combine(h, range.lower), range.upper);
  h = combine(h, s.arena.hash());
  for (const Form &f : s.results)
    h = combine(h, hashForm(f));
  for (const Constraint &c : s.constraints)
    h = combine(combine(combine(h, hashForm(c.form)), c.interval.lower),
                c.interval.upper);
  return h;
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

/// True if the point is in the domain; fills in the values of all atoms.
static bool isInside(const MapStorage &s, ArrayRef<int64_t> variables,
                     SmallVectorImpl<int64_t> &values) {
  if (s.state != MapState::Ordinary || variables.size() != s.ranges.size())
    return false;
  for (unsigned i = 0, e = variables.size(); i != e; ++i)
    if (!s.ranges[i].contains(variables[i]))
      return false;
  if (!s.arena.evaluateAtoms(variables, values))
    return false;
  for (const Constraint &c : s.constraints) {
    std::optional<int64_t> v = FormArena::evaluate(c.form, values);
    if (!v || !c.interval.contains(*v))
      return false;
  }
  return true;
}

std::optional<SmallVector<int64_t>>
IndexingMap::evaluateAt(ArrayRef<int64_t> variables) const {
  SmallVector<int64_t, 32> values;
  if (!isInside(*storage, variables, values))
    return std::nullopt;
  SmallVector<int64_t> out;
  for (const Form &f : getResults()) {
    std::optional<int64_t> v = FormArena::evaluate(f, values);
    if (!v)
      return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

static SmallVector<int64_t, 16>
concatenate(ArrayRef<int64_t> a, ArrayRef<int64_t> b, ArrayRef<int64_t> c) {
  SmallVector<int64_t, 16> all(a.begin(), a.end());
  all.append(b.begin(), b.end());
  all.append(c.begin(), c.end());
  return all;
}

std::optional<SmallVector<int64_t>>
IndexingMap::evaluate(ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols,
                      ArrayRef<int64_t> runtime) const {
  if (dims.size() != getNumDims() || symbols.size() != getNumSymbols())
    return std::nullopt;
  return evaluateAt(concatenate(dims, symbols, runtime));
}

bool IndexingMap::containsPoint(ArrayRef<int64_t> dims,
                                ArrayRef<int64_t> symbols,
                                ArrayRef<int64_t> runtime) const {
  if (dims.size() != getNumDims() || symbols.size() != getNumSymbols())
    return false;
  SmallVector<int64_t, 32> values;
  return isInside(*storage, concatenate(dims, symbols, runtime), values);
}

//===----------------------------------------------------------------------===//
// IndexingMapBuilder
//===----------------------------------------------------------------------===//

IndexingMapBuilder::IndexingMapBuilder() : storage(new MapStorage) {}
IndexingMapBuilder::~IndexingMapBuilder() = default;
IndexingMapBuilder::IndexingMapBuilder(IndexingMapBuilder &&) noexcept =
    default;

Form IndexingMapBuilder::addVariable(VariableKind kind, Interval range,
                                     StringRef name) {
  return storage->addVariable(kind, range, name);
}
Form IndexingMapBuilder::addDim(Interval range, StringRef name) {
  return addVariable(VariableKind::Dim, range, name);
}
Form IndexingMapBuilder::addSymbol(Interval range, StringRef name) {
  return addVariable(VariableKind::Symbol, range, name);
}
Form IndexingMapBuilder::addRuntime(Interval range, StringRef name) {
  return addVariable(VariableKind::Runtime, range, name);
}
SmallVector<Form> IndexingMapBuilder::addDims(ArrayRef<Interval> ranges) {
  SmallVector<Form> dims;
  for (const Interval &range : ranges)
    dims.push_back(addDim(range));
  return dims;
}
SmallVector<Form> IndexingMapBuilder::addDims(ArrayRef<int64_t> shape) {
  SmallVector<Form> dims;
  for (int64_t size : shape)
    dims.push_back(addDim(Interval::ofExtent(size)));
  return dims;
}
FormArena &IndexingMapBuilder::arena() { return storage->arena; }
void IndexingMapBuilder::addResult(Form form) {
  storage->results.push_back(std::move(form));
}
void IndexingMapBuilder::addConstraint(Form form, Interval interval) {
  storage->constraints.push_back({std::move(form), interval});
}
void IndexingMapBuilder::addDomain(const IndexingMap &map,
                                   ArrayRef<Form> images) {
  storage->addForms(MapStorage::of(map), images, /*withResults=*/false);
}
void IndexingMapBuilder::addMap(const IndexingMap &map, ArrayRef<Form> images) {
  storage->addForms(MapStorage::of(map), images, /*withResults=*/true);
}
void IndexingMapBuilder::setKnownEmpty() {
  storage->state = MapState::KnownEmpty;
}
IndexingMap IndexingMapBuilder::build() {
  return MapStorage::finish(std::move(storage));
}
