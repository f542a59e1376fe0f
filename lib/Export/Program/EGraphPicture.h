//===- EGraphPicture.h - What rules do to a function ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The e-graph of a function's first block, saturated by rules, as a picture or
// as the JSON that tools for e-graphs exchange.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_EGRAPHPICTURE_H
#define TENSORACCESS_LIB_EXPORT_EGRAPHPICTURE_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlir::tensoraccess {

enum class EGraphForm : uint8_t { Dot, Json };

struct EGraphExportOptions {
  EGraphForm form = EGraphForm::Dot;
  /// Sets and files, as in `tensoraccess-saturate`; none is the program alone.
  std::vector<std::string> rules;
  /// The function; the first one if empty.
  std::string function;
  /// Most nodes.
  uint64_t maxNodes = 2000;
  /// Seconds that saturation may take.
  double maxSeconds = 10;
};

/// Writes it for a function of the module; errors are reported at the module or
/// the function.
LogicalResult exportEGraph(Operation *module,
                           const EGraphExportOptions &options,
                           llvm::raw_ostream &os);

/// `--egraph-to-dot` and `--egraph-to-json`.
void registerEGraphTranslations();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_EGRAPHPICTURE_H
