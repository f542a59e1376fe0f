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
static bool buildBroadcast(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 1 || op.numOut() != 1 ||
      op.in[0].size() > op.out[0].size() ||
      ArrayRef(op.out[0]).take_back(op.in[0].size()) != ArrayRef(op.in[0]))
    return false;
  HloNest nest;
  nest.result = nest.loops(op.out[0]);
  llvm::append_range(nest.operand,
                     ArrayRef(nest.result).take_back(op.in[0].size()));
  nest.emit(op, indexing, 0, 0);
  return true;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// A second operand gives the result's shape and is not read.
static bool buildReshape(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() < 1 || op.numOut() != 1 ||
      checkedProduct(op.in[0]) != checkedProduct(op.out[0]))
    return false;
  indexing.add(0, 0, reshapeMap(op.out[0], op.in[0]),
               reshapeMap(op.in[0], op.out[0]));
  return true;
}

/// An index in memory order, slowest dimension first, from a logical one.
static IndexingMap toMemoryOrder(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> minorToMajor) {
  IndexingMapBuilder builder;
  SmallVector<Form> x = addLoops(builder, shape);
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
  addResults(builder, x);
  return builder.build();
}

static SmallVector<int64_t> getMemoryShape(ArrayRef<int64_t> shape,
                                           ArrayRef<int64_t> minorToMajor) {
  return llvm::map_to_vector(llvm::reverse(minorToMajor),
                             [&](int64_t dim) { return shape[dim]; });
}

/// Bits of an element; 0 if nobody knows.
static unsigned getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Type part = complex.getElementType();
    return part.isIntOrFloat() ? 2 * part.getIntOrFloatBitWidth() : 0;
  }
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

/// mhlo.bitcast: equal places in memory, where layouts are minor to major.
static bool buildBitcast(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 1 || op.numOut() != 1)
    return false;
  ArrayRef<int64_t> in = op.in[0], out = op.out[0];
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
    return false;
  auto getMap = [](ArrayRef<int64_t> from, ArrayRef<int64_t> fromLayout,
                   ArrayRef<int64_t> to, ArrayRef<int64_t> toLayout) {
    IndexingMap reshape = reshapeMap(getMemoryShape(from, fromLayout),
                                     getMemoryShape(to, toLayout));
    return toMemoryOrder(from, fromLayout)
        .then(reshape)
        .then(fromMemoryOrder(to, toLayout))
        .simplify();
  };
  indexing.add(0, 0, getMap(out, *result, in, *source),
               getMap(in, *source, out, *result));
  return true;
}

/// Elements of another width split up, or are put together, along one more last
/// dimension.
static bool buildBitcastConvert(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 1 || op.numOut() != 1)
    return false;
  ArrayRef<int64_t> in = op.in[0], out = op.out[0];
  unsigned from = getWidth(op.signature.operandTypes[0]);
  unsigned to = getWidth(op.signature.resultTypes[0]);
  if (from == to)
    return addIdentity(op, indexing, 0, 0);
  if (from == 0 || to == 0)
    return false;
  bool splits = from > to;
  ArrayRef<int64_t> longer = splits ? out : in, shorter = splits ? in : out;
  unsigned ratio = splits ? from / to : to / from;
  if (longer.size() != shorter.size() + 1 || longer.drop_back() != shorter ||
      longer.back() != int64_t(ratio))
    return false;
  HloNest nest;
  SmallVector<Form> all = nest.loops(longer), part(all);
  part.pop_back();
  nest.result = splits ? all : part;
  nest.operand = splits ? part : all;
  nest.emit(op, indexing, 0, 0);
  return true;
}

void tensoraccess::registerHloMovement(HloRegister add) {
  add("broadcast", buildBroadcast);
  for (StringRef name : {"reshape", "dynamic_reshape"})
    add(name, buildReshape);
  add("bitcast", buildBitcast);
  add("bitcast_convert", buildBitcastConvert);
}
