//===- Tensor.h - Strided views of numbers in memory ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that reference kernels, the interpreter and the runner pass
// around. A Tensor is a view, as in numpy: a shared buffer, an element type, a
// shape, a stride in elements for each dimension and an offset. Element x lies
// at `offset + Σ x(i)·strides(i)`. Copying a Tensor copies the view, not the
// elements; a stride may be zero (a broadcast) or negative.
//
// Random contents are the same on every machine: element k (row-major) of
// stream n of seed s is made from
//
//   start = mix(s + (n + 1)·G),  bits = mix(start + (k + 1)·G),
//   G = 0x9E3779B97F4A7C15, mix = the output function of splitmix64,
//
// with 64-bit wrap-around. A float of p significand bits is
// `(bits >> (64 - p))·2^(1-p) - 1`, uniform in [-1, 1) and exact; an integer is
// `(bits >> 60) - 8`, uniform in [-8, 7]; an i1 is `bits >> 63`.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_TENSOR_H
#define TENSORACCESS_CORE_TENSOR_H

#include "TensorAccess/Core/ElementType.h"
#include "TensorAccess/Core/Shape.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir::tensoraccess {

/// A strided view of a shared buffer.
class Tensor {
public:
  /// A scalar 0 : f32.
  Tensor();

  /// A new dense tensor of zeros, aligned to 64 bytes. Fails where a size is
  /// negative, the byte count does not fit in 63 bits, or memory is exhausted.
  static llvm::Expected<Tensor> create(ElementType type,
                                       llvm::ArrayRef<int64_t> shape);

  /// A view of memory that somebody else owns; `owner` keeps it alive (it may
  /// be null). `data` points at element (0, …, 0); strides are in elements.
  static Tensor wrap(ElementType type, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> strides, void *data,
                     std::shared_ptr<void> owner);

  /// A new dense tensor of pseudo-random elements, as the file comment defines
  /// them. Inputs of a program use their position as the stream.
  static llvm::Expected<Tensor> random(ElementType type,
                                       llvm::ArrayRef<int64_t> shape,
                                       uint64_t seed, uint64_t stream = 0);

  /// A scalar (rank 0), rounded or wrapped to the type.
  static Tensor scalar(ElementType type, double value);
  static Tensor scalarInt(ElementType type, int64_t value);

  ElementType getElementType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDim(int64_t i) const { return shape[i]; }
  /// The product of the shape; every Tensor's fits in 63 bits.
  int64_t getNumElements() const { return *elementCount(shape); }

  /// Element (0, …, 0). The caller answers for staying inside the view.
  void *getData() { return data; }
  const void *getData() const { return data; }
  /// The same, as the storage type of getElementType().
  template <typename T>
  T *getDataAs() const {
    return reinterpret_cast<T *>(data);
  }
  /// What keeps the memory alive.
  const std::shared_ptr<void> &getOwner() const { return owner; }

  /// The address of an element, not checked.
  void *getElement(llvm::ArrayRef<int64_t> index) const;

  /// An element as a double (i64 beyond 2^53 is rounded) or as an integer
  /// (floats are truncated toward zero and saturated; NaN gives 0). The index
  /// is not checked.
  double getDouble(llvm::ArrayRef<int64_t> index) const;
  int64_t getInt(llvm::ArrayRef<int64_t> index) const;
  /// Writes an element, rounded or wrapped to the type.
  void setDouble(llvm::ArrayRef<int64_t> index, double value);
  void setInt(llvm::ArrayRef<int64_t> index, int64_t value);

  /// True where the elements lie in row-major order without gaps.
  bool isDense() const;
  /// A copy of its own, dense and row-major.
  llvm::Expected<Tensor> clone() const;
  /// This tensor where it is dense, else a clone.
  llvm::Expected<Tensor> toDense() const;

  //===--------------------------------------------------------------------===//
  // Views. Arguments must be valid, as each comment says.
  //===--------------------------------------------------------------------===//

  /// Dimension i of the result is dimension perm[i]; perm is a permutation.
  Tensor transpose(llvm::ArrayRef<int64_t> perm) const;
  /// A new dimension of the given size, along which all elements are equal.
  Tensor broadcastAt(int64_t axis, int64_t size) const;
  /// Removes a dimension by fixing its index, 0 ≤ index < size.
  Tensor select(int64_t axis, int64_t index) const;
  /// `result[x] = this[offsets + x·steps]`; every element must lie inside.
  Tensor slice(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
               llvm::ArrayRef<int64_t> steps) const;
  /// The same memory with another shape and strides, `shift` elements on.
  Tensor restride(llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<int64_t> strides, int64_t shift = 0) const;
  /// Another shape with the same elements in row-major order: a view where
  /// strides allow, else a copy. Fails where the element counts differ.
  llvm::Expected<Tensor> reshape(llvm::ArrayRef<int64_t> newShape) const;

private:
  Tensor(ElementType type, llvm::ArrayRef<int64_t> shape,
         llvm::ArrayRef<int64_t> strides, void *data,
         std::shared_ptr<void> owner);

  ElementType type;
  llvm::SmallVector<int64_t, 4> shape, strides;
  char *data;
  std::shared_ptr<void> owner;
};

/// Copies the elements of `from` to those of `to`: same type, same shape,
/// memory that does not overlap.
void copyElements(const Tensor &from, Tensor &to);

/// Sets every element, rounded or wrapped to the type, to a scalar tensor of
/// the same type.
void fillElements(Tensor &tensor, const Tensor &scalar);

/// `f32 3x5x7`, as messages name a tensor.
std::string describe(const Tensor &tensor);

/// How two tensors differ. Differences are of the values as doubles (integers:
/// exact up to 2^64); `NaN` against `NaN` counts as no difference, `NaN`
/// against a number and infinity against anything else as infinite ones.
struct Comparison {
  int64_t elements = 0;
  /// Elements with the same bits.
  int64_t bitEqual = 0;
  /// Elements where one is NaN and the other is not.
  int64_t nanMismatches = 0;
  /// max |a - b|, and max |a - b| / max(|a|, |b|) (0 where both are 0), each
  /// with the first index that has it; the indices are empty where every
  /// difference is 0.
  double maxAbs = 0, maxRel = 0;
  llvm::SmallVector<int64_t> maxAbsIndex, maxRelIndex;

  bool allBitEqual() const { return bitEqual == elements; }
};

/// Compares element by element. Fails where types or shapes differ.
llvm::Expected<Comparison> compare(const Tensor &a, const Tensor &b);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_TENSOR_H
