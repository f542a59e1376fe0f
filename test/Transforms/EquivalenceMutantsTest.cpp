//===- EquivalenceMutantsTest.cpp - Programs with one thing broken --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random program, and the same with one op, operand or constant changed. The
// truth of i8 is known from all pairs of inputs, run at once as the elements of
// two tensors: those proved to agree do, those refuted do not,
// and the counterexample shows it.
//
//===----------------------------------------------------------------------===//

#include "../Interpreter/Run.h"
#include "TensorAccess/Transforms/Equivalence.h"

#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// One op: its name, and the numbers of its operands: 0 and 1 are arguments, 2
/// is a constant, the rest earlier ops.
struct Step {
  unsigned op;
  unsigned operands[2];
  int64_t constant;
};

class MutantsTest : public RunTest {
protected:
  MutantsTest() { context.loadDialect<smt::SMTDialect>(); }

  unsigned draw(unsigned end) { return engine() % end; }

  SmallVector<Step> makeProgram() {
    SmallVector<Step> steps;
    for (unsigned i = 0, e = 2 + draw(4); i < e; ++i)
      steps.push_back({draw(8), {draw(3 + i), draw(3 + i)}, int(draw(7)) - 3});
    // The last op reads the one before, so that little is dead.
    for (unsigned i = 1; i < steps.size(); ++i)
      steps[i].operands[draw(2)] = 2 + i;
    return steps;
  }

  void mutate(SmallVector<Step> &steps) {
    Step &step = steps[draw(steps.size())];
    const unsigned number = &step - steps.begin();
    switch (draw(4)) {
    case 0:
      step.op = (step.op + 1 + draw(7)) % 8;
      break;
    case 1:
      std::swap(step.operands[0], step.operands[1]);
      break;
    case 2:
      step.constant += draw(2) ? 1 : -1;
      break;
    default:
      step.operands[draw(2)] = draw(3 + number);
    }
  }

  static std::string print(StringRef name, ArrayRef<Step> steps,
                           StringRef element, int64_t size) {
    static const char *ints[] = {"addi", "subi",  "muli",  "andi",
                                 "xori", "maxsi", "minui", "ori"};
    static const char *floats[] = {"addf",     "subf", "mulf", "maximumf",
                                   "minimumf", "addf", "mulf", "subf"};
    const bool isFloat = element.starts_with("f");
    const std::string type =
        "tensor<" + std::to_string(size) + "x" + element.str() + ">";
    std::string text = "func.func @" + name.str() + "(%v0: " + type +
                       ", %v1: " + type + ") -> " + type + " {\n";
    for (auto [i, step] : llvm::enumerate(steps)) {
      const std::string number = std::to_string(i);
      text += "  %c" + number + " = arith.constant dense<" +
              std::to_string(step.constant) + (isFloat ? ".0" : "") +
              "> : " + type + "\n  %v" + std::to_string(i + 3) + " = arith." +
              (isFloat ? floats : ints)[step.op] + " ";
      for (unsigned k : {0u, 1u})
        text +=
            std::string(k ? ", " : "") +
            (step.operands[k] == 2 ? "%c" + number
                                   : "%v" + std::to_string(step.operands[k]));
      text += " : " + type + "\n";
    }
    return text + "  return %v" + std::to_string(steps.size() + 2) + " : " +
           type + "\n}\n";
  }

  EquivalenceAnswer check(ArrayRef<Step> a, ArrayRef<Step> b,
                          StringRef element) {
    module = parseSourceString<ModuleOp>(print("first", a, element, 2) +
                                             print("second", b, element, 2),
                                         &context);
    EXPECT_TRUE(module) << messages;
    EquivalenceOptions options;
    options.solverSeconds = 5;
    FailureOr<EquivalenceAnswer> answer =
        checkEquivalence(module->lookupSymbol<func::FuncOp>("first"),
                         module->lookupSymbol<func::FuncOp>("second"), options);
    EXPECT_TRUE(succeeded(answer)) << messages;
    if (answer->counterexample) {
      // It is one.
      auto x = interpret(*module, "first", answer->counterexample->inputs);
      auto y = interpret(*module, "second", answer->counterexample->inputs);
      EXPECT_TRUE(succeeded(x) && succeeded(y)) << messages;
      EXPECT_FALSE(llvm::cantFail(compare((*x)[0], (*y)[0])).allBitEqual());
    }
    return *answer;
  }

