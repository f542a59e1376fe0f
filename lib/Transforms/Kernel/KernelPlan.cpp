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
//    vectors are no neighbours in the order of sums and many rows use them; where
//    few do, squares of it are transposed in registers.
// 3. Of all tiles that registers hold the one of least cost: the cycles of a
//    turn are those of multiply-adds, of loads, of what a panel in the second
//    cache takes, or the latency of a step, whichever is most.
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
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Loops and strides
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>>
mlir::tensoraccess::getLinear(AffineExpr expr, unsigned numDims) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, numDims, 0, &flat)) ||
      flat.size() != numDims + 1) // divisions are further columns
    return std::nullopt;
  return flat;
}

std::optional<Panels> mlir::tensoraccess::matchPanels(AffineMap map) {
  auto match = [](AffineExpr expr,
                  AffineExprKind kind) -> std::optional<Panels> {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() != kind)
      return std::nullopt;
    auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
    auto width = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!dim || !width || width.getValue() <= 0)
      return std::nullopt;
    return Panels{dim.getPosition(), width.getValue(), 0};
  };
  std::optional<Panels> panels;
  const unsigned rank = map.getNumResults();
  for (unsigned i = rank; i-- > 0 && i + 2 >= rank && !panels;)
    if ((panels = match(map.getResult(i), AffineExprKind::Mod)))
      panels->inner = i;
  bool isFound = false;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (!panels || i == panels->inner || !expr.isFunctionOfDim(panels->loop))
      continue;
    std::optional<Panels> outer = match(expr, AffineExprKind::FloorDiv);
    if (isFound || !outer || outer->loop != panels->loop ||
        outer->width != panels->width)
      return std::nullopt;
    isFound = true;
  }
  return isFound ? panels : std::nullopt;
}

/// The two factors of `out + x * y` of two inputs; nulls else.
static std::array<Value, 2> matchFactors(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Operation *sum = body->getTerminator()->getNumOperands() == 1
                       ? body->getTerminator()->getOperand(0).getDefiningOp()
                       : nullptr;
  if (!sum || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return {};
  BlockArgument out = body->getArgument(2);
  if (!out.hasOneUse())
    return {};
  if (auto fused = dyn_cast<math::FmaOp>(sum))
    return fused.getC() == out
               ? std::array<Value, 2>{fused.getA(), fused.getB()}
               : std::array<Value, 2>{};
  if (!isa<arith::AddIOp, arith::AddFOp>(sum) ||
      !llvm::is_contained(sum->getOperands(), out))
    return {};
  Operation *product =
      sum->getOperand(sum->getOperand(0) == out).getDefiningOp();
  if (!isa_and_nonnull<arith::MulIOp, arith::MulFOp>(product))
    return {};
  return {product->getOperand(0), product->getOperand(1)};
}

/// What a factor is extended from, where that is i8 in i32 or bf16 in f32.
static Value matchExtension(Value factor) {
  Operation *extend = factor ? factor.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(extend))
    return {};
  Type from = extend->getOperand(0).getType(), to = factor.getType();
  bool isSmall =
      (from.isInteger(8) && to.isInteger(32)) || (from.isBF16() && to.isF32());
  return isSmall ? extend->getOperand(0) : Value();
}

std::array<Operation *, 2>
mlir::tensoraccess::matchSmallProduct(linalg::LinalgOp op) {
  std::array<Operation *, 2> found = {};
  for (Value factor : matchFactors(op)) {
    auto argument = dyn_cast_or_null<BlockArgument>(matchExtension(factor));
    if (!argument || argument.getOwner() != op.getBlock())
      return {};
    found[argument.getArgNumber()] = factor.getDefiningOp();
  }
  return found[0] && found[1] ? found : std::array<Operation *, 2>{};
}

