//===- ShardTraffic.cpp - What pictures ask of exchanges ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardTraffic.h"
#include "Canvas/Figures.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;

std::optional<std::string>
mlir::tensoraccess::checkPicture(const ShardedTensor &tensor,
                                 const ShardPictureOptions &options) {
  const size_t rank = tensor.shape.size();
  auto has = [&](llvm::StringRef what, size_t count) {
    return "the tensor has " + std::to_string(rank) + " dimensions, but " +
           what.str() + " " + std::to_string(count);
  };
  if (options.maxRanks < 1 || options.maxRanks > 64)
    return "ranks that are drawn must be in [1, 64], got " +
           std::to_string(options.maxRanks);
  if (std::optional<std::string> problem = tensor.grid.verify())
    return problem;
  for (auto [d, size] : llvm::enumerate(tensor.shape))
    if (size < 0)
      return "dimension " + std::to_string(d) + " must not be negative, got " +
             std::to_string(size);
  if (tensor.elementBytes < 0)
    return "an element must not have a negative number of bytes, got " +
           std::to_string(tensor.elementBytes);
  if (!tensor.wraps.empty() && tensor.wraps.size() != rank)
    return has("it is said of", tensor.wraps.size()) + " whether they wrap";
  if (!tensor.owned && !tensor.needed)
    return std::string("it is not known who owns the tensor or who needs it");
  if (tensor.owned) {
    if (tensor.owned->dims.size() != rank)
      return has("the distribution", tensor.owned->dims.size());
    if (std::optional<std::string> problem = tensor.owned->verify(tensor.grid))
      return problem;
  }
  if (!tensor.needed)
    return std::nullopt;
  const int64_t ranks = tensor.grid.getNumRanks();
  if (static_cast<int64_t>(tensor.needed->size()) != ranks)
    return "the grid has " + std::to_string(ranks) +
           " ranks, got what is needed by " +
           std::to_string(tensor.needed->size());
  for (const auto &boxes : *tensor.needed)
    for (const Box &box : boxes)
      if (box.lo.size() != rank)
        return has("a box that is needed", box.lo.size());
  return std::nullopt;
}

llvm::SmallVector<Box, 4>
mlir::tensoraccess::getRemote(const ShardedTensor &tensor, int64_t rank) {
  llvm::SmallVector<Box, 4> out;
  if (!tensor.needed || !tensor.owned)
    return out;
  const Box own = tensor.owned->getBox(tensor.grid, tensor.shape, rank);
  for (const Box &box : (*tensor.needed)[rank])
    for (const Box &piece : subtractBox(box, own))
      if (!piece.isEmpty())
        out.push_back(piece);
  return out;
}

std::vector<int64_t>
mlir::tensoraccess::chooseRanks(const ShardedTensor &tensor, int64_t most) {
  const int64_t ranks = tensor.grid.getNumRanks();
  std::vector<int64_t> out;
  for (int64_t rank = 0; rank < std::min(ranks, most); ++rank)
    out.push_back(rank);
  if (ranks <= most)
    return out;
  int64_t busiest = 0;
  uint64_t count = 0;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    uint64_t own = 0;
    for (const Box &box : getRemote(tensor, rank))
      own += getVolume(box).value_or(0);
    if (own > count) {
      count = own;
      busiest = rank;
    }
  }
  // The last places are for the busiest and the last.
  if (most > 1)
    out[most - 1] = ranks - 1;
  if (most > 2 && busiest >= most - 2 && busiest != ranks - 1)
    out[most - 2] = busiest;
  return out;
}

std::optional<Exchange>
mlir::tensoraccess::getMessages(const ShardedTensor &tensor,
                                ArrayRef<int64_t> drawn, std::string &error) {
  if (!tensor.owned || !tensor.needed) {
    error = "neither who owns the tensor nor who needs it is given";
    return std::nullopt;
  }
  if (tensor.grid.getNumRanks() <= kMaxListedRanks)
    return getExchange(tensor.grid, *tensor.owned, tensor.shape, *tensor.needed,
                       error);
  RankBoxes needed(tensor.needed->size());
  for (int64_t rank : drawn)
    needed[rank] = (*tensor.needed)[rank];
  return getExchange(tensor.grid, *tensor.owned, tensor.shape, needed, error);
}

uint64_t mlir::tensoraccess::getAmount(const Box &box, int64_t elementBytes) {
  return getVolume(box).value_or(0) * std::max<int64_t>(elementBytes, 1);
}

std::string mlir::tensoraccess::printAmount(uint64_t amount,
                                            int64_t elementBytes) {
  return elementBytes
             ? printBytes(amount)
             : printCount(amount) + (amount == 1 ? " element" : " elements");
}
