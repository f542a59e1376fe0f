//===- GlensideBuilder.h - Values of Glenside programs as MLIR ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the readers of Glenside's own terms (GlensideToAccess.cpp) and of its
// Relay operators (GlensideRelay.cpp) build with. Private to lib/Conversion.
//
// Every op is made by its name, its types inferred and verified at once, so
// that whatever a strict shape rule rejects is an error in the text: at the
// operand that causes it, or at the term where no operand does. A
// null value means that an error has been emitted.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_GLENSIDEBUILDER_H
#define TENSORACCESS_LIB_CONVERSION_GLENSIDEBUILDER_H

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/Builders.h"

namespace mlir::tensoraccess::glenside {

/// What a term stands for.
struct TermValue {
  enum Kind {
    None,        ///< evaluation failed, the error has been emitted
    Word,        ///< a keyword, or the name of a tensor
    Number,      ///< an integer
    Decimal,     ///< a number with a point or an exponent
    Literal,     ///< (literal 0.5): a tensor of rank 0 known at compile time
    Tensor,      ///< a tensor
    Pattern,     ///< an access pattern
    Shape,       ///< (shape 2 3)
    List,        ///< (list 0 2 1)
    AccessShape, ///< (access-shape (shape 2) (shape 3))
    Tuple        ///< (construct-tuple a b)
  };
  Kind kind = None;
  StringRef word;
  int64_t number = 0;
  double decimal = 0;
  /// Number, Literal: `number` is exact; else `decimal` is.
  bool isInteger = false;
  /// Tensor: a tensor. Pattern: an access pattern.
  Value value;
  /// Shape, List, AccessShape: the numbers.
  SmallVector<int64_t> numbers;
  /// AccessShape: how many of the numbers are access dimensions.
  size_t split = 0;
  std::vector<TermValue> elements;
  /// Made by a Relay operator, for which only the dimensions count and not where
  /// they are split.
  bool isRelay = false;

  explicit operator bool() const { return kind != None; }
  static TermValue ofPattern(Value value, bool isRelay = false) {
    TermValue term;
    term.kind = value ? Pattern : None;
    term.value = value;
    term.isRelay = isRelay;
    return term;
  }
};

/// The kind as messages name it: "an access pattern".
StringRef describe(TermValue::Kind kind);

/// Makes ops at one term's place.
class TermBuilder {
public:
  /// `places` are those of the term's operands; they outlive the builder.
  TermBuilder(OpBuilder &b, Location loc, ArrayRef<Location> places = {})
      : b(b), loc(loc), places(places), blamed(loc) {}

  OpBuilder &b;
  /// The term's place, which its ops get.
  Location loc;
  ArrayRef<Location> places;
  /// Where errors are reported.
  Location blamed;

  InFlightDiagnostic error() const { return emitError(blamed); }
  /// The same builder, whose errors are at an operand of the term.
  TermBuilder at(size_t operand) const {
    TermBuilder result(*this);
    if (operand < places.size())
      result.blamed = places[operand];
    return result;
  }

  /// The op of that name without the prefix of the dialect, verified; the type
  /// inferred where none is given.
  Value op(StringRef name, ValueRange operands,
           ArrayRef<NamedAttribute> attributes = {}, Type type = {});
  NamedAttribute numbers(StringRef name, ArrayRef<int64_t> values);
  NamedAttribute number(StringRef name, int64_t value);

  static AccessType typeOf(Value pattern) {
    return cast<AccessType>(pattern.getType());
  }
  static SmallVector<int64_t> shapeOf(Value pattern) {
    return typeOf(pattern).getShape();
  }
  static int64_t rankOf(Value pattern) { return typeOf(pattern).getRank(); }
  static int64_t splitOf(Value pattern) {
    return typeOf(pattern).getAccessRank();
  }

  Value access(Value tensor, int64_t axis);
  Value toTensor(Value pattern);
  /// The same elements, split elsewhere; the pattern itself where it is split
  /// there. An error outside of 0 … rank.
  Value split(Value pattern, int64_t axis);
  Value transpose(Value pattern, ArrayRef<int64_t> perm);
  Value slice(Value pattern, int64_t axis, int64_t low, int64_t high);
  Value concat(ValueRange patterns, int64_t axis);
  Value insertAxis(Value pattern, int64_t axis);
  Value squeeze(Value pattern, int64_t axis);
  Value pad(Value pattern, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
            TypedAttr value);
  Value windows(Value pattern, ArrayRef<int64_t> shape,
                ArrayRef<int64_t> strides);
  Value broadcast(Value pattern, ArrayRef<int64_t> shape);
  Value reshape(Value pattern, ArrayRef<int64_t> accessShape,
                ArrayRef<int64_t> computeShape);
  Value pair(Value lhs, Value rhs) { return op("pair", {lhs, rhs}); }
  Value cartProd(Value lhs, Value rhs) { return op("cart_prod", {lhs, rhs}); }
  Value compute(ComputeKind kind, Value pattern);

  /// A constant pattern of one value, all dimensions access dimensions.
  Value splat(ArrayRef<int64_t> shape, TypedAttr value);
  /// The value as an element; null, with an error, where the type cannot hold
  /// it.
  TypedAttr constant(Type element, int64_t value);
  TypedAttr constant(Type element, double value);
  TypedAttr constant(Type element, const TermValue &number);
  /// The least value of the type; for floats the least finite one.
  TypedAttr least(Type element);
};

/// Reads `(relay-operator-call …)`; `operands` begin with the operator's name.
TermValue readRelay(TermBuilder &b, ArrayRef<TermValue> operands);

} // namespace mlir::tensoraccess::glenside

#endif // TENSORACCESS_LIB_CONVERSION_GLENSIDEBUILDER_H
