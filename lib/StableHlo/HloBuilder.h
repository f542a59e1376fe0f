//===- HloBuilder.h - Writing ops of StableHLO ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_HLOBUILDER_H
#define TENSORACCESS_LIB_STABLEHLO_HLOBUILDER_H

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::tensoraccess {

inline RankedTensorType getTensorType(Value x) {
  return cast<RankedTensorType>(x.getType());
}

/// Whether there are functions or ops of StableHLO on types of a kind, and all else
/// on such types are calls and returns: no other op, and no function as a value.
bool hasHloOn(ModuleOp module, llvm::function_ref<bool(Type)> isOfKind);

/// Writes ops of StableHLO and CHLO on real tensors. Elementwise ones give their
/// first operand's type.
class HloBuilder {
public:
  explicit HloBuilder(ImplicitLocOpBuilder &b) : b(b) {}

  Operation *create(StringRef name, TypeRange types, ValueRange operands,
                    ArrayRef<NamedAttribute> attributes = {});
  Value one(StringRef name, Type type, ValueRange operands,
            ArrayRef<NamedAttribute> attributes = {}) {
    return create(name, type, operands, attributes)->getResult(0);
  }
  Value unary(StringRef name, Value x) { return one(name, x.getType(), x); }
  Value binary(StringRef name, Value x, Value y) {
    return one(name, x.getType(), {x, y});
  }
  Value add(Value x, Value y) { return binary("stablehlo.add", x, y); }
  Value sub(Value x, Value y) { return binary("stablehlo.subtract", x, y); }
  Value mul(Value x, Value y) { return binary("stablehlo.multiply", x, y); }
  Value div(Value x, Value y) { return binary("stablehlo.divide", x, y); }
  Value neg(Value x) { return unary("stablehlo.negate", x); }
  Value abs(Value x) { return unary("stablehlo.abs", x); }
  Value sqrt(Value x) { return unary("stablehlo.sqrt", x); }
  Value atan2(Value y, Value x) { return binary("stablehlo.atan2", y, x); }
  /// `x direction y`: LT, GE, EQ, …
  Value compare(StringRef direction, Value x, Value y);
  Value select(Value condition, Value x, Value y) {
    return one("stablehlo.select", x.getType(), {condition, x, y});
  }
  /// |x|, with the sign of y.
  Value copySign(Value x, Value y);
  /// A number in every place; sizes are static.
  Value constant(Type type, double value);
  /// The same of an integer, by its bits.
  Value integer(Type type, uint64_t bits);
  Value constant(DenseElementsAttr value) {
    return one("stablehlo.constant", value.getType(), {},
               attribute("value", value));
  }
  Value like(Value x, double value) { return constant(x.getType(), value); }
  Value convert(Value x, Type element);
  Value bitcast(Value x, Type element);
  Value iota(RankedTensorType type, int64_t dim);
  /// Dimension i of x is dimension dims[i] of the result.
  Value broadcast(Value x, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims);
  Value transpose(Value x, ArrayRef<int64_t> permutation);
  Value slice(Value x, ArrayRef<int64_t> starts, ArrayRef<int64_t> limits);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value concatenate(ValueRange values, int64_t dim);
  NamedAttribute attribute(StringRef name, Attribute value) {
    return b.getNamedAttr(name, value);
  }
  /// An attribute of StableHLO's own: `#stablehlo.dot<…>`, by its text.
  NamedAttribute ownAttribute(StringRef name, const Twine &text) {
    return attribute(name, OpaqueAttr::get(b.getStringAttr("stablehlo"),
                                           text.str(), b.getNoneType()));
  }
  NamedAttribute integers(StringRef name, ArrayRef<int64_t> values) {
    return attribute(name, b.getDenseI64ArrayAttr(values));
  }

  ImplicitLocOpBuilder &b;
};

/// Replaces a value where it is used after `other`, which is made of it.
void replaceBehind(Value value, Value other);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_HLOBUILDER_H
