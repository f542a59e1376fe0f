//===- StablehloReductions.cpp - Reductions and windows to linalg ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction is the loops of its nest (StablehloNest.cpp): its outputs start from
// the initial values, its body is the op's, with the outputs' elements as the first
// half of the arguments. So is one over windows, with initial values around the
// input. Sums of floats below f32 are carried in f32, and rounded at the end. select_and_scatter is a loop over the
// windows, in which one over their elements finds the place that each writes
// to.
//
// Running reductions, windows that all reach to one end, are
// StablehloScans.cpp.
//
//===----------------------------------------------------------------------===//

#include "Lower/AccessLoops.h"
#include "StablehloToLinalg.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The body of an op that reduces numInputs tensors: pairs of each element
/// type.
static Block *getReducer(HloConversion &c, unsigned numInputs) {
  SmallVector<Type> types;
  HloReader reader(c.op, c.why);
  for (unsigned i = 0; i < 2 * numInputs; ++i)
    types.push_back(reader.operandType(i).getElementType());
  for (unsigned i = 0; i < numInputs; ++i)
    if (types[i] != types[numInputs + i] ||
        types[i] != reader.resultType(i).getElementType()) {
      c.fail("it reduces in a type other than its operands'");
      return nullptr;
    }
  return getHloBody(c.op, 0, types, numInputs, c.why);
}

Type tensoraccess::getHloCarriedType(HloConversion &c, Block &body,
                                     unsigned i) {
  Type type = c.resultType(i).getElementType();
  return isHloSum(body, i) ? getSumType(type) : type;
}

Value tensoraccess::getHloCarriedInit(HloConversion &c, Value init, Type type) {
  init = c.scalar(init);
  return init.getType() == type ? init : arith::ExtFOp::create(c.b, type, init);
}

bool tensoraccess::combineHlo(ImplicitLocOpBuilder &b, Block &body,
                              ValueRange before, ValueRange elements,
                              bool isReverse, SmallVectorImpl<Value> &results,
                              std::string &why) {
  // Nothing else in the body reads what a wider sum reads.
  SmallVector<Value> first(before), second(elements);
  for (auto [value, element] : llvm::zip_equal(first, elements))
    if (value.getType() != element.getType())
      value = element;
  if (isReverse)
    std::swap(first, second);
  llvm::append_range(first, second);
  if (!inlineHloBody(b, body, first, results, why))
    return false;
  for (auto [sum, element, result] : llvm::zip_equal(before, elements, results))
    if (sum.getType() != element.getType()) {
      Value wide = arith::ExtFOp::create(b, sum.getType(), element);
      result = arith::AddFOp::create(b, sum, wide);
    }
  return true;
}

/// From the initial values on, which also surround the inputs under windows.
static SmallVector<Value> reduceBy(HloConversion &c, Block &body,
                                   unsigned count) {
  SmallVector<Value> backgrounds, inits;
  SmallVector<Type> types;
  for (unsigned i = 0; i < count; ++i) {
    Value init = c.operand(count + i);
    types.push_back(getHloCarriedType(c, body, i));
    backgrounds.push_back(c.scalar(init));
    inits.push_back(getHloCarriedInit(c, init, types.back()));
  }
  SmallVector<Value> reduced =
      emitHloNest(c, backgrounds, types, inits,
                  [&](ImplicitLocOpBuilder &b, ValueRange args,
                      SmallVectorImpl<Value> &results) {
                    return combineHlo(b, body, args.take_back(count),
                                      args.take_front(count),
                                      /*isReverse=*/false, results, c.why);
                  });
  for (auto [i, value] : llvm::enumerate(reduced))
    value = roundElements(c.b, c.b.getLoc(), value,
                          c.resultType(i).getElementType());
  return reduced;
}

static SmallVector<Value> convertReduce(HloConversion &c) {
  auto reduce = HloReduce::read({c.op, c.why});
  Block *body = reduce ? getReducer(c, reduce->numInputs) : nullptr;
  return body ? reduceBy(c, *body, reduce->numInputs) : SmallVector<Value>();
}

/// Every window by itself.
static SmallVector<Value>
convertWindows(HloConversion &c, const HloWindows &windows, Block &body) {
  // No window fits: the padded input may have no size at all. Without elements
  // the results are the initial values.
  const bool isEmpty = llvm::any_of(
      windows.dims, [](const HloWindowDim &dim) { return dim.window == 0; });
  if (!isEmpty && c.resultType().getNumElements() != 0)
    return reduceBy(c, body, windows.numInputs);
  SmallVector<Value> outputs;
  for (unsigned i = 0; i < windows.numInputs; ++i)
    outputs.push_back(isEmpty
                          ? c.filled(c.resultType(i),
                                     c.scalar(c.operand(windows.numInputs + i)))
                          : c.empty(c.resultType(i)));
  return outputs;
}

static SmallVector<Value> convertReduceWindow(HloConversion &c) {
  auto windows = HloWindows::read({c.op, c.why});
  if (!windows)
    return {};
  Block *body = getReducer(c, windows->numInputs);
  if (!body)
    return {};
  auto convertAll = [&](HloConversion &c) {
    return convertWindows(c, *windows, *body);
  };
  if (std::optional<HloScan> scan = windows->getScan())
    return convertHloScan(c, *scan, *body, convertAll);
  return convertAll(c);
}