std::optional<DotStep> mlir::tensoraccess::matchDot(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 ||
      op.getIteratorTypesArray().back() != utils::IteratorType::reduction)
    return std::nullopt;
  const int64_t size = op.getStaticLoopRanges().back();
  // One input is packed for it.
  if (llvm::none_of(op.getIndexingMapsArray(), [](AffineMap map) {
        std::optional<Panels> panels = matchPanels(map);
        return panels && panels->inner + 1 < map.getNumResults();
      }))
    return std::nullopt;
  auto isFree = [&] {
    auto sum = dyn_cast_or_null<arith::ArithFastMathInterface>(
        op.getBlock()->getTerminator()->getOperand(0).getDefiningOp());
    return sum && bitEnumContainsAny(sum.getFastMathFlagsAttr().getValue(),
                                     arith::FastMathFlags::reassoc);
  };
  if (std::array<Operation *, 2> extensions = matchSmallProduct(op);
      size == 2 && extensions[0] && isa<arith::ExtFOp>(extensions[0]) &&
      isa<arith::ExtFOp>(extensions[1]) && isFree())
    return DotStep{2};
  DotStep step{4};
  unsigned numFound = 0;
  for (Value factor : matchFactors(op)) {
    Value input = matchExtension(factor);
    if (!input || size != step.size || !input.getType().isInteger(8))
      return std::nullopt;
    Operation *extend = factor.getDefiningOp();
    APInt bits;
    if (auto turn = input.getDefiningOp<arith::XOrIOp>();
        turn && isa<arith::ExtUIOp>(extend) &&
        matchPattern(turn.getRhs(), m_ConstantInt(&bits))) {
      step.turned = bits.getZExtValue();
      input = turn.getLhs();
      // Only the rows' bits are turned as they are read.
      if (auto argument = dyn_cast<BlockArgument>(input);
          argument && argument.getArgNumber() < 2 &&
          matchPanels(op.getIndexingMapsArray()[argument.getArgNumber()]))
        return std::nullopt;
    }
    auto argument = dyn_cast<BlockArgument>(input);
    if (!argument || argument.getOwner() != op.getBlock() ||
        argument.getArgNumber() > 1)
      return std::nullopt;
    numFound |= 1u << argument.getArgNumber();
    step.isSigned[argument.getArgNumber()] = isa<arith::ExtSIOp>(extend);
  }
  return numFound == 3 ? std::optional(step) : std::nullopt;
}

bool mlir::tensoraccess::hasDot(const Target &target, bool isBF16) {
  if (target.vectorBytes < 16 || target.vectorBytes > 64)
    return false;
  if (isBF16)
    return target.hasFeature("avx512bf16");
  return target.hasFeature("avx512vnni") ||
         (target.hasFeature("avxvnni") && target.vectorBytes < 64);
}

bool mlir::tensoraccess::hasTiles(const Target &target, bool isBF16) {
  return target.vectorBytes == kTileBytes && target.hasFeature("amx-tile") &&
         target.hasFeature(isBF16 ? "amx-bf16" : "amx-int8");
}

bool mlir::tensoraccess::isArithmetic(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(), [](Operation &inner) {
        return isa<linalg::IndexOp>(inner) ||
               (inner.getNumResults() == 1 && isSpeculatable(&inner) &&
                (OpTrait::hasElementwiseMappableTraits(&inner) ||
                 inner.hasTrait<OpTrait::ConstantLike>()));
      });
}

bool mlir::tensoraccess::isEpilogueOf(Operation *epilogue,
                                      linalg::LinalgOp op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(epilogue);
  if (!generic || !generic.hasPureBufferSemantics() ||
      generic.getNumParallelLoops() != generic.getNumLoops() ||
      generic.getNumDpsInits() != 1 || generic.hasIndexSemantics() ||
      !isArithmetic(generic) || op.getNumDpsInits() != 1 ||
      !op.hasPureBufferSemantics())
    return false;
  OpOperand *read = nullptr;
  Value result = op.getDpsInits()[0], target = generic.getDpsInits()[0];
  AffineMap written = generic.getIndexingMapsArray().back();
  for (OpOperand *input : generic.getDpsInputOperands()) {
    if (input->get() == result) {
      if (read)
        return false;
      read = input;
    }
    // Where it writes what it reads, it is the same element.
    if (input->get() == target &&
        generic.getMatchingIndexingMap(input) != written)
      return false;
  }
  return read && generic.getMatchingIndexingMap(read).isPermutation() &&
         written.isPermutation() &&
         !llvm::is_contained(op.getDpsInputs(), target) &&
         op.getIndexingMapsArray().back().isProjectedPermutation();
}

