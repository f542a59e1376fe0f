//===- BlockOps.cpp - Ops as iterations that touch boxes ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

AccessRow::AccessRow(const FormArena &forms, Form given, unsigned numDims) {
  SmallVector<char, 32> used(forms.getNumAtoms());
  forms.markUsed(given, used);
  for (unsigned v = numDims; v != forms.getNumVariables(); ++v)
    if (used[v])
      return;
  form = std::move(given);
  isSum = llvm::all_of(form->terms, [&](const Term &term) {
    return forms.isVariable(term.atom);
  });
  for (unsigned d = 0; d != numDims; ++d)
    if (used[d])
      terms.emplace_back(d, isSum ? FormRef(*form).coefficientOf(d) : 0);
  offset = isSum ? form->constant : 0;
}

std::optional<unsigned> AccessRow::getDim() const {
  return isSum ? form->asAtom() : std::nullopt;
}

bool AccessRow::isQuotient(const FormArena &forms) const {
  std::optional<AtomId> atom = form ? form->asAtom() : std::nullopt;
  return atom && forms.getAtom(*atom).kind == AtomKind::FloorDiv;
}

std::optional<SmallVector<unsigned, 4>> BlockAccess::getDims() const {
  SmallVector<unsigned, 4> dims;
  for (const AccessRow &row : rows) {
    std::optional<unsigned> dim = row.getDim();
    if (!dim || llvm::is_contained(dims, *dim))
      return std::nullopt;
    dims.push_back(*dim);
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Reading ops
//===----------------------------------------------------------------------===//

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

/// A tensor, all of it.
static BlockAccess getWholeAccess(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  BlockAccess access;
  llvm::append_range(access.shape, tensor.getShape());
  if (element.isIntOrIndexOrFloat())
    access.elementBytes =
        element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
  access.rows.resize(access.shape.size());
  return access;
}

/// Whether tensors have known sizes that 64 bits hold.
static LogicalResult checkSize(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return op->emitError("shards need tensors of static shape, got ") << type;
  if (!tensor.getElementType().isIntOrIndexOrFloat())
    return op->emitError("shards need elements of a known size, got ") << type;
  std::optional<int64_t> bytes = checkedProduct(tensor.getShape());
  if (!bytes || !checkedMul(*bytes, getWholeAccess(type).elementBytes))
    return op->emitError("shards need tensors of less than 2^63 bytes, got ")
           << type;
  return success();
}

Operation *mlir::tensoraccess::findCombiner(OpResult result,
                                            std::string &reason) {
  auto op = dyn_cast<linalg::LinalgOp>(result.getOwner());
  SmallVector<Operation *, 4> combiners;
  if (!op ||
      !matchReduction(op.getRegionOutputArgs(), result.getResultNumber(),
                      combiners) ||
      combiners.size() != 1) {
    reason = "is not a reduction by one op";
    return nullptr;
  }
  Operation *combiner = combiners.front();
  if (combiner->getNumOperands() != 2 ||
      combiner->getOperand(0) == combiner->getOperand(1) ||
      !arith::getNeutralElement(combiner)) {
    reason = "reduces by " + combiner->getName().getStringRef().str() +
             ", which has no neutral element";
    return nullptr;
  }
  return combiner;
}

/// Whether a structured op only moves elements.
static bool isMovement(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         op.getBlock()->without_terminator().empty();
}

/// A structured op iterates over its axes.
static void readLoops(linalg::LinalgOp op, BlockOp &out) {
  NestRef nest = getNest(OpSignature(op));
  if (!nest->hasLoops())
    return;
  for (const NestAxis &axis : nest->axes)
    out.extents.push_back(axis.extent.constant);
  for (utils::IteratorType type : op.getIteratorTypesArray())
    out.isReduction.push_back(type != utils::IteratorType::parallel);
  std::string reason;
  out.canSplit = op.getNumReductionLoops() != 0 &&
                 llvm::all_of(op->getResults(), [&](OpResult result) {
                   return findCombiner(result, reason);
                 });
  out.firstInit = op.getNumDpsInputs();
  out.kind = isa<linalg::FillOp>(op) ? BlockOpKind::Free
             : isMovement(op)        ? BlockOpKind::Movement
                                     : BlockOpKind::Compute;
  auto forms = std::make_shared<const FormArena>(nest->getForms());
  auto readRows = [&](const NestAccess &from, BlockAccess &access) {
    access.forms = forms;
    for (auto [row, form] : llvm::zip(access.rows, from.index))
      row = AccessRow(*forms, form, out.extents.size());
  };
  for (OpOperand &operand : op->getOpOperands()) {
    const unsigned o = operand.getOperandNumber();
    if (op.isDpsInit(&operand) &&
        (out.kind == BlockOpKind::Free || !isReadByBody(operand)))
      out.operands[o].reset();
    else if (const NestRead *read = nest->findRead(o); read && out.operands[o])
      readRows(*read, *out.operands[o]);
  }
  for (const NestAccess &write : nest->writes)
    if (std::optional<BlockAccess> &result = out.results[write.value])
      readRows(write, *result);
}

/// What an operand is read at, by the maps from the indices of the result. A
/// dimension for which these differ is read whole. `forms` has the
/// iterations as its variables, and one more for all else.
static void readMaps(const IndexingSet &set, const BlockOp &op,
                     FormArena &forms, BlockAccess &access) {
  const unsigned numDims = op.extents.size();
  SmallVector<Form> images;
  for (unsigned d = 0; d <= numDims; ++d)
    images.push_back(Form::ofAtom(d));
  auto getRow = [&](Form form) {
    return AccessRow(forms, std::move(form), numDims);
  };
  auto getImages = [&](const IndexingMap &map) {
    SmallVector<Form> all(images);
    all.resize(map.getNumVariables(), images.back());
    return all;
  };
  for (auto [m, map] : llvm::enumerate(set.getMaps())) {
    Substitution substitute(forms, map.getArena(), getImages(map));
    for (auto [r, row] : llvm::enumerate(access.rows)) {
      AccessRow own = getRow(substitute(map.getResult(r)));
      row = m == 0 || row == own ? own : AccessRow();
    }
  }
  llvm::SmallBitVector isUsed(numDims);
  // An index that can only be 0 is 0 in a map: here it follows the iteration in
  // its place, if that has one step in the map.
  unsigned next = 0;
  for (auto [row, size] : llvm::zip(access.rows, access.shape)) {
    if (row.isSum && row.terms.empty() && row.offset == 0 && size == 1 &&
        next < numDims && set.size() == 1)
      if (const Interval &step = set.getMaps()[0].getDimRanges()[next];
          step.isPoint())
        row = getRow(forms.sub(images[next], Form(step.lower)));
    for (auto [dim, factor] : row.terms) {
      next = std::max(next, dim + 1);
      isUsed.set(dim);
    }
    // In row-major order, since nothing else moves elements by such a sum.
    row.isMerged = row.isSum && row.terms.size() > 1;
  }
  if (set.size() != 1)
    return;
  const IndexingMap &map = set.getMaps()[0];
  auto addGuard = [&](Form form, const Interval &interval) {
    AccessRow guard = getRow(std::move(form));
    if (guard.form && llvm::none_of(guard.terms, [&](const auto &term) {
          return isUsed.test(term.first);
        }))
      access.guards.emplace_back(std::move(guard), interval);
  };
  for (auto [d, range] : llvm::enumerate(map.getDimRanges()))
    if (!range.contains(Interval::ofExtent(op.extents[d])))
      addGuard(images[d], range);
  Substitution substitute(forms, map.getArena(), getImages(map));
  for (const Constraint &constraint : map.getConstraints())
    addGuard(substitute(constraint.form), constraint.interval);
}

/// Whether an op on tensors moves elements, so that each block of the result can
/// be made by itself; else perhaps `reason` why not.
static bool isTensorMovement(Operation *op, bool withStarts,
                             std::string &reason) {
  auto areKnown = [&](ArrayRef<int64_t> numbers, int64_t least,
                      StringRef what) {
    if (ShapedType::isDynamicShape(numbers))
      reason = ("its " + what + " are known at run time only").str();
    return llvm::all_of(numbers,
                        [&](int64_t number) { return number >= least; });
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return areKnown(pad.getStaticLow(), 0, "borders") &&
           areKnown(pad.getStaticHigh(), 0, "borders");
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op)) {
    auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
    return (withStarts || areKnown(slice.getStaticOffsets(), 0, "offsets")) &&
           areKnown(slice.getStaticSizes(), 0, "sizes") &&
           areKnown(slice.getStaticStrides(), 1, "offsets");
  }
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ConcatOp,
             tensor::CastOp>(op);
}

/// Other ops iterate over their result. Returns what they do, Opaque for those
/// that have no blocks.
static BlockOpKind readResult(Operation *op, bool withStarts, BlockOp &out) {
  BlockOpKind kind;
  if (isa<tensor::EmptyOp, tensor::SplatOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    kind = BlockOpKind::Free;
  else if (isTensorMovement(op, withStarts, out.reason))
    kind = BlockOpKind::Movement;
  else if (OpTrait::hasElementwiseMappableTraits(op) &&
           op->getNumRegions() == 0)
    kind = BlockOpKind::Compute;
  else
    return BlockOpKind::Opaque;
  BlockAccess &result = *out.results[0];
  llvm::append_range(out.extents, result.shape);
  out.isReduction.assign(out.extents.size(), false);
  auto forms = std::make_shared<FormArena>();
  for (int64_t extent : out.extents)
    forms->addVariable(Interval::ofExtent(extent));
  // For symbols and values, which have no row.
  forms->addVariable(Interval::all());
  result.forms = forms;
  for (auto [d, row] : llvm::enumerate(result.rows))
    row = AccessRow(*forms, Form::ofAtom(d), out.extents.size());
  if (kind == BlockOpKind::Free)
    return kind;
  if (kind == BlockOpKind::Compute) {
    for (std::optional<BlockAccess> &access : out.operands) {
      if (!access)
        continue;
      if (access->shape != result.shape)
        return BlockOpKind::Opaque;
      access->forms = forms;
      access->rows = result.rows;
    }
    return kind;
  }
  const OpIndexing indexing = getIndexing(op);
  for (auto [o, access] : llvm::enumerate(out.operands)) {
    if (!access)
      continue;
    access->forms = forms;
    // What is overwritten in part is held as the result is.
    if (isa<tensor::InsertSliceOp>(op) && o == 1)
      access->rows = result.rows;
    else
      readMaps(indexing.outputToInput(0, o), out, *forms, *access);
    // A block is made of the blocks that it touches only if these are known.
    const bool isSlice = isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
    if (!(isSlice && withStarts) &&
        !llvm::all_of(access->rows, [](const AccessRow &row) {
          return row.form.has_value();
        }))
      return BlockOpKind::Opaque;
  }
  return kind;
}

/// An op without blocks.
static void forget(BlockOp &op) {
  op.extents.clear();
  op.isReduction.clear();
  op.canSplit = false;
  op.firstInit.reset();
  auto forgetRows = [](std::optional<BlockAccess> &access) {
    if (access)
      access->rows.assign(access->shape.size(), AccessRow());
  };
  llvm::for_each(op.operands, forgetRows);
  llvm::for_each(op.results, forgetRows);
}

BlockOp mlir::tensoraccess::readBlockOp(Operation *op, bool withStarts) {
  BlockOp out;
  out.op = op;
  out.reason = "it is not known which parts it needs";
  bool areStatic = op->getNumResults() != 0;
  auto add = [&](Type type, auto &accesses) {
    std::optional<BlockAccess> &access = accesses.emplace_back();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      access = getWholeAccess(type);
    areStatic &= isStatic(type) || !isa<ShapedType>(type);
  };
  for (Type type : op->getOperandTypes())
    add(type, out.operands);
  for (Type type : op->getResultTypes()) {
    add(type, out.results);
    areStatic &= isa<ShapedType>(type);
  }
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (isStatic(value.getType()))
      out.captured.emplace_back(value, getWholeAccess(value.getType()));
  if (!areStatic)
    return out;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    out.reason = "it works on buffers";
    if (structured.hasPureTensorSemantics())
      readLoops(structured, out);
  } else if (out.results.size() == 1) {
    out.kind = readResult(op, withStarts, out);
    if (out.kind == BlockOpKind::Opaque)
      forget(out);
  }
  return out;
}

FailureOr<BlockOp> mlir::tensoraccess::getBlockOp(Operation *op) {
  if (isa<CallOpInterface>(op))
    return op->emitError("a call is not cut over ranks: inline it first");
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  for (Type type : llvm::concat<const Type>(
           llvm::to_vector(op->getOperandTypes()),
           llvm::to_vector(op->getResultTypes()),
           llvm::to_vector(llvm::make_filter_range(
               ValueRange(captured.getArrayRef()).getTypes(), isTensor))))
    if (isa<ShapedType>(type) && failed(checkSize(op, type)))
      return failure();
  BlockOp out = readBlockOp(op);
  // What a result's dimensions are not cannot be cut.
  if (out.kind == BlockOpKind::Opaque ||
      llvm::all_of(out.results, [](const std::optional<BlockAccess> &result) {
        return !result || result->getDims();
      }))
    return out;
  out.kind = BlockOpKind::Opaque;
  out.reason = "a dimension of a result is not one loop";
  forget(out);
  return out;
}
