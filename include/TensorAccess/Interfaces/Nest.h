//===- Nest.h - An op as loops over what it reads and writes ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op as its loops, for all clients that need them: *axes*, and the index
// over them at which each operand is read and each result written.
//
//   stablehlo.convolution, strides 2, padding 1, NHWC
//     axes    n, x, y, f | r, s, c               extents are forms over sizes
//     reads   operand 0 at (n, 2x + r - 1, 2y + s - 1, c)
//                 where 2x + r - 1 in [0, h - 1], 2y + s - 1 in [0, w - 1]
//             operand 1 at (r, s, c, f)
//     writes  result 0 at (n, x, y, f)
//     body    Contract
//
// An op on buffers has no results: the operands that it writes, its
// *destinations*, take their places, and its nest is that of the op on tensors.
//
// Indexing maps (IndexingOpInterface.h) are its projection onto one result and
// one operand: axes that a pair does not mention are left out, those that a
// result's index does not determine become range symbols, in the order of axes.
//
// Sizes that are not known are parameters (OpSizes.h), values that an operand
// holds are runtime variables with a source. Models build a nest in three
// steps: equations between sizes, then axes and values, then forms.
//
//   SizedOp op(signature);                         // tosa.matmul
//   op.equate(op.in[0][2], op.in[1][1]);
//   Nest nest = op.makeNest({n, h, w, c});
//   auto [N, H, W, C] = ...nest.getAxes();
//   nest.write(0, {N, H, W});
//   nest.read(0, {N, H, C});
//   nest.read(1, {N, C, W});
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_NEST_H
#define TENSORACCESS_INTERFACES_NEST_H

#include "TensorAccess/Interfaces/OpSizes.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::tensoraccess {

/// What happens at a point of the axes.
enum class NestBody : uint8_t {
  Opaque,   ///< unknown: only the maps are known
  Move,     ///< the one element that is read is written
  Map,      ///< a function of the elements that are read, one point at a time
  Reduce,   ///< elements are combined along the reductions, in their order
  Contract, ///< products of the elements are summed along the reductions
};

/// A loop.
struct NestAxis {
  /// Over the op's sizes.
  Form extent;
  /// No result's index mentions it.
  bool isReduction = false;
};

/// A condition: `form` in `interval`, or in [0, size - 1]. The form is over
/// the nest's variables, the size over the op's sizes.
struct NestGuard {
  Form form;
  Interval interval = Interval::all();
  std::optional<Form> size;
};

/// The element of an operand that holds a number, at an index over the axes.
struct NestSource {
  unsigned operand = 0;
  SmallVector<Form, 2> index;
  /// The number is clamped to it.
  Interval clamp = Interval::all();
};

/// A number that an operand holds, the same at every point unless its source
/// has axes.
struct NestValue {
  Interval range;
  /// Where it is read; std::nullopt if no operand holds it.
  std::optional<NestSource> source;
  /// What else bounds it.
  std::vector<NestGuard> guards;
};

/// An index that is place floordiv step, touched where place mod step is 0:
/// what is between elements. The form of the index need no longer show it.
struct NestSpread {
  unsigned dim = 0;
  Form place;
  int64_t step = 1;
};

/// An operand or result, and the index at which it is touched.
struct NestAccess {
  unsigned value = 0;
  SmallVector<Form, 4> index;
  /// It is touched where all of them hold, those of `spreads` included.
  std::vector<NestGuard> guards;
  std::vector<NestSpread> spreads;
  /// If not None, why the place is unknown.
  IndexingReason reason = IndexingReason::None;

  void require(Form form, Interval interval) {
    guards.push_back({std::move(form), interval, std::nullopt});
  }
  /// The index of dimension `dim` for a place of which each `step`-th has an
  /// element.
  Form spread(FormArena &arena, unsigned dim, Form place, int64_t step);
  /// `form` is in [0, size - 1], a size of the op.
  void keepInside(Form form, Form size) {
    guards.push_back({std::move(form), Interval::all(), std::move(size)});
  }
};

struct NestRead : NestAccess {
  /// If false, the operand is there, and gives the length of axes, but no
  /// result depends on its elements.
  bool isRead = true;
  /// The position of the only write that it is read for; all writes if absent.
  std::optional<unsigned> write;
  /// If there are any: it is touched where they do not all hold. A padding
  /// value, or what an inserted slice leaves.
  std::vector<NestGuard> outside;
  /// It is read only if all axes have an index, mentioned or not.
  bool needsAllAxes = false;
  /// In a collective: the position of the replica whose operand is read.
  std::optional<Form> replica;
  /// What the position refers to.
  Attribute groups;
};

/// The sizes of an op, and those of each of its operands and results; empty
/// where unknown.
struct NestSizes {
  OpSizes all;
  std::vector<SizeList> operands, results;
  /// On buffers: the operands that are written, which stand for results.
  SmallVector<unsigned, 1> destinations = {};
};

