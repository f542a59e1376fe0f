//===- RelayoutTest.cpp - Relayouts in memory, compiled -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The law of relayouts in materializeLayouts: for any two layouts, permutation,
// reshape and conversion, the physical tensor that comes out holds at L(x) what
// the reference kernel gives for x, and zero everywhere else; whatever the
// padding of the physical tensor that goes in holds.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A relayout and what goes in.
struct Case {
  RankedTensorType source, result;
  SmallVector<int64_t> permutation;
  /// Logical.
  Tensor input, expected;
};

class Relayout : public ::testing::TestWithParam<RelayoutWay> {
protected:
  static void SetUpTestSuite() {
    DialectRegistry registry;
    registerEverything(registry);
    context = new MLIRContext(registry);
    context->loadAllAvailableDialects();
  }
  static void TearDownTestSuite() {
    delete context;
    context = nullptr;
  }

  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  }

  Layout randomLayout(int64_t rank) {
    Layout layout = Layout::rowMajor(rank);
    if (pick(0, 1))
      std::shuffle(layout.minorToMajor.begin(), layout.minorToMajor.end(),
                   random);
    const int64_t sizes[] = {1, 2, 2, 3, 4, 4, 8, 16};
    for (int64_t n = pick(0, 3); n > 0; --n) {
      Tile tile;
      for (int64_t k = pick(1, rank + 1); k > 0; --k)
        tile.push_back(k > 1 && pick(0, 4) == 0 ? TileEntry::combine()
                                                : TileEntry(sizes[pick(0, 7)]));
      layout.tiles.push_back(tile);
    }
    if (pick(0, 5) == 0)
      layout.tailAlignment = pick(1, 7);
    return layout;
  }

  RankedTensorType withLayout(ArrayRef<int64_t> shape, Type element) {
    if (pick(0, 3) == 0)
      return RankedTensorType::get(shape, element);
    return RankedTensorType::get(
        shape, element, LayoutAttr::get(context, randomLayout(shape.size())));
  }

  Type randomType(bool isFloat) {
    Builder b(context);
    Type floats[] = {b.getF32Type(), b.getF32Type(), b.getBF16Type(),
                     b.getF16Type(), b.getF64Type()};
    Type integers[] = {b.getI8Type(), b.getI16Type(), b.getI32Type(),
                       b.getI64Type(), b.getI1Type()};
    return isFloat ? floats[pick(0, 4)] : integers[pick(0, 4)];
  }

  Case randomCase(uint64_t seed) {
    Case c;
    SmallVector<int64_t> shape, transposed;
    for (int64_t rank = pick(0, 4); rank > 0; --rank)
      shape.push_back(pick(0, 30) == 0 ? 0 : pick(1, 9));
    c.permutation = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    if (pick(0, 1))
      std::shuffle(c.permutation.begin(), c.permutation.end(), random);
    for (int64_t dim : c.permutation)
      transposed.push_back(shape[dim]);
    if (pick(0, 3) == 0) {
      // Merge two dimensions, or all; or divide one.
      if (transposed.size() > 1 && pick(0, 1)) {
        transposed[1] *= transposed[0];
        transposed.erase(transposed.begin());
      } else if (!transposed.empty() && transposed[0] % 2 == 0 &&
                 transposed[0] > 0) {
        transposed[0] /= 2;
        transposed.insert(transposed.begin(), 2);
      } else {
        transposed = {*elementCount(shape)};
      }
    }
    bool isFloat = pick(0, 1);
    Type before = randomType(isFloat);
    Type after = pick(0, 1) ? before : randomType(isFloat);
    c.source = withLayout(shape, before);
    c.result = withLayout(transposed, after);
    c.input =
        llvm::cantFail(Tensor::random(*getElementTypeOf(before), shape, seed));
    c.expected = llvm::cantFail(kernels::relayout(
        c.input, c.permutation, transposed, *getElementTypeOf(after)));
    return c;
  }

  RankedTensorType getPhysical(RankedTensorType type) {
    auto physical = getPhysicalType(
        type, [&] { return emitError(UnknownLoc::get(context)); });
    EXPECT_TRUE(succeeded(physical));
    return *physical;
  }

  /// A logical tensor in memory; padding holds `fill`.
  Tensor toPhysical(const Tensor &logical, RankedTensorType type, double fill) {
    RankedTensorType physical = getPhysical(type);
    Tensor memory = llvm::cantFail(
        Tensor::create(logical.getElementType(), {physical.getNumElements()}));
    fillElements(memory, Tensor::scalar(logical.getElementType(), fill));
    Layout layout = *getLayoutOf(type);
    SmallVector<int64_t> index(type.getRank(), 0);
    for (int64_t i = 0, e = logical.getNumElements(); i < e; ++i) {
      std::memcpy(memory.getElement({*layout.linearize(index)}),
                  logical.getElement(index),
                  byteSize(logical.getElementType()));
      for (int64_t d = type.getRank(); d-- > 0;) {
        if (++index[d] < type.getDimSize(d))
          break;
        index[d] = 0;
      }
    }
    return llvm::cantFail(memory.reshape(physical.getShape()));
  }

  /// One function that does all cases.
  void check(ArrayRef<Case> cases) {
    std::string messages;
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
    Location loc = UnknownLoc::get(context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    OpBuilder b = OpBuilder::atBlockBegin(module->getBody());
    SmallVector<Type> arguments, results;
    SmallVector<Tensor> inputs;
    for (const Case &c : cases) {
      arguments.push_back(c.source);
      results.push_back(c.result);
      // Where nothing moves, padding stays as it is.
      auto asFloats = [&](RankedTensorType type) {
        return RankedTensorType::get(type.getShape(), b.getF32Type(),
                                     type.getEncoding());
      };
      bool moves =
          !*movesNothing(asFloats(c.source), asFloats(c.result), c.permutation);
      inputs.push_back(toPhysical(c.input, c.source, moves ? 7 : 0));
    }
    auto function = func::FuncOp::create(b, loc, "main",
                                         b.getFunctionType(arguments, results));
    b.setInsertionPointToStart(function.addEntryBlock());
    SmallVector<Value> values;
    for (auto [i, c] : llvm::enumerate(cases))
      values.push_back(
          RelayoutOp::create(b, loc, c.result, function.getArgument(i),
                             b.getDenseI64ArrayAttr(c.permutation)));
    func::ReturnOp::create(b, loc, values);
    ASSERT_TRUE(succeeded(verify(*module))) << messages;
    ASSERT_TRUE(succeeded(materializeLayouts(*module, GetParam()))) << messages;
    for (auto [type, c] : llvm::zip_equal(function.getResultTypes(), cases))
      EXPECT_EQ(type, getPhysical(c.result));
    ASSERT_TRUE(succeeded(verify(*module))) << messages;
    FailureOr<CompiledFunction> compiled =
        CompiledFunction::compile(*module, "main");
    ASSERT_TRUE(succeeded(compiled)) << messages;
    llvm::Expected<SmallVector<Tensor>> outputs = compiled->call(inputs);
    ASSERT_TRUE(static_cast<bool>(outputs))
        << llvm::toString(outputs.takeError());
    for (auto [c, output] : llvm::zip_equal(cases, *outputs)) {
      Tensor wanted = toPhysical(c.expected, c.result, /*fill=*/0);
      Comparison found = llvm::cantFail(compare(output, wanted));
      std::string text;
      llvm::raw_string_ostream os(text);
      os << c.source << " to " << c.result << " permutation ";
      llvm::interleaveComma(c.permutation, os);
      EXPECT_TRUE(found.allBitEqual()) << text;
    }
  }

  static MLIRContext *context;
  std::mt19937 random{20260607};
};

