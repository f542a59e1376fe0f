//===- ParallelPasses.td - Kernels on several cores --------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_PARALLELPASSES_TD
#define TENSORACCESS_TRANSFORMS_PARALLELPASSES_TD

include "mlir/Pass/PassBase.td"

def BlockKernels : Pass<"tensoraccess-block-kernels", "::mlir::ModuleOp"> {
  let summary = "runs ops on the same rows one after the other while caches hold "
                "them";
  let description = [{
    Linalg ops on buffers of known sizes that follow one another and have rows in
    common become one loop over parts of the rows: each op writes its results row
    by row, and reads what the others have written at the same rows only. A part
    is as large as half of the target's second cache, or smaller, where there are
    several cores; then the loop is a `scf.forall`. Buffers that nothing else has
    become buffers of a part.

    ```
    // Before: the sums of rows, and rows divided by them
    linalg.reduce ins(%x : memref<4096x1024xf32>) outs(%s : memref<4096xf32>)
    linalg.generic ins(%x, %s) outs(%y : memref<4096x1024xf32>)
    // After
    scf.for %part = … {
      %xs = memref.subview %x[%at, 0] [128, 1024] [1, 1]
      %own = memref.alloc() : memref<128xf32>
      linalg.reduce ins(%xs) outs(%own)
      linalg.generic ins(%xs, %own) outs(%ys)
      memref.dealloc %own
    }
    ```

    Preserves results bit by bit. Products stay, and ops with assertions or that
    read more than 64 KiB that all rows share.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">,
    Option<"cores", "cores", "int64_t", "0",
           "cores to cut for; 0: those of the target">
  ];
  let statistics = [Statistic<"blocked", "blocked", "ops in such loops">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ParallelizeKernels
    : Pass<"tensoraccess-parallelize-kernels", "::mlir::ModuleOp"> {
  let summary = "cuts linalg ops on buffers for several cores";
  let description = [{
    A linalg op of known sizes becomes a `scf.forall` over parts of one of its
    parallel loops, with the fill that its result begins with and the elementwise
    op that takes it. Loop and number of parts are those of least cost for the
    target's cores: parts of equal size, in which little is read or copied again;
    columns are cut at whole vectors. Ops of little work stay whole.

    ```
    // Before: 512x256 by 256x512, on two cores
    linalg.fill ins(%zero) outs(%c)
    linalg.matmul ins(%a, %b) outs(%c)
    // After
    scf.forall (%part) in (2) {
      %at = arith.muli %part, %c256 : index
      %bs = memref.subview %b[0, %at] [256, 256] [1, 1]
      %cs = memref.subview %c[0, %at] [512, 256] [1, 1]
      linalg.fill ins(%zero) outs(%cs)
      linalg.matmul ins(%a, %bs) outs(%cs)
    }
    ```

    Preserves results bit by bit. Ops with asserts are cut along their first
    loop, so that what fails first is the same. Those stay whose body writes to
    memory, and those that write to a buffer which is neither an allocation nor an
    argument marked `llvm.noalias`: another one could overlap it.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">,
    Option<"cores", "cores", "int64_t", "0",
           "cores to cut for; 0: those of the target">
  ];
  let statistics = [Statistic<"parallelized", "parallelized", "ops cut">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
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

#endif // TENSORACCESS_TRANSFORMS_PARALLELPASSES_TD