/// An op as loops. A value type.
class Nest {
public:
  /// No nest: the op has none, or none that is known.
  Nest() = default;
  /// Maps that do not come from loops.
  /*implicit*/ Nest(OpIndexing indexing) : maps(std::move(indexing)) {}
  /// Loops of these extents, forms over the op's sizes, for which no equations
  /// may follow.
  Nest(std::shared_ptr<NestSizes> sizes, ArrayRef<Form> extents);
  Nest(OpSizes sizes, std::vector<SizeList> operands,
       std::vector<SizeList> results, ArrayRef<Form> extents)
      : Nest(std::make_shared<NestSizes>(NestSizes{
                 std::move(sizes), std::move(operands), std::move(results)}),
             extents) {}

  /// Whether there are loops.
  bool hasLoops() const { return sizes != nullptr; }
  bool isNull() const { return !sizes && !maps; }

  //===--- construction ---------------------------------------------------===//

  /// The axes as forms; one axis.
  ArrayRef<Form> getAxes() const { return axisForms; }
  const Form &operator[](unsigned axis) const { return axisForms[axis]; }
  FormArena &arena() { return forms; }
  /// A size of the op as a form over the nest's variables; its last index.
  Form size(FormRef size) const { return sizes->all.name(size, axes.size()); }
  Form last(FormRef size) const;
  /// Adds a runtime variable, before any form that divides, multiplies or takes
  /// a minimum.
  Form addValue(Interval range, std::optional<NestSource> source = {});
  /// The same in [0, size - 1].
  Form addIndex(FormRef size, std::optional<NestSource> source = {});
  /// The first of `part` consecutive elements among `whole`.
  Form addStart(FormRef whole, FormRef part, NestSource source);

  NestAccess &write(unsigned result, ArrayRef<Form> index);
  NestRead &read(unsigned operand, ArrayRef<Form> index);
  /// Reads an operand where `guards` do not all hold; nowhere if there are
  /// none.
  void readOutside(unsigned operand, ArrayRef<Form> index,
                   ArrayRef<NestGuard> guards);
  /// Reads the one element of each of operands [first, last), at every point.
  void readSingle(unsigned first, unsigned last);
  /// Marks how an operand is read as unknown.
  void readUnknown(unsigned operand, IndexingReason reason);
  /// Gives the pair of a result and an operand these maps, which hold more than
  /// the projection of the loops, or the same in shorter form.
  void setMaps(unsigned result, unsigned operand, const DetailedMap &toInput,
               const DetailedMap &toOutput);
  /// Reads an operand at `toInput`, which has no symbols and is over the first
  /// axes, those of result 0; `toOutput` is the reverse map.
  void readMaps(unsigned operand, const IndexingMap &toInput,
                const IndexingMap &toOutput);
  /// Gives result 0 and operand 0 the maps of other loops of the op, which are
  /// shorter, if those are known.
  void setMapsFrom(const Nest &other);
  /// The same for all pairs.
  void setIndexing(OpIndexing indexing) { maps = std::move(indexing); }
  /// Marks the axes that no result's index mentions. Call once, at the end.
  void markReductions();

  NestBody body = NestBody::Opaque;
  /// What is written where nothing is read, if it is no operand.
  Attribute fill;
  /// StableHLO's name of the function of which a Map or Reduce body consists, and
  /// by which the first reduction of a Contract body combines, where neither the
  /// op's name nor its region tells; or empty.
  StringRef function;
  std::vector<NestAxis> axes;
  std::vector<NestRead> reads;
  std::vector<NestAccess> writes;
  std::vector<NestValue> values;

  //===--- queries --------------------------------------------------------===//

  const OpSizes &getSizes() const { return sizes->all; }
  ArrayRef<SizeList> getOperands() const { return sizes->operands; }
  /// The sizes of results or, on buffers, of destinations; writes are numbered
  /// like them.
  ArrayRef<SizeList> getResults() const { return sizes->results; }
  ArrayRef<unsigned> getDestinations() const { return sizes->destinations; }
  /// The variables of forms: the axes, the size parameters, the values.
  const FormArena &getForms() const { return forms; }
  /// The first read of an operand, or null.
  const NestRead *findRead(unsigned operand) const;
  /// The number of points of the reductions, for one point of the other axes;
  /// std::nullopt if unknown.
  std::optional<int64_t> countReductions() const;
  /// The extent of an axis, if it is a number.
  std::optional<int64_t> getExtent(unsigned axis) const {
    return sizes->all.getStatic(axes[axis].extent);
  }
  /// The extents of all axes; std::nullopt if one is not a number.
  std::optional<SmallVector<int64_t>> getExtents() const;
  bool hasReductions() const {
    return llvm::any_of(axes, [](const NestAxis &a) { return a.isReduction; });
  }
  /// Whether an index moves along an axis.
  bool moves(FormRef index, unsigned axis) const;
  bool moves(const NestAccess &access, unsigned axis) const {
    return llvm::any_of(access.index,
                        [&](const Form &form) { return moves(form, axis); });
  }
  /// How far an index moves along each axis, then its constant; std::nullopt if
  /// it is not linear in axes.
  std::optional<SmallVector<int64_t>> getSteps(FormRef index) const;
  /// The axis that an index equals, if it is one.
  std::optional<unsigned> getPlainAxis(const Form &index) const {
    std::optional<AtomId> atom = index.asAtom();
    return atom && *atom < axes.size() ? atom : std::nullopt;
  }
  /// The projection: two sets of maps for each pair of a result and an operand.
  /// An op on buffers has no results.
  OpIndexing getIndexing() const {
    return maps                        ? *maps
           : getDestinations().empty() ? project(given)
                                       : OpIndexing(0, getOperands().size());
  }
  /// The same for the loops alone, without maps that were given; for an op on
  /// buffers, with its destinations.
  OpIndexing project() const { return project({}); }
  /// Whether no maps were given besides the loops.
  bool isProjection() const { return sizes && !maps && given.empty(); }
  /// From the axes to the index, where the guards hold. Runtime variables are
  /// the size parameters n0, n1, ..., then the values. Not simplified.
  IndexingMap getMap(const NestAccess &access) const;
  /// The axis that each index equals, if each is a different one.
  std::optional<SmallVector<unsigned, 4>>
  getPlainAxes(const NestAccess &access) const;
  /// Whether the indices are just the axes, all of them, in any order.
  bool isPermutation(const NestAccess &access) const {
    auto list = getPlainAxes(access);
    return list && list->size() == axes.size();
  }

