//===- RaiseTensorTest.cpp - Movement of tensors, raised and run ----------===//
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

class RaiseTensor : public RaiseTest {
protected:
  static std::string bracketed(ArrayRef<int64_t> numbers) {
    return "[" + commaList(numbers) + "]";
  }
  /// A function of one argument and one op.
  static std::string write(StringRef argument, StringRef op, StringRef result) {
    return "func.func @main(%x: " + argument.str() + ") -> " + result.str() +
           " {\n" + op.str() + "  return %0 : " + result.str() + "\n}\n";
  }
};

TEST_F(RaiseTensor, pads) {
  for (int i = 0; i < 60; ++i) {
    SmallVector<int64_t> shape = sizes(pick(1, 4), 1, 5), low, high, result;
    std::string block;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      low.push_back(pick(0, 2));
      high.push_back(pick(0, 2));
      result.push_back(size + low.back() + high.back());
      block += (dim ? ", %i" : "%i") + std::to_string(dim) + ": index";
    }
    std::string from = tensorType(shape), to = tensorType(result);
    expectRaised(write(
        from,
        "  %v = arith.constant 2.5 : f32\n"
        "  %0 = tensor.pad %x low" +
            bracketed(low) + " high" + bracketed(high) + " {\n  ^bb0(" + block +
            "):\n    tensor.yield %v : f32\n  } : " + from + " to " + to + "\n",
        to));
    if (HasFailure())
      return;
  }
}

// Negative padding cuts; the interpreter runs it raised only.
TEST_F(RaiseTensor, negative_pads) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
func.func @main(%x: tensor<5x3xf32>) -> tensor<6x1xf32> {
  %v = arith.constant 2.5 : f32
  %0 = tensor.pad %x low[-1, 1] high[2, -3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<5x3xf32> to tensor<6x1xf32>
  return %0 : tensor<6x1xf32>
})mlir",
                                                             &context);
  ASSERT_TRUE(module) << messages;
  EXPECT_EQ(raiseAllToAccess(*module)[RaisedKind::Movement], 1);
  FailureOr<SmallVector<Tensor>> results =
      interpret(*module, "main", {RunTest::random({5, 3})});
  ASSERT_TRUE(succeeded(results)) << messages;
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ((*results)[0].getDouble({i, 0}), 2.5);
}

TEST_F(RaiseTensor, slices) {
  for (int i = 0; i < 100; ++i) {
    SmallVector<int64_t> shape, offsets, taken, strides, kept;
    for (int64_t dim = 0, rank = pick(1, 4); dim < rank; ++dim) {
      offsets.push_back(pick(0, 2));
      taken.push_back(pick(1, 3));
      strides.push_back(pick(1, 3));
      shape.push_back(offsets[dim] + (taken[dim] - 1) * strides[dim] + 1 +
                      pick(0, 2));
      if (taken[dim] != 1 || coin())
        kept.push_back(taken[dim]);
    }
    std::string from = tensorType(shape), to = tensorType(kept);
    std::string where = bracketed(offsets) + " " + bracketed(taken) + " ";
    expectRaised(write(from,
                       "  %0 = tensor.extract_slice %x" + where +
                           bracketed(strides) + " : " + from + " to " + to +
                           "\n",
                       to));
    // The same place written to.
    SmallVector<int64_t> ones(shape.size(), 1);
    expectRaised("func.func @main(%x: " + to + ", %d: " + from + ") -> " +
                 from + " {\n  %0 = tensor.insert_slice %x into %d" + where +
                 bracketed(ones) + " : " + to + " into " + from +
                 "\n  return %0 : " + from + "\n}\n");
    if (HasFailure())
      return;
  }
}

