//===- JitTest.cpp - Tests of compiled functions --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>
#include <vector>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Compiles programs given as text, and keeps what was diagnosed.
class Jit : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    DialectRegistry registry;
    registerEverything(registry);
    context = new MLIRContext(registry);
    context->allowUnregisteredDialects();
  }
  static void TearDownTestSuite() {
    delete context;
    context = nullptr;
  }

  FailureOr<CompiledFunction> compile(StringRef text,
                                      StringRef entry = "main") {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(context));
    if (!module)
      return failure();
    return CompiledFunction::compile(*module, entry);
  }

  /// Runs @main of a program that is expected to compile and to run.
  SmallVector<Tensor> run(StringRef text, ArrayRef<Tensor> inputs) {
    FailureOr<CompiledFunction> compiled = compile(text);
    EXPECT_TRUE(succeeded(compiled)) << messages;
    if (failed(compiled))
      return {};
    llvm::Expected<SmallVector<Tensor>> results = compiled->call(inputs);
    if (results)
      return std::move(*results);
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }

  static Tensor random(ElementType type, ArrayRef<int64_t> shape,
                       uint64_t stream = 0) {
    return llvm::cantFail(Tensor::random(type, shape, /*seed=*/11, stream));
  }

  static MLIRContext *context;
  std::string messages;
};
MLIRContext *Jit::context = nullptr;

/// True where two tensors have the same bits.
bool same(const Tensor &a, const Tensor &b) {
  return llvm::cantFail(compare(a, b)).allBitEqual();
}

// What runs by default is tensoraccess-cpu: only how code is called differs.
TEST_F(Jit, LowersByThePipelineForCpus) {
  JitOptions jit;
  EXPECT_TRUE(jit.packWeights);
  EXPECT_FALSE(jit.assertHandler.empty());
  jit.packWeights = false;
  jit.assertHandler = "";
  PassManager expected(context), actual(context);
  buildCpuPipeline(expected, CpuOptions());
  buildCpuPipeline(actual, jit);
  std::string expectedText, actualText;
  llvm::raw_string_ostream expectedOs(expectedText), actualOs(actualText);
  expected.printAsTextualPipeline(expectedOs);
  actual.printAsTextualPipeline(actualOs);
  EXPECT_EQ(actualText, expectedText);
}

// Tensors of every element type go in and come out unchanged in bits; the
// result is a buffer of its own, not the input's.
TEST_F(Jit, EveryElementType) {
  std::pair<const char *, ElementType> types[] = {
      {"i1", ElementType::I1},   {"i8", ElementType::I8},
      {"i16", ElementType::I16}, {"i32", ElementType::I32},
      {"i64", ElementType::I64}, {"index", ElementType::I64},
      {"f16", ElementType::F16}, {"bf16", ElementType::BF16},
      {"f32", ElementType::F32}, {"f64", ElementType::F64}};
  for (auto [name, type] : types) {
    std::string tensor = std::string("tensor<3x5x") + name + ">";
    Tensor input = random(type, {3, 5});
    auto results = run("func.func @main(%x: " + tensor + ") -> " + tensor +
                           " { return %x : " + tensor + " }",
                       {input});
    ASSERT_EQ(results.size(), 1u) << name;
    EXPECT_TRUE(same(results[0], input)) << name;
    EXPECT_NE(results[0].getData(), input.getData()) << name;
  }
}

// Scalars of every element type, several at once and beside a tensor, so that
// the layout of the results is told apart.
TEST_F(Jit, ScalarsAndTensorsTogether) {
  auto results = run(R"(
    func.func @main(%a: i1, %b: f16, %c: i8, %x: tensor<2x3xf64>, %d: f64,
                    %e: index, %f: bf16)
        -> (bf16, i1, tensor<2x3xf64>, i8, f64, f16, index) {
      return %f, %a, %x, %c, %d, %b, %e
          : bf16, i1, tensor<2x3xf64>, i8, f64, f16, index
    })",
                     {Tensor::scalarInt(ElementType::I1, 1),
                      Tensor::scalar(ElementType::F16, 1.5),
                      Tensor::scalarInt(ElementType::I8, -7),
                      random(ElementType::F64, {2, 3}),
                      Tensor::scalar(ElementType::F64, 0.1),
                      Tensor::scalarInt(ElementType::I64, -(1ll << 40)),
                      Tensor::scalar(ElementType::BF16, -2.5)});
  ASSERT_EQ(results.size(), 7u);
  EXPECT_EQ(results[0].getDouble({}), -2.5);
  EXPECT_EQ(results[1].getInt({}), 1);
  EXPECT_TRUE(same(results[2], random(ElementType::F64, {2, 3})));
  EXPECT_EQ(results[3].getInt({}), -7);
  EXPECT_EQ(results[4].getDouble({}), 0.1);
  EXPECT_EQ(results[5].getDouble({}), 1.5);
  EXPECT_EQ(results[6].getInt({}), -(1ll << 40));
}

