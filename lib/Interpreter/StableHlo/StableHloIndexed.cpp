//===- StableHloIndexed.cpp - Indices known at run time, sorting ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts of dynamic_slice, dynamic_update_slice and gather are clamped, so that
// the slice lies inside; updates of a scatter that fall outside are skipped, by
// themselves or (kWholeWindows) with their window, the others run in row-major
// order. Sorting merges, and is stable.
//
//===----------------------------------------------------------------------===//

#include "StableHloOps.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// An integer as its type reads it; unsigned ones beyond int64 saturate.
static int64_t getIndex(const Tensor &tensor, ArrayRef<int64_t> at,
                        bool isUnsigned) {
  int64_t value = tensor.getInt(at);
  if (!isUnsigned)
    return value;
  uint64_t wide = zeroExtend(value, tensor.getElementType());
  return wide > uint64_t(INT64_MAX) ? INT64_MAX : int64_t(wide);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The starts, operands `first` and so on, clamped for a slice of these sizes.
static FailureOr<SmallVector<int64_t>> getStarts(Operation *op, unsigned first,
                                                 const Environment &env,
                                                 ArrayRef<int64_t> shape,
                                                 ArrayRef<int64_t> sizes) {
  if (op->getNumOperands() != first + shape.size() ||
      sizes.size() != shape.size())
    return emitMalformed(op, "it must have a start for each dimension");
  SmallVector<int64_t> starts;
  for (size_t i = 0; i < shape.size(); ++i) {
    Value operand = op->getOperand(first + i);
    const Tensor &start = env.getTensor(operand);
    if (start.getRank() != 0 || isFloat(start.getElementType()))
      return emitMalformed(op, "its starts must be integers");
    if (sizes[i] > shape[i])
      return emitMalformed(op, "the slice is larger than the tensor");
    int64_t value = getIndex(
        start, {}, getElementTypeOrSelf(operand.getType()).isUnsignedInteger());
    starts.push_back(std::clamp<int64_t>(value, 0, shape[i] - sizes[i]));
  }
  return starts;
}

/// result[x] = operand[start + x]
static FailureOr<RuntimeValues> runDynamicSlice(Operation *op,
                                                const Environment &env) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1)
    return emitMalformed(op, "it must slice a tensor");
  const Tensor &operand = env.getTensor(op->getOperand(0));
  FailureOr<Tensor> result = createHloResult(op);
  if (failed(result))
    return failure();
  auto starts = getStarts(op, 1, env, operand.getShape(), result->getShape());
  if (failed(starts))
    return failure();
  forEachIndex(result->getShape(), [&](const HloIndex &x) {
    HloIndex source(x);
    for (auto [at, start] : llvm::zip_equal(source, *starts))
      at += start;
    copyElement(operand, source, *result, x);
  });
  return RuntimeValues{std::move(*result)};
}

/// result = operand, with update[x] at start + x
static FailureOr<RuntimeValues> runDynamicUpdateSlice(Operation *op,
                                                      const Environment &env) {
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return emitMalformed(op, "it must update a tensor");
  const Tensor &operand = env.getTensor(op->getOperand(0));
  const Tensor &update = env.getTensor(op->getOperand(1));
  auto starts = getStarts(op, 2, env, operand.getShape(), update.getShape());
  if (failed(starts))
    return failure();
  FailureOr<Tensor> result = reportAt(op, operand.clone());
  if (failed(result))
    return failure();
  forEachIndex(update.getShape(), [&](const HloIndex &x) {
    HloIndex target(x);
    for (auto [at, start] : llvm::zip_equal(target, *starts))
      at += start;
    copyElement(update, x, *result, target);
  });
  return RuntimeValues{std::move(*result)};
}

