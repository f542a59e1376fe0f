//===- TileOps.cpp - One op on a tile of its result -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that aren't structured (tensor.pad, linalg.pack, linalg.softmax) are cut
// by upstream's TilingInterface, and what it cuts is checked: for every place
// of the tile, each slice of an operand must hold the image of the tile under
// the op's own indexing maps.
//
//   1. A place is an iteration of the loops that offsets and sizes depend on.
//   2. There, offsets and sizes of slices are numbers: the ops that compute
//      them, folded.
//   3. The image is the tile box of the map at these numbers.
//
// linalg.softmax along the dimension that is cut reads all of it, and upstream
// slices it all the same; such a tile is refused. Upstream's tile of an unpacking
// loses where in a block it begins: that is a structured op here.
//
//===----------------------------------------------------------------------===//

#include "Access/TileOps.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<CountedLoop> mlir::tensoraccess::getCountedLoop(Value value) {
  scf::ForOp loop = scf::getForInductionVarOwner(value);
  if (!loop)
    return std::nullopt;
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *step <= 0 || *upper <= *lower)
    return std::nullopt;
  return CountedLoop{*lower, *step,
                     llvm::divideCeilSigned(*upper - *lower, *step)};
}

std::optional<int64_t> mlir::tensoraccess::getUpperBound(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return number;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, ValueBoundsConstraintSet::Variable(size),
      /*stopCondition=*/nullptr, /*closedUB=*/true);
  return succeeded(bound) ? std::optional(*bound) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Places of a tile
//===----------------------------------------------------------------------===//

namespace {

/// Walks over all iterations of the loops that some values depend on.
class Places {
public:
  /// More iterations are not walked over.
  static constexpr int64_t kMaxIterations = int64_t(1) << 18;

  explicit Places(ArrayRef<OpFoldResult> roots);

  /// Calls `visit` at each place; false if that returns false, or where
  /// there are too many.
  bool walk(function_ref<bool()> visit);
  /// The number at this place, where it is one.
  std::optional<int64_t> get(OpFoldResult value) const;

private:
  void fold();

  /// In the order in which they are computed.
  SetVector<Operation *> ops;
  SmallVector<std::pair<Value, CountedLoop>> loops;
  DenseMap<Value, int64_t> numbers;
};

} // namespace

Places::Places(ArrayRef<OpFoldResult> roots) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [](Operation *op) { return op->getNumRegions() == 0; };
  SetVector<Value> arguments;
  for (OpFoldResult root : roots)
    if (auto value = dyn_cast<Value>(root)) {
      if (isa<BlockArgument>(value))
        arguments.insert(value);
      else
        (void)getBackwardSlice(value, &ops, options);
    }
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (isa<BlockArgument>(operand))
        arguments.insert(operand);
  for (Value argument : arguments)
    if (std::optional<CountedLoop> loop = getCountedLoop(argument))
      loops.push_back({argument, *loop});
}

std::optional<int64_t> Places::get(OpFoldResult value) const {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return number;
  auto it = numbers.find(dyn_cast<Value>(value));
  return it == numbers.end() ? std::nullopt : std::optional(it->second);
}

void Places::fold() {
  for (Operation *op : ops) {
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> number = get(operand);
      operands.push_back(number ? IntegerAttr::get(operand.getType(), *number)
                                : IntegerAttr());
    }
    SmallVector<OpFoldResult> folded;
    if (failed(op->fold(operands, folded)) ||
        folded.size() != op->getNumResults())
      continue;
    for (auto [value, number] : llvm::zip_equal(op->getResults(), folded))
      if (std::optional<int64_t> known = get(number))
        numbers[value] = *known;
  }
}

bool Places::walk(function_ref<bool()> visit) {
  int64_t iterations = 1;
  for (auto &[value, loop] : loops)
    if (llvm::MulOverflow(iterations, loop.trips, iterations) ||
        iterations > kMaxIterations)
      return false;
  for (int64_t iteration = 0; iteration != iterations; ++iteration) {
    numbers.clear();
    int64_t rest = iteration;
    for (auto &[value, loop] : loops) {
      numbers[value] = loop.lower + loop.step * (rest % loop.trips);
      rest /= loop.trips;
    }
    fold();
    if (!visit())
      return false;
  }
  return true;
}

