//===- KernelEmitter.cpp - Loops around sums in registers -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reducing loop nest on buffers, as it is, loads and stores its result in
// every step. Here a tile of the result, rows by vectors, stays in registers
// while all sums run; KernelPlan decides which. Loops from the outside:
//   1. batches, along which panels move;
//   2. blocks of sums that a cache holds; from the second one on, tiles begin
//      with what is there;
//   3. blocks of panels, copied where the plan has it: by the first tile of rows
//      that uses them, or before it where columns are not neighbours;
//   4. tiles of rows and panels, in the order of the plan. Rows that are left
//      over are tiles of one row less, columns a narrower tile, whose last
//      vector is masked;
//   5. the sums in their order, with the tile as loop-carried vectors; the last
//      one by squares, if an operand's rows are along it;
//   6. an elementwise op on the result, where one follows, on the tile.
// Each element is summed in the same order as before, by the same operations: same
// bits.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

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
    sizes.push_back(getTripCount(loop));
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
  mapInto(b, b.getLoc(), from, to,
          [](ImplicitLocOpBuilder &, ValueRange args) { return args[0]; });
}

unsigned KernelEmitter::pushWalk(Value view, Value position) {
  for (StridedNest::Loop &loop : nest.loops)
    loop.strides.push_back(0);
  views.push_back(view);
  at.push_back(position);
  return views.size() - 1;
}

void KernelEmitter::popWalk() {
  for (StridedNest::Loop &loop : nest.loops)
    loop.strides.pop_back();
  views.pop_back();
  at.pop_back();
}

void KernelEmitter::setSumStrides(unsigned number, int64_t step) {
  for (unsigned loop : llvm::reverse(plan.sums)) {
    nest.loops[loop].strides[number] = step;
    step *= getTripCount(loop);
  }
}

/// While the rows of a block use its panels, each fetches its share of those that
/// follow: of the next block, or of what is packed after this operand.
void KernelEmitter::walkNextPanels(int64_t count) {
  const unsigned operand = nest.packed->operand;
  SmallVector<unsigned> loops(plan.others);
  llvm::append_range(loops, plan.rowLoops);
  int64_t rows = 1, rowsOfTile = 1;
  for (unsigned loop : loops)
    rows *= nest.loops[loop].size;
  for (int64_t size : plan.rows)
    rowsOfTile *= size;
  if (rows <= rowsOfTile)
    return;
  const int64_t panelSize = getSteps() * plan.getWidth();
  next = pushWalk(views[operand], add(at[operand], count * panelSize));
  nest.loops[plan.column].strides[*next] = getStride(operand, plan.column);
  setSumStrides(*next,
                llvm::divideCeilSigned(plan.getWidth() * rowsOfTile, rows));
  int64_t share = panelSize / rows;
  for (unsigned loop : llvm::reverse(loops)) {
    nest.loops[loop].strides[*next] = share;
    share *= nest.loops[loop].size;
  }
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
  if (!nest.packed)
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
  if (!panels) {
    if (nest.packed && plan.prefetch != 0 && !plan.tiles)
      walkNextPanels(count);
    emit(Rows::All);
    if (next)
      popWalk();
    next = std::nullopt;
    return;
  }
  const unsigned operand = *plan.packed;
  auto type = MemRefType::get({count * panelSize}, getElement(operand));
  Value buffer = memref::AllocOp::create(b, type, b.getI64IntegerAttr(64));
  Rows rest = Rows::All;
  if (getStride(operand, plan.column) == 1 && !plan.rowLoops.empty()) {
    // The first tile of rows takes what it copies.
    copy = pushWalk(buffer, index(0));
    setSumStrides(*copy, plan.getWidth());
    panels = copy;
    rest = Rows::AllButFirst;
    emit(Rows::First);
    popWalk();
    panels = plan.packed;
    copy = std::nullopt;
  } else {
    // What happens to be there may be subnormal, on which multiply-adds are
    // slow.
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
  for (StridedNest::Loop &loop : nest.loops)
    loop.strides[operand] = 0;
  setSumStrides(operand, plan.getWidth());
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
  if (plan.tiles)
    configureTiles();
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
  if (plan.tiles)
    releaseTiles();
}

void mlir::tensoraccess::emitKernel(RewriterBase &rewriter, linalg::LinalgOp op,
                                    StridedNest nest, KernelPlan plan,
                                    linalg::GenericOp epilogue,
                                    TypedAttr start) {
  KernelEmitter(rewriter, op, std::move(nest), std::move(plan), epilogue, start)
      .run();
}
