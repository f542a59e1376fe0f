//===- NativeShards.h - Grids and exchanges of Python -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVESHARDS_H
#define TENSORACCESS_PYTHON_NATIVESHARDS_H

#include "Native.h"
#include "TensorAccess/Core/Exchange.h"

namespace mlir::tensoraccess::python {

/// A distribution with the grid and the tensor that it is of.
struct PlacedDistribution {
  Grid grid;
  Distribution distribution;
  llvm::SmallVector<int64_t, 4> shape;

  std::string str() const { return distribution.str(grid); }
  bool operator==(const PlacedDistribution &o) const {
    return grid == o.grid && distribution == o.distribution && shape == o.shape;
  }
};

/// An exchange with the grid that it is on.
struct PlacedExchange {
  Grid grid;
  Exchange exchange;
};

/// A grid, its text, or a number of ranks. Throws Error.
Grid readGridOf(nb::handle value);

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_NATIVESHARDS_H
