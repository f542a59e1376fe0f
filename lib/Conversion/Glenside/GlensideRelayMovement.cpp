//===- GlensideRelayMovement.cpp - Relay, data movement -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes, slices, concatenations, and `take`, which reads at places from data.
//
//===----------------------------------------------------------------------===//

#include "GlensideRelay.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static TermValue readBatchFlatten(Call &c) {
  if (!c.check("p"))
    return {};
  Value x = c.tensor(0);
  if (c.b.rankOf(x) == 0)
    return c.refuse(0, "takes at least one dimension");
  SmallVector<int64_t> shape = c.b.shapeOf(x);
  int64_t rest = 1;
  for (int64_t size : ArrayRef(shape).drop_front())
    rest *= size;
  if (shape.size() == 1)
    return c.all(x);
  return c.all(c.b.reshape(x, {shape[0], rest}, {}));
}

static TermValue readReshape(Call &c) {
  if (!c.check("ps"))
    return {};
  return c.none(c.at(1).reshape(c.tensor(0), c.numbers(1), {}));
}

static TermValue readTranspose(Call &c) {
  return c.check("pl") ? c.all(c.at(1).transpose(c.tensor(0), c.numbers(1)))
                       : TermValue();
}

static TermValue readSqueeze(Call &c) {
  if (!c.check("pl"))
    return {};
  SmallVector<int64_t> axes(c.numbers(1));
  llvm::sort(axes, std::greater<>());
  axes.erase(llvm::unique(axes), axes.end());
  Value x = c.tensor(0);
  for (int64_t axis : axes)
    if (x)
      x = c.b.squeeze(x, axis);
  return c.all(x);
}

/// (relay-expand-dims data axis count)
static TermValue readExpandDims(Call &c) {
  if (!c.check("pnn"))
    return {};
  Value x = c.pattern(0);
  std::optional<int64_t> axis = c.axis(1, c.b.rankOf(x) + 1);
  if (!axis)
    return {};
  int64_t count = c.terms[2].number;
  if (count < 0 || count > 64)
    return c.refuse(2,
                    "takes a number of axes in [0, 64], got " + Twine(count));
  for (int64_t i = 0; i < count && x; ++i) {
    // At the split Glenside grows the item, insert_axis the access dimensions.
    int64_t split = c.b.splitOf(x);
    x = c.b.insertAxis(x, *axis);
    if (x && *axis >= split)
      x = c.b.split(x, split);
  }
  return TermValue::ofPattern(x, true);
}

/// Two numbers, before and after, for each dimension.
static TermValue readPad(Call &c) {
  if (!c.check("ps"))
    return {};
  Value x = c.tensor(0);
  size_t rank = c.b.rankOf(x);
  if (c.numbers(1).size() != 2 * rank)
    return c.refuse(1, "takes " + Twine(2 * rank) + " paddings, got " +
                           Twine(c.numbers(1).size()));
  SmallVector<int64_t> low, high;
  for (size_t i = 0; i < rank; ++i) {
    low.push_back(c.numbers(1)[2 * i]);
    high.push_back(c.numbers(1)[2 * i + 1]);
  }
  return c.likeFirst(c.b.pad(
      x, low, high, c.b.constant(c.b.typeOf(x).getElementType(), int64_t(0))));
}

static TermValue readConcatenate(Call &c) {
  if (!c.check("nt"))
    return {};
  SmallVector<Value> parts;
  for (const TermValue &term : c.terms[1].elements) {
    if (term.kind != TermValue::Pattern)
      return c.refuse(1, "takes a tuple of access patterns");
    parts.push_back(c.b.split(term.value, c.b.rankOf(term.value)));
  }
  if (parts.empty())
    return c.refuse(1, "takes a tuple of at least one access pattern");
  int64_t axis = c.terms[0].number;
  size_t wrong = axis < 0 || axis >= c.b.rankOf(parts[0]) ? 0 : 1;
  return c.all(c.at(wrong).concat(parts, axis));
}

static TermValue readStack(Call &c) {
  if (c.terms.size() < 2 || c.terms.back().kind != TermValue::Number)
    return c.refuse("takes access patterns and an axis");
  SmallVector<Value> parts;
  for (size_t i = 0; i + 1 < c.terms.size(); ++i) {
    if (c.terms[i].kind != TermValue::Pattern)
      return c.refuse(i, "takes access patterns and an axis, got " +
                             describe(c.terms[i].kind));
    parts.push_back(c.tensor(i));
  }
  std::optional<int64_t> axis =
      c.axis(c.terms.size() - 1, c.b.rankOf(parts[0]) + 1);
  if (!axis)
    return {};
  for (Value &part : parts)
    if (!(part = c.b.insertAxis(part, *axis)))
      return {};
  return c.all(c.b.concat(parts, *axis));
}

/// A tuple of equal parts, or of the parts between the given indices.
static TermValue readSplit(Call &c) {
  if (!c.check("p_n"))
    return {};
  Value x = c.tensor(0);
  std::optional<int64_t> axis = c.axis(2, c.b.rankOf(x));
  if (!axis)
    return {};
  int64_t size = c.b.shapeOf(x)[*axis];
  SmallVector<int64_t> bounds = {0};
  if (c.terms[1].kind == TermValue::Number) {
    int64_t parts = c.terms[1].number;
    if (parts < 1 || size % parts != 0)
      return c.refuse(1, "takes a number of parts that divides " + Twine(size) +
                             ", got " + Twine(parts));
    for (int64_t i = 1; i < parts; ++i)
      bounds.push_back(i * (size / parts));
  } else if (c.terms[1].kind == TermValue::List) {
    llvm::append_range(bounds, c.numbers(1));
  } else {
    return c.refuse(1, "takes a number of parts or a list of indices");
  }
  bounds.push_back(size);
  TermValue tuple;
  tuple.kind = TermValue::Tuple;
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    Value part = c.b.slice(x, *axis, bounds[i], bounds[i + 1]);
    tuple.elements.push_back(c.none(part));
    if (!tuple.elements.back())
      return {};
  }
  return tuple;
}

