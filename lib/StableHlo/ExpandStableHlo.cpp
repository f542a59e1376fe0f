//===- ExpandStableHlo.cpp - Ops said in other ops ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What no engine has a loop for, before all of them:
//
//   1. shardings, which say where values are and not what they are, are dropped;
//   2. ops with a row in the table below are written in others;
//   3. complex numbers become pairs (ExpandComplex.cpp).
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Of a number of bytes that is a power of two; null for other types.
static IntegerType getBits(Type element) {
  if (!element.isIntOrFloat())
    return {};
  const unsigned width = element.getIntOrFloatBitWidth();
  if (width < 8 || width > 64 || !llvm::isPowerOf2_32(width))
    return {};
  return IntegerType::get(element.getContext(), width, IntegerType::Unsigned);
}

/// Whether elements become several, or several become one.
static bool changesWidth(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return from && to && from.getRank() != to.getRank();
}

/// The least significant bits come first.
static SmallVector<Value> expandBitcast(HloBuilder &h, Operation *op,
                                        std::string &why) {
  RankedTensorType from = getTensorType(op->getOperand(0));
  RankedTensorType to = getTensorType(op->getResult(0));
  IntegerType given = getBits(from.getElementType());
  IntegerType wanted = getBits(to.getElementType());
  const bool isSplit = to.getRank() > from.getRank();
  RankedTensorType one = isSplit ? from : to, parts = isSplit ? to : from;
  IntegerType wide = isSplit ? given : wanted,
              narrow = isSplit ? wanted : given;
  if (!wide || !narrow || wide.getWidth() <= narrow.getWidth() ||
      !from.hasStaticShape() || !to.hasStaticShape() || from.getEncoding() ||
      to.getEncoding() || parts.getShape().drop_back() != one.getShape() ||
      parts.getShape().back() != wide.getWidth() / narrow.getWidth()) {
    why =
        "its last dimension must have as many elements as their bits, of whole "
        "bytes, make one of the other type, in static shapes";
    return {};
  }
  Value bits = h.bitcast(op->getOperand(0), given);
  const int64_t rank = one.getRank(), count = parts.getShape().back();
  const uint64_t width = narrow.getWidth();
  Value result;
  if (isSplit) {
    Value all = h.broadcast(bits, parts.getShape(),
                            llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    Value places = h.iota(parts.clone(wide), rank);
    Value shifts = h.mul(places, h.integer(places.getType(), width));
    result = h.convert(h.binary("stablehlo.shift_right_logical", all, shifts),
                       narrow);
  } else {
    SmallVector<int64_t> starts(rank + 1, 0), limits(parts.getShape());
    for (int64_t i = 0; i < count; ++i) {
      starts.back() = i;
      limits.back() = i + 1;
      Value part = h.convert(
          h.reshape(h.slice(bits, starts, limits), one.getShape()), wide);
      part = h.binary("stablehlo.shift_left", part,
                      h.integer(part.getType(), i * width));
      result = result ? h.binary("stablehlo.or", result, part) : part;
    }
  }
  return {h.bitcast(result, to.getElementType())};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// The parts of what is real already.
static SmallVector<Value> expandPart(HloBuilder &h, Operation *op,
                                     std::string &why) {
  Value operand = op->getOperand(0);
  if (op->getResult(0).getType() != operand.getType()) {
    why = "its result must have its operand's type";
    return {};
  }
  return {getHloName(op) == "real" ? operand : h.like(operand, 0)};
}

static bool isOfReals(Operation *op) {
  auto type = op->getNumOperands() == 1 && op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                  : RankedTensorType();
  return type && isa<FloatType>(type.getElementType()) && type.hasStaticShape();
}

/// Null for an op that stays.
static HloExpansion getExpansion(Operation *op) {
  if (!isHlo(op))
    return nullptr;
  StringRef name = getHloName(op);
  if (name == "bitcast_convert")
    return changesWidth(op) ? expandBitcast : nullptr;
  if (name == "custom_call")
    return isLapackCall(op) ? expandLapackCall : nullptr;
  if (name == "real" || name == "imag")
    return isOfReals(op) ? expandPart : nullptr;
  return llvm::StringSwitch<HloExpansion>(name)
      .Case("cholesky", expandCholesky)
      .Case("rng_bit_generator", expandRngBitGenerator)
      .Case("triangular_solve", expandTriangularSolve)
      .Default(nullptr);
}

/// Shardy's ops, which JAX writes on one device, too.
static bool isSharding(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "sdy.mesh")
    return op->getNumOperands() == 0 && op->getNumResults() == 0;
  return name == "sdy.sharding_constraint" && op->getNumOperands() == 1 &&
         op->getNumResults() == 1 &&
         op->getOperand(0).getType() == op->getResult(0).getType();
}

bool tensoraccess::needsExpansion(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return isSharding(op) || getExpansion(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  return found.wasInterrupted() || hasComplexHlo(module);
}

LogicalResult tensoraccess::expandStableHlo(ModuleOp module) {
  SmallVector<Operation *> shardings, ops;
  module.walk([&](Operation *op) {
    if (isSharding(op))
      shardings.push_back(op);
    else if (getExpansion(op))
      ops.push_back(op);
  });
  for (Operation *op : shardings) {
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  }
  for (Operation *op : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    HloBuilder h(b);
    std::string why;
    SmallVector<Value> results = getExpansion(op)(h, op, why);
    if (!why.empty())
      return op->emitError() << "'" << op->getName().getStringRef()
                             << "' cannot be run: " << why;
    op->replaceAllUsesWith(results);
    op->erase();
  }
  return expandComplexNumbers(module);
}
