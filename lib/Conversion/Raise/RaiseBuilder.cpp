//===- RaiseBuilder.cpp - The pieces that access patterns are built of ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per op. Each checks what the op's verifier would refuse, so that
// no invalid op is ever built, and leaves out ops that do nothing. A split that
// is asked for is reached directly where the pattern is a short chain
// of ops that permit it: they are built again on `access` at that axis, and
// the old ones are erased with their last reader.
//
//===----------------------------------------------------------------------===//

#include "RaiseBuilder.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Chains of views longer than this are not built again for another split.
static constexpr int64_t kLongestChain = 4;

static AccessType splitType(ArrayRef<int64_t> shape, int64_t axis, Type type) {
  return AccessType::get(shape.take_front(axis), shape.drop_front(axis), type);
}

std::string mlir::tensoraccess::typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LoopIndex LoopIndex::window(int64_t place, int64_t stride, int64_t within,
                            int64_t dilation, int64_t offset) {
  LoopIndex index(place, stride, offset);
  index.terms.push_back({within, dilation});
  return index;
}

LoopIndex LoopIndex::constant(int64_t offset) {
  LoopIndex index;
  index.offset = offset;
  return index;
}

void LoopNest::setPlainResult() {
  result.clear();
  for (int64_t loop : parallel)
    result.push_back({loop});
}

LoopNest LoopNest::parallelOver(ArrayRef<int64_t> shape) {
  LoopNest nest;
  nest.ranges.assign(shape.begin(), shape.end());
  nest.parallel = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(shape.size())));
  nest.setPlainResult();
  return nest;
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

RaiseBuilder::RaiseBuilder(RewriterBase &rewriter, Location loc, bool widenSums,
                           StringRef unknownRepetition)
    : rewriter(rewriter), loc(loc), block(rewriter.getInsertionBlock()),
      unknownRepetition(unknownRepetition), widenSums(widenSums) {
  Block::iterator point = rewriter.getInsertionPoint();
  before = point == block->begin() ? nullptr : &*std::prev(point);
}

RaiseBuilder::~RaiseBuilder() {
  if (!hasFailed())
    return;
  Block::iterator point = rewriter.getInsertionPoint();
  while (point != block->begin() && &*std::prev(point) != before)
    rewriter.eraseOp(&*std::prev(point));
}

SmallVector<Operation *> RaiseBuilder::getBuiltOps() const {
  Block::iterator from =
      before ? std::next(before->getIterator()) : block->begin();
  SmallVector<Operation *> ops;
  for (Operation &op : llvm::make_range(from, rewriter.getInsertionPoint()))
    ops.push_back(&op);
  return ops;
}

bool RaiseBuilder::knowsRepetition() {
  if (!unknownRepetition.empty())
    fail(unknownRepetition);
  return unknownRepetition.empty();
}

/// An operand is null: the reason is known already.
Value RaiseBuilder::failure() { return fail("an operand is missing"); }

bool RaiseBuilder::fits(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> statics;
  for (int64_t size : shape)
    if (size != ShapedType::kDynamic && size != 0)
      statics.push_back(size);
  if (elementCount(statics))
    return true;
  fail("the sizes of its access pattern multiply to more than 2^63 - 1");
  return false;
}

//===----------------------------------------------------------------------===//
// Into and out of access patterns
//===----------------------------------------------------------------------===//

Value RaiseBuilder::access(Value source, int64_t axis) {
  if (!source)
    return failure();
  if (isa<AccessType>(source.getType()))
    return split(source, axis);
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!type)
    return fail("it works on " + typeName(source.getType()) +
                ", which is not a tensor with a rank");
  if (type.getEncoding())
    return fail("an operand has an encoding");
  if (!type.getElementType().isIntOrIndexOrFloat())
    return fail("its elements are of type " + typeName(type.getElementType()) +
                ", neither integers nor floats");
  if (!fits(type.getShape()))
    return {};
  if (auto back = source.getDefiningOp<ToTensorOp>())
    return split(back.getPattern(), axis);
  return AccessOp::create(rewriter, loc, source, axis);
}