  /// The same loops, in which nothing is read but `value`, a value of these
  /// sizes that is not an operand: where `outside` do not all hold, at an index
  /// that is yet to be set. It may depend on `more` values, over the same
  /// variables.
  Nest withCaptured(SizeList value, ArrayRef<NestValue> more,
                    ArrayRef<NestGuard> outside) const;

private:
  struct GivenMaps {
    unsigned result, operand;
    DetailedMap toInput, toOutput;
  };

  OpIndexing project(ArrayRef<GivenMaps> instead) const;
  /// Whether the loops depend on a size that is not a number.
  bool mentionsSizes() const;
  /// Adds the maps between a result and an operand.
  void relate(const NestAccess &write, const NestRead &read,
              OpIndexing &indexing) const;
  /// The same for the points where `border` of `read.outside` is below (above)
  /// what it allows, and those before it hold. Adds nothing if no point is
  /// left.
  void relateAt(const NestAccess &write, const NestRead &read,
                std::optional<unsigned> border, bool above,
                OpIndexing &indexing) const;

  std::shared_ptr<const NestSizes> sizes;
  /// Variables are the axes, the size parameters, the values.
  FormArena forms;
  std::vector<Form> axisForms;
  std::vector<GivenMaps> given;
  std::optional<OpIndexing> maps;
};

/// The sizes of all operands and results of an op, and the nests that many ops
/// have.
struct SizedOp {
  /// On buffers, `destinations` are the operands that stand for results.
  explicit SizedOp(const OpSignature &signature, OpSizes::TypeSizes others = {},
                   ArrayRef<unsigned> destinations = {});
  SizedOp(const SizedOp &) = delete;

  OpIndexing unknown() const { return signature.unknown(reason); }
  /// States that two sizes are equal; false if they are different numbers.
  bool equate(FormRef a, FormRef b);
  bool equateAll(ArrayRef<Form> a, ArrayRef<Form> b);

  /// Loops of these extents. No equations may follow.
  Nest makeNest(ArrayRef<Form> extents) const { return Nest(shared, extents); }
  /// Loops over the indices of result 0, which is written there.
  Nest makeResultNest(NestBody body) const;
  /// Dimension i of each result is dimension dims[i] of each of the first
  /// `count` operands, which have one shape, or a unit where that is -1;
  /// everything along the operands' other dimensions is combined. This and the
  /// functions below return std::nullopt for sizes that do not fit.
  std::optional<Nest> makeProjection(ArrayRef<int64_t> dims,
                                     unsigned count = 1);
  /// Dimension i of the result is dimension permutation[i] of the operand.
  std::optional<Nest> makeTranspose(ArrayRef<int64_t> permutation);
  /// The operands one after the other along a dimension of the result.
  std::optional<Nest> makeConcat(int64_t dim);

  const OpSignature &signature;
  std::shared_ptr<NestSizes> shared;
  OpSizes &sizes;
  std::vector<SizeList> &in, &out;
  /// False if some list of sizes is unknown, or there is no result: the answer
  /// is `unknown()`.
  bool isValid;
  IndexingReason reason = IndexingReason::UnsupportedForm;
};

/// The nest of an op that combines equal indices of all operands; operands of
/// rank 0 are read for every element. Sizes may be dynamic.
Nest inferElementwise(SizedOp &op);
inline Nest inferElementwise(const OpSignature &signature) {
  SizedOp op(signature);
  return inferElementwise(op);
}

/// The nest of an op with one result that keeps the row-major number of every
/// element of its first operand. Groups of dimensions come from the attribute
/// `reassociation`, if there is one. Sizes may be dynamic: one on each side of
/// a group that has more than one dimension on both sides.
Nest inferReshape(const OpSignature &signature);

/// A finished nest, for `inferNest`.
inline NestRef share(Nest &&nest) {
  nest.markReductions();
  return std::make_shared<const Nest>(std::move(nest));
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERFACES_NEST_H
