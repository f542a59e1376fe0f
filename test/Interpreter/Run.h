//===- Run.h - Running a program given as text ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_INTERPRETER_RUN_H
#define TENSORACCESS_TEST_INTERPRETER_RUN_H

#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::tensoraccess {

/// Parses programs, runs their function @main, and keeps the diagnostics.
class RunTest : public ::testing::Test {
protected:
  RunTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          std::string line;
          if (auto where = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
            line = std::to_string(where.getLine()) + ": ";
          messages += line + diagnostic.str() + "\n";
          return success();
        }) {
    context.loadDialect<TensorAccessDialect, affine::AffineDialect,
                        arith::ArithDialect, cf::ControlFlowDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect>();
    context.allowUnregisteredDialects();
  }

  FailureOr<SmallVector<Tensor>> run(StringRef program,
                                     ArrayRef<Tensor> inputs = {}) {
    messages.clear();
    module = parseSourceString<ModuleOp>(program, &context);
    if (!module)
      return failure();
    return interpret(*module, "main", inputs);
  }

  /// The only result.
  Tensor runOne(StringRef program, ArrayRef<Tensor> inputs = {}) {
    FailureOr<SmallVector<Tensor>> results = run(program, inputs);
    EXPECT_TRUE(succeeded(results)) << messages;
    return succeeded(results) ? results->front() : Tensor();
  }

  /// What a program that must fail reports, with line numbers.
  std::string errorOf(StringRef program, ArrayRef<Tensor> inputs = {}) {
    return succeeded(run(program, inputs)) ? "no error" : messages;
  }

  static Tensor random(ArrayRef<int64_t> shape,
                       ElementType type = ElementType::F32,
                       uint64_t stream = 0) {
    return llvm::cantFail(Tensor::random(type, shape, 5, stream));
  }
  static Tensor floats(ArrayRef<int64_t> shape, ArrayRef<double> values,
                       ElementType type = ElementType::F32) {
    Tensor flat = llvm::cantFail(
        Tensor::create(type, {static_cast<int64_t>(values.size())}));
    for (auto [i, value] : llvm::enumerate(values))
      flat.setDouble({static_cast<int64_t>(i)}, value);
    return llvm::cantFail(flat.reshape(shape));
  }
  static void expectBitEqual(const Tensor &a, const Tensor &b) {
    llvm::Expected<Comparison> result = compare(a, b);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_TRUE(result->allBitEqual())
        << result->bitEqual << " of " << result->elements;
  }

  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_INTERPRETER_RUN_H
