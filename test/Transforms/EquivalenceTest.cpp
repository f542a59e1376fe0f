//===- EquivalenceTest.cpp - Verdicts against what is true ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Laws, on random pairs of programs:
//
// - one moves elements in another way than the other, or computes on what it
//   moved: those proved to agree give the same bits on all inputs tried,
//   and those refuted differ on the counterexample;
// - programs that only move: the verdict is the truth, which an input whose
//   elements are pairwise different tells.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Equivalence.h"
#include "../Analysis/RandomMovement.h"

#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class EquivalenceTest : public RunTest {
protected:
  EquivalenceTest() {
    context.loadDialect<smt::SMTDialect>();
    module = ModuleOp::create(UnknownLoc::get(&context));
  }

  func::FuncOp makeFunction(StringRef name, ArrayRef<int64_t> shape, Type type,
                            function_ref<Value(OpBuilder &, Value)> body) {
    OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
    auto input = RankedTensorType::get(shape, type);
    auto function = func::FuncOp::create(b, b.getUnknownLoc(), name,
                                         b.getFunctionType(input, {}));
    b.setInsertionPointToStart(function.addEntryBlock());
    Value result = body(b, function.getArgument(0));
    if (isa<AccessType>(result.getType()))
      result = ToTensorOp::create(b, b.getUnknownLoc(), result);
    func::ReturnOp::create(b, b.getUnknownLoc(), result);
    function.setFunctionType(b.getFunctionType(input, result.getType()));
    return function;
  }

  /// True where both give the same bits.
  bool agreeOn(func::FuncOp a, func::FuncOp b, const Tensor &input) {
    FailureOr<SmallVector<Tensor>> x = interpret(a, {input});
    FailureOr<SmallVector<Tensor>> y = interpret(b, {input});
    EXPECT_TRUE(succeeded(x) && succeeded(y)) << messages;
    if (failed(x) || failed(y))
      return false;
    llvm::Expected<Comparison> result = compare((*x)[0], (*y)[0]);
    EXPECT_TRUE(bool(result));
    return result && result->allBitEqual();
  }

  /// 1000, 1001, …: no padding has these values.
  Tensor distinct(ArrayRef<int64_t> shape, ElementType type) {
    Tensor tensor = llvm::cantFail(Tensor::create(type, shape));
    int64_t next = 1000;
    forEachIndex(
        shape, [&](ArrayRef<int64_t> index) { tensor.setInt(index, next++); });
    return tensor;
  }

  FailureOr<EquivalenceAnswer> check(StringRef text,
                                     const EquivalenceOptions &options = {}) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    auto functions = module->getOps<func::FuncOp>();
    return checkEquivalence(*functions.begin(), *std::next(functions.begin()),
                            options);
  }
};

using Verdict = EquivalenceVerdict;

/// How often each verdict came.
struct Tally {
  int proved = 0, reals = 0, tested = 0, refuted = 0, unknown = 0;
  void add(Verdict verdict) {
    (verdict == Verdict::Proved    ? proved
     : verdict == Verdict::Reals   ? reals
     : verdict == Verdict::Tested  ? tested
     : verdict == Verdict::Refuted ? refuted
                                   : unknown)++;
  }
  std::string str() const {
    return std::to_string(proved) + " proved, " + std::to_string(reals) +
           " over reals, " + std::to_string(tested) + " tested, " +
           std::to_string(refuted) + " refuted, " + std::to_string(unknown) +
           " unknown";
  }
};

TEST_F(EquivalenceTest, RandomMovementIsDecided) {
  Tally tally;
  for (unsigned seed = 0; seed < 300; ++seed) {
    module = ModuleOp::create(UnknownLoc::get(&context));
    RandomMovement *random = nullptr;
    std::mt19937 choices(seed);
    SmallVector<int64_t> shape;
    for (unsigned i = 0, rank = 1 + choices() % 3; i < rank; ++i)
      shape.push_back(1 + choices() % 4);
    const bool mutates = choices() % 2;
    const unsigned steps = 1 + choices() % 4;
    const unsigned at = choices() % steps;
    auto body = [&](OpBuilder &b, Value input, bool second) {
      RandomMovement chain(b, seed), detour(b, seed + 7919);
      random = &chain;
      Value p = chain.access(input, chain.pick(0, shape.size()));
      for (unsigned i = 0; i < steps; ++i) {
        p = chain.step(p);
        if (!second)
          continue;
        if (!mutates || i != at) {
          p = detour.roundTrip(p);
          continue;
        }
        // The same sizes in another order, or some elements reversed.
        AccessType type = cast<AccessType>(p.getType());
        for (int64_t axis = 0; axis < type.getRank(); ++axis) {
          int64_t n = type.getShape()[axis];
          if (n > 1) {
            p = detour.cut(p, axis, n - 1, n, -1);
            break;
          }
        }
      }
      return p;
    };
    Type f32 = Float32Type::get(&context);
    func::FuncOp a = makeFunction("a", shape, f32, [&](OpBuilder &b, Value v) {
      return body(b, v, false);
    });
    func::FuncOp b = makeFunction("b", shape, f32, [&](OpBuilder &b, Value v) {
      return body(b, v, true);
    });
    ASSERT_EQ(a.getFunctionType(), b.getFunctionType());
    FailureOr<EquivalenceAnswer> answer = checkEquivalence(a, b);
    ASSERT_TRUE(succeeded(answer)) << messages;
    tally.add(answer->verdict);
    bool agree = agreeOn(a, b, distinct(shape, ElementType::F32));
    EXPECT_EQ(answer->verdict, agree ? Verdict::Proved : Verdict::Refuted)
        << "seed " << seed << ": " << answer->message;
    if (answer->verdict == Verdict::Refuted) {
      EXPECT_FALSE(agreeOn(a, b, answer->counterexample->inputs[0]));
    }
  }
  llvm::outs() << "movement: " << tally.str() << '\n';
  EXPECT_GT(tally.refuted, 50);
  EXPECT_GT(tally.proved, 100);
}

