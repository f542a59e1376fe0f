//===- CanonicalizeFuzzTest.cpp - Canonical programs compute the same -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Law: a program and its canonical form have the same results, bit for bit, and
// canonicalising twice is canonicalising once. The programs are random chains
// of all ops that move elements, with relu, negative and sums of pairs between,
// made with the ops' builders.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Appends random ops to a chain.
class Chain {
public:
  Chain(OpBuilder &b, Value pattern, unsigned seed)
      : b(b), loc(UnknownLoc::get(b.getContext())), random(seed),
        pattern(pattern) {}

  Value get() const { return pattern; }

  /// A slice of static shape of a pattern that is `sizes` big, perhaps dynamic.
  void addStaticSlice(ArrayRef<int64_t> sizes) {
    SmallVector<int64_t> offsets, counts;
    for (int64_t size : sizes) {
      counts.push_back(draw(1, size));
      offsets.push_back(draw(0, size - counts.back()));
    }
    set(SliceOp::create(b, loc, pattern, offsets, counts));
  }

  /// Forgets some sizes, and slices to static ones.
  void addDynamicPart() {
    type = cast<AccessType>(pattern.getType());
    shape = type.getShape();
    if (llvm::is_contained(shape, 0))
      return;
    SmallVector<int64_t> dynamic(shape);
    for (int64_t &size : dynamic)
      size = draw(0, 1) ? ShapedType::kDynamic : size;
    Value tensor = ToTensorOp::create(b, loc, pattern);
    tensor = tensor::CastOp::create(
        b, loc, RankedTensorType::get(dynamic, type.getElementType()), tensor);
    set(AccessOp::create(b, loc, tensor, draw(0, type.getRank())));
    addStaticSlice(shape);
  }

  void addOp() {
    type = cast<AccessType>(pattern.getType());
    shape = type.getShape();
    if (type.getRank() > 6 || *type.getNumElements() > 4000) {
      shrink();
      return;
    }
    switch (draw(0, 14)) {
    case 0: {
      SmallVector<int64_t> perm =
          llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
      std::shuffle(perm.begin(), perm.end(), random);
      return set(TransposeOp::create(b, loc, pattern, perm));
    }
    case 1:
    case 2:
      return addSlice();
    case 3: {
      auto widths = [&](int64_t most) {
        return llvm::map_to_vector(shape,
                                   [&](int64_t) { return draw(0, most); });
      };
      return set(PadOp::create(
          b, loc, pattern, b.getDenseI64ArrayAttr(widths(2)),
          b.getDenseI64ArrayAttr(widths(1)), b.getI32IntegerAttr(draw(7, 8)),
          draw(0, 1) ? b.getDenseI64ArrayAttr(widths(1))
                     : DenseI64ArrayAttr()));
    }
    case 4:
      if (type.getRank() > 0)
        set(ConcatOp::create(b, loc, SmallVector<Value>(draw(1, 3), pattern),
                             draw(0, type.getRank() - 1)));
      return;
    case 5:
      return set(
          InsertAxisOp::create(b, loc, pattern, draw(0, type.getRank())));
    case 6:
      for (auto [dim, size] : llvm::enumerate(shape))
        if (size == 1)
          return set(SqueezeOp::create(b, loc, pattern, dim));
      return;
    case 7:
      return set(FlattenOp::create(b, loc, pattern));
    case 8:
      return addReshape();
    case 9:
      return set(
          ShiftRightOp::create(b, loc, pattern, draw(0, type.getAccessRank())));
    case 10: {
      for (int64_t &size : shape)
        size = size == 1 ? draw(1, 3) : size;
      return set(
          BroadcastOp::create(b, loc, split(type.getAccessRank()), pattern));
    }
    case 11: {
      SmallVector<int64_t> window, strides;
      for (int64_t size : type.getComputeShape()) {
        if (size == 0)
          return;
        window.push_back(draw(1, size));
        strides.push_back(draw(1, 2));
      }
      return set(WindowsOp::create(b, loc, pattern, window, strides,
                                   DenseI64ArrayAttr()));
    }
    case 12:
      return set(ComputeOp::create(
          b, loc, draw(0, 1) ? ComputeKind::Relu : ComputeKind::Negative,
          pattern));
    case 13: {
      Value tensor = ToTensorOp::create(b, loc, pattern);
      return set(AccessOp::create(b, loc, tensor, draw(0, type.getRank())));
    }
    default:
      if (draw(0, 1))
        return set(MaterializeOp::create(b, loc, pattern));
      Value twice = PairOp::create(b, loc, pattern, pattern);
      return set(ComputeOp::create(b, loc, ComputeKind::ElementwiseAdd, twice));
    }
  }

private:
  int64_t draw(int64_t lo, int64_t hi) {
    return lo + int64_t(random() % uint64_t(hi - lo + 1));
  }
  void set(Operation *op) { pattern = op->getResult(0); }
  AccessType split(int64_t axis) {
    ArrayRef<int64_t> sizes(shape);
    return AccessType::get(sizes.take_front(axis), sizes.drop_front(axis),
                           type.getElementType());
  }

