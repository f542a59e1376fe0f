//===- ShardTraffic.h - What pictures ask of exchanges --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks are drawn, and the messages that they get.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_SHARDTRAFFIC_H
#define TENSORACCESS_LIB_EXPORT_SHARDTRAFFIC_H

#include "TensorAccess/Export/Pictures.h"

namespace mlir::tensoraccess {

/// On grids of more ranks only the messages to ranks that are drawn are listed.
constexpr int64_t kMaxListedRanks = 512;

/// None if a tensor and the options fit together.
std::optional<std::string> checkPicture(const ShardedTensor &tensor,
                                        const ShardPictureOptions &options);

/// What a rank needs and lacks.
SmallVector<Box, 4> getRemote(const ShardedTensor &tensor, int64_t rank);

/// The ranks to draw one by one: all, or the first ones, the one that needs
/// most beyond what it has, and the last.
std::vector<int64_t> chooseRanks(const ShardedTensor &tensor, int64_t most);

/// The messages to all ranks, or only to those that are drawn. None and `error`
/// for a place that no rank owns.
std::optional<Exchange> getMessages(const ShardedTensor &tensor,
                                    llvm::ArrayRef<int64_t> drawn,
                                    std::string &error);

/// The elements of a box, or their bytes if it is known how large they are.
uint64_t getAmount(const Box &box, int64_t elementBytes);
/// `320 B`, or `80 elements`.
std::string printAmount(uint64_t amount, int64_t elementBytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_SHARDTRAFFIC_H
