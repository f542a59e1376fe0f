//===- Figures.h - Numbers and colours in pictures --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours of ranks and of amounts; counts, sizes and ranks as text.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_FIGURES_H
#define TENSORACCESS_LIB_EXPORT_FIGURES_H

#include "Sheet.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/Exchange.h"

#include <vector>

namespace mlir::tensoraccess {

/// Fills that people with any colour vision tell apart (after Okabe and Ito),
/// made so light that text in ink is read on them; eight, then they repeat.
llvm::StringRef getRankColor(size_t number);
/// Of steps 0 (nothing) to kHeatSteps, darker for more. Text on the last two is
/// white.
constexpr unsigned kHeatSteps = 5;
llvm::StringRef getHeatColor(unsigned step);
llvm::StringRef getHeatInk(unsigned step);
/// The step of a value: 0 only for 0, the last for the maximum, equal stretches
/// between.
unsigned getHeatStep(uint64_t value, uint64_t maximum);

/// `16,777,216`.
std::string printCount(uint64_t count);
/// `320 B`, `7.68 kB`, `1.2 MB`: three digits, powers of 1000.
std::string printBytes(uint64_t bytes);
/// `12.3 µs`, likewise.
std::string printDuration(double seconds);
/// `1 x 42 x 8`, or `scalar`.
std::string printShape(llvm::ArrayRef<int64_t> shape);
/// `3 (rows 1, cols 1)`.
std::string printRank(const Grid &grid, int64_t rank);
/// `d1 [0, 21), d2 [3, 5)` of some dimensions of a box, `everything` for none
/// of them, `nothing` for an empty box.
std::string printDims(const Box &box, llvm::ArrayRef<unsigned> dims);
/// `0, 4, 8` or `0, 4, … 64 ranks`, in at most `width` pixels; nothing if not
/// even a number fits.
std::string printRanks(llvm::ArrayRef<int64_t> ranks, int width, int size);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_FIGURES_H