Value RaiseBuilder::accessAll(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return access(tensor, type ? type.getRank() : 0);
}

Value RaiseBuilder::split(Value pattern, int64_t axis) {
  if (typeOf(pattern).getAccessRank() == axis)
    return pattern;
  // The ops from the pattern back to `access`.
  SmallVector<Operation *> chain;
  Value base = pattern;
  while (static_cast<int64_t>(chain.size()) <= kLongestChain) {
    Operation *op = base.getDefiningOp();
    if (!isa_and_nonnull<PadOp, SliceOp, TransposeOp, BroadcastOp>(op))
      break;
    chain.push_back(op);
    base = op->getOperand(0);
  }
  auto bottom = base.getDefiningOp<AccessOp>();
  if (!bottom || static_cast<int64_t>(chain.size()) > kLongestChain) {
    Value tensor = ToTensorOp::create(rewriter, loc, pattern);
    return AccessOp::create(rewriter, loc, tensor, axis);
  }
  Value result = AccessOp::create(rewriter, loc, bottom.getTensor(), axis);
  for (Operation *op : llvm::reverse(chain)) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), result);
    AccessType type = typeOf(op->getResult(0));
    result = rewriter.clone(*op, mapping)->getResult(0);
    result.setType(splitType(type.getShape(), axis, type.getElementType()));
  }
  return result;
}

Value RaiseBuilder::toTensor(Value pattern, Type type) {
  if (!pattern)
    return failure();
  Value tensor;
  if (auto access = pattern.getDefiningOp<AccessOp>())
    tensor = access.getTensor();
  else
    tensor = ToTensorOp::create(rewriter, loc, pattern);
  if (!type || tensor.getType() == type)
    return tensor;
  if (!tensor::CastOp::areCastCompatible(tensor.getType(), type) ||
      cast<RankedTensorType>(type).getEncoding())
    return fail("its result has the type " + typeName(type) + ", not " +
                typeName(tensor.getType()));
  return tensor::CastOp::create(rewriter, loc, type, tensor);
}

Value RaiseBuilder::constant(TypedAttr value) {
  if (!value.getType().isIntOrIndexOrFloat())
    return fail("a constant is of type " + typeName(value.getType()));
  auto type = RankedTensorType::get({}, value.getType());
  return access(arith::ConstantOp::create(rewriter, loc,
                                          DenseElementsAttr::get(type, value)),
                0);
}

Value RaiseBuilder::scalar(Value value) {
  if (!value.getType().isIntOrIndexOrFloat())
    return fail("a scalar is of type " + typeName(value.getType()));
  auto type = RankedTensorType::get({}, value.getType());
  return access(tensor::FromElementsOp::create(rewriter, loc, type, value), 0);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

Value RaiseBuilder::transpose(Value pattern, ArrayRef<int64_t> perm) {
  if (!pattern)
    return failure();
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size())))
    return pattern;
  return TransposeOp::create(rewriter, loc, pattern, perm);
}

Value RaiseBuilder::insertAxis(Value pattern, int64_t axis) {
  return pattern
             ? InsertAxisOp::create(rewriter, loc, pattern, axis).getResult()
             : failure();
}

Value RaiseBuilder::squeeze(Value pattern, int64_t axis) {
  if (!pattern)
    return failure();
  int64_t size = typeOf(pattern).getShape()[axis];
  if (size != 1)
    return fail("dimension " + Twine(axis) + " of size " + shapeToString(size) +
                " would have to be of size 1");
  return SqueezeOp::create(rewriter, loc, pattern, axis);
}

