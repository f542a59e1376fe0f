//===- KernelEmitter.cpp - Loops around sums in registers -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reducing loop nest on buffers, as it is, loads and stores its result in
// every step. Here a tile of the result, rows by vectors, stays in registers
// while all sums run; KernelPlan says which. Loops from the outside:
//   1. batches, along which panels move;
//   2. blocks of sums that a cache holds; from the second one on, tiles begin
//      with what is there;
//   3. blocks of panels, copied where the plan says so: by the first tile of rows
//      that uses them, or before it where columns are no neighbours;
//   4. tiles of rows and panels, in the order of the plan. Rows that are left
//      over are tiles of one row less, columns a narrower tile, whose last
//      vector is masked;
//   5. the sums in their order, with the tile as loop-carried vectors.
//   6. an elementwise op on the result, where one follows, on the tile.
// Each element is summed in the order it was, by the same operations: the same
// bits.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

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
  /// A loop of that many turns, none where there is one.
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
  /// Where row (a, c) of a tile is from its first one.
  int64_t getRowOffset(unsigned operand, ArrayRef<int64_t> row) const;
  bool movesWithRows(unsigned operand) const {
    return llvm::any_of(plan.rowLoops, [&](unsigned loop) {
      return getStride(operand, loop) != 0;
    });
  }
  bool isVector(unsigned operand) const {
    return getStride(operand, plan.column) != 0;
  }

  /// Turns of a sum in this block, and of all sums.
  int64_t getTurns(unsigned loop) const {
    return loop == plan.sums.front() ? blockSums : nest.loops[loop].size;
  }
  int64_t getSteps() const {
    int64_t steps = 1;
    for (unsigned loop : plan.sums)
      steps *= getTurns(loop);
    return steps;
  }

  void emitBlocks(int64_t sums, bool isFirst);
  void emitPanels(int64_t count, int64_t lastLanes, bool isFirst);
  void pack(Value buffer, int64_t panels, int64_t columns);
  enum class Rows { All, First, AllButFirst };
  void emitRows(Rows which, function_ref<void(ArrayRef<int64_t>)> body);
  void emitTile(const Tile &tile, bool isFirst);
  SmallVector<Value> emitSums(ArrayRef<unsigned> loops, const Tile &tile,
                              ValueRange sums);
  /// Clones a body for each vector of a tile: arguments are operands of the
  /// nest, that of the result is `given`.
  SmallVector<Value> emitBody(Block *body, ArrayRef<unsigned> operands,
                              const Tile &tile, ValueRange given);
  void emitPrefetch(const Tile &tile);
  Value load(unsigned operand, int64_t offset, bool isMasked, const Tile &tile);
  Value getMask(const Tile &tile);

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  /// Null where there is none.
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
  /// Turns of the first sum in this block.
  int64_t blockSums = 0;
  /// The number, beyond the operands, under which panels are copied while they
  /// are used.
  std::optional<unsigned> copy;
};

} // namespace

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

constexpr auto kNoWrap =
    arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

Value KernelEmitter::add(Value a, Value c) {
  if (getConstant(a) == 0)
    return c;
  if (getConstant(c) == 0)
    return a;
  return arith::AddIOp::create(b, a, c, kNoWrap);
}

Value KernelEmitter::multiply(Value a, int64_t n) {
  if (n == 1)
    return a;
  if (std::optional<int64_t> number = getConstant(a))
    return index(*number * n);
  return arith::MulIOp::create(b, a, index(n), kNoWrap);
}

