//===- Layouts.h - Choosing layouts and writing them out --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_LAYOUTS_H
#define TENSORACCESS_TRANSFORMS_LAYOUTS_H

#include "TensorAccess/Core/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cstdint>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Relayouts of physical tensors
//===----------------------------------------------------------------------===//

/// The ops that a relayout is lowered to. Both give the same physical tensor.
enum class RelayoutWay : uint8_t {
  /// tensor.pad, expand_shape and linalg.transpose; backwards linalg.transpose,
  /// collapse_shape and tensor.extract_slice.
  Steps,
  /// linalg.pack and linalg.unpack where one of them is the relayout; else as
  /// above.
  Pack,
};

/// The tensor type that represents a type in memory: without encoding, of the
/// physical shape, of one dimension if the layout has a tail; the type itself
/// if it has no encoding. Emits an error if the encoding is not a layout, or
/// has element bits `E` other than the element's.
FailureOr<RankedTensorType>
getPhysicalType(RankedTensorType type,
                function_ref<InFlightDiagnostic()> emitError);

/// Turns linearize, delinearize and apply_indexing below `root` into affine and
/// arith ops. Emits an error if a layout's size overflows.
LogicalResult lowerIndexOps(Operation *root);

/// Folds a relayout and a neighbour that permutes, reshapes or converts into
/// one relayout, as the pass `tensoraccess-fuse-relayouts` describes.
void populateRelayoutFusion(RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Where weights are packed: in the function, at its entry; in its caller; or,
/// for the caller, in a separate function (`createPackFunction`).
enum class LayoutWeights : uint8_t { Entry, Caller, Function };

struct LayoutAssignmentOptions {
  Target target;
  LayoutWeights weights = LayoutWeights::Entry;
  /// Contractions get panels or tiles wherever the target has them.
  bool always = false;
  /// Size of the largest table; beyond it the choice may not be optimal.
  int64_t maxEntries = int64_t(1) << 20;
  /// The size assumed for a dynamic dimension when costs are compared.
  int64_t dynamicSize = 16;
};

/// Bytes are those read and written by relayouts, padding included.
struct LayoutAssignmentReport {
  /// Contractions that run on tiles, and those that stay as they were.
  int64_t assigned = 0, left = 0;
  int64_t relayouts = 0;
  int64_t weightBytes = 0, entryBytes = 0, innerBytes = 0, exitBytes = 0;
  /// Weights that arrive in their layouts, and the bytes that packing them
  /// moves.
  int64_t callerWeights = 0, callerBytes = 0;
  /// The sum that was minimised, and its lower bound; equal if exact.
  int64_t cost = 0, lowerBound = 0;
  /// The same without any layout.
  int64_t plainCost = 0;
  /// Most variables that depended on each other.
  unsigned width = 0;
};

/// Chooses layouts as the pass `tensoraccess-assign-layouts` describes, and
/// emits its remarks.
LayoutAssignmentReport assignLayouts(FunctionOpInterface function,
                                     const LayoutAssignmentOptions &options);

/// Turns Triton's and IREE's encodings, and strided and linear ones that are
/// tiles, into this dialect's, as the pass `tensoraccess-convert-encodings`
/// describes. Returns how many types changed; emits an error for those that
/// can't be read.
FailureOr<unsigned> convertEncodings(ModuleOp module);

struct LayoutMaterializationReport {
  /// Ops that run on tensors in their layouts, and ops whose tensors are
  /// brought into row-major order.
  int64_t physical = 0, wrapped = 0;
  /// Relayouts that were emitted, including those for wrapped ops, and how many
  /// of them move nothing.
  int64_t relayouts = 0, views = 0;
  /// Reductions that are masked.
  int64_t masked = 0;
  /// Relayouts of constants, done at compile time.
  int64_t folded = 0;
};

/// Replaces tensors with layouts by tensors in memory, as the pass
/// `tensoraccess-materialize-layouts` describes, and emits its remarks. Emits
/// an error if a layout has no such tensor; the IR must not be used then.
/// Relayouts become linalg.pack and unpack where they match (`Pack`), or always
/// pad, expand_shape and transpose (`Steps`). Constants of at most `foldBytes`
/// in memory are packed at compile time.
FailureOr<LayoutMaterializationReport>
materializeLayouts(ModuleOp module, RelayoutWay way,
                   int64_t foldBytes = int64_t(1) << 30);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_LAYOUTS_H
