//===- ComputeKernels.cpp - Reference kernels of compute ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic at each access point. All kernels take the same steps:
//
//   1. split the first compute dimension where the kernel reads a tuple,
//      so that component number t·m + j holds part j of tuple element t;
//   2. list the rows of one item: they are at the same distances from the
//      item's first element at every access point;
//   3. for each access point, in row-major order, run over those rows.
//
// Sums, and products that are summed, are computed in the sum type, f32 for f16
// and bf16 (Kernels.h), each step rounded to it at once (Tensor.h),
// and rounded to the element type at the end.
//
//===----------------------------------------------------------------------===//

#include "ItemLoop.h"
#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// A pattern of scalars, dense, over the access shape.
static Expected<Tensor> createResult(const AccessPattern &pattern,
                                     ElementType type) {
  return Tensor::create(type, pattern.getAccessShape());
}

/// The type of sums, or the error that it does not hold the elements.
static Expected<ElementType>
accumulatorOf(const AccessPattern &pattern,
              std::optional<ElementType> accumulator) {
  ElementType type = pattern.getElementType();
  if (accumulator && !isExtension(type, *accumulator))
    return llvm::createStringError("accumulator must hold all values of " +
                                   toString(type).str() + ", got " +
                                   toString(*accumulator).str());
  return accumulator.value_or(type);
}

/// Sums over the access points, rounded to a type.
static Expected<AccessPattern> roundSums(const Tensor &sums, ElementType type) {
  Expected<Tensor> rounded = kernels::convert(sums, type);
  if (!rounded)
    return rounded.takeError();
  return AccessPattern(*rounded, rounded->getRank());
}

/// The error that a kind needs floats, or success.
static llvm::Error checkFloats(const AccessPattern &pattern, const char *kind) {
  if (isFloat(pattern.getElementType()))
    return llvm::Error::success();
  return llvm::createStringError(llvm::Twine(kind) +
                                 " needs elements of a float type, got " +
                                 toString(pattern.getElementType()).str());
}

/// The pattern with its first compute dimension split.
static Expected<AccessPattern> splitTuple(const AccessPattern &pattern) {
  if (pattern.getComputeShape().empty())
    return llvm::createStringError(
        "the kinds over a tuple need a compute dimension, got none");
  return pattern.split(1);
}

//===----------------------------------------------------------------------===//
// dot_prod
//===----------------------------------------------------------------------===//

/// result[a] += Σ over s of x[a ++ s]·y[a ++ s]
static void addProducts(const Tensor &x, const Tensor &y, Tensor &result) {
  const int64_t rank = result.getRank();
  auto operand = [&](const Tensor &tensor) {
    ArrayRef<int64_t> strides = tensor.getStrides();
    return StridedContraction::Operand{
        tensor.getDataAs<char>(),
        SmallVector<int64_t>(strides.take_front(rank)),
        SmallVector<int64_t>(strides.drop_front(rank))};
  };
  runContraction({x.getElementType(), result.getElementType(),
                  SmallVector<int64_t>(result.getShape()),
                  SmallVector<int64_t>(x.getShape().drop_front(rank)),
                  operand(result), operand(x), operand(y)});
}

Expected<AccessPattern>
kernels::dotProd(const AccessPattern &pattern,
                 std::optional<ElementType> accumulator) {
  Expected<ElementType> type = accumulatorOf(pattern, accumulator);
  if (!type)
    return type.takeError();
  Expected<AccessPattern> tuples = splitTuple(pattern);
  if (!tuples)
    return tuples;
  Expected<Tensor> result = createResult(pattern, getSumType(*type));
  if (!result)
    return result.takeError();
  size_t length = tuples->getTupleShape().front();
  size_t parts = tuples->getComponents().size() / length;
  if (length == 2) {
    // Pairs, handled separately for speed; the result holds zeros.
    for (size_t part = 0; part < parts; ++part)
      addProducts(tuples->getComponents()[part],
                  tuples->getComponents()[parts + part], *result);
    return roundSums(*result, *type);
  }
  dispatchExtension(
      pattern.getElementType(), result->getElementType(),
      [&](auto tag, auto sumTag) {
        using T = typename decltype(tag)::type;
        using R = typename decltype(sumTag)::type;
        using Math = Arithmetic<R>;
        auto extend = [](T x) { return Arithmetic<T>::template extend<R>(x); };
        ItemLoop<T, R> loop(*tuples, *result);
        int64_t rowLength = loop.getRowLength();
        size_t numRows = loop.getNumRows();
        loop.forEachPoint([&](ArrayRef<const T *> item, R *out) {
          R sum = Math::zero();
          for (size_t part = 0; part < parts; ++part)
            for (size_t row = 0; row < numRows; ++row) {
              auto rowOf = [&](size_t v) {
                return item[v] + loop.getRowOffset(row, v);
              };
              const T *x = rowOf(part);
              int64_t xStride = loop.getRowStride(part);
              for (int64_t i = 0; i < rowLength; ++i) {
                R product = extend(x[i * xStride]);
                for (size_t t = 1; t < length; ++t) {
                  size_t v = t * parts + part;
                  R factor = extend(rowOf(v)[i * loop.getRowStride(v)]);
                  if (t + 1 == length)
                    sum = Math::addProduct(sum, product, factor);
                  else
                    product = Math::mul(product, factor);
                }
                if (length == 1)
                  sum = Math::add(sum, product);
              }
            }
          *out = sum;
        });
      });
  return roundSums(*result, *type);
}

