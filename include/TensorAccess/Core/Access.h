//===- Access.h - Access patterns in canonical form -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ACCESS_H
#define TENSORACCESS_CORE_ACCESS_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Projection.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Disjoint pieces of indexing maps
//
// A list of *pieces* describes where each element of a result comes from. A
// piece has a source (an operand, a constant, or nothing) and an indexing map
// whose domain is where the piece holds and whose results index the source.
// Pieces have the same dims and disjoint domains, so that at most one holds at
// a point: pad, concat and clamp are written this way.
//===----------------------------------------------------------------------===//

enum class SourceKind : uint8_t { Operand, Constant, None };

/// Where the elements of a piece come from.
struct AccessSource {
  SourceKind kind = SourceKind::None;
  /// Operand: its number. Constant: a number in the client's table of
  /// constants. None: 0.
  unsigned index = 0;

  bool operator==(const AccessSource &o) const {
    return kind == o.kind && index == o.index;
  }
};

struct AccessPiece {
  AccessSource source;
  /// For a constant or no source the map has no results.
  IndexingMap map;

  bool operator==(const AccessPiece &o) const {
    return source == o.source && map == o.map;
  }
};

/// What a piece gives at a point.
struct AccessResult {
  unsigned piece;
  AccessSource source;
  llvm::SmallVector<int64_t> index;
};

//===----------------------------------------------------------------------===//
// The canonical form of a view
//
// What an array of known shape holds: at every index, either an element of one
// of several *sources* or a constant. It is an access map over the box of the
// shape, brought into canonical form:
//
//   shape    [5, 7]
//   pieces   source 0: (d0, d1) -> (d0 - 1, d1 - 1),
//                      domain: d0 in [1, 3], d1 in [1, 5]
//   else     constant 0                     (the *background*)
//
// is a 3x5 array with a frame of padding. However an array is moved around, its
// form stays as short as its meaning:
//
//   1. Each piece is an indexing map without symbols, simplified, with at least
//      one point as far as `isEmpty` can tell. Pieces are disjoint.
//   2. Pieces that read the same source are merged where one map can express
//      them: slices of a tensor put back together are the tensor. They are
//      compared by the row-major number of the element they read, which is a
//      single form whatever the source's shape.
//   3. Where no piece holds, the value is the *background*, a constant. It is
//      absent if the pieces cover the box (by counting, since they are
//      disjoint). Of several constants, the one with the smallest number is the
//      background.
//   4. Pieces are sorted by domain, hence in an order that does not depend on
//      how the array was made. The index of a dimension of size 1 is 0, not a
//      variable.
//   5. An array without elements has neither pieces nor background.
//   6. A dimension of unknown size is as long as a dimension
//      of some source. Where no piece reads along it (a scalar that is
//      repeated, an array without elements) the form names which one, its
//      *extent*; otherwise the pieces show it. So equal forms have equal
//      shapes, whatever the unknown sizes are.
//
// Two forms are compared by structure, then by proof (`compare`).
//
// Sources and constants are numbers in the client's tables; equal numbers are
// assumed to be equal things, different numbers different things. Every index
// is inside its source: none of these functions moves out of it, and padding is
// a constant piece.
//
// A form that would exceed its budget is not built: functions return
// std::nullopt, and the client makes the array a new source.
//===----------------------------------------------------------------------===//

/// What a form may cost.
struct AccessBudget {
  /// Pieces of one form.
  unsigned maxPieces = 48;
  /// Terms of one piece's results, constraints and atoms.
  unsigned maxTerms = 1024;
  /// Points visited to count or compare.
  uint64_t maxPoints = 1u << 14;
};

/// A walk through the elements of an array by constant strides: `offset` plus
/// the sum of strides[i]·x[i] is the row-major number of the element at index
/// x. A matrix in memory has two strides.
struct StridedMap {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;

