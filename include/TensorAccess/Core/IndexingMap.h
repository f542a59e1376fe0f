//===- IndexingMap.h - Indexing maps ----------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_INDEXINGMAP_H
#define TENSORACCESS_CORE_INDEXINGMAP_H

#include "TensorAccess/Core/Form.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// The access map with one piece
//
// An indexing map, as in XLA's indexing analysis, sends an index of one tensor
// to indices of another:
//
//   (d0, d1)[s0]{rt0} -> (d0 + s0, d1 floordiv 4),
//     domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 2], rt0 in [0, 3],
//             d0 + s0 in [0, 10]
//
// *dims* d are the index it is given, *range symbols* s run over all their
// values (so the result is a set), *runtime variables* rt are unknown numbers,
// one for each point; size parameters are the same for all. All ranges are
// inclusive. A *constraint* keeps only points where a form is in an interval.
//
// A map is one of three things, and they are different values:
//   ordinary      as written above;
//   known empty   no point is in the domain; the shape is kept. Text:
//                 `empty (d0) -> (d0), domain: d0 in [0, 9]`;
//   unknown       the map is not known, with a reason. Text: `unknown`.
//
// `IndexingMap` is an immutable value; copying it copies one pointer. Forms
// returned by it belong to `getArena()`. The order of variables in the arena is
// dims, symbols, runtime variables.
//
// A bound may be a form over runtime variables: `d1 in [0, N - 1]`. It is
// stored as the constraint d1 - N in [-inf, -1] with the range's hull as d1's
// range, and printed back as a bound.
//===----------------------------------------------------------------------===//

enum class MapState : uint8_t { Ordinary, KnownEmpty, Unknown };

/// Why a map is unknown.
enum class UnknownReason : uint8_t {
  None,          ///< the map is not unknown
  Unspecified,   ///< the text was just `unknown`
  UnknownOp,     ///< no model of the operation
  UnsupportedOp, ///< a model exists but not for this form of the op
  DynamicShape,  ///< a size is not known statically
  Overflow,      ///< some coefficient or bound does not fit in 64 bits
  RankMismatch,  ///< composed with a map of another rank
  TooLarge,      ///< a limit on the size of maps was reached
  NotAffine,     ///< an affine expression outside of the language
};

/// `unknown operation`, `overflows 64-bit arithmetic`, ...
llvm::StringRef describe(UnknownReason reason);

enum class VariableKind : uint8_t { Dim, Symbol, Runtime };

/// Runtime variables called `n0`, `n1`, ... are *size parameters*: sizes of
/// tensors, hence the same number at every point and in all maps of one
/// context.
std::string getSizeName(unsigned parameter);
bool isSizeName(llvm::StringRef name);

/// `form in interval`.
struct Constraint {
  Form form;
  Interval interval;

  bool operator==(const Constraint &o) const {
    return form == o.form && interval == o.interval;
  }
};

/// What is wrong with a text, and where (byte offset from its beginning).
struct ParseError {
  std::string message;
  size_t offset = 0;
};

/// Counts that a simplifier must never increase.
struct MapSize {
  /// `floordiv`, `ceildiv` and `mod` tokens in the printed text.
  unsigned divisions = 0;
  /// Constraints in the printed text (bounds over parameters don't count).
  unsigned constraints = 0;
};

namespace detail {
struct MapStorage;
} // namespace detail

class IndexingMap {
public:
  /// An unknown map, reason Unspecified.
  IndexingMap();
  IndexingMap(const IndexingMap &);
  IndexingMap(IndexingMap &&) noexcept;
  IndexingMap &operator=(const IndexingMap &);
  IndexingMap &operator=(IndexingMap &&) noexcept;
  ~IndexingMap();

  //===--- construction ---------------------------------------------------===//

