//===- Calibrate.h - What ops and messages take on this machine -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cost model of the machine at hand (Cost/Cost.h), by running small
// programs of each op in several shapes, compiled as all programs are, and
// fitting rates to their times (Cost/Cost.h):
//
//   1. caches from the system; what a byte takes in each of them;
//   2. per op and family: start, point, byte, lanes, panels; scratch memory as
//      buffers count it;
//   3. operations of bodies: how much longer a point takes with them;
//   4. energy, where the machine has counters that may be read, else as given,
//      else none;
//   5. the network, by messages between two ranks that mpirun starts.
//
// Times of ops are those of the thread, the best of several, without what an
// empty call takes; times of messages those of the clock.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_CALIBRATE_H
#define TENSORACCESS_EXECUTION_CALIBRATE_H

#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/Execution/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <functional>

namespace mlir::tensoraccess {

struct CalibrationOptions {
  /// Few small blocks, each run a few times: rates of the right kind, not of
  /// the right size.
  bool isQuick = false;
  /// Names of ops, of operations of bodies, or `*`: measure only these; all if
  /// empty.
  std::vector<std::string> only;
  /// Where Linux has its energy counters.
  std::string powercap = "/sys/class/powercap";
  /// Joules for a point and a byte, instead of measured ones.
  std::optional<double> energyPoint, energyByte;
  /// What is to be told on the way: one line each.
  std::function<void(const Twine &)> say;
  /// Each block that was timed: the name of its rates, its work, the time.
  std::function<void(StringRef, const BlockSample &)> sample;
};

/// Measures this machine. With `known` what is not measured is kept as it is
/// there: other ops, the network. Fails if `only` names what is not
/// measured, where a program doesn't compile or run, and for energies that are
/// not rates. Takes about half a minute, or a second if it is quick. The
/// context must have all dialects registered.
llvm::Expected<Calibration> calibrate(MLIRContext &context,
                                      const CalibrationOptions &options,
                                      const Calibration *known = nullptr);

/// The names that `only` may have.
std::vector<std::string> getCalibratedNames();

/// The network between the first two ranks of a job, a mesh of as many ranks as
/// this machine has cores; nothing on other ranks. Messages from a byte to 4
/// MiB go to and fro: the line through the best times is overhead + latency and
/// 1 / bandwidth; many small ones in a row tell overhead.
llvm::Expected<std::optional<Network>>
measureNetwork(MpiJob &job, int64_t cores, bool isQuick);

/// Starts two ranks of this program (`program --ranks`) by mpirun and reads the
/// network that the first one prints. Fails if there is no mpirun, and where
/// it doesn't come to an end within a minute.
llvm::Expected<Network> measureNetworkOf(StringRef program,
                                         MpiImplementation implementation,
                                         bool isQuick);

/// An op of a program, alone on this machine and by a model.
struct CheckedOp {
  /// `linalg.matmul (tensor<3x5xf32>, …) -> …`.
  std::string text;
  std::string name;
  /// How many such ops the program has.
  int64_t count = 0;
  double measured = 0, modelled = 0;
};

struct CheckedProgram {
  std::vector<CheckedOp> ops;
  /// What could not be run alone: texts and reasons.
  std::vector<std::pair<std::string, std::string>> skipped;
};

/// Runs each op of a function of one block by itself, those that compute or
/// move; equal ones once. `seconds` is about how long each is run.
FailureOr<CheckedProgram> checkCosts(func::FuncOp function,
                                     const CostModel &model, double seconds);

/// The main of tensoraccess-calibrate. Returns the exit code.
int calibrateMain(int argc, char **argv);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_CALIBRATE_H