MLIRContext *Relayout::context = nullptr;

TEST_P(Relayout, AnyToAny) {
  for (int batch = 0; batch < 12; ++batch) {
    SCOPED_TRACE(batch);
    std::vector<Case> cases;
    for (int i = 0; i < 10; ++i)
      cases.push_back(randomCase(100 * batch + i));
    check(cases);
  }
}

// Layouts of real machines, with borders.
TEST_P(Relayout, OfMachines) {
  Builder b(context);
  auto tiled = [&](ArrayRef<int64_t> shape, Type type, StringRef text) {
    ParseError error;
    auto layout = Layout::parse(text, error);
    EXPECT_TRUE(layout) << error.message;
    return RankedTensorType::get(shape, type,
                                 LayoutAttr::get(context, *layout));
  };
  auto plain = [&](ArrayRef<int64_t> shape, Type type) {
    return RankedTensorType::get(shape, type);
  };
  Type f32 = b.getF32Type(), bf16 = b.getBF16Type(), i8 = b.getI8Type();
  std::pair<RankedTensorType, RankedTensorType> types[] = {
      {plain({19, 140}, f32), tiled({19, 140}, f32, "{1,0:T(8,128)}")},
      {tiled({19, 140}, f32, "{1,0:T(8,128)}"), plain({19, 140}, f32)},
      {plain({19, 140}, f32), tiled({19, 140}, bf16, "{1,0:T(8,128)(2,1)}")},
      {tiled({16, 256}, bf16, "{1,0:T(8,128)(2,1)}"), plain({16, 256}, bf16)},
      {tiled({16, 256}, bf16, "{1,0:T(8,128)(2,1)}"),
       tiled({16, 256}, f32, "{0,1:T(4,4)}")},
      {plain({3, 5, 7}, i8), tiled({3, 5, 7}, i8, "{2,1,0:T(8,128)(4,1)}")},
      {plain({37, 41}, f32), tiled({37, 41}, f32, "{0,1}")},
      {tiled({2, 7, 8, 11, 10}, f32, "{4,3,2,1,0:T(*,*,2,*,3)}"),
       plain({112, 110}, f32)},
  };
  std::vector<Case> cases;
  for (auto [source, result] : types) {
    Case c;
    c.source = source;
    c.result = result;
    c.permutation = llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
    c.input = llvm::cantFail(
        Tensor::random(*getElementTypeOf(source.getElementType()),
                       source.getShape(), cases.size()));
    c.expected = llvm::cantFail(
        kernels::relayout(c.input, c.permutation, result.getShape(),
                          *getElementTypeOf(result.getElementType())));
    cases.push_back(c);
  }
  check(cases);
}

INSTANTIATE_TEST_SUITE_P(Ways, Relayout,
                         ::testing::Values(RelayoutWay::Steps,
                                           RelayoutWay::Pack),
                         [](const auto &way) {
                           return way.param == RelayoutWay::Steps ? "Steps"
                                                                  : "Pack";
                         });

} // namespace
