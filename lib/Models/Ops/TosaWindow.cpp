//===- TosaWindow.cpp - What tosa's convolutions and pools read -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element o of a result reads positions o * stride + k * dilation - pad of the
// input, for the k of the window where that is inside. The padding is zeros,
// which are multiplied by the kernel like elements: all of it is read
// everywhere. transpose_conv2d goes the other way: element i of the input is
// added to positions i * stride + k + pad of the result, where that is inside;
// its kernel meets the zeros between and around the elements of the input, too.
//
//===----------------------------------------------------------------------===//

#include "Tosa.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// How a window moves along each spatial dimension.
struct Window {
  SmallVector<int64_t> stride, dilation, padBefore;

  /// From attributes; `pad` is before and after, dimension by dimension.
  static std::optional<Window> get(const TosaOp &op, StringRef pad,
                                   unsigned numSpatial);
  /// The input positions of results `out` at window positions `kernel`; keeps
  /// the points that are inside.
  SmallVector<Form> connect(Loops &loops, ArrayRef<Form> out,
                            ArrayRef<Form> kernel,
                            ArrayRef<Form> inputSizes) const;
};

} // namespace

std::optional<Window> Window::get(const TosaOp &op, StringRef pad,
                                  unsigned numSpatial) {
  auto stride = op.getArray("stride"), dilation = op.getArray("dilation");
  auto padding = op.getArray(pad);
  if (!stride || !padding || stride->size() != numSpatial ||
      padding->size() != 2 * numSpatial ||
      (dilation && dilation->size() != numSpatial))
    return std::nullopt;
  Window window;
  window.stride = *stride;
  window.dilation = dilation.value_or(SmallVector<int64_t>(numSpatial, 1));
  for (unsigned i = 0; i < numSpatial; ++i)
    window.padBefore.push_back((*padding)[2 * i]);
  return window;
}

SmallVector<Form> Window::connect(Loops &loops, ArrayRef<Form> out,
                                  ArrayRef<Form> kernel,
                                  ArrayRef<Form> inputSizes) const {
  FormArena &arena = loops.arena();
  SmallVector<Form> index;
  for (size_t i = 0; i < stride.size(); ++i) {
    Form x = arena.add(arena.scale(out[i], stride[i]),
                       arena.scale(kernel[i], dilation[i]));
    index.push_back(arena.sub(x, Form(padBefore[i])));
    loops.keepInside(index.back(), inputSizes[i]);
  }
  return index;
}

/// conv2d and conv3d: input (n, spatial..., ic), weight (oc, kernel..., ic),
/// bias (oc or one element), result (n, spatial..., oc).
template <unsigned numSpatial>
static OpIndexing inferConvolution(const OpSignature &signature) {
  TosaOp op(signature);
  constexpr unsigned rank = numSpatial + 2;
  auto window = Window::get(op, "pad", numSpatial);
  if (!op.isValid || op.in.size() != 5 || op.out[0].size() != rank ||
      op.in[0].size() != rank || op.in[1].size() != rank || !window)
    return op.unknown();
  const SizeList &in = op.in[0], &weight = op.in[1];
  op.sizes.equate(in[0], op.out[0][0]);
  op.sizes.equate(weight[0], op.out[0].back());
  op.sizes.equate(in.back(), weight.back());
  // n, spatial..., oc, kernel..., ic
  SizeList extents = op.out[0];
  extents.append(weight.begin() + 1, weight.end());
  for (unsigned o : {0, 1}) {
    Loops loops(op.sizes, extents);
    ArrayRef<Form> all = loops.get();
    ArrayRef<Form> kernel = all.slice(rank, numSpatial);
    SmallVector<Form> index(kernel);
    if (o == 0)
      index = window->connect(loops, all.slice(1, numSpatial), kernel,
                              ArrayRef<Form>(in).slice(1, numSpatial));
    index.insert(index.begin(), loops[o == 0 ? 0 : rank - 1]);
    index.push_back(all.back());
    op.connect(loops, all.take_front(rank), o, index);
  }
  op.addVector(2, rank - 1);
  op.addSingle(3, 5);
  return op.finish();
}

