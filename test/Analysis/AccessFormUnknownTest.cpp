//===- AccessFormUnknownTest.cpp - Forms with a `?`, by running -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program, several sizes: what the form of a pattern with unknown sizes
// says is what the interpreter computes for each of them, 0 included.
//
//===----------------------------------------------------------------------===//

#include "RandomUnknownMovement.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/IR/AccessForm.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int64_t kUnknown = kDynamicSize;

/// The shapes of the argument, and sizes that it is run with.
struct Shapes {
  SmallVector<int64_t> type;
  SmallVector<SmallVector<int64_t>> runs;
};

const Shapes kShapes[] = {
    {{kUnknown, 3, 4}, {{0, 3, 4}, {1, 3, 4}, {2, 3, 4}, {5, 3, 4}}},
    {{4, kUnknown, 2}, {{4, 0, 2}, {4, 1, 2}, {4, 3, 2}}},
    {{kUnknown, 4, kUnknown}, {{2, 4, 3}, {0, 4, 2}, {1, 4, 0}, {3, 4, 2}}},
};

class AccessFormUnknownTest : public BuildTest {
protected:
  void buildChain(const Shapes &shapes, unsigned seed, int64_t length,
                  bool computes, bool detours) {
    build(shapes.type, [&](OpBuilder &b, Value x) {
      RandomUnknownMovement random(b, seed, computes), detour(b, seed + 1);
      Value p = random.access(x, random.pick(0, 3));
      for (int64_t n = length; n > 0; --n) {
        p = random.stepUnknown(p);
        if (detours && detour.pick(0, 1) == 0)
          p = detour.roundTripUnknown(p);
      }
      return p;
    });
    ASSERT_TRUE(succeeded(verify(*module))) << print();
  }
  unsigned countMovement() {
    unsigned count = 0;
    module->walk([&](Operation *op) { count += isMovement(op); });
    return count;
  }
  std::string canonicalText() {
    PassManager manager(&context);
    manager.addPass(createCanonicalizerPass());
    EXPECT_TRUE(succeeded(manager.run(*module)));
    return print();
  }
};

