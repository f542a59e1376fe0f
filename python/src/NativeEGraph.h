//===- NativeEGraph.h - What costs of Python raise --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVEEGRAPH_H
#define TENSORACCESS_PYTHON_NATIVEEGRAPH_H

namespace mlir::tensoraccess::python {

/// Throws what a cost of Python raised on this thread, if one did. To be called
/// with the GIL.
void rethrowCostError();

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_NATIVEEGRAPH_H
