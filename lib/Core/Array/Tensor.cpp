//===- Tensor.cpp - Strided views of numbers in memory --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, views and copies. Whether a reshape can be a view is decided group
// by group: walking both shapes from the left, take sizes from either until the
// products agree; the old dimensions of such a group must be contiguous among
// themselves, and the new ones then divide the group's memory.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Tensor.h"
#include "Support/StridedLoop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

Tensor::Tensor() : Tensor(scalar(ElementType::F32, 0)) {}

Tensor::Tensor(ElementType type, ArrayRef<int64_t> shape,
               ArrayRef<int64_t> strides, void *data,
               std::shared_ptr<void> owner)
    : type(type), shape(shape), strides(strides),
      data(static_cast<char *>(data)), owner(std::move(owner)) {}

Expected<Tensor> Tensor::create(ElementType type, ArrayRef<int64_t> shape) {
  for (auto [i, size] : llvm::enumerate(shape))
    if (size < 0)
      return llvm::createStringError("size " + llvm::Twine(i) +
                                     " of a tensor must not be negative, got " +
                                     llvm::Twine(size));
  std::optional<int64_t> count = elementCount(shape);
  int64_t bytes = 0, rounded = 0;
  if (!count || llvm::MulOverflow(*count, byteSize(type), bytes) ||
      llvm::AddOverflow<int64_t>(bytes, 63, rounded))
    return llvm::createStringError(
        "the bytes of a tensor must fit in 63 bits, got " +
        toString(type).str() + " " + shapeToString(shape));
  // A multiple of the alignment, as aligned_alloc asks, and at least one.
  rounded = std::max<int64_t>(rounded / 64 * 64, 64);
  void *memory = std::aligned_alloc(64, rounded);
  if (!memory)
    return llvm::createStringError("no memory for a tensor of " +
                                   toString(type).str() + " " +
                                   shapeToString(shape));
  std::memset(memory, 0, rounded);
  return wrap(type, shape, rowMajorStrides(shape), memory,
              std::shared_ptr<void>(memory, std::free));
}

Tensor Tensor::wrap(ElementType type, ArrayRef<int64_t> shape,
                    ArrayRef<int64_t> strides, void *data,
                    std::shared_ptr<void> owner) {
  return Tensor(type, shape, strides, data, std::move(owner));
}

Tensor Tensor::scalar(ElementType type, double value) {
  Tensor tensor = llvm::cantFail(create(type, {}));
  tensor.setDouble({}, value);
  return tensor;
}

Tensor Tensor::scalarInt(ElementType type, int64_t value) {
  Tensor tensor = llvm::cantFail(create(type, {}));
  tensor.setInt({}, value);
  return tensor;
}

/// The output function of splitmix64 (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators, OOPSLA 2014).
static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

int mlir::tensoraccess::getPrecision(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return 11;
  case ElementType::BF16:
    return 8;
  case ElementType::F32:
    return 24;
  default:
    return 53;
  }
}

