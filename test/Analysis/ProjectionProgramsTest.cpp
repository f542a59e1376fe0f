//===- ProjectionProgramsTest.cpp - Projections in programs, by running ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A projection's kernel resolves each place by itself. Its canonical form, its
// slice and inner projection, its chain of windows, and the projection that
// this chain is read back as have to hold the same elements, for random
// projections of all kinds; and what random chains of views are said to be,
// they are.
//
//===----------------------------------------------------------------------===//

#include "RandomProjection.h"
#include "TensorAccess/IR/AccessForm.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using Kind = OutOfBounds::Kind;

class ProjectionPrograms : public BuildTest {
protected:
  /// The element of a form at an index.
  static double evaluate(const AccessForm &form, ArrayRef<int64_t> index,
                         const Tensor &input) {
    std::optional<AccessResult> at = form.access.evaluate(index);
    if (!at)
      return 12345.0;
    if (at->source.kind == SourceKind::Operand)
      return input.getDouble(at->index);
    return cast<FloatAttr>(form.constants[at->source.index]).getValueAsDouble();
  }
  /// Builds one projection, and runs it.
  Tensor buildProjection(const RandomProjection &p, const Tensor &input) {
    build(p.sizes, [&](OpBuilder &b, Value x) -> Value {
      Value pattern = AccessOp::create(b, b.getUnknownLoc(), x, 0);
      return ProjectOp::create(b, b.getUnknownLoc(), pattern, p.projection,
                               p.block);
    });
    EXPECT_TRUE(succeeded(verify(*module))) << messages << print();
    return runModule({input});
  }
  ProjectOp getProject() {
    ProjectOp found;
    module->walk([&](ProjectOp op) { found = op; });
    return found;
  }
  Value getPattern() {
    return getResult().getDefiningOp<ToTensorOp>().getPattern();
  }
};

/// What a kernel resolves place by place, the form says at once.
TEST_F(ProjectionPrograms, FormsAndStepsAreTheKernel) {
  unsigned formed = 0, expanded = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    OpBuilder unused(&context);
    RandomMovement draw(unused, seed);
    RandomProjection p(draw, /*isSeparable=*/seed % 2);
    const Tensor input = random(p.sizes);
    const Tensor expected = buildProjection(p, input);
    ASSERT_FALSE(HasFailure()) << print();

    AccessForm form = getAccessForm(getResult());
    if (isMovement(getProject()) && form.bases.size() <= 1 &&
        (form.bases.empty() || isa<BlockArgument>(form.bases[0]))) {
      ++formed;
      forEachIndex(expected.getShape(), [&](ArrayRef<int64_t> index) {
        ASSERT_EQ(expected.getDouble(index), evaluate(form, index, input))
            << print() << form.access.str();
      });
      ASSERT_FALSE(HasFatalFailure());
    }
    OpBuilder b(getProject());
    FailureOr<Value> inner = expandOutOfBounds(b, getProject());
    if (failed(inner))
      continue;
    ++expanded;
    if (*inner != getProject().getResult())
      getProject().getResult().replaceAllUsesWith(*inner);
    ASSERT_TRUE(succeeded(verify(*module))) << print();
    expectBitEqual(runModule({input}), expected);
    ASSERT_FALSE(HasFailure()) << print();
  }
  EXPECT_GT(formed, 300u);
  EXPECT_GT(expanded, 300u);
}

