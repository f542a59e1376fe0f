//===- Registration.h - What every tool registers ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers all dialects, external models, passes and pipelines in one place,
// so that the tools, the plugin and the Python package agree.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REGISTRATION_REGISTRATION_H
#define TENSORACCESS_REGISTRATION_REGISTRATION_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
namespace tensoraccess {

/// Adds the dialect of this project and its external models on upstream ops.
/// This is all that a compiler with its own dialects needs to embed this
/// project.
void registerTensorAccess(DialectRegistry &registry);

/// Adds the above, every upstream dialect and every upstream extension, and the
/// dialects for StableHLO as text (StableHloText.h).
void registerEverything(DialectRegistry &registry);

/// Registers the passes and pipelines of this project (`--tensoraccess-…`).
void registerTensorAccessPasses();

/// Registers the above and every upstream pass.
void registerAllPassesAndPipelines();

/// The default options of a pipeline of this project, in the form
/// `{checks=true mpi=}`; empty if there is no pipeline of that name.
std::string getPipelineValues(llvm::StringRef name);

/// The pipelines of this project, and the options of one with the keywords that
/// they accept.
std::vector<std::string> getPipelineNames();
std::map<std::string, std::vector<std::string>>
getPipelineOptions(llvm::StringRef name);

//===----------------------------------------------------------------------===//
// Misspelt passes and options
//
// Error messages that suggest what was probably meant. std::nullopt if the name
// is correct, so that the error must be a different one.
//===----------------------------------------------------------------------===//

/// About the name of a pass or pipeline: `'raise' does not refer to a
/// registered pass or pass pipeline; did you mean 'tensoraccess-raise'?`
std::optional<std::string> findPassMistake(llvm::StringRef name);

/// About one of its options: `'tensoraccess-tile' has no option 'size'; did you
/// mean 'sizes'? its options are …`; or about an option's value: `option 'fuse'
/// of 'tensoraccess-tile' has no value 'al'; did you mean 'all'? its values are
/// …`.
std::optional<std::string>
findOptionMistake(llvm::StringRef pass, llvm::StringRef option,
                  std::optional<llvm::StringRef> value = std::nullopt);

struct PipelineMistake {
  std::string message;
  /// Position of the name in the pipeline's text.
  size_t offset;
};

/// The first such mistake in a pipeline's text, once MLIR has rejected it.
std::optional<PipelineMistake> findPipelineMistake(llvm::StringRef pipeline);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_REGISTRATION_REGISTRATION_H