Expected<Tensor> Tensor::random(ElementType type, ArrayRef<int64_t> shape,
                                uint64_t seed, uint64_t stream) {
  constexpr uint64_t golden = 0x9E3779B97F4A7C15;
  Expected<Tensor> result = create(type, shape);
  if (!result)
    return result;
  uint64_t start = mix(seed + (stream + 1) * golden);
  int64_t count = result->getNumElements();
  dispatch(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T *data = result->getDataAs<T>();
    int bits = getPrecision(type);
    for (int64_t k = 0; k < count; ++k) {
      uint64_t word = mix(start + (uint64_t(k) + 1) * golden);
      if constexpr (std::is_same_v<T, Bit>)
        data[k] = Bit(word >> 63);
      else if constexpr (Arithmetic<T>::isFloat)
        data[k] = T(std::ldexp(double(word >> (64 - bits)), 1 - bits) - 1);
      else
        data[k] = T(int64_t(word >> 60) - 8);
    }
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void *Tensor::getElement(ArrayRef<int64_t> index) const {
  int64_t offset = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    offset += i * stride;
  return data + offset * byteSize(type);
}

/// A double as an integer: toward zero, saturated, 0 for NaN.
static int64_t truncateToInt(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return INT64_MAX;
  if (value < -0x1p63)
    return INT64_MIN;
  return int64_t(value);
}

/// A number as an element of storage type T.
template <typename T, typename Number>
static T toStorage(Number value) {
  if constexpr (std::is_same_v<T, Bit>) {
    if constexpr (std::is_same_v<Number, double>)
      return Bit(truncateToInt(value) & 1);
    else
      return Bit(value & 1);
  } else if constexpr (Arithmetic<T>::isFloat) {
    return T(value);
  } else if constexpr (std::is_same_v<Number, double>) {
    return T(truncateToInt(value));
  } else {
    return T(value);
  }
}

double Tensor::getDouble(ArrayRef<int64_t> index) const {
  return dispatch(type, [&](auto tag) -> double {
    using T = typename decltype(tag)::type;
    T element = *static_cast<T *>(getElement(index));
    if constexpr (std::is_same_v<T, Bit>)
      return element.value;
    else if constexpr (std::is_same_v<T, double> || std::is_integral_v<T>)
      return double(element);
    else
      return float(element);
  });
}

int64_t Tensor::getInt(ArrayRef<int64_t> index) const {
  return dispatch(type, [&](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>)
      return *static_cast<T *>(getElement(index));
    else
      return truncateToInt(getDouble(index));
  });
}

void Tensor::setDouble(ArrayRef<int64_t> index, double value) {
  dispatch(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    *static_cast<T *>(getElement(index)) = toStorage<T>(value);
  });
}

void Tensor::setInt(ArrayRef<int64_t> index, int64_t value) {
  dispatch(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    *static_cast<T *>(getElement(index)) = toStorage<T>(value);
  });
}

bool Tensor::isDense() const {
  int64_t next = 1;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(shape, strides))) {
    if (size == 0)
      return true;
    if (size != 1 && stride != next)
      return false;
    next *= size;
  }
  return true;
}

void mlir::tensoraccess::copyElements(const Tensor &from, Tensor &to) {
  assert(from.getElementType() == to.getElementType() &&
         from.getShape() == to.getShape() && "copies keep type and shape");
  dispatch(from.getElementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    StridedLoop loop(from.getShape(), {from.getStrides(), to.getStrides()});
    int64_t length = loop.getRowLength();
    int64_t fromStride = loop.getRowStride(0), toStride = loop.getRowStride(1);
    loop.forEachRow([&](ArrayRef<int64_t> offsets) {
      const T *source = from.getDataAs<T>() + offsets[0];
      T *target = to.getDataAs<T>() + offsets[1];
      if (fromStride == 1 && toStride == 1) {
        std::memcpy(target, source, length * sizeof(T));
        return;
      }
      for (int64_t i = 0; i < length; ++i)
        target[i * toStride] = source[i * fromStride];
    });
  });
}

void mlir::tensoraccess::fillElements(Tensor &tensor, const Tensor &scalar) {
  SmallVector<int64_t> zeros(tensor.getRank(), 0);
  copyElements(scalar.restride(tensor.getShape(), zeros), tensor);
}

std::string mlir::tensoraccess::describe(const Tensor &tensor) {
  std::string text = toString(tensor.getElementType()).str();
  if (tensor.getRank())
    text += " " + shapeToString(tensor.getShape());
  return text;
}

Expected<Tensor> Tensor::clone() const {
  Expected<Tensor> result = create(type, shape);
  if (result)
    copyElements(*this, *result);
  return result;
}

