//===- CanonicalAccess.h - The canonical form of a view ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an array of a known shape holds, said once and for all: for every index
// either an element of one of several *sources* or a constant. It is an access
// map (AccessMap.h) over the box of the shape, brought into one form:
//
//   shape    [5, 7]
//   pieces   source 0: (d0, d1) -> (d0 - 1, d1 - 1),
//                      domain: d0 in [1, 3], d1 in [1, 5]
//   else     constant 0                     (the *background*)
//
// is a 3x5 array with a frame of padding. However an array is moved about, its
// form stays as short as what it means:
//
//   1. Each piece is an indexing map without symbols, simplified, with at least
//      one point as far as `isEmpty` can tell. Pieces are disjoint.
//   2. Pieces that read one source are one piece where that can be written as
//      one map: slices of a tensor that are put together again are the tensor.
//      They are compared by the row-major number of the element they read,
//      which is one form whatever the source's shape is.
//   3. Where no piece holds is the background, one constant. It is absent where
//      the pieces cover the box (by counting, since they are disjoint). Of
//      several constants the one with the least number is the background.
//   4. Pieces are sorted by domain, hence in an order that does not depend on
//      how the array was made. A dimension of size 1 is 0, not a variable.
//   5. An array without elements has neither pieces nor background.
//   6. A dimension of unknown size (UnknownExtent.h) is as long as a dimension
//      of some source. Where no piece reads along it (a scalar that is
//      repeated, an array without elements) the form says which one, its
//      *extent*; otherwise the pieces do. So equal forms have equal shapes,
//      whatever the unknown sizes are.
//
// Two forms are compared by structure, then by proof (`compare`); `fingerprint`
// depends on the meaning alone, so that it finds candidates in a table.
//
// Sources and constants are numbers of the client's tables; equal numbers are
// taken to be equal things, different numbers different things. Every index
// lies inside of its source: a movement that could leave it is none of these
// functions, and padding is a constant piece.
//
// A form that would exceed its budget is not made: functions return none, and
// the client makes the array a source of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_CANONICALACCESS_H
#define TENSORACCESS_CORE_CANONICALACCESS_H

#include "TensorAccess/Core/AccessMap.h"
#include "TensorAccess/Core/Equivalence.h"

#include <string>
#include <vector>

namespace mlir::tensoraccess {

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
/// the sum of strides[i]·x[i] is the row-major number of what is at index x. A
/// matrix in memory is two strides.
struct StridedMap {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;

  /// Of a map to the index of an array of `shape`, as a view's piece has it.
  /// None where a number takes a division to say. A dimension of size 1 has
  /// stride 0.
  static std::optional<StridedMap> get(const IndexingMap &map,
                                       llvm::ArrayRef<int64_t> shape);
};

class CanonicalAccess {
public:
  /// An array without dimensions that holds constant 0.
  CanonicalAccess() = default;
  /// All of source `number`, as it is. Sizes are static.
  static CanonicalAccess identity(llvm::ArrayRef<int64_t> shape,
                                  unsigned number);
  /// Constant `number` everywhere.
  static CanonicalAccess constant(llvm::ArrayRef<int64_t> shape,
                                  unsigned number);

  //===--- looking --------------------------------------------------------===//

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  unsigned getRank() const { return shape.size(); }
  /// True where some dimension has size 0.
  bool isEmpty() const;
  /// Disjoint; sources are operands or constants.
  llvm::ArrayRef<AccessPiece> getPieces() const { return pieces; }
  /// The constant where no piece holds; none if there is no such place.
  std::optional<unsigned> getBackground() const { return background; }
  /// The dimension of a source that an unknown dimension is as long as.
  struct Extent {
    unsigned dim, source, sourceDim;
    bool operator==(const Extent &o) const {
      return dim == o.dim && source == o.source && sourceDim == o.sourceDim;
    }
  };
  /// Of the unknown dimensions that no piece reads along, ascending.
  llvm::ArrayRef<Extent> getExtents() const { return extents; }
  /// Of any dimension; none if its size is known, or comes from nowhere.
  std::optional<Extent> findExtent(unsigned dim) const;
  /// Numbers of the sources that are read, ascending.
  llvm::SmallVector<unsigned> getSources() const;
  /// The shape of a source that is read.
  llvm::ArrayRef<int64_t> getSourceShape(unsigned number) const;

  /// The source that this is all of, unmoved; none if it is something else.
  std::optional<unsigned> asIdentity() const;
  /// The constant that is everywhere; none if there is an operand piece or two
  /// constants.
  std::optional<unsigned> asConstant() const;
  /// The one operand piece, if it holds everywhere.
  const AccessPiece *asSinglePiece() const;
  /// The walk through the one source that is read everywhere, if it is one by
  /// constant strides.
  std::optional<StridedMap> asStrided() const;

  /// What is at an index of the box. `piece` is the number of pieces for the
  /// background. None outside of the box.
  std::optional<AccessResult> evaluate(llvm::ArrayRef<int64_t> index) const;

  /// The same as disjoint pieces only, the background cut into domains. None
  /// beyond the budget.
  std::optional<AccessMap> getAccessMap(const AccessBudget &budget = {}) const;

  //===--- making others --------------------------------------------------===//

  /// One case of a choice: at the indices in `movement`'s domain the array is
  /// `access` at the movement's results. Movements have no symbols or runtime
  /// variables, and their results lie in the shape of `access`.
  struct Case {
    const CanonicalAccess *access;
    IndexingMap movement;
  };
  /// The array of `shape` that is a case where one holds (domains are disjoint)
  /// and `otherwise` elsewhere; without it the cases cover the box. None beyond
  /// the budget.
  static std::optional<CanonicalAccess>
  select(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Case> cases,
         std::optional<unsigned> otherwise, const AccessBudget &budget = {});
  /// result[x] = this[movement(x)] for all x in the box of `shape`.
  std::optional<CanonicalAccess> pullBack(llvm::ArrayRef<int64_t> shape,
                                          const IndexingMap &movement,
                                          const AccessBudget &budget = {}) const;
  /// The same with other numbers: sources[i], constants[i] is the new number of
  /// what was i; the new numbers are pairwise different.
  CanonicalAccess renumber(
      llvm::function_ref<unsigned(unsigned)> source,
      llvm::function_ref<unsigned(unsigned)> constant) const;

  //===--- comparing ------------------------------------------------------===//

  /// The same form. Equal forms mean the same.
  bool operator==(const CanonicalAccess &o) const;
  bool operator!=(const CanonicalAccess &o) const { return !(*this == o); }
  /// Of the form.
  uint64_t hash() const;
  /// Of the meaning: equal wherever two forms mean the same.
  uint64_t fingerprint() const;
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
  /// Those read, by number.
  std::vector<Source> sources;
  llvm::SmallVector<Extent, 0> extents;
};

inline llvm::hash_code hash_value(const CanonicalAccess &access) {
  return access.hash();
}

/// The domain of `map` without the domains of `pieces`, as disjoint maps with
/// the results of `map`. None if they are more than `budget.maxPieces`.
std::optional<llvm::SmallVector<IndexingMap>>
subtractDomains(const IndexingMap &map, llvm::ArrayRef<AccessPiece> pieces,
                const AccessBudget &budget = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_CANONICALACCESS_H
