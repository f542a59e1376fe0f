//===- KernelEmitter.h - Loops around sums in registers ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_KERNEL_KERNELEMITTER_H
#define TENSORACCESS_LIB_TRANSFORMS_KERNEL_KERNELEMITTER_H

#include "KernelPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::tensoraccess {

/// Writes the loops of a plan. Blocks are in KernelEmitter.cpp, tiles in
/// KernelTiles.cpp.
class KernelEmitter {
public:
  KernelEmitter(RewriterBase &rewriter, linalg::LinalgOp op, StridedNest nest,
                KernelPlan plan, linalg::GenericOp epilogue, TypedAttr start)
      : b(op.getLoc(), rewriter), op(op), epilogue(epilogue),
        nest(std::move(nest)), plan(std::move(plan)), start(start) {}

  void run();

private:
  struct Tile {
    SmallVector<int64_t, 2> rows;
    int64_t vectors;
    /// Lanes of the last vector; 0 where it is whole.
    int64_t lastLanes;
  };

  // Indices.
  Value index(int64_t n) { return arith::ConstantIndexOp::create(b, n); }
  Value add(Value a, Value c);
  Value add(Value a, int64_t n) { return n == 0 ? a : add(a, index(n)); }
  Value multiply(Value a, int64_t n);
  Value widen(Value value, int64_t size);
  /// A loop of that many iterations; no loop for one.
  void emitLoop(int64_t count, function_ref<void(Value)> body);
  /// Emits `body` where a loop of the nest is at `at`.
  void emitAt(unsigned loop, Value at, function_ref<void()> body);
  void emitAll(ArrayRef<unsigned> loops, function_ref<void()> body);
  int64_t getStride(unsigned operand, unsigned loop) const {
    return nest.loops[loop].strides[operand];
  }
  Type getElement(unsigned operand) const {
    return getElementTypeOrSelf(nest.operands[operand].getType());
  }
  /// The offset of row (a, c) of a tile from its first one.
  int64_t getRowOffset(unsigned operand, ArrayRef<int64_t> row) const;
  bool movesWithRows(unsigned operand) const {
    return llvm::any_of(plan.rowLoops, [&](unsigned loop) {
      return getStride(operand, loop) != 0;
    });
  }
  bool isVector(unsigned operand) const {
    return getStride(operand, plan.column) != 0;
  }

  /// Iterations of a sum in this block, and of all sums.
  int64_t getTripCount(unsigned loop) const {
    return loop == plan.sums.front() ? blockSums : nest.loops[loop].size;
  }
  int64_t getSteps() const {
    int64_t steps = 1;
    for (unsigned loop : plan.sums)
      steps *= getTripCount(loop);
    return steps;
  }

  void emitBlocks(int64_t sums, bool isFirst);
  void emitPanels(int64_t count, int64_t lastLanes, bool isFirst);
  void pack(Value buffer, int64_t panels, int64_t columns);
  /// A number, beyond the operands, under which memory is walked by strides of
  /// its own, which begin as zeros, until the last one is popped.
  unsigned pushWalk(Value view, Value position);
  void popWalk();
  /// Has sums walk that way, so many elements an iteration of the last one.
  void setSumStrides(unsigned number, int64_t step);
  void walkNextPanels(int64_t count);
  enum class Rows { All, First, AllButFirst };
  void emitRows(Rows which, function_ref<void(ArrayRef<int64_t>)> body);
  void emitTile(const Tile &tile, bool isFirst);
  void forEachVector(unsigned operand, const Tile &tile,
                     function_ref<void(int64_t, bool)> body);
  /// What the sums of a tile begin with, and what is done with them.
  SmallVector<Value> emitStarts(const Tile &tile, bool isFirst);
  void emitResults(const Tile &tile, SmallVector<Value> sums);
  // Tile registers (MatrixTiles.cpp).
  void configureTiles();
  void releaseTiles();
  void emitMatrixTile(const Tile &tile, bool isFirst);
  void emitProducts(ArrayRef<unsigned> loops, ArrayRef<int64_t> rowOffsets,
                    int64_t vectors);
  /// An instruction on tile registers, which are numbers in it.
  void emitTileOp(StringRef name, ArrayRef<int64_t> tiles,
                  ArrayRef<Value> operands = {});
  Value getAddress(Value memory, OpFoldResult start, Value place,
                   int64_t bytes);
  SmallVector<Value> emitSums(ArrayRef<unsigned> loops, const Tile &tile,
                              ValueRange sums);
  /// A dot product of bytes for each row and vector.
  SmallVector<Value> emitDots(const Tile &tile, ValueRange sums);
  /// Where an operand is read, in elements of its buffer.
  Value getPlace(unsigned operand, int64_t offset);
  /// Iterations of the last sum that a square takes.
  int64_t getSquareStep() const { return plan.lanes * (plan.arePairs ? 2 : 1); }
  /// The last sum by squares.
  SmallVector<Value> emitSquareLoops(const Tile &tile, ValueRange sums);
  SmallVector<Value> emitSquares(const Tile &tile, int64_t first, int64_t last,
                                 int64_t iterations, ValueRange sums);
  /// A step of what elements are combined by in any order.
  using Step = std::function<Value(Value, Value)>;
  Value combine(Value x, Value y);
  Value combineAll(const Step &step, ArrayRef<Value> values);
  SmallVector<Value> emitFreeSums(const Tile &tile, ValueRange sums);
  SmallVector<Value> splitPairs(ArrayRef<Value> pairs, Type element);
  void emitPrefetchAhead(int64_t firstRow, int64_t rows, int64_t columns,
                         Value position);
  Value emitFreeColumn(int64_t rows);
  /// Clones a body for each vector of a tile: arguments are operands of the
  /// nest, that of the result is `given`.
  SmallVector<Value> emitBody(Block *body, ArrayRef<unsigned> operands,
                              const Tile &tile, ValueRange given);
  /// To the first cache, or a further one.
  void fetch(unsigned operand, Value place, int64_t locality = 3) {
    memref::PrefetchOp::create(b, views[operand], place, /*isWrite=*/false,
                               locality, /*isDataCache=*/true);
  }
  void emitPrefetch(const Tile &tile);
  /// Of what an epilogue reads, while its tile is summed.
  void prefetchEpilogue(const Tile &tile);
  Value load(unsigned operand, int64_t offset, bool isMasked, const Tile &tile);
  /// Of the first lanes of a vector.
  Value getMask(int64_t lanes);

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  /// Null if none exists.
  linalg::GenericOp epilogue;
  StridedNest nest;
  KernelPlan plan;
  /// What sums begin with; null: with what is there.
  TypedAttr start;
  /// Buffers as one dimension; scalars as they are. Where each is read, and the
  /// index of each loop of the op.
  SmallVector<Value> views, at, indices;
  /// Their memory, and the element of it that each begins at.
  SmallVector<Value> bases;
  SmallVector<OpFoldResult> starts;
  /// Iterations of the first sum in this block.
  int64_t blockSums = 0;
  /// Of operands in squares, the vector of each iteration, and the iteration.
  llvm::SmallDenseMap<unsigned, SmallVector<Value>> squares;
  int64_t squareStep = 0;
  /// Where tile registers are stored, row by row, before they are used.
  Value tileSums;
  /// The walks of the copy of panels that is made while they are used, and of
  /// panels of the next block, which are fetched meanwhile.
  std::optional<unsigned> copy, next;
};

/// All rows of a tile, the last loop fastest.
SmallVector<SmallVector<int64_t, 2>> getRows(ArrayRef<int64_t> sizes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_KERNEL_KERNELEMITTER_H
