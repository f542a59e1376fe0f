//===- OpHelpers.h - What verifiers share ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked construction of access types and the words of messages, for the files
// that infer types and verify ops.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_IR_OPHELPERS_H
#define TENSORACCESS_LIB_IR_OPHELPERS_H

#include "TensorAccess/IR/TensorAccess.h"

namespace mlir::tensoraccess {

/// The access type with the given full shape, split at `axis`.
AccessType getSplit(ArrayRef<int64_t> shape, int64_t axis, Type elementType);

/// Like get, but reports the error of the type's own verifier about a shape that
/// inference made (its element count may overflow).
FailureOr<AccessType> getCheckedType(std::optional<Location> loc,
                                     MLIRContext *context,
                                     ArrayRef<int64_t> accessShape,
                                     ArrayRef<int64_t> computeShape,
                                     Type elementType);

/// Appends a checked type to the inferred ones, the full shape split at `axis`.
LogicalResult inferSplit(std::optional<Location> loc, MLIRContext *context,
                         ArrayRef<int64_t> shape, int64_t axis,
                         Type elementType, SmallVectorImpl<Type> &types);

/// Writes a list as `[3, 1, 5]`, a dynamic size as `?`.
std::string listToString(ArrayRef<int64_t> values);

/// The shape that two shapes have in common when `?` may be any size;
/// std::nullopt where they differ in rank or in a static size. What `?` is must
/// be checked at run time.
std::optional<SmallVector<int64_t>> mergeShapes(ArrayRef<int64_t> a,
                                                ArrayRef<int64_t> b);

/// Constraints of every op that takes several patterns: equal element types.
LogicalResult verifyElementTypes(std::optional<Location> loc, AccessType a,
                                 AccessType b);

/// One entry for each of `rank` dimensions, or an error. `unit`
/// is what the entries count by, `dimension` or `compute dimension`.
LogicalResult verifyEntries(std::optional<Location> loc, StringRef name,
                            int64_t count, int64_t rank,
                            StringRef unit = "dimension");

/// True if a policy's value, if it has one, is of the element type.
bool fitsElementType(const OutOfBounds &policy, Type elementType);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_IR_OPHELPERS_H
