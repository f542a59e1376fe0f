//===- Patch.cpp - A function patch by patch ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. The head is what only the value needs, less what all patches need whole.
// 2. Each patch gets its own program, by restrictFunction. The offsets of its
//    slices become arguments, so that programs of patches that differ in nothing
//    else are the same: most are, but for those at the borders.
// 3. Neighbours that have the same program, with offsets in equal steps, become
//    a loop.
//
//===----------------------------------------------------------------------===//

#include "Narrower.h"
#include "Patcher.h"
#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Cut/Narrow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<std::string>
mlir::tensoraccess::verifyPatches(Type type, ArrayRef<int64_t> sizes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding()) {
    os << "is not a tensor with a static shape: " << type;
    return text;
  }
  if (tensor.getRank() != static_cast<int64_t>(sizes.size())) {
    os << "has rank " << tensor.getRank() << ", but there are " << sizes.size()
       << " sizes of a patch: " << type;
    return text;
  }
  int64_t count = 1;
  for (auto [d, size, extent] : llvm::enumerate(sizes, tensor.getShape())) {
    if (size < 1 || size > extent) {
      os << "has " << extent << " elements in dimension " << d << ", size "
         << size << " of a patch is not among [1, " << extent << "]: " << type;
      return text;
    }
    count = checkedMul(count, llvm::divideCeil(extent, size))
                .value_or(kMaxPatches + 1);
  }
  if (count > kMaxPatches) {
    os << "has more than " << kMaxPatches
       << " patches of these sizes: " << type;
    return text;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The head
//===----------------------------------------------------------------------===//

static bool isConstant(Operation *op) { return matchPattern(op, m_Constant()); }

/// Whether each patch has its own: numbers, and tensors that are empty or filled.
static bool isRepeated(Operation *op) {
  Attribute constant;
  if (!matchPattern(op, m_Constant(&constant)))
    return isFree(op);
  auto elements = dyn_cast<ElementsAttr>(constant);
  return !elements || elements.isSplat();
}

PatchHead::PatchHead(Value value, ArrayRef<Box> patches) : value(value) {
  Operation *at = value.getDefiningOp();
  Block &block = *at->getBlock();
  auto isReadBy = [&](Value result, const DenseSet<Operation *> &ops) {
    return llvm::any_of(result.getUsers(), [&](Operation *user) {
      return ops.contains(block.findAncestorOpInBlock(*user));
    });
  };
  DenseSet<Operation *> shared = {at};
  SmallVector<Operation *> ops = {at};
  for (Operation &op :
       llvm::reverse(llvm::make_range(block.begin(), Block::iterator(at))))
    if (llvm::any_of(op.getResults(),
                     [&](Value result) { return isReadBy(result, shared); })) {
      shared.insert(&op);
      ops.push_back(&op);
    }

  // What all patches need whole.
  shared.erase(at);
  if (patches.empty())
    shared.clear();
  for (const Box &patch : patches) {
    Narrower narrower(/*isExact=*/true);
    narrower.need(value, patch);
    for (Operation *op : ops) {
      narrower.findNeeds(op);
      if (!isConstant(op) && !llvm::all_of(op->getResults(), [&](Value result) {
            return narrower.isWhole(result);
          }))
        shared.erase(op);
    }
  }
  // What is needed by something else than patches.
  for (Operation &op : llvm::reverse(block)) {
    bool isKept = op.hasTrait<OpTrait::IsTerminator>() ||
                  !isMemoryEffectFree(&op) ||
                  (shared.contains(&op) && !isRepeated(&op));
    for (Value result : op.getResults())
      isKept |= result != value && isReadBy(result, kept);
    if (isKept)
      kept.insert(&op);
  }

  OpBuilder builder(at->getContext());
  head = func::FuncOp::create(
      builder, at->getLoc(), "patch",
      builder.getFunctionType(TypeRange(), TypeRange(value.getType())));
  Block *body = head->addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  for (Operation *op : llvm::reverse(ops)) {
    if (op != at && kept.contains(op) && !isRepeated(op))
      continue;
    auto read = [&](Value outside) {
      if (mapping.contains(outside) ||
          (outside.getDefiningOp() && op->isAncestor(outside.getDefiningOp())))
        return;
      if (auto argument = dyn_cast<BlockArgument>(outside);
          argument && op->isAncestor(argument.getOwner()->getParentOp()))
        return;
      reads.insert(outside);
      mapping.map(outside,
                  body->addArgument(outside.getType(), outside.getLoc()));
    };
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        read(operand);
    });
    builder.clone(*op, mapping);
  }
  func::ReturnOp::create(builder, at->getLoc(), mapping.lookup(value));
  head->setFunctionType(builder.getFunctionType(body->getArgumentTypes(),
                                                TypeRange(value.getType())));
}