Value RaiseBuilder::repeat(Value pattern, int64_t axis, Value tensor,
                           int64_t dim) {
  if (!pattern)
    return failure();
  // <?> x <all> has <? x all> pairs, whose right elements are wanted. For the
  // left ones only their number matters.
  AccessType type = typeOf(pattern);
  const int64_t rank = type.getRank();
  Value size = tensor::DimOp::create(rewriter, loc, tensor, dim);
  Value counted = tensor::EmptyOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{size}, type.getElementType());
  Value pairs = cartProd(access(counted, 1), split(pattern, rank));
  if (!pairs)
    return {};
  SmallVector<int64_t> offsets(rank + 2, 0), sizes = typeOf(pairs).getShape();
  llvm::replace(sizes, ShapedType::kDynamic, int64_t(-1));
  offsets.back() = sizes.back() = 1;
  Value repeated = squeeze(slice(pairs, offsets, sizes), rank + 1);
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(1, axis + 1));
  perm.push_back(0);
  llvm::append_range(perm, llvm::seq<int64_t>(axis + 1, rank + 1));
  return transpose(repeated, perm);
}

Value RaiseBuilder::broadcast(Value pattern, ArrayRef<int64_t> shape) {
  if (!pattern)
    return failure();
  AccessType type = typeOf(pattern);
  SmallVector<int64_t> from = type.getShape();
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(from, shape))) {
    auto [size, wanted] = sizes;
    if (size == wanted)
      continue;
    if (size != 1)
      return fail("dimension " + Twine(dim) + " would have to grow from " +
                  shapeToString(size) + " to " + shapeToString(wanted));
    if (ShapedType::isDynamic(wanted))
      return fail("an operand is repeated a number of times that is unknown "
                  "at compile time");
  }
  if (ArrayRef<int64_t>(from) == shape)
    return pattern;
  if (!fits(shape))
    return {};
  return BroadcastOp::create(
      rewriter, loc,
      splitType(shape, type.getAccessRank(), type.getElementType()), pattern);
}

Value RaiseBuilder::slice(Value pattern, ArrayRef<int64_t> offsets,
                          ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (!pattern)
    return failure();
  SmallVector<int64_t> shape = typeOf(pattern).getShape();
  bool identity = true, unit = true;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t stride = strides.empty() ? 1 : strides[dim];
    std::optional<int64_t> reach =
        checkedMul(std::max<int64_t>(sizes[dim], 1) - 1, stride);
    std::optional<int64_t> last =
        reach ? checkedAdd(offsets[dim], *reach) : std::nullopt;
    bool outside = !last || offsets[dim] < 0 || *last < 0 ||
                   (!ShapedType::isDynamic(size) && sizes[dim] > 0 &&
                    std::max(offsets[dim], *last) >= size);
    if (outside || (sizes[dim] < 0 && sizes[dim] != -1))
      return fail("dimension " + Twine(dim) + " of size " +
                  shapeToString(size) + " is read outside its bounds");
    bool whole =
        ShapedType::isDynamic(size) ? sizes[dim] == -1 : sizes[dim] == size;
    identity &=
        whole && offsets[dim] == 0 && (stride == 1 || size == 0 || size == 1);
    unit &= stride == 1;
  }
  if (identity)
    return pattern;
  return SliceOp::create(
      rewriter, loc, pattern, rewriter.getDenseI64ArrayAttr(offsets),
      rewriter.getDenseI64ArrayAttr(sizes),
      unit ? DenseI64ArrayAttr() : rewriter.getDenseI64ArrayAttr(strides));
}

Value RaiseBuilder::reverse(Value pattern, ArrayRef<int64_t> dims) {
  if (!pattern)
    return failure();
  SmallVector<int64_t> sizes = typeOf(pattern).getShape();
  SmallVector<int64_t> offsets(sizes.size(), 0), strides(sizes.size(), 1);
  for (int64_t dim : dims)
    if (sizes[dim] > 1) {
      offsets[dim] = sizes[dim] - 1;
      strides[dim] = -1;
    }
  llvm::replace(sizes, ShapedType::kDynamic, int64_t(-1));
  return slice(pattern, offsets, sizes, strides);
}

