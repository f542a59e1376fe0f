//===- ComputeKernels.cpp - Reference kernels of compute ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic at each access point. All kernels go the same way:
//
//   1. take the first compute dimension apart where the kernel reads a tuple,
//      so that component number t·m + j holds part j of tuple element t;
//   2. list the rows of one item: they lie at the same distances from the
//      item's first element at every access point;
//   3. for each access point, in row-major order, run over those rows.
//
// Each sum and product is rounded to the element type at once (ElementType.h).
//
//===----------------------------------------------------------------------===//

#include "StridedLoop.h"
#include "TensorAccess/Core/Kernels.h"

#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

namespace {
/// Runs over the access points of a pattern and the rows of an item there.
template <typename T>
class ItemLoop {
public:
  /// `result` has the access shape, then dimensions that are not looped over.
  ItemLoop(const AccessPattern &pattern, Tensor &result)
      : views(pattern.getComponents().size()),
        points(pattern.getAccessShape(),
               stridesOf(pattern, &result, 0, pattern.getAccessRank())),
        items(pattern.getComponents().front().getShape().drop_front(
                  pattern.getAccessRank()),
              stridesOf(pattern, nullptr, pattern.getAccessRank(),
                        pattern.getComponents().front().getRank())),
        result(result.getDataAs<T>()) {
    for (const Tensor &component : pattern.getComponents())
      bases.push_back(component.getDataAs<T>());
    items.forEachRow([&](ArrayRef<int64_t> offsets) {
      llvm::append_range(rowOffsets, offsets);
    });
  }

  /// Calls `fn(item, out)` at each access point: item[v] is the first element
  /// of component v there, out the result's.
  template <typename Fn>
  void forEachPoint(Fn &&fn) const {
    SmallVector<const T *> item(views);
    points.forEachRow([&](ArrayRef<int64_t> offsets) {
      for (int64_t i = 0, e = points.getRowLength(); i < e; ++i) {
        for (size_t v = 0; v < views; ++v)
          item[v] = bases[v] + offsets[v] + i * points.getRowStride(v);
        fn(ArrayRef<const T *>(item),
           result + offsets[views] + i * points.getRowStride(views));
      }
    });
  }

  /// Rows of an item, elements of a row, and distances in component v.
  size_t getNumRows() const { return rowOffsets.size() / views; }
  int64_t getRowLength() const { return items.getRowLength(); }
  int64_t getRowOffset(size_t row, size_t v) const {
    return rowOffsets[row * views + v];
  }
  int64_t getRowStride(size_t v) const { return items.getRowStride(v); }

private:
  static SmallVector<ArrayRef<int64_t>> stridesOf(const AccessPattern &pattern,
                                                  const Tensor *result,
                                                  int64_t begin, int64_t end) {
    SmallVector<ArrayRef<int64_t>> strides;
    for (const Tensor &component : pattern.getComponents())
      strides.push_back(component.getStrides().slice(begin, end - begin));
    if (result)
      strides.push_back(result->getStrides().slice(begin, end - begin));
    return strides;
  }

  size_t views;
  StridedLoop points, items;
  T *result;
  SmallVector<const T *> bases;
  std::vector<int64_t> rowOffsets;
};
} // namespace

/// A pattern of scalars (or items), dense, over the access shape.
static Expected<Tensor> createResult(const AccessPattern &pattern,
                                     ArrayRef<int64_t> item = {}) {
  SmallVector<int64_t> shape(pattern.getAccessShape());
  llvm::append_range(shape, item);
  return Tensor::create(pattern.getElementType(), shape);
}

/// The pattern with its first compute dimension taken apart.
static Expected<AccessPattern> splitTuple(const AccessPattern &pattern) {
  if (pattern.getComputeShape().empty())
    return llvm::createStringError(
        "the kinds over a tuple need a compute dimension, got none");
  return pattern.split(1);
}

//===----------------------------------------------------------------------===//
// dot_prod
//===----------------------------------------------------------------------===//

Expected<AccessPattern> kernels::dotProd(const AccessPattern &pattern) {
  Expected<AccessPattern> tuples = splitTuple(pattern);
  if (!tuples)
    return tuples;
  Expected<Tensor> result = createResult(pattern);
  if (!result)
    return result.takeError();
  size_t length = tuples->getTupleShape().front();
  size_t parts = tuples->getComponents().size() / length;
  dispatch(pattern.getElementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Math = Arithmetic<T>;
    ItemLoop<T> loop(*tuples, *result);
    int64_t rowLength = loop.getRowLength();
    size_t numRows = loop.getNumRows();
    loop.forEachPoint([&](ArrayRef<const T *> item, T *out) {
      T sum = Math::zero();
      for (size_t part = 0; part < parts; ++part)
        for (size_t row = 0; row < numRows; ++row) {
          auto rowOf = [&](size_t v) {
            return item[v] + loop.getRowOffset(row, v);
          };
          const T *x = rowOf(part);
          int64_t xStride = loop.getRowStride(part);
          if (length == 2) { // a pair, for speed apart from the general case
            const T *y = rowOf(parts + part);
            int64_t yStride = loop.getRowStride(parts + part);
            for (int64_t i = 0; i < rowLength; ++i)
              sum = Math::add(sum, Math::mul(x[i * xStride], y[i * yStride]));
            continue;
          }
          for (int64_t i = 0; i < rowLength; ++i) {
            T product = x[i * xStride];
            for (size_t t = 1; t < length; ++t) {
              size_t v = t * parts + part;
              product = Math::mul(product, rowOf(v)[i * loop.getRowStride(v)]);
            }
            sum = Math::add(sum, product);
          }
        }
      *out = sum;
    });
  });
  return AccessPattern(*result, pattern.getAccessRank());
}

