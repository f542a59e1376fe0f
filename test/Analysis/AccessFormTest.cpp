//===- AccessFormTest.cpp - Forms, their ops and zeros, by running --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter is the truth: what a form says an element is, it is;
// canonicalised programs compute the same; what is claimed to be zero is zero.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/AccessForm.h"
#include "RandomMovement.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/ZeroSlices.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using AccessFormTest = BuildTest;

unsigned countMovement(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *op) { count += isMovement(op); });
  return count;
}

void canonicalize(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(createCanonicalizerPass());
  ASSERT_TRUE(succeeded(manager.run(module)));
}

/// Prints a module canonicalised.
std::string canonicalText(ModuleOp module) {
  canonicalize(module);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

TEST_F(AccessFormTest, FormsSayWhatTheInterpreterComputes) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Tensor input;
    build({2, 3, 4}, [&](OpBuilder &b, Value x) {
      RandomMovement random(b, seed);
      Value p = random.access(x, random.pick(0, 3));
      for (int64_t n = random.pick(1, 6); n > 0; --n)
        p = random.step(p);
      return p;
    });
    input = random({2, 3, 4});
    Tensor result = runModule({input});
    AccessForm form = getAccessForm(getResult());
    ASSERT_LE(form.bases.size(), 1u) << print();
    forEachIndex(result.getShape(), [&](ArrayRef<int64_t> index) {
      std::optional<AccessResult> at = form.access.evaluate(index);
      ASSERT_TRUE(at) << print();
      double expected = at->source.kind == SourceKind::Operand
                            ? input.getDouble(at->index)
                            : cast<FloatAttr>(form.constants[at->source.index])
                                  .getValueAsDouble();
      ASSERT_EQ(result.getDouble(index), expected)
          << print() << form.access.str();
    });
    if (HasFatalFailure())
      return;
  }
}

TEST_F(AccessFormTest, CanonicalisationKeepsMeaningAndNeverGrows) {
  unsigned before = 0, after = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    build({2, 3, 4}, [&](OpBuilder &b, Value x) {
      RandomMovement random(b, seed);
      Value p = random.access(x, random.pick(0, 3));
      for (int64_t n = random.pick(1, 7); n > 0; --n)
        p = random.pick(0, 3) == 0 ? random.roundTrip(p) : random.step(p);
      return p;
    });
    Tensor input = random({2, 3, 4});
    Tensor expected = runModule({input});
    const unsigned count = countMovement(*module);
    std::string original = print();
    std::string text = canonicalText(*module);
    ASSERT_TRUE(succeeded(verify(*module))) << original;
    ASSERT_LE(countMovement(*module), count) << original << text;
    before += count;
    after += countMovement(*module);
    expectBitEqual(runModule({input}), expected);
    ASSERT_FALSE(HasFailure()) << original << text;
    // Once more changes nothing.
    ASSERT_EQ(canonicalText(*module), text) << original;
  }
  llvm::outs() << "movement ops: " << before << " before, " << after
               << " after\n";
  EXPECT_LT(after, before);
}

TEST_F(AccessFormTest, ChainsThatMeanTheSameBecomeTheSameOps) {
  unsigned sameForm = 0, sameOps = 0, planned = 0, samePlanned = 0, all = 0;
  unsigned shown = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::string texts[2];
    AccessForm forms[2];
    bool hasPlan = false;
    for (unsigned way : {0u, 1u}) {
      build({2, 3, 4}, [&](OpBuilder &b, Value x) {
        RandomMovement random(b, seed + 7000), detour(b, seed);
        Value p = random.access(x, random.pick(0, 3));
        for (int64_t n = random.pick(1, 4); n > 0; --n) {
          p = random.step(p);
          if (way == 1 && detour.pick(0, 1) == 0)
            p = detour.roundTrip(p);
        }
        return p;
      });
      forms[way] = getAccessForm(getResult());
      hasPlan |= planMovement(forms[way], getResult().getType()).has_value();
      std::string text = canonicalText(*module);
      texts[way] = text;
    }
    ++all;
    // Bases are arguments of different functions: compare the rest.
    sameForm += forms[0].access == forms[1].access &&
                forms[0].constants == forms[1].constants;
    EXPECT_NE(forms[0].access.compare(forms[1].access).verdict,
              Equivalence::Verdict::Different)
        << texts[0] << texts[1];
    planned += hasPlan;
    sameOps += texts[0] == texts[1];
    samePlanned += hasPlan && texts[0] == texts[1];
    if (hasPlan && texts[0] != texts[1] && ++shown < 4)
      llvm::outs() << texts[0] << texts[1];
  }
  llvm::outs() << "same form " << sameForm << ", same ops " << sameOps
               << ", of those planned " << samePlanned << " of " << planned
               << "; " << all << " in all\n";
  EXPECT_GE(sameForm, all * 95 / 100);
  EXPECT_GE(samePlanned, planned * 9 / 10);
}

