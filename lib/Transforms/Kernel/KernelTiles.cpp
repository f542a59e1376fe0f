//===- KernelTiles.cpp - Tiles of a result in registers -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums of a tile and the elementwise op on it, in vectors. Bodies are cloned
// with vectors for what moves along the columns, and numbers for what does not.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "VectorSquares.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value KernelEmitter::getMask(int64_t lanes) {
  SmallVector<bool> bits(plan.lanes, false);
  std::fill_n(bits.begin(), lanes, true);
  auto type = VectorType::get({plan.lanes}, b.getI1Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, bits));
}

Value KernelEmitter::load(unsigned operand, int64_t offset, bool isMasked,
                          const Tile &tile) {
  Value source = views[operand];
  if (!isa<MemRefType>(source.getType()))
    return source;
  Value position = add(at[operand], offset);
  if (!isVector(operand))
    return memref::LoadOp::create(b, source, position);
  auto type = VectorType::get({plan.lanes}, getElement(operand));
  if (!isMasked)
    return vector::LoadOp::create(b, type, source, position);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, type, source, position,
                                      getMask(tile.lastLanes), zero);
}

Value KernelEmitter::widen(Value value, int64_t size) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, VectorType::get({size}, value.getType()), value);
}

SmallVector<SmallVector<int64_t, 2>>
mlir::tensoraccess::getRows(ArrayRef<int64_t> sizes) {
  SmallVector<SmallVector<int64_t, 2>> rows = {{}};
  for (int64_t size : sizes) {
    SmallVector<SmallVector<int64_t, 2>> next;
    for (const auto &row : rows)
      for (int64_t i = 0; i < size; ++i) {
        next.push_back(row);
        next.back().push_back(i);
      }
    rows = std::move(next);
  }
  return rows;
}

SmallVector<Value> KernelEmitter::emitBody(Block *body,
                                           ArrayRef<unsigned> operands,
                                           const Tile &tile, ValueRange given) {
  // What all rows share, and what all vectors of a row share.
  SmallVector<SmallVector<Value>> shared(operands.size());
  auto isRead = [&](unsigned i) {
    return operands[i] != nest.getResult() && !body->getArgument(i).use_empty();
  };
  auto isMasked = [&](int64_t j) {
    return tile.lastLanes != 0 && j + 1 == tile.vectors;
  };
  auto loadAll = [&](unsigned operand, int64_t offset) {
    SmallVector<Value> values;
    if (auto square = squares.find(operand); square != squares.end()) {
      values.push_back(square->second[squareStep]);
      return values;
    }
    for (int64_t j = 0; j < tile.vectors; ++j)
      values.push_back(
          !isVector(operand) && j != 0
              ? values.front()
              : load(operand, offset + j * plan.lanes,
                     isMasked(j) && (operand != plan.packed || copy), tile));
    return values;
  };
  for (auto [i, operand] : llvm::enumerate(operands))
    if (isRead(i) && !movesWithRows(operand)) {
      shared[i] = loadAll(operand, 0);
      if (copy && operand == plan.packed)
        for (auto [j, value] : llvm::enumerate(shared[i]))
          vector::StoreOp::create(b, value, views[*copy],
                                  add(at[*copy], j * plan.lanes));
    }
  SmallVector<Value> results;
  for (const auto &row : getRows(tile.rows)) {
    SmallVector<SmallVector<Value>> values = shared;
    for (auto [i, operand] : llvm::enumerate(operands))
      if (isRead(i) && movesWithRows(operand))
        values[i] = loadAll(operand, getRowOffset(operand, row));
    // What is not a vector is computed once per row.
    IRMapping scalars;
    for (int64_t j = 0; j < tile.vectors; ++j) {
      IRMapping mapping = scalars;
      for (auto [i, operand] : llvm::enumerate(operands))
        if (operand == nest.getResult())
          mapping.map(body->getArgument(i), given[results.size()]);
        else if (isRead(i))
          mapping.map(body->getArgument(i), values[i][j]);
      for (Operation &inner : body->without_terminator()) {
        if (mapping.contains(inner.getResult(0)))
          continue;
        if (auto position = dyn_cast<linalg::IndexOp>(inner)) {
          Value number = indices[position.getDim()];
          for (auto [loop, i] : llvm::zip_equal(plan.rowLoops, row))
            if (nest.loops[loop].number == position.getDim())
              number = add(number, i);
          mapping.map(position.getResult(), number);
          scalars.map(position.getResult(), number);
          continue;
        }
        bool isWide = llvm::any_of(inner.getOperands(), [&](Value operand) {
          return isa<VectorType>(mapping.lookupOrDefault(operand).getType());
        });
        // A multiply-add by a scalar takes it as a vector: once per row.
        if (isWide)
          for (Value operand : inner.getOperands()) {
            Value value = mapping.lookupOrDefault(operand);
            if (isa<VectorType>(value.getType()))
              continue;
            Value wide = widen(value, plan.lanes);
            for (unsigned i = 0; i < operands.size(); ++i)
              if (operand == body->getArgument(i))
                std::fill(values[i].begin(), values[i].end(), wide);
            mapping.map(operand, wide);
          }
        Operation *clone = b.clone(inner, mapping);
        for (auto [from, to] :
             llvm::zip_equal(inner.getResults(), clone->getResults())) {
          if (isWide)
            to.setType(VectorType::get({plan.lanes}, to.getType()));
          else
            scalars.map(from, to);
        }
      }
      results.push_back(
          widen(mapping.lookupOrDefault(body->getTerminator()->getOperand(0)),
                plan.lanes));
    }
  }
  return results;
}

