//===- EquivalenceCorners.cpp - Inputs at the edge of what types hold -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. A type has up to p = 11 corners.
// 2. Row x + p·y of the design, x and y below p, gives corner x + i·y mod p to
//    argument i. p is prime, so that any two of the first p arguments take each
//    pair of corners in one row; in the first p rows all take the same one.
//    Further arguments take random corners in the other rows.
// 3. First a whole tensor takes the corner, so that a reduction sees nothing
//    else. Then elements take one row after the other, so that elementwise
//    functions see each pair in few inputs.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr int64_t kPrime = 11;

/// Integers; where `isSmall`, none that a loop cannot count to.
static SmallVector<int64_t> getIntegers(ElementType type, bool isSmall) {
  const int64_t width = bitWidth(type);
  if (width == 1)
    return {0, -1};
  if (isSmall)
    return {0, 1, -1, 2, 3, -2};
  const int64_t most = llvm::maxIntN(width), least = llvm::minIntN(width);
  return {0, 1, -1, least, most, least + 1, width - 1, 2, width, -2, most - 1};
}

/// Floats: `isSpecial` adds -0, NaN and infinities; `isGreat`, the ends of what
/// is finite and other than 0.
static SmallVector<double> getFloats(ElementType type, bool isSpecial,
                                     bool isGreat) {
  SmallVector<double> values = {0, 1, -1};
  if (isSpecial) {
    const double infinity = std::numeric_limits<double>::infinity();
    values.append({-0.0, std::nan(""), infinity, -infinity});
  }
  if (isGreat) {
    const int precision = getPrecision(type);
    const int exponent = type == ElementType::F16   ? 15
                         : type == ElementType::F64 ? 1023
                                                    : 127;
    const double most = std::ldexp(2 - std::ldexp(1, 1 - precision), exponent);
    values.append({most, -most, std::ldexp(1, 2 - exponent - precision),
                   std::ldexp(1, 1 - exponent)});
  } else {
    values.append({2, -2});
  }
  return values;
}

/// Whether a number may be a count.
static bool mayCount(func::FuncOp function) {
  return !function.getBody().hasOneBlock() ||
         function
             .walk([](Operation *op) {
               if (isa_and_nonnull<scf::SCFDialect, affine::AffineDialect>(
                       op->getDialect()) ||
                   !op->isRegistered() || isa<func::CallOp>(op))
                 return WalkResult::interrupt();
               for (Type type : op->getResultTypes())
                 if (auto shaped = dyn_cast<ShapedType>(type))
                   if (!shaped.hasStaticShape())
                     return WalkResult::interrupt();
               return WalkResult::advance();
             })
             .wasInterrupted();
}

CornerInputs::CornerInputs(func::FuncOp first, func::FuncOp second,
                           bool isSpecial, bool isGreat)
    : isSpecial(isSpecial), isGreat(isGreat),
      isSmall(mayCount(first) || mayCount(second)),
      numInputs(first.getNumArguments()) {}

int64_t CornerInputs::getNumRows() const {
  return numInputs == 0 ? 0 : numInputs == 1 ? kPrime : kPrime * kPrime;
}

/// The corner that an argument takes in a row.
static int64_t getCorner(int64_t row, int64_t input) {
  const int64_t x = row % kPrime, y = row / kPrime;
  if (input < kPrime || y == 0)
    return (x + input * y) % kPrime;
  std::mt19937_64 random(row * 7919 + input);
  return static_cast<int64_t>(random() % kPrime);
}

void CornerInputs::fill(MutableArrayRef<Tensor> inputs, int64_t row,
                        bool byElement) const {
  const int64_t rows = getNumRows();
  for (size_t i = 0; i < inputs.size(); ++i) {
    Tensor &input = inputs[i];
    const ElementType type = input.getElementType();
    SmallVector<int64_t> integers;
    SmallVector<double> floats;
    if (isFloat(type))
      floats = getFloats(type, isSpecial, isGreat);
    else
      integers = getIntegers(type, isSmall);
    const auto count = static_cast<int64_t>(integers.size() + floats.size());
    int64_t at = row;
    forEachIndex(input.getShape(), [&](ArrayRef<int64_t> index) {
      const int64_t corner = getCorner(at % rows, i) % count;
      if (byElement)
        ++at;
      if (isFloat(type))
        input.setDouble(index, floats[corner]);
      else
        input.setInt(index, integers[corner]);
    });
  }
}
