//===- MovementKernels.cpp - Reference kernels of movement ops ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel checks its constraints on the actual shapes and then, for the
// components of the pattern one by one, makes a view: only materialize and a
// reshape that no strides express copy elements.
//
//===----------------------------------------------------------------------===//

#include "KernelHelpers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// access, to_tensor, transpose
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::access(const Tensor &tensor, int64_t axis) {
  if (axis < 0 || axis > tensor.getRank())
    return createStringError("access axis must lie in [0, " +
                             Twine(tensor.getRank()) + "], got " + Twine(axis));
  return AccessPattern(tensor, axis);
}

Expected<Tensor> kernels::toTensor(const AccessPattern &pattern) {
  return pattern.join();
}

Expected<AccessPattern> kernels::transpose(const AccessPattern &pattern,
                                           ArrayRef<int64_t> perm) {
  if (!isPermutation(perm, pattern.getRank()))
    return createStringError("perm must be a permutation of " +
                             Twine(pattern.getRank()) + " dimensions");
  int64_t first = pattern.getAccessRank(), count = pattern.getTupleRank();
  // Tuple dimensions that stay where they are need no look at the elements.
  for (int64_t d = first; d < first + count; ++d)
    if (perm[d] != d) {
      Expected<AccessPattern> dense = joined(pattern);
      return dense ? transpose(*dense, perm) : std::move(dense);
    }
  SmallVector<int64_t> inner = withoutTuple(pattern, perm);
  for (int64_t &dim : inner)
    dim -= dim >= first ? count : 0;
  return mapComponents(pattern, first, [&](const Tensor &component) {
    return Expected<Tensor>(component.transpose(inner));
  });
}

//===----------------------------------------------------------------------===//
// windows
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::windows(const AccessPattern &pattern,
                                         ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> strides,
                                         ArrayRef<int64_t> dilations) {
  SmallVector<int64_t> sizes = pattern.getComputeShape();
  if (shape.size() != sizes.size() || strides.size() != sizes.size() ||
      dilations.size() != sizes.size())
    return createStringError(
        "shape, strides and dilations must have one entry per compute "
        "dimension, " +
        Twine(sizes.size()) + ", got " + Twine(shape.size()) + ", " +
        Twine(strides.size()) + " and " + Twine(dilations.size()));
  SmallVector<int64_t> counts;
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::optional<int64_t> count;
    if (shape[d] >= 1 && strides[d] >= 1 && dilations[d] >= 1)
      count = windowCount(sizes[d], shape[d], strides[d], dilations[d]);
    if (!count)
      return createStringError("window of " + Twine(shape[d]) +
                               " with stride " + Twine(strides[d]) +
                               " and dilation " + Twine(dilations[d]) +
                               " does not fit in compute dimension " +
                               Twine(d) + " of size " + Twine(sizes[d]));
    counts.push_back(*count);
  }
  SmallVector<int64_t> all(pattern.getAccessShape());
  llvm::append_range(all, counts);
  llvm::append_range(all, shape);
  if (!elementCount(all))
    return createStringError("the windows' element count must fit in 63 bits, "
                             "got shape " +
                             bracketed(all));
  // A window over whole tuple dimensions has one place and leaves them be.
  size_t tupleRank = pattern.getTupleRank();
  if (shape.take_front(tupleRank) != pattern.getTupleShape()) {
    Expected<AccessPattern> dense = joined(pattern);
    return dense ? windows(*dense, shape, strides, dilations)
                 : std::move(dense);
  }

  size_t first = pattern.getAccessRank();
  return mapComponents(
      pattern, first + sizes.size(), [&](const Tensor &component) {
        ArrayRef<int64_t> access = component.getStrides().take_front(first);
        ArrayRef<int64_t> compute = component.getStrides().drop_front(first);
        // S ++ places ++ window; a stride between places or elements of which
        // there is one is idle, and its factor may be anything.
        SmallVector<int64_t> newShape(component.getShape().take_front(first));
        SmallVector<int64_t> newStrides(access);
        llvm::append_range(newShape, counts);
        newStrides.append(tupleRank, 0);
        for (size_t d = tupleRank; d < sizes.size(); ++d)
          newStrides.push_back(
              counts[d] == 1 ? 0 : strides[d] * compute[d - tupleRank]);
        llvm::append_range(newShape, shape.drop_front(tupleRank));
        for (size_t d = tupleRank; d < sizes.size(); ++d)
          newStrides.push_back(
              shape[d] == 1 ? 0 : dilations[d] * compute[d - tupleRank]);
        return Expected<Tensor>(component.restride(newShape, newStrides));
      });
}

