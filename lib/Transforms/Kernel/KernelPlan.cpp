//===- KernelPlan.cpp - How a reduction is cut for registers and caches ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Columns: the loop along which the result is contiguous, by whole vectors;
//    rows: other parallel loops that some operand, read by vectors, does not
//    move along.
// 2. The operand that all rows share is packed, panel by panel, where its
//    vectors are not neighbours in the order of sums and many rows use them;
//    where few do, squares of it are transposed in registers.
// 3. Of all tiles that fit in registers, the one of least cost: the cycles of
//    an iteration are those of multiply-adds, of loads, of what a panel in the
//    second cache takes, or the latency of a step, whichever is most.
// 4. Panels are used in blocks that half of the second cache holds; so are sums.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SmallVector<Pieces, 2> Pieces::split(int64_t size, int64_t most) {
  int64_t count = llvm::divideCeilSigned(size, most);
  int64_t large = llvm::divideCeilSigned(size, count);
  int64_t numLarge = size - count * (large - 1);
  SmallVector<Pieces, 2> pieces = {{numLarge, large, 0}};
  if (numLarge < count)
    pieces.push_back({count - numLarge, large - 1, numLarge * large});
  return pieces;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {

class Planner {
public:
  Planner(const StridedNest &nest, const Target &target, bool arePanelsKept)
      : nest(nest), target(target), arePanelsKept(arePanelsKept) {}

  std::optional<KernelPlan> run(std::string &reason);
  double getCycles(const KernelPlan &chosen);

private:
  bool findColumn();
  void findRows();
  void choosePacked();
  bool chooseMatrixTiles();
  void chooseTile();
  int64_t getSquareLanes(unsigned operand) const;
  void chooseSquares(int64_t all);
  void chooseBlocks();
  double getCost(ArrayRef<int64_t> rows, int64_t vectors) const;
  /// Registers that multiply-adds of a body of a product leave to sums.
  int64_t getMostRows(int64_t vectors) const {
    return (target.registers - 1 - vectors) / vectors;
  }
  int64_t getStride(unsigned operand, unsigned loop) const {
    return nest.loops[loop].strides[operand];
  }
  bool isVector(unsigned operand) const {
    return getStride(operand, plan.column) != 0;
  }
  /// Whether neighbours along a loop are at the same place of a page, and so in
  /// one set of the first cache, which holds and fetches `kWays` at a time.
  bool isAtSamePlace(unsigned operand, unsigned loop) const {
    int64_t far = getStride(operand, loop) * nest.elementBytes[operand];
    return far != 0 && far % 4096 == 0;
  }
  static constexpr int64_t kWays = 8;
  /// Whether all rows share what the operand has.
  bool isShared(unsigned operand) const {
    return llvm::all_of(plan.rowLoops, [&](unsigned loop) {
      return getStride(operand, loop) == 0;
    });
  }
  /// Whether it sums up one operand, in order, whatever others are the same for
  /// all of a sum.
  bool isPlainSum() const {
    auto moves = [&](unsigned i) {
      return llvm::any_of(plan.sums,
                          [&](unsigned sum) { return getStride(i, sum) != 0; });
    };
    return !nest.freeStep &&
           llvm::count_if(llvm::seq(nest.getResult()), moves) == 1;
  }
  int64_t getSteps() const {
    int64_t steps = 1;
    for (unsigned loop : plan.sums)
      steps *= nest.loops[loop].size;
    return steps;
  }
  int64_t getNumRows() const {
    int64_t rows = 1;
    for (ArrayRef<unsigned> loops :
         {ArrayRef<unsigned>(plan.rowLoops), ArrayRef<unsigned>(plan.others)})
      for (unsigned loop : loops)
        rows *= nest.loops[loop].size;
    return rows;
  }
  int64_t getCache(unsigned level, int64_t otherwise) const {
    return level < target.caches.size() ? target.caches[level].bytes
                                        : otherwise;
  }
  int64_t getPanelBytes(int64_t vectors) const {
    return getSteps() * vectors * plan.lanes *
           nest.elementBytes[plan.packed.value_or(nest.getResult())];
  }

  /// Whether a matrix times a vector is read some rows of sums at a time, from end
  /// to end: a page is then read as a whole. Sums are in memory meanwhile.
  bool isReadInBands() const {
    if (!plan.rowLoops.empty() || plan.packed || !plan.squares.empty() ||
        plan.sums.size() != 1 || getSteps() <= kWays)
      return false;
    int64_t width = 4 * plan.lanes;
    for (unsigned i = 0; i < nest.getResult(); ++i)
      if (isVector(i) && std::abs(getStride(i, plan.sums.front())) < width)
        return false;
    return nest.loops[plan.column].size > width;
  }

  const StridedNest &nest;
  const Target &target;
  bool arePanelsKept;
  KernelPlan plan;
};

} // namespace

