//===- RelayoutLoops.cpp - Relayouts as loops over vectors ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One nest of loops packs a tensor into tiles, and into the tiles of tiles that
// follow as long as these only rearrange what a vector holds:
//
//   for each place of a vector in a tile of a tile of …
//     read a vector of the source, zero outside of it
//     transpose it as is pending
//     for each further tile: divide its dimensions in (v/t, t), move t behind
//     write it to the packed tensor
//
// A vector is a tile, halved in its major dimensions until it is small enough.
// Unpacking is the same backwards; what lies outside is not written. A
// transpose reads squares: both the source's and the result's minor dimension
// are vectors.
//
// Static sizes only. Upstream turns the transfers into loads and stores, masked
// where a vector may reach over the border.
//
//===----------------------------------------------------------------------===//

#include "RelayoutSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static SmallVector<int64_t> getNumbers(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(
      sizes, [](OpFoldResult size) { return *getConstantIntValue(size); });
}

static bool areStatic(ArrayRef<OpFoldResult> sizes) {
  return llvm::all_of(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).has_value();
  });
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

//===----------------------------------------------------------------------===//
// Tiles of tiles
//===----------------------------------------------------------------------===//

/// Divides the last sizes by a tile: (…, d) becomes (…, d/t, t); none where the
/// tile divides not all of them, or there are fewer.
static std::optional<SmallVector<int64_t>> divide(ArrayRef<int64_t> sizes,
                                                  ArrayRef<int64_t> tile) {
  if (tile.size() > sizes.size())
    return std::nullopt;
  size_t prefix = sizes.size() - tile.size();
  SmallVector<int64_t> divided(sizes.take_front(prefix));
  for (auto [size, divisor] : llvm::zip_equal(sizes.drop_front(prefix), tile)) {
    if (size % divisor != 0)
      return std::nullopt;
    divided.push_back(size / divisor);
  }
  llvm::append_range(divided, tile);
  return divided;
}

/// All tiles after the first, at work on (a part of) it.
static std::optional<SmallVector<int64_t>>
divideAll(ArrayRef<int64_t> sizes, ArrayRef<MixedStage> later) {
  SmallVector<int64_t> divided(sizes);
  for (const MixedStage &stage : later) {
    auto next = divide(divided, stage.tile);
    if (!next)
      return std::nullopt;
    divided = std::move(*next);
  }
  return divided;
}

size_t mlir::tensoraccess::countFused(ArrayRef<MixedStage> stages) {
  if (!areStatic(stages.front().merged) || stages.front().tile.empty() ||
      llvm::is_contained(getNumbers(stages.front().merged), 0))
    return 0;
  size_t count = 1;
  while (count < stages.size() && stages[count].added == 0 &&
         stages[count].groups.size() == stages[count].sizes.size() &&
         divideAll(stages.front().tile, stages.slice(1, count)))
    ++count;
  return count;
}

/// The part of a tile that one vector holds: halves of the major dimensions, as
/// long as the later tiles divide it.
static SmallVector<int64_t> chooseVector(ArrayRef<int64_t> tile,
                                         ArrayRef<MixedStage> later,
                                         int64_t maxElements) {
  SmallVector<int64_t> vector(tile);
  for (int64_t &size : vector)
    while (product(vector) > maxElements && size % 2 == 0) {
      size /= 2;
      if (divideAll(vector, later))
        continue;
      size *= 2;
      break;
    }
  return vector;
}

/// Divides the vector's last dimensions by a tile, whose parts go behind.
static Value divideVector(OpBuilder &b, Location loc, Value vector,
                          ArrayRef<int64_t> tile) {
  auto type = cast<VectorType>(vector.getType());
  size_t prefix = type.getRank() - tile.size();
  SmallVector<int64_t> shape(type.getShape().take_front(prefix));
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, prefix));
  for (size_t i = 0; i < tile.size(); ++i) {
    shape.push_back(type.getDimSize(prefix + i) / tile[i]);
    shape.push_back(tile[i]);
    order.push_back(prefix + 2 * i);
  }
  for (size_t i = 0; i < tile.size(); ++i)
    order.push_back(prefix + 2 * i + 1);
  vector = vector::ShapeCastOp::create(
      b, loc, VectorType::get(shape, type.getElementType()), vector);
  return vector::TransposeOp::create(b, loc, vector, order);
}