  /// (d0, ..., dn) -> (d0, ..., dn) over [0, shape[i] - 1].
  static IndexingMap identity(llvm::ArrayRef<int64_t> shape);
  static IndexingMap unknown(UnknownReason reason);
  /// Reads the text form; std::nullopt and `error` if it is malformed. Messages
  /// are lower case and name the offending token.
  static std::optional<IndexingMap> parse(llvm::StringRef text,
                                          ParseError &error);
  /// The map of an affine map whose dims and symbols have the given ranges.
  /// Affine symbols become range symbols. Unknown (RankMismatch) if the numbers
  /// of ranges differ from the map's.
  static IndexingMap fromAffineMap(AffineMap map,
                                   llvm::ArrayRef<Interval> dimRanges,
                                   llvm::ArrayRef<Interval> symbolRanges = {});
  /// The same, restricted to the points of `domain` (same dims and symbols).
  static IndexingMap fromAffineMap(AffineMap map, IntegerSet domain,
                                   llvm::ArrayRef<Interval> dimRanges,
                                   llvm::ArrayRef<Interval> symbolRanges = {});

  //===--- queries --------------------------------------------------------===//

  MapState getState() const;
  bool isOrdinary() const { return getState() == MapState::Ordinary; }
  bool isKnownEmpty() const { return getState() == MapState::KnownEmpty; }
  bool isUnknown() const { return getState() == MapState::Unknown; }
  UnknownReason getUnknownReason() const;

  /// All counts are 0 for an unknown map.
  unsigned getNumDims() const;
  unsigned getNumSymbols() const;
  unsigned getNumRuntime() const;
  unsigned getNumVariables() const;
  unsigned getNumResults() const;
  llvm::ArrayRef<Form> getResults() const;
  const Form &getResult(unsigned i) const { return getResults()[i]; }
  llvm::ArrayRef<Constraint> getConstraints() const;
  /// Ranges of all variables: dims, symbols, runtime.
  llvm::ArrayRef<Interval> getRanges() const;
  llvm::ArrayRef<Interval> getDimRanges() const;
  llvm::ArrayRef<Interval> getSymbolRanges() const;
  llvm::ArrayRef<Interval> getRuntimeRanges() const;
  /// The name as printed: `d0`, `s0`, `rt0` or the name in the text.
  std::string getVariableName(unsigned variable) const;
  VariableKind getVariableKind(unsigned variable) const;
  /// The arena that the forms belong to.
  const FormArena &getArena() const;
  /// An interval that contains every value of result i.
  Interval getResultRange(unsigned i) const;

  /// True for (d0, ..., dn) -> (d0, ..., dn) without symbols, runtime
  /// variables and constraints.
  bool isIdentity() const;
  /// For each atom of the arena, whether a result or a constraint mentions it,
  /// if only in the body of another atom; either kind of mention can be left
  /// out.
  llvm::SmallVector<char, 32> getUsed(bool results = true,
                                      bool constraints = true) const;
  /// The MapSize of the printed text.
  MapSize getSize() const;

  /// Invariants: every form in the arena, every name distinct, no result that
  /// overflows on finite ranges. std::nullopt if all hold, else what is wrong.
  std::optional<std::string> verify() const;

  bool operator==(const IndexingMap &o) const;
  bool operator!=(const IndexingMap &o) const { return !(*this == o); }
  uint64_t hash() const;
  std::string str() const;
  /// One form over `getArena()`, as the map's text would print it.
  std::string formText(FormRef form) const;

  //===--- meaning --------------------------------------------------------===//

  /// True if the point satisfies all ranges and constraints. False for
  /// known-empty and unknown maps, and if the numbers of values differ from the
  /// map's.
  bool containsPoint(llvm::ArrayRef<int64_t> dims,
                     llvm::ArrayRef<int64_t> symbols = {},
                     llvm::ArrayRef<int64_t> runtime = {}) const;
  /// The results at a point; std::nullopt outside the domain, for unknown maps,
  /// and where 64 bits don't suffice.
  std::optional<llvm::SmallVector<int64_t>>
  evaluate(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> symbols = {},
           llvm::ArrayRef<int64_t> runtime = {}) const;
  /// Like `evaluate`, with all variables' values in one array.
  std::optional<llvm::SmallVector<int64_t>>
  evaluateAt(llvm::ArrayRef<int64_t> variables) const;