/// Step 1.
bool Planner::findColumn() {
  const unsigned result = nest.getResult();
  bool found = false;
  for (auto [i, loop] : llvm::enumerate(nest.loops)) {
    if (loop.isSum)
      plan.sums.push_back(i);
    else if (loop.strides[result] == 1) {
      plan.column = i;
      found = true;
    }
  }
  if (!found || plan.sums.empty())
    return false;
  plan.lanes = target.getLanes(nest.elementBytes[result] * 8);
  return true;
}

void Planner::findRows() {
  auto isRow = [&](unsigned loop) {
    for (unsigned i = 0; i < nest.getResult(); ++i)
      if (isVector(i) && getStride(i, loop) == 0)
        return true;
    return false;
  };
  // The nearest ones of the result, which share the same operands.
  for (unsigned loop = nest.loops.size(); loop-- > 0;) {
    if (nest.loops[loop].isSum || loop == plan.column || !isRow(loop) ||
        plan.rowLoops.size() == 2)
      continue;
    bool sameShare = plan.rowLoops.empty();
    for (unsigned i = 0; i < nest.getResult() && !sameShare; ++i)
      sameShare = isVector(i) && isShared(i) && getStride(i, loop) == 0;
    if (sameShare)
      plan.rowLoops.insert(plan.rowLoops.begin(), loop);
  }
  for (unsigned loop = 0; loop < nest.loops.size(); ++loop) {
    if (nest.loops[loop].isSum || loop == plan.column ||
        llvm::is_contained(plan.rowLoops, loop))
      continue;
    bool moves = false;
    for (unsigned i = 0; i < nest.getResult(); ++i)
      moves |= isVector(i) && isShared(i) && getStride(i, loop) != 0;
    (moves ? plan.batches : plan.others).push_back(loop);
  }
}

/// Step 2.
void Planner::choosePacked() {
  constexpr int64_t kFewRows = 16;
  if (nest.packed) {
    plan.packed = nest.packed->operand;
    return;
  }
  for (unsigned i = 0; i < nest.getResult(); ++i) {
    if (!isVector(i) || !isShared(i))
      continue;
    int64_t step = getStride(i, plan.sums.back());
    // As many rows of it as a vector has lanes, for few that use them.
    const int64_t lanes = getSquareLanes(i);
    if (!arePanelsKept && getStride(i, plan.column) != 1 && step == 1 &&
        getNumRows() < kFewRows && llvm::isPowerOf2_64(lanes) &&
        nest.loops[plan.sums.back()].size >= lanes) {
      plan.squares.push_back(i);
      plan.lanes = lanes;
      continue;
    }
    bool isNear = step > 0 && step <= 4 * plan.lanes;
    bool isWorth =
        arePanelsKept || (!plan.rowLoops.empty() && getNumRows() >= kFewRows);
    // Columns that are not neighbours are not vectors otherwise.
    if (getStride(i, plan.column) != 1 || (!isNear && isWorth))
      plan.packed = i;
  }
}