/// The same backwards.
static Value joinVector(OpBuilder &b, Location loc, Value vector,
                        ArrayRef<int64_t> tile) {
  auto type = cast<VectorType>(vector.getType());
  size_t count = tile.size(), prefix = type.getRank() - 2 * count;
  SmallVector<int64_t> shape(type.getShape().take_front(prefix));
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, prefix));
  for (size_t i = 0; i < count; ++i) {
    shape.push_back(type.getDimSize(prefix + i) * tile[i]);
    order.push_back(prefix + i);
    order.push_back(prefix + count + i);
  }
  vector = vector::TransposeOp::create(b, loc, vector, order);
  return vector::ShapeCastOp::create(
      b, loc, VectorType::get(shape, type.getElementType()), vector);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// What both directions share: the loops, and where a vector lies.
class TileLoops {
public:
  TileLoops(OpBuilder &b, Location loc, ArrayRef<MixedStage> stages,
            int64_t maxElements)
      : b(b), loc(loc), first(stages.front()), later(stages.drop_front()),
        merged(getNumbers(first.merged)),
        vector(chooseVector(first.tile, later, maxElements)) {
    packed.assign(merged.begin(), merged.begin() + first.getPrefix());
    llvm::append_range(packed, getNumbers(first.getOuter(b, loc)));
    numOuter = packed.size();
    llvm::append_range(packed, *divideAll(first.tile, later));
  }

  ArrayRef<int64_t> getPacked() const { return packed; }

  /// Loops over prefix, tiles and parts of a tile, around `body`, which gets
  /// the tensor that is being written and returns it.
  Value build(Value init,
              function_ref<Value(OpBuilder &, Value, ValueRange)> body) {
    SmallVector<Value> lower, upper, step;
    auto add = [&](int64_t end, int64_t by) {
      lower.push_back(arith::ConstantIndexOp::create(b, loc, 0));
      upper.push_back(arith::ConstantIndexOp::create(b, loc, end));
      step.push_back(arith::ConstantIndexOp::create(b, loc, by));
    };
    for (size_t i = 0; i < numOuter; ++i)
      add(packed[i], 1);
    for (auto [size, part] : llvm::zip_equal(first.tile, vector))
      add(size, part);
    scf::LoopNest nest = scf::buildLoopNest(
        b, loc, lower, upper, step, {init},
        [&](OpBuilder &inner, Location, ValueRange ivs, ValueRange args) {
          return scf::ValueVector{body(inner, args[0], ivs)};
        });
    return nest.results.front();
  }

  /// Where the vector begins in dimension i of the merged tensor.
  Value getMergedIndex(OpBuilder &at, ValueRange ivs, size_t i) const {
    size_t prefix = first.getPrefix();
    if (i < prefix)
      return ivs[i];
    Value size =
        arith::ConstantIndexOp::create(at, loc, first.tile[i - prefix]);
    Value begin = at.createOrFold<arith::MulIOp>(loc, ivs[i], size);
    return at.createOrFold<arith::AddIOp>(loc, begin,
                                          ivs[numOuter + i - prefix]);
  }
  /// Whether no vector reaches over the border of dimension i.
  bool isInside(size_t i) const {
    size_t prefix = first.getPrefix();
    return i < prefix || merged[i] % first.tile[i - prefix] == 0;
  }
  /// Elements of the vector in dimension i of the merged tensor.
  int64_t getExtent(size_t i) const {
    size_t prefix = first.getPrefix();
    return i < prefix ? 1 : vector[i - prefix];
  }