//===----------------------------------------------------------------------===//
// reduce_sum, reduce_max, reduce_mean
//===----------------------------------------------------------------------===//

/// Folds each item, all components one after the other, from the left, in the
/// type `type`, which differs from the elements' only if it `kWidens`.
/// `combine(tag, first)` gives the start value and the function;
/// `first` points at the first element, if there is one.
template <bool kWidens, typename Combine>
static Expected<AccessPattern>
reduceItems(const AccessPattern &pattern, ElementType type, Combine &&combine) {
  Expected<Tensor> result = createResult(pattern, type);
  if (!result)
    return result.takeError();
  auto fold = [&](auto tag, auto sumTag) {
    using T = typename decltype(tag)::type;
    using R = typename decltype(sumTag)::type;
    ItemLoop<T, R> loop(pattern, *result);
    loop.forEachPoint([&](ArrayRef<const T *> item, R *out) {
      auto [value, fn] = combine(sumTag, item.front());
      for (size_t v = 0; v < item.size(); ++v)
        for (size_t row = 0; row < loop.getNumRows(); ++row) {
          const T *x = item[v] + loop.getRowOffset(row, v);
          for (int64_t i = 0, e = loop.getRowLength(); i < e; ++i)
            value = fn(value, Arithmetic<T>::template extend<R>(
                                  x[i * loop.getRowStride(v)]));
        }
      *out = value;
    });
  };
  if constexpr (kWidens)
    dispatchExtension(pattern.getElementType(), type, fold);
  else
    dispatch(type, [&](auto tag) { fold(tag, tag); });
  return AccessPattern(*result, pattern.getAccessRank());
}

/// The error that the item of a kind is empty, or success.
static llvm::Error checkItem(const AccessPattern &pattern, const char *kind) {
  if (*elementCount(pattern.getComputeShape()) != 0)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::Twine(kind) + " needs a non-empty item, got compute shape [" +
      shapeToString(pattern.getComputeShape()) + "]");
}

/// The sums of the items in a type that holds the elements.
static Expected<AccessPattern> sumItems(const AccessPattern &pattern,
                                        ElementType type) {
  return reduceItems</*kWidens=*/true>(pattern, type, [](auto tag, auto) {
    using Math = Arithmetic<typename decltype(tag)::type>;
    return std::pair(Math::zero(), &Math::add);
  });
}

Expected<AccessPattern>
kernels::reduceSum(const AccessPattern &pattern,
                   std::optional<ElementType> accumulator) {
  Expected<ElementType> type = accumulatorOf(pattern, accumulator);
  if (!type)
    return type.takeError();
  Expected<AccessPattern> sums = sumItems(pattern, getSumType(*type));
  return sums ? roundSums(sums->getComponents().front(), *type)
              : std::move(sums);
}

Expected<AccessPattern> kernels::reduceMax(const AccessPattern &pattern) {
  if (llvm::Error error = checkItem(pattern, "reduce_max"))
    return std::move(error);
  ElementType type = pattern.getElementType();
  return reduceItems</*kWidens=*/false>(
      pattern, type, [](auto tag, auto first) {
        return std::pair(*first,
                         &Arithmetic<typename decltype(tag)::type>::max);
      });
}

Expected<AccessPattern> kernels::reduceMean(const AccessPattern &pattern) {
  if (llvm::Error error = checkFloats(pattern, "reduce_mean"))
    return std::move(error);
  if (llvm::Error error = checkItem(pattern, "reduce_mean"))
    return std::move(error);
  Expected<AccessPattern> sums =
      sumItems(pattern, getSumType(pattern.getElementType()));
  if (!sums)
    return sums;
  Tensor result = sums->getComponents().front(); // dense, and not shared
  double count = *elementCount(pattern.getComputeShape());
  dispatch(result.getElementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (Arithmetic<T>::isFloat)
      for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
        result.getDataAs<T>()[i] =
            Arithmetic<T>::div(result.getDataAs<T>()[i], T(count));
  });
  return roundSums(result, pattern.getElementType());
}

