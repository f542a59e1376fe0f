//===- LinalgWinograd.cpp - Winograd's transforms -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(m, r) of a convolution makes tiles of m elements a side by a filter of r:
//
//   Y += s² · Aᵀ [(G g Gᵀ) * (Bᵀ d B)] A
//
// with the matrices that upstream's decomposition has, whose scale s undoes what
// keeps B and A small. Along a side of size 1 there is no transform, and s comes
// once. Products are summed in order of their index, with one rounding a step
// in f32 and f64, from 0, or, where s is 1, from what Y was.
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "TensorAccess/Core/Checked.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// Numbers in rows, each one of the element type.
struct Matrix {
  int64_t rows, cols;
  SmallVector<double> numbers;

  Matrix(int64_t rows, int64_t cols, ArrayRef<double> values = {})
      : rows(rows), cols(cols), numbers(values) {
    numbers.resize(rows * cols, 0);
  }
  double at(int64_t i, int64_t j) const { return numbers[i * cols + j]; }
  double &at(int64_t i, int64_t j) { return numbers[i * cols + j]; }
};

/// The three matrices of an F(m, r), and the scale of a side.
struct Family {
  int64_t m, r;
  Matrix filter, input, output;
  double scale;

  static const Family &get(linalg::WinogradConv2DFmr fmr);
};
} // namespace

const Family &Family::get(linalg::WinogradConv2DFmr fmr) {
  // Quotients are those of floats, as upstream's.
  auto part = [](float a, float b) { return double(a / b); };
  const double third = part(1, 3), sixth = part(1, 6);
  static const Family f23{
      2,
      3,
      {4, 3, {-1, 0, 0, .5, -.5, .5, .5, .5, .5, 0, 0, 1}},
      {4, 4, {-1, 0, 1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, -1, 0, 1}},
      {2, 4, {1, 1, 1, 0, 0, -1, 1, 1}},
      1};
  static const Family f43{
      4,
      3,
      {6,
       3,
       {1, 0, 0, -third, third, -third, -third, -third, -third, part(1, 12),
        -sixth, third, part(1, 12), sixth, third, 0, 0, 1}},
      {6, 6, {1. / 4, 0,       -5. / 16, 0,        1. / 16, 0,
              0,      1. / 4,  -1. / 4,  -1. / 16, 1. / 16, 0,
              0,      -1. / 4, -1. / 4,  1. / 16,  1. / 16, 0,
              0,      1. / 4,  -1. / 8,  -1. / 4,  1. / 8,  0,
              0,      -1. / 4, -1. / 8,  1. / 4,   1. / 8,  0,
              0,      1. / 4,  0,        -5. / 16, 0,       1. / 16}},
      {4, 6, {1. / 8, 1. / 4,  1. / 4, 1. / 8,  1. / 8, 0,
              0,      -1. / 4, 1. / 4, -1. / 4, 1. / 4, 0,
              0,      1. / 4,  1. / 4, 1. / 2,  1. / 2, 0,
              0,      -1. / 4, 1. / 4, -1,      1,      1. / 2}},
      32};
  static const Family f25{
      2,
      5,
      {6, 5, {1,           0,
              0,           0,
              0,           sixth,
              -sixth,      sixth,
              -sixth,      sixth,
              -sixth,      -sixth,
              -sixth,      -sixth,
              -sixth,      part(-4, 15),
              part(2, 15), part(-1, 15),
              part(1, 30), part(-1, 60),
              part(1, 60), part(1, 30),
              part(1, 15), part(2, 15),
              part(4, 15), 0,
              0,           0,
              0,           1}},
      {6, 6, {1. / 8, 3. / 16, -1. / 4,  -3. / 16, 1. / 8,   0,
              0,      1. / 8,  1. / 16,  -5. / 16, 1. / 8,   0,
              0,      -1. / 8, -5. / 16, -1. / 16, 1. / 8,   0,
              0,      1. / 4,  -1. / 8,  -1. / 4,  1. / 8,   0,
              0,      -1. / 8, -1. / 4,  1. / 8,   1. / 4,   0,
              0,      1. / 8,  3. / 16,  -1. / 4,  -3. / 16, 1. / 8}},
      {2, 6, {.5, 1, 1, 2, 1, 0, 0, -1, 1, -1, 2, .5}},
      16};
  switch (fmr) {
  case linalg::WinogradConv2DFmr::F_2_3:
    return f23;
  case linalg::WinogradConv2DFmr::F_4_3:
    return f43;
  case linalg::WinogradConv2DFmr::F_2_5:
    return f25;
  }
  llvm_unreachable("every F(m, r) has a case");
}