  void addSlice() {
    SmallVector<int64_t> offsets, sizes, strides;
    OutOfBoundsList policies;
    for (int64_t size : shape) {
      OutOfBounds policy;
      if (size == 0 || draw(0, 2)) { // inside
        int64_t count = draw(0, size), step = count <= 1 ? draw(1, 3) : 1;
        while (count > 1 && (count - 1) * (step + 1) < size && draw(0, 1))
          ++step;
        int64_t first = count == 0 ? 0 : draw(0, size - 1 - (count - 1) * step);
        if (count > 0 && draw(0, 1)) {
          first += (count - 1) * step;
          step = -step;
        }
        offsets.push_back(first);
        sizes.push_back(count);
        strides.push_back(step);
      } else {
        policy.kind = draw(0, 1)   ? OutOfBounds::Kind::Wrap
                      : draw(0, 1) ? OutOfBounds::Kind::Clamp
                                   : OutOfBounds::Kind::Pad;
        if (policy.kind == OutOfBounds::Kind::Pad)
          policy.value = PadValue(draw(7, 8));
        offsets.push_back(draw(-3, size + 2));
        sizes.push_back(draw(0, 4));
        strides.push_back(draw(0, 1) ? draw(1, 2) : -draw(1, 2));
      }
      policies.entries.push_back(policy);
    }
    set(SliceOp::create(b, loc, pattern, offsets, sizes,
                        b.getDenseI64ArrayAttr(strides),
                        OutOfBoundsAttr::get(b.getContext(), policies)));
  }

  /// Joins two neighbours on one side, or cuts an even dimension.
  void addReshape() {
    int64_t axis = type.getAccessRank();
    for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim)
      if (dim + 1 != axis && draw(0, 1)) {
        shape[dim] *= shape[dim + 1];
        shape.erase(shape.begin() + dim + 1);
        return set(
            ReshapeOp::create(b, loc, split(axis - (dim < axis)), pattern));
      }
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (shape[dim] % 2 == 0) {
        shape[dim] /= 2;
        shape.insert(shape.begin() + dim, 2);
        return set(
            ReshapeOp::create(b, loc, split(axis + (dim < axis)), pattern));
      }
  }

  /// Back to a few elements.
  void shrink() {
    SmallVector<int64_t> zeros(shape.size(), 0);
    for (int64_t &size : shape)
      size = std::min<int64_t>(size, 2);
    set(SliceOp::create(b, loc, pattern, zeros, shape));
    if (type.getRank() > 6)
      set(FlattenOp::create(b, loc, pattern));
  }

  OpBuilder &b;
  Location loc;
  std::mt19937 random;
  Value pattern;
  AccessType type;
  SmallVector<int64_t> shape;
};

class CanonicalizeFuzz : public RunTest {
protected:
  /// @main over a random chain of `length` ops; if `isDynamic`, the argument
  /// and what is in the middle have dynamic sizes.
  void build(unsigned seed, unsigned length, bool isDynamic = false) {
    OpBuilder b(&context);
    Location loc = b.getUnknownLoc();
    module = ModuleOp::create(loc);
    b.setInsertionPointToStart(module->getBody());
    SmallVector<int64_t> shape{3, 4, 2};
    if (isDynamic)
      shape[seed % 3] = shape[seed / 3 % 3] = ShapedType::kDynamic;
    auto input = RankedTensorType::get(shape, b.getI32Type());
    auto function =
        func::FuncOp::create(b, loc, "main", b.getFunctionType(input, {}));
    b.setInsertionPointToStart(function.addEntryBlock());
    Chain chain(b, AccessOp::create(b, loc, function.getArgument(0), seed % 4),
                seed);
    if (isDynamic)
      chain.addStaticSlice({3, 4, 2});
    for (unsigned i = 0; i < length; ++i) {
      chain.addOp();
      if (isDynamic && i == length / 2)
        chain.addDynamicPart();
    }
    Value result = ToTensorOp::create(b, loc, chain.get());
    func::ReturnOp::create(b, loc, result);
    function.setType(b.getFunctionType(input, result.getType()));
  }
  void canonicalize() {
    PassManager passes(&context);
    passes.addPass(createCanonicalizerPass());
    ASSERT_TRUE(succeeded(passes.run(*module))) << messages;
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }

