//===- AccessBorders.cpp - Interiors read directly, borders peeled --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows that hang over the edge of an array read a padded, wrapped or clamped
// copy of it (AccessOperands.cpp), though nearly all of them lie inside:
//
//   a window of 3 around each of n places      copy: n + 2 elements
//     interior [1, n-1)   reads the array itself
//     borders  0, n-1     read copies of 3 elements each
//
// 1. Each operand is planned as usual, which gives an array J that would be
//    written out (the *joint*), made of boxes of others, and the map from the
//    loops into J. Of J's boxes the largest that is read from one base is the
//    inside.
// 2. The interior are the points all of whose reads lie inside, for all
//    operands. Where each dimension of J moves with one dimension of the result
//    at most, that is a box, by division.
// 3. The result without the interior is cut into boxes, at most two for each
//    dimension (Core/Counting.h). Each part reads, of each joint, the box that
//    its loops reach: where one piece of the joint has it, that piece's base
//    directly; else that box of the joint is written out, a strip.
// 4. Each part is computed like a whole result and inserted at its place.
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// An operand of the op before it is cut.
struct Source {
  const OperandForm *operand;
  /// What would be written out; std::nullopt if the operand reads a base as it
  /// is.
  std::optional<AccessForm> joint;
  /// The inside of the joint.
  unsigned inside = 0;
};

} // namespace

/// Whether all results of a map are sums over its dims.
static bool isLinear(const IndexingMap &map) {
  auto isSum = [&](const Form &form) {
    return llvm::all_of(form.terms, [&](const Term &term) {
      return map.getArena().isVariable(term.atom);
    });
  };
  return map.isOrdinary() && map.getNumVariables() == map.getNumDims() &&
         map.getConstraints().empty() && llvm::all_of(map.getResults(), isSum);
}

/// The box on which a piece holds.
static Box getDomain(const AccessPiece &piece) {
  Box box;
  for (const Interval &range : piece.map.getDimRanges()) {
    box.lo.push_back(range.lower);
    box.hi.push_back(range.upper + 1);
  }
  return box;
}

static int64_t getVolumeOrMax(const Box &box) {
  return static_cast<int64_t>(
      std::min<uint64_t>(getVolume(box).value_or(INT64_MAX), INT64_MAX));
}

/// The joint of an operand that is padded or reads a pattern made of others.
static std::optional<AccessForm> getJoint(AccessForms &forms,
                                          const OperandForm &operand) {
  if (operand.padding) {
    const SmallVector<int64_t> shape = getBaseShape(operand.base);
    const SmallVector<int64_t> none(shape.size(), 0);
    std::optional<CanonicalAccess> padded =
        padAccess(CanonicalAccess::identity(shape, 0), operand.low,
                  operand.high, none, 0);
    if (!padded)
      return std::nullopt;
    AccessForm form;
    form.access = std::move(*padded);
    form.bases.push_back(operand.base);
    form.constants.push_back(operand.padding);
    return form;
  }
  if (!operand.base || !isMovement(operand.base.getDefiningOp()))
    return std::nullopt;
  AccessForm form = forms.get(operand.base);
  if (form.asIdentity() == operand.base)
    return std::nullopt;
  return form;
}

/// A map over the loops of a part, counted from its begin.
static IndexingMap shiftTo(const Box &loops, const IndexingMap &map,
                           ArrayRef<int64_t> offsets = {}) {
  IndexingMapBuilder builder;
  for (auto [lo, hi] : llvm::zip_equal(loops.lo, loops.hi)) {
    Form form = builder.addDim({0, hi - lo - 1});
    builder.addResult(builder.arena().add(form, Form(lo)));
  }
  IndexingMap shifted = builder.build().then(map).simplify();
  if (offsets.empty() || !shifted.isOrdinary())
    return shifted;
  IndexingMapBuilder moved;
  for (auto [r, offset] : llvm::enumerate(offsets)) {
    const Interval range = shifted.getResultRange(r);
    Form form = moved.addDim(range);
    moved.addResult(moved.arena().add(form, Form(-offset)));
  }
  return shifted.then(moved.build()).simplify();
}

/// The places of a linear map over a box of the loops, which is not empty.
static Box getReach(const IndexingMap &map, const Box &loops) {
  const IndexingMap part = shiftTo(loops, map);
  Box reach;
  for (unsigned r = 0; r < part.getNumResults(); ++r) {
    const Interval range = part.getResultRange(r);
    reach.lo.push_back(range.lower);
    reach.hi.push_back(range.upper + 1);
  }
  return reach;
}

