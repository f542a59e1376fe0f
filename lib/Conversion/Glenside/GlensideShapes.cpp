//===- GlensideShapes.cpp - Shapes, tensors and tuples of Glenside -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms that are known when the program is read, and those that name data.
//
//===----------------------------------------------------------------------===//

#include "GlensideTerms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

static TermValue ofNumbers(TermValue::Kind kind, ArrayRef<int64_t> numbers) {
  TermValue term;
  term.kind = kind;
  term.numbers.assign(numbers.begin(), numbers.end());
  return term;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static TermValue readNumbers(Operands &o, TermValue::Kind kind) {
  TermValue term = ofNumbers(kind, {});
  for (size_t i = 0; i < o.terms.size(); ++i)
    term.numbers.push_back(o.number(i));
  if (o.failed)
    return {};
  for (auto [i, number] : llvm::enumerate(term.numbers))
    if (number < 0) {
      o.b.at(i).error() << "'" << o.word << "' holds numbers >= 0, got "
                        << number;
      return {};
    }
  return term;
}

static TermValue readShape(TermBuilder &, Operands &o) {
  return readNumbers(o, TermValue::Shape);
}

static TermValue readList(TermBuilder &, Operands &o) {
  return readNumbers(o, TermValue::List);
}

static TermValue readShapeOf(TermBuilder &, Operands &o) {
  return o.read<TermValue::Tensor>([](Value tensor) {
    return ofNumbers(TermValue::Shape,
                     cast<RankedTensorType>(tensor.getType()).getShape());
  });
}

/// Reads (word shape axis), the axis in [0, rank + more), to another shape.
static TermValue
readShapeAndAxis(TermBuilder &b, Operands &o, int64_t more,
                 llvm::function_ref<void(SmallVector<int64_t> &, int64_t)> fn) {
  return o.read<TermValue::Shape, TermValue::Number>(
      [&](ArrayRef<int64_t> shape, int64_t axis) -> TermValue {
        int64_t end = static_cast<int64_t>(shape.size()) + more;
        if (axis < 0 || axis >= end) {
          b.at(1).error() << "'" << o.word << "' takes an axis in [0, " << end
                          << "), got " << axis;
          return {};
        }
        TermValue result = ofNumbers(TermValue::Shape, shape);
        fn(result.numbers, axis);
        return result;
      });
}

static TermValue readSliceShape(TermBuilder &b, Operands &o) {
  return readShapeAndAxis(b, o, 1, [](auto &shape, int64_t axis) {
    shape.erase(shape.begin(), shape.begin() + axis);
  });
}

static TermValue readShapeInsertAxis(TermBuilder &b, Operands &o) {
  return readShapeAndAxis(b, o, 1, [](auto &shape, int64_t axis) {
    shape.insert(shape.begin() + axis, 1);
  });
}

static TermValue readShapeRemoveAxis(TermBuilder &b, Operands &o) {
  return readShapeAndAxis(b, o, 0, [](auto &shape, int64_t axis) {
    shape.erase(shape.begin() + axis);
  });
}

static TermValue accessShape(ArrayRef<int64_t> accessSizes,
                             ArrayRef<int64_t> computeSizes) {
  TermValue term = ofNumbers(TermValue::AccessShape, accessSizes);
  llvm::append_range(term.numbers, computeSizes);
  term.split = accessSizes.size();
  return term;
}

static TermValue readAccessShape(TermBuilder &, Operands &o) {
  return o.read<TermValue::Shape, TermValue::Shape>(accessShape);
}

static TermValue readGetAccessShape(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Pattern>([&](Value pattern) {
    AccessType type = b.typeOf(pattern);
    return accessShape(type.getAccessShape(), type.getComputeShape());
  });
}

//===----------------------------------------------------------------------===//
// Tensors and literals
//===----------------------------------------------------------------------===//

static TermValue readAccessTensor(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Tensor>([&](Value tensor) {
    return b.access(tensor, cast<RankedTensorType>(tensor.getType()).getRank());
  });
}

Type glenside::literalType(TermBuilder &b) {
  auto function = cast<func::FuncOp>(b.b.getInsertionBlock()->getParentOp());
  for (Type type : function.getArgumentTypes())
    return cast<RankedTensorType>(type).getElementType();
  return b.b.getF64Type();
}

static bool isScalar(const TermValue &term) {
  return term.kind == TermValue::Number || term.kind == TermValue::Decimal ||
         term.kind == TermValue::Literal;
}

static TermValue readLiteral(TermBuilder &b, Operands &o) {
  if (!o.count(1))
    return {};
  if (!isScalar(o.terms[0]) || o.terms[0].kind == TermValue::Literal) {
    b.at(0).error() << "'literal' takes a number, got "
                    << describe(o.terms[0].kind);
    return {};
  }
  TermValue term = o.terms[0];
  term.kind = TermValue::Literal;
  return term;
}

static TermValue readAccessLiteral(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Literal>([&](const TermValue &literal) {
    return b.splat({}, b.at(0).constant(literalType(b), literal));
  });
}

static TermValue readConstantTensor(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  if (!isScalar(o.terms[0])) {
    b.at(0).error() << "operand 0 of 'constant-tensor' must be a number, got "
                    << describe(o.terms[0].kind);
    return {};
  }
  ArrayRef<int64_t> shape = o.shape(1);
  if (o.failed)
    return {};
  Value pattern =
      b.at(1).splat(shape, b.at(0).constant(literalType(b), o.terms[0]));
  if (!pattern)
    return {};
  TermValue term;
  term.kind = TermValue::Tensor;
  term.value = b.toTensor(pattern);
  return term;
}

static TermValue readConstructTuple(TermBuilder &b, Operands &o) {
  TermValue term;
  term.kind = TermValue::Tuple;
  for (size_t i = 0; i < o.terms.size(); ++i)
    if (o.terms[i].kind != TermValue::Tuple)
      o.take(i, TermValue::Pattern);
  term.elements.assign(o.terms.begin(), o.terms.end());
  return o.failed ? TermValue() : term;
}

static TermValue readTupleGetItem(TermBuilder &b, Operands &o) {
  return o.read<TermValue::Tuple, TermValue::Number>(
      [&](const TermValue &tuple, int64_t index) -> TermValue {
        const int64_t size = tuple.elements.size();
        if (index >= 0 && index < size)
          return tuple.elements[index];
        b.at(1).error() << "a tuple of " << size << " has no item " << index;
        return {};
      });
}

TermReader glenside::findShapeTerm(StringRef word) {
  return llvm::StringSwitch<TermReader>(word)
      .Case("shape", readShape)
      .Case("list", readList)
      .Case("shape-of", readShapeOf)
      .Case("slice-shape", readSliceShape)
      .Case("shape-insert-axis", readShapeInsertAxis)
      .Case("shape-remove-axis", readShapeRemoveAxis)
      .Case("access-shape", readAccessShape)
      .Case("get-access-shape", readGetAccessShape)
      .Case("access-tensor", readAccessTensor)
      .Case("literal", readLiteral)
      .Case("access-literal", readAccessLiteral)
      .Case("constant-tensor", readConstantTensor)
      .Case("construct-tuple", readConstructTuple)
      .Case("tuple-get-item", readTupleGetItem)
      .Default(nullptr);
}
