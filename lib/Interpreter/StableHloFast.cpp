//===- StableHloFast.cpp - Reductions of StableHLO, many at a time --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Padding, and the gaps of base dilation, are written out in a copy, so that
//    every window lies inside.
// 2. Products are one contraction (Core/Kernels.h), where the groups of a
//    convolution are a loop over points.
// 3. Other reductions run in strips (Strips.h), results being read and written.
//
//===----------------------------------------------------------------------===//

#include "StableHloFast.h"
#include "Strips.h"
#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// A copy of a tensor with `value` in the padding and the gaps of its
/// dimensions `places`; none where there is no memory for it.
static std::optional<Tensor> makePadded(const Tensor &tensor,
                                        ArrayRef<HloWindowDim> windows,
                                        ArrayRef<int64_t> places,
                                        const Tensor &value) {
  SmallVector<int64_t> shape(tensor.getShape());
  HloIndex base(shape.size(), 1), low(shape.size(), 0);
  for (auto [place, window] : llvm::zip_equal(places, windows)) {
    shape[place] = window.paddedSize();
    base[place] = window.base;
    low[place] = window.low;
  }
  llvm::Expected<Tensor> padded =
      Tensor::create(tensor.getElementType(), shape);
  if (!padded) {
    llvm::consumeError(padded.takeError());
    return std::nullopt;
  }
  fillElements(*padded, value);
  HloIndex target(shape.size());
  forEachIndex(tensor.getShape(), [&](const HloIndex &x) {
    for (size_t d = 0; d < x.size(); ++d) {
      target[d] = base[d] * x[d] + low[d];
      if (target[d] < 0 || target[d] >= shape[d])
        return;
    }
    copyElement(tensor, x, *padded, target);
  });
  return std::move(*padded);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Whether sums of these types are what contractions are: no i1, whose sums
/// differ, and no unsigned factors that must be extended.
static bool isContraction(Operation *op, const Tensor &lhs, const Tensor &rhs,
                          const Tensor &result) {
  const ElementType type = lhs.getElementType(), sum = result.getElementType();
  auto isUnsigned = [](Value operand) {
    return getElementTypeOrSelf(operand.getType()).isUnsignedInteger();
  };
  return type == rhs.getElementType() && type != ElementType::I1 &&
         isExtension(type, sum) &&
         (type == sum || llvm::none_of(op->getOperands(), isUnsigned));
}

namespace {
/// A contraction that grows loop by loop.
struct ContractionBuilder {
  ContractionBuilder(const Tensor &lhs, const Tensor &rhs,
                     const Tensor &result) {
    contraction.type = lhs.getElementType();
    contraction.sumType = result.getElementType();
    contraction.lhs.data = lhs.getDataAs<char>();
    contraction.rhs.data = rhs.getDataAs<char>();
    contraction.out.data = result.getDataAs<char>();
  }
  void addPoint(int64_t size, int64_t out, int64_t lhs, int64_t rhs) {
    contraction.points.push_back(size);
    contraction.out.pointSteps.push_back(out);
    contraction.lhs.pointSteps.push_back(lhs);
    contraction.rhs.pointSteps.push_back(rhs);
  }
  void addSum(int64_t size, int64_t lhs, int64_t rhs) {
    contraction.sums.push_back(size);
    contraction.lhs.sumSteps.push_back(lhs);
    contraction.rhs.sumSteps.push_back(rhs);
  }
  StridedContraction contraction;
};
} // namespace

bool mlir::tensoraccess::runDotFast(Operation *op, const HloDot &dot,
                                    const Tensor &lhs, const Tensor &rhs,
                                    Tensor &result) {
  if (!isContraction(op, lhs, rhs, result))
    return false;
  ContractionBuilder builder(lhs, rhs, result);
  ArrayRef<int64_t> out = result.getStrides(), left = lhs.getStrides(),
                    right = rhs.getStrides();
  size_t next = 0;
  for (auto [l, r] : llvm::zip_equal(dot.lhsBatch, dot.rhsBatch))
    builder.addPoint(lhs.getDim(l), out[next++], left[l], right[r]);
  for (int64_t dim : dot.lhsFree)
    builder.addPoint(lhs.getDim(dim), out[next++], left[dim], 0);
  for (int64_t dim : dot.rhsFree)
    builder.addPoint(rhs.getDim(dim), out[next++], 0, right[dim]);
  for (auto [l, r] : llvm::zip_equal(dot.lhsContract, dot.rhsContract))
    builder.addSum(lhs.getDim(l), left[l], right[r]);
  runContraction(builder.contraction);
  return true;
}

bool mlir::tensoraccess::runConvolutionFast(Operation *op,
                                            const HloConvolution &conv,
                                            const Tensor &input,
                                            const Tensor &kernel,
                                            Tensor &result) {
  if (!isContraction(op, input, kernel, result) || result.getNumElements() == 0)
    return false;
  const HloConvolutionNumbers &dims = conv.numbers;
  std::optional<Tensor> padded =
      makePadded(input, conv.windows, SmallVector<int64_t>(dims.input.spatial),
                 Tensor::scalarInt(input.getElementType(), 0));
  if (!padded)
    return false;
  ContractionBuilder builder(*padded, kernel, result);
  ArrayRef<int64_t> out = result.getStrides(), in = padded->getStrides(),
                    at = kernel.getStrides();
  const int64_t groups = conv.groups();
  const int64_t inputs = kernel.getDim(dims.kernel.first),
                outputs = kernel.getDim(dims.kernel.second) / groups,
                batch = result.getDim(dims.output.first);
  builder.addPoint(batch, out[dims.output.first], in[dims.input.first], 0);
  for (auto [i, window] : llvm::enumerate(conv.windows))
    builder.addPoint(result.getDim(dims.output.spatial[i]),
                     out[dims.output.spatial[i]],
                     window.stride * in[dims.input.spatial[i]], 0);
  builder.addPoint(groups, outputs * out[dims.output.second],
                   conv.batchGroups > 1     ? batch * in[dims.input.first]
                   : conv.featureGroups > 1 ? inputs * in[dims.input.second]
                                            : 0,
                   outputs * at[dims.kernel.second]);
  builder.addPoint(outputs, out[dims.output.second], 0, at[dims.kernel.second]);
  int64_t start = 0;
  for (auto [i, window] : llvm::enumerate(conv.windows)) {
    int64_t step = at[dims.kernel.spatial[i]];
    if (conv.reversed[i]) {
      start += (window.window - 1) * step;
      step = -step;
    }
    builder.addSum(window.window, window.dilation * in[dims.input.spatial[i]],
                   step);
  }
  builder.addSum(inputs, in[dims.input.second], at[dims.kernel.first]);
  builder.contraction.rhs.data =
      kernel.getDataAs<char>() + start * byteSize(kernel.getElementType());
  if (!llvm::is_contained(builder.contraction.sums, 0))
    runContraction(builder.contraction);
  return true;
}

//===----------------------------------------------------------------------===//
// Other reductions
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> toBytes(ArrayRef<int64_t> strides,
                                    ElementType type) {
  return llvm::map_to_vector(
      strides, [&](int64_t stride) { return stride * byteSize(type); });
}

/// `sizes` are those of the loops; `steps(i)` gives the elements that the loops
/// step in input i. The first loops are the results' dimensions.
static bool reduceFast(const ScalarProgram &body, ArrayRef<int64_t> sizes,
                       ArrayRef<Tensor> inputs,
                       function_ref<SmallVector<int64_t>(size_t)> steps,
                       ArrayRef<Tensor> inits,
                       MutableArrayRef<Tensor> results) {
  if (llvm::is_contained(sizes, 0))
    return false;
  SmallVector<StripOperand> operands;
  for (auto [i, result] : llvm::enumerate(results)) {
    fillElements(result, inits[i]);
    StripOperand &operand = operands.emplace_back();
    operand.address = result.getDataAs<char>();
    operand.type = result.getElementType();
    operand.steps = toBytes(result.getStrides(), operand.type);
    operand.steps.resize(sizes.size(), 0);
    operand.read = i;
    operand.write = body.getOutputs()[i];
  }
  for (auto [i, input] : llvm::enumerate(inputs)) {
    StripOperand &operand = operands.emplace_back();
    operand.address = input.getDataAs<char>();
    operand.type = input.getElementType();
    operand.steps = toBytes(steps(i), operand.type);
    operand.read = results.size() + i;
  }
  return runStrips(body, operands, sizes);
}

bool mlir::tensoraccess::runReduceFast(const HloReduce &reduce,
                                       const ScalarProgram &body,
                                       ArrayRef<Tensor> inputs,
                                       ArrayRef<Tensor> inits,
                                       MutableArrayRef<Tensor> results) {
  SmallVector<int64_t> order(reduce.kept), sizes;
  llvm::append_range(order, reduce.dims);
  for (int64_t dim : order)
    sizes.push_back(inputs[0].getDim(dim));
  for (const Tensor &input : inputs)
    if (input.getShape() != inputs[0].getShape())
      return false;
  return reduceFast(
      body, sizes, inputs,
      [&](size_t i) {
        return llvm::map_to_vector(
            order, [&](int64_t dim) { return inputs[i].getStrides()[dim]; });
      },
      inits, results);
}

bool mlir::tensoraccess::runReduceWindowFast(const HloWindows &windows,
                                             const ScalarProgram &body,
                                             ArrayRef<Tensor> inputs,
                                             ArrayRef<Tensor> inits,
                                             MutableArrayRef<Tensor> results) {
  SmallVector<int64_t> places =
      llvm::to_vector(llvm::seq<int64_t>(0, windows.dims.size()));
  SmallVector<Tensor> padded;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    // Of a sum, the initial value is a value of the input's type all the same.
    llvm::Expected<Tensor> padding =
        kernels::convert(inits[i], input.getElementType());
    std::optional<Tensor> copy;
    if (!padding)
      llvm::consumeError(padding.takeError());
    else if (input.getNumElements() != 0)
      copy = makePadded(input, windows.dims, places, *padding);
    if (!copy || input.getShape() != inputs[0].getShape())
      return false;
    padded.push_back(std::move(*copy));
  }
  SmallVector<int64_t> sizes(results[0].getShape());
  for (const HloWindowDim &dim : windows.dims)
    sizes.push_back(dim.window);
  return reduceFast(
      body, sizes, padded,
      [&](size_t i) {
        SmallVector<int64_t> steps;
        for (auto [d, dim] : llvm::enumerate(windows.dims))
          steps.push_back(dim.stride * padded[i].getStrides()[d]);
        for (auto [d, dim] : llvm::enumerate(windows.dims))
          steps.push_back(dim.dilation * padded[i].getStrides()[d]);
        return steps;
      },
      inits, results);
}