//===----------------------------------------------------------------------===//
// elementwise_add, elementwise_mul, elementwise_div
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

Expected<AccessPattern> kernels::elementwiseDiv(const AccessPattern &pattern) {
  bool dividesByZero = false;
  Expected<AccessPattern> result =
      combineTuple(pattern, [&](auto tag, auto quotient, auto x) {
        using Math = Arithmetic<typename decltype(tag)::type>;
        if constexpr (!Math::isFloat)
          if (Math::isZero(x)) {
            dividesByZero = true;
            return quotient;
          }
        return Math::div(quotient, x);
      });
  if (result && dividesByZero)
    return llvm::createStringError("division by zero of integers");
  return result;
}

//===----------------------------------------------------------------------===//
// relu, sqrt, negative
//===----------------------------------------------------------------------===//

/// `fn(tag, 0, x)` for each element x.
template <typename Fn>
static Expected<AccessPattern> mapElements(const AccessPattern &pattern,
                                           Fn &&fn) {
  SmallVector<Tensor> results;
  for (const Tensor &component : pattern.getComponents()) {
    // Where all elements along a dimension are equal, one stands for all.
    SmallVector<int64_t> shape(component.getShape());
    for (auto [size, stride] : llvm::zip_equal(shape, component.getStrides()))
      size = stride == 0 ? std::min<int64_t>(size, 1) : size;
    Expected<Tensor> result = Tensor::create(component.getElementType(), shape);
    if (!result)
      return result.takeError();
    accumulate(component.restride(shape, component.getStrides()), *result, fn);
    SmallVector<int64_t> strides(result->getStrides());
    for (auto [d, stride] : llvm::enumerate(strides))
      stride = shape[d] == component.getDim(d) ? stride : 0;
    results.push_back(result->restride(component.getShape(), strides));
  }
  return AccessPattern(std::move(results),
                       SmallVector<int64_t>(pattern.getTupleShape()),
                       pattern.getAccessRank());
}

Expected<AccessPattern> kernels::relu(const AccessPattern &pattern) {
  return mapElements(pattern, [](auto tag, auto zero, auto x) {
    return Arithmetic<typename decltype(tag)::type>::max(zero, x);
  });
}

Expected<AccessPattern> kernels::sqrt(const AccessPattern &pattern) {
  if (llvm::Error error = checkFloats(pattern, "sqrt"))
    return std::move(error);
  return mapElements(pattern, [](auto tag, auto, auto x) {
    using Math = Arithmetic<typename decltype(tag)::type>;
    if constexpr (Math::isFloat)
      return Math::sqrt(x);
    else
      return x;
  });
}

Expected<AccessPattern> kernels::negative(const AccessPattern &pattern) {
  return mapElements(pattern, [](auto tag, auto, auto x) {
    return Arithmetic<typename decltype(tag)::type>::neg(x);
  });
}

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

/// softmax of one dense item, in place.
template <typename T>
static void softmaxItem(llvm::MutableArrayRef<T> item) {
  using Math = Arithmetic<T>;
  if (item.empty())
    return;
  using Sum = typename Math::Wide; // the type of sums
  Sum sum = 0;
  T greatest = item.front();
  for (T x : item)
    greatest = Math::max(greatest, x);
  for (T &x : item) {
    x = Math::exp(Math::sub(x, greatest));
    sum += Sum(x);
  }
  for (T &x : item)
    x = Math::div(x, T(sum));
}

Expected<AccessPattern> kernels::softmax(const AccessPattern &pattern) {
  if (llvm::Error error = checkFloats(pattern, "softmax"))
    return std::move(error);
  Expected<Tensor> tensor = pattern.join();
  if (!tensor)
    return tensor.takeError();
  Expected<Tensor> result = tensor->clone();
  if (!result)
    return result.takeError();
  int64_t length = *elementCount(pattern.getComputeShape());
  dispatch(pattern.getElementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (Arithmetic<T>::isFloat)
      for (int64_t i = 0, e = result->getNumElements(); i < e; i += length)
        softmaxItem(
            llvm::MutableArrayRef<T>(result->getDataAs<T>() + i, length));
  });
  return AccessPattern(*result, pattern.getAccessRank());
}

//===----------------------------------------------------------------------===//
// systolic_array
//===----------------------------------------------------------------------===//

