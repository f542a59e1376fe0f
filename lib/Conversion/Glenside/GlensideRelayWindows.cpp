//===- GlensideRelayWindows.cpp - Relay over windows and products --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poolings, convolutions and contractions: windows and Cartesian products of
// access patterns.
//
//===----------------------------------------------------------------------===//

#include "GlensideRelay.h"
#include "TensorAccess/Core/Checked.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The pattern <N, C | H', W'> of an image in NCHW, padded by
/// [top, left, bottom, right].
static Value padImage(Call &c, Value image, ArrayRef<int64_t> padding,
                      TypedAttr value) {
  if (!image)
    return {};
  if (llvm::all_of(padding, [](int64_t p) { return p == 0; }))
    return c.b.split(image, 2);
  Value padded = c.b.pad(image, {0, 0, padding[0], padding[1]},
                         {0, 0, padding[2], padding[3]}, value);
  return padded ? c.b.split(padded, 2) : Value();
}

/// Checks the image, the window, its strides and the padding of a pooling.
static bool checkPooling(Call &c, size_t window, size_t strides,
                         size_t padding) {
  if (c.b.rankOf(c.pattern(0)) != 4) {
    c.refuse(0, "takes an image of 4 dimensions, got " +
                    Twine(c.b.rankOf(c.pattern(0))));
    return false;
  }
  if (c.numbers(window).size() != 2 || c.numbers(strides).size() != 2 ||
      c.numbers(padding).size() != 4) {
    size_t wrong = c.numbers(window).size() != 2    ? window
                   : c.numbers(strides).size() != 2 ? strides
                                                    : padding;
    c.refuse(
        wrong,
        "takes a window and strides of 2 numbers and a padding of 4, got " +
            Twine(c.numbers(window).size()) + ", " +
            Twine(c.numbers(strides).size()) + " and " +
            Twine(c.numbers(padding).size()));
    return false;
  }
  return true;
}

/// Maxima, or means of the elements that are not padding.
static TermValue readPool(Call &c) {
  if (!c.check("psssa") || !checkPooling(c, 1, 2, 3))
    return {};
  bool last = c.channelsLast(4), isMax = c.name == "relay-max-pool2d";
  Type element = c.b.typeOf(c.pattern(0)).getElementType();
  Value image = c.tensor(0);
  if (last)
    image = c.b.transpose(image, kToChannelsFirst);
  auto pool = [&](ComputeKind kind, Value x, TypedAttr value) -> Value {
    Value padded = padImage(c, x, c.numbers(3), value);
    Value windows =
        padded ? c.b.windows(padded, c.numbers(1), c.numbers(2)) : Value();
    return windows ? c.b.compute(kind, windows) : Value();
  };
  bool pads = llvm::any_of(c.numbers(3), [](int64_t p) { return p != 0; });
  Value result;
  if (isMax) {
    result = pool(ComputeKind::ReduceMax, image, c.b.least(element));
  } else if (!pads) {
    result =
        pool(ComputeKind::ReduceMean, image, c.b.constant(element, int64_t(0)));
  } else {
    Value sum =
        pool(ComputeKind::ReduceSum, image, c.b.constant(element, int64_t(0)));
    Value number = pool(ComputeKind::ReduceSum, c.splatLike(image, int64_t(1)),
                        c.b.constant(element, int64_t(0)));
    result = c.elementwise(ComputeKind::ElementwiseDiv, sum, number);
  }
  if (result && last)
    result = c.b.transpose(c.b.split(result, 4), kToChannelsLast);
  return c.likeFirst(result);
}

static TermValue readGlobalPool(Call &c) {
  if (!c.check("pa"))
    return {};
  if (c.b.rankOf(c.pattern(0)) != 4)
    return c.refuse(0, "takes an image of 4 dimensions, got " +
                           Twine(c.b.rankOf(c.pattern(0))));
  bool last = c.channelsLast(1);
  Value image = c.tensor(0);
  if (last)
    image = c.b.transpose(image, kToChannelsFirst);
  Value mean = c.b.compute(ComputeKind::ReduceMean, c.b.split(image, 2));
  int64_t at = last ? 1 : 2;
  for (int i = 0; i < 2 && mean; ++i)
    mean = c.b.insertAxis(mean, at);
  return c.likeFirst(mean);
}

