//===- RaiseTosaTest.cpp - tosa, raised and run ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other side is upstream's own lowering of tosa to linalg. It adds the bias
// first where ours adds it last, so that sums with one are reordered.
//
//===----------------------------------------------------------------------===//

#include "RaiseRun.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class RaiseTosa : public RaiseTest {
protected:
  RaiseTosa() { context.loadDialect<tosa::TosaDialect>(); }

  void prepareOracle(ModuleOp module) override {
    PassManager passes(&context);
    OpPassManager &functions = passes.nest<func::FuncOp>();
    functions.addPass(tosa::createTosaOptionalDecompositionsPass());
    functions.addPass(tosa::createTosaToLinalgNamed());
    functions.addPass(tosa::createTosaToLinalg());
    functions.addPass(createTosaToTensorPass());
    functions.addPass(createTosaToArithPass());
    passes.addPass(createCanonicalizerPass());
    ASSERT_TRUE(succeeded(passes.run(module))) << messages;
  }

  static std::string i64s(ArrayRef<int64_t> numbers) {
    return "array<i64: " + commaList(numbers) + ">";
  }
  static std::string shapeConst(StringRef name, ArrayRef<int64_t> numbers) {
    std::string rank = std::to_string(numbers.size());
    return "  " + name.str() + " = tosa.const_shape {values = dense<[" +
           commaList(numbers) + "]> : tensor<" + rank +
           "xindex>} : () -> !tosa.shape<" + rank + ">\n";
  }
  static std::string zero(StringRef name, StringRef element) {
    std::string type = "tensor<1x" + element.str() + ">";
    return "  " + name.str() + " = \"tosa.const\"() <{values = dense<" +
           (element[0] == 'i' ? "0" : "0.0") + "> : " + type + "}> : () -> " +
           type + "\n";
  }
  static std::string zeroPoint(StringRef name, int64_t value) {
    return "  " + name.str() + " = \"tosa.const\"() <{values = dense<" +
           std::to_string(value) + "> : tensor<1xi8>}> : () -> tensor<1xi8>\n";
  }
  /// A function of these arguments with this body, which defines %0.
  static std::string function(ArrayRef<std::string> types, StringRef body,
                              StringRef result) {
    std::string arguments;
    for (auto [i, type] : llvm::enumerate(types))
      arguments += (i ? ", %a" : "%a") + std::to_string(i) + ": " + type;
    return "func.func @main(" + arguments + ") -> " + result.str() + " {\n" +
           body.str() + "  return %0 : " + result.str() + "\n}\n";
  }

  struct Spatial {
    SmallVector<int64_t> sizes, kernel, places, strides, dilations, pads;
  };
  /// Exact places, as tosa wants them.
  Spatial draw(int64_t rank, bool dilates, bool padsLess = false) {
    Spatial s;
    for (int64_t i = 0; i < rank; ++i) {
      s.kernel.push_back(pick(1, 3));
      s.places.push_back(pick(1, 4));
      s.strides.push_back(pick(1, 3));
      s.dilations.push_back(dilates ? pick(1, 2) : 1);
      int64_t span = (s.places[i] - 1) * s.strides[i] +
                     (s.kernel[i] - 1) * s.dilations[i] + 1;
      int64_t most = padsLess ? s.kernel[i] - 1 : 2;
      int64_t low = pick(0, most), high = pick(0, most);
      if (span - low - high < 1)
        low = high = 0;
      s.pads.append({low, high});
      s.sizes.push_back(span - low - high);
    }
    return s;
  }
};