/// Input (n, h, w, c), weight (kh, kw, c, m), result (n, h, w, c * m).
static OpIndexing inferDepthwise(const OpSignature &signature) {
  TosaOp op(signature);
  auto window = Window::get(op, "pad", 2);
  if (!op.isValid || op.in.size() != 5 || op.out[0].size() != 4 ||
      op.in[0].size() != 4 || op.in[1].size() != 4 || !window)
    return op.unknown();
  const SizeList &in = op.in[0], &weight = op.in[1];
  op.sizes.equate(in[0], op.out[0][0]);
  op.sizes.equate(in[3], weight[2]);
  auto channels = op.sizes.getStatic(weight[2]);
  auto multiplier = op.sizes.getStatic(weight[3]);
  if (channels)
    op.sizes.equate(op.out[0][3],
                    op.sizes.getArena().scale(weight[3], *channels));
  else if (multiplier)
    op.sizes.equate(op.out[0][3],
                    op.sizes.getArena().scale(weight[2], *multiplier));
  for (unsigned o : {0, 1}) {
    // n, h, w, c, m, kh, kw
    Loops loops(op.sizes, {op.out[0][0], op.out[0][1], op.out[0][2], weight[2],
                           weight[3], weight[0], weight[1]});
    Form channel = loops.arena().add(
        loops.arena().mul(loops[3], loops.size(weight[3])), loops[4]);
    SmallVector<Form> result{loops[0], loops[1], loops[2], channel};
    SmallVector<Form> index{loops[5], loops[6], loops[3], loops[4]};
    if (o == 0) {
      SmallVector<Form> at = window->connect(loops, loops.get().slice(1, 2),
                                             loops.get().slice(5, 2),
                                             ArrayRef<Form>(in).slice(1, 2));
      index = {loops[0], at[0], at[1], loops[3]};
    }
    op.connect(loops, result, o, index);
  }
  op.addVector(2, 3);
  op.addSingle(3, 5);
  return op.finish();
}

/// Input (n, h, w, ic), weight (oc, kh, kw, ic), result (n, h, w, oc).
static OpIndexing inferTransposeConvolution(const OpSignature &signature) {
  TosaOp op(signature);
  auto window = Window::get(op, "out_pad", 2);
  if (!op.isValid || op.in.size() != 5 || op.out[0].size() != 4 ||
      op.in[0].size() != 4 || op.in[1].size() != 4 || !window)
    return op.unknown();
  const SizeList &in = op.in[0], &weight = op.in[1];
  op.sizes.equate(in[0], op.out[0][0]);
  op.sizes.equate(weight[0], op.out[0][3]);
  op.sizes.equate(in[3], weight[3]);
  // n, h, w, ic, oc, kh, kw
  Loops loops(op.sizes,
              {in[0], in[1], in[2], in[3], weight[0], weight[1], weight[2]});
  FormArena &arena = loops.arena();
  SmallVector<Form> result{loops[0]};
  for (unsigned i : {0, 1}) {
    Form x = arena.addScaled(loops[5 + i], loops[1 + i], window->stride[i]);
    result.push_back(arena.add(x, Form(window->padBefore[i])));
    loops.keepInside(result.back(), op.out[0][1 + i]);
  }
  result.push_back(loops[4]);
  op.connect(loops, result, 0, {loops[0], loops[1], loops[2], loops[3]});
  // n, h, w, oc, kh, kw, ic
  SizeList extents = op.out[0];
  extents.append(weight.begin() + 1, weight.end());
  Loops all(op.sizes, extents);
  op.connect(all, all.get().take_front(4), 1, {all[3], all[4], all[5], all[6]});
  op.addVector(2, 3);
  op.addSingle(3, 5);
  return op.finish();
}

/// Input and result (n, h, w, c); avg_pool2d has two zero points.
static OpIndexing inferPool(const OpSignature &signature) {
  TosaOp op(signature);
  auto window = Window::get(op, "pad", 2);
  auto kernel = op.getArray("kernel");
  if (!op.isValid || op.in.empty() || op.out[0].size() != 4 ||
      op.in[0].size() != 4 || !window || !kernel || kernel->size() != 2)
    return op.unknown();
  const SizeList &in = op.in[0];
  op.sizes.equate(in[0], op.out[0][0]);
  op.sizes.equate(in[3], op.out[0][3]);
  SizeList extents = op.out[0];
  for (int64_t size : *kernel)
    extents.push_back(Form(size));
  Loops loops(op.sizes, extents);
  SmallVector<Form> index =
      window->connect(loops, loops.get().slice(1, 2), loops.get().slice(4, 2),
                      ArrayRef<Form>(in).slice(1, 2));
  index.insert(index.begin(), loops[0]);
  index.push_back(loops[3]);
  op.connect(loops, loops.get().take_front(4), 0, index);
  op.addSingle(1, op.in.size());
  return op.finish();
}

void tensoraccess::registerTosaWindowModels(MLIRContext *context) {
  attachModel<tosa::AvgPool2dOp, inferPool>(context);
  attachModel<tosa::Conv2DOp, inferConvolution<2>>(context);
  attachModel<tosa::Conv3DOp, inferConvolution<3>>(context);
  attachModel<tosa::DepthwiseConv2DOp, inferDepthwise>(context);
  attachModel<tosa::MaxPool2dOp, inferPool>(context);
  attachModel<tosa::TransposeConv2DOp, inferTransposeConvolution>(context);
}