/// A sum over windows: image <N, C…> and filters <O, C/groups, …>, NCHW and
/// OIHW with any number of spatial dimensions.
static Value convolve(Call &c, Value image, Value filters,
                      ArrayRef<int64_t> strides, int64_t groups) {
  TermBuilder &b = c.b;
  SmallVector<int64_t> x = b.shapeOf(image), w = b.shapeOf(filters);
  if (groups < 1 || x[1] % groups != 0 || w[0] % groups != 0 ||
      x[1] / groups != w[1]) {
    c.refuse(1,
             "with " + Twine(groups) + " groups of " + Twine(x[1]) +
                 " channels takes filters of as many channels a group, got " +
                 Twine(w[1]) + " for " + Twine(w[0]) + " filters");
    return {};
  }
  SmallVector<int64_t> window(w.begin() + 1, w.end()), steps = {1};
  llvm::append_range(steps, strides);
  SmallVector<Value> results;
  for (int64_t g = 0; g < groups; ++g) {
    Value part =
        groups == 1 ? image : b.slice(image, 1, g * w[1], (g + 1) * w[1]);
    int64_t share = w[0] / groups;
    Value kernels =
        groups == 1 ? filters : b.slice(filters, 0, g * share, (g + 1) * share);
    if (!part || !kernels)
      return {};
    Value windows = b.windows(b.split(part, 1), window, steps);
    Value product =
        windows ? b.cartProd(windows, b.split(kernels, 1)) : Value();
    Value sums = product ? b.compute(ComputeKind::DotProd, product) : Value();
    // <N, 1, …, O> to <N, O, …>.
    sums = sums ? b.squeeze(sums, 1) : Value();
    if (!sums)
      return {};
    SmallVector<int64_t> perm = {0, b.rankOf(sums) - 1};
    for (int64_t i = 1; i < b.rankOf(sums) - 1; ++i)
      perm.push_back(i);
    results.push_back(b.transpose(sums, perm));
  }
  return results.size() == 1 ? results.front() : b.concat(results, 1);
}

static TermValue readConv1D(Call &c) {
  if (!c.check("ppss"))
    return {};
  Value x = c.tensor(0), w = c.tensor(1);
  if (c.b.rankOf(x) != 3 || c.b.rankOf(w) != 3 || c.numbers(2).size() != 1 ||
      c.numbers(3).size() != 2)
    return c.refuse("takes data and filters of 3 dimensions, 1 stride and 2 "
                    "paddings");
  Type element = c.b.typeOf(x).getElementType();
  x = c.b.pad(x, {0, 0, c.numbers(3)[0]}, {0, 0, c.numbers(3)[1]},
              c.b.constant(element, int64_t(0)));
  return x ? c.none(convolve(c, x, w, c.numbers(2), 1)) : TermValue();
}

static TermValue readConv2D(Call &c) {
  if (!c.check("ppssnnsak") || !checkPooling(c, 6, 2, 3))
    return {};
  if (c.b.rankOf(c.pattern(1)) != 4)
    return c.refuse(1, "takes filters of 4 dimensions, got " +
                           Twine(c.b.rankOf(c.pattern(1))));
  bool last = c.channelsLast(7);
  Value x = c.tensor(0), w = c.tensor(1);
  if (last)
    x = c.b.transpose(x, kToChannelsFirst);
  if (c.terms[8].word.ends_with("hwio"))
    w = c.b.transpose(w, {3, 2, 0, 1});
  SmallVector<int64_t> filters = c.b.shapeOf(w);
  if (ArrayRef(filters).drop_front(2) != c.numbers(6) ||
      filters[0] != c.terms[5].number)
    return c.refuse(c.terms[5].number != filters[0] ? 5 : 6,
                    "says " + Twine(c.terms[5].number) + " channels and a " +
                        "kernel of " + shapeToString(c.numbers(6)) +
                        ", its filters have the shape " +
                        shapeToString(filters));
  Type element = c.b.typeOf(x).getElementType();
  x = padImage(c, x, c.numbers(3), c.b.constant(element, int64_t(0)));
  Value result =
      x ? convolve(c, c.b.split(x, 4), w, c.numbers(2), c.terms[4].number)
        : Value();
  if (result && last)
    result = c.b.transpose(result, kToChannelsLast);
  return c.all(result);
}

