//===- Purity.cpp - Ops by name that have no effects ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names. Of StableHLO's ops (its specification, "Ops") those are left out
// that have a token, talk to other processes or to the host, draw random
// numbers, know which process they run in, call functions, run regions
// conditionally, hold back optimisation, or get sizes at run time, which may
// not fit.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Models/Indexing.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static const llvm::StringSet<> &getPureNames() {
  static const llvm::StringSet<> names = {
      // One element from one of each operand.
      "abs", "acos", "acosh", "add", "and", "asin", "asinh", "atan", "atan2",
      "atanh", "bessel_i1e", "cbrt", "ceil", "clamp", "compare", "complex",
      "conj", "convert", "cosh", "cosine", "count_leading_zeros", "digamma",
      "divide", "erf", "erf_inv", "erfc", "exponential",
      "exponential_minus_one", "floor", "imag", "is_finite", "is_inf",
      "is_neg_inf", "is_pos_inf", "lgamma", "log", "log_plus_one", "logistic",
      "map", "maximum", "minimum", "mulhi", "multiply", "negate", "next_after",
      "not", "or", "polygamma", "popcnt", "power", "real", "reduce_precision",
      "remainder", "round_nearest_afz", "round_nearest_even", "rsqrt", "select",
      "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign",
      "sine", "sinh", "sqrt", "square", "subtract", "tan", "tanh",
      "uniform_dequantize", "uniform_quantize", "xor", "zeta",
      // Nothing is read.
      "constant", "iota", "get_dimension_size",
      // Movement.
      "bitcast_convert", "broadcast", "broadcast_in_dim", "concatenate",
      "dynamic_slice", "dynamic_update_slice", "gather", "pad", "reshape",
      "reverse", "slice", "torch_index_select", "transpose",
      // Contractions, reductions, and what is made of them.
      "batch_norm_grad", "batch_norm_inference", "batch_norm_training",
      "cholesky", "convolution", "dot", "dot_general", "fft", "reduce",
      "reduce_window", "scatter", "select_and_scatter", "sort", "top_k",
      "triangular_solve"};
  return names;
}

static bool isHlo(OperationName name, StringRef &op) {
  auto [dialect, rest] = name.getStringRef().split('.');
  op = rest;
  return dialect == "stablehlo" || dialect == "mhlo" || dialect == "chlo";
}

bool mlir::tensoraccess::isKnownPure(Operation *op) {
  bool isPure = true;
  op->walk([&](Operation *inner) {
    StringRef name;
    const bool isKnown =
        inner->isRegistered()
            ? inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(inner)
            : isHlo(inner->getName(), name) && inner->getNumSuccessors() == 0 &&
                  (getPureNames().contains(name) ||
                   (inner != op && name == "return"));
    isPure &= isKnown;
    return isPure ? WalkResult::advance() : WalkResult::interrupt();
  });
  return isPure;
}
