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
// top_k sorts elements with their places, and keeps the first of them.
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