  /// For a map to the indices of an array of `shape`, as in a view's piece.
  /// std::nullopt if an element's number takes a division to express. A
  /// dimension of size 1 has stride 0.
  static std::optional<StridedMap> get(const IndexingMap &map,
                                       llvm::ArrayRef<int64_t> shape);
};

class CanonicalAccess {
public:
  /// An array without dimensions that holds constant 0.
  CanonicalAccess() = default;
  /// All of source `number`, unchanged. Sizes are static.
  static CanonicalAccess identity(llvm::ArrayRef<int64_t> shape,
                                  unsigned number);
  /// Constant `number` everywhere.
  static CanonicalAccess constant(llvm::ArrayRef<int64_t> shape,
                                  unsigned number);

  //===--- queries --------------------------------------------------------===//

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  unsigned getRank() const { return shape.size(); }
  /// True if some dimension has size 0.
  bool isEmpty() const;
  /// Disjoint; sources are operands or constants.
  llvm::ArrayRef<AccessPiece> getPieces() const { return pieces; }
  /// The constant where no piece holds; std::nullopt if there is no such place.
  std::optional<unsigned> getBackground() const { return background; }
  /// The source dimension that has the size of an unknown dimension.
  struct Extent {
    unsigned dim, source, sourceDim;
    bool operator==(const Extent &o) const {
      return dim == o.dim && source == o.source && sourceDim == o.sourceDim;
    }
  };
  /// The extents of the unknown dimensions that no piece reads along,
  /// ascending.
  llvm::ArrayRef<Extent> getExtents() const { return extents; }
  /// The extent of any dimension; std::nullopt if its size is known, or comes
  /// from no source.
  std::optional<Extent> findExtent(unsigned dim) const;
  /// Numbers of the sources that are read, ascending.
  llvm::SmallVector<unsigned> getSources() const;
  /// The shape of a source that is read.
  llvm::ArrayRef<int64_t> getSourceShape(unsigned number) const;

  /// The source if this is all of it, unmoved; std::nullopt if it is something
  /// else.
  std::optional<unsigned> asIdentity() const;
  /// The constant if it is everywhere; std::nullopt if there is an operand
  /// piece or two constants.
  std::optional<unsigned> asConstant() const;
  /// The one operand piece, if it holds everywhere.
  const AccessPiece *asSinglePiece() const;
  /// The walk through the one source that is read everywhere, if its strides
  /// are constant.
  std::optional<StridedMap> asStrided() const;

  /// The result at an index of the box; for the background, `piece` is the
  /// number of pieces. std::nullopt outside the box.
  std::optional<AccessResult> evaluate(llvm::ArrayRef<int64_t> index) const;

  //===--- derived forms --------------------------------------------------===//

  /// One case of a choice: at the indices in `movement`'s domain the array is
  /// `access` at the movement's results. Movements have no symbols or runtime
  /// variables, and their results are within the shape of `access`.
  struct Case {
    const CanonicalAccess *access;
    IndexingMap movement;
  };
  /// The array of `shape` that equals a case where one holds (domains are
  /// disjoint) and `otherwise` elsewhere; without `otherwise`, the cases cover
  /// the box. std::nullopt beyond the budget.
  static std::optional<CanonicalAccess>
  select(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Case> cases,
         std::optional<unsigned> otherwise, const AccessBudget &budget = {});
  /// result[x] = this[movement(x)] for all x in the box of `shape`.
  std::optional<CanonicalAccess>
  pullBack(llvm::ArrayRef<int64_t> shape, const IndexingMap &movement,
           const AccessBudget &budget = {}) const;
  /// The same form renumbered: source(i) and constant(i) are the new numbers of
  /// what was i, and are pairwise different.
  CanonicalAccess
  renumber(llvm::function_ref<unsigned(unsigned)> source,
           llvm::function_ref<unsigned(unsigned)> constant) const;

  //===--- comparison -----------------------------------------------------===//