OwningOpRef<func::FuncOp> PatchHead::getPatch(const Box &patch) const {
  OwningOpRef<func::FuncOp> own = head.get().clone();
  restrictFunction(*own, 0, patch);
  return own;
}

//===----------------------------------------------------------------------===//
// Programs of patches
//===----------------------------------------------------------------------===//

SmallVector<int64_t> mlir::tensoraccess::countPatches(Value value,
                                                      ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> counts;
  for (auto [size, extent] : llvm::zip_equal(
           sizes, cast<RankedTensorType>(value.getType()).getShape()))
    counts.push_back(llvm::divideCeil(extent, size));
  return counts;
}

Box mlir::tensoraccess::getPatchBox(Value value, ArrayRef<int64_t> sizes,
                                    ArrayRef<int64_t> index) {
  Box box;
  for (auto [i, size, extent] : llvm::zip_equal(
           index, sizes, cast<RankedTensorType>(value.getType()).getShape())) {
    box.lo.push_back(i * size);
    box.hi.push_back(std::min(i * size + size, extent));
  }
  return box;
}

namespace {
/// One patch of the grid.
struct PatchProgram {
  /// Among the programs that differ.
  unsigned program = 0;
  /// The arguments that it has after those of the head: offsets of slices.
  SmallVector<int64_t> offsets;
};
} // namespace

/// Makes offsets of slices arguments, and returns them.
static SmallVector<int64_t> takeOffsets(func::FuncOp patch) {
  SmallVector<int64_t> taken;
  Block &body = patch.front();
  auto addArgument = [&](int64_t value) {
    taken.push_back(value);
    return body.addArgument(IndexType::get(patch.getContext()), patch.getLoc());
  };
  patch.walk([&](Operation *op) {
    OpBuilder builder(op);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
      for (OpFoldResult &offset : offsets)
        if (std::optional<int64_t> known = getConstantIntValue(offset))
          offset = OpFoldResult(Value(addArgument(*known)));
      Value own = tensor::ExtractSliceOp::create(
          builder, op->getLoc(), slice.getType(), slice.getSource(), offsets,
          slice.getMixedSizes(), slice.getMixedStrides());
      slice.replaceAllUsesWith(own);
      op->erase();
    } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      // An index of the whole tensor.
      AffineExpr expr = apply.getAffineMap().getResult(0);
      auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!sum || sum.getKind() != AffineExprKind::Add ||
          !isa<AffineDimExpr>(sum.getLHS()) ||
          !isa<AffineConstantExpr>(sum.getRHS()) ||
          apply->getNumOperands() != 1)
        return;
      Value own = arith::AddIOp::create(
          builder, op->getLoc(), apply->getOperand(0),
          addArgument(cast<AffineConstantExpr>(sum.getRHS()).getValue()));
      apply.replaceAllUsesWith(own);
      op->erase();
    }
  });
  return taken;
}

