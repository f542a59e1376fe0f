//===- LinalgToAccess.cpp - Structured ops become access patterns ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reading of indexing maps and bodies raises every structured op, named or
// generic, in every layout (Glenside, section 5.1). For an op
//   out[o(p)] = out[o(p)] ⊕ f(x[l(p, r)], y[w(p, r)], …)
// over parallel loops p and reduction loops r:
// 1. each dimension of an operand is read as Σ coefficient·loop + offset, as the
//    op's nest has it;
// 2. without reductions, f of the operands' patterns is the result: movement
//    where f is one of them, elementwise compute kinds else;
// 3. with ⊕ = + and f a product, possibly of extended elements, it is a
//    contraction (a convolution where a window slides); any other f is computed
//    first, and then summed (reduce_sum);
// 4. with another ⊕ that has a kind, it is a product, or the greatest
//    or least element (RaiseReduction.cpp);
// 5. an initial value that changes nothing is dropped (+0 of sums, the least
//    number of maxima); any other is combined with the finished result.
// Items run over the reduction loops in loop order, so the sums are the op's;
// except those of floats below f32, which the op rounds in every step and
// compute does not (RaiseOptions::widenSums).
//
//===----------------------------------------------------------------------===//

#include "LinalgBody.h"
#include "RaiseReaders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Steps 3 and 4: reductions
//===----------------------------------------------------------------------===//

namespace {
/// A body `out ⊕ value`.
struct Reduction {
  Combiner combiner;
  Value value;
};

/// A product of leaves, in the order in which it is computed.
struct Product {
  SmallVector<Value> factors;
  /// The type that the factors are extended to first; null for their own.
  Type accumulator;
};
} // namespace

static std::optional<Reduction> readReduction(linalg::LinalgOp op,
                                              std::string &why) {
  Value out = op.getRegionOutputArgs().front();
  Operation *yield = op.getBlock()->getTerminator();
  Operation *combine = yield->getOperand(0).getDefiningOp();
  if (!combine || combine->getBlock() != op.getBlock() ||
      combine->getNumOperands() != 2 || !out.hasOneUse() ||
      !llvm::is_contained(combine->getOperands(), out)) {
    why = "its body is not a reduction into the result";
    return std::nullopt;
  }
  Value other = combine->getOperand(combine->getOperand(0) == out ? 1 : 0);
  auto combiner =
      llvm::TypeSwitch<Operation *, std::optional<Combiner>>(combine)
          .Case<arith::AddFOp, arith::AddIOp>(
              [](auto) { return Combiner::Sum; })
          .Case<arith::MulFOp, arith::MulIOp>(
              [](auto) { return Combiner::Product; })
          .Case<arith::MaximumFOp, arith::MaxSIOp>(
              [](auto) { return Combiner::Greatest; })
          .Case<arith::MinimumFOp, arith::MinSIOp>(
              [](auto) { return Combiner::Least; })
          .Case([](arith::MaxUIOp) { return Combiner::GreatestUnsigned; })
          .Case([](arith::MinUIOp) { return Combiner::LeastUnsigned; })
          .Default([](Operation *) { return std::nullopt; });
  if (combiner)
    return Reduction{*combiner, other};
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(combine)) {
    why = llvm::formatv("it reduces by {0}, which ignores NaN; reduce_max "
                        "keeps it",
                        combine->getName().getStringRef())
              .str();
    return std::nullopt;
  }
  why = llvm::formatv("it reduces by {0}, which no compute kind does",
                      combine->getName().getStringRef())
            .str();
  return std::nullopt;
}

/// The leaf below a widening of its element, and the type it is widened to.
static Value stripExtension(Value value, Type &to) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtFOp>(op))
    return value;
  to = value.getType();
  return op->getOperand(0);
}

/// Reads ((a·b)·c)·…, or one factor; std::nullopt for anything else.
static std::optional<Product> readProduct(const LinalgBody &body, Value value) {
  Product product;
  SmallVector<Value> reversed;
  while (true) {
    Operation *op = value.getDefiningOp();
    if (body.isLeaf(value) || !isa<arith::MulFOp, arith::MulIOp>(op))
      break;
    Type ignored;
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    bool rightIsLeaf = body.isLeaf(stripExtension(rhs, ignored));
    if (!rightIsLeaf && !body.isLeaf(stripExtension(lhs, ignored)))
      return std::nullopt;
    reversed.push_back(rightIsLeaf ? rhs : lhs);
    value = rightIsLeaf ? lhs : rhs;
  }
  reversed.push_back(value);
  for (Value factor : llvm::reverse(reversed)) {
    Type to;
    Value leaf = stripExtension(factor, to);
    if (!body.isLeaf(leaf) ||
        (!product.factors.empty() && to != product.accumulator))
      return std::nullopt;
    product.accumulator = to;
    product.factors.push_back(leaf);
  }
  return product;
}

/// True if the operand is indexed by two loops in some dimension.
static bool slides(const LoopOperand &operand) {
  return llvm::any_of(operand.indices, [](const LoopIndex &index) {
    return index.terms.size() > 1;
  });
}

