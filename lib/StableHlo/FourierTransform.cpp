//===- FourierTransform.cpp - The op fft on pairs -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform of length n = p·q is (Cooley and Tukey, 1965), with j = j1·q + j2
// and k = k1 + p·k2,
//
//   1. transforms of length p over j1: products with a matrix of p rows,
//   2. products with the factors w^(j2·k1), w = exp(-2πi / n),
//   3. transforms of length q over j2,
//   4. a transposition of k1 and k2.
//
// So it is products, and views, which every pass knows. p is the greatest factor
// up to 16, or n's least one. Where a program is run, the runtime is called.
//
//===----------------------------------------------------------------------===//

#include "ComplexNumbers.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Rows of the matrices, if there are such factors; most rows of one.
static constexpr int64_t kRadix = 16, kMaxPrime = 2048;

static int64_t getFactor(int64_t n) {
  for (int64_t p = std::min(n, kRadix); p > 1; --p)
    if (n % p == 0)
      return p;
  for (int64_t p = kRadix + 1; p * p <= n; ++p)
    if (n % p == 0)
      return p;
  return n;
}

namespace {
/// Along the middle dimension of three.
class Transform {
public:
  Transform(HloBuilder &h, Type element) : h(h), element(element) {}

  ComplexPair run(ComplexPair x);

private:
  HloBuilder &h;
  Type element;

  /// exp(-2πi·r·c / n) in row r, column c.
  ComplexPair factors(int64_t rows, int64_t columns, int64_t n);
  ComplexPair multiplyMatrix(ComplexPair x, int64_t n);
  ComplexPair reshape(ComplexPair x, ArrayRef<int64_t> shape) {
    return {h.reshape(x.re, shape), h.reshape(x.im, shape)};
  }
};
} // namespace

static ArrayRef<int64_t> shapeOf(ComplexPair x) {
  return cast<RankedTensorType>(x.re.getType()).getShape();
}

ComplexPair Transform::factors(int64_t rows, int64_t columns, int64_t n) {
  SmallVector<Attribute> re, im;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      double angle = 2 * llvm::numbers::pi * ((r * c) % n) / n;
      re.push_back(h.b.getFloatAttr(element, std::cos(angle)));
      im.push_back(h.b.getFloatAttr(element, -std::sin(angle)));
    }
  auto type = RankedTensorType::get({rows, columns}, element);
  return {h.constant(DenseElementsAttr::get(type, re)),
          h.constant(DenseElementsAttr::get(type, im))};
}

ComplexPair Transform::multiplyMatrix(ComplexPair x, int64_t n) {
  ComplexPair matrix = factors(n, n, n);
  auto type = RankedTensorType::get({n, shapeOf(x)[0], shapeOf(x)[2]}, element);
  auto product = [&](Value rows, Value columns) {
    return h.one("stablehlo.dot_general", type, {rows, columns},
                 h.ownAttribute("dot_dimension_numbers",
                                "dot<lhs_contracting_dimensions = [1], "
                                "rhs_contracting_dimensions = [1]>"));
  };
  Value re = h.sub(product(matrix.re, x.re), product(matrix.im, x.im));
  Value im = h.add(product(matrix.re, x.im), product(matrix.im, x.re));
  return {h.transpose(re, {1, 0, 2}), h.transpose(im, {1, 0, 2})};
}

ComplexPair Transform::run(ComplexPair x) {
  const SmallVector<int64_t> shape(shapeOf(x));
  const int64_t before = shape[0], n = shape[1], after = shape[2];
  if (n == 1)
    return x;
  const int64_t p = getFactor(n), q = n / p;
  x = multiplyMatrix(reshape(x, {before, p, q * after}), p);
  if (q == 1)
    return reshape(x, shape);
  const SmallVector<int64_t> split = {before, p, q, after};
  x = reshape(x, split);
  auto spread = [&](Value value) {
    return h.one("stablehlo.broadcast_in_dim", x.re.getType(), value,
                 h.integers("broadcast_dimensions", {1, 2}));
  };
  ComplexPair w = factors(p, q, n);
  w = {spread(w.re), spread(w.im)};
  x = getComplexFunction("multiply")->write(h, {x, w});
  x = reshape(run(reshape(x, {before * p, q, after})), split);
  x = {h.transpose(x.re, {0, 2, 1, 3}), h.transpose(x.im, {0, 2, 1, 3})};
  return reshape(x, shape);
}

/// Along one dimension; the inverse swaps the parts before and after.
static ComplexPair transformDim(HloBuilder &h, ComplexPair x, int64_t dim,
                                bool isInverse) {
  const SmallVector<int64_t> shape(shapeOf(x));
  int64_t before = 1, after = 1, n = shape[dim];
  for (int64_t i = 0, rank = shape.size(); i < rank; ++i)
    (i < dim ? before : after) *= i == dim ? 1 : shape[i];
  if (isInverse)
    std::swap(x.re, x.im);
  auto type = cast<RankedTensorType>(x.re.getType());
  const SmallVector<int64_t> flat = {before, n, after};
  x = {h.reshape(x.re, flat), h.reshape(x.im, flat)};
  x = Transform(h, type.getElementType()).run(x);
  x = {h.reshape(x.re, shape), h.reshape(x.im, shape)};
  if (!isInverse)
    return x;
  Value scale = h.like(x.re, n);
  return {h.div(x.im, scale), h.div(x.re, scale)};
}

