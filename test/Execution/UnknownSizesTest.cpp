//===- UnknownSizesTest.cpp - Programs whose sizes come at run time -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once, run with several sizes, also 0: raised and lowered programs
// against the programs they came from, chains of movement and slices with
// out-of-bounds policies against the interpreter.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/RandomUnknownMovement.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class UnknownSizes : public BuildTest {
protected:
  UnknownSizes() {
    DialectRegistry registry;
    registerEverything(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  FailureOr<CompiledFunction> compile(ModuleOp module) {
    OwningOpRef<ModuleOp> copy = module.clone();
    return CompiledFunction::compile(*copy, "main");
  }
  /// The results, or none and the error in `messages`.
  std::optional<SmallVector<Tensor>> call(CompiledFunction &function,
                                          ArrayRef<Tensor> inputs) {
    llvm::Expected<SmallVector<Tensor>> results = function.call(inputs);
    if (results)
      return std::move(*results);
    messages += llvm::toString(results.takeError());
    return std::nullopt;
  }

  /// Raises all of the program, lowers and runs it and the original, for each
  /// list of input shapes.
  void expectRaisedEqual(StringRef program,
                         ArrayRef<SmallVector<SmallVector<int64_t>>> runs) {
    OwningOpRef<ModuleOp> source =
        parseSourceString<ModuleOp>(program, &context);
    ASSERT_TRUE(source) << messages;
    OwningOpRef<ModuleOp> raised = source->clone();
    RaiseSummary summary = raiseAllToAccess(*raised);
    EXPECT_EQ(summary.missed, 0u);
    ASSERT_TRUE(succeeded(verify(*raised))) << messages;
    FailureOr<CompiledFunction> before = compile(*source),
                                after = compile(*raised);
    ASSERT_TRUE(succeeded(before) && succeeded(after)) << messages;
    for (const SmallVector<SmallVector<int64_t>> &shapes : runs) {
      SmallVector<Tensor> inputs;
      for (ArrayRef<int64_t> shape : shapes)
        inputs.push_back(random(shape, ElementType::F32, inputs.size()));
      auto expected = call(*before, inputs), got = call(*after, inputs);
      ASSERT_TRUE(expected && got) << messages;
      for (auto [a, b] : llvm::zip_equal(*expected, *got)) {
        EXPECT_EQ(a.getShape(), b.getShape());
        expectBitEqual(b, a);
      }
    }
  }
};

TEST_F(UnknownSizes, ConvolutionWithBias) {
  expectRaisedEqual(R"mlir(
func.func @main(%x: tensor<?x8x9x5xf32>, %w: tensor<3x3x5x7xf32>,
                %b: tensor<7xf32>) -> tensor<?x4x5x7xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8x9x5xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %z : f32
  } : tensor<?x8x9x5xf32> to tensor<?x10x11x5xf32>
  %e = tensor.empty(%n) : tensor<?x4x5x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x4x5x7xf32>)
      -> tensor<?x4x5x7xf32>
  %c = linalg.conv_2d_nhwc_hwcf
      {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<?x10x11x5xf32>, tensor<3x3x5x7xf32>)
      outs(%f : tensor<?x4x5x7xf32>) -> tensor<?x4x5x7xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>,
                       affine_map<(i, j, k, l) -> (l)>,
                       affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<?x4x5x7xf32>, tensor<7xf32>)
      outs(%e : tensor<?x4x5x7xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  } -> tensor<?x4x5x7xf32>
  return %r : tensor<?x4x5x7xf32>
})mlir",
                    {{{0, 8, 9, 5}, {3, 3, 5, 7}, {7}},
                     {{1, 8, 9, 5}, {3, 3, 5, 7}, {7}},
                     {{3, 8, 9, 5}, {3, 3, 5, 7}, {7}}});
}

