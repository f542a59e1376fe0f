//===- BufferPasses.td - Before and after bufferization ----*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_BUFFERPASSES_TD
#define TENSORACCESS_TRANSFORMS_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandPads : Pass<"tensoraccess-expand-pads"> {
  let summary = "expands pads into insertions of their source and borders";
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
    something with an effect, such as an assertion, is between the empty tensor
    and the insertion.

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
    nothing reads that any more, else into a second buffer, which alternates
    with the first; the condition passes on buffers themselves, not copies.
    Small buffers of an iteration are made before the loop, once. Assumes
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
    is freed after the op of its block that uses it last, or that contains the
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

    - a factor is read in place if it was read whole, in bounds, and nothing
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

def PrepareFunctions : Pass<"tensoraccess-prepare-functions",
                            "::mlir::ModuleOp"> {
  let summary = "makes functions ready for bufferization and for callers";
  let description = [{
    - Tensor arguments of public functions get `bufferization.writable = false`:
      a caller's data are never overwritten.
    - Public functions with a body get `llvm.emit_c_interface`.
    - A tensor type with an encoding is an error: bufferization would drop it
      silently, and the data would be elsewhere than the type says.
    - `bufferization.alloc_tensor` loses its `memory_space`: what follows, and
      the host, have main memory only. For other memories bufferize without this
      pass.
    - In `tensor.extract_slice` and `tensor.insert_slice`, dimensions of size 1
      get stride 1: upstream's bufferization fails on others that are dropped.
    - What computes nothing but tensors of static shape without elements is a
      `tensor.empty`, as is a `tensor.collapse_shape` of a tensor with a dimension
      of size 0, and a `tensor.pad` of one a `tensor.generate`: views of such buffers
      are refused.
    - What the body of a structured op, `tensor.generate`, `tensor.pad` or
      `scf.parallel` writes into, but is made outside, is copied there: upstream
      writes in place, and the next point of the loop would see it.
    - A `vector.transfer_write` at zeros with a mask, or of a vector that is smaller
      than its tensor, writes to a copy of it: upstream's bufferization takes it for
      one of all elements.
    - An `scf.index_switch` that yields tensors becomes a chain of `scf.if`:
      upstream's bufferization would write to constants and arguments that it yields.

    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandCopies : Pass<"tensoraccess-expand-copies"> {
  let summary = "turns copies between strided buffers into loops";
  let description = [{
    `memref.copy` between buffers of which one is not contiguous becomes a
    `linalg.generic`, since its lowering would call a runtime library.
    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
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

def SeparateInits : Pass<"tensoraccess-separate-inits"> {
  let summary = "gives each op a destination of its own";
  let description = [{
    An empty tensor, or one filled with a scalar, that several ops write into, or
    that loops carry, is cloned for each of them: the undoing of what common
    subexpression elimination does to destinations. Otherwise bufferization keeps the filled
    buffer until the last of them, and copies it for each.

    ```
    // Before
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>)
    %1 = linalg.matmul ins(%a, %b : …) outs(%0 : tensor<5x7xf32>)
    %2 = linalg.matmul ins(%c, %d : …) outs(%0 : tensor<5x7xf32>)
    // After: a fill, and an empty tensor below it, for each
    ```

    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"separated", "separated", "destinations cloned">
  ];
}

def LowerAsserts : Pass<"tensoraccess-lower-asserts", "::mlir::ModuleOp"> {
  let summary = "calls a function where an assertion fails";
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

    With an empty handler `tensoraccess.assert` becomes `cf.assert`, which says
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

#endif // TENSORACCESS_TRANSFORMS_BUFFERPASSES_TD
