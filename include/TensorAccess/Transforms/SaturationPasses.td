//===- SaturationPasses.td - Equality saturation -----------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that rewrite terms by all rules at once.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SATURATIONPASSES_TD
#define TENSORACCESS_TRANSFORMS_SATURATIONPASSES_TD

include "mlir/Pass/PassBase.td"

def Saturate : Pass<"tensoraccess-saturate", "::mlir::ModuleOp"> {
  let summary = "rewrites terms by equality saturation";
  let description = [{
    Reads each block's ops without side effects into an e-graph, lets rules add
    all terms that are equal until nothing is new or a limit is reached, and
    replaces what the block computes by the cheapest terms that are equal, if
    these are cheaper (docs/EGraph.md). Ops with side effects stay where they are.

    ```mlir
    // Before, with rules=arith
    %0 = arith.muli %a, %b : i32
    %1 = arith.muli %c, %a : i32
    %2 = arith.addi %0, %1 : i32
    // After
    %3 = arith.addi %b, %c : i32
    %4 = arith.muli %a, %3 : i32
    ```

    Rules are named sets of this project, or files: PDLL, compiled by running
    `mlir-pdll`, or PDL. What can't be a rule is an error that names it. What a
    rule makes must pass its verifier and have the type of what it replaces; else
    it is refused and counted, with the reason, and nothing comes of it.

    With `access`, movement of access patterns is brought into canonical forms, and
    computes are rewritten on these (docs/Rewrites.md); an expected function's
    terms are then put into the graph, and the rules say whether they are equal.

    Preserves meaning as far as the rules do.

    Costs read only the target. With `access`, products may run on the target's
    matrix units. A cost that is not a number, negative or too large to be added up
    is a warning that names the op; where nothing of finite cost can be chosen,
    another; and the program stays.

    Remarks: `saturate` for each function, with why it stopped, sizes and costs;
    `extraction` for each function, with the cost, a bound below which none is,
    and the gap between them;
    `rule` for each rule that matched, by its name, also of those that are no
    PDL; missed where something was refused;
    `expect` where what is expected was found.
  }];
  let options = [
    ListOption<"rules", "rules", "std::string",
               "named sets (access, arith, compute, linalg, math, relayout), "
               "files of PDLL (*.pdll) or PDL">,
    Option<"cost", "cost", "std::string", [{"node-count"}],
           "what is made least: node-count, flops, bytes, cycles, or a cost that "
           "was registered">,
    Option<"target", "target", "std::string", [{""}],
           "the machine that costs read: a built-in target (host, avx512, "
           "systolic-16x16, …) or the text of one; default: the module's attribute "
           "tensoraccess.target, or generic">,
    Option<"extraction", "extraction", "std::string", [{"dag"}],
           "how terms are chosen: tree, dag (local search), or exact (an integer "
           "program)">,
    Option<"extractionSeconds", "extraction-seconds", "double", "10",
           "seconds of the integer program, for each choice">,
    Option<"expect", "expect", "std::string", [{""}],
           "a file with functions, whose results must equal those of the "
           "function of the same name (or of all, if there is one only), or "
           "with patterns, which must be found: a remark, or an error">,
    Option<"expectAt", "expect-at", "std::string", [{"any"}],
           "where patterns must be found: any (anywhere in a graph) or root "
           "(among what equals a result of the function)">,
    Option<"explain", "explain", "std::string", [{""}],
           "a file to be written: why each value that was replaced equals what "
           "it was replaced by (docs/EGraph.md)">,
    Option<"checkedExplanation", "check-explanation", "std::string", [{""}],
           "such a file, to be replayed with the rules; nothing is replaced">,
    Option<"only", "function", "std::string", [{""}],
           "the function to saturate (default: all)">,
    Option<"scheduler", "scheduler", "std::string", [{"simple"}],
           "which rules an iteration looks at: simple (all) or backoff (not "
           "those that match too often); or eager: no iterations, one node "
           "after the other">,
    Option<"maxIterations", "max-iterations", "uint64_t", "30",
           "most iterations of a block">,
    Option<"maxNodes", "max-nodes", "uint64_t", "100000",
           "most nodes of a block's graph">,
    Option<"maxMatches", "max-matches", "uint64_t", "uint64_t(1) << 32",
           "most matches that are applied">,
    Option<"maxBytes", "max-bytes", "uint64_t", "uint64_t(1) << 32",
           "most bytes of a block's graph">,
    Option<"maxSeconds", "max-seconds", "double", "30",
           "most seconds of a block">,
    Option<"pdllCompiler", "pdll", "std::string", [{""}],
           "the program mlir-pdll (default: that of the build, or of the path)">,
    ListOption<"pdllIncludes", "pdll-includes", "std::string",
               "folders of files that PDLL includes, besides the file's own and "
               "MLIR's">
  ];
  let statistics = [
    Statistic<"numNodes", "nodes", "nodes of all graphs">,
    Statistic<"numClasses", "classes", "classes of all graphs">,
    Statistic<"numMatches", "matches", "matches of all rules">,
    Statistic<"numRefused", "refused", "matches whose result was refused">,
    Statistic<"numReplaced", "replaced", "values that were replaced">,
    Statistic<"numStopped", "stopped", "functions that are not saturated">
  ];
  let dependentDialects = ["::mlir::pdl::PDLDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_SATURATIONPASSES_TD