  /// Whether the forms are the same. Equal forms mean the same.
  bool operator==(const CanonicalAccess &o) const;
  bool operator!=(const CanonicalAccess &o) const { return !(*this == o); }
  /// A hash of the form.
  uint64_t hash() const;
  /// Proved equal, refuted at an index (`witness`; empty if the shapes differ),
  /// or unknown within the budget.
  Equivalence compare(const CanonicalAccess &other,
                      const AccessBudget &budget = {}) const;

  /// `5x7: source 0 (d0, d1) -> (d0 - 1, d1 - 1), domain: d0 in [1, 3],
  /// d1 in [1, 5]; else constant 0`, on one line.
  std::string str() const;

private:
  friend class AccessCanonicalizer;

  struct Source {
    unsigned number;
    llvm::SmallVector<int64_t> shape;
    bool operator==(const Source &o) const {
      return number == o.number && shape == o.shape;
    }
  };

  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<AccessPiece, 2> pieces;
  std::optional<unsigned> background = 0;
  /// The sources that are read, by number.
  std::vector<Source> sources;
  llvm::SmallVector<Extent, 0> extents;
};

inline llvm::hash_code hash_value(const CanonicalAccess &access) {
  return access.hash();
}

/// The domain of `map` without the domains of `pieces`, as disjoint maps with
/// the results of `map`. std::nullopt if there are more than
/// `budget.maxPieces`.
std::optional<llvm::SmallVector<IndexingMap>>
subtractDomains(const IndexingMap &map, llvm::ArrayRef<AccessPiece> pieces,
                const AccessBudget &budget = {});

//===----------------------------------------------------------------------===//
// Movement of canonical forms
//
// One function for each movement op (Glenside, Table 2): from the canonical
// forms of its operands to that of its result. The formulas are those of
// TensorAccessOps.td, over all dimensions, access before compute. Where access
// and compute dimensions are split does not matter here: `access`, `to_tensor`
// and `shift_right` are the identity, `flatten` and `reshape` are one function.
//
// Arguments satisfy the constraints of the ops, whose verifiers check them; all
// sizes are static. std::nullopt: the form would exceed the budget.
//===----------------------------------------------------------------------===//

/// Dimension i of the result is dimension perm[i].
std::optional<CanonicalAccess> transposeAccess(const CanonicalAccess &access,
                                               llvm::ArrayRef<int64_t> perm,
                                               const AccessBudget &budget = {});

/// result[x] = access[offsets + x·strides]; a stride may be negative.
std::optional<CanonicalAccess> sliceAccess(const CanonicalAccess &access,
                                           llvm::ArrayRef<int64_t> offsets,
                                           llvm::ArrayRef<int64_t> sizes,
                                           llvm::ArrayRef<int64_t> strides,
                                           const AccessBudget &budget = {});

/// result[a ++ w ++ k] = access[a ++ (w·strides + k·dilations)]: windows over
/// the last dimensions, as many as `window` has entries.
std::optional<CanonicalAccess> windowsAccess(const CanonicalAccess &access,
                                             llvm::ArrayRef<int64_t> window,
                                             llvm::ArrayRef<int64_t> strides,
                                             llvm::ArrayRef<int64_t> dilations,
                                             const AccessBudget &budget = {});

/// Removes a dimension by fixing it to a value in its range; `squeeze` fixes a
/// dimension of size 1 to 0.
std::optional<CanonicalAccess> fixAccess(const CanonicalAccess &access,
                                         unsigned axis, int64_t value,
                                         const AccessBudget &budget = {});

/// Inserts a dimension as number `axis`, along which the array is constant;
/// `insert_axis` has size 1.
std::optional<CanonicalAccess>
insertAxisAccess(const CanonicalAccess &access, unsigned axis, int64_t size = 1,
                 const AccessBudget &budget = {});

/// Dimensions of size 1 grow to the sizes of `shape`.
std::optional<CanonicalAccess> broadcastAccess(const CanonicalAccess &access,
                                               llvm::ArrayRef<int64_t> shape,
                                               const AccessBudget &budget = {});