/// Nearest neighbours, by whole factors.
static TermValue readUpsampling(Call &c) {
  if (!c.check("pdda"))
    return {};
  Value x = c.tensor(0);
  if (c.b.rankOf(x) != 4 || c.channelsLast(3))
    return c.refuse(c.b.rankOf(x) != 4 ? 0 : 3,
                    "takes an image of 4 dimensions in NCHW");
  SmallVector<int64_t> shape = c.b.shapeOf(x), wide = shape;
  int64_t factors[2];
  for (int i = 0; i < 2; ++i) {
    double scale = c.decimal(1 + i);
    if (!(scale >= 1 && scale <= 1 << 20) || scale != std::floor(scale))
      return c.refuse(1 + i, "takes whole factors of at least 1, got " +
                                 Twine(std::to_string(scale)));
    factors[i] = static_cast<int64_t>(scale);
    shape[2 + i] *= factors[i];
  }
  wide.insert(wide.begin() + 3, factors[0]);
  wide.push_back(factors[1]);
  x = c.b.insertAxis(x, 3);
  x = x ? c.b.insertAxis(x, 5) : Value();
  x = x ? c.b.broadcast(x, wide) : Value();
  return c.likeFirst(x ? c.b.reshape(x, shape, {}) : Value());
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static TermValue readDense(Call &c) {
  if (!c.check("pp"))
    return {};
  Value x = c.tensor(0), w = c.tensor(1);
  if (c.b.rankOf(x) != 2 || c.b.rankOf(w) != 2)
    return c.refuse(c.b.rankOf(x) != 2 ? 0 : 1,
                    "takes data and weights of 2 dimensions, got " +
                        Twine(c.b.rankOf(x)) + " and " + Twine(c.b.rankOf(w)));
  Value product = c.b.cartProd(c.b.split(x, 1), c.b.split(w, 1));
  return c.all(product ? c.b.compute(ComputeKind::DotProd, product) : Value());
}

/// out[b, m, n] = Σ_k x[b, m, k] · y[b, n, k]
static TermValue readBatchMatmul(Call &c) {
  if (!c.check("pp"))
    return {};
  Value x = c.tensor(0), y = c.tensor(1);
  if (c.b.rankOf(x) != 3 || c.b.rankOf(y) != 3)
    return c.refuse(c.b.rankOf(x) != 3 ? 0 : 1,
                    "takes operands of 3 dimensions, got " +
                        Twine(c.b.rankOf(x)) + " and " + Twine(c.b.rankOf(y)));
  SmallVector<int64_t> xs = c.b.shapeOf(x), ys = c.b.shapeOf(y);
  if (xs[0] != ys[0] || xs[2] != ys[2])
    return c.refuse(1, "takes equal batches and depths, got " +
                           shapeToString(xs) + " and " + shapeToString(ys));
  SmallVector<int64_t> shape = {xs[0], xs[1], ys[1], xs[2]};
  x = c.b.insertAxis(c.b.split(x, 2), 2);
  y = c.b.insertAxis(c.b.split(y, 2), 1);
  if (!x || !y)
    return {};
  Value both = c.b.pair(c.b.split(c.b.broadcast(x, shape), 3),
                        c.b.split(c.b.broadcast(y, shape), 3));
  return c.all(both ? c.b.compute(ComputeKind::DotProd, both) : Value());
}

RelayReader glenside::findWindowed(StringRef name) {
  return llvm::StringSwitch<RelayReader>(name)
      .Cases({"relay-max-pool2d", "relay-avg-pool2d"}, readPool)
      .Case("relay-global-avg-pool2d", readGlobalPool)
      .Case("relay-conv1d", readConv1D)
      .Case("relay-conv2d", readConv2D)
      .Case("relay-upsampling", readUpsampling)
      .Case("relay-dense", readDense)
      .Case("relay-batch-matmul", readBatchMatmul)
      .Default(nullptr);
}
