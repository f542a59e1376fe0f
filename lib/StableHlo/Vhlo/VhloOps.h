//===- VhloOps.h - The ops of VHLO ------------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op of VHLO has all its attributes. A table (VhloOps.cpp) has them, and what
// becomes of each in StableHLO:
//
//   "dimension=-1 permutation:list offset_dims:gather result_accuracy@2=DEFAULT"
//
//   NAME         the attribute
//   @2           which version 2 has and version 1 does not
//   @1           which version 1 alone has: it is left out
//   :list        elements that are an array of i64; of booleans with :bools
//   :unit        a flag, which is absent if false
//   :symbol      the name of a symbol; several with :symbols
//   :channel     the number of a channel handle
//   :STRUCTURE   a field of gather, scatter, dot, dot_algorithm, conv or
//                channel_handle
//   =VALUE       which is left out if it has this value, or all elements have it
//   ?            which may be absent, in ops of Shardy and CHLO
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_VHLO_VHLOOPS_H
#define TENSORACCESS_LIB_STABLEHLO_VHLO_VHLOOPS_H

#include "mlir/IR/OperationSupport.h"
#include <string>

namespace mlir::tensoraccess {

struct VhloField {
  StringRef name;
  /// What becomes of it; "" if it stays as it is.
  StringRef kind;
  std::optional<StringRef> initial;
  bool isOptional = false;
};

/// An op of some version.
struct VhloOp {
  StringRef name;
  SmallVector<VhloField, 0> fields;
  /// The numbers of fields in the order of their names, which bytecode has.
  SmallVector<unsigned, 0> order;
};

/// The attributes of an op: those of its fields, in their order.
using VhloAttributes = SmallVector<Attribute>;

/// The op that `vhlo.NAME` is, such as `add_v1`, or one of another dialect, such as
/// `sdy.mesh`; null if there is none.
const VhloOp *findVhloOp(StringRef name);

/// The op's attributes in StableHLO; a failure, with `error`, if one is not as it
/// must be.
LogicalResult upgradeAttributes(const VhloOp &op, ArrayRef<Attribute> given,
                                MLIRContext *context, NamedAttrList &attributes,
                                std::string &error);

/// `#stablehlo.TEXT`, as StableHLO's text has it.
Attribute getStableHloAttribute(MLIRContext *context, const Twine &text);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_VHLO_VHLOOPS_H
