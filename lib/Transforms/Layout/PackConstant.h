//===- PackConstant.h - Constants packed at compile time --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_PACKCONSTANT_H
#define TENSORACCESS_LIB_TRANSFORMS_PACKCONSTANT_H

#include "PhysicalForm.h"

namespace mlir::tensoraccess {

/// The constant `value`, which lies as `from` says, as a constant of `shape`
/// that lies as `to` says, with zeros in its padding. Null where it is not a
/// constant of whole bytes an element, written out as dense elements or a
/// resource that is present, or would have more than `maxBytes`.
Value packConstant(OpBuilder &builder, Location loc, Value value,
                   const RelayoutSide &from, const RelayoutSide &to,
                   ArrayRef<int64_t> shape, int64_t maxBytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PACKCONSTANT_H
