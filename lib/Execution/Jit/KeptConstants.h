//===- KeptConstants.h - Large constants beside compiled code ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights of a model are constants of megabytes. Code holds none of them, so that
// they pass neither through LLVM nor through an object file: it names them, and is
// one code for all models that differ in nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_KEPTCONSTANTS_H
#define TENSORACCESS_LIB_EXECUTION_KEPTCONSTANTS_H

#include "mlir/IR/BuiltinOps.h"
#include <cstdlib>
#include <memory>
#include <string>

namespace mlir::tensoraccess {

class KeptConstants {
public:
  /// Copies the large constants of floats and bytes in a module of tensors; what
  /// reads them reads globals that are defined elsewhere.
  void take(ModuleOp module);

  /// The names of the globals, and their addresses.
  SmallVector<std::pair<std::string, void *>> getSymbols() const;

  /// Frees those of these names.
  void drop(ArrayRef<std::string> names);

private:
  struct Free {
    void operator()(void *data) const { std::free(data); }
  };
  std::vector<std::pair<std::string, std::unique_ptr<void, Free>>> constants;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_KEPTCONSTANTS_H