// Linear: a chain of 200000 transpositions, which never is the identity; steps
// of each through all before it would take longer than a test may.
TEST_F(AccessFormTest, DeepChainsAreLinearAndNeedNoStack) {
  build({2, 3, 4}, [&](OpBuilder &b, Value x) {
    RandomMovement random(b, 1);
    Value p = random.access(x, 1);
    for (unsigned i = 0; i < 200000; ++i)
      p = random.transpose(p, {1, 2, 0});
    return p;
  });
  AccessForms forms;
  EXPECT_EQ(forms.getAccess(getResult()).getShape().size(), 3u);
}

//===----------------------------------------------------------------------===//
// Zero regions
//===----------------------------------------------------------------------===//

/// Every claimed zero is zero; returns how many slices are claimed.
unsigned checkZeros(ArrayRef<IntervalSet> axes, const Tensor &result,
                    const std::string &text) {
  unsigned slices = 0;
  for (auto [axis, zeros] : llvm::enumerate(axes))
    for (const Interval &interval : zeros) {
      slices += interval.upper - interval.lower + 1;
      EXPECT_TRUE(0 <= interval.lower &&
                  interval.upper < result.getShape()[axis]);
      forEachIndex(result.getShape(), [&, axis = axis](ArrayRef<int64_t> i) {
        if (interval.contains(i[axis]))
          EXPECT_EQ(result.getDouble(i), 0.0) << text;
      });
    }
  return slices;
}

/// The slices that are zero in fact.
unsigned countZeroSlices(const Tensor &result) {
  unsigned count = 0;
  for (unsigned axis = 0; axis < result.getShape().size(); ++axis) {
    SmallVector<bool> isZero(result.getShape()[axis], true);
    forEachIndex(result.getShape(), [&](ArrayRef<int64_t> i) {
      if (result.getDouble(i) != 0.0)
        isZero[i[axis]] = false;
    });
    count += llvm::count(isZero, true);
  }
  return count;
}

TEST_F(AccessFormTest, ClaimedZerosAreZero) {
  unsigned claimed = 0, real = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    build({2, 3, 4}, [&](OpBuilder &b, Value x) {
      RandomMovement random(b, seed + 90000);
      Value p = random.access(x, random.pick(0, 3));
      SmallVector<int64_t> ones(3, 1);
      p = random.pad(p, ones, ones, {0, 0, random.pick(0, 1)}, 0.0);
      for (int64_t n = random.pick(0, 4); n > 0; --n)
        p = random.step(p);
      return p;
    });
    Tensor input = random({2, 3, 4});
    Tensor result = runModule({input});
    IndexingCache cache;
    ZeroSlices zeros(*module, cache, /*assumeFinite=*/false);
    claimed += checkZeros(zeros.get(getResult()), result, print());
    real += countZeroSlices(result);
    ASSERT_FALSE(HasFailure()) << print();
  }
  llvm::outs() << "zero slices: " << claimed << " claimed of " << real << "\n";
  EXPECT_GE(claimed, real * 95 / 100);
}

TEST_F(AccessFormTest, ZerosGoThroughComputeOps) {
  auto dotProd = [&](StringRef kind, bool assumeFinite) {
    std::string text = (R"mlir(
func.func @main(%x: tensor<3x5xf32>, %y: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.pad %0 low = [1, 0] high = [1, 0] value = 0.0 : f32
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 5xf32>
  %2 = tensoraccess.access %y at 1
     : tensor<5x5xf32> -> !tensoraccess.access<5 | 5xf32>
  %3 = tensoraccess.pair %1, %2
     : !tensoraccess.access<5 | 5xf32>, !tensoraccess.access<5 | 5xf32>
    -> !tensoraccess.access<5 | 2x5xf32>
  %4 = tensoraccess.compute )mlir" +
                        kind + R"mlir( %3
     : !tensoraccess.access<5 | 2x5xf32> -> !tensoraccess.access<5 | 5xf32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<5 | 5xf32> -> tensor<5x5xf32>
  return %5 : tensor<5x5xf32>
})mlir")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    IndexingCache cache;
    ZeroSlices zeros(*module, cache, assumeFinite);
    ArrayRef<IntervalSet> axes = zeros.get(getResult());
    return axes.empty() ? std::string("none") : toString(axes[0]);
  };
  EXPECT_EQ(dotProd("elementwise_add", false), "none");
  EXPECT_EQ(dotProd("elementwise_add", true), "none");
  // 0 times infinity is not a zero.
  EXPECT_EQ(dotProd("elementwise_mul", false), "none");
  EXPECT_EQ(dotProd("elementwise_mul", true), "[0, 0] [4, 4]");
  EXPECT_EQ(dotProd("elementwise_div", true), "none");
}

