//===- Exchange.h - Messages between ranks, and shards --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sharded program is a module with one function per rank, whose sizes are
// static and whose messages are `tensoraccess.exchange` ops:
//
//   module attributes {tensoraccess.ranks = 2 : i64} {
//     func.func @main_0(%x: tensor<3x5xf32>
//         {tensoraccess.shard = {shape = array<i64: 6, 5>,
//                                offsets = array<i64: 0, 0>}})
//         -> (tensor<3x5xf32> {tensoraccess.shard = …})
//         attributes {tensoraccess.program = "main",
//                     tensoraccess.rank = 0 : i64} …
//
// An argument or result with `tensoraccess.shard` is the box of a whole tensor
// that begins at `offsets` and has the sizes of its type; one without is whole
// on every rank. A function without `tensoraccess.program` is run by all ranks
// alike (and asks MPI for its rank).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_EXCHANGE_H
#define TENSORACCESS_IR_EXCHANGE_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {

/// A message: the rank it goes to or comes from, and which part of a tensor it
/// carries.
struct Message {
  int64_t rank = 0;
  Box box;
};

/// The largest tag of an exchange (C7).
inline constexpr int64_t kMaxTag = 32767;

/// On a module: how many ranks it is cut for. On a function: the program it is
/// a part of, and the rank that runs it. On arguments and results: which box of
/// a whole tensor they are.
inline constexpr llvm::StringLiteral kRanksName = "tensoraccess.ranks";
inline constexpr llvm::StringLiteral kProgramName = "tensoraccess.program";
inline constexpr llvm::StringLiteral kRankName = "tensoraccess.rank";
inline constexpr llvm::StringLiteral kShardName = "tensoraccess.shard";

/// A box of a whole tensor.
struct Shard {
  /// Of the whole tensor.
  SmallVector<int64_t> shape;
  Box box;
};

/// The value of `tensoraccess.shard` for a box of a tensor of that shape.
DictionaryAttr getShardAttr(MLIRContext *context, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> offsets);

/// Which box an argument or a result is; the whole tensor if nothing is
/// specified (`isWhole`). Emits an error at the function for a malformed
/// attribute, a type that is not a static tensor, and a box that leaves the
/// tensor.
FailureOr<Shard> getArgumentShard(FunctionOpInterface function, unsigned number,
                                  bool *isWhole = nullptr);
FailureOr<Shard> getResultShard(FunctionOpInterface function, unsigned number,
                                bool *isWhole = nullptr);

/// How many ranks a module is cut for; std::nullopt if unspecified. Emits an
/// error at the module if that is not a positive 64-bit integer.
FailureOr<std::optional<int64_t>> getRanks(ModuleOp module);

/// The function of a program that a rank runs; the one with the program's name
/// if none is for single ranks. Emits an error at the module if there is none,
/// more than one, or if it has no body.
FailureOr<FunctionOpInterface> findProgram(ModuleOp module, StringRef program,
                                           int64_t rank);

} // namespace mlir::tensoraccess

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessExchange.h.inc"

namespace mlir::tensoraccess {

/// The bytes that a rank sends to others by the exchanges of a function;
/// std::nullopt if the program does not determine it: for exchanges in loops,
/// branches and other functions, and if MPI is called directly.
std::optional<int64_t> countSentBytes(FunctionOpInterface function,
                                      int64_t rank);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_EXCHANGE_H
