//===- LinearQueries.h - Who holds an element, and how wide -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LINEARQUERIES_H
#define TENSORACCESS_CORE_LINEARQUERIES_H

#include "TensorAccess/Core/LinearLayout.h"

namespace mlir::tensoraccess {

/// How many numbers of the first input, in every block of that length, go to
/// neighbors of an array whose dimensions are the outputs in `order`, fastest
/// first: the width of a vector of registers. `order` is a permutation; with
/// 0, 1, … it is Triton's getNumConsecutiveInOut.
int64_t countConsecutive(const LinearLayout &layout,
                         llvm::ArrayRef<unsigned> order);
/// The same of a row-major array, whose last dimension is fastest.
int64_t countConsecutive(const LinearLayout &layout);

/// All points of the inputs that give an index, least words first. std::nullopt
/// and `error` for another number of outputs, an index outside of them, and more
/// than 2^kMostHolderBits points.
constexpr unsigned kMostHolderBits = 20;
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>, 0>>
findHolders(const LinearLayout &layout, llvm::ArrayRef<int64_t> index,
            std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LINEARQUERIES_H
