//===- Collectives.cpp - What groups of ranks do together -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All but the reductions are one question: every member of the group has a box
// of a whole tensor and needs a box of it.
//
//   1. what a member needs of its own box is inserted into an empty tensor;
//   2. the rest of it comes from the members whose boxes it meets, and what
//      others need of this one's box goes to them, in one exchange.
//
// A reduce-scatter stacks what comes, by member, and reduces along the stack.
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/IR/Exchange.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::tensoraccess;

SmallVector<int64_t> mlir::tensoraccess::getEvenCut(int64_t extent,
                                                    size_t parts) {
  // floor(k·extent / parts) without the product, which may not fit.
  SmallVector<int64_t> cut;
  int64_t count = parts, each = extent / count, rest = extent % count;
  for (int64_t k = 0; k <= count; ++k)
    cut.push_back(k * each + k * rest / count);
  return cut;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static Box cutBox(ArrayRef<int64_t> shape, int64_t axis, int64_t lo,
                  int64_t hi) {
  Box box = getWholeBox(shape);
  box.lo[axis] = lo;
  box.hi[axis] = hi;
  return box;
}

/// Boxes by member: parts of a tensor along an axis.
static SmallVector<Box> cutBoxes(ArrayRef<int64_t> shape, int64_t axis,
                                 ArrayRef<int64_t> cut) {
  SmallVector<Box> boxes;
  for (size_t k = 0; k + 1 < cut.size(); ++k)
    boxes.push_back(cutBox(shape, axis, cut[k], cut[k + 1]));
  return boxes;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult checkGroup(Location loc, Value value,
                                const RankGroup &group, int64_t tag,
                                int64_t tags = 1) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return emitError(loc) << "a collective needs a tensor of static shape, got "
                          << value.getType();
  if (group.self >= group.size())
    return emitError(loc) << "member " << group.self
                          << " must be one of the group's " << group.size();
  for (size_t i = 0; i < group.size(); ++i)
    if (group.ranks[i] < 0 ||
        llvm::is_contained(ArrayRef(group.ranks).take_front(i), group.ranks[i]))
      return emitError(loc) << "ranks of a group must be different and at "
                               "least 0, got "
                            << group.ranks[i];
  if (tag < 0 || tag > kMaxTag - (tags - 1))
    return emitError(loc) << "tag must lie in [0, " << kMaxTag - (tags - 1)
                          << "], got " << tag;
  return success();
}

/// Fails where a cut does not fit a group, or this rank's tensor has not the
/// extent `size` along the axis.
static LogicalResult checkCut(Location loc, Value value, const RankGroup &group,
                              int64_t axis, ArrayRef<int64_t> cut,
                              bool isPart) {
  auto type = cast<RankedTensorType>(value.getType());
  if (axis < 0 || axis >= type.getRank())
    return emitError(loc) << "axis must lie in [0, " << type.getRank()
                          << "), got " << axis;
  if (cut.size() != group.size() + 1 || cut.front() != 0 ||
      !llvm::is_sorted(cut)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(cut, os);
    return emitError(loc) << "a cut in " << group.size()
                          << " parts must begin with 0 and rise "
                          << group.size() << " times, got [" << text << "]";
  }
  int64_t size = isPart ? cut[group.self + 1] - cut[group.self] : cut.back();
  if (type.getDimSize(axis) != size)
    return emitError(loc) << "dimension " << axis << " must have " << size
                          << " elements by the cut, got "
                          << type.getDimSize(axis);
  return success();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static SmallVector<OpFoldResult> toAttrs(OpBuilder &b,
                                         ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(b.getContext(), values);
}

static SmallVector<OpFoldResult> ones(OpBuilder &b, size_t count) {
  return SmallVector<OpFoldResult>(count, b.getIndexAttr(1));
}

static Value extract(OpBuilder &b, Location loc, RankedTensorType type,
                     Value from, const Box &box) {
  // An empty slice may begin at the end, but upstream takes that for outside.
  if (box.isEmpty())
    return tensor::EmptyOp::create(b, loc, type.getShape(),
                                   type.getElementType());
  if (getBoxSizes(box) == cast<RankedTensorType>(from.getType()).getShape() &&
      from.getType() == type)
    return from;
  return tensor::ExtractSliceOp::create(b, loc, type, from, toAttrs(b, box.lo),
                                        toAttrs(b, getBoxSizes(box)),
                                        ones(b, box.lo.size()));
}

static Value insert(OpBuilder &b, Location loc, Value what, Value into,
                    const Box &box) {
  return tensor::InsertSliceOp::create(b, loc, what, into, toAttrs(b, box.lo),
                                       toAttrs(b, getBoxSizes(box)),
                                       ones(b, box.lo.size()));
}

/// Gives a member the box that it needs, where each has a box, disjoint.
static Value redistribute(OpBuilder &b, Location loc, Value own,
                          const RankGroup &group, ArrayRef<Box> owned,
                          ArrayRef<Box> needed, int64_t tag) {
  auto type = cast<RankedTensorType>(own.getType());
  const Box &mine = owned[group.self], &wanted = needed[group.self];
  Value room = tensor::EmptyOp::create(b, loc, getBoxSizes(wanted),
                                       type.getElementType());
  SmallVector<Message> sends, receives;
  for (size_t k = 0; k < group.size(); ++k) {
    Box out = intersectBoxes(mine, needed[k]);
    Box in = intersectBoxes(owned[k], wanted);
    if (k == group.self) {
      if (in.isEmpty())
        continue;
      Value kept = extract(b, loc, type.clone(getBoxSizes(in)), own,
                           shiftBox(in, mine.lo));
      room = insert(b, loc, kept, room, shiftBox(in, wanted.lo));
      continue;
    }
    if (!out.isEmpty())
      sends.push_back({group.ranks[k], shiftBox(out, mine.lo)});
    if (!in.isEmpty())
      receives.push_back({group.ranks[k], shiftBox(in, wanted.lo)});
  }
  if (sends.empty() && receives.empty())
    return room;
  return ExchangeOp::create(b, loc, own, room, tag, sends, receives)
      .getResult();
}

FailureOr<Value>
mlir::tensoraccess::buildAllGather(OpBuilder &b, Location loc, Value part,
                                   const RankGroup &group, int64_t axis,
                                   ArrayRef<int64_t> cut, int64_t tag) {
  if (failed(checkGroup(loc, part, group, tag)) ||
      failed(checkCut(loc, part, group, axis, cut, /*isPart=*/true)))
    return failure();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(part.getType()).getShape();
  SmallVector<Box> whole(group.size(), cutBox(shape, axis, 0, cut.back()));
  return redistribute(b, loc, part, group, cutBoxes(shape, axis, cut), whole,
                      tag);
}

FailureOr<Value>
mlir::tensoraccess::buildAllToAll(OpBuilder &b, Location loc, Value part,
                                  const RankGroup &group, int64_t fromAxis,
                                  ArrayRef<int64_t> fromCut, int64_t toAxis,
                                  ArrayRef<int64_t> toCut, int64_t tag) {
  if (failed(checkGroup(loc, part, group, tag)) ||
      failed(checkCut(loc, part, group, fromAxis, fromCut, /*isPart=*/true)))
    return failure();
  if (toAxis == fromAxis)
    return emitError(loc) << "an all-to-all must be from one axis to another, "
                             "got "
                          << toAxis << " for both";
  if (failed(checkCut(loc, part, group, toAxis, toCut, /*isPart=*/false)))
    return failure();
  SmallVector<int64_t> shape(cast<RankedTensorType>(part.getType()).getShape());
  shape[fromAxis] = fromCut.back();
  return redistribute(b, loc, part, group, cutBoxes(shape, fromAxis, fromCut),
                      cutBoxes(shape, toAxis, toCut), tag);
}

FailureOr<Value> mlir::tensoraccess::buildBroadcast(OpBuilder &b, Location loc,
                                                    Value value,
                                                    const RankGroup &group,
                                                    size_t root, int64_t tag) {
  if (failed(checkGroup(loc, value, group, tag)))
    return failure();
  if (root >= group.size())
    return emitError(loc) << "root " << root << " must be one of the group's "
                          << group.size();
  auto type = cast<RankedTensorType>(value.getType());
  Box all = getWholeBox(type.getShape());
  if (group.size() == 1 || all.isEmpty())
    return value;
  SmallVector<Message> sends, receives;
  if (group.self != root) {
    Value room =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    return ExchangeOp::create(b, loc, value, room, tag, sends,
                              {{group.ranks[root], all}})
        .getResult();
  }
  for (size_t k = 0; k < group.size(); ++k)
    if (k != root)
      sends.push_back({group.ranks[k], all});
  // Nothing comes: the destination stays what it is.
  return ExchangeOp::create(b, loc, value, value, tag, sends, receives)
      .getResult();
}

FailureOr<Value>
mlir::tensoraccess::buildHaloExchange(OpBuilder &b, Location loc, Value part,
                                      const RankGroup &group, int64_t axis,
                                      ArrayRef<int64_t> cut, int64_t low,
                                      int64_t high, int64_t tag) {
  if (failed(checkGroup(loc, part, group, tag)) ||
      failed(checkCut(loc, part, group, axis, cut, /*isPart=*/true)))
    return failure();
  if (low < 0 || high < 0)
    return emitError(loc) << "a halo must be at least 0, got " << low
                          << " before and " << high << " after";
  ArrayRef<int64_t> shape = cast<RankedTensorType>(part.getType()).getShape();
  SmallVector<Box> needed;
  for (size_t k = 0; k < group.size(); ++k) {
    // Who has nothing needs nothing.
    bool isEmpty = cut[k] == cut[k + 1];
    int64_t before = std::min(low, cut[k]);
    int64_t after = std::min(high, cut.back() - cut[k + 1]);
    needed.push_back(cutBox(shape, axis, cut[k] - (isEmpty ? 0 : before),
                            cut[k + 1] + (isEmpty ? 0 : after)));
  }
  return redistribute(b, loc, part, group, cutBoxes(shape, axis, cut), needed,
                      tag);
}

FailureOr<Value>
mlir::tensoraccess::buildReduceScatter(OpBuilder &b, Location loc,
                                       Value summand, const RankGroup &group,
                                       arith::AtomicRMWKind kind, int64_t axis,
                                       ArrayRef<int64_t> cut, int64_t tag) {
  if (failed(checkGroup(loc, summand, group, tag)) ||
      failed(checkCut(loc, summand, group, axis, cut, /*isPart=*/false)))
    return failure();
  auto type = cast<RankedTensorType>(summand.getType());
  SmallVector<Box> parts = cutBoxes(type.getShape(), axis, cut);
  RankedTensorType result = type.clone(getBoxSizes(parts[group.self]));
  Value own = extract(b, loc, result, summand, parts[group.self]);
  if (group.size() == 1)
    return own;

  // What came from member k lies at k of the stack.
  SmallVector<int64_t> stacked(1, group.size());
  llvm::append_range(stacked, result.getShape());
  auto place = [&](size_t k) { return cutBox(stacked, 0, k, k + 1); };
  Value stack = tensor::EmptyOp::create(b, loc, stacked, type.getElementType());
  SmallVector<Message> sends, receives;
  for (size_t k = 0; k < group.size(); ++k) {
    if (k == group.self)
      continue;
    if (!parts[k].isEmpty())
      sends.push_back({group.ranks[k], parts[k]});
    if (result.getNumElements() > 0)
      receives.push_back({group.ranks[k], place(k)});
  }
  stack = ExchangeOp::create(b, loc, summand, stack, tag, sends, receives)
              .getResult();

  SmallVector<Value> inputs;
  for (size_t k = 0; k < group.size(); ++k)
    inputs.push_back(
        k == group.self ? own : extract(b, loc, result, stack, place(k)));
  AffineMap map = b.getMultiDimIdentityMap(result.getRank());
  Value room = tensor::EmptyOp::create(b, loc, result.getShape(),
                                       result.getElementType());
  return linalg::GenericOp::create(
             b, loc, result, inputs, room,
             SmallVector<AffineMap>(group.size() + 1, map),
             SmallVector<utils::IteratorType>(result.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &inner, Location at, ValueRange args) {
               Value sum = args.front();
               for (Value next : args.drop_front().drop_back())
                 sum = arith::getReductionOp(kind, inner, at, sum, next);
               linalg::YieldOp::create(inner, at, sum);
             })
      .getResult(0);
}

FailureOr<Value> mlir::tensoraccess::buildAllReduce(OpBuilder &b, Location loc,
                                                    Value summand,
                                                    const RankGroup &group,
                                                    arith::AtomicRMWKind kind,
                                                    int64_t tag) {
  if (failed(checkGroup(loc, summand, group, tag, /*tags=*/2)))
    return failure();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(summand.getType()).getShape();
  // Parts are most equal along the longest axis; a scalar has none.
  Value flat = summand;
  auto type = cast<RankedTensorType>(summand.getType());
  if (shape.empty()) {
    flat = tensor::ExpandShapeOp::create(b, loc, type.clone({1}), summand,
                                         ArrayRef<ReassociationIndices>());
    shape = cast<RankedTensorType>(flat.getType()).getShape();
  }
  int64_t axis = std::max_element(shape.begin(), shape.end()) - shape.begin();
  SmallVector<int64_t> cut = getEvenCut(shape[axis], group.size());
  FailureOr<Value> part =
      buildReduceScatter(b, loc, flat, group, kind, axis, cut, tag);
  if (failed(part))
    return failure();
  FailureOr<Value> whole =
      buildAllGather(b, loc, *part, group, axis, cut, tag + 1);
  if (failed(whole) || type.getRank() > 0)
    return whole;
  return tensor::CollapseShapeOp::create(b, loc, type, *whole,
                                         ArrayRef<ReassociationIndices>())
      .getResult();
}