/// Vectors in a cycle. Processors like Zen 4 multiply and add 512 bits in halves;
/// their features are of neither Zen 5 nor Sapphire Rapids.
static double getMultiplyAdds(const Target &target) {
  const bool isInHalves =
      target.vectorBytes == 64 && target.hasFeature("avx512bf16") &&
      !target.hasFeature("avxvnni") && !target.hasFeature("avx512fp16");
  return isInHalves ? 1 : 2;
}

/// Step 3.
double Planner::getCost(ArrayRef<int64_t> rows, int64_t vectors) const {
  constexpr double kLatency = 4, kSecondCache = 24, kTile = 30, kElement = 2,
                   kLoad = 0.1;
  const double steps = getSteps();
  const double bytes = target.vectorBytes, rate = getMultiplyAdds(target);
  const bool isFar = getPanelBytes(vectors) > getCache(0, 1 << 15) / 2;
  auto getTileCost = [&](int64_t numRows, int64_t numVectors) {
    double cycles = std::max({kLatency, numRows * numVectors / rate,
                              (numRows + numVectors) / 2.0,
                              isFar ? numVectors * bytes / kSecondCache : 0.0});
    // Loads beside multiply-adds are not free: more rows are more lines.
    cycles += kLoad * (numRows + numVectors);
    // Rows at the same offset in a page compete for the ways of one set.
    if (!plan.rowLoops.empty())
      for (unsigned i = 0; i < nest.getResult(); ++i)
        if (!isVector(i) && isAtSamePlace(i, plan.rowLoops.back()) &&
            numRows > kWays)
          cycles *= 1.25;
    return steps * cycles + kTile + kElement * numRows * numVectors;
  };
  const int64_t columns = nest.loops[plan.column].size;
  const int64_t all = llvm::divideCeilSigned(columns, plan.lanes);
  auto getRowCost = [&](int64_t numRows) {
    double cost = double(all / vectors) * getTileCost(numRows, vectors);
    if (int64_t rest = all % vectors)
      cost += getTileCost(numRows, rest);
    return cost;
  };
  if (plan.rowLoops.empty())
    return getRowCost(1);
  SmallVector<Pieces, 2> outer = {{1, 1, 0}};
  if (plan.rowLoops.size() == 2)
    outer = Pieces::split(nest.loops[plan.rowLoops[0]].size, rows[0]);
  double cost = 0;
  for (const Pieces &a : outer)
    for (const Pieces &b :
         Pieces::split(nest.loops[plan.rowLoops.back()].size, rows.back()))
      cost += double(a.count * b.count) * getRowCost(a.size * b.size);
  return cost;
}

int64_t Planner::getSquareLanes(unsigned operand) const {
  constexpr int64_t kHalfBytes = 32, kFewest = 4;
  int64_t lanes = plan.lanes;
  // Two squares of half the lanes take fewer shuffles, and their sums do not wait
  // for one another.
  if (isPlainSum())
    lanes = std::min(lanes, kHalfBytes / nest.elementBytes[nest.getResult()]);
  // Of short rows, as much as there is.
  const int64_t size = nest.loops[plan.sums.back()].size;
  if ((isPlainSum() || nest.freeStep) && size >= kFewest)
    lanes = std::min<int64_t>(lanes, llvm::bit_floor<uint64_t>(size));
  return nest.freeStep || isAtSamePlace(operand, plan.column)
             ? std::min(lanes, kWays)
             : lanes;
}