TEST_F(RaiseTensor, concatenation) {
  for (int i = 0; i < 40; ++i) {
    SmallVector<int64_t> shape = sizes(pick(1, 3), 1, 4), result = shape;
    int64_t axis = pick(0, shape.size() - 1);
    result[axis] = 0;
    std::string arguments, values, types;
    for (int64_t n = 0, e = pick(1, 4); n < e; ++n) {
      shape[axis] = pick(1, 4);
      result[axis] += shape[axis];
      std::string name = "%a" + std::to_string(n), type = tensorType(shape);
      arguments += (n ? ", " : "") + name + ": " + type;
      values += (n ? ", " : "") + name;
      types += (n ? ", " : "") + type;
    }
    std::string to = tensorType(result);
    expectRaised("func.func @main(" + arguments + ") -> " + to +
                 " {\n  %0 = tensor.concat dim(" + std::to_string(axis) + ") " +
                 values + " : (" + types + ") -> " + to +
                 "\n  return %0 : " + to + "\n}\n");
    if (HasFailure())
      return;
  }
}

TEST_F(RaiseTensor, reshapes) {
  for (int i = 0; i < 40; ++i) {
    SmallVector<int64_t> wide = sizes(pick(1, 5), 1, 4), narrow;
    std::string groups;
    for (size_t dim = 0; dim < wide.size(); ++dim) {
      if (dim > 0 && coin()) {
        narrow.back() *= wide[dim];
        groups += ", " + std::to_string(dim);
        continue;
      }
      groups += (dim ? "], [" : "[") + std::to_string(dim);
      narrow.push_back(wide[dim]);
    }
    groups = "[" + groups + "]]";
    std::string a = tensorType(wide), b = tensorType(narrow);
    if (a == b)
      continue;
    expectRaised(write(a,
                       "  %0 = tensor.collapse_shape %x " + groups + " : " + a +
                           " into " + b + "\n",
                       b));
    expectRaised(write(b,
                       "  %0 = tensor.expand_shape %x " + groups +
                           " output_shape " + bracketed(wide) + " : " + b +
                           " into " + a + "\n",
                       a));
    if (HasFailure())
      return;
  }
  expectRaised(R"mlir(
func.func @main(%x: tensor<4x6xf32>) -> tensor<3x8xf32> {
  %s = arith.constant dense<[3, 8]> : tensor<2xi64>
  %0 = tensor.reshape %x(%s)
    : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
})mlir");
}

// Packing there and back; the interpreter knows neither, so that the expected
// elements are written out here.
TEST_F(RaiseTensor, pack_and_unpack) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
func.func @main(%x: tensor<5x7xf32>)
    -> (tensor<4x3x2x2xf32>, tensor<5x7xf32>) {
  %v = arith.constant 9.0 : f32
  %e = tensor.empty() : tensor<4x3x2x2xf32>
  %p = linalg.pack %x padding_value(%v : f32) outer_dims_perm = [1, 0]
    inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e
    : tensor<5x7xf32> -> tensor<4x3x2x2xf32>
  %d = tensor.empty() : tensor<5x7xf32>
  %u = linalg.unpack %p outer_dims_perm = [1, 0]
    inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %d
    : tensor<4x3x2x2xf32> -> tensor<5x7xf32>
  return %p, %u : tensor<4x3x2x2xf32>, tensor<5x7xf32>
})mlir",
                                                             &context);
  ASSERT_TRUE(module) << messages;
  EXPECT_EQ(raiseAllToAccess(*module).missed, 0);
  Tensor x = RunTest::random({5, 7});
  FailureOr<SmallVector<Tensor>> results = interpret(*module, "main", {x});
  ASSERT_TRUE(succeeded(results)) << messages;
  for (int64_t b = 0; b < 4; ++b)
    for (int64_t a = 0; a < 3; ++a)
      for (int64_t j = 0; j < 2; ++j)
        for (int64_t i = 0; i < 2; ++i) {
          int64_t row = 2 * a + i, column = 2 * b + j;
          double expected =
              row < 5 && column < 7 ? x.getDouble({row, column}) : 9.0;
          EXPECT_EQ((*results)[0].getDouble({b, a, j, i}), expected);
        }
  expectBitEqual((*results)[1], x);
}

