//===- NativeModule.h - Modules for Python ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVEMODULE_H
#define TENSORACCESS_PYTHON_NATIVEMODULE_H

#include "Native.h"
#include "Session.h"

#include <nanobind/stl/shared_ptr.h>

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess::python {

/// What there is of each function, by name.
template <typename T>
using ByFunction = std::vector<std::pair<std::string, std::vector<T>>>;

/// A value as its function prints it.
std::string printName(Value value, AsmState &names);
std::vector<std::string> printAll(TypeRange types);

/// A module and the session it lives in. Immutable once made.
class NativeModule {
public:
  NativeModule(std::shared_ptr<Session> session, OwningOpRef<ModuleOp> op,
               std::vector<Message> messages)
      : session(std::move(session)), op(std::move(op)),
        messages(std::move(messages)) {}

  /// Reads text or bytecode. `resources` are the bytes of dense_resource
  /// constants whose data the source leaves out, by key; they are kept where
  /// they lie. `keepsLayouts`: layouts of HLO text become encodings. Throws Error
  /// with location and text.
  static std::shared_ptr<NativeModule>
  parse(nb::bytes source, std::string_view name, bool keepsLayouts,
        nb::typed<nb::dict, std::string, nb::object> resources);

  std::string print(bool generic, bool locations);
  nb::bytes bytecode();
  /// The result of the pipeline on a clone. Throws Error.
  std::shared_ptr<NativeModule> run(std::string_view pipeline);

  /// The function of that name. Throws Error.
  FunctionOpInterface findFunction(std::string_view name);

  Session &getSession() { return *session; }
  std::shared_ptr<Session> getSharedSession() { return session; }
  ModuleOp getOp() { return *op; }
  /// Runs `work` under the session's lock while locations hold the names that values
  /// have in the text that was parsed (nameBySource). Call without the GIL.
  void withSourceNames(llvm::function_ref<void()> work);
  /// What the parser, or the pipeline that made this module, had to say.
  const std::vector<Message> &getMessages() const { return messages; }

private:
  // The operation dies before its context.
  std::shared_ptr<Session> session;
  OwningOpRef<ModuleOp> op;
  std::vector<Message> messages;
  /// The locations of all ops and arguments with those names; empty if there are none.
  std::vector<Location> named;
};

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_NATIVEMODULE_H
