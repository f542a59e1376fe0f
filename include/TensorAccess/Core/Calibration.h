//===- Calibration.h - Measured costs and the file they are kept in -*- C++
//-*-=//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a calibration found, as a text: a cost model (BlockCost.h) under
// comments that say of which machine it is and how well it fits. It reads as a
// model wherever one is read.
//
//   # tensoraccess calibration 1
//   # cpu AMD EPYC
//   # cores 2
//   # caches 32768 524288 33554432
//   # build tensoraccess 0.1.0, LLVM 22.1.8
//   # fit linalg.matmul: 12 samples, off by 1.05 in the middle, …
//   machine amd-epyc-5f2d4c1b
//   …
//
// The file of a machine is, in this order:
//
//   1. what is asked for;
//   2. $TENSORACCESS_CALIBRATION;
//   3. $XDG_CACHE_HOME/tensoraccess/calibration-NAME.txt;
//   4. $HOME/.cache/tensoraccess/calibration-NAME.txt.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_CALIBRATION_H
#define TENSORACCESS_CORE_CALIBRATION_H

#include "TensorAccess/Core/CostFit.h"
#include "TensorAccess/Core/Machine.h"

#include "llvm/Support/Error.h"

namespace mlir::tensoraccess {

struct Calibration {
  Machine machine;
  CostModel model;
  /// How well rates fit, by the name of an op; as text.
  std::vector<std::pair<std::string, std::string>> fits;

  /// Reads a text; none and `error` if it is wrong, or no calibration.
  static std::optional<Calibration> parse(llvm::StringRef text,
                                          ParseError &error);
  std::string str() const;

  /// Replaces or adds what is said of an op's fit.
  void setFit(llvm::StringRef op, llvm::StringRef text);
};

/// Where a machine's calibration is kept. Fails where nothing says a folder.
llvm::Expected<std::string> getCalibrationPath(const Machine &machine,
                                               llvm::StringRef given = "");

/// None where there is no such file. Fails with `FILE:LINE:COLUMN: …` where it
/// is no calibration, and where it can't be read.
llvm::Expected<std::optional<Calibration>>
readCalibration(llvm::StringRef path);

/// Writes all of it or nothing; makes the folder.
llvm::Error writeCalibration(llvm::StringRef path,
                             const Calibration &calibration);

/// The costs of this machine as they were measured. Fails where there are none,
/// where they are another machine's, and where they can't be read.
llvm::Expected<CostModel> loadCalibratedCosts(llvm::StringRef given = "");

/// `3:14`: the line and column of a byte of a text, both from 1.
std::string getLineAndColumn(llvm::StringRef text, size_t offset);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_CALIBRATION_H
