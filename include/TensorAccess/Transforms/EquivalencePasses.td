//===- EquivalencePasses.td - Passes that compare programs -*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions behind them are in Transforms/Equivalence.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_EQUIVALENCEPASSES_TD
#define TENSORACCESS_TRANSFORMS_EQUIVALENCEPASSES_TD

include "mlir/Pass/PassBase.td"

def CheckEquivalence
    : Pass<"tensoraccess-check-equivalence", "::mlir::ModuleOp"> {
  let summary = "proves, tests or refutes that two functions agree";
  let description = [{
    Two functions of one type agree if for all inputs both fail, or both give
    the same results: the same bits, all NaNs being one. Found out, in this
    order:

    1. by *forms*: the same ops on the same values, where all that movement ops
       do to a value is compared as canonical access forms;
    2. by *rules*: equality saturation with the set `access` (docs/Rewrites.md);
    3. by *elements*: each element of static results written out as an expression
       over the elements of the arguments;
    4. by the *solver*: those expressions as bit-vectors through the SMT dialect,
       decided by a program that reads SMT-LIB (z3). Operations on floats are
       uninterpreted functions there: equal where their operands are;
    5. by *tests*: both run in the interpreter, on random inputs and on corner
       cases, with several sizes for `?`. Floats that are rounded may differ by
       the bound for sums taken in another order. Tests prove nothing: the
       verdict is `tested`.

    Rules and elements also see where the results are the same sums of products in
    another order: the verdict `proved-over-reals`, which does not cover bits.
    Calls are inlined first, in copies.

    ```
    // --tensoraccess-check-equivalence="function=f other=g"
    func.func @f(%a: i32, %b: i32) -> i32 {
      %0 = arith.addi %a, %b : i32
      return %0 : i32
    }
    func.func @g(%a: i32, %b: i32) -> i32 {
      %0 = arith.subi %a, %b : i32   // error: … expected 1, got -1
      return %0 : i32
    }
    ```

    The answer is the remark `equivalence` with the metrics Verdict (`proved`,
    `proved-over-reals`, `tested`, `refuted`, `unknown`), Method, Inputs and Failures; missed where
    the verdict is `unknown`. Refuted is an error at the second function, with
    the smallest counterexample that was found, run by the interpreter before it
    is shown; and so is less than `need` asks for. Changes no op.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"",
           "the reference function (default: main)">,
    Option<"other", "other", "std::string", "\"\"",
           "the function to compare (with against: default as function)">,
    Option<"first", "first", "std::string", "\"\"",
           "older name of function">,
    Option<"second", "second", "std::string", "\"\"",
           "older name of other">,
    Option<"against", "against", "std::string", "\"\"",
           "the file that the other function is in (default: this module)">,
    Option<"method", "method", "EquivalenceMethod", "EquivalenceMethod::Auto",
           "how to find out",
           [{::llvm::cl::values(
             clEnumValN(EquivalenceMethod::Auto, "auto", "all, in order"),
             clEnumValN(EquivalenceMethod::Prove, "prove",
                        "forms and elements"),
             clEnumValN(EquivalenceMethod::Smt, "smt", "the solver"),
             clEnumValN(EquivalenceMethod::Test, "test", "the interpreter"))}]>,
    Option<"need", "need", "EquivalenceNeed", "EquivalenceNeed::Any",
           "what must be found out, or it is an error",
           [{::llvm::cl::values(
             clEnumValN(EquivalenceNeed::Any, "any", "not refuted"),
             clEnumValN(EquivalenceNeed::Tested, "tested",
                        "tested or proved"),
             clEnumValN(EquivalenceNeed::Reals, "reals",
                        "proved, at least over the reals"),
             clEnumValN(EquivalenceNeed::Proved, "proved", "proved"))}]>,
    Option<"trials", "trials", "int64_t", "32", "inputs to test">,
    Option<"seed", "seed", "uint64_t", "0", "seed of the inputs">,
    Option<"tolerance", "tolerance", "double", "-1",
           "allowed distance of floats relative to the largest magnitude of a "
           "result; negative: the bound for sums in another order">,
    Option<"specialValues", "special-values", "bool", "true",
           "test NaN, infinities and -0">,
    ListOption<"sizes", "sizes", "int64_t",
               "what `?` is in tests (default: 0,1,2,7)">,
    Option<"solver", "solver", "std::string", "\"\"",
           "the solver's program (default: what TENSORACCESS_SOLVER names in "
           "the environment, else z3)">,
    Option<"solverDump", "solver-dump", "std::string", "\"\"",
           "a file for what the solver is asked, in SMT-LIB (-: standard "
           "output)">,
    Option<"solverSeconds", "solver-seconds", "int64_t", "10",
           "the solver's time limit">,
    Option<"maxTerms", "max-terms", "int64_t", "1 << 17",
           "scalar operations that proofs may write out">,
    Option<"maxOperations", "max-operations", "int64_t", "int64_t(1) << 34",
           "operations that tests may take">
  ];
  let statistics = [
    Statistic<"proved", "proved", "pairs of functions proved to agree">,
    Statistic<"provedOverReals", "proved-over-reals",
              "pairs of functions proved to agree over the reals">,
    Statistic<"tested", "tested", "pairs of functions tested">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::smt::SMTDialect",
    "::mlir::tensor::TensorDialect", "::mlir::index::IndexDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_EQUIVALENCEPASSES_TD