static bool haveSameProgram(func::FuncOp a, func::FuncOp b) {
  return OperationEquivalence::isRegionEquivalentTo(
      &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

/// Where a dimension of the grid is cut such that the patches of each part can
/// be computed by a loop along it: offsets are linear, their second differences
/// zero. Ends with the number of patches.
static SmallVector<int64_t> findRuns(ArrayRef<PatchProgram> patches,
                                     ArrayRef<int64_t> counts, unsigned dim) {
  const SmallVector<int64_t> strides = rowMajorStrides(counts);
  SmallVector<int64_t> runs = {0};
  // Whether the offsets of patch i grow in the same steps as those one before it
  // along `other`.
  auto isLinear = [&](size_t i, unsigned other) {
    const PatchProgram &a = patches[i], &b = patches[i - strides[dim]],
                       &c = patches[i - strides[other]],
                       &d = patches[i - strides[dim] - strides[other]];
    if (c.program != a.program || d.program != a.program)
      return true;
    for (size_t n = 0; n < a.offsets.size(); ++n)
      if (a.offsets[n] - b.offsets[n] != c.offsets[n] - d.offsets[n])
        return false;
    return true;
  };
  auto isNext = [&](size_t i) {
    if (patches[i].program != patches[i - strides[dim]].program)
      return false;
    for (auto [other, at] : llvm::enumerate(unravel(i, counts)))
      if (at > (other == dim ? runs.back() + 1 : 0) && !isLinear(i, other))
        return false;
    return true;
  };
  for (int64_t at = 1; at < counts[dim]; ++at)
    for (size_t i = 0; i < patches.size(); ++i)
      if (int64_t(i / strides[dim] % counts[dim]) == at && !isNext(i)) {
        runs.push_back(at);
        break;
      }
  runs.push_back(counts[dim]);
  return runs;
}

int64_t mlir::tensoraccess::patchFunction(func::FuncOp function, Value value,
                                          ArrayRef<int64_t> sizes) {
  const SmallVector<int64_t> counts = countPatches(value, sizes);
  const unsigned rank = counts.size();
  const SmallVector<int64_t> zeros(rank, 0), ones(rank, 1);
  SmallVector<Box> boxes;
  SmallVector<int64_t> index(zeros);
  do {
    boxes.push_back(getPatchBox(value, sizes, index));
  } while (nextIndex(index, counts));
  if (boxes.size() == 1)
    return 1;

  const PatchHead head(value, boxes);
  for (Value read : head.reads)
    if (Operation *op = read.getDefiningOp())
      if (std::optional<Work> work = countOpWork(op);
          work && work->operations != 0)
        mlir::emitRemark(op->getLoc())
            << "'" << op->getName()
            << "' is computed once: all patches read all of it";
  SmallVector<OwningOpRef<func::FuncOp>> programs;
  SmallVector<PatchProgram> patches;
  for (const Box &box : boxes) {
    OwningOpRef<func::FuncOp> own = head.getPatch(box);
    PatchProgram &patch = patches.emplace_back();
    patch.offsets = takeOffsets(*own);
    patch.program = llvm::find_if(programs,
                                  [&](auto &known) {
                                    return haveSameProgram(*known, *own);
                                  }) -
                    programs.begin();
    if (patch.program == programs.size())
      programs.push_back(std::move(own));
  }

  SmallVector<SmallVector<int64_t>> runs;
  SmallVector<int64_t> numRuns;
  for (unsigned d = 0; d < rank; ++d)
    numRuns.push_back(runs.emplace_back(findRuns(patches, counts, d)).size() -
                      1);

  Operation *at = value.getDefiningOp();
  OpBuilder builder(at);
  const Location loc = at->getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Value whole = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto getPlace = [&](ArrayRef<int64_t> index) {
    int64_t place = 0;
    for (auto [i, count] : llvm::zip_equal(index, counts))
      place = place * count + i;
    return place;
  };
  SmallVector<int64_t> part(zeros);
  do {
    // The first patch of a box of the grid, and loops along the others.
    SmallVector<int64_t> first;
    SmallVector<unsigned> dims;
    SmallVector<Value> bounds[3];
    for (auto [d, i] : llvm::enumerate(part)) {
      const int64_t length = runs[d][i + 1] - runs[d][i];
      first.push_back(runs[d][i]);
      if (length == 1)
        continue;
      dims.push_back(d);
      for (auto [list, number] :
           llvm::zip_equal(bounds, ArrayRef<int64_t>({0, length, 1})))
        list.push_back(arith::ConstantIndexOp::create(builder, loc, number));
    }
    const int64_t place = getPlace(first);
    const PatchProgram &patch = patches[place];
    // A number of the first patch at any of them.
    auto getNumber = [&](OpBuilder &builder, ValueRange steps, int64_t start,
                         function_ref<int64_t(int64_t)> get) {
      AffineExpr expr = builder.getAffineConstantExpr(start);
      for (auto [i, d] : llvm::enumerate(dims)) {
        SmallVector<int64_t> next(first);
        ++next[d];
        expr =
            expr + builder.getAffineDimExpr(i) * (get(getPlace(next)) - start);
      }
      return affine::makeComposedFoldedAffineApply(builder, loc, expr,
                                                   getAsOpFoldResult(steps));
    };
    whole =
        scf::buildLoopNest(
            builder, loc, bounds[0], bounds[1], bounds[2], whole,
            [&](OpBuilder &builder, Location, ValueRange steps,
                ValueRange carried) -> scf::ValueVector {
              Block &body = programs[patch.program]->front();
              IRMapping mapping;
              for (size_t n = 0; n < body.getNumArguments(); ++n) {
                Value argument = body.getArgument(n);
                if (n < head.reads.size()) {
                  mapping.map(argument, head.reads[n]);
                  continue;
                }
                const size_t number = n - head.reads.size();
                mapping.map(
                    argument,
                    getValueOrCreateConstantIndexOp(
                        builder, loc,
                        getNumber(builder, steps, patch.offsets[number],
                                  [&](int64_t other) {
                                    return patches[other].offsets[number];
                                  })));
              }
              for (Operation &op : body.without_terminator())
                builder.clone(op, mapping);
              SmallVector<OpFoldResult> offsets;
              for (size_t d = 0; d < rank; ++d)
                offsets.push_back(getNumber(
                    builder, steps, boxes[place].lo[d],
                    [&](int64_t other) { return boxes[other].lo[d]; }));
              return {tensor::InsertSliceOp::create(
                          builder, loc,
                          mapping.lookupOrDefault(
                              body.getTerminator()->getOperand(0)),
                          carried.front(), offsets,
                          getAsIndexOpFoldResult(builder.getContext(),
                                                 getBoxSizes(boxes[place])),
                          getAsIndexOpFoldResult(builder.getContext(), ones))
                          .getResult()};
            })
            .results.front();
  } while (nextIndex(part, numRuns));

  value.replaceAllUsesWith(whole);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*at->getBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
  return boxes.size();
}