Value KernelEmitter::getPlace(unsigned operand, int64_t offset) {
  Value place = add(at[operand], offset);
  return nest.dot && (operand == nest.packed->operand || operand == next)
             ? multiply(place, nest.dot->size)
             : place;
}

SmallVector<Value> KernelEmitter::emitDots(const Tile &tile, ValueRange sums) {
  const DotStep &dot = *nest.dot;
  const unsigned columns = nest.packed->operand, rows = 1 - columns;
  Type element = getElement(rows), word = b.getI32Type();
  auto wordsType = VectorType::get({plan.lanes}, word);
  auto smallType = VectorType::get({dot.size * plan.lanes}, element);
  auto sumType = VectorType::get({plan.lanes}, getElement(nest.getResult()));
  SmallVector<Value> vectors;
  for (int64_t j = 0; j < tile.vectors; ++j)
    vectors.push_back(vector::LoadOp::create(
        b, smallType, views[columns], getPlace(columns, j * plan.lanes)));
  StringRef stem = dot.isBF16() ? "llvm.x86.avx512bf16.dpbf16ps."
                                : "llvm.x86.avx512.vpdpbusd.";
  auto name = b.getStringAttr(stem + Twine(32 * plan.lanes));
  SmallVector<Value> results;
  for (const auto &row : getRows(tile.rows)) {
    // What is multiplied together as one number, for all columns.
    Value group = vector::LoadOp::create(
        b, VectorType::get({dot.size}, element), views[rows],
        add(at[rows], getRowOffset(rows, row)));
    group = vector::BitCastOp::create(b, VectorType::get({1}, word), group);
    group = vector::ExtractOp::create(b, group, 0);
    if (dot.flippedBits != 0) {
      auto bits = static_cast<int32_t>(0x01010101u * dot.flippedBits);
      group = arith::XOrIOp::create(
          b, group, arith::ConstantOp::create(b, b.getI32IntegerAttr(bits)));
    }
    group = vector::BitCastOp::create(
        b, smallType, vector::BroadcastOp::create(b, wordsType, group));
    for (Value column : vectors) {
      SmallVector<Value> operands = {sums[results.size()], group, column};
      if (!dot.isBF16() && dot.getUnsignedInput() == columns)
        std::swap(operands[1], operands[2]);
      results.push_back(
          LLVM::CallIntrinsicOp::create(b, sumType, name, operands)
              .getResult(0));
    }
  }
  return results;
}

void KernelEmitter::emitPrefetch(const Tile &tile) {
  // Processors do not prefetch rows that are far apart by themselves.
  constexpr int64_t kFarAhead = 32;
  const int64_t ahead = copy ? kFarAhead : plan.prefetch;
  if (ahead == 0)
    return;
  for (unsigned i = 0; i < nest.getResult(); ++i)
    if (isVector(i) && !movesWithRows(i))
      for (int64_t j = 0; j < tile.vectors; ++j)
        fetch(i, getPlace(i, ahead * getStride(i, plan.sums.back()) +
                                 j * plan.lanes));
  if (next)
    fetch(*next, getPlace(*next, 0));
}

