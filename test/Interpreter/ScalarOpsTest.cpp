//===- ScalarOpsTest.cpp - What arith and math compute --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class ScalarTest : public RunTest {
protected:
  /// A binary op on two integers of a type.
  int64_t ints(StringRef op, StringRef type, int64_t a, int64_t b) {
    std::optional<ElementType> elementType =
        llvm::StringSwitch<std::optional<ElementType>>(type)
            .Case("i1", ElementType::I1)
            .Case("i8", ElementType::I8)
            .Case("i64", ElementType::I64)
            .Default(std::nullopt);
    std::string program =
        (Twine("func.func @main(%a: ") + type + ", %b: " + type + ") -> " +
         type + " {\n  %r = " + op + " %a, %b : " + type +
         "\n  return %r : " + type + "\n}")
            .str();
    return runOne(program, {Tensor::scalarInt(*elementType, a),
                            Tensor::scalarInt(*elementType, b)})
        .getInt({});
  }
  /// A conversion of a value between two types.
  Tensor convert(StringRef op, StringRef from, StringRef to, Tensor value) {
    std::string program = (Twine("func.func @main(%a: ") + from + ") -> " + to +
                           " {\n  %r = " + op + " %a : " + from + " to " + to +
                           "\n  return %r : " + to + "\n}")
                              .str();
    return runOne(program, {value});
  }
  double unary(StringRef op, double value,
               ElementType type = ElementType::F32) {
    std::string name = toString(type).str();
    std::string program = (Twine("func.func @main(%a: ") + name + ") -> " +
                           name + " {\n  %r = " + op + " %a : " + name +
                           "\n  return %r : " + name + "\n}")
                              .str();
    return runOne(program, {Tensor::scalar(type, value)}).getDouble({});
  }
  double binary(StringRef op, double a, double b,
                ElementType type = ElementType::F32) {
    std::string name = toString(type).str();
    std::string program =
        (Twine("func.func @main(%a: ") + name + ", %b: " + name + ") -> " +
         name + " {\n  %r = " + op + " %a, %b : " + name +
         "\n  return %r : " + name + "\n}")
            .str();
    return runOne(program, {Tensor::scalar(type, a), Tensor::scalar(type, b)})
        .getDouble({});
  }
};

TEST_F(ScalarTest, integers_wrap_and_respect_signs) {
  EXPECT_EQ(ints("arith.addi", "i8", 127, 1), -128);
  EXPECT_EQ(ints("arith.subi", "i8", -128, 1), 127);
  EXPECT_EQ(ints("arith.muli", "i64", INT64_MAX, 2), -2);
  EXPECT_EQ(ints("arith.divsi", "i8", -7, 2), -3);
  EXPECT_EQ(ints("arith.floordivsi", "i8", -7, 2), -4);
  EXPECT_EQ(ints("arith.ceildivsi", "i8", 7, 2), 4);
  EXPECT_EQ(ints("arith.remsi", "i8", -7, 2), -1);
  EXPECT_EQ(ints("arith.divui", "i8", -1, 2), 127);
  EXPECT_EQ(ints("arith.ceildivui", "i8", -1, 2), -128);
  EXPECT_EQ(ints("arith.remui", "i8", -1, 16), 15);
  EXPECT_EQ(ints("arith.maxsi", "i8", -1, 3), 3);
  EXPECT_EQ(ints("arith.maxui", "i8", -1, 3), -1);
  EXPECT_EQ(ints("arith.minsi", "i8", -1, 3), -1);
  EXPECT_EQ(ints("arith.minui", "i8", -1, 3), 3);
  EXPECT_EQ(ints("arith.maxsi", "i1", 1, 0), 0); // true is -1
  EXPECT_EQ(ints("arith.maxui", "i1", 1, 0), 1);
  EXPECT_EQ(ints("arith.addi", "i1", 1, 1), 0);
  EXPECT_EQ(ints("arith.xori", "i8", 12, 10), 6);
  EXPECT_EQ(ints("arith.andi", "i8", 12, 10), 8);
  EXPECT_EQ(ints("arith.ori", "i8", 12, 10), 14);
  EXPECT_EQ(ints("math.ipowi", "i8", 3, 5), -13);
  EXPECT_EQ(ints("math.ipowi", "i8", -1, -3), -1);
}

TEST_F(ScalarTest, shifts_end_at_the_width) {
  EXPECT_EQ(ints("arith.shli", "i8", 3, 7), -128);
  EXPECT_EQ(ints("arith.shli", "i8", 3, 8), 0);
  EXPECT_EQ(ints("arith.shrui", "i8", -1, 4), 15);
  EXPECT_EQ(ints("arith.shrui", "i64", -1, 64), 0);
  EXPECT_EQ(ints("arith.shrsi", "i8", -128, 6), -2);
  EXPECT_EQ(ints("arith.shrsi", "i8", -128, 100), -1);
}