TEST_F(RaiseTosa, convolutions) {
  for (int i = 0; i < 60; ++i) {
    bool integer = i % 3 == 2;
    int64_t rank = i % 4 == 3 ? 3 : 2;
    std::string in = integer ? "i8" : "f32", out = integer ? "i32" : "f32";
    Spatial s = draw(rank, true);
    int64_t n = pick(1, 2), ic = pick(1, 3), oc = pick(1, 3);
    auto shape = [](int64_t first, ArrayRef<int64_t> middle, int64_t last) {
      SmallVector<int64_t> result{first};
      llvm::append_range(result, middle);
      result.push_back(last);
      return result;
    };
    std::string x = tensorType(shape(n, s.sizes, ic), in);
    std::string w = tensorType(shape(oc, s.kernel, ic), in);
    std::string b = tensorType({coin() ? oc : 1}, out);
    std::string r = tensorType(shape(n, s.places, oc), out);
    std::string zp = "tensor<1x" + in + ">";
    std::string zeros = zero("%p", in) + zero("%q", in);
    if (integer)
      zeros = zeroPoint("%p", pick(0, 1) * pick(-128, 127)) +
              zeroPoint("%q", pick(0, 1) * pick(-128, 127));
    expectRaised(
        function({x, w, b},
                 zeros + "  %0 = tosa.conv" + std::to_string(rank) +
                     "d %a0, %a1, %a2, %p, %q {acc_type = " + out + ", pad = " +
                     i64s(s.pads) + ", stride = " + i64s(s.strides) +
                     ", dilation = " + i64s(s.dilations) + "} : (" + x + ", " +
                     w + ", " + b + ", " + zp + ", " + zp + ") -> " + r + "\n",
                 r),
        Sums::Reordered);
    EXPECT_EQ(summary[RaisedKind::Convolution], 1);
    if (HasFailure())
      return;
  }
}

TEST_F(RaiseTosa, depthwise_and_transposed_convolutions) {
  for (int i = 0; i < 40; ++i) {
    Spatial s = draw(2, true);
    int64_t n = pick(1, 2), c = pick(1, 3), m = pick(1, 3);
    std::string x = tensorType({n, s.sizes[0], s.sizes[1], c});
    std::string w = tensorType({s.kernel[0], s.kernel[1], c, m});
    std::string b = tensorType({c * m});
    std::string r = tensorType({n, s.places[0], s.places[1], c * m});
    std::string zps = "tensor<1xf32>, tensor<1xf32>";
    expectRaised(
        function({x, w, b},
                 zero("%z", "f32") +
                     "  %0 = tosa.depthwise_conv2d %a0, %a1, %a2, %z, %z "
                     "{acc_type = f32, pad = " +
                     i64s(s.pads) + ", stride = " + i64s(s.strides) +
                     ", dilation = " + i64s(s.dilations) + "} : (" + x + ", " +
                     w + ", " + b + ", " + zps + ") -> " + r + "\n",
                 r),
        Sums::Reordered);
    EXPECT_EQ(summary[RaisedKind::Convolution], 1);
    if (HasFailure())
      return;
    // Element i of the image goes to i * stride + k + pad.
    SmallVector<int64_t> in = sizes(2, 1, 4), kernel = sizes(2, 1, 3),
                         stride = sizes(2, 1, 3), pad, out;
    for (int64_t d = 0; d < 2; ++d) {
      int64_t low = pick(1 - kernel[d], 2), high = pick(1 - kernel[d], 2);
      int64_t size = (in[d] - 1) * stride[d] + kernel[d] + low + high;
      if (size < 1) {
        size -= low + high;
        low = high = 0;
      }
      pad.append({low, high});
      out.push_back(size);
    }
    x = tensorType({n, in[0], in[1], c});
    w = tensorType({m, kernel[0], kernel[1], c});
    b = tensorType({m});
    r = tensorType({n, out[0], out[1], m});
    expectRaised(
        function({x, w, b},
                 zero("%z", "f32") +
                     "  %0 = tosa.transpose_conv2d %a0, %a1, %a2, %z, %z "
                     "{acc_type = f32, out_pad = " +
                     i64s(pad) + ", stride = " + i64s(stride) + "} : (" + x +
                     ", " + w + ", " + b + ", " + zps + ") -> " + r + "\n",
                 r),
        Sums::Reordered);
    EXPECT_EQ(summary[RaisedKind::Convolution], 1);
    if (HasFailure())
      return;
  }
}

