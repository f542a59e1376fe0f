//===- GlensideToAccess.cpp - Glenside programs as access patterns --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The terms of the program are visited operands first, in one loop; each
// becomes a TermValue (GlensideBuilder.h): a number, a shape, a tensor, a
// pattern. One function reads each word; the table at the end says which.
//
// `(access-tensor t)` is a pattern whose dimensions are all access dimensions.
// What Glenside does not check but the dialect does (element counts in
// reshape, equal shapes in pair, the other dimensions in concatenate, …) is an
// error of the op's verifier at the term's place.
//
//===----------------------------------------------------------------------===//

#include "GlensideBuilder.h"
#include "GlensideSyntax.h"
#include "TensorAccess/Conversion/Glenside.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

/// Most systolic arrays that one term with blocking is written out into.
static constexpr int64_t kMaxBlocks = 1 << 16;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {

/// The operands of one term, taken by kind. After the first wrong one `failed`
/// is set, the error emitted, and everything taken is empty.
class Operands {
public:
  Operands(TermBuilder &b, StringRef word, ArrayRef<TermValue> terms)
      : b(b), word(word), terms(terms) {}

  bool count(size_t wanted) {
    if (terms.size() == wanted)
      return true;
    failed = true;
    b.error() << "'" << word << "' takes " << wanted << " operand"
              << (wanted == 1 ? "" : "s") << ", got " << terms.size();
    return false;
  }
  Value pattern(size_t i) { return take(i, TermValue::Pattern).value; }
  int64_t number(size_t i) { return take(i, TermValue::Number).number; }
  ArrayRef<int64_t> shape(size_t i) {
    return take(i, TermValue::Shape).numbers;
  }
  const TermValue &take(size_t i, TermValue::Kind kind) {
    static const TermValue nothing;
    if (terms[i].kind == kind)
      return terms[i];
    if (!failed)
      b.error() << "operand " << i << " of '" << word << "' must be "
                << describe(kind) << ", got " << describe(terms[i].kind);
    failed = true;
    return nothing;
  }

  TermBuilder &b;
  StringRef word;
  ArrayRef<TermValue> terms;
  bool failed = false;
};

using Reader = TermValue (*)(TermBuilder &, Operands &);

} // namespace

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
  for (int64_t number : term.numbers)
    if (number < 0) {
      o.b.error() << "'" << o.word << "' holds numbers >= 0, got " << number;
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
  if (!o.count(1))
    return {};
  const TermValue &tensor = o.take(0, TermValue::Tensor);
  if (o.failed)
    return {};
  return ofNumbers(TermValue::Shape,
                   cast<RankedTensorType>(tensor.value.getType()).getShape());
}

/// Reads (word shape axis); none where the axis is not in [0, rank + more).
static std::optional<std::pair<SmallVector<int64_t>, int64_t>>
readShapeAndAxis(TermBuilder &b, Operands &o, int64_t more) {
  if (!o.count(2))
    return std::nullopt;
  SmallVector<int64_t> shape(o.shape(0));
  int64_t axis = o.number(1);
  if (o.failed)
    return std::nullopt;
  int64_t end = static_cast<int64_t>(shape.size()) + more;
  if (axis < 0 || axis >= end) {
    b.error() << "'" << o.word << "' takes an axis in [0, " << end << "), got "
              << axis;
    return std::nullopt;
  }
  return std::make_pair(std::move(shape), axis);
}

static TermValue readSliceShape(TermBuilder &b, Operands &o) {
  auto read = readShapeAndAxis(b, o, 1);
  return read ? ofNumbers(TermValue::Shape,
                          ArrayRef(read->first).drop_front(read->second))
              : TermValue();
}

static TermValue readShapeInsertAxis(TermBuilder &b, Operands &o) {
  auto read = readShapeAndAxis(b, o, 1);
  if (!read)
    return {};
  read->first.insert(read->first.begin() + read->second, 1);
  return ofNumbers(TermValue::Shape, read->first);
}

