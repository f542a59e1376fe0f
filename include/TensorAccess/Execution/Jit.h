//===- Jit.h - The MPI library of this process ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_JIT_H
#define TENSORACCESS_EXECUTION_JIT_H

#include "TensorAccess/Core/MemoryPlaces.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Pipelines/Cpu.h"
#include "TensorAccess/Transforms/Messages.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// The MPI library of this process
//===----------------------------------------------------------------------===//

/// What this rank's compiled programs passed to MPI.
struct MpiTraffic {
  /// Messages to other ranks; a rank's messages to itself do not count.
  int64_t bytes = 0, messages = 0;
  /// Input of all-reductions. How much they send is up to the library.
  int64_t reducedBytes = 0, reductions = 0;
  /// Time in MPI_Wait, for both incoming and outgoing messages.
  int64_t waitNanoseconds = 0;
};

/// The library and this process in it. One per process.
class MpiJob {
public:
  /// Loads the library and joins the job. Without an implementation, uses the
  /// launcher's, else the first one that is installed. Fails if none is found,
  /// or if the launcher belongs to another implementation.
  static llvm::Expected<MpiJob *>
  join(std::optional<MpiImplementation> implementation = std::nullopt);

  MpiImplementation getImplementation() const { return implementation; }
  /// `Open MPI v4.1.4, …`: the first line of the library's version string.
  std::string getVersion() const;
  int64_t getRank() const { return rank; }
  int64_t getSize() const { return size; }

  /// The symbols that compiled programs must resolve MPI's functions to: those
  /// that count traffic. The others are found in the library itself.
  llvm::SmallVector<std::pair<std::string, void *>> getSymbols() const;

  /// The traffic since the last call.
  MpiTraffic takeTraffic();

  llvm::Error barrier();
  /// Bytes between ranks, which are not counted as traffic; any number of them.
  llvm::Error send(const void *data, size_t bytes, int64_t to);
  llvm::Error receive(void *data, size_t bytes, int64_t from);
  /// Every rank's numbers at rank 0, by rank; nothing at the others. Each rank
  /// passes equally many.
  llvm::Expected<std::vector<llvm::SmallVector<int64_t>>>
  gather(llvm::ArrayRef<int64_t> numbers);

  /// Leaves the job in an orderly way.
  llvm::Error leave();
  /// Ends the job immediately, on all ranks.
  [[noreturn]] void abort(int code);

private:
  MpiJob() = default;
  llvm::Error check(int code, llvm::StringRef function) const;

  MpiImplementation implementation = MpiImplementation::OpenMpi;
  int64_t rank = 0, size = 1;
};

} // namespace mlir::tensoraccess

//===----------------------------------------------------------------------===//
// Functions compiled for this machine
//===----------------------------------------------------------------------===//

namespace mlir {
namespace func {
class FuncOp;
} // namespace func

namespace tensoraccess {

class BufferPool;
class KeptWeights;
class LoadedCode;

/// Options of the pipeline that lowers a program (Cpu.h), of code generation,
/// and of calls.
struct JitOptions : public CpuOptions {
  JitOptions();

  /// LLVM's optimization level, 0 … 3.
  unsigned optLevel = 3;
  /// The processor that code is generated for, by LLVM's name; `host` is this
  /// one with all of its features. Another one must run on this machine.
  std::string cpu = "host";
  /// The most threads of a call, and of code generation; 0: one a processor. Results
  /// are the same bits with any number.
  int64_t threads = 0;
  /// Inputs that calls pass again and again, such as weights, besides arguments
  /// with the attribute `tensoraccess.constant`: what is computed from them alone,
  /// such as their packing into panels, is computed in the first call, and again
  /// when one of them has a new address, or after `forgetWeights`: if one is
  /// written to between calls, results are for its earlier contents. Tensors;
  /// only with `packWeights`. The program's constants are packed while compiling.
  SmallVector<unsigned> weights;
  /// Whether compiled code, unless it is profiled, is kept on disk, where a
  /// program that was compiled before is found again: in the folder that
  /// TENSORACCESS_CACHE names, by default `tensoraccess` in the user's cache
  /// folder.
  bool cache = true;
  /// Runs code generation, which no longer needs the module or its context:
  /// other threads waiting for the context may use it meanwhile.
  std::function<void(function_ref<void()> generate)> withoutContext;
  /// Symbols that the code resolves to these instead of the process's.
  SmallVector<std::pair<std::string, void *>> symbols;
};

/// A loop nest of compiled code.
struct KernelInfo {
  /// `convolution 1x56x56x64 by 3x3x64 f32`: its loops, reductions last.
  std::string name;
  /// Where the op comes from: `file.mlir:12:10`.
  std::string location;
  /// Arithmetic operations, a multiply-add counting as two, and bytes of the
  /// buffers that it reads and writes, each once; 0 if sizes are unknown.
  int64_t operations = 0, bytes = 0;
};

/// One run of a loop nest: its number, and steady-clock nanoseconds.
struct KernelSpan {
  int64_t kernel, begin, end;
};

/// What one call of compiled code did.
struct CallReport {
  /// Loop nests in the order in which they ran, with `CpuOptions::profile`.
  std::vector<KernelSpan> spans;
  /// The most bytes of buffers that the call held at a time, including results,
  /// excluding inputs, alignment on the stack, and what is kept of weights.
  int64_t peakBytes = 0;
  /// How many buffers it took.
  int64_t allocations = 0;
};

/// The type of one input or result of a function.
struct ValueType {
  enum class Kind { Scalar, Tensor, MemRef };
  Kind kind = Kind::Tensor;
  ElementType elementType = ElementType::F32;
  /// MLIR's name of the element type if the caller's differs from that in
  /// memory: `ui32` for i32, `complex<f32>` for f32.
  std::string outerType;
  /// Whether the last dimension, of size 2, holds real and imaginary parts.
  bool isComplex() const {
    return llvm::StringRef(outerType).starts_with("complex");
  }
  /// Sizes, kDynamicSize where any size is accepted; empty for a scalar.
  SmallVector<int64_t> shape;
  /// How a tensor is laid out in memory, with its shape; null if its type does
  /// not specify it. Callers pass and get row-major tensors.
  std::shared_ptr<const Layout> layout;
  /// For a tensor whose encoding is strided or linear, not a tiled layout.
  std::shared_ptr<const MemoryPlaces> places;