TEST_F(RaiseTosa, poolings) {
  for (int i = 0; i < 40; ++i) {
    Spatial s = draw(2, false, true);
    int64_t n = pick(1, 2), c = pick(1, 3);
    std::string x = tensorType({n, s.sizes[0], s.sizes[1], c});
    std::string r = tensorType({n, s.places[0], s.places[1], c});
    std::string window = "kernel = " + i64s(s.kernel) +
                         ", pad = " + i64s(s.pads) +
                         ", stride = " + i64s(s.strides);
    expectRaised(function({x},
                          "  %0 = tosa.max_pool2d %a0 {" + window + "} : (" +
                              x + ") -> " + r + "\n",
                          r));
    EXPECT_EQ(summary[RaisedKind::Pooling], 1);
    expectRaised(function({x},
                          zero("%z", "f32") +
                              "  %0 = tosa.avg_pool2d %a0, %z, %z {acc_type = "
                              "f32, " +
                              window + "} : (" + x +
                              ", tensor<1xf32>, tensor<1xf32>) -> " + r + "\n",
                          r),
                 Sums::Reordered);
    EXPECT_EQ(summary[RaisedKind::Pooling], 1);
    if (HasFailure())
      return;
  }
}

TEST_F(RaiseTosa, matmul_and_reductions) {
  for (int i = 0; i < 20; ++i) {
    int64_t n = pick(1, 3), h = pick(1, 4), k = pick(1, 4), w = pick(1, 4);
    std::string a = tensorType({n, h, k}), b = tensorType({n, k, w});
    std::string r = tensorType({n, h, w});
    expectRaised(function(
        {a, b},
        zero("%z", "f32") + "  %0 = tosa.matmul %a0, %a1, %z, %z : (" + a +
            ", " + b + ", tensor<1xf32>, tensor<1xf32>) -> " + r + "\n",
        r));
    for (std::string name :
         {"reduce_sum", "reduce_max", "reduce_min", "reduce_product"}) {
      SmallVector<int64_t> shape = sizes(pick(1, 4), 1, 4), result = shape;
      int64_t axis = pick(0, shape.size() - 1);
      result[axis] = 1;
      StringRef type = coin() && name != "reduce_product" ? "i32" : "f32";
      std::string x = tensorType(shape, type), y = tensorType(result, type);
      expectRaised(function({x},
                            std::string("  %0 = tosa.") + name +
                                " %a0 {axis = " + std::to_string(axis) +
                                " : i32} : (" + x + ") -> " + y + "\n",
                            y));
      EXPECT_EQ(summary[RaisedKind::Reduction], 1);
    }
    if (HasFailure())
      return;
  }
}

TEST_F(RaiseTosa, movement) {
  for (int i = 0; i < 40; ++i) {
    SmallVector<int64_t> shape = sizes(pick(1, 4), 1, 4), result, other;
    int64_t rank = shape.size(), axis = pick(0, rank - 1);
    std::string x = tensorType(shape);
    auto check = [&](StringRef before, StringRef op,
                     ArrayRef<std::string> types, StringRef arguments,
                     ArrayRef<int64_t> to) {
      std::string r = tensorType(to);
      expectRaised(function(types,
                            before.str() + "  %0 = tosa." + op.str() + " : (" +
                                arguments.str() + ") -> " + r + "\n",
                            r));
      EXPECT_EQ(summary[RaisedKind::Movement], 1);
    };
    SmallVector<int64_t> perm = permutation(rank);
    for (int64_t dim : perm)
      result.push_back(shape[dim]);
    check("", "transpose %a0 {perms = array<i32: " + commaList(perm) + ">}",
          {x}, x, result);
    check("", "reverse %a0 {axis = " + std::to_string(axis) + " : i32}", {x}, x,
          shape);
    // Slices, tiles and paddings have their numbers as operands.
    std::string shapeType = "!tosa.shape<" + std::to_string(rank) + ">";
    SmallVector<int64_t> start, taken, multiples = sizes(rank, 1, 3), pads;
    result.clear();
    for (int64_t size : shape) {
      start.push_back(pick(0, size - 1));
      taken.push_back(pick(1, size - start.back()));
    }
    check(shapeConst("%s", start) + shapeConst("%t", taken),
          "slice %a0, %s, %t", {x}, x + ", " + shapeType + ", " + shapeType,
          taken);
    for (auto [size, multiple] : llvm::zip(shape, multiples))
      result.push_back(size * multiple);
    check(shapeConst("%m", multiples), "tile %a0, %m", {x},
          x + ", " + shapeType, result);
    result.clear();
    for (int64_t size : shape) {
      pads.append({pick(0, 2), pick(0, 2)});
      result.push_back(size + pads[pads.size() - 2] + pads.back());
    }
    check(shapeConst("%p", pads) +
              "  %v = \"tosa.const\"() <{values = dense<1.5> : tensor<1xf32>}> "
              ": () -> tensor<1xf32>\n",
          "pad %a0, %p, %v", {x},
          x + ", !tosa.shape<" + std::to_string(2 * rank) + ">, tensor<1xf32>",
          result);
    result = shape;
    other = shape;
    other[axis] = pick(1, 3);
    result[axis] += other[axis];
    std::string y = tensorType(other);
    check("", "concat %a0, %a1 {axis = " + std::to_string(axis) + " : i32}",
          {x, y}, x + ", " + y, result);
    if (HasFailure())
      return;
  }
  expectRaised(function({tensorType({4, 6})},
                        shapeConst("%s", {3, 8}) +
                            "  %0 = tosa.reshape %a0, %s : (tensor<4x6xf32>, "
                            "!tosa.shape<2>) -> tensor<3x8xf32>\n",
                        "tensor<3x8xf32>"));
}