linalg::GenericOp mlir::tensoraccess::findEpilogueAfter(linalg::LinalgOp op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op->getNextNode());
  if (!isEpilogueOf(generic, op))
    return {};
  Value result = op.getDpsInits()[0];
  if (result == generic.getDpsInits()[0])
    return generic;
  bool isLocal =
      result.getDefiningOp<memref::AllocOp>() &&
      llvm::all_of(result.getUsers(), [&](Operation *user) {
        return user == op || user == generic || isa<memref::DeallocOp>(user) ||
               (isa<linalg::FillOp>(user) && user == op->getPrevNode());
      });
  return isLocal ? generic : linalg::GenericOp();
}

linalg::FillOp mlir::tensoraccess::findFillBefore(linalg::LinalgOp op) {
  auto fill = dyn_cast_or_null<linalg::FillOp>(op->getPrevNode());
  Value out = op.getDpsInitOperand(0)->get();
  if (!fill || fill.getOutputs()[0] != out ||
      !matchPattern(fill.getInputs()[0], m_Constant()) ||
      llvm::is_contained(op.getDpsInputs(), out))
    return {};
  return fill;
}

/// Takes the dot product's loop away.
bool StridedNest::joinDot(SmallVectorImpl<Loop> &all) {
  Loop four = all.pop_back_val();
  for (unsigned i = 0; i < result; ++i) {
    if (four.strides[i] != 1)
      return false;
    // By columns: of panels, which lie in groups.
    if (!packed || packed->operand != i)
      continue;
    for (Loop &loop : all) {
      if (loop.strides[i] % dot->size != 0)
        return false;
      loop.strides[i] /= dot->size;
    }
    elementBytes[i] = 4;
  }
  return packed.has_value();
}

