//===- GlensideEquations.cpp - Glenside's rewrites as equations
//--------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compute goes by its word in Glenside. Sizes are small: 1 to 6.
//
//===----------------------------------------------------------------------===//

#include "GlensideEquations.h"

using namespace glenside;

namespace {

//===--- movement
//----------------------------------------------------------===//

Equation flattenUnflatten(Writer &w) {
  Term t = anyPattern(w, w.pick(3), 1 + w.pick(2));
  w.beginOther();
  return {t, w.reshape(w.flatten(t), t.points(), t.item())};
}
Equation reshapeThroughCartProd(Writer &w) {
  const Sizes item = w.sizes(2);
  Term a = w.any(join(w.sizes(2), item), 2),
       b = w.any(join(w.sizes(1), item), 1);
  Term left = w.cartProd(w.reshape(a, {product(a.points())}, {product(item)}),
                         w.reshape(b, {1, b.shape[0]}, {product(item)}));
  w.beginOther();
  return {left,
          w.reshape(w.cartProd(a, b), {product(a.points()), 1, b.shape[0]},
                    {2, product(item)})};
}
Equation sliceConcatenate(Writer &w) {
  Term t = anyPattern(w, 1 + w.pick(2), 1 + w.pick(2), 6);
  const int64_t axis = w.pick(t.rank());
  if (t.shape[axis] < 2)
    t = w.any(Sizes(t.rank(), 4), t.split);
  // Divided by a number, into segments, or once: a cut.
  const int64_t cut = w.between(1, t.shape[axis] - 1);
  w.beginOther();
  return {t, w.concat(w.slice(t, axis, 0, cut),
                      w.slice(t, axis, cut, t.shape[axis]), axis)};
}
Equation sliceConcatenateSegments(Writer &w) {
  const int64_t size = w.between(1, 3), count = w.between(2, 4);
  Term t = w.any({size * count, w.between(1, 3)}, w.pick(3));
  w.beginOther();
  Term all = w.slice(t, 0, 0, size);
  for (int64_t i = 1; i < count; ++i)
    all = w.concat(all, w.slice(t, 0, i * size, (i + 1) * size), 0);
  return {t, all};
}
Equation nestedSlices(Writer &w) {
  Term t = w.any({w.between(6, 9), w.between(1, 3)}, w.pick(3));
  const int64_t low = w.pick(2), high = w.between(low + 3, t.shape[0]);
  const int64_t inner = w.pick(2), end = w.between(inner + 1, high - low);
  Term left = w.slice(w.slice(t, 0, low, high), 0, inner, end);
  w.beginOther();
  return {left, w.slice(t, 0, low + inner, low + end)};
}
Equation sliceTranspose(Writer &w) {
  Term t = anyPattern(w, 1, 2, 5);
  Sizes order = w.permutation(3);
  const int64_t axis = w.pick(3), old = order[axis];
  const int64_t low = w.pick(t.shape[old]),
                high = w.between(low + 1, t.shape[old]);
  Term left = w.slice(w.transpose(t, order), axis, low, high);
  w.beginOther();
  return {left, w.transpose(w.slice(t, old, low, high), order)};
}
Equation concatTranspose(Writer &w) {
  const int64_t axis = w.pick(3);
  Sizes shape = w.sizes(3), other = shape;
  other[axis] = w.between(1, 4);
  Term a = w.any(shape, 1), b = w.any(other, 1);
  Sizes order = w.permutation(3);
  Term left = w.transpose(w.concat(a, b, axis), order);
  w.beginOther();
  return {left, w.concat(w.transpose(a, order), w.transpose(b, order),
                         std::find(order.begin(), order.end(), axis) -
                             order.begin())};
}
Equation concatCartProdLeft(Writer &w) {
  const Sizes item = w.sizes(2);
  Term a = w.any(join(w.sizes(1), item), 1),
       b = w.any(join(w.sizes(1), item), 1),
       right = w.any(join(w.sizes(1), item), 1);
  Term left = w.cartProd(w.concat(a, b, 0), right);
  w.beginOther();
  return {left, w.concat(w.cartProd(a, right), w.cartProd(b, right), 0)};
}
Equation concatCartProdRight(Writer &w) {
  const Sizes item = w.sizes(1);
  Term a = w.any(join(w.sizes(2), item), 2),
       b = w.any(join(w.sizes(1), item), 1),
       c = w.any(join(w.sizes(1), item), 1);
  Term left = w.cartProd(a, w.concat(b, c, 0));
  w.beginOther();
  return {left, w.concat(w.cartProd(a, b), w.cartProd(a, c), a.split)};
}
Equation concatCartProdItem(Writer &w) {
  const int64_t first = w.between(1, 3), second = w.between(1, 3);
  Term a = w.any({w.between(1, 3), first}, 1),
       b = w.any({a.shape[0], second}, 1),
       c = w.any({w.between(1, 3), first}, 1),
       d = w.any({c.shape[0], second}, 1);
  Term left = w.cartProd(w.concat(a, b, 1), w.concat(c, d, 1));
  w.beginOther();
  return {left, w.concat(w.cartProd(a, c), w.cartProd(b, d), 3)};
}
Equation concatAxes00(Writer &w) {
  const Sizes item = w.sizes(1);
  auto part = [&] { return w.any(join(w.sizes(1, 3), item), 1); };
  Term a = part(), b = part(), c = part(), d = part();
  Term left = w.cartProd(w.concat(a, b, 0), w.concat(c, d, 0));
  w.beginOther();
  return {left, w.concat(w.concat(w.cartProd(a, c), w.cartProd(a, d), 1),
                         w.concat(w.cartProd(b, c), w.cartProd(b, d), 1), 0)};
}
Equation concatAccess(Writer &w) {
  Sizes shape = w.sizes(3), other = shape;
  const int64_t axis = w.pick(3), split = w.pick(4);
  other[axis] = w.between(1, 3);
  Term a = w.any(shape, 1), b = w.any(other, 1);
  Term left = w.access(w.concat(a, b, axis), split);
  w.beginOther();
  return {left, w.concat(w.access(a, split), w.access(b, split), axis)};
}
Equation concatSlice(Writer &w) {
  Term a = w.any({w.between(1, 4), w.between(2, 3)}, 1),
       b = w.any({w.between(1, 4), a.shape[1]}, 1);
  const int64_t size = a.shape[0], all = size + b.shape[0];
  if (w.pick(3) == 0) {
    Term left = w.slice(w.concat(a, b, 0), 1, 1, a.shape[1]);
    w.beginOther();
    return {left, w.concat(w.slice(a, 1, 1, a.shape[1]),
                           w.slice(b, 1, 1, a.shape[1]), 0)};
  }
  const int64_t low = w.pick(all), high = w.between(low + 1, all);
  Term left = w.slice(w.concat(a, b, 0), 0, low, high);
  w.beginOther();
  if (high <= size)
    return {left, w.slice(a, 0, low, high)};
  if (low >= size)
    return {left, w.slice(b, 0, low - size, high - size)};
  return {left,
          w.concat(w.slice(a, 0, low, size), w.slice(b, 0, 0, high - size), 0)};
}
Equation nestedTransposes(Writer &w) {
  Term t = anyPattern(w, 1, 2);
  Sizes inner = w.permutation(3), outer = w.permutation(3), both;
  for (int64_t dim : outer)
    both.push_back(inner[dim]);
  Term left = w.transpose(w.transpose(t, inner), outer);
  w.beginOther();
  return {left, w.transpose(t, both)};
}
Equation trivialTranspose(Writer &w) {
  Term t = anyPattern(w, 1, 2);
  w.beginOther();
  return {t, w.transpose(t, {0, 1, 2})};
}
Equation nestedAccesses(Writer &w) {
  Term t = anyPattern(w, 1, 2);
  Term left = w.access(w.access(t, w.pick(4)), 2);
  w.beginOther();
  return {left, w.access(t, 2)};
}
Equation accessTranspose(Writer &w) {
  Term t = anyPattern(w, 1, 2);
  Sizes order = w.permutation(3);
  const int64_t split = w.pick(4);
  Term left = w.transpose(w.access(t, split), order);
  w.beginOther();
  return {left, w.access(w.transpose(t, order), split)};
}
Equation nestedReshapes(Writer &w) {
  Term t = w.any({2, w.between(1, 3), 6}, 2);
  Term left = w.reshape(w.reshape(t, {t.shape[1], 2}, {3, 2}), {2 * t.shape[1]},
                        {2, 3});
  w.beginOther();
  return {left, w.reshape(t, {2 * t.shape[1]}, {2, 3})};
}
Equation padSlice(Writer &w) {
  Term t = anyPattern(w, 1, 2, 5);
  const int64_t axis = w.pick(3), multiple = w.between(2, 5);
  const int64_t more = multiple - t.shape[axis] % multiple;
  w.beginOther();
  return {t, w.slice(w.pad(t, axis, 0, more), axis, 0, t.shape[axis])};
}
Equation slicePad(Writer &w) {
  Term t = anyPattern(w, 1, 2, 5);
  const Sizes axes = w.permutation(3);
  const int64_t size = t.shape[axes[0]], low = w.pick(size),
                high = w.between(low + 1, size);
  const int64_t before = w.pick(3), after = w.pick(3);
  Term left = w.pad(w.slice(t, axes[0], low, high), axes[1], before, after);
  w.beginOther();
  return {left, w.slice(w.pad(t, axes[1], before, after), axes[0], low, high)};
}
Equation transposePad(Writer &w) {
  Term t = anyPattern(w, 1, 2);
  Sizes order = w.permutation(3);
  const int64_t axis = w.pick(3), before = w.pick(3), after = w.pick(3);
  Term left = w.pad(w.transpose(t, order), axis, before, after);
  w.beginOther();
  return {left, w.transpose(w.pad(t, order[axis], before, after), order)};
}
Equation sliceCartProdLeft(Writer &w) {
  const Sizes item = w.sizes(2);
  Term a = w.any(join({w.between(2, 5)}, item), 1),
       b = w.any(join(w.sizes(1), item), 1);
  const int64_t low = w.pick(2), high = w.between(low + 1, a.shape[0]);
  Term left = w.cartProd(w.slice(a, 0, low, high), b);
  w.beginOther();
  return {left, w.slice(w.cartProd(a, b), 0, low, high)};
}
Equation sliceCartProdRight(Writer &w) {
  const Sizes item = w.sizes(1);
  Term a = w.any(join(w.sizes(2), item), 2),
       b = w.any(join({w.between(2, 5)}, item), 1);
  const int64_t low = w.pick(2), high = w.between(low + 1, b.shape[0]);
  Term left = w.cartProd(a, w.slice(b, 0, low, high));
  w.beginOther();
  return {left, w.slice(w.cartProd(a, b), a.split, low, high)};
}
Equation sliceCartProdItem(Writer &w) {
  const Sizes item = {w.between(2, 4), w.between(2, 4)};
  Term a = w.any(join(w.sizes(2), item), 2),
       b = w.any(join(w.sizes(1), item), 1);
  const int64_t dim = w.pick(2), low = w.pick(2),
                high = w.between(low + 1, item[dim]);
  Term left = w.cartProd(w.slice(a, 2 + dim, low, high),
                         w.slice(b, 1 + dim, low, high));
  w.beginOther();
  return {left, w.slice(w.cartProd(a, b), 4 + dim, low, high)};
}

//===--- computes
//----------------------------------------------------------===//

Equation reshapeDot(Writer &w) {
  Term t = anyTuple(w, 2, 2);
  const Sizes points = {1, t.shape[0] * t.shape[1]};
  Term left = w.compute("dot-product",
                        w.reshape(t, points, {2, t.shape[3] * t.shape[4]}));
  w.beginOther();
  return {left, w.reshape(w.compute("dot-product", t), points, {})};
}
Equation concatDot(Writer &w) {
  const Sizes item = join({2}, w.sizes(1));
  Term a = w.any(join(w.sizes(1), item), 1),
       b = w.any(join(w.sizes(1), item), 1);
  Term left = w.compute("dot-product", w.concat(a, b, 0));
  w.beginOther();
  return {left, w.concat(w.compute("dot-product", a),
                         w.compute("dot-product", b), 0)};
}
Equation concatDotItem(Writer &w) {
  const int64_t points = w.between(1, 3);
  Term a = w.any({points, 2, w.between(1, 4)}, 1),
       b = w.any({points, 2, w.between(1, 4)}, 1);
  Term left = w.compute("dot-product", w.concat(a, b, 2));
  w.beginOther();
  return {left, w.compute("reduce-sum", w.pair(w.compute("dot-product", a),
                                               w.compute("dot-product", b)))};
}
/// The same of one tensor that was cut: Glenside's slice-concatenate first.
Equation splitDot(Writer &w) {
  Term t = w.any({w.between(1, 3), 2, w.between(2, 6)}, 1);
  const int64_t cut = w.between(1, t.shape[2] - 1);
  Term left = w.compute("dot-product", t);
  w.beginOther();
  return {left,
          w.compute("reduce-sum",
                    w.pair(w.compute("dot-product", w.slice(t, 2, 0, cut)),
                           w.compute("dot-product",
                                     w.slice(t, 2, cut, t.shape[2]))))};
}
Equation sliceDot(Writer &w) {
  Term t = w.any({w.between(2, 5), 2, w.between(1, 4)}, 1);
  const int64_t low = w.pick(2), high = w.between(low + 1, t.shape[0]);
  Term left = w.compute("dot-product", w.slice(t, 0, low, high));
  w.beginOther();
  return {left, w.slice(w.compute("dot-product", t), 0, low, high)};
}
Equation sliceDotItem(Writer &w) {
  Term t = anyTuple(w, 1, 2);
  const int64_t axis = 2 + w.pick(2), low = w.pick(3), high = w.between(1, 3);
  Term padded = w.pad(t, axis, low, high);
  const int64_t from = w.pick(low + 1),
                to = w.between(low + t.shape[axis], padded.shape[axis]);
  Term left = w.compute("dot-product", w.slice(padded, axis, from, to));
  w.beginOther();
  return {left, w.compute("dot-product", w.pad(t, axis, low, high))};
}
Equation reshapeMax(Writer &w) {
  Term t = anyPattern(w, 2, 2);
  const Sizes points = {t.shape[0] * t.shape[1]};
  Term left =
      w.compute("reduce-max", w.reshape(t, points, {t.shape[3], t.shape[2]}));
  w.beginOther();
  return {left, w.reshape(w.compute("reduce-max", t), points, {})};
}
Equation reassociateMax(Writer &w) {
  const int64_t window = w.between(1, 4), stride = w.between(1, window);
  // What windows reach is all there is.
  Term t = w.any({w.between(1, 3), window + stride * w.pick(3)}, 1);
  Term left = w.compute("reduce-max", t);
  w.beginOther();
  return {left, w.compute("reduce-max",
                          w.access(w.compute("reduce-max",
                                             w.windows(t, {window}, {stride})),
                                   1))};
}
Equation simplifyMax(Writer &w) {
  Term t = w.any(join(w.sizes(2), Sizes(w.pick(3), 1)), 2);
  Term left = w.compute("reduce-max", t);
  w.beginOther();
  return {left, w.reshape(t, t.points(), {})};
}
Equation reshapeLinear(Writer &w) {
  const int64_t m = w.between(1, 4), n = w.between(1, 4), k = w.between(1, 4);
  Term x = w.tensor({m, k}, 1), y = w.tensor({n, k}, 1),
       bias = w.tensor({n}, 0);
  auto linear = [&] { return w.compute("dot-product", w.cartProd(x, y)); };
  const Sizes shape = {1, m, n};
  Term left = w.compute(
      "elementwise-add",
      w.pair(w.access(w.reshape(linear(), shape, {}), 0),
             w.access(w.broadcast(
                          w.access(w.insertAxis(w.insertAxis(bias, 0), 0), 3),
                          shape, {}),
                      0)));
  w.beginOther();
  Term sum =
      w.compute("elementwise-add",
                w.pair(w.access(linear(), 0),
                       w.access(w.broadcast(w.access(w.insertAxis(bias, 0), 2),
                                            {m, n}, {}),
                                0)));
  // Where Glenside reshapes at 0, the sum is an item.
  return {w.access(left, 3), w.reshape(w.access(sum, 2), shape, {})};
}
Equation onArray(Writer &w) {
  Term x = w.any({w.between(1, 5), 3}, 1), y = w.any({4, 3}, 1);
  Term left = w.compute("dot-product", w.cartProd(x, y));
  w.beginOther();
  return {left, w.array(3, 4, x, w.access(w.transpose(y, {1, 0}), 0), false)};
}
Equation onBlockedArray(Writer &w) {
  Term x = w.any({w.between(1, 5), 2 * w.between(1, 3)}, 1),
       y = w.any({4 * w.between(1, 2), x.shape[1]}, 1);
  Term left = w.compute("dot-product", w.cartProd(x, y));
  w.beginOther();
  return {left, w.array(2, 4, x, w.access(w.transpose(y, {1, 0}), 0), true)};
}
Equation convolutionOnArray(Writer &w) {
  const int64_t channels = w.between(1, 3), size = w.between(3, 5),
                stride = w.between(1, 2);
  Term x = w.tensor({1, channels, size, size}, 1),
       y = w.tensor({4, channels, 2, 2}, 1);
  Term windows = w.windows(x, {channels, 2, 2}, {1, stride, stride});
  Term items = w.access(w.squeeze(windows, 1), 3);
  Term left =
      w.transpose(w.compute("dot-product", w.cartProd(y, items)), {1, 0, 2, 3});
  w.beginOther();
  Term flat = w.flatten(items), filters = w.flatten(y);
  Term result =
      w.array(2, 4, flat, w.access(w.transpose(filters, {1, 0}), 0), true);
  // <1 * H * W, 4> to <1, 4, H, W>.
  return {left, w.transpose(w.reshape(result, join(items.points(), {4}), {}),
                            {0, 3, 1, 2})};
}

//===--- beyond Glenside's rules
//-------------------------------------------===//

const char *const kUnary[] = {"relu", "sqrt", "negative"};
const char *const kTuples[] = {"elementwise-add", "elementwise-mul",
                               "elementwise-div"};
const char *const kReductions[] = {"reduce-sum", "reduce-max", "reduce-mean"};

/// Movement of an element-by-element compute is one of what it reads.
Equation moveUnary(Writer &w) {
  const char *kind = kUnary[w.pick(3)];
  Term t = anyPattern(w, 1, 2, 5);
  const Sizes order = w.permutation(3);
  const int64_t size = t.shape[order[0]], low = w.pick(size);
  Term left = w.slice(w.transpose(w.compute(kind, t), order), 0, low, size);
  w.beginOther();
  return {left, w.compute(kind, w.slice(w.transpose(t, order), 0, low, size))};
}
Equation concatUnary(Writer &w) {
  const char *kind = kUnary[w.pick(3)];
  Sizes shape = w.sizes(2), other = shape;
  const int64_t axis = w.pick(2);
  other[axis] = w.between(1, 4);
  Term a = w.any(shape, 1), b = w.any(other, 1);
  Term left = w.concat(w.compute(kind, a), w.compute(kind, b), axis);
  w.beginOther();
  return {left, w.compute(kind, w.concat(a, b, axis))};
}
Equation pairUnary(Writer &w) {
  const char *kind = kUnary[w.pick(3)];
  const Sizes shape = w.sizes(2);
  Term a = w.any(shape, 1), b = w.any(shape, 1);
  Term left = w.pair(w.compute(kind, a), w.compute(kind, b));
  w.beginOther();
  return {left, w.compute(kind, w.pair(a, b))};
}
Equation padUnary(Writer &w) {
  const char *kind = kUnary[w.pick(2)];
  Term t = anyPattern(w, 1, 1);
  const int64_t axis = w.pick(2), low = w.pick(3), high = w.pick(3);
  Term left = w.pad(w.compute(kind, t), axis, low, high);
  w.beginOther();
  return {left, w.compute(kind, w.pad(t, axis, low, high))};
}
Equation moveTuple(Writer &w) {
  const char *kind = kTuples[w.pick(3)];
  Term t = anyTuple(w, 1, 1, 5);
  const int64_t low = w.pick(t.shape[2]);
  Term left =
      w.slice(w.transpose(w.compute(kind, t), {1, 0}), 0, low, t.shape[2]);
  w.beginOther();
  return {left, w.compute(kind, w.slice(w.transpose(t, {2, 1, 0}), 0, low,
                                        t.shape[2]))};
}
Equation reshapeTuple(Writer &w) {
  const char *kind = kTuples[w.pick(3)];
  Term t = anyTuple(w, 2, 1);
  const Sizes points = {t.shape[0] * t.shape[1], 1};
  Term left = w.reshape(w.compute(kind, t), points, {t.shape[3]});
  w.beginOther();
  return {left, w.compute(kind, w.reshape(t, points, {2, t.shape[3]}))};
}
Equation concatTuple(Writer &w) {
  const char *kind = kTuples[w.pick(3)];
  const int64_t size = w.between(1, 4);
  Term a = w.any({w.between(1, 4), 2, size}, 1),
       b = w.any({w.between(1, 4), 2, size}, 1);
  Term left = w.concat(w.compute(kind, a), w.compute(kind, b), 0);
  w.beginOther();
  return {left, w.compute(kind, w.concat(a, b, 0))};
}
Equation padTuple(Writer &w) {
  const char *kind = kTuples[w.pick(2)];
  Term t = anyTuple(w);
  const int64_t low = w.pick(3), high = w.pick(3);
  Term left = w.pad(w.compute(kind, t), 1, low, high);
  w.beginOther();
  return {left, w.compute(kind, w.pad(t, 2, low, high))};
}
Equation moveReduction(Writer &w) {
  const char *kind = kReductions[w.pick(3)];
  Term t = w.any({w.between(2, 5), w.between(1, 3), w.between(1, 4)}, 2);
  const int64_t low = w.pick(2);
  Term left =
      w.transpose(w.slice(w.compute(kind, t), 0, low, t.shape[0]), {1, 0});
  w.beginOther();
  return {left, w.compute(kind, w.slice(w.transpose(t, {1, 0, 2}), 1, low,
                                        t.shape[0]))};
}
Equation concatReduction(Writer &w) {
  const char *kind = kReductions[w.pick(3)];
  const int64_t size = w.between(1, 4);
  Term a = w.any({w.between(1, 4), size}, 1),
       b = w.any({w.between(1, 4), size}, 1);
  Term left = w.concat(w.compute(kind, a), w.compute(kind, b), 0);
  w.beginOther();
  return {left, w.compute(kind, w.concat(a, b, 0))};
}
/// A concatenation along the item, and slices of one.
Equation cutReduction(Writer &w) {
  const char *kind = kReductions[w.pick(2)];
  const int64_t points = w.between(1, 3);
  Term a = w.any({points, w.between(1, 4)}, 1),
       b = w.any({points, w.between(1, 4)}, 1);
  Term left = w.compute(kind, w.concat(a, b, 1));
  w.beginOther();
  return {left,
          w.compute(kind, w.pair(w.compute(kind, a), w.compute(kind, b)))};
}
Equation sliceReduction(Writer &w) {
  const char *kind = kReductions[w.pick(2)];
  Term t = w.any({w.between(1, 3), w.between(2, 7)}, 1);
  const int64_t cut = w.between(1, t.shape[1] - 1);
  Term left = w.compute(kind, t);
  w.beginOther();
  return {
      left,
      w.compute(kind, w.pair(w.compute(kind, w.slice(t, 1, 0, cut)),
                             w.compute(kind, w.slice(t, 1, cut, t.shape[1]))))};
}
Equation blocksOfReduction(Writer &w) {
  const char *kind = kReductions[w.pick(3)];
  const int64_t blocks = w.between(1, 3), size = w.between(1, 4);
  Term t = w.any({w.between(1, 3), blocks * size}, 1);
  Term left = w.compute(kind, t);
  w.beginOther();
  Term parts =
      w.access(w.reshape(w.access(t, 2), {t.shape[0], blocks, size}, {}), 2);
  return {left, w.compute(kind, w.access(w.compute(kind, parts), 1))};
}
Equation blocksOfDot(Writer &w) {
  const int64_t blocks = w.between(1, 3), size = w.between(1, 4);
  // Of a concatenation whose parts no block crosses: here, of none.
  Term x = w.tensor({w.between(1, 3), blocks * size}, 1),
       y = w.tensor({w.between(1, 3), blocks * size}, 1);
  Term left = w.compute("dot-product", w.cartProd(x, y));
  w.beginOther();
  // <m, n, K/b | 2, b>
  Term tuples = w.reshape(w.access(w.cartProd(x, y), 4),
                          {x.shape[0], y.shape[0], 2, blocks, size}, {});
  Term parts = w.compute("dot-product",
                         w.access(w.transpose(tuples, {0, 1, 3, 2, 4}), 3));
  return {left, w.compute("reduce-sum", w.access(parts, 2))};
}
Equation moveSoftmax(Writer &w) {
  Term t = w.any({w.between(2, 4), w.between(1, 3), w.between(1, 4)}, 2);
  const int64_t low = w.pick(2);
  Term left = w.slice(w.transpose(w.compute("softmax", t), {1, 0, 2}), 1, low,
                      t.shape[0]);
  w.beginOther();
  return {left, w.compute("softmax", w.slice(w.transpose(t, {1, 0, 2}), 1, low,
                                             t.shape[0]))};
}
Equation concatSoftmax(Writer &w) {
  const int64_t size = w.between(1, 4);
  Term a = w.any({w.between(1, 4), size}, 1),
       b = w.any({w.between(1, 4), size}, 1);
  Term left = w.concat(w.compute("softmax", a), w.compute("softmax", b), 0);
  w.beginOther();
  return {left, w.compute("softmax", w.concat(a, b, 0))};
}
Equation reshapeSoftmax(Writer &w) {
  Term t = anyPattern(w, 2, 1);
  Term left = w.flatten(w.compute("softmax", t));
  w.beginOther();
  return {left, w.compute("softmax", w.flatten(t))};
}
/// A product, and a sum after it, is a product with one more element.
Equation accumulate(Writer &w) {
  const int64_t m = w.between(1, 3), n = w.between(1, 3), k = w.between(1, 4);
  Term x = w.any({m, k}, 1), y = w.any({n, k}, 1), d = w.any({m, n}, 2);
  Term product = w.compute("dot-product", w.cartProd(x, y));
  Term left = w.compute("elementwise-add",
                        w.pick(2) ? w.pair(product, d) : w.pair(d, product));
  w.beginOther();
  Term one{"(access (access-tensor (constant-tensor 1 (shape " +
               std::to_string(m) + " " + std::to_string(n) + "))) 2)",
           {m, n},
           2};
  return {left, w.compute("dot-product",
                          w.concat(w.cartProd(x, y),
                                   w.insertAxis(w.pair(d, one), 3), 3))};
}

} // namespace

