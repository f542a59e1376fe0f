//===- StablehloSoftmax.cpp - A softmax in a dozen ops --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO has no softmax; frameworks write exp(x - max x) / sum exp(x - max
// x) with broadcasts, reshapes and a maximum with -inf in between. From the
// division back:
//
// 1. its numerator is the exponential of a difference x - m;
// 2. its denominator and m are a sum and a maximum over the same dimensions,
//    each spread again over the dimensions that it went along.
//
//===----------------------------------------------------------------------===//

#include "Raise/RaiseReaders.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The op of that name (without dialect) that defines a value, null for others.
static Operation *getHlo(Value value, StringRef name) {
  Operation *op = value.getDefiningOp();
  return op && isHlo(op, name) ? op : nullptr;
}

/// One step back through a broadcast, a reshape that only adds or drops
/// dimensions of size 1, or a maximum with the least number.
static bool stepBack(SpreadValue &spread) {
  std::string why;
  if (Operation *op = getHlo(spread.value, "broadcast_in_dim")) {
    auto places = readHloBroadcast({op, why});
    if (!places)
      return false;
    SmallVector<int64_t> dims;
    auto shape = cast<ShapedType>(op->getOperand(0).getType()).getShape();
    for (auto [size, place] : llvm::zip_equal(shape, *places))
      dims.push_back(size == 1 ? -1 : spread.dims[place]);
    spread = {op->getOperand(0), dims};
    return true;
  }
  if (Operation *op = getHlo(spread.value, "reshape"))
    return HloReader(op, why).hasTensors(1, 1) && spread.followReshape(op);
  if (Operation *op = getHlo(spread.value, "maximum")) {
    if (!HloReader(op, why).hasTensors(2, 1))
      return false;
    for (unsigned side : {0u, 1u}) {
      if (!isLeast(getSplatElement(op->getOperand(side))) ||
          op->getOperand(1 - side).getType() != spread.value.getType())
        continue;
      spread.value = op->getOperand(1 - side);
      return true;
    }
  }
  return false;
}

/// Whether a value is the sum or the maximum of `source`, spread again over its
/// shape; the dimensions that are reduced.
static std::optional<SmallVector<int64_t>>
matchSpreadReduction(Value value, Value source, bool isSum) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type != source.getType())
    return std::nullopt;
  SpreadValue spread{value,
                     llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))};
  for (int64_t step = 0; step < 16 && !getHlo(spread.value, "reduce"); ++step)
    if (!stepBack(spread))
      return std::nullopt;
  Operation *op = getHlo(spread.value, "reduce");
  std::string why;
  auto reading = op ? HloReduce::read({op, why}) : std::nullopt;
  TypedAttr init = reading ? getSplatElement(op->getOperand(1)) : TypedAttr();
  if (!reading || reading->numInputs != 1 || op->getOperand(0) != source ||
      !(isSum ? isPositiveZero(init) : isLeast(init)))
    return std::nullopt;
  Operation *combine = getHloCombiner(op, why);
  if (!combine || getHloName(combine) != (isSum ? "add" : "maximum"))
    return std::nullopt;
  auto shape = cast<ShapedType>(spread.value.getType()).getShape();
  for (auto [size, dim, kept] :
       llvm::zip_equal(shape, spread.dims, reading->kept))
    if (size != 1 && dim != kept)
      return std::nullopt;
  return reading->dims;
}

Value mlir::tensoraccess::raiseHloSoftmax(RaiseBuilder &builder,
                                          Operation *divide) {
  auto fail = [&] { return builder.fail("it is not a softmax"); };
  if (divide->getNumOperands() != 2 || divide->getNumResults() != 1)
    return fail();
  auto type = dyn_cast<RankedTensorType>(divide->getResult(0).getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return fail();
  Operation *power = getHlo(divide->getOperand(0), "exponential");
  if (!power || power->getNumOperands() != 1)
    return fail();
  Operation *difference = getHlo(power->getOperand(0), "subtract");
  if (!difference || difference->getNumOperands() != 2)
    return fail();
  Value x = difference->getOperand(0);
  auto sum = matchSpreadReduction(divide->getOperand(1), divide->getOperand(0),
                                  /*isSum=*/true);
  auto maximum = matchSpreadReduction(difference->getOperand(1), x,
                                      /*isSum=*/false);
  if (!sum || !maximum || *sum != *maximum || x.getType() != type)
    return fail();
  return builder.softmax(x, *sum);
}
