//===- ExtendOperands.cpp - Small floats extended once --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of f16 or bf16 extends each factor in every step: with a row of ten
// factors, that takes longer than the multiply-adds. An input of a sum that is
// only ever extended, and read often, is extended to a buffer before it.
//
// A multiplication of i32 takes as long as eight multiply-adds of f32. A sum of
// products of i8 is the same number in floats as long as no part of it has more
// bits than these: in f32 up to 2^24, else in f64.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "KernelPlan.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "TensorAccess/Transforms/Kernels.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXTENDOPERANDS
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// How often each element is read on average, from which on a pass over memory
/// is the smaller part.
static constexpr double kLeastReads = 128;

Type mlir::tensoraccess::getExtended(BlockArgument argument) {
  Type wide;
  for (Operation *user : argument.getUsers()) {
    auto extend = dyn_cast<arith::ExtFOp>(user);
    if (!extend || (wide && extend.getType() != wide))
      return {};
    wide = extend.getType();
  }
  return wide;
}

/// A buffer with the elements of another one in another type.
static Value convert(RewriterBase &rewriter, Location loc, Value from,
                     Type element,
                     function_ref<Value(OpBuilder &, Location, Value)> body) {
  auto type = cast<MemRefType>(from.getType());
  Value buffer = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(type.getShape(), element),
      rewriter.getI64IntegerAttr(64));
  mapInto(rewriter, loc, from, buffer,
          [&](ImplicitLocOpBuilder &b, ValueRange args) {
            return body(b, loc, args[0]);
          });
  return buffer;
}

/// Of a nest of known sizes.
static double countIterations(const Nest &nest) {
  double iterations = 1;
  const SmallVector<int64_t> extents = *nest.getExtents();
  for (int64_t size : extents)
    iterations *= double(size);
  return iterations;
}

bool mlir::tensoraccess::multiplyInFloats(RewriterBase &rewriter,
                                          linalg::LinalgOp op) {
  std::array<Operation *, 2> extensions = matchSmallProduct(op);
  if (!extensions[0] || isa<arith::ExtFOp>(extensions[0]))
    return false;
  const NestOp nested(op);
  const Nest &nest = *nested.nest;
  if (!isCuttable(nested) || !nest.hasReductions())
    return false;
  auto result = dyn_cast<MemRefType>(op.getDpsInits()[0].getType());
  std::optional<int64_t> terms = nest.countReductions();
  if (!result || !result.hasStaticShape() ||
      !result.getElementType().isInteger(32) ||
      !nest.getPlainAxes(nest.writes[0]) || !terms)
    return false;
  const double iterations = countIterations(nest);
  for (Value input : op.getDpsInputs()) {
    auto type = dyn_cast<MemRefType>(input.getType());
    if (!type || !type.hasStaticShape() ||
        iterations < kLeastReads / 8 * double(type.getNumElements()))
      return false;
  }
  double most = double(*terms);
  for (Operation *extend : extensions)
    most *= isa<arith::ExtSIOp>(extend) ? 128 : 255;
  // Beyond that i32 wraps around.
  if (most >= 0x1p31)
    return false;
  Type element = most <= 0x1p24 ? Type(rewriter.getF32Type())
                                : Type(rewriter.getF64Type());

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  for (auto [input, extend] : llvm::zip_equal(op.getDpsInputs(), extensions)) {
    bool isSigned = isa<arith::ExtSIOp>(extend);
    inputs.push_back(
        convert(rewriter, loc, input, element,
                [&](OpBuilder &b, Location loc, Value x) -> Value {
                  if (isSigned)
                    return arith::SIToFPOp::create(b, loc, element, x);
                  return arith::UIToFPOp::create(b, loc, element, x);
                }));
  }
  Value sums = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(result.getShape(), element),
      rewriter.getI64IntegerAttr(64));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  linalg::FillOp::create(rewriter, loc, zero, sums);
  createGeneric(rewriter, loc, inputs, sums, op.getIndexingMapsArray(),
                [&](OpBuilder &b, Location loc, ValueRange arguments) {
                  Value step = math::FmaOp::create(b, loc, arguments[0],
                                                   arguments[1], arguments[2]);
                  linalg::YieldOp::create(b, loc, step);
                });
  Value out = op.getDpsInits()[0];
  mapInto(rewriter, loc, sums, out,
          [&](ImplicitLocOpBuilder &b, ValueRange args) {
            Value sum =
                arith::FPToSIOp::create(b, result.getElementType(), args[0]);
            return arith::AddIOp::create(b, args[1], sum);
          });
  for (Value buffer : {inputs[0], inputs[1], sums})
    memref::DeallocOp::create(rewriter, loc, buffer);
  rewriter.eraseOp(op);
  return true;
}

unsigned mlir::tensoraccess::extendOperands(RewriterBase &rewriter,
                                            linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || op.getNumReductionLoops() == 0)
    return 0;
  const NestOp nested(op);
  if (!isCuttable(nested))
    return 0;
  const double iterations = countIterations(*nested.nest);
  unsigned extended = 0;
  Location loc = op.getLoc();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<MemRefType>(input->get().getType());
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!type || !type.hasStaticShape() ||
        !(type.getElementType().isF16() || type.getElementType().isBF16()) ||
        iterations < kLeastReads * double(type.getNumElements()))
      continue;
    Type wide = getExtended(argument);
    if (!wide)
      continue;
    rewriter.setInsertionPoint(op);
    Value buffer = convert(rewriter, loc, input->get(), wide,
                           [&](OpBuilder &b, Location loc, Value x) -> Value {
                             return arith::ExtFOp::create(b, loc, wide, x);
                           });
    rewriter.setInsertionPointAfter(op);
    memref::DeallocOp::create(rewriter, loc, buffer);
    rewriter.modifyOpInPlace(op, [&] {
      input->set(buffer);
      argument.setType(wide);
    });
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      rewriter.replaceOp(user, argument);
    ++extended;
  }
  return extended;
}

namespace {
struct ExtendOperandsPass
    : public tensoraccess::impl::ExtendOperandsBase<ExtendOperandsPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      // There is an instruction for those.
      if (matchDot(op))
        continue;
      if (multiplyInFloats(rewriter, op))
        ++multiplied;
      else
        extended += extendOperands(rewriter, op);
    }
  }
};
} // namespace
