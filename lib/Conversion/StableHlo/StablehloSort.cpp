//===- StablehloSort.cpp - Sorting to loops that merge --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line is copied, sorted and copied back. Sorting merges runs of 1, 2, 4,
// … elements from one copy to another one and back again:
//
//   for each pair of neighbouring runs:  left, right = where they begin
//     for each place of both:
//       right if any is left there, and none in the left run or its element
//       precedes that of the left one; else left
//
// It is stable, takes n·log n comparisons and has no branches: elements are
// chosen, and what a run that is used up would give is read inside of the line
// and not taken. Any comparator gives a permutation.
//
// top_k of a quarter or less keeps the best elements of a line, with their places,
// in a heap, whose root is the worst of them, and takes the heap apart; of more it
// sorts elements with their places, and keeps the first of them.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// Whether the elements `right` precede `left`; null where that cannot be
/// written.
using Comparator = function_ref<Value(
    ImplicitLocOpBuilder &, ArrayRef<Value> right, ArrayRef<Value> left)>;

/// A sort of lines of `size` elements of several tensors.
struct LineSort {
  Comparator comparator;
  int64_t size;
  bool ok = true;

  Value index(ImplicitLocOpBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  static SmallVector<Value> extract(ImplicitLocOpBuilder &b, ValueRange tensors,
                                    ValueRange at) {
    return llvm::map_to_vector(tensors, [&](Value tensor) -> Value {
      return tensor::ExtractOp::create(b, tensor, at);
    });
  }

  static SmallVector<Value> insert(ImplicitLocOpBuilder &b, ValueRange elements,
                                   ValueRange tensors, ValueRange at) {
    SmallVector<Value> results;
    for (auto [element, tensor] : llvm::zip_equal(elements, tensors))
      results.push_back(tensor::InsertOp::create(b, element, tensor, at));
    return results;
  }

  using Body = function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, Value,
                                               ValueRange)>;
  /// for k in [low, high) by step: the carried values = body(k, them)
  SmallVector<Value> loop(ImplicitLocOpBuilder &b, Value low, Value high,
                          Value step, ValueRange carried, Body body) {
    auto op = scf::ForOp::create(
        b, low, high, step, carried,
        [&](OpBuilder &nested, Location loc, Value k, ValueRange current) {
          ImplicitLocOpBuilder b(loc, nested);
          scf::YieldOp::create(b, body(b, k, current));
        });
    return SmallVector<Value>(op.getResults());
  }

  Value precedes(ImplicitLocOpBuilder &b, ArrayRef<Value> right,
                 ArrayRef<Value> left) {
    if (Value value = comparator(b, right, left))
      return value;
    ok = false;
    return arith::ConstantOp::create(b, b.getBoolAttr(false));
  }

  /// Merges runs of `run` elements of lines `from` into lines `to`.
  SmallVector<Value> merge(ImplicitLocOpBuilder &b, ValueRange from,
                           ValueRange to, Value run) {
    Value zero = index(b, 0), one = index(b, 1), last = index(b, size - 1),
          end = index(b, size);
    Value pair = arith::AddIOp::create(b, run, run);
    return loop(
        b, zero, end, pair, to, [&](auto &b, Value begin, ValueRange lines) {
          Value middle = arith::AddIOp::create(b, begin, run);
          middle = arith::MinUIOp::create(b, middle, end);
          Value stop = arith::AddIOp::create(b, begin, pair);
          stop = arith::MinUIOp::create(b, stop, end);
          SmallVector<Value> carried{begin, middle};
          llvm::append_range(carried, lines);
          carried = loop(
              b, begin, stop, one, carried,
              [&](auto &b, Value place, ValueRange current) {
                Value left = current[0], right = current[1];
                Value inLeft = arith::MinUIOp::create(b, left, last);
                Value inRight = arith::MinUIOp::create(b, right, last);
                SmallVector<Value> lefts = extract(b, from, inLeft);
                SmallVector<Value> rights = extract(b, from, inRight);
                Value hasRight = arith::CmpIOp::create(
                    b, arith::CmpIPredicate::ult, right, stop);
                Value hasNoLeft = arith::CmpIOp::create(
                    b, arith::CmpIPredicate::uge, left, middle);
                Value takesRight = arith::OrIOp::create(
                    b, hasNoLeft, precedes(b, rights, lefts));
                takesRight = arith::AndIOp::create(b, hasRight, takesRight);
                SmallVector<Value> chosen;
                for (auto [l, r] : llvm::zip_equal(lefts, rights))
                  chosen.push_back(
                      arith::SelectOp::create(b, takesRight, r, l));
                // One of both moves on.
                Value step = arith::IndexCastUIOp::create(b, b.getIndexType(),
                                                          takesRight);
                Value other = arith::SubIOp::create(b, one, step);
                SmallVector<Value> next{arith::AddIOp::create(b, left, other),
                                        arith::AddIOp::create(b, right, step)};
                llvm::append_range(
                    next, insert(b, chosen, current.drop_front(2), place));
                return next;
              });
          return SmallVector<Value>(llvm::drop_begin(carried, 2));
        });
  }

