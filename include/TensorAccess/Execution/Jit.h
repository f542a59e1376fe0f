//===- Jit.h - Functions compiled for this machine ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of a module, lowered by the pipeline tensoraccess-to-llvm,
// compiled by LLVM for the features of the host, and called on tensors.
//
// What may be passed: scalars, ranked tensors and memrefs (identity layout) of
// i1, i8, i16, i32, i64, index, f16, bf16, f32 and f64; dynamic sizes accept
// any size. Nothing is compiled with fast-math: a program gives the same bits
// on every call.
//
// Who owns what: dense inputs are read where they lie and tensors are never
// written to; an input with gaps or another order is packed into a dense copy
// first. Results are buffers of their own, freed with the last Tensor that
// views them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_JIT_H
#define TENSORACCESS_EXECUTION_JIT_H

#include "TensorAccess/Core/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <string>

namespace mlir {
namespace func {
class FuncOp;
} // namespace func

namespace tensoraccess {

class LoadedCode;

struct JitOptions {
  /// LLVM's optimization level, 0 … 3.
  unsigned optLevel = 3;
  /// The processor that code is generated for, by LLVM's name; `host` is this
  /// one with all of its features. Another one must run on this machine.
  std::string cpu = "host";
  /// Whether the code checks dynamic sizes and indices; without it, what does
  /// not fit is undefined.
  bool checks = true;
  /// The implementation of MPI that the code calls, as the pipeline's option
  /// `mpi` says it.
  std::string mpi;
  /// Runs the generation of code, which needs neither the module nor its
  /// context any more: who else waits for the context may have it then.
  std::function<void(function_ref<void()> generate)> withoutContext;
  /// What the code finds under these names instead of what the process has.
  SmallVector<std::pair<std::string, void *>> symbols;
};

/// What one call of compiled code did.
struct CallReport {
  /// The most bytes of buffers that the call held at a time, results included,
  /// inputs and alignment on the stack not.
  int64_t peakBytes = 0;
  /// How many buffers it took.
  int64_t allocations = 0;
};

/// What a function takes or gives in one place.
struct ValueType {
  enum class Kind { Scalar, Tensor, MemRef };
  Kind kind = Kind::Tensor;
  ElementType elementType = ElementType::F32;
  /// Sizes, kDynamicSize where any size will do; empty for a scalar.
  SmallVector<int64_t> shape;
};

/// The functions of a module that have a body, as messages list them: `'main',
/// 'conv'`; `none` where there are none.
std::string listFunctions(ModuleOp module);

/// Finds a function with a body by name. An error at the module that names the
/// functions there are, if there is none.
FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef entry);

/// The types of a function's inputs and results. An error at the function that
/// names the first one which cannot be passed, an access pattern, say.
FailureOr<std::pair<SmallVector<ValueType>, SmallVector<ValueType>>>
getSignature(func::FuncOp entry);

/// Fails where number, shape or element type of the inputs differ from what a
/// function takes: `input 1 has shape 3x5, expected 3x7`.
llvm::Error checkInputs(ArrayRef<ValueType> expected, ArrayRef<Tensor> inputs);

/// A function compiled for this machine. Calls from several threads at once
/// are safe as long as the program keeps no state in globals; the MLIR context
/// is not needed any more.
class CompiledFunction {
public:
  CompiledFunction(CompiledFunction &&);
  CompiledFunction &operator=(CompiledFunction &&);
  ~CompiledFunction();

  /// Compiles a function and what it calls; the module is not changed. Loads
  /// upstream's dialects, extensions and translations into its context. Errors
  /// are reported through the context's diagnostics. Modules of one context
  /// must not be compiled concurrently. What LLVM's code generator cannot do
  /// is an error, too: its fatal errors and crashes end no process while it
  /// works for this class (a handler of fatal errors is installed).
  static FailureOr<CompiledFunction> compile(ModuleOp module, StringRef entry,
                                             const JitOptions &options = {});

  /// Compiles a function for processors of any architecture, named as LLVM
  /// names them, without running it. Returns the bytes of each object file.
  static FailureOr<SmallVector<size_t>>
  compileFor(ModuleOp module, StringRef entry, ArrayRef<std::string> cpus,
             const JitOptions &options = {});

  ArrayRef<ValueType> getInputTypes() const { return inputTypes; }
  ArrayRef<ValueType> getResultTypes() const { return resultTypes; }

  /// Runs the function; scalars are tensors of rank 0. Fails where checkInputs
  /// does, where a memref argument gets an input that is not dense, or where an
  /// assertion fails in the program; that error is the assertion's message.
  llvm::Expected<SmallVector<Tensor>> call(ArrayRef<Tensor> inputs,
                                           CallReport *report = nullptr) const;

private:
  CompiledFunction();

  std::unique_ptr<LoadedCode> code;
  void (*function)(void **) = nullptr;
  SmallVector<ValueType> inputTypes, resultTypes;
};

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_EXECUTION_JIT_H
