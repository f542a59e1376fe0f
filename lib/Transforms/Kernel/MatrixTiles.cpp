//===- MatrixTiles.cpp - Sums in tile registers ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMX multiplies a tile of up to 16 rows by 64 bytes with one of 16 groups of four
// bytes by 16 columns, which is how DotProducts lays panels out. A kernel gives its
// eight registers one shape each, since that takes as long as many products:
//   1. sums of two by two tiles, or one by four, begin with zeros; each step loads
//      rows and columns and multiplies them all with each other;
//   2. a tile at the end of the rows begins earlier, instead of being lower: rows
//      are computed twice, and used once;
//   3. sums are stored where they belong or, row by row, where what they begin
//      with and the elementwise op that follows are done in vectors.
// The intrinsics that name registers by numbers are used: LLVM's allocator of tiles
// gives up where two shapes do not fit.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Tiles of rows.
static int64_t countRowTiles(const KernelPlan &plan) {
  return plan.tiles->perLoop * (plan.rows.size() == 2 ? plan.rows.front() : 1);
}

void KernelEmitter::emitTileOp(StringRef name, ArrayRef<int64_t> tiles,
                               ArrayRef<Value> operands) {
  SmallVector<Value> all;
  for (int64_t tile : tiles)
    all.push_back(arith::ConstantOp::create(b, b.getI8IntegerAttr(tile)));
  llvm::append_range(all, operands);
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86." + name), all);
}

Value KernelEmitter::getAddress(Value memory, OpFoldResult start, Value place,
                                int64_t bytes) {
  // Rows before a tile are negative offsets.
  auto sum = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, x, y);
  };
  Value first = getValueOrCreateConstantIndexOp(b, b.getLoc(), start);
  Value offset =
      arith::MulIOp::create(b, sum(first, place), index(bytes)).getResult();
  Value address =
      sum(memref::ExtractAlignedPointerAsIndexOp::create(b, memory), offset);
  Value number = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()), number);
}

void KernelEmitter::configureTiles() {
  const MatrixTiles &tiles = *plan.tiles;
  const int64_t numRows = countRowTiles(plan), numSums = numRows * plan.vectors;
  SmallVector<int8_t> bytes(kTileBytes, 0);
  bytes[0] = 1; // the palette
  auto setShape = [&](int64_t tile, int64_t rows, int64_t rowBytes) {
    bytes[16 + 2 * tile] = static_cast<int8_t>(rowBytes);
    bytes[48 + tile] = static_cast<int8_t>(rows);
  };
  for (int64_t tile = 0; tile < kTileRegisters; ++tile)
    if (tile < numSums)
      setShape(tile, tiles.rows, kTileBytes);
    else if (tile < numSums + numRows)
      setShape(tile, tiles.rows, 4 * tiles.groups);
    else
      setShape(tile, tiles.groups, kTileBytes);
  Type sum = getElement(nest.getResult());
  auto allocate = [&](int64_t size, Type element) -> Value {
    return memref::AllocOp::create(b, MemRefType::get({size}, element),
                                   b.getI64IntegerAttr(kTileBytes));
  };
  Value shapes = allocate(kTileBytes, b.getI8Type());
  auto type = VectorType::get({kTileBytes}, b.getI8Type());
  Value constant = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  vector::StoreOp::create(b, constant, shapes, index(0));
  emitTileOp("ldtilecfg", {},
             getAddress(shapes, b.getIndexAttr(0), index(0), /*bytes=*/1));
  memref::DeallocOp::create(b, shapes);
  tileSums = allocate(numSums * tiles.rows * plan.lanes, sum);
}

void KernelEmitter::releaseTiles() {
  emitTileOp("tilerelease", {});
  memref::DeallocOp::create(b, tileSums);
}

void KernelEmitter::emitProducts(ArrayRef<unsigned> loops,
                                 ArrayRef<int64_t> rowOffsets,
                                 int64_t vectors) {
  const unsigned number = loops.front();
  const MatrixTiles &tiles = *plan.tiles;
  if (loops.size() > 1)
    return emitLoop(nest.loops[number].size, [&](Value i) {
      emitAt(number, i,
             [&] { emitProducts(loops.drop_front(), rowOffsets, vectors); });
    });
  const unsigned columns = nest.packed->operand, rows = 1 - columns;
  const int64_t numRows = countRowTiles(plan), numSums = numRows * plan.vectors;
  auto getBytes = [&](unsigned operand) {
    return int64_t(getElement(operand).getIntOrFloatBitWidth()) / 8;
  };
  auto loadTile = [&](int64_t tile, unsigned operand, Value place,
                      int64_t strideBytes) {
    Value stride = arith::ConstantOp::create(b, b.getI64IntegerAttr(strideBytes));
    emitTileOp("tileloadd64", tile,
               {getAddress(bases[operand], starts[operand], place,
                           getBytes(operand)),
                stride});
  };
  const int64_t rowStride =
      plan.rowLoops.empty() ? 0 : getStride(rows, plan.rowLoops.back());
  std::string product = "tdpbf16ps";
  if (!nest.dot->isBF16())
    product = std::string("tdpb") + (nest.dot->isSigned[rows] ? "s" : "u") +
              (nest.dot->isSigned[columns] ? "s" : "u") + "d";
  emitLoop(nest.loops[number].size / tiles.groups, [&](Value step) {
    emitAt(number, multiply(step, tiles.groups), [&] {
      for (auto [i, offset] : llvm::enumerate(rowOffsets))
        loadTile(numSums + i, rows,
                 arith::AddIOp::create(b, at[rows], index(offset)),
                 rowStride * getBytes(rows));
      for (int64_t group = 0; plan.prefetch != 0 && group < tiles.groups; ++group)
        for (int64_t j = 0; j < vectors; ++j)
          fetch(columns, getPlace(columns, (plan.prefetch + group) *
                                                   getStride(columns, number) +
                                               j * plan.lanes));
      const int64_t first = numSums + numRows, free = kTileRegisters - first;
      for (int64_t j = 0; j < vectors; ++j) {
        loadTile(first + j % free, columns, getPlace(columns, j * plan.lanes),
                 getStride(columns, number) * 4);
        for (size_t i = 0; i < rowOffsets.size(); ++i)
          emitTileOp(product, {int64_t(i) * plan.vectors + j,
                               numSums + int64_t(i), first + j % free});
      }
    });
  });
}

