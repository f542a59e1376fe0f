//===- Memory.h - What loads and stores touch -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load or store below loops and a GPU launch is an indexing map
//
//   (block_x, thread_x, i0)[v0]{rt0} -> (block_x * 128 + thread_x, i0 * 4 + v0)
//
// dims     one for each enclosing loop, from the outermost on, after the GPU's
//          ids: those that are used, or whose number is known and not 1;
// symbols  the elements of a vector, one per dimension;
// runtime  values that are computed in a way that has no form: function
//          arguments, loaded values, sizes;
// results  the index into the memref that all views (subview, expand_shape,
//          collapse_shape, transpose, casts) lead to; after a
//          reinterpret_cast the one number of the element in its buffer.
//
// Loop bounds that are forms, conditions of enclosing ifs, masks, and bounds
// checks of transfers are constraints. An `upper_bound` on a GPU id is read as
// the number of ids.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_MODELS_MEMORY_H
#define TENSORACCESS_MODELS_MEMORY_H

#include "TensorAccess/Interfaces/IndexingOpInterface.h"

namespace mlir::tensoraccess {

/// What a dim of an access stands for.
struct MemoryDim {
  enum class Kind : uint8_t { Block, Thread, Global, Subgroup, Lane, Loop };
  Kind kind;
  /// 0, 1, 2 for x, y, z of Block, Thread and Global; else 0.
  unsigned axis = 0;
  /// A loop's induction variable, else null.
  Value inductionVariable;
};

/// One read or write of a memref.
struct MemoryAccess {
  Operation *op = nullptr;
  bool isStore = false;
  /// The op's memref, and the one that its views lead to.
  Value memref, base;
  /// Why the maps are unknown; None if they are known.
  IndexingReason reason = IndexingReason::None;
  /// To the index into `base`, or to the number of the element in its buffer.
  IndexingMap map;
  bool isNumber = false;
  /// To the number of the element, counted from where base's buffer begins;
  /// unknown where its strides are not static.
  IndexingMap numbers;
  /// One entry per dim of the maps.
  SmallVector<MemoryDim, 4> dims;
  /// The value of each runtime variable.
  SmallVector<Value, 2> runtimeValues;
  /// Distance of neighbouring elements in the buffer; 0 where it is not known.
  int64_t elementBits = 0;

  static MemoryAccess unknown(Operation *op, bool isStore, Value memref,
                              IndexingReason reason);
};

/// What an op of memref, affine or vector reads or writes; none for all other
/// ops. Never fails: what can't be told is an access with a reason.
std::optional<MemoryAccess> getMemoryAccess(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_MODELS_MEMORY_H