TEST_F(ScalarTest, divisions_that_are_undefined_are_faults) {
  auto fault = [&](StringRef op, int64_t a, int64_t b) {
    std::string program = (Twine("func.func @main(%a: i8, %b: i8) -> i8 {\n") +
                           "  %r = " + op + " %a, %b : i8\n  return %r : i8\n}")
                              .str();
    return errorOf(program, {Tensor::scalarInt(ElementType::I8, a),
                             Tensor::scalarInt(ElementType::I8, b)});
  };
  EXPECT_EQ(fault("arith.divsi", 7, 0),
            "2: 'arith.divsi' op divides 7 by zero\n");
  EXPECT_EQ(fault("arith.remui", -7, 0),
            "2: 'arith.remui' op divides -7 by zero\n");
  EXPECT_EQ(fault("arith.divsi", -128, -1),
            "2: 'arith.divsi' op divides -128 by -1, which overflows\n");
}

TEST_F(ScalarTest, comparisons) {
  auto compares = [&](StringRef predicate, double a, double b) {
    std::string program =
        (Twine("func.func @main(%a: f32, %b: f32) -> i1 {\n  %r = "
               "arith.cmpf ") +
         predicate + ", %a, %b : f32\n  return %r : i1\n}")
            .str();
    return runOne(program, {Tensor::scalar(ElementType::F32, a),
                            Tensor::scalar(ElementType::F32, b)})
               .getInt({}) != 0;
  };
  EXPECT_TRUE(compares("olt", 1, 2));
  EXPECT_FALSE(compares("olt", NAN, 2));
  EXPECT_TRUE(compares("ult", NAN, 2));
  EXPECT_TRUE(compares("une", NAN, NAN));
  EXPECT_FALSE(compares("one", NAN, 3));
  EXPECT_TRUE(compares("one", 2, 3));
  EXPECT_TRUE(compares("ord", 2, 3));
  EXPECT_TRUE(compares("uno", 2, NAN));
  EXPECT_TRUE(compares("oeq", 0.0, -0.0));
  auto integers = [&](StringRef predicate, int64_t a, int64_t b) {
    std::string program =
        (Twine("func.func @main(%a: i8, %b: i8) -> i1 {\n  %r = arith.cmpi ") +
         predicate + ", %a, %b : i8\n  return %r : i1\n}")
            .str();
    return runOne(program, {Tensor::scalarInt(ElementType::I8, a),
                            Tensor::scalarInt(ElementType::I8, b)})
               .getInt({}) != 0;
  };
  EXPECT_TRUE(integers("slt", -1, 1));
  EXPECT_FALSE(integers("ult", -1, 1));
  EXPECT_TRUE(integers("uge", -1, -2));
  EXPECT_TRUE(integers("ne", 3, 4));
}

TEST_F(ScalarTest, floats) {
  EXPECT_EQ(binary("arith.remf", -7, 3), -1);
  EXPECT_TRUE(std::isnan(binary("arith.maximumf", NAN, 1)));
  EXPECT_EQ(binary("arith.maxnumf", NAN, 1), 1);
  EXPECT_EQ(binary("arith.minnumf", 2, NAN), 2);
  EXPECT_TRUE(std::signbit(binary("arith.minimumf", 0.0, -0.0)));
  EXPECT_FALSE(std::signbit(binary("arith.maximumf", 0.0, -0.0)));
  EXPECT_EQ(binary("arith.divf", 1, 3), double(1.0f / 3.0f));
  EXPECT_EQ(binary("arith.addf", 2048, 1, ElementType::F16), 2048);
  EXPECT_EQ(binary("arith.mulf", 1.0078125, 1.0078125, ElementType::BF16),
            1.015625);
  EXPECT_EQ(unary("math.exp", 1), double(float(std::exp(1.0))));
  EXPECT_EQ(unary("math.rsqrt", 4), 0.5);
  EXPECT_EQ(unary("math.sqrt", 2), double(std::sqrt(2.0f)));
  EXPECT_EQ(unary("math.roundeven", 2.5), 2);
  EXPECT_EQ(unary("math.round", 2.5), 3);
  EXPECT_EQ(unary("math.tanh", 0.5, ElementType::F64), std::tanh(0.5));
  EXPECT_EQ(unary("math.absf", -3), 3);
  EXPECT_EQ(unary("arith.negf", -3), 3);
  EXPECT_EQ(binary("math.powf", 3, 4), 81);
  // One rounding: (1 + 2^-12)² - (1 + 2^-11) is 2^-24, lost with two.
  EXPECT_EQ(runOne("func.func @main(%a: f32, %b: f32) -> f32 {\n"
                   "  %r = math.fma %a, %a, %b : f32\n  return %r : f32\n}",
                   {Tensor::scalar(ElementType::F32, 1 + 0x1p-12),
                    Tensor::scalar(ElementType::F32, -(1 + 0x1p-11))})
                .getDouble({}),
            0x1p-24);
}