static bool isZeroNumber(TypedAttr number) {
  return matchPattern(number, m_Zero()) ||
         matchPattern(number, m_AnyZeroFloat());
}

void KernelEmitter::emitMatrixTile(const Tile &tile, bool isFirst) {
  const MatrixTiles &tiles = *plan.tiles;
  const unsigned rows = 1 - nest.packed->operand, result = nest.getResult();
  const bool isOuter = plan.rowLoops.size() == 2;
  const int64_t inner = plan.rowLoops.empty() ? 1 : tile.rows.back();
  struct RowTile {
    int64_t outer, start, begin, end;
  };
  auto getOffset = [&](unsigned operand, const RowTile &part) {
    int64_t offset = 0;
    if (!plan.rowLoops.empty())
      offset += part.start * getStride(operand, plan.rowLoops.back());
    if (isOuter)
      offset += part.outer * getStride(operand, plan.rowLoops.front());
    return offset;
  };
  SmallVector<RowTile> rowTiles;
  SmallVector<int64_t> offsets;
  for (int64_t outer = 0; outer < (isOuter ? tile.rows.front() : 1); ++outer)
    for (int64_t begin = 0; begin < inner; begin += tiles.rows) {
      RowTile part{outer, std::min(begin, inner - tiles.rows), begin,
                   std::min(begin + tiles.rows, inner)};
      rowTiles.push_back(part);
      offsets.push_back(getOffset(rows, part));
    }
  auto forEachSum = [&](function_ref<void(size_t, int64_t)> body) {
    for (size_t i = 0; i < rowTiles.size(); ++i)
      for (int64_t j = 0; j < tile.vectors; ++j)
        body(i, j);
  };
  forEachSum([&](size_t i, int64_t j) {
    emitTileOp("tilezero", i * plan.vectors + j);
  });
  emitProducts(plan.sums, offsets, tile.vectors);
  // Zero is what tiles begin with.
  const bool isZero = isFirst && start && isZeroNumber(start);
  auto storeTiles = [&](Value memory, OpFoldResult first, int64_t rowBytes,
                        function_ref<Value(size_t, int64_t)> getPlace) {
    Value stride = arith::ConstantOp::create(b, b.getI64IntegerAttr(rowBytes));
    forEachSum([&](size_t i, int64_t j) {
      emitTileOp("tilestored64", i * plan.vectors + j,
                 {getAddress(memory, first, getPlace(i, j), 4), stride});
    });
  };
  if (isZero && !epilogue && tile.lastLanes == 0)
    return storeTiles(
        bases[result], starts[result],
        plan.rowLoops.empty() ? 0 : 4 * getStride(result, plan.rowLoops.back()),
        [&](size_t i, int64_t j) -> Value {
          return arith::AddIOp::create(
              b, at[result],
              index(getOffset(result, rowTiles[i]) + j * plan.lanes));
        });
  const int64_t rowSize = plan.vectors * plan.lanes;
  storeTiles(tileSums, b.getIndexAttr(0), 4 * rowSize,
             [&](size_t i, int64_t j) {
               return index(i * tiles.rows * rowSize + j * plan.lanes);
             });

  Tile row = tile;
  row.rows.assign(plan.rowLoops.size(), 1);
  auto type = VectorType::get({plan.lanes}, getElement(result));
  auto emitRow = [&](Value place) {
    SmallVector<Value> sums;
    if (!isZero)
      sums = emitStarts(row, isFirst);
    for (int64_t j = 0; j < row.vectors; ++j) {
      Value sum = vector::LoadOp::create(b, type, tileSums,
                                         add(place, j * plan.lanes));
      if (isZero)
        sums.push_back(sum);
      else if (isa<FloatType>(type.getElementType()))
        sums[j] = arith::AddFOp::create(b, sums[j], sum);
      else
        sums[j] = arith::AddIOp::create(b, sums[j], sum);
    }
    emitResults(row, std::move(sums));
  };
  for (size_t i = 0; i < rowTiles.size(); ++i) {
    const RowTile &part = rowTiles[i];
    const int64_t first = i * tiles.rows + part.begin - part.start;
    auto emitRows = [&] {
      if (plan.rowLoops.empty())
        return emitRow(index(first * rowSize));
      emitLoop(part.end - part.begin, [&](Value r) {
        emitAt(plan.rowLoops.back(), add(r, part.begin), [&] {
          emitRow(add(multiply(r, rowSize), first * rowSize));
        });
      });
    };
    if (isOuter)
      emitAt(plan.rowLoops.front(), index(part.outer), emitRows);
    else
      emitRows();
  }
}
