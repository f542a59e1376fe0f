//===- StablehloReductions.cpp - Reductions, windows, sorting to linalg ---===//
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
// loops of the window are reduction loops.
//
// Sorting counts: element i of a line goes to the place
//   #{j : j before i} with  j before i = cmp(j, i) or (j < i and not cmp(i, j))
// which is stable, has no branches, and stays inside of the line even if the
// comparator is no order. It takes n² comparisons a line.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using utils::IteratorType;

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

static SmallVector<Value> reduceBy(HloConversion &c, Block &body,
                                   ValueRange inputs, ValueRange outputs,
                                   ArrayRef<AffineMap> maps,
                                   ArrayRef<IteratorType> iterators) {
  unsigned count = outputs.size();
  return makeHloGeneric(c, inputs, outputs, maps, iterators,
                        [&](ImplicitLocOpBuilder &b, ValueRange args,
                            SmallVectorImpl<Value> &results) {
                          SmallVector<Value> operands(args.take_back(count));
                          llvm::append_range(operands, args.take_front(count));
                          return inlineHloBody(b, body, operands, results,
                                               c.why);
                        });
}

static SmallVector<Value> convertReduce(HloConversion &c) {
  auto reduce = HloReduce::read(c.op, c.why);
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
    Value empty = tensor::EmptyOp::create(c.b, type, sizes);
    Value init = c.scalar(c.operand(reduce->numInputs + i));
    outputs.push_back(linalg::FillOp::create(c.b, init, empty).getResult(0));
  }
  SmallVector<AffineMap> maps(inputs.size(), c.b.getMultiDimIdentityMap(rank));
  SmallVector<AffineExpr> kept;
  for (int64_t dim : reduce->kept)
    kept.push_back(c.b.getAffineDimExpr(dim));
  maps.append(outputs.size(), AffineMap::get(rank, 0, kept, c.b.getContext()));
  SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
  for (int64_t dim : reduce->dims)
    iterators[dim] = IteratorType::reduction;
  return reduceBy(c, *body, inputs, outputs, maps, iterators);
}

static SmallVector<Value> convertReduceWindow(HloConversion &c) {
  auto windows = HloWindows::read(c.op, c.why);
  if (!windows)
    return {};
  Block *body = getReducer(c, windows->numInputs);
  if (!body)
    return {};
  // Loops: the result's, then one for each window longer than 1.
  unsigned rank = windows->dims.size(), numLoops = rank;
  SmallVector<int64_t> low, high, interior, windowShape;
  SmallVector<AffineExpr> reads, windowLoops;
  bool isEmpty = false;
  for (auto [i, dim] : llvm::enumerate(windows->dims)) {
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
  for (unsigned i = 0; i < windows->numInputs; ++i) {
    Value init = c.scalar(c.operand(windows->numInputs + i));
    outputs.push_back(c.filled(c.resultType(i), init));
    if (!isEmpty)
      inputs.push_back(padHlo(c, c.operand(i), init, low, high, interior));
  }
  if (isEmpty || c.resultType().getNumElements() == 0)
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
  SmallVector<IteratorType> iterators(numLoops, IteratorType::reduction);
  std::fill_n(iterators.begin(), rank, IteratorType::parallel);
  return reduceBy(c, *body, inputs, outputs, maps, iterators);
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// The place in its line that each element goes to.
static Value getPlaces(HloConversion &c, Block &comparator, ValueRange inputs,
                       int64_t axis) {
  auto type = cast<RankedTensorType>(inputs[0].getType());
  int64_t rank = type.getRank();
  MLIRContext *context = c.b.getContext();
  // Loops: those of the result, then j along the axis.
  SmallVector<AffineExpr> mine, theirs;
  for (int64_t i = 0; i < rank; ++i) {
    mine.push_back(c.b.getAffineDimExpr(i));
    theirs.push_back(c.b.getAffineDimExpr(i == axis ? rank : i));
  }
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (Value input : inputs) {
    operands.append({input, input});
    maps.push_back(AffineMap::get(rank + 1, 0, mine, context));
    maps.push_back(AffineMap::get(rank + 1, 0, theirs, context));
  }
  maps.push_back(AffineMap::get(rank + 1, 0, mine, context));
  SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
  iterators.push_back(IteratorType::reduction);
  Value zeros = c.filled(type.clone(c.b.getIndexType()), c.index(0));
  SmallVector<Value> places = makeHloGeneric(
      c, operands, zeros, maps, iterators,
      [&](ImplicitLocOpBuilder &b, ValueRange args,
          SmallVectorImpl<Value> &results) {
        SmallVector<Value> forward, backward, before, after;
        for (unsigned k = 0; k < inputs.size(); ++k) {
          forward.append({args[2 * k + 1], args[2 * k]});
          backward.append({args[2 * k], args[2 * k + 1]});
        }
        if (!inlineHloBody(b, comparator, forward, before, c.why) ||
            !inlineHloBody(b, comparator, backward, after, c.why))
          return false;
        Value i = linalg::IndexOp::create(b, axis);
        Value j = linalg::IndexOp::create(b, rank);
        Value isEarlier =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, j, i);
        Value isOther =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ne, j, i);
        Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
        Value isNotAfter = arith::XOrIOp::create(b, after[0], yes);
        Value tie = arith::AndIOp::create(b, isEarlier, isNotAfter);
        Value isBefore = arith::OrIOp::create(b, before[0], tie);
        isBefore = arith::AndIOp::create(b, isBefore, isOther);
        Value one = arith::IndexCastUIOp::create(b, b.getIndexType(), isBefore);
        results.push_back(arith::AddIOp::create(b, args.back(), one));
        return true;
      });
  return places.empty() ? Value() : places[0];
}

