//===- LayoutOpsIndexing.cpp - What ops on layouts and indices read -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IndexingOpInterface for the ops of LayoutOps.td. Maps are between logical
// indices: where elements are in memory is left to the types.
//
//===----------------------------------------------------------------------===//

#include "Ops/StaticOp.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// (x0, x1, …) -> the index of which component perm[i] is x(i).
static IndexingMap transposeMap(ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> permutation) {
  if (llvm::is_contained(shape, 0))
    return emptyMap(shape, shape.size());
  IndexingMapBuilder map;
  SmallVector<Form> index(shape.size());
  for (auto [size, dim] : llvm::zip_equal(shape, permutation))
    index[dim] = map.addDim(Interval::ofExtent(size));
  for (const Form &form : index)
    map.addResult(form);
  return map.build();
}

/// A transpose whose sizes may be dynamic.
static Nest inferTranspose(const OpSignature &signature,
                           ArrayRef<int64_t> permutation) {
  SizedOp op(signature);
  std::optional<Nest> nest;
  if (op.isValid)
    nest = op.makeTranspose(permutation);
  return nest ? std::move(*nest) : op.unknown();
}

/// Result 0 at the place of operand 0, by maps between them.
static Nest inferPlaces(const OpSignature &signature,
                        const IndexingMap &toInput,
                        const IndexingMap &toOutput) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  std::optional<StaticOp> op = StaticOp::get(signature, reason);
  if (!op)
    return signature.unknown(reason);
  Nest nest = op->makeResultNest(NestBody::Move);
  nest.readMaps(0, toInput, toOutput);
  return nest;
}

static Nest inferRelayout(const OpSignature &s) {
  auto permutation = s.get<DenseI64ArrayAttr>("permutation");
  if (!permutation)
    return inferReshape(s);
  auto from = cast<RankedTensorType>(s.operandTypes[0]);
  auto to = cast<RankedTensorType>(s.resultTypes[0]);
  ArrayRef<int64_t> perm = permutation.asArrayRef();
  if (!isPermutation(perm, from.getRank()))
    return s.unknown(IndexingReason::UnsupportedForm);
  SmallVector<int64_t> transposed = applyPermutation(from.getShape(), perm);
  bool isTranspose =
      from.getRank() == to.getRank() &&
      llvm::all_of(llvm::zip_equal(transposed, to.getShape()), [](auto pair) {
        auto [a, b] = pair;
        return a == b || a == kDynamicSize || b == kDynamicSize;
      });
  if (isTranspose)
    return inferTranspose(s, perm);
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return s.unknown(IndexingReason::DynamicShape);
  return inferPlaces(
      s,
      reshapeMap(to.getShape(), transposed)
          .then(transposeMap(transposed, perm))
          .simplify(),
      transposeMap(from.getShape(), invertPermutationVector(perm))
          .then(reshapeMap(transposed, to.getShape()))
          .simplify());
}

NestRef RelayoutOp::inferNest(const OpSignature &s) {
  return share(inferRelayout(s));
}

static Nest inferBitcast(const OpSignature &s) {
  auto from = cast<RankedTensorType>(s.operandTypes[0]);
  auto to = cast<RankedTensorType>(s.resultTypes[0]);
  if (from.getEncoding() == to.getEncoding() &&
      from.getShape() == to.getShape())
    return inferReshape(s);
  // Dynamic shapes: both layouts are the same or row-major (C6).
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return inferReshape(s);
  std::optional<Layout> source = getLayoutOf(from), result = getLayoutOf(to);
  if (!source || !result)
    return s.unknown(IndexingReason::UnsupportedForm);
  auto toSource = getSamePlaceMap(*result, *source);
  auto toResult = getSamePlaceMap(*source, *result);
  if (!toSource || !toResult)
    return s.unknown(IndexingReason::Overflow);
  return inferPlaces(s, *toSource, *toResult);
}

NestRef BitcastOp::inferNest(const OpSignature &s) {
  return share(inferBitcast(s));
}

// Indices are scalars: each result reads every operand.
NestRef LinearizeOp::inferNest(const OpSignature &s) {
  return share(inferElementwise(s));
}
NestRef DelinearizeOp::inferNest(const OpSignature &s) {
  return share(inferElementwise(s));
}
NestRef ApplyIndexingOp::inferNest(const OpSignature &s) {
  return share(inferElementwise(s));
}
