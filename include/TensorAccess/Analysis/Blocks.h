//===- Blocks.h - Blocks of programs ----------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_BLOCKS_H
#define TENSORACCESS_ANALYSIS_BLOCKS_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Core/Tile.h"
#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/Models/Indexing.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace mlir {
class Operation;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// How much arithmetic a function does
//===----------------------------------------------------------------------===//

/// The arithmetic of a function: additions, multiplications and the like, each
/// counted once; comparisons, selections, conversions and movement are free.
struct Work {
  /// Operations in all.
  int64_t operations = 0;
  /// Roundings that can follow one another on the way to one element of the
  /// result: an upper bound, the sum over all ops of operations in the body ×
  /// points of the reduction. A sum of n products has 2n. The roundings of f32
  /// in a sum of narrower floats count as the part of one that they are.
  int64_t depth = 0;
};

/// Counts a function; std::nullopt where a shape is dynamic, where control flow
/// or calls are met, where an op is unknown, or where the count overflows.
std::optional<Work> countWork(func::FuncOp function);

/// Counts one op; std::nullopt as above.
std::optional<Work> countOpWork(Operation *op);

/// How far results may lie apart, relative to the largest magnitude among the
/// finite elements of a result.
struct Tolerance {
  double relative = 0;
  /// Where the number comes from, for the report.
  std::string reason;
};

/// The bound for sums taken in another order: 2·d·u, where d is the number of
/// roundings that can follow one another (Work::depth, the greater of the two
/// programs') and u is half the distance of 1 to the next number of the type;
/// 2·1024·u where d is unknown; 0 for integers and where d is 0. Rounding d
/// times changes a sum by at most d·u times the sum of its terms' magnitudes
/// (to first order), for which the largest result stands here.
Tolerance defaultTolerance(ElementType type, std::optional<int64_t> depth);

//===----------------------------------------------------------------------===//
// What a block of an op touches
//
// An op has an *index space*: its loops if it is a structured op, else the
// indices of its result and, for known contractions and reductions, what is
// summed over. Each operand and result is seen from there through projections,
// so that a block of the space, a box, touches something of each:
//
//   linalg.conv_2d_nhwc_hwcf, strides 2     axes n, h, w, f, kh, kw, c
//   block [0, 1) x [0, 8) x [0, 8) x [0, 16) x [0, 3) x [0, 3) x [0, 32)
//     operand 0   (n, 2h + kh, 2w + kw, c)  [0, 1) x [0, 17) x [0, 17) x [0,
//     32) operand 1   (kh, kw, c, f)            [0, 3) x [0, 3) x [0, 32) x [0,
//     16) result 0    (n, h, w, f)              [0, 1) x [0, 8) x [0, 8) x [0,
//     16)
//
// A space is made once for an op, and then asked about blocks: what a block
// touches (with the waste of holding it as its hull, or strided beforehand),
// what one more index along an axis adds, and what neighbours share.
//
// What no projection says (reshapes, paddings at a border, indices from data)
// is asked of the indexing map itself: more slowly, and just as exactly.
// Everything is exact or says that it is not. An element takes whole bytes: one
// of i1 or i4 takes one.
//
// Seed 003: coherent blocks, sparse blocks, incremental sharing.
//===----------------------------------------------------------------------===//

/// An axis of an index space.
struct BlockAxis {
  /// `d0`, or `s0` for what a result's index does not tell.
  std::string name;
  /// None for a dynamic one.
  std::optional<int64_t> extent;
  bool isReduction = false;
};

/// A condition under which a point of the space touches anything:
/// Σ factors·point + constant lies in `interval`. Factors are of the columns of
/// the projection without regions: axes, then symbols.
struct BlockCondition {
  llvm::SmallVector<int64_t, 8> factors;
  int64_t constant = 0;
  Interval interval;
  /// The row of the tensor that is restricted by this, to these places: what
  /// is outside of an operand under a window that is padded.
  std::optional<unsigned> row;
  Interval places;
};

/// One way from the index space to a tensor.
struct BlockMap {
  /// Dims are the axes; simplified. Symbols run at each point.
  IndexingMap map;
  /// Where it is affine: columns are the axes, if symbols are a region, else
  /// the axes and the symbols. What conditions say is not in it.
  std::optional<Projection> projection;
  /// Why there is no projection; empty if there is one.
  std::string reason;
  /// Of the axes, and of the symbols that are columns: the points where the map
  /// is defined, conditions apart.
  Box domain;
  llvm::SmallVector<BlockCondition, 2> conditions;
  /// Ranges of the symbols.
  llvm::SmallVector<Interval, 4> symbols;
};

