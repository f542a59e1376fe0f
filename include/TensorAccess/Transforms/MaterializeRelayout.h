//===- MaterializeRelayout.h - Relayouts of physical tensors ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor whose encoding is a layout is, in memory, a tensor without encoding
// of the layout's physical shape. What relayout and bitcast do to it, written
// with upstream's ops:
//
//   tensor<3x5xf32, {1,0:T(2,2)}>   is   tensor<2x3x2x2xf32>
//
// Functions here see physical tensors and the types they stand for; who turns a
// program's encodings into physical tensors (materialize-layouts,
// lower-layouts) calls them for each op.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_MATERIALIZERELAYOUT_H
#define TENSORACCESS_TRANSFORMS_MATERIALIZERELAYOUT_H

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// The ops that a relayout becomes. All give the same physical tensor.
enum class RelayoutWay : uint8_t {
  /// tensor.pad, expand_shape and linalg.transpose, a step at a time; backwards
  /// linalg.transpose, collapse_shape and tensor.extract_slice.
  Steps,
  /// linalg.pack and linalg.unpack, one a tile; the steps around them.
  Pack,
  /// scf.for over tiles, which are read, rearranged and written as vectors.
  Loops,
};

struct MaterializeOptions {
  RelayoutWay way = RelayoutWay::Pack;
  /// Loops: a vector has at most this many elements. A tile that is larger is
  /// moved in parts.
  int64_t maxVectorElements = 256;
};

/// The type of the tensor that a type stands for in memory: without encoding,
/// of the physical shape, of one dimension where the layout has a tail; the
/// type itself if it has no encoding. An error where the encoding is no layout,
/// or has element bits `E` other than the element's.
FailureOr<RankedTensorType>
getPhysicalType(RankedTensorType type,
                function_ref<InFlightDiagnostic()> emitError);

/// The physical tensor of `relayout` from `source` to `result` by `permutation`
/// (empty: none), given that of its operand. Padding of the result is zero, or
/// where nothing moves what the source's is.
/// `sourceSizes` are the logical sizes of the source, which a dynamic type with
/// an encoding needs; where they are empty they are taken from `physical`. What
/// dynamic sizes leave open is asserted. `resultSizes`, if given, gets the
/// logical sizes of the result. An error at `loc` where a type has no physical
/// one.
FailureOr<Value>
materializeRelayout(OpBuilder &b, Location loc, Value physical,
                    RankedTensorType source, RankedTensorType result,
                    ArrayRef<int64_t> permutation = {},
                    const MaterializeOptions &options = {},
                    ArrayRef<OpFoldResult> sourceSizes = {},
                    SmallVectorImpl<OpFoldResult> *resultSizes = nullptr);

/// The physical tensor of `bitcast` from `source` to `result`, given that of
/// its operand: a reshape, as all of memory stays where it is. `sourceSizes` and
/// `resultSizes` are as above; the logical sizes of the result are its own, and
/// need not count as many elements as the source's.
FailureOr<Value>
materializeBitcast(OpBuilder &b, Location loc, Value physical,
                   RankedTensorType source, RankedTensorType result,
                   ArrayRef<OpFoldResult> sourceSizes = {},
                   SmallVectorImpl<OpFoldResult> *resultSizes = nullptr);

/// Turns linearize, delinearize and apply_indexing below `root` into affine and
/// arith ops.
void lowerIndexOps(Operation *root);

/// relayout with a neighbour that permutes, reshapes or converts = relayout, as
/// the pass `tensoraccess-fuse-relayouts` describes.
void populateRelayoutFusion(RewritePatternSet &patterns);

/// Lowers the ops on indices, and every relayout and bitcast whose encoded
/// operands and results are only seen by others of them: the encodings of such
/// values become physical tensors. An error at an op that keeps an encoding
/// which came from, or goes to, a relayout.
LogicalResult lowerLayouts(Operation *root,
                           const MaterializeOptions &options = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_MATERIALIZERELAYOUT_H