  /// Where the vector begins in the packed tensor.
  SmallVector<Value> getPackedIndex(OpBuilder &at, ValueRange ivs) const {
    SmallVector<Value> index(ivs.begin(), ivs.end());
    Value zero = arith::ConstantIndexOp::create(at, loc, 0);
    for (const MixedStage &stage : later) {
      size_t begin = index.size() - stage.tile.size();
      for (auto [i, divisor] : llvm::enumerate(stage.tile)) {
        Value by = arith::ConstantIndexOp::create(at, loc, divisor);
        index[begin + i] =
            at.createOrFold<arith::DivUIOp>(loc, index[begin + i], by);
      }
      index.append(stage.tile.size(), zero);
    }
    return index;
  }
  /// The shape of the vector in the packed tensor.
  SmallVector<int64_t> getPackedVector() const {
    SmallVector<int64_t> shape(numOuter, 1);
    llvm::append_range(shape, *divideAll(vector, later));
    return shape;
  }

  ArrayRef<int64_t> getVector() const { return vector; }
  ArrayRef<MixedStage> getLater() const { return later; }

private:
  OpBuilder &b;
  Location loc;
  const MixedStage &first;
  ArrayRef<MixedStage> later;
  SmallVector<int64_t> merged, vector, packed;
  /// Loops over prefix and tiles.
  size_t numOuter;
};
} // namespace

static Value createZero(OpBuilder &b, Location loc, Type type) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

static Type getElementType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

static Sizes getAttrs(OpBuilder &b, ArrayRef<int64_t> sizes) {
  return getAsIndexOpFoldResult(b.getContext(), sizes);
}

static AffineMap getIdentityMap(OpBuilder &b, int64_t rank) {
  return b.getMultiDimIdentityMap(rank);
}

static Value createRead(OpBuilder &b, Location loc, Value source,
                        ArrayRef<int64_t> shape, ValueRange index,
                        ArrayRef<bool> inBounds) {
  Type element = getElementType(source);
  return vector::TransferReadOp::create(
      b, loc, VectorType::get(shape, element), source, index,
      createZero(b, loc, element), getIdentityMap(b, shape.size()), inBounds);
}

static Value createWrite(OpBuilder &b, Location loc, Value vector, Value dest,
                         ValueRange index, ArrayRef<bool> inBounds) {
  return vector::TransferWriteOp::create(
             b, loc, vector, dest, index,
             getIdentityMap(b, cast<VectorType>(vector.getType()).getRank()),
             inBounds)
      ->getResult(0);
}

static Value castShape(OpBuilder &b, Location loc, Value vector,
                       ArrayRef<int64_t> shape) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getShape() == shape)
    return vector;
  return vector::ShapeCastOp::create(
      b, loc, VectorType::get(shape, type.getElementType()), vector);
}

void mlir::tensoraccess::packByLoops(RelayoutSteps &steps,
                                     ArrayRef<MixedStage> stages,
                                     const MaterializeOptions &options) {
  OpBuilder &b = steps.b;
  Location loc = steps.loc;
  TileLoops loops(b, loc, stages, options.maxVectorElements);
  Value source = steps.getRaw();
  SmallVector<int64_t> pending(steps.getPending());
  size_t rank = pending.size();
  Sizes packed = getAttrs(b, loops.getPacked());
  Value init = tensor::EmptyOp::create(b, loc, packed, getElementType(source));
  Value result =
      loops.build(init, [&](OpBuilder &at, Value dest, ValueRange ivs) {
        // In the source's own order, then in the wanted one.
        SmallVector<Value> index(rank);
        SmallVector<int64_t> shape(rank), wanted;
        SmallVector<bool> inside(rank);
        for (size_t i = 0; i < rank; ++i) {
          index[pending[i]] = loops.getMergedIndex(at, ivs, i);
          shape[pending[i]] = loops.getExtent(i);
          inside[pending[i]] = loops.isInside(i);
        }
        Value vector = createRead(at, loc, source, shape, index, inside);
        if (!llvm::is_sorted(pending))
          vector = vector::TransposeOp::create(at, loc, vector, pending);
        vector = castShape(at, loc, vector, loops.getVector());
        for (const MixedStage &stage : loops.getLater())
          vector = divideVector(at, loc, vector, stage.tile);
        vector = castShape(at, loc, vector, loops.getPackedVector());
        SmallVector<bool> all(loops.getPacked().size(), true);
        return createWrite(at, loc, vector, dest, loops.getPackedIndex(at, ivs),
                           all);
      });
  steps.set(result, packed);
}