  /// Sorts lines in place, with others to merge into.
  SmallVector<Value> sort(ImplicitLocOpBuilder &b, ValueRange both) {
    const unsigned count = both.size() / 2;
    // Two merges an iteration: there and back.
    const int64_t iterations = (llvm::Log2_64_Ceil(size) + 1) / 2;
    SmallVector<Value> carried{index(b, 1)};
    llvm::append_range(carried, both);
    carried =
        loop(b, index(b, 0), index(b, iterations), index(b, 1), carried,
             [&](auto &b, Value, ValueRange current) {
               Value run = current[0];
               ValueRange lines = current.slice(1, count);
               SmallVector<Value> there =
                   merge(b, lines, current.drop_front(1 + count), run);
               Value twice = arith::AddIOp::create(b, run, run);
               SmallVector<Value> next{arith::AddIOp::create(b, twice, twice)};
               llvm::append_range(next, merge(b, there, lines, twice));
               llvm::append_range(next, there);
               return next;
             });
    return SmallVector<Value>(llvm::drop_begin(carried));
  }
};
} // namespace

/// Tensors of one static shape, each line along the axis sorted; none where the
/// comparator fails.
static SmallVector<Value> sortLines(HloConversion &c, ArrayRef<Value> inputs,
                                    int64_t axis, Comparator comparator) {
  auto typeOf = [&](Value input) {
    return cast<RankedTensorType>(input.getType());
  };
  ArrayRef<int64_t> shape = typeOf(inputs[0]).getShape();
  const unsigned count = inputs.size();
  SmallVector<Value> carried;
  if (shape[axis] <= 1 || typeOf(inputs[0]).getNumElements() == 0)
    return SmallVector<Value>(inputs);
  for (Value input : inputs)
    carried.push_back(c.empty(typeOf(input)));
  for (unsigned copy = 0; copy < 2; ++copy)
    for (Value input : inputs)
      carried.push_back(c.empty(
          RankedTensorType::get(shape[axis], typeOf(input).getElementType())));
  LineSort sort{comparator, shape[axis]};
  SmallVector<int64_t> lines(shape);
  lines[axis] = 1;
  carried = makeHloLoops(
      c.b, lines, carried,
      [&](ImplicitLocOpBuilder &b, ValueRange first, ValueRange current) {
        ValueRange results = current.take_front(count),
                   lines = current.slice(count, count);
        Value zero = sort.index(b, 0), one = sort.index(b, 1),
              end = sort.index(b, sort.size);
        auto at = [&](Value place) {
          SmallVector<Value> index(first);
          index[axis] = place;
          return index;
        };
        SmallVector<Value> both = sort.loop(
            b, zero, end, one, lines, [&](auto &b, Value k, ValueRange lines) {
              return LineSort::insert(b, LineSort::extract(b, inputs, at(k)),
                                      lines, k);
            });
        llvm::append_range(both, current.take_back(count));
        both = sort.sort(b, both);
        ValueRange sorted = ArrayRef(both).take_front(count);
        SmallVector<Value> next =
            sort.loop(b, zero, end, one, results,
                      [&](auto &b, Value k, ValueRange results) {
                        return LineSort::insert(
                            b, LineSort::extract(b, sorted, k), results, at(k));
                      });
        llvm::append_range(next, both);
        return next;
      });
  if (!sort.ok)
    return {};
  carried.truncate(count);
  return carried;
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
  ArrayRef<int64_t> shape = reader.in(0);
  int64_t rank = shape.size();
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
  return sortLines(c, c.operands(), *axis,
                   [&](ImplicitLocOpBuilder &b, ArrayRef<Value> right,
                       ArrayRef<Value> left) {
                     SmallVector<Value> operands, results;
                     for (auto [r, l] : llvm::zip_equal(right, left))
                       operands.append({r, l});
                     return inlineHloBody(b, *comparator, operands, results,
                                          c.why)
                                ? results[0]
                                : Value();
                   });
}

