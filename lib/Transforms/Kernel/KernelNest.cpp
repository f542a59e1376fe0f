//===- KernelNest.cpp - A reduction as loops and strides ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a product or another sum is made of: factors, panels, steps that one
// instruction takes, the fill before it and the elementwise op after it; and its
// loops, with a stride for each buffer.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Analysis/SliceAnalysis.h"
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
    return Panels{dim.getPosition(), width.getValue(), 0, 0};
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
    panels->outer = i;
    isFound = true;
  }
  return isFound ? panels : std::nullopt;
}

std::array<Value, 2> mlir::tensoraccess::matchFactors(linalg::LinalgOp op) {
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
    if (auto flip = input.getDefiningOp<arith::XOrIOp>();
        flip && isa<arith::ExtUIOp>(extend) &&
        matchPattern(flip.getRhs(), m_ConstantInt(&bits))) {
      step.flippedBits = bits.getZExtValue();
      input = flip.getLhs();
      // Only the rows' bits are flipped as they are read.
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
      generic.getNumDpsInits() != 1 || op.getNumDpsInits() != 1 ||
      !op.hasPureBufferSemantics())
    return false;
  Value result = op.getDpsInits()[0], target = generic.getDpsInits()[0];
  if (llvm::count(generic.getDpsInputs(), result) != 1 ||
      llvm::is_contained(op.getDpsInputs(), target) ||
      generic.hasIndexSemantics() || !isArithmetic(generic))
    return false;
  NestRef sum = getNest(OpSignature(op)), nest = getNest(OpSignature(generic));
  if (!sum->hasLoops() || !nest->hasLoops() ||
      !sum->getPlainAxes(sum->writes[0]) ||
      !nest->isPermutation(nest->writes[0]))
    return false;
  return llvm::all_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    const NestRead &read = *nest->findRead(input->getOperandNumber());
    // Where it writes what it reads, it is the same element.
    return (input->get() != result || nest->isPermutation(read)) &&
           (input->get() != target || read.index == nest->writes[0].index);
  });
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