namespace {
/// The loops of a select_and_scatter.
struct SelectAndScatter {
  HloConversion &c;
  HloWindows windows;
  Block &select, &scatter;
  Value operand, source;
  bool ok = true;

  /// (whether there is one, the chosen element, its place) after element w of
  /// window x.
  SmallVector<Value> choose(ImplicitLocOpBuilder &b, ValueRange x, ValueRange w,
                            ValueRange chosen) {
    SmallVector<Value> at;
    Value inside = arith::ConstantOp::create(b, b.getBoolAttr(true));
    for (auto [i, dim] : llvm::enumerate(windows.dims)) {
      auto scale = [&](Value value, int64_t by) -> Value {
        return arith::MulIOp::create(b, value,
                                     arith::ConstantIndexOp::create(b, by));
      };
      Value place = arith::AddIOp::create(b, scale(x[i], dim.stride),
                                          scale(w[i], dim.dilation));
      at.push_back(arith::SubIOp::create(
          b, place, arith::ConstantIndexOp::create(b, dim.low)));
      // As unsigned numbers, negative places are too large.
      Value fits =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at.back(),
                                arith::ConstantIndexOp::create(b, dim.input));
      inside = arith::AndIOp::create(b, inside, fits);
    }
    return makeHloIf(b, inside, chosen, [&](ImplicitLocOpBuilder &b) {
      Value value = tensor::ExtractOp::create(b, operand, at);
      SmallVector<Value> keeps;
      ok = ok && inlineHloBody(b, select, {chosen[1], value}, keeps, c.why);
      if (ok && !keeps[0].getType().isInteger(1)) {
        c.fail("its choice must be an i1");
        ok = false;
      }
      if (!ok)
        return SmallVector<Value>(chosen);
      Value stays = arith::AndIOp::create(b, chosen[0], keeps[0]);
      SmallVector<Value> next{
          arith::ConstantOp::create(b, b.getBoolAttr(true)),
          arith::SelectOp::create(b, stays, chosen[1], value)};
      for (auto [before, place] : llvm::zip_equal(chosen.drop_front(2), at))
        next.push_back(arith::SelectOp::create(b, stays, before, place));
      return next;
    });
  }

  /// The result after source element x.
  SmallVector<Value> scatterAt(ImplicitLocOpBuilder &b, ValueRange x,
                               ValueRange result) {
    SmallVector<int64_t> sizes;
    SmallVector<Value> none{
        arith::ConstantOp::create(b, b.getBoolAttr(false)),
        arith::ConstantOp::create(
            b, b.getZeroAttr(getElementTypeOrSelf(operand.getType())))};
    for (const HloWindowDim &dim : windows.dims) {
      sizes.push_back(dim.window);
      none.push_back(arith::ConstantIndexOp::create(b, 0));
    }
    SmallVector<Value> chosen = makeHloLoops(
        b, sizes, none,
        [&](ImplicitLocOpBuilder &b, ValueRange w, ValueRange chosen) {
          return choose(b, x, w, chosen);
        });
    ValueRange place = ValueRange(chosen).drop_front(2);
    return makeHloIf(b, chosen[0], result, [&](ImplicitLocOpBuilder &b) {
      Value before = tensor::ExtractOp::create(b, result[0], place);
      Value element = tensor::ExtractOp::create(b, source, x);
      SmallVector<Value> value;
      ok = ok && combineHlo(b, scatter, before, element, /*isReverse=*/false,
                            value, c.why);
      if (!ok)
        return SmallVector<Value>(result);
      return SmallVector<Value>{
          tensor::InsertOp::create(b, value[0], result[0], place)};
    });
  }
};
} // namespace

static SmallVector<Value> convertSelectAndScatter(HloConversion &c) {
  auto windows = HloWindows::readSelect({c.op, c.why});
  if (!windows)
    return {};
  const Type element = HloReader(c.op, c.why).resultType().getElementType();
  SmallVector<Type> types(2, element);
  Block *select = getHloBody(c.op, 0, types, 1, c.why);
  Block *scatter = getHloBody(c.op, 1, types, 1, c.why);
  if (!select || !scatter)
    return {};
  Type carried = getHloCarriedType(c, *scatter, 0);
  Value init = getHloCarriedInit(c, c.operand(2), carried);
  Value start = c.filled(c.resultType().clone(carried), init);
  SelectAndScatter loops{c,        *windows,     *select,
                         *scatter, c.operand(0), c.operand(1)};
  SmallVector<Value> results = makeHloLoops(
      c.b, HloReader(c.op, c.why).in(1), start,
      [&](ImplicitLocOpBuilder &b, ValueRange x, ValueRange result) {
        return loops.scatterAt(b, x, result);
      });
  if (!loops.ok)
    return {};
  return {roundElements(c.b, c.b.getLoc(), results[0],
                        c.resultType().getElementType())};
}

void tensoraccess::addHloReductions(HloConverters &converters) {
  converters["reduce"] = convertReduce;
  converters["reduce_window"] = convertReduceWindow;
  converters["select_and_scatter"] = convertSelectAndScatter;
}
