//===- HostMachine.h - Which machine this is --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_HOSTMACHINE_H
#define TENSORACCESS_CORE_HOSTMACHINE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Which machine this is
//
// What distinguishes a calibration from those of other machines and other
// compilers; the machine's caches and its energy counters.
//===----------------------------------------------------------------------===//

struct Machine {
  /// `AMD EPYC 7763 64-Core Processor`; LLVM's name where the system gives
  /// none.
  std::string cpu;
  int64_t cores = 0;
  /// Bytes of the data caches of a core, the nearest first, and their ways.
  llvm::SmallVector<int64_t, 4> caches, cacheWays;
  /// `tensoraccess 0.1.0, LLVM 22.1.8`: what compiles the code that runs on it.
  std::string build;
  /// Instructions that kernels may use, by LLVM's names, sorted.
  std::vector<std::string> features;

  bool operator==(const Machine &o) const;
  /// std::nullopt if equal, else the first difference: `cpu 'a', here 'b'`.
  std::optional<std::string> describeDifference(const Machine &here) const;
  /// Letters, digits and `-`: a name for messages and files; different machines
  /// have different ones, except for collisions in 32 bits.
  std::string getName() const;
};

/// The machine that this process runs on. Caches are those that the system
/// reports, perhaps none.
const Machine &getHostMachine();

/// The energy that the processor packages have used so far, from the counters
/// of Linux under `folder` (/sys/class/powercap). A counter may wrap around.
struct EnergyReading {
  struct Counter {
    std::string path;
    int64_t microjoules = 0, range = 0;
  };
  std::vector<Counter> counters;

  /// Joules from `this` to `later`; std::nullopt if there are no counters, or
  /// different ones. A lower counter has wrapped once.
  std::optional<double> getJoulesUntil(const EnergyReading &later) const;
};

/// std::nullopt, and the reason in `error`, if there are no readable counters.
std::optional<EnergyReading> readEnergy(llvm::StringRef folder,
                                        std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_HOSTMACHINE_H