Value RaiseBuilder::pad(Value pattern, ArrayRef<int64_t> low,
                        ArrayRef<int64_t> high, TypedAttr value,
                        ArrayRef<int64_t> interior) {
  if (!pattern)
    return failure();
  SmallVector<int64_t> shape = typeOf(pattern).getShape();
  if (value && value.getType() != typeOf(pattern).getElementType())
    return fail("its padding is of type " + typeName(value.getType()));
  SmallVector<int64_t> offsets, sizes, padLow, padHigh, grown;
  bool pads = false;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t step = interior.empty() ? 0 : interior[dim];
    if (step < 0)
      return fail("its interior padding of dimension " + Twine(dim) + " is " +
                  Twine(step));
    padLow.push_back(std::max<int64_t>(low[dim], 0));
    padHigh.push_back(std::max<int64_t>(high[dim], 0));
    pads |= padLow.back() > 0 || padHigh.back() > 0 || step > 0;
    offsets.push_back(low[dim] < 0 ? -low[dim] : 0);
    bool cuts = low[dim] < 0 || high[dim] < 0;
    if (ShapedType::isDynamic(size)) {
      if (high[dim] < 0 || step > 0)
        return fail("it pads dimension " + Twine(dim) + " of unknown size by " +
                    Twine(high[dim]));
      grown.push_back(size);
      sizes.push_back(-1);
      continue;
    }
    // Cutting comes last: the size after padding, and then what is left of it.
    std::optional<int64_t> inner =
        checkedMul(std::max<int64_t>(size - 1, 0), step);
    std::optional<int64_t> full = inner ? checkedAdd(size, *inner) : inner;
    if (full)
      full = checkedAdd(*full, padLow.back());
    if (full)
      full = checkedAdd(*full, padHigh.back());
    if (!full)
      return fail("the size of padded dimension " + Twine(dim) + " overflows");
    grown.push_back(*full);
    int64_t left = *full;
    if (cuts)
      left = *full + std::min<int64_t>(low[dim], 0) +
             std::min<int64_t>(high[dim], 0);
    if (left < 0)
      return fail("it cuts more of dimension " + Twine(dim) + " than there is");
    sizes.push_back(left);
  }
  if (pads && !value)
    return fail("it does not pad by one constant");
  if (pads) {
    if (!fits(grown))
      return {};
    bool plain = llvm::all_of(interior, [](int64_t step) { return step == 0; });
    pattern = PadOp::create(
        rewriter, loc, pattern, rewriter.getDenseI64ArrayAttr(padLow),
        rewriter.getDenseI64ArrayAttr(padHigh), value,
        plain ? DenseI64ArrayAttr() : rewriter.getDenseI64ArrayAttr(interior));
  }
  return slice(pattern, offsets, sizes);
}

Value RaiseBuilder::reshape(Value pattern, ArrayRef<int64_t> shape) {
  if (!pattern)
    return failure();
  AccessType type = typeOf(pattern);
  SmallVector<int64_t> from = type.getShape();
  pattern = split(pattern, type.getRank());
  if (ArrayRef<int64_t>(from) == shape)
    return pattern;
  auto dynamics = [](ArrayRef<int64_t> sizes) {
    return llvm::count(sizes, ShapedType::kDynamic);
  };
  if (dynamics(from) != dynamics(shape) || dynamics(from) > 1)
    return fail("it reshapes more than one dimension of unknown size, " +
                shapeToString(from) + " to " + shapeToString(shape));
  if (dynamics(shape) == 1 && llvm::is_contained(shape, 0))
    return fail("it reshapes to " + shapeToString(shape) +
                ", of which one size is undetermined");
  if (dynamics(from) == 0 && elementCount(from) != elementCount(shape))
    return fail("it reshapes " + shapeToString(from) + " to " +
                shapeToString(shape));
  if (!fits(shape))
    return {};
  return ReshapeOp::create(rewriter, loc,
                           AccessType::get(shape, {}, type.getElementType()),
                           pattern);
}