/// What a square leaves of the registers, for sums of few rows. More rows of the
/// operand at a time than processors fetch ahead are slower.
void Planner::chooseSquares(int64_t all) {
  // After which rows are in other sets of the first cache.
  constexpr int64_t kLagBytes = 1024, kAheadBytes = 1 << 14, kRowAhead = 256;
  int64_t streams = 16;
  for (unsigned operand : plan.squares) {
    if (nest.freeStep || !isAtSamePlace(operand, plan.column))
      continue;
    const int64_t lag = kLagBytes / nest.elementBytes[operand];
    if (isPlainSum() && nest.loops[plan.sums.back()].size >= 4 * lag)
      plan.lag = lag;
    else
      streams = kWays;
  }
  if (nest.freeStep) {
    const unsigned result = nest.getResult();
    streams = plan.lanes;
    plan.freeLanes = target.getLanes(nest.elementBytes[result] * 8);
    plan.comparesBits =
        isa<arith::MaximumFOp, arith::MinimumFOp>(nest.freeStep) &&
        (getElementTypeOrSelf(nest.operands[result].getType()).isBF16() ||
         (!target.hasFeature("neon") &&
          (nest.elementBytes[result] <= 4 || target.hasFeature("avx512f"))));
    plan.freeRows = std::clamp<int64_t>(
        llvm::bit_floor<uint64_t>((target.registers - 4) /
                                  (plan.comparesBits ? 3 : 1)),
        1, plan.lanes);
  }
  const int64_t most = std::max<int64_t>(1, target.registers - plan.lanes - 4);
  int64_t rows = 1;
  for (unsigned loop : plan.rowLoops) {
    plan.rows.push_back(std::min(nest.loops[loop].size, most / rows));
    rows *= plan.rows.back();
  }
  plan.vectors =
      std::clamp<int64_t>(std::min(most / rows, streams / plan.lanes), 1, all);
  // For rows side by side processors do not fetch far enough ahead by themselves:
  // each further on, or, where they follow one another, the next ones that are far
  // enough.
  const unsigned operand = plan.squares.front();
  plan.arePairs =
      isPlainSum() && nest.elementBytes[nest.getResult()] == 4 &&
      getElementTypeOrSelf(nest.operands[operand].getType()).isBF16() &&
      nest.loops[plan.sums.back()].size >= 2 * plan.lanes;
  if (!isPlainSum() && !nest.freeStep)
    plan.prefetch = kRowAhead / nest.elementBytes[operand];
  const int64_t row = getStride(operand, plan.column);
  const int64_t bytes = plan.getWidth() * row * nest.elementBytes[operand];
  const int64_t ahead =
      plan.getWidth() * llvm::divideCeilSigned(kAheadBytes, bytes);
  if ((isPlainSum() || nest.freeStep) &&
      row == nest.loops[plan.sums.back()].size &&
      bytes <= getCache(1, 1 << 19) / 4 && ahead < nest.loops[plan.column].size)
    plan.ahead = ahead * row;
}

void Planner::chooseTile() {
  const int64_t all =
      llvm::divideCeilSigned(nest.loops[plan.column].size, plan.lanes);
  if (nest.packed)
    plan.vectors = nest.packed->width / plan.lanes;
  else if (!plan.squares.empty())
    return chooseSquares(all);
  // Without rows, whatever is read is read once: in long pieces, or as few rows of
  // it as one set of a cache holds, one after the other.
  else if (plan.rowLoops.empty())
    plan.vectors = std::min<int64_t>(
        all, plan.packed || isReadInBands() ? 4 : target.registers / 2);
  if (plan.rowLoops.empty())
    return;
  const int64_t most = nest.packed ? plan.vectors : std::min<int64_t>(all, 4);
  const int64_t fewest = nest.packed ? plan.vectors : 1;
  double least = 0;
  plan.vectors = 0;
  for (int64_t vectors = most; vectors >= fewest; --vectors) {
    const int64_t mostRows = std::max<int64_t>(1, getMostRows(vectors));
    const int64_t outerSize =
        plan.rowLoops.size() == 2 ? nest.loops[plan.rowLoops[0]].size : 1;
    for (int64_t outer = 1; outer <= std::min(outerSize, mostRows); ++outer) {
      SmallVector<int64_t, 2> rows;
      if (plan.rowLoops.size() == 2)
        rows.push_back(outer);
      rows.push_back(
          std::min(nest.loops[plan.rowLoops.back()].size, mostRows / outer));
      double cost = getCost(rows, vectors);
      if (plan.vectors == 0 || cost < least * 0.999) {
        least = cost;
        plan.vectors = vectors;
        plan.rows = rows;
      }
    }
  }
}