static SmallVector<Value> convertSort(HloConversion &c) {
  HloReader reader(c.op, c.why);
  unsigned count = c.op->getNumOperands();
  if (count == 0 || !reader.hasTensors(-1, count))
    return c.fail("it must have a result for each operand");
  SmallVector<Type> types;
  for (unsigned i = 0; i < count; ++i) {
    if (reader.in(i) != reader.in(0) ||
        reader.operandType(i) != reader.resultType(i) ||
        !reader.operandType(i).hasStaticShape())
      return c.fail("its tensors must have one static shape");
    types.append(2, reader.operandType(i).getElementType());
  }
  int64_t rank = reader.in(0).size();
  auto axis = reader.integer("dimension", -1);
  if (!axis || *axis < -rank || *axis >= rank)
    return c.fail("its dimension must be one of its operands'");
  if (*axis < 0)
    *axis += rank;
  Block *comparator = getHloBody(c.op, 0, types, 1, c.why);
  if (!comparator)
    return {};
  if (!cast<ShapedType>(comparator->back().getOperand(0).getType())
           .getElementType()
           .isInteger(1))
    return c.fail("its comparator must return a boolean");
  SmallVector<Value> inputs = c.operands(), results;
  Value places = getPlaces(c, *comparator, inputs, *axis);
  if (!places)
    return {};
  for (unsigned i = 0; i < count; ++i)
    results.push_back(c.empty(c.resultType(i)));
  // for each element: result[..., place, ...] = element
  SmallVector<Value> lows(rank, c.index(0)), highs, steps(rank, c.index(1));
  for (int64_t size : reader.in(0))
    highs.push_back(c.index(size));
  scf::LoopNest nest = scf::buildLoopNest(
      c.b, c.b.getLoc(), lows, highs, steps, results,
      [&](OpBuilder &nested, Location loc, ValueRange index,
          ValueRange current) -> scf::ValueVector {
        ImplicitLocOpBuilder b(loc, nested);
        SmallVector<Value> at(index);
        at[*axis] = tensor::ExtractOp::create(b, places, index);
        scf::ValueVector next;
        for (unsigned i = 0; i < count; ++i) {
          Value element = tensor::ExtractOp::create(b, inputs[i], index);
          next.push_back(tensor::InsertOp::create(b, element, current[i], at));
        }
        return next;
      });
  return SmallVector<Value>(nest.results);
}

void tensoraccess::addHloReductions(HloConverters &converters) {
  converters["reduce"] = convertReduce;
  converters["reduce_window"] = convertReduceWindow;
  converters["sort"] = convertSort;
}