/// result[x] = operand[x], up to that number.
static FailureOr<RuntimeValues> runSetDimensionSize(Operation *op,
                                                    const Environment &env) {
  auto dim = readHlo(op, readHloSetDimensionSize);
  if (failed(dim))
    return failure();
  const Tensor &operand = env.getTensor(op->getOperand(0));
  SmallVector<int64_t> sizes(operand.getShape()), zeros(sizes.size(), 0),
      ones(sizes.size(), 1);
  const int64_t size = getIndex(
      env.getTensor(op->getOperand(1)), {},
      getElementTypeOrSelf(op->getOperand(1).getType()).isUnsignedInteger());
  if (size < 0 || size > sizes[*dim])
    return op->emitOpError("size ") << size << " of dimension " << *dim
                                    << " must be in [0, " << sizes[*dim] << "]";
  sizes[*dim] = size;
  return RuntimeValues{operand.slice(zeros, sizes, ones)};
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// The element of the tensor that an element of the slices meets; `place` turns
/// the start in a dimension into the one that counts.
static HloIndex
getTensorIndex(const HloSlices &slices, const Tensor &indices, bool isUnsigned,
               ArrayRef<int64_t> x,
               function_ref<int64_t(int64_t start, int64_t dim)> place) {
  HloIndex result(slices.sizes.size(), 0);
  for (auto [dim, target] :
       llvm::zip_equal(slices.window, slices.windowTargets))
    result[target] = x[dim];
  for (auto [dim, from] :
       llvm::zip_equal(slices.batching, slices.indicesBatching))
    result[dim] = x[slices.sliceDimOfIndices(from)];
  for (auto [k, target] : llvm::enumerate(slices.starts)) {
    HloIndex at;
    for (int64_t i = 0; i < indices.getRank(); ++i)
      at.push_back(i == slices.vectorDim ? int64_t(k)
                                         : x[slices.sliceDimOfIndices(i)]);
    // Starts beyond any tensor stay there.
    int64_t start = std::clamp<int64_t>(getIndex(indices, at, isUnsigned),
                                        -(int64_t(1) << 40), int64_t(1) << 40);
    result[target] += place(start, target);
  }
  return result;
}

static FailureOr<RuntimeValues> runGather(Operation *op,
                                          const Environment &env) {
  auto slices = readHlo(op, HloSlices::readGather);
  if (failed(slices))
    return failure();
  FailureOr<Tensor> result = createHloResult(op);
  if (failed(result))
    return failure();
  const Tensor &tensor = env.getTensor(op->getOperand(0));
  const Tensor &indices = env.getTensor(op->getOperand(1));
  bool isUnsigned =
      getElementTypeOrSelf(op->getOperand(1).getType()).isUnsignedInteger();
  forEachIndex(result->getShape(), [&](const HloIndex &x) {
    HloIndex source = getTensorIndex(
        *slices, indices, isUnsigned, x, [&](int64_t start, int64_t dim) {
          return std::clamp<int64_t>(start, 0,
                                     tensor.getDim(dim) - slices->sizes[dim]);
        });
    copyElement(tensor, source, *result, x);
  });
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runScatter(Operation *op,
                                           const Environment &env) {
  auto slices = readHlo(op, HloSlices::readScatter);
  if (failed(slices))
    return failure();
  unsigned count = slices->numInputs;
  SmallVector<Type> types;
  SmallVector<Tensor> results, updates;
  for (unsigned half : {0u, count + 1})
    for (unsigned i = 0; i < count; ++i) {
      types.push_back(getElementTypeOrSelf(op->getOperand(half + i).getType()));
      if (types.back() != getElementTypeOrSelf(op->getResult(i).getType()))
        return emitMalformed(op, "it must update in its operands' types");
    }
  FailureOr<HloBody> body = HloBody::compile(op, 0, types, count, env);
  if (failed(body))
    return failure();
  for (unsigned i = 0; i < count; ++i) {
    FailureOr<Tensor> copy =
        reportAt(op, env.getTensor(op->getOperand(i)).clone());
    if (failed(copy))
      return failure();
    results.push_back(std::move(*copy));
    updates.push_back(env.getTensor(op->getOperand(count + 1 + i)));
  }
  const Tensor &indices = env.getTensor(op->getOperand(count));
  bool isUnsigned =
      getElementTypeOrSelf(op->getOperand(count).getType()).isUnsignedInteger();
  bool ok = forEachIndex(updates[0].getShape(), [&](const HloIndex &x) {
    bool isInside = true;
    HloIndex target = getTensorIndex(
        *slices, indices, isUnsigned, x, [&](int64_t start, int64_t dim) {
          isInside &= !slices->areWhole ||
                      (start >= 0 && start < slices->countWholeStarts(
                                                 dim, results[0].getDim(dim)));
          return start;
        });
    for (auto [at, size] : llvm::zip_equal(target, results[0].getShape()))
      isInside &= at >= 0 && at < size;
    if (!isInside)
      return true;
    SmallVector<ScalarRegister> arguments;
    for (const Tensor &result : results)
      arguments.push_back(
          getLoad(result.getElementType())(result.getElement(target)));
    for (const Tensor &update : updates)
      arguments.push_back(
          getLoad(update.getElementType())(update.getElement(x)));
    auto values = body->run(arguments);
    if (failed(values))
      return false;
    for (auto [result, value] : llvm::zip_equal(results, *values))
      getStore(result.getElementType())(result.getElement(target), value);
    return true;
  });
  if (!ok)
    return failure();
  return RuntimeValues(results.begin(), results.end());
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// Merges sorted runs of 1, 2, 4, … elements; of two runs, an element of the
/// second one goes first only if it precedes that of the first one. So it is
/// stable, takes n·log n comparisons, and any comparator gives a permutation.
/// False if a comparison fails.
static bool
sortStably(SmallVector<int64_t> &order,
           function_ref<FailureOr<bool>(int64_t, int64_t)> precedes) {
  const size_t size = order.size();
  SmallVector<int64_t> merged(size);
  for (size_t run = 1; run < size; run *= 2) {
    for (size_t begin = 0; begin < size; begin += 2 * run) {
      const size_t middle = std::min(begin + run, size),
                   end = std::min(begin + 2 * run, size);
      size_t left = begin, right = middle;
      for (size_t to = begin; to < end; ++to) {
        bool takesRight = right < end;
        if (takesRight && left < middle) {
          FailureOr<bool> isBefore = precedes(order[right], order[left]);
          if (failed(isBefore))
            return false;
          takesRight = *isBefore;
        }
        merged[to] = order[takesRight ? right++ : left++];
      }
    }
    std::swap(order, merged);
  }
  return true;
}

/// Each line along the dimension, all operands together.
static FailureOr<RuntimeValues> runSort(Operation *op, const Environment &env) {
  std::string why;
  HloReader reader(op, why);
  unsigned count = op->getNumOperands();
  if (count == 0 || !reader.hasTensors(-1, count))
    return emitMalformed(op, "it must have a result for each operand");
  SmallVector<Type> types;
  SmallVector<Tensor> inputs, results;
  for (unsigned i = 0; i < count; ++i) {
    types.append(2, reader.operandType(i).getElementType());
    inputs.push_back(env.getTensor(op->getOperand(i)));
    FailureOr<Tensor> result = createHloResult(op, i);
    if (failed(result))
      return failure();
    if (inputs[i].getShape() != inputs[0].getShape() ||
        result->getShape() != inputs[0].getShape())
      return emitMalformed(op, "its tensors must have one shape");
    results.push_back(std::move(*result));
  }
  int64_t rank = inputs[0].getRank();
  auto axis = reader.integer("dimension", -1);
  if (!axis || *axis < -rank || *axis >= rank)
    return emitMalformed(op, "its dimension must be one of its operands'");
  if (*axis < 0)
    *axis += rank;
  FailureOr<HloBody> body = HloBody::compile(op, 0, types, 1, env);
  if (failed(body))
    return failure();
  // Whether element i of a line comes before element j.
  auto precedes = [&](HloIndex &line, int64_t i, int64_t j) -> FailureOr<bool> {
    SmallVector<ScalarRegister> arguments;
    for (const Tensor &input : inputs)
      for (int64_t at : {i, j}) {
        line[*axis] = at;
        arguments.push_back(
            getLoad(input.getElementType())(input.getElement(line)));
      }
    auto values = body->run(arguments);
    if (failed(values))
      return failure();
    return values->front().i != 0;
  };
  SmallVector<int64_t> lines(inputs[0].getShape());
  lines[*axis] = std::min<int64_t>(lines[*axis], 1);
  bool ok = forEachIndex(lines, [&](const HloIndex &first) {
    HloIndex line(first), target(first);
    auto order = llvm::to_vector(llvm::seq(inputs[0].getDim(*axis)));
    if (!sortStably(order,
                    [&](int64_t i, int64_t j) { return precedes(line, i, j); }))
      return false;
    for (auto [input, result] : llvm::zip_equal(inputs, results))
      for (auto [to, from] : llvm::enumerate(order)) {
        line[*axis] = from;
        target[*axis] = to;
        copyElement(input, line, result, target);
      }
    return true;
  });
  if (!ok)
    return failure();
  return RuntimeValues(results.begin(), results.end());
}

/// The k first elements of each line in descending order, floats in the order
/// of their bits, and where they are; of equal ones the first ones.
static FailureOr<RuntimeValues> runTopK(Operation *op, const Environment &env) {
  auto k = readHlo(op, readHloTopK);
  if (failed(k))
    return failure();
  FailureOr<Tensor> values = createHloResult(op, 0),
                    places = createHloResult(op, 1);
  if (failed(values) || failed(places))
    return failure();
  const Tensor &input = env.getTensor(op->getOperand(0));
  const ElementType type = input.getElementType();
  const bool isUnsigned =
      getElementTypeOrSelf(op->getOperand(0).getType()).isUnsignedInteger();
  SmallVector<int64_t> lines(input.getShape().drop_back());
  forEachIndex(lines, [&](const HloIndex &line) {
    auto at = [&](int64_t place) {
      HloIndex index(line);
      index.push_back(place);
      return index;
    };
    // Keys that order as the elements do.
    SmallVector<int64_t> keys;
    for (int64_t i = 0; i < input.getShape().back(); ++i) {
      ScalarRegister value = getLoad(type)(input.getElement(at(i)));
      int64_t key = value.i;
      if (isFloat(type))
        key = getTotalOrder(value.f);
      else if (isUnsigned || type == ElementType::I1)
        key = int64_t(zeroExtend(key, type) ^ (uint64_t(1) << 63));
      keys.push_back(key);
    }
    auto order = llvm::to_vector(llvm::seq<int64_t>(keys.size()));
    sortStably(order, [&](int64_t i, int64_t j) -> FailureOr<bool> {
      return keys[i] > keys[j];
    });
    for (int64_t i = 0; i < *k; ++i) {
      copyElement(input, at(order[i]), *values, at(i));
      places->setInt(at(i), order[i]);
    }
  });
  return RuntimeValues{std::move(*values), std::move(*places)};
}

void mlir::tensoraccess::addHloIndexedEvaluators(OpEvaluators &evaluators) {
  evaluators["dynamic_slice"] = runDynamicSlice;
  evaluators["dynamic_update_slice"] = runDynamicUpdateSlice;
  evaluators["gather"] = runGather;
  evaluators["set_dimension_size"] = runSetDimensionSize;
  evaluators["scatter"] = runScatter;
  evaluators["sort"] = runSort;
  evaluators["top_k"] = runTopK;
}
