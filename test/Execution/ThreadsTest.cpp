//===- ThreadsTest.cpp - Everything at once in several threads ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts share nothing: programs of several are read, rewritten, analysed,
// compiled, interpreted and called at the same time, and give what they give
// one after another. So do programs of one context, but for compiling, which
// takes turns, and calls of one program. The preset `tsan` runs it under the
// thread sanitizer.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"
#include <mutex>
#include <thread>
#include <vector>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr StringLiteral kProgram = R"(
  func.func @main(%a: tensor<1x9x7x5xf32>, %b: tensor<3x3x5x6xf32>)
      -> tensor<1x7x5x6xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x7x5x6xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x5x6xf32>)
        -> tensor<1x7x5x6xf32>
    %0 = linalg.conv_2d_nhwc_hwcf
        ins(%a, %b : tensor<1x9x7x5xf32>, tensor<3x3x5x6xf32>)
        outs(%init : tensor<1x7x5x6xf32>) -> tensor<1x7x5x6xf32>
    %1 = arith.mulf %0, %0 : tensor<1x7x5x6xf32>
    return %1 : tensor<1x7x5x6xf32>
  })";

constexpr StringLiteral kPasses[] = {
    "tensoraccess-raise,tensoraccess-discover-im2col",
    "tensoraccess-annotate-indexing,tensoraccess-report",
    "tensoraccess-raise,tensoraccess-saturate{rules=access},canonicalize",
    "tensoraccess-assign-layouts,tensoraccess-materialize-layouts",
};

constexpr size_t kThreads = 3;

SmallVector<Tensor> makeInputs(uint64_t seed) {
  auto make = [&](ArrayRef<int64_t> shape, uint64_t stream) {
    return llvm::cantFail(
        Tensor::random(ElementType::F32, shape, seed, stream));
  };
  return {make({1, 9, 7, 5}, 0), make({3, 3, 5, 6}, 1)};
}

/// Text of some elements of the result of both engines.
std::string run(func::FuncOp entry, const CompiledFunction &compiled,
                uint64_t seed) {
  SmallVector<Tensor> inputs = makeInputs(seed);
  FailureOr<SmallVector<Tensor>> expected = interpret(entry, inputs);
  if (failed(expected))
    return "not interpreted";
  Tensor actual = llvm::cantFail(compiled.call(inputs))[0];
  EXPECT_TRUE(llvm::cantFail(compare(actual, (*expected)[0])).allBitEqual());
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t c = 0; c < 6; ++c)
    os << actual.getDouble({0, 6, 4, c}) << ' ';
  return text;
}

/// Text of the program after each list of passes, and of its result. Programs
/// of one context take turns to be compiled.
std::string work(MLIRContext &context, std::mutex &turns, uint64_t seed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (StringRef passes : kPasses) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kProgram, ParserConfig(&context));
    FailureOr<OpPassManager> pipeline =
        parsePassPipeline(("builtin.module(" + passes + ")").str());
    EXPECT_TRUE(module && succeeded(pipeline)) << passes.str();
    PassManager manager(&context);
    static_cast<OpPassManager &>(manager) = *pipeline;
    EXPECT_TRUE(succeeded(manager.run(*module))) << passes.str();
    module->print(os);

    FailureOr<CompiledFunction> compiled = [&] {
      std::lock_guard<std::mutex> lock(turns);
      return CompiledFunction::compile(*module, "main");
    }();
    EXPECT_TRUE(succeeded(compiled)) << passes.str();
    if (succeeded(compiled))
      os << run(*findEntry(*module, "main"), *compiled, seed);
  }
  return text;
}

/// Does something for each seed, one after another and at the same time.
void expectSame(llvm::function_ref<std::string(uint64_t)> work) {
  std::vector<std::string> alone, together(kThreads);
  for (size_t i = 0; i < kThreads; ++i)
    alone.push_back(work(i));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { together[i] = work(i); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(together, alone);
}

DialectRegistry makeRegistry() {
  static std::once_flag once;
  std::call_once(once, registerAllPassesAndPipelines);
  DialectRegistry registry;
  registerEverything(registry);
  return registry;
}

TEST(Threads, ContextsShareNothing) {
  DialectRegistry registry = makeRegistry();
  expectSame([&](uint64_t seed) {
    MLIRContext context(registry);
    std::mutex alone;
    return work(context, alone, seed);
  });
}

TEST(Threads, ModulesOfOneContext) {
  MLIRContext context(makeRegistry());
  std::mutex turns;
  expectSame([&](uint64_t seed) { return work(context, turns, seed); });
}

TEST(Threads, CallsOfOneProgram) {
  MLIRContext context(makeRegistry());
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kProgram, ParserConfig(&context));
  FailureOr<CompiledFunction> compiled =
      CompiledFunction::compile(*module, "main");
  ASSERT_TRUE(succeeded(compiled));
  expectSame([&](uint64_t seed) {
    std::string text;
    for (uint64_t i = 0; i < 5; ++i)
      text += run(*findEntry(*module, "main"), *compiled, 10 * seed + i);
    return text;
  });
}

} // namespace