TEST_F(RaiseTensor, softmax) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
func.func @main(%x: tensor<3x5x2xf32>) -> tensor<3x5x2xf32> {
  %e = tensor.empty() : tensor<3x5x2xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<3x5x2xf32>)
    outs(%e : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
  return %0 : tensor<3x5x2xf32>
})mlir",
                                                             &context);
  ASSERT_TRUE(module) << messages;
  RaiseSummary summary = raiseAllToAccess(*module);
  EXPECT_EQ(summary[RaisedKind::Softmax], 1);
  Tensor x = RunTest::random({3, 5, 2});
  FailureOr<SmallVector<Tensor>> results = interpret(*module, "main", {x});
  ASSERT_TRUE(succeeded(results)) << messages;
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 2; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < 5; ++k)
        sum += std::exp(x.getDouble({i, k, j}));
      for (int64_t k = 0; k < 5; ++k)
        EXPECT_NEAR((*results)[0].getDouble({i, k, j}),
                    std::exp(x.getDouble({i, k, j})) / sum, 1e-6);
    }
}

// Softmax in six ops, as front ends write it; and not quite softmax.
TEST_F(RaiseTensor, written_softmax) {
  auto program = [](StringRef start, StringRef divisor) {
    std::string text = R"mlir(
#all = affine_map<(a, b, c) -> (a, b, c)>
#rows = affine_map<(a, b, c) -> (a, c)>
#keep = affine_map<(a, b, c) -> (a, 0, c)>
func.func @main(%x: tensor<3x5x2xf32>) -> tensor<3x5x2xf32> {
  %low = arith.constant START : f32
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<3x2xf32>
  %em = tensor.empty() : tensor<3x1x2xf32>
  %ex = tensor.empty() : tensor<3x5x2xf32>
  %i = linalg.fill ins(%low : f32) outs(%er : tensor<3x2xf32>)
    -> tensor<3x2xf32>
  %j = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2xf32>)
    -> tensor<3x2xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x5x2xf32>)
    outs(%i : tensor<3x2xf32>) dimensions = [1]
  %m1 = tensor.expand_shape %m [[0, 1], [2]] output_shape [3, 1, 2]
    : tensor<3x2xf32> into tensor<3x1x2xf32>
  %d = linalg.generic {indexing_maps = [#all, #keep, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %m1 : tensor<3x5x2xf32>, tensor<3x1x2xf32>)
      outs(%ex : tensor<3x5x2xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %v = arith.subf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<3x5x2xf32>
  %e = linalg.exp ins(%d : tensor<3x5x2xf32>) outs(%ex : tensor<3x5x2xf32>)
    -> tensor<3x5x2xf32>
  %s = linalg.reduce { arith.addf } ins(%e : tensor<3x5x2xf32>)
    outs(%j : tensor<3x2xf32>) dimensions = [1]
  %t = linalg.broadcast ins(DIVISOR : tensor<3x2xf32>)
    outs(%ex : tensor<3x5x2xf32>) dimensions = [1]
  %y = linalg.div ins(%e, %t : tensor<3x5x2xf32>, tensor<3x5x2xf32>)
    outs(%ex : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
  return %y : tensor<3x5x2xf32>
})mlir";
    text.replace(text.find("START"), 5, start.str());
    text.replace(text.find("DIVISOR"), 7, divisor.str());
    return text;
  };
  expectRaised(program("0xFF800000", "%s"), Sums::Reordered);
  EXPECT_EQ(summary[RaisedKind::Softmax], 1);
  EXPECT_EQ(summary[RaisedKind::Elementwise], 0);
  for (std::string other :
       {program("1.0", "%s"), program("0xFF800000", "%m")}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(other, &context);
    ASSERT_TRUE(module) << messages;
    EXPECT_EQ(raiseAllToAccess(*module)[RaisedKind::Softmax], 0);
  }
}

// Sizes that are known at run time only, where nothing has to be repeated.
TEST_F(RaiseTensor, dynamic_sizes) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
func.func @f(%p: tensor<?x?xf32>, %q: tensor<?x7xf32>, %i: tensor<?x7xf32>)
    -> tensor<?x7xf32> {
  %0 = linalg.matmul ins(%p, %q : tensor<?x?xf32>, tensor<?x7xf32>)
    outs(%i : tensor<?x7xf32>) -> tensor<?x7xf32>
  %1 = linalg.mul ins(%0, %i : tensor<?x7xf32>, tensor<?x7xf32>)
    outs(%i : tensor<?x7xf32>) -> tensor<?x7xf32>
  return %1 : tensor<?x7xf32>
}
func.func @main(%p: tensor<3x5xf32>, %q: tensor<5x7xf32>,
                %i: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %a = tensor.cast %p : tensor<3x5xf32> to tensor<?x?xf32>
  %b = tensor.cast %q : tensor<5x7xf32> to tensor<?x7xf32>
  %c = tensor.cast %i : tensor<3x7xf32> to tensor<?x7xf32>
  %r = call @f(%a, %b, %c)
    : (tensor<?x?xf32>, tensor<?x7xf32>, tensor<?x7xf32>) -> tensor<?x7xf32>
  %d = tensor.cast %r : tensor<?x7xf32> to tensor<3x7xf32>
  return %d : tensor<3x7xf32>
})mlir",
                                                             &context);
  ASSERT_TRUE(module) << messages;
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  expectRaised(text, Sums::Reordered);
  EXPECT_EQ(summary[RaisedKind::Contraction], 1);
  EXPECT_EQ(summary[RaisedKind::Elementwise], 1);
}