void KernelEmitter::emitLoop(int64_t count, function_ref<void(Value)> body) {
  if (count == 0)
    return;
  if (count == 1)
    return body(index(0));
  auto loop = scf::ForOp::create(b, index(0), index(count), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void KernelEmitter::emitAt(unsigned loop, Value position,
                           function_ref<void()> body) {
  SmallVector<Value> oldAt = at, oldIndices = indices;
  for (unsigned i = 0; i < at.size(); ++i)
    if (int64_t stride = getStride(i, loop))
      at[i] = add(at[i], multiply(position, stride));
  Value &number = indices[nest.loops[loop].number];
  number = add(number, position);
  body();
  at = std::move(oldAt);
  indices = std::move(oldIndices);
}

void KernelEmitter::emitAll(ArrayRef<unsigned> loops,
                            function_ref<void()> body) {
  if (loops.empty())
    return body();
  emitLoop(nest.loops[loops.front()].size, [&](Value i) {
    emitAt(loops.front(), i, [&] { emitAll(loops.drop_front(), body); });
  });
}

int64_t KernelEmitter::getRowOffset(unsigned operand,
                                    ArrayRef<int64_t> row) const {
  int64_t offset = 0;
  for (auto [loop, i] : llvm::zip_equal(plan.rowLoops, row))
    offset += i * getStride(operand, loop);
  return offset;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value KernelEmitter::getMask(const Tile &tile) {
  SmallVector<bool> bits(plan.lanes, false);
  std::fill_n(bits.begin(), tile.lastLanes, true);
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
  return vector::MaskedLoadOp::create(b, type, source, position, getMask(tile),
                                      zero);
}

Value KernelEmitter::widen(Value value, int64_t size) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, VectorType::get({size}, value.getType()), value);
}

/// All rows of a tile, the last loop fastest.
static SmallVector<SmallVector<int64_t, 2>> getRows(ArrayRef<int64_t> sizes) {
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
  // What every row shares, and of a row what every vector shares.
  SmallVector<SmallVector<Value>> shared(operands.size());
  auto isRead = [&](unsigned i) {
    return operands[i] != nest.getResult() && !body->getArgument(i).use_empty();
  };
  auto isMasked = [&](int64_t j) {
    return tile.lastLanes != 0 && j + 1 == tile.vectors;
  };
  auto loadAll = [&](unsigned operand, int64_t offset) {
    SmallVector<Value> values;
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
    // What is no vector is computed once a row.
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
        // A multiply-add by a scalar takes it as a vector: once a row.
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

void KernelEmitter::emitPrefetch(const Tile &tile) {
  // Rows that lie far apart no processor fetches ahead by itself.
  constexpr int64_t kFarAhead = 32;
  const int64_t ahead = copy ? kFarAhead : plan.prefetch;
  if (ahead == 0)
    return;
  for (unsigned i = 0; i < nest.getResult(); ++i)
    if (isVector(i) && !movesWithRows(i))
      for (int64_t j = 0; j < tile.vectors; ++j)
        memref::PrefetchOp::create(
            b, views[i],
            add(at[i], ahead * getStride(i, plan.sums.back()) + j * plan.lanes),
            /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

SmallVector<Value> KernelEmitter::emitSums(ArrayRef<unsigned> loops,
                                           const Tile &tile, ValueRange sums) {
  if (loops.empty()) {
    emitPrefetch(tile);
    auto numbers =
        llvm::to_vector(llvm::seq<unsigned>(0, nest.getResult() + 1));
    return emitBody(op.getBlock(), numbers, tile, sums);
  }
  unsigned number = loops.front();
  auto loop =
      scf::ForOp::create(b, index(0), index(getTurns(number)), index(1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> inner;
  emitAt(number, loop.getInductionVar(), [&] {
    inner = emitSums(loops.drop_front(), tile, loop.getRegionIterArgs());
  });
  scf::YieldOp::create(b, inner);
  return SmallVector<Value>(loop.getResults());
}

void KernelEmitter::emitTile(const Tile &tile, bool isFirst) {
  const unsigned result = nest.getResult();
  SmallVector<Value> sums;
  auto forEach = [&](unsigned operand, function_ref<void(int64_t, bool)> body) {
    for (const auto &row : getRows(tile.rows))
      for (int64_t j = 0; j < tile.vectors; ++j)
        body(getRowOffset(operand, row) + j * plan.lanes,
             tile.lastLanes != 0 && j + 1 == tile.vectors);
  };
  auto type = VectorType::get({plan.lanes}, getElement(result));
  if (isFirst && start) {
    Value value = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, Attribute(start)));
    sums.append(getRows(tile.rows).size() * tile.vectors, value);
  } else {
    forEach(result, [&](int64_t offset, bool isMasked) {
      sums.push_back(load(result, offset, isMasked, tile));
    });
  }
  sums = emitSums(plan.sums, tile, sums);
  if (epilogue)
    sums = emitBody(epilogue.getBlock(), nest.epilogueOperands, tile, sums);
  unsigned next = 0;
  const unsigned target = nest.getTarget();
  forEach(target, [&](int64_t offset, bool isMasked) {
    Value position = add(at[target], offset), value = sums[next++];
    if (isMasked)
      vector::MaskedStoreOp::create(b, views[target], position, getMask(tile),
                                    value);
    else
      vector::StoreOp::create(b, value, views[target], position);
  });
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void KernelEmitter::emitRows(Rows which,
                             function_ref<void(ArrayRef<int64_t>)> body) {
  struct Level {
    unsigned loop;
    SmallVector<Pieces, 2> pieces;
  };
  SmallVector<Level> levels;
  for (unsigned loop : plan.others)
    levels.push_back({loop, {{nest.loops[loop].size, 1, 0}}});
  for (auto [loop, rows] : llvm::zip_equal(plan.rowLoops, plan.rows))
    levels.push_back({loop, Pieces::split(nest.loops[loop].size, rows)});
  SmallVector<int64_t> sizes;
  std::function<void(unsigned, Rows)> emitLevel = [&](unsigned i, Rows which) {
    if (i == levels.size()) {
      if (which != Rows::AllButFirst)
        body(ArrayRef(sizes).take_back(plan.rowLoops.size()));
      return;
    }
    for (size_t group = 0; group < levels[i].pieces.size(); ++group) {
      const Pieces &pieces = levels[i].pieces[group];
      auto emitFrom = [&](int64_t begin, int64_t count, Rows inner) {
        sizes.push_back(pieces.size);
        emitLoop(count, [&](Value piece) {
          Value row = add(multiply(piece, pieces.size),
                          pieces.start + begin * pieces.size);
          emitAt(levels[i].loop, row, [&] { emitLevel(i + 1, inner); });
        });
        sizes.pop_back();
      };
      if (which == Rows::All || group != 0) {
        if (which != Rows::First)
          emitFrom(0, pieces.count, Rows::All);
        continue;
      }
      emitFrom(0, 1, which);
      if (which == Rows::AllButFirst)
        emitFrom(1, pieces.count - 1, Rows::All);
    }
  };
  emitLevel(0, which);
}

/// Copies panels of the packed operand, from where it is, one after the other.
void KernelEmitter::pack(Value buffer, int64_t panels, int64_t width) {
  const unsigned operand = *plan.packed;
  MLIRContext *context = b.getContext();
  SmallVector<int64_t> sizes = {panels},
                       strides = {plan.getWidth() *
                                  getStride(operand, plan.column)};
  for (unsigned loop : plan.sums) {
    sizes.push_back(getTurns(loop));
    strides.push_back(getStride(operand, loop));
  }
  sizes.push_back(width);
  strides.push_back(getStride(operand, plan.column));
  Type element = getElement(operand);
  auto view = [&](Value of, Value offset, ArrayRef<int64_t> strides) {
    auto layout =
        StridedLayoutAttr::get(context, ShapedType::kDynamic, strides);
    auto type =
        MemRefType::get(sizes, element, layout,
                        cast<MemRefType>(of.getType()).getMemorySpace());
    auto getAttrs = [&](ArrayRef<int64_t> list) {
      return getAsIndexOpFoldResult(context, list);
    };
    return memref::ReinterpretCastOp::create(
        b, type, of, OpFoldResult(offset), getAttrs(sizes), getAttrs(strides));
  };
  SmallVector<int64_t> dense(sizes.size(), 1);
  dense[sizes.size() - 2] = plan.getWidth();
  for (size_t i = sizes.size() - 2; i-- > 0;)
    dense[i] = dense[i + 1] * sizes[i + 1];
  Value start = getValueOrCreateConstantIndexOp(b, b.getLoc(), starts[operand]);
  Value from = view(bases[operand], add(at[operand], start), strides);
  Value to = view(buffer, index(0), dense);
  AffineMap map = AffineMap::getMultiDimIdentityMap(sizes.size(), context);
  linalg::GenericOp::create(
      b, TypeRange(), from, to, ArrayRef<AffineMap>{map, map},
      SmallVector<utils::IteratorType>(sizes.size(),
                                       utils::IteratorType::parallel),
      [](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, arguments.front());
      });
}

/// Tiles of that many panels from where operands are, of which the last may
/// have fewer lanes.
void KernelEmitter::emitPanels(int64_t count, int64_t lastLanes, bool isFirst) {
  Tile tile;
  tile.vectors = plan.vectors;
  tile.lastLanes = 0;
  if (lastLanes != 0) {
    tile.vectors = llvm::divideCeilSigned(lastLanes, plan.lanes);
    tile.lastLanes = lastLanes % plan.lanes;
  }
  // A copied panel is followed by the next one.
  const int64_t panelSize = getSteps() * plan.getWidth();
  std::optional<unsigned> panels;
  if (!plan.isPacked)
    panels = plan.packed;
  auto emitAllPanels = [&](function_ref<void()> body) {
    emitLoop(count, [&](Value panel) {
      emitAt(plan.column, multiply(panel, plan.getWidth()), [&] {
        if (panels)
          at[*panels] = multiply(panel, panelSize);
        body();
      });
    });
  };
  auto emit = [&](Rows which) {
    if (plan.rowsOutside)
      return emitRows(which, [&](ArrayRef<int64_t> rows) {
        tile.rows.assign(rows.begin(), rows.end());
        emitAllPanels([&] { emitTile(tile, isFirst); });
      });
    emitAllPanels([&] {
      emitRows(which, [&](ArrayRef<int64_t> rows) {
        tile.rows.assign(rows.begin(), rows.end());
        emitTile(tile, isFirst);
      });
    });
  };
  if (!plan.packed || plan.isPacked)
    return emit(Rows::All);
  const unsigned operand = *plan.packed;
  auto type = MemRefType::get({count * panelSize}, getElement(operand));
  Value buffer = memref::AllocOp::create(b, type, b.getI64IntegerAttr(64));
  // How the copy is walked.
  auto setStrides = [&](unsigned number) {
    for (StridedNest::Loop &loop : nest.loops)
      loop.strides[number] = 0;
    int64_t size = plan.getWidth();
    for (unsigned loop : llvm::reverse(plan.sums)) {
      nest.loops[loop].strides[number] = size;
      size *= getTurns(loop);
    }
  };
  Rows rest = Rows::All;
  if (getStride(operand, plan.column) == 1 && !plan.rowLoops.empty()) {
    // The first tile of rows takes what it copies.
    copy = nest.operands.size();
    for (StridedNest::Loop &loop : nest.loops)
      loop.strides.push_back(0);
    setStrides(*copy);
    views.push_back(buffer);
    at.push_back(index(0));
    panels = copy;
    rest = Rows::AllButFirst;
    emit(Rows::First);
    for (StridedNest::Loop &loop : nest.loops)
      loop.strides.pop_back();
    views.pop_back();
    at.pop_back();
    panels = plan.packed;
    copy = std::nullopt;
  } else {
    // What happens to be there may be subnormal, which multiply-adds are slow
    // on.
    if (lastLanes != 0)
      linalg::FillOp::create(b,
                             Value(arith::ConstantOp::create(
                                 b, b.getZeroAttr(type.getElementType()))),
                             buffer);
    pack(buffer, count, lastLanes != 0 ? lastLanes : plan.getWidth());
  }
  // From here on the operand is its copy.
  StridedNest old = nest;
  Value oldView = std::exchange(views[operand], buffer);
  Value oldAt = std::exchange(at[operand], index(0));
  setStrides(operand);
  nest.loops[plan.column].strides[operand] = 1;
  emit(rest);
  nest = std::move(old);
  views[operand] = oldView;
  at[operand] = oldAt;
  memref::DeallocOp::create(b, buffer);
}

void KernelEmitter::emitBlocks(int64_t sums, bool isFirst) {
  blockSums = sums;
  const int64_t columns = nest.loops[plan.column].size;
  const int64_t width = plan.getWidth(), whole = columns / width;
  if (whole != 0)
    for (const Pieces &pieces : Pieces::split(whole, plan.panelsPerBlock))
      emitLoop(pieces.count, [&](Value block) {
        Value panel = add(multiply(block, pieces.size), pieces.start);
        emitAt(plan.column, multiply(panel, width),
               [&] { emitPanels(pieces.size, 0, isFirst); });
      });
  if (int64_t rest = columns % width)
    emitAt(plan.column, index(whole * width),
           [&] { emitPanels(1, rest, isFirst); });
}

void KernelEmitter::run() {
  Value zero = index(0);
  for (auto [i, operand] : llvm::enumerate(nest.operands)) {
    at.push_back(zero);
    auto type = dyn_cast<MemRefType>(operand.getType());
    bases.push_back(operand);
    starts.push_back(b.getIndexAttr(nest.offsets[i]));
    if (!type) {
      views.push_back(operand);
      continue;
    }
    if (ShapedType::isDynamic(nest.offsets[i])) {
      auto parts = memref::ExtractStridedMetadataOp::create(b, operand);
      bases.back() = parts.getBaseBuffer();
      starts.back() = parts.getOffset();
    }
    auto layout = StridedLayoutAttr::get(b.getContext(), nest.offsets[i], {1});
    auto flat = MemRefType::get({nest.extents[i]}, type.getElementType(),
                                nest.offsets[i] == 0
                                    ? MemRefLayoutAttrInterface()
                                    : MemRefLayoutAttrInterface(layout),
                                type.getMemorySpace());
    views.push_back(memref::ReinterpretCastOp::create(
        b, flat, bases.back(), starts.back(),
        ArrayRef<OpFoldResult>{b.getIndexAttr(nest.extents[i])},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1)}));
  }
  indices.assign(op.getNumLoops(), zero);
  emitAll(plan.batches, [&] {
    unsigned first = plan.sums.front();
    bool isFirst = true;
    for (const Pieces &pieces :
         Pieces::split(nest.loops[first].size, plan.sumsPerBlock)) {
      int64_t begin = pieces.start;
      // The first block may begin with a value.
      if (isFirst) {
        emitBlocks(pieces.size, true);
        isFirst = false;
        if (pieces.count == 1)
          continue;
        begin += pieces.size;
      }
      int64_t count = pieces.count - (begin != pieces.start);
      emitLoop(count, [&](Value block) {
        emitAt(first, add(multiply(block, pieces.size), begin),
               [&] { emitBlocks(pieces.size, false); });
      });
    }
  });
}

void mlir::tensoraccess::emitKernel(RewriterBase &rewriter, linalg::LinalgOp op,
                                    StridedNest nest, KernelPlan plan,
                                    linalg::GenericOp epilogue,
                                    TypedAttr start) {
  KernelEmitter(rewriter, op, std::move(nest), std::move(plan), epilogue, start)
      .run();
}