TEST_F(AccessFormTest, ZerosOfTensorOps) {
  DialectRegistry registry;
  registerIndexingModels(registry);
  context.appendDialectRegistry(registry);
  module = parseSourceString<ModuleOp>(R"mlir(
func.func @main(%x: tensor<3x5xf32>) -> tensor<6x3xf32> {
  %zero = arith.constant -0.0 : f32
  %0 = tensor.pad %x low[1, -2] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x5xf32> to tensor<6x3xf32>
  %c = arith.constant dense<[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %1 = tensoraccess.access %c at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %2 = tensoraccess.compute relu %1
     : !tensoraccess.access<2 | 3xf32> -> !tensoraccess.access<2 | 3xf32>
  %3 = tensoraccess.compute softmax %1
     : !tensoraccess.access<2 | 3xf32> -> !tensoraccess.access<2 | 3xf32>
  %s = arith.constant dense<0.0> : tensor<4xf32>
  return %0 : tensor<6x3xf32>
})mlir",
                                       &context);
  ASSERT_TRUE(module) << messages;
  IndexingCache cache;
  ZeroSlices zeros(*module, cache, /*assumeFinite=*/false);
  SmallVector<std::string> texts;
  module->walk([&](Operation *op) {
    for (Value v : op->getResults())
      if (AccessForms::hasForm(v)) {
        std::string text;
        for (auto [i, axis] : llvm::enumerate(zeros.get(v)))
          text += (i ? " / " : "") + toString(axis);
        texts.push_back(text);
      }
  });
  EXPECT_EQ(texts,
            (SmallVector<std::string>{"[0, 0] [4, 5] / ", " / [1, 2]",
                                      " / [1, 2]", " / [1, 2]", "", "[0, 3]"}));
}

TEST_F(AccessFormTest, WorkedForm) {
  module = parseSourceString<ModuleOp>(R"mlir(
func.func @main(%x: tensor<1x9x8x3xf32>) -> tensor<1x9x8x1x3x3x3xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x3xf32> -> !tensoraccess.access<1 | 9x8x3xf32>
  %1 = tensoraccess.pad %0 low = [0, 1, 1, 0] high = [0, 1, 1, 0] value = 0.0 : f32
     : !tensoraccess.access<1 | 9x8x3xf32> -> !tensoraccess.access<1 | 11x10x3xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3, 3] strides = [1, 1, 1]
     : !tensoraccess.access<1 | 11x10x3xf32>
    -> !tensoraccess.access<1x9x8x1 | 3x3x3xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<1x9x8x1 | 3x3x3xf32> -> tensor<1x9x8x1x3x3x3xf32>
  return %3 : tensor<1x9x8x1x3x3x3xf32>
})mlir",
                                       &context);
  ASSERT_TRUE(module) << messages;
  AccessForm form = getAccessForm(getResult().getDefiningOp()->getOperand(0));
  EXPECT_EQ(form.split, 4);
  ASSERT_EQ(form.bases.size(), 1u);
  EXPECT_TRUE(isa<BlockArgument>(form.bases[0]));
  EXPECT_EQ(cast<FloatAttr>(form.getBackground()).getValueAsDouble(), 0.0);
  EXPECT_EQ(form.access.str(),
            "1x9x8x1x3x3x3: source 0 (d0, d1, d2, d3, d4, d5, d6) -> "
            "(0, d1 + d4 - 1, d2 + d5 - 1, d6), domain: d0 in [0, 0], "
            "d1 in [0, 8], d2 in [0, 7], d3 in [0, 0], d4 in [0, 2], "
            "d5 in [0, 2], d6 in [0, 2], d1 + d4 in [1, 9], d2 + d5 in [1, 8]; "
            "else constant 0");
}

} // namespace