/// An operand, a result, or a value that a region reads, seen from the space.
struct BlockValue {
  enum class Role : uint8_t { Operand, Result, Captured };
  Role role = Role::Operand;
  /// Of the operand or result; for Captured, a running number.
  unsigned number = 0;
  Value value;
  llvm::SmallVector<int64_t, 4> shape;
  /// None for elements without a fixed size.
  std::optional<uint64_t> elementBytes;
  /// All are touched. None: nothing is (the destination of a fill).
  llvm::SmallVector<BlockMap, 1> maps;
  /// Not None: nobody can tell what is touched.
  IndexingReason reason = IndexingReason::None;
  /// The maps only cover what is touched if a reduction is cut.
  bool needsWholeReductions = false;
  /// An earlier operand is the same value, read in the same way: its bytes are
  /// there already.
  bool isRepeated = false;

  bool isRead() const {
    return reason != IndexingReason::None || !maps.empty();
  }
  /// The only map's, if it touches by one projection.
  const Projection *getProjection() const;
};

/// `operand`, `result`, `captured`.
llvm::StringRef describe(BlockValue::Role role);

/// What an op's blocks are, and how they touch; made once.
struct BlockSpace {
  /// The op, or the function.
  Operation *op = nullptr;
  /// The result whose index the first axes are, where the space is not loops.
  std::optional<unsigned> result;
  llvm::SmallVector<BlockAxis, 6> axes;
  /// Tensors only: operands, captured values, results.
  llvm::SmallVector<BlockValue, 4> values;
  /// Arithmetic at a point; none where that is not known.
  std::optional<uint64_t> operationsPerPoint;

  /// The whole space; none if an extent is dynamic.
  std::optional<Box> getWhole() const;
  /// None if `block` is a box in the space, else what is wrong.
  std::optional<std::string> verify(const Box &block) const;
  /// The block that computes a box of result `number`: reductions are whole,
  /// and so are axes that the result does not have. None and `error` for a box
  /// outside of the result, and where the result's dimensions are no axes.
  std::optional<Box> getBlockOfResult(unsigned number, const Box &box,
                                      std::string &error) const;
  /// A block of at most `extent` indices along each axis, from the middle of
  /// the space; reductions are whole. None and `error` for dynamic extents.
  std::optional<Box> getMiddleBlock(int64_t extent, std::string &error) const;
};

/// The index space of an op with `result` (for ops without loops: the space of
/// that result, and of all of them if they have one shape). None and `error`
/// for an op without tensor results, or of unknown rank.
std::optional<BlockSpace> getBlockSpace(Operation *op, IndexingCache &cache,
                                        std::string &error,
                                        unsigned result = 0);

/// A whole function as one op: the space of one of its results, its arguments
/// as operands, composed through all ops between.
std::optional<BlockSpace> getBlockSpace(FunctionOpInterface function,
                                        IndexingCache &cache,
                                        std::string &error,
                                        unsigned result = 0);

/// Steps of a search where no closed form is known.
inline constexpr uint64_t kDefaultBlockBudget = 1u << 18;

/// What a block touches.
struct BlockFootprints {
  /// By number in `BlockSpace::values`. A lattice that is not known is the
  /// hull's. Unknown for values that nobody knows.
  llvm::SmallVector<ProjectionFootprint, 4> values;
  /// Points of the block; none if 64 bits don't hold them. The same for bytes,
  /// and where a count is not known.
  std::optional<uint64_t> points, operations, bytesIn, bytesOut;
};

/// What `block` touches of one value of the space. Requires that `block` fits.
ProjectionFootprint getFootprint(const BlockSpace &space,
                                 const BlockValue &value, const Box &block,
                                 uint64_t budget = kDefaultBlockBudget);

/// a·b; none where one of them is unknown or 64 bits do not hold it.
std::optional<uint64_t> multiplyCounts(std::optional<uint64_t> a,
                                       std::optional<uint64_t> b);

/// What `block` touches of all values. Requires that `block` fits.
BlockFootprints getBlockFootprints(const BlockSpace &space, const Box &block,
                                   uint64_t budget = kDefaultBlockBudget);

