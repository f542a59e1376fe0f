//===- Accelerators.h - Functional models of accelerators -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `accelerator_call "name"(…)` computes: a pure function by that name,
// which anybody may register, in C++ or Python:
//
//   registerAccelerator("vector-add", [](ArrayRef<AccessPattern> operands,
//                                        const AcceleratorResult &) {
//     …
//     return kernels::elementwiseAdd(*kernels::pair(operands[0], operands[1]));
//   });
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ACCELERATORS_H
#define TENSORACCESS_CORE_ACCELERATORS_H

#include "TensorAccess/Core/Kernels.h"

#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// The type of result that a call is written with; sizes may be dynamic.
struct AcceleratorResult {
  ElementType elementType;
  llvm::SmallVector<int64_t> accessShape, computeShape;
};

/// A functional model. Its result must be of the wanted type; the interpreter
/// checks that. An error is reported at the call.
using AcceleratorModel = std::function<llvm::Expected<AccessPattern>(
    llvm::ArrayRef<AccessPattern> operands, const AcceleratorResult &wanted)>;

/// Makes a model known to the whole process; one of the same name is replaced,
/// and an empty one takes the name away. Safe from several threads.
void registerAccelerator(llvm::StringRef name, AcceleratorModel model);

/// The names that have a model, sorted.
std::vector<std::string> getAcceleratorNames();

namespace kernels {
/// Runs the model of that name. Fails where there is none.
llvm::Expected<AccessPattern>
acceleratorCall(llvm::StringRef name, llvm::ArrayRef<AccessPattern> operands,
                const AcceleratorResult &wanted);
} // namespace kernels

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ACCELERATORS_H