// A single scalar is returned by value, not in a struct.
TEST_F(Jit, SingleScalarResult) {
  auto results = run("func.func @main(%a: f32, %b: f32) -> f32 {"
                     "  %0 = arith.subf %a, %b : f32 return %0 : f32 }",
                     {Tensor::scalar(ElementType::F32, 3),
                      Tensor::scalar(ElementType::F32, 0.5)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].getDouble({}), 2.5);
}

// A function may have no results and no inputs.
TEST_F(Jit, NothingInNothingOut) {
  EXPECT_TRUE(run("func.func @main() { return }", {}).empty());
}

// Dynamic sizes take any size and the result tells its own.
TEST_F(Jit, DynamicSizes) {
  const char *text = R"(
    func.func @main(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
      %0 = arith.addf %x, %x : tensor<?x5xf32>
      return %0 : tensor<?x5xf32>
    })";
  for (int64_t rows : {0, 1, 7}) {
    Tensor input = random(ElementType::F32, {rows, 5});
    auto results = run(text, {input});
    ASSERT_EQ(results.size(), 1u);
    ASSERT_EQ(results[0].getShape(), input.getShape());
    for (int64_t i = 0; i < rows; ++i)
      EXPECT_EQ(results[0].getDouble({i, 3}), 2 * input.getDouble({i, 3}));
  }
}

// Inputs are never written to, though the program updates one in place.
TEST_F(Jit, InputsAreNotWritten) {
  Tensor input = random(ElementType::F32, {3, 5});
  Tensor before = llvm::cantFail(input.clone());
  auto results = run(R"(
    func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %c1 = arith.constant 1 : index
      %f = arith.constant 42.0 : f32
      %0 = tensor.insert %f into %x[%c1, %c1] : tensor<3x5xf32>
      return %0 : tensor<3x5xf32>
    })",
                     {input});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(same(input, before));
  EXPECT_EQ(results[0].getDouble({1, 1}), 42);
  EXPECT_EQ(results[0].getDouble({2, 4}), input.getDouble({2, 4}));
}

// A dense input is read where it lies; one with gaps or another order is
// packed. Both give the same.
TEST_F(Jit, StridedInputsArePacked) {
  const char *text = R"(
    func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %0 = arith.mulf %x, %x : tensor<3x5xf32>
      return %0 : tensor<3x5xf32>
    })";
  Tensor wide = random(ElementType::F32, {5, 6});
  Tensor view = wide.transpose({1, 0}).slice({0, 0}, {3, 5}, {2, 1});
  ASSERT_FALSE(view.isDense());
  auto results = run(text, {view});
  ASSERT_EQ(results.size(), 1u);
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j) {
      float x = view.getDouble({i, j});
      EXPECT_EQ(results[0].getDouble({i, j}), x * x);
    }
}

// The same value returned twice, a constant returned, an input returned, a part
// of a buffer returned: each result can be freed by itself.
TEST_F(Jit, EveryResultIsABufferOfItsOwn) {
  Tensor input = random(ElementType::F32, {3, 5});
  auto results = run(R"(
    func.func @main(%x: tensor<3x5xf32>)
        -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<2xi32>, tensor<2xi32>,
            tensor<3x5xf32>, tensor<2x3xf32>) {
      %0 = arith.addf %x, %x : tensor<3x5xf32>
      %c = arith.constant dense<[4, 9]> : tensor<2xi32>
      %1 = tensor.extract_slice %0[1, 2] [2, 3] [1, 1]
         : tensor<3x5xf32> to tensor<2x3xf32>
      return %0, %0, %c, %c, %x, %1
          : tensor<3x5xf32>, tensor<3x5xf32>, tensor<2xi32>, tensor<2xi32>,
            tensor<3x5xf32>, tensor<2x3xf32>
    })",
                     {input});
  ASSERT_EQ(results.size(), 6u);
  EXPECT_TRUE(same(results[0], results[1]));
  EXPECT_NE(results[0].getData(), results[1].getData());
  EXPECT_EQ(results[2].getInt({0}), 4);
  EXPECT_EQ(results[3].getInt({1}), 9);
  results[2].setInt({0}, 5);
  EXPECT_EQ(results[3].getInt({0}), 4);
  EXPECT_TRUE(same(results[4], input));
  EXPECT_NE(results[4].getData(), input.getData());
  EXPECT_EQ(results[5].getShape(), ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(results[5].getDouble({1, 2}), results[0].getDouble({2, 4}));
}