void mlir::tensoraccess::unpackByLoops(RelayoutSteps &steps,
                                       ArrayRef<MixedStage> stages,
                                       const MaterializeOptions &options) {
  OpBuilder &b = steps.b;
  Location loc = steps.loc;
  TileLoops loops(b, loc, stages, options.maxVectorElements);
  Value source = steps.get();
  const MixedStage &first = stages.front();
  size_t rank = first.merged.size();
  Value init =
      tensor::EmptyOp::create(b, loc, first.merged, getElementType(source));
  Value result =
      loops.build(init, [&](OpBuilder &at, Value dest, ValueRange ivs) {
        SmallVector<bool> all(loops.getPacked().size(), true);
        Value vector = createRead(at, loc, source, loops.getPackedVector(),
                                  loops.getPackedIndex(at, ivs), all);
        SmallVector<int64_t> inner = loops.getPackedVector();
        inner.erase(inner.begin(), inner.begin() + rank);
        vector = castShape(at, loc, vector, inner);
        for (const MixedStage &stage : llvm::reverse(loops.getLater()))
          vector = joinVector(at, loc, vector, stage.tile);
        SmallVector<Value> index;
        SmallVector<int64_t> shape;
        SmallVector<bool> inside;
        for (size_t i = 0; i < rank; ++i) {
          index.push_back(loops.getMergedIndex(at, ivs, i));
          shape.push_back(loops.getExtent(i));
          inside.push_back(loops.isInside(i));
        }
        vector = castShape(at, loc, vector, shape);
        return createWrite(at, loc, vector, dest, index, inside);
      });
  steps.set(result, first.merged);
}

void mlir::tensoraccess::transposeByLoops(RelayoutSteps &steps,
                                          const MaterializeOptions &options) {
  SmallVector<int64_t> pending(steps.getPending());
  if (llvm::is_sorted(pending) || !areStatic(steps.getSizes()))
    return;
  OpBuilder &b = steps.b;
  Location loc = steps.loc;
  SmallVector<int64_t> sizes = getNumbers(steps.getSizes());
  if (llvm::is_contained(sizes, 0))
    return;
  size_t rank = sizes.size();
  // A square of the two minor dimensions, or a row where they are one.
  SmallVector<int64_t> extents(rank, 1);
  size_t sourceMinor = 0;
  while (pending[sourceMinor] != static_cast<int64_t>(rank) - 1)
    ++sourceMinor;
  int64_t side = 1;
  if (sourceMinor == rank - 1)
    side = options.maxVectorElements;
  else
    while (4 * side * side <= options.maxVectorElements)
      side *= 2;
  extents[rank - 1] = std::min(side, sizes[rank - 1]);
  extents[sourceMinor] = std::min(side, sizes[sourceMinor]);

  Value source = steps.getRaw();
  Sizes shape = steps.getSizes();
  Value init = tensor::EmptyOp::create(b, loc, shape, getElementType(source));
  SmallVector<Value> lower, upper, step;
  for (auto [size, extent] : llvm::zip_equal(sizes, extents)) {
    lower.push_back(arith::ConstantIndexOp::create(b, loc, 0));
    upper.push_back(arith::ConstantIndexOp::create(b, loc, size));
    step.push_back(arith::ConstantIndexOp::create(b, loc, extent));
  }
  SmallVector<bool> inside(rank), sourceInside(rank);
  SmallVector<int64_t> sourceExtents(rank);
  for (size_t i = 0; i < rank; ++i) {
    inside[i] = sizes[i] % extents[i] == 0;
    sourceInside[pending[i]] = inside[i];
    sourceExtents[pending[i]] = extents[i];
  }
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, lower, upper, step, {init},
      [&](OpBuilder &at, Location, ValueRange ivs, ValueRange args) {
        SmallVector<Value> index(rank);
        for (size_t i = 0; i < rank; ++i)
          index[pending[i]] = ivs[i];
        Value vector =
            createRead(at, loc, source, sourceExtents, index, sourceInside);
        vector = vector::TransposeOp::create(at, loc, vector, pending);
        return scf::ValueVector{
            createWrite(at, loc, vector, args[0], ivs, inside)};
      });
  steps.set(nest.results.front(), shape);
}