/// Whether a slice holds, along one dimension and at every place, what the map
/// of a result's indices reads there for a region.
static bool holds(tensor::ExtractSliceOp slice, unsigned dim,
                  const IndexingMap &map, ArrayRef<int64_t> shape,
                  const TensorRegion &region) {
  TileFailure failure;
  std::optional<TileBox> box = TileBox::ofParameters(map.getDimRanges())
                                   .through(map.selectResults({dim}), failure);
  if (!box)
    return false;
  SmallVector<char, 32> used;
  for (const auto &list : {box->getDims()[0].lower, box->getDims()[0].upper})
    for (const Form &form : list)
      box->getArena().markUsed(form, used);
  const OpFoldResult offset = slice.getMixedOffsets()[dim],
                     size = slice.getMixedSizes()[dim];
  SmallVector<OpFoldResult> roots = {offset, size};
  SmallVector<bool> isUsed;
  for (size_t d = 0; d != region.offsets.size(); ++d) {
    // Outside of its range the map reads nothing.
    isUsed.push_back(
        used[2 * d] || used[2 * d + 1] ||
        !map.getDimRanges()[d].contains(Interval::ofExtent(shape[d])));
    if (isUsed.back())
      llvm::append_values(roots, region.offsets[d], region.sizes[d]);
  }
  Places places(roots);
  return places.walk([&]() {
    SmallVector<int64_t> offsets, sizes;
    for (size_t d = 0; d != region.offsets.size(); ++d) {
      std::optional<int64_t> first = map.getDimRanges()[d].lower, count = 1;
      if (isUsed[d]) {
        first = places.get(region.offsets[d]);
        count = places.get(region.sizes[d]);
      }
      if (!first || !count)
        return false;
      offsets.push_back(*first);
      sizes.push_back(*count);
    }
    std::optional<int64_t> first = places.get(offset), count = places.get(size);
    std::optional<StridedTile> image = box->at(offsets, sizes);
    return first && count && image &&
           (image->isEmpty || (*first <= image->dims[0].offset &&
                               image->dims[0].last() < *first + *count));
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// An unpacking is a structured op with quotients and remainders in its map.
static FailureOr<TiledOp> emitUnpackTile(OpBuilder &b, linalg::UnPackOp op,
                                         const TensorRegion &region,
                                         Value destination,
                                         std::string &reason) {
  const IndexingSet reads = getIndexing(op).outputToInput(0, 0);
  AffineMap map = reads.size() == 1 && reads.getMaps()[0].getNumRuntime() == 0
                      ? reads.getMaps()[0].toAffineMap(b.getContext())
                      : AffineMap();
  if (!map || map.getNumSymbols() != 0) {
    reason = "its tiles are known at run time only";
    return failure();
  }
  linalg::GenericOp whole =
      createGeneric(b, op.getLoc(), op.getSource(), op.getDest(),
                    {map, b.getMultiDimIdentityMap(map.getNumDims())},
                    [](OpBuilder &inner, Location loc, ValueRange args) {
                      linalg::YieldOp::create(inner, loc, args[0]);
                    });
  FailureOr<TiledOp> tiled = emitLinalgTile(
      b, cast<OpResult>(whole.getResult(0)), region, destination, reason);
  whole.erase();
  return tiled;
}

FailureOr<TiledOp>
mlir::tensoraccess::emitForeignTile(OpBuilder &b, OpResult result,
                                    const TensorRegion &region,
                                    Value destination, std::string &reason) {
  Operation *op = result.getOwner();
  const unsigned number = result.getResultNumber();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  auto refuse = [&](const Twine &why) {
    reason = why.str();
    return failure();
  };
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op);
      unpack && unpack.hasPureTensorSemantics())
    return emitUnpackTile(b, unpack, region, destination, reason);
  if (isa<linalg::LinalgDialect>(op->getDialect()) &&
      !isa<linalg::PackOp, linalg::SoftmaxOp>(op))
    return refuse("upstream's tiling of it is not known to be right");
  const OpIndexing indexing = getIndexing(op);
  // What is written is cut at its destination.
  Operation *cut = op;
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op);
      style && destination) {
    cut = b.clone(*op);
    cast<DestinationStyleOpInterface>(cut).setDpsInitOperand(number,
                                                             destination);
  }
  auto tiling = cast<TilingInterface>(cut);
  TensorRegion written;
  FailureOr<TilingResult> made =
      tiling.getLoopIteratorTypes().size() == region.offsets.size() &&
              succeeded(tiling.getResultTilePosition(
                  b, number, region.offsets, region.sizes, written.offsets,
                  written.sizes)) &&
              written.offsets == region.offsets && written.sizes == region.sizes
          ? tiling.getTiledImplementation(b, region.offsets, region.sizes)
          : tiling.generateResultTileValue(b, number, region.offsets,
                                           region.sizes);
  if (failed(made) || made->tiledValues.empty())
    return refuse("upstream's tiling refuses it");
  TiledOp tiled;
  tiled.tile = made->tiledValues.size() == op->getNumResults()
                   ? made->tiledValues[number]
                   : made->tiledValues.front();
  for (Operation *made : made->generatedSlices) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(made);
    if (!slice)
      return refuse("upstream's tiling reads no slice");
    tiled.slices.push_back(slice);
    for (OpOperand &operand : cut->getOpOperands()) {
      if (operand.get() != slice.getSource() || operand.get() == destination)
        continue;
      const IndexingSet &reads =
          indexing.outputToInput(number, operand.getOperandNumber());
      const std::string name =
          "operand " + std::to_string(operand.getOperandNumber());
      if (reads.isUnknown())
        return refuse("what it reads of " + name +
                      " is unknown: " + describe(reads.getReason()));
      for (const IndexingMap &map : reads.getMaps())
        for (unsigned dim = 0; dim != map.getNumResults(); ++dim)
          if (!holds(slice, dim, map, shape, region))
            return refuse("upstream's slice of " + name +
                          " is not known to hold what a tile reads along "
                          "dimension " +
                          Twine(dim));
    }
  }
  if (cut != op)
    cut->erase();
  return tiled;
}