/// The elements [low, high) of the last dimension.
static Value sliceLast(HloBuilder &h, Value x, int64_t low, int64_t high) {
  SmallVector<int64_t> limits(cast<RankedTensorType>(x.getType()).getShape());
  SmallVector<int64_t> starts(limits.size(), 0);
  starts.back() = low;
  limits.back() = high;
  return h.slice(x, starts, limits);
}

namespace {
/// What an op `fft` is, once it has been checked.
struct Fourier {
  StringRef kind;
  SmallVector<int64_t> lengths;
  bool isReal() const { return kind == "RFFT"; }
  bool isToReal() const { return kind == "IRFFT"; }
  bool isInverse() const { return kind == "IFFT" || isToReal(); }
};
} // namespace

/// std::nullopt, with the reason, where the op is malformed.
static std::optional<Fourier> readFourier(Operation *op, std::string &why) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  auto fail = [&](const Twine &reason) {
    why = reason.str();
    return std::nullopt;
  };
  Fourier f{getHloKeyword(op->getAttr("fft_type")), {}};
  if (f.kind != "FFT" && !f.isReal() && !f.isInverse())
    return fail("fft_type must be FFT, IFFT, RFFT or IRFFT");
  auto lengths = getHloIntegers(op->getAttr("fft_length"));
  const int64_t rank = result.getRank(), last = rank - 1;
  if (!lengths || lengths->empty() || lengths->size() > 3 ||
      rank < static_cast<int64_t>(lengths->size()) || input.getRank() != rank ||
      f.isReal() == isa<ComplexType>(input.getElementType()))
    return fail(
        "fft_length must be one to three lengths of the last dimensions");
  if (f.isToReal() == isa<ComplexType>(result.getElementType()))
    return fail("only IRFFT has a real result");
  f.lengths = *lengths;
  const int64_t count = lengths->size();
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t length =
        i < rank - count ? input.getDimSize(i) : f.lengths[i - (rank - count)];
    const int64_t half = length == 0 ? 0 : length / 2 + 1;
    if (input.getDimSize(i) != (i == last && f.isToReal() ? half : length) ||
        result.getDimSize(i) != (i == last && f.isReal() ? half : length))
      return fail("dimension " + Twine(i) + " does not have the length " +
                  Twine(length));
  }
  return f;
}

Operation *tensoraccess::callFourierTransform(HloBuilder &h, Operation *op,
                                              std::string &why) {
  std::optional<Fourier> f = readFourier(op, why);
  if (!f)
    return nullptr;
  Type real = getElementTypeOrSelf(op->getOperand(0).getType());
  auto complex = dyn_cast<ComplexType>(real);
  const bool isDouble = (complex ? complex.getElementType() : real).isF64();
  std::string routine = f->isReal()     ? "srfft"
                        : f->isToReal() ? "sirfft"
                                        : "cfft";
  if (isDouble)
    routine.front() = routine.front() == 's' ? 'd' : 'z';
  std::string options = f->isInverse() ? "I" : "F";
  options += std::to_string(f->lengths.size());
  auto text = [&](StringRef name, StringRef value) {
    return h.attribute(name, h.b.getStringAttr(value));
  };
  return h.create("stablehlo.custom_call", op->getResultTypes(),
                  op->getOperands(),
                  {text("call_target_name", kLapackTarget),
                   text("routine", routine), text("options", options)});
}

std::optional<ComplexPair>
tensoraccess::writeFourierTransform(HloBuilder &h, Operation *op,
                                    ComplexPair input, std::string &why) {
  std::optional<Fourier> f = readFourier(op, why);
  if (!f)
    return std::nullopt;
  for (int64_t length : f->lengths)
    for (int64_t rest = length; rest > 1;) {
      const int64_t factor = getFactor(rest);
      if (factor > kMaxPrime) {
        why = ("the length " + Twine(length) + " has the prime factor " +
               Twine(factor) + ", more than " + Twine(kMaxPrime))
                  .str();
        return std::nullopt;
      }
      rest /= factor;
    }
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  auto inputType = cast<RankedTensorType>(input.re.getType());
  const bool isReal = f->isReal(), isToReal = f->isToReal(),
             isInverse = f->isInverse();
  const int64_t rank = result.getRank(), last = rank - 1,
                count = f->lengths.size();
  Type element = inputType.getElementType();
  if (result.getNumElements() == 0) {
    Value none = h.constant(result.clone(element), 0);
    return ComplexPair{none, isToReal ? Value() : none};
  }
  if (isReal)
    input.im = h.like(input.re, 0);
  // The dimension that is real on one side is the first or the last.
  if (!isToReal)
    input = transformDim(h, input, last, isInverse);
  if (isReal) {
    input.re = sliceLast(h, input.re, 0, result.getDimSize(last));
    input.im = sliceLast(h, input.im, 0, result.getDimSize(last));
  }
  for (int64_t dim = rank - count; dim < last; ++dim)
    input = transformDim(h, input, dim, isInverse);
  if (!isToReal)
    return input;
  // What the input leaves out is its conjugate, read backwards.
  const int64_t n = result.getDimSize(last), given = n / 2 + 1;
  if (given < n) {
    auto mirror = [&](Value x) {
      Value part = sliceLast(h, x, 1, n - given + 1);
      return h.one("stablehlo.reverse", part.getType(), part,
                   h.integers("dimensions", {last}));
    };
    input.re = h.concatenate({input.re, mirror(input.re)}, last);
    input.im = h.concatenate({input.im, h.neg(mirror(input.im))}, last);
  }
  return ComplexPair{transformDim(h, input, last, true).re, Value()};
}