TEST_F(UnknownSizes, PoolingAndReduction) {
  expectRaisedEqual(R"mlir(
func.func @main(%x: tensor<?x8x9x5xf32>)
    -> (tensor<?x3x4x5xf32>, tensor<?x5xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8x9x5xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty(%n) : tensor<?x3x4x5xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<?x3x4x5xf32>)
      -> tensor<?x3x4x5xf32>
  %c = linalg.pooling_nhwc_max
      {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %k : tensor<?x8x9x5xf32>, tensor<3x3xf32>)
      outs(%f : tensor<?x3x4x5xf32>) -> tensor<?x3x4x5xf32>
  %e2 = tensor.empty(%n) : tensor<?x5xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<?x5xf32>)
      -> tensor<?x5xf32>
  %g = linalg.reduce { arith.addf } ins(%x : tensor<?x8x9x5xf32>)
      outs(%f2 : tensor<?x5xf32>) dimensions = [1, 2]
  return %c, %g : tensor<?x3x4x5xf32>, tensor<?x5xf32>
})mlir",
                    {{{0, 8, 9, 5}}, {{1, 8, 9, 5}}, {{4, 8, 9, 5}}});
}

TEST_F(UnknownSizes, ContractionsThatShareLoops) {
  expectRaisedEqual(R"mlir(
func.func @main(%a: tensor<?x?x6xf32>, %b: tensor<?x6x?xf32>,
                %x: tensor<?x8x9x5xf32>, %w: tensor<3x3x5xf32>)
    -> (tensor<?x?x?xf32>, tensor<?x6x7x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?x6xf32>
  %p = tensor.dim %a, %c1 : tensor<?x?x6xf32>
  %q = tensor.dim %b, %c2 : tensor<?x6x?xf32>
  %e = tensor.empty(%n, %p, %q) : tensor<?x?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?x?xf32>)
      -> tensor<?x?x?xf32>
  %m = linalg.batch_matmul ins(%a, %b : tensor<?x?x6xf32>, tensor<?x6x?xf32>)
      outs(%f : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %n2 = tensor.dim %x, %c0 : tensor<?x8x9x5xf32>
  %e2 = tensor.empty(%n2) : tensor<?x6x7x5xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<?x6x7x5xf32>)
      -> tensor<?x6x7x5xf32>
  %d = linalg.depthwise_conv_2d_nhwc_hwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<?x8x9x5xf32>, tensor<3x3x5xf32>)
      outs(%f2 : tensor<?x6x7x5xf32>) -> tensor<?x6x7x5xf32>
  return %m, %d : tensor<?x?x?xf32>, tensor<?x6x7x5xf32>
})mlir",
                    {{{2, 3, 6}, {2, 6, 5}, {2, 8, 9, 5}, {3, 3, 5}},
                     {{0, 3, 6}, {0, 6, 5}, {1, 8, 9, 5}, {3, 3, 5}},
                     {{4, 1, 6}, {4, 6, 0}, {0, 8, 9, 5}, {3, 3, 5}}});
}

TEST_F(UnknownSizes, Softmax) {
  expectRaisedEqual(R"mlir(
func.func @main(%a: tensor<?x4x?xf32>) -> tensor<?x4x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x4x?xf32>
  %m = tensor.dim %a, %c2 : tensor<?x4x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x4x?xf32>
  %s = linalg.softmax dimension(2) ins(%a : tensor<?x4x?xf32>)
      outs(%e : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  return %s : tensor<?x4x?xf32>
})mlir",
                    {{{3, 4, 5}}, {{1, 4, 1}}, {{0, 4, 5}}, {{2, 4, 0}}});
}

TEST_F(UnknownSizes, ChainsOfMovement) {
  const SmallVector<int64_t> types[] = {{kDynamicSize, 3, 4},
                                        {4, kDynamicSize, 2},
                                        {kDynamicSize, 4, kDynamicSize}};
  const SmallVector<int64_t> runs[][3] = {{{0, 3, 4}, {1, 3, 4}, {3, 3, 4}},
                                          {{4, 0, 2}, {4, 1, 2}, {4, 3, 2}},
                                          {{2, 4, 3}, {0, 4, 2}, {1, 4, 1}}};
  for (unsigned seed = 0; seed < 45; ++seed) {
    build(types[seed % 3], [&](OpBuilder &b, Value x) {
      RandomUnknownMovement random(b, seed + 500, /*computes=*/seed % 5 == 0);
      Value p = random.access(x, random.pick(0, 3));
      for (int64_t n = 1 + seed % 5; n > 0; --n)
        p = random.stepUnknown(p);
      ComputeKind kind =
          seed % 2 == 0 ? ComputeKind::ReduceSum : ComputeKind::Negative;
      return seed % 4 == 3
                 ? p
                 : ComputeOp::create(b, b.getUnknownLoc(), kind, p).getResult();
    });
    FailureOr<CompiledFunction> function = compile(*module);
    ASSERT_TRUE(succeeded(function)) << messages << print();
    for (ArrayRef<int64_t> shape : runs[seed % 3]) {
      // Integers, whose sums are exact in any order.
      Tensor input = random(shape);
      forEachIndex(shape, [&](ArrayRef<int64_t> index) {
        input.setDouble(index, std::round(8 * input.getDouble(index)));
      });
      Tensor expected = runModule({input});
      auto got = call(*function, {input});
      ASSERT_TRUE(got) << messages << print();
      expectBitEqual(got->front(), expected);
      ASSERT_FALSE(HasFailure()) << print();
    }
  }
}

