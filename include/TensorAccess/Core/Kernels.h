//===- Kernels.h - Reference kernels ----------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_KERNELS_H
#define TENSORACCESS_CORE_KERNELS_H

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Core/Tensor.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// One reference kernel per op on access patterns
//===----------------------------------------------------------------------===//

/// A value of the type `!tensoraccess.access<S | C x T>`.
class AccessPattern {
public:
  /// A tensor split at an axis, 0 ≤ axis ≤ rank.
  AccessPattern(Tensor tensor, int64_t axis);
  /// Components in row-major order of the tuple, all of the same shape
  /// S ++ (C without the tuple dimensions), product(tupleShape) ≥ 1 of them.
  AccessPattern(llvm::SmallVector<Tensor> components,
                llvm::SmallVector<int64_t> tupleShape, int64_t accessRank);

  ElementType getElementType() const {
    return components.front().getElementType();
  }
  int64_t getAccessRank() const { return accessRank; }
  /// S, C, and S ++ C.
  llvm::ArrayRef<int64_t> getAccessShape() const {
    return components.front().getShape().take_front(accessRank);
  }
  llvm::SmallVector<int64_t> getComputeShape() const;
  llvm::SmallVector<int64_t> getShape() const;
  int64_t getRank() const {
    return components.front().getRank() + getTupleRank();
  }

  /// How many leading compute dimensions are held as components.
  int64_t getTupleRank() const { return tupleShape.size(); }
  llvm::ArrayRef<int64_t> getTupleShape() const { return tupleShape; }
  llvm::ArrayRef<Tensor> getComponents() const { return components; }

  /// The same pattern as one tensor of shape S ++ C: a view where there are no
  /// tuple dimensions, else a dense copy.
  llvm::Expected<Tensor> join() const;
  /// The same pattern with at least `tupleRank` tuple dimensions, at most the
  /// compute rank, by views. A dimension of size 0 can't be split.
  llvm::Expected<AccessPattern> split(int64_t tupleRank) const;

private:
  llvm::SmallVector<Tensor> components;
  llvm::SmallVector<int64_t> tupleShape;
  int64_t accessRank = 0;
};