TEST_F(EquivalenceTest, RandomComputationIsNeverWrong) {
  for (bool isFloat : {true, false}) {
    Tally tally;
    for (unsigned seed = 0; seed < 60; ++seed) {
      module = ModuleOp::create(UnknownLoc::get(&context));
      std::mt19937 choices(seed);
      SmallVector<int64_t> shape{int64_t(1 + choices() % 3),
                                 int64_t(1 + choices() % 3)};
      const bool mutates = choices() % 2;
      const unsigned steps = 2 + choices() % 3;
      const unsigned at = choices() % steps;
      auto body = [&](OpBuilder &b, Value input, bool second) {
        RandomMovement chain(b, seed), detour(b, seed + 7919);
        Location loc = b.getUnknownLoc();
        Value p = chain.access(input, 1);
        auto transposed = [&](Value x) {
          int64_t rank = cast<AccessType>(x.getType()).getRank();
          SmallVector<int64_t> reversed;
          for (int64_t i = rank; i-- > 0;)
            reversed.push_back(i);
          return chain.transpose(x, reversed);
        };
        auto pair = [&](ComputeKind kind, Value x, Value y) -> Value {
          return ComputeOp::create(b, loc, kind, PairOp::create(b, loc, x, y));
        };
        for (unsigned i = 0; i < steps; ++i) {
          const bool isMutant = second && mutates && i == at;
          Value relu = ComputeOp::create(
              b, loc, isMutant ? ComputeKind::Negative : ComputeKind::Relu, p);
          switch (chain.pick(0, 3)) {
          case 0: // relu(x) + x, which commutes
            p = second ? pair(ComputeKind::ElementwiseAdd, p, relu)
                       : pair(ComputeKind::ElementwiseAdd, relu, p);
            break;
          case 1: // elementwise ops pass movement
            p = second && !isMutant
                    ? transposed(ComputeOp::create(b, loc, ComputeKind::Relu,
                                                   transposed(p)))
                    : relu;
            break;
          case 2: // (x + x)·x = x·x + x·x, exactly so for floats, too
            if (second && !isMutant) {
              Value square = pair(ComputeKind::ElementwiseMul, p, p);
              p = pair(ComputeKind::ElementwiseAdd, square, square);
            } else {
              p = pair(ComputeKind::ElementwiseMul,
                       pair(ComputeKind::ElementwiseAdd, p, p),
                       isMutant ? relu : p);
            }
            break;
          default:
            p = second ? detour.roundTrip(relu) : relu;
          }
        }
        return p;
      };
      Builder types(&context);
      Type type =
          isFloat ? Type(types.getF32Type()) : Type(types.getIntegerType(8));
      func::FuncOp a = makeFunction("a", shape, type, [&](auto &b, Value v) {
        return body(b, v, false);
      });
      func::FuncOp b = makeFunction(
          "b", shape, type, [&](auto &b, Value v) { return body(b, v, true); });
      ASSERT_EQ(a.getFunctionType(), b.getFunctionType());
      EquivalenceOptions options;
      options.solverSeconds = 2;
      FailureOr<EquivalenceAnswer> answer = checkEquivalence(a, b, options);
      ASSERT_TRUE(succeeded(answer)) << messages;
      tally.add(answer->verdict);
      ElementType element = isFloat ? ElementType::F32 : ElementType::I8;
      if (!mutates) {
        EXPECT_TRUE(answer->verdict == Verdict::Proved ||
                    (isFloat && answer->verdict == Verdict::Reals) ||
                    answer->verdict == Verdict::Tested)
            << "seed " << seed;
      }
      if (answer->verdict == Verdict::Refuted)
        EXPECT_FALSE(agreeOn(a, b, answer->counterexample->inputs[0]));
      // Mutants add a maximum where there was none, which no algebra hides.
      if (answer->verdict == Verdict::Reals)
        EXPECT_GT(answer->inputs, 0) << "seed " << seed;
      if (answer->verdict == Verdict::Proved)
        for (unsigned stream = 0; stream < 20; ++stream)
          EXPECT_TRUE(agreeOn(a, b, random(shape, element, stream)))
              << "seed " << seed;
    }
    llvm::outs() << (isFloat ? "f32: " : "i8: ") << tally.str() << '\n';
    EXPECT_EQ(tally.unknown, 0);
    EXPECT_GT(tally.refuted, 20);
    EXPECT_GT(tally.proved, 8);
  }
}

