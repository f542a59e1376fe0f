//===- Accelerators.h - Functional models of accelerators -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_ACCELERATORS_H
#define TENSORACCESS_CORE_ACCELERATORS_H

#include "TensorAccess/Core/Kernels.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Functional models of accelerators
//===----------------------------------------------------------------------===//

/// The result type that a call states; sizes may be dynamic.
struct AcceleratorResult {
  ElementType elementType;
  llvm::SmallVector<int64_t> accessShape, computeShape;
};

/// A functional model. Its result must be of the wanted type; the interpreter
/// checks that. An error is reported at the call.
using AcceleratorModel = std::function<llvm::Expected<AccessPattern>(
    llvm::ArrayRef<AccessPattern> operands, const AcceleratorResult &wanted)>;

/// Registers a model for the whole process, in place of one of the same name;
/// an empty model removes the name. Thread-safe.
void registerAccelerator(llvm::StringRef name, AcceleratorModel model);

/// The names that have a model, sorted.
std::vector<std::string> getAcceleratorNames();

namespace kernels {
/// Runs the model of that name. Fails if none exists.
llvm::Expected<AccessPattern>
acceleratorCall(llvm::StringRef name, llvm::ArrayRef<AccessPattern> operands,
                const AcceleratorResult &wanted);
} // namespace kernels

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_ACCELERATORS_H