  //===--- algebra --------------------------------------------------------===//

  /// First this map, then `next`: x -> next(this(x)), the reverse order of
  /// AffineMap::compose. Dims are this map's; symbols are `next`'s followed by
  /// this map's, and so are the runtime variables (size parameters of the same
  /// name are one variable). Results of this map are
  /// constrained to `next`'s dim ranges. Unknown (RankMismatch) if this map
  /// does not have as many results as `next` has dims.
  IndexingMap then(const IndexingMap &next) const;

  /// A map with the same points and results that is nowhere larger: tightens
  /// variable ranges, drops implied constraints, replaces variables of one
  /// value, detects emptiness. Idempotent.
  IndexingMap simplify() const;

  /// Drops range symbols that no result needs; constraints that mention nothing
  /// else are dropped if they can be satisfied (and make the map empty if they
  /// cannot). `removed`, if given, has one bit per variable.
  IndexingMap removeUnusedSymbols(llvm::BitVector *removed = nullptr) const;
  /// The same for dims, and for runtime variables.
  IndexingMap removeUnusedDims(llvm::BitVector *removed = nullptr) const;
  IndexingMap removeUnusedRuntime(llvm::BitVector *removed = nullptr) const;
  /// The same for dims, symbols and runtime variables.
  IndexingMap removeUnusedVars(llvm::BitVector *removed = nullptr) const;
  /// Shifts and divides each range symbol so that it runs over [0, n - 1]:
  /// s in [3, 12] with s mod 3 in [0, 0] becomes 3 + 3s, s in [0, 3].
  IndexingMap rescaleSymbols() const;
  /// Range symbols that results mention only in one sum become one symbol, and
  /// symbols that only constraints mention are removed: dims -> set of results
  /// is unchanged, which is proved for each merge. d0 + s0 + s1 with s0 and s1
  /// in [0, 2] becomes d0 + s0 with s0 in [0, 4]; s0 + 2*s1 likewise, [0, 6]. A
  /// merged map is simplified; a map with nothing to merge is returned
  /// unchanged.
  IndexingMap mergeSymbols() const;
  /// Turns the listed range symbols into dims, appended in that order.
  IndexingMap symbolsToDims(llvm::ArrayRef<unsigned> symbols) const;
  /// The reverse: turns the listed dims into range symbols, appended in that
  /// order.
  IndexingMap dimsToSymbols(llvm::ArrayRef<unsigned> dims) const;
  /// The listed results, in that order; one may be listed twice.
  IndexingMap selectResults(llvm::ArrayRef<unsigned> results) const;
  /// The same map on the points where `other`, over the same dims, also has a
  /// point. Symbols and runtime variables of `other` come after this map's;
  /// those its constraints don't need are left out. Unknown (RankMismatch) if
  /// the maps have different numbers of dims.
  IndexingMap intersectDomains(const IndexingMap &other) const;
  /// The same map with ranges of all variables intersected with `ranges`.
  IndexingMap restrictRanges(llvm::ArrayRef<Interval> ranges) const;
  /// Names for all variables, dims first; "" is the default name. std::nullopt
  /// and `error` if a name is not an identifier, is a keyword or is given
  /// twice.
  std::optional<IndexingMap> withNames(llvm::ArrayRef<std::string> names,
                                       std::string &error) const;
  /// Replaces variables, which disappear, by forms: their ranges become
  /// constraints on the forms. `forms` has one entry per variable, over
  /// `arena`, a copy of `getArena()`, possibly with more atoms; forms mention
  /// only variables that stay.
  IndexingMap substitute(const FormArena &arena,
                         llvm::ArrayRef<std::optional<Form>> forms) const;
  /// The same from text: pairs of a variable's name and an expression over the
  /// names of the others. std::nullopt and `error` for anything else; the
  /// error's offset counts from the beginning of the expression.
  std::optional<IndexingMap>
  substitute(llvm::ArrayRef<std::pair<std::string, std::string>> replacements,
             ParseError &error) const;
  /// The same map with another constraint, as text: `d0 + s0 in [0, 10]`.
  std::optional<IndexingMap> withConstraint(llvm::StringRef text,
                                            ParseError &error) const;
  /// The same map with another constraint: `form` is over `getArena()`, or over
  /// an arena with as many variables.
  IndexingMap withConstraint(FormRef form, Interval interval) const;
  IndexingMap withConstraint(const FormArena &arena, FormRef form,
                             Interval interval) const;
  /// The same domain with other results; all forms are over `getArena()`, or
  /// over an arena with as many variables.
  IndexingMap withResults(llvm::ArrayRef<Form> results) const;
  IndexingMap withResults(const FormArena &arena,
                          llvm::ArrayRef<Form> results) const;
  /// The same map with the ranges of all variables replaced.
  IndexingMap withRanges(llvm::ArrayRef<Interval> ranges) const;

