//===- RandomInputs.cpp - Inputs for programs that have none --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Replaces every element x of a dense tensor of floats by f(x).
static void mapFloats(Tensor &tensor, llvm::function_ref<double(double)> f) {
  if (tensor.getElementType() == ElementType::F32) {
    auto *data = reinterpret_cast<float *>(tensor.getData());
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
      data[i] = static_cast<float>(f(data[i]));
    return;
  }
  forEachIndex(tensor.getShape(), [&](ArrayRef<int64_t> index) {
    tensor.setDouble(index, f(tensor.getDouble(index)));
  });
}

/// Elements uniform in [-1, 1) or [-8, 7] as those of RandomRange::Positive,
/// made from the same bits: x = k·2^(1-p) - 1, and k's lowest bit is dropped.
static void makePositive(Tensor &tensor) {
  ElementType type = tensor.getElementType();
  if (type == ElementType::I1)
    return;
  if (!isFloat(type)) {
    forEachIndex(tensor.getShape(), [&](ArrayRef<int64_t> index) {
      tensor.setInt(index, (tensor.getInt(index) + 8) / 2 + 1);
    });
    return;
  }
  // Powers of two, exact: k of at most 53 bits.
  const double up = std::ldexp(1, getPrecision(type) - 1), down = 1 / up;
  mapFloats(tensor, [=](double x) {
    return std::floor((x + 1) * up / 2) * down + 0.5;
  });
}

/// Elements of RandomRange::Model, of symmetric ones.
static void makeModel(Tensor &tensor) {
  if (!isFloat(tensor.getElementType()) || tensor.getNumElements() == 0)
    return;
  if (tensor.getRank() <= 1)
    return makePositive(tensor);
  int64_t longest = 1;
  for (int64_t size : tensor.getShape())
    longest = std::max(longest, size);
  double scale = 1;
  for (int64_t f = tensor.getNumElements() / longest; f >= 4; f /= 4)
    scale /= 2;
  mapFloats(tensor, [=](double x) { return x * scale; });
}

FailureOr<SmallVector<Tensor>>
mlir::tensoraccess::randomInputs(FunctionOpInterface entry, uint64_t seed,
                                 RandomRange range,
                                 ArrayRef<int64_t> dynamicSizes) {
  for (auto [i, size] : llvm::enumerate(dynamicSizes))
    if (size < 0)
      return entry.emitOpError("dynamic size ")
             << i << " must be non-negative, got " << size;
  SmallVector<Tensor> inputs;
  size_t used = 0;
  for (auto [i, argument] :
       llvm::enumerate(flattenTypes(entry.getArgumentTypes()))) {
    Type type = getTypeOfBytes(getTypeOfPairs(getTypeOfStorage(argument)));
    std::optional<ElementType> elementType =
        getHeldTypeOf(getElementTypeOrSelf(type));
    auto shaped = dyn_cast<ShapedType>(type);
    if (!elementType || isa<BaseMemRefType>(type) ||
        (shaped && !shaped.hasRank()))
      return entry.emitOpError("input ")
             << i << " must be a scalar or a ranked tensor to be random, got "
             << type;
    SmallVector<int64_t> shape;
    if (shaped)
      shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      if (used == dynamicSizes.size())
        return entry.emitOpError("input ")
               << i << ", of type " << type << ", needs a dynamic size for "
               << "dimension " << dim
               << " to be random; sizes given: " << dynamicSizes.size();
      size = dynamicSizes[used++];
    }
    FailureOr<Tensor> input =
        reportAt(entry, Tensor::random(*elementType, shape, seed, i));
    if (failed(input))
      return failure();
    if (range == RandomRange::Positive)
      makePositive(*input);
    else if (range == RandomRange::Model)
      makeModel(*input);
    // Bytes of small floats: numbers from 0 to 2, and none that are not
    // numbers.
    if (isa<FloatType>(getElementTypeOrSelf(argument)) &&
        !isFloat(*elementType))
      forEachIndex(input->getShape(), [&](ArrayRef<int64_t> index) {
        input->setInt(index, input->getInt(index) & 0x3F);
      });
    inputs.push_back(std::move(*input));
  }
  if (used != dynamicSizes.size())
    return entry.emitOpError("has ")
           << used << " dynamic dimensions, got " << dynamicSizes.size()
           << " sizes for them";
  return inputs;
}
