//===- ContractLoops.h - Large products of vectors as loops ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_PIPELINES_CONTRACTLOOPS_H
#define TENSORACCESS_LIB_PIPELINES_CONTRACTLOOPS_H

#include <memory>

namespace mlir {
class Pass;
namespace tensoraccess {

/// Makes linalg ops on buffers of the `vector.contract` ops that upstream would
/// unroll into more than 4,096 products.
std::unique_ptr<Pass> createContractLoops();

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_LIB_PIPELINES_CONTRACTLOOPS_H