static TermValue readShapeRemoveAxis(TermBuilder &b, Operands &o) {
  auto read = readShapeAndAxis(b, o, 0);
  if (!read)
    return {};
  read->first.erase(read->first.begin() + read->second);
  return ofNumbers(TermValue::Shape, read->first);
}

static TermValue accessShape(ArrayRef<int64_t> accessSizes,
                             ArrayRef<int64_t> computeSizes) {
  TermValue term = ofNumbers(TermValue::AccessShape, accessSizes);
  llvm::append_range(term.numbers, computeSizes);
  term.split = accessSizes.size();
  return term;
}

static TermValue readAccessShape(TermBuilder &, Operands &o) {
  if (!o.count(2))
    return {};
  ArrayRef<int64_t> accessSizes = o.shape(0), computeSizes = o.shape(1);
  return o.failed ? TermValue() : accessShape(accessSizes, computeSizes);
}

static TermValue readGetAccessShape(TermBuilder &b, Operands &o) {
  if (!o.count(1))
    return {};
  Value pattern = o.pattern(0);
  if (o.failed)
    return {};
  AccessType type = b.typeOf(pattern);
  return accessShape(type.getAccessShape(), type.getComputeShape());
}

//===----------------------------------------------------------------------===//
// Tensors and literals
//===----------------------------------------------------------------------===//

static TermValue readAccessTensor(TermBuilder &b, Operands &o) {
  if (!o.count(1))
    return {};
  const TermValue &tensor = o.take(0, TermValue::Tensor);
  if (o.failed)
    return {};
  auto type = cast<RankedTensorType>(tensor.value.getType());
  return TermValue::ofPattern(b.access(tensor.value, type.getRank()));
}

/// The element type of literals: that of the program's first tensor, else f64.
static Type literalType(TermBuilder &b) {
  auto function = cast<func::FuncOp>(b.b.getInsertionBlock()->getParentOp());
  for (Type type : function.getArgumentTypes())
    return cast<RankedTensorType>(type).getElementType();
  return b.b.getF64Type();
}

static std::optional<double> scalarOf(const TermValue &term) {
  if (term.kind == TermValue::Number)
    return static_cast<double>(term.number);
  if (term.kind == TermValue::Decimal || term.kind == TermValue::Literal)
    return term.decimal;
  return std::nullopt;
}

/// True where the type holds the value; else an error has been emitted.
static bool holds(TermBuilder &b, Type element, double value) {
  if (isa<FloatType>(element) || value == std::floor(value))
    return true;
  b.error() << "the program's elements are " << element
            << ", which cannot hold " << value;
  return false;
}

static TermValue readLiteral(TermBuilder &b, Operands &o) {
  if (!o.count(1))
    return {};
  std::optional<double> value = scalarOf(o.terms[0]);
  if (!value || o.terms[0].kind == TermValue::Literal) {
    b.error() << "'literal' takes a number, got " << describe(o.terms[0].kind);
    return {};
  }
  TermValue term;
  term.kind = TermValue::Literal;
  term.decimal = *value;
  return term;
}

static TermValue readAccessLiteral(TermBuilder &b, Operands &o) {
  if (!o.count(1))
    return {};
  double value = o.take(0, TermValue::Literal).decimal;
  Type element = literalType(b);
  if (o.failed || !holds(b, element, value))
    return {};
  return TermValue::ofPattern(b.splat({}, element, value));
}