/// Removes the dot product's loop.
bool StridedNest::joinDot(SmallVectorImpl<Loop> &all) {
  Loop four = all.pop_back_val();
  for (unsigned i = 0; i < result; ++i) {
    if (four.strides[i] != 1)
      return false;
    // By columns: of panels, which are in groups.
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

static Operation *findFreeStep(Block *body) {
  SmallVector<Operation *> steps;
  if (body->getNumArguments() != 2 ||
      matchReduction(body->getArguments().back(), 0, steps) !=
          body->getArgument(0) ||
      steps.size() != 1)
    return nullptr;
  bool isFree =
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MaxUIOp,
          arith::MinSIOp, arith::MinUIOp, arith::AddIOp, arith::MulIOp,
          arith::AndIOp, arith::OrIOp, arith::XOrIOp>(steps.front());
  return isFree ? steps.front() : nullptr;
}

std::optional<StridedNest> StridedNest::get(linalg::LinalgOp op,
                                            linalg::GenericOp epilogue,
                                            std::string &reason,
                                            int64_t unknown) {
  auto fail = [&](StringRef text) {
    reason = text;
    return std::nullopt;
  };
  const NestRef sum = getNest(OpSignature(op));
  auto setUnknown = [&](MutableArrayRef<int64_t> sizes) {
    llvm::replace(sizes, ShapedType::kDynamic, unknown);
  };
  std::optional<SmallVector<int64_t>> sizes;
  if (sum->hasLoops() && unknown != 0)
    setUnknown(sizes.emplace(op.getStaticLoopRanges()));
  else if (sum->hasLoops())
    sizes = sum->getExtents();
  if ((!op.hasPureBufferSemantics() && !op.hasPureTensorSemantics()) ||
      op.getNumDpsInits() != 1 || !sizes || llvm::is_contained(*sizes, 0))
    return fail("it is not an op of static sizes on buffers with one result");
  StridedNest nest;
  nest.dot = matchDot(op);
  nest.freeStep = findFreeStep(op.getBlock());
  // Where an operand is touched, and the op's loop that each axis is.
  struct Place {
    const Nest &nest;
    OpOperand &operand;
    ArrayRef<unsigned> loops;
  };
  SmallVector<Place> places;
  auto add = [&](const Nest &of, OpOperand &operand, ArrayRef<unsigned> loops) {
    nest.operands.push_back(operand.get());
    places.push_back({of, operand, loops});
  };
  auto own = llvm::to_vector(llvm::seq<unsigned>(0, sizes->size()));
  for (OpOperand &operand : op->getOpOperands())
    add(*sum, operand, own);
  nest.result = nest.operands.size() - 1;
  NestRef after;
  SmallVector<unsigned> ofSum;
  if (epilogue) {
    after = getNest(OpSignature(epilogue));
    Value result = nest.operands.back();
    ofSum.resize(after->axes.size());
    for (OpOperand *input : epilogue.getDpsInputOperands())
      if (input->get() == result)
        for (auto [axis, loop] :
             llvm::zip_equal(*after->getPlainAxes(
                                 *after->findRead(input->getOperandNumber())),
                             *sum->getPlainAxes(sum->writes[0])))
          ofSum[axis] = loop;
    for (OpOperand &operand : epilogue->getOpOperands()) {
      // What it writes over is the sum, too, where that is read (isEpilogueOf).
      const bool isSum = operand.get() == result;
      nest.epilogueOperands.push_back(isSum ? nest.result
                                            : nest.operands.size());
      if (!isSum || epilogue.isDpsInit(&operand))
        add(*after, operand, ofSum);
    }
  }
  SmallVector<Loop> all;
  for (auto [i, size, axis] : llvm::enumerate(*sizes, sum->axes))
    all.push_back({size, axis.isReduction,
                   SmallVector<int64_t, 4>(nest.operands.size(), 0),
                   static_cast<unsigned>(i)});
  for (auto [number, place] : llvm::enumerate(places)) {
    Type type = place.operand.get().getType();
    Type element = getElementTypeOrSelf(type);
    auto owner = cast<linalg::LinalgOp>(place.operand.getOwner());
    const bool isRead =
        owner.isDpsInit(&place.operand) ||
        !owner.getMatchingBlockArgument(&place.operand).use_empty();
    // Others are spread out in memory, and adjacent in vectors.
    const bool hasBytes = element.isIntOrFloat() &&
                          element.getIntOrFloatBitWidth() >= 8 &&
                          llvm::isPowerOf2_64(element.getIntOrFloatBitWidth());
    if (isRead && !hasBytes)
      return fail("its elements are not numbers of whole bytes");
    nest.elementBytes.push_back(hasBytes ? element.getIntOrFloatBitWidth() / 8
                                         : 1);
    auto memref = dyn_cast<MemRefType>(type);
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      SmallVector<int64_t> shape(tensor.getShape());
      if (unknown != 0)
        setUnknown(shape);
      memref = MemRefType::get(shape, element);
    }
    SmallVector<int64_t> strides;
    int64_t start = 0, end = 1;
    if (memref && (!memref.hasStaticShape() ||
                   failed(memref.getStridesAndOffset(strides, start)) ||
                   ShapedType::isDynamicShape(strides) ||
                   llvm::any_of(strides, [](int64_t s) { return s < 0; })))
      return fail("a buffer has unknown strides");
    if (memref) {
      std::optional<Panels> panels =
          matchPanels(owner.getMatchingIndexingMap(&place.operand));
      const NestRead &read =
          *place.nest.findRead(place.operand.getOperandNumber());
      if (read.reason != IndexingReason::None)
        return fail("an index is not known");
      // Elements that one loop walks together.
      const int64_t group =
          nest.dot && panels && panels->inner + 1 < read.index.size()
              ? nest.dot->size
              : 1;
      for (auto [size, stride] : llvm::zip_equal(memref.getShape(), strides))
        end += (size - 1) * stride;
      for (auto [i, form, stride] : llvm::enumerate(read.index, strides)) {
        if (panels && (i == panels->inner || i == panels->outer)) {
          const unsigned loop = place.loops[panels->loop];
          bool isInner = i == panels->inner;
          if (memref.getDimSize(panels->inner) < panels->width)
            return fail("its panels are cut off");
          if ((isInner ? stride != group : stride % panels->width != 0) ||
              (nest.packed && nest.packed->operand != number))
            return fail("its panels are not dense");
          nest.packed = {static_cast<unsigned>(number), loop, panels->width};
          if (!isInner)
            all[loop].strides[number] += stride / panels->width;
          continue;
        }
        auto steps = place.nest.getSteps(form);
        if (!steps || steps->back() != 0)
          return fail("an index is not linear");
        for (auto [step, loop] : llvm::zip(*steps, place.loops))
          all[loop].strides[number] += step * stride;
      }
    }
    nest.offsets.push_back(start);
    nest.extents.push_back(end);
  }
  if (nest.dot && !nest.joinDot(all))
    return fail("its dot products are not dense");
  // One loop each where the body asks where it is.
  if (!nest.setLoops(std::move(all), /*joins=*/!op.hasIndexSemantics()))
    return fail("its result does not have the parallel loops");
  return nest;
}

bool StridedNest::setLoops(SmallVector<Loop> all, bool joins) {
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
      return false;
    bool continues =
        joins && !loops.empty() && loops.back().isSum == loop.isSum;
    if (continues)
      for (auto [outer, inner] :
           llvm::zip_equal(loops.back().strides, loop.strides))
        continues &= outer == inner * loop.size;
    if (continues) {
      loop.size *= loops.back().size;
      loops.back() = loop;
    } else {
      loops.push_back(loop);
    }
  }
  return true;
}