// A memref argument is passed as it lies, and written to.
TEST_F(Jit, MemRefArguments) {
  const char *text = R"(
    func.func @main(%m: memref<3xf32>, %f: f32) {
      %c2 = arith.constant 2 : index
      memref.store %f, %m[%c2] : memref<3xf32>
      return
    })";
  Tensor buffer = random(ElementType::F32, {3});
  Tensor value = Tensor::scalar(ElementType::F32, 8);
  EXPECT_TRUE(run(text, {buffer, value}).empty());
  EXPECT_EQ(buffer.getDouble({2}), 8);

  FailureOr<CompiledFunction> compiled = compile(text);
  ASSERT_TRUE(succeeded(compiled));
  Tensor gaps = random(ElementType::F32, {6}).slice({0}, {3}, {2});
  auto result = compiled->call({gaps, value});
  EXPECT_EQ(llvm::toString(result.takeError()),
            "input 0 is not dense, but a memref is passed as it is");
}

// Calls are followed, to any depth; functions that are not called need not be
// lowerable, and names that C has taken do no harm.
TEST_F(Jit, CallsAndUnrelatedFunctions) {
  auto results = run(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @malloc(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @malloc(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @free(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @free(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = arith.negf %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @unrelated(%x: tensor<4xf32>) {
      "nobody.knows"(%x) : (tensor<4xf32>) -> ()
      return
    })",
                     {random(ElementType::F32, {4})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].getDouble({1}),
            -random(ElementType::F32, {4}).getDouble({1}));
}

// Two compilations in one context, and calls after the module is gone.
TEST_F(Jit, OutlivesItsModule) {
  auto first = compile("func.func @main(%x: f32) -> f32 {"
                       "  %0 = arith.addf %x, %x : f32 return %0 : f32 }");
  auto second = compile("func.func @main(%x: f32) -> f32 {"
                        "  %0 = arith.mulf %x, %x : f32 return %0 : f32 }");
  ASSERT_TRUE(succeeded(first) && succeeded(second));
  Tensor three = Tensor::scalar(ElementType::F32, 3);
  EXPECT_EQ(llvm::cantFail(first->call(three))[0].getDouble({}), 6);
  EXPECT_EQ(llvm::cantFail(second->call(three))[0].getDouble({}), 9);
  CompiledFunction moved = std::move(*first);
  EXPECT_EQ(llvm::cantFail(moved.call(three))[0].getDouble({}), 6);
}

// Calls from several threads at once do not disturb one another.
TEST_F(Jit, Threads) {
  FailureOr<CompiledFunction> compiled = compile(R"(
    func.func @main(%x: tensor<64x7xf32>) -> tensor<64x7xf32> {
      %0 = arith.addf %x, %x : tensor<64x7xf32>
      %1 = arith.mulf %0, %x : tensor<64x7xf32>
      return %1 : tensor<64x7xf32>
    })");
  ASSERT_TRUE(succeeded(compiled)) << messages;
  std::atomic<int64_t> wrong{0};
  std::vector<std::thread> threads;
  for (uint64_t stream = 0; stream < 4; ++stream)
    threads.emplace_back([&, stream] {
      Tensor input = random(ElementType::F32, {64, 7}, stream);
      for (int64_t i = 0; i < 50; ++i) {
        auto results = llvm::cantFail(compiled->call(input));
        float x = input.getDouble({i, 3});
        wrong += results[0].getDouble({i, 3}) != (x + x) * x;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

// What is wrong with the inputs is said with position and values.
TEST_F(Jit, WrongInputs) {
  FailureOr<CompiledFunction> compiled =
      compile("func.func @main(%s: f32, %x: tensor<3x7xf32>,"
              "  %y: tensor<?x7xf32>) { return }");
  ASSERT_TRUE(succeeded(compiled)) << messages;
  Tensor s = Tensor::scalar(ElementType::F32, 0);
  Tensor good = random(ElementType::F32, {3, 7});
  auto message = [&](ArrayRef<Tensor> inputs) {
    auto results = compiled->call(inputs);
    return results ? std::string("ran") : llvm::toString(results.takeError());
  };
  EXPECT_EQ(message({s, good, good}), "ran");
  EXPECT_EQ(message({s, good}), "expected 3 inputs, got 2");
  EXPECT_EQ(message({s, random(ElementType::F32, {3, 5}), good}),
            "input 1 has shape 3x5, expected 3x7");
  EXPECT_EQ(message({s, random(ElementType::F32, {3, 7, 1}), good}),
            "input 1 has shape 3x7x1, expected 3x7");
  EXPECT_EQ(message({s, good, random(ElementType::F32, {4, 5})}),
            "input 2 has shape 4x5, expected ?x7");
  EXPECT_EQ(message({good, good, good}),
            "input 0 has shape 3x7, expected no dimensions");
  EXPECT_EQ(message({s, s, good}), "input 1 has no dimensions, expected 3x7");
  EXPECT_EQ(message({s, random(ElementType::F64, {3, 7}), good}),
            "input 1 has element type f64, expected f32");
}

// What cannot be compiled is refused by name, with the reason.
TEST_F(Jit, Refusals) {
  auto message = [&](StringRef text, StringRef entry = "main") {
    messages.clear();
    EXPECT_TRUE(failed(compile(text, entry)));
    return messages;
  };
  EXPECT_EQ(message("func.func @a() { return } func.func private @b()"),
            "there is no function 'main' with a body; known are a\n");
  EXPECT_EQ(message("func.func private @main()"),
            "there is no function with a body\n");
  EXPECT_EQ(message("func.func @main() { call @f() : () -> () return }"
                    "func.func @f() { \"no.op\"() : () -> () return }"),
            "'no.op' is of a dialect that is not known here, so it cannot be "
            "compiled\n");
  EXPECT_EQ(
      message("func.func @main(%f: f32, "
              "%x: !tensoraccess.access<3 | 5xf32>) { return }"),
      "argument 1 of 'main' has type '!tensoraccess.access<3 | 5xf32>': it "
      "is an access pattern, which has no form in memory; pass the "
      "tensor and use tensoraccess.access inside the function\n");
  EXPECT_EQ(message("func.func @main(%x: tensor<*xf32>) { return }"),
            "argument 0 of 'main' has type 'tensor<*xf32>': it is of unknown "
            "rank\n");
  EXPECT_EQ(
      message("func.func @main(%x: tensor<3xi65>) { return }"),
      "argument 0 of 'main' has type 'tensor<3xi65>': it is of an element "
      "type that cannot be passed\n");
  EXPECT_EQ(message("func.func @main(%x: tensor<3xf32, 1 : i32>) { return }"),
            "argument 0 of 'main' has type 'tensor<3xf32, 1 : i32>': it is a "
            "tensor with an encoding that is not a layout\n");
  EXPECT_EQ(message("func.func @main(%x: tensor<?xf32, "
                    "#tensoraccess.layout<{0:T(4)}>>) { return }"),
            "argument 0 of 'main' has type 'tensor<?xf32, "
            "#tensoraccess.layout<{0:T(4)}>>': it is a tensor of dynamic size "
            "with a layout; materialize it first\n");
  EXPECT_EQ(message("func.func @main(%x: vector<3xf32>) { return }"),
            "argument 0 of 'main' has type 'vector<3xf32>': it is neither a "
            "scalar, a tensor nor a memref\n");
  EXPECT_EQ(message("func.func @main(%x: memref<3xf32, 1>) { return }"),
            "argument 0 of 'main' has type 'memref<3xf32, 1>': it is a memref "
            "with a layout or memory space of its own\n");
  EXPECT_EQ(message("func.func @main() -> tensor<2xcomplex<f32>> {"
                    "  %0 = tensor.empty() : tensor<2xcomplex<f32>>"
                    "  return %0 : tensor<2xcomplex<f32>> }"),
            "result 0 of 'main' has type 'tensor<2xcomplex<f32>>': it is of an "
            "element type that cannot be passed\n");
}

} // namespace