void KernelEmitter::prefetchEpilogue(const Tile &tile) {
  for (unsigned i = nest.getResult() + 1; i < nest.getTarget(); ++i)
    if (isVector(i) && movesWithRows(i))
      forEachVector(
          i, tile, [&](int64_t offset, bool) { fetch(i, add(at[i], offset)); });
}

SmallVector<Value> KernelEmitter::emitSums(ArrayRef<unsigned> loops,
                                           const Tile &tile, ValueRange sums) {
  if (loops.empty()) {
    emitPrefetch(tile);
    if (nest.dot)
      return emitDots(tile, sums);
    auto numbers =
        llvm::to_vector(llvm::seq<unsigned>(0, nest.getResult() + 1));
    return emitBody(op.getBlock(), numbers, tile, sums);
  }
  if (loops.size() == 1 && !plan.squares.empty())
    return nest.freeStep ? emitFreeSums(tile, sums)
                         : emitSquareLoops(tile, sums);
  const unsigned number = loops.front();
  auto loop = scf::ForOp::create(b, index(0), index(getTripCount(number)),
                                 index(1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  emitAt(number, loop.getInductionVar(), [&] {
    scf::YieldOp::create(
        b, emitSums(loops.drop_front(), tile, loop.getRegionIterArgs()));
  });
  return loop.getResults();
}

//===----------------------------------------------------------------------===//
// Squares
//===----------------------------------------------------------------------===//

/// Fetches as much as that many rows have in columns from a position of the last sum.
void KernelEmitter::emitPrefetchAhead(int64_t firstRow, int64_t rows,
                                      int64_t columns, Value position) {
  constexpr int64_t kLine = 64;
  const unsigned operand = plan.squares.front();
  const int64_t bytes = nest.elementBytes[operand];
  if (plan.ahead == 0)
    return;
  Value place = add(at[operand], multiply(position, rows));
  place = add(place, firstRow * getStride(operand, plan.column) + plan.ahead);
  for (int64_t i = 0; i < rows * columns; i += kLine / bytes)
    fetch(operand, add(place, i), /*locality=*/2);
}

SmallVector<Value> KernelEmitter::emitSquareLoops(const Tile &tile,
                                                  ValueRange sums) {
  const unsigned sum = plan.sums.back();
  const int64_t iterations = getTripCount(sum), step = getSquareStep(),
                whole = iterations / step * step, count = tile.vectors;
  SmallVector<Value> all(sums);
  // What is counted is where the last vector is.
  auto emitLoop = [&](int64_t first, int64_t last, int64_t begin, int64_t end) {
    if (begin >= end)
      return;
    auto loop =
        scf::ForOp::create(b, index(begin), index(end), index(step), all);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    for (int64_t j = first; j < last; ++j)
      emitPrefetchAhead(j * plan.lanes, plan.lanes, step,
                        add(loop.getInductionVar(), (last - 1 - j) * plan.lag));
    emitAt(sum, loop.getInductionVar(), [&] {
      scf::YieldOp::create(
          b, emitSquares(tile, first, last, step, loop.getRegionIterArgs()));
    });
    llvm::copy(loop.getResults(), all.begin());
  };
  for (int64_t last = 1; last < count; ++last)
    emitLoop(0, last, 0, plan.lag);
  for (int64_t first = 0; first < count; ++first) {
    int64_t end = whole - (count - 1 - first) * plan.lag;
    emitLoop(first, count, first == 0 ? 0 : end - plan.lag, end);
  }
  for (int64_t begin = whole; begin < iterations; begin += plan.lanes)
    emitAt(sum, index(begin), [&] {
      for (int64_t i = 0; i < count; ++i)
        all = emitSquares(tile, i, i + 1,
                          std::min(plan.lanes, iterations - begin), all);
    });
  return all;
}

Value KernelEmitter::combine(Value x, Value y) {
  IRMapping mapping;
  mapping.map(nest.freeStep->getOperands(), ArrayRef<Value>{x, y});
  Operation *clone = b.clone(*nest.freeStep, mapping);
  clone->getResult(0).setType(x.getType());
  return clone->getResult(0);
}

/// Values in pairs, of pairs, which wait for each other less than one after the
/// other.
Value KernelEmitter::combineAll(const Step &step, ArrayRef<Value> values) {
  SmallVector<Value> left(values);
  while (left.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < left.size(); i += 2)
      next.push_back(step(left[i], left[i + 1]));
    if (left.size() % 2 != 0)
      next.push_back(left.back());
    left = std::move(next);
  }
  return left.front();
}

/// What that many rows of the input are combined to, each along the last sum.
///
/// A float's bits are as large as it is where it has no sign, and the smaller the
/// larger it is where it has one. So the largest is that of the largest bits, or,
/// if all have signs, of the smallest; the smallest is that of the largest without
/// sign, or, if none has a sign, of the smallest. Those are right for zeros of both
/// signs; and a NaN is beyond an infinity, of one sign or the other.
Value KernelEmitter::emitFreeColumn(int64_t rows) {
  const unsigned input = plan.squares.front(), sum = plan.sums.back();
  const int64_t iterations = getTripCount(sum);
  Type element = getElement(input), bits = element;
  SmallVector<Step> steps = {[&](Value x, Value y) { return combine(x, y); }};
  if (plan.comparesBits) {
    bits = b.getIntegerType(element.getIntOrFloatBitWidth());
    steps = {[&](Value x, Value y) { return arith::MaxSIOp::create(b, x, y); },
             [&](Value x, Value y) { return arith::MinSIOp::create(b, x, y); },
             [&](Value x, Value y) { return arith::MaxUIOp::create(b, x, y); }};
  }
  auto bitsType = VectorType::get({plan.lanes}, bits);
  auto getConstant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b,
                                     DenseElementsAttr::get(bitsType, value));
  };
  auto load = [&](int64_t row, int64_t lanes, int64_t count) -> Value {
    auto type = VectorType::get({lanes}, element);
    Value position = add(at[input], row * getStride(input, plan.column));
    Value value =
        count == lanes
            ? Value(vector::LoadOp::create(b, type, views[input], position))
            : Value(vector::MaskedLoadOp::create(
                  b, type, views[input], position, getMask(count),
                  arith::ConstantOp::create(b, b.getZeroAttr(type))));
    return bits == element
               ? value
               : vector::BitCastOp::create(b, type.clone(bits), value);
  };
  // By step, what is combined in the end.
  SmallVector<SmallVector<Value>> left(steps.size());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(bitsType));
  const int64_t width = plan.freeLanes;
  int64_t done = 0;
  // Rows along the sum, unless there are fewer squares than would be left of them.
  if (iterations / width >= static_cast<int64_t>(steps.size())) {
    done = iterations / width * width;
    for (SmallVector<Value> &values : left)
      values.assign(plan.lanes, zero);
    for (int64_t begin = 0; begin < rows; begin += plan.freeRows) {
      const int64_t end = std::min(begin + plan.freeRows, rows);
      SmallVector<Value> state;
      emitPrefetchAhead(begin, end - begin, width, index(0));
      for (int64_t row = begin; row < end; ++row)
        state.append(steps.size(), load(row, width, width));
      auto loop =
          scf::ForOp::create(b, index(width), index(done), index(width), state);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> next;
      emitPrefetchAhead(begin, end - begin, width, loop.getInductionVar());
      emitAt(sum, loop.getInductionVar(), [&] {
        for (int64_t row = begin; row < end; ++row) {
          Value value = load(row, width, width);
          for (const Step &step : steps)
            next.push_back(step(loop.getRegionIterArg(next.size()), value));
        }
      });
      scf::YieldOp::create(b, next);
      b.setInsertionPointAfter(loop);
      for (auto [i, value] : llvm::enumerate(loop.getResults())) {
        Value half = value;
        for (int64_t lanes = width / 2; lanes >= plan.lanes; lanes /= 2) {
          auto take = [&](int64_t first) -> Value {
            return vector::ExtractStridedSliceOp::create(b, half, first, lanes,
                                                         int64_t(1));
          };
          Value low = take(0), high = take(lanes);
          half = steps[i % steps.size()](low, high);
        }
        left[i % steps.size()][begin + i / steps.size()] = half;
      }
    }
    for (SmallVector<Value> &values : left)
      values = transposeSquare(b, b.getLoc(), values);
  }
  for (; done < iterations; done += plan.lanes) {
    const int64_t count = std::min(plan.lanes, iterations - done);
    SmallVector<Value> square(plan.lanes, zero);
    emitAt(sum, index(done), [&] {
      for (int64_t row = 0; row < rows; ++row)
        square[row] = load(row, plan.lanes, count);
    });
    square = transposeSquare(b, b.getLoc(), square);
    for (SmallVector<Value> &values : left)
      llvm::append_range(values, ArrayRef(square).take_front(count));
  }
  SmallVector<Value> results;
  for (auto [step, values] : llvm::zip_equal(steps, left))
    results.push_back(combineAll(step, values));
  if (!plan.comparesBits)
    return results.front();
  auto select = [&](arith::CmpIPredicate predicate, Value x, Value y, Value yes,
                    Value no) -> Value {
    return arith::SelectOp::create(b, arith::CmpIOp::create(b, predicate, x, y),
                                   yes, no);
  };
  using Predicate = arith::CmpIPredicate;
  const Value most = results[0], least = results[1], mostUnsigned = results[2];
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  auto getInfinity = [&](bool isNegative) {
    return getConstant(APFloat::getInf(semantics, isNegative).bitcastToAPInt());
  };
  Value result;
  if (isa<arith::MaximumFOp>(nest.freeStep)) {
    result = select(Predicate::sge, most, zero, most, least);
    result = select(Predicate::ugt, mostUnsigned, getInfinity(true),
                    mostUnsigned, result);
  } else {
    result = select(Predicate::slt, mostUnsigned, zero, mostUnsigned, least);
    result = select(Predicate::sgt, most, getInfinity(false), most, result);
  }
  return vector::BitCastOp::create(b, bitsType.clone(element), result);
}

