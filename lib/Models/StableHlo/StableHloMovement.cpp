//===- StableHloMovement.cpp - Broadcasts and reshapes --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that put whole elements elsewhere: every result element is one operand
// element. A bitcast between tensors with layouts keeps the place in memory:
// transpose the result's index to memory order, reshape, transpose back.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

/// New dimensions come first.
static std::optional<Nest> buildBroadcast(HloOp &op) {
  if (op.in.size() != 1 || op.out.size() != 1 ||
      op.in[0].size() > op.out[0].size())
    return std::nullopt;
  const size_t added = op.out[0].size() - op.in[0].size();
  SizeList sizes(ArrayRef(op.out[0]).take_front(added));
  if (auto more = op.integers("broadcast_sizes"))
    sizes.assign(more->begin(), more->end());
  llvm::append_range(sizes, op.in[0]);
  if (!op.equateAll(op.out[0], sizes) || !op.isStatic())
    return std::nullopt;
  Nest nest = op.makeResultNest(NestBody::Move);
  nest.read(0, nest.getAxes().take_back(op.in[0].size()));
  return nest;
}

/// A dynamic operand size is 1 or the result's, unless the attribute tells
/// which.
static std::optional<Nest> buildBroadcastInDim(HloOp &op) {
  auto dims = op.integers("broadcast_dimensions");
  if (op.in.empty() || op.out.size() != 1 || !dims ||
      dims->size() != op.in[0].size() || !areDims(*dims, op.out[0].size()))
    return std::nullopt;
  auto kept = op.integers("known_nonexpanding_dimensions");
  auto isKept = [&](int64_t i) { return kept && llvm::is_contained(*kept, i); };
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    auto size = op.number(op.in[0][i]);
    if (((size && *size != 1) || isKept(i)) &&
        !op.equate(op.in[0][i], op.out[0][dim]))
      return std::nullopt;
  }
  Nest nest = op.makeResultNest(NestBody::Move);
  SmallVector<Form> index;
  std::vector<NestGuard> guards;
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    if (op.number(op.in[0][i]) == 1)
      index.push_back(Form(0));
    else if (op.sizes.resolve(op.in[0][i]) == op.sizes.resolve(op.out[0][dim]))
      index.push_back(nest[dim]);
    else {
      index.push_back(nest.arena().min(nest[dim], nest.last(op.in[0][i])));
      // A size of 0 is the result's: then there is nothing to read.
      guards.push_back(
          {nest.size(op.in[0][i]), Interval::atLeast(1), std::nullopt});
    }
  }
  nest.read(0, index).guards = std::move(guards);
  return nest;
}

static std::optional<Nest> buildTranspose(HloOp &op) {
  auto permutation = op.integers("permutation");
  if (op.in.size() != 1 || op.out.size() != 1 || !permutation)
    return std::nullopt;
  return op.makeTranspose(*permutation);
}

static std::optional<Nest> buildReverse(HloOp &op) {
  auto dims = op.integers("dimensions");
  if (op.in.size() != 1 || op.out.size() != 1 || !dims ||
      !areDims(*dims, op.in[0].size()) || !op.areAlike(1))
    return std::nullopt;
  Nest nest = op.makeResultNest(NestBody::Move);
  SmallVector<Form> index(nest.getAxes());
  for (int64_t dim : *dims)
    index[dim] = nest.arena().sub(nest.last(op.out[0][dim]), nest[dim]);
  nest.read(0, index);
  return nest;
}

static std::optional<Nest> buildConcatenate(HloOp &op) {
  auto dim = op.index("dimension");
  if (op.out.size() != 1 || op.in.empty() || !dim)
    return std::nullopt;
  return op.makeConcat(*dim);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// A second operand gives the result's shape and is not read.
static std::optional<Nest> buildReshape(HloOp &op) {
  if (op.isStatic() &&
      (op.in.empty() || op.out.size() != 1 ||
       checkedProduct(op.inShape(0)) != checkedProduct(op.outShape(0))))
    return std::nullopt;
  return inferReshape(op.signature);
}

/// An index in memory order, slowest dimension first, from a logical one.
static IndexingMap toMemoryOrder(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> minorToMajor) {
  IndexingMapBuilder builder;
  SmallVector<Form> x = builder.addDims(shape);
  for (int64_t dim : llvm::reverse(minorToMajor))
    builder.addResult(x[dim]);
  return builder.build();
}

/// The other way round.
static IndexingMap fromMemoryOrder(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> minorToMajor) {
  IndexingMapBuilder builder;
  SmallVector<Form> x(shape.size());
  for (int64_t dim : llvm::reverse(minorToMajor))
    x[dim] = builder.addDim(Interval::ofExtent(shape[dim]));
  for (const Form &form : x)
    builder.addResult(form);
  return builder.build();
}

static SmallVector<int64_t> getMemoryShape(ArrayRef<int64_t> shape,
                                           ArrayRef<int64_t> minorToMajor) {
  return llvm::map_to_vector(llvm::reverse(minorToMajor),
                             [&](int64_t dim) { return shape[dim]; });
}

/// Bits of an element; 0 if they are not known.
static unsigned getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Type part = complex.getElementType();
    return part.isIntOrFloat() ? 2 * part.getIntOrFloatBitWidth() : 0;
  }
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