//===----------------------------------------------------------------------===//
// squeeze, insert_axis
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::squeeze(const AccessPattern &pattern,
                                         int64_t axis) {
  if (axis < 0 || axis >= pattern.getRank() || pattern.getShape()[axis] != 1)
    return createStringError("squeezed dimension " + Twine(axis) +
                             " must have size 1, got shape " +
                             bracketed(pattern.getShape()));
  int64_t first = pattern.getAccessRank(), tupleRank = pattern.getTupleRank();
  if (axis >= first && axis < first + tupleRank) {
    Expected<AccessPattern> dense = joined(pattern);
    return dense ? squeeze(*dense, axis) : std::move(dense);
  }
  return mapComponents(
      pattern, first - (axis < first), [&](const Tensor &component) {
        return Expected<Tensor>(
            component.select(axis < first ? axis : axis - tupleRank, 0));
      });
}

Expected<AccessPattern> kernels::insertAxis(const AccessPattern &pattern,
                                            int64_t axis) {
  if (axis < 0 || axis > pattern.getRank())
    return createStringError("inserted axis must lie in [0, " +
                             Twine(pattern.getRank()) + "], got " +
                             Twine(axis));
  int64_t first = pattern.getAccessRank(), tupleRank = pattern.getTupleRank();
  if (axis > first && axis < first + tupleRank) {
    Expected<AccessPattern> dense = joined(pattern);
    return dense ? insertAxis(*dense, axis) : std::move(dense);
  }
  return mapComponents(
      pattern, first + (axis <= first), [&](const Tensor &component) {
        return Expected<Tensor>(
            component.broadcastAt(axis <= first ? axis : axis - tupleRank, 1));
      });
}

//===----------------------------------------------------------------------===//
// shift_right, flatten, reshape
//===----------------------------------------------------------------------===//

/// `to` with its one dynamic size, if any, found from the element count of
/// `from`. Fails if the counts can't agree.
static Expected<SmallVector<int64_t>>
resolveShape(const char *side, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> result(to);
  int64_t count = *elementCount(from);
  if (llvm::count(to, kDynamicSize) == 1) {
    int64_t *unknown = llvm::find(result, kDynamicSize);
    *unknown = 1;
    std::optional<int64_t> known = elementCount(result);
    if (known && *known != 0 && count % *known == 0)
      *unknown = count / *known;
  }
  if (elementCount(result) != count)
    return createStringError(Twine(side) +
                             " shapes must have equally many elements, got " +
                             bracketed(from) + " and " + bracketed(to));
  return result;
}

Expected<AccessPattern> kernels::shiftRight(const AccessPattern &pattern,
                                            int64_t by) {
  if (by < 0 || by > pattern.getAccessRank())
    return createStringError("the shift must lie in [0, " +
                             Twine(pattern.getAccessRank()) + "], got " +
                             Twine(by));
  if (by == 0)
    return pattern;
  Expected<Tensor> tensor = pattern.join();
  if (!tensor)
    return tensor.takeError();
  return AccessPattern(*tensor, pattern.getAccessRank() - by);
}

Expected<AccessPattern> kernels::flatten(const AccessPattern &pattern) {
  auto flat = [](ArrayRef<int64_t> side) {
    return side.empty() ? SmallVector<int64_t>()
                        : SmallVector<int64_t>{*elementCount(side)};
  };
  return reshape(pattern, flat(pattern.getAccessShape()),
                 flat(pattern.getComputeShape()));
}

Expected<AccessPattern> kernels::reshape(const AccessPattern &pattern,
                                         ArrayRef<int64_t> accessShape,
                                         ArrayRef<int64_t> computeShape) {
  auto access = resolveShape("access", pattern.getAccessShape(), accessShape);
  if (!access)
    return access.takeError();
  auto compute =
      resolveShape("compute", pattern.getComputeShape(), computeShape);
  if (!compute)
    return compute.takeError();
  ArrayRef<int64_t> tuple = pattern.getTupleShape();
  // Tuple dimensions that stay in front are not part of the reshape.
  bool keepsTuple =
      ArrayRef<int64_t>(*compute).take_front(tuple.size()) == tuple;
  if (!keepsTuple) {
    Expected<AccessPattern> dense = joined(pattern);
    return dense ? reshape(*dense, *access, *compute) : std::move(dense);
  }
  SmallVector<int64_t> shape(*access);
  llvm::append_range(shape, llvm::drop_begin(*compute, tuple.size()));
  return mapComponents(pattern, access->size(), [&](const Tensor &component) {
    return component.reshape(shape);
  });
}

//===----------------------------------------------------------------------===//
// materialize
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::materialize(const AccessPattern &pattern) {
  Expected<Tensor> tensor = pattern.join();
  if (!tensor)
    return tensor.takeError();
  Expected<Tensor> dense = tensor->toDense();
  if (!dense)
    return dense.takeError();
  return AccessPattern(*dense, pattern.getAccessRank());
}