/// The last sum, where the order is free.
SmallVector<Value> KernelEmitter::emitFreeSums(const Tile &tile,
                                               ValueRange sums) {
  SmallVector<Value> all(sums);
  for (int64_t j = 0; j < tile.vectors; ++j)
    emitAt(plan.column, index(j * plan.lanes), [&] {
      bool isCut = j + 1 == tile.vectors && tile.lastLanes != 0;
      Value value = emitFreeColumn(isCut ? tile.lastLanes : plan.lanes);
      for (size_t i = j; i < all.size(); i += tile.vectors)
        all[i] = combine(all[i], value);
    });
  return all;
}

/// The first halves and the second ones of numbers of 32 bits, in turns.
SmallVector<Value> KernelEmitter::splitPairs(ArrayRef<Value> pairs,
                                             Type element) {
  auto half = VectorType::get({plan.lanes}, b.getI16Type());
  Value bits = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<ShapedType>(pairs.front().getType()),
                                b.getI32IntegerAttr(16)));
  SmallVector<Value> values;
  for (Value pair : pairs)
    for (Value part : {pair, Value(arith::ShRUIOp::create(b, pair, bits))})
      values.push_back(vector::BitCastOp::create(
          b, half.clone(element), arith::TruncIOp::create(b, half, part)));
  return values;
}