/// The solver knows that multiplication distributes; with a solver that is not
/// there, tests have the word, and say why.
TEST_F(EquivalenceTest, SolverDistributes) {
  StringRef text = R"(
    func.func @a(%x: i8, %y: i8, %z: i8) -> i8 {
      %0 = arith.addi %x, %y : i8
      %1 = arith.muli %0, %z : i8
      return %1 : i8
    }
    func.func @b(%x: i8, %y: i8, %z: i8) -> i8 {
      %0 = arith.muli %x, %z : i8
      %1 = arith.muli %y, %z : i8
      %2 = arith.addi %0, %1 : i8
      return %2 : i8
    })";
  EquivalenceOptions options;
  options.solver = "no-such-solver";
  FailureOr<EquivalenceAnswer> answer = check(text, options);
  ASSERT_TRUE(succeeded(answer));
  EXPECT_EQ(answer->verdict, Verdict::Tested);
  EXPECT_EQ(answer->message,
            "compared bit for bit; no proof: the solver 'no-such-solver' is "
            "not found; Debian has z3 in the package z3");
  if (!llvm::sys::findProgramByName("z3"))
    GTEST_SKIP() << "there is no z3";
  answer = check(text);
  ASSERT_TRUE(succeeded(answer));
  EXPECT_EQ(answer->verdict, Verdict::Proved);
  EXPECT_EQ(answer->method, "solver");
}

/// A difference at one input of 2^32.
TEST_F(EquivalenceTest, SolverFindsRareDifferences) {
  if (!llvm::sys::findProgramByName("z3"))
    GTEST_SKIP() << "there is no z3";
  StringRef text = R"(
    func.func @a(%x: i32) -> i1 {
      %c = arith.constant 123456789 : i32
      %0 = arith.cmpi eq, %x, %c : i32
      return %0 : i1
    }
    func.func @b(%x: i32) -> i1 {
      %0 = arith.constant false
      return %0 : i1
    })";
  EquivalenceOptions options;
  options.method = EquivalenceMethod::Test;
  FailureOr<EquivalenceAnswer> answer = check(text, options);
  ASSERT_TRUE(succeeded(answer));
  EXPECT_EQ(answer->verdict, Verdict::Tested);
  answer = check(text);
  ASSERT_TRUE(succeeded(answer));
  ASSERT_EQ(answer->verdict, Verdict::Refuted);
  EXPECT_EQ(answer->method, "solver");
  EXPECT_EQ(answer->counterexample->inputs[0].getInt({}), 123456789);
  EXPECT_EQ(describe(*answer->counterexample),
            "result 0: expected true, got false");
}

TEST_F(EquivalenceTest, FailuresAndSizesDiffer) {
  FailureOr<EquivalenceAnswer> answer = check(R"(
    func.func @a(%x: i32) -> i32 {
      return %x : i32
    }
    func.func @b(%x: i32) -> i32 {
      %0 = arith.divsi %x, %x : i32
      %1 = arith.muli %0, %x : i32
      return %1 : i32
    })");
  ASSERT_TRUE(succeeded(answer));
  ASSERT_EQ(answer->verdict, Verdict::Refuted);
  EXPECT_EQ(answer->counterexample->failing, 2);
  EXPECT_EQ(answer->counterexample->inputs[0].getInt({}), 0);
}

// Any two of up to 11 arguments take each pair of corners.
TEST_F(EquivalenceTest, PairsOfCornersAreTried) {
  const std::pair<const char *, const char *> corners[] = {
      {"-32768", "32767"}, {"32767", "-32768"}, {"16", "-32767"}, {"15", "0"}};
  EquivalenceOptions options;
  options.method = EquivalenceMethod::Test;
  options.trials = 1;
  for (int count : {2, 5, 11})
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        if (i == j)
          continue;
        std::string arguments;
        for (int k = 0; k < count; ++k)
          arguments += (k ? ", %a" : "%a") + std::to_string(k) + ": i16";
        auto [least, most] = corners[(i + j) % 4];
        std::string text =
            "func.func @never(" + arguments +
            ") -> i1 {\n%0 = arith.constant false\nreturn %0 : i1\n}\n"
            "func.func @once(" +
            arguments + ") -> i1 {\n%l = arith.constant " + least +
            " : i16\n%m = arith.constant " + most +
            " : i16\n%0 = arith.cmpi eq, %a" + std::to_string(i) +
            ", %l : i16\n%1 = arith.cmpi eq, %a" + std::to_string(j) +
            ", %m : i16\n%2 = arith.andi %0, %1 : i1\nreturn %2 : i1\n}\n";
        FailureOr<EquivalenceAnswer> answer = check(text, options);
        ASSERT_TRUE(succeeded(answer)) << messages;
        EXPECT_EQ(answer->verdict, Verdict::Refuted) << text;
      }
}

} // namespace
