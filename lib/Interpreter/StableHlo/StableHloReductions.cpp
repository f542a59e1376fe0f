//===- StableHloReductions.cpp - Sums, windows and products of StableHLO --===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO leaves the order of reductions open, and the precision of sums;
// here each runs in row-major order of what it reduces, from the initial value
// (0 for products), and every partial result is rounded to the result's type,
// but for sums of floats below f32, and products that are summed: they are
// computed in f32 and rounded once, at the end. Windows that all reach to the
// end of a dimension are reduced from that end on.
//
//===----------------------------------------------------------------------===//

#include "Scalar/Strips.h"
#include "StableHloOps.h"
#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static ScalarRegister load(const Tensor &tensor, ArrayRef<int64_t> index) {
  return getLoad(tensor.getElementType())(tensor.getElement(index));
}

static void store(Tensor &tensor, ArrayRef<int64_t> index,
                  ScalarRegister value) {
  getStore(tensor.getElementType())(tensor.getElement(index), value);
}

/// A tensor of zeros for the sums of result i, in the type of sums.
static FailureOr<Tensor> createSums(Operation *op, unsigned i = 0) {
  FailureOr<Tensor> result = createHloResult(op, i);
  if (failed(result))
    return failure();
  const ElementType type = getSumType(result->getElementType());
  return reportAt(op, kernels::convert(*result, type));
}