/// Two by two tiles of the result, or as many as one tile of rows leaves of the
/// registers. False if the op is not a product that they multiply.
bool Planner::chooseMatrixTiles() {
  if (!nest.dot || !hasTiles(target, nest.dot->isBF16()) ||
      nest.dot->flippedBits != 0)
    return false;
  const unsigned columns = nest.packed->operand, rows = 1 - columns;
  plan.vectors = nest.packed->width / plan.lanes;
  if (plan.lanes * 4 != kTileBytes || plan.vectors > 4 ||
      getStride(rows, plan.column) != 0)
    return false;
  MatrixTiles tiles{1, 1, 1};
  // The largest equal parts of what is contiguous in a row.
  const StridedNest::Loop &last = nest.loops[plan.sums.back()];
  if (last.strides[rows] == nest.dot->size)
    for (int64_t groups = 1; groups <= kTileRows; ++groups)
      if (last.size % groups == 0)
        tiles.groups = groups;
  if (!plan.rowLoops.empty()) {
    const int64_t inner = nest.loops[plan.rowLoops.back()].size;
    const int64_t most = plan.vectors > 2 ? 1 : 2;
    const int64_t large = Pieces::split(inner, most * kTileRows)[0].size;
    tiles.perLoop = llvm::divideCeilSigned(large, kTileRows);
    tiles.rows = llvm::divideCeilSigned(large, tiles.perLoop);
    plan.rows.assign(plan.rowLoops.size(), large);
    if (plan.rowLoops.size() == 2)
      plan.rows.front() =
          std::min(most / tiles.perLoop, nest.loops[plan.rowLoops[0]].size);
  }
  plan.tiles = tiles;
  return true;
}

/// Step 4.
void Planner::chooseBlocks() {
  // Iterations of which a panel that comes from memory is late.
  constexpr int64_t kFromMemory = 64;
  const int64_t second = getCache(1, 1 << 19);
  const int64_t panels =
      llvm::divideCeilSigned(nest.loops[plan.column].size, plan.getWidth());
  plan.sumsPerBlock = nest.loops[plan.sums.front()].size;
  if (isReadInBands())
    plan.sumsPerBlock = kWays;
  if (plan.rowLoops.empty() || !plan.squares.empty())
    return;
  int64_t bytes = getPanelBytes(plan.vectors);
  // An epilogue takes whole sums.
  if (plan.packed && !plan.tiles && bytes > second / 2 &&
      nest.epilogueOperands.empty()) {
    int64_t blocks = llvm::divideCeilSigned(bytes, second / 2);
    plan.sumsPerBlock =
        std::max<int64_t>(1, llvm::divideCeilSigned(plan.sumsPerBlock, blocks));
  }
  plan.panelsPerBlock =
      std::clamp<int64_t>(second / 2 / std::max<int64_t>(bytes, 1), 1, panels);
  plan.rowsOutside = plan.panelsPerBlock > 1;
  // Where they don't move block by block, all or none.
  if (!plan.packed && plan.panelsPerBlock < panels) {
    plan.rowsOutside = false;
    plan.panelsPerBlock = panels;
  }
  if (bytes > getCache(0, 1 << 15) / 2)
    plan.prefetch = plan.tiles ? 2 * plan.tiles->groups : kFromMemory;
}

