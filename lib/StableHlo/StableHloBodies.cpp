//===- StableHloBodies.cpp - What StableHLO does to single numbers --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of reduce_precision, what top_k takes, and the bodies on scalars of
// reductions.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<HloPrecision> HloPrecision::read(Operation *op, Type type) {
  auto exponent = op->getAttrOfType<IntegerAttr>("exponent_bits");
  auto mantissa = op->getAttrOfType<IntegerAttr>("mantissa_bits");
  auto real = dyn_cast<FloatType>(type);
  if (!exponent || !mantissa || exponent.getInt() < 1 ||
      mantissa.getInt() < 0 || !real || real.getWidth() > 64 ||
      !llvm::APFloat::isIEEELikeFP(real.getFloatSemantics()))
    return std::nullopt;
  // Bits of the type, without the sign, and those that stay.
  const int64_t ownMantissa = real.getFPMantissaWidth() - 1,
                ownExponent = real.getWidth() - 1 - ownMantissa,
                keptMantissa = std::min(ownMantissa, mantissa.getInt()),
                keptExponent = std::min(ownExponent, exponent.getInt());
  HloPrecision result;
  result.dropped = ownMantissa - keptMantissa;
  result.signBit = uint64_t(1) << (real.getWidth() - 1);
  result.infinity = ((uint64_t(1) << ownExponent) - 1) << ownMantissa;
  result.greatest = result.infinity;
  result.least = 0;
  if (keptExponent < ownExponent) {
    const int64_t bias = (int64_t(1) << (ownExponent - 1)) - 1,
                  keptBias = (int64_t(1) << (keptExponent - 1)) - 1;
    result.greatest = (uint64_t(bias + keptBias + 1) << ownMantissa) - 1;
    result.least = uint64_t(bias - keptBias + 1) << ownMantissa;
  }
  return result;
}

uint64_t HloPrecision::round(uint64_t bits) const {
  const uint64_t sign = bits & signBit;
  uint64_t size = bits ^ sign;
  if (size > infinity)
    return bits;
  if (dropped != 0)
    size = (size + getHalf() + ((size >> dropped) & 1)) & getKept();
  if (size > greatest)
    size = infinity;
  else if (size < least)
    size = 0;
  return sign | size;
}

//===----------------------------------------------------------------------===//
// The greatest elements
//===----------------------------------------------------------------------===//

std::optional<int64_t> tensoraccess::readHloTopK(const HloReader &reader) {
  if (!reader.hasTensors(1, 2))
    return std::nullopt;
  if (!reader.operandType(0).hasStaticShape()) {
    reader.fail("its shapes are not static");
    return std::nullopt;
  }
  SmallVector<int64_t> shape(reader.in(0));
  auto k = reader.integer("k", -1);
  if (shape.empty() || !k || *k < 0 || *k > shape.back()) {
    reader.fail("it must take at most the elements of its last dimension");
    return std::nullopt;
  }
  shape.back() = *k;
  Type places = IntegerType::get(reader.resultType().getContext(), 32);
  if (reader.resultType(0) != reader.operandType(0).clone(shape) ||
      reader.resultType(1) != RankedTensorType::get(shape, places)) {
    reader.fail("its results must be k elements and their places, in i32");
    return std::nullopt;
  }
  return k;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void tensoraccess::dropPartialWindows(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isHlo(op, "scatter"))
      op->setAttr(kWholeWindows, UnitAttr::get(op->getContext()));
  });
}

bool tensoraccess::hasHloScalarBody(Operation *op) {
  return isHlo(op) &&
         llvm::is_contained({"reduce", "reduce_window", "sort", "scatter",
                             "map", "select_and_scatter", "all_reduce",
                             "reduce_scatter"},
                            getHloName(op));
}

Block *tensoraccess::getHloBody(Operation *op, unsigned i,
                                ArrayRef<Type> elementTypes,
                                unsigned numResults, std::string &why) {
  HloReader reader(op, why);
  auto fail = [&](const Twine &reason) -> Block * {
    reader.fail(reason);
    return nullptr;
  };
  if (i >= op->getNumRegions() || !op->getRegion(i).hasOneBlock())
    return fail("region " + Twine(i) + " must be one block");
  Block &block = op->getRegion(i).front();
  if (block.getNumArguments() != elementTypes.size())
    return fail("its body must take " + Twine(elementTypes.size()) +
                " values, got " + Twine(block.getNumArguments()));
  for (auto [argument, type] :
       llvm::zip_equal(block.getArguments(), elementTypes)) {
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor || tensor.getRank() != 0 || tensor.getElementType() != type)
      return fail("its body must take scalars of its operands' types");
  }
  if (block.empty() || !isHlo(&block.back(), "return") ||
      block.back().getNumOperands() != numResults)
    return fail("its body must return " + Twine(numResults) + " values");
  for (Operation &inner : block)
    if (&inner != &block.back() && isHlo(&inner, "return"))
      return fail("its body must return once");
  return &block;
}

void tensoraccess::addHloBody(OperationState &state, Region &function) {
  IRMapping mapping;
  Region *body = state.addRegion();
  function.cloneInto(body, mapping);
  Operation *last = body->front().getTerminator();
  OpBuilder b(last);
  OperationState done(last->getLoc(), "stablehlo.return");
  done.addOperands(last->getOperands());
  b.create(done);
  last->erase();
}

bool tensoraccess::isHloSum(Block &body, unsigned i) {
  const unsigned half = body.getNumArguments() / 2;
  if (i >= half || body.empty() || i >= body.back().getNumOperands())
    return false;
  Value before = body.getArgument(i), element = body.getArgument(half + i);
  Operation *op = body.back().getOperand(i).getDefiningOp();
  return op && isHlo(op, "add") && op->getNumOperands() == 2 &&
         before.hasOneUse() && element.hasOneUse() &&
         *before.user_begin() == op && *element.user_begin() == op;
}
