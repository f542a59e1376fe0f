//===- RaiseNamedTest.cpp - linalg's named ops, raised and run ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseRun.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class RaiseNamed : public RaiseTest {
protected:
  /// `linalg.NAME {attributes} ins(%a, %b) outs(start)` with a constant start.
  std::string write(StringRef name, StringRef attributes,
                    ArrayRef<std::string> inputs, StringRef output,
                    StringRef start = "0.0") {
    std::string arguments, values, types;
    for (auto [i, type] : llvm::enumerate(inputs)) {
      std::string value = "%a" + std::to_string(i);
      arguments += (i ? ", " : "") + value + ": " + type;
      values += (i ? ", " : "") + value;
      types += (i ? ", " : "") + type;
    }
    return "func.func @main(" + arguments + ") -> " + output.str() +
           " {\n  %s = arith.constant dense<" + start.str() +
           "> : " + output.str() + "\n  %0 = linalg." + name.str() + " " +
           attributes.str() + " ins(" + values + " : " + types +
           ") outs(%s : " + output.str() + ") -> " + output.str() +
           "\n  return %0 : " + output.str() + "\n}\n";
  }

  /// A convolution or pooling. In the layouts, letters: n batch, c input and f
  /// output channels, g groups, m multiplier, 0 1 2 spatial dimensions.
  void expectWindow(StringRef name, StringRef image, StringRef kernel,
                    StringRef result, RaisedKind kind, StringRef start) {
    for (int repeat = 0; repeat < 8; ++repeat) {
      DenseMap<char, int64_t> size;
      for (char letter : StringRef("ncfgm"))
        size[letter] = pick(1, 3);
      SmallVector<int64_t> places, windows, strides, dilations, spans;
      int64_t spatial = llvm::count_if(
          image, [](char letter) { return letter >= '0' && letter <= '2'; });
      for (int64_t i = 0; i < spatial; ++i) {
        places.push_back(pick(1, 4));
        windows.push_back(pick(1, 3));
        strides.push_back(pick(1, 3));
        dilations.push_back(pick(1, 3));
        spans.push_back((places[i] - 1) * strides[i] +
                        (windows[i] - 1) * dilations[i] + 1 + pick(0, 2));
      }
      auto shape = [&](StringRef layout, ArrayRef<int64_t> spatialSizes) {
        SmallVector<int64_t> sizes;
        for (char letter : layout)
          sizes.push_back(letter >= '0' && letter <= '2'
                              ? spatialSizes[letter - '0']
                              : size[letter]);
        return tensorType(sizes);
      };
      std::string attributes;
      if (!name.ends_with("_1d") && !name.ends_with("_2d") &&
          !name.ends_with("_3d")) {
        std::string n = std::to_string(spatial);
        attributes = "{strides = dense<[" + commaList(strides) +
                     "]> : tensor<" + n + "xi64>, dilations = dense<[" +
                     commaList(dilations) + "]> : tensor<" + n + "xi64>}";
      } else {
        for (int64_t i = 0; i < spatial; ++i)
          spans[i] = places[i] + windows[i] - 1 + pick(0, 2);
      }
      expectRaised(write(name, attributes,
                         {shape(image, spans), shape(kernel, windows)},
                         shape(result, places), start));
      EXPECT_EQ(summary[kind], 1) << name.str();
    }
  }
  void expectConvolution(StringRef name, StringRef image, StringRef kernel,
                         StringRef result) {
    expectWindow(name, image, kernel, result, RaisedKind::Convolution, "0.0");
  }
  void expectPooling(StringRef name, StringRef image, StringRef kernel,
                     StringRef start) {
    expectWindow(name, image, kernel, image, RaisedKind::Pooling, start);
  }
};

// Every convolution that linalg has a name for.
TEST_F(RaiseNamed, convolutions) {
  expectConvolution("conv_1d", "0", "0", "0");
  expectConvolution("conv_2d", "01", "01", "01");
  expectConvolution("conv_3d", "012", "012", "012");
  expectConvolution("conv_1d_nwc_wcf", "n0c", "0cf", "n0f");
  expectConvolution("conv_1d_ncw_fcw", "nc0", "fc0", "nf0");
  expectConvolution("conv_2d_nhwc_hwcf", "n01c", "01cf", "n01f");
  expectConvolution("conv_2d_nhwc_fhwc", "n01c", "f01c", "n01f");
  expectConvolution("conv_2d_nchw_fchw", "nc01", "fc01", "nf01");
  expectConvolution("conv_3d_ndhwc_dhwcf", "n012c", "012cf", "n012f");
  expectConvolution("conv_3d_ncdhw_fcdhw", "nc012", "fc012", "nf012");
}