//===----------------------------------------------------------------------===//
// Arithmetic of an element type
//===----------------------------------------------------------------------===//

namespace {
class Rounding {
public:
  explicit Rounding(ElementType type) : type(type) {}

  double round(double value) const {
    return Tensor::scalar(type, value).getDouble({});
  }
  double addProduct(double sum, double a, double b) const {
    if (type == ElementType::F64)
      return std::fma(a, b, sum);
    if (type == ElementType::F32)
      return std::fmaf(float(a), float(b), float(sum));
    return round(sum + round(a * b));
  }
  /// out + x·y, or x·yᵀ.
  Matrix multiply(const Matrix &x, const Matrix &y, bool isTransposed,
                  Matrix out) const {
    for (int64_t i = 0; i < out.rows; ++i)
      for (int64_t j = 0; j < out.cols; ++j)
        for (int64_t k = 0; k < x.cols; ++k)
          out.at(i, j) = addProduct(out.at(i, j), x.at(i, k),
                                    isTransposed ? y.at(j, k) : y.at(k, j));
    return out;
  }
  /// out + M·tile·Mᵀ, without a transform along sides that have none.
  Matrix transform(Matrix matrix, Matrix tile, bool onRows, bool onCols,
                   Matrix out) const {
    for (double &number : matrix.numbers)
      number = round(number);
    if (onRows) {
      Matrix start = onCols ? Matrix(matrix.rows, tile.cols) : out;
      tile = multiply(matrix, tile, /*isTransposed=*/false, std::move(start));
    }
    if (onCols)
      tile = multiply(tile, matrix, /*isTransposed=*/true, std::move(out));
    return tile;
  }

private:
  ElementType type;
};

/// A slice of a tensor of which two dimensions are a tile.
struct TilePlace {
  SmallVector<int64_t> offsets;
  unsigned rowDim, colDim;

  SmallVector<int64_t> get(int64_t i, int64_t j) const {
    SmallVector<int64_t> at(offsets);
    at[rowDim] += i;
    at[colDim] += j;
    return at;
  }
  Matrix load(const Tensor &tensor, int64_t rows, int64_t cols) const {
    Matrix tile(rows, cols);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < cols; ++j)
        tile.at(i, j) = tensor.getDouble(get(i, j));
    return tile;
  }
  void store(const Matrix &tile, Tensor &tensor) const {
    for (int64_t i = 0; i < tile.rows; ++i)
      for (int64_t j = 0; j < tile.cols; ++j)
        tensor.setDouble(get(i, j), tile.at(i, j));
  }
};
} // namespace

/// A copy of the output; an error for elements that are not floats.
template <typename OpTy>
static FailureOr<Tensor> startWith(OpTy op, Value output,
                                   const Environment &env) {
  if (!isFloat(env.getTensor(output).getElementType()))
    return op.emitOpError("needs elements that are floats, got ")
           << getElementTypeOrSelf(output.getType());
  return reportAt(op.getOperation(), env.getTensor(output).clone());
}

/// (f, h, w, c) -> (ah, aw, c, f).
static FailureOr<RuntimeValues> runFilter(linalg::WinogradFilterTransformOp op,
                                          const Environment &env) {
  const Family &family = Family::get(op.getFmr());
  const Tensor &filter = env.getTensor(op.getFilter());
  FailureOr<Tensor> result = startWith(op, op.getOutput(), env);
  if (failed(result))
    return failure();
  const Rounding rounding(filter.getElementType());
  const int64_t rows = filter.getDim(1), cols = filter.getDim(2);
  forEachIndex({filter.getDim(0), filter.getDim(3)}, [&](ArrayRef<int64_t> at) {
    Matrix tile =
        TilePlace{{at[0], 0, 0, at[1]}, 1, 2}.load(filter, rows, cols);
    tile = rounding.transform(family.filter, tile, rows != 1, cols != 1,
                              Matrix(result->getDim(0), result->getDim(1)));
    TilePlace{{0, 0, at[1], at[0]}, 0, 1}.store(tile, *result);
  });
  return RuntimeValues{std::move(*result)};
}