TEST_F(AccessFormUnknownTest, FormsSayWhatTheInterpreterComputes) {
  unsigned reached = 0, all = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const Shapes &shapes = kShapes[seed % 3];
    buildChain(shapes, seed, 1 + seed % 6, /*computes=*/seed % 4 == 0, false);
    AccessForm form = getAccessForm(getResult());
    ++all;
    if (llvm::any_of(form.bases,
                     [](Value base) { return !isa<BlockArgument>(base); }))
      continue;
    ++reached;
    for (ArrayRef<int64_t> run : shapes.runs) {
      Tensor input = random(run);
      Tensor result = runModule({input});
      // Its shape is what the form says, too.
      for (auto [dim, size] : llvm::enumerate(result.getShape())) {
        const int64_t known = form.access.getShape()[dim];
        std::optional<CanonicalAccess::Extent> extent =
            form.access.findExtent(dim);
        ASSERT_TRUE(extent || !isUnknownExtent(known)) << form.access.str();
        ASSERT_EQ(size, extent ? run[extent->sourceDim] : known)
            << print() << form.access.str();
      }
      forEachIndex(result.getShape(), [&](ArrayRef<int64_t> index) {
        std::optional<AccessResult> at = form.access.evaluate(index);
        ASSERT_TRUE(at) << print();
        double expected =
            at->source.kind == SourceKind::Operand
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
  llvm::outs() << "forms that reach the argument: " << reached << " of " << all
               << "\n";
  // A quarter of the chains compute with unknown sizes now and then.
  EXPECT_GE(reached, all * 85 / 100);
}

TEST_F(AccessFormUnknownTest, CanonicalisationKeepsMeaningAndNeverGrows) {
  unsigned before = 0, after = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Shapes &shapes = kShapes[seed % 3];
    buildChain(shapes, seed + 10000, 1 + seed % 6, /*computes=*/seed % 3 == 0,
               /*detours=*/true);
    SmallVector<Tensor> inputs, expected;
    for (ArrayRef<int64_t> run : shapes.runs) {
      inputs.push_back(random(run));
      expected.push_back(runModule({inputs.back()}));
    }
    const unsigned count = countMovement();
    std::string original = print(), text = canonicalText();
    ASSERT_TRUE(succeeded(verify(*module))) << original;
    ASSERT_LE(countMovement(), count) << original << text;
    before += count;
    after += countMovement();
    for (auto [input, result] : llvm::zip_equal(inputs, expected))
      expectBitEqual(runModule({input}), result);
    ASSERT_FALSE(HasFailure()) << original << text;
    ASSERT_EQ(canonicalText(), text) << original;
  }
  llvm::outs() << "movement ops: " << before << " before, " << after
               << " after\n";
  EXPECT_LT(after, before * 3 / 4);
}

TEST_F(AccessFormUnknownTest, ChainsThatMeanTheSameHaveTheSameForm) {
  unsigned sameForm = 0, sameOps = 0, all = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    AccessForm forms[2];
    std::string texts[2];
    for (bool detours : {false, true}) {
      buildChain(kShapes[seed % 3], seed + 20000, 1 + seed % 4, false, detours);
      forms[detours] = getAccessForm(getResult());
      texts[detours] = canonicalText();
    }
    ++all;
    sameForm += forms[0].access == forms[1].access &&
                forms[0].constants == forms[1].constants;
    sameOps += texts[0] == texts[1];
    if (!isa<BlockArgument>(forms[0].bases[0]) ||
        !isa<BlockArgument>(forms[1].bases[0]))
      continue;
    EXPECT_NE(forms[0].access.compare(forms[1].access).verdict,
              Equivalence::Verdict::Different)
        << forms[0].access.str() << "\n"
        << forms[1].access.str() << "\n"
        << texts[0] << texts[1];
  }
  llvm::outs() << "same form " << sameForm << ", same ops " << sameOps << " of "
               << all << "\n";
  EXPECT_GE(sameForm, all * 95 / 100);
  EXPECT_GE(sameOps, all * 85 / 100);
}

// Repeated along an unknown dimension, nothing but the shape tells views apart.
TEST_F(AccessFormUnknownTest, ShapesArePartOfForms) {
  auto formOf = [&](bool isTransposed) {
    build({kUnknown, kUnknown, 0}, [&](OpBuilder &b, Value x) {
      RandomUnknownMovement random(b, 1);
      Value p = random.access(x, 1);
      return isTransposed ? random.transpose(p, {1, 0, 2}) : p;
    });
    return getAccessForm(getResult()).access;
  };
  CanonicalAccess plain = formOf(false), transposed = formOf(true);
  EXPECT_EQ(plain.str(), "?x?x0: no elements; d0 as d0 of source 0; d1 as d1 "
                         "of source 0");
  EXPECT_EQ(transposed.str(), "?x?x0: no elements; d0 as d1 of source 0; d1 as "
                              "d0 of source 0");
  EXPECT_NE(plain, transposed);
  EXPECT_EQ(plain.compare(transposed).verdict, Equivalence::Verdict::Unknown);
}

// What could fail at run time still does after canonicalisation.
TEST_F(AccessFormUnknownTest, ChecksStay) {
  build({kUnknown, 4}, [&](OpBuilder &b, Value x) {
    RandomUnknownMovement random(b, 1);
    Value p = random.access(x, 1);
    p = random.cutKnown(p, 0, 1, 3);
    return random.transpose(random.transpose(p, {1, 0}), {1, 0});
  });
  std::string text = canonicalText();
  EXPECT_EQ(countMovement(), 3u) << text;
  EXPECT_EQ(getAccessForm(getResult()).bases.front(),
            module->lookupSymbol<func::FuncOp>("main").getArgument(0));
  EXPECT_TRUE(failed(interpret(*module, "main", {random({3, 4})})));
  EXPECT_NE(messages.find("slice"), std::string::npos) << messages;
  messages.clear();
  runModule({random({4, 4})});
}

// A form cannot have a size that the stand-in divides.
TEST_F(AccessFormUnknownTest, SizesLikeTheStandInHaveNoForm) {
  build({2 * kUnknownExtent, kUnknown}, [&](OpBuilder &b, Value x) {
    RandomUnknownMovement random(b, 1);
    return random.transpose(random.access(x, 0), {1, 0});
  });
  EXPECT_FALSE(AccessForms::hasForm(getResult()));
  canonicalText();
  EXPECT_EQ(countMovement(), 3u);
}

} // namespace