/// Cuts the box down to the points all of whose reads lie in the inside of the
/// source's joint; false if these are not a box or none.
static bool keepInside(const Source &source, const Box &loops, Box &interior) {
  const Box inside = getDomain(source.joint->access.getPieces()[source.inside]);
  const IndexingMap &map = source.operand->map;
  const Box reach = getReach(map, loops);
  for (unsigned r = 0; r < map.getNumResults(); ++r) {
    if (reach.lo[r] >= inside.lo[r] && reach.hi[r] <= inside.hi[r])
      continue;
    // The one dimension of the result that moves this place.
    std::optional<Term> axis;
    for (const Term &term : map.getResult(r).terms)
      if (term.atom < interior.lo.size() &&
          loops.hi[term.atom] - loops.lo[term.atom] > 1) {
        if (axis)
          return false;
        axis = term;
      }
    if (!axis)
      return false;
    // inside.lo ≤ first + factor·x and last + factor·x < inside.hi.
    Box alone = loops;
    alone.lo[axis->atom] = 0;
    alone.hi[axis->atom] = 1;
    const Box rest = getReach(map, alone);
    int64_t low = inside.lo[r] - rest.lo[r];
    int64_t high = inside.hi[r] - rest.hi[r];
    int64_t factor = axis->coefficient;
    if (factor < 0) {
      std::swap(low, high);
      low = -low;
      high = -high;
      factor = -factor;
    }
    int64_t &lo = interior.lo[axis->atom], &hi = interior.hi[axis->atom];
    lo = std::max(lo, ceilDivPositive(low, factor));
    hi = std::min(hi, floorDivPositive(high, factor) + 1);
    if (lo >= hi)
      return false;
  }
  return true;
}

/// True for a map that a loop can read by.
static bool isReadable(const IndexingMap &map) {
  return map.isOrdinary() && map.getNumSymbols() == 0 &&
         map.getConstraints().empty();
}

/// The operand over part of the loops; std::nullopt if that takes more than
/// loops.
static std::optional<OperandForm> restrict(const Source &source,
                                           const Box &loops) {
  OperandForm part;
  if (!source.joint) {
    part = *source.operand;
    if (part.base)
      part.map = shiftTo(loops, part.map);
    return !part.base || isReadable(part.map) ? std::optional(part)
                                              : std::nullopt;
  }
  const AccessForm &joint = *source.joint;
  const Box reach = getReach(source.operand->map, loops);
  bool meets = false;
  for (const AccessPiece &piece : joint.access.getPieces()) {
    const Box common = intersectBoxes(getDomain(piece), reach);
    meets |= !common.isEmpty();
    if (!(common == reach))
      continue;
    if (piece.source.kind == SourceKind::Constant) {
      part.constant = joint.getConstant(piece);
      return part;
    }
    part.base = joint.getBase(piece);
    part.map = shiftTo(loops, source.operand->map).then(piece.map).simplify();
    return isReadable(part.map) ? std::optional(part) : std::nullopt;
  }
  if (!meets) {
    part.constant = joint.getBackground();
    return part;
  }
  SmallVector<int64_t> ones(reach.lo.size(), 1);
  std::optional<CanonicalAccess> strip =
      sliceAccess(joint.access, reach.lo, getBoxSizes(reach), ones);
  part.map = shiftTo(loops, source.operand->map, reach.lo);
  if (!strip || !isReadable(part.map))
    return std::nullopt;
  part.strip = joint.with(std::move(*strip), 0).renumbered();
  if (!isBoxes(*part.strip))
    return std::nullopt;
  return part;
}

/// The smallest copy worth avoiding, in elements, and the share of what is
/// computed that it has to be: measured, see docs/Rationale.md.
static constexpr int64_t kMinCopy = 1 << 16;
static constexpr int64_t kMaxWorkPerCopy = 32;

/// True if cutting pays: the joints that are not written out then are
/// neither small nor little beside what is computed from them.
static bool paysOff(ArrayRef<Source> sources, int64_t work) {
  int64_t written = 0;
  for (const Source &source : sources)
    if (source.joint &&
        llvm::AddOverflow(
            written,
            elementCount(source.joint->access.getShape()).value_or(INT64_MAX),
            written))
      return true;
  return written >= kMinCopy && written >= work / kMaxWorkPerCopy;
}

