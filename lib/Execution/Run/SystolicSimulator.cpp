//===- SystolicSimulator.cpp - A systolic array, cycle by cycle -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of all cells are two planes, one of activations and one of
// sums; a cycle writes the next pair of planes from this one, row by row, which
// compilers turn into vector instructions.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Run.h"

#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/StridedContraction.h"

#include <vector>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most cells that are simulated: five planes of at most 8 bytes each.
static constexpr int64_t kMaxCells = int64_t(1) << 22;

namespace {

/// One array at work on one product. Operands and results are dense.
template <typename T>
class Simulation {
  using Math = Arithmetic<T>;

public:
  Simulation(const SystolicArray &array, const T *activations, const T *weights,
             T *results, int64_t m, int64_t k, int64_t n)
      : array(array), activations(activations), weights(weights),
        results(results), m(m), k(k), n(n) {
    size_t cells = array.rows * array.cols;
    for (auto *plane : {&held, &moving, &nextMoving, &sums, &nextSums})
      plane->assign(cells, Math::zero());
  }

  /// `isFirst`: the array has no weights yet.
  SystolicCost run(bool isFirst) {
    isEmpty = isFirst;
    int64_t height = array.accumulators == 0 ? m : array.accumulators;
    for (int64_t row = 0; row < m; row += height)
      for (int64_t column = 0; column < n; column += array.cols)
        for (int64_t depth = 0; depth < k; depth += array.rows)
          runPass(row, std::min(m, row + height), depth, column);
    cost.results = m * n;
    return cost;
  }

private:
  /// Items [begin, end) through the block of weights at (depth, column).
  void runPass(int64_t begin, int64_t end, int64_t depth, int64_t column) {
    const int64_t rows = array.rows, cols = array.cols;
    loadWeights(depth, column);
    std::fill(moving.begin(), moving.end(), Math::zero());
    std::fill(sums.begin(), sums.end(), Math::zero());
    const int64_t items = end - begin, used = std::min(rows, k - depth),
                  wide = std::min(cols, n - column);
    // Cycles until every sum has left.
    int64_t left = items * wide;
    for (int64_t cycle = 0;; ++cycle) {
      for (int64_t r = 0; r < rows; ++r) {
        const int64_t item = cycle - r;
        const bool enters = item >= 0 && item < items && r < used;
        T first =
            enters ? activations[(begin + item) * k + depth + r] : Math::zero();
        cost.activations += enters;
        moveRow(r, first);
      }
      std::swap(moving, nextMoving);
      std::swap(sums, nextSums);
      // What leaves below.
      const T *below = sums.data() + (rows - 1) * cols;
      for (int64_t c = 0; c < wide; ++c) {
        const int64_t item = cycle - (rows - 1) - c;
        if (item < 0 || item >= items)
          continue;
        T &sum = results[(begin + item) * n + column + c];
        sum = depth == 0 ? below[c] : Math::add(sum, below[c]);
        cost.products += used;
        --left;
      }
      // The wave goes on through the columns of padding.
      if (left == 0 && cycle == items - 1 + (rows - 1) + (cols - 1)) {
        cost.stream += items;
        cost.fill += rows - 1;
        cost.drain += cycle + 1 - items - (rows - 1);
        break;
      }
    }
    ++cost.invocations;
  }

  void loadWeights(int64_t depth, int64_t column) {
    std::fill(held.begin(), held.end(), Math::zero());
    const bool isHidden = array.isDoubleBuffered && !isEmpty;
    isEmpty = false;
    for (int64_t r = 0; r < array.rows; ++r) {
      cost.load += !isHidden;
      for (int64_t c = 0; c < array.cols; ++c)
        if (depth + r < k && column + c < n) {
          held[r * array.cols + c] = weights[(depth + r) * n + column + c];
          ++cost.weights;
        }
    }
  }

  /// A cycle of the cells of one row; `first` enters at the left.
  void moveRow(int64_t r, T first) {
    const int64_t cols = array.cols;
    const T *here = moving.data() + r * cols, *weight = held.data() + r * cols;
    T *next = nextMoving.data() + r * cols, *sum = nextSums.data() + r * cols;
    next[0] = first;
    std::copy(here, here + cols - 1, next + 1);
    if (r == 0) {
      for (int64_t c = 0; c < cols; ++c)
        sum[c] = Math::addProduct(Math::zero(), next[c], weight[c]);
      return;
    }
    const T *above = sums.data() + (r - 1) * cols;
    for (int64_t c = 0; c < cols; ++c)
      sum[c] = Math::addProduct(above[c], next[c], weight[c]);
  }