/// The same elements, row-major, in another shape.
std::optional<CanonicalAccess> reshapeAccess(const CanonicalAccess &access,
                                             llvm::ArrayRef<int64_t> shape,
                                             const AccessBudget &budget = {});

/// result[low + x·(interior + 1)] = access[x], constant number `value`
/// elsewhere. All paddings are ≥ 0.
std::optional<CanonicalAccess>
padAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> low,
          llvm::ArrayRef<int64_t> high, llvm::ArrayRef<int64_t> interior,
          unsigned value, const AccessBudget &budget = {});

/// The arrays, at least one, one after the other along a dimension.
std::optional<CanonicalAccess>
concatAccess(llvm::ArrayRef<const CanonicalAccess *> parts, unsigned axis,
             const AccessBudget &budget = {});

/// result[a ++ i ++ c] = parts[i][a ++ c]: arrays of one shape side by side
/// along a new dimension. `pair` is two of them at the access rank.
std::optional<CanonicalAccess>
stackAccess(llvm::ArrayRef<const CanonicalAccess *> parts, unsigned axis,
            const AccessBudget &budget = {});

/// result[a ++ b ++ 0 ++ c] = lhs[a ++ c], result[a ++ b ++ 1 ++ c] =
/// rhs[b ++ c], where a and b are the first `lhsAccess` and `rhsAccess`
/// dimensions.
std::optional<CanonicalAccess> cartProdAccess(const CanonicalAccess &lhs,
                                              unsigned lhsAccess,
                                              const CanonicalAccess &rhs,
                                              unsigned rhsAccess,
                                              const AccessBudget &budget = {});

//===----------------------------------------------------------------------===//
// Access patterns of projections
//
// The access pattern of a projection over a block: access dimensions are the
// block's axes, compute dimensions the region's,
//
//   result[i | s] = x[resolve(M·i + offset + anchor + s)],   i from the block's
//                                                            begin on
//
// A policy depends only on the place in one dimension, whatever point and
// region it came from. So every such pattern takes two steps
// (`getProjectionSteps`):
//
//   1. the places of the hull, resolved by the policies: a slice that leaves
//      the tensor, [-1, 6) of 5 elements that wrap, say;
//   2. a projection that stays inside that slice: an affine index.
//
// Index projections; the kernel (Kernels.h, `project`) resolves each place
// separately and is the reference for everything else.
//===----------------------------------------------------------------------===//

/// What is wrong with the pattern of a projection over a block of a tensor of
/// the given sizes; empty if nothing is. In this order:
///
///   `block axis 0 must begin at its end or before, got [3, 2)`
///   `block must have one axis per matrix column, 2, got 3`
///   `projection must have one row per compute dimension, 2, got 1`
///   `places of dimension 0 must fit in 64 bits`, also what is between them
///   `place -1 of dimension 0 is forbidden outside of [0, 5), got it at point
///   [0, 3]`: the first row that is wrong, with the point that reaches furthest
///   below, or else above
///
/// Rows are independent: each place of a row's hull that is outside belongs to
/// some point of the block.
std::string checkProjection(const Projection &projection,
                            const IndexRegion &block,
                            llvm::ArrayRef<int64_t> sizes);

/// The sizes of the pattern: the block's extents, then the region's shape.
/// Requires a block whose ends are in order and that fits in 64 bits.
llvm::SmallVector<int64_t> getProjectedShape(const Projection &projection,
                                             const IndexRegion &block);

/// A projection as a slice and a projection inside it.
struct ProjectionSteps {
  /// The places that the slice takes, one entry per row. A stride above 1
  /// leaves out what no region touches: a common step of regions of one
  /// element.
  llvm::SmallVector<int64_t, 4> offsets, sizes, strides;
  /// Empty if no place is outside: then the slice is the whole tensor.
  llvm::SmallVector<OutOfBounds, 4> policies;
  /// Forbids everywhere, has no anchor, and is over [0, extents) of the block.
  Projection inside;
};