/// A block that is larger by one index along an axis, and its neighbours: the
/// blocks of its extent before and after it, cut off at the space.
struct BlockGrowth {
  unsigned axis = 0;
  /// Whether there is a next index, and so a neighbour there; and one before.
  bool hasNext = false, hasPrevious = false;
  /// By number in `BlockSpace::values`: elements that are touched besides, and
  /// that a neighbour touches, too. None where that is not known, and where
  /// there is no neighbour.
  struct OfValue {
    std::optional<uint64_t> added, sharedNext, sharedPrevious;
  };
  llvm::SmallVector<OfValue, 4> values;
  /// What one more index adds. None as in BlockFootprints, or without
  /// `hasNext`.
  std::optional<uint64_t> points, operations, bytesIn, bytesOut;
  /// Bytes of operands that a neighbour reads, too.
  std::optional<uint64_t> sharedNext, sharedPrevious;
};

/// Requires that `block` fits, what it touches, and an axis of the space.
BlockGrowth getBlockGrowth(const BlockSpace &space, const Box &block,
                           const BlockFootprints &footprints, unsigned axis,
                           uint64_t budget = kDefaultBlockBudget);

//===----------------------------------------------------------------------===//
// Ops as iterations that touch boxes
//
// An op on tensors of static shape, as a plan of shards sees it: a box of
// iterations, and for each operand and result which box of it a block of them
// touches, dimension by dimension.
//
//   linalg.conv_2d_nhwc_hwcf, strides 2     iterations (n, h, w, f, kh, kw, c)
//     image   (n, 2h + kh, 2w + kw, c)
//     filter  (kh, kw, c, f)
//     result  (n, h, w, f)                  kh, kw and c are summed over
//
// Understood are structured ops of linalg, by their loops, and of the ops on
// tensors those that compute element by element or move elements, by their
// indexing. Of any other op everything is needed, and everyone has all of the
// result.
//===----------------------------------------------------------------------===//

/// Which indices of one dimension of a tensor a block of iterations touches:
/// an interval around the values of a form.
struct AccessRow {
  /// Of iteration dimensions; null: all indices, whatever the block.
  AffineExpr expr;
  /// The dimensions in `expr`, and their factors where it is a sum.
  SmallVector<std::pair<unsigned, int64_t>, 2> terms;
  /// Whether `expr` is the sum of `terms` and `offset`.
  bool isSum = false;
  /// Whether the terms are the digits of a merged dimension, outermost first.
  bool isMerged = false;
  int64_t offset = 0;

  AccessRow() = default;
  /// The row of a form of `numDims` iteration dimensions; all indices for null
  /// and for a form with symbols.
  AccessRow(AffineExpr expr, unsigned numDims);

  /// The iteration dimension that this one is, if it is one.
  std::optional<unsigned> getDim() const;
  bool operator==(const AccessRow &o) const { return expr == o.expr; }
};

/// How an op touches an operand or a result.
struct BlockAccess {
  SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
  /// One per dimension.
  SmallVector<AccessRow, 4> rows;
  /// A block in which one of these forms is nowhere in its interval touches
  /// nothing: the place of a slice along a dimension that the slice lacks.
  SmallVector<std::pair<AccessRow, Interval>, 1> guards;

  /// The iteration dimension that each dimension is, if each is another one as
  /// it is: what results must be to be cut.
  std::optional<SmallVector<unsigned, 4>> getDims() const;
};

/// Whether an op costs anything, and what.
enum class BlockOpKind : uint8_t {
  Compute,  ///< arithmetic
  Movement, ///< copies, reshapes, pads, broadcasts
  Free,     ///< has no tensor operands: constants, empty tensors, fills
  Opaque    ///< not understood: whole on every rank
};

struct BlockOp {
  Operation *op = nullptr;
  BlockOpKind kind = BlockOpKind::Opaque;
  /// Why it is Opaque: `its offsets are known at run time only`.
  std::string reason;
  /// Of the iterations; none for Opaque.
  SmallVector<int64_t, 6> extents;
  SmallVector<bool, 6> isReduction;
  /// Whether parts of a reduction can be reduced on: each result by one
  /// operation that is associative and commutative (on floats: but for
  /// rounding).
  bool canSplit = false;
  /// By operand number; none for scalars, and for a destination that is not
  /// read.
  SmallVector<std::optional<BlockAccess>, 4> operands;
  SmallVector<std::optional<BlockAccess>, 1> results;
  /// Tensors from outside that its regions read: every rank needs all of them.
  SmallVector<std::pair<Value, BlockAccess>, 1> captured;
  /// The first operand that results start from, one each.
  std::optional<unsigned> firstInit;

