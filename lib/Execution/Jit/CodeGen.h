//===- CodeGen.h - Machine code from the LLVM dialect ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object code for any processor that LLVM has a back end for, and object code
// of the host's loaded into the process. LLVM's back ends end the process where
// they meet what they cannot select ("LLVM ERROR: ..."); here that is an error
// of the program that is compiled, and so is a crash of theirs.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_CODEGEN_H
#define TENSORACCESS_LIB_EXECUTION_CODEGEN_H

#include "KeptConstants.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace mlir::tensoraccess {

/// A processor that code is generated for.
struct Processor {
  /// As LLVM names it: `znver4`, `neoverse-v2`; `host` where it is this one.
  std::string name;
  std::string triple, cpu, features;

  /// The processor of this machine with all features that it reports.
  static Processor host();
  /// A processor by LLVM's name, of the host's architecture if it has one of
  /// that name; or `host`.
  static llvm::Expected<Processor> find(StringRef name);

  /// Whether code for this processor may use a feature, by LLVM's name.
  bool hasFeature(StringRef feature) const;

  /// A feature that code for this processor may use and that the host lacks;
  /// the architecture where that differs. Empty where the host runs the code.
  std::string getMissingOnHost() const;

  llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
  createTargetMachine(unsigned optLevel) const;
};

/// A function, and the name of the `void (void **)` that it can be called as: its
/// list points at each argument and then at room for the result.
struct Entry {
  StringRef function, wrapper;
};

/// Compiles a module of the LLVM dialect to object files, on at most so many
/// threads; which function is in which file depends on their number. Nothing in the
/// module is changed. The error names the processor it is about. `withoutContext`, if
/// there is one, runs what needs nothing of the module and its context.
llvm::Expected<SmallVector<std::unique_ptr<llvm::MemoryBuffer>>>
emitObjects(ModuleOp module, ArrayRef<Entry> entries,
            const Processor &processor, unsigned optLevel, unsigned threads,
            function_ref<void(function_ref<void()>)> withoutContext = nullptr);

/// Object code in this process.
class LoadedCode {
public:
  /// Links object files: with `symbols`, then with what the shared libraries
  /// at `libraries` and the process have.
  static llvm::Expected<LoadedCode>
  load(SmallVector<std::unique_ptr<llvm::MemoryBuffer>> objects,
       ArrayRef<std::pair<std::string, void *>> symbols,
       ArrayRef<std::string> libraries, KeptConstants constants);

  LoadedCode(LoadedCode &&);
  LoadedCode &operator=(LoadedCode &&);
  ~LoadedCode();

  llvm::Expected<void *> lookup(StringRef name) const;

  /// Frees constants by name, which nothing reads any more.
  void dropConstants(ArrayRef<std::string> names) { constants.drop(names); }

private:
  LoadedCode();
  /// What linking reported.
  std::unique_ptr<std::string> errors;
  KeptConstants constants;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_CODEGEN_H