//===----------------------------------------------------------------------===//
// reduce_sum, reduce_max
//===----------------------------------------------------------------------===//

/// Folds each item, all components one after the other, from the left.
/// `combine(tag, first)` gives the start value and the function; `first` points
/// at the first element, if there is one.
template <typename Combine>
static Expected<AccessPattern> reduceItems(const AccessPattern &pattern,
                                           Combine &&combine) {
  Expected<Tensor> result = createResult(pattern);
  if (!result)
    return result.takeError();
  dispatch(pattern.getElementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ItemLoop<T> loop(pattern, *result);
    loop.forEachPoint([&](ArrayRef<const T *> item, T *out) {
      auto [value, fn] = combine(tag, item.front());
      for (size_t v = 0; v < item.size(); ++v)
        for (size_t row = 0; row < loop.getNumRows(); ++row) {
          const T *x = item[v] + loop.getRowOffset(row, v);
          for (int64_t i = 0, e = loop.getRowLength(); i < e; ++i)
            value = fn(value, x[i * loop.getRowStride(v)]);
        }
      *out = value;
    });
  });
  return AccessPattern(*result, pattern.getAccessRank());
}

Expected<AccessPattern> kernels::reduceSum(const AccessPattern &pattern) {
  return reduceItems(pattern, [](auto tag, auto) {
    using Math = Arithmetic<typename decltype(tag)::type>;
    return std::pair(Math::zero(), &Math::add);
  });
}

Expected<AccessPattern> kernels::reduceMax(const AccessPattern &pattern) {
  if (*elementCount(pattern.getComputeShape()) == 0)
    return llvm::createStringError(
        "reduce_max needs a non-empty item, got compute shape [" +
        shapeToString(pattern.getComputeShape()) + "]");
  return reduceItems(pattern, [](auto tag, auto first) {
    using Math = Arithmetic<typename decltype(tag)::type>;
    return std::pair(*first, &Math::max);
  });
}

//===----------------------------------------------------------------------===//
// elementwise_add, elementwise_mul, relu
//===----------------------------------------------------------------------===//

/// `out = fn(out, in)`, element by element, with `out` dense or a view.
template <typename Fn>
static void accumulate(const Tensor &in, Tensor &out, Fn &&fn) {
  dispatch(in.getElementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    StridedLoop loop(in.getShape(), {in.getStrides(), out.getStrides()});
    loop.forEachRow([&](ArrayRef<int64_t> offsets) {
      const T *x = in.getDataAs<T>() + offsets[0];
      T *y = out.getDataAs<T>() + offsets[1];
      for (int64_t i = 0, e = loop.getRowLength(); i < e; ++i)
        y[i * loop.getRowStride(1)] =
            fn(tag, y[i * loop.getRowStride(1)], x[i * loop.getRowStride(0)]);
    });
  });
}

/// Folds the tuple from the left, leaving its first dimension out.
template <typename Fn>
static Expected<AccessPattern> combineTuple(const AccessPattern &pattern,
                                            Fn &&fn) {
  Expected<AccessPattern> tuples = splitTuple(pattern);
  if (!tuples)
    return tuples;
  size_t length = tuples->getTupleShape().front();
  size_t parts = tuples->getComponents().size() / length;
  SmallVector<Tensor> results;
  for (size_t part = 0; part < parts; ++part) {
    Expected<Tensor> result = tuples->getComponents()[part].clone();
    if (!result)
      return result.takeError();
    for (size_t t = 1; t < length; ++t)
      accumulate(tuples->getComponents()[t * parts + part], *result, fn);
    results.push_back(std::move(*result));
  }
  return AccessPattern(
      std::move(results),
      SmallVector<int64_t>(tuples->getTupleShape().drop_front()),
      pattern.getAccessRank());
}

Expected<AccessPattern> kernels::elementwiseAdd(const AccessPattern &pattern) {
  return combineTuple(pattern, [](auto tag, auto sum, auto x) {
    return Arithmetic<typename decltype(tag)::type>::add(sum, x);
  });
}

Expected<AccessPattern> kernels::elementwiseMul(const AccessPattern &pattern) {
  return combineTuple(pattern, [](auto tag, auto product, auto x) {
    return Arithmetic<typename decltype(tag)::type>::mul(product, x);
  });
}

Expected<AccessPattern> kernels::relu(const AccessPattern &pattern) {
  SmallVector<Tensor> results;
  for (const Tensor &component : pattern.getComponents()) {
    // Where all elements along a dimension are equal, one stands for all.
    SmallVector<int64_t> shape(component.getShape());
    for (auto [size, stride] : llvm::zip_equal(shape, component.getStrides()))
      size = stride == 0 ? std::min<int64_t>(size, 1) : size;
    Expected<Tensor> result = Tensor::create(component.getElementType(), shape);
    if (!result)
      return result.takeError();
    // The result holds zeros: max(0, x).
    accumulate(component.restride(shape, component.getStrides()), *result,
               [](auto tag, auto zero, auto x) {
                 return Arithmetic<typename decltype(tag)::type>::max(zero, x);
               });
    SmallVector<int64_t> strides(result->getStrides());
    for (auto [d, stride] : llvm::enumerate(strides))
      stride = shape[d] == component.getDim(d) ? stride : 0;
    results.push_back(result->restride(component.getShape(), strides));
  }
  return AccessPattern(std::move(results),
                       SmallVector<int64_t>(pattern.getTupleShape()),
                       pattern.getAccessRank());
}
