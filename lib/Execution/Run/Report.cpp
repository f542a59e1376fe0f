//===- Report.cpp - Prints results and comparisons ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Run.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir::tensoraccess;

/// The greatest magnitude among the finite elements.
double mlir::tensoraccess::largestMagnitude(const Tensor &tensor) {
  double largest = 0;
  forEachIndex(tensor.getShape(), [&](llvm::ArrayRef<int64_t> index) {
    double value = std::fabs(tensor.getDouble(index));
    if (std::isfinite(value))
      largest = std::max(largest, value);
  });
  return largest;
}

void mlir::tensoraccess::reportResult(llvm::raw_ostream &os, int64_t number,
                                      const Tensor &result) {
  double sum = 0;
  uint64_t checksum = 0;
  forEachIndex(result.getShape(), [&](llvm::ArrayRef<int64_t> index) {
    sum += result.getDouble(index);
  });
  if (llvm::Expected<Tensor> dense = result.toDense())
    checksum = llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
        dense->getDataAs<uint8_t>(),
        dense->getNumElements() * byteSize(dense->getElementType())));
  else
    llvm::consumeError(dense.takeError());
  os << "result " << number << "  " << describe(result);
  if (result.getNumElements() == 1)
    os << "  value " << llvm::format("%.9g", sum);
  else if (result.getNumElements() > 1)
    os << "  mean "
       << llvm::format("%.6g",
                       sum / static_cast<double>(result.getNumElements()));
  os << "  checksum " << llvm::format_hex_no_prefix(checksum, 16) << '\n';
}

/// ` at [1, 2]`, or nothing where there is no index.
static std::string atIndex(llvm::ArrayRef<int64_t> index) {
  if (index.empty())
    return {};
  return " at " + llvm::interleaved_array(index).str();
}

llvm::Expected<bool> mlir::tensoraccess::reportComparison(
    llvm::raw_ostream &os, int64_t number, const Tensor &result,
    const Tensor &expected, const Tolerance &tolerance, double magnitude) {
  llvm::Expected<Comparison> difference = compare(result, expected);
  if (!difference)
    return difference.takeError();
  double allowed = tolerance.relative == 0
                       ? 0
                       : tolerance.relative *
                             std::max({largestMagnitude(result),
                                       largestMagnitude(expected), magnitude});
  bool agree = difference->nanMismatches == 0 && difference->maxAbs <= allowed;
  os << "compare " << number << "  "
     << (difference->allBitEqual() ? "equal, bit for bit"
         : agree                   ? "equal within tolerance"
                                   : "DIFFERENT")
     << ": " << difference->bitEqual << " of " << difference->elements
     << " elements bit-equal";
  if (!difference->allBitEqual()) {
    os << ", max |a - b| " << llvm::format("%.3g", difference->maxAbs)
       << atIndex(difference->maxAbsIndex) << ", max relative "
       << llvm::format("%.3g", difference->maxRel)
       << atIndex(difference->maxRelIndex);
    if (difference->nanMismatches != 0)
      os << ", " << difference->nanMismatches
         << " elements NaN on one side only";
    os << "; allowed " << llvm::format("%.3g", allowed) << " = "
       << llvm::format("%.3g", tolerance.relative) << " x largest magnitude ("
       << tolerance.reason
       << (magnitude > 0 ? ", of terms as large as without their signs" : "")
       << ")";
    if (!difference->maxAbsIndex.empty())
      os << "; at the largest |a - b|: "
         << llvm::format("%.9g", result.getDouble(difference->maxAbsIndex))
         << " against "
         << llvm::format("%.9g", expected.getDouble(difference->maxAbsIndex));
  }
  os << '\n';
  return agree;
}
