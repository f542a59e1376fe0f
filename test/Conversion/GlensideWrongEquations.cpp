//===- GlensideWrongEquations.cpp - What must not be found equal ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations that have been taken for rewrites, or might be: between terms of
// one type, but not of the same values.
//
//===----------------------------------------------------------------------===//

#include "GlensideEquations.h"

using namespace glenside;

namespace {

/// A slice of the tuple: the product of more is another one. (Glenside's
/// bubble_access_slice_through_compute_dot_product_item_axis_not_tuple_axis.)
Equation sliceTuple(Writer &w) {
  Term t = w.pad(anyTuple(w), 1, 0, 1);
  Term left = w.compute("dot-product", w.slice(t, 1, 0, 2));
  return {left, w.compute("dot-product", t)};
}
/// Zeros in one factor only: 0 times infinity is not a number.
Equation padOneFactor(Writer &w) {
  const int64_t size = w.between(1, 3);
  Term a = w.tensor({2, size}, 1), b = w.tensor({2, size + 1}, 1);
  Term left = w.compute("dot-product", w.pair(w.pad(a, 1, 0, 1), b));
  return {left, w.compute("dot-product", w.pair(a, w.slice(b, 1, 0, size)))};
}
/// Windows that leave elements out.
Equation maxWithGaps(Writer &w) {
  Term t = w.tensor({2, 3 * w.between(1, 3)}, 1);
  Term left = w.compute("reduce-max", t);
  return {
      left,
      w.compute("reduce-max",
                w.access(w.compute("reduce-max", w.windows(t, {1}, {3})), 1))};
}
Equation padMax(Writer &w) {
  Term t = w.compute("negative", w.compute("relu", anyPattern(w, 1, 1)));
  Term left = w.compute("reduce-max", w.pad(t, 1, 1, 0));
  return {left, w.compute("reduce-max", t)};
}
Equation negativeMax(Writer &w) {
  Term t = w.tensor({2, 3}, 1);
  Term left = w.compute("negative", w.compute("reduce-max", t));
  return {left, w.compute("reduce-max", w.compute("negative", t))};
}
/// A mean of means counts each part alike.
Equation meanOfParts(Writer &w) {
  Term t = w.tensor({2, 5}, 1);
  Term left = w.compute("reduce-mean", t);
  return {left,
          w.compute("reduce-mean",
                    w.pair(w.compute("reduce-mean", w.slice(t, 1, 0, 2)),
                           w.compute("reduce-mean", w.slice(t, 1, 2, 5))))};
}
Equation splitSoftmax(Writer &w) {
  Term a = w.tensor({2, 2}, 1), b = w.tensor({2, 3}, 1);
  Term left = w.compute("softmax", w.concat(a, b, 1));
  return {left, w.concat(w.compute("softmax", a), w.compute("softmax", b), 1)};
}
Equation transposeSoftmax(Writer &w) {
  Term t = w.tensor({3, 3}, 1);
  Term left = w.transpose(w.compute("softmax", t), {1, 0});
  return {left, w.compute("softmax", w.transpose(t, {1, 0}))};
}
Equation padSoftmax(Writer &w) {
  Term t = w.tensor({2, 3}, 1);
  const int64_t axis = w.pick(2);
  Term left = w.pad(w.compute("softmax", t), axis, 1, 0);
  return {left, w.compute("softmax", w.pad(t, axis, 1, 0))};
}
Equation padQuotient(Writer &w) {
  Term t = anyTuple(w);
  Term left = w.pad(w.compute("elementwise-div", t), 1, 1, 0);
  return {left, w.compute("elementwise-div", w.pad(t, 2, 1, 0))};
}
/// Windows of a sum that overlap count elements twice.
Equation sumOfWindows(Writer &w) {
  Term t = w.tensor({2, 5}, 1);
  Term left = w.compute("reduce-sum", t);
  return {
      left,
      w.compute("reduce-sum",
                w.access(w.compute("reduce-sum", w.windows(t, {3}, {2})), 1))};
}

} // namespace

const std::vector<Rewrite> &glenside::getWrongRewrites() {
  static const std::vector<Rewrite> rewrites = {
      {"slice_tuple", sliceTuple},      {"pad_one_factor", padOneFactor},
      {"max_with_gaps", maxWithGaps},   {"pad_max", padMax},
      {"negative_max", negativeMax},    {"mean_of_parts", meanOfParts},
      {"split_softmax", splitSoftmax},  {"transpose_softmax", transposeSoftmax},
      {"pad_softmax", padSoftmax},      {"pad_quotient", padQuotient},
      {"sum_of_windows", sumOfWindows},
  };
  return rewrites;
}