  /// Whether both give the same on these inputs; a NaN is a NaN.
  bool agree(ArrayRef<Step> a, ArrayRef<Step> b, StringRef element,
             ArrayRef<Tensor> inputs) {
    const int64_t size = inputs[0].getNumElements();
    module = parseSourceString<ModuleOp>(print("first", a, element, size) +
                                             print("second", b, element, size),
                                         &context);
    auto x = interpret(*module, "first", inputs);
    auto y = interpret(*module, "second", inputs);
    EXPECT_TRUE(succeeded(x) && succeeded(y)) << messages;
    Comparison found = llvm::cantFail(compare((*x)[0], (*y)[0]));
    return found.maxAbs == 0 && found.nanMismatches == 0;
  }

  std::mt19937_64 engine{29};
};

TEST_F(MutantsTest, verdicts_on_bytes_are_the_truth) {
  Tensor all[2] = {llvm::cantFail(Tensor::create(ElementType::I8, {65536})),
                   llvm::cantFail(Tensor::create(ElementType::I8, {65536}))};
  for (int64_t i = 0; i < 65536; ++i) {
    all[0].getDataAs<int8_t>()[i] = static_cast<int8_t>(i);
    all[1].getDataAs<int8_t>()[i] = static_cast<int8_t>(i >> 8);
  }
  int different = 0, refuted = 0, equal = 0, proved = 0;
  for (int trial = 0; trial < 320; ++trial) {
    SmallVector<Step> program = makeProgram(), mutant = program;
    mutate(mutant);
    EquivalenceAnswer answer = check(program, mutant, "i8");
    const bool isEqual = agree(program, mutant, "i8", all);
    SCOPED_TRACE(print("first", program, "i8", 2) +
                 print("second", mutant, "i8", 2));
    if (answer.verdict == EquivalenceVerdict::Proved) {
      EXPECT_TRUE(isEqual);
    }
    if (answer.verdict == EquivalenceVerdict::Refuted) {
      EXPECT_FALSE(isEqual);
    }
    EXPECT_NE(answer.verdict, EquivalenceVerdict::Unknown);
    (isEqual ? equal : different) += 1;
    refuted += answer.verdict == EquivalenceVerdict::Refuted;
    proved += answer.verdict == EquivalenceVerdict::Proved;
  }
  // Enough of both, and nearly all of them decided.
  EXPECT_GE(different, 100);
  EXPECT_GE(equal, 10);
  EXPECT_EQ(refuted, different);
  EXPECT_GE(20 * proved, 19 * equal);
}

TEST_F(MutantsTest, no_mutant_on_floats_is_proved_that_differs) {
  int refuted = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SmallVector<Step> program = makeProgram(), mutant = program;
    mutate(mutant);
    EquivalenceAnswer answer = check(program, mutant, "f32");
    SmallVector<Tensor> inputs;
    for (uint64_t stream : {0, 1}) {
      inputs.push_back(llvm::cantFail(
          Tensor::random(ElementType::F32, {4096}, trial, stream)));
      // Some that are special.
      for (int64_t i = 0; i < 512; ++i)
        inputs.back().setDouble(
            {i},
            std::array<double, 8>{0, -0.0, 1, -1, HUGE_VAL, -HUGE_VAL,
                                  std::nan(""), 3}[(stream ? i / 8 : i) % 8]);
    }
    SCOPED_TRACE(print("first", program, "f32", 2) +
                 print("second", mutant, "f32", 2));
    if (answer.verdict == EquivalenceVerdict::Proved) {
      EXPECT_TRUE(agree(program, mutant, "f32", inputs));
    }
    refuted += answer.verdict == EquivalenceVerdict::Refuted;
  }
  EXPECT_GE(refuted, 60);
}

} // namespace