std::optional<StridedNest> StridedNest::get(linalg::LinalgOp op,
                                            linalg::GenericOp epilogue,
                                            std::string &reason) {
  auto fail = [&](StringRef text) {
    reason = text;
    return std::nullopt;
  };
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if ((!op.hasPureBufferSemantics() && !op.hasPureTensorSemantics()) ||
      op.getNumDpsInits() != 1 || ShapedType::isDynamicShape(sizes) ||
      llvm::is_contained(sizes, 0))
    return fail("it is no op of static sizes on buffers with one result");
  StridedNest nest;
  nest.dot = matchDot(op);
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    nest.operands.push_back(operand.get());
    maps.push_back(op.getMatchingIndexingMap(&operand));
  }
  nest.result = nest.operands.size() - 1;
  if (epilogue) {
    // The epilogue's loops as those of the reduction.
    Value result = nest.operands.back();
    AffineMap read;
    for (OpOperand *input : epilogue.getDpsInputOperands())
      if (input->get() == result)
        read = epilogue.getMatchingIndexingMap(input);
    AffineMap loops = inversePermutation(read).compose(maps.back());
    for (OpOperand &operand : epilogue->getOpOperands()) {
      if (operand.get() == result && !epilogue.isDpsInit(&operand)) {
        nest.epilogueOperands.push_back(nest.result);
        continue;
      }
      nest.epilogueOperands.push_back(nest.operands.size());
      nest.operands.push_back(operand.get());
      maps.push_back(epilogue.getMatchingIndexingMap(&operand).compose(loops));
    }
  }
  SmallVector<Loop> all;
  for (auto [i, size, type] :
       llvm::enumerate(sizes, op.getIteratorTypesArray()))
    all.push_back({size, type == utils::IteratorType::reduction,
                   SmallVector<int64_t, 4>(nest.operands.size(), 0),
                   static_cast<unsigned>(i)});
  for (auto [number, operand, map] : llvm::enumerate(nest.operands, maps)) {
    Type type = operand.getType();
    Type element = getElementTypeOrSelf(type);
    // Others lie apart in memory, and side by side in vectors.
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8 ||
        !llvm::isPowerOf2_64(element.getIntOrFloatBitWidth()))
      return fail("its elements are no numbers of whole bytes");
    nest.elementBytes.push_back(element.getIntOrFloatBitWidth() / 8);
    auto memref = dyn_cast<MemRefType>(type);
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      memref = MemRefType::get(tensor.getShape(), element);
    SmallVector<int64_t> strides;
    int64_t start = 0, end = 1;
    if (memref && (!memref.hasStaticShape() ||
                   failed(memref.getStridesAndOffset(strides, start)) ||
                   ShapedType::isDynamicShape(strides) ||
                   llvm::any_of(strides, [](int64_t s) { return s < 0; })))
      return fail("a buffer has unknown strides");
    if (memref) {
      std::optional<Panels> panels = matchPanels(map);
      // Elements that one loop walks together.
      const int64_t group =
          nest.dot && panels && panels->inner + 1 < map.getNumResults()
              ? nest.dot->size
              : 1;
      for (auto [size, stride] : llvm::zip_equal(memref.getShape(), strides))
        end += (size - 1) * stride;
      for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides)) {
        if (panels && expr.isFunctionOfDim(panels->loop)) {
          bool isInner = expr == map.getResult(panels->inner);
          if (memref.getDimSize(panels->inner) < panels->width)
            return fail("its panels are cut off");
          if ((isInner ? stride != group : stride % panels->width != 0) ||
              (nest.packed && nest.packed->operand != number))
            return fail("its panels are not dense");
          nest.packed = {static_cast<unsigned>(number), panels->loop,
                         panels->width};
          if (!isInner)
            all[panels->loop].strides[number] += stride / panels->width;
          continue;
        }
        auto linear = getLinear(expr, sizes.size());
        if (!linear || linear->back() != 0)
          return fail("an indexing map is not linear");
        for (Loop &loop : all)
          loop.strides[number] += (*linear)[loop.number] * stride;
      }
    }
    nest.offsets.push_back(start);
    nest.extents.push_back(end);
  }
  if (nest.dot && !nest.joinDot(all))
    return fail("its dot products are not dense");
  // One loop each where the body asks where it is.
  bool hasIndices = op.hasIndexSemantics();
  const unsigned result = nest.result;
  llvm::erase_if(all, [](const Loop &loop) { return loop.size == 1; });
  // Of equal strides in the order of the op.
  llvm::sort(all, [&](const Loop &a, const Loop &b) {
    int64_t strideA = a.isSum ? 0 : a.strides[result];
    int64_t strideB = b.isSum ? 0 : b.strides[result];
    return std::tuple(a.isSum, -strideA, a.number) <
           std::tuple(b.isSum, -strideB, b.number);
  });
  for (Loop &loop : all) {
    if (loop.isSum != (loop.strides[result] == 0))
      return fail("its result does not have the parallel loops");
    bool continues = !nest.loops.empty() && !hasIndices &&
                     nest.loops.back().isSum == loop.isSum;
    if (continues)
      for (auto [outer, inner] :
           llvm::zip_equal(nest.loops.back().strides, loop.strides))
        continues &= outer == inner * loop.size;
    if (continues) {
      loop.size *= nest.loops.back().size;
      nest.loops.back() = loop;
    } else {
      nest.loops.push_back(loop);
    }
  }
  return nest;
}

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
  Planner(const StridedNest &nest, const Target &target)
      : nest(nest), target(target) {}

  std::optional<KernelPlan> run(std::string &reason);

private:
  bool findColumn();
  void findRows();
  void choosePacked();
  bool chooseMatrixTiles();
  void chooseTile();
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
  /// Whether all rows share what the operand has.
  bool isShared(unsigned operand) const {
    return llvm::all_of(plan.rowLoops, [&](unsigned loop) {
      return getStride(operand, loop) == 0;
    });
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

  const StridedNest &nest;
  const Target &target;
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
  // Those of the result that lie nearest, which share the same operands.
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
    if (getStride(i, plan.column) != 1 && step == 1 &&
        getNumRows() < kFewRows && llvm::isPowerOf2_64(plan.lanes) &&
        nest.loops[plan.sums.back()].size >= plan.lanes) {
      plan.squares.push_back(i);
      continue;
    }
    bool isNear = step > 0 && step <= 4 * plan.lanes;
    bool isWorth = !plan.rowLoops.empty() && getNumRows() >= kFewRows;
    // Columns that are no neighbours are no vectors otherwise.
    if (getStride(i, plan.column) != 1 || (!isNear && isWorth))
      plan.packed = i;
  }
}

