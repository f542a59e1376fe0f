//===- ContractPasses.td - Passes that check contracts -----*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions behind them are in Transforms/Contracts.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_CONTRACTPASSES_TD
#define TENSORACCESS_TRANSFORMS_CONTRACTPASSES_TD

include "mlir/Pass/PassBase.td"

def CheckContracts : Pass<"tensoraccess-check-contracts", "::mlir::ModuleOp"> {
  let summary = "proves or refutes what a function may depend on";
  let description = [{
    A function with the attribute `tensoraccess.contract`, an array of strings,
    states which elements of its arguments must not matter for which elements of
    its results:

    | contract | what must not matter |
    |---|---|
    | `causal(result 0 dim 1, arg 0 dim 1)` | inputs with a higher index |
    | `independent(result 0 dim 0, arg 0 dim 0)` | inputs with another index |
    | `within(result 0 dim 1, arg 0 dim 1, 4)` | inputs farther away than 4; two numbers are the past and the future |
    | `ignores(arg 2)`, `ignores(arg 0 dim 1 in [0, 3])` | all of them, some of them |
    | `ignores(arg 0 where arg 1 == 0)` | those at whose place another argument is 0; also `ignores(result 0 where arg 1 != 0, arg 0 where arg 1 == 0)` |
    | `segments(arg 1)` | those of the same row whose integer in an argument is another one |
    | `(d0, d1)[s0] -> (d0, s0), domain: ...` | all but what the map reads; of other values `result 0, arg 1: ...` |

    The dependence of results on arguments is composed through the whole function,
    its calls and its loops, less what masks make impossible: facts about values on
    regions come from constants, iota and compare, and go through select, exp, sums
    and products. What holds only if no number that is computed is infinite or NaN,
    apart from those that the program itself makes infinite, is proved `if
    finite`.

    ```
    // --tensoraccess-check-contracts
    func.func @shift(%x: tensor<8xf32>) -> tensor<7xf32>
        attributes {tensoraccess.contract = ["causal(result 0 dim 0, arg 0 dim 0)"]} {
      %0 = stablehlo.slice %x [1:8] : (tensor<8xf32>) -> tensor<7xf32>
      return %0 : tensor<7xf32>  // error: … result 0 at [0] is …
    }
    ```

    The answer is the remark `contract` with Verdict (`proved`, `refuted`,
    `unknown`) and Condition; missed where it is unknown, with the op and the
    reason. Refuted is an error at the op through which the forbidden element
    comes, with two inputs that were run. Texts that are no contract of the
    function are errors. Changes no op.
  }];
  let options = [
    Option<"contract", "contract", "std::string", "\"\"",
           "a contract to check besides those of attributes">,
    Option<"function", "function", "std::string", "\"\"",
           "the only function to check (default: all, and main for `contract`)">,
    Option<"assume", "assume", "std::string", "\"\"",
           "bounds of arguments, as `|arg 0| <= 1e4` and `arg 1 in [0, 1]`, "
           "under which a proof may hold that does not hold without">,
    Option<"needProof", "need-proof", "bool", "false",
           "a contract that is not proved is an error">,
    Option<"trials", "trials", "int64_t", "48",
           "inputs to try for a witness">,
    Option<"seed", "seed", "uint64_t", "0", "seed of the inputs">,
    Option<"maxOperations", "max-operations", "int64_t", "int64_t(1) << 32",
           "operations that runs may take">
  ];
  // What TOSA becomes when it is run.
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::index::IndexDialect"];
  let statistics = [
    Statistic<"proved", "proved", "contracts proved">,
    Statistic<"refuted", "refuted", "contracts refuted">,
    Statistic<"unknown", "unknown", "contracts neither proved nor refuted">
  ];
}

def AnnotateDerivatives
    : Pass<"tensoraccess-annotate-derivatives", "::mlir::ModuleOp"> {
  let summary = "writes down which derivatives can be nonzero";
  let description = [{
    Sets `tensoraccess.jacobian = [result][argument][maps]` on every function with
    a body of one block: from the indices of the result to those of the argument by
    which it may have a derivative. With `hessian`, also `tensoraccess.hessian =
    [result][argument][argument][maps]`: the pairs of elements by which the sum of
    the result may have a second derivative.

    ```
    // --tensoraccess-annotate-derivatives=hessian
    %0 = stablehlo.reverse %x, dims = [0] : tensor<5xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<5xf32>
    // tensoraccess.jacobian: (d0) -> (d0) and (d0) -> (-d0 + 4)
    // tensoraccess.hessian: (d0) -> (-d0 + 4)
    ```

    `tensoraccess.jacobian_coloring` tells how many entries the whole matrix has, of
    all results by all arguments with derivatives, and how few products give them:
    columns, or rows if fewer, of one color don't meet, so one product has all of
    theirs. Of a stencil or band, the color of an index is the sum of `weights` times
    it, modulo `period`:

    ```
    // (d0) -> (d0 - 1), (d0), (d0 + 1) in [0, 9]
    {colored = "columns", colors = 3 : i64, entries = 28 : i64, period = 3 : i64,
     weights = array<i64: 1>}
    ```

    `tensoraccess.hessian_coloring` lists the same of each result's Hessian. Colors
    that take more than 4,194,304 points of maps are left out, and so are matrices of
    unknown sizes.

    Values without floating-point elements have no derivatives. Where it is not
    known what an op reads, maps contain all elements, and a missed remark names
    the op. Entries outside of the maps are zero if what is computed is finite.

    Changes nothing except for these attributes.
  }];
  let options = [
    Option<"hessian", "hessian", "bool", "false", "second derivatives, too">
  ];
  let statistics = [
    Statistic<"functions", "functions", "functions annotated">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_CONTRACTPASSES_TD