/// mhlo.bitcast: equal places in memory, where layouts are minor to major.
static std::optional<Nest> buildBitcast(HloOp &op) {
  if (op.in.size() != 1 || op.out.size() != 1 || !op.isStatic())
    return std::nullopt;
  SmallVector<int64_t> in = op.inShape(0), out = op.outShape(0);
  auto getLayout = [&](StringRef name, size_t rank) {
    SmallVector<int64_t> rowMajor;
    for (size_t i = rank; i-- > 0;)
      rowMajor.push_back(i);
    auto layout =
        op.attribute(name) ? op.integers(name) : std::optional(rowMajor);
    if (layout && (layout->size() != rank || !areDims(*layout, rank)))
      layout.reset();
    return layout;
  };
  auto source = getLayout("source_layout", in.size());
  auto result = getLayout("result_layout", out.size());
  unsigned width = getWidth(op.signature.operandTypes[0]);
  if (!source || !result || checkedProduct(in) != checkedProduct(out) ||
      width != getWidth(op.signature.resultTypes[0]))
    return std::nullopt;
  auto getMap = [](ArrayRef<int64_t> from, ArrayRef<int64_t> fromLayout,
                   ArrayRef<int64_t> to, ArrayRef<int64_t> toLayout) {
    IndexingMap reshape = reshapeMap(getMemoryShape(from, fromLayout),
                                     getMemoryShape(to, toLayout));
    return toMemoryOrder(from, fromLayout)
        .then(reshape)
        .then(fromMemoryOrder(to, toLayout))
        .simplify();
  };
  // Elements of another type have the same bits.
  const bool isMove = getElementTypeOrSelf(op.signature.operandTypes[0]) ==
                      getElementTypeOrSelf(op.signature.resultTypes[0]);
  Nest nest = op.makeResultNest(isMove ? NestBody::Move : NestBody::Map);
  nest.readMaps(0, getMap(out, *result, in, *source),
                getMap(in, *source, out, *result));
  return nest;
}

/// Elements of another width split up, or are put together, along one more last
/// dimension.
static std::optional<Nest> buildBitcastConvert(HloOp &op) {
  if (op.in.size() != 1 || op.out.size() != 1)
    return std::nullopt;
  unsigned from = getWidth(op.signature.operandTypes[0]);
  unsigned to = getWidth(op.signature.resultTypes[0]);
  if (from == to) {
    std::optional<Nest> nest = op.makePairs();
    if (nest)
      nest->body = NestBody::Map;
    return op.isStatic() ? nest : std::nullopt;
  }
  if (from == 0 || to == 0)
    return std::nullopt;
  const bool splits = from > to;
  const SizeList &longer = splits ? op.out[0] : op.in[0];
  const SizeList &shorter = splits ? op.in[0] : op.out[0];
  unsigned ratio = splits ? from / to : to / from;
  if (longer.size() != shorter.size() + 1 ||
      !op.equateAll(ArrayRef(longer).drop_back(), shorter) ||
      !op.equate(longer.back(), Form(int64_t(ratio))) || !op.isStatic())
    return std::nullopt;
  Nest nest = op.makeNest(longer);
  ArrayRef<Form> all = nest.getAxes(), part = all.drop_back();
  nest.write(0, splits ? all : part);
  nest.read(0, splits ? part : all);
  return nest;
}

void tensoraccess::registerHloMovement(HloRegister add) {
  add("broadcast", buildBroadcast);
  for (StringRef name : {"broadcast_in_dim", "dynamic_broadcast_in_dim"})
    add(name, buildBroadcastInDim);
  add("transpose", buildTranspose);
  add("reverse", buildReverse);
  add("concatenate", buildConcatenate);
  for (StringRef name : {"reshape", "dynamic_reshape"})
    add(name, buildReshape);
  add("bitcast", buildBitcast);
  add("bitcast_convert", buildBitcastConvert);
}
