//===- CalibrationKernels.h - Programs that are timed -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs around one op each, in sizes that tell apart what an op's
// rates are made of: beginnings, points, vectors that are not full, panels
// larger than a cache, bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_CALIBRATIONKERNELS_H
#define TENSORACCESS_LIB_EXECUTION_CALIBRATIONKERNELS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir::tensoraccess {

struct CalibrationKernel {
  /// What it is a sample of: an op, `*` for the families, or an operation of
  /// bodies, as `math.exp`.
  std::string group;
  /// A function @main; the last op of the name `root` is the one that counts.
  std::string program, root;
  /// What the time is more than that of, if anything.
  std::string baseline;
  /// The function streams: a sample for the cliffs.
  bool isStream = false;
  /// The group is one of bodies.
  bool isStep = false;
};

/// Those of a group in order of size. `quick` has few of each and no large
/// ones; streams are as large as it takes to leave the last of `caches`.
std::vector<CalibrationKernel> getCalibrationKernels(bool quick,
                                                     ArrayRef<int64_t> caches);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_CALIBRATIONKERNELS_H