namespace {
/// An element and its place.
struct Placed {
  Value element, place;
};

/// The best elements of a line along the last dimension, in the results.
struct BestOfLine {
  Value input;
  int64_t size, k;
  bool isUnsigned;
  SmallVector<Value> line;

  using B = ImplicitLocOpBuilder;
  static Value index(B &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  SmallVector<Value> at(Value place) const {
    SmallVector<Value> all(line);
    all.push_back(place);
    return all;
  }
  Value placeOf(B &b, ValueRange results, Value i) const {
    return arith::IndexCastOp::create(
        b, getElementTypeOrSelf(results[1].getType()), i);
  }
  Placed get(B &b, ValueRange results, Value i) const {
    return {tensor::ExtractOp::create(b, results[0], at(i)),
            tensor::ExtractOp::create(b, results[1], at(i))};
  }
  SmallVector<Value> set(B &b, ValueRange results, Value i, Placed item) const {
    return {tensor::InsertOp::create(b, item.element, results[0], at(i)),
            tensor::InsertOp::create(b, item.place, results[1], at(i))};
  }
  Value isWorse(B &b, Placed x, Placed y) const {
    Value isLess = emitHloGreater(b, y.element, x.element, isUnsigned);
    Value isMore = emitHloGreater(b, x.element, y.element, isUnsigned);
    Value isLater =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, x.place, y.place);
    Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
    return arith::OrIOp::create(
        b, isLess,
        arith::AndIOp::create(b, isLater,
                              arith::XOrIOp::create(b, isMore, yes)));
  }
  SmallVector<Value> sift(B &b, ValueRange results, Value hole, Value count,
                          Placed item) const;
  SmallVector<Value> build(B &b, ValueRange results) const;
};
} // namespace

/// Puts an item into a heap of `count`, from the hole downwards: as long as a
/// child is worse, it moves up.
SmallVector<Value> BestOfLine::sift(B &b, ValueRange results, Value hole,
                                    Value count, Placed item) const {
  Value one = index(b, 1);
  SmallVector<Value> carried{hole};
  llvm::append_range(carried, results);
  carried = makeHloLoops(
      b, {int64_t(llvm::Log2_64(k))}, carried,
      [&](B &b, ValueRange, ValueRange current) {
        Value hole = current[0];
        ValueRange results = current.drop_front();
        Value last = arith::SubIOp::create(b, count, one);
        Value left =
            arith::AddIOp::create(b, arith::AddIOp::create(b, hole, hole), one);
        Value right = arith::AddIOp::create(b, left, one);
        auto isIn = [&](Value i) -> Value {
          return arith::CmpIOp::create(b, arith::CmpIPredicate::ule, i, last);
        };
        Placed l = get(b, results, arith::MinUIOp::create(b, left, last));
        Placed r = get(b, results, arith::MinUIOp::create(b, right, last));
        Value isRight = arith::AndIOp::create(b, isIn(right), isWorse(b, r, l));
        auto pick = [&](Value condition, Value x, Value y) -> Value {
          return arith::SelectOp::create(b, condition, x, y);
        };
        Placed child{pick(isRight, r.element, l.element),
                     pick(isRight, r.place, l.place)};
        Value goesUp =
            arith::AndIOp::create(b, isIn(left), isWorse(b, child, item));
        SmallVector<Value> next{pick(goesUp, pick(isRight, right, left), hole)};
        llvm::append_range(next, set(b, results, hole,
                                     {pick(goesUp, child.element, item.element),
                                      pick(goesUp, child.place, item.place)}));
        return next;
      });
  return set(b, ArrayRef(carried).drop_front(), carried[0], item);
}

