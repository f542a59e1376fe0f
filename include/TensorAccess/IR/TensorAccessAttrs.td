//===- TensorAccessAttrs.td - Attributes -------------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_ATTRS_TD
#define TENSORACCESS_IR_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "TensorAccess/IR/TensorAccessDialect.td"
include "TensorAccess/IR/TensorAccessEnums.td"

#endif // TENSORACCESS_IR_ATTRS_TD