TEST_F(RaiseTosa, elementwise) {
  for (int i = 0; i < 20; ++i) {
    SmallVector<int64_t> shape = sizes(pick(1, 3), 1, 4), repeated = shape;
    if (coin())
      repeated[pick(0, shape.size() - 1)] = 1;
    std::string x = tensorType(shape), y = tensorType(repeated);
    for (const char *name : {"add", "sub"}) {
      expectRaised(function({x, y},
                            std::string("  %0 = tosa.") + name +
                                " %a0, %a1 : (" + x + ", " + y + ") -> " + x +
                                "\n",
                            x));
      EXPECT_EQ(summary[RaisedKind::Elementwise], 1);
    }
    expectRaised(function({x, y},
                          zero("%z", "i8") +
                              "  %0 = tosa.mul %a0, %a1, %z : (" + x + ", " +
                              y + ", tensor<1xi8>) -> " + x + "\n",
                          x));
    expectRaised(function(
        {x}, "  %0 = tosa.reciprocal %a0 : (" + x + ") -> " + x + "\n", x));
    expectRaised(function({x},
                          zero("%z", "f32") +
                              "  %0 = tosa.negate %a0, %z, %z : (" + x +
                              ", tensor<1xf32>, tensor<1xf32>) -> " + x + "\n",
                          x));
    for (const char *most : {"3.40282347E+38", "0x7F800000"})
      expectRaised(function({x},
                            std::string("  %0 = tosa.clamp %a0 {min_val = 0.0 "
                                        ": f32, max_val = ") +
                                most + " : f32} : (" + x + ") -> " + x + "\n",
                            x));
    if (HasFailure())
      return;
  }
}

TEST_F(RaiseTosa, reasons) {
  auto unary = [](StringRef op) {
    return function(
        {"tensor<3x5xf32>"},
        ("  %0 = tosa." + op + " : (tensor<3x5xf32>) -> tensor<3x5xf32>\n")
            .str(),
        "tensor<3x5xf32>");
  };
  EXPECT_EQ(reasonOf(unary("exp %a0")),
            "it computes tosa.exp, which is not a compute kind");
  EXPECT_EQ(reasonOf(unary("clamp %a0 {min_val = 0.0 : f32, max_val = 6.0 : "
                           "f32}")),
            "it clamps to bounds other than 0 and infinity, which no compute "
            "kind does");
  EXPECT_EQ(reasonOf(function({"tensor<3x5xf32>"},
                              "  %0 = tosa.reduce_max %a0 {axis = 1 : i32, "
                              "nan_mode = IGNORE} : (tensor<3x5xf32>) -> "
                              "tensor<3x1xf32>\n",
                              "tensor<3x1xf32>")),
            "it ignores NaN, and reduce_max keeps it");
  // Zero points are arguments here, and hence unknown.
  std::string quantised = "%a0, %a1, %a2, %a2 : (tensor<1x3x5xi8>, "
                          "tensor<1x5x7xi8>, tensor<1xi8>, tensor<1xi8>)";
  EXPECT_EQ(reasonOf(function(
                {"tensor<1x3x5xi8>", "tensor<1x5x7xi8>", "tensor<1xi8>"},
                "  %0 = tosa.matmul " + quantised + " -> tensor<1x3x7xi32>\n",
                "tensor<1x3x7xi32>")),
            "its zero points are not constant");
}

} // namespace