/// Results of what was computed, rounded to the op's own types.
static FailureOr<RuntimeValues> toResults(Operation *op,
                                          ArrayRef<Tensor> tensors) {
  RuntimeValues values;
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), tensors)) {
    auto type = getElementTypeOf(getElementTypeOrSelf(result.getType()));
    FailureOr<Tensor> rounded = reportAt(op, kernels::convert(tensor, *type));
    if (failed(rounded))
      return failure();
    values.push_back(std::move(*rounded));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Many elements at a time
//===----------------------------------------------------------------------===//

// The same bits as the loops below, which define what the ops mean and run whatever
// these refuse: they return false then, and what they have written to results
// is of no use.

/// A copy of a tensor with `value` in the padding and the gaps of its
/// dimensions `places`.
static llvm::Expected<Tensor> makePadded(const Tensor &tensor,
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
  if (!padded)
    return padded;
  fillElements(*padded, value);
  spreadElements(tensor, low, base, *padded);
  return padded;
}

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

/// The body takes the values so far, then the elements.
static bool runReduceFast(const HloReduce &reduce, const ScalarProgram &body,
                          ArrayRef<Tensor> inputs, ArrayRef<Tensor> inits,
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

static bool runReduceWindowFast(const HloWindows &windows,
                                const ScalarProgram &body,
                                ArrayRef<Tensor> inputs, ArrayRef<Tensor> inits,
                                MutableArrayRef<Tensor> results) {
  SmallVector<int64_t> places =
      llvm::to_vector(llvm::seq<int64_t>(0, windows.dims.size()));
  SmallVector<Tensor> padded;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    // The initial value of a sum is a value of the input's type nevertheless.
    llvm::Expected<Tensor> padding =
        kernels::convert(inits[i], input.getElementType());
    std::optional<Tensor> copy;
    if (!padding)
      llvm::consumeError(padding.takeError());
    else if (input.getNumElements() != 0)
      copy = llvm::expectedToOptional(
          makePadded(input, windows.dims, places, *padding));
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

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// N inputs, N initial values, and a body of 2·N arguments that combines them.
struct Reducer {
  Operation *op;
  unsigned count;
  /// Sums have initial values and results of the type of sums.
  SmallVector<Tensor> inputs, inits, results;
  HloBody body;

  static FailureOr<Reducer> get(Operation *op, unsigned count,
                                const Environment &env) {
    SmallVector<Type> types;
    SmallVector<Tensor> inputs, inits;
    for (unsigned i = 0; i < 2 * count; ++i) {
      Value operand = op->getOperand(i);
      types.push_back(getElementTypeOrSelf(operand.getType()));
      (i < count ? inputs : inits).push_back(env.getTensor(operand));
    }
    for (unsigned i = 0; i < count; ++i)
      if (types[i] != types[count + i] ||
          types[i] != getElementTypeOrSelf(op->getResult(i).getType()))
        return emitMalformed(op, "it must reduce in its operands' types");
    FailureOr<HloBody> body = HloBody::compile(op, 0, types, count, env);
    if (failed(body))
      return failure();
    SmallVector<Tensor> results;
    Block &block = op->getRegion(0).front();
    for (unsigned i = 0; i < count; ++i) {
      const bool isSum = isHloSum(block, i);
      FailureOr<Tensor> result =
          isSum ? createSums(op, i) : createHloResult(op, i);
      if (failed(result))
        return failure();
      if (isSum && result->getElementType() != inits[i].getElementType()) {
        const ElementType type = result->getElementType();
        FailureOr<Tensor> init = reportAt(op, kernels::convert(inits[i], type));
        if (failed(init))
          return failure();
        inits[i] = std::move(*init);
        body->setType(block.back().getOperand(i).getDefiningOp(), type);
      }
      results.push_back(std::move(*result));
    }
    return Reducer{op,
                   count,
                   std::move(inputs),
                   std::move(inits),
                   std::move(results),
                   std::move(*body)};
  }
  /// The values before anything is reduced.
  SmallVector<ScalarRegister> start() const {
    SmallVector<ScalarRegister> values;
    for (const Tensor &init : inits)
      values.push_back(loadScalar(init));
    return values;
  }
  /// values = body(values, elements)
  bool combine(SmallVectorImpl<ScalarRegister> &values,
               ArrayRef<ScalarRegister> elements) {
    SmallVector<ScalarRegister> arguments(values.begin(), values.end());
    llvm::append_range(arguments, elements);
    auto next = body.run(arguments);
    if (succeeded(next))
      values.assign(next->begin(), next->end());
    return succeeded(next);
  }
  /// Combines the inputs' elements at `index`.
  bool combineAt(SmallVectorImpl<ScalarRegister> &values,
                 const HloIndex &index) {
    SmallVector<ScalarRegister> elements;
    for (const Tensor &input : inputs)
      elements.push_back(load(input, index));
    return combine(values, elements);
  }
  /// Every result element: the start values after `reduceAt(x, values)`.
  FailureOr<RuntimeValues>
  run(function_ref<bool(const HloIndex &, SmallVectorImpl<ScalarRegister> &)>
          reduceAt) {
    bool ok = forEachIndex(results[0].getShape(), [&](const HloIndex &x) {
      SmallVector<ScalarRegister> values = start();
      bool ok = reduceAt(x, values);
      for (auto [result, value] : llvm::zip_equal(results, values))
        store(result, x, value);
      return ok;
    });
    if (!ok)
      return failure();
    return toResults(op, results);
  }
};
} // namespace

/// result[x] = the elements whose index in the kept dimensions is x.
static FailureOr<RuntimeValues> runReduce(Operation *op,
                                          const Environment &env) {
  auto reduce = readHlo(op, HloReduce::read);
  if (failed(reduce))
    return failure();
  FailureOr<Reducer> reducer = Reducer::get(op, reduce->numInputs, env);
  if (failed(reducer))
    return failure();
  if (runReduceFast(*reduce, reducer->body.getProgram(), reducer->inputs,
                    reducer->inits, reducer->results))
    return toResults(op, reducer->results);
  HloIndex reduced;
  for (int64_t dim : reduce->dims)
    reduced.push_back(reducer->inputs[0].getDim(dim));
  HloIndex at(reducer->inputs[0].getRank());
  return reducer->run(
      [&](const HloIndex &x, SmallVectorImpl<ScalarRegister> &values) {
        for (auto [dim, i] : llvm::zip_equal(reduce->kept, x))
          at[dim] = i;
        return forEachIndex(reduced, [&](const HloIndex &r) {
          for (auto [dim, i] : llvm::zip_equal(reduce->dims, r))
            at[dim] = i;
          return reducer->combineAt(values, at);
        });
      });
}

/// The place in the input that a window's element meets; std::nullopt in the
/// padding and between elements that base dilation spreads.
static std::optional<int64_t> getInputIndex(const HloWindowDim &dim, int64_t o,
                                            int64_t w) {
  int64_t place = dim.stride * o + dim.dilation * w - dim.low;
  if (place < 0 || place % dim.base != 0 || place / dim.base >= dim.input)
    return std::nullopt;
  return place / dim.base;
}

/// Whether combining initial values gives the initial values, bit for bit: then
/// any number of them before or after the elements is the same.
static FailureOr<bool> keepsStart(Reducer &reducer) {
  SmallVector<ScalarRegister> values = reducer.start();
  const SmallVector<ScalarRegister> start(values);
  if (!reducer.combine(values, start))
    return failure();
  return llvm::equal(values, start, [](ScalarRegister a, ScalarRegister b) {
    return a.i == b.i; // the bits of f
  });
}

/// result[x] = body(result[x - 1], input[x]) along the scan, from the initial
/// value on; in reverse body(input[x], result[x + 1]), from the last element
/// on. Elements keep their order, and the sums of n windows take n steps.
static FailureOr<RuntimeValues> runScan(Reducer &reducer, HloScan scan) {
  const Tensor &input = reducer.inputs[0];
  const int64_t size = input.getDim(scan.dim);
  HloIndex starts(input.getShape());
  starts[scan.dim] = 1;
  bool ok = forEachIndex(starts, [&](const HloIndex &first) {
    HloIndex at(first);
    SmallVector<ScalarRegister> values = reducer.start();
    for (int64_t k = 0; k < size; ++k) {
      at[scan.dim] = scan.isReverse ? size - 1 - k : k;
      SmallVector<ScalarRegister> elements;
      for (const Tensor &tensor : reducer.inputs)
        elements.push_back(load(tensor, at));
      if (scan.isReverse)
        std::swap(values, elements);
      if (!reducer.combine(values, elements))
        return false;
      for (auto [result, value] : llvm::zip_equal(reducer.results, values))
        store(result, at, value);
    }
    return true;
  });
  if (!ok)
    return failure();
  return toResults(reducer.op, reducer.results);
}

/// result[x] = the elements of window x; padding counts as the initial value.
static FailureOr<RuntimeValues> runReduceWindow(Operation *op,
                                                const Environment &env) {
  auto windows = readHlo(op, HloWindows::read);
  if (failed(windows))
    return failure();
  FailureOr<Reducer> reducer = Reducer::get(op, windows->numInputs, env);
  if (failed(reducer))
    return failure();
  if (std::optional<HloScan> scan = windows->getScan()) {
    FailureOr<bool> isScan = keepsStart(*reducer);
    if (failed(isScan))
      return failure();
    if (*isScan)
      return runScan(*reducer, *scan);
  }
  if (runReduceWindowFast(*windows, reducer->body.getProgram(), reducer->inputs,
                          reducer->inits, reducer->results))
    return toResults(op, reducer->results);
  HloIndex window, at(windows->dims.size());
  for (const HloWindowDim &dim : windows->dims)
    window.push_back(dim.window);
  SmallVector<ScalarRegister> inits = reducer->start();
  return reducer->run(
      [&](const HloIndex &x, SmallVectorImpl<ScalarRegister> &values) {
        return forEachIndex(window, [&](const HloIndex &w) {
          bool isInside = true;
          for (auto [i, dim] : llvm::enumerate(windows->dims)) {
            std::optional<int64_t> place = getInputIndex(dim, x[i], w[i]);
            isInside &= place.has_value();
            at[i] = place.value_or(0);
          }
          return isInside ? reducer->combineAt(values, at)
                          : reducer->combine(values, inits);
        });
      });
}

/// result = the initial value, and source[x] combined with it where window x of
/// the operand has its chosen element: the first one, and any other that
/// select(chosen, other) does not keep it against. Padding is not an element; a
/// window of nothing else chooses none.
static FailureOr<RuntimeValues> runSelectAndScatter(Operation *op,
                                                    const Environment &env) {
  auto windows = readHlo(op, HloWindows::readSelect);
  if (failed(windows))
    return failure();
  const Tensor &operand = env.getTensor(op->getOperand(0));
  const Tensor &source = env.getTensor(op->getOperand(1));
  SmallVector<Type> types(2, getElementTypeOrSelf(op->getResult(0).getType()));
  FailureOr<HloBody> select = HloBody::compile(op, 0, types, 1, env);
  FailureOr<HloBody> scatter = HloBody::compile(op, 1, types, 1, env);
  if (failed(select) || failed(scatter))
    return failure();
  if (!getElementTypeOrSelf(
           op->getRegion(0).front().back().getOperand(0).getType())
           .isInteger(1))
    return emitMalformed(op, "its choice must be an i1");
  Block &block = op->getRegion(1).front();
  const bool isSum = isHloSum(block, 0);
  FailureOr<Tensor> result = isSum ? createSums(op) : createHloResult(op);
  if (failed(result))
    return failure();
  const ElementType type = result->getElementType();
  FailureOr<Tensor> init =
      reportAt(op, kernels::convert(env.getTensor(op->getOperand(2)), type));
  if (failed(init))
    return failure();
  fillElements(*result, *init);
  if (isSum)
    scatter->setType(block.back().getOperand(0).getDefiningOp(), type);

  HloIndex window, at(operand.getRank()), chosen;
  for (const HloWindowDim &dim : windows->dims)
    window.push_back(dim.window);
  bool ok = forEachIndex(source.getShape(), [&](const HloIndex &x) {
    std::optional<ScalarRegister> best;
    bool ok = forEachIndex(window, [&](const HloIndex &w) {
      for (auto [i, dim] : llvm::enumerate(windows->dims)) {
        std::optional<int64_t> place = getInputIndex(dim, x[i], w[i]);
        if (!place)
          return true;
        at[i] = *place;
      }
      ScalarRegister value = load(operand, at);
      if (best) {
        auto keeps = select->run({*best, value});
        if (failed(keeps) || keeps->front().i != 0)
          return succeeded(keeps);
      }
      best = value;
      chosen = at;
      return true;
    });
    if (!ok || !best)
      return ok;
    auto value = scatter->run({load(*result, chosen), load(source, x)});
    if (succeeded(value))
      store(*result, chosen, value->front());
    return succeeded(value);
  });
  if (!ok)
    return failure();
  return toResults(op, *result);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// The products of an op's factors, summed over loops that are added one by one.
struct Product {
  Operation *op;
  /// Of types that contractions take; the sums are zeros.
  Tensor lhs, rhs, sums;
  StridedContraction contraction;

  static FailureOr<Product> get(Operation *op, const Environment &env);

  void addPoint(int64_t size, int64_t out, int64_t left, int64_t right) {
    contraction.points.push_back(size);
    contraction.out.pointSteps.push_back(out);
    contraction.lhs.pointSteps.push_back(left);
    contraction.rhs.pointSteps.push_back(right);
  }
  void addSum(int64_t size, int64_t left, int64_t right) {
    contraction.sums.push_back(size);
    contraction.lhs.sumSteps.push_back(left);
    contraction.rhs.sumSteps.push_back(right);
  }
  /// The op's result, where rhs is read from element `rhsStart` on.
  FailureOr<RuntimeValues> run(int64_t rhsStart = 0);
};
} // namespace

/// Sums of booleans tell whether any product is 1.
static bool isDisjunction(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1);
}

/// Factor i in the type of sums: integers keep their values, and become floats
/// where those are summed; of what is not a boolean, a disjunction takes a bit.
static FailureOr<Tensor> convertFactor(Operation *op, unsigned i,
                                       const Tensor &factor, ElementType type) {
  FailureOr<Tensor> result =
      reportAt(op, Tensor::create(type, factor.getShape()));
  if (failed(result))
    return failure();
  const ElementType from = factor.getElementType();
  const bool isUnsigned =
      getElementTypeOrSelf(op->getOperand(i).getType()).isUnsignedInteger();
  forEachIndex(factor.getShape(), [&](const HloIndex &x) {
    ScalarRegister value = load(factor, x);
    if (isUnsigned)
      value.i = zeroExtend(value.i, from);
    if (isDisjunction(op))
      value.i &= 1;
    if (isFloat(type) && !isFloat(from))
      value.f = isUnsigned ? double(uint64_t(value.i)) : double(value.i);
    store(*result, x, value);
  });
  return result;
}

FailureOr<Product> Product::get(Operation *op, const Environment &env) {
  FailureOr<Tensor> sums = createSums(op);
  if (failed(sums))
    return failure();
  std::string why;
  if (!hasHloProducts({op, why}))
    return emitMalformed(op, why);
  if (isDisjunction(op))
    sums = reportAt(op, kernels::convert(*sums, ElementType::I64));
  FailureOr<Tensor> lhs = env.getTensor(op->getOperand(0)),
                    rhs = env.getTensor(op->getOperand(1));
  // Contractions extend factors that are equally wide, by their sign.
  const ElementType type = lhs->getElementType();
  if (succeeded(sums) &&
      (isDisjunction(op) || type == ElementType::I1 ||
       type != rhs->getElementType() ||
       !isExtension(type, sums->getElementType()) ||
       (type != sums->getElementType() &&
        llvm::any_of(op->getOperands(), [](Value operand) {
          return getElementTypeOrSelf(operand.getType()).isUnsignedInteger();
        })))) {
    lhs = convertFactor(op, 0, *lhs, sums->getElementType());
    rhs = convertFactor(op, 1, *rhs, sums->getElementType());
  }
  if (failed(sums) || failed(lhs) || failed(rhs))
    return failure();
  return Product{op, *lhs, *rhs, *sums, {}};
}

FailureOr<RuntimeValues> Product::run(int64_t rhsStart) {
  contraction.type = lhs.getElementType();
  contraction.sumType = sums.getElementType();
  contraction.lhs.data = lhs.getDataAs<char>();
  contraction.rhs.data =
      rhs.getDataAs<char>() + rhsStart * byteSize(contraction.type);
  contraction.out.data = sums.getDataAs<char>();
  if (sums.getNumElements() != 0 && !llvm::is_contained(contraction.sums, 0))
    runContraction(contraction);
  if (isDisjunction(op))
    for (int64_t i = 0, e = sums.getNumElements(); i < e; ++i)
      sums.getDataAs<int64_t>()[i] = sums.getDataAs<int64_t>()[i] != 0;
  return toResults(op, sums);
}

/// out[b, l, r] = sum over k of lhs[b, l, k] rhs[b, r, k]
static FailureOr<RuntimeValues> runDot(Operation *op, const Environment &env) {
  auto dot = readHlo(op, HloDot::read);
  if (failed(dot))
    return failure();
  FailureOr<Product> product = Product::get(op, env);
  if (failed(product))
    return failure();
  const Tensor &lhs = product->lhs, &rhs = product->rhs;
  ArrayRef<int64_t> out = product->sums.getStrides(), left = lhs.getStrides(),
                    right = rhs.getStrides();
  size_t next = 0;
  for (auto [l, r] : llvm::zip_equal(dot->lhsBatch, dot->rhsBatch))
    product->addPoint(lhs.getDim(l), out[next++], left[l], right[r]);
  for (int64_t dim : dot->lhsFree)
    product->addPoint(lhs.getDim(dim), out[next++], left[dim], 0);
  for (int64_t dim : dot->rhsFree)
    product->addPoint(rhs.getDim(dim), out[next++], 0, right[dim]);
  for (auto [l, r] : llvm::zip_equal(dot->lhsContract, dot->rhsContract)) {
    if (lhs.getDim(l) != rhs.getDim(r))
      return emitMalformed(op, "its operands differ in a contracted size");
    product->addSum(lhs.getDim(l), left[l], right[r]);
  }
  return product->run();
}

/// out[n, o, f] = sum over w, i of
///   input[N(n, g), stride·o + dilation·w - low, I(g, i)] kernel[w, i, f]
/// where g is the group of f; padding counts as 0.
static FailureOr<RuntimeValues> runConvolution(Operation *op,
                                               const Environment &env) {
  auto conv = readHlo(op, HloConvolution::read);
  if (failed(conv))
    return failure();
  FailureOr<Product> product = Product::get(op, env);
  if (failed(product))
    return failure();
  if (product->sums.getNumElements() == 0)
    return product->run();
  const HloConvolutionNumbers &dims = conv->numbers;
  const Tensor &kernel = product->rhs;
  FailureOr<Tensor> padded = reportAt(
      op, makePadded(product->lhs, conv->windows,
                     SmallVector<int64_t>(dims.input.spatial),
                     Tensor::scalarInt(product->lhs.getElementType(), 0)));
  if (failed(padded))
    return failure();
  product->lhs = *padded;
  ArrayRef<int64_t> out = product->sums.getStrides(), in = padded->getStrides(),
                    at = kernel.getStrides();
  const int64_t groups = conv->groups();
  const int64_t inputs = kernel.getDim(dims.kernel.first),
                outputs = kernel.getDim(dims.kernel.second) / groups,
                batch = product->sums.getDim(dims.output.first);
  product->addPoint(batch, out[dims.output.first], in[dims.input.first], 0);
  for (auto [i, window] : llvm::enumerate(conv->windows))
    product->addPoint(product->sums.getDim(dims.output.spatial[i]),
                      out[dims.output.spatial[i]],
                      window.stride * in[dims.input.spatial[i]], 0);
  product->addPoint(groups, outputs * out[dims.output.second],
                    conv->batchGroups > 1     ? batch * in[dims.input.first]
                    : conv->featureGroups > 1 ? inputs * in[dims.input.second]
                                              : 0,
                    outputs * at[dims.kernel.second]);
  product->addPoint(outputs, out[dims.output.second], 0,
                    at[dims.kernel.second]);
  int64_t start = 0;
  for (auto [i, window] : llvm::enumerate(conv->windows)) {
    int64_t step = at[dims.kernel.spatial[i]];
    if (conv->reversed[i]) {
      start += (window.window - 1) * step;
      step = -step;
    }
    product->addSum(window.window, window.dilation * in[dims.input.spatial[i]],
                    step);
  }
  product->addSum(inputs, in[dims.input.second], at[dims.kernel.first]);
  return product->run(start);
}

void mlir::tensoraccess::addHloReductionEvaluators(OpEvaluators &evaluators) {
  evaluators["reduce"] = runReduce;
  evaluators["reduce_window"] = runReduceWindow;
  evaluators["select_and_scatter"] = runSelectAndScatter;
  evaluators["dot"] = runDot;
  evaluators["dot_general"] = runDot;
  evaluators["convolution"] = runConvolution;
}