BorderParts AccessLowering::findBorders(ComputeOp op) {
  PatternValue pattern = op.getPattern();
  if (borders == Borders::Copy || op.getKind() == ComputeKind::Softmax ||
      hasTupleOfUnknownLength(op) || !AccessForms::isStatic(pattern) ||
      isDynamic(pattern))
    return {};
  const bool isTuple = isOverTuple(op.getKind());
  SmallVector<int64_t> shape = pattern.getType().getShape();
  if (isTuple)
    shape.erase(shape.begin() + pattern.getType().getAccessRank());
  const Box loops = getWholeBox(shape);
  if (loops.isEmpty())
    return {};

  SmallVector<Source, 0> sources;
  bool hasJoint = false;
  for (const OperandForm &operand : plan(pattern, isTuple)) {
    Source &source = sources.emplace_back();
    source.operand = &operand;
    source.joint = getJoint(forms, operand);
    if (!source.joint)
      continue;
    hasJoint = true;
    if (!isLinear(operand.map) || !isBoxes(*source.joint))
      return {};
    int64_t largest = -1;
    for (auto [i, piece] : llvm::enumerate(source.joint->access.getPieces())) {
      const int64_t volume = getVolumeOrMax(getDomain(piece));
      if (piece.source.kind != SourceKind::Operand || volume <= largest)
        continue;
      largest = volume;
      source.inside = i;
    }
    if (largest < 0)
      return {};
  }
  if (!hasJoint)
    return {};

  // Dimensions of the result come first.
  const size_t rank = op.getType().getRank();
  const Box whole = getWholeBox(ArrayRef(shape).take_front(rank));
  Box interior = whole;
  for (const Source &source : sources)
    if (source.joint && !keepInside(source, loops, interior))
      return {};
  if (borders == Borders::Auto && !paysOff(sources, *elementCount(shape)))
    return {};

  SmallVector<Box> boxes{interior};
  llvm::append_range(boxes, subtractBox(whole, interior));
  BorderParts parts;
  for (const Box &box : boxes) {
    BorderPart &part = parts.emplace_back();
    part.box = box;
    Box partLoops = loops;
    llvm::copy(box.lo, partLoops.lo.begin());
    llvm::copy(box.hi, partLoops.hi.begin());
    for (const Source &source : sources) {
      std::optional<OperandForm> operand = restrict(source, partLoops);
      if (!operand)
        return {};
      part.operands.push_back(std::move(*operand));
    }
  }
  return parts;
}

ArrayRef<BorderPart> AccessLowering::planBorders(ComputeOp op) {
  auto found = cuts.find(op);
  if (found == cuts.end()) {
    BorderParts parts = findBorders(op);
    found = cuts.try_emplace(op, std::move(parts)).first;
  }
  return found->second;
}

Value AccessLowering::emitParts(ComputeOp op, ArrayRef<BorderPart> parts) {
  Location loc = op.getLoc();
  MLIRContext *context = rewriter.getContext();
  const bool isTuple = isOverTuple(op.getKind());
  SmallVector<int64_t> shape = op.getPattern().getType().getShape();
  if (isTuple)
    shape.erase(shape.begin() + op.getPattern().getType().getAccessRank());
  const size_t rank = op.getType().getRank();
  Value result = tensor::EmptyOp::create(
      rewriter, loc, getAsIndexOpFoldResult(context, op.getType().getShape()),
      op.getType().getElementType());
  const SmallVector<OpFoldResult> ones(rank, rewriter.getIndexAttr(1));
  for (const BorderPart &part : parts) {
    SmallVector<int64_t> sizes(shape);
    for (size_t d = 0; d != rank; ++d)
      sizes[d] = part.box.hi[d] - part.box.lo[d];
    OperandViews views;
    for (const OperandForm &operand : part.operands)
      views.push_back(getView(loc, operand, sizes));
    const SmallVector<OpFoldResult> extents =
        getAsIndexOpFoldResult(context, sizes);
    Value value = emitCompute(op, views, extents);
    result = insertPart(rewriter, loc, value, result,
                        getAsIndexOpFoldResult(context, part.box.lo),
                        ArrayRef(extents).take_front(rank), ones);
  }
  return result;
}