TEST_F(RaiseTensor, reasons) {
  EXPECT_EQ(reasonOf(R"mlir(
func.func @main(%x: tensor<?x5xf32>, %i: index) -> tensor<?x5xf32> {
  %0 = tensor.extract_slice %x[%i, 0] [%i, 5] [1, 1]
    : tensor<?x5xf32> to tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
})mlir"),
            "its slice is known only at run time");
  EXPECT_EQ(reasonOf(R"mlir(
func.func @main(%x: tensor<3xf32>, %v: f32) -> tensor<5xf32> {
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<3xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
})mlir"),
            "it does not pad by one constant");
  EXPECT_EQ(reasonOf(R"mlir(
func.func @main(%x: tensor<3xf32>, %n: index) -> tensor<?xf32> {
  %v = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1] high[%n] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<3xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
})mlir"),
            "its padding is known only at run time");
  EXPECT_EQ(reasonOf(R"mlir(
func.func @main(%x: tensor<2xf32>, %d: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tensor.insert_slice %x into %d[0] [2] [3]
    : tensor<2xf32> into tensor<5xf32>
  return %0 : tensor<5xf32>
})mlir"),
            "it writes dimension 0 with stride 3");
  EXPECT_EQ(reasonOf(R"mlir(
func.func @main(%x: tensor<?x?xf32>, %m: index, %n: index)
    -> tensor<?x3x?x2xf32> {
  %0 = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [%m, 3, %n, 2]
    : tensor<?x?xf32> into tensor<?x3x?x2xf32>
  return %0 : tensor<?x3x?x2xf32>
})mlir"),
            "it reshapes more than one dimension of unknown size, ?x? to "
            "?x3x?x2");
  EXPECT_EQ(reasonOf(R"mlir(
func.func @main(%x: tensor<3x4xcomplex<f32>>) -> tensor<12xcomplex<f32>> {
  %0 = tensor.collapse_shape %x [[0, 1]]
    : tensor<3x4xcomplex<f32>> into tensor<12xcomplex<f32>>
  return %0 : tensor<12xcomplex<f32>>
})mlir"),
            "its elements are of type complex<f32>, neither integers nor "
            "floats");
  EXPECT_EQ(reasonOf(R"mlir(
func.func @main(%x: tensor<3x5xf32>, %i: tensor<2x1xindex>)
    -> tensor<2x5xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0])
    : (tensor<3x5xf32>, tensor<2x1xindex>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
})mlir"),
            "no access pattern says what it does");
}

} // namespace
