//===- StableHloLinearAlgebra.cpp - Factorisation and solving -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an element depends on follows from the order of elimination, over the
// last two dimensions; the others are batches. With L lower triangular:
//
//   A = L L^T   L[i, j] depends on A[p, q] with q <= p <= j, and on A[i, q] with
//               q <= j, for j <= i. The other triangle is not defined.
//   L X = B     X[i, c] depends on B[p, c] and L[p, q] with q <= p <= i
//
// An upper triangle is the lower one of the transpose; solving from the right is
// solving the transposed equation.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// b - a is at least `least`.
static void requireOrder(Nest &nest, NestRead &read, const Form &a,
                         const Form &b, int64_t least) {
  read.require(nest.arena().sub(b, a), Interval::atLeast(least));
}

static std::optional<Nest> buildCholesky(HloOp &op) {
  if (op.in.size() != 1 || op.out.size() != 1 || !op.areAlike(1) ||
      !op.isStatic() || op.in[0].size() < 2)
    return std::nullopt;
  const size_t rank = op.in[0].size();
  if (!op.equate(op.in[0][rank - 1], op.in[0][rank - 2]))
    return std::nullopt;
  const bool lower = op.flag("lower", false);
  const size_t row = lower ? rank - 2 : rank - 1,
               column = lower ? rank - 1 : rank - 2;
  SizeList extents = op.out[0];
  extents.append(2, op.in[0][row]);
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> out = nest.getAxes().take_front(rank);
  const Form &i = out[row], &j = out[column], &p = nest[rank],
             &q = nest[rank + 1];
  nest.write(0, out);
  // The triangle above and left of the diagonal element j.
  SmallVector<Form> index(out);
  index[row] = p;
  index[column] = q;
  NestRead &triangle = nest.read(0, index);
  requireOrder(nest, triangle, j, i, 0);
  requireOrder(nest, triangle, p, j, 0);
  requireOrder(nest, triangle, q, p, 0);
  // The own row, if that is another one.
  index[row] = i;
  NestRead &line = nest.read(0, index);
  requireOrder(nest, line, j, i, 1);
  requireOrder(nest, line, q, j, 0);
  return nest;
}

static std::optional<Nest> buildTriangularSolve(HloOp &op) {
  if (op.in.size() != 2 || op.out.size() != 1 ||
      !op.equateAll(op.in[1], op.out[0]) || !op.isStatic() ||
      op.in[0].size() != op.in[1].size() || op.in[0].size() < 2)
    return std::nullopt;
  const size_t rank = op.in[0].size();
  const bool left = op.flag("left_side", true), lower = op.flag("lower", true);
  StringRef transpose = getHloKeyword(op.attribute("transpose_a"));
  const bool transposed = transpose == "TRANSPOSE" || transpose == "ADJOINT";
  // The unknowns of one equation, and rows of a, are counted along this one.
  const size_t line = left ? rank - 2 : rank - 1;
  const Form &size = op.out[0][line];
  if (!op.equate(op.in[0][rank - 1], size) ||
      !op.equate(op.in[0][rank - 2], size) ||
      !op.equateAll(ArrayRef(op.in[0]).drop_back(2),
                    ArrayRef(op.in[1]).drop_back(2)))
    return std::nullopt;
  SizeList extents = op.out[0];
  extents.append(2, size);
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> out = nest.getAxes().take_front(rank);
  const Form &p = nest[rank], &q = nest[rank + 1];
  nest.write(0, out);
  // Row i of op(a), from the left, has the entries before it if op(a) is lower;
  // from the right, op(a) is used transposed.
  const bool forward = (lower != transposed) == left;
  auto requireBefore = [&](NestRead &read, const Form &a, const Form &b,
                           int64_t least) {
    forward ? requireOrder(nest, read, a, b, least)
            : requireOrder(nest, read, b, a, least);
  };
  SmallVector<Form> index(out);
  index[line] = p;
  requireBefore(nest.read(1, index), p, out[line], 0);
  // Where entry (p, q) of the matrix that is eliminated lies in a.
  const bool swapped = transposed == left;
  index[line] = out[line];
  index[rank - 2] = swapped ? q : p;
  index[rank - 1] = swapped ? p : q;
  NestRead &matrix = nest.read(0, index);
  requireBefore(matrix, p, out[line], 0);
  // The diagonal is known to be one, if it is.
  requireBefore(matrix, q, p, op.flag("unit_diagonal", false) ? 1 : 0);
  return nest;
}

void tensoraccess::registerHloLinearAlgebra(HloRegister add) {
  add("cholesky", buildCholesky);
  add("triangular_solve", buildTriangularSolve);
}
