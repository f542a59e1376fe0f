//===- IndexingMapStorage.h - What an IndexingMap points to -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Core. A storage is filled by one thread, finished once (`finish`)
// and immutable afterwards; `IndexingMap`s share it by reference count.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_INDEXINGMAPSTORAGE_H
#define TENSORACCESS_LIB_CORE_INDEXINGMAPSTORAGE_H

#include "TensorAccess/Core/IndexingMap.h"

#include <atomic>

namespace mlir::tensoraccess::detail {

/// A bit that threads may set at the same time; copies begin with it unset.
class SharedFlag {
public:
  SharedFlag() = default;
  SharedFlag(const SharedFlag &) {}
  SharedFlag &operator=(bool value) {
    flag.store(value, std::memory_order_relaxed);
    return *this;
  }
  operator bool() const { return flag.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> flag{false};
};

struct MapStorage : llvm::ThreadSafeRefCountedBase<MapStorage> {
  MapState state = MapState::Ordinary;
  UnknownReason reason = UnknownReason::None;
  /// `simplify` of this map is this map.
  SharedFlag isSimplified;
  unsigned numDims = 0, numSymbols = 0, numRuntime = 0;
  FormArena arena;
  /// As written: may be empty intervals, which the arena does not hold.
  llvm::SmallVector<Interval, 8> ranges;
  /// One per variable, "" for the default name; no entries if all are default.
  llvm::SmallVector<std::string, 0> names;
  llvm::SmallVector<Form, 4> results;
  llvm::SmallVector<Interval, 4> resultRanges;
  llvm::SmallVector<Constraint, 2> constraints;

  /// Storages are made and dropped all the time: a few blocks of memory wait
  /// for the next one in a list of the thread's own.
  static void *operator new(size_t size);
  static void operator delete(void *block);

  unsigned getNumVariables() const { return ranges.size(); }
  VariableKind getKind(unsigned variable) const {
    if (variable < numDims)
      return VariableKind::Dim;
    return variable < numDims + numSymbols ? VariableKind::Symbol
                                           : VariableKind::Runtime;
  }
  std::string getDefaultName(unsigned variable) const;
  std::string getName(unsigned variable) const;
  /// "" for the default one.
  llvm::StringRef getCustomName(unsigned variable) const {
    return names.empty() ? llvm::StringRef() : llvm::StringRef(names[variable]);
  }

  /// Adds a variable of `kind`; kinds must come in order.
  Form addVariable(VariableKind kind, Interval range, llvm::StringRef name);
  /// Adds the constraints and, if wanted, results of `from`, and that it is
  /// known empty; images[i] is the form for its variable i.
  void addForms(const MapStorage &from, llvm::ArrayRef<Form> images,
                bool withResults = true);

  /// Brings a filled storage into canonical form and wraps it:
  ///   1. constraints: constants moved into the interval, coefficients divided
  ///      by their gcd, first coefficient positive, sorted, one per form;
  ///   2. emptiness that needs no proof: an empty range, 0 in [10, 15];
  ///   3. atoms renumbered by structure, names made distinct;
  ///   4. size and overflow: text beyond kMaxWrittenAtoms, or a form of
  ///      bounded variables without finite range, makes the map unknown.
  static IndexingMap finish(llvm::IntrusiveRefCntPtr<MapStorage> s);
  /// Atoms that the text would have, shared ones written out again and again.
  /// Beyond this a map is unknown (TooLarge): nested digits may double it.
  static constexpr uint64_t kMaxWrittenAtoms = 1u << 16;
  /// Beyond this a composition is unknown, too, unless its parts are as large.
  static constexpr uint64_t kMaxComposedAtoms = 1u << 11;
  uint64_t countWrittenAtoms() const;
  /// Step 4: what overflows, if anything: `result 0` or `constraint 1`.
  std::optional<std::string> findOverflow() const;
  /// True if all variables and atoms have finite ranges: then a form overflows
  /// only if its own range is infinite.
  bool isBounded() const;
  /// MapSize of the printed text.
  static MapSize measure(const MapStorage &s);
  /// True if `after` is written with more divisions or constraints than
  /// `before`.
  static bool isLarger(const MapStorage &after, const MapStorage &before);
  /// The map with results that are linear on its domain written so, and without
  /// constraints that hold everywhere, as far as looking at few points proves
  /// it; std::nullopt if that finds nothing.
  static std::optional<IndexingMap> simplifyByPoints(const IndexingMap &map);
  static const MapStorage &of(const IndexingMap &map) { return *map.storage; }
  static IndexingMap wrap(llvm::IntrusiveRefCntPtr<MapStorage> s) {
    return IndexingMap(std::move(s));
  }

private:
  /// Step 1 before renumbering; false if the constraint can never hold.
  static bool normalize(Constraint &c);
  /// True if a constraint's form, with its constant or without, can leave 64
  /// bits although its variables are bounded: normalizing would lose that.
  bool constraintsOverflow() const;
  void makeNamesDistinct();
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_INDEXINGMAPSTORAGE_H