/// That many iterations of the last sum, of some vectors.
SmallVector<Value> KernelEmitter::emitSquares(const Tile &tile, int64_t first,
                                              int64_t last, int64_t iterations,
                                              ValueRange sums) {
  const unsigned sum = plan.sums.back();
  SmallVector<Value> all(sums);
  auto numbers = llvm::to_vector(llvm::seq<unsigned>(0, nest.getResult() + 1));
  auto emitVector = [&](int64_t j) {
    const bool isLast = j + 1 == tile.vectors;
    Tile part{tile.rows, 1, isLast ? tile.lastLanes : 0};
    for (unsigned operand : plan.squares) {
      const bool arePairs = iterations > plan.lanes;
      auto type = VectorType::get({arePairs ? iterations : plan.lanes},
                                  getElement(operand));
      auto pairs = VectorType::get({plan.lanes}, b.getI32Type());
      Value zero =
          arith::ConstantOp::create(b, b.getZeroAttr(arePairs ? pairs : type));
      SmallVector<Value> rows(plan.lanes, zero);
      const int64_t count = part.lastLanes ? part.lastLanes : plan.lanes;
      for (int64_t row = 0; row < count; ++row) {
        Value position =
            add(at[operand], row * getStride(operand, plan.column));
        if (plan.prefetch != 0)
          fetch(operand, add(position, plan.prefetch));
        rows[row] = iterations >= plan.lanes
                        ? Value(vector::LoadOp::create(b, type, views[operand],
                                                       position))
                        : Value(vector::MaskedLoadOp::create(
                              b, type, views[operand], position,
                              getMask(iterations), zero));
      }
      if (arePairs)
        for (Value &row : MutableArrayRef(rows).take_front(count))
          row = vector::BitCastOp::create(b, pairs, row);
      squares[operand] = transposeSquare(b, b.getLoc(), rows);
      if (arePairs)
        squares[operand] = splitPairs(squares[operand], getElement(operand));
    }
    SmallVector<Value> own;
    for (size_t i = j; i < all.size(); i += tile.vectors)
      own.push_back(all[i]);
    for (squareStep = 0; squareStep < iterations; ++squareStep)
      emitAt(sum, index(squareStep),
             [&] { own = emitBody(op.getBlock(), numbers, part, own); });
    for (auto [i, value] : llvm::enumerate(own))
      all[i * tile.vectors + j] = value;
    squares.clear();
  };
  for (int64_t j = first; j < last; ++j)
    emitAt(plan.column, index(j * plan.lanes), [&] {
      emitAt(sum, index((last - 1 - j) * plan.lag), [&] { emitVector(j); });
    });
  return all;
}

