//===- GlensideHardware.cpp - Systolic arrays and accelerators -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms that stand for hardware. An array in a convolution mode is the
// convolution that it computes.
//
//===----------------------------------------------------------------------===//

#include "GlensideTerms.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

static TermValue readSystolicArray(TermBuilder &b, Operands &o) {
  if (!o.count(4))
    return {};
  bool blocking = o.word.ends_with("with-blocking");
  int64_t rows = o.number(0), cols = o.number(1);
  Value lhs = o.pattern(2), rhs = o.pattern(3);
  if (o.failed)
    return {};
  // What the verifier looks at, in its order.
  AccessType item = b.typeOf(lhs);
  size_t wrong =
      rows < 1                                                              ? 0
      : cols < 1                                                            ? 1
      : item.getComputeRank() != 1 || item.getComputeShape()[0] % rows != 0 ? 2
                                                                            : 3;
  if (!blocking) {
    if (wrong == 3 && item.getComputeShape()[0] != rows)
      wrong = 2;
    return TermValue::ofPattern(
        b.at(wrong).op("systolic_array", {lhs, rhs},
                       {b.number("rows", rows), b.number("cols", cols)}));
  }
  ArrayRef<int64_t> left = b.typeOf(lhs).getComputeShape(),
                    right = b.typeOf(rhs).getComputeShape();
  if (rows < 1 || cols < 1 || left.size() != 1 || right.size() != 2 ||
      b.splitOf(rhs) != 0 || left[0] != right[0] || left[0] % rows != 0 ||
      right[1] % cols != 0) {
    b.at(wrong).error()
        << "'" << o.word << "' of " << rows << "x" << cols
        << " takes patterns <A | K> and <| K x N> with K a multiple of " << rows
        << " and N of " << cols << ", got " << b.typeOf(lhs) << " and "
        << b.typeOf(rhs);
    return {};
  }
  return TermValue::ofPattern(
      b.op("systolic_array", {lhs, rhs},
           {b.number("rows", rows), b.number("cols", cols),
            b.b.getNamedAttr("blocked", b.b.getUnitAttr())}));
}

/// (systolic-array-conv2d[-im2col]-nchw-oihw-with-blocking rows cols weights
///  data kh kw stride-h stride-w), or …-nhwc-hwio-…: the convolution that the
/// array computes, without padding.
static TermValue readSystolicConvolution(TermBuilder &b, Operands &o) {
  if (!o.count(8))
    return {};
  int64_t rows = o.number(0), cols = o.number(1);
  Value weights = o.pattern(2), data = o.pattern(3);
  int64_t kh = o.number(4), kw = o.number(5);
  int64_t strides[] = {o.number(6), o.number(7)};
  if (o.failed)
    return {};
  if (b.rankOf(weights) != 4 || b.rankOf(data) != 4) {
    b.at(b.rankOf(weights) != 4 ? 2 : 3).error()
        << "'" << o.word << "' takes weights and data of 4 dimensions, "
        << "got " << b.rankOf(weights) << " and " << b.rankOf(data);
    return {};
  }
  bool channelsLast = o.word.contains("nhwc");
  if (channelsLast) {
    data = b.transpose(b.split(data, 4), {0, 3, 1, 2});
    weights = b.transpose(b.split(weights, 4), {3, 2, 0, 1});
  }
  data = b.split(data, 1);
  weights = b.split(weights, 1);
  if (!data || !weights)
    return {};
  SmallVector<int64_t> d = b.shapeOf(data), w = b.shapeOf(weights);
  if (w[2] != kh || w[3] != kw) {
    b.at(w[2] != kh ? 4 : 5).error()
        << "'" << o.word << "' has a kernel of " << kh << "x" << kw
        << ", its weights one of " << w[2] << "x" << w[3];
    return {};
  }
  bool im2col = o.word.contains("im2col");
  if (rows < 1 || cols < 1 ||
      (!im2col && (w[0] % cols != 0 || d[1] % rows != 0))) {
    size_t wrong = rows < 1 ? 0 : cols < 1 ? 1 : w[0] % cols != 0 ? 2 : 3;
    b.at(wrong).error() << "an array of " << rows << "x" << cols
                        << " takes channels in "
                        << "multiples of " << rows << " and out of " << cols
                        << ", got " << d[1] << " and " << w[0];
    return {};
  }
  size_t wrong = strides[0] < 1 ? 6 : strides[1] < 1 ? 7 : 3;
  Value windows =
      b.at(wrong).windows(data, {d[1], kh, kw}, {1, strides[0], strides[1]});
  // <N, 1, H', W' | C, Kh, Kw> with <O | C, Kh, Kw>, to N, O, H', W' or
  // N, H', W', O.
  Value sums =
      b.compute(ComputeKind::DotProd, b.at(2).cartProd(windows, weights));
  Value result = sums ? b.squeeze(sums, 1) : Value();
  return TermValue::ofPattern(channelsLast ? result
                                           : b.transpose(result, {0, 3, 1, 2}));
}