namespace kernels {

/// result[i0, …, i(axis-1) | i(axis), …] = tensor[i0, i1, …]
llvm::Expected<AccessPattern> access(const Tensor &tensor, int64_t axis);

/// result[a ++ c] = pattern[a | c]
llvm::Expected<Tensor> toTensor(const AccessPattern &pattern);

/// result[x(perm[0]), x(perm[1]), …] = pattern[x]
llvm::Expected<AccessPattern> transpose(const AccessPattern &pattern,
                                        llvm::ArrayRef<int64_t> perm);

/// result[a ++ b | 0, c] = lhs[a | c], result[a ++ b | 1, c] = rhs[b | c]
llvm::Expected<AccessPattern> cartProd(const AccessPattern &lhs,
                                       const AccessPattern &rhs);

/// result[a | 0, c] = lhs[a | c], result[a | 1, c] = rhs[a | c]
llvm::Expected<AccessPattern> pair(const AccessPattern &lhs,
                                   const AccessPattern &rhs);

/// The patterns, at least one, one after another along dimension `axis`,
/// counted through access and compute dimensions.
llvm::Expected<AccessPattern> concat(llvm::ArrayRef<AccessPattern> patterns,
                                     int64_t axis);

/// result[x] = pattern[offsets + x·strides]; a size may be kToTheEnd. Places
/// outside are resolved by the policies, one per dimension; without policies,
/// every place must be inside (ProjectionFootprint.h).
llvm::Expected<AccessPattern> slice(const AccessPattern &pattern,
                                    llvm::ArrayRef<int64_t> offsets,
                                    llvm::ArrayRef<int64_t> sizes,
                                    llvm::ArrayRef<int64_t> strides,
                                    llvm::ArrayRef<OutOfBounds> policies = {});

/// Repeats dimensions of size 1 up to the given sizes; a dynamic size keeps the
/// existing one.
llvm::Expected<AccessPattern> broadcast(const AccessPattern &pattern,
                                        llvm::ArrayRef<int64_t> accessShape,
                                        llvm::ArrayRef<int64_t> computeShape);

/// Makes the last `by` access dimensions the first compute dimensions.
llvm::Expected<AccessPattern> shiftRight(const AccessPattern &pattern,
                                         int64_t by);

/// result[a ++ w | k] = pattern[a | w·strides + k·dilations]
llvm::Expected<AccessPattern> windows(const AccessPattern &pattern,
                                      llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<int64_t> strides,
                                      llvm::ArrayRef<int64_t> dilations);

/// result[a ++ i | s] = pattern[a | M·i + offset + anchor + s], places resolved
/// by the projection's policies; i runs over the block.
llvm::Expected<AccessPattern> project(const AccessPattern &pattern,
                                      const Projection &projection,
                                      const IndexRegion &block);

/// Removes dimension `axis`, of size 1, counted through access and compute
/// dimensions.
llvm::Expected<AccessPattern> squeeze(const AccessPattern &pattern,
                                      int64_t axis);

/// Inserts a dimension of size 1 as number `axis`; an access dimension where
/// axis ≤ the number of access dimensions.
llvm::Expected<AccessPattern> insertAxis(const AccessPattern &pattern,
                                         int64_t axis);

/// result[linear(a) | linear(c)] = pattern[a | c]; an empty side stays empty.
llvm::Expected<AccessPattern> flatten(const AccessPattern &pattern);

/// result[a' | c'] = pattern[a | c] with equal row-major numbers on each side.
/// At most one size per side may be dynamic: it follows from the element count.
llvm::Expected<AccessPattern> reshape(const AccessPattern &pattern,
                                      llvm::ArrayRef<int64_t> accessShape,
                                      llvm::ArrayRef<int64_t> computeShape);

/// result[low + y·(interior + 1)] = pattern[y], else the scalar `value`. An
/// empty `interior` means zeros.
llvm::Expected<AccessPattern> pad(const AccessPattern &pattern,
                                  llvm::ArrayRef<int64_t> low,
                                  llvm::ArrayRef<int64_t> high,
                                  const Tensor &value,
                                  llvm::ArrayRef<int64_t> interior = {});

/// The same values, written out densely, access dimensions first.
llvm::Expected<AccessPattern> materialize(const AccessPattern &pattern);

/// result[a] = Σ over s of Π over t of pattern[a | t ++ s]. The tuple t is the
/// first compute dimension, of length ≥ 1. The sum starts from 0 and runs in
/// row-major order of s; each product runs in order of t. Everything is
/// computed in the sum type of the elements (getSumType), to which they are
/// extended, every partial result rounded to it, and the sum is rounded to the
/// element type at the end. With an accumulator (see `isExtension`) results are
/// of that type, and computed in its sum type.
llvm::Expected<AccessPattern>
dotProd(const AccessPattern &pattern,
        std::optional<ElementType> accumulator = std::nullopt);

/// result[a] = Σ over c of pattern[a | c], from 0, in row-major order; the
/// accumulator is that of dotProd.
llvm::Expected<AccessPattern>
reduceSum(const AccessPattern &pattern,
          std::optional<ElementType> accumulator = std::nullopt);

/// The sum of an item divided by the number of its elements: both in the sum
/// type, the quotient rounded to the element type. Floats only; the item must
/// not be empty.
llvm::Expected<AccessPattern> reduceMean(const AccessPattern &pattern);

/// result[a] = max over c of pattern[a | c]; NaN if any element is. The item
/// must not be empty.
llvm::Expected<AccessPattern> reduceMax(const AccessPattern &pattern);

/// result[a | s] = Σ over t of pattern[a | t ++ s], in order of t. As for
/// dotProd, the tuple must not be empty.
llvm::Expected<AccessPattern> elementwiseAdd(const AccessPattern &pattern);

/// result[a | s] = Π over t of pattern[a | t ++ s], in order of t; the tuple
/// must not be empty.
llvm::Expected<AccessPattern> elementwiseMul(const AccessPattern &pattern);

/// result[a | s] = pattern[a | 0, s] / pattern[a | 1, s] / …, from left to
/// right; the tuple must not be empty. Integers truncate toward zero, a
/// quotient that does not fit wraps; a divisor of 0 is an error.
llvm::Expected<AccessPattern> elementwiseDiv(const AccessPattern &pattern);

/// The square root of each element; NaN below 0. Floats only.
llvm::Expected<AccessPattern> sqrt(const AccessPattern &pattern);

/// result[x] = -pattern[x]; the least integer is unchanged.
llvm::Expected<AccessPattern> negative(const AccessPattern &pattern);

/// result[a | s] = exp(x(s) - m) / Σ exp(x - m), with x the item at a and m its
/// greatest element; each exponential, difference and quotient is rounded to
/// the element type, and so is the finished sum, which is taken in the sum
/// type. Floats only; an empty item stays empty.
llvm::Expected<AccessPattern> softmax(const AccessPattern &pattern);

/// result[a ++ j |] = Σ over r of activations[a | r]·weights[| r, j], as by
/// dotProd. Activations have compute shape (rows), weights no access
/// dimensions and compute shape (rows, cols). If `isBlocked`, these may be (K)
/// and (K, N), where the sums of the blocks of `rows` are added one after the
/// other in the sum type, and weights may have access dimensions: the first
/// ones of the activations. The accumulator is that of dotProd.
llvm::Expected<AccessPattern>
systolicArray(const AccessPattern &activations, const AccessPattern &weights,
              int64_t rows, int64_t cols, bool isBlocked = false,
              std::optional<ElementType> accumulator = std::nullopt);

/// result[x] = max(pattern[x], 0); NaN stays NaN, -0 becomes 0.
llvm::Expected<AccessPattern> relu(const AccessPattern &pattern);

//===----------------------------------------------------------------------===//
// What relayout and bitcast compute
//===----------------------------------------------------------------------===//

/// The same elements in another type: floats rounded to nearest even, integers
/// sign-extended or truncated. The tensor itself where it has the type, else a
/// dense copy. Both types are floats, or both integers.
llvm::Expected<Tensor> convert(const Tensor &tensor, ElementType type);

/// `convert(reshape(transpose(source)))`: dimension i of the transposed tensor
/// is dimension permutation[i]; elements become `type`. Fails if
/// `permutation` is not a permutation, element counts differ, or only one type
/// is a float.
llvm::Expected<Tensor> relayout(const Tensor &source,
                                llvm::ArrayRef<int64_t> permutation,
                                llvm::ArrayRef<int64_t> shape,
                                ElementType type);

/// `result[x] = bits(source[y])` where S(y) = R(x), for the layouts `from` (S,
/// its shape is the source's) and `to` (R). Fails if an element of the
/// result is not at an element of the source, or the numbers of bits differ.
llvm::Expected<Tensor> bitcast(const Tensor &source, const Layout &from,
                               const Layout &to, ElementType type);

} // namespace kernels

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_KERNELS_H
