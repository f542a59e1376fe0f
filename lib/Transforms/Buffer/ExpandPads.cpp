//===- ExpandPads.cpp - Pads as their borders ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pad is an empty tensor into which its source and its borders are inserted:
// borders of dimension d lie inside of those of the dimensions before it, and
// reach over those after it, so that each element is written once.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LayoutSizes.h"
#include "TensorAccess/Transforms/BufferPasses.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXPANDPADS
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Static numbers that are not negative; std::nullopt for others.
static std::optional<SmallVector<int64_t>>
getSizes(ArrayRef<OpFoldResult> values) {
  std::optional<SmallVector<int64_t>> sizes = getConstantIntValues(values);
  if (!sizes || llvm::any_of(*sizes, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  return sizes;
}

static bool expand(RewriterBase &rewriter, tensor::PadOp pad) {
  RankedTensorType type = pad.getResultType();
  ArrayRef<int64_t> source = pad.getSourceType().getShape();
  auto low = getSizes(pad.getMixedLowPad()),
       high = getSizes(pad.getMixedHighPad());
  Value value = pad.getConstantPaddingValue();
  if (!low || !high || !value || !type.hasStaticShape() ||
      ShapedType::isDynamicShape(source) || llvm::is_contained(source, 0) ||
      type.getEncoding() || pad.getSourceType().getEncoding())
    return false;
  rewriter.setInsertionPoint(pad);
  Location loc = pad.getLoc();
  // A constant inside of the region.
  if (Operation *constant = value.getDefiningOp();
      constant && pad.getRegion().isAncestor(constant->getParentRegion()))
    value = rewriter.clone(*constant)->getResult(0);
  Value result = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                         type.getElementType());
  auto insert = [&](Value part, ArrayRef<int64_t> offsets) {
    auto sizes = cast<RankedTensorType>(part.getType()).getShape();
    MLIRContext *context = rewriter.getContext();
    result = tensor::InsertSliceOp::create(
        rewriter, loc, part, result, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, sizes),
        SmallVector<OpFoldResult>(sizes.size(), rewriter.getIndexAttr(1)));
  };
  insert(pad.getSource(), *low);
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    for (auto [offset, size] :
         {std::pair(int64_t(0), (*low)[dim]),
          std::pair((*low)[dim] + source[dim], (*high)[dim])}) {
      if (size == 0)
        continue;
      offsets[dim] = offset;
      sizes[dim] = size;
      Value empty =
          tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
      insert(linalg::FillOp::create(rewriter, loc, value, empty).getResult(0),
             offsets);
    }
    offsets[dim] = (*low)[dim];
    sizes[dim] = source[dim];
  }
  rewriter.replaceOp(pad, result);
  return true;
}

namespace {
struct ExpandPadsPass
    : public tensoraccess::impl::ExpandPadsBase<ExpandPadsPass> {
  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    IRRewriter rewriter(&getContext());
    for (tensor::PadOp pad : pads)
      expanded += expand(rewriter, pad);
  }
};
} // namespace
