//===- GlensideRelay.cpp - Relay operators in Glenside programs ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `(relay-operator-call relay-… operands…)`: operators of a whole network that
// Glenside does not (yet) write as access patterns. Each is written as access
// patterns here: a broadcast addition is insert_axis, broadcast, pair and
// elementwise_add; a maximum of two tensors is the greatest of a pair.
// Functions of one element that the dialect has no kind for (exp, tanh, …) are
// arith and math on tensors.
//
// A Relay operator sees the dimensions of its operands and not where they are
// split; results are split as Glenside's own shape rules do.
//
//===----------------------------------------------------------------------===//

#include "GlensideRelay.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

bool Call::check(StringRef kinds) {
  // Whether a term is what a letter stands for, and how messages name that.
  auto match = [](const TermValue &term,
                  char letter) -> std::pair<bool, StringRef> {
    auto is = [&](TermValue::Kind kind) {
      return std::pair(term.kind == kind, describe(kind));
    };
    auto isOneOf = [&](StringRef a, StringRef b) {
      return term.kind == TermValue::Word && (term.word == a || term.word == b);
    };
    switch (letter) {
    case 'p':
      return is(TermValue::Pattern);
    case 'n':
      return is(TermValue::Number);
    case 's':
      return is(TermValue::Shape);
    case 'l':
      return is(TermValue::List);
    case 't':
      return is(TermValue::Tuple);
    case 'a':
      return {isOneOf("relay-activation-layout-nchw",
                      "relay-activation-layout-nhwc"),
              "an activation layout"};
    case 'k':
      return {isOneOf("relay-kernel-layout-oihw", "relay-kernel-layout-hwio"),
              "a kernel layout"};
    case 'd':
      return {term.kind == TermValue::Decimal ||
                  term.kind == TermValue::Literal ||
                  term.kind == TermValue::Number,
              describe(TermValue::Decimal)};
    default:
      return {true, ""};
    }
  };
  if (terms.size() != kinds.size()) {
    refuse(kinds.size(), "takes " + Twine(kinds.size()) + " operand" +
                             (kinds.size() == 1 ? "" : "s") + ", got " +
                             Twine(terms.size()));
    return false;
  }
  for (auto [i, term, letter] : llvm::enumerate(terms, kinds))
    if (auto [fits, wanted] = match(term, letter); !fits) {
      refuse(i,
             "takes " + wanted + " as operand " + Twine(i) + ", got " +
                 (term.kind == TermValue::Word ? "'" + term.word + "'"
                                               : Twine(describe(term.kind))));
      return false;
    }
  return true;
}

std::optional<int64_t> Call::axis(size_t i, int64_t rank) {
  int64_t number = terms[i].number;
  if (number < -rank || number >= rank) {
    refuse(i, "takes an axis in [" + Twine(-rank) + ", " + Twine(rank) +
                  "), got " + Twine(number));
    return std::nullopt;
  }
  return number < 0 ? number + rank : number;
}

bool Call::isFloat() {
  Type element = b.typeOf(pattern(0)).getElementType();
  if (isa<FloatType>(element))
    return true;
  at(0).error() << "'" << name << "' takes floats, got " << element;
  return false;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// numpy's broadcasting: shorter shapes get leading 1s, 1s grow.
bool Call::broadcastTogether(Value &lhs, Value &rhs) {
  for (Value *value : {&lhs, &rhs}) {
    if (!*value)
      return false;
    *value = b.split(*value, b.rankOf(*value));
  }
  while (lhs && rhs && b.rankOf(lhs) < b.rankOf(rhs))
    lhs = b.insertAxis(lhs, 0);
  while (lhs && rhs && b.rankOf(rhs) < b.rankOf(lhs))
    rhs = b.insertAxis(rhs, 0);
  if (!lhs || !rhs)
    return false;
  SmallVector<int64_t> shape = b.shapeOf(lhs);
  for (auto [i, l, r] : llvm::enumerate(b.shapeOf(lhs), b.shapeOf(rhs))) {
    if (l != r && l != 1 && r != 1) {
      refuse("takes shapes that broadcast together, got sizes " + Twine(l) +
             " and " + Twine(r) + " in dimension " + Twine(i));
      return false;
    }
    shape[i] = l == 1 ? r : l;
  }
  lhs = b.broadcast(lhs, shape);
  rhs = b.broadcast(rhs, shape);
  return lhs && rhs;
}

Value Call::elementwise(ComputeKind kind, Value lhs, Value rhs) {
  return broadcastTogether(lhs, rhs) ? b.compute(kind, b.pair(lhs, rhs))
                                     : Value();
}

Value Call::minimum(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return {};
  Value greatest = maximum(negative(lhs), negative(rhs));
  return greatest ? negative(greatest) : Value();
}

/// Reduces the last dimension of a tensor and keeps it with size 1.
Value Call::reduceLast(ComputeKind kind, Value x) {
  if (!x)
    return {};
  int64_t rank = b.rankOf(x);
  Value reduced = b.compute(kind, b.split(x, rank - 1));
  return reduced ? b.insertAxis(reduced, rank - 1) : Value();
}

Value Call::alongAxis(Value vector, int64_t axis, int64_t rank) {
  if (b.rankOf(vector) != 1) {
    refuse("takes a vector along an axis, got " + Twine(b.rankOf(vector)) +
           " dimensions");
    return {};
  }
  Value result = b.split(vector, 1);
  for (int64_t i = axis + 1; result && i < rank; ++i)
    result = b.insertAxis(result, b.rankOf(result));
  return result;
}

TermValue glenside::readRelay(TermBuilder &b, ArrayRef<TermValue> operands) {
  StringRef name = operands[0].word;
  Call call(b, name, operands.drop_front());
  for (auto find : {findElementwise, findAlongAxis, findWindowed, findMovement})
    if (RelayReader reader = find(name))
      return reader(call);
  b.at(0).error() << "'" << name
                  << "' is not an operator of Relay that Glenside knows";
  return {};
}