  /// The result that starts from an operand.
  std::optional<unsigned> getResultOf(unsigned operand) const {
    if (!firstInit || operand < *firstInit)
      return std::nullopt;
    return operand - *firstInit;
  }
};

/// The op as iterations. A tensor of dynamic shape, or of elements without a
/// size, is an error at the op; a result that is not along loops makes it
/// Opaque.
FailureOr<BlockOp> getBlockOp(Operation *op);

/// The same without these checks: Opaque for tensors of dynamic shape.
BlockOp readBlockOp(Operation *op);

/// The op that reduces along the loops of kind reduction into this result,
/// which is associative and commutative and has a neutral element; null and
/// `reason` where there is none.
Operation *findCombiner(OpResult result, std::string &reason);

/// The box that a box of iterations touches; empty for no iterations (of a
/// tensor without dimensions, its element).
Box getTouched(const BlockAccess &access, ArrayRef<int64_t> extents,
               const Box &iterations);

/// The boxes that blocks of iterations touch, for all ranks; hulls, cut off at
/// the tensor. A rank without iterations touches nothing (of a tensor without
/// dimensions, its element).
FactoredBoxes getTouched(const Grid &grid, const BlockAccess &access,
                         ArrayRef<int64_t> extents,
                         const FactoredBoxes &iterations);

/// Whether a reshape of each rank's block is a box: digits are whole below the
/// first that is not a single one. True for ops that don't reshape.
bool isBoxOnBothSides(const BlockOp &op, const Grid &grid,
                      const FactoredBoxes &iterations);

/// The hull of two boxes for each rank, dimension by dimension; empty intervals
/// don't count.
FactoredBoxes getHull(const Grid &grid, const FactoredBoxes &a,
                      const FactoredBoxes &b);

/// The same boxes, each dimension on the fewest axes, these ascending, and empty
/// intervals as [0, 0): the one form of what is the same for each rank.
FactoredBoxes getCanonical(const Grid &grid, const FactoredBoxes &boxes);

/// The longest interval in each dimension.
SmallVector<int64_t, 6> getLongest(const FactoredBoxes &boxes);

//===----------------------------------------------------------------------===//
// What a block of an op costs
//
// An op, a block of its iterations, and the costs of a machine (Cost.h).
// What counts is, in this order:
//
//   1. rates written on the op: `tensoraccess.cost = "point = 1.0e-10"`; what
//      is not said there is as in 3;
//   2. a function that was registered for the op's name, if it answers;
//   3. the rates of its name in its family, its name, its family, all ops.
//
// A cost of one's own takes ten lines:
//
//   registerOpCost("my.attention", "flash attention",
//                  [](Operation *op, const BlockWork &work,
//                     const CostModel &model, std::string &error)
//                      -> std::optional<BlockCost> {
//                    BlockCost cost;
//                    cost.seconds = 2.0e-11 * work.extents[0] *
//                                   work.extents[1] * work.extents[1];
//                    return cost;
//                  });
//
// A cost that is no number of at least 0 is an error at the op.
//===----------------------------------------------------------------------===//

inline constexpr llvm::StringLiteral kCostName = "tensoraccess.cost";

/// What a block of an op takes; none where the model is to say it, and with a
/// text in the last argument where nobody can.
using OpCostFunction = std::function<std::optional<BlockCost>(
    Operation *, const BlockWork &, const CostModel &, std::string &)>;

/// What a user may want to know.
struct OpCostInfo {
  /// Of the operation.
  std::string name;
  /// A phrase.
  std::string summary;
};

/// Gives an op a cost of its own, for the process. False, and nothing is done,
/// where the op has one already, the name is empty, or there is no function.
/// Thread-safe.
bool registerOpCost(StringRef op, StringRef summary, OpCostFunction function);
/// Takes it away again; false where there is none.
bool unregisterOpCost(StringRef op);
/// All of them, by name.
std::vector<OpCostInfo> getOpCosts();

