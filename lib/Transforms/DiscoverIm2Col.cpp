//===- DiscoverIm2Col.cpp - Dot products of items become matmuls ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seed 002, "Flexible Mapping: Discovering im2col", as one direct rewrite.
//
// Equation, for A of type <S | C> and B of type <T | C>:
//   compute dot_prod (cart_prod A B)
//     = reshape (compute dot_prod (cart_prod (flatten A) (flatten B)))
// where the reshape is to <S ++ T | >.
//
// Proof. Write σ, τ, κ for the row-major numberings of S, T and C. Then
//   lhs[s ++ t] = Σ_{c ∈ C, row-major} A[s | c]·B[t | c].
// By definition (flatten A)[σ(s) | κ(c)] = A[s | c], and likewise for B, so
//   (compute dot_prod (cart_prod (flatten A) (flatten B)))[σ(s), τ(t)]
//     = Σ_{k = 0 … |C|-1} (flatten A)[σ(s) | k]·(flatten B)[τ(t) | k]
// has the same summands. κ is increasing in row-major order, so they are added
// in the same order, and floating-point results are equal to the last bit. The
// reshape sends (σ(s), τ(t)) to the s ++ t of the same row-major number in
// S ++ T, which is σ(s)·|T| + τ(t).                                          ∎
//
// `materialize` is the identity on values. It is inserted where the flattened
// view is no matrix in memory, which its canonical form says: a view of one
// base, without padding, that steps through the base by two constant strides.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Shape.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_DISCOVERIM2COL
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Bytes of that many elements; an element takes whole bytes, as in memory.
static int64_t bytesOf(int64_t elements, Type elementType) {
  unsigned bits = elementType.isIndex() ? IndexType::kInternalStorageBitWidth
                                        : elementType.getIntOrFloatBitWidth();
  int64_t bytes;
  return llvm::MulOverflow<int64_t>(elements, llvm::divideCeil(bits, 8), bytes)
             ? INT64_MAX
             : bytes;
}

static int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

static bool isFlat(AccessType type) {
  return type.getAccessRank() <= 1 && type.getComputeRank() <= 1;
}

/// True where the flattened pattern needs no copy: it is a matrix in memory,
/// one constant, or has no elements.
static bool isMatrix(const AccessForm &form, AccessType type) {
  if (form.access.isEmpty() || form.access.asConstant())
    return true;
  std::optional<CanonicalAccess> flat =
      reshapeAccess(form.access, {*elementCount(type.getAccessShape()),
                                  *elementCount(type.getComputeShape())});
  return flat && flat->asStrided();
}

/// flatten and, where that is no matrix, materialize.
static Value flattenSide(RewriterBase &rewriter, Location loc,
                         TypedValue<AccessType> side, Im2ColReport &report) {
  AccessForm form = getAccessForm(side);
  Value flat = side;
  if (!isFlat(side.getType()))
    flat = FlattenOp::create(rewriter, loc, side);
  if (isMatrix(form, side.getType()))
    return flat;
  ++report.copies;
  Type elementType = side.getType().getElementType();
  report.copiedBytes =
      saturatingAdd(report.copiedBytes,
                    bytesOf(*side.getType().getNumElements(), elementType));
  for (unsigned source : form.access.getSources())
    report.sourceBytes = saturatingAdd(
        report.sourceBytes,
        bytesOf(elementCount(form.access.getSourceShape(source)).value_or(0),
                elementType));
  return MaterializeOp::create(rewriter, loc, flat);
}

FailureOr<Im2ColReport>
mlir::tensoraccess::discoverIm2Col(RewriterBase &rewriter, ComputeOp op) {
  auto product = op.getPattern().getDefiningOp<CartProdOp>();
  if (op.getKind() != ComputeKind::DotProd || !product)
    return rewriter.notifyMatchFailure(op, "no dot product of a product");
  AccessType lhs = product.getLhs().getType();
  AccessType rhs = product.getRhs().getType();
  if (!lhs.hasStaticShape() || !rhs.hasStaticShape())
    return rewriter.notifyMatchFailure(op, "its shape is dynamic");
  std::optional<int64_t> m = elementCount(lhs.getAccessShape()),
                         n = elementCount(rhs.getAccessShape()),
                         k = elementCount(lhs.getComputeShape());
  if (!m || !n || !k || !lhs.getNumElements() || !rhs.getNumElements())
    return rewriter.notifyMatchFailure(op, "its elements can't be counted");
  if (isFlat(lhs) && isFlat(rhs) &&
      isMatrix(getAccessForm(product.getLhs()), lhs) &&
      isMatrix(getAccessForm(product.getRhs()), rhs))
    return rewriter.notifyMatchFailure(op, "it is a matmul already");

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Im2ColReport report;
  report.m = *m;
  report.n = *n;
  report.k = *k;
  Value a = flattenSide(rewriter, loc, product.getLhs(), report);
  Value b = flattenSide(rewriter, loc, product.getRhs(), report);
  Value flat = CartProdOp::create(rewriter, loc, a, b);
  Value result = ComputeOp::create(rewriter, loc, ComputeKind::DotProd, flat);
  if (result.getType() != op.getType())
    result = ReshapeOp::create(rewriter, loc, op.getType(), result);
  rewriter.replaceOp(op, result);
  if (product->use_empty())
    rewriter.eraseOp(product);
  return report;
}

namespace {
struct DiscoverIm2ColPass
    : public tensoraccess::impl::DiscoverIm2ColBase<DiscoverIm2ColPass> {
  void runOnOperation() override {
    SmallVector<ComputeOp> candidates;
    getOperation()->walk([&](ComputeOp op) { candidates.push_back(op); });
    IRRewriter rewriter(&getContext());
    int64_t matmulCount = 0, copyCount = 0, bytes = 0;
    for (ComputeOp op : candidates) {
      Location loc = op.getLoc();
      auto function = op->getParentOfType<FunctionOpInterface>();
      auto options = remark::RemarkOpts::name("im2col")
                         .category("tensoraccess")
                         .function(function ? function.getName() : "");
      if (op.getKind() == ComputeKind::DotProd &&
          !op.getPattern().getType().hasStaticShape())
        remark::missed(loc, options) << remark::reason("its shape is dynamic");
      FailureOr<Im2ColReport> report = discoverIm2Col(rewriter, op);
      if (failed(report))
        continue;
      ++matmulCount;
      copyCount += report->copies;
      bytes += report->copiedBytes;
      remark::passed(loc, options)
          << remark::add("{0}", describe(*report))
          << remark::metric("M", report->m) << remark::metric("N", report->n)
          << remark::metric("K", report->k)
          << remark::metric("CopiedBytes", report->copiedBytes)
          << remark::metric("SourceBytes", report->sourceBytes);
    }
    matmuls += matmulCount;
    copies += copyCount;
    copiedBytes += bytes;
    remark::analysis(
        getOperation()->getLoc(),
        remark::RemarkOpts::name("im2col").category("tensoraccess"))
        << remark::metric("Matmuls", matmulCount)
        << remark::metric("Copies", copyCount)
        << remark::metric("CopiedBytes", bytes);
  }

  static std::string describe(const Im2ColReport &report) {
    if (report.copies == 0)
      return "matmul without a copy: the flattened views are matrices";
    double factor = report.sourceBytes
                        ? double(report.copiedBytes) / report.sourceBytes
                        : 0;
    return llvm::formatv("matmul with a copy of {0:f2} times its source",
                         factor)
        .str();
  }
};
} // namespace
