//===- LinalgFast.cpp - Structured ops of linalg, many points at a time ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. A body `out + x * y` (each of x and y as it is, or extended) on linear
//    maps is a contraction (Core/Kernels.h).
// 2. Any other body on linear maps runs in strips (Strips.h).
//
//===----------------------------------------------------------------------===//

#include "LinalgLoops.h"
#include "Strips.h"
#include "TensorAccess/Core/Kernels.h"
#include "Undefined.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The number of the block argument that a value is, or is extended from.
static std::optional<unsigned> getArgument(Value value, Block *block) {
  if (auto ext = value.getDefiningOp<arith::ExtFOp>())
    value = ext.getIn();
  else if (auto ext = value.getDefiningOp<arith::ExtSIOp>())
    value = ext.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != block)
    return std::nullopt;
  return argument.getArgNumber();
}

/// The operands x and y of a body that yields out + x * y.
static std::optional<std::pair<unsigned, unsigned>> matchProduct(Block *block) {
  Operation *yield = block->getTerminator();
  if (yield->getNumOperands() != 1)
    return std::nullopt;
  Operation *sum = yield->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return std::nullopt;
  for (unsigned i : {0u, 1u}) {
    auto out = dyn_cast<BlockArgument>(sum->getOperand(i));
    Operation *product = sum->getOperand(1 - i).getDefiningOp();
    if (!out || out.getOwner() != block ||
        out.getArgNumber() + 1 != block->getNumArguments() ||
        !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
        product->getBlock() != block)
      continue;
    std::optional<unsigned> x = getArgument(product->getOperand(0), block),
                            y = getArgument(product->getOperand(1), block);
    if (x && y && *x != out.getArgNumber() && *y != out.getArgNumber())
      return std::pair(*x, *y);
  }
  return std::nullopt;
}

static bool runProduct(linalg::LinalgOp op, ArrayRef<PointOperand> operands,
                       ArrayRef<int64_t> sizes) {
  auto factors = matchProduct(op.getBlock());
  if (!factors)
    return false;
  const PointOperand &out = operands.back(), &x = operands[factors->first],
                     &y = operands[factors->second];
  const ElementType type = x.tensor.getElementType(),
                    sumType = out.tensor.getElementType();
  if (y.tensor.getElementType() != type || !isExtension(type, sumType) ||
      !haveOwnPlaces(sizes, out.steps, byteSize(sumType)))
    return false;
  StridedContraction contraction;
  contraction.type = type;
  contraction.sumType = sumType;
  for (size_t d = 0; d < sizes.size(); ++d)
    (out.steps[d] != 0 ? contraction.points : contraction.sums)
        .push_back(sizes[d]);
  auto set = [&](StridedContraction::Operand &operand,
                 const PointOperand &from) {
    operand.data = from.address;
    for (size_t d = 0; d < sizes.size(); ++d)
      (out.steps[d] != 0 ? operand.pointSteps : operand.sumSteps)
          .push_back(from.steps[d] / byteSize(from.tensor.getElementType()));
  };
  set(contraction.out, out);
  set(contraction.lhs, x);
  set(contraction.rhs, y);
  runContraction(contraction);
  return true;
}

bool mlir::tensoraccess::runFast(linalg::LinalgOp op,
                                 const ScalarProgram &program,
                                 ArrayRef<PointOperand> operands,
                                 ArrayRef<int64_t> sizes) {
  if (sizes.empty() || !llvm::all_of(operands, [](const PointOperand &operand) {
        return operand.isLinear();
      }))
    return false;
  // Contractions look at no flags.
  if (!getUndefinedValues() && runProduct(op, operands, sizes))
    return true;
  const unsigned numInputs = op.getNumDpsInputs();
  SmallVector<StripOperand> all;
  for (const PointOperand &operand : operands) {
    StripOperand &strip = all.emplace_back();
    strip.address = operand.address;
    strip.steps = operand.steps;
    strip.type = operand.tensor.getElementType();
    if (operand.isRead)
      strip.read = operand.number;
    if (operand.number >= numInputs)
      strip.write = program.getOutputs()[operand.number - numInputs];
  }
  return runStrips(program, all, sizes);
}