std::optional<KernelPlan> Planner::run(std::string &reason) {
  auto fail = [&](StringRef text) {
    reason = text;
    return std::nullopt;
  };
  if (!findColumn())
    return fail("its result is not contiguous along a parallel loop");
  if (nest.packed && (nest.loops[plan.column].number != nest.packed->loop ||
                      nest.packed->width % plan.lanes != 0))
    return fail("its panels are not along the columns of its result");
  findRows();
  choosePacked();
  bool isPlain = true;
  for (unsigned i = 0; i < nest.getResult(); ++i)
    isPlain &= i == plan.packed || llvm::is_contained(plan.squares, i) ||
               getStride(i, plan.column) == 0 || getStride(i, plan.column) == 1;
  for (unsigned i = nest.getResult() + 1; i < nest.operands.size(); ++i)
    isPlain &= getStride(i, plan.column) == 1 ||
               (getStride(i, plan.column) == 0 && i != nest.getTarget());
  if (!isPlain)
    return fail("an operand is not contiguous along the result's columns");
  if (!nest.epilogueOperands.empty() && isReadInBands())
    return fail("its sums are in memory before they are whole");
  if (!chooseMatrixTiles()) {
    if (nest.dot && !nest.dot->isBF16() &&
        nest.dot->isSigned[0] == nest.dot->isSigned[1])
      return fail("the target has no dot product of such signs");
    if (nest.dot && !hasDot(target, nest.dot->isBF16()))
      return fail("the target has no such dot product");
    chooseTile();
  }
  chooseBlocks();
  return plan;
}

double Planner::getCycles(const KernelPlan &chosen) {
  // Of a vector that is copied, of an element in a square that is transposed, and of
  // one by itself; of what is around the sums of a tile, beside others.
  constexpr double kCopiedVector = 2, kTransposed = 0.3, kGathered = 1.2,
                   kAround = 8, kConflicts = 1.3;
  constexpr int64_t kQuarterPage = 1024, kManyLines = 128;
  plan = chosen;
  double copies = 1, others = 1;
  for (unsigned loop : plan.batches)
    copies *= nest.loops[loop].size;
  for (unsigned loop : plan.others)
    others *= nest.loops[loop].size;
  const int64_t columns = nest.loops[plan.column].size;
  const double elements = double(getSteps()) * columns * copies;
  double cycles;
  if (!plan.squares.empty()) {
    // Loads and shuffles for all rows; sums wait for one another.
    const double rows = double(getNumRows()) / others;
    cycles = elements / plan.lanes * others *
             (1 + llvm::Log2_64(plan.lanes) + std::max(4.0, rows / 2));
  } else if (plan.rowLoops.empty()) {
    // Tiles beside one another hide what sums wait for.
    const double vectors = llvm::divideCeil(columns, plan.lanes);
    const double tiles = std::ceil(vectors / plan.vectors);
    cycles = copies * others *
             (getSteps() * 0.6 * (vectors + tiles) + kAround * tiles);
  } else {
    cycles = getCost(plan.rows, plan.vectors) * copies * others;
  }
  // Rows read down a column whose elements share some sets of the first cache.
  for (unsigned i = 0; i < nest.getResult(); ++i)
    for (unsigned loop : plan.sums)
      if (int64_t far = getStride(i, loop) * nest.elementBytes[i];
          !isVector(i) && far != 0 && far % kQuarterPage == 0 &&
          nest.loops[loop].size >= kManyLines)
        cycles *= kConflicts;
  if (plan.packed && !nest.packed) {
    const unsigned sum = plan.sums.back();
    if (getStride(*plan.packed, plan.column) == 1)
      cycles += elements / plan.lanes * kCopiedVector;
    else if (getStride(*plan.packed, sum) == 1 &&
             nest.loops[sum].size >= plan.lanes)
      cycles += elements * kTransposed;
    else
      cycles += elements * kGathered;
  }
  return cycles;
}

double mlir::tensoraccess::getKernelCycles(const StridedNest &nest,
                                           const KernelPlan &plan,
                                           const Target &target) {
  return Planner(nest, target, /*arePanelsKept=*/false).getCycles(plan);
}

std::optional<KernelPlan>
mlir::tensoraccess::planKernel(const StridedNest &nest, const Target &target,
                               std::string &reason, bool arePanelsKept) {
  return Planner(nest, target, arePanelsKept).run(reason);
}