TEST_F(RaiseNamed, grouped_convolutions) {
  expectConvolution("conv_2d_ngchw_fgchw", "ngc01", "fgc01", "ngf01");
  expectConvolution("conv_2d_ngchw_gfchw", "ngc01", "gfc01", "ngf01");
  expectConvolution("conv_2d_nhwgc_gfhwc", "n01gc", "gf01c", "n01gf");
}

TEST_F(RaiseNamed, depthwise_convolutions) {
  expectConvolution("depthwise_conv_1d_nwc_wc", "n0c", "0c", "n0c");
  expectConvolution("depthwise_conv_1d_ncw_cw", "nc0", "c0", "nc0");
  expectConvolution("depthwise_conv_1d_nwc_wcm", "n0c", "0cm", "n0cm");
  expectConvolution("depthwise_conv_2d_nhwc_hwc", "n01c", "01c", "n01c");
  expectConvolution("depthwise_conv_2d_nchw_chw", "nc01", "c01", "nc01");
  expectConvolution("depthwise_conv_2d_nhwc_hwcm", "n01c", "01cm", "n01cm");
  expectConvolution("depthwise_conv_3d_ndhwc_dhwc", "n012c", "012c", "n012c");
  expectConvolution("depthwise_conv_3d_ncdhw_cdhw", "nc012", "c012", "nc012");
  expectConvolution("depthwise_conv_3d_ndhwc_dhwcm", "n012c", "012cm",
                    "n012cm");
}

TEST_F(RaiseNamed, poolings) {
  expectPooling("pooling_nhwc_sum", "n01c", "01", "0.0");
  expectPooling("pooling_nchw_sum", "nc01", "01", "0.0");
  expectPooling("pooling_nhwc_max", "n01c", "01", "0xFF800000");
  expectPooling("pooling_nchw_max", "nc01", "01", "0xFF800000");
  expectPooling("pooling_nhwc_min", "n01c", "01", "0x7F800000");
  expectPooling("pooling_nwc_sum", "n0c", "0", "0.0");
  expectPooling("pooling_ncw_sum", "nc0", "0", "0.0");
  expectPooling("pooling_nwc_max", "n0c", "0", "0xFF800000");
  expectPooling("pooling_ncw_max", "nc0", "0", "-1.5");
  expectPooling("pooling_nwc_min", "n0c", "0", "0.25");
  expectPooling("pooling_ndhwc_sum", "n012c", "012", "0.0");
  expectPooling("pooling_ndhwc_max", "n012c", "012", "0xFF800000");
  expectPooling("pooling_ndhwc_min", "n012c", "012", "0x7F800000");
}

// Products of matrices and vectors, with and without batches.
TEST_F(RaiseNamed, contractions) {
  struct {
    const char *name, *lhs, *rhs, *out;
  } ops[] = {
      {"matmul", "mk", "kn", "mn"},
      {"batch_matmul", "bmk", "bkn", "bmn"},
      {"batch_reduce_matmul", "bmk", "bkn", "mn"},
      {"matvec", "mk", "k", "m"},
      {"vecmat", "k", "kn", "n"},
      {"batch_matvec", "bmk", "bk", "bm"},
      {"batch_vecmat", "bk", "bkn", "bn"},
      {"dot", "k", "k", ""},
      {"mmt4d", "mkab", "nkcb", "mnac"},
      {"batch_mmt4d", "xmkab", "xnkcb", "xmnac"},
  };
  for (auto &op : ops)
    for (int repeat = 0; repeat < 5; ++repeat) {
      DenseMap<char, int64_t> size;
      for (char letter : StringRef("mknbacx"))
        size[letter] = pick(1, 5);
      auto shape = [&](StringRef layout, StringRef element) {
        SmallVector<int64_t> sizes;
        for (char letter : layout)
          sizes.push_back(size[letter]);
        return tensorType(sizes, element);
      };
      expectRaised(write(op.name, "",
                         {shape(op.lhs, "f32"), shape(op.rhs, "f32")},
                         shape(op.out, "f32")));
      EXPECT_EQ(summary[RaisedKind::Contraction], 1) << op.name;
      expectRaised(write(op.name, "",
                         {shape(op.lhs, "i8"), shape(op.rhs, "i8")},
                         shape(op.out, "i32"), "0"));
    }
  // Maps of the user's own: both operands transposed.
  expectRaised(write("matmul indexing_maps = ["
                     "affine_map<(m, n, k) -> (k, m)>, "
                     "affine_map<(m, n, k) -> (n, k)>, "
                     "affine_map<(m, n, k) -> (m, n)>]",
                     "", {tensorType({5, 3}), tensorType({7, 5})},
                     tensorType({3, 7})));
}