TEST_F(ScalarTest, conversions) {
  auto f32 = [](double value) {
    return Tensor::scalar(ElementType::F32, value);
  };
  auto i8 = [](int64_t value) {
    return Tensor::scalarInt(ElementType::I8, value);
  };
  auto i64 = [](int64_t value) {
    return Tensor::scalarInt(ElementType::I64, value);
  };
  EXPECT_EQ(convert("arith.extsi", "i8", "i64", i8(-3)).getInt({}), -3);
  EXPECT_EQ(convert("arith.extui", "i8", "i64", i8(-3)).getInt({}), 253);
  EXPECT_EQ(
      convert("arith.extsi", "i1", "i8", Tensor::scalarInt(ElementType::I1, 1))
          .getInt({}),
      -1);
  EXPECT_EQ(convert("arith.trunci", "i64", "i8", i64(300)).getInt({}), 44);
  EXPECT_EQ(convert("arith.truncf", "f32", "f16", f32(65520)).getDouble({}),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(convert("arith.extf", "f32", "f64", f32(0.1)).getDouble({}), 0.1f);
  EXPECT_EQ(convert("arith.fptosi", "f32", "i8", f32(-3.9)).getInt({}), -3);
  EXPECT_EQ(convert("arith.fptosi", "f32", "i8", f32(1e9)).getInt({}), 127);
  EXPECT_EQ(convert("arith.fptosi", "f32", "i8", f32(-1e9)).getInt({}), -128);
  EXPECT_EQ(convert("arith.fptosi", "f32", "i8", f32(NAN)).getInt({}), 0);
  EXPECT_EQ(convert("arith.fptoui", "f32", "i8", f32(200)).getInt({}), -56);
  EXPECT_EQ(convert("arith.fptoui", "f32", "i64", f32(1e30)).getInt({}), -1);
  EXPECT_EQ(convert("arith.sitofp", "i64", "f32", i64(-5)).getDouble({}), -5);
  EXPECT_EQ(convert("arith.uitofp", "i8", "f32", i8(-1)).getDouble({}), 255);
  // 2^54 + 2^30 + 1 is above the middle of two f32; by way of f64, which drops
  // the 1, it would round to the lower one.
  int64_t above = (int64_t(1) << 54) + (int64_t(1) << 30) + 1;
  EXPECT_EQ(convert("arith.sitofp", "i64", "f32", i64(above)).getDouble({}),
            0x1p54 + 0x1p31);
  EXPECT_EQ(convert("arith.bitcast", "f32", "i32", f32(1)).getInt({}),
            0x3f800000);
  EXPECT_EQ(convert("arith.index_castui", "i8", "index", i8(-1)).getInt({}),
            255);
}

TEST_F(ScalarTest, bit_counts) {
  auto count = [&](StringRef op, int64_t value) {
    std::string program = (Twine("func.func @main(%a: i8) -> i8 {\n  %r = ") +
                           op + " %a : i8\n  return %r : i8\n}")
                              .str();
    return runOne(program, {Tensor::scalarInt(ElementType::I8, value)})
        .getInt({});
  };
  EXPECT_EQ(count("math.ctpop", -1), 8);
  EXPECT_EQ(count("math.ctlz", 1), 7);
  EXPECT_EQ(count("math.ctlz", 0), 8);
  EXPECT_EQ(count("math.cttz", 8), 3);
  EXPECT_EQ(count("math.cttz", 0), 8);
  EXPECT_EQ(count("math.absi", -128), -128);
}

// A select with one condition for a whole tensor, and with one an element.
TEST_F(ScalarTest, select_of_tensors) {
  Tensor a = floats({3}, {1, 2, 3}), b = floats({3}, {4, 5, 6});
  Tensor whole = runOne("func.func @main(%c: i1, %a: tensor<3xf32>, "
                        "%b: tensor<3xf32>) -> tensor<3xf32> {\n"
                        "  %r = arith.select %c, %a, %b : tensor<3xf32>\n"
                        "  return %r : tensor<3xf32>\n}",
                        {Tensor::scalarInt(ElementType::I1, 0), a, b});
  expectBitEqual(whole, b);
  Tensor each = runOne("func.func @main(%c: tensor<3xi1>, %a: tensor<3xf32>, "
                       "%b: tensor<3xf32>) -> tensor<3xf32> {\n"
                       "  %r = arith.select %c, %a, %b : tensor<3xi1>, "
                       "tensor<3xf32>\n  return %r : tensor<3xf32>\n}",
                       {floats({3}, {1, 0, 1}, ElementType::I1), a, b});
  expectBitEqual(each, floats({3}, {1, 5, 3}));
}

} // namespace
