//===- TensorAccessExchange.td - Messages between ranks ----*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one rank of a sharded program says to the others: one op, from which
// every collective and every resharding is made.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_EXCHANGE_TD
#define TENSORACCESS_IR_EXCHANGE_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "TensorAccess/IR/TensorAccessDialect.td"

def TensorAccess_ExchangeOp : TensorAccess_Op<"exchange", [
    DestinationStyleOpInterface,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "sends boxes of a tensor to other ranks and receives boxes";
  let description = [{
    Each message is a rank and a box, `rank: [offsets] x [sizes]`. The elements
    of a box of `source`, in row-major order, go to the rank that it names; what
    comes from a rank fills a box of the destination, in row-major order. The
    result is the destination with these boxes replaced; nothing else of it
    changes. All messages are under way at once, and the op ends when all have
    arrived, so ranks may send to one another in a cycle.

    A message from p to q meets one from q's op with the same tag: the k-th that
    p sends to q is the k-th that q receives from p. Every rank has to reach
    its exchanges in an order that lets this happen: the same program order of
    tags on all ranks does. A rank may send to itself.

    On memrefs there is no result.

    - C1: source and destination have one element type.
    - C2: their shapes are static.
    - C3: ranks are ≥ 0.
    - C4: each message has one offset and one size per dimension.
    - C5: boxes are not empty and are inside their tensors.
    - C6: received boxes are disjoint.
    - C7: the tag is in [0, 32767], which every implementation of MPI supports.
    - C8: a message has at most 2^63 - 1 elements; MPI gets long ones in pieces.
    - C9: source, destination are both tensors or both memrefs; the result is
      there for tensors only and has the destination's type.

    ```mlir
    // Rank 1 of three owns rows [3, 6) and needs a halo of one row each side.
    %u = tensoraccess.exchange %own into %room tag 7
           send [0: [0, 0] x [1, 5], 2: [2, 0] x [1, 5]]
           receive [0: [0, 0] x [1, 5], 2: [4, 0] x [1, 5]]
       : tensor<3x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>:$source,
    AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>:$dest,
    I64Attr:$tag,
    DenseI64ArrayAttr:$sendRanks, DenseI64ArrayAttr:$sendOffsets,
    DenseI64ArrayAttr:$sendSizes,
    DenseI64ArrayAttr:$receiveRanks, DenseI64ArrayAttr:$receiveOffsets,
    DenseI64ArrayAttr:$receiveSizes);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $source `into` $dest `tag` $tag
    `send` custom<Messages>($sendRanks, $sendOffsets, $sendSizes)
    `receive` custom<Messages>($receiveRanks, $receiveOffsets, $receiveSizes)
    attr-dict `:` type($source) `,` type($dest) (`->` type($result)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$dest,
                   "int64_t":$tag,
                   "::llvm::ArrayRef<::mlir::tensoraccess::Message>":$sends,
                   "::llvm::ArrayRef<::mlir::tensoraccess::Message>":$receives)>
  ];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::tensoraccess::Message> getSends();
    ::llvm::SmallVector<::mlir::tensoraccess::Message> getReceives();
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getDestMutable();
    }
  }];
  let hasVerifier = 1;
}

#endif // TENSORACCESS_IR_EXCHANGE_TD