/// Step 3.
static Value raiseSum(RaiseBuilder &builder, const LoopNest &nest,
                      LinalgBody &body, Value value, RaisedKind &kind) {
  std::optional<Product> product = readProduct(body, value);
  if (!product) {
    kind = RaisedKind::Reduction;
    Value items = body.read(value);
    return builder.arrangeResult(
        nest, items ? builder.compute(ComputeKind::ReduceSum, items) : items);
  }
  SmallVector<LoopOperand> factors;
  for (Value factor : product->factors) {
    std::optional<LoopOperand> leaf = body.readLeaf(factor);
    if (!leaf)
      return {};
    factors.push_back(*leaf);
  }
  // Windows slide over the left operand; products commute.
  if (factors.size() == 2 && slides(factors[1]) && !slides(factors[0]))
    std::swap(factors[0], factors[1]);
  Value result = builder.contraction(nest, factors, product->accumulator);
  bool window = builder.hasSlidingWindow();
  if (factors.size() == 1)
    kind = window ? RaisedKind::Pooling : RaisedKind::Reduction;
  else
    kind = window ? RaisedKind::Convolution : RaisedKind::Contraction;
  return result;
}

/// Step 4.
static Value raiseCombined(RaiseBuilder &builder, const LoopNest &nest,
                           LinalgBody &body, const Reduction &reduction,
                           RaisedKind &kind) {
  kind = RaisedKind::Reduction;
  Value result;
  if (std::optional<LoopOperand> leaf = body.readLeaf(reduction.value)) {
    result = builder.combine(nest, reduction.combiner, *leaf);
  } else {
    Value items = body.read(reduction.value);
    result = builder.arrangeResult(
        nest, items ? builder.combineItems(reduction.combiner, items) : items);
  }
  if (builder.hasSlidingWindow())
    kind = RaisedKind::Pooling;
  return result;
}

/// Step 5, on the finished tensor.
static Value combineInit(RaiseBuilder &builder, Combiner combiner,
                         Value pattern, Value init) {
  bool isDropped = isNeutral(combiner, getSplatElement(init));
  Type type = init.getType();
  if (combiner == Combiner::Sum || combiner == Combiner::Product) {
    if (!isDropped)
      pattern = builder.elementwise(
          combiner == Combiner::Sum ? ComputeKind::ElementwiseAdd
                                    : ComputeKind::ElementwiseMul,
          {pattern, builder.access(init, cast<ShapedType>(type).getRank())});
    return builder.toTensor(pattern, type);
  }
  Value tensor = builder.toTensor(pattern, type);
  if (!tensor || isDropped)
    return tensor;
  OpBuilder &b = builder.getRewriter();
  Location loc = builder.getLoc();
  if (combiner == Combiner::GreatestUnsigned)
    return arith::MaxUIOp::create(b, loc, tensor, init);
  if (combiner == Combiner::LeastUnsigned)
    return arith::MinUIOp::create(b, loc, tensor, init);
  // linalg's named ops read no indices.
  if (getElementTypeOrSelf(type).isIndex())
    return combiner == Combiner::Greatest
               ? arith::MaxSIOp::create(b, loc, tensor, init).getResult()
               : arith::MinSIOp::create(b, loc, tensor, init).getResult();
  // Only the shape of the destination counts.
  Value inputs[2] = {tensor, init};
  if (combiner == Combiner::Greatest)
    return linalg::MaxOp::create(b, loc, inputs, ValueRange{init}).getResult(0);
  return linalg::MinOp::create(b, loc, inputs, ValueRange{init}).getResult(0);
}

static Value raiseReduction(RaiseBuilder &builder, linalg::LinalgOp op,
                            const LoopNest &nest, LinalgBody &body,
                            RaisedKind &kind) {
  std::string why;
  OpOperand *init = op.getDpsInitOperand(0);
  if (op.getNumDpsInits() != 1)
    return builder.fail("it reduces to " + Twine(op.getNumDpsInits()) +
                        " results");
  std::optional<Reduction> reduction = readReduction(op, why);
  if (!reduction)
    return builder.fail(why);
  if (reduction->combiner == Combiner::Sum &&
      !builder.mayWiden(reduction->value.getType()))
    return {};
  Value pattern = reduction->combiner == Combiner::Sum
                      ? raiseSum(builder, nest, body, reduction->value, kind)
                      : raiseCombined(builder, nest, body, *reduction, kind);
  if (!pattern)
    return {};
  return combineInit(builder, reduction->combiner, pattern, init->get());
}

//===----------------------------------------------------------------------===//
// Whole ops
//===----------------------------------------------------------------------===//

std::optional<RaisedKind>
mlir::tensoraccess::raiseStructuredOp(RaiseBuilder &builder,
                                      linalg::LinalgOp op,
                                      SmallVectorImpl<Value> &results) {
  if (!op.hasPureTensorSemantics())
    return builder.refuse("it works on buffers");
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && tensor.getEncoding())
      return builder.refuse("operand " + Twine(i) + " has an encoding");
  NestRef nest = getNest(OpSignature(op));
  auto loops = NestLoops::get(builder, *nest);
  if (!loops)
    return std::nullopt;
  loops->setSizes(op->getOperands());
  LinalgBody body(builder, op, *loops);
  RaisedKind kind = RaisedKind::Movement;
  if (!loops->nest.reductions.empty()) {
    results.push_back(raiseReduction(builder, op, loops->nest, body, kind));
    return kind;
  }
  // Step 2.
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [number, yielded] : llvm::enumerate(yield->getOperands())) {
    auto written = NestLoops::get(builder, *nest, /*dropsUnits=*/false, number);
    if (!written)
      return std::nullopt;
    if (!body.isLeaf(yielded))
      kind = RaisedKind::Elementwise;
    Value value = body.read(yielded);
    if (!value)
      return std::nullopt;
    results.push_back(
        builder.toTensor(builder.arrangeResult(written->nest, value),
                         op.getDpsInitOperand(number)->get().getType()));
  }
  return kind;
}
