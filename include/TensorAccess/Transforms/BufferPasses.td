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

def PrepareFunctions : Pass<"tensoraccess-prepare-functions",
                            "::mlir::ModuleOp"> {
  let summary = "makes functions ready for bufferization and for callers";
  let description = [{
    - Tensor arguments of public functions get `bufferization.writable = false`:
      a caller's data are never overwritten.
    - Public functions with a body get `llvm.emit_c_interface`.
    - A tensor type with an encoding is an error: bufferization would drop it
      silently, and the data would not be where the type states.
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
      than its tensor, writes to a copy of it: upstream's bufferization mistakes it
      for one of all elements.
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

def SeparateInits : Pass<"tensoraccess-separate-inits"> {
  let summary = "gives each op its own destination";
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

def SinkMoves : Pass<"tensoraccess-sink-moves"> {
  let summary = "packs arguments right before their first use";
  let description = [{
    What only rearranges an argument of a function or a constant (packs, unpacks,
    transposes, pads by a constant, reshapes, slices, copies) moves down to the
    first op of its block that uses the result, or that contains one; so do empty
    tensors. The source is there all the time; the result is in memory no longer
    than it is needed, so that one buffer after the other serves all weights, and
    each is read while the cache has it.

    ```
    // Before
    %p = linalg.pack %w …
    %q = linalg.pack %v …
    %1 = linalg.generic … ins(%x, %p) …
    %2 = linalg.generic … ins(%1, %q) …
    // After
    %p = linalg.pack %w …
    %1 = linalg.generic … ins(%x, %p) …
    %q = linalg.pack %v …
    %2 = linalg.generic … ins(%1, %q) …
    ```

    Ops stay in their block: nothing enters a loop. Preserves results exactly.
  }];
  let statistics = [Statistic<"sunk", "sunk", "ops moved">];
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
  let summary = "omits copies of what scf.while carries";
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
  let summary = "frees buffers that only accesses in their block use";
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
    Upstream's `optimize-allocation-liveness` on each function, except in modules
    with messages under way (`mpi.isend`, `mpi.irecv`): the last use that the
    program shows of a buffer may be the beginning of a message, and its end
    comes later.
  }];
}

def ExchangeToMPI
    : Pass<"tensoraccess-exchange-to-mpi", "::mlir::ModuleOp"> {
  let summary = "turns exchanges on memrefs into non-blocking sends and receives";
  let description = [{
    All receives of an exchange begin, then all sends; then all are waited for.
    Boxes that are contiguous are sent and received in place, others by way of a
    buffer; boxes of more than `max-elements` in pieces.

    ```
    // Before
    tensoraccess.exchange %own into %room tag 7
      send [0: [0, 0] x [1, 5]] receive [0: [4, 0] x [1, 5]]
      : memref<3x5xf32>, memref<5x5xf32>
    // After
    %0 = memref.subview %room[4, 0] [1, 5] [1, 1] : …
    %1 = memref.subview %own[0, 0] [1, 5] [1, 1] : …
    %2 = mpi.comm_world : !mpi.comm
    %3 = mpi.irecv(%0, %tag, %rank, %2) : … -> !mpi.request
    %4 = mpi.isend(%1, %tag, %rank, %2) : … -> !mpi.request
    mpi.wait(%3) : !mpi.request
    mpi.wait(%4) : !mpi.request
    ```

    Assumes that bufferization and deallocation are done: a buffer must not be
    freed between the beginning of a message and its end. An exchange on tensors
    is an error. Preserves meaning exactly.
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", "2147483647",
           "most elements of a message; a longer one goes in pieces">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::mpi::MPIDialect"];
}

def LowerMpi : Pass<"tensoraccess-lower-mpi", "::mlir::ModuleOp"> {
  let summary = "turns the mpi dialect into calls of Open MPI or MPICH";
  let description = [{
    Every op of the dialect becomes a call of the function that it names, with
    the handles and constants of one implementation: that of the option, else
    the one that the module names (`dlti.map = #dlti.map<"MPI:Implementation" =
    "MPICH">`), else Open MPI.

    ```
    // Before
    mpi.send(%buffer, %tag, %rank, %world) : memref<3x5xf32>, i32, i32
    // After, for MPICH
    %0 = memref.extract_aligned_pointer_as_index %buffer : …
    …
    %code = call @MPI_Send(%pointer, %c15, %float, %rank, %tag, %world)
          : (!llvm.ptr, i32, i32, i32, i32, i32) -> i32
    call @tensoraccess_check_MPI_Send_at(%line, %column, %rank, %code)
    ```

    Where the program asks for a call's error code it gets it; elsewhere an
    error ends the program with a message, by an assertion in a function that is
    called with the code. `mpi.init` also sets that errors of
    calls come back (MPI_ERRORS_RETURN).

    Assumes ranked memrefs that are contiguous, of elements that MPI has, with at
    most 2^31 - 1 elements; what types leave open is checked at run time. All
    else is an error, and the module stays as it was. Runs on functions of func,
    scf and cf, before lower-asserts.
  }];
  let options = [
    Option<"implementation", "implementation", "std::string", "",
           "openmpi or mpich; the module's where empty">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::mpi::MPIDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
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

def ExpandCopies : Pass<"tensoraccess-expand-copies"> {
  let summary = "turns copies between strided buffers into loops";
  let description = [{
    `memref.copy` between buffers of which one is not contiguous becomes a
    `linalg.generic`, since its lowering would call a runtime library.
    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_BUFFERPASSES_TD