  /// The shape of the tensor in memory, as compiled code has it.
  SmallVector<int64_t> getMemoryShape() const;
};

/// Finds a function with a body by name. If there is none, emits an error at
/// the module that lists the functions there are.
FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef entry);

/// The types of a function's inputs and results. Emits an error at the function
/// that names the first one that cannot be passed, such as an access pattern.
FailureOr<std::pair<SmallVector<ValueType>, SmallVector<ValueType>>>
getSignature(func::FuncOp entry);

/// Fails if number, shape or element type of the inputs differ from what a
/// function takes: `input 1 has shape 3x5, expected 3x7`.
llvm::Error checkInputs(ArrayRef<ValueType> expected, ArrayRef<Tensor> inputs);

/// A function compiled for this machine. Concurrent calls from several threads
/// are safe as long as the program keeps no state in globals; the MLIR context
/// is no longer needed.
class CompiledFunction {
public:
  CompiledFunction(CompiledFunction &&);
  CompiledFunction &operator=(CompiledFunction &&);
  ~CompiledFunction();

  /// Compiles a function and its callees; the module is not changed. Loads
  /// upstream's dialects, extensions and translations into its context. Errors
  /// are reported through the context's diagnostics. Modules of one context
  /// must not be compiled concurrently. What LLVM's code generator cannot do is
  /// also an error: its fatal errors and crashes do not end the process while
  /// it works for this class (which installs a fatal error handler).
  static FailureOr<CompiledFunction> compile(ModuleOp module, StringRef entry,
                                             const JitOptions &options = {});

  /// Compiles a function for processors of any architecture, named as LLVM
  /// names them, without running it. Returns the bytes of each object file.
  static FailureOr<SmallVector<size_t>>
  compileFor(ModuleOp module, StringRef entry, ArrayRef<std::string> cpus,
             const JitOptions &options = {});

  /// The loop nests of code compiled with `CpuOptions::profile`, by number.
  ArrayRef<KernelInfo> getKernels() const { return kernels; }
  /// Whether the code was found in the cache.
  bool isFromCache() const { return fromCache; }

  /// Whether the time of a call is determined by the shapes of its inputs: no
  /// loop ends depending on data, and there is no recursion.
  bool isTimedByShapes() const { return timedByShapes; }

  /// The inputs that are the same in every call, in order.
  ArrayRef<unsigned> getWeights() const { return weightNumbers; }
  /// The bytes that are kept of weights and constants, besides themselves.
  size_t getPackedBytes() const;
  /// To be called after a weight was written to.
  void forgetWeights() const;

  ArrayRef<ValueType> getInputTypes() const { return inputTypes; }
  ArrayRef<ValueType> getResultTypes() const { return resultTypes; }

  /// Runs the function; scalars are tensors of rank 0. Fails if checkInputs
  /// does, if a memref argument gets an input that is not dense, or if an
  /// assertion of the program fails; the error is then the assertion's message.
  llvm::Expected<SmallVector<Tensor>> call(ArrayRef<Tensor> inputs,
                                           CallReport *report = nullptr) const;

private:
  CompiledFunction();

  std::unique_ptr<LoadedCode> code;
  /// Buffers kept between calls; results keep the pool alive.
  std::shared_ptr<BufferPool> pool;
  /// Null if nothing is kept.
  std::unique_ptr<KeptWeights> weights;
  SmallVector<unsigned> weightNumbers;
  void (*function)(void **) = nullptr;
  int64_t threads = 0;
  bool fromCache = false, timedByShapes = false;
  std::vector<KernelInfo> kernels;
  SmallVector<ValueType> inputTypes, resultTypes;
};

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_EXECUTION_JIT_H