  //===--- conversions ----------------------------------------------------===//

  /// The results as an affine map: dims, then symbols and runtime variables as
  /// affine symbols. Null for unknown maps and for max, min and products.
  AffineMap toAffineMap(MLIRContext *context) const;
  /// One form as an affine expression over the dims and symbols of
  /// `toAffineMap`; null if it has a max, min or product.
  AffineExpr toAffineExpr(FormRef form, MLIRContext *context) const;

private:
  friend class IndexingMapBuilder;
  friend struct detail::MapStorage;
  explicit IndexingMap(llvm::IntrusiveRefCntPtr<detail::MapStorage> s);

  llvm::IntrusiveRefCntPtr<detail::MapStorage> storage;
};

inline llvm::hash_code hash_value(const IndexingMap &map) { return map.hash(); }

/// The coefficients of an affine expression's dims, then its constant;
/// std::nullopt if it is not linear, or divides by a number below 1.
std::optional<llvm::SmallVector<int64_t>> getLinear(AffineExpr expr,
                                                    unsigned numDims);

/// Builds a map: first variables (all dims, then symbols, then runtime
/// variables), then results and constraints over `arena()`.
///
///   IndexingMapBuilder b;
///   Form d0 = b.addDim({0, 9}), s0 = b.addSymbol({0, 2});
///   b.addResult(b.arena().add(d0, s0));
///   IndexingMap map = b.build();
class IndexingMapBuilder {
public:
  IndexingMapBuilder();
  ~IndexingMapBuilder();
  IndexingMapBuilder(IndexingMapBuilder &&) noexcept;

  /// An empty `name` means the default one: d0, s0, rt0 by position.
  Form addDim(Interval range, llvm::StringRef name = {});
  Form addSymbol(Interval range, llvm::StringRef name = {});
  Form addRuntime(Interval range, llvm::StringRef name = {});
  Form addVariable(VariableKind kind, Interval range,
                   llvm::StringRef name = {});
  /// A dim for each range, or for each size of a shape.
  llvm::SmallVector<Form> addDims(llvm::ArrayRef<Interval> ranges);
  llvm::SmallVector<Form> addDims(llvm::ArrayRef<int64_t> shape);
  FormArena &arena();
  void addResult(Form form);
  void addConstraint(Form form, Interval interval);
  /// Adds the constraints of `map`, and known emptiness if it has that;
  /// images[i] is the form for its variable i. Ranges are up to the caller.
  void addDomain(const IndexingMap &map, llvm::ArrayRef<Form> images);
  /// The same, plus its results.
  void addMap(const IndexingMap &map, llvm::ArrayRef<Form> images);
  /// Makes the map known empty, whatever its domain.
  void setKnownEmpty();
  /// The map; unknown if the arena failed or a result does not fit in 64 bits.
  /// The builder cannot be used again.
  IndexingMap build();

private:
  llvm::IntrusiveRefCntPtr<detail::MapStorage> storage;
};

