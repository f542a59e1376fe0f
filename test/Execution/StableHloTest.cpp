//===- StableHloTest.cpp - Programs of JAX, run in every way --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/stablehlo-programs.mlir holds programs as JAX lowers them, with inputs
// and with the results that XLA computed. The interpreter and compiled code
// must agree with those, before and after raising; pure movement, integers and
// booleans exactly, floats within a few roundings.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using Tensors = SmallVector<Tensor>;

class StableHlo : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    DialectRegistry registry;
    registerEverything(registry);
    context = new MLIRContext(registry);
    context->allowUnregisteredDialects();
    context->loadAllAvailableDialects();
    auto file = llvm::MemoryBuffer::getFile(TENSORACCESS_STABLEHLO_PROGRAMS);
    if (file)
      text = new std::string((*file)->getBuffer());
  }
  static void TearDownTestSuite() {
    delete context;
    delete text;
  }

  /// Calls `fn` with each program of the file, its inputs and results.
  void forEachProgram(
      llvm::function_ref<void(ModuleOp, const Tensors &, const Tensors &)> fn) {
    ASSERT_NE(text, nullptr);
    SmallVector<StringRef> parts;
    StringRef(*text).split(parts, "// -----\n");
    ASSERT_GE(parts.size(), 40u);
    for (StringRef part : parts) {
      ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
        messages += diagnostic.str() + "\n";
        return success();
      });
      messages.clear();
      OwningOpRef<ModuleOp> module =
          parseSourceString<ModuleOp>(part, ParserConfig(context));
      ASSERT_TRUE(module) << messages;
      SCOPED_TRACE(module->getName().value_or("").str());
      FailureOr<Tensors> inputs = interpret(*module, "inputs", {});
      FailureOr<Tensors> results = interpret(*module, "results", {});
      ASSERT_TRUE(succeeded(inputs) && succeeded(results)) << messages;
      hasSums = addsUp(*module);
      fn(*module, *inputs, *results);
    }
  }

  Tensors runInterpreter(ModuleOp module, const Tensors &inputs) {
    FailureOr<Tensors> results = interpret(module, "main", inputs);
    if (succeeded(results))
      return std::move(*results);
    ADD_FAILURE() << messages;
    return {};
  }

  Tensors runCompiled(ModuleOp module, const Tensors &inputs) {
    FailureOr<CompiledFunction> compiled =
        CompiledFunction::compile(module, "main");
    if (failed(compiled)) {
      ADD_FAILURE() << messages;
      return {};
    }
    llvm::Expected<Tensors> results = compiled->call(inputs);
    if (results)
      return std::move(*results);
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }

  /// True where the program has an op that may add up any number of floats.
  static bool addsUp(ModuleOp module) {
    return module
        .walk([](Operation *op) {
          StringRef name = op->getName().stripDialect();
          return llvm::is_contained<StringRef>(
                     {"dot", "dot_general", "convolution", "reduce",
                      "reduce_window", "scatter", "while"},
                     name)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Equal, or for floats within 4 ulps, of which XLA's functions have 3; where
  /// there are sums, within some roundings of the largest magnitude.
  void expectClose(const Tensors &got, const Tensors &wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (auto [i, a, b] : llvm::enumerate(got, wanted)) {
      SCOPED_TRACE("result " + std::to_string(i));
      llvm::Expected<Comparison> difference = compare(a, b);
      ASSERT_TRUE(bool(difference)) << llvm::toString(difference.takeError());
      EXPECT_EQ(difference->nanMismatches, 0);
      if (!hasSums) {
        double ulp = a.getElementType() == ElementType::F32 ? 0x1p-23 : 0;
        EXPECT_LE(difference->maxRel, 4 * ulp)
            << "off by " << difference->maxAbs;
        continue;
      }
      double unit = a.getElementType() == ElementType::F16   ? 1e-3
                    : a.getElementType() == ElementType::F32 ? 2e-6
                                                             : 0;
      EXPECT_LE(std::min(difference->maxAbs, difference->maxRel), 8 * unit)
          << "off by " << difference->maxAbs;
    }
  }

  static void raise(ModuleOp module) {
    RaiseSummary summary = raiseAllToAccess(module);
    raised += summary[RaisedKind::Contraction] +
              summary[RaisedKind::Convolution] + summary[RaisedKind::Movement];
    ASSERT_TRUE(succeeded(verify(module)));
  }

  static MLIRContext *context;
  static std::string *text;
  static int64_t raised;
  std::string messages;
  bool hasSums = false;
};

MLIRContext *StableHlo::context = nullptr;
std::string *StableHlo::text = nullptr;
int64_t StableHlo::raised = 0;

TEST_F(StableHlo, interpreter_agrees_with_xla) {
  forEachProgram(
      [&](ModuleOp module, const Tensors &inputs, const Tensors &results) {
        expectClose(runInterpreter(module, inputs), results);
      });
}

TEST_F(StableHlo, compiled_code_agrees_with_xla) {
  forEachProgram(
      [&](ModuleOp module, const Tensors &inputs, const Tensors &results) {
        expectClose(runCompiled(module, inputs), results);
      });
}

TEST_F(StableHlo, raising_keeps_what_is_interpreted) {
  raised = 0;
  forEachProgram(
      [&](ModuleOp module, const Tensors &inputs, const Tensors &results) {
        raise(module);
        expectClose(runInterpreter(module, inputs), results);
      });
  EXPECT_GE(raised, 60);
}

TEST_F(StableHlo, raised_programs_compile) {
  forEachProgram(
      [&](ModuleOp module, const Tensors &inputs, const Tensors &results) {
        raise(module);
        expectClose(runCompiled(module, inputs), results);
      });
}

} // namespace
