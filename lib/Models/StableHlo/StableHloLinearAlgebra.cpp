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
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// b - a is at least `least`.
static void requireOrder(HloNest &nest, const Form &a, const Form &b,
                         int64_t least) {
  nest.require(nest.sub(b, a), Interval::atLeast(least));
}

static bool buildCholesky(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 1 || op.numOut() != 1 || op.in[0] != op.out[0] ||
      op.in[0].size() < 2)
    return false;
  size_t rank = op.in[0].size();
  ArrayRef<int64_t> shape = op.in[0];
  if (shape[rank - 1] != shape[rank - 2])
    return false;
  bool lower = op.flag("lower", false);
  size_t row = lower ? rank - 2 : rank - 1,
         column = lower ? rank - 1 : rank - 2;
  {
    // The triangle above and left of the diagonal element j.
    HloNest nest;
    nest.operand = nest.result = nest.loops(shape);
    Form p = nest.loop(shape[row]), q = nest.loop(shape[row]);
    Form i = nest.result[row], j = nest.result[column];
    requireOrder(nest, j, i, 0);
    requireOrder(nest, p, j, 0);
    requireOrder(nest, q, p, 0);
    nest.operand[row] = p;
    nest.operand[column] = q;
    nest.emit(op, indexing, 0, 0);
  }
  {
    // The own row, if that is another one.
    HloNest nest;
    nest.operand = nest.result = nest.loops(shape);
    Form q = nest.loop(shape[row]);
    Form i = nest.result[row], j = nest.result[column];
    requireOrder(nest, j, i, 1);
    requireOrder(nest, q, j, 0);
    nest.operand[column] = q;
    nest.emit(op, indexing, 0, 0);
  }
  return true;
}

/// (a, b): solves a x = b, or x a = b if not left_side.
static bool buildTriangularSolve(const HloOp &op, OpIndexing &indexing) {
  if (op.numIn() != 2 || op.numOut() != 1 || op.in[1] != op.out[0] ||
      op.in[0].size() != op.in[1].size() || op.in[0].size() < 2)
    return false;
  size_t rank = op.in[0].size();
  bool left = op.flag("left_side", true), lower = op.flag("lower", true);
  StringRef transpose = getHloKeyword(op.attribute("transpose_a"));
  bool transposed = transpose == "TRANSPOSE" || transpose == "ADJOINT";
  // The unknowns of one equation, and rows of a, are counted along this one.
  size_t line = left ? rank - 2 : rank - 1;
  int64_t size = op.out[0][line];
  if (op.in[0][rank - 1] != size || op.in[0][rank - 2] != size ||
      ArrayRef(op.in[0]).drop_back(2) != ArrayRef(op.in[1]).drop_back(2))
    return false;
  // Row i of op(a), from the left, has the entries before it if op(a) is lower;
  // from the right, op(a) is used transposed.
  bool forward = (lower != transposed) == left;
  auto requireBefore = [&](HloNest &nest, const Form &a, const Form &b,
                           int64_t least) {
    forward ? requireOrder(nest, a, b, least) : requireOrder(nest, b, a, least);
  };
  {
    HloNest nest;
    nest.operand = nest.result = nest.loops(op.out[0]);
    Form p = nest.loop(size);
    requireBefore(nest, p, nest.result[line], 0);
    nest.operand[line] = p;
    nest.emit(op, indexing, 0, 1);
  }
  HloNest nest;
  nest.operand = nest.result = nest.loops(op.out[0]);
  Form p = nest.loop(size), q = nest.loop(size);
  requireBefore(nest, p, nest.result[line], 0);
  // The diagonal is known to be one, if it is.
  requireBefore(nest, q, p, op.flag("unit_diagonal", false) ? 1 : 0);
  // Where entry (p, q) of the matrix that is eliminated lies in a.
  bool swapped = transposed == left;
  nest.operand[rank - 2] = swapped ? q : p;
  nest.operand[rank - 1] = swapped ? p : q;
  nest.emit(op, indexing, 0, 0);
  return true;
}

void tensoraccess::registerHloLinearAlgebra(HloRegister add) {
  add("cholesky", buildCholesky);
  add("triangular_solve", buildTriangularSolve);
}