static TermValue readStridedSlice(Call &c) {
  if (!c.check("psss"))
    return {};
  Value x = c.tensor(0);
  size_t rank = c.b.rankOf(x);
  ArrayRef<int64_t> begin = c.numbers(1), end = c.numbers(2),
                    strides = c.numbers(3);
  if (begin.size() != rank || end.size() != rank || strides.size() != rank)
    return c.refuse(begin.size() != rank ? 1
                    : end.size() != rank ? 2
                                         : 3,
                    "takes " + Twine(rank) +
                        " numbers each for begin, end and "
                        "strides");
  SmallVector<int64_t> shape = c.b.shapeOf(x), sizes;
  for (size_t i = 0; i < rank; ++i) {
    if (strides[i] < 1 || begin[i] > end[i] || end[i] > shape[i])
      return c.refuse(strides[i] < 1      ? 3
                      : begin[i] > end[i] ? 1
                                          : 2,
                      "must have begin <= end <= size and strides >= 1, got [" +
                          Twine(begin[i]) + ", " + Twine(end[i]) + ") by " +
                          Twine(strides[i]) + " of " + Twine(shape[i]));
    sizes.push_back((end[i] - begin[i] + strides[i] - 1) / strides[i]);
  }
  return c.all(
      c.b.op("slice", x,
             {c.b.numbers("offsets", begin), c.b.numbers("sizes", sizes),
              c.b.numbers("strides", strides)}));
}

static TermValue readZeros(Call &c) {
  if (!c.check("s"))
    return {};
  return c.all(c.b.splat(c.numbers(0), c.b.b.getF64FloatAttr(0)));
}

static TermValue readCopy(Call &c) {
  return c.check("p") ? c.likeFirst(c.b.op("materialize", c.tensor(0)))
                      : TermValue();
}

/// At inference nothing is dropped: the data, and a mask of ones.
static TermValue readDropout(Call &c) {
  if (!c.check("pd"))
    return {};
  TermValue tuple;
  tuple.kind = TermValue::Tuple;
  tuple.elements.push_back(c.likeFirst(c.tensor(0)));
  tuple.elements.push_back(c.likeFirst(c.splatLike(c.tensor(0), int64_t(1))));
  return tuple;
}

/// out[a…, i…, b…] = data[a…, indices[i…], b…], indices clipped to the size, as
/// Relay's default mode does.
static TermValue readTake(Call &c) {
  if (!c.check("ppn"))
    return {};
  Value data = c.tensor(0), indices = c.tensor(1);
  int64_t rank = c.b.rankOf(data), picks = c.b.rankOf(indices);
  std::optional<int64_t> axis = c.axis(2, rank);
  if (!axis)
    return {};
  SmallVector<int64_t> shape = c.b.shapeOf(data), chosen = c.b.shapeOf(indices);
  int64_t size = shape[*axis];
  if (size == 0)
    return c.refuse(0, "takes a tensor that is not empty along the axis");
  shape.erase(shape.begin() + *axis);
  shape.insert(shape.begin() + *axis, chosen.begin(), chosen.end());
  OpBuilder &b = c.b.b;
  Location loc = c.b.loc;
  Value source = c.b.toTensor(data), places = c.b.toTensor(indices);
  if (!source || !places)
    return {};
  Type element = c.b.typeOf(data).getElementType();
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  AffineMap read =
      AffineMap::getMultiDimIdentityMap(shape.size(), b.getContext())
          .getSliceMap(*axis, picks);
  linalg::GenericOp generic = createGeneric(
      b, loc, places, empty, {read, b.getMultiDimIdentityMap(shape.size())},
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Value index = arguments[0];
        if (isa<FloatType>(index.getType()))
          index = arith::FPToSIOp::create(b, loc, b.getI64Type(), index);
        if (!index.getType().isIndex())
          index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
        Value first = arith::ConstantIndexOp::create(b, loc, 0);
        Value last = arith::ConstantIndexOp::create(b, loc, size - 1);
        index = arith::MaxSIOp::create(b, loc, index, first);
        index = arith::MinSIOp::create(b, loc, index, last);
        SmallVector<Value> at;
        for (int64_t i = 0; i < rank; ++i)
          at.push_back(i == *axis
                           ? index
                           : Value(linalg::IndexOp::create(
                                 b, loc, i < *axis ? i : i - 1 + picks)));
        Value taken = tensor::ExtractOp::create(b, loc, source, at);
        linalg::YieldOp::create(b, loc, taken);
      });
  return c.all(c.b.access(generic.getResult(0), shape.size()));
}

RelayReader glenside::findMovement(StringRef name) {
  return llvm::StringSwitch<RelayReader>(name)
      .Case("relay-batch-flatten", readBatchFlatten)
      .Case("relay-reshape", readReshape)
      .Case("relay-transpose", readTranspose)
      .Case("relay-squeeze", readSqueeze)
      .Case("relay-expand-dims", readExpandDims)
      .Case("relay-pad", readPad)
      .Case("relay-concatenate", readConcatenate)
      .Case("relay-stack", readStack)
      .Case("relay-split", readSplit)
      .Case("relay-strided-slice", readStridedSlice)
      .Case("relay-zeros", readZeros)
      .Case("relay-copy", readCopy)
      .Case("relay-dropout", readDropout)
      .Case("relay-take", readTake)
      .Default(nullptr);
}
