//===- Registration.h - What every tool registers ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One place that knows all dialects, external models, passes and pipelines, so
// that the tools, the plugin and the Python package agree.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REGISTRATION_REGISTRATION_H
#define TENSORACCESS_REGISTRATION_REGISTRATION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class DialectRegistry;
namespace tensoraccess {

/// Adds the dialect of this project and its external models on upstream ops.
/// This is all that an embedding compiler with dialects of its own needs.
void registerTensorAccess(DialectRegistry &registry);

/// Adds the above, every upstream dialect and every upstream extension, and what
/// reads StableHLO as text (StableHloText.h).
void registerEverything(DialectRegistry &registry);

/// Registers the passes and pipelines of this project (`--tensoraccess-…`).
void registerTensorAccessPasses();

/// Registers the above and every upstream pass.
void registerAllPassesAndPipelines();

/// The options of a pipeline of this project as they are if none is given, in the
/// form `{checks=true mpi=}`; empty if there is no pipeline of that name.
std::string getPipelineValues(llvm::StringRef name);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_REGISTRATION_REGISTRATION_H
