//===- ThreadsTest.cpp - Everything at once in several contexts -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts share nothing: programs of several are read, rewritten, analysed,
// compiled, interpreted and called at the same time, and give what they give
// one after another. The preset `tsan` runs it under the thread sanitizer.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Pipelines/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"
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

/// Text of the result of every engine, with the program after each list of
/// passes.
std::string work(const DialectRegistry &registry, uint64_t seed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  MLIRContext context(registry);
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

    Tensor inputs[] = {
        llvm::cantFail(Tensor::random(ElementType::F32, {1, 9, 7, 5}, seed, 0)),
        llvm::cantFail(
            Tensor::random(ElementType::F32, {3, 3, 5, 6}, seed, 1))};
    func::FuncOp entry = *findEntry(*module, "main");
    FailureOr<SmallVector<Tensor>> expected = interpret(entry, inputs);
    FailureOr<CompiledFunction> compiled =
        CompiledFunction::compile(*module, "main");
    EXPECT_TRUE(succeeded(expected) && succeeded(compiled)) << passes.str();
    if (failed(expected) || failed(compiled))
      continue;
    Tensor actual = llvm::cantFail(compiled->call(inputs))[0];
    EXPECT_TRUE(llvm::cantFail(compare(actual, (*expected)[0])).allBitEqual());
    for (int64_t c = 0; c < 6; ++c)
      os << actual.getDouble({0, 6, 4, c}) << ' ';
  }
  return text;
}

TEST(Threads, ContextsShareNothing) {
  registerAllPassesAndPipelines();
  DialectRegistry registry;
  registerEverything(registry);
  constexpr size_t kThreads = 3;
  std::vector<std::string> alone, together(kThreads);
  for (size_t i = 0; i < kThreads; ++i)
    alone.push_back(work(registry, i));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { together[i] = work(registry, i); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(together, alone);
}

} // namespace
