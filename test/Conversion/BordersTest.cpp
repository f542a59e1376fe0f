//===- BordersTest.cpp - Interiors and borders, by running ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic over random windows that hang over edges, under all policies: the
// program that is cut into interior and borders has the bits of the program
// itself, and of the one that reads a single copy.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/RandomProjection.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using Kind = OutOfBounds::Kind;

class BordersTest : public BuildTest {
protected:
  BordersTest() { context.loadDialect<scf::SCFDialect>(); }
};

/// Windows of 1 to 3 by 1 or 2, forwards or backwards, over a bit more or less
/// than the whole of a tensor of `sizes`; as many points for each `extents`.
Projection drawWindows(RandomMovement &random, ArrayRef<int64_t> extents,
                       SmallVectorImpl<int64_t> &sizes) {
  Projection p;
  for (auto [r, extent] : llvm::enumerate(extents)) {
    const int64_t step = random.pick(0, 3) == 0 ? 2 : 1;
    const bool isBack = random.pick(0, 3) == 0;
    auto &row = p.matrix.emplace_back(extents.size(), 0);
    row[r] = isBack ? -step : step;
    p.shape.push_back(random.pick(1, 3));
    const int64_t reach = (extent - 1) * step + p.shape.back();
    OutOfBounds policy;
    int64_t low = random.pick(0, 2), size = reach;
    switch (random.pick(0, 4)) {
    case 0:
      low = 0;
      size += random.pick(0, 2);
      break;
    case 1:
      policy.kind = Kind::Negative;
      size = std::max<int64_t>(1, reach - low);
      low = std::min(low, size);
      size = std::max(size, reach - low);
      break;
    case 2:
      policy.kind = Kind::Wrap;
      size = std::max<int64_t>(1, reach - low - random.pick(0, 2));
      break;
    case 3:
      policy.kind = Kind::Clamp;
      size = std::max<int64_t>(1, reach - low - random.pick(0, 2));
      break;
    default:
      policy = {Kind::Pad, PadValue(random.pick(0, 1) ? 0.5 : -1.0 - r)};
      size = std::max<int64_t>(1, reach - low - random.pick(0, 2));
    }
    sizes.push_back(size);
    p.outOfBounds.push_back(policy);
    p.offset.push_back((isBack ? (extent - 1) * step : 0) - low);
  }
  if (llvm::all_of(p.outOfBounds,
                   [](auto &o) { return o.kind == Kind::Forbid; }))
    p.outOfBounds.clear();
  return p;
}

unsigned countInsertions(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](tensor::InsertSliceOp) { ++count; });
  return count;
}

TEST_F(BordersTest, AreBitEqual) {
  unsigned cut = 0, all = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    OpBuilder unused(&context);
    RandomMovement draw(unused, seed);
    SmallVector<int64_t> extents, sizes;
    for (int64_t r = draw.pick(1, 3); r > 0; --r)
      extents.push_back(draw.pick(1, 6));
    const Projection first = drawWindows(draw, extents, sizes);
    // A second view of the same tensor, over the same points.
    Projection second = first;
    second.shape = first.shape;
    for (auto [r, offset] : llvm::enumerate(second.offset))
      if (second.getOutOfBounds(r).kind == Kind::Wrap ||
          second.getOutOfBounds(r).kind == Kind::Clamp)
        offset += draw.pick(-1, 1);
    const ComputeKind kinds[] = {
        ComputeKind::ReduceSum,     ComputeKind::ReduceMax,
        ComputeKind::ReduceMean,    ComputeKind::Relu,
        ComputeKind::DotProd,       ComputeKind::Softmax,
        ComputeKind::ElementwiseMul};
    const ComputeKind kind = kinds[draw.pick(0, 6)];
    IndexRegion block;
    block.lo.assign(extents.size(), 0);
    block.hi.assign(extents.begin(), extents.end());
    auto make = [&] {
      build(sizes, [&](OpBuilder &b, Value x) -> Value {
        Location loc = b.getUnknownLoc();
        Value pattern = AccessOp::create(b, loc, x, 0);
        Value view = ProjectOp::create(b, loc, pattern, first, block);
        if (kind == ComputeKind::DotProd || kind == ComputeKind::ElementwiseMul)
          view = PairOp::create(
              b, loc, view, ProjectOp::create(b, loc, pattern, second, block));
        return ComputeOp::create(b, loc, kind, view);
      });
    };
    make();
    ASSERT_TRUE(succeeded(verify(*module))) << messages << print();
    const std::string program = print();
    const Tensor input = random(sizes);
    const Tensor expected = runModule({input});
    unsigned insertions[2];
    for (Borders borders : {Borders::Copy, Borders::Peel}) {
      make();
      ASSERT_TRUE(succeeded(lowerToLinalg(*module, borders)))
          << messages << program;
      ASSERT_TRUE(succeeded(verify(*module))) << messages << program << print();
      insertions[borders == Borders::Peel] = countInsertions(*module);
      expectBitEqual(runModule({input}), expected);
      ASSERT_FALSE(HasFailure()) << program << print();
    }
    ++all;
    cut += insertions[0] != insertions[1];
  }
  llvm::outs() << cut << " of " << all << " programs were cut\n";
  EXPECT_GT(cut, 50u);
}

} // namespace