static TermValue readConstantTensor(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  std::optional<double> value = scalarOf(o.terms[0]);
  if (!value) {
    b.error() << "operand 0 of 'constant-tensor' must be a number, got "
              << describe(o.terms[0].kind);
    return {};
  }
  ArrayRef<int64_t> shape = o.shape(1);
  Type element = literalType(b);
  if (o.failed || !holds(b, element, *value))
    return {};
  Value pattern = b.splat(shape, element, *value);
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
  if (!o.count(2))
    return {};
  const TermValue &tuple = o.take(0, TermValue::Tuple);
  int64_t index = o.number(1);
  if (o.failed)
    return {};
  if (index < 0 || index >= static_cast<int64_t>(tuple.elements.size())) {
    b.error() << "a tuple of " << tuple.elements.size() << " has no item "
              << index;
    return {};
  }
  return tuple.elements[index];
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static TermValue readAccess(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value pattern = o.pattern(0);
  int64_t axis = o.number(1);
  if (o.failed)
    return {};
  if (axis < 0 || axis > b.rankOf(pattern)) {
    b.error() << "'access' takes an axis in [0, " << b.rankOf(pattern)
              << "], got " << axis;
    return {};
  }
  return TermValue::ofPattern(b.split(pattern, axis));
}

static TermValue readTranspose(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value pattern = o.pattern(0);
  const TermValue &perm = o.take(1, TermValue::List);
  return o.failed ? TermValue()
                  : TermValue::ofPattern(b.transpose(pattern, perm.numbers));
}

static TermValue readCartesianProduct(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value lhs = o.pattern(0), rhs = o.pattern(1);
  return o.failed ? TermValue() : TermValue::ofPattern(b.cartProd(lhs, rhs));
}

static TermValue readPair(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value lhs = o.pattern(0), rhs = o.pattern(1);
  return o.failed ? TermValue() : TermValue::ofPattern(b.pair(lhs, rhs));
}

static TermValue readWindows(TermBuilder &b, Operands &o) {
  if (!o.count(3))
    return {};
  Value pattern = o.pattern(0);
  ArrayRef<int64_t> shape = o.shape(1), strides = o.shape(2);
  return o.failed ? TermValue()
                  : TermValue::ofPattern(b.windows(pattern, shape, strides));
}

static TermValue readReshape(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value pattern = o.pattern(0);
  const TermValue &shape = o.take(1, TermValue::AccessShape);
  if (o.failed)
    return {};
  ArrayRef<int64_t> numbers = shape.numbers;
  return TermValue::ofPattern(b.reshape(pattern,
                                        numbers.take_front(shape.split),
                                        numbers.drop_front(shape.split)));
}

static TermValue readFlatten(TermBuilder &b, Operands &o) {
  if (!o.count(1))
    return {};
  Value pattern = o.pattern(0);
  return o.failed ? TermValue()
                  : TermValue::ofPattern(b.op("flatten", pattern));
}

static TermValue readSlice(TermBuilder &b, Operands &o) {
  if (!o.count(4))
    return {};
  Value pattern = o.pattern(0);
  int64_t axis = o.number(1), low = o.number(2), high = o.number(3);
  return o.failed ? TermValue()
                  : TermValue::ofPattern(b.slice(pattern, axis, low, high));
}

static TermValue readConcatenate(TermBuilder &b, Operands &o) {
  if (!o.count(3))
    return {};
  Value first = o.pattern(0), second = o.pattern(1);
  int64_t axis = o.number(2);
  if (o.failed)
    return {};
  // A Relay operator knows no split: it takes that of its neighbour.
  if (o.terms[1].isRelay && b.rankOf(second) >= b.splitOf(first))
    second = b.split(second, b.splitOf(first));
  return TermValue::ofPattern(b.concat({first, second}, axis));
}

/// Glenside moves the last access dimension to the items, and leaves a pattern
/// without access dimensions alone.
static TermValue readShiftRight(TermBuilder &b, Operands &o) {
  if (!o.count(1))
    return {};
  Value pattern = o.pattern(0);
  if (o.failed)
    return {};
  if (b.splitOf(pattern) == 0)
    return TermValue::ofPattern(pattern);
  return TermValue::ofPattern(b.op("shift_right", pattern));
}

static TermValue readPad(TermBuilder &b, Operands &o) {
  if (!o.count(5))
    return {};
  Value pattern = o.pattern(0);
  StringRef type = o.take(1, TermValue::Word).word;
  int64_t axis = o.number(2), before = o.number(3), after = o.number(4);
  if (o.failed)
    return {};
  Type element = b.typeOf(pattern).getElementType();
  TypedAttr value = llvm::StringSwitch<TypedAttr>(type)
                        .Case("zero-padding", b.constant(element, 0))
                        .Case("min-padding", b.least(element))
                        .Default({});
  if (!value) {
    b.error() << "a padding is 'zero-padding' or 'min-padding', got '" << type
              << "'";
    return {};
  }
  int64_t rank = b.rankOf(pattern);
  if (axis < 0 || axis >= rank) {
    b.error() << "axis must be in [0, " << rank << "), got " << axis;
    return {};
  }
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  low[axis] = before;
  high[axis] = after;
  return TermValue::ofPattern(b.pad(pattern, low, high, value));
}

static TermValue readSqueeze(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value pattern = o.pattern(0);
  int64_t axis = o.number(1);
  return o.failed ? TermValue()
                  : TermValue::ofPattern(b.squeeze(pattern, axis));
}

static TermValue readInsertAxis(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value pattern = o.pattern(0);
  int64_t axis = o.number(1);
  return o.failed ? TermValue()
                  : TermValue::ofPattern(b.insertAxis(pattern, axis));
}

static TermValue readBroadcast(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  Value pattern = o.pattern(0);
  const TermValue &shape = o.take(1, TermValue::AccessShape);
  return o.failed ? TermValue()
                  : TermValue::ofPattern(b.broadcast(pattern, shape.numbers));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static TermValue readCompute(TermBuilder &b, Operands &o) {
  if (!o.count(2))
    return {};
  StringRef word = o.take(0, TermValue::Word).word;
  Value pattern = o.pattern(1);
  if (o.failed)
    return {};
  auto kind = llvm::StringSwitch<std::optional<ComputeKind>>(word)
                  .Case("dot-product", ComputeKind::DotProd)
                  .Case("reduce-sum", ComputeKind::ReduceSum)
                  .Case("reduce-max", ComputeKind::ReduceMax)
                  .Case("reduce-mean", ComputeKind::ReduceMean)
                  .Case("elementwise-add", ComputeKind::ElementwiseAdd)
                  .Case("elementwise-mul", ComputeKind::ElementwiseMul)
                  .Case("elementwise-div", ComputeKind::ElementwiseDiv)
                  .Case("relu", ComputeKind::Relu)
                  .Case("sqrt", ComputeKind::Sqrt)
                  .Case("negative", ComputeKind::Negative)
                  .Case("softmax", ComputeKind::Softmax)
                  .Default(std::nullopt);
  if (!kind) {
    b.error() << "'" << word << "' is no operator of 'compute'";
    return {};
  }
  if (*kind == ComputeKind::Softmax &&
      b.typeOf(pattern).getComputeRank() != 1) {
    b.error() << "'softmax' takes items of one dimension, got "
              << b.typeOf(pattern).getComputeRank();
    return {};
  }
  return TermValue::ofPattern(b.compute(*kind, pattern));
}

/// Splits an array that is too small for the operands into one for each block:
/// the result's columns side by side, the partial sums of rows added up.
static Value blockedArray(TermBuilder &b, Value lhs, Value rhs, int64_t rows,
                          int64_t cols) {
  int64_t depth = b.typeOf(rhs).getComputeShape()[0];
  int64_t width = b.typeOf(rhs).getComputeShape()[1];
  int64_t depthAxis = b.rankOf(lhs) - 1;
  SmallVector<Value> columns;
  for (int64_t col = 0; col < width; col += cols) {
    SmallVector<Value> partial;
    for (int64_t row = 0; row < depth; row += rows) {
      Value left =
          depth == rows ? lhs : b.slice(lhs, depthAxis, row, row + rows);
      Value right = rhs;
      if (depth != rows)
        right = b.slice(right, 0, row, row + rows);
      if (width != cols)
        right = b.slice(right, 1, col, col + cols);
      partial.push_back(b.op("systolic_array", {left, right},
                             {b.number("rows", rows), b.number("cols", cols)}));
    }
    if (partial.size() == 1) {
      columns.push_back(partial.front());
      continue;
    }
    // All partial sums as one tuple: <… cols | blocks>.
    int64_t axis = b.splitOf(partial.front());
    for (Value &value : partial)
      value = b.split(b.insertAxis(value, axis), axis);
    columns.push_back(
        b.compute(ComputeKind::ElementwiseAdd, b.concat(partial, axis)));
  }
  if (columns.size() == 1)
    return columns.front();
  return b.concat(columns, b.splitOf(columns.front()) - 1);
}

static TermValue readSystolicArray(TermBuilder &b, Operands &o) {
  if (!o.count(4))
    return {};
  bool blocking = o.word.ends_with("with-blocking");
  int64_t rows = o.number(0), cols = o.number(1);
  Value lhs = o.pattern(2), rhs = o.pattern(3);
  if (o.failed)
    return {};
  if (!blocking)
    return TermValue::ofPattern(
        b.op("systolic_array", {lhs, rhs},
             {b.number("rows", rows), b.number("cols", cols)}));
  ArrayRef<int64_t> left = b.typeOf(lhs).getComputeShape(),
                    right = b.typeOf(rhs).getComputeShape();
  if (rows < 1 || cols < 1 || left.size() != 1 || right.size() != 2 ||
      b.splitOf(rhs) != 0 || left[0] != right[0] || left[0] % rows != 0 ||
      right[1] % cols != 0) {
    b.error() << "'" << o.word << "' of " << rows << "x" << cols
              << " takes patterns <A | K> and <| K x N> with K a multiple of "
              << rows << " and N of " << cols << ", got " << b.typeOf(lhs)
              << " and " << b.typeOf(rhs);
    return {};
  }
  if ((left[0] / rows) * (right[1] / cols) > kMaxBlocks) {
    b.error() << "'" << o.word << "' would be written out as "
              << (left[0] / rows) * (right[1] / cols) << " arrays, more than "
              << kMaxBlocks;
    return {};
  }
  return TermValue::ofPattern(blockedArray(b, lhs, rhs, rows, cols));
}

/// (systolic-array-conv2d[-im2col]-nchw-oihw-with-blocking rows cols weights
///  data kh kw stride-h stride-w), or …-nhwc-hwio-…: the convolution that the
/// array computes, without padding.
static TermValue readSystolicConvolution(TermBuilder &b, Operands &o) {
  if (!o.count(8))
    return {};
  int64_t rows = o.number(0), cols = o.number(1);
  Value weights = o.pattern(2), data = o.pattern(3);
  int64_t kh = o.number(4), kw = o.number(5);
  int64_t strides[] = {o.number(6), o.number(7)};
  if (o.failed)
    return {};
  if (b.rankOf(weights) != 4 || b.rankOf(data) != 4) {
    b.error() << "'" << o.word << "' takes weights and data of 4 dimensions, "
              << "got " << b.rankOf(weights) << " and " << b.rankOf(data);
    return {};
  }
  bool channelsLast = o.word.contains("nhwc");
  if (channelsLast) {
    data = b.transpose(b.split(data, 4), {0, 3, 1, 2});
    weights = b.transpose(b.split(weights, 4), {3, 2, 0, 1});
  }
  data = b.split(data, 1);
  weights = b.split(weights, 1);
  if (!data || !weights)
    return {};
  SmallVector<int64_t> d = b.shapeOf(data), w = b.shapeOf(weights);
  if (w[2] != kh || w[3] != kw) {
    b.error() << "'" << o.word << "' has a kernel of " << kh << "x" << kw
              << ", its weights one of " << w[2] << "x" << w[3];
    return {};
  }
  bool im2col = o.word.contains("im2col");
  if (rows < 1 || cols < 1 ||
      (!im2col && (w[0] % cols != 0 || d[1] % rows != 0))) {
    b.error() << "an array of " << rows << "x" << cols << " takes channels in "
              << "multiples of " << rows << " and out of " << cols << ", got "
              << d[1] << " and " << w[0];
    return {};
  }
  Value windows = b.windows(data, {d[1], kh, kw}, {1, strides[0], strides[1]});
  // <N, 1, H', W' | C, Kh, Kw> with <O | C, Kh, Kw>, to N, O, H', W' or
  // N, H', W', O.
  Value sums = b.compute(ComputeKind::DotProd, b.cartProd(windows, weights));
  Value result = sums ? b.squeeze(sums, 1) : Value();
  return TermValue::ofPattern(channelsLast ? result
                                           : b.transpose(result, {0, 3, 1, 2}));
}

/// (accelerator-call function operands… [shape])
static TermValue readAcceleratorCall(TermBuilder &b, Operands &o) {
  if (o.terms.empty()) {
    b.error() << "'accelerator-call' takes the accelerator's function";
    return {};
  }
  StringRef word = o.take(0, TermValue::Word).word;
  if (o.failed)
    return {};
  // Patterns are operands; numbers, shapes and words are the configuration.
  SmallVector<Value> operands;
  SmallVector<Attribute> config;
  for (const TermValue &term : o.terms.drop_front()) {
    switch (term.kind) {
    case TermValue::Pattern:
      operands.push_back(term.value);
      break;
    case TermValue::Number:
      config.push_back(b.b.getI64IntegerAttr(term.number));
      break;
    case TermValue::Decimal:
    case TermValue::Literal:
      config.push_back(b.b.getF64FloatAttr(term.decimal));
      break;
    case TermValue::Word:
      config.push_back(b.b.getStringAttr(term.word));
      break;
    case TermValue::Shape:
    case TermValue::List:
      config.push_back(b.b.getDenseI64ArrayAttr(term.numbers));
      break;
    default:
      b.error() << "'accelerator-call' takes access patterns, numbers, shapes "
                   "and words, got "
                << describe(term.kind);
      return {};
    }
  }
  auto refuse = [&](const Twine &why) {
    b.error() << "'" << word << "' " << why;
    return TermValue();
  };
  auto shape = [&](size_t i) { return b.shapeOf(operands[i]); };
  SmallVector<int64_t> accessSizes, computeSizes;
  if (word == "flex-linear" || word == "vta-dense") {
    if (operands.size() < 2 || b.rankOf(operands[0]) != 2 ||
        b.rankOf(operands[1]) != 2)
      return refuse("takes activations and weights of 2 dimensions");
    if (shape(0)[1] != shape(1)[1])
      return refuse("takes activations and weights of one depth, got " +
                    Twine(shape(0)[1]) + " and " + Twine(shape(1)[1]));
    accessSizes = {shape(0)[0], shape(1)[0]};
  } else if (word == "flex-maxpool") {
    if (operands.size() != 1 || b.splitOf(operands[0]) != 0 ||
        b.rankOf(operands[0]) != 2 || shape(0)[0] % 2 != 0 ||
        shape(0)[1] % 16 != 0)
      return refuse("takes one item of an even number of steps by a multiple "
                    "of 16 states");
    computeSizes = {shape(0)[0] / 2, shape(0)[1]};
  } else if (word == "flex-lstm") {
    if (operands.empty() || o.terms.back().kind != TermValue::Shape)
      return refuse("takes operands and at the end the shape of its result");
    accessSizes = o.terms.back().numbers;
  } else if (word == "hlscnn-conv2d") {
    if (operands.size() != 2 || o.terms.size() < 8 ||
        b.rankOf(operands[0]) != 4 || b.rankOf(operands[1]) != 4 ||
        o.terms[3].numbers.size() != 2 || o.terms[4].numbers.size() != 4 ||
        o.terms[6].kind != TermValue::Number || o.terms[7].numbers.size() != 2)
      return refuse("takes data, weights, strides, padding, groups, channels, "
                    "kernel size and layouts");
    SmallVector<int64_t> data = shape(0);
    ArrayRef<int64_t> strides = o.terms[3].numbers, pads = o.terms[4].numbers,
                      kernel = o.terms[7].numbers;
    accessSizes = {data[0], o.terms[6].number};
    for (int i = 0; i < 2; ++i) {
      int64_t free = data[2 + i] + pads[i] + pads[2 + i] - kernel[i];
      if (strides[i] < 1 || kernel[i] < 1 || free < 0)
        return refuse("has a kernel or stride that does not fit its data");
      accessSizes.push_back(free / strides[i] + 1);
    }
  } else {
    return refuse("is no accelerator's function whose result is known");
  }
  if (operands.empty())
    return refuse("takes an access pattern");
  auto type = AccessType::getChecked(
      [&] { return b.error(); }, b.b.getContext(), ArrayRef(accessSizes),
      ArrayRef(computeSizes), b.typeOf(operands[0]).getElementType());
  if (!type)
    return {};
  SmallVector<NamedAttribute> attributes = {
      b.b.getNamedAttr("target", b.b.getStringAttr(word))};
  if (!config.empty())
    attributes.push_back(b.b.getNamedAttr("config", b.b.getArrayAttr(config)));
  return TermValue::ofPattern(
      b.op("accelerator_call", operands, attributes, type));
}

static TermValue readRelayCall(TermBuilder &b, Operands &o) {
  if (o.terms.empty() || o.terms[0].kind != TermValue::Word) {
    b.error() << "'relay-operator-call' takes the operator's name first";
    return {};
  }
  return readRelay(b, o.terms);
}

static Reader findReader(StringRef word) {
  return llvm::StringSwitch<Reader>(word)
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
      .Cases({"systolic-array", "systolic-array-with-blocking"},
             readSystolicArray)
      .Cases({"systolic-array-conv2d-nchw-oihw-with-blocking",
              "systolic-array-conv2d-nhwc-hwio-with-blocking",
              "systolic-array-conv2d-im2col-nchw-oihw-with-blocking",
              "systolic-array-conv2d-im2col-nhwc-hwio-with-blocking"},
             readSystolicConvolution)
      .Case("accelerator-call", readAcceleratorCall)
      .Case("relay-operator-call", readRelayCall)
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// An atom: a number, a tensor of that name, or a word.
static TermValue readAtom(const Node &node,
                          const llvm::StringMap<Value> &tensors) {
  TermValue term;
  term.word = node.word;
  if (auto tensor = tensors.find(node.word); tensor != tensors.end()) {
    term.kind = TermValue::Tensor;
    term.value = tensor->second;
  } else if (!node.word.getAsInteger(10, term.number)) {
    term.kind = TermValue::Number;
    term.decimal = static_cast<double>(term.number);
  } else if ((llvm::isDigit(node.word.front()) ||
              (node.word.size() > 1 &&
               StringRef("+-.").contains(node.word.front()))) &&
             !node.word.getAsDouble(term.decimal)) {
    term.kind = TermValue::Decimal;
  } else {
    term.kind = TermValue::Word;
  }
  return term;
}

/// Appends what the program's value is as results of a function. Shapes and
/// lists are tensors of i64, an access shape is two of them.
static LogicalResult addResults(TermBuilder &b, const TermValue &root,
                                SmallVectorImpl<Value> &results) {
  auto numbers = [&](ArrayRef<int64_t> values) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                      b.b.getI64Type());
    results.push_back(arith::ConstantOp::create(
        b.b, b.loc, DenseElementsAttr::get(type, values)));
  };
  switch (root.kind) {
  case TermValue::Pattern:
    results.push_back(b.toTensor(root.value));
    return success(results.back());
  case TermValue::Tensor:
    results.push_back(root.value);
    return success();
  case TermValue::Shape:
  case TermValue::List:
    numbers(root.numbers);
    return success();
  case TermValue::AccessShape:
    numbers(ArrayRef(root.numbers).take_front(root.split));
    numbers(ArrayRef(root.numbers).drop_front(root.split));
    return success();
  case TermValue::Tuple:
    for (const TermValue &element : root.elements)
      if (failed(addResults(b, element, results)))
        return failure();
    return success();
  case TermValue::Literal: {
    Type element = literalType(b);
    if (!holds(b, element, root.decimal))
      return failure();
    results.push_back(b.toTensor(b.splat({}, element, root.decimal)));
    return success(results.back());
  }
  default:
    return b.error() << "a program is an access pattern, a tensor, a tuple, a "
                        "shape or a literal, got "
                     << describe(root.kind);
  }
}

OwningOpRef<ModuleOp>
tensoraccess::importGlenside(const llvm::SourceMgr &sources,
                             MLIRContext *context) {
  FailureOr<Program> program = parse(sources, context);
  if (failed(program))
    return {};
  context->loadDialect<TensorAccessDialect, arith::ArithDialect,
                       func::FuncDialect, linalg::LinalgDialect,
                       math::MathDialect, tensor::TensorDialect>();
  Location start = program->nodes.back().loc;
  OwningOpRef<ModuleOp> module = ModuleOp::create(start);
  OpBuilder b(module->getBodyRegion());
  auto types = llvm::map_to_vector(
      program->arguments, [](const Argument &a) -> Type { return a.type; });
  auto function =
      func::FuncOp::create(b, start, "main", b.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  llvm::StringMap<Value> tensors;
  for (auto [argument, value] :
       llvm::zip_equal(program->arguments, body->getArguments())) {
    value.setLoc(argument.loc);
    tensors[argument.name] = value;
    function.setArgAttr(cast<BlockArgument>(value).getArgNumber(),
                        "tensoraccess.name", b.getStringAttr(argument.name));
  }
  b.setInsertionPointToStart(body);

  std::vector<TermValue> terms;
  terms.reserve(program->nodes.size());
  for (const Node &node : program->nodes) {
    TermBuilder builder(b, node.loc);
    if (!node.isList) {
      terms.push_back(readAtom(node, tensors));
      continue;
    }
    Reader reader = findReader(node.word);
    if (!reader) {
      builder.error() << "'" << node.word << "' is no term of Glenside";
      return {};
    }
    SmallVector<TermValue> operands;
    for (unsigned operand : node.operands)
      operands.push_back(terms[operand]);
    // A word where a tensor is wanted is a tensor without a declaration.
    if ((node.word == "access-tensor" || node.word == "shape-of") &&
        operands.size() == 1 && operands[0].kind == TermValue::Word) {
      emitError(program->nodes[node.operands[0]].loc)
          << "tensor '" << operands[0].word
          << "' is not declared; a comment line declares it, as in `; "
          << operands[0].word << ": 2x3xf32`";
      return {};
    }
    Operands taken(builder, node.word, operands);
    terms.push_back(reader(builder, taken));
    if (!terms.back())
      return {};
  }

  TermBuilder builder(b, start);
  SmallVector<Value> results;
  if (failed(addResults(builder, terms.back(), results)))
    return {};
  func::ReturnOp::create(b, start, results);
  function.setType(b.getFunctionType(types, ValueRange(results).getTypes()));
  return module;
}

void tensoraccess::registerGlensideImport() {
  TranslateToMLIRRegistration registration(
      "import-glenside",
      "read a Glenside program; its tensors are declared by comment lines as "
      "in "
      "`; t: 3x32x32xf64`",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return importGlenside(sources, context);
      },
      [](DialectRegistry &registry) {
        registry.insert<TensorAccessDialect, arith::ArithDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect>();
      });
}
