//===- ShardPicture.h - Tensors over ranks, drawn ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two pictures of a tensor that lies on a grid of ranks:
//
//   its shards    the tensor, cut; and rank by rank what it has (its colour),
//                 what it needs beside (hatched, in the colour of who has it),
//                 and across which end of the tensor a halo comes
//   an exchange   who sends how many bytes to whom: a matrix of sender by
//                 receiver with sums, the ranks on their grid with arrows where
//                 there are few, and the messages
//
// A grid of thousands of ranks is drawn in part, and the picture says so.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXPORT_SHARDPICTURE_H
#define TENSORACCESS_EXPORT_SHARDPICTURE_H

#include "TensorAccess/Core/Exchange.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::tensoraccess {

/// A tensor on a grid of ranks.
struct ShardedTensor {
  /// What it is called in the title.
  std::string name;
  Grid grid;
  llvm::SmallVector<int64_t, 4> shape;
  /// Who owns what. None for a tensor of which each rank holds what it needs.
  std::optional<Distribution> owned;
  /// What each rank needs, by rank; disjoint boxes in the tensor. None where
  /// nobody asks.
  std::optional<RankBoxes> needed;
  /// By dimension, whether halos come across the ends. Empty for nowhere.
  llvm::SmallVector<bool, 4> wraps;
  /// Bytes of an element; 0 to count elements.
  int64_t elementBytes = 0;
};

struct ShardPictureOptions {
  /// Ranks that are drawn one by one, at most: in [1, 64].
  int64_t maxRanks = 12;
};

/// Writes an SVG document of a tensor's shards; the text is the same on every
/// machine. None, or why there is no picture: neither owners nor needs, counts
/// of dimensions or of ranks that differ, a place that nobody owns. Nothing is
/// written then.
std::optional<std::string>
writeShardSvg(const ShardedTensor &tensor, llvm::raw_ostream &os,
              const ShardPictureOptions &options = {});

/// Writes an SVG document of who sends what to whom, so that each rank gets
/// what it needs. As above; owners and needs must be there.
std::optional<std::string>
writeExchangeSvg(const ShardedTensor &tensor, llvm::raw_ostream &os,
                 const ShardPictureOptions &options = {});

/// The same of an exchange that is given.
std::optional<std::string>
writeExchangeSvg(llvm::StringRef name, const Grid &grid,
                 const Exchange &exchange, int64_t elementBytes,
                 llvm::raw_ostream &os,
                 const ShardPictureOptions &options = {});

/// Registers `tensoraccess-translate --plan-to-svg`, `--shards-to-svg` and
/// `--exchange-to-svg`, which draw what a plan of shards says.
void registerShardTranslations();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXPORT_SHARDPICTURE_H
