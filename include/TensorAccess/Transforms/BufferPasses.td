//===- BufferPasses.td - Passes on buffers -----------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands around upstream's bufferization.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_BUFFERPASSES_TD
#define TENSORACCESS_TRANSFORMS_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandPads : Pass<"tensoraccess-expand-pads"> {
  let summary = "makes pads insertions of their source and their borders";
  let description = [{
    A `tensor.pad` of static sizes with one value becomes an empty tensor into
    which its source, and borders that are filled with the value, are inserted:
    each element is written once, and what computes the source may write it where
    it ends up (`tensoraccess-eliminate-empty-tensors`).

    ```
    // Before
    %p = tensor.pad %x low[1] high[2] {…} : tensor<4xf32> to tensor<7xf32>
    // After
    %e = tensor.empty() : tensor<7xf32>
    %0 = tensor.insert_slice %x into %e[1] [4] [1] …
    %1 = tensor.insert_slice %low into %0[0] [1] [1] …
    %p = tensor.insert_slice %high into %1[5] [2] [1] …
    ```

    Preserves results exactly. Other pads stay.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"expanded", "expanded", "pads expanded">];
}

def EliminateEmptyTensors
    : Pass<"tensoraccess-eliminate-empty-tensors", "::mlir::ModuleOp"> {
  let summary = "writes results where they are inserted, not past assertions";
  let description = [{
    Where the result of an op that writes into an empty tensor is inserted into
    another tensor, the op writes into the slice of that tensor at once, unless
    something with an effect, as an assertion, lies between the empty tensor and
    the insertion.

    ```
    // Before
    %e = tensor.empty() : tensor<4xf32>
    %y = linalg.generic … outs(%e : tensor<4xf32>) …
    %r = tensor.insert_slice %y into %z[8] [4] [1] …
    // After
    %e = tensor.extract_slice %z[8] [4] [1] …
    %y = linalg.generic … outs(%e : tensor<4xf32>) …
    %r = tensor.insert_slice %y into %z[8] [4] [1] …
    ```

    Upstream's `eliminate-empty-tensors` takes a slice before the assertion that
    keeps its bounds. Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::tensor::TensorDialect"];
}

def KeepLoopState : Pass<"tensoraccess-keep-loop-state"> {
  let summary = "leaves out copies of what scf.while carries along";
  let description = [{
    A state that the body of a loop makes anew is written into the old one where
    nothing reads that any more, else into a second buffer, which takes turns with
    the first; the condition passes on buffers themselves, not copies. Small buffers
    of an iteration are made before the loop, once. Assumes
    buffers as bufferization makes them, and comes before deallocation.

    A state of unknown sizes is kept where each of them is asked of the old one
    (`memref.dim %old`): so all trips have those of the first. Sizes that come from
    elsewhere, another state or tensor of the same ones, may differ in each trip as far
    as this pass knows, and one buffer would not do. A state that is lent to a call is
    kept in two buffers, where the call returns scalars at most; what a call returns a
    buffer for may be that buffer, so such a state is copied, as is one that a branch
    or an inner loop passes on.

    ```
    // Before
    scf.while (%s = %init) : (memref<8xf32>) -> memref<8xf32> {
      %copy = memref.alloc() : memref<8xf32>
      memref.copy %s, %copy : memref<8xf32> to memref<8xf32>
      scf.condition(%go) %copy : memref<8xf32>
    } do {
    ^bb0(%old: memref<8xf32>):
      %new = memref.alloc() : memref<8xf32>
      linalg.exp ins(%old : memref<8xf32>) outs(%new : memref<8xf32>)
      scf.yield %new : memref<8xf32>
    }
    // After
    %other = memref.alloc() : memref<8xf32>
    %end = scf.while (%turn = %false) : (i1) -> i1 {
      scf.condition(%go) %turn : i1
    } do {
    ^bb0(%turn: i1):
      %old = arith.select %turn, %other, %init : memref<8xf32>
      %new = arith.select %turn, %init, %other : memref<8xf32>
      linalg.exp ins(%old : memref<8xf32>) outs(%new : memref<8xf32>)
      %next = arith.xori %turn, %true : i1
      scf.yield %next : i1
    }
    %s = arith.select %end, %other, %init : memref<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def FreeLocals : Pass<"tensoraccess-free-locals", "::mlir::ModuleOp"> {
  let summary = "frees buffers that nothing but accesses in their block holds";
  let description = [{
    A buffer that only loads, stores, copies, structured ops and views of it use
    is freed behind the op of its block that uses it last, or that contains the
    last use. Deallocation by ownership, which takes quadratic time, leaves it
    alone then.

    ```
    // Before
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
    // After
    %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
    linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
    memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
    ```

    Does nothing in modules with messages under way (`mpi.isend`, `mpi.irecv`),
    whose buffers are in use for longer than the program shows.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def FreeEarly : Pass<"tensoraccess-free-early", "::mlir::ModuleOp"> {
  let summary = "frees buffers right after their last use";
  let description = [{
    Upstream's `optimize-allocation-liveness` on each function, but for modules
    with messages under way (`mpi.isend`, `mpi.irecv`): the last use that the
    program shows of a buffer may be the beginning of a message, and its end
    comes later.
  }];
}

def PlanArena : Pass<"tensoraccess-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "makes one buffer of those that a function allocates and frees";
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

    Results and whatever else leaves the function keep buffers of their own.
    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"planned", "planned", "buffers in arenas">];
}

def ContractLoops : Pass<"tensoraccess-contract-loops"> {
  let summary = "makes loops of large vector.contract ops";
  let description = [{
    Upstream writes a contraction out in full: code, and the time that LLVM takes
    for it, grow with the number of products. One of more than 4,096 products
    becomes a `linalg.generic` with the same maps on buffers:

    - a factor is read where it lies if it was read whole, in bounds, and nothing
      has been written since; else it is put in a buffer;
    - the sum is a buffer, which begins as the accumulator;
    - where the result is written whole, the buffer is copied there; other users
      read it as a vector again. The buffers end with the block.

    ```
    // Before
    %a = vector.transfer_read %x[%c0, %c0], %p : memref<64x64xf32>, …
    %r = vector.contract … %a, %b, %acc : … into vector<64x64xf32>
    // After
    linalg.generic … ins(%x, %y : …) outs(%sum : memref<64x64xf32>) …
    ```

    The order of sums is that of the loops. Others are left to upstream.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_BUFFERPASSES_TD