/// Whether a slice of a tensor may have its encoding: strided layouts hold for one
/// shape.
static bool hasSlices(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto encoding =
      tensor ? dyn_cast_or_null<VerifiableTensorEncoding>(tensor.getEncoding())
             : VerifiableTensorEncoding();
  if (!encoding)
    return true;
  MLIRContext *context = type.getContext();
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  return succeeded(encoding.verifyEncoding(
      SmallVector<int64_t>(tensor.getRank(), 1), tensor.getElementType(),
      [&] { return emitError(UnknownLoc::get(context)); }));
}

FailureOr<TiledOp> mlir::tensoraccess::emitTile(OpBuilder &b, OpResult result,
                                                const TensorRegion &region,
                                                Value destination,
                                                std::string &reason) {
  Operation *op = result.getOwner();
  if (!llvm::all_of(op->getOperandTypes(), hasSlices) ||
      !llvm::all_of(op->getResultTypes(), hasSlices)) {
    reason = "slices of its tensors don't have their encodings";
    return failure();
  }
  Block *block = b.getInsertionBlock();
  Block::iterator past = b.getInsertionPoint();
  Operation *before = past == block->begin() ? nullptr : &*std::prev(past);
  FailureOr<TiledOp> tiled =
      isa<linalg::LinalgOp>(result.getOwner())
          ? emitLinalgTile(b, result, region, destination, reason)
          : emitForeignTile(b, result, region, destination, reason);
  if (succeeded(tiled)) {
    // Its type is that of the region.
    Type type = tensor::ExtractSliceOp::inferResultType(
        cast<RankedTensorType>(result.getType()), region.sizes);
    if (tiled->tile.getType() != type)
      tiled->tile =
          tensor::CastOp::create(b, result.getLoc(), type, tiled->tile);
    return tiled;
  }
  while (past != block->begin() && &*std::prev(past) != before)
    std::prev(past)->erase();
  return failure();
}
