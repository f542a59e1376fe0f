//===- ProcessStatus.h - What a process holds -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VmRSS is the memory that is resident now, VmHWM the most that was.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_BENCH_EGRAPH_PROCESSSTATUS_H
#define TENSORACCESS_BENCH_EGRAPH_PROCESSSTATUS_H

#include "llvm/ADT/StringRef.h"

#include <fstream>
#include <string>

namespace mlir::tensoraccess::bench {

/// A line of the process's status, in kilobytes; 0 where there is none.
inline double readStatus(llvm::StringRef name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    llvm::StringRef text = line;
    double value = 0;
    if (text.consume_front(name) && text.consume_front(":") &&
        !text.trim().split(' ').first.getAsDouble(value))
      return value;
  }
  return 0;
}

} // namespace mlir::tensoraccess::bench

#endif // TENSORACCESS_BENCH_EGRAPH_PROCESSSTATUS_H