  /// Canonicalises the module, which must stay valid and compute the same, and
  /// again, which must change nothing. Counts modules that become shorter.
  void expectSame(unsigned seed, unsigned &shorter) {
    ASSERT_TRUE(succeeded(verify(*module))) << messages << print();
    std::string before = print();
    Tensor input = random({3, 4, 2}, ElementType::I32, seed);
    auto expected = interpret(*module, "main", input);
    ASSERT_TRUE(succeeded(expected)) << messages << before;
    canonicalize();
    std::string once = print();
    auto actual = interpret(*module, "main", input);
    ASSERT_TRUE(succeeded(actual)) << messages << before << once;
    ASSERT_TRUE(llvm::cantFail(compare(expected->front(), actual->front()))
                    .allBitEqual())
        << before << once;
    canonicalize();
    ASSERT_EQ(print(), once);
    shorter += once.size() < before.size();
  }
};

TEST_F(CanonicalizeFuzz, results_stay_the_same) {
  unsigned shorter = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    build(seed, 2 + seed % 9);
    ASSERT_NO_FATAL_FAILURE(expectSame(seed, shorter));
  }
  EXPECT_GT(shorter, 700u);
}

// An op on a dynamic shape is a base, also where its result is static.
TEST_F(CanonicalizeFuzz, dynamic_operands_are_bases) {
  unsigned shorter = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    build(seed, seed % 7, /*isDynamic=*/true);
    ASSERT_NO_FATAL_FAILURE(expectSame(seed, shorter));
  }
}

// A slice with policies is the slices without that expandOutOfBounds makes.
TEST_F(CanonicalizeFuzz, expanded_slices_are_the_same) {
  unsigned expanded = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    build(seed, 2 + seed % 5);
    Tensor input = random({3, 4, 2}, ElementType::I32, seed);
    auto expected = interpret(*module, "main", input);
    ASSERT_TRUE(succeeded(expected)) << messages;
    SmallVector<SliceOp> slices;
    module->walk([&](SliceOp op) { slices.push_back(op); });
    for (SliceOp op : slices) {
      OpBuilder b(op);
      FailureOr<Value> value = expandOutOfBounds(b, op);
      ASSERT_EQ(succeeded(value), canExpand(op));
      if (failed(value) || *value == op.getResult())
        continue;
      op.getResult().replaceAllUsesWith(*value);
      op.erase();
      ++expanded;
    }
    auto actual = interpret(*module, "main", input);
    ASSERT_TRUE(succeeded(actual)) << messages << print();
    ASSERT_TRUE(llvm::cantFail(compare(expected->front(), actual->front()))
                    .allBitEqual())
        << print();
  }
  EXPECT_GT(expanded, 200u);
}

// The same with a constant for the argument: nothing but a constant is left,
// unless a copy was wanted.
TEST_F(CanonicalizeFuzz, constants_are_computed) {
  unsigned constants = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    build(seed, 2 + seed % 9);
    bool big = false;
    module->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto access = dyn_cast<AccessType>(type))
          big |= *access.getNumElements() > kMaxFoldedElements;
    });
    if (big)
      continue;
    Tensor input = random({3, 4, 2}, ElementType::I32, seed);
    auto expected = interpret(*module, "main", input);
    ASSERT_TRUE(succeeded(expected)) << messages;
    auto function = cast<func::FuncOp>(module->lookupSymbol("main"));
    OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
    auto type = cast<RankedTensorType>(function.getArgument(0).getType());
    SmallVector<int32_t> values(input.getDataAs<int32_t>(),
                                input.getDataAs<int32_t>() + 24);
    function.getArgument(0).replaceAllUsesWith(arith::ConstantOp::create(
        b, b.getUnknownLoc(),
        DenseElementsAttr::get(type, ArrayRef<int32_t>(values))));
    canonicalize();
    auto actual = interpret(*module, "main", input);
    ASSERT_TRUE(succeeded(actual)) << messages << print();
    ASSERT_TRUE(llvm::cantFail(compare(expected->front(), actual->front()))
                    .allBitEqual())
        << print();
    bool left = false, copies = false;
    function.walk([&](Operation *op) {
      left |= isa<TensorAccessDialect>(op->getDialect());
      copies |= isa<MaterializeOp>(op);
    });
    ASSERT_TRUE(!left || copies) << print();
    constants += !left;
  }
  EXPECT_GT(constants, 150u);
}

} // namespace
