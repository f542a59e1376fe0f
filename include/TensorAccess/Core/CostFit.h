//===- CostFit.h - Rates that fit what was measured -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From times of blocks to the rates of a cost model (BlockCost.h):
//
//   cliffs   bytes that stream through a working set of each size: what a byte
//            takes in each cache and past all of them
//   rates    of an op, from blocks of several shapes: start, point, byte, how
//            many lanes a vector has, and what a panel costs that is larger
//            than a cache
//
// A fit is judged by factors: how many times a block takes as long as the model
// says, or the other way round. No rate is negative.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_COSTFIT_H
#define TENSORACCESS_CORE_COSTFIT_H

#include "TensorAccess/Core/BlockCost.h"

namespace mlir::tensoraccess {

/// A run that was measured.
struct CostSample {
  double points = 0, bytes = 0, seconds = 0;
};

/// The rates start, point and byte that fit samples best (least squares of the
/// relative error), none of them negative. None and `error` without samples of
/// positive time.
std::optional<OpRates> fitRates(llvm::StringRef op,
                                llvm::ArrayRef<CostSample> samples,
                                std::string &error);

/// A block that was measured.
struct BlockSample {
  BlockWork work;
  double seconds = 0;
  /// Memory besides what the op touches.
  double scratchBytes = 0;
};

/// How far times are from the model, as factors of at least 1: max(modelled /
/// measured, measured / modelled).
struct FitQuality {
  size_t samples = 0;
  double median = 1, nineOfTen = 1, most = 1;

  /// `12 samples, off by 1.05 in the middle, 1.20 for nine of ten, 1.31 at
  /// most`
  std::string str() const;
};

/// Of factors in any order; those below 1 count as their inverse.
FitQuality getQuality(llvm::ArrayRef<double> factors);

struct FitOptions {
  /// Of the model that the rates go to.
  llvm::ArrayRef<CostCliff> cliffs;
  /// Sizes past which a panel may cost more.
  llvm::ArrayRef<int64_t> caches;
  /// How many lanes are tried.
  llvm::ArrayRef<int64_t> lanes;
};

struct OpFit {
  OpRates rates;
  FitQuality quality;
};

/// The rates of an op that fit blocks best: least squares of the logarithms'
/// differences, blocks far off counting less. Scratch memory is fitted by a
/// constant and bytes per point. None and `error` as fitRates, and for blocks
/// that no cost can be asked of.
std::optional<OpFit> fitBlocks(llvm::StringRef op,
                               llvm::ArrayRef<BlockSample> samples,
                               const FitOptions &options, std::string &error);

/// Bytes that went through a working set of so many.
struct StreamSample {
  double workingSet = 0, bytes = 0, seconds = 0;
};

struct StreamFit {
  double start = 0, byte = 0;
  /// At the caches, factors of `byte` that don't fall.
  llvm::SmallVector<CostCliff, 4> cliffs;
};

/// What a byte takes within the first of the ascending `caches`, and how much
/// dearer it is past each: medians. A size without samples is as dear as the
/// one before. None and `error` without samples within the first.
std::optional<StreamFit> fitStreams(llvm::ArrayRef<StreamSample> samples,
                                    llvm::ArrayRef<int64_t> caches,
                                    std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_COSTFIT_H