  SystolicArray array;
  const T *activations, *weights;
  T *results;
  int64_t m, k, n;
  bool isEmpty = true;
  /// Weights, activations and sums of the cells; what the next cycle has.
  std::vector<T> held, moving, nextMoving, sums, nextSums;
  SystolicCost cost;
};

} // namespace

llvm::Expected<SystolicRun> mlir::tensoraccess::simulateSystolicArray(
    const SystolicArray &array, const AccessPattern &activations,
    const AccessPattern &weights, bool isBlocked,
    std::optional<ElementType> accumulator) {
  if (array.rows > kMaxCells / array.cols)
    return llvm::createStringError(
        "an array of " + llvm::Twine(array.rows) + "x" +
        llvm::Twine(array.cols) + " has more than the " +
        llvm::Twine(kMaxCells) + " cells that are simulated");
  const SmallVector<int64_t> points(activations.getAccessShape()),
      batch(weights.getAccessShape()), item(weights.getComputeShape());
  if (activations.getComputeShape().size() != 1 || item.size() != 2 ||
      activations.getComputeShape()[0] != item[0] ||
      ArrayRef(points).take_front(batch.size()) != ArrayRef(batch))
    return llvm::createStringError(
        "an array takes items <A | K> and weights <| K x N>, or <B, A | K> and "
        "<B | K x N>, got <" +
        shapeToString(points) + " | " +
        shapeToString(activations.getComputeShape()) + "> and <" +
        shapeToString(batch) + " | " + shapeToString(item) + ">");
  const int64_t k = item[0], n = item[1];
  if (!isBlocked && (k != array.rows || n != array.cols || !batch.empty()))
    return llvm::createStringError(
        "weights must be one item of shape [" + llvm::Twine(array.rows) + "x" +
        llvm::Twine(array.cols) + "], got [" + shapeToString(batch) + " | " +
        shapeToString(item) + "]");
  if (activations.getElementType() != weights.getElementType())
    return llvm::createStringError("element types must be equal, got " +
                                   toString(activations.getElementType()) +
                                   " and " +
                                   toString(weights.getElementType()));
  const ElementType type = accumulator.value_or(activations.getElementType());
  if (accumulator && !isExtension(activations.getElementType(), type))
    return llvm::createStringError("accumulator must hold all values of " +
                                   toString(activations.getElementType()) +
                                   ", got " + toString(type));
  llvm::Expected<Tensor> items = kernels::toTensor(activations);
  if (!items)
    return items.takeError();
  llvm::Expected<Tensor> matrix = kernels::toTensor(weights);
  if (!matrix)
    return matrix.takeError();
  SmallVector<int64_t> shape(points);
  const std::optional<int64_t> m = elementCount(
                                   ArrayRef(points).drop_front(batch.size())),
                               products = elementCount(batch);
  shape.push_back(n);
  const ElementType sumType = getSumType(type);
  llvm::Expected<Tensor> result = Tensor::create(sumType, shape);
  if (!result)
    return result.takeError();
  // Counts that fit in the formula fit in the simulation.
  if (!m || !products || !getSystolicCost(array, *m, k, n))
    return llvm::createStringError(
        "the cycles of a product of " + llvm::Twine(m.value_or(-1)) + "x" +
        llvm::Twine(k) + " by " + llvm::Twine(k) + "x" + llvm::Twine(n) +
        " don't fit in 63 bits");
  auto extend = [&](const Tensor &tensor) {
    llvm::Expected<Tensor> dense = tensor.toDense();
    return dense ? kernels::convert(*dense, sumType) : std::move(dense);
  };
  llvm::Expected<Tensor> a = extend(*items);
  if (!a)
    return a.takeError();
  llvm::Expected<Tensor> b = extend(*matrix);
  if (!b)
    return b.takeError();
  SystolicCost cost;
  bool fits = true;
  if (*m != 0 && k != 0 && n != 0)
    dispatch(a->getElementType(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t i = 0; i < *products && fits; ++i)
        fits = cost.add(Simulation<T>(array, a->getDataAs<T>() + i * *m * k,
                                      b->getDataAs<T>() + i * k * n,
                                      result->getDataAs<T>() + i * *m * n, *m,
                                      k, n)
                            .run(/*isFirst=*/i == 0));
    });
  if (!fits)
    return llvm::createStringError("the cycles of " + llvm::Twine(*products) +
                                   " products don't fit in 63 bits");
  llvm::Expected<Tensor> rounded = kernels::convert(*result, type);
  if (!rounded)
    return rounded.takeError();
  return SystolicRun{AccessPattern(*rounded, shape.size()), cost};
}
