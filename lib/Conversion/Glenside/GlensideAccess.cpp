//===- GlensideAccess.cpp - Glenside's access patterns -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement and `compute`, one function per word.
//
//===----------------------------------------------------------------------===//

#include "GlensideSyntax.h"
#include "GlensideTerms.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static TermValue readAccess(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Number>(
      [&](Value pattern, int64_t axis) -> Value {
        if (axis >= 0 && axis <= b.rankOf(pattern))
          return b.split(pattern, axis);
        b.at(1).error() << "'access' takes an axis in [0, " << b.rankOf(pattern)
                        << "], got " << axis;
        return {};
      });
}

static TermValue readTranspose(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::List>(
      [&](Value pattern, ArrayRef<int64_t> perm) {
        return b.at(1).transpose(pattern, perm);
      });
}

static TermValue readCartesianProduct(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Pattern>(
      [&](Value lhs, Value rhs) { return b.at(1).cartProd(lhs, rhs); });
}

static TermValue readPair(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Pattern>(
      [&](Value lhs, Value rhs) { return b.at(1).pair(lhs, rhs); });
}

static TermValue readWindows(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Shape, TermValue::Shape>(
      [&](Value pattern, ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
        // The shape is wrong, unless only the strides are.
        auto fits = [&](ArrayRef<int64_t> numbers) {
          return static_cast<int64_t>(numbers.size()) ==
                     b.typeOf(pattern).getComputeRank() &&
                 !llvm::is_contained(numbers, 0);
        };
        size_t wrong = fits(shape) && !fits(strides) ? 2 : 1;
        return b.at(wrong).windows(pattern, shape, strides);
      });
}

static TermValue readReshape(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::AccessShape>(
      [&](Value pattern, const TermValue &shape) {
        ArrayRef<int64_t> numbers = shape.numbers;
        return b.at(1).reshape(pattern, numbers.take_front(shape.split),
                               numbers.drop_front(shape.split));
      });
}

static TermValue readFlatten(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern>(
      [&](Value pattern) { return b.op("flatten", pattern); });
}

static TermValue readSlice(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Number, TermValue::Number,
                TermValue::Number>([&](Value pattern, int64_t axis, int64_t low,
                                       int64_t high) {
    size_t wrong = axis < 0 || axis >= b.rankOf(pattern) ? 1 : low < 0 ? 2 : 3;
    return b.at(wrong).slice(pattern, axis, low, high);
  });
}

static TermValue readConcatenate(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Pattern, TermValue::Number>(
      [&](Value first, Value second, int64_t axis) {
        // A Relay operator has no split: it takes that of its neighbour.
        if (o.terms[1].isRelay && b.rankOf(second) >= b.splitOf(first))
          second = b.split(second, b.splitOf(first));
        size_t wrong = axis < 0 || axis >= b.rankOf(first) ? 2 : 1;
        return b.at(wrong).concat({first, second}, axis);
      });
}

/// Glenside moves the last access dimension to the items, and leaves a pattern
/// without access dimensions alone.
static TermValue readShiftRight(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern>([&](Value pattern) {
    return b.splitOf(pattern) == 0 ? pattern : b.op("shift_right", pattern);
  });
}

static TermValue readPad(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Word, TermValue::Number,
                TermValue::Number, TermValue::Number>(
      [&](Value pattern, StringRef type, int64_t axis, int64_t before,
          int64_t after) -> Value {
        Type element = b.typeOf(pattern).getElementType();
        TypedAttr value =
            llvm::StringSwitch<TypedAttr>(type)
                .Case("zero-padding", b.constant(element, int64_t(0)))
                .Case("min-padding", b.least(element))
                .Default({});
        if (!value) {
          b.at(1).error()
              << "a padding is 'zero-padding' or 'min-padding', got '" << type
              << "'";
          return {};
        }
        int64_t rank = b.rankOf(pattern);
        if (axis < 0 || axis >= rank) {
          b.at(2).error() << "axis must be in [0, " << rank << "), got "
                          << axis;
          return {};
        }
        SmallVector<int64_t> low(rank, 0), high(rank, 0);
        low[axis] = before;
        high[axis] = after;
        return b.at(before < 0 ? 3 : 4).pad(pattern, low, high, value);
      });
}

static TermValue readSqueeze(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Number>(
      [&](Value pattern, int64_t axis) {
        return b.at(1).squeeze(pattern, axis);
      });
}

static TermValue readInsertAxis(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::Number>(
      [&](Value pattern, int64_t axis) {
        return b.at(1).insertAxis(pattern, axis);
      });
}

static TermValue readBroadcast(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern, TermValue::AccessShape>(
      [&](Value pattern, const TermValue &shape) {
        return b.at(1).broadcast(pattern, shape.numbers);
      });
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static TermValue readCompute(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Word, TermValue::Pattern>(
      [&](StringRef word, Value pattern) -> Value {
        std::optional<ComputeKind> kind = getComputeKind(word);
        if (!kind) {
          b.at(0).error() << "'" << word << "' is not an operator of 'compute'";
          return {};
        }
        const int64_t rank = b.typeOf(pattern).getComputeRank();
        if (*kind == ComputeKind::Softmax && rank != 1) {
          b.at(1).error() << "'softmax' takes items of one dimension, got "
                          << rank;
          return {};
        }
        return b.at(1).compute(*kind, pattern);
      });
}

TermReader glenside::findAccessTerm(StringRef word) {
  return llvm::StringSwitch<TermReader>(word)
      .Case("access", readAccess)
      .Case("access-transpose", readTranspose)
      .Case("access-cartesian-product", readCartesianProduct)
      .Case("access-pair", readPair)
      .Case("access-windows", readWindows)
      .Case("access-reshape", readReshape)
      .Case("access-flatten", readFlatten)
      .Case("access-slice", readSlice)
      .Case("access-concatenate", readConcatenate)
      .Case("access-shift-right", readShiftRight)
      .Case("access-pad", readPad)
      .Case("access-squeeze", readSqueeze)
      .Case("access-insert-axis", readInsertAxis)
      .Case("access-broadcast", readBroadcast)
      .Case("compute", readCompute)
      .Default(nullptr);
}
