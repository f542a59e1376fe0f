//===- BlockReport.h - What blocks of ops cost, as remarks ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_BLOCKREPORT_H
#define TENSORACCESS_ANALYSIS_BLOCKREPORT_H

#include "TensorAccess/Analysis/BlockSpace.h"
#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Cost/Cost.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Blocks of ops and their costs, as remarks
//
// Selects a block of an op, and reports what it touches and what it costs by a
// model: section `blocks` of the report, and the pass
// `tensoraccess-annotate-blocks`. docs/Blocks.md lists items and metrics.
//
// An op may specify its own block and its own rates:
//
//   tensoraccess.block = {offsets = array<i64: 0, 8>, sizes = array<i64: 4, 8>}
//   tensoraccess.block = {sizes = array<i64: 4, 0>, of = "result"}
//   tensoraccess.cost = "point = 1.0e-10, scratch = 4096.0"      (OpCosts.h)
//===----------------------------------------------------------------------===//

/// All sections of `tensoraccess-report`, those of indexing first.
ArrayRef<ReportSection> getReportSections();

/// The cost of layouts, and what reading a tile of them moves.
void reportLayouts(ReportContext &report);
/// One block of each op: what it touches, its cost, and what growing it adds.
void reportBlocks(ReportContext &report);

/// Operations for elements and reads that do not matter: of each op, and in all.
void reportMasked(ReportContext &report);

/// An op's own block, a dictionary.
inline constexpr StringLiteral kBlockName = "tensoraccess.block";

/// Which block of each op is meant, unless the op specifies it.
struct BlockQuestion {
  /// One per axis, or per dimension of result 0 with `ofResult`. A size of 0
  /// means all from the offset on. Missing offsets are zeros.
  SmallVector<int64_t> offsets, sizes;
  bool ofResult = false;
  /// Without sizes: at most this many indices along each axis that is not
  /// summed over, from the middle; 0 for the whole space.
  int64_t extent = 0;
};

/// The selected block of `space`; std::nullopt and `error` if there is none.
std::optional<Box> chooseBlock(const BlockSpace &space,
                               const BlockQuestion &question,
                               std::string &error);

/// The work of a block, for a model. An op that only moves elements has no
/// points to pay for. std::nullopt and `error` if bytes are not known.
std::optional<BlockWork> getBlockWork(const BlockSpace &space, const Box &block,
                                      const BlockFootprints &footprints,
                                      const CostModel &model,
                                      std::string &error);

/// The cost of the block (getOpCost); zero for an empty one. std::nullopt and
/// `error` as above, and if there are no rates.
std::optional<BlockCost> getBlockCost(const BlockSpace &space, const Box &block,
                                      const BlockFootprints &footprints,
                                      const CostModel &model,
                                      std::string &error);

/// Reads a model from a file, or returns the generic one for an empty name.
/// std::nullopt and `error` if it cannot be read.
std::optional<CostModel> readCostModel(StringRef file, std::string &error);

/// Adds the items of one block; `model` may be null.
void addBlockItems(ReportContext &report, const BlockSpace &space,
                   const Box &block, const CostModel *model);

/// Whether blocks of an op are worth reporting: it has tensor results and
/// operands.
bool hasBlocks(Operation *op);

/// What is wrong with the options of section `blocks`.
std::optional<std::string> checkBlockOptions(const ReportOptions &options);

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

/// A type of XLA's with as many bits as an element takes in memory;
/// std::nullopt if none exists.
std::optional<XlaType> getStoredType(Type element);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_BLOCKREPORT_H