TEST_F(RaiseNamed, elementwise_and_movement) {
  for (const char *name : {"add", "sub", "mul", "div"}) {
    expectRaised(write(name, "", {tensorType({3, 5}), tensorType({3, 5})},
                       tensorType({3, 5})));
    EXPECT_EQ(summary[RaisedKind::Elementwise], 1) << name;
  }
  expectRaised(write("negf", "", {tensorType({3, 5})}, tensorType({3, 5})));
  expectRaised(write("copy", "", {tensorType({3, 5})}, tensorType({3, 5})));
  EXPECT_EQ(summary[RaisedKind::Movement], 1);
  expectRaised(R"mlir(
func.func @main(%x: tensor<3x5x7xf32>) -> tensor<7x2x3x5xf32> {
  %e = tensor.empty() : tensor<7x3x5xf32>
  %t = linalg.transpose ins(%x : tensor<3x5x7xf32>)
    outs(%e : tensor<7x3x5xf32>) permutation = [2, 0, 1]
  %f = tensor.empty() : tensor<7x2x3x5xf32>
  %b = linalg.broadcast ins(%t : tensor<7x3x5xf32>)
    outs(%f : tensor<7x2x3x5xf32>) dimensions = [1]
  return %b : tensor<7x2x3x5xf32>
})mlir");
  EXPECT_EQ(summary[RaisedKind::Movement], 2);
  expectRaised(R"mlir(
func.func @main(%x: tensor<3x5x7xf32>) -> tensor<3x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<3x5x7xf32>)
    outs(%i : tensor<3x7xf32>) dimensions = [1]
  return %r : tensor<3x7xf32>
})mlir");
  EXPECT_EQ(summary[RaisedKind::Reduction], 1);
  // A fill that is read is a broadcast; the others are gone.
  expectRaised(R"mlir(
func.func @main(%s: f32) -> tensor<3x7xf32> {
  %e = tensor.empty() : tensor<3x7xf32>
  %i = linalg.fill ins(%s : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %i : tensor<3x7xf32>
})mlir");
  EXPECT_EQ(summary[RaisedKind::Movement], 1);
}

// A mean is one, with or without a broadcast in between, and only then.
TEST_F(RaiseNamed, means) {
  auto program = [](StringRef number, bool twice) {
    return R"mlir(
func.func @main(%x: tensor<3x5x7xf32>) -> (tensor<3x1xf32>, tensor<3xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>,
      affine_map<(a, b, c) -> (a)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<3x5x7xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %o = tensor.expand_shape %r [[0, 1]] output_shape [3, 1]
    : tensor<3xf32> into tensor<3x1xf32>
  %n = arith.constant dense<)mlir" +
           number.str() + R"mlir(> : tensor<3x1xf32>
  %m = arith.divf %o, %n : tensor<3x1xf32>
  return %m, )mlir" +
           (twice ? "%r" : "%e") + " : tensor<3x1xf32>, tensor<3xf32>\n}\n";
  };
  auto countMeans = [&](StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    raiseAllToAccess(*module);
    int64_t means = 0;
    module->walk([&](ComputeOp op) {
      means += op.getKind() == ComputeKind::ReduceMean;
    });
    return means;
  };
  expectRaised(program("35.0", false));
  EXPECT_EQ(countMeans(program("35.0", false)), 1);
  EXPECT_EQ(countMeans(program("36.0", false)), 0);
  EXPECT_EQ(countMeans(program("35.0", true)), 0);
}

// The kinds that are asked for, and no others.
TEST_F(RaiseNamed, kinds) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
func.func @main(%x: tensor<3x5xf32>, %y: tensor<5x7xf32>) -> tensor<7x3xf32> {
  %z = arith.constant dense<0.0> : tensor<3x7xf32>
  %m = linalg.matmul ins(%x, %y : tensor<3x5xf32>, tensor<5x7xf32>)
    outs(%z : tensor<3x7xf32>) -> tensor<3x7xf32>
  %e = tensor.empty() : tensor<7x3xf32>
  %t = linalg.transpose ins(%m : tensor<3x7xf32>)
    outs(%e : tensor<7x3xf32>) permutation = [1, 0]
  return %t : tensor<7x3xf32>
})mlir",
                                                             &context);
  RaiseOptions options;
  options.kinds = {RaisedKind::Contraction};
  RaiseSummary summary = raiseAllToAccess(*module, options);
  EXPECT_EQ(summary[RaisedKind::Contraction], 1);
  EXPECT_EQ(summary[RaisedKind::Movement], 0);
  EXPECT_EQ(summary.missed, 1);
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  EXPECT_NE(text.find("linalg.transpose"), std::string::npos);
  for (RaisedKind kind : {RaisedKind::Contraction, RaisedKind::Movement})
    EXPECT_EQ(symbolizeRaisedKind(stringifyRaisedKind(kind)), kind);
  EXPECT_EQ(symbolizeRaisedKind("scan"), std::nullopt);
}

} // namespace
