//===- PlanPicture.h - A plan of shards on one page -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the attributes of a planned function (Analysis/ShardedProgram.h) mean:
// op after op how it is cut, what it and its messages take, how many bytes are
// sent because of it, and how many a rank holds. From the same attributes come
// the pictures of single tensors and exchanges (ShardPicture.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXPORT_PLANPICTURE_H
#define TENSORACCESS_EXPORT_PLANPICTURE_H

#include "TensorAccess/Analysis/ShardedProgram.h"
#include "TensorAccess/Export/ShardPicture.h"

namespace mlir::tensoraccess {

struct PlanPictureOptions {
  /// Rows at most, in [10, 1000]; of more those that take longest are shown one
  /// by one, and what lies between in one row each.
  int64_t maxRows = 120;
  /// A line below the title, as how a plan was found.
  std::string note;
};

/// Writes an SVG document; the text is the same on every machine. A row is an
/// op that reduces, or begins another cut, or waits for messages, with the ops
/// after it that do none of this. None, or why there is no picture.
std::optional<std::string> writePlanSvg(FunctionOpInterface function,
                                        const ShardedProgram &program,
                                        llvm::raw_ostream &os,
                                        const PlanPictureOptions &options = {});

/// Which tensor of a planned function is meant.
struct ShardChoice {
  /// The function; the first one with a grid where empty.
  std::string function;
  /// An op as `linalg.generic`, or `linalg.generic#2` for the third; where
  /// empty, the op that the most bytes are sent for.
  std::string op;
  /// An operand of it, or else a result. Without either, what the most bytes
  /// are sent for, else result 0.
  std::optional<unsigned> operand, result;
};

/// The function that is meant; an error at `root` where there is none.
FailureOr<FunctionOpInterface> findPlanned(Operation *root, StringRef name);

/// What the attributes of a function mean; errors at the function and its ops.
FailureOr<ShardedProgram> readShardedProgram(FunctionOpInterface function,
                                             const CostModel &model);

/// The tensor that is exchanged, without a name.
ShardedTensor getShardedTensor(const ShardedProgram &program,
                               const ShardExchange &exchange);

/// A tensor of a program: an operand with what its op needs of it, a result as
/// it is left, or, if its op reduces in parts, the summands and where the sums
/// are needed. None and `error` for what there is not.
std::optional<ShardedTensor> getShardedTensor(FunctionOpInterface function,
                                              const ShardedProgram &program,
                                              const ShardChoice &choice,
                                              std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXPORT_PLANPICTURE_H