/// Step 3.
double Planner::getCost(ArrayRef<int64_t> rows, int64_t vectors) const {
  constexpr double kLatency = 4, kSecondCache = 24, kTile = 30, kElement = 2,
                   kLoad = 0.1;
  const double steps = getSteps();
  const double bytes = target.vectorBytes;
  const bool isFar = getPanelBytes(vectors) > getCache(0, 1 << 15) / 2;
  auto getTileCost = [&](int64_t numRows, int64_t numVectors) {
    double turn = std::max({kLatency, numRows * numVectors / 2.0,
                            (numRows + numVectors) / 2.0,
                            isFar ? numVectors * bytes / kSecondCache : 0.0});
    // Loads beside multiply-adds are not free: more rows are more lines.
    turn += kLoad * (numRows + numVectors);
    // Rows at the same place of a page take the ways of one set.
    if (!plan.rowLoops.empty())
      for (unsigned i = 0; i < nest.getResult(); ++i)
        if (int64_t far =
                getStride(i, plan.rowLoops.back()) * nest.elementBytes[i];
            !isVector(i) && far != 0 && far % 4096 == 0 && numRows > 8)
          turn *= 1.25;
    return steps * turn + kTile + kElement * numRows * numVectors;
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

/// What a square leaves of the registers, for sums of few rows. More rows of the
/// operand at a time than processors fetch ahead are slower.
void Planner::chooseSquares(int64_t all) {
  constexpr int64_t kStreams = 16;
  const int64_t most = std::max<int64_t>(1, target.registers - plan.lanes - 4);
  int64_t rows = 1;
  for (unsigned loop : plan.rowLoops) {
    plan.rows.push_back(std::min(nest.loops[loop].size, most / rows));
    rows *= plan.rows.back();
  }
  plan.vectors =
      std::clamp<int64_t>(std::min(most / rows, kStreams / plan.lanes), 1, all);
}

void Planner::chooseTile() {
  const int64_t all =
      llvm::divideCeilSigned(nest.loops[plan.column].size, plan.lanes);
  if (nest.packed)
    plan.vectors = nest.packed->width / plan.lanes;
  else if (!plan.squares.empty())
    return chooseSquares(all);
  // Without rows, whatever is read is read once: in long pieces.
  else if (plan.rowLoops.empty())
    plan.vectors =
        std::min<int64_t>(all, plan.packed ? 4 : target.registers / 2);
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
/// registers. False where the op is no product that they multiply.
bool Planner::chooseMatrixTiles() {
  if (!nest.dot || !hasTiles(target, nest.dot->isBF16()) ||
      nest.dot->turned != 0)
    return false;
  const unsigned columns = nest.packed->operand, rows = 1 - columns;
  plan.vectors = nest.packed->width / plan.lanes;
  if (plan.lanes * 4 != kTileBytes || plan.vectors > 4 ||
      getStride(rows, plan.column) != 0)
    return false;
  MatrixTiles tiles{1, 1, 1};
  // Of what lies together in a row the largest equal parts.
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
  const int64_t second = getCache(1, 1 << 19);
  const int64_t panels =
      llvm::divideCeilSigned(nest.loops[plan.column].size, plan.getWidth());
  plan.sumsPerBlock = nest.loops[plan.sums.front()].size;
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
    plan.prefetch = plan.tiles ? 2 * plan.tiles->groups : 8;
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

std::optional<KernelPlan>
mlir::tensoraccess::planKernel(const StridedNest &nest, const Target &target,
                               std::string &reason) {
  return Planner(nest, target).run(reason);
}
