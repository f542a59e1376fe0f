//===- LayoutOpsIndexing.cpp - What ops on layouts and indices read -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IndexingOpInterface for the ops of LayoutOps.td. Maps are between logical
// indices: where elements lie in memory is the business of the types.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Interfaces/OpSizes.h"

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

static SmallVector<int64_t> invert(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    inverse[dim] = i;
  return inverse;
}

/// A transpose whose sizes may be dynamic.
static OpIndexing inferTranspose(const OpSignature &signature,
                                 ArrayRef<int64_t> permutation) {
  OpIndexing indexing = signature.nothingRead();
  OpSizes sizes(signature);
  IndexingReason reason = IndexingReason::UnsupportedForm;
  auto in = sizes.operand(0, reason);
  auto out = sizes.result(0, reason);
  if (!in || !out)
    return signature.unknown(reason);
  for (auto [dim, size] : llvm::zip_equal(permutation, *out))
    sizes.equate((*in)[dim], size);
  Loops loops(sizes, *out);
  SmallVector<Form> index(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    index[dim] = loops[i];
  loops.connect(indexing, 0, loops.get(), *out, 0, index, *in);
  sizes.record(indexing);
  return indexing;
}

OpIndexing RelayoutOp::inferIndexing(const OpSignature &s) {
  auto permutation = s.get<DenseI64ArrayAttr>("permutation");
  if (!permutation)
    return inferReshape(s);
  auto from = cast<RankedTensorType>(s.operandTypes[0]);
  auto to = cast<RankedTensorType>(s.resultTypes[0]);
  ArrayRef<int64_t> perm = permutation.asArrayRef();
  if (!isPermutation(perm, from.getRank()))
    return s.unknown(IndexingReason::UnsupportedForm);
  SmallVector<int64_t> transposed;
  for (int64_t dim : perm)
    transposed.push_back(from.getDimSize(dim));
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
  OpIndexing indexing = s.nothingRead();
  indexing.add(0, 0,
               reshapeMap(to.getShape(), transposed)
                   .then(transposeMap(transposed, perm))
                   .simplify(),
               transposeMap(from.getShape(), invert(perm))
                   .then(reshapeMap(transposed, to.getShape()))
                   .simplify());
  return indexing;
}

OpIndexing BitcastOp::inferIndexing(const OpSignature &s) {
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
  OpIndexing indexing = s.nothingRead();
  indexing.add(0, 0, *toSource, *toResult);
  return indexing;
}

// Indices are scalars: each result reads every operand.
OpIndexing LinearizeOp::inferIndexing(const OpSignature &s) {
  return inferElementwise(s);
}
OpIndexing DelinearizeOp::inferIndexing(const OpSignature &s) {
  return inferElementwise(s);
}
OpIndexing ApplyIndexingOp::inferIndexing(const OpSignature &s) {
  return inferElementwise(s);
}
