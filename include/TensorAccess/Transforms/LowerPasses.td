//===- LowerPasses.td - From kernels to the LLVM dialect ---*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_LOWERPASSES_TD
#define TENSORACCESS_TRANSFORMS_LOWERPASSES_TD

include "mlir/Pass/PassBase.td"

def LowerAsserts : Pass<"tensoraccess-lower-asserts", "::mlir::ModuleOp"> {
  let summary = "calls a function when an assertion fails";
  let description = [{
    `cf.assert` and `tensoraccess.assert` become a call, where the condition is
    false, of the function named `handler`, which does not return: in C, `void
    handler(const char *message, int64_t count, const int64_t *values)`. Where
    there are values, `{i}` in the message stands for value i and `{{` for a
    brace. Upstream's lowering would end the process.

    ```
    // Before
    cf.assert %inside, "index out of bounds"
    // After
    scf.if %outside {
      %text = llvm.mlir.addressof @tensoraccess_message : !llvm.ptr
      func.call @handler(%text, %c0, %none)
          : (!llvm.ptr, i64, !llvm.ptr) -> ()
    }
    ```

    With an empty handler `tensoraccess.assert` becomes `cf.assert`, which has
    `?` for each value.

    Preserves results exactly.
  }];
  let options = [
    Option<"handler", "handler", "std::string", "\"tensoraccess_fail\"",
           "the function to call; empty for cf.assert">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::scf::SCFDialect"];
}

def OutlineTasks : Pass<"tensoraccess-outline-tasks", "::mlir::ModuleOp"> {
  let summary = "outlines the bodies of parallel loops into functions";
  let description = [{
    A `scf.forall` without results, and what it reads from outside, become a
    private function that takes the number of an iteration, and a call of it
    that takes their count instead; `tensoraccess-launch-tasks` makes a call for
    each iteration of that. Loops that read anything but scalars and strided
    buffers stay.

    ```
    // Before
    scf.forall (%i) in (4) { … %a … }
    // After
    func.call @tensoraccess_task(%c4, %a) : (index, memref<64xf32>) -> ()
    func.func private @tensoraccess_task(%i: index, %a: memref<64xf32>)
        attributes {tensoraccess.task} { … }
    ```
  }];
  let statistics = [Statistic<"outlined", "outlined", "loops outlined">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def PlanArena : Pass<"tensoraccess-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "merges the buffers that a function allocates and frees into one";
  let description = [{
    Buffers of known sizes that the function's only block allocates and frees become
    views of one, the arena, at multiples of 64 bytes. Those that are live at some
    time together, from their first use to where they are freed, do not overlap; each
    takes the smallest gap there is for it, the large ones first, or those that are
    live first, whichever makes the smaller arena. It is never smaller than the most
    bytes that are live at a time.

    ```
    // Before
    %a = memref.alloc() : memref<100xf32>
    call @f(%x, %a) …
    %b = memref.alloc() : memref<50xf32>
    call @g(%a, %b) …
    memref.dealloc %a
    %c = memref.alloc() : memref<70xf32>
    call @g(%b, %c) …
    // After
    %arena = memref.alloc() {alignment = 64 : i64} : memref<704xi8>
    %a = memref.view %arena[%c0][] : memref<704xi8> to memref<100xf32>
    %b = memref.view %arena[%c448][] : memref<704xi8> to memref<50xf32>
    %c = memref.view %arena[%c0][] : memref<704xi8> to memref<70xf32>
    ```

    Results and whatever else leaves the function keep their own buffers.
    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"planned", "planned", "buffers in arenas">];
}

def ExpandMath : Pass<"tensoraccess-expand-math", "::mlir::ModuleOp"> {
  let summary = "makes functions of floats as accurate as docs/Elementwise.md states";
  let description = [{
    On scalars and vectors:

    * `exp`, `exp2`, `expm1`, `log`, `log2`, `log1p`, `tanh`, `erf` and `erfc` of
      types up to f32 become arithmetic on f32, which vectors have, within 2 ulps;
      `rsqrt` of f16 and bf16 is computed in f32 and rounded once;
    * `expm1` and `log1p` of f64 become calls of libm: e^x - 1 and log(1 + x)
      have no digits near 0;
    * `acosh` and `log10` of f32 are computed in f64, `cbrt` of f64 gets a
      step of Newton's, where libm's are more than 2 ulps off;
    * `fma` of f16 and bf16 rounds once; `fpowi` becomes `powf` of f64.

    What a function computes for eight vectors or more, as kernels of many
    accumulators do, it calls a function for, which is made once.

    ```
    // Before
    %0 = math.rsqrt %x : f16
    // After
    %1 = arith.extf %x : f16 to f32
    %2 = math.rsqrt %1 : f32
    %0 = arith.truncf %2 : f32 to f16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandBF16 : Pass<"tensoraccess-expand-bf16"> {
  let summary = "computes bf16 in f32, and rounds by integer arithmetic";
  let description = [{
    Arithmetic of `arith`, `math` and `vector` on scalars and vectors of bf16
    becomes arithmetic on f32, each result rounded to nearest even; conversions
    become integer arithmetic, without double rounding from f64 and integers.
    Results are then the same on every processor: instructions for bf16 exist on
    some, and flush subnormal numbers to zero there.

    ```
    // Before
    %c = arith.addf %a, %b : bf16
    // After
    %a0 = arith.bitcast %a : bf16 to i16
    %a1 = arith.extui %a0 : i16 to i32
    %a2 = arith.shli %a1, %c16 : i32
    %a3 = arith.bitcast %a2 : i32 to f32
    ...
    %c0 = arith.addf %a3, %b3 : f32
    ...                                  // rounds the bits of %c0
    %c = arith.bitcast %c9 : i16 to bf16
    ```

    Tensors and memrefs of bf16 stay. A NaN stays one, but not its payload.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandDynamicShapes : Pass<"tensoraccess-expand-dynamic-shapes"> {
  let summary = "makes views of reshapes into several unknown sizes";
  let description = [{
    `memref.expand_shape` of one dimension into several of unknown size becomes
    a `memref.reinterpret_cast` of the sizes that it is given, since
    `expand-strided-metadata` takes one unknown size a dimension at most.

    ```
    // Before
    %1 = memref.expand_shape %0 [[0, 1]] output_shape [%m, %n]
       : memref<?xf32> into memref<?x?xf32>
    // After
    %1 = memref.reinterpret_cast %base to offset: [0], sizes: [%m, %n],
      strides: [%n, 1] : memref<f32> to memref<?x?xf32>
    ```

    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LaunchTasks : Pass<"tensoraccess-launch-tasks", "::mlir::ModuleOp"> {
  let summary = "runs the iterations of tasks on several threads";
  let description = [{
    In the LLVM dialect, each call of a function marked `tensoraccess.task`
    becomes a call of the runtime's `tensoraccess_parallel(body, record,
    count)`, which calls `body(record, i)` for each i below `count`, from
    several threads and in any order, and returns when all have returned. The
    record, on the stack, holds the task's other arguments.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertToLLVM : Pass<"tensoraccess-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "converts scalars, buffers and functions to the LLVM dialect at once";
  let description = [{
    Does what upstream's passes to LLVM do for the dialects arith, cf, func, index,
    math, memref, ub and vector, of math by libm what LLVM has no intrinsic for, in
    one walk. What has no lowering stays.

    ```
    // Before
    func.func @f(%x: f32) -> f32 {
      %0 = math.cbrt %x : f32
      return %0 : f32
    }
    // After
    llvm.func @cbrtf(f32) -> f32
    llvm.func @f(%x: f32) -> f32 {
      %0 = llvm.call @cbrtf(%x) : (f32) -> f32
      llvm.return %0 : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def BF16ToI16 : Pass<"tensoraccess-bf16-to-i16", "::mlir::ModuleOp"> {
  let summary = "turns bf16 that is only moved into i16, in the LLVM dialect";
  let description = [{
    Types and constants of bf16 become those of i16 with the same bits, in
    functions, globals, loads, stores, shuffles. Code generators of processors
    with instructions for bf16 end the process on some moves of its vectors.
    Does nothing to a module in which something is still computed in bf16.

    ```
    // Before
    %0 = llvm.load %p : !llvm.ptr -> vector<9xbf16>
    // After
    %0 = llvm.load %p : !llvm.ptr -> vector<9xi16>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def BoolsToBytes : Pass<"tensoraccess-bools-to-bytes", "::mlir::ModuleOp"> {
  let summary = "loads and stores i1 as the byte that it takes, in the LLVM dialect";
  let description = [{
    LLVM makes vectors of loops over bytes, but not of loops over i1.

    ```
    // Before
    %0 = llvm.load %p : !llvm.ptr -> i1
    // After
    %1 = llvm.load %p : !llvm.ptr -> i8
    %0 = llvm.trunc %1 : i8 to i1
    ```

    Preserves results: such a byte is 0 or 1.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_LOWERPASSES_TD
