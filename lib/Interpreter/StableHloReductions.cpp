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

#include "StableHloFast.h"
#include "TensorAccess/Core/Kernels.h"
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

/// The place in the input that a window's element meets; none in the padding
/// and between elements that base dilation spreads.
static std::optional<int64_t> getInputIndex(const HloWindowDim &dim, int64_t o,
                                            int64_t w) {
  int64_t place = dim.stride * o + dim.dilation * w - dim.low;
  if (place < 0 || place % dim.base != 0 || place / dim.base >= dim.input)
    return std::nullopt;
  return place / dim.base;
}

/// Whether combining initial values gives the initial values, bit for bit: then
/// any number of them before or behind the elements is the same.
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
/// select(chosen, other) does not keep it against. Padding is no element; a
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
/// A sum of products in one type, that of sums. Operands are converted to it
/// first: integers to floats, too.
class Sum {
public:
  struct Operand {
    ElementType type;
    bool isUnsigned;
  };
  Sum(Operand lhs, Operand rhs, ElementType type)
      : lhs(lhs), rhs(rhs), type(type) {
    clear();
  }
  void clear() {
    if (isFloat(type))
      sum.f = 0;
    else
      sum.i = 0;
  }
  void add(ScalarRegister a, ScalarRegister b) {
    if (isFloat(type)) {
      double product = roundTo(real(a, lhs) * real(b, rhs), type);
      sum.f = roundTo(sum.f + product, type);
    } else if (type == ElementType::I1) {
      sum.i |= a.i & b.i & 1;
    } else {
      uint64_t product = integer(a, lhs) * integer(b, rhs);
      sum.i = wrapTo(int64_t(uint64_t(sum.i) + product), type);
    }
  }
  ScalarRegister get() const { return sum; }

private:
  double real(ScalarRegister value, Operand from) const {
    if (isFloat(from.type))
      return roundTo(value.f, type);
    return roundTo(from.isUnsigned ? double(zeroExtend(value.i, from.type))
                                   : double(value.i),
                   type);
  }
  static uint64_t integer(ScalarRegister value, Operand from) {
    return from.isUnsigned ? zeroExtend(value.i, from.type) : uint64_t(value.i);
  }

  Operand lhs, rhs;
  ElementType type;
  ScalarRegister sum;
};
} // namespace

/// A sum of the operands' products in a type.
static FailureOr<Sum> makeSum(Operation *op, ElementType type) {
  std::string why;
  if (!hasHloProducts(op, why))
    return emitMalformed(op, why);
  auto operand = [&](unsigned i) {
    Type element = getElementTypeOrSelf(op->getOperand(i).getType());
    return Sum::Operand{*getElementTypeOf(element),
                        element.isUnsignedInteger()};
  };
  return Sum(operand(0), operand(1), type);
}

/// out[b, l, r] = sum over k of lhs[b, l, k] rhs[b, r, k]
static FailureOr<RuntimeValues> runDot(Operation *op, const Environment &env) {
  auto dot = readHlo(op, HloDot::read);
  if (failed(dot))
    return failure();
  FailureOr<Tensor> result = createSums(op);
  if (failed(result))
    return failure();
  FailureOr<Sum> sum = makeSum(op, result->getElementType());
  if (failed(sum))
    return failure();
  const Tensor &lhs = env.getTensor(op->getOperand(0));
  const Tensor &rhs = env.getTensor(op->getOperand(1));
  HloIndex contracted, left(lhs.getRank()), right(rhs.getRank());
  for (auto [l, r] : llvm::zip_equal(dot->lhsContract, dot->rhsContract)) {
    contracted.push_back(lhs.getDim(l));
    if (lhs.getDim(l) != rhs.getDim(r))
      return emitMalformed(op, "its operands differ in a contracted size");
  }
  if (runDotFast(op, *dot, lhs, rhs, *result))
    return toResults(op, *result);
  forEachIndex(result->getShape(), [&](const HloIndex &x) {
    size_t next = 0;
    for (auto [l, r] : llvm::zip_equal(dot->lhsBatch, dot->rhsBatch))
      left[l] = right[r] = x[next++];
    for (int64_t dim : dot->lhsFree)
      left[dim] = x[next++];
    for (int64_t dim : dot->rhsFree)
      right[dim] = x[next++];
    sum->clear();
    forEachIndex(contracted, [&](const HloIndex &k) {
      for (auto [i, at] : llvm::enumerate(k)) {
        left[dot->lhsContract[i]] = at;
        right[dot->rhsContract[i]] = at;
      }
      sum->add(load(lhs, left), load(rhs, right));
    });
    store(*result, x, sum->get());
  });
  return toResults(op, *result);
}

/// out[n, o, f] = sum over w, i of
///   input[N(n, g), stride·o + dilation·w - low, I(g, i)] kernel[w, i, f]
/// where g is the group of f; padding counts as 0.
static FailureOr<RuntimeValues> runConvolution(Operation *op,
                                               const Environment &env) {
  auto conv = readHlo(op, HloConvolution::read);
  if (failed(conv))
    return failure();
  FailureOr<Tensor> result = createSums(op);
  if (failed(result))
    return failure();
  FailureOr<Sum> sum = makeSum(op, result->getElementType());
  if (failed(sum))
    return failure();
  const Tensor &input = env.getTensor(op->getOperand(0));
  const Tensor &kernel = env.getTensor(op->getOperand(1));
  if (runConvolutionFast(op, *conv, input, kernel, *result))
    return toResults(op, *result);
  const HloConvolutionNumbers &dims = conv->numbers;
  int64_t groupInputs = kernel.getDim(dims.kernel.first);
  int64_t groupOutputs = kernel.getDim(dims.kernel.second) / conv->groups();
  HloIndex inner; // the window, then the features of a group
  for (const HloWindowDim &window : conv->windows)
    inner.push_back(window.window);
  inner.push_back(groupInputs);
  ScalarRegister zero;
  if (isFloat(input.getElementType()))
    zero.f = 0;
  else
    zero.i = 0;
  HloIndex in(input.getRank()), at(kernel.getRank());
  forEachIndex(result->getShape(), [&](const HloIndex &x) {
    int64_t feature = x[dims.output.second], group = feature / groupOutputs;
    int64_t batch = x[dims.output.first];
    if (conv->batchGroups > 1)
      batch += group * result->getDim(dims.output.first);
    in[dims.input.first] = batch;
    at[dims.kernel.second] = feature;
    sum->clear();
    forEachIndex(inner, [&](const HloIndex &r) {
      int64_t channel = r.back();
      in[dims.input.second] =
          conv->featureGroups > 1 ? group * groupInputs + channel : channel;
      at[dims.kernel.first] = channel;
      bool isInside = true;
      for (auto [i, window] : llvm::enumerate(conv->windows)) {
        auto place = getInputIndex(window, x[dims.output.spatial[i]], r[i]);
        isInside &= place.has_value();
        in[dims.input.spatial[i]] = place.value_or(0);
        at[dims.kernel.spatial[i]] =
            conv->reversed[i] ? window.window - 1 - r[i] : r[i];
      }
      sum->add(isInside ? load(input, in) : zero, load(kernel, at));
    });
    store(*result, x, sum->get());
  });
  return toResults(op, *result);
}

void mlir::tensoraccess::addHloReductionEvaluators(HloEvaluators &evaluators) {
  evaluators["reduce"] = runReduce;
  evaluators["reduce_window"] = runReduceWindow;
  evaluators["select_and_scatter"] = runSelectAndScatter;
  evaluators["dot"] = runDot;
  evaluators["dot_general"] = runDot;
  evaluators["convolution"] = runConvolution;
}