Expected<Tensor> Tensor::toDense() const {
  if (!isDense())
    return clone();
  // Strides of dimensions of size 1 may be anything; make them canonical.
  return restride(shape, rowMajorStrides(shape));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Tensor Tensor::restride(ArrayRef<int64_t> newShape,
                        ArrayRef<int64_t> newStrides, int64_t shift) const {
  return Tensor(type, newShape, newStrides, data + shift * byteSize(type),
                owner);
}

Tensor Tensor::transpose(ArrayRef<int64_t> perm) const {
  assert(isPermutation(perm, getRank()) && "not a permutation");
  SmallVector<int64_t> newShape, newStrides;
  for (int64_t dim : perm) {
    newShape.push_back(shape[dim]);
    newStrides.push_back(strides[dim]);
  }
  return restride(newShape, newStrides);
}

Tensor Tensor::broadcastAt(int64_t axis, int64_t size) const {
  SmallVector<int64_t> newShape(getShape()), newStrides(getStrides());
  newShape.insert(newShape.begin() + axis, size);
  newStrides.insert(newStrides.begin() + axis, 0);
  return restride(newShape, newStrides);
}

Tensor Tensor::select(int64_t axis, int64_t index) const {
  assert(index >= 0 && index < shape[axis] && "select outside the tensor");
  SmallVector<int64_t> newShape(getShape()), newStrides(getStrides());
  newShape.erase(newShape.begin() + axis);
  newStrides.erase(newStrides.begin() + axis);
  return restride(newShape, newStrides, index * strides[axis]);
}

Tensor Tensor::slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                     ArrayRef<int64_t> steps) const {
  // Where nothing is taken, offsets may be out of range: stay where we are.
  if (llvm::is_contained(sizes, 0))
    return restride(sizes, SmallVector<int64_t>(sizes.size(), 0));
  int64_t shift = 0;
  SmallVector<int64_t> newStrides;
  for (auto [d, stride] : llvm::enumerate(strides)) {
    shift += offsets[d] * stride;
    newStrides.push_back(sizes[d] == 1   ? 0
                         : steps.empty() ? stride
                                         : steps[d] * stride);
  }
  return restride(sizes, newStrides, shift);
}

/// Strides that make the elements of a strided shape those of `newShape` in
/// row-major order; std::nullopt if no strides do. Both counts are equal and
/// not zero.
static std::optional<SmallVector<int64_t>>
viewStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
            ArrayRef<int64_t> newShape) {
  SmallVector<int64_t> newStrides(newShape.size(), 0);
  size_t i = 0, j = 0;
  while (i < shape.size() && j < newShape.size()) {
    // One group: shape[i, lastI] and newShape[j, lastJ] with equal products.
    size_t lastI = i, lastJ = j;
    int64_t product = shape[i], newProduct = newShape[j];
    while (product != newProduct) {
      if (product < newProduct)
        product *= shape[++lastI];
      else
        newProduct *= newShape[++lastJ];
    }
    // The innermost stride, past dimensions of size 1, whose stride is idle.
    std::optional<int64_t> inner;
    int64_t expected = 0;
    for (size_t d = lastI + 1; d-- > i;) {
      if (shape[d] == 1)
        continue;
      if (inner && strides[d] != expected)
        return std::nullopt;
      if (!inner)
        inner = strides[d];
      expected = strides[d] * shape[d];
    }
    int64_t stride = inner.value_or(0);
    for (size_t d = lastJ + 1; d-- > j;) {
      newStrides[d] = stride;
      stride *= newShape[d];
    }
    i = lastI + 1;
    j = lastJ + 1;
  }
  return newStrides; // what is left on either side has size 1
}

Expected<Tensor> Tensor::reshape(ArrayRef<int64_t> newShape) const {
  std::optional<int64_t> newCount = elementCount(newShape);
  if (newCount != getNumElements() ||
      llvm::any_of(newShape, [](int64_t size) { return size < 0; }))
    return llvm::createStringError("reshape must keep the element count, got " +
                                   shapeToString(shape) + " and " +
                                   shapeToString(newShape));
  if (*newCount == 0)
    return restride(newShape, SmallVector<int64_t>(newShape.size(), 0));
  if (auto newStrides = viewStrides(shape, strides, newShape))
    return restride(newShape, *newStrides);
  Expected<Tensor> dense = clone();
  if (!dense)
    return dense;
  return dense->restride(newShape, rowMajorStrides(newShape));
}