// The same elements, or an error in both.
TEST_F(UnknownSizes, PoliciesOfSlices) {
  using Kind = OutOfBounds::Kind;
  unsigned failures = 0, successes = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    build({kDynamicSize, 4, kDynamicSize}, [&](OpBuilder &b, Value x) {
      RandomUnknownMovement random(b, seed + 900);
      Value p = random.access(x, random.pick(0, 3));
      SmallVector<int64_t> offsets, sizes, strides;
      OutOfBoundsList policies;
      for (int64_t dim = 0; dim < 3; ++dim) {
        const Kind kinds[] = {Kind::Forbid, Kind::Wrap, Kind::Clamp,
                              Kind::Negative, Kind::Pad};
        OutOfBounds policy;
        policy.kind = kinds[random.pick(0, 4)];
        if (policy.kind == Kind::Pad)
          policy.value = PadValue(7.5 + dim);
        const bool isSafe =
            policy.kind == Kind::Forbid || policy.kind == Kind::Negative;
        const bool isUnknown = dim != 1;
        if (isSafe && isUnknown && random.pick(0, 1) == 0) {
          offsets.push_back(policy.kind == Kind::Forbid ? random.pick(0, 1)
                                                        : random.pick(-2, 1));
          sizes.push_back(kToTheEnd);
          strides.push_back(random.pick(0, 1) ? 1 : random.pick(0, 1) ? 2 : -1);
        } else if (isSafe) {
          offsets.push_back(policy.kind == Kind::Forbid ? random.pick(0, 1)
                                                        : random.pick(-2, 0));
          sizes.push_back(random.pick(0, 2));
          strides.push_back(1);
        } else {
          offsets.push_back(random.pick(-6, 6));
          sizes.push_back(random.pick(0, 5));
          strides.push_back(random.pick(0, 1) ? random.pick(1, 3)
                                              : -random.pick(1, 3));
        }
        policies.entries.push_back(policy);
      }
      return SliceOp::create(
          b, b.getUnknownLoc(), p, b.getDenseI64ArrayAttr(offsets),
          b.getDenseI64ArrayAttr(sizes), b.getDenseI64ArrayAttr(strides),
          OutOfBoundsAttr::get(&context, policies));
    });
    if (failed(verify(*module)))
      continue;
    FailureOr<CompiledFunction> function = compile(*module);
    ASSERT_TRUE(succeeded(function)) << messages << print();
    for (SmallVector<int64_t> shape :
         {SmallVector<int64_t>{3, 4, 2}, SmallVector<int64_t>{1, 4, 1},
          SmallVector<int64_t>{0, 4, 5}}) {
      Tensor input = random(shape);
      messages.clear();
      FailureOr<SmallVector<Tensor>> expected =
          interpret(*module, "main", {input});
      auto got = call(*function, {input});
      ASSERT_EQ(succeeded(expected), got.has_value()) << messages << print();
      ++(got ? successes : failures);
      if (!got)
        continue;
      EXPECT_EQ(expected->front().getShape(), got->front().getShape());
      expectBitEqual(got->front(), expected->front());
      ASSERT_FALSE(HasFailure()) << print();
    }
  }
  EXPECT_GE(successes, 60u);
  EXPECT_GE(failures, 10u);
}

} // namespace
