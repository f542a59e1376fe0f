//===- GlensideRelay.h - Calls of Relay operators ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call, its operands taken by kind, and the parts that the readers of
// operators share. Private to lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_GLENSIDERELAY_H
#define TENSORACCESS_LIB_CONVERSION_GLENSIDERELAY_H

#include "GlensideBuilder.h"

namespace mlir::tensoraccess::glenside {

/// One call: its operands without the operator's name.
class Call {
public:
  Call(TermBuilder &b, StringRef name, ArrayRef<TermValue> terms)
      : b(b), name(name), terms(terms) {}

  TermBuilder &b;
  StringRef name;
  ArrayRef<TermValue> terms;

  /// The builder, whose errors are at operand i.
  TermBuilder at(size_t i) { return b.at(i + 1); }
  /// An error at the call, or at the operand that causes it.
  TermValue refuse(const Twine &why) {
    b.error() << "'" << name << "' " << why;
    return {};
  }
  TermValue refuse(size_t i, const Twine &why) {
    at(i).error() << "'" << name << "' " << why;
    return {};
  }
  /// True if the operands have these kinds, one letter each: a pattern `p`,
  /// a number `n`, a shape `s`, a list `l`, a tuple `t`, an activation layout
  /// `a`, a kernel layout `k`, a decimal, literal or number `d`, any `_`.
  bool check(StringRef kinds);

  Value pattern(size_t i) { return terms[i].value; }
  /// The pattern with all dimensions as access dimensions.
  Value tensor(size_t i) { return b.split(pattern(i), b.rankOf(pattern(i))); }
  ArrayRef<int64_t> numbers(size_t i) { return terms[i].numbers; }
  double decimal(size_t i) { return terms[i].decimal; }
  bool channelsLast(size_t i) { return terms[i].word.ends_with("nhwc"); }
  /// Operand i as an axis of a tensor of that rank, counted from the end where
  /// negative; std::nullopt, with an error, where it is outside.
  std::optional<int64_t> axis(size_t i, int64_t rank);

  /// The result, split like operand 0.
  TermValue likeFirst(Value result) {
    if (!result)
      return {};
    return TermValue::ofPattern(b.split(result, b.splitOf(pattern(0))), true);
  }
  TermValue all(Value result) {
    return TermValue::ofPattern(
        result ? b.split(result, b.rankOf(result)) : Value(), true);
  }
  /// All dimensions in the item.
  TermValue none(Value result) {
    return TermValue::ofPattern(b.split(result, 0), true);
  }

  Value elementwise(ComputeKind kind, Value lhs, Value rhs);
  bool broadcastTogether(Value &lhs, Value &rhs);
  Value maximum(Value lhs, Value rhs) {
    return elementwise(ComputeKind::ReduceMax, lhs, rhs);
  }
  Value minimum(Value lhs, Value rhs);
  Value negative(Value x) { return b.compute(ComputeKind::Negative, x); }
  Value subtract(Value lhs, Value rhs) {
    return rhs ? elementwise(ComputeKind::ElementwiseAdd, lhs, negative(rhs))
               : Value();
  }
  template <typename T>
  Value splatLike(Value x, T value) {
    if (!x)
      return {};
    return b.splat(b.shapeOf(x),
                   b.constant(b.typeOf(x).getElementType(), value));
  }
  Value reduceLast(ComputeKind kind, Value x);
  /// A vector along `axis` of a tensor of that rank, other sizes 1.
  Value alongAxis(Value vector, int64_t axis, int64_t rank);
  bool isFloat();
  template <typename Op>
  Value math(Value x) {
    Value tensor = x ? b.toTensor(x) : Value();
    return tensor ? b.access(Op::create(b.b, b.loc, tensor), b.rankOf(x))
                  : Value();
  }
};

/// Reads the operators of one family; null if none has that name.
using RelayReader = TermValue (*)(Call &);
RelayReader findElementwise(StringRef name);
RelayReader findAlongAxis(StringRef name);
RelayReader findWindowed(StringRef name);
RelayReader findMovement(StringRef name);

/// The permutations between NCHW and NHWC.
inline constexpr int64_t kToChannelsFirst[] = {0, 3, 1, 2};
inline constexpr int64_t kToChannelsLast[] = {0, 2, 3, 1};

} // namespace mlir::tensoraccess::glenside

#endif // TENSORACCESS_LIB_CONVERSION_GLENSIDERELAY_H
