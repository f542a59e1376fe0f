//===- ComputeRules.h - Rules on the forms of items -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves through a `compute`, said of the canonical forms of what it reads
// (MovementTheory.h) and not of ops. Write A for access indices, C for compute
// indices, t for the tuple, and P for the pattern.
//
//   move-into-compute    compute(P) read at g(A')  =  compute(P read at g(A')),
//                        of all kinds, and with padding where an item of equal
//                        elements gives what pads (MoveRules.cpp)
//   join-computes        views of several computes of one kind, each with its
//                        own domain = one compute of the patterns so joined
//   flatten-items        compute over <A | t, C>  =  compute over <A | t, |C|>,
//                        elements in row-major order
//   to-matmul            dot_prod over t = 2 is a (batched) product of matrices:
//                        an access dimension that only the first of the tuple
//                        moves with is a row, one that only the second does a
//                        column, one that both do a batch
//   copy-sides           a product of matrices = the product of their copies, of
//                        sides that are no matrices in memory
//   split-sum            dot_prod over K = reduce_sum of dot_prods of blocks;
//                        reduce_sum and reduce_max likewise
//   cut-sum              dot_prod over a concatenation = sum of dot_prods;
//                        reduce_sum and reduce_max likewise
//   merge-reductions     both the other way round, for blocks of any kind;
//   join-reductions      also mean of means
//   drop-neutral         a sum of an item is that without the zeros around, a
//                        greatest element that without the -inf around
//   one-element          the greatest of one element is that element
//   max-of-a-set         the greatest element depends on what is read only, not
//                        on how often, or in which order
//   mean-is-quotient     reduce_mean = reduce_sum / n
//   swap-factors         dot_prod of P and Q = dot_prod of Q and P
//   add-to-dot           dot_prod(P) + D = dot_prod(P ++ (D, 1))
//   array-is-product     a systolic array is a dot_prod
//   systolic-array       a product <M | K> by <| K x N> is a systolic array
//
// All but the sums are equal to the last bit: the same products are added in
// the same order. The sums are equal up to the order of summation, and exactly
// of integers. `systolic-array` with several blocks of K is such a sum. Of
// several NaNs in an item, max-of-a-set may give another one.
//
// Proofs: for move-into-compute, result[x] = (compute P)[g(x)] = f(P[g(x), ·]),
// which is (compute P')[x] for P'[x, c] = P[g(x), c]. For the others see the
// comments on each. Random differential tests: test/Rewrites.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REWRITES_COMPUTERULES_H
#define TENSORACCESS_REWRITES_COMPUTERULES_H

#include "TensorAccess/EGraph/Saturate.h"
#include "TensorAccess/Rewrites/MovementTheory.h"

namespace mlir::tensoraccess {

/// A systolic array that products may run on.
struct SystolicShape {
  int64_t rows = 16, cols = 16;
};

struct ComputeRuleOptions {
  /// Reassociates sums of floats: split-sum, cut-sum, merge-reductions,
  /// join-reductions. Those of integers are exact, and always taken.
  bool reordersSums = true;
  /// All rules. Without, those alone that products of matrices need: movement
  /// of reductions without padding, flatten-items, to-matmul, cut-sum and
  /// split-sum of dot products, and arrays.
  bool isComplete = false;
  /// Blocks that split-sum tries; a size must divide K.
  SmallVector<int64_t, 1> sumBlocks;
  /// copy-sides.
  bool copiesSides = false;
  /// Arrays for systolic-array; none are none.
  SmallVector<SystolicShape, 1> arrays;
};

/// Whether a view is a matrix, or a batch of them, as it lies in memory: it
/// steps through one base by a constant along each dimension, without padding.
/// So is one constant, and what has no elements.
bool isMatrixInMemory(const AccessForm &form);

/// The rules, which refer to the theory and the graph.
std::vector<TableRule> makeComputeRules(TermGraph &graph,
                                        MovementTheory &theory,
                                        const ComputeRuleOptions &options);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_REWRITES_COMPUTERULES_H