/// The product of activations (b ++ a ++ k) and weights (b ++ k ++ n), which
/// fit together, over b ++ a ++ n.
static Expected<AccessPattern>
multiply(const Tensor &activations, const Tensor &weights,
         std::optional<ElementType> accumulator) {
  // Each row of activations with each column of weights.
  const int64_t points = activations.getRank() - 1,
                batch = weights.getRank() - 2;
  Tensor left =
      activations.broadcastAt(points, weights.getDim(weights.getRank() - 1));
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, weights.getRank()));
  std::swap(order[batch], order[batch + 1]);
  Tensor right = weights.transpose(order);
  for (int64_t dim = batch; dim < points; ++dim)
    right = right.broadcastAt(dim, activations.getDim(dim));
  Expected<AccessPattern> product = kernels::pair(
      AccessPattern(left, points + 1), AccessPattern(right, points + 1));
  return product ? kernels::dotProd(*product, accumulator) : std::move(product);
}

Expected<AccessPattern>
kernels::systolicArray(const AccessPattern &activations,
                       const AccessPattern &weights, int64_t rows, int64_t cols,
                       bool isBlocked, std::optional<ElementType> accumulator) {
  Expected<ElementType> type = accumulatorOf(activations, accumulator);
  if (!type)
    return type.takeError();
  if (rows < 1 || cols < 1)
    return llvm::createStringError("an array must have cells, got " +
                                   llvm::Twine(rows) + "x" + llvm::Twine(cols));
  int64_t depth = rows;
  if (isBlocked) {
    if (activations.getComputeShape().size() != 1)
      return llvm::createStringError(
          "blocked activations must have one compute dimension, got [" +
          shapeToString(activations.getComputeShape()) + "]");
    depth = activations.getComputeShape()[0];
    const SmallVector<int64_t> item(weights.getComputeShape()),
        points(activations.getAccessShape());
    SmallVector<int64_t> wanted(
        ArrayRef<int64_t>(points).take_front(weights.getAccessRank()));
    wanted.push_back(depth);
    wanted.push_back(item.empty() ? 0 : item.back());
    if (item.size() != 2 || weights.getShape() != ArrayRef<int64_t>(wanted))
      return llvm::createStringError("blocked weights must have shape [" +
                                     shapeToString(wanted) + "], got [" +
                                     shapeToString(weights.getShape()) + "]");
  } else {
    if (activations.getComputeShape() != ArrayRef<int64_t>{rows})
      return llvm::createStringError(
          "activations must have compute shape [" + llvm::Twine(rows) +
          "], got [" + shapeToString(activations.getComputeShape()) + "]");
    if (weights.getAccessRank() != 0 ||
        weights.getComputeShape() != ArrayRef<int64_t>{rows, cols})
      return llvm::createStringError(
          "weights must be one item of shape [" + llvm::Twine(rows) + "x" +
          llvm::Twine(cols) + "], got [" +
          shapeToString(weights.getAccessShape()) + " | " +
          shapeToString(weights.getComputeShape()) + "]");
  }
  Expected<Tensor> matrix = weights.join();
  if (!matrix)
    return matrix.takeError();
  Expected<Tensor> items = activations.join();
  if (!items)
    return items.takeError();
  if (depth <= rows)
    return multiply(*items, *matrix, accumulator);
  // Accumulators below the array, in the sum type. Padding the last block
  // with zeros changes no sum.
  auto cut = [](const Tensor &tensor, int64_t axis, int64_t low, int64_t size) {
    SmallVector<int64_t> offsets(tensor.getRank(), 0), sizes(tensor.getShape()),
        strides(tensor.getRank(), 1);
    offsets[axis] = low;
    sizes[axis] = size;
    return tensor.slice(offsets, sizes, strides);
  };
  std::optional<AccessPattern> sum;
  for (int64_t low = 0; low < depth; low += rows) {
    const int64_t size = std::min(depth - low, rows);
    Expected<AccessPattern> partial = multiply(
        cut(*items, items->getRank() - 1, low, size),
        cut(*matrix, matrix->getRank() - 2, low, size), getSumType(*type));
    if (!partial)
      return partial;
    if (!sum) {
      sum = *partial;
      continue;
    }
    // Both as a tuple of items of no dimensions.
    Expected<AccessPattern> both = pair(*sum, *partial);
    if (!both)
      return both;
    Expected<AccessPattern> next = elementwiseAdd(*both);
    if (!next)
      return next;
    sum = *next;
  }
  Expected<Tensor> sums = sum->join();
  return sums ? roundSums(*sums, *type) : sums.takeError();
}