/// What a rank's block does, for the rank that does most: extents and bytes are
/// the longest of all ranks'. Ops that are not Compute have no extents: they
/// take what their bytes take. Steps are those that the model lists.
BlockWork getBlockWork(const BlockOp &op, const Grid &grid,
                       const FactoredBoxes &iterations, const CostModel &model);

/// What a block costs; nothing where no rank has iterations, and for Free ops.
/// An error at the op where its attribute is wrong, where a function answers
/// with what is no cost, and where the model has no rates for it.
FailureOr<BlockCost> getOpCost(const BlockOp &op, const Grid &grid,
                               const FactoredBoxes &iterations,
                               const CostModel &model);

/// The same for a block that did `work`; none and `error`.
std::optional<BlockCost> getOpCost(Operation *op, const BlockWork &work,
                                   const CostModel &model, std::string &error);

/// Adds what a body does at each point, as far as the model lists it.
void addSteps(Operation *op, const CostModel &model, BlockWork &work);

/// Checks that the names of a model are those of ops, as far as their dialects
/// are loaded; an error at `op` if not.
LogicalResult checkCostNames(Operation *op, const CostModel &model);

//===----------------------------------------------------------------------===//
// A tile through a whole function
//
// What does a tile of a function's result read of every value on the way to the
// arguments, and which part of every result does a tile of an argument reach?
//
//   output to input   from a returned value backwards, a tile per operand
//   input to output   from an argument forwards, a tile per result
//
// Two answers travel together, each covering what the other cannot. Maps are
// composed from the source of the tile to each value, and the tile is propagated
// once through the composed map: so a value has a tile although the values
// before it had none, and what one reshape scatters the next one gathers. And a
// tile box (Tile.h) goes from op to op: it is short after hundreds of layers,
// where composed maps have long become too large, and where no tile is exact it
// covers what is read.
//
// A value that is reached on several ways has a tile for each, except for those
// inside of others; many ways become one hull.
//===----------------------------------------------------------------------===//

/// One way to a value.
struct PropagatedTile {
  /// From the indices of the tile's source to those of the value; unknown where
  /// it became too large.
  IndexingMap map;
  /// For tiles of parameters: the map's, where it has one that is short; else
  /// the box's, which may be a hull. Absent where neither gives a tile;
  /// `failure` says why.
  std::optional<SymbolicTile> tile;
  /// Why the map has no tile.
  TileFailure failure;
  /// Covers what is read; absent where there is no bound.
  std::optional<TileBox> box;
  /// Where the box ceased to be exact; null if it is.
  Operation *hullAt = nullptr;

  /// Why the tile is a hull, and the op that made it one.
  std::string getHullReason() const;
};

/// The tiles of one operand, result, or argument. No tiles: nothing is read.
struct ValueTiles {
  /// Operand or argument number (output to input), result number or number of
  /// the returned value (input to output).
  unsigned number = 0;
  Value value;
  llvm::SmallVector<PropagatedTile, 1> tiles;
  /// Not None: nobody can tell which elements are meant.
  IndexingReason reason = IndexingReason::None;
};

struct OpTiles {
  Operation *op = nullptr;
  llvm::SmallVector<ValueTiles, 2> values;
};

struct TilePropagation {
  /// In the order visited: last op first from output to input.
  std::vector<OpTiles> ops;
  /// The function's arguments (output to input) or returned values.
  llvm::SmallVector<ValueTiles, 2> ends;
};

/// Ways to one value that are kept apart.
inline constexpr unsigned kMaxTileWays = 8;

/// The value that a tile is of: returned value number `index` of a function with
/// one block, or argument number `index`. Null, with `error` set, as below.
Value getTileSource(FunctionOpInterface function, unsigned index, bool toInput,
                    llvm::ArrayRef<int64_t> strides, std::string &error);

/// Propagates a tile with the given strides (none: all 1) from returned value
/// number `index` of a function with one block, or from argument number
/// `index`. An op whose indexing is unknown ends the way through it, with the
/// reason. Fails, with `error` set, where there is no such value, its shape is
/// not static, strides don't fit it, or the function has no single block. With
/// `numbers`, one per dimension, boxes are of that tile, and there are no
/// symbolic tiles.
std::optional<TilePropagation>
propagateTile(FunctionOpInterface function, unsigned index, bool toInput,
              llvm::ArrayRef<int64_t> strides, IndexingCache &cache,
              std::string &error, IndexingBudget budget = {},
              llvm::ArrayRef<TileDim> numbers = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_BLOCKS_H