const std::vector<Rewrite> &glenside::getRewrites() {
  static const std::vector<Rewrite> rewrites = {
      {"flatten_unflatten_any_access", flattenUnflatten},
      {"bubble_reshape_through_cartesian_product", reshapeThroughCartProd},
      {"slice_concatenate_accesses", sliceConcatenate},
      {"slice_concatenate_accesses:segments", sliceConcatenateSegments},
      {"collapse_nested_access_slices", nestedSlices},
      {"access_slice_access_transpose_composition_commutative", sliceTranspose},
      {"bubble_access_concatenate_through_access_transpose", concatTranspose},
      {"bubble_access_concatenate_through_access_cartesian_product_left",
       concatCartProdLeft},
      {"bubble_access_concatenate_through_access_cartesian_product_right",
       concatCartProdRight},
      {"bubble_access_concatenate_through_access_cartesian_product_same_item_"
       "axis",
       concatCartProdItem},
      {"bubble_concatenate_through_cartesian_product_axis_0_0", concatAxes00},
      {"bubble_access_concatenate_through_access", concatAccess},
      {"bubble_access_concatenate_through_access_slice", concatSlice},
      {"collapse_nested_transposes", nestedTransposes},
      {"remove_trivial_transpose", trivialTranspose},
      {"collapse_nested_accesses", nestedAccesses},
      {"bubble_access_through_access_transpose", accessTranspose},
      {"simplify_multiple_access_reshapes", nestedReshapes},
      {"pad_slice_accesses", padSlice},
      {"bubble_access_slice_through_access_pad_inequal_axes", slicePad},
      {"bubble_access_transpose_through_access_pad", transposePad},
      {"bubble_access_slice_through_access_cartesian_product_left",
       sliceCartProdLeft},
      {"bubble_access_slice_through_access_cartesian_product_right",
       sliceCartProdRight},
      {"bubble_access_slice_through_access_cartesian_product_same_item_axis",
       sliceCartProdItem},
      {"bubble_reshape_through_compute_dot_product", reshapeDot},
      {"bubble_access_concatenate_through_compute_dot_product_not_item_axis",
       concatDot},
      {"bubble_access_concatenate_through_compute_dot_product_item_axis",
       concatDotItem},
      {"bubble_access_concatenate_through_compute_dot_product_item_axis:slices",
       splitDot},
      {"bubble_access_slice_through_compute_dot_product_not_item_axis",
       sliceDot},
      {"bubble_access_slice_through_compute_dot_product_item_axis",
       sliceDotItem},
      {"bubble_access_reshape_through_compute_reduce_max", reshapeMax},
      {"reassociate_max", reassociateMax},
      {"simplify_reduce_max", simplifyMax},
      {"bubble_reshape_through_linear", reshapeLinear},
      {"systolic_array", onArray, {{3, 4}}},
      {"systolic_array_with_blocking", onBlockedArray, {{2, 4}}},
      {"systolic_array_conv2d_with_blocking", convolutionOnArray, {{2, 4}}},
      {"elementwise:movement", moveUnary},
      {"elementwise:concat", concatUnary},
      {"elementwise:pair", pairUnary},
      {"elementwise:pad", padUnary},
      {"tuples:movement", moveTuple},
      {"tuples:reshape", reshapeTuple},
      {"tuples:concat", concatTuple},
      {"tuples:pad", padTuple},
      {"reductions:movement", moveReduction},
      {"reductions:concat", concatReduction},
      {"reductions:concat-item", cutReduction},
      {"reductions:slices", sliceReduction},
      {"reductions:blocks", blocksOfReduction},
      {"dot:blocks", blocksOfDot},
      {"softmax:movement", moveSoftmax},
      {"softmax:concat", concatSoftmax},
      {"softmax:reshape", reshapeSoftmax},
      {"dot:accumulate", accumulate},
  };
  return rewrites;
}
