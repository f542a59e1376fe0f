//===- KeptWeights.h - What is computed of weights, once --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_KEPTWEIGHTS_H
#define TENSORACCESS_LIB_EXECUTION_KEPTWEIGHTS_H

#include "Invocation.h"
#include <mutex>

namespace mlir::tensoraccess {

/// Panels of weights, which compiled code takes after its inputs: made in the
/// first call, and again where a weight is at another address. Safe from several
/// threads.
class KeptWeights {
public:
  /// What one run of the function that makes them has filled.
  struct Panels {
    /// The weights that they are of.
    SmallVector<Tensor> weights;
    /// Their descriptors, field by field.
    SmallVector<uint64_t> fields;
    /// One after the other in one piece of memory, in the order in which they are
    /// used: at the end of one, kernels fetch the next ahead.
    SmallVector<void *> buffers;
    void *memory = nullptr;
    size_t bytes = 0;
    std::shared_ptr<BufferPool> pool;
    ~Panels();
  };

  /// `pack` takes the inputs of these numbers, and then buffers of these sizes and,
  /// last, bytes of an element.
  KeptWeights(void (*pack)(void **), ArrayRef<unsigned> numbers,
              ArrayRef<SmallVector<int64_t>> buffers)
      : pack(pack), numbers(numbers), buffers(buffers) {}

  /// Those of these inputs, of each of which `getArguments` gives the fields.
  llvm::Expected<std::shared_ptr<Panels>>
  get(ArrayRef<Tensor> inputs,
      function_ref<ArrayRef<void *>(unsigned)> getArguments,
      const std::shared_ptr<BufferPool> &pool, int64_t threads);

  /// The bytes of the panels that are kept.
  size_t getBytes() const;
  /// Makes them again in the next call.
  void forget();

private:
  void (*pack)(void **);
  SmallVector<unsigned> numbers;
  SmallVector<SmallVector<int64_t>> buffers;
  mutable std::mutex mutex;
  std::shared_ptr<Panels> last;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_KEPTWEIGHTS_H
