//===- LayoutKernels.cpp - What relayout and bitcast compute --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Kernels.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

/// One number in another storage type: floats through double, which holds all
/// of them, and rounded once; integers through two's complement.
template <typename From, typename To>
static To convertElement(From value) {
  if constexpr (Arithmetic<From>::isFloat) {
    if constexpr (std::is_same_v<From, double> || std::is_same_v<From, float>)
      return To(value);
    else
      return To(double(float(value)));
  } else {
    int64_t wide = Arithmetic<From>::template extend<int64_t>(value);
    if constexpr (std::is_same_v<To, Bit>)
      return Bit((wide & 1) != 0);
    else
      return To(wide);
  }
}

llvm::Expected<Tensor> kernels::convert(const Tensor &tensor,
                                        ElementType type) {
  if (tensor.getElementType() == type)
    return tensor;
  llvm::Expected<Tensor> dense = tensor.toDense();
  if (!dense)
    return dense;
  llvm::Expected<Tensor> result = Tensor::create(type, tensor.getShape());
  if (!result)
    return result;
  int64_t count = dense->getNumElements();
  dispatch(dense->getElementType(), [&](auto fromTag) {
    dispatch(type, [&](auto toTag) {
      using From = typename decltype(fromTag)::type;
      using To = typename decltype(toTag)::type;
      if constexpr (Arithmetic<From>::isFloat == Arithmetic<To>::isFloat) {
        const From *from = dense->getDataAs<From>();
        To *to = result->getDataAs<To>();
        for (int64_t i = 0; i < count; ++i)
          to[i] = convertElement<From, To>(from[i]);
      }
    });
  });
  return result;
}

llvm::Expected<Tensor> kernels::relayout(const Tensor &source,
                                         ArrayRef<int64_t> permutation,
                                         ArrayRef<int64_t> shape,
                                         ElementType type) {
  if (!isPermutation(permutation, source.getRank()))
    return llvm::createStringError("permutation must be one of " +
                                   llvm::Twine(source.getRank()) +
                                   " dimensions");
  if (isFloat(source.getElementType()) != isFloat(type))
    return llvm::createStringError("cannot turn " +
                                   toString(source.getElementType()) +
                                   " into " + toString(type));
  std::optional<int64_t> count = elementCount(shape);
  if (!count || *count != source.getNumElements())
    return llvm::createStringError(
        "source and result must have equally many elements, got " +
        shapeToString(source.getShape()) + " and " + shapeToString(shape));
  llvm::Expected<Tensor> moved = source.transpose(permutation).reshape(shape);
  return moved ? convert(*moved, type) : std::move(moved);
}

llvm::Expected<Tensor> kernels::bitcast(const Tensor &source,
                                        const Layout &from, const Layout &to,
                                        ElementType type) {
  int64_t bytes = byteSize(type);
  if (byteSize(source.getElementType()) != bytes)
    return llvm::createStringError("cannot turn " +
                                   toString(source.getElementType()) +
                                   " into " + toString(type));
  llvm::Expected<Tensor> result = Tensor::create(type, *to.shape);
  if (!result)
    return result;
  SmallVector<int64_t> index(to.getRank(), 0);
  for (int64_t i = 0, e = result->getNumElements(); i < e; ++i) {
    std::optional<int64_t> number = to.linearize(index);
    std::optional<SmallVector<int64_t>> place;
    if (number)
      place = from.delinearize(*number);
    if (!place)
      return llvm::createStringError("element [" + shapeToString(index) +
                                     "] is on no element of the source");
    std::memcpy(result->getElement(index), source.getElement(*place), bytes);
    nextIndex(index, *to.shape);
  }
  return result;
}