Value RaiseBuilder::concat(ArrayRef<Value> patterns, int64_t axis) {
  if (patterns.empty() || llvm::is_contained(patterns, Value()))
    return failure();
  if (patterns.size() == 1)
    return patterns[0];
  int64_t accessRank = typeOf(patterns[0]).getAccessRank();
  SmallVector<Value> operands;
  SmallVector<int64_t> shape = typeOf(patterns[0]).getShape();
  int64_t sum = 0;
  for (Value pattern : patterns) {
    AccessType type = typeOf(pattern);
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (static_cast<int64_t>(dim) != axis && size != shape[dim] &&
          !ShapedType::isDynamic(size) && !ShapedType::isDynamic(shape[dim]))
        return fail("it joins tensors with " + Twine(shape[dim]) + " and " +
                    Twine(size) + " in dimension " + Twine(dim));
    int64_t size = type.getShape()[axis];
    if (!ShapedType::isDynamic(size)) {
      std::optional<int64_t> next = checkedAdd(sum, size);
      if (!next)
        return fail("the size of dimension " + Twine(axis) + " overflows");
      sum = *next;
    }
    operands.push_back(split(pattern, accessRank));
  }
  shape[axis] = sum;
  if (!fits(shape))
    return {};
  return ConcatOp::create(rewriter, loc, operands, axis);
}

Value RaiseBuilder::windows(Value pattern, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> strides,
                            ArrayRef<int64_t> dilations) {
  if (!pattern)
    return failure();
  AccessType type = typeOf(pattern);
  SmallVector<int64_t> result(type.getAccessShape());
  for (auto [dim, size] : llvm::enumerate(type.getComputeShape())) {
    if (shape[dim] < 1 || strides[dim] < 1 || dilations[dim] < 1)
      return fail("its window in compute dimension " + Twine(dim) +
                  " is empty or has no stride");
    std::optional<int64_t> places =
        windowCount(size, shape[dim], strides[dim], dilations[dim]);
    if (!places)
      return fail("its window does not fit in a dimension of size " +
                  shapeToString(size));
    result.push_back(*places);
  }
  llvm::append_range(result, shape);
  if (!fits(result))
    return {};
  bool plain = llvm::all_of(dilations, [](int64_t d) { return d == 1; });
  return WindowsOp::create(
      rewriter, loc, pattern, rewriter.getDenseI64ArrayAttr(shape),
      rewriter.getDenseI64ArrayAttr(strides),
      plain ? DenseI64ArrayAttr() : rewriter.getDenseI64ArrayAttr(dilations));
}

Value RaiseBuilder::tuple(ArrayRef<Value> patterns) {
  if (patterns.empty() || llvm::is_contained(patterns, Value()))
    return failure();
  AccessType first = typeOf(patterns[0]);
  for (Value pattern : patterns) {
    AccessType type = typeOf(pattern);
    if (type.getElementType() != first.getElementType())
      return fail("it mixes elements of type " +
                  typeName(first.getElementType()) + " and " +
                  typeName(type.getElementType()));
    if (failed(verifyCompatibleShape(type.getShape(), first.getShape())))
      return fail("its operands have the shapes " +
                  shapeToString(first.getShape()) + " and " +
                  shapeToString(type.getShape()));
  }
  int64_t axis = first.getAccessRank();
  SmallVector<int64_t> shape = first.getShape();
  shape.push_back(patterns.size());
  if (!fits(shape))
    return {};
  if (patterns.size() == 2)
    return PairOp::create(rewriter, loc, patterns[0], split(patterns[1], axis));
  // Longer tuples: each in a tuple of one, and those one after the other.
  SmallVector<Value> ones;
  for (Value pattern : patterns)
    ones.push_back(split(insertAxis(split(pattern, axis), axis), axis));
  return concat(ones, axis);
}

Value RaiseBuilder::cartProd(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return failure();
  AccessType left = typeOf(lhs), right = typeOf(rhs);
  if (left.getElementType() != right.getElementType())
    return fail("it mixes elements of type " + typeName(left.getElementType()) +
                " and " + typeName(right.getElementType()));
  if (left.getComputeShape() != right.getComputeShape())
    return fail("the items of its operands have the shapes " +
                shapeToString(left.getComputeShape()) + " and " +
                shapeToString(right.getComputeShape()));
  SmallVector<int64_t> shape = left.getShape();
  llvm::append_range(shape, right.getAccessShape());
  shape.push_back(2);
  if (!fits(shape))
    return {};
  return CartProdOp::create(rewriter, loc, lhs, rhs);
}