//===----------------------------------------------------------------------===//
// Maps between spaces that share loops
//
// Most operations are described by loops: at point l of an iteration space the
// element A(l) of one tensor meets the element B(l) of another. The indexing
// map from one tensor to the other is the relation {(A(l), B(l))}: its dims are
// indices of the first tensor, and loops that these do not determine become
// range symbols (XLA's reduce, dot, broadcast).
//
// The relation is exact in both directions: what cannot be solved is kept as a
// symbol with an equation, `form(s) - d in [0, 0]`. Nothing is approximated.
//===----------------------------------------------------------------------===//

/// The map from the first space to the second.
///
/// `loops` has the iteration space as its dims and symbols; its first `numFrom`
/// results index the first space, the others the second, and its constraints
/// define which points of the iteration space exist. `fromRanges` are the
/// ranges of the first space's dimensions (one entry each; Interval::all() if
/// unknown). Runtime variables are kept. Unknown if `loops` is, or on overflow.
///
///   matmul, output to left operand: loops (m, n, k) -> (m, n, m, k), numFrom 2
///   gives (d0, d1)[s0] -> (d0, s0).
IndexingMap relate(const IndexingMap &loops, unsigned numFrom,
                   llvm::ArrayRef<Interval> fromRanges);

/// The map from indices of shape `from` to those of shape `to` with the same
/// row-major number. Dimensions are matched in the smallest groups of equal
/// element count. Sizes are static; unknown (Overflow, RankMismatch) if the
/// element counts overflow or differ. Without elements: known empty.
IndexingMap reshapeMap(llvm::ArrayRef<int64_t> from,
                       llvm::ArrayRef<int64_t> to);

/// The known-empty map from shape `from` to `numResults` results.
IndexingMap emptyMap(llvm::ArrayRef<int64_t> from, unsigned numResults);

//===----------------------------------------------------------------------===//
// Indexing maps by brute force
//
// The ground truth. A map *is* the set of pairs (point, result) that these
// functions enumerate; every cleverer engine is tested against them. They are
// written to be read, and refuse domains beyond a budget instead of being slow.
//===----------------------------------------------------------------------===//

/// The most points visited in the box of all variables' ranges.
inline constexpr uint64_t kDefaultEnumerationBudget = 1u << 20;

/// Why a walk did not happen.
enum class EnumerateStatus : uint8_t {
  Ok,
  Unknown,   ///< the map is unknown: it has no points to walk
  Unbounded, ///< some range has no end
  TooLarge,  ///< the box of ranges has more points than the budget
  Overflow,  ///< a result does not fit in 64 bits
};

llvm::StringRef describe(EnumerateStatus status);

/// Number of points in the box of all ranges; std::nullopt if infinite or too
/// large.
std::optional<uint64_t> getBoxSize(const IndexingMap &map);

/// Calls `visit(variables, results)` for every point of the domain, in
/// lexicographic order of (dims, symbols, runtime). The walk ends early, with
/// status Ok, when `visit` returns false.
EnumerateStatus
enumerate(const IndexingMap &map,
          llvm::function_ref<bool(llvm::ArrayRef<int64_t> variables,
                                  llvm::ArrayRef<int64_t> results)>
              visit,
          uint64_t budget = kDefaultEnumerationBudget);

using Point = std::vector<int64_t>;

/// All results, each once. std::nullopt if the walk was refused (see `status`).
std::optional<std::set<Point>>
enumerateImage(const IndexingMap &map,
               uint64_t budget = kDefaultEnumerationBudget,
               EnumerateStatus *status = nullptr);

/// The outcome of comparing two maps.
struct MapComparison {
  enum class Verdict : uint8_t { Equal, Different, Refused };
  Verdict verdict;
  /// Different: the values of all variables at a point where they differ.
  Point witness;
  /// Different or Refused: the reason, as a sentence.
  std::string message;

  explicit operator bool() const { return verdict == Verdict::Equal; }
};

/// Whether for every point of the dims and runtime variables (which must agree
/// in number) the *sets* of results over all symbols are equal.
MapComparison equalAsRelations(const IndexingMap &a, const IndexingMap &b,
                               uint64_t budget = kDefaultEnumerationBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_INDEXINGMAP_H
