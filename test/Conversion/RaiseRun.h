//===- RaiseRun.h - Programs before and after raising ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The law of raising: the interpreter computes the same from a program and from
// what it is raised to. Random programs are written as text.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CONVERSION_RAISERUN_H
#define TENSORACCESS_TEST_CONVERSION_RAISERUN_H

#include "../Interpreter/Run.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/IR/Verifier.h"
#include <random>

namespace mlir::tensoraccess::test {

/// Dimension sizes, as in `tensor<3x5xf32>`.
inline std::string tensorType(ArrayRef<int64_t> shape,
                              StringRef element = "f32") {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element.str() + ">";
}

/// `1, 2, 3`.
inline std::string commaList(ArrayRef<int64_t> numbers) {
  std::string text;
  for (auto [i, number] : llvm::enumerate(numbers))
    text += (i ? ", " : "") + std::to_string(number);
  return text;
}

class RaiseTest : public RunTest {
protected:
  RaiseTest() {
    DialectRegistry registry;
    registerIndexingModels(registry);
    context.appendDialectRegistry(registry);
  }
  /// Uniform in [lo, hi].
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  }
  bool coin() { return pick(0, 1) == 1; }
  template <typename T>
  T oneOf(std::initializer_list<T> choices) {
    return *(choices.begin() + pick(0, choices.size() - 1));
  }
  SmallVector<int64_t> sizes(int64_t rank, int64_t lo, int64_t hi) {
    SmallVector<int64_t> result;
    for (int64_t i = 0; i < rank; ++i)
      result.push_back(pick(lo, hi));
    return result;
  }
  SmallVector<int64_t> permutation(int64_t rank) {
    SmallVector<int64_t> result = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::shuffle(result.begin(), result.end(), random);
    return result;
  }

  enum class Sums { Same, Reordered };

  /// Raises everything in the program, of which nothing may stay, and compares.
  /// Sums that begin with something else than zero may differ by rounding.
  void expectRaised(StringRef program, Sums sums = Sums::Same) {
    SCOPED_TRACE(program.str());
    messages.clear();
    OwningOpRef<ModuleOp> source =
        parseSourceString<ModuleOp>(program, &context);
    ASSERT_TRUE(source) << messages;
    OwningOpRef<ModuleOp> plain = source->clone();
    prepareOracle(*plain);
    summary = raiseAllToAccess(*source);
    ASSERT_TRUE(succeeded(mlir::verify(*source))) << messages;
    std::string raised;
    llvm::raw_string_ostream(raised) << *source;
    SCOPED_TRACE(raised);
    EXPECT_EQ(summary.missed, 0) << remarks();
    auto main = source->lookupSymbol<FunctionOpInterface>("main");
    FailureOr<SmallVector<Tensor>> inputs = randomInputs(main, ++seed);
    ASSERT_TRUE(succeeded(inputs)) << messages;
    FailureOr<SmallVector<Tensor>> expected =
        interpret(*plain, "main", *inputs);
    ASSERT_TRUE(succeeded(expected)) << messages;
    FailureOr<SmallVector<Tensor>> results =
        interpret(*source, "main", *inputs);
    ASSERT_TRUE(succeeded(results)) << messages;
    ASSERT_EQ(expected->size(), results->size());
    for (auto [a, b] : llvm::zip(*expected, *results)) {
      llvm::Expected<Comparison> result = compare(a, b);
      ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
      EXPECT_EQ(result->nanMismatches, 0);
      if (sums == Sums::Same || isIntegerType(a.getElementType()))
        EXPECT_TRUE(result->allBitEqual())
            << result->bitEqual << " of " << result->elements << ", off by "
            << result->maxAbs;
      else
        EXPECT_LE(result->maxAbs, 1e-4);
    }
  }

  /// Why the first op below the function stays as it is.
  std::string reasonOf(StringRef program) {
    messages.clear();
    OwningOpRef<ModuleOp> source =
        parseSourceString<ModuleOp>(program, &context);
    if (!source)
      return messages;
    IRRewriter rewriter(&context);
    std::string before, after, reason = "raised";
    llvm::raw_string_ostream(before) << *source;
    source->walk<WalkOrder::PreOrder>([&](Operation *op) {
      StringRef dialect = op->getName().getDialectNamespace();
      if ((dialect != "linalg" && dialect != "tosa" && dialect != "tensor") ||
          isa<linalg::YieldOp, linalg::IndexOp>(op) || op->getNumResults() != 1)
        return WalkResult::advance();
      if (succeeded(raiseToAccess(rewriter, op, {}, &reason)))
        reason = "raised";
      return WalkResult::interrupt();
    });
    // What can't be raised stays, and nothing beside it.
    llvm::raw_string_ostream(after) << *source;
    if (reason != "raised")
      EXPECT_EQ(before, after);
    return reason;
  }

  /// Makes the program one that the interpreter runs.
  virtual void prepareOracle(ModuleOp module) {}

  static bool isIntegerType(ElementType type) {
    return type == ElementType::I8 || type == ElementType::I16 ||
           type == ElementType::I32 || type == ElementType::I64;
  }
  std::string remarks() { return messages; }

  std::mt19937 random{20240521};
  uint64_t seed = 0;
  RaiseSummary summary;
};

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CONVERSION_RAISERUN_H