/// (n, h, w, c) -> (ah, aw, th, tw, n, c).
static FailureOr<RuntimeValues> runInput(linalg::WinogradInputTransformOp op,
                                         const Environment &env) {
  const Family &family = Family::get(op.getFmr());
  const Tensor &input = env.getTensor(op.getInput());
  FailureOr<Tensor> result = startWith(op, op.getOutput(), env);
  if (failed(result))
    return failure();
  const Rounding rounding(input.getElementType());
  const int64_t rows = result->getDim(0), cols = result->getDim(1);
  const int64_t rowStep = rows == 1 ? 1 : family.m,
                colStep = cols == 1 ? 1 : family.m;
  bool isRun =
      forEachIndex(result->getShape().drop_front(2), [&](ArrayRef<int64_t> at) {
        TilePlace from{{at[2], at[0] * rowStep, at[1] * colStep, at[3]}, 1, 2};
        if (from.offsets[1] + rows > input.getDim(1) ||
            from.offsets[2] + cols > input.getDim(2))
          return succeeded(op.emitOpError("has tiles outside of an image of ")
                           << input.getDim(1) << "x" << input.getDim(2));
        Matrix tile =
            rounding.transform(family.input, from.load(input, rows, cols),
                               rows != 1, cols != 1, Matrix(rows, cols));
        TilePlace{{0, 0, at[0], at[1], at[2], at[3]}, 0, 1}.store(tile,
                                                                  *result);
        return true;
      });
  if (!isRun)
    return failure();
  return RuntimeValues{std::move(*result)};
}

/// (ah, aw, th, tw, n, f) -> (n, h, w, f), added to what there is.
static FailureOr<RuntimeValues> runOutput(linalg::WinogradOutputTransformOp op,
                                          const Environment &env) {
  const Family &family = Family::get(op.getFmr());
  const Tensor &value = env.getTensor(op.getValue());
  FailureOr<Tensor> result = startWith(op, op.getOutput(), env);
  if (failed(result))
    return failure();
  const Rounding rounding(value.getElementType());
  const int64_t rows = value.getDim(0), cols = value.getDim(1);
  const int64_t outRows = rows == 1 ? 1 : family.m,
                outCols = cols == 1 ? 1 : family.m;
  const double scale =
      (rows == 1 ? 1 : family.scale) * (cols == 1 ? 1 : family.scale);
  bool isRun =
      forEachIndex(value.getShape().drop_front(2), [&](ArrayRef<int64_t> at) {
        TilePlace to{{at[2], at[0] * outRows, at[1] * outCols, at[3]}, 1, 2};
        if (to.offsets[1] + outRows > result->getDim(1) ||
            to.offsets[2] + outCols > result->getDim(2))
          return succeeded(op.emitOpError("has tiles outside of an image of ")
                           << result->getDim(1) << "x" << result->getDim(2));
        Matrix out = to.load(*result, outRows, outCols);
        Matrix tile = TilePlace{{0, 0, at[0], at[1], at[2], at[3]}, 0, 1}.load(
            value, rows, cols);
        tile = rounding.transform(family.output, std::move(tile), rows != 1,
                                  cols != 1,
                                  scale == 1 ? out : Matrix(outRows, outCols));
        if (scale != 1)
          for (auto [sum, number] : llvm::zip_equal(out.numbers, tile.numbers))
            number = rounding.addProduct(sum, scale, number);
        to.store(tile, *result);
        return true;
      });
  if (!isRun)
    return failure();
  return RuntimeValues{std::move(*result)};
}

void mlir::tensoraccess::addWinogradEvaluators(OpEvaluators &all) {
  addEvaluator<linalg::WinogradFilterTransformOp, runFilter>(all);
  addEvaluator<linalg::WinogradInputTransformOp, runInput>(all);
  addEvaluator<linalg::WinogradOutputTransformOp, runOutput>(all);
}