/// Requires that checkProjection accepts the arguments.
ProjectionSteps getProjectionSteps(const Projection &projection,
                                   const IndexRegion &block,
                                   llvm::ArrayRef<int64_t> sizes);

/// result[a ++ i ++ s] = access[a ++ (M·i + offset + s)], i in [0, extents),
/// for a projection as `inside` above: the last dimensions are its rows.
std::optional<CanonicalAccess> projectAccess(const CanonicalAccess &access,
                                             const Projection &inside,
                                             llvm::ArrayRef<int64_t> extents,
                                             const AccessBudget &budget = {});

/// The number of the constant that a policy `pad` stands for.
using PadNumber = llvm::function_ref<unsigned(const OutOfBounds &)>;

/// result[x] = access[offsets + x·strides], places outside resolved by the
/// policies (one per dimension, or none at all): the dimensions from last to
/// first, so that the first one that pads takes precedence; where the places
/// of one leave the array, they are cut into at most `maxRuns` runs, which are
/// concatenated. std::nullopt beyond that and beyond the budget. A dimension
/// that is taken whole may have any size.
std::optional<CanonicalAccess>
sliceAccess(const CanonicalAccess &access, llvm::ArrayRef<int64_t> offsets,
            llvm::ArrayRef<int64_t> counts, llvm::ArrayRef<int64_t> strides,
            llvm::ArrayRef<OutOfBounds> policies, PadNumber getNumber,
            size_t maxRuns, const AccessBudget &budget = {});

//===----------------------------------------------------------------------===//
// Dimensions of unknown size in a form
//
// A form needs sizes. A dimension whose size is known only at run time can be
// in a form too, as long as it is merely carried along, as a batch is. Its size
// in the shape is then one that no known dimension has, `kUnknownExtent`, and
// the form computed for this size holds for every size, provided that
//
//   - each piece holds on all of the dimension: its range is complete and no
//     constraint mentions it;
//   - an index into a source is the dimension alone, `d2`, or does not mention
//     it: nothing divides it, shifts it or adds to it;
//   - its length is known: a piece reads a source's dimension along it, or the
//     form names one (CanonicalAccess::Extent).
//
// Why that suffices: an index without it is a function of the other dimensions,
// the same whatever the size; an index that is the dimension reads a dimension
// of the source of the same size, all of it, in order. So a form that is right
// for one size greater than every static index is right for all, even for 0,
// where nothing is read. `carriesUnknown` checks that condition, for every form
// that is built; an array that fails it becomes a new source.
//
// The stand-in is a prime, so that no product of other sizes contains it.
// Arrays that have a static size divisible by it have no form.
//===----------------------------------------------------------------------===//

/// The size that stands for a size known at run time.
constexpr int64_t kUnknownExtent = 1000003;

inline bool isUnknownExtent(int64_t size) { return size == kUnknownExtent; }
bool hasUnknownExtent(llvm::ArrayRef<int64_t> shape);

/// A shape with the stand-in for its dynamic sizes. std::nullopt if a static
/// size is divisible by the stand-in.
std::optional<llvm::SmallVector<int64_t>>
toFormShape(llvm::ArrayRef<int64_t> shape);
/// The reverse.
llvm::SmallVector<int64_t> fromFormShape(llvm::ArrayRef<int64_t> shape);

/// True if the form holds whatever the unknown sizes are; see above. True for
/// forms without such dimensions.
bool carriesUnknown(const CanonicalAccess &access);

/// True if a reshape between the two shapes leaves every unknown dimension
/// alone: both have equally many unknown sizes, and equally many elements
/// between one and the next, before the first and after the last. False if
/// there is a size of 0 as well as an unknown one.
bool reshapeKeepsUnknown(llvm::ArrayRef<int64_t> from,
                         llvm::ArrayRef<int64_t> to);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ACCESS_H