/// (accelerator-call function operands… [shape])
static TermValue readAcceleratorCall(TermBuilder &b, Operands &o) {
  if (o.terms.empty()) {
    b.error() << "'accelerator-call' takes the accelerator's function";
    return {};
  }
  StringRef word = o.take(0, TermValue::Word).word;
  if (o.failed)
    return {};
  // Patterns are operands; numbers, shapes and words are the configuration.
  SmallVector<Value> operands;
  SmallVector<Attribute> config;
  for (auto [i, term] : llvm::enumerate(o.terms)) {
    if (i == 0)
      continue;
    switch (term.kind) {
    case TermValue::Pattern:
      operands.push_back(term.value);
      break;
    case TermValue::Number:
      config.push_back(b.b.getI64IntegerAttr(term.number));
      break;
    case TermValue::Decimal:
    case TermValue::Literal:
      config.push_back(b.b.getF64FloatAttr(term.decimal));
      break;
    case TermValue::Word:
      config.push_back(b.b.getStringAttr(term.word));
      break;
    case TermValue::Shape:
    case TermValue::List:
      config.push_back(b.b.getDenseI64ArrayAttr(term.numbers));
      break;
    default:
      b.at(i).error() << "'accelerator-call' takes access patterns, numbers, "
                         "shapes and words, got "
                      << describe(term.kind);
      return {};
    }
  }
  auto refuse = [&](const Twine &why) {
    b.error() << "'" << word << "' " << why;
    return TermValue();
  };
  auto shape = [&](size_t i) { return b.shapeOf(operands[i]); };
  SmallVector<int64_t> accessSizes, computeSizes;
  if (word == "flex-linear" || word == "vta-dense") {
    if (operands.size() < 2 || b.rankOf(operands[0]) != 2 ||
        b.rankOf(operands[1]) != 2)
      return refuse("takes activations and weights of 2 dimensions");
    if (shape(0)[1] != shape(1)[1])
      return refuse("takes activations and weights of one depth, got " +
                    Twine(shape(0)[1]) + " and " + Twine(shape(1)[1]));
    accessSizes = {shape(0)[0], shape(1)[0]};
  } else if (word == "flex-maxpool") {
    if (operands.size() != 1 || b.splitOf(operands[0]) != 0 ||
        b.rankOf(operands[0]) != 2 || shape(0)[0] % 2 != 0 ||
        shape(0)[1] % 16 != 0)
      return refuse("takes one item of an even number of steps by a multiple "
                    "of 16 states");
    computeSizes = {shape(0)[0] / 2, shape(0)[1]};
  } else if (word == "flex-lstm") {
    if (operands.empty() || o.terms.back().kind != TermValue::Shape)
      return refuse("takes operands and at the end the shape of its result");
    accessSizes = o.terms.back().numbers;
  } else if (word == "hlscnn-conv2d") {
    if (operands.size() != 2 || o.terms.size() < 8 ||
        b.rankOf(operands[0]) != 4 || b.rankOf(operands[1]) != 4 ||
        o.terms[3].numbers.size() != 2 || o.terms[4].numbers.size() != 4 ||
        o.terms[6].kind != TermValue::Number || o.terms[7].numbers.size() != 2)
      return refuse("takes data, weights, strides, padding, groups, channels, "
                    "kernel size and layouts");
    SmallVector<int64_t> data = shape(0);
    ArrayRef<int64_t> strides = o.terms[3].numbers, pads = o.terms[4].numbers,
                      kernel = o.terms[7].numbers;
    accessSizes = {data[0], o.terms[6].number};
    for (int i = 0; i < 2; ++i) {
      int64_t free = data[2 + i] + pads[i] + pads[2 + i] - kernel[i];
      if (strides[i] < 1 || kernel[i] < 1 || free < 0)
        return refuse("has a kernel or stride that does not fit its data");
      accessSizes.push_back(free / strides[i] + 1);
    }
  } else {
    b.at(0).error()
        << "'" << word
        << "' is not an accelerator's function whose result is known";
    return {};
  }
  if (operands.empty())
    return refuse("takes an access pattern");
  auto type = AccessType::getChecked(
      [&] { return b.error(); }, b.b.getContext(), ArrayRef(accessSizes),
      ArrayRef(computeSizes), b.typeOf(operands[0]).getElementType());
  if (!type)
    return {};
  SmallVector<NamedAttribute> attributes = {
      b.b.getNamedAttr("target", b.b.getStringAttr(word))};
  if (!config.empty())
    attributes.push_back(b.b.getNamedAttr("config", b.b.getArrayAttr(config)));
  return TermValue::ofPattern(
      b.op("accelerator_call", operands, attributes, type));
}

static TermValue readRelayCall(TermBuilder &b, Operands &o) {
  if (o.terms.empty() || o.terms[0].kind != TermValue::Word) {
    b.at(0).error() << "'relay-operator-call' takes the operator's name first";
    return {};
  }
  return readRelay(b, o.terms);
}

TermReader glenside::findHardwareTerm(StringRef word) {
  return llvm::StringSwitch<TermReader>(word)
      .Cases({"systolic-array", "systolic-array-with-blocking"},
             readSystolicArray)
      .Cases({"systolic-array-conv2d-nchw-oihw-with-blocking",
              "systolic-array-conv2d-nhwc-hwio-with-blocking",
              "systolic-array-conv2d-im2col-nchw-oihw-with-blocking",
              "systolic-array-conv2d-im2col-nhwc-hwio-with-blocking"},
             readSystolicConvolution)
      .Case("accelerator-call", readAcceleratorCall)
      .Case("relay-operator-call", readRelayCall)
      .Default(nullptr);
}
