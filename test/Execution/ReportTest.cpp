//===- ReportTest.cpp - Tests of what runs and comparisons say ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Run.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::tensoraccess;

/// Compares two tensors of three f32 elements; the text goes to `report`.
static bool agree(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b,
                  double tolerance, std::string &report) {
  Tensor x = llvm::cantFail(Tensor::create(ElementType::F32, {3}));
  Tensor y = llvm::cantFail(Tensor::create(ElementType::F32, {3}));
  for (int64_t i = 0; i < 3; ++i) {
    x.setDouble({i}, a[i]);
    y.setDouble({i}, b[i]);
  }
  report.clear();
  llvm::raw_string_ostream os(report);
  return llvm::cantFail(
      reportComparison(os, 0, x, y, Tolerance{tolerance, "given"}));
}

// The verdict and its numbers at the edge of the tolerance, which is relative
// to the largest magnitude.
TEST(Report, Verdict) {
  std::string report;
  EXPECT_TRUE(agree({1, 2, 4}, {1, 2, 4}, 0, report));
  EXPECT_EQ(report,
            "compare 0  equal, bit for bit: 3 of 3 elements bit-equal\n");
  EXPECT_TRUE(agree({1, 2, 4}, {1, 2.5, 4}, 0.125, report));
  EXPECT_NE(report.find("equal within tolerance: 2 of 3"), std::string::npos);
  EXPECT_FALSE(agree({1, 2, 4}, {1, 2.5, 4}, 0.124, report));
  EXPECT_EQ(report, "compare 0  DIFFERENT: 2 of 3 elements bit-equal, max "
                    "|a - b| 0.5 at [1], max relative 0.2 at [1]; allowed "
                    "0.496 = 0.124 x largest magnitude (given); at the "
                    "largest |a - b|: 2 against 2.5\n");
}

// Infinities and NaN are not swallowed by a tolerance that they make infinite.
TEST(Report, NotFinite) {
  std::string report;
  EXPECT_FALSE(agree({1, INFINITY, 4}, {1, 2, 4}, 0.5, report));
  EXPECT_FALSE(agree({1, NAN, 4}, {1, 2, 4}, 0.5, report));
  EXPECT_NE(report.find("1 elements NaN on one side only"), std::string::npos);
  EXPECT_TRUE(agree({1, INFINITY, NAN}, {1, INFINITY, NAN}, 0, report));
}

// The default bound grows with the roundings and vanishes where nothing is
// rounded.
TEST(Report, DefaultTolerance) {
  EXPECT_EQ(defaultTolerance(ElementType::F32, 0).relative, 0);
  EXPECT_EQ(defaultTolerance(ElementType::I32, 100).relative, 0);
  EXPECT_EQ(defaultTolerance(ElementType::F32, 8).relative,
            std::ldexp(1.0, -20));
  EXPECT_EQ(defaultTolerance(ElementType::BF16, 1).relative,
            std::ldexp(1.0, -7));
  EXPECT_EQ(defaultTolerance(ElementType::F64, std::nullopt).relative,
            std::ldexp(1.0, -42));
}

// A result of no elements has no mean, one of one element is its value.
TEST(Report, Result) {
  std::string report;
  llvm::raw_string_ostream os(report);
  reportResult(os, 0, llvm::cantFail(Tensor::create(ElementType::F32, {0, 5})));
  reportResult(os, 1, Tensor::scalar(ElementType::F64, 0.25));
  EXPECT_EQ(report.find("mean"), std::string::npos);
  EXPECT_NE(report.find("result 0  f32 0x5  checksum "), std::string::npos);
  EXPECT_NE(report.find("value 0.25  checksum "), std::string::npos);
}