/// Each vector of a tile: where it is from the tile's first element, and whether
/// it is masked.
void KernelEmitter::forEachVector(unsigned operand, const Tile &tile,
                                  function_ref<void(int64_t, bool)> body) {
  for (const auto &row : getRows(tile.rows))
    for (int64_t j = 0; j < tile.vectors; ++j)
      body(getRowOffset(operand, row) + j * plan.lanes,
           tile.lastLanes != 0 && j + 1 == tile.vectors);
}

SmallVector<Value> KernelEmitter::emitStarts(const Tile &tile, bool isFirst) {
  const unsigned result = nest.getResult();
  SmallVector<Value> sums;
  auto type = VectorType::get({plan.lanes}, getElement(result));
  if (isFirst && start) {
    Value value = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, Attribute(start)));
    sums.append(getRows(tile.rows).size() * tile.vectors, value);
  } else {
    forEachVector(result, tile, [&](int64_t offset, bool isMasked) {
      sums.push_back(load(result, offset, isMasked, tile));
    });
  }
  return sums;
}

void KernelEmitter::emitTile(const Tile &tile, bool isFirst) {
  // Meanwhile a line arrives from memory.
  constexpr int64_t kManySteps = 32;
  if (plan.tiles)
    return emitMatrixTile(tile, isFirst);
  if (getSteps() >= kManySteps)
    prefetchEpilogue(tile);
  emitResults(tile, emitSums(plan.sums, tile, emitStarts(tile, isFirst)));
}

void KernelEmitter::emitResults(const Tile &tile, SmallVector<Value> sums) {
  if (epilogue)
    sums = emitBody(epilogue.getBlock(), nest.epilogueOperands, tile, sums);
  unsigned next = 0;
  const unsigned target = nest.getTarget();
  forEachVector(target, tile, [&](int64_t offset, bool isMasked) {
    Value position = add(at[target], offset), value = sums[next++];
    // LLVM's x86 back end stores a whole i32 where one lane of a vector that was
    // truncated is stored.
    if (isMasked && tile.lastLanes == 1)
      memref::StoreOp::create(b, vector::ExtractOp::create(b, value, 0),
                              views[target], position);
    else if (isMasked)
      vector::MaskedStoreOp::create(b, views[target], position,
                                    getMask(tile.lastLanes), value);
    else
      vector::StoreOp::create(b, value, views[target], position);
  });
}
