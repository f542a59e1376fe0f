//===- LayoutTypes.h - Layouts of tensor types ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the elements of a tensor type lie, for the ops relayout and bitcast and
// for whoever turns encodings into physical tensors. A type without an encoding
// has the row-major layout without padding.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_LAYOUTTYPES_H
#define TENSORACCESS_IR_LAYOUTTYPES_H

#include "TensorAccess/Core/Layout.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tensoraccess {

/// The layout of a tensor type, with its shape if that is static. None where
/// the encoding is no layout. The shape comes with the element type `pred`, so
/// that sizes in elements, and no sizes in bytes, can be asked for.
std::optional<Layout> getLayoutOf(RankedTensorType type);

/// The layout of a tensor type for a shape that it allows.
std::optional<Layout> getLayoutOf(RankedTensorType type,
                                  ArrayRef<int64_t> shape);

/// Bits of a value of this type: its width, that of both parts for complex
/// types; none for index and other types.
std::optional<int64_t> getValueBits(Type type);

/// The indexing map from indices of the layout `to` to the index in the layout
/// `from` that lies at the same place in memory; both have shapes. Elements
/// that lie on padding of `from`, or beyond it, are outside of its domain. Known
/// empty for a shape without elements; none on overflow.
std::optional<IndexingMap> getSamePlaceMap(const Layout &to,
                                           const Layout &from);

/// Whether every element of `to` lies on an element of `from`; both have
/// shapes. None where that cannot be decided. If not, `witness` is an index in
/// `to` that lies elsewhere.
std::optional<bool> liesOnElements(const Layout &to, const Layout &from,
                                   SmallVectorImpl<int64_t> *witness = nullptr);

/// Whether a relayout of these types by this permutation moves no byte: equal
/// element types, and every element lies where it lay, in equally much memory.
/// None where that cannot be decided.
std::optional<bool> movesNothing(RankedTensorType source,
                                 RankedTensorType result,
                                 ArrayRef<int64_t> permutation);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_LAYOUTTYPES_H
