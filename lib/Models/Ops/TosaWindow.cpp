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
  /// The input positions of results `out` at window positions `kernel`.
  SmallVector<Form> getPositions(FormArena &arena, ArrayRef<Form> out,
                                 ArrayRef<Form> kernel) const;
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

SmallVector<Form> Window::getPositions(FormArena &arena, ArrayRef<Form> out,
                                       ArrayRef<Form> kernel) const {
  SmallVector<Form> index;
  for (size_t i = 0; i < stride.size(); ++i) {
    Form x = arena.add(arena.scale(out[i], stride[i]),
                       arena.scale(kernel[i], dilation[i]));
    index.push_back(arena.sub(x, Form(padBefore[i])));
  }
  return index;
}

/// Reads operand 0, (n, spatial..., c), at positions that may be outside.
static void readInside(Nest &nest, const TosaOp &op, const Form &n,
                       ArrayRef<Form> positions, const Form &c) {
  SmallVector<Form> index{n};
  llvm::append_range(index, positions);
  index.push_back(c);
  NestRead &read = nest.read(0, index);
  for (auto [i, position] : llvm::enumerate(positions))
    read.keepInside(position, op.in[0][1 + i]);
}

/// conv2d and conv3d: input (n, spatial..., ic), weight (oc, kernel..., ic),
/// bias (oc or one element), result (n, spatial..., oc).
template <unsigned numSpatial>
static Nest inferConvolution(const OpSignature &signature) {
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
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Contract;
  ArrayRef<Form> all = nest.getAxes(), out = all.take_front(rank);
  nest.write(0, out);
  readInside(nest, op, all[0],
             window->getPositions(nest.arena(), all.slice(1, numSpatial),
                                  all.slice(rank, numSpatial)),
             all.back());
  SmallVector<Form> kernel(all.drop_front(rank));
  kernel.insert(kernel.begin(), all[rank - 1]);
  nest.read(1, kernel);
  op.readVector(nest, out, 2, rank - 1);
  nest.readSingle(3, 5);
  return nest;
}

/// Input (n, h, w, c), weight (kh, kw, c, m), result (n, h, w, c * m).
static Nest inferDepthwise(const OpSignature &signature) {
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
  // n, h, w, c, m, kh, kw
  Nest nest = op.makeNest({op.out[0][0], op.out[0][1], op.out[0][2], weight[2],
                           weight[3], weight[0], weight[1]});
  nest.body = NestBody::Contract;
  ArrayRef<Form> all = nest.getAxes();
  Form channel =
      nest.arena().add(nest.arena().mul(all[3], nest.size(weight[3])), all[4]);
  const SmallVector<Form> out{all[0], all[1], all[2], channel};
  nest.write(0, out);
  readInside(
      nest, op, all[0],
      window->getPositions(nest.arena(), all.slice(1, 2), all.slice(5, 2)),
      all[3]);
  nest.read(1, {all[5], all[6], all[3], all[4]});
  op.readVector(nest, out, 2, 3);
  nest.readSingle(3, 5);
  return nest;
}

/// The maps of transpose_conv2d, from elements of the input: n, oh, ow, oc, ih,
/// iw, kh, kw, ic, a place of the result or of the input.
static OpIndexing relateTransposed(const TosaOp &op, const Window &window) {
  const SizeList &in = op.in[0], &weight = op.in[1];
  Nest nest = op.makeNest({in[0], op.out[0][1], op.out[0][2], weight[0], in[1],
                           in[2], weight[1], weight[2], in[3]});
  FormArena &arena = nest.arena();
  ArrayRef<Form> all = nest.getAxes(), out = all.take_front(4);
  nest.write(0, out);
  SmallVector<Form> index{all[0]};
  NestAccess &added = nest.write(0, {});
  for (unsigned i : {0, 1}) {
    Form x = arena.addScaled(all[6 + i], all[4 + i], window.stride[i]);
    index.push_back(arena.add(x, Form(window.padBefore[i])));
    added.keepInside(index.back(), op.out[0][1 + i]);
  }
  index.push_back(all[3]);
  added.index.assign(index.begin(), index.end());
  nest.read(0, {all[0], all[4], all[5], all[8]}).write = 1;
  nest.read(1, {all[3], all[6], all[7], all[8]}).write = 0;
  op.readVector(nest, out, 2, 3);
  nest.readSingle(3, 5);
  for (NestRead &read : llvm::drop_begin(nest.reads, 2))
    read.write = 0;
  return nest.getIndexing();
}

/// Input (n, h, w, ic), weight (oc, kh, kw, ic), result (n, h, w, oc). Sums run
/// over the kernel backwards, along the input.
static Nest inferTransposeConvolution(const OpSignature &signature) {
  TosaOp op(signature);
  auto window = Window::get(op, "out_pad", 2);
  if (!op.isValid || op.in.size() != 5 || op.out[0].size() != 4 ||
      op.in[0].size() != 4 || op.in[1].size() != 4 || !window)
    return op.unknown();
  const SizeList &in = op.in[0], &weight = op.in[1];
  op.sizes.equate(in[0], op.out[0][0]);
  op.sizes.equate(weight[0], op.out[0][3]);
  op.sizes.equate(in[3], weight[3]);
  // n, oh, ow, oc, kh, kw, ic
  SizeList extents = op.out[0];
  extents.append(weight.begin() + 1, weight.end());
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Contract;
  FormArena &arena = nest.arena();
  ArrayRef<Form> all = nest.getAxes();
  nest.write(0, all.take_front(4));
  NestRead image;
  image.index = {all[0], Form(), Form(), all[6]};
  SmallVector<Form> kernel{all[3]};
  for (unsigned i : {0, 1}) {
    kernel.push_back(arena.sub(nest.last(weight[1 + i]), all[4 + i]));
    Form place = arena.sub(arena.sub(all[1 + i], kernel.back()),
                           Form(window->padBefore[i]));
    image.index[1 + i] =
        image.spread(arena, 1 + i, std::move(place), window->stride[i]);
    image.keepInside(image.index[1 + i], in[1 + i]);
  }
  kernel.push_back(all[6]);
  nest.reads.push_back(std::move(image));
  nest.read(1, kernel);
  op.readVector(nest, all.take_front(4), 2, 3);
  nest.readSingle(3, 5);
  nest.setIndexing(relateTransposed(op, *window));
  return nest;
}

/// Input and result (n, h, w, c); avg_pool2d has two zero points.
static Nest inferPool(const OpSignature &signature) {
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
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Reduce;
  ArrayRef<Form> all = nest.getAxes();
  nest.write(0, all.take_front(4));
  readInside(
      nest, op, all[0],
      window->getPositions(nest.arena(), all.slice(1, 2), all.slice(4, 2)),
      all[3]);
  nest.readSingle(1, op.in.size());
  return nest;
}

void tensoraccess::registerTosaWindowModels(MLIRContext *context) {
  attachModel<tosa::AvgPool2dOp, inferPool>(context);
  attachModel<tosa::Conv2DOp, inferConvolution<2>>(context);
  attachModel<tosa::Conv3DOp, inferConvolution<3>>(context);
  attachModel<tosa::DepthwiseConv2DOp, inferDepthwise>(context);
  attachModel<tosa::MaxPool2dOp, inferPool>(context);
  attachModel<tosa::TransposeConv2DOp, inferTransposeConvolution>(context);
}
