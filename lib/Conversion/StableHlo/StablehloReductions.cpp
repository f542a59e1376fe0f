//===- StablehloReductions.cpp - Reductions and windows to linalg ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction is one linalg.generic: its outputs start from the initial values,
// its body is the op's, with the outputs' elements as the first half of the
// arguments. A window reduction does the same on the padded input, where the
// loops of the window are reduction loops. Sums of floats below f32 are carried
// in f32, and rounded at the end. select_and_scatter is a loop over the
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
      c.fail("it reduces in another type than its operands'");
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

/// `outputs` hold the initial values.
static SmallVector<Value> reduceBy(HloConversion &c, Block &body,
                                   ValueRange inputs, ValueRange outputs,
                                   ArrayRef<AffineMap> maps) {
  const unsigned count = outputs.size();
  SmallVector<Value> reduced =
      makeHloGeneric(c, inputs, outputs, maps,
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
  if (!reduce)
    return {};
  Block *body = getReducer(c, reduce->numInputs);
  if (!body)
    return {};
  SmallVector<Value> inputs, outputs;
  int64_t rank = cast<ShapedType>(c.operand(0).getType()).getRank();
  for (unsigned i = 0; i < reduce->numInputs; ++i) {
    inputs.push_back(c.operand(i));
    RankedTensorType type = c.resultType(i);
    SmallVector<Value> sizes;
    for (auto [k, dim] : llvm::enumerate(reduce->kept))
      if (type.isDynamicDim(k))
        sizes.push_back(tensor::DimOp::create(c.b, inputs[0], dim));
    Type carried = getHloCarriedType(c, *body, i);
    Value empty = tensor::EmptyOp::create(c.b, type.clone(carried), sizes);
    Value init =
        getHloCarriedInit(c, c.operand(reduce->numInputs + i), carried);
    outputs.push_back(linalg::FillOp::create(c.b, init, empty).getResult(0));
  }
  SmallVector<AffineMap> maps(inputs.size(), c.b.getMultiDimIdentityMap(rank));
  SmallVector<AffineExpr> kept;
  for (int64_t dim : reduce->kept)
    kept.push_back(c.b.getAffineDimExpr(dim));
  maps.append(outputs.size(), AffineMap::get(rank, 0, kept, c.b.getContext()));
  return reduceBy(c, *body, inputs, outputs, maps);
}

/// Every window by itself.
static SmallVector<Value>
convertWindows(HloConversion &c, const HloWindows &windows, Block &body) {
  // Loops: the result's, then one for each window longer than 1.
  unsigned rank = windows.dims.size(), numLoops = rank;
  SmallVector<int64_t> low, high, interior, windowShape;
  SmallVector<AffineExpr> reads, windowLoops;
  bool isEmpty = false;
  for (auto [i, dim] : llvm::enumerate(windows.dims)) {
    low.push_back(dim.low);
    high.push_back(dim.high);
    interior.push_back(dim.base - 1);
    isEmpty |= dim.window == 0;
    reads.push_back(c.b.getAffineDimExpr(i) * dim.stride);
    if (dim.window <= 1)
      continue;
    AffineExpr loop = c.b.getAffineDimExpr(numLoops++);
    windowShape.push_back(dim.window);
    windowLoops.push_back(loop);
    reads.back() = reads.back() + loop * dim.dilation;
  }
  SmallVector<Value> inputs, outputs;
  // No window fits: the padded input may have no size at all.
  if (c.resultType().getNumElements() == 0) {
    for (unsigned i = 0; i < windows.numInputs; ++i)
      outputs.push_back(c.empty(c.resultType(i)));
    return outputs;
  }
  for (unsigned i = 0; i < windows.numInputs; ++i) {
    Value init = c.operand(windows.numInputs + i);
    // Without elements the results are the initial values.
    Type carried = isEmpty ? c.resultType(i).getElementType()
                           : getHloCarriedType(c, body, i);
    outputs.push_back(c.filled(c.resultType(i).clone(carried),
                               getHloCarriedInit(c, init, carried)));
    if (!isEmpty)
      inputs.push_back(
          padHlo(c, c.operand(i), c.scalar(init), low, high, interior));
  }
  if (isEmpty)
    return outputs;
  MLIRContext *context = c.b.getContext();
  SmallVector<AffineMap> maps(inputs.size(),
                              AffineMap::get(numLoops, 0, reads, context));
  // A tensor that nothing reads gives the window's loops their ranges.
  unsigned count = inputs.size();
  if (!windowShape.empty()) {
    auto type = RankedTensorType::get(windowShape, c.b.getI1Type());
    inputs.push_back(c.empty(type));
    maps.push_back(AffineMap::get(numLoops, 0, windowLoops, context));
  }
  maps.append(count, getLeadingDims(c, numLoops, rank));
  return reduceBy(c, body, inputs, outputs, maps);
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