/// Where every axis moves one dimension, windows say it; and windows are read
/// back as the projection from 0 on, without its anchor.
TEST_F(ProjectionPrograms, ChainsAndBack) {
  unsigned chains = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    OpBuilder unused(&context);
    RandomMovement draw(unused, seed + 1000);
    RandomProjection p(draw, /*isSeparable=*/seed % 8 != 0);
    const Tensor input = random(p.sizes);
    const Tensor expected = buildProjection(p, input);
    std::string reason;
    OpBuilder b(getProject());
    std::optional<Value> chain = expandProjection(b, getProject(), reason);
    if (!chain) {
      EXPECT_TRUE(StringRef(reason).starts_with("axis ")) << reason << print();
      continue;
    }
    ++chains;
    ProjectOp op = getProject();
    ASSERT_EQ(chain->getType(), op.getType()) << print();
    op.getResult().replaceAllUsesWith(*chain);
    op.erase();
    ASSERT_TRUE(succeeded(verify(*module))) << messages << print();
    expectBitEqual(runModule({input}), expected);
    ASSERT_FALSE(HasFailure()) << print();

    // Backwards.
    auto back = getProjection(*chain, /*itemsAsAxes=*/false, reason);
    if (p.block.isEmpty()) {
      continue;
    }
    ASSERT_TRUE(back) << reason << print();
    const IndexRegion hull = *p.projection.getHull(p.block);
    for (size_t c = 0; c != p.block.lo.size(); ++c) {
      EXPECT_EQ(back->block.lo[c], 0);
      EXPECT_EQ(back->block.hi[c], p.block.hi[c] - p.block.lo[c]);
    }
    const Projection &q = back->projection.projection;
    EXPECT_EQ(q.shape, p.projection.shape) << print();
    EXPECT_EQ(*q.getHull(back->block), hull) << print() << q.str();
    for (size_t r = 0; r != q.getNumRows(); ++r) {
      for (size_t c = 0; c != q.getNumColumns(); ++c) {
        if (back->block.hi[c] > 1) {
          EXPECT_EQ(q.matrix[r][c], p.projection.matrix[r][c])
              << print() << q.str();
        }
      }
      // Policies that act are the same; the others need not be known.
      if (hull.lo[r] < 0 || hull.hi[r] > p.sizes[r]) {
        EXPECT_EQ(q.getOutOfBounds(r), p.projection.getOutOfBounds(r))
            << print() << q.str();
      } else {
        EXPECT_EQ(q.getOutOfBounds(r).kind, Kind::Forbid);
      }
    }
    ASSERT_FALSE(HasFailure()) << p.projection.str();
  }
  EXPECT_GT(chains, 300u);
}

/// What a random chain is said to be, it is; else there is a reason.
TEST_F(ProjectionPrograms, RandomChainsAreProjectionsOrRefused) {
  unsigned found[2] = {0, 0}, refused = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const bool itemsAsAxes = seed % 2;
    build({2, 3, 4}, [&](OpBuilder &b, Value x) {
      RandomMovement random(b, seed);
      Value p = random.access(x, random.pick(0, 3));
      for (int64_t n = random.pick(1, 4); n > 0; --n)
        p = random.pick(0, 4) == 0 ? random.roundTrip(p) : random.step(p);
      return p;
    });
    const Tensor input = random({2, 3, 4});
    const Tensor expected = runModule({input});
    Value pattern = getPattern();
    std::string reason;
    auto projected = getProjection(pattern, itemsAsAxes, reason);
    if (!projected) {
      ++refused;
      EXPECT_FALSE(reason.empty()) << print();
      continue;
    }
    ++found[itemsAsAxes];
    OpBuilder b(getResult().getDefiningOp());
    Value value = createProjection(b, b.getUnknownLoc(), *projected,
                                   cast<AccessType>(pattern.getType()));
    getResult().getDefiningOp()->setOperand(0, value);
    ASSERT_TRUE(succeeded(verify(*module))) << messages << print();
    expectBitEqual(runModule({input}), expected);
    ASSERT_FALSE(HasFailure()) << print();
    // Once more is the same.
    if (!itemsAsAxes) {
      auto again = getProjection(value, itemsAsAxes, reason);
      ASSERT_TRUE(again) << reason << print();
      EXPECT_EQ(again->projection, projected->projection) << print();
    }
  }
  llvm::outs() << "projections: " << found[0] << " of regions, " << found[1]
               << " of elements, " << refused << " chains refused\n";
  EXPECT_GT(found[0], 50u);
  EXPECT_GT(found[1], 100u);
  EXPECT_GT(refused, 50u);
}

} // namespace
