//===- Calibrate.h - What ops and messages take on this machine -*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives a cost model of this machine (Cost/Cost.h) by running small programs
// of each op in several shapes, compiled as all programs are, and fitting rates
// to their times:
//
//   1. caches from the system; the time per byte in each of them;
//   2. per op and family: start, point, byte, lanes, panels; scratch memory as
//      buffers count it;
//   3. operations of bodies: how much longer a point takes with them;
//   4. energy: from counters if the machine has readable ones, else as given,
//      else none;
//   5. the network, by messages between two ranks that mpirun starts.
//
// Times of ops are thread times, the best of several, less the time of an empty
// call; times of messages are wall-clock times.
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
  /// Few small blocks, each run a few times: rates of the right kind, not the
  /// right magnitude.
  bool isQuick = false;
  /// Names of ops, of operations of bodies, or `*`: measure only these; all if
  /// empty.
  std::vector<std::string> only;
  /// Where Linux keeps its energy counters.
  std::string powercap = "/sys/class/powercap";
  /// Joules per point and per byte, instead of measured ones.
  std::optional<double> energyPoint, energyByte;
  /// Called with each line of progress.
  std::function<void(const Twine &)> say;
  /// Called for each timed block: the name of its rates, its work, its time.
  std::function<void(StringRef, const BlockSample &)> sample;
};

/// Measures this machine. Values that are not measured (other ops, the network)
/// are taken from `known`, if given. Fails if `only` names something that is
/// not measured, if a program doesn't compile or run, and for energies that are
/// not rates. Takes about half a minute, or a second if `isQuick`. The context
/// must have all dialects registered.
llvm::Expected<Calibration> calibrate(MLIRContext &context,
                                      const CalibrationOptions &options,
                                      const Calibration *known = nullptr);

/// The names that `only` may contain.
std::vector<std::string> getCalibratedNames();

/// The network between the first two ranks of a job, as a mesh of as many ranks
/// as this machine has cores; std::nullopt on other ranks. Messages from a byte
/// to 4 MiB are sent back and forth: a line fitted to the best times gives
/// overhead + latency and 1 / bandwidth; many small messages in a row give the
/// overhead.
llvm::Expected<std::optional<Network>>
measureNetwork(MpiJob &job, int64_t cores, bool isQuick);

/// Starts two ranks of this program (`program --ranks`) with mpirun and reads
/// the network that the first one prints. Fails if there is no mpirun, or if
/// the run doesn't finish within a minute.
llvm::Expected<Network> measureNetworkOf(StringRef program,
                                         MpiImplementation implementation,
                                         bool isQuick);

/// An op of a program: its time alone on this machine, and by a model.
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
  /// Ops that could not be run alone: texts and reasons.
  std::vector<std::pair<std::string, std::string>> skipped;
};

/// Runs each op of a function of one block that computes or moves data by
/// itself; equal ops run once. Each runs for about `seconds`.
FailureOr<CheckedProgram> checkCosts(func::FuncOp function,
                                     const CostModel &model, double seconds);

/// The main of tensoraccess-calibrate. Returns the exit code.
int calibrateMain(int argc, char **argv);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_CALIBRATE_H