SmallVector<Value> BestOfLine::build(B &b, ValueRange results) const {
  Value zero = index(b, 0), all = index(b, k);
  Type type = getElementTypeOrSelf(results[0].getType());
  const unsigned width = type.getIntOrFloatBitWidth();
  // What is worse than anything, after all the others.
  APInt least = isa<FloatType>(type) ? APInt::getAllOnes(width)
                : isUnsigned || type.isInteger(1)
                    ? APInt::getZero(width)
                    : APInt::getSignedMinValue(width);
  Placed none{
      arith::ConstantOp::create(
          b, isa<FloatType>(type)
                 ? TypedAttr(b.getFloatAttr(
                       type, APFloat(cast<FloatType>(type).getFloatSemantics(),
                                     least)))
                 : b.getIntegerAttr(type, least)),
      placeOf(b, results, index(b, size))};
  SmallVector<Value> carried{none.element};
  llvm::append_range(carried,
                     makeHloLoops(b, {k}, results,
                                  [&](B &b, ValueRange i, ValueRange results) {
                                    return set(b, results, i[0], none);
                                  }));
  // What is better than the worst takes its place.
  carried = makeHloLoops(
      b, {size}, carried, [&](B &b, ValueRange i, ValueRange current) {
        Value element = tensor::ExtractOp::create(b, input, at(i[0]));
        Value isFirst =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, i[0], all);
        Value isBetter = arith::OrIOp::create(
            b, isFirst, emitHloGreater(b, element, current[0], isUnsigned));
        return makeHloIf(b, isBetter, current, [&](B &b) {
          SmallVector<Value> heap =
              sift(b, current.drop_front(), zero, all,
                   {element, placeOf(b, current.drop_front(), i[0])});
          SmallVector<Value> next{get(b, heap, zero).element};
          llvm::append_range(next, heap);
          return next;
        });
      });
  // The worst one goes last.
  return makeHloLoops(b, {k - 1}, ArrayRef(carried).drop_front(),
                      [&](B &b, ValueRange i, ValueRange results) {
                        Value last =
                            arith::SubIOp::create(b, index(b, k - 1), i[0]);
                        Placed item = get(b, results, last);
                        SmallVector<Value> heap =
                            set(b, results, last, get(b, results, zero));
                        return sift(b, heap, zero, last, item);
                      });
}

/// The k first elements of each line in descending order, and where they are;
/// of equal ones the first ones.
static SmallVector<Value> convertTopK(HloConversion &c) {
  auto k = readHloTopK({c.op, c.why});
  if (!k)
    return {};
  if (c.resultType().getNumElements() == 0)
    return {c.empty(c.resultType(0)), c.empty(c.resultType(1))};
  auto type = cast<RankedTensorType>(c.operand(0).getType());
  const unsigned axis = type.getRank() - 1;
  Type placeType = c.resultType(1).getElementType();
  const bool isUnsigned = HloReader(c.op, c.why)
                              .operandType(0)
                              .getElementType()
                              .isUnsignedInteger();
  if (const int64_t size = type.getShape().back(); 4 * *k <= size)
    return makeHloLoops(
        c.b, type.getShape().drop_back(),
        {c.empty(c.resultType(0)), c.empty(c.resultType(1))},
        [&](ImplicitLocOpBuilder &b, ValueRange line, ValueRange results) {
          return BestOfLine{c.operand(0), size, *k, isUnsigned,
                            SmallVector<Value>(line)}
              .build(b, results);
        });
  SmallVector<Value> inputs{c.operand(0)};
  inputs.push_back(
      mapInto(c.b, c.b.getLoc(), {}, c.empty(type.clone(placeType)),
              [&](ImplicitLocOpBuilder &b, ValueRange) {
                return arith::IndexCastOp::create(
                    b, placeType, linalg::IndexOp::create(b, axis));
              }));
  SmallVector<Value> sorted =
      sortLines(c, inputs, axis,
                [&](ImplicitLocOpBuilder &b, ArrayRef<Value> right,
                    ArrayRef<Value> left) {
                  return emitHloGreater(b, right[0], left[0], isUnsigned);
                });
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = *k;
  SmallVector<OpFoldResult> starts(type.getRank(), c.b.getIndexAttr(0)),
      steps(type.getRank(), c.b.getIndexAttr(1));
  for (Value &value : sorted)
    value = tensor::ExtractSliceOp::create(
        c.b, value, starts, getAsIndexOpFoldResult(c.b.getContext(), shape),
        steps);
  return sorted;
}

void tensoraccess::addHloSort(HloConverters &converters) {
  converters["sort"] = convertSort;
  converters["top_k"] = convertTopK;
}
